"""Readings of many hands: the hands of a chunk in, every reading of each out, in arrays. Knows no patterns."""

from functools import cached_property

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.image.query import HandQuery, ReadingOfHand
from tilewright.scoring.many.columns import LookupColumns
from tilewright.scoring.many.hands import ManyHands


class ManyReadings:
    """Every reading of some hands, hand by hand and form by form: its `hand`, its `form`, its counters as `words`
    (words, readings) and those that the table decides (`moving`), and the numbers of its parts from the hand."""

    def __init__(self, hands: ManyHands) -> None:
        self.hands, self.image, self.engine, self.batch = hands, hands.image, hands.engine, hands.batch
        self.shown = self.engine.exposes & ~self.batch.self_draw
        self.read()

    def __len__(self) -> int:
        return len(self.hand)

    def read(self) -> None:
        """Every reading: its hand, form, counters as words, and parts."""
        found = []
        for lookup in self.image.lookups:
            hands, rows = lookup.lines(self.hands.known, self.batch.melds, self.batch.exposed)
            if len(hands):
                found.append(self.completed(lookup, hands, rows))
        width = max((parts.shape[1] for _, _, parts, _ in found), default=0)
        hand = np.concatenate([np.zeros(0, np.int64), *(hand for hand, _, _, _ in found)])
        order = np.argsort(hand, kind="stable")
        self.hand = hand[order]
        self.form = np.concatenate([np.zeros(0, np.int64), *(form for _, _, _, form in found)])[order]
        words = self.image.counters.still
        self.words = np.concatenate([np.zeros((words, 0), np.uint64), *(words for _, words, _, _ in found)], axis=1)[
            :, order
        ]
        wide = [np.pad(p, ((0, 0), (0, width - p.shape[1])), constant_values=-1) for _, _, p, _ in found]
        self.parts = np.concatenate([np.zeros((0, width), np.int32), *wide])[order]
        self.moving = self.moving_words()

    def completed(self, lookup: LookupColumns, hands: Array, rows: Array) -> tuple[Array, Array, Array, Array]:
        """Each way to use a hand up, once for each part that the winning tile may be in: hand, words, parts, form."""
        counters = self.image.counters
        words = np.repeat(
            counters.still_of(lookup.lookup.fixed).sum(axis=0, dtype=np.uint64)[:, None], len(hands), axis=1
        )
        for table, row in zip(lookup.tables, rows, strict=True):
            words += table.counters(counters)[:, row]
        fixed = np.broadcast_to(lookup.parts, (len(hands), len(lookup.parts)))
        blocks = [table.parts[row] for table, row in zip(lookup.tables, rows, strict=True)]
        parts = np.concatenate([fixed, *blocks], axis=1)
        parts = parts[:, np.any(parts >= 0, axis=0)]
        line, at, done, gain = self.done(parts, self.hands.win[hands], self.shown[hands])
        chosen = parts[line]
        chosen[np.arange(len(line)), at] = done
        hands = hands[line]
        words = words[:, line] + gain + self.lying_words[:, hands]
        return hands, words, chosen, np.full(len(hands), lookup.lookup.case.form)

    def done(self, parts: Array, win: Array, shown: Array) -> tuple[Array, Array, Array, Array]:
        """Where the winning tile may be, alike parts once: the line, the place in it, the part that it completes there,
        and what the counters gain."""
        keys = (parts.astype(np.int64) * len(self.image.plain_of) + win[:, None]) * 2 + shown[:, None]
        done = self.image.completed.of(np.where(parts < 0, -1, keys))
        for at in range(1, parts.shape[1]):
            done[:, at] = np.where((parts[:, :at] != parts[:, at, None]).all(axis=1), done[:, at], -1)
        line, place = np.nonzero(done >= 0)
        after, before = done[line, place], parts[line, place]
        return line, place, after, self.image.words.of(after) - self.image.words.of(before)  # a loss wraps around

    @cached_property
    def lying(self) -> Array:
        """The numbers of the melds' parts."""
        numbers: Array = self.image.meld_parts[self.batch.melds, self.batch.exposed.astype(np.int8)]
        return numbers

    @cached_property
    def lying_words(self) -> Array:
        """The counters of the melds of each hand, but those that move."""
        words = np.zeros((self.image.counters.still, len(self.lying)), np.uint64)
        for at in range(self.lying.shape[1]):
            words += self.image.words.of(self.lying[:, at])
        return words

    def moving_words(self) -> Array:
        """The counters that the table decides."""
        counters, words = self.image.counters, np.zeros((self.image.counters.moves, len(self.hand)), np.uint64)
        if not counters.moves:
            return words
        parts = np.concatenate([self.parts, self.lying[self.hand]], axis=1)
        used = np.unique(parts)
        used = used[used >= 0].tolist()
        rows = np.zeros((len(self.hands.class_contexts), max(used, default=-1) + 2, counters.moves), np.uint64)
        for number, context in enumerate(self.hands.class_contexts):
            rows[number, used] = counters.moving_of(used, context)
        kind = self.hands.class_of[self.hands.context_of[self.hand]]
        for at in range(parts.shape[1]):
            words += rows[kind, parts[:, at]].T
        return words

    def query(self, line: int) -> ReadingOfHand:
        """One reading, for the plain way."""
        engine = self.engine
        situation = self.hands.situation(int(self.hand[line]))
        hand = HandQuery(engine, situation, 0, engine.tables)
        words = [*self.words[:, line].tolist(), *self.moving[:, line].tolist()]
        parts = tuple([number for number in self.parts[line].tolist() if number >= 0])
        waits = [wait for number in parts if (wait := engine.layout.parts[number].wait) is not None]
        reading = ReadingOfHand(hand, int(self.form[line]), 0, parts, waits[0] if waits else None)
        reading.facts = engine.program.compared(sum(word << 64 * at for at, word in enumerate(words)))
        return reading
