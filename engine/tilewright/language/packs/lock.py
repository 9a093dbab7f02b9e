"""The lock: `tilewright.lock` in; the packs that were added beside it, with the hashes of their files, out.

The lock lies beside the author's documents, the packs in the folder `packs` beside it, a folder for each. What is there
must be what the lock says, file by file. Knows no network and no archive.
"""

import hashlib
import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from tilewright.base.files import is_file, looks_at, unsaved_at
from tilewright.base.problem import Problem, RulesetError, Source
from tilewright.language.packs.places import LOCK, folder_of, lock_above
from tilewright.language.packs.references import PACK_NAME, PACKS

MOST_BYTES = 4_000_000  # of a lock
MOST_FILE = 256_000  # bytes of a file of a pack, as of a document
MOST_FILES = 64  # of a pack

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
PackName = Annotated[str, Meta(pattern=rf"^{PACK_NAME.pattern}$(?!\n)")]
FileName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]*$(?!\n)", max_length=100)]
ShortText = Annotated[str, Meta(max_length=2_000)]


class LockedPack(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A pack that was added. `range`: the versions that `update` may take; `source`: where it came from, for `update`,
    and `index`: the index that it was found in; `sha256`: of the archive; `needs`: the packs that it names, with
    ranges; `files`: hashes by name."""

    version: ShortText
    range: ShortText
    source: ShortText
    sha256: Digest
    language: int
    needs: dict[PackName, ShortText]
    files: Annotated[dict[FileName, Digest], Meta(max_length=MOST_FILES)]
    index: ShortText = ""


class Lock(Struct, frozen=True, forbid_unknown_fields=True):
    """`lock`: the version of this format."""

    lock: Literal[1] = 1
    packs: dict[PackName, LockedPack] = {}


def read_lock(path: Path) -> Lock:
    """The lock in a file. Raises RulesetError."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise ValueError("it is too large")
        return msgspec.json.decode(content, type=Lock)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise RulesetError([bad_lock(path, str(error))]) from None


def write_lock(lock: Lock) -> str:
    """The text of a lock, in order, a value a line."""
    ordered = msgspec.json.encode({"lock": lock.lock, **msgspec.to_builtins(lock)}, order="sorted")
    return msgspec.json.format(ordered, indent=2).decode() + "\n"


# --- is it unchanged?


def check_if_packed(path: Path) -> None:
    """Raises RulesetError if a file lies in a folder of packs and is not part of an unchanged one."""
    if (lock := lock_above(path)) is None:
        return
    name = "/".join(path.absolute().relative_to(lock.parent / PACKS).parts[:-1])
    pack = read_lock(lock).packs.get(name)
    if pack is None:
        raise RulesetError([unlocked(path, name)])
    checked_pack(lock, name, pack)


def checked_pack(lock: Path, name: str, pack: LockedPack) -> Path:
    """The folder of a pack, if its files are those of the lock. Raises RulesetError with every difference."""
    folder = folder_of(lock, name)
    found = files_in(folder)
    problems = [changed(folder / file, name, pack) for file, digest in pack.files.items() if found.get(file) != digest]
    problems += [added(folder / file, name) for file in found if file not in pack.files]
    if problems:
        raise RulesetError(problems)
    return folder


def files_in(folder: Path) -> dict[str, str]:
    """The hashes of everything in a folder, in order; "" for what is not a file of a pack: a folder, a link, a large
    file."""
    looks_at(folder)
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda one: one.name)
    except OSError:
        return {}
    return {entry.name: digest_of_entry(entry) for entry in found}


def digest_of_entry(entry: "os.DirEntry[str]") -> str:
    try:
        if not entry.is_file(follow_symlinks=False) or entry.stat(follow_symlinks=False).st_size > MOST_FILE:
            return ""
        path = Path(entry.path)
        content = unsaved_at(path)
        return hashlib.sha256(path.read_bytes() if content is None else content).hexdigest()
    except OSError:
        return ""


# --- problems


def bad_lock(path: Path, why: str) -> Problem:
    return Problem(
        "bad-lock",
        f"{path.name} cannot be read: {why[:1].lower()}{why[1:]}",
        Source(str(path), "").place(0),
        "`tilewright add` and `tilewright update` write it: take an earlier one, or delete it and add the packs again",
    )


def changed(path: Path, name: str, pack: LockedPack) -> Problem:
    what = f"is not that of {name} {pack.version}" if is_file(path) or path.exists() else "is missing"
    return Problem(
        "pack-changed",
        f"{path.name} of the pack {name} {what}, as {LOCK} says",
        Source(str(path), "").place(0),
        f"`tilewright update {name}` restores it; to change rules of a pack, extend it or write a mod",
    )


def unlocked(path: Path, name: str) -> Problem:
    return Problem(
        "pack-changed",
        f"{path.name} is in the folder {PACKS}, and {LOCK} has no pack {name}".rstrip(),
        Source(str(path), "").place(0),
        "documents of your own lie elsewhere; `tilewright add` brings packs",
    )


def added(path: Path, name: str) -> Problem:
    return Problem(
        "pack-changed",
        f"{path.name} does not belong to the pack {name}, as {LOCK} says",
        Source(str(path), "").place(0),
        "take it out of the folder of the pack",
    )
