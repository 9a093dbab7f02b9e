"""Connections: what a client can make the server hold and parse before any handler sees it, for requests and sockets.

In: bytes of a client. Out: the same, a little at a time, so that nobody else waits; or the connection is closed. Knows
no message.
"""

import asyncio
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

from h11 import SEND_BODY
from h11 import Request as RequestHead
from uvicorn._types import ASGIReceiveEvent
from uvicorn.middleware.proxy_headers import _TrustedHosts as TrustedPeers
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from tilewright.web.protocol.limits import AddressBuckets, AddressCounts, Bucket, HeldBytes, address_of

SLICE = 2_000  # bytes that are parsed at once: some hundred frames at most
BODY_SLICE = 32_000  # of bodies, which are taken as they are
SECONDS_TO_ASK = 15.0  # for the head of a request
SECONDS_TO_SAY = 30.0  # for a message of a socket, once it has begun
SECONDS_TO_READ = 30.0  # after which a client is closed that reads nothing
SECONDS_TO_LEAVE = 15.0  # for the rest that is sent to a client that leaves
FRAMES, FRAMES_AT_ONCE = 60.0, 900  # a second from one socket; a page needs a few for a message
MOST_SILENT, SILENT_OF_ONE = 4_000, 200  # connections that have not asked for anything yet; a proxy has few
OPENED, OPENED_AT_ONCE = 30.0, 400  # connections a second from one address, but for proxies
SECONDS_TO_LINGER, MOST_LINGERING = (
    2.0,
    2_000_000,
)  # for what still comes of a request that was answered already, in bytes
MOST_PARTS = 48_000_000  # bytes of messages that have begun
CONNECTION = "tilewright.connection"  # an extension of ASGI for sockets: `abort` closes one at once; `gone` is set then


class SilentConnections:
    """Connections that have not asked for anything yet, by peer."""

    def __init__(self, most: int = MOST_SILENT, each: int = SILENT_OF_ONE) -> None:
        self.most, self.each = most, each
        self.by = AddressCounts()

    def enter(self, peer: str) -> bool:
        """Whether there is room for one more."""
        if self.by.total >= self.most or not self.by.has_room(peer, self.each):
            return False
        self.by.enter(peer)
        return True

    def leave(self, peer: str) -> None:
        self.by.leave(peer)


class Timer:
    """Closes a connection after some time, unless it is stopped before."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.running: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        """Begin to count; nothing changes if it counts already."""
        if self.running is None:
            self.running = asyncio.get_running_loop().call_later(self.seconds, transport.abort)

    def stop(self) -> None:
        if self.running is not None:
            self.running.cancel()
            self.running = None


class PacedFlow(FlowControl):
    """The flow of a connection that has read more than it has parsed."""

    def __init__(self, transport: asyncio.Transport, go_on: Callable[[], None]) -> None:
        super().__init__(transport)
        self.go_on = go_on

    def resume_reading(self) -> None:
        if self.read_paused:
            self.read_paused = False
            self.go_on()


@cache
def trusted_peers(allowed: str) -> TrustedPeers:
    return TrustedPeers(allowed)


class BoundedRequests(H11Protocol):
    """Requests of one connection. It is closed if the head of one takes long, or if nobody reads the answer."""

    silent: ClassVar[SilentConnections] = SilentConnections()
    opened: ClassVar[AddressBuckets] = AddressBuckets(OPENED, OPENED_AT_ONCE)

    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self.unread = bytearray()
        self.lingering: int | None = None  # bytes that came since the request was answered
        self.is_scheduled = self.is_refused = False
        self.peer: str | None = None  # while it has not asked for anything
        self.asking, self.stuck, self.leaving = Timer(SECONDS_TO_ASK), Timer(SECONDS_TO_READ), Timer(SECONDS_TO_LINGER)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        name = transport.get_extra_info("peername")
        peer = address_of({"client": name})
        if not (self.is_proxy(name) or self.opened.take(peer)) or not self.silent.enter(peer):
            self.is_refused = True
            transport.abort()
            return
        super().connection_made(transport)
        self.flow = PacedFlow(transport, self.pace)
        self.peer = peer
        self.asking.start(transport)

    def is_proxy(self, name: Any) -> bool:
        """Whether this peer is trusted to say for whom it asks."""
        allowed = self.config.forwarded_allow_ips
        peers = trusted_peers(allowed if isinstance(allowed, str) else ",".join(allowed))
        return isinstance(name, tuple) and name[0] in peers

    def connection_lost(self, exc: Exception | None) -> None:
        if self.is_refused:
            return
        self.asked()
        self.stuck.stop()
        self.leaving.stop()
        self.unread.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.lingering is None:
            self.unread += data
            self.read_slice()
        else:
            self.lingering += len(data)
            if self.lingering > MOST_LINGERING:
                self.transport.abort()

    def read_slice(self) -> None:
        """Parse a little, and the rest after others had their turn."""
        self.is_scheduled = False
        if self.transport.is_closing():
            return
        if self.unread and not self.flow.read_paused:
            size = BODY_SLICE if self.has_plain_body else SLICE
            part = bytes(self.unread[:size])
            del self.unread[:size]
            super().data_received(part)
        self.pace()

    @property
    def has_plain_body(self) -> bool:
        """Whether a body arrives that is not cut into chunks."""
        return self.conn.their_state is SEND_BODY and not any(name == b"transfer-encoding" for name, _ in self.headers)

    def pace(self) -> None:
        """Read more from the network only once everything is parsed."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        if not self.unread and not self.flow.read_paused:
            self.transport.resume_reading()
            return
        self.transport.pause_reading()
        if not self.flow.read_paused and not self.is_scheduled:
            self.is_scheduled = True
            self.loop.call_soon(self.read_slice)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self.asked()

    def handle_websocket_upgrade(self, event: RequestHead) -> None:
        self.asked()
        super().handle_websocket_upgrade(event)
        if self.unread:
            socket, rest = self.transport.get_protocol(), bytes(self.unread)
            assert isinstance(socket, asyncio.Protocol)
            self.unread.clear()
            socket.data_received(rest)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and self.conn.their_state is SEND_BODY:
            self.linger()
        elif self.cycle.response_complete:
            self.asking.start(self.transport)

    def linger(self) -> None:
        """Take the rest of a body unread, so that the client gets the answer, which closing at once could lose."""
        if self.transport.is_closing():
            return
        self.unread.clear()
        try:
            self.transport.write_eof()
        except (NotImplementedError, OSError):  # with TLS; or the client has gone
            self.transport.close()
            return
        self.lingering = 0
        self.leaving.start(self.transport)
        self.transport.resume_reading()

    def asked(self) -> None:
        """The head of a request has arrived, or none will."""
        self.asking.stop()
        if self.peer is not None:
            self.silent.leave(self.peer)
            self.peer = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self.stuck.start(self.transport)

    def resume_writing(self) -> None:
        self.stuck.stop()
        super().resume_writing()


class BoundedSocket(WebSocketsSansIOProtocol):
    """A socket. What a client sends is parsed no faster than its messages are handled. It is closed for
    many tiny frames, for a message that does not end, and if nobody reads."""

    parts: ClassVar[HeldBytes] = HeldBytes(MOST_PARTS)

    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self.unread = bytearray()
        self.is_scheduled = False
        self.gone = asyncio.Event()
        self.frames_left = Bucket(FRAMES, FRAMES_AT_ONCE)
        self.saying, self.stuck = Timer(SECONDS_TO_SAY), Timer(SECONDS_TO_READ)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()
        self.saying.stop()
        self.stuck.stop()
        self.unread.clear()
        self.parts.hold(self, 0)
        super().connection_lost(exc)

    def give_up(self) -> None:
        self.transport.abort()

    # --- what it says

    def data_received(self, data: bytes) -> None:
        self.unread += data
        self.read_slice()

    def read_slice(self) -> None:
        """Parse a little, and the rest after others had their turn."""
        self.is_scheduled = False
        if self.transport.is_closing():
            return
        if self.unread and self.is_free:
            part = bytes(self.unread[:SLICE])
            del self.unread[:SLICE]
            super().data_received(part)
        self.pace()

    @property
    def is_free(self) -> bool:
        """Whether all its messages are handled, and what it was sent is read."""
        return not self.read_paused and self.writable.is_set()

    def pace(self) -> None:
        """Read more from the network only once everything is parsed and handled."""
        if self.transport.is_closing():
            return
        part = len(self.conn.reader.buffer) + sum(map(len, self.frames))
        self.parts.hold(self, part + len(self.unread))
        if part and self.is_free:
            self.saying.start(self.transport)
        else:
            self.saying.stop()  # it is not its turn
        if self.is_free and not self.unread:
            self.transport.resume_reading()
            return
        self.transport.pause_reading()
        if self.is_free and not self.is_scheduled:
            self.is_scheduled = True
            self.loop.call_soon(self.read_slice)

    def handle_events(self) -> None:
        count = sum(isinstance(event, Frame) for event in self.conn.events)
        if count and not self.frames_left.take(count):
            self.transport.abort()
            return
        super().handle_events()

    def send_receive_event_to_app(self) -> None:
        self.saying.stop()
        super().send_receive_event_to_app()

    async def receive(self) -> ASGIReceiveEvent:
        message = await super().receive()
        self.pace()
        return message

    # --- what it is sent

    def pause_writing(self) -> None:
        super().pause_writing()
        self.stuck.start(self.transport)
        self.pace()

    def resume_writing(self) -> None:
        self.stuck.stop()
        super().resume_writing()
        self.pace()

    async def run_asgi(self) -> None:
        self.scope["extensions"][CONNECTION] = {"abort": self.give_up, "gone": self.gone}
        await super().run_asgi()
        self.loop.call_later(SECONDS_TO_LEAVE, self.transport.abort)
