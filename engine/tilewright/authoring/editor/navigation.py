"""Navigation: where a name is declared and used, in the document, in all that it extends and all that extends it, and
in mods; and new names for all of these places.

Documents are those next to the one that is asked about, those that are open, and bundled ones.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilewright.authoring.editor.completion import naming_documents
from tilewright.authoring.editor.context import (
    EditedDocument,
    TextEdit,
    TextLocation,
    TextPlace,
    TextRange,
    Workspace,
    document_kind,
    parsed,
    path_in,
    schema_at,
)
from tilewright.authoring.editor.scanning import reference_around, spot_at
from tilewright.authoring.editor.symbols import (
    IN_EXPRESSIONS,
    Candidates,
    NameInText,
    Symbol,
    entries_of,
    names_in,
    symbol_of,
)
from tilewright.base.files import made_once
from tilewright.base.node import Mapping
from tilewright.base.problem import RulesetError
from tilewright.language.documents.bundled import document_folders
from tilewright.language.documents.companions import document_of
from tilewright.language.documents.former import SECTIONS
from tilewright.language.documents.library import is_document, path_of, siblings
from tilewright.language.documents.packs import lock_above
from tilewright.language.documents.schema import items
from tilewright.language.documents.whole import is_for, line_of
from tilewright.language.expressions.names import RESERVED
from tilewright.play.layout import BONUS, HAND, MELDS, START, WALL

NAME = re.compile(r"[a-z][a-z0-9_]*")
MOST_DOCUMENTS = 400
MOST_SYMBOLS = 1_000
OF_WORDS = tuple(part for part in IN_EXPRESSIONS if part not in ("actions", "offers", "patterns", "payments"))
OF_THE_LANGUAGE = {"zones": (WALL, HAND, MELDS, BONUS), "phases": (START,), "payments": ("win",)}


class CannotRename(Exception):
    """A name cannot be changed, and why."""


@dataclass(frozen=True, slots=True)
class NamedSymbol:
    """The symbol at a place, and the range of its name there."""

    symbol: Symbol
    range: TextRange


def definition(workspace: Workspace, path: Path, at: TextPlace) -> tuple[TextLocation, ...]:
    """Where the name at a place is declared; of one that is declared there, where else, nearest first. Of the name of a
    document, that document."""
    with workspace.reading():
        document = EditedDocument.of(workspace, path)
        if (other := document_named(document, at)) is not None:
            return (TextLocation(other, TextRange(TextPlace(1, 1), TextPlace(1, 1))),)
        found = symbol_at(document, at)
        if found is None:
            return ()
        over = documents_over(document_of(path))
        places = [one for other in over for one in locations(other, found.symbol) if one.declares]
        elsewhere = [one for one in map(location_of, places) if (one.path, one.range) != (path, found.range)]
        return tuple(dict.fromkeys(elsewhere)) or tuple(dict.fromkeys(map(location_of, places)))


def references(workspace: Workspace, path: Path, at: TextPlace, declarations: bool = True) -> tuple[TextLocation, ...]:
    """Every place of the name at a place, with or without its declarations, in the order of files and lines."""
    with workspace.reading():
        found = symbol_at(EditedDocument.of(workspace, path), at)
        if found is None:
            return ()
        places = everywhere(workspace, path, found.symbol)
        return tuple(sorted({location_of(one) for one in places if declarations or not one.declares}))


def renamed_at(workspace: Workspace, path: Path, at: TextPlace) -> TextRange | None:
    """The range of the name at a place that may be given another; None if there is none."""
    with workspace.reading():
        found = symbol_at(EditedDocument.of(workspace, path), at)
        return None if found is None else found.range


def rename(workspace: Workspace, path: Path, at: TextPlace, new: str) -> tuple[TextEdit, ...]:
    """The edits that give the name at a place another. Raises CannotRename."""
    with workspace.reading():
        found = symbol_at(EditedDocument.of(workspace, path), at)
        if found is None:
            raise CannotRename("there is no name here that a document declares")
        if not NAME.fullmatch(new):
            raise CannotRename(f"{new!r} is no name: lower-case letters, digits and _ make one, a letter first")
        if found.symbol.name in OF_THE_LANGUAGE.get(found.symbol.section, ()):
            raise CannotRename(f"{found.symbol.name!r} is a name that the language knows")
        if new in RESERVED and found.symbol.section not in ("patterns", "cases", "payments"):
            raise CannotRename(f"{new!r} is a word of the language; choose another name")
        places = everywhere(workspace, path, found.symbol)
        check_free(workspace, path, found.symbol, new, places)
        return tuple(TextEdit(one.path, one.range, new) for one in sorted({location_of(one) for one in places}))


def check_free(workspace: Workspace, path: Path, symbol: Symbol, new: str, places: Iterable[NameInText]) -> None:
    """Raises CannotRename if the new name is taken, or if a place cannot be edited."""
    renamed = {document_of(path_in(one.place)) for one in places}
    for other in known_documents(workspace, path):
        if not renamed.isdisjoint(documents_over(other)):
            own = line_at(other) or [other]  # rulesets of one mod do not share their names
            taken = {part for part in alike(symbol.section) for one in own if declares(one, Symbol(part, new))}
            if taken:
                raise CannotRename(f"{new!r} is already one of the {min(taken)} in {other.name}")
    for place in sorted(map(location_of, places)):
        if is_bundled(place.path) and not is_bundled(path) and place.path not in workspace.texts:
            raise CannotRename(f"{symbol.name!r} is a name of {place.path.stem}, which comes with Tilewright")
        if lock_above(place.path) is not None:
            raise CannotRename(f"{symbol.name!r} is a name of {place.path.stem}, which is of a pack that was added")


def alike(section: str) -> Candidates:
    """The sections of which only one may have a name: the section itself, and those of words, or of events."""
    return (section, *(part for parts in (OF_WORDS, SECTIONS["event"]) if section in parts for part in parts))


def is_bundled(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in document_folders())


def symbols_called(workspace: Workspace, query: str) -> tuple[tuple[str, Symbol, TextLocation], ...]:
    """What the open documents and those next to them declare, of names that contain a text: name of the document,
    symbol, place."""
    with workspace.reading():
        paths = dict.fromkeys(other for path in workspace.texts for other in known_documents(workspace, path))
        found = []
        for path in paths:
            for one in names_in(tree) if not is_bundled(path) and (tree := parsed(path)) is not None else ():
                if one.declares and query.lower() in one.name:
                    found.append((path.stem, Symbol(one.candidates[0], one.name), location_of(one)))
        return tuple(sorted(found)[:MOST_SYMBOLS])


# --- the symbol at a place


def document_named(document: EditedDocument, at: TextPlace) -> Path | None:
    """The document that is named at a place: under `extends`, `for` or `needs`, or under `for` of a case."""
    spot = spot_at(document.text, at.line, at.column)
    if spot is None or naming_documents(spot.path) is None:
        return None
    line = document.keys.line(at.line)
    reference = reference_around(line, at.column - 1)
    name = spot.word if reference is None else line[slice(*reference)]
    try:
        return path_of(name, document.path.parent).absolute() if name else None
    except RulesetError:
        return None


def symbol_at(document: EditedDocument, at: TextPlace) -> NamedSymbol | None:
    """The symbol whose name is at a place. In a text that does not parse, the schema says what a word may name."""
    tree = parsed(document_of(document.path))
    documents = [one for path in documents_over(document_of(document.path)) if (one := parsed(path)) is not None]
    for name in name_at(tree, document.path, at) if tree is not None else guessed_at(document, at):
        symbol = symbol_of(name.name, name.candidates, documents, name.beside, name.plural)
        if symbol is None and tree is None and name.declares:
            symbol = Symbol(name.candidates[0], name.name)
        if symbol is not None:
            return NamedSymbol(symbol, name.range)
    return None


@dataclass(frozen=True, slots=True)
class NameAt:
    """A name at a place, before it is known what it is."""

    name: str
    candidates: Candidates
    range: TextRange
    declares: bool = False
    beside: str = ""
    plural: str = ""


def name_at(tree: Mapping, path: Path, at: TextPlace) -> Iterator[NameAt]:
    """The names of a parsed document at a place of one of its files, declarations first."""
    found = [one for one in names_in(tree) if one.place.line == at.line and TextRange.of(one.place).holds(at)]
    found = [one for one in found if path_in(one.place) == path.absolute()]
    for one in sorted(found, key=lambda name: not name.declares):
        yield NameAt(one.name, one.candidates, TextRange.of(one.place), one.declares, one.beside, one.plural)


def guessed_at(document: EditedDocument, at: TextPlace) -> Iterator[NameAt]:
    """The word at a place of a text that does not parse, as its schema has it."""
    spot = spot_at(document.text, at.line, at.column)
    if spot is None or not spot.word:
        return
    range = TextRange.in_line(at.line, spot.start, spot.end)
    own = document.keys.at(at.line, spot.start)
    if own is not None and len(own.path) > 1:
        parts = own.path[:-1] if own.path[0] not in ("add", "change") else own.path[1:-1]
        yield NameAt(spot.word, (".".join(parts),), range, declares=True)
    part = schema_at(spot.path, document.kind)
    for one in (part, items(part)):
        if one.get("x-ref") in SECTIONS:
            yield NameAt(spot.word, SECTIONS[one["x-ref"]], range)
        if "x-expr" in one:
            yield NameAt(spot.word, IN_EXPRESSIONS, range)


# --- documents that belong together


def documents_over(path: Path) -> tuple[Path, ...]:
    """A document, all that it extends and, for a mod, the rulesets that it is for with all that they extend; nearest
    first."""
    return made_once(("over", path), lambda: read_over(path))


def read_over(path: Path) -> tuple[Path, ...]:
    """The same, from the files."""
    document = parsed(path)
    found = [path]
    if document is None:
        over = EditedDocument.of(Workspace(), path).over
        found += [] if over is None else line_at(over)
    elif document_kind(document) == "mod":
        for other in siblings(path.parent):
            line = line_at(other)
            if line and is_for(document, tuple(one.stem for one in line)):
                found += line
    else:
        found += line_at(path)
    return tuple(dict.fromkeys(one.absolute() for one in found))


def line_at(path: Path) -> list[Path]:
    """A document with all that it extends, as far as these can be read; nothing for a mod or a card."""
    return made_once(("line", path), lambda: read_line(path))


def read_line(path: Path) -> list[Path]:
    """The same, from the files."""
    found: list[Path] = []
    try:
        for where, document in line_of(path):
            if document_kind(document) not in ("base", "ruleset"):
                return []
            found.append(where.absolute())
    except (RulesetError, OSError):
        pass
    return found


def known_documents(workspace: Workspace, path: Path) -> Iterator[Path]:
    """The documents next to one, the open ones and the bundled ones."""
    opened = [document_of(one).absolute() for one in workspace.texts if is_document(one)]
    found = dict.fromkeys((document_of(path).absolute(), *opened, *(one.absolute() for one in siblings(path.parent))))
    yield from list(found)[:MOST_DOCUMENTS]


def everywhere(workspace: Workspace, path: Path, symbol: Symbol) -> list[NameInText]:
    """Every place of a symbol, in all documents in which the name means the same: a document and one that it is over,
    if both have the name, and so on."""
    places = {other: found for other in known_documents(workspace, path) if (found := locations(other, symbol))}
    over = {other: documents_over(other) for other in places}
    joined, todo = set[Path](), [document_of(path).absolute()]
    while todo:
        one = todo.pop()
        joined.add(one)
        todo += [other for other in places.keys() - joined if other in over.get(one, ()) or one in over[other]]
    return [name for other in places if other in joined for name in places[other]]


def declares(path: Path, symbol: Symbol) -> bool:
    document = parsed(path)
    return document is not None and any(name == symbol.name for name, _, _ in entries_of(document, symbol.section))


def locations(path: Path, symbol: Symbol) -> Sequence[NameInText]:
    """The places of a symbol in one document. A base may leave a name to those that extend it, but in expressions."""
    document = parsed(path)
    names = [] if document is None else [one for one in names_in(document) if one.name == symbol.name]
    if document is None or not any(symbol.section in one.candidates for one in names):
        return []
    over = [one for other in documents_over(path) if (one := parsed(other)) is not None]
    is_base = document_kind(document) == "base"
    found = []
    for name in names:
        meant = symbol_of(name.name, name.candidates, over, name.beside, name.plural)
        is_open = is_base and symbol.section in name.candidates and name.candidates != IN_EXPRESSIONS
        if meant == symbol or (meant is None and is_open):
            found.append(name)
    return found


def location_of(name: NameInText) -> TextLocation:
    return TextLocation(path_in(name.place), TextRange.of(name.place))
