"""Estimates with intervals: right for numbers worked out elsewhere, and as sure as they say over many samples."""

from itertools import accumulate
from math import sqrt
from statistics import stdev
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.players.simulation import estimates
from tilewright.players.simulation.estimates import (
    LEAST_GAMES,
    GameSample,
    difference,
    differences,
    mean_of,
    quantile,
    ratio,
    share,
    share_of_trials,
    wilson,
)
from tilewright.players.simulation.run import next_look
from tilewright.players.simulation.tally import Spread

SEED = 20_261_126
GAMES = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=LEAST_GAMES, max_size=30)


def sample_of(*games: dict[str, float]) -> GameSample:
    sample = GameSample()
    for game in games:
        sample.add(game)
    return sample


@pytest.mark.parametrize(
    ("confidence", "freedom", "expected"),  # of tables
    [(0.95, 9, 2.2622), (0.95, 29, 2.0452), (0.99, 9, 3.2498), (0.999, 19, 3.8834), (0.95, 10_000, 1.9602)],
)
def test_quantiles_of_t(confidence: float, freedom: int, expected: float) -> None:
    assert quantile(confidence, freedom) == pytest.approx(expected, rel=2e-3)


def test_wilson_of_a_textbook() -> None:
    assert wilson(0.3, 10, 1.96) == pytest.approx((0.1078, 0.6032), abs=1e-4)
    assert wilson(0, 20, 1.96) == pytest.approx((0, 0.1611), abs=1e-4)
    assert wilson(1, 20, 1.96) == pytest.approx((0.8389, 1), abs=1e-4)


@given(GAMES)
def test_a_ratio_is_that_of_sums_with_the_interval_of_its_residuals(games: list[tuple[int, int]]) -> None:
    """The slow obvious way: residuals from the ratio, game by game."""
    found = ratio(sample_of(*({"x": x, "y": y} for x, y in games)), "y", "x")
    assert found is not None and found.low is not None and found.high is not None
    whole = sum(x for x, _ in games)
    value = sum(y for _, y in games) / whole
    squares = sum((y - value * x) ** 2 for x, y in games)
    error = sqrt(squares * len(games) / (len(games) - 1)) / whole
    assert found.value == pytest.approx(value)
    assert (found.high - found.low) / 2 == pytest.approx(quantile(0.95, len(games) - 1) * error)
    assert (found.count, found.of) == (sum(y for _, y in games), whole)


def test_a_share_of_independent_trials_is_wilsons() -> None:
    games: list[dict[str, float]] = [{"x": 1, "y": float(at % 4 == 0)} for at in range(400)]
    found = share(sample_of(*games), "y", "x")
    assert found is not None and found.low is not None and found.high is not None
    assert (found.low, found.high) == pytest.approx(wilson(0.25, 400, 1.966), abs=1e-3)


def test_independent_numbers_have_the_intervals_of_a_textbook() -> None:
    spread = Spread()
    for number in (4, 8, 6, 5, 3, 7, 9, 2, 6, 10):
        spread.add(number)
    mean = mean_of(spread)
    assert mean is not None and (mean.value, mean.of) == (6.0, 10)
    assert mean.half_width == pytest.approx(2.262 * stdev((4, 8, 6, 5, 3, 7, 9, 2, 6, 10)) / sqrt(10), rel=1e-3)
    trials = share_of_trials(30, 100)
    assert trials is not None and (trials.low, trials.high) == pytest.approx(wilson(0.3, 100, 1.984), abs=1e-4)
    assert (mean_of(Spread()), share_of_trials(0, 0)) == (None, None)


def test_games_that_agree_with_themselves_count_once() -> None:
    """Ten hands alike in each game tell as much as one."""
    alike = share(sample_of(*({"x": 10.0, "y": 10.0 * (at % 2)} for at in range(40))), "y", "x")
    once = share(sample_of(*({"x": 1.0, "y": 1.0 * (at % 2)} for at in range(40))), "y", "x")
    assert alike is not None and once is not None
    assert alike.half_width == pytest.approx(once.half_width, rel=1e-6)


def test_few_games_have_no_interval() -> None:
    found = share(sample_of(*({"x": 4.0, "y": 1.0} for _ in range(LEAST_GAMES - 1))), "y", "x")
    assert found is not None and (found.value, found.low, found.half_width) == (0.25, None, float("inf"))
    assert share(sample_of({"y": 1.0}), "y", "x") is None and ratio(GameSample(), "y", "x") is None


def test_a_column_that_begins_late_is_whole() -> None:
    sample = sample_of({"a": 1.0}, {"b": 2.0, "total.7": 3.0}, {"a": 4.0, "total.7": 1.0})
    assert sample.of("a").tolist() == [1, 0, 4] and sample.of("b").tolist() == [0, 2, 0]
    assert sample.totals == {"total.7": 4} and "total.7" not in sample.columns


# --- how sure they are


def clustered(random: np.random.Generator, games: int, hands: int, chance: float) -> GameSample:
    """Games whose chances differ: hands of one game depend on each other."""
    sample = GameSample()
    for own in random.beta(8 * chance, 8 * (1 - chance), games):
        count = int(random.integers(hands // 2, hands * 2))
        sample.add({"x": float(count), "y": float(random.binomial(count, own))})
    return sample


@pytest.mark.parametrize(("games", "chance"), [(40, 0.25), (120, 0.05)])
def test_intervals_of_dependent_hands_hold_as_often_as_they_say(games: int, chance: float) -> None:
    random, held, plain = np.random.default_rng(SEED), 0, 0
    for _ in range(400):
        found = share(clustered(random, games, 16, chance), "y", "x")
        assert found is not None and found.low is not None and found.high is not None
        held += found.low <= chance <= found.high
        low, high = wilson(found.value, found.of, 1.96)
        plain += low <= chance <= high
    assert 0.92 <= held / 400 <= 0.985
    assert plain / 400 < 0.85, "as if hands were independent: too sure of itself"


def paired(random: np.random.Generator, keys: int, shift: float = 0.0) -> tuple[GameSample, GameSample]:
    """Games of the same deals twice: half of what happens is of the deal; the first key is shifted."""
    before, after = GameSample(), GameSample()
    for _ in range(60):
        deal = random.normal(0, 1, keys)
        for sample, more in ((before, 0.0), (after, shift)):
            noise = random.normal(0, 1, keys)
            sums = {f"k{key}": 10 + deal[key] + noise[key] + (more if key == 0 else 0) for key in range(keys)}
            sample.add({"x": 1.0, **{key: float(number) for key, number in sums.items()}})
    return before, after


@pytest.mark.long
def test_nothing_is_found_where_nothing_changed() -> None:
    """In one of twenty comparisons at most, however many figures are compared."""
    random, ratios = np.random.default_rng(SEED), [(f"k{key}", f"k{key}", "x") for key in range(30)]
    found = sum(any(one.found for one in differences(*paired(random, 30), ratios)) for _ in range(200))
    assert found / 200 <= 0.08


def test_what_changed_is_found_and_its_interval_holds() -> None:
    random, ratios = np.random.default_rng(SEED), [(f"k{key}", f"k{key}", "x") for key in range(30)]
    for _ in range(20):
        first, *rest = differences(*paired(random, 30, shift=1.5), ratios)
        assert first.found and first.low is not None and first.high is not None
        assert first.low <= 1.5 <= first.high
        assert sum(one.found for one in rest) <= 1


def test_the_same_deals_tell_more_than_others() -> None:
    random = np.random.default_rng(SEED)
    before, after = paired(random, 1)
    _, elsewhere = paired(random, 1)
    one = ("k0", "k0", "x")
    same, other = (difference(before, sample, one, 0.95) for sample in (after, elsewhere))
    assert same.low is not None and same.high is not None and other.low is not None and other.high is not None
    assert same.high - same.low < 0.85 * (other.high - other.low)


def test_the_same_games_differ_in_nothing() -> None:
    before, _ = paired(np.random.default_rng(SEED), 5)
    found = differences(before, before, [(f"k{key}", f"k{key}", "x") for key in range(5)])
    assert [(one.value, one.found) for one in found] == [(0, False)] * 5
    assert {(one.low, one.high) for one in found} == {(None, None)}, "that none of some games differs is not certain"
    assert [one.at_most for one in found] == [pytest.approx(1 - (0.05 / 5) ** (1 / before.games))] * 5


def test_what_hardly_ever_happens_is_not_compared() -> None:
    games = [{"x": 1.0, **({"y": 1.0} if at < 3 else {})} for at in range(30)]
    (found,) = differences(sample_of(*games), sample_of(*games), [("y", "y", "x")])
    assert (found.low, found.found, found.before) == (None, False, pytest.approx(0.1))


# --- samples of many games


def games_of(count: int, seed: int) -> list[dict[str, float]]:
    """Sums of games, some without some keys."""
    random = np.random.default_rng(seed)
    return [
        {
            "x": float(random.integers(1, 9)),
            "total.3": 1.0,
            **({"y": float(random.integers(5))} if random.integers(3) else {}),
        }
        for _ in range(count)
    ]


@given(sizes=st.lists(st.integers(0, 9), max_size=20), most=st.integers(10, 30))
def test_batches_make_the_sample_of_their_games(sizes: list[int], most: int) -> None:
    """However the games are cut, and however many of them make a row."""
    games = games_of(sum(sizes), 7)
    with patch.object(estimates, "MOST_ROWS", most):
        one, together = sample_of(*games), GameSample()
        for end, size in zip(accumulate(sizes), sizes, strict=True):
            together.extend(sample_of(*games[end - size : end]))
    assert (together.games, together.block, together.totals) == (one.games, one.block, one.totals)
    assert together.rows <= most
    for key in ("x", "y"):
        assert together.of(key).tolist() == one.of(key).tolist()
        assert together.total(key) == sum(game.get(key, 0.0) for game in games)


def test_rows_of_several_games_give_the_same_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly: of independent games, those of sixteen together vary as much."""
    games = games_of(8_000, SEED)
    each = sample_of(*games)
    monkeypatch.setattr(estimates, "MOST_ROWS", 500)
    together = sample_of(*games)
    assert (each.block, together.block) == (1, 16)
    one, other = ratio(each, "y", "x"), ratio(together, "y", "x")
    assert one is not None and other is not None
    assert one.value == other.value and other.half_width == pytest.approx(one.half_width, rel=0.15)
    assert memory_of(together) < memory_of(each) / 10


def memory_of(sample: GameSample) -> int:
    return sum(len(column) for column in sample.columns.values())


@pytest.mark.parametrize(
    ("done", "next"), [(0, 1), (99, 100), (100, 110), (995, 1_000), (1_000, 1_100), (12_345, 13_000)]
)
def test_looks_are_farther_apart_where_there_is_more(done: int, next: int) -> None:
    assert next_look(done) == next
