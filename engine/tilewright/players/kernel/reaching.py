"""Whether a hand is near one that reaches the minimum (`players.bots.fast.Minimum`), over the numbers of a state.

Compiled by numba. Some of the nearest whole hands are drawn by lot and scored by the kernel of scoring; what that meets
for the first time is left to the host. Letters as in `players.kernel.fast`. Knows no ruleset."""

from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.hands.distance.flat import kernels as flat
from tilewright.hands.distance.flat.kernels import join, look_at, read_rows, spare
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import WORD, mixed
from tilewright.players.kernel import layout as bot
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.judging import score_one

NO, YES = range(2)
PRIME = 1_099_511_628_211  # of the Fowler-Noll-Vo hash


# --- lots


@loop_kernel
def begin_lots(B: Array, seed: int, player: int, decision: int) -> None:
    """Numbers as `SeededChoices` gives them."""
    B[bot.LOTS] = np.int64(mixed(mixed(mixed(seed) + np.uint64(player)) + np.uint64(decision)))


@loop_kernel
def below(B: Array, bound: int) -> int:
    """The next number below a bound."""
    state = np.uint64(B[bot.LOTS]) + np.uint64(0x9E3779B97F4A7C15)
    B[bot.LOTS] = np.int64(state)
    number = mixed(state)
    high = (number >> np.uint64(32)) * np.uint64(bound)
    low = (number & np.uint64(WORD)) * np.uint64(bound) >> np.uint64(32)
    return int(high + low >> np.uint64(32))


# --- whole hands


@loop_kernel
def draw_whole(A: Array, T: Array, N: Array, B: Array, plan: int, held: int, kinds: int, best: int) -> bool:
    """Draw one of the nearest whole hands into WHOLE; `look_at` has found how far they are. False if there are none."""
    count = 0
    for number in range(A[plan]):
        count += B[flat.FAR + number * flat.MOST_KINDS] == best
    if best >= NEVER or count == 0:
        return False
    chosen, number = below(B, count), 0
    while B[flat.FAR + number * flat.MOST_KINDS] != best or chosen > 0:
        chosen -= B[flat.FAR + number * flat.MOST_KINDS] == best
        number += 1
    way = A[plan + 1 + number]
    read_rows(A, T, N, B, way, held)
    join(A, B, way)
    for kind in range(kinds):
        B[flat.WHOLE + kind] = A[A[way + flat.FIXED] + kind]
    state = A[way + flat.STATES] - 1
    for number in range(A[way + flat.BLOCKS]):
        one, state = draw_split(A, B, way, number, state)
        if one:
            draw_target(A, T, B, way, number, one, held)
    return True


@loop_kernel
def draw_split(A: Array, B: Array, way: int, number: int, state: int) -> Any:
    """Draw the state of a block where it and those after it come to a state; also the state of those."""
    here, after = flat.HERE + number * flat.MOST_STATES, flat.AFTER + (number + 1) * flat.MOST_STATES
    pairs = A[way + flat.PAIRS]
    first, end = A[A[way + flat.STARTS] + state], A[A[way + flat.STARTS] + state + 1]
    least, count = 2 * NEVER + 1, 0
    for pair in range(first, end):
        missing = B[here + A[pairs + 2 * pair]] + B[after + A[pairs + 2 * pair + 1]]
        if missing < least:
            least, count = missing, 0
        count += missing == least
    chosen = below(B, count)
    for pair in range(first, end):
        one, rest = A[pairs + 2 * pair], A[pairs + 2 * pair + 1]
        if B[here + one] + B[after + rest] == least:
            if chosen == 0:
                return one, rest
            chosen -= 1
    return 0, 0


@loop_kernel
def missing_of(A: Array, T: Array, B: Array, block: int, target: int, most: int) -> int:
    """How many tiles of a target are missing beside OWN_OF_BLOCK; more than `most` where that is too many."""
    found = 0
    for spot in range(A[block + flat.TILES]):
        found += max(T[target + spot] - B[bot.OWN_OF_BLOCK + spot], 0)
        if found > most:
            break
    return int(found)


@loop_kernel
def draw_target(A: Array, T: Array, B: Array, way: int, number: int, state: int, held: int) -> None:
    """Add one of the nearest targets of a block in a state to the whole hand."""
    block = A[A[way + flat.BLOCK_AT] + number]
    size, asked = A[block + flat.TILES], A[A[block + flat.ASKED] + state]
    starts = A[block + flat.TARGET_STARTS] + asked
    first, end = A[block + flat.TARGETS] + A[starts] * size, A[block + flat.TARGETS] + A[starts + 1] * size
    for spot in range(size):
        B[bot.OWN_OF_BLOCK + spot] = max(spare(A, B, way, held, A[block + flat.BLOCK + spot]), 0)
    least, count = B[flat.HERE + number * flat.MOST_STATES + state], 0
    for target in range(first, end, size):
        count += missing_of(A, T, B, block, target, least) <= least
    chosen = below(B, count)
    for target in range(first, end, size):
        if missing_of(A, T, B, block, target, least) <= least:
            if chosen == 0:
                for spot in range(size):
                    B[flat.WHOLE + A[block + flat.BLOCK + spot]] += T[target + spot]
                return
            chosen -= 1


@loop_kernel
def draw_win(B: Array, K: Array, held: int) -> int:
    """Draw the winning tile of a whole hand, one that is missing if any is; it is taken out."""
    missing = whole = 0
    for spot in range(K[bot.KINDS]):
        kind = K[K[bot.ORDER] + spot]
        missing += max(B[flat.WHOLE + kind] - max(B[held + kind], 0), 0)
        whole += B[flat.WHOLE + kind]
    chosen = below(B, missing if missing else whole)
    for spot in range(K[bot.KINDS]):
        kind = K[K[bot.ORDER] + spot]
        here = B[flat.WHOLE + kind]
        if missing:
            here = max(here - max(B[held + kind], 0), 0)
        if chosen < here:
            B[flat.WHOLE + kind] -= 1
            return int(kind)
        chosen -= here
    return at.NONE


# --- tables


@loop_kernel
def key_of_table(S: Array, P: Array, seat: int, B: Array, K: Array, is_open: int) -> int:
    """What decides how hands of a seat score, besides its tiles and zones, as one number that is not 0."""
    key = 2 * (P[at.SEATS] * (B[bot.ROUND] + 2) + seat) + is_open
    for spot in range(K[K[bot.MARKS]]):
        mark, of_seat = K[K[bot.MARKS] + 1 + 2 * spot], K[K[bot.MARKS] + 2 + 2 * spot]
        place = mark * at.MOST_SEATS + (seat if of_seat else 0)
        key = (key ^ (S[at.MARK + place] + 11)) * PRIME
        tiles = at.MARK_TILES + place * at.MARK_LIST
        for tile in range(S[tiles] + 1):
            key = (key ^ S[tiles + tile]) * PRIME
    if P[at.BONUS_ROW] >= 0:
        row, bonus = P[at.BONUS_ROW] + seat, np.int64(0)
        for tile in range(S[at.ROW_START + row], S[at.ROW_END + row]):
            bonus += np.int64(mixed(P[P[at.FACE] + S[at.ROW + row * at.MOST_TILES + tile]] + 1))
        key = (key ^ bonus) * PRIME
    return int(key) if key != 0 else 1


@loop_kernel
def table_of(B: Array, key: int) -> int:
    """Where the table of a key is known, or a free place for it."""
    spot = (key ^ key >> 23) % bot.MOST_TABLES
    while B[bot.TABLES + 3 * spot] != 0 and B[bot.TABLES + 3 * spot] != key:
        spot = (spot + 1) % bot.MOST_TABLES
    return int(bot.TABLES + 3 * spot)


# --- the hand that is given


@loop_kernel
def add_cells(S: Array, P: Array, seat: int, B: Array, K: Array, given: Array, to: int, win: int) -> int:
    """What a hand says of zones and of tiles in sight, from place `to` of what is given on. Where it ends."""
    in_sight = 0
    for spot in range(K[K[bot.ZONES]]):
        entry = K[bot.ZONES] + 1 + 4 * spot
        row, column, open_to_all = K[entry] + (seat if K[entry + 1] else 0), K[entry + 2], K[entry + 3]
        for number in range(S[at.ROW_START + row], S[at.ROW_END + row]):
            tile = S[at.ROW + row * at.MOST_TILES + number]
            if K[K[bot.SEEN] + row] == bot.HIDDEN:
                seen = S[at.SHOWN + tile]
            else:
                seen = K[K[bot.SEEN] + row] | S[at.SHOWN + tile]
            if seen >> seat & 1:
                if column >= 0:
                    given[to], given[to + 1] = column + P[P[at.FACE] + tile], 1
                    to += 2
                in_sight += open_to_all and P[P[at.PLAIN] + tile] == win
    B[bot.IN_SIGHT] = in_sight
    return int(to)


@loop_kernel
def lay_melds(S: Array, P: Array, seat: int, K: Array, given: Array, group: int, concealed: int, win: int) -> Any:
    """The melds of a seat with a group that it may make, and the cells of their special tiles behind them. How many
    melds (-1 where scoring does not know one), where the cells end, and how many exposed tiles are like the winning
    one."""
    first, grown = given[scored.GIVEN_TILES] + scored.GIVEN + scored.HAND, at.NONE
    if group >> at.SOURCE_AT & 3 == at.GROWN_GROUP:
        grown = group >> at.MELD_AT & 15
    count, size, in_sight = 0, S[at.LAID_SIZE + seat], 0
    for meld in range(size + 1):
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        if meld == grown:
            continue
        if meld < size:
            given[first + count] = 2 * S[spot + at.LAID_GROUP] + S[spot + at.LAID_EXPOSED]
        else:
            given[first + count] = 2 * (group & ((1 << at.GROUP_BITS) - 1)) + 1 - concealed
        if P[P[at.UNPLACED] + given[first + count]]:
            return -1, 0, 0
        count += 1
    to = first + count
    for meld in range(size + 1):
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        exposed = S[spot + at.LAID_EXPOSED] if meld < size and meld != grown else 1 - concealed
        for number in range(S[spot + at.LAID_COUNT] if meld < size else 0):
            tile = S[spot + at.LAID_TILES + number]
            to = add_special(P, K, given, to, tile)
            in_sight += exposed and P[P[at.PLAIN] + tile] == win
    for number in range(group >> at.COUNT_AT & 7):
        tile = (group >> (at.HAND_AT + 8 * number) & at.NO_TILE) + P[at.FIRST]
        to = add_special(P, K, given, to, tile)
        in_sight += (not concealed) and P[P[at.PLAIN] + tile] == win
    claimed = group >> at.CLAIMED_AT & at.NO_TILE
    if group >> at.SOURCE_AT & 3 == at.CLAIMED_GROUP and claimed != at.NO_TILE:
        to = add_special(P, K, given, to, claimed + P[at.FIRST])
        in_sight += (not concealed) and P[P[at.PLAIN] + claimed + P[at.FIRST]] == win
    return count, to, in_sight


@loop_kernel
def add_special(P: Array, K: Array, given: Array, to: int, tile: int) -> int:
    """Say that a tile of a meld is a special one, if it is. Where what is given ends."""
    face = P[P[at.FACE] + tile]
    if K[bot.SPECIALS] >= 0 and K[K[bot.IS_SPECIAL] + face]:
        given[to], given[to + 1] = K[bot.SPECIALS] + face, 1
        given[to + 2], given[to + 3] = K[bot.SPECIALS] + P[P[at.PLAIN] + tile], -1
        return to + 4
    return to


@loop_kernel
def reaches(
    S: Array,
    P: Array,
    seat: int,
    B: Array,
    K: Array,
    A: Array,
    T: Array,
    N: Array,
    plan: int,
    group: int,
    concealed: int,
    scoring: Any,
    wins: Array,
) -> int:
    """Whether half of some nearest whole hands of the tiles held, with a group that a seat may make, reach the minimum:
    YES or NO; WAITS where the host has to say it, or the table of the seat first. `scoring`: what `score_one` takes;
    `wins`: by worth, whether it wins with more than nothing."""
    image, hands, given = scoring[0], scoring[9], scoring[13]
    kinds, is_open, melds = K[bot.KINDS], 1 - concealed, S[at.LAID_SIZE + seat] + 1
    for meld in range(S[at.LAID_SIZE + seat]):
        if S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_EXPOSED]:
            is_open = 1
    if group >> at.SOURCE_AT & 3 == at.GROWN_GROUP:
        melds -= 1
    key = key_of_table(S, P, seat, B, K, is_open)
    table = table_of(B, key)
    if B[table] != key:
        B[bot.QUESTION], B[bot.QUESTION + 1] = bot.TABLE, key
        return bot.WAITS
    best = look_at(A, T, N, B, plan, bot.HELD, kinds)
    begin_lots(B, S[at.SEED], 0, melds)
    short, most = 0, bot.WHOLES // 2
    for number in range(bot.WHOLES):
        if short > most or number - short >= bot.WHOLES - most:
            break  # the others no longer matter
        if not draw_whole(A, T, N, B, plan, bot.HELD, kinds, best):
            break
        win = draw_win(B, K, bot.HELD)
        size = 0
        for kind in range(kinds):
            for _ in range(B[flat.WHOLE + kind]):
                given[scored.GIVEN + scored.HAND + size] = kind
                size += 1
        given[scored.GIVEN_TILES] = size
        count, to, in_sight = lay_melds(S, P, seat, K, given, group, concealed, win)
        if count < 0 or 2 * count > hands.shape[1] - image[scored.MELDS]:
            return bot.WAITS
        first = scored.GIVEN + scored.HAND + size + count
        to = add_cells(S, P, seat, B, K, given, to, win)
        if K[bot.IN_SIGHT_AT] >= 0:
            given[to], given[to + 1] = K[bot.IN_SIGHT_AT], in_sight + B[bot.IN_SIGHT]
            to += 2
        given[scored.GIVEN_MELDS], given[scored.GIVEN_CELLS] = count, (to - first) // 2
        given[scored.GIVEN + scored.WIN] = win
        is_won = False
        for self_draw in range(2):
            given[scored.GIVEN + scored.CONTEXT] = B[table + 1 + self_draw]
            given[scored.GIVEN + scored.SHOWN] = K[bot.EXPOSES] * (1 - self_draw)
            worth = score_one(*scoring)
            if worth < scored.NO_READING:
                return bot.WAITS
            if worth >= 0 and wins[worth]:
                is_won = True
                break
        short += not is_won
    return YES if short <= most else NO
