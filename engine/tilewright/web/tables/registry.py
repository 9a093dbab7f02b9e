"""Registry: the tables that this server plays. One owner for a table at a time, by a lease in the database.

In: stored tables, and new ones. Out: each as a running actor. Knows no rules, and no other server.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import replace
from typing import Any

from prometheus_client import Histogram

from tilewright.play.chance import TableSecret
from tilewright.presentation.catalogue import translations
from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import Misses, TableQuotas
from tilewright.web.protocol.messages import Join, Make, Setup, TableMessage
from tilewright.web.protocol.replies import Client
from tilewright.web.protocol.settings import Settings
from tilewright.web.protocol.spec import read_spec
from tilewright.web.storage.rows import DatabaseLost, Person, SeatRow, StoreError, TableRow
from tilewright.web.storage.store import Store
from tilewright.web.storage.tables import FileLock
from tilewright.web.tables.actor import TableActor
from tilewright.web.tables.inbox import ClientMessage, CloseGame, Stop
from tilewright.web.tables.played import PlayedTable
from tilewright.web.tables.record import EARLY
from tilewright.web.workers.pool import BadSpec, GameFailed, NoWorkerFree, WorkerGame, WorkerLost, WorkerPool

Plain = dict[str, Any]
LOG = logging.getLogger("tilewright")
ONLY = "only"  # the only server of a file takes over its predecessor's tables at once
SECONDS_TO_BELIEVE = 0.5  # that the database can be written, after it was
SECONDS_TO_END = 10.0  # for tables that wait for their workers
TRIES, TRIES_SECONDS = 3, 60.0  # of a table that fails again and again
BUSY = ("waiting", "playing")  # states of tables that need a process while they are awake


class TableRegistry:
    """All tables that this server plays. `worker`: its name among servers; `on_change`: called when a table has changed
    since the lobby showed it; `send_on`: delivers a message that a table did not read before it ended; `draining`: no
    new tables are made."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        pool: WorkerPool,
        on_change: Callable[[], None],
        send_on: Callable[[Client, TableMessage], Coroutine[Any, Any, None]],
    ) -> None:
        self.settings, self.store, self.pool = settings, store, pool
        self.on_change, self.send_on = on_change, send_on
        file = store.database.file
        self.alone = None if file is None else FileLock(str(file))
        self.worker = ONLY if self.alone is not None and self.alone.holds else secrets.token_hex(8)
        self.owned: dict[str, TableActor] = {}
        self.finding: dict[str, asyncio.Lock] = {}
        self.running: set[asyncio.Task[None]] = set()
        self.failures: dict[str, list[float]] = {}
        self.guests, self.misses = TableQuotas(settings), Misses(settings)
        self.stopping = self.draining = False
        self.renewed, self.checking = 0.0, asyncio.Lock()
        self.inbox_seconds = Histogram(
            "tilewright_inbox_seconds", "Messages of pages until their table handled them.", registry=None
        )
        self.move_seconds = Histogram(
            "tilewright_move_seconds", "Moves of people until they were stored and shown.", registry=None
        )

    # --- start and stop

    async def start(self, address: str) -> None:
        """Register this server with its address."""
        await self.store.register(self.worker, address, self.settings.lease)
        self.run_beside(self.keep_leases())

    async def stop(self) -> None:
        """Close every table here, so that another server may take it at once."""
        self.stopping = True
        playing = [(actor, actor.audience.pages) for actor in self.owned.values()]
        for actor, _ in playing:
            actor.inbox.put_nowait(Stop())
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_END):
                while self.owned:
                    await asyncio.sleep(0.01)
        try:
            await self.store.release_all(self.worker)
        except StoreError as error:
            LOG.warning("the leases of this server will expire: %s", error)
        for actor, clients in playing:
            for client in clients:
                client.moved(actor.code)

    def end(self) -> None:
        """Wait until nothing runs any more."""
        if self.alone is not None:
            self.alone.end()
        for task in [task for task in self.running if task is not asyncio.current_task()]:
            task.cancel()

    async def renew(self) -> frozenset[int]:
        """Renew the leases of this server, which tries the database. Returns the tables that it still has."""
        mine = await self.store.renew(self.worker, self.settings.lease)
        self.renewed = time.monotonic()
        return mine

    async def check_database(self) -> None:
        """Check that the database can be written, if that was not done just now: many may ask. Raises StoreError."""
        async with self.checking:
            if time.monotonic() - self.renewed > SECONDS_TO_BELIEVE:
                await self.renew()

    async def keep_leases(self) -> None:
        """Renew the leases of this server again and again."""
        while True:
            await asyncio.sleep(self.settings.lease / 3)
            try:
                mine = await self.renew()
            except StoreError as error:
                LOG.warning("the leases of tables could not be renewed: %s", error)
                continue
            for actor in list(self.owned.values()):
                if actor.row.id not in mine and actor.leased:
                    LOG.warning("table %s was taken over by another server", actor.row.id)
                    actor.failed = DatabaseLost("taken over")
                    actor.inbox.put_nowait(Stop())
                actor.leased = True

    def run_beside(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self.running.add(task)
        task.add_done_callback(self.done_beside)

    def done_beside(self, task: asyncio.Task[None]) -> None:
        """Log errors of background tasks."""
        self.running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("a background task failed", exc_info=error)

    # --- which tables are played here

    @asynccontextmanager
    async def only_look(self, code: str) -> AsyncIterator[None]:
        """Lock the search for a table."""
        lock = self.finding.setdefault(code, asyncio.Lock())
        try:
            async with lock:
                yield
        finally:
            if not lock.locked():
                self.finding.pop(code, None)

    async def here(self, code: str, client: Client) -> TableActor | None:
        """The table, if this server plays it or can take it. Raises Refused."""
        if (actor := self.owned.get(code)) is not None:
            return actor
        async with self.only_look(code):
            if code in self.owned:
                return self.owned[code]
            row = await self.store.table(code)
            if row is None:
                raise refusals.unknown_table()
            return await self.take(row, client)

    async def take(self, row: TableRow, client: Client) -> TableActor | None:
        """Start playing a stored table, if no other server does. Raises Refused."""
        if self.too_many_failures(row.code):
            raise refusals.broken(translations("server.fails_again"))
        self.guests.check_open(client)
        with self.room(client, row.state == "waiting" and is_untrusted(row.spec)):
            if not await self.store.claim(row.id, self.worker, self.settings.lease):
                return None
            now, seats = await self.store.table(row.code), await self.store.seats(row.id)
            return self.owned.get(row.code) or self.begin(now or row, seats, client)

    def begin(
        self, row: TableRow, seats: Sequence[SeatRow], client: Client, remote: WorkerGame | None = None
    ) -> TableActor:
        self.guests.put(row.code, client)
        actor = self.owned[row.code] = TableActor(self, row, list(seats), remote)
        self.run_beside(actor.run())
        return actor

    def too_many_failures(self, code: str) -> bool:
        now = time.monotonic()
        recent = [at for at in self.failures.get(code, ()) if now - at < TRIES_SECONDS]
        return len(recent) >= TRIES

    def ended(self, actor: PlayedTable) -> None:
        """A table is no longer played here: send its unread messages and its pages to where it is played now."""
        del self.owned[actor.code]
        self.guests.forget(actor.code)
        failed = actor.failed is not None and not isinstance(actor.failed, NoWorkerFree | DatabaseLost)
        if failed or actor.record.is_left:
            now = time.monotonic()
            self.failures = {code: at for code, at in self.failures.items() if now - at[-1] < TRIES_SECONDS}
            self.failures.setdefault(actor.code, []).append(now)
        if not self.stopping:
            self.run_beside(self.hand_over(actor))

    async def hand_over(self, actor: PlayedTable) -> None:
        try:
            async with self.only_look(actor.code):
                if actor.code not in self.owned:  # or it is already played here again
                    await self.store.release(actor.row.id, self.worker)
        except StoreError as error:
            LOG.warning("the lease of table %s will expire: %s", actor.row.id, error)
        for client in actor.audience.pages:
            client.moved(actor.code)
        while not actor.inbox.empty():
            match actor.inbox.get_nowait():
                case ClientMessage(client, message) if isinstance(actor.failed, NoWorkerFree):
                    client.refuse(refusals.full(), message.id, actor.code)
                case ClientMessage(client, message):
                    self.run_beside(self.send_on(client, message))

    @contextmanager
    def room_to_wake(self, actor: PlayedTable, client: Client) -> Iterator[None]:
        """Make sure there is room for one more game, which counts for whoever it is opened for. Raises Refused."""
        with self.room(client, actor.row.state in BUSY and is_untrusted(actor.row.spec)):
            self.guests.put(actor.code, client)
            yield

    def changed(self, actor: PlayedTable) -> None:
        self.on_change()

    # --- those who run the server

    @property
    def is_drained(self) -> bool:
        """Whether no game is played here, and none can begin at a new table."""
        return self.draining and not any(actor.is_playing for actor in self.owned.values())

    def check_draining(self) -> None:
        """Raises Refused."""
        if self.draining:
            raise refusals.draining()

    def close_table(self, id: int) -> bool:
        """End the game of a table. Returns whether it is played here."""
        actor = next((actor for actor in self.owned.values() if actor.row.id == id), None)
        if actor is not None:
            actor.inbox.put_nowait(CloseGame())
        return actor is not None

    # --- new tables

    async def make(self, client: Client, message: Make) -> None:
        """Make a table, played by this server. Raises Refused."""
        self.check_draining()
        self.guests.check_made(client)
        self.guests.check_open(client)
        if len(client.joins) >= self.settings.limits.tables:
            raise refusals.full()
        with self.room(client, message.spec.is_untrusted):
            await self.make_in_room(client, message)

    async def make_in_room(self, client: Client, message: Make) -> None:
        """Make a table for which there is room. Raises Refused."""
        alone = message.setup.expects == (message.sit is not None)
        spec, secret = dealt_from(message.spec.to_json(), is_own=alone)
        rows = first_seats(message, client.person)
        remote = await self.opened(spec, secret, message.setup, rows)
        try:
            row = await self.store.new_table(spec, message.setup.to_json(), client.person.id, rows, secret)
            row = await self.store.set_state(row.id, "waiting", digest=remote.digest)
            await self.store.claim(row.id, self.worker, self.settings.lease)
        except BaseException:
            await remote.close()
            raise
        if not alone:
            await remote.close()  # the players are named when it starts
        actor = self.begin(row, [replace(seat, table=row.id) for seat in rows], client, remote if alone else None)
        actor.run_beside(actor.game.try_to_keep_rules())
        client.joins[row.code] = Join(row.code)
        actor.inbox.put_nowait(ClientMessage(client, Join(row.code, id=message.id)))
        self.on_change()

    def room(self, client: Client, untrusted: bool) -> AbstractContextManager[None]:
        """Make sure there is room for one more table of a person. Raises Refused."""
        return self.guests.one_more(client, self.untrusted_tables()) if untrusted else nullcontext()

    def untrusted_tables(self) -> Iterator[str]:
        """The codes of tables here with untrusted rules, which have processes of their own."""
        return (code for code, actor in self.owned.items() if is_busy(actor) and is_untrusted(actor.row.spec))

    async def opened(self, spec: Plain, secret: str | None, setup: Setup, rows: Sequence[SeatRow]) -> WorkerGame:
        """Open the game in a worker, to check that it can be played by so many. Raises Refused."""
        names = [row.name or row.bot or row.kind for row in rows]
        try:
            remote = await self.open_game(spec, secret, names)
        except BadSpec as error:
            raise refusals.bad_spec(tuple(error.problems)) from None
        except NoWorkerFree:
            raise refusals.full() from None
        except GameFailed as error:
            raise refusals.broken(error.reason) from None
        except WorkerLost:
            raise refusals.went_wrong() from None
        if remote.seats != len(setup.seats):
            await remote.close()
            raise refusals.wrong_seats(remote.seats)
        return remote

    async def open_game(self, spec: Plain, secret: str | None, names: Sequence[str]) -> WorkerGame:
        try:
            return await self.pool.open(spec, players=names, secret=secret)
        except WorkerLost:
            return await self.pool.open(spec, players=names, secret=secret)

    async def again(self, actor: PlayedTable, client: Client) -> str:
        """Add a table like this one, with the same people; the first who comes has a server play it. Raises Refused."""
        self.check_draining()
        rows = [replace(seat.row, token_hash=None) for seat in actor.seats.all]
        spec, secret = dealt_from(dict(actor.row.spec), is_own=False)
        setup = {name: value for name, value in actor.row.setup.items() if name != EARLY}
        row = await self.store.new_table(spec, setup, actor.row.host, rows, secret)
        await self.store.set_state(row.id, "waiting", digest=actor.row.digest)
        await self.store.keep_texts(row.id, await self.store.kept_texts(actor.row.id))
        return row.code


def is_busy(actor: TableActor) -> bool:
    """Whether a table has a process, or may get one at any moment."""
    return actor.row.state in BUSY and not actor.is_asleep and not actor.record.is_left


def is_untrusted(spec: Mapping[str, Any]) -> bool:
    """Whether some of it is text written by users."""
    return read_spec(spec).is_untrusted


def dealt_from(spec: Plain, is_own: bool) -> tuple[Plain, str | None]:
    """The spec, and the secret that the hands are dealt from. Only who plays alone may choose a seed in its place."""
    if is_own and spec["seed"] is not None:
        return spec, None
    return {**spec, "seed": None}, TableSecret.new().secret


def first_seats(message: Make, person: Person) -> list[SeatRow]:
    """The seats of a new table, with its maker on one."""
    return [
        SeatRow(0, player, "person", None, person.id, person.name)
        if player == message.sit
        else SeatRow(0, player, seat.kind, seat.bot)
        for player, seat in enumerate(message.setup.seats)
    ]
