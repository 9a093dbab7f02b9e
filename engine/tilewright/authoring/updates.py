"""Updates: what the cases of a document expect and what they give now, and fingerprints beside wordings, as changes of
its text.

Only the values of `expect` and of `wording_of` change, and what a document has to say of inherited examples and cases
is added: a revision of each case that gives another result, and one of what is not inherited (examples that do not
hold, cases of which nothing holds, or to which the rulesets of a mod give different results). Comments and layout stay.
In: the path of a ruleset, a mod or a case file. Out: changes, and the text with them. Asks nobody and writes nothing.
"""

import json
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import Node

from tilewright.authoring.case_files import CaseFile, case_of, checked
from tilewright.authoring.layout import Span, below, span_of, spliced, tree_of, with_value, written
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import OpenedRules, outcome
from tilewright.base.node import Mapping as Document
from tilewright.base.node import Scalar
from tilewright.base.problem import Place, RulesetError, Source
from tilewright.language.check import inherited_by, names_with_needed, rulesets_near
from tilewright.language.compiled.ruleset import RulesetCase
from tilewright.language.documents.companions import sources_of
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.library import read_document
from tilewright.language.documents.merge import left_out_by, tried_in
from tilewright.language.documents.whole import is_for
from tilewright.language.documents.wordings import OF, wordings
from tilewright.language.elaborate import open_whole
from tilewright.play.cases import check_play, found_at_end
from tilewright.play.rules import Rules
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.examples import Reopen, agrees, check_case, found_as, with_options
from tilewright.scoring.rules import ScoringRules

Result = TypeVar("Result")
PARTS: tuple[tuple[str, ...], ...] = ((), ("change",), ("add",))  # where a document has cases


@dataclass(frozen=True, slots=True)
class Update:
    """A value that a case expects, or a fingerprint, and what it is now. `span`: its characters in the text; None of
    what is inherited, at `place`, and is written at a `path` of another `file`."""

    place: Place
    name: str
    was: str
    becomes: str
    span: Span | None = None
    path: tuple[str, ...] = ()
    file: str = ""


def update_at(source: Source, name: str, span: Span, becomes: str) -> Update:
    """The update of a value that stands in a text."""
    return Update(source.place(span[0], span[1] - span[0]), name, source.text[slice(*span)], becomes, span)


def updates_of(path: Path, choices: RulesChoice) -> list[Update]:
    """The updates of cases and wordings that a document has, in its files, then of examples and cases that it
    inherits: of a mod, where all its rulesets give the same. Raises RulesetError."""
    document = read_document(path)
    trees = {source: tree_of(source.text) for source in sources_of(document)}
    found: dict[tuple[str, Span], set[Update]] = {}
    targets = list(rules_of(path, document, choices))
    for opened in targets:
        rules = opened.rules()
        for entry in rules.data.cases:
            if entry.place is not None and (tree := trees.get(entry.place.source)) is not None:
                source = entry.place.source
                for key, now in differing(rules, opened.rules, entry.case, entry.expect):
                    if (node := expected_at(tree, entry.id, key)) is not None:
                        span, name = span_of(node), f"cases.{entry.id}.expect.{key}"
                        update = update_at(source, name, span, written(tree, now))
                        found.setdefault((source.name, span), set()).add(update)
    if kind_of(document) in ("ruleset", "base"):
        for span, one in fingerprints(path, trees):
            found[one.place.source.name, span] = {one}
    updates = [one for at in sorted(found) if len(found[at]) == 1 for one in found[at]]
    tree = trees[document.place.source]
    if kind_of(document) == "mod" or not (choices.mods or choices.settings):
        inherited = inherited_by(path, document)
        for revision in revisions(
            document, targets, inherited, lambda id: any(expected_at(one, id) for one in trees.values())
        ):
            was, now = written(tree, revision.was), written(tree, revision.now)
            name, file = ".".join(revision.path), document.place.source.name
            updates.append(Update(revision.place, name, was, now, path=revision.path, file=file))
    return updates


def updates_of_lines(path: Path, choices: RulesChoice) -> list[Update]:
    """The updates of the lines of a case file; none of lines that cannot be tried. Raises OSError, and ValueError for a
    file that is no text."""
    file, source = CaseFile(path, choices), Source(str(path), path.read_bytes().decode("utf-8-sig"))
    start, found = 0, list[Update]()
    for line in StringIO(source.text, newline=""):
        with suppress(CaseError, YAMLError):
            case = case_of(line)
            rules = returned(file.rules_for(case))
            expect = checked(case.pop("expect", {}))
            case.pop("ruleset", None)
            tree = tree_of(line) if rules is not None else None
            for key, now in differing(rules, None, case, expect) if rules is not None else ():
                if (node := below(tree, ("expect", key))) is not None:
                    first, last = span_of(node)
                    span = start + first, start + last
                    found.append(update_at(source, f"expect.{key}", span, json.dumps(now, ensure_ascii=False)))
        start += len(line)
    return found


def returned(steps: Generator[object, None, Result]) -> Result:
    """What a generator returns, whatever it yields."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


def fingerprints(path: Path, sources: Collection[Source]) -> Iterator[tuple[Span, Update]]:
    """The fingerprints beside wordings of a document that describe what has changed since: its author says by updating
    them that the wordings still fit."""
    for wording in wordings(open_whole(str(path))):
        node = wording.node.get(OF)
        if wording.is_stale and isinstance(node, Scalar) and node.place.source in sources:
            start = node.at(0, len(wording.of)).offset
            span = (start, start + len(wording.of))
            yield span, update_at(node.place.source, f"{wording.part}.{wording.id}.{OF}", span, wording.now)


def rules_of(path: Path, document: Document, choices: RulesChoice) -> Iterator[OpenedRules]:
    """The rules that the cases of a document are tried under."""
    if kind_of(document) == "ruleset":
        yield OpenedRules(str(path), tuple(choices.mods), tuple(choices.settings.items()))
    elif kind_of(document) == "mod":
        for target, ids in rulesets_near(path).items():
            if is_for(document, ids):
                yield OpenedRules(str(target), names_with_needed(path, document))


def updated(text: str, updates: Sequence[Update]) -> str:
    """The text with the updates."""
    in_text = [(one.span, one.becomes) for one in updates if one.span is not None]
    for span, becomes in sorted(in_text, reverse=True):
        text = spliced(text, span, becomes)
    for one in updates:
        if one.span is None:
            text = with_value(text, one.path, one.becomes, blocks=2 if one.path[0] == "change" else 1)
    return text


def expected_at(tree: Node, id: str, *key: str) -> Node | None:
    """What a case expects, or a value of it, in a document; None where another document says it."""
    return next((node for part in PARTS if (node := below(tree, (*part, "cases", id, "expect", *key)))), None)


# --- inherited examples and cases

Keys = tuple[str, ...]
Having = tuple[OpenedRules, RulesetCase]  # rules, and a case that they have


LEFT_OUT = "not_inherited"


@dataclass(frozen=True, slots=True)
class Revision:
    """What a document has to say of inherited examples and cases. `place`: where (the first of) these stand; `path`:
    where the document says it."""

    place: Place
    path: Keys
    was: Any
    now: Any


def revisions(
    document: Document, targets: Sequence[OpenedRules], inherited: Sequence[Document], expects: Callable[[str], bool]
) -> Iterator[Revision]:
    """The revisions of a document that is tried with some rules. `inherited`: what it changes; `expects`: whether the
    document itself says what a case expects. Raises RulesetError."""
    outcomes = [outcome(Path(one.path), one.mods, dict(one.settings), document) for one in targets]
    failing = {problem.place for one in outcomes for problem in (*one.problems, *one.inherited)} - {None}
    if not failing:
        return
    prefix = ("change",) if kind_of(document) == "mod" else ()
    names = {place: ".".join(path) for one in inherited for path, place in tried_in(one)}
    left_out = {place: name for place, name in names.items() if place in failing}
    for id, having in cases_of(targets).items():
        if any(failing & {case.place, *case.moves} for _, case in having) and not expects(id):
            (_, case), *_ = having
            assert case.place is not None
            left_out.pop(case.place, None)
            if (now := expected_now(having)) is not None:
                yield Revision(case.place, (*prefix, "cases", id, "expect"), case.expect, now)
            elif case.place in names:
                left_out[case.place] = names[case.place]
    if left_out:
        was = [one.text for one in left_out_by(document)]
        yield Revision(next(iter(left_out)), (LEFT_OUT,), was, [*dict.fromkeys([*was, *left_out.values()])])


def cases_of(targets: Sequence[OpenedRules]) -> dict[str, list[Having]]:
    """The cases of some rules, by id."""
    found: dict[str, list[Having]] = {}
    for target in targets:
        for one in target.rules().data.cases:
            found.setdefault(one.id, []).append((target, one))
    return found


def expected_now(having: Sequence[Having]) -> Mapping[str, Any] | None:
    """What a case may expect in all its rulesets; None if there is nothing that holds."""
    now = dict[str, Any]()
    for target, case in having:
        if "play" in case.case:
            try:
                rules = with_its_options(target, case)
            except RulesetError:
                return None
            differs = differing_play(rules, case.case, case.expect)
        else:
            differs = differing(target.rules(), target.rules, case.case, case.expect)
        now = {**dict(differs), **now}
    expect = {**having[0][1].expect, **now}
    return expect if now and all(holds(target, case, expect) for target, case in having) else None


def holds(target: OpenedRules, case: RulesetCase, expect: Mapping[str, Any]) -> bool:
    """Whether a case gives what is expected."""
    try:
        rules = with_its_options(target, case)
    except RulesetError:
        return False
    if "play" in case.case:
        return not any(check_play(rules, case.case, expect, None))
    hand = {key: value for key, value in case.case.items() if key != "options"}
    return not any(check_case(rules, hand, expect, None))


def with_its_options(target: OpenedRules, case: RulesetCase) -> Rules:
    """The rules with the options of a case. Raises RulesetError."""
    options = case.case.get("options")
    return target.rules(options if isinstance(options, Mapping) else None)


# --- values that differ


def differing(
    rules: ScoringRules, reopen: Reopen | None, case: Mapping[str, Any], expect: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Every key that a case expects otherwise, with what it gives now; none of a hand that no longer wins, or can no
    longer be read: that needs an author."""
    if "hand" not in case or "play" in case or "error" in expect:
        return
    try:
        there, hand = (rules, case) if reopen is None else with_options(rules, case, reopen)
        score = there.score_case(hand)
    except (CaseError, RulesetError):
        return
    if not score.win and expect.get("win") is not False and "reason" not in expect:
        return
    result = score.as_json()
    yield from compared(expect, result)


def differing_play(rules: Rules, case: Mapping[str, Any], expect: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every key that a play expects otherwise at its end; none of one that cannot be played to its end."""
    try:
        found = found_at_end(rules, case, expect)
    except CaseError:
        return
    yield from compared(expect, found)


def compared(expect: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, wanted in expect.items():
        now = found.get(key)
        if key in found and not agrees(key, wanted, now):
            yield key, as_written(key, wanted, found_as(key, now))


def as_written(key: str, wanted: Any, found: Any) -> Any:
    """What was found, in the way the case writes it: the same values, payments that are not zero, a name in English."""
    if key == "values" and isinstance(wanted, Mapping):
        return {name: found[name] for name in wanted if name in found}
    if key == "payments" and isinstance(found, Mapping):
        return {seat: amount for seat, amount in found.items() if amount or seat in wanted}
    if key == "called" and isinstance(found, Mapping):
        return found.get("en") or next(iter(found.values()), None)
    return found
