"""Mistakes in the drafts (tests/drafts), made together where they can be: each is one problem, as it is alone.

A mistake says which text (`replace`) of which draft (`in`) becomes which (`by`), and the `code` of the problem; a
`hint`; words in the line where it is found (`at`), if it is not that of the text, or that it may be `anywhere`;
`severity: warning`, if others may stand beside it.
"""

import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tilewright.base.problem import Problem
from tilewright.language.check import problems_of

DRAFTS = Path(__file__).parent / "drafts"
LARGE = ("mcr", "riichi", "uzje")  # drafts that take a tenth of a second each time
Mistake = Mapping[str, Any]


def in_batches(mistakes: Iterable[Mistake], most: int) -> list[Any]:
    """Parameters: mistakes in different lines of a draft, so many at most, or one."""
    batches: list[list[Mistake]] = []
    for one in mistakes:
        near = (batch for batch in batches if len(batch) < most and batch[0]["in"] == one["in"])
        batch = next((batch for batch in near if are_apart([*batch, one])), [])
        batches += [] if batch else [batch]
        batch.append(one)
    return [
        pytest.param(
            batch,
            id=" ".join([batch[0]["in"], *(one["code"] for one in batch)])[:80],
            marks=[pytest.mark.long] if batch[0]["in"] in LARGE else [],
        )
        for batch in batches
    ]


def are_apart(batch: Sequence[Mistake]) -> bool:
    """No line of the draft has two of the mistakes."""
    text = text_of(batch[0]["in"])
    spans = sorted((start, start + one["replace"].count("\n")) for one in batch for start in [line_of(text, one)])
    return all(end < start for (_, end), (start, _) in pairwise(spans))


@cache
def text_of(draft: str) -> str:
    return (DRAFTS / f"{draft}.yaml").read_text(encoding="utf-8")


def line_of(text: str, one: Mistake) -> int:
    """The number of the line where what is replaced begins."""
    return text[: text.index(one["replace"])].count("\n") + 1


def each_is_one_problem(batch: Sequence[Mistake]) -> None:
    """Those that are found are corrected until all are; those that are found otherwise are made in two halves."""
    left = list(batch)
    while left:
        found, others = told(left)
        if others or not found:
            assert len(left) > 1, (left, others)
            each_is_one_problem(left[::2])
            each_is_one_problem(left[1::2])
            return
        left = [one for one in left if one not in found]


def told(batch: Sequence[Mistake]) -> tuple[list[Mistake], list[Problem]]:
    """The mistakes that a check of their draft finds, and what else: errors or, without any, new warnings."""
    path, text = drafts() / f"{batch[0]['in']}.yaml", text_of(batch[0]["in"])
    broken = text
    for one in sorted(batch, key=lambda one: line_of(text, one), reverse=True):  # what is above stays where it is
        broken = broken.replace(one["replace"], one["by"], 1)
    path.write_text(broken, encoding="utf-8")
    try:
        problems = problems_of(path)
    finally:
        path.write_text(text, encoding="utf-8")
    errors = [] if all(map(is_lenient, batch)) else [one for one in problems if one.severity == "error"]
    worst = errors or problems
    same = [[problem for problem in worst if is_of(one, problem, line_in(broken, one, batch))] for one in batch]
    found = [one for one, of_it in zip(batch, same, strict=True) if len(of_it) == 1 or (of_it and "anywhere" in one)]
    if not errors and any(map(is_lenient, batch)):
        return found, []
    besides = () if errors else {one.code for one in problems_as_is(batch[0]["in"])}
    return found, [one for one in worst if one.code not in besides and not any(one in of_it for of_it in same)]


def is_lenient(one: Mistake) -> bool:
    """Whether other problems may stand beside it."""
    return "severity" in one


def line_in(broken: str, one: Mistake, batch: Sequence[Mistake]) -> int:
    """The number of the line in which a mistake is found, 0 if it is not clear."""
    if "at" in one:
        lines = [number for number, line in enumerate(broken.splitlines(), 1) if one["at"] in line]
        return lines[0] if len(lines) == 1 else 0
    text = text_of(one["in"])
    above = (other for other in batch if line_of(text, other) < line_of(text, one))
    return line_of(text, one) + sum(other["by"].count("\n") - other["replace"].count("\n") for other in above)


def is_of(one: Mistake, problem: Problem, line: int) -> bool:
    """Whether a problem is what is said of a mistake."""
    if problem.code != one["code"] or "anywhere" in one:
        return problem.code == one["code"]
    place = problem.place
    is_there = place is not None and (Path(place.source.name).stem, place.line) == (one["in"], line)
    is_so = problem.severity == one.get("severity", "error") and problem.hint == one.get("hint", problem.hint)
    return is_there and is_so


@cache
def drafts() -> Path:
    """A copy of the drafts, to make mistakes in."""
    return Path(shutil.copytree(DRAFTS, Path(tempfile.mkdtemp(prefix="tilewright-drafts-")) / "drafts"))


@cache
def problems_as_is(draft: str) -> tuple[Problem, ...]:
    """The problems of a draft without mistakes."""
    return problems_of(drafts() / f"{draft}.yaml")
