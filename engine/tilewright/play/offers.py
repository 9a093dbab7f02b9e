"""Compiled offers: an offer of a phase in, the same with functions for its conditions and choices out; and what bars
it.

Of a restriction: whether it may hold at all, before anything is chosen, and whether it bars wins by what a seat itself
knows. Tiles that a hand cannot win with (such as tiles of a suit given up) are found by asking restrictions about an
imagined hand of one tile: only those on the own hand, marks and answers, so the result depends only on what the seat
knows.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

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
from tilewright.language.compiled.play import Choose, Offer, Phase, Restriction
from tilewright.language.vocabulary.steps import Declare, Swap
from tilewright.language.vocabulary.words import WORDS, tile, turn, waits, wins
from tilewright.play.expressions import Evaluator, class_of
from tilewright.play.operations import CompiledBar, CompiledChoice, CompiledOffer, SceneFunction
from tilewright.play.program import Program
from tilewright.play.scene import ImaginedSeat, TableScene
from tilewright.play.state import TableState
from tilewright.scoring.plain.walker import SETS

NO_WORDS: frozenset[str] = frozenset()


def compiled_offer(program: Program, phase: Phase, offer: Offer) -> CompiledOffer:
    words = chosen_words(offer)
    late = offer.when is not None and looks_at(offer.when, words)
    when, choosing = program.perhaps(offer.when), compiled_choices(program, offer.choose, words)
    swaps = [step.does for step in offer.do if isinstance(step.does, Swap) and step.when is None]
    return CompiledOffer(
        offer,
        None if late else when,
        when if late else None,
        program.perhaps(offer.most),
        choosing,
        program.offers[offer.id],
        tuple(bars_of(program, phase, offer, words)),
        program.goal(offer.then if offer.then is not None else phase.then),
        Declare.declared.name in program.verbs(offer.do),
        wins.is_asked(offer.when),
        own_tile(offer),
        tuple(one for one in choosing if one.alone and one.choose.type == "tile") if len(choosing) > 1 else (),
        tuple((program.evaluator(swap.one), program.evaluator(swap.other)) for swap in swaps),
        bool(offer.choose) and offer.choose[0].kind == "group",
        bool(offer.group) and program.groups.is_served(offer.group),
        tuple({} for _ in program.everyone),
    )


def compiled_choices(
    program: Program, choices: Sequence[Choose], words: frozenset[str] = NO_WORDS
) -> tuple[CompiledChoice, ...]:
    """Choices with their functions; `words` that stand for what is chosen, in addition to their names."""
    words |= {choose.name for choose in choices}
    return tuple(
        CompiledChoice(
            choose,
            program.perhaps(choose.most),
            program.perhaps(choose.least),
            program.perhaps(choose.source),
            None if choose.of is None else class_of(choose.of, program.data),
            program.perhaps(choose.seats),
            program.perhaps(choose.when),
            is_near(choose.source),
            choose.kind == "tiles" and not any(looks_at(ir, words) for ir in (choose.source, *(choose.of or ())) if ir),
            alike(program, choose, choices[:at], words),
        )
        for at, choose in enumerate(choices)
    )


def alike(
    program: Program, choose: Choose, before: Sequence[Choose], words: frozenset[str]
) -> tuple[Evaluator, str] | None:
    """The two sides of the condition of a choice, if one is another tile and the other depends on this one alone."""
    when, singles = choose.when, [one.name for one in before if one.kind == "tiles" and one.type == "tile"]
    if isinstance(when, Apply) and when.op == "==":
        for own, other in permutations(when.args):
            if isinstance(other, Lookup) and other.of is None and other.name in singles:
                return None if looks_at(own, words - {choose.name}) else (program.evaluator(own), other.name)
    return None


def bars_of(program: Program, phase: Phase, offer: Offer, words: frozenset[str]) -> Iterator[CompiledBar]:
    """The restrictions that may bar an offer in a phase."""
    for restriction in program.play.restrictions:
        if any(offer.id in program.named(bar, phase.id) for bar in restriction.bars):
            when = restriction.when
            ever = TRUE if when is None else may_hold(when, words)
            late = when is not None and looks_at(when, words)
            yield CompiledBar(
                restriction, program.perhaps(when), late, None if ever == TRUE else program.evaluator(ever)
            )


def chosen_words(offer: Offer) -> frozenset[str]:
    """The words that stand for what is chosen."""
    names = {choose.name for choose in offer.choose}
    if offer.group or any(choose.kind == "group" for choose in offer.choose):
        names.add("group")
    if any(choose.onto for choose in offer.choose):
        names.add("tile")
    return frozenset(names)


def own_tile(offer: Offer) -> str | None:
    """The name of the only choice, if it is one tile of the own hand."""
    if len(offer.choose) != 1 or offer.group:
        return None
    (choose,) = offer.choose
    of_hand = isinstance(choose.source, Lookup) and choose.source.name == "hand" and choose.source.of is None
    plain = choose.kind == "tiles" and choose.type == "tile" and choose.of is None and choose.when is None
    return choose.name if plain and of_hand and choose.name == tile.name else None


def is_near(source: Ir | None) -> bool:
    """Whether the tiles are of one place: their expression names no seat."""
    if isinstance(source, Apply) and source.op == "tiles":
        source = source.args[0]
    return source is None or (isinstance(source, Lookup) and source.of is None)


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


DISCARD = "discard"


def unwinnable(game: TableState, seat: int) -> frozenset[int]:
    """The plain tiles that no hand of the seat may hold to win."""
    return frozenset(plain for holds in game.program.bars_of_wins for plain in tiles_barred(game, seat, holds))


def tiles_barred(game: TableState, seat: int, holds: SceneFunction) -> Iterator[int]:
    """The tiles that bar every win if the hand holds one of them, provided that an empty hand is not barred."""
    if holds(imagined(game, seat), {}):
        return
    for plain, one in one_of_each(game.program).items():
        if holds(imagined(game, seat, one), {}):
            yield plain


def imagined(game: TableState, seat: int, *tiles: int) -> TableScene:
    """The table, as if the seat had these tiles in its hand and no others."""
    less = tuple(tile for tile in game.zones[HAND][seat] if tile not in tiles)
    return TableScene(game, seat, imagined=ImaginedSeat(seat, tiles, less))


def one_of_each(program: Program) -> dict[int, int]:
    """A tile of the table for each plain tile."""
    return {program.plain[tile]: tile for tile in program.box}


def claims_barred(game: TableState, seat: int, face: int | None) -> tuple[Restriction, ...]:
    """The restrictions that would bar the seat from winning on a discard after it has discarded this face, or now
    without one. Marks that its next discard ends count as ended."""
    hand, faces = game.zones[HAND][seat], game.program.face
    discarded = next(((tile,) for tile in hand if faces[tile] == face), ())
    letters = dict.fromkeys(marks_ended_by_discard(game.program), False) if discarded else {}
    scene = TableScene(game, seat, letters, imagined=ImaginedSeat(seat, less=discarded) if discarded else None)
    return tuple(restriction for restriction, holds in game.program.bars_of_claims if holds(scene, {}))


def marks_ended_by_discard(program: Program) -> tuple[str, ...]:
    """The marks of a seat that its own next discard ends."""
    return tuple(mark.id for mark in program.data.marks.values() if mark.type == "truth" and DISCARD in mark.own)
