"""What a discard may cost (`players.careful.danger`), over the numbers of a state.

Letters as in `seeing`; `R`: the other numbers that players work in. Knows no
ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.players.careful.chances import appeal, set_open
from tilewright.players.careful.forecasts import WAITING, WITH_EACH_GROUP
from tilewright.players.careful.placement import DRIFT, EXPECTED, LEADS, NUMBERS, OTHERS, expected, loss_placed
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel import weights as weight
from tilewright.players.compiled.kernel.cards import see_shares
from tilewright.players.compiled.kernel.forecasts import see_times

UNKNOWN = -1.0


@kernel
def has_pledged(S: Array, seat: int, K: Array) -> bool:
    """Whether a seat has declared that it waits."""
    found = False
    for number in range(K[K[bot.PLEDGED]]):
        mark = K[K[bot.PLEDGED] + 1 + number]
        found = found or S[at.MARK + mark * at.MOST_SEATS + seat] > 0
    return bool(found)


@kernel
def see_table(S: Array, P: Array, seat: int, M: Any) -> int:
    """Note the turns that are left, what was thrown, how likely the others wait, and for which listed hands. WAITS
    where the host is asked first."""
    B, R, K = M.own, M.reals, M.known
    laid, thrown, playing = 0, 0, 0
    for other in range(P[at.SEATS]):
        B[bot.THROWN + other] = 0
        playing += S[at.PLAYING] >> other & 1
    B[bot.THROWN_BY_ANY] = 0
    for number in range(K[K[bot.CLAIMABLE]]):
        row, of_seat = K[K[bot.CLAIMABLE] + 1 + 2 * number], K[K[bot.CLAIMABLE] + 2 + 2 * number]
        for owner in range(P[at.SEATS] if of_seat else 1):
            here = row + owner
            for spot in range(S[at.ROW_START + here], S[at.ROW_END + here]):
                tile = S[at.ROW + here * at.MOST_TILES + spot]
                laid += 1
                seen = S[at.SHOWN + tile]
                if K[K[bot.SEEN] + here] != bot.HIDDEN:
                    seen |= K[K[bot.SEEN] + here]
                if seen >> seat & 1:
                    thrown += 1
                    B[bot.THROWN_BY_ANY] |= 1 << P[P[at.PLAIN] + tile]
                    if of_seat:
                        B[bot.THROWN + owner] |= 1 << P[P[at.PLAIN] + tile]
    seats, wall, threat = max(1, playing), 0, False
    if K[K[bot.WALL]] >= 0:
        row = K[K[bot.WALL]]
        wall = max(0, S[at.ROW_END + row] - S[at.ROW_START + row] - K[K[bot.WALL] + 1])
    share = thrown / max(1, thrown + wall)
    late = R[weight.LATE] * (share * share)
    see_match(S, P, seat, B, R)
    for other in range(P[at.SEATS]):
        if other == seat or not S[at.PLAYING] >> other & 1:
            R[bot.READY + other] = 0.0
        elif B[bot.FORECASTS]:
            groups = WAITING + WITH_EACH_GROUP * S[at.LAID_SIZE + other]
            R[bot.READY + other] = min(1.0, share * share * groups)
        elif has_pledged(S, other, K):
            R[bot.READY + other], threat = 1.0, True
        else:
            groups = R[weight.WITH_EACH_GROUP] * S[at.LAID_SIZE + other]
            R[bot.READY + other] = min(1.0, R[weight.READY] + late + groups)
    B[bot.TURNS_LEFT], B[bot.THREAT], B[bot.TURNS_GONE] = wall // seats + 1, threat, laid // seats
    if B[bot.FORECASTS]:
        see_times(B, R)
    set_open(R, bot.STILL_OPEN, laid // seats, wall // seats, threat, R[weight.ENDS], R[weight.SHARE])
    for kind in range(K[bot.KINDS]):
        R[bot.DANGER + kind] = UNKNOWN
    return see_shares(S, P, seat, M) if K[bot.APPEALS] >= 0 else bot.KNOWN_NOW


@kernel
def see_match(S: Array, P: Array, seat: int, B: Array, R: Array) -> None:
    """Note what the player that thinks knows of its match, and what dealing into a hand costs there."""
    R[bot.MATCH + OTHERS], R[bot.LOSS_NOW] = 0.0, R[weight.LOSS]
    if B[bot.THINKER] != bot.STRONG or not B[bot.PLACES_COUNT] >> seat & 1:
        return
    for number in range(NUMBERS):
        R[bot.MATCH + number] = R[bot.OF_MATCH + number]
    own = R[bot.KNOWN_SCORES + seat] + S[at.SCORE + seat] / P[at.UNIT]
    for turn in range(1, P[at.SEATS]):
        other = (seat + turn) % P[at.SEATS]
        R[bot.MATCH + LEADS + turn - 1] = own - (R[bot.KNOWN_SCORES + other] + S[at.SCORE + other] / P[at.UNIT])
    R[bot.MATCH + EXPECTED] = expected(R, bot.MATCH, 0.0, R[bot.MATCH + DRIFT])
    R[bot.LOSS_NOW] = R[bot.COSTS] * appeal(loss_placed(R, bot.MATCH, R[bot.LOST]), R[weight.EAGER])


@kernel
def danger_of(S: Array, P: Array, seat: int, M: Any, kind: int) -> float:
    """What discarding a tile may cost."""
    B, R, K = M.own, M.reals, M.known
    if R[bot.DANGER + kind] == UNKNOWN:
        found = 0.0
        for other in range(P[at.SEATS]):
            if other != seat and S[at.PLAYING] >> other & 1:
                found += danger_from(B, R, K, other, kind)
        R[bot.DANGER + kind] = found
    return float(R[bot.LOSS_NOW] * R[bot.DANGER + kind])


@kernel
def danger_from(B: Array, R: Array, K: Array, seat: int, kind: int) -> float:
    """How likely a seat wins with a tile."""
    if B[bot.FORECASTS]:
        return float((hit(B, R, K, seat, kind) / R[weight.HIT]) ** R[bot.PLAINER] * R[bot.READY + seat])
    return float(R[bot.READY + seat] * hit(B, R, K, seat, kind))


@kernel
def hit(B: Array, R: Array, K: Array, seat: int, kind: int) -> float:
    """How likely a seat, if it waits for a tile, waits for this one."""
    if B[bot.THROWN + seat] >> kind & 1:
        return 0.0 if K[bot.OWN_ARE_SAFE] else float(R[weight.HIT] * wanted(B, R, K, seat, kind) * R[weight.THROWN])
    likely = R[weight.HIT] * wanted(B, R, K, seat, kind)
    return float(likely * R[weight.EARLIER] if B[bot.THROWN_BY_ANY] >> kind & 1 else likely)


@kernel
def wanted(B: Array, R: Array, K: Array, seat: int, kind: int) -> float:
    """From 0 to 1: how many of the possible uses of a tile this one still has."""
    share = R[bot.SHARES + seat * at.MOST_FACES + kind] if K[bot.APPEALS] >= 0 else 0.0
    if K[bot.MOST_USES] == 0:
        return float(share)
    barred = B[bot.THROWN + seat] if K[bot.OWN_ARE_SAFE] else 0
    entry = K[K[bot.USES] + kind]
    uses, open_ways = K[entry], 0
    entry += 1
    for _ in range(uses):
        tiles, is_open = K[entry + 1], K[entry] & barred == 0
        for number in range(tiles):
            if B[bot.LEFT + K[entry + 2 + 2 * number]] < K[entry + 3 + 2 * number]:
                is_open = False
        open_ways += is_open
        entry += 2 + 2 * tiles
    return float(max(open_ways / K[bot.MOST_USES], share))
