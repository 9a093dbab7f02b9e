"""Several hands out of the same tiles: how far a seat is from all of them together, each a listed hand with melds of
its own.

In: a reader whose forms list their hands. Only some of the nearest rows of each hand are joined with those of the
others. numpy is imported by those who ask.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from tilewright.hands.listed import NEVER, Rows
from tilewright.hands.matrix import Numbers, Places, summed
from tilewright.hands.reading import Listing, Meld
from tilewright.hands.readings import ReadingSearch

MOST_JOINED = 48  # rows of a hand that are joined with those of others
Melds = tuple[Meld, ...]


class Joined(NamedTuple):
    """Rows of several hands side by side, one row of each. `fixed`, `free`: what they need beside their melds, by
    column and joined row; `rows`: those that were joined, by hand."""

    fixed: Numbers
    free: Numbers
    rows: Places


@lru_cache(maxsize=32)
def dividing(reader: ReadingSearch) -> "Dividing":
    """What divides hands into the forms of a reader, made once."""
    return Dividing(reader)


class Dividing:
    """The rows of all forms of a reader."""

    def __init__(self, reader: ReadingSearch) -> None:
        lists = [one.listing for one in map(reader.rows, reader.shapes) if one is not None]
        rows, entries, concealed = list[tuple[tuple[int, int], ...]](), list[int](), set[int]()
        for one in lists:
            first = 1 + max(entries, default=-1)
            rows += one.rows
            entries += (first + entry for entry in one.entries)
            concealed |= {first + entry for entry in one.concealed}
        self.reader = reader
        self.rows = Rows(reader.tiles, reader.groups, Listing(tuple(rows), tuple(entries), frozenset(concealed)))
        self.plain = [tile.plain for tile in reader.tiles.tiles]

    def look(self, faces: Sequence[int], melds: Sequence[Melds]) -> "DividedLook":
        """These concealed tiles, to be divided among hands with these melds."""
        return DividedLook(self, tuple(faces), tuple(melds))


class DividedLook:
    """Tiles to be divided among hands. `joined`: the rows that may be nearest, if that is known."""

    def __init__(
        self, dividing: Dividing, faces: tuple[int, ...], melds: tuple[Melds, ...], joined: Joined | None = None
    ) -> None:
        self.dividing, self.faces, self.melds = dividing, faces, melds
        self.known = joined

    @cached_property
    def held(self) -> tuple[Numbers, int]:
        """How many naturals there are by column, and how many wild tiles."""
        rows, counts = self.dividing.rows, dict[int, int]()
        for face in self.faces:
            tile = self.dividing.plain[face]
            counts[tile] = counts.get(tile, 0) + 1
        return rows.matrix.column(counts), sum(counts.get(tile, 0) for tile in rows.helpers)

    @cached_property
    def joined(self) -> Joined:
        """The rows that may be nearest, also with one tile less."""
        if self.known is not None:
            return self.known
        found = [self.of_hand(melds) for melds in self.melds]
        if not found or not all(one.rows.size for one in found):
            width = len(self.dividing.rows.matrix.columns)
            nothing = np.zeros((width, 0), np.int16)
            return Joined(nothing, nothing, np.zeros((len(self.melds), 0), np.intp))
        joined = found[0]
        for other in found[1:]:
            joined = self.together(joined, other)
        missing = self.missing_of(joined)
        return taken(joined, np.flatnonzero(missing <= missing.min() + 1))

    def of_hand(self, melds: Melds) -> Joined:
        """The rows nearest to a hand with these melds, as if it had all tiles for itself."""
        rows, matrix = self.dividing.rows, self.dividing.rows.matrix
        laid = rows.laid(melds)
        wild = tuple(Meld(meld.group, rows.helpers[:1] * len(meld.tiles), meld.exposed) for meld in melds)
        allowed = np.flatnonzero(rows.possible(wild))  # whatever tiles the melds are of
        fixed = np.maximum(matrix.fixed[:, allowed] - matrix.column(laid.fixed), 0)
        free = np.maximum(matrix.free[:, allowed] - matrix.column(laid.free), 0)
        joined = Joined(fixed, free, allowed.reshape(1, -1))
        return taken(joined, np.argsort(self.missing_of(joined), kind="stable")[:MOST_JOINED])

    def together(self, one: Joined, other: Joined) -> Joined:
        """Every row of one with every row of the other."""
        sides = one.fixed.shape[1], other.fixed.shape[1]
        left, right = np.repeat(np.arange(sides[0]), sides[1]), np.tile(np.arange(sides[1]), sides[0])
        return Joined(
            one.fixed[:, left] + other.fixed[:, right],
            one.free[:, left] + other.free[:, right],
            np.concatenate((one.rows[:, left], other.rows[:, right])),
        )

    def missing_of(self, joined: Joined) -> Numbers:
        """How many tiles each of these lacks."""
        naturals, wild = self.held
        spare = naturals - joined.fixed
        short = summed(np.maximum(joined.free - np.maximum(spare, 0), 0))
        found: Numbers = np.maximum(short - wild, 0) - summed(np.minimum(spare, 0))
        return found

    @cached_property
    def roughly(self) -> tuple[int, tuple[int, ...]]:
        """How many tiles the hands lack together, seldom more than they do, and which would make it less, in the order
        of the tile set."""
        joined, rows = self.joined, self.dividing.rows
        if not joined.rows.size:
            return NEVER, ()
        missing = self.missing_of(joined)
        least = int(missing.min())
        if least == 0:
            return 0, ()
        near = taken(joined, np.flatnonzero(missing == least))
        naturals, wild = self.held
        spare = naturals - near.fixed
        short = near.free - np.maximum(spare, 0)
        has_room = summed(np.maximum(short, 0)) > wild
        useful = ((spare < 0) | ((short > 0) & has_room)).any(axis=1).tolist()
        tiles = {tile for tile, use in zip(rows.matrix.columns, useful, strict=True) if use}
        tiles |= set(rows.helpers) if has_room.any() else set()
        return least, tuple(tile for tile in self.dividing.reader.tiles.order if tile in tiles)

    def at_least(self) -> int:
        """How many tiles the hands lack together."""
        return self.roughly[0]

    def without(self, face: int) -> "DividedLook":
        """The same with one tile less."""
        at = self.faces.index(face)
        return DividedLook(
            self.dividing, (*self.faces[:at], *self.faces[at + 1 :]), self.melds, self.known or self.joined
        )

    def nearest(self) -> tuple[int, ...]:
        """The rows that are nearest together, one of each hand: of equals the first; none where some hand has none."""
        if not self.joined.rows.size:
            return ()
        return tuple(self.joined.rows[:, int(self.missing_of(self.joined).argmin())].tolist())


def taken(joined: Joined, which: Places) -> Joined:
    """Some of the joined rows."""
    return Joined(joined.fixed[:, which], joined.free[:, which], joined.rows[:, which])
