"""Advice at a table: what a hand waits for, and where the rules bar it from winning on what others throw."""

from functools import cache
from typing import Any

import pytest
from rigged import play, rigged

import tilewright
from tilewright import Rules
from tilewright.play.view import View
from tilewright.players.player import bot
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.seat_advice import Advice, help_json

HANDS = ("123m456m789p22s67s", "19m258p147sESWFC", "19m258p147sESWFC", "19m258p147sESWFC")
FURITEN = "Furiten: a winning tile was discarded or passed"


@cache
def riichi() -> Rules:
    return tilewright.load("riichi")


def in_the_terminal(view: View) -> list[str]:
    names = RulesetNames(riichi().data)
    return [line.plain.strip() for line in Advice(riichi(), bot("fast", riichi(), 1), names).waits(view)]


@pytest.mark.parametrize(("thrown", "barred"), [("5s", [FURITEN]), ("P", [])])
def test_a_hand_is_told_that_it_may_not_win_on_what_others_throw(thrown: str, barred: list[str]) -> None:
    """It waits for 5s and 8s: with thirteen tiles, and before it discards the next one that it draws."""
    game = play(rigged(riichi(), HANDS, draws=f"{thrown} 3p 4p 3p N"), f"E discard {thrown}")
    line = f"Cannot win on a discard: {FURITEN}"
    waits = help_json(riichi(), "waits", View(game, 0))
    assert codes(waits["tiles"]) == ["5s", "8s"]
    assert [reason["en"] for reason in waits["barred"]] == barred
    assert in_the_terminal(View(game, 0)).count(line) == len(barred)

    game = play(game, "S discard 3p\nW discard 4p\nN discard 3p")
    waits = help_json(riichi(), "waits", View(game, 0))
    (ready,) = [one for one in waits["discards"] if one["code"] == "N"]
    assert codes(ready["waits"]) == ["5s", "8s"]
    assert [reason["en"] for reason in ready["barred"]] == barred
    assert waits["barred"] == []  # it waits for nothing with fourteen
    assert (line in in_the_terminal(View(game, 0))) == bool(barred)


def test_what_a_discard_ends_does_not_bar_after_it() -> None:
    """A tile that it waits for went by, and bars it until it throws its next tile."""
    game = rigged(riichi(), HANDS, draws="W")
    game.keep_mark("temporary_furiten", 0, True)
    view = View(game, 0)
    assert view.drawn is not None
    assert [reason["en"] for reason in view.claims_barred()] == [FURITEN]
    assert view.claims_barred(view.drawn) == ()


def test_a_red_five_is_seen_beside_its_plain_ones() -> None:
    game = rigged(riichi(), HANDS, draws="0p 3s 3s 3s N")
    game = play(game, "E discard 0p\nS discard 5p\nW discard 5p\nN discard 5p")
    waits = help_json(riichi(), "waits", View(game, 0))
    assert "N" in codes(waits["discards"])
    assert in_the_terminal(View(game, 0))


def test_a_discarded_tile_is_no_longer_to_be_drawn() -> None:
    """Discarding one of the tiles that the hand then waits for leaves one less."""
    game = rigged(riichi(), ("123m456m789p22s67s", *HANDS[1:]), draws="8s")
    ready = {one["code"]: one for one in help_json(riichi(), "waits", View(game, 0))["discards"] if "waits" in one}
    assert {code: len(one["waits"]) for code, one in ready.items()}.items() >= {"8s": 2, "1m": 3}.items()
    for one in ready.values():
        assert sum(wait["left"] for wait in one["waits"]) == sum(tile["left"] for tile in one["tiles"])


def test_waits_and_nearest_hands_agree_on_a_complete_hand() -> None:
    game = rigged(riichi(), HANDS, draws="8s")
    nearest = help_json(riichi(), "nearest", View(game, 0))["forms"][0]
    assert nearest["away"] == help_json(riichi(), "waits", View(game, 0))["away"] == 0
    assert nearest["discard"] is None


def codes(tiles: list[dict[str, Any]]) -> list[str]:
    return [tile["code"] for tile in tiles]
