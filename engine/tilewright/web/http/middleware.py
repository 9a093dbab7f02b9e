"""Middleware around every request: security headers on responses, a rate limit for each address, bans."""

from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewright.web.cluster.router import TableRouter
from tilewright.web.http.bodies import json_response
from tilewright.web.protocol import refusals
from tilewright.web.protocol.rates import Buckets, address_of
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
FOR_ADMINS = "/api/admin"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class SecurityHeaders:
    """Adds headers to responses that deny pages what they do not need."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(pair for pair in self.headers if pair[0] not in there)]
            await send(message)

        await self.app(scope, receive, headed)


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


class RateLimited:
    """Limits the rate of requests from each address."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.buckets = Buckets(settings.limits.requests, settings.limits.requests_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/") and not self.buckets.take(address_of(scope)):
            answer = json_response({"error": refusals.too_fast().to_json()}, 429, {"retry-after": "2"})
            await answer(scope, receive, send)
            return
        await self.app(scope, receive, send)
