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
        which = usable(lookup, counts, near(lookup, counts, melds, exposed), exhausted)
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
    found, left = np.zeros(counts.shape, bool), counts[:, hands]
    places = [np.ix_(np.array(table.tiles), hands) for table in lookup.tables]
    if lookup.lookup.key:  # few hands have the fixed tiles
        for place in places:
            found[place] = True
        return found
    made = [gains(table, left, exhausted[:, hands]) for table in lookup.tables]
    stuck = np.stack([~known for known, _ in made]).sum(axis=0)
    for place, (known, gained) in zip(places, made, strict=True):
        found[place] = gained & (stuck == ~known)
    return found


def gains(table: TableColumns, counts: Array, exhausted: Array) -> tuple[Array, Array]:
    """Which hands can use a block up, and with one more of which of its tiles (tiles, hands)."""
    if table.dense is None:
        return np.ones(counts.shape[1], bool), np.ones((len(table.tiles), counts.shape[1]), bool)
    steps = np.array(table.radix)
    numbers = steps @ counts[table.tiles]
    last = len(table.dense) - 1
    gained = table.dense[np.minimum(numbers + steps[:, None], last)] > 0
    for at, tile in enumerate(table.tiles):
        hands = np.flatnonzero(exhausted[tile])
        if len(hands):
            gained[at, hands] = gains_beyond(table, counts[table.tiles][:, hands], at)
    return table.dense[numbers] > 0, gained


def gains_beyond(table: TableColumns, counts: Array, at: int) -> Array:
    """Which hands can use a block up with one more of a tile that they have all copies of: some part has it, and the
    rest can be used up."""
    assert table.dense is not None
    found = np.zeros(counts.shape[1], bool)
    for part in (vector for vectors in table.table.options for vector in vectors if vector[at]):
        left = counts - np.array(part)[:, None]
        left[at] += 1
        fits = (left >= 0).all(axis=0)
        found |= fits & (table.dense[np.where(fits, np.array(table.radix) @ left, 0)] > 0)
    return found


def lines(which: Array) -> Iterator[tuple[Array, Array]]:
    """The tiles and hands that are true, some at a time."""
    tiles, hands = np.nonzero(which)
    for at in range(0, len(hands), MOST_LINES):
        yield tiles[at : at + MOST_LINES], hands[at : at + MOST_LINES]
