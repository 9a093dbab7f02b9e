"""Broken documents: whatever is done to the text of a document, checking it gives problems and never anything else.

`python tests/test_fuzz_documents.py 20000` tries many more, and shows what fails.
"""

import random
import re
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilewright.base.problem import Problem
from tilewright.language.load import problems_of

DRAFTS = Path(__file__).parent / "drafts"
NAMES = (
    "table",
    "standard",
    "riichi",
    "american",
    "sichuan",
    "uzje",
    "mcr",
    "exercise",
    "three_players",
    "stacks",
    "basic1",
)
SIGNS = "abz09 :,{}[]()'\"#-+*/%^.!&|<>=?@`~\\\t\n東é\u2028\x00"
SCALARS = (
    "null",
    "true",
    "0",
    "-1",
    "1e9",
    "99999999999999999999",
    "''",
    "[]",
    "{}",
    "[[]]",
    "x",
    "back",
    "tile",
    "{a: b}",
    "1..",
    "..3",
    "9..1",
    "*x",
    "was",
    "1 / 0",
    "not not",
    "hand",
    "others",
    "has(pair)",
    "[null]",
    "~",
    "2 ^ 99 ^ 9",
)
SCALAR = re.compile(r"(?<=: )[^{}\[\],#\n]+|(?<=[\[,] )[^{}\[\],#\n:]+")


def broken(text: str, chance: random.Random) -> str:
    """The text after one to three accidents."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        text = chance.choice(
            (
                line_lost,
                line_doubled,
                lines_swapped,
                sign_changed,
                sign_lost,
                scalar_changed,
                scalar_moved,
                words_swapped,
                indented,
            )
        )(text, chance)
    return text


def line_lost(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines)) if lines else 0
    return "".join(lines[:at] + lines[at + 1 :])


def line_doubled(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    at, to = (chance.randrange(len(lines) + 1) for _ in range(2))
    return "".join(lines[:to] + lines[at : at + 1] + lines[to:])


def lines_swapped(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at, to = (chance.randrange(len(lines)) for _ in range(2))
        lines[at], lines[to] = lines[to], lines[at]
    return "".join(lines)


def sign_changed(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(SIGNS) + text[at + chance.choice((0, 1)) :]


def sign_lost(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.choice((1, 1, 2, 5, 40)) :]


def scalar_changed(text: str, chance: random.Random) -> str:
    return scalar_replaced(text, chance, chance.choice(SCALARS))


def scalar_moved(text: str, chance: random.Random) -> str:
    found = [match.group() for match in SCALAR.finditer(text)]
    return scalar_replaced(text, chance, chance.choice(found)) if found else text


def scalar_replaced(text: str, chance: random.Random, new: str) -> str:
    found = list(SCALAR.finditer(text))
    if not found:
        return text
    match = chance.choice(found)
    return text[: match.start()] + new + text[match.end() :]


def words_swapped(text: str, chance: random.Random) -> str:
    found = list(re.finditer(r"[a-z_]{3,}", text))
    if len(found) < 2:
        return text
    old, new = chance.sample(found, 2)
    return text[: old.start()] + new.group() + text[old.end() :]


def indented(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at = chance.randrange(len(lines))
        lines[at] = chance.choice((f"  {lines[at]}", lines[at].removeprefix("  ")))
    return "".join(lines)


def check(folder: Path, seed: int) -> None:
    """Break one document and check it; the document is whole again afterwards."""
    chance = random.Random(seed)
    path = folder / f"{chance.choice(NAMES)}.yaml"
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(broken(text, chance), encoding="utf-8", newline="")
        problems = problems_of(path)
        assert all(isinstance(problem, Problem) and problem.message for problem in problems)
    finally:
        path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(DRAFTS, tmp_path_factory.mktemp("fuzz") / "drafts"))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_broken_documents_give_problems(folder: Path, seed: int) -> None:
    check(folder, seed)


def main() -> None:
    """Try so many seeds; show those that fail."""
    folder = Path(shutil.copytree(DRAFTS, Path(tempfile.mkdtemp()) / "drafts"))
    first, count = int(sys.argv[2]) if len(sys.argv) > 2 else 0, int(sys.argv[1])
    for seed in range(first, first + count):
        try:
            check(folder, seed)
        except Exception:
            print(f"seed {seed}\n{traceback.format_exc(limit=-4)}")


if __name__ == "__main__":
    main()
