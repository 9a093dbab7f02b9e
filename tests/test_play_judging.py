"""What a table asks before it reads a hand lets every winning hand through: spreads over the families, tiles that
complete. The examples of the bundled rulesets are the hands."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

import tilewright
from tilewright.hands.reading import Hand
from tilewright.scoring.case import CaseError, read_case

RULESETS = (
    "american",
    "cantonese",
    "chinese_classical",
    "hong_kong",
    "mcr",
    "sichuan",
    "uzje",
    "zung_jung",
    "zung_jung_plus",
)


def winning_hands(rules: tilewright.Rules) -> Iterator[Hand]:
    """The hands of examples that are a form."""
    for pattern in rules.data.patterns:
        for example in pattern.examples:
            try:
                situation = read_case(rules.data, example.case)
            except CaseError:
                continue
            if situation.won and rules.judge.best(situation) is not None:
                yield situation.hand


@pytest.mark.parametrize("name", RULESETS)
def test_winning_hands_are_let_through(name: str) -> None:
    rules = tilewright.load(name)
    game = rules.game(1, hands=1)
    sizes, program = rules.program.sizes, rules.program
    hands = list(winning_hands(rules))
    assert len(hands) > 2
    for hand in hands:
        assert hand.win is not None
        faces = [program.wild.in_the_box((tile,)) for tile in (*hand.tiles, hand.win)]
        real = [next(iter(one)) for one in faces]
        wild = [sizes.wild[tile] for tile in real if tile in sizes.wild]
        spread = [0] * sizes.count
        for tile in real:
            spread[sizes.family[tile]] += tile not in sizes.wild
        assert sizes.fits(spread, wild), hand
        win = next(iter(program.wild.in_the_box((hand.win,))))
        assert win in game.judging.completing(replace(hand, win=None)), hand


def test_most_hands_are_stopped_at_once() -> None:
    """Of random hands of the usual tiles few are spread as a form is."""
    rules = tilewright.load("cantonese")
    stopped = 0
    for seed in range(50):
        game = rules.game(seed, hands=1)
        stopped += sum(not game.judging.may_fit(seat, None) for seat in range(4))
    assert stopped > 150
