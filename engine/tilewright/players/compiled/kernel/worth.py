"""What hands are worth to a seat (`players.bots.worth.HandValues`), over the numbers of a state.

The kernel of scoring scores them; what it meets for the first time, and what it leaves to others, is
left to the host. Letters as in `seeing`; `given`: a hand as that kernel takes it. Knows no ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, entry, kernel, wrapped
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import mixed
from tilewright.play.compiled.kernel.tiles import claimed_of, hand_count, hand_tile
from tilewright.players.bots.worth import DRAWN
from tilewright.players.compiled.kernel import layout as bot
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.judging import score_one

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
