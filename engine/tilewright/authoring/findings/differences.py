"""Differences: the values that a case expects otherwise than it gives now, in the way the case writes them.

In: rules, and a case. Out: keys of `expect` and values.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tilewright.base.problem import RulesetError
from tilewright.play.cases import found_at_end
from tilewright.play.rules import Rules
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.examples import Reopen, agrees, found_as, with_options
from tilewright.scoring.rules import ScoringRules


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
