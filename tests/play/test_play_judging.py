"""What a table asks before it reads a hand lets every winning hand through: spreads over the families, tiles that
complete. The examples of the bundled rulesets are the hands."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from games import MOSTLY_SOAKED

import tilewright
from tilewright.hands.reading import Hand
from tilewright.play.judge import NearMiss
from tilewright.play.match import Match
from tilewright.play.placing import carry, clear_zones
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError


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


@pytest.mark.long
@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_winning_hands_are_let_through(name: str) -> None:
    rules = tilewright.load(name)
    game = rules.game(1, hands=1)
    program = rules.program
    hands = list(winning_hands(rules))
    assert len(hands) > 2
    for hand in hands:
        assert hand.win is not None
        faces = [program.wild.in_the_box((tile,)) for tile in (*hand.tiles, hand.win)]
        hold(game, [next(iter(one)) for one in faces])
        assert game.judging.may_fit(0, None), hand
        win = next(iter(program.wild.in_the_box((hand.win,))))
        assert win in game.judging.completing(replace(hand, win=None)), hand


def hold(game: Match, faces: list[int]) -> None:
    """The first seat has this hand, and no melds."""
    clear_zones(game)
    game.where.clear()
    rows = {face: [tile for tile in game.program.box if game.program.plain[tile] == face] for face in faces}
    for face in faces:
        carry(game, rows[face].pop(), ("hand", 0))


@pytest.mark.slow
@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_what_is_stopped_is_no_form(name: str) -> None:
    """Hands near a form: the bundled winning ones with a tile or two of them changed, and wild tiles put in."""
    rules = tilewright.load(name)
    game, chance = rules.game(1, hands=1), random.Random(name)
    wild = [tile for tile in rules.program.wild.stands_for if rules.program.wild.copies[tile]]
    stopped = passed = 0
    for hand in list(winning_hands(rules)) * 4:
        if hand.melds:
            continue
        box = [face for face in map(rules.program.plain.__getitem__, rules.program.box) if face not in hand.bonus]
        tiles = [next(iter(rules.program.wild.in_the_box((tile,)))) for tile in (*hand.tiles, hand.win or 0)]
        for _ in range(chance.randrange(3)):
            tiles[chance.randrange(len(tiles))] = chance.choice(wild if wild and chance.random() < 0.5 else box)
        if any(tiles.count(tile) > box.count(tile) for tile in tiles):
            continue
        hold(game, tiles)
        if game.judging.may_fit(0, None):
            passed += 1
        else:
            stopped += 1
            full = Hand(tuple(tiles[:-1]), (), tiles[-1])
            assert next(rules.judge.reader.readings(full, False), None) is None, full
    assert passed, "no hand was let through"
    assert stopped or any(form.shape.listed for form in rules.data.forms)  # which are not looked at


def test_most_hands_are_stopped_at_once() -> None:
    """Of random hands of the usual tiles few are spread as a form is."""
    rules = tilewright.load("cantonese")
    stopped = 0
    for seed in range(20):
        game = rules.game(seed, hands=1)
        stopped += sum(not game.judging.may_fit(seat, None) for seat in range(4))
    assert stopped > 60


@pytest.mark.slow
@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_a_hand_seen_before_stops_no_form(name: str) -> None:
    """What the bundled winning hands with some tiles changed miss: never more than the tiles that were changed."""
    rules = tilewright.load(name)
    game, chance = rules.game(1, hands=1), random.Random(name)
    box = [rules.program.plain[tile] for tile in rules.program.box]
    far = 0
    for hand in winning_hands(rules):
        if hand.melds:
            continue
        tiles = [next(iter(rules.program.wild.in_the_box((tile,)))) for tile in (*hand.tiles, hand.win or 0)]
        before = [tile if chance.random() < 0.5 else chance.choice(box) for tile in tiles]
        if any(seen.count(tile) > box.count(tile) for seen in (tiles, before) for tile in seen):
            continue
        hold(game, before)
        missing, _ = game.judging.missing(Hand(tuple(before), (), None))
        game.judging.near[0] = NearMiss((), tuple(game.counts[0]), missing)
        far += game.judging.is_far(0, complete=True)
        hold(game, tiles)
        assert not game.judging.is_far(0, complete=True), (hand, before)
    assert far > 0 or not all(form.shape.has_groups for form in rules.data.forms)
