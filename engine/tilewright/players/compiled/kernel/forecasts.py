"""How likely listed hands are to be made, tile by tile (`players.careful.forecasts`), over the numbers of a state.

The same arithmetic as there, in the same order. Letters as in `danger`. Knows no ruleset."""

from math import exp, floor
from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.hands.distance.flat import listed
from tilewright.hands.distance.flat.listed import choose, chosen, end_of, fixed_of, free_of, kind_of
from tilewright.play.compiled.kernel import layout as at
from tilewright.players.careful.chances import faded
from tilewright.players.careful.forecasts import (
    CALLED,
    CALLED_LAST,
    ENDS,
    LOOKS,
    MOST,
    MOST_DRAWN,
    NEVER_YET,
    READY,
)
from tilewright.players.compiled.kernel import layout as bot

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
