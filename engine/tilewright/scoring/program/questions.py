"""Questions: what no counter answers in, a function of a scene that answers it out.

Sums over tiles are asked of nearly every hand of some rulesets: what depends on the tile alone is worked out once.
Regular expressions are asked by automata (`texts`). All else is left to the tree walker, which is the oracle. Knows no
tables."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tilewright.hands.reading import Hand
from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, Matches, Quantifier, Var, WordCall, names_tiles
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.plain.walker import OPERATORS, as_set, evaluate, nodes
from tilewright.scoring.program.conditions import asks_zones
from tilewright.scoring.program.texts import text_question

Answer = Callable[[HandScene], Any]
OfTile = Callable[[HandScene, int], Any]  # of a tile of a domain
BY_ARGUMENTS: frozenset[ToldBy] = frozenset({"arguments", "seats"})
NUMBERS = frozenset({"+", "-", "*", "<", "<=", ">", ">=", "==", "!="})


def answer_of(ir: Ir, data: CompiledRuleset) -> Answer:
    """The function that answers a question."""
    match ir:
        case Matches():
            return text_question(ir, data.tiles) or partial(evaluate, ir)
        case Quantifier(op="count" | "sum", domain=Lookup(of=None) as domain) if domain.type == "tiles":
            body, tiles = body_of(ir.body, ir.letter, data), partial(evaluate, domain)
            if ir.op == "count":
                return lambda scene: sum([1 for tile in tiles(scene) if body(scene, tile)])
            return lambda scene: sum([body(scene, tile) for tile in tiles(scene)])
        case Apply(op=op, args=(left, right)) if op in NUMBERS and left.type == "number" and not asks_zones(ir):
            one, other, operator = answer_of(left, data), answer_of(right, data), operator_of(op)
            return lambda scene: operator(one(scene), other(scene))
        case _:
            return partial(evaluate, ir)


def body_of(ir: Ir, letter: str, data: CompiledRuleset) -> OfTile:
    """The value of an expression for each tile that a letter stands for."""
    if is_static(ir):
        known: dict[int, Any] = {}
        nobody = HandScene(data, Situation(Hand(())))

        def remembered(scene: HandScene, tile: int) -> Any:
            if tile not in known:
                known[tile] = evaluate(ir, nobody, {letter: (tile,)})
            return known[tile]

        return remembered
    match ir:
        case WordCall(name=words.copies.name, args=(of,), of=None) if is_static(of):
            tiles, named = body_of(of, letter, data), bool(names_tiles(of))
            return lambda scene, tile: sum([scene.copies(one, named) for one in as_set(tiles(scene, tile))])
        case Apply(op="and", args=args):
            parts = [body_of(argument, letter, data) for argument in args]
            return lambda scene, tile: all(part(scene, tile) for part in parts)
        case Apply(op=op, args=(left, right)) if op in NUMBERS and left.type == "number" and not asks_zones(ir):
            one, other, operator = body_of(left, letter, data), body_of(right, letter, data), operator_of(op)
            return lambda scene, tile: operator(one(scene, tile), other(scene, tile))
        case _:
            return lambda scene, tile: evaluate(ir, scene, {letter: (tile,)})


def operator_of(op: str) -> Callable[[Any, Any], Any]:
    """An operator on numbers."""
    return {"==": lambda a, b: a == b, "!=": lambda a, b: a != b}.get(op) or OPERATORS[op]


def is_static(ir: Ir) -> bool:
    """Whether the value is the same for all hands, but for letters."""
    return all(isinstance(node, Const | Var | Apply) or is_of_arguments(node) for node in nodes(ir))


def is_of_arguments(ir: Ir) -> bool:
    """Whether only its arguments, or the tile that it is asked of, determine a word; they are no seats."""
    if isinstance(ir, Lookup):
        return ir.kind == "word" and is_told_by(ir.name, BY_ARGUMENTS) and ir.of is not None and ir.of.type == "tile"
    return (
        isinstance(ir, WordCall)
        and is_told_by(ir.name, BY_ARGUMENTS)
        and ir.of is None
        and all(argument.type not in ("seat", "seats") for argument in ir.args)
    )
