"""Servers and workers that begin at once: forks of a process that has imported the engine, since to start Python and to
import takes longer than most tests of a server. Each is a process of its own, with the arguments, the environment, the
folder and the streams that it would have had.

    preload()                                             # from now on, in this process
    process = begin(words, env=..., cwd=..., stdout=...)  # instead of subprocess.Popen(words, ...)

`words`: `python -m tilewright ...`, such as a server, or a roomy one, or those of what forks workers. That of a server
is a fork, too.
Only on Linux; elsewhere all begin as always.
"""

import fcntl
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import IO, Any

Stream = IO[Any] | int | None
COMMAND, FORK_SERVER = "tilewright", "tilewright.web.workers.fork_server"
ROOMY = str(Path(__file__).with_name("roomy_server.py"))
FORKED = {("-m", COMMAND), ("-P", ROOMY), ("-m", FORK_SERVER)}
MOST_BYTES = 1 << 17  # of a request
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
IMPORTED = (
    "tilewright.cli.main",
    "tilewright.cli.commands.authoring.new",
    "tilewright.cli.commands.hands.card",
    "tilewright.cli.commands.sharing",
    "tilewright.cli.commands.table.play",
    "tilewright.cli.commands.table.serve",
    "tilewright.terminal.window",
    "tilewright.web.app",
    "tilewright.web.connections",
    "uvicorn.lifespan.on",
    "typer._adapters",
    "encodings.idna",
    FORK_SERVER,
)
PLAYED = ("cantonese", "american", "riichi", "sichuan")  # most tables of tests
JOBS = "tilewright.web.jobs"  # and all its modules
READING = "about-rulesets"  # the job that reads all documents
_preloaded: list["Preloaded"] = []


class Fork:
    """A process as `subprocess.Popen` has it. `end`: a file that can be read once it has ended; `code`: its code, which
    is then asked for once."""

    def __init__(self, words: Sequence[str], pid: int, end: IO[Any] | socket.socket, code: Callable[[], int]) -> None:
        self.args, self.pid, self._end, self._code = words, pid, end, code
        self.returncode: int | None = None
        self.stdout: IO[str] | None = None
        self._lock = Lock()

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(list(self.args), timeout or 0)
        return code

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._end], [], [], seconds)[0]:
            with self._lock:  # threads wait, too
                if self.returncode is None:
                    self.returncode = self._code()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


# --- in the process of the tests


def preload(place: Path | None = None) -> None:
    """Let servers, and workers of this process, be forks from now on: of one process for all that name this place."""
    if hasattr(os, "pidfd_open") and not _preloaded:
        _preloaded.append(Preloaded(place=place))
        fork_workers()


def begin(words: Sequence[str], **how: Any) -> "Fork | subprocess.Popen[Any]":
    """A process with these words, a fork if that may be: not where tests have killed what forks."""
    if _preloaded and words[0] == sys.executable and tuple(words[1:3]) in FORKED:
        with suppress(BrokenPipeError, ConnectionResetError):
            return _preloaded[0].start(words, **how)
    return subprocess.Popen(words, **how)


@contextmanager
def anew() -> Iterator[None]:
    """All that this process starts in the block is no fork."""
    before, _preloaded[:] = list(_preloaded), []
    try:
        yield
    finally:
        _preloaded[:] = before


class Preloaded:
    """The process that forks, which ends with the last of those that use it. It is started when it is needed first, at
    this place, unless there is a way to it: `control`. With modules it imports these and reads nothing; a fork is
    `python -m` of any that has a function `main`."""

    def __init__(self, *modules: str, control: socket.socket | None = None, place: Path | None = None) -> None:
        self.modules, self.control, self.place = modules, control, place

    def begun(self) -> socket.socket:
        if self.control is None and self.place is not None:
            with self.place.with_suffix(".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self.control = self.shared(self.place)
        if self.control is None:
            self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.launch(theirs)
        return self.control

    def shared(self, place: Path) -> socket.socket:
        """The way to the process at this place, which is started unless it is there."""
        ours = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            ours.connect(str(place))
        except OSError:
            place.unlink(missing_ok=True)
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            listening.bind(str(place))
            listening.listen()
            self.launch(listening)
            ours.connect(str(place))
        return ours

    def launch(self, theirs: socket.socket) -> None:
        with theirs:
            subprocess.Popen(
                [sys.executable, __file__, *self.modules],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env={**os.environ, **ONE_THREAD},
                start_new_session=True,
            )

    def start(
        self,
        words: Sequence[str],
        *,
        env: Mapping[str, str],
        stdin: Stream = subprocess.DEVNULL,
        stdout: Stream = None,
        stderr: Stream = None,
        cwd: Path | None = None,
        **always: object,
    ) -> Fork:
        """A process with these words. It reads from `stdin`; `stdout` may be a pipe."""
        control = self.begun()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        reading, writing = os.pipe() if stdout == subprocess.PIPE else (-1, -1)
        request = json.dumps({"words": list(words), "env": dict(env), "cwd": str(cwd or os.getcwd())})
        with theirs, open(os.devnull, "r+b", buffering=0) as nothing:
            streams = [
                nothing
                if one == subprocess.DEVNULL
                else writing
                if one == subprocess.PIPE
                else number
                if one is None
                else one
                for number, one in enumerate((stdin, stdout, stderr))
            ]
            socket.send_fds(control, [request.encode()], [number_of(one) for one in (*streams, theirs)])
        fork = Fork(words, int(ours.recv(64)), ours, lambda: int(ours.recv(64) or -signal.SIGKILL))
        if writing >= 0:
            os.close(writing)
            fork.stdout = os.fdopen(reading, "r")
        return fork


def number_of(stream: Any) -> int:
    """The number of an open file."""
    return stream if isinstance(stream, int) else int(stream.fileno())


# --- in the process that forks


def serve(control: socket.socket) -> Callable[[], object]:
    """Fork for each request; what a fork has to do. Exits when the tests have ended. `control`: where requests come, or
    where those connect who have any."""
    running = dict[int, tuple[int, socket.socket]]()
    is_shared = bool(control.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
    asking = {control}
    while True:
        for ready in select.select([*asking, *running], [], [])[0]:
            if isinstance(ready, int):
                pid, status = running.pop(ready)
                os.close(ready)
                tell(status, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                status.close()
                continue
            if is_shared and ready is control:
                asking.add(control.accept()[0])
                continue
            text, descriptors, _, _ = socket.recv_fds(ready, MOST_BYTES, 4)
            if not text:
                asking.remove(ready)
                ready.close()
                if asking <= {control}:
                    os._exit(0)
                continue
            pid = os.fork()
            if pid == 0:
                for one in (*asking, *(status for _, status in running.values())):
                    one.detach()  # it is closed
                return settled_in(json.loads(text), descriptors[:3])
            status = socket.socket(fileno=descriptors[3])
            tell(status, pid)
            running[os.pidfd_open(pid)] = (pid, status)
            for one in descriptors[:3]:
                os.close(one)


def tell(status: socket.socket, number: int) -> None:
    with suppress(OSError):  # nobody wants to know any more
        status.send(str(number).encode())


def settled_in(request: dict[str, Any], streams: Sequence[int]) -> Callable[[], object]:
    """Take on what the process was asked for; what it has to do."""
    _, _, module, *arguments = request["words"]
    settle(streams, request["env"])
    os.chdir(request["cwd"])
    sys.argv = [module, *arguments]
    if module not in (COMMAND, ROOMY):
        return sys.modules[module].main  # type: ignore[no-any-return]
    if module == ROOMY:
        from roomy_server import make_room

        make_room()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:  # while it has one thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        ours.close()
        return serve(theirs)
    theirs.close()
    _preloaded[:] = [Preloaded(control=ours)]
    fork_workers()
    from tilewright.cli.main import main

    return main


def settle(streams: Sequence[int], environment: Mapping[str, str]) -> None:
    """Be as a process that was just started: its own session, streams and environment, nothing else open."""
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    own_terminal()
    os.closerange(3, 1 << 16)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    signal.set_wakeup_fd(-1)
    for one in (signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD):
        signal.signal(one, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(environment)


def own_terminal() -> None:
    """Let a terminal that this process reads be its own: it hears when that is closed."""
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def fork_workers() -> None:
    """Let what forks the workers of this process be a fork itself."""
    from tilewright.web.workers import forks

    class Subprocess:
        TimeoutExpired, Popen = subprocess.TimeoutExpired, staticmethod(begin)

    forks.subprocess = Subprocess  # type: ignore[attr-defined, misc, assignment]


def prepare(modules: Sequence[str]) -> None:
    """Import all that servers and workers need, and read all documents and the rules that most tables have. Forks do
    not look for garbage in it: that would copy it."""
    from tilewright.base import garbage

    garbage.spare_what_stays = gc.freeze
    os.chdir(Path(__file__).parent)  # bundled files have their whole names there, as where servers run
    for name in (IMPORTED[0], *modules) if modules else IMPORTED:
        importlib.import_module(name)
    if modules:
        return gc.freeze()
    for module in pkgutil.iter_modules(importlib.import_module(JOBS).__path__, f"{JOBS}."):
        importlib.import_module(module.name)
    from tilewright.web.protocol import spec
    from tilewright.web.workers.main import GameWorker
    from tilewright.web.workers.wire import DoJob, OpenGame, PrepareBots

    spec.leave_alone = gc.freeze
    worker = GameWorker()
    worker.do(DoJob(name=READING, payload={}, seconds=60))
    for number, name in enumerate(PLAYED):
        worker.do(OpenGame(table=number, spec={"ruleset": {"id": name}}, log=(), players=(), seconds=60))
        worker.do(PrepareBots(table=number, bots=("fast",), seconds=60))
    gc.collect()
    gc.freeze()
    garbage.keep_frozen()


if __name__ == "__main__":
    asking = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare(sys.argv[1:])
    serve(asking)()
