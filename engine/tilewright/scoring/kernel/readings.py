"""Readings: the counted tiles of a hand in, the parts of each way to use them up out. Knows no patterns.

By tables; or, for cases whose tables would be too large and for wild tiles, by a search: the lowest tile that is left
goes into every part that has it as its lowest.
"""

from tilewright.base.kernels import Array, kernel
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
        shown = hands[row, meld + most]
        space[at.LYING, lying] = 2 * group + shown
        space[at.CHOSEN, lying] = space[at.ORDERED, lying] = image[image[at.MELD_PART] + 2 * group + shown]
        lying += 1
        for word in range(wide):
            space[at.TILE_FACTS, word] |= image[image[at.GROUP_BITS] + group * wide + word]
    space[at.NOW, at.NOW_LYING] = lying


@kernel
def find_tables(image: Array, space: Array) -> None:
    """The tables that have rows for the counts of each block."""
    for block in range(image[at.BLOCKS]):
        place = place_of(image, block, space[at.NUMBERS_OF, block])
        listed = image[image[at.PLACES] + block * at.PLACE + at.FIRST_LISTED] + place - 1
        space[at.TABLES, block] = image[listed] >> at.NUMBER_BITS if place else 0


@kernel
def place_of(image: Array, block: int, number: int) -> int:
    """The place of the counts of a block that make this number; 0 where no table knows them."""
    record = image[at.PLACES] + block * at.PLACE
    listed = image[record + at.LISTED] + (number >> image[record + at.LISTED_BY])
    for spot in range(image[listed], image[listed + 1]):
        if image[spot] & at.NUMBER == number:
            return int(spot - image[record + at.FIRST_LISTED] + 1)
    return 0


@kernel
def has_rows(image: Array, record: int, block: int, space: Array) -> bool:
    """Whether the table of a case, which has no fixed tiles, may have rows for a block."""
    bit = image[image[record + at.CASE + image[at.BLOCKS] + block] + at.TABLE_BIT]
    return bool(space[at.TABLES, block] & bit == bit)


@kernel
def start_of(image: Array, record: int, block: int, number: int) -> int:
    """Where the first row of a table that uses a block up is listed, and the first one after those, where the counts of
    the block make this number."""
    fixed = record + at.CASE + 2 * image[record + at.FIXED_TILES] + block
    return int(image[image[fixed + image[at.BLOCKS]] + at.STARTS] + place_of(image, block, number - image[fixed]))


@kernel
def lacking(image: Array, record: int, most: int, space: Array) -> int:
    """How many of the fixed tiles of a case the hand lacks; counted no further than to more than `most`."""
    spot, end, lacks = record + at.CASE, record + at.CASE + 2 * image[record + at.FIXED_TILES], 0
    while spot < end and lacks <= most:
        lacks += max(0, image[spot + 1] - space[at.COUNTS, image[spot]])
        spot += 2
    return int(lacks)


@kernel
def target_of(image: Array, record: int, space: Array) -> int:
    """What the tiles of a hand have to fill in a case, SLOT_BITS for each slot; -1 where its melds do not fit."""
    target = image[record + at.TARGET]
    slots = (
        record + at.CASE + 2 * image[record + at.FIXED_TILES] + 2 * image[at.BLOCKS] + image[record + at.FIXED_PARTS]
    )
    for meld in range(space[at.NOW, at.NOW_LYING]):
        lying = space[at.LYING, meld]
        slot = image[slots + (lying >> 1)]
        if slot < 0 or (image[record + at.CONCEALED] and lying & 1):
            return -1
        if not target >> at.SLOT_BITS * slot & 0xFF:
            return -1
        target -= 1 << at.SLOT_BITS * slot
    return int(target)


@kernel
def begin_way(image: Array, record: int, target: int, way: int, space: Array) -> int:
    """Begin to look for ways to use all blocks up and to fill a target, with three rows of the working space: from
    `way` on, by block, the row of its table, the first one after those that use it up, and what is to be filled. The
    block to go on with."""
    block = image[at.BLOCKS] - 1
    begin_block(image, record, block, target, way, space)
    return int(block)


@kernel
def may_fill(image: Array, record: int, space: Array) -> bool:
    """Whether each table of a case may have rows for its block."""
    if image[record + at.FIXED_TILES]:
        return True
    block = 0
    while block < image[at.BLOCKS] and has_rows(image, record, block, space):
        block += 1
    return bool(block == image[at.BLOCKS])


@kernel
def begin_block(image: Array, record: int, block: int, target: int, way: int, space: Array) -> None:
    """The rows that use a block up, before the first of them."""
    start = start_of(image, record, block, space[at.NUMBERS_OF, block])
    space[way, block], space[way + 1, block], space[way + 2, block] = image[start] - 1, image[start + 1], target


@kernel
def find_way(image: Array, record: int, block: int, way: int, space: Array) -> bool:
    """Find the next way, going on with this block: the first one, or 0 behind a way that was found."""
    blocks = image[at.BLOCKS]
    tables = record + at.CASE + 2 * image[record + at.FIXED_TILES] + blocks
    while block < blocks:
        row = space[way, block] + 1
        if row >= space[way + 1, block]:
            block += 1
            continue
        space[way, block] = row
        table = image[tables + block]
        left = space[way + 2, block] - image[image[table + at.ROWS] + row * image[table + at.ROW_WORDS]]
        if block:
            block -= 1
            begin_block(image, record, block, left, way, space)
        elif not left:
            return True
    return False


@kernel
def read(image: Array, record: int, space: Array) -> None:
    """The parts of the way that was found, after the melds."""
    own = space[at.NOW, at.NOW_LYING]
    tables = record + at.CASE + 2 * image[record + at.FIXED_TILES] + image[at.BLOCKS]
    for part in range(image[record + at.FIXED_PARTS]):
        space[at.CHOSEN, own] = image[tables + image[at.BLOCKS] + part]
        own += 1
    for block in range(image[at.BLOCKS]):
        table = image[tables + block]
        width = image[table + at.ROW_WORDS]
        line = image[table + at.ROWS] + space[at.WAY, block] * width
        for word in range(line + 1, line + width):
            packed = image[word]
            while packed:
                space[at.CHOSEN, own] = image[image[table + at.OPTIONS] + (packed & at.OPTION) - 1]
                own += 1
                packed >>= at.OPTION_BITS
    space[at.NOW, at.NOW_OWN] = own


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
def may_be_other(image: Array, hands: Array, space: Array) -> bool:
    """Whether the hand may be in a form that the kernel does not know: it has no tile more often than that has room."""
    row, melds, kinds = space[at.NOW, at.NOW_ROW], image[at.MELDS], image[at.KINDS]
    most, is_open = (hands.shape[1] - melds) // 2, False
    others = image[image[at.OTHERS]]
    if not others:
        return False
    for kind in range(kinds):
        space[at.HELD, kind] = space[at.COUNTS, kind]
    for meld in range(melds, melds + most):
        if hands[row, meld] < 0:
            continue
        is_open = is_open or hands[row, meld + most] != 0
        tiles = image[image[at.GROUP_TILES] + hands[row, meld]]
        for spot in range(tiles + 1, tiles + 1 + image[tiles]):
            space[at.HELD, image[spot]] += 1
    for other in range(others):
        record = image[at.OTHERS] + 1 + other * (1 + kinds)
        fits = not (image[record] and is_open)
        for kind in range(kinds):
            fits = fits and space[at.HELD, kind] <= image[record + 1 + kind]
        if fits:
            return True
    return False


# --- searching


@kernel
def begin_search(image: Array, record: int, target: int, space: Array) -> None:
    """Take the fixed tiles of a case away; its fixed parts come after the melds."""
    fixed = record + at.CASE
    parts = fixed + 2 * image[record + at.FIXED_TILES]
    for spot in range(fixed, parts, 2):
        space[at.COUNTS, image[spot]] -= image[spot + 1]
    for part in range(image[record + at.FIXED_PARTS]):
        space[at.CHOSEN, space[at.NOW, at.NOW_LYING] + part] = image[parts + part]
    space[at.NOW, at.NOW_LEFT], space[at.NOW, at.NOW_TAKEN], space[at.NOW, at.NOW_BEGUN] = target, 0, 0


@kernel
def end_search(image: Array, record: int, space: Array) -> None:
    """Give back all that was taken."""
    while space[at.NOW, at.NOW_TAKEN]:
        give_back(image, space)
    fixed = record + at.CASE
    for spot in range(fixed, fixed + 2 * image[record + at.FIXED_TILES], 2):
        space[at.COUNTS, image[spot]] += image[spot + 1]


@kernel
def give_back(image: Array, space: Array) -> int:
    """Give the last part back. Where its option is listed."""
    taken = space[at.NOW, at.NOW_TAKEN] - 1
    spot = space[at.TAKEN, taken]
    option = image[spot]
    tiles = option + at.NEEDS
    for need in range(tiles, tiles + 2 * image[option + at.NEEDED], 2):
        space[at.COUNTS, image[need]] += image[need + 1]
    space[at.NOW, at.NOW_LEFT] += image[option + at.FILLS]
    space[at.NOW, at.NOW_TAKEN] = taken
    return int(spot)


@kernel
def fits(image: Array, option: int, space: Array) -> bool:
    """Whether the slot of an option has room for it, and the tiles are there."""
    if not space[at.NOW, at.NOW_LEFT] & image[option + at.SLOTS]:
        return False
    tiles = option + at.NEEDS
    for need in range(tiles, tiles + 2 * image[option + at.NEEDED], 2):
        if space[at.COUNTS, image[need]] < image[need + 1]:
            return False
    return True


@kernel
def next_way(image: Array, record: int, space: Array) -> bool:
    """Find the next way to use the tiles up: its parts, after the melds. False where there are no more."""
    kinds, first = image[at.KINDS], space[at.NOW, at.NOW_LYING] + image[record + at.FIXED_PARTS]
    starts = record + at.CASE + 2 * image[record + at.FIXED_TILES] + image[record + at.FIXED_PARTS] + image[at.GROUPS]
    spot = -1
    if space[at.NOW, at.NOW_BEGUN]:
        if not space[at.NOW, at.NOW_TAKEN]:
            return False
        spot = give_back(image, space) + 1
    space[at.NOW, at.NOW_BEGUN] = 1
    while True:
        taken = space[at.NOW, at.NOW_TAKEN]
        tile = space[at.LOWEST_HELD, taken - 1] if taken else 0
        while tile < kinds and space[at.COUNTS, tile] == 0:
            tile += 1
        if tile == kinds:
            if not space[at.NOW, at.NOW_LEFT]:
                space[at.NOW, at.NOW_OWN] = first + taken
                return True
            spot = stop = 0
        else:
            begin = image[starts + tile]
            stop = begin + 1 + image[begin]
            if spot < 0:
                spot = begin + 1
                if taken and space[at.LOWEST_HELD, taken - 1] == tile:
                    spot = space[at.TAKEN, taken - 1]
                    spot += image[image[spot] + at.ONCE]
        while spot < stop and not fits(image, image[spot], space):
            spot += 1
        if spot < stop:
            option = image[spot]
            tiles = option + at.NEEDS
            for need in range(tiles, tiles + 2 * image[option + at.NEEDED], 2):
                space[at.COUNTS, image[need]] -= image[need + 1]
            space[at.NOW, at.NOW_LEFT] -= image[option + at.FILLS]
            space[at.TAKEN, taken], space[at.LOWEST_HELD, taken] = spot, tile
            space[at.CHOSEN, first + taken] = image[option + at.PART]
            space[at.NOW, at.NOW_TAKEN] = taken + 1
            spot = -1
        elif taken:
            spot = give_back(image, space) + 1
        else:
            return False
