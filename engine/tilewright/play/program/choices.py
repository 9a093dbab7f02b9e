"""Choices: what a seat may do, as data: complete choices, described choices of several tiles, and refusals."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tilewright.play.model.moves import Move, Pick, Refusal
from tilewright.play.program.compiled import CompiledChoice, CompiledOffer

Letters = Mapping[str, Any]


@dataclass(slots=True)
class Option:
    """One complete choice: the move, the offer (None: an answer), the values of its words."""

    move: Move
    offering: CompiledOffer | None
    letters: Letters
    facts: Letters = field(default_factory=dict)


@dataclass(slots=True)
class OpenChoice:
    """A described choice: the pick, the tiles of the table behind its texts, and the other choices."""

    pick: Pick
    lying: tuple[int, ...]
    offering: CompiledOffer | None
    choosing: CompiledChoice
    letters: Letters


@dataclass(slots=True)
class Choices:
    """What a seat may do: options, described choices, and refusals, if wanted. `own`: offers of any one tile of the
    hand, each with its moves and their tiles: by far the most common choice, made an option when it is taken."""

    options: list[Option] = field(default_factory=list)
    picks: list[OpenChoice] = field(default_factory=list)
    refused: list[Refusal] | None = None
    own: list[tuple[CompiledOffer, list[tuple[Move, int]]]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.own or self.options or self.picks)

    def moves(self) -> list[Move]:
        """Every complete move."""
        return [option.move for option in self.options] + [move for _, tiles in self.own for move, _ in tiles]

    def offers(self) -> set[str]:
        """The offers among them."""
        own = {offering.offer.id for offering, tiles in self.own if tiles}
        return own | {one.move.does for one in self.options} | {one.pick.does for one in self.picks}

    def every(self) -> list[Option]:
        """Every complete choice."""
        return [
            *self.options,
            *(own_option(offering, move, tile) for offering, tiles in self.own for move, tile in tiles),
        ]

    def option(self, wanted: Move) -> Option | None:
        """The option of a listed move."""
        for offering, tiles in self.own:
            for move, tile in tiles:
                if move is wanted:
                    return own_option(offering, move, tile)
        for offering, tiles in self.own:
            for move, tile in tiles:
                if move == wanted:
                    return own_option(offering, move, tile)
        return next((option for option in self.options if option.move is wanted or option.move == wanted), None)

    def offerings(self) -> list[CompiledOffer | None]:
        """The offers with at least one choice."""
        return [
            *(offering for offering, _ in self.own),
            *(option.offering for option in self.options),
            *(opened.offering for opened in self.picks),
        ]


def own_option(offering: CompiledOffer, move: Move, tile: int) -> Option:
    """The option of one tile of the own hand."""
    letters = {offering.from_own_hand or "": (tile,)}
    return Option(move, offering, letters, letters)
