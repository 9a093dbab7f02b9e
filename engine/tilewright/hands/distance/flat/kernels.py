"""How far one hand is from any form, which tiles bring it nearer, and some of the nearest whole hands, from ways laid
out as lists of numbers.

Compiled by numba, for loops that ask thousands of times a second; answers as `Look.roughly` and `Look.target` do. `A`:
the ways (`ways`); `T`: the rows of all tables, and their targets; `N`: where rows begin; `B`: a list to work in, with
the tiles held from `held` on."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.hands.distance.kernels import HALF, LOW, NEVER

MOST_BLOCKS, MOST_STATES, MOST_WAYS, MOST_KINDS = 12, 128, 32, 63

# A way: its states and blocks, then where these lists begin.
STATES, BLOCKS, STARTS, PAIRS, BLOCK_AT, FIXED, BLOCK_OF, POSITION_OF = range(8)
# A block: how many tiles, the rows of its table, how long each is, where they begin, which states are asked for, its
# targets and where those of each state begin; then by tile its number, how many count, and what one adds to the key.
TILES, ROWS, ROW, BASE, RANK, ASKED, TARGETS, TARGET_STARTS, BLOCK = range(9)

# What is worked in, from the start of the list.
HERE = 0  # by block and state: how many tiles are missing
BEFORE = HERE + MOST_BLOCKS * MOST_STATES
AFTER = BEFORE + (MOST_BLOCKS + 1) * MOST_STATES
OTHERS = AFTER + (MOST_BLOCKS + 1) * MOST_STATES
KEY = OTHERS + MOST_BLOCKS * MOST_STATES  # by block: the key of its row
DRAWN = KEY + MOST_BLOCKS  # by kind and state: the row of its block with one more of it
FAR = DRAWN + MOST_KINDS * MOST_STATES  # by way and kind: how far a hand without one of this kind is
DISTANCE = FAR + MOST_WAYS * MOST_KINDS  # by kind: how far the hand without one of it is
USEFUL = DISTANCE + MOST_KINDS  # by kind: which tiles bring that nearer, as bits
WHOLE = USEFUL + MOST_KINDS  # by kind: how many of it a whole hand has beside the melds
WORK = WHOLE + MOST_KINDS


@loop_kernel
def spare(A: Array, B: Array, way: int, held: int, kind: int) -> int:
    """How many of a kind are held beside those that are needed anyway; less than none if some are missing."""
    return int(B[held + kind] - A[A[way + FIXED] + kind])


@loop_kernel
def step_of(A: Array, block: int, spot: int) -> int:
    """What one more of this tile of a block adds to the key."""
    return int(A[block + BLOCK + 2 * A[block + TILES] + spot])


@loop_kernel
def row_at(A: Array, N: Array, block: int, key: int) -> int:
    """Where in its table the row of a key is."""
    return int(
        A[block + ROWS] + (N[A[block + BASE] + (key >> HALF)] + N[A[block + RANK] + (key & LOW)]) * A[block + ROW]
    )


@loop_kernel
def lacking(A: Array, B: Array, way: int, held: int, kinds: int) -> int:
    """How many of the tiles that are needed anyway are missing."""
    found = 0
    for kind in range(kinds):
        found += max(-spare(A, B, way, held, kind), 0)
    return int(found)


@loop_kernel
def read_rows(A: Array, T: Array, N: Array, B: Array, way: int, held: int) -> None:
    """Read the rows of all blocks."""
    states = A[way + STATES]
    for number in range(A[way + BLOCKS]):
        block = A[A[way + BLOCK_AT] + number]
        size, key, asked = A[block + TILES], 0, A[block + ASKED]
        for spot in range(size):
            count = spare(A, B, way, held, A[block + BLOCK + spot])
            key += min(max(count, 0), A[block + BLOCK + size + spot]) * A[block + BLOCK + 2 * size + spot]
        B[KEY + number] = key
        row = row_at(A, N, block, key)
        for state in range(states):
            B[HERE + number * MOST_STATES + state] = T[row + A[asked + state]]


@loop_kernel
def join(A: Array, B: Array, way: int) -> int:
    """What the blocks before each one, after it and all others come to, by their rows. How many tiles are missing,
    without those that are needed anyway."""
    states, blocks = A[way + STATES], A[way + BLOCKS]
    starts, pairs = A[way + STARTS], A[way + PAIRS]
    for state in range(states):
        B[BEFORE + state] = B[AFTER + blocks * MOST_STATES + state] = NEVER if state else 0
    for number in range(blocks):
        here, before = HERE + number * MOST_STATES, BEFORE + number * MOST_STATES
        for state in range(states):
            least = NEVER
            for pair in range(A[starts + state], A[starts + state + 1]):
                least = min(least, B[before + A[pairs + 2 * pair]] + B[here + A[pairs + 2 * pair + 1]])
            B[before + MOST_STATES + state] = least
    for number in range(blocks - 1, -1, -1):
        here, before = HERE + number * MOST_STATES, BEFORE + number * MOST_STATES
        after = AFTER + number * MOST_STATES
        for state in range(states):
            least = others = NEVER
            for pair in range(A[starts + state], A[starts + state + 1]):
                behind = B[after + MOST_STATES + A[pairs + 2 * pair]]
                least = min(least, behind + B[here + A[pairs + 2 * pair + 1]])
                others = min(others, behind + B[before + A[pairs + 2 * pair + 1]])
            B[after + state], B[OTHERS + number * MOST_STATES + state] = least, others
    return int(B[BEFORE + blocks * MOST_STATES + states - 1])


@loop_kernel
def with_row(A: Array, T: Array, B: Array, way: int, number: int, row: int) -> int:
    """How many tiles are missing with another row of a block, without those that are needed anyway."""
    states = A[way + STATES]
    asked, others = A[A[A[way + BLOCK_AT] + number] + ASKED], OTHERS + number * MOST_STATES + states - 1
    least = NEVER
    for state in range(states):
        least = min(least, T[row + A[asked + state]] + B[others - state])
    return int(least)


@loop_kernel
def read_drawn(A: Array, T: Array, N: Array, B: Array, way: int, held: int) -> None:
    """Read the rows of all blocks with one more of each kind; as they are where more do not count."""
    states = A[way + STATES]
    for number in range(A[way + BLOCKS]):
        block = A[A[way + BLOCK_AT] + number]
        size, asked = A[block + TILES], A[block + ASKED]
        for spot in range(size):
            kind = A[block + BLOCK + spot]
            count, key = spare(A, B, way, held, kind), B[KEY + number]
            if 0 <= count < A[block + BLOCK + size + spot]:
                key += step_of(A, block, spot)
            row = row_at(A, N, block, key)
            for state in range(states):
                B[DRAWN + kind * MOST_STATES + state] = T[row + A[asked + state]]


@loop_kernel
def helping(A: Array, T: Array, N: Array, B: Array, way: int, held: int, kinds: int, least: int, changed: int) -> int:
    """The kinds that bring a hand nearer by this way, as bits, its blocks being joined. `least`: how many are missing
    without those that are needed anyway; `changed`: the block whose rows with one more are yet to be read, or -1."""
    found, states = 0, A[way + STATES]
    for kind in range(kinds):
        count = spare(A, B, way, held, kind)
        number = A[A[way + BLOCK_OF] + kind]
        if count < 0:
            found |= 1 << kind
        elif least > 0 and number >= 0:
            block = A[A[way + BLOCK_AT] + number]
            spot = A[A[way + POSITION_OF] + kind]
            if count >= A[block + BLOCK + A[block + TILES] + spot]:
                continue
            others = OTHERS + number * MOST_STATES + states - 1
            if number == changed:
                row = row_at(A, N, block, B[KEY + number] + step_of(A, block, spot))
                if with_row(A, T, B, way, number, row) < least:
                    found |= 1 << kind
                continue
            drawn = DRAWN + kind * MOST_STATES
            for state in range(states):
                if B[drawn + state] + B[others - state] < least:
                    found |= 1 << kind
                    break
    return int(found)


@loop_kernel
def distance_of(A: Array, T: Array, N: Array, B: Array, plan: int, held: int, kinds: int) -> int:
    """How far a hand is; by each way under FAR."""
    best = NEVER
    for number in range(A[plan]):
        way = A[plan + 1 + number]
        far = lacking(A, B, way, held, kinds)
        if far <= best:
            read_rows(A, T, N, B, way, held)
            far = min(join(A, B, way) + far, NEVER)
            best = min(best, far)
        B[FAR + number * MOST_KINDS] = far
    return int(best)


@loop_kernel
def look_at(A: Array, T: Array, N: Array, B: Array, plan: int, held: int, kinds: int) -> int:
    """How far a hand is, by each way under FAR; the kinds that bring it nearer under USEFUL."""
    best = distance_of(A, T, N, B, plan, held, kinds)
    find_useful(A, T, N, B, plan, held, kinds, best)
    return best


@loop_kernel
def find_useful(A: Array, T: Array, N: Array, B: Array, plan: int, held: int, kinds: int, best: int) -> None:
    """Find under USEFUL the kinds that bring a hand nearer, whose distance was found by each way."""
    B[USEFUL] = 0
    for number in range(A[plan]):
        if B[FAR + number * MOST_KINDS] == best and best < NEVER:
            way = A[plan + 1 + number]
            read_rows(A, T, N, B, way, held)
            least = join(A, B, way)
            read_drawn(A, T, N, B, way, held)
            B[USEFUL] |= helping(A, T, N, B, way, held, kinds, least, -1)


@loop_kernel
def look_without(A: Array, T: Array, N: Array, B: Array, plan: int, held: int, kinds: int, wanted: int) -> int:
    """How far a hand is without one tile of each wanted kind (bits), under DISTANCE, and for the nearest of them the
    kinds that bring it nearer, under USEFUL. The least distance."""
    for kind in range(kinds):
        B[DISTANCE + kind], B[USEFUL + kind] = NEVER, 0
    for number in range(A[plan]):
        far_without(A, T, N, B, plan, number, held, kinds, wanted)
    least = NEVER
    for kind in range(kinds):
        if wanted >> kind & 1:
            least = min(least, B[DISTANCE + kind])
    for number in range(A[plan] if least < NEVER else 0):
        near = 0
        for kind in range(kinds):
            if wanted >> kind & 1 and B[FAR + number * MOST_KINDS + kind] == least:
                near |= 1 << kind
        if near:
            help_without(A, T, N, B, A[plan + 1 + number], held, kinds, near)
    return int(least)


@loop_kernel
def far_without(
    A: Array, T: Array, N: Array, B: Array, plan: int, number: int, held: int, kinds: int, wanted: int
) -> None:
    """How far a hand is by this way without one tile of each wanted kind."""
    way, worst, far = A[plan + 1 + number], 0, FAR + number * MOST_KINDS
    lacks = lacking(A, B, way, held, kinds)
    for kind in range(kinds):
        B[far + kind] = NEVER
        if wanted >> kind & 1:
            worst = max(worst, B[DISTANCE + kind])
    if lacks > worst:
        return
    read_rows(A, T, N, B, way, held)
    joined = join(A, B, way)
    for kind in range(kinds):
        if not wanted >> kind & 1:
            continue
        missing, count, block = joined, spare(A, B, way, held, kind), A[A[way + BLOCK_OF] + kind]
        if block >= 0 and count > 0:
            missing = with_row(A, T, B, way, block, row_without(A, N, B, way, block, held, kind))
        B[far + kind] = min(missing + lacks + (count <= 0), NEVER)
        B[DISTANCE + kind] = min(B[DISTANCE + kind], B[far + kind])


@loop_kernel
def row_without(A: Array, N: Array, B: Array, way: int, number: int, held: int, kind: int) -> int:
    """The row of a block with one less of a kind of which there are some."""
    block, spot = A[A[way + BLOCK_AT] + number], A[A[way + POSITION_OF] + kind]
    key = B[KEY + number]
    if spare(A, B, way, held, kind) <= A[block + BLOCK + A[block + TILES] + spot]:
        key -= step_of(A, block, spot)
    return row_at(A, N, block, key)


@loop_kernel
def join_again(A: Array, B: Array, way: int, changed: int) -> int:
    """Join the blocks once more, only the row of one of them being another one. How many tiles are missing, without
    those that are needed anyway."""
    states, blocks = A[way + STATES], A[way + BLOCKS]
    starts, pairs = A[way + STARTS], A[way + PAIRS]
    for number in range(changed, blocks - 1):
        here, before = HERE + number * MOST_STATES, BEFORE + number * MOST_STATES
        for state in range(states):
            least = NEVER
            for pair in range(A[starts + state], A[starts + state + 1]):
                least = min(least, B[before + A[pairs + 2 * pair]] + B[here + A[pairs + 2 * pair + 1]])
            B[before + MOST_STATES + state] = least
    for number in range(changed, 0, -1):
        here, after = HERE + number * MOST_STATES, AFTER + number * MOST_STATES
        for state in range(states):
            least = NEVER
            for pair in range(A[starts + state], A[starts + state + 1]):
                least = min(least, B[after + MOST_STATES + A[pairs + 2 * pair]] + B[here + A[pairs + 2 * pair + 1]])
            B[after + state] = least
    for number in range(blocks):
        before, behind = BEFORE + number * MOST_STATES, AFTER + (number + 1) * MOST_STATES
        for state in range(states if number != changed else 0):
            least = NEVER
            for pair in range(A[starts + state], A[starts + state + 1]):
                least = min(least, B[behind + A[pairs + 2 * pair]] + B[before + A[pairs + 2 * pair + 1]])
            B[OTHERS + number * MOST_STATES + state] = least
    least, here, others = NEVER, HERE + changed * MOST_STATES, OTHERS + changed * MOST_STATES + states - 1
    for state in range(states):
        least = min(least, B[here + state] + B[others - state])
    return int(least)


@loop_kernel
def set_row(A: Array, T: Array, N: Array, B: Array, way: int, number: int, key: int) -> None:
    """Put another row in the place of that of a block."""
    block, here = A[A[way + BLOCK_AT] + number], HERE + number * MOST_STATES
    row, asked = row_at(A, N, block, key), A[block + ASKED]
    B[KEY + number] = key
    for state in range(A[way + STATES]):
        B[here + state] = T[row + A[asked + state]]


@loop_kernel
def help_without(A: Array, T: Array, N: Array, B: Array, way: int, held: int, kinds: int, near: int) -> None:
    """The kinds that bring a hand nearer by this way without one tile of each of these kinds (bits), block by block."""
    read_rows(A, T, N, B, way, held)
    whole = join(A, B, way)
    read_drawn(A, T, N, B, way, held)
    for kind in range(kinds):
        if near >> kind & 1 and (A[A[way + BLOCK_OF] + kind] < 0 or spare(A, B, way, held, kind) <= 0):
            near &= ~(1 << kind)
            B[held + kind] -= 1
            B[USEFUL + kind] |= helping(A, T, N, B, way, held, kinds, whole, -1)
            B[held + kind] += 1
    for number in range(A[way + BLOCKS]):
        block, key, is_whole = A[A[way + BLOCK_AT] + number], B[KEY + number], True
        for spot in range(A[block + TILES]):
            kind = A[block + BLOCK + spot]
            if not near >> kind & 1:
                continue
            is_whole = False
            counts = spare(A, B, way, held, kind) <= A[block + BLOCK + A[block + TILES] + spot]
            set_row(A, T, N, B, way, number, key - step_of(A, block, spot) if counts else key)
            least = join_again(A, B, way, number)
            B[held + kind] -= 1
            B[USEFUL + kind] |= helping(A, T, N, B, way, held, kinds, least, number)
            B[held + kind] += 1
        if not is_whole:
            set_row(A, T, N, B, way, number, key)
            join(A, B, way)
