"""One hand worked out by the engine: its patterns with their worth, and what everyone gains or pays for it.

The hand is an example of the ruleset: the one that shows the most patterns, up to a number that one can follow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.compiled.ruleset import Example
from tilewright.rulebook.sections.examples import pictured
from tilewright.rulebook.sections.hands import MOST_TRIED, as_case
from tilewright.rulebook.sentences.words import sentence
from tilewright.rulebook.writing.blocks import BookBlock
from tilewright.rulebook.writing.teller import Teller
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.score import PatternScore, Score, show_number

MOST_PATTERNS = 5  # more are hard to follow


@dataclass(frozen=True, slots=True)
class WorkedHand:
    """An example with its score."""

    example: Example
    score: Score


def worked_hand(teller: Teller) -> WorkedHand | None:
    """The example that shows how worths are added; None if the ruleset has none that wins."""
    best: tuple[int, WorkedHand] | None = None
    examples = [one for pattern in teller.data.patterns for one in pattern.examples if one.yes]
    for example in examples[:MOST_TRIED]:
        score = scored(teller, as_case(example))
        if score is None or not score.win or pictured(teller, example) is None:
            continue
        shown = -1 if len(score.patterns) > MOST_PATTERNS else len(score.patterns)
        if best is None or shown > best[0]:
            best = shown, WorkedHand(example, score)
    return best[1] if best else None


def scored(teller: Teller, case: Mapping[str, Any]) -> Score | None:
    """The score of a case; None if there is no such hand."""
    try:
        return teller.rules.score_case(case)
    except CaseError:
        return None


def worked(teller: Teller, hand: WorkedHand) -> Iterator[BookBlock]:
    """The hand, its patterns in a bill, and what it comes to in every measure."""
    picture = pictured(teller, hand.example)
    assert picture is not None
    yield teller.heading("worked")
    yield replace(picture, yes=None)
    score = hand.score
    rows = [(pattern_name(teller, one), worth(teller, one.measure or score.unit, one.worth)) for one in score.patterns]
    measures = [one for one in teller.data.scoring.measures if not one.inner and score.values.get(one.id)]
    rows += [
        (sentence(teller.say.measure(one.id), ""), show_number(score.values[one.id]))
        for one in measures
        if one.id != score.unit
    ]
    total = worth(teller, score.unit, score.total)
    called = teller.say.named("", score.called) if score.called else ""
    rows.append((teller.within("total_row"), total + teller.within("brackets", text=called) if called else total))
    head = tuple(sentence(teller.within(key), "") for key in ("pattern_head", "worth_head"))
    yield BookBlock("table", head=head, rows=tuple(rows))


def pattern_name(teller: Teller, pattern: PatternScore) -> str:
    name = teller.say.named(pattern.id, pattern.names)
    return name if pattern.times == 1 else teller.within("times_of", name=name, count=show_number(pattern.times))


def worth(teller: Teller, measure: str, number: Any) -> str:
    return teller.within("worth", number=show_number(number), measure=teller.say.unit(measure, number))


def won_from(teller: Teller, hand: WorkedHand) -> Iterator[BookBlock]:
    """What each player gains for the worked hand, by who wins it from whom."""
    seats, names = seat_names(teller.data)[: teller.data.seats.count], teller.seat_names()
    rows = []
    for winner, discarder in cases(len(seats)):
        case = {key: value for key, value in as_case(hand.example).items() if key not in ("self_draw", "discarder")}
        how = {"self_draw": True} if discarder is None else {"discarder": seats[discarder]}
        score = scored(teller, {**case, "seat_wind": seats[winner], **how})
        if score is None or not score.win or not score.payments:
            continue
        key = "case_draw" if discarder is None else "case_discard"
        from_whom = {} if discarder is None else {"seat": names[discarder]}
        gains = tuple(signed(score.payments.get(seat, 0)) for seat in seats)
        label = sentence(teller.within(key, winner=names[winner], **from_whom), "")
        rows.append((label, worth(teller, score.unit, score.total), *gains))
    if rows:
        yield teller.heading("won_from")
        head = (sentence(teller.within("case_head"), ""), sentence(teller.within("worth_head"), ""), *names)
        yield BookBlock("table", head=head, rows=tuple(rows))


def cases(seats: int) -> Iterator[tuple[int, int | None]]:
    """Winner and discarder (None: self-drawn): a player who does not deal, then the dealer."""
    yield 1, None
    if seats > 2:
        yield 1, 2
    yield 1, 0
    yield 0, None
    yield 0, 1


def signed(number: Any) -> str:
    shown = show_number(abs(number))
    return f"+{shown}" if number > 0 else f"−{shown}" if number < 0 else shown
