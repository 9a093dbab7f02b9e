"""The outline: the sections of a document with their entries, in its order, with the lines that they take."""

from dataclasses import dataclass
from pathlib import Path as FilePath

from tilewright.authoring.editor.context import PATCHES, EditedDocument
from tilewright.authoring.editor.scanning import KeyInText, TextKeys
from tilewright.authoring.editor.workspace import TextPlace, TextRange, Workspace
from tilewright.authoring.keys import type_name
from tilewright.language.documents.schema import document_schema, is_text, resolve

NAMING = ("for", "needs", "conflicts", "authors")  # lists of names
WITHOUT_ENTRIES = ("text", "any", "mod.")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of a section. `within`: the key above it; `range`: all its lines."""

    id: str
    within: str
    range: TextRange


@dataclass(frozen=True, slots=True)
class OutlineSection:
    """A section with its direct entries."""

    id: str
    range: TextRange
    entries: tuple[OutlineEntry, ...]


def outline(workspace: Workspace, path: FilePath) -> tuple[OutlineSection, ...]:
    """The sections of a document."""
    with workspace.reading():
        document = EditedDocument.of(workspace, path)
    keys, sections = document.keys, sections_of(document.kind)
    found = []
    for top in keys.children(()):
        if top.path[0] not in sections:
            continue
        inside = list(keys.children(top.path))
        if top.path[0] in PATCHES and document.kind == "mod":
            inside = [one for part in inside for one in keys.children(part.path)]
        if not inside and top.path[0] in NAMING:
            continue
        entries = tuple(OutlineEntry(one.path[-1], one.path[-2], range_of(one, keys)) for one in inside)
        found.append(OutlineSection(top.path[0], range_of(top, keys), entries))
    return tuple(found)


def range_of(key: KeyInText, keys: TextKeys) -> TextRange:
    """The lines of a key with all below it, without blank ones at the end."""
    lines = list(keys.block(key))
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    return TextRange(TextPlace(key.line, key.column), TextPlace(key.line + len(lines) - 1, len(lines[-1]) + 1))


def sections_of(kind: str) -> frozenset[str]:
    """The keys of a document that hold more than a text."""
    part = document_schema(kind)
    return frozenset(
        key
        for key, inner in part["properties"].items()
        if not is_text(part, key) and type_name(resolve(inner)) not in WITHOUT_ENTRIES
    )
