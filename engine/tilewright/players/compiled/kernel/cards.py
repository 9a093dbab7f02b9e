"""Hands that are listed, as on a card, over the numbers of a state: which ones a seat may still make, the prospects of
a careful player in them (`players.careful.cards`), and whose hand is dead (`players.bots.decision`).

Letters as in `danger`. Knows no ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance.flat import listed
from tilewright.hands.distance.flat.listed import (
    NOWHERE,
    all_fixed_of,
    all_free_of,
    choose,
    end_of,
    fixed_of,
    free_of,
    hurting,
    kind_of,
    may_be_made,
    missing_of,
    wild_held,
)
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import layout as at
from tilewright.players.careful.cards import WITHIN
from tilewright.players.careful.chances import completed, pace
from tilewright.players.careful.strong import PAID
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel import weights as weight
from tilewright.players.compiled.kernel.forecasts import forecast_row
from tilewright.players.compiled.kernel.seeing import plan_of, plan_with, see_melds, see_there

# --- which hands may be made


@kernel
def rows_of(A: Array, plan: int) -> int:
    """Where the list of a plan is; NONE without one."""
    at_list = plan + 1 + A[plan]
    return int(A[at_list + 1]) if A[at_list] else at.NONE


@kernel
def may_still_be(A: Array, B: Array, place: int, row: int) -> bool:
    """Whether a row can be made of the tiles that are AVAILABLE."""
    if not may_be_made(A, B, row, bot.LIMITS):
        return False
    lacks, bits, kind = 0, A[place + listed.WILD], 0
    while bits:
        if bits & 1:
            lacks -= B[bot.AVAILABLE + kind]
        bits, kind = bits >> 1, kind + 1
    for entry in range(row + listed.ENTRIES, end_of(A, row)):
        fixed, free = all_fixed_of(A[entry]), all_free_of(A[entry])
        lacks += max(free - max(B[bot.AVAILABLE + kind_of(A[entry])] - fixed, 0), 0)
    return bool(lacks <= 0)


@kernel
def limit(B: Array, K: Array, kind: int, available: int) -> None:
    """Note how many of a kind are available, those of the melds among them."""
    melded = K[K[bot.COPIES] + kind] - B[listed.THERE + kind]
    B[bot.AVAILABLE + kind], B[bot.LIMITS + kind] = available, max(available - melded, 0)


@kernel
def choose_limits(A: Array, B: Array, place: int) -> None:
    """Note the same of choices."""
    choose(A, B, place, bot.AVAILABLE, NOWHERE)
    choose(A, B, place, bot.LIMITS, NOWHERE)


# --- prospects


@kernel
def see_outlook(S: Array, P: Array, seat: int, M: Any) -> int:
    """Find how far the position that is looked at is from the nearest rows that can still be made, under OUTLOOK_FAR
    and MISSING. WAITS where the host is asked first."""
    A, B, K = M.ways, M.own, M.known
    plan = plan_of(S, seat, M, 0)
    if plan < 0:
        return int(plan)
    B[bot.OUTLOOKS], B[bot.OUTLOOK_FAR] = 0, NEVER
    place = rows_of(A, plan)
    if place < 0:
        return bot.KNOWN_NOW
    for kind in range(K[bot.KINDS]):
        copies = K[K[bot.COPIES] + kind]
        own = B[bot.HELD + kind] + copies - B[listed.THERE + kind]
        gone = max(max(copies - max(B[bot.LEFT + kind], 0), 0) - own, 0)
        limit(B, K, kind, max(copies - gone, 0))
    choose_limits(A, B, place)
    choose(A, B, place, bot.HELD, bot.LEFT)
    wild, least = wild_held(A, B, place, bot.HELD), NEVER
    for number in range(A[place + listed.ROWS]):
        row, missing = A[place + listed.STARTS + number], NEVER
        if may_still_be(A, B, place, row):
            missing = missing_of(A, B, row, bot.HELD, wild, least + WITHIN)
            least = min(least, missing)
        B[listed.MISSING + number] = missing
    B[bot.OUTLOOK_FAR], B[bot.OUTLOOK_AT], B[bot.OUTLOOKS] = least, place, least < NEVER
    return bot.KNOWN_NOW


@kernel
def live_of(M: Any, row: int, wild: int) -> int:
    """How many tiles that nobody has seen would bring the hand nearer to a row."""
    A, B = M.ways, M.own
    lacking, short, places = 0, 0, 0
    for entry in range(row + listed.ENTRIES, end_of(A, row)):
        kind = kind_of(A[entry])
        spare, left = B[bot.HELD + kind] - fixed_of(A[entry]), max(B[bot.LEFT + kind], 0)
        free = free_of(A[entry]) - max(spare, 0)
        if spare < 0:
            lacking += left
        elif free > 0:
            short += left
        places += max(free, 0)
    if places <= wild:
        return int(lacking)
    bits, kind = A[B[bot.OUTLOOK_AT] + listed.WILD], 0
    while bits:
        if bits & 1:
            lacking += max(B[bot.LEFT + kind], 0)
        bits, kind = bits >> 1, kind + 1
    return int(lacking + short)


@kernel
def likely_made(M: Any, missing: int, live: int, closed: int) -> float:
    """How likely a row is made that misses so many tiles (`players.careful.odds.prospect_of_listed`)."""
    B, R = M.own, M.reals
    if missing == 0:
        return 1.0
    if missing > bot.MOST_FAR:
        return 0.0
    claims = R[weight.DRAWS] if closed else R[weight.CLAIMS]
    for step in range(1, missing + 1):
        R[bot.PACES + step - 1] = pace(step, live * step / missing, B[bot.UNSEEN], claims, R[weight.WIN])
    return completed(R, bot.STILL_OPEN, B[bot.TURNS_LEFT], bot.PACES, missing, bot.STEPS)


@kernel
def weigh_rows(M: Any, wanted: int) -> None:
    """Sum up under LISTED_SUMS the prospects of the nearest rows, without one of each of these kinds (bits), and with
    all tiles."""
    A, B, R, K, place = M.ways, M.own, M.reals, M.known, M.own[bot.OUTLOOK_AT]
    wild, everything = wild_held(A, B, place, bot.HELD), bot.LISTED_SUMS + at.MOST_FACES
    for kind in range(at.MOST_FACES + 1):
        R[bot.LISTED_SUMS + kind] = 0.0
    for number in range(A[place + listed.ROWS]):
        row, missing = A[place + listed.STARTS + number], B[listed.MISSING + number]
        if missing > B[bot.OUTLOOK_FAR] + WITHIN:
            continue
        if B[bot.FORECASTS]:
            forecast_row(M, row, wild, wanted)
            continue
        live, appeal = live_of(M, row, wild), R[K[bot.APPEALS] + A[row + listed.NUMBER]]
        closed = A[row + listed.CLOSED]
        here = (likely_made(M, missing, live, closed) * appeal) ** R[bot.ALIKE]
        R[everything] += here
        worse, without = wanted & hurting(A, B, place, row, bot.HELD, wild), 0.0
        if worse:
            without = (likely_made(M, missing + 1, live, closed) * appeal) ** R[bot.ALIKE]
        for kind in range(K[bot.KINDS] if wanted else 0):
            if wanted >> kind & 1:
                R[bot.LISTED_SUMS + kind] += without if worse >> kind & 1 else here


@kernel
def promise_rows(S: Array, P: Array, seat: int, M: Any) -> int:
    """Find the prospects of listed hands in the position that is looked at, behind those of its hopes."""
    B, R = M.own, M.reals
    status = see_outlook(S, P, seat, M)
    if status < 0 or B[bot.OUTLOOKS] == 0:
        return int(status)
    weigh_rows(M, bot.NO)
    R[bot.PROMISES + B[bot.HOPES_FOUND]] = R[bot.LISTED_SUMS + at.MOST_FACES] ** (1.0 / R[bot.ALIKE])
    return bot.KNOWN_NOW


@kernel
def promise_rows_without(S: Array, P: Array, seat: int, M: Any, wanted: int) -> int:
    """The same after the discard of each face of these kinds (bits)."""
    B, R, K = M.own, M.reals, M.known
    status = see_outlook(S, P, seat, M)
    if B[bot.FORECASTS]:
        R[bot.LOSS_NOW] = PAID * R[bot.USUAL_WORTH]
    if status < 0 or B[bot.OUTLOOKS] == 0:
        return int(status)
    weigh_rows(M, wanted)
    everything = R[bot.LISTED_SUMS + at.MOST_FACES] ** (1.0 / R[bot.ALIKE])
    if B[bot.FORECASTS]:
        own = (everything ** R[weight.BEST]) ** (1.0 / R[weight.BEST])
        R[bot.LOSS_NOW] = PAID * R[bot.USUAL_WORTH] + own
    for kind in range(K[bot.KINDS]):
        R[bot.LISTED_SUMS + kind] = R[bot.LISTED_SUMS + kind] ** (1.0 / R[bot.ALIKE])
    for face in range(K[bot.KINDS]):
        promised = R[bot.LISTED_SUMS + K[K[bot.PLAIN] + face]]
        R[bot.PROMISES + face * bot.PROMISED_EACH + B[bot.HOPES_FOUND]] = promised
    return bot.KNOWN_NOW


@kernel
def is_listed_harmless(S: Array, P: Array, seat: int, M: Any, kind: int) -> int:
    """Whether the nearest row is as near without a tile; also where there is none. WAITS where the host is asked
    first."""
    A, B = M.ways, M.own
    status = see_outlook(S, P, seat, M)
    if status < 0 or B[bot.OUTLOOKS] == 0:
        return 1 if status >= 0 else int(status)
    place = B[bot.OUTLOOK_AT]
    wild = wild_held(A, B, place, bot.HELD)
    for number in range(A[place + listed.ROWS]):
        if B[listed.MISSING + number] == B[bot.OUTLOOK_FAR]:
            row = A[place + listed.STARTS + number]
            if not hurting(A, B, place, row, bot.HELD, wild) >> kind & 1:
                return 1
    return 0


# --- the hands of others


@kernel
def see_shares(S: Array, P: Array, seat: int, M: Any) -> int:
    """Find for each other seat, and each tile, the share of the listed hands in which it is that the seat can still
    make. WAITS where the host is asked first."""
    A, B, R, K = M.ways, M.own, M.reals, M.known
    for other in range(P[at.SEATS]):
        if other == seat or not S[at.PLAYING] >> other & 1:
            continue
        shares = bot.SHARES + other * at.MOST_FACES
        for kind in range(at.MOST_FACES):
            R[shares + kind] = 0.0
        plan = plan_with(S, other, M, bot.NO, at.NONE, at.NONE)
        if plan < 0:
            return int(plan)
        place, count = rows_of(A, plan), 0
        see_there(S, P, other, B, K)
        if place >= 0:
            choose(A, B, place, listed.THERE, NOWHERE)
        for number in range(A[place + listed.ROWS] if place >= 0 else 0):
            row = A[place + listed.STARTS + number]
            if not may_be_made(A, B, row, listed.THERE):
                continue
            count += 1
            for entry in range(row + listed.ENTRIES, end_of(A, row)):
                if fixed_of(A[entry]) + free_of(A[entry]) > 0:
                    R[shares + kind_of(A[entry])] += 1.0
        for kind in range(at.MOST_FACES if count else 0):
            R[shares + kind] /= count
        if count:
            share_choices(A, R, place, shares)
    return bot.KNOWN_NOW


@kernel
def share_choices(A: Array, R: Array, place: int, shares: int) -> None:
    """Give each kind of a choice its part of the share of the choice."""
    spot = A[place + listed.CHOICES]
    for choice in range(spot + 1, spot + 1 + listed.OF_CHOICE * A[spot], listed.OF_CHOICE):
        members, bits, kind = 0, A[choice + listed.MEMBERS], 0
        while bits:
            members, bits = members + (bits & 1), bits >> 1
        bits = A[choice + listed.MEMBERS]
        while bits:
            if bits & 1:
                R[shares + kind] += R[shares + A[choice + listed.CHOICE]] / members
            bits, kind = bits >> 1, kind + 1


@kernel
def right_accusation(S: Array, P: Array, seat: int, M: Any) -> int:
    """The number of the first move that accuses a seat, or a hand of it, that visibly cannot make any form; NONE: there
    is none; less: the host is asked first."""
    first, end, number = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1], 0
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        if S[option + 1] == at.OWN_TILES:
            continue
        if M.known[M.known[bot.EFFECTS] + S[option]] & bot.ACCUSES:
            M.own[bot.OF_HAND] = S[option + 3] if M.known[bot.HANDS] > 1 else 0
            found = is_dead(S, P, seat, M, S[option + 1])
            M.own[bot.OF_HAND] = 0
            if found:
                return number if found > 0 else at.NONE - 1
        number += 1
    return at.NONE


@kernel
def is_dead(S: Array, P: Array, seat: int, M: Any, accused: int) -> int:
    """Whether a seat has melds OF_HAND and can make no listed hand with them, of the tiles that everyone does not see.
    WAITS where the host is asked first."""
    A, B, K = M.ways, M.own, M.known
    plan = plan_with(S, accused, M, bot.NO, at.NONE, at.NONE)
    if plan < 0 or B[bot.MELDS] == 0:
        return int(min(plan, 0))
    place, everyone = rows_of(A, plan), (1 << P[at.SEATS]) - 1
    see_there(S, P, accused, B, K)
    for kind in range(K[bot.KINDS]):
        B[bot.AVAILABLE + kind] = K[K[bot.COPIES] + kind]
    for row in range(at.MOST_ROWS):
        if K[K[bot.SEEN] + row] != everyone:
            continue
        tiles = at.ROW + row * at.MOST_TILES
        for spot in range(tiles + S[at.ROW_START + row], tiles + S[at.ROW_END + row]):
            B[bot.AVAILABLE + P[P[at.PLAIN] + S[spot]]] -= 1
    see_melds(S, P, seat, B, K, accused, bot.AVAILABLE)
    for kind in range(K[bot.KINDS]):
        limit(B, K, kind, max(B[bot.AVAILABLE + kind], 0))
    if place >= 0:
        choose_limits(A, B, place)
    for number in range(A[place + listed.ROWS] if place >= 0 else 0):
        if may_still_be(A, B, place, A[place + listed.STARTS + number]):
            return 0
    return 1
