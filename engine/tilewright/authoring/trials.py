"""Trials: the rules for trying the examples and cases of a document, and of all that it extends, and what came of each.

What a ruleset inherits holds under its merged rules too. It is tried with the options that its author saw: those of the
nearest ruleset on the way down that is not the one checked, so that other presets of options break no example;
`tried_with` of a mod takes precedence. In: a path. Out: trials and their outcomes; or every example and case that is
written down, with the rules under which it ran or the reason why it did not, for which nothing is taken to have been
tried.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node
from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.language.check import MOST_NAMED, inside, names_with_needed, rulesets_near, tried_with
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.companions import sources_of
from tilewright.language.documents.fields import OF_PLAY, entries, items, kind_of, section, text_at
from tilewright.language.documents.library import path_of, read_document
from tilewright.language.documents.options import choose, read_mod
from tilewright.language.documents.whole import (
    MergedRuleset,
    extended,
    is_for,
    is_for_line,
    line_of,
    targets_of,
    with_mods,
)
from tilewright.language.elaborate import open_whole
from tilewright.play.rules import Rules
from tilewright.scoring.examples import (
    ScoredPart,
    Tell,
    check_examples,
    hands_in,
    judged_by_engine,
    nobody,
    scoring_of,
    stands_in,
    zones_named,
)
from tilewright.scoring.rules import data_of, setting_text

Settings = Mapping[str, str]
Open = Callable[[str, Mapping[str, object], Sequence[str]], Rules]
NO_SUCH_CHOICE = "unknown-choice"
if TYPE_CHECKING:
    from tilewright.play.noting import KnownResult

TO_UPDATE = (
    "if that is meant, `check --update` writes what now holds into {file}, or name it below `not_inherited` there"
)
MOST_KEPT = 64  # rules of one ruleset that are open at once
MANY_HANDS = 50  # an image for the kernel is worth making
PLAYED: dict[int, list["KnownResult"]] = {}  # what plays have given in this process
MANY_RULES: deque[tuple[Rules, ScoredPart]] = deque(maxlen=24)  # the last used that many hands were tried with


def open_to_try(path: str, options: Mapping[str, object], mods: Sequence[str]) -> Rules:
    """The rules with these options, which hardly anybody will ask for again. Raises RulesetError."""
    return Rules(data_of(path, options, mods, keep=not options))


@dataclass(frozen=True, slots=True)
class OpenedRules:
    """A ruleset with mods and options, to be opened with more of them. `opens`: the function that opens it; `kept`: the
    rules that were opened, with what decides their scores."""

    path: str
    mods: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    opens: Callable[[str, Mapping[str, object], Sequence[str]], Rules] = field(
        default=open_to_try, compare=False, repr=False
    )
    kept: dict[object, tuple[Rules, ScoredPart]] = field(default_factory=dict, compare=False, repr=False)

    def rules(self, options: Mapping[str, object] | None = None) -> Rules:
        """The rules with these options too; the same ones are opened once. Raises RulesetError."""
        chosen = {**dict(self.settings), **(options or {})}
        key = self.path, self.mods, tuple(sorted((id, setting_text(value)) for id, value in chosen.items()))
        if key not in self.kept:
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            opened = self.opens(self.path, chosen, self.mods)
            judged = judged_by_engine(opened.data)
            if self.opens is open_to_try:  # others watch what is asked of their rules
                opened = self.with_known_engine(opened, judged, few=bool(options) or hands_of(opened) < MANY_HANDS)
            self.kept[key] = opened, judged
        return self.kept[key][0]

    def with_known_engine(self, opened: Rules, judged: ScoredPart, *, few: bool) -> Rules:
        """The rules, with the engine of open ones that score alike: options of play and most mods change none. `few`:
        few hands are scored by them, which takes less time than making an image for the kernel."""
        for number, (rules, other) in enumerate(MANY_RULES):
            if other.same_as(judged):
                del MANY_RULES[number]
                MANY_RULES.append((rules, other))
                return replace(opened, alike=rules)
        if few:
            alike = next((rules for rules, other in self.kept.values() if other.same_as(judged)), None)
            return opened.step_by_step() if alike is None else replace(opened, alike=alike)
        MANY_RULES.append((opened, judged))
        return opened

    def having(self, settings: Settings) -> "OpenedRules":
        return replace(self, settings=tuple({**dict(self.settings), **settings}.items()))


def hands_of(rules: Rules) -> int:
    """How many hands are examples and cases of a ruleset."""
    return len(rules.data.cases) + sum(len(pattern.examples) for pattern in rules.data.patterns)


@dataclass(frozen=True, slots=True)
class Trial:
    """The documents whose examples and cases are tried, and under which rules. `known`: rules that they are already
    known to hold under; `excluded`: why they cannot be tried, if so."""

    opened: OpenedRules
    documents: frozenset[str]
    known: OpenedRules | None = None
    excluded: str = ""


@dataclass(frozen=True, slots=True)
class Untried:
    """How many examples and cases were not tried, and why."""

    count: int
    reason: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of the trials of one ruleset. `tried`: how many examples and cases; `untried`: those that were not;
    `problems`: at lines of the document that is checked; `inherited`: elsewhere, with the rules that they were found
    under; `ran`: the name of the rules under which each example or case ran, without the mods where they change nothing
    that it depends on; `excluded`: of those that cannot be tried, why."""

    ruleset: str
    patterns: int
    examples: int
    cases: int
    problems: tuple[Problem, ...]
    inherited: tuple[Problem, ...]
    untried: tuple[Untried, ...]
    ran: Mapping[Place, str]
    excluded: Mapping[Place, str]


def outcomes(path: Path, choices: RulesChoice, tell: Tell = nobody, *, own: bool = False) -> Iterator[Outcome]:
    """The results of a document: one outcome for a ruleset, one for each ruleset that a mod is for, none for a base.
    `tell` is told of each example and case that was tried; `own`: only those of the document itself. Raises
    RulesetError."""
    document = read_document(path)
    if kind_of(document) == "ruleset":
        yield outcome(path, choices.mods, choices.settings, document, tell, own=own)
    elif kind_of(document) == "mod":
        mod, names = document, names_with_needed(path, document)
        for target, ids in rulesets_near(path).items():
            if is_for(mod, ids):
                yield outcome(target, names, {}, mod, tell, own=own)


def outcome(
    path: Path,
    mods: Sequence[str],
    settings: Settings,
    checked: MappingNode,
    tell: Tell = nobody,
    *,
    own: bool = False,
) -> Outcome:
    """The results of a ruleset with mods; `checked`: the document that is being checked; `own`: only what it has of
    its own is tried."""
    opened = OpenedRules(str(path), tuple(mods), tuple(settings.items()))
    found, inherited = list[Problem](), list[Problem]()
    untried: list[Untried] = []
    ran, excluded = dict[Place, str](), dict[Place, str]()
    examples = cases = 0
    sources = sources_of(checked)
    default = opened.rules().data
    for trial in trials(path, opened, default):
        if own:
            trial = replace(trial, documents=trial.documents & {source.name for source in sources})
        if not trial.documents:
            continue
        rules = trial.opened.rules()
        of_examples, of_cases = places_of(rules.data, trial.documents)
        places = [*of_examples, *of_cases]
        if trial.excluded:
            untried += [Untried(len(places), trial.excluded, places[0])] if places else []
            excluded |= {place: trial.excluded for place in places if place is not None}
            continue
        where = named(rules.data, trial.opened.settings, settings)
        for problem in tried_out(trial, rules, partial(noted, ran, where, tell)):
            if problem.place is None or problem.place.source in sources:
                found.append(problem)
            else:
                inherited.append(inside(problem, [where]))
        if trial.known is not None:
            ran |= {place: f"{where} without the mod" for place in places if place is not None and place not in ran}
        examples += len(of_examples)
        cases += len(of_cases)
        known = [one.pattern for one in trial.known.rules().data.left_out] if trial.known is not None else []
        off = [one for one in rules.data.left_out if one.pattern not in known]
        off = [one for one in off if stands_in(one.place, trial.documents)]
        untried += [Untried(one.examples, f"pattern {one.pattern} is off", one.place) for one in off]
    if inherited and (kind_of(checked) == "mod" or not (mods or settings)):
        inherited[0] = with_way_out(inherited[0], checked)
    problems = tuple(found), tuple(inherited)
    return Outcome(default.id, len(default.patterns), examples, cases, *problems, tuple(untried), ran, excluded)


def noted(ran: dict[Place, str], where: str, tell: Tell, place: Place | None) -> None:
    """An example or case ran under these rules."""
    tell(place)
    if place is not None:
        ran[place] = where


def with_way_out(problem: Problem, checked: MappingNode) -> Problem:
    """The problem with the hint that the document may say what inherited examples and cases give."""
    file = TO_UPDATE.format(file=Path(checked.place.source.name).name)
    return replace(problem, hint=f"{problem.hint}; {file}" if problem.hint else file)


def named(data: CompiledRuleset, chosen: Sequence[tuple[str, str]], given: Settings) -> str:
    """The name of the rules of a trial: the ruleset, and the options chosen for the trial."""
    settings = [f"{id}={value}" for id, value in chosen if id not in given]
    more = ["..."] if len(settings) > MOST_NAMED else []
    return f"{data.id} with {', '.join(settings[:MOST_NAMED] + more)}" if settings else data.id


def trials(path: Path, opened: OpenedRules, default: CompiledRuleset) -> Iterator[Trial]:
    """The trials of the documents of a ruleset: each with the options that it was written for."""
    line = list(line_of(path))
    documents: dict[Path, set[str]] = {}  # by the ruleset with whose options they were written
    home = path
    for where, document in line:
        home = where if kind_of(document) == "ruleset" else home
        documents.setdefault(home, set()).update(source.name for source in sources_of(document))
    mods = [mod for text in opened.mods if (mod := mod_of(text, path)) is not None]
    neutral = {id: value.text for mod in mods for id, value in tried_with(mod).items()}
    if mods:
        yield Trial(opened, frozenset(source.name for mod in mods for source in sources_of(mod)))
    for home, sources in documents.items():
        plain = OpenedRules(str(home), opens=opened.opens, kept=opened.kept)
        wanted = {**settings_of(plain, opened, default), **neutral}
        settings = {id: value for id, value in wanted.items() if id not in dict(opened.settings)}
        having, excluded = with_fitting(opened, settings)
        yield Trial(having, frozenset(sources), plain if mods else None, excluded)


def mod_of(text: str, path: Path) -> MappingNode | None:
    """The mod that a text means; None for a preset or a card."""
    try:
        document = read_document(path_of(read_mod(text)[0], path.parent, what="mod or card"))
    except RulesetError:
        return None
    return document if kind_of(document) == "mod" else None


def settings_of(home: OpenedRules, opened: OpenedRules, default: CompiledRuleset) -> dict[str, str]:
    """The options of a ruleset that differ from the one that is checked."""
    if home == opened:
        return {}
    there, problems = choose(extended(Path(home.path)).full.get("options"), {})
    if problems:
        raise RulesetError(problems)
    chosen = {id: setting.chosen for id, setting in there.items()}
    return {
        id: setting_text(value)
        for id, value in chosen.items()
        if id in default.options and default.options[id] != value
    }


def with_fitting(opened: OpenedRules, settings: Settings) -> tuple[OpenedRules, str]:
    """The rules with these settings, except numbers that an option no longer allows; and a choice that no longer
    exists, whose examples cannot be tried."""
    try:
        opened.having(settings).rules()
    except RulesetError as error:
        if len(settings) == 1:
            ((id, value),) = settings.items()
            gone = error.problems[0].code == NO_SUCH_CHOICE
            return opened, f"{id} cannot be {value} here" if gone else ""
        excluded = ""
        for id, value in settings.items():
            opened, why = with_fitting(opened, {id: value})
            excluded = excluded or why
        return opened, excluded
    return opened.having(settings), ""


# --- trying


def tried_out(trial: Trial, rules: Rules, tell: Tell) -> Iterator[Problem]:
    """Where results differ from the examples and cases of the documents. Nothing is tried twice under the same
    rules: what a mod does not touch holds as without it, and as with others; of what plays look at, see `noting`."""
    known = trial.known.rules().data if trial.known is not None else None
    changed = list(changed_by_mods(trial, rules.data))
    touched = known is None or hands_differ(trial, rules.data, changed)
    if touched or (known is not None and known.scoring.pays_at_most != rules.data.scoring.pays_at_most):
        yield from check_examples(rules, trial.opened.rules, trial.documents, tell, paid_alone=not touched)
    if any("play" in entry.case for entry in rules.data.cases) and (known is None or changed):
        from tilewright.play.cases import check_plays
        from tilewright.play.noting import PlayResults

        with closing(PlayResults(PLAYED)) as results:
            yield from check_plays(rules, trial.opened.rules, trial.documents, tell, results)


def changed_by_mods(trial: Trial, data: CompiledRuleset) -> Iterator[tuple[str, ...]]:
    """The paths, a section and what it has, of all that differs from the rules that are known, be it only with some
    options; and the options that have other values. An option that is new changes nothing by itself."""
    if trial.known is None:
        return
    path, known = Path(trial.opened.path), trial.known.rules().data
    mods = [mod for text in trial.opened.mods if (mod := mod_of(text, path)) is not None]
    before, after = extended(Path(trial.known.path)).full, with_mods(extended(path), mods).full
    yield from (("options", id) for id, value in known.options.items() if data.options.get(id) != value)
    for name, old, new in differing(before, after):
        if not (isinstance(old, MappingNode | None) and isinstance(new, MappingNode | None)):
            yield (name,)
        for id, was, _ in differing(old, new):
            deeper = differing(section(old, id), section(new, id)) if name == "zones" else ()
            if name != "options" or was is not None:
                yield name, id, *(key for key, _, _ in deeper)


def differing(before: Node | None, after: Node | None) -> Iterator[tuple[str, Node | None, Node | None]]:
    """The keys under which two mappings do not have the very same node, with both nodes."""
    old, new = section(before), section(after)
    for key in {**old.entries, **new.entries}:
        if old.get(key) is not new.get(key):
            yield key, old.get(key), new.get(key)


def hands_differ(trial: Trial, data: CompiledRuleset, changed: Sequence[tuple[str, ...]]) -> bool:
    """Whether a hand of the documents, under its options, may score otherwise than under the rules that are known, but
    for the most that a win pays."""
    assert trial.known is not None
    known, part = trial.known.rules().data, scoring_of(data, trial.documents)
    if not part.same_as(scoring_of(known, trial.documents)):
        return True
    if all(asked_by_no_hand(path, part, known) for path in changed):
        return False
    hands = [one.case for one in data.cases if "play" not in one.case and stands_in(one.place, trial.documents)]
    for options in {str(case.get("options")): case.get("options") for case in hands}.values():
        if isinstance(options, Mapping):
            try:
                there, here = (one.rules(options).data for one in (trial.opened, trial.known))
            except RulesetError:
                return True
            if there.scoring.pays_at_most != here.scoring.pays_at_most:
                return True
            if not scoring_of(there, trial.documents).same_as(scoring_of(here, trial.documents)):
                return True
    return False


def asked_by_no_hand(path: tuple[str, ...], part: ScoredPart, known: CompiledRuleset) -> bool:
    """Whether what is changed there decides no score, whatever the options are. `part`: what decides those with the
    options of a trial, where most that a win pays is looked at by itself if it is not that of `known`."""
    match path:
        case "match", "score":
            return not part.asks_start
        case "scoring", "pays_at_most":
            return part.paid != known.scoring.pays_at_most
        case "zones", id, "seen_by":
            return id not in {zone for case in hands_in(part.data) for zone in zones_named(case)}
        case name, *_:
            return name in OF_PLAY or name == "cases"  # those of the documents are compared with the rest
    return False


def places_of(data: CompiledRuleset, documents: frozenset[str]) -> tuple[list[Place | None], list[Place | None]]:
    """The places of the examples, and of the cases, of these documents in a ruleset."""
    examples = [example.place for pattern in data.patterns for example in pattern.examples]
    cases = [entry.place for entry in data.cases]
    of_examples, of_cases = ([place for place in one if stands_in(place, documents)] for one in (examples, cases))
    return of_examples, of_cases


# --- what is written down


@dataclass(frozen=True, slots=True)
class WrittenEntry:
    """An example or case of a document. `name`: `patterns.pinfu.examples.2` or `cases.tsumo`; `under`: the rules that
    it ran under, empty if it did not; `reason`: why not."""

    ruleset: str
    name: str
    place: Place
    under: str
    reason: str = ""


def entries_of(path: Path, choices: RulesChoice) -> Iterator[WrittenEntry]:
    """The entries of a ruleset and of all that it extends; of a mod those of every ruleset that it is for. Raises
    RulesetError."""
    document = read_document(path)
    if kind_of(document) == "ruleset":
        yield from of_ruleset(path, choices.mods, choices.settings)
    elif kind_of(document) == "mod":
        mod, names = document, names_with_needed(path, document)
        for target, ids in rulesets_near(path).items():
            if is_for(mod, ids):
                yield from of_ruleset(target, names, {})


def of_ruleset(path: Path, mods: Sequence[str], settings: Mapping[str, str]) -> Iterator[WrittenEntry]:
    """The entries of a ruleset with mods."""
    done = outcome(path, mods, settings, read_document(path))
    whole = open_whole(str(path), settings, mods)
    line = [document for _, document in line_of(path)]
    documents = [*line, *(mod for text in mods if (mod := mod_of(text, path)) is not None)]
    kept = {place: name for name, place in written(whole.full)}
    for document in documents:
        for part in (document, section(document, "change"), section(document, "add")):
            elsewhere = dict(cases_of_others(part, line))
            for name, place in written(part):
                reason = "" if place in done.ran else why_not(place, kept, elsewhere, whole, done)
                yield WrittenEntry(done.ruleset, name, place, done.ran.get(place, ""), reason)


def cases_of_others(part: MappingNode, line: Sequence[MappingNode]) -> Iterator[tuple[Place, str]]:
    """The cases that are for other rulesets than this one with all that it extends, and for which."""
    cases = section(part, "cases")
    for name, case in entries(cases):
        if "for" in case.entries and not is_for_line(case, line):
            yield cases.key(name).place, f"it is for {', '.join(map(str, targets_of(case)))}"


def why_not(
    place: Place, kept: Mapping[Place, str], elsewhere: Mapping[Place, str], whole: MergedRuleset, done: Outcome
) -> str:
    """Why an entry was not tried; empty if there is no reason. `elsewhere`: cases that are for other rulesets."""
    if place in done.excluded:
        return done.excluded[place]
    if place not in kept:
        return elsewhere.get(place, "replaced or removed by what extends it")
    section_of, id, *_ = kept[place].split(".")
    if section_of == "patterns" and id not in section(whole.document, "patterns").entries:
        return f"pattern {id} is off"
    if section_of == "cases" and not section(whole.document, "cases", id, "expect").entries:
        return "it expects nothing"
    return ""


def written(document: MappingNode) -> Iterator[tuple[str, Place]]:
    """The name and the place of every example and case that a document writes down."""
    for pattern, node in entries(document, "patterns"):
        for name, item in named_examples(node.get("examples")):
            yield f"patterns.{pattern}.examples.{name}", item.place
    cases = section(document, "cases")
    for name, _ in entries(cases):
        yield f"cases.{name}", cases.key(name).place


def named_examples(examples: Node | None) -> Iterator[tuple[str, MappingNode]]:
    """Examples by id, where they have one, or by number."""
    if isinstance(examples, MappingNode):
        yield from entries(examples)
        return
    for number, item in enumerate(items(examples), 1):
        if isinstance(item, MappingNode):
            yield text_at(item, "id") or str(number), item
