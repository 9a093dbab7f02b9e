"""Checking beside the editor: texts in, the problems of the latest of them after each stage out, from two processes.

One finds what needs no game, within a stage of an edit; the other tries the examples. A process works on one request at
a time, and stops between two stages, or two examples, as soon as there is another message: the latest text wins. It
keeps what it has read of documents that did not change; one that takes too long, or ends, is replaced. Knows no
protocol.
"""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal

from tilewright.authoring.coverage import COVERED, coverage_of, not_covered
from tilewright.authoring.editor.context import parsed, path_in
from tilewright.authoring.editor.symbols import ExampleTally, held_in, tallies
from tilewright.authoring.findings import NO_CHOICES, static_stages, tried
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.project import with_project_mods
from tilewright.base.files import unsaved
from tilewright.base.garbage import collect_rarely, collector_paused
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.base.processes import serve_parent
from tilewright.language.documents.library import kind_at

Task = Literal["static", "examples", "coverage"]


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """A document to be checked, with all open texts. `problems`: those that need no game, for the examples."""

    number: int
    path: Path
    texts: dict[Path, str]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """The problems of a document so far. `done`: all that this process finds; `stopped`: another message came first;
    `asked`: the files and folders that it depends on."""

    number: int
    path: Path
    problems: tuple[Problem, ...] = ()
    tallies: tuple[ExampleTally, ...] = ()
    asked: frozenset[str] = frozenset()
    done: bool = False
    stopped: bool = False


# --- in the process


class Stopped(Exception):
    """There is another message."""


def work(connection: Connection, task: Task) -> None:
    """Answer requests until the connection ends. Nothing that is checked can write to the editor."""
    serve_parent()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    warm()
    try:
        while True:
            request: CheckRequest | None = connection.recv()
            if request is None:
                continue  # a message that came too late to stop anything
            for answer in answers(request, task, connection):
                connection.send(answer)
    except (EOFError, OSError):
        return


def warm() -> None:
    """Read what every check needs, and keep it."""
    for path in (Path(__file__).parent / "no.yaml",):
        with unsaved({path: "tilewright: 2\nkind: ruleset\nid: no\nname: No\nextends: standard\n"}):
            list(static_stages(path))
    collect_rarely()


def answers(request: CheckRequest, task: Task, connection: Connection) -> Iterator[CheckAnswer]:
    """The answers to a request, the last of them done or stopped."""
    number, path = request.number, request.path
    with unsaved(request.texts) as opened, collector_paused():
        try:
            if task == "static":
                problems: tuple[Problem, ...] = ()
                for problems in static_stages(path):
                    yield CheckAnswer(number, path, problems)
                    stop_for(connection)
                yield CheckAnswer(number, path, problems, asked=frozenset(opened.asked), done=True)
                return

            if task == "coverage":
                yield CheckAnswer(number, path, tuple(unreached(path)), asked=frozenset(opened.asked), done=True)
                return

            def tell(_: Place | None) -> None:
                stop_for(connection)

            found = tried(path, request.problems, choices_at(path), tell)
            document = parsed(path) if found.outcomes else None
            told = () if document is None else tallies(document, held_in(found.outcomes))
            yield CheckAnswer(number, path, found.problems, told, frozenset(opened.asked), done=True)
        except Stopped:
            yield CheckAnswer(number, path, stopped=True)


def choices_at(path: Path) -> RulesChoice:
    """What the project of a document has chosen; its own mistakes are reported with the problems."""
    try:
        return with_project_mods(path, NO_CHOICES)
    except RulesetError:
        return NO_CHOICES


def unreached(path: Path) -> Iterator[Problem]:
    """What no example and no case reaches of a document without errors, in its own lines."""
    try:
        found = coverage_of(path) if kind_at(path) in COVERED else None
    except RulesetError:
        return  # which is told anyway
    if found is None:
        return
    own = (part for part in found.missing if path_in(part.place) == path)
    yield from map(not_covered, own)


def stop_for(connection: Connection) -> None:
    """Raises Stopped if there is another message."""
    if connection.poll():
        raise Stopped


# --- beside the editor


SECONDS = {"static": 20.0, "examples": 60.0, "coverage": 120.0}  # for one document
Told = Callable[[Task, CheckRequest, CheckAnswer], None]


@dataclass
class CheckProcess:
    """A process with the requests that wait for it, at most one for each document, the latest first."""

    task: Task
    told: Told
    waiting: dict[Path, CheckRequest] = field(default_factory=dict)
    running: CheckRequest | None = None
    stopping: bool = False
    dropped: bool = False  # what is running
    process: BaseProcess | None = None
    connection: Connection | None = None
    deadline: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start the process, and listen to it."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, self.task), daemon=True)
        self.process.start()
        theirs.close()
        self.connection = ours
        loop = asyncio.get_running_loop()
        threading.Thread(target=self.listen, args=(ours, loop), daemon=True).start()

    def listen(self, connection: Connection, loop: asyncio.AbstractEventLoop) -> None:
        """Pass answers on to the loop until the process ends. Runs in a thread."""
        try:
            while True:
                answer = connection.recv()
                loop.call_soon_threadsafe(self.take, connection, answer)
        except (EOFError, OSError):
            if not loop.is_closed():
                loop.call_soon_threadsafe(self.lost, connection)

    def ask(self, request: CheckRequest, *, first: bool = True) -> None:
        """Check a document next, or once nothing else waits; an older text of it is no longer checked."""
        self.waiting.pop(request.path, None)
        self.waiting = {request.path: request, **self.waiting} if first else {**self.waiting, request.path: request}
        if self.running is None:
            self.go_on()
        elif first or self.running.path == request.path:
            self.stop()

    def forget(self, path: Path) -> None:
        """A document is no longer checked."""
        self.waiting.pop(path, None)
        if self.running is not None and self.running.path == path:
            self.dropped = True
            self.stop()

    def stop(self) -> None:
        """Stop what is running at the next stage; it waits again if nothing newer replaces it."""
        if self.running is not None and not self.stopping and self.connection is not None:
            self.stopping = True
            self.send(None)

    def go_on(self) -> None:
        """Begin with the request that waits first."""
        if self.running is None and self.waiting and self.connection is not None:
            path = next(iter(self.waiting))
            self.running = self.waiting.pop(path)
            self.deadline = asyncio.get_running_loop().call_later(SECONDS[self.task], self.too_slow)
            self.send(self.running)

    def send(self, message: CheckRequest | None) -> None:
        assert self.connection is not None
        try:
            self.connection.send(message)
        except OSError:
            self.lost(self.connection)

    def take(self, connection: Connection, answer: CheckAnswer) -> None:
        """An answer of the process that is running."""
        running = self.running
        if connection is not self.connection or running is None or answer.number != running.number:
            return
        over = answer.done or answer.stopped
        if over:
            self.running, self.stopping = None, False
            if self.deadline is not None:
                self.deadline.cancel()
        if answer.stopped and not self.dropped:
            self.waiting.setdefault(running.path, running)
        elif not answer.stopped and running.path not in self.waiting:
            self.told(self.task, running, answer)
        self.dropped = self.dropped and not over
        if over:
            self.go_on()

    def too_slow(self) -> None:
        """Nothing is waited for any longer."""
        self.replace(Problem("too-slow", "checking this document takes too long", None, "make it simpler"))

    def lost(self, connection: Connection) -> None:
        """The process has ended."""
        if connection is self.connection:
            self.replace(Problem("check-failed", "this document could not be checked", None, "please report it"))

    def replace(self, problem: Problem) -> None:
        """Start another process; what was running is answered with a problem."""
        running = self.running
        self.end()
        self.running, self.stopping, self.dropped = None, False, False
        if running is not None and running.path not in self.waiting:
            place = Place(Source(str(running.path), running.texts.get(running.path, "")), 1, 1)
            found = Problem(problem.code, problem.message, place, problem.hint)
            self.told(
                self.task, running, CheckAnswer(running.number, running.path, (*running.problems, found), done=True)
            )
        self.start()
        self.go_on()

    def end(self) -> None:
        """End the process."""
        if self.deadline is not None:
            self.deadline.cancel()
        connection, self.connection = self.connection, None
        if self.process is not None and self.process.is_alive():
            self.process.terminate()
        if connection is not None:
            connection.close()


@dataclass
class Checker:
    """Checks documents, and again those that depend on one that changes. `texts`: gives the open texts; `told`: is told
    of the problems of a document so far, of tallies, and of what is not covered where that is asked for."""

    texts: Callable[[], dict[Path, str]]
    told: Callable[[Task, CheckAnswer], None]
    number: int = 0
    asked: dict[Path, frozenset[str]] = field(default_factory=dict)
    processes: dict[Task, CheckProcess] = field(default_factory=dict)

    def start(self) -> None:
        for task in ("static", "examples"):
            self.begin(task)

    def begin(self, task: Task) -> None:
        self.processes[task] = CheckProcess(task, self.answered)
        self.processes[task].start()

    def end(self) -> None:
        for process in self.processes.values():
            process.end()

    def check(self, path: Path) -> None:
        """Check a document that was opened or edited, then those that depend on it."""
        self.processes["examples"].forget(path)
        self.ask("static", path, ())
        for other in self.dependent(path):
            self.processes["examples"].forget(other)
            self.ask("static", other, (), first=False)

    def cover(self, path: Path) -> None:
        """Find what no example of a document reaches."""
        if "coverage" not in self.processes:
            self.begin("coverage")
        self.ask("coverage", path, ())

    def forget(self, path: Path) -> None:
        """A document was closed."""
        self.asked.pop(path, None)
        for process in self.processes.values():
            process.forget(path)

    def dependent(self, path: Path) -> list[Path]:
        """The documents whose last check looked at this one, or at all documents beside it."""
        names = {os.path.abspath(path), os.path.abspath(path.parent)}
        return [other for other, asked in self.asked.items() if other != path and names & asked]

    def ask(self, task: Task, path: Path, problems: tuple[Problem, ...], *, first: bool = True) -> None:
        texts = self.texts()
        if path in texts:
            self.number += 1
            self.processes[task].ask(CheckRequest(self.number, path, texts, problems), first=first)

    def answered(self, task: Task, request: CheckRequest, answer: CheckAnswer) -> None:
        """A stage is done; of a text that has changed since, nobody is told."""
        if self.texts().get(answer.path) != request.texts.get(answer.path):
            return
        if answer.done:
            self.asked[answer.path] = self.asked.get(answer.path, frozenset()) | answer.asked
        self.told(task, answer)
        if answer.done and task == "static":
            self.ask("examples", answer.path, answer.problems, first=False)
