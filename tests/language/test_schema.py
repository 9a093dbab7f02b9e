"""The schema: valid, complete, not stale, and alone enough for an editor: every document validates with it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from budget import budget
from conftest import ROOT
from games import mostly_soaked
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence, Value, plain
from tilewright.language.documents.bundled import data_folder
from tilewright.language.documents.library import read_document
from tilewright.language.documents.schema import GENERATED, parts, schema
from tilewright.language.documents.shape import as_json, mismatch, validator
from tilewright.language.elaborate import open_whole
from tilewright.language.vocabulary.words import WORDS
from tilewright.language.write_schema import generate, schema_for

DOCUMENTS = [path for part in ("rulesets/*", "cards", "tests/drafts") for path in sorted(ROOT.glob(f"{part}/*.yaml"))]


def test_the_schema_is_valid() -> None:
    Draft202012Validator.check_schema(schema())


def test_the_generated_schema_is_not_stale() -> None:
    folder = data_folder("schemas")
    assert (folder / GENERATED).read_text(encoding="utf-8") == generate(folder), "run: make docs"


def test_every_property_is_described() -> None:
    lacking = [path for path, part in properties(schema()) if not description(part)]
    assert lacking == []


def properties(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every property that the schema describes, with its path; those of `if` ask and describe nothing."""
    if isinstance(node, dict):
        for name, part in node.get("properties", {}).items() if isinstance(node.get("properties"), dict) else ():
            yield f"{path}.{name}", part
        for key, value in node.items():
            if key != "if" or "properties" not in value:
                yield from properties(value, f"{path}.{key}")
    elif isinstance(node, list):
        for value in node:
            yield from properties(value, path)


def description(part: dict[str, Any]) -> str:
    while "description" not in part and "$ref" in part:
        target: Any = schema()
        for step in part["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        part = target
    return str(part.get("description", ""))


def test_no_one_of() -> None:
    assert not any("oneOf" in part or "anyOf" in part for part in parts(schema()))


def test_every_word_is_in_it() -> None:
    assert set(schema()["$defs"]["word"]["enum"]) == set(WORDS)
    assert len(schema()["$defs"]["word"]["enumDescriptions"]) == len(WORDS)


@pytest.mark.parametrize(
    "path", mostly_soaked(DOCUMENTS, DOCUMENTS[::3]), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_documents_fit_with_and_without_our_checks(path: Path) -> None:
    document = read_document(path)
    assert [error.message for error in Draft202012Validator(schema()).iter_errors(plain(document))] == []
    assert by_us(document) == []


@pytest.mark.long
@pytest.mark.parametrize("id", ["riichi", "american", "uzje", "sichuan"])
def test_a_schema_with_the_names_of_a_ruleset(id: str) -> None:
    path = ROOT / "tests" / "drafts" / f"{id}.yaml"
    whole = open_whole(str(path))
    named = schema_for(whole)
    Draft202012Validator.check_schema(named)
    assert [error.message for error in Draft202012Validator(named).iter_errors(plain(read_document(path)))] == []
    full = plain(whole.full)
    assert isinstance(full, dict)
    wrong = {**full, "phases": {"act": {"then": "nowhere"}}}
    assert any("nowhere" in error.message for error in Draft202012Validator(named).iter_errors(wrong))


# --- the validator beside jsonschema, the reference

VALUES: list[Value] = [
    None,
    True,
    0,
    1,
    -1,
    30,
    Fraction(1, 2),
    Fraction("7.00000000000000000001"),
    "",
    "a",
    "A b",
    "a\n",
]
VALUES += ["1..9", "winner"]
# `$` of JSON Schema is the end of the text, but Python allows a line break after it.
REFERENCE = extend(
    Draft202012Validator,
    {"pattern": lambda _, pattern, *rest: Draft202012Validator.VALIDATORS["pattern"](_, exact(pattern), *rest)},
)(schema())


def exact(pattern: str) -> str:
    return re.sub(r"\$$", r"\\Z", pattern)


def by_reference(document: Node) -> list[tuple[str, ...]]:
    """What the reference says is wrong: the keyword, and where; every key that is missing."""
    found = []
    for error in REFERENCE.iter_errors(plain(document)):
        wanted = error.validator_value if error.validator == "required" else []
        missing = [name for name in wanted if name not in error.instance] or [None]
        found += [(error.validator, str(name), *map(str, error.absolute_path)) for name in missing]
    return sorted(set(found))


def by_us(document: Node) -> list[tuple[str, ...]]:
    wrong = map(mismatch, validator().iter_errors(as_json(document)))
    return sorted({(one.keyword, str(one.missing), *one.path) for one in wrong})


@pytest.mark.long
@given(st.sampled_from(DOCUMENTS), st.randoms(use_true_random=False))
@settings(max_examples=budget(40), deadline=None)
def test_the_same_is_wrong_with_a_changed_document_as_the_reference_says(path: Path, chance: Random) -> None:
    document = changed(read_document(path), chance)
    assert by_us(document) == by_reference(document)


def changed(node: Node, chance: Random) -> Node:
    """The node with one thing below it replaced, taken away or named otherwise."""
    match node:
        case Mapping() if node.entries and chance.random() < 0.9:
            name = chance.choice(list(node.entries))
            entries = dict(node.entries)
            entry = entries.pop(name)
            match chance.randrange(12):
                case 0:
                    pass
                case 1:
                    entries["Odd name"] = Entry(replace(entry.key, text="Odd name", value="Odd name"), entry.value)
                case _:
                    entries[name] = Entry(entry.key, changed(entry.value, chance))
            return Mapping(entries, node.place)
        case Sequence() if node.items and chance.random() < 0.9:
            at = chance.randrange(len(node.items))
            return Sequence((*node.items[:at], changed(node.items[at], chance), *node.items[at + 1 :]), node.place)
    one = chance.choice([*VALUES, Mapping({}, node.place), Sequence((), node.place)])
    return one if isinstance(one, Mapping | Sequence) else Scalar(one, str(one), node.place)
