"""The process that checks texts for the language server: requests in, the problems after each stage out.

It works on one request at a time, and stops between two stages, or two examples, as soon as there is another message:
the latest text wins. It keeps what it has read of documents that did not change.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal

from tilewright.authoring.coverage import COVERED, coverage_of, not_covered
from tilewright.authoring.editor.context import parsed, path_in
from tilewright.authoring.editor.symbols import ExampleTally, held_in, tallies
from tilewright.authoring.findings import NO_CHOICES, static_stages, tried
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.project import with_project_mods
from tilewright.base.compute.garbage import collect_rarely, collector_paused
from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.base.processes import serve_parent
from tilewright.base.texts.files import unsaved
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
