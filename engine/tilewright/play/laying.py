"""Laying out a table: a case as it is written in, a game at the point where its play begins out.

The hand is dealt from the case's seed; then the tiles that the case names change places with those that lie there, so
that everything it does not speak of is as it was dealt. Knows no moves.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tilewright.hands.reading import Meld
from tilewright.language.play_data import Goal
from tilewright.language.ruleset import RulesetData
from tilewright.play import course, placing
from tilewright.play.frames import Frame
from tilewright.play.game import Game
from tilewright.play.melds import Lying, Spot
from tilewright.play.rules import Rules
from tilewright.play.steps import steps_code
from tilewright.scoring.case import (
    CaseError,
    flags_in,
    read,
    read_flags,
    read_hand,
    read_lying,
    read_mark,
    read_seat,
    seats_hint,
    way_out,
)
from tilewright.scoring.situation import Situation
from tilewright.tiles.notation import write_tile

KEYS = (
    "hand",
    "melds",
    "bonus",
    "flags",
    "seat_wind",
    "round_wind",
    "others",
    "zones",
    "marks",
    "wall",
    "seed",
    "start",
    "options",
    "play",
    "expect",
)
BESIDE = ("id", "ruleset", "name", "about", "source")
OF_A_HAND = ("win", "win_tile", "self_draw", "discarder", "winner")  # what a play shows and does not say
OF_OTHERS = ("hand", "melds", "bonus", "flags")
WALL, HAND, MELDS, BONUS = "wall", "hand", "melds", "bonus"
START = "deal"


def lay_out(rules: Rules, case: Mapping[str, Any]) -> Game:
    """The game at the first question of the case's play. Raises CaseError."""
    check_keys(case)
    game = dealt(rules, case)
    layout = read_layout(rules, game, case)
    forget(game)
    layout.lay(game)
    layout.tell(game)
    begin(game, case)
    return game


def check_keys(case: Mapping[str, Any]) -> None:
    for key in case:
        if key in OF_A_HAND:
            raise CaseError(
                "not-in-a-play", f"a case with `play` does not say {key!r}", "it follows from the moves; expect it"
            )
        if key not in KEYS and key not in BESIDE:
            raise CaseError("unknown-key", f"a case has no {key!r}", way_out(str(key), KEYS))


def dealt(rules: Rules, case: Mapping[str, Any]) -> Game:
    """A game after the steps of the deal, and before anything that follows. Raises CaseError."""
    if rules.data.play is None:
        raise CaseError("no-play", f"{rules.data.id} cannot be played", "a phase called deal is where play begins")
    seed = case.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise CaseError("wrong-value", f"seed is a whole number, not {seed!r}")
    game = Game(rules.program, seed, 1, deals=False)
    game.before_hand = tuple(game.scores)
    course.begin(game, steps_code(rules.program, rules.data.play.phases[START].do, START), 0, {})
    course.run(game)
    if game.window is not None or game.over or WALL not in rules.data.zones:
        raise CaseError(
            "no-quiet-deal",
            "the deal asks somebody, or ends the hand, before a table can be laid out",
            "let the deal only deal, and a phase after it ask",
        )
    return game


def forget(game: Game) -> None:
    """What the deal has drawn in place of other tiles is no tile that anybody has drawn."""
    game.tile, game.discarder, game.group = None, None, None
    game.drawn = [None] * game.program.count
    for seat in game.program.everyone:
        course.end_marks(game, "draw", seat)


# --- what the case names


@dataclass
class Layout:
    """What lies where: tiles of the places that are named, groups of seats, the tiles that the wall begins and ends
    with (the next to be drawn first), and marks."""

    places: dict[Spot, tuple[int, ...]] = field(default_factory=dict)
    melds: dict[int, tuple[Meld, ...]] = field(default_factory=dict)
    front: tuple[int, ...] = ()
    back: tuple[int, ...] = ()
    marks: list[tuple[str, int, Any]] = field(default_factory=list)

    # --- tiles

    def lay(self, game: Game) -> None:
        """Put the tiles where the case says. Raises CaseError where there are not enough."""
        self.check_copies(game)
        wall = frozenset(game.zones[WALL][0])
        spots = {*self.places, *((MELDS, seat) for seat in self.melds)}
        for spot in spots:
            empty(game, spot)
        hands = Finder(game, spots)
        for spot, faces in self.places.items():
            for face in faces:
                placing.carry(game, hands.find(face), spot)
        for seat, melds in self.melds.items():
            for meld in melds:
                placing.lay(game, lying(game, hands, seat, meld))
        self.order_wall(game, hands, wall)

    def check_copies(self, game: Game) -> None:
        """No tile is named more often than it is there."""
        melds = [meld for melds in self.melds.values() for meld in melds]
        groups = [*self.places.values(), *(meld.tiles for meld in melds), self.front, self.back]
        there = Counter(alike(game, tile) for tile in game.program.box)
        for (face, marks), number in Counter(alike(game, face) for faces in groups for face in faces).items():
            if number > there[face, marks]:
                code = game.program.code[face]
                raise CaseError("too-many-copies", f"{number} of {code} are named, but there are {there[face, marks]}")

    def order_wall(self, game: Game, hands: "Finder", wall: frozenset[int]) -> None:
        """The tiles that are named stand at the ends of the wall, those that came to it in its middle."""
        front = [hands.find(face) for face in self.front]
        back = [hands.find(face) for face in self.back]
        for tile in (*front, *back):
            placing.carry(game, tile, (WALL, 0))
        named = {*front, *back}
        row = game.zones[WALL][0]
        rest = [tile for tile in row if tile not in named]
        stayed, came = [tile for tile in rest if tile in wall], [tile for tile in rest if tile not in wall]
        half = len(stayed) // 2
        row[:] = [*front, *stayed[:half], *came, *stayed[half:], *reversed(back)]

    # --- marks

    def tell(self, game: Game) -> None:
        """Remember the marks."""
        for name, seat, value in self.marks:
            game.keep_mark(name, seat, value)


@dataclass
class Finder:
    """Finds tiles that the case does not hold yet: in the wall, else where it says nothing of."""

    game: Game
    named: set[Spot]
    used: set[int] = field(default_factory=set)

    def find(self, face: int) -> int:
        """A tile of this face, or one that is the same in play; now in the wall."""
        game = self.game
        free = [
            tile
            for tile in game.program.box
            if alike(game, tile) == alike(game, face) and tile not in self.used and game.where[tile] not in self.named
        ]
        tile = min(free, key=lambda tile: (game.program.face[tile] != face, game.where[tile][0] != WALL))
        self.used.add(tile)
        if game.where[tile][0] != WALL:
            self.replace(tile)
        return tile

    def replace(self, tile: int) -> None:
        """The tile goes to the wall, and one from there to its place, of the same family if there is one."""
        game, family = self.game, self.game.program.family
        free = [other for other in game.zones[WALL][0] if other not in self.used]
        other = next((other for other in reversed(free) if family[other] == family[tile]), free[-1] if free else None)
        spot = game.where[tile]
        placing.carry(game, tile, (WALL, 0))
        if other is not None:
            placing.carry(game, other, spot)


def alike(game: Game, tile: int) -> tuple[int, frozenset[str]]:
    """What tiles that are the same in play have in common."""
    return game.program.plain[tile], game.program.data.tiles.tiles[game.program.face[tile]].marks


def empty(game: Game, spot: Spot) -> None:
    """Everything that lies there goes to the wall."""
    zone, seat = spot
    tiles = [tile for member in game.zones[zone][seat] for tile in tiles_in(member)]
    for tile in tiles:
        placing.carry(game, tile, (WALL, 0))


def tiles_in(member: Any) -> tuple[int, ...]:
    return member.tiles if isinstance(member, Lying) else (member,)


def lying(game: Game, hands: Finder, seat: int, meld: Meld) -> Lying:
    """A group of the case on the table."""
    tiles = [hands.find(face) for face in meld.tiles]
    left, wild = list(tiles), []
    for face, stands in meld.wild:
        tile = next(tile for tile in left if alike(game, tile) == alike(game, face))
        left.remove(tile)
        wild.append((tile, stands))
    return Lying(seat, meld.group, tuple(tiles), meld.exposed, tuple(wild), meld.discarder)


# --- reading


def read_layout(rules: Rules, game: Game, case: Mapping[str, Any]) -> Layout:
    """What the case says of the table. Raises CaseError."""
    rules = rules.at_table(case)
    data = rules.data
    layout = Layout()
    seat = read_seat(data, case.get("seat_wind"), "seat_wind") or 0
    for at, held in ((seat, case), *others(data, case, seat)):
        try:
            add_hand(rules, layout, at, held)
            if HAND in held and case.get("start") is None:
                check_dealt(rules, held, len(game.zones[HAND][at]))
        except CaseError as error:
            raise CaseError(error.code, f"{game.program.names[at]}: {error.message}", error.hint) from None
        layout.marks += [(flag, at, True) for flag in read_flags(data, flags_in(held))]
    for zone, seats in zones(data, case):
        for at, tiles in of_seats(data, zone, data.zones[zone].of, seats, seat):
            layout.places[zone, at] = read_lying(data, tiles, zone)
    layout.marks += list(read_marks(data, case, seat))
    for name, _, _ in layout.marks:
        if name not in data.marks:
            raise CaseError("term-in-a-play", f"{name} is a term: it follows from the table", "lay the table so")
    read_wall(data, layout, case.get(WALL))
    set_round(game, case)
    return layout


def others(data: RulesetData, case: Mapping[str, Any], seat: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """What the other seats hold."""
    given = case.get("others") or {}
    if not isinstance(given, Mapping):
        raise CaseError("wrong-others", "others is a mapping of seats to their hands", seats_hint(data))
    for name, held in given.items():
        at = read_seat(data, name, "others")
        if at is None or at == seat or not isinstance(held, Mapping):
            raise CaseError("wrong-others", f"others: {name!r} is no other seat with a hand", "write {W: {hand: 123m}}")
        unknown = next((key for key in held if key not in OF_OTHERS), None)
        if unknown is not None:
            raise CaseError("unknown-key", f"others: a seat has no {unknown!r}", way_out(str(unknown), OF_OTHERS))
        yield at, held


def add_hand(rules: Rules, layout: Layout, seat: int, held: Mapping[str, Any]) -> None:
    """What a seat holds, as far as the case says; one whose hand is told has no melds and no bonus tiles but those
    that are."""
    read_of = {key: held[key] for key in (HAND, MELDS, BONUS) if key in held}
    hand = read_hand(rules.data, read_of, won=False)
    if MELDS in held and HAND not in held:
        raise CaseError("no-hand", "a seat with melds says which tiles it holds besides", "add `hand`")
    if HAND in held:
        rules.expect_size(Situation(hand))
        layout.places[HAND, seat] = hand.tiles
        if MELDS in rules.data.zones:
            layout.melds[seat] = hand.melds
    if (HAND in held or BONUS in held) and BONUS in rules.data.zones:
        layout.places[BONUS, seat] = hand.bonus


def check_dealt(rules: Rules, held: Mapping[str, Any], dealt_tiles: int) -> None:
    """A hand that is dealt has as many tiles as the deal gives."""
    size = rules.judge.size(read_hand(rules.data, {key: held[key] for key in (HAND, MELDS) if key in held}, won=False))
    if rules.judge.full_sizes and size != dealt_tiles:
        raise CaseError(
            "wrong-size",
            f"{size} tiles are held, but {dealt_tiles} are dealt",
            "what is drawn comes from the wall; for a hand that has drawn say where the play starts: {act: E}",
        )


def zones(data: RulesetData, case: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The zones that are named, without those that have keys of their own."""
    given = case.get("zones") or {}
    if not isinstance(given, Mapping):
        raise CaseError("wrong-zones", "zones are a mapping of names to tiles", f"zones are {', '.join(data.zones)}")
    for zone, tiles in given.items():
        if zone not in data.zones:
            raise CaseError("unknown-zone", f"{data.id} has no zone {zone!r}", way_out(str(zone), data.zones))
        if zone in (HAND, MELDS, WALL):
            raise CaseError("wrong-zones", f"zones: {zone} has a key of its own", "say hand, melds, others or wall")
        yield str(zone), tiles


def of_seats(data: RulesetData, name: str, of: str, value: Any, seat: int) -> Iterator[tuple[int, Any]]:
    """What is said of a zone or a mark, by seat: of the case's own seat, or of each that is named."""
    if not isinstance(value, Mapping):
        yield (seat if of == "seat" else 0), value
        return
    if of != "seat":
        raise CaseError("wrong-seat", f"{name} is one for the whole table", "say it without a seat")
    for who, one in value.items():
        at = read_seat(data, who, name)
        if at is not None:
            yield at, one


def read_marks(data: RulesetData, case: Mapping[str, Any], seat: int) -> Iterator[tuple[str, int, Any]]:
    """The marks with their seats and values."""
    given = case.get("marks") or {}
    if not isinstance(given, Mapping):
        raise CaseError("wrong-marks", "marks are a mapping of names to values", "for instance {ready: true}")
    for name, value in given.items():
        if name not in data.marks:
            raise CaseError("unknown-mark", f"{data.id} has no mark {name!r}", way_out(str(name), data.marks))
        mark = data.marks[name]
        for at, one in of_seats(data, name, mark.of, value, seat):
            yield name, at, read_mark(data, mark.type, one, name)


def read_wall(data: RulesetData, layout: Layout, wall: Any) -> None:
    """The tiles at the ends of the wall."""
    ends = wall if isinstance(wall, Mapping) else {"front": wall}
    unknown = next((end for end in ends if end not in ("front", "back")), None)
    if unknown is not None:
        raise CaseError("unknown-key", f"a wall has no {unknown!r}", "it has front and back")
    front, back = (() if ends.get(end) is None else read_lying(data, ends[end], WALL) for end in ("front", "back"))
    layout.front, layout.back = front, back


def set_round(game: Game, case: Mapping[str, Any]) -> None:
    """The round is that of the wind that the case names."""
    if case.get("round_wind") is None:
        return
    data, rounds = game.program.data, game.program.play.match.rounds
    tiles = read(data, case["round_wind"], "round_wind")
    if len(tiles) != 1 or tiles[0] not in rounds:
        winds = ", ".join(write_tile(tile, data.tiles) for tile in rounds)
        raise CaseError("wrong-value", "round_wind is the wind of a round", f"rounds are {winds}" if winds else None)
    game.round = rounds.index(tiles[0])


# --- where the play begins


def begin(game: Game, case: Mapping[str, Any]) -> None:
    """Go on to the phase that the play starts with, and to its first question. Raises CaseError."""
    start = case.get("start")
    if start is None:
        course.follow(game, Frame(game.program.phases[START], 0, {}), game.program.goal(after_deal(game)))
    else:
        phase, who = next(iter(start.items())) if isinstance(start, Mapping) and start else (start, None)
        seat = game.turn if who is None else read_seat(game.program.data, who, "start")
        if phase not in game.program.phases or seat is None:
            raise CaseError("unknown-phase", f"no phase is called {phase!r}", way_out(str(phase), game.program.phases))
        game.turn = seat
        course.start(game, phase, seat)
    course.run(game)


def after_deal(game: Game) -> Goal:
    goal = game.program.play.phases[START].then
    if goal is None:
        raise CaseError("no-start", "the deal does not say what follows it", "say where the play starts: {act: E}")
    return goal
