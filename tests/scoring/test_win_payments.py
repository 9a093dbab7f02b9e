"""Compiled payments for a win are those of the walker, in random situations of bundled rulesets and of an odd one."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from budget import budget

import tilewright
from tilewright.base.memory import Remembered
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.payments import gains, settle
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.rules import ScoringRules

pytestmark = pytest.mark.long

RULESETS: list[tuple[str, dict[str, Any], list[str]]] = [
    *((name, {}, []) for name in ("american", "cantonese", "chinese_classical", "hong_kong", "mcr", "riichi", "sanma")),
    *((name, {}, []) for name in ("sichuan", "uzje", "zung_jung", "zung_jung_plus")),
    ("hong_kong", {"full_payment": True}, []),
    ("zung_jung_plus", {"payoff": "formal"}, []),
    ("sichuan", {"kong_passes_on": True, "fed_kong_win": "fed"}, []),
    ("mcr", {}, ["limit"]),
    ("riichi", {}, ["limit"]),
    ("american", {}, ["pie"]),
    ("chinese_classical", {}, ["pie"]),
]
# Lines of every kind: of measures of others, of the hand and the table, and what only the walker knows.
LINES = """tilewright: 1
kind: ruleset
id: odd_payments
name: Odd payments
extends: chinese_classical
terms:
  rich: total > 100
  round: seat_wind == round_wind
payments:
  win:
    rich: {from: losers, to: winner, when: rich or payee.total > 50, amount: total / 7, round_up: 2 if self_draw else 3}
    sum: {from: losers, to: winner, amount: sum(s.total for s in seats), times: points}
    hand: {from: losers, to: winner, amount: copies(E) + 2 * copies(round_wind), double: [concealed, points > 10]}
    open: {from: losers, to: winner, when: not payer.concealed, amount: 3}
    asked: {from: losers, to: winner, amount: payer.tiles + payer.bonus + winner.kinds}
    round: {from: losers, to: winner, when: payer.round or winner.round, amount: 'min(total, 8) ^ 2', instead: dealer}
    best: {from: winner, to: losers, amount: "max(points - payee.points, 0) / 3"}
    pot: {from: pot, to: 'winner if total > 8 else dealer', amount: 3}
scoring: {pays_at_most: "max(payer.total, 40)"}
"""


@pytest.mark.parametrize(("name", "options", "mods"), RULESETS, ids=lambda value: value if value else "")
def test_compiled_payments_are_those_of_the_walker(name: str, options: dict[str, Any], mods: list[str]) -> None:
    rules = tilewright.load(name, options, mods)
    check_payments(rules, Random(f"{name} {options} {mods}"))


def test_lines_that_ask_for_more_than_measures(tmp_path: Path) -> None:
    path = tmp_path / "odd_payments.yaml"
    path.write_text(LINES)
    rules = tilewright.load(path)
    check_payments(rules, Random(5))
    assert rules.scores.payments.asked.walked == {"asked"}


def check_payments(rules: ScoringRules, random: Random) -> None:
    """Two hands at each table with the same measures; those of losers as the rules compute them, then any."""
    known, seats = list(hands(rules)), range(rules.data.seats.count)
    paid = 0
    for _ in range(budget(20)):
        situation = at_a_table(rules, random.choice(known), known, random)
        values = measures(rules, random)
        for at in (situation, replace(situation, hand=random.choice(known).hand)):
            for of_loser in (partial(rules.scores.values_of_loser, at), lambda _: measures(rules, random)):
                values_of = {seat: of_loser(seat) for seat in seats} | {at.seat: values}
                walked = settle(HandScene(rules.data, at, None, values, values_of))
                measured = Remembered(values_of.__getitem__, {at.seat: values})
                assert tuple(rules.scores.payments.due(at, rules.scores.payments.key(at), measured)) == walked
                paid += bool(walked)
                if isinstance(of_loser, partial):
                    named = {rules.scores.seat_names[seat]: gain for seat, gain in gains(walked, len(seats)).items()}
                    assert rules.scores.pay(at, values) == rules.scores.pay(at, values) == named
    assert paid > budget(20)


def hands(rules: ScoringRules) -> Iterator[Situation]:
    """The won hands of the ruleset's cases and examples."""
    data = rules.data
    for case in [*(one.case for one in data.cases), *(one.case for p in data.patterns for one in p.examples)]:
        with suppress(CaseError):
            situation = read_case(data, case)
            if situation.won:
                yield situation


def at_a_table(rules: ScoringRules, hand: Situation, known: list[Situation], random: Random) -> Situation:
    """The hand won by some seat from another one or by itself; flags, marks and losers' hands by chance."""
    seat, discarder = random.sample(range(rules.data.seats.count), 2)
    self_draw = random.random() < 0.5
    asked = rules.scores.payments.asked.names
    flags = {name for name in asked if is_truth(rules, name) and random.random() < 0.3}
    marks = {name: some_value(rules, name, random) for name in asked & rules.data.marks.keys() if random.random() < 0.4}
    losers = [other for other in range(rules.data.seats.count) if other != seat and random.random() < 0.2]
    return replace(
        hand,
        seat=seat,
        seat_known=True,
        self_draw=self_draw,
        discarder=None if self_draw else discarder,
        round_wind=random.choice([hand.round_wind, *rules.data.seats.winds[:2]]),
        flags=hand.flags | flags,
        marks={**hand.marks, **marks},
        others={loser: replace(random.choice(known).hand, win=None) for loser in losers},
        flags_of={loser: frozenset(random.sample(sorted(flags), len(flags) // 2)) for loser in losers},
    )


def is_truth(rules: ScoringRules, name: str) -> bool:
    mark, term = rules.data.marks.get(name), rules.data.terms.get(name)
    return (term.type if mark is None and term is not None else mark and mark.type) == "truth"


def some_value(rules: ScoringRules, name: str, random: Random) -> Any:
    """A value of a mark."""
    match rules.data.marks[name].type:
        case "truth":
            return random.random() < 0.5
        case "number":
            return random.randint(0, 3)
        case "seat":
            return (random.randrange(rules.data.seats.count),)
        case "tile" | "tiles":
            return (random.choice(rules.data.tiles.order),)
        case other:
            raise AssertionError(other)


def measures(rules: ScoringRules, random: Random) -> dict[str, int | Fraction]:
    """Any measures."""
    some = [0, 1, 2, 7, 8, 26, 64, 2000, 8000, 16000, Fraction(1, 2), Fraction(7, 3)]
    return {measure.id: random.choice(some) for measure in rules.data.scoring.measures}
