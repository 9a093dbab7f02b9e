"""Questions about counts: programs over rows of counts say what the tree walker says of hands."""

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
from budget import budget
from random_hands import random_hands
from test_image import RULESETS

import tilewright
from tilewright.base.arrays import Array
from tilewright.base.document import Mapping, Scalar, parse
from tilewright.base.problem import Source
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.elaborate import open_whole
from tilewright.language.expressions.lower import lower
from tilewright.language.expressions.scope import Scope, declare
from tilewright.language.vocabulary.words import round_up
from tilewright.scoring.kernel.asking import answered
from tilewright.scoring.plain.judge import PlainJudge
from tilewright.scoring.plain.scene import HandScene, Situation, open_tiles
from tilewright.scoring.plain.walker import OPERATORS, evaluate
from tilewright.scoring.program.tallies import NO_ANSWER, CompiledQuestions, Op, compiled

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


def row_of(questions: CompiledQuestions, data: CompiledRuleset, hand: Situation, waits: int) -> Array:
    """The counts of a hand that waits for so many tiles."""
    layout = questions.layout
    tiles, melds = Counter(hand.hand.tiles), Counter(2 * meld.group + meld.exposed for meld in hand.hand.melds)
    tiles.update([hand.hand.win, *(tile for meld in hand.hand.melds for tile in meld.tiles)])
    plain = Counter(data.tiles.tiles[tile].plain for tile in tiles.elements())
    faces, row = range(len(data.tiles.tiles)), np.zeros(layout.width, np.int32)
    for cells, first in layout.first.items():
        match cells.source:
            case "tiles":
                counts = [tiles[face] for face in faces]
            case "plain":
                counts = [plain[face] for face in faces]
            case "different":
                counts = [plain[face] > 0 for face in faces]
            case "zone":
                zone = hand.hand.bonus if cells.name == "bonus" else hand.zones.get(cells.name, ())
                counts = [zone.count(face) for face in faces]
            case "flag":
                counts = [cells.name in hand.flags]
            case "melds":
                counts = [sum(melds[meld] for meld in some) for some in cells.melds]
            case "waits":
                counts = [waits]
            case "shown":
                seen = [data.tiles.tiles[tile].plain for tile in open_tiles(data, hand)]
                counts = [seen.count(data.tiles.tiles[hand.hand.win].plain)]
        row[first : first + len(counts)] = counts
    return row


class Waiting(PlainJudge):
    """A judge by whom hands wait for so many tiles."""

    def __init__(self, number: int) -> None:
        self.__dict__["number"] = number

    def waits(self, situation: Situation) -> tuple[int, ...]:
        return (0,) * self.__dict__["number"]


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESETS)
def test_programs_say_what_the_walker_says(ruleset: str) -> None:
    data, hands = tilewright.load(ruleset).data, hands_of(ruleset, budget(60))
    questions = compiled(questions_of(ruleset), data)
    scenes = [HandScene(data, one, judge=Waiting(number % 14)) for number, one in enumerate(hands)]
    rows = [row_of(questions, data, one, number % 14) for number, one in enumerate(hands)]
    stack = np.full(questions.room, -7, np.int64)
    for ir, code in questions.codes.items():
        expected = [evaluate(ir, scene) for scene in scenes]
        assert [answered(questions.numbers, code.start, code.stop, row, stack) for row in rows] == expected, ir


@pytest.mark.parametrize("ruleset", RULESETS)
def test_questions_of_rulesets_have_programs(ruleset: str) -> None:
    """All but those that match text."""
    asked = questions_of(ruleset)
    codes = compiled(asked, tilewright.load(ruleset).data).codes
    assert set(codes) == (set() if ruleset == "uzje" else set(asked))


def test_what_asks_for_more_than_counts_has_no_program() -> None:
    asked = [written(text, "riichi") for text in MORE_THAN_COUNTS]
    questions = compiled(asked, tilewright.load("riichi").data)
    assert not questions.codes and questions.layout.width == 0


ARITHMETIC = {
    Op.ADD: OPERATORS["+"],
    Op.SUBTRACT: OPERATORS["-"],
    Op.MULTIPLY: OPERATORS["*"],
    Op.DIVIDE: OPERATORS["/"],
    Op.MODULO: OPERATORS["%"],
    Op.POWER: OPERATORS["^"],
    Op.MINIMUM: min,
    Op.MAXIMUM: max,
    Op.ROUND_UP: lambda number, step: round_up.ask(None, number, step),
}


@pytest.mark.parametrize("op", ARITHMETIC)
def test_arithmetic_is_that_of_expressions(op: Op) -> None:
    """But that there is no answer where one is no whole number, or large."""
    stack, row = np.zeros(2, np.int64), np.zeros(1, np.int32)
    numbers = (*range(-7, 8), 30, 64, 100, -1_000, 70_000, 1 << 30)
    for left in numbers:
        for right in numbers:
            program = np.array([Op.CONST, left, 0, 0, Op.CONST, right, 0, 0, op, 0, 0, 0], np.int64)
            expected = ARITHMETIC[op](left, right)
            known = isinstance(expected, int) and abs(expected) < 1 << 31
            assert answered(program, 0, len(program), row, stack) == (expected if known else NO_ANSWER), (left, right)
