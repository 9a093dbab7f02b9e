"""Mistakes of authors: a draft with one mistake gives one problem, at the right line, with the way out.

The mistakes are data (tests/mistakes/); the documents they are made in are the drafts (tests/drafts/).
"""

import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from ruamel.yaml import YAML

from tilewright.base.problem import Problem
from tilewright.language.check import problems_of

DRAFTS = ROOT / "tests" / "drafts"
LANGUAGE = ROOT / "engine" / "tilewright" / "language"
MINE = ("*", "documents/*", "expressions/*", "lint/*", "sections/pa*", "sections/play", "sections/scoring")
ELSEWHERE = {  # other tests make these: they take options, mods, many documents, tiles or cards
    "action-too-long",
    "no-bonus-zone",
    "unknown-option",
    "wrong-setting",
    "not-a-ruleset",
    "not-playable",
    "not-for-this",
    "not-a-mod",
    "not-a-card",
    "needs-mod",
    "mods-conflict",
    "plays-no-card",
    "several-cards",
    "broken-ruleset",
    "class-circle",
    "class-too-deep",
    "no-choice",
    "rank-out-of-range",
    "mods-collide",
    "not-a-document",
    "many-problems",
    "extends-too-far",
    "too-many-mods",
    "mod-twice",
    "needs-in-a-circle",
    "grows-too-much",
    "wrong-shape",
    "no-tile-in-question",
    "of-another",
    "no-document",
    "stale-translation",
    "unknown-text",
}
TABLES = ("drafts", "more")
LARGE = ("mcr", "riichi", "uzje")  # drafts that take a tenth of a second each time
Mistake = dict[str, Any]


@cache
def mistakes(table: str) -> list[Mistake]:
    text = (ROOT / "tests" / "mistakes" / f"{table}.yaml").read_text(encoding="utf-8")
    found: list[Mistake] = YAML(typ="safe").load(text)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the drafts, to make mistakes in."""
    return Path(shutil.copytree(DRAFTS, tmp_path_factory.mktemp("mistakes") / "drafts"))


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(
            one,
            id=f"{table}-{one['in']}-{one['code']}-{number}",
            marks=[pytest.mark.long] if one["in"] in LARGE else [],
        )
        for table in TABLES
        for number, one in enumerate(mistakes(table))
    ],
)
def test_one_mistake_is_one_problem(mistake: Mistake, folder: Path) -> None:
    path = folder / f"{mistake['in']}.yaml"
    text = (DRAFTS / path.name).read_text(encoding="utf-8")
    assert mistake["replace"] in text
    broken = text.replace(mistake["replace"], mistake["by"], 1)
    path.write_text(broken, encoding="utf-8")
    try:
        problem = the_problem(problems_of(path), mistake)
    finally:
        path.write_text(text, encoding="utf-8")
    assert problem.place is not None
    assert (Path(problem.place.source.name).name, problem.place.line) == (
        path.name,
        line_with(broken, mistake["at"]) if "at" in mistake else text[: text.index(mistake["replace"])].count("\n") + 1,
    )
    assert "hint" not in mistake or problem.hint == mistake["hint"]


def line_with(text: str, words: str) -> int:
    """The number of the only line with these words."""
    [number] = [number for number, line in enumerate(text.splitlines(), 1) if words in line]
    return number


def the_problem(problems: tuple[Problem, ...], mistake: Mistake) -> Problem:
    """The only error, or the warning of this code."""
    severity = mistake.get("severity", "error")
    found = [
        one for one in problems if one.severity == severity and (severity == "error" or one.code == mistake["code"])
    ]
    assert [one.code for one in found] == [mistake["code"]], problems
    return found[0]


@pytest.mark.parametrize("path", sorted(DRAFTS.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_draft_has_no_error_and_few_warnings(path: Path) -> None:
    problems = problems_of(path)
    assert [one for one in problems if one.severity == "error"] == []
    assert len(problems) <= 3


@pytest.mark.parametrize(
    "code",
    sorted(
        {
            code
            for pattern in MINE
            for path in LANGUAGE.glob(f"{pattern}.py")
            for code in re.findall(r'Problem\(\s*"([a-z-]+)"', path.read_text(encoding="utf-8"))
        }
    ),
)
def test_every_code_has_a_mistake(code: str) -> None:
    assert code in ELSEWHERE or any(one["code"] == code for table in TABLES for one in mistakes(table))
