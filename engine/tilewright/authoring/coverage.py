"""Coverage: a document in; what its examples, cases and plays reach, and what not, out; of one text as spans to be
shown.

A ruleset is covered with all that it extends, by all examples and cases that are tried for it; of a mod its own lines
over each ruleset that it is for. Knows no editor.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tilewright.authoring.coverage_record import CoverageRecord
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import OpenedRules, Trial, trials
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.language.check import names_with_needed, rulesets_near
from tilewright.language.documents.companions import sources_of
from tilewright.language.documents.fields import entries, items, kind_of, names, section, text_at
from tilewright.language.documents.library import kind_at, read_document, siblings
from tilewright.language.documents.whole import ids_of, is_for
from tilewright.language.elaborate import open_whole
from tilewright.play.cases import check_plays
from tilewright.play.rules import Rules
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError, bounded
from tilewright.scoring.examples import stands_in

CONDITION = "condition"
AS_IT_IS = RulesChoice()
HELD, FAILED = "true", "false"
COVERED = ("ruleset", "mod")  # the kinds of documents of which there is a coverage
KINDS = ("pattern", CONDITION, "payment", "offer", "restriction", "trigger", "option", "mod")
SECTIONS = {f"{kind}s": kind for kind in ("pattern", "offer", "restriction", "trigger", "option")}


@dataclass(frozen=True, slots=True)
class CoveredPart:
    """A part of a ruleset. `id`: of a condition what it belongs to; `reached` of `outcomes`: a condition may hold and
    may fail, anything else is reached or not; `lacks`: the truths that a condition never had."""

    kind: str
    id: str
    place: Place
    reached: int
    outcomes: int = 1
    lacks: tuple[str, ...] = ()

    @property
    def covered(self) -> bool:
        return self.reached == self.outcomes


@dataclass(frozen=True, slots=True)
class Coverage:
    """What is reached of a document, in the order of the kinds and of the files."""

    ruleset: str
    parts: tuple[CoveredPart, ...]

    @property
    def missing(self) -> tuple[CoveredPart, ...]:
        """What is not reached."""
        return tuple(part for part in self.parts if not part.covered)

    def counted(self, kind: str | None = None) -> tuple[int, int]:
        """How much of a kind, or of all, is reached, and of how much."""
        chosen = [part for part in self.parts if kind in (None, part.kind)]
        return sum(part.reached for part in chosen), sum(part.outcomes for part in chosen)

    @property
    def percent(self) -> float:
        """How much of everything is reached, of 100."""
        reached, outcomes = self.counted()
        return 100 * reached / outcomes if outcomes else 100.0


def coverage_of(
    path: Path, choices: RulesChoice = AS_IT_IS, *, over: Path | None = None, alone: bool = False
) -> Coverage:
    """The coverage of a ruleset, or of the lines of a mod, by default over each ruleset that it is for. `alone`: that
    of a mod by its own examples and cases. Raises RulesetError."""
    record, document = CoverageRecord(), read_document(path)
    if kind_of(document) == "ruleset":
        follow(record, path, choices)
        whole = open_whole(str(path), choices.settings, choices.mods)
        parts = [*parts_of(whole.full, record), *mods_of(path)]
        return Coverage(text_at(whole.full, "id"), in_order(parts))
    mod = document
    if kind_of(mod) != "mod":
        return Coverage(text_at(mod, "id"), ())
    found: list[CoveredPart] = []
    names = names_with_needed(path, mod)
    for target, ids in rulesets_near(path).items():
        if over in (None, target) and is_for(mod, ids):
            follow(
                record,
                target,
                RulesChoice(mods=names),
                frozenset(source.name for source in sources_of(mod)) if alone else None,
            )
            found += parts_of(open_whole(str(target), {}, names).full, record)
    own = [part for part in found if part.place.source in sources_of(mod)]
    return Coverage(text_at(mod, "id"), in_order({(part.kind, part.id, part.place): part for part in own}.values()))


def in_order(parts: Iterable[CoveredPart]) -> tuple[CoveredPart, ...]:
    return tuple(sorted(parts, key=lambda one: (KINDS.index(one.kind), one.place.source.name, one.place.offset)))


# --- following what is tried


def follow(record: CoverageRecord, path: Path, choices: RulesChoice, of: Set[str] | None = None) -> None:
    """Record what the examples, cases and plays of a ruleset reach, as they are tried. `of`: only those of these
    documents."""
    opened = OpenedRules(str(path), tuple(choices.mods), tuple(choices.settings.items()), opens=record.open)
    for trial in trials(path, opened, opened.rules().data):
        if not trial.excluded and (of is None or trial.documents <= of):
            follow_trial(record, trial)


def follow_trial(record: CoverageRecord, trial: Trial) -> None:
    rules = trial.opened.rules()
    for pattern in rules.data.patterns:
        for example in pattern.examples:
            if stands_in(example.place, trial.documents):
                follow_hand(record, rules, example.case)
    for entry in rules.data.cases:
        if not stands_in(entry.place, trial.documents):
            continue
        options = entry.case.get("options")
        try:
            there = trial.opened.rules(options) if isinstance(options, Mapping) else rules
        except RulesetError:
            continue  # `check` reports it
        record.tried(there.data)
        if "hand" in entry.case and "play" not in entry.case:
            follow_hand(record, there, {key: value for key, value in entry.case.items() if key != "options"})
    for _ in check_plays(rules, trial.opened.rules, trial.documents):
        pass  # likewise


def follow_hand(record: CoverageRecord, rules: Rules, case: Mapping[str, object]) -> None:
    try:
        with bounded():
            there = rules.at_table(case)
            record.tried(there.data)
            record.hand(there, read_case(there.data, case))
    except CaseError:
        return  # likewise


# --- the parts


def parts_of(full: MappingNode, record: CoverageRecord) -> Iterator[CoveredPart]:
    """Every part of a merged ruleset, with what was reached of it."""
    offered = {id for _, phase in entries(full, "phases") for id in names(phase.get("offers"))}
    for name in SECTIONS:
        for id, _ in entries(full, name):
            if name == "offers" and id not in offered:
                continue  # an offer of what is extended that has no place here
            place = section(full, name).key(id).place
            yield CoveredPart(SECTIONS[name], id, place, int(is_reached(full, record, name, id)))
    for event, lines in section(full, "payments").items():
        if isinstance(lines, MappingNode):
            for id, _ in entries(lines):
                reached = record.reached["payments", f"{event}.{id}"]
                yield CoveredPart("payment", f"{event}.{id}", lines.key(id).place, int(bool(reached)))
    for key, side in record.sides.items():
        lacks = tuple(name for name, truth in ((HELD, True), (FAILED, False)) if not record.outcomes[key, truth])
        yield CoveredPart(CONDITION, side.owner, side.place, 2 - len(lacks), 2, lacks)


def is_reached(full: MappingNode, record: CoverageRecord, name: str, id: str) -> bool:
    """Whether an entry was reached: an option with two values."""
    if name == "options":
        return len(record.settings.get(id, ())) > 1
    return bool(record.reached[name, id])


def mods_of(path: Path) -> Iterator[CoveredPart]:
    """The mods for a ruleset that lie near it: reached where they have examples or cases of their own."""
    ids = ids_of(path)
    for near in siblings(path.parent):
        try:
            mod = read_document(near) if kind_at(near) == "mod" else None
        except (RulesetError, OSError):
            continue  # it has problems of its own
        if mod is not None and is_for(mod, ids):
            yield CoveredPart("mod", text_at(mod, "id"), mod.key("id").place, int(has_examples(mod)))


def has_examples(mod: MappingNode) -> bool:
    """Whether a mod has examples or cases of its own."""
    for part in ("change", "add"):
        patterns, cases = section(mod, part, "patterns"), section(mod, part, "cases")
        if cases.entries or any(items(node.get("examples")) for _, node in entries(patterns)):
            return True
    return False


# --- marks of a text

State = Literal["covered", "partly", "missing"]


@dataclass(frozen=True, slots=True)
class CoverageMark:
    """Some characters of a text (line and column count from 1) and whether they are covered; `lacks`: in a sentence
    what is missing, empty where nothing is."""

    line: int
    column: int
    length: int
    state: State
    lacks: str


def marks(coverage: Coverage, source: str) -> tuple[CoverageMark, ...]:
    """The marks of the parts that are written in a source, in its order."""
    parts = sorted((part for part in coverage.parts if part.place.source.name == source), key=place_of)
    return tuple(CoverageMark(*place_of(part), state_of(part), lacks(part)) for part in parts)


def place_of(part: CoveredPart) -> tuple[int, int, int]:
    return part.place.line, part.place.column, part.place.length


def state_of(part: CoveredPart) -> State:
    return "covered" if part.covered else "partly" if part.reached else "missing"


def lacks(part: CoveredPart) -> str:
    """What is missing of a part, as a sentence; empty where nothing is."""
    if part.covered:
        return ""
    if part.kind == CONDITION:
        place = part.place
        text = place.source.line(place.line)[place.column - 1 : place.column - 1 + place.length].strip()
        return f"{part.id}: `{text}` is never {'asked' if len(part.lacks) == 2 else part.lacks[0]}"
    return MISSING[part.kind].format(part.id)


MISSING = {
    "pattern": "pattern {} never counts",
    "payment": "payment {} is never made",
    "offer": "offer {} is never taken",
    "restriction": "restriction {} never bars anything",
    "trigger": "trigger {} never does anything",
    "option": "option {} is tried with one value only",
    "mod": "mod {} has no example or case of its own",
}


def not_covered(part: CoveredPart) -> Problem:
    """A part that is not reached, as a note at its place."""
    return Problem("not-covered", lacks(part), part.place, severity="note")
