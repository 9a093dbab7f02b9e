"""Measures of sums are what walking their expressions gives, in every ruleset whose measures follow from sums."""

from random import Random

import pytest
from budget import budget
from random_hands import random_hands
from test_image import RULESETS

import tilewright
from tilewright.scoring.plain.late import Unplanned


@pytest.mark.parametrize("ruleset", RULESETS)
def test_sums_are_measured_as_by_walking(ruleset: str) -> None:
    rules, random = tilewright.load(ruleset), Random(3)
    engine, forms = rules.engine, range(len(rules.data.forms))
    if not engine.values.static:
        pytest.skip("its measures ask the reading")
    measures = [measure.id for measure in rules.data.scoring.measures]
    for situation in random_hands(rules, budget(60), seed=9):
        frame = engine.frame(engine.context(situation), random.choice(forms), situation)
        assert engine.values.way(frame) is not None
        some = random.choices([(one, extra) for one in measures for extra in (False, True)], k=random.randint(0, 4))
        sums = {key: random.choice([-1, 0, 1, 2, 3, 5, 8, 13, 30, 88, 1_000]) for key in some}
        assert engine.values.of_sums(frame, sums) == engine.values.walked(frame, sums), (situation, sums)


def test_measures_that_cannot_be_planned_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    def unplanned(*_: object) -> object:
        raise Unplanned

    rules = tilewright.load("riichi")
    (situation,) = random_hands(rules, 1, seed=2)
    frame = rules.engine.frame(rules.engine.context(situation), 0, situation)
    sums = {("han", False): 2, ("unrounded_fu", False): 22}
    planned = rules.engine.values.of_sums(frame, sums)
    monkeypatch.setattr("tilewright.scoring.image.values.partly", unplanned)
    monkeypatch.setattr(rules.engine.values, "ways", {})
    assert rules.engine.values.of_sums(frame, sums) == planned and planned[0]["han"] == 2
