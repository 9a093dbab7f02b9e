"""Playing on with players on kernels, up to the end of a hand or to a question for the host; their answers to what
steps ask (`players.bots.decision`): tiles to give away, a suit to give up, how many tiles, yes or no.

`judged` and `least_useful` compare positions as the player does that thinks (THINKER). Letters as in `seeing`; `G`: the
game (`Machine`). Knows no ruleset.
"""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel, long_entry
from tilewright.hands.distance.flat_rows import DISTANCE, NEAREST, USEFUL
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled import judging
from tilewright.play.compiled.judging import claims_barred, judge_win
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import answer, moves_of, next_asked
from tilewright.play.compiled.machine.operands import Machine
from tilewright.play.compiled.machine.running import may_choose, random_move, run
from tilewright.players.bots.fast import FAR
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel.decisions import (
    RANK,
    careful_move,
    fast_move,
    is_harmless,
    rank,
    rank_held,
    rank_without,
)
from tilewright.players.compiled.kernel.layout import Mind
from tilewright.players.compiled.kernel.prospects import rank_of_discard, rank_waiting, see_table, weigh_discards
from tilewright.players.compiled.kernel.seeing import (
    knows_barred,
    look_without_each,
    lose_face,
    plan_of,
    see_faces,
    see_hand,
    see_left,
    take_hand,
    useful_left,
)

GOES_ON = 0  # no reason to stop


@long_entry
def play_on(G: Machine, M: Mind) -> int:
    """Play on with the players of `M`. Why it stops."""
    status = at.ASK if M.own[bot.RESUMES] else run_judging(G, M)
    M.own[bot.RESUMES] = 0
    while status == at.ASK:
        stops = answered(G, M)
        if stops != GOES_ON:
            return int(stops)
        status = run_judging(G, M) if G.S[at.MOVES] <= at.MOST_MOVES else at.FAILED
    return int(status)


@kernel
def answered(G: Any, M: Any) -> int:
    """Have players answer until play goes on. GOES_ON, or why it stops before; ASK: no kernel answers what a step asks;
    LEARNS: a learner is asked."""
    S, P, B, going = G.S, G.P, M.own, False
    while not going:
        seat = next_asked(S, P)
        player = S[at.PLAYER + seat]
        if B[bot.PLAYERS + player] == bot.LEARNER:
            B[bot.RESUMES] = 1
            return bot.LEARNS
        if B[bot.PLAYERS + player] == bot.RANDOM:
            number = random_move(G, seat)
        else:
            B[bot.THINKER] = B[bot.PLAYERS + player]
            number = move_of(G, seat, M)
            if number == bot.WAITS and B[bot.QUESTION] == bot.CLAIM_BARRED and tells_barred(G, B):
                continue
            if number < 0 and not (S[at.STEP] and number == bot.UNSAID):
                B[bot.RESUMES] = 1
                return bot.DECIDE if number == bot.WAITS else at.FAILED
            forget_decision(B)
        if number < 0:
            return at.ASK
        going = answer(S, P, seat, number)
    return GOES_ON


@kernel
def tells_barred(G: Any, B: Array) -> bool:
    """Answer whether a seat that has discarded a face is barred from winning on a discard. False if the machine does
    not tell."""
    face = B[bot.ASKED_FACE]
    found = claims_barred(G, B[bot.QUESTION + 2], face)
    if found >= 0:
        B[bot.CLAIMS_BARRED + face + 1] = 1 + found
    return bool(found >= 0)


@kernel
def run_judging(G: Any, M: Any) -> int:
    """Run instructions, telling whether hands win where the host is not needed for that. Why the machine stops."""
    S, P = G.S, G.P
    status = run(G)
    while status == at.HOST and S[at.REQUEST] == at.WIN and M.judging.shape[0] > 0:
        found = judge_win(S, P, M.judging, M.scoring)
        if found != judging.NO and found != judging.YES:
            break
        S[S[at.REQUEST_TO]] = found == judging.YES
        status = run(G)
    return int(status)


@kernel
def forget_decision(B: Array) -> None:
    """Forget what the host said about a decision."""
    for place in range(bot.DECISION, bot.END_OF_DECISION):
        B[place] = 0


@kernel
def take_weights(B: Array, R: Array, K: Array, player: int) -> None:
    """Think with the weights of careful players, or of strong ones, which forecast listed hands."""
    B[bot.FORECASTS] = player == bot.STRONG and K[bot.APPEALS] >= 0
    first = bot.WEIGHTS_OF + (player - bot.CAREFUL) * bot.MOST_WEIGHTS
    for number in range(bot.MOST_WEIGHTS):
        R[bot.WEIGHTS + number] = R[first + number]


@kernel
def move_of(G: Any, seat: int, M: Any) -> int:
    """The number of the move of the player that thinks; WAITS if it has a question first, UNSAID if it cannot be
    found."""
    S, P, B, K = G.S, G.P, M.own, M.known
    player = B[bot.THINKER]
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    if S[at.STEP] == 0 and moves_of(S, seat) == 1:
        return 0
    B[bot.WORTHS_USED] = singles = discards = bot.NO
    if S[at.STEP]:
        end = first
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        effect = K[K[bot.EFFECTS] + S[option]]
        if S[option + 1] != at.OWN_TILES:
            if effect & bot.WINS:
                return int(singles)
            singles += 1
        if effect & bot.DISCARDS:
            discards = bot.YES
    if see_hand(S, seat, B, K) >= K[bot.LARGEST]:
        return bot.UNSAID
    if K[bot.BARS] >= 0 and not knows_barred(S, seat, B, K):
        B[bot.QUESTION], B[bot.QUESTION + 2] = bot.TILES_BARRED, seat
        return bot.WAITS
    if player != bot.FAST:
        take_weights(B, M.reals, K, player)
    if S[at.STEP]:
        return answer_of(G, seat, M)
    if player != bot.FAST:
        return careful_move(S, P, seat, M, singles, discards)
    return fast_move(S, P, seat, M, singles, discards)


NOT_ALLOWED = -3  # tiles that may not be chosen together


@kernel
def answer_of(G: Any, seat: int, M: Any) -> int:
    """The number of the answer; WAITS if the player has a question first, UNSAID if it cannot be found here."""
    S, P, B, K = G.S, G.P, M.own, M.known
    picks = P[P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW + at.PICKS]
    if not picks and moves_of(S, seat) == 1:
        return 0
    see_left(S, P, seat, B, K)
    see_faces(S, P, seat, B, K)
    if B[bot.THINKER] != bot.FAST:
        status = see_table(S, P, seat, M)
        if status < 0:
            return int(status)
    return picked(G, seat, M) if picks else best_answer(S, P, seat, M)


# --- how positions compare


@kernel
def judged(S: Array, P: Array, seat: int, M: Any, player: int) -> int:
    """Find under WORTH how good the position that is looked at is to a player, without a discard. Less than nothing
    where that is not found."""
    if player != bot.FAST:
        return rank_waiting(S, P, seat, M)
    plan = plan_of(S, seat, M, 0)
    if plan < 0:
        return int(plan)
    M.reals[bot.WORTH] = float(rank_held(M, plan, bot.ANY_DISTANCE))
    return bot.KNOWN_NOW


@kernel
def least_useful(S: Array, P: Array, seat: int, M: Any, spots: int) -> int:
    """Which of the faces at these spots (bits) under GIVABLE is best discarded; less than nothing where that is not
    found."""
    B, K, wanted, best, chosen = M.own, M.known, 0, 0.0, bot.UNSAID
    for spot in range(at.MOST_PICKED):
        if spots >> spot & 1:
            wanted |= 1 << K[K[bot.PLAIN] + B[bot.GIVABLE + spot]]
    if B[bot.THINKER] != bot.FAST:
        status = weigh_discards(S, P, seat, M, wanted)
        if status < 0:
            return int(status)
        for spot in range(at.MOST_PICKED):
            if spots >> spot & 1:
                here = rank_of_discard(S, P, seat, M, B[bot.GIVABLE + spot])
                if chosen < 0 or here > best:
                    chosen, best = spot, here
        return int(chosen)
    plan = plan_of(S, seat, M, 0)
    if plan < 0:
        return int(plan)
    least = look_without_each(M, plan, wanted, bot.ANY_DISTANCE)
    most = rank_without(B, K[bot.KINDS], wanted, least)
    for spot in range(at.MOST_PICKED):
        if not spots >> spot & 1:
            continue
        kind = K[K[bot.PLAIN] + B[bot.GIVABLE + spot]]
        if B[DISTANCE + kind] == least and rank(least, useful_left(B, B[USEFUL + kind], K[bot.KINDS])) == most:
            return int(spot)
    return bot.UNSAID


@kernel
def harmless(S: Array, P: Array, seat: int, M: Any, kind: int) -> int:
    """Whether the hand is no worse without a tile, which is the least useful one; less than nothing where that is not
    found."""
    if M.own[bot.THINKER] != bot.FAST:
        return is_harmless(S, P, seat, M, kind)
    return int(M.own[DISTANCE + kind] <= M.own[NEAREST])


@kernel
def give(S: Array, P: Array, seat: int, M: Any, spots: int, least: int, most: int) -> int:
    """Give away tiles at these spots (bits) under GIVABLE, the least useful first: at least so many, and up to so many
    more that do no harm; under GIVEN which ones. How many; less than nothing where that is not found."""
    B, K, count = M.own, M.known, 0
    B[bot.GIVEN] = 0
    while count < most and spots:
        spot = least_useful(S, P, seat, M, spots)
        if spot < 0:
            return int(spot)
        face = B[bot.GIVABLE + spot]
        if count >= least:
            spare = harmless(S, P, seat, M, K[K[bot.PLAIN] + face])
            if spare <= 0:
                return count if spare == 0 else int(spare)
        B[bot.GIVEN] |= 1 << spot
        spots &= ~(1 << spot)
        lose_face(B, K, face)
        count += 1
    return count


# --- several tiles


@kernel
def picked(G: Any, seat: int, M: Any) -> int:
    """The least useful tiles; if they are not allowed together, those of one family without which the hand is best."""
    S, P, B, K, R, pick = G.S, G.P, M.own, M.known, M.reals, at.PICKED + seat * at.PICK
    size, seen, chosen, best = S[pick + 2], 0, bot.UNSAID, 0.0
    for spot in range(size):
        B[bot.GIVABLE + spot] = P[P[at.FACE] + S[pick + 3 + spot]]
    found = picked_of(G, seat, M, (1 << size) - 1)
    if found != NOT_ALLOWED:
        return int(found)
    for first in range(size):
        if seen >> first & 1:
            continue
        spots, family = 0, K[K[bot.FAMILIES] + K[K[bot.PLAIN] + B[bot.GIVABLE + first]]]
        for spot in range(first, size):
            if K[K[bot.FAMILIES] + K[K[bot.PLAIN] + B[bot.GIVABLE + spot]]] == family:
                spots |= 1 << spot
        seen |= spots
        found = picked_of(G, seat, M, spots)
        if found == NOT_ALLOWED:
            continue
        status = found if found < 0 else judged(S, P, seat, M, B[bot.THINKER])
        if status < 0:
            return int(status)
        if chosen < 0 or R[bot.WORTH] > best:
            chosen, best = found, R[bot.WORTH]
    return int(chosen)


@kernel
def picked_of(G: Any, seat: int, M: Any, spots: int) -> int:
    """The least useful tiles of these (bits), as bits; NOT_ALLOWED if they may not be chosen together."""
    S, P, pick = G.S, G.P, at.PICKED + seat * at.PICK
    take_hand(S, P, seat, M.own, M.known)
    count = give(S, P, seat, M, spots, S[pick], S[pick + 1])
    if count < 0:
        return int(count)
    chosen = M.own[bot.GIVEN]
    if count < S[pick]:
        return NOT_ALLOWED
    allowed = may_choose(G, seat, chosen)
    if allowed < 0:
        return bot.UNSAID
    return int(chosen) if allowed else NOT_ALLOWED


# --- other choices


@kernel
def best_answer(S: Array, P: Array, seat: int, M: Any) -> int:
    """The answer whose choices suit the hand best, the first of them above all."""
    B, R, asked = M.own, M.reals, M.known[bot.ASKS] + (S[at.STEP] - 1) * bot.ASKED_CHOICES
    kinds = M.known[asked], M.known[asked + 1]
    B[bot.SPARE] = B[bot.IS_FAR] = at.NONE
    first, end, chosen = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1], at.NONE
    best, second = 0.0, 0.0
    for number in range(end - first):
        option = at.OPTION + 4 * (first + number)
        status = suits(S, P, seat, M, kinds[0], S[option + 1])
        if status < 0:
            return int(status)
        here, more = R[bot.WORTH], 0.0
        if kinds[1] != bot.NO_CHOICE:
            status = suits(S, P, seat, M, kinds[1], S[option + 3])
            if status < 0:
                return int(status)
            more = R[bot.WORTH]
        if chosen < 0 or here > best or (here == best and more > second):
            chosen, best, second = number, here, more
    return int(chosen) if chosen >= 0 else bot.UNSAID


@kernel
def suits(S: Array, P: Array, seat: int, M: Any, kind: int, value: int) -> int:
    """Find under WORTH how well a choice suits the hand: yes if it is bad, as many tiles as it does not need, the suit
    without which it is best. Less than nothing where that is not found."""
    B, K, R = M.own, M.known, M.reals
    take_hand(S, P, seat, B, K)
    if kind == bot.OF_FLAGS:
        if B[bot.IS_FAR] < 0:
            status = judged(S, P, seat, M, bot.FAST)
            if status < 0:
                return int(status)
            B[bot.IS_FAR] = NEVER + 1 - int(R[bot.WORTH]) // RANK >= FAR
        R[bot.WORTH] = 1.0 if (value != 0) == (B[bot.IS_FAR] != 0) else 0.0
        return bot.KNOWN_NOW
    if kind == bot.OF_NUMBERS:
        if B[bot.SPARE] < 0:
            size = lay_hand(S, P, seat, B)
            spare = give(S, P, seat, M, (1 << size) - 1, bot.NO, size)
            if spare < 0:
                return int(spare)
            B[bot.SPARE] = spare
        R[bot.WORTH] = -float(abs(value - B[bot.SPARE]))
        return bot.KNOWN_NOW
    if kind == bot.OF_SUITS:
        status = take_without_suit(seat, M, value)
        return judged(S, P, seat, M, B[bot.THINKER]) if status >= 0 else int(status)
    return bot.UNSAID


@kernel
def lay_hand(S: Array, P: Array, seat: int, B: Array) -> int:
    """Put the faces of the hand under GIVABLE, in the order of the tile set. How many there are."""
    row, size = P[at.HAND_ROW] + seat, 0
    for number in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        face = P[P[at.FACE] + S[at.ROW + row * at.MOST_TILES + number]]
        spot = bot.GIVABLE + size
        while spot > bot.GIVABLE and P[P[at.PLACE] + B[spot - 1]] > P[P[at.PLACE] + face]:
            B[spot] = B[spot - 1]
            spot -= 1
        B[spot] = face
        size += 1
    return size


@kernel
def take_without_suit(seat: int, M: Any, suit: int) -> int:
    """Look at the hand as if a suit (the number of its name) were given up. WAITS where the host is asked first."""
    B, K, number = M.own, M.known, 0
    entry = K[bot.SUITS] + 1
    while K[entry] != suit:
        entry, number = entry + 2, number + 1
        if number == K[K[bot.SUITS]]:
            return bot.UNSAID
    bars = B[bot.SUIT_BARS + B[bot.BAR] * bot.MOST_SUITS + number]
    if bars == 0:
        B[bot.QUESTION], B[bot.QUESTION + 1], B[bot.QUESTION + 2] = bot.SUIT_BARRED, number, B[bot.BAR]
        return bot.WAITS
    B[bot.BAR] = bars - 1
    for face in range(K[bot.KINDS]):
        if K[entry + 1] >> K[K[bot.PLAIN] + face] & 1:
            while B[bot.FACES + face] > 0:
                lose_face(B, K, face)
    return bot.KNOWN_NOW
