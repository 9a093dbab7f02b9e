"""Forms whose readings are searched for, as knitted hands are: what is asked before the search refuses nothing, and the
tables beside it say what the walker says. The examples of `mcr` are the hands."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from engines import score_by_kernel, takes

import tilewright
from tilewright.hands.reading import Hand
from tilewright.hands.waits import distance
from tilewright.scoring.case import read_case
from tilewright.scoring.plain.scene import Situation

KNITTED = ("147m258p369s", "147s258m369p", "369m147p258s")
REST = "123m456m789p111sEEECCNNFFP"


@pytest.fixture(scope="module")
def mcr() -> tilewright.Rules:
    return tilewright.load("mcr")


def examples(rules: tilewright.Rules) -> Iterator[Situation]:
    for pattern in rules.data.patterns:
        yield from (read_case(rules.data, example.case) for example in pattern.examples)


def near_knitted(rules: tilewright.Rules, count: int) -> Iterator[Situation]:
    """Hands that have most tiles of a knitted form, without a winning tile."""
    random = Random(5)
    for number in range(count):
        kept = random.sample(pieces(KNITTED[number % len(KNITTED)]), random.choice((7, 8, 9)))
        beside = random.sample(pieces(REST), 13 - len(kept))
        yield read_case(rules.data, {"hand": [*kept, *beside], "winner": False})


def pieces(text: str) -> list[str]:
    """The tiles of a text, one by one."""
    found: list[str] = []
    ranks = ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        else:
            found += [rank + letter for rank in ranks] or [letter]
            ranks = ""
    return found


def one_by_one(rules: tilewright.Rules, hand: Hand) -> set[int]:
    """The tiles with which some form has a reading: every tile is tried, and every shape is read."""
    reader = rules.judge.reader
    tried = [tile for tile in reader.tiles.order if reader.wild.copies[tile]]
    return {tile for tile in tried if next(reader.readings(replace(hand, win=tile)), None) is not None}


@pytest.mark.slow
def test_waits_are_those_of_every_tile_tried(mcr: tilewright.Rules) -> None:
    for situation in (*list(examples(mcr))[::4], *near_knitted(mcr, 30)):
        hand = replace(situation.hand, win=None)
        waits = one_by_one(mcr, hand)
        assert set(mcr.engine.waits(replace(situation, hand=hand))) == waits, hand
        assert set(mcr.judge.waits(replace(situation, hand=hand))) == waits, hand
        assert (distance(mcr.judge.reader, hand) == 1) == bool(waits), hand


@pytest.mark.long
def test_examples_are_judged_alike(mcr: tilewright.Rules) -> None:
    compared = 0
    for situation in examples(mcr):
        compared += takes(mcr, situation) and score_by_kernel(mcr, situation) is not None
    assert compared > 150
