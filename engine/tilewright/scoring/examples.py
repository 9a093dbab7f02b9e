"""Examples: every example and case of a ruleset scored, and a problem for each with another result.

In: rules, or the lines of a case file. Out: problems; and of a ruleset the part that decides how its hands score, to be
compared with that of another one.
"""

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

from tilewright.base.memory import TheSame
from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.hands.listed import NEVER
from tilewright.hands.waits import best_discards
from tilewright.language.compiled.ir import Ir, Lookup, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset, Example, Pattern, Zone
from tilewright.language.documents.former import FormerNames
from tilewright.language.vocabulary import words
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError, bounded
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


# --- what decides how hands score

WITHOUT_EXPRESSIONS = ("tiles", "groups", "cases")
MOST_KNOWN = 512  # parts of rulesets
OF_READINGS = attrgetter(*sorted({one.name for one in fields(Pattern)} - {"examples", "place", "about"}))


@dataclass(frozen=True, eq=False)
class ScoredPart:
    """What decides the scores of hands, but for the most that a win pays (`paid`). `data`: of the ruleset; `patterns`:
    what is looked at of the patterns, if not all; `start`: the score of seats, which counts only where something asks
    for it."""

    data: CompiledRuleset
    patterns: tuple[Any, ...] = ()
    start: Ir | None = None
    paid: Ir | None = None

    def same_as(self, other: "ScoredPart") -> bool:
        """Whether hands score alike under both, as far as nothing else is paid."""
        alike = self.data == other.data and self.patterns == other.patterns
        return alike and (self.start == other.start or not self.asks_start)

    @cached_property
    def asks_start(self) -> bool:
        """Whether an expression asks for the score of a seat."""
        parts = (getattr(self.data, one.name) for one in fields(self.data) if one.name not in WITHOUT_EXPRESSIONS)
        return any(part_asks_score(TheSame((part,))) for part in (*parts, *self.patterns, self.paid))


def game_of(data: CompiledRuleset) -> CompiledRuleset:
    """A ruleset without its texts for readers."""
    unpublished = replace(data, id="", digest="", text_digest="", version="", license="", authors=())
    return replace(
        unpublished, about={}, mods=(), presets=(), left_out=(), options={}, former=FormerNames(), old_names=()
    )


def scoring_of(data: CompiledRuleset, cases: Set[str] | None = None) -> ScoredPart:
    """A ruleset without its texts for readers, its rules of play, and the cases of other documents than these."""
    hands = tuple(
        one
        for one in data.cases
        if "play" not in one.case and (cases is None or one.place is None or one.place.source.name in cases)
    )
    scoring = replace(data.scoring, pays_at_most=None)
    bare = replace(game_of(data), play=None, cases=hands, zones=scored_zones(data), scoring=scoring)
    return ScoredPart(bare, start=data.play.match.score if data.play else None, paid=data.scoring.pays_at_most)


def judged_by_engine(data: CompiledRuleset) -> ScoredPart:
    """What of a ruleset decides the best reading of a hand: terms are in the conditions that use them."""
    part = scoring_of(data)
    bare = replace(part.data, payments={}, payment_names={}, patterns=(), terms={}, cases=())
    return replace(part, data=bare, patterns=tuple(map(OF_READINGS, data.patterns)), paid=None)


def scored_zones(data: CompiledRuleset) -> Mapping[str, Zone]:
    """What hands look at of the zones: how much may lie there, and whether all see it where a hand says what does."""
    named = {zone for case in hands_in(data) for zone in zones_named(case)}
    seen = {zone.id for zone in data.zones.values() if zone.seen_by == "everyone"} & named
    return {id: Zone(id, one.of, "everyone" if id in seen else "", most=one.most) for id, one in data.zones.items()}


def hands_in(data: CompiledRuleset) -> Iterator[Mapping[str, object]]:
    """The examples of patterns, and the cases with a hand alone."""
    yield from (example.case for pattern in data.patterns for example in pattern.examples)
    yield from (one.case for one in data.cases if "play" not in one.case)


def zones_named(case: Mapping[str, object]) -> Iterator[str]:
    """The zones that a case says something of."""
    zones = case.get("zones")
    if isinstance(zones, Mapping):
        yield from map(str, zones)
    if "wall" in case:
        yield "wall"


def may_pay(case: Mapping[str, object]) -> bool:
    """Whether a case may say who won from whom, so that what a win pays is known (see `Situation.pays`)."""
    return "seat_wind" in case and ("discarder" in case or "self_draw" in case)


@lru_cache(maxsize=MOST_KNOWN)
def part_asks_score(part: TheSame) -> bool:
    """Whether a part of a ruleset has an expression that asks for the score of a seat, found once."""
    return asks_score(tuple(part))


def asks_score(part: object) -> bool:
    """The same of any data."""
    if isinstance(part, Lookup) and (part.kind, part.name) == ("word", words.score.name):
        return True
    if isinstance(part, tuple):
        return any(map(asks_score, part))
    if isinstance(part, Mapping):
        return any(map(asks_score, part.values()))
    return is_dataclass(part) and any(asks_score(getattr(part, one.name)) for one in fields(part))
