"""The application: settings in, the ASGI application out: pages, files, requests and sockets; and the answers where
something goes wrong.

The parts are joined here and nowhere else. A handler finds them in `request.app.state`.
"""

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from tilewright.presentation.catalogue import translations
from tilewright.web import admin, cards, metrics, people, replays, rules, sockets, static_files, visits, workshop
from tilewright.web.admin import Gate
from tilewright.web.http import (
    HEADERS,
    OF_PAGES,
    AllowedHosts,
    RateLimited,
    SecurityHeaders,
    Unbanned,
    json_response,
    refuse,
)
from tilewright.web.metrics import MeasuredRequests, Metrics, Watchdog
from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import AddressCounts, BytesBudget, HeldBytes, MadeOnce, MessageRates, Spacing
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.settings import Settings
from tilewright.web.router import TableRouter
from tilewright.web.static_files import Statics, lost_page
from tilewright.web.storage.rows import DatabaseLost
from tilewright.web.storage.store import Store
from tilewright.web.work import work_buckets
from tilewright.web.workers.pool import WorkerPool

LEAST_TO_COMPRESS = 1_000  # bytes
MOST_IN_LOOP = 8_000  # bytes that are compressed at once; what is larger is compressed in a thread
LEVEL = 6  # of compression


def make_app(settings: Settings) -> Starlette:
    """The application of a server; it opens its database and starts its processes on startup."""
    return Starlette(
        routes=routes(),
        middleware=[
            Middleware(MeasuredRequests),
            Middleware(SecurityHeaders, HEADERS, OF_PAGES),
            Middleware(AllowedHosts, settings),
            Middleware(RateLimited, settings),
            Middleware(Unbanned),
            Middleware(GZipMiddleware, LEAST_TO_COMPRESS, compresslevel=LEVEL, thread_minimum_size=MOST_IN_LOOP),
        ],
        exception_handlers=HANDLERS,
        lifespan=lambda app: running(app, settings),
    )


def routes() -> list[BaseRoute]:
    modules = (sockets, visits, people, rules, cards, workshop, replays, admin, metrics, static_files)
    return [route for module in modules for route in module.ROUTES]


@asynccontextmanager
async def running(app: Starlette, settings: Settings) -> AsyncIterator[None]:
    """The resources of a running server."""
    store = await Store.open(settings.database)
    pool = WorkerPool(
        tables=settings.tables,
        thinkers=settings.thinkers,
        guests=settings.guests,
        jobs=settings.jobs,
        waits=settings.limits.work_waits,
    )
    state = app.state
    state.settings, state.store, state.pool = settings, store, pool
    state.router, state.statics, state.connections = TableRouter(settings, store, pool), Statics(), AddressCounts()
    state.site = static_files.site()
    limits = settings.limits
    state.rates, state.waiting = MessageRates(limits, settings.public), HeldBytes(limits.waiting_all)
    state.bodies, state.reading = BytesBudget(limits.bodies, limits.bodies_from), Spacing()
    state.rules, state.replays, state.work = MadeOnce(limits.cached), MadeOnce(limits.cached), work_buckets(limits)
    state.admin_gate, state.metrics_gate = Gate(settings.admin_token), Gate(settings.metrics_token)
    state.watchdog = Watchdog()
    state.metrics, state.started = Metrics(state), time.monotonic()
    try:
        await pool.start()
        await state.router.start()
        state.watchdog.start()
        yield
    finally:
        state.watchdog.stop()
        await state.router.stop()
        await pool.stop()
        await store.close()


# --- errors


LOG = logging.getLogger("tilewright")


async def missing(request: Request, error: Exception) -> Response:
    """An unknown address, or a method that it does not have."""
    assert isinstance(error, HTTPException)
    if not request.url.path.startswith(("/api/", "/internal/")) and error.status_code == 404:
        return await lost_page(request)
    refused = Refused("unknown", translations("server.nothing_here"), error.status_code)
    return json_response({"error": refused.to_json()}, error.status_code, error.headers)


async def lost(request: Request, error: Exception) -> Response:
    """The database does not answer."""
    LOG.warning("the database fails: %s", error)
    return json_response({"error": refusals.went_wrong().to_json()}, 503)


async def left(request: Request, error: Exception) -> Response:
    """The client went in the middle of its request: nobody reads the answer."""
    return Response(status_code=400)


async def failed(request: Request, error: Exception) -> Response:
    """A bug of ours; the server logs it. No middleware sees this response."""
    return json_response({"error": refusals.went_wrong().to_json()}, 500, HEADERS)


HANDLERS: Mapping[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
    Refused: refuse,
    HTTPException: missing,
    DatabaseLost: lost,
    ClientDisconnect: left,
    Exception: failed,
}
