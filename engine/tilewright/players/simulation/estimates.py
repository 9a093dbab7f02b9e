"""Estimates with intervals: the sums of games in, ratios of them out; duels and balance. docs/report.md states the
methods.

The unit is the game, of very many games some consecutive ones: hands of one game depend on each other, games do not. A
ratio's variance is that of its linearisation over units; shares have Wilson's interval on the number of trials that
this variance is worth; two samples of the same deals are compared unit by unit.

A duel compares two players by the duplicate format: each deal is played twice, with seats exchanged, so that each of
them sits once in each seat of each deal; the unit is the deal. Balance finds the patterns that are too cheap or too
dear for how often they come. Knows no rules, no files and no words.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, repeat
from math import sqrt
from statistics import NormalDist
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.ruleset import Pattern
from tilewright.players.simulation.tally import HISTOGRAMS, Spread, Sums

CONFIDENCE = 0.95
LEAST_GAMES = 10  # for an interval
MOST_ROWS = 20_000  # of a sample; with more games than this, some consecutive ones are one row
LEAST_DIFFERENT = 5  # games with something of either kind, for a comparison

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A ratio with its interval; `low` and `high` are None for too few games. `count` of `of`: what it is the ratio
    of."""

    value: float
    low: float | None
    high: float | None
    count: float
    of: float

    @property
    def half_width(self) -> float:
        """Infinite without an interval."""
        return float("inf") if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Difference:
    """A ratio in two samples, the second less the first, with an interval that holds for all that are compared
    together; `found`: it does not contain 0. `low` and `high` are None where too few games tell anything, and where no
    game differed: `at_most` is then the share of games that may differ, so many having been seen not to."""

    key: str
    before: float
    after: float
    value: float
    low: float | None
    high: float | None
    found: bool
    at_most: float | None = None

    @property
    def tested(self) -> bool:
        """Whether there were enough games to compare."""
        return self.low is not None or self.at_most is not None


@dataclass
class GameSample:
    """The sums of games, in columns of the same length: a row is `block` consecutive games, the last one perhaps fewer,
    so that memory does not grow with their number; `totals`: of keys for histograms, summed over all games."""

    games: int = 0
    block: int = 1
    columns: dict[str, "array[float]"] = field(default_factory=dict)
    totals: Counter[str] = field(default_factory=Counter)

    @property
    def rows(self) -> int:
        return -(-self.games // self.block)

    def add(self, sums: Sums) -> None:
        """Add a game."""
        self.games += 1
        for key, number in sums.items():
            if key.startswith(HISTOGRAMS):
                self.totals[key] += int(number)
                continue
            column = self.columns.setdefault(key, array("d"))
            column.extend(repeat(0.0, self.rows - len(column)))
            column[-1] += number
        if self.rows > MOST_ROWS:
            self.fold()

    def extend(self, other: "GameSample") -> None:
        """Add the games of another sample, each a row there, which come next."""
        first, at = self.games // self.block, self.games + np.arange(other.games)
        self.games += other.games
        for key in other.columns:
            column = self.columns.setdefault(key, array("d"))
            column.extend(repeat(0.0, self.rows - len(column)))
            np.frombuffer(column)[first:] += np.bincount(at // self.block - first, other.of(key))
        self.totals.update(other.totals)
        while self.rows > MOST_ROWS:
            self.fold()

    def fold(self) -> None:
        """Take each two rows together."""
        pairs = np.arange(0, self.rows, 2)
        for key in self.columns:
            self.columns[key] = array("d", np.add.reduceat(self.of(key), pairs).tobytes())
        self.block *= 2

    def sums(self, game: int) -> Sums:
        """The sums of a game that has a row of its own, but for those of histograms."""
        return {key: column[game] for key, column in self.columns.items() if len(column) > game and column[game]}

    def of(self, key: str) -> Column:
        """The numbers of all rows."""
        column = np.zeros(self.rows)
        if key in self.columns:
            known = self.columns[key]
            column[: len(known)] = known
        return column

    def total(self, key: str) -> float:
        return float(np.frombuffer(self.columns[key]).sum()) if key in self.columns else 0.0

    def keys(self, start: str) -> list[str]:
        """What follows this beginning in keys, in order."""
        return sorted(key.removeprefix(start) for key in self.columns if key.startswith(start))


# --- one sample


def ratio(sample: GameSample, part: str, whole: str, confidence: float = CONFIDENCE) -> Estimate | None:
    """The sum of one key over that of another; None if the latter is 0."""
    x, y = sample.of(whole), sample.of(part)
    if not x.sum():
        return None
    value = float(y.sum() / x.sum())
    low = high = None
    if len(x) >= LEAST_GAMES:
        wide = quantile(confidence, len(x) - 1) * sqrt(variance(y, x))
        low, high = value - wide, value + wide
    return Estimate(value, low, high, float(y.sum()), float(x.sum()))


def share(sample: GameSample, part: str, whole: str, confidence: float = CONFIDENCE) -> Estimate | None:
    """The share of trials, whose number is `whole`, that succeed; None if there are none."""
    x, y = sample.of(whole), sample.of(part)
    trials = float(x.sum())
    if not trials:
        return None
    value = float(y.sum()) / trials
    low = high = None
    if len(x) >= LEAST_GAMES:
        spread, independent = variance(y, x), value * (1 - value) / trials
        worth = trials if spread <= independent else trials * independent / spread
        low, high = wilson(value, worth, quantile(confidence, len(x) - 1))
    return Estimate(value, low, high, float(y.sum()), trials)


def share_of_trials(count: int, trials: int, confidence: float = CONFIDENCE) -> Estimate | None:
    """The share of trials that are independent of each other; None if there are none."""
    if not trials:
        return None
    value, low, high = count / trials, None, None
    if trials >= LEAST_GAMES:
        low, high = wilson(value, trials, quantile(confidence, trials - 1))
    return Estimate(value, low, high, count, trials)


def mean_of(spread: Spread, confidence: float = CONFIDENCE) -> Estimate | None:
    """The mean of numbers that are independent of each other; None if there are none."""
    if not spread.count:
        return None
    value, low, high = spread.mean, None, None
    if spread.count >= LEAST_GAMES:
        wide = quantile(confidence, spread.count - 1) * spread.deviation / sqrt(spread.count - 1)
        low, high = value - wide, value + wide
    return Estimate(value, low, high, float(spread.total), spread.count)


def variance(y: Column, x: Column) -> float:
    """The variance of the ratio of two sums over games, by linearisation."""
    games = len(x)
    left = y - x * (y.sum() / x.sum())
    return float(games / (games - 1) * (left @ left) / x.sum() ** 2)


def wilson(share: float, trials: float, z: float) -> tuple[float, float]:
    """Wilson's interval of a share of trials."""
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    wide = z / (1 + z * z / trials) * sqrt(max(0.0, share * (1 - share) / trials) + z * z / (4 * trials * trials))
    return max(0.0, middle - wide) if share > 0 else 0.0, min(1.0, middle + wide) if share < 1 else 1.0


def quantile(confidence: float, freedom: int) -> float:
    """The quantile of Student's t for a two-sided interval, by its expansion around the normal one (Abramowitz and
    Stegun 26.7.5): right to three digits from nine degrees of freedom on."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


# --- two samples of the same deals


def differences(
    before: GameSample, after: GameSample, ratios: Sequence[tuple[str, str, str]], confidence: float = CONFIDENCE
) -> list[Difference]:
    """Ratios (a name, a part, a whole) in both samples, game by game of the same deals. The intervals hold together
    (Bonferroni over all ratios that can be compared). A ratio of nothing in either sample is left out."""
    able = [(key, y, x) for key, y, x in ratios if before.total(x) and after.total(x)]
    tested = sum(can_differ(before, after, y, x) for _, y, x in able)
    confidence = 1 - (1 - confidence) / max(1, tested)
    return [difference(before, after, one, confidence) for one in able]


def can_differ(before: GameSample, after: GameSample, part: str, whole: str) -> bool:
    """Whether enough games have some of the part, and enough of each sample some of the whole."""
    some = int(((before.of(part) != 0) | (after.of(part) != 0)).sum())
    return some >= LEAST_DIFFERENT and all(
        int((sample.of(whole) != 0).sum()) >= LEAST_GAMES for sample in (before, after)
    )


def difference(before: GameSample, after: GameSample, one: tuple[str, str, str], confidence: float) -> Difference:
    """A ratio in both samples."""
    key, part, whole = one
    values, left, more = [], [], 0.0
    for sample in (before, after):
        x, y = sample.of(whole), sample.of(part)
        values.append(float(y.sum() / x.sum()))
        left.append((y - x * values[-1]) / x.sum())
        more += 0.0 if left[-1].any() else unseen(float(y.sum()), float(x.sum()))
    value = values[1] - values[0]
    if not can_differ(before, after, part, whole):
        return Difference(key, values[0], values[1], value, None, None, False)
    if all(np.array_equal(before.of(sums), after.of(sums)) for sums in (part, whole)):
        return Difference(key, values[0], values[1], 0.0, None, None, False, never(before.games, confidence))
    both: Any = left[1] - left[0]
    z = quantile(confidence, max(1, before.rows - 1))
    wide = z * sqrt(float(both @ both) * before.rows / (before.rows - 1) + more)
    return Difference(key, values[0], values[1], value, value - wide, value + wide, abs(value) > wide)


def never(trials: int, confidence: float) -> float:
    """The greatest share at which it may still be that none of so many trials succeeds."""
    return float(1 - (1 - confidence) ** (1 / trials))


def unseen(count: float, trials: float) -> float:
    """The variance of a share that was all or nothing, so that none was seen: that of Agresti and Coull."""
    if count not in (0, trials):
        return 0.0
    share = (count + 2) / (trials + 4)
    return share * (1 - share) / (trials + 4)


TWICE = 2  # games of each deal
KEYS = ("hands", "gains", "wins", "fed", "games", "won", "score")  # of a player, in the sums of a game
OF_HANDS = (("points", "gains", "hands"), ("wins", "wins", "hands"), ("fed", "fed", "hands"))
OF_MATCHES = (("score", "score", "games"), ("matches_won", "won", "games"))
SHARES = frozenset({"wins", "fed", "matches_won"})  # of hands, or of matches


def seating(players: Sequence[str], seats: int, number: int) -> tuple[str, ...]:
    """Who sits where in a game, the first dealer first: in every second one the two players have exchanged all seats.
    They have half of the seats each (of an odd number, one of them has one more); from deal to deal, which seats are of
    the same player changes, so that everyone sits before and behind everyone."""
    first, second = players if number % TWICE == 0 else reversed(players)
    together = patterns(seats)[number // TWICE % len(patterns(seats))]
    return tuple(first if seat in together else second for seat in range(seats))


def patterns(seats: int) -> list[frozenset[int]]:
    """Every half of the seats with the dealer's in it."""
    halves = range(seats // 2, (seats + 1) // 2 + 1)
    others = (chosen for half in halves for chosen in combinations(range(1, seats), half - 1))
    return [frozenset((0, *chosen)) for chosen in others]


@dataclass
class DuelSample:
    """The deals of a duel so far: the sums of each player in each of them."""

    players: tuple[str, str]
    sides: tuple[GameSample, GameSample] = field(default_factory=lambda: (GameSample(), GameSample()))
    waiting: list[Sums | None] = field(default_factory=list)

    def add(self, sums: Sums | None) -> None:
        """Add the next game; None for one that broke off. A deal counts once both of its games were played."""
        self.waiting.append(sums)
        if len(self.waiting) == TWICE:
            whole = [one for one in self.waiting if one is not None]
            self.waiting.clear()
            if len(whole) == TWICE:
                for player, side in zip(self.players, self.sides, strict=True):
                    side.add(dict(side_of(player, whole)))

    def extend(self, games: GameSample) -> None:
        """Add the games of a batch. One that broke off has no end of a match in its sums."""
        for sums in map(games.sums, range(games.games)):
            self.add(sums if "matches" in sums else None)

    @property
    def deals(self) -> int:
        return self.sides[0].games

    def differences(self, match: bool) -> list[Difference]:
        """The first player less the second, each with an interval of its own. `match`: games are whole matches."""
        ratios = (*OF_HANDS, *OF_MATCHES) if match else OF_HANDS
        one, other = self.sides
        return [possible(found) for ratio in ratios for found in differences(other, one, [ratio])]


def possible(one: Difference) -> Difference:
    """A difference whose interval has no differences of shares that there cannot be."""
    if one.key not in SHARES or one.low is None or one.high is None:
        return one
    return replace(one, low=max(-1.0, one.low), high=min(1.0, one.high))


def side_of(player: str, games: Sequence[Sums]) -> Iterator[tuple[str, float]]:
    """The sums of a player in the games of a deal."""
    for key in KEYS:
        yield key, sum(game.get(f"name.{player}.{key}", 0.0) for game in games)


StandsOut = Literal["rare_and_cheap", "common_and_dear"]
FEW, PART = 2, 0.1  # a pattern stands out beside so many others, and beside this part of them


class Weighed(Protocol):
    """A pattern with its worth in `measure`, None if it has no certain one, and its share of hands."""

    @property
    def id(self) -> str: ...
    @property
    def measure(self) -> str: ...
    @property
    def worth(self) -> float | None: ...
    @property
    def of_wins(self) -> Estimate | None: ...


@dataclass(frozen=True, slots=True)
class Balance:
    """The patterns of the same measure that clearly come more often and are worth more than one, and the opposite."""

    commoner_and_dearer: tuple[str, ...]
    rarer_and_cheaper: tuple[str, ...]
    stands_out: StandsOut | None


def balance(one: Weighed, found: Sequence[Weighed]) -> Balance:
    """A pattern beside all that were found. More often is clear where the intervals do not touch."""
    others = [other for other in found if other.measure == one.measure]
    dearer = tuple(other.id for other in others if comes_more(other, one) and worth_more(other, one))
    cheaper = tuple(other.id for other in others if comes_more(one, other) and worth_more(one, other))
    stands_out: StandsOut | None = None
    if max(len(dearer), len(cheaper)) >= max(FEW, PART * (len(others) - 1)):
        stands_out = "rare_and_cheap" if len(dearer) >= len(cheaper) else "common_and_dear"
    return Balance(dearer, cheaper, stands_out)


def comes_more(one: Weighed, other: Weighed) -> bool:
    low = one.of_wins.low if one.of_wins else None
    high = other.of_wins.high if other.of_wins else None
    return low is not None and high is not None and low > high


def worth_more(one: Weighed, other: Weighed) -> bool:
    return one.worth is not None and other.worth is not None and one.worth > other.worth


def measure_of(pattern: Pattern, best: str) -> str:
    """The measure of the total if the pattern has a worth there, else its first, as in scores."""
    return best if best in pattern.worth else next(iter(pattern.worth), "")


def declared(pattern: Pattern, measure: str) -> float | None:
    """The worth that is written, if it is a number."""
    ir = pattern.worth.get(measure)
    return float(ir.value) if isinstance(ir, Const) and isinstance(ir.value, int | Fraction) else None
