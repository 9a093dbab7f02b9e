"""Lives: the tables that this server plays, and the way to those that others play. One owner for a table at a time, by
a lease in the database.

In: messages of pages. Out: each to the table that it is about, wherever that is played. Knows no rules.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from typing import Any

from tilewright.presentation.catalogue import translations
from tilewright.web.cluster.lobby import Lobby as LobbyRoom
from tilewright.web.cluster.purging import Purging
from tilewright.web.cluster.relay import Link, Relay
from tilewright.web.protocol import refusals
from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import AtTable, Hello, Join, Leave, Lobby, Make, Message, Ping, Rename, Setup
from tilewright.web.protocol.rates import Buckets
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.settings import Settings
from tilewright.web.protocol.spec import read_spec
from tilewright.web.storage import Lost, Person, SeatRow, Store, StoreError, TableRow
from tilewright.web.storage.file_lock import Alone
from tilewright.web.tables.actor import Live
from tilewright.web.tables.inbox import Called, Gone, Said, Stop
from tilewright.web.tables.quotas import Guests
from tilewright.web.workers.pool import BadSpec, Broken, Full, Housed, HouseLost, Houses

Plain = dict[str, Any]
LOG = logging.getLogger("tilewright")
ONLY = "only"  # the one server of a file: what its predecessor played is its own at once
SECONDS_TO_END = 10.0  # for tables that wait for their houses
MOST_SEED = 2**53 - 1
TRIES, TRIES_SECONDS = 3, 60.0  # of a table that fails again and again
BUSY = ("waiting", "playing")  # states of tables that need a process


class Lives:
    """All tables that are open at this server. `worker`: its name among servers; `secret`: with which others come."""

    def __init__(self, settings: Settings, store: Store, houses: Houses) -> None:
        self.settings, self.store, self.houses = settings, store, houses
        file = store.database.file
        self.alone = None if file is None else Alone(str(file))
        self.worker = ONLY if self.alone is not None and self.alone.holds else secrets.token_hex(8)
        self.secret = secrets.token_urlsafe(32)
        self.owned: dict[str, Live] = {}
        self.clients: dict[str, Client] = {}
        self.finding: dict[str, asyncio.Lock] = {}
        self.running: set[asyncio.Task[None]] = set()
        self.failures: dict[str, list[float]] = {}
        self.newcomers = Buckets(settings.limits.newcomers / 60, settings.limits.newcomers)
        self.guests, self.purging = Guests(settings), Purging(settings, store, self.worker)
        self.relay = Relay(self)
        self.lobby = LobbyRoom(self)
        self.stopping = False
        self.names = 0

    # --- the server begins and ends

    async def start(self) -> None:
        """Others may know of this server from now on."""
        address = f"{self.settings.own_address}#{self.secret}"
        await self.store.register(self.worker, address, self.settings.lease)
        self.run_beside(self.keep_leases())
        self.run_beside(self.lobby.run())
        self.run_beside(self.purging.run(lambda: [client.person.id for client in self.clients.values()]))

    async def stop(self) -> None:
        """Every table is put away, and may be taken by another server at once."""
        self.stopping = True
        playing = [(live, live.audience.pages) for live in self.owned.values()]
        for live, _ in playing:
            live.inbox.put_nowait(Stop())
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_END):
                while self.owned:
                    await asyncio.sleep(0.01)
        try:
            await self.store.release_all(self.worker)
            await self.purging.write_down()
        except StoreError as error:
            LOG.warning("the leases of this server end by themselves: %s", error)
        for live, clients in playing:
            for client in clients:
                client.moved(live.code)
        await self.relay.close()
        if self.alone is not None:
            self.alone.end()
        for task in [task for task in self.running if task is not asyncio.current_task()]:
            task.cancel()

    async def keep_leases(self) -> None:
        """Say again and again that this server runs."""
        while True:
            await asyncio.sleep(self.settings.lease / 3)
            try:
                mine = await self.store.renew(self.worker, self.settings.lease)
            except StoreError as error:
                LOG.warning("the leases of tables could not be renewed: %s", error)
                continue
            for live in list(self.owned.values()):
                if live.row.id not in mine and live.leased:
                    LOG.warning("table %s was taken over by another server", live.code)
                    live.failed = Lost("taken over")
                    live.inbox.put_nowait(Stop())
                live.leased = True

    def run_beside(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self.running.add(task)
        task.add_done_callback(self.done_beside)

    def done_beside(self, task: asyncio.Task[None]) -> None:
        """What went wrong beside everything else is written down."""
        self.running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("something that the server did beside failed", exc_info=error)

    # --- pages

    def new_name(self) -> str:
        """Of a page, or of another server that comes."""
        self.names += 1
        return f"{self.names}"

    def open(self, client: Client) -> None:
        """A page is there."""
        self.clients[client.id] = client
        self.purging.see(client.person.id)

    def close(self, client: Client) -> None:
        """A page is gone."""
        self.clients.pop(client.id, None)
        self.lobby.leave(client)
        for code in list(client.joins):
            self.part(client, code)
        client.joins.clear()
        self.relay.forget(client)

    def part(self, client: Client, code: str) -> None:
        """A page is not told of a table any more."""
        if live := self.owned.get(code):
            live.inbox.put_nowait(Gone(client))
        else:
            self.relay.gone(client, code)

    async def handle(self, client: Client, message: Message) -> None:
        """Do what a page says, or have the table do it. Raises Refused."""
        match message:
            case Hello():
                raise refusals.bad_message("server.hello_again")
            case Ping():
                client.tell({"say": "pong"} | ({} if message.id is None else {"id": message.id}))
            case Make():
                await self.make(client, message)
            case Rename():
                await self.rename(client, message)
            case Lobby():
                await self.lobby.watch(client, message.on, message.id)
            case _:
                await self.at_table(client, message)

    async def at_table(self, client: Client, message: AtTable) -> None:
        """A message for a table goes there. Raises Refused."""
        code = message.table
        if code not in client.joins:
            self.check_join(client, message)
        place = await self.find(code, client)
        if client.id not in self.clients:
            return  # it went while the table was looked for
        if isinstance(message, Join):
            client.joins[code] = replace(message, id=None)
        elif isinstance(message, Leave):
            del client.joins[code]
        self.put(place, client, message)

    def check_join(self, client: Client, message: AtTable) -> None:
        """Raises Refused."""
        if not isinstance(message, Join):
            raise refusals.not_joined()
        if len(client.joins) >= self.settings.limits.tables:
            raise refusals.too_many("server.at_many_tables")

    def put(self, place: "Live | Link", client: Client, message: AtTable) -> None:
        if isinstance(place, Live):
            place.inbox.put_nowait(Said(client, message))
        else:
            place.put(client, message)

    async def rename(self, client: Client, message: Rename) -> None:
        await self.rename_person(client.person, message.name)
        client.done(message.id)

    async def rename_person(self, person: Person, name: str) -> None:
        """A person is called otherwise, at all tables and on all pages."""
        pages = [page for page in self.clients.values() if page.person.id == person.id and page.person.name != name]
        person = await self.store.update_person(person.id, name=name)
        places: set[Live | Link] = set()
        for page in pages:
            page.person = person
            places |= {place for code in page.joins if (place := self.known(page, code)) is not None}
        for place in places:
            if isinstance(place, Live):
                place.inbox.put_nowait(Called(person.id, name))
            else:
                place.call(person.id, name)

    def known(self, client: Client, code: str) -> "Live | Link | None":
        """Where a page's table is played, as far as this server knows."""
        return self.owned.get(code) or self.relay.link_of(client, code)

    # --- where a table is played

    async def find(self, code: str, client: Client) -> "Live | Link":
        """The table, if this server plays it or can take it, or the way to the server that does. Raises Refused."""
        if (live := self.owned.get(code)) is not None:
            return live
        async with self.only_look(code):
            return self.owned.get(code) or await self.look(code, client)

    @asynccontextmanager
    async def only_look(self, code: str) -> AsyncIterator[None]:
        """Nobody else looks for a table meanwhile."""
        lock = self.finding.setdefault(code, asyncio.Lock())
        try:
            async with lock:
                yield
        finally:
            if not lock.locked():
                self.finding.pop(code, None)

    async def look(self, code: str, client: Client) -> "Live | Link":
        """Take a table that nobody plays; wait for one whose server is gone until its lease is."""
        row = await self.store.table(code)
        if row is None:
            raise refusals.unknown_table()
        end = time.monotonic() + 2 * self.settings.lease
        while not self.stopping:
            if live := await self.take(row, client):
                return live
            owner = await self.store.owner(row.id)
            if owner is not None and owner.worker != self.worker and (link := await self.relay.link(owner)):
                return link
            if time.monotonic() > end:
                break
            await asyncio.sleep(self.settings.lease / 20)
        raise refusals.went_wrong()

    async def here(self, code: str, client: Client) -> Live | None:
        """The table, if this server plays it or can take it. Raises Refused."""
        async with self.only_look(code):
            if code in self.owned:
                return self.owned[code]
            row = await self.store.table(code)
            if row is None:
                raise refusals.unknown_table()
            return await self.take(row, client)

    async def take(self, row: TableRow, client: Client) -> Live | None:
        """Play a table for somebody who comes, if no other server does. Raises Refused."""
        if self.too_many_failures(row.code):
            raise refusals.broken(translations("server.fails_again"))
        self.guests.check_open(client)
        with self.room(client, row.spec) if row.state in BUSY else nullcontext():
            if not await self.store.claim(row.id, self.worker, self.settings.lease):
                return None
            now, seats = await self.store.table(row.code), await self.store.seats(row.id)
            return self.owned.get(row.code) or self.begin(now or row, seats, client)

    def begin(self, row: TableRow, seats: Sequence[SeatRow], client: Client, housed: Housed | None = None) -> Live:
        self.guests.put(row.code, client)
        live = self.owned[row.code] = Live(self, row, list(seats), housed)
        self.run_beside(live.run())
        return live

    def too_many_failures(self, code: str) -> bool:
        now = time.monotonic()
        recent = [at for at in self.failures.get(code, ()) if now - at < TRIES_SECONDS]
        return len(recent) >= TRIES

    def ended(self, live: Live) -> None:
        """A table is not played here any more: what it has not heard goes where it is played now, and so do its
        pages."""
        del self.owned[live.code]
        self.guests.forget(live.code)
        if live.failed is not None and not isinstance(live.failed, Full):
            now = time.monotonic()
            self.failures = {code: at for code, at in self.failures.items() if now - at[-1] < TRIES_SECONDS}
            self.failures.setdefault(live.code, []).append(now)
        if not self.stopping:
            self.run_beside(self.hand_over(live))

    async def hand_over(self, live: Live) -> None:
        try:
            async with self.only_look(live.code):
                if live.code not in self.owned:  # or it is played here again already
                    await self.store.release(live.row.id, self.worker)
        except StoreError as error:
            LOG.warning("the lease of table %s ends by itself: %s", live.code, error)
        for client in live.audience.pages:
            client.moved(live.code)
        while not live.inbox.empty():
            match live.inbox.get_nowait():
                case Said(client, message) if isinstance(live.failed, Full):
                    client.refuse(refusals.full(), message.id, live.code)
                case Said(client, message):
                    self.run_beside(self.say_again(client, message))

    async def say_again(self, client: Client, message: AtTable) -> None:
        """What a table did not hear any more."""
        try:
            await self.at_table(client, message)
        except Refused as refused:
            client.refuse(refused, message.id, message.table)
        except StoreError:
            client.refuse(refusals.went_wrong(), message.id, message.table)

    def moved(self, client: Client, code: str) -> None:
        """A page's table is played elsewhere, or here again: the page joins it there."""
        if not self.stopping and client.id in self.clients and code in client.joins:
            self.run_beside(self.say_again(client, client.joins[code]))

    def changed(self, live: Live) -> None:
        self.lobby.changed()

    # --- new tables

    async def make(self, client: Client, message: Make) -> None:
        """A new table, which this server plays. Raises Refused."""
        self.guests.check_made(client)
        self.guests.check_open(client)
        if len(client.joins) >= self.settings.limits.tables:
            raise refusals.full()
        with self.room(client, message.spec):
            await self.make_in_room(client, message)

    async def make_in_room(self, client: Client, message: Make) -> None:
        """A new table for which there is room. Raises Refused."""
        alone = message.setup.expects == (message.sit is not None)
        spec = seeded(message.spec, own=alone)
        rows = first_seats(message, client.person)
        housed = await self.opened(spec, message.setup, rows)
        try:
            row = await self.store.new_table(spec, message.setup.to_json(), client.person.id, rows)
            row = await self.store.set_state(row.id, "waiting", digest=housed.digest)
            await self.store.claim(row.id, self.worker, self.settings.lease)
        except BaseException:
            await housed.close()
            raise
        if not alone:
            await housed.close()  # who plays is said when it begins
        live = self.begin(row, [replace(seat, table=row.id) for seat in rows], client, housed if alone else None)
        client.joins[row.code] = Join(row.code)
        live.inbox.put_nowait(Said(client, Join(row.code, None, message.id)))
        self.lobby.changed()

    def room(self, client: Client, spec: Mapping[str, Any]) -> AbstractContextManager[None]:
        """Room for a table that somebody has opened. Raises Refused."""
        return self.guests.one_more(client, self.strange_tables()) if is_strange(spec) else nullcontext()

    def strange_tables(self) -> Iterator[str]:
        """The codes of tables here that have processes of their own, or will have: with rules that came as texts."""
        return (code for code, live in self.owned.items() if live.row.state in BUSY and is_strange(live.row.spec))

    async def opened(self, spec: Plain, setup: Setup, rows: Sequence[SeatRow]) -> Housed:
        """The game in a house: it can be played, by so many. Raises Refused."""
        names = [row.name or row.bot or row.kind for row in rows]
        try:
            housed = await self.open_house(spec, names)
        except BadSpec as error:
            raise refusals.bad_spec(tuple(error.problems)) from None
        except Full:
            raise refusals.full() from None
        except Broken as error:
            raise refusals.broken(error.reason) from None
        except HouseLost:
            raise refusals.went_wrong() from None
        if housed.seats != len(setup.seats):
            await housed.close()
            raise refusals.wrong_seats(housed.seats)
        return housed

    async def open_house(self, spec: Plain, names: Sequence[str]) -> Housed:
        try:
            return await self.houses.open(spec, players=names)
        except HouseLost:
            return await self.houses.open(spec, players=names)

    async def again(self, live: Live, client: Client) -> str:
        """A table like this one, with the same people; whoever comes first has a server play it."""
        rows = [replace(seat.row, token_hash=None) for seat in live.seats.all]
        spec = seeded(dict(live.row.spec), own=False)
        row = await self.store.new_table(spec, live.setup.to_json(), live.row.host, rows)
        await self.store.set_state(row.id, "waiting", digest=live.row.digest)
        return row.code

    # --- what others ask

    async def info(self, code: str, person: Person) -> Plain:
        """TableInfo of a table, wherever it is played. Raises Refused."""
        if (live := self.owned.get(code)) is not None:
            player = live.seats.of_person(person)
            return live.audience.info(None, player) | {"host": live.row.host == person.id}
        row = await self.store.table(code)
        if row is None:
            raise refusals.unknown_table()
        return await self.lobby.info_from_store(row, person)


def is_strange(spec: Mapping[str, Any]) -> bool:
    """Some of it was written by whoever plays it."""
    return read_spec(spec).is_strange


def seeded(spec: Plain, own: bool) -> Plain:
    """A spec with a seed that nobody knows; only who plays alone may choose it."""
    if own and "seed" in spec:
        return spec
    return {**spec, "seed": secrets.randbelow(MOST_SEED)}


def first_seats(message: Make, person: Person) -> list[SeatRow]:
    """The seats of a new table, with the one who makes it."""
    return [
        SeatRow(0, player, "person", None, person.id, person.name)
        if player == message.sit
        else SeatRow(0, player, seat.kind, seat.bot)
        for player, seat in enumerate(message.setup.seats)
    ]
