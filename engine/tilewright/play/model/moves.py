"""Moves: what a seat is asked, what it may answer, and why other answers are refused. Frozen data; knows no table.

What is chosen is text, the same for a log, a person and a bot of another program:

    tiles    codes with spaces, as `5m 5m J`; a tile for which more than one place is asked about has its place: `J@S`
    in that zone of seat S, `J@S.2` in its second meld group    its tiles, a wild one with what it stands for: `3m 4m
    5m`, `5m 5m J=5m` number   `2`        seat  `S`        suit  `circles`        flag  `yes`, `no`
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Text = Mapping[str, str]
Chosen = tuple[tuple[str, str], ...]  # (name of the choice, what is chosen), in the order of the offer
PASS = "pass"
ANSWER = "answer"  # what a seat does when a step, not a phase, asks it


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat (from the dealer) answers: an offer, `pass` or `answer`, with what it chooses."""

    seat: int
    does: str
    choice: Chosen = ()

    def chosen(self, name: str) -> str:
        """What is chosen under a name; empty if nothing is."""
        return dict(self.choice).get(name, "")


@dataclass(frozen=True, slots=True)
class Pick:
    """A choice of several tiles, described instead of listed: `least` to `most` of `tiles` (texts, identical ones as
    often as they are there) under `name`, after what is chosen `before`. `asks`: a condition applies to the whole
    choice."""

    does: str
    name: str
    least: int
    most: int
    tiles: tuple[str, ...]
    before: Chosen = ()
    asks: bool = False

    def numbers_of(self, move: Move) -> list[int] | None:
        """Which of the tiles a move chooses; None where it is no such choice."""
        if move.does != self.does or move.choice[:-1] != self.before or move.choice[-1:] == ():
            return None
        (name, text), found = move.choice[-1], list[int]()
        for tile in text.split() if name == self.name else [""]:
            free = (one for one, other in enumerate(self.tiles) if other == tile and one not in found)
            found.append(next(free, -1))
        return None if -1 in found else found

    def move(self, seat: int, tiles: "tuple[str, ...] | list[str]") -> Move:
        """The move that chooses these tiles."""
        order = {text: number for number, text in enumerate(self.tiles)}
        return Move(seat, self.does, (*self.before, (self.name, " ".join(sorted(tiles, key=lambda t: order[t])))))


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move that a player may expect but that is not allowed: the offer, the choice, and why not. Where several
    `choices` are refused for one reason, `choice` is empty."""

    does: str
    choice: Chosen
    reason: Text
    choices: tuple[Chosen, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """What a seat is asked. `name`: its name at the table; `moves`: every complete answer that is listed, with `pass`
    last if the seat may pass; `picks`: answers of several tiles."""

    seat: int
    phase: str
    name: Text
    moves: tuple[Move, ...]
    picks: tuple[Pick, ...] = ()

    def number_of(self, move: Move) -> int:
        """The number of an answer: its place among the listed moves; for a choice of several tiles, more. Raises
        ValueError for one that is neither."""
        if move in self.moves:
            return self.moves.index(move)
        for place, pick in enumerate(self.picks):
            if (chosen := pick.numbers_of(move)) is not None:
                return len(self.moves) + place + len(self.picks) * sum(1 << one for one in chosen)
        raise ValueError(f"{move} is no answer to {self}")

    def move_of(self, number: int) -> Move:
        """The answer of a number. Raises ValueError where there is none."""
        if 0 <= number < len(self.moves):
            return self.moves[number]
        if number < 0 or not self.picks:
            raise ValueError(f"no answer to {self} has the number {number}")
        chosen, place = divmod(number - len(self.moves), len(self.picks))
        pick = self.picks[place]
        return pick.move(self.seat, [tile for one, tile in enumerate(pick.tiles) if chosen >> one & 1])

    def __repr__(self) -> str:
        counts = f"{len(self.moves)} moves, {len(self.picks)} picks"
        offers = ", ".join(dict.fromkeys([*(one.does for one in self.picks), *(move.does for move in self.moves)]))
        return f"Question(seat={self.seat}, phase={self.phase!r}, {counts}: {offers})"


class IllegalMove(ValueError):
    """The seat may not make this move now; the message says why, `reason` in every language."""

    def __init__(self, message: str, reason: Text | None = None) -> None:
        self.reason: Text = reason or {"en": message}
        super().__init__(message)


def question_json(question: Question, allowed: Callable[[Pick], tuple[Sequence[Move], bool]]) -> dict[str, Any]:
    """A question as plain data; `allowed`: moves of a described choice, and whether those are all."""
    return {
        "phase": question.phase,
        "name": dict(question.name),
        "moves": [move_json(move) for move in question.moves],
        "picks": [
            {
                "move": pick.does,
                **dict(pick.before),
                "choose": pick.name,
                "least": pick.least,
                "most": pick.most,
                "tiles": list(pick.tiles),
                **(allowed_json(pick, *allowed(pick)) if pick.asks else {}),
            }
            for pick in question.picks
        ],
    }


def allowed_json(pick: Pick, moves: Sequence[Move], are_all: bool) -> dict[str, Any]:
    """What may be chosen if a condition applies to the tiles together; `more`: there may be others."""
    texts = [move.chosen(pick.name) for move in moves]
    return {"allowed": texts} if are_all else {"allowed": texts, "more": True}


def refusal_json(refusal: Refusal) -> dict[str, Any]:
    """A refusal as plain data; if several choices are refused for one reason, each of them."""
    found: dict[str, Any] = {"move": refusal.does, **dict(refusal.choice), "reason": dict(refusal.reason)}
    return found | ({"choices": [dict(choice) for choice in refusal.choices]} if len(refusal.choices) > 1 else {})


def move_json(move: Move) -> dict[str, str]:
    """A move as plain data."""
    return {"move": move.does, **dict(move.choice)}
