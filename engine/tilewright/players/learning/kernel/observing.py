"""Observations over the numbers of a state: what `players.learning.observations` reads off a view.

Rows of tiles that every seat sees in the same way are counted by face once, then shown to each seat; what such a copy
counts is noted with it, so that only tiles that have come since are counted, unless any has left. `K`: what is known of
the ruleset; `notes` and `copies`: those of the table; `scores`: of seats, then of the pot, without what the state adds
to them; `row`: the observation. Knows no ruleset.
"""

import numpy as np
from numpy.typing import NDArray

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import round_table
from tilewright.play.compiled.kernel.tiles import meld_of
from tilewright.players.learning.kernel import layout as learn

Numbers = NDArray[np.float32]
ONE = np.float32(1)


@kernel
def observe(
    S: Array, P: Array, K: Array, seat: int, notes: Array, scores: NDArray[np.float64], copies: Numbers, row: Numbers
) -> None:
    """Write what a seat sees that is asked."""
    forget(K, notes, row)
    shown = notes[learn.SHOWN_TOLD] = S[at.SHOWN_ANY] >> seat & 1
    view = K[K[learn.VIEWS] + seat]
    for entry in range(view + 1, view + 1 + learn.VIEW * K[view], learn.VIEW):
        copied = see_copy(S, P, K, entry, notes, copies, row)
        if K[entry + learn.VIEW_SEES] == learn.MELDS:
            see_melds(S, P, K, seat, entry, notes, copied, row)
        elif not copied:
            see_tiles(S, P, K, seat, entry, shown, row)
        if K[entry + learn.VIEW_LATEST] >= 0:
            see_latest(S, P, K, seat, entry, notes, row)
    see_course(S, P, K, seat, notes, scores, row)
    if P[at.HANDS] > 1:
        see_hands(S, P, K, seat, row)
    see_single_tiles(S, P, K, seat, notes, row)
    see_begun(K, notes, row)
    see_marks(S, P, K, seat, notes, row)
    see_discards(S, P, K, seat, notes, row)


@kernel
def forget(K: Array, notes: Array, row: Numbers) -> None:
    """Clear what the last observation has told, but for the latest tiles and what is always written."""
    clear(K, K[learn.CLEARED], row)
    if notes[learn.SHOWN_TOLD]:
        clear(K, K[learn.CLEARED_SHOWN], row)
    for told in range(K[learn.SPOTS], K[learn.SPOTS] + notes[learn.SPOTS_TOLD]):
        row[notes[told]] = 0
    notes[learn.SPOTS_TOLD] = 0


@kernel
def clear(K: Array, parts: int, row: Numbers) -> None:
    """Clear the parts that are listed there."""
    for part in range(parts + 1, parts + 1 + 2 * K[parts], 2):
        for spot in range(K[part], K[part + 1]):
            row[spot] = 0


@kernel
def tell(K: Array, notes: Array, spot: int, row: Numbers) -> None:
    """Count one there, and note that it has to be cleared."""
    row[spot] += ONE
    notes[K[learn.SPOTS] + notes[learn.SPOTS_TOLD]] = spot
    notes[learn.SPOTS_TOLD] += 1


@kernel
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


@kernel
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


@kernel
def see_melds(S: Array, P: Array, K: Array, seat: int, entry: int, notes: Array, copied: bool, row: Numbers) -> None:
    """The groups of a seat on the table. `copied`: whether their tiles are told."""
    groups, owner = K[entry + learn.VIEW_GROUPS], K[entry + learn.VIEW_ROW] - P[at.MELD_ROW]
    if copied:
        exposed = notes[K[learn.COPIES] + learn.COPY * K[entry + learn.VIEW_COPY] + learn.COPY_COUNTS]
    else:
        exposed = see_tiles_of_melds(S, P, K, seat, entry, row)
    row[groups], row[groups + 1] = np.float32(exposed), np.float32(S[at.LAID_SIZE + owner] - exposed)


@kernel
def see_tiles_of_melds(S: Array, P: Array, K: Array, seat: int, entry: int, row: Numbers) -> int:
    """The tiles of the groups of a seat, of which other seats see more or less. How many groups are exposed."""
    field, exposed = K[entry + learn.VIEW_FIELD], 0
    owner = K[entry + learn.VIEW_ROW] - P[at.MELD_ROW]
    for spot in range(field, field + K[learn.FACES] + 1):
        row[spot] = 0
    laid = at.LAID + owner * at.MOST_MELDS * at.MELD
    for _ in range(S[at.LAID_SIZE + owner]):
        exposed += S[laid + at.LAID_EXPOSED] != 0
        count_visible(S, P, K, seat, owner, laid, field, row)
        laid += at.MELD
    return int(exposed)


@kernel
def see_hands(S: Array, P: Array, K: Array, seat: int, row: Numbers) -> None:
    """The hands of seats that make several: the melds of each, and what it is."""
    hands, width, states = P[at.HANDS], K[learn.FACES] + 1, K[learn.HAND_STATES]
    for away in range(P[at.SEATS]):
        owner, field = round_table(seat + away, P[at.SEATS]), K[learn.HAND_MELDS] + away * hands * width
        for spot in range(field, field + hands * width):
            row[spot] = 0
        laid = at.LAID + owner * at.MOST_MELDS * at.MELD
        for _ in range(S[at.LAID_SIZE + owner]):
            if 1 <= S[laid + at.LAID_HAND] <= hands:
                count_visible(S, P, K, seat, owner, laid, field + (S[laid + at.LAID_HAND] - 1) * width, row)
            laid += at.MELD
        for number in range(1, hands + 1):
            closed, won = S[at.CLOSED + owner] >> number & 1, S[at.WON + owner] >> number & 1
            row[states + learn.HAND_OPEN] = np.float32(not closed)
            row[states + learn.HAND_WON] = np.float32(closed & won)
            row[states + learn.HAND_DEAD] = np.float32(closed & (1 - won))
            states += learn.HAND_NUMBERS


@kernel
def count_visible(S: Array, P: Array, K: Array, seat: int, owner: int, laid: int, field: int, row: Numbers) -> None:
    """Count the tiles of a meld by face there, those that a seat does not see last."""
    seen, face = seers_of_meld(S, P, K, owner, laid), P[at.FACE]
    for spot in range(laid + at.LAID_TILES, laid + at.LAID_TILES + S[laid + at.LAID_COUNT]):
        sees = (seen | S[at.SHOWN + S[spot]]) >> seat & 1
        row[field + (P[face + S[spot]] if sees else K[learn.FACES])] += ONE


@kernel
def seers_of_meld(S: Array, P: Array, K: Array, owner: int, laid: int) -> int:
    """The seats that see a meld, as bits."""
    seen = S[laid + at.LAID_SEEN]
    return int(K[K[learn.SEEN] + P[at.MELD_ROW] + owner] if seen < 0 else seen)


@kernel
def is_visible(S: Array, P: Array, K: Array, seat: int, tile: int) -> bool:
    """Whether a seat sees a tile where it lies."""
    place = S[at.WHERE + tile]
    if place == at.NONE:
        return False
    if place >= 0:
        seen = K[K[learn.SEEN] + place]
    else:
        owner = at.IN_MELDS - place
        seen = seers_of_meld(S, P, K, owner, meld_of(S, owner, tile))
    return bool(seen >> seat & 1 or S[at.SHOWN + tile] >> seat & 1)


@kernel
def see_single_tiles(S: Array, P: Array, K: Array, seat: int, notes: Array, row: Numbers) -> None:
    """The tile in question, and the one that the seat drew last, as far as it sees them."""
    tile, drawn, face = S[at.TILE], S[at.DRAWN + seat], P[at.FACE]
    if tile >= P[at.FIRST] and is_visible(S, P, K, seat, tile):
        tell(K, notes, K[learn.TILE] + P[face + tile], row)
    if drawn >= 0 and S[at.WHERE + drawn] == P[at.HAND_ROW] + seat and is_visible(S, P, K, seat, drawn):
        tell(K, notes, K[learn.DRAWN] + P[face + drawn], row)


@kernel
def see_discards(S: Array, P: Array, K: Array, seat: int, notes: Array, row: Numbers) -> None:
    """How tiles were discarded, in order; of those that lie where everyone sees them only the seat is written again."""
    field, seats = K[learn.DISCARDS], P[at.SEATS]
    count, told = min(S[at.DISCARDS], K[learn.DISCARDS_LISTED]), notes[learn.DISCARDS_TOLD]
    first = S[at.DISCARDS] - count
    known = told if first == 0 and notes[learn.DISCARDS_NOTED] == S[at.RELISTED] else 0
    for number in range(count):
        tile, here = S[at.DISCARD + first + number], field + number * learn.DISCARD_NUMBERS
        how = S[at.DISCARDED + tile]
        place = how >> at.DISCARD_ROW
        row[here + learn.DISCARD_SEAT] = np.float32(
            round_table((how >> at.DISCARD_SEAT & at.DISCARD_SEATS) + seats - seat, seats)
        )
        if number >= known or S[at.WHERE + tile] != place or not P[P[at.OPEN_ROWS] + place]:
            sees = is_visible(S, P, K, seat, tile)
            row[here + learn.DISCARD_FACE] = np.float32(1 + (P[P[at.FACE] + tile] if sees else K[learn.FACES]))
            row[here + learn.DISCARD_JUST_DRAWN] = np.float32(how & at.IS_JUST_DRAWN != 0)
            row[here + learn.DISCARD_TURNED] = np.float32(how & at.IS_TURNED != 0)
            row[here + learn.DISCARD_CLAIMED] = np.float32(S[at.WHERE + tile] != place)
    for spot in range(field + count * learn.DISCARD_NUMBERS, field + told * learn.DISCARD_NUMBERS):
        row[spot] = 0
    notes[learn.DISCARDS_TOLD], notes[learn.DISCARDS_NOTED] = count, S[at.RELISTED]


@kernel
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
        row[K[learn.SCORES] + away] = scores[other] + S[at.SCORE + other] / P[at.UNIT]
    row[K[learn.POT]] = scores[seats] + S[at.SCORE + seats] / P[at.UNIT]
    row[K[learn.ASKED]] = ONE
    tell(K, notes, K[learn.PLACE] + seat, row)
    tell(K, notes, K[learn.ROUND] + notes[learn.ROUND_NOW], row)
    tell(K, notes, K[learn.PHASE] + phase_of(S), row)
    if S[at.STEP]:
        tell(K, notes, K[K[learn.ASKS_FIELDS] + S[at.STEP] - 1], row)


@kernel
def see_begun(K: Array, notes: Array, row: Numbers) -> None:
    """The actions of the move that has begun."""
    for number in range(notes[learn.CHOSEN]):
        tell(K, notes, K[learn.BEGUN] + notes[learn.ACTIONS + number], row)


@kernel
def phase_of(S: Array) -> int:
    """The phase that steps are in."""
    fields = at.FIELDS + S[at.DEPTH] * at.FRAME_FIELDS
    while S[fields + at.PHASE] < 0:
        fields -= at.FRAME_FIELDS
    return int(S[fields + at.PHASE])


@kernel
def see_marks(S: Array, P: Array, K: Array, seat: int, notes: Array, row: Numbers) -> None:
    """The values of marks that the seat sees."""
    marks = K[K[learn.MARKS] + seat]
    first = marks + 2
    others, end = first + learn.MARK * K[marks], first + learn.MARK * (K[marks] + K[marks + 1])
    for entry in range(first, others, learn.MARK):
        row[K[entry + learn.MARK_FIELD]] = np.float32(S[at.MARK + K[entry + learn.MARK_SPOT]] > 0)
    for entry in range(others, end, learn.MARK):
        value = S[at.MARK + K[entry + learn.MARK_SPOT]]
        if K[entry + learn.MARK_TYPE] == learn.NUMBER:
            row[K[entry + learn.MARK_FIELD]] = np.float32(0 if value == at.UNSET else value)
        elif value != at.UNSET:
            see_mark(S, P, K, seat, entry, notes, row)


@kernel
def see_mark(S: Array, P: Array, K: Array, seat: int, entry: int, notes: Array, row: Numbers) -> None:
    """The value of a mark that is set: a seat, a suit or tiles."""
    spot, type, field = K[entry + learn.MARK_SPOT], K[entry + learn.MARK_TYPE], K[entry + learn.MARK_FIELD]
    value = S[at.MARK + spot]
    if type == learn.SEAT:
        if value >= 0:
            tell(K, notes, field + round_table(value + P[at.SEATS] - seat, P[at.SEATS]), row)
    elif type == learn.SUIT:
        if K[K[learn.SUITS] + value] >= 0:
            tell(K, notes, field + K[K[learn.SUITS] + value], row)
    else:
        tiles = at.MARK_TILES + spot * at.MARK_LIST
        for number in range(tiles + 1, tiles + 1 + S[tiles]):
            tell(K, notes, field + P[P[at.FACE] + S[number]], row)


@kernel
def see_copy(S: Array, P: Array, K: Array, entry: int, notes: Array, copies: Numbers, row: Numbers) -> bool:
    """Tell the tiles of a row, or of the melds of a seat. False where there is no copy, or seats see melds differently:
    then nothing is told."""
    number, place, field = K[entry + learn.VIEW_COPY], K[entry + learn.VIEW_ROW], K[entry + learn.VIEW_FIELD]
    if number < 0:
        return False
    width, noted = K[learn.FACES] + 1, K[learn.COPIES] + learn.COPY * number
    start = number * width
    if K[entry + learn.VIEW_SEES] != learn.MELDS:
        count_tiles(S, P, place, notes, noted, copies, start, width)
    elif notes[noted + learn.COPY_MOVED] != S[at.MOVED + place]:
        clear_copy(S, place, notes, noted, copies, start, width)
        if not count_melds(S, P, K, place, notes, noted, copies, start):
            notes[noted + learn.COPY_MOVED] = at.NONE
            return False
    for face in range(width):
        row[field + face] = copies[start + face]
    return True


@kernel
def clear_copy(S: Array, place: int, notes: Array, noted: int, copies: Numbers, start: int, width: int) -> None:
    """Begin a copy of a row as it is now."""
    notes[noted + learn.COPY_MOVED], notes[noted + learn.COPY_COUNTS] = S[at.MOVED + place], 0
    for face in range(start, start + width):
        copies[face] = 0


@kernel
def count_tiles(
    S: Array, P: Array, place: int, notes: Array, noted: int, copies: Numbers, start: int, width: int
) -> None:
    """Count the tiles of a row that its copy does not count yet."""
    if notes[noted + learn.COPY_MOVED] != S[at.MOVED + place]:
        clear_copy(S, place, notes, noted, copies, start, width)
    tiles, face = at.ROW + place * at.MOST_TILES, P[at.FACE]
    first, end = tiles + S[at.ROW_START + place], tiles + S[at.ROW_END + place]
    for spot in range(first + notes[noted + learn.COPY_COUNTS], end):
        copies[start + P[face + S[spot]]] += ONE
    notes[noted + learn.COPY_COUNTS] = end - first


@kernel
def count_melds(
    S: Array, P: Array, K: Array, place: int, notes: Array, noted: int, copies: Numbers, start: int
) -> bool:
    """Count the tiles of melds, and how many melds are exposed. Whether every seat sees all of them."""
    owner, face, everyone = place - P[at.MELD_ROW], P[at.FACE], (1 << P[at.SEATS]) - 1
    laid = at.LAID + owner * at.MOST_MELDS * at.MELD
    for _ in range(S[at.LAID_SIZE + owner]):
        seen = S[laid + at.LAID_SEEN]
        if (K[K[learn.SEEN] + place] if seen < 0 else seen) != everyone:
            return False
        notes[noted + learn.COPY_COUNTS] += S[laid + at.LAID_EXPOSED] != 0
        for spot in range(laid + at.LAID_TILES, laid + at.LAID_TILES + S[laid + at.LAID_COUNT]):
            copies[start + P[face + S[spot]]] += ONE
        laid += at.MELD
    return True
