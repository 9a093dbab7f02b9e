"""The schema of documents, read from `schemas/tilewright.schema.json`.

Editors, the shape check and the walk read it; `tilewright.language.write_schema` makes it. Knows no document.
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from tilewright.language.documents.bundled import data_folder

Schema = dict[str, Any]

NOTHING: Schema = {}
AUTHORED, GENERATED = "tilewright.yaml", "tilewright.schema.json"
SECTIONS_BY_KIND = {
    "base": "ruleset",
    "ruleset": "ruleset",
    "mod": "mod",
    "card": "card",
    "texts": "texts",
    "cases": "case_file",
}
TRANSLATED = frozenset(f"#/$defs/{name}" for name in ("name", "note", "wording"))
FINGERPRINT = "#/$defs/fingerprint"
TEXTS = TRANSLATED | {"#/$defs/text", FINGERPRINT}


@cache
def schema() -> Schema:
    """The whole schema, as in the file."""
    loaded: Schema = json.loads((data_folder("schemas") / GENERATED).read_text(encoding="utf-8"))
    return loaded


@cache
def document_schema(kind: str) -> Schema:
    """The part of the schema that describes documents of this kind."""
    return resolve({"$ref": f"#/$defs/{SECTIONS_BY_KIND[kind]}"})


def resolve(part: Schema) -> Schema:
    """The part merged with its reference; its own keys take precedence."""
    if "$ref" not in part:
        return part
    key = id(part)
    if key not in RESOLVED:
        own = {name: value for name, value in part.items() if name != "$ref"}
        RESOLVED[key] = (part, {**resolve(referred(part["$ref"])), **own})
    return RESOLVED[key][1]


@cache
def referred(reference: str) -> Schema:
    """The part of a reference."""
    target: Any = schema()
    for step in reference.removeprefix("#/").split("/"):
        target = target[step]
    found: Schema = target
    return found


def is_translated(part: Schema, key: str) -> bool:
    """Whether the value of a key is a text for people that may be in several languages."""
    return reference(part, key) in TRANSLATED


def is_fingerprint(part: Schema, key: str) -> bool:
    """Whether the value of a key says what a wording was written of."""
    return reference(part, key) == FINGERPRINT


def is_text(part: Schema, key: str) -> bool:
    """Whether the value of a key is only for people: a text, or what a text was written of."""
    return reference(part, key) in TEXTS


def reference(part: Schema, key: str) -> str:
    """The definition that the schema names for the value of a key, "" if it names none."""
    found = part.get("properties", NOTHING).get(key) or part.get("additionalProperties")
    return str(found.get("$ref", "")) if isinstance(found, dict) else ""


RESOLVED: dict[int, tuple[Schema, Schema]] = {}  # by identity; the part is kept so that its id is not reused


MARKS = ("x-expr", "x-ref", "x-ref-key", "x-block")
MARKING: dict[int, tuple[Schema, bool]] = {}  # by identity, likewise


def marks(part: Schema) -> bool:
    """Whether the schema marks anything in a node that it describes, or below that."""
    known = MARKING.get(id(part))
    if known is None:
        known = MARKING[id(part)] = part, any(marks_itself(one) for one in within(part))
    return known[1]


def marks_itself(part: Schema) -> bool:
    return any(mark in part for mark in MARKS) or "x-ref" in part.get("propertyNames", {})


def within(part: Schema) -> Iterator[Schema]:
    """A part and all that may lie below it, each once."""
    todo, seen = [part], set[int]()
    while todo:
        one = resolve(todo.pop())
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            more = (*one.get("properties", {}).values(), one.get("additionalProperties"), one.get("items"))
            todo += [inner for inner in more if isinstance(inner, dict)]


def below(part: Schema, key: str) -> Schema:
    """The schema of the value of a key of a mapping; {} if there is none."""
    known = part.get("properties", {})
    found = known[key] if key in known else part.get("additionalProperties")
    return resolve(found) if isinstance(found, dict) else NOTHING


def items(part: Schema) -> Schema:
    """The schema of the items of a list."""
    return resolve(part.get("items", NOTHING))


def opaque(part: Schema) -> bool:
    """Whether the schema leaves the inside open: it is data, and stays unchanged."""
    return not {"properties", "additionalProperties", "items"} & part.keys()


def single(part: Schema) -> bool:
    """Whether it holds only one entry, which another replaces: the phase of a goal, the letter of a loop."""
    return part.get("maxProperties") == 1


def verbs() -> list[str]:
    """The verbs of the language, in the order of the schema."""
    steps = schema()["$defs"]["step_body"]["properties"]
    return [name for name, part in steps.items() if part.get("x-verb")]


def parts(node: Any) -> Iterator[Schema]:
    """Every mapping in a schema, itself included."""
    if isinstance(node, dict):
        yield node
        for value in list(node.values()):
            yield from parts(value)
    elif isinstance(node, list):
        for value in node:
            yield from parts(value)
