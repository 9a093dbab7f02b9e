"""Observations over the numbers of a state: what `players.learning.observations` reads off a view.

`K`: what is known of the ruleset; `notes`: those of the table; `scores`: of seats, then of the pot, without what the
state adds to them; `row`: the observation. Compiled by numba. Knows no ruleset."""

import numpy as np
from numpy.typing import NDArray

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import round_table
from tilewright.play.compiled.kernel.tiles import meld_of
from tilewright.players.learning.kernel import layout as learn

Numbers = NDArray[np.float32]
ONE = np.float32(1)


@loop_kernel
def observe(S: Array, P: Array, K: Array, seat: int, notes: Array, scores: NDArray[np.float64], row: Numbers) -> None:
    """Write what a seat sees that is asked."""
    for part in range(K[K[learn.CLEARED]]):
        for spot in range(K[K[learn.CLEARED] + 1 + 2 * part], K[K[learn.CLEARED] + 2 + 2 * part]):
            row[spot] = 0
    shown = 0
    for tile in range(at.SHOWN + P[at.FIRST], at.SHOWN + P[at.TILES]):
        shown |= S[tile]
    entry = K[learn.ZONES] + 1
    for _ in range(K[K[learn.ZONES]]):
        for away in range(K[entry + learn.ZONE_ROWS]):
            owner = round_table(seat + away, P[at.SEATS]) if K[entry + learn.ZONE_ROWS] > 1 else 0
            if K[entry + learn.ZONE_MELDS]:
                see_melds(S, P, K, seat, owner, K[entry + learn.ZONE_FIELD], away, row)
            else:
                see_tiles(S, P, K, seat, owner, entry, away, shown >> seat & 1, row)
                if K[entry + learn.ZONE_LATEST] >= 0:
                    see_latest(S, P, K, seat, owner, entry, away, notes, row)
        entry += learn.ZONE
    tile, drawn = S[at.TILE], S[at.DRAWN + seat]
    if tile >= P[at.FIRST] and is_visible(S, P, K, seat, tile):
        row[K[learn.TILE] + P[P[at.FACE] + tile]] = ONE
    if drawn >= 0 and S[at.WHERE + drawn] == P[at.HAND_ROW] + seat and is_visible(S, P, K, seat, drawn):
        row[K[learn.DRAWN] + P[P[at.FACE] + drawn]] = ONE
    see_course(S, P, K, seat, notes, scores, row)
    see_marks(S, P, K, seat, row)


@loop_kernel
def see_tiles(
    S: Array, P: Array, K: Array, seat: int, owner: int, entry: int, away: int, shown: int, row: Numbers
) -> None:
    """The tiles of a row of a zone. `shown`: whether the seat was shown any tile."""
    place, face, field = K[entry + learn.ZONE_ROW] + owner, P[at.FACE], K[entry + learn.ZONE_FIELD]
    field += away * (K[learn.FACES] + 1)
    sees = K[K[learn.SEEN] + place] >> seat & 1
    tiles = at.ROW + place * at.MOST_TILES
    first, end, hidden = tiles + S[at.ROW_START + place], tiles + S[at.ROW_END + place], 0
    if sees:
        for spot in range(first, end):
            row[field + P[face + S[spot]]] += ONE
    elif shown:
        for spot in range(first, end):
            if S[at.SHOWN + S[spot]] >> seat & 1:
                row[field + P[face + S[spot]]] += ONE
            else:
                hidden += 1
        row[field + K[learn.FACES]] = np.float32(hidden)
    else:
        row[field + K[learn.FACES]] = np.float32(end - first)


@loop_kernel
def see_latest(
    S: Array, P: Array, K: Array, seat: int, owner: int, entry: int, away: int, notes: Array, row: Numbers
) -> None:
    """The latest tiles of a row of a zone, one by one."""
    place, width = K[entry + learn.ZONE_ROW] + owner, K[learn.FACES]
    first, end = S[at.ROW_START + place], S[at.ROW_END + place]
    field = K[entry + learn.ZONE_LATEST] + away * learn.LATEST * width
    noted = learn.LATEST_TOLD + K[entry + learn.ZONE_NOTED] + away * learn.LATEST
    for back in range(learn.LATEST):
        if notes[noted + back] != at.NONE:
            row[notes[noted + back]] = 0
            notes[noted + back] = at.NONE
        if back < end - first:
            tile = S[at.ROW + place * at.MOST_TILES + end - 1 - back]
            if (K[K[learn.SEEN] + place] | S[at.SHOWN + tile]) >> seat & 1:
                notes[noted + back] = field + back * width + P[P[at.FACE] + tile]
                row[notes[noted + back]] = ONE


@loop_kernel
def see_melds(S: Array, P: Array, K: Array, seat: int, owner: int, zone: int, away: int, row: Numbers) -> None:
    """The groups of a seat on the table."""
    field, groups = zone + away * (K[learn.FACES] + 1), K[learn.GROUPS] + 2 * away
    for meld in range(S[at.LAID_SIZE + owner]):
        laid = at.LAID + (owner * at.MOST_MELDS + meld) * at.MELD
        row[groups + (0 if S[laid + at.LAID_EXPOSED] else 1)] += ONE
        seen = seers_of_meld(S, P, K, owner, laid)
        for spot in range(laid + at.LAID_TILES, laid + at.LAID_TILES + S[laid + at.LAID_COUNT]):
            if (seen | S[at.SHOWN + S[spot]]) >> seat & 1:
                row[field + P[P[at.FACE] + S[spot]]] += ONE
            else:
                row[field + K[learn.FACES]] += ONE


@loop_kernel
def seers_of_meld(S: Array, P: Array, K: Array, owner: int, laid: int) -> int:
    """The seats that see a meld, as bits."""
    seen = S[laid + at.LAID_SEEN]
    return int(K[K[learn.SEEN] + P[at.MELD_ROW] + owner] if seen < 0 else seen)


@loop_kernel
def is_visible(S: Array, P: Array, K: Array, seat: int, tile: int) -> bool:
    """Whether a seat sees a tile where it lies."""
    place, seen = S[at.WHERE + tile], S[at.SHOWN + tile]
    if place == at.NONE:
        return False
    if place >= 0:
        seen |= K[K[learn.SEEN] + place]
    else:
        owner = at.IN_MELDS - place
        seen |= seers_of_meld(S, P, K, owner, meld_of(S, owner, tile))
    return bool(seen >> seat & 1)


@loop_kernel
def see_course(
    S: Array, P: Array, K: Array, seat: int, notes: Array, scores: NDArray[np.float64], row: Numbers
) -> None:
    """Seats, scores, and what is asked."""
    seats = P[at.SEATS]
    for away in range(seats):
        other = round_table(seat + away, seats)
        if S[at.DISCARDER] == other:
            row[K[learn.DISCARDER] + away] = ONE
        if S[at.TURN] == other:
            row[K[learn.TURN] + away] = ONE
        if S[at.PLAYING] >> other & 1:
            row[K[learn.PLAYING] + away] = ONE
        if S[at.WINNERS] >> other & 1:
            row[K[learn.WINNERS] + away] = ONE
        row[K[learn.SCORES] + away] = scores[other] + S[at.SCORE + other]
    row[K[learn.POT]] = scores[seats] + S[at.SCORE + seats]
    row[K[learn.PLACE] + seat] = ONE
    row[K[learn.ROUND] + notes[learn.ROUND_NOW]] = ONE
    row[K[learn.PHASE] + phase_of(S)] = ONE
    if S[at.STEP]:
        row[K[K[learn.ASKS_FIELDS] + S[at.STEP] - 1]] = ONE
    row[K[learn.ASKED]] = ONE
    for number in range(notes[learn.CHOSEN]):
        row[K[learn.BEGUN] + notes[learn.ACTIONS + number]] += ONE


@loop_kernel
def phase_of(S: Array) -> int:
    """The phase that steps are in."""
    fields = at.FIELDS + S[at.DEPTH] * at.FRAME_FIELDS
    while S[fields + at.PHASE] < 0:
        fields -= at.FRAME_FIELDS
    return int(S[fields + at.PHASE])


@loop_kernel
def see_marks(S: Array, P: Array, K: Array, seat: int, row: Numbers) -> None:
    """The values of marks that the seat sees."""
    entry, seats = K[learn.MARKS] + 1, P[at.SEATS]
    for _ in range(K[K[learn.MARKS]]):
        type, rows, width = K[entry + learn.MARK_TYPE], K[entry + learn.MARK_ROWS], K[entry + learn.MARK_WIDTH]
        first, field = K[entry + learn.MARK] * at.MOST_SEATS, K[entry + learn.MARK_FIELD]
        if K[entry + learn.MARK_SECRET]:
            rows = 1 if rows > 1 else 0  # the own one, or none
        of_seat = K[entry + learn.MARK_ROWS] > 1
        for away in range(rows):
            spot = first + (round_table(seat + away, seats) if of_seat else 0)
            value = S[at.MARK + spot]
            if type == learn.TRUTH:
                if value > 0:
                    row[field] = ONE
            elif value != at.UNSET:
                see_mark(S, P, K, seat, type, spot, value, field, row)
            field += width
        entry += learn.MARK_ENTRY


@loop_kernel
def see_mark(
    S: Array, P: Array, K: Array, seat: int, type: int, spot: int, value: int, field: int, row: Numbers
) -> None:
    """The value of a mark that is no truth."""
    if type == learn.NUMBER:
        row[field] = value
    elif type == learn.SEAT:
        if value >= 0:
            row[field + round_table(value + P[at.SEATS] - seat, P[at.SEATS])] = ONE
    elif type == learn.SUIT:
        if K[K[learn.SUITS] + value] >= 0:
            row[field + K[K[learn.SUITS] + value]] = ONE
    else:
        tiles = at.MARK_TILES + spot * at.MARK_LIST
        for number in range(tiles + 1, tiles + 1 + S[tiles]):
            row[field + P[P[at.FACE] + S[number]]] += ONE
