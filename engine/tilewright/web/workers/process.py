"""Worker processes as the server sees them: started, queried, noticed when they are gone. Never blocks.

Requests and replies are those of `wire`. Requests are answered one after another, each within its limit of processor
time, and four times that by the clock.
"""

import asyncio
import json
import shutil
import signal
import socket
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.spec import BadSpec
from tilewright.web.workers import wire
from tilewright.web.workers.forks import CannotFork, ForkedProcess, Forks
from tilewright.web.workers.wire import frame_of

T = TypeVar("T")
Text = Mapping[str, str]  # by language
SECONDS_TO_START, SECONDS_TO_LEAVE = 120.0, 2.0
CLOCK = 4.0  # clock time allowed, as a multiple of processor time
BUFFER = 1 << 20  # bytes
FREE_BYTES, BYTES_A_SECOND = 200_000, 1_000_000  # of a reply of untrusted rules; what is beyond counts
TOO_LONG = translations("server.table_too_long")
TOO_MUCH = translations("server.table_too_much")
TOO_LARGE = translations("server.table_too_large")


class Illegal(Exception):
    """The move is illegal; `reason` by language."""

    def __init__(self, reason: Text) -> None:
        self.reason = dict(reason)
        super().__init__(self.reason.get("en", "this move is not legal"))


class WorkerLost(Exception):
    """The process is gone, through no fault of this table: reopen it from its log (a few times at most)."""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The limits of a process. `opening`, `answering`: seconds of processor time, for requests that open or read
    through a table and for all others; `memory` and `file` in bytes: set for untrusted texts, which are alone in their
    process; `reply`: bytes of a reply, since the server reads it while everybody waits; `nice`: its niceness; `oom`:
    how soon the system ends it where memory runs out, 1000 first; the server has 0."""

    opening: float
    answering: float
    memory: int | None = None
    file: int | None = None
    reply: int = wire.MOST_BYTES
    nice: int = 0
    oom: int = 0

    @property
    def untrusted(self) -> bool:
        return self.memory is not None


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request that waits for its reply."""

    reply: "asyncio.Future[wire.Reply]"
    seconds: float


class WorkerProcess:
    """One process. `tables`: the numbers of those in it; `when_lost` is called when it ends by itself; `memory`: bytes,
    of what it shares its part, as last measured."""

    def __init__(self, folder: Path, limits: ProcessLimits, forks: Forks) -> None:
        self.folder, self.limits, self._forks = folder, limits, forks
        self.tables: set[int] = set()
        self.served = self.memory = 0
        self.gone = False
        self.when_lost: Callable[[], object] = lambda: None
        self._waiting: deque[PendingRequest] = deque()
        self._process: ForkedProcess | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._late = self._stopped = self._too_large = False

    @property
    def busy(self) -> bool:
        """Whether it has requests to answer."""
        return bool(self._waiting)

    @property
    def waiting(self) -> int:
        """How many requests it has to answer."""
        return len(self._waiting)

    @property
    def load(self) -> int:
        """A rough measure of its work."""
        return len(self.tables) + 10 * len(self._waiting)

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start it; returns when it can answer. Raises WorkerLost."""
        limits = {**asdict(self.limits), "untrusted": self.limits.untrusted}
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = await self._forks.start([str(self.folder), json.dumps(limits)], theirs)
            reader, self._writer = await asyncio.open_connection(sock=ours, limit=BUFFER)
        except BaseException as error:
            ours.close()
            self.gone = True
            self._kill()  # nobody else would notice
            if isinstance(error, CannotFork):
                raise WorkerLost(str(error)) from None
            raise
        self._listening = asyncio.create_task(self._listen(reader))
        try:
            await self.ask(wire.CountGames(seconds=SECONDS_TO_START), int)
        except BaseException as error:
            self._kill()  # nobody else knows of it
            if isinstance(error, wire.GameFailed):
                raise WorkerLost(str(error)) from None
            raise
        await asyncio.to_thread(self.measure)

    async def stop(self) -> None:
        """End it: ask it to leave, then kill it."""
        self._stopped = True
        if self._waiting:
            self._kill()
        if self._writer is not None:
            self._writer.close()
        if self._listening is not None:
            await asyncio.wait([self._listening])

    async def ask(self, request: wire.Request, kind: type[T]) -> T:
        """The result of a request, within its time limit. Raises BadSpec, Illegal, GameFailed, WorkerLost."""
        if self.gone or self._stopped or self._writer is None:
            raise WorkerLost("this process has gone")
        asked = PendingRequest(asyncio.get_running_loop().create_future(), request.seconds)
        self._waiting.append(asked)
        self._writer.write(frame_of(request))
        if len(self._waiting) == 1:
            self._wind_clock()
        return result_of(await asked.reply, kind)

    def give_way(self) -> None:
        """End it because all processes together need too much memory: what it did may be done again later."""
        self._kill()

    def measure(self) -> None:
        """Measure its memory. Not in the event loop: the system looks through all of it."""
        self.memory = 0 if self.pid is None else memory_of(self.pid)

    # --- replies

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Pass on replies as they come, until it is gone. After a large one of untrusted rules the next has to wait:
        reading them takes time from everybody."""
        try:
            while True:
                length = wire.length_of(await reader.readexactly(wire.LENGTH), self.limits.reply)
                self._hear(wire.read_whole(await reader.readexactly(length), length, wire.REPLIES))
                if self.limits.untrusted and length > FREE_BYTES:
                    await asyncio.sleep((length - FREE_BYTES) / BYTES_A_SECOND)
        except (asyncio.IncompleteReadError, wire.CutOff, wire.BadFrame, OSError) as error:
            if isinstance(error, wire.FrameTooLarge):
                self._too_large = True
                self._kill()
            await self._end()
            self._lose()

    async def _end(self) -> None:
        """Wait for it to leave, then kill it."""
        assert self._process is not None
        with suppress(TimeoutError):
            await self._process.wait(SECONDS_TO_LEAVE)
        self._process.kill()
        await self._process.wait()
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)

    def _hear(self, reply: wire.Reply) -> None:
        """Take the reply to the oldest request."""
        asked = self._waiting.popleft()
        self.served += 1
        if not asked.reply.done():
            asked.reply.set_result(reply)
        self._wind_clock()

    def _lose(self) -> None:
        """It is gone: fail all waiting requests, the current one with the cause."""
        if self.gone:
            return
        self.gone = True
        self._wind_clock()
        waiting, self._waiting = tuple(self._waiting), deque()
        for number, asked in enumerate(waiting):
            if not asked.reply.done():
                asked.reply.set_exception(self._cause(first=number == 0))
                asked.reply.exception()  # perhaps nobody waits any more
        if self._writer is not None:
            self._writer.close()
        if not self._stopped:
            self.when_lost()

    def _cause(self, first: bool) -> Exception:
        """The cause for a request without a reply."""
        code = None if self._process is None else self._process.code
        if first and not self._stopped:
            if self._late or code == -signal.SIGPROF:
                return wire.GameFailed(TOO_LONG)
            if self._too_large:
                return wire.GameFailed(TOO_LARGE)
            if self.limits.untrusted and code not in (
                None,
                -signal.SIGKILL,
            ):  # which ends those that there is no room for
                return wire.GameFailed(TOO_MUCH)
        return WorkerLost("the process has gone")

    # --- limits

    def _wind_clock(self) -> None:
        """Set the timer for the current request."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        if self._waiting:
            loop = asyncio.get_running_loop()
            self._clock = loop.call_later(CLOCK * self._waiting[0].seconds, self._run_out)

    def _run_out(self) -> None:
        self._late = True
        self._kill()

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()


def memory_of(pid: int) -> int:
    """The memory of a process in bytes, of what it shares with others its part; 0 where the system does not say."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in text.splitlines() if line.startswith(("Pss:", "SwapPss:")))


def result_of(reply: wire.Reply, kind: type[T]) -> T:
    """The result in a reply. Raises BadSpec, Illegal, GameFailed, WorkerLost."""
    if reply.problems is not None:
        raise BadSpec(reply.problems)
    if reply.illegal is not None:
        raise Illegal(reply.illegal)
    if reply.broken is not None:
        raise wire.GameFailed(reply.broken)
    try:
        return wire.found_in(reply, kind)
    except wire.BadFrame as error:
        raise WorkerLost(f"the process sends an invalid reply: {error}") from None
