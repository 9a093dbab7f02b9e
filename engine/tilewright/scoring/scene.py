"""A scene: one scored hand, asked by words. In: a ruleset, a situation and perhaps a reading of the hand.

Answers `tilewright.language.vocabulary`. What a single hand does not tell (whose turn it is, what lies in the discards)
is the empty set, as everywhere in the language where a word has nothing to name.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tilewright.hands.reading import Hand, Part, Reading
from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.ruleset import CardLine, RulesetData
from tilewright.language.vocabulary.words import Scene
from tilewright.scoring.situation import Situation
from tilewright.scoring.walker import is_special

Number = int | Fraction
NOTHING: tuple[int, ...] = ()
KNOWN_ZONES = ("hand", "melds", "bonus")  # what a hand alone tells


@dataclass(frozen=True)
class HandScene:
    """The hand of `situation.seat` as `reading` reads it. `values` are its measures so far; `values_of` those of
    other seats, for payments; `facts` what a payment line adds (payer, payee ...)."""

    data: RulesetData
    situation: Situation
    reading: Reading | None = None
    values: Mapping[str, Number] = field(default_factory=dict)
    values_of: Mapping[int, Mapping[str, Number]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    home: "HandScene | None" = None  # the scene from which another seat is asked
    ask_waits: Callable[[Situation], tuple[int, ...]] = lambda situation: NOTHING
    ask_distance: Callable[[Situation], int] = lambda situation: 0

    @property
    def seat(self) -> int:
        return self.situation.seat

    def count_of_seats(self) -> int:
        return self.data.seats.count

    def playing(self) -> Sequence[int]:
        return tuple(range(self.data.seats.count))

    def of_seat(self, seat: int) -> "HandScene":
        """The same table, asked of another seat."""
        if seat == self.seat:
            return self
        home = self.home or self
        if seat == home.seat:
            return home
        hand = self.situation.others.get(seat, Hand(()))
        there = told_of(self.data, replace(self.situation, hand=hand, seat=seat, won=False))
        return replace(self, situation=there, reading=None, values=self.values_of.get(seat, {}), home=home)

    def fact(self, name: str) -> Any:
        if name in self.facts:
            return self.facts[name]
        if name == "pot":
            return (self.data.seats.count,)  # like one more seat, behind the others
        return FACTS[name](self.situation) if name in FACTS else NOTHING

    def about(self, name: str, of: Any) -> Any:
        """Something of a seat (a number), of tiles (a tuple), of a group (a part) or of a form (its id)."""
        if isinstance(of, Part):
            return ABOUT_GROUP[name](self, of) if name in ABOUT_GROUP else NOTHING
        if isinstance(of, str):
            return ABOUT_FORM[name](self, of)
        if isinstance(of, tuple):
            return ABOUT_TILES[name](self, of) if name in ABOUT_TILES else NOTHING
        scene = self.of_seat(of)
        return ABOUT_SEAT[name](scene) if name in ABOUT_SEAT else NOTHING

    # --- the hand

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """Every tile as it lies there: hand, winning tile, melds."""
        hand = self.situation.hand
        win = () if hand.win is None else (hand.win,)
        return (*hand.tiles, *win, *(tile for meld in hand.melds for tile in meld.tiles))

    @cached_property
    def copies(self) -> "Counting":
        """Counts what lies there."""
        return counting(self, self.faces)

    @cached_property
    def standing(self) -> tuple[int, ...]:
        """Every tile as plain tile, a wild one as what it stands for in the reading."""
        if self.reading is not None:
            stands = tuple(tile for part in self.reading.parts for tile in part.tiles)
            if len(stands) == len(self.faces):
                return stands
        return tuple(self.plain(tile) for tile in self.faces)

    @cached_property
    def either(self) -> tuple[tuple[int, ...], ...]:
        """The identities of each tile: one, or for a wild tile itself and what it stands for."""
        if self.reading is None or not any(part.wild for part in self.reading.parts):
            return tuple((tile,) for tile in self.standing)
        return tuple(pair for part in self.reading.parts for pair in identities(part))

    @cached_property
    def pieces(self) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
        """The groups, by their numbers, with the identities of each tile; a tile that is in none has a piece, too, of
        number -1."""
        reading = self.reading
        if reading is not None and sum(len(part.tiles) for part in reading.parts) == len(self.faces):
            return tuple((part.group, tuple(identities(part))) for part in reading.parts)
        return loose_pieces(self.situation.hand.melds, self.faces, self.plain)

    def plain(self, tile: int) -> int:
        return self.data.tiles.tiles[tile].plain

    def face(self, tile: int) -> int:
        return tile

    def knowing(self, **facts: Any) -> "HandScene":
        """The same, with more facts of the table."""
        return replace(self, facts={**self.facts, **facts})

    def flagged(self, flags: Iterable[str]) -> "HandScene":
        """The same, with more flags."""
        return replace(self, situation=replace(self.situation, flags=self.situation.flags.union(flags)))

    def remembered(self, name: str) -> Any:
        """What the case fixes of a mark."""
        return True if name in self.situation.flags else self.situation.marks.get(name)

    def fixed(self, term: str) -> bool:
        return term in self.situation.flags

    def knows(self, zone: str) -> bool:
        return zone in KNOWN_ZONES or zone in self.situation.zones

    def towards(self, way: str, seat: int) -> tuple[int, ...]:
        return NOTHING  # only a table in play knows directions

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The groups of the reading; of a hand that is not read, its melds."""
        if self.reading is not None:
            return self.reading.parts
        return tuple(
            Part(m.group, self.data.groups.groups[m.group].tiles, m.exposed, True, False, m.wild, m.discarder)
            for m in self.situation.hand.melds
        )

    @cached_property
    def concealed(self) -> bool:
        return not any(meld.exposed for meld in self.situation.hand.melds)

    @cached_property
    def waits(self) -> tuple[int, ...]:
        return self.ask_waits(self.situation)

    def zone(self, name: str, seat: int) -> tuple[Any, ...]:
        """The tiles of a zone, or its groups: a single hand tells those of its own hand, melds and bonus tiles."""
        if seat != self.seat:
            return self.of_seat(seat).zone(name, seat)
        hand = self.situation.hand
        if name == "hand":
            return hand.tiles if hand.win is None or not self.situation.self_draw else (*hand.tiles, hand.win)
        if name == "melds":
            return tuple(part for part in self.parts if part.melded)
        if name == "bonus":
            return hand.bonus
        return self.situation.zones.get(name, NOTHING)


def loose_pieces(
    melds: Sequence[Any], faces: Sequence[int], plain: Callable[[int], int]
) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
    """The pieces of a hand that is not read: its melds, and each of the other tiles. `faces` has all of them, those of
    melds last."""
    free = len(faces) - sum(len(meld.tiles) for meld in melds)
    singles = tuple((-1, ((plain(tile),),)) for tile in faces[:free])
    return (*((meld.group, tuple((plain(tile),) for tile in meld.tiles)) for meld in melds), *singles)


def told_of(data: RulesetData, situation: Situation) -> Situation:
    """The situation of another seat without what the case tells of the scored one: its flags, its marks."""
    marks = {name: value for name, value in situation.marks.items() if data.marks[name].of != "seat"}
    return replace(situation, flags=situation.flags_of.get(situation.seat, situation.flags), marks=marks)


def identities(part: Part) -> list[tuple[int, ...]]:
    """For each tile of the part what it may pass as."""
    wild = list(part.wild)
    result: list[tuple[int, ...]] = []
    for tile in part.tiles:
        pair = next((pair for pair in wild if pair[1] == tile), None)
        if pair:
            wild.remove(pair)
        result.append((tile,) if pair is None else pair)
    return result


def shift(scene: HandScene, tiles: tuple[int, ...], by: int) -> tuple[int, ...]:
    """Each tile's neighbour in its suit or family, round the end."""
    faces, families = scene.data.tiles.tiles, scene.data.tiles.families
    result = []
    for tile in tiles:
        plain = faces[tile].plain
        row = families[faces[plain].family]
        at = row.index(plain) + by
        while faces[row[at % len(row)]].plain != row[at % len(row)] or not faces[row[at % len(row)]].copies:
            at += by
        result.append(row[at % len(row)])
    return tuple(result)


def suits_of(scene: HandScene, tiles: tuple[int, ...]) -> tuple[str, ...]:
    found = (scene.data.tiles.tiles[tile].suit for tile in tiles)
    return tuple(dict.fromkeys(suit for suit in found if suit is not None))


def kinds_of(scene: HandScene, tiles: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(scene.plain(tile) for tile in tiles))


Counting = Callable[[int, bool], int]  # of a tile, named or not


def counting(scene: Scene, tiles: Sequence[int]) -> Counting:
    """How many of the tiles are of a kind; of a special tile that is named, how many are that one."""
    kinds = Counter(map(scene.plain, tiles))

    def count(tile: int, named: bool = False) -> int:
        if named and is_special(tile, scene):
            return sum(scene.face(one) == tile for one in tiles)
        return kinds[scene.plain(tile)]

    return count


def seen_of(scene: HandScene) -> Counting:
    """Counts what lies open."""
    return counting(scene, open_tiles(scene.data, (scene.home or scene).situation))


def open_tiles(data: RulesetData, situation: Situation) -> tuple[int, ...]:
    """The tiles that lie open for all, as far as the situation tells: exposed melds and bonus tiles of every hand that
    is known, and the zones that everyone sees."""
    if situation.open_tiles is not None:
        return situation.open_tiles
    hands = (situation.hand, *situation.others.values())
    found = [tile for hand in hands for meld in hand.melds if meld.exposed for tile in meld.tiles]
    found += [tile for hand in hands for tile in hand.bonus]
    for name, tiles in situation.zones.items():
        if data.zones[name].seen_by == "everyone":
            found.extend(tiles)
    return tuple(found)


def unknown(what: Any) -> tuple[int, ...]:
    """What only a table in play could tell."""
    return NOTHING


def seat_wind(scene: HandScene) -> tuple[int, ...]:
    winds = scene.data.seats.winds[: scene.data.seats.count]
    return (winds[scene.seat],) if scene.situation.seat_known and scene.seat < len(winds) else NOTHING


def own(scene: HandScene) -> tuple[int, ...]:
    known = scene.situation.seat_known
    return tuple(t.index for t in scene.data.tiles.tiles if t.seat == scene.seat) if known else NOTHING


def self_drawn(scene: HandScene) -> bool:
    return scene.situation.self_draw


def score_at_start(scene: HandScene) -> int | Fraction:
    """What a seat has when a match begins; a hand alone tells of no other score. The pot is empty."""
    start = scene.data.play.match.score if scene.data.play else None
    number = start.value if isinstance(start, Const) and scene.seat < scene.data.seats.count else 0
    return number if isinstance(number, int | Fraction) else 0


def line_of(scene: HandScene, form: str) -> CardLine | None:
    """The line of a card that the hand is read as, if it is read as one in this form."""
    if scene.reading is None or scene.reading.entry is None or scene.reading.form != form:
        return None
    card = next(one.card for one in scene.data.forms if one.id == form)
    return card.lines[scene.reading.entry] if card is not None else None


def category_of(scene: HandScene, form: str) -> str:
    line = line_of(scene, form)
    return line.category if line is not None else ""


def value_of(scene: HandScene, form: str) -> int:
    line = line_of(scene, form)
    return line.value if line is not None else 0


def kinds_of_group(scene: HandScene, part: Part) -> tuple[str, ...]:
    if part.group < 0:
        return ()
    group = scene.data.groups.groups[part.group]
    return tuple(group.kinds | group.meld_kinds if part.melded else group.kinds)


FACTS: dict[str, Callable[[Situation], Any]] = {
    "winner": lambda s: (s.seat,) if s.won else NOTHING,
    "winners": lambda s: (s.seat,) if s.won else NOTHING,
    "discarder": lambda s: NOTHING if s.discarder is None else (s.discarder,),
    "tile": lambda s: NOTHING if s.hand.win is None else (s.hand.win,),
    "round_wind": lambda s: NOTHING if s.round_wind is None else (s.round_wind,),
}
ABOUT_SEAT: dict[str, Callable[[HandScene], Any]] = {
    "seat_wind": seat_wind,
    "own": own,
    "tiles": lambda s: s.faces,
    "groups": lambda s: s.parts,
    "suits": lambda s: suits_of(s, s.standing),
    "kinds": lambda s: kinds_of(s, s.standing),
    "copies": lambda s: s.copies,
    "seen": seen_of,
    "with": lambda s: unknown,
    "without": lambda s: unknown,
    "completing": lambda s: unknown,
    "stands_for": lambda s: unknown,
    "concealed": lambda s: s.concealed,
    "self_draw": self_drawn,
    "waits": lambda s: s.waits,
    "distance": lambda s: s.ask_distance(s.situation),
    "form": lambda s: s.reading.form if s.reading else "",
    "wait": lambda s: (s.reading.wait or "") if s.reading else "",
    "score": score_at_start,
    "place": lambda s: s.seat + 1,
    "potential": lambda s: 0,
    "wins": lambda s: s.situation.won,
    "possible": lambda s: True,
    "next": lambda s: ((s.seat + 1) % s.count_of_seats(),),
    "previous": lambda s: ((s.seat - 1) % s.count_of_seats(),),
}
ABOUT_TILES: dict[str, Callable[[HandScene, tuple[int, ...]], Any]] = {
    "suits": suits_of,
    "kinds": kinds_of,
    "next": lambda scene, tiles: shift(scene, tiles, 1),
    "previous": lambda scene, tiles: shift(scene, tiles, -1),
}
ABOUT_FORM: dict[str, Callable[[HandScene, str], Any]] = {"category": category_of, "value": value_of}
ABOUT_GROUP: dict[str, Callable[[HandScene, Part], Any]] = {
    "kind": kinds_of_group,
    "suits": lambda scene, part: suits_of(scene, part.tiles),
    "discarder": lambda scene, part: NOTHING if part.discarder is None else (part.discarder,),
}
