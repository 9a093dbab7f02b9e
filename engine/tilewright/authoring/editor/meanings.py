"""Meanings: what is written at a place of a document: a key, a name, a word of an expression, with its description."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath

from tilewright.authoring.editor.completion import (
    NAMED_IN_EXPRESSIONS,
    Suggestion,
    all_words,
    call_type,
    documents_for,
    example_of,
    naming_documents,
)
from tilewright.authoring.editor.context import (
    PATCHES,
    EditedDocument,
    as_part,
    description_of,
    schema_at,
    short_form,
    top_keys,
)
from tilewright.authoring.editor.scanning import CursorPlace, Path, spot_at
from tilewright.authoring.editor.workspace import TextPlace, TextRange, Workspace
from tilewright.authoring.keys import sentence, type_name
from tilewright.language.documents.schema import items, resolve
from tilewright.language.expressions.names import TITLES


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is written in a range; nothing if it is not known."""

    range: TextRange
    found: Suggestion | None = None


def describe(workspace: Workspace, path: FilePath, at: TextPlace) -> Meaning:
    """The meaning of the word at a place."""
    with workspace.reading():
        document = EditedDocument.of(workspace, path)
        spot = spot_at(document.text, at.line, at.column)
        if spot is None or not spot.word:
            return Meaning(TextRange(at, at))
        range = TextRange.in_line(at.line, spot.start, spot.end)
        own = document.keys.at(at.line, spot.start)
        if own is not None and own.path[-1] == spot.word:
            return Meaning(range, next(key_meanings(own.path, document), None))
        found = list(word_meanings(spot, document))
        return Meaning(range, next((one for one in found if one.doc or one.example), next(iter(found), None)))


def key_meanings(path: Path, document: EditedDocument) -> Iterator[Suggestion]:
    """The descriptions of a key: from the schema, or from what declares it."""
    part = schema_at(path[:-1], document.kind)
    properties = top_keys(document.kind) if path[:-1] == () else part.get("properties", {})
    if path[-1] in properties:
        whole = resolve(properties[path[-1]])
        yield Suggestion(path[-1], "key", type_name(whole), sentence(whole), example_of(path[-1], whole))
        return
    named = part.get("propertyNames", {}).get("x-ref")
    if named:
        yield named_meaning(named, path[-1], document)
        return
    if not isinstance(part.get("additionalProperties"), dict) and path[0] not in PATCHES:
        return  # no key that may be there
    inner = resolve(as_part(part.get("additionalProperties")))
    inside = path[1:] if path[:1] in {(patch,) for patch in PATCHES} else path
    nodes = list(document.entries(".".join(inside[:-1]), inside[-1])) if len(inside) > 1 else []
    said = next(filter(None, map(description_of, nodes)), "") or sentence(inner)
    if said or nodes:
        inherited = short_form(nodes[-1]) if nodes else ""
        yield Suggestion(path[-1], "name", path[-2] if len(path) > 1 else "", said, inherited)


def word_meanings(spot: CursorPlace, document: EditedDocument) -> Iterator[Suggestion]:
    """What a word of a value may be: a document, a name, a word of the language, a key."""
    part = schema_at(spot.path, document.kind)
    if (naming := naming_documents(spot.path)) is not None:
        yield from (one for one in documents_for(naming, document.path) if one.label == spot.word)
    kinds = [one["x-ref"] for one in (part, items(part)) if "x-ref" in one]
    for kind in dict.fromkeys((*kinds, *NAMED_IN_EXPRESSIONS)):
        if spot.word in set(document.declared(kind)):
            yield named_meaning(kind, spot.word, document)
    for word in all_words():
        if word.name == spot.word:
            yield Suggestion(word.name, word.kind, call_type(word), word.doc, word.example)
    properties = top_keys(document.kind) if spot.path == () else part.get("properties", {})
    if spot.word in properties:
        yield next(key_meanings((*spot.path, spot.word), document))


def named_meaning(kind: str, name: str, document: EditedDocument) -> Suggestion:
    """What a name of a kind stands for."""
    said, short = document.said_of(kind, name), document.short_of(kind, name)
    return Suggestion(name, "name", TITLES.get(kind, kind), said, short)
