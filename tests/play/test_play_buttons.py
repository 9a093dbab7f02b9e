"""Buttons: what those that are pressed answer for a player, and what they leave to it."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from games import MOSTLY_SOAKED

import tilewright
from tilewright.base import document as documents
from tilewright.play.cases import begun, make, read_turn
from tilewright.play.match import Match
from tilewright.play.model import Move
from tilewright.play.rules import Rules

HERE = Path(__file__).parents[1]
DATA: Any = documents.plain(documents.read(HERE / "data" / "buttons.yaml"))
TABLES: Any = DATA["tables"]


@cache
def rules_of(name: str) -> Rules:
    return tilewright.load(name)


def laid_out(rules: Rules, table: dict[str, Any]) -> Match:
    game = begun(rules, table)
    for entry in table["play"]:
        make(game, read_turn(rules, entry))
    return game


def written(game: Match, move: Move | None) -> str | None:
    """An answer as the data says it, with the tile drawn last as `drawn` where that is the choice."""
    return None if move is None else " ".join([move.does, *(part for pair in move.choice for part in pair)])


@pytest.mark.parametrize(
    ("number", "asked"), [(number, asked) for number, table in enumerate(TABLES) for asked in table["asked"]], ids=str
)
def test_what_the_pressed_buttons_answer(number: int, asked: dict[str, Any]) -> None:
    rules = rules_of(TABLES[number].get("rules", "cantonese"))
    game = laid_out(rules, TABLES[number]["table"])
    who, pressed = next(iter(asked.items()))
    seat = rules.program.names.index(who)
    wanted = asked["answer"]
    if wanted and "drawn" in wanted:
        tile = game.drawn[seat]
        assert tile is not None
        wanted = wanted.replace("drawn", rules.program.code[tile])
    move = game.answer_by(seat, frozenset(pressed))
    assert written(game, move) == wanted
    assert move is None or game.allows(move)


@pytest.mark.long
@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_buttons_answer_what_is_legal_and_only_those_who_are_asked(name: str) -> None:
    rules, lots = rules_of(name), random.Random(5)
    ids = [button.id for button in rules.program.play.buttons]
    for seed in range(3):
        game = rules.game(seed, hands=1)
        while not game.over:
            pressed = frozenset(id for id in ids if lots.random() < 0.5)
            for seat in rules.program.everyone:
                move = game.answer_by(seat, pressed)
                assert move is None or (seat in game.asked and game.allows(move))
            seat = game.asked[0]
            game.answer(game.answer_by(seat, pressed) or lots.choice(game.legal_moves(seat)))


def test_unknown_buttons_and_tables_that_are_over_answer_nothing() -> None:
    rules = rules_of("cantonese")
    table = rules.table(seed=1, hands=1)
    assert table.answer_by("E", {"no_such_button"}) is None
    while not table.over:
        move = table.answer_by(table.asked[0], {"drawn", "skip_calls", "win"})
        table = table.push(move or table.legal_moves()[-1])
    assert table.answer_by("E", {"drawn"}) is None
