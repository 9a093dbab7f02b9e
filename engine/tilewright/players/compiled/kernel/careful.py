"""The decisions of careful and strong players (`players.careful.bot`, `players.bots.decision`), over the numbers of a
state.

Letters as in `danger`. Knows no ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance.flat.rows import USEFUL
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import moves_of
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel import weights as weight
from tilewright.players.compiled.kernel.cards import is_listed_harmless, right_accusation
from tilewright.players.compiled.kernel.danger import see_table
from tilewright.players.compiled.kernel.fast import pledging
from tilewright.players.compiled.kernel.prospects import (
    find_hopes,
    rank_of_discard,
    rank_position,
    weigh_discards,
    weigh_waits,
)
from tilewright.players.compiled.kernel.seeing import (
    discarded,
    distance_without,
    kinds_held,
    plan_of,
    see_faces,
    see_left,
    take_hand,
    take_option,
    useful_left,
)


@kernel
def careful_move(S: Array, P: Array, seat: int, M: Any, singles: int, discards: int) -> int:
    """The number of the move of a careful or strong player; `singles`: how many of the moves stand for themselves;
    `discards`: whether any discards. WAITS if it has a question first, UNSAID if it cannot be found."""
    see_left(S, P, seat, M.own, M.known)
    see_faces(S, P, seat, M.own, M.known)
    status = see_table(S, P, seat, M)
    if status < 0:
        return int(status)
    take_hand(S, P, seat, M.own, M.known)
    if discards:
        return careful_turn(S, P, seat, M, singles)
    status = rank_position(S, P, seat, M)
    if status < 0:
        return int(status)
    best = at.NONE if S[at.MAY_PASS] == 0 else moves_of(S, seat) - 1
    return careful_group(S, P, seat, M, best, M.reals[bot.WORTH], bot.NO)


@kernel
def careful_turn(S: Array, P: Array, seat: int, M: Any, singles: int) -> int:
    """The move of a seat that may discard."""
    B, K = M.own, M.known
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    wanted, number, pledges = 0, 0, False
    accusing = right_accusation(S, P, seat, M) if K[bot.ACCUSES_ANY] else at.NONE
    if accusing != at.NONE:
        return int(accusing) if accusing >= 0 else bot.WAITS
    take_hand(S, P, seat, B, K)
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        effect = K[K[bot.EFFECTS] + S[option]]
        if S[option + 1] == at.OWN_TILES:
            wanted |= kinds_held(B, K[bot.KINDS])
            continue
        if effect & bot.SETS_ASIDE:
            spare = is_harmless(S, P, seat, M, P[P[at.PLAIN] + S[option + 1]])
            if spare < 0:
                return int(spare)
            if spare:
                return int(number)
        if effect & bot.DISCARDS:
            wanted |= 1 << P[P[at.PLAIN] + S[option + 1]]
        if effect & bot.PLEDGES:
            pledges = True
        number += 1
    if K[bot.BARS] >= 0 and wanted & B[bot.BARRED + seat * bot.BARRED_ROW + 1]:
        wanted &= B[bot.BARRED + seat * bot.BARRED_ROW + 1]
    status = weigh_discards(S, P, seat, M, wanted)
    if status < 0:
        return int(status)
    chosen, face, best = at.NONE, at.NONE, 0.0
    for spot in range(moves_of(S, seat) - S[at.MAY_PASS]):
        tile = discarded(S, P, seat, K, spot, singles)
        if tile < 0 or not wanted >> P[P[at.PLAIN] + tile] & 1:
            continue
        here = rank_of_discard(S, P, seat, M, P[P[at.FACE] + tile])
        if chosen < 0 or here > best:
            chosen, face, best = spot, P[P[at.FACE] + tile], here
    if pledges:
        plan = plan_of(S, seat, M, 0)
        if plan < 0:
            return int(plan)
        kind = K[K[bot.PLAIN] + face]
        waits = distance_without(M, plan, kind) == 1 and useful_left(B, B[USEFUL], K[bot.KINDS]) > 0
        if waits:
            useful = B[USEFUL]
            chosen = pledging(S, P, seat, K, face, chosen, singles)
            pledge = careful_pledge(S, P, seat, M, face, useful)
            if pledge != at.NONE:
                return int(pledge) if pledge >= 0 else bot.WAITS
    return careful_group(S, P, seat, M, chosen, best, bot.YES)


@kernel
def careful_pledge(S: Array, P: Array, seat: int, M: Any, face: int, useful: int) -> int:
    """The number of a move that only declares something which makes the hand clearly better that waits after the
    discard of a face; NONE: there is none; less: the host is asked first."""
    B, R, K = M.own, M.reals, M.known
    first, end, number = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1], 0
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] == at.OWN_TILES:
            continue
        if K[K[bot.EFFECTS] + S[option]] & bot.ONLY_PLEDGES:
            if weigh_waits(S, P, seat, M, useful, face, bot.PLAINLY) < 0:
                return at.NONE - 1
            without = R[bot.WORTH] * B[bot.WAITS_WON]
            if weigh_waits(S, P, seat, M, useful, face, bot.DECLARED + S[option]) < 0:
                return at.NONE - 1
            if R[bot.WORTH] * B[bot.WAITS_WON] > R[weight.PLEDGED] * without:
                return number
        number += 1
    return at.NONE


@kernel
def is_harmless(S: Array, P: Array, seat: int, M: Any, kind: int) -> int:
    """Whether the hand is no further from its best prospects without a tile."""
    status = find_hopes(S, P, seat, M)
    if status < 0:
        return int(status)
    if M.own[bot.HOPES_FOUND] == 0:
        return is_listed_harmless(S, P, seat, M, kind) if M.known[bot.APPEALS] >= 0 else 1
    return int(distance_without(M, M.own[bot.HOPE_PLAN], kind) <= M.own[bot.HOPE_FAR])


@kernel
def careful_group(S: Array, P: Array, seat: int, M: Any, chosen: int, best: float, is_turn: int) -> int:
    """The move chosen so far, or a group after which the position is better than `best`."""
    B, K, R = M.own, M.known, M.reals
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    number = -1
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] == at.OWN_TILES:
            continue
        number += 1
        effect = take_option(S, P, seat, B, K, option)
        if not effect:
            continue
        status = rank_position(S, P, seat, M)
        if status < 0:
            return int(status)
        here = R[bot.WORTH]
        if is_turn:
            better = here > best or (effect & bot.DRAWS and here >= best * R[weight.NO_WORSE])
        else:
            better = chosen < 0 or here > best * R[weight.BETTER]
        if better:
            chosen, best = number, here
    return int(chosen) if chosen >= 0 else bot.UNSAID
