"""The end of a match under riichi: who leads among equal scores, what the leader gets, when the last dealer ends it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from commands import run

import tilewright
from tilewright.play import course
from tilewright.play.cases import begun
from tilewright.play.log import lines
from tilewright.play.match import Match
from tilewright.play.scene import TableScene
from tilewright.play.table import Table
from tilewright.play.view import View
from tilewright.players.programs import process
from tilewright.presentation.events import ranked_lines

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


def last_hand() -> Match:
    """A match that has ended with a drawn hand in which nobody paid."""
    hands = {"S": "1369m 2479p 19s SWC", "W": "1478m 2569p 39s WNF", "N": "1478m 2569p 39s WNF"}
    case = {
        "scores": {"E": 40000, "S": 20000, "W": 20000, "N": 20000},
        "round_wind": "S",
        "deals": 3,
        "start": "exhausted",
        "hand": "1388m 2469p 19s ESC",
        "others": {seat: {"hand": hand} for seat, hand in hands.items()},
        "marks": {"discarded": dict.fromkeys(("E", *hands), "8s")},
        "play": [{"say": "nothing"}],
    }
    return begun(tilewright.load("riichi"), case)


PLACED, FINAL = (35000, 5000, -15000, -25000), (75000, 25000, 5000, -5000)


def test_the_placement_is_no_payment_of_the_last_hand() -> None:
    game = last_hand()
    result, over = game.results[-1], game.events[-1]
    assert (result.player_gains, result.scores) == ((0, 0, 0, 0), (40000, 20000, 20000, 20000))
    of_seats = tuple(game.placement[game.player(seat)] for seat in range(4))
    assert of_seats == PLACED == tuple(final - 40000 + 20000 * (seat > 0) for seat, final in enumerate(FINAL))
    assert Table(game).placement == game.placement == View(game, 0).placement == tuple(over.get("placement"))
    assert over.get("scores") == [score + added for score, added in zip(result.scores, game.placement, strict=True)]
    assert tilewright.load("cantonese").game(1).placement == ()


def test_programs_are_told_the_final_scores_and_the_placement_apart() -> None:
    game = last_hand()
    told = process.over(View(game, 0))
    assert told == {"message": "over", "scores": list(game.scores), "placement": list(game.placement)}
    assert process.ended(game.results[-1], ["E", "S", "W", "N"])["gains"] == [0, 0, 0, 0]


def test_the_standing_at_the_end_shows_the_placement_apart(tmp_path: Path) -> None:
    game, file = last_hand(), tmp_path / "match.jsonl"
    names = [f"player {player}" for player in range(4)]
    first, *_ = ranked_lines(game.scores, names, game.placement)
    assert first.plain.split() == ["1", "player", "0", "40000", "+35000", "75000"]
    file.write_text("\n".join(lines(game)) + "\n", encoding="utf-8")
    shown = run("replay", str(file)).stdout
    assert re.search(r"over —\n +1 +1 +40000 +\+35000 +75000\n", shown)
    found = json.loads(run("replay", str(file), "--json").stdout)
    assert (found["scores"], found["placement"]) == (list(game.scores), list(game.placement))
    assert found["hands"][-1]["gains"] == [0, 0, 0, 0]
