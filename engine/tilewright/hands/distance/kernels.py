"""Kernels: rows of tables, and what they come to when joined, for many hands side by side (lanes, the last axis).

A row says for every state how many tiles are missing at least. Joining is a minimum over sums. Knows no tiles.
"""

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import kernel

NEVER = 99  # missing, where that cannot be; twice that fits a byte
HALF = 17  # bits of the lower half of a key


@kernel
def least(stack: Array) -> Array:
    """The least along the first axis, halving it again and again; the stack is used up."""
    count = stack.shape[0]
    size = stack.size // count
    line = stack.reshape(-1)
    while count > 1:
        half = count // 2
        line[: half * size] = np.minimum(line[: half * size], line[(count - half) * size : count * size])
        count -= half
    found: Array = stack[0]
    return found


@kernel
def joined(one: Array, other: Array, left: Array, right: Array) -> Array:
    """Rows of two blocks as one: (states, blocks, lanes) all. `left`, `right`: as in `Pairs`."""
    states, blocks, lanes = one.shape
    sums = np.add(one[left], other[right]).reshape((-1, states * blocks * lanes))
    found: Array = np.minimum(least(sums), np.uint8(NEVER)).reshape((states, blocks, lanes))
    return found


@kernel
def keyed(held: Array, tiles: Array, most: Array, steps: Array, base: Array, rank: Array) -> Array:
    """Where in a table the rows of hands are, as they are, then with each tile drawn: (blocks, 1 + tiles of a block,
    lanes) in one line. `held`: (tiles, lanes). `tiles`: (blocks, 1 + tiles of a block), the first of each block
    counting nothing; by these, in one line, `most`: how many of each count; `steps`: what one adds to the key."""
    blocks, width = tiles.shape
    lanes = held.shape[1]
    counts = np.minimum(held[tiles.reshape(-1)], most)
    keys = (counts * steps).reshape((blocks, width, lanes)).sum(axis=1, dtype=np.int32)
    drawn = ((counts < most) * steps).reshape((blocks, width, lanes)) + keys.reshape((blocks, 1, lanes))
    line = drawn.reshape(-1)
    found: Array = base[line >> HALF] + rank[line & ((1 << HALF) - 1)]
    return found


@kernel
def nearest(rows: Array, drawn: Array, block: Array, left: Array, right: Array) -> tuple[Array, Array]:
    """How many tiles each hand misses, and which draws make it fewer. `rows`: (states, blocks, lanes), as many blocks
    as a power of two, but not one; `drawn`: (states, draws, lanes), the row of a block with a tile more; `block`: which
    block that is."""
    rest = of_others(rows, left, right)
    whole = least(np.add(rows[:, 0], rest[::-1, 0]))
    sums = np.add(drawn, rest[::-1][:, block])
    return whole, least(sums) < whole


@kernel
def of_others(rows: Array, left: Array, right: Array) -> Array:
    """For each block what all others come to, joined: up a tree of pairs, and down again."""
    levels = [rows]
    while levels[-1].shape[1] > 2:
        below = levels[-1]
        levels.append(joined(below[:, ::2], below[:, 1::2], left, right))
    rest = np.ascontiguousarray(levels[-1][:, ::-1])
    for at in range(len(levels) - 2, -1, -1):
        here = levels[at]
        number = np.arange(here.shape[1])
        rest = joined(rest[:, number // 2], here[:, number ^ 1], left, right)
    return rest
