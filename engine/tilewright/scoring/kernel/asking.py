"""Questions: what patterns ask of the tiles of a hand, answered where a program can.

Knows no patterns."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.scoring.kernel.layout import (
    BLOCK_OF,
    BLOCKS,
    CASE,
    CELLS,
    COPIES,
    COUNTS,
    DIFFERENT_CELLS,
    FACES,
    FIXED_TILES,
    GROUP_TILES,
    HAND,
    HELD,
    KIND_CELLS,
    KINDS,
    LOOKUP_AT,
    LOOKUPS,
    MELD_CELL,
    MELD_CELLS,
    MELDS,
    NOW,
    NOW_CELLS,
    NOW_ROW,
    NOW_WAITS,
    NUMBERS_OF,
    OPTIONS_WITH,
    PLACES,
    PLAIN,
    PROGRAM_OF,
    RADIX,
    SPECIALS,
    STACK,
    STARTS,
    STUCK_NOWHERE,
    STUCK_OFTEN,
    TILE_CELLS,
    WAITING,
    WAITS_ALL,
    WAITS_CELL,
    WIN,
)
from tilewright.scoring.kernel.readings import find_places, find_ways, lacking, read, target_of
from tilewright.scoring.many.tally import answered


@loop_kernel
def answer(image: Array, places: Array, programs: Array, hands: Array, question: int, space: Array) -> bool:
    """Answer a question of the hand. False where only Python can."""
    row, program = space[NOW, NOW_ROW], image[PROGRAM_OF] + 3 * question
    if image[program] < 0:
        return False
    if not space[NOW, NOW_CELLS]:
        space[NOW, NOW_CELLS] = 1
        count_cells(image, hands, space)
    if image[program + 2] and space[NOW, NOW_WAITS] < 0:
        space[NOW, NOW_WAITS] = waits_of(image, places, hands, space)
        if space[NOW, NOW_WAITS] < 0:
            return False
        hands[row, image[CELLS] + image[WAITS_CELL]] = space[NOW, NOW_WAITS]
    cells = hands[row, image[CELLS] : image[SPECIALS]]
    value = answered(programs, image[program], image[program + 1], cells, space[STACK])
    hands[row, image[FACES] + HAND + question] = value
    return True


@loop_kernel
def count_cells(image: Array, hands: Array, space: Array) -> None:
    """Fill the cells that the tiles and melds of a hand decide."""
    row, cells, faces, melds = space[NOW, NOW_ROW], image[CELLS], image[FACES], image[MELDS]
    most, several = (hands.shape[1] - melds) // 2, image[MELD_CELLS]
    win = hands[row, faces + WIN]
    for kind in range(image[KINDS]):
        space[HELD, kind] = space[COUNTS, kind]
    for face in range(faces if image[TILE_CELLS] >= 0 else 0):
        hands[row, cells + image[TILE_CELLS] + face] = (
            hands[row, face] + (face == win) + hands[row, image[SPECIALS] + face]
        )
    for cell in range(several):
        hands[row, cells + image[image[MELD_CELL] + cell]] = 0
    for meld in range(melds, melds + most):
        group = hands[row, meld]
        if group < 0:
            continue
        tiles = image[image[GROUP_TILES] + group]
        for at in range(tiles + 1, tiles + 1 + image[tiles]):
            space[HELD, image[at]] += 1
            if image[TILE_CELLS] >= 0:
                hands[row, cells + image[TILE_CELLS] + image[at]] += 1
        counted = image[MELD_CELL] + several * (1 + 2 * group + hands[row, meld + most])
        for cell in range(several):
            hands[row, cells + image[image[MELD_CELL] + cell]] += image[counted + cell]
    for kind in range(image[KINDS]):
        if image[KIND_CELLS] >= 0:
            hands[row, cells + image[KIND_CELLS] + kind] = space[HELD, kind]
        if image[DIFFERENT_CELLS] >= 0:
            hands[row, cells + image[DIFFERENT_CELLS] + kind] = space[HELD, kind] > 0


@loop_kernel
def waits_of(image: Array, places: Array, hands: Array, space: Array) -> int:
    """How many tiles complete the hand without its winning tile; -1 where tables do not tell."""
    win, found = image[image[PLAIN] + hands[space[NOW, NOW_ROW], image[FACES] + WIN]], 0
    for kind in range(image[KINDS]):
        space[WAITING, kind] = 0
    add_tile(image, win, -1, space)
    for lookup in range(image[LOOKUPS]):
        record = image[image[LOOKUP_AT] + lookup]
        lacks, target = lacking(image, record, space), target_of(image, hands, record, space)
        if target < 0 or lacks > 1:
            continue
        stuck = STUCK_NOWHERE if lacks else stuck_block(image, places, record, space)
        for kind in range(image[KINDS] if stuck != STUCK_OFTEN else 0):
            block, copies = image[image[BLOCK_OF] + kind], image[image[COPIES] + kind]
            if space[WAITING, kind] or block < 0 or (stuck >= 0 and block != stuck):
                continue
            if image[WAITS_ALL] and space[COUNTS, kind] >= copies:
                options = image[image[OPTIONS_WITH] + lookup * image[KINDS] + kind]
                if options < 0:
                    found = -1
                else:
                    space[WAITING, kind] = completes_beyond(image, places, record, target, kind, options, space)
            elif image[WAITS_ALL] or space[HELD, kind] - (kind == win) < copies:
                space[WAITING, kind] = completes(image, places, record, target, kind, space)
    for kind in range(image[KINDS] if found == 0 else 0):
        found += space[WAITING, kind]
    add_tile(image, win, 1, space)
    find_places(image, places, space)
    return int(found)


@loop_kernel
def add_tile(image: Array, kind: int, number: int, space: Array) -> None:
    """Count a tile more, or less."""
    space[COUNTS, kind] += number
    space[NUMBERS_OF, image[image[BLOCK_OF] + kind]] += number * image[image[RADIX] + kind]


@loop_kernel
def stuck_block(image: Array, places: Array, record: int, space: Array) -> int:
    """The block that no row of its table uses up, and so needs the tile; STUCK_NOWHERE, or STUCK_OFTEN for several."""
    fixed, stuck = record + CASE + 2 * image[record + FIXED_TILES], STUCK_NOWHERE
    for block in range(image[BLOCKS]):
        number = space[NUMBERS_OF, block] - image[fixed + block]
        start = image[image[fixed + image[BLOCKS] + block] + STARTS] + places[image[image[PLACES] + block] + number]
        if image[start] == image[start + 1]:
            if stuck != STUCK_NOWHERE:
                return STUCK_OFTEN
            stuck = block
    return int(stuck)


@loop_kernel
def completes(image: Array, places: Array, record: int, target: int, kind: int, space: Array) -> bool:
    """Whether a tile more makes the hand a case."""
    found = False
    add_tile(image, kind, 1, space)
    if not lacking(image, record, space):
        find_places(image, places, space)
        for _ in range(find_ways(image, places, record, space)):
            if read(image, record, space) == target:
                found = True
                break
    add_tile(image, kind, -1, space)
    return found


@loop_kernel
def completes_beyond(
    image: Array, places: Array, record: int, target: int, kind: int, options: int, space: Array
) -> bool:
    """Whether a tile more than there are copies makes the hand a case: tables know the rest, once a part with that tile
    is taken away."""
    found = False
    add_tile(image, kind, 1, space)
    at, end = options + 1, options + 1 + image[options]
    while at < end and not found:
        fills, tiles = image[at], image[at + 1]
        for tile in range(at + 2, at + 2 + tiles):
            add_tile(image, image[tile], -1, space)
        enough = not lacking(image, record, space)
        for tile in range(at + 2, at + 2 + tiles):
            enough = enough and space[COUNTS, image[tile]] >= 0
        if enough:
            find_places(image, places, space)
            for _ in range(find_ways(image, places, record, space)):
                if read(image, record, space) == target - fills:
                    found = True
                    break
        for tile in range(at + 2, at + 2 + tiles):
            add_tile(image, image[tile], 1, space)
        at += 2 + tiles
    add_tile(image, kind, -1, space)
    return found
