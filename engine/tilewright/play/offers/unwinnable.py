"""Tiles that a hand cannot win with: those that by themselves make a restriction bar every win, such as tiles of a suit
given up.

Found by asking restrictions about an imagined hand of one tile. Only restrictions on the own hand, marks and answers
are asked, so the result depends only on what the seat knows.
"""

from collections.abc import Iterator

from tilewright.language.compiled.play import Restriction
from tilewright.play.program.compiled import SceneFunction
from tilewright.play.program.program import Program
from tilewright.play.scene.scene import ImaginedSeat, TableScene
from tilewright.play.state.state import TableState

HAND, DISCARD = "hand", "discard"


def unwinnable(game: TableState, seat: int) -> frozenset[int]:
    """The plain tiles that no hand of the seat may hold to win."""
    return frozenset(plain for holds in game.program.bars_of_wins for plain in tiles_barred(game, seat, holds))


def tiles_barred(game: TableState, seat: int, holds: SceneFunction) -> Iterator[int]:
    """The tiles that bar every win if the hand holds one of them, provided that an empty hand is not barred."""
    if holds(imagined(game, seat), {}):
        return
    for plain, tile in one_of_each(game.program).items():
        if holds(imagined(game, seat, tile), {}):
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
