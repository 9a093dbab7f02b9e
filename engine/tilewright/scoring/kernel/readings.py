"""Readings: the counted tiles of a hand in, the parts of each way to use them up out. Knows no patterns."""

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.scoring.kernel.layout import (
    BLOCK_OF,
    BLOCKS,
    CASE,
    CHOSEN,
    CONCEALED,
    COPIES,
    COUNTS,
    FACE_BITS,
    FACES,
    FIRST,
    FIXED_PARTS,
    FIXED_TILES,
    GROUP_BITS,
    ITEM_WORD,
    KINDS,
    LOWEST,
    MELD_PART,
    MELDS,
    NOW,
    NOW_LYING,
    NOW_OWN,
    NOW_ROW,
    NUMBERS_OF,
    OPTION,
    OPTION_BITS,
    OPTIONS,
    ORDERED,
    PART_ORDER,
    PLACE,
    PLACES,
    PLAIN,
    RADIX,
    ROW_WORDS,
    ROWS,
    SLOT_BITS,
    STARTS,
    TARGET,
    TILE_FACTS,
    TILE_WORD,
    WAY,
    WAYS,
    WIN,
)


@loop_kernel
def count_tiles(image: Array, hands: Array, space: Array) -> bool:
    """Count the tiles of a hand and number its blocks; the facts that tiles decide. False where tables do not know
    one, or so many."""
    row, wide = space[NOW, NOW_ROW], image[ITEM_WORD] - image[TILE_WORD]
    for kind in range(image[KINDS]):
        space[COUNTS, kind] = 0
    for block in range(image[BLOCKS]):
        space[NUMBERS_OF, block] = 0
    for word in range(wide):
        space[TILE_FACTS, word] = 0
    win = hands[row, image[FACES] + WIN]
    for face in range(image[FACES]):
        held = hands[row, face] + (face == win)
        if not held:
            continue
        kind = image[image[PLAIN] + face]
        if kind < 0:
            return False
        space[COUNTS, kind] += held
        if space[COUNTS, kind] > image[image[COPIES] + kind]:
            return False
        space[NUMBERS_OF, image[image[BLOCK_OF] + kind]] += held * image[image[RADIX] + kind]
        for word in range(wide):
            space[TILE_FACTS, word] |= image[image[FACE_BITS] + face * wide + word]
    return True


@loop_kernel
def lie_down(image: Array, hands: Array, space: Array) -> None:
    """The melds as the first parts of a reading, and the facts that their tiles decide."""
    row, melds = space[NOW, NOW_ROW], image[MELDS]
    most, wide, lying = (hands.shape[1] - melds) // 2, image[ITEM_WORD] - image[TILE_WORD], 0
    for meld in range(melds, melds + most):
        group = hands[row, meld]
        if group < 0:
            continue
        part = image[image[MELD_PART] + 2 * group + hands[row, meld + most]]
        space[CHOSEN, lying] = space[ORDERED, lying] = part
        lying += 1
        for word in range(wide):
            space[TILE_FACTS, word] |= image[image[GROUP_BITS] + group * wide + word]
    space[NOW, NOW_LYING] = lying


@loop_kernel
def find_places(image: Array, places: Array, space: Array) -> None:
    """The place of the counts of each block."""
    for block in range(image[BLOCKS]):
        space[PLACE, block] = places[image[image[PLACES] + block] + space[NUMBERS_OF, block]]


@loop_kernel
def lacking(image: Array, record: int, space: Array) -> int:
    """How many of the fixed tiles of a case the hand lacks."""
    lacks = 0
    for fixed in range(record + CASE, record + CASE + 2 * image[record + FIXED_TILES], 2):
        lacks += max(0, image[fixed + 1] - space[COUNTS, image[fixed]])
    return int(lacks)


@loop_kernel
def target_of(image: Array, hands: Array, record: int, space: Array) -> int:
    """What the tiles of a hand have to fill in a case, SLOT_BITS for each slot; -1 where its melds do not fit."""
    row, target = space[NOW, NOW_ROW], image[record + TARGET]
    slots = record + CASE + 2 * image[record + FIXED_TILES] + 2 * image[BLOCKS] + image[record + FIXED_PARTS]
    melds = image[MELDS]
    most = (hands.shape[1] - melds) // 2
    for meld in range(melds, melds + most):
        if hands[row, meld] < 0:
            continue
        slot = image[slots + hands[row, meld]]
        if slot < 0 or (image[record + CONCEALED] and hands[row, meld + most]):
            return -1
        if not target >> SLOT_BITS * slot & 0xFF:
            return -1
        target -= 1 << SLOT_BITS * slot
    return int(target)


@loop_kernel
def find_ways(image: Array, places: Array, record: int, space: Array) -> int:
    """The rows of tables that use each block up, but its fixed tiles. How many ways there are together."""
    fixed, ways = record + CASE + 2 * image[record + FIXED_TILES], 1
    tables = fixed + image[BLOCKS]
    for block in range(image[BLOCKS]):
        place = space[PLACE, block]
        if image[fixed + block]:
            place = places[image[image[PLACES] + block] + space[NUMBERS_OF, block] - image[fixed + block]]
        start = image[image[tables + block] + STARTS] + place
        space[FIRST, block], space[WAYS, block], space[WAY, block] = image[start], image[start + 1] - image[start], 0
        ways *= space[WAYS, block]
        if not ways:
            break
    return int(ways)


@loop_kernel
def read(image: Array, record: int, space: Array) -> int:
    """The parts of the way that it is now, after the melds; then the next way. What it fills."""
    filled, own = 0, space[NOW, NOW_LYING]
    tables = record + CASE + 2 * image[record + FIXED_TILES] + image[BLOCKS]
    for part in range(image[record + FIXED_PARTS]):
        space[CHOSEN, own] = image[tables + image[BLOCKS] + part]
        own += 1
    moves_on = True
    for block in range(image[BLOCKS]):
        table = image[tables + block]
        width = image[table + ROW_WORDS]
        line = image[table + ROWS] + (space[FIRST, block] + space[WAY, block]) * width
        filled += image[line]
        for word in range(line + 1, line + width):
            packed = image[word]
            while packed:
                space[CHOSEN, own] = image[image[table + OPTIONS] + (packed & OPTION) - 1]
                own += 1
                packed >>= OPTION_BITS
        if moves_on:
            space[WAY, block] += 1
            moves_on = space[WAY, block] == space[WAYS, block]
            if moves_on:
                space[WAY, block] = 0
    space[NOW, NOW_OWN] = own
    return int(filled)


@loop_kernel
def put_in_order(image: Array, space: Array) -> None:
    """The parts of a reading as the reader lists them: melds, then the others in their order."""
    lying, order = space[NOW, NOW_LYING], image[PART_ORDER]
    for part in range(lying, space[NOW, NOW_OWN]):
        place = part
        while place > lying and image[order + space[ORDERED, place - 1]] > image[order + space[CHOSEN, part]]:
            space[ORDERED, place] = space[ORDERED, place - 1]
            place -= 1
        space[ORDERED, place] = space[CHOSEN, part]


@loop_kernel
def lowest(image: Array, bits: int) -> int:
    """The number of the lowest bit that is set."""
    return int(image[image[LOWEST] + int(np.uint64(bits & -bits) % np.uint64(67))])
