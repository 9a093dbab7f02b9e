"""Many tables that the machine steps: what is seen, allowed, won and over is at every action what `Match` gives."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from budget import budget
from conftest import ROOT
from games import mostly_soaked
from test_compiled_asking import ASKING
from test_compiled_play import COMPILED, NOT_COMPILED, variants

from tilewright.base.problem import RulesetError
from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup
from tilewright.play.compiled.host import Odd
from tilewright.play.rules import Rules, load
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.known import FirstHands, bounds
from tilewright.players.learning.machine import MachineTables
from tilewright.players.learning.table import IllegalAction
from tilewright.players.learning.vector import Tables, VectorTables

pytestmark = pytest.mark.slow

# Rulesets with options and mods: exchanges, passes of tiles and cards changed, payments taken back, quads challenged.
VARIED: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("sichuan", {"kong_passes_on": True}, ()),
    ("sichuan", {}, ("futures",)),
    ("sichuan", {}, ("pie",)),
    ("american", {}, ("zombie_blanks",)),
    ("american", {}, ("no_charleston",)),
    ("american", {}, ("open_hands",)),
    ("uzje", {"closed_quads": "hidden"}, ()),
    ("riichi", {"orphans_rob": True}, ()),
]
# Of a meld that grows: who discarded its tile, before and after; the hand that it stays in or comes to.
GROWS = """
tilewright: 1
kind: ruleset
id: grows
name: Grows
extends: cantonese
marks: {fed_once: {of: seat, is: seat}, fed: {of: seat, is: seat}}
insert:
  - {before: offers.added_kong.do.rob, do: [{mark: {fed_once: group.discarder}}]}
  - {after: offers.added_kong.do.meld, do: [{mark: {fed: group.discarder}}]}
"""
GROWS_IN_A_HAND = """
tilewright: 2
kind: ruleset
id: grows
name: Grows
extends: siamese
not_inherited: [all]
phases: {act: {offers: [win, grow, exchange, accuse, discard]}}
offers:
  grow:
    name: Grow
    choose: {group: {group: quad, from: hand, onto: triplet}}
    do: [{meld: HOW}]
    then: act
"""
POCKET = str(ROOT / "examples/learning/pocket.yaml")
MATCH = "match: {rounds: []}"
# Eight tiles that have to meet a condition together: of fourteen there are thousands of ways to choose them.
MANY = """
tilewright: 1
kind: ruleset
id: many
name: Many
extends: sichuan
insert:
  - after: phases.exchange.do.exchange
    do:
      - ask: {who: dealer, choose: {many: {tiles: 8, least: 2, from: hand, when: many.suits > 1}}}
"""
# The match ends with a hand that costs a player more than two points, and pays for places then.
ENDS = "match: {rounds: [], ends: any(s.score < -2 for s in everyone), placement: [7, -5]}"


def both(rules: Rules, tables: int, **options: Any) -> tuple[VectorTables, VectorTables]:
    """The same tables by the machine and by `Match`."""
    machine, plain = (VectorTables(rules, tables, 30, compiled=compiled, **options) for compiled in (True, False))
    assert (machine.why_not, plain.why_not) == ("", "it is not wanted")
    same(machine.now, plain.now)
    return machine, plain


def same(one: Tables, other: Tables) -> None:
    for field, part, like in zip(fields(Tables), one.parts, other.parts, strict=True):
        assert np.array_equal(part, like), (field.name, np.argwhere(part != like).tolist())


def play_both(machine: VectorTables, plain: VectorTables, steps: int) -> Tables:
    """Step both by the same random actions. What all of it came to: rewards added up, matches that ended counted."""
    chance, rewards, over = (
        np.random.default_rng(4),
        np.zeros_like(machine.now.rewards),
        np.zeros(machine.num_envs, int),
    )
    for _ in range(steps):
        actions = machine.any_legal(chance.random(machine.num_envs))
        now = machine.step(actions)
        same(now, plain.step(actions))
        rewards += abs(now.rewards)
        over += now.terminations
    return Tables(machine.now.observations, machine.now.masks, machine.now.players, rewards, over > 0)


def rules_of(text: str, folder: Path) -> Rules:
    path = folder / "rules.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path)


# --- the same


@pytest.mark.parametrize("id", mostly_soaked(COMPILED))
def test_both_are_the_same_at_every_action(id: str) -> None:
    """What the others ask of the machine, the same games of `test_compiled_play` do."""
    assert play_both(*both(load(id), budget(4)), steps=150).terminations.any()


@pytest.mark.parametrize(("id", "options", "mods"), VARIED)
def test_options_and_mods_change_nothing_of_that(id: str, options: dict[str, Any], mods: tuple[str, ...]) -> None:
    play_both(*both(load(id, options, mods), 2), steps=budget(60))


@pytest.mark.soak
@pytest.mark.parametrize("id", COMPILED)
def test_every_option_and_mod_is_the_same(id: str) -> None:
    for options, mods in variants(id):
        if not any((id, *choice) in NOT_COMPILED for choice in options.items()):
            with suppress(RulesetError):  # a mod for other rulesets
                play_both(*both(load(id, options, mods), 2), steps=120)


@pytest.mark.parametrize(
    "others", [{}, pytest.param({1: "random", 3: "random"}, marks=pytest.mark.soak)], ids=["alone", "others"]
)
def test_answers_to_steps_are_the_same(others: dict[int, str], tmp_path: Path) -> None:
    """Several tiles, also under a condition, numbers, suits; of others one seldom finds tiles that go together."""
    assert play_both(*both(rules_of(ASKING, tmp_path), 4, others=others), steps=budget(200)).terminations.any()


def test_tables_with_more_ways_to_choose_than_are_listed_are_left_to_match(tmp_path: Path) -> None:
    machine, plain = both(rules_of(MANY, tmp_path), 2)
    assert isinstance(machine.playing, MachineTables)
    play_both(machine, plain, steps=14)  # four seats exchange three tiles each before
    assert machine.playing.matches  # where few tiles look alike


@pytest.mark.parametrize(
    ("hands", "others", "reward"),
    [(1, {}, "hand"), (3, {1: "random"}, "match"), (None, {}, "hand"), (None, {}, "match")],
)
def test_matches_and_rewards_are_the_same(hands: int | None, others: dict[int, str], reward: str) -> None:
    played = play_both(*both(load(POCKET), 4, hands=hands, others=others, reward=reward), steps=budget(150))
    assert played.terminations.any()
    assert played.rewards.any()


def test_several_hands_of_riichi_are_the_same() -> None:
    """Rounds, marks and scores that last from hand to hand."""
    play_both(*both(load("riichi"), 2, hands=3), steps=budget(100))


@pytest.mark.parametrize("hands", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_points_for_places_are_told(hands: int, tmp_path: Path) -> None:
    text = Path(POCKET).read_text(encoding="utf-8")
    assert MATCH in text
    rules = rules_of(text.replace(MATCH, ENDS), tmp_path)
    assert FirstHands(rules).settled == learn.QUIET_HANDS
    played = play_both(*both(rules, 8, hands=hands), steps=budget(250))
    assert played.terminations.all()
    assert played.rewards.sum() > 12


@pytest.mark.parametrize("id", ["sichuan", "american"])
def test_several_hands_with_exchanges_are_the_same(id: str) -> None:
    play_both(*both(load(id), 2, hands=3), steps=budget(120))


def test_moves_of_several_actions_are_the_same() -> None:
    """Chows with a red five or without: such moves are made, and what has begun is seen."""
    machine, plain = both(load("riichi"), 8)
    begun = machine.spaces.observations.fields["begun"]
    assert any(begun.of(now.observations).any() for now in play_liking(machine, plain, ("chow",), budget(250)))


@pytest.mark.parametrize("id", ["siamese", pytest.param("royale_siamese", marks=pytest.mark.soak)])
def test_the_hands_of_a_seat_are_the_same(id: str) -> None:
    """Of each hand its melds, and whether it is open, won or dead; what the deal costs is among the rewards."""
    machine, plain = both(load(id), 6)
    fields, states, melds = machine.spaces.observations.fields, np.zeros(3), np.zeros(2)
    for now in play_liking(machine, plain, ("pung", "claimed_kong", "quint", "win", "accuse"), budget(200)):
        states += fields["hand_states"].of(now.observations).sum(axis=(0, 1, 2))
        melds += fields["hand_melds"].of(now.observations).sum(axis=(0, 1, 3))
    assert states[0] and states[2] and melds.all()
    assert states[1] or id == "siamese"  # few random hands are won there


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (GROWS, "mark:fed_once"),
        (GROWS, "mark:fed"),
        (GROWS_IN_A_HAND.replace("HOW", "group"), "hand_melds"),
        (GROWS_IN_A_HAND.replace("HOW", "{group: group, hand: 2}"), "hand_melds"),
    ],
    ids=["fed_once", "fed", "stays", "comes"],
)
def test_melds_grow_alike(text: str, field: str, tmp_path: Path) -> None:
    machine, plain = both(rules_of(text, tmp_path), 6)
    seen = machine.spaces.observations.fields[field]
    found = play_liking(machine, plain, ("pung", "added_kong", "grow"), budget(120))
    assert any(seen.of(now.observations).any() for now in found)
    play_both(machine, plain, steps=budget(10))


def play_liking(machine: VectorTables, plain: VectorTables, first: tuple[str, ...], steps: int) -> Iterator[Tables]:
    """Step both by the same random actions, those that begin so where they may be made. What is seen after each."""
    chance = np.random.default_rng(3)
    words = [number for number, name in enumerate(machine.spaces.actions.names) if name.startswith(first)]
    for _ in range(steps):
        likely = machine.now.masks * chance.random(machine.now.masks.shape)
        likely[:, words] *= 10
        actions = likely.argmax(axis=1)
        now = machine.step(actions)
        same(now, plain.step(actions))
        yield now


# --- what the machine cannot do


@pytest.mark.parametrize(("id", "option", "choice"), NOT_COMPILED)
def test_what_is_not_compiled_is_played_by_match(id: str, option: str, choice: str) -> None:
    tables = VectorTables(load(id, {option: choice}), 2)
    assert NOT_COMPILED[id, option, choice] in tables.why_not
    tables.step(tables.any_legal([0.3, 0.7]))


@pytest.mark.parametrize(
    ("id", "others"),
    [
        ("cantonese", {1: "fast", 2: "careful", 3: "strong"}),
        pytest.param("riichi", {0: "random", 1: "careful", 2: "fast"}, marks=pytest.mark.soak),
        pytest.param("sichuan", {1: "strong", 3: "fast"}, marks=pytest.mark.soak),
        ("american", {0: "fast", 2: "careful"}),
        pytest.param("uzje", {1: "fast", 2: "random"}, marks=pytest.mark.soak),
    ],
)
def test_opponents_of_every_level_are_the_same(id: str, others: dict[int, str]) -> None:
    play_both(*both(load(id), 2, others=others, hands=2), steps=budget(20))


@pytest.mark.parametrize("hands", [1, 3])
def test_a_match_that_the_machine_cannot_follow_is_played_by_match(hands: int, monkeypatch: pytest.MonkeyPatch) -> None:
    machine, plain = both(load(POCKET), 4, hands=hands)
    end_hand, left = MachineTables.end_hand, list[int]()

    def stops(self: MachineTables, number: int) -> bool:
        if len(left) < 12:
            left.append(number)
            raise Odd("here")
        return end_hand(self, number)

    assert isinstance(machine.playing, MachineTables)
    machine.playing.settled = learn.NEVER  # kernels begin no match
    machine.playing.notes[:, learn.SETTLED] = learn.NEVER
    monkeypatch.setattr(MachineTables, "end_hand", stops)
    play_both(machine, plain, steps=budget(200))
    assert len(left) == 12
    assert set(left) == set(range(4))


def test_a_move_that_has_begun_is_taken_along() -> None:
    """Tables may be left at any time: the moves until then, and the actions of one that has begun, are played again."""
    machine, plain = both(load("riichi"), 8)
    begun, chance = machine.spaces.observations.fields["begun"], np.random.default_rng(3)
    words = [number for number, name in enumerate(machine.spaces.actions.names) if name.startswith("chow")]
    left = 0
    while left < 2:
        likely = machine.now.masks * chance.random(machine.now.masks.shape)
        likely[:, words] *= 10
        same(machine.step(likely.argmax(axis=1)), plain.step(likely.argmax(axis=1)))
        assert isinstance(machine.playing, MachineTables)
        for number in np.flatnonzero(begun.of(machine.now.observations).any(axis=1)).tolist():
            machine.playing.leave(number)
            left += 1
    play_both(machine, plain, steps=10)


def test_what_is_illegal_changes_nothing() -> None:
    machine, plain = both(load(POCKET), 3)
    for wrong in (-1, 10_000, int(machine.now.masks[2].argmin())):
        with pytest.raises(IllegalAction, match="may not choose"):
            machine.step([*machine.now.masks[:2].argmax(axis=1), wrong])
    play_both(machine, plain, steps=10)


def test_tables_begin_anew() -> None:
    machine, plain = both(load(POCKET), 3)
    play_both(machine, plain, steps=20)
    same(machine.reset(900), plain.reset(900))
    play_both(machine, plain, steps=20)


# --- whether a first hand may end a match

SCORE, DEALS = Lookup("number", "word", "score"), Lookup("number", "word", "deals")
UNKNOWN = Lookup("truth", "word", "last_tile")


def number(value: int) -> Ir:
    return Const("number", value)


@pytest.mark.parametrize(
    ("ir", "least_and_most"),
    [
        (DEALS, (0, 0)),
        (Conditional("number", UNKNOWN, number(3), number(5)), (3, 5)),
        (Apply("number", "+", (DEALS, Conditional("number", UNKNOWN, number(0), number(1)))), (0, 1)),
        (Apply("truth", ">=", (Conditional("number", UNKNOWN, number(0), number(1)), number(2))), (0, 0)),
        (Apply("truth", ">", (Conditional("number", UNKNOWN, number(2), number(3)), number(1))), (1, 1)),
        (Apply("truth", "<=", (Conditional("number", UNKNOWN, number(2), number(3)), number(2))), (0, 1)),
        (Apply("truth", "<", (Conditional("number", UNKNOWN, number(2), number(3)), number(2))), (0, 0)),
        (UNKNOWN, (0, 1)),
        (Apply("truth", "not", (UNKNOWN,)), (0, 1)),
        (Apply("truth", "and", (UNKNOWN, Apply("truth", "<", (DEALS, number(0))))), (0, 0)),
        (Apply("truth", "or", (UNKNOWN, Apply("truth", "==", (DEALS, number(0))))), (1, 1)),
        (Apply("truth", "==", (Conditional("number", UNKNOWN, number(2), number(3)), number(2))), (0, 1)),
    ],
)
def test_bounds_of_what_is_not_known_yet(ir: Ir, least_and_most: tuple[float, float]) -> None:
    assert bounds(ir, load(POCKET).game(0)) == least_and_most


def test_first_hands_settle_a_match() -> None:
    assert {id: FirstHands(load(id)).settled for id in ("cantonese", "riichi", "mcr", "uzje")} == {
        "cantonese": learn.ALWAYS,
        "riichi": learn.QUIET_HANDS,
        "mcr": learn.ALWAYS,
        "uzje": learn.ALWAYS,  # the match may end for the number of hands, never for scores
    }


def test_scores_may_end_a_match() -> None:
    first = FirstHands(load("riichi"))
    assert first.settles([41_000, 9_000, 25_000, 25_000])
    assert not first.settles([51_000, -1_000, 25_000, 25_000])
