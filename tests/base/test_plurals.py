"""One point, two points: in rulebooks, in scores and on the page, from the name of a measure alone."""

from pathlib import Path

import pytest

from tilewright.base.spelling import singular
from tilewright.play.rules import load
from tilewright.presentation.names import RulesetNames

RULES = """tilewright: 1
kind: ruleset
id: counting
name: Counting
extends: standard
scoring: {measures: {points: {name: {en: Points, zh: 分}}}, best: points, minimum: {points: 1}}
patterns: {drawn: {name: Drawn, worth: 1, when: self_draw}}
"""


@pytest.mark.parametrize(
    ("many", "one"),
    [
        *[
            ("points", "point"),
            ("matches", "match"),
            ("boxes", "box"),
            ("pennies", "penny"),
            ("tricks won", "tricks won"),
        ],
        *[("bonus", "bonus"), ("loss", "loss"), ("basis", "basis"), ("han", "han"), ("", "")],
    ],
)
def test_singulars(many: str, one: str) -> None:
    assert singular(many) == one


def test_a_measure_is_counted_in_the_form_of_its_number(tmp_path: Path) -> None:
    (tmp_path / "counting.yaml").write_text(RULES)
    rules = load(str(tmp_path / "counting.yaml"))
    names = RulesetNames(rules.data)
    assert [names.unit("points", number) for number in (0, 1, 2)] == ["points", "point", "points"]
    assert RulesetNames(rules.data, "zh").unit("points", 1) == "分"
    hand = "222m 333m 444m 55p 66s"
    assert str(rules.score(hand, win_tile="6s", self_draw=True)) == "1 point\n  Drawn  1 point"
    assert rules.score(hand, win_tile="6s").reason == "below the minimum: 0 of 1 point"
