"""Cases: whatever is wrong with one is told in one clear sentence, and nothing that is told is passed over."""

from pathlib import Path
from typing import Any

import pytest

import tilewright
from tilewright.base import document as documents
from tilewright.scoring.case import CaseError, read_case

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
