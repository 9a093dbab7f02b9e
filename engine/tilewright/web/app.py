"""The application: settings in, the ASGI application out: pages, files, requests and sockets.

The parts are joined here and nowhere else. A handler finds them in `request.app.state`.
"""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute

from tilewright.web.admin import metrics
from tilewright.web.admin import routes as admin
from tilewright.web.admin.gate import Gate
from tilewright.web.admin.metrics import MeasuredRequests, Metrics
from tilewright.web.admin.watchdog import Watchdog
from tilewright.web.cluster import visits
from tilewright.web.cluster.router import TableRouter
from tilewright.web.documents import cards, packs, replays, rules, rulesets, workshop
from tilewright.web.documents.work import work_buckets
from tilewright.web.http import documentation, people, sockets, static_files
from tilewright.web.http.errors import HANDLERS
from tilewright.web.http.middleware import HEADERS, OF_PAGES, AllowedHosts, RateLimited, SecurityHeaders, Unbanned
from tilewright.web.http.static_files import Statics
from tilewright.web.limits.budgets import BytesBudget, HeldBytes
from tilewright.web.limits.caches import MadeOnce
from tilewright.web.limits.rates import AddressCounts, MessageRates
from tilewright.web.limits.spacing import Spacing
from tilewright.web.protocol.settings import Settings
from tilewright.web.storage import Store
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
    modules = (
        sockets,
        visits,
        people,
        rules,
        cards,
        rulesets,
        workshop,
        packs,
        replays,
        admin,
        metrics,
        static_files,
        documentation,
    )
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
    state.site = documentation.site()
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
