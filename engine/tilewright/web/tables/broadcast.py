"""Telling: the moments of a table as messages, to each viewer what that one may see and nothing else.

A viewer is a player ("0", "1" ...) or "all", those who look on and see the table so many answers late. Views and events
stay the texts that they were made as in the houses. Knows no socket and no clock.
"""

import json
import zlib
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tilewright.web.protocol.client import text_of

Plain = dict[str, Any]
ALL = "all"
STORY = 60  # events that who joins is told of
NO_EVENTS = "[]"
OF_PICKS = ("choose", "least", "most", "tiles", "allowed", "more")  # what is no part of a move


@dataclass(frozen=True, slots=True)
class Times:
    """How long something lasts at the moment of telling, in milliseconds: of a claim window, of a look at a result
    (left, of) and of somebody's time to answer (player, left)."""

    claim: tuple[int, int] | None = None
    pause: tuple[int, int] | None = None
    clock: tuple[int, int] | None = None

    def to_json(self) -> Plain:
        return {
            "claim": window_json(self.claim),
            "clock": None if self.clock is None else {"player": self.clock[0], "ms": self.clock[1]},
            "pause": window_json(self.pause),
        }


def window_json(window: tuple[int, int] | None) -> Plain | None:
    return None if window is None else {"ms": window[0], "of": window[1]}


@dataclass(frozen=True, slots=True)
class Told:
    """A moment for one viewer. `asked`: players who are asked, as far as the viewer may know."""

    seq: int
    view: str
    events: str = NO_EVENTS
    asked: tuple[int, ...] = ()
    result: Plain | None = None

    def text(self, table: str, times: Times) -> str:
        """The message `step`."""
        head = text_of({"say": "step", "table": table, "seq": self.seq, "asked": list(self.asked), **times.to_json()})
        result = json.dumps(self.result, ensure_ascii=False, separators=(",", ":"))
        return f'{head[:-1]},"view":{self.view},"events":{self.events},"result":{result}}}'

    def answered(self, player: int) -> "Told":
        """The same moment for a player who has answered and is not asked any more."""
        view = json.loads(self.view) | {"question": None, "refusals": []}
        asked = tuple(other for other in self.asked if other != player)
        return replace(self, view=text_of(view), events=NO_EVENTS, asked=asked)


class Raw(str):
    """A JSON text that stands in a message as it is."""


def table_text(table: Plain) -> str:
    """The message `table`, with the view as the text that it is."""
    view = table["view"]
    if not isinstance(view, Raw):
        return text_of(table)
    head = text_of({key: value for key, value in table.items() if key != "view"})
    return f'{head[:-1]},"view":{view}}}'


@dataclass
class Story:
    """What viewers have been told: the last moment of each, and the events before it."""

    last: dict[str, Told] = field(default_factory=dict)
    before: dict[str, deque[str]] = field(default_factory=dict)

    def tell(self, viewer: str, told: Told) -> None:
        """A moment; one with the number of the last one is the same moment again."""
        self.last[viewer] = told
        if told.events != NO_EVENTS:
            self.before.setdefault(viewer, deque(maxlen=STORY)).append(told.events)

    def events(self, viewer: str) -> list[Plain]:
        """The last events that a viewer was told of."""
        return [event for texts in self.before.get(viewer, ()) for event in json.loads(texts)][-STORY:]


@dataclass
class Late:
    """Moments on their way to those who look on: each comes when so many more answers have been given. There may be
    many: their views are kept small."""

    delay: int
    answers: int = 0
    waiting: deque[tuple[int, Told, bytes]] = field(default_factory=deque)

    def add(self, told: Told) -> None:
        self.waiting.append((self.answers, replace(told, view=""), zlib.compress(told.view.encode(), 1)))

    def due(self, over: bool) -> list[Told]:
        """What may be told now: everything, when the table is over."""
        found = []
        while self.waiting and (over or self.waiting[0][0] + self.delay <= self.answers):
            _, told, view = self.waiting.popleft()
            found.append(replace(told, view=zlib.decompress(view).decode()))
        return found


def is_allowed(view: str, move: Mapping[str, str]) -> bool:
    """The question in a view lists the move, or describes a choice of tiles that it may be."""
    question = json.loads(view)["question"]
    if question is None:
        return False
    return dict(move) in question["moves"] or any(is_pick(pick, move) for pick in question["picks"])


def is_pick(pick: Mapping[str, Any], move: Mapping[str, str]) -> bool:
    name = pick["choose"]
    tiles = move.get(name, "").split()
    if not pick["least"] <= len(tiles) <= pick["most"] or not fits(tiles, pick["tiles"]):
        return False
    return {**move, name: ""} == {**said_before(pick), name: ""}


def said_before(pick: Mapping[str, Any]) -> Plain:
    """The move of a choice of several tiles, without the tiles."""
    return {key: value for key, value in pick.items() if key not in OF_PICKS}


def fits(tiles: Sequence[str], among: Sequence[str]) -> bool:
    """Each of the tiles is there as often as it is named."""
    return all(tiles.count(tile) <= among.count(tile) for tile in set(tiles))
