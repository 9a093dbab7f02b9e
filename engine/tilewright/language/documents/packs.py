"""Packs as documents name them: references to documents of a pack, and where packs lie.

`riverside/taiwanese@^1`: publisher, pack, and the versions that are accepted, as npm writes ranges; without them any.
The document is the one that the pack is called after; `riverside/taiwanese/flowers` is another one. In: such a text, or
a folder or a file; out: its parts and whether a version fits, the lock that is for a folder, the folders of the packs
beside it. Reads no file, not even the lock.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.base.files import is_file
from tilewright.base.node import Scalar
from tilewright.base.problem import Place, Problem, RulesetError

if TYPE_CHECKING:
    from semantic_version import NpmSpec, Version

ID = "[a-z][a-z0-9_]*"
REFERENCE = re.compile(rf"(?P<publisher>{ID})/(?P<pack>{ID})(?:/(?P<document>{ID}))?(?:@(?P<range>.*))?", re.DOTALL)
PACK_NAME = re.compile(rf"{ID}/{ID}")
PACKS = "packs"  # the folder of packs that were added
MOST = 200  # characters
ANY = "*"


@dataclass(frozen=True, slots=True)
class Reference:
    """`publisher/pack/document@range`."""

    publisher: str
    pack: str
    document: str
    range: str = ANY

    @property
    def name(self) -> str:
        """The name of the pack."""
        return f"{self.publisher}/{self.pack}"

    def __str__(self) -> str:
        return self.name + (f"/{self.document}" if self.document != self.pack else "")

    @property
    def asked(self) -> str:
        """The pack with the range, as `add` takes it."""
        return self.name + (f"@{self.range}" if self.range != ANY else "")


def reference_of(text: str) -> Reference | None:
    """The reference that a text is; None if it names something else."""
    if len(text) > MOST or not (found := REFERENCE.fullmatch(text)):
        return None
    range = ANY if found["range"] is None else found["range"].strip()
    return Reference(found["publisher"], found["pack"], found["document"] or found["pack"], range)


def document_id(text: str) -> str:
    """The id of the document that a name means: of a reference, its document; an id is itself."""
    found = reference_of(text)
    return text if found is None else found.document


# --- versions


def version_of(text: str) -> "Version | None":
    """The version, if it is one."""
    from semantic_version import Version  # imported here: most documents name no versions

    try:
        return Version(text) if len(text) <= MOST else None
    except ValueError:
        return None


@lru_cache(maxsize=256)
def range_of(text: str) -> "NpmSpec | None":
    """The versions of a range, if it is one."""
    from semantic_version import NpmSpec

    try:
        return NpmSpec(text) if 0 < len(text) <= MOST else None
    except ValueError:
        return None


def fits(version: str, range: str) -> bool:
    """Whether a version is in a range. Versions before a release (2.0.0-beta.1) are only in ranges that name one."""
    found, wanted = version_of(version), range_of(range)
    return found is not None and wanted is not None and found in wanted


def checked_range(reference: Reference, place: Place | None) -> Reference:
    """The reference, if its range is one. Raises RulesetError."""
    if range_of(reference.range) is None:
        raise RulesetError([bad_range(reference, place)])
    return reference


def range_problems(nodes: Iterator[Scalar]) -> Iterator[Problem]:
    """The problems of ranges among names of documents."""
    for node in nodes:
        found = reference_of(node.text)
        if found is not None and range_of(found.range) is None:
            yield bad_range(found, node.place)


def bad_range(reference: Reference, place: Place | None) -> Problem:
    return Problem(
        "bad-range",
        f"{reference.range!r} is not a range of versions" if reference.range else "the versions are missing after @",
        place,
        f"{reference}@^1 (1.0.0 and all that change nothing of it), @~1.2 (1.2.x), @1.2.0 or '@>=1.2 <2'",
    )


# --- places

LOCK = "tilewright.lock"
MOST_FOLDERS = 64  # upwards, in which the lock is looked for


def lock_files(folder: Path, is_allowed: Callable[[Path], bool]) -> Iterator[Path]:
    """Where the lock for documents of a folder is looked for, the nearest first, up to the one that is there."""
    start = folder.absolute()
    for place in (start, *start.parents)[:MOST_FOLDERS]:
        path = place / LOCK
        if is_allowed(path):
            yield path if folder.is_absolute() else nearer(path)
            if is_file(path):
                return


def nearer(path: Path) -> Path:
    """The path from the current folder, if it is below that."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else Path(relative)


def lock_for(folder: Path, is_allowed: Callable[[Path], bool]) -> Path | None:
    """The lock for documents of a folder: beside them, or in a folder above."""
    return next((path for path in lock_files(folder, is_allowed) if is_file(path)), None)


def folder_of(lock: Path, name: str) -> Path:
    """The folder of a pack."""
    return lock.parent.joinpath(PACKS, *name.split("/"))


def lock_above(path: Path) -> Path | None:
    """The lock to whose packs a file belongs; None if it lies in no folder of packs."""
    if PACKS not in path.parts and PACKS not in path.absolute().parts:
        return None
    locks = (parent.parent / LOCK for parent in path.absolute().parents if parent.name == PACKS)
    return next((lock for lock in locks if is_file(lock)), None)


def name_in_pack(path: Path) -> str | None:
    """How a document of a pack that was added is named elsewhere; None if it is of none."""
    if (lock := lock_above(path)) is None:
        return None
    folder = path.absolute().relative_to(lock.parent / PACKS).parts[:-1]
    return str(Reference(*folder, path.stem)) if len(folder) == 2 else None
