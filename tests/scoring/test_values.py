"""Measures of sums are what walking their expressions gives, in every ruleset whose measures follow from sums."""

from fractions import Fraction
from random import Random

import pytest
from budget import budget
from random_hands import random_hands
from test_image import RULESETS

import tilewright
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.counting import measure, slot_of
from tilewright.scoring.kernel.image import FlatImage
from tilewright.scoring.kernel.scores import KernelScores
from tilewright.scoring.many.array_image import ArrayImage
from tilewright.scoring.plain.late import Unplanned

NUMBERS = (-1, 0, 1, 2, 3, 5, 8, 13, 30, 88, 1_000)


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
        sums = {key: random.choice(NUMBERS) for key in some}
        assert engine.values.of_sums(frame, sums) == engine.values.walked(frame, sums), (situation, sums)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_kernel_measures_sums_as_python_does(ruleset: str) -> None:
    """But for those that are not whole on the way."""
    rules, random, measured = tilewright.load(ruleset), Random(4), 0
    engine, forms, count = rules.engine, range(len(rules.data.forms)), budget(60)
    image = ArrayImage(engine)
    if not FlatImage.is_known(image):
        pytest.skip("the kernel does not know it")
    kernel = KernelScores(image)
    width = kernel.flat.sum_width
    for situation in random_hands(rules, count, seed=10):
        frame = engine.frame(engine.context(situation), random.choice(forms), situation)
        sums = {key: random.choice(NUMBERS) for key in random.choices([*kernel.flat.sums], k=random.randint(0, 4))}
        key = [0, *(sums.get(name, 0) for name in kernel.flat.sums), kernel.frame(frame)]
        kernel.space[at.KEY, :width] = key
        place = slot_of(kernel.sums.rows, kernel.space, at.KEY, width)
        if kernel.sums.rows[place, width]:
            continue
        worths, number = kernel.worths.rows, int(kernel.worths.rows[0, at.WORTHS]) + 1
        if measure(kernel.image, kernel.sums.rows, place, worths, kernel.measuring, kernel.space):
            measured += 1
            values, short = engine.values.of_sums(frame, {name: number for name, number in sums.items() if number})
            found = [Fraction(int(one), at.SCALE) for one in worths[number, at.FIRST_MEASURE : kernel.key_at]]
            assert found == [*values.values()] and worths[number, at.ENOUGH] == (short is None), (situation, sums)
            assert worths[number, at.COMES_TO] == at.SCALE * values[rules.data.scoring.best]
    assert measured > count // 3 or ruleset == "uzje"  # whose minimum is no whole number


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
