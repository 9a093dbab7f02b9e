"""Everything that authors can write: the words of expressions, the tests of conditions, steps, and every key.

Lists nothing itself: words come from their declarations; tests, verbs and keys, with types in authors' terms, from the
schema.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tilewright.language.documents.schema import resolve, schema
from tilewright.language.vocabulary.declare import QUANTIFIERS, Word
from tilewright.language.vocabulary.words import WORDS

Kind = Literal["word", "quantifier", "test", "verb", "key"]
PLAIN = re.compile(r"[\w.][\w.()= ]*")  # texts that need no quotes in YAML


@dataclass(frozen=True, slots=True)
class VocabularyEntry:
    """Something that authors can write. `of` and `takes` are types, `place`: of a key."""

    name: str
    kind: Kind
    type: str
    doc: str
    example: str = ""
    of: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    stratum: str = ""
    place: str = ""


def entries() -> Iterator[VocabularyEntry]:
    """Every entry, words first."""
    yield from (word_entry(word) for word in WORDS.values())
    doc = "Iterates over the members of a set, for instance any(e for x in S)."
    yield from (VocabularyEntry(name, "quantifier", "any", doc) for name in QUANTIFIERS)
    yield from schema_entries("test", schema()["$defs"]["condition"]["properties"])
    steps = schema()["$defs"]["step_body"]["properties"]
    yield from schema_entries("verb", {name: part for name, part in steps.items() if part.get("x-verb")})


def word_entry(word: Word) -> VocabularyEntry:
    return VocabularyEntry(word.name, "word", word.type, word.doc, word.example, word.of, word.takes, word.stratum)


def schema_entries(kind: Kind, properties: Mapping[str, Any]) -> Iterator[VocabularyEntry]:
    for name, part in properties.items():
        whole = resolve(part)
        doc = " ".join(str(whole.get("description", "")).split())
        examples = [f"{name}: {flow(example)}" for example in whole.get("examples", ())]
        yield VocabularyEntry(name, kind, type_name(whole), doc, next(iter(examples), ""))


def key_entries() -> Iterator[VocabularyEntry]:
    """Every key of the sections of a ruleset, with its place."""
    for section, part in sections().items():
        yield VocabularyEntry(section, "key", type_name(resolve(part)), sentence(part))
        for key in section_keys(section):
            name = key.path.rpartition(".")[2]
            if name != ANY_ID:
                yield VocabularyEntry(
                    name, "key", key.type, key.doc, place=f"{section}.{key.path}".replace(ANY_ID, "ID")
                )


def flow(value: Any) -> str:
    """A value as an author would write it on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str):
        return value if PLAIN.fullmatch(value) else f"'{value}'"
    return str(value).lower() if isinstance(value, bool) else str(value)


def call(entry: VocabularyEntry) -> str:
    """The word with the types of its arguments."""
    return f"{entry.name}({', '.join(entry.takes)})" if entry.takes else entry.name


# --- keys

Part = dict[str, Any]

ANY_ID = "*id*"
DEEPEST = 6  # keys below a section; deeper ones are described where they first occur


@dataclass(frozen=True, slots=True)
class DocumentKey:
    """A key: its path, its type, its description."""

    path: str
    type: str
    doc: str


def sections() -> Mapping[str, Part]:
    """The sections of a ruleset, by name."""
    return {name: part for name, part in schema()["$defs"]["part"]["properties"].items() if name != "about"}


def section_keys(name: str) -> Iterator[DocumentKey]:
    """Every key of a section; its path begins inside the section."""
    yield from keys_below(resolve(sections()[name]), "", DEEPEST)


def keys(properties: Mapping[str, Any], before: str, depth: int) -> Iterator[DocumentKey]:
    """Each property and those below it."""
    for name, part in properties.items():
        whole = resolve(part)
        if sentence(whole):
            yield DocumentKey(before + name, type_name(whole), sentence(whole))
        if depth > 1 and not is_shared(part) and whole.get("x-block") != "condition":
            yield from keys_below(whole, f"{before}{name}.", depth - 1)


def keys_below(part: Part, before: str, depth: int) -> Iterator[DocumentKey]:
    """The keys of a mapping, of the entries of an id map, of the items of a list."""
    yield from keys(part.get("properties", {}), before, depth)
    entry = part.get("additionalProperties")
    if isinstance(entry, dict) and "x-steps" not in part:  # a mapping over a list describes the same items
        yield from keys({ANY_ID: entry}, before, depth)
    items = part.get("items")
    if isinstance(items, dict) and not is_shared(items):
        yield from keys_below(resolve(items), before, depth)


def is_shared(part: Part) -> bool:
    """Whether it has a table of its own: conditions, steps, and sections of a ruleset."""
    name = str(part.get("$ref", "")).rsplit("/", 1)[-1]
    return name in {"condition", "steps", "step", "step_body", *schema()["$defs"]["part"]["properties"], "part"}


def sentence(part: Part) -> str:
    """The description of a part on one line."""
    return " ".join(str(part.get("description", "")).split())


# --- types


def type_name(part: Mapping[str, Any]) -> str:
    """The type of a place in authors' terms: an expression's type, a name of something, or a kind of YAML."""
    if "const" in part:
        return str(part["const"])
    if "enum" in part:
        return ", ".join(str(value) for value in part["enum"] if value is not None)
    types = part.get("type", "mapping" if "properties" in part else "any")
    kinds = types if isinstance(types, list) else [types]
    return " or ".join(dict.fromkeys(kind_name(part, kind) for kind in kinds if kind != "null"))


def kind_name(part: Mapping[str, Any], kind: str) -> str:
    """One of the types of a place."""
    if kind == "string":
        of = str(part.get("x-expr", part.get("x-ref", "text")))
        return of.split("_or_")[0] if "x-expr" in part else of.replace("_", " ")
    if kind == "array" and isinstance(part.get("items"), dict):
        items = type_name(resolve(part["items"]))
        return "list" if items == "any" else f"list of {items}"
    return YAML_NAMES.get(kind, kind)


YAML_NAMES = {"array": "list", "object": "mapping", "integer": "number", "boolean": "truth"}
