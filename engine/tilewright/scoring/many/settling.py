"""What counts: the patterns that hold in many readings in, those that count out.

Patterns that are dropped as a whole take a comparison; other contests are decided once for each combination of parts
that matter."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.language.compiled.ir import Const
from tilewright.scoring.image.context import Context
from tilewright.scoring.image.engine import Engine
from tilewright.scoring.image.lookup import Memory
from tilewright.scoring.image.settling import Rivals, Settling, bits_in, numbers_in
from tilewright.scoring.many.holding import Holding
from tilewright.scoring.many.rows import different, packed
from tilewright.scoring.plain.resolve import Counted
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.program.program import Candidate, Turn


class Outcomes:
    """What contests came to, by number; 0 is nothing. `order`: of parts; `wants`: what matters of them, by rivals."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {(): 0}
        self.counted: list[Sequence[Counted]] = [()]
        self.order, self.wants = PartOrder(), Memory()

    def number(self, counted: Sequence[Counted]) -> int:
        """The number of what counts."""
        number = self.numbers.setdefault(tuple(map(id, counted)), len(self.counted))
        if number == len(self.counted):
            self.counted.append(counted)
        return number

    def wants_of(self, rivals: Rivals) -> "RivalWants":
        """What matters to rivals of each part."""
        known: RivalWants | None = self.wants.get(rivals)
        return known if known is not None else self.wants.keep(rivals, RivalWants(rivals))


class PartOrder:
    """The order of parts in a reading. `ranks`: by number of a part; `ranked`: the numbers by rank."""

    def __init__(self) -> None:
        self.ranks, self.ranked = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def sorted(self, parts: Array, engine: Engine) -> Array:
        """Each row of parts in this order; -1, for none, stays last."""
        known = engine.layout.parts
        if len(self.ranks) <= len(known):
            order = sorted(range(len(known)), key=lambda n: (engine.part_order(n), not known[n].part.completed))
            self.ranked = np.array([*order, -1])
            self.ranks = np.append(np.argsort(order), len(known))
        rows: Array = self.ranked[np.sort(self.ranks[parts], axis=1)]
        return rows


class RivalWants:
    """What matters to rivals of each part, as a number; 0 for nothing."""

    def __init__(self, rivals: Rivals) -> None:
        self.asked = rivals.wants
        self.numbers = {} if rivals.whole else {0: 0}
        self.known: dict[Any, Array] = {}

    def of_parts(self, settling: Settling, context: Context) -> Array:
        """The numbers of all parts at such a table; the last, -1, is no part."""
        count, key = len(settling.program.layout.parts), context.class_key
        if key not in self.known or len(self.known[key]) <= count:
            met = settling.places.met_by_parts(context)
            wants = [self.numbers.setdefault(met[part] & self.asked, len(self.numbers) + 1) for part in range(count)]
            self.known[key] = np.array([*wants, 0])
        return self.known[key]


class ManySettled:
    """What counts in some readings: the truth of each item, the number of the outcome of each contest that the plain
    way decides, and the answers about numbers (`asked`)."""

    def __init__(self, holding: Holding, outcomes: Outcomes) -> None:
        self.holding, self.known = holding, outcomes
        self.readings, self.hands, self.image = holding.readings, holding.hands, holding.image
        self.program, self.engine = self.image.program, self.image.engine
        self.asked: dict[int, Array] = {}
        self.counts, self.outcomes = self.settle(holding.items)

    def settle(self, items: list[Array]) -> tuple[list[Array], list[Array]]:
        """Which items count, the outcome of each contest that the plain way decides, and the answers about numbers of
        patterns that count."""
        size = len(self.readings.hand)
        nothing = np.zeros(size, bool)
        counts = [nothing] * len(items)
        outcomes: list[Array] = []
        is_open = self.hands.is_open[self.readings.hand]
        for turn in self.program.turns:
            if turn.ranked is None:
                outcomes.append(self.contest(turn, items, counts))
                continue
            for shown, ranking in self.rankings(turn, is_open):
                taken = nothing
                for candidate in ranking:
                    numbers = list(bits_in(candidate.items))
                    keep = np.logical_or.reduce([items[n] for n in numbers]) & ~taken
                    keep = keep if shown is None else keep & shown
                    for n in bits_in(candidate.droppers):
                        keep = np.greater(keep, counts[n])
                    keep = self.worth_something(candidate, keep, is_open)
                    taken = taken | keep
                    for n in numbers:
                        counts[n] = counts[n] | (items[n] & keep)
        return counts, outcomes

    def rankings(self, turn: Turn, is_open: Array) -> Iterator[tuple[Array | None, Sequence[Candidate]]]:
        """The candidates of a contest best first, with the readings for which they are in this order; None: all."""
        assert turn.ranked is not None
        closed, opened = turn.ranked
        if closed == opened:
            yield None, closed
        else:
            yield from ((~is_open, closed), (is_open, opened))

    def worth_something(self, candidate: Candidate, keep: Array, is_open: Array) -> Array:
        """The readings in which a pattern counts: where it is not counted zero times, or worth nothing in the open."""
        pattern = candidate.pattern
        if pattern.each is None and pattern.exposed is not None:
            worths = [ir.value for ir in pattern.exposed.values() if isinstance(ir, Const)]
            if len(worths) == len(pattern.exposed) and not any(worths):
                keep = keep & ~is_open
        settling = self.engine.settling
        asked = [ir for ir in numbers_in(pattern) if not isinstance(ir, Const)]
        for ir, (of_table, number) in zip(asked, settling.numbers[pattern.id], strict=True):
            lines = np.flatnonzero(keep)
            if not len(lines):
                return keep
            if of_table:
                answers = np.array([one.answers[number] != 0 for one in self.hands.contexts])[
                    self.hands.context_of[self.readings.hand[lines]]
                ]
            else:
                answers = self.holding.answer(number, lines)
                known = self.asked.setdefault(number, np.zeros(len(self.readings.hand), np.int64))
                known[lines] = answers
            if ir == pattern.times:
                keep = keep.copy()
                keep[lines] &= answers != 0
        return keep

    # --- contests

    def contest(self, turn: Turn, items: list[Array], counts: list[Array]) -> Array:
        """The outcome of a contest for each reading, by its number; 0 for nothing."""
        own, droppers = list(bits_in(turn.items)), list(bits_in(turn.droppers))
        outcome = np.zeros(len(self.readings.hand), np.int64)
        lines = np.flatnonzero(np.logical_or.reduce([items[n] for n in own]))
        if not len(lines):
            return outcome
        held = np.stack([*(items[n][lines] for n in own), *(counts[n][lines] for n in droppers)])
        first, kind = different(packed(held))
        for number, at in enumerate(first.tolist()):
            there = [1 << n for n, holds in zip([*own, *droppers], held[:, at].tolist(), strict=True) if holds]
            alike = lines[kind == number]
            outcome[alike] = self.decided(turn, sum(there) & turn.items, sum(there) & turn.droppers, alike)
        made = {number: {one.pattern.id for one in self.known.counted[number]} for number in set(outcome.tolist())}
        for n in own:
            id = self.program.items[n].pattern.id
            counts[n] = items[n] & np.isin(outcome, [number for number, ids in made.items() if id in ids])
        return outcome

    def decided(self, turn: Turn, own: int, droppers: int, lines: Array) -> Array:
        """The outcomes of readings in which the same items hold; hands that only the plain way decides are scored by
        themselves."""
        settling, hand = self.engine.settling, self.readings.hand[lines]
        rivals = settling.rivals(own, droppers)
        if rivals.places is None:
            self.hands.alone[hand] = True
            return np.zeros(len(lines), np.int64)
        known = self.known.wants_of(rivals)
        wants = np.stack([known.of_parts(settling, context) for context in self.hands.class_contexts])
        parts = in_front(wants[self.hands.class_of[self.hands.context_of[hand]][:, None], self.parts[lines]])
        shown = self.hands.is_open[hand] & rivals.differs
        first, kind = different([shown, *(parts[:, at] for at in np.flatnonzero(parts.any(axis=0)))])
        made = [settling.contested(turn, own, droppers, PartsQuery(self, int(line))) for line in lines[first]]
        return np.array([self.known.number(counted) for counted in made])[kind]

    @cached_property
    def parts(self) -> Array:
        """The numbers of the parts of each reading, in its order: (readings, parts), -1 for none."""
        own = self.known.order.sorted(self.readings.parts, self.engine)
        return np.concatenate([self.readings.lying[self.readings.hand], own], axis=1)


class PartsQuery:
    """A reading of a chunk, queried for its parts."""

    def __init__(self, settled: ManySettled, line: int) -> None:
        self.readings, self.line, self.facts = settled.readings, line, 0
        self.parts = [number for number in settled.parts[line].tolist() if number >= 0]
        self.context = settled.hands.contexts[int(settled.hands.context_of[self.readings.hand[line]])]

    def answer(self, question: int) -> Any:
        """The answer to a question."""
        return self.readings.query(self.line).answer(question)

    @property
    def scene(self) -> HandScene:
        return self.readings.query(self.line).scene


def in_front(numbers: Array) -> Array:
    """Every row with what is not 0 first, in its order."""
    rows: Array = np.take_along_axis(numbers, np.argsort(numbers == 0, axis=1, kind="stable"), axis=1)
    return rows
