"""Draws: how many draws an entry of listed hands takes to complete, by random deals.

A seat is dealt tiles and draws alone; it keeps whatever helps, so a hand is complete as soon as all its
tiles are among those drawn. Knows no other seats, no claims and no worth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from statistics import mean, median
from typing import TYPE_CHECKING

from tilewright.hands.listed import Rows

if TYPE_CHECKING:
    from tilewright.hands.matrix import Places

DEALS = 200
DEALT = 13


@dataclass(frozen=True, slots=True)
class Draws:
    """Tiles drawn after the deal until some hand of the entry was complete, over all deals. A deal in which none
    was counts as all the tiles left in the wall."""

    entry: int
    mean: float
    median: float


def difficulty(rows: Rows, deals: int = DEALS, seed: int = 0) -> tuple[Draws, ...]:
    """The draws of every entry that has hands, in order; the same for the same seed."""
    if not rows.listing.rows or not deals:
        return ()
    counted = zip(*(draws.tolist() for draws in drawn(rows, deals, Random(seed))), strict=True)
    entries = rows.matrix.entries.tolist()
    return tuple(Draws(entry, mean(each), median(each)) for entry, each in zip(entries, counted, strict=True))


def drawn(rows: Rows, deals: int, random: Random) -> "Iterator[Places]":
    """For each deal the draws of every entry."""
    box = sorted(rows.wild.copies.elements())
    for _ in range(deals):
        random.shuffle(box)
        least = min(DEALT, len(box))
        yield rows.matrix.first_complete(box, rows.helpers, least) - least
