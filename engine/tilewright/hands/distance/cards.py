"""Listed hands: how many tiles a hand misses of every row, with and without one of its tiles, fast; and how far a seat
is from several of them together, out of the same tiles.

Counts as `tilewright.hands.listed` does, for a seat with known melds and gone tiles. Of several hands, each with melds
of its own, only some of the nearest rows of each are joined with those of the others.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.near import Chance, Near
from tilewright.hands.listed import NEVER, NONE, Rows
from tilewright.hands.matrix import Numbers, Places, summed
from tilewright.hands.reading import Hand, Listing, Meld
from tilewright.hands.readings import ReadingSearch


class ListedPlan:
    """The rows that a seat with these melds could still make. `rows`: their numbers in the listing."""

    def __init__(self, rows: Rows, melds: tuple[Meld, ...], gone: Mapping[int, int] = NONE) -> None:
        self.listing = rows
        self.melds = melds
        laid = rows.laid(melds)
        self.rows: Places = np.flatnonzero(rows.possible(melds, gone))
        matrix = rows.matrix
        self.fixed: Numbers = matrix.fixed[:, self.rows] - matrix.column(laid.fixed)
        self.free: Numbers = matrix.free[:, self.rows] - matrix.column(laid.free)
        self.columns = matrix.columns
        self.column = {tile: at for at, tile in enumerate(matrix.columns)}
        self.first = [rows.members(kind)[0] for kind in matrix.columns]
        choices = ((at, rows.choices.get(kind)) for at, kind in enumerate(matrix.columns))
        self.chosen = {at: list(own) for at, own in choices if own is not None}
        self.alone = [at for at in range(len(matrix.columns)) if at not in self.chosen]

    def of(self, held: tuple[int, ...]) -> "ListedLook":
        """A hand, given as the number of each tile."""
        return ListedLook(self, held)

    @property
    def is_exact(self) -> bool:
        """It always is."""
        return True

    def at_least(self, held: Sequence[int]) -> int:
        """Nothing is known at a glance."""
        return 0

    def near(self, held: Array) -> Near:
        """How many tiles the nearest rows miss, and those of which some are left."""
        wild = held[list(self.listing.helpers)].sum(axis=0, dtype=np.int8)[:, None]
        have = held[self.first].astype(np.int8)
        for at, own in self.chosen.items():
            have[at] = held[own].max(axis=0)
        spare = have[:, :, None] - self.small[0][:, None]
        above = np.maximum(spare, 0)
        short = np.maximum(self.small[1][:, None] - above, 0)
        places = short.sum(axis=0, dtype=np.int8)
        missing = np.maximum(places - wild, 0) + (above - spare).sum(axis=0, dtype=np.int8)
        least = missing.min(axis=1, initial=NEVER)
        useful = np.zeros(held.shape, np.bool_)
        lanes, rows = (missing == least[:, None]).nonzero()
        if len(lanes):
            is_open = (places > wild)[lanes, rows]
            lowering = (spare[:, lanes, rows] < 0) | ((short[:, lanes, rows] > 0) & is_open)
            starts = np.flatnonzero(np.diff(lanes, prepend=-1))
            lowers = np.logical_or.reduceat(lowering, starts, axis=1)
            for at, own in self.chosen.items():
                useful[own] |= lowers[at] & (held[own] == have[at])
            useful[[self.columns[at] for at in self.alone]] |= lowers[self.alone]
            useful[list(self.listing.helpers)] |= np.logical_or.reduceat(is_open, starts)
        return Near(least, useful & (held < self.there) & (least > 0) & (least < NEVER))

    @cached_property
    def small(self) -> tuple[Array, Array]:
        """The places of the rows as the smallest numbers."""
        return self.fixed.astype("int8"), self.free.astype("int8")

    def exact(self, held: Array, near: Near, best: Array) -> Near:
        """As near."""
        return near

    def targets(self, held: Array) -> "ListedTargets":
        """The nearest rows."""
        return ListedTargets(self, self.of(tuple(held.tolist())))

    @cached_property
    def there(self) -> Array:
        """How many of each tile there are besides the melds: (tiles, 1)."""
        left = self.listing.left(Hand((), self.melds))
        return np.array([[left[tile]] for tile in range(len(self.listing.tiles.tiles))])

    def columns_with(self, tile: int, held: Sequence[int]) -> list[int]:
        """The columns with one less where one of this tile is gone: its own, and those of choices of which it has most
        alone."""
        found = [self.column[tile]] if tile in self.column else []
        for at, own in self.chosen.items():
            if tile in own and all(held[other] < held[tile] for other in own if other != tile):
                found.append(at)
        return found


class ListedLook:
    """A hand. All numbers are of the rows of the plan, in their order."""

    def __init__(self, plan: ListedPlan, held: tuple[int, ...]) -> None:
        self.plan = plan
        self.held = held
        self.wild = sum(held[tile] for tile in plan.listing.helpers)

    @cached_property
    def spare(self) -> "Numbers":
        """Naturals of each tile beyond those for places where no wild tile may stand."""

        have = self.plan.listing.matrix.column(self.plan.listing.with_choices(dict(enumerate(self.held))))
        spare: Numbers = have - self.plan.fixed
        return spare

    @cached_property
    def short(self) -> "Numbers":
        """Places for each tile that naturals do not fill, and wild tiles may."""
        short: Numbers = (self.plan.free - self.spare.clip(0)).clip(0)
        return short

    @cached_property
    def lacks(self) -> "tuple[Numbers, Numbers]":
        """Tiles missing where no wild tile may stand, and elsewhere before wild tiles are laid there."""
        return -self.spare.clip(None, 0).sum(axis=0, dtype="int16"), self.short.sum(axis=0, dtype="int16")

    @cached_property
    def missing(self) -> "Numbers":
        """How many tiles are missing."""
        fixed, short = self.lacks
        missing: Numbers = fixed + (short - self.wild).clip(0)
        return missing

    def missing_without(self, tile: int) -> "Numbers":
        """How many are missing with one tile less."""
        fixed, short = self.lacks
        if tile in self.plan.listing.helpers:
            less: Numbers = fixed + (short - (self.wild - 1)).clip(0)
            return less
        for at in self.plan.columns_with(tile, self.held):
            spare = self.spare[at]
            wider = (self.plan.free[at] - (spare - 1).clip(0)).clip(0) - self.short[at]
            fixed, short = fixed + (spare <= 0), short + wider
        found: Numbers = fixed + (short - self.wild).clip(0)
        return found


class ListedTargets:
    """The nearest rows of one hand."""

    def __init__(self, plan: ListedPlan, look: ListedLook) -> None:
        self.plan = plan
        self.held = dict(enumerate(look.held))
        self.nearest = (look.missing == look.missing.min(initial=NEVER)).nonzero()[0]

    def one(self, chance: Chance) -> list[int]:
        """The tiles of one of them beside the melds, natural ones everywhere."""
        if not len(self.nearest):
            return []
        row = int(self.nearest[chance(len(self.nearest))])
        wanted = (self.plan.fixed[:, row].clip(0) + self.plan.free[:, row].clip(0)).tolist()
        tiles = [self.plan.listing.chosen(kind, self.held) for kind in self.plan.columns]
        return [tile for tile, count in zip(tiles, wanted, strict=True) for _ in range(count)]


# --- several hands out of the same tiles

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
