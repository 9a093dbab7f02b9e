"""Files as documents are read from them: what an editor has not saved yet takes precedence over what is on disk.

`unsaved` gives the texts that are open in an editor; until it ends, every document is read with them, in this thread
alone. Knows no document.
"""

import os
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

R = TypeVar("R")
FileStamp = tuple[int, int, int] | None  # what changes with a file: its time, size and number; None: there is none


def stamp_of(name: str) -> FileStamp:
    """What tells cheaply whether a file or a folder was changed."""
    try:
        status = os.stat(name)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


@dataclass(frozen=True, slots=True)
class Unsaved:
    """Unsaved contents by absolute path. `asked`: the files and folders that were looked at since, in absolute paths,
    whether they exist or not, as they were on disk then; `made`: what was made of them, which stays as it was."""

    contents: Mapping[str, bytes]
    asked: dict[str, FileStamp] = field(default_factory=dict)
    made: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def at(self, path: Path) -> bytes | None:
        """The unsaved content of a file; None if it is as on disk."""
        return self.contents.get(self.looked_at(path))

    def looked_at(self, path: Path) -> str:
        """The absolute path of a file or folder, which is noted."""
        name = os.path.abspath(path)
        if name not in self.asked:
            self.asked[name] = stamp_of(name)
        return name

    def within(self, folder: Path, suffixes: Collection[str]) -> Iterator[Path]:
        """The unsaved files of a folder."""
        name = self.looked_at(folder)
        for path in self.contents:
            if os.path.dirname(path) == name and os.path.splitext(path)[1].lower() in suffixes:
                yield folder / os.path.basename(path)


OPEN: ContextVar[Unsaved | None] = ContextVar("unsaved", default=None)


@contextmanager
def unsaved(texts: Mapping[Path, str]) -> Iterator[Unsaved]:
    """Read these texts in place of the files of these paths."""
    contents = {os.path.abspath(path): text.encode("utf-8", "replace") for path, text in texts.items()}
    token = OPEN.set(found := Unsaved(contents))
    try:
        yield found
    finally:
        OPEN.reset(token)


def unsaved_at(path: Path) -> bytes | None:
    """The content of a file in the editor; None if it is not open there."""
    opened = OPEN.get()
    return None if opened is None else opened.at(path)


def made_once(what: Hashable, make: Callable[[], R]) -> R:
    """What is made of files: once until `unsaved` ends, without it every time."""
    if (opened := OPEN.get()) is None:
        return make()
    if what not in opened.made:
        opened.made[what] = make()
    found: R = opened.made[what]
    return found


def looks_at(folder: Path) -> None:
    """Note that what is read depends on the names in a folder."""
    if (opened := OPEN.get()) is not None:
        opened.looked_at(folder)


def is_file(path: Path) -> bool:
    """Whether this is a regular file, whatever its name looks like: not a folder, pipe or device."""
    try:
        return unsaved_at(path) is not None or path.is_file()
    except (OSError, ValueError):
        return False


def files_in(folder: Path, suffixes: Collection[str]) -> list[Path]:
    """The files of a folder whose names end so, in small or capital letters, in order."""
    opened = OPEN.get()
    more = () if opened is None else opened.within(folder, suffixes)
    try:
        names = os.listdir(folder)
    except OSError:
        names = []
    found = {folder / name for name in names if os.path.splitext(name)[1].lower() in suffixes}
    return sorted(found.union(more))


def from_folder(name: str, folder: Path) -> str:
    """The path of a file as it is from a folder, with slashes; what lies on another drive keeps its own."""
    try:
        return Path(os.path.relpath(name, folder)).as_posix()
    except ValueError:
        return Path(name).absolute().as_posix()
