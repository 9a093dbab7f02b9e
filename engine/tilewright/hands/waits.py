"""Waits: which tiles complete a hand, how far it is from any form, and what to discard.

Knows tiles, groups and shapes. Knows no worth, and only the tiles on the table that it is given. A shape without groups
(a condition alone) is tested with `accepts`, and is too far away for `distance`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from tilewright.base.memory import kept
from tilewright.hands.listed import NEVER
from tilewright.hands.needs import CaseNeeds, Holding, Need, TooManyNeeds
from tilewright.hands.reading import Hand, Meld, Shape, Slot
from tilewright.hands.readings import ReadingSearch, merged

MOST_HANDS = 20_000  # whose needs are kept


@dataclass(frozen=True, slots=True)
class DiscardWaits:
    """What remains when a tile goes: the distance, and the plain tiles that lower it with how many of each are left."""

    tile: int
    distance: int
    useful: tuple[tuple[int, int], ...]

    @property
    def left(self) -> int:
        """How many tiles would bring the hand nearer."""
        return sum(count for _, count in self.useful)


def waits(
    reader: ReadingSearch, hand: Hand, accepts: Callable[[Hand], bool] | None = None, every: bool = False
) -> tuple[int, ...]:
    """The plain tiles that complete the hand (of one tile less, `win` None), in the order of the tile set.

    `accepts` says of a hand with its winning tile, where that fits a shape, whether it is complete; unless given, any
    reading will do. A tile that the hand holds all copies of is left out unless `every`.
    """
    complete = accepts or reader.fits
    held = _counted(reader, hand)
    used_up = {tile for tile in held if held[tile] >= reader.wild.copies[tile]}
    promising = _promising(reader, hand)
    return tuple(
        tile
        for tile in _plain_in_order(reader)
        if (every if tile in used_up else promising is None or tile in promising) and complete(replace(hand, win=tile))
    )


def _promising(reader: ReadingSearch, hand: Hand) -> frozenset[int] | None:
    """The only tiles worth trying besides those used up; None if all must be tried."""
    if not all(shape.cases or shape.listed for shape in reader.shapes):
        return None
    found: frozenset[int] = frozenset()
    for shape in reader.shapes:
        tiles = _completing(reader, shape, hand)
        if tiles is None:
            return _nearing(reader, hand)
        found |= tiles
    return found


def _completing(reader: ReadingSearch, shape: Shape, hand: Hand) -> frozenset[int] | None:
    """The only tiles that may complete the hand to this shape, as far as the tiles that it cannot do without show;
    None where they do not show it."""
    if shape.listed is not None or reader.wild.stands_for:
        return None
    found: frozenset[int] = frozenset()
    for slots in map(merged, shape.cases):
        lacking = reader.lacking(shape, slots, hand)
        if lacking == 1:
            found |= reader.absent(shape, slots, hand)
        elif not lacking:
            nearest_in = _nearest_in(reader, shape, slots, hand) if reader.fixed(slots) else None
            if nearest_in is None or not nearest_in.missing:
                return None
            found |= nearest_in.tiles if nearest_in.missing == 1 else frozenset()
    return found


def _nearest_in(reader: ReadingSearch, shape: Shape, slots: tuple[Slot, ...], hand: Hand) -> Need | None:
    """What the hand wants for one case; None where that is too hard a question."""
    try:
        return nearest(list(aims(reader).of_case(shape, slots, hand, Counter())))
    except TooManyNeeds:
        return None


def _nearing(reader: ReadingSearch, hand: Hand) -> frozenset[int] | None:
    """The tiles that bring the hand nearer, if it waits; None where only trying shows."""
    try:
        wanting = distance(reader, hand)
        return frozenset(useful(reader, hand)) if wanting == 1 else frozenset() if wanting else None
    except TooManyNeeds:
        return None


def distance(reader: ReadingSearch, hand: Hand, seen: Iterable[int] = ()) -> int:
    """How many tiles are missing for the nearest shape: 0 for a full hand, 1 for one that waits, NEVER if the melds and
    the copies in the box allow none. `seen`: tiles besides the hand's that cannot be drawn any more. Raises
    TooManyNeeds where a ruleset makes this too hard a question."""
    return aims(reader).need(hand, tuple(sorted(seen))).missing


def useful(reader: ReadingSearch, hand: Hand, seen: Iterable[int] = ()) -> tuple[int, ...]:
    """The plain tiles that would lower the distance, in the order of the tile set."""
    gone = tuple(sorted(seen))
    need = aims(reader).need(hand, gone)
    left = reader.wild.copies - _counted(reader, hand) - reader.wild.in_the_box(gone)
    wild = {
        tile
        for tile in reader.wild.stands_for
        if need.missing
        and left[tile]
        and distance(reader, replace(hand, tiles=(*hand.tiles, tile)), gone) < need.missing
    }
    return tuple(tile for tile in _plain_in_order(reader) if tile in need.tiles or tile in wild)


def best_discards(reader: ReadingSearch, hand: Hand, seen: Iterable[int] = ()) -> list[DiscardWaits]:
    """Every tile that a hand of one tile too many could discard, best first: by distance, then by how many tiles would
    lower it. `seen`: tiles on the table besides the hand's own melds."""
    tiles = hand.tiles if hand.win is None else (*hand.tiles, hand.win)
    gone = _counted(reader, hand) + reader.wild.in_the_box(seen)
    found = []
    for tile in dict.fromkeys(tiles):
        at = tiles.index(tile)
        after = replace(hand, tiles=(*tiles[:at], *tiles[at + 1 :]), win=None)
        left = [(other, reader.wild.copies[other] - gone[other]) for other in useful(reader, after)]
        found.append(DiscardWaits(tile, distance(reader, after), tuple(pair for pair in left if pair[1] > 0)))
    return sorted(found, key=lambda discard: (discard.distance, -discard.left, reader.place[discard.tile]))


def _plain_in_order(reader: ReadingSearch) -> Iterator[int]:
    tiles = reader.tiles.tiles
    return (tile for tile in reader.tiles.order if tiles[tile].plain == tile and reader.wild.copies[tile])


def _counted(reader: ReadingSearch, hand: Hand) -> Counter[int]:
    """Plain tiles of the box that the seat has."""
    own = hand.tiles if hand.win is None else (*hand.tiles, hand.win)
    return reader.wild.in_the_box([*own, *(tile for meld in hand.melds for tile in meld.tiles)])


@lru_cache(maxsize=32)
def aims(reader: ReadingSearch) -> "Aims":
    """The tables of a reader, made once."""
    return Aims(reader)


@dataclass(frozen=True, slots=True)
class Hosts:
    """Groups with melds inside: (slot, tiles that are not melded) of each, and each as a slot of its own."""

    rooms: tuple[tuple[int, tuple[int, ...]], ...]
    slots: tuple[Slot, ...]

    def count(self, slot: int) -> int:
        """How many of them fill this slot."""
        return sum(number == slot for number, _ in self.rooms)


class Aims:
    """The tables of every case of a reader's shapes."""

    def __init__(self, reader: ReadingSearch) -> None:
        self.reader = reader
        self._cases: dict[tuple[Slot, ...], CaseNeeds] = {}
        self._known: dict[tuple[Hand, tuple[int, ...]], Need] = {}

    def need(self, hand: Hand, seen: tuple[int, ...]) -> Need:
        """What the hand needs for the nearest shapes."""
        found = self._known.get((hand, seen))
        if found is None:
            needs = self._nearer(hand, self.reader.wild.in_the_box(seen))
            found = kept(self._known, (hand, seen), nearest(needs), MOST_HANDS)
        return found

    def _nearer(self, hand: Hand, gone: Counter[int]) -> list[Need]:
        """What the hand needs for each case that may be as near as those before it."""
        found: list[Need] = []
        least = NEVER
        for shape in self.reader.shapes:
            if not (shape.concealed and any(meld.exposed for meld in hand.melds)):
                if (rows := self.reader.rows(shape)) is not None:
                    found.append(Need(*rows.wanted(hand, gone)))
                for slots in map(merged, shape.cases):
                    if self.reader.lacking(shape, slots, hand) <= least:
                        found += self.of_case(shape, slots, hand, gone)
                least = min((need.missing for need in found), default=NEVER)
        return found

    def of_case(self, shape: Shape, slots: tuple[Slot, ...], hand: Hand, gone: Counter[int]) -> Iterator[Need]:
        """What the hand needs for one case, for each way to place its melds."""
        if shape.pick is not None:
            yield from self._of_pick(shape, shape.pick, slots, hand, gone)
            return
        for placing in self.reader.placings(shape, slots, hand.melds):
            holding = self._holding(hand, placing.placed, placing.absorbed, gone)
            for hosts in self.hosts(slots, placing.left, placing.absorbed):
                left = [count - hosts.count(at) for at, count in enumerate(placing.left)] + [1 for _ in hosts.slots]
                need = self._case((*slots, *hosts.slots)).need(holding, tuple(left), placing.used)
                if need:
                    yield need

    def hosts(self, slots: tuple[Slot, ...], left: tuple[int, ...], melds: tuple[Meld, ...]) -> "Iterable[Hosts]":
        """Every choice of groups that have the melds inside, with the slots that these groups fill."""
        found = {Hosts((), ())}
        for meld in melds:
            tiles = self.reader.groups.groups[meld.group].tiles
            found = {further for hosts in found for further in self._hosted(slots, left, hosts, tiles)}
        return found

    def _hosted(
        self, slots: tuple[Slot, ...], left: tuple[int, ...], hosts: "Hosts", meld: tuple[int, ...]
    ) -> Iterator["Hosts"]:
        wanted = Counter(meld)
        for at, (host, room) in enumerate(hosts.rooms):
            if wanted <= Counter(room):
                rest = tuple(sorted((Counter(room) - wanted).elements()))
                yield Hosts((*hosts.rooms[:at], (host, rest), *hosts.rooms[at + 1 :]), hosts.slots)
        for number, slot in enumerate(slots):
            for whole, only in self._possible_hosts(slot) if hosts.count(number) < left[number] else ():
                if wanted <= Counter(whole):
                    rest = tuple(sorted((Counter(whole) - wanted).elements()))
                    yield Hosts((*hosts.rooms, (number, rest)), (*hosts.slots, only))

    def _possible_hosts(self, slot: Slot) -> Iterator[tuple[tuple[int, ...], Slot]]:
        """The groups of a slot, each with a slot that nothing else fills."""
        if slot.each:
            yield tuple(slot.tiles), replace(slot, count=1)
        for group in slot.groups:
            yield self.reader.groups.groups[group].tiles, replace(slot, count=1, groups=frozenset({group}))

    def _of_pick(
        self, shape: Shape, number: int, slots: tuple[Slot, ...], hand: Hand, gone: Counter[int]
    ) -> Iterator[Need]:
        if not self.reader.may_absorb(shape, hand.melds):
            return
        holding = self._holding(hand, (), hand.melds, gone)
        pool = self.reader.pool(slots)
        must = Counter(self.reader.faces(tile for meld in hand.melds for tile in meld.tiles))
        within = sum(must.values()) == len(must) <= number and must.keys() <= pool
        free = {tile for tile in pool if not holding.held[tile] and self.reader.wild.copies[tile] > holding.out[tile]}
        missing = max(0, number - len(pool & holding.held.keys()))
        if within and missing <= len(free):
            yield Need(missing, frozenset(free) if missing else frozenset())

    def _holding(self, hand: Hand, placed: tuple[Meld, ...], absorbed: tuple[Meld, ...], gone: Counter[int]) -> Holding:
        held = self.reader.items(hand) + Counter(self.reader.faces(tile for meld in absorbed for tile in meld.tiles))
        shown = [tile for tile in held.elements() if self.reader.wild.virtual(tile)]
        out = self.reader.wild.in_the_box([*shown, *(tile for meld in placed for tile in meld.tiles)])
        return Holding(held, out + gone)

    def _case(self, slots: tuple[Slot, ...]) -> CaseNeeds:
        if slots not in self._cases:
            self._cases[slots] = CaseNeeds(self.reader.groups, self.reader.wild, slots)
        return self._cases[slots]


def nearest(needs: list[Need]) -> Need:
    """The least missing, and all tiles of those that miss so few."""
    least = min((need.missing for need in needs), default=NEVER)
    return Need(least, frozenset().union(*(need.tiles for need in needs if need.missing == least)))
