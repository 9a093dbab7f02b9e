"""Payments of compiled play: the machine pays what `settle` says, whoever wins with whatever measures."""

from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tilewright.base.arrays import Array
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import asking, seating
from tilewright.play.compiled.machine.operands import Machine
from tilewright.play.compiled.machine.running import OPERATIONS, run
from tilewright.play.compiled.play import CompiledGame, CompiledPlay
from tilewright.play.compiled.writing import steps
from tilewright.play.compiled.writing.values import write_settlement
from tilewright.play.compiled.writing.writer import Scope, Writer
from tilewright.play.rules import load
from tilewright.play.scene import TableScene
from tilewright.scoring.payments import gains, settle

PAYING = (
    ("cantonese", ()),
    ("cantonese", ("pie",)),
    ("chinese_classical", ()),
    ("chinese_classical", ("limit",)),
    ("mcr", ()),
    ("riichi", ()),
    ("riichi", ("pie",)),
    ("sanma", ()),
    ("uzje", ()),
    ("zung_jung", ()),
)
SETTLEMENTS = 40
MEASURES = (0, 1, 2, 3, 8, 25, 320, 2000)
HALVES = ("cantonese",)  # rulesets whose measures are halves

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("id", "mods"), PAYING)
def test_the_machine_pays_what_settle_says(id: str, mods: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    written = dict[str, int]()  # by payments, behind which place of the code they are made

    def noted(writer: Writer, payments: str, scope: Scope) -> None:
        begins = len(writer.code)
        write_settlement(writer, payments, scope)
        written[payments] = begins

    monkeypatch.setattr(steps, "write_settlement", noted)
    play, chance = CompiledPlay(load(id, {}, mods)), Random(id)
    for number in range(SETTLEMENTS):
        game = play.game(number)
        game.begin()
        winner = win_somehow(game, chance)
        expected = {**dict.fromkeys(range(play.program.count + 1), 0), **expected_gains(game, winner)}
        before = scores(game)
        pay(game, winner, written["win"])
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
    one = writer.unit // 2 if program.data.id in HALVES else writer.unit
    for seat in program.everyone:
        for place in range(len(writer.measures)):
            state[at.MEASURE + seat * at.MOST_MEASURES + place] = chance.choice(MEASURES) * one
    for name, mark in program.data.marks.items():
        values = {"number": range(4), "seat": (at.UNSET, *program.everyone)}.get(mark.type)
        for seat in range(program.count if mark.of == "seat" else 1) if values else ():
            state[at.MARK + writer.marks[name] * at.MOST_SEATS + seat] = chance.choice(values or ())
    if game.compiled.knowledge.asks_scores:
        for seat in program.everyone:
            state[at.SCORE + seat] = chance.choice((0, 10, 400)) * writer.unit
    state[at.SCORE + program.count] = chance.choice((0, 1000)) * writer.unit
    return winner


def expected_gains(game: CompiledGame, winner: int) -> dict[int, Any]:
    """What the plain settlement comes to."""
    game.follower.follow()
    match, writer, state = game.follower.match, game.compiled.image.code.writer, game.state
    values = [
        {
            name: Fraction(int(state[at.MEASURE + seat * at.MOST_MEASURES + place]), writer.unit)
            for name, place in writer.measures.items()
        }
        for seat in match.program.everyone
    ]
    won: Any = SimpleNamespace(score=SimpleNamespace(values=values[winner]))
    match.winners, match.won, match.losses = (winner,), {winner: won}, dict(enumerate(values))
    return gains(settle(TableScene(match, winner).knowing(winner=(winner,)), "win"), match.program.count)


def pay(game: CompiledGame, winner: int, begins: int) -> None:
    """Have the machine pay a win."""
    state, image = game.state, game.compiled.image
    code = image.code.writer.code
    measured = next(n for n in range(begins, len(code)) if code[n].operation is seating.begin) + 1
    ends = next(n for n in range(measured, len(code)) if code[n].operation is seating.pay) + 1
    numbers: Array = image.numbers.copy()
    stops = int(numbers[at.CODE]) + ends * at.INSTRUCTION
    numbers[stops : stops + 2] = OPERATIONS.index(asking.tried), at.TURN  # the machine stops after it has paid
    state[at.DEPTH], state[at.FRAME] = 0, winner
    for seat in range(game.compiled.program.count + 1):
        state[at.GAIN + seat] = state[at.SPENT + seat] = 0
    state[at.AT], state[at.NOTED], state[at.MEASURED] = measured, state[at.PAID], (1 << game.compiled.program.count) - 1
    assert run(Machine(state, numbers, image.forms)) == at.TRIED


def scores(game: CompiledGame) -> dict[int, Fraction]:
    unit = game.compiled.image.code.writer.unit
    return {seat: Fraction(int(game.state[at.SCORE + seat]), unit) for seat in range(game.compiled.program.count + 1)}
