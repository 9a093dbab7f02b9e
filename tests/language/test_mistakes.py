"""Mistakes of authors: a draft with one mistake gives one problem, at the right line, with the way out.

The mistakes are data (tests/mistakes/); the documents they are made in are the drafts (tests/drafts/).
"""

import re

import pytest
from budget import budget
from conftest import ROOT
from drafts_with_mistakes import DRAFTS, Mistake, each_is_one_problem, in_batches, problems_as_is
from ruamel.yaml import YAML

LANGUAGE = ROOT / "engine" / "tilewright" / "language"
MINE = ("*", "documents/*", "expressions/*", "lint/*", "sections/play", "sections/scoring")
ELSEWHERE = {  # other tests make these: they take options, mods, many documents, packs, tiles or cards
    "bad-author",
    "bad-lock",
    "bad-range",
    "bad-version",
    "no-such-pack",
    "pack-changed",
    "pack-version",
    "unknown-license",
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
MISTAKES: list[Mistake] = [
    one
    for path in sorted((ROOT / "tests" / "mistakes").glob("*.yaml"))
    for one in YAML(typ="safe").load(path.read_text(encoding="utf-8"))
]


FIRST = list({one["code"]: one for one in reversed(MISTAKES)}.values())


@pytest.mark.parametrize("mistakes", in_batches(FIRST, 32 // budget(1)))
def test_a_mistake_of_each_code_is_one_problem(mistakes: list[Mistake]) -> None:
    each_is_one_problem(mistakes)


@pytest.mark.soak
@pytest.mark.parametrize("mistakes", in_batches([one for one in MISTAKES if one not in FIRST], 1))
def test_each_mistake_is_one_problem(mistakes: list[Mistake]) -> None:
    each_is_one_problem(mistakes)


@pytest.mark.parametrize("draft", sorted(path.stem for path in DRAFTS.glob("*.yaml")))
def test_a_draft_has_no_error_and_few_warnings(draft: str) -> None:
    problems = problems_as_is(draft)
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
    assert code in ELSEWHERE or any(one["code"] == code for one in MISTAKES)
