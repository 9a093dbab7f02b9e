"""Loading: the name of a ruleset in; its compiled form out, from the cache if its texts are unchanged.

The cache has compiled rulesets on disk, and what was made of them. An entry is found by the request (name, settings,
mods) and is valid if every file that was read, or looked for and not found, is unchanged, and the code of this package
is. Any failure of the cache is treated as a miss. An entry may have been damaged or tampered with: it has a checksum,
must be a file of this user in a folder of this user, and only classes of rulesets can be loaded from it.
"""

import hashlib
import io
import os
import pickle
import sys
import warnings
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tilewright.base.files import (
    BadCacheEntry,
    entries_are_used,
    entry_at,
    folder,
    folders,
    is_file,
    unsaved_at,
    write_entry,
)
from tilewright.base.garbage import collector_paused
from tilewright.base.problem import RulesetError
from tilewright.base.version import __version__
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.bundled import data_folder
from tilewright.language.documents.companions import beside, names_like, pattern_of
from tilewright.language.documents.fields import text_at
from tilewright.language.documents.former import OldName
from tilewright.language.documents.library import looked_at, path_of, shown
from tilewright.language.documents.options import read_mod

if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset

NONE: Map[str, object] = {}


FORMAT = 10  # raised when the layout of compiled rulesets changes


MOST_ENTRIES, MOST_MADE = 500, 60  # the oldest go first


ENTRY = ".ruleset"


PLAIN = {("fractions", "Fraction")}


Made = TypeVar("Made")


Seen = tuple[tuple[str, str], ...]  # files with the hashes of their texts; "" for a missing one


@dataclass(frozen=True, slots=True)
class CacheKey:
    """A request for a ruleset."""

    name: str
    settings: tuple[tuple[str, str], ...]
    mods: tuple[str, ...]

    def file(self) -> Path:
        """The path of the entry; it does not depend on the contents of documents, but on how places name them."""
        started = [str(path_of(self.name).resolve()), *(str(path) for path in self.mod_paths())]
        names = [shown(path_of(self.name)), shown(data_folder("rulesets"))]
        asked = started, names, self.settings, self.mods
        parts = repr((FORMAT, __version__, code_of_package(), sys.version_info[:2], *asked))
        return folder() / f"{hashlib.sha256(parts.encode()).hexdigest()}{ENTRY}"

    def mod_paths(self) -> list[Path]:
        """The files of the mods; a name without one may be a preset of the documents."""
        beside, found = path_of(self.name).parent, []
        for text in self.mods:
            with suppress(RulesetError):
                found.append(path_of(read_mod(text)[0], beside, what="mod or card").resolve())
        return found


# --- loading


@dataclass(frozen=True, slots=True)
class Elaborated:
    """A ruleset in both forms: its merged documents and the compiled form."""

    merged: "MergedRuleset"
    data: CompiledRuleset


def load_data(
    name: str, settings: Map[str, object] = NONE, mods: Several[str] = (), *, keep: bool = True
) -> CompiledRuleset:
    """The compiled ruleset of a bundled id or a path; from the cache if its texts are unchanged. Raises RulesetError
    with every error of it. `keep`: it is put into the cache otherwise."""
    data = recall_compiled(key_of(name, settings, mods))
    data = data if data is not None else elaborated(name, settings, mods, keep=keep).data
    for text in data.old_names:
        warnings.warn(text, OldName, stacklevel=4)
    return data


def load_elaborated(name: str, settings: Map[str, object] = NONE, mods: Several[str] = ()) -> Elaborated:
    """The same with its documents, for callers that show their text."""
    data = recall_compiled(key_of(name, settings, mods))
    if data is None:
        return elaborated(name, settings, mods)
    from tilewright.language import elaborate

    return Elaborated(elaborate.open_whole(name, settings, mods), data)


def elaborated(name: str, settings: Map[str, object], mods: Several[str], *, keep: bool = True) -> Elaborated:
    """A ruleset elaborated now, and put into the cache."""
    with collector_paused():
        from tilewright.language import elaborate  # imported here: a ruleset from the cache is not parsed

        whole = elaborate.open_whole(name, settings, mods)
        data = elaborate.compiled(whole)
        if keep:
            keep_compiled(key_of(name, settings, mods), files_of(whole), data)
    return Elaborated(whole, data)


def key_of(name: str, settings: Map[str, object] = NONE, mods: Several[str] = ()) -> CacheKey:
    """The key of the compiled ruleset in the cache."""
    return CacheKey(name, tuple(sorted((id, str(value)) for id, value in settings.items())), tuple(mods))


def files_of(whole: "MergedRuleset") -> Iterator[Path]:
    """Every file that the whole depends on: those read, and those that would take precedence over them."""
    start = Path(whole.sources[0].name)
    yield start.resolve()
    for document in whole.origins:
        yield from companions_looked_for(Path(document.place.source.name))
        if base := text_at(document, "extends"):
            yield from looked_for(base, Path(document.place.source.name).parent)
    for text in whole.named.mods:
        yield from looked_for(read_mod(text)[0], start.parent)
    for played in whole.cards.values():
        yield from looked_for(played.path.stem, played.path.parent)
        yield played.path.resolve()


# --- the cache


def recall_compiled(key: CacheKey) -> CompiledRuleset | None:
    """The compiled ruleset of this key, if there is one and its documents are unchanged."""
    if not entries_are_used():
        return None
    with suppress(Exception):
        content = entry_at(key.file())
        seen, data = CacheReader(io.BytesIO(content)).load()
        if isinstance(data, CompiledRuleset) and all(mark_of(Path(name)) == mark for name, mark in seen):
            note_kept(data, content)
            return data
    return None


def keep_compiled(key: CacheKey, read: Iterable[Path], data: CompiledRuleset) -> None:
    """Store the compiled ruleset, with its source files. The file appears whole or not at all."""
    if not entries_are_used():
        return
    with suppress(Exception):
        seen: Seen = tuple((str(one), mark_of(one)) for one in dict.fromkeys(read))
        content = pickle.dumps((seen, data), protocol=5)
        write_entry(key.file(), content, MOST_ENTRIES)
        note_kept(data, content)


def note_kept(data: CompiledRuleset, content: bytes) -> None:
    """Note the checksum of the entry of a ruleset."""
    object.__setattr__(data, "kept", hashlib.sha256(content).hexdigest())


# --- what was made of a ruleset


def recall_made(data: CompiledRuleset, kind: type[Made]) -> Made | None:
    """What was made of a ruleset that is in the cache, and kept there."""
    for place in folders() if data.kept else ():
        with suppress(Exception):
            made = CacheReader(io.BytesIO(entry_at(place / file_of_made(data, kind)))).load()
            if isinstance(made, kind):
                return made
    return None


def keep_made(data: CompiledRuleset, made: object) -> None:
    """Store what was made of a ruleset that is in the cache; of others nothing says when it is the same again."""
    if data.kept:
        with suppress(Exception):
            path = folder() / file_of_made(data, type(made))
            write_entry(path, pickle.dumps(made, protocol=5), MOST_MADE)


def file_of_made(data: CompiledRuleset, kind: type) -> str:
    """The name of the file of what was made of a ruleset, by the code of now."""
    parts = repr((FORMAT, __version__, code_of_package(), sys.version_info[:2], data.kept))
    return f"{hashlib.sha256(parts.encode()).hexdigest()}.{kind.__name__.lower()}"


# --- safe reading


class CacheReader(pickle.Unpickler):
    """Reads an entry, making only the frozen values of this package."""

    def find_class(self, module: str, name: str) -> type:
        """The class of that name, if rulesets use it."""
        if (module, name) in PLAIN or (module.startswith("tilewright.") and "." not in name):
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise BadCacheEntry(f"{module}.{name}")


def looked_for(name: str, beside: Path) -> Iterator[Path]:
    """The files that a name may mean, up to the one that it means: a new earlier one would take precedence."""
    return (path.resolve() for path in looked_at(name, beside))


def companions_looked_for(path: Path) -> Iterator[Path]:
    """The files of the companions of a document, and the pattern of their names: there might be more."""
    yield pattern_of(path).resolve()
    yield from (file.resolve() for file in beside(path))


# --- what an entry is valid for

CODE = (".py", ".lark", ".json", ".so", ".pyd")
NO_CODE = ("__pycache__", "static")  # folders without what rules depend on


@cache
def code_of_package() -> str:
    """A fingerprint of the package's files and of the schemas: when its code changes, compiled rulesets may change."""
    package = Path(__file__).resolve().parents[1]
    stamps = [stamp for folder in (package, data_folder("schemas")) for stamp in stamps_in(folder)]
    return hashlib.sha256(repr((__version__, sorted(stamps))).encode()).hexdigest()


def stamps_in(folder: Path) -> Iterator[tuple[str, int]]:
    """The files of code and tables in a folder and below, each with the time of its last change."""
    for where, inside, files in os.walk(folder):
        inside[:] = [one for one in inside if one not in NO_CODE]
        paths = (os.path.join(where, name) for name in files if name.endswith(CODE))
        yield from ((path, os.stat(path).st_mtime_ns) for path in paths)


def mark_of(path: Path) -> str:
    """The hash of a file's text, or the names that fit a pattern; "" if there is no such file, or it is none."""
    if path.name.endswith(".*"):
        return " ".join(names_like(path))
    if not is_file(path):
        return ""
    content = unsaved_at(path)
    if content is not None:
        return hashlib.sha256(content).hexdigest()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
