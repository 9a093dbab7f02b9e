"""The ruleset `mcr` has the eighty-one patterns of the rule book, what they are worth and what each implies."""

import csv
from pathlib import Path

import pytest

import tilewright
from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.ruleset import Pattern

ROWS = list(csv.DictReader((Path(__file__).parents[1] / "data" / "mcr.csv").open(encoding="utf-8")))
BESIDE = "明暗槓"  # the points of a melded and a concealed kong, which the rule book does not number
SETTINGS = {"china_1998": {"雙暗槓": 6, BESIDE: 5}, "world_2006": {"雙暗槓": 8, BESIDE: 6}}


def patterns(rules: tilewright.Rules) -> dict[str, Pattern]:
    """The patterns by their Chinese names."""
    return {pattern.name["zh"]: pattern for pattern in rules.data.patterns}


@pytest.fixture(scope="module")
def mcr() -> tilewright.Rules:
    return tilewright.load("mcr")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["english"])
def test_every_row_of_the_rule_book_is_a_pattern(row: dict[str, str], mcr: tilewright.Rules) -> None:
    pattern = patterns(mcr)[row["chinese"]]
    assert pattern.name["en"] == row["english"]
    assert worth(pattern) == int(row["points"])
    ids = {name: one.id for name, one in patterns(mcr).items()}
    assert set(pattern.excludes) == {ids[name] for name in row["implies"].split()}


def test_there_are_no_others(mcr: tilewright.Rules) -> None:
    assert [int(row["number"]) for row in ROWS] == list(range(1, 82))
    assert set(patterns(mcr)) == {row["chinese"] for row in ROWS} | {BESIDE}


@pytest.mark.parametrize("kongs", SETTINGS)
def test_two_kongs_are_worth_what_the_chosen_rules_say(kongs: str) -> None:
    rules = tilewright.load("mcr", {"kongs": kongs})
    assert {name: worth(patterns(rules)[name]) for name in SETTINGS[kongs]} == SETTINGS[kongs]


def worth(pattern: Pattern) -> object:
    """What the pattern is worth once."""
    (number,) = pattern.worth.values()
    assert isinstance(number, Const)
    return number.value
