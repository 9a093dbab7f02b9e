"""Moves: what a seat is asked, what it may answer, and why other answers are refused. Frozen data; knows no table.

What is chosen is text, the same for a log, a person and a bot of another program:

    tiles    codes with spaces, as `5m 5m J`; a tile for which more than one place is asked about has its place: `J@S`
    in that zone of seat S, `J@S.2` in its second meld group    its tiles, a wild one with what it stands for: `3m 4m
    5m`, `5m 5m J=5m` number   `2`        seat  `S`        suit  `circles`        flag  `yes`, `no`
"""

from collections.abc import Mapping
from dataclasses import dataclass

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

    def __repr__(self) -> str:
        counts = f"{len(self.moves)} moves, {len(self.picks)} picks"
        offers = ", ".join(dict.fromkeys([*(one.does for one in self.picks), *(move.does for move in self.moves)]))
        return f"Question(seat={self.seat}, phase={self.phase!r}, {counts}: {offers})"


class IllegalMove(ValueError):
    """The seat may not make this move now; the message says why, `reason` in every language."""

    def __init__(self, message: str, reason: Text | None = None) -> None:
        self.reason: Text = reason or {"en": message}
        super().__init__(message)
