"""Compiled play that is checked from outside: whenever a tile has moved, every tile lies in exactly one place; whenever
points were paid, what one gets another one pays. Kernels of the machine that call others by name call these instead."""

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from conftest import ROOT

from kernelc.building import CHECKED, compiled, translated
from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, Entry, Operation, entry, kernel, loaded, long_entry
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import count_offers
from tilewright.play.compiled.kernel.tiles import carry, lay_group
from tilewright.play.compiled.machine import running
from tilewright.play.compiled.machine.seating import pay_gains, take_back
from tilewright.players.compiled import moves

LOST, UNBALANCED, MISCOUNTED = 101, 102, 103  # problems that the machine then has
BROKEN = {LOST: "tiles are lost or doubled", UNBALANCED: "payments do not balance", MISCOUNTED: "a hand is miscounted"}


@kernel
def conserved(S: I64, P: I64) -> bool:
    """Whether every tile of the table lies in exactly one place, and is where it lies."""
    count = total = squares = 0
    for row in range(at.MOST_ROWS):
        for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
            tile = S[at.ROW + row * at.MOST_TILES + spot]
            if S[at.WHERE + tile] != row:
                return False
            count, total, squares = count + 1, total + tile, squares + tile * tile
    for seat in range(P[at.SEATS]):
        for meld in range(S[at.LAID_SIZE + seat]):
            laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
            for number in range(S[laid + at.LAID_COUNT]):
                tile = S[laid + at.LAID_TILES + number]
                if S[at.WHERE + tile] != at.IN_MELDS - seat:
                    return False
                count, total, squares = count + 1, total + tile, squares + tile * tile
    for tile in range(P[at.FIRST], P[at.TILES]):  # the same sums: none twice while another is missing
        count, total, squares = count - 1, total - tile, squares - tile * tile
    return count == 0 and total == 0 and squares == 0


@kernel
def counted(S: Array, P: Array) -> bool:
    """Whether every hand is counted as it lies."""
    for seat in range(P[at.SEATS]):
        row, held, faces = P[at.HAND_ROW] + seat, 0, 0
        for kind in range(P[at.FIRST]):
            held += S[at.COUNT + seat * at.MOST_FACES + kind]
        if held != S[at.ROW_END + row] - S[at.ROW_START + row]:
            return False
        for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
            kind, same = P[P[at.PLAIN] + S[at.ROW + row * at.MOST_TILES + spot]], 0
            faces |= 1 << P[P[at.PLACE] + S[at.ROW + row * at.MOST_TILES + spot]]
            for other in range(S[at.ROW_START + row], S[at.ROW_END + row]):
                same += P[P[at.PLAIN] + S[at.ROW + row * at.MOST_TILES + other]] == kind
            if S[at.COUNT + seat * at.MOST_FACES + kind] != same:
                return False
            for number in range(at.MOST_ALIKE):
                if S[at.ALIKE + seat * at.MOST_ALIKE + number] >> kind & 1 != (same > number):
                    return False
        if S[at.FACES + seat] != faces and not P[at.SEVERAL_FACES]:
            return False
    return True


@kernel
def points(S: Array) -> int:
    """All points of seats and pot."""
    total = 0
    for seat in range(at.MOST_SEATS + 1):
        total += S[at.SCORE + seat]
    return int(total)


@kernel
def checked_carry(S: Array, P: Array, image: Array, tile: int, row: int) -> None:
    carry(S, P, image, tile, row)
    if not conserved(S, P):
        S[at.PROBLEM] = LOST


@kernel
def checked_lay(S: Array, P: Array, image: Array, group: int, seat: int, concealed: int, seen: int, hand: int) -> None:
    lay_group(S, P, image, group, seat, concealed, seen, hand)
    if not conserved(S, P):
        S[at.PROBLEM] = LOST


@kernel
def checked_gains(S: Array, seats: int) -> None:
    before = points(S)
    pay_gains(S, seats)
    if points(S) != before:
        S[at.PROBLEM] = UNBALANCED


@kernel
def checked_take_back(S: Array, payee: int, lines: int, final: int) -> None:
    before = points(S)
    take_back(S, payee, lines, final)
    if points(S) != before:
        S[at.PROBLEM] = UNBALANCED


@kernel
def checked_offers(S: Array, P: Array) -> None:
    """At every question of a phase."""
    count_offers(S, P)
    if not conserved(S, P):
        S[at.PROBLEM] = LOST
    elif not counted(S, P):
        S[at.PROBLEM] = MISCOUNTED


def calling(function: Callable[..., int] | Entry[..., int], name: str, **others: Any) -> FunctionType:
    """The kernel under another name, with others called by some of the names that it calls."""
    plain = function.plain if isinstance(function, Entry) else function
    assert isinstance(plain, FunctionType)
    assert others.keys() <= set(plain.__code__.co_names), f"{plain.__name__} does not call all of these"
    made = FunctionType(plain.__code__, {**plain.__globals__, **others}, name)
    made.__module__, made.__qualname__, made.__annotations__ = __name__, name, plain.__annotations__
    return made


CHECKED_KERNELS: dict[str, Any] = {
    "carry": checked_carry,
    "lay_group": checked_lay,
    "pay_gains": checked_gains,
    "take_back": checked_take_back,
    "count_offers": checked_offers,
}


def checked(operation: Operation) -> Operation:
    """The operation, with the kernels checked that it calls."""
    called = CHECKED_KERNELS.keys() & set(operation.plain.__code__.co_names)
    others = {name: CHECKED_KERNELS[name] for name in called}
    return Operation(calling(operation.plain, operation.name, **others)) if others else operation


OPERATIONS = tuple(map(checked, running.OPERATIONS))
assert CHECKED_KERNELS.keys() <= {name for one in running.OPERATIONS for name in one.plain.__code__.co_names}
RUN = kernel(calling(running.run, "run", OPERATIONS=OPERATIONS))
PLAY = long_entry(calling(running.play, "play", run=RUN))
PLAY_ON = long_entry(
    calling(moves.play_on, "play_on", run_judging=kernel(calling(moves.run_judging, "run_judging", run=RUN)))
)
CONSERVED = entry(calling(conserved, "all_conserved"))


def compiled_checked(folder: Path) -> Path:
    """The module of these, compiled into a folder: every index is looked at there."""
    made = translated(ROOT / "engine/tilewright", [PLAY, PLAY_ON, CONSERVED])
    source, module = folder / "checked.c", folder / "checked.so"
    source.write_text(made.text, encoding="utf-8")
    compiled(source, module, CHECKED)
    return module


def use_checked(module: Path) -> None:
    """Have these entries call the module."""
    functions = loaded(str(module))
    for one in (PLAY, PLAY_ON, CONSERVED):
        one.run = functions.bind(one.id)
