"""Scores: the verdict on a hand in, its score out, with its reading, what it pays, or why it does not win."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from tilewright.base.memory import Remembered, kept
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.case_mistakes import CaseError, bounded
from tilewright.scoring.explain import ENGLISH, said, shortfall_text, shortfall_texts
from tilewright.scoring.nearest import cards_of, why_not
from tilewright.scoring.payments import WinPayments, gains
from tilewright.scoring.plain.judge import PlainJudge, Values, Verdict, called
from tilewright.scoring.plain.resolve import Counted
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.program.measures import is_static, measuring
from tilewright.scoring.score import Details, Number, PatternScore, Score
from tilewright.tiles.notation import write_group

Outline = tuple[bool, Number, str, Mapping[str, Number], tuple[PatternScore, ...], str | None]  # Score but `tell`
BY_SEATS: frozenset[ToldBy] = frozenset({"arguments", "seats"})
LOST = said("lost")[ENGLISH]
MOST_KNOWN = 10_000  # scores that are kept in outline


class Scores:
    """The scores of verdicts under one ruleset."""

    def __init__(self, judge: PlainJudge) -> None:
        self.judge, self.data = judge, judge.data

    def no_score(self, situation: Situation) -> Score:
        """The score of a hand without a reading."""
        size, sizes = self.judge.size(situation.hand), self.judge.known_sizes
        reasons = said("no_form" if situation.won else "lost")
        if situation.won and sizes and size not in sizes:
            reasons = said("because", what=reasons, why=said("size", told=size_told(size, sizes)))
        elif situation.won and cards_of(self.judge) and (why := why_not(self.judge, situation.hand)):
            reasons = said("because", what=reasons, why=why)
        values = {} if situation.won else self.judge.lost(situation, known=False)
        tell = partial(Details, reasons=reasons)
        return Score(False, 0, self.data.scoring.best, values, reason=reasons[ENGLISH], tell=tell)

    def told(self, situation: Situation, verdict: Verdict, scene: Callable[[], HandScene]) -> Score:
        """The score of a verdict; `scene` gives its reading."""
        known = self.told_before.get(id(verdict))
        if known is None:
            known = kept(self.told_before, id(verdict), (verdict, self.outline(situation, verdict)), MOST_KNOWN)
        return Score(*known[1], partial(self.details, situation, verdict, scene))

    @cached_property
    def told_before(self) -> dict[int, tuple[Verdict, Outline]]:
        """Outlines by the identity of their verdicts, which the engine shares between hands."""
        return {}

    def outline(self, situation: Situation, verdict: Verdict) -> Outline:
        """The score without its details."""
        short = shortfall_text(verdict.short) if situation.won else LOST
        total = verdict.values[self.data.scoring.best] if not short or not situation.won else 0
        return (
            not short,
            total,
            self.data.scoring.best,
            verdict.values,
            tuple(map(self.pattern_score, verdict.counted)),
            short or None,
        )

    def pattern_score(self, counted: Counted) -> PatternScore:
        """The counted patterns for the score; the engine shares them between hands."""
        known = self.patterns_told.get(id(counted))
        if known is None:
            known = kept(self.patterns_told, id(counted), (counted, self.pattern_told(counted)), MOST_KNOWN)
        return known[1]

    @cached_property
    def patterns_told(self) -> dict[int, tuple[Counted, PatternScore]]:
        """The counted patterns for scores, by identity."""
        return {}

    def pattern_told(self, counted: Counted) -> PatternScore:
        """Worth in the measure of the total if it has one there, else in its first."""
        worth, name = counted.worth, counted.pattern.name
        measure = self.data.scoring.best if self.data.scoring.best in worth else next(iter(worth), "")
        return PatternScore(
            counted.pattern.id,
            name.get("en") or next(iter(name.values()), counted.pattern.id),
            worth.get(measure, 0),
            counted.times,
            name,
            measure,
        )

    def details(self, situation: Situation, verdict: Verdict, tell: Callable[[], HandScene]) -> Details:
        """The reading, the payments and the name of the amount."""
        scene = tell()
        assert scene.reading is not None
        paid = self.paid(situation, verdict.values) if verdict.short is None else None
        line = scene.line(scene.reading.form)
        reading = tuple([self.group_text(part.tiles) for part in scene.reading.parts])
        name = called(self.data, verdict.values) if verdict.short is None and situation.won else {}
        short = {} if verdict.short is None else shortfall_texts(verdict.short, self.data)
        reasons = short if situation.won else said("lost")
        if line is None:
            return Details(reading, scene.reading.form, paid, called=name, reasons=reasons)
        return Details(reading, scene.reading.form, paid, line.text, line.group, name, reasons)

    def group_text(self, tiles: tuple[int, ...]) -> str:
        """A group as text, written once."""
        if tiles not in self.group_texts:
            self.group_texts[tiles] = write_group(tiles, self.data.tiles)
        return self.group_texts[tiles]

    @cached_property
    def group_texts(self) -> dict[tuple[int, ...], str]:
        """The groups that were written, by their tiles."""
        return {}

    # --- what is paid

    def paid(self, situation: Situation, values: Values) -> dict[str, Number] | None:
        """Seat -> gain, by the payments for a win; None where the situation does not say enough for them."""
        if situation.pays:
            with suppress(CaseError):
                return self.pay(situation, values)
        return None

    def pay(self, situation: Situation, values: Values) -> dict[str, Number]:
        """Seat -> gain, by the payments for a win; remembered where tables and measures decide it. Raises CaseError."""
        key = table, alone, *_ = self.paid_key(situation, values)
        paid = self.paid_before.get(key)
        if paid is None:
            known = Remembered(partial(self.values_of_loser, situation), {situation.seat: values})
            with bounded():
                made = gains(self.payments.due(situation, table, known), self.data.seats.count)
            paid = {self.seat_names[seat]: gain for seat, gain in made.items()}
            decided = table is not None and not self.payments.asked.walked
            if decided and (len(known) == 1 or (alone and self.measured_by_seats)):
                kept(self.paid_before, key, paid, MOST_KNOWN)
        return paid

    def pays_alike(self, situation: Situation, values: Mapping[str, Number]) -> bool:
        """Whether all hands at such a table with these measures are paid as this one, which was paid just now."""
        return not self.payments.asked.questions and self.paid_key(situation, values) in self.paid_before

    def paid_key(self, situation: Situation, values: Mapping[str, Number]) -> Any:
        """What decides the payments, if tables and measures do."""
        measures = map(values.get, self.payments.asked.measures)
        return self.payments.key(situation), not situation.others, *measures

    @cached_property
    def paid_before(self) -> dict[Any, Any]:
        """Gains by table and measures."""
        return {}

    @cached_property
    def measured_by_seats(self) -> bool:
        """Only the seats decide what a hand of nothing measures."""
        return all(is_static(ir, BY_SEATS) for ir in measuring(self.data))

    @cached_property
    def payments(self) -> WinPayments:
        """What is paid for wins."""
        return WinPayments(self.judge)

    @cached_property
    def seat_names(self) -> tuple[str, ...]:
        """The name of each seat, the dealer first; last that of the pot."""
        return seat_names(self.data)

    def values_of_loser(self, situation: Situation, seat: int) -> Values:
        """The measures of a seat that did not win; what a hand of nothing measures where the case does not tell it."""
        hand = situation.others.get(seat)
        there = replace(situation, hand=hand or situation.hand, won=False, seat=seat, others={})
        return self.judge.lost(there, known=hand is not None)


def size_told(size: int, sizes: frozenset[int]) -> str:
    """The size of a hand, and how many tiles too many or too few for the nearest size."""
    full = min(sizes, key=lambda one: (abs(one - size), one))
    apart = f"{abs(size - full)} too {'many' if size > full else 'few'}"
    return f"it has {size} tiles, not {' or '.join(map(str, sorted(sizes)))} ({apart})"
