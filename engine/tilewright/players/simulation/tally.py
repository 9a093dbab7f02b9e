"""Tallies: the totals of many hands, in memory that does not grow with their number; and the sums of one game: numbers
by key, of which every statistic is a ratio of two.

Sums are exact, so that the tallies of parts, added up in any grouping, are the tally of the whole. Games are
independent of each other, the hands of one are not: statistics are made of the sums of games (`estimates.py`). Over all
games the sums are those of the tally. Knows no rules and no files.

    hands won drawn draws decisions wins value moved            of the game; `moved`: points that changed hands
    ended.PHASE win.KIND pattern.ID offered.ID taken.ID         hands without a winner, wins, and offers
    seat.N.hands .wins .fed .gain                               of a seat, the dealer's first
    player.N.won                                                matches won by a player
    name.NAME.hands .gains .wins .fed .games .won .score        of all players of a name; the last three of matches
    matches long lead_changes behind last                       of a match that came to its end
    drawn_tiles.N.won .nobody, total.N                          for histograms: hands of a length, wins of a total
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from itertools import pairwise
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


Sums = dict[str, float]
HISTOGRAMS = ("drawn_tiles.", "total.")  # beginnings of keys of which only the sum over all games is wanted


def sums_of(game: GameRows, names: Sequence[str]) -> Sums:
    """The sums of a game between players of these names. Hands that ended before it broke off count; a match that
    broke off does not."""
    found = defaultdict[str, float](float)
    hands = [hand for hand in game.hands if hand.error is None]
    for hand in hands:
        for key, number in of_hand(hand, names):
            found[key] += float(number)
    if hands and game.failure is None:
        for key, amount in of_match(hands, names):
            found[key] += float(amount)
    return dict(found)


def of_hand(hand: HandRow, names: Sequence[str]) -> Iterator[tuple[str, Number]]:
    """What a hand adds."""
    yield "hands", 1
    yield "won" if hand.winners else "drawn", 1
    yield "draws", hand.draws
    yield "decisions", hand.decisions
    yield "moved", sum(gain for gain in hand.gains if gain > 0)
    yield f"drawn_tiles.{hand.draws}.{'won' if hand.winners else 'nobody'}", 1
    if not hand.winners:
        yield f"ended.{hand.ended}", 1
    for seat, player in enumerate(hand.seats):
        yield f"seat.{seat}.hands", 1
        yield f"seat.{seat}.gain", hand.gains[player]
        yield f"name.{names[player]}.hands", 1
        yield f"name.{names[player]}.gains", hand.gains[player]
    for win in hand.winners:
        yield from of_win(hand, win, names)
    for offer in hand.offers:
        yield f"offered.{offer.id}", offer.offered
        yield f"taken.{offer.id}", offer.taken


def of_win(hand: HandRow, win: WinRow, names: Sequence[str]) -> Iterator[tuple[str, Number]]:
    """What a winner of a hand adds."""
    yield "wins", 1
    yield "value", win.total
    yield f"win.{win.kind}", 1
    yield f"total.{float(win.total):g}", 1
    yield f"seat.{win.seat}.wins", 1
    yield f"name.{names[win.player]}.wins", 1
    if win.discarder is not None:
        yield f"seat.{hand.seats.index(win.discarder)}.fed", 1
        yield f"name.{names[win.discarder]}.fed", 1
    for pattern in win.patterns:
        yield f"pattern.{pattern.id}", 1


def of_match(hands: Sequence[HandRow], names: Sequence[str]) -> Iterator[tuple[str, Number | float]]:
    """What a match adds that came to its end. Players who share the highest score share the victory."""
    winners = best(hands[-1].scores)
    yield "matches", 1
    for player, name in enumerate(names):
        won = 1 / len(winners) if player in winners else 0
        yield f"player.{player}.won", won
        yield f"name.{name}.games", 1
        yield f"name.{name}.won", won
        yield f"name.{name}.score", hands[-1].scores[player]
    if len(hands) > 1:
        yield "long", 1
        yield "lead_changes", lead_changes(hands)
        half = hands[len(hands) // 2 - 1].scores
        yield "behind", sum(half[player] < max(half) for player in winners) / len(winners)
        yield "last", sum(half[player] == min(half) < max(half) for player in winners) / len(winners)


def best(scores: Sequence[Number]) -> list[int]:
    """The players with the highest score."""
    return [player for player, score in enumerate(scores) if score == max(scores)]


def lead_changes(hands: Sequence[HandRow]) -> int:
    """How often another player came to lead alone."""
    leading = [leaders[0] for hand in hands if len(leaders := best(hand.scores)) == 1]
    return sum(before != after for before, after in pairwise(leading))
