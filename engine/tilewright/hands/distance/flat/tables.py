"""Ways by tables as lists of numbers, for `rows`: lists that grow, and classes of rows that say the same.

In: a way. Out: its place in `numbers`. Knows no hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.flat import rows as flat
from tilewright.hands.distance.flat.rows import MOST_CLASSES
from tilewright.hands.distance.kernels import NEVER
from tilewright.hands.distance.states import Space
from tilewright.hands.distance.tabled import TabledWay
from tilewright.hands.distance.tables import Table, numbered


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


@dataclass(frozen=True, eq=False)
class RowClasses:
    """`rows`: (classes, states), that of no tiles first. By two classes, `joined`: the class of both together (0 where
    nobody asks); `missing`: how many tiles are missing where both come to a whole hand."""

    rows: Array
    joined: Array
    missing: Array

    def of(self, rows: Array) -> Array:
        """The class of each row; 0 where it has none."""
        distinct, number = numbered(np.concatenate([self.rows, rows]))
        found = np.zeros(len(distinct), np.int64)
        found[number[: len(self.rows)]] = np.arange(len(self.rows))
        here: Array = found[number[len(self.rows) :]]
        return here


def classes_of(space: Space, rows: Sequence[Array], blocks: int) -> RowClasses:
    """The classes of the rows of single blocks, and of what up to all blocks but one come to. Raises NotFlat if they
    are very many."""
    nothing = np.full((1, len(space.states)), NEVER, np.uint8)
    nothing[0, 0] = 0
    single = found = merged([nothing, *rows])
    for _ in range(2, blocks):
        if len(found) > MOST_CLASSES:
            break
        found, before = merged([found, joined_rows(found, single, space).reshape(-1, len(space.states))]), len(found)
        if len(found) == before:
            break
    if len(found) > MOST_CLASSES:
        raise NotFlat(f"rows of tables of more than {MOST_CLASSES} classes")
    found = np.concatenate([nothing, found[(found != nothing).any(axis=1)]])
    both = joined_rows(found, found, space)
    plain = RowClasses(found, both, both[:, :, -1])
    return RowClasses(found, plain.of(both.reshape(-1, len(space.states))).reshape(both.shape[:2]), plain.missing)


def merged(rows: Sequence[Array]) -> Array:
    """Those of the rows that differ."""
    return numbered(np.concatenate(rows))[0]


def joined_rows(one: Array, other: Array, space: Space) -> Array:
    """What each row of one list and each of another come to: (one, other, states)."""
    found = np.full((len(one), len(other), len(space.states)), NEVER, np.uint8)
    for state, pairs in enumerate(space.sums):
        for left, right in pairs:
            here = found[:, :, state]
            np.minimum(here, one[:, left, None] + other[None, :, right], out=here)
    return found


@dataclass
class FlatTables:
    """The ways by tables of some approaches. `numbers`: ways, and plans besides; `rows`: what two classes come to, rows
    of classes, targets; `places`: where rows of tables begin, their classes, and those of two that are joined."""

    numbers: GrowingArray = field(default_factory=lambda: growing(np.int64, 1 << 12))
    rows: GrowingArray = field(default_factory=lambda: growing(np.uint8, 1 << 12))
    places: GrowingArray = field(default_factory=lambda: growing(np.int32, 1 << 12))
    _tables: dict[int, tuple[Table, list[int]]] = field(default_factory=dict)
    _classes: dict[tuple[object, ...], tuple[RowClasses, list[int]]] = field(default_factory=dict)
    _ways: dict[tuple[object, ...], tuple[TabledWay, int]] = field(default_factory=dict)

    def way(self, way: TabledWay, kinds: int) -> int:
        """Where a way is, of so many faces. Raises NotFlat."""
        key = id(way.case), way.left, way.fixed.tobytes()
        if key not in self._ways:
            self._ways[key] = way, self._way(way, kinds)
        return self._ways[key][1]

    def _way(self, way: TabledWay, kinds: int) -> int:
        space, case = way.space, way.case
        if len(case.blocks) > flat.MOST_BLOCKS:
            raise NotFlat("hands of very many groups")
        asked = space.inside(case.space)
        classes, places = self._classes_of(space, asked, [table for _, table in case.blocks])
        asked_at, class_of, blocks = self.numbers.add(asked), dict[int, int](), list[int]()
        for block, table in case.blocks:
            if id(table) not in class_of:
                class_of[id(table)] = self.numbers.add(classes.of(table.distinct[:, asked]))
            numbers, base, rank, *targets = self._table(table)
            tiles = list(block.tiles)
            first = tiles[0] if tiles == list(range(tiles[0], tiles[0] + len(tiles))) else -1
            head = [len(tiles), numbers, base, rank, asked_at, class_of[id(table)], *targets, first]
            blocks.append(self.numbers.add([*head, *tiles, *block.kind.most, *table.steps.tolist()]))
        unused = sum(1 << tile for tile in range(kinds) if all(tile not in block.tiles for block, _ in case.blocks))
        needed = [tile for tile, _ in way.needed]
        pairs = [one for some in space.sums for pair in some for one in pair]
        lists: tuple[Sequence[int] | Array, ...] = (np.cumsum([0, *map(len, space.sums)]), pairs, blocks, way.fixed)
        known = [*map(self.numbers.add, lists), unused, self.numbers.add([len(needed), *needed])]
        return self.numbers.add([len(blocks), *known, len(space.states), len(classes.rows), *places])

    def _classes_of(self, space: Space, asked: Array, tables: Sequence[Table]) -> tuple[RowClasses, list[int]]:
        """The classes of the rows of these tables in the states that are asked for, and where their lists are."""
        key = space.limits, tuple(asked.tolist()), tuple(map(id, tables))
        if key not in self._classes:
            distinct = {id(table): table.distinct[:, asked] for table in tables}
            found = classes_of(space, list(distinct.values()), len(tables))
            joined = self.places.add(found.joined.reshape(-1))
            places = [joined, self.rows.add(found.missing.reshape(-1)), self.rows.add(found.rows.reshape(-1))]
            self._classes[key] = found, places
        return self._classes[key]

    def _table(self, table: Table) -> list[int]:
        """Where the classes of a table begin, the two lists that tell a row, its targets, and the starts of those."""
        if id(table) not in self._tables:
            self._tables[id(table)] = (
                table,
                [
                    self.places.add(table.number),
                    self.places.add(table.base),
                    self.places.add(table.rank),
                    self.rows.add(np.ascontiguousarray(table.targets.T).reshape(-1)),
                    self.numbers.add(table.starts),
                ],
            )
        return self._tables[id(table)][1]
