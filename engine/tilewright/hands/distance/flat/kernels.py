"""How far one hand is from any form, and which tiles bring it nearer, from ways laid out as lists of numbers.

Compiled by numba, for loops that ask thousands of times a second; answers as `Look.roughly` does. Letters as in
`rows`."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.hands.distance.flat import searched
from tilewright.hands.distance.flat.listed import NOWHERE, listed_distance, listed_useful, listed_without
from tilewright.hands.distance.flat.rows import (
    ASKED,
    BLOCK,
    BLOCK_AT,
    BLOCKS,
    CHANGED,
    DISTANCE,
    DOWNS,
    FAR,
    HERE,
    KEY,
    MOST_BLOCKS,
    MOST_STATES,
    NEAREST,
    OTHERS,
    OVER,
    READ,
    REST,
    STATES,
    TILES,
    UNUSED,
    UPS,
    USEFUL,
    is_tight,
    join_after,
    join_before,
    join_rest,
    kinds_at,
    lacking,
    prepare,
    read_changes,
    read_rows,
    row_at,
    short_of,
)
from tilewright.hands.distance.flat.searched import block_row, forget_rows
from tilewright.hands.distance.kernels import NEVER

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
    listed, after = plan + 1 + A[plan], FAR + A[plan] + 1
    if A[listed]:
        far = listed_distance(A, B, A[listed + 1], held)
        best = min(best, far)
        B[FAR + A[plan]] = far
    if A[listed + 2]:
        forget_rows(B)
    for number in range(A[listed + 2]):
        far = searched_distance(A, B, A[listed + 3 + number], held)
        best = min(best, far)
        B[after + number] = far
    B[NEAREST] = best
    return int(best)


@loop_kernel
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
    B[READ] = form
    return int(min(join_before(A, B, form), NEVER))


@loop_kernel
def searched_useful(A: Array, B: Array, way: int, held: int, least: int) -> int:
    """The kinds that bring a hand nearer by a way that is searched, as bits; by which it is this far."""
    form, found = A[way + searched.FORM + B[held + A[way + searched.WILD_KIND]]], 0
    if least == 0:
        return 0
    if B[READ] != form:
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


@loop_kernel
def searched_without(A: Array, B: Array, plan: int, held: int, kinds: int, wanted: int, far: int, useful: int) -> int:
    """Which of these kinds (bits) leave a hand this far by some way that is searched when one of each goes, as bits;
    for each the kinds that bring it nearer then, added to those from `useful` on, if that is not NOWHERE."""
    ways, after, found = plan + 1 + A[plan] + 2, FAR + A[plan] + 1, 0
    for number in range(A[ways]):
        for kind in range(kinds if B[after + number] <= far else 0):
            if not wanted >> kind & 1:
                continue
            B[held + kind] -= 1
            if searched_distance(A, B, A[ways + 1 + number], held) == far:
                found |= 1 << kind
                if useful != NOWHERE:
                    B[useful + kind] |= searched_useful(A, B, A[ways + 1 + number], held, far)
            B[held + kind] += 1
    return int(found)


@loop_kernel
def is_listed_near(A: Array, B: Array, plan: int, far: int) -> bool:
    """Whether the rows of a list are no further away."""
    return bool(A[plan + 1 + A[plan]] and B[FAR + A[plan]] <= far)


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
    if best < NEVER and is_listed_near(A, B, plan, best):
        B[USEFUL] |= listed_useful(A, B, A[plan + 2 + A[plan]], held, best)
    ways, after = plan + 3 + A[plan], FAR + A[plan] + 1
    for number in range(A[ways] if best < NEVER else 0):
        if B[after + number] == best:
            B[READ] = -1
            B[USEFUL] |= searched_useful(A, B, A[ways + 1 + number], held, best)


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
    if is_listed_near(A, B, plan, best):
        useful = USEFUL if best <= most else NOWHERE
        free |= listed_without(A, B, A[plan + 2 + A[plan]], held, kinds, wanted, best, useful)
    free |= searched_without(A, B, plan, held, kinds, wanted, best, USEFUL if best <= most else NOWHERE)
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
    if best < min(most, NEVER - 1) and is_listed_near(A, B, plan, best + 1):
        listed_without(A, B, A[plan + 2 + A[plan]], held, kinds, wanted, best + 1, USEFUL)
    if best < min(most, NEVER - 1):
        searched_without(A, B, plan, held, kinds, wanted, best + 1, USEFUL)
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
