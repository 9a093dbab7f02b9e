"""Examples: every example and case of a ruleset scored, and a problem for each with another result.

In: rules, or the lines of a case file. Out: problems.
"""

from collections.abc import Callable, Iterator, Mapping, Set
from fractions import Fraction
from typing import Any

from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.hands.listed import NEVER
from tilewright.hands.waits import best_discards
from tilewright.language.compiled.ir import nodes
from tilewright.language.compiled.ruleset import Example, Pattern
from tilewright.language.vocabulary import words
from tilewright.scoring.case import read_case
from tilewright.scoring.cases.mistakes import CaseError, bounded
from tilewright.scoring.cases.scored import may_pay
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.score import Score, amount_of, show_number
from tilewright.tiles.notation import write_tile

Reopen = Callable[[Mapping[str, Any]], ScoringRules]  # the same rules with other options
Tell = Callable[[Place | None], None]  # is told of each example and case that was tried
OF_A_WIN = ("total", "called", "patterns", "reading", "form", "payments")
MOST_TOLD = 4  # tiles that a hand lacks
EXPECTED = ("win", "total", "unit", "values", "called", "patterns", "reading", "form", "payments", "reason", "error")


def nobody(place: Place | None) -> None:
    """Told of what was tried, and does nothing about it."""


def check_examples(
    rules: ScoringRules,
    reopen: Reopen,
    of: Set[str] | None = None,
    tell: Tell = nobody,
    *,
    paid_alone: bool = False,
) -> Iterator[Problem]:
    """A problem for every example of a pattern, and every hand of `cases`, with another result. `of`: only those
    in these documents; `paid_alone`: only hands that may be paid."""
    for pattern in rules.data.patterns:
        for example in pattern.examples:
            if stands_in(example.place, of) and (may_pay(example.case) or not paid_alone):
                yield from check_example(rules, pattern, example)
                tell(example.place)
    for entry in rules.data.cases:
        is_hand = "hand" in entry.case and "play" not in entry.case and entry.expect
        if is_hand and stands_in(entry.place, of) and (may_pay(entry.case) or not paid_alone):
            try:
                there, case = with_options(rules, entry.case, reopen)
            except RulesetError as error:
                yield unfit_options(error, entry.place)
                continue
            yield from check_case(there, case, entry.expect, entry.place)
            tell(entry.place)


def stands_in(place: Place | None, documents: Set[str] | None) -> bool:
    """The place, if any, is in one of the documents (None: in whichever)."""
    return documents is None or place is None or place.source.name in documents


def with_options(
    rules: ScoringRules, case: Mapping[str, Any], reopen: Reopen
) -> tuple[ScoringRules, Mapping[str, Any]]:
    """The rules with the options of the case, and the rest of it. Raises RulesetError."""
    options = case.get("options")
    rest = {key: value for key, value in case.items() if key != "options"}
    return (reopen(options), rest) if isinstance(options, Mapping) else (rules, rest)


def unfit_options(error: RulesetError, place: Place | None) -> Problem:
    """The options of a case do not belong to its ruleset."""
    first = error.problems[0]
    return Problem("wrong-case", first.message, place, first.hint)


def check_example(rules: ScoringRules, pattern: Pattern, example: Example) -> Iterator[Problem]:
    """`yes: true`: the hand wins and the pattern counts; `yes: false`: the hand has a form, and the pattern does not
    count."""
    try:
        score = rules.score_case(example.case)
        if not example.yes and not score.values and not may_be_another_form(rules, pattern, example):
            says = f"this hand should win without {pattern.id}; {summary(score)}"
            yield Problem("example-fails", says, example.place, lacking(rules, example.case))
            return
    except CaseError as error:
        yield Problem("wrong-example", error.message, example.place, error.hint)
        return
    counts = score.win and any(p.id == pattern.id for p in score.patterns)
    if counts != example.yes:
        says = f"this hand should count {pattern.id}" if example.yes else f"this hand should not count {pattern.id}"
        yield Problem("example-fails", f"{says}; {summary(score)}", example.place, why(rules, pattern, example))


def may_be_another_form(rules: ScoringRules, pattern: Pattern, example: Example) -> bool:
    """Whether a full hand without a form may show what a pattern is not: one that asks for the form, or for nothing."""
    situation = read_case(rules.data, example.case)
    asks_nothing = pattern.when is None and pattern.each is None
    asks_form = asks_nothing or any(map(words.form.is_asked, nodes(pattern.when) if pattern.when is not None else ()))
    return not situation.won or (asks_form and rules.judge.size(situation.hand) in rules.judge.known_sizes)


def why(rules: ScoringRules, pattern: Pattern, example: Example) -> str | None:
    """What the explanation says about the pattern in the best reading."""
    explanation = rules.explain(example.case)
    if not explanation.readings:
        return lacking(rules, example.case) or "the tiles make no winning form"
    told = next((p for p in explanation.readings[0].patterns if p.id == pattern.id), None)
    return told.why or None if told is not None else None


def lacking(rules: ScoringRules, case: Mapping[str, Any]) -> str | None:
    """What a full hand without a winning form lacks: its distance, and the tiles that would bring it nearer."""
    try:
        with bounded():
            situation = read_case(rules.data, case)
            if not situation.won or rules.judge.size(situation.hand) not in rules.judge.known_sizes:
                return None
            best = next(iter(best_discards(rules.judge.reader, situation.hand)), None)
    except CaseError:
        return None
    if best is None or best.distance >= NEVER or not best.useful:
        return None
    needs = [write_tile(tile, rules.data.tiles) for tile, _ in best.useful]
    more = f" and {len(needs) - MOST_TOLD} more" if len(needs) > MOST_TOLD else ""
    away = "1 tile" if best.distance == 1 else f"{best.distance} tiles"
    instead = write_tile(best.tile, rules.data.tiles)
    return f"{away} away from a winning form: {' or '.join(needs[:MOST_TOLD])}{more} in place of {instead}"


def summary(score: Score) -> str:
    """What happened instead, in one clause."""
    if not score.win:
        return f"it is {score.reason}" if (score.reason or "").startswith("not") else f"{score.reason}"
    counted = ", ".join(p.id for p in score.patterns) or "nothing"
    return f"it counts {counted} ({amount_of(score.total, score.unit)})"


# --- cases


def check_case(
    rules: ScoringRules, case: Mapping[str, Any], expect: Mapping[str, Any], place: Place | None
) -> Iterator[Problem]:
    """A problem for everything in `expect` that differs."""
    for key in expect:
        if key not in EXPECTED:
            yield Problem(
                "unknown-key", f"nothing called {key!r} can be expected", place, f"what can be: {', '.join(EXPECTED)}"
            )
            return
    try:
        score = rules.score_case(case)
    except CaseError as error:
        if expect.get("error") != error.code:
            yield Problem("wrong-case", error.message, place, error.hint)
        return
    result: Mapping[str, Any] = {**score.as_json(), "error": None}
    failing = [key for key, wanted in expect.items() if not agrees(key, wanted, result.get(key))]
    if failing and expect.get("error") is None and wins_instead(case, score, expect):
        message = f"this hand should win, but {summary(score)}"
        yield Problem("case-fails", message, place, None if score.values else lacking(rules, case))
        return
    for key in failing:
        found = found_as(key, result.get(key))
        yield Problem("case-fails", f"{key} should be {shown(expect[key])}, but is {shown(found)}", place)


def wins_instead(case: Mapping[str, Any], score: Score, expect: Mapping[str, Any]) -> bool:
    """Whether a win is expected: something that only a win has is expected, and no other result."""
    if score.win or case.get("winner") is False or expect.get("win") is False or "reason" in expect:
        return False
    return bool(expect.get("win") or any(expect.get(key) for key in OF_A_WIN))


def agrees(key: str, wanted: Any, found: Any) -> bool:
    """Numbers agree exactly as decimals, patterns as a set of ids, values where given, names in any language; payments
    that are not given are zero."""
    if key == "patterns":
        return sorted(map(pattern_id, wanted)) == sorted(map(pattern_id, found))
    if key == "called":
        return wanted in (found, *(found or {}).values())
    if key == "values":
        return all(agrees("", number, (found or {}).get(name)) for name, number in wanted.items())
    if key == "payments" and isinstance(found, Mapping) and isinstance(wanted, Mapping):
        return wanted.keys() <= found.keys() and all(agrees("", wanted.get(seat, 0), found[seat]) for seat in found)
    if isinstance(wanted, int | float | Fraction) and isinstance(found, int | float):
        return abs(Fraction(str(float(wanted))) - Fraction(str(float(found)))) < Fraction(1, 10**9)
    return bool(wanted == found)


def pattern_id(pattern: Any) -> str:
    return str(pattern["id"]) if isinstance(pattern, Mapping) else str(pattern)


def found_as(key: str, found: Any) -> Any:
    """The found value in the shape in which it is expected."""
    return [pattern_id(p) for p in found or ()] if key == "patterns" else found


def shown(value: Any) -> str:
    if isinstance(value, Fraction):
        return show_number(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(shown, value)) + "]"
    return "nothing" if value is None else str(value)
