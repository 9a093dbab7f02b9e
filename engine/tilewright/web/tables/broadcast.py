"""Broadcasting: the moments of a table as messages, with only what each viewer may see.

A viewer is a player ("0", "1" ...) or "all", the spectators, who see the table so many answers late. Views and events
stay data until a message is written. Knows no socket and no clock.
"""

import zlib
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tilewright.web.protocol.replies import ShowStep, TimeToAnswer, TimeWindow
from tilewright.web.protocol.strict_json import json_bytes

Plain = dict[str, Any]
STORY = 60  # events that a new page is sent
OF_PICKS = ("choose", "least", "most", "tiles", "allowed", "more")  # fields that are not part of a move


@dataclass(frozen=True, slots=True)
class Times:
    """The remaining times when a moment is sent: of a claim window, of a result, to answer."""

    claim: TimeWindow | None = None
    pause: TimeWindow | None = None
    clock: TimeToAnswer | None = None


class ViewerMoment(Struct, frozen=True):
    """A moment for one viewer. `asked`: asked players, as far as the viewer may know."""

    seq: int
    view: Plain
    events: list[Plain] = []
    asked: tuple[int, ...] = ()
    result: Plain | None = None

    def message(self, table: str, times: Times) -> ShowStep:
        """The message `step`."""
        return ShowStep(
            table, self.seq, self.asked, times.claim, times.clock, times.pause, self.view, self.events, self.result
        )

    def answered(self, player: int) -> "ViewerMoment":
        """The same moment for a player who has answered and is not asked any more."""
        asked = tuple(other for other in self.asked if other != player)
        return replace(self, view=self.view | {"question": None, "refusals": []}, events=[], asked=asked)


@dataclass
class Story:
    """What viewers were shown: the last moment of each, and recent events, compressed."""

    last: dict[str, ViewerMoment] = field(default_factory=dict)
    before: dict[str, deque[bytes]] = field(default_factory=dict)

    def add(self, viewer: str, moment: ViewerMoment) -> None:
        """Add a moment; the number of the last one means the same moment again."""
        self.last[viewer] = moment
        self.before.setdefault(viewer, deque(maxlen=STORY)).extend(map(json_bytes, moment.events))

    def forget(self, viewer: str) -> None:
        """Forget what a viewer was shown."""
        self.last.pop(viewer, None)
        self.before.pop(viewer, None)

    def events(self, viewer: str) -> list[Plain]:
        """The last events shown to a viewer."""
        return [msgspec.json.decode(event) for event in self.before.get(viewer, ())]


@dataclass
class DelayedMoments:
    """Moments on their way to spectators: each is due after so many more answers. Compressed, as there may be many."""

    delay: int
    answers: int = 0
    waiting: deque[tuple[int, bytes]] = field(default_factory=deque)

    def add(self, moment: ViewerMoment) -> None:
        self.waiting.append((self.answers, zlib.compress(json_bytes(moment), 1)))

    def due(self, over: bool) -> list[ViewerMoment]:
        """The moments that are due: all, when the table is over."""
        found = []
        while self.waiting and (over or self.waiting[0][0] + self.delay <= self.answers):
            found.append(msgspec.json.decode(zlib.decompress(self.waiting.popleft()[1]), type=ViewerMoment))
        return found


def is_allowed(question: Plain | None, move: Mapping[str, str]) -> bool:
    """Whether the question lists the move, or describes it as a choice of tiles."""
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
    """Whether each tile is there as often as it is named."""
    return all(tiles.count(tile) <= among.count(tile) for tile in set(tiles))
