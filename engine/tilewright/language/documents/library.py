"""Finding documents: by path, next to the document that names them, or among the bundled ones.

Each text is parsed once in a process. Of its contents, only its kind is known here.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.base.node import Mapping
from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.base.suggestion import hint
from tilewright.base.texts.files import files_in, is_file, unsaved_at
from tilewright.base.texts.latest import latest
from tilewright.language.documents.bundled import KINDS, bundled_file, data_folder
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.shape import REMEMBERED

if TYPE_CHECKING:
    from tilewright.cards.model import Card

SUFFIXES = (".yaml", ".yml", ".json")
PLAIN = (".txt",)  # a card as plain text
CARD = "card"
MOST_LOOKED_AT = 4_000  # characters at the beginning of a document, to find its kind
CONFINED: list[Path] = []  # the only folders in which paths are found; empty: no restriction


def confine(folder: Path) -> None:
    """From now on a path leads only to files below this folder and to bundled ones; ids mean the same as ever."""
    CONFINED[:] = [folder.resolve(), *(data_folder(kind).resolve() for kind in KINDS)]


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
    """The file that a name means: a path, a file of that id in the folder, or a bundled document. `others`:
    suggestions, if there is none."""
    for path in candidates(name, folder, plain=CARD in what.split(" or ")):
        if is_file(path):
            return path
    raise RulesetError([no_document(name, folder, place, what, others)])


def candidates(name: str, folder: Path | None = None, plain: bool = True) -> Iterator[Path]:
    """Where a document of this name is looked for, in order. `plain`: also cards as plain text."""
    if name.endswith((*SUFFIXES, *PLAIN)) or "/" in name or "\\" in name:
        yield from (path for path in (Path(name),) if is_allowed(path))
        return
    if folder is not None:
        yield folder / f"{name}.yaml"
        yield from (folder / f"{name}{suffix}" for suffix in PLAIN if plain)
    if bundled := bundled_file(name):
        yield bundled


def read_document(path: Path) -> Mapping:
    """The document of a file, with the shape of the schema. Raises RulesetError with all its problems."""
    from tilewright.base.document import bytes_of  # imported here: a ruleset from the cache is not parsed
    from tilewright.language.documents.shape import check_shape

    name = shown(path)
    document = read_once(name, bytes_of(path, name))
    if problems := list(check_shape(document)):
        raise RulesetError(problems)
    return document


def read_card(path: Path) -> "tuple[Card, tuple[Problem, ...]]":
    """The card of a file, YAML or plain text, and its problems except those of lines. Raises RulesetError if it is not
    a card."""
    from tilewright.base.document import bytes_of  # imported here: a ruleset from the cache is not parsed
    from tilewright.cards.document import card_of, open_card
    from tilewright.language.documents.shape import check_shape

    name = shown(path)
    if not is_document(path):
        return open_card(path, name)
    document = read_once(name, bytes_of(path, name))
    shape = list(check_shape(document))
    if kind_of(document) != CARD:
        raise RulesetError(shape or [not_a_card(document)])
    return card_of(document, shape)


def is_document(path: Path) -> bool:
    """Whether the file is YAML, by its name; other files may be plain-text cards."""
    return path.suffix.lower() in SUFFIXES


def says(path: Path, word: str) -> bool:
    """Whether the word occurs anywhere in a file: without it, the document need not be parsed."""
    from tilewright.base.document import bytes_of

    return word.encode() in bytes_of(path, shown(path))


def read_once(name: str, content: bytes) -> Mapping:
    """The document with this content, parsed once."""
    return parsed_once((name, content))


@latest(lambda named: named[0], REMEMBERED)
def parsed_once(named: tuple[str, bytes]) -> Mapping:
    from tilewright.base.document import parse_bytes

    return parse_bytes(named[1], named[0])


def shown(path: Path) -> str:
    """The path as problems show it: as given; a bundled file relative to the current folder, if below it."""
    if path.is_absolute() and path.is_relative_to(data_folder("rulesets").parent):
        nearer = os.path.relpath(path)
        return nearer if not nearer.startswith("..") else str(path)
    return str(path)


def siblings(folder: Path) -> Iterator[Path]:
    """The documents of a folder, and the bundled ones that no file there hides."""
    seen = set()
    for place in (folder, data_folder("rulesets")):
        for path in files_in(place, ".yaml"):
            if path.stem not in seen and is_file(path):
                seen.add(path.stem)
                yield path


def bundled_documents() -> Iterator[Path]:
    """Every bundled document."""
    return (path for kind in KINDS for path in sorted(data_folder(kind).glob("*.yaml")))


# --- problems


def no_document(name: str, folder: Path | None, place: Place | None, what: str, others: Iterable[str] = ()) -> Problem:
    if name.endswith((*SUFFIXES, *PLAIN)):
        return Problem("no-such-document", f"there is no file {name}", place)
    files = (Path(f"{name}{suffix}") for suffix in (*SUFFIXES, *PLAIN))
    here = next((file for file in files if is_allowed(file) and is_file(file)), None)
    if here is not None and place is None:
        return Problem("no-such-document", f"no {what} is called {name!r}", None, f"there is a file {here}: name it so")
    near = dict.fromkeys([*(siblings(folder) if folder is not None else ()), *bundled_documents()])
    known = [*others, *(path.stem for path in near if looks_like(path, what))]
    return Problem("no-such-document", f"no {what} is called {name!r}", place, hint(name, known))


def not_a_card(document: Mapping) -> Problem:
    kind = kind_of(document)
    return Problem("not-a-card", f"a {kind} is not a card of hands", document.key("kind").place)


def looks_like(path: Path, what: str) -> bool:
    """Whether the document is of this kind, judging by its beginning."""
    content = unsaved_at(path)
    if content is not None:
        text = content[:MOST_LOOKED_AT].decode("utf-8", "replace")
    else:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(MOST_LOOKED_AT)
    kind = re.search(r"^kind:\s*(\w+)", text, re.MULTILINE)
    return kind is None or what == "document" or kind.group(1) in what.split(" or ")
