"""Questions: what patterns ask of the tiles of a hand, answered where a program can.

`answered` runs the programs of `scoring.program.tallies` over a row of counts, `text_answer` the automata of
`scoring.program.texts` over the tiles of a reading. Knows no patterns.
"""

from tilewright.base.kernels import Array, kernel
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.layout import ScoringArrays
from tilewright.scoring.kernel.readings import begin_way, find_tables, find_way, has_rows, lacking, start_of, target_of
from tilewright.scoring.program.tallies import MOST, NO_ANSWER, WIDE, Op


@kernel
def answered(numbers: Array, start: int, stop: int, row: Array, stack: Array) -> int:
    """The answer of one hand to a question, NO_ANSWER for none. `numbers`, `start`, `stop`: its program; `row`: the
    counts of the hand; `stack` is overwritten."""
    at, top, place = start, -1, 0
    while at < stop:
        op, first, count, target = numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]
        at += WIDE
        if op == Op.CONST:
            top += 1
            stack[top] = first
        elif op == Op.CELL:
            top += 1
            stack[top] = row[first]
        elif op == Op.TABLE:
            top += 1
            stack[top] = numbers[target + place]
        elif op == Op.CELL_OF:
            cell = numbers[target + place]
            top += 1
            stack[top] = row[cell] if cell >= 0 else 0
        elif op == Op.SUM:
            total = 0
            for tile in range(count):
                total += row[first + tile] * numbers[target + place * count + tile]
            top += 1
            stack[top] = total
        elif op == Op.LOOP:  # three numbers of the stack: the place around it, the total, the tile
            stack[top + 1], stack[top + 2], stack[top + 3] = place, 0, -1
            top += 3
        elif op == Op.EACH:
            tile = stack[top] + 1
            while tile < count and row[first + tile] == 0:
                tile += 1
            if tile < count:
                stack[top] = tile
                place = stack[top - 2] * count + tile
            else:
                place, stack[top - 2] = stack[top - 2], stack[top - 1]
                top -= 2
                at += target
        elif op == Op.NEXT:
            stack[top - 2] += row[first + stack[top - 1]] * stack[top]
            top -= 1
            at -= target
        elif op == Op.BRANCH:
            at += 0 if stack[top] else target
            top -= 1
        elif op == Op.JUMP:
            at += target
        elif op == Op.NOT:
            stack[top] = stack[top] == 0
        else:
            top -= 1
            stack[top] = of_two(op, stack[top], stack[top + 1])
            if abs(stack[top]) >= MOST:
                return NO_ANSWER
    return int(stack[0])


@kernel
def of_two(op: int, left: int, right: int) -> int:
    """The answer of an operation on two numbers."""
    if op == Op.ADD:
        return left + right
    if op == Op.SUBTRACT:
        return left - right
    if op == Op.MULTIPLY:
        return left * right
    if op == Op.LESS:
        return int(left < right)
    if op == Op.LESS_EQUAL:
        return int(left <= right)
    if op == Op.EQUAL:
        return int(left == right)
    if op == Op.MINIMUM:
        return min(left, right)
    if op == Op.MAXIMUM:
        return max(left, right)
    if op == Op.POWER:
        return power(left, right)
    if right == 0:
        return 0
    if op == Op.DIVIDE:
        return NO_ANSWER if left % right else left // right
    if op == Op.MODULO:
        return left % right
    return -(-left // right) * right


@kernel
def power(base: int, exponent: int) -> int:
    """A power, cut off where it is no small number."""
    made = 1
    for _ in range(max(0, min(64, exponent))):
        made *= base
        if abs(made) >= MOST:
            break
    return int(made)


# --- texts

MOST_WILD = 8  # wild tiles of a reading, each itself or what it stands for


@kernel
def text_answer(image: Array, text: int, space: Array) -> int:
    """Whether some spelling of a reading matches; UNKNOWN for very many wild tiles.

    A text: whether it goes group by group, whether groups are as long as what they stand for; then the automaton.
    A part: how many wild tiles it has; for each way to spell it where its rows are, whole and shortened."""
    choices, parts = 0, image[at.PART_TEXT]
    for spot in range(space[at.NOW, at.NOW_OWN]):
        choices += image[image[parts + space[at.CHOSEN, spot]]]
    if choices > MOST_WILD:
        return at.UNKNOWN
    for choice in range(1 << choices):
        state = read_rows(image, text, choice, space) if image[text] else read_sorted(image, text, choice, space)
        if image[image[text + 3] + state]:
            return 1
    return 0


@kernel
def row_of(image: Array, text: int, spot: int, choice: int, space: Array) -> int:
    """Where the row of a part of a reading is, spelled by the lowest bits of a choice: its rank among rows, how many
    tiles it has, and their places."""
    record = image[image[at.PART_TEXT] + space[at.CHOSEN, spot]]
    way = choice & (1 << image[record]) - 1
    return int(image[record + 1 + 2 * way + image[text + 1]])


@kernel
def read_sorted(image: Array, text: int, choice: int, space: Array) -> int:
    """The state after all tiles, sorted."""
    kinds, moves, state = image[at.PLACES_OF_TEXT], image[text + 2], 0
    for place in range(kinds):
        space[at.SPELLED, place] = 0
    for spot in range(space[at.NOW, at.NOW_OWN]):
        row = row_of(image, text, spot, choice, space)
        choice >>= image[image[image[at.PART_TEXT] + space[at.CHOSEN, spot]]]
        for tile in range(row + 2, row + 2 + image[row + 1]):
            space[at.SPELLED, image[tile]] += 1
    for place in range(kinds):
        for _ in range(space[at.SPELLED, place]):
            state = image[moves + state * (kinds + 1) + place]
    return int(image[moves + state * (kinds + 1) + kinds])


@kernel
def read_rows(image: Array, text: int, choice: int, space: Array) -> int:
    """The state after all groups, each sorted, larger ones first."""
    kinds, moves, state = image[at.PLACES_OF_TEXT], image[text + 2], 0
    own = space[at.NOW, at.NOW_OWN]
    for spot in range(own):
        row = row_of(image, text, spot, choice, space)
        choice >>= image[image[image[at.PART_TEXT] + space[at.CHOSEN, spot]]]
        place = spot
        while place and image[space[at.SPELLED, place - 1]] > image[row]:
            space[at.SPELLED, place] = space[at.SPELLED, place - 1]
            place -= 1
        space[at.SPELLED, place] = row
    for spot in range(own):
        row = space[at.SPELLED, spot]
        for tile in range(row + 2, row + 2 + image[row + 1]):
            state = image[moves + state * (kinds + 1) + image[tile]]
        state = image[moves + state * (kinds + 1) + kinds]
    return int(state)


# --- questions


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
