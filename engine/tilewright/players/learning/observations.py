"""Observations: a view as a row of numbers, in fields that follow from the ruleset.

Everything is read off a `View`, so nothing is in it that the seat may not see. Seats are counted from the own one in
the order of their places: the own seat is row 0, the one after it row 1. Tiles are counted by face, with the numbers
that faces have in the rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.language.compiled.play import StepQuestion
from tilewright.language.compiled.ruleset import Mark
from tilewright.language.expressions.scope import DIRECTIONS
from tilewright.play.match import Match
from tilewright.play.view import HAND_STATES, View
from tilewright.players.learning.actions import Actions, questions, steps_of
from tilewright.players.learning.kernel.layout import DISCARD_NUMBERS, LATEST, MOST_DISCARDS

MELDS = "melds"


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an observation: numbers `start` to `stop`, in rows of this shape. `about`: what they mean."""

    name: str
    start: int
    shape: tuple[int, ...]
    about: str

    @property
    def stop(self) -> int:
        return self.start + prod(self.shape)

    def of(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """This field of one observation or of many, in its shape."""
        return observations[..., self.start : self.stop].reshape(*observations.shape[:-1], *self.shape)


class Observations:
    """The observations of a ruleset. `fields`: by name, in order; `size`: how many numbers one has."""

    def __init__(self, actions: Actions) -> None:
        self.actions, self.program = actions, actions.program
        data, play = self.program.data, self.program.play
        self.count, self.tiles = self.program.count, len(data.tiles.tiles)
        self.phases = {phase: number for number, phase in enumerate(play.phases)}
        self.asks = {key_of(ask): number for number, ask in reversed([*enumerate(questions([*steps_of(play)]))])}
        self.suits = {suit.id: number for number, suit in enumerate(data.tiles.suits)}
        self.ways = {way: number for number, way in enumerate(DIRECTIONS)}
        self.rounds = max(1, len(play.match.rounds))
        self.most_discards = min(len(self.program.box), MOST_DISCARDS)
        self.fields: dict[str, Field] = {}
        self.size = 0
        for name, shape, about in self.described():
            self.fields[name] = Field(name, self.size, shape, about)
            self.size += prod(shape)
        self.starts = {name: field.start for name, field in self.fields.items()}

    # --- the fields

    def described(self) -> Iterator[tuple[str, tuple[int, ...], str]]:
        """Every field: its name, its shape, what it means."""
        data, count, tiles = self.program.data, self.count, self.tiles
        for zone in data.zones.values():
            rows = count if zone.of == "seat" else 1
            whose = "of each seat" if zone.of == "seat" else "of the table"
            yield f"zone:{zone.id}", (rows, tiles + 1), f"tiles {whose} by face; last those that are hidden"
            if zone.claimable:
                about = f"the last {LATEST} tiles {whose}, the latest first; one of each row is 1"
                yield f"latest:{zone.id}", (rows, LATEST, tiles), about
        yield "groups", (count, 2), "groups on the table of each seat: exposed, concealed"
        if (hands := self.program.hands) > 1:
            about = "tiles of the melds of each hand of each seat by face; last those that are hidden"
            yield "hand_melds", (count, hands, tiles + 1), about
            about = "what each hand of each seat is: " + ", ".join(HAND_STATES)
            yield "hand_states", (count, hands, len(HAND_STATES)), about
        yield "tile", (tiles,), "the tile in question"
        yield "drawn", (tiles,), "the tile that the seat drew last, while it holds it"
        yield "discarder", (count,), "who discarded the tile in question"
        yield "turn", (count,), "whose turn it is"
        yield "place", (count,), "how many seats the own one is after the dealer"
        yield "playing", (count,), "seats that are still in this hand"
        yield "winners", (count,), "seats that have won this hand"
        yield "round", (self.rounds,), "which round it is"
        yield "scores", (count,), "the points of each seat"
        yield "pot", (1,), "the points in the pot"
        for mark in data.marks.values():
            rows = count if mark.of == "seat" else 1
            shape, about = self.of_mark(mark)
            yield f"mark:{mark.id}", (rows, *shape), f"{about}; all 0: not set, or hidden from the seat"
        yield "phase", (len(self.phases),), "the phase: " + ", ".join(self.phases)
        yield "asks", (len(self.asks),), "the question of a step: " + ", ".join(key[0] for key in self.asks)
        yield "asked", (1,), "whether the seat is asked now"
        yield "begun", (len(self.actions),), "the actions of the move that has begun"
        about = "the discards of the hand in their order; of each its face, counted from 1 (one more than there "
        about += "are: hidden), how many seats after the own one it was discarded, whether it had just been drawn, was "
        yield (
            "discards",
            (self.most_discards, DISCARD_NUMBERS),
            about + "turned, was claimed; all 0: there were not so many",
        )

    def of_mark(self, mark: Mark) -> tuple[tuple[int, ...], str]:
        """The shape of a value of a mark, and what it means."""
        match mark.type:
            case "number":
                return (1,), "its value"
            case "seat" | "seats":
                return (self.count,), "these seats"
            case "suit":
                return (len(self.suits),), "this suit"
            case "direction":
                return (len(self.ways),), "this direction: " + ", ".join(self.ways)
            case "tile" | "tiles":
                return (self.tiles,), "these tiles"
        return (1,), "whether it holds"

    # --- an observation

    def write(self, game: Match, seat: int, begun: Sequence[int], row: NDArray[np.float32]) -> None:
        """Write what a seat sees into a row of `size` numbers. `begun`: the actions of the move that it has begun."""
        view, ones, values = View(game, seat), list[int](), list[tuple[int, float]]()
        self.see_tiles(view, ones)
        self.see_course(view, ones, values)
        if self.program.hands > 1:
            self.see_hands(view, ones)
        for name in self.program.data.marks:
            self.see_mark(view, name, ones, values)
        at = self.starts["begun"]
        ones += [at + action for action in begun]
        values += self.see_discards(view)
        row[:] = np.bincount(ones, minlength=self.size)
        for number, value in values:
            row[number] += value

    def see_tiles(self, view: View, ones: list[int]) -> None:
        """The tiles of every zone, and those that are told one by one."""
        seat, tiles, starts = view.seat or 0, self.tiles, self.starts
        for zone in self.program.data.zones.values():
            rows = self.count if zone.of == "seat" else 1
            at = starts[f"zone:{zone.id}"]
            latest = starts[f"latest:{zone.id}"] if zone.claimable else 0
            for row in range(rows):
                owner = (seat + row) % self.count if rows > 1 else 0
                seen = self.see_groups(view, owner, row, ones) if zone.id == MELDS else view.zone(zone.id, owner)
                ones += [at + (tiles if face is None else face) for face in seen]
                at += tiles + 1
                if latest:
                    told = enumerate(seen[: -LATEST - 1 : -1])
                    ones += [latest + back * tiles + face for back, face in told if face is not None]
                    latest += LATEST * tiles
        for name, face in (("tile", view.tile), ("drawn", view.drawn)):
            if face is not None:
                ones.append(starts[name] + face)

    def see_groups(self, view: View, owner: int, row: int, ones: list[int]) -> list[int | None]:
        """The groups of a seat on the table. Returns their tiles."""
        groups, at = view.melds(owner), self.starts["groups"] + 2 * row
        ones += [at if group.exposed else at + 1 for group in groups]
        return [face for group in groups for face in group.tiles]

    def see_hands(self, view: View, ones: list[int]) -> None:
        """The hands of seats that make several: the melds of each, and what it is."""
        seat, hands, width = view.seat or 0, self.program.hands, self.tiles + 1
        for away in range(self.count):
            owner, first = (seat + away) % self.count, away * hands
            for meld in view.melds(owner):
                if 1 <= meld.hand <= hands:  # rules may name another
                    at = self.starts["hand_melds"] + (first + meld.hand - 1) * width
                    ones += [at + (self.tiles if face is None else face) for face in meld.tiles]
            states = enumerate(view.hand_states(owner), first)
            at = self.starts["hand_states"]
            ones += [at + len(HAND_STATES) * row + HAND_STATES.index(state) for row, state in states]

    def see_discards(self, view: View) -> Iterator[tuple[int, float]]:
        """How tiles were discarded, in order."""
        seat, at = view.seat or 0, self.starts["discards"]
        for one in view.discards[-self.most_discards :]:
            face = self.tiles if one.tile is None else one.tile
            told = face + 1, (one.seat - seat) % self.count, one.just_drawn, one.sideways, one.lies is None
            yield from enumerate(map(float, told), at)
            at += DISCARD_NUMBERS

    def see_course(self, view: View, ones: list[int], values: list[tuple[int, float]]) -> None:
        """Seats, scores, and what is asked."""
        seat, starts, count = view.seat or 0, self.starts, self.count
        if view.discarder is not None:
            ones.append(starts["discarder"] + (view.discarder - seat) % count)
        ones.append(starts["turn"] + (view.turn - seat) % count)
        ones.append(starts["place"] + seat)
        ones += [starts["playing"] + (other - seat) % count for other in view.playing]
        ones += [starts["winners"] + (other - seat) % count for other in view.winners]
        ones.append(starts["round"] + min(view.round_number, self.rounds) - 1)
        scores = view.scores
        values += [(starts["scores"] + away, float(scores[(seat + away) % count])) for away in range(count)]
        values.append((starts["pot"], float(view.pot)))
        if view.phase in self.phases:
            ones.append(starts["phase"] + self.phases[view.phase])
        ask = view.ask
        if ask is not None:
            ones.append(starts["asks"] + self.asks[key_of(ask)])
        if view.is_asked:
            ones.append(starts["asked"])

    def see_mark(self, view: View, name: str, ones: list[int], values: list[tuple[int, float]]) -> None:
        """The values of a mark that the seat sees."""
        mark, seat, at = self.program.data.marks[name], view.seat or 0, self.starts[f"mark:{name}"]
        width = prod(self.fields[f"mark:{name}"].shape[1:])
        for away in range(self.count if mark.of == "seat" else 1):
            value: Any = view.mark(name, (seat + away) % self.count if mark.of == "seat" else 0)
            if not value:  # not set, or hidden
                continue
            start = at + away * width
            match value:
                case True:
                    ones.append(start)
                case int() | Fraction():
                    values.append((start, float(value)))
                case str():
                    ones.append(start + (self.suits if mark.type == "suit" else self.ways)[value])
                case _ if mark.type in ("seat", "seats"):
                    ones += [start + (other - seat) % self.count for other in value if other < self.count]
                case _:
                    ones += [start + self.program.face[tile] for tile in value]


def key_of(ask: StepQuestion) -> tuple[str, ...]:
    """What tells a question of a step from others: its name and what is chosen."""
    name = ask.name.get("en") or next(iter(ask.name.values()), "")
    return name, *(one.name for one in ask.choose)
