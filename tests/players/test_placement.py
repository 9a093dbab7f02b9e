"""What the places at the end of a match make of the worth of hands; strong players count that in its last hand."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.play.placements import bonuses, hands_of, winning_dealer_stays
from tilewright.play.rules import load
from tilewright.players.bots.careful import StrongBot
from tilewright.players.bots.odds import EXPECTED, SHARE, Placement, loss_placed, worth_placed

RIICHI = Placement((35_000.0, 5_000.0, -15_000.0, -25_000.0), 8, True, 1.0, 3_200.0)
leads = st.tuples(*[st.integers(-60_000, 60_000)] * 3)
worths = st.integers(1, 50_000)


def worth(leads: tuple[float, ...], points: float) -> float:
    return worth_placed(RIICHI.known(leads), 0, points)


# --- what rules say


@pytest.mark.parametrize(
    ("id", "options", "places", "hands", "stays"),
    [
        ("riichi", {}, (35_000, 5_000, -15_000, -25_000), 8, True),
        ("riichi", {"length": "east"}, (35_000, 5_000, -15_000, -25_000), 4, True),
        ("sanma", {}, (25_000, -5_000, -20_000), 6, True),
        ("mcr", {}, (), 16, False),
        ("american", {}, (), 4, False),
    ],
)
def test_rules_say_it_before_a_match(
    id: str, options: dict[str, str], places: tuple[int, ...], hands: int, stays: bool
) -> None:
    program = load(id, options).program
    assert (bonuses(program), hands_of(program), winning_dealer_stays(program)) == (places, hands, stays)


def test_bonuses_are_in_points_at_the_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: riichi\n"
        "match: {exchange: (score - target) / 1000, placement: [30, 10, -10, -30]}\n",
        encoding="utf-8",
    )
    assert bonuses(load(str(path)).program) == (30_000, 10_000, -10_000, -30_000)


# --- what hands are worth then


def test_overtaking_is_worth_more_than_points() -> None:
    behind = (-5_000.0, 8_000.0, 9_000.0)
    assert worth(behind, 5_200) - worth(behind, 2_000) > 9_000
    assert worth(behind, 8_000) - worth(behind, 5_200) < 4_000  # overtaken already


def test_a_leader_wants_any_win() -> None:
    ahead = (2_000.0, 5_000.0, 9_000.0)
    assert worth(ahead, 1_000) > 3_000
    assert worth(ahead, 2_000) / worth(ahead, 1_000) < 1.5
    assert loss_placed(RIICHI.known(ahead), 0, 6_400.0) > 10_000


def test_the_last_wants_no_win_that_leaves_it_there() -> None:
    assert worth((-30_000.0, -20_000.0, -9_000.0), 1_000) < 1_000


def test_far_from_all_others_points_are_all_there_is() -> None:
    assert worth((50_000.0,) * 3, 3_900) == pytest.approx(3_900, abs=1)


@given(leads, worths, worths)
def test_more_is_never_worth_less(leads: tuple[int, ...], one: int, other: int) -> None:
    less, more = sorted((one, other))
    assert 0 <= worth(leads, less) <= worth(leads, more)


@given(leads)
def test_the_bonus_to_expect_is_between_those_of_the_places(leads: tuple[int, ...]) -> None:
    last, *_, first = sorted(SHARE * bonus for bonus in RIICHI.bonuses)
    assert last <= RIICHI.known(leads)[EXPECTED] <= first


@given(worths)
def test_where_places_do_not_count_worth_is_worth(points: int) -> None:
    assert worth_placed([0.0], 0, points) == loss_placed([0.0], 0, points) == points


# --- players

LAST = {"round_wind": "S", "deals": 3, "scores": {"E": 40_000, "S": 14_000, "W": 20_000, "N": 26_000}}


@pytest.mark.parametrize(
    ("id", "seat", "hands", "layout", "counts"),
    [
        ("riichi", 1, None, LAST, True),
        ("riichi", 0, None, LAST, False),  # the dealer, who deals again after a win
        ("riichi", 1, 1, LAST, False),  # single hands, whose scores stay as they are
        ("riichi", 1, None, LAST | {"deals": 2}, False),
        ("riichi", 1, None, LAST | {"round_wind": "W", "deals": 0}, True),  # an extra round
        ("cantonese", 1, None, {"round_wind": "N", "deals": 3}, False),
    ],
)
def test_strong_players_count_places_in_the_last_hand(
    id: str, seat: int, hands: int | None, layout: dict[str, Any], counts: bool
) -> None:
    rules = load(id)
    view = rules.table(1, hands=hands, layout=layout).view(seat)
    judge = StrongBot(rules, 1).judge(view)
    assert (judge.counted(8_000.0) != 8_000.0) == counts


def test_who_is_last_in_the_last_hand_plays_for_more() -> None:
    """Characters and a pair of winds are worth more than a quicker hand, but only there."""
    rules = load("riichi")
    hand = {"start": {"act": "S"}, "seat_wind": "S", "hand": "24466m 29p 134s SPEE"}
    for layout, discard in (({}, "S"), (LAST, "4s")):
        view = rules.table(1, layout=layout | hand).view(1)
        assert StrongBot(rules, 1).choose(view).chosen("tile") == discard
