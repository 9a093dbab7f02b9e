"""Chance and fair deals: shuffles, dice and lots, the same on every machine (SHA-256 of a seed, the hand and a
counter); and seeds of hands whose hash is published before the first tile, the seed itself once the hand is over.

A stream is named by a text and gives one number after another. In: the secret of a table, or the seeds that a log
discloses. Out: the seed of each hand, and what to publish of it. Knows no tiles and no log.
"""

import hmac
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from struct import unpack
from typing import Any, Protocol, Self, runtime_checkable


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


SECRET_BYTES = 32
DIGITS = re.compile("[0-9a-f]{64}")


class UndisclosedSeed(LookupError):
    """The seed of this hand is not known here."""


@dataclass(frozen=True, slots=True)
class HandSeed:
    """What all shuffles and dice of one hand follow from, and its salt: 64 hexadecimal digits each."""

    seed: str = field(repr=False)
    salt: str = field(repr=False)

    @property
    def is_valid(self) -> bool:
        """Whether both are such numbers: of texts of any length, several pairs could have one hash."""
        return all(DIGITS.fullmatch(number) for number in (self.seed, self.salt))


@runtime_checkable
class HandSeeds(Protocol):
    """The seeds of the hands of a match."""

    def of_hand(self, number: int) -> HandSeed:
        """The seed of a hand, from 1. Raises UndisclosedSeed."""


@dataclass(frozen=True, slots=True)
class TableSecret:
    """The secret of a table, from which the seed of each hand follows, and no seed from those of other hands."""

    secret: str = field(repr=False)

    @classmethod
    def new(cls) -> Self:
        """A secret from the random source of the system."""
        return cls(secrets.token_hex(SECRET_BYTES))

    def of_hand(self, number: int) -> HandSeed:
        return HandSeed(self.derived(f"seed/{number}"), self.derived(f"salt/{number}"))

    def derived(self, name: str) -> str:
        return hmac.digest(self.secret.encode(), name.encode(), "sha256").hex()


@dataclass(frozen=True, slots=True)
class DisclosedSeeds:
    """The seeds of hands that are over, by their numbers."""

    seeds: Mapping[int, HandSeed]

    def of_hand(self, number: int) -> HandSeed:
        if number not in self.seeds:
            raise UndisclosedSeed(f"the seed of hand {number} was not disclosed")
        return self.seeds[number]


@dataclass(frozen=True, slots=True)
class FairDeal:
    """The deal of one hand. `rules`: the digest of the rules; `hand`: its number, from 1; `players`: who sits where,
    from the dealer on."""

    rules: str
    hand: int
    players: tuple[int, ...]
    seed: HandSeed

    @property
    def hashed(self) -> str:
        """The text that is hashed: whoever knows it can deal the hand again."""
        players = ",".join(map(str, self.players))
        return f"tilewright deal 1 {self.rules} {self.hand} {players} {self.seed.seed} {self.seed.salt}"

    @property
    def hash(self) -> str:
        """What is published before the hand: 64 hexadecimal digits."""
        return sha256(self.hashed.encode()).hexdigest()
