"""Router: messages of pages, each to its table, whether this server or another one plays it.

In: messages of pages. Out: each at its table, in the lobby, or answered; and the open tables of all servers, to the
pages that watch them. Knows no rules.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Mapping

from tilewright.web.access import Access, BanList, Purging, Seeker
from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import AddressBuckets
from tilewright.web.protocol.messages import (
    Hello,
    Id,
    Join,
    Leave,
    Make,
    Message,
    Ping,
    Rename,
    TableMessage,
    WatchLobby,
)
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import Client, Pong, ShowLobby, TableInfo
from tilewright.web.protocol.settings import Settings
from tilewright.web.protocol.shape import json_text
from tilewright.web.relay import Link, OtherVersion, Relay
from tilewright.web.storage.rows import Owner, Person, StoreError, TableRow
from tilewright.web.storage.store import Store
from tilewright.web.tables.actor import TableActor
from tilewright.web.tables.inbox import ClientGone, ClientMessage, PersonRenamed
from tilewright.web.tables.record import info_of, is_removed
from tilewright.web.tables.registry import TableRegistry
from tilewright.web.tables.seats import Seat
from tilewright.web.workers.pool import WorkerPool

LOG = logging.getLogger("tilewright")
SECONDS = 1.0  # between two messages
MOST = 60  # tables
OLDEST = 24 * 3600.0  # seconds
FRESH = 5.0  # seconds for which data of another server's table is cached


class Lobby:
    """Pages that watch, and what they were last sent. `played`: the tables of this server, by code."""

    def __init__(self, store: Store, played: Mapping[str, TableActor]) -> None:
        self.store, self.played = store, played
        self.watching: dict[str, Client] = {}
        self.sent = ""
        self.last, self.read = list[TableInfo](), float("-inf")
        self.reading = asyncio.Lock()
        self.others: dict[int, tuple[float, TableRow, TableInfo | None]] = {}  # tables of other servers
        self.news = asyncio.Event()

    async def watch(self, client: Client, on: bool, id: Id) -> None:
        """Start or stop sending the lobby to a page."""
        if not on:
            self.leave(client)
            client.done(id)
            return
        tables = await self.recent_tables()
        client.send(ShowLobby(tables, id=id))
        self.watching[client.id] = client
        self.news.set()

    def leave(self, client: Client) -> None:
        self.watching.pop(client.id, None)

    def changed(self) -> None:
        """Something has changed since it was sent."""
        self.news.set()

    async def run(self) -> None:
        """Keep sending changes to watching pages, those of other servers too."""
        while True:
            if not self.watching:
                self.news.clear()
                await self.news.wait()
            await asyncio.sleep(SECONDS)
            try:
                await self.broadcast()
            except Exception as error:  # whatever the error, it is tried again in a second
                LOG.warning("the lobby cannot be read: %s", error, exc_info=not isinstance(error, StoreError))

    async def recent_tables(self) -> list[TableInfo]:
        """The open tables, as they were a moment ago at most: however often pages look, they are looked up once."""
        async with self.reading:
            if time.monotonic() - self.read > SECONDS:
                self.last, self.read = await self.tables(), time.monotonic()
            return self.last

    async def broadcast(self) -> None:
        listed = json_text(ShowLobby(await self.tables()))
        if listed != self.sent:
            self.sent = listed
            for client in self.watching.values():
                client.send_text(listed)

    async def tables(self) -> list[TableInfo]:
        """Open tables with somebody present, newest first."""
        rows = await self.store.public_tables(since=time.time() - OLDEST, limit=2 * MOST)
        self.others = {row.id: self.others[row.id] for row in rows if row.id in self.others}
        found = [info for row in rows if (info := await self.table(row)) is not None]
        return found[:MOST]

    async def table(self, row: TableRow) -> TableInfo | None:
        """A table as the lobby shows it; None if nobody plays there."""
        if (actor := self.played.get(row.code)) is not None:
            return actor.audience.info() if actor.audience.is_awake else None
        read, same, info = self.others.get(row.id, (0.0, None, None))
        if same != row or time.monotonic() - read > FRESH:
            info = await self.info_from_store(row) if await self.store.owner(row.id) else None
            self.others[row.id] = (time.monotonic(), row, info)
        return info

    async def info_from_store(self, row: TableRow, person: Person | None = None) -> TableInfo:
        """A table as the database has it."""
        seats = await self.store.seats(row.id)
        me = next((seat.player for seat in seats if person is not None and seat.person == person.id), None)
        return info_of(row, [Seat(seat).info() for seat in seats], me, person is not None and row.host == person.id)


class TableRouter:
    """All pages that are open at this server, and the routes to their tables. `secret`: other servers connect with
    it."""

    def __init__(self, settings: Settings, store: Store, pool: WorkerPool) -> None:
        self.settings, self.store = settings, store
        self.secret = secrets.token_urlsafe(32)
        self.clients: dict[str, Client] = {}
        self.newcomers = AddressBuckets(settings.limits.newcomers / 60, settings.limits.newcomers)
        self.tables = TableRegistry(settings, store, pool, self.changed, self.send_on)
        self.access = Access(store, self.tables.misses)
        self.purging = Purging(settings, store, self.tables.worker)
        self.relay = Relay(self.tables.run_beside)
        self.lobby = Lobby(store, self.tables.owned)
        self.bans = BanList(store, self.dismiss_banned)
        self.names = 0

    # --- start and stop

    async def start(self) -> None:
        """Make this server known to others."""
        await self.tables.start(f"{self.settings.own_address}#{self.secret}")
        await self.bans.read()
        self.tables.run_beside(self.lobby.run())
        self.tables.run_beside(self.bans.run())
        self.tables.run_beside(self.purging.run(lambda: [client.person.id for client in self.clients.values()]))

    async def stop(self) -> None:
        """Close every table here, so that another server may take it at once."""
        await self.tables.stop()
        try:
            await self.purging.write_down()
        except StoreError as error:
            LOG.warning("last visits could not be stored: %s", error)
        await self.relay.close()
        self.tables.end()

    def changed(self) -> None:
        """A table has changed since the lobby showed it."""
        self.lobby.changed()

    # --- pages

    def new_name(self) -> str:
        """A name for a page or another server that connects."""
        self.names += 1
        return f"{self.names}"

    def open(self, client: Client) -> None:
        """Register a page."""
        self.clients[client.id] = client
        self.purging.see(client.person.id)

    def dismiss_banned(self) -> None:
        """Close the pages of those who are banned."""
        for client in list(self.clients.values()):
            if self.bans.has_person(client.person.id) or self.bans.has_address(client.address):
                client.dismiss("banned")

    @property
    def queued_bytes(self) -> int:
        """Bytes that wait for pages to read them."""
        return sum(client.queued_bytes for client in self.clients.values())

    def close(self, client: Client) -> None:
        """Remove a page."""
        self.clients.pop(client.id, None)
        self.lobby.leave(client)
        for code in list(client.joins):
            self.part(client, code)
        client.joins.clear()
        self.relay.forget(client)

    def part(self, client: Client, code: str) -> None:
        """Stop sending a table to a page."""
        if actor := self.tables.owned.get(code):
            actor.inbox.put_nowait(ClientGone(client))
        else:
            self.relay.gone(client, code)

    async def handle(self, client: Client, message: Message) -> None:
        """Handle a message of a page, or pass it to its table. Raises Refused."""
        match message:
            case Hello():
                raise refusals.bad_message("server.hello_again")
            case Ping():
                client.send(Pong(id=message.id))
            case Make():
                await self.tables.make(client, message)
            case Rename():
                await self.rename(client, message)
            case WatchLobby():
                await self.lobby.watch(client, message.on, message.id)
            case _:
                await self.at_table(client, message)

    async def at_table(self, client: Client, message: TableMessage) -> None:
        """Pass a message to its table. Raises Refused."""
        code = message.table
        if code not in client.joins:
            await self.check_join(client, message)
        place = await self.find(code, client)
        if client.id not in self.clients:
            return  # the page left while the table was looked for
        if isinstance(message, Join):
            client.joins[code] = Join(message.table, message.seat)
        elif isinstance(message, Leave):
            del client.joins[code]
        self.put(place, client, message)

    async def check_join(self, client: Client, message: TableMessage) -> None:
        """Raises Refused."""
        if not isinstance(message, Join):
            raise refusals.not_joined()
        if len(client.joins) >= self.settings.limits.tables:
            raise refusals.too_many("server.at_many_tables")
        await self.access.table(message.table, Seeker(client.address, client.person, message.seat))

    def put(self, place: TableActor | Link, client: Client, message: TableMessage) -> None:
        if isinstance(place, TableActor):
            place.inbox.put_nowait(ClientMessage(client, message))
        else:
            place.put(client, message)

    async def rename(self, client: Client, message: Rename) -> None:
        await self.rename_person(client.person, message.name)
        client.done(message.id)

    async def rename_person(self, person: Person, name: str) -> None:
        """Rename a person at all tables and on all pages."""
        pages = [page for page in self.clients.values() if page.person.id == person.id and page.person.name != name]
        person = await self.store.update_person(person.id, name=name)
        places: set[TableActor | Link] = set()
        for page in pages:
            page.person = person
            places |= {place for code in page.joins if (place := self.known(page, code)) is not None}
        for place in places:
            if isinstance(place, TableActor):
                place.inbox.put_nowait(PersonRenamed(person.id, name))
            else:
                place.call(person.id, name)

    # --- where a table is played

    def known(self, client: Client, code: str) -> TableActor | Link | None:
        """Where a page's table is played, if this server knows."""
        return self.tables.owned.get(code) or self.relay.link_of(client, code)

    async def find(self, code: str, client: Client) -> TableActor | Link:
        """The table, if this server plays it or can take it, or the link to the server that plays it. Raises
        Refused."""
        if (actor := self.tables.owned.get(code)) is not None:
            return actor
        async with self.tables.only_look(code):
            return self.tables.owned.get(code) or await self.look(code, client)

    async def look(self, code: str, client: Client) -> TableActor | Link:
        """Take a table that nobody plays; if its server is gone, wait until its lease expires."""
        row = await self.store.table(code)
        if row is None:
            raise refusals.unknown_table()
        end = time.monotonic() + 2 * self.settings.lease
        while not self.tables.stopping:
            is_last = time.monotonic() > end
            if actor := await self.tables.take(row, client):
                return actor
            owner = await self.store.owner(row.id)
            if owner is not None and owner.worker != self.tables.worker and (link := await self.link(owner)):
                return link
            if is_last:
                break
            await asyncio.sleep(self.settings.lease / 20)
        raise refusals.went_wrong()

    async def link(self, owner: Owner) -> Link | None:
        """The link to another server; None if it does not answer. Raises Refused."""
        try:
            return await self.relay.link(owner)
        except OtherVersion:
            raise refusals.server_of_other_version() from None

    async def send_on(self, client: Client, message: TableMessage) -> None:
        """Pass on a message that a table did not read before it ended."""
        try:
            await self.at_table(client, message)
        except Refused as refused:
            client.refuse(refused, message.id, message.table)
        except StoreError:
            client.refuse(refusals.went_wrong(), message.id, message.table)

    def moved(self, client: Client, code: str, give_up: Callable[[], None]) -> None:
        """A page's table is now played elsewhere, or here again: join it there, or have the page connect again."""
        if not self.tables.stopping and client.id in self.clients and code in client.joins:
            self.tables.run_beside(self.rejoin(client, client.joins[code], give_up))

    async def rejoin(self, client: Client, join: Join, give_up: Callable[[], None]) -> None:
        try:
            await self.at_table(client, join)
        except (Refused, StoreError) as error:
            LOG.info("a table was not found again: %s", error)
            give_up()

    async def info(self, code: str, person: Person, address: str) -> TableInfo:
        """The state of a table, wherever it is played. Raises Refused."""
        row = await self.access.table(code, Seeker(address, person))
        if is_removed(row.setup, person.id):
            raise refusals.removed()
        if (actor := self.tables.owned.get(code)) is not None:
            return actor.audience.info(person, actor.seats.of_person(person))
        return await self.lobby.info_from_store(row, person)
