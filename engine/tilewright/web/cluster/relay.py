"""Relay: pages whose table another server plays. Their messages go to that server through one socket between the two,
and the replies come back through it, as typed lines packed in bytes.

The address of a server, with the secret that opens it, is in the database only.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import Join, Leave, TableMessage
from tilewright.web.storage import Owner

LOG = logging.getLogger("tilewright")
PATH = "/internal/relay"
SECONDS = 5.0  # to reach another server
MOST = 16_000_000  # bytes of a line: only servers connect here


# --- lines between servers


class RelayLine(Struct, frozen=True, tag_field="do", tag=str.lower):
    """One line; `client`: the id of a page at the server that it is connected to."""


class PageSays(RelayLine, frozen=True):
    """A message of a page to a table."""

    client: str
    person: int
    name: str
    lang: str
    address: str
    seat_secret: str
    message: TableMessage


class PageLeft(RelayLine, frozen=True):
    """A page has left a table."""

    client: str
    table: str


class RenamePerson(RelayLine, frozen=True):
    """A person was renamed."""

    person: int
    name: str


class TellPage(RelayLine, frozen=True):
    """An encoded message for a page."""

    client: str
    text: str


class TableMoved(RelayLine, frozen=True):
    """A page's table is now played elsewhere."""

    client: str
    table: str


TO_PLAYING = msgspec.msgpack.Decoder(PageSays | PageLeft | RenamePerson)  # read by the server that plays a table,
TO_PAGES = msgspec.msgpack.Decoder(TellPage | TableMoved)  # and by the one that its pages are connected to


# --- to the server that plays


class Link:
    """The socket to another server, and the pages that use it."""

    def __init__(self, relay: "Relay", worker: str, connection: ClientConnection) -> None:
        self.relay, self.worker, self.connection = relay, worker, connection
        self.lines: asyncio.Queue[RelayLine] = asyncio.Queue()
        self.clients: dict[str, Client] = {}
        self.looking: set[tuple[str, str]] = set()  # (page, table)

    def put(self, client: Client, message: TableMessage) -> None:
        """A page says something to a table there."""
        at = (client.id, message.table)
        if isinstance(message, Join):
            self.clients[client.id] = client
            self.looking.add(at)
        elif isinstance(message, Leave):
            self.looking.discard(at)
        person, secret = client.person, client.seat_secret(message.table)
        line = PageSays(client.id, person.id, person.name, client.lang, client.address, secret, message)
        self.lines.put_nowait(line)

    def gone(self, client: Client, code: str) -> None:
        """A page has left a table."""
        if (client.id, code) in self.looking:
            self.looking.discard((client.id, code))
            self.lines.put_nowait(PageLeft(client.id, code))
        if not any(id == client.id for id, _ in self.looking):
            self.clients.pop(client.id, None)

    def call(self, person: int, name: str) -> None:
        self.lines.put_nowait(RenamePerson(person, name))

    async def run(self) -> None:
        """Carry lines both ways until the socket is lost; then the pages look for their tables again."""
        sending = asyncio.create_task(self.send())
        try:
            while True:
                self.receive(TO_PAGES.decode(await self.connection.recv(decode=False)))
        except (WebSocketException, msgspec.MsgspecError, OSError) as error:
            LOG.info("the link to server %s is lost: %s", self.worker, error)
        finally:
            sending.cancel()
            self.relay.lost(self)
            for id, code in list(self.looking):
                self.clients[id].moved(code)

    async def send(self) -> None:
        while True:
            line = await self.lines.get()
            await self.connection.send(msgspec.msgpack.encode(line))

    def receive(self, line: TellPage | TableMoved) -> None:
        client = self.clients.get(line.client)
        if client is None:
            return
        if isinstance(line, TellPage):
            client.send_text(line.text)
        elif (client.id, line.table) in self.looking:
            self.looking.discard((client.id, line.table))
            client.moved(line.table)


class Relay:
    """The links to other servers, by worker."""

    def __init__(self, run_beside: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self.run_beside = run_beside
        self.links: dict[str, Link] = {}
        self.opening = asyncio.Lock()

    async def link(self, owner: Owner) -> Link | None:
        """The link to a server; None if it does not answer."""
        async with self.opening:
            return self.links.get(owner.worker) or await self.open(owner)

    async def open(self, owner: Owner) -> Link | None:
        address, _, secret = owner.address.partition("#")
        url = address.replace("http", "ws", 1) + PATH
        headers = {"Authorization": f"Bearer {secret}"}
        try:
            connection = await connect(
                url, additional_headers=headers, max_size=MOST, compression=None, open_timeout=SECONDS, proxy=None
            )
        except (WebSocketException, OSError, TimeoutError, ValueError) as error:
            LOG.info("server %s cannot be reached: %s", owner.worker, error)
            return None
        link = self.links[owner.worker] = Link(self, owner.worker, connection)
        self.run_beside(link.run())
        return link

    def lost(self, link: Link) -> None:
        if self.links.get(link.worker) is link:
            del self.links[link.worker]

    def gone(self, client: Client, code: str) -> None:
        for link in self.links.values():
            link.gone(client, code)

    def forget(self, client: Client) -> None:
        """Stop sending anything to a page."""
        for link in self.links.values():
            link.clients.pop(client.id, None)

    def link_of(self, client: Client, code: str) -> Link | None:
        return next((link for link in self.links.values() if (client.id, code) in link.looking), None)

    async def close(self) -> None:
        for link in list(self.links.values()):
            await link.connection.close()
