"""Sessions: a game that is played in a worker, cut into the moments that players see.

In: a game that pauses, and answers of players. Out: steps, with views and events by viewer.
Knows players by number, and "all", the spectators.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from tilewright.play.log import LogWriter, event_json
from tilewright.play.match import Match
from tilewright.play.model import Event, IllegalMove, Move, move_json
from tilewright.play.placing import walls_json, worth_more
from tilewright.play.view import View
from tilewright.presentation.events import EventTeller
from tilewright.presentation.line import line_json
from tilewright.scoring.score import json_number
from tilewright.web.jobs.results import result_json
from tilewright.web.protocol.moments import ALL, GameStep, Moment
from tilewright.web.protocol.strict_json import json_bytes
from tilewright.web.protocol.view_parts import changed, encoded, parts_of

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SeenMoment:
    """A moment with whole views; the fields are those of `Moment`."""

    views: Mapping[str, Plain]
    events: Mapping[str, list[Plain]]
    claim: bool
    ends: bool
    asked: tuple[int, ...]
    open: bool
    only: int | None = None


class WorkerSession:
    """A game with its log, and how much of both has been reported."""

    def __init__(self, game: Match, players: Sequence[str] = ()) -> None:
        self.game = game
        self.writer = LogWriter(game, players)
        self.pressed: dict[int, frozenset[str]] = {}
        self.events = 0  # that were reported
        self.results = 0
        self.views: dict[str, Plain] = {}  # the last ones, by viewer,
        self.reported: dict[str, Plain] = {}  # and the parts of those that were reported last
        self.viewers: dict[str, int | None] = {str(player): player for player in range(game.program.count)}
        self.viewers[ALL] = None

    # --- what players do

    def opening(self, taken_up: bool = False) -> GameStep:
        """The table as it is, with the whole log. For a resumed game, earlier events are not reported again."""
        lines = [self.writer.first(), *self.writer.more(self.game)]
        if taken_up:
            self.events = len(self.game.events)
            self.results = len(self.game.results) - self.game.over  # the last one is reported again
        moments = list(self.moments())
        return self.step((*lines, *self.writer.more(self.game)), moments)

    def answer(self, player: int, answer: Mapping[str, str]) -> GameStep:
        """A player answers. Raises IllegalMove."""
        window = self.game.window
        self.game.answer(self.move_of(player, answer))
        if window is not None and self.game.window is window:
            return self.step((), [self.moment(only=player)])
        moments = list(self.moments())
        return self.step(tuple(self.writer.more(self.game)), moments)

    def press(self, player: int, buttons: Sequence[str]) -> GameStep:
        """Set the pressed buttons of a player."""
        self.pressed[player] = frozenset(buttons)
        return self.step((), [])

    def move_of(self, player: int, answer: Mapping[str, str]) -> Move:
        """The move for an answer; its choices may be in any order. Raises IllegalMove."""
        if not 0 <= player < self.game.program.count:
            raise IllegalMove("there is no player with this number")
        seat = self.game.seat_of(player)
        choice = {name: text for name, text in answer.items() if name != "move"}
        names = next(
            (found for found in self.choices(seat, answer.get("move", "")) if set(found) == set(choice)), choice
        )
        return Move(seat, answer.get("move", ""), tuple((name, choice[name]) for name in names))

    def choices(self, seat: int, does: str) -> Iterator[tuple[str, ...]]:
        """The names of the choices of a move with this offer, in order."""
        question = self.game.question(seat)
        if question is not None:
            yield from (tuple(name for name, _ in move.choice) for move in question.moves if move.does == does)
            yield from ((*(n for n, _ in pick.before), pick.name) for pick in question.picks if pick.does == does)

    # --- moments

    def moments(self) -> Iterator[SeenMoment]:
        """The moments up to the next question, or the end."""
        yield self.moment()
        while not self.game.asked and not self.game.over:
            self.game.run()
            yield self.moment()

    def moment(self, only: int | None = None) -> SeenMoment:
        """The current moment, with the events since the last one."""
        game = self.game
        new = game.events[self.events :]
        self.events = len(game.events)
        if only is None or not self.views:
            public: dict[object, Any] = {}
            about = about_table(game)
            self.views = {viewer: self.view(player, public) | about for viewer, player in self.viewers.items()}
        else:
            self.views = {**self.views, str(only): self.view(only, {}) | about_table(game)}
        waits = not game.asked and not game.over
        return SeenMoment(
            views=self.views,
            events=self.events_by_viewer(new),
            claim=waits and not game.rests,
            ends=game.rests,
            asked=self.asked(),
            open=self.is_open(),
            only=only,
        )

    def view(self, player: int | None, public: dict[object, Any]) -> Plain:
        """The view of a player or of spectators. `public`: as in `View.to_json`."""
        return View(self.game, None if player is None else self.game.seat_of(player)).to_json(public)

    def events_by_viewer(self, events: Sequence[Event]) -> dict[str, list[Plain]]:
        """These events as every viewer sees them."""
        if not events:
            return {viewer: [] for viewer in self.viewers}
        known: dict[tuple[bool | None, ...], list[Plain]] = {}  # by how much of each event is seen: all, some, nothing
        found: dict[str, list[Plain]] = {}
        for viewer, player in self.viewers.items():
            view = View(self.game, None if player is None else self.game.seat_of(player))
            seen = [view.event(event) for event in events]
            shape = tuple(None if one is None else one is event for one, event in zip(seen, events, strict=True))
            if shape not in known:
                known[shape] = self.seen_events(events, seen)
            found[viewer] = known[shape]
        return found

    def seen_events(self, events: Sequence[Event], seen: Sequence[Event | None]) -> list[Plain]:
        """Events as plain data, as seen, each with its line of text, if it has one."""
        game = self.game
        players = {game.program.names[seat]: game.player(seat) for seat in game.program.everyone}
        whole = {id(event) for event, one in zip(events, seen, strict=True) if one is event}
        teller = EventTeller(game.program.data, players)
        lines = {id(event): line_json(line) for event, line in teller.lines(events, lambda event: id(event) in whole)}
        return [
            seen_json(game, event, one) | ({"told": lines[id(event)]} if id(event) in lines else {})
            for event, one in zip(events, seen, strict=True)
            if one is not None
        ]

    # --- the step

    def step(self, lines: Sequence[str], moments: Sequence[SeenMoment]) -> GameStep:
        """The step with these moments."""
        game = self.game
        ended = game.results[self.results :]
        self.results = len(game.results)
        return GameStep(
            lines=tuple(lines),
            moments=tuple(map(self.report, moments)),
            asked=self.asked(),
            buttons=self.buttons(),
            hands_done=len(game.results),
            over=game.over,
            scores=tuple(json_number(score) for score in game.scores),
            results=tuple(result_json(game, result) for result in ended),
            problem=next((result.problems[-1] for result in reversed(ended) if result.problems), None),
        )

    def report(self, moment: SeenMoment) -> Moment:
        """A moment as it is sent: what has changed, encoded."""
        views = {}
        for viewer, view in moment.views.items():
            parts = parts_of(view)
            views[viewer] = encoded(changed(self.reported.get(viewer, {}), parts))
            self.reported[viewer] = parts
        events = {viewer: [Raw(json_bytes(event)) for event in found] for viewer, found in moment.events.items()}
        return Moment(views, events, moment.claim, moment.ends, moment.asked, moment.open, moment.only)

    def asked(self) -> tuple[int, ...]:
        return tuple(self.game.player(seat) for seat in self.game.asked)

    def is_open(self) -> bool:
        """Whether everybody knows who is asked: it is their turn, or all players are asked."""
        game = self.game
        return game.turn in game.asked or set(game.playing) <= set(game.asked)

    def buttons(self) -> dict[int, dict[str, str]]:
        """The answers of pressed buttons for asked players."""
        found = {}
        for seat in self.game.asked:
            player = self.game.player(seat)
            pressed = self.pressed.get(player)
            move = self.game.answer_by(seat, pressed) if pressed else None
            if move is not None:
                found[player] = dict(move_json(move))
        return found


def about_table(game: Match) -> Plain:
    """What a page shows of a table in addition to the view."""
    names, everyone = game.program.names, game.program.everyone
    wall = (game.program.wall, 0)
    return {
        "players": {names[seat]: game.player(seat) for seat in everyone},
        "levels": {"hand": game.hand_number + 1, "dealership": game.dealership + 1, "round": game.round + 1},
        "wall_left": max(0, game.there(wall)) if wall[0] in game.zones else None,
        "over": game.over,
        "walls": walls_json(game),
        "worth_more": worth_more(game),
        "deal": None if game.fair_deal is None else {"hand": game.fair_deal.hand, "hash": game.fair_deal.hash},
    }


def seen_json(game: Match, event: Event, seen: Event) -> Plain:
    """An event as plain data, as seen; of hidden tiles, only their number."""
    found = event_json(seen, game.program)
    found.pop("seen_by", None)
    return found | ({"count": len(event.tiles)} if event.tiles and not seen.tiles else {})
