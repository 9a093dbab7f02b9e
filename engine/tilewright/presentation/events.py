"""Events as lines: events of a game in, lines out, with only what the viewer may see; and how a hand ended.

At a table, an offer and its effect share one line (the discarded tile, the melded group), and routine events are
skipped. A record shows every event on its own, with the origin of tiles. The details of events are declared in
play/model.py. Knows no screen and no language.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rich.text import Text

from tilewright.language.compiled.play import Play
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.model import ANSWER, STEP, DetailType, Event, HandResult, Won, kind_of
from tilewright.play.placements import leaders, standings
from tilewright.presentation.catalogue import has, translations
from tilewright.presentation.console import Row, table
from tilewright.presentation.line import WHO, SeatSlot, Slot, TilesSlot, ToldLine
from tilewright.presentation.names import RulesetNames, in_words, is_named, named, unit_names
from tilewright.presentation.scores import gain_text, signed
from tilewright.scoring.case_hands import POT, seat_names
from tilewright.scoring.score import Number, show_number

HAND, WIN = "hand", "win"
WITH_OFFER = frozenset({"move", "meld", "swap"})  # kinds that may be the effect of an offer
MOST_GOT = 4  # tiles that come to a hand by a step; more are the deal
YES_OR_NO = frozenset({"yes", "no"})


@dataclass
class EventTeller:
    """Makes lines of events. `players`: the player at each seat, by the name of the seat; updated when a hand begins.
    `record`: every event is shown."""

    data: CompiledRuleset
    players: Mapping[str, int] = field(default_factory=dict)
    record: bool = False

    def __post_init__(self) -> None:
        self.play = self.data.play or Play()
        self.seats = seat_names(self.data)[: self.data.seats.count]

    def lines(self, events: Iterable[Event], sees: Callable[[Event], bool]) -> list[tuple[Event, ToldLine]]:
        """The events that are shown, each with its line; `sees`: whether the viewer sees the tiles of an event."""
        lines: list[tuple[Event, ToldLine]] = []
        offer: int | None = None  # index of the line of an offer whose tiles are still to come
        for event in events:
            if event.kind == HAND:
                self.players = event.get("players") or {}
            if offer is not None and event.kind in WITH_OFFER and event.seat == lines[offer][0].seat:
                taken, line = lines[offer]
                slots = {**line.slots, "tiles": self.tiles(event, sees(event))}
                if (hand := event.get("hand")) is not None:
                    slots["hand"] = hand
                id = "events.discard" if self.is_discard(taken, event) else line.id
                lines[offer] = taken, replace(line, id=id, slots=slots, sound=kind_of(event).sound)
                offer = None
                continue
            found = self.line(event, sees(event))
            if found is not None and not (offer is not None and says_again(lines[offer][1], found)):
                lines.append((event, found))
            if event.kind == "take" and not self.record:
                offer = len(lines) - 1
            elif event.kind != "mark":
                offer = None
        return lines

    def line(self, event: Event, sees: bool) -> ToldLine | None:
        """The line of an event; None if it is not shown."""
        kind = kind_of(event)
        if (kind.routine and not self.record) or (kind.hidden and not sees):
            return None
        known = {name: type for name, type in kind.detail.items() if sees or name not in kind.secret}
        slots: dict[str, Slot] = {WHO: self.seat_at(event.seat)}
        slots["tiles"] = self.tiles(event, sees)
        slots |= {name: self.slot(type, event.get(name)) for name, type in known.items()}
        line = ToldLine(f"events.{kind.name}", slots, event.kind, kind.sound)
        return REFINED[kind.name](self, event, line, sees) if kind.name in REFINED else line

    def is_discard(self, taken: Event, event: Event) -> bool:
        """Whether all that an offer did was to discard a tile."""
        known = self.play.offers.get(str(taken.get("offer")))
        return known is not None and len(known.do) == 1 and event.kind == "move" and self.is_claimable(event)

    def is_claimable(self, move: Event) -> bool:
        """Whether tiles go where they may be claimed."""
        zone, _, _ = str(move.get("to")).partition("@")
        return zone in self.data.zones and self.data.zones[zone].claimable

    # --- values of blanks

    def slot(self, type: DetailType, value: Any) -> Slot:
        """A detail as the value of a blank."""
        if value is None:
            return None
        match type:
            case "seat":
                return self.seat(value)
            case "seats":
                return tuple(map(self.seat, value))
            case "tiles":
                return TilesSlot(tuple(value), len(value)) if value else None
            case "place":
                return self.place(value)
            case "places":
                return tuple(map(self.place, value))
            case "answers":
                return tuple(self.answer(seat, answer) for seat, answer in value.items())
            case "number":
                return value if isinstance(value, int | Fraction) else str(value)
            case "names":
                return named("", value)
            case "text":
                return in_words(value)
            case "truth" | "values":
                return self.value(value)
        return self.name(type, value)

    def name(self, type: DetailType, id: str) -> Mapping[str, str]:
        """The ruleset's name for a thing."""
        data, play = self.data, self.play
        match type:
            case "offer" if id in play.offers:
                return named(id, play.offers[id].name)
            case "phase" if id in play.phases:
                return named(id, play.phases[id].name)
            case "mark" if id in data.marks:
                mark = data.marks[id]
                return named(id, mark.name if is_named(id, mark.name) else mark.about)
            case "zone" if id in data.zones:
                return named(id, data.zones[id].name)
            case "measure":
                return named(id, next((one.name for one in data.scoring.measures if one.id == id), None))
        verb = f"verbs.{id}.noun"
        return translations(verb) if has(verb) else named(id, None)

    def level(self, id: str) -> Mapping[str, str]:
        """The name of a part of a match."""
        return self.play.match.levels.get(id) or translations(f"names.level_{id}")

    def seat(self, name: str) -> SeatSlot:
        return SeatSlot(name, self.players.get(name))

    def seat_at(self, at: int | None) -> SeatSlot | None:
        """The seat with this number; the one after the last is the pot."""
        return None if at is None else self.seat(self.seats[at] if at < len(self.seats) else POT)

    def tiles(self, event: Event, sees: bool, *, apart: bool = False) -> TilesSlot | None:
        tiles = self.data.tiles.tiles
        codes = tuple(tiles[face].code for face in event.tiles)
        return TilesSlot(codes if sees else (), len(codes), apart) if codes else None

    def place(self, place: str) -> Slot:
        """A zone and its owner."""
        zone, _, seat = place.partition("@")
        name = self.name("zone", zone)
        return ToldLine("events.place", {"zone": name, "whom": self.seat(seat)}) if seat else name

    def own_place(self, place: str, event: Event) -> Slot:
        """A zone, with its owner unless that is the acting seat."""
        zone, _, seat = place.partition("@")
        own = event.seat is not None and self.seats[event.seat] == seat
        return self.name("zone", zone) if own else self.place(place)

    def value(self, value: Any) -> Slot:
        """The value of a mark or a die, or an answer."""
        if isinstance(value, list | tuple):
            return tuple(map(self.value, value))
        if isinstance(value, bool):
            return translations("events.yes" if value else "events.no")
        if not isinstance(value, str):
            return value if isinstance(value, int | Fraction) else str(value)
        if value in YES_OR_NO:
            return translations("events.yes" if value == "yes" else "events.no")
        if has(side := f"words.{value}.side"):
            return translations(side)
        if value in self.data.tiles.titles or value in self.data.tiles.families:
            return named(value, self.data.tiles.titles.get(value))
        codes = value.split()
        known = codes and all(self.data.tiles.by_code(code) for code in codes)
        return TilesSlot(tuple(codes), len(codes)) if known else in_words(value)

    def answer(self, seat: str, answer: Mapping[str, str]) -> ToldLine:
        """The answer of a seat: its offer and its choices."""
        offers: list[Slot] = [self.name("offer", answer["move"])] if answer["move"] != ANSWER else []
        chosen = [self.value(value) for name, value in answer.items() if name != "move"]
        return ToldLine("events.answer", {"whom": self.seat(seat), "said": (*offers, *chosen)})


def says_again(taken: ToldLine, mark: ToldLine) -> bool:
    """Whether a mark says no more than the offer that set it."""
    told = mark.slots.get("name")
    return mark.kind == "mark" and mark.slots.get("value") is None and told == taken.slots.get("offer")


# --- kinds with more than one message


def step(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine:
    """A step without a message of its own: its name, and all its details."""
    noun = f"verbs.{event.kind}.noun"
    does = translations(noun) if has(noun) else named(event.kind, None)
    return replace(line, slots={**line.slots, "does": does})


def hand(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine:
    """A hand begins."""
    slots = {**line.slots, "level": teller.level("hand"), "round_level": teller.level("round")}
    return replace(line, id="events.hand_of_round" if teller.record else line.id, slots=slots)


def draw(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine | None:
    """A draw that the viewer sees."""
    if not sees:
        return None
    return replace(line, slots={**line.slots, "from": line.slots["from"] if teller.record else None})


def move(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine | None:
    """Tiles that leave a seat, or come to a hand; the deal is not shown."""
    origin, goal = str(event.get("from")), str(event.get("to"))
    slots = {**line.slots, "from": teller.own_place(origin, event), "to": teller.own_place(goal, event)}
    if teller.record:
        return replace(line, id="events.move_from", slots=slots)
    (_, _, giver), (zone, _, taker) = origin.partition("@"), goal.partition("@")
    if not giver:
        got = sees and taker and 0 < len(event.tiles) <= MOST_GOT
        return replace(line, id="events.get", slots={**slots, WHO: teller.seat(taker)}, sound="") if got else None
    if giver == taker and not sees:
        return None
    if giver == taker and zone == HAND:
        return replace(line, id="events.get", slots=slots, sound="")
    if taker and giver != taker:
        passed = {WHO: teller.seat(giver), "whom": teller.seat(taker)}
        return replace(line, id="events.pass", slots={**slots, **passed}, sound="")
    if teller.is_claimable(event):
        return replace(line, id="events.discard", slots=slots)
    return replace(line, id="events.aside", slots=slots) if giver == taker else replace(line, slots=slots)


def swap(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine:
    tiles = teller.tiles(event, sees, apart=True)
    places = line.slots["places"] if teller.record else None
    return replace(line, slots={**line.slots, "tiles": tiles, "places": places})


def meld(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine:
    how = None if event.get("exposed") else translations("events.concealed")
    return replace(line, slots={**line.slots, "how": how})


def reveal(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine | None:
    """Tiles that are shown to everyone, or to some seats including the viewer's."""
    to = None if event.seen_by is None else tuple(teller.seat(teller.seats[seat]) for seat in sorted(event.seen_by))
    tiles = teller.tiles(event, sees, apart=True)
    return replace(line, slots={**line.slots, "tiles": tiles, "to": to}) if sees else None


def roll(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine:
    """A die, with the name of the mark that it sets, if that has one."""
    declared = teller.data.marks.get(str(event.get("name")))
    named_mark = declared is not None and is_named(declared.id, declared.name)
    name = teller.name("mark", declared.id) if declared is not None and named_mark else None
    return replace(line, slots={**line.slots, "name": name})


def mark(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine | None:
    """A named mark that is set, or its value."""
    declared, value = teller.data.marks.get(str(event.get("name"))), event.get("value")
    if event.seat is None:
        line = replace(line, id="events.mark_of_table")
    if not teller.record:
        if declared is None or not is_named(declared.id, declared.name) or not value:
            return None
        if value is True:
            return replace(line, slots={**line.slots, "value": None})
    if declared is not None and declared.type == "seat" and isinstance(value, list):
        return replace(line, slots={**line.slots, "value": tuple(map(teller.seat, value))})
    return line


def declare(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine:
    """A win, with its score."""
    how: Slot = translations("events.self_draw") if event.get("self_draw") else None
    if event.get("discarder"):
        how = ToldLine("events.from", {"whom": teller.seat(event.get("discarder"))})
    slots = {**line.slots, "how": how}
    if event.get("unit") is not None and (unit := unit_names(teller.data, event.get("unit"), event.get("total"))):
        slots["unit"] = unit
    return replace(line, slots=slots)


def pay(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine | None:
    """A payment from one seat to another; payments of nothing are left out."""
    if not event.get("amount") and not teller.record:
        return None
    payments, name = event.get("payments"), event.get("line")
    why: Slot = teller.data.payment_names.get(payments, {}).get(name)
    if why is None and teller.record:
        why = (
            translations("rulebook.frame.win_payment") if payments == WIN else f"{in_words(payments)}, {in_words(name)}"
        )
    return replace(line, slots={**line.slots, WHO: line.slots["from"], "why": why})


def result(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine | None:
    """How a hand ended without a winner."""
    if not event.get("winners"):
        return replace(line, id="events.nobody_won")
    return line if teller.record else None


def with_level(teller: EventTeller, event: Event, line: ToldLine, sees: bool) -> ToldLine:
    return replace(line, slots={**line.slots, "level": teller.level("hand" if event.kind == "retire" else "all")})


REFINED: Mapping[str, Callable[[EventTeller, Event, ToldLine, bool], ToldLine | None]] = {
    STEP.name: step,
    "hand": hand,
    "draw": draw,
    "move": move,
    "swap": swap,
    "meld": meld,
    "reveal": reveal,
    "mark": mark,
    "roll": roll,
    "retire": with_level,
    "declare": declare,
    "pay": pay,
    "result": result,
    "over": with_level,
}


# --- how a hand ended


def end_lines(
    result: HandResult, teller: EventTeller, tile_of: Callable[[Won], str | None] = lambda won: None
) -> list[ToldLine]:
    """A line for each win, or for how the hand ended without one. `tile_of`: the code of the winning tile, if it is
    shown."""
    won = [won_line(won, result, teller.seats, tile_of(won)) for won in result.won]
    return won or [ToldLine("events.nobody_won", {"ended": teller.name("phase", result.ended)})]


def won_line(won: Won, result: HandResult, seats: Sequence[str], tile: str | None) -> ToldLine:
    """Who won, with which tile, and whose it was. `seats`: their names."""

    def seat(at: int) -> SeatSlot:
        return SeatSlot(seats[at], result.player(at))

    fed = won.situation.discarder
    how = "from" if fed is not None else "self_draw" if won.situation.self_draw else "somehow"
    slots: dict[str, Slot] = {
        WHO: seat(won.seat),
        "tile": None if tile is None else TilesSlot((tile,), 1),
        "whom": None if fed is None else seat(fed),
    }
    return ToldLine(f"results.won_{how}", slots)


# --- standings


def points_lines(result: HandResult, names: Sequence[str]) -> list[Text]:
    """What each seat won or paid, and the scores. `names`: of the players, by seat."""
    rows: list[Row] = []
    for seat, name in enumerate(names):
        player = result.player(seat)
        rows.append([name, gain_text(result.player_gains[player]), Text(show_number(result.scores[player]), "bold")])
    return table(rows, frozenset({1, 2}))


def round_lines(
    result: HandResult, results: Sequence[HandResult], wording: RulesetNames, names: Sequence[str]
) -> list[Text]:
    """The standings after a hand of a match; nothing if the ruleset does not show them. `names`: of the players."""
    if not wording.play.match.standings:
        return []
    standing = standings(results, result)
    first = leaders(standing)
    won_in = wording.say("table.won_in", level=wording.level("all"))
    rows: list[Row] = [["", wording.say("table.won"), wording.say("table.points"), won_in, ""]]
    for player, one in enumerate(standing):
        leads = Text(wording.say("table.leads") if player in first else "", "green")
        rows.append([names[player], str(one.won_in_round), signed(one.gained_in_round), str(one.won), leads])
    title = wording.say("table.level_number", level=wording.level("round"), number=result.round)
    return [Text(title, "bold"), *table(rows, frozenset({1, 2, 3}))]


def ranked_lines(scores: Sequence[Number], names: Sequence[str], placement: Sequence[Number] = ()) -> list[Text]:
    """Place, player and score, the highest first; equal scores share a place. `placement`: what the end of the match
    added to each score, shown after what the hands had left."""
    order = sorted(range(len(scores)), key=lambda player: (-scores[player], player))
    places = [1 + sum(score > scores[player] for score in scores) for player in order]
    rows: list[Row] = [
        [str(place), names[player], *sum_of(scores[player], *placement[player : player + 1])]
        for place, player in zip(places, order, strict=True)
    ]
    return table(rows, frozenset({0, 2, 3, 4}))


def sum_of(score: Number, *placed: Number) -> list[Text]:
    """A final score; before it, what the hands had left and what the placement added, if that is known."""
    parts = [part for added in placed for part in (Text(show_number(score - added)), gain_text(added))]
    return [*parts, Text(show_number(score), "bold")]
