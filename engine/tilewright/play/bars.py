"""Bars: the restrictions on an offer in a phase, and a quick no: whether one may hold at all, before anything is
chosen."""

from dataclasses import dataclass

from tilewright.language.compiled.ir import Apply, Call, Const, Ir, Word
from tilewright.language.compiled.play import Restriction
from tilewright.language.vocabulary.words import WORDS, tile
from tilewright.play.answers import Answer
from tilewright.scoring.walker import SETS, nodes

TRUE = Const("truth", True)
NONE = Const("number", 0)


@dataclass(frozen=True, slots=True)
class Bar:
    """A restriction, with the function that says when it bars. `late`: it looks at what is chosen; `ever`: whether it
    may bar any choice just now (None: nothing is known before)."""

    restriction: Restriction
    holds: Answer | None
    late: bool
    ever: Answer | None


def looks_at(ir: Ir, words: frozenset[str]) -> bool:
    """An expression asks for one of these words, or for something that the tile in question decides."""
    return any(isinstance(node, Word | Call) and (node.name in words or follows(node, words)) for node in nodes(ir))


def follows(node: Word | Call, words: frozenset[str]) -> bool:
    """The tile in question, which is one of these words, decides the node."""
    return tile.name in words and node.name in WORDS and WORDS[node.name].follows_tile


def may_hold(ir: Ir, words: frozenset[str]) -> Ir:
    """A weaker condition that does not look at these words: where it does not hold, the condition does not."""
    if not looks_at(ir, words):
        return ir
    if isinstance(ir, Apply) and ir.op in ("and", "or"):
        parts = [may_hold(part, words) for part in ir.args]
        if ir.op == "or":
            return TRUE if TRUE in parts else Apply("truth", "or", tuple(parts))
        kept = tuple(part for part in parts if part != TRUE)
        return kept[0] if len(kept) == 1 else Apply("truth", "and", kept) if kept else TRUE
    if isinstance(ir, Apply) and ir.op == "in" and ir.args[1].type in SETS and not looks_at(ir.args[1], words):
        return Apply("truth", ">", (Apply("number", "size", (ir.args[1],)), NONE))  # nothing is in an empty set
    return TRUE
