"""Questions: what patterns ask of the tiles of a hand, answered where a program can.

Knows no patterns."""

from tilewright.base.compute.kernels import Array, kernel
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.readings import find_places, find_ways, lacking, place_of, read, start_of, target_of
from tilewright.scoring.kernel.tally import answered


@kernel
def answer(image: Array, places: Array, programs: Array, hands: Array, question: int, space: Array) -> bool:
    """Answer a question of the hand. False where only Python can."""
    row, program = space[at.NOW, at.NOW_ROW], image[at.PROGRAM_OF] + 3 * question
    if image[program] < 0:
        return False
    if not space[at.NOW, at.NOW_CELLS]:
        space[at.NOW, at.NOW_CELLS] = 1
        count_cells(image, hands, space)
    if image[program + 2] and space[at.NOW, at.NOW_WAITS] < 0:
        space[at.NOW, at.NOW_WAITS] = waits_of(image, places, hands, space)
        if space[at.NOW, at.NOW_WAITS] < 0:
            return False
        hands[row, image[at.CELLS] + image[at.WAITS_CELL]] = space[at.NOW, at.NOW_WAITS]
    cells = hands[row, image[at.CELLS] : image[at.SPECIALS]]
    value = answered(programs, image[program], image[program + 1], cells, space[at.STACK])
    hands[row, image[at.FACES] + at.HAND + question] = value
    return value != at.UNKNOWN


@kernel
def count_cells(image: Array, hands: Array, space: Array) -> None:
    """Fill the cells that the tiles and melds of a hand decide."""
    hand, held, faces, melds = hands[space[at.NOW, at.NOW_ROW]], space[at.HELD], image[at.FACES], image[at.MELDS]
    most, several, kinds = (hands.shape[1] - melds) // 2, image[at.MELD_CELLS], image[at.KINDS]
    cells, win = hand[image[at.CELLS] : image[at.SPECIALS]], hand[faces + at.WIN]
    by_tile, by_kind, different = image[at.TILE_CELLS], image[at.KIND_CELLS], image[at.DIFFERENT_CELLS]
    for kind in range(kinds):
        held[kind] = space[at.COUNTS, kind]
    for face in range(faces if by_tile >= 0 else 0):
        cells[by_tile + face] = hand[face] + (face == win) + hand[image[at.SPECIALS] + face]
    for cell in range(several):
        cells[image[image[at.MELD_CELL] + cell]] = 0
    for meld in range(melds, melds + most):
        group = hand[meld]
        if group < 0:
            continue
        tiles = image[image[at.GROUP_TILES] + group]
        for spot in range(tiles + 1, tiles + 1 + image[tiles]):
            held[image[spot]] += 1
            if by_tile >= 0:
                cells[by_tile + image[spot]] += 1
        counted = image[at.MELD_CELL] + several * (1 + 2 * group + hand[meld + most])
        for cell in range(several):
            cells[image[image[at.MELD_CELL] + cell]] += image[counted + cell]
    for kind in range(kinds if by_kind >= 0 else 0):
        cells[by_kind + kind] = held[kind]
    for kind in range(kinds if different >= 0 else 0):
        cells[different + kind] = held[kind] > 0


@kernel
def waits_of(image: Array, places: Array, hands: Array, space: Array) -> int:
    """How many tiles complete the hand without its winning tile; -1 where tables do not tell."""
    win, found = image[image[at.PLAIN] + hands[space[at.NOW, at.NOW_ROW], image[at.FACES] + at.WIN]], 0
    for kind in range(image[at.KINDS]):
        space[at.WAITING, kind] = 0
    add_tile(image, win, -1, space)
    find_places(image, places, space)
    for lookup in range(image[at.LOOKUPS]):
        record = image[image[at.LOOKUP_AT] + lookup]
        lacks, target = lacking(image, record, space), target_of(image, hands, record, space)
        if target < 0 or lacks > 1:
            continue
        stuck = at.STUCK_NOWHERE if lacks else stuck_block(image, places, record, space)
        for kind in range(image[at.KINDS] if stuck != at.STUCK_OFTEN else 0):
            block, copies = image[image[at.BLOCK_OF] + kind], image[image[at.COPIES] + kind]
            if space[at.WAITING, kind] or block < 0 or (stuck >= 0 and block != stuck):
                continue
            if image[at.WAITS_ALL] and space[at.COUNTS, kind] >= copies:
                options = image[image[at.OPTIONS_WITH] + lookup * image[at.KINDS] + kind]
                if options < 0:
                    found = -1
                else:
                    space[at.WAITING, kind] = completes_beyond(image, places, record, target, kind, options, space)
            elif image[at.WAITS_ALL] or space[at.HELD, kind] - (kind == win) < copies:
                space[at.WAITING, kind] = completes(image, places, record, target, kind, space)
    for kind in range(image[at.KINDS] if found == 0 else 0):
        found += space[at.WAITING, kind]
    add_tile(image, win, 1, space)
    find_places(image, places, space)
    return int(found)


@kernel
def add_tile(image: Array, kind: int, number: int, space: Array) -> None:
    """Count a tile more, or less."""
    space[at.COUNTS, kind] += number
    space[at.NUMBERS_OF, image[image[at.BLOCK_OF] + kind]] += number * image[image[at.RADIX] + kind]


@kernel
def stuck_block(image: Array, places: Array, record: int, space: Array) -> int:
    """The block that no row of its table uses up, and so needs the tile; STUCK_NOWHERE, or STUCK_OFTEN for several."""
    stuck = at.STUCK_NOWHERE
    for block in range(image[at.BLOCKS]):
        start = start_of(image, places, record, block, space)
        if image[start] == image[start + 1]:
            if stuck != at.STUCK_NOWHERE:
                return at.STUCK_OFTEN
            stuck = block
    return int(stuck)


@kernel
def completes(image: Array, places: Array, record: int, target: int, kind: int, space: Array) -> bool:
    """Whether a tile more makes the hand a case."""
    block, found = image[image[at.BLOCK_OF] + kind], False
    before = space[at.PLACE, block]
    add_tile(image, kind, 1, space)
    space[at.PLACE, block] = place_of(image, places, block, space)
    if not lacking(image, record, space):
        start = start_of(image, places, record, block, space)
        for _ in range(find_ways(image, places, record, space) if image[start] != image[start + 1] else 0):
            if read(image, record, space) == target:
                found = True
                break
    add_tile(image, kind, -1, space)
    space[at.PLACE, block] = before
    return found


@kernel
def completes_beyond(
    image: Array, places: Array, record: int, target: int, kind: int, options: int, space: Array
) -> bool:
    """Whether a tile more than there are copies makes the hand a case: tables know the rest, once a part with that tile
    is taken away."""
    found = False
    add_tile(image, kind, 1, space)
    spot, end = options + 1, options + 1 + image[options]
    while spot < end and not found:
        fills, tiles = image[spot], image[spot + 1]
        for tile in range(spot + 2, spot + 2 + tiles):
            add_tile(image, image[tile], -1, space)
        enough = not lacking(image, record, space)
        for tile in range(spot + 2, spot + 2 + tiles):
            enough = enough and space[at.COUNTS, image[tile]] >= 0
        if enough:
            find_places(image, places, space)
            for _ in range(find_ways(image, places, record, space)):
                if read(image, record, space) == target - fills:
                    found = True
                    break
        for tile in range(spot + 2, spot + 2 + tiles):
            add_tile(image, image[tile], 1, space)
        spot += 2 + tiles
    add_tile(image, kind, -1, space)
    find_places(image, places, space)
    return found
