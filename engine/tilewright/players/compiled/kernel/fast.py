"""The fast player's decisions (`players.bots.fast`, `players.bots.decision`), over the numbers of a state.

Compiled by numba. Letters as in `seeing`. Knows no ruleset."""

from typing import Any

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.hands.distance.flat.kernels import DISTANCE, USEFUL
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import moves_of
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel.reaching import reaches
from tilewright.players.compiled.kernel.seeing import (
    discarded,
    distance_without,
    kinds_held,
    look,
    look_without_each,
    option_at,
    plan_of,
    take_group,
    take_hand,
    useful_left,
)

RANK = 1_000  # more than any number of useful tiles: what one tile of distance weighs


@loop_kernel
def rank(distance: int, left: int) -> int:
    """Of two positions the better one is greater; one that waits for tiles without copies left is further away than it
    seems."""
    if left == 0 and distance > 0:
        distance += 1
    return int(RANK * (NEVER + 1 - distance) + left)


@loop_kernel
def rank_held(M: Any, plan: int) -> int:
    """The rank of the tiles held, the best discard made if the hand is full."""
    B, kinds = M.own, M.known[bot.KINDS]
    if not B[bot.IS_FULL]:
        distance = look(M, plan)
        return rank(distance, useful_left(B, B[USEFUL], kinds))
    wanted = kinds_held(B, kinds)
    least = look_without_each(M, plan, wanted)
    best = 0
    for kind in range(kinds):
        if wanted >> kind & 1 and B[DISTANCE + kind] == least:
            best = max(best, rank(least, useful_left(B, B[USEFUL + kind], kinds)))
    return int(best)


@loop_kernel
def fast_move(S: Array, P: Array, seat: int, M: Any, singles: int, discards: int) -> int:
    """The number of the move of a fast player; `singles`: how many of the moves stand for themselves; `discards`:
    whether any discards. WAITS if it has a question first, UNSAID if it cannot be found."""
    take_hand(S, seat, M.own, M.known)
    plan = plan_of(S, seat, M, 0)
    if plan < 0:
        return int(plan)
    if discards:
        return fast_turn(S, P, seat, M, plan, singles)
    best = at.NONE if S[at.MAY_PASS] == 0 else moves_of(S, seat) - 1
    return fast_group(S, P, seat, M, best, rank_held(M, plan), bot.NO)


@loop_kernel
def fast_turn(S: Array, P: Array, seat: int, M: Any, plan: int, singles: int) -> int:
    """The move of a seat that may discard."""
    B, K = M.own, M.known
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    kinds, wanted, number, pledge = K[bot.KINDS], 0, 0, at.NONE
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        effect = K[K[bot.EFFECTS] + S[option]]
        if S[option + 1] == at.OWN_TILES:
            wanted |= kinds_held(B, kinds)
            continue
        if effect & bot.SETS_ASIDE:
            kind = P[P[at.PLAIN] + S[option + 1]]
            if distance_without(M, plan, kind) <= look(M, plan):
                return int(number)
        if effect & bot.DISCARDS:
            wanted |= 1 << P[P[at.PLAIN] + S[option + 1]]
        if effect & bot.ONLY_PLEDGES and pledge < 0:
            pledge = number
        number += 1
    if K[bot.BARS] >= 0 and wanted & B[bot.BARRED + seat * bot.BARRED_ROW + 1]:
        wanted &= B[bot.BARRED + seat * bot.BARRED_ROW + 1]
    least = look_without_each(M, plan, wanted)
    chosen, face, best = at.NONE, at.NONE, -1
    for spot in range(moves_of(S, seat) - S[at.MAY_PASS]):
        tile = discarded(S, P, seat, K, spot, singles)
        if tile < 0:
            continue
        kind = P[P[at.PLAIN] + tile]
        if wanted >> kind & 1 and B[DISTANCE + kind] == least:
            here = rank(least, useful_left(B, B[USEFUL + kind], kinds))
            if here > best:
                chosen, face, best = spot, P[P[at.FACE] + tile], here
    waits = least == 1 and best % RANK > 0
    if waits:
        chosen = pledging(S, P, seat, K, face, chosen, singles)
        if pledge >= 0:
            return int(pledge)
    return fast_group(S, P, seat, M, chosen, best, bot.YES)


@loop_kernel
def pledging(S: Array, P: Array, seat: int, K: Array, face: int, chosen: int, singles: int) -> int:
    """The move that discards this face and declares something, if there is one, else the one that is chosen."""
    for spot in range(singles):
        tile = discarded(S, P, seat, K, spot, singles)
        effect = K[K[bot.EFFECTS] + S[option_at(S, seat, spot)]]
        if tile >= 0 and P[P[at.FACE] + tile] == face and effect & bot.PLEDGES:
            return spot
    return chosen


@loop_kernel
def fast_group(S: Array, P: Array, seat: int, M: Any, chosen: int, best: int, is_turn: int) -> int:
    """The move chosen so far, or a group after which the position is better than `best`."""
    B, K = M.own, M.known
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    number = -1
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] == at.OWN_TILES:
            continue
        number += 1
        effect = K[K[bot.EFFECTS] + S[option]]
        if not effect & bot.MAKES_MELD:
            continue
        take_group(S, P, seat, B, K, S[option + 1], 1 if effect & bot.IS_CONCEALED else 0)
        plan = plan_of(S, seat, M, 0)
        if plan < 0:
            return int(plan)
        here = rank_held(M, plan)
        if is_turn:
            if here > best or (effect & bot.DRAWS and here // RANK >= best // RANK and here % RANK > 0):
                chosen, best = number, here
        elif chosen < 0:
            chosen, best = number, here
        elif here > best:
            if K[bot.MINIMUM]:
                found = reaches(S, P, seat, M, plan)
                if found < 0:
                    return int(found)
                if not found:
                    continue
            chosen, best = number, here
    return int(chosen) if chosen >= 0 else bot.UNSAID
