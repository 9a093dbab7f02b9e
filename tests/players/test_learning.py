"""Tables for players that learn: every move is spelled by actions, masks allow what is legal and nothing else, and
observations hold what the view holds."""

import os
import pickle
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from xml.etree.ElementTree import parse

import numpy as np
import pytest
from conftest import ROOT
from games import MOSTLY_SOAKED, PLAYED, VARIED, mostly_soaked
from gymnasium.vector import VectorEnv
from pettingzoo.test import api_test, seed_test
from play_worlds import DIFFERENT, WORLDS, World, own_rules_of, played, rules_of, started
from preloaded import ONE_THREAD
from table_promises import permuted

from tilewright import IllegalMove, Move, Rules
from tilewright.cli.commands.authoring.check import check
from tilewright.play.match import Match
from tilewright.play.view import View
from tilewright.players.learning.actions import Way, begun
from tilewright.players.learning.environment import env
from tilewright.players.learning.kernel.layout import LATEST, MOST_DISCARDS
from tilewright.players.learning.table import IllegalAction, LearningTable, Spaces
from tilewright.players.learning.vector import Tables, VectorTables
from tilewright.players.player import player_of

pytestmark = pytest.mark.long

MOST_MOVES = 60  # of one question that are spelled
CANTONESE, SIXTH = World("cantonese"), World("sixth_game.yaml")


@cache
def spaces_of(world: World) -> Spaces:
    return Spaces.of(rules_of(world))


# --- moves and actions


@pytest.mark.parametrize("world", mostly_soaked(WORLDS, DIFFERENT), ids=str)
@pytest.mark.parametrize("near", [False, True], ids=["dealt", "near"])
def test_every_legal_move_is_spelled_and_nothing_else_is_allowed(world: World, near: bool) -> None:
    spaces, lots = spaces_of(world), Random(str(world))
    seen = set[str]()
    for game in played(started(world, 3, near=near), 3):
        seat = game.asked[0]
        moves = game.legal_moves(seat)
        spelled = {move: spaces.actions.spelled(game, move) for move in some(moves, lots)}
        assert len(set(spelled.values())) == len(spelled), "two moves have the same actions"
        assert all(made_by(spaces, game, seat, actions) == move for move, actions in spelled.items())
        found = spaces.actions.choices(game, seat)
        assert {actions[0] for actions in spelled.values()} <= set(found)
        if len(moves) <= MOST_MOVES:
            assert Counter(every_move(spaces, found)) == Counter(moves)
        else:  # any way leads to a legal move
            assert all(game.allows(any_move(spaces, found, lots)) for _ in range(5))
        seen |= {move.does for move in moves}
    assert len(seen) > (1 if near else 2)


def some(moves: tuple[Move, ...], lots: Random) -> list[Move]:
    return lots.sample(moves, MOST_MOVES) if len(moves) > MOST_MOVES else [*moves]


def made_by(spaces: Spaces, game: Match, seat: int, actions: tuple[int, ...]) -> Move:
    """The move that a learner makes by these actions."""
    found: Any = spaces.actions.choices(game, seat)
    for action in actions:
        assert not isinstance(found, Move)
        found = spaces.actions.following(found[action])
    assert isinstance(found, Move)
    return found


def every_move(spaces: Spaces, found: Any) -> Iterator[Move]:
    """The moves of all ways."""
    for ways in found.values():
        more = spaces.actions.following(ways)
        if isinstance(more, Move):
            yield more
        else:
            yield from every_move(spaces, more)


def any_move(spaces: Spaces, found: Any, lots: Random) -> Move:
    while not isinstance(found, Move):
        found = spaces.actions.following(found[lots.choice([*found])])
    return found


def test_moves_that_read_alike_are_told_apart_by_numbers() -> None:
    """Twelve moves with the same words, as wild tiles may make them: each has actions of its own."""
    spaces = spaces_of(CANTONESE)
    moves = [Move(0, "answer", (("way", f"{number}"),)) for number in range(12)]
    first = spaces.actions.number("seat", 1)
    ways = [*(Way((first,), move) for move in moves), Way((first, first), Move(0, "pass"))]
    found = begun(ways, spaces.actions.digits, spaces.actions.number("done"))
    assert Counter(every_move(spaces, found)) == Counter([*moves, Move(0, "pass")])


def test_a_move_that_is_not_legal_has_no_actions() -> None:
    table = LearningTable(spaces_of(CANTONESE), 7)
    with pytest.raises(IllegalMove, match="this is not a winning hand"):
        table.actions_of(Move(table.game.asked[0], "win"))


def test_actions_are_named() -> None:
    names = spaces_of(World("riichi")).actions.names
    assert len(set(names)) == len(names)
    assert {"pass", "win", "discard 0m", "chow 3m 4m 5m", "pung E E E", "riichi", "tile 0p", "seat 1"} <= set(names)


def test_the_mask_is_kept() -> None:
    table = LearningTable(spaces_of(CANTONESE), 7)
    wrong = next(action for action in range(len(table.spaces.actions)) if action not in table.open)
    before = repr(table.game)
    for action, told in ((wrong, r"\(.+\); the mask allows \d+ \("), (-1, "may not choose -1"), (10_000, "10000")):
        with pytest.raises(IllegalAction, match=told):
            table.act(action)
    assert repr(table.game) == before


# --- observations


@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_hidden_tiles_change_no_observation(name: str) -> None:
    spaces, lots, compared = spaces_of(World(name)), Random(name), 0
    one, two = np.empty((2, spaces.observations.size), np.float32)
    for number, game in enumerate(played(started(World(name), 5), 5)):
        if number % 6:
            continue
        for seat in game.program.everyone:
            other = permuted(game, seat, lots)
            assert other is not None
            spaces.observations.write(game, seat, (), one)
            spaces.observations.write(other, seat, (), two)
            assert np.array_equal(one, two), f"seat {seat} sees hidden tiles"
            spaces.observations.write(other, (seat + 1) % game.program.count, (), two)
            compared += not np.array_equal(one, two)
    assert compared > 10  # what others see differs


@pytest.mark.parametrize("name", mostly_soaked(PLAYED, (*VARIED, "siamese")))
def test_an_observation_is_what_the_view_says(name: str) -> None:
    spaces = spaces_of(World(name))
    observations, count = spaces.observations, spaces.rules.program.count
    row = np.empty(observations.size, np.float32)
    fields = [*observations.fields.values()]
    assert [field.start for field in fields] == [0, *(field.stop for field in fields[:-1])]
    assert fields[-1].stop == observations.size
    for game in played(started(World(name), 2), 2):
        seat = game.asked[-1]
        view = View(game, seat)
        observations.write(game, seat, (), row)
        shown = {field.name: field.of(row) for field in fields}
        for zone in spaces.rules.data.zones.values():
            for away in range(count if zone.of == "seat" else 1):
                seen = Counter(view.zone(zone.id, (seat + away) % count if zone.of == "seat" else 0))
                told = shown[f"zone:{zone.id}"][away]
                assert told[-1] == seen.pop(None, 0)
                assert {face: number for face, number in enumerate(told[:-1]) if number} == seen
                if zone.claimable:
                    faces = view.zone(zone.id, (seat + away) % count if zone.of == "seat" else 0)[-LATEST:]
                    latest = shown[f"latest:{zone.id}"][away]
                    assert [int(one.argmax()) for one in latest if one.any()] == [*reversed(faces)]
        assert ("hand_states" in shown) == (spaces.rules.data.seats.hands > 1)
        if "hand_states" in shown:
            expect_hands(view, [(seat + away) % count for away in range(count)], shown)
        latest, listed = view.discards[-MOST_DISCARDS:], shown["discards"].tolist()
        for one, (face, away, *how) in zip(latest, listed, strict=False):
            assert (face - 1, (away + seat) % count) == (observations.tiles if one.tile is None else one.tile, one.seat)
            assert how == [one.just_drawn, one.sideways, one.lies is None]
        assert not np.any(listed[len(latest) :])
        assert shown["scores"].tolist() == [float(view.scores[(seat + away) % count]) for away in range(count)]
        assert shown["turn"].tolist() == [float((seat + away) % count == view.turn) for away in range(count)]
        assert shown["place"].argmax() == seat and shown["asked"] == 1
        assert shown["tile"].sum() == (view.tile is not None)


def expect_hands(view: View, seats: list[int], shown: dict[str, Any]) -> None:
    """The melds of each hand of these seats, and what it is, are as in the view."""
    codes, said = [*(tile.code for tile in view.rules.data.tiles.tiles), None], view.to_json()
    for away, seat in enumerate(seats):
        hands = said["hands"][view.name(seat)]
        assert [["open", "won", "dead"][one.argmax()] for one in shown["hand_states"][away]] == [
            hand["state"] for hand in hands
        ]
        assert shown["hand_states"][away].sum() == len(hands)
        for hand, told in zip(hands, shown["hand_melds"][away], strict=True):
            melds = [meld for meld in said["melds"][view.name(seat)] if meld["hand"] == hand["hand"]]
            seen = Counter(code for meld in melds for code in meld["tiles"])
            assert {codes[face]: number for face, number in enumerate(told) if number} == seen


def test_a_move_that_has_begun_is_seen_by_its_player_alone() -> None:
    spaces = spaces_of(World("american"))
    table = LearningTable(spaces, 1)
    while len(table.open) < 2 or not spaces.actions.names[next(iter(table.open))].startswith("tile"):
        table.act(next(iter(table.open)))
    action = next(iter(table.open))
    table.act(action)
    own, others = np.empty((2, spaces.observations.size), np.float32)
    player = table.player
    assert player is not None
    table.write(player, own)
    table.write((player + 1) % 4, others)
    begun = spaces.observations.fields["begun"]
    assert begun.of(own)[action] == 1 and begun.of(own).sum() == 1 and not begun.of(others).any()


def test_everything_is_described() -> None:
    spaces = spaces_of(World("riichi"))
    lines = spaces.describe().splitlines()
    assert lines[0] == f"{spaces.observations.size} numbers, {len(spaces.actions)} actions"
    assert any("zone:dora_indicators 1x38: tiles of the table by face" in line for line in lines)
    assert sum(len(line) > 2 for line in lines) == 3 + len(spaces.observations.fields) + len(spaces.actions)


# --- rewards and seeds


@pytest.mark.parametrize("reward", ["hand", "match"])
def test_rewards_are_the_points_that_are_won(reward: Any) -> None:
    table = LearningTable(spaces_of(World("riichi")), 5, hands=3, reward=reward)
    start, won, paid, player = np.array(table.scores), np.zeros(4), 0, player_of("fast", table.spaces.rules, 1)
    while not table.over:
        table.answer(player.choose(View(table.game, table.game.asked[0])))
        rewards = table.rewards()
        won += rewards
        paid += any(rewards)
        assert table.rewards() == (0.0,) * 4
    assert won.tolist() == (np.array(table.points()) - start).tolist()
    assert any(won) and paid == (1 if reward == "match" else sum(any(one.player_gains) for one in table.game.results))


def test_what_the_deal_costs_is_among_the_rewards() -> None:
    table = LearningTable(spaces_of(World("royale_siamese")), 5)
    assert (table.points(), table.scores) == ((-100.0,) * 4, (0.0,) * 4)


def test_walls_are_those_of_the_engine() -> None:
    environment = env(rules_of(CANTONESE))
    environment.reset(seed=7)
    again = environment.unwrapped.table.game
    game = rules_of(CANTONESE).game(7)
    assert again.zones == game.zones
    environment.reset()
    assert environment.unwrapped.table.game.zones == rules_of(CANTONESE).game(8).zones


# --- environments


@pytest.mark.parametrize("world", mostly_soaked([*map(World, PLAYED), SIXTH], [*map(World, VARIED), SIXTH]), ids=str)
def test_pettingzoo_s_own_tests(world: World) -> None:
    rules = own_rules_of(world)  # kernels compiled for them in another test would run as written here, and warn
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(env(rules), num_cycles=150)
        seed_test(lambda: env(rules), num_cycles=25)
    assert [str(one.message) for one in told] == []


def test_an_environment_plays_a_whole_match() -> None:
    environment = env(rules_of(SIXTH), hands=4)
    environment.reset(seed=3)
    lots, won = Random(2), Counter[str]()
    for agent in environment.agent_iter():
        _, reward, over, _, info = environment.last()
        won[agent] += reward
        environment.step(None if over else lots.choice(np.flatnonzero(info["action_mask"]).tolist()))
    table = environment.unwrapped.table
    gains = [result.player_gains for result in table.game.results]
    assert len(gains) > 1 and [won[f"player_{one}"] for one in range(3)] == [*map(sum, zip(*gains, strict=True))]
    assert "actions" in environment.unwrapped.describe()


def test_an_environment_is_pickled_and_copied() -> None:
    environment = env(rules_of(CANTONESE))
    environment.reset(seed=np.int64(3))
    for _ in range(70):
        environment.step(int(np.flatnonzero(environment.last()[-1]["action_mask"])[-1]))
    others = [pickle.loads(pickle.dumps(environment)), deepcopy(environment)]
    while not environment.unwrapped.table.over:
        observation, reward, _, _, info = environment.last()
        action = int(np.flatnonzero(info["action_mask"])[0])
        for other in others:
            assert np.array_equal(other.last()[0], observation) and other.last()[1] == reward
            other.step(action)
        environment.step(action)
    assert all(other.unwrapped.table.over for other in others)


def test_an_environment_is_shown() -> None:
    environment = env(rules_of(CANTONESE), render_mode="ansi")
    environment.reset(seed=3)
    text = environment.render()
    assert text.startswith("cantonese, round 1, hand 1, ") and "scores: E 500, S 500" in text
    assert environment.unwrapped.table.game.program.code[environment.unwrapped.table.game.zones["hand"][0][0]] in text
    with pytest.raises(ValueError, match="'ansi' or 'human', not 'rgb'"):
        env(rules_of(CANTONESE), render_mode="rgb")  # type: ignore[arg-type]


@pytest.mark.parametrize("compiled", [True, False])
def test_many_tables_are_pickled_and_copied(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilewright.players.learning.vector.MOST_KEPT", 100)
    lots = np.random.default_rng(3)
    tables = VectorTables(rules_of(CANTONESE), 3, seed=5, others={2: "random"}, compiled=compiled)
    for _ in range(140):
        tables.step(tables.any_legal(lots.random(3)))
    others = [pickle.loads(pickle.dumps(tables)), deepcopy(tables)]
    others.append(pickle.loads(pickle.dumps(others[0])))
    for _ in range(60):
        assert all(
            np.array_equal(*parts) for one in others for parts in zip(tables.now.parts, one.now.parts, strict=True)
        )
        actions = tables.any_legal(lots.random(3))
        for one in (tables, *others):
            one.step(actions)


def test_many_tables_have_the_names_of_gymnasium() -> None:
    tables = VectorTables(rules_of(CANTONESE), 3, seed=5)
    names = {"num_envs", "reset", "step", "close", "single_observation_space", "single_action_space"}
    names |= {"observation_space", "action_space"}
    assert names <= {name for name in dir(VectorEnv) if name[0] != "_"} | {*VectorEnv.__annotations__}
    first = tables.reset(seed=8)
    assert np.array_equal(tables.reset().observations, first.observations)
    assert tables.observation_space.contains(first.observations)
    assert tables.single_observation_space.contains(first.observations[0])
    actions = tables.any_legal([0.5] * 3)
    assert tables.action_space.contains(actions) and tables.single_action_space.contains(actions[0])
    after = tables.step(actions)
    assert after.terminations.shape == after.truncations.shape == (tables.num_envs,) and not after.truncations.any()
    tables.close()


def test_without_pettingzoo_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "tilewright.players.learning.environment")
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'tilewright\[rl\]'"):
        import_module("tilewright.players.learning.environment")


def test_many_tables_are_as_each_alone() -> None:
    """By `Match`; compiled play is compared with that in test_learning_machine.py."""
    rules, count = rules_of(SIXTH), 3
    vector, lots = VectorTables(rules, count, seed=10), Random(4)
    alone, seeds, ends = [LearningTable(vector.spaces, 10 + number) for number in range(count)], [10, 11, 12], 0
    for _ in range(200):
        now = vector.now
        assert now.players.tolist() == [table.player for table in alone]
        for number, table in enumerate(alone):
            row = np.empty(vector.spaces.observations.size, np.float32)
            table.write(int(now.players[number]), row)
            assert np.array_equal(row, now.observations[number])
            assert np.flatnonzero(now.masks[number]).tolist() == sorted(table.open)
        actions = [lots.choice(np.flatnonzero(mask).tolist()) for mask in now.masks]
        after = vector.step(np.array(actions))
        for number, action in enumerate(actions):
            alone[number].act(action)
            assert after.rewards[number].tolist() == [*alone[number].rewards()]
            assert after.terminations[number] == alone[number].over
            if alone[number].over:
                ends += 1
                seeds[number] += count
                alone[number] = LearningTable(vector.spaces, seeds[number])
    assert ends > 3


def test_others_play_for_themselves() -> None:
    rules: Rules = rules_of(CANTONESE)
    vector = VectorTables(rules, 2, others={1: "fast", 2: "random", 3: "random"})
    for _ in range(60):
        now: Tables = vector.step(vector.now.masks.argmax(axis=1))
        assert now.players.tolist() == [0, 0]


def test_wrong_use_is_told() -> None:
    rules = rules_of(CANTONESE)
    with pytest.raises(ValueError, match="tables is a whole number from 1 to 1,048,576"):
        VectorTables(rules, 0)
    with pytest.raises(ValueError, match="players are 0 to 3, and one of them has to be left"):
        VectorTables(rules, 1, others=dict.fromkeys(range(4), "fast"))
    with pytest.raises(ValueError, match="'nobody' is no bot; bots are random, fast, careful, strong"):
        VectorTables(rules, 1, others={0: "nobody"})
    vector = VectorTables(rules, 2)
    for actions in ([1], [0.5, 0.5], [[1, 1]]):
        with pytest.raises(ValueError, match="2 whole numbers are needed"):
            vector.step(actions)
    before = [part.tolist() for part in vector.now.parts]
    for wrong in (-1, vector.now.masks.shape[1], int(vector.now.masks[1].argmin())):
        with pytest.raises(IllegalAction, match=f"player {vector.now.players[1]} may not choose"):
            vector.step([int(vector.now.masks[0].argmax()), wrong])
    assert [part.tolist() for part in vector.now.parts] == before
    for lots in ([0.5], [0.5, 1], [-0.1, 0], [0, float("nan")]):
        with pytest.raises(ValueError, match="2 numbers from 0 to below 1 are needed"):
            vector.any_legal(lots)


def test_any_legal_action_may_be_chosen() -> None:
    vector = VectorTables(rules_of(CANTONESE), 2, seed=3)
    legal = [np.flatnonzero(mask).tolist() for mask in vector.now.masks]
    chosen = [vector.any_legal([lot, lot]).tolist() for lot in np.linspace(0, 1, 400, endpoint=False)]
    assert [sorted(set(column)) for column in zip(*chosen, strict=True)] == legal
    assert {column.count(column[0]) for column in zip(*chosen, strict=True)} <= {400 // len(one) for one in legal} | {
        400 // len(one) + 1 for one in legal
    }


@pytest.mark.parametrize("copy", [True, False])
def test_arrays_are_new_or_the_same(copy: bool) -> None:
    vector = VectorTables(rules_of(CANTONESE), 2, seed=3, copy=copy)
    before = vector.now
    kept = before.observations.copy()
    after = vector.step(vector.any_legal([0.1, 0.1]))
    assert (after.observations is before.observations) != copy
    assert np.array_equal(before.observations, kept) == copy
    if copy:
        after.masks[:] = False  # those of the tables are others
        vector.step(vector.any_legal([0.1, 0.1]))
    else:
        with pytest.raises(ValueError, match="read-only"):
            after.masks[:] = False


# --- the example


def test_the_example_learns(tmp_path: Path) -> None:
    chart, program = tmp_path / "learning.svg", str(ROOT / "examples/learning/learn.py")
    command = [sys.executable, program, "--rounds", "1", "--hands", "400", "--tested", "128", "--chart", str(chart)]
    given = {**os.environ, **ONE_THREAD}
    lines = subprocess.run(command, env=given, capture_output=True, text=True, check=True).stdout.splitlines()
    before, after = (float(line.split()[2]) for line in lines)
    assert after > before + 0.4  # points a hand
    marks = {one.get("aria-roledescription") for one in parse(chart).getroot().iter()}
    assert {"area mark container", "line mark container"} <= marks


def test_the_example_is_a_ruleset_without_problems(capfd: pytest.CaptureFixture[str]) -> None:
    assert check([str(ROOT / "examples/learning/pocket.yaml")], fail_on="warning", set_=[], mod=[]) == 0, (
        capfd.readouterr().err
    )
