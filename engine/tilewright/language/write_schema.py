"""Writes `schemas/tilewright.schema.json`: the authored `schemas/tilewright.yaml` with what the vocabulary declares.

Run `python -m tilewright.language.write_schema` after a change of either.
"""

import json
from pathlib import Path

from tilewright.language.documents.bundled import data_folder
from tilewright.language.documents.schema import AUTHORED, GENERATED, Schema, parts


def generate(folder: Path) -> str:
    """The text of the generated schema, from the authored one and the vocabulary."""
    from ruamel.yaml import YAML

    whole: Schema = YAML(typ="safe").load((folder / AUTHORED).read_text(encoding="utf-8"))
    add_vocabulary(whole)
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def add_vocabulary(whole: Schema) -> None:
    """The verbs of a step, the words of expressions as a definition of their own, and descriptions of the tests that
    ask a word."""
    from tilewright.language.vocabulary.steps.declare import STEPS
    from tilewright.language.vocabulary.words import QUANTIFIERS, WORDS

    whole["$defs"]["step_body"]["properties"] |= {name: declared.schema() for name, declared in STEPS.items()}
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
