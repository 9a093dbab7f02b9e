"""Pointing at the table, in a real browser: claims by a click on the tile or its key, passing by a click on the table
or its key, groups declared by key and long press, waits of a tile one points at; the hand looked at again; a seed."""

from functools import cache
from typing import Any

import pytest
from budget import budget
from test_web_table import AWAY, FRAME, INFO, TOUCH, WIDE, hand_of, opened, play_on, sit_down
from web_ahead import Following, may_claim, moves_of, sit_ahead
from web_client import FAST, PERSON, Table
from web_server import Server

from tilewright.play.model import move_json
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.player import BOTS as PLAYERS

CLAIMED = ".own .melds .meld"
MIDDLE = """() => {
  const { x, y, width } = document.querySelector('.felt-box').getBoundingClientRect();
  return [x + width / 2, y + 3];
}"""
SECOND_TAP_DISCARDS = """() => localStorage.setItem('tilewright.prefs', '{"confirm": true}')"""
ONE_WAY = """() => document.querySelectorAll('.offers .offer:enabled:not(.refused)').length === 1
  && document.querySelector('.offer.pass:enabled') && document.querySelector('.claimable')"""


def until_claim(page: Any) -> None:
    """A table at which a tile can be claimed in one way."""
    sit_ahead(page, "hong_kong", range(3, 9), in_one_way)
    page.wait_for_function(ONE_WAY)
    page.evaluate(FRAME)
    page.evaluate(FRAME)  # it is drawn, and listens


def in_one_way(table: Table) -> bool:
    return may_claim(table) and len(moves_of(table)) == 2


def test_a_claim_is_answered_on_the_felt(chromium: Any, web_server: Server) -> None:
    """By a click on the tile, or a key; by a click on the table, or a key; a long press leads to the offers."""
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        for key in ("", "w", " ", "Enter", "ArrowUp")[: budget(2)]:
            until_claim(page)
            page.keyboard.press(key) if key else page.click(".felt-box .tile.claimable")
            page.wait_for_selector(CLAIMED)
        for key in ("", "a", "ArrowLeft", "d", "ArrowRight")[: budget(2)]:
            until_claim(page)
            page.keyboard.press(key) if key else page.mouse.click(*page.evaluate(MIDDLE))
            page.wait_for_function("() => !document.querySelector('.offers .offer')")
            assert not page.query_selector(CLAIMED)
        until_claim(page)
        page.hover(".felt-box .tile.claimable")
        page.mouse.down()
        page.wait_for_selector(".offers .offer:focus")
        page.mouse.up()
        assert not page.query_selector(CLAIMED)
        page.keyboard.press("Enter")
        page.wait_for_selector(CLAIMED)


@pytest.mark.parametrize("key", ["s", None])
def test_a_drawn_win_is_declared_by_key_or_long_press(chromium: Any, web_server: Server, key: str | None) -> None:
    """With the seed of a game that the first player wins by its own draw."""
    seed, moves = drawn_win("cantonese")
    follow = Following(map(move_json, moves))
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        sit_ahead(page, "cantonese", [seed], lambda _: follow.left == 1, choose=follow, seats=[PERSON, *[FAST] * 3])
        page.wait_for_selector(".offer.wins:enabled")
        if key:
            page.keyboard.press(key)
        else:
            page.hover(".hand-tile >> nth=0")
            page.mouse.down()
        page.wait_for_selector(".settlement h2:has-text('You win')")


FOUR_ALIKE = """tilewright: 2
kind: mod
id: four_alike
name: Four alike
about: The dealer is dealt four tiles that are alike.
for: [cantonese]
insert:
  - after: phases.deal.do.hands
    do:
      - {for: everyone, move: {tiles: hand, from: hand, to: wall}}
      - {for: dealer, move: {count: 4, of: [2m], from: wall, to: hand}}
      - {for: dealer, move: {count: 9, from: wall, to: hand}}
      - {for: others, move: {count: 13, from: wall, to: hand}}
"""


@pytest.mark.parametrize("key", ["ArrowDown", None])
def test_a_kong_is_declared_by_key_or_long_press(chromium: Any, web_server: Server, key: str | None) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        sit_down(page, "cantonese", seed=3, mods=[{"text": FOUR_ALIKE}], options={"dead_wall": 0})
        page.wait_for_selector("[data-offer=kong]:enabled")
        if key:
            page.keyboard.press("Home")
            page.keyboard.press(key)
        else:
            page.hover(".hand-tile[data-code='2m'] >> nth=0")
            page.mouse.down()
        page.wait_for_selector(CLAIMED)
        page.mouse.up()


@cache
def drawn_win(name: str) -> tuple[int, list[Any]]:
    rules = load(name)
    for seed in range(71, 300):  # the first is one
        game, moves = rules.game(seed, hands=1), []
        bots = [PLAYERS["fast"](rules, seed) for _ in game.program.everyone]
        while not game.over:
            player = game.player(game.asked[0])
            move = bots[player].choose(View(game, game.asked[0]))
            moves += [move] if player == 0 else []
            game.answer(move)
        does = {move.does for move in moves}
        if does <= {"discard", "win", "pass"} and any(
            game.results[0].player(won.seat) == 0 and won.situation.self_draw for won in game.results[0].won
        ):
            return seed, moves
    raise AssertionError("nobody drew a win")


def test_a_tile_says_what_one_would_wait_for(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        sit_down(page, "cantonese", seed=3)
        page.wait_for_selector(".hand-tile[aria-disabled=false]")
        page.hover(".hand-tile >> nth=0")
        page.wait_for_selector(".question .outlook .wait .tile")
        page.mouse.move(5, 5)
        page.wait_for_selector(".outlook", state="detached")
        page.keyboard.press("End")
        page.wait_for_selector(".question .outlook")
        if not page.query_selector(".side"):
            page.keyboard.press("h")
        page.select_option(".side select", "off")
        page.wait_for_selector(".outlook", state="detached")


def test_a_tile_that_is_tapped_says_what_one_would_wait_for(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, **TOUCH):
        page.evaluate(SECOND_TAP_DISCARDS)
        page.reload()
        sit_down(page, "cantonese", seed=3)
        page.tap(".hand-tile[aria-disabled=false] >> nth=0")
        page.wait_for_selector(".hand-tile.selected")
        page.wait_for_selector(".outlook .wait .tile")


def test_the_hand_just_played_is_looked_at_again(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        sit_down(page, "cantonese", seed=3, hands=2)
        page.wait_for_selector(".hand-tile")
        first = hand_of(page)
        play_on(page, page.mouse.click)
        page.reload()  # the page keeps what it was told
        page.click("[data-do=replay]")
        page.wait_for_selector(".settlement .controls")
        assert int(page.get_attribute(".settlement .controls input", "max") or 0) > 10
        own = page.eval_on_selector_all(
            ".settlement .own-row .tile[data-code]", "all => all.map(one => one.dataset.code)"
        )
        assert sorted(own) == sorted(first)
        assert not page.query_selector(".settlement .other-hand .tile[data-code]")  # seen as it was seen
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.querySelector('.settlement .controls input').value === '1'")
        page.keyboard.press("Escape")
        page.wait_for_selector(".settlement .payments, .settlement .totals")
        page.keyboard.press("Enter")
        page.wait_for_selector(".settlement", state="detached")


def test_a_seed_is_typed_where_one_plays_alone(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, viewport=WIDE):
        page.click("[data-ruleset=cantonese] button:has-text('Set up')")
        page.click("summary:has-text('How it is played')")
        page.fill("label:has-text('Seed') input", "7")
        page.click(".setup button[type=submit]")
        page.wait_for_selector(".hand-tile")
        first = hand_of(page)
        info = page.evaluate(INFO, page.url.rpartition("/")[2])
        assert not info["fair"] and info["setup"]["claim_seconds"] is None
        sit_down(page, "cantonese", seed=7)
        page.wait_for_function("first => document.querySelectorAll('.hand-tile').length >= first", arg=len(first))
        assert sorted(hand_of(page)) == sorted(first)
        page.goto(web_server.url)
        page.click("[data-ruleset=cantonese] button:has-text('Set up')")
        page.select_option("label:has-text('Seat 2') select", "open")
        assert not page.query_selector("label:has-text('Seed')")
