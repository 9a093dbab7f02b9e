"""Ways: what a seat with these melds can still make, in every form: each case by tables, by search or plainly.

In: a reader and melds. Knows no hand.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.blocks import blocks_of
from tilewright.hands.distance.cards import ListedPlan
from tilewright.hands.distance.near import PlainWay, Way
from tilewright.hands.distance.searched import SearchedBlock, searched_blocks
from tilewright.hands.distance.searching import SearchedWay
from tilewright.hands.distance.states import too_many
from tilewright.hands.distance.tabled import TabledCase, TabledWay
from tilewright.hands.needs import CaseNeeds, TooManyNeeds
from tilewright.hands.reading import Meld, Shape, Slot
from tilewright.hands.readings import Placing, ReadingSearch, merged
from tilewright.hands.waits import aims


class ReaderWays:
    """The ways to win of a reader's shapes, with the tables that they share."""

    def __init__(self, reader: ReadingSearch) -> None:
        self.reader = reader
        self.largest = 1 + max([size_of(case, reader) for shape in reader.shapes for case in shape.cases], default=0)
        self.copies = np.array([reader.wild.copies[tile] for tile in range(len(reader.tiles.tiles))], np.int32)
        self.wild = tuple(sorted(reader.wild.stands_for))
        self._cases: dict[tuple[Slot, ...], TabledCase | None] = {}
        self._blocks: dict[tuple[Slot, ...], list[SearchedBlock] | None] = {}

    def of(self, melds: tuple[Meld, ...]) -> list[Way]:
        """What a seat with these melds can still make: the ways that are usually the nearest ones first."""
        exposed = any(meld.exposed for meld in melds)
        shapes = (shape for shape in self.reader.shapes if not (shape.concealed and exposed))
        found = [way for shape in shapes for way in self._of_shape(shape, melds)]
        return sorted(found, key=lambda way: isinstance(way, PlainWay))

    def _of_shape(self, shape: Shape, melds: tuple[Meld, ...]) -> Iterator[Way]:
        rows = self.reader.rows(shape)
        if rows is not None:
            yield ListedPlan(rows, melds)
        for slots in map(merged, shape.cases):
            if shape.pick is None:
                yield from self._of_case(shape, slots, melds)
            else:
                yield from self._of_pick(shape, shape.pick, slots, melds)

    def _of_pick(self, shape: Shape, number: int, slots: tuple[Slot, ...], melds: tuple[Meld, ...]) -> Iterator[Way]:
        """Different tiles of a pool, those of the melds among them."""
        reader = self.reader
        pool = frozenset(reader.pool(slots))
        must = Counter(reader.faces(tile for meld in melds for tile in meld.tiles))
        if reader.may_absorb(shape, melds) and must.total() == len(must) <= number and must.keys() <= pool:
            slot = Slot(number - len(must), tiles=frozenset(pool - must.keys()), different=True)
            case = self.tabled((slot,))
            if case is None:
                yield self._plain(shape, slots, melds)
            else:
                yield TabledWay(case, (slot.count,), self._counted(Counter()), self.copies)

    def _of_case(self, shape: Shape, slots: tuple[Slot, ...], melds: tuple[Meld, ...]) -> list[Way]:
        """What is left of a case to fill; plainly if only that knows some of it."""
        found: list[Way] = []
        for placing in self.reader.placings(shape, slots, melds):
            ways = None if placing.used else self._of_placing(shape, slots, melds, placing)
            if ways is None:
                return [self._plain(shape, slots, melds)]
            found += ways
        return found

    def _of_placing(
        self, shape: Shape, slots: tuple[Slot, ...], melds: tuple[Meld, ...], placing: Placing
    ) -> list[Way] | None:
        """None if only the plain way knows."""
        reader = self.reader
        out = reader.wild.in_the_box(tile for meld in placing.placed for tile in meld.tiles)
        inside = Counter(reader.faces(tile for meld in placing.absorbed for tile in meld.tiles))
        caps = self.copies - self._counted(out) - self._counted(inside)
        found: list[Way] = []
        for hosts in aims(reader).hosts(slots, placing.left, placing.absorbed):
            left = [count - hosts.count(at) for at, count in enumerate(placing.left)]
            only = [only_tiles(slot, reader) for slot in slots]
            inner = [only_tiles(slot, reader) for slot in hosts.slots]
            open_slots = [at for at, tiles in enumerate(only) if not tiles]
            case = self.tabled(tuple(slots[at] for at in open_slots)) if all(inner) else None
            if case is None:
                way = None if inside else self._searched(shape, slots, melds, placing, caps)
                if way is None:
                    return None
                found.append(way)
                continue
            needed = Counter(tile for tiles, count in zip(only, left, strict=True) for tile in tiles * count)
            needed += Counter(tile for tiles in inner for tile in tiles)
            fixed = self._counted(needed - inside)
            if (fixed <= caps).all():
                found.append(TabledWay(case, tuple(left[at] for at in open_slots), fixed, caps))
        return found

    def _searched(
        self, shape: Shape, slots: tuple[Slot, ...], melds: tuple[Meld, ...], placing: Placing, caps: Array
    ) -> Way | None:
        if slots not in self._blocks:
            case = None if too_many(tuple(slot.count for slot in slots)) else self.needs(slots)
            self._blocks[slots] = None if case is None else searched_blocks(case)
        blocks, plainly = self._blocks[slots], self._plain(shape, slots, melds)
        limits = tuple(slot.count for slot in slots)
        return None if blocks is None else SearchedWay(blocks, self.wild, limits, placing.left, caps, plainly)

    def _plain(self, shape: Shape, slots: tuple[Slot, ...], melds: tuple[Meld, ...]) -> PlainWay:
        return PlainWay(self.reader, melds, shape, slots)

    def tabled(self, slots: tuple[Slot, ...]) -> TabledCase | None:
        """The tables of these slots, none of them with only one way to fill it; None if they are too large."""
        if slots not in self._cases:
            self._cases[slots] = self._tabled(slots)
        return self._cases[slots]

    def _tabled(self, slots: tuple[Slot, ...]) -> TabledCase | None:
        limits = tuple(slot.count for slot in slots)
        case = None if too_many(limits) else self.needs(slots)
        blocks = None if case is None else blocks_of(case)
        found = None if blocks is None else TabledCase(blocks, limits, self.largest)
        return found if found is not None and found.whole else None

    def needs(self, slots: tuple[Slot, ...]) -> CaseNeeds | None:
        """What `tilewright.hands.needs` knows of these slots; None if that is too much."""
        try:
            return CaseNeeds(self.reader.groups, self.reader.wild, slots)
        except TooManyNeeds:
            return None

    def _counted(self, tiles: Counter[int]) -> Array:
        """The counts as an array."""
        return np.array([tiles[tile] for tile in range(len(self.copies))], np.int32)


def only_tiles(slot: Slot, reader: ReadingSearch) -> tuple[int, ...]:
    """The tiles of the only way to fill the slot once; none where there is a choice, or where a wild tile may stand."""
    if slot.different and slot.count > 1:
        return ()
    if slot.tiles:
        return tuple(slot.tiles) if not slot.groups and (slot.each or len(slot.tiles) == 1) else ()
    if len(slot.groups) != 1:
        return ()
    group = reader.groups.groups[min(slot.groups)]
    served = reader.wild.served(group.kinds | group.meld_kinds)
    return () if any(served.get(tile) for tile in group.tiles) else group.tiles


def size_of(case: tuple[Slot, ...], reader: ReadingSearch) -> int:
    """How many tiles the case takes up at most."""
    return sum(slot.count * largest_of(slot, reader) for slot in case)


def largest_of(slot: Slot, reader: ReadingSearch) -> int:
    """How many tiles fill the slot once, at most."""
    singles = (len(slot.tiles) if slot.each else 1) if slot.tiles else 0
    return max([singles, *(len(reader.groups.groups[group].tiles) for group in slot.groups)])
