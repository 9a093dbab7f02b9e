"""Pending: what a table waits for, and until when: moments to be shown, the current one, the open question, held
answers. Knows no worker and no page; every `now` is of the monotonic clock.
"""

import math
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from msgspec import Raw

from tilewright.web.protocol.messages import Id, Setup
from tilewright.web.protocol.moments import ALL, GameStep, Moment, Parts
from tilewright.web.protocol.replies import Client, TimeToAnswer, TimeWindow
from tilewright.web.tables.broadcast import NOT_ASKED, Times, said_before
from tilewright.web.tables.seats import TableSeats

Plain = dict[str, Any]
Move = dict[str, str]  # the offer and the choices of a move
BUTTON_SECONDS = 0.3  # at most, for a pressed button
CLAIM_SECONDS = 1.5  # unless the setup says; none where one plays against bots, from whom nothing has to be hidden


@dataclass
class Hold:
    """A moment that lasts: a claim window or a result. It is over after a time (infinite: never), or when everybody for
    whom it waits wants to continue."""

    of: float
    until: float
    waits: set[int]
    is_pause: bool = False

    def is_over(self, now: float) -> bool:
        return now >= self.until or not self.waits


@dataclass(frozen=True)
class PendingAnswer:
    """An answer that the game does not have yet, and the page that waits for its outcome. `since`: when it came."""

    move: Move
    client: Client | None = None
    id: Id = None
    since: float = field(default_factory=time.monotonic)


@dataclass
class OpenQuestion:
    """An open question. `hidden`: nobody is to know who else is asked; `since`: when it was shown; `held`: answers that
    are held back, `given`: those that the worker has; `thought`: answers of bots."""

    seq: int
    players: tuple[int, ...]
    hidden: bool
    since: float
    held: dict[int, PendingAnswer] = field(default_factory=dict)
    given: dict[int, Move] = field(default_factory=dict)
    thought: dict[int, Move | None] = field(default_factory=dict)
    thinking: set[int] = field(default_factory=set)
    refused: int = 0  # answers in a row

    @property
    def open(self) -> tuple[int, ...]:
        """Players who have not answered."""
        return tuple(player for player in self.players if player not in self.held and player not in self.given)

    def asked_for(self, viewer: str) -> tuple[int, ...]:
        """The asked players, as far as a viewer may know."""
        return tuple(player for player in self.open if not self.hidden or str(player) == viewer)


@dataclass(frozen=True)
class QueuedMoment:
    """A moment to be shown, with the result of the hand that ended in it, and who answered before it."""

    moment: Moment
    result: Plain | None = None
    by: int | None = None


class Pending:
    """`seq`: the number of the moment shown last; `queue`: those after it; `early`: answers to the first question;
    `buttons`: answers of pressed buttons for asked players; `alone_seconds`: minimum time of bots while no person
    plays."""

    def __init__(self, setup: Setup, seats: TableSeats) -> None:
        self.setup, self.seats = setup, seats
        self.seq = 0
        self.queue: deque[QueuedMoment] = deque()
        self.hold: Hold | None = None
        self.question: OpenQuestion | None = None
        self.early: Mapping[int, Move] = {}
        self.buttons: Mapping[int, Move] = {}
        self.alone_seconds = 0.0

    # --- moments

    @property
    def has_more(self) -> bool:
        """Whether there are moments that not everybody has seen."""
        return bool(self.queue) or self.hold is not None

    def add(self, step: GameStep, by: int | None) -> tuple[Plain, ...]:
        """Queue the moments of a step. Returns the results of hands that no moment shows."""
        results = deque(step.results)
        for moment in step.moments:
            if moment.only is None:
                result = results.popleft() if moment.ends and results else None
                self.queue.append(QueuedMoment(moment, result, by))
                by = None
        self.buttons = step.buttons
        return tuple(results)

    def end_hold(self, now: float) -> None:
        """End a moment that has lasted long enough."""
        if self.hold is not None and self.hold.is_over(now):
            self.hold = None

    def next_moment(self, now: float, pause: float) -> QueuedMoment:
        """Take the next moment to show: from now on it lasts, or its question is open. `pause`: how long the result of
        a hand is shown."""
        queued = self.queue.popleft()
        moment = self.join_claims(queued.moment)
        self.seq += 1
        if moment.claim:
            self.hold_claims(now, queued.by)
        elif moment.ends:
            self.hold_result(pause, now)
        hidden = bool(moment.asked) and (moment.claim or not moment.open)
        if hidden and not moment.claim:
            asked = {str(player) for player in moment.asked}
            views = {viewer: view if viewer in asked else unasked(view) for viewer, view in moment.views.items()}
            moment = msgspec.structs.replace(moment, views=views)
        self.ask(OpenQuestion(self.seq, moment.asked, hidden, now) if moment.asked else None)
        if self.question is not None and self.question.held:
            answered = {str(player): moment.views[str(player)] | NOT_ASKED for player in self.question.held}
            moment = msgspec.structs.replace(moment, views={**moment.views, **answered})
        return replace(queued, moment=moment)

    def join_claims(self, moment: Moment) -> Moment:
        """Merge the moment of a claimable tile with its question: everybody waits for the claim window."""
        if not moment.claim or (claims := claims_in(self.queue)) is None:
            return moment
        self.queue.popleft()
        asked = {str(player): claims.views[str(player)] for player in claims.asked}
        return msgspec.structs.replace(moment, views={**moment.views, **asked}, asked=claims.asked)

    def hold_claims(self, now: float, by: int | None) -> None:
        """Start a claim window, for all present players but the discarder."""
        waits, seconds = self.seats.playing_people() - {by}, self.claim_seconds
        self.hold = Hold(seconds, now + seconds, waits) if seconds and waits else None

    def hold_result(self, seconds: float, now: float) -> None:
        """Start the time in which players look at a result; for one who plays alone it has no end."""
        waits = self.seats.answering_people()
        seconds = math.inf if seconds and self.seats.taken_by_people == 1 else seconds
        self.hold = Hold(seconds, now + seconds, waits, is_pause=True) if seconds and waits else None

    def ask(self, question: OpenQuestion | None) -> None:
        """Open a question, or none."""
        self.question = question
        if question is not None:
            question.held |= {
                player: PendingAnswer(move) for player, move in self.early.items() if player in question.players
            }
            self.early = {}

    def stop_waiting_for(self, player: int) -> None:
        """A player need not see the moment any longer."""
        if self.hold is not None:
            self.hold.waits.discard(player)

    def leave(self, player: int) -> None:
        """A player's last page is gone: claims do not wait for that, a result does until a bot plays."""
        if self.hold is not None and not self.hold.is_pause:
            self.stop_waiting_for(player)

    def break_off(self) -> None:
        """Drop everything still to come."""
        self.question = self.hold = None
        self.queue.clear()

    # --- who is asked

    def asked_for(self, viewer: str) -> tuple[int, ...]:
        """The asked players, as far as a viewer may know."""
        return () if self.question is None else self.question.asked_for(viewer)

    @property
    def given(self) -> Mapping[int, Move]:
        """Answers to the question that the game has, and its log has not."""
        return {} if self.question is None else self.question.given

    @property
    def early_answers(self) -> Mapping[int, Move]:
        """Answers of people to the question that its log has not: those that the game has, and those held back."""
        if self.question is None:
            return {}
        held = {player: one.move for player, one in self.question.held.items() if self.seats[player].bot is None}
        return {**self.question.given, **held}

    def give(self, player: int, move: Move, step: GameStep) -> None:
        """The game has an answer, with this outcome: the question is over, or others are still asked."""
        assert self.question is not None
        self.question.given[player] = move
        if step.lines or step.over:
            self.question = None

    def forget_thought(self, player: int) -> None:
        """Forget a bot's answer for a player who answers in person."""
        if self.question is not None and player not in self.question.held:
            self.question.thought.pop(player, None)

    def forget_button(self, player: int) -> None:
        """Forget the answer of a pressed button."""
        self.buttons = {other: move for other, move in self.buttons.items() if other != player}

    def is_ahead_of(self, player: int) -> bool:
        """Whether the game has continued, or seems to: during a claim window only those who may claim know that it has
        not."""
        is_asked = self.question is not None and player in self.question.players
        return bool(self.queue) or (self.hold is not None and not is_asked)

    # --- until when

    def dues(self) -> Iterator[float]:
        """The times at which a moment is over or an answer is due."""
        if self.hold is not None:
            if math.isfinite(self.hold.until):
                yield self.hold.until
        elif self.question is not None:
            yield from (due for player in self.question.open if (due := self.due_of(player)) is not None)

    def due_of(self, player: int) -> float | None:
        """The latest time for a player to answer, or the earliest for a bot or a button."""
        assert self.question is not None
        since, hidden = self.question.since, self.question.hidden
        if self.seats[player].bot is not None:
            return since + self.bot_seconds(hidden) if player in self.question.thought else None
        if player in self.buttons:
            return self.button_due(player, since) if hidden else since + min(self.setup.bot_seconds, BUTTON_SECONDS)
        if self.setup.move_seconds is None or player in self.question.thinking:
            return None
        return since + self.setup.move_seconds + (self.claim_seconds if hidden else 0.0)

    @property
    def claim_seconds(self) -> float:
        """How long everybody has to claim a tile, the same for each."""
        if self.setup.claim_seconds is not None:
            return self.setup.claim_seconds
        return CLAIM_SECONDS if self.seats.people > 1 else 0.0

    def bot_seconds(self, hidden: bool) -> float:
        """The minimum time of a bot, which must not reveal that it was asked."""
        usual = 0.0 if hidden else self.setup.bot_seconds
        return usual if self.seats.playing_people() else max(usual, self.alone_seconds)

    def button_due(self, player: int, since: float) -> float:
        """When a button answers a secret question: not before the end of the claim window, whose length would reveal
        the question."""
        return since if self.hold is None or self.seats.playing_people() <= {player} else self.hold.until

    def times(self, viewer: str) -> Times:
        """The current times, for a viewer."""
        if viewer == ALL:
            return Times()
        now, hold = time.monotonic(), self.hold
        lasts = None if hold is None else window_of(hold, now)
        is_pause = hold is not None and hold.is_pause
        return Times(None if is_pause else lasts, lasts if is_pause else None, self.clock(viewer, now))

    def clock(self, viewer: str, now: float) -> TimeToAnswer | None:
        """The player whose time to answer runs, and what is left of it."""
        question = self.question
        if question is None or self.setup.move_seconds is None:
            return None
        runs = [player for player in question.asked_for(viewer) if self.seats[player].bot is None]
        player = int(viewer) if int(viewer) in runs else next(iter(runs), None)
        due = None if player is None else self.due_of(player)
        return None if player is None or due is None else TimeToAnswer(player, max(0, round((due - now) * 1000)))


# --- views and questions


def window_of(hold: Hold, now: float) -> TimeWindow:
    """What is left of a moment that lasts."""
    if math.isinf(hold.until):
        return TimeWindow(None, None)
    return TimeWindow(max(0, round((hold.until - now) * 1000)), round(hold.of * 1000))


def claims_in(rest: Sequence[QueuedMoment]) -> Moment | None:
    """The question about a tile that may now be claimed, if it comes next and nothing happens before."""
    if len(rest) != 1:
        return None
    moment = rest[0].moment
    quiet = not any(moment.events.values())
    return moment if moment.asked and quiet and not moment.claim and not moment.ends else None


def unasked(view: Parts) -> Parts:
    """A view that does not reveal that others are asked."""
    return view | NOT_ASKED | {"phase": Raw(b'""')}


def some_move(question: Plain) -> Move:
    """The last move that a question lists (a pass, if there is one), or the first tiles that answer it."""
    if question["moves"]:
        return dict(question["moves"][-1])
    pick = question["picks"][0]
    first = next(iter(pick.get("allowed", ())), " ".join(pick["tiles"][: pick["least"]]))
    return said_before(pick) | {pick["choose"]: first}
