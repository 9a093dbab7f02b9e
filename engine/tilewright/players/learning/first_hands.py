"""First hands: whether the points after it are all that a match of a single hand comes to.

Where the rules themselves end the match with that hand, points for placement follow; otherwise the hand's are all."""

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, Quantifier, Term, Var, nodes
from tilewright.play.rules import Rules
from tilewright.play.scene.scene import TableScene
from tilewright.play.state.state import Number
from tilewright.players.learning.kernel import layout as learn

if TYPE_CHECKING:
    from tilewright.play.match import Match

# Words whose answers a first hand does not change, unless it changes a score.
LASTING = frozenset({"score", "seat", "everyone", "seats", "deals", "dealer", "round_wind"})
Bounds = tuple[float, float]
UNKNOWN: Bounds = (-inf, inf)


class FirstHands:
    """First hands of a ruleset. `settled`: which of them settle a match, as is known before they are played: ALWAYS,
    QUIET_HANDS (those that change no score) or NEVER."""

    def __init__(self, rules: Rules) -> None:
        match = rules.program.play.match
        self.ends = match.ends if match.placement or match.exchange else None
        self.game = rules.game(0, hands=1, listen=False)
        if not self.settles(self.game.scores):
            self.settled = learn.NEVER
        else:
            self.settled = learn.QUIET_HANDS if self.ends is not None and asks_scores(self.ends) else learn.ALWAYS

    def settles(self, scores: Sequence[Number]) -> bool:
        """Whether a hand that leaves players with these scores settles the match."""
        if self.ends is None:
            return True
        self.game.balances[:-1] = scores
        _, ends = bounds(self.ends, self.game)
        return not ends


def asks_scores(ir: Ir) -> bool:
    """Whether an expression asks for a score."""
    if isinstance(ir, Term) and asks_scores(ir.body):
        return True
    return any(isinstance(part, Lookup) and part.name == "score" for part in nodes(ir))


def bounds(ir: Ir, game: "Match") -> Bounds:
    """The least and the most that a number may be after the first hand, if no score changes; a truth is 0 or 1."""
    if all(map(is_lasting, nodes(ir))):
        value = game.program.evaluator(ir)(TableScene(game, 0), {})
        return (float(value), float(value)) if ir.type in ("number", "truth") else UNKNOWN
    if isinstance(ir, Term) and ir.of is None:
        return bounds(ir.body, game)
    if isinstance(ir, Conditional):
        then, other = bounds(ir.then, game), bounds(ir.other, game)
        return min(then[0], other[0]), max(then[1], other[1])
    found = of_operator(ir.op, [bounds(part, game) for part in ir.args]) if isinstance(ir, Apply) else UNKNOWN
    return (max(0.0, found[0]), min(1.0, found[1])) if ir.type == "truth" else found


def of_operator(op: str, parts: list[Bounds]) -> Bounds:
    """The bounds of what an operator makes of numbers or truths."""
    lows, highs = [low for low, _ in parts], [high for _, high in parts]
    match op:
        case "and":
            return min(lows), min(highs)
        case "or":
            return max(lows), max(highs)
        case "not":
            return 1 - highs[0], 1 - lows[0]
        case "+":
            return sum(lows), sum(highs)
        case ">=":
            return float(lows[0] >= highs[1]), float(highs[0] >= lows[1])
        case ">":
            return float(lows[0] > highs[1]), float(highs[0] > lows[1])
        case "<=" | "<":
            return of_operator(">" + op[1:], parts[::-1])
    return UNKNOWN


def is_lasting(ir: Ir) -> bool:
    """Whether a part of an expression is the same after a first hand that changes no score."""
    if isinstance(ir, Lookup):
        return ir.kind == "word" and ir.name in LASTING
    return isinstance(ir, Const | Apply | Conditional | Quantifier | Var | Term)
