"""Middleware around every request: security headers on responses, names of this server, limits and bans by address."""

import socket
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewright.web.cluster.router import TableRouter
from tilewright.web.http.bodies import json_response
from tilewright.web.limits.rates import AddressBuckets, AddressCounts, address_of
from tilewright.web.protocol import refusals
from tilewright.web.protocol.settings import Settings

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
