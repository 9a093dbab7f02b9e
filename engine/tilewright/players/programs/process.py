"""Players that are other programs: they get questions and answer in lines of JSON
(`tilewright.players.programs.protocol`; `tilewright.players.mjai.player` speaks another protocol).

If a program's answer is not a legal move, the fast bot answers for it; one that is too slow, ends or does not speak the
protocol is stopped, and the fast bot replaces it. The first such problem is reported, and nothing hangs. What a program
writes to stderr goes to ours.
"""

import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from io import BufferedReader
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import IO, Any

from tilewright.play.model.moves import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.fast import FastBot
from tilewright.players.programs import protocol
from tilewright.players.programs.protocol import BadAnswer

COMMAND = "command:"
SECONDS = 10.0  # for an answer
SECONDS_TO_START = 30.0
SECONDS_TO_LEAVE = 2.0
MOST_BYTES = 4 * protocol.MOST_CHARACTERS  # of a line
MOST_WAITING = 100  # unrequested lines that it wrote
Report = Callable[[str], None]


class ProcessPlayer:
    """A player that is another program. `problem`: the first thing that went wrong; it is also given to `report`."""

    def __init__(self, command: str, rules: Rules, seed: int, report: Report | None = None) -> None:
        self.command = command
        self.words = words_of(command)
        self.rules = rules
        self.stand_in = FastBot(rules, seed)
        self.problem: str | None = None
        self.seconds = SECONDS
        self._report = report
        self._program: ChildProgram | None = None
        self._gone = False
        self._asked = 0
        self._ended = 0  # the last hand whose end was sent
        self._last: View | None = None

    @property
    def plays(self) -> bool:
        """Whether the program is still asked."""
        return not self._gone

    def choose(self, view: View) -> Move:
        """The program's answer; the fast bot's if that is not valid."""
        if not self._gone:
            try:
                return self._ask(view)
            except BadAnswer as error:
                self._trouble(f"{error}; the fast bot answers this question for it")
            except ProgramFailed as error:
                self._trouble(f"{error}; the fast bot replaces it")
                self._stop()
        return self.stand_in.choose(view)

    def ended(self, view: View) -> None:
        """Notify the program that a hand has ended."""
        if self._program is not None and not self._gone:
            self._send_ended(self._program, view)

    def close(self) -> None:
        """Notify the program of the end, and wait a little for it to exit."""
        if self._program is not None and not self._gone:
            self._program.send(protocol.over(self._last))
        self._stop()

    def _ask(self, view: View) -> Move:
        question = view.question
        assert question is not None
        program = self._started(view)
        self._send_ended(program, view)
        self._asked += 1
        program.send(protocol.ask(self._asked, view))
        return protocol.move_of(protocol.read(program.line(self.seconds)), self._asked, question, view)

    def _started(self, view: View) -> "ChildProgram":
        """The program, after its hello."""
        if self._program is None:
            self._program = ChildProgram(self.words)
            self._program.send(protocol.hello(self.rules.data, view))
            try:
                protocol.expect_hello(protocol.read(self._program.line(SECONDS_TO_START)))
            except BadAnswer as error:
                raise ProgramFailed(str(error)) from None
        return self._program

    def _send_ended(self, program: "ChildProgram", view: View) -> None:
        """Send the end of the last hand, once."""
        self._last, result = view, view.result
        if result is not None and result.hand > self._ended:
            self._ended = result.hand
            program.send(protocol.ended(result, [view.name(seat) for seat in range(view.seats)]))

    def _trouble(self, why: str) -> None:
        """Report the first thing that goes wrong."""
        if self.problem is None:
            self.problem = f"{self.command}: {why}"
            if self._report is not None:
                self._report(self.problem)

    def _stop(self) -> None:
        self._gone = True
        if self._program is not None:
            self._program.stop()


class ProgramFailed(Exception):
    """The program can no longer be used; the message says why."""


class ChildProgram:
    """A running program. Its input and output go through threads, so neither side waits for the other longer than it
    chooses."""

    def __init__(self, words: list[str]) -> None:
        try:
            self._process = subprocess.Popen(words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise ProgramFailed(f"it does not start: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._out: Queue[str | None] = Queue()
        self._in: Queue[bytes] = Queue()
        self._babbles = False
        for work, stream in ((self._write, self._process.stdin), (self._read, self._process.stdout)):
            Thread(target=work, args=(stream,), daemon=True).start()

    def send(self, message: dict[str, Any] | list[dict[str, Any]]) -> None:
        """Queue a message."""
        self._out.put(protocol.line(message))

    def line(self, seconds: float) -> str:
        """The next line that it writes. Raises Broken."""
        until = monotonic() + seconds
        while True:
            try:
                found = self._in.get(timeout=max(0.0, until - monotonic()))
            except Empty:
                raise ProgramFailed(f"no answer in {seconds:g} seconds") from None
            if self._babbles:
                raise ProgramFailed("it writes lines without being asked")
            if not found:
                raise ProgramFailed(f"it has ended{self._how()}")
            if found.strip():
                return found.decode(errors="replace")

    def stop(self) -> None:
        """Let it exit by itself, then kill it."""
        self._out.put(None)
        try:
            self._process.wait(SECONDS_TO_LEAVE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _how(self) -> str:
        """How it ended, as far as that is known."""
        try:
            code = self._process.wait(SECONDS_TO_LEAVE)
        except subprocess.TimeoutExpired:
            return ", or has closed its stdout"
        return f" with exit code {code}" if code else ""

    def _write(self, stream: IO[bytes]) -> None:
        """Send queued messages until the end, or until the program stops reading, which a missing answer will show.
        Writing to a dead program is an error here, not a fatal signal."""
        if hasattr(signal, "SIGPIPE"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
        with suppress(OSError), stream:
            while (text := self._out.get()) is not None:
                left = memoryview(text.encode())
                while left:
                    left = left[stream.write(left) :]

    def _read(self, stream: IO[bytes]) -> None:
        """Read its lines; an empty one is the end. A line that is too long is passed on in part."""
        with suppress(OSError), BufferedReader(stream) as buffered:  # type: ignore[type-var]  # it is a raw stream
            while (found := buffered.readline(MOST_BYTES)) and not self._babbles:
                self._babbles = self._in.qsize() > MOST_WAITING
                self._in.put(found)
        self._in.put(b"")


def words_of(command: str) -> list[str]:
    """The program and its arguments. Raises ValueError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command cannot be read: {error}") from None
    if not words:
        raise ValueError("it names no program")
    if shutil.which(words[0]) is None:
        raise ValueError(f"there is no program {words[0]!r} that can be started")
    return words
