"""Layouts: where a match begins. In: what programs and documents write. Out: frozen data, or what is wrong with it.

A layout gives the state of the match (scores, pot, round, dealer, marks), which tiles come in each hand (`walls`), and
what is on the table in the middle of the first hand (hands, melds, zones, the wall from there on, whose turn it is).
Everything else is dealt from the seed. Knows no match in progress.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tilewright.hands.reading import Hand, Meld
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.model import ZonePlace
from tilewright.scoring.case import (
    OF_OTHERS,
    check_room,
    flags_in,
    read_flags,
    read_lying,
    read_mark,
    round_named,
    with_former_names,
)
from tilewright.scoring.case_hands import POT, read, read_hand, read_seat, seats_hint
from tilewright.scoring.case_mistakes import CaseError, way_out
from tilewright.scoring.plain.walker import whole
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.score import json_number
from tilewright.tiles.notation import write_tile

Number = int | Fraction
Tiles = tuple[int, ...]  # faces
START = "deal"  # the phase that lays the table
WALL, HAND, MELDS, BONUS = "wall", "hand", "melds", "bonus"
OF_THE_MATCH = ("scores", "pot", "dealer", "deals", "round_wind", "walls")
OF_THE_TABLE = ("hand", "melds", "bonus", "flags", "seat_wind", "others", "zones", "marks", "wall", "start")
KEYS = (*OF_THE_TABLE, *OF_THE_MATCH)
OF_WALLS = ("front", "back", "hands", "zones")
ENDS = ("front", "back")
MOST_WALLS = 100
MOST_POINTS = 1_000_000_000
MOST_CHARACTERS = 80_000  # of a layout as JSON: it is one line of a log


@dataclass(frozen=True, slots=True)
class WallEnds:
    """Tiles in the order in which they are taken from either end."""

    front: Tiles = ()
    back: Tiles = ()


@dataclass(frozen=True, slots=True)
class LaidWall:
    """The tiles at the ends of a wall, the next to be drawn first, and those reserved for a place: for a hand when it
    draws (from the front of the wall or elsewhere), for a zone when tiles of the wall go there."""

    ends: WallEnds = WallEnds()
    coming: Mapping[ZonePlace, WallEnds] = field(default_factory=dict)
    written: Any = ""  # plain data

    @property
    def tiles(self) -> list[int]:
        return [tile for ends in (self.ends, *self.coming.values()) for tile in (*ends.front, *ends.back)]


@dataclass(frozen=True, slots=True)
class HandStart:
    """A hand before its deal. `hand` and `round` count from 1; `deals`: how often the deal has passed in the round;
    `dealer`: a player; `scores`: of each player; `pot`: what is in the pot; `marks`: those of the match."""

    hand: int
    round: int
    deals: int
    dealer: int
    scores: tuple[Number, ...]
    pot: Number
    marks: Mapping[str, Any]


Walls = Callable[[HandStart], Any]  # the wall of each hand, as documents write it; None: shuffled from the seed


@dataclass(frozen=True, slots=True)
class TablePosition:
    """What is on the table after the deal: tiles of the places that are named, groups of seats, marks, the wall, and
    the next phase with whose turn it is."""

    places: Mapping[ZonePlace, Tiles] = field(default_factory=dict)
    melds: Mapping[int, tuple[Meld, ...]] = field(default_factory=dict)
    hands: Mapping[int, Hand] = field(default_factory=dict)  # the named ones, by seat
    marks: tuple[tuple[str, int, Any], ...] = ()
    wall: LaidWall = LaidWall()
    phase: str = ""
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Where a game begins. `scores` by seat of the first hand; `dealer`: a player; `marks`: of the match; `written`:
    the same as plain data, without walls that a function gives."""

    walls: Sequence[LaidWall] | Walls = ()
    scores: Mapping[int, Number] = field(default_factory=dict)
    pot: Number | None = None
    round: int = 0
    dealer: int | None = None
    deals: int | None = None
    marks: Mapping[str, Any] = field(default_factory=dict)
    position: TablePosition | None = None
    written: Mapping[str, Any] = field(default_factory=dict)


def read_layout(rules: ScoringRules, given: Mapping[str, Any]) -> TableLayout:
    """The layout under these keys (docs/tables.md). Raises CaseError."""
    return with_former_names(rules.data, given, lambda _, today: read_as_written(rules, today))


def read_as_written(rules: ScoringRules, given: Mapping[str, Any]) -> TableLayout:
    """The same of names as they are today."""
    for key in given:
        if key not in KEYS:
            raise CaseError("unknown-key", f"a layout has no {key!r}", way_out(str(key), KEYS))
    given = {key: value for key, value in given.items() if value is not None}
    data = rules.data
    seat = read_seat(data, given.get("seat_wind"), "seat_wind") or 0
    marks = list(read_marks(data, given, seat))
    of_match = {name: value for name, _, value in marks if data.marks[name].of == "match"}
    of_table = [mark for mark in marks if mark[0] not in of_match]
    is_laid = bool(of_table) or any(key in given for key in OF_THE_TABLE if key not in ("marks", "seat_wind"))
    dealer = read_seat(data, given.get("dealer"), "dealer")
    return TableLayout(
        read_walls(data, given.get("walls", ())),
        read_scores(data, given.get("scores", {})),
        number_of(given["pot"], POT) if POT in given else None,
        read_round(data, given),
        dealer,
        read_deals(data, given.get("deals")),
        of_match,
        read_position(rules.at_table(given), given, seat, of_table) if is_laid else None,
        written_down({key: value for key, value in given.items() if key != "walls" or not callable(value)}),
    )


def written_down(given: Any) -> Any:
    """What was given, as plain data that a log can hold. Raises CaseError."""
    hint = "use texts, numbers, lists and mappings"
    try:
        text = json.dumps(given, ensure_ascii=False, default=plain_number)
    except (TypeError, ValueError, RecursionError):
        raise CaseError("wrong-value", "a layout is plain data", hint) from None
    if len(text) > MOST_CHARACTERS:
        message = f"a layout has at most {MOST_CHARACTERS:,} characters, and this one has {len(text):,}"
        raise CaseError("too-large", message, "for the walls of many hands give a function")
    return json.loads(text)


def plain_number(value: Any) -> Any:
    if isinstance(value, Fraction):
        return json_number(value)
    raise TypeError


# --- the match


def read_scores(data: CompiledRuleset, given: Any) -> dict[int, Number]:
    """The scores by seat: a list from the dealer on, or a mapping."""
    if isinstance(given, Mapping):
        return {seat_of(data, name, "scores"): number_of(value, "scores") for name, value in given.items()}
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != data.seats.count:
        hint = f"for instance {{E: 24000}}; {seats_hint(data)}"
        raise CaseError("wrong-value", f"scores are those of {data.seats.count} seats", hint)
    return {seat: number_of(value, "scores") for seat, value in enumerate(given)}


def seat_of(data: CompiledRuleset, name: Any, what: str) -> int:
    seat = read_seat(data, name, what)
    if seat is None:
        raise CaseError("wrong-seat", f"{what}: a seat is named", seats_hint(data))
    return seat


def number_of(value: Any, what: str) -> Number:
    is_number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
    if not is_number or not -MOST_POINTS <= value <= MOST_POINTS:
        message = f"{what}: {value!r:.40} is not a number from {-MOST_POINTS:,} to {MOST_POINTS:,}"
        raise CaseError("wrong-value", message)
    return whole(Fraction(str(value)))


def read_deals(data: CompiledRuleset, value: Any) -> int | None:
    """How often the deal has passed in the round."""
    count = data.seats.count
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        message = f"deals is how often the deal has passed in this round, 0 to {count - 1}, not {value!r:.40}"
        raise CaseError("wrong-value", message)
    return value


def read_round(data: CompiledRuleset, given: Mapping[str, Any]) -> int:
    """The round is that of the wind that is named, by its tile or by the name or number of its seat."""
    if given.get("round_wind") is None:
        return 0
    rounds: tuple[int, ...] = data.play.match.rounds if data.play is not None else ()
    try:
        tiles = read(data, given["round_wind"], "round_wind")
    except CaseError:
        place = round_named(data, given["round_wind"])
        if place is None or place >= len(rounds):
            raise
        return place
    if len(tiles) != 1 or tiles[0] not in rounds:
        winds = ", ".join(write_tile(tile, data.tiles) for tile in rounds)
        raise CaseError("wrong-value", "round_wind is the wind of a round", f"rounds are {winds}" if winds else None)
    return rounds.index(tiles[0])


# --- walls


def read_walls(data: CompiledRuleset, given: Any) -> Sequence[LaidWall] | Walls:
    """The wall of every hand: a list of them, or a function that gives each."""
    if callable(given):
        asked: Walls = given
        return asked
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) > MOST_WALLS:
        hint = "for instance [1m 2m 3m, {front: 1m 2m, back: 9p}]; null is a wall as it is shuffled"
        raise CaseError("wrong-walls", f"walls are a list of at most {MOST_WALLS}, one for each hand", hint)
    return tuple(read_wall(data, wall, f"walls[{number}]") for number, wall in enumerate(given, 1))


def read_wall(data: CompiledRuleset, given: Any, what: str = WALL) -> LaidWall:
    """A wall: the tiles that come first, or a mapping with those of both ends and of hands and zones."""
    keys = given if isinstance(given, Mapping) else {"front": given}
    expect_keys(what, keys, OF_WALLS, "a wall")
    coming: dict[ZonePlace, WallEnds] = {}
    for name, ends in mapping_of(keys.get("hands"), f"{what}.hands", "{E: 123m 456p}").items():
        if HAND not in data.zones:
            raise CaseError("unknown-zone", f"{data.id} has no zone {HAND!r}")
        coming[HAND, seat_of(data, name, f"{what}.hands")] = read_ends(data, ends, f"{what}.hands")
    for zone, tiles in mapping_of(keys.get("zones"), f"{what}.zones", "{bonus: {E: 1f}}").items():
        expect_zone(data, zone, (HAND, MELDS, WALL), "use front, back or hands")
        for at, some in of_seats(data, zone, data.zones[zone].of, tiles, 0):
            coming[zone, at] = WallEnds(read_lying(data, some, f"{what}.zones.{zone}"))
    wall = LaidWall(read_ends(data, {end: keys[end] for end in ENDS if end in keys}, what), coming, written_down(given))
    check_copies(data, wall.tiles, what)
    return wall


def read_ends(data: CompiledRuleset, given: Any, what: str) -> WallEnds:
    ends = given if isinstance(given, Mapping) else {"front": given}
    expect_keys(what, ends, ENDS, "a wall")
    front, back = (() if ends.get(end) is None else read_lying(data, ends[end], what) for end in ENDS)
    return WallEnds(front, back)


def expect_keys(what: str, given: Mapping[str, Any], known: Sequence[str], thing: str) -> None:
    for unknown in (key for key in given if key not in known):
        raise CaseError("unknown-key", f"{what}: {thing} has no {unknown!r}", f"it has {', '.join(known)}")


def mapping_of(given: Any, what: str, example: str) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise CaseError("wrong-value", f"{what} is a mapping", f"for instance {example}")
    return given


def expect_zone(data: CompiledRuleset, zone: Any, apart: Sequence[str], hint: str) -> None:
    """Raise CaseError for an unknown zone, or one with a key of its own."""
    if zone not in data.zones:
        raise CaseError("unknown-zone", f"{data.id} has no zone {zone!r}", way_out(str(zone), data.zones))
    if zone in apart:
        raise CaseError("wrong-zones", f"zones: {zone} has a key of its own", hint)


def check_copies(data: CompiledRuleset, faces: Iterable[int], what: str = "") -> None:
    """No tile is named more often than there are equivalent tiles."""
    tiles = data.tiles.tiles
    there = Counter[tuple[int, frozenset[str]]]()
    for tile in tiles:
        there[tile.plain, tile.marks] += tile.copies
    named = Counter(faces)
    found = Counter[tuple[int, frozenset[str]]]()
    for face, number in named.items():
        alike = tiles[face].plain, tiles[face].marks
        found[alike] += number
        if found[alike] > there[alike]:
            code = write_tile(face, data.tiles)
            message = f"{found[alike]} of {code} are named, but there are {there[alike]}"
            raise CaseError("too-many-copies", f"{what}: {message}" if what else message)


# --- the table in the middle of a hand


def read_position(
    rules: ScoringRules, given: Mapping[str, Any], seat: int, marks: Sequence[tuple[str, int, Any]]
) -> TablePosition:
    """The position of the table. Raises CaseError."""
    data = rules.data
    found = list(marks)
    places: dict[ZonePlace, Tiles] = {}
    melds: dict[int, tuple[Meld, ...]] = {}
    hands: dict[int, Hand] = {}
    for at, held in ((seat, given), *others(data, given, seat)):
        try:
            add_hand(rules.data, at, held, places, melds, hands)
        except CaseError as error:
            name = f"seat {at + 1}" if at >= len(data.seats.winds) else write_tile(data.seats.winds[at], data.tiles)
            raise CaseError(error.code, f"{name}: {error.message}", error.hint) from None
        found += [(flag, at, True) for flag in read_flags(data, flags_in(held))]
    for zone, seats in mapping_of(given.get("zones"), "zones", "{discards: {W: 1m9m}}").items():
        expect_zone(data, zone, (HAND, MELDS, WALL), "use hand, melds, others or wall")
        for at, tiles in of_seats(data, zone, data.zones[zone].of, seats, seat):
            places[zone, at] = read_lying(data, tiles, zone)
            check_room(data, zone, places[zone, at])
    for name, _, _ in found:
        if name not in data.marks:
            raise CaseError(
                "term-in-a-play", f"{name} is a term: it follows from the table", "arrange the table so that it holds"
            )
    wall = read_wall(data, given[WALL]) if WALL in given else LaidWall()
    groups = [meld.tiles for row in melds.values() for meld in row]
    check_copies(data, [face for faces in (*places.values(), *groups, wall.tiles) for face in faces])
    phase, turn = read_start(data, given.get("start"))
    return TablePosition(places, melds, hands, tuple(found), wall, phase, turn)


def others(data: CompiledRuleset, given: Mapping[str, Any], seat: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """What the other seats hold."""
    for name, held in mapping_of(given.get("others"), "others", "{W: {hand: 123m}}").items():
        at = read_seat(data, name, "others")
        if at is None or at == seat or not isinstance(held, Mapping):
            raise CaseError(
                "wrong-others", f"others: {name!r} is not another seat with a hand", "write {W: {hand: 123m}}"
            )
        for unknown in (key for key in held if key not in OF_OTHERS):
            raise CaseError("unknown-key", f"others: a seat has no {unknown!r}", way_out(str(unknown), OF_OTHERS))
        yield at, held


def add_hand(
    data: CompiledRuleset,
    seat: int,
    held: Mapping[str, Any],
    places: dict[ZonePlace, Tiles],
    melds: dict[int, tuple[Meld, ...]],
    hands: dict[int, Hand],
) -> None:
    """What a seat holds, as far as it is given; a seat whose hand is given has only the melds and bonus tiles that are
    given."""
    hand = read_hand(data, {key: held[key] for key in (HAND, MELDS, BONUS) if key in held}, won=False)
    if MELDS in held and HAND not in held:
        raise CaseError("no-hand", "a seat with melds needs its other tiles, too", "add `hand`")
    if HAND in held:
        hands[seat] = hand
        places[HAND, seat] = hand.tiles
        if MELDS in data.zones:
            melds[seat] = hand.melds
    if (HAND in held or BONUS in held) and BONUS in data.zones:
        places[BONUS, seat] = hand.bonus


def of_seats(data: CompiledRuleset, name: str, of: str, value: Any, seat: int) -> Iterator[tuple[int, Any]]:
    """What is given for a zone or a mark, by seat: for the layout's own seat, or for each named one."""
    if not isinstance(value, Mapping):
        yield (seat if of == "seat" else 0), value
        return
    if of != "seat":
        raise CaseError("wrong-seat", f"{name} is one for the whole table", "give it without a seat")
    for who, one in value.items():
        at = read_seat(data, who, name)
        if at is not None:
            yield at, one


def read_marks(data: CompiledRuleset, given: Mapping[str, Any], seat: int) -> Iterator[tuple[str, int, Any]]:
    """The marks with their seats and values."""
    for name, value in mapping_of(given.get("marks"), "marks", "{ready: true}").items():
        if name not in data.marks:
            raise CaseError("unknown-mark", f"{data.id} has no mark {name!r}", way_out(str(name), data.marks))
        mark = data.marks[name]
        for at, one in of_seats(data, name, mark.of, value, seat):
            yield name, at, read_mark(data, mark.type, one, name)


def read_start(data: CompiledRuleset, start: Any) -> tuple[str, int | None]:
    """The next phase, and whose turn it is; empty for what follows the deal."""
    if start is None:
        return "", None
    phase, who = next(iter(start.items())) if isinstance(start, Mapping) and start else (start, None)
    phases = data.play.phases if data.play is not None else {}
    turn = None if who is None else read_seat(data, who, "start")
    if not isinstance(phase, str) or phase not in phases:
        raise CaseError("unknown-phase", f"no phase is called {phase!r}", way_out(str(phase), phases))
    return "" if phase == START else phase, turn  # a layout is of a table that was dealt
