"""Keys: everything that documents may have, walked from the schema, with types in authors' terms. Lists nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tilewright.language.documents.schema import resolve, schema

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
