"""Flat: the ways to win of seats as lists of numbers, for the kernels that ask many times a second.

In: an approach and melds. Out: a plan, by its place in `numbers`. Only ways by tables can be laid out. Knows no hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.hands.distance.approach import Approach
from tilewright.hands.distance.flat import kernels as flat
from tilewright.hands.distance.tabled import TabledPart, TabledWay
from tilewright.hands.distance.tables import Table
from tilewright.hands.reading import Meld


class NotFlat(Exception):
    """A way to win that is not known by tables, or too large for the kernels."""


@dataclass
class GrowingArray:
    """An array that is added to; what it has keeps its place."""

    values: Array
    size: int = 0

    def add(self, more: Sequence[int] | Array) -> int:
        """Add values. Where they begin."""
        start, self.size = self.size, self.size + len(more)
        if self.size > len(self.values):
            self.values = np.concatenate([self.values[:start], np.zeros(self.size + start, self.values.dtype)])
        self.values[start : self.size] = more
        return start


def growing(kind: type[np.generic], size: int) -> GrowingArray:
    return GrowingArray(np.zeros(size, kind))


@dataclass
class FlatWays:
    """The plans of an approach. `numbers`: ways and plans; `rows`: of all tables; `places`: where rows begin."""

    approach: Approach
    numbers: GrowingArray = field(default_factory=lambda: growing(np.int64, 1 << 12))
    rows: GrowingArray = field(default_factory=lambda: growing(np.uint8, 1 << 12))
    places: GrowingArray = field(default_factory=lambda: growing(np.int32, 1 << 12))

    def __post_init__(self) -> None:
        self._tables: dict[int, tuple[int, ...]] = {}
        self._ways: dict[tuple[int, tuple[int, ...], bytes], int] = {}
        self._plans: dict[tuple[int, ...], int] = {}

    @property
    def kinds(self) -> int:
        """How many faces there are."""
        return len(self.approach.plain)

    def plan(self, melds: tuple[Meld, ...]) -> int:
        """Where the plan of a seat with these melds is. Raises NotFlat."""
        ways = self.approach.plan(melds).ways
        if len(ways) > flat.MOST_WAYS:
            raise NotFlat(f"more than {flat.MOST_WAYS} ways to win")
        laid = tuple(map(self.way, ways))
        if laid not in self._plans:
            self._plans[laid] = self.numbers.add([len(laid), *laid])
        return self._plans[laid]

    def way(self, way: object) -> int:
        """Where a way is. Raises NotFlat."""
        if not isinstance(way, TabledWay):
            raise NotFlat("hands that are not known by tables")
        key = id(way.case), way.left, way.fixed.tobytes()
        if key not in self._ways:
            self._ways[key] = self._laid_out(way)
        return self._ways[key]

    def _laid_out(self, way: TabledWay) -> int:
        space, case = way.space, way.case
        states, asked = len(space.states), space.inside(case.space)
        if states > flat.MOST_STATES or len(case.blocks) > flat.MOST_BLOCKS:
            raise NotFlat("hands of very many groups")
        block_of, position, blocks = [-1] * self.kinds, [0] * self.kinds, list[int]()
        asked_at = self.numbers.add(asked)
        for part in case.parts:
            for number, block in enumerate(part.blocks):
                for at, tile in enumerate(block.tiles):
                    block_of[tile], position[tile] = len(blocks), at
                blocks.append(self._block(part, number, asked_at))
        starts = self.numbers.add(np.cumsum([0, *map(len, space.sums)]))
        pairs = self.numbers.add([one for pairs in space.sums for pair in pairs for one in pair])
        lists: tuple[Sequence[int] | Array, ...] = (blocks, way.fixed, block_of, position)
        places = [starts, pairs, *map(self.numbers.add, lists)]
        unused = sum(1 << tile for tile, block in enumerate(block_of) if block < 0)
        needed = [tile for tile, _ in way.needed]
        return self.numbers.add([states, len(blocks), *places, unused, self.numbers.add([len(needed), *needed])])

    def _block(self, part: TabledPart, number: int, asked: int) -> int:
        block = part.blocks[number]
        rows, base, rank, *targets = self._table(part.table)
        tiles = list(block.tiles)
        first = tiles[0] if tiles == list(range(tiles[0], tiles[0] + len(tiles))) else -1
        head = [len(tiles), rows, part.table.rows.shape[1], base, rank, asked, *targets, first]
        return self.numbers.add([*head, *tiles, *block.kind.most, *part.table.steps.tolist()])

    def _table(self, table: Table) -> tuple[int, ...]:
        """Where the rows of a table begin, the two lists that tell a row, its targets, and the starts of those."""
        if id(table) not in self._tables:
            self._tables[id(table)] = (
                self.rows.add(table.rows.reshape(-1)),
                self.places.add(table.base),
                self.places.add(table.rank),
                self.rows.add(np.ascontiguousarray(table.targets.T).reshape(-1)),
                self.numbers.add(table.starts),
            )
        return self._tables[id(table)]
