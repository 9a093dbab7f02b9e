"""Several hands of a seat out of the same tiles (`hands.divided`), over the numbers of a state: how far all of them
together are, with and without one of the tiles.

Letters as in `seeing`. Knows no ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance.flat import listed
from tilewright.hands.distance.flat.listed import end_of, fixed_of, free_of, kind_of, missing_of, wild_held
from tilewright.hands.distance.flat.rows import DISTANCE, USEFUL
from tilewright.hands.distance.kernels import NEVER
from tilewright.players.compiled.kernel import layout as bot

NO_ROW = 0  # in the place of the row of a second hand


@kernel
def find_near(A: Array, B: Array, place: int, number: int) -> None:
    """Find the rows that are nearest to one hand, as if it had all tiles for itself: of equals the first."""
    wild, rows = wild_held(A, B, place, bot.HELD), A[place + listed.ROWS]
    for missing in range(bot.MOST_FAR_ROWS):
        B[bot.FAR_ROWS + missing] = 0
    for row in range(rows):
        missing = missing_of(A, B, A[place + listed.STARTS + row], bot.HELD, wild, bot.MOST_FAR_ROWS - 1)
        B[listed.MISSING + row] = missing
        if missing < bot.MOST_FAR_ROWS:
            B[bot.FAR_ROWS + missing] += 1
    last, before = 0, 0
    while last < bot.MOST_FAR_ROWS - 1 and before + B[bot.FAR_ROWS + last] < bot.MOST_NEAR:
        before += B[bot.FAR_ROWS + last]
        last += 1
    left, count, near = bot.MOST_NEAR - before, 0, bot.NEAR + number * bot.MOST_NEAR
    for row in range(rows):
        missing = B[listed.MISSING + row]
        if missing < last or (missing == last and left > 0):
            left -= missing == last
            B[near + count] = A[place + listed.STARTS + row]
            count += 1
    B[bot.NEAR_SIZE + number] = count


@kernel
def join(A: Array, B: Array, place: int, hands: int) -> int:
    """Join the nearest rows of one hand or two, and keep those that may be nearest with one tile less. How far the
    nearest are."""
    least, count = NEVER, 0
    for one in range(B[bot.NEAR_SIZE]):
        for other in range(B[bot.NEAR_SIZE + 1] if hands > 1 else 1):
            row, second = B[bot.NEAR + one], B[bot.NEAR + bot.MOST_NEAR + other] if hands > 1 else NO_ROW
            missing = missing_together(A, B, place, row, second, least + 1)
            if missing <= least + 1:
                joined = bot.JOINED + 3 * count
                B[joined], B[joined + 1], B[joined + 2] = row, second, missing
                count += 1
                least = min(least, missing)
    kept = 0
    for spot in range(count):
        joined, to = bot.JOINED + 3 * spot, bot.JOINED + 3 * kept
        if B[joined + 2] <= least + 1:
            B[to], B[to + 1], B[to + 2] = B[joined], B[joined + 1], B[joined + 2]
            kept += 1
    B[bot.JOINED_SIZE] = kept
    return int(least)


@kernel
def entry_like(A: Array, row: int, kind: int) -> int:
    """What a row has of a kind, 0 if nothing."""
    if row != NO_ROW:
        for entry in range(row + listed.ENTRIES, end_of(A, row)):
            if kind_of(A[entry]) == kind:
                return int(A[entry])
    return 0


@kernel
def missing_together(A: Array, B: Array, place: int, row: int, second: int, most: int) -> int:
    """How many tiles two rows miss together, or one; NEVER if more than so many."""
    lacks, places = 0, -wild_held(A, B, place, bot.HELD)
    for entry in range(row + listed.ENTRIES, end_of(A, row)):
        kind = kind_of(A[entry])
        like = entry_like(A, second, kind)
        spare = B[bot.HELD + kind] - fixed_of(A[entry]) - fixed_of(like)
        lacks -= min(spare, 0)
        places += max(free_of(A[entry]) + free_of(like) - max(spare, 0), 0)
    for entry in range(second + listed.ENTRIES, end_of(A, second) if second != NO_ROW else 0):
        kind = kind_of(A[entry])
        if entry_like(A, row, kind) == 0:
            spare = B[bot.HELD + kind] - fixed_of(A[entry])
            lacks -= min(spare, 0)
            places += max(free_of(A[entry]) - max(spare, 0), 0)
            if lacks > most:
                return NEVER
    found = lacks + max(places, 0)
    return int(found if found <= most else NEVER)


@kernel
def lowering_together(A: Array, B: Array, place: int, row: int, second: int) -> int:
    """The kinds that bring the tiles nearer to two rows together, as bits."""
    lacking, short, places, wild = 0, 0, 0, wild_held(A, B, place, bot.HELD)
    for entry in range(row + listed.ENTRIES, end_of(A, row)):
        kind = kind_of(A[entry])
        like = entry_like(A, second, kind)
        spare = B[bot.HELD + kind] - fixed_of(A[entry]) - fixed_of(like)
        free = free_of(A[entry]) + free_of(like) - max(spare, 0)
        lacking |= int(spare < 0) << kind
        short |= int(free > 0) << kind
        places += max(free, 0)
    for entry in range(second + listed.ENTRIES, end_of(A, second) if second != NO_ROW else 0):
        kind = kind_of(A[entry])
        if entry_like(A, row, kind) == 0:
            spare = B[bot.HELD + kind] - fixed_of(A[entry])
            free = free_of(A[entry]) - max(spare, 0)
            lacking |= int(spare < 0) << kind
            short |= int(free > 0) << kind
            places += max(free, 0)
    return int(lacking | short | A[place + listed.WILD] if places > wild else lacking)


@kernel
def useful_together(M: Any, distance: int) -> int:
    """The kinds that bring the tiles nearer to the joined rows that are this far, as bits."""
    A, B, found = M.ways, M.own, 0
    for spot in range(B[bot.JOINED_SIZE] if distance else 0):
        joined = bot.JOINED + 3 * spot
        if B[joined + 2] == distance:
            found |= lowering_together(A, B, B[bot.LIST_AT], B[joined], B[joined + 1])
    return int(found)


@kernel
def look_without_kind(M: Any, kind: int, useful: bool) -> int:
    """How far the tiles are without one of this kind, and what brings them nearer then, under USEFUL, if that is
    wanted."""
    A, B, least, found = M.ways, M.own, NEVER, 0
    B[bot.HELD + kind] -= 1
    for spot in range(B[bot.JOINED_SIZE]):
        joined = bot.JOINED + 3 * spot
        missing = missing_together(A, B, B[bot.LIST_AT], B[joined], B[joined + 1], least)
        if missing < least:
            least, found = missing, 0
        if useful and missing == least and 0 < least < NEVER:
            found |= lowering_together(A, B, B[bot.LIST_AT], B[joined], B[joined + 1])
    B[bot.HELD + kind] += 1
    B[USEFUL + kind] = found
    return int(least)


@kernel
def look_without_kinds(M: Any, wanted: int, most: int) -> int:
    """How far the tiles are without one of each of these kinds (bits), under DISTANCE; for the nearest of them the
    kinds that bring them nearer, under USEFUL, if they are no further than `most`. The least distance."""
    B, least = M.own, NEVER
    for kind in range(M.known[bot.KINDS]):
        if wanted >> kind & 1:
            B[DISTANCE + kind] = look_without_kind(M, kind, most >= 0)
            least = min(least, B[DISTANCE + kind])
    return int(least)
