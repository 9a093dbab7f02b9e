"""Completion: what can be written at a place of a document, even of an incomplete one.

Suggestions come from the schema, the vocabulary, the ids that the document declares and those of what it extends.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any

from tilewright.authoring.editor.context import (
    EditedDocument,
    as_part,
    description_of,
    document_kind,
    schema_at,
    text_in,
    top_keys,
)
from tilewright.authoring.editor.scanning import ITEM, CursorPlace, Path, reference_around, spot_at
from tilewright.authoring.editor.symbols import DECLARING
from tilewright.authoring.editor.workspace import TextPlace, TextRange, Workspace, parsed
from tilewright.authoring.keys import sentence, type_name
from tilewright.authoring.words import VocabularyEntry, call, entries, flow
from tilewright.language.documents.fields import section
from tilewright.language.documents.library import bundled_documents, siblings
from tilewright.language.documents.schema import Schema, items, resolve
from tilewright.language.expressions.names import TITLES
from tilewright.language.packs.places import name_in_pack

MOST = 400  # suggestions
NAMED_IN_EXPRESSIONS = ("option", "mark", "measure", "zone", "class", "group", "phase", "form", "pattern", "payment")
DOCUMENTS = {"extends": ("base", "ruleset"), "for": ("base", "ruleset"), "needs": ("mod",), "conflicts": ("mod",)}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that can be written. `kind`: key, value, name, word, quantifier; `type`: in authors' terms; `boost`:
    its priority."""

    label: str
    kind: str
    type: str = ""
    doc: str = ""
    example: str = ""
    boost: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """What can be written in place of a range, the likeliest first."""

    range: TextRange
    offers: tuple[Suggestion, ...] = ()


def complete(workspace: Workspace, path: FilePath, at: TextPlace) -> Completion:
    """What can be written at a place."""
    with workspace.reading():
        document = EditedDocument.of(workspace, path)
        spot = spot_at(document.text, at.line, at.column)
        if spot is None:
            return Completion(TextRange(at, at))
        found = {offer.label: offer for offer in reversed(list(offers_at(spot, document)))}
        ordered = sorted(found.values(), key=lambda offer: (-offer.boost, offer.label))
        start, end = word_at(spot, document.keys.line(at.line), at.column)
        return Completion(TextRange.in_line(at.line, start, end), tuple(ordered[:MOST]))


def word_at(spot: CursorPlace, line: str, column: int) -> tuple[int, int]:
    """The columns of what is replaced: of the word; of the whole name of a document."""
    reference = reference_around(line, column - 1) if naming_documents(spot.path) is not None else None
    return (spot.start, spot.end) if reference is None else (reference[0] + 1, reference[1] + 1)


# --- suggestions at a place


def offers_at(spot: CursorPlace, document: EditedDocument) -> Iterator[Suggestion]:
    """Everything that can be written there, the likeliest first."""
    part = schema_at(spot.path, document.kind)
    if spot.path == () and spot.key:
        yield from (offer for offer in key_offers(top_keys(document.kind)) if offer.label not in spot.given)
        return
    if spot.key:
        yield from (offer for offer in keys_at(part, spot.path, document) if offer.label not in spot.given)
    if spot.value:
        yield from value_offers(part, spot.path, document)


def keys_at(part: Schema, path: Path, document: EditedDocument) -> Iterator[Suggestion]:
    """Keys of the mapping that are allowed there."""
    yield from key_offers(part.get("properties", {}))
    named = part.get("propertyNames", {}).get("x-ref") or resolve(as_part(part.get("additionalProperties"))).get(
        "x-ref-key"
    )
    if named:
        yield from names(document, named, "key")
    if path[:1] == ("change",) and len(path) > 1 and document.inherited is not None:
        yield from inherited_keys(document, path[1:])


def key_offers(properties: Mapping[str, Schema]) -> Iterator[Suggestion]:
    """The keys of a part of the schema."""
    for key, inner in properties.items():
        whole = resolve(inner)
        yield Suggestion(key, "key", type_name(whole), sentence(whole), example_of(key, whole), boost=2)


def example_of(key: str, part: Schema) -> str:
    """A key with one of its values, as the schema has it."""
    found = next(iter(part.get("examples", ())), None)
    return "" if found is None else f"{key}: {flow(found)}"


def inherited_keys(document: EditedDocument, path: Path) -> Iterator[Suggestion]:
    """The keys below a path of the ruleset that a mod changes."""
    node: Any = document.inherited.full if document.inherited else None
    for key in path:
        node = node.get(key) if hasattr(node, "get") else None
    for name in getattr(node, "entries", ()):
        said = document.said_of(path[0].removesuffix("s"), name)
        yield Suggestion(name, "key", path[-1], said, boost=3)


def value_offers(part: Schema, path: Path, document: EditedDocument) -> Iterator[Suggestion]:
    """Values that are allowed there: listed ones, names, words of expressions."""
    if (naming := naming_documents(path)) is not None:
        yield from documents_for(naming, document.path)
    for value in (*part.get("enum", ()), *([part["const"]] if "const" in part else ())):
        if value is not None:
            yield Suggestion(str(value).lower() if isinstance(value, bool) else str(value), "value", boost=3)
    if "boolean" in types_of(part):
        yield from (Suggestion(value, "value", "truth", boost=1) for value in ("true", "false"))
    if path in (("remove",), ("remove", ITEM)):
        yield from paths(document)
    for one in (part, items(part)):
        if "x-ref" in one:
            yield from names(document, one["x-ref"], "name")
        if "x-expr" in one:
            yield from expression_offers(one["x-expr"], document)
    if path[-3:-1] == ("expect", "patterns") or path[-2:] == ("expect", "patterns"):
        yield from names(document, "pattern", "name")


def expression_offers(type: str, document: EditedDocument) -> Iterator[Suggestion]:
    """What an expression may consist of; entries of the expected type first."""
    for kind in NAMED_IN_EXPRESSIONS:
        wanted = kind == type or (kind == "group" and type == "template")
        found = names(document, kind, "name", boost=4 if wanted else 1)
        yield from (one for one in found if not one.label[0].isdigit())
    yield from words(type)


def names(document: EditedDocument, kind: str, shown_as: str, boost: int = 3) -> Iterator[Suggestion]:
    """The names of a kind; those of the document first."""
    title = TITLES.get(kind, kind)
    inherited = document.inherited_names(kind)
    for name in document.declared(kind):
        less = 1 if name in inherited else 0
        yield Suggestion(name, shown_as, title, document.said_of(kind, name), boost=boost - less)


def paths(document: EditedDocument) -> Iterator[Suggestion]:
    """The paths to what is inherited."""
    if (whole := document.inherited) is None:
        return
    for part in DECLARING:
        for name, entry in section(whole.full, *part.split(".")).entries.items():
            yield Suggestion(f"{part}.{name}", "name", part, description_of(entry.value), boost=3 - (part == "cases"))


def words(type: str) -> Iterator[Suggestion]:
    """The words of expressions, those of the type first."""
    for word in all_words():
        if word.kind in ("word", "quantifier"):
            yield Suggestion(
                word.name, word.kind, call_type(word), word.doc, word.example, boost=int(word.type == type)
            )


@lru_cache(maxsize=1)
def all_words() -> tuple[VocabularyEntry, ...]:
    return tuple(entries())


def call_type(word: VocabularyEntry) -> str:
    asked = f"{word.of[0]}." if word.of else ""
    return f"{asked}{call(word)}: {word.type}" if word.takes or asked else word.type


def types_of(part: Schema) -> list[str]:
    types = part.get("type", [])
    return types if isinstance(types, list) else [types]


# --- documents


def naming_documents(path: Path) -> str | None:
    """The key whose value there names documents, if it does: of the document, or `for` of a case."""
    own = path[1:] if path[:1] in (("add",), ("change",)) else path
    if own[:1] == ("cases",) and own[2:3] == ("for",):
        path = own[2:]
    return path[0] if path and path[0] in DOCUMENTS and path[1:] in ((), (ITEM,), (ITEM, "only")) else None


def documents_for(key: str, path: FilePath) -> Iterator[Suggestion]:
    """Documents that may be named under a key: those next to the document, those of packs, and bundled ones."""
    for other in dict.fromkeys((*siblings(path.parent), *bundled_documents())):
        if other == path or (document := parsed(other)) is None:
            continue
        kind = document_kind(document)
        if kind in DOCUMENTS[key]:
            said = (text_in(document.get("name")), text_in(document.get("about")))
            name = other.stem if key == "conflicts" else name_in_pack(other) or other.stem
            yield Suggestion(name, "name", kind, ". ".join(filter(None, said)), boost=3)
