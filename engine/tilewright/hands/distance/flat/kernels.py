"""How far one hand is from any form, which tiles bring it nearer, and some of the nearest whole hands, from ways laid
out as lists of numbers.

Compiled by numba, for loops that ask thousands of times a second; answers as `Look.roughly` and `Look.target` do. `A`:
the ways (`ways`); `T`: the rows of all tables, and their targets; `N`: where rows begin; `B`: a list to work in, with
the tiles held from `held` on.

A row says for each state how many tiles are missing. One tile more or less changes each of these by one at most: all
that is asked besides is by which tiles (UPS, DOWNS), and which states are those of a nearest whole hand."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.hands.distance.kernels import HALF, LOW, NEVER

MOST_BLOCKS, MOST_STATES, MOST_WAYS, MOST_KINDS = 12, 128, 32, 63
KEPT_STATES, KEPT_ROWS = 16, 1 << 14  # rows whose changes are kept: how many states these may have, how many there are

# A way: its states and blocks, then where these lists begin; the kinds of no block as bits, and where those are that
# are needed anyway, after how many there are.
STATES, BLOCKS, STARTS, PAIRS, BLOCK_AT, FIXED, BLOCK_OF, POSITION_OF, UNUSED, NEEDED = range(10)
# A block: how many tiles, the rows of its table, how long each is, where they begin, which states are asked for, its
# targets and where those of each state begin, its first tile if the others follow that, else -1; then by tile its
# number, how many count, and what one adds to the key.
TILES, ROWS, ROW, BASE, RANK, ASKED, TARGETS, TARGET_STARTS, FIRST, BLOCK = range(10)

# What is worked in, from the start of the list.
HERE = 0  # by block and state: how many tiles are missing
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
USEFUL = DISTANCE + MOST_KINDS  # by kind: which tiles bring that nearer, as bits
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


# --- questions


@loop_kernel
def distances(A: Array, T: Array, N: Array, B: Array, plan: int, held: int, beyond: int) -> int:
    """How far a hand is; by each way under FAR, where that is no more than `beyond` further, else more than that."""
    best, B[READ] = NEVER, -1
    for number in range(A[plan]):
        way = A[plan + 1 + number]
        far = lacking(A, B, way, held)
        if far <= best + beyond:
            read_rows(A, T, N, B, way, held)
            far = min(join_before(A, B, way) + far, NEVER)
            best = min(best, far)
        B[FAR + number] = far
    return int(best)


@loop_kernel
def distance_of(A: Array, T: Array, N: Array, B: Array, plan: int, held: int) -> int:
    """How far a hand is; by each way under FAR, where that is as near."""
    return distances(A, T, N, B, plan, held, 0)


@loop_kernel
def look_at(A: Array, T: Array, N: Array, B: Array, plan: int, held: int) -> int:
    """How far a hand is, by each way under FAR; the kinds that bring it nearer under USEFUL."""
    best = distance_of(A, T, N, B, plan, held)
    find_useful(A, T, N, B, plan, held, best)
    return best


@loop_kernel
def find_useful(A: Array, T: Array, N: Array, B: Array, plan: int, held: int, best: int) -> None:
    """Find under USEFUL the kinds that bring a hand nearer, whose distance was found by each way."""
    B[USEFUL] = 0
    for number in range(A[plan]):
        if B[FAR + number] == best and best < NEVER:
            way = A[plan + 1 + number]
            prepare(A, T, N, B, way, held)
            B[USEFUL] |= helping(A, B, way, held, best - lacking(A, B, way, held))


@loop_kernel
def helping(A: Array, B: Array, way: int, held: int, least: int) -> int:
    """The kinds that bring a hand nearer by this way, as bits. `least`: how many are missing without those that are
    needed anyway."""
    found, states = short_of(A, B, way, held, 0), A[way + STATES]
    for number in range(A[way + BLOCKS] if least else 0):
        here, last, ups = number * MOST_STATES, OTHERS + number * MOST_STATES + states - 1, 0
        for state in range(states):
            if B[HERE + here + state] + B[last - state] == least:
                ups |= B[UPS + here + state]
        found |= kinds_at(A, A[A[way + BLOCK_AT] + number], ups)
    return int(found)


@loop_kernel
def without_loss(A: Array, B: Array, way: int, held: int, wanted: int, least: int) -> int:
    """The kinds among these (bits) of which one less leaves a hand as near by this way. `least`: as in `helping`."""
    found, states = wanted & ~short_of(A, B, way, held, 1), A[way + STATES]
    for number in range(A[way + BLOCKS]):
        here, last = number * MOST_STATES, OTHERS + number * MOST_STATES + states - 1
        downs = (1 << A[A[A[way + BLOCK_AT] + number] + TILES]) - 1
        for state in range(states):
            if B[HERE + here + state] + B[last - state] == least:
                downs &= B[DOWNS + here + state]
        found &= ~(kinds_at(A, A[A[way + BLOCK_AT] + number], downs) & ~B[OVER])
    return int(found)


@loop_kernel
def look_without(
    A: Array, T: Array, N: Array, B: Array, plan: int, held: int, kinds: int, wanted: int, most: int
) -> int:
    """How far a hand is without one tile of each wanted kind (bits) that is held, under DISTANCE, and for the nearest,
    if they are no further than `most`, the kinds that bring it nearer, under USEFUL. The least distance."""
    best, free = distances(A, T, N, B, plan, held, 1), 0
    for kind in range(kinds):
        B[DISTANCE + kind], B[USEFUL + kind] = NEVER, 0
        if B[held + kind] <= 0:
            wanted &= ~(1 << kind)
    if best >= NEVER or wanted == 0:
        return NEVER
    for number in range(A[plan]):
        if B[FAR + number] == best:
            way = A[plan + 1 + number]
            least = best - lacking(A, B, way, held)
            prepare(A, T, N, B, way, held)
            near = without_loss(A, B, way, held, wanted, least)
            free |= near
            if near and best <= most:
                help_without(A, T, N, B, way, held, kinds, near, least, best - B[FAR + number])
    for kind in range(kinds):
        if wanted >> kind & 1:
            B[DISTANCE + kind] = best if free >> kind & 1 else best + 1
    if free:
        return int(best)
    for number in range(A[plan] if best < min(most, NEVER - 1) else 0):
        way, far = A[plan + 1 + number], B[FAR + number]
        if far <= best + 1:
            least, near = far - lacking(A, B, way, held), wanted
            prepare(A, T, N, B, way, held)
            if far > best:
                near = without_loss(A, B, way, held, wanted, least)
            if near:
                help_without(A, T, N, B, way, held, kinds, near, least, best + 1 - far)
    return int(best + 1)


@loop_kernel
def help_without(
    A: Array, T: Array, N: Array, B: Array, way: int, held: int, kinds: int, near: int, least: int, more: int
) -> None:
    """The kinds that bring a hand nearer by this way without one tile of each of these kinds (bits), which leaves it so
    many tiles further away (`more`). `least`: as in `helping`."""
    gone, short = short_of(A, B, way, held, 1), short_of(A, B, way, held, 0)
    same = near & (A[way + UNUSED] | B[OVER] | gone)  # those that leave all rows as they are
    useful = helping(A, B, way, held, least) if same else 0
    for kind in range(kinds):
        if same >> kind & 1:
            B[USEFUL + kind] |= useful | gone & 1 << kind
    near &= ~same
    if near and A[way + BLOCKS] > 1:
        join_rest(A, B, way)
    for number in range(A[way + BLOCKS] if near else 0):
        block = A[A[way + BLOCK_AT] + number]
        for spot in range(block + BLOCK, block + BLOCK + A[block + TILES]):
            kind = A[spot]
            if near >> kind & 1:
                step = A[spot + 2 * A[block + TILES]]
                B[held + kind] -= 1
                useful = helping_changed(A, T, N, B, way, held, number, B[KEY + number] - step, least + more)
                B[held + kind] += 1
                B[USEFUL + kind] |= short | useful


@loop_kernel
def helping_changed(
    A: Array, T: Array, N: Array, B: Array, way: int, held: int, changed: int, key: int, least: int
) -> int:
    """The kinds that bring a hand nearer by this way besides those that are needed anyway, with another row of one
    block. `least`: as in `helping`."""
    states, block = A[way + STATES], A[A[way + BLOCK_AT] + changed]
    if least == 0:
        return 0
    row, asked, ups = row_at(A, N, block, key), A[block + ASKED], 0
    last = OTHERS + changed * MOST_STATES + states - 1
    behind = A[way + BLOCKS]
    read_changes(A, T, N, B, way, changed, held, key, behind)
    for state in range(states):
        B[CHANGED + state] = T[row + A[asked + state]]
        if B[CHANGED + state] + B[last - state] == least:
            ups |= B[UPS + behind * MOST_STATES + state]
    found = kinds_at(A, block, ups)
    for number in range(A[way + BLOCKS]):
        if number == changed:
            continue
        here, last, ups = number * MOST_STATES, OTHERS + number * MOST_STATES + states - 1, 0
        rest = REST + (min(number, changed) * MOST_BLOCKS + max(number, changed)) * MOST_STATES
        for state in range(states):
            missing = B[HERE + here + state]
            if (
                B[UPS + here + state] & ~ups
                and missing + B[last - state] <= least
                and is_tight(A, B, way, rest, states - 1 - state, least - missing)
            ):
                ups |= B[UPS + here + state]
        found |= kinds_at(A, A[A[way + BLOCK_AT] + number], ups)
    return int(found)
