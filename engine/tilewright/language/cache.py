"""The cache: a compiled ruleset kept on disk, found again while no text that it was made of has changed.

An entry is found by what was asked for (name, settings, mods) and is good if every file that was read, or looked for
and not found, is as it was. Whatever is wrong with the cache, it is as if there were none. Knows no rulesets.
"""

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tilewright import __version__
from tilewright.language.library import candidates, path_of
from tilewright.language.options import read_mod
from tilewright.language.ruleset import RulesetData

FORMAT = 1  # raised when a compiled ruleset is laid out in another way
MAGIC = b"tilewright"
MOST = 64_000_000  # bytes of an entry
BROKEN = (
    OSError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    ImportError,
    IndexError,
    EOFError,
    pickle.PickleError,
    RecursionError,
    MemoryError,
)
Seen = tuple[tuple[str, str], ...]  # files with the hashes of their texts; "" for one that was not there


@dataclass(frozen=True, slots=True)
class Key:
    """What was asked for."""

    name: str
    settings: tuple[tuple[str, str], ...]
    mods: tuple[str, ...]

    def file(self) -> Path:
        """Where the entry lies; it does not depend on what the documents say."""
        started = [str(path_of(self.name).resolve()), *(str(path) for path in self.mod_paths())]
        said = repr((FORMAT, __version__, code_of_package(), sys.version_info[:2], started, self.settings, self.mods))
        return folder() / f"{hashlib.sha256(said.encode()).hexdigest()}.ruleset"

    def mod_paths(self) -> list[Path]:
        """The files of the mods."""
        beside = path_of(self.name).parent
        return [path_of(read_mod(text)[0], beside, what="mod").resolve() for text in self.mods]


def folder() -> Path:
    """Where entries lie: TILEWRIGHT_CACHE, or the user's folder for such things."""
    if chosen := os.environ.get("TILEWRIGHT_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tilewright"


@cache
def code_of_package() -> str:
    """A mark of the package's own files: when its code changes, so may what it compiles."""
    package = Path(__file__).resolve().parents[1]
    stamps = sorted((str(path), path.stat().st_mtime_ns) for kind in ("*.py", "*.lark") for path in package.rglob(kind))
    return hashlib.sha256(repr(stamps).encode()).hexdigest()


# --- keeping and recalling


def recall(key: Key) -> RulesetData | None:
    """The compiled ruleset of this key, if there is one and its documents are as they were."""
    with suppress(*BROKEN):
        path = key.file()
        if not is_ours(path):
            return None
        text = path.read_bytes()
        if not text.startswith(MAGIC):
            return None
        seen, data = pickle.loads(text[len(MAGIC) :])
        if isinstance(data, RulesetData) and all(mark_of(Path(name)) == mark for name, mark in seen):
            return data
    return None


def keep(key: Key, read: Iterable[Path], data: RulesetData) -> None:
    """Put the compiled ruleset away, with the files that it was made of. The file appears as a whole or not at all."""
    with suppress(*BROKEN):
        path = key.file()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        seen: Seen = tuple((str(one), mark_of(one)) for one in dict.fromkeys(read))
        write_whole(path, MAGIC + pickle.dumps((seen, data), protocol=5))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody sees a part of it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def is_ours(path: Path) -> bool:
    """Whether the entry is a file of this user, of a sensible size: unpickling what somebody else wrote is not safe."""
    status = path.stat()
    foreign = hasattr(os, "getuid") and status.st_uid != os.getuid()
    return not foreign and not status.st_mode & 0o022 and status.st_size <= MOST


def mark_of(path: Path) -> str:
    """The hash of a file's text; "" if there is no such file."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def looked_for(name: str, beside: Path) -> Iterator[Path]:
    """The files that a name may mean, up to the one that it means: one that appears would stand before it."""
    for path in candidates(name, beside):
        yield path.resolve()
        if path.is_file():
            return
