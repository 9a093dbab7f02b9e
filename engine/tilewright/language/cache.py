"""The cache: compiled rulesets on disk, valid until one of their source texts changes; and what was made of them.

An entry is found by the request (name, settings, mods) and is valid if every file that was read, or looked for and not
found, is unchanged. Any failure of the cache is treated as a miss. An entry may have been damaged or tampered with: it
has a checksum, must be a file of this user in a folder of this user, and only classes of rulesets can be loaded from
it. Knows no rulesets.
"""

import hashlib
import io
import pickle
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tilewright.base.files import BadCacheEntry, entries_are_used, entry_at, folder, folders, write_entry
from tilewright.base.problem import RulesetError
from tilewright.base.version import __version__
from tilewright.language.companions.files import beside, pattern_of
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.bundled import data_folder
from tilewright.language.documents.library import looked_at, path_of, shown
from tilewright.language.documents.options import read_mod
from tilewright.language.marks import code_of_package, mark_of

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


# --- keeping and recalling


def recall(key: CacheKey) -> CompiledRuleset | None:
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


def keep(key: CacheKey, read: Iterable[Path], data: CompiledRuleset) -> None:
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
