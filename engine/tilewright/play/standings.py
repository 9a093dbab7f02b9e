"""Standings: the ranking of the players after a hand, from the results so far. Knows no table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.play.model.results import HandResult
from tilewright.scoring.score import Number


@dataclass(frozen=True, slots=True)
class Standing:
    """Of one player: hands won in the match and in the round, and points gained in the round."""

    won: int
    won_in_round: int
    gained_in_round: Number


def standings(results: Sequence[HandResult], last: HandResult) -> tuple[Standing, ...]:
    """The standing of each player after the hand `last` of the match with these results."""
    so_far = results[: last.hand]
    in_round = [result for result in so_far if result.round == last.round]
    return tuple(
        Standing(
            sum(map(winning(player), so_far)),
            sum(map(winning(player), in_round)),
            sum(result.player_gains[player] for result in in_round),
        )
        for player in range(len(last.player_gains))
    )


def winning(player: int) -> Callable[[HandResult], bool]:
    """Whether the player won a hand."""
    return lambda result: any(result.player(won.seat) == player for won in result.won)


def leaders(standing: Sequence[Standing]) -> tuple[int, ...]:
    """The players who gained most in the round; nobody while all have gained the same."""
    gained = [one.gained_in_round for one in standing]
    return tuple(player for player, gain in enumerate(gained) if gain == max(gained) and min(gained) < gain)
