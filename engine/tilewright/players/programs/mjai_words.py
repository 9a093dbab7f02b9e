"""The words of MJAI: which of them mean which offers, zones and marks of a ruleset; a question and an answer in them
in, the legal move out, and the reverse.

They are data, `mjai.json`: the offers are those of the bundled rulesets that MJAI can say, and of rulesets made from
them. Which of several groups is meant follows from its tiles. Knows no process and no table.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.model import PASS, Move, Question
from tilewright.play.program import Program
from tilewright.play.view import View
from tilewright.players.programs.process import BadAnswer, shown
from tilewright.tiles.notation import write_tile

HIDDEN = "?"
NONE = "none"
SEATS = (3, 4)


class NotInMjai(ValueError):
    """A ruleset that MJAI has no words for; the message says what it lacks."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of MJAI for one ruleset. `offers`: the offer of each kind of move, and `kinds` the reverse; `faces`:
    the tile of each name, and `names` the reverse; `codes`: its code; `aside`: the tile that is set aside; `stick`: the
    worth of a deposit."""

    program: Program
    offers: Mapping[str, str]
    dora: str
    ura: str
    honba: str
    reasons: Mapping[str, str]
    ryukyoku_reason: str
    aside: str
    stick: int
    faces: Mapping[str, int]

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        return {offer: kind for kind, offer in self.offers.items()}

    @cached_property
    def names(self) -> Mapping[int, str]:
        return {face: name for name, face in self.faces.items()}

    @cached_property
    def codes(self) -> Mapping[str, str]:
        """The code of the tile of each name."""
        return {name: self.program.code[face] for name, face in self.faces.items()}

    @cached_property
    def names_of_codes(self) -> Mapping[str, str]:
        return {code: name for name, code in self.codes.items()}


@cache
def words() -> Mapping[str, Any]:
    """The file as it is."""
    found: Mapping[str, Any] = json.loads(Path(__file__).with_name("mjai.json").read_text(encoding="utf-8"))
    return found


def expect_words(data: CompiledRuleset) -> None:
    """Raise NotInMjai if MJAI cannot tell of games under this ruleset."""
    said, play = words(), data.play
    offers = {} if play is None else play.offers
    missing = [f"the offer {said['moves'][kind]}" for kind in said["needed"] if said["moves"][kind] not in offers]
    missing += [f"the zone {said[zone]}" for zone in ("dora", "ura") if said[zone] not in data.zones]
    missing += [f"the mark {said['honba']}"] if said["honba"] not in data.marks else []
    missing += ["three or four seats"] if data.seats.count not in SEATS else []
    if missing:
        raise NotInMjai(f"{data.id} cannot be told in MJAI: it lacks {', '.join(missing)}")


def expect_followed(data: CompiledRuleset) -> None:
    """Raise NotInMjai if a table elsewhere cannot be followed under this ruleset."""
    expect_words(data)
    if data.seats.hands > 1:
        raise NotInMjai(f"{data.id} cannot be followed in MJAI: a seat may win one of its hands and play on")


def vocabulary_of(program: Program) -> Vocabulary:
    """The words for a ruleset. Raises NotInMjai."""
    data, said = program.data, words()
    expect_words(data)
    special = {code: name for name, code in said["tiles"].items()}
    codes = {face: write_tile(face, data.tiles) for face in data.tiles.order}
    return Vocabulary(
        program,
        {kind: offer for kind, offer in said["moves"].items() if offer in program.play.offers},
        said["dora"],
        said["ura"],
        said["honba"],
        said["reasons"],
        said["ryukyoku_reason"],
        said["aside"],
        said["stick"],
        {special.get(code, code): face for face, code in codes.items()},
    )


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
