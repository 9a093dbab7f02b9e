"""The application: settings in; out comes what a web server runs: pages, files, requests and sockets in one.

The parts are joined here and nowhere else. A handler finds them in `request.app.state`.
"""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewright.presentation.catalogue import translations
from tilewright.web.cluster import relay
from tilewright.web.documents import cards, replays, rules, rulesets, workshop
from tilewright.web.documents.work import work_buckets
from tilewright.web.http import people, sockets
from tilewright.web.http.bodies import json_response, refuse
from tilewright.web.http.static_files import Statics, lost_page, page, static_file
from tilewright.web.protocol import refusals
from tilewright.web.protocol.rates import Buckets, address_of
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.settings import Settings
from tilewright.web.storage import Lost, Store
from tilewright.web.tables.registry import Lives
from tilewright.web.workers.pool import Houses

LOG = logging.getLogger("tilewright")
LEAST_TO_COMPRESS = 1_000  # bytes
PAGES = (
    "/",
    "/t/{code}",
    "/rules/{id}",
    "/cards",
    "/cards/{id}",
    "/workshop",
    "/workshop/{id}",
    "/replays",
    "/r/{code}",
)
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
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def make_app(settings: Settings) -> Starlette:
    """The application of a server; it opens its database and starts its processes when it is started."""
    return Starlette(
        routes=routes(),
        middleware=[
            Middleware(Headed, HEADERS),
            Middleware(Limited, settings),
            Middleware(GZipMiddleware, minimum_size=LEAST_TO_COMPRESS, compresslevel=5),
        ],
        exception_handlers=HANDLERS,
        lifespan=lambda app: running(app, settings),
    )


def routes() -> list[BaseRoute]:
    modules = (sockets, relay, people, rules, cards, rulesets, workshop, replays)
    found = [route for module in modules for route in module.ROUTES]
    found.append(Route("/static/{path:path}", static_file, methods=["GET"]))
    return found + [Route(path, page, methods=["GET"]) for path in PAGES]


@asynccontextmanager
async def running(app: Starlette, settings: Settings) -> AsyncIterator[None]:
    """What a server has while it runs."""
    store = await Store.open(settings.database)
    houses = Houses(
        tables=settings.tables,
        thinkers=settings.thinkers,
        guests=settings.guests,
        jobs=settings.jobs,
        waits=settings.limits.work_waits,
    )
    state = app.state
    state.settings, state.store, state.houses = settings, store, houses
    state.lives, state.statics, state.connections = Lives(settings, store, houses), Statics(), Counter[str]()
    state.work = work_buckets(settings.limits)
    try:
        await houses.start()
        await state.lives.start()
        yield
    finally:
        await state.lives.stop()
        await houses.stop()
        await store.close()


# --- what goes wrong


async def missing(request: Request, error: Exception) -> Response:
    """An address that leads nowhere, or a way to ask that it has not."""
    assert isinstance(error, HTTPException)
    if not request.url.path.startswith(("/api/", "/internal/")) and error.status_code == 404:
        return await lost_page(request)
    refused = Refused("unknown", translations("server.nothing_here"), error.status_code)
    return json_response({"error": refused.to_json()}, error.status_code, error.headers)


async def lost(request: Request, error: Exception) -> Response:
    """The database does not answer."""
    LOG.warning("the database fails: %s", error)
    return json_response({"error": refusals.went_wrong().to_json()}, 503)


async def failed(request: Request, error: Exception) -> Response:
    """A mistake of ours; the server writes down which."""
    return json_response({"error": refusals.went_wrong().to_json()}, 500)


HANDLERS: Mapping[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
    Refused: refuse,
    HTTPException: missing,
    Lost: lost,
    Exception: failed,
}


# --- around every request


class Headed:
    """Answers have headers that keep pages from what they do not need."""

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


class Limited:
    """Nobody asks for too much at a time."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.buckets = Buckets(settings.limits.requests, settings.limits.requests_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/") and not self.buckets.take(address_of(scope)):
            answer = json_response({"error": refusals.too_fast().to_json()}, 429, {"retry-after": "2"})
            await answer(scope, receive, send)
            return
        await self.app(scope, receive, send)
