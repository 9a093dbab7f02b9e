"""The data of every hand of a simulation: one row, as JSON and as columns; and how often each offer was there for a
seat, and how often it was chosen.

Numbers are exact here (fractions); JSON has them as decimals. Knows no files and no players.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.match import Match
from tilewright.play.model import HandResult, Won
from tilewright.play.operations import AnswerWindow
from tilewright.scoring.score import Number, Score, json_number
from tilewright.tiles.notation import write_tile
from tilewright.tiles.tileset import Spelling, TileSet

NOWHERE = ("", 0)
Spots = Mapping[int, tuple[str, int]]  # tile -> its zone and the owner of that
Kind = Literal["self_draw", "discard", "robbed"]
KINDS: tuple[Kind, ...] = ("self_draw", "discard", "robbed")


@dataclass(frozen=True, slots=True)
class PatternRow:
    """A pattern of a winning hand: all that it is worth, and how often it counts."""

    id: str
    worth: Number
    times: Number


@dataclass(frozen=True, slots=True)
class OfferRow:
    """An offer: for how many questions of a seat it was there, and how many it answered with it."""

    id: str
    offered: int
    taken: int


@dataclass(frozen=True, slots=True)
class WinRow:
    """A win. `seat` counts from the dealer, `player` stays for the match; `discarder`: the player whose tile it was,
    one that was robbed too; `total` is in the ruleset's best measure, `values` has every measure."""

    player: int
    seat: int
    kind: Kind
    tile: str | None
    discarder: int | None
    total: Number
    values: Mapping[str, Number]
    form: str | None
    patterns: tuple[PatternRow, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "seat": self.seat,
            "kind": self.kind,
            "tile": self.tile,
            "discarder": self.discarder,
            "total": json_number(self.total),
            "values": {id: json_number(value) for id, value in self.values.items()},
            "form": self.form,
            "patterns": [
                {"id": p.id, "worth": json_number(p.worth), "times": json_number(p.times)} for p in self.patterns
            ],
        }


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand that was played, or a game that broke off (`error`). `hand` counts the hands of a game from 1; `ended`:
    the phase that led to the end; `seats`: the player in each seat, the dealer first; `gains` and `scores` (after the
    hand) by player; `draws`: tiles drawn; `decisions`: answers given; `last`: the last hand of this game;
    `problems`: what the table reported, as often as it did; `offers`: those that seats had."""

    game: int
    hand: int
    seed: int | None
    ended: str | None = None
    seats: tuple[int, ...] = ()
    winners: tuple[WinRow, ...] = ()
    gains: tuple[Number, ...] = ()
    scores: tuple[Number, ...] = ()
    draws: int = 0
    decisions: int = 0
    last: bool = True
    problems: tuple[str, ...] = ()
    error: str | None = None
    offers: tuple[OfferRow, ...] = ()

    def line(self) -> str:
        """The row as a line of JSON, without its end."""
        return json.dumps(self.as_json(), ensure_ascii=False)

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "hand": self.hand,
            "seed": self.seed,
            "ended": self.ended,
            "seats": list(self.seats),
            "winners": [win.as_json() for win in self.winners],
            "gains": [json_number(gain) for gain in self.gains],
            "scores": [json_number(score) for score in self.scores],
            "draws": self.draws,
            "decisions": self.decisions,
            "last": self.last,
            "problems": list(self.problems),
            "error": self.error,
            "offers": [{"id": one.id, "offered": one.offered, "taken": one.taken} for one in self.offers],
        }


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that broke off: its number, its seed and why."""

    game: int
    seed: int
    error: str


@dataclass(frozen=True, slots=True)
class GameRows:
    """The hands of a game in their order; `failure` where it broke off; its log where it is wanted."""

    hands: tuple[HandRow, ...]
    failure: Failure | None = None
    log: str | None = None


# --- of a table


def row_of(
    result: HandResult,
    number: int,
    seed: int | None,
    last: bool,
    spots: Spots,
    data: CompiledRuleset,
    spelling: Spelling | None = None,
    offers: tuple[OfferRow, ...] = (),
) -> HandRow:
    """The row of a hand that has ended; `spots`: where tiles lay at its end; `spelling`: of tiles, if not by code."""
    tiles = data.tiles if spelling is None else replace(data.tiles, spelling=spelling)
    return HandRow(
        number,
        result.hand,
        seed,
        result.ended,
        tuple(result.player(seat) for seat in range(len(result.scores))),
        tuple(win_of(won, result, kind_of(won, spots, data), tiles) for won in result.won),
        result.player_gains,
        result.scores,
        result.draws,
        result.answers,
        last,
        result.problems,
        offers=offers,
    )


def win_of(won: Won, result: HandResult, kind: Kind, tiles: TileSet) -> WinRow:
    """A winner of the hand."""
    situation, score = won.situation, won.score
    discarder = None if situation.discarder is None else result.player(situation.discarder)
    tile = None if situation.hand.win is None else write_tile(situation.hand.win, tiles)
    return WinRow(
        result.player(won.seat), won.seat, kind, tile, discarder, score.total, score.values, score.form, patterns(score)
    )


def kind_of(won: Won, spots: Spots, data: CompiledRuleset) -> Kind:
    """How it was won: a tile that still lies before another seat, and not where it may be claimed, was robbed."""
    if won.situation.self_draw or won.situation.discarder is None:
        return "self_draw"
    zone, owner = NOWHERE if won.tile is None else spots.get(won.tile, NOWHERE)
    return "discard" if not zone or owner == won.seat or data.zones[zone].claimable else "robbed"


def patterns(score: Score) -> tuple[PatternRow, ...]:
    return tuple(PatternRow(pattern.id, pattern.worth, pattern.times) for pattern in score.patterns)


class OfferCounts:
    """The counts of the hand that is played. An offer counts once for each seat that a question of a phase puts it to,
    however many tiles it may be made with, and even if another seat's better claim ends the question first."""

    def __init__(self) -> None:
        self.offered, self.taken = Counter[str](), Counter[str]()
        self.window: AnswerWindow | None = None

    def see(self, game: Match) -> None:
        """Count what seats are asked, once for each question."""
        window = game.window
        if window is None or window is self.window:
            return
        self.window = window
        if window.ask is None:
            for choices in window.choices.values():
                self.offered.update(choices.offers())

    def take(self, does: str) -> None:
        """Count a choice, of a question seen before."""
        if self.window is not None and self.window.ask is None and does in self.offered:
            self.taken[does] += 1

    def rows(self) -> tuple[OfferRow, ...]:
        """The counts so far, which begin again."""
        found = tuple(OfferRow(id, self.offered[id], self.taken[id]) for id in sorted(self.offered))
        self.offered, self.taken = Counter(), Counter()
        return found
