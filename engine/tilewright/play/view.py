"""Views: a table as one seat may see it. What it may not see is None.

What is seen follows from who sees the zone of a tile, from secret marks, and from what was revealed or declared; from
nothing else. A view reads its game lazily: it is valid until the next answer.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tilewright.base.arguments import expect, whole_number
from tilewright.language.compiled.play import StepQuestion
from tilewright.play.legality import allowed, allows, legal_moves, refusals
from tilewright.play.model import (
    Event,
    HandResult,
    Move,
    Pick,
    Question,
    Refusal,
    SeenDiscard,
    SeenMeld,
    TableMeld,
    kind_of,
    question_json,
    refusal_json,
)
from tilewright.play.offers import claims_barred, unwinnable
from tilewright.play.placing import sideways_json
from tilewright.play.scene import TableScene
from tilewright.play.state import TableState, plain_value
from tilewright.play.visibility import place_name, seers, seers_of, seers_of_group, spot_of
from tilewright.scoring.case_mistakes import CaseError, way_out
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.score import json_number

Number = int | Fraction
HAND_STATES = ("open", "won", "dead")  # what a hand is of a seat that makes several


class View:
    """The table from the place of `seat`; of None: what everyone sees."""

    __slots__ = ("_game", "seat")

    def __init__(self, game: TableState, seat: int | None) -> None:
        self._game, self.seat = game, seat

    def __repr__(self) -> str:
        who = "everyone" if self.seat is None else self.name(self.seat)
        return f"View({who}, {self._game.program.data.id}, hand {self.hand_number}, phase {self.phase or '-'})"

    # --- the course

    @property
    def phase(self) -> str:
        """The current phase; empty between hands."""
        window = self._game.window
        return next((f.code.name for f in reversed(self._game.stack) if f.code.phase), "") if window else ""

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return self._game.turn

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are still in this hand."""
        return self._game.playing

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won this hand."""
        return self._game.winners

    @property
    def hand_number(self) -> int:
        """Of the hand that is played, or was played last, from 1."""
        return self._game.hand_number + 1

    @property
    def hands(self) -> int | None:
        """How many are played; None: a whole match."""
        return self._game.hands

    @property
    def round_number(self) -> int:
        """Of the round that is played, or was played last, from 1."""
        return self._game.round + 1

    @property
    def dealership(self) -> int:
        """How often the deal has passed in this round, or had in the last one."""
        return self._game.dealership

    @property
    def over(self) -> bool:
        """Whether the match, or as many hands of it as are played, is over."""
        return self._game.over

    @property
    def result(self) -> HandResult | None:
        """The last hand that ended."""
        return self._game.result

    @property
    def decisions(self) -> int:
        """How many answers the player of this seat has given."""
        return 0 if self.seat is None else self._game.decisions[self._game.player(self.seat)]

    @property
    def rules(self) -> ScoringRules:
        """The scoring rules, with the tiles wild that are now."""
        return self._game.program.rules

    # --- seats

    @property
    def seats(self) -> int:
        """How many there are."""
        return self._game.program.count

    def player(self, seat: int | str) -> int:
        """The player that sits there in this hand."""
        return self._game.player(seat)

    def name(self, seat: int) -> str:
        """The name of a seat."""
        return self._game.program.names[self._game.seat(seat)]

    def wind(self, seat: int | str) -> int | None:
        """The face of the seat's wind, if it has one."""
        winds, at = self._game.program.data.seats.winds, self._game.seat(seat)
        return winds[at] if at < len(winds) else None

    @property
    def round_wind(self) -> int | None:
        """The face of the wind of the round, if it has one."""
        return self._game.round_wind

    @property
    def scores(self) -> tuple[Number, ...]:
        """By seat."""
        return tuple(self._game.score_of(seat) for seat in self._game.program.everyone)

    @property
    def placement(self) -> tuple[Number, ...]:
        """What the end of the match added to the score of each player; empty before that."""
        return self._game.placement

    @property
    def pot(self) -> Number:
        """What is in the pot."""
        return self._game.pot

    # --- tiles

    def faces(self, tiles: Sequence[int], zone: str, owner: int, group: TableMeld | None = None) -> list[int | None]:
        """The faces of these tiles, in a group or not; None for those that the seat does not see."""
        game, face = self._game, self._game.program.face
        if game.program.has_seen_tiles:
            each = [(tile, seers_of(game, tile, (zone, owner), group)) for tile in tiles]
            return [face[tile] if self.is_in(who) or self.was_shown(tile) else None for tile, who in each]
        if self.is_in(seers(game, (zone, owner)) if group is None else seers_of_group(game, (zone, owner), group)):
            return [face[tile] for tile in tiles]
        return [face[tile] if self.was_shown(tile) else None for tile in tiles]

    def is_in(self, seats: frozenset[int] | None) -> bool:
        """Whether the seat is one of these; None is everyone."""
        return seats is None or self.seat in seats

    def was_shown(self, tile: int) -> bool:
        """Whether the seat has been shown a tile."""
        if tile not in self._game.shown:
            return False
        seats = self._game.shown[tile]
        return seats is None or self.seat in seats

    def zone(self, name: str, seat: int | str | None = None) -> tuple[int | None, ...]:
        """The faces of a zone, None for those that are hidden. Those of a hand in the tile set's order, the hidden ones
        last; others as they are placed. Raises CaseError for no zone, and IllegalMove for no seat."""
        game = self._game
        rows = game.zones.get(name) if isinstance(name, str) else None
        if rows is None:
            zones = game.program.data.zones
            raise CaseError(
                "unknown-zone", f"{game.program.data.id} has no zone {name!r:.40}", way_out(str(name), zones)
            )
        at = (self.seat or 0) if seat is None else game.seat(seat)
        at = at if len(rows) > 1 else 0
        if name == "melds":
            return tuple(face for group in self.melds(at) for face in group.tiles)
        seen = self.faces(rows[at], name, at)
        if name != "hand":
            return tuple(seen)
        place = game.program.place
        known = sorted((one for one in seen if one is not None), key=place.__getitem__)
        return (*known, *(None for _ in range(len(seen) - len(known))))

    @property
    def hand(self) -> tuple[int, ...]:
        """The tiles of the own hand, in the tile set's order."""
        if self.seat is None:
            return ()
        return tuple(face for face in self.zone("hand", self.seat) if face is not None)

    def melds(self, seat: int | str) -> tuple[SeenMeld, ...]:
        """The groups of a seat on the table. Raises IllegalMove for no seat, as all that asks for one."""
        groups = self._game.zones["melds"][self._game.seat(seat)] if "melds" in self._game.zones else ()
        return tuple(self.lying(group) for group in groups)

    def lying(self, group: TableMeld) -> SeenMeld:
        """A group as the seat sees it."""
        face = self._game.program.face
        tiles = tuple(self.faces(group.tiles, "melds", group.owner, group))
        claimed = group.tiles.index(group.claimed) if group.claimed in group.tiles else None
        if None in tiles:
            return SeenMeld(None, tiles, group.exposed, (), group.discarder, claimed, group.hand)
        wild = tuple((face[t], stands) for t, stands in group.wild)
        return SeenMeld(group.group, tiles, group.exposed, wild, group.discarder, claimed, group.hand)

    def open_hands(self, seat: int | str) -> tuple[int, ...]:
        """The hands of a seat that are neither finished nor dead, by number from 1. Raises IllegalMove for no seat."""
        scene = TableScene(self._game, self._game.seat(seat))
        return tuple(number for number in range(1, self._game.program.hands + 1) if scene.is_open(number))

    def hand_states(self, seat: int | str) -> tuple[str, ...]:
        """What each hand of a seat is, by number from 1: one of HAND_STATES. Raises IllegalMove for no seat."""
        still, won = self.open_hands(seat), {one.hand for one in self._game.wins_of(self._game.seat(seat))}
        return tuple(
            "open" if number in still else "won" if number in won else "dead"
            for number in range(1, self._game.program.hands + 1)
        )

    def hands_of(self, seat: int) -> list[dict[str, Any]]:
        """Each hand of a seat that makes several: whether it is open, dead or won, and then its tiles and value."""
        game, program = self._game, self._game.program
        wins = {one.hand: one for one in game.wins_of(seat)}
        found: list[dict[str, Any]] = []
        for number, state in enumerate(self.hand_states(seat), 1):
            found.append({"hand": number, "state": state})
            if (won := wins.get(number)) is not None:
                hand = won.situation.hand
                groups = [[program.code[face] for face in meld.tiles] for meld in hand.melds]
                rest = sorted((*hand.tiles, *(() if hand.win is None else (hand.win,))), key=program.place.__getitem__)
                found[-1] |= {
                    "melds": groups,
                    "tiles": [program.code[face] for face in rest],
                    "total": json_number(won.score.total),
                }
        return found

    @property
    def tile(self) -> int | None:
        """The face in question, where the seat sees it."""
        return self.seen_face(self._game.tile)

    @property
    def drawn(self) -> int | None:
        """The face that the seat drew last, while it holds it."""
        if self.seat is None:
            return None
        tile = self._game.drawn[self.seat]
        return self.seen_face(tile) if tile is not None and self._game.where[tile] == ("hand", self.seat) else None

    def seen_face(self, tile: int | None) -> int | None:
        """The face of a tile that lies somewhere; None where it is hidden."""
        if tile is None or tile not in self._game.where:
            return None
        zone, seat = self._game.where[tile]
        return self.faces([tile], zone, seat, self._game.group_of(tile))[0]

    @property
    def discarder(self) -> int | None:
        """The seat whose tile is in question."""
        return self._game.discarder

    @property
    def seen(self) -> Counter[int]:
        """Faces that this seat sees, without its own hand."""
        found = Counter[int]()
        for zone in self._game.program.data.zones.values():
            for at in range(len(self._game.zones[zone.id])):
                if (zone.id, at) != ("hand", self.seat):
                    found.update(face for face in self.zone(zone.id, at) if face is not None)
        return found

    @property
    def discards(self) -> tuple[SeenDiscard, ...]:
        """Every discard of this hand in its order, those that were claimed too."""
        game = self._game
        index = {
            tile: at
            for zone, seat in {one.spot for one in game.discards.values()}
            for at, tile in enumerate(game.zones[zone][seat])
        }
        return tuple(
            SeenDiscard(
                one.seat,
                self.seen_face(tile),
                one.just_drawn,
                tile in game.sideways,
                (*one.spot, index[tile]) if game.where[tile] == one.spot else None,
            )
            for tile, one in game.discards.items()
        )

    @property
    def sideways(self) -> Mapping[str, Mapping[str, int]]:
        """By zone and name of a seat, the index of the tile that lies sideways, as the discard that declares riichi."""
        return sideways_json(self._game)

    # --- marks

    def mark(self, name: str, seat: int | str | None = None) -> Any:
        """The value of a mark; None if the seat may not see it. Raises CaseError for no mark, and IllegalMove for no
        seat."""
        marks = self._game.program.data.marks
        declared = marks.get(name) if isinstance(name, str) else None
        if declared is None:
            message = f"{self._game.program.data.id} has no mark {name!r:.40}"
            raise CaseError("unknown-mark", message, way_out(str(name), marks))
        at = self.seat if seat is None else self._game.seat(seat)
        if declared.secret and (declared.of != "seat" or at != self.seat):
            return None
        return self._game.remembered(name, at or 0)

    # --- what it is asked

    @property
    def question(self) -> Question | None:
        """What the seat has to answer now, if it is asked."""
        return None if self.seat is None else self._game.question(self.seat)

    @property
    def step(self) -> str | None:
        """The path of the step that has asked this seat and waits for answers, after those of the actions that it is
        in; None if no step has."""
        window = self._game.window
        if window is None or window.ask is None or self.seat not in window.choices:
            return None
        return "/".join(path for frame in self._game.stack if (path := frame.code.paths.get(frame.at - 1)) is not None)

    @property
    def ask(self) -> StepQuestion | None:
        """The question of a step that this seat was asked and that waits for answers; None where a phase asks."""
        window = self._game.window
        return None if window is None or self.seat not in window.choices else window.ask

    @property
    def is_asked(self) -> bool:
        """Whether the seat has to answer now."""
        return self.seat in self._game.asked

    def allows(self, move: Move) -> bool:
        """Whether the seat may answer with this move."""
        return allows(self._game, move) and move.seat == self.seat

    def allowed(self, pick: Pick) -> tuple[tuple[Move, ...], bool]:
        """The first answers to a described choice of several tiles, and whether those are all."""
        return ((), True) if self.seat is None else allowed(self._game, self.seat, pick)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every complete answer, choices of several tiles listed."""
        return () if self.seat is None else legal_moves(self._game, self.seat)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """What the seat may expect to do now but may not, with the reasons."""
        return () if self.seat is None else refusals(self._game, self.seat)

    @property
    def unwinnable(self) -> frozenset[int]:
        """The plain tiles that no hand of this seat may hold to win, such as those of a suit that it gave up."""
        return frozenset() if self.seat is None else unwinnable(self._game, self.seat)

    def claims_barred(self, face: int | None = None) -> tuple[Mapping[str, str], ...]:
        """Why, by language, the rules bar the seat, as far as it knows, from winning on a discard: now, or after it has
        discarded this face. Empty: they do not. Raises WrongArgument for what is no face."""
        if face is not None:
            face = whole_number("a face", face, 0, self._game.program.first - 1)
        barring = () if self.seat is None else claims_barred(self._game, self.seat, face)
        return tuple(restriction.reason for restriction in barring)

    @property
    def events(self) -> Sequence[Event]:
        """Every event as this seat sees it: without tiles that it may not see."""
        return tuple(self.events_since(0))

    @property
    def event_count(self) -> int:
        """How many events there were, hidden ones included."""
        return len(self._game.events)

    def events_since(self, number: int) -> Iterator[Event]:
        """The events from this number on as this seat sees them. Raises WrongArgument."""
        number = whole_number("the number of an event", number, 0)
        return (seen for event in self._game.events[number:] if (seen := self.event(event)) is not None)

    def event(self, event: Event) -> Event | None:
        """An event as this seat sees it; None if it may not see it. Raises WrongArgument for what is no event."""
        expect("an event", event, Event, "one of a table")
        if event.seen_by is None or self.seat in event.seen_by:
            return event
        kind = kind_of(event)
        if kind.hidden:
            return None
        detail = tuple(pair for pair in event.detail if pair[0] not in kind.secret)
        return replace(event, tiles=(), detail=detail)

    # --- as plain data

    def to_json(self, public: dict[object, Any] | None = None) -> dict[str, Any]:
        """The view as plain data, tiles as codes, seats by name; a hidden tile is null. `public`: what is the same for
        everyone at this moment; the first view puts it there, and those of other seats take it."""
        game, names = self._game, self._game.program.names
        data, question = game.program.data, self.question
        same = {} if public is None else expect("public", public, dict, "a dict")
        zones: dict[str, Any] = {}
        for zone in data.zones.values():
            if zone.id != "melds":
                rows = {names[at]: self.row_json(zone.id, at, same) for at in range(len(game.zones[zone.id]))}
                zones[zone.id] = rows if zone.of == "seat" else next(iter(rows.values()))
        marks = {mark: found for mark in data.marks if (found := self.mark_json(mark, same)) is not None}
        return {
            "seat": None if self.seat is None else names[self.seat],
            "phase": self.phase,
            "turn": names[self.turn],
            "playing": [names[seat] for seat in self.playing],
            "winners": [names[seat] for seat in self.winners],
            "hand": self.hand_number,
            "round": self.round_number,
            "round_wind": self.code(self.round_wind),
            "scores": {names[seat]: json_number(score) for seat, score in enumerate(self.scores)},
            "pot": json_number(self.pot),
            "zones": zones,
            "discards": self.discards_json(same),
            "sideways": self.sideways,
            "melds": {names[at]: self.melds_json(at, same) for at in range(self.seats)},
            **({"hands": {names[at]: self.hands_of(at) for at in range(self.seats)}} if game.program.hands > 1 else {}),
            "marks": marks,
            "tile": self.code(self.tile),
            "drawn": self.code(self.drawn),
            "discarder": None if self.discarder is None else names[self.discarder],
            "question": None if question is None else question_json(question, self.allowed),
            "step": self.step,
            "refusals": [refusal_json(refusal) for refusal in self.refusals],
        }

    def row_json(self, zone: str, at: int, public: dict[object, Any]) -> list[str | None]:
        """The tiles of a zone, of one seat or shared."""
        place = (zone, at)
        if place in public:
            known: list[str | None] = public[place]
            return known
        found = self.codes(self.zone(zone, at))
        if self.is_same_for_all(self._game.zones[zone][at], seers(self._game, place)):
            public[place] = found
        return found

    def discards_json(self, public: dict[object, Any]) -> dict[str, list[dict[str, Any]]]:
        """By seat its discards in their order: of each its number among all discards of the hand, from 1, what is true
        of it, and where it lies, if it does."""
        if "discards" in public:
            known: dict[str, list[dict[str, Any]]] = public["discards"]
            return known
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in self._game.program.names[:-1]}
        for number, one in enumerate(self.discards, 1):
            row = found[self._game.program.names[one.seat]]
            row.append({"number": number, "tile": self.code(one.tile)})
            row[-1] |= {name: True for name in ("just_drawn", "sideways") if getattr(one, name)}
            if one.lies is not None:
                zone, owner, index = one.lies
                row[-1] |= {"place": place_name(self._game, (zone, owner)), "index": index}
        if all(spot_of(self._game, tile)[1] is None for tile in self._game.discards):
            public["discards"] = found
        return found

    def melds_json(self, at: int, public: dict[object, Any]) -> list[dict[str, Any]]:
        """The groups of a seat on the table."""
        place = ("melds", at)
        if place in public:
            known: list[dict[str, Any]] = public[place]
            return known
        found = [self.group_json(one) for one in self.melds(at)]
        groups = self._game.zones["melds"][at] if "melds" in self._game.zones else ()
        if all(self.is_same_for_all(one.tiles, seers_of_group(self._game, place, one)) for one in groups):
            public[place] = found
        return found

    def is_same_for_all(self, tiles: Sequence[int], who: frozenset[int] | None) -> bool:
        """Whether every seat sees the same of these tiles, which lie where these see them."""
        game = self._game
        if game.program.has_seen_tiles and any(game.program.seen_by[tile] for tile in tiles):
            return False
        return who is None or (not who and game.shown.keys().isdisjoint(tiles))

    def mark_json(self, name: str, public: dict[object, Any]) -> Any:
        """The values of a mark that the seat may see; None if there are none."""
        if name in public:
            return public[name]
        game, declared = self._game, self._game.program.data.marks[name]
        names, seats = game.program.names, game.program.everyone if declared.of == "seat" else (0,)
        values = {names[at]: self.plain_mark(name, value) for at in seats if (value := self.mark(name, at)) is not None}
        found = None if not values else values if declared.of == "seat" else next(iter(values.values()))
        if not declared.secret:
            public[name] = found
        return found

    def code(self, face: int | None) -> str | None:
        """The code of a face; None where it is hidden."""
        return None if face is None else self._game.program.code[face]

    def codes(self, faces: Sequence[int | None]) -> list[str | None]:
        """The codes of faces."""
        return [self.code(face) for face in faces]

    def group_json(self, group: SeenMeld) -> dict[str, Any]:
        """A group on the table as plain data."""
        names, code = self._game.program.names, self._game.program.code
        kinds = () if group.group is None else self._game.program.data.groups.groups[group.group].kinds
        return {
            "tiles": self.codes(group.tiles),
            "kinds": sorted(kinds),
            "exposed": group.exposed,
            "stands_for": {code[wild]: code[stands] for wild, stands in group.wild},
            "discarder": None if group.discarder is None else names[group.discarder],
            "claimed": group.claimed,
            **({"hand": group.hand} if self._game.program.hands > 1 else {}),
        }

    def plain_mark(self, name: str, value: Any) -> Any:
        """The value of a mark as plain data."""
        program = self._game.program
        value = plain_value(program, program.data.marks[name].type, value)
        return json_number(value) if isinstance(value, Fraction) else value
