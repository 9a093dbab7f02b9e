"""Finding documents: by path, next to the document that names them, in a pack, or among the bundled ones.

Each text is parsed once in a process. Of its contents, only its kind is known here.
"""

import os
import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Map
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.base.files import files_in, is_file, made_once
from tilewright.base.memory import latest
from tilewright.base.node import Mapping
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.base.spelling import hint
from tilewright.language.documents.bundled import (
    bundled_file,
    data_folder,
    document_folders,
    documents_of,
    installed_folders,
    ruleset_folders,
)
from tilewright.language.documents.companions import (
    ENDINGS,
    OWN_LANGUAGE,
    beside,
    documents_in,
    is_companion,
    joined,
    written_parts,
)
from tilewright.language.documents.fields import kind_of, nowhere, text
from tilewright.language.documents.packs import PACKS, Reference, reference_of
from tilewright.language.documents.schema import (
    NOTHING,
    SECTIONS_BY_KIND,
    Schema,
    below,
    document_schema,
    is_fingerprint,
    is_translated,
    items,
)
from tilewright.language.documents.shape import REMEMBERED, bad_name

if TYPE_CHECKING:
    from tilewright.cards.model import Card
    from tilewright.language.documents.locked_packs import PackHead, PackSearch
    from tilewright.language.documents.shape import Identical

SUFFIXES = ENDINGS
PLAIN = (".txt",)  # a card as plain text
CARD = "card"
MARK = "tilewright"  # the key that every document has
CLAIM = re.compile(  # to be a document, in a text that cannot be read to its end
    rf"""\b{MARK}["']?\s*:|\bkind["']?\s*:\s*["']?({"|".join(SECTIONS_BY_KIND)})\b"""
)
POSSIBLE = re.compile(rf"{MARK}|kind|\\")  # keys may be written with escapes
IN_PLACE: ContextVar[Map[str, Mapping] | None] = ContextVar("in_place", default=None)  # by absolute path
CONFINED: list[Path] = []  # the only folders in which paths are found; empty: no restriction


def confine(folder: Path) -> None:
    """From now on a path leads only to files below this folder and to bundled ones; ids mean the same as ever."""
    CONFINED[:] = [folder.resolve(), *(other.resolve() for other in document_folders())]


def is_allowed(path: Path) -> bool:
    """Whether a path may lead to this file."""
    try:
        return not CONFINED or any(path.resolve().is_relative_to(folder) for folder in CONFINED)
    except (OSError, RuntimeError, ValueError):
        return False


def path_of(
    name: str,
    folder: Path | None = None,
    place: Place | None = None,
    what: str = "document",
    others: Iterable[str] = (),
) -> Path:
    """The file that a name means: a path, a file of that id in the folder, a document of a pack, or a bundled one.
    `place`: of a name in a document, where paths are not allowed; `others`: suggestions, if there is none. Raises
    RulesetError."""
    if place is not None and names_a_file(name):
        raise RulesetError([bad_name(place, name)])
    if (meant := pack_reference(name, folder)) is not None:
        return pack_search().find(meant, pack_folder(folder), place)
    path = found_at(name, folder, plain=CARD in what.split(" or "))
    if path is None:
        raise RulesetError([no_document(name, folder, place, what, others)])
    check_packed(path)
    return path


def found_at(name: str, folder: Path | None, *, plain: bool) -> Path | None:
    """The first file where a document of this name is looked for."""
    files = partial(candidates, name, folder, plain)
    return made_once(("path", name, folder, plain), lambda: next(filter(is_file, files()), None))


def candidates(name: str, folder: Path | None = None, plain: bool = True) -> Iterator[Path]:
    """Where a document of this name is looked for, in order. `plain`: also cards as plain text."""
    if names_a_file(name) or "/" in name or "\\" in name:
        yield from (path for path in (Path(name),) if is_allowed(path))
        return
    if folder is not None:
        yield from (folder / f"{name}{suffix}" for suffix in with_capitals((*SUFFIXES, *(PLAIN if plain else ()))))
    if bundled := bundled_file(name):
        yield bundled


def looked_at(name: str, folder: Path | None) -> Iterator[Path]:
    """The files on which it depends what a name means, there or not, in order, up to the one that decides."""
    if (meant := pack_reference(name, folder)) is not None:
        yield from pack_search().looked_at(meant, pack_folder(folder))
        return
    for path in candidates(name, folder):
        yield path
        if is_file(path):
            return


# --- packs


def pack_reference(name: str, folder: Path | None = None) -> Reference | None:
    """The reference to a document of a pack that a name is. On the command line a file of that name comes first."""
    if "/" not in name or (folder is None and is_file(Path(name)) and is_allowed(Path(name))):
        return None
    return None if names_a_file(name) else reference_of(name)


def pack_folder(folder: Path | None) -> Path:
    """The folder whose packs are meant beside documents of a folder: bundled ones name no packs, so that a pack for one
    of them was named on the command line."""
    return Path() if folder is None or folder in document_folders() else folder


def check_packed(path: Path) -> None:
    """Raises RulesetError if a file lies in a folder of packs and is not part of an unchanged one."""
    if PACKS in path.absolute().parts:
        from tilewright.language.documents.locked_packs import (
            check_if_packed,  # imported here: most documents are of no pack
        )

        check_if_packed(path)


def pack_search() -> "PackSearch":
    """Where packs are looked for."""
    from tilewright.language.documents.locked_packs import PackSearch

    return PackSearch(pack_head, is_allowed, installed_folders, can_add=not CONFINED)


def pack_head(path: Path) -> "PackHead | None":
    """What the document in a file says of the pack that it is the head of; None if it cannot be read."""
    from tilewright.base.document import bytes_of  # imported here: only who names a pack needs it
    from tilewright.language.documents.locked_packs import PackHead

    try:
        document = read_once(shown(path), bytes_of(path, shown(path)))
    except (RulesetError, OSError):
        return None
    return PackHead(text(document, "publisher"), text(document, "version"))


def pack_documents(folder: Path) -> Iterator[Path]:
    """The documents of the packs that were added for documents of a folder, but for packs that are not what the lock
    says; none if it cannot be read."""
    from tilewright.language.documents.locked_packs import checked_pack, read_lock
    from tilewright.language.documents.packs import lock_for

    lock = lock_for(folder, is_allowed)
    if lock is None:
        return
    with suppress(RulesetError):
        for name, pack in sorted(read_lock(lock).packs.items()):
            with suppress(RulesetError):
                yield from files_in(checked_pack(lock, name, pack), SUFFIXES)


# --- reading


def read_document(path: Path) -> Mapping:
    """The document of a file in the newest edition, joined with its companions, with the shape of the schema. Raises
    RulesetError with all their problems."""
    from tilewright.language.documents.shape import differences  # imported here: a ruleset from the cache is not parsed

    if (part := in_place_at(path)) is not None:
        return without_problems(part, differences(part))
    return made_once(("document", path), lambda: read_from_files(path))


def read_from_files(path: Path) -> Mapping:
    document = newest(read_whole(path))
    return without_problems(document, shape_problems(document))


def without_problems(document: Mapping, found: Iterable[Problem]) -> Mapping:
    """The document. Raises RulesetError if any problem was found."""
    if problems := list(found):
        raise RulesetError(problems)
    return document


def newest(document: Mapping) -> Mapping:
    """The document, and its companions, in the newest edition of the language. Raises RulesetError for what a person
    has to change."""
    from tilewright.language.documents.shape import Identical  # imported here: a ruleset from the cache is not parsed

    found, removed = newest_parts(Identical(document))
    if removed:
        raise RulesetError(removed)
    return found


@latest(lambda one: one.document.place.source.name, REMEMBERED)
def newest_parts(one: "Identical") -> tuple[Mapping, tuple[Problem, ...]]:
    """The same, and what a person has to change; remembered by the text."""
    from tilewright.language.documents.former import in_newest_edition

    parts = written_parts(one.document)
    found = [in_newest_edition(part) for part in parts]
    removed = tuple(problem for part in found for problem in part.removed)
    if all(part.document is was for part, was in zip(found, parts, strict=True)):
        return one.document, removed
    document, *companions = (part.document for part in found)
    return joined(document, companions, text_places(document)), removed


def read_alone(path: Path) -> Mapping:
    """The document of a file in the newest edition, without its companions, whatever its shape. Raises RulesetError."""
    return written_parts(newest(read_whole(path)))[0]


@contextmanager
def in_place_of(path: Path, document: Mapping) -> Iterator[None]:
    """Read this document in place of that of a file: it is checked in part, and nothing made of it is kept."""
    token = IN_PLACE.set({**(IN_PLACE.get() or {}), os.path.abspath(path): document})
    try:
        yield
    finally:
        IN_PLACE.reset(token)


def in_place_at(path: Path) -> Mapping | None:
    """The document that is read in place of that of a file."""
    documents = IN_PLACE.get()
    return None if documents is None else documents.get(os.path.abspath(path))


def is_in_part() -> bool:
    """Whether some document is read in part."""
    return bool(IN_PLACE.get())


def read_whole(path: Path) -> Mapping:
    """The document of a file, joined with its companions, as it is written. Raises RulesetError."""
    from tilewright.base.document import bytes_of  # imported here: a ruleset from the cache is not parsed

    named = [(shown(file), file) for file in (path, *beside(path))]
    return joined_once(tuple((name, bytes_of(file, name)) for name, file in named))


def shape_problems(document: Mapping) -> Iterator[Problem]:
    """The differences from the schema of a document and of its companions, each by itself."""
    from tilewright.language.documents.shape import check_shape

    for one in written_parts(document):
        yield from check_shape(one)


def read_card(path: Path) -> "tuple[Card, tuple[Problem, ...]]":
    """The card of a file, YAML or plain text, and its problems except those of lines. Raises RulesetError if it is not
    a card."""
    from tilewright.cards.document import card_of, open_card  # imported here: a ruleset from the cache is not parsed

    if not is_document(path):
        return open_card(path, shown(path))
    document = newest(read_whole(path))
    shape = list(shape_problems(document))
    if kind_of(document) != CARD:
        raise RulesetError(shape or [not_a_card(document)])
    return card_of(document, shape)


def names_a_file(name: str) -> bool:
    """Whether a name ends as those of files of documents and cards do."""
    return name.lower().endswith((*SUFFIXES, *PLAIN))


def with_capitals(suffixes: Iterable[str]) -> Iterator[str]:
    """The ends of names that an id is looked for with."""
    return (written for suffix in suffixes for written in (suffix, suffix.upper()))


def is_document(path: Path) -> bool:
    """Whether the file is YAML, by its name; other files may be plain-text cards."""
    return path.suffix.lower() in SUFFIXES


def kind_at(path: Path) -> str:
    """The kind that a document declares, read no further than to there; empty if none is declared before a mistake."""
    try:
        return kind_in(beginning_at(path))
    except RulesetError:
        return ""


def kind_in(text: str) -> str:
    """The same of the text of a document."""
    from tilewright.base.document import head_of

    return kind_of(Mapping(head_of(text, "kind").entries, nowhere()))


def claims_to_be_ours(text: str) -> bool:
    """Whether a text in YAML is to be read as a document of ours: it has the mark or one of our kinds as an entry or,
    where it cannot be read to its end, anywhere."""
    from tilewright.base.document import head_of

    text = text.replace("\0", "")  # in UTF-16, which is a mistake of a document
    if POSSIBLE.search(text) is None:
        return False
    head = head_of(text, MARK)
    if MARK in head.entries or kind_of(Mapping(head.entries, nowhere())) in SECTIONS_BY_KIND:
        return True
    return head.stopped and CLAIM.search(text) is not None


def beginning_at(path: Path) -> str:
    """As much of a file as a document may have, in whatever encoding. Raises RulesetError if it cannot be read."""
    from tilewright.base.document import beginning_of

    return beginning_of(path, shown(path)).decode("utf-8", "replace")


def read_once(name: str, content: bytes) -> Mapping:
    """The document with this content, parsed once."""
    return joined_once(((name, content),))


@latest(lambda files: files[0][0], REMEMBERED)
def joined_once(files: tuple[tuple[str, bytes], ...]) -> Mapping:
    """The document in the first of some files, joined with its companions in this and in the others."""
    from tilewright.base.document import text_of

    document, *more = (part for name, content in files for part in documents_in(Source(name, text_of(content, name))))
    return joined(document, more, text_places(document))


def text_places(document: Mapping) -> "SchemaPlaces":
    """Where a document has texts."""
    kind = kind_of(document)
    return SchemaPlaces(document_schema(kind) if kind in SECTIONS_BY_KIND else NOTHING)


@dataclass(frozen=True, slots=True)
class SchemaPlaces:
    """Where the schema of a part of a document has texts for people."""

    part: Schema

    @property
    def exist(self) -> bool:
        return self.part is not NOTHING

    def has_text(self, key: str, language: str) -> bool:
        return is_translated(self.part, key) or (language == OWN_LANGUAGE and is_fingerprint(self.part, key))

    def below(self, key: str) -> "SchemaPlaces":
        return SchemaPlaces(below(self.part, key))

    def in_list(self) -> "SchemaPlaces":
        return SchemaPlaces(items(self.part))


def shown(path: Path) -> str:
    """The path as problems show it: as given; a bundled file relative to the current folder, if below it."""
    if path.is_absolute() and path.is_relative_to(data_folder("rulesets").parent):
        nearer = os.path.relpath(path)
        return nearer if not nearer.startswith("..") else str(path)
    return str(path)


def siblings(folder: Path) -> Iterator[Path]:
    """The documents of a folder, those of packs that were added, and the bundled ones, but for those that an earlier
    one hides."""
    seen = set()
    places = (*ruleset_folders(), *installed_folders())
    bundled = (path for place in places for path in files_in(place, SUFFIXES))
    for path in (*files_in(folder, SUFFIXES), *pack_documents(folder), *bundled):
        if path.stem not in seen and is_file(path) and not is_companion(path):
            seen.add(path.stem)
            yield path


def bundled_documents() -> Iterator[Path]:
    """Every bundled document."""
    return (path for folder in document_folders() for path in documents_of(folder))


# --- problems


def no_document(name: str, folder: Path | None, place: Place | None, what: str, others: Iterable[str] = ()) -> Problem:
    if names_a_file(name):
        return Problem("no-such-document", f"there is no file {name}", place)
    files = (Path(f"{name}{suffix}") for suffix in with_capitals((*SUFFIXES, *PLAIN)))
    here = next((file for file in files if is_allowed(file) and is_file(file)), None)
    if here is not None and place is None:
        return Problem("no-such-document", f"no {what} is called {name!r}", None, f"there is a file {here}: name it so")
    near = dict.fromkeys([*(siblings(folder) if folder is not None else ()), *bundled_documents()])
    if (other := next((path for path in near if path.stem == name), None)) is not None:  # base.Yaml
        way_out = f"there is a file {shown(other)}: call it {name}{other.suffix.lower()}"
        return Problem("no-such-document", f"no {what} is called {name!r}", place, way_out)
    known = [*others, *(path.stem for path in near if what == "document" or kind_at(path) in what.split(" or "))]
    return Problem("no-such-document", f"no {what} is called {name!r}", place, hint(name, known))


def not_a_card(document: Mapping) -> Problem:
    kind = kind_of(document)
    return Problem("not-a-card", f"a {kind} is not a card of hands", document.key("kind").place)
