"""The prospects of a careful player (`players.bots.careful.CarefulJudge`), and what a discard may cost
(`players.bots.danger`), over the numbers of a state.

What is found is left in the lists that players work in; WAITS is given where the host is asked first. Letters as in
`seeing`; `R`: the other numbers that players work in. Knows no ruleset.
"""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance import flat_rows as flat
from tilewright.hands.distance.flat_rows import DISTANCE, USEFUL
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import layout as at
from tilewright.players.bots.careful import PRIOR, PROMISING
from tilewright.players.bots.chances import appeal, completed, set_open, set_paces, together, usual
from tilewright.players.bots.forecasts import WAITING, WITH_EACH_GROUP
from tilewright.players.bots.odds import (
    DRIFT,
    EXPECTED,
    LEADS,
    NUMBERS,
    OTHERS,
    expected,
    loss_placed,
    worth_placed,
)
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel import weights as weight
from tilewright.players.compiled.kernel.cards import promise_rows, promise_rows_without, see_shares, see_times
from tilewright.players.compiled.kernel.seeing import (
    distance_held,
    kinds_held,
    look,
    look_without_each,
    plan_of,
    useful_held,
    useful_left,
)
from tilewright.players.compiled.kernel.wholes import begin_lots, draw_whole, draw_win, told, worth_of

ROUNDED = 1.0 + 1e-9  # more than what rounding may change


@kernel
def likely(M: Any, aim: int, distance: int, tiles: float) -> float:
    """How likely an aim is reached with this many useful tiles."""
    B, R, K = M.own, M.reals, M.known
    if distance == 0:
        return 1.0
    if tiles <= 0.0 or distance > bot.MOST_FAR:
        return 0.0
    claims = R[weight.CLAIMS]
    if not K[K[bot.AIMS] + 1 + aim]:
        claims = R[weight.DRAWS]
    elif K[bot.COSTS_BY_CLAIMS] and not B[bot.IS_OPEN]:
        claims = R[weight.COSTLY]
    set_paces(R, bot.PACES, distance, tiles, B[bot.UNSEEN], claims, R[weight.WIN], R[weight.LATER])
    return completed(R, bot.STILL_OPEN, B[bot.TURNS_LEFT], bot.PACES, distance, bot.STEPS)


@kernel
def effort(R: Array, worth: float) -> float:
    """How much effort a hand deserves: for its worth, and to keep others from winning."""
    if worth <= 0.0:
        return 0.0
    return appeal(worth_placed(R, bot.MATCH, worth) + R[weight.WINNING] * R[bot.USUAL_WORTH], R[weight.EAGER])


# --- aims


@kernel
def find_hopes(S: Array, P: Array, seat: int, M: Any) -> int:
    """Find the most promising aims of the position that is looked at, and what they are worth."""
    B, R, K, found = M.own, M.reals, M.known, 0
    for aim in range(K[K[bot.AIMS]]):
        plan = plan_of(S, seat, M, aim + 1)
        if plan < 0:
            return int(plan)
        distance = distance_held(M, plan)
        if distance >= NEVER:
            continue
        wanted = appeal(worth_placed(R, bot.MATCH, R[bot.AIM_WORTH + aim]), R[weight.EAGER])
        most = likely(M, aim, distance, float(B[bot.UNSEEN])) * wanted * ROUNDED
        if found and most < max(
            PROMISING * R[bot.HOPE_VALUE], R[bot.HOPE_VALUE + bot.HOPES - 1] * (found == bot.HOPES)
        ):
            continue  # however many tiles bring it nearer
        useful = useful_held(M, plan, distance)
        value = likely(M, aim, distance, float(useful_left(B, useful, K[bot.KINDS]))) * wanted
        spot = found
        while spot > 0 and R[bot.HOPE_VALUE + spot - 1] < value:
            spot -= 1
        if spot == bot.HOPES:
            continue
        found = min(found + 1, bot.HOPES)
        for place in range(found - 1, spot, -1):
            R[bot.HOPE_VALUE + place] = R[bot.HOPE_VALUE + place - 1]
            for field in (bot.HOPE_AIM, bot.HOPE_PLAN, bot.HOPE_FAR, bot.HOPE_USEFUL):
                B[field + place] = B[field + place - 1]
        R[bot.HOPE_VALUE + spot], B[bot.HOPE_AIM + spot], B[bot.HOPE_PLAN + spot] = value, aim, plan
        B[bot.HOPE_FAR + spot], B[bot.HOPE_USEFUL + spot] = distance, useful
    least = PROMISING * R[bot.HOPE_VALUE]
    while found > 0 and not (R[bot.HOPE_VALUE + found - 1] >= least > 0.0):
        found -= 1
    B[bot.HOPES_FOUND] = found
    for hope in range(found):
        status = weigh(S, P, seat, M, hope)
        if status < 0:
            return int(status)
    return bot.KNOWN_NOW


@kernel
def weigh(S: Array, P: Array, seat: int, M: Any, hope: int) -> int:
    """Find what some of the nearest whole hands of a hope are worth, and what the table adds to it."""
    B, R, K, plan, kinds = M.own, M.reals, M.known, M.own[bot.HOPE_PLAN + hope], M.known[bot.KINDS]
    if not K[bot.SCORES]:
        B[bot.QUESTION + 1] = B[bot.HOPE_AIM + hope]
        status = told(M, seat, bot.WEIGH, bot.PROMISED)
        R[bot.HOPE_WORTH + hope], R[bot.HOPE_ADDED + hope], B[bot.HOPE_WHOLES + hope] = R[bot.WORTH], 0.0, 0
        return int(status)
    best, count = look(M, plan), 0
    begin_lots(B, S[at.SEED], S[at.PLAYER + seat], S[at.HAND_NUMBER])
    for _ in range(K[bot.TARGETS]):
        if not draw_whole(M.ways, M.rows, M.places, B, M.targets, plan, bot.HELD, kinds, best):
            break
        whole = hope * bot.WHOLES_OF_HOPE + count
        tiles = bot.HOPE_TILES + whole * at.MOST_FACES
        B[bot.HOPE_WIN + whole] = draw_win(B, K, bot.HELD)
        for kind in range(kinds):
            B[tiles + kind] = B[flat.WHOLE + kind]
        count += 1
    B[bot.HOPE_WHOLES + hope] = count
    for one in range(count):
        whole = hope * bot.WHOLES_OF_HOPE + one
        tiles, win = bot.HOPE_TILES + whole * at.MOST_FACES, B[bot.HOPE_WIN + whole]
        same = same_whole(B, hope, one, kinds)
        if same != whole:
            R[bot.WHOLE_WORTH + whole], R[bot.WHOLE_ADDED + whole] = (
                R[bot.WHOLE_WORTH + same],
                R[bot.WHOLE_ADDED + same],
            )
            continue
        R[bot.WHOLE_ADDED + whole] = 0.0
        if K[bot.DEPENDS]:
            status = worth_of(S, P, seat, M, tiles, win, bot.PROMISED, bot.NO, bot.YES)
            if status < 0:
                return int(status)
            plainly = R[bot.WORTH]
            as_held(B, K, tiles)
            status = worth_of(S, P, seat, M, bot.SCORED, win, bot.PROMISED, bot.YES, bot.YES)
            R[bot.WHOLE_ADDED + whole] = R[bot.WORTH] - plainly
        else:
            status = worth_of(S, P, seat, M, tiles, win, bot.PROMISED, bot.YES, bot.YES)
        if status < 0:
            return int(status)
        R[bot.WHOLE_WORTH + whole] = R[bot.WORTH]
    R[bot.HOPE_WORTH + hope] = mean(R, bot.WHOLE_WORTH + hope * bot.WHOLES_OF_HOPE, count)
    R[bot.HOPE_ADDED + hope] = mean(R, bot.WHOLE_ADDED + hope * bot.WHOLES_OF_HOPE, count)
    return bot.KNOWN_NOW


@kernel
def same_whole(B: Array, hope: int, one: int, kinds: int) -> int:
    """The first whole hand of a hope that is the same as this one, perhaps itself."""
    last = hope * bot.WHOLES_OF_HOPE + one
    for whole in range(hope * bot.WHOLES_OF_HOPE, last):
        same = B[bot.HOPE_WIN + whole] == B[bot.HOPE_WIN + last]
        for kind in range(kinds if same else 0):
            spots = bot.HOPE_TILES + whole * at.MOST_FACES + kind, bot.HOPE_TILES + last * at.MOST_FACES + kind
            same = same and B[spots[0]] == B[spots[1]]
        if same:
            return int(whole)
    return int(last)


@kernel
def mean(R: Array, first: int, count: int) -> float:
    found = 0.0
    for number in range(count):
        found += R[first + number]
    return found / count if count else 0.0


@kernel
def as_held(B: Array, K: Array, tiles: int) -> None:
    """Count plain tiles under SCORED, each with the face that the position has."""
    kinds = K[bot.KINDS]
    for kind in range(kinds):
        B[bot.SCORED + kind] = B[tiles + kind]
    for spot in range(kinds - 1, -1, -1):
        face = K[K[bot.ORDER] + spot]
        kind = K[K[bot.PLAIN] + face]
        if kind != face:
            taken = min(B[bot.FACES + face], B[bot.SCORED + kind])
            B[bot.SCORED + kind] -= taken
            B[bot.SCORED + face] += taken


@kernel
def worth_without(S: Array, P: Array, seat: int, M: Any, hope: int, face: int) -> int:
    """Find under WORTH what a hope is worth without a tile: less, the more the table adds for that tile."""
    B, R, K = M.own, M.reals, M.known
    R[bot.WORTH] = R[bot.HOPE_WORTH + hope]
    if not K[bot.DEPENDS]:
        return bot.KNOWN_NOW
    kind, alike, different, count = K[K[bot.PLAIN] + face], 0, 0, B[bot.HOPE_WHOLES + hope]
    for other in range(K[bot.KINDS]):
        if K[K[bot.PLAIN] + other] == kind and B[bot.FACES + other] > 0:
            alike += B[bot.FACES + other]
            different += 1
    first = hope * bot.WHOLES_OF_HOPE
    if different > 1:
        found = 0.0
        B[bot.FACES + face] -= 1
        for one in range(count):
            as_held(B, K, bot.HOPE_TILES + (first + one) * at.MOST_FACES)
            status = worth_of(S, P, seat, M, bot.SCORED, B[bot.HOPE_WIN + first + one], bot.PROMISED, bot.YES, bot.YES)
            if status < 0:
                return int(status)
            found += R[bot.WORTH]
        B[bot.FACES + face] += 1
        R[bot.WORTH] = found / count if count else 0.0
        return bot.KNOWN_NOW
    usually, spared, sparing = R[bot.HOPE_ADDED + hope], 0.0, 0
    for one in range(count):
        whole = first + one
        wanted = B[bot.HOPE_TILES + whole * at.MOST_FACES + kind] + (B[bot.HOPE_WIN + whole] == kind)
        if wanted < alike:
            spared += R[bot.WHOLE_ADDED + whole]
            sparing += 1
    R[bot.WORTH] = R[bot.HOPE_WORTH + hope] - usually + (spared + PRIOR * usually) / (sparing + PRIOR)
    return bot.KNOWN_NOW


# --- waits


@kernel
def weigh_waits(S: Array, P: Array, seat: int, M: Any, useful: int, discarded: int, variant: int) -> int:
    """Find under WORTH the mean worth of a waiting hand after a discard (a face, or NONE), and under WAITS_WON how many
    tiles it may win with. `useful`: what it waits for, as bits."""
    B, R, K = M.own, M.reals, M.known
    barred = is_barred(M, seat, useful, discarded)
    if barred < 0:
        return int(barred)
    if discarded >= 0:
        B[bot.FACES + discarded] -= 1
    total, tiles = 0.0, 0
    for spot in range(K[bot.KINDS]):
        kind = K[K[bot.ORDER] + spot]
        left = B[bot.LEFT + kind]
        if useful >> kind & 1 and left > 0:
            status = worth_of(S, P, seat, M, bot.FACES, kind, variant, bot.YES, 1 - barred)
            if status < 0:
                return int(status)
            total += R[bot.WORTH] * left
            tiles += left if R[bot.WORTH] > 0.0 else 0
    if discarded >= 0:
        B[bot.FACES + discarded] += 1
    R[bot.WORTH], B[bot.WAITS_WON] = total / tiles if tiles else 0.0, tiles
    return bot.KNOWN_NOW


@kernel
def is_barred(M: Any, seat: int, useful: int, discarded: int) -> int:
    """Whether the hand cannot win on a discard."""
    B, K = M.own, M.known
    if not K[bot.BARS_CLAIMS]:
        return 0
    gone, face = B[bot.GONE], B[bot.GONE_FACE]
    if discarded >= 0:
        gone, face = gone + 1, discarded
    if gone > 1:
        return 0
    if face >= 0 and K[bot.OWN_ARE_SAFE] and useful >> K[K[bot.PLAIN] + face] & 1:
        return 1
    known = B[bot.CLAIMS_BARRED + face + 1]
    if known == 0:
        B[bot.QUESTION], B[bot.QUESTION + 2], B[bot.ASKED_FACE] = bot.CLAIM_BARRED, seat, face
        return bot.WAITS
    return int(known - 1)


# --- positions


@kernel
def promise(S: Array, P: Array, seat: int, M: Any, hope: int, distance: int, useful: int, discarded: int) -> int:
    """Find under WORTH the prospects of a hope, after a discard (a face) or without one (NONE): its worth there (found
    under WORTH, if the hand does not wait), by how likely it is."""
    B, R, aim = M.own, M.reals, M.own[bot.HOPE_AIM + hope]
    if distance != 1:
        tiles = useful_left(B, useful, M.known[bot.KINDS])
        R[bot.WORTH] = likely(M, aim, distance, float(tiles)) * effort(R, R[bot.WORTH])
        return bot.KNOWN_NOW
    left = 0
    for kind in range(M.known[bot.KINDS]):
        if useful >> kind & 1 and B[bot.LEFT + kind] > 0:
            left |= 1 << kind
    status = weigh_waits(S, P, seat, M, left, discarded, bot.PROMISED)
    if status < 0:
        return int(status)
    tiles = B[bot.WAITS_WON]
    R[bot.WORTH] = likely(M, aim, 1, float(tiles)) * effort(R, R[bot.WORTH]) if tiles else 0.0
    return bot.KNOWN_NOW


@kernel
def rank_waiting(S: Array, P: Array, seat: int, M: Any) -> int:
    """Find under WORTH the prospects of the position that is looked at, without a discard."""
    status = find_hopes(S, P, seat, M)
    if status < 0:
        return int(status)
    B, R = M.own, M.reals
    for hope in range(B[bot.HOPES_FOUND]):
        R[bot.WORTH] = R[bot.HOPE_WORTH + hope]
        status = promise(S, P, seat, M, hope, B[bot.HOPE_FAR + hope], B[bot.HOPE_USEFUL + hope], at.NONE)
        if status < 0:
            return int(status)
        R[bot.PROMISES + hope] = R[bot.WORTH]
    if M.known[bot.APPEALS] >= 0:
        status = promise_rows(S, P, seat, M)
        if status < 0:
            return int(status)
    R[bot.WORTH] = together(R, bot.PROMISES, B[bot.HOPES_FOUND] + B[bot.OUTLOOKS], R[weight.BEST])
    return bot.KNOWN_NOW


@kernel
def weigh_discards(S: Array, P: Array, seat: int, M: Any, wanted: int) -> int:
    """Find under PROMISES the prospects of each hope after the discard of each face of these kinds (bits)."""
    status = find_hopes(S, P, seat, M)
    if status < 0:
        return int(status)
    B, R, K = M.own, M.reals, M.known
    for hope in range(B[bot.HOPES_FOUND]):
        look_without_each(M, B[bot.HOPE_PLAN + hope], wanted, bot.ANY_DISTANCE)
        for face in range(K[bot.KINDS]):
            kind = K[K[bot.PLAIN] + face]
            if B[bot.FACES + face] > 0 and wanted >> kind & 1:
                status = promise_without(S, P, seat, M, hope, face, B[DISTANCE + kind], B[USEFUL + kind])
                if status < 0:
                    return int(status)
                R[bot.PROMISES + face * bot.PROMISED_EACH + hope] = R[bot.WORTH]
    return promise_rows_without(S, P, seat, M, wanted) if K[bot.APPEALS] >= 0 else bot.KNOWN_NOW


@kernel
def promise_without(S: Array, P: Array, seat: int, M: Any, hope: int, face: int, distance: int, useful: int) -> int:
    """Find under WORTH the prospects of a hope after a discard."""
    R = M.reals
    if distance != 1:
        status = worth_without(S, P, seat, M, hope, face)
        if status < 0:
            return int(status)
    if distance <= M.own[bot.HOPE_FAR + hope] or distance == 1:
        return promise(S, P, seat, M, hope, distance, useful, face)
    tiles = usual(distance) * R[weight.SET_BACK] if distance < NEVER else 0.0
    R[bot.WORTH] = likely(M, M.own[bot.HOPE_AIM + hope], distance, tiles) * effort(R, R[bot.WORTH])
    return bot.KNOWN_NOW


@kernel
def rank_of_discard(S: Array, P: Array, seat: int, M: Any, face: int) -> float:
    """The prospects after the discard of a face, danger deducted."""
    B, R = M.own, M.reals
    steps = max(0, B[bot.HOPE_FAR] - 1) if B[bot.HOPES_FOUND] and B[bot.THREAT] else 0
    promised = together(
        R, bot.PROMISES + face * bot.PROMISED_EACH, B[bot.HOPES_FOUND] + B[bot.OUTLOOKS], R[weight.BEST]
    )
    danger = danger_of(S, P, seat, M, M.known[M.known[bot.PLAIN] + face])
    return float(promised - danger * (1.0 + R[weight.AGAIN] * steps))


@kernel
def rank_position(S: Array, P: Array, seat: int, M: Any) -> int:
    """Find under WORTH the prospects of the position that is looked at, the best discard made if it is full."""
    B, R = M.own, M.reals
    if not B[bot.IS_FULL]:
        return rank_waiting(S, P, seat, M)
    status = weigh_discards(S, P, seat, M, kinds_held(B, M.known[bot.KINDS]))
    if status < 0:
        return int(status)
    best, found = 0.0, False
    for face in range(M.known[bot.KINDS]):
        if B[bot.FACES + face] > 0:
            here = rank_of_discard(S, P, seat, M, face)
            if not found or here > best:
                best, found = here, True
    R[bot.WORTH] = best
    return bot.KNOWN_NOW


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
