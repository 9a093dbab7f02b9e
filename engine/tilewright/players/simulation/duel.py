"""Duels: two players compared by the duplicate format: each deal is played twice, with seats exchanged, so that each of
them sits once in each seat of each deal.

In: the sums of games in their order. Out: what the players come to, and their difference with its interval. The unit is
the deal. Knows no rules, no files and no screen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from tilewright.players.simulation.estimates import Difference, GameSample, differences
from tilewright.players.simulation.sums import Sums

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
