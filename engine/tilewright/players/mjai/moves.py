"""Moves: a question and an answer in MJAI in, the legal move out; and the reverse.

Which of several groups is meant follows from its tiles. Knows no process and no table.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tilewright.play.model.moves import PASS, Move, Question
from tilewright.play.view import View
from tilewright.players.mjai.vocabulary import NONE, Vocabulary
from tilewright.players.programs.protocol import BadAnswer, shown

KITA = "kita"  # another name of it
CLAIMS = ("chi", "pon", "daiminkan")
QUADS = ("ankan", "kakan")


# --- answers to moves


def move_of(answer: dict[str, Any], question: Question, view: View, words: Vocabulary) -> Move:
    """The move that an answer means. Raises BadAnswer."""
    kind = kind_of(answer)
    wanted = PASS if kind == NONE else words.offers.get(kind)
    moves = [move for move in question.moves if move.does == wanted]
    if kind == "dahai":
        moves = [move for move in moves if move.choice[0][1] == words.codes.get(text_of(answer, "pai"))]
    elif kind in (*CLAIMS, *QUADS):
        moves = of_tiles(moves, tiles_of(answer, kind, view, words), words)
        moves = [move for move in moves if "hand" not in answer or hand_of(move, words).get("hand") == answer["hand"]]
    if not moves:
        raise BadAnswer(f"this is not a legal move: {shown(str(answer))}")
    return moves[0]


def kind_of(answer: dict[str, Any]) -> str:
    """The kind of an event or an answer, by its usual name."""
    kind = text_of(answer, "type")
    return "nukidora" if kind == KITA else kind


def text_of(answer: dict[str, Any], key: str) -> str:
    found = answer.get(key)
    return found if isinstance(found, str) else ""


def tiles_of(answer: dict[str, Any], kind: str, view: View, words: Vocabulary) -> Counter[str]:
    """The codes of the tiles of the group that is meant: those that it consumes, and one more."""
    consumed = answer.get("consumed")
    names = [one for one in consumed if isinstance(one, str)] if isinstance(consumed, list) else []
    found = Counter(words.codes.get(name, name) for name in names)
    if kind in CLAIMS and view.tile is not None:
        found[view.rules.data.tiles.tiles[view.tile].code] += 1
    if kind == "kakan" and (name := text_of(answer, "pai")):
        found[words.codes.get(name, name)] += 1
    return found


def of_tiles(moves: Iterable[Move], tiles: Counter[str], words: Vocabulary) -> list[Move]:
    """The moves whose group has these tiles; if none has, those that do if special tiles count as plain ones."""
    every = list(moves)
    exact = [move for move in every if group_of(move) == tiles]
    return exact or [move for move in every if plainly(group_of(move), words) == plainly(tiles, words)]


def group_of(move: Move) -> Counter[str]:
    """The codes of the tiles of a group that a move chooses."""
    return Counter(move.chosen("group").split())


def hand_of(move: Move, words: Vocabulary) -> dict[str, Any]:
    """The hand that a meld comes to, where a seat makes several and chooses a number with it."""
    choose = words.program.play.offers[move.does].choose if words.program.hands > 1 else ()
    name = next((one.name for one in choose if one.kind == "number"), None)
    return {} if name is None else {"hand": int(move.chosen(name))}


def plainly(tiles: Counter[str], words: Vocabulary) -> Counter[str]:
    """The same tiles, special ones as the tiles that they count as."""
    program, found = words.program, Counter[str]()
    for code, number in tiles.items():
        face = words.faces.get(words.names_of_codes.get(code, ""))
        found[code if face is None else program.code[program.plain[face]]] += number
    return found


# --- moves to answers


def answer_of(move: Move, view: View, words: Vocabulary) -> dict[str, Any]:
    """What a move is in MJAI."""
    assert view.seat is not None
    actor = view.player(view.seat)
    if move.does == PASS:
        return {"type": NONE}
    kind = words.kinds[move.does]
    found: dict[str, Any] = {"type": kind, "actor": actor}
    if kind == "dahai":
        tile = words.names_of_codes[move.choice[0][1]]
        drawn = view.drawn
        return {**found, "pai": tile, "tsumogiri": drawn is not None and words.names[drawn] == tile}
    if kind == "hora":
        own = view.discarder is None
        target = actor if own or view.discarder is None else view.player(view.discarder)
        tile_won = view.drawn if own else view.tile
        return {**found, "target": target, **({} if tile_won is None else {"pai": words.names[tile_won]})}
    if kind == "nukidora":
        return {**found, "pai": words.names_of_codes[move.choice[0][1]]}
    tiles = [words.names_of_codes[code] for code in move.chosen("group").split()]
    if kind == "ankan":
        return {**found, "consumed": tiles, **hand_of(move, words)}
    if kind == "kakan":
        added = added_tile(tiles, view, words)
        return {**found, "pai": added, "consumed": without(tiles, added)}
    if kind in CLAIMS:
        assert view.tile is not None
        assert view.discarder is not None
        claimed = words.names[view.tile]
        target = view.player(view.discarder)
        consumed = without(tiles, claimed)
        return {**found, "target": target, "pai": claimed, "consumed": consumed, **hand_of(move, words)}
    return found


def added_tile(tiles: Sequence[str], view: View, words: Vocabulary) -> str:
    """The tile that makes a meld of three these four."""
    assert view.seat is not None
    for meld in view.melds(view.seat):
        left = Counter(tiles) - Counter(words.names[face] for face in meld.tiles if face is not None)
        if left.total() == 1:
            return next(iter(left))
    return tiles[-1]


def without(tiles: Sequence[str], one: str) -> list[str]:
    """The tiles less one of them."""
    left = list(tiles)
    left.remove(one)
    return left


def possible_actions(question: Question, view: View, words: Vocabulary) -> list[dict[str, Any]]:
    """The moves of a question in MJAI, discards and passing aside, as the protocol has them."""
    moves = [move for move in question.moves if words.kinds.get(move.does, NONE) not in (NONE, "dahai")]
    return [answer_of(move, view, words) for move in moves]


def barred_discards(question: Question, view: View, words: Vocabulary) -> list[str]:
    """The tiles of the hand that may not be discarded, where something is discarded; each once."""
    discard = words.offers["dahai"]
    allowed = {move.choice[0][1] for move in question.moves if move.does == discard}
    held = dict.fromkeys(words.names[face] for face in view.hand)
    return [name for name in held if words.codes[name] not in allowed] if allowed else []
