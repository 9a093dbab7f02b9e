"""Forms: whether the tiles of a seat make one, by the tables of readings of the scoring kernel. Knows no patterns."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.scoring.kernel import layout as scored

NO, YES, UNKNOWN = range(3)


@loop_kernel
def is_form(S: Array, P: Array, image: Array, places: Array, seat: int, tile: int) -> int:
    """Whether the hand of a seat with the tile in question, if it has yet to come, makes a form: YES, NO, or UNKNOWN
    where tables do not tell."""
    kind, block = at.NONE, at.NONE
    if tile >= 0:
        row = S[at.WHERE + tile]
        if row != P[at.HAND_ROW] + seat and row != at.IN_MELDS - seat:
            kind = P[P[at.PLAIN] + tile]
            block = P[P[at.BLOCK] + 2 * kind]
            if block < 0:
                return False
    if S[at.ODD + seat]:
        return False
    more = P[P[at.BLOCK] + 2 * kind + 1] if block >= 0 else 0
    for lookup in range(P[at.LOOKUPS]):
        record = image[image[scored.LOOKUP_AT] + lookup]
        if fits(S, image, places, seat, kind, block, more, record):
            return YES
    return NO


@loop_kernel
def fits(S: Array, image: Array, places: Array, seat: int, kind: int, block: int, more: int, record: int) -> bool:
    """Whether the tiles make this case of a form."""
    fixed = record + scored.CASE
    tables = fixed + 2 * image[record + scored.FIXED_TILES]
    for spot in range(fixed, tables, 2):
        held = S[at.COUNT + seat * at.MOST_FACES + image[spot]] + (image[spot] == kind)
        if held < image[spot + 1]:
            return False
    blocks = image[scored.BLOCKS]
    for one in range(blocks):
        number = S[at.NUMBER + seat * at.MOST_BLOCKS + one] - image[tables + one] + (more if one == block else 0)
        start = image[image[tables + blocks + one] + scored.STARTS] + places[image[image[scored.PLACES] + one] + number]
        S[at.WORK + 2 * one], S[at.WORK + 2 * one + 1] = image[start], image[start + 1]
        if image[start] == image[start + 1]:
            return False
    target = image[record + scored.TARGET]
    slots = tables + 2 * blocks + image[record + scored.FIXED_PARTS]
    for meld in range(S[at.LAID_SIZE + seat]):
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        slot = image[slots + S[spot + at.LAID_GROUP]]
        if slot < 0 or (image[record + scored.CONCEALED] and S[spot + at.LAID_EXPOSED]):
            return False
        if not target >> scored.SLOT_BITS * slot & 0xFF:
            return False
        target -= 1 << scored.SLOT_BITS * slot
    return fills(S, image, tables + blocks, blocks, target)


@loop_kernel
def fills(S: Array, image: Array, tables: int, blocks: int, target: int) -> bool:
    """Whether some choice of a row for each block fills this much. The working space has the rows of each block, and
    where each choice stands."""
    stands = at.WORK + 2 * at.MOST_BLOCKS
    for one in range(blocks):
        S[stands + one] = S[at.WORK + 2 * one]
    while True:
        filled = 0
        for one in range(blocks):
            table = image[tables + one]
            filled += image[image[table + scored.ROWS] + S[stands + one] * image[table + scored.ROW_WORDS]]
        if filled == target:
            return True
        one = 0
        while one < blocks:
            S[stands + one] += 1
            if S[stands + one] < S[at.WORK + 2 * one + 1]:
                break
            S[stands + one] = S[at.WORK + 2 * one]
            one += 1
        if one == blocks:
            return False
