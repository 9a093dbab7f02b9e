"""Packs that were added: `tilewright.lock` with the hashes of their files, and the file that a reference means.

The lock lies beside the author's documents, the packs in the folder `packs` beside it, a folder for each. What is there
must be what the lock says, file by file. A reference is looked for in the author's own pack in the folder of the
document that names it, in the packs of the lock, then in the packs that Python packages bring. Knows no network, no
archive and no shape of documents: a function of the caller reads their heads.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from tilewright.base.files import files_in as files_ending
from tilewright.base.files import is_file, looks_at, unsaved_at
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.base.spelling import hint
from tilewright.language.documents.packs import (
    ANY,
    LOCK,
    PACK_NAME,
    PACKS,
    Reference,
    checked_range,
    fits,
    folder_of,
    lock_above,
    lock_files,
    lock_for,
)

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


# --- finding

SUFFIXES = (".yaml", ".txt")  # of documents, and of cards as plain text
BESIDE = "its document is beside this one: change its `version`, or the range"
INSTALLED = "a Python package brings it: install another version of that package, or change the range"


@dataclass(frozen=True, slots=True)
class PackHead:
    """What a document says of the pack that it is the head of."""

    publisher: str
    version: str


@dataclass(frozen=True, slots=True)
class PackSearch:
    """Where packs are looked for. `head`: of the document of a file, None if there is none; `is_allowed`: whether a
    path may be used; `installed`: the folders of documents of Python packages; `can_add`: whether whoever reads the
    problems can add packs."""

    head: Callable[[Path], PackHead | None]
    is_allowed: Callable[[Path], bool]
    installed: Callable[[], Iterable[Path]] = tuple
    can_add: bool = True

    def find(self, meant: Reference, folder: Path, place: Place | None) -> Path:
        """The file of the document. Raises RulesetError if there is none, its version does not fit, or the pack is not
        what the lock says."""
        checked_range(meant, place)
        home = self.home(meant, folder, place)
        for suffix in SUFFIXES:
            if is_file(path := home / f"{meant.document}{suffix}"):
                return path
        known = [file.stem for suffix in SUFFIXES for file in files_ending(home, (suffix,))]
        raise RulesetError([no_document_in_pack(meant, known, place)])

    def home(self, meant: Reference, folder: Path, place: Place | None) -> Path:
        """The folder of the pack. Raises RulesetError."""
        if (version := self.version_in(meant, folder)) is not None:
            return checked_version(meant, version, folder, place, BESIDE)
        lock = lock_for(folder, self.is_allowed)
        locked = read_lock(lock).packs.get(meant.name) if lock is not None else None
        if lock is not None and locked is not None:
            if not fits(locked.version, meant.range):
                replaced = f"`tilewright add {meant.asked} --index URL`, or with a file, brings another version"
                raise RulesetError([wrong_version(meant, locked.version, place, replaced)])
            try:
                return checked_pack(lock, meant.name, locked)
            except RulesetError as error:
                raise RulesetError(at_reference(error, place)) from None
        for other in self.installed():
            if (version := self.version_in(meant, other)) is not None:
                return checked_version(meant, version, other, place, INSTALLED)
        raise RulesetError([no_pack(meant, place, self.can_add)])

    def version_in(self, meant: Reference, folder: Path) -> str | None:
        """The version of the pack whose head lies in a folder; None if it does not."""
        path = folder / f"{meant.pack}.yaml"
        head = self.head(path) if self.is_allowed(path) and is_file(path) else None
        return head.version if head is not None and head.publisher == meant.publisher else None

    def looked_at(self, meant: Reference, folder: Path) -> Iterator[Path]:
        """The files on which it depends what a reference means, whether they are there or not."""
        yield folder / f"{meant.pack}.yaml"
        yield from (folder / f"{meant.document}{suffix}" for suffix in SUFFIXES)
        for lock in lock_files(folder, self.is_allowed):
            yield lock
            yield from (folder_of(lock, meant.name) / f"{meant.document}{suffix}" for suffix in SUFFIXES)


def at_reference(error: RulesetError, place: Place | None) -> list[Problem]:
    """Problems of files of a pack, told at the reference where there is one."""
    return [one if place is None else replace(one, place=place) for one in error.problems]


def checked_version(meant: Reference, version: str, folder: Path, place: Place | None, way_out: str) -> Path:
    """The folder, if the version of the pack in it fits. Raises RulesetError."""
    if meant.range != ANY and not fits(version, meant.range):
        raise RulesetError([wrong_version(meant, version, place, way_out)])
    return folder


# --- problems


def no_pack(meant: Reference, place: Place | None, can_add: bool) -> Problem:
    way_out = f"add it with: tilewright add {meant.asked} --index URL, or tilewright add FILE.zip"
    return Problem(
        "no-such-pack",
        f"the pack {meant.name} is not here",
        place,
        way_out if can_add else f"import it, or have a text with publisher: {meant.publisher} and id: {meant.pack}",
    )


def wrong_version(meant: Reference, version: str, place: Place | None, way_out: str) -> Problem:
    is_version = f"is version {version}" if version else "has no version"
    return Problem(
        "pack-version",
        f"{meant.name} {is_version} here, and {meant.range} is asked for",
        place,
        way_out,
    )


def no_document_in_pack(meant: Reference, known: list[str], place: Place | None) -> Problem:
    return Problem(
        "no-such-document", f"the pack {meant.name} has no {meant.document}", place, hint(meant.document, known)
    )
