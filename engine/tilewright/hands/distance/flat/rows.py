"""Rows of ways to win, laid out as lists of numbers, and what the blocks of a way come to when joined.

Compiled by numba. `A`: the ways (`ways`); `T`: the rows of all tables, and their targets; `N`: where rows begin; `B`: a
list to work in, with the tiles held from `held` on; the work of `listed` and `searched` comes first in it.

A row says for each state how many tiles are missing. One tile more or less changes each of these by one at most: all
that is asked besides is by which tiles (UPS, DOWNS), and which states are those of a nearest whole hand."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.hands.distance.flat.listed import MOST_KINDS
from tilewright.hands.distance.flat.searched import SEARCHED_WORK
from tilewright.hands.distance.kernels import HALF, LOW, NEVER

MOST_BLOCKS, MOST_STATES, MOST_WAYS = 12, 128, 32
KEPT_STATES, KEPT_ROWS = 16, 1 << 14  # rows whose changes are kept: how many states these may have, how many there are

# A plan: how many ways it has, and these; then whether it has a list of rows (`listed`), and that or nothing; then how
# many ways that are searched (`searched`), and these.
# A way: its states and blocks, then where these lists begin; the kinds of no block as bits, and where those are that
# are needed anyway, after how many there are.
STATES, BLOCKS, STARTS, PAIRS, BLOCK_AT, FIXED, BLOCK_OF, POSITION_OF, UNUSED, NEEDED = range(10)
# A block: how many tiles, the rows of its table, how long each is, where they begin, which states are asked for, its
# targets and where those of each state begin, its first tile if the others follow that, else -1; then by tile its
# number, how many count, and what one adds to the key.
TILES, ROWS, ROW, BASE, RANK, ASKED, TARGETS, TARGET_STARTS, FIRST, BLOCK = range(10)

# What is worked in, from the start of the list.
HERE = SEARCHED_WORK  # by block and state: how many tiles are missing
UPS = HERE + MOST_BLOCKS * MOST_STATES  # the same: of which tiles (bits, by position) one more makes it fewer
DOWNS = UPS + (MOST_BLOCKS + 1) * MOST_STATES  # of which tiles one less makes it more; behind both: of a changed row
BEFORE = DOWNS + (MOST_BLOCKS + 1) * MOST_STATES
AFTER = BEFORE + (MOST_BLOCKS + 1) * MOST_STATES
OTHERS = AFTER + (MOST_BLOCKS + 1) * MOST_STATES
REST = OTHERS + MOST_BLOCKS * MOST_STATES  # by two blocks: what all others come to
BETWEEN = REST + MOST_BLOCKS * MOST_BLOCKS * MOST_STATES
CHANGED = BETWEEN + 2 * MOST_STATES  # the row of a block with one tile less
KEY = CHANGED + MOST_STATES  # by block: the key of its row
READ = KEY + MOST_BLOCKS  # the way whose rows were read last
OVER = READ + 1  # the kinds of which it has more than count, as bits
FAR = OVER + 1  # by way: how far a hand is
DISTANCE = FAR + MOST_WAYS  # by kind: how far the hand without one of it is
NEAREST = DISTANCE + MOST_KINDS  # how far the hand is
USEFUL = NEAREST + 1  # by kind: which tiles bring that nearer, as bits
WHOLE = USEFUL + MOST_KINDS  # by kind: how many of it a whole hand has beside the melds
KEPT = WHOLE + MOST_KINDS  # rows that were asked for: which one, and its ups and downs in all states of its table
KEPT_ROW = 1 + 2 * KEPT_STATES
WORK = KEPT + KEPT_ROWS * KEPT_ROW


@loop_kernel
def spare(A: Array, B: Array, way: int, held: int, kind: int) -> int:
    """How many of a kind are held beside those that are needed anyway; less than none if some are missing."""
    return int(B[held + kind] - A[A[way + FIXED] + kind])


@loop_kernel
def row_at(A: Array, N: Array, block: int, key: int) -> int:
    """Where in its table the row of a key is."""
    return int(
        A[block + ROWS] + (N[A[block + BASE] + (key >> HALF)] + N[A[block + RANK] + (key & LOW)]) * A[block + ROW]
    )


@loop_kernel
def lacking(A: Array, B: Array, way: int, held: int) -> int:
    """How many of the tiles that are needed anyway are missing."""
    needed, fixed, found = A[way + NEEDED], A[way + FIXED], 0
    for spot in range(needed + 1, needed + 1 + A[needed]):
        found += max(A[fixed + A[spot]] - B[held + A[spot]], 0)
    return int(found)


@loop_kernel
def short_of(A: Array, B: Array, way: int, held: int, less: int) -> int:
    """The kinds that are needed anyway of which some are missing, as bits, one of each being gone if `less`."""
    needed, found = A[way + NEEDED], 0
    for spot in range(needed + 1, needed + 1 + A[needed]):
        if spare(A, B, way, held, A[spot]) < less:
            found |= 1 << A[spot]
    return int(found)


@loop_kernel
def kinds_at(A: Array, block: int, bits: int) -> int:
    """The kinds at these positions of a block; both as bits."""
    if A[block + FIRST] >= 0:
        return int(bits << A[block + FIRST])
    found, spot = 0, block + BLOCK
    while bits:
        if bits & 1:
            found |= 1 << A[spot]
        bits, spot = bits >> 1, spot + 1
    return int(found)


# --- rows


@loop_kernel
def read_rows(A: Array, T: Array, N: Array, B: Array, way: int, held: int) -> None:
    """Read the rows of all blocks."""
    states, fixed, over = A[way + STATES], A[way + FIXED], 0
    for number in range(A[way + BLOCKS]):
        block = A[A[way + BLOCK_AT] + number]
        size, key, asked, here = A[block + TILES], 0, A[block + ASKED], HERE + number * MOST_STATES
        for spot in range(block + BLOCK, block + BLOCK + size):
            kind, most = A[spot], A[spot + size]
            count = B[held + kind] - A[fixed + kind]
            if count > most:
                over |= 1 << kind
                count = most
            key += max(count, 0) * A[spot + 2 * size]
        B[KEY + number] = key
        row = row_at(A, N, block, key)
        for state in range(states):
            B[here + state] = T[row + A[asked + state]]
    B[READ], B[OVER] = way, over


@loop_kernel
def read_changes(A: Array, T: Array, N: Array, B: Array, way: int, number: int, held: int, key: int, to: int) -> None:
    """Read which tiles change the row of a block with this key, as the ups and downs of block `to`."""
    block = A[A[way + BLOCK_AT] + number]
    asked, length, row = A[block + ASKED], A[block + ROW], row_at(A, N, block, key)
    ups, downs = UPS + to * MOST_STATES, DOWNS + to * MOST_STATES
    if length > KEPT_STATES:
        for state in range(A[way + STATES]):
            find_changes(A, T, N, B, way, block, held, key, row + A[asked + state], 1, ups + state, downs + state)
        return
    kept = KEPT + (row // length * 7919 >> 3) % KEPT_ROWS * KEPT_ROW
    if B[kept] != row + 1:
        find_changes(A, T, N, B, way, block, held, key, row, length, kept + 1, kept + 1 + KEPT_STATES)
        B[kept] = row + 1
    for state in range(A[way + STATES]):
        place = kept + 1 + A[asked + state]
        B[ups + state], B[downs + state] = B[place], B[place + KEPT_STATES]


@loop_kernel
def find_changes(
    A: Array,
    T: Array,
    N: Array,
    B: Array,
    way: int,
    block: int,
    held: int,
    key: int,
    row: int,
    length: int,
    ups: int,
    downs: int,
) -> None:
    """Find which tiles change so many states of a row, from the place `row` on."""
    size, start = A[block + TILES], row - row_at(A, N, block, key)
    for state in range(length):
        B[ups + state] = B[downs + state] = 0
    for position in range(size):
        spot = block + BLOCK + position
        count, most, step = spare(A, B, way, held, A[spot]), A[spot + size], A[spot + 2 * size]
        if count < most:
            other = row_at(A, N, block, key + step) + start
            for state in range(length):
                B[ups + state] |= int(T[other + state] < T[row + state]) << position
        if count > 0:
            other = row_at(A, N, block, key - step) + start
            for state in range(length):
                B[downs + state] |= int(T[other + state] > T[row + state]) << position


# --- rows joined


@loop_kernel
def join_rows(A: Array, B: Array, way: int, one: int, other: int, to: int) -> None:
    """What two rows come to. Of states that come to one, the numbers add up to its number."""
    starts, pairs = A[way + STARTS], A[way + PAIRS]
    for state in range(A[way + STATES]):
        least, rest = NEVER, other + state
        for pair in range(pairs + 2 * A[starts + state], pairs + 2 * A[starts + state + 1], 2):
            least = min(least, B[one + A[pair]] + B[rest - A[pair]])
        B[to + state] = least


@loop_kernel
def copy_row(B: Array, states: int, row: int, to: int) -> None:
    for state in range(states):
        B[to + state] = B[row + state]


@loop_kernel
def clear_row(B: Array, states: int, to: int) -> None:
    """The row of no tiles."""
    for state in range(states):
        B[to + state] = NEVER if state else 0


@loop_kernel
def joined(B: Array, states: int, one: int, other: int) -> int:
    """How many tiles are missing by two rows that come to a whole hand."""
    least, last = NEVER, other + states - 1
    for state in range(states):
        least = min(least, B[one + state] + B[last - state])
    return int(least)


@loop_kernel
def join_before(A: Array, B: Array, way: int) -> int:
    """What the blocks before each one come to. How many tiles are missing, without those that are needed anyway."""
    states, blocks = A[way + STATES], A[way + BLOCKS]
    clear_row(B, states, BEFORE)
    if blocks == 0:
        return int(B[BEFORE + states - 1])
    before = HERE
    for number in range(1, blocks):
        copied = BEFORE + number * MOST_STATES
        if number == 1:
            copy_row(B, states, HERE, copied)
        else:
            join_rows(A, B, way, before, HERE + (number - 1) * MOST_STATES, copied)
        before = copied
    if blocks == 1:
        return int(B[HERE + states - 1])
    return joined(B, states, before, HERE + (blocks - 1) * MOST_STATES)


@loop_kernel
def join_after(A: Array, B: Array, way: int) -> None:
    """What the blocks after each one come to, and all others, those before it being joined."""
    states, blocks = A[way + STATES], A[way + BLOCKS]
    clear_row(B, states, AFTER + blocks * MOST_STATES)
    for number in range(blocks - 1, -1, -1):
        here, before = HERE + number * MOST_STATES, BEFORE + number * MOST_STATES
        after, others = AFTER + number * MOST_STATES, OTHERS + number * MOST_STATES
        if number == blocks - 1:
            copy_row(B, states, here, after)
            copy_row(B, states, before, others)
            continue
        if number:
            join_rows(A, B, way, after + MOST_STATES, here, after)
            join_rows(A, B, way, before, after + MOST_STATES, others)
        else:
            copy_row(B, states, after + MOST_STATES, others)


@loop_kernel
def join(A: Array, B: Array, way: int) -> int:
    """Join the blocks, by their rows. How many tiles are missing, without those that are needed anyway."""
    found = join_before(A, B, way)
    join_after(A, B, way)
    return found


@loop_kernel
def join_rest(A: Array, B: Array, way: int) -> None:
    """What all blocks but two come to."""
    states, blocks = A[way + STATES], A[way + BLOCKS]
    for one in range(blocks - 1):
        between = BEFORE + one * MOST_STATES  # those before the first, and those between them
        for other in range(one + 1, blocks):
            rest, here = REST + (one * MOST_BLOCKS + other) * MOST_STATES, HERE + other * MOST_STATES
            after, joins = AFTER + (other + 1) * MOST_STATES, BETWEEN + (other & 1) * MOST_STATES
            first = one == 0 and other == 1
            if other == blocks - 1:
                copy_row(B, states, between, rest)
            elif first:
                copy_row(B, states, after, rest)
            else:
                join_rows(A, B, way, between, after, rest)
            if other < blocks - 1:
                if not first:
                    join_rows(A, B, way, between, here, joins)
                between = here if first else joins


@loop_kernel
def is_tight(A: Array, B: Array, way: int, rest: int, state: int, most: int) -> bool:
    """Whether some state of the changed row and one of the rest come to this state with no more tiles missing."""
    starts, pairs = A[way + STARTS], A[way + PAIRS]
    for pair in range(pairs + 2 * A[starts + state], pairs + 2 * A[starts + state + 1], 2):
        if B[CHANGED + A[pair]] + B[rest + state - A[pair]] <= most:
            return True
    return False


@loop_kernel
def prepare(A: Array, T: Array, N: Array, B: Array, way: int, held: int) -> None:
    """Read a way with all that changes it, and join it."""
    if B[READ] != way:
        read_rows(A, T, N, B, way, held)
        join_before(A, B, way)
    join_after(A, B, way)
    for number in range(A[way + BLOCKS]):
        read_changes(A, T, N, B, way, number, held, B[KEY + number], number)
