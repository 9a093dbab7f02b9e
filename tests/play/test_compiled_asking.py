"""What steps ask in compiled play: the machine and `Match` put the same questions, and random players answer alike; and
what a soak of a million hands would find (`checked_play`)."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from budget import budget
from checked_play import conserved, counted, points
from conftest import ROOT
from test_compiled_play import HANDS, outcome, the_same_games

from kernelc.building import CHECKED, compiled, translated
from tilewright.base.kernels import I64, entry, loaded
from tilewright.play import chance
from tilewright.play.compiled.host import Odd
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import lots_of, luck_of, roll
from tilewright.play.compiled.kernel.questions import drawn_tiles
from tilewright.play.compiled.machine import asking as machine_asking
from tilewright.play.compiled.machine import going, moving, seating
from tilewright.play.compiled.play import CompiledPlay
from tilewright.play.model import Pick
from tilewright.play.rules import Rules, load
from tilewright.play.view import View
from tilewright.players.bots.random_bot import SeededChoices
from tilewright.players.player import bot
from tilewright.players.simulation.game import CompiledTable, FinishedGame
from tilewright.players.simulation.run import seed_of

# Every kind of answer that the machine keeps, dice, and tiles of a class, a changing number and a condition.
ASKING = """
tilewright: 1
kind: ruleset
id: asking
name: Asking
extends: sichuan
zones: {aside: {of: seat, seen_by: owner}}
marks:
  strength: {of: seat, is: number}
  fate:     {of: table, is: number}
  pips:     {of: seat, is: number, secret: true}
  laid:     {of: seat, is: tiles, secret: true}
  owed:     {of: seat, is: number, start: 0}
actions:
  owe: {takes: {how_much: number, whom: seat}, do: [{mark: {fate: fate + 1}}]}
triggers:
  owed: {after: [owe], when: how_much > 1, do: [{for: whom, mark: {owed: owed + how_much}}]}
insert:
  - after: phases.exchange.do.exchange
    do:
      - ask: {who: everyone, choose: {rare: {tiles: 5, from: hand, when: rare.suits == 1}}}  # seldom found by lot
      - ask: {who: everyone, choose: {bid: {number: 0..3}}}
      - ask: {who: others, choose: {again: {flag: Once more}, colour: {suit: true, when: again or colour != circles}}}
      - ask: {who: everyone, choose: {most_of: {number: 0..bid}}}
      - roll: {side: [left, right], luck: [1, 2, 3, 4, 5]}
      - roll: {fate: [1, 2 * bid]}
      - {for: everyone, mark: {strength: bid + luck + 10 * count(again)}}
      - {for: everyone, mark: {pips: sum(t.rank for t in hand)}}
      - {for: everyone, owe: {how_much: luck, whom: next(seat)}}
      - ask: {who: everyone, secret: true, choose: {offered: {tiles: bid, least: 0, from: hand, of: [simples]}}}
      - {for: everyone, mark: {laid: offered}}
      - {for: everyone, move: {tiles: offered, from: hand, to: aside}}
      - ask: {who: everyone, choose: {shown: {tiles: 2, least: 1, from: hand, when: shown.suits == 1 or bid == 2}}}
      - {for: everyone, move: {tiles: aside, from: aside, to: hand}}
      - {for: everyone, when: bid == 3, move: {tiles: shown, from: hand, to: side(seat).aside}}
      - {for: everyone, when: side(seat).bid == 0, mark: {strength: 7}}
      - {for: everyone, move: {tiles: shown, from: right(seat).aside, to: hand}}
      - {for: everyone, move: {tiles: shown, from: left(seat).aside, to: hand}}
"""

# Discards that are turned under conditions of the machine and of the host, from several hands and to another seat.
TURNING = """
tilewright: 1
kind: ruleset
id: turning
name: Turning
extends: sichuan
zones:
  discards: {sideways: SIDEWAYS}
insert:
  - after: phases.exchange.do.exchange
    do:
      - ask: {who: everyone, choose: {shed: {tiles: 2, least: 1, from: hand}}}
      - {for: everyone, move: {tiles: shed, from: hand, to: left(seat).discards}}
      - {for: everyone, move: {tiles: right(seat).discards, from: right(seat).discards, to: hand}}
"""

# A step that has no code: the tiles of a class.
CLASSES = """
tilewright: 1
kind: ruleset
id: classes
name: Classes
extends: sichuan
zones: {aside: {of: seat, seen_by: owner}}
insert:
  - after: phases.exchange.do.exchange
    do: [{for: everyone, move: {count: 1, of: [circles], from: hand, end: random, to: aside}}]
"""

pytestmark = pytest.mark.slow


@pytest.fixture
def asking(tmp_path: Path) -> Rules:
    path = tmp_path / "asking.yaml"
    path.write_text(ASKING, encoding="utf-8")
    return load(str(path))


def test_the_machine_asks_by_itself(asking: Rules) -> None:
    """Every step has code."""
    code = CompiledPlay(asking).image.code.writer.code
    assert not any(line.operation is going.leave for line in code)
    assert sum(line.operation is machine_asking.ask for line in code) == 8


def test_both_ask_the_same(asking: Rules) -> None:
    the_same_games(CompiledPlay(asking), budget(1))


@pytest.mark.parametrize("condition", ["discards > 2", "true", "hand.suits == 3 and distance < 9"])
def test_tiles_are_turned_alike(condition: str, tmp_path: Path) -> None:
    path = tmp_path / "turning.yaml"
    path.write_text(TURNING.replace("SIDEWAYS", condition), encoding="utf-8")
    play = CompiledPlay(load(str(path)))
    assert any(line.operation is moving.turn for line in play.image.code.writer.code)
    the_same_games(play, budget(1))


def test_the_first_tile_of_the_wall_is_shown_alike() -> None:
    play = CompiledPlay(load("sichuan", {}, ("futures",)))
    assert any(line.operation is moving.first for line in play.image.code.writer.code)
    the_same_games(play, budget(1))


@pytest.mark.parametrize(
    ("ruleset", "options", "mods", "operation"),
    [
        ("american", {}, ("zombie_blanks",), moving.swap),
        ("american", {}, ("stacks",), moving.mix),
        ("uzje", {"closed_quads": "hidden"}, (), moving.hide),
    ],
)
def test_tiles_go_elsewhere_alike(ruleset: str, options: dict[str, Any], mods: tuple[str, ...], operation: Any) -> None:
    """They change places, go into a wall that is shuffled again, or are turned face down."""
    play = CompiledPlay(load(ruleset, options, mods))
    assert any(line.operation is operation for line in play.image.code.writer.code)
    the_same_games(play, budget(1))


def test_a_match_plays_steps_without_code(tmp_path: Path) -> None:
    path = tmp_path / "classes.yaml"
    path.write_text(CLASSES, encoding="utf-8")
    rules, players = load(str(path)), ("random",) * 4
    play = CompiledPlay(rules)
    table = CompiledTable(play)
    assert sum(line.operation is going.leave for line in play.image.code.writer.code) == 1
    with pytest.raises(Odd, match=str(at.Problem.NO_CODE.value)):
        table.game(seed_of(8, 0), players, 1).hand()
    one, other = (FinishedGame(rules, players, compiled=by).game(0, seed_of(8, 0)) for by in (table, None))
    assert [hand.line() for hand in one.hands] == [hand.line() for hand in other.hands]


def test_payments_that_are_final_are_kept_alike() -> None:
    play = CompiledPlay(load("sichuan", {"kong_passes_on": True}))
    assert any(line.operation is seating.refund and line.operands[2] for line in play.image.code.writer.code)
    the_same_games(play, budget(1))


def test_payments_with_a_limit_are_taken_back_alike() -> None:
    play = CompiledPlay(load("sichuan", {}, ("pie",)))
    code = play.image.code.writer.code
    assert any(line.operation is seating.refund for line in code)
    assert any(line.operation is seating.gain and line.operands[3] != at.NONE for line in code)
    the_same_games(play, budget(1))


def test_random_players_answer_alike(asking: Rules) -> None:
    """In the machine, and where a `Match` is told the numbers of their moves: the same games, with their events."""
    play = CompiledPlay(asking)
    for number in range(budget(1)):
        game = CompiledTable(play).game(seed_of(8, number), ("random",) * 4, HANDS)
        results = list(game.hands())
        match = play.rules.game(game.match.seed, hands=HANDS)
        players = [bot("random", play.rules, game.match.seed)] * 4
        while match.asked:
            view = View(match, match.asked[0])
            match.answer(players[match.player(match.asked[0])].choose(view))
        assert match.events
        assert list(map(outcome, match.results)) == list(map(outcome, results))
        assert len(game.moves) == sum(result.answers for result in results)


@entry
def drawn_by(S: I64, P: I64, seed: int, number: int) -> int:
    return drawn_tiles(S, P, 0, lots_of(luck_of(seed, 2), 5), number)


@entry
def rolled(S: I64, sides: int) -> int:
    return roll(S, sides)


@pytest.fixture(scope="module")
def lots(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What kernels draw and roll, compiled: their numbers without a sign wrap around."""
    folder = tmp_path_factory.mktemp("lots")
    source = translated(ROOT / "engine/tilewright", [drawn_by, rolled])
    (folder / "lots.c").write_text(source.text, encoding="utf-8")
    compiled(folder / "lots.c", folder / "lots.so", CHECKED)
    return loaded(str(folder / "lots.so"))


def test_tiles_are_drawn_by_the_same_lots(lots: Any) -> None:
    draw = lots.bind(drawn_by.id)
    state, numbers = np.zeros(at.STATE, np.int64), np.zeros(at.HEADER + 100, np.int64)
    numbers[at.FACE] = at.HEADER
    faces = [0, 0, 1, 2, 2, 2, 3, 4, 5, 5, 6, 7, 7]
    numbers[at.HEADER : at.HEADER + len(faces)] = faces
    state[at.PICKED : at.PICKED + 3 + len(faces)] = 1, 4, len(faces), *range(len(faces))
    pick = Pick("answer", "given", 1, 4, tuple(map(str, faces)))
    for seed in range(budget(40)):
        choices, number = SeededChoices(seed, 2, 5), 1
        for _ in range(3):
            choices.below(1)
            chosen = pick.numbers_of(choices.picked(0, pick))
            assert chosen is not None
            assert draw(state, numbers, seed, number) == sum(1 << n for n in chosen)
            number += 2 + len(chosen)


def test_dice_are_those_of_the_table(lots: Any) -> None:
    state = np.zeros(at.STATE, np.int64)
    for seed in range(budget(20)):
        state[at.SEED], state[at.HAND_NUMBER], state[at.COUNTER] = seed, 3, 4
        for counter in (5, 6):
            assert lots.bind(rolled.id)(state, 7) == chance.below(7, chance.numbers(seed, 3, counter))


# --- checks of a soak


def test_what_is_lost_or_miscounted_would_be_found() -> None:
    game = CompiledPlay(load("cantonese")).game(1)
    game.begin()
    state, numbers = game.state, game.compiled.image.numbers
    assert conserved(state, numbers) and counted(state, numbers)
    hand = int(numbers[at.HAND_ROW])
    before = state.copy()
    state[at.ROW_END + hand] -= 1  # a tile is gone
    assert not conserved(state, numbers) and not counted(state, numbers)
    state[:] = before
    first = at.ROW + hand * at.MOST_TILES + state[at.ROW_START + hand]
    state[first] = state[first + 1]  # one is there twice
    assert not conserved(state, numbers)
    state[:] = before
    state[at.WHERE + state[first]] = hand + 1  # one is not where it lies
    assert not conserved(state, numbers)
    state[:] = before
    state[at.COUNT + numbers[numbers[at.PLAIN] + state[first]]] += 1
    assert not counted(state, numbers)
    state[at.SCORE + 2] += 3
    assert points(state) == 3
