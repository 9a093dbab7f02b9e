"""Places of packs: a folder or a file in; the lock that is for it, and the folders of the packs beside that lock, out.

Knows no lock from inside.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from tilewright.base.files import is_file
from tilewright.language.packs.references import PACKS, Reference

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
