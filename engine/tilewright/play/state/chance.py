"""Chance: shuffles, dice and lots, the same on every machine: SHA-256 of a seed, the hand and a counter.

Knows no tiles. A stream is named by a text and gives one number after another.
"""

from collections.abc import Iterator
from hashlib import sha256
from struct import unpack
from typing import Any


def numbers(seed: int | str, hand: int, counter: int) -> Iterator[int]:
    """Numbers below 2 ** 32, as many as are wanted."""
    block = 0
    while True:
        yield from unpack(">8I", sha256(f"{seed}/{hand}/{counter}/{block}".encode()).digest())
        block += 1


def below(bound: int, stream: Iterator[int]) -> int:
    """A number from 0 to below the bound, each as likely as any other."""
    limit = (1 << 32) - (1 << 32) % bound
    number = next(stream)
    while number >= limit:
        number = next(stream)
    return number % bound


def shuffle(members: list[Any], stream: Iterator[int]) -> None:
    """Put the members into random order (Fisher and Yates)."""
    for last in range(len(members) - 1, 0, -1):
        other = below(last + 1, stream)
        members[last], members[other] = members[other], members[last]
