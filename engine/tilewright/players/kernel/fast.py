"""The fast player's decisions (`players.bots.fast`, `players.bots.decision`), over the numbers of a state.

Compiled by numba. `S`, `P`: the state and the image of a play; `B`: the list that players work in; `K`: what is known
of the ruleset; `H`: plans by melds; `A`, `T`, `N`: how far hands are (`hands.distance.flat.kernels`); `scoring`: what
the kernel of scoring takes; `wins`: which worths win with more than nothing. Knows no ruleset."""

from typing import Any

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.hands.distance.flat.kernels import DISTANCE, USEFUL, look_at, look_without
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.machine import random_move, run
from tilewright.play.compiled.kernel.questions import answer, moves_of, next_asked
from tilewright.play.compiled.kernel.tiles import mark_faces, tile_at
from tilewright.players.kernel import layout as bot
from tilewright.players.kernel.reaching import reaches

RANK = 1_000  # more than any number of useful tiles: what one tile of distance weighs


@loop_kernel
def play_on(
    S: Array,
    P: Array,
    image: Array,
    places: Array,
    B: Array,
    K: Array,
    H: Array,
    A: Array,
    T: Array,
    N: Array,
    scoring: Any,
    wins: Array,
) -> int:
    """Play on with the players of `B`. Why it stops."""
    while True:
        if B[bot.RESUMES]:
            B[bot.RESUMES] = 0
        else:
            status = run(S, P, image, places)
            if status != at.ASK:
                return int(status)
        going = False
        while not going:
            seat = next_asked(S, P)
            player = S[at.PLAYER + seat]
            if B[bot.PLAYERS + player] == bot.RANDOM:
                number = random_move(S, P, image, places, seat)
            elif S[at.STEP]:
                number = at.NONE
            else:
                number = fast_move(S, P, seat, B, K, H, A, T, N, scoring, wins)
                if number < 0:
                    B[bot.RESUMES] = 1
                    return bot.DECIDE if number == bot.WAITS else at.FAILED
                B[bot.ANSWERS] = 0
            if number < 0:  # what a step asks, and no kernel answers
                return at.ASK
            going = answer(S, P, seat, number)
        if S[at.MOVES] > at.MOST_MOVES:
            return at.FAILED


# --- what a seat sees


@loop_kernel
def see(S: Array, P: Array, seat: int, B: Array, K: Array) -> int:
    """Count the tiles of the hand, and how many of each may still come. How many there are in the hand."""
    kinds, size = K[bot.KINDS], 0
    counts = at.COUNT + seat * at.MOST_FACES
    for kind in range(kinds):
        B[bot.OWN + kind] = S[counts + kind]
        B[bot.LEFT + kind] = K[K[bot.COPIES] + kind] - S[counts + kind]
        size += S[counts + kind]
    own = P[at.HAND_ROW] + seat
    for tile in range(P[at.FIRST], P[at.TILES]):
        row = S[at.WHERE + tile]
        seen = K[K[bot.SEEN] + row] if row >= 0 and row != own else bot.HIDDEN
        if seen != bot.HIDDEN and (seen | S[at.SHOWN + tile]) >> seat & 1:
            B[bot.LEFT + P[P[at.PLAIN] + tile]] -= 1
    for other in range(P[at.SEATS]):
        for meld in range(S[at.LAID_SIZE + other]):
            spot = at.LAID + (other * at.MOST_MELDS + meld) * at.MELD
            seen = S[spot + at.LAID_SEEN]
            if seen < 0:
                seen = K[K[bot.SEEN] + P[at.MELD_ROW] + other]
            for number in range(S[spot + at.LAID_COUNT]):
                tile = S[spot + at.LAID_TILES + number]
                if (seen | S[at.SHOWN + tile]) >> seat & 1:
                    B[bot.LEFT + P[P[at.PLAIN] + tile]] -= 1
    return int(size)


@loop_kernel
def plan_of(S: Array, seat: int, B: Array, K: Array, H: Array, more: int, without: int) -> int:
    """The plan for the melds of a seat, with one more (a group, twice, and one if it is exposed) and without one of
    them, NONE: neither. WAITS where it is yet to be made."""
    count, melds = 0, bot.MELDS + 1
    for meld in range(S[at.LAID_SIZE + seat] + (more >= 0)):
        if meld == without:
            continue
        if meld == S[at.LAID_SIZE + seat]:
            found = more
        else:
            spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
            found = 2 * S[spot + at.LAID_GROUP] + S[spot + at.LAID_EXPOSED]
        spot = count
        kind = K[K[bot.CLASS_OF] + found]
        while spot > 0 and K[K[bot.CLASS_OF] + B[melds + spot - 1]] > kind:
            B[melds + spot] = B[melds + spot - 1]
            spot -= 1
        B[melds + spot] = found
        count += 1
    B[bot.MELDS] = count
    approach = B[bot.BARRED + seat * bot.BARRED_ROW + 2] if K[bot.BARS] >= 0 else 0
    if count * bot.KEY_BITS > (48 if approach else 60):
        return bot.UNSAID
    key = 1 + approach
    for number in range(count):
        key = key << bot.KEY_BITS | K[K[bot.CLASS_OF] + B[melds + number]]
    spot = spot_of(H, key)
    if H[2 * spot] == key:
        return int(H[2 * spot + 1])
    B[bot.QUESTION], B[bot.QUESTION + 1], B[bot.QUESTION + 2] = bot.PLAN, key, approach
    return bot.WAITS


@loop_kernel
def spot_of(H: Array, key: int) -> int:
    """Where the plan of a key is, or a free place for it."""
    spot = (key ^ key >> 17 ^ key >> 31) % bot.PLANS
    while H[2 * spot] != 0 and H[2 * spot] != key:
        spot = (spot + 1) % bot.PLANS
    return int(spot)


@loop_kernel
def knows_barred(S: Array, seat: int, B: Array, K: Array) -> bool:
    """Whether it is known which tiles bar a hand of the seat from winning, by its marks as they are."""
    spot, bars = bot.BARRED + seat * bot.BARRED_ROW, K[bot.BARS]
    holds = B[spot] != 0
    for number in range(K[bars]):
        mark, of_seat = K[bars + 1 + 2 * number], K[bars + 2 + 2 * number]
        if B[spot + 3 + number] != S[at.MARK + mark * at.MOST_SEATS + of_seat * seat]:
            holds = False
    return bool(holds)


@loop_kernel
def useful_left(B: Array, bits: int, kinds: int) -> int:
    """How many of these tiles may still come."""
    found = 0
    for kind in range(kinds):
        if bits >> kind & 1 and B[bot.LEFT + kind] > 0:
            found += B[bot.LEFT + kind]
    return int(found)


@loop_kernel
def rank(distance: int, left: int) -> int:
    """Of two positions the better one is greater; one that waits for tiles without copies left is further away than it
    seems."""
    if left == 0 and distance > 0:
        distance += 1
    return int(RANK * (NEVER + 1 - distance) + left)


@loop_kernel
def rank_held(
    S: Array, P: Array, seat: int, B: Array, K: Array, A: Array, T: Array, N: Array, plan: int, full: int
) -> int:
    """The rank of the tiles held, the best discard made if the hand is full."""
    kinds = K[bot.KINDS]
    if not full:
        distance = look_at(A, T, N, B, plan, bot.HELD, kinds)
        return rank(distance, useful_left(B, B[USEFUL], kinds))
    wanted = 0
    for kind in range(kinds):
        if B[bot.HELD + kind] > 0:
            wanted |= 1 << kind
    least = look_without(A, T, N, B, plan, bot.HELD, kinds, wanted)
    best = 0
    for kind in range(kinds):
        if wanted >> kind & 1 and B[DISTANCE + kind] == least:
            best = max(best, rank(least, useful_left(B, B[USEFUL + kind], kinds)))
    return int(best)


# --- moves


@loop_kernel
def fast_move(
    S: Array,
    P: Array,
    seat: int,
    B: Array,
    K: Array,
    H: Array,
    A: Array,
    T: Array,
    N: Array,
    scoring: Any,
    wins: Array,
) -> int:
    """The number of the move of a fast player; WAITS if it has a question first, UNSAID if it cannot be found."""
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    if moves_of(S, seat) == 1:
        return 0
    singles, discards = 0, False
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        effect = K[K[bot.EFFECTS] + S[option]]
        if S[option + 1] != at.OWN_TILES:
            if effect & bot.WINS:
                return int(singles)
            singles += 1
        if effect & bot.DISCARDS:
            discards = True
    if see(S, P, seat, B, K) >= K[bot.LARGEST]:
        return bot.UNSAID
    if K[bot.BARS] >= 0 and not knows_barred(S, seat, B, K):
        B[bot.QUESTION], B[bot.QUESTION + 2] = bot.BARS_WINS, seat
        return bot.WAITS
    plan = plan_of(S, seat, B, K, H, at.NONE, at.NONE)
    if plan < 0:
        return int(plan)
    for kind in range(K[bot.KINDS]):
        B[bot.HELD + kind] = B[bot.OWN + kind]
    if discards:
        return fast_turn(S, P, seat, B, K, H, A, T, N, scoring, wins, plan, singles)
    best = at.NONE if S[at.MAY_PASS] == 0 else moves_of(S, seat) - 1
    now = rank_held(S, P, seat, B, K, A, T, N, plan, 0)
    return fast_group(S, P, seat, B, K, H, A, T, N, scoring, wins, best, now, 0)


@loop_kernel
def fast_turn(
    S: Array,
    P: Array,
    seat: int,
    B: Array,
    K: Array,
    H: Array,
    A: Array,
    T: Array,
    N: Array,
    scoring: Any,
    wins: Array,
    plan: int,
    singles: int,
) -> int:
    """The move of a seat that may discard."""
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    kinds, wanted, number, pledge = K[bot.KINDS], 0, 0, at.NONE
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        effect = K[K[bot.EFFECTS] + S[option]]
        if S[option + 1] == at.OWN_TILES:
            for kind in range(kinds):
                if B[bot.OWN + kind] > 0:
                    wanted |= 1 << kind
            continue
        if effect & bot.SETS_ASIDE:
            before = look_at(A, T, N, B, plan, bot.HELD, kinds)
            kind = P[P[at.PLAIN] + S[option + 1]]
            B[bot.HELD + kind] -= 1
            after = look_at(A, T, N, B, plan, bot.HELD, kinds)
            B[bot.HELD + kind] += 1
            if after <= before:
                return int(number)
        if effect & bot.DISCARDS:
            wanted |= 1 << P[P[at.PLAIN] + S[option + 1]]
        if effect & bot.ONLY_PLEDGES and pledge < 0:
            pledge = number
        number += 1
    if K[bot.BARS] >= 0 and wanted & B[bot.BARRED + seat * bot.BARRED_ROW + 1]:
        wanted &= B[bot.BARRED + seat * bot.BARRED_ROW + 1]
    least = look_without(A, T, N, B, plan, bot.HELD, kinds, wanted)
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
        for spot in range(singles):
            tile = discarded(S, P, seat, K, spot, singles)
            effect = K[K[bot.EFFECTS] + S[option_at(S, seat, spot)]]
            if tile >= 0 and P[P[at.FACE] + tile] == face and effect & bot.PLEDGES:
                chosen = spot
                break
        if pledge >= 0:
            return int(pledge)
    return fast_group(S, P, seat, B, K, H, A, T, N, scoring, wins, chosen, best, 1)


@loop_kernel
def option_at(S: Array, seat: int, number: int) -> int:
    """Where the option of a move is that stands for itself."""
    option = at.OPTION + 4 * S[at.OPTION_FIRST + 2 * seat]
    while number > 0 or S[option + 1] == at.OWN_TILES:
        number -= S[option + 1] != at.OWN_TILES
        option += 4
    return int(option)


@loop_kernel
def discarded(S: Array, P: Array, seat: int, K: Array, number: int, singles: int) -> int:
    """The tile that a move discards; NONE if it does not."""
    if number < singles:
        option = option_at(S, seat, number)
        return int(S[option + 1]) if K[K[bot.EFFECTS] + S[option]] & bot.DISCARDS else at.NONE
    number -= singles
    mark_faces(S, P, seat)
    bits, place = S[at.HELD + seat], 0
    while not bits >> place & 1 or number > 0:
        number -= bits >> place & 1
        place += 1
    return int(tile_at(S, P, seat, place, 1))


@loop_kernel
def fast_group(
    S: Array,
    P: Array,
    seat: int,
    B: Array,
    K: Array,
    H: Array,
    A: Array,
    T: Array,
    N: Array,
    scoring: Any,
    wins: Array,
    chosen: int,
    best: int,
    is_turn: int,
) -> int:
    """The move chosen so far, or a group after which the position is better than `best`."""
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    number, asked = -1, 0
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] == at.OWN_TILES:
            continue
        number += 1
        effect = K[K[bot.EFFECTS] + S[option]]
        if not effect & bot.MAKES_MELD:
            continue
        group, concealed = S[option + 1], 1 if effect & bot.IS_CONCEALED else 0
        grown = group >> at.MELD_AT & 15 if group >> at.SOURCE_AT & 3 == at.GROWN_GROUP else at.NONE
        more = 2 * (group & ((1 << at.GROUP_BITS) - 1)) + 1 - concealed
        plan = plan_of(S, seat, B, K, H, more, grown)
        if plan < 0:
            return int(plan)
        size = 0
        for kind in range(K[bot.KINDS]):
            B[bot.HELD + kind] = B[bot.OWN + kind]
            size += B[bot.OWN + kind]
        for tile in range(group >> at.COUNT_AT & 7):
            B[bot.HELD + P[P[at.PLAIN] + (group >> (at.HAND_AT + 8 * tile) & at.NO_TILE) + P[at.FIRST]]] -= 1
            size -= 1
        for meld in range(B[bot.MELDS]):
            size += P[P[at.GROUP_SIZE] + B[bot.MELDS + 1 + meld] // 2]
        here = rank_held(S, P, seat, B, K, A, T, N, plan, P[at.FULL_SIZES] >> size & 1)
        if is_turn:
            if here > best or (effect & bot.DRAWS and here // RANK >= best // RANK and here % RANK > 0):
                chosen, best = number, here
        elif chosen < 0:
            chosen, best = number, here
        elif here > best:
            if K[bot.MINIMUM] != bot.NO_MINIMUM:
                if asked == B[bot.ANSWERS]:
                    B[bot.QUESTION] = bot.REACHES
                    found = bot.WAITS
                    if K[bot.MINIMUM] == bot.ASKS_KERNEL:
                        found = reaches(S, P, seat, B, K, A, T, N, plan, group, concealed, scoring, wins)
                    if found < 0:
                        B[bot.QUESTION + 2], B[bot.QUESTION + 3], B[bot.QUESTION + 4] = seat, group, concealed
                        return bot.WAITS if asked < bot.MOST_ANSWERS else bot.UNSAID
                    B[bot.ANSWERED + asked], B[bot.ANSWERS] = found, asked + 1
                asked += 1
                if not B[bot.ANSWERED + asked - 1]:
                    continue
            chosen, best = number, here
    return int(chosen) if chosen >= 0 else bot.UNSAID
