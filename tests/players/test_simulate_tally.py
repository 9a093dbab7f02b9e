"""The tally of a simulation: the same however the games are grouped, right by hand, and no larger for many games."""

from fractions import Fraction
from itertools import pairwise
from statistics import fmean, pstdev

import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.players.simulation.rows import KINDS, Failure, GameRows, HandRow, PatternRow, WinRow
from tilewright.players.simulation.tally import MOST_FAILURES, Spread, Tally

NUMBERS = st.one_of(st.integers(-500, 500), st.builds(Fraction, st.integers(-72, 72), st.integers(1, 8)))
PLAYERS = 3


@st.composite
def wins(draw: st.DrawFn) -> WinRow:
    kind, player = draw(st.sampled_from(KINDS)), draw(st.integers(0, PLAYERS - 1))
    patterns = draw(st.lists(st.builds(PatternRow, st.sampled_from("abc"), NUMBERS, st.integers(1, 3)), max_size=3))
    discarder = None if kind == "self_draw" else (player + 1) % PLAYERS
    return WinRow(player, 0, kind, "1m", discarder, draw(NUMBERS), {}, None, tuple(patterns))


@st.composite
def hands(draw: st.DrawFn, number: int, broken: bool) -> HandRow:
    return HandRow(
        game=draw(st.integers(0, 99)),
        hand=number,
        seed=1,
        ended=None if broken else draw(st.sampled_from(["won", "exhausted"])),
        seats=draw(st.permutations(range(PLAYERS)).map(tuple)),
        winners=() if broken else draw(st.lists(wins(), max_size=2).map(tuple)),
        gains=draw(st.tuples(*[NUMBERS] * PLAYERS)),
        scores=draw(st.tuples(*[NUMBERS] * PLAYERS)),
        draws=draw(st.integers(0, 80)),
        problems=draw(st.lists(st.sampled_from("pq"), max_size=2).map(tuple)),
        error="broken" if broken else None,
    )


@st.composite
def games(draw: st.DrawFn) -> GameRows:
    broken = draw(st.booleans())
    rows = [draw(hands(number, False)) for number in range(draw(st.integers(0 if broken else 1, 3)))]
    if not broken:
        return GameRows(tuple(rows))
    return GameRows((*rows, draw(hands(len(rows), True))), Failure(draw(st.integers(0, 99)), 1, "broken"))


def tally_of(played: list[GameRows]) -> Tally:
    tally = Tally()
    for game in played:
        tally.add(game)
    return tally


@pytest.mark.slow
@settings(max_examples=budget(40))
@given(st.lists(games(), max_size=6), st.lists(st.integers(0, 6), max_size=4))
def test_the_tallies_of_parts_are_the_tally_of_the_whole(played: list[GameRows], cuts: list[int]) -> None:
    whole = Tally()
    bounds = [0, *sorted(min(cut, len(played)) for cut in cuts), len(played)]
    for first, last in pairwise(bounds):
        whole.merge(tally_of(played[first:last]))
    assert whole == tally_of(played)


@given(st.lists(NUMBERS, min_size=1))
def test_a_spread_is_mean_and_deviation(numbers: list[int | Fraction]) -> None:
    spread = Spread()
    for number in numbers:
        spread.add(number)
    assert spread.mean == pytest.approx(fmean(numbers))
    assert spread.deviation == pytest.approx(pstdev(map(float, numbers)), abs=1e-6)
    assert (spread.least, spread.most) == (min(numbers), max(numbers))


def test_what_is_counted() -> None:
    """Two hands and a game that broke off, counted by hand."""
    robbed = WinRow(
        2, 0, "robbed", "5m", 0, 8, {"points": 8}, "regular", (PatternRow("a", 6, 2), PatternRow("b", 2, 1))
    )
    drawn = WinRow(2, 1, "self_draw", "5m", None, 2, {"points": 2}, "regular", (PatternRow("b", 2, 1),))
    played = tally_of(
        [
            GameRows(
                (
                    HandRow(0, 0, 7, "won", (2, 0, 1), (robbed,), (-8, 0, 8), (92, 100, 108), 30, 50, last=False),
                    HandRow(0, 1, 7, "won", (0, 2, 1), (drawn,), (-2, -2, 4), (90, 98, 112), 10, 20),
                )
            ),
            GameRows((HandRow(1, 0, 8, error="boom", problems=("odd",)),), Failure(1, 8, "boom")),
            GameRows((HandRow(2, 0, 9, "exhausted", (0, 1, 2), (), (0, 0, 0), (100, 100, 100), 80, 99),)),
        ]
    )
    assert (played.games, played.failed, played.hands, played.won) == (3, 1, 3, 2)
    assert played.ended == {"won": 2, "exhausted": 1} and played.nobody == {"exhausted": 1}
    assert played.wins == {"robbed": 1, "self_draw": 1}
    assert (played.length.mean, played.length_of_won.mean) == (40, 20)
    assert {seat: sum(side.wins.values()) for seat, side in played.seats.items()} == {0: 1, 1: 1, 2: 0}
    assert {player: sum(side.wins.values()) for player, side in played.players.items()} == {0: 0, 1: 0, 2: 2}
    assert {player: side.fed for player, side in played.players.items()} == {0: 1, 1: 0, 2: 0}
    assert played.players[2].gains.total == 12 and played.seats[0].gains.total == 6
    assert (played.scores[2].mean, played.scores[2].count) == (106, 2)
    assert played.hands_of_game.mean == 1.5
    a, b = played.patterns["a"], played.patterns["b"]
    assert (a.hands, a.times, a.worth, a.gain) == (1, 2, 6, 8) and (b.hands, b.times, b.worth, b.gain) == (2, 2, 4, 12)
    assert played.problems == {"odd": 1} and played.failures == [Failure(1, 8, "boom")]


def test_a_tally_does_not_grow_with_its_games() -> None:
    broken = GameRows((HandRow(0, 0, 1, error="boom"),), Failure(0, 1, "boom"))
    tally = tally_of([broken] * 100)
    tally.merge(tally_of([broken] * 100))
    assert tally.failed == 200 and len(tally.failures) == MOST_FAILURES
