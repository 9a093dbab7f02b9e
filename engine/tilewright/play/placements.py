"""Placements: what the rules of a match say before it is played: the points that each place adds at the end, and how
many hands there are. In: a program. Knows no players."""

from fractions import Fraction

from tilewright.play.match import MOST_HANDS, Match
from tilewright.play.program.program import Program
from tilewright.play.scene.scene import TableScene
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
