"""Near: what a way to win says of many hands side by side (lanes), what all ways have in common, and the plain way, of
which only `tilewright.hands.needs` knows how far it is: exact and slow.

Knows what `tilewright.hands.waits` knows.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.states import Chance
from tilewright.hands.needs import Need
from tilewright.hands.reading import Hand, Meld, Shape, Slot
from tilewright.hands.readings import ReadingSearch
from tilewright.hands.waits import aims, nearest

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Near:
    """Of each lane the tiles missing, and by tile and lane whether drawing it makes them fewer."""

    missing: Array
    useful: Array

    def lane(self, lane: int) -> "Near":
        """One lane."""
        return Near(self.missing[lane : lane + 1], self.useful[:, lane : lane + 1])

    def with_lane(self, lane: int, one: "Near") -> "Near":
        """With another lane in this place."""
        missing, useful = self.missing.copy(), self.useful.copy()
        missing[lane], useful[:, lane] = one.missing[0], one.useful[:, 0]
        return Near(missing, useful)


class Targets(Protocol):
    """The nearest whole hands of one hand, if there are enough of each tile."""

    def one(self, chance: Chance) -> list[int]:
        """The tiles of one of them beside the melds; none if that is not known."""
        ...


class Way(Protocol):
    """A way to win, for a seat with known melds. `held`: how many of each tile; in arrays (tiles, lanes)."""

    @property
    def is_exact(self) -> bool:
        """Whether `near` is exact."""
        ...

    def at_least(self, held: Sequence[int]) -> int:
        """No more than are missing, at a glance."""
        ...

    def near(self, held: Array) -> Near:
        """What is missing, as if there were enough of each tile where that is faster."""
        ...

    def exact(self, held: Array, near: Near, best: Array) -> Near:
        """What is missing; `near`: what that says, which is all where more than the `best` number is missing."""
        ...

    def targets(self, held: Array) -> Targets:
        """The nearest whole hands."""
        ...


class NoGlance:
    """A way of which nothing is known at a glance."""

    __slots__ = ()

    def at_least(self, held: Sequence[int]) -> int:
        """Nothing, which is never too much."""
        return 0


@dataclass(frozen=True, slots=True)
class PlainWay(NoGlance):
    """A case (without one: every form) with these melds."""

    reader: ReadingSearch
    melds: tuple[Meld, ...]
    shape: Shape | None = None
    slots: tuple[Slot, ...] = ()

    @property
    def is_exact(self) -> bool:
        """It always is."""
        return True

    def near(self, held: Array) -> Near:
        """What is missing, exactly. Raises TooManyNeeds."""
        near = Near(np.zeros(held.shape[1], np.int64), np.zeros(held.shape, np.bool_))
        for lane, counts in enumerate(held.T.tolist()):
            need = self.need(tuple(counts))
            near.missing[lane] = need.missing
            near.useful[list(self.tiles(need, tuple(counts))), lane] = True
        return near

    def exact(self, held: Array, near: Near, best: Array) -> Near:
        """As near."""
        return near

    def targets(self, held: Array) -> "NoTargets":
        """Not known."""
        return NoTargets()

    def need(self, held: Counts) -> Need:
        """What the hand needs."""
        hand = Hand(tuple(tile for tile, count in enumerate(held) for _ in range(count)), self.melds)
        slow = aims(self.reader)
        if self.shape is None:
            return slow.need(hand, ())
        return nearest(list(slow.of_case(self.shape, self.slots, hand, Counter())))

    def tiles(self, need: Need, held: Counts) -> frozenset[int]:
        """The tiles that would lower it, wild ones among them."""
        wild = set()
        for tile in self.reader.wild.stands_for if need.missing else ():
            more = (*held[:tile], held[tile] + 1, *held[tile + 1 :])
            if self._left(tile, held) and self.need(more).missing < need.missing:
                wild.add(tile)
        return need.tiles | wild

    def _left(self, tile: int, held: Counts) -> bool:
        wild = self.reader.wild
        faces = (tile for meld in self.melds for tile in meld.tiles)
        shown = (other for other, count in enumerate(held) for _ in range(count) if wild.virtual(other))
        return wild.copies[tile] > held[tile] + wild.in_the_box([*faces, *shown])[tile]


class NoTargets:
    """No whole hands are known."""

    def one(self, chance: Chance) -> list[int]:
        """None."""
        return []
