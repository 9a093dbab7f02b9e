"""What programs get: numbers that are an int, or a Fraction where one is not whole; texts that fit on a screen."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from conftest import ROOT

import tilewright
from tilewright.base.document import read
from tilewright.play.rules import Rules
from tilewright.scoring.case_mistakes import CaseError

RULESETS = ("american", "cantonese", "mcr", "riichi", "uzje", "zung_jung_plus")
HALVES = """tilewright: 1
kind: ruleset
id: halves
name: Halves
extends: standard
scoring:
  measures: {points: {cap: 7.5}, chips: {value: points, table: {0: 0.5, 2: 1.5, 4: 2}}, fee: {start: 0.5}}
  best: points
patterns:
  twice: {name: Twice, worth: 0.5, times: 2, when: {self_draw: true}}
  thrice: {name: Thrice, worth: {points: 0.5, fee: 0.5}, times: 3}
  many: {name: Many, worth: 0.5, times: 0.5 * 4}
  each: {name: Each, worth: 0.5, each: [sequence]}
payments: {win: {all: {from: losers, amount: points / 2, double: [self_draw]}}}
"""


def is_exact(number: object) -> bool:
    """As the documentation says."""
    return type(number) is int or (type(number) is Fraction and number.denominator != 1)


def numbers(score: tilewright.Score) -> Iterator[object]:
    yield score.total
    yield from score.values.values()
    yield from (number for pattern in score.patterns for number in (pattern.worth, pattern.times))
    yield from (score.payments or {}).values()


def scores(rules: Rules) -> Iterator[tilewright.Score]:
    """Those of every example and case, as they are, drawn, discarded and lost."""
    examples = [example.case for pattern in rules.data.patterns for example in pattern.examples]
    cases = [entry.case for entry in rules.data.cases if not {"play", "options"} & entry.case.keys()]
    for case in (*examples, *cases):
        for more in (
            {},
            {"self_draw": True, "seat_wind": "E"},
            {"seat_wind": "S", "discarder": "E"},
            {"winner": False},
        ):
            try:
                yield rules.score_case({**case, **more})
            except CaseError:
                continue


@pytest.mark.parametrize("ruleset", RULESETS)
def test_numbers_of_scores_are_exact(ruleset: str) -> None:
    found = [number for score in scores(tilewright.load(ruleset)) for number in numbers(score)]
    assert len(found) > 100
    assert not [number for number in found if not is_exact(number)]


def test_halves_that_make_a_whole_are_whole(tmp_path: Path) -> None:
    (tmp_path / "halves.yaml").write_text(HALVES)
    rules = tilewright.load(tmp_path / "halves.yaml")
    score = rules.score("234m 567p 88s 234s CC", win="C", seat_wind="E", self_draw=True)
    assert [(one.worth, one.times) for one in score.patterns] == [
        (1, 2),
        (Fraction(3, 2), 3),
        (1, 2),
        (Fraction(3, 2), 3),
    ]
    assert [type(one.worth) for one in score.patterns] == [int, Fraction, int, Fraction]
    assert score.total == 5 and all(map(is_exact, numbers(score)))
    assert [is_exact(wait.value) for wait in rules.waits("234m 567p 88s 234s CC").tiles] == [True, True]


@pytest.mark.parametrize("ruleset", ["cantonese", "riichi", "uzje"])
def test_numbers_of_tables_are_exact(ruleset: str) -> None:
    random = Random(5)
    game = tilewright.load(ruleset).game(5, hands=2)
    while not game.over:
        moves = game.legal_moves(game.asked[0])
        game.answer(next((move for move in moves if move.does == "win"), random.choice(moves)))
    found = [number for result in game.results for number in (*result.player_gains, *result.scores)]
    assert found and all(map(is_exact, (*found, *game.scores)))


# --- texts


def test_a_printed_score_is_a_few_lines() -> None:
    rules = tilewright.load("cantonese")
    score = rules.score("123m 456m 789p 234s 5s", win="5s", seat_wind="S", discarder="W")
    assert str(score).splitlines() == [
        "2 hand_score",
        "  Chow hand (all chows)  1 faan",
        "  No flowers or seasons  1 faan",
        "E -2  S 8  W -4  N -2",
    ]
    assert repr(score) == "Score(win=True, total=2 hand_score, patterns=[chow_hand, no_bonus_tiles])"
    lost = rules.score("123m 456m 789p 2s", win="5s")
    assert str(lost) == "no win: not a winning hand: it has 11 tiles, not 14 (3 too few)"


def won_hand() -> tilewright.Table:
    """A table at which a hand was won at once."""
    table = tilewright.load("riichi").table(seed=1, layout={"hand": "111222333m 456p 5s", "wall": "5s"}, hands=1)
    return table.push(table.move("win"))


def test_no_text_of_a_value_is_long() -> None:
    rules = tilewright.load("riichi")
    table = rules.table(seed=1)
    ended = won_hand()
    case = {"hand": "234m 567p 88s 234s CC", "win_tile": "C", "seat_wind": "E", "self_draw": True}
    source = read(ROOT / "rulesets" / "riichi" / "riichi.yaml").place
    values = [
        rules,
        rules.data,
        rules.score_case(case),
        rules.waits("234m 567p 88s 234s CC"),
        rules.waits("234m 567p 88s 234s CCF"),
        rules.explain(case),
        tilewright.load("american").nearest("1112222333445m"),
        ended.result,
        ended.events[-1],
        table,
        table.game,
        table.view("E"),
        table.question("E"),
        table.legal_moves()[0],
        source,
        tilewright.Problem("code", "message", source),
        tilewright.RulesetError([tilewright.Problem("code", "message", source)]),
        source.source,
        *(getattr(tilewright, name) for name in tilewright.__all__),
    ]
    assert all(len(repr(value)) < 1000 and len(str(value)) < 1000 for value in values), [len(repr(v)) for v in values]


def test_a_view_tells_nobody_who_else_is_asked() -> None:
    table = tilewright.load("riichi").table(seed=1)
    assert repr(table) == "Table(Match(riichi, seed 1, hand 1, act asks E))"
    assert repr(table.view("S")) == "View(S, riichi, hand 1, phase act)"
