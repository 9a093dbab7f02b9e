"""Exchanges follow from the steps of a play, and a view names the one that asks."""

from pathlib import Path

import pytest

from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.bots.fast import FastBot
from tilewright.presentation.rules_data import about_json

WAYS = {
    "american": [("right", "across", "left"), ("left", "across", "right"), ("across",)],
    "sichuan": [(None,)],  # the way is rolled after the choice
    "riichi": [],
    "hong_kong": [],
}
NEIGHBOURS = """tilewright: 1
kind: mod
id: gifts
name: Gifts
about: Everybody gives two tiles to the right, then one to the player across.
for: [cantonese]
change:
  phases:
    deal: {then: gifts}
add:
  phases:
    gifts:
      do:
        - {ask: {who: everyone, secret: true, choose: {two: {tiles: 2, from: hand}}}}
        - {for: everyone, move: {tiles: two, from: hand, to: right(seat).hand}}
        - {ask: {who: everyone, secret: true, choose: {single: {tiles: 1, from: hand}}}}
        - {for: everyone, move: {tiles: single, from: hand, to: across(seat).hand}}
        - {ask: {who: everyone, choose: {kept: {tiles: 1, from: hand}}}}
      then: {new_turn: dealer}
"""


def ways(name: str, *mods: str) -> list[tuple[str | None, ...]]:
    """The ways of exchanges, those that are asked for together as one."""
    found: list[tuple[str, list[str | None]]] = []
    for one in about_json(load(name, mods=mods))["exchanges"]:
        if not found or found[-1][0] != one["round"]:
            found.append((one["round"], []))
        found[-1][1].append(one["way"])
    return [tuple(together) for _, together in found]


@pytest.mark.parametrize("ruleset", WAYS)
def test_exchanges_of_rulesets(ruleset: str) -> None:
    assert ways(ruleset) == WAYS[ruleset]


def test_a_mod_may_take_them_away_or_bring_others(tmp_path: Path) -> None:
    assert ways("american", "no_charleston") == []
    mod = tmp_path / "gifts.yaml"
    mod.write_text(NEIGHBOURS)
    assert ways("cantonese", str(mod)) == [("right", "across")]


def test_a_view_names_the_step_that_asks() -> None:
    rules = load("american")
    game, bot = rules.game(3), FastBot(rules, 0)
    known = [one["step"] for one in about_json(rules)["exchanges"]]
    seen: list[str] = []
    while game.window is None or game.window.ask is None or len(seen) < 5:
        asked = View(game, game.asked[0])
        if asked.step in known and asked.step not in seen:
            seen.append(asked.step)
        move = bot.choose(asked)
        step = asked.step
        game.answer(move)
        if step is not None and game.window is not None and game.asked and View(game, game.asked[0]).step == step:
            assert View(game, asked.seat).step == step  # it has answered, and the others have not
            assert View(game, asked.seat).question is None
        assert View(game, None).step is None
    assert seen[:4] == known[:4]
