"""Tables as columns: the splits of a block as arrays that many hands are looked up in at once.

In: a table of a block. Out: for counts of tiles the rows of their splits, and for each row the slots that it fills, its
counters and its parts; what a part gains by the winning tile. Knows no patterns.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.image.context import Context
from tilewright.scoring.image.lookup import CaseLookup
from tilewright.scoring.image.making import table_of
from tilewright.scoring.image.tables import BlockTable, Vector, radix_of

if TYPE_CHECKING:
    from tilewright.scoring.image.engine import Engine

MOST_DENSE = 5_000_000  # entries of an array that has a place for all counts
WORD = (1 << 64) - 1
UNKNOWN = -2


class Counters:
    """The counters of parts as 64-bit words: `still` words, and `moves` words of those that the table decides."""

    def __init__(self, engine: "Engine") -> None:
        self.engine, program = engine, engine.program
        self.still, self.moves = program.moving_at // 64, (program.counters - program.moving_at) // 64

    def still_of(self, parts: Sequence[int]) -> Array:
        """A row of words for each part."""
        return words_of([self.engine.layout.row(part) for part in parts], self.still)

    def moving_of(self, parts: Sequence[int], context: Context) -> Array:
        """The same of those that move, at a table like that of the context."""
        at, moved = self.engine.program.moving_at, self.engine.contexts.moved
        return words_of([moved(context, part) >> at for part in parts], self.moves)


class PartWords:
    """The counters of parts but those that move, by the number of a part, as (words, parts); -1 has none."""

    def __init__(self, counters: Counters) -> None:
        self.counters = counters
        self.words = np.zeros((counters.still, 1), np.uint64)

    def of(self, parts: Array) -> Array:
        """The words of some parts."""
        known = self.words.shape[1] - 1
        if parts.max(initial=-1) >= known:
            more = self.counters.still_of(range(known, len(self.counters.engine.layout.parts))).T
            self.words = np.concatenate([self.words[:, :-1], more, np.zeros((len(self.words), 1), np.uint64)], axis=1)
        return self.words[:, parts]


class CompletedParts:
    """The number of a part as a tile completes it, by a key of both; -1 where the tile is not in it."""

    def __init__(self, engine: "Engine") -> None:
        self.engine = engine
        self.known = np.full(1, -1, np.int32)

    def of(self, keys: Array) -> Array:
        """The numbers for keys: `(part * tiles + tile) * 2`, one more where the part is then exposed; -1 stays."""
        most = int(keys.max(initial=-1)) + 1
        if most >= len(self.known):
            unknown = np.full(2 * most + 2 - len(self.known), UNKNOWN, np.int32)
            self.known = np.concatenate([self.known[:-1], unknown, np.full(1, -1, np.int32)])
        found = self.known[keys]
        missing = np.unique(keys[found == UNKNOWN])
        if len(missing):
            tiles = len(self.engine.plain_tiles)
            for key in missing.tolist():
                part, tile = divmod(key // 2, tiles)
                done = self.engine.completed(part, tile, bool(key & 1))
                self.known[key] = -1 if done is None else done[0]
            found = self.known[keys]
        return found


def words_of(numbers: Sequence[int], words: int) -> Array:
    """Large numbers as rows of 64-bit words."""
    rows = [[number >> 64 * word & WORD for word in range(words)] for number in numbers]
    return np.array(rows, np.uint64).reshape(len(rows), words)


class TableColumns:
    """The splits of one table: `slots` filled in each row, the numbers of its `parts` (-1 after the last)."""

    def __init__(self, table: BlockTable) -> None:
        self.table, arrays = table, table.arrays
        self.tiles = list(table.block.tiles)
        self.radix = radix_of(table.block.copies)
        self.keys, self.starts, self.slots = arrays["keys"], arrays["starts"], arrays["used"].astype(np.int16)
        numbers = np.array([*table.numbers, -1], np.int32)
        self.parts = numbers[arrays["chosen"]]
        self._counters: Array | None = None
        self.empty = prod(count + 1 for count in table.block.copies)

    def counters(self, rows: Counters) -> Array:
        """The counters of each row, but those that move, a word after the other: (words, rows)."""
        if self._counters is None:
            known = np.zeros((max(self.table.numbers, default=-1) + 2, rows.still), np.uint64)
            known[self.table.numbers] = rows.still_of(self.table.numbers)
            self._counters = np.zeros((rows.still, len(self.parts)), np.uint64)
            for at in range(self.parts.shape[1]):
                self._counters += known[self.parts[:, at]].T
        return self._counters

    @cached_property
    def dense(self) -> Array | None:
        """For every number of counts one more than its place among the keys, 0 where it has none; the same array for
        blocks that are alike."""
        table = self.table
        if self.empty > MOST_DENSE:
            return None
        return dense_of(table.block.copies, table.options, table.limits, table.different)

    def rows(self, counts: Array) -> tuple[Array, Array]:
        """The first row of each hand's splits, and how many there are."""
        numbers = np.zeros(counts.shape[1], np.int32 if self.empty < MOST_DENSE else np.int64)
        for tile, step in zip(self.tiles, self.radix, strict=True):
            numbers += counts[tile] * step
        if self.dense is not None:
            places = self.dense[numbers] - 1
        else:
            places = np.minimum(np.searchsorted(self.keys, numbers), len(self.keys) - 1)
            places = np.where(self.keys[places] == numbers, places, -1)
        first = self.starts[places]
        return first, np.where(places >= 0, self.starts[places + 1] - first, 0)


@lru_cache(maxsize=16)
def dense_of(
    copies: Vector, options: tuple[tuple[Vector, ...], ...], limits: tuple[int, ...], different: tuple[bool, ...]
) -> Array:
    """The place of every number of counts among the keys of a table, from 1 on; 0 where it has none."""
    keys = table_of(copies, options, limits, different)["keys"]
    places = np.zeros(prod(count + 1 for count in copies), np.int32)
    places[keys] = np.arange(1, len(keys) + 1)
    return places


class LookupColumns:
    """One case of a form for many hands. `fixed`: how many of each plain tile its fixed parts take; `slot_of`: for each
    group the slot that it fills as a meld, -1 for none, -2 where there are several."""

    def __init__(self, engine: "Engine", lookup: CaseLookup, tables: Mapping[int, TableColumns]) -> None:
        self.engine, self.lookup = engine, lookup
        self.tables = [tables[id(table)] for table in lookup.tables]
        kinds = len(engine.plain_tiles)
        self.fixed = np.zeros(kinds, np.int32)
        for tile, number in lookup.case.fixed_tiles.items():
            self.fixed[tile] = number
        slots = lookup.case.slots
        self.target = np.array([slot.count for slot in slots], np.int16)
        self.slot_of = np.full(len(engine.data.groups.groups) + 1, -1, np.int16)
        for number, slot in enumerate(slots):
            for group in slot.groups | slot.meld_groups:
                self.slot_of[group] = number if self.slot_of[group] == -1 else -2
        self.parts = np.array(lookup.fixed, np.int32)

    def targets(self, melds: Array, exposed: Array) -> tuple[Array, Array]:
        """What the tiles of each hand have to fill, and which hands may be this case."""
        targets = np.broadcast_to(self.target, (len(melds), len(self.target)))
        may = np.ones(len(melds), bool)
        if not (melds >= 0).any():
            return targets, may
        targets = targets.copy()
        for at in range(melds.shape[1]):
            there = np.flatnonzero(melds[:, at] >= 0)
            slots = self.slot_of[melds[there, at]]
            may[there[slots < 0]] = False
            fits = slots >= 0
            targets[there[fits], slots[fits]] -= 1
        if self.lookup.case.concealed:
            may &= ~(exposed & (melds >= 0)).any(axis=1)
        return targets, may & (targets >= 0).all(axis=1)

    def lines(self, counts: Array, melds: Array, exposed: Array) -> tuple[Array, Array]:
        """The ways to use hands up, given by (tiles, hands): the hand of each, and the row of its split in each
        table."""
        hands = np.arange(counts.shape[1])
        for tile, least in self.lookup.case.fixed_tiles.items():
            hands = hands[counts[tile, hands] >= least]
        targets, may = self.targets(melds[hands], exposed[hands])
        left = counts
        if len(hands) < counts.shape[1] or not may.all():
            hands, targets = hands[may], targets[may]
            left = counts[:, hands]
        if self.lookup.key:
            left = left - self.fixed[:, None]
        firsts, numbers = [], []
        for table in self.tables:
            first, number = table.rows(left)
            firsts.append(first)
            numbers.append(number)
        ways = np.prod(np.stack(numbers), axis=0) if numbers else np.ones(len(hands), np.int64)
        at = np.repeat(np.arange(len(hands)), ways)
        rest = np.arange(len(at)) - np.repeat(np.cumsum(ways) - ways, ways)
        rows = np.zeros((len(self.tables), len(at)), np.int64)
        filled = np.zeros((len(at), len(self.target)), np.int16)
        for block, table in enumerate(self.tables):
            rows[block] = firsts[block][at] + rest % numbers[block][at]
            rest //= np.maximum(numbers[block][at], 1)
            filled += table.slots[rows[block]]
        whole = (filled == targets[at]).all(axis=1)
        return hands[at[whole]], rows[:, whole]
