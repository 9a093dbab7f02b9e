"""Waits of many hands: counts of tiles in, the tiles that complete each hand out.

A hand with one more tile is looked up only where each block of it can be used up. Knows no readings.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.many.columns import LookupColumns, TableColumns

MOST_LINES = 1 << 17  # hands with one more tile that are looked up at once


def completing(
    lookups: Sequence[LookupColumns], counts: Array, melds: Array, exposed: Array, copies: Array
) -> tuple[Array, Array]:
    """Which tiles complete each hand; and which may do so as a copy too many, which tables do not know. `counts` and
    the results: (tiles, hands)."""
    found = np.zeros(counts.shape, bool)
    beyond = found.copy()
    exhausted = counts >= copies[:, None]
    for lookup in lookups:
        which = usable(lookup, counts, near(lookup, counts, melds, exposed), exhausted) & (copies > 0)[:, None]
        beyond |= which & exhausted
        for tiles, hands in lines(which & ~exhausted & ~found):
            more = counts[:, hands]
            more[tiles, np.arange(len(hands))] += 1
            whole = lookup.lines(more, melds[hands], exposed[hands])[0]
            found[tiles[whole], hands[whole]] = True
    return found, beyond


def near(lookup: LookupColumns, counts: Array, melds: Array, exposed: Array) -> Array:
    """The hands that may be one tile away from a case, by its fixed tiles, its melds, and its room for each tile."""
    may = lookup.targets(melds, exposed)[1]
    case = lookup.lookup
    if case.key:
        may &= np.maximum(lookup.fixed[:, None] - counts, 0).sum(axis=0) < 2
    for tile, most in case.most.items():
        if most < case.keys.copies[tile]:
            may &= counts[tile] <= most + lookup.fixed[tile]
    return np.flatnonzero(may)


def usable(lookup: LookupColumns, counts: Array, hands: Array, exhausted: Array) -> Array:
    """Which tiles may make these hands a case, (tiles, hands): with it, each block can be used up."""
    found = np.zeros(counts.shape, bool)
    if lookup.lookup.key:
        found[:, hands] = True  # few hands have the fixed tiles
        return found
    left = counts[:, hands]
    made = [gains(table, left) for table in lookup.tables]
    stuck = np.stack([~known for known, _ in made]).sum(axis=0)
    for number, (table, (known, gained)) in enumerate(zip(lookup.tables, made, strict=True)):
        block = np.ix_(np.array(table.tiles), hands)
        fits = stuck == ~known
        gained = gained & ~exhausted[block]
        for tile, at in np.argwhere(exhausted[block] & fits).tolist():
            gained[tile, at] = takes_one_too_many(lookup, number, tile, left[table.tiles, at])
        found[block] = gained & fits
    return found


def takes_one_too_many(lookup: LookupColumns, number: int, tile: int, counts: Array) -> bool:
    """Whether a block can be used up with one more of a tile that it has all copies of."""
    block = lookup.lookup.blocks[number][2]
    key = sum(count * step for count, (_, step) in zip(counts.tolist(), block.steps, strict=True))
    return bool(block.fills(key + block.steps[tile][1]))


def gains(table: TableColumns, counts: Array) -> tuple[Array, Array]:
    """Which hands can use a block up, and with one more of which of its tiles (tiles, hands)."""
    if table.dense is None:
        return np.ones(counts.shape[1], bool), np.ones((len(table.tiles), counts.shape[1]), bool)
    steps = np.array(table.radix)
    numbers = steps @ counts[table.tiles]
    last = len(table.dense) - 1
    return table.dense[numbers] > 0, table.dense[np.minimum(numbers + steps[:, None], last)] > 0


def lines(which: Array) -> Iterator[tuple[Array, Array]]:
    """The tiles and hands that are true, some at a time."""
    tiles, hands = np.nonzero(which)
    for at in range(0, len(hands), MOST_LINES):
        yield tiles[at : at + MOST_LINES], hands[at : at + MOST_LINES]
