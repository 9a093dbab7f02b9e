"""Readings: a hand in, every way to read it as a form out. Plain and slow; the oracle of the tables of images.

Knows tiles, groups and shapes. Knows no conditions, no worth and no table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from tilewright.hands.covers import Cover, Piece, Pieces, TooManyReadings, identity, is_particular
from tilewright.hands.listed import Rows
from tilewright.hands.reading import Group, Groups, Hand, Meld, Pair, Part, Reading, Shape, Slot, WildTiles
from tilewright.tiles.tileset import TileSet

MOST_READINGS = 20_000  # of one hand in one shape


class ReadingSearch:
    """Reads hands in shapes. The search is an exact cover: the lowest tile that is left goes into every group that
    could hold it. All methods raise TooManyReadings if a hand and its wild tiles fit in too many ways."""

    def __init__(self, tiles: TileSet, groups: Groups, shapes: Sequence[Shape]) -> None:
        self.tiles = tiles
        self.groups = groups
        self.shapes = tuple(shapes)
        self.wild = WildTiles(tiles)
        self.place = {index: number for number, index in enumerate(tiles.order)}
        self._covers: dict[tuple[Slot, ...], Cover] = {}
        self._fixed: dict[tuple[Slot, ...], Counter[int]] = {}
        self._last: tuple[Hand | None, Counter[int]] = (None, Counter())
        self._rows: dict[str, Rows] = {}
        self._of_kinds: dict[frozenset[str], frozenset[int]] = {}

    def readings(self, hand: Hand, completed_exposed: bool = False) -> Iterator[Reading]:
        """Every reading, none twice: shapes in order, and within a shape by the tiles of the groups.

        With a winning tile there is one reading for each group that it may be in; that group is exposed if
        `completed_exposed`. Without one the tiles alone have to fill the shape.
        """
        for shape in self.shapes:
            yield from self.readings_in(shape, hand, completed_exposed)

    def readings_in(self, shape: Shape, hand: Hand, completed_exposed: bool = False) -> Iterator[Reading]:
        """The readings in one shape."""
        if shape.concealed and any(meld.exposed for meld in hand.melds):
            return
        if shape.listed is not None:
            yield from self._listed(shape, hand, completed_exposed)
            return
        found: dict[Reading, None] = {}
        for pieces, melds, absorbed in self._filled(shape, hand):
            parts = [self._part(piece, absorbed) for piece in sorted(pieces, key=self._in_order)]
            for reading in self._completed(shape, pieces, parts, hand, completed_exposed):
                found[replace(reading, parts=(*melds, *reading.parts))] = None
            if len(found) > MOST_READINGS:
                raise TooManyReadings
        yield from sorted(found, key=self.reading_order)

    def fits(self, hand: Hand) -> bool:
        """Whether the hand has a reading, be its winning tile from the wall or from another seat."""
        return any(
            self._filled_any(shape, hand)
            for shape in self.shapes
            if not (shape.concealed and any(meld.exposed for meld in hand.melds))
        )

    is_form = fits

    def loose(self, hand: Hand, kinds: frozenset[str], limit: int = MOST_READINGS) -> Iterator[Reading]:
        """Readings of a hand that did not win: its melds, and as many disjoint groups of these kinds as go into the
        other tiles (none could be added). At most `limit` readings."""
        cover = self._cover((Slot(len(hand.tiles), self._groups_of(kinds)),))
        melds = tuple(self._meld_part(meld) for meld in hand.melds)
        found = sorted(cover.packings(self.items(hand), limit), key=lambda pieces: [self._in_order(p) for p in pieces])
        for pieces in found:
            parts = [self._part(piece, ()) for piece in sorted(pieces, key=self._in_order)]
            yield Reading("", (*melds, *parts))

    def _groups_of(self, kinds: frozenset[str]) -> frozenset[int]:
        """The groups of these kinds."""
        if kinds not in self._of_kinds:
            self._of_kinds[kinds] = frozenset(group.index for group in self.groups.groups if group.kinds & kinds)
        return self._of_kinds[kinds]

    # Listed hands

    def rows(self, shape: Shape) -> Rows | None:
        """The hands that the shape lists, if it does."""
        if shape.listed is None:
            return None
        if shape.form not in self._rows:
            self._rows[shape.form] = Rows(self.tiles, self.groups, shape.listed)
        return self._rows[shape.form]

    def _listed(self, shape: Shape, hand: Hand, exposed: bool) -> Iterator[Reading]:
        """The readings as hands of the list, in its order."""
        rows = self.rows(shape)
        found = rows.readings(hand, exposed) if rows is not None else ()
        for number, (entry, parts) in enumerate(found):
            if number >= MOST_READINGS:
                raise TooManyReadings
            done = next((part for part in parts if part.completed), None)
            yield Reading(shape.form, parts, self.wait(done.group, done.tiles[0]) if done else None, entry)

    # Filling a shape

    def _filled_any(self, shape: Shape, hand: Hand) -> bool:
        if shape.listed is not None:
            return any(True for _ in self._listed(shape, hand, False))
        if shape.pick is None and shape.cases and not any(is_particular(slot) for case in shape.cases for slot in case):
            return any(self._fillable(shape, slots, hand) for slots in map(merged, shape.cases))
        if all(slot.exposed is None for case in shape.cases for slot in case):
            return any(True for _ in self._filled(shape, hand))
        return any(True for exposed in (False, True) for _ in self.readings_in(shape, hand, exposed))

    def _fillable(self, shape: Shape, slots: tuple[Slot, ...], hand: Hand) -> bool:
        """Whether the hand fills these slots in some way."""
        if self.lacking(shape, slots, hand):
            return False
        placings = list(self.placings(shape, slots, hand.melds))
        if any(placing.absorbed for placing in placings):
            return any(True for _ in self._filled(replace(shape, cases=(slots,)), hand))
        items = self.items(hand)
        return any(self._cover(slots).fits(items, placing.left) for placing in placings)

    def _filled(self, shape: Shape, hand: Hand) -> "Iterator[tuple[Pieces, tuple[Part, ...], tuple[Meld, ...]]]":
        """The pieces that use up the concealed tiles, the parts of the melds that fill slots, and the melds that lie
        inside the pieces."""
        if not shape.has_groups:
            yield (), tuple(self._meld_part(meld) for meld in hand.melds), ()
            return
        items = self.items(hand)
        for case in shape.cases:
            slots = merged(case)
            if self.lacking(shape, slots, hand):
                continue
            if shape.pick is not None:
                yield from self._picked(shape, slots, hand)
                continue
            for placing in self.placings(shape, slots, hand.melds):
                more = items + Counter(tile for meld in placing.absorbed for tile in self.faces(meld.tiles))
                parts = tuple(self._meld_part(meld) for meld in placing.placed)
                inside = [Counter(self.groups.groups[meld.group].tiles) for meld in placing.absorbed]
                for pieces in self._cover(slots).covers(more, placing.left, placing.used):
                    if _hosted(inside, [Counter(piece.tiles) for piece in pieces]):
                        yield pieces, parts, placing.absorbed

    def lacking(self, shape: Shape, slots: tuple[Slot, ...], hand: Hand) -> int:
        """At least this many tiles are missing for these slots of a shape: those of slots without a choice that the
        hand holds nowhere; where tiles are picked, as many as it has too few different ones."""
        fixed = self.fixed(slots)
        if not fixed and shape.pick is None:
            return 0
        held = self._held(hand)
        if shape.pick is not None:
            return max(0, shape.pick - len(held))
        missing = sum(max(0, number - held[tile]) for tile, number in fixed.items())
        return max(0, missing - sum(held[tile] for tile in self.wild.stands_for)) if missing else 0

    def absent(self, shape: Shape, slots: tuple[Slot, ...], hand: Hand) -> frozenset[int]:
        """The tiles that may be missing for these slots, where the hand is lacking some."""
        held = self._held(hand)
        if shape.pick is not None:
            pool = self.pool(slots)
            return frozenset(pool - held.keys() if held.keys() <= pool else ())
        return frozenset(self.fixed(slots) - held)

    def fixed(self, slots: tuple[Slot, ...]) -> Counter[int]:
        """The tiles of slots without a choice."""
        if slots not in self._fixed:
            self._fixed[slots] = Counter(tile for slot in slots for tile in self._only_tiles(slot) * slot.count)
        return self._fixed[slots]

    def _held(self, hand: Hand) -> Counter[int]:
        """All plain tiles of the hand, those of its melds included; asked for one case after the other."""
        if self._last[0] is not hand:
            melded = Counter(tile for meld in hand.melds for tile in self.faces(meld.tiles))
            self._last = hand, self.items(hand) + melded
        return self._last[1]

    def _only_tiles(self, slot: Slot) -> tuple[int, ...]:
        """The tiles of the only group that fits the slot; none where there is a choice."""
        if slot.each:
            return tuple(slot.tiles)
        groups = slot.groups | slot.meld_groups
        return self.groups.groups[min(groups)].tiles if len(groups) == 1 and not slot.tiles else ()

    def placings(self, shape: Shape, slots: tuple[Slot, ...], melds: tuple[Meld, ...]) -> "Iterable[Placing]":
        """Every way to give the melds to slots, or to let them take up their tiles' place; none twice."""
        placings = {Placing(tuple(slot.count for slot in slots))}
        for meld in melds:
            placings = {further for placing in placings for further in self._placed(shape, slots, placing, meld)}
        return placings

    def _placed(self, shape: Shape, slots: tuple[Slot, ...], placing: "Placing", meld: Meld) -> "Iterator[Placing]":
        for number, slot in enumerate(slots):
            fits = meld.group in slot.groups or meld.group in slot.meld_groups
            used = (number, meld.group)
            if not (fits and placing.left[number] and slot.exposed in (None, meld.exposed)):
                continue
            if slot.different and used in placing.used:
                continue
            left = tuple(count - (at == number) for at, count in enumerate(placing.left))
            more = placing.used | {used} if slot.different else placing.used
            yield replace(placing, left=left, placed=(*placing.placed, meld), used=more)
        if self.may_absorb(shape, (meld,)):
            yield replace(placing, absorbed=(*placing.absorbed, meld))

    def _picked(
        self, shape: Shape, slots: tuple[Slot, ...], hand: Hand
    ) -> "Iterator[tuple[Pieces, tuple[Part, ...], tuple[Meld, ...]]]":
        """Each tile alone, all different, each of some slot. Melds of the shape's kinds take up their tiles' place."""
        if not self.may_absorb(shape, hand.melds):
            return
        items = self.items(hand) + Counter(tile for meld in hand.melds for tile in self.faces(meld.tiles))
        if sum(items.values()) == len(items) == shape.pick and items.keys() <= self.pool(slots):
            yield tuple(Piece(-1, (tile,)) for tile in items), (), hand.melds

    def may_absorb(self, shape: Shape, melds: Iterable[Meld]) -> bool:
        """Whether these melds may be inside the other groups of the shape."""
        groups = [self.groups.groups[meld.group] for meld in melds]
        return all((group.kinds | group.meld_kinds).intersection(shape.melds) for group in groups)

    def pool(self, slots: Iterable[Slot]) -> set[int]:
        """Every tile of some slot, its groups' tiles included."""
        tiles = {tile for slot in slots for tile in slot.tiles}
        return tiles | {tile for slot in slots for group in slot.groups for tile in self.groups.groups[group].tiles}

    def _cover(self, slots: tuple[Slot, ...]) -> "Cover":
        if slots not in self._covers:
            self._covers[slots] = Cover(self.groups, self.wild, self.place, slots)
        return self._covers[slots]

    def items(self, hand: Hand) -> Counter[int]:
        """The concealed tiles and the winning one, as plain tiles."""
        return Counter(self.faces(hand.tiles if hand.win is None else (*hand.tiles, hand.win)))

    def faces(self, tiles: Iterable[int]) -> Iterator[int]:
        """The plain tiles that these are in play."""
        return (self.tiles.tiles[tile].plain for tile in tiles)

    # Parts

    def _meld_part(self, meld: Meld) -> Part:
        tiles = self.groups.groups[meld.group].tiles
        return Part(meld.group, tiles, meld.exposed, True, wild=meld.wild, discarder=meld.discarder)

    def _part(self, piece: "Piece", absorbed: tuple[Meld, ...]) -> Part:
        shown = (Counter(self.groups.groups[meld.group].tiles) for meld in absorbed if meld.exposed)
        inside = any(tiles <= Counter(piece.tiles) for tiles in shown)
        return Part(piece.group, piece.tiles, exposed=inside, wild=piece.wild)

    def _completed(
        self, shape: Shape, pieces: "Pieces", parts: list[Part], hand: Hand, exposed: bool
    ) -> Iterator[Reading]:
        """The reading, once for every part that the winning tile may be in."""
        if hand.win is None or not (shape.cases or shape.pick):
            if all(slot.exposed is not True for piece in pieces for slot in piece.bound):
                yield Reading(shape.form, tuple(parts))
            return
        ordered = sorted(pieces, key=self._in_order)
        seen = set()
        for number, piece in enumerate(ordered):
            bound = [(slot, exposed and at == number) for at, other in enumerate(ordered) for slot in other.bound]
            alike = identity(piece)
            if alike in seen or any(slot.exposed not in (None, shown) for slot, shown in bound):
                continue
            seen.add(alike)
            part = replace(parts[number], completed=True, exposed=parts[number].exposed or exposed)
            done = (*parts[:number], part, *parts[number + 1 :])
            for stands in sorted(self._stands_as(hand.win, piece)):
                yield Reading(shape.form, done, self.wait(piece.group, stands))

    def _stands_as(self, win: int, piece: "Piece") -> set[int]:
        """The places of the piece's tiles that the winning tile may be, by their tile."""
        face = self.tiles.tiles[win].plain
        natural = Counter(piece.tiles) - Counter(tile for _, tile in piece.wild)
        stands = {tile for wild, tile in piece.wild if face in (wild, tile) and (face == wild or self.virtual(face))}
        return stands | ({face} if natural[face] else set())

    def virtual(self, tile: int) -> bool:
        """A rank without a tile: only a wild tile can be it."""
        return self.wild.virtual(tile)

    def wait(self, group: int, tile: int) -> str:
        """The wait that this tile completes in this group (-1: a tile alone): single (the pair), double
        (three or more identical tiles), edge (a run that could not have been completed at its other end, as its suit
        ends there), two_sided, or closed."""
        if group < 0:
            return "single"
        made = self.groups.groups[group]
        if len(set(made.tiles)) == 1:
            return "double" if len(made.tiles) > 2 else "single"
        if made.step is None or tile not in (made.tiles[0], made.tiles[-1]):
            return "closed"
        return self._wait_at_end(made, tile)

    def _wait_at_end(self, run: Group, tile: int) -> str:
        heads, tails = self._run_ends
        rest = run.tiles[:-1] if tile == run.tiles[-1] else run.tiles[1:]
        other = (tails if tile == run.tiles[-1] else heads).get((run.step, tuple(sorted(rest))), frozenset())
        if other - {run.index}:
            return "two_sided"
        start = self.tiles.tiles[run.start]
        return "closed" if start.rank is None or start.family in self._cyclic else "edge"

    @cached_property
    def _cyclic(self) -> frozenset[str]:
        return frozenset(suit.id for suit in self.tiles.suits if suit.cyclic)

    @cached_property
    def _run_ends(self) -> "tuple[RunEnds, RunEnds]":
        """Runs by their step and their tiles without the last, and without the first."""
        heads: RunEnds = {}
        tails: RunEnds = {}
        for run in self.groups.groups:
            if run.step is not None:
                for ends, rest in ((heads, run.tiles[:-1]), (tails, run.tiles[1:])):
                    key = (run.step, tuple(sorted(rest)))
                    ends[key] = ends.get(key, frozenset()) | {run.index}
        return heads, tails

    # Order

    def _in_order(self, piece: "Piece") -> tuple[list[int], int, tuple[Pair, ...]]:
        last = len(self.place)
        return sorted(self.place.get(tile, last + tile) for tile in piece.tiles), piece.group, piece.wild

    def part_order(self, part: Part) -> tuple[list[int], int, tuple[Pair, ...]]:
        """Where a group stands among the groups of a reading."""
        return self._in_order(Piece(part.group, part.tiles, part.wild))

    def reading_order(self, reading: Reading) -> tuple[list[tuple[list[int], int, tuple[Pair, ...], bool, bool]], str]:
        parts = [(*self.part_order(part), not part.completed, part.exposed) for part in reading.parts]
        return parts, reading.wait or ""


RunEnds = dict[tuple[int | None, tuple[int, ...]], frozenset[int]]


@dataclass(frozen=True, slots=True)
class Placing:
    """Where the melds went: what each slot has left, melds inside other groups, groups of slots that need
    different ones."""

    left: tuple[int, ...]
    placed: tuple[Meld, ...] = ()
    absorbed: tuple[Meld, ...] = ()
    used: frozenset[tuple[int, int]] = frozenset()


@lru_cache(maxsize=1_000)
def merged(case: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """The slots of a case, equal ones joined."""
    counts: Counter[Slot] = Counter()
    for slot in case:
        counts[replace(slot, count=1)] += slot.count
    return tuple(replace(slot, count=count) for slot, count in counts.items())


def _hosted(melds: list[Counter[int]], rooms: list[Counter[int]]) -> bool:
    """Whether every meld is inside one of the groups."""
    if not melds:
        return True
    return any(
        melds[0] <= room and _hosted(melds[1:], [*rooms[:at], room - melds[0], *rooms[at + 1 :]])
        for at, room in enumerate(rooms)
    )
