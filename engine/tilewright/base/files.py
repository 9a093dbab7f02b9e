"""Files: written whole or not at all, kept in the user's cache folder, read over what an editor has not saved yet.

Any failure of a cache is treated as a miss by those who use it; entries are read only where nobody else can write.
`unsaved` gives the texts that are open in an editor; until it ends, every document is read with them, in this thread
alone. Knows no document and no rulesets.
"""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

MOST = 256_000_000  # bytes of a file
MAGIC = b"tilewright"  # that an entry of a cache begins with
CHECKSUM = 32  # bytes after it


# --- written whole


def write_whole(path: Path, content: str | bytes, *, new: bool = False, private: bool = False) -> None:
    """Write a file, as `draft_of` says. A pipe or a device is written to."""
    data = content.encode() if isinstance(content, str) else content
    if not new and path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    with draft_of(path, new=new, private=private) as draft:
        draft.write_bytes(data)


@contextmanager
def draft_of(path: Path, *, new: bool = False, private: bool = False) -> Iterator[Path]:
    """Where to write what takes this place when the block ends; after an error nothing has changed. It gets the rights
    of the file that was there, else those that files of the user have; `private`: it is theirs alone. Raises OSError;
    `new`: FileExistsError where a file is there already."""
    target = path.resolve()
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as folder:
        draft = Path(folder) / target.name
        yield draft
        if private:
            draft.chmod(0o600)
        elif target.exists() and not new:
            shutil.copymode(target, draft)
        if new:
            os.link(draft, target)
        else:
            os.replace(draft, target)


# --- of a cache


class BadCacheEntry(Exception):
    """Not a file that we wrote."""


ENTRIES_USED: ContextVar[bool] = ContextVar("entries_used", default=True)


@contextmanager
def without_entries() -> Iterator[None]:
    """Until the block ends no entry is there, and none is written."""
    token = ENTRIES_USED.set(False)
    try:
        yield
    finally:
        ENTRIES_USED.reset(token)


def entries_are_used() -> bool:
    """Whether entries are looked for and written."""
    return ENTRIES_USED.get()


def folder() -> Path:
    """The folder: TILEWRIGHT_CACHE, or the user's cache folder."""
    if chosen := os.environ.get("TILEWRIGHT_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tilewright"


READ_TOO: list[Path] = []  # folders that are read where the own one has no entry, and never written


def folders() -> Iterator[Path]:
    """The folders to look in for entries whose names say all that they depend on."""
    yield folder()
    yield from READ_TOO


def write_entry(path: Path, content: bytes, most: int) -> None:
    """Put a file into the cache, with its checksum: it appears whole or not at all. The oldest ones of its kind go,
    once there are more than `most`. Raises OSError, BadCacheEntry."""
    if not ENTRIES_USED.get():
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    only_of_user(path.parent.stat())
    write_whole(path, sealed(content), private=True)
    entries = list(path.parent.glob(f"*{path.suffix}"))
    if len(entries) > most:
        entries.sort(key=lambda entry: entry.stat().st_mtime)
        for entry in entries[: len(entries) - most * 3 // 4]:
            entry.unlink(missing_ok=True)


def entry_at(path: Path) -> bytes:
    """What was put into the cache there. Raises BadCacheEntry if a byte of it has changed, OSError."""
    if not ENTRIES_USED.get():
        raise BadCacheEntry(path)
    with opened(path) as file:
        return unsealed(file.read(MOST))


def sealed(content: bytes) -> bytes:
    return MAGIC + hashlib.sha256(content).digest() + content


def unsealed(data: bytes) -> bytes:
    start = len(MAGIC) + CHECKSUM
    content = data[start:]
    if data[:start] != MAGIC + hashlib.sha256(content).digest():
        raise BadCacheEntry("changed")
    return content


def opened(path: Path) -> BinaryIO:
    """The file, open for reading, if this user wrote it, in a folder where nobody else can write."""
    only_of_user(path.parent.stat())
    file = path.open("rb")
    try:
        status = os.fstat(file.fileno())
        only_of_user(status)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST:
            raise BadCacheEntry(path)
    except BaseException:
        file.close()
        raise
    return file


def only_of_user(status: os.stat_result) -> None:
    """Raises BadCacheEntry if another user could have written there."""
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
        raise BadCacheEntry("not of this user alone")


# --- as documents are read


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
