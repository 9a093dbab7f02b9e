"""Judging hands: hands as rows of numbers in, the best reading of each with the number of its worth out.

Counts of tiles give the rows of tables, rows the parts of a reading, parts its counters, counters its facts, facts its
patterns. Knows no ruleset."""

from tilewright.base.kernels import (
    I32,
    I64,
    Array,
    I32x2,
    I64x2,
    entry,
    kernel,
    long_entry,
    lowest_bit,
    wrapped,
)
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.asking import answer_of
from tilewright.scoring.kernel.counting import add_up, count_alone, settle, verdict_of, worth_of
from tilewright.scoring.kernel.layout import ScoringArrays
from tilewright.scoring.kernel.readings import (
    begin_search,
    begin_way,
    count_tiles,
    end_search,
    find_tables,
    find_way,
    lacking,
    lie_down,
    may_be_other,
    may_fill,
    next_way,
    put_in_order,
    read,
    target_of,
)


@long_entry
def score_hands(known: ScoringArrays, rows: I64, count: int) -> int:
    """Judge the hands in the first so many of these rows. How many have to be judged again, once what is missing is
    found: `rows` says which."""
    known.space[at.NOW, at.NOW_FOUND], left = 0, 0
    for spot in range(count):
        row = rows[spot]
        if score_hand(known, row) == at.MISSING:
            rows[left] = row
            left += 1
    return int(left)


@entry
def score_one(known: ScoringArrays) -> int:
    """Judge the hand that is given by itself, as the only row of `hands`. Its result, the first of one row."""
    lay_hand(known.image, known.hands, 0, known.given, 0)
    known.space[at.NOW, at.NOW_FOUND] = 0
    return int(score_hand(known, 0))


@kernel
def lay_hand(image: Array, hands: Array, row: int, given: Array, spot: int) -> None:
    """Fill a row with the hand that is given from this number on."""
    hand, faces, melds = hands[row], image[at.FACES], image[at.MELDS]
    for column in range(melds):
        hand[column] = 0
    for question in range(image[at.QUESTIONS]):
        hand[faces + at.HAND + question] = at.UNKNOWN
    for column in range(at.HAND):
        hand[faces + column] = given[spot + at.GIVEN + column]
    tile = spot + at.GIVEN + at.HAND
    meld = tile + given[spot + at.GIVEN_TILES]
    cell = meld + given[spot + at.GIVEN_MELDS]
    for place in range(tile, meld):
        hand[given[place]] += 1
    most = (hands.shape[1] - melds) // 2
    for place in range(most):
        there = meld + place < cell
        hand[melds + place] = given[meld + place] >> 1 if there else -1
        hand[melds + most + place] = given[meld + place] & 1 if there else 0
    for place in range(cell, cell + 2 * given[spot + at.GIVEN_CELLS], 2):
        hand[given[place]] += given[place + 1]


@long_entry
def lay_hands(image: I64, hands: I32x2, given: I32, starts: I64, limits: I32, rows: I64, space: I64x2) -> int:
    """Fill a row with each of the hands that are given, each from its start on. How many of them hold no tile more
    often than these limits, by face and by plain tile: `rows` says which."""
    fitting = 0
    for row in range(starts.shape[0]):
        lay_hand(image, hands, row, given, starts[row])
        if has_copies(image, hands, row, limits, space):
            rows[fitting] = row
            fitting += 1
    return int(fitting)


@kernel
def has_copies(image: Array, hands: Array, row: int, limits: Array, space: Array) -> bool:
    """Whether a hand with its melds holds no tile more often than these limits."""
    faces, melds = image[at.FACES], image[at.MELDS]
    most, specials = (hands.shape[1] - melds) // 2, image[at.SPECIALS]
    for face in range(faces):
        space[at.HELD, face], space[at.WAITING, face] = hands[row, face], 0
    space[at.HELD, hands[row, faces + at.WIN]] += 1
    for face in range(melds - specials):
        space[at.HELD, face] += hands[row, specials + face]
    for meld in range(melds, melds + most):
        tiles = image[image[at.GROUP_TILES] + hands[row, meld]] if hands[row, meld] >= 0 else 0
        for spot in range(tiles + 1, tiles + 1 + image[tiles] if tiles else 0):
            space[at.HELD, image[spot]] += 1
    fits = True
    for face in range(faces):
        kind = image[image[at.PLAIN] + face]
        if space[at.HELD, face]:
            if kind < 0:
                return False
            space[at.WAITING, kind] += space[at.HELD, face]
            fits = fits and space[at.HELD, face] <= limits[face] and space[at.WAITING, kind] <= limits[faces + kind]
    return fits


@kernel
def score_hand(known: ScoringArrays, row: int) -> int:
    """Judge the hand in a row: the best reading as its result, of which this is the first column."""
    image, hands, results, space = known.image, known.hands, known.results, known.space
    space[at.NOW, at.NOW_ROW], space[at.NOW, at.NOW_CONTEXT] = row, hands[row, image[at.FACES] + at.CONTEXT]
    space[at.NOW, at.NOW_CELLS], space[at.NOW, at.NOW_WAITS] = 0, -1
    results[row, at.RESULT] = status = at.NO_READING
    if not count_tiles(image, hands, space) or (image[at.SEARCHES] and may_be_other(image, hands, space)):
        status = at.BY_ITSELF
    else:
        status = read_hand(known)
    if status < at.NO_READING:
        results[row, at.RESULT] = status
    return int(results[row, at.RESULT])


@kernel
def read_hand(known: ScoringArrays) -> int:
    """Judge every reading of a hand. NO_READING, or why it is not judged."""
    image, space = known.image, known.space
    lie_down(image, known.hands, space)
    find_tables(image, space)
    for lookup in range(image[at.LOOKUPS]):
        record = image[image[at.LOOKUP_AT] + lookup]
        if lacking(image, record, 0, space) or not (image[at.SEARCHES] or may_fill(image, record, space)):
            continue
        target = target_of(image, record, space)
        if target < 0:
            continue
        space[at.NOW, at.NOW_FORM], status = image[record + at.FORM], at.NO_READING
        if image[at.SEARCHES]:
            begin_search(image, record, target, space)
            while status >= at.NO_READING and next_way(image, record, space):
                status = judge_all(known)
            end_search(image, record, space)
        else:
            block = begin_way(image, record, target, at.WAY, space)
            while status >= at.NO_READING and find_way(image, record, block, at.WAY, space):
                read(image, record, space)
                status, block = judge_all(known), 0
        if status < at.NO_READING:
            return int(status)
    return at.NO_READING


@kernel
def judge_all(known: ScoringArrays) -> int:
    """Judge a way to use a hand up once for each part that the winning tile may be in, and keep what is best.
    NO_READING, or why the hand is not judged."""
    image, hands, space = known.image, known.hands, known.space
    row, lying, own = space[at.NOW, at.NOW_ROW], space[at.NOW, at.NOW_LYING], space[at.NOW, at.NOW_OWN]
    win, shown = image[image[at.PLAIN] + hands[row, image[at.FACES] + at.WIN]], hands[row, image[at.FACES] + at.SHOWN]
    for place in range(lying, own):
        before, alike = space[at.CHOSEN, place], False
        done = image[image[at.COMPLETED] + (before * image[at.KINDS] + win) * 2 + shown]
        if done < 0:
            continue
        for other in range(lying, place):
            alike = alike or space[at.CHOSEN, other] == before
        if alike:
            continue
        space[at.CHOSEN, place] = done
        put_in_order(image, space)
        status = judge(known)
        if status < at.NO_READING:
            return int(status)
        if status >= 0 and is_better(image, status, known.worths, known.results, space):
            keep(image, status, known.results, space)
        space[at.CHOSEN, place] = before
    return at.NO_READING


@kernel
def is_better(image: Array, status: int, worths: Array, results: Array, space: Array) -> bool:
    """Whether a reading that is worth so much is better than the result, or comes before it in the order of the
    reader."""
    row, own, order = space[at.NOW, at.NOW_ROW], space[at.NOW, at.NOW_OWN], image[at.PART_ORDER]
    known = results[row, at.RESULT]
    if known == at.NO_READING:
        return True
    if known != status:
        for spot in range(at.FIRST_MEASURE + image[at.SUMS] // 2):
            here, there = worths[status + 1, spot], worths[known + 1, spot]
            if here != there:
                return bool(here > there)
    if space[at.NOW, at.NOW_FORM] != results[row, at.RESULT_FORM]:
        return False
    parts = results.shape[1] - image[at.DEPTH]
    for part in range(own):
        before, after = image[order + space[at.ORDERED, part]], image[order + results[row, parts + part]]
        if before != after:
            return bool(before < after)
    return False


@kernel
def keep(image: Array, status: int, results: Array, space: Array) -> None:
    """Keep what was found of a reading as the result."""
    row, spot = space[at.NOW, at.NOW_ROW], at.RESULT_PATTERNS
    results[row, at.RESULT], results[row, at.RESULT_FORM] = status, space[at.NOW, at.NOW_FORM]
    coded, last = space[at.NOW, at.NOW_CODED], at.RESULT_PATTERNS + image[at.PATTERN_WORDS] + at.MOST_CODES
    results[row, at.RESULT_CODED] = coded
    code = spot + image[at.PATTERN_WORDS]
    for word in range(image[at.PATTERN_WORDS]):
        left = space[at.PATTERNS, word]
        results[row, spot + word] = left
        while left and coded:
            results[row, code] = space[at.CODES, 64 * word + lowest_bit(left)]
            left &= wrapped(left - 1)
            code += 1
    spot = last
    for part in range(image[at.DEPTH]):
        results[row, spot] = space[at.ORDERED, part] if part < space[at.NOW, at.NOW_OWN] else -1
        spot += 1


@kernel
def judge(known: ScoringArrays) -> int:
    """The number of the worth of a reading, or what became of it."""
    image, contexts, space = known.image, known.contexts, known.space
    find_facts(image, contexts, known.moving, space)
    status = run(known)
    if status == at.NO_READING:
        status = run_steps(known, image[image[at.ACCEPTS] + space[at.NOW, at.NOW_FORM]])
    if status < at.NO_READING or not space[at.FACTS, image[at.FACT_WORDS] - 1]:
        return int(status)
    status = settle(known)
    if status < at.NO_READING:
        return int(status)
    if add_up(image, contexts, space):
        return int(worth_of(known))
    status = count_alone(known)
    for word in range(image[at.ITEM_WORDS]):
        space[at.FINAL, word] = space[at.COUNTING, word]
    return int(status) if status < at.NO_READING else int(verdict_of(known))


@kernel
def find_facts(image: Array, contexts: Array, moving: Array, space: Array) -> None:
    """The facts of a reading: what its counters reach, its tiles, its table and its form."""
    words, still, tile_word, wide = (
        image[at.WORDS],
        image[at.STILL],
        image[at.TILE_WORD],
        image[at.ITEM_WORD] - image[at.TILE_WORD],
    )
    context, moves = space[at.NOW, at.NOW_CONTEXT], words - still
    kind = contexts[context, at.CLASS]
    for word in range(words):
        space[at.COUNTERS, word] = 0
    for spot in range(space[at.NOW, at.NOW_OWN]):
        part = space[at.CHOSEN, spot]
        for word in range(still):
            space[at.COUNTERS, word] += image[image[at.PART_WORDS] + part * still + word]
        for word in range(moves):
            space[at.COUNTERS, still + word] += moving[kind, part * moves + word]
    if image[at.PART_BITS]:
        find_tile_facts(image, space)
    for word in range(tile_word):
        space[at.FACTS, word] = 0
    for least in range(image[at.LEASTS]):
        record = image[at.THRESHOLDS] + least * (2 + 2 * words)
        copy, down = image[record] * words, image[record + 1]
        for word in range(words):
            counters = wrapped(space[at.COUNTERS, word] + image[record + 2 + word])
            reached = counters & image[image[at.TOPS] + word]
            space[at.FACTS, copy + word] |= reached >> down & image[record + 2 + words + word]
    form = image[at.FORM_BITS] + space[at.NOW, at.NOW_FORM] * wide
    for word in range(wide):
        said = contexts[context, at.CONTEXT_BITS + word] | image[form + word]
        space[at.FACTS, tile_word + word] = space[at.TILE_FACTS, word] | said
    for word in range(image[at.ITEM_WORD], image[at.FACT_WORDS]):
        space[at.FACTS, word] = 0


@kernel
def find_tile_facts(image: Array, space: Array) -> None:
    """The facts that the tiles of a reading decide, wild ones by what they stand for, too."""
    wide = image[at.ITEM_WORD] - image[at.TILE_WORD]
    for word in range(wide):
        space[at.TILE_FACTS, word] = 0
        for spot in range(space[at.NOW, at.NOW_OWN]):
            space[at.TILE_FACTS, word] |= image[image[at.PART_BITS] + space[at.CHOSEN, spot] * wide + word]


@kernel
def run(known: ScoringArrays) -> int:
    """Run the program: set the bits of gates and items that hold. NO_READING, or BY_ITSELF where only Python has an
    answer.

    A level: where the steps begin that need no bit; for each word of facts before items the bits that steps need, then
    for each of these bits where its steps begin."""
    image, space = known.image, known.space
    words = image[at.ITEM_WORD]
    for level in range(image[at.LEVELS]):
        record = image[image[at.LEVEL_AT] + level]
        for word in range(words):
            hits = space[at.FACTS, word] & image[record + 1 + word]
            while hits:
                bit = 64 * word + lowest_bit(hits)
                hits &= wrapped(hits - 1)
                status = run_steps(known, image[record + 1 + words + bit])
                if status < at.NO_READING:
                    return int(status)
        status = run_steps(known, image[record])
        if status < at.NO_READING:
            return int(status)
    return at.NO_READING


@kernel
def run_steps(known: ScoringArrays, spot: int) -> int:
    """Run some steps: how many numbers they take; then for each the word that it looks at first, which bits of it, what
    they have to be, how many numbers the step takes, its target, how many more words it looks at and questions it asks,
    and these."""
    image, space = known.image, known.space
    end = spot + 1 + image[spot]
    spot += 1
    while spot < end:
        step, spot = spot, spot + image[spot + 3]
        if space[at.FACTS, image[step]] & image[step + 1] != image[step + 2]:
            continue
        target, bit = image[step + 4], image[step + 5]
        look, ask, holds = step + 8, step + 8 + 3 * image[step + 6], not space[at.FACTS, target] & bit
        while holds and look < ask:
            holds = space[at.FACTS, image[look]] & image[look + 1] == image[look + 2]
            look += 3
        while holds and ask < spot:
            answer = answer_of(known, image[ask])
            if answer == at.UNKNOWN:
                return at.BY_ITSELF
            holds = (answer != 0) == (image[ask + 1] != 0)
            ask += 2
        if holds:
            space[at.FACTS, target] |= bit
    return at.NO_READING
