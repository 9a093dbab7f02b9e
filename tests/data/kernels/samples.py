"""Kernels that try every part of what is translated (tests/base/test_kernelc.py): entries of this file are compiled,
and compared with what Python makes of them. `given`: random arguments of each."""

import math
from enum import IntEnum
from random import Random
from typing import Annotated, Any, NamedTuple

import numpy as np

from tilewright.base.kernels import (
    B8,
    F64,
    I64,
    ON,
    U8,
    I32x2,
    I64x2,
    I64x3,
    entry,
    kernel,
    lowest_bit,
    operation,
    wrapped,
)

TABLE = (3, 1, 4, 1, 5)
ODD = np.array([9, 8, 7], np.int64)
SHARES = (0.5, 0.25, 0.125)
HIGH = wrapped(0x9E3779B97F4A7C15)
GOLDEN = 0x9E3779B97F4A7C15


class Kind(IntEnum):
    PLAIN, RED = 2, 7


class Pair(NamedTuple):
    """What entries may take as one argument."""

    numbers: I64
    shares: F64


class Nested(NamedTuple):
    pair: Pair
    truths: B8


@kernel
def bump(S: Any, by: int) -> int:
    """Writes, then tells: calls of it may not change places with reads."""
    S[0] += by
    return int(S[0])


@entry
def bumped(S: I64, a: int, b: int) -> int:
    return bump(S, a) + b


@entry
def order(S: I64, a: int, b: int) -> int:
    first = S[0] + bump(S, a) * 3 + S[0]
    S[1], S[2] = bump(S, b), S[0]
    second = S[0] if bump(S, a) > 5 and bump(S, b) % 3 != 1 else bump(S, 100)
    turns = 0
    while bump(S, 1) < 500 and turns < 10:
        turns += 1
        if turns == 3:
            continue
    S[bump(S, 0) % 3 + 3] += bump(S, 1)
    known = bump(S, 1) > 3 or bump(S, 7) > 9
    return int(first * 7 + second * 3 + turns + (bump(S, 2) or 4) * 1 + known)


@entry
def whole(a: int, b: int) -> int:
    c = a // (b if b else 1) + a % 7 - a % -5 + a // 8 + (-a) // 16 + a % 16 + abs(a) - min(a, b, 3) + max(a, -b)
    c += (a << 3) + (a >> 2) + (~a & 0xFF) + (a ^ b) + (a | 3) - (1 << (b & 31)) + (1 << 40)
    d = a < b < c or not a == b != c
    e = d and b
    return int(c + int(d) + e + (a > b) + TABLE[a % 5] + ODD[2] + ODD[a % 3] + len(TABLE) + Kind.RED * (a in (1, 2)))


@entry
def divided(a: int, b: int) -> int:
    """Rounded down, whatever the signs; by powers of two, too."""
    return a // b * 1_000 + a % b + a // 4 * 7 + a % 4 - a // -3 + a % -3 if b else 0


@entry
def wide(a: int, b: int) -> int:
    """64 bits everywhere: a shifted 1, a product, a truth that becomes a number."""
    c = a * b * 4_000_000_007 + (1 << (abs(b) % 40)) + (a > 0) * (1 << 33)
    c ^= (a & 1) << 62
    return c if a != b else c >> 5


@entry
def real(a: int, b: int) -> float:
    x = a / 3 + b * 0.5 - max(0.25, a * 1.0)
    y = x**2.0 if x > 0.0 else -x
    y += float(a > b) + int(x) + min(1.0, y) + SHARES[a % 3] + math.exp(-y / 100.0) + math.sqrt(y + 1.0)
    return y / 4 + math.floor(x)


@entry
def swaps(S: I64, a: int, b: int) -> int:
    a, b = b, a + b
    S[a % 6], S[b % 6] = S[b % 6], S[a % 6]
    c = d = S[0]
    pair = a, b * 2
    x, (y, z) = pair[1], (c, d)
    for n in (4, 2, 8):
        c += n * x
    for n in range(5, -4, -2):
        d -= n
        if n == -1:
            break
    for n in range(b % 4, 9, a % 3 + 1):
        d += n
    for n in S:
        c ^= n
    return int(a * 3 + b + c * y + d * z + (a not in (1, 2, 3)))


@kernel
def split(a: int, b: int) -> Any:
    return a - b, a * 2


@entry
def parts(S: I64, a: int, b: int) -> int:
    low, high = split(a, b)
    view = S[2:5]
    view[0] += 7
    end = S[a % 9 - 3 :]
    return int(low * high + view[0] + end.shape[0] * 100 + (end[0] if end.shape[0] else 0) + len(view))


@kernel
def fact(n: int) -> int:
    return 1 if n < 2 else n * fact(n - 1)


@entry
def recursive(a: int, b: int) -> int:
    return fact(a % 9) + fact(b % 7)


@entry
def grid(S: I64, T: I64x2, U: I64x3, a: int) -> int:
    """Rows, and parts of the last axis, of arrays of more dimensions."""
    found = 0
    for row in range(T.shape[0]):
        line = T[row]
        some = T[row, 1:3]
        some[1] += row
        for spot in range(line.shape[0]):
            found += line[spot] * (row + 1) + T[row][spot]
        found += some[0] * 5
    plane = U[a % 2]
    for row in range(plane.shape[0]):
        S[row] += plane[row, a % 2] + U[1, row, 0] + U[0][row][1]
        U[a % 2, row, 1] -= 3
    again = False
    while not again:
        again = found % 2 == 0 or S[1] > 3
        found += 1
        S[1] += 1
    return found


@entry
def narrow(B: U8, T: I32x2, a: int) -> int:
    """Elements are widened when they are read, and cut when they are written."""
    total = B[0] + B[1] * 200 + (B[2] << 9) - T[0, 0] * T[0, 1]
    B[3] = B[0] >> 1
    T[1, 0] = T[0, 0] // 2
    T[1, 1] += B[1]
    return int(total + T[0, 0] * 2_000_000_000 + a)


@entry
def hashed(S: I64, a: int, b: int) -> int:
    """What grows beyond 64 bits wraps around."""
    bits = wrapped(a * HIGH)
    bits = wrapped((bits ^ (bits >> 30 & (1 << 34) - 1)) * -4658895280553007687)
    S[0] = bits >> 33
    return wrapped(bits % 1_000 + b + (bits > 1 << 62))


@entry
def lowest(S: I64, a: int, b: int) -> int:
    """The lowest bit that is set, of negative numbers and of 0, too."""
    return lowest_bit(a) + 100 * lowest_bit(S[0]) + 10_000 * lowest_bit(wrapped(1 << (b & 63)))


@entry
def nested(N: Nested, a: int) -> float:
    """Tuples of arrays go through calls as one."""
    P = N.pair
    P.numbers[a % 3] += 1
    N.truths[0] = a > 0
    made = Pair(P.numbers, P.shares)
    return share_of(made, a) + share_of(N.pair, 1) + (2.0 if N.truths[1] else 0.5)


@kernel
def share_of(P: Pair, a: int) -> float:
    P.shares[0] += 0.5
    return float(P.shares[a % 2] * P.numbers[0])


@kernel
def operand_at(P: Pair, place: int) -> int:
    return int(P.numbers[place % 6])


Operand = Annotated[int, operand_at]


@operation
def add_operand(P: Pair, value: Operand) -> None:
    P.numbers[5] += value


@operation
def leap(P: Pair, one: Operand, other: Operand) -> int:
    """Reads after it has written."""
    P.shares[0] += 1.0
    return abs(one) % 4 if one > other else ON


@operation
def rest(P: Pair) -> None:
    """Nothing."""


STEPS = (add_operand, leap, rest)


@entry
def carried_out(P: Pair, a: int) -> int:
    """Operations are carried out by their numbers."""
    place = a % 4
    for step in range(9):
        elsewhere = STEPS[(P.numbers[place] + step) % 3](P, place + 1)
        place = elsewhere if elsewhere != ON else (place + 1) % 4
    return int(P.numbers[5] * 10 + place)


@entry
def filled(S: I64, a: int, b: int) -> int:
    """Elements side by side are given one number: some, all, one or none."""
    first, end = a % 6, b % 7
    spot = -1
    for spot in range(first, end):
        S[spot] = b
    found = spot
    for spot in range(end - first):
        S[first + spot] = S[spot] = 5
    for spot in range(a % 3):
        S[first * 0 + spot + 3] = -1
    return found * 100 + spot


@entry
def filled_to(S: I64, end: int) -> None:
    for spot in range(end):
        S[spot] = 7


@entry
def written_at(S: I64, at: int) -> None:
    S[at] = 7


@entry
def read_at(S: I64, at: int) -> int:
    return int(S[at])


def given(name: str, chance: Random) -> list[Any]:
    """Random arguments of an entry."""
    few = [chance.randint(-60, 60), chance.randint(-60, 60)]
    numbers = np.array([chance.randint(-9, 9) for _ in range(6)], np.int64)
    if name in ("recursive", "swaps"):
        few = [*map(abs, few)]
    if name in ("whole", "divided", "real", "recursive"):
        return few
    if name == "wide":
        return [chance.randint(-1_000, 1_000), chance.randint(-1_000, 1_000)]
    if name == "grid":
        return [numbers, any_of((3, 4), chance), any_of((2, 3, 2), chance), few[0]]
    if name == "narrow":
        small = [[chance.randint(-(1 << 20), 1 << 20) for _ in range(2)] for _ in range(2)]
        return [np.array([chance.randint(0, 255) for _ in range(4)], np.uint8), np.array(small, np.int32), few[0]]
    if name == "nested":
        pair = Pair(numbers, np.array([chance.random(), chance.random()]))
        return [Nested(pair, np.array([chance.random() < 0.5, chance.random() < 0.5])), few[0]]
    if name == "carried_out":
        return [Pair(numbers, np.array([0.0, 0.5])), few[0]]
    if name in ("written_at", "read_at", "filled_to"):
        return [numbers, chance.randrange(6)]
    return [numbers, *few]


def any_of(shape: tuple[int, ...], chance: Random) -> np.ndarray:
    """An array of small numbers."""
    return np.array([chance.randint(-9, 9) for _ in range(math.prod(shape))], np.int64).reshape(shape)
