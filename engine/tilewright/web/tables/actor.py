"""The actor of one table that this server plays: it handles one event after another, and its log is in the database
before anybody sees what happened.

In: messages of pages, and time. Out: messages to pages, each with what its player may see. The engine is in a worker,
bots think in another one. A table that nobody keeps awake stands still, and its game is not opened. Its parts:

    played        the game as it goes on, with all that follows
    record        its row and seats as in the database, and `pending`: what it waits for, and until when
    audience      its open pages, and what each of them is sent
    game          the game in its worker, with its log; another worker if one is lost
    seat_changes  who takes which seat
    answers       the answers to the open question, and advice for players
"""

import asyncio
import time

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol import refusals
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
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import ChatLine, Client, NextTable, ShowInvite
from tilewright.web.tables.inbox import (
    BotAnswered,
    ClientGone,
    ClientMessage,
    CloseGame,
    Happening,
    PersonRenamed,
    Stop,
)
from tilewright.web.tables.played import LOG, PlayedTable
from tilewright.web.tables.record import is_removed
from tilewright.web.workers.pool import GameFailed, NoWorkerFree


class TableActor(PlayedTable):
    """A table, and what people may do at it."""

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

    async def start_if_all_are_here(self) -> None:
        if self.row.state == "waiting" and self.audience.is_awake and self.seats.waits_for_nobody:
            await self.start()

    def is_idle(self, now: float) -> bool:
        """Whether it may end, and nobody is about to join: opening a table may take long."""
        is_late = now >= self.audience.asleep_since + self.host.settings.idle
        return self.may_end and self.inbox.empty() and is_late

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
