"""Lobby: sends the open tables of all servers to watching pages, at most once a second."""

import asyncio
import logging
import time
from collections.abc import Mapping

from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import Id
from tilewright.web.protocol.replies import ShowLobby, TableInfo
from tilewright.web.protocol.strict_json import json_text
from tilewright.web.storage import Person, Store, StoreError, TableRow
from tilewright.web.tables.actor import TableActor
from tilewright.web.tables.record import info_of
from tilewright.web.tables.seats import Seat

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
