"""First hands: what a match of a single hand comes to, as far as that is known before it is played.

Where the rules themselves end the match with that hand, points for placement follow; otherwise the hand's are all."""

from math import inf
from typing import TYPE_CHECKING

from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, Quantifier, Term, Var
from tilewright.play.rules import Rules
from tilewright.play.scene.scene import TableScene
from tilewright.players.learning.kernel import layout as learn
from tilewright.scoring.plain.walker import nodes

if TYPE_CHECKING:
    from tilewright.play.match import Match

# Words whose answers a first hand does not change, unless it changes a score.
LASTING = frozenset({"score", "seat", "everyone", "seats", "deals", "dealer", "round_wind"})
Bounds = tuple[float, float]
UNKNOWN: Bounds = (-inf, inf)


def settled_by(rules: Rules) -> int:
    """Whether the points after a first hand are what players have after a match of one hand: ALWAYS, QUIET_HANDS (those
    that change no score) or NEVER."""
    match = rules.program.play.match
    if match.ends is None or not (match.placement or match.exchange):
        return learn.ALWAYS
    _, ends = bounds(match.ends, rules.game(0, hands=1, listen=False))
    return learn.NEVER if ends else learn.QUIET_HANDS


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
