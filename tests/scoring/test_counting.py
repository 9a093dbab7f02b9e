"""What the kernel counts and measures is what the walker says: the readings of riichi, one by one."""

import pytest
from budget import budget
from engines import score_by_kernel
from oracles.hands import cases

import tilewright
from tilewright.scoring.case import read_case

pytestmark = pytest.mark.long

INDICATORS = ("4m", "N", "9s", "P")
FLAGS: tuple[list[str], ...] = ([], ["riichi"], ["riichi", "ippatsu"])


@pytest.mark.parametrize("options", [{}, {"double_yakuman": True}, {"multiple_yakuman": False}])
def test_fresh_hands_are_scored_as_the_walker_does(options: dict[str, object]) -> None:
    rules = tilewright.load("riichi", {"red_fives": 0, **options})
    won = 0
    for number, case in enumerate(cases("zung_jung", budget(60), seed=11)):
        zones = {"dora_indicators": INDICATORS[number % 4], "ura_indicators": INDICATORS[number % 3]}
        hand = {key: case[key] for key in ("hand", "melds", "win_tile", "self_draw", "seat_wind") if key in case}
        flags = FLAGS[number % 3] if all(meld["concealed"] for meld in case.get("melds", ())) else []
        situation = read_case(rules.data, hand | {"zones": zones, "flags": flags, "round_wind": "E"})
        score = score_by_kernel(rules, situation)
        won += score is not None and score.win
    assert won > budget(25)


@pytest.mark.parametrize(
    ("meld", "closed", "form"),
    [(None, True, "seven_pairs"), ("2m 2m", True, "seven_pairs"), ("2m 2m", False, None), ("4m 4m", True, None)],
)
def test_different_pairs_also_lie_on_the_table(meld: str | None, closed: bool, form: str | None) -> None:
    rules = tilewright.load("riichi", {"red_fives": 0})
    hand = {"win_tile": "C", "self_draw": False, "seat_wind": "S"}
    hand |= {"hand": "44m77p88p99sEEC", "melds": [{"tiles": meld.split(), "concealed": closed}]} if meld else {}
    score = rules.score_case(hand if meld else hand | {"hand": "22m44m77p88p99sEEC"})
    assert (score.form if score.win else None) == form
    assert rules.score_case(hand | {"melds": [], "hand": "2222m77p88p99sEEC"}).win is False
