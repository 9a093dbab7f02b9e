"""Judging hands: hands as rows of numbers in, the best reading of each with the number of its worth out.

Compiled by numba; `scoring/image` does the same for one hand without it. Counts of tiles give the rows of tables, rows
the parts of a reading, parts its counters, counters its facts, facts its patterns. Knows no ruleset."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.scoring.kernel.asking import answer
from tilewright.scoring.kernel.counting import add_up, count_alone, settle, verdict_of, worth_of
from tilewright.scoring.kernel.layout import (
    ACCEPTS,
    ANSWERED,
    ASKED,
    ASKS,
    BY_ITSELF,
    CHOSEN,
    CLASS,
    COMPLETED,
    CONTESTS,
    CONTEXT,
    CONTEXT_BITS,
    COUNTERS,
    COUNTING,
    DEPTH,
    FACES,
    FACT_WORDS,
    FACTS,
    FINAL,
    FORM,
    FORM_BITS,
    GIVEN,
    GIVEN_CELLS,
    GIVEN_MELDS,
    GIVEN_TILES,
    GROUP_TILES,
    HAND,
    HELD,
    ITEM_WORD,
    ITEM_WORDS,
    KINDS,
    LEASTS,
    LEVEL_AT,
    LEVELS,
    LOOKUP_AT,
    LOOKUPS,
    MELDS,
    MUCH,
    NO_READING,
    NOW,
    NOW_CELLS,
    NOW_CONTEXT,
    NOW_FORM,
    NOW_FOUND,
    NOW_LYING,
    NOW_ODD,
    NOW_OWN,
    NOW_RANK,
    NOW_ROW,
    NOW_WAITS,
    OFTEN,
    ORDERED,
    OUTCOMES,
    PART_ORDER,
    PART_WORDS,
    PATTERN_WORDS,
    PATTERNS,
    PLAIN,
    QUESTIONS,
    RESULT,
    RESULT_FORM,
    RESULT_PATTERNS,
    RESULT_RANK,
    SHOWN,
    SPECIALS,
    STILL,
    THRESHOLDS,
    TILE_FACTS,
    TILE_WORD,
    TOPS,
    UNKNOWN,
    WAITING,
    WIN,
    WORDS,
)
from tilewright.scoring.kernel.readings import (
    count_tiles,
    find_places,
    find_ways,
    lacking,
    lie_down,
    lowest,
    put_in_order,
    read,
    target_of,
)


@loop_kernel
def score_hands(
    image: Array,
    places: Array,
    programs: Array,
    contexts: Array,
    moving: Array,
    met: Array,
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
        score_hand(
            image, places, programs, contexts, moving, met, verdicts, contests, sums, hands, results, missing, space
        )
    return int(space[NOW, NOW_FOUND])


@loop_kernel
def score_one(
    image: Array,
    places: Array,
    programs: Array,
    contexts: Array,
    moving: Array,
    met: Array,
    verdicts: Array,
    contests: Array,
    sums: Array,
    hands: Array,
    results: Array,
    missing: Array,
    space: Array,
    given: Array,
) -> int:
    """Judge the hand that is given by itself, as the only row of `hands`. Its result, the first of one row."""
    lay_hand(image, hands, 0, given, 0)
    space[NOW, NOW_FOUND] = space[NOW, NOW_ROW] = 0
    space[NOW, NOW_CONTEXT] = hands[0, image[FACES] + CONTEXT]
    score_hand(image, places, programs, contexts, moving, met, verdicts, contests, sums, hands, results, missing, space)
    return int(results[0, RESULT])


@loop_kernel
def lay_hand(image: Array, hands: Array, row: int, given: Array, at: int) -> None:
    """Fill a row with the hand that is given from this number on."""
    faces, melds = image[FACES], image[MELDS]
    for column in range(melds):
        hands[row, column] = 0
    for question in range(image[QUESTIONS]):
        hands[row, faces + HAND + question] = UNKNOWN
    for column in range(HAND):
        hands[row, faces + column] = given[at + GIVEN + column]
    tile = at + GIVEN + HAND
    meld = tile + given[at + GIVEN_TILES]
    cell = meld + given[at + GIVEN_MELDS]
    for place in range(tile, meld):
        hands[row, given[place]] += 1
    most = (hands.shape[1] - melds) // 2
    for place in range(most):
        there = meld + place < cell
        hands[row, melds + place] = given[meld + place] >> 1 if there else -1
        hands[row, melds + most + place] = given[meld + place] & 1 if there else 0
    for place in range(cell, cell + 2 * given[at + GIVEN_CELLS], 2):
        hands[row, given[place]] += given[place + 1]


@loop_kernel
def lay_hands(
    image: Array, hands: Array, given: Array, starts: Array, limits: Array, fitting: Array, space: Array
) -> None:
    """Fill a row with each of the hands that are given, each from its start on, and say which of them hold no tile more
    often than these limits, by face and by plain tile."""
    for row in range(starts.shape[0]):
        lay_hand(image, hands, row, given, starts[row])
        fitting[row] = has_copies(image, hands, row, limits, space)


@loop_kernel
def has_copies(image: Array, hands: Array, row: int, limits: Array, space: Array) -> bool:
    """Whether a hand with its melds holds no tile more often than these limits."""
    faces, melds = image[FACES], image[MELDS]
    most, specials = (hands.shape[1] - melds) // 2, image[SPECIALS]
    for face in range(faces):
        space[HELD, face], space[WAITING, face] = hands[row, face], 0
    space[HELD, hands[row, faces + WIN]] += 1
    for face in range(melds - specials):
        space[HELD, face] += hands[row, specials + face]
    for meld in range(melds, melds + most):
        tiles = image[image[GROUP_TILES] + hands[row, meld]] if hands[row, meld] >= 0 else 0
        for at in range(tiles + 1, tiles + 1 + image[tiles] if tiles else 0):
            space[HELD, image[at]] += 1
    fits = True
    for face in range(faces):
        kind = image[image[PLAIN] + face]
        if space[HELD, face]:
            if kind < 0:
                return False
            space[WAITING, kind] += space[HELD, face]
            fits = fits and space[HELD, face] <= limits[face] and space[WAITING, kind] <= limits[faces + kind]
    return fits


@loop_kernel
def score_hand(
    image: Array,
    places: Array,
    programs: Array,
    contexts: Array,
    moving: Array,
    met: Array,
    verdicts: Array,
    contests: Array,
    sums: Array,
    hands: Array,
    results: Array,
    missing: Array,
    space: Array,
) -> None:
    """Judge one hand: the best reading as the result. What it is asked is answered on the way; what is asked often, at
    once."""
    row, asked = space[NOW, NOW_ROW], image[FACES] + HAND
    space[NOW, NOW_CELLS], space[NOW, NOW_WAITS] = 0, -1
    if not count_tiles(image, hands, space):
        results[row, RESULT] = BY_ITSELF
        return
    for question in range(image[QUESTIONS]):
        if space[OFTEN, question] > 0 and hands[row, asked + question] == UNKNOWN:
            answer(image, places, programs, hands, question, space)
        space[OFTEN, question] = max(space[OFTEN, question] - 1, -MUCH)
    status = read_hand(image, places, contexts, moving, met, verdicts, contests, sums, hands, results, missing, space)
    while status <= ASKS and answer(image, places, programs, hands, ASKS - status, space):
        space[OFTEN, ASKS - status] = min(space[OFTEN, ASKS - status] + 4, MUCH)
        status = read_hand(
            image, places, contexts, moving, met, verdicts, contests, sums, hands, results, missing, space
        )
    if status < NO_READING:
        results[row, RESULT] = status


@loop_kernel
def read_hand(
    image: Array,
    places: Array,
    contexts: Array,
    moving: Array,
    met: Array,
    verdicts: Array,
    contests: Array,
    sums: Array,
    hands: Array,
    results: Array,
    missing: Array,
    space: Array,
) -> int:
    """Judge every reading of a hand. NO_READING, or why it is not judged."""
    results[space[NOW, NOW_ROW], RESULT] = NO_READING
    lie_down(image, hands, space)
    find_places(image, places, space)
    for lookup in range(image[LOOKUPS]):
        record = image[image[LOOKUP_AT] + lookup]
        target = -1 if lacking(image, record, space) else target_of(image, hands, record, space)
        if target < 0:
            continue
        space[NOW, NOW_FORM] = image[record + FORM]
        for _ in range(find_ways(image, places, record, space)):
            if read(image, record, space) == target:
                status = judge_all(
                    image, contexts, moving, met, verdicts, contests, sums, hands, results, missing, space
                )
                if status < NO_READING:
                    return int(status)
    return NO_READING


@loop_kernel
def judge_all(
    image: Array,
    contexts: Array,
    moving: Array,
    met: Array,
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
        put_in_order(image, space)
        status = judge(image, contexts, moving, met, verdicts, contests, sums, hands, missing, space)
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
    if results[row, RESULT] == NO_READING or space[NOW, NOW_RANK] != results[row, RESULT_RANK]:
        return results[row, RESULT] == NO_READING or bool(space[NOW, NOW_RANK] > results[row, RESULT_RANK])
    if space[NOW, NOW_FORM] != results[row, RESULT_FORM]:
        return False
    parts = results.shape[1] - image[DEPTH]
    for part in range(own):
        here, there = image[order + space[ORDERED, part]], image[order + results[row, parts + part]]
        if here != there:
            return bool(here < there)
    return False


@loop_kernel
def keep(image: Array, status: int, results: Array, space: Array) -> None:
    """Keep what was found of a reading as the result."""
    row, at = space[NOW, NOW_ROW], RESULT_PATTERNS
    results[row, RESULT], results[row, RESULT_FORM] = status, space[NOW, NOW_FORM]
    results[row, RESULT_RANK] = space[NOW, NOW_RANK]
    for word in range(image[PATTERN_WORDS]):
        results[row, at] = space[PATTERNS, word]
        at += 1
    for word in range(image[ITEM_WORDS]):
        results[row, at] = space[FINAL, word]
        at += 1
    for contest in range(image[CONTESTS]):
        results[row, at] = space[OUTCOMES, contest]
        at += 1
    for slot in range(image[ASKED]):
        results[row, at] = space[ANSWERED, slot]
        at += 1
    for part in range(image[DEPTH]):
        results[row, at] = space[ORDERED, part] if part < space[NOW, NOW_OWN] else -1
        at += 1


@loop_kernel
def judge(
    image: Array,
    contexts: Array,
    moving: Array,
    met: Array,
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
    status = settle(image, contexts, met, contests, hands, missing, space)
    if status < NO_READING:
        return int(status)
    if not space[NOW, NOW_ODD] and add_up(image, contexts, space):
        return int(worth_of(image, sums, contexts, missing, space))
    status = count_alone(image, hands, space)
    for word in range(image[ITEM_WORDS]):
        space[FINAL, word] = space[COUNTING, word]
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
                bit = 64 * word + lowest(image, hits)
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
    """Run some steps: how many numbers they take; then for each the word that it looks at first, which bits of it, what
    they have to be, how many numbers the step takes, its target, how many more words it looks at and questions it asks,
    and these."""
    end = at + 1 + image[at]
    at += 1
    while at < end:
        step, at = at, at + image[at + 3]
        if space[FACTS, image[step]] & image[step + 1] != image[step + 2]:
            continue
        target, bit = image[step + 4], image[step + 5]
        look, ask, holds = step + 8, step + 8 + 3 * image[step + 6], not space[FACTS, target] & bit
        while holds and look < ask:
            holds = space[FACTS, image[look]] & image[look + 1] == image[look + 2]
            look += 3
        while holds and ask < at:
            answer = hands[space[NOW, NOW_ROW], image[FACES] + HAND + image[ask]]
            if answer == UNKNOWN:
                return int(ASKS - image[ask])
            holds = (answer != 0) == (image[ask + 1] != 0)
            ask += 2
        if holds:
            space[FACTS, target] |= bit
    return NO_READING
