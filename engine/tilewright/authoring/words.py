"""Words: everything that authors can write in an expression, a condition or a step, and every key.

Lists nothing itself: words come from their declarations; tests, verbs and keys from the schema.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tilewright.authoring.keys import ANY_ID, section_keys, sections, sentence, type_name
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
