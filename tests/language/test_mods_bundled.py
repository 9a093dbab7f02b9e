"""The bundled mods: each does what it says, all that may go together do, and the page about them names them all."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from bundled_mods import DOCUMENTS, MODS, RULESETS, conflict, fitting, pairs_of, tables_of, together
from conftest import ROOT
from games import mostly_soaked
from rigged import drawn_out, found, play, rigged

from tilewright.base.problem import RulesetError
from tilewright.language.documents.mods import listed
from tilewright.play.match import Match
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.player import bot
from tilewright.tiles.notation import parse_tiles

pytestmark = pytest.mark.long

MOST_ANSWERS = 60  # of a game that only has to go well

WAITING = "46m 234p 567p 345s 99s"  # for 5m
THROWS = "5m 9s 11m 77s PP FF ES9p"
OTHERS = ("1p 22m 77m 66s 44s SS WN", "147m 147p 147s CNWE")
CARD_HANDS = (
    "B 1f 1g 222m 444m 66m 9p 1p",
    "BB 11m 33m 55m 77m 789p",
    "NN 99m CC FF PP 123s",
    "5p N 44p 55s 66s 44s 789s",
)


def gains(game: Match) -> tuple[Any, ...]:
    return game.results[-1].player_gains


def lying(game: Match) -> list[int]:
    """Every tile of the table, wherever it lies."""
    tiles: list[int] = []
    for zone, rows in game.zones.items():
        for row in rows:
            tiles += [tile for group in row for tile in group.tiles] if zone == "melds" else row
    return sorted(tiles)


# --- together


def play_some(ruleset: str, mods: Sequence[str]) -> None:
    """The beginning of a hand goes well."""
    rules = load(ruleset, {}, mods)
    assert set(mods) <= {*rules.data.mods}
    game = rules.game(7, hands=1)
    players = [bot("random", rules, number) for number in range(rules.data.seats.count)]
    while not game.over and game.answers < MOST_ANSWERS:
        seat = game.asked[0]
        game.answer(players[seat].choose(View(game, seat)))
        assert tuple(lying(game)) == rules.program.box, mods
    assert game.problems == () and sum(game.balances) == sum(game.before_hand), mods


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "mod"), [(one, mod) for one in RULESETS for mod in fitting(one)])
def test_every_mod_is_played(ruleset: str, mod: str) -> None:
    play_some(ruleset, [mod])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "mods"),
    mostly_soaked([(ruleset, tuple(mods)) for ruleset in RULESETS for mods in tables_of(ruleset)], together()),
    ids=lambda said: said if isinstance(said, str) else "+".join(said),
)
def test_mods_are_played_together(ruleset: str, mods: tuple[str, ...]) -> None:
    play_some(ruleset, mods)


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_two_mods_are_played(ruleset: str) -> None:
    for pair in pairs_of(ruleset):
        play_some(ruleset, pair)


def test_mods_that_conflict_are_refused() -> None:
    pairs = [pair for pair in combinations(MODS, 2) if conflict(*pair)]
    assert pairs
    for one, other in pairs:
        with pytest.raises(RulesetError) as error:
            load("american", {}, [one, other])
        assert "mods-conflict" in {problem.code for problem in error.value.problems}


# --- any game


def late_game(*mods: str, waiting: tuple[str, str] = (WAITING, OTHERS[0])) -> Match:
    """Cantonese when sixty tiles are left: East has 5m to throw, South waits for it and draws one next."""
    rules = load("cantonese", {}, ["no_flowers", *mods])
    game = rigged(rules, (THROWS, *waiting, OTHERS[1]), draws="9m 8m 9m 8m 9m 8m 1s 1s C 5m")
    return drawn_out(game, 59)


def test_without_a_mod_the_discarder_pays_double() -> None:
    assert gains(play(late_game(), "E discard 5m\nS win")) == (-2, 4, -1, -1)


def test_hot_wall() -> None:
    assert gains(play(late_game("hot_wall:hot_tiles=60"), "E discard 5m\nS win")) == (-4, 4, 0, 0)
    assert gains(play(late_game("hot_wall:hot_tiles=40"), "E discard 5m\nS win")) == (-2, 4, -1, -1)
    drawn = play(late_game("hot_wall:hot_tiles=60"), "E discard C\nS win")
    assert gains(drawn) == (-8, 24, -8, -8)


@pytest.mark.parametrize("waiting", ["5m 234p 567p 345s 888s", "55m 234p 567p 345s 99s"], ids=["a pair", "a pung"])
def test_a_tile_that_only_the_winning_hand_held_is_hot(waiting: str) -> None:
    gained = gains(play(late_game("hot_wall:hot_tiles=60", waiting=(waiting, OTHERS[0])), "E discard 5m\nS win"))
    assert gained == (-gained[1], gained[1], 0, 0)


def test_a_tile_is_hot_for_each_of_its_winners() -> None:
    waiting = ("5m 234p 567p 345s 888s", "5m 123p 678p 678s 222s")
    game = play(late_game("hot_wall:hot_tiles=60", "several_winners", waiting=waiting), "E discard 5m\nS win\nW win")
    assert len(game.results[-1].won) == 2
    assert gains(game)[3] == 0 and min(gains(game)[1:3]) > 0


def test_hot_wall_is_not_for_tiles_that_were_thrown_before() -> None:
    thrown = "WN 5m 1p 22m 77m 66s 44s S"
    rules = load("cantonese", {}, ["no_flowers", "hot_wall:hot_tiles=60"])
    game = rigged(rules, (THROWS, WAITING, thrown, OTHERS[1]), draws="9m 8m 9m 8m 9m 8m 1s 1s C")
    game = play(game, "E discard 9m\nS discard 8m\nW discard 5m")
    assert gains(play(drawn_out(game, 59), "E discard 5m\nS win")) == (-2, 4, -1, -1)


def test_cold_wall() -> None:
    game = play(late_game("cold_wall:cold_tiles=60"), "E discard 5m")
    assert (game.asked, game.tile is not None and game.program.code[game.tile]) == ((1,), "5m")  # it drew its own
    assert gains(play(game, "S win")) == (-8, 24, -8, -8)
    assert found(play(late_game("cold_wall:cold_tiles=40"), "E discard 5m"), 1, "win", "") is not None


def test_limit() -> None:
    assert gains(play(late_game("limit:most_paid=1"), "E discard 5m\nS win")) == (-1, 3, -1, -1)


def test_pie() -> None:
    rules = load("chinese_classical", {}, ["pie"])
    orphans = "19m 19p 19s ESWN CFP"
    game = rigged(rules, (THROWS, "147m 147p 147s CNWE", orphans, OTHERS[0]), draws="9m")
    assert gains(play(game, "E discard 9m\nW win")) == (-600, -600, 1800, -600)  # not 2000 and 1000


def test_several_winners() -> None:
    rules = load("cantonese", {}, ["several_winners"])
    punger = "55m 1p 22m 77m 66s 44s SS"
    game = rigged(rules, (THROWS, WAITING, punger, "46m 123p 678p 678s WW"), draws="C")
    play(game, "E discard 5m\nW pung\nS win\nN win")
    assert [won.seat for won in game.results[-1].won] == [1, 3]
    assert gains(game) == (-8, 6, -4, 6)


def test_losers_settle_once_however_many_win() -> None:
    rules = load("chinese_classical", {}, ["several_winners"])
    loser = "PPP 1p 22m 77m 66s 44s S"
    game = rigged(rules, ("5m 9s 11m 77s FF ESCN 9p", WAITING, loser, "46m 123p 678p 678s WW"), draws="8s")
    play(game, "E discard 5m\nS win\nN win")
    settled = [event.get("amount") for event in game.events if event.get("line") == "losers_settle"]
    assert settled == [(8 * 2 - 2) * 2]  # East has a pair of dragons, West a pung and a double


def test_open_hands() -> None:
    for mods, hidden in (([], True), (["open_hands"], False)):
        game = load("uzje", {}, mods).game(1)
        assert all((face is None) == hidden for face in View(game, 0).zone("hand", 1))


def test_futures() -> None:
    rules = load("zung_jung_plus", {}, ["futures"])
    game = rigged(rules, (THROWS, "147m 147p 147s CNWE", "55m 1p 22m 77m 66s 44s SS", WAITING), draws="C 8s 9s")
    play(game, "E discard 5m")
    assert game.asked == (2, 3)
    known = [View(game, seat).zone("wall")[:2] for seat in range(4)]
    assert known == [(None, None), (parse_tiles("8s", rules.data.tiles)[0], None), (None, None), (None, None)]


# --- the Chinese games


@pytest.mark.parametrize(
    ("ruleset", "tiles"),
    [("cantonese", 136), ("hong_kong", 136), ("chinese_classical", 136), ("zung_jung_plus", 136), ("uzje", 168)],
)
def test_no_flowers(ruleset: str, tiles: int) -> None:
    assert len(load(ruleset, {}, ["no_flowers"]).program.box) == tiles


def test_flowers_apart() -> None:
    hand = {"melds": ("234m",), "win": "5s", "seat_wind": "S", "discarder": "E"}
    for apart, bonus, wins in ((False, "2f2g", True), (True, "2f2g", False), (True, "", False)):
        score = load("hong_kong", {"flowers_apart": apart}).score("567p 789p 123m 5s", bonus=bonus, **hand)
        assert score.win == wins
    drawn = load("hong_kong", {"least_faan": 2, "flowers_apart": True}).score(
        "234m 567p 789p 123m 5s", win="5s", self_draw=True, bonus="2f", seat_wind="S"
    )
    assert drawn.win and drawn.values["faan"] == 4


@pytest.mark.parametrize(("ruleset", "worth"), [("cantonese", {"faan": 7}), ("chinese_classical", {"points": 22})])
def test_seven_pairs(ruleset: str, worth: dict[str, int]) -> None:
    hand = "22m 44m 77p 88p 99s EE C"
    score = load(ruleset, {}, ["seven_pairs"]).score(hand, win="C", self_draw=True, seat_wind="S", round_wind="S")
    assert score.win and {name: score.values[name] for name in worth} == worth
    assert not load(ruleset).score(hand, win="C").win


def test_minimum() -> None:
    chows = "123m 456m 789p 234s 5s"  # 14 points and two doubles
    for least, wins in (("56", True), ("58", False)):
        rules = load("chinese_classical", {}, [f"minimum:least_total={least}"])
        game = rigged(rules, (chows, *OTHERS, "258m 258p 258s CNEP"), draws="5s")
        assert (found(game, 0, "win", "") is not None) == wins
        assert [refusal.does for refusal in game.refusals(0)] == ([] if wins else ["win"])


# --- the game with a card


def card_game(*mods: str, draws: str = "") -> Match:
    """American mah jongg without a charleston; East's fourteenth tile is the first that is drawn."""
    return rigged(load("american", {}, ["no_charleston", *mods]), CARD_HANDS, draws=draws)


def test_zombie_blanks() -> None:
    game = card_game("zombie_blanks", draws="B 5p W S 8m")
    play(game, "E discard B")
    assert game.asked == (1,) and found(game, 1, "pung", "") is None  # South holds two more: it has drawn
    play(game, "S discard 5p\nW discard W\nN discard S\nE take_back B 5p@S")
    assert [game.program.code[tile] for tile in game.zones["discards"][1]] == ["B"]
    assert found(game, 0, "discard", "5p") is not None and View(game, 0).phase == "act"


def test_blanks_are_not_passed() -> None:
    game = rigged(load("american", {}, ["zombie_blanks"]), CARD_HANDS)
    assert all("B" not in pick.tiles for seat in game.asked for pick in game.question(seat).picks)


def test_tile_counts() -> None:
    rules = load("american", {}, ["tile_counts:joker_count=5,flower_copies=2"])
    tiles = rules.data.tiles.tiles
    assert len(rules.program.box) == 136 + 5 + 16
    assert [tile.copies for tile in tiles if tile.code in ("J", "1f", "4g")] == [2, 2, 5]


def test_no_charleston() -> None:
    game = load("american", {}, ["no_charleston"]).game(1)
    assert (game.asked, found(game, 0, "pass", "")) == ((0,), None)
    assert {move.does for move in game.legal_moves(0)} >= {"discard"}


def test_stacks() -> None:
    rules = load("american", {}, ["stacks"])
    game = rules.game(1)
    before = [list(row) for row in game.zones["stack_tiles"]]
    assert [len(row) for row in before] == [21] * 4
    given = [game.question(seat).picks[0].tiles[:3] for seat in range(4)]
    for seat in range(4):
        play(game, f"{game.program.names[seat]} answer {' '.join(given[seat])}")
    for seat in range(4):  # as many as were given, from the front; those given lie at the back
        stack = game.zones["stack_tiles"][seat]
        assert stack[:18] == before[seat][3:] and set(before[seat][:3]) <= set(game.zones["hand"][seat])
        assert sorted(game.program.code[tile] for tile in stack[18:]) == sorted(given[seat])
    players = [bot("random", rules, number) for number in range(4)]
    while game.zones["stack_tiles"][0]:
        seat = game.asked[0]
        game.answer(players[seat].choose(View(game, seat)))
    assert [len(row) for row in game.zones["hand"]] == [14, 13, 13, 13]
    assert game.size("wall", 0) == len(rules.program.box) - 53


# --- the page


def test_the_page_names_everything() -> None:
    page = (ROOT / "docs" / "rulesets.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for name in [*RULESETS, *MODS]:
        (row,) = (row for row in rows if row.startswith(f"| `{name}` |"))
        assert all(f"`{option}`" in row for option in options_of(name)), name
        assert all(f"`{item.text}`" in row for item in listed(DOCUMENTS[name], "conflicts")), name
    assert len(rows) == len(RULESETS) + len(MODS)


def options_of(name: str) -> set[str]:
    """The options of a ruleset with those of its bases, or of a mod."""
    found: dict[str, Any] = {}
    document = DOCUMENTS[name]
    chain = [document]
    while (base := chain[-1].get("extends")) is not None:
        chain.append(DOCUMENTS[base.text])
    for one in reversed(chain):
        options = one.get("options")
        found |= dict(options.items()) if options is not None else {}
    return {option for option, node in found.items() if getattr(node, "value", node) is not None}
