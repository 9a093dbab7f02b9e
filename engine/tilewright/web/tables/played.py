"""The game of a table as it goes on: started, or opened from its log, advanced with the held answers, shown, and broken
off where it cannot go on.

Knows no message of a page; `tilewright.web.tables.actor` takes these.
"""

import asyncio
import logging
import time
from collections.abc import Coroutine
from contextlib import AbstractContextManager
from typing import Any, Protocol

from prometheus_client import Histogram

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import Misses
from tilewright.web.protocol.moments import GameStep
from tilewright.web.protocol.refusals import Text, by_language
from tilewright.web.protocol.replies import Client
from tilewright.web.protocol.settings import Settings
from tilewright.web.storage.rows import SeatRow, TableRow
from tilewright.web.storage.store import Store
from tilewright.web.tables.answers import Answers, TableHelp
from tilewright.web.tables.audience import Audience
from tilewright.web.tables.broadcast import ViewerMoment
from tilewright.web.tables.game import DurableGame
from tilewright.web.tables.inbox import Inbox
from tilewright.web.tables.record import SeatChanges, TableRecord
from tilewright.web.workers.pool import BadSpec, GameFailed, Illegal, WorkerGame, WorkerPool

LOG = logging.getLogger("tilewright")
LEFT = translations("server.table_left")


class Host(Protocol):
    """The server, as tables see it."""

    store: Store
    pool: WorkerPool
    settings: Settings
    misses: Misses
    worker: str
    inbox_seconds: Histogram
    move_seconds: Histogram

    def room_to_wake(self, actor: "PlayedTable", client: Client) -> AbstractContextManager[None]:
        """Make sure there is room for one more game, opened for this page. Raises Refused."""

    async def again(self, actor: "PlayedTable", client: Client) -> str:
        """The code of a new table like this one."""

    def ended(self, actor: "PlayedTable") -> None:
        """The table is no longer played here; `actor.inbox` has the unread messages."""

    def changed(self, actor: "PlayedTable") -> None:
        """The table has changed since the lobby showed it."""


class PlayedTable:
    """A table. `inbox`: its events; `leased`: the database has confirmed that it is played here; `is_opened`: its game
    has been opened here, or is about to be."""

    def __init__(self, host: Host, row: TableRow, seats: list[SeatRow], remote: WorkerGame | None = None) -> None:
        self.host = host
        self.inbox = Inbox(host.settings.limits.unread)
        self.running: set[asyncio.Task[None]] = set()
        self.record = TableRecord(host.store, host.worker, row, seats)
        self.seats, self.pending = self.record.seats, self.record.pending
        self.pending.alone_seconds = host.settings.alone_seconds
        self.audience = Audience(self.record)
        self.game = DurableGame(self.record, host.pool, remote)
        self.seat_changes = SeatChanges(self.record, host.misses)
        thinker, happens = self.game.thinker, self.inbox.put_nowait
        self.answers = Answers(self.record, self.audience, thinker, self.keep_early, self.run_beside, happens)
        self.help = TableHelp(self.record, self.game, self.run_beside)
        self.stopping = self.leased = self.is_opened = False
        self.failed: BaseException | None = None

    @property
    def row(self) -> TableRow:
        return self.record.row

    @property
    def code(self) -> str:
        return self.record.code

    def run_beside(self, doing: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something slow that the table need not wait for."""
        task = asyncio.create_task(doing)
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        return task

    # --- what goes wrong

    async def guarded(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do something; an error of the rules, or of ours, ends this table only."""
        try:
            await doing
        except GameFailed as error:
            await self.fail(error.reason)
        except BadSpec as error:
            await self.fail({"en": str(error)})

    async def fail(self, reason: Text) -> None:
        """End a game that failed: for ever, if people's own rules failed in it; else there, until a server plays it
        that can. What is in the database is the game up to its last answer, and nothing is wrong with that."""
        if self.game.is_untrusted and self.is_opened:
            await self.break_off(reason)
        else:
            self.leave_as_it_is(reason)

    def leave_as_it_is(self, reason: Text) -> None:
        """Stop a game that cannot go on here, now or in this version. Nothing is written."""
        LOG.warning("table %s cannot go on here, and is left as it is: %s", self.row.id, reason)
        reasons = by_language(reason)
        self.record.problem = {
            language: f"{left} ({reasons.get(language, reasons['en'])})" for language, left in LEFT.items()
        }
        self.record.is_left = True
        self.pending.break_off()
        self.host.changed(self)
        self.audience.send_info()

    async def break_off(self, reason: Text) -> None:
        """End a table that cannot continue."""
        LOG.warning("table %s is broken: %s", self.row.id, reason)
        self.record.problem = reason
        self.pending.break_off()
        await self.record.change("broken")
        self.host.changed(self)
        self.audience.send_info()

    # --- starting

    async def start(self) -> None:
        """Start the game."""
        await self.game.prepare()
        self.is_opened = True
        await self.record.change("playing")
        self.host.changed(self)
        try:
            await self.open()
            for seat in self.seats.all:
                if seat.pressed:  # from before the game
                    await self.put_buttons(seat.row.player, seat.pressed)
        finally:
            self.audience.send_info()

    @property
    def is_asleep(self) -> bool:
        """Whether there is a game that is not opened here."""
        return self.row.state in ("playing", "over") and not (self.is_opened or self.record.is_left)

    async def wake(self, client: Client) -> None:
        """Open a stored game for a page. Raises Refused, NoWorkerFree, WorkerLost."""
        if self.is_asleep:
            with self.host.room_to_wake(self, client):
                await self.guarded(self.open())
            await self.guarded(self.advance())

    async def open(self) -> None:
        """Open the game in a worker, from its log. Raises GameFailed, BadSpec, NoWorkerFree, WorkerLost."""
        step = await self.game.open()
        self.is_opened = True
        self.record.hand = step.hands_done - len(step.results)
        lines, answers = self.record.early
        self.pending.early = answers if lines == self.game.known else {}
        await self.take_in(step)
        await self.answers.prepare_bots(step.asked)

    async def take_in(self, step: GameStep, by: int | None = None) -> None:
        """Store the outcome of an answer, then queue it to be shown."""
        await self.game.keep(step)
        if step.lines:
            self.audience.count_answer()
            await self.record.keep_wins(step.results)
        for result in self.pending.add(step, by):
            self.record.see(result)  # for a table that was over when it was opened
        if step.problem is not None:
            self.record.problem = {"en": step.problem}
        if self.record.is_playing and (step.over or step.results):
            scores = step.scores if step.over else step.results[-1]["scores"]
            await self.record.change("over" if step.over else "playing", scores=list(scores))
            self.host.changed(self)

    # --- playing

    async def advance(self) -> None:
        """Do all that can be done now: show moments, and take answers that need no thought."""
        while True:
            now = time.monotonic()
            self.audience.send_due_info(now)
            self.take_over_for_the_away(now)
            self.answers.consider(now)
            self.pending.end_hold(now)
            if self.pending.hold is not None:
                self.help.give_advice()
                return
            if self.pending.queue:
                self.show_next(now)
            elif not await self.give_next():
                await self.leave_worker()
                self.help.give_advice()
                return

    async def leave_worker(self) -> None:
        """Release the worker of a game that has ended: there may be few."""
        if self.row.state in ("over", "broken") or self.record.is_left:
            await self.game.close()

    def take_over_for_the_away(self, now: float) -> None:
        """Let bots play for people who have been away for too long, as long as others play."""
        for seat in [seat for seat, due in self.audience.leaving() if now >= due]:
            seat.taken_over = True
            self.pending.stop_waiting_for(seat.row.player)
            self.audience.send_info()

    def show_next(self, now: float) -> None:
        """Send everybody the next moment."""
        pause = self.host.settings.pause if self.record.is_playing else 0.0
        queued = self.pending.next_moment(now, pause)
        moment, result = queued.moment, queued.result
        if result is not None:
            self.record.see(result)
        for viewer, view in moment.views.items():
            asked = self.pending.asked_for(viewer)
            shown = ViewerMoment(self.pending.seq, view, moment.events[viewer], asked, result)
            self.audience.show(viewer, shown)
        if moment.ends or self.record.state == "over":
            self.audience.send_info()

    async def give_next(self) -> bool:
        """Give the game one of the held answers. Returns whether anything happened."""
        if (found := self.answers.take_next()) is None:
            return False
        player, held = found
        try:
            step = await self.game.answer(player, held.move, self.pending.given)
        except Illegal as error:
            self.answers.refuse(player, held, error.reason)
            return True
        except GameFailed as error:
            if held.client is not None:
                held.client.refuse(refusals.broken(error.reason), held.id, self.code)
            raise
        self.pending.give(player, held.move, step)
        await self.take_in(step, by=player)
        if self.pending.question is not None:
            await self.keep_early()
            view = next((one.views[str(player)] for one in step.moments if one.only == player), None)
            self.audience.show_answered(self.pending.question, player, view)
        if held.client is not None:
            held.client.done(held.id, self.code)
            self.host.move_seconds.observe(time.monotonic() - held.since)
        return True

    async def keep_early(self) -> None:
        """Store the answers to the open question that the log does not have."""
        await self.record.keep_early(self.game.known, self.pending.early_answers)

    async def put_buttons(self, player: int, on: tuple[str, ...]) -> None:
        """Set the pressed buttons of a seat."""
        self.seats[player].pressed = on
        if self.game.is_open and self.record.is_playing:
            self.pending.buttons = (await self.game.press(player, on, self.pending.given)).buttons
