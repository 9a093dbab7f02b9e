"""How far one hand is from any form, and which tiles bring it nearer, from ways as lists of numbers.

For loops that ask thousands of times a second; answers as `Look.roughly` does. Letters as in `flat_rows`.
"""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance.flat_listed import MOST_KINDS, NOWHERE, listed_distance, listed_useful, listed_without
from tilewright.hands.distance.flat_rows import (
    BLOCK,
    BLOCKS,
    CLASS_BITS,
    CLASS_OF,
    CLASSES,
    DISTANCE,
    DOWN,
    FAR,
    KEY,
    MISSING,
    MOST_BLOCKS,
    NEAREST,
    OTHERS,
    OVER,
    READ,
    REST,
    SEEN,
    TILES,
    TURN,
    UNUSED,
    UP,
    USEFUL,
    block_at,
    changes_at,
    join_before,
    join_rest,
    joined,
    kinds_at,
    lacking,
    prepare,
    read_rows,
    short_of,
)
from tilewright.hands.distance.flat_searched import (
    READ_FORM,
    as_far_without,
    forget_rows,
    searched_distance,
    searched_useful,
)
from tilewright.hands.distance.kernels import NEVER

# --- questions


@kernel
def distances(A: Array, T: Array, N: Array, B: Array, plan: int, held: int, beyond: int) -> int:
    """How far a hand is; by each way under FAR, where that is no more than `beyond` further, else more than that."""
    best, B[READ] = NEVER, -1
    for number in range(A[plan]):
        way = A[plan + 1 + number]
        far = lacking(A, B, way, held)
        if far <= best + beyond:
            read_rows(A, N, B, way, held)
            far = min(join_before(A, T, N, B, way) + far, NEVER)
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


@kernel
def is_listed_near(A: Array, B: Array, plan: int, far: int) -> bool:
    """Whether the rows of a list are no further away."""
    return bool(A[plan + 1 + A[plan]] and B[FAR + A[plan]] <= far)


@kernel
def distance_of(A: Array, T: Array, N: Array, B: Array, plan: int, held: int) -> int:
    """How far a hand is; by each way under FAR, where that is as near."""
    return distances(A, T, N, B, plan, held, 0)


@kernel
def look_at(A: Array, T: Array, N: Array, B: Array, plan: int, held: int) -> int:
    """How far a hand is, by each way under FAR; the kinds that bring it nearer under USEFUL."""
    best = distance_of(A, T, N, B, plan, held)
    find_useful(A, T, N, B, plan, held, best)
    return best


@kernel
def find_useful(A: Array, T: Array, N: Array, B: Array, plan: int, held: int, best: int) -> None:
    """Find under USEFUL the kinds that bring a hand nearer, whose distance was found by each way."""
    B[USEFUL] = 0
    for number in range(A[plan]):
        if B[FAR + number] == best and best < NEVER:
            way = A[plan + 1 + number]
            prepare(A, T, N, B, way, held)
            B[USEFUL] |= helping(A, T, B, way, held, best - lacking(A, B, way, held))
    if best < NEVER and is_listed_near(A, B, plan, best):
        B[USEFUL] |= listed_useful(A, B, A[plan + 2 + A[plan]], held, best)
    ways, after = plan + 3 + A[plan], FAR + A[plan] + 1
    for number in range(A[ways] if best < NEVER else 0):
        if B[after + number] == best:
            B[READ_FORM] = -1
            B[USEFUL] |= searched_useful(A, B, A[ways + 1 + number], held, best)


@kernel
def helping(A: Array, T: Array, B: Array, way: int, held: int, least: int) -> int:
    """The kinds that bring a hand nearer by this way, as bits. `least`: how many are missing without those that are
    needed anyway."""
    found = short_of(A, B, way, held, 0)
    for number in range(A[way + BLOCKS] if least else 0):
        found |= useful_of(A, T, B, way, number, B[OTHERS + number], least)
    return int(found)


@kernel
def useful_of(A: Array, T: Array, B: Array, way: int, number: int, others: int, least: int) -> int:
    """The kinds of a block of which one more makes what is missing fewer than `least`, as bits. `others`: the class of
    what the other blocks come to."""
    block, row, ups = block_at(A, way, number), A[way + MISSING] + others * A[way + CLASSES], 0
    up = UP + number * MOST_KINDS
    for position in range(A[block + TILES]):
        ups |= int(T[row + B[up + position]] < least) << position
    return kinds_at(A, block, ups)


@kernel
def without_loss(A: Array, T: Array, B: Array, way: int, held: int, wanted: int, least: int) -> int:
    """The kinds among these (bits) of which one less leaves a hand as near by this way. `least`: as in `helping`."""
    found = wanted & ~short_of(A, B, way, held, 1)
    for number in range(A[way + BLOCKS]):
        block, row, downs = block_at(A, way, number), A[way + MISSING] + B[OTHERS + number] * A[way + CLASSES], 0
        down = DOWN + number * MOST_KINDS
        for position in range(A[block + TILES]):
            downs |= int(T[row + B[down + position]] > least) << position
        found &= ~(kinds_at(A, block, downs) & ~B[OVER])
    return int(found)


@kernel
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
            near = without_loss(A, T, B, way, held, wanted, least)
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
                near = without_loss(A, T, B, way, held, wanted, least)
            if near:
                help_without(A, T, N, B, way, held, kinds, near, least, best + 1 - far)
    if best < min(most, NEVER - 1) and is_listed_near(A, B, plan, best + 1):
        listed_without(A, B, A[plan + 2 + A[plan]], held, kinds, wanted, best + 1, USEFUL)
    if best < min(most, NEVER - 1):
        searched_without(A, B, plan, held, kinds, wanted, best + 1, USEFUL)
    return int(best + 1)


@kernel
def help_without(
    A: Array, T: Array, N: Array, B: Array, way: int, held: int, kinds: int, near: int, least: int, more: int
) -> None:
    """The kinds that bring a hand nearer by this way without one tile of each of these kinds (bits), which leaves it so
    many tiles further away (`more`). `least`: as in `helping`."""
    gone = short_of(A, B, way, held, 1)
    same = near & (A[way + UNUSED] | B[OVER] | gone)  # those that leave all rows as they are
    useful = helping(A, T, B, way, held, least) if same else 0
    for kind in range(kinds):
        if same >> kind & 1:
            B[USEFUL + kind] |= useful | gone & 1 << kind
    near &= ~same
    if near and A[way + BLOCKS] > 1:
        join_rest(A, N, B, way)
    for number in range(A[way + BLOCKS] if near else 0):
        help_changed(A, T, N, B, way, held, number, near, least + more)


@kernel
def help_changed(
    A: Array, T: Array, N: Array, B: Array, way: int, held: int, number: int, near: int, least: int
) -> None:
    """The kinds that bring a hand nearer by this way without one tile of each of these kinds (bits) of a block.
    `least`: as in `helping`, of the hand without that tile."""
    block, short, down = block_at(A, way, number), short_of(A, B, way, held, 0), DOWN + number * MOST_KINDS
    B[TURN] += 1
    for position in range(A[block + TILES]):
        spot = block + BLOCK + position
        kind, step = A[spot], A[spot + 2 * A[block + TILES]]
        if not near >> kind & 1:
            continue
        useful = short
        if least:
            B[held + kind] -= 1
            useful |= useful_changed(A, T, N, B, way, held, number, B[KEY + number] - step, least)
            B[held + kind] += 1
            useful |= useful_beside(A, T, N, B, way, number, B[down + position], least)
        B[USEFUL + kind] |= useful


@kernel
def useful_changed(
    A: Array, T: Array, N: Array, B: Array, way: int, held: int, number: int, key: int, least: int
) -> int:
    """The kinds of a block that bring a hand nearer, with another key of that block."""
    block, ups = block_at(A, way, number), 0
    row, class_of = A[way + MISSING] + B[OTHERS + number] * A[way + CLASSES], A[block + CLASS_OF]
    changes = changes_at(A, N, B, way, block, held, key)
    for position in range(A[block + TILES]):
        up = A[class_of + (B[changes + position] & (1 << CLASS_BITS) - 1)]
        ups |= int(T[row + up] < least) << position
    return kinds_at(A, block, ups)


@kernel
def useful_beside(A: Array, T: Array, N: Array, B: Array, way: int, number: int, changed: int, least: int) -> int:
    """The kinds of all other blocks that bring a hand nearer, with another class of a block; found once in a turn."""
    seen, found = SEEN + 2 * changed, 0
    if B[seen] == B[TURN]:
        return int(B[seen + 1])
    for other in range(A[way + BLOCKS]):
        if other != number:
            rest = B[REST + min(other, number) * MOST_BLOCKS + max(other, number)]
            found |= useful_of(A, T, B, way, other, joined(A, N, way, rest, changed), least)
    B[seen], B[seen + 1] = B[TURN], found
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
