"""Inherited examples and cases: what a mod, or a ruleset that extends another, has to say of those that it changes.

In: the document, and the rules that it is tried with. Out: a revision of each case that gives another result, and one
of what is not inherited: examples that do not hold, cases of which nothing holds, or to which the rulesets of a mod
give different results.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.authoring.findings.differences import differing, differing_play
from tilewright.authoring.trials import OpenedRules, outcome
from tilewright.base.node import Mapping as Document
from tilewright.base.problem import Place, RulesetError
from tilewright.language.compiled.ruleset import RulesetCase
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.merge import left_out_by, tried_in
from tilewright.play.cases import check_play
from tilewright.play.rules import Rules
from tilewright.scoring.examples import check_case

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
