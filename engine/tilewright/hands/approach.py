"""Approach: how far hands are from any form, and which tiles bring them nearer, fast enough for every turn.

In: a reader, then hands; a look at a hand can be repeated with one tile less, which is how a discard is chosen. Answers
exactly as `tilewright.hands.waits` does, which answers where tables do not suffice. Knows no worth and no table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

from tilewright.hands.blocks import Chance
from tilewright.hands.listed import NEVER
from tilewright.hands.listed_look import ListedPlan
from tilewright.hands.needs import CaseNeeds, Need
from tilewright.hands.reading import Hand, Meld
from tilewright.hands.readings import Placing, ReadingSearch, merged
from tilewright.hands.shape import Shape, Slot
from tilewright.hands.sums import CaseTables, Sum
from tilewright.hands.waits import DiscardWaits, aims, nearest
from tilewright.hands.whole import FormPick, Target, targets_of

MOST_PLANS = 500  # sets of melds for which plans are kept
Counts = tuple[int, ...]


@lru_cache(maxsize=32)
def approach(reader: ReadingSearch) -> "Approach":
    """The tables of a reader, made once."""
    return Approach(reader)


class Approach:
    """The tables of a reader's shapes."""

    def __init__(self, reader: ReadingSearch) -> None:
        self.reader = reader
        self.wild = reader.wild
        self.plain = [tile.plain for tile in reader.tiles.tiles]
        self.copies = tuple(self.wild.copies[tile] for tile in range(len(self.plain)))
        self.in_the_box = [next(iter(self.wild.in_the_box((face,)))) for face in range(len(self.plain))]
        self.in_order = [tile for tile in reader.tiles.order if self.plain[tile] == tile and self.wild.copies[tile]]
        self._tables: dict[tuple[Slot, ...], CaseTables] = {}
        self._plans: dict[tuple[Meld, ...], ApproachPlan] = {}

    def look(self, hand: Hand) -> "Look":
        """The hand, to be queried."""
        faces = hand.tiles if hand.win is None else (*hand.tiles, hand.win)
        counts = [0] * len(self.plain)
        for face in faces:
            counts[self.plain[face]] += 1
        held = tuple(counts)
        return Look(self, faces, hand.melds, held, self.plan(hand.melds).of(held))

    def discards(self, hand: Hand, seen: Iterable[int] = ()) -> list[DiscardWaits]:
        """As `waits.best_discards`."""
        look, left = self.look(hand), self.left(hand, seen)
        found = [discard_of(face, look.without(face), left) for face in dict.fromkeys(look.faces)]
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
        """The queries for a hand with these melds."""
        found = self._plans.get(melds)
        if found is None:
            if len(self._plans) > MOST_PLANS:
                self._plans.clear()
            found = self._plans[melds] = ApproachPlan(self, melds)
        return found

    def tables(self, slots: tuple[Slot, ...]) -> CaseTables:
        """The tables of a case."""
        if slots not in self._tables:
            self._tables[slots] = CaseTables(CaseNeeds(self.reader.groups, self.wild, slots))
        return self._tables[slots]


def discard_of(face: int, after: "Look", left: Mapping[int, int]) -> DiscardWaits:
    """What remains when a tile goes; `left`: how many of each plain tile are left."""
    return DiscardWaits(face, after.distance, tuple([(tile, left[tile]) for tile in after.useful if left[tile] > 0]))


class ApproachQuery(Protocol):
    """A hand and one way to win with it. `at_least` is never more than the distance, and quick; `roughly` are distance
    and tiles as quickly, as if there were enough of each tile; `target`: the tiles of one of the
    nearest whole hands, none where that is not known."""

    def at_least(self) -> int: ...
    def distance(self) -> int: ...
    def tiles(self) -> int: ...
    def roughly(self) -> tuple[int, int]: ...
    def without(self, tile: int, held: Counts) -> "ApproachQuery": ...
    def target(self, chance: Chance) -> list[int]: ...


class Look:
    """A hand, queried for its distance. `asked`: every way to win with it."""

    def __init__(
        self,
        approach: Approach,
        faces: tuple[int, ...],
        melds: tuple[Meld, ...],
        held: Counts,
        asked: list[ApproachQuery],
    ) -> None:
        self.approach = approach
        self.faces = faces
        self.melds = melds
        self.held = held
        self.asked = asked

    def roughly_without(self, face: int) -> "Look":
        """The hand with one tile less, for rough queries."""
        return self._without(face, self.asked)

    def without(self, face: int) -> "Look":
        """The hand with one tile less: at most one further away, so many ways to win need not be tried again."""
        return self._without(face, [one for one in self.asked if one.at_least() <= self.distance + 1])

    def _without(self, face: int, asked: "list[ApproachQuery]") -> "Look":
        at, tile = self.faces.index(face), self.approach.plain[face]
        held = (*self.held[:tile], self.held[tile] - 1, *self.held[tile + 1 :])
        faces = (*self.faces[:at], *self.faces[at + 1 :])
        return Look(self.approach, faces, self.melds, held, [one.without(tile, held) for one in asked])

    def at_least(self) -> int:
        """Never more than the distance, and fast."""
        return min([one.at_least() for one in self.asked], default=NEVER)

    @cached_property
    def distance(self) -> int:
        """As `waits.distance`."""
        least = NEVER
        for one in self.asked:
            if one.at_least() < least:
                least = min(least, one.distance())
        return least

    @cached_property
    def roughly(self) -> tuple[int, tuple[int, ...]]:
        """Distance and useful tiles, fast, ignoring how many copies there are."""
        found = [one.roughly() for one in self.asked]
        least = min([number for number, _ in found], default=NEVER)
        bits = 0
        for number, more in found:
            bits |= more if number == least else 0
        return least, tuple([tile for tile in self.approach.in_order if bits >> tile & 1]) if 0 < least < NEVER else ()

    def target(self, chance: Chance) -> tuple[int, ...]:
        """Plain tiles of one of the nearest whole hands beside the melds, in the tile set's order; none where that is
        not known. `chance` gives a number from 0 to below another one. It may want more of a tile than there are."""
        nearest = [one for one in self.asked if one.at_least() == self.roughly[0]]
        tiles = nearest[chance(len(nearest))].target(chance) if nearest else []
        return tuple(sorted(tiles, key=self.approach.reader.place.__getitem__))

    @cached_property
    def useful(self) -> tuple[int, ...]:
        """As `waits.useful`."""
        bits = 0
        for one in self.asked if 0 < self.distance < NEVER else ():
            if one.at_least() <= self.distance and one.distance() == self.distance:
                bits |= one.tiles()
        return tuple([tile for tile in self.approach.in_order if bits >> tile & 1])


class ApproachPlan:
    """What a seat with these melds can still make, in every form."""

    def __init__(self, approach: Approach, melds: tuple[Meld, ...]) -> None:
        self.approach = approach
        self.melds = melds
        self.whole = Plainly(approach, melds)
        self.ways: list[PlacedBlock | Plainly | Target | FormPick | ListedPlan] = []
        exposed = any(meld.exposed for meld in melds)
        for shape in approach.reader.shapes:
            if not (shape.concealed and exposed):
                self.ways += self._of_shape(shape)
        self.ways.sort(key=lambda way: not isinstance(way, PlacedBlock))  # the usually nearest ones first

    def of(self, held: Counts) -> list[ApproachQuery]:
        """A hand for every query; one with a rank that has no tile the slow way."""
        if any(count for count, copies in zip(held, self.approach.copies, strict=True) if not copies):
            return [self.whole.of(held)]
        return [way.of(held) for way in self.ways]

    def _of_shape(self, shape: Shape) -> "Iterator[PlacedBlock | Plainly | Target | FormPick | ListedPlan]":
        rows = self.approach.reader.rows(shape)
        if rows is not None:
            yield ListedPlan(rows, self.melds)
        for slots in map(merged, shape.cases):
            if shape.pick is None:
                yield from self._of_case(shape, slots)
            elif (pick := self._pick(shape, shape.pick, slots)) is not None:
                yield pick

    def _pick(self, shape: Shape, number: int, slots: tuple[Slot, ...]) -> FormPick | None:
        reader = self.approach.reader
        if not reader.may_absorb(shape, self.melds):
            return None
        must = Counter(reader.faces(tile for meld in self.melds for tile in meld.tiles))
        pool = frozenset(reader.pool(slots))
        if must.total() != len(must) or len(must) > number or not must.keys() <= pool:
            return None
        return FormPick(number, pool, frozenset(must), self.approach.copies)

    def _of_case(self, shape: Shape, slots: tuple[Slot, ...]) -> "list[PlacedBlock | Target] | list[Plainly]":
        plainly = Plainly(self.approach, self.melds, shape, slots)
        found: list[PlacedBlock | Target] = []
        for placing in self.approach.reader.placings(shape, slots, self.melds):
            ways = None if placing.used else self._of_placing(plainly, placing)
            if ways is None:
                return [plainly]
            found += ways
        return found

    def _of_placing(self, plainly: "Plainly", placing: Placing) -> "list[PlacedBlock | Target] | None":
        """What is left of a case to fill; None if only the slow way knows."""
        reader, slots = self.approach.reader, plainly.slots
        out = self.approach.wild.in_the_box(tile for meld in placing.placed for tile in meld.tiles)
        inside = Counter(reader.faces(tile for meld in placing.absorbed for tile in meld.tiles))
        caps = tuple(count - out[tile] - inside[tile] for tile, count in enumerate(self.approach.copies))
        found: list[PlacedBlock | Target] = []
        for hosts in aims(reader).hosts(slots, placing.left, placing.absorbed):
            left = [count - hosts.count(at) for at, count in enumerate(placing.left)] + [1 for _ in hosts.slots]
            targets = targets_of((*slots, *hosts.slots), left, reader, inside, caps)
            if targets is None and inside:
                return None
            found += (
                [PlacedBlock(self.approach.tables(slots), placing.left, out, plainly)] if targets is None else targets
            )
        return found


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A case with melds in its slots: what is left of these, and the tiles that are out."""

    tables: CaseTables
    left: Counts
    out: Counter[int]
    plainly: "Plainly"

    def of(self, held: Counts) -> ApproachQuery:
        """A hand, to be queried."""
        wild = tuple([held[tile] for tile in self.tables.case.wild_tiles])
        if not self.tables.takes(wild):
            return self.plainly.of(held)
        return SumLook(self, held, self.tables.sums(self.left, self.out, wild).of(held))


class SumLook:
    """A hand, for what is left of a case that is the sum of its blocks."""

    __slots__ = ("_least", "_need", "held", "placed", "whole")

    def __init__(self, placed: PlacedBlock, held: Counts, whole: Sum) -> None:
        self.placed = placed
        self.held = held
        self.whole = whole
        self._least = whole.distance()
        self._need: tuple[int, int] | None = None

    def without(self, tile: int, held: Counts) -> ApproachQuery:
        """The hand with one tile less."""
        tables = self.placed.tables
        if tile in tables.case.wild_tiles:
            return self.placed.of(held)
        number = tables.where.get(tile)
        if number is None:
            return SumLook(self.placed, held, self.whole)
        counts = tuple([held[other] for other in tables.blocks[number].tiles])
        return SumLook(self.placed, held, self.whole.with_counts(number, counts))

    def at_least(self) -> int:
        """The look if there were enough of each tile."""
        return self._least

    def distance(self) -> int:
        """How many tiles are missing."""
        return self._needed()[0]

    def tiles(self) -> int:
        """The missing ones as bits."""
        return self._needed()[1]

    def roughly(self) -> tuple[int, int]:
        """As if there were enough of each tile."""
        return self._least, self.whole.rough_tiles()

    def target(self, chance: Chance) -> list[int]:
        """The tiles of a whole hand."""
        return self.whole.target(chance)

    def _needed(self) -> tuple[int, int]:
        if self._need is None:
            self._need = self.whole.need() or self.placed.plainly.both(self.held)
        return self._need


@dataclass(frozen=True, slots=True)
class Plainly:
    """A case (without one: every form) with these melds, queried the slow way."""

    approach: Approach
    melds: tuple[Meld, ...]
    shape: Shape | None = None
    slots: tuple[Slot, ...] = ()

    def of(self, held: Counts) -> ApproachQuery:
        """A hand, to be queried."""
        return PlainLook(self, held)

    def need(self, held: Counts) -> Need:
        """What the hand needs."""
        hand = Hand(tuple(tile for tile, count in enumerate(held) for _ in range(count)), self.melds)
        slow = aims(self.approach.reader)
        if self.shape is None:
            return slow.need(hand, ())
        return nearest(list(slow.of_case(self.shape, self.slots, hand, Counter())))

    def both(self, held: Counts) -> tuple[int, int]:
        """How many tiles are missing, and which may be."""
        need = self.need(held)
        return need.missing, self.bits(need, held)

    def bits(self, need: Need, held: Counts) -> int:
        """The tiles that would lower it, wild ones among them."""
        bits = sum(1 << tile for tile in need.tiles)
        for tile in self.approach.wild.stands_for if need.missing else ():
            more = (*held[:tile], held[tile] + 1, *held[tile + 1 :])
            if self._left(tile, held) and self.need(more).missing < need.missing:
                bits |= 1 << tile
        return bits

    def _left(self, tile: int, held: Counts) -> bool:
        wild = self.approach.wild
        faces = (tile for meld in self.melds for tile in meld.tiles)
        shown = (other for other, count in enumerate(held) for _ in range(count) if wild.virtual(other))
        return wild.copies[tile] > held[tile] + wild.in_the_box([*faces, *shown])[tile]


class PlainLook:
    """A hand, queried the slow way. `best`: the least that it may be."""

    def __init__(self, plainly: Plainly, held: Counts, best: int = 0) -> None:
        self.plainly = plainly
        self.held = held
        self.best = best

    def without(self, tile: int, held: Counts) -> ApproachQuery:
        """The hand with one tile less, which is no nearer."""
        return PlainLook(self.plainly, held, self.distance())

    def at_least(self) -> int:
        """No less than with one tile more."""
        return self.best

    def distance(self) -> int:
        """How many tiles are missing."""
        return self._need.missing

    def tiles(self) -> int:
        """Those that are missing in some nearest way, as bits."""
        return self.plainly.bits(self._need, self.held)

    def roughly(self) -> tuple[int, int]:
        """As slow as the exact answer."""
        return self.distance(), self.tiles()

    def target(self, chance: Chance) -> list[int]:
        """Not known."""
        return []

    @cached_property
    def _need(self) -> Need:
        return self.plainly.need(self.held)
