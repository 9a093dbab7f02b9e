"""How far one hand is from listed hands, as those of a card, and which tiles bring it nearer, from rows as a list
of numbers.

Answers as `hands.distance.cards.ListedPlan.near` does. `A`: the numbers; `B`: a list to work in,
with the tiles held from `held` on, and under THERE how many of each tile the seat may have besides its melds.
"""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance.kernels import NEVER

MOST_KINDS, MOST_ROWS = 63, 1 << 13
NOWHERE = -1

# What is worked in, from the start of the list.
THERE = 0  # by kind: how many of it there are besides the melds of the seat
MISSING = THERE + MOST_KINDS  # by row: how many tiles are missing
LISTED_WORK = MISSING + MOST_ROWS

# A list: how many rows, the wild tiles as bits, where its choices are, then where each row begins.
ROWS, WILD, CHOICES, STARTS = range(4)
# Choices, after how many there are: the number of each, among kinds, and the kinds that may be chosen, as bits.
CHOICE, MEMBERS, OF_CHOICE = range(3)
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
def choose(A: Array, B: Array, place: int, held: int, left: int) -> None:
    """Count for each choice the kind of which most are held, of equals the one of which most are left; both, if `left`
    is not NOWHERE."""
    spot = A[place + CHOICES]
    for choice in range(spot + 1, spot + 1 + OF_CHOICE * A[spot], OF_CHOICE):
        most, more, bits, kind = -1, 0, A[choice + MEMBERS], 0
        while bits:
            if bits & 1:
                here, there = B[held + kind], max(B[left + kind], 0) if left != NOWHERE else 0
                if here > most or (here == most and there > more):
                    most, more = here, there
            bits, kind = bits >> 1, kind + 1
        B[held + A[choice + CHOICE]] = most
        if left != NOWHERE:
            B[left + A[choice + CHOICE]] = more


@kernel
def chosen(A: Array, B: Array, place: int, held: int, found: int, alone: bool) -> int:
    """Kinds (bits) with those that are chosen in place of choices: all of which most are held, or only one that is
    held more often than the others."""
    spot = A[place + CHOICES]
    for choice in range(spot + 1, spot + 1 + OF_CHOICE * A[spot], OF_CHOICE):
        number = A[choice + CHOICE]
        if not found >> number & 1:
            continue
        found &= ~(1 << number)
        bits, kind, some = A[choice + MEMBERS], 0, 0
        while bits:
            if bits & 1 and B[held + kind] == B[held + number]:
                some |= 1 << kind
            bits, kind = bits >> 1, kind + 1
        if not alone or some & (some - 1) == 0:
            found |= some
    return int(found)


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
    choose(A, B, place, held, NOWHERE)
    choose(A, B, place, THERE, NOWHERE)
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
        spare = B[held + kind] - fixed_of(A[entry])
        if spare < 0:
            lacking |= 1 << kind
            spare = 0
        if free > spare:
            places += free - spare
            short |= 1 << kind
    lacking = drawable(A, B, place, held, lacking)
    if places <= wild:
        return int(lacking)
    short = drawable(A, B, place, held, short)
    bits, kind = A[place + WILD], 0
    while bits:
        if bits & 1 and B[held + kind] < B[THERE + kind]:
            short |= 1 << kind
        bits, kind = bits >> 1, kind + 1
    return int(lacking | short)


@kernel
def drawable(A: Array, B: Array, place: int, held: int, wanted: int) -> int:
    """Those of these kinds (bits) of which some are there."""
    bits, kind, found = chosen(A, B, place, held, wanted, False), 0, 0
    while bits:
        if bits & 1:
            found |= int(B[held + kind] < B[THERE + kind]) << kind
        bits, kind = bits >> 1, kind + 1
    return int(found)


@kernel
def listed_useful(A: Array, B: Array, place: int, held: int, least: int) -> int:
    """The kinds that bring a hand nearer to the nearest rows, which are this far under MISSING, as bits."""
    choose(A, B, place, held, NOWHERE)
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
    if places >= wild:
        found |= tight | A[place + WILD]
    return chosen(A, B, place, held, found, True)


@kernel
def choosing(A: Array, B: Array, place: int, row: int, held: int) -> int:
    """The kinds that are chosen for a row in place of choices, as bits: with one less of one of them, others are."""
    found = 0
    for entry in range(row + ENTRIES, end_of(A, row) if A[A[place + CHOICES]] else 0):
        found |= 1 << kind_of(A[entry])
    return found ^ chosen(A, B, place, held, found, False) if found else 0


@kernel
def listed_without(A: Array, B: Array, place: int, held: int, kinds: int, wanted: int, least: int, useful: int) -> int:
    """Which of these kinds (bits) leave a hand this far from some row when one of each goes, as bits, MISSING being
    known; for each the kinds that bring it nearer then, added to those from `useful` on, if that is not NOWHERE."""
    choose(A, B, place, held, NOWHERE)
    wild, found = wild_held(A, B, place, held), 0
    for number in range(A[place + ROWS]):
        missing, row = B[MISSING + number], A[place + STARTS + number]
        if missing != least and missing != least - 1:
            continue
        worse = wanted & hurting(A, B, place, row, held, wild)
        here = worse if missing < least else wanted & ~worse
        found |= here
        same = lowering(A, B, place, row, held, wild) if here and missing == least and least else 0
        others = choosing(A, B, place, row, held) if here and missing == least and least and useful != NOWHERE else 0
        for kind in range(kinds if here and useful != NOWHERE else 0):
            if not here >> kind & 1:
                continue
            if missing == least and not others >> kind & 1:
                B[useful + kind] |= same
                continue
            B[held + kind] -= 1
            choose(A, B, place, held, NOWHERE)
            B[useful + kind] |= lowering(A, B, place, row, held, wild - (A[place + WILD] >> kind & 1))
            B[held + kind] += 1
            choose(A, B, place, held, NOWHERE)
    return int(found)
