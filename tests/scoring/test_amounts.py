"""What amounts are called, and what is only reckoned with: from the document to scores, texts, pages and rulebooks."""

from pathlib import Path
from typing import Any

import pytest

from tilewright import load
from tilewright.language.compiled.ruleset import name_at
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.rules_data import about_json
from tilewright.presentation.scores import explanation_lines, score_lines
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.pages import markdown
from tilewright.scoring.examples import check_case
from tilewright.scoring.rules import ScoringRules

pytestmark = pytest.mark.long

PINFU = {"hand": "234m 567m 345p 67s 99p", "win_tile": "8s"}  # one han, thirty fu; 8p shows two dora, 1m one
ORPHANS = {"hand": "19m 19p 19s ESWNCFP", "win_tile": "1m"}
DRAGONS = {"hand": "EEE CCC FFF PPP N", "win_tile": "N"}  # all honours, dragons, four concealed triplets
WINDS = {"hand": "EEE SSS WWW NNN C", "win_tile": "C"}
READY = {"flags": ["riichi", "ippatsu"]}
RIICHI: list[tuple[dict[str, Any], dict[str, Any], str, str | None]] = [
    ({}, PINFU, "", None),
    ({}, PINFU, "8p1m", None),  # four han, thirty fu: 1920
    ({"kiriage_mangan": True}, PINFU, "8p1m", "Mangan"),
    ({"kiriage_mangan": True}, PINFU, "8p", None),
    ({}, PINFU, "8p8p", "Mangan"),
    ({}, PINFU, "8p8p1m", "Haneman"),
    ({}, PINFU, "8p8p8p", "Haneman"),
    ({}, PINFU, "8p8p8p1m", "Baiman"),
    ({}, PINFU, "8p8p8p8p1m", "Baiman"),
    ({}, PINFU, "8p8p8p8p8p", "Sanbaiman"),
    ({}, PINFU | READY, "8p8p8p8p1m", "Sanbaiman"),
    ({}, PINFU | READY, "8p8p8p8p8p", "Yakuman"),
    ({"kazoe_yakuman": False}, PINFU | READY, "8p8p8p8p8p", "Sanbaiman"),
    ({}, ORPHANS, "", "Yakuman"),
    ({}, DRAGONS, "", "Triple yakuman"),
    ({"multiple_yakuman": False}, DRAGONS, "", "Yakuman"),
    ({"double_yakuman": True}, WINDS, "", "Quintuple yakuman"),
]
OTHERS = [
    ("sanma", {}, {"hand": "234p 567p 345s 67s 99p", "win_tile": "8s", **READY}, "8p8p8p8p8p", "Yakuman"),
    ("hong_kong", {}, {"hand": "19m 19p 19s ESWNCFP", "win_tile": "1m"}, "", "Limit"),
    ("hong_kong", {"most_faan": 6}, {"hand": "111m 444m 777m 99m 22m", "win_tile": "2m"}, "", "Limit"),
    ("hong_kong", {"most_faan": 6}, {"hand": "111m 444m 777p 99p 22s", "win_tile": "2s"}, "", None),
    ("cantonese", {}, {"hand": "19m 19p 19s ESWNCFP", "win_tile": "1m"}, "", "Laak 2"),
    ("cantonese", {}, {"hand": "123456m 789m CC EE", "win_tile": "C"}, "", "Laak 1"),
    ("chinese_classical", {}, {"hand": "EEE SSS WWW NNN C", "win_tile": "C"}, "", "Limit"),
    ("zung_jung", {}, {"hand": "EEE SSS WWW NNN C", "win_tile": "C"}, "", "Limit"),
    ("zung_jung", {}, {"hand": "234m 567m 345p 67s 99p", "win_tile": "8s"}, "", None),
    ("sichuan", {"most_fan": 2}, {"hand": "111m 444m 777m 99m 22m", "win_tile": "2m"}, "", "Limit"),
    ("mcr", {}, {"hand": "EEE SSS WWW NNN C", "win_tile": "C"}, "", None),
]
DOCUMENT = """tilewright: 1
kind: ruleset
id: small
name: Small
extends: {base}
scoring:
  measures:
    rank: {{value: points, inner: true, names: {{1: One, 2.5: {{en: Some, zh: 些}}, most: Most}}}}
    spare: {{value: rank}}
options:
  most: {{number: 320, from: 4, to: 320}}
"""


def case(hand: dict[str, Any], indicators: str = "") -> dict[str, Any]:
    shown = {"zones": {"dora_indicators": indicators}} if indicators else {}
    return {"self_draw": False, "seat_wind": "S", "discarder": "W", **hand, **shown}


def score_of(rules: ScoringRules, hand: dict[str, Any], indicators: str = "") -> Any:
    return rules.score_case(case(hand, indicators))


@pytest.mark.parametrize(("settings", "hand", "indicators", "name"), RIICHI)
def test_amounts_of_riichi(settings: dict[str, Any], hand: dict[str, Any], indicators: str, name: str | None) -> None:
    score = score_of(load("riichi", settings), hand, indicators)
    assert score.win and score.called.get("en") == name
    assert score.as_json().get("called", {}) == dict(score.called)
    assert not name or {*score.called} == {"en", "zh", "ja"}


def test_every_name_of_riichi_up_to_one_yakuman_has_a_hand() -> None:
    (named,) = [measure.names for measure in load("riichi").data.scoring.measures if measure.names]
    assert {name["en"] for number, name in named if number <= 8000} <= {name for *_, name in RIICHI}


@pytest.mark.parametrize(("id", "settings", "hand", "indicators", "name"), OTHERS)
def test_amounts_of_others(
    id: str, settings: dict[str, Any], hand: dict[str, Any], indicators: str, name: str | None
) -> None:
    score = score_of(load(id, settings), hand, indicators)
    assert score.win and score.called.get("en") == name


def test_what_does_not_win_is_called_nothing() -> None:
    rules = load("hong_kong", {"most_faan": 6, "least_faan": 13})
    score = score_of(rules, {"hand": "111m 444m 777m 99m 22m", "win_tile": "2m"})
    assert not score.win and score.called == {} and "called" not in score.as_json()


def test_the_name_of_the_highest_amount_that_is_reached() -> None:
    named = ((1, {"en": "a"}), (3, {"en": "b"}))
    assert [name_at(named, number).get("en") for number in (0, 1, 2, 3, 99)] == [None, "a", "a", "b", "b"]


@pytest.mark.parametrize(("settings", "name"), [({}, "Some"), ({"most": 5}, "Most")])
def test_options_are_amounts(tmp_path: Path, settings: dict[str, Any], name: str) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(DOCUMENT.format(base="zung_jung"), encoding="utf-8")
    rules = load(str(path), settings)
    score = score_of(rules, {"hand": "234m 567m 345p 67s 99p", "win_tile": "8s"})
    assert 5 <= score.total < 320 and score.called["en"] == name
    assert score.values["rank"] == score.total
    told = "\n".join(line.plain for line in score_lines(score, RulesetNames(rules.data)))
    assert f"Total  {name}" in told and "rank" not in told and "spare" in told


def test_a_case_may_expect_the_name() -> None:
    rules, hand = load("riichi"), case(PINFU, "8p8p")
    assert not [*check_case(rules, hand, {"called": "Mangan"}, None)]
    assert not [*check_case(rules, hand, {"called": "満貫"}, None)]
    assert not [*check_case(rules, case(PINFU), {"called": None}, None)]
    for wanted in ("Haneman", None):
        (problem,) = check_case(rules, hand, {"called": wanted}, None)
        assert problem.code == "case-fails" and "called should be" in problem.message


def test_texts_tell_the_name_and_leave_out_what_is_inner() -> None:
    rules = load("riichi")
    score = score_of(rules, PINFU, "8p8p")
    lines = [line.plain for line in score_lines(score, RulesetNames(rules.data))]
    (total,) = [line for line in lines if line.startswith("  Total")]
    assert total.split() == ["Total", "Mangan", "8000", "points"]
    assert "  han 5  fu 30  points 8000" in lines
    explanation = rules.explain(case(PINFU, "8p8p"))
    assert explanation.readings[0].called == "Mangan"
    first, *_ = explanation_lines(explanation, score, RulesetNames(rules.data))
    assert first.plain.endswith("8000 points, Mangan")


def test_pages_are_told_what_is_inner() -> None:
    about = about_json(load("riichi"))
    assert {"unrounded_fu", "below_mangan", "base"} <= {*about["inner"]} < {*about["measures"]}
    assert about_json(load("mcr"))["inner"] == []


@pytest.mark.parametrize(
    ("id", "language", "words"),
    [
        ("riichi", "en", "Names by base points: Mangan from 2000, Haneman from 3000, "),
        ("riichi", "zh", "基本點的名稱：2000 起稱滿貫、3000 起稱跳滿、"),
        ("hong_kong", "en", "Names by faan: Limit from 10."),
    ],
)
def test_the_rulebook_lists_the_names(id: str, language: str, words: str) -> None:
    assert words in markdown(rulebook_of(id, {}, (), language))
