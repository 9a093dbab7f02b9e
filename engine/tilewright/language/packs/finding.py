"""Finding: a reference to a document of a pack in, with the folder of the document that names it; its file out.

In order: the author's own pack in that folder, the packs of the lock, the packs that Python packages bring. Knows no
shape of documents: a function of the caller reads their heads.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tilewright.base.files import files_in, is_file
from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.base.spelling import hint
from tilewright.language.packs.lock import checked_pack, read_lock
from tilewright.language.packs.places import folder_of, lock_files, lock_for
from tilewright.language.packs.references import ANY, Reference, checked_range, fits

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
        known = [file.stem for suffix in SUFFIXES for file in files_in(home, (suffix,))]
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
