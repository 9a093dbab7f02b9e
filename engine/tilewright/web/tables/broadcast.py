"""Broadcasting: the moments of a table as messages, with only what each viewer may see.

A viewer is a player ("0", "1" ...) or "all", the spectators, who see the table so many answers late. Views and events
stay data until a message is written. Knows no socket and no clock.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from tilewright.web.protocol import refusals
from tilewright.web.protocol.moments import Parts, changed
from tilewright.web.protocol.replies import ChatLine, ShowStep, TimeToAnswer, TimeWindow

Plain = dict[str, Any]
STORY = 60  # events that a new page is sent
NOT_ASKED = {"question": Raw(b"null"), "refusals": Raw(b"[]")}  # parts of the view of a player who need not answer
MOST_LINES = 40  # of a chat that a new page is sent
MOST_AT_ONCE, CHAT_SECONDS = 5, 10.0  # lines of one player in so many seconds
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
    view: Parts
    events: list[Raw] = []
    asked: tuple[int, ...] = ()
    result: Plain | None = None

    def message(self, table: str, times: Times, before: Parts) -> ShowStep:
        """The message `step`, with what has changed in the view."""
        view = changed(before, self.view)
        return ShowStep(
            table, self.seq, self.asked, times.claim, times.clock, times.pause, view, self.events, self.result
        )

    def answered(self, player: int) -> "ViewerMoment":
        """The same moment for a player who has answered and is not asked any more."""
        asked = tuple(other for other in self.asked if other != player)
        return replace(self, view=self.view | NOT_ASKED, events=[], asked=asked)


@dataclass
class Story:
    """What viewers were shown: the last moment of each, and recent events."""

    last: dict[str, ViewerMoment] = field(default_factory=dict)
    before: dict[str, deque[Raw]] = field(default_factory=dict)

    def add(self, viewer: str, moment: ViewerMoment) -> None:
        """Add a moment; the number of the last one means the same moment again."""
        self.last[viewer] = moment
        self.before.setdefault(viewer, deque(maxlen=STORY)).extend(moment.events)

    def forget(self, viewer: str) -> None:
        """Forget what a viewer was shown."""
        self.last.pop(viewer, None)
        self.before.pop(viewer, None)

    def events(self, viewer: str) -> list[Raw]:
        """The last events shown to a viewer."""
        return list(self.before.get(viewer, ()))

    def view(self, viewer: str) -> Parts:
        """The view that a viewer was shown last."""
        return self.last[viewer].view if viewer in self.last else {}


@dataclass
class ChatLines:
    """What players have said to one another, the last lines of it, and when each of them last spoke."""

    last: deque[ChatLine] = field(default_factory=lambda: deque(maxlen=MOST_LINES))
    times: dict[int, deque[float]] = field(default_factory=dict)

    def add(self, line: ChatLine, now: float) -> None:
        """Raises Refused, if the player has said much just now."""
        times = self.times.setdefault(line.player, deque(maxlen=MOST_AT_ONCE))
        if len(times) == MOST_AT_ONCE and now < times[0] + CHAT_SECONDS:
            raise refusals.too_fast()
        times.append(now)
        self.last.append(line)


@dataclass
class DelayedMoments:
    """Moments on their way to spectators: each is due after so many more answers. Of each view only what has changed is
    kept, as there may be many. `first`: the view before them, `last`: the last one."""

    delay: int
    answers: int = 0
    waiting: deque[tuple[int, ViewerMoment]] = field(default_factory=deque)
    first: Parts = field(default_factory=dict)
    last: Parts = field(default_factory=dict)

    def add(self, moment: ViewerMoment) -> None:
        self.waiting.append((self.answers, replace(moment, view=changed(self.last, moment.view))))
        self.last = moment.view

    def forget(self) -> None:
        """Drop what waits; the next moment has its whole view."""
        self.waiting.clear()
        self.first, self.last = {}, {}

    def due(self, over: bool) -> list[ViewerMoment]:
        """The moments that are due: all, when the table is over."""
        found = []
        while self.waiting and (over or self.waiting[0][0] + self.delay <= self.answers):
            moment = self.waiting.popleft()[1]
            self.first = self.first | moment.view
            found.append(replace(moment, view=self.first))
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
