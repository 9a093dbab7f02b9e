"""The schema: what documents look like, read from `schemas/tilewright.schema.json`; and how that file is made.

`schemas/tilewright.yaml` is written by hand; `python -m tilewright.language.schema` adds what the vocabulary declares
and writes the JSON, which editors, the shape check and the walk read. Knows no document.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.language.bundled import data_folder

if TYPE_CHECKING:
    from tilewright.language.load import Whole

Schema = dict[str, Any]

AUTHORED, GENERATED = "tilewright.yaml", "tilewright.schema.json"
SECTIONS_BY_KIND = {"base": "ruleset", "ruleset": "ruleset", "mod": "mod", "card": "card"}


@cache
def schema() -> Schema:
    """The whole schema, as it lies in the file."""
    loaded: Schema = json.loads((data_folder("schemas") / GENERATED).read_text(encoding="utf-8"))
    return loaded


@cache
def document_schema(kind: str) -> Schema:
    """The part of the schema that describes documents of this kind."""
    return resolve({"$ref": f"#/$defs/{SECTIONS_BY_KIND[kind]}"})


def resolve(part: Schema) -> Schema:
    """The part with what it refers to; what it says itself goes before."""
    if "$ref" not in part:
        return part
    key = id(part)
    if key not in RESOLVED:
        target: Any = schema()
        for step in part["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        own = {name: value for name, value in part.items() if name != "$ref"}
        RESOLVED[key] = (part, {**resolve(target), **own})
    return RESOLVED[key][1]


RESOLVED: dict[int, tuple[Schema, Schema]] = {}  # by identity; the part is kept so that its id stays its own


def below(part: Schema, key: str) -> Schema:
    """The schema of what stands behind a key of a mapping; {} if nothing is said of it."""
    known = part.get("properties", {})
    found = known[key] if key in known else part.get("additionalProperties")
    return resolve(found) if isinstance(found, dict) else {}


def items(part: Schema) -> Schema:
    """The schema of the items of a list."""
    return resolve(part.get("items", {}))


def opaque(part: Schema) -> bool:
    """Nothing is said of what is inside: it is data, and stays as it is."""
    return not {"properties", "additionalProperties", "items"} & part.keys()


def single(part: Schema) -> bool:
    """It holds one thing only, so that another takes its place: the phase of a goal, the letter of a loop."""
    return part.get("maxProperties") == 1


def verbs() -> list[str]:
    """The verbs of the language, in the order of the schema."""
    steps = schema()["$defs"]["step_body"]["properties"]
    return [name for name, part in steps.items() if part.get("x-verb")]


# --- a schema for one ruleset


def schema_for(whole: "Whole") -> Schema:
    """The schema in which every place for a name lists the names of this ruleset; editors complete them."""
    from tilewright.language.library import text_at
    from tilewright.language.links import names_of

    copy: Schema = json.loads(json.dumps(schema()))
    names = names_of(whole)
    for part in parts(copy):
        kind = part.get("x-ref")
        if kind in names and "string" in as_list(part.get("type", "string")):
            part.update(named_only(sorted(names[kind])) if kind in WITH_RANKS else listed(part, sorted(names[kind])))
    copy["title"] = f"Tilewright document, with the names of {text_at(whole.full, 'id')}"
    return copy


WITH_RANKS = ("class", "tile")  # where ranks (2..8) and tiles (5m) may stand beside names


def listed(part: Schema, names: list[str]) -> Schema:
    """What has to be said besides so that a string there is one of these names."""
    if as_list(part.get("type", "string")) == ["string"]:
        return {"enum": names}
    return {"if": {"type": "string"}, "then": {"enum": names}}


def named_only(names: list[str]) -> Schema:
    """The same where what begins with a digit is no name, and is not looked at."""
    plain = [name for name in names if name[0] not in DIGITS]
    return {"if": {"type": "string", "pattern": "^[^0-9.]"}, "then": {"enum": plain}}


DIGITS = "0123456789."


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def parts(node: Any) -> Iterator[Schema]:
    """Every mapping in a schema, itself included."""
    if isinstance(node, dict):
        yield node
        for value in list(node.values()):
            yield from parts(value)
    elif isinstance(node, list):
        for value in node:
            yield from parts(value)


# --- making the file


def generate(folder: Path) -> str:
    """The text of the generated schema, from the authored one and the vocabulary."""
    from ruamel.yaml import YAML

    whole: Schema = YAML(typ="safe").load((folder / AUTHORED).read_text(encoding="utf-8"))
    add_vocabulary(whole)
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def add_vocabulary(whole: Schema) -> None:
    """The words of expressions as a definition of their own, and descriptions of the tests that ask a word."""
    from tilewright.language.words import QUANTIFIERS, WORDS

    names = sorted(WORDS)
    whole["$defs"]["word"] = {
        "description": "Words of expressions, each with what it means.",
        "enum": names,
        "enumDescriptions": [f"{WORDS[name].type}: {WORDS[name].doc}" for name in names],
        "x-examples": [WORDS[name].example for name in names],
    }
    whole["$defs"]["quantifier"] = {
        "description": "Words that go over a set: any(e for x in S).",
        "enum": list(QUANTIFIERS),
    }
    for part in parts(whole):
        if "x-word" in part:
            part["description"] = WORDS[part["x-word"]].doc


def main() -> None:
    """Write the generated schema beside the authored one."""
    folder = data_folder("schemas")
    (folder / GENERATED).write_text(generate(folder), encoding="utf-8")


if __name__ == "__main__":
    main()
