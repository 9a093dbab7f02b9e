"""A pseudo-terminal in which a command runs, and the screen that a person would see there."""

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pyte
from preloaded import begin, own_terminal
from processes import HANGS

COMMAND = [sys.executable, "-m", "tilewright"]
QUIET = 0.1  # seconds without a sign: the screen stands


class Terminal:
    """A command on a screen of so many columns and lines."""

    def __init__(self, *arguments: str, columns: int = 80, lines: int = 24, **env: str) -> None:
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.code: int | None = None
        self.main, side = os.openpty()
        self.resize(columns, lines)
        size = ("COLUMNS", "LINES")  # set by readline, which a test may import
        others = {name: value for name, value in os.environ.items() if name not in size}
        how = {
            "env": {**others, "TERM": "xterm-256color", **env},
            "start_new_session": True,
            "preexec_fn": own_terminal,
        }
        self.process = begin([*COMMAND, *arguments], stdin=side, stdout=side, stderr=side, **how)
        self.pid = self.process.pid
        os.close(side)

    def resize(self, columns: int, lines: int) -> None:
        self.screen.resize(lines, columns)
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    @property
    def text(self) -> str:
        """The screen, without blanks at the ends of lines."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def send(self, keys: str) -> None:
        with suppress(OSError):
            os.write(self.main, keys.encode())

    def click(self, text: str) -> None:
        """Press and release the left button where this text stands."""
        line = next(number for number, line in enumerate(self.screen.display, 1) if text in line)
        column = self.screen.display[line - 1].index(text) + 1
        self.send(f"\x1b[<0;{column};{line}M\x1b[<0;{column};{line}m")

    def look(self) -> str:
        """The screen, as soon as it stands still, or the command has ended."""
        while self.code is None and select.select([self.main], [], [], QUIET)[0]:
            try:
                found = os.read(self.main, 65_536)
            except OSError:
                found = b""
            if not found:
                self.code = self.left()
            self.written += found
            self.stream.feed(found)
        return self.text

    def left(self) -> int:
        """The exit code of the command, which has let go of the terminal."""
        try:
            return self.process.wait(HANGS)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it has let go of the terminal and does not end:\n{self.text}") from None

    def wait(self, holds: str | Callable[[str], bool]) -> str:
        """The screen once this text stands there, or this holds of it."""
        until = time.monotonic() + HANGS
        while not (holds in self.look() if isinstance(holds, str) else holds(self.look())):
            assert time.monotonic() < until, f"never came: {holds}\n{self.text}"
            assert self.code is None, f"ended with {self.code} before {holds}:\n{self.text}"
        return self.text

    def ended(self) -> int:
        """The exit code, once the command has ended."""
        until = time.monotonic() + HANGS
        while self.code is None:
            self.look()
            assert time.monotonic() < until, self.text
        return self.code

    def kill(self) -> None:
        """End it as a lost machine would."""
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            self.ended()


@contextmanager
def terminal(*arguments: str, columns: int = 80, lines: int = 24, **env: str) -> Iterator[Terminal]:
    """A command on a screen, that does not outlive its test."""
    running = Terminal(*arguments, columns=columns, lines=lines, **env)
    try:
        yield running
    finally:
        running.kill()
        os.close(running.main)
