"""Flags that exclude each other: every pair of flags of every ruleset, against the table in tests/data/flags.yaml, and
the flags of hands that bots win."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from budget import budget
from bundled_mods import RULESETS
from games import PLAYED, VARIED, mostly_soaked
from ruamel.yaml import YAML

import tilewright
from tilewright.play.match import Match
from tilewright.play.rules import Rules
from tilewright.play.scene import TableScene
from tilewright.play.view import View
from tilewright.players.bots.fast import FastBot
from tilewright.scoring.case import check_flags, read_as_written, read_case
from tilewright.scoring.case_hands import known_of
from tilewright.scoring.case_mistakes import CaseError

pytestmark = pytest.mark.long

KNOWN: dict[str, Any] = YAML(typ="safe", pure=True).load(Path("tests/data/flags.yaml").read_text(encoding="utf-8"))
TABLE = KNOWN.pop("table")
REFUSED = ("contradicted-flag", "missing-flag")
GAMES = budget(1)  # of one hand, that bots play of each ruleset

Pairs = frozenset[frozenset[str]]


def rules_of(name: str) -> Rules:
    return tilewright.load(name.split()[0], KNOWN[name].get("options"))


def pairs_in(table: Mapping[str, list[str]]) -> Pairs:
    return frozenset(frozenset((one, other)) for one, others in table.items() for other in others)


def never_together(name: str, flags: frozenset[str]) -> Pairs:
    """The pairs that the table says no play brings about; a pair of a flag with itself is that flag."""
    known = KNOWN[name]
    never = frozenset(frozenset((one, other)) for one in known.get("never", ()) for other in flags)
    apart = pairs_in(TABLE["apart"]) | pairs_in(known.get("apart", {}))
    return never | apart - pairs_in(known.get("together", {}))


def hands_of(name: str) -> Iterator[dict[str, Any]]:
    own, like = KNOWN[name].get("hands", ()), {"table": TABLE, **KNOWN}.get(KNOWN[name].get("like"), {})
    for hand in [*own, *like.get("hands", ())]:
        for self_draw, seat in product((False, True), KNOWN[name].get("seats", ("E", "S"))):
            yield {**hand, "self_draw": self_draw, "seat_wind": seat}


def is_accepted(rules: Rules, hands: list[dict[str, Any]], pair: frozenset[str]) -> bool:
    """Whether some hand may have these flags."""
    for hand in hands:
        try:
            read_as_written(rules.data, {**hand, "flags": [*{*hand.get("flags", ()), *pair}]})
        except CaseError as error:
            assert error.code in REFUSED, (hand, error)
        else:
            return True
    return False


def test_every_ruleset_is_in_the_table() -> None:
    assert {name.split()[0] for name in KNOWN} == set(RULESETS)


@pytest.mark.parametrize("name", KNOWN)
def test_flags_that_no_play_brings_about_together_are_refused_and_all_others_accepted(name: str) -> None:
    rules, hands = rules_of(name), readable(name)
    flags = known_of(rules.data).flags
    apart = never_together(name, flags)
    every = [frozenset((flag,)) for flag in flags] + [frozenset(pair) for pair in combinations(sorted(flags), 2)]
    refused = {pair for pair in every if not is_accepted(rules, hands, pair)}
    assert refused == {pair for pair in every if pair in apart}


def readable(name: str) -> list[dict[str, Any]]:
    """The hands whose tiles the ruleset has."""
    rules, found = rules_of(name), []
    for hand in hands_of(name):
        try:
            read_case(rules.data, {**hand, "flags": []})
        except CaseError:
            continue
        found.append(hand)
    return found


@pytest.mark.parametrize("ruleset", mostly_soaked(PLAYED, (*VARIED, "siamese")))
def test_the_flags_of_every_hand_that_is_won_are_accepted(ruleset: str) -> None:
    rules = tilewright.load(ruleset)
    for seed in range(GAMES):
        for game, seat in won_hands(rules, seed):
            situation = game.won[seat].situation
            check_flags(rules.data, replace(situation, flags=flags_at(game, seat), marks={}, flags_of={}), set())


def won_hands(rules: Rules, seed: int) -> Iterator[tuple[Match, int]]:
    """The last winner of a hand that bots play, at its end, if it ends with that win."""
    bots, game = [FastBot(rules, seed) for _ in rules.program.everyone], rules.game(seed, hands=1)
    while not game.over:
        seat = game.asked[0]
        game.answer(bots[seat].choose(View(game, seat)))
    if game.result_phase == "won":
        yield game, game.winners[-1]


def flags_at(game: Match, seat: int) -> frozenset[str]:
    """The marks and terms of the ruleset that hold for a seat."""
    data, scene = game.program.data, TableScene(game, seat)
    flags = known_of(data).flags
    marks = {name for name in flags & data.marks.keys() if game.remembered(name, seat if of_seat(game, name) else 0)}
    return frozenset(
        marks | {name for name in flags & data.terms.keys() if game.program.evaluator(data.terms[name])(scene, {})}
    )


def of_seat(game: Match, mark: str) -> bool:
    return game.program.data.marks[mark].of == "seat"
