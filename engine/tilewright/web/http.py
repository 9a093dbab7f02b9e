"""Requests over HTTP, for all modules with routes: the body and the person of one, answers and refusals as JSON, and
what is around each: security headers, names of this server, limits and bans by address.

A handler takes `request.app.state`: `.settings`, `.store`, `.workers`, `.router`. It raises `Refused` to refuse; the
application answers with `{"error": {...}}`. Its work ends when the client has gone. Knows no table.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Coroutine, Mapping
from ipaddress import ip_address
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import AddressBuckets, AddressCounts, BytesBudget, address_of, shared_by
from tilewright.web.protocol.messages import is_key
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.settings import Settings
from tilewright.web.protocol.shape import json_bytes, read_json
from tilewright.web.router import TableRouter
from tilewright.web.storage.rows import Person
from tilewright.web.storage.store import Store
from tilewright.web.workers.wire import parts

T = TypeVar("T")
BEARER = "bearer "
MOST_BODY = 300_000  # bytes
SECONDS = 30.0  # for a body to arrive

UNKNOWN_PERSON = translations("server.unknown_person")
TOO_LARGE = translations("server.too_large")


# --- bodies


async def body_as(request: Request, kind: type[T], most: int = MOST_BODY) -> T:
    """The body of a request, a JSON object, as its typed class. Raises Refused."""
    content = await bytes_of(request, most)
    await request.app.state.reading.wait(len(content))
    return read_json(kind, content, "body")


async def bytes_of(request: Request, most: int = MOST_BODY) -> bytes:
    """The body of a request, never more than `most` bytes, and not for ever. Raises Refused."""
    length = request.headers.get("content-length")
    if length is None:  # a body of many tiny chunks costs far more than its size
        raise Refused("no-length", translations("server.no_length"), 411)
    if not length.isascii() or not length.isdigit() or int(length[:20]) > most:
        raise too_large()
    try:
        async with asyncio.timeout(SECONDS):
            return await received(request, most)
    except TimeoutError:
        raise Refused("too-slow", translations("server.too_slow_body"), 408) from None


async def received(request: Request, most: int) -> bytes:
    """Raises Refused, also when too much is on its way to this server already."""
    budget: BytesBudget = request.app.state.bodies
    with budget.share_of(shared_by(address_of(request.scope))) as share:
        found = bytearray()
        async for chunk in request.stream():
            if not share.take(len(chunk)):
                raise Refused("busy", translations("server.busy_receiving"), 503)
            found += chunk
            if len(found) > most:
                raise too_large()
        return bytes(found)


def too_large() -> Refused:
    return Refused("too-large", TOO_LARGE, 413)


# --- people


async def person_of(request: Request) -> Person:
    """The person whose key a request has. Raises Refused: 401 for a missing or unknown key, 403 for a banned person."""
    person = await known_person(request)
    if person is None:
        raise Refused("unknown-person", UNKNOWN_PERSON, 401)
    router: TableRouter = request.app.state.router
    if router.bans.has_person(person.id):
        raise refusals.banned()
    return person


async def known_person(request: Request) -> Person | None:
    """The person whose key a request has, if it has one that is known."""
    key = key_of(request)
    store: Store = request.app.state.store
    return await store.person_by_key(key) if key is not None else None


def key_of(request: Request) -> str | None:
    """The key in `Authorization: Bearer KEY`, if it has the form of one."""
    header = request.headers.get("authorization", "")
    if not header.lower().startswith(BEARER):
        return None
    key = header[len(BEARER) :].strip()
    return key if is_key(key) else None


# --- answers


def json_response(content: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response that is not cached."""
    return json_content(json_bytes(content), status, headers)


def json_content(content: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """The same of JSON that is encoded already."""
    return Response(content, status, {"cache-control": "no-store", **(headers or {})}, "application/json")


def packed_response(
    request: Request, content: bytes, headers: Mapping[str, str] | None = None, media_type: str = "application/json"
) -> Response:
    """A response whose content a worker has packed; it is not cached, unless the headers say so."""
    headers = {"cache-control": "no-store", "vary": "accept-encoding", **(headers or {})}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(content, 200, {**headers, "content-encoding": "gzip"}, media_type)
    return StreamingResponse(in_parts(content), 200, headers, media_type)


async def in_parts(content: bytes) -> AsyncIterator[bytes]:
    """What is packed, as fast as it is read."""
    for part in parts(content):
        yield part


async def refuse(request: Request, error: Exception) -> Response:
    """The response to a refused request: an exception handler of the application."""
    assert isinstance(error, Refused)
    return json_response({"error": error.to_json()}, error.status)


# --- work for a client


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work for a request whose body has been read. Raises ClientDisconnect."""
    return await until_gone(work, disconnected(request))


async def disconnected(request: Request) -> None:
    """Returns once the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def until_gone(work: Coroutine[Any, Any, T], gone: Coroutine[Any, Any, object]) -> T:
    """The result of some work, which ends when the client has gone. Raises ClientDisconnect."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(gone)
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


# --- around every request


POLICY = "; ".join(
    (
        "default-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",
        "frame-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
MOST_HOST = 253  # characters of a name that is shown
BYTES_OF_ONE = 10_000  # a body of so many counts as one more request
MOST_COUNTED = 1_500_000  # what is larger is refused unread
FOR_ADMINS = "/api/admin"
HEADERS = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
}
OF_PAGES = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
PARTS = (b"text/javascript", b"text/css", b"application/json", b"font/")  # which no browser shows as a page of its own


class SecurityHeaders:
    """Adds headers to responses that deny pages what they do not need. Those that only a page heeds are left out of its
    parts: there are dozens of them."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str], of_pages: Mapping[str, str]) -> None:
        self.app = app
        self.headers = encoded(headers)
        self.whole = self.headers + encoded(of_pages)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower(): value for name, value in message["headers"]}
                added = self.headers if is_part(there) else self.whole
                message["headers"] = [*message["headers"], *(pair for pair in added if pair[0] not in there)]
            await send(message)

        await self.app(scope, receive, headed)


def encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def is_part(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a response is a part of a page, by its headers."""
    return headers.get(b"content-type", b"").startswith(PARTS)


class Unbanned:
    """Refuses what banned addresses request, but for what those who run the server need to end a ban."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/") and not scope["path"].startswith(FOR_ADMINS):
            router: TableRouter = scope["app"].state.router
            if router.bans.has_address(address_of(scope)):
                await json_response({"error": refusals.banned().to_json()}, 403)(scope, receive, send)
                return
        await self.app(scope, receive, send)


class AllowedHosts:
    """Refuses requests for names that are not this server's: a foreign page whose name leads here would be taken for
    ours. Nobody else can have an IP address, so these are allowed."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        named = (settings.host, urlsplit(settings.address or "").hostname or "", *settings.host_names)
        own = socket.gethostname()
        self.names = {name.lower().rstrip(".") for name in (*named, "localhost", own, f"{own}.local") if name}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        name = host_of(scope)
        if name in self.names or is_address(name):
            await self.app(scope, receive, send)
            return
        refused = refusals.other_host(name[:MOST_HOST])
        await json_response({"error": refused.to_json()}, refused.status)(scope, receive, send)


def host_of(scope: Scope) -> str:
    """The name in the header Host, without its port."""
    found = [value for name, value in scope["headers"] if name == b"host"]
    try:
        name = urlsplit(f"//{found[0].decode('latin-1')}").hostname if len(found) == 1 else None
    except ValueError:
        name = None
    return (name or "").rstrip(".")


def is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class RateLimited:
    """Limits the rate of requests, and how many are being answered, in all and for each address."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.public, self.limits = app, settings.public, settings.limits
        self.buckets = AddressBuckets(settings.limits.requests, settings.limits.requests_burst)
        self.files = AddressBuckets(settings.limits.files, settings.limits.files_burst)
        self.open = AddressCounts()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        address = address_of(scope)
        if not self.may_ask(address, scope):
            answer = json_response({"error": refusals.too_fast().to_json()}, 429, {"retry-after": "2"})
            await answer(scope, receive, send)
            return
        self.open.enter(address)
        try:
            await self.app(scope, receive, send)
        finally:
            self.open.leave(address)

    def may_ask(self, address: str, scope: Scope) -> bool:
        limits = self.limits
        if self.open.total >= limits.requests_open:
            return False
        if self.public and not self.open.has_room(address, limits.requests_open_from):
            return False
        if scope["path"].startswith("/api/"):
            return self.buckets.take(address, 1 + size_of(scope) // BYTES_OF_ONE)
        return self.files.take(address)


def size_of(scope: Scope) -> int:
    """The bytes of the body that a request says it has."""
    found = [value for name, value in scope["headers"] if name == b"content-length"]
    return min(int(found[0][:20]), MOST_COUNTED) if len(found) == 1 and found[0].isdigit() else 0
