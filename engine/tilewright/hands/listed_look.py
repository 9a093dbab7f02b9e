"""Looks at listed hands: how many tiles a hand misses of every row, with and without one of its tiles, fast.
Counts as `tilewright.hands.listed` does, for a seat with known melds and gone tiles."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from tilewright.hands.blocks import Chance
from tilewright.hands.listed import NEVER, NONE, Rows
from tilewright.hands.reading import Hand, Meld

if TYPE_CHECKING:
    from tilewright.hands.matrix import Numbers, Places, Truths


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

    def of(self, held: tuple[int, ...]) -> "ListedLook":
        """A hand, given as the number of each tile."""
        return ListedLook(self, held)


class ListedLook:
    """A hand. All numbers are of the rows of the plan, in their order."""

    def __init__(self, plan: ListedPlan, held: tuple[int, ...]) -> None:
        self.plan = plan
        self.held = held
        self.wild = sum(held[tile] for tile in plan.listing.helpers)

    @cached_property
    def spare(self) -> "Numbers":
        """Naturals of each tile beyond those for places where no wild tile may stand."""
        import numpy

        have = numpy.array([[self.held[tile]] for tile in self.plan.columns], numpy.int16).reshape(-1, 1)
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
        at = self.plan.column.get(tile)
        if at is None:
            return self.missing
        spare = self.spare[at]
        wider = (self.plan.free[at] - (spare - 1).clip(0)).clip(0) - self.short[at]
        found: Numbers = fixed + (spare <= 0) + (short + wider - self.wild).clip(0)
        return found

    def without(self, tile: int, held: tuple[int, ...]) -> "ListedLook":
        """The hand with one tile less."""
        look = ListedLook(self.plan, held)
        look.missing = self.missing_without(tile)  # the rest is counted on demand
        return look

    def at_least(self) -> int:
        """As it is."""
        return self.distance()

    def distance(self) -> int:
        """How many tiles the nearest rows miss."""
        return int(self.missing.min(initial=NEVER))

    def tiles(self) -> int:
        """The tiles that the nearest rows miss and of which there are some left, as bits."""
        least = self.distance()
        return self.lowering((self.missing == least).nonzero()[0]) if 0 < least < NEVER else 0

    def roughly(self) -> tuple[int, int]:
        """Exactly."""
        return self.distance(), self.tiles()

    def target(self, chance: Chance) -> list[int]:
        """The tiles of one of the nearest rows beside the melds, natural ones everywhere."""
        nearest = (self.missing == self.distance()).nonzero()[0]
        if not len(nearest):
            return []
        row = int(nearest[chance(len(nearest))])
        wanted = (self.plan.fixed[:, row].clip(0) + self.plan.free[:, row].clip(0)).tolist()
        return [tile for tile, count in zip(self.plan.columns, wanted, strict=True) for _ in range(count)]

    def lowering(self, rows: "Places") -> int:
        """The tiles that would make one of these rows miss one less, wild ones among them, as bits."""
        spare, short = self.spare[:, rows], self.short[:, rows]
        open_places: Truths = short.sum(axis=0) > self.wild
        useful: Truths = (spare < 0) | ((short > 0) & open_places)
        bits = sum(
            1 << tile for tile, count in zip(self.plan.columns, useful.sum(axis=1).tolist(), strict=True) if count
        )
        if bool(open_places.any()):
            bits |= sum(1 << tile for tile in self.plan.listing.helpers)
        return bits & self._left

    @cached_property
    def _left(self) -> int:
        """Tiles of which there are more than the hand and its melds have, as bits."""
        left = self.plan.listing.left(Hand((), self.plan.melds))
        return sum(1 << tile for tile in left if left[tile] > self.held[tile])
