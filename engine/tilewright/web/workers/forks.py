"""Forked processes as the server sees them: begun by a fork server, killed, and noticed when they have ended.

In: the arguments of a worker and its socket. Out: a handle. Knows no request.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[3]
SECONDS_TO_FORK = 120.0  # the first time, modules are imported before
MOST_BYTES = 65_536  # that are read at once
KNOWN = {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "PYTHONHOME", "PYTHONUTF8"}
KNOWN |= {"TILEWRIGHT_CACHE", "TMPDIR", "VIRTUAL_ENV", "XDG_CACHE_HOME"}
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class CannotFork(Exception):
    """No process could be started."""


class ForkedProcess:
    """A process. `code`: its exit code once it has ended, negative for a signal; None if nobody knows it."""

    def __init__(self, pid: int) -> None:
        self.pid, self.code = pid, None
        self.ended = asyncio.Event()

    code: int | None

    def kill(self) -> None:
        if self.code is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until it has ended. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            await self.ended.wait()


class Forks:
    """All processes of one fork server, which is started with the first of them, and again if it has gone."""

    def __init__(self) -> None:
        self.server: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None
        self.listening: asyncio.Task[None] | None = None
        self.turn = asyncio.Lock()
        self.number = 0
        self.asked: dict[int, asyncio.Future[ForkedProcess]] = {}
        self.running: dict[int, ForkedProcess] = {}

    async def start(self, arguments: Sequence[str], connection: socket.socket) -> ForkedProcess:
        """A new process with these arguments and its end of a socket. Raises CannotFork."""
        async with self.turn:  # so that the fork server reads one message at a time
            control = self.control or self.open()
            self.number += 1
            asked: asyncio.Future[ForkedProcess] = asyncio.get_running_loop().create_future()
            self.asked[self.number] = asked
            message = json.dumps({"worker": self.number, "arguments": list(arguments)}).encode()
            try:
                socket.send_fds(control, [message], [connection.fileno()])
                async with asyncio.timeout(SECONDS_TO_FORK):
                    return await asked
            except (OSError, TimeoutError) as error:
                raise CannotFork(f"a process could not be started: {error}") from None

    def open(self) -> socket.socket:
        """Start the fork server. Returns the way to it. Raises CannotFork."""
        ours, theirs = socket.socketpair()
        with theirs:
            words = [sys.executable, "-m", "tilewright.web.workers.fork_server"]
            try:
                # Ctrl-C is for the server, which ends its workers: they are no part of its session.
                self.server = subprocess.Popen(words, stdin=theirs.fileno(), env=surroundings(), start_new_session=True)
            except OSError as error:
                ours.close()
                raise CannotFork(f"a process could not be started: {error}") from None
        ours.setblocking(False)
        self.control = ours
        self.listening = asyncio.create_task(self.listen(ours, self.server))
        return ours

    async def listen(self, control: socket.socket, server: subprocess.Popen[bytes]) -> None:
        """Hear of processes until the fork server has gone."""
        loop, rest = asyncio.get_running_loop(), b""
        try:
            while text := await loop.sock_recv(control, MOST_BYTES):
                *said, rest = (rest + text).split(b"\n")
                for line in said:
                    self.hear(json.loads(line))
        except OSError:
            pass
        finally:
            control.close()
            self.control = None
            self.lose()
            await asyncio.to_thread(server.wait)

    def hear(self, said: Mapping[str, int]) -> None:
        if "worker" in said:
            process = self.running[said["pid"]] = ForkedProcess(said["pid"])
            asked = self.asked.pop(said["worker"])
            if asked.done():  # nobody waits for it any more
                process.kill()
            else:
                asked.set_result(process)
        elif (ended := self.running.pop(said["pid"], None)) is not None:
            ended.code = said["code"]
            ended.ended.set()

    def lose(self) -> None:
        """The fork server has gone: its processes run on, and nobody will say how they end."""
        asked, self.asked = self.asked, {}
        for future in asked.values():
            if not future.done():
                future.set_exception(CannotFork("the process that workers are forked from has gone"))
                future.exception()
        running, self.running = self.running, {}
        for process in running.values():
            process.ended.set()

    async def stop(self) -> None:
        """End the fork server, once its processes have ended."""
        if self.listening is not None and self.control is not None:
            self.control.shutdown(socket.SHUT_WR)
            await asyncio.wait([self.listening])


def surroundings() -> dict[str, str]:
    """The environment of workers: the path of this package, one thread, and nothing else of the server's."""
    paths = [str(PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    known = {name: value for name, value in os.environ.items() if name in KNOWN}
    found = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONSAFEPATH": "1"}  # and no modules of the working directory
    return {**known, **found, **dict.fromkeys(THREADS, "1")}
