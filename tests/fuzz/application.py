"""The web application in this process: requests and talks in, findings out. Its workers run here, too, so that a fuzzer
sees which code they reach, and an error in a job is an error of the input.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch
from urllib.parse import quote

import msgspec
from starlette.routing import Route

from tilewright.web import app as application
from tilewright.web.connections import CONNECTION
from tilewright.web.protocol.settings import Limits, Settings
from tilewright.web.workers import main, pool, process
from tilewright.web.workers.wire import REPLIES, REQUESTS, Request

Plain = dict[str, Any]
T = TypeVar("T")
MANY = 10**9
UNBOUNDED = Limits(
    rate=MANY,
    burst=MANY,
    strikes=MANY,
    made=MANY,
    requests=MANY,
    requests_burst=MANY,
    files=MANY,
    files_burst=MANY,
    tables=MANY,
    open=MANY,
)
KEY = "fuzz-" * 8
SECONDS = 60.0  # for an answer of the server
FINE = {503}  # codes of 500 and more that are refusals
MOST_HEADERS = 30


class LocalProcess(process.WorkerProcess):
    """A worker in this process."""

    worker: main.GameWorker | None = None

    async def start(self) -> None:
        self.worker = main.GameWorker()

    async def stop(self) -> None:
        self.gone = True

    async def ask(self, request: Request, kind: type[T]) -> T:
        if self.gone or self.worker is None:
            raise process.WorkerLost("this process has gone")
        asked = REQUESTS.decode(msgspec.json.encode(request))
        reply = self.worker.serve(asked)
        if reply.broken is not None and dict(reply.broken) == dict(main.FAILED):
            raise Finding(f"{type(asked).__name__} failed: see the traceback above")
        self.served += 1
        return process.result_of(REPLIES.decode(msgspec.json.encode(reply)), kind)


class Finding(AssertionError):
    """The server did what it must never do."""


class LocalPool(pool.WorkerPool):
    def _new(self, use: str, untrusted: bool) -> process.WorkerProcess:
        assert self._folder is not None
        limits = replace(self._limits[untrusted], nice=0)
        return LocalProcess(self._folder / "worker", limits, self._forks)


class Errors(logging.Handler):
    """What the server logs with a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[0] is not None:
            self.found.append(self.format(record))

    @contextmanager
    def heard(self) -> Iterator[None]:
        """It alone hears what the server logs meanwhile."""
        log = logging.getLogger("tilewright")
        log.addHandler(self)
        with patch.object(log, "propagate", False):
            try:
                yield
            finally:
                log.removeHandler(self)


class Application:
    """The server with a database in this folder. It runs while one of its methods does."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(f"sqlite:///{folder}/tables.db", idle=0.0, pause=0.0, guests=MANY, limits=UNBOUNDED)
        self.app = application.make_app(settings)
        self.runner = asyncio.Runner()
        self.errors = Errors()
        self.runner.get_loop().set_exception_handler(self.failed)
        self.lifespan = self.app.router.lifespan_context(self.app)
        with patch.object(application, "WorkerPool", LocalPool):
            self.run(self.lifespan.__aenter__())
        self.talk([])  # makes the person

    def failed(self, loop: asyncio.AbstractEventLoop, context: Plain) -> None:
        """A task of the server ended with an error that nobody noticed."""
        self.errors.found.append(f"{context.get('message')}: {context.get('exception')!r}")

    def run(self, work: Any) -> Any:
        with self.errors.heard():
            found = self.runner.run(asyncio.wait_for(work, SECONDS))
        errors, self.errors.found = self.errors.found, []
        if errors:
            raise Finding("\n".join(errors))
        return found

    def paths(self) -> list[str]:
        """The addresses of the routes, with something in every place."""
        routes = [route for route in self.app.routes if isinstance(route, Route)]
        return sorted({route.path.replace("{hand:int}", "1").replace("{path:path}", "a.js") for route in routes})

    # --- requests

    def request(self, asked: Plain) -> tuple[int, bytes]:
        """The status and the body of the answer. Raises whatever the application does, and Finding."""
        status, body = self.run(self.requested(asked))
        if status >= 500 and status not in FINE:
            raise Finding(f"status {status}: {body[:500]!r}")
        return status, body

    async def requested(self, asked: Plain) -> tuple[int, bytes]:
        body, sent = body_of(asked.get("body")), list[Plain]()
        headers = {"host": "127.0.0.1", "authorization": f"Bearer {KEY}"}
        if isinstance(more := asked.get("headers"), dict):
            headers |= dict(list(more.items())[:MOST_HEADERS])
        path = text_of(asked.get("path", "/"))
        scope: Plain = {
            "type": "http",
            "http_version": "1.1",
            "method": text_of(asked.get("method", "GET")),
            "path": path,
            "raw_path": quote(path, errors="replace").encode(),
            "query_string": quote(text_of(asked.get("query", "")), safe="=&%+", errors="replace").encode(),
            "headers": [(latin(name).lower(), latin(value)) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "scheme": "http",
            "root_path": "",
        }
        received = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Plain:
            return next(received, {"type": "http.disconnect"})

        async def send(message: Plain) -> None:
            sent.append(message)

        await self.app(scope, receive, send)  # type: ignore[arg-type]
        status = next((one["status"] for one in sent if one["type"] == "http.response.start"), 0)
        return status, b"".join(one.get("body", b"") for one in sent if one["type"] == "http.response.body")

    # --- talks

    def talk(self, messages: list[str]) -> list[Plain]:
        """What a page is sent that says hello and then these; TABLE in them is the code of its last table."""
        return self.run(self.talked(messages))

    async def talked(self, messages: list[str]) -> list[Plain]:
        heard: list[Plain] = []
        queue: asyncio.Queue[Plain] = asyncio.Queue()
        news = asyncio.Event()

        async def receive() -> Plain:
            return await queue.get()

        async def send(message: Plain) -> None:
            if message["type"] == "websocket.send":
                heard.append(json.loads(message["text"]))
            news.set()

        scope: Plain = {
            "type": "websocket",
            "path": "/socket",
            "raw_path": b"/socket",
            "query_string": b"",
            "headers": [(b"host", b"127.0.0.1")],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "scheme": "ws",
            "root_path": "",
            "subprotocols": [],
            "extensions": {
                CONNECTION: {
                    "abort": lambda: queue.put_nowait({"type": "websocket.disconnect", "code": 1006}),
                    "gone": asyncio.Event(),
                }
            },
        }
        queue.put_nowait({"type": "websocket.connect"})
        talking = asyncio.ensure_future(self.app(scope, receive, send))  # type: ignore[arg-type]
        hello = json.dumps({"say": "hello", "v": 2, "key": KEY, "name": "Ann"})
        try:
            for number, message in enumerate([hello, *messages]):
                said = self.numbered(message, 1_000_000 + number, code_in(heard))
                queue.put_nowait({"type": "websocket.receive", "text": json.dumps(said)})
                await self.answered(lambda id=said["id"]: any(one.get("id") == id for one in heard), news, talking)
        finally:
            queue.put_nowait({"type": "websocket.disconnect", "code": 1000})
            await talking
        return heard

    def numbered(self, message: str, id: int, code: str) -> Plain:
        said: Plain = json.loads(message.replace('"TABLE"', json.dumps(code)))
        return {**said, "id": id}

    async def answered(self, is_so: Callable[[], bool], news: asyncio.Event, talking: "asyncio.Future[Any]") -> None:
        """Wait for the reply; some, like help, come later than others, or never where the table goes on."""
        with suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                while not is_so() and not talking.done():
                    news.clear()
                    await news.wait()


def code_in(heard: list[Plain]) -> str:
    return next((one["table"] for one in reversed(heard) if one["say"] == "table"), "NONE")


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def latin(value: Any) -> bytes:
    """A header as a server hands it on: without the signs that end it."""
    text = text_of(value).replace("\r", "").replace("\n", "")
    return text.encode("latin-1", "replace")


def body_of(value: Any) -> bytes:
    return b"" if value is None else text_of(value).encode("utf-8", "replace")
