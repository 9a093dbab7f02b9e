"""What counts: the items that hold in a reading in, the number of its worth out.

What was never met before is noted for Python. Knows no readings."""

from tilewright.base.kernels import Array, I64x2, entry, kernel, lowest_bit, wrapped
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.asking import answer_of, answered
from tilewright.scoring.kernel.contests import decide
from tilewright.scoring.kernel.layout import ScoringArrays
from tilewright.scoring.program.tallies import MOST


@kernel
def settle(known: ScoringArrays) -> int:
    """Find which items count. NO_READING, or BY_ITSELF where only Python knows that."""
    image, space = known.image, known.space
    words, item_word = image[at.ITEM_WORDS], image[at.ITEM_WORD]
    space[at.NOW, at.NOW_MET] = 0
    for word in range(words):
        space[at.COUNTING, word] = 0
    for slot in range(image[at.ASKED]):
        space[at.ANSWERED, slot] = 0
    for word in range(words):
        main = space[at.FACTS, item_word + word] & ~image[image[at.ALONE] + word]
        while main:
            turn = image[image[at.TURN_OF] + 64 * word + lowest_bit(main)]
            main &= ~image[turn + 1 + word]
            status = decide(known, turn) if image[turn] >= 0 else candidates(known, turn)
            if status < at.NO_READING:
                return int(status)
            for later in range(word + 1, words):
                space[at.FACTS, item_word + later] &= ~image[turn + 1 + later]
    return at.NO_READING


@kernel
def candidates(known: ScoringArrays, turn: int) -> int:
    """Count the best candidate of a turn that nothing drops. NO_READING, or BY_ITSELF where only Python has an answer.

    A candidate: how many numbers it takes, its items, their droppers, whether it is worth nothing in the open, the
    answers about how often it counts (of the table, of the hand; -1 for none), its questions about numbers."""
    image, contexts, space = known.image, known.contexts, known.space
    words, context = image[at.ITEM_WORDS], space[at.NOW, at.NOW_CONTEXT]
    is_open = contexts[context, at.OPEN]
    span = turn + 1 + words + 2 * is_open
    spot, stop = image[span], image[span + 1]
    while spot < stop:
        items, droppers, said = spot + 1, spot + 1 + words, spot + 1 + 2 * words
        spot += image[spot]
        held = dropped = False
        for word in range(words):
            held = held or (space[at.FACTS, image[at.ITEM_WORD] + word] & image[items + word]) != 0
            dropped = dropped or (space[at.COUNTING, word] & image[droppers + word]) != 0
        if not held or dropped or (image[said] and is_open):
            continue
        if image[said + 1] >= 0 and not contexts[context, image[said + 1]]:
            continue
        if image[said + 2] >= 0:
            answer = answer_of(known, image[said + 2])
            if answer == at.UNKNOWN:
                return at.BY_ITSELF
            if answer == 0:
                continue
        for question in range(said + 3, spot, 2):
            answer = answer_of(known, image[question])
            if answer == at.UNKNOWN:
                return at.BY_ITSELF
            space[at.ANSWERED, image[question + 1]] = answer
        for word in range(words):
            space[at.COUNTING, word] |= space[at.FACTS, image[at.ITEM_WORD] + word] & image[items + word]
        break
    return at.NO_READING


@kernel
def add_up(image: Array, contexts: Array, space: Array) -> bool:
    """Add up the worths of what counts, as the key of a sum, with the codes of its patterns. False where something odd
    counts, which has no sum."""
    words, sums, context, coded = image[at.ITEM_WORDS], image[at.SUMS], space[at.NOW, at.NOW_CONTEXT], 0
    is_open = contexts[context, at.OPEN]
    for word in range(words):
        space[at.FINAL, word] = space[at.COUNTING, word]
    sole, extra = sole_of(image, space), True
    for word in range(words):
        extra = extra and not space[at.FINAL, word] & ~image[image[at.EXTRA] + word]
    for word in range(words if extra else 0):
        space[at.FINAL, word] |= space[at.FACTS, image[at.ITEM_WORD] + word] & image[image[at.ALONE] + word]
    space[at.KEY, 0] = sole
    for spot in range(sums):
        space[at.KEY, 1 + spot] = 0
    for word in range(image[at.PATTERN_WORDS]):
        space[at.PATTERNS, word] = 0
    for word in range(words):
        left = space[at.FINAL, word]
        if left & image[image[at.ODD] + word]:
            return False
        while left:
            item = 64 * word + lowest_bit(left)
            left &= wrapped(left - 1)
            pattern, times = image[image[at.PATTERN_OF] + item], image[image[at.TIMES] + item]
            if not space[at.PATTERNS, pattern >> 6] >> (pattern & 63) & 1:
                space[at.PATTERNS, pattern >> 6] |= wrapped(1 << (pattern & 63))
                space[at.CODES, pattern] = pattern + 1 | is_open << at.CODE_OPEN
                coded += 1
            worth = image[at.WORTH] + (2 * item + is_open) * sums
            if times == at.BY_PLACES:
                closed, shown = space[at.CLOSED, item], space[at.SHOWN_AT, item]
                space[at.CODES, pattern] += (closed << at.CODE_CLOSED) + (shown << at.CODE_SHOWN)
                worth = image[at.WORTH] + 2 * item * sums
                for spot in range(sums):
                    space[at.KEY, 1 + spot] += closed * image[worth + spot] + shown * image[worth + sums + spot]
                continue
            factor = 1 if times == 0 else space[at.ANSWERED, times - 1] if times > 0 else contexts[context, -times]
            if abs(factor) >= at.MOST_TIMES:
                return False
            if times:
                space[at.CODES, pattern] += factor << at.CODE_TIMES
            else:
                space[at.CODES, pattern] += 1 << image[image[at.CODE_AT] + item]
            for spot in range(sums):
                space[at.KEY, 1 + spot] += factor * image[worth + spot]
    space[at.NOW, at.NOW_CODED] = coded
    return coded <= at.MOST_CODES


@kernel
def sole_of(image: Array, space: Array) -> int:
    """Leave only the items of the first family that lets no others count. Its number, from one on; 0 for none."""
    words = image[at.ITEM_WORDS]
    for family in range(image[at.SOLES]):
        items, there = image[at.SOLE] + family * words, False
        for word in range(words):
            there = there or (space[at.FINAL, word] & image[items + word]) != 0
        if there:
            for word in range(words):
                space[at.FINAL, word] &= image[items + word]
            return int(family + 1)
    return 0


@kernel
def worth_of(known: ScoringArrays) -> int:
    """The number of the worth of a sum, MISSING, or BY_ITSELF."""
    image, sums, space = known.image, known.sums, known.space
    width = 2 + image[at.SUMS]
    space[at.KEY, width - 1] = frame_of(image, known.contexts, space)
    place = slot_of(sums, space, at.KEY, width)
    if not sums[place, width] and not measure(image, sums, place, known.worths, known.measuring, space):
        return int(miss(at.A_SUM, width, known.missing, space))
    found = sums[place, width]
    return int(found - 1 if found > 0 else found)


@kernel
def measure(image: Array, sums: Array, place: int, worths: Array, measuring: Array, space: Array) -> bool:
    """Work out what a sum comes to, and keep it at this place. False where Python has to, or there is no room."""
    width, row = 2 + image[at.SUMS], worths[0, at.WORTHS] + 1
    frame = space[at.KEY, width - 1]
    measures, extra, enough = measuring[frame + at.MEASURES], False, -1
    if not measures or row >= worths.shape[0] or 2 * worths[0, at.WORTHS_OF_SUMS] >= sums.shape[0]:
        return False
    for spot in range(measures):
        extra = extra or space[at.KEY, 2 + 2 * spot] != 0
    if extra:
        if not take_steps(measuring, frame, False, measuring[frame + at.TOWARDS], space):
            return False
        enough = reaches(measuring, frame, space)
    if not take_steps(measuring, frame, True, measuring[frame + at.STEPS_OF_ALL], space):
        return False
    if not extra:
        enough = reaches(measuring, frame, space)
    if enough < 0:
        return False
    worths[row, at.ENOUGH], worths[row, at.ALL_ALONE] = enough, space[at.KEY, 0] != 0
    worths[row, at.COMES_TO] = at.SCALE * space[at.MEASURED, measures + measuring[frame + at.CHOSEN_BY]]
    for spot in range(measures):
        worths[row, at.FIRST_MEASURE + spot] = at.SCALE * space[at.MEASURED, measures + spot]
    for spot in range(width):
        sums[place, spot] = worths[row, at.FIRST_MEASURE + measures + spot] = space[at.KEY, spot]
    sums[place, width] = worths[0, at.WORTHS] = row
    worths[0, at.WORTHS_OF_SUMS] += 1
    return True


@kernel
def take_steps(measuring: Array, frame: int, extra: bool, steps: int, space: Array) -> bool:
    """Fill so many cells of measures, with what is extra or without it. False where a number is not whole, or large."""
    measures = measuring[frame + at.MEASURES]
    for spot in range(measures):
        number = space[at.KEY, 1 + 2 * spot] + (space[at.KEY, 2 + 2 * spot] if extra else 0)
        if abs(number) >= MOST:
            return False
        space[at.MEASURED, spot], space[at.MEASURED, measures + spot] = number, 0
    for step in range(steps):
        spot = frame + at.MEASURING + 3 * step
        value = answered(measuring, measuring[spot + 1], measuring[spot + 2], space[at.MEASURED], space[at.STACK])
        if value == at.UNKNOWN:
            return False
        space[at.MEASURED, measuring[spot]] = value
    return True


@kernel
def reaches(measuring: Array, frame: int, space: Array) -> int:
    """Whether the measures reach the minimum; -1 where that is not known."""
    parts = frame + at.MEASURING + 3 * measuring[frame + at.STEPS_OF_ALL]
    for spot in range(parts, parts + 3 * measuring[frame + at.MINIMUMS], 3):
        value = answered(measuring, measuring[spot + 1], measuring[spot + 2], space[at.MEASURED], space[at.STACK])
        if value == at.UNKNOWN:
            return -1
        if space[at.MEASURED, measuring[spot]] < value:
            return 0
    return 1


@kernel
def frame_of(image: Array, contexts: Array, space: Array) -> int:
    """The number of what measures ask at a table in a form."""
    frames = at.CONTEXT_BITS + image[at.ITEM_WORD] - image[at.TILE_WORD]
    return int(contexts[space[at.NOW, at.NOW_CONTEXT], frames + space[at.NOW, at.NOW_FORM]])


@kernel
def count_alone(known: ScoringArrays) -> int:
    """Add what counts alone to what counts. NO_READING, or BY_ITSELF where only Python has an answer."""
    image, space = known.image, known.space
    for word in range(image[at.ITEM_WORDS]):
        alone = space[at.FACTS, image[at.ITEM_WORD] + word] & image[image[at.ALONE] + word]
        space[at.COUNTING, word] |= alone
        while alone:
            item = 64 * word + lowest_bit(alone)
            spot = image[at.ALONE_ASKED] + 2 * item
            alone &= wrapped(alone - 1)
            for question in range(image[spot + 1], image[spot + 1] + 2 * image[spot], 2):
                answer = answer_of(known, image[question])
                if answer == at.UNKNOWN:
                    return at.BY_ITSELF
                space[at.ANSWERED, image[question + 1]] = answer
    return at.NO_READING


@kernel
def verdict_of(known: ScoringArrays) -> int:
    """The number of the worth of what counts, MISSING, or BY_ITSELF."""
    image, verdicts, contexts, space = known.image, known.verdicts, known.contexts, known.space
    width, context = 0, space[at.NOW, at.NOW_CONTEXT]
    for word in range(image[at.ITEM_WORDS]):
        space[at.KEY, width] = space[at.COUNTING, word]
        width += 1
    for spot in range(image[at.CONTESTED] + 1, image[at.CONTESTED] + 1 + image[image[at.CONTESTED]]):
        item = image[spot]
        is_there = space[at.COUNTING, item >> 6] >> (item & 63) & 1
        space[at.KEY, width] = (space[at.CLOSED, item] | space[at.SHOWN_AT, item] << 32) if is_there else 0
        width += 1
    for slot in range(image[at.ASKED]):
        space[at.KEY, width] = space[at.ANSWERED, slot]
        width += 1
    frame = frame_of(image, contexts, space)
    space[at.KEY, width] = (frame * 2 + contexts[context, at.OPEN]) << 32 | contexts[context, at.NUMBERS]
    space[at.KEY, width + 1] = space[at.NOW, at.NOW_FORM]
    width += 2
    place = slot_of(verdicts, space, at.KEY, width)
    if not verdicts[place, width]:
        return int(miss(at.A_VERDICT, width, known.missing, space))
    for word in range(image[at.PATTERN_WORDS]):
        space[at.PATTERNS, word] = verdicts[place, width + at.VERDICT_PATTERNS + word]
    space[at.NOW, at.NOW_CODED], found = 0, verdicts[place, width + at.VALUE]
    return int(found - 1 if found > 0 else found)


@kernel
def miss(kind: int, width: int, missing: Array, space: Array) -> int:
    """Note what is missing, if there is room. MISSING."""
    found = space[at.NOW, at.NOW_FOUND]
    if found < missing.shape[0]:
        missing[found, at.KIND] = kind
        missing[found, at.OF_CONTEXT] = space[at.NOW, at.NOW_CONTEXT]
        missing[found, at.OF_FORM] = space[at.NOW, at.NOW_FORM]
        for spot in range(width):
            missing[found, at.OF_KEY + spot] = space[at.KEY, spot]
        space[at.NOW, at.NOW_FOUND] += 1
    return at.MISSING


@entry
def slot_of(table: I64x2, keys: I64x2, key: int, width: int) -> int:
    """The row of a table where a row of keys is, or where it belongs: one whose value is 0. Tables have 2**n rows,
    never full."""
    mixed, last = 0, table.shape[0] - 1
    for spot in range(width):
        mixed = wrapped((mixed ^ keys[key, spot]) * at.MIXED)
        mixed ^= mixed >> at.SHIFT & at.LOW
    place = mixed & last
    while table[place, width]:
        same = True
        for spot in range(width):
            same = same and table[place, spot] == keys[key, spot]
        if same:
            break
        place = place + 1 & last
    return int(place)
