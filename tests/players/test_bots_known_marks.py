"""Bots learn from the ruleset what the table tells: dora, being ready, barred wins, minimums, tiles set aside."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from rigged import play, rigged

import tilewright
from tilewright.hands.reading import Meld
from tilewright.play.match import Match
from tilewright.play.model import PASS, Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.careful import CarefulJudge, model_of
from tilewright.players.bots.danger import Danger
from tilewright.players.bots.effects import effects_of
from tilewright.players.bots.position import Unchanged
from tilewright.players.bots.worth import KnownMarks
from tilewright.players.player import bot
from tilewright.tiles.notation import parse_tiles

ASIDE = """
tilewright: 1
kind: ruleset
id: aside
name: Aside
extends: riichi
phases:
  act: {offers: [win, put_aside, discard]}
offers:
  put_aside:
    name: Put aside
    choose: {tile: {tiles: 1, from: hand, of: [N]}}
    do:
      - {move: {tiles: tile, from: hand, to: bonus}}
      - {replacement: {}}
    then: act
"""
JUNK = "159m258p369sESWP"
REST = ("147m369p258sEFCC", "258m147p369sWFPF")


@cache
def riichi() -> Rules:
    return tilewright.load("riichi")


def face(text: str) -> int:
    return parse_tiles(text, riichi().data.tiles)[0]


def judge_of(game: Match, seat: int = 0) -> CarefulJudge:
    model = model_of(Unchanged(game.program.rules))
    return CarefulJudge(model, View(game, seat), 1, model.careful)  # type: ignore[arg-type]


# --- tiles that are set aside


@pytest.fixture
def aside(tmp_path: Path) -> Iterator[Rules]:
    path = tmp_path / "aside.yaml"
    path.write_text(ASIDE, encoding="utf-8")
    yield tilewright.load(str(path))


@pytest.mark.long
@pytest.mark.parametrize("name", ["fast", "careful"])
def test_a_tile_is_set_aside_where_the_hand_does_without_it(aside: Rules, name: str) -> None:
    assert effects_of(aside.data)["put_aside"].sets_aside == "tile"
    spare, needed = ("123456m78p99sFFF", "N"), ("123456m789p34sNN", "W")
    for (hand, drawn), wanted in ((spare, "put_aside"), (needed, "discard")):
        game = rigged(aside, (hand, JUNK, "147m369p258sECCC", "258m147p369sWPPP"), draws=drawn)
        assert bot(name, aside, 1).choose(View(game, 0)).does == wanted


# --- what a hand is worth here


def test_what_lies_open_makes_a_hand_worth_more() -> None:
    """With an indicator for a tile of the hand the same hand promises more."""
    game = rigged(riichi(), ("123456m46p78s99sP", JUNK, *REST), draws="W")
    judge = judge_of(game)
    position = judge.model.reader.position(judge.view).without(face("W"))
    zones = dict(judge.place.zones)
    assert zones["ura_indicators"] == () and len(zones["dora_indicators"]) == 1
    promises = {}
    for shown in ("3p", "N"):  # dora: 4p, or east
        there = judge_of(game)
        given = tuple((name, (face(shown),) if name == "dora_indicators" else ()) for name in zones)
        there.place = type(judge.place)(0, judge.place.round_wind, zones=given)
        promises[shown] = there.rank(position)
    assert promises["3p"] > 1.2 * promises["N"]


def test_of_two_fives_the_red_one_stays() -> None:
    game = rigged(riichi(), ("1236m4605p78s99sP", JUNK.replace("5p", "7p"), *REST), draws="W")
    judge = judge_of(game)
    position = judge.model.reader.position(judge.view)
    hope = judge.hopes(position)[0]
    assert judge.worth_without(hope, face("0p"), position) < judge.worth_without(hope, face("5p"), position)


# --- declaring ready


@pytest.mark.parametrize(("hand", "does"), [("234567m45p678s99s", "riichi"), ("19m19p19sESWNPFC", "discard")])
def test_ready_is_declared_where_it_makes_the_hand_worth_more(hand: str, does: str) -> None:
    game = rigged(riichi(), (hand, JUNK, *REST), draws="2p")
    assert any(move.does == "riichi" for move in View(game, 0).legal_moves)
    assert bot("careful", riichi(), 1).choose(View(game, 0)).does == does


READY = ("234567m345p67s99p", "159m258p147sPFCC", "1379m1379p138sNN", "147m369p258sEESW")


def test_who_declared_ready_waits_and_not_for_what_it_has_thrown() -> None:
    game = play(rigged(riichi(), READY, draws="W F"), "E riichi\nE discard W\nS discard F")
    view = View(game, 1)
    judge = judge_of(game, 1)
    danger = Danger(judge.model.uses, view, judge.model.reader.position(view), judge.weights)
    assert judge.clock.threat and danger.ready[0] == 1.0 > danger.ready[2]
    assert danger.hit(0, face("W")) == 0.0 < danger.hit(2, face("W"))


def test_a_hand_that_is_far_gives_up_where_a_seat_has_told_that_it_waits() -> None:
    """The pair of west winds goes then, which nobody can win with."""
    hands = (READY[0], "1379m13p1389sPWWN", *READY[2:])
    for first, thrown in (("E riichi\nE discard W", {"W"}), ("E discard W", {"P", "N"})):
        game = play(rigged(riichi(), hands, draws="W 6p"), f"{first}\nS pass")
        assert bot("careful", riichi(), 1).choose(View(game, 1)).chosen("tile") in thrown
        judge = judge_of(game, 1)
        hopes = judge.hopes(judge.model.reader.position(judge.view))
        assert (judge.dangers(hopes) > 2) == ("riichi" in first)


def test_a_claim_costs_what_only_a_closed_hand_may_declare() -> None:
    game = rigged(riichi(), READY, draws="W")
    marks, melds = judge_of(game).model.known_marks, (Meld(0, (), True),)
    assert marks.costs_by_claims(()) and not marks.costs_by_claims(melds)
    assert not KnownMarks(tilewright.load("cantonese")).costs_by_claims(())


def test_a_wait_that_is_barred_is_known() -> None:
    """The seat threw 5s, and waits for 5s and 8s."""
    game = rigged(riichi(), READY, draws="5s")
    judge = judge_of(game)
    position = judge.model.reader.position(judge.view)
    waits = [(face("5s"), 1), (face("8s"), 1)]
    assert judge.is_barred(position.without(face("5s")), waits)
    game = play(game, "E discard 5s")
    while game.asked[0] != 0 or View(game, 0).drawn is None:
        view = View(game, game.asked[0])
        does = PASS if any(move.does == PASS for move in view.legal_moves) else "discard"
        game.answer(next(move for move in view.legal_moves if move.does == does))
    view = View(game, 0)
    drawn = view.drawn
    assert drawn is not None
    assert view.claims_barred(drawn)
    assert not View(game, 1).claims_barred()


# --- claims


@pytest.mark.parametrize("name", ["fast", "careful"])
@pytest.mark.parametrize(
    ("hand", "thrown", "does"),
    [("12m789p456s22p68sE", "3m", PASS), ("12m789p456s22pPP4m", "P", "pung")],
)
def test_no_claim_leaves_a_hand_that_may_never_win(name: str, hand: str, thrown: str, does: str) -> None:
    game = rigged(riichi(), ("19m258p147sESWFC", hand, *REST), draws=thrown)
    game = play(game, f"E discard {thrown}")
    answer: Move = bot(name, riichi(), 1).choose(View(game, 1))
    assert answer.does == does
