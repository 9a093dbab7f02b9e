"""The table of duels: every level against every other, with the figures of the command that it names."""

import json
import sys
from pathlib import Path

import pytest
from commands import run

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import duels


@pytest.mark.slow
def test_a_row_has_what_each_duel_comes_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duels, "DUELS", [("fast", "random"), ("random", "fast")])
    ruleset, deals, one, other = (one.strip() for one in duels.row("cantonese", 12, 1).strip("|").split("|"))
    assert (ruleset, deals) == ("`cantonese`", "12")
    assert one == other.replace("−", "+") and "±" in one
    result = run("simulate", "cantonese", "--duel", "fast,random", "--games", "12", "--json", "--jobs", "1")
    assert one == duels.cell(json.loads(result.stdout))


@pytest.mark.parametrize(
    ("difference", "half", "found", "text"),
    [
        (0.384, 0.281, True, "**+0.38 ± 0.28**"),
        (-1.2345, 2.5, False, "−1.2 ± 2.5"),
        (3102.4, 123.4, True, "**+3,102 ± 123**"),
        (0.0, 0.0, False, "+0 ± 0"),
    ],
)
def test_as_many_digits_are_shown_as_the_interval_knows(difference: float, half: float, found: bool, text: str) -> None:
    low, high = difference - half, difference + half
    points = {"of": "points", "difference": difference, "low": low, "high": high, "found": found}
    assert duels.cell({"differences": [points]}) == text


def test_an_interval_that_is_not_known_is_not_made_up() -> None:
    assert (
        duels.cell({"differences": [{"of": "points", "difference": 1.0, "low": None, "high": None, "found": False}]})
        == "?"
    )


@pytest.mark.parametrize(
    ("number", "rounded"), [(1_883.2, 1_800), (97.0, 97), (7.9, 7), (0.2, 0), (123_456.0, 120_000)]
)
def test_deals_are_round_numbers(number: float, rounded: int) -> None:
    assert duels.rounded_down(number) == rounded
