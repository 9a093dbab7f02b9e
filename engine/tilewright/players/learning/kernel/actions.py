"""Actions over the numbers of a state: which are legal, the number of the move that they make, and tiles that are
chosen one after the other.

The actions of a move are those of `players.learning.actions`: here they are called its words. What was chosen is bits
of the tiles that a seat may choose from, in their order; of tiles that look the same, the first are chosen. `ways`:
what may be chosen, where a condition applies to the tiles together. `R`, `K`: what kernels know of the ruleset;
`notes`: those of the table. Knows no ruleset.
"""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import moves_of, round_table
from tilewright.play.compiled.kernel.tiles import add_group, count_bits, meld_of
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.kernel.layout import KernelRules


@kernel
def write_mask(S: Array, R: KernelRules, seat: int, notes: Array, ways: Array, mask: Any) -> None:
    """Write which actions are legal."""
    P, K = R.P, R.K
    for action in range(mask.shape[0]):
        mask[action] = False
    if is_pick(S, P):
        allow_tiles(S, R, seat, notes, ways, mask)
        return
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    begins = notes[learn.WORDS] == 0
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        word = next_word(S, P, K, seat, option, notes)
        if word >= 0:
            mask[word] = True
        elif begins and S[option + 1] == at.OWN_TILES:
            allow_own_tiles(S, P, K, seat, option, mask)
    if begins and S[at.MAY_PASS]:
        mask[K[learn.PASS]] = True


@kernel
def words_of_tiles(S: Array, K: Array, option: int) -> int:
    """Where the words begin of an option that stands for each tile of the hand."""
    return int(K[K[learn.OFFERINGS] + learn.SPELLING * S[option] + learn.SAID])


@kernel
def allow_own_tiles(S: Array, P: Array, K: Array, seat: int, option: int, mask: Any) -> None:
    """Write that each tile of the hand may be chosen."""
    row, words = P[at.HAND_ROW] + seat, words_of_tiles(S, K, option)
    tiles = at.ROW + row * at.MOST_TILES
    for spot in range(tiles + S[at.ROW_START + row], tiles + S[at.ROW_END + row]):
        mask[K[words + P[P[at.FACE] + S[spot]]]] = True


@kernel
def number_of(S: Array, R: KernelRules, seat: int, notes: Array, ways: Array, action: int) -> int:
    """The number of the move that a legal action completes; GOES_ON where more has to be chosen, UNSAID where moves are
    not told apart by their words."""
    P, K = R.P, R.K
    if is_pick(S, P):
        return int(number_of_tiles(S, R, seat, notes, ways, action))
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    begins, count, number, singles = notes[learn.WORDS] == 0, 0, at.NONE, 0
    if begins and action == K[learn.PASS] and S[at.MAY_PASS]:
        return moves_of(S, seat) - 1
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] == at.OWN_TILES:
            continue
        if next_word(S, P, K, seat, option, notes) == action:
            if count == 0:
                number = singles
            count += 1
        singles += 1
    if count == 1:
        return int(number)
    if count == 0:
        return number_of_tile(S, P, K, seat, action, singles)
    notes[learn.ACTIONS + notes[learn.CHOSEN]] = action
    notes[learn.CHOSEN] += 1
    return follow_words(S, P, K, seat, notes, action)


@kernel
def number_of_tile(S: Array, P: Array, K: Array, seat: int, action: int, singles: int) -> int:
    """The number of the move that chooses a tile of the hand with this action; the faces of the hand are as they were
    marked when it was offered."""
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    row = P[at.HAND_ROW] + seat
    tiles, before = at.ROW + row * at.MOST_TILES, singles
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] != at.OWN_TILES:
            continue
        words = words_of_tiles(S, K, option)
        for spot in range(tiles + S[at.ROW_START + row], tiles + S[at.ROW_END + row]):
            if K[words + P[P[at.FACE] + S[spot]]] == action:
                bits = S[at.HELD + seat] & ((1 << P[P[at.PLACE] + S[spot]]) - 1)
                while bits:
                    bits &= bits - 1
                    before += 1
                return int(before)
        before += S[option + 2]
    return learn.UNSAID


@kernel
def follow_words(S: Array, P: Array, K: Array, seat: int, notes: Array, word: int) -> int:
    """Take this word, and those that all moves have which go on alike: GOES_ON where they differ, UNSAID where they
    never do."""
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    while word != K[learn.DONE]:
        notes[learn.KNOWN_WORDS + notes[learn.WORDS]] = word
        notes[learn.WORDS] += 1
        word = at.NONE
        for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
            other = next_word(S, P, K, seat, option, notes)
            if other >= 0 and word >= 0 and other != word:
                return learn.GOES_ON
            word = max(word, other)
    return learn.UNSAID


ENDS = 61  # the bit of the choice to choose no more
MUCH = 1 << 40


@kernel
def is_pick(S: Array, P: Array) -> bool:
    """Whether a step asks for several tiles."""
    return bool(S[at.STEP] and P[P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW + at.PICKS])


@kernel
def has_condition(S: Array, P: Array) -> bool:
    """Whether a condition applies to the tiles together."""
    return bool(P[P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW + at.CONDITION] >= 0)


# --- actions


@kernel
def allow_tiles(S: Array, R: KernelRules, seat: int, notes: Array, ways: Array, mask: Any) -> None:
    """Write with which actions the choice of a seat may go on."""
    P, K, pick = R.P, R.K, at.PICKED + seat * at.PICK
    found = goes_on(S, P, seat, ways, notes[learn.TAKEN], notes[learn.FROM])
    for spot in range(S[pick + 2]):
        if found >> spot & 1:
            mask[tile_word(P, K, S[pick + 3 + spot])] = True
    if found >> ENDS & 1:
        mask[K[learn.DONE]] = True


@kernel
def number_of_tiles(S: Array, R: KernelRules, seat: int, notes: Array, ways: Array, action: int) -> int:
    """The number of the choice that a legal action completes; GOES_ON where more has to be chosen."""
    P, K, pick = R.P, R.K, at.PICKED + seat * at.PICK
    taken, spot = notes[learn.TAKEN], notes[learn.FROM]
    if action == K[learn.DONE]:
        return int(taken)
    while tile_word(P, K, S[pick + 3 + spot]) != action:
        spot += 1
    notes[learn.ACTIONS + notes[learn.CHOSEN]] = action
    notes[learn.CHOSEN] += 1
    while True:
        taken, spot = taken | 1 << spot, spot + 1
        found = goes_on(S, P, seat, ways, taken, spot)
        if found & (found - 1):
            notes[learn.TAKEN], notes[learn.FROM] = taken, spot
            return learn.GOES_ON
        if found >> ENDS & 1:
            return int(taken)
        while not found >> spot & 1:
            spot += 1


@kernel
def goes_on(S: Array, P: Array, seat: int, ways: Array, taken: int, first: int) -> int:
    """The tiles from `first` on that may be chosen next, as bits, and ENDS where no more needs to be."""
    pick, found = at.PICKED + seat * at.PICK, 0
    if has_condition(S, P):
        for number in range(ways.shape[0]):
            way = ways[number]
            if way & ((1 << first) - 1) == taken:
                found |= (way ^ taken) & -(way ^ taken) if way != taken else 1 << ENDS
        return int(found)
    least, most, size, count, spot = S[pick], S[pick + 1], S[pick + 2], count_bits(taken), first
    if count >= least:
        found = 1 << ENDS
    while spot < size and count < most and count + size - spot >= least:
        found |= 1 << spot
        spot = after_alike(S, P, seat, spot)
    return int(found)


# --- ways


@kernel
def next_way(S: Array, P: Array, seat: int, way: int) -> int:
    """The choice after this one, in some order; NONE: the first, or that there are no more."""
    pick = at.PICKED + seat * at.PICK
    least, most, size = S[pick], S[pick + 1], S[pick + 2]
    count, spot = 0, 0
    if way >= 0:
        count, spot = count_bits(way), size
        while spot > 0 and not way >> (spot - 1) & 1:
            spot -= 1
    elif least == 0:
        return 0
    now = max(way, 0)
    while True:
        while count >= most or spot >= size or count + size - spot < least:  # nothing more goes with these
            if now == 0:
                return at.NONE
            last = spot - 1
            while not now >> last & 1:
                last -= 1
            now, count, spot = now & ~(1 << last), count - 1, after_alike(S, P, seat, last)
        now, count, spot = now | 1 << spot, count + 1, spot + 1
        if count >= least:
            return int(now)


@kernel
def after_alike(S: Array, P: Array, seat: int, spot: int) -> int:
    """The first tile after this one that looks otherwise."""
    pick = at.PICKED + seat * at.PICK
    face, size = P[P[at.FACE] + S[pick + 3 + spot]], S[pick + 2]
    while spot < size and P[P[at.FACE] + S[pick + 3 + spot]] == face:
        spot += 1
    return spot


@kernel
def ways_to_choose(S: Array, P: Array, seat: int) -> int:
    """In how many ways tiles may be chosen, if any may be chosen together."""
    pick, spot = at.PICKED + seat * at.PICK, 0
    for number in range(S[pick + 1] + 1):
        S[at.WORK + number] = 1 if number == 0 else 0
    while spot < S[pick + 2]:
        then = after_alike(S, P, seat, spot)
        for number in range(S[pick + 1], 0, -1):
            for alike in range(1, min(then - spot, number) + 1):
                S[at.WORK + number] = min(S[at.WORK + number] + S[at.WORK + number - alike], MUCH)
        spot = then
    found = 0
    for number in range(S[pick], S[pick + 1] + 1):
        found += S[at.WORK + number]
    return int(found)


SPELLED = at.WORK + 64  # where the words of an option are written; its tiles are before them


@kernel
def spelling_of(S: Array, K: Array, option: int) -> int:
    """Where it says how an option is spelled."""
    first = K[learn.QUESTIONS] if S[at.STEP] else K[learn.OFFERINGS]
    return int(first + learn.SPELLING * S[option])


@kernel
def first_word(S: Array, P: Array, K: Array, option: int) -> int:
    """The first word of an option of an offer that stands for itself."""
    spelling = K[learn.OFFERINGS] + learn.SPELLING * S[option]
    says, place = K[spelling + learn.SAYS], K[spelling + learn.SAID]
    if says == learn.ALONE:
        return int(place)
    if says == learn.WITH_GROUP:
        return int(K[place + (S[option + 1] & ((1 << at.GROUP_BITS) - 1))])
    return int(K[place + P[P[at.FACE] + S[option + 1]]])


@kernel
def tile_word(P: Array, K: Array, tile: int) -> int:
    """The word of a tile that goes on with a move."""
    return int(K[K[learn.TILE_WORDS] + P[P[at.FACE] + tile]])


@kernel
def spell(S: Array, P: Array, K: Array, seat: int, option: int) -> int:
    """Write the words of an option that stands for itself. How many they are."""
    spelling, count = spelling_of(S, K, option), 0
    if K[spelling + learn.SAYS] != learn.CHOICE:
        S[SPELLED] = first_word(S, P, K, option)
        count = 1
    count = spell_choice(S, P, K, seat, K[spelling + learn.FIRST], S[option + 1], count)
    return int(spell_choice(S, P, K, seat, K[spelling + learn.SECOND], S[option + 3], count))


@kernel
def spell_choice(S: Array, P: Array, K: Array, seat: int, how: int, chosen: int, count: int) -> int:
    """Write the words of a choice after so many. How many they are then."""
    if how == learn.BY_GROUP:
        for number in range(add_group(S, P, chosen, seat, at.WORK, 0)):
            S[SPELLED + count] = tile_word(P, K, S[at.WORK + number])
            count += 1
    elif how == learn.BY_SEAT:
        S[SPELLED + count] = seat_word(P, K, seat, chosen)
        count += 1
    elif how == learn.BY_SUIT:
        S[SPELLED + count] = K[K[learn.SUIT_WORDS] + chosen]
        count += 1
    elif how == learn.BY_FLAG:
        S[SPELLED + count] = K[learn.FLAG_WORD] + (0 if chosen else 1)
        count += 1
    elif how == learn.BY_NUMBER:
        count = spell_number(S, K, abs(chosen), count)
    elif how != learn.NOTHING:
        if how != learn.BY_PLACE:
            S[SPELLED + count] = tile_word(P, K, chosen)
            count += 1
        if how != learn.BY_TILE:
            count = spell_place(S, P, K, seat, chosen, count)
    return count


@kernel
def seat_word(P: Array, K: Array, seat: int, other: int) -> int:
    """The word of a seat, by how far it is after another one."""
    return int(K[learn.SEAT_WORD] + round_table(other + P[at.SEATS] - seat, P[at.SEATS]))


@kernel
def spell_number(S: Array, K: Array, number: int, count: int) -> int:
    """Write the digits of a number."""
    radix = 1
    while number // radix >= 10:
        radix *= 10
    while radix > 0:
        S[SPELLED + count] = K[learn.DIGIT_WORD] + number // radix % 10
        count, radix = count + 1, radix // 10
    return count


@kernel
def spell_place(S: Array, P: Array, K: Array, seat: int, tile: int, count: int) -> int:
    """Write where a tile lies, if not in the hand of the seat."""
    row = S[at.WHERE + tile]
    if row == P[at.HAND_ROW] + seat:
        return count
    if row > at.IN_MELDS:
        S[SPELLED + count] = seat_word(P, K, seat, K[K[learn.SEAT_OF] + row])
        return count + 1
    owner = at.IN_MELDS - row
    S[SPELLED + count] = seat_word(P, K, seat, owner)
    meld = (meld_of(S, owner, tile) - at.LAID) // at.MELD - owner * at.MOST_MELDS
    return spell_number(S, K, meld + 1, count + 1)


@kernel
def next_word(S: Array, P: Array, K: Array, seat: int, option: int, notes: Array) -> int:
    """The word of an option that follows those known of the move: NONE where it begins otherwise or stands for each
    tile of the hand, DONE after its last."""
    known = notes[learn.WORDS]
    if S[option + 1] == at.OWN_TILES:
        return at.NONE
    if known == 0 and not S[at.STEP]:
        return first_word(S, P, K, option)
    count = spell(S, P, K, seat, option)
    if count < known:
        return at.NONE
    for number in range(known):
        if S[SPELLED + number] != notes[learn.KNOWN_WORDS + number]:
            return at.NONE
    return int(S[SPELLED + known] if count > known else K[learn.DONE])
