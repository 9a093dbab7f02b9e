"""Judging hands: flat numbers in, the number of each hand's verdict out. Compiled by numba; `scoring/image` does the
same for one hand without it.

Counts of tiles give the rows of tables, rows the parts of a reading, parts its counters, counters its facts; the
program says which patterns hold, contests which of them count. What these come to is looked up; what was never met
before is left to Python, which adds it. Knows no ruleset.
"""

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel

# What the image begins with: numbers, and where its lists begin.
(
    FACES,
    KINDS,
    BLOCKS,
    LOOKUPS,
    GROUPS,
    WORDS,  # of counters; the first STILL of them do not depend on the table
    STILL,
    LEASTS,  # numbers that counters are compared with
    TILE_WORD,  # the first word of facts after those of counters
    ITEM_WORD,  # the first word of items
    ITEM_WORDS,
    FACT_WORDS,  # of all facts; the last says whether the form accepts the reading
    DEPTH,  # parts of a reading at most
    QUESTIONS,
    ASKED,  # questions about numbers
    CONTESTS,
    PLAIN,  # by face: its plain tile, -1 for one that tables do not know
    FACE_BITS,  # by face: its facts, from TILE_WORD on
    GROUP_BITS,  # the same by group
    BLOCK_OF,  # by plain tile: its block
    RADIX,  # by plain tile: what one more adds to the number of its block
    PLACES,  # by block: where the places of its numbers begin
    MELD_PART,  # by group: its part as a concealed and as an exposed meld
    LOOKUP_AT,  # by case: where its record begins
    PART_WORDS,  # by part: its counters
    PART_ORDER,  # by part: where it stands in a reading
    COMPLETED,  # by part, tile, and whether it is exposed: the part as the tile completes it, -1 without the tile
    THRESHOLDS,  # by number compared with: the copy of the counters, the shift, then what is added by word
    TOPS,  # by word: the top bits of its fields
    FORM_BITS,  # by form: its facts, from TILE_WORD on
    LEVELS,  # of the program
    LEVEL_AT,  # by level: where its record begins
    ACCEPTS,  # by form: the steps that accept it
    TURN_OF,  # by item: the record of its turn
    ALONE,  # by word: the items that count alone
    ALONE_ASKED,  # by item of these: how many questions about numbers, and where they are listed
    RELEVANT,  # by contest and part: the part that is no different, -1 for one that does not matter
    PARTS,
    SOLES,  # families that let no others count
    SOLE,  # by family of these and word: its items
    EXTRA,  # by word: items that do not end what counts alone
    ODD,  # by word: items whose worth is no fixed number
    SUMS,  # what worths are added up in: measures, each without and with what is extra
    WORTH,  # by item, closed and open: what it adds to each sum
    TIMES,  # by item: what it is multiplied by: the slot of a question plus one, minus a column of the context, or 0
    PATTERN_OF,  # by item: the number of its pattern
    PATTERN_WORDS,
    LOWEST,  # by remainder of a power of two by 67: its exponent
    ROOM,  # numbers that a row of the working space has to hold
) = range(49)
HEADER = 49

# A record of a case: these, then from CASE on counts of fixed tiles, what they take off each block's number, the tables of the
# blocks, the fixed parts, and by group the slot that it fills as a meld.
FORM, CONCEALED, TARGET, FIXED_TILES, FIXED_PARTS, CASE = range(6)
# A record of a table: where the starts of its rows, the rows and the parts of options begin; how long a row is.
STARTS, ROWS, OPTIONS, ROW_WORDS = range(4)
SLOT_BITS, OPTION_BITS, OPTION = 8, 16, 0xFFFF

# The columns of a hand after its faces: the winning face, its context, whether the completed part is exposed, answers,
# groups of melds, which of them are exposed.
WIN, CONTEXT, SHOWN = range(3)
HAND = 3
UNKNOWN = -(1 << 31)  # an answer that nobody asked for yet

# The columns of a context: whether it is open, its class, what it says of numbers, its facts; then what measures ask
# in each form, and the answers about `times`.
OPEN, CLASS, NUMBERS, CONTEXT_BITS = 0, 1, 2, 3

# What becomes of a hand: the number of its worth, or one of these; `ASKS - question` where an answer is missing.
NO_READING, MISSING, BY_ITSELF, ASKS = -1, -2, -3, -4
# The columns of a result: that, its form, its rank, and the patterns that count; then its parts, the items that count, the outcomes of contests, and answers about numbers.
RESULT, RESULT_FORM, RESULT_RANK, RESULT_PATTERNS = range(4)
# The columns of what is missing: what it is, the row of the hand, its context and form, its parts, then the key.
KIND, ROW, OF_CONTEXT, OF_FORM, OF_PARTS = range(5)
A_CONTEST, A_VERDICT, A_SUM = range(3)
# The values of a row in memory: of a contest its number, whether it is odd, the items that count, its sums; of a
# verdict and a sum the number of the worth, its rank, and for a verdict its patterns.
VALUE, CONTEST_ODD, CONTEST_ITEMS = 0, 1, 2
RANK, VERDICT_PATTERNS = 1, 2

# Rows of the working space: of a hand, of a reading, and of what counts in it.
(
    COUNTS,  # by plain tile
    NUMBERS_OF,  # by block: the number of its counts
    PLACE,  # by block: their place
    TILE_FACTS,
    FIRST,  # by block: its first row in a table
    WAYS,  # how many there are
    WAY,  # which one it is now
    CHOSEN,  # parts
    ORDERED,  # the same as the reader lists them
    COUNTERS,
    FACTS,
    COUNTING,  # items
    OUTCOMES,  # by contest
    ANSWERED,  # by slot of a question
    CONTESTED,  # sums of contests
    FINAL,  # items that count in the end
    PATTERNS,
    KEY,
    NOW,  # the columns below
) = range(19)
SPACE = 19
NOW_ROW, NOW_CONTEXT, NOW_FORM, NOW_LYING, NOW_OWN, NOW_RANK, NOW_ODD, NOW_FOUND = range(8)
MIXED, SHIFT, LOW = -7046029254386353131, 29, (1 << 35) - 1  # 2**64 by the golden ratio spreads numbers evenly


@loop_kernel
def score_hands(
    image: Array,
    places: Array,
    contexts: Array,
    moving: Array,
    verdicts: Array,
    contests: Array,
    sums: Array,
    hands: Array,
    rows: Array,
    results: Array,
    missing: Array,
    space: Array,
) -> int:
    """Judge the hands of these rows, in this working space: (SPACE, ROOM). How many rows of `missing` are filled."""
    space[NOW, NOW_FOUND] = 0
    for row in rows:
        space[NOW, NOW_ROW] = row
        space[NOW, NOW_CONTEXT] = hands[row, image[FACES] + CONTEXT]
        score_hand(image, places, contexts, moving, verdicts, contests, sums, hands, results, missing, space)
    return int(space[NOW, NOW_FOUND])


@loop_kernel
def score_hand(
    image: Array,
    places: Array,
    contexts: Array,
    moving: Array,
    verdicts: Array,
    contests: Array,
    sums: Array,
    hands: Array,
    results: Array,
    missing: Array,
    space: Array,
) -> None:
    """Judge one hand: every reading, and the best one as the result."""
    row, blocks = space[NOW, NOW_ROW], image[BLOCKS]
    results[row, RESULT] = NO_READING
    if not count_tiles(image, hands, space):
        results[row, RESULT] = BY_ITSELF
        return
    lie_down(image, hands, space)
    for block in range(blocks):
        space[PLACE, block] = places[image[image[PLACES] + block] + space[NUMBERS_OF, block]]
    for lookup in range(image[LOOKUPS]):
        record = image[image[LOOKUP_AT] + lookup]
        target = target_of(image, hands, record, space)
        if target < 0:
            continue
        space[NOW, NOW_FORM] = image[record + FORM]
        for _ in range(find_ways(image, places, record, space)):
            if read(image, record, space) == target:
                status = judge_all(image, contexts, moving, verdicts, contests, sums, hands, results, missing, space)
                if status < NO_READING:
                    results[row, RESULT] = status
                    return


# --- tiles


@loop_kernel
def count_tiles(image: Array, hands: Array, space: Array) -> bool:
    """Count the tiles of a hand and number its blocks; the facts that tiles decide. False where tables do not know
    one."""
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
        space[NUMBERS_OF, image[image[BLOCK_OF] + kind]] += held * image[image[RADIX] + kind]
        for word in range(wide):
            space[TILE_FACTS, word] |= image[image[FACE_BITS] + face * wide + word]
    return True


@loop_kernel
def lie_down(image: Array, hands: Array, space: Array) -> None:
    """The melds as the first parts of a reading, and the facts that their tiles decide."""
    row, melds = space[NOW, NOW_ROW], image[FACES] + HAND + image[QUESTIONS]
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


# --- readings


@loop_kernel
def target_of(image: Array, hands: Array, record: int, space: Array) -> int:
    """What the tiles of a hand have to fill in a case, SLOT_BITS for each slot; -1 where the hand cannot be this
    case."""
    for fixed in range(record + CASE, record + CASE + 2 * image[record + FIXED_TILES], 2):
        if space[COUNTS, image[fixed]] < image[fixed + 1]:
            return -1
    row, target = space[NOW, NOW_ROW], image[record + TARGET]
    slots = record + CASE + 2 * image[record + FIXED_TILES] + 2 * image[BLOCKS] + image[record + FIXED_PARTS]
    melds = image[FACES] + HAND + image[QUESTIONS]
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
def judge_all(
    image: Array,
    contexts: Array,
    moving: Array,
    verdicts: Array,
    contests: Array,
    sums: Array,
    hands: Array,
    results: Array,
    missing: Array,
    space: Array,
) -> int:
    """Judge a way to use a hand up once for each part that the winning tile may be in, and keep what is best.
    NO_READING, or why the hand is not judged."""
    row, lying, own = space[NOW, NOW_ROW], space[NOW, NOW_LYING], space[NOW, NOW_OWN]
    win, shown = image[image[PLAIN] + hands[row, image[FACES] + WIN]], hands[row, image[FACES] + SHOWN]
    for place in range(lying, own):
        before, alike = space[CHOSEN, place], False
        done = image[image[COMPLETED] + (before * image[KINDS] + win) * 2 + shown]
        if done < 0:
            continue
        for other in range(lying, place):
            alike = alike or space[CHOSEN, other] == before
        if alike:
            continue
        space[CHOSEN, place] = done
        status = judge(image, contexts, moving, verdicts, contests, sums, hands, missing, space)
        if status < NO_READING:
            return int(status)
        if status >= 0 and is_better(image, results, space):
            keep(image, status, results, space)
        space[CHOSEN, place] = before
    return NO_READING


@loop_kernel
def is_better(image: Array, results: Array, space: Array) -> bool:
    """Whether a reading is better than the result, or comes before it in the order of the reader."""
    row, own, order = space[NOW, NOW_ROW], space[NOW, NOW_OWN], image[PART_ORDER]
    put_in_order(image, space)
    if results[row, RESULT] == NO_READING or space[NOW, NOW_RANK] != results[row, RESULT_RANK]:
        return results[row, RESULT] == NO_READING or bool(space[NOW, NOW_RANK] > results[row, RESULT_RANK])
    if space[NOW, NOW_FORM] != results[row, RESULT_FORM]:
        return False
    parts = RESULT_PATTERNS + image[PATTERN_WORDS]
    for part in range(own):
        here, there = image[order + space[ORDERED, part]], image[order + results[row, parts + part]]
        if here != there:
            return bool(here < there)
    return False


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
def keep(image: Array, status: int, results: Array, space: Array) -> None:
    """Keep what was found of a reading as the result."""
    row, at = space[NOW, NOW_ROW], RESULT_PATTERNS
    results[row, RESULT], results[row, RESULT_FORM] = status, space[NOW, NOW_FORM]
    results[row, RESULT_RANK] = space[NOW, NOW_RANK]
    for word in range(image[PATTERN_WORDS]):
        results[row, at] = space[PATTERNS, word]
        at += 1
    for part in range(image[DEPTH]):
        results[row, at] = space[ORDERED, part] if part < space[NOW, NOW_OWN] else -1
        at += 1
    for word in range(image[ITEM_WORDS]):
        results[row, at] = space[COUNTING, word]
        at += 1
    for contest in range(image[CONTESTS]):
        results[row, at] = space[OUTCOMES, contest]
        at += 1
    for slot in range(image[ASKED]):
        results[row, at] = space[ANSWERED, slot]
        at += 1


# --- one reading


@loop_kernel
def judge(
    image: Array,
    contexts: Array,
    moving: Array,
    verdicts: Array,
    contests: Array,
    sums: Array,
    hands: Array,
    missing: Array,
    space: Array,
) -> int:
    """The number of the worth of a reading, or what became of it. Its rank is NOW_RANK."""
    find_facts(image, contexts, moving, space)
    status = run(image, hands, space)
    if status == NO_READING:
        status = run_steps(image, hands, image[image[ACCEPTS] + space[NOW, NOW_FORM]], space)
    if status < NO_READING or not space[FACTS, image[FACT_WORDS] - 1]:
        return int(status)
    status = settle(image, contexts, contests, hands, missing, space)
    if status < NO_READING:
        return int(status)
    if not space[NOW, NOW_ODD] and add_up(image, contexts, space):
        return int(worth_of(image, sums, contexts, missing, space))
    status = count_alone(image, hands, space)
    return int(status) if status < NO_READING else int(verdict_of(image, verdicts, contexts, missing, space))


@loop_kernel
def find_facts(image: Array, contexts: Array, moving: Array, space: Array) -> None:
    """The facts of a reading: what its counters reach, its tiles, its table and its form."""
    words, still, tile_word, wide = image[WORDS], image[STILL], image[TILE_WORD], image[ITEM_WORD] - image[TILE_WORD]
    context, moves = space[NOW, NOW_CONTEXT], words - still
    kind = contexts[context, CLASS]
    for word in range(words):
        space[COUNTERS, word] = 0
    for at in range(space[NOW, NOW_OWN]):
        part = space[CHOSEN, at]
        for word in range(still):
            space[COUNTERS, word] += image[image[PART_WORDS] + part * still + word]
        for word in range(moves):
            space[COUNTERS, still + word] += moving[kind, part * moves + word]
    for word in range(tile_word):
        space[FACTS, word] = 0
    for least in range(image[LEASTS]):
        record = image[THRESHOLDS] + least * (2 + 2 * words)
        copy, down = image[record] * words, image[record + 1]
        for word in range(words):
            reached = space[COUNTERS, word] + image[record + 2 + word] & image[image[TOPS] + word]
            space[FACTS, copy + word] |= reached >> down & image[record + 2 + words + word]
    form = image[FORM_BITS] + space[NOW, NOW_FORM] * wide
    for word in range(wide):
        said = contexts[context, CONTEXT_BITS + word] | image[form + word]
        space[FACTS, tile_word + word] = space[TILE_FACTS, word] | said
    for word in range(image[ITEM_WORD], image[FACT_WORDS]):
        space[FACTS, word] = 0


@loop_kernel
def run(image: Array, hands: Array, space: Array) -> int:
    """Run the program: set the bits of gates and items that hold. NO_READING, or the question that has no answer yet.

    A level: where the steps begin that need no bit; for each word of facts before items the bits that steps need, then
    for each of these bits where its steps begin."""
    words = image[ITEM_WORD]
    for level in range(image[LEVELS]):
        record = image[image[LEVEL_AT] + level]
        for word in range(words):
            hits = space[FACTS, word] & image[record + 1 + word]
            while hits:
                bit = 64 * word + image[image[LOWEST] + np.uint64(hits & -hits) % np.uint64(67)]
                hits &= hits - 1
                status = run_steps(image, hands, image[record + 1 + words + bit], space)
                if status < NO_READING:
                    return int(status)
        status = run_steps(image, hands, image[record], space)
        if status < NO_READING:
            return int(status)
    return NO_READING


@loop_kernel
def run_steps(image: Array, hands: Array, at: int, space: Array) -> int:
    """Run some steps: how many numbers they take; then for each its target, how many words it looks at and questions it
    asks, and these."""
    end = at + 1 + image[at]
    at += 1
    while at < end:
        target, bit, looks, asks = image[at], image[at + 1], image[at + 2], image[at + 3]
        at += 4
        holds = True
        for look in range(at, at + 3 * looks, 3):
            if space[FACTS, image[look]] & image[look + 1] != image[look + 2]:
                holds = False
                break
        at += 3 * looks
        for ask in range(at, at + 2 * asks if holds and not space[FACTS, target] & bit else at, 2):
            answer = hands[space[NOW, NOW_ROW], image[FACES] + HAND + image[ask]]
            if answer == UNKNOWN:
                return int(ASKS - image[ask])
            holds = holds and (answer != 0) == (image[ask + 1] != 0)
        at += 2 * asks
        if holds:
            space[FACTS, target] |= bit
    return NO_READING


# --- what counts


@loop_kernel
def settle(image: Array, contexts: Array, contests: Array, hands: Array, missing: Array, space: Array) -> int:
    """Find which items count. NO_READING, or why that is not known."""
    words, item_word = image[ITEM_WORDS], image[ITEM_WORD]
    space[NOW, NOW_ODD] = 0
    for word in range(words):
        space[COUNTING, word] = 0
    for at in range(image[SUMS]):
        space[CONTESTED, at] = 0
    for slot in range(image[ASKED]):
        space[ANSWERED, slot] = 0
    for contest in range(image[CONTESTS]):
        space[OUTCOMES, contest] = 0
    for word in range(words):
        main = space[FACTS, item_word + word] & ~image[image[ALONE] + word]
        while main:
            turn = image[image[TURN_OF] + 64 * word + image[image[LOWEST] + np.uint64(main & -main) % np.uint64(67)]]
            main &= ~image[turn + 1 + word]
            if image[turn] >= 0:
                status = contest_of(image, contexts, contests, turn, missing, space)
            else:
                status = candidates(image, contexts, turn, hands, space)
            if status < NO_READING:
                return int(status)
            for later in range(word + 1, words):
                space[FACTS, item_word + later] &= ~image[turn + 1 + later]
    return NO_READING


@loop_kernel
def candidates(image: Array, contexts: Array, turn: int, hands: Array, space: Array) -> int:
    """Count the best candidate of a turn that nothing drops. NO_READING, or the question that has no answer yet.

    A candidate: how many numbers it takes, its items, their droppers, whether it is worth nothing in the open, the
    answers about how often it counts (of the table, of the hand; -1 for none), its questions about numbers."""
    words, row, context = image[ITEM_WORDS], space[NOW, NOW_ROW], space[NOW, NOW_CONTEXT]
    answers, is_open = image[FACES] + HAND, contexts[context, OPEN]
    span = turn + 1 + words + 2 * is_open
    at, stop = image[span], image[span + 1]
    while at < stop:
        items, droppers, said = at + 1, at + 1 + words, at + 1 + 2 * words
        at += image[at]
        held = dropped = False
        for word in range(words):
            held = held or (space[FACTS, image[ITEM_WORD] + word] & image[items + word]) != 0
            dropped = dropped or (space[COUNTING, word] & image[droppers + word]) != 0
        if not held or dropped or (image[said] and is_open):
            continue
        if image[said + 1] >= 0 and not contexts[context, image[said + 1]]:
            continue
        if image[said + 2] >= 0:
            answer = hands[row, answers + image[said + 2]]
            if answer == UNKNOWN:
                return int(ASKS - image[said + 2])
            if answer == 0:
                continue
        for question in range(said + 3, at, 2):
            answer = hands[row, answers + image[question]]
            if answer == UNKNOWN:
                return int(ASKS - image[question])
            space[ANSWERED, image[question + 1]] = answer
        for word in range(words):
            space[COUNTING, word] |= space[FACTS, image[ITEM_WORD] + word] & image[items + word]
        break
    return NO_READING


@loop_kernel
def contest_of(image: Array, contexts: Array, contests: Array, turn: int, missing: Array, space: Array) -> int:
    """Count what a contest comes to that the plain way decides. NO_READING, or MISSING."""
    words, context, contest = image[ITEM_WORDS], space[NOW, NOW_CONTEXT], image[turn]
    space[KEY, 0] = contest * 2 + contexts[context, OPEN]
    space[KEY, 1] = contexts[context, CLASS]
    for word in range(words):
        space[KEY, 2 + word] = space[FACTS, image[ITEM_WORD] + word] & image[turn + 1 + word]
        space[KEY, 2 + words + word] = space[COUNTING, word] & image[turn + 1 + words + word]
    first = stop = 2 + 2 * words
    relevant = image[RELEVANT] + contest * image[PARTS]
    for part in range(space[NOW, NOW_OWN]):
        alike = image[relevant + space[CHOSEN, part]]
        if alike < 0:
            continue
        place = stop
        while place > first and space[KEY, place - 1] > alike:
            space[KEY, place] = space[KEY, place - 1]
            place -= 1
        space[KEY, place] = alike
        stop += 1
    width = first + image[DEPTH]
    for place in range(stop, width):
        space[KEY, place] = -1
    place = slot_of(contests, space, KEY, width)
    if not contests[place, width]:
        return int(miss(image, A_CONTEST, width, missing, space))
    space[OUTCOMES, contest] = contests[place, width + VALUE]
    space[NOW, NOW_ODD] |= contests[place, width + CONTEST_ODD]
    for word in range(words):
        space[COUNTING, word] |= space[KEY, 2 + word] & contests[place, width + CONTEST_ITEMS + word]
    for at in range(image[SUMS]):
        space[CONTESTED, at] += contests[place, width + CONTEST_ITEMS + words + at]
    return NO_READING


# --- what it is worth


@loop_kernel
def add_up(image: Array, contexts: Array, space: Array) -> bool:
    """Add up the worths of what counts, as the key of a sum. False where something odd counts, which has no sum."""
    words, sums, context = image[ITEM_WORDS], image[SUMS], space[NOW, NOW_CONTEXT]
    for word in range(words):
        space[FINAL, word] = space[COUNTING, word]
    sole, extra = sole_of(image, space), True
    for word in range(words):
        if sole and image[CONTESTS] and space[FINAL, word] != space[COUNTING, word]:
            return False  # what contests came to is summed as a whole
        extra = extra and not space[FINAL, word] & ~image[image[EXTRA] + word]
    for word in range(words if extra else 0):
        space[FINAL, word] |= space[FACTS, image[ITEM_WORD] + word] & image[image[ALONE] + word]
    space[KEY, 0] = sole
    for at in range(sums):
        space[KEY, 1 + at] = space[CONTESTED, at]
    for word in range(image[PATTERN_WORDS]):
        space[PATTERNS, word] = 0
    for word in range(words):
        left = space[FINAL, word]
        if left & image[image[ODD] + word]:
            return False
        while left:
            item = 64 * word + image[image[LOWEST] + np.uint64(left & -left) % np.uint64(67)]
            left &= left - 1
            pattern, times = image[image[PATTERN_OF] + item], image[image[TIMES] + item]
            space[PATTERNS, pattern >> 6] |= 1 << (pattern & 63)
            factor = 1 if times == 0 else space[ANSWERED, times - 1] if times > 0 else contexts[context, -times]
            if factor == UNKNOWN:
                return False
            worth = image[WORTH] + (2 * item + contexts[context, OPEN]) * sums
            for at in range(sums):
                space[KEY, 1 + at] += factor * image[worth + at]
    return True


@loop_kernel
def sole_of(image: Array, space: Array) -> int:
    """Leave only the items of the first family that lets no others count. Its number, from one on; 0 for none."""
    words = image[ITEM_WORDS]
    for family in range(image[SOLES]):
        items, there = image[SOLE] + family * words, False
        for word in range(words):
            there = there or (space[FINAL, word] & image[items + word]) != 0
        if there:
            for word in range(words):
                space[FINAL, word] &= image[items + word]
            return int(family + 1)
    return 0


@loop_kernel
def worth_of(image: Array, sums: Array, contexts: Array, missing: Array, space: Array) -> int:
    """The number of the worth of a sum, or MISSING."""
    width = 2 + image[SUMS]
    space[KEY, width - 1] = frame_of(image, contexts, space)
    place = slot_of(sums, space, KEY, width)
    if not sums[place, width]:
        return int(miss(image, A_SUM, width, missing, space))
    space[NOW, NOW_RANK] = sums[place, width + RANK]
    return int(sums[place, width + VALUE] - 1)


@loop_kernel
def frame_of(image: Array, contexts: Array, space: Array) -> int:
    """The number of what measures ask at a table in a form."""
    frames = CONTEXT_BITS + image[ITEM_WORD] - image[TILE_WORD]
    return int(contexts[space[NOW, NOW_CONTEXT], frames + space[NOW, NOW_FORM]])


@loop_kernel
def count_alone(image: Array, hands: Array, space: Array) -> int:
    """Add what counts alone to what counts. NO_READING, or the question that has no answer yet."""
    for word in range(image[ITEM_WORDS]):
        alone = space[FACTS, image[ITEM_WORD] + word] & image[image[ALONE] + word]
        space[COUNTING, word] |= alone
        while alone:
            item = 64 * word + image[image[LOWEST] + np.uint64(alone & -alone) % np.uint64(67)]
            at = image[ALONE_ASKED] + 2 * item
            alone &= alone - 1
            for question in range(image[at + 1], image[at + 1] + 2 * image[at], 2):
                answer = hands[space[NOW, NOW_ROW], image[FACES] + HAND + image[question]]
                if answer == UNKNOWN:
                    return int(ASKS - image[question])
                space[ANSWERED, image[question + 1]] = answer
    return NO_READING


@loop_kernel
def verdict_of(image: Array, verdicts: Array, contexts: Array, missing: Array, space: Array) -> int:
    """The number of the worth of what counts, or MISSING."""
    width, context = 0, space[NOW, NOW_CONTEXT]
    for word in range(image[ITEM_WORDS]):
        space[KEY, width] = space[COUNTING, word]
        width += 1
    for contest in range(image[CONTESTS]):
        space[KEY, width] = space[OUTCOMES, contest]
        width += 1
    for slot in range(image[ASKED]):
        space[KEY, width] = space[ANSWERED, slot]
        width += 1
    frame = frame_of(image, contexts, space)
    space[KEY, width] = (frame * 2 + contexts[context, OPEN]) << 32 | contexts[context, NUMBERS]
    space[KEY, width + 1] = space[NOW, NOW_FORM]
    width += 2
    place = slot_of(verdicts, space, KEY, width)
    if not verdicts[place, width]:
        return int(miss(image, A_VERDICT, width, missing, space))
    for word in range(image[PATTERN_WORDS]):
        space[PATTERNS, word] = verdicts[place, width + VERDICT_PATTERNS + word]
    space[NOW, NOW_RANK] = verdicts[place, width + RANK]
    return int(verdicts[place, width + VALUE] - 1)


# --- memory


@loop_kernel
def miss(image: Array, kind: int, width: int, missing: Array, space: Array) -> int:
    """Note what is missing, if there is room. MISSING."""
    found, depth = space[NOW, NOW_FOUND], image[DEPTH]
    if found < missing.shape[0]:
        missing[found, KIND], missing[found, ROW] = kind, space[NOW, NOW_ROW]
        missing[found, OF_CONTEXT], missing[found, OF_FORM] = space[NOW, NOW_CONTEXT], space[NOW, NOW_FORM]
        for part in range(depth):
            missing[found, OF_PARTS + part] = space[CHOSEN, part] if part < space[NOW, NOW_OWN] else -1
        for at in range(width):
            missing[found, OF_PARTS + depth + at] = space[KEY, at]
        space[NOW, NOW_FOUND] += 1
    return MISSING


@loop_kernel
def slot_of(table: Array, keys: Array, key: int, width: int) -> int:
    """The row of a table where a row of keys is, or where it belongs: one whose value is 0. Tables have 2**n rows,
    never full."""
    mixed, last = 0, table.shape[0] - 1
    for at in range(width):
        mixed = (mixed ^ keys[key, at]) * MIXED
        mixed ^= mixed >> SHIFT & LOW
    place = mixed & last
    while table[place, width]:
        same = True
        for at in range(width):
            same = same and table[place, at] == keys[key, at]
        if same:
            break
        place = place + 1 & last
    return int(place)
