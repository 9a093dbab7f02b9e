"""The bundled rulesets score hands as their sources do: those written by hand, and those of the
examples against the oracles (test_back_ends.py: random hands)."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from oracles.hand import Result

import tilewright

HERE = Path(__file__).parents[1]
SYSTEMS = ("zung_jung", "zung_jung_plus", "hong_kong", "sichuan", "cantonese", "chinese_classical", "uzje")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def examples() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((HERE.parent / "examples" / "hands").glob("*.jsonl")):
        yield from ((path.stem, case) for case in lines(path))


def oracle(system: str, case: dict[str, Any]) -> Result:
    result: Result = importlib.import_module(f"oracles.{system}").score(case)
    return result


def agrees(score: tilewright.Score, wanted: Result) -> bool:
    """Whether a score is what an oracle says; of equal readings any will do."""
    if not (score.win and wanted.win):
        return score.win == wanted.win
    patterns = frozenset(pattern.id for pattern in score.patterns)
    paid = dict(score.payments or {}) == dict(wanted.payments or {})
    return paid and bool(score.total == wanted.total) and patterns in wanted.alternatives


@pytest.mark.parametrize("case", lines(HERE / "data" / "real_hands.jsonl"), ids=lambda case: case["id"])
def test_hands_written_by_hand(case: dict[str, Any]) -> None:
    score = tilewright.load(case["ruleset"]).score_case(case)
    wanted = case["expect"]
    assert score.win == case.get("winner", True)
    assert score.values[score.unit] == wanted["total"]
    assert {p.id for p in score.patterns} == set(wanted.get("patterns", (p.id for p in score.patterns)))
    assert score.payments == wanted.get("payments", score.payments)


EXAMPLES = [
    pytest.param(system, case, id=f"{system}-{case['id']}")
    for system, case in examples()
    if system in SYSTEMS  # hands of cards have an oracle of their own: test_american.py
]


@pytest.mark.parametrize(("system", "case"), EXAMPLES)
def test_example_hands_agree_with_the_oracle(system: str, case: dict[str, Any]) -> None:
    assert agrees(tilewright.load(system).score_case(case), oracle(system, case))
