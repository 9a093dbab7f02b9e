"""The line protocol: questions to a program at the table and its answers, one JSON object per line. See docs/bots.md.

Messages out of views, moves out of answers. Knows no process.
"""

import json
from collections import Counter
from typing import Any

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.model.moves import Move, Pick, Question, move_json
from tilewright.play.model.results import HandResult
from tilewright.play.view import View
from tilewright.scoring.score import json_number
from tilewright.tiles.notation import write_tile

PROTOCOL = 1
MOST_CHARACTERS = 20_000  # of a line that a program writes
SHOWN = 200  # characters of an answer in a message


class BadAnswer(ValueError):
    """A line that does not answer the question; the message says why."""


# --- to the program


def hello(data: CompiledRuleset, view: View) -> dict[str, Any]:
    """The game, and the program's seat."""
    assert view.seat is not None
    seats = range(view.seats)
    return {
        "message": "hello",
        "protocol": PROTOCOL,
        "ruleset": {
            "id": data.id,
            "name": dict(data.name),
            "options": {name: plain(value) for name, value in data.options.items()},
            "mods": list(data.mods),
            "digest": data.digest,
        },
        "tiles": tiles_json(data),
        "seats": [view.name(seat) for seat in seats],
        "player": view.player(view.seat),
        "players": view.seats,
    }


def tiles_json(data: CompiledRuleset) -> list[dict[str, Any]]:
    """Every tile in the order in which hands are written. `as`: the tile that it counts as."""
    tiles = data.tiles
    return [
        {
            "code": write_tile(face, tiles),
            "as": write_tile(tiles.tiles[face].plain, tiles),
            "family": tiles.tiles[face].family,
            "suit": tiles.tiles[face].suit,
            "rank": tiles.tiles[face].rank,
            "copies": tiles.tiles[face].copies,
        }
        for face in tiles.order
    ]


def plain(value: Any) -> Any:
    return value if isinstance(value, bool | str) else json_number(value)


def ask(number: int, view: View) -> dict[str, Any]:
    """A question, with all that the seat sees."""
    assert view.seat is not None
    return {"message": "ask", "ask": number, "player": view.player(view.seat), "view": view.to_json()}


def ended(result: HandResult, names: list[str]) -> dict[str, Any]:
    """A hand has ended. Seats are those of the hand."""
    return {
        "message": "ended",
        "hand": result.hand,
        "phase": result.ended,
        "winners": [
            {
                "player": result.player(won.seat),
                "seat": names[won.seat],
                "self_draw": won.situation.self_draw,
                "discarder": None if won.situation.discarder is None else result.player(won.situation.discarder),
                "total": json_number(won.score.total),
                "unit": won.score.unit,
                "patterns": [pattern.id for pattern in won.score.patterns],
            }
            for won in result.won
        ],
        "gains": [json_number(gain) for gain in result.player_gains],
        "scores": [json_number(score) for score in result.scores],
    }


def over(view: View | None) -> dict[str, Any]:
    """Nothing more will be asked. `view`: the last that the program's seat had."""
    if view is None or view.result is None:
        return {"message": "over", "scores": []}
    placement = view.placement or (0,) * view.seats
    scores = [score + added for score, added in zip(view.result.scores, placement, strict=True)]
    found = {"message": "over", "scores": [json_number(score) for score in scores]}
    return found | ({"placement": [json_number(added) for added in placement]} if view.placement else {})


def line(message: dict[str, Any] | list[dict[str, Any]]) -> str:
    """A message, or several together, as a line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n"


# --- from the program


def read(text: str) -> dict[str, Any]:
    """The object on a line. Raises BadAnswer."""
    if len(text) > MOST_CHARACTERS:
        raise BadAnswer(f"a line of more than {MOST_CHARACTERS:,} characters")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadAnswer(f"not JSON: {shown(text)}") from None
    if not isinstance(found, dict):
        raise BadAnswer(f"not a JSON object: {shown(text)}")
    return found


def expect_hello(answer: dict[str, Any]) -> None:
    """The program knows this protocol. Raises BadAnswer."""
    if answer.get("message") != "hello":
        raise BadAnswer(f"it does not say hello: {shown(json.dumps(answer))}")
    if answer.get("protocol") != PROTOCOL:
        raise BadAnswer(f"it speaks protocol {shown(json.dumps(answer.get('protocol')))}, and this is {PROTOCOL}")


def move_of(answer: dict[str, Any], number: int, question: Question, view: View) -> Move:
    """The move in an answer. Raises BadAnswer."""
    if answer.get("ask") != number:
        raise BadAnswer(f"an answer to {shown(json.dumps(answer.get('ask')))}, where {number} was asked")
    fields = {name: value for name, value in answer.items() if name not in ("message", "ask")}
    for move in question.moves:
        if move_json(move) == fields:
            return move
    for pick in question.picks:
        if (picked := pick_of(fields, pick, question.seat)) is not None and view.allows(picked):
            return picked
    raise BadAnswer(f"this is not a legal move: {shown(json.dumps(fields, ensure_ascii=False))}")


def pick_of(fields: dict[str, Any], pick: Pick, seat: int) -> Move | None:
    """The choice of several tiles in an answer; None if it is another."""
    chosen = fields.get(pick.name)
    if not isinstance(chosen, str) or {**fields, pick.name: ""} != {
        "move": pick.does,
        **dict(pick.before),
        pick.name: "",
    }:
        return None
    tiles = chosen.split()
    if not pick.least <= len(tiles) <= pick.most or Counter(tiles) - Counter(pick.tiles):
        return None
    return pick.move(seat, tiles)


def shown(text: str) -> str:
    """The start of a program's output, short enough for a message and without terminal control characters."""
    clean = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: SHOWN + 1].strip())
    return clean if len(clean) <= SHOWN else clean[:SHOWN] + "..."
