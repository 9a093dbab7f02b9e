"""Some of the nearest whole hands, drawn by lot over flat ways (`hands.distance.approach.Look.target`), and what they
are worth to a seat (`players.bots.worth.HandValues`), over the numbers of a state.

The kernel of scoring scores them; what it meets for the first time, and what it leaves to others, is left to the host.
`A`, `T`, `N`, `B`: as in `hands.distance.flat_rows`; `Q`: which targets are nearest; `K`: what is known of the ruleset;
`given`: a hand as that kernel takes it; other letters as in `seeing`. Knows no ruleset.
"""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, entry, kernel, wrapped
from tilewright.hands.distance import flat_rows as flat
from tilewright.hands.distance import flat_searched as searched
from tilewright.hands.distance.flat_listed import NOWHERE
from tilewright.hands.distance.flat_rows import block_at, join_after, join_before, read_rows, spare
from tilewright.hands.distance.flat_searched import (
    FIELD,
    FIELD_MASK,
    is_possible,
    lowest_of,
    searched_distance,
    searched_row,
    state_before,
    tiles_of_block,
)
from tilewright.hands.distance.flat_searched import join_after as join_others
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import chance
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import GOLDEN, mixed
from tilewright.play.compiled.kernel.tiles import claimed_of, hand_count, hand_tile
from tilewright.players.bots.worth import DRAWN
from tilewright.players.compiled.kernel import layout as bot
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.judging import score_one

# --- lots


@kernel
def begin_lots(B: Array, seed: int, player: int, decision: int) -> None:
    """Numbers as `SeededChoices` gives them."""
    B[bot.LOTS] = mixed(mixed(mixed(seed) + player) + decision)


@kernel
def below(B: Array, bound: int) -> int:
    """The next number below a bound."""
    B[bot.LOTS] = wrapped(B[bot.LOTS] + GOLDEN)
    return chance.below(mixed(B[bot.LOTS]), bound)


# --- whole hands


@kernel
def draw_whole(A: Array, T: Array, N: Array, B: Array, Q: Array, plan: int, held: int, kinds: int, best: int) -> bool:
    """Draw one of the nearest whole hands into WHOLE; `look_at` has found how far they are. False if there are none."""
    number = draw_way(A, B, plan, best)
    if number < 0:
        return False
    if number < A[plan]:
        draw_tabled(A, T, N, B, Q, A[plan + 1 + number], held, kinds)
        return True
    for kind in range(kinds):
        B[flat.WHOLE + kind] = 0
    draw_searched(A, B, A[plan + 3 + number], held)
    return True


@kernel
def draw_way(A: Array, B: Array, plan: int, best: int) -> int:
    """Draw one of the nearest ways, by its place among the distances; NONE if there are none."""
    search = plan + 3 + A[plan]
    first, count = search + 1 + A[search], 0
    end = first + A[plan] + A[search]
    for way in range(first, end):
        count += B[flat.FAR + A[way]] == best
    if best >= NEVER or count == 0:
        return at.NONE
    chosen = below(B, count)
    for way in range(first, end):
        if B[flat.FAR + A[way]] == best:
            if chosen == 0:
                return int(A[way])
            chosen -= 1
    return at.NONE


@kernel
def draw_tabled(A: Array, T: Array, N: Array, B: Array, Q: Array, way: int, held: int, kinds: int) -> None:
    """Draw one of the nearest whole hands by a way by tables."""
    read_rows(A, N, B, way, held)
    join_before(A, T, N, B, way)
    join_after(A, N, B, way)
    for kind in range(kinds):
        B[flat.WHOLE + kind] = A[A[way + flat.FIXED] + kind]
    state = A[way + flat.STATES] - 1
    for number in range(A[way + flat.BLOCKS]):
        one, state = draw_split(A, T, B, way, number, state)
        if one:
            draw_target(A, T, B, Q, way, number, one, held)


@kernel
def row_of(A: Array, way: int, number: int) -> int:
    """Where the row of a class is."""
    return int(A[way + flat.ROWS] + number * A[way + flat.STATES])


@kernel
def draw_split(A: Array, T: Array, B: Array, way: int, number: int, state: int) -> Any:
    """Draw the state of a block where it and those after it come to a state; also the state of those."""
    here, after = row_of(A, way, B[flat.CLASS + number]), row_of(A, way, B[flat.AFTER + number + 1])
    pairs = A[way + flat.PAIRS]
    first, end = A[A[way + flat.STARTS] + state], A[A[way + flat.STARTS] + state + 1]
    least, count = 2 * NEVER + 1, 0
    for pair in range(first, end):
        missing = int(T[here + A[pairs + 2 * pair]]) + int(T[after + A[pairs + 2 * pair + 1]])
        if missing < least:
            least, count = missing, 0
        count += missing == least
    chosen = below(B, count)
    for pair in range(first, end):
        one, rest = A[pairs + 2 * pair], A[pairs + 2 * pair + 1]
        if int(T[here + one]) + int(T[after + rest]) == least:
            if chosen == 0:
                return one, rest
            chosen -= 1
    return 0, 0


@kernel
def draw_target(A: Array, T: Array, B: Array, Q: Array, way: int, number: int, state: int, held: int) -> None:
    """Add one of the nearest targets of a block in a state to the whole hand."""
    block = block_at(A, way, number)
    place = nearest_targets(A, T, B, Q, way, number, state, held)
    target = Q[place + 1 + below(B, Q[place])]
    for spot in range(A[block + flat.TILES]):
        B[flat.WHOLE + A[block + flat.BLOCK + spot]] += T[target + spot]


@kernel
def nearest_targets(A: Array, T: Array, B: Array, Q: Array, way: int, number: int, state: int, held: int) -> int:
    """Where in `Q` the nearest targets of a block in a state are, after how many there are; they are found once."""
    block = block_at(A, way, number)
    starts = A[block + flat.TARGET_STARTS] + A[A[block + flat.ASKED] + state]
    slot = slot_of(Q, starts, B[flat.KEY + number])
    if Q[slot] == 0:
        size = A[block + flat.TILES]
        first, end = A[block + flat.TARGETS] + A[starts] * size, A[block + flat.TARGETS] + A[starts + 1] * size
        if Q[bot.TARGETS_USED] + 1 + A[starts + 1] - A[starts] > Q.shape[0] or Q[bot.SLOTS_USED] > bot.SLOTS // 2:
            for spot in range(bot.POOL):
                Q[spot] = 0
            Q[bot.TARGETS_USED] = bot.POOL
            slot = slot_of(Q, starts, B[flat.KEY + number])
        place = Q[bot.TARGETS_USED]
        Q[slot], Q[slot + 1], Q[slot + 2] = starts + 1, B[flat.KEY + number], place
        for spot in range(size):
            B[bot.OWN_OF_BLOCK + spot] = max(spare(A, B, way, held, A[block + flat.BLOCK + spot]), 0)
        least, count = int(T[row_of(A, way, B[flat.CLASS + number]) + state]), 0
        for target in range(first, end, size):
            if is_near(T, B, target, size, least):
                count += 1
                Q[place + count] = target
        Q[place] = count
        Q[bot.TARGETS_USED] = place + count + 1
        Q[bot.SLOTS_USED] += 1
    return int(Q[slot + 2])


@kernel
def slot_of(Q: Array, starts: int, key: int) -> int:
    """Where in `Q` it stands which targets are nearest to the tiles of a key, or a free place for it."""
    mixed_key = (starts + 1) * 7919 + key
    spot = (mixed_key ^ mixed_key >> 15) % bot.SLOTS
    while True:
        slot = bot.SLOT + 3 * spot
        if Q[slot] == 0 or (Q[slot] == starts + 1 and Q[slot + 1] == key):
            return int(slot)
        spot = (spot + 1) % bot.SLOTS


@kernel
def is_near(T: Array, B: Array, target: int, size: int, most: int) -> bool:
    """Whether no more tiles of a target are missing beside OWN_OF_BLOCK."""
    found = 0
    for spot in range(size):
        found += max(T[target + spot] - B[bot.OWN_OF_BLOCK + spot], 0)
        if found > most:
            return False
    return True


@kernel
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


# --- by ways that are searched


@kernel
def draw_searched(A: Array, B: Array, way: int, held: int) -> None:
    """Add one of the nearest whole hands by a way that is searched to the whole hand, which is empty."""
    searched_distance(A, B, way, held)
    form = A[way + searched.FORM + B[held + A[way + searched.WILD_KIND]]]
    join_others(A, B, form)
    state = A[form + searched.STATES] - 1
    for number in range(A[form + searched.BLOCKS] - 1):
        one, state = split_searched(A, B, form, number, state)
        draw_groups(A, B, A[A[form + searched.BLOCK_AT] + number], held, A[A[form + searched.INSIDE] + one])


@kernel
def split_searched(A: Array, B: Array, form: int, number: int, state: int) -> Any:
    """Draw the state of a block where it and those after it come to a state; also the state of those."""
    here, after = searched.HERE + number * searched.MOST_STATES, searched.AFTER + (number + 1) * searched.MOST_STATES
    starts, pairs = A[form + searched.STARTS] + state, A[form + searched.PAIRS]
    first, end = pairs + 2 * A[starts], pairs + 2 * A[starts + 1]
    least, count = 2 * NEVER + 1, 0
    for pair in range(first, end, 2):
        missing = B[here + A[pair]] + B[after + A[pair + 1]]
        if missing < least:
            least, count = missing, 0
        count += missing == least
    chosen = below(B, count)
    for pair in range(first, end, 2):
        if B[here + A[pair]] + B[after + A[pair + 1]] == least:
            if chosen == 0:
                return A[pair], A[pair + 1]
            chosen -= 1
    return 0, 0


@kernel
def draw_groups(A: Array, B: Array, block: int, held: int, state: int) -> None:
    """Add groups that bring the tiles of a block into a state with the fewest missing to the whole hand."""
    key, none, one = tiles_of_block(A, B, block, held)
    while state:
        lowest = lowest_of(key)
        uses = A[block + searched.USES] + lowest + 1
        first, end, unused = A[uses], A[uses + 1], key & ~(FIELD_MASK << FIELD * max(lowest, 0))
        least = B[searched_row(A, B, block, key, none, one) + state] & 255
        count = (end - first) // searched.USE + (key != 0)
        use = first + below(B, count) * searched.USE
        for _ in range(count):
            if use == end:
                if B[searched_row(A, B, block, unused, none, one) + state] & 255 == least:
                    key = unused
                    break
            elif is_possible(A, use, key, none, one):
                rest = key - A[use + searched.TAKES]
                before = state_before(A, B, use, searched_row(A, B, block, rest, none, one), state, least)
                if before != NOWHERE:
                    add_group(A, B, A[use + searched.GROUP])
                    key, state = rest, before
                    break
            use = first if use + searched.USE >= first + count * searched.USE else use + searched.USE


@kernel
def add_group(A: Array, B: Array, group: int) -> None:
    """Add all tiles of a group to the whole hand."""
    for one in range(group + 1, group + 1 + 2 * A[group], 2):
        B[flat.WHOLE + A[one]] += A[one + 1]


PRIME = 1_099_511_628_211  # of the Fowler-Noll-Vo hash


# --- tables


@kernel
def key_of_table(S: Array, P: Array, seat: int, B: Array, K: Array, variant: int) -> int:
    """What decides how hands of a seat score in a variant of its table, besides tiles and zones, as one number that is
    not 0."""
    key = 2 * (P[at.SEATS] * (B[bot.ROUND] + 2) + seat) + B[bot.IS_OPEN]
    key = wrapped((wrapped(key * PRIME) ^ variant) * PRIME)
    for spot in range(K[K[bot.MARKS]]):
        mark, of_seat = K[K[bot.MARKS] + 1 + 2 * spot], K[K[bot.MARKS] + 2 + 2 * spot]
        place = mark * at.MOST_SEATS + (seat if of_seat else 0)
        key = wrapped((key ^ (S[at.MARK + place] + 11)) * PRIME)
        tiles = at.MARK_TILES + place * at.MARK_LIST
        for tile in range(S[tiles] + 1):
            key = wrapped((key ^ S[tiles + tile]) * PRIME)
    if P[at.BONUS_ROW] >= 0:
        row, bonus = P[at.BONUS_ROW] + seat, 0
        for tile in range(S[at.ROW_START + row], S[at.ROW_END + row]):
            bonus += mixed(P[P[at.FACE] + S[at.ROW + row * at.MOST_TILES + tile]] + 1)
        key = wrapped((key ^ wrapped(bonus)) * PRIME)
    return int(key) if key != 0 else 1


@entry
def table_of(B: I64, key: int) -> int:
    """Where the table of a key is known, or a free place for it."""
    spot = (key ^ key >> 23) % bot.MOST_TABLES
    while B[bot.TABLES + 3 * spot] != 0 and B[bot.TABLES + 3 * spot] != key:
        spot = (spot + 1) % bot.MOST_TABLES
    return int(bot.TABLES + 3 * spot)


# --- the hand that is given


@kernel
def add_cells(S: Array, P: Array, seat: int, B: Array, K: Array, given: Array, to: int, win: int, zones: int) -> int:
    """What a hand says of zones and of tiles in sight, from place `to` of what is given on; `zones`: whether any but
    that of bonus tiles count. Where it ends."""
    in_sight = 0
    for spot in range(K[K[bot.ZONES]]):
        entry = K[bot.ZONES] + 1 + 4 * spot
        row, column, open_to_all = K[entry] + (seat if K[entry + 1] else 0), K[entry + 2], K[entry + 3]
        if not zones and K[entry] != P[at.BONUS_ROW]:
            continue
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


@kernel
def lay_melds(S: Array, P: Array, seat: int, B: Array, K: Array, given: Array, win: int) -> Any:
    """The melds of the position that is looked at, and the cells of their special tiles behind them. How many melds
    (-1 where scoring does not know one), where the cells end, and how many exposed tiles are like the winning one."""
    first = given[scored.GIVEN_TILES] + scored.GIVEN + scored.HAND
    group, concealed, grown = B[bot.GROUP], B[bot.CONCEALED], B[bot.GROWN]
    count, size, in_sight = 0, S[at.LAID_SIZE + seat], 0
    all_melds = size + (group >= 0)
    for meld in range(all_melds):
        if meld == grown:
            continue
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        if meld < size:
            given[first + count] = 2 * S[spot + at.LAID_GROUP] + S[spot + at.LAID_EXPOSED]
        else:
            given[first + count] = B[bot.MORE]
        if P[P[at.UNPLACED] + given[first + count]]:
            return -1, 0, 0
        count += 1
    to = first + count
    for meld in range(size):
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        exposed = 1 - concealed if meld == grown else S[spot + at.LAID_EXPOSED]
        for number in range(S[spot + at.LAID_COUNT]):
            tile = S[spot + at.LAID_TILES + number]
            to = add_special(P, K, given, to, tile)
            in_sight += exposed and P[P[at.PLAIN] + tile] == win
    if group < 0:
        return count, to, in_sight
    for number in range(hand_count(group)):
        tile = hand_tile(P, group, number)
        to = add_special(P, K, given, to, tile)
        in_sight += (not concealed) and P[P[at.PLAIN] + tile] == win
    claimed = claimed_of(P, group)
    if claimed >= 0 and grown < 0:
        to = add_special(P, K, given, to, claimed)
        in_sight += (not concealed) and P[P[at.PLAIN] + claimed] == win
    return count, to, in_sight


@kernel
def add_special(P: Array, K: Array, given: Array, to: int, tile: int) -> int:
    """Say that a tile of a meld is a special one, if it is. Where what is given ends."""
    face = P[P[at.FACE] + tile]
    if K[bot.SPECIALS] >= 0 and K[K[bot.IS_SPECIAL] + face]:
        given[to], given[to + 1] = K[bot.SPECIALS] + face, 1
        given[to + 2], given[to + 3] = K[bot.SPECIALS] + P[P[at.PLAIN] + tile], -1
        return to + 4
    return to


@kernel
def told(M: Any, seat: int, what: int, variant: int) -> int:
    """Find under WORTH what the host answers to a question about the position that is looked at, in a variant of the
    seat's table. WAITS where it is asked first."""
    B, R = M.own, M.reals
    if B[bot.WORTHS_USED] < B[bot.WORTHS]:
        R[bot.WORTH] = R[bot.ANSWERED_WORTH + B[bot.WORTHS_USED]]
        B[bot.WORTHS_USED] += 1
        return bot.KNOWN_NOW
    B[bot.QUESTION], B[bot.QUESTION + 2], B[bot.ASKED_VARIANT] = what, seat, variant
    return bot.WAITS


@kernel
def worth_in(worths: Array, worth: int) -> float:
    """What a worth comes to where it wins, else 0."""
    if worth < 0 or not worths[worth + 1, scored.ENOUGH]:
        return 0.0
    return float(worths[worth + 1, scored.COMES_TO] / scored.SCALE)


@kernel
def worth_of(
    S: Array, P: Array, seat: int, M: Any, tiles: int, win: int, variant: int, zones: int, claimed: int
) -> int:
    """Find under WORTH what the faces that are counted from this place of `own` on are worth with the melds of the
    position and a winning tile, in a variant of the seat's table; `zones`: whether zones count, `claimed`: whether the
    tile may be claimed. WAITS where the host is asked first."""
    B, R, K, given = M.own, M.reals, M.known, M.scoring.given
    if not K[bot.JUDGES]:
        B[bot.ASKED_TILES], B[bot.ASKED_WIN], B[bot.ASKED_ZONES], B[bot.ASKED_DRAWN] = tiles, win, zones, 1 - claimed
        return told(M, seat, bot.VALUE, variant)
    key = key_of_table(S, P, seat, B, K, variant)
    table = table_of(B, key)
    B[bot.ASKED_TILES], B[bot.ASKED_WIN], B[bot.ASKED_VARIANT], B[bot.ASKED_ZONES] = tiles, win, variant, zones
    if B[table] != key:
        B[bot.QUESTION], B[bot.QUESTION + 1], B[bot.QUESTION + 2] = bot.TABLE, key, seat
        return bot.WAITS
    size = 0
    for face in range(K[bot.KINDS]):
        for _ in range(B[tiles + face]):
            given[scored.GIVEN + scored.HAND + size] = face
            size += 1
    given[scored.GIVEN_TILES] = size
    count, to, in_sight = lay_melds(S, P, seat, B, K, given, win)
    if count >= 0:
        first = scored.GIVEN + scored.HAND + size + count
        to = add_cells(S, P, seat, B, K, given, to, win, zones)
        if K[bot.IN_SIGHT_AT] >= 0:
            given[to], given[to + 1] = K[bot.IN_SIGHT_AT], in_sight + B[bot.IN_SIGHT]
            to += 2
        given[scored.GIVEN_MELDS], given[scored.GIVEN_CELLS] = count, (to - first) // 2
        given[scored.GIVEN + scored.WIN] = win
        if 2 * count > M.scoring.hands.shape[1] - M.scoring.image[scored.MELDS]:
            count = -1
    R[bot.WORTH] = 0.0
    for self_draw in range(1 - claimed, 2):
        given[scored.GIVEN + scored.CONTEXT] = B[table + 1 + self_draw]
        given[scored.GIVEN + scored.SHOWN] = K[bot.EXPOSES] * (1 - self_draw)
        worth = score_one(M.scoring) if count >= 0 else scored.BY_ITSELF
        if worth >= scored.NO_READING:
            total = worth_in(M.scoring.worths, worth)
        elif worth != scored.MISSING and B[bot.WORTHS_USED] < B[bot.WORTHS]:
            total = R[bot.ANSWERED_WORTH + B[bot.WORTHS_USED]]
            B[bot.WORTHS_USED] += 1
        else:
            B[bot.QUESTION] = bot.LEARN if worth == scored.MISSING else bot.SCORE
            B[bot.QUESTION + 2], B[bot.ASKED_DRAWN] = seat, self_draw
            return bot.WAITS
        if total != 0.0:
            R[bot.WORTH] = DRAWN * total if self_draw else total
            break
    return bot.KNOWN_NOW
