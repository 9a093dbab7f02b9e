"""Watching as `tilewright check --watch` does: files are checked again when something that they depend on changes.

Knows files by their times and sizes, and folders by the names in them; prints nothing.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Generic, TypeVar

from tilewright.authoring.open_rules import CannotBegin
from tilewright.authoring.project import FILE
from tilewright.base.texts.files import unsaved
from tilewright.language.documents.library import SUFFIXES

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
        self.stamps |= {name: stamp_of(name) for name in names if name not in self.stamps}

    def changed(self) -> set[str]:
        """What is no longer as it was."""
        now = {name: stamp_of(name) for name in self.stamps}
        before, self.stamps = self.stamps, now
        return {name for name, stamp in now.items() if stamp != before[name]}


def stamp_of(name: str) -> Stamp:
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
