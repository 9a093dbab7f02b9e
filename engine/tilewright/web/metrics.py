"""What a server reports of itself: metrics in the text format of Prometheus at `/metrics`, behind a token; and lines of
the log, as text or as JSON for programs.

The watchdog wakes a task of the event loop again and again; how late that happens is how long nobody was answered. Time
in which the system had no processor for the loop is not counted, where the system reports it. A thread notes what runs
while the task is late.
"""

import asyncio
import json
import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Literal, get_args

from prometheus_client import CollectorRegistry, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.datastructures import State as AppState
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewright.base.version import __version__
from tilewright.web.protocol.limits import AddressCounts
from tilewright.web.router import TableRouter
from tilewright.web.storage.rows import State
from tilewright.web.workers.pool import WorkerPool

# --- metrics


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


# --- the watchdog


ROUTES: list[BaseRoute] = [Route("/metrics", metrics, methods=["GET"])]


LOG = logging.getLogger("tilewright")
TICK = 0.01  # seconds between two looks at the clock
LIMIT = 0.1  # seconds; what is longer is logged,
SECONDS_BETWEEN = 10.0  # once in so many, unless it is the longest so far
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SCHEDULED = "/proc/thread-self/schedstat"  # of Linux: nanoseconds run, nanoseconds waited for a processor, turns
PACKAGE = str(Path(__file__).parents[1])
MOST_PLACES = 6  # of code that the log names


class Watchdog:
    """`late` and `longest`: seconds that the loop stood still, all of them and the longest."""

    def __init__(self) -> None:
        self.late = Histogram(
            "tilewright_loop_standstill_seconds",
            "How long the event loop stood still, each time it was looked at.",
            buckets=BUCKETS,
            registry=None,
        )
        self.longest = Gauge(
            "tilewright_loop_longest_standstill_seconds", "The longest of them since the start.", registry=None
        )
        self.most, self.logged = 0.0, float("-inf")
        self.due, self.seen, self.doing = float("inf"), 0.0, ""
        self.loops_thread = 0
        self.ended = threading.Event()
        self.running: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Watch the running loop."""
        self.loops_thread = threading.get_ident()
        self.running = asyncio.create_task(self.run())
        threading.Thread(target=self.watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        self.ended.set()
        if self.running is not None:
            self.running.cancel()

    async def run(self) -> None:
        """Look at the clock, for ever."""
        scheduled = opened(SCHEDULED)
        try:
            waited = seconds_waited(scheduled)
            while True:
                self.due = time.monotonic() + TICK
                await asyncio.sleep(TICK)
                now, before, waited = time.monotonic(), waited, seconds_waited(scheduled)
                self.note(max(0.0, now - self.due - (waited - before)), now)
        finally:
            if scheduled is not None:
                os.close(scheduled)

    def note(self, late: float, now: float) -> None:
        """The loop stood still for so long."""
        self.late.observe(late)
        if late > LIMIT and (late > self.most or now > self.logged + SECONDS_BETWEEN):
            self.logged = now
            doing = self.doing if self.seen == self.due else "unknown"
            LOG.warning("the event loop stood still for %.0f ms: %s", 1000 * late, doing)
        if late > self.most:
            self.most = late
            self.longest.set(late)

    def watch(self) -> None:
        """Note what runs while the loop is late: a thread."""
        while not self.ended.wait(LIMIT / 4):
            due = self.due
            if due != self.seen and time.monotonic() - due > LIMIT / 2:
                self.doing, self.seen = self.running_code(), due

    def running_code(self) -> str:
        """Where the threads of this process are in our code, the loop's first."""
        frames = sys._current_frames()
        frames.pop(threading.get_ident(), None)
        threads = sorted(frames, key=lambda thread: thread != self.loops_thread)
        found = [" < ".join(places(frames[thread])) for thread in threads]
        return "; ".join(filter(None, found)) or "code of other packages"


def places(frame: FrameType | None) -> list[str]:
    """The innermost places of our code in a stack."""
    found = (f"{Path(one.f_code.co_filename).name}:{one.f_lineno} {one.f_code.co_name}" for one in ours(frame))
    return [place for place, _ in zip(found, range(MOST_PLACES), strict=False)]


def ours(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            yield frame
        frame = frame.f_back


def opened(path: str) -> int | None:
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return None


def seconds_waited(scheduled: int | None) -> float:
    """How long the thread has waited for a processor so far; 0 where the system does not say."""
    return 0.0 if scheduled is None else int(os.pread(scheduled, 100, 0).split()[1]) / 1e9


# --- lines of the log


LogFormat = Literal["text", "json"]
TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
LOGGERS = ("tilewright", "uvicorn", "asyncio")


class JsonLines(logging.Formatter):
    """Each record as an object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        found = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            found["error"] = self.formatException(record.exc_info)
        return json.dumps(found, ensure_ascii=False)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        return f"{seconds}.{int(record.msecs):03d}Z"


def write_logs(format: LogFormat) -> None:
    """Write what the server logs to stderr: what was done, and what failed."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if format == "json" else logging.Formatter(TEXT))
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name == "tilewright" else logging.WARNING)
