"""Questions: what patterns ask of the tiles of a hand, answered where a program can.

Knows no patterns."""

from tilewright.base.kernels import Array, kernel
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.layout import ScoringArrays
from tilewright.scoring.kernel.readings import begin_way, find_tables, find_way, has_rows, lacking, start_of, target_of
from tilewright.scoring.kernel.tally import answered
from tilewright.scoring.kernel.texts import text_answer


@kernel
def answer_of(known: ScoringArrays, question: int) -> int:
    """The answer to a question of the hand or of the text of its reading; UNKNOWN where only Python has one."""
    image, space = known.image, known.space
    found = known.hands[space[at.NOW, at.NOW_ROW], image[at.FACES] + at.HAND + question]
    if found == at.UNKNOWN and image[image[at.TEXT_OF] + question]:
        found = text_answer(image, image[image[at.TEXT_OF] + question], space)
    return int(answer(known, question) if found == at.UNKNOWN else found)


@kernel
def answer(known: ScoringArrays, question: int) -> int:
    """Answer a question of the hand, and keep that; UNKNOWN where only Python can. The reading that is looked at
    stays."""
    image, hands, space = known.image, known.hands, known.space
    row, program = space[at.NOW, at.NOW_ROW], image[at.PROGRAM_OF] + 3 * question
    if image[program] < 0:
        return at.UNKNOWN
    if not space[at.NOW, at.NOW_CELLS]:
        space[at.NOW, at.NOW_CELLS] = 1
        count_cells(image, hands, space)
    if image[program + 2] and space[at.NOW, at.NOW_WAITS] < 0:
        space[at.NOW, at.NOW_WAITS] = waits_of(image, hands, space)
        if space[at.NOW, at.NOW_WAITS] < 0:
            return at.UNKNOWN
        hands[row, image[at.CELLS] + image[at.WAITS_CELL]] = space[at.NOW, at.NOW_WAITS]
    cells = hands[row, image[at.CELLS] : image[at.SPECIALS]]
    value = answered(known.programs, image[program], image[program + 1], cells, space[at.STACK])
    hands[row, image[at.FACES] + at.HAND + question] = value
    return int(value)


@kernel
def count_cells(image: Array, hands: Array, space: Array) -> None:
    """Fill the cells that the tiles and melds of a hand decide; those of tiles that it does not hold are 0 already."""
    hand, held, laid, faces = hands[space[at.NOW, at.NOW_ROW]], space[at.HELD], space[at.WAITING], image[at.FACES]
    kinds, lying, win = image[at.KINDS], space[at.NOW, at.NOW_LYING], hand[faces + at.WIN]
    cells, special = hand[image[at.CELLS] : image[at.SPECIALS]], hand[image[at.SPECIALS] : image[at.MELDS]]
    by_tile, by_kind, different = image[at.TILE_CELLS], image[at.KIND_CELLS], image[at.DIFFERENT_CELLS]
    for kind in range(kinds):
        held[kind] = laid[kind] = 0
    for meld in range(2 * lying):  # twice: cells are emptied first, as the hand may be judged again
        of_meld = image[image[at.MELD_CELLS] + space[at.LYING, meld % lying]]
        for spot in range(of_meld + 1, of_meld + 1 + image[of_meld]):
            cells[image[spot]] = cells[image[spot]] + 1 if meld >= lying else 0
    for meld in range(lying):
        tiles = image[image[at.GROUP_TILES] + (space[at.LYING, meld] >> 1)]
        for spot in range(tiles + 1, tiles + 1 + image[tiles]):
            laid[image[spot]] += 1
    for face in range(faces):
        count, more = hand[face] + (face == win), laid[face]
        if by_tile >= 0 and (count or more or special[face]):
            cells[by_tile + face] = count + more + special[face]
        if count or more:
            held[face] += more
            held[image[image[at.PLAIN] + face]] += count
    for kind in range(kinds):
        if held[kind]:
            if by_kind >= 0:
                cells[by_kind + kind] = held[kind]
            if different >= 0:
                cells[different + kind] = 1


@kernel
def waits_of(image: Array, hands: Array, space: Array) -> int:
    """How many tiles complete the hand without its winning tile; -1 where tables do not tell."""
    win, found = image[image[at.PLAIN] + hands[space[at.NOW, at.NOW_ROW], image[at.FACES] + at.WIN]], 0
    for kind in range(image[at.KINDS]):
        space[at.WAITING, kind] = 0
    add_tile(image, win, -1, space)
    find_tables(image, space)
    for lookup in range(image[at.LOOKUPS]):
        record = image[image[at.LOOKUP_AT] + lookup]
        lacks = lacking(image, record, 1, space)
        target = -1 if lacks > 1 else target_of(image, record, space)
        if target < 0:
            continue
        stuck = at.STUCK_NOWHERE if lacks else stuck_block(image, record, space)
        for block in range(image[at.BLOCKS] if stuck != at.STUCK_OFTEN else 0):
            tiles = image[image[at.BLOCK_TILES] + block]
            for spot in range(tiles + 1, tiles + 1 + image[tiles] if stuck in (at.STUCK_NOWHERE, block) else 0):
                kind, copies = image[spot], image[image[at.COPIES] + image[spot]]
                if space[at.WAITING, kind]:
                    continue
                if image[at.WAITS_ALL] and space[at.COUNTS, kind] >= copies:
                    options = image[image[at.OPTIONS_WITH] + lookup * image[at.KINDS] + kind]
                    if options < 0:
                        found = -1
                    else:
                        space[at.WAITING, kind] = completes_beyond(image, record, target, kind, options, space)
                elif image[at.WAITS_ALL] or space[at.HELD, kind] - (kind == win) < copies:
                    space[at.WAITING, kind] = completes(image, record, target, kind, lacks, space)
    for kind in range(image[at.KINDS] if found == 0 else 0):
        found += space[at.WAITING, kind]
    add_tile(image, win, 1, space)
    find_tables(image, space)
    return int(found)


@kernel
def add_tile(image: Array, kind: int, number: int, space: Array) -> None:
    """Count a tile more, or less."""
    space[at.COUNTS, kind] += number
    space[at.NUMBERS_OF, image[image[at.BLOCK_OF] + kind]] += number * image[image[at.RADIX] + kind]


@kernel
def stuck_block(image: Array, record: int, space: Array) -> int:
    """The block that no row of its table uses up, and so needs the tile; STUCK_NOWHERE, or STUCK_OFTEN for several."""
    stuck, is_fixed = at.STUCK_NOWHERE, image[record + at.FIXED_TILES] > 0
    for block in range(image[at.BLOCKS]):
        if is_fixed or has_rows(image, record, block, space):
            start = start_of(image, record, block, space[at.NUMBERS_OF, block])
            if image[start] != image[start + 1]:
                continue
        if stuck != at.STUCK_NOWHERE:
            return at.STUCK_OFTEN
        stuck = block
    return int(stuck)


@kernel
def completes(image: Array, record: int, target: int, kind: int, lacks: int, space: Array) -> bool:
    """Whether a tile more makes the hand a case, of which it lacks so many fixed tiles."""
    block, found = image[image[at.BLOCK_OF] + kind], False
    add_tile(image, kind, 1, space)
    if not lacks or not lacking(image, record, 0, space):
        start = start_of(image, record, block, space[at.NUMBERS_OF, block])
        found = image[start] != image[start + 1] and is_filled(image, record, target, space)
    add_tile(image, kind, -1, space)
    return found


@kernel
def is_filled(image: Array, record: int, target: int, space: Array) -> bool:
    """Whether the tiles fill a target in some way."""
    return find_way(image, record, begin_way(image, record, target, at.TRIED, space), at.TRIED, space)


@kernel
def completes_beyond(image: Array, record: int, target: int, kind: int, options: int, space: Array) -> bool:
    """Whether a tile more than there are copies makes the hand a case: tables know the rest, once a part with that tile
    is taken away."""
    found = False
    add_tile(image, kind, 1, space)
    spot, end = options + 1, options + 1 + image[options]
    while spot < end and not found:
        fills, tiles = image[spot], image[spot + 1]
        for tile in range(spot + 2, spot + 2 + tiles):
            add_tile(image, image[tile], -1, space)
        enough = not lacking(image, record, 0, space)
        for tile in range(spot + 2, spot + 2 + tiles):
            enough = enough and space[at.COUNTS, image[tile]] >= 0
        if enough:
            found = is_filled(image, record, target - fills, space)
        for tile in range(spot + 2, spot + 2 + tiles):
            add_tile(image, image[tile], 1, space)
        spot += 2 + tiles
    add_tile(image, kind, -1, space)
    return found
