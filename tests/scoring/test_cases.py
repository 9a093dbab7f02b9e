"""Cases: whatever is wrong with one is told in one clear sentence, and nothing that is told is passed over."""

from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright
from tilewright.base import document as documents
from tilewright.scoring.case import read_case
from tilewright.scoring.case_hands import KNOWN
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.examples import check_case

HERE = Path(__file__).parents[1]
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
    score = rules.score_case({**HAND, "flags": list(rules.data.scoring.ignored_flags)})
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


# --- what was read before

# Right and wrong values, some of which Python holds to be equal to others.
TILES = [
    "234m 567p 88s 234s CC",
    ["2m", "3m", "4m"],
    ("8s", "8s", "C"),
    "",
    None,
    "11111m",
    "234m 5x",
    5,
    ["CC"],
    b"CC",
]
MELDS = [
    *("444p", "concealed 4444p", "CCC", "124m", "", 5, {}, {"tiles": "444p", "open": True}),
    *({"tiles": "444p", "concealed": value} for value in (True, False, 1, 0, None)),
    *({"tiles": ["C"] * 3, "kind": kind} for kind in (None, "triplet", "ankan", "tripelt", [])),
    *({"tiles": "234s", "discarder": seat} for seat in ("N", "3", 3, True, 3.0, "Q")),
]
SEATS = ["E", "S", "Q", 1, 2, 9, True, 1.0, None, []]
TRUTHS = [True, False, 1, 0, 1.0, None]
FLAGS = [
    [],
    ["ready"],
    ("ready",),
    {"ready"},
    "ready",
    ["raedy"],
    [5],
    None,
    {},
    array("u", "ab"),
    b"ab",
    [[["ready"]]],
]
MARKS = [{}, {"ready": True}, {"ready": 1}, {"repeats": 1}, {"repeats": 1.5}, {"repeats": True}, {"liable": "S"}, [1]]
ZONES = [{}, {"wall": "12m"}, {"wall": ["1m", "2m"]}, {"wall": array("u", "CC")}, {"wall": b"CC"}, {"walls": "1m"}, [5]]
OTHERS = [{}, {"S": {"hand": "CC"}}, {"S": {"hand": "123m", "flags": ["ready"]}}, {"E": {"hand": "1m"}}, ["S"], {2: {}}]
VALUES: dict[str, list[Any]] = {
    **{"hand": TILES, "bonus": TILES, "win_tile": ["C", "CF", "", None, 5], "win": ["C", "x"], "round_wind": TILES},
    **{"seat_wind": SEATS, "discarder": SEATS, "self_draw": TRUTHS, "winner": TRUTHS, "flags": FLAGS, "marks": MARKS},
    **{"zones": ZONES, "others": OTHERS, "wall": ["12m", "1x"], "id": [1, []], "name": ["one"], "hnad": ["1m"]},
}
FIELDS: dict[str, st.SearchStrategy[Any]] = {name: st.sampled_from(values) for name, values in VALUES.items()}
CHANGED = st.fixed_dictionaries({}, optional={**FIELDS, "melds": st.lists(st.sampled_from(MELDS), max_size=2)})


@pytest.mark.long
@given(st.lists(CHANGED.flatmap(lambda case: st.sampled_from([case, {**HAND, **case}])), min_size=2, max_size=6))
def test_a_case_is_read_as_if_it_were_the_first(cases: list[dict[str, Any]]) -> None:
    """Nothing that was read before changes what a case says, or what is wrong with it."""
    KNOWN.clear()
    later = [said(case) for case in [*cases, *cases]]
    for case, answer in zip([*cases, *cases], later, strict=True):
        KNOWN.clear()
        assert said(case) == answer


def test_what_a_flag_needs_is_asked_of_each_hand() -> None:
    """A flag that goes with one hand at a table does not go with every hand there."""
    rules = tilewright.load("riichi")
    case = {"hand": "234m 567p 88s CC", "win_tile": "C", "seat_wind": "E", "self_draw": True, "flags": ["riichi"]}
    for concealed in (True, False, True):
        answer = said({**case, "melds": [{"tiles": "234s", "concealed": concealed}]}, rules)
        assert getattr(answer, "code", None) == (None if concealed else "contradicted-flag")


def said(case: dict[str, Any], rules: tilewright.Rules = RULES) -> object:
    """The situation of a case, or its problem."""
    try:
        return read_case(rules.data, case)
    except CaseError as error:
        return error.problem


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
