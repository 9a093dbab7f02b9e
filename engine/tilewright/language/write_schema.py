"""Writes `schemas/tilewright.schema.json`: the authored `schemas/tilewright.yaml` with the words, steps and fields of
cases that the vocabulary declares (`make docs`); and makes it with the names of one ruleset, for editors."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.language.documents.bundled import data_folder
from tilewright.language.documents.schema import AUTHORED, GENERATED, Schema, parts, schema
from tilewright.language.vocabulary.declare import QUANTIFIERS, Flag, OneOf, Span, Word
from tilewright.language.vocabulary.declare_steps import STEPS
from tilewright.language.vocabulary.words import WORDS


def generate(folder: Path) -> str:
    """The text of the generated schema, from the authored one and the vocabulary."""
    from ruamel.yaml import YAML

    whole: Schema = YAML(typ="safe", pure=True).load((folder / AUTHORED).read_text(encoding="utf-8"))
    add_vocabulary(whole)
    add_cases(whole)
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def add_vocabulary(whole: Schema) -> None:
    """The steps of play, the words of expressions as a definition of their own, and tests that ask a word, first."""
    whole["$defs"]["step_body"]["properties"] |= {name: declared.schema() for name, declared in STEPS.items()}
    names = sorted(WORDS)
    whole["$defs"]["word"] = {
        "description": "Words of expressions, each with what it means.",
        "enum": names,
        "enumDescriptions": [f"{WORDS[name].type}: {WORDS[name].doc}" for name in names],
        "x-examples": [WORDS[name].example for name in names],
    }
    whole["$defs"]["quantifier"] = {
        "description": "Words that iterate over a set: any(e for x in S).",
        "enum": list(QUANTIFIERS),
    }
    condition = whole["$defs"]["condition"]
    condition["properties"] = tests_of_words() | condition["properties"]


def tests_of_words() -> Schema:
    """The tests of words: names, then numbers, then truths."""
    found: Schema = {}
    for kind in (OneOf, Span, Flag):
        for name, word in WORDS.items():
            if isinstance(word.test, kind):
                about = {"x-word": name, "examples": [word.test.example], "description": word.doc}
                found[name] = test_schema(word) | about
    return found


def test_schema(word: Word) -> Schema:
    """The schema of a test of a word."""
    match word.test:
        case OneOf(of=""):
            name = {"type": "string", "enum": list(word.values)}
            checks = {"if": {"type": "string"}, "then": name}
            return {"type": ["string", "array"], "items": name, "minItems": 1, **checks}
        case OneOf(of=of):
            name = {"type": "string", "x-ref": of}
            return {"type": ["string", "array"], "x-ref": of, "items": name, "minItems": 1}
        case Span():
            return {"$ref": "#/$defs/span"}
    return {"type": "boolean"}


def add_cases(whole: Schema) -> None:
    """The fields of examples and cases, before those that only the authored schema has."""
    from tilewright.language.vocabulary.case import FIELDS

    for part in parts(whole):
        if "x-fields" in part:
            part["properties"] = {**FIELDS[part.pop("x-fields")](), **part["properties"]}


def main() -> None:
    """Write the generated schema next to the authored one."""
    folder = data_folder("schemas")
    (folder / GENERATED).write_text(generate(folder), encoding="utf-8")


if __name__ == "__main__":
    main()


if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset

# --- the names of one ruleset

WITH_RANKS = ("class", "tile")  # where ranks (2..8) and tiles (5m) are allowed besides names
DIGITS = "0123456789."


def schema_for(whole: "MergedRuleset") -> Schema:
    """The schema in which every place for a name lists the names of this ruleset; editors complete them."""
    from tilewright.language.documents.fields import text_at
    from tilewright.language.expressions.names import names_of

    copy: Schema = json.loads(json.dumps(schema()))
    names = names_of(whole)
    for part in parts(copy):
        kind = part.get("x-ref")
        if kind in names and "string" in as_list(part.get("type", "string")):
            part.update(named_only(sorted(names[kind])) if kind in WITH_RANKS else listed(part, sorted(names[kind])))
    copy["title"] = f"Tilewright document, with the names of {text_at(whole.full, 'id')}"
    return copy


def listed(part: Schema, names: list[str]) -> Schema:
    """The addition to the schema that restricts strings to these names."""
    if as_list(part.get("type", "string")) == ["string"]:
        return {"enum": names}
    return {"if": {"type": "string"}, "then": {"enum": names}}


def named_only(names: list[str]) -> Schema:
    """The same, except that strings beginning with a digit are not names."""
    plain = [name for name in names if name[0] not in DIGITS]
    return {"if": {"type": "string", "pattern": "^[^0-9.]"}, "then": {"enum": plain}}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
