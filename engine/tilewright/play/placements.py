"""Places: the ranking of the players after a hand, and what the rules of a match say before it is played: the points
that each place adds at the end, and how many hands there are. In: results, a program. Knows no table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tilewright.play.match import MOST_HANDS, Match
from tilewright.play.model import HandResult
from tilewright.play.program import Program
from tilewright.play.scene import TableScene
from tilewright.scoring.plain.walker import evaluate
from tilewright.scoring.score import Number

FAR_AHEAD = 1_000_000  # points: enough for whatever the rules ask of a leader


def bonuses(program: Program) -> tuple[Number, ...]:
    """What each place adds to the final score, in points at the table, the first place first; nothing where places do
    not count."""
    rules = program.play.match
    if not rules.placement:
        return ()
    match = Match(program, 0, listen=False)
    scene = TableScene(match, 0)
    found = tuple(evaluate(bonus, scene) for bonus in rules.placement)
    if rules.exchange is None:
        return found
    final = evaluate(rules.exchange, scene)
    match.balances[match.player(0)] += FAR_AHEAD
    for_a_point = Fraction(evaluate(rules.exchange, scene) - final) / FAR_AHEAD
    return tuple(bonus / for_a_point for bonus in found) if for_a_point > 0 else ()


def hands_of(program: Program) -> int:
    """How many hands a match has if no dealer stays, and one player is far ahead of the others."""
    rules, match = program.play.match, Match(program, 0, listen=False)
    match.balances[0] += FAR_AHEAD
    for hands in range(1, MOST_HANDS):
        ends = rules.ends is not None and bool(program.evaluator(rules.ends)(TableScene(match, 0), {}))
        match.dealership += 1
        if match.dealership == program.count:
            match.next_round()
        if ends or match.round >= max(1, len(rules.rounds)):
            return hands
    return MOST_HANDS


def winning_dealer_stays(program: Program) -> bool:
    """Whether a dealer that wins deals again."""
    stays, match = program.play.match.dealer_stays, Match(program, 0, listen=False)
    match.winners = (0,)
    return stays is not None and bool(program.evaluator(stays)(TableScene(match, 0), {}))


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
