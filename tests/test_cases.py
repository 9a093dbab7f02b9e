"""Cases: whatever is wrong with one is told in one clear sentence, and nothing that is told is passed over."""

from pathlib import Path
from typing import Any

import pytest

import tilewright
from tilewright.base import document as documents
from tilewright.scoring.case import CaseError, read_case
from tilewright.scoring.examples import check_case

HERE = Path(__file__).parent
RULES = tilewright.load(str(HERE / "drafts" / "riichi.yaml"))
HAND = {"hand": "234m 567p 88s 234s CC", "win_tile": "C", "seat_wind": "E"}
ERRORS: Any = documents.plain(documents.read(HERE / "data" / "case_errors.yaml"))


@pytest.mark.parametrize("wrong", ERRORS["wrong"], ids=lambda wrong: str(wrong["case"]))
def test_what_is_wrong_is_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(CaseError) as caught:
        RULES.score_case({**HAND, **wrong["case"]})
    problem = caught.value.problem
    assert (problem.code, problem.message[: len(wrong["message"])]) == (wrong["code"], wrong["message"])
    assert (problem.hint or "").startswith(wrong.get("hint", ""))
    assert "column" not in wrong or (problem.place and problem.place.column == wrong["column"])


def test_an_ignored_flag_says_nothing() -> None:
    rules = tilewright.load("zung_jung_plus")
    score = rules.score_case({**HAND, "flags": list(rules.data.scoring.ignores)})
    assert score.total == rules.score_case(HAND).total


def test_a_whole_wall_may_be_told() -> None:
    box = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] * 4
    assert len(read_case(RULES.data, {**HAND, "zones": {"wall": box}}).zones["wall"]) == 108


def test_a_meld_may_tell_who_fed_it() -> None:
    meld = {"tiles": "234s", "discarder": "N"}
    case = {"hand": "234m 567p 88s CC", "win_tile": "C", "seat_wind": "E", "melds": [meld]}
    assert [meld.discarder for meld in read_case(RULES.data, case).hand.melds] == [3]


def test_a_mark_of_a_number_may_be_a_fraction() -> None:
    score = RULES.score_case({**HAND, "self_draw": True, "marks": {"repeats": 2.5, "ready": True}})
    assert score.payments is not None
    assert sum(score.payments.values()) == 0


# --- what a failed case says


@pytest.mark.parametrize(
    ("case", "expect", "message", "hint"),
    [
        (
            {"hand": "123m 456m 789p 23s 55s", "win_tile": "9s"},
            {"total": 2, "patterns": ["chow_hand"], "payments": {"S": 4}},
            "this hand should win, but it is not a winning hand",
            "1 tile away from a winning form: 1s or 4s in place of 9s",
        ),
        (
            {"hand": "123m 456m 789p 234s 55s", "win_tile": "5s"},
            {"win": True, "total": 2},
            "this hand should win, but it is not a winning hand: it has 15 tiles, not 14 (1 too many)",
            None,
        ),
        (
            {"hand": "123m 456m 789p 2s", "win_tile": "5s"},
            {"total": 2},
            "this hand should win, but it is not a winning hand: it has 11 tiles, not 14 (3 too few)",
            None,
        ),
    ],
)
def test_a_hand_that_should_win_says_in_one_problem_why_not(
    case: dict[str, Any], expect: dict[str, Any], message: str, hint: str | None
) -> None:
    (problem,) = check_case(tilewright.load("cantonese"), case, expect, None)
    assert (problem.code, problem.message, problem.hint) == ("case-fails", message, hint)


def test_the_size_is_told_whatever_forms_there_are(tmp_path: Path) -> None:
    """A form that is a condition alone says no size; the others do."""
    path = tmp_path / "mine.yaml"
    path.write_text(
        "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: standard\n"
        "forms: {odd: {name: Odd, when: {only: [honours]}}}\npatterns: {one: {name: One, worth: 1}}\n"
        "scoring: {measures: {points: {}}, best: points}\n"
    )
    score = tilewright.load(path).score("123m 456m 789p 2s", win="5s")
    assert score.reason == "not a winning hand: it has 11 tiles, not 14 (3 too few)"


@pytest.mark.parametrize(
    ("payments", "agree"),
    [
        ({"S": 8, "W": -4, "E": -2, "N": -2}, True),
        ({"S": 8, "W": -4, "E": -2}, False),
        ({"S": 8, "W": -4, "E": -2, "N": -2, "X": 0}, False),
    ],
)
def test_payments_that_are_left_out_are_zero(payments: dict[str, int], agree: bool) -> None:
    case = {"hand": "123m 456m 789p 234s 5s", "win_tile": "5s", "seat_wind": "S", "discarder": "W"}
    rules = tilewright.load("cantonese")
    total = rules.score_case(case).payments
    assert total is not None and agree == (not list(check_case(rules, case, {"payments": payments}, None))), total
    riichi = {"hand": "22m 44m 77p 88p 99s EE C", "win_tile": "C", "seat_wind": "E", "discarder": "W"}
    assert not list(check_case(tilewright.load("riichi"), riichi, {"payments": {"E": 2400, "W": -2400}}, None))
