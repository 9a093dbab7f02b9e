"""Bars: the conditions of restrictions. Whether one may hold at all, before anything is chosen, and which of them bar
wins by what a seat itself knows."""

from collections.abc import Iterator

from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    Ir,
    Lookup,
    Quantifier,
    Term,
    Var,
    WordCall,
    nodes,
)
from tilewright.language.compiled.play import Restriction
from tilewright.language.vocabulary.steps import Declare
from tilewright.language.vocabulary.words import WORDS, tile, turn, waits
from tilewright.play.program.program import Program
from tilewright.scoring.plain.walker import SETS

TRUE = Const("truth", True)
NONE = Const("number", 0)
HAND = "hand"
REMEMBERED = ("mark", "choice")


def looks_at(ir: Ir, words: frozenset[str]) -> bool:
    """Whether an expression uses one of these words, or something that the tile in question decides."""
    return any(
        isinstance(node, Lookup | WordCall) and (node.name in words or follows(node, words)) for node in nodes(ir)
    )


def follows(node: Lookup | WordCall, words: frozenset[str]) -> bool:
    """Whether the tile in question, which is one of these words, decides the node."""
    return tile.name in words and node.name in WORDS and WORDS[node.name].follows_tile


def may_hold(ir: Ir, words: frozenset[str]) -> Ir:
    """A weaker condition that does not use these words: where it fails, so does the condition."""
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


# --- wins that are barred


def bars_of_wins(program: Program) -> Iterator[Ir]:
    """The restrictions that bar every win and depend on the own hand alone."""
    play = program.play
    wins = {offer.id for offer in play.offers.values() if Declare.declared.name in program.verbs(offer.do)}
    for restriction in play.restrictions:
        if wins and wins <= set(restriction.bars) and restriction.when is not None and is_of_own_hand(restriction.when):
            yield restriction.when


def is_of_own_hand(ir: Ir) -> bool:
    """Whether the condition uses the own hand and nothing else but remembered values."""
    every = list(nodes(ir))
    return all(map(is_plain, every)) and any(isinstance(node, Lookup) and node.name == HAND for node in every)


def bars_of_claims(program: Program) -> Iterator[tuple[Restriction, Ir]]:
    """The restrictions that bar wins only on a tile of another seat, by what the hand waits for, with their
    conditions."""
    play = program.play
    wins = {offer.id for offer in play.offers.values() if Declare.declared.name in program.verbs(offer.do)}
    answering = [phase.id for phase in play.phases.values() if phase.who is not None and not turn.is_asked(phase.who)]
    for restriction in play.restrictions:
        barred = frozenset(offer for bar in restriction.bars for id in answering for offer in program.named(bar, id))
        if barred & wins and not wins & set(restriction.bars) and is_of_own_waits(program, restriction.when):
            assert restriction.when is not None
            yield restriction, restriction.when


def is_of_own_waits(program: Program, ir: Ir | None) -> bool:
    """Whether the condition uses the own waits, and otherwise only what the seat has discarded or knows."""
    every = [] if ir is None else list(nodes(ir))
    data, words = program.data, [node for node in every if isinstance(node, Lookup)]
    own = (word for word in words if word.kind == "zone" and data.zones[word.name].claimable and word.of is None)
    allowed = [*own, *(word for word in words if word.kind == "mark" and data.marks[word.name].of == "seat")]
    asked = [word for word in words if waits.is_asked(word)]
    return bool(asked) and all(node in allowed or node in asked or is_plain(node) for node in every)


def is_plain(node: Ir) -> bool:
    if isinstance(node, Lookup):
        return node.of is None and (node.kind in REMEMBERED or (node.kind == "zone" and node.name == HAND))
    return isinstance(node, Const | Var | Apply | Conditional | Quantifier) or (
        isinstance(node, Term) and node.of is None
    )
