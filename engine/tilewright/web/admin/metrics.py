"""Metrics: what a server does now and has done, in the text format of Prometheus at `/metrics`, behind a token."""

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.datastructures import State as AppState
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewright.base.version import __version__
from tilewright.web.cluster.router import TableRouter
from tilewright.web.limits.rates import AddressCounts
from tilewright.web.storage import State
from tilewright.web.workers.pool import WorkerPool


class Metrics:
    """The metrics of a running server, whose parts are in `state`."""

    def __init__(self, state: AppState) -> None:
        self.registry = CollectorRegistry()
        self.requests = Histogram(
            "tilewright_request_seconds", "Requests until they were answered.", ["status"], registry=self.registry
        )
        router: TableRouter = state.router
        self.registry.register(router.tables.inbox_seconds)
        self.registry.register(router.tables.move_seconds)
        self.registry.register(state.watchdog.late)
        self.registry.register(state.watchdog.longest)
        self.registry.register(ServerCollector(state))
        ProcessCollector(registry=self.registry)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class ServerCollector(Collector):
    """What is counted when somebody asks."""

    def __init__(self, state: AppState) -> None:
        self.state = state

    def collect(self) -> Iterator[Metric]:
        router: TableRouter = self.state.router
        connections: AddressCounts = self.state.connections
        states = Counter(actor.row.state for actor in router.tables.owned.values())
        yield labelled("info", "The version.", "version", {__version__: 1})
        yield gauge("connections", "Open sockets of pages.", connections.total)
        yield gauge("addresses", "Addresses from which pages are connected.", len(connections.near))
        yield gauge("queued_bytes", "Bytes that wait for pages to read them.", router.queued_bytes)
        yield labelled("tables", "Open tables, by state.", "state", {state: states[state] for state in get_args(State)})
        yield gauge("untrusted_tables", "Tables of people's own rules.", len(list(router.tables.untrusted_tables())))
        yield gauge("draining", "1 if no new tables are made.", router.tables.draining)
        yield gauge("bans", "Bans that hold.", len(router.bans.all))
        yield from self.workers()

    def workers(self) -> Iterator[Metric]:
        """The processes, by what they are for."""
        pool: WorkerPool = self.state.pool
        kinds = pool.processes_by_use
        yield labelled("processes", "Worker processes.", "use", {use: len(found) for use, found in kinds.items()})
        memory = {use: sum(process.memory for process in found) for use, found in kinds.items()}
        yield labelled(
            "processes_memory_bytes", "Memory of worker processes, of what they share their parts.", "use", memory
        )
        waiting = {use: sum(process.waiting for process in found) for use, found in kinds.items()}
        yield labelled("processes_waiting", "Requests that worker processes have to answer.", "use", waiting)


def gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"tilewright_{name}", text, value)


def labelled(name: str, text: str, label: str, values: dict[str, int]) -> Metric:
    found = GaugeMetricFamily(f"tilewright_{name}", text, labels=[label])
    for of, value in values.items():
        found.add_metric([of], value)
    return found


class MeasuredRequests:
    """Middleware that measures how long each request takes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, since = "none", time.monotonic()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            metrics: Metrics = scope["app"].state.metrics
            metrics.requests.labels(status).observe(time.monotonic() - since)


async def metrics(request: Request) -> Response:
    """All metrics."""
    state: Any = request.app.state
    state.metrics_gate.check(request)
    return Response(state.metrics.text(), media_type=CONTENT_TYPE_PLAIN_0_0_4, headers={"cache-control": "no-store"})


ROUTES: list[BaseRoute] = [Route("/metrics", metrics, methods=["GET"])]
