"""The process that workers are forked from: it has imported all that they need, and they share its memory.

`python -m tilewright.web.workers.fork_server`: its stdin is a socket of the server. In: the arguments of a worker and
its socket. Out: the number of its process, and its exit code when it has ended. It ends with the server. It reads no
rules, and its environment has no secret.
"""

import gc
import json
import os
import signal
import socket
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

from tilewright.base import garbage
from tilewright.web.workers import main as worker

MOST_BYTES = 65_536  # of a message
CHILD = {signal.SIGCHLD}


class ForkServer:
    """`control`: the socket of the server."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control

    def run(self) -> None:
        """Fork workers until the server has gone."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
        signal.signal(signal.SIGCHLD, self.reap)
        gc.collect()
        gc.freeze()  # a collection would write to what is shared
        while True:
            text, files, _, _ = socket.recv_fds(self.control, MOST_BYTES, 1)
            if not text:
                return
            asked = json.loads(text)
            signal.pthread_sigmask(signal.SIG_BLOCK, CHILD)  # that it has begun is said before that it has ended
            pid = os.fork()
            if pid == 0:
                self.become_worker(files[0], asked["arguments"])
            os.close(files[0])
            self.say(worker=asked["worker"], pid=pid)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, CHILD)

    def become_worker(self, connection: int, arguments: list[str]) -> NoReturn:
        """Serve as a worker, in the process that was just forked."""
        try:
            self.control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, CHILD)
            os.setsid()
            os.dup2(connection, 0)
            os.close(connection)
            garbage.keep_frozen()
            worker.main(arguments)
        finally:
            os._exit(1)

    def reap(self, number: int, frame: FrameType | None) -> None:
        """Report the workers that have ended."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self.say(pid=ended[0], code=os.waitstatus_to_exitcode(ended[1]))

    def say(self, **content: Any) -> None:
        with suppress(OSError):  # without the server, nobody needs it
            self.control.sendall(json.dumps(content).encode() + b"\n")


def main() -> None:
    """Fork workers until the server has gone."""
    ForkServer(socket.socket(fileno=os.dup(0))).run()


if __name__ == "__main__":
    main()
