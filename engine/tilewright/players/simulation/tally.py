"""Tallies: the totals of many hands, in memory that does not grow with their number.

Sums are exact, so that the tallies of parts, added up in any grouping, are the tally of the whole. Knows no files.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from tilewright.players.simulation.rows import Failure, GameRows, HandRow, PatternRow, WinRow
from tilewright.scoring.score import Number

MOST_FAILURES = 20  # kept ones; all are counted


@dataclass(slots=True)
class Spread:
    """The distribution of numbers: enough for their mean and their standard deviation."""

    count: int = 0
    total: Number = 0
    squares: Number = 0
    least: Number | None = None
    most: Number | None = None

    def add(self, number: Number) -> None:
        self.count += 1
        if number:  # most gains are 0, and after a fraction all sums are fractions, which are slow
            self.total += number
            self.squares += number * number
        if self.least is None or number < self.least:
            self.least = number
        if self.most is None or number > self.most:
            self.most = number

    def merge(self, other: "Spread") -> None:
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        if other.least is not None and (self.least is None or other.least < self.least):
            self.least = other.least
        if other.most is not None and (self.most is None or other.most > self.most):
            self.most = other.most

    @property
    def mean(self) -> float:
        """0 of no numbers."""
        return float(Fraction(self.total) / self.count) if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of these numbers themselves; 0 of none."""
        if not self.count:
            return 0.0
        mean = Fraction(self.total) / self.count
        return sqrt(Fraction(self.squares) / self.count - mean * mean)


@dataclass(slots=True)
class PatternTally:
    """`hands`: winning hands in which the pattern counted; `worth`: all that it was worth there; `gain`: what the
    winners of these hands gained."""

    hands: int = 0
    times: Number = 0
    worth: Number = 0
    gain: Number = 0


@dataclass(slots=True)
class SideTally:
    """Of a seat, or of a player: wins by kind, wins of others that it dealt into, and its gains in a hand."""

    wins: Counter[str] = field(default_factory=Counter)
    fed: int = 0
    gains: Spread = field(default_factory=Spread)


@dataclass(slots=True)
class Tally:
    """What was played. `won`: hands with a winner; `ended`, `nobody`: phases that led to the end, of all hands and of
    those without a winner; `wins` by kind; `length`: tiles drawn in a hand; `value`: totals of winning hands;
    `hands_of_game`: how many each had; `scores` of each player at the end of a game; `offered`, `taken`: of offers."""

    games: int = 0
    failed: int = 0
    hands: int = 0
    won: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    nobody: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    length: Spread = field(default_factory=Spread)
    length_of_won: Spread = field(default_factory=Spread)
    decisions: Spread = field(default_factory=Spread)
    value: Spread = field(default_factory=Spread)
    hands_of_game: Spread = field(default_factory=Spread)
    seats: dict[int, SideTally] = field(default_factory=dict)
    players: dict[int, SideTally] = field(default_factory=dict)
    scores: dict[int, Spread] = field(default_factory=dict)
    patterns: dict[str, PatternTally] = field(default_factory=dict)
    offered: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, game: GameRows) -> None:
        """Count a game. Hands that ended before it broke off count."""
        self.games += 1
        self.problems.update(problem for hand in game.hands for problem in hand.problems)
        played = [hand for hand in game.hands if hand.error is None]
        for hand in played:
            self.add_hand(hand)
        if game.failure is not None:
            self.failed += 1
            self.failures = [*self.failures, game.failure][:MOST_FAILURES]
        elif played:
            self.hands_of_game.add(len(played))
            for player, score in enumerate(played[-1].scores):
                self.scores.setdefault(player, Spread()).add(score)

    def add_hand(self, hand: HandRow) -> None:
        """Count a finished hand."""
        self.hands += 1
        self.ended[hand.ended or ""] += 1
        self.length.add(hand.draws)
        self.decisions.add(hand.decisions)
        if hand.winners:
            self.won += 1
            self.length_of_won.add(hand.draws)
        else:
            self.nobody[hand.ended or ""] += 1
        for player, gain in enumerate(hand.gains):
            for side in self.sides(hand, player):
                side.gains.add(gain)
        for win in hand.winners:
            self.add_win(hand, win)
        for offer in hand.offers:
            self.offered[offer.id] += offer.offered
            self.taken[offer.id] += offer.taken

    def add_win(self, hand: HandRow, win: WinRow) -> None:
        """Count a winner of a hand."""
        self.wins[win.kind] += 1
        self.value.add(win.total)
        for side in self.sides(hand, win.player):
            side.wins[win.kind] += 1
        if win.discarder is not None:
            for side in self.sides(hand, win.discarder):
                side.fed += 1
        for pattern in win.patterns:
            self.add_pattern(pattern, hand.gains[win.player])

    def add_pattern(self, pattern: PatternRow, gain: Number) -> None:
        tally = self.patterns.setdefault(pattern.id, PatternTally())
        tally.hands += 1
        tally.times += pattern.times
        tally.worth += pattern.worth
        tally.gain += gain

    def sides(self, hand: HandRow, player: int) -> Iterator[SideTally]:
        """The tallies of a player and of its seat in this hand."""
        for tallies, number in ((self.players, player), (self.seats, hand.seats.index(player))):
            if number not in tallies:
                tallies[number] = SideTally()
            yield tallies[number]

    def merge(self, other: "Tally") -> None:
        """Count also what the other counted, whose games come after these."""
        add_up(self, other)
        del self.failures[MOST_FAILURES:]


def add_up(one: Any, other: Any) -> Any:
    """The sum of two tallies or parts of them; the first of them, changed, if it is mutable."""
    if isinstance(one, Spread):
        one.merge(other)
        return one
    if isinstance(one, dict):
        for key, value in other.items():
            one[key] = add_up(one[key], value) if key in one else value
        return one
    if not is_dataclass(one):
        return one + other
    for part in fields(one):
        setattr(one, part.name, add_up(getattr(one, part.name), getattr(other, part.name)))
    return one
