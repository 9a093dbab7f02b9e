"""Relay: pages whose table another server plays. Their messages go to that server through one socket between the two,
and the replies come back through it, as typed lines, bounded in what waits to be sent.

Two servers speak to each other only if their lines have the same shape, which PROTOCOL names. The address of a server,
with the secret that opens it, is in the database only.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from tilewright.web.protocol.messages import Join, Leave, TableMessage
from tilewright.web.protocol.replies import Client
from tilewright.web.storage.rows import Owner

MOST_WAITING = 32_000_000  # bytes that wait for another server; one that is so far behind is cut off
ENCODER = msgspec.msgpack.Encoder()


# --- lines


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


ToPlaying = PageSays | PageLeft | RenamePerson  # read by the server that plays a table,
ToPages = TellPage | TableMoved  # and by the one that its pages are connected to
TO_PLAYING = msgspec.msgpack.Decoder(ToPlaying)
TO_PAGES = msgspec.msgpack.Decoder(ToPages)


def protocol() -> str:
    """The name of the lines of this version, as a subprotocol of the socket: any change of their shape changes it."""
    shape = shape_of(msgspec.json.schema(ToPlaying | ToPages))
    return f"tilewright-{sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()[:16]}"


def shape_of(schema: Any) -> Any:
    """A schema without its descriptions."""
    if isinstance(schema, dict):
        return {name: shape_of(value) for name, value in schema.items() if name != "description"}
    return [shape_of(value) for value in schema] if isinstance(schema, list) else schema


PROTOCOL = protocol()


class OutgoingLines:
    """Lines that wait to be sent to another server."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes] = asyncio.Queue()
        self.waiting, self.is_behind = 0, asyncio.Event()

    def put(self, line: RelayLine) -> None:
        """Queue a line. Once too much waits, the rest is dropped, since the socket will be closed."""
        if self.is_behind.is_set():
            return
        packed = ENCODER.encode(line)
        self.waiting += len(packed)
        if self.waiting > MOST_WAITING:
            self.is_behind.set()
        else:
            self.queue.put_nowait(packed)

    async def send(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send what is put. Returns once the other server is too far behind, also while it reads nothing."""
        sending, behind = asyncio.create_task(self.send_all(send)), asyncio.create_task(self.is_behind.wait())
        try:
            await asyncio.wait((sending, behind), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            sending.cancel()
            behind.cancel()

    async def send_all(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send what is put, for ever."""
        while True:
            packed = await self.queue.get()
            await send(packed)
            self.waiting -= len(packed)


# --- the relay


LOG = logging.getLogger("tilewright")
PATH = "/internal/relay"
SECONDS_TO_OPEN = 3.0
SECONDS_BETWEEN_TRIES = 1.0  # to reach the same server
SECONDS_OF_SILENCE = 5.0  # between two signs of life, and for the reply to one
SECONDS_TO_CLOSE = 1.0
MOST = 16_000_000  # bytes of a line: only servers connect here


class OtherVersion(Exception):
    """The other server speaks other lines."""


class Link:
    """The socket to another server, and the pages that use it."""

    def __init__(self, relay: "Relay", worker: str, connection: ClientConnection) -> None:
        self.relay, self.worker, self.connection = relay, worker, connection
        self.lines = OutgoingLines()
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
        self.lines.put(PageSays(client.id, person.id, person.name, client.lang, client.address, secret, message))

    def forget(self, client: Client) -> None:
        """Stop sending anything to a page."""
        self.clients.pop(client.id, None)
        self.looking = {(id, code) for id, code in self.looking if id != client.id}

    def gone(self, client: Client, code: str) -> None:
        """A page has left a table."""
        if (client.id, code) in self.looking:
            self.looking.discard((client.id, code))
            self.lines.put(PageLeft(client.id, code))
        if not any(id == client.id for id, _ in self.looking):
            self.clients.pop(client.id, None)

    def call(self, person: int, name: str) -> None:
        self.lines.put(RenamePerson(person, name))

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
            self.connection.transport.abort()
            self.relay.lost(self)
            for id, code in self.looking:
                self.clients[id].moved(code)

    async def send(self) -> None:
        """Send lines; a server that does not read them is cut off."""
        try:
            await self.lines.send(self.connection.send)
        finally:
            self.connection.transport.abort()  # ends `run`, too

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
    """The links to other servers, by worker; `opening`: those that are being opened; `failed`: when one could not be
    opened, or was lost."""

    def __init__(self, run_beside: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self.run_beside = run_beside
        self.links: dict[str, Link] = {}
        self.opening: dict[str, asyncio.Task[None]] = {}
        self.failed: dict[str, float] = {}

    async def link(self, owner: Owner) -> Link | None:
        """The link to a server; None if it does not answer. Nobody waits for a server that others look for in vain.
        Raises OtherVersion."""
        worker = owner.worker
        if worker not in self.links and not self.has_just_failed(worker):
            opening = self.opening.get(worker)
            if opening is None:
                opening = self.opening[worker] = asyncio.create_task(self.open(owner))
                opening.add_done_callback(lambda _: self.opening.pop(worker, None))
            await asyncio.shield(opening)
        return self.links.get(worker)

    def has_just_failed(self, worker: str) -> bool:
        return time.monotonic() - self.failed.get(worker, -SECONDS_BETWEEN_TRIES) < SECONDS_BETWEEN_TRIES

    async def open(self, owner: Owner) -> None:
        """Open the link to a server, if it answers. Raises OtherVersion."""
        address, _, secret = owner.address.partition("#")
        url = address.replace("http", "ws", 1) + PATH
        try:
            connection = await connect(
                url,
                additional_headers={"Authorization": f"Bearer {secret}"},
                subprotocols=[Subprotocol(PROTOCOL)],
                max_size=MOST,
                compression=None,
                open_timeout=SECONDS_TO_OPEN,
                ping_interval=SECONDS_OF_SILENCE,
                ping_timeout=SECONDS_OF_SILENCE,
                close_timeout=SECONDS_TO_CLOSE,
                proxy=None,
            )
        except (WebSocketException, OSError, TimeoutError, ValueError) as error:
            LOG.info("server %s cannot be reached: %s", owner.worker, error)
            self.fail(owner.worker)
            return
        if connection.subprotocol != PROTOCOL:
            connection.transport.abort()
            raise OtherVersion
        link = self.links[owner.worker] = Link(self, owner.worker, connection)
        self.run_beside(link.run())

    def fail(self, worker: str) -> None:
        now = time.monotonic()
        self.failed = {other: at for other, at in self.failed.items() if now - at < SECONDS_BETWEEN_TRIES}
        self.failed[worker] = now

    def lost(self, link: Link) -> None:
        self.fail(link.worker)
        if self.links.get(link.worker) is link:
            del self.links[link.worker]

    def gone(self, client: Client, code: str) -> None:
        for link in self.links.values():
            link.gone(client, code)

    def forget(self, client: Client) -> None:
        """Stop sending anything to a page."""
        for link in self.links.values():
            link.forget(client)

    def link_of(self, client: Client, code: str) -> Link | None:
        return next((link for link in self.links.values() if (client.id, code) in link.looking), None)

    async def close(self) -> None:
        for link in list(self.links.values()):
            await link.connection.close()
