"""What an editor offers at a place of a document: what can be written there, what it means, and edits that fix
problems.

Suggestions come from the schema, the vocabulary, the ids that the document declares, even if it is incomplete, and
those of what it extends. Fixes do what hints of problems propose, ignore a problem, or format or upgrade the document.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, Literal

from tilewright.authoring.editor.context import (
    PATCHES,
    EditedDocument,
    TextEdit,
    TextPlace,
    TextRange,
    Workspace,
    as_part,
    description_of,
    document_kind,
    parsed,
    path_in,
    schema_at,
    short_form,
    text_in,
    top_keys,
)
from tilewright.authoring.editor.scanning import ITEM, CursorPlace, Path, reference_around, spot_at
from tilewright.authoring.editor.symbols import DECLARING
from tilewright.authoring.findings import UNEXPLAINED, UNUSED, can_be_ignored
from tilewright.authoring.format import format_text
from tilewright.authoring.upgrading import upgraded
from tilewright.authoring.words import VocabularyEntry, call, entries, flow, sentence, type_name
from tilewright.base.problem import BREAK, Place, Problem
from tilewright.language.documents.editions import NEWEST, edition_of
from tilewright.language.documents.fields import section
from tilewright.language.documents.library import bundled_documents, siblings
from tilewright.language.documents.packs import name_in_pack
from tilewright.language.documents.schema import Schema, items, resolve
from tilewright.language.expressions.names import TITLES

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


# --- meanings


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


# --- fixes

MEANT = re.compile(r"^did you mean '([^']+)'\?")
TODAY = re.compile(r"^`[^`]+` is called `([^`]+)` since ")
IGNORED = "# tilewright: ignore"


@dataclass(frozen=True, slots=True)
class Fix:
    """What an author may do about a problem: write the name that was probably `meant`, or a comment that ignores it.
    `what`: the name, or the code of the problem."""

    kind: Literal["meant", "ignore"]
    what: str
    problem: Problem
    edits: tuple[TextEdit, ...]


def fixes(problems: Iterable[Problem]) -> Iterator[Fix]:
    """The fixes of problems; of each, what was meant comes first."""
    for problem in problems:
        place = problem.place
        if place is None:
            continue
        if (name := meant(problem)) is not None:
            edit = TextEdit(path_in(place), TextRange.of(place), name)
            yield Fix("meant", name, problem, (edit,))
        if can_be_ignored(problem) and problem.code not in (UNUSED, UNEXPLAINED):
            yield Fix("ignore", problem.code, problem, (ignoring(place, problem.code),))


def meant(problem: Problem) -> str | None:
    """The name that a hint proposes in place of the one that is underlined."""
    found = MEANT.match(problem.hint or "") or TODAY.match(problem.message) or TODAY.match(problem.hint or "")
    place = problem.place
    if found is None or place is None:
        return None
    written = place.source.line(place.line)[place.column - 1 : place.column - 1 + place.length]
    quote = written[:1] if written[:1] in "\"'" and written[:1] == written[-1:] and len(written) > 1 else ""
    return f"{quote}{found[1]}{quote}"


def ignoring(place: Place, code: str) -> TextEdit:
    """A comment above a line that ignores a problem in it."""
    line = place.source.line(place.line)
    indent = line[: len(line) - len(line.lstrip(" "))]
    at = TextPlace(place.line, 1)
    return TextEdit(path_in(place), TextRange(at, at), f"{indent}{IGNORED}[{code}]\n")


def formatted(workspace: Workspace, path: FilePath) -> tuple[TextEdit, ...]:
    """The edit that formats a document; none if it is formatted. Raises RulesetError if it does not parse."""
    text = workspace.text(path)
    after = format_text(text, str(path))
    if after == text:
        return ()
    return (whole_edit(path, text, after),)


def upgrade(workspace: Workspace, path: FilePath) -> tuple[tuple[TextEdit, ...], tuple[Problem, ...]]:
    """The edit that upgrades a document, none if it says all as it is said today; and what a person has to change.
    Raises RulesetError if it does not parse."""
    text = workspace.text(path)
    with workspace.reading():
        done = upgraded(path, text)
    return (() if done.text == text else (whole_edit(path, text, done.text),)), done.left


def is_old(workspace: Workspace, path: FilePath, problems: Iterable[Problem]) -> bool:
    """Whether a document is of an older edition, or has old names among its problems."""
    with workspace.reading():
        document = parsed(path)
    return document is not None and (edition_of(document) < NEWEST or any(one.code == "old-name" for one in problems))


def whole_edit(path: FilePath, before: str, after: str) -> TextEdit:
    """The edit of a whole text."""
    lines = BREAK.split(before)
    whole = TextRange(TextPlace(1, 1), TextPlace(len(lines), len(lines[-1]) + 1))
    return TextEdit(path, whole, after)
