"""Tiles that a hand cannot be won with: those for which alone a ruleset bars every win, such as a suit given up.

Asked of the restrictions of the ruleset with an imagined hand of one tile. Only restrictions that look at nothing but
the own hand, marks and answers are asked, so that nothing comes out that the seat does not know.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tilewright.language.compiled.ir import Apply, Choice, Const, Ir, Quantified, Term, Var, Word
from tilewright.language.vocabulary.steps.worth import Declare
from tilewright.play.scene import Imagined, TableScene
from tilewright.scoring.walker import nodes

if TYPE_CHECKING:
    from tilewright.language.compiled.play import Restriction
    from tilewright.play.answers import Answer
    from tilewright.play.game import Game
    from tilewright.play.program import Program

HAND, DISCARD, WAITS = "hand", "discard", "waits"
REMEMBERED = ("mark", "choice")


def unwinnable(game: "Game", seat: int) -> frozenset[int]:
    """The plain tiles that no hand of the seat may hold to win."""
    return frozenset(plain for holds in game.program.bars_of_wins for plain in tiles_barred(game, seat, holds))


def tiles_barred(game: "Game", seat: int, holds: "Answer") -> Iterator[int]:
    """The tiles each of which is enough for a restriction that no tile at all is not enough for."""
    if holds(imagined(game, seat), {}):
        return
    for plain, tile in one_of_each(game.program).items():
        if holds(imagined(game, seat, tile), {}):
            yield plain


def imagined(game: "Game", seat: int, *tiles: int) -> TableScene:
    """The table, as if the seat had these tiles in its hand and no others."""
    less = tuple(tile for tile in game.zones[HAND][seat] if tile not in tiles)
    return TableScene(game, seat, imagined=Imagined(seat, tiles, less))


def one_of_each(program: "Program") -> dict[int, int]:
    """A tile of the table for each plain tile."""
    return {program.plain[tile]: tile for tile in program.box}


def bars_of_wins(program: "Program") -> Iterator["Answer"]:
    """The restrictions that bar a win wherever there is one and look at the own hand alone, as functions."""
    play = program.play
    wins = {offer.id for offer in play.offers.values() if Declare.declared.name in program.verbs(offer.do)}
    for restriction in play.restrictions:
        if wins and wins <= set(restriction.bars) and restriction.when is not None and is_of_own_hand(restriction.when):
            yield program.answer(restriction.when)


def is_of_own_hand(ir: Ir) -> bool:
    """The condition asks for the own hand, and for nothing else but what is remembered."""
    every = list(nodes(ir))
    return all(map(is_plain, every)) and any(isinstance(node, Word) and node.name == HAND for node in every)


def claims_barred(game: "Game", seat: int, face: int | None) -> "tuple[Restriction, ...]":
    """The restrictions that would bar the seat from winning on the tiles of others once it had thrown this face;
    without one, as it is. What its next discard ends counts as ended."""
    hand, faces = game.zones[HAND][seat], game.program.face
    thrown = next(((tile,) for tile in hand if faces[tile] == face), ())
    marks = game.program.data.marks.values()
    letters = {mark.id: False for mark in marks if mark.type == "truth" and DISCARD in mark.own} if thrown else {}
    scene = TableScene(game, seat, letters, imagined=Imagined(seat, less=thrown) if thrown else None)
    return tuple(restriction for restriction, holds in game.program.bars_of_claims if holds(scene, {}))


def bars_of_claims(program: "Program") -> "Iterator[tuple[Restriction, Ir]]":
    """What bars wins only where a tile of another seat is answered, by what the hand waits for, and the condition."""
    play = program.play
    wins = {offer.id for offer in play.offers.values() if Declare.declared.name in program.verbs(offer.do)}
    answering = [phase.id for phase in play.phases.values() if phase.who is not None and not is_turn(phase.who)]
    for restriction in play.restrictions:
        barred = frozenset(offer for bar in restriction.bars for id in answering for offer in program.named(bar, id))
        if barred & wins and not wins & set(restriction.bars) and is_of_own_waits(program, restriction.when):
            assert restriction.when is not None
            yield restriction, restriction.when


def is_turn(ir: Ir) -> bool:
    return isinstance(ir, Word) and ir.name == "turn"


def is_of_own_waits(program: "Program", ir: Ir | None) -> bool:
    """The condition asks what the own hand waits for, and for nothing else but what the seat has thrown or knows."""
    every = [] if ir is None else list(nodes(ir))
    data, words = program.data, [node for node in every if isinstance(node, Word)]
    own = (word for word in words if word.kind == "zone" and data.zones[word.name].claimable and word.of is None)
    allowed = [*own, *(word for word in words if word.kind == "mark" and data.marks[word.name].of == "seat")]
    waits = [word for word in words if word.kind == "word" and word.name == WAITS and word.of is None]
    return bool(waits) and all(node in allowed or node in waits or is_plain(node) for node in every)


def is_plain(node: Ir) -> bool:
    if isinstance(node, Word):
        return node.of is None and (node.kind in REMEMBERED or (node.kind == "zone" and node.name == HAND))
    return isinstance(node, Const | Var | Apply | Choice | Quantified) or (isinstance(node, Term) and node.of is None)
