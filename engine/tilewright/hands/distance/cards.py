"""Looks at listed hands: how many tiles a hand misses of every row, with and without one of its tiles, fast.
Counts as `tilewright.hands.listed` does, for a seat with known melds and gone tiles."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from tilewright.base.arrays import Array
from tilewright.hands.distance.near import Near
from tilewright.hands.distance.states import Chance
from tilewright.hands.listed import NEVER, NONE, Rows
from tilewright.hands.reading import Hand, Meld

if TYPE_CHECKING:
    from tilewright.hands.matrix import Numbers, Places


class ListedPlan:
    """The rows that a seat with these melds could still make. `rows`: their numbers in the listing."""

    def __init__(self, rows: Rows, melds: tuple[Meld, ...], gone: Mapping[int, int] = NONE) -> None:
        import numpy

        self.listing = rows
        self.melds = melds
        laid = rows.laid(melds)
        self.rows: Places = numpy.flatnonzero(rows.possible(melds, gone))
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
        import numpy

        wild = held[list(self.listing.helpers)].sum(axis=0, dtype=numpy.int8)[:, None]
        have = held[self.first].astype(numpy.int8)
        for at, own in self.chosen.items():
            have[at] = held[own].max(axis=0)
        spare = have[:, :, None] - self.small[0][:, None]
        above = numpy.maximum(spare, 0)
        short = numpy.maximum(self.small[1][:, None] - above, 0)
        places = short.sum(axis=0, dtype=numpy.int8)
        missing = numpy.maximum(places - wild, 0) + (above - spare).sum(axis=0, dtype=numpy.int8)
        least = missing.min(axis=1, initial=NEVER)
        useful = numpy.zeros(held.shape, numpy.bool_)
        lanes, rows = (missing == least[:, None]).nonzero()
        if len(lanes):
            is_open = (places > wild)[lanes, rows]
            lowering = (spare[:, lanes, rows] < 0) | ((short[:, lanes, rows] > 0) & is_open)
            starts = numpy.flatnonzero(numpy.diff(lanes, prepend=-1))
            lowers = numpy.logical_or.reduceat(lowering, starts, axis=1)
            for at, own in self.chosen.items():
                useful[own] |= lowers[at] & (held[own] == have[at])
            useful[[self.columns[at] for at in self.alone]] |= lowers[self.alone]
            useful[list(self.listing.helpers)] |= numpy.logical_or.reduceat(is_open, starts)
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
        import numpy

        left = self.listing.left(Hand((), self.melds))
        return numpy.array([[left[tile]] for tile in range(len(self.listing.tiles.tiles))])

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
