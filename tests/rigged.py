"""Rigged games: the hands and draws that are wanted in, a game out; and moves as lines of text.

A wall is the hands of the seats from the dealer, what is drawn after the deal, the other tiles in any order, and what
is drawn from its back. A line of a script is a seat, what it does and what it chooses; seats that are not named pass.
"""

from collections import Counter

from tilewright.play.match import Match
from tilewright.play.model import PASS, IllegalMove, Move
from tilewright.play.rules import Rules
from tilewright.tiles.notation import parse_tiles

STRIDE = 37  # through the tiles that are left, so that no two alike lie side by side


def rigged(
    rules: Rules, hands: tuple[str, ...], draws: str = "", back: str = "", seed: int = 1, played: int | None = 1
) -> Match:
    """A game whose first hand is dealt and drawn like this. `back`: in the order in which they are drawn."""
    tiles = rules.data.tiles
    front = [face for hand in (*hands, *draws.split()) for face in parse_tiles(hand, tiles)]
    rear = [face for text in back.split() for face in parse_tiles(text, tiles)]
    box = Counter({tile.index: tile.copies for tile in tiles.tiles})
    box.subtract([*front, *rear])
    assert min(box.values()) >= 0, f"too many of {[tiles.tiles[face].code for face, left in box.items() if left < 0]}"
    rest = sorted(box.elements())
    between = [rest[(place * STRIDE) % len(rest)] for place in range(len(rest))] if len(rest) % STRIDE else rest
    wall = [tiles.tiles[face].code for face in (*front, *between, *rear[::-1])]
    return rules.game(seed, hands=played, layout={"walls": [wall]})


def play(game: Match, script: str) -> Match:
    """The game after the moves of a script, a line each."""
    for line in filter(None, map(str.strip, script.splitlines())):
        seat, does, *chosen = line.split(" ", 2)
        answer(game, game.program.names.index(seat), does, "".join(chosen))
    return game


def answer(game: Match, seat: int, does: str, chosen: str) -> None:
    """One move; those who are asked before the seat can make it pass."""
    while (move := found(game, seat, does, chosen)) is None:
        game.answer(next(Move(other, PASS) for other in game.asked if may_pass(game, other)))
    game.answer(move)


def found(game: Match, seat: int, does: str, chosen: str) -> Move | None:
    """The move that is meant, if the seat may make it now; the choices of a move that has several stand one after the
    other."""
    question = game.question(seat)
    whole = [move for move in question.moves if move.does == does and said(move) == chosen] if question else []
    if whole:
        return whole[0]
    try:
        return game.move(does, *filter(None, [chosen]), seat=seat)
    except IllegalMove:
        return None


def said(move: Move) -> str:
    """What a move chooses."""
    return " ".join(text for _, text in move.choice)


def may_pass(game: Match, seat: int) -> bool:
    return game.allows(Move(seat, PASS))


def drawn_out(game: Match, wall: int) -> Match:
    """The game, everyone throwing what it draws, until so many tiles are left in the wall."""
    while game.size("wall", 0) > wall:
        answer(game, *thrown(game))
    return game


def thrown(game: Match) -> tuple[int, str, str]:
    """What the seat that is asked does if it throws what it draws: seat, move, tile."""
    seat = game.asked[0]
    tile = game.drawn[seat]
    if tile is None or may_pass(game, seat):
        return seat, PASS, ""
    return seat, "discard", game.program.code[tile]
