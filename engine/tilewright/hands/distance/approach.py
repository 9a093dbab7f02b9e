"""Approach: how far hands are from any form, and which tiles bring them nearer, fast enough for every turn.

In: a reader, then melds and hands. What a seat with its melds can still make are ways: each case by tables, by search
or plainly. Answers exactly as `tilewright.hands.waits` does, which answers where tables do not suffice. Knows no worth
and no table.
"""

import functools
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from tilewright.base.arrays import Array
from tilewright.base.memory import kept
from tilewright.hands.distance.cards import ListedPlan
from tilewright.hands.distance.near import Chance, Near, PlainWay, Targets, Way, blocks_of, too_many
from tilewright.hands.distance.searched import SearchedBlock, SearchedWay, searched_blocks
from tilewright.hands.distance.tabled import TabledCase, TabledWay
from tilewright.hands.listed import NEVER
from tilewright.hands.needs import CaseNeeds, TooManyNeeds
from tilewright.hands.reading import Hand, Meld, Shape, Slot
from tilewright.hands.readings import Placing, ReadingSearch, merged
from tilewright.hands.waits import DiscardWaits, aims


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


# --- hands


Answer = tuple[int, tuple[int, ...]]  # distance, useful tiles
MOST_PLANS = 500  # sets of melds whose ways are kept


@lru_cache(maxsize=32)
def approach(reader: ReadingSearch) -> "Approach":
    """The approach to a reader's shapes, made once."""
    return Approach(reader)


class Approach:
    """The ways to win of a reader's shapes."""

    def __init__(self, reader: ReadingSearch) -> None:
        self.reader = reader
        self.wild = reader.wild
        self.plain = [tile.plain for tile in reader.tiles.tiles]
        self.in_the_box = [next(iter(self.wild.in_the_box((face,)))) for face in range(len(self.plain))]
        in_order = [tile for tile in reader.tiles.order if self.plain[tile] == tile and self.wild.copies[tile]]
        self.order = np.array(in_order, np.int64)
        self.reader_ways = ReaderWays(reader)
        self._plans: dict[tuple[Meld, ...], ApproachPlan] = {}

    def look(self, hand: Hand) -> "Look":
        """The hand, to be queried."""
        faces = hand.tiles if hand.win is None else (*hand.tiles, hand.win)
        counts = [0] * len(self.plain)
        for face in faces:
            counts[self.plain[face]] += 1
        ways = self.plan(hand.melds).of(counts)
        return Look(self, faces, tuple(counts), ways, [way.at_least(counts) for way in ways])

    def discards(self, hand: Hand, seen: Iterable[int] = ()) -> list[DiscardWaits]:
        """As `waits.best_discards`."""
        look, left = self.look(hand), self.left(hand, seen)
        lane, answers = look.without_each
        found = [discard_of(face, *answers[lane[self.plain[face]]], left) for face in dict.fromkeys(look.faces)]
        place = self.reader.place
        return sorted(found, key=lambda discard: (discard.distance, -discard.left, place[discard.tile]))

    def left(self, hand: Hand, seen: Iterable[int] = ()) -> Counter[int]:
        """The copies of each plain tile that the seat does not have and nobody has seen."""
        own = hand.tiles if hand.win is None else (*hand.tiles, hand.win)
        left = self.wild.copies.copy()
        gone = (*own, *(tile for meld in hand.melds for tile in meld.tiles), *seen)
        left.subtract([self.in_the_box[face] for face in gone])
        return left

    def plan(self, melds: tuple[Meld, ...]) -> "ApproachPlan":
        """The ways to win for a seat with these melds."""
        found = self._plans.get(melds)
        if found is None:
            found = kept(self._plans, melds, ApproachPlan(self, melds), MOST_PLANS)
        return found


class ApproachPlan:
    """What a seat with these melds can still make, in every form."""

    def __init__(self, approach: Approach, melds: tuple[Meld, ...]) -> None:
        self.ways = approach.reader_ways.of(melds)
        self.plainly: list[Way] = [PlainWay(approach.reader, melds)]
        self.virtual = [tile for tile in range(len(approach.plain)) if approach.wild.virtual(tile)]
        tabled = any(isinstance(way, TabledWay) for way in self.ways)
        self.largest = approach.reader_ways.largest if tabled else sys.maxsize

    def of(self, held: Sequence[int]) -> Sequence[Way]:
        """The ways for a hand; one with a rank that has no tile, or with more tiles than tables know, plainly."""
        strange = sum(held) >= self.largest or any(held[tile] for tile in self.virtual)
        return self.plainly if strange else self.ways


def discard_of(face: int, distance: int, useful: Iterable[int], left: Mapping[int, int]) -> DiscardWaits:
    """What remains when a tile goes; `left`: how many of each plain tile are left."""
    return DiscardWaits(face, distance, tuple([(tile, left[tile]) for tile in useful if left[tile] > 0]))


class Look:
    """A hand, queried for its distance. `ways`: every way to win with it; `least`: no more than each is away."""

    def __init__(
        self,
        approach: Approach,
        faces: tuple[int, ...],
        held: tuple[int, ...],
        ways: Sequence[Way],
        least: Sequence[int],
        known: "Known | None" = None,
    ) -> None:
        self.approach = approach
        self.faces = faces
        self.held = held
        self.ways = ways
        self.least = list(least)
        self.known = known
        self._near: dict[int, Near] = {}
        self._targets: dict[int, Targets] = {}

    @cached_property
    def lane(self) -> Array:
        """The number of each tile as one lane."""
        return np.array(self.held, np.int32).reshape(-1, 1)

    def near(self, at: int) -> Near:
        """How near one of the ways is."""
        found = self._near.get(at)
        if found is None:
            known = self.known.of(at) if self.known is not None else None
            found = known if known is not None else self.ways[at].near(self.lane)
            self._near[at], self.least[at] = found, int(found.missing[0])
        return found

    def _at_hand(self, at: int, _: int) -> Near:
        """The same, however near others are."""
        return self.near(at)

    # --- as if there were enough of each tile

    @cached_property
    def roughly(self) -> tuple[int, tuple[int, ...]]:
        """Distance and useful tiles, fast, ignoring how many copies there are."""
        return self._nearest(self._at_hand) if self.known is None else self.known.roughly

    def at_least(self) -> int:
        """Never more than the distance."""
        return self.roughly[0]

    def target(self, chance: Chance) -> tuple[int, ...]:
        """Plain tiles of one of the nearest whole hands beside the melds, in the tile set's order; none where that is
        not known. `chance` gives a number from 0 to below another one. It may want more of a tile than there are."""
        if not self._nearest_ways:
            return ()
        at = self._nearest_ways[chance(len(self._nearest_ways))]
        if at not in self._targets:
            self._targets[at] = self.ways[at].targets(self.lane[:, 0])
        return tuple(sorted(self._targets[at].one(chance), key=self.approach.reader.place.__getitem__))

    @cached_property
    def _nearest_ways(self) -> list[int]:
        distance = self._nearest(self._at_hand)[0]
        return [at for at, least in enumerate(self.least) if least == distance < NEVER]

    # --- exactly

    @property
    def distance(self) -> int:
        """As `waits.distance`."""
        return self._exactly[0]

    @property
    def useful(self) -> tuple[int, ...]:
        """As `waits.useful`."""
        return self._exactly[1]

    @cached_property
    def _exactly(self) -> tuple[int, tuple[int, ...]]:
        if all(way.is_exact for way in self.ways):
            return self.roughly
        return self._nearest(lambda at, best: self.ways[at].exact(self.lane, self.near(at), np.array([best])))

    def _nearest(self, ask: Callable[[int, int], Near]) -> tuple[int, tuple[int, ...]]:
        """The distance by the nearest ways, and the tiles that are useful in one of these."""
        best, found = NEVER, []
        for at in sorted(range(len(self.ways)), key=self.least.__getitem__):
            if self.least[at] <= best:
                found.append(ask(at, best))
                best = min(best, int(found[-1].missing[0]))
        return together(found, self.approach.order, 1)[0]

    # --- with one tile less

    def without(self, face: int) -> "Look":
        """The hand with one tile less."""
        at, tile = self.faces.index(face), self.approach.plain[face]
        held = (*self.held[:tile], self.held[tile] - 1, *self.held[tile + 1 :])
        faces = (*self.faces[:at], *self.faces[at + 1 :])
        lane, near, roughly = self._fewer
        return Look(self.approach, faces, held, self.ways, self.least, Known(roughly[lane[tile]], near, lane[tile]))

    @cached_property
    def _fewer(self) -> tuple[dict[int, int], dict[int, Near], list[Answer]]:
        """The hands with one tile less: the lane of each tile, how near the ways are, and all together."""
        near = self._near_without(lambda way, lanes, best: way.near(lanes))
        return self._lanes[0], near, together(list(near.values()), self.approach.order, len(self._lanes[0]))

    @cached_property
    def without_each(self) -> tuple[dict[int, int], list[Answer]]:
        """The lane of each tile, and exact answers for the hands with one tile less, by lane."""
        lane = self._lanes[0]
        near = self._near_without(lambda way, lanes, best: way.exact(lanes, way.near(lanes), best)) if lane else {}
        return lane, together(list(near.values()), self.approach.order, len(lane))

    @cached_property
    def _lanes(self) -> tuple[dict[int, int], Array]:
        """The lane of each tile, and the hands with one tile less."""
        tiles = [tile for tile, count in enumerate(self.held) if count]
        lanes = np.repeat(self.lane, len(tiles), axis=1)
        lanes[tiles, range(len(tiles))] -= 1
        return {tile: lane for lane, tile in enumerate(tiles)}, lanes

    def _near_without(self, ask: Callable[[Way, Array, Array], Near]) -> dict[int, Near]:
        """How near the ways are with one tile less, those that may be the nearest then."""
        lanes = self._lanes[1]
        best, found = np.full(lanes.shape[1], NEVER), {}
        for at in sorted(range(len(self.ways)), key=self.least.__getitem__):
            if self.least[at] <= best.max():
                found[at] = ask(self.ways[at], lanes, best)
                best = np.minimum(best, found[at].missing)
        return found


@dataclass(frozen=True, slots=True)
class Known:
    """What the look at a hand with a tile more found: the rough answer, and a lane of the ways that may be nearest."""

    roughly: Answer
    near: Mapping[int, Near]
    lane: int

    def of(self, way: int) -> Near | None:
        """What is known of a way."""
        near = self.near.get(way)
        return None if near is None else near.lane(self.lane)


def together(near: Sequence[Near], order: Array, lanes: int) -> list[Answer]:
    """For each lane the distance by the nearest ways, and the tiles that are useful in one of these, in order."""
    if not near:
        return [(NEVER, ())] * lanes
    least = functools.reduce(np.minimum, [one.missing for one in near])
    useful = functools.reduce(np.logical_or, [one.useful & (one.missing == least) for one in near])
    at, tiles = useful[order].T.nonzero()
    found: list[list[int]] = [[] for _ in range(lanes)]
    for lane, tile in zip(at.tolist(), order[tiles].tolist(), strict=True):
        found[lane].append(tile)
    return [(number, tuple(some)) for number, some in zip(least.tolist(), found, strict=True)]
