"""Readings: the counted tiles of a hand in, the parts of each way to use them up out. Knows no patterns."""

from tilewright.base.compute.kernels import Array, kernel, wrapped
from tilewright.scoring.kernel import layout as at


@kernel
def count_tiles(image: Array, hands: Array, space: Array) -> bool:
    """Count the tiles of a hand and number its blocks; the facts that tiles decide. False where tables do not know
    one, or so many."""
    row, wide = space[at.NOW, at.NOW_ROW], image[at.ITEM_WORD] - image[at.TILE_WORD]
    for kind in range(image[at.KINDS]):
        space[at.COUNTS, kind] = 0
    for block in range(image[at.BLOCKS]):
        space[at.NUMBERS_OF, block] = 0
    for word in range(wide):
        space[at.TILE_FACTS, word] = 0
    win = hands[row, image[at.FACES] + at.WIN]
    for face in range(image[at.FACES]):
        held = hands[row, face] + (face == win)
        if not held:
            continue
        kind = image[image[at.PLAIN] + face]
        if kind < 0:
            return False
        space[at.COUNTS, kind] += held
        if space[at.COUNTS, kind] > image[image[at.COPIES] + kind]:
            return False
        space[at.NUMBERS_OF, image[image[at.BLOCK_OF] + kind]] += held * image[image[at.RADIX] + kind]
        for word in range(wide):
            space[at.TILE_FACTS, word] |= image[image[at.FACE_BITS] + face * wide + word]
    return True


@kernel
def lie_down(image: Array, hands: Array, space: Array) -> None:
    """The melds as the first parts of a reading, and the facts that their tiles decide."""
    row, melds = space[at.NOW, at.NOW_ROW], image[at.MELDS]
    most, wide, lying = (hands.shape[1] - melds) // 2, image[at.ITEM_WORD] - image[at.TILE_WORD], 0
    for meld in range(melds, melds + most):
        group = hands[row, meld]
        if group < 0:
            continue
        part = image[image[at.MELD_PART] + 2 * group + hands[row, meld + most]]
        space[at.CHOSEN, lying] = space[at.ORDERED, lying] = part
        lying += 1
        for word in range(wide):
            space[at.TILE_FACTS, word] |= image[image[at.GROUP_BITS] + group * wide + word]
    space[at.NOW, at.NOW_LYING] = lying


@kernel
def find_places(image: Array, places: Array, space: Array) -> None:
    """The place of the counts of each block."""
    for block in range(image[at.BLOCKS]):
        space[at.PLACE, block] = place_of(image, places, block, space)


@kernel
def place_of(image: Array, places: Array, block: int, space: Array) -> int:
    """The place of the counts of a block."""
    return int(places[image[image[at.PLACES] + block] + space[at.NUMBERS_OF, block]])


@kernel
def start_of(image: Array, places: Array, record: int, block: int, space: Array) -> int:
    """Where the first row of a table that uses a block up is listed, and the first one after those."""
    fixed, place = record + at.CASE + 2 * image[record + at.FIXED_TILES] + block, space[at.PLACE, block]
    if image[fixed]:
        place = places[image[image[at.PLACES] + block] + space[at.NUMBERS_OF, block] - image[fixed]]
    return int(image[image[fixed + image[at.BLOCKS]] + at.STARTS] + place)


@kernel
def lacking(image: Array, record: int, space: Array) -> int:
    """How many of the fixed tiles of a case the hand lacks."""
    lacks = 0
    for fixed in range(record + at.CASE, record + at.CASE + 2 * image[record + at.FIXED_TILES], 2):
        lacks += max(0, image[fixed + 1] - space[at.COUNTS, image[fixed]])
    return int(lacks)


@kernel
def target_of(image: Array, hands: Array, record: int, space: Array) -> int:
    """What the tiles of a hand have to fill in a case, SLOT_BITS for each slot; -1 where its melds do not fit."""
    row, target = space[at.NOW, at.NOW_ROW], image[record + at.TARGET]
    slots = (
        record + at.CASE + 2 * image[record + at.FIXED_TILES] + 2 * image[at.BLOCKS] + image[record + at.FIXED_PARTS]
    )
    melds = image[at.MELDS]
    most = (hands.shape[1] - melds) // 2
    for meld in range(melds, melds + most):
        if hands[row, meld] < 0:
            continue
        slot = image[slots + hands[row, meld]]
        if slot < 0 or (image[record + at.CONCEALED] and hands[row, meld + most]):
            return -1
        if not target >> at.SLOT_BITS * slot & 0xFF:
            return -1
        target -= 1 << at.SLOT_BITS * slot
    return int(target)


@kernel
def find_ways(image: Array, places: Array, record: int, space: Array) -> int:
    """The rows of tables that use each block up, but its fixed tiles. How many ways there are together."""
    ways = 1
    for block in range(image[at.BLOCKS]):
        start = start_of(image, places, record, block, space)
        space[at.FIRST, block], space[at.WAYS, block], space[at.WAY, block] = (
            image[start],
            image[start + 1] - image[start],
            0,
        )
        ways *= space[at.WAYS, block]
        if not ways:
            break
    return int(ways)


@kernel
def read(image: Array, record: int, space: Array) -> int:
    """The parts of the way that it is now, after the melds; then the next way. What it fills."""
    filled, own = 0, space[at.NOW, at.NOW_LYING]
    tables = record + at.CASE + 2 * image[record + at.FIXED_TILES] + image[at.BLOCKS]
    for part in range(image[record + at.FIXED_PARTS]):
        space[at.CHOSEN, own] = image[tables + image[at.BLOCKS] + part]
        own += 1
    moves_on = True
    for block in range(image[at.BLOCKS]):
        table = image[tables + block]
        width = image[table + at.ROW_WORDS]
        line = image[table + at.ROWS] + (space[at.FIRST, block] + space[at.WAY, block]) * width
        filled += image[line]
        for word in range(line + 1, line + width):
            packed = image[word]
            while packed:
                space[at.CHOSEN, own] = image[image[table + at.OPTIONS] + (packed & at.OPTION) - 1]
                own += 1
                packed >>= at.OPTION_BITS
        if moves_on:
            space[at.WAY, block] += 1
            moves_on = space[at.WAY, block] == space[at.WAYS, block]
            if moves_on:
                space[at.WAY, block] = 0
    space[at.NOW, at.NOW_OWN] = own
    return int(filled)


@kernel
def put_in_order(image: Array, space: Array) -> None:
    """The parts of a reading as the reader lists them: melds, then the others in their order."""
    lying, order = space[at.NOW, at.NOW_LYING], image[at.PART_ORDER]
    for part in range(lying, space[at.NOW, at.NOW_OWN]):
        place = part
        while place > lying and image[order + space[at.ORDERED, place - 1]] > image[order + space[at.CHOSEN, part]]:
            space[at.ORDERED, place] = space[at.ORDERED, place - 1]
            place -= 1
        space[at.ORDERED, place] = space[at.CHOSEN, part]


@kernel
def lowest(image: Array, bits: int) -> int:
    """The number of the lowest bit that is set."""
    return int(image[image[at.LOWEST] + wrapped(bits & -bits) % at.APART])
