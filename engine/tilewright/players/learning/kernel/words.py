"""Words of moves over the numbers of a state: which actions spell an option (`players.learning.actions`).

`K`: what is known of the ruleset. Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import round_table
from tilewright.play.compiled.kernel.tiles import add_group, meld_of
from tilewright.players.learning.kernel import layout as learn

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
