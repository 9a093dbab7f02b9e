"""How far one hand is from listed hands, as those of a card, and which tiles bring it nearer, from rows as a list
of numbers.

Answers as `hands.distance.cards.ListedPlan.near` does. `A`: the numbers; `B`: a list to work in,
with the tiles held from `held` on, and under THERE how many of each tile the seat may have besides its melds."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import kernel
from tilewright.hands.distance.kernels import NEVER

MOST_KINDS, MOST_ROWS = 63, 1 << 13
NOWHERE = -1

# What is worked in, from the start of the list.
THERE = 0  # by kind: how many of it there are besides the melds of the seat
MISSING = THERE + MOST_KINDS  # by row: how many tiles are missing
LISTED_WORK = MISSING + MOST_ROWS

# A list: how many rows, the wild tiles as bits, then where each row begins.
ROWS, WILD, STARTS = range(3)
# A row: its number in the listing, whether its hands are concealed, how many kinds it has; then each of these.
NUMBER, CLOSED, KINDS, ENTRIES = range(4)
# A kind of a row, as one number: the kind; from these bits on how many places melds have left of it where no wild tile
# may stand, and elsewhere; then all of these.
KIND_MASK, FIXED, FREE, ALL_FIXED, ALL_FREE, COUNT_MASK = 63, 8, 16, 24, 32, 255


@kernel
def end_of(A: Array, row: int) -> int:
    """Where the kinds of a row end."""
    return int(row + ENTRIES + A[row + KINDS])


@kernel
def kind_of(entry: int) -> int:
    return int(entry & KIND_MASK)


@kernel
def fixed_of(entry: int) -> int:
    return int(entry >> FIXED & COUNT_MASK)


@kernel
def free_of(entry: int) -> int:
    return int(entry >> FREE & COUNT_MASK)


@kernel
def all_fixed_of(entry: int) -> int:
    return int(entry >> ALL_FIXED & COUNT_MASK)


@kernel
def all_free_of(entry: int) -> int:
    return int(entry >> ALL_FREE & COUNT_MASK)


@kernel
def wild_held(A: Array, B: Array, place: int, held: int) -> int:
    """How many wild tiles are held."""
    bits, kind, found = A[place + WILD], 0, 0
    while bits:
        if bits & 1:
            found += B[held + kind]
        bits, kind = bits >> 1, kind + 1
    return int(found)


@kernel
def missing_of(A: Array, B: Array, row: int, held: int, wild: int, most: int) -> int:
    """How many tiles a row misses; NEVER if more than so many."""
    lacks, places = 0, -wild
    for entry in range(row + ENTRIES, end_of(A, row)):
        spare, free = B[held + kind_of(A[entry])] - fixed_of(A[entry]), free_of(A[entry])
        if spare < 0:
            lacks -= spare
            spare = 0
        if free > spare:
            places += free - spare
        if lacks + max(places, 0) > most:
            return NEVER
    return int(lacks + max(places, 0))


@kernel
def may_be_made(A: Array, B: Array, row: int, limits: int) -> bool:
    """Whether there are enough tiles for the places of a row where no wild tile may stand."""
    for entry in range(row + ENTRIES, end_of(A, row)):
        if fixed_of(A[entry]) > max(B[limits + kind_of(A[entry])], 0):
            return False
    return True


@kernel
def listed_distance(A: Array, B: Array, place: int, held: int) -> int:
    """How far a hand is from the nearest row; from each under MISSING, where that is no more than one tile further."""
    wild, least = wild_held(A, B, place, held), NEVER
    for number in range(A[place + ROWS]):
        row = A[place + STARTS + number]
        missing = missing_of(A, B, row, held, wild, least + 1)
        if missing <= least + 1 and not may_be_made(A, B, row, THERE):
            missing = NEVER
        B[MISSING + number] = missing
        least = min(least, missing)
    return int(least)


@kernel
def lowering(A: Array, B: Array, place: int, row: int, held: int, wild: int) -> int:
    """The kinds of which some are there that bring a hand nearer to a row, as bits."""
    places, lacking, short = 0, 0, 0
    for entry in range(row + ENTRIES, end_of(A, row)):
        kind, free = kind_of(A[entry]), free_of(A[entry])
        spare, bit = B[held + kind] - fixed_of(A[entry]), int(B[held + kind] < B[THERE + kind]) << kind
        if spare < 0:
            lacking |= bit
            spare = 0
        if free > spare:
            places += free - spare
            short |= bit
    if places <= wild:
        return int(lacking)
    bits, kind = A[place + WILD], 0
    while bits:
        if bits & 1 and B[held + kind] < B[THERE + kind]:
            short |= 1 << kind
        bits, kind = bits >> 1, kind + 1
    return int(lacking | short)


@kernel
def listed_useful(A: Array, B: Array, place: int, held: int, least: int) -> int:
    """The kinds that bring a hand nearer to the nearest rows, which are this far under MISSING, as bits."""
    wild, found = wild_held(A, B, place, held), 0
    for number in range(A[place + ROWS] if least else 0):
        if B[MISSING + number] == least:
            found |= lowering(A, B, place, A[place + STARTS + number], held, wild)
    return int(found)


@kernel
def hurting(A: Array, B: Array, place: int, row: int, held: int, wild: int) -> int:
    """The kinds of which one less leaves a hand further from a row, as bits."""
    places, found, tight = 0, 0, 0
    for entry in range(row + ENTRIES, end_of(A, row)):
        kind, fixed, free = kind_of(A[entry]), fixed_of(A[entry]), free_of(A[entry])
        spare = B[held + kind] - fixed
        if fixed + free > 0 and spare <= 0:
            found |= 1 << kind
        elif spare <= free:
            tight |= 1 << kind
        places += max(free - max(spare, 0), 0)
    return int(found | tight | A[place + WILD] if places >= wild else found)


@kernel
def listed_without(A: Array, B: Array, place: int, held: int, kinds: int, wanted: int, least: int, useful: int) -> int:
    """Which of these kinds (bits) leave a hand this far from some row when one of each goes, as bits, MISSING being
    known; for each the kinds that bring it nearer then, added to those from `useful` on, if that is not NOWHERE."""
    wild, found = wild_held(A, B, place, held), 0
    for number in range(A[place + ROWS]):
        missing, row = B[MISSING + number], A[place + STARTS + number]
        if missing != least and missing != least - 1:
            continue
        worse = wanted & hurting(A, B, place, row, held, wild)
        here = worse if missing < least else wanted & ~worse
        found |= here
        same = lowering(A, B, place, row, held, wild) if here and missing == least and least else 0
        for kind in range(kinds if here and useful != NOWHERE else 0):
            if not here >> kind & 1:
                continue
            if missing == least:
                B[useful + kind] |= same
                continue
            B[held + kind] -= 1
            B[useful + kind] |= lowering(A, B, place, row, held, wild - (A[place + WILD] >> kind & 1))
            B[held + kind] += 1
    return int(found)
