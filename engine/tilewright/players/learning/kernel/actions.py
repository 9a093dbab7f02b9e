"""Actions over the numbers of a state: which are legal, and the number of the move that they make.

The actions of a move are those of `players.learning.actions`: here they are called its words. `K`: what is known of the
ruleset; `notes`: those of the table. Compiled by numba. Knows no ruleset."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import moves_of
from tilewright.play.compiled.kernel.tiles import add_group, mark_faces
from tilewright.players.learning.kernel import layout as learn


@loop_kernel
def first_word(S: Array, P: Array, K: Array, option: int) -> int:
    """The first word of an option that stands for itself."""
    says, place = K[K[learn.OFFERINGS] + 2 * S[option]], K[K[learn.OFFERINGS] + 2 * S[option] + 1]
    if says == learn.ALONE:
        return int(place)
    if says == learn.WITH_GROUP:
        return int(K[place + (S[option + 1] & ((1 << at.GROUP_BITS) - 1))])
    return int(K[place + P[P[at.FACE] + S[option + 1]]])


@loop_kernel
def word_of(S: Array, P: Array, K: Array, seat: int, option: int, number: int) -> int:
    """A word of an option that stands for itself, counted from 0; NONE after its last."""
    if number == 0:
        return first_word(S, P, K, option)
    words, left = K[learn.TILE_WORDS], number - 1
    if words >= 0 and K[K[learn.OFFERINGS] + 2 * S[option]] == learn.WITH_GROUP:
        size = add_group(S, P, S[option + 1], seat, at.WORK, 0)
        if left < size:
            return int(K[words + P[P[at.FACE] + S[at.WORK + left]]])
        left -= size
    if words >= 0 and left == 0 and S[option + 3] >= 0:
        return int(K[words + P[P[at.FACE] + S[option + 3]]])
    return at.NONE


@loop_kernel
def begins_alike(S: Array, P: Array, K: Array, seat: int, option: int, notes: Array) -> bool:
    """Whether an option begins with the words that are known of the move."""
    if S[option + 1] == at.OWN_TILES:
        return False
    for number in range(notes[learn.WORDS]):
        if word_of(S, P, K, seat, option, number) != word_of(S, P, K, seat, notes[learn.LIKE], number):
            return False
    return True


@loop_kernel
def write_mask(S: Array, P: Array, K: Array, seat: int, notes: Array, mask: Array) -> None:
    """Write which actions are legal."""
    for action in range(mask.shape[0]):
        mask[action] = False
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    known = notes[learn.WORDS]
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if known > 0:
            if begins_alike(S, P, K, seat, option, notes):
                mask[word_of(S, P, K, seat, option, known)] = True
        elif S[option + 1] == at.OWN_TILES:
            row, words = P[at.HAND_ROW] + seat, K[K[learn.OFFERINGS] + 2 * S[option] + 1]
            tiles = at.ROW + row * at.MOST_TILES
            for spot in range(tiles + S[at.ROW_START + row], tiles + S[at.ROW_END + row]):
                mask[K[words + P[P[at.FACE] + S[spot]]]] = True
        else:
            mask[first_word(S, P, K, option)] = True
    if known == 0 and S[at.MAY_PASS]:
        mask[K[learn.PASS]] = True


@loop_kernel
def number_of(S: Array, P: Array, K: Array, seat: int, notes: Array, action: int) -> int:
    """The number of the move that a legal action completes; GOES_ON where more has to be chosen, UNSAID where moves are
    not told apart by their words."""
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    known, found, count, number, singles = notes[learn.WORDS], at.NONE, 0, at.NONE, 0
    if known == 0 and action == K[learn.PASS] and S[at.MAY_PASS]:
        return moves_of(S, seat) - 1
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] == at.OWN_TILES:
            continue
        if known == 0:
            fits = first_word(S, P, K, option) == action
        else:
            fits = begins_alike(S, P, K, seat, option, notes) and word_of(S, P, K, seat, option, known) == action
        if fits:
            if count == 0:
                found, number = option, singles
            count += 1
        singles += 1
    if count == 1:
        return int(number)
    if count == 0:
        return number_of_tile(S, P, K, seat, action, singles)
    notes[learn.ACTIONS + notes[learn.CHOSEN]] = action
    notes[learn.CHOSEN] += 1
    notes[learn.LIKE], notes[learn.WORDS] = found, known + 1
    return follow_words(S, P, K, seat, notes)


@loop_kernel
def number_of_tile(S: Array, P: Array, K: Array, seat: int, action: int, singles: int) -> int:
    """The number of the move that chooses a tile of the hand with this action."""
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    row = P[at.HAND_ROW] + seat
    tiles, before = at.ROW + row * at.MOST_TILES, singles
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] != at.OWN_TILES:
            continue
        words = K[K[learn.OFFERINGS] + 2 * S[option] + 1]
        for spot in range(tiles + S[at.ROW_START + row], tiles + S[at.ROW_END + row]):
            if K[words + P[P[at.FACE] + S[spot]]] == action:
                mark_faces(S, P, seat)
                bits = S[at.HELD + seat] & ((1 << P[P[at.PLACE] + S[spot]]) - 1)
                while bits:
                    bits &= bits - 1
                    before += 1
                return int(before)
        before += S[option + 2]
    return learn.UNSAID


@loop_kernel
def follow_words(S: Array, P: Array, K: Array, seat: int, notes: Array) -> int:
    """Take the words that all moves have which begin alike: GOES_ON where they differ, UNSAID where they never do."""
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    while True:
        known, alike, ends = notes[learn.WORDS], True, False
        word = word_of(S, P, K, seat, notes[learn.LIKE], known)
        for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
            if begins_alike(S, P, K, seat, option, notes):
                other = word_of(S, P, K, seat, option, known)
                alike = alike and other == word
                ends = ends or other < 0
        if ends:
            return learn.UNSAID
        if not alike:
            return learn.GOES_ON
        notes[learn.WORDS] = known + 1
