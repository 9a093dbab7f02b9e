"""Flat: the ways to win of seats as lists of numbers, for the kernels that ask many times a second.

In: an approach and melds. Out: a plan, by its place in `numbers`. Knows no hand.
"""

from collections.abc import Sequence
from itertools import count

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.approach import Approach
from tilewright.hands.distance.cards import ListedPlan
from tilewright.hands.distance.flat import listed
from tilewright.hands.distance.flat import rows as flat
from tilewright.hands.distance.flat.search import FlatSearch
from tilewright.hands.distance.flat.tables import FlatTables, NotFlat
from tilewright.hands.distance.searching import SearchedWay
from tilewright.hands.distance.tabled import TabledWay
from tilewright.hands.listed import Laid, Rows
from tilewright.hands.reading import Meld


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
