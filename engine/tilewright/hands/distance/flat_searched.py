"""How far one hand is from a case whose rows are searched (`hands.distance.searched`), and which tiles bring it nearer,
from lists of numbers that say what makes its groups.

Answers as `SearchedWay.near` does. `A`: the numbers; `B`: a list to work in, with the tiles held from `held` on, and
under THERE how many of each tile the seat may have besides its melds. Rows that were found are kept in it. A key is the
counts of the tiles of a block, FIELD bits for each.
"""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance.flat_listed import LISTED_WORK, NOWHERE, THERE
from tilewright.hands.distance.kernels import NEVER

FIELD, FIELD_MASK, MOST_TILES = 3, 7, 21
HIGHEST = sum(4 << FIELD * at for at in range(MOST_TILES))  # bits of counts
MOST_WIDE = 128  # states of a row
MOST_BLOCKS, MOST_STATES = 12, 128  # of a form
MOST_STACK = 1 << 13
HASHED, SPREAD, MIDDLE = (1 << 31) - 1, 0x7FEB352D, 21  # of a hash: the bits that count, a factor, and which of theirs

# What is worked in: how many numbers of rows are kept, and how many rows; keys that are searched; a row; what is kept:
# a key, what is scarce, and where the row is; then rows. Then of a form (`searched_ways`), by block and state: how many
# tiles are missing, of which tiles (bits, by position) one more makes it fewer, what the blocks before come to, those
# after it, and both; the form whose rows were read last.
KEPT_NUMBERS = LISTED_WORK
KEPT_COUNT = KEPT_NUMBERS + 1
STACK = KEPT_COUNT + 1
BEFORE_ROW = STACK + MOST_STACK
SLOTS = 1 << 17
SLOT = BEFORE_ROW + MOST_WIDE
POOL, POOL_SIZE = SLOT + 3 * SLOTS, 1 << 21
HERE = POOL + POOL_SIZE
UPS = HERE + MOST_BLOCKS * MOST_STATES
BEFORE = UPS + MOST_BLOCKS * MOST_STATES
AFTER = BEFORE + (MOST_BLOCKS + 1) * MOST_STATES
OTHERS = AFTER + (MOST_BLOCKS + 1) * MOST_STATES
READ_FORM = OTHERS + MOST_BLOCKS * MOST_STATES
SEARCHED_WORK = READ_FORM + 1

# A way: its wild tile, then its form for each number of these that is held, after how many forms there are. A form: its
# states and blocks (with one more, of wild tiles left over), where the pairs of each state begin, and these; its
# blocks, the number of each state in the rows that are searched, and the row of the last block.
WILD_KIND, FORMS, FORM = range(3)
STATES, BLOCKS, STARTS, PAIRS, BLOCK_AT, INSIDE, LEFT_OVER = range(7)
# A block: how many tiles, which they are, its number, how many states its rows have, then where the uses of each lowest
# tile begin, those of none first.
TILES, NUMBER, WIDE, TILE_AT, USES = range(5)
# A use: the key of the tiles that it takes, how many are missing, which (as bits by position), those of which one is
# missing or more, or two; where its moves are, and how many; where all tiles of its group are.
TAKES, LACKING, LACKS, LACKS_ONE, LACKS_TWO, MOVES, MOVE_COUNT, GROUP, USE = range(9)


@kernel
def slot_of_row(B: Array, key: int, meta: int) -> int:
    """Where a row is kept, or a free place for it."""
    folded = key ^ key >> 29 ^ meta ^ meta >> 21 ^ meta >> 42
    spot = (folded & HASHED) * SPREAD >> MIDDLE & (SLOTS - 1)
    while B[SLOT + 3 * spot + 2] != 0 and (B[SLOT + 3 * spot] != key or B[SLOT + 3 * spot + 1] != meta):
        spot = (spot + 1) & (SLOTS - 1)
    return int(SLOT + 3 * spot)


@kernel
def forget_rows(B: Array) -> None:
    """Forget the rows that are kept, once there are many."""
    if B[KEPT_NUMBERS] > POOL_SIZE // 2 or B[KEPT_COUNT] > SLOTS // 2:
        for spot in range(SLOT, POOL):
            B[spot] = 0
        B[KEPT_NUMBERS] = B[KEPT_COUNT] = 0


@kernel
def lowest_of(key: int) -> int:
    """The position of the first tile with a count; -1 if there is none."""
    lowest = 0
    while key >> FIELD * lowest & FIELD_MASK == 0 and key:
        lowest += 1
    return lowest if key else -1


@kernel
def is_possible(A: Array, use: int, key: int, none: int, one: int) -> bool:
    """Whether a use has the tiles that it takes, and lacks none of which there are too few: no more, or one more."""
    if A[use + LACKS_ONE] & none or A[use + LACKS_TWO] & (none | one):
        return False
    takes = A[use + TAKES]
    lower = (key | HIGHEST) - (takes & ~HIGHEST)  # of each count all bits but the highest are compared
    return bool((key & ~takes | ~(key ^ takes) & lower) & HIGHEST == HIGHEST)


@kernel
def enter(A: Array, B: Array, use: int, before: int, row: int) -> None:
    """Enter everything of a row with one group more in another row."""
    missing, lacks = A[use + LACKING], A[use + LACKS]
    for move in range(A[use + MOVES], A[use + MOVES] + 2 * A[use + MOVE_COUNT], 2):
        old, to = B[before + A[move]], row + A[move + 1]
        total, now = (old & 255) + missing, B[to] & 255
        if total < now:
            B[to] = total | (old >> 8 | lacks) << 8
        elif total == now and total < NEVER:
            B[to] |= (old >> 8 | lacks) << 8


@kernel
def find_row(A: Array, B: Array, block: int, key: int, none: int, one: int, row: int) -> None:
    """Find the row of a key, those of fewer tiles being kept."""
    wide, lowest = A[block + WIDE], lowest_of(key)
    first, end = A[A[block + USES] + lowest + 1], A[A[block + USES] + lowest + 2]
    meta = meta_of(A, block, none, one)
    if lowest >= 0:
        unused = B[slot_of_row(B, key & ~(FIELD_MASK << FIELD * lowest), meta) + 2]
        for state in range(wide):
            B[row + state] = B[unused + state]
        for use in range(first, end, USE):
            if is_possible(A, use, key, none, one):
                enter(A, B, use, B[slot_of_row(B, key - A[use + TAKES], meta) + 2], row)
        return
    for state in range(wide):
        B[row + state] = NEVER if state else 0
    changed = True
    while changed:  # groups of which no tile is there, in each round one more
        changed = False
        for state in range(wide):
            B[BEFORE_ROW + state] = B[row + state]
        for use in range(first, end, USE):
            if is_possible(A, use, key, none, one):
                enter(A, B, use, BEFORE_ROW, row)
        for state in range(wide):
            changed = changed or B[BEFORE_ROW + state] != B[row + state]


@kernel
def meta_of(A: Array, block: int, none: int, one: int) -> int:
    """What decides the rows of keys: the block, and the tiles of which there are none left, or one."""
    return int((A[block + NUMBER] << MOST_TILES | none) << MOST_TILES | one)


@kernel
def push_unknown(A: Array, B: Array, block: int, key: int, none: int, one: int, depth: int) -> int:
    """Put the keys on the stack whose rows the row of a key needs and that are unknown. How many keys it has then."""
    lowest, meta = lowest_of(key), meta_of(A, block, none, one)
    if lowest < 0:
        return depth
    rest = key & ~(FIELD_MASK << FIELD * lowest)
    if B[slot_of_row(B, rest, meta) + 2] == 0:
        B[STACK + depth] = rest
        depth += 1
    for use in range(A[A[block + USES] + lowest + 1], A[A[block + USES] + lowest + 2], USE):
        if depth < MOST_STACK and is_possible(A, use, key, none, one):
            rest = key - A[use + TAKES]
            if B[slot_of_row(B, rest, meta) + 2] == 0:
                B[STACK + depth] = rest
                depth += 1
    return depth


@kernel
def searched_row(A: Array, B: Array, block: int, key: int, none: int, one: int) -> int:
    """Where the row of a key is. `none`, `one`: the tiles of which there are no more than held, or one more (bits)."""
    meta, depth = meta_of(A, block, none, one), 1
    slot = slot_of_row(B, key, meta)
    if B[slot + 2]:
        return int(B[slot + 2])
    B[STACK] = key
    while depth > 0:
        here = B[STACK + depth - 1]
        if here >= 0 and B[slot_of_row(B, here, meta) + 2]:
            depth -= 1
            continue
        if here >= 0:  # those that it needs come first
            B[STACK + depth - 1] = ~here
            depth = push_unknown(A, B, block, here, none, one, depth)
            continue
        row = POOL + B[KEPT_NUMBERS]
        find_row(A, B, block, ~here, none, one, row)
        slot = slot_of_row(B, ~here, meta)
        B[slot], B[slot + 1], B[slot + 2] = ~here, meta, row
        B[KEPT_NUMBERS] += A[block + WIDE]
        B[KEPT_COUNT] += 1
        depth -= 1
    return int(B[slot_of_row(B, key, meta) + 2])


@kernel
def tiles_of_block(A: Array, B: Array, block: int, held: int) -> Any:
    """The key of the tiles of a block that are held, and those of which there are no more, or one more (bits)."""
    key = none = one = 0
    for spot in range(A[block + TILES]):
        kind = A[A[block + TILE_AT] + spot]
        key |= B[held + kind] << FIELD * spot
        room = B[THERE + kind] - B[held + kind]
        none |= int(room <= 0) << spot
        one |= int(room == 1) << spot
    return key, none, one


@kernel
def block_row(A: Array, B: Array, block: int, held: int) -> int:
    """Where the row of a block is for the tiles held."""
    key, none, one = tiles_of_block(A, B, block, held)
    return searched_row(A, B, block, key, none, one)


@kernel
def state_before(A: Array, B: Array, use: int, row: int, state: int, least: int) -> int:
    """A state from which a use leads to another with so many tiles missing; NOWHERE if none does."""
    for move in range(A[use + MOVES], A[use + MOVES] + 2 * A[use + MOVE_COUNT], 2):
        if A[move + 1] == state and (B[row + A[move]] & 255) + A[use + LACKING] == least:
            return int(A[move])
    return NOWHERE


# --- ways: the rows of their blocks, joined


@kernel
def searched_distance(A: Array, B: Array, way: int, held: int) -> int:
    """How far a hand is by a way that is searched."""
    form = A[way + FORM + B[held + A[way + WILD_KIND]]]
    states, blocks = A[form + STATES], A[form + BLOCKS]
    for number in range(blocks - 1):
        row, here, ups = block_row(A, B, A[A[form + BLOCK_AT] + number], held), HERE, UPS
        for state in range(number * MOST_STATES, number * MOST_STATES + states):
            found = B[row + A[A[form + INSIDE] + state - number * MOST_STATES]]
            B[here + state], B[ups + state] = found & 255, found >> 8
    for state in range(states):
        B[HERE + (blocks - 1) * MOST_STATES + state] = A[A[form + LEFT_OVER] + state]
        B[UPS + (blocks - 1) * MOST_STATES + state] = 0
    B[READ_FORM] = form
    return int(min(join_before(A, B, form), NEVER))


@kernel
def searched_useful(A: Array, B: Array, way: int, held: int, least: int) -> int:
    """The kinds that bring a hand nearer by a way that is searched, as bits; by which it is this far."""
    form, found = A[way + FORM + B[held + A[way + WILD_KIND]]], 0
    if least == 0:
        return 0
    if B[READ_FORM] != form:
        searched_distance(A, B, way, held)
    join_after(A, B, form)
    for number in range(A[form + BLOCKS] - 1):
        block, last, ups = A[A[form + BLOCK_AT] + number], OTHERS + number * MOST_STATES + A[form + STATES] - 1, 0
        for state in range(A[form + STATES]):
            if B[HERE + number * MOST_STATES + state] + B[last - state] == least:
                ups |= B[UPS + number * MOST_STATES + state]
        for spot in range(A[block + TILES] + 1):
            if ups >> spot & 1:
                found |= 1 << A[A[block + TILE_AT] + spot]
    return int(found)


@kernel
def as_far_without(A: Array, B: Array, way: int, held: int, wanted: int, far: int) -> int:
    """Which of these kinds (bits) leave a hand this far when one of each goes, as bits: only the row of the block of a
    tile changes, or the form if the tile is wild."""
    wild, found = A[way + WILD_KIND], 0
    seen = 1 << wild
    if wanted & seen:
        B[held + wild] -= 1
        found |= int(searched_distance(A, B, way, held) == far) << wild
        B[held + wild] += 1
    here, form = searched_distance(A, B, way, held), A[way + FORM + B[held + wild]]
    join_after(A, B, form)
    for number in range(A[form + BLOCKS] - 1):
        block = A[A[form + BLOCK_AT] + number]
        for spot in range(A[block + TILES]):
            kind = A[A[block + TILE_AT] + spot]
            if wanted & ~seen & 1 << kind:
                B[held + kind] -= 1
                row = block_row(A, B, block, held)
                found |= int(joined_beside(A, B, form, number, row) == far) << kind
                B[held + kind] += 1
            seen |= 1 << kind
    return int(found | (wanted & ~seen if here == far else 0))


@kernel
def joined_beside(A: Array, B: Array, form: int, number: int, row: int) -> int:
    """How many tiles are missing with another row of a block that is searched."""
    least, inside, last = NEVER, A[form + INSIDE], OTHERS + number * MOST_STATES + A[form + STATES] - 1
    for state in range(A[form + STATES]):
        least = min(least, (B[row + A[inside + state]] & 255) + B[last - state])
    return int(least)


# --- rows joined


@kernel
def join_rows(A: Array, B: Array, form: int, one: int, other: int, to: int) -> None:
    """What two rows come to. Of states that come to one, the numbers add up to its number."""
    starts, pairs = A[form + STARTS], A[form + PAIRS]
    for state in range(A[form + STATES]):
        least, rest = NEVER, other + state
        for pair in range(pairs + 2 * A[starts + state], pairs + 2 * A[starts + state + 1], 2):
            least = min(least, B[one + A[pair]] + B[rest - A[pair]])
        B[to + state] = least


@kernel
def copy_row(B: Array, states: int, row: int, to: int) -> None:
    for state in range(states):
        B[to + state] = B[row + state]


@kernel
def clear_row(B: Array, states: int, to: int) -> None:
    """The row of no tiles."""
    for state in range(states):
        B[to + state] = NEVER if state else 0


@kernel
def joined(B: Array, states: int, one: int, other: int) -> int:
    """How many tiles are missing by two rows that come to a whole hand."""
    least, last = NEVER, other + states - 1
    for state in range(states):
        least = min(least, B[one + state] + B[last - state])
    return int(least)


@kernel
def join_before(A: Array, B: Array, form: int) -> int:
    """What the blocks before each one come to. How many tiles are missing."""
    states, blocks = A[form + STATES], A[form + BLOCKS]
    clear_row(B, states, BEFORE)
    if blocks == 0:
        return int(B[BEFORE + states - 1])
    before = HERE
    for number in range(1, blocks):
        copied = BEFORE + number * MOST_STATES
        if number == 1:
            copy_row(B, states, HERE, copied)
        else:
            join_rows(A, B, form, before, HERE + (number - 1) * MOST_STATES, copied)
        before = copied
    if blocks == 1:
        return int(B[HERE + states - 1])
    return joined(B, states, before, HERE + (blocks - 1) * MOST_STATES)


@kernel
def join_after(A: Array, B: Array, form: int) -> None:
    """What the blocks after each one come to, and all others, those before it being joined."""
    states, blocks = A[form + STATES], A[form + BLOCKS]
    clear_row(B, states, AFTER + blocks * MOST_STATES)
    for number in range(blocks - 1, -1, -1):
        here, before = HERE + number * MOST_STATES, BEFORE + number * MOST_STATES
        after, others = AFTER + number * MOST_STATES, OTHERS + number * MOST_STATES
        if number == blocks - 1:
            copy_row(B, states, here, after)
            copy_row(B, states, before, others)
            continue
        if number:
            join_rows(A, B, form, after + MOST_STATES, here, after)
            join_rows(A, B, form, before, after + MOST_STATES, others)
        else:
            copy_row(B, states, after + MOST_STATES, others)
