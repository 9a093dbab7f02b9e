"""Kernels: rows of tables, and what they come to when joined, for many hands side by side (lanes, the last axis).

A row says for every state how many tiles are missing at least. Joining is a minimum over sums. Knows no tiles.
"""

import numpy as np

from tilewright.base.arrays import Array
from tilewright.base.kernels import I32, I64, B8x2, I32x2, I64x2, I64x3, U8x2, U8x3, entry, kernel

NEVER = 99  # missing, where that cannot be; twice that fits a byte
HALF = 17  # bits of the lower half of a key
LOW = (1 << HALF) - 1


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


def joined(one: Array, other: Array, left: Array, right: Array) -> Array:
    """Rows of two blocks as one: (states, blocks, lanes) all. `left`, `right`: as in `Pairs`."""
    states, blocks, lanes = one.shape
    sums = np.add(one[left], other[right]).reshape((-1, states * blocks * lanes))
    found: Array = np.minimum(least(sums), np.uint8(NEVER)).reshape((states, blocks, lanes))
    return found


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
    found: Array = base[line >> HALF] + rank[line & LOW]
    return found


def nearest(rows: Array, drawn: Array, block: Array, left: Array, right: Array) -> tuple[Array, Array]:
    """How many tiles each hand misses, and which draws make it fewer. `rows`: (states, blocks, lanes), as many blocks
    as a power of two, but not one; `drawn`: (states, draws, lanes), the row of a block with a tile more; `block`: which
    block that is."""
    rest = of_others(rows, left, right)
    whole = least(np.add(rows[:, 0], rest[::-1, 0]))
    sums = np.add(drawn, rest[::-1][:, block])
    return whole, least(sums) < whole


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


# --- loops, compiled for few lanes


@entry
def fill(
    held: I64x2,
    fixed: I64,
    tiles: I64x2,
    most: I32x2,
    steps: I32,
    base: I32,
    rank: I32,
    table: U8x2,
    states: I64,
    first: int,
    draw: int,
    rows: U8x3,
    drawn: U8x3,
) -> None:
    """Fill in the rows of some blocks that share a table, as they are and with each tile drawn: (lanes, blocks, states)
    from the block `first` on, (lanes, draws, states) from `draw` on. `held`: (tiles, lanes), of which `fixed` are for
    other slots; `tiles`: (blocks, tiles of a block); of each `most` count, and add `steps` to the key; `states`: those
    of the table that are asked for."""
    for lane in range(held.shape[1]):
        for block in range(tiles.shape[0]):
            key = 0
            for at in range(tiles.shape[1]):
                tile = tiles[block, at]
                key += min(max(held[tile, lane] - fixed[tile], 0), most[block, at]) * steps[at]
            place = base[key >> HALF] + rank[key & LOW]
            for state in range(states.shape[0]):
                rows[lane, first + block, state] = table[place, states[state]]
            for at in range(tiles.shape[1]):
                tile = tiles[block, at]
                more = key + steps[at] if max(held[tile, lane] - fixed[tile], 0) < most[block, at] else key
                place = base[more >> HALF] + rank[more & LOW]
                for state in range(states.shape[0]):
                    drawn[lane, draw + block * tiles.shape[1] + at, state] = table[place, states[state]]


@entry
def compare(
    held: I64x2,
    fixed: I64,
    rows: U8x3,
    drawn: U8x3,
    tile_of: I64,
    block_of: I64,
    starts: I64,
    pairs: I64x2,
    space: I64x3,
    missing: I64,
    useful: B8x2,
) -> None:
    """What each lane misses, and the draws that make it fewer. `tile_of`, `block_of`: of each draw; `pairs` of states
    that come to a state, from its `starts` on; `space`: (3, blocks + 1, states) to work in."""
    blocks, states = rows.shape[1], rows.shape[2]
    for lane in range(held.shape[1]):
        join_all(rows, lane, starts, pairs, space)
        least = space[0, blocks, states - 1]
        lacking = 0
        for tile in range(fixed.shape[0]):
            lacks = max(fixed[tile] - held[tile, lane], 0)
            lacking += lacks
            useful[tile, lane] = lacks > 0
        missing[lane] = min(least + lacking, NEVER)
        for draw in range(tile_of.shape[0] if missing[lane] < NEVER else 0):
            for state in range(states):
                if drawn[lane, draw, state] + space[2, block_of[draw], states - 1 - state] < least:
                    useful[tile_of[draw], lane] = True
                    break
        for tile in range(fixed.shape[0] if missing[lane] == NEVER else 0):
            useful[tile, lane] = False


@kernel
def join_all(rows: Array, lane: int, starts: Array, pairs: Array, space: Array) -> None:
    """What the blocks before each one come to, those after it, and all others."""
    blocks, states = rows.shape[1], rows.shape[2]
    for state in range(states):
        space[0, 0, state] = space[1, blocks, state] = NEVER if state else 0
    for block in range(blocks):
        for state in range(states):
            least = NEVER
            for pair in range(starts[state], starts[state + 1]):
                least = min(least, space[0, block, pairs[pair, 0]] + rows[lane, block, pairs[pair, 1]])
            space[0, block + 1, state] = least
    for block in range(blocks - 1, -1, -1):
        for state in range(states):
            least = others = NEVER
            for pair in range(starts[state], starts[state + 1]):
                after = space[1, block + 1, pairs[pair, 0]]
                least = min(least, after + rows[lane, block, pairs[pair, 1]])
                others = min(others, after + space[0, block, pairs[pair, 1]])
            space[1, block, state], space[2, block, state] = least, others
