"""The page about cases tells the truth: the case that it shows gives the result that it shows."""

import json
import re
from pathlib import Path

import tilewright

PAGE = Path(__file__).parents[2] / "docs" / "cases.md"


def test_the_case_of_the_page_gives_its_result() -> None:
    case, result, wrong, *_ = (json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.S))
    rules = tilewright.load("zung_jung_plus")
    assert rules.score_case(case).as_json(case["id"]) == result
    assert wrong["error"].keys() == {"code", "message", "hint"}
