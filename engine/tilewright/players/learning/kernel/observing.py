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
    forget(K, notes, row)
    shown = notes[learn.SHOWN_TOLD] = was_shown_any(S, P, seat)
    view = K[K[learn.VIEWS] + seat]
    for entry in range(view + 1, view + 1 + learn.VIEW * K[view], learn.VIEW):
        if K[entry + learn.VIEW_SEES] == learn.MELDS:
            see_melds(S, P, K, seat, entry, row)
        else:
            see_tiles(S, P, K, seat, entry, shown, row)
            if K[entry + learn.VIEW_LATEST] >= 0:
                see_latest(S, P, K, seat, entry, notes, row)
    see_course(S, P, K, seat, notes, scores, row)
    see_single_tiles(S, P, K, seat, notes, row)
    see_begun(K, notes, row)
    see_marks(S, P, K, seat, row)


@loop_kernel
def forget(K: Array, notes: Array, row: Numbers) -> None:
    """Clear what the last observation has told, but for the latest tiles."""
    clear(K, K[learn.CLEARED], row)
    if notes[learn.SHOWN_TOLD]:
        clear(K, K[learn.CLEARED_SHOWN], row)
    for told in range(learn.TILE_TOLD, learn.DRAWN_TOLD + 1):
        row[notes[told]] = 0
    for number in range(notes[learn.BEGUN_TOLD]):
        row[K[learn.BEGUN] + notes[learn.ACTIONS + number]] = 0


@loop_kernel
def clear(K: Array, parts: int, row: Numbers) -> None:
    """Clear the parts that are listed there."""
    for part in range(parts + 1, parts + 1 + 2 * K[parts], 2):
        for spot in range(K[part], K[part + 1]):
            row[spot] = 0


@loop_kernel
def was_shown_any(S: Array, P: Array, seat: int) -> int:
    """Whether a seat was shown any tile."""
    shown = 0
    for tile in range(at.SHOWN + P[at.FIRST], at.SHOWN + P[at.TILES]):
        shown |= S[tile]
    return int(shown >> seat & 1)


@loop_kernel
def see_tiles(S: Array, P: Array, K: Array, seat: int, entry: int, shown: int, row: Numbers) -> None:
    """The tiles of a row of a zone. `shown`: whether the seat was shown any tile."""
    place, field, face, hidden = K[entry + learn.VIEW_ROW], K[entry + learn.VIEW_FIELD], P[at.FACE], 0
    tiles = at.ROW + place * at.MOST_TILES
    first, end = tiles + S[at.ROW_START + place], tiles + S[at.ROW_END + place]
    if K[entry + learn.VIEW_SEES] == learn.ALL:
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
def see_latest(S: Array, P: Array, K: Array, seat: int, entry: int, notes: Array, row: Numbers) -> None:
    """The latest tiles of a row of a zone, one by one."""
    place, field, face, width = K[entry + learn.VIEW_ROW], K[entry + learn.VIEW_LATEST], P[at.FACE], K[learn.FACES]
    told, every = K[entry + learn.VIEW_NOTED], K[entry + learn.VIEW_SEES] == learn.ALL
    first = at.ROW + place * at.MOST_TILES + S[at.ROW_START + place]
    last = first - S[at.ROW_START + place] + S[at.ROW_END + place] - 1
    for spot in range(last, last - learn.LATEST, -1):
        row[notes[told]] = 0
        here = field
        if spot >= first and (every or S[at.SHOWN + S[spot]] >> seat & 1):
            here += P[face + S[spot]]
            row[here] = ONE
        notes[told] = here
        told, field = told + 1, field + width


@loop_kernel
def see_melds(S: Array, P: Array, K: Array, seat: int, entry: int, row: Numbers) -> None:
    """The groups of a seat on the table."""
    field, groups, face = K[entry + learn.VIEW_FIELD], K[entry + learn.VIEW_GROUPS], P[at.FACE]
    owner = K[entry + learn.VIEW_ROW] - P[at.MELD_ROW]
    for meld in range(S[at.LAID_SIZE + owner]):
        laid = at.LAID + (owner * at.MOST_MELDS + meld) * at.MELD
        row[groups + (0 if S[laid + at.LAID_EXPOSED] else 1)] += ONE
        seen = seers_of_meld(S, P, K, owner, laid)
        for spot in range(laid + at.LAID_TILES, laid + at.LAID_TILES + S[laid + at.LAID_COUNT]):
            if (seen | S[at.SHOWN + S[spot]]) >> seat & 1:
                row[field + P[face + S[spot]]] += ONE
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
def see_single_tiles(S: Array, P: Array, K: Array, seat: int, notes: Array, row: Numbers) -> None:
    """The tile in question, and the one that the seat drew last, as far as it sees them."""
    tile, drawn, face = S[at.TILE], S[at.DRAWN + seat], P[at.FACE]
    if tile >= P[at.FIRST] and is_visible(S, P, K, seat, tile):
        notes[learn.TILE_TOLD] = K[learn.TILE] + P[face + tile]
        row[notes[learn.TILE_TOLD]] = ONE
    if drawn >= 0 and S[at.WHERE + drawn] == P[at.HAND_ROW] + seat and is_visible(S, P, K, seat, drawn):
        notes[learn.DRAWN_TOLD] = K[learn.DRAWN] + P[face + drawn]
        row[notes[learn.DRAWN_TOLD]] = ONE


@loop_kernel
def see_course(
    S: Array, P: Array, K: Array, seat: int, notes: Array, scores: NDArray[np.float64], row: Numbers
) -> None:
    """Seats, scores, and what is asked."""
    seats = P[at.SEATS]
    for away in range(seats):
        other = round_table(seat + away, seats)
        row[K[learn.DISCARDER] + away] = np.float32(S[at.DISCARDER] == other)
        row[K[learn.TURN] + away] = np.float32(S[at.TURN] == other)
        row[K[learn.PLAYING] + away] = np.float32(S[at.PLAYING] >> other & 1)
        row[K[learn.WINNERS] + away] = np.float32(S[at.WINNERS] >> other & 1)
        row[K[learn.SCORES] + away] = scores[other] + S[at.SCORE + other]
    row[K[learn.POT]] = scores[seats] + S[at.SCORE + seats]
    row[K[learn.PLACE] + seat] = ONE
    row[K[learn.ROUND] + notes[learn.ROUND_NOW]] = ONE
    row[K[learn.PHASE] + phase_of(S)] = ONE
    row[K[learn.ASKED]] = ONE
    if S[at.STEP]:
        row[K[K[learn.ASKS_FIELDS] + S[at.STEP] - 1]] = ONE


@loop_kernel
def see_begun(K: Array, notes: Array, row: Numbers) -> None:
    """The actions of the move that has begun."""
    for number in range(notes[learn.CHOSEN]):
        row[K[learn.BEGUN] + notes[learn.ACTIONS + number]] += ONE
    notes[learn.BEGUN_TOLD] = notes[learn.CHOSEN]


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
    first = K[K[learn.MARKS] + seat]
    for entry in range(first + 1, first + 1 + learn.MARK * K[first], learn.MARK):
        value = S[at.MARK + K[entry + learn.MARK_SPOT]]
        if K[entry + learn.MARK_TYPE] == learn.TRUTH:
            row[K[entry + learn.MARK_FIELD]] = np.float32(value > 0)
        elif value != at.UNSET:
            see_mark(S, P, K, seat, entry, value, row)


@loop_kernel
def see_mark(S: Array, P: Array, K: Array, seat: int, entry: int, value: int, row: Numbers) -> None:
    """The value of a mark that is no truth."""
    spot, type, field = K[entry + learn.MARK_SPOT], K[entry + learn.MARK_TYPE], K[entry + learn.MARK_FIELD]
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
