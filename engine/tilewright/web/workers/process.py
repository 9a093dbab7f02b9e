"""House processes as the server sees them: started, asked, noticed when they are gone. Never blocks.

A request is plain data, and so is its answer (`house`). Requests are answered one after the other, each within its
limit of processor time, and of four times as much by the clock.
"""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.spec import BadSpec
from tilewright.web.workers.wire import LENGTH, CutOff, frame_of, length_of

Plain = dict[str, Any]
Text = Mapping[str, str]  # by language
PACKAGES = Path(__file__).resolve().parents[3]
SECONDS_TO_START, SECONDS_TO_LEAVE = 120.0, 2.0
CLOCK = 4.0  # times as long by the clock as the processor may work
BUFFER = 1 << 20  # bytes
KNOWN = {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "PYTHONHOME", "PYTHONUTF8"}
KNOWN |= {"TILEWRIGHT_CACHE", "TMPDIR", "VIRTUAL_ENV", "XDG_CACHE_HOME"}
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
TOO_LONG = translations("server.table_too_long")
TOO_MUCH = translations("server.table_too_much")


class Illegal(Exception):
    """The move cannot be made; `reason` by language."""

    def __init__(self, reason: Text) -> None:
        self.reason = dict(reason)
        super().__init__(self.reason.get("en", "this move is not legal"))


class HouseLost(Exception):
    """The process is gone, by no fault of this table: open it again from its log (a few times at most)."""


class Broken(Exception):
    """The table, or the job, cannot go on: its rules took too long or too much memory. `reason` by language."""

    def __init__(self, reason: Text) -> None:
        self.reason = dict(reason)
        super().__init__(self.reason.get("en", "broken"))


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may do. `opening`, `answering`: seconds of processor time, for what opens or looks through a table
    and for anything else; `memory` and `file` in bytes: set for what strangers wrote, which is alone in its process;
    `nice`: how far it stands back where others want to compute, too."""

    opening: float
    answering: float
    memory: int | None = None
    file: int | None = None
    nice: int = 0

    @property
    def strange(self) -> bool:
        return self.memory is not None


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that waits for its answer."""

    answer: "asyncio.Future[Any]"
    seconds: float


class HouseProcess:
    """One process. `tables`: the numbers of those in it; `when_lost` is called when it ends by itself."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder, self.limits = folder, limits
        self.tables: set[int] = set()
        self.served = 0
        self.gone = False
        self.when_lost: Callable[[], object] = lambda: None
        self._waiting: deque[Asked] = deque()
        self._process: subprocess.Popen[bytes] | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._late = self._stopped = False

    @property
    def busy(self) -> bool:
        """It has something to answer."""
        return bool(self._waiting)

    @property
    def load(self) -> int:
        """How much it has to do, roughly."""
        return len(self.tables) + 10 * len(self._waiting)

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Returns when it can answer. Raises HouseLost."""
        process, ours = self._begin()
        try:
            reader, self._writer = await asyncio.open_connection(sock=ours, limit=BUFFER)
        except BaseException:
            process.kill()
            process.wait()  # nobody listens who could notice
            raise
        self._listening = asyncio.create_task(self._listen(reader))
        try:
            await self.ask({"do": "ping"}, SECONDS_TO_START)
        except BaseException as error:
            self._kill()  # nobody will know of it
            if isinstance(error, Broken):
                raise HouseLost(str(error)) from None
            raise

    def _begin(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        """The process, and our end of its socket. Raises HouseLost."""
        limits = {**asdict(self.limits), "strange": self.limits.strange}
        words = [sys.executable, "-m", "tilewright.web.workers.main", str(self.folder), json.dumps(limits)]
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                # Ctrl-C is for the server, which ends its houses: they are no part of its session.
                self._process = subprocess.Popen(
                    words, stdin=theirs.fileno(), env=surroundings(), start_new_session=True
                )
            except OSError as error:
                ours.close()
                self.gone = True
                raise HouseLost(f"no process starts: {error}") from None
        return self._process, ours

    async def stop(self) -> None:
        """It leaves, or is made to."""
        self._stopped = True
        if self._waiting:
            self._kill()
        if self._writer is not None:
            self._writer.close()
        if self._listening is not None:
            await asyncio.wait([self._listening])

    async def ask(self, request: Plain, seconds: float) -> Any:
        """The answer to a request that may take so many seconds of processor time. Raises BadSpec, Illegal, Broken,
        HouseLost."""
        if self.gone or self._stopped or self._writer is None:
            raise HouseLost("this process has gone")
        asked = Asked(asyncio.get_running_loop().create_future(), seconds)
        self._waiting.append(asked)
        self._writer.write(frame_of({**request, "seconds": seconds}))
        if len(self._waiting) == 1:
            self._wind_clock()
        return told(await asked.answer)

    # --- what it says

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Hand on answers as they come, until it is gone."""
        try:
            while True:
                length = length_of(await reader.readexactly(LENGTH))
                self._hear(json.loads(await reader.readexactly(length)))
        except (asyncio.IncompleteReadError, CutOff, ValueError, OSError):
            await asyncio.to_thread(self._end)
            self._lose()

    def _end(self) -> None:
        """Wait for it to leave, and make it."""
        assert self._process is not None
        try:
            self._process.wait(SECONDS_TO_LEAVE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _hear(self, reply: Plain) -> None:
        """The answer to what was asked first."""
        asked = self._waiting.popleft()
        self.served += 1
        if not asked.answer.done():
            asked.answer.set_result(reply)
        self._wind_clock()

    def _lose(self) -> None:
        """It is gone: whoever waits is told, and the one whose request it was at is told why."""
        if self.gone:
            return
        self.gone = True
        self._wind_clock()
        waiting, self._waiting = tuple(self._waiting), deque()
        for number, asked in enumerate(waiting):
            if not asked.answer.done():
                asked.answer.set_exception(self._cause(first=number == 0))
                asked.answer.exception()  # it may be that nobody waits any more
        if self._writer is not None:
            self._writer.close()
        if not self._stopped:
            self.when_lost()

    def _cause(self, first: bool) -> Exception:
        """Why a request has no answer."""
        code = None if self._process is None else self._process.returncode
        if first and not self._stopped:
            if self._late or code == -signal.SIGPROF:
                return Broken(TOO_LONG)
            if self.limits.strange:
                return Broken(TOO_MUCH)
        return HouseLost("the process has gone")

    # --- limits

    def _wind_clock(self) -> None:
        """The clock runs for the request that is being answered."""
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


def told(reply: Plain) -> Any:
    """What a reply says. Raises BadSpec, Illegal, Broken."""
    if "bad" in reply:
        raise BadSpec(reply["bad"])
    if "illegal" in reply:
        raise Illegal(reply["illegal"])
    if "broken" in reply:
        raise Broken(reply["broken"])
    return reply["ok"]


def surroundings() -> dict[str, str]:
    """The environment of a house: it finds this package, takes one thread, and learns nothing else of the server's."""
    paths = [str(PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    known = {name: value for name, value in os.environ.items() if name in KNOWN}
    found = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONSAFEPATH": "1"}  # and no modules in the folder one is in
    return {**known, **found, **dict.fromkeys(THREADS, "1")}
