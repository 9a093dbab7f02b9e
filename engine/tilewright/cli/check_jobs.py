"""Checks of many files: their results in the same order, kept or made now, by one process or several, once or again.

A kept result is found by the request: the file as it was named, from which folder, with which options and mods, and by
which code. It is valid if every file and folder that was looked at is as it was. Any failure of the cache is a miss.
With `--watch` files are checked again when something that they depend on changes: files are known by their times and
sizes, folders by the names in them. Knows no document, and executes nothing that it reads.
"""

import hashlib
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep
from typing import Generic, TypeVar

from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.authoring.project import FILE
from tilewright.base.files import FileStamp, entry_at, folder, stamp_of, unsaved, without_entries, write_entry
from tilewright.base.problem import Source
from tilewright.cli import check_files
from tilewright.cli.check_files import DASH, CheckResult, read_result, written_result
from tilewright.cli.progress import passing_line
from tilewright.language.documents.bundled import installed_folders
from tilewright.language.documents.former import OldName
from tilewright.language.documents.library import SUFFIXES
from tilewright.language.load import code_of_package, mark_of

FORMAT = 1  # raised when the layout of entries changes
ENTRY = ".check"
MOST_ENTRIES = 1_000  # the oldest go first
MOST_BYTES = 4_000_000  # of an entry
FLEETING = ("slow-pattern",)  # codes of problems that another run may not have
KINDS = ("base", "ruleset", "mod", "card", "cases")  # others are tried every time


@dataclass(frozen=True, slots=True)
class KeptResults:
    """The results of earlier checks with these choices. `own`: inherited examples and cases were not tried; `marks`: of
    the files and folders that were looked at in this run."""

    choices: RulesChoice
    own: bool = False
    marks: dict[tuple[str, FileStamp], str] = field(default_factory=dict)

    def recalled(self, file: str) -> CheckResult | None:
        """The result of an earlier check, if there is one and nothing has changed since."""
        with suppress(Exception):
            entry = json.loads(entry_at(self.entry(file)))
            if all(self.mark(path) == mark for path, mark in entry["seen"]):
                return read_result(entry["result"], entry["sources"])
        return None

    def checked_now(self, file: str) -> CheckResult:
        """The result of a check, which is kept."""
        with unsaved({}) as looked:
            found = check_files.check_in_project(file, self.choices, own=self.own)
        if found.kind in KINDS and file != DASH and not any(one.code in FLEETING for one in found.problems):
            with suppress(Exception):
                self.keep(file, found, looked.asked)
        return found

    def keep(self, file: str, found: CheckResult, seen: Mapping[str, FileStamp]) -> None:
        """Keep a result, unless something was changed meanwhile. `seen`: what it depends on, as it was."""
        marks = [(path, self.mark(path)) for path in sorted(seen)]
        if any(stamp_of(path) != stamp for path, stamp in seen.items()):
            return
        sources: dict[Source, int] = {}
        result = written_result(found, sources)
        texts = [(source.name, source.text) for source in sources]
        content = json.dumps({"seen": marks, "sources": texts, "result": result}).encode()
        if len(content) <= MOST_BYTES:
            write_entry(self.entry(file), content, MOST_ENTRIES)

    def entry(self, file: str) -> Path:
        """The path of the entry of a file."""
        choices = sorted(self.choices.settings.items()), self.choices.mods, self.choices.notation, self.own
        request = os.getcwd(), file, *choices, list(map(str, installed_folders()))
        name = repr((FORMAT, code_of_package(), sys.version_info[:2], request))
        return folder() / f"{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()}{ENTRY}"

    def mark(self, path: str) -> str:
        """What tells whether a file, or the names in a folder, have changed."""
        key = path, stamp_of(path)
        if key not in self.marks:
            self.marks[key] = names_mark(path) if os.path.isdir(path) else mark_of(Path(path))
        return self.marks[key]


def names_mark(folder: str) -> str:
    """The hash of the names in a folder, but for hidden ones and backups."""
    names = sorted(name for name in os.listdir(folder) if not name.startswith(".") and not name.endswith("~"))
    return hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()


# --- by one process or several


def results(
    files: Sequence[str], choices: RulesChoice, *, own: bool = False, jobs: int, cached: bool
) -> Iterator[CheckResult]:
    """The result of each file. `own`: inherited examples and cases are not tried; `cached`: earlier results and
    rulesets are used, and those of now are kept."""
    with nullcontext() if cached else without_entries():
        kept = KeptResults(choices, own)
        known = {file: found for file in files if (found := kept.recalled(file)) is not None}
        todo = [file for file in files if file not in known]
        checked: Iterator[CheckResult] = map(kept.checked_now, todo)
        if jobs > 1 and len(todo) > 1:
            checked = together(todo, kept, jobs, cached)
        for number, file in enumerate(files, 1):
            with passing_line(f"{number} of {len(files)}: {file}"):
                result = known[file] if file in known else next(checked)
            yield result


def together(files: Sequence[str], kept: KeptResults, jobs: int, cached: bool) -> Iterator[CheckResult]:
    """The results of files that are checked by several processes; what stands on stdin is checked in this one."""
    from tilewright.base.processes import deaf, pool_of  # imported here: most checks need one process

    with pool_of(min(jobs, len(files)), begin, kept.choices, kept.own, cached, stop=lambda: None) as pool:
        with deaf():  # a process that is started here ignores Ctrl-C, which is for its parent
            waiting = [None if file == DASH else pool.submit(work, file) for file in files]
        for file, found in zip(files, waiting, strict=True):
            yield kept.checked_now(file) if found is None else found.result()


BEGUN: list[tuple[KeptResults, bool]] = []  # what a process works with


def begin(choices: RulesChoice, own: bool, cached: bool) -> None:
    """Make a process ready to check; it exits when its parent is gone."""
    from tilewright.base.processes import serve_parent

    serve_parent()
    warnings.simplefilter("ignore", OldName)  # they are among the problems
    BEGUN.append((KeptResults(choices, own), cached))


def work(file: str) -> CheckResult:
    """The result of a file."""
    kept, cached = BEGUN[-1]
    with nullcontext() if cached else without_entries():
        return kept.checked_now(file)


# --- once or again


SECONDS = 0.4  # between two looks
R = TypeVar("R")
Stamp = tuple[object, ...]  # of a file its time and size, of a folder its names; empty if it is not there


class Watch(Generic[R]):
    """The files of a check. `find` names them, `check_one` checks one; `asked`: what each of them depends on, in
    absolute paths; `stamps`: all of that as it was when it was looked at."""

    def __init__(self, find: Callable[[], Sequence[str]], check_one: Callable[[str], R]) -> None:
        self.find, self.check_one = find, check_one
        self.asked: dict[str, frozenset[str]] = {}
        self.stamps: dict[str, Stamp] = {}

    def rounds(self, wait: Callable[[], object] = lambda: sleep(SECONDS)) -> Iterator[Sequence[str]]:
        """All files, then those that depend on what has changed, whenever something has. They are checked by
        `check`."""
        files = self.find()
        yield files
        while True:
            self.look_at(os.path.dirname(os.path.abspath(file)) for file in files)
            while not (changed := self.changed()):
                wait()
            with suppress(CannotBegin):  # a folder may be empty for a moment
                files = self.find()
            if depending := [file for file in files if file not in self.asked or changed & self.asked[file]]:
                yield depending

    def check(self, file: str) -> R:
        """Check a file, and note what it depends on: documents, folders, project files, whether they are there."""
        where = Path(file).absolute()
        self.look_at([str(where)])
        with unsaved({}) as opened:
            checked = self.check_one(file)
        projects = (str(folder / FILE) for folder in where.parents)
        self.asked[file] = frozenset((str(where), *opened.asked, *projects))
        self.look_at(self.asked[file])
        return checked

    def look_at(self, names: Iterable[str]) -> None:
        self.stamps |= {name: seen_of(name) for name in names if name not in self.stamps}

    def changed(self) -> set[str]:
        """What is no longer as it was."""
        now = {name: seen_of(name) for name in self.stamps}
        before, self.stamps = self.stamps, now
        return {name for name, stamp in now.items() if stamp != before[name]}


def seen_of(name: str) -> Stamp:
    try:
        found = os.stat(name)
        if not os.path.isdir(name):
            return found.st_mtime_ns, found.st_size
        with os.scandir(name) as entries:
            return tuple(sorted(one.name for one in entries if one.is_dir() or is_read(one.name)))
    except (OSError, ValueError):
        return ()


def is_read(name: str) -> bool:
    """Whether a file of this name may be checked, and is none that an editor keeps for a moment."""
    return not name.startswith(".") and os.path.splitext(name)[1].lower() in (*SUFFIXES, ".txt", ".jsonl", ".toml")
