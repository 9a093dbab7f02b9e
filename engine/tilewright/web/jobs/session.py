"""Steps: what one answer makes of a table, cut into the moments that players see, as texts for each who sees them.

In: a game that pauses, and answers of players. Out: steps as plain data, with views and events as JSON text by viewer.
Knows nobody but players by number, and "all", who may only look on.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tilewright.play import course
from tilewright.play.events import Event
from tilewright.play.game import Game
from tilewright.play.log import Writer, event_json
from tilewright.play.moves import IllegalMove, Move
from tilewright.play.views import View, move_json
from tilewright.presentation.events import EventTeller
from tilewright.presentation.line import line_json
from tilewright.scoring.score import json_number
from tilewright.web.jobs.results import result_json

Plain = dict[str, Any]
ALL = "all"
NO_EVENTS = "[]"


class Playing:
    """A game with its log, and what has been told of both."""

    def __init__(self, game: Game, players: Sequence[str] = ()) -> None:
        self.game = game
        self.writer = Writer(game, players)
        self.pressed: dict[int, frozenset[str]] = {}
        self.events = 0  # that were told
        self.results = 0
        self.views: dict[str, str] = {}  # the last ones, by viewer
        self.viewers: dict[str, int | None] = {str(player): player for player in range(game.program.count)}
        self.viewers[ALL] = None

    # --- what players do

    def opening(self, taken_up: bool = False) -> Plain:
        """The table as it stands, with the whole log. Of a game that was taken up somewhere, what happened before that
        is not told again."""
        lines = [self.writer.first(), *self.writer.more(self.game)]
        if taken_up:
            self.events = len(self.game.events)
            self.results = len(self.game.results) - self.game.over  # the last one of a game that is over is told again
        beats = list(self.beats())
        return self.step((*lines, *self.writer.more(self.game)), beats)

    def answer(self, player: int, said: Mapping[str, Any]) -> Plain:
        """A player answers. Raises IllegalMove."""
        window = self.game.window
        self.game.answer(self.move_of(player, said))
        if window is not None and self.game.window is window:
            return self.step((), [self.beat(only=player)])
        beats = list(self.beats())
        return self.step(tuple(self.writer.more(self.game)), beats)

    def press(self, player: int, buttons: Sequence[str]) -> Plain:
        """These buttons of a player are on."""
        self.pressed[player] = frozenset(buttons)
        return self.step((), [])

    def move_of(self, player: int, said: Mapping[str, Any]) -> Move:
        """The move that is meant; what it chooses may stand in any order. Raises IllegalMove."""
        if not 0 <= player < self.game.program.count or not all(isinstance(text, str) for text in said.values()):
            raise IllegalMove("this is no move; a move says what it does, and what it chooses, as texts")
        seat = self.game.seat_of(player)
        choice = {name: text for name, text in said.items() if name != "move"}
        names = next((found for found in self.choices(seat, said.get("move", "")) if set(found) == set(choice)), choice)
        return Move(seat, said.get("move", ""), tuple((name, choice[name]) for name in names))

    def choices(self, seat: int, does: str) -> Iterator[tuple[str, ...]]:
        """What is chosen with a move that does this, in order."""
        question = self.game.question(seat)
        if question is not None:
            yield from (tuple(name for name, _ in move.choice) for move in question.moves if move.does == does)
            yield from ((*(n for n, _ in pick.before), pick.name) for pick in question.picks if pick.does == does)

    # --- beats

    def beats(self) -> Iterator[Plain]:
        """The moments up to the next question, or the end."""
        yield self.beat()
        while not self.game.asked and not self.game.over:
            course.run(self.game)
            yield self.beat()

    def beat(self, only: int | None = None) -> Plain:
        """The moment as it is now, with what has happened since the last one."""
        game = self.game
        new = game.events[self.events :]
        self.events = len(game.events)
        if only is None or not self.views:
            self.views = {viewer: self.view(player) for viewer, player in self.viewers.items()}
        else:
            self.views = {**self.views, str(only): self.view(only)}
        waits = not game.asked and not game.over
        return {
            "views": self.views,
            "events": self.told(new),
            "claim": waits and not game.rests,
            "ends": game.rests,
            "asked": self.asked(),
            "only": only,
        }

    def view(self, player: int | None) -> str:
        """What a player, or who looks on, sees, as JSON."""
        game = self.game
        view = View(game, None if player is None else game.seat_of(player))
        return text_of(view.to_json() | about_table(game))

    def told(self, events: Sequence[Event]) -> dict[str, str]:
        """These events as every viewer sees them."""
        if not events:
            return dict.fromkeys(self.viewers, NO_EVENTS)
        known: dict[tuple[bool | None, ...], str] = {}  # by what is seen of each event: all, some, nothing
        found: dict[str, str] = {}
        for viewer, player in self.viewers.items():
            view = View(self.game, None if player is None else self.game.seat_of(player))
            seen = [view.event(event) for event in events]
            shape = tuple(None if one is None else one is event for one, event in zip(seen, events, strict=True))
            if shape not in known:
                known[shape] = text_of(self.seen_events(events, seen))
            found[viewer] = known[shape]
        return found

    def seen_events(self, events: Sequence[Event], seen: Sequence[Event | None]) -> list[Plain]:
        """Events as plain data, as they are seen, each with the line that tells it, if it is told."""
        game = self.game
        players = {game.program.names[seat]: game.player(seat) for seat in game.program.everyone}
        whole = {id(event) for event, one in zip(events, seen, strict=True) if one is event}
        teller = EventTeller(game.program.data, players)
        lines = {id(event): line_json(line) for event, line in teller.tell(events, lambda event: id(event) in whole)}
        return [
            seen_json(game, event, one) | ({"told": lines[id(event)]} if id(event) in lines else {})
            for event, one in zip(events, seen, strict=True)
            if one is not None
        ]

    # --- the step

    def step(self, lines: Sequence[str], beats: Sequence[Plain]) -> Plain:
        """What is told of it all."""
        game = self.game
        ended = game.results[self.results :]
        self.results = len(game.results)
        return {
            "lines": list(lines),
            "beats": list(beats),
            "asked": self.asked(),
            "buttons": self.buttons(),
            "hands_done": len(game.results),
            "over": game.over,
            "scores": [json_number(score) for score in game.scores[: game.program.count]],
            "results": [result_json(game, result) for result in ended],
            "problem": next((result.problems[-1] for result in reversed(ended) if result.problems), None),
        }

    def asked(self) -> list[int]:
        return [self.game.player(seat) for seat in self.game.asked]

    def buttons(self) -> Plain:
        """What pressed buttons answer for players who are asked."""
        found = {}
        for seat in self.game.asked:
            player = self.game.player(seat)
            pressed = self.pressed.get(player)
            move = self.game.answer_by(seat, pressed) if pressed else None
            if move is not None:
                found[str(player)] = move_json(move)
        return found


def about_table(game: Game) -> Plain:
    """What is told of a table beside what a view says."""
    names, everyone = game.program.names, game.program.everyone
    wall = (game.program.wall, 0)
    return {
        "players": {names[seat]: game.player(seat) for seat in everyone},
        "hand_number": game.hand_number + 1,
        "levels": {"hand": game.hand_number + 1, "dealership": game.dealership + 1, "round": game.round + 1},
        "wall_left": max(0, game.there(wall)) if wall[0] in game.zones else None,
        "over": game.over,
    }


def seen_json(game: Game, event: Event, seen: Event) -> Plain:
    """An event as plain data, as it is seen; of tiles that are not seen, how many they are."""
    found = event_json(seen, game.program)
    found.pop("seen_by", None)
    return found | ({"count": len(event.tiles)} if event.tiles and not seen.tiles else {})


def text_of(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=json_number)
