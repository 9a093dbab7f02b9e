"""Actions over the numbers of a state: which are legal, and the number of the move that they make.

The actions of a move are those of `players.learning.actions`: here they are called its words. `R`: what kernels know of
the ruleset; `notes`: those of the table; `ways`: to choose several tiles. Knows no ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import moves_of
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.kernel.arguments import KernelRules
from tilewright.players.learning.kernel.picks import allow_tiles, is_pick, number_of_tiles
from tilewright.players.learning.kernel.words import next_word


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
