"""What counts: the items that hold in a reading in, the number of its worth out.

What was never met before is noted for Python. Knows no readings."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.scoring.kernel.layout import (
    A_CONTEST,
    A_SUM,
    A_VERDICT,
    ALONE,
    ALONE_ASKED,
    ANSWERED,
    ASKED,
    ASKS,
    BY_ITSELF,
    CHOSEN,
    CLASS,
    CONTEST_ITEMS,
    CONTEST_ODD,
    CONTESTED,
    CONTESTS,
    CONTEXT_BITS,
    COUNTING,
    DEPTH,
    EXPOSED,
    EXTRA,
    FACES,
    FACTS,
    FINAL,
    HAND,
    ITEM_WORD,
    ITEM_WORDS,
    KEY,
    KIND,
    LOW,
    MISSING,
    MIXED,
    NO_READING,
    NOW,
    NOW_CONTEXT,
    NOW_FORM,
    NOW_FOUND,
    NOW_ODD,
    NOW_OWN,
    NOW_RANK,
    NOW_ROW,
    NUMBERS,
    ODD,
    OF_CONTEXT,
    OF_FORM,
    OF_PARTS,
    OPEN,
    ORDERED,
    OUTCOMES,
    PATTERN_OF,
    PATTERN_WORDS,
    PATTERNS,
    RANK,
    ROW,
    SHIFT,
    SOLE,
    SOLES,
    SUMS,
    TILE_WORD,
    TIMES,
    TURN_OF,
    UNKNOWN,
    UNKNOWN_PLACES,
    VALUE,
    VERDICT_PATTERNS,
    WANTS,
    WORTH,
)
from tilewright.scoring.kernel.readings import lowest


@loop_kernel
def settle(
    image: Array, contexts: Array, met: Array, contests: Array, hands: Array, missing: Array, space: Array
) -> int:
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
            turn = image[image[TURN_OF] + 64 * word + lowest(image, main)]
            main &= ~image[turn + 1 + word]
            if image[turn] >= 0:
                status = contest_of(image, contexts, met, contests, turn, missing, space)
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
def contest_of(
    image: Array, contexts: Array, met: Array, contests: Array, turn: int, missing: Array, space: Array
) -> int:
    """Count what a contest comes to that the plain way decides. NO_READING, MISSING, or BY_ITSELF."""
    words, context, contest = image[ITEM_WORDS], space[NOW, NOW_CONTEXT], image[turn]
    for word in range(words):
        space[KEY, 1 + word] = space[FACTS, image[ITEM_WORD] + word] & image[turn + 1 + word]
        space[KEY, 1 + words + word] = space[COUNTING, word] & image[turn + 1 + words + word]
    asked = whole = 0
    for word in range(words):
        held = space[KEY, 1 + word] | space[KEY, 1 + words + word]
        if held & image[image[UNKNOWN_PLACES] + word]:
            return BY_ITSELF
        while held:
            wants = image[WANTS] + 2 * (64 * word + lowest(image, held))
            held &= held - 1
            asked |= image[wants]
            whole |= image[wants + 1]
    space[KEY, 0] = contest * 2 + (contexts[context, OPEN] if asked & EXPOSED else 0)
    at = first = 1 + 2 * words
    for part in range(space[NOW, NOW_OWN]):
        wants = met[contexts[context, CLASS], space[ORDERED, part]] & asked
        if wants or whole:
            space[KEY, at] = wants
            at += 1
    width = first + image[DEPTH]
    for rest in range(at, width):
        space[KEY, rest] = -1
    place = slot_of(contests, space, KEY, width)
    if not contests[place, width]:
        return int(miss(image, A_CONTEST, width, missing, space))
    space[OUTCOMES, contest] = contests[place, width + VALUE]
    space[NOW, NOW_ODD] |= contests[place, width + CONTEST_ODD]
    for word in range(words):
        space[COUNTING, word] |= space[KEY, 1 + word] & contests[place, width + CONTEST_ITEMS + word]
    for sum in range(image[SUMS]):
        space[CONTESTED, sum] += contests[place, width + CONTEST_ITEMS + words + sum]
    return NO_READING


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
            item = 64 * word + lowest(image, left)
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
            item = 64 * word + lowest(image, alone)
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
