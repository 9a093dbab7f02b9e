"""Flat: the ways to win of seats as lists of numbers, for the kernels that ask many times a second.

In: an approach and melds. Out: a plan, by its place in `numbers`. Knows no hand.
"""

from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.hands.distance.approach import Approach
from tilewright.hands.distance.cards import ListedPlan
from tilewright.hands.distance.flat import listed
from tilewright.hands.distance.flat import rows as flat
from tilewright.hands.distance.flat.growing import GrowingArray, NotFlat, growing
from tilewright.hands.distance.flat.search import FlatSearch
from tilewright.hands.distance.searching import SearchedWay
from tilewright.hands.distance.tabled import TabledPart, TabledWay
from tilewright.hands.distance.tables import Table
from tilewright.hands.listed import Laid, Rows
from tilewright.hands.reading import Meld


@dataclass
class FlatWays:
    """The plans of an approach. `numbers`: ways and plans; `rows`: of all tables; `places`: where rows begin; `search`:
    ways that are searched; `shared`: those of another approach. All may be shared with other approaches."""

    approach: Approach
    numbers: GrowingArray = field(default_factory=lambda: growing(np.int64, 1 << 12))
    rows: GrowingArray = field(default_factory=lambda: growing(np.uint8, 1 << 12))
    places: GrowingArray = field(default_factory=lambda: growing(np.int32, 1 << 12))
    shared: InitVar[FlatSearch | None] = None
    search: FlatSearch = field(init=False)

    def __post_init__(self, shared: FlatSearch | None) -> None:
        self.search = shared or FlatSearch(self.numbers)
        self._tables: dict[int, tuple[int, ...]] = {}
        self._ways: dict[tuple[int, tuple[int, ...], bytes], int] = {}
        self._plans: dict[tuple[int, ...], int] = {}
        self._lists: dict[tuple[object, ...], int] = {}

    @property
    def kinds(self) -> int:
        """How many faces there are."""
        return len(self.approach.plain)

    def plan(self, melds: tuple[Meld, ...]) -> int:
        """Where the plan of a seat with these melds is. Raises NotFlat."""
        if self.kinds > listed.MOST_KINDS:
            raise NotFlat(f"more than {listed.MOST_KINDS} different tiles")
        reader, exposed = self.approach.reader, any(meld.exposed for meld in melds)
        lists = [reader.rows(shape) for shape in reader.shapes if not (shape.concealed and exposed)]
        known = [rows for rows in lists if rows is not None]
        ways = [] if not any(shape.cases for shape in reader.shapes) else self.approach.plan(melds).ways
        if len(ways) > flat.MOST_WAYS:
            raise NotFlat(f"more than {flat.MOST_WAYS} ways to win")
        if len(known) > 1:
            raise NotFlat("several forms that list their hands")
        laid = tuple(self.way(way) for way in ways if not isinstance(way, ListedPlan | SearchedWay))
        found = [self.rows_of(rows, melds) for rows in known]
        search = tuple(self.search.way(way) for way in ways if isinstance(way, SearchedWay))
        key = (*laid, len(found), *(found or [0]), len(search), *search)
        if key not in self._plans:
            self._plans[key] = self.numbers.add([len(laid), *key])
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
            self._lists[key] = self._laid_rows(rows, laid, possible)
        return self._lists[key]

    def _laid_rows(self, rows: Rows, laid: Laid, possible: Array) -> int:
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
        return self.numbers.add([len(possible), wild, *(starts + first).tolist()])

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
