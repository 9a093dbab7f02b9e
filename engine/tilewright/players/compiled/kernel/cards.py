"""Hands that are listed, as on a card, over the numbers of a state: which ones a seat may still make, the prospects of
a careful player in them, how likely they are to be made, tile by tile (`players.bots.forecasts`, the same arithmetic in
the same order), and whose hand is dead (`players.bots.decision`). Letters as in `prospects`. Knows no ruleset.
"""

from math import exp, floor
from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance import flat_listed as listed
from tilewright.hands.distance.flat_listed import (
    NOWHERE,
    all_fixed_of,
    all_free_of,
    choose,
    chosen,
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
from tilewright.players.bots.careful import PAID
from tilewright.players.bots.chances import completed, faded, pace
from tilewright.players.bots.forecasts import (
    CALLED,
    CALLED_LAST,
    ENDS,
    LOOKS,
    MOST,
    MOST_DRAWN,
    NEVER_YET,
    READY,
    WITHIN,
)
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel import weights as weight
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
    """How likely a row is made that misses so many tiles (`players.bots.odds.prospect_of_listed`)."""
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


# --- times


@kernel
def see_times(B: Array, R: Array) -> None:
    """Note some of the turns that are left, and how likely tiles have come by each."""
    gone, left = B[bot.TURNS_GONE], max(1, B[bot.TURNS_LEFT] - 1)
    looks = min(left, LOOKS)
    B[bot.TURNS_SEEN] = looks + 1
    for look in range(looks + 1):
        R[bot.TURN_OF + look] = nearest_even(look * (left / looks)) if look < looks else float(left)
    ready, each, before, look = READY * (gone + B[bot.TURNS_LEFT] - 1) - gone, 1.0, 0.0, 0
    for turn in range(left + 1):
        if R[bot.TURN_OF + look] == turn:
            R[bot.OPEN_AT + look] = before
            look += 1
        each *= 1 - ENDS / (1 + exp(ready - turn))
        before += each
    for look in range(looks):
        width = R[bot.TURN_OF + look + 1] - R[bot.TURN_OF + look]
        R[bot.OPEN_AT + look] = (R[bot.OPEN_AT + look + 1] - R[bot.OPEN_AT + look]) / width
    for look in range(looks + 1):
        turns = R[bot.TURN_OF + look]
        part = (gone + turns / 2) / (gone + left)
        R[bot.CALLED_BY + look] = turns * (CALLED + (CALLED_LAST - CALLED) * part)
        see_counts(R, look, turns, R[bot.CALLED_BY + look], B[bot.UNSEEN])


@kernel
def nearest_even(number: float) -> float:
    """The number rounded; from halfway to the even one."""
    whole = floor(number)
    rest = number - whole
    if rest > 0.5 or (rest == 0.5 and whole % 2 == 1):
        whole += 1
    return float(whole)


@kernel
def count_at(way: int, tiles: int, number: int) -> int:
    """Where among COUNTS it stands how likely so many of these tiles have come."""
    return ((way * bot.MOST_COME + tiles) * bot.MOST_COME + number) * bot.MOST_TURNS


@kernel
def see_counts(R: Array, look: int, turns: float, called: float, unseen: int) -> None:
    """Note how likely a number of tiles, and so many or more, have come at a look."""
    last = turns / (turns + called) if turns + called > 0 else 1.0
    for way in range(MOST + 1):
        rate = way / (way - 1 + last) if way else 1.0
        share = min(1.0, rate * turns / unseen)
        for tiles in range(MOST + 1):
            for number in range(MOST + 1):
                found = 1.0 if number == 0 else 0.0
                if tiles:
                    before = bot.COUNTS + look + count_at(way, tiles - 1, number)
                    found = R[before] * (1 - share)
                    if number:
                        found += R[before - bot.MOST_TURNS] * share
                R[bot.COUNTS + look + count_at(way, tiles, number)] = found
            found = 0.0
            for number in range(MOST, -1, -1):
                found += R[bot.COUNTS + look + count_at(way, tiles, number)]
                R[bot.AT_LEAST + look + count_at(way, tiles, number)] = found


# --- rows


@kernel
def forecast_row(M: Any, row: int, wild: int, wanted: int) -> None:
    """Add the prospects of a row to LISTED_SUMS: with all tiles, and without one of each of these kinds (bits)."""
    A, B, R, K = M.ways, M.own, M.reals, M.known
    place = B[bot.OUTLOOK_AT]
    bits, kind = A[place + listed.WILD], 0
    changed, wild_left, laid = wanted & bits, 0, False
    while bits:
        if bits & 1:
            wild_left += max(B[bot.LEFT + kind], 0)
            laid = laid or B[listed.THERE + kind] < K[K[bot.COPIES] + kind]
        bits, kind = bits >> 1, kind + 1
    for entry in range(row + listed.ENTRIES, end_of(A, row)):
        kind, fixed, free = kind_of(A[entry]), fixed_of(A[entry]), free_of(A[entry])
        if fixed + free > 0 and B[bot.HELD + kind] - fixed <= free:
            changed |= 1 << kind
    changed = wanted & chosen(A, B, place, bot.HELD, changed, True)
    here = value_of(M, row, wild, wild_left, laid) ** R[bot.ALIKE]
    R[bot.LISTED_SUMS + at.MOST_FACES] += here
    for kind in range(K[bot.KINDS] if wanted else 0):
        if not wanted >> kind & 1:
            continue
        without = here
        if changed >> kind & 1:
            B[bot.HELD + kind] -= 1
            choose(A, B, place, bot.HELD, listed.NOWHERE)
            fewer = wild - (A[place + listed.WILD] >> kind & 1)
            without = value_of(M, row, fewer, wild_left, laid) ** R[bot.ALIKE]
            B[bot.HELD + kind] += 1
            choose(A, B, place, bot.HELD, listed.NOWHERE)
        R[bot.LISTED_SUMS + kind] += without


@kernel
def value_of(M: Any, row: int, wild: int, wild_left: int, laid: bool) -> float:
    """The prospects of a row: what it is worth, by how likely it is won; it is worth more if no wild tile comes."""
    A, B, R, K = M.ways, M.own, M.reals, M.known
    place = K[bot.WORTHS_OF_ROWS] + A[row + listed.NUMBER]
    with_wild, natural = R[place], R[place + K[bot.ROWS]]
    turns = B[bot.TURNS_SEEN]
    see_fixed(A, B, R, row, turns)
    see_free(A, B, R, row, wild, turns)
    for turn in range(turns):
        ready = last = within = 0.0
        for number in range(MOST_DRAWN + 1):
            have, drawn = min(wild + number, MOST), R[bot.COUNTS + turn + count_at(0, min(wild_left, MOST), number)]
            within = 0.0
            for place in range(have + 1):
                within += R[bot.FREE_PLACES + place * bot.MOST_TURNS + turn]
            ready += within * drawn
            if have < MOST:
                last += R[bot.FREE_PLACES + (have + 1) * bot.MOST_TURNS + turn] * drawn
        none, one = R[bot.NONE_FIXED + turn], R[bot.ONE_FIXED + turn]
        R[bot.MADE + turn] = none * ready
        R[bot.WAITING + turn] = ready * one
        if A[row + listed.CLOSED]:
            R[bot.WAITING + turn] += none * last * 2.0
    value = won(B, R, turns) * with_wild
    if wild > 0 or laid:
        return float(value)
    for turn in range(turns):
        R[bot.MADE + turn] = R[bot.NONE_FIXED + turn] * R[bot.FREE_PLACES + turn]
        R[bot.WAITING + turn] = R[bot.FREE_PLACES + turn] * R[bot.ONE_FIXED + turn]
    return float(value + won(B, R, turns) * (natural - with_wild))


@kernel
def see_fixed(A: Array, B: Array, R: Array, row: int, turns: int) -> None:
    """Note how likely no tile is missing where no wild tile may stand by each turn; and how likely one is, times the
    copies of it."""
    for turn in range(turns):
        none, ratios = 1.0, 0.0
        for entry in range(row + listed.ENTRIES, end_of(A, row)):
            kind = kind_of(A[entry])
            lacks = min(fixed_of(A[entry]) - B[bot.HELD + kind], MOST)
            if lacks <= 0:
                continue
            left = min(max(B[bot.LEFT + kind], 0), MOST)
            enough = max(R[bot.AT_LEAST + turn + count_at(0, left, lacks)], NEVER_YET)
            none *= enough
            ratios += R[bot.COUNTS + turn + count_at(0, left, lacks - 1)] * max(left - lacks + 1, 0) / enough
        R[bot.NONE_FIXED + turn], R[bot.ONE_FIXED + turn] = none, none * ratios


@kernel
def see_free(A: Array, B: Array, R: Array, row: int, wild: int, turns: int) -> None:
    """Note how likely so many places are left where wild tiles may stand by each turn."""
    for number in range(bot.MOST_COME):
        for turn in range(turns):
            R[bot.FREE_PLACES + number * bot.MOST_TURNS + turn] = 1.0 if number == 0 else 0.0
    for entry in range(row + listed.ENTRIES, end_of(A, row)):
        kind = kind_of(A[entry])
        spare = B[bot.HELD + kind] - fixed_of(A[entry])
        most = min(free_of(A[entry]) - max(spare, 0), MOST)
        if most <= 0:
            continue
        left = max(min(max(B[bot.LEFT + kind], 0), MOST) - max(-spare, 0), 0)
        way = 0 if A[row + listed.CLOSED] else max(most - wild, 1)
        for turn in range(turns):
            for number in range(MOST, -1, -1):
                place = bot.FREE_PLACES + number * bot.MOST_TURNS + turn
                found = R[place] * R[bot.AT_LEAST + turn + count_at(way, left, most)]
                for missing in range(1, min(most, number) + 1):
                    come = R[bot.COUNTS + turn + count_at(way, left, most - missing)]
                    found += R[place - missing * bot.MOST_TURNS] * come
                R[place] = found


@kernel
def won(B: Array, R: Array, turns: int) -> float:
    """How likely a row wins. MADE: how likely draws have made it by each turn; WAITING: how likely one tile is missing
    that must be drawn or win, times the copies of it."""
    before, stays, total = 1.0 * (1.0 - R[bot.MADE]), 1.0, 0.0
    for turn in range(turns - 1):
        made, more = R[bot.MADE + turn], R[bot.MADE + turn + 1]
        yet, later = max(1.0 - made, NEVER_YET), max(1.0 - more, NEVER_YET)
        drawn = (more - made) / yet
        share = (R[bot.WAITING + turn + 1] / later + R[bot.WAITING + turn] / yet) / 2
        called = R[bot.CALLED_BY + turn + 1] - R[bot.CALLED_BY + turn]
        stays *= min(max(1.0 - drawn, 0.0), 1.0) * faded(share * called / B[bot.UNSEEN])
        after = stays * (1.0 - R[bot.MADE])
        total += (before - after) * R[bot.OPEN_AT + turn]
        before = after
    return float(R[bot.MADE] + total)
