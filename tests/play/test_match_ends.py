"""The end of a match under riichi: who leads among equal scores, what the leader gets, when the last dealer ends it."""

from typing import Any

import pytest

import tilewright
from tilewright.play.cases.check import begun
from tilewright.play.match import Match
from tilewright.play.scene.scene import TableScene
from tilewright.play.steps import course

READY, NOT_READY = "123456789m 11p 23s", "147m 258p 369s ESWN"
LAST = 7  # deals that have passed when the fourth player deals the last hand of two rounds


def at_the_deal(game: Match, deals: int, scores: tuple[int, ...], pot: int = 0) -> Match:
    """The game in the hand after so many deals have passed, with these scores of the players."""
    game.round, game.dealership, game.dealer = deals // 4, deals % 4, deals % 4
    game.balances = [*scores, pot]
    return game


def is_over(game: Match) -> bool:
    ends = game.program.play.match.ends
    assert ends is not None
    return bool(game.program.evaluator(ends)(TableScene(game, 0), {}))


def drawn_hand(hand: str, options: dict[str, Any]) -> Match:
    """A hand that ended without a winner, the dealer holding this."""
    rules = tilewright.load("riichi", options)
    others = {"S": {"hand": "147p 258s 369m SWNP"}, "W": {"hand": "147s 258m 369p WNPF"}}
    return begun(rules, {"start": "exhausted", "hand": hand, "others": others, "play": [{"say": "nothing"}]})


@pytest.mark.parametrize(
    ("scores", "places"),
    [
        ((25000, 25000, 25000, 25000), [1, 2, 3, 4]),
        ((20000, 30000, 20000, 30000), [3, 1, 4, 2]),
        ((10000, 20000, 30000, 40000), [4, 3, 2, 1]),
    ],
)
@pytest.mark.parametrize("deals", range(8))
def test_of_equal_scores_who_sat_first_at_the_start_is_ahead(
    scores: tuple[int, ...], places: list[int], deals: int
) -> None:
    game = at_the_deal(tilewright.load("riichi").game(1, hands=1), deals, scores)
    found = [TableScene(game, game.seat_of(player)).place for player in range(4)]
    assert found == places
    assert [player for _, player in sorted(zip(places, range(4), strict=True))] == game.ranking()


def test_sticks_left_over_go_to_the_leader_that_sat_first() -> None:
    """The third player deals, the fourth sits next; the first and the fourth have as much, and the second is out."""
    game = tilewright.load("riichi", {"nagashi_mangan": False}).game(1, hands=1)
    at_the_deal(game, 2, (40000, -1000, 20000, 40000), pot=1000)
    course.leave_for(game, "exhausted", 0)
    game.run()
    paid = [(dict(event.detail)["payments"], dict(event.detail)["to"]) for event in game.events if event.kind == "pay"]
    assert paid == [("leftover_sticks", game.program.names[2])]  # two seats after the dealer sits the first player


@pytest.mark.parametrize(
    ("scores", "over"),
    [
        ((35000, 20000, 10000, 35000), False),  # as much as the first player, who is ahead
        ((34900, 20000, 10100, 35000), True),
        ((20000, 35000, 10000, 35000), False),
        ((24000, 23900, 23100, 29000), False),  # leading below the target
    ],
)
@pytest.mark.parametrize("ending", ["won", "ready"])
def test_the_last_dealer_ends_the_match_when_leading(scores: tuple[int, ...], over: bool, ending: str) -> None:
    game = at_the_deal(drawn_hand(READY if ending == "ready" else NOT_READY, {}), LAST, scores)
    game.winners = (0,) if ending == "won" else ()
    assert is_over(game) == over


@pytest.mark.parametrize(
    ("options", "won", "ready"),
    [
        ({}, True, True),
        ({"tenpai_yame": False}, True, False),
        ({"agari_yame": False}, False, True),
        ({"agari_yame": False, "tenpai_yame": False}, False, False),
    ],
)
def test_ending_after_a_win_and_ending_when_ready_are_options(options: dict[str, Any], won: bool, ready: bool) -> None:
    game = at_the_deal(drawn_hand(READY, options), LAST, (20000, 20000, 20000, 40000))
    assert is_over(game) == ready
    game.winners = (0,)
    assert is_over(game) == won


@pytest.mark.parametrize(("hand", "over"), [(READY, False), (NOT_READY, True)])
def test_a_dealer_that_stays_and_does_not_lead_plays_on(hand: str, over: bool) -> None:
    """A hand without a winner: the dealer who is not ready passes the last deal, and somebody has the target."""
    game = at_the_deal(drawn_hand(hand, {}), LAST, (40000, 20000, 20000, 20000))
    assert is_over(game) == over


@pytest.mark.parametrize("preset", ["ema", "wrc"])
def test_presets_without_an_early_end(preset: str) -> None:
    rules = tilewright.load("riichi", mods=[preset])
    game = at_the_deal(rules.game(1, hands=1), LAST, (20000, 20000, 20000, 60000))
    game.winners = (0,)
    assert not is_over(game)
