"""Completion: what can be written at a place of a document, and the meaning of what is there. A text and a place in,
plain data out.

Suggestions come from the schema, the vocabulary, the ids that the document declares and those of what it extends. Works
on incomplete documents.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tilewright.authoring.keys import sentence, type_name
from tilewright.authoring.positions import ITEM, CursorPlace, KeyInText, Path, children, keys_in, spot_at
from tilewright.authoring.words import VocabularyEntry, call, entries
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar
from tilewright.base.problem import RulesetError
from tilewright.language.documents.bundled import bundled_file, bundled_ids
from tilewright.language.documents.fields import kind_of, section
from tilewright.language.documents.library import read_document
from tilewright.language.documents.schema import Schema, below, document_schema, items, resolve, schema
from tilewright.language.documents.whole import extended
from tilewright.language.elaborate import assemble
from tilewright.language.expressions.names import SECTIONS, TITLES, names_of

MOST = 400  # suggestions
NAMING = ("for", "needs", "conflicts")  # of a mod: lists of ids
PATCHES = ("add", "change")  # of a mod: sections that have the structure of a ruleset
NAMED_IN_EXPRESSIONS = ("option", "mark", "measure", "zone", "class", "group", "phase", "form", "pattern", "payment")
Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that can be written. `kind`: key, value, name, word, quantifier; `boost`: its priority."""

    label: str
    kind: str
    type: str = ""
    doc: str = ""
    example: str = ""
    boost: int = 0

    def as_json(self) -> Plain:
        return {
            "label": self.label,
            "kind": self.kind,
            "type": self.type,
            "doc": self.doc,
            "example": self.example,
            "boost": self.boost,
        }


# --- queries


def complete(text: str, line: int, column: int) -> Plain:
    """What can be written at a place: the columns of the word there (from 1, the end exclusive) and the suggestions."""
    spot = spot_at(text, line, column)
    if spot is None:
        return {"start": column, "end": column, "offers": []}
    keys = keys_in(text)
    found = {offer.label: offer for offer in reversed(list(offers_at(spot, keys, text)))}
    ordered = sorted(found.values(), key=lambda offer: (-offer.boost, offer.label))
    return {"start": spot.start, "end": spot.end, "offers": [offer.as_json() for offer in ordered[:MOST]]}


def describe(text: str, line: int, column: int) -> Plain:
    """The meanings of the word at a place."""
    spot = spot_at(text, line, column)
    if spot is None or not spot.word:
        return {"start": column, "end": column, "found": []}
    keys = keys_in(text)
    own = next((key for key in keys if key.line == line and key.column == spot.start), None)
    if own is not None and own.path[-1] == spot.word:
        found = list(key_meanings(own.path, keys, text))
    else:
        offers = (*offers_at(spot, keys, text), *words(""))
        same = [one for one in dict.fromkeys(offers) if one.label == spot.word]
        found = [*(one for one in same if one.doc), *same][:1]
    return {"start": spot.start, "end": spot.end, "found": [one.as_json() for one in found]}


def outline(text: str) -> list[Plain]:
    """The sections of a document with their direct entries, in its order."""
    keys = keys_in(text)
    found = []
    for top in children(keys, ()):
        inside = [*children(keys, top.path)]
        deeper = top.path[0] in PATCHES
        if top.path[0] not in sections_of(kind_in(keys, text)):
            continue
        entries = [one for part in inside for one in children(keys, part.path)] if deeper else inside
        if not entries and top.path[0] in NAMING:
            continue
        found.append(
            {
                "section": top.path[0],
                "line": top.line,
                "entries": [{"id": one.path[-1], "line": one.line, "in": one.path[-2]} for one in entries],
            }
        )
    return found


def sections_of(kind: str) -> frozenset[str]:
    """The keys of a document that hold more than a text."""
    part = document_schema(kind)["properties"]
    return frozenset(key for key, inner in part.items() if type_name(resolve(inner)) not in ("text", "any", "mod."))


# --- suggestions at a place


def offers_at(spot: CursorPlace, keys: tuple[KeyInText, ...], text: str) -> Iterator[Suggestion]:
    """Everything that can be written there, the likeliest first."""
    part = schema_at(spot.path, kind_in(keys, text))
    names = Names(keys, text)
    if spot.path == () and spot.key:
        yield from (offer for offer in top_offers(kind_in(keys, text)) if offer.label not in spot.given)
        return
    if spot.key:
        yield from (offer for offer in key_offers(part, spot.path, names) if offer.label not in spot.given)
    if spot.value:
        yield from value_offers(part, spot.path, names)


def key_offers(part: Schema, path: Path, names: "Names") -> Iterator[Suggestion]:
    """Keys of the mapping that are allowed there."""
    for key, inner in part.get("properties", {}).items():
        whole = resolve(inner)
        yield Suggestion(key, "key", type_name(whole), sentence(whole), boost=2)
    named = part.get("propertyNames", {}).get("x-ref") or resolve(as_part(part.get("additionalProperties"))).get(
        "x-ref-key"
    )
    if named:
        yield from names.of(named, "key")
    if path[:1] == ("change",) and len(path) == 2:
        yield from names.at(path[1:], "key")


def value_offers(part: Schema, path: Path, names: "Names") -> Iterator[Suggestion]:
    """Values that are allowed there: listed ones, names, words of expressions."""
    if path in (("extends",), ("for", ITEM), ("for", ITEM, "only"), ("needs", ITEM), ("for",), ("needs",)):
        yield from documents_for(path[0])
    for value in (*part.get("enum", ()), *([part["const"]] if "const" in part else ())):
        if value is not None:
            yield Suggestion(str(value).lower() if isinstance(value, bool) else str(value), "value", boost=3)
    if "boolean" in types_of(part):
        yield from (Suggestion(value, "value", "truth", boost=1) for value in ("true", "false"))
    for one in (part, items(part)):
        if "x-ref" in one:
            yield from names.of(one["x-ref"], "name")
        if "x-expr" in one:
            yield from expression_offers(one["x-expr"], path, names)


def expression_offers(type: str, path: Path, names: "Names") -> Iterator[Suggestion]:
    """What an expression may consist of; entries of the expected type first."""
    for kind in NAMED_IN_EXPRESSIONS:
        wanted = kind == type or (kind == "group" and type == "template")
        yield from (one for one in names.of(kind, "name", boost=4 if wanted else 1) if not one.label[0].isdigit())
    yield from words(type)


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


def top_offers(kind: str) -> Iterator[Suggestion]:
    """The keys of a document."""
    properties = {**schema()["properties"], **document_schema(kind)["properties"]}
    for key, inner in properties.items():
        whole = resolve(inner)
        yield Suggestion(key, "key", type_name(whole), sentence(whole), boost=2)


def documents_for(key: str) -> Iterator[Suggestion]:
    """Bundled documents that may be named under a key."""
    wanted = {"extends": ("base", "ruleset"), "for": ("base", "ruleset"), "needs": ("mod",)}[key]
    for id, (kind, name, about) in bundled_heads().items():
        if kind in wanted:
            yield Suggestion(id, "name", kind, f"{name}. {about}".strip(), boost=3)


@lru_cache(maxsize=1)
def bundled_heads() -> Mapping[str, tuple[str, str, str]]:
    """Kind, name and description of each bundled document except cards."""
    found = {}
    for id in bundled_ids():
        path = bundled_file(id)
        if path is not None and path.parent.name != "cards":
            document = read_document(path)
            found[id] = (kind_of(document), text_in(document.get("name")), text_in(document.get("about")))
    return found


# --- meanings of keys


def key_meanings(path: Path, keys: tuple[KeyInText, ...], text: str) -> Iterator[Suggestion]:
    """The descriptions of a key: from the schema, or from its declaration."""
    kind = kind_in(keys, text)
    part = schema_at(path[:-1], kind)
    properties = part.get("properties", {})
    if path[:-1] == ():
        properties = {**schema()["properties"], **document_schema(kind)["properties"]}
    if path[-1] in properties:
        whole = resolve(properties[path[-1]])
        yield Suggestion(path[-1], "key", type_name(whole), sentence(whole))
        return
    inner = resolve(as_part(part.get("additionalProperties")))
    inherited = Names(keys, text).inherited(path)
    if inherited or sentence(inner):
        yield Suggestion(path[-1], "name", path[-2] if len(path) > 1 else "", inherited or sentence(inner))


# --- the schema at a path


def schema_at(path: Path, kind: str) -> Schema:
    """The schema at a path; {} if there is none."""
    part = document_schema(kind)
    if path and path[0] in schema()["properties"]:
        part = resolve(schema()["properties"][path[0]])
        path = path[1:]
    for step in path:
        part = items(part) if step == ITEM else below(part, step)
    return part


def as_part(value: Any) -> Schema:
    return value if isinstance(value, dict) else {}


def types_of(part: Schema) -> list[str]:
    types = part.get("type", [])
    return types if isinstance(types, list) else [types]


def kind_in(keys: tuple[KeyInText, ...], text: str) -> str:
    """The kind that the text declares; by default a ruleset."""
    found = line_value(keys, text, "kind")
    return found if found in ("base", "mod", "card") else "ruleset"


def line_value(keys: tuple[KeyInText, ...], text: str, name: str) -> str:
    """The value after a key of the document, on the same line."""
    key = next((key for key in keys if key.path == (name,)), None)
    if key is None:
        return ""
    line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[key.line - 1]
    return line.partition(":")[2].partition(" #")[0].strip().strip("[]\"' ").partition(",")[0]


# --- names that are declared


class Names:
    """The names that a document may use: its own, as in the text, and those of what it extends."""

    def __init__(self, keys: tuple[KeyInText, ...], text: str) -> None:
        self.keys = keys
        base = line_value(keys, text, "extends") or line_value(keys, text, "for")
        self.base = base if base in bundled_heads() else ""

    def of(self, kind: str, shown_as: str, boost: int = 3) -> Iterator[Suggestion]:
        """Names of a kind; those of the document first."""
        title = TITLES.get(kind, kind)
        own = dict.fromkeys(name for path in SECTIONS.get(kind, ()) for name in self.own(path))
        for name in own:
            yield Suggestion(name, shown_as, title, self.doc(kind, name), boost=boost)
        for name in sorted(base_names(self.base).get(kind, ())):
            if name not in own:
                yield Suggestion(name, shown_as, title, self.doc(kind, name), boost=boost - 1)

    def own(self, path: str) -> Iterable[str]:
        """The ids below a section of the text, including what a mod adds or changes."""
        where = tuple(path.split("."))
        starts = (where, *((patch, *where) for patch in PATCHES))
        return (key.path[-1] for start in starts for key in children(self.keys, start))

    def at(self, path: Path, shown_as: str) -> Iterator[Suggestion]:
        """The ids of the extended documents below a path."""
        for name, node in base_section(self.base, ".".join(path)).items():
            yield Suggestion(name, shown_as, path[-1], description_of(node), boost=3)

    def doc(self, kind: str, name: str) -> str:
        """The description of a name in the extended documents."""
        for path in SECTIONS.get(kind, ()):
            if text := description_of(base_section(self.base, path).get(name)):
                return text
        return ""

    def inherited(self, path: Path) -> str:
        """The description there of an entry of a section, or of one that a mod changes."""
        inside = path[1:] if path[:1] in {(patch,) for patch in PATCHES} else path
        return description_of(base_section(self.base, ".".join(inside[:-1])).get(inside[-1])) if len(inside) > 1 else ""


@lru_cache(maxsize=64)
def base_names(id: str) -> Mapping[str, frozenset[str]]:
    """The names that a bundled ruleset or base has, by kind."""
    whole = whole_of(id)
    return {} if whole is None else {kind: frozenset(names) for kind, names in names_of(whole).items()}


@lru_cache(maxsize=512)
def base_section(id: str, path: str) -> Mapping[str, Node]:
    """The entries of a section of a bundled ruleset or base."""
    whole = whole_of(id)
    return {} if whole is None else dict(section(whole.full, *path.split(".")).items())


@lru_cache(maxsize=64)
def whole_of(id: str) -> Any:
    """A bundled document with all that it extends."""
    path = bundled_file(id) if id else None
    try:
        return None if path is None else assemble(extended(path))
    except RulesetError:
        return None


def description_of(node: Node | None) -> str:
    """The name and the note of an entry, as far as it has them."""
    if not isinstance(node, MappingNode):
        return ""
    return ". ".join(part for key in ("name", "about") if (part := text_in(node.get(key)))).strip()


def text_in(node: Node | None) -> str:
    """A text, in English or else any language."""
    if isinstance(node, MappingNode):
        chosen = node.get("en") or next((inner for _, inner in node.items()), None)
        return text_in(chosen)
    return " ".join(node.text.split()) if isinstance(node, Scalar) and node.value is not None else ""
