"""The decisions of fast, careful and strong players (`players.bots.fast`, `careful` and `decision`), over the numbers
of a state. Letters as in `prospects`. Knows no ruleset.
"""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance import flat_rows as flat
from tilewright.hands.distance.flat_rows import DISTANCE, USEFUL
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import moves_of
from tilewright.play.compiled.kernel.tiles import mark_faces
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel import weights as weight
from tilewright.players.compiled.kernel.cards import is_listed_harmless, right_accusation
from tilewright.players.compiled.kernel.prospects import (
    find_hopes,
    rank_of_discard,
    rank_position,
    see_table,
    weigh_discards,
    weigh_waits,
)
from tilewright.players.compiled.kernel.seeing import (
    discarded,
    distance_held,
    distance_without,
    kinds_held,
    look,
    look_without_each,
    option_at,
    plan_of,
    see_faces,
    see_left,
    take_hand,
    take_option,
    useful_held,
    useful_left,
)
from tilewright.players.compiled.kernel.wholes import begin_lots, draw_whole, draw_win, told, worth_of


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


RANK = 1_000  # more than any number of useful tiles: what one tile of distance weighs
WORSE = -1  # no rank: a position is further away than it may be
NO_PLACE = 1 << 10


@kernel
def rank(distance: int, left: int) -> int:
    """Of two positions the better one is greater; one that waits for tiles without copies left is further away than it
    seems."""
    if left == 0 and distance > 0:
        distance += 1
    return int(RANK * (NEVER + 1 - distance) + left)


@kernel
def rank_held(M: Any, plan: int, most: int) -> int:
    """The rank of the tiles held, the best discard made if the hand is full; WORSE if they are further than `most`."""
    B, kinds = M.own, M.known[bot.KINDS]
    if not B[bot.IS_FULL]:
        distance = distance_held(M, plan)
        return rank(distance, useful_left(B, useful_held(M, plan, distance), kinds)) if distance <= most else WORSE
    wanted = kinds_held(B, kinds)
    least = look_without_each(M, plan, wanted, most)
    return rank_without(B, kinds, wanted, least) if least <= most else WORSE


@kernel
def rank_without(B: Array, kinds: int, wanted: int, least: int) -> int:
    """The best rank without one of these kinds (bits), the nearest being this far."""
    best = 0
    for kind in range(kinds):
        if wanted >> kind & 1 and B[DISTANCE + kind] == least:
            best = max(best, rank(least, useful_left(B, B[USEFUL + kind], kinds)))
    return int(best)


@kernel
def as_near(best: int) -> int:
    """How far a position may be that has at least such a rank."""
    return int(NEVER + 1 - best // RANK)


@kernel
def fast_move(S: Array, P: Array, seat: int, M: Any, singles: int, discards: int) -> int:
    """The number of the move of a fast player; `singles`: how many of the moves stand for themselves; `discards`:
    whether any discards. WAITS if it has a question first, UNSAID if it cannot be found."""
    take_hand(S, P, seat, M.own, M.known)
    plan = plan_of(S, seat, M, 0)
    if plan < 0:
        return int(plan)
    if discards:
        see_left(S, P, seat, M.own, M.known)
        return fast_turn(S, P, seat, M, plan, singles)
    return fast_claim(S, P, seat, M, plan)


@kernel
def fast_claim(S: Array, P: Array, seat: int, M: Any, plan: int) -> int:
    """The move of a seat that cannot discard. Most groups leave it further away, which tells without its rank."""
    B, K, may_pass = M.own, M.known, S[at.MAY_PASS] != 0
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    distance, nearest = distance_held(M, plan), NEVER
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        effect = take_option(S, P, seat, B, K, option) if may_pass and S[option + 1] != at.OWN_TILES else 0
        if effect:
            with_group = plan_of(S, seat, M, 0)
            if with_group < 0:
                return int(with_group)
            nearest = min(nearest, distance_after(M, with_group))
    passing = moves_of(S, seat) - 1
    if may_pass and nearest > distance + 1:
        return int(passing)
    see_left(S, P, seat, B, K)
    take_hand(S, P, seat, B, K)
    if K[bot.HANDS] > 1:
        plan = plan_of(S, seat, M, 0)
    best = rank_held(M, plan, bot.ANY_DISTANCE)
    if may_pass and nearest > as_near(best):
        return int(passing)
    return fast_group(S, P, seat, M, passing if may_pass else at.NONE, best, bot.NO)


@kernel
def distance_after(M: Any, plan: int) -> int:
    """How far the tiles held are, the best discard made if the hand is full."""
    if not M.own[bot.IS_FULL]:
        return distance_held(M, plan)
    return look_without_each(M, plan, kinds_held(M.own, M.known[bot.KINDS]), at.NONE)


@kernel
def fast_turn(S: Array, P: Array, seat: int, M: Any, plan: int, singles: int) -> int:
    """The move of a seat that may discard."""
    B, K = M.own, M.known
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    kinds, wanted, number, pledge = K[bot.KINDS], 0, 0, at.NONE
    accusing = right_accusation(S, P, seat, M) if K[bot.ACCUSES_ANY] else at.NONE
    if accusing != at.NONE:
        return int(accusing) if accusing >= 0 else bot.WAITS
    take_hand(S, P, seat, B, K)
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        effect = K[K[bot.EFFECTS] + S[option]]
        if S[option + 1] == at.OWN_TILES:
            wanted |= kinds_held(B, kinds)
            continue
        if effect & bot.SETS_ASIDE:
            kind = P[P[at.PLAIN] + S[option + 1]]
            if distance_without(M, plan, kind) <= distance_held(M, plan):
                return int(number)
        if effect & bot.DISCARDS:
            wanted |= 1 << P[P[at.PLAIN] + S[option + 1]]
        if effect & bot.ONLY_PLEDGES and pledge < 0:
            pledge = number
        number += 1
    if K[bot.BARS] >= 0 and wanted & B[bot.BARRED + seat * bot.BARRED_ROW + 1]:
        wanted &= B[bot.BARRED + seat * bot.BARRED_ROW + 1]
    least = look_without_each(M, plan, wanted, bot.ANY_DISTANCE)
    best = rank_without(B, kinds, wanted, least)
    for kind in range(kinds):
        if B[DISTANCE + kind] != least or rank(least, useful_left(B, B[USEFUL + kind], kinds)) != best:
            wanted &= ~(1 << kind)
    chosen, face = first_discard(S, P, seat, K, wanted, singles)
    waits = least == 1 and best % RANK > 0
    if waits:
        chosen = pledging(S, P, seat, K, face, chosen, singles)
        if pledge >= 0:
            return int(pledge)
    return fast_group(S, P, seat, M, chosen, best, bot.YES)


@kernel
def first_discard(S: Array, P: Array, seat: int, K: Array, kinds: int, singles: int) -> Any:
    """The first move that discards one of these kinds (bits), and the face of the tile; NONE where none does."""
    for spot in range(singles):
        tile = discarded(S, P, seat, K, spot, singles)
        if tile >= 0 and kinds >> P[P[at.PLAIN] + tile] & 1:
            return spot, P[P[at.FACE] + tile]
    if moves_of(S, seat) - S[at.MAY_PASS] == singles:
        return at.NONE, at.NONE
    mark_faces(S, P, seat)
    row, place, face = P[at.HAND_ROW] + seat, NO_PLACE, at.NONE
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        tile = S[at.ROW + row * at.MOST_TILES + spot]
        if kinds >> P[P[at.PLAIN] + tile] & 1 and P[P[at.PLACE] + tile] < place:
            place, face = P[P[at.PLACE] + tile], P[P[at.FACE] + tile]
    before = 0
    for spot in range(place if face >= 0 else 0):
        before += S[at.HELD + seat] >> spot & 1
    return singles + before if face >= 0 else at.NONE, face


@kernel
def pledging(S: Array, P: Array, seat: int, K: Array, face: int, chosen: int, singles: int) -> int:
    """The move that discards this face and declares something, if there is one, else the one that is chosen."""
    for spot in range(singles):
        tile = discarded(S, P, seat, K, spot, singles)
        effect = K[K[bot.EFFECTS] + S[option_at(S, seat, spot)]]
        if tile >= 0 and P[P[at.FACE] + tile] == face and effect & bot.PLEDGES:
            return spot
    return chosen


@kernel
def fast_group(S: Array, P: Array, seat: int, M: Any, chosen: int, best: int, is_turn: int) -> int:
    """The move chosen so far, or a group after which the position is better than `best`."""
    B, K = M.own, M.known
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    number = -1
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] == at.OWN_TILES:
            continue
        number += 1
        effect = take_option(S, P, seat, B, K, option)
        if not effect:
            continue
        plan = plan_of(S, seat, M, 0)
        if plan < 0:
            return int(plan)
        here = rank_held(M, plan, bot.ANY_DISTANCE if chosen < 0 else as_near(best))
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


# --- hands that reach a minimum (`players.bots.fast.Minimum`): some of the nearest are drawn by lot and scored


@kernel
def reaches(S: Array, P: Array, seat: int, M: Any, plan: int) -> int:
    """Whether half of some nearest whole hands of the position that is looked at reach the minimum; WAITS
    where the host is asked first."""
    B, kinds = M.own, M.known[bot.KINDS]
    if not M.known[bot.SCORES]:
        status = told(M, seat, bot.REACHES, bot.PROMISED)
        return int(M.reals[bot.WORTH] != 0.0) if status >= 0 else int(status)
    melds = S[at.LAID_SIZE + seat] + (B[bot.GROUP] >= 0) - (B[bot.GROWN] >= 0)
    best = look(M, plan)
    begin_lots(B, S[at.SEED], 0, melds)
    short, most = 0, bot.WHOLES // 2
    for number in range(bot.WHOLES):
        if short > most or number - short >= bot.WHOLES - most:
            break  # the others no longer matter
        if not draw_whole(M.ways, M.rows, M.places, B, M.targets, plan, bot.HELD, kinds, best):
            break
        win = draw_win(B, M.known, bot.HELD)
        status = worth_of(S, P, seat, M, flat.WHOLE, win, bot.PROMISED, bot.YES, bot.YES)
        if status < 0:
            return int(status)
        short += M.reals[bot.WORTH] <= 0.0
    return bot.YES if short <= most else bot.NO
