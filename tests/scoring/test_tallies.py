"""Questions about counts: programs over rows say what the tree walker says, in numpy, and as a kernel."""

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
from budget import budget
from random_hands import random_hands
from test_image import RULESETS

import tilewright
from tilewright.base.document import Mapping, Scalar, parse
from tilewright.base.problem import Source
from tilewright.language.compiled.ir import Ir
from tilewright.language.elaborate import open_whole
from tilewright.language.expressions.lower import lower
from tilewright.language.expressions.scope import Scope, declare
from tilewright.scoring.many.batch import HandBatch
from tilewright.scoring.many.tally import QuestionArrays, Tallies, answered, tallied
from tilewright.scoring.plain.plain_judge import PlainJudge
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.plain.walker import evaluate

COUNTED = {
    "riichi": (
        *("copies(0m) - copies(5m)", "copies(next(N)) + 3 * copies(1m)", "2 if kinds > 7 else melds * 3"),
        *("riichi or melds == 0", "not (riichi and kinds < 9 and waits <= 3)", "tiles != 14", "waits + 1"),
        *("any(copies(t) == 4 and not has(quad t) for t in kinds)", "all(copies(t) > 1 or t in winds for t in tiles)"),
        *("sum(copies(t) if t in red else -1 + copies(next(t)) for t in tiles)", "has(2 quad) or has(quad N)"),
        *("sum(count(b == next(t) for b in bonus) for t in kinds)", "sum(tiles for t in dora_indicators)"),
        *("sum(sum(copies(t) for b in bonus) for t in kinds)", "count(any(b == t for b in bonus) for t in tiles)"),
        *("sum(sum(copies(b) if t == b else 1 for b in bonus) for t in kinds)", "(bonus >= 2) == (melds > 1)"),
    ),
    "mcr": ("seen(tile)", "last_copy or has(quad)", "count(has(exposed quad t) for t in kinds) + bonus", "0 == melds"),
}
MORE_THAN_COUNTS = (
    *("copies(tile)", "kinds / 2", "max(kinds, melds)", "sum(copies(t) for t in winds)", "2147483648 * kinds"),
    *("count(t in bonus for t in tiles)", "has(pair)", "suits", "sum(1 / 2 for t in tiles)", "seen(N)", "dealer.melds"),
    *("ura_indicators > 1", "any(t == N for t in ura_indicators)"),
    "sum(sum(kinds for t in bonus) for s in bonus)",
)


@cache
def scope_of(ruleset: str) -> Scope:
    data = tilewright.load(ruleset).data
    return declare(open_whole(ruleset), data.tiles, data.groups)


def written(text: str, ruleset: str) -> Ir:
    """An expression of a ruleset."""
    document = parse(Source("test.yaml", f"of: {text}\n"))
    assert isinstance(document, Mapping)
    node = document.entries["of"].value
    assert isinstance(node, Scalar)
    ir, problems = lower(node, "value", scope_of(ruleset))
    assert ir is not None, problems
    return ir


def questions_of(ruleset: str) -> list[Ir]:
    """The questions of a ruleset, and some that it does not ask."""
    made = [written(text, ruleset) for text in COUNTED.get(ruleset, ())]
    return [*tilewright.load(ruleset).engine.questions, *made]


def hands_of(ruleset: str, count: int) -> list[Situation]:
    """Hands made at random, with tiles of any kind set aside and in every zone."""
    rules, random = tilewright.load(ruleset), Random(11)
    faces = range(len(rules.faces))
    zones = [name for name in rules.data.zones if name not in ("hand", "melds", "bonus")]
    return [
        replace(
            one,
            hand=replace(one.hand, bonus=tuple(random.choices(faces, k=random.randrange(4)))),
            zones={name: tuple(random.choices(faces, k=random.randrange(5))) for name in zones},
        )
        for one in random_hands(rules, count, seed=random.randrange(10_000))
        if not any(meld.wild for meld in one.hand.melds)
    ]


def tallies_of(ruleset: str, hands: list[Situation]) -> Tallies:
    """The counts of hands that wait for as many tiles as their number modulo 14."""
    data = tilewright.load(ruleset).data
    waits = np.arange(len(hands)) % 14
    questions = QuestionArrays(questions_of(ruleset), data)
    return Tallies(questions, HandBatch.of_situations(hands, data), lambda: waits)


class Waiting(PlainJudge):
    """A judge by whom hands wait for so many tiles."""

    def __init__(self, number: int) -> None:
        self.__dict__["number"] = number

    def waits(self, situation: Situation) -> tuple[int, ...]:
        return (0,) * self.__dict__["number"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_programs_say_what_the_walker_says(ruleset: str) -> None:
    data, hands = tilewright.load(ruleset).data, hands_of(ruleset, budget(60))
    tallies = tallies_of(ruleset, hands)
    judges = [Waiting(number % 14) for number in range(len(hands))]
    scenes = [HandScene(data, one, judge=judge) for one, judge in zip(hands, judges, strict=True)]
    for ir in tallies.questions.codes:
        expected = [evaluate(ir, scene) for scene in scenes]
        found = tallied(ir, tallies)
        assert found is not None and found.tolist() == expected, ir
        assert kernel_answers(tallies, ir) == expected, ir


def kernel_answers(tallies: Tallies, ir: Ir) -> list[int]:
    """What the kernel says of each hand."""
    questions, code = tallies.questions, tallies.questions.codes[ir]
    stack = np.full(questions.room, -7, np.int64)
    return [answered(questions.numbers, code.start, code.stop, row, stack) for row in tallies.rows()]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_questions_of_rulesets_have_programs(ruleset: str) -> None:
    """All but those that match text."""
    asked = questions_of(ruleset)
    codes = tallies_of(ruleset, []).questions.codes
    assert set(codes) == (set() if ruleset == "uzje" else set(asked))


def test_what_asks_for_more_than_counts_has_no_program() -> None:
    data = tilewright.load("riichi").data
    asked = [written(text, "riichi") for text in MORE_THAN_COUNTS]
    questions = QuestionArrays(asked, data)
    assert not questions.codes and questions.layout.width == 0
    assert tallied(asked[0], Tallies(questions, HandBatch.of_situations(hands_of("riichi", 2), data))) is None


def test_only_what_a_question_needs_is_counted() -> None:
    tallies = tallies_of("zung_jung", hands_of("zung_jung", 3))
    asked = next(ir for ir, code in tallies.questions.codes.items() if {one.source for one in code.cells} == {"melds"})
    tallies.waits = lambda: pytest.fail("nobody asked")
    assert tallied(asked, tallies) is not None


def test_no_hands_have_no_answers() -> None:
    tallies = tallies_of("riichi", [])
    for ir in tallies.questions.codes:
        found = tallied(ir, tallies)
        assert found is not None and found.shape == (0,)
