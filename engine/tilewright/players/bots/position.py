"""Positions: what a bot needs from a view: its own tiles and groups, the unseen copies of each tile; and the shapes of
a ruleset restricted to fewer groups. A move gives another position. Knows no worth and no other seat's hand.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import Generic, TypeVar

from tilewright.hands.distance.approach import Approach, Look, approach
from tilewright.hands.distance.cards import DividedLook, dividing
from tilewright.hands.reading import Hand, Meld, Shape, Slot
from tilewright.hands.readings import ReadingSearch
from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.play import Choose
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.model import Move
from tilewright.play.view import View
from tilewright.players.bots.effects import BONUS, HAND, MELDS, WALL, Effect, asked_choices, effects_of
from tilewright.scoring.rules import ScoringRules
from tilewright.tiles.notation import write_tile


@dataclass(frozen=True, slots=True)
class Position:
    """Faces in the hand, in the tile set's order, and groups. `left`: how many of each plain tile may still come;
    `unwinnable`: plain tiles that a winning hand may not hold; `open_hands`: the hands that the seat still makes."""

    tiles: tuple[int, ...]
    melds: tuple[Meld, ...]
    bonus: tuple[int, ...]
    left: Mapping[int, int]
    unwinnable: frozenset[int] = frozenset()
    open_hands: tuple[int, ...] = (1,)

    @property
    def hand(self) -> Hand:
        """The hand without bonus tiles."""
        return Hand(self.tiles, self.melds)

    def without(self, face: int) -> "Position":
        """The position with one tile less."""
        at = self.tiles.index(face)
        return replace(self, tiles=(*self.tiles[:at], *self.tiles[at + 1 :]))


Of = TypeVar("Of", bound=ScoringRules)


class Unchanged(Generic[Of]):
    """Rules, equal only to themselves."""

    def __init__(self, rules: Of) -> None:
        self.rules = rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unchanged) and other.rules is self.rules

    def __hash__(self) -> int:
        return id(self.rules)


@lru_cache(maxsize=32)
def reader_of(same: Unchanged[ScoringRules]) -> "FormReader":
    """The cached reader of a ruleset."""
    return FormReader(same.rules)


@dataclass(frozen=True, eq=False)
class FormReader:
    """Reads views and moves of a ruleset."""

    rules: ScoringRules

    @cached_property
    def data(self) -> CompiledRuleset:
        return self.rules.data

    @cached_property
    def effects(self) -> Mapping[str, Effect]:
        """The effect of each offer."""
        return effects_of(self.data)

    @cached_property
    def asked(self) -> Mapping[str, Choose]:
        """The choices of questions, by name."""
        return asked_choices(self.data)

    @cached_property
    def approach(self) -> Approach:
        return approach(self.rules.judge.reader)

    @cached_property
    def faces(self) -> Mapping[str, int]:
        """Every face by its code."""
        tiles = self.data.tiles
        return {write_tile(tile.index, tiles): tile.index for tile in tiles.tiles}

    @cached_property
    def plain(self) -> list[int]:
        return [tile.plain for tile in self.data.tiles.tiles]

    # --- views

    def position(self, view: View) -> Position:
        """The position of the seat."""
        assert view.seat is not None
        zones = self.data.zones
        melds = tuple(
            Meld(one.group, one.tiles, one.exposed, one.wild, one.discarder, one.hand)  # type: ignore[arg-type]  # its own tiles are seen
            for one in (view.melds(view.seat) if MELDS in zones else ())
            if one.group is not None
        )
        bonus = tuple(face for face in view.zone(BONUS, view.seat) if face is not None) if BONUS in zones else ()
        tiles = view.hand if HAND in zones else ()
        return Position(tiles, melds, bonus, self.left(view, tiles), view.unwinnable, view.open_hands(view.seat))

    def look(self, position: Position) -> Look | DividedLook:
        """How far the position is from any form that it may win with; of a seat that makes several hands, from all of
        them."""
        if self.data.seats.hands > 1:
            melds = [tuple(one for one in position.melds if one.hand == number) for number in position.open_hands]
            return dividing(self.rules.judge.reader).look(position.tiles, melds)
        return self.approach_without(position.unwinnable).look(position.hand)

    def approach_without(self, tiles: frozenset[int]) -> Approach:
        """The approach to any form without some tiles."""
        if not tiles:
            return self.approach
        if tiles not in self._approaches:
            self._approaches[tiles] = approach_without(self.approach.reader, tiles, self.data)
        return self._approaches[tiles]

    @cached_property
    def _approaches(self) -> dict[frozenset[int], Approach]:
        return {}

    def left(self, view: View, tiles: Sequence[int]) -> Counter[int]:
        """How many of each plain tile are neither in the hand nor visible."""
        in_the_box = self.approach.in_the_box
        left = self.approach.wild.copies.copy()
        left.subtract([in_the_box[face] for face in (*tiles, *self.in_sight(view))])
        return left

    def in_sight(self, view: View) -> Iterator[int]:
        """The tiles that the seat sees outside its hand, without single tiles shown to it in a hidden zone."""
        for zone, seat in self.open_zones:
            if (zone, seat) != (HAND, view.seat):
                yield from (face for face in view.zone(zone, seat) if face is not None)

    @cached_property
    def open_zones(self) -> tuple[tuple[str, int], ...]:
        """The places where some seat may see tiles."""
        zones = [zone for zone in self.data.zones.values() if zone.seen_by != "nobody"]
        seats = range(self.data.seats.count)
        return tuple((zone.id, seat) for zone in zones for seat in (seats if zone.of == "seat" else (0,)))

    def wall(self, view: View) -> int:
        """How many tiles may still be drawn."""
        return max(0, len(view.zone(WALL)) - self.kept) if WALL in self.data.zones else 0

    @cached_property
    def kept(self) -> int:
        """How many tiles of the wall are never drawn."""
        keep = self.data.zones[WALL].keep
        return keep.value if isinstance(keep, Const) and isinstance(keep.value, int) else 0

    def full(self, position: Position) -> bool:
        """Whether the hand has as many tiles as a form, so that one must go."""
        judge = self.rules.judge
        size = judge.size(position.hand)
        if self.data.seats.hands > 1:
            return any(
                size == full * hands for full in judge.full_sizes for hands in range(1, self.data.seats.hands + 1)
            )
        return size in judge.full_sizes

    def as_held(self, tiles: Sequence[int], position: Position) -> tuple[int, ...]:
        """Plain tiles in order, each with the face that the hand has."""
        special: dict[int, list[int]] = {}
        for face in position.tiles:
            if self.plain[face] != face:
                special.setdefault(self.plain[face], []).append(face)
        held = [special[tile].pop() if special.get(tile) else tile for tile in tiles]
        return tuple(sorted(held, key=self.approach.reader.place.__getitem__))

    # --- moves

    def face_of(self, text: str) -> int:
        """The tile of a text, whatever its place: `J@S.2`."""
        return self.faces[text.partition("@")[0]]

    def faces_of(self, text: str) -> list[int]:
        return [self.face_of(word) for word in text.split()]

    def after(self, position: Position, move: Move, view: View) -> Position | None:
        """The position after the move; None if it has no known effect on the seat's tiles."""
        effect = self.effects.get(move.does)
        if effect is None:
            return None
        if effect.melds:
            return self.melded(position, move, effect, view.tile)
        if effect.swaps is not None:
            given, taken = (move.chosen(name) for name in effect.swaps)
            return self.swapped(position, given, taken, view.name(move.seat))
        if effect.discards:
            rest = position
            for face in self.faces_of(move.chosen(effect.discards)):
                rest = rest.without(face)
            return rest
        return None

    def melded(self, position: Position, move: Move, effect: Effect, tile: int | None) -> Position | None:
        """The position with the group that the move makes: of the tile in question if the offer claims it, of tiles of
        the hand, of a meld that grows."""
        words = [word.partition("=") for word in move.chosen("group").split()]
        faces = tuple(self.faces[face] for face, _, _ in words)
        stands = tuple(
            self.faces[stands] if stands else self.plain[face]
            for face, (_, _, stands) in zip(faces, words, strict=True)
        )
        group = self.data.groups.by_tiles.get(tuple(sorted(stands)))
        if group is None:
            return None
        wanted, hand, melds = Counter(faces), list(position.tiles), list(position.melds)
        if effect.claims and tile is not None:
            wanted[tile] -= 1
        for meld in melds if effect.grows else ():
            if not Counter(meld.tiles) - wanted:
                wanted -= Counter(meld.tiles)
                melds.remove(meld)
                break
        for face in wanted.elements():
            if face not in hand:
                return None
            hand.remove(face)
        wild = tuple((face, stood) for face, stood in zip(faces, stands, strict=True) if self.plain[face] != stood)
        made = Meld(group, faces, not effect.concealed, wild, hand=int(move.chosen(effect.hand) if effect.hand else 1))
        return replace(position, tiles=tuple(hand), melds=(*melds, made))

    def swapped(self, position: Position, given: str, taken: str, name: str) -> Position | None:
        """The position with one tile of the hand exchanged for one elsewhere, perhaps in an own group."""
        out, came = self.face_of(given), self.face_of(taken)
        if "@" in given or out not in position.tiles:
            return None
        place = self.approach.reader.place
        tiles = tuple(sorted((*position.without(out).tiles, came), key=place.__getitem__))
        seat, _, number = taken.partition("@")[2].partition(".")
        melds = list(position.melds)
        if seat == name and number:
            melds[int(number) - 1] = exchanged(melds[int(number) - 1], came, out)
        return replace(position, tiles=tiles, melds=tuple(melds))


def exchanged(meld: Meld, gone: int, came: int) -> Meld:
    """The group with a natural tile in place of a wild one."""
    tiles, wild = list(meld.tiles), list(meld.wild)
    tiles[tiles.index(gone)] = came
    pair = next((pair for pair in wild if pair[0] == gone), None)
    if pair is not None:
        wild.remove(pair)
    return replace(meld, tiles=tuple(tiles), wild=tuple(wild))


Narrow = Callable[[Slot], Slot]


def approach_without(reader: ReadingSearch, tiles: frozenset[int], data: CompiledRuleset) -> Approach:
    """The tables of a reader, for hands that hold none of these tiles."""
    return Approach(within(reader, frozenset(tile.index for tile in data.tiles.tiles) - tiles, data))


def within(reader: ReadingSearch, tiles: frozenset[int], data: CompiledRuleset) -> ReadingSearch:
    """The reader, for hands of these tiles only; forms that are lists stay as they are."""
    kept = []
    for shape in reader.shapes:
        found = filled(shape, partial(of_tiles, tiles=tiles, data=data)) if shape.cases else shape
        kept += [] if found is None else [found]
    return ReadingSearch(reader.tiles, reader.groups, kept)


def limited(shape: Shape, narrow: Narrow) -> Iterator[Shape]:
    """The shape of narrower slots, if any is narrower and all can still be filled."""
    found = filled(shape, narrow)
    if found is not None and found != shape:
        yield found


def filled(shape: Shape, narrow: Narrow) -> Shape | None:
    """The shape of narrower slots; None if these cannot be filled."""
    cases = tuple(tuple(map(narrow, case)) for case in shape.cases)
    full = tuple(case for case in cases if all(slot.groups or slot.tiles for slot in case))
    return replace(shape, cases=full) if full else None


def of_tiles(slot: Slot, tiles: frozenset[int], data: CompiledRuleset) -> Slot:
    """Only groups of these tiles; a rank without a tile goes with its suit."""
    groups, faces = data.groups.groups, data.tiles.tiles
    inside = frozenset(i for i in slot.groups if all(t in tiles or not faces[t].copies for t in groups[i].tiles))
    melds = frozenset(i for i in slot.meld_groups if set(groups[i].tiles) <= tiles)
    if slot.each:
        return slot if slot.tiles <= tiles else replace(slot, tiles=frozenset())
    return replace(slot, groups=inside, meld_groups=melds, tiles=slot.tiles & tiles)


def of_kind(slot: Slot, kind: str, data: CompiledRuleset) -> Slot:
    """Only groups of one kind, in slots that allow several."""
    groups = data.groups.groups
    inside = frozenset(i for i in slot.groups if kind in groups[i].kinds)
    melds = frozenset(i for i in slot.meld_groups if kind in groups[i].meld_kinds or kind in groups[i].kinds)
    return replace(slot, groups=inside, meld_groups=melds) if inside else slot
