"""Accounts of payments: in every bundled ruleset the formula of a payment comes to what was paid, and its reasons are
said in every language; and some as they read."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from budget import budget
from games import PLAYED, mostly_soaked
from golden_games import FOLDER, begun, carry_out, head_of, moves_of, parts

from tilewright.play.match import Match
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.player import BOTS
from tilewright.web.jobs.session import result_json

SEEDS = range(1, 1 + budget(1))
SIGNS = {"×": "*", "÷": "/", "−": "-", "+": "+", "(": "(", ")": ")"}
ENDINGS = ("rounded up", "at most")
READ = {  # of golden games: what is read of each payment, in English
    "chinese_classical": [
        "52 = 26 × 2: To the winner, the dealer pays double",
        "26 = 26: To the winner",
        "26 = 26: To the winner",
        "184 = ( 92 − 0 ) × 2: Difference of the losers, the dealer is paid double",
        "14 = 14 − 0: Difference of the losers",
        "156 = ( 92 − 14 ) × 2: Difference of the losers, the dealer is paid double",
    ],
    "mcr": ["8 = 8: Base points", "8 = 8: Base points", "8 = 8: Base points", "12 = 12: Points of the hand"],
    "riichi": [
        "1000 = 1000: Riichi stick",
        "7700 = 1920 × 4: Ron, rounded up to 100",
        "1000 = 1000: Riichi sticks on the table",
    ],
}


def results_of(game: Match) -> list[dict[str, Any]]:
    return [result_json(game, result) for result in game.results]


def played(name: str, seed: int) -> Match:
    rules = load(name, {"threshold": 0.5} if name == "uzje" else None)
    game = rules.game(seed, hands=2)
    bots = [BOTS["fast"](rules, player) for player in game.program.everyone]
    while not game.over:
        game.answer(bots[game.player(game.asked[0])].choose(View(game, game.asked[0])))
    return game


def golden(name: str) -> Match:
    head, text = parts(FOLDER / f"{name}.txt")
    game = begun(head_of(head))
    for move in moves_of(text):
        carry_out(game, move)
    return game


def numbers(formula: Sequence[Any]) -> list[Any]:
    return [one["number"] if isinstance(one, dict) else one for one in formula]


def value(formula: Sequence[Any]) -> Fraction:
    """What a formula comes to."""
    parts = [SIGNS.get(one) if isinstance(one, str) else None for one in numbers(formula)]
    text = "".join(sign or f"Fraction('{one}')" for sign, one in zip(parts, numbers(formula), strict=True))
    found: Fraction = eval(text)  # of signs and numbers alone
    return found


def read(payment: dict[str, Any]) -> str:
    names = [payment["name"], *payment["reasons"]]
    why = ", ".join(name["en"] for name in names if name)
    return f"{payment['amount']} = {' '.join(map(str, numbers(payment['formula'])))}: {why}"


@pytest.mark.long
@pytest.mark.parametrize("name", mostly_soaked(PLAYED, ("chinese_classical", "hong_kong", "riichi", "siamese")))
def test_a_formula_comes_to_what_is_paid(name: str) -> None:
    paid = [payment for seed in SEEDS for result in results_of(played(name, seed)) for payment in result["payments"]]
    assert paid
    for payment in paid:
        says = [reason["en"] for reason in payment["reasons"]]
        assert all({*reason} >= {"en", "zh"} and all(reason.values()) for reason in payment["reasons"])
        ended = any(one.startswith(ENDINGS) for one in says)
        assert (value(payment["formula"]) == Fraction(str(payment["amount"]))) is not ended, payment


@pytest.mark.parametrize("name", READ)
def test_a_payment_reads(name: str) -> None:
    assert [read(payment) for result in results_of(golden(name)) for payment in result["payments"]] == READ[name]


def test_a_hand_that_did_not_win_says_what_it_counts() -> None:
    [result] = results_of(golden("chinese_classical"))
    counts = {one["player"]: (one["values"]["total"], [line["id"] for line in one["lines"]]) for one in result["left"]}
    assert counts == {
        0: (92, ["bonus_tile", "dragon_pair", "kong_of_terminals", "own_flower_and_season"]),
        1: (0, []),
        2: (14, ["bonus_tile", "dragon_pair", "kong_of_simples"]),
    }
    assert all(None not in one["hand"] for one in result["left"])


def test_a_hand_that_is_not_shown_stays_hidden() -> None:
    [result] = results_of(golden("mcr"))
    assert result["left"] and all({*one["hand"]} == {None} and not one["lines"] for one in result["left"])
