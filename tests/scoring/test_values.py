"""Measures of sums are what walking their expressions gives, in every ruleset whose measures follow from sums."""

from fractions import Fraction
from random import Random

import pytest
from budget import budget
from engines import fresh
from random_hands import random_hands
from test_image import RULESETS

import tilewright
from tilewright.base.kernels import viewed
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.counting import measure, slot_of
from tilewright.scoring.program.measures import Unplanned

NUMBERS = (-1, 0, 1, 2, 3, 5, 8, 13, 30, 88, 1_000)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_sums_are_measured_as_by_walking(ruleset: str) -> None:
    rules, random = tilewright.load(ruleset), Random(3)
    kernel, forms = rules.kernel, range(len(rules.data.forms))
    if kernel is None:
        pytest.skip("the kernel does not know it")
    measures = [measure.id for measure in rules.data.scoring.measures]
    for situation in random_hands(rules, budget(30), seed=9):
        frame = kernel.known[kernel.context(situation)].frames[random.choice(forms)]
        assert kernel.values.way(frame) is not None
        some = random.choices([(one, extra) for one in measures for extra in (False, True)], k=random.randint(0, 4))
        sums = {key: random.choice(NUMBERS) for key in some}
        assert kernel.values.of_sums(frame, sums) == kernel.values.walked(frame, sums), (situation, sums)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_kernel_measures_sums_as_python_does(ruleset: str) -> None:
    """But for those that are not whole on the way."""
    rules, random, measured = fresh(ruleset), Random(4), 0
    kernel, forms, count = rules.kernel, range(len(rules.data.forms)), budget(30)
    if kernel is None:
        pytest.skip("the kernel does not know it")
    width = kernel.sum_width
    for situation in random_hands(rules, count, seed=10):
        frame = kernel.known[kernel.context(situation)].frames[random.choice(forms)]
        sums = {key: random.choice(NUMBERS) for key in random.choices(kernel.sums_of, k=random.randint(0, 4))}
        key = [0, *(sums.get(name, 0) for name in kernel.sums_of), kernel.frame(frame)]
        for spot, number in enumerate(key):
            kernel.space[at.KEY, spot] = number
        place = slot_of(kernel.sums.rows, kernel.space, at.KEY, width)
        if kernel.sums.rows[place, width]:
            continue
        worths, number = kernel.worths.rows, int(kernel.worths.rows[0, at.WORTHS]) + 1
        if measure(kernel.image, kernel.sums.rows, place, worths, kernel.measuring, viewed(kernel.space)):
            measured += 1
            values, short = kernel.values.of_sums(frame, {name: number for name, number in sums.items() if number})
            found = [Fraction(worths[number, spot], at.SCALE) for spot in range(at.FIRST_MEASURE, kernel.key_at)]
            assert found == [*values.values()] and worths[number, at.ENOUGH] == (short is None), (situation, sums)
            assert worths[number, at.COMES_TO] == at.SCALE * values[rules.data.scoring.best]
    assert measured > count // 3 or ruleset == "uzje"  # whose minimum is no whole number


def test_measures_that_cannot_be_planned_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    def unplanned(*_: object) -> object:
        raise Unplanned

    rules = fresh("riichi")
    (situation,) = random_hands(rules, 1, seed=2)
    kernel = rules.kernel
    assert kernel is not None
    frame = kernel.known[kernel.context(situation)].frames[0]
    sums = {("han", False): 2, ("unrounded_fu", False): 22}
    planned = kernel.values.of_sums(frame, sums)
    monkeypatch.setattr("tilewright.scoring.program.measures.partly", unplanned)
    monkeypatch.setattr(kernel.values, "ways", {})
    assert kernel.values.of_sums(frame, sums) == planned and planned[0]["han"] == 2
