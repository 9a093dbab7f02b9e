"""Rows of tables by their classes, and what the blocks of a way come to when joined.

`A`: the ways (`flat_ways`); `T`: what two classes come to, rows of classes, targets of tables; `N`: where
rows of tables begin, their classes, and those of two that are joined; `B`: a list to work in, with the tiles held from
`held` on; the work of `flat_listed` and `flat_searched` comes first in it.

A row says for each state how many tiles are missing. Rows that say the same are of one class, and there are few
classes. One tile more or less gives a row of another class, or of the same.
"""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance.flat_listed import MOST_KINDS
from tilewright.hands.distance.flat_searched import SEARCHED_WORK
from tilewright.hands.distance.kernels import HALF, LOW

MOST_BLOCKS, MOST_WAYS, MOST_CLASSES = 12, 32, 1 << 10
KEPT_TILES, KEPT_ROWS = 16, 1 << 14  # rows whose changes are kept: of how many tiles, how many rows
CLASS_BITS = 16  # of a class of a table

# A plan: how many ways it has, and these; then whether it has a list of rows (`listed`), and that or nothing; then how
# many ways that are searched (`searched`), and these; then the places of all among the distances, in the order in which
# one is drawn by lot.
# A way: its blocks; where the pairs of its states begin, by state and at all, and its blocks; how many of each kind are
# needed anyway, the kinds of no block as bits, and where those are that are needed anyway, after how many there are;
# then its states and classes, and where the lists of these begin (`RowClasses`): joined, missing, rows.
BLOCKS, STARTS, PAIRS, BLOCK_AT, FIXED, UNUSED, NEEDED, STATES, CLASSES, JOINED, MISSING, ROWS = range(12)
# A block: how many tiles, where the classes of its table are, where they begin, which states are asked for, by class of
# the table that of the way, its targets and where those of each state begin, its first tile if the others follow that,
# else -1; then by tile its number, how many count, and what one adds to the key.
TILES, NUMBERS, BASE, RANK, ASKED, CLASS_OF, TARGETS, TARGET_STARTS, FIRST, BLOCK = range(10)

# What is worked in, from the start of the list. Classes are those of the way, but for CHANGED and KEPT.
KEY = SEARCHED_WORK  # by block: the key of its row,
CLASS = KEY + MOST_BLOCKS  # its class,
BEFORE = CLASS + MOST_BLOCKS  # the class of what the blocks before it come to, those after it, and both
AFTER = BEFORE + MOST_BLOCKS + 1
OTHERS = AFTER + MOST_BLOCKS + 1
REST = OTHERS + MOST_BLOCKS  # by two blocks: the class of what all others come to
UP = REST + MOST_BLOCKS * MOST_BLOCKS  # by block and position: the class with one more of that tile, and with one less
DOWN = UP + MOST_BLOCKS * MOST_KINDS
CHANGED = DOWN + MOST_BLOCKS * MOST_KINDS  # the same of a row that is not kept
SEEN = CHANGED + MOST_KINDS  # by class of a changed block: in which turn it was seen, what is useful in the others then
TURN = SEEN + 2 * MOST_CLASSES
READ = TURN + 1  # the way whose rows were read last
OVER = READ + 1  # the kinds of which it has more than count, as bits
FAR = OVER + 1  # by way: how far a hand is
DISTANCE = FAR + MOST_WAYS  # by kind: how far the hand without one of it is
NEAREST = DISTANCE + MOST_KINDS  # how far the hand is
USEFUL = NEAREST + 1  # by kind: which tiles bring that nearer, as bits
WHOLE = USEFUL + MOST_KINDS  # by kind: how many of it a whole hand has beside the melds
KEPT = WHOLE + MOST_KINDS  # rows that were asked for: which one, and by position its classes with one more and one less
KEPT_ROW = 1 + KEPT_TILES
WORK = KEPT + KEPT_ROWS * KEPT_ROW


@kernel
def spare(A: Array, B: Array, way: int, held: int, kind: int) -> int:
    """How many of a kind are held beside those that are needed anyway; less than none if some are missing."""
    return int(B[held + kind] - A[A[way + FIXED] + kind])


@kernel
def lacking(A: Array, B: Array, way: int, held: int) -> int:
    """How many of the tiles that are needed anyway are missing."""
    needed, fixed, found = A[way + NEEDED], A[way + FIXED], 0
    for spot in range(needed + 1, needed + 1 + A[needed]):
        found += max(A[fixed + A[spot]] - B[held + A[spot]], 0)
    return int(found)


@kernel
def short_of(A: Array, B: Array, way: int, held: int, less: int) -> int:
    """The kinds that are needed anyway of which some are missing, as bits, one of each being gone if `less`."""
    needed, found = A[way + NEEDED], 0
    for spot in range(needed + 1, needed + 1 + A[needed]):
        if spare(A, B, way, held, A[spot]) < less:
            found |= 1 << A[spot]
    return int(found)


@kernel
def block_at(A: Array, way: int, number: int) -> int:
    """Where a block of a way is."""
    return int(A[A[way + BLOCK_AT] + number])


@kernel
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


@kernel
def row_at(A: Array, N: Array, block: int, key: int) -> int:
    """Where the class of a row is, in its table."""
    return int(A[block + NUMBERS] + N[A[block + BASE] + (key >> HALF)] + N[A[block + RANK] + (key & LOW)])


@kernel
def read_rows(A: Array, N: Array, B: Array, way: int, held: int) -> None:
    """Read the keys of all blocks, and the classes of their rows."""
    fixed, over = A[way + FIXED], 0
    for number in range(A[way + BLOCKS]):
        block = block_at(A, way, number)
        size, key = A[block + TILES], 0
        for spot in range(block + BLOCK, block + BLOCK + size):
            kind, most = A[spot], A[spot + size]
            count = B[held + kind] - A[fixed + kind]
            if count > most:
                over |= 1 << kind
                count = most
            key += max(count, 0) * A[spot + 2 * size]
        B[KEY + number], B[CLASS + number] = key, A[A[block + CLASS_OF] + N[row_at(A, N, block, key)]]
    B[READ], B[OVER] = way, over


@kernel
def changes_at(A: Array, N: Array, B: Array, way: int, block: int, held: int, key: int) -> int:
    """Where the changes of a row are: by position the class of the table with one more of that tile, and above
    CLASS_BITS that with one less."""
    row = row_at(A, N, block, key)
    if A[block + TILES] > KEPT_TILES:
        find_changes(A, N, B, way, block, held, key, CHANGED)
        return CHANGED
    kept = KEPT + (row * 7919 >> 3) % KEPT_ROWS * KEPT_ROW
    if B[kept] != row + 1:
        find_changes(A, N, B, way, block, held, key, kept + 1)
        B[kept] = row + 1
    return int(kept + 1)


@kernel
def find_changes(A: Array, N: Array, B: Array, way: int, block: int, held: int, key: int, to: int) -> None:
    """Find the changes of a row."""
    size, own = A[block + TILES], N[row_at(A, N, block, key)]
    for position in range(size):
        spot = block + BLOCK + position
        count, most, step, up, down = spare(A, B, way, held, A[spot]), A[spot + size], A[spot + 2 * size], own, own
        if count < most:
            up = N[row_at(A, N, block, key + step)]
        if count > 0:
            down = N[row_at(A, N, block, key - step)]
        B[to + position] = int(up) | int(down) << CLASS_BITS


@kernel
def read_changes(A: Array, N: Array, B: Array, way: int, number: int, held: int) -> None:
    """Read which class the row of a block has with one tile more or less."""
    block, first = block_at(A, way, number), number * MOST_KINDS
    changes, class_of = changes_at(A, N, B, way, block, held, B[KEY + number]), A[block + CLASS_OF]
    for position in range(A[block + TILES]):
        both = B[changes + position]
        B[UP + first + position] = A[class_of + (both & (1 << CLASS_BITS) - 1)]
        B[DOWN + first + position] = A[class_of + (both >> CLASS_BITS)]


# --- rows joined


@kernel
def joined(A: Array, N: Array, way: int, one: int, other: int) -> int:
    """The class of what two rows come to, by their classes."""
    return int(N[A[way + JOINED] + one * A[way + CLASSES] + other])


@kernel
def missing(A: Array, T: Array, way: int, one: int, other: int) -> int:
    """How many tiles are missing by two rows that come to a whole hand."""
    return int(T[A[way + MISSING] + one * A[way + CLASSES] + other])


@kernel
def join_before(A: Array, T: Array, N: Array, B: Array, way: int) -> int:
    """What the blocks before each one come to. How many tiles are missing, without those that are needed anyway."""
    last, before = A[way + BLOCKS] - 1, 0
    for number in range(last):
        B[BEFORE + number] = before
        before = joined(A, N, way, before, B[CLASS + number]) if number else B[CLASS]
    B[BEFORE + max(last, 0)] = before
    return missing(A, T, way, before, B[CLASS + last] if last >= 0 else 0)


@kernel
def join_after(A: Array, N: Array, B: Array, way: int) -> None:
    """What the blocks after each one come to, and all others, those before it being joined."""
    blocks, after = A[way + BLOCKS], 0
    B[AFTER + blocks] = after
    for number in range(blocks - 1, -1, -1):
        before = B[BEFORE + number]
        if number == blocks - 1:
            B[OTHERS + number] = before
        else:
            B[OTHERS + number] = joined(A, N, way, before, after) if number else after
        if number == blocks - 1:
            after = B[CLASS + number]
        elif number:
            after = joined(A, N, way, after, B[CLASS + number])
        B[AFTER + number] = after


@kernel
def join_rest(A: Array, N: Array, B: Array, way: int) -> None:
    """What all blocks but two come to."""
    blocks = A[way + BLOCKS]
    for one in range(blocks - 1):
        between = B[BEFORE + one]  # those before the first, and those between them
        for other in range(one + 1, blocks):
            B[REST + one * MOST_BLOCKS + other] = joined(A, N, way, between, B[AFTER + other + 1])
            if other < blocks - 1:
                between = joined(A, N, way, between, B[CLASS + other])


@kernel
def prepare(A: Array, T: Array, N: Array, B: Array, way: int, held: int) -> None:
    """Read a way with all that changes it, and join it."""
    if B[READ] != way:
        read_rows(A, N, B, way, held)
        join_before(A, T, N, B, way)
    join_after(A, N, B, way)
    for number in range(A[way + BLOCKS]):
        read_changes(A, N, B, way, number, held)
