"""Payments of compiled play: the machine pays what `settle` says, whoever wins with whatever measures."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tilewright.base.compute.arrays import Array
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import asking, paying
from tilewright.play.compiled.machine.operands import Machine
from tilewright.play.compiled.machine.running import OPERATIONS, run
from tilewright.play.compiled.play import CompiledGame, CompiledPlay
from tilewright.play.rules import load
from tilewright.play.scene.scene import TableScene
from tilewright.scoring.payments.settling import gains, settle

PAYING = ("cantonese", "mcr", "riichi", "sanma", "zung_jung")  # each pays every win in the machine
SETTLEMENTS = 40
MEASURES = (0, 1, 2, 3, 8, 25, 320, 2000)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("id", PAYING)
def test_the_machine_pays_what_settle_says(id: str) -> None:
    play, chance = CompiledPlay(load(id)), Random(id)
    for number in range(SETTLEMENTS):
        game = play.game(number)
        game.begin()
        winner = win_somehow(game, chance)
        expected = {**dict.fromkeys(range(play.program.count + 1), 0), **expected_gains(game, winner)}
        before = scores(game)
        assert pays(game, winner)
        assert {seat: after - before[seat] for seat, after in scores(game).items()} == expected


def win_somehow(game: CompiledGame, chance: Random) -> int:
    """A seat has won by lot on some tile, with any measures; marks are set. Which seat."""
    state, writer, program = game.state, game.compiled.image.code.writer, game.compiled.program
    winner, other = chance.sample(program.everyone, 2)
    owner = chance.choice((winner, other))
    row = int(game.compiled.image.numbers[at.HAND_ROW]) + owner
    state[at.TILE] = state[at.ROW + row * at.MOST_TILES + state[at.ROW_START + row]]
    state[at.DISCARDER] = at.NONE if owner == winner else owner
    state[at.WINNERS], state[at.FIRST_WINNER], state[at.MEASURED] = 1 << winner, winner, 1 << winner
    for place in range(len(writer.measures)):
        state[at.MEASURE + winner * at.MOST_MEASURES + place] = chance.choice(MEASURES)
    for name, mark in program.data.marks.items():
        values = {"number": range(4), "seat": (at.UNSET, *program.everyone)}.get(mark.type)
        for seat in range(program.count if mark.of == "seat" else 1) if values else ():
            state[at.MARK + writer.marks[name] * at.MOST_SEATS + seat] = chance.choice(values or ())
    state[at.SCORE + program.count] = chance.choice((0, 1000))
    return winner


def expected_gains(game: CompiledGame, winner: int) -> dict[int, Any]:
    """What the plain settlement comes to."""
    game.follower.follow()
    match, writer, state = game.follower.match, game.compiled.image.code.writer, game.state
    start = at.MEASURE + winner * at.MOST_MEASURES
    values = {name: int(state[start + place]) for name, place in writer.measures.items()}
    won: Any = SimpleNamespace(score=SimpleNamespace(values=values))
    match.winners, match.won = (winner,), {winner: won}
    return gains(settle(TableScene(match, winner).knowing(winner=(winner,)), "win"), match.program.count)


def pays(game: CompiledGame, winner: int) -> bool:
    """Have the machine settle a win by itself. False where it leaves that to the host."""
    state, image = game.state, game.compiled.image
    code, payments = image.code.writer.code, image.code.writer.payments.index("win")
    left = next(n for n, line in enumerate(code) if line.operation is paying.settle and line.operands[0] == payments)
    first = max(n for n in range(left) if code[n].operation is paying.begin)
    assert code[left - 2].operation is paying.pay
    numbers: Array = image.numbers.copy()
    stops = int(numbers[at.CODE]) + (left - 1) * at.INSTRUCTION
    numbers[stops : stops + 2] = OPERATIONS.index(asking.tried), at.TURN  # the machine stops after it has paid
    state[at.DEPTH], state[at.AT] = 0, first
    state[at.FRAME] = state[code[left].operands[1]] = winner
    status = run(Machine(state, numbers, image.forms, image.places))
    assert status in (at.TRIED, at.HOST)
    return status == at.TRIED


def scores(game: CompiledGame) -> dict[int, int]:
    return {seat: int(game.state[at.SCORE + seat]) for seat in range(game.compiled.program.count + 1)}
