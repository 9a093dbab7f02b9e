"""How far one hand is by ways that are searched, and which tiles bring it nearer: the rows of their blocks, joined.

Letters as in `searched`."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance.flat import searched
from tilewright.hands.distance.flat.listed import NOWHERE
from tilewright.hands.distance.flat.rows import FAR
from tilewright.hands.distance.flat.searched import (
    AFTER,
    BEFORE,
    BLOCK_AT,
    BLOCKS,
    HERE,
    MOST_STATES,
    OTHERS,
    PAIRS,
    READ_FORM,
    STARTS,
    STATES,
    UPS,
    block_row,
)
from tilewright.hands.distance.kernels import NEVER


@kernel
def searched_distance(A: Array, B: Array, way: int, held: int) -> int:
    """How far a hand is by a way that is searched."""
    form = A[way + searched.FORM + B[held + A[way + searched.WILD_KIND]]]
    states, blocks = A[form + STATES], A[form + BLOCKS]
    for number in range(blocks - 1):
        row, here, ups = block_row(A, B, A[A[form + BLOCK_AT] + number], held), HERE, UPS
        for state in range(number * MOST_STATES, number * MOST_STATES + states):
            found = B[row + A[A[form + searched.INSIDE] + state - number * MOST_STATES]]
            B[here + state], B[ups + state] = found & 255, found >> 8
    for state in range(states):
        B[HERE + (blocks - 1) * MOST_STATES + state] = A[A[form + searched.LEFT_OVER] + state]
        B[UPS + (blocks - 1) * MOST_STATES + state] = 0
    B[READ_FORM] = form
    return int(min(join_before(A, B, form), NEVER))


@kernel
def searched_useful(A: Array, B: Array, way: int, held: int, least: int) -> int:
    """The kinds that bring a hand nearer by a way that is searched, as bits; by which it is this far."""
    form, found = A[way + searched.FORM + B[held + A[way + searched.WILD_KIND]]], 0
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
        for spot in range(A[block + searched.TILES] + 1):
            if ups >> spot & 1:
                found |= 1 << A[A[block + searched.TILE_AT] + spot]
    return int(found)


@kernel
def searched_without(A: Array, B: Array, plan: int, held: int, kinds: int, wanted: int, far: int, useful: int) -> int:
    """Which of these kinds (bits) leave a hand this far by some way that is searched when one of each goes, as bits;
    for each the kinds that bring it nearer then, added to those from `useful` on, if that is not NOWHERE."""
    ways, after, found = plan + 1 + A[plan] + 2, FAR + A[plan] + 1, 0
    for number in range(A[ways]):
        if B[after + number] > far:
            continue
        way = A[ways + 1 + number]
        near = as_far_without(A, B, way, held, wanted, far)
        found |= near
        for kind in range(kinds if useful != NOWHERE else 0):
            if near >> kind & 1:
                B[held + kind] -= 1
                B[READ_FORM] = -1
                B[useful + kind] |= searched_useful(A, B, way, held, far)
                B[held + kind] += 1
    return int(found)


@kernel
def as_far_without(A: Array, B: Array, way: int, held: int, wanted: int, far: int) -> int:
    """Which of these kinds (bits) leave a hand this far when one of each goes, as bits: only the row of the block of a
    tile changes, or the form if the tile is wild."""
    wild, found = A[way + searched.WILD_KIND], 0
    seen = 1 << wild
    if wanted & seen:
        B[held + wild] -= 1
        found |= int(searched_distance(A, B, way, held) == far) << wild
        B[held + wild] += 1
    here, form = searched_distance(A, B, way, held), A[way + searched.FORM + B[held + wild]]
    join_after(A, B, form)
    for number in range(A[form + BLOCKS] - 1):
        block = A[A[form + BLOCK_AT] + number]
        for spot in range(A[block + searched.TILES]):
            kind = A[A[block + searched.TILE_AT] + spot]
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
    least, inside, last = NEVER, A[form + searched.INSIDE], OTHERS + number * MOST_STATES + A[form + STATES] - 1
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
