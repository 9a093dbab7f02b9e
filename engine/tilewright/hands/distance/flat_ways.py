"""Flat: the ways to win of seats as lists of numbers, for the kernels that ask many times a second.

In: an approach and melds. Out: a plan, by its place in `numbers`. Ways by tables are for `flat_rows`, those that are
searched, with at most one wild tile, for `flat_searched`. Knows no hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance import flat_listed as listed
from tilewright.hands.distance import flat_rows as flat
from tilewright.hands.distance import flat_searched as searched
from tilewright.hands.distance.approach import Approach
from tilewright.hands.distance.cards import ListedPlan
from tilewright.hands.distance.flat_rows import MOST_CLASSES
from tilewright.hands.distance.kernels import NEVER
from tilewright.hands.distance.near import Space, space_of
from tilewright.hands.distance.searched import MadeGroup, SearchedBlock, SearchedWay
from tilewright.hands.distance.tabled import Table, TabledWay, numbered
from tilewright.hands.listed import Laid, Rows
from tilewright.hands.needs import FlatChoice
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


# --- ways that are searched

WIDTH = searched.FIELD


class FlatSearch:
    """The ways that are searched, by their places in `numbers`."""

    def __init__(self, numbers: GrowingArray) -> None:
        self.numbers = numbers
        self._ways: dict[tuple[object, ...], int] = {}
        self._blocks: dict[tuple[int, Space], int] = {}
        self._kept: list[SearchedBlock] = []  # whose ids are keys

    def way(self, way: SearchedWay) -> int:
        """Where a way is. Raises NotFlat."""
        if len(way.wild) > 1:
            raise NotFlat("several wild tiles")
        key = tuple(map(id, way.blocks)), way.limits, way.left
        if key not in self._ways:
            copies = way.plainly.reader.wild.copies
            most = max((copies[tile] for tile in way.wild), default=0)
            forms = [self._form(way, (count,) * len(way.wild)) for count in range(most + 1)]
            wild = way.wild[0] if way.wild else next(iter(way.blocks)).tiles[0]
            # without a wild tile, any number of some tile asks for the same form
            forms = forms if way.wild else forms * (searched.FIELD_MASK + 1)
            self._ways[key] = self.numbers.add([wild, len(forms), *forms])
        return self._ways[key]

    def _form(self, way: SearchedWay, wild: tuple[int, ...]) -> int:
        """A way with so many wild tiles."""
        space = space_of((*way.left, *wild))
        wide = way.wide(space)
        if way.too_many(wild) or len(wide.states) > searched.MOST_WIDE or len(way.blocks) >= searched.MOST_BLOCKS:
            raise NotFlat("hands of very many groups and wild tiles")
        starts, total = [0], 0
        for pairs in space.sums:
            total += len(pairs)
            starts.append(total)
        blocks = [self._block(block, way, wide) for block in way.blocks]
        lists: tuple[Sequence[int] | Array, ...] = (
            starts,
            [one for pairs in space.sums for pair in pairs for one in pair],
            blocks,
            space.inside(wide),
            way.supply(space, 1)[:, 0, 0],
        )
        return self.numbers.add([len(space.states), len(blocks) + 1, *map(self.numbers.add, lists)])

    def _block(self, block: SearchedBlock, way: SearchedWay, wide: Space) -> int:
        key = id(block), wide
        if key not in self._blocks:
            if len(block.tiles) > searched.MOST_TILES:
                raise NotFlat("groups of very many tiles that hang together")
            self._kept.append(block)
            uses = [self._uses(block, way, wide, lowest) for lowest in range(-1, len(block.tiles))]
            starts, first = list[int](), self.numbers.size
            for some in uses:
                starts.append(first)
                first += len(some)
            self.numbers.add([number for some in uses for number in some])
            at_uses = self.numbers.add([*starts, first])
            tiles = self.numbers.add([*block.tiles, *(way.wild or (0,))])
            head = [len(block.tiles), 1 + len(self._blocks), len(wide.states), tiles, at_uses]
            self._blocks[key] = self.numbers.add(head)
        return self._blocks[key]

    def _uses(self, block: SearchedBlock, way: SearchedWay, wide: Space, lowest: int) -> list[int]:
        """Every way to make a group with this tile and none below it; of no tile that is there if it is -1."""
        return [number for group in block.groups(wide, lowest) for number in self._use(group, block, way, wide)]

    def _use(self, group: MadeGroup, block: SearchedBlock, way: SearchedWay, wide: Space) -> list[int]:
        moves = group.moves(wide)
        key = sum(count << WIDTH * at for at, count in group.takes)
        short = {at: count for at, count in group.lacks.items() if at < len(block.tiles)}
        lacks = [sum(1 << at for at, count in short.items() if count >= least) for least in (1, 2)]
        missing = group.missing, sum(1 << at for at in group.lacks), *lacks
        return [key, *missing, self._moves(moves), len(moves), self._whole(group.choice, way.wild)]

    def _whole(self, choice: FlatChoice, wild: tuple[int, ...]) -> int:
        """Where all tiles of a group are, after how many different ones: each with its number."""
        tiles = (*choice.needs, *(pair for pair in zip(wild, choice.units, strict=True) if pair[1]))
        key = ("whole", *tiles)
        if key not in self._ways:
            self._ways[key] = self.numbers.add([len(tiles), *(number for pair in tiles for number in pair)])
        return self._ways[key]

    def _moves(self, moves: list[tuple[int, int]]) -> int:
        """Where moves from state to state are."""
        key = ("moves", *moves)
        if key not in self._ways:
            self._ways[key] = self.numbers.add([one for move in moves for one in move])
        return self._ways[key]


# --- plans


class FlatWays:
    """The plans of an approach. `tables`: ways by tables, and all numbers; `search`: ways that are searched. Both may
    be shared with other approaches."""

    def __init__(self, approach: Approach, tables: FlatTables | None = None, search: FlatSearch | None = None) -> None:
        self.approach, self.tables = approach, tables or FlatTables()
        self.numbers = self.tables.numbers
        self.search = search or FlatSearch(self.numbers)
        self._plans: dict[tuple[int, ...], int] = {}
        self._lists: dict[tuple[object, ...], int] = {}

    @property
    def kinds(self) -> int:
        """How many faces there are."""
        return len(self.approach.plain)

    def plan(self, melds: tuple[Meld, ...]) -> int:
        """Where the plan of a seat with these melds is. Raises NotFlat."""
        reader, exposed = self.approach.reader, any(meld.exposed for meld in melds)
        lists = [reader.rows(shape) for shape in reader.shapes if not (shape.concealed and exposed)]
        known = [rows for rows in lists if rows is not None]
        if self.kinds + max((len(rows.choices) for rows in known), default=0) > listed.MOST_KINDS:
            raise NotFlat(f"more than {listed.MOST_KINDS} different tiles")
        ways = [] if not any(shape.cases for shape in reader.shapes) else self.approach.plan(melds).ways
        if len(ways) > flat.MOST_WAYS:
            raise NotFlat(f"more than {flat.MOST_WAYS} ways to win")
        if len(known) > 1:
            raise NotFlat("several forms that list their hands")
        tabled = tuple(self.tabled(way) for way in ways if not isinstance(way, ListedPlan | SearchedWay))
        found = [self.rows_of(rows, melds) for rows in known]
        search = tuple(self.search.way(way) for way in ways if isinstance(way, SearchedWay))
        key = (*tabled, len(found), *(found or [0]), len(search), *search, *order_of(ways, len(tabled)))
        if key not in self._plans:
            self._plans[key] = self.numbers.add([len(tabled), *key])
        return self._plans[key]

    def rows_of(self, rows: Rows, melds: tuple[Meld, ...]) -> int:
        """Where the rows of a list are that these melds allow, were all their tiles wild: which of these there are
        enough tiles for depends on what the melds are of. Raises NotFlat."""
        melds = tuple(Meld(meld.group, rows.helpers[:1] * len(meld.tiles), meld.exposed) for meld in melds)
        laid = rows.laid(melds)
        key = id(rows), tuple(sorted(laid.sets.items())), laid.exposed
        if key not in self._lists:
            possible = np.flatnonzero(rows.possible(melds))
            if len(possible) > listed.MOST_ROWS:
                raise NotFlat("very many hands that are listed")
            self._lists[key] = self._listed_rows(rows, laid, possible)
        return self._lists[key]

    def _listed_rows(self, rows: Rows, laid: Laid, possible: Array) -> int:
        """Where these rows are, as kernels read them."""
        matrix, fields = rows.matrix, (listed.FIXED, listed.FREE, listed.ALL_FIXED, listed.ALL_FREE)
        fixed, free = (counts[:, possible].astype(np.int64) for counts in (matrix.fixed, matrix.free))
        counts = fixed - matrix.column(laid.fixed), free - matrix.column(laid.free), fixed, free
        entries = np.array(matrix.columns, np.int64)[:, None] + sum(
            count << field for count, field in zip(counts, fields, strict=True)
        )
        there = (fixed + free > 0).T
        sizes = there.sum(axis=1)
        starts = np.cumsum([0, *(listed.ENTRIES + sizes)[:-1]]) if len(sizes) else sizes
        numbers = np.zeros(int((listed.ENTRIES + sizes).sum()), np.int64)
        for place, values in enumerate((possible, matrix.concealed[possible], sizes)):
            numbers[starts + place] = values
        of_entries = np.ones(len(numbers), np.bool_)
        of_entries[(starts[:, None] + np.arange(listed.ENTRIES)).reshape(-1)] = False
        numbers[of_entries] = entries.T[there]
        first = self.numbers.add(numbers)
        wild = sum(1 << tile for tile in rows.helpers)
        choices = [number for kind, own in rows.choices.items() for number in (kind, sum(1 << tile for tile in own))]
        place = self.numbers.add([len(rows.choices), *choices])
        return self.numbers.add([len(possible), wild, place, *(starts + first).tolist()])

    def tabled(self, way: object) -> int:
        """Where a way by tables is. Raises NotFlat."""
        if not isinstance(way, TabledWay):
            raise NotFlat("hands that are not known by tables")
        return self.tables.way(way, self.kinds)


def order_of(ways: Sequence[object], tabled: int) -> list[int]:
    """The places of ways among the distances of kernels, in the order in which one is chosen by lot."""
    by_tables, searched = count(), count(tabled + 1)
    return [
        next(searched if isinstance(way, SearchedWay) else by_tables) for way in ways if not isinstance(way, ListedPlan)
    ]
