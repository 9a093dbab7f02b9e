"""The reference is fresh, and each word's example is an expression that the language takes."""

import re
from pathlib import Path

import pytest
from commands import run

from tilewright.authoring.reference import CASE_PAGE, link, render_reference, with_parts
from tilewright.authoring.words import entries
from tilewright.base.node import Scalar
from tilewright.base.problem import Place, Source, has_errors, str_of
from tilewright.language.check import problems_of
from tilewright.language.documents.schema import schema
from tilewright.language.elaborate import open_whole
from tilewright.language.expressions.lower import lower
from tilewright.language.expressions.scope import Scope, declare
from tilewright.language.vocabulary.case import case_fields
from tilewright.language.vocabulary.words import WORDS

RULES = "zung_jung_plus"


@pytest.fixture(scope="module")
def scope() -> Scope:
    return declare(open_whole(RULES))


def test_the_reference_is_fresh(root: Path) -> None:
    written = (root / "docs/language.md").read_text(encoding="utf-8")
    assert written == render_reference(), "run `make docs`"


@pytest.mark.parametrize("name", sorted(WORDS))
def test_the_example_of_a_word_is_an_expression(name: str, scope: Scope) -> None:
    example = WORDS[name].example
    text = Scalar(example, example, Place(Source(name, example), 1, 1, len(example)))
    ir, problems = lower(text, "value", scope)
    assert ir is not None and not problems, "\n".join(map(str_of, problems))


@pytest.mark.parametrize("name", sorted(WORDS))
def test_the_example_of_a_word_uses_it(name: str) -> None:
    assert name in WORDS[name].example.replace("(", " ").replace(".", " ").replace(")", " ").replace(",", " ").split()


def test_everything_is_described() -> None:
    assert not [entry.name for entry in entries() if not entry.doc]
    assert all(f"`{name}`" in render_reference() or f"`{name}(" in render_reference() for name in WORDS)


def test_the_example_of_a_test_is_a_condition(tmp_path: Path) -> None:
    examples = {entry.name: entry.example for entry in entries() if entry.kind == "test"}
    assert all(example.startswith(f"{name}: ") for name, example in examples.items())
    file = tmp_path / "tests.yaml"
    head = f"tilewright: 1\nkind: ruleset\nid: tests\nname: Tests\nextends: {RULES}\npatterns:\n"
    lines = [f"  p_{name}: {{name: Of {name}, worth: 1, when: {{{text}}}}}\n" for name, text in examples.items()]
    file.write_text(head + "".join(lines), encoding="utf-8")
    assert not has_errors(problems_of(file))


def test_links_inside_the_reference_lead_to_headings(root: Path) -> None:
    text = (root / "docs/language.md").read_text(encoding="utf-8")
    headings = {link(title) for title in re.findall(r"^##+ (.*)$", text, re.MULTILINE)}
    assert set(re.findall(r"\[[^]]*\]\(#[^)]*\)", text)) - headings == {"[expression](#expressions)"}


def test_the_table_of_a_case_is_up_to_date(root: Path) -> None:
    page = (root / "docs/cases.md").read_text(encoding="utf-8")
    assert with_parts(page, CASE_PAGE) == page, "run `make docs`"


def test_what_a_case_may_say_is_on_the_command_line_and_in_the_schema() -> None:
    definitions, help = schema()["$defs"], run("score", "--help").stdout
    for name, field in case_fields().items():
        assert not field.option or field.option in help
        assert field.kind == "id" or name in definitions["case"]["properties"]
        assert (name in definitions["example_body"]["properties"]) >= field.example
    fewer = run("waits", "--help").stdout
    assert {field.option for field in case_fields().values() if field.of_win and field.option in fewer} == set()
