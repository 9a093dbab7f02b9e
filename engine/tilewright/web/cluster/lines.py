"""Lines between servers: typed, packed in bytes, and bounded in what waits to be sent. Knows no table and no socket.

Two servers speak to each other only if their lines have the same shape, which PROTOCOL names.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from tilewright.web.protocol.messages import TableMessage

MOST_WAITING = 32_000_000  # bytes that wait for another server; one that is so far behind is cut off
ENCODER = msgspec.msgpack.Encoder()


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
