"""The actor of one table that this server plays: it handles one event after another, and its log is in the database
before anybody sees what happened.

In: messages of pages, and time. Out: messages to pages, each with what its player may see. The engine is in a worker,
bots think in another one. A table that nobody keeps awake stands still, and its game is not opened. Its parts:

    record        its row and seats as in the database, and `pending`: what it waits for, and until when
    audience      its open pages, and what each of them is sent
    game          the game in its worker, with its log; another worker if one is lost
    seat_changes  who takes which seat
    answers       the answers to the open question
    help          advice for players
"""

import asyncio
import logging
import time
from collections.abc import Coroutine
from contextlib import AbstractContextManager
from typing import Any, Protocol

from prometheus_client import Histogram

from tilewright.presentation.catalogue import translations
from tilewright.web.limits.quotas import Misses
from tilewright.web.protocol import refusals
from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import (
    Again,
    Answer,
    AskHelp,
    Chat,
    Chatting,
    Id,
    Invite,
    Join,
    Leave,
    Press,
    Ready,
    Remove,
    Set,
    Sit,
    Spectators,
    Stand,
    Start,
    TableMessage,
)
from tilewright.web.protocol.moments import GameStep
from tilewright.web.protocol.refusals import Refused, Text, by_language
from tilewright.web.protocol.replies import ChatLine, NextTable, ShowInvite
from tilewright.web.protocol.settings import Settings
from tilewright.web.storage import SeatRow, Store, TableRow
from tilewright.web.tables.answers import Answers
from tilewright.web.tables.audience import Audience
from tilewright.web.tables.broadcast import ViewerMoment
from tilewright.web.tables.game import DurableGame
from tilewright.web.tables.help import TableHelp
from tilewright.web.tables.inbox import (
    BotAnswered,
    ClientGone,
    ClientMessage,
    CloseGame,
    Happening,
    Inbox,
    PersonRenamed,
    Stop,
)
from tilewright.web.tables.record import TableRecord, is_removed
from tilewright.web.tables.seat_changes import SeatChanges
from tilewright.web.workers.pool import BadSpec, GameFailed, Illegal, NoWorkerFree, WorkerGame, WorkerPool

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

    def room_to_wake(self, actor: "TableActor", client: Client) -> AbstractContextManager[None]:
        """Make sure there is room for one more game, opened for this page. Raises Refused."""

    async def again(self, actor: "TableActor", client: Client) -> str:
        """The code of a new table like this one."""

    def ended(self, actor: "TableActor") -> None:
        """The table is no longer played here; `actor.inbox` has the unread messages."""

    def changed(self, actor: "TableActor") -> None:
        """The table has changed since the lobby showed it."""


class TableActor:
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

    # --- the actor

    async def run(self) -> None:
        """Handle events until the table is closed. Ends with `failed` set if something went wrong."""
        happening: Happening | None = None
        try:
            await self.guarded(self.advance())
            while not self.stopping:
                happening = await self.next()
                if happening is not None:
                    await self.guarded(self.obey(happening))
                await self.guarded(self.advance())
                self.stopping |= self.is_idle(time.monotonic())
                happening = None
        except Exception as error:
            LOG.warning("table %s failed", self.row.id, exc_info=error)
            self.failed = error
            if isinstance(happening, ClientMessage):
                happening.client.refuse(refusals.went_wrong(), happening.message.id, self.code)
        finally:
            await self.put_away()

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

    async def close_game(self) -> None:
        if self.row.state in ("waiting", "playing"):
            await self.break_off(translations("server.closed"))

    async def next(self) -> Happening | None:
        """The next event; None if none is due yet."""
        if not self.inbox.empty():
            return self.inbox.get_nowait()
        try:
            return await asyncio.wait_for(self.inbox.get(), self.patience())
        except TimeoutError:
            return None

    def patience(self) -> float | None:
        """Seconds until something is due."""
        due = list(self.dues())
        return None if not due else max(0.0, min(due) - time.monotonic())

    def dues(self) -> list[float]:
        """The times at which something is due."""
        if self.audience.is_awake:
            due = [*(due for _, due in self.audience.leaving()), *self.pending.dues()]
        else:
            due = [self.audience.asleep_since + self.host.settings.idle] if self.may_end else []
        return [*due, *self.audience.dues()]

    @property
    def is_playing(self) -> bool:
        """Whether the game goes on, or its end has not been shown to everybody."""
        return self.record.state == "playing" or self.audience.info_due is not None

    @property
    def may_end(self) -> bool:
        """Whether it need not run here: nobody is here, or those who are only keep a worker busy."""
        return not self.audience.is_awake and (self.audience.is_empty or self.game.is_open)

    async def put_away(self) -> None:
        for task in self.running:
            task.cancel()
        await self.game.close()
        self.host.ended(self)

    def run_beside(self, doing: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something slow that the table need not wait for."""
        task = asyncio.create_task(doing)
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        return task

    async def obey(self, happening: Happening) -> None:
        match happening:
            case ClientMessage(client, message, since):
                self.host.inbox_seconds.observe(time.monotonic() - since)
                await self.listen(client, message)
            case ClientGone(client):
                await self.leave(client)
            case PersonRenamed(person, name):
                await self.call(person, name)
            case BotAnswered():
                self.answers.hear(happening)
            case Stop():
                self.stopping = True
            case CloseGame():
                await self.close_game()

    async def listen(self, client: Client, message: TableMessage) -> None:
        """Handle a message of a page; a refused one changes nothing."""
        try:
            await self.do(client, message)
        except Refused as refused:
            client.refuse(refused, message.id, self.code)
        except NoWorkerFree:
            client.refuse(refusals.full(), message.id, self.code)
        except GameFailed as error:
            client.refuse(refusals.broken(error.reason), message.id, self.code)
            raise

    async def do(self, client: Client, message: TableMessage) -> None:
        """Raises Refused."""
        if client not in self.audience and not isinstance(message, Join):
            raise refusals.not_joined()
        match message:
            case Join():
                await self.join(client, message)
            case Leave():
                await self.leave(client)
                client.done(message.id, self.code)
            case Sit():
                await self.sit(client, message)
            case Stand():
                await self.stand(client, message.id)
            case Start():
                await self.start_now(client, message.id)
            case Set():
                await self.set_seat(client, message)
            case Invite():
                await self.invite(client, message.id)
            case Spectators():
                await self.allow_spectators(client, message)
            case Chatting():
                await self.allow_chat(client, message)
            case Chat():
                self.chat(client, message)
            case Remove():
                await self.remove(client, message)
            case Again():
                await self.again(client, message.id)
            case Answer():
                await self.answers.answer(client, self.audience.player_of(client), message)
            case Ready():
                self.answers.ready(self.audience.player_of(client), message)
                client.done(message.id, self.code)
            case Press():
                await self.put_buttons(self.audience.player_of(client), message.on)
                client.done(message.id, self.code)
            case AskHelp():
                self.help.ask(client, self.audience.player_of(client), message)

    # --- starting

    async def start_if_all_are_here(self) -> None:
        if self.row.state == "waiting" and self.audience.is_awake and self.seats.waits_for_nobody:
            await self.start()

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

    def is_idle(self, now: float) -> bool:
        """Whether it may end, and nobody is about to join: opening a table may take long."""
        is_late = now >= self.audience.asleep_since + self.host.settings.idle
        return self.may_end and self.inbox.empty() and is_late

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

    # --- people come and go

    async def join(self, client: Client, message: Join) -> None:
        """Send the table to a page from now on."""
        player = self.seat_changes.player_of(client, message.seat)
        if self.audience.shows(client, player):
            self.audience.send_table(client, message.id)  # nothing has changed for anybody
            return
        if player is None and is_removed(self.row.setup, client.person.id):
            raise refusals.removed()
        self.audience.check_room(client, player, self.host.settings)
        if self.audience.keeps_awake(client, player):
            await self.wake(client)
        self.audience.attach(client, player)
        if player is not None:
            await self.seat_changes.keep_token(client, player)
        self.audience.send_table(client, message.id)
        self.audience.send_info()
        await self.start_if_all_are_here()

    async def leave(self, client: Client) -> None:
        """Remove a page. Before the game, whose last page is gone gives up the seat."""
        player = self.audience.seat_shown(client)
        self.audience.detach(client)
        if player is not None and self.row.state == "waiting" and not self.seats[player].clients:
            await self.seat_changes.free(player)
            self.seats_changed()

    async def sit(self, client: Client, message: Sit) -> None:
        player, now = self.seat_changes.seat(message.player).row.player, self.seats.of_person(client.person)
        if player != now:
            self.seat_changes.check_take(client, player, now)
            await self.seat_changes.check_invited(client, message.invite)
            await self.wake(client)
            if now is not None:
                await self.give_up(now)
            await self.seat_changes.take(client, player)
        self.audience.attach_person(client.person.id)
        self.audience.send_table(client, message.id)
        self.seats_changed()
        await self.start_if_all_are_here()

    async def stand(self, client: Client, id: Id) -> None:
        player = self.seats.of_person(client.person)
        if player is None:
            raise refusals.not_seated()
        for page in await self.give_up(player):
            self.audience.send_table(page, id if page is client else None)
        self.seats_changed()

    async def give_up(self, player: int) -> list[Client]:
        """Free a seat; its pages become spectators."""
        shown = self.audience.shown(player)
        await self.seat_changes.free(player)
        await self.put_buttons(player, ())
        self.pending.stop_waiting_for(player)
        for page in shown:
            self.audience.look_on(page)
        return shown

    async def call(self, person: int, name: str) -> None:
        """Rename a person at this table."""
        if await self.seat_changes.call(person, name):
            self.seats_changed()

    def seats_changed(self) -> None:
        self.audience.look_around()
        self.host.changed(self)
        self.audience.send_info()

    # --- the host

    async def start_now(self, client: Client, id: Id) -> None:
        self.seat_changes.check_host(client)
        if self.row.state == "waiting":
            await self.seat_changes.fill()
            await self.start()
        client.done(id, self.code)

    async def set_seat(self, client: Client, message: Set) -> None:
        self.seat_changes.check_host(client)
        seat = self.seat_changes.seat(message.player)
        self.seat_changes.check_set(message.player, message.seat)
        if seat.is_persons:
            await self.give_up(message.player)
        await self.seat_changes.change(message.player, message.seat)
        client.done(message.id, self.code)
        self.seats_changed()
        if any(seat.is_persons for seat in self.seats.all):
            await self.start_if_all_are_here()

    async def invite(self, client: Client, id: Id) -> None:
        """A new invite code, while somebody can sit down."""
        self.seat_changes.check_host(client)
        if self.row.state != "waiting" and not (self.record.is_playing and self.seats.has_free):
            raise refusals.not_allowed("server.no_free_seat")
        seconds = self.host.settings.invite
        code = await self.record.store.new_invite(self.row.id, seconds)
        client.send(ShowInvite(self.code, code, round(seconds), id=id))

    async def allow_spectators(self, client: Client, message: Spectators) -> None:
        self.seat_changes.check_host(client)
        await self.record.allow("spectators", message.on)
        if not message.on:
            self.audience.hide()
        for page in self.audience.spectators:
            self.audience.send_table(page)
        client.done(message.id, self.code)
        self.audience.send_info()

    async def allow_chat(self, client: Client, message: Chatting) -> None:
        self.seat_changes.check_host(client)
        await self.record.allow("chat", message.on)
        client.done(message.id, self.code)
        self.audience.send_info()

    def chat(self, client: Client, message: Chat) -> None:
        """Raises Refused."""
        player = self.audience.player_of(client)
        if not self.record.setup.chat:
            raise refusals.not_allowed("server.no_chat")
        self.audience.say(ChatLine(player, self.seats[player].row.name, message.phrase, message.text))
        client.done(message.id, self.code)

    async def remove(self, client: Client, message: Remove) -> None:
        """Send a spectator away for good."""
        self.seat_changes.check_host(client)
        pages = self.audience.pages_of(message.spectator)
        if not pages:
            raise refusals.not_allowed("server.no_spectator")
        await self.record.remove(pages[0].person.id)
        for page in pages:
            self.audience.detach(page)
            page.refuse(refusals.removed(), table=self.code)
        client.done(message.id, self.code)

    # --- another table

    async def again(self, client: Client, id: Id) -> None:
        """A new table for the same people; made by the first who asks."""
        self.audience.player_of(client)
        if self.record.state not in ("over", "broken"):
            raise refusals.not_allowed("server.not_over")
        if self.row.next is None:
            code = await self.host.again(self, client)
            await self.record.change(self.row.state, next=code)
        if id is not None:
            client.send(NextTable(self.code, self.row.next, id=id))
        self.audience.send_info()
