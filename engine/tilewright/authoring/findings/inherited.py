"""Inherited examples and cases: what a mod, or a ruleset that extends another, has to say of those that it changes.

In: the document, and the rules that it is tried with. Out: a revision of each case that gives another result, and of
each example and case that does not hold. A case to which the rulesets of a mod give different results is removed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tilewright.authoring.findings.differences import differing, differing_play
from tilewright.authoring.trials import OpenedRules, outcome
from tilewright.base.node import Mapping as Document
from tilewright.base.problem import Place, RulesetError
from tilewright.language.companions.joining import sources_of
from tilewright.language.compiled.ruleset import Example, Pattern, RulesetCase
from tilewright.language.documents.fields import kind_of
from tilewright.play.cases.check import check_play
from tilewright.play.rules import Rules
from tilewright.scoring.examples import check_case, check_example

Keys = tuple[str, ...]
Entry = TypeVar("Entry", RulesetCase, Pattern)
Having = tuple[OpenedRules, Entry]  # rules, and what they have


@dataclass(frozen=True, slots=True)
class Revision:
    """What a document has to say of an inherited example or case. `place`: where that stands; `path`: where the
    document says it; `now`: None if it is removed."""

    place: Place
    path: Keys
    was: Any
    now: Any


def revisions(document: Document, targets: Sequence[OpenedRules], expects: Callable[[str], bool]) -> Iterator[Revision]:
    """The revisions of a document that is tried with some rules: of cases, then of examples. `expects`: whether the
    document itself says what a case expects. Raises RulesetError."""
    outcomes = [outcome(Path(one.path), one.mods, dict(one.settings), document) for one in targets]
    failing = {problem.place for one in outcomes for problem in (*one.problems, *one.inherited)} - {None}
    if not failing:
        return
    prefix = ("change",) if kind_of(document) == "mod" else ()
    cases = by_id(targets, lambda rules: rules.data.cases)
    for id, having in cases.items():
        if any(failing & {case.place, *case.moves} for _, case in having) and not expects(id):
            yield from of_case(document, (*prefix, "cases", id), having)
    patterns = by_id(targets, lambda rules: rules.data.patterns)
    for id, having_pattern in patterns.items():
        yield from of_examples(document, (*prefix, "patterns", id, "examples"), having_pattern, failing)


def by_id(targets: Sequence[OpenedRules], named: Callable[[Rules], Sequence[Entry]]) -> dict[str, list[Having[Entry]]]:
    """The cases or patterns of some rules, by id."""
    found: dict[str, list[Having[Entry]]] = {}
    for target in targets:
        for one in named(target.rules()):
            found.setdefault(one.id, []).append((target, one))
    return found


def of_case(document: Document, path: Keys, having: Sequence[Having[RulesetCase]]) -> Iterator[Revision]:
    """The revision of a case; none of one that the document has changed itself and that does not hold."""
    (_, case), *_ = having
    now = expected_now(having)
    assert case.place is not None
    if now is not None:
        yield Revision(case.place, (*path, "expect"), case.expect, now)
    elif case.place.source not in sources_of(document):
        yield Revision(case.place, path, {**case.case, "expect": case.expect}, None)


def of_examples(
    document: Document, path: Keys, having: Sequence[Having[Pattern]], failing: Set[Place | None]
) -> Iterator[Revision]:
    """The revisions of the examples of a pattern: those that fail are removed by name, or from a list of all."""
    examples = {one.place: one for _, pattern in having for one in pattern.examples if one.place is not None}
    own = sources_of(document)
    failed = [(place, one) for place, one in examples.items() if place in failing and place.source not in own]
    if all(one.id for _, one in failed):
        for place, one in failed:
            yield Revision(place, (*path, one.id), as_written(one), None)
        return
    left = [one for place, one in examples.items() if place.source not in own or kind_of(document) != "mod"]
    holding = [as_written(one) for one in left if one.place not in failing and shows(one, having)]
    yield Revision(failed[0][0], path, [as_written(one) for _, one in failed], holding)


def shows(example: Example, having: Sequence[Having[Pattern]]) -> bool:
    """Whether an example holds with all rules."""
    return not any(problem for target, pattern in having for problem in check_example(target.rules(), pattern, example))


def expected_now(having: Sequence[Having[RulesetCase]]) -> Mapping[str, Any] | None:
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


def as_written(example: Example) -> dict[str, Any]:
    id = {"id": example.id} if example.id else {}
    return {**id, **example.case, "yes": example.yes}
