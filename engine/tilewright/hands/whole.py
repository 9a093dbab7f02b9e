"""Whole hands: what a hand needs where a form is a few lists of tiles, or a pick of different ones. Plain counting.

Exact, as `tilewright.hands.needs` is. A look is a hand; `without` is the same hand with one tile less.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb

from tilewright.hands.blocks import Chance
from tilewright.hands.listed import NEVER
from tilewright.hands.readings import ReadingSearch
from tilewright.hands.shape import Slot

MOST_LISTS = 12  # that the slots of a case come to


@dataclass(frozen=True, slots=True)
class Target:
    """These tiles, and `more` tiles of `any_of`. `caps`: how many of each tile there may be, by its index."""

    tiles: tuple[tuple[int, int], ...]
    more: int
    any_of: frozenset[int]
    caps: tuple[int, ...]

    @property
    def possible(self) -> bool:
        """Whether there are enough tiles of the list."""
        return all(count <= self.caps[tile] for tile, count in self.tiles)

    def of(self, held: tuple[int, ...]) -> "TargetLook":
        """What a hand needs for it, given as the number of each tile."""
        wanted = dict(self.tiles)
        shared = sum(min(held[tile], count) for tile, count in self.tiles)
        surplus = sum(max(0, held[tile] - wanted.get(tile, 0)) for tile in self.any_of)
        return TargetLook(self, wanted, held, shared, surplus, sum(wanted.values()) + self.more)


@dataclass(frozen=True, slots=True)
class TargetLook:
    """A hand and a target. `shared`: tiles of the list that it has; `surplus`: others that may be among `more`."""

    whole: Target
    wanted: dict[int, int]
    held: tuple[int, ...]
    shared: int
    surplus: int
    size: int

    def without(self, tile: int, held: tuple[int, ...]) -> "TargetLook":
        """The hand with one tile less."""
        needed = self.held[tile] <= self.wanted.get(tile, 0)
        shared = self.shared - (needed and tile in self.wanted)
        surplus = self.surplus - (not needed and tile in self.whole.any_of)
        return TargetLook(self.whole, self.wanted, held, shared, surplus, self.size)

    def at_least(self) -> int:
        """The look if there were enough of each tile."""
        more = self.whole.more
        return self.size - self.shared - more + max(0, more - self.surplus)

    def distance(self) -> int:
        """How many tiles are missing; NEVER if there are too few."""
        more = self.whole.more - self.surplus
        if more > 0 and more > sum(room for _, room in self._rooms()):
            return NEVER
        return self.at_least()

    def tiles(self) -> int:
        """Those that are missing in some nearest way, as bits."""
        bits = sum(1 << tile for tile, count in self.wanted.items() if count > self.held[tile])
        if self.whole.more > self.surplus:
            for tile, room in self._rooms():
                bits |= (room > 0) << tile
        return bits

    def roughly(self) -> tuple[int, int]:
        """Exactly."""
        return self.distance(), self.tiles()

    def target(self, chance: Chance) -> list[int]:
        """The tiles of a whole hand; of those that may be any, held ones before others."""
        tiles = list(Counter(self.wanted).elements())
        over = {tile: self.held[tile] - self.wanted.get(tile, 0) for tile in self.whole.any_of}
        held = [tile for tile, count in over.items() for _ in range(count)]
        others = [tile for tile, room in self._rooms() for _ in range(room)]
        for free in (held, others):
            while free and len(tiles) < self.size:
                tiles.append(free.pop(chance(len(free))))
        return tiles

    def _rooms(self) -> Iterator[tuple[int, int]]:
        """Tiles that more may be of, with how many besides the list and the hand."""
        for tile in self.whole.any_of:
            yield tile, self.whole.caps[tile] - max(self.held[tile], self.wanted.get(tile, 0))


def targets_of(
    slots: Sequence[Slot], left: Sequence[int], reader: ReadingSearch, inside: Counter[int], caps: tuple[int, ...]
) -> list[Target] | None:
    """The lists of tiles that what is left of the slots comes to, without those that melds have `inside` of them; None
    where they are too many, where slots ask for more than tiles, or where a wild tile may stand in a group."""
    fixed: list[list[tuple[int, ...]]] = []
    more, any_of = 0, frozenset[int]()
    for slot, count in zip(slots, left, strict=True):
        if not count:
            continue
        if slot.different or (slot.groups and slot.tiles):
            return None
        if slot.tiles and not slot.each and len(slot.tiles) > 1:
            if more:
                return None
            more, any_of = count, slot.tiles
            continue
        ways = _ways(slot, count, reader)
        if ways is None:
            return None
        fixed.append(ways)
    found = [Counter(tile for tiles in way for tile in tiles) - inside for way in product(*fixed)]
    if len(found) > MOST_LISTS:
        return None
    made = (Target(tuple(sorted(tiles.items())), more, any_of, caps) for tiles in found)
    return [target for target in made if target.possible]


def _ways(slot: Slot, count: int, reader: ReadingSearch) -> list[tuple[int, ...]] | None:
    """The tiles for this many of the slot."""
    if slot.tiles:
        return [tuple(slot.tiles) * count]
    made = [reader.groups.groups[index] for index in sorted(slot.groups)]
    if comb(len(made) + count - 1, count) > MOST_LISTS:
        return None
    for group in made:
        served = reader.wild.served(group.kinds | group.meld_kinds)
        if any(served.get(tile) for tile in group.tiles):
            return None
    return [
        tuple(tile for group in some for tile in group.tiles) for some in combinations_with_replacement(made, count)
    ]


@dataclass(frozen=True, slots=True)
class FormPick:
    """This many different tiles of a pool, those of `melds` among them."""

    number: int
    pool: frozenset[int]
    melds: frozenset[int]
    caps: tuple[int, ...]

    def of(self, held: tuple[int, ...]) -> "PickLook":
        """What a hand needs for it, given as the number of each tile."""
        return PickLook(self, held)


@dataclass(frozen=True, slots=True)
class PickLook:
    """A hand and a pick."""

    pick: FormPick
    held: tuple[int, ...]

    def without(self, tile: int, held: tuple[int, ...]) -> "PickLook":
        """The hand with one tile less."""
        return PickLook(self.pick, held)

    def at_least(self) -> int:
        """As it is."""
        return self.distance()

    def distance(self) -> int:
        """How many tiles are missing; NEVER if there are too few."""
        missing = self._missing()
        return missing if missing <= len(self._free()) else NEVER

    def tiles(self) -> int:
        """Those that are missing in some nearest way, as bits."""
        return sum(1 << tile for tile in self._free()) if self._missing() else 0

    def roughly(self) -> tuple[int, int]:
        """Exactly."""
        return self.distance(), self.tiles()

    def target(self, chance: Chance) -> list[int]:
        """Different tiles that are a whole hand with those of the melds, held ones before others."""
        wanted = self.pick.number - len(self.pick.melds)
        tiles: list[int] = []
        for free in (
            [tile for tile in self.pick.pool if self.held[tile] and tile not in self.pick.melds],
            self._free(),
        ):
            while free and len(tiles) < wanted:
                tiles.append(free.pop(chance(len(free))))
        return tiles

    def _missing(self) -> int:
        return max(0, self.pick.number - sum(1 for tile in self.pick.pool if self._has(tile)))

    def _free(self) -> list[int]:
        return [tile for tile in self.pick.pool if not self._has(tile) and self.pick.caps[tile] > 0]

    def _has(self, tile: int) -> bool:
        return self.held[tile] > 0 or tile in self.pick.melds
