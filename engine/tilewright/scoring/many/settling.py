"""What counts: the patterns that hold in many readings in, those that count out.

Patterns that are dropped as a whole take a comparison; contests that only the plain way decides are decided once for
each combination of parts that matter."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.language.compiled.ir import Const
from tilewright.scoring.image.lookup import Memory
from tilewright.scoring.image.settling import bits_in, numbers_in
from tilewright.scoring.many.holding import Holding
from tilewright.scoring.many.rows import different, packed
from tilewright.scoring.plain.resolve import Counted
from tilewright.scoring.program.program import Candidate, Turn


class Outcomes:
    """What contests came to, by number; 0 is nothing."""

    def __init__(self) -> None:
        self.known = Memory()  # the number of an outcome by what decides it
        self.numbers: dict[Any, int] = {(): 0}
        self.counted: list[Sequence[Counted]] = [()]

    def number(self, counted: Sequence[Counted]) -> int:
        """The number of what counts."""
        number = self.numbers.setdefault(tuple(map(id, counted)), len(self.counted))
        if number == len(self.counted):
            self.counted.append(counted)
        return number


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

    def contest(self, turn: Turn, items: list[Array], counts: list[Array]) -> Array:
        """The outcome of a contest for each reading, by its number; 0 for nothing."""
        own, droppers = list(bits_in(turn.items)), list(bits_in(turn.droppers))
        lines = np.flatnonzero(np.logical_or.reduce([items[n] for n in own]))
        outcome = np.zeros(len(self.readings.hand), np.int64)
        if not len(lines):
            return outcome
        relevant = self.image.relevant(turn)
        held = np.stack([*(items[n][lines] for n in own), *(counts[n][lines] for n in droppers)])
        hand = self.readings.hand[lines]
        parts = np.concatenate([self.readings.parts[lines], self.readings.lying[hand]], axis=1)
        numbers = np.sort(relevant.of(parts), axis=1)
        columns = [*packed(held), self.hands.is_open[hand]]
        columns += [numbers[:, at] for at in range(numbers.shape[1]) if (numbers[:, at] >= 0).any()]
        first, kind = different([*columns, self.hands.class_of[self.hands.context_of[hand]]])
        found = []
        for at, key in zip(first, zip(*(column[first].tolist() for column in columns), strict=True), strict=True):
            line = int(lines[at])
            context = self.hands.contexts[int(self.hands.context_of[self.readings.hand[line]])]
            known = turn.items, key, context.class_key
            number: int | None = self.known.known.get(known)
            if number is None:
                bits = sum(1 << n for n in own if items[n][line]), sum(1 << n for n in droppers if counts[n][line])
                counted = self.engine.settling.contested(turn, *bits, self.readings.query(line))
                number = self.known.known.keep(known, self.known.number(counted))
            found.append(number)
        outcome[lines] = np.array(found)[kind]
        for n in own:
            id = self.program.items[n].pattern.id
            there = [number for number in set(found) if any(one.pattern.id == id for one in self.known.counted[number])]
            counts[n] = items[n] & np.isin(outcome, there)
        return outcome
