"""Sums: what a hand needs for the slots of a case, from the tables of its blocks. Removing a tile costs one lookup.

Answers as `tilewright.hands.needs` does, or not at all.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import TypeVar

from tilewright.hands.blocks import MOST_KEPT, NO_TILES, Chance, Counts, Free, TileBlock, space_of
from tilewright.hands.listed import NEVER
from tilewright.hands.needs import CaseNeeds, FlatChoice

MOST_STATES = 120  # of a table
FEW = 4  # tiles of a part that is put into one block with others
MOST_TILES = 12  # of a block of several parts
MOST_TRACKED = 2  # tiles of a block that are scarce
MOST_PLACES = 300  # of melds, for which rows are kept
MOST_BLOCKS = 2_000
Anything = TypeVar("Anything")


class CaseTables:
    """The blocks of one case, with their caches."""

    def __init__(self, case: CaseNeeds) -> None:
        self.case = case
        self.limits = tuple(slot.count for slot in case.slots)
        columns = (*case.columns, *case.wild_tiles)
        width = 1 + max((case.wild.copies[tile] for tile in columns), default=0)
        sorts = len(case.wild_tiles)
        self.blocks = [block_of(tiles, choices, width, sorts) for tiles, choices in blocks_of(list(case.choices()))]
        self.where = {tile: number for number, block in enumerate(self.blocks) for tile in block.tiles}
        self._sums: dict[tuple[Counts, frozenset[tuple[int, int]], Free], Sums] = {}

    def takes(self, held: Free) -> bool:
        """Whether tables with this many wild tiles are small enough."""
        return prod(limit + 1 for limit in (*self.limits, *held)) <= MOST_STATES

    def sums(self, left: Counts, out: Counter[int], held: Free) -> "Sums":
        """What is needed to fill what is left of the slots, beside tiles that are `out`."""
        key = (left, frozenset(out.items()), held)
        found = self._sums.get(key)
        if found is None or found.joins.full:
            if len(self._sums) > MOST_PLACES:
                self._sums.clear()
            found = self._sums[key] = Sums(self, left, out, held)
        return found


@lru_cache(maxsize=MOST_BLOCKS)
def block_of(tiles: tuple[int, ...], choices: tuple[FlatChoice, ...], width: int, sorts: int) -> TileBlock:
    """The block of these choices, the same one for all cases that have it."""
    return TileBlock(tiles, choices, width, sorts)


Part = tuple[tuple[int, ...], tuple[FlatChoice, ...]]


def blocks_of(parts: list[Part]) -> Iterator[Part]:
    """The parts, small ones joined."""
    tiles: tuple[int, ...] = ()
    choices: tuple[FlatChoice, ...] = ()
    for more, ways in sorted(parts, key=lambda part: len(part[0])):
        if len(more) > FEW:
            yield more, ways
            continue
        if len(tiles) + len(more) > MOST_TILES:
            yield tiles, choices
            tiles, choices = (), ()
        tiles, choices = tiles + more, choices + ways
    if choices:
        yield tiles, choices


class Sums:
    """What hands need, by the numbers of their tiles in each block."""

    def __init__(self, tables: CaseTables, left: Counts, out: Counter[int], held: Free) -> None:
        case = tables.case
        self.tables = tables
        self.joins = space_of(left, held).joins
        self.space = space_of(tables.limits, held)
        self.caps = [[case.wild.copies[tile] - out[tile] for tile in block.tiles] for block in tables.blocks]
        spare = [case.wild.copies[tile] - out[tile] - own for tile, own in zip(case.wild_tiles, held, strict=True)]
        self.spare = list(zip(case.wild_tiles, spare, strict=True))
        self.rows: list[dict[tuple[Counts, frozenset[int]], SumRow]] = [{} for _ in tables.blocks]
        self.inside = [
            at
            for at, state in enumerate(self.space.states)
            if all(count <= most for count, most in zip(state, left, strict=False))
        ]

    def row(self, number: int, counts: Counts, tracked: frozenset[int] = NO_TILES) -> "SumRow":
        """The result for these counts of tiles of a block."""
        rows = self.rows[number]
        found = rows.get((counts, tracked))
        if found is None:
            if len(rows) > MOST_KEPT:
                rows.clear()
            found = rows[counts, tracked] = self._row(number, counts, tracked)
        return found

    def _row(self, number: int, counts: Counts, tracked: frozenset[int]) -> "SumRow":
        block = self.tables.blocks[number]
        rooms = [max(0, cap - count) for cap, count in zip(self.caps[number], counts, strict=True)]
        table = block.table(self.space, counts, rooms, tracked)
        vector = tuple([table.missing[at] for at in self.inside])
        most = [table.most[at] for at in self.inside]
        return SumRow(block, counts, rooms, tracked, self.joins.number(vector), most)

    def of(self, held: Sequence[int]) -> "Sum":
        """What a hand needs, given as the number of each tile."""
        counts = (tuple([held[tile] for tile in block.tiles]) for block in self.tables.blocks)
        return Sum(self, [self.row(number, count) for number, count in enumerate(counts)])


@dataclass(frozen=True, slots=True)
class SumFacts:
    """Natural tiles that may be missing, as bits, and the most of each sort of wild tiles. `over`: tiles of the block
    of which more might be missing than there are."""

    tiles: int
    wild: tuple[int, ...]
    over: frozenset[int]


class SumRow:
    """Tiles of a block: the number of their vector, and packed what is missing in each state. `rooms`: how many more of
    each tile there may be; the `tracked` ones are never over that."""

    __slots__ = ("_told", "block", "counts", "most", "number", "rooms", "tracked")

    def __init__(
        self,
        block: TileBlock,
        counts: Counts,
        rooms: list[int],
        tracked: frozenset[int],
        number: int,
        most: list[int],
    ) -> None:
        self.block = block
        self.counts = counts
        self.rooms = rooms
        self.tracked = tracked
        self.number = number
        self.most = most
        self._told: dict[tuple[int, ...], SumFacts] = {}

    def made(self, sums: "Sums", state: int, chance: Chance) -> Iterator[FlatChoice]:
        """Groups that bring it into this state with the fewest tiles missing."""
        return self.block.made(sums.space, self.counts, self.rooms, self.tracked, sums.inside[state], chance)

    def told(self, states: tuple[int, ...]) -> SumFacts:
        """What is missing in these states together."""
        found = self._told.get(states)
        if found is None:
            most = 0
            for state in states:
                most |= self.most[state]
            found = self._told[states] = self._of(most)
        return found

    def _of(self, most: int) -> SumFacts:
        block = self.block
        fields = [most >> at * block.width & (1 << block.width) - 1 for at in range(len(block.tiles) + block.sorts)]
        tiles = sum(1 << tile for tile, field in zip(block.tiles, fields, strict=False) if field)
        over = frozenset(at for at, room in enumerate(self.rooms) if fields[at] >> room and at not in self.tracked)
        return SumFacts(tiles, tuple(field.bit_count() for field in fields[len(block.tiles) :]), over)


class Sum:
    """What one hand needs."""

    __slots__ = ("_after", "_before", "rows", "sums")

    def __init__(self, sums: Sums, rows: list[SumRow]) -> None:
        self.sums = sums
        self.rows = rows
        self._before: list[int] = []  # what the blocks before each come to
        self._after: list[int] = []  # what the blocks after the last, the last but one... come to

    def with_counts(self, number: int, counts: Counts) -> "Sum":
        """The hand with other tiles in this block."""
        return Sum(self.sums, [*self.rows[:number], self.sums.row(number, counts), *self.rows[number + 1 :]])

    def distance(self) -> int:
        """How many tiles are missing, if there are enough of each; never more than it is."""
        return self.sums.joins.whole(self.rows[0].number, self._rest(0))[0] if self.rows else 0

    def need(self) -> tuple[int, int] | None:
        """How many tiles are missing, and as bits those, wild ones among them, that are missing in some nearest way.
        None if many wild tiles are needed, or several scarce tiles."""
        whole = self
        while True:
            told = [row.told(whole.states(number)) for number, row in enumerate(whole.rows)]
            if not any(one.over for one in told):
                return whole._need(told)
            tracked = [row.tracked | one.over for row, one in zip(whole.rows, told, strict=True)]
            if max(map(len, tracked)) > MOST_TRACKED:
                return None
            counts = [row.counts for row in self.rows]
            whole = Sum(
                self.sums, [self.sums.row(at, *row) for at, row in enumerate(zip(counts, tracked, strict=True))]
            )

    def _need(self, told: list[SumFacts]) -> tuple[int, int] | None:
        bits = 0
        for one in told:
            bits |= one.tiles
        for at, (tile, spare) in enumerate(self.sums.spare):
            count = sum(one.wild[at] for one in told)
            if count > max(0, spare):
                return None
            bits |= (count > 0) << tile
        return self.distance(), bits

    def rough_tiles(self) -> int:
        """The tiles that are missing in some nearest way, as bits, if there are enough of each."""
        told = [row.told(self.states(number)) for number, row in enumerate(self.rows)]
        bits = 0
        for one in told:
            bits |= one.tiles
        for at, (tile, _) in enumerate(self.sums.spare):
            bits |= any(one.wild[at] for one in told) << tile
        return bits

    def states(self, number: int) -> tuple[int, ...]:
        """The states of a block in which the hand is nearest."""
        return self.sums.joins.whole(self.rows[number].number, self._rest(number))[1]

    def _rest(self, without: int) -> int:
        """All blocks but this."""
        joins, last = self.sums.joins, len(self.rows) - 1
        if not self._after:
            self._after.append(joins.nothing)
            for row in self.rows[:0:-1]:
                self._after.append(joins.joined(self._after[-1], row.number))
        if not without:
            return self._after[last]
        if not self._before:
            self._before.append(joins.nothing)
            for row in self.rows[:-1]:
                self._before.append(joins.joined(self._before[-1], row.number))
        return joins.joined(self._before[without], self._after[last - without])

    def target(self, chance: Chance) -> list[int]:
        """The tiles of one of the nearest whole hands beside what is out, wild ones among them; none where there is no
        such hand. `chance` gives a number from 0 to below another one. It may need more of a tile than there are."""
        if not self.rows or self.distance() >= NEVER:
            return []
        wild = self.sums.tables.case.wild_tiles
        return [
            tile
            for row, state in zip(self.rows, self._split(chance), strict=True)
            for choice in row.made(self.sums, state, chance)
            for tile, count in (*choice.needs, *zip(wild, choice.units, strict=True))
            for _ in range(count)
        ]

    def _split(self, chance: Chance) -> Iterator[int]:
        """For each block the state that it is in."""
        space, pairs = self.sums.joins.space, self.sums.joins.space.wholes
        for number in range(len(self.rows)):
            missing = [self._missing(number, pair) for pair in pairs]
            least = min(missing)
            state, rest = chance_of([pair for pair, n in zip(pairs, missing, strict=True) if n == least], chance)
            yield state
            pairs = space.sums[rest]

    def _missing(self, number: int, states: tuple[int, int]) -> int:
        """How many tiles are missing with a block in the first of two states, and those after it in the second."""
        joins = self.sums.joins
        self._rest(0)
        rest = self._after[len(self.rows) - 1 - number]
        return joins.missing(self.rows[number].number, states[0]) + joins.missing(rest, states[1])


def chance_of(members: Sequence[Anything], chance: Chance) -> Anything:
    """One of the members."""
    return members[chance(len(members))]
