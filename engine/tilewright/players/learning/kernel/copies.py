"""Copies of rows of tiles that every seat sees in the same way: counted by face once, then told to each seat.

What a copy counts is noted with it, so that only tiles that have come since are counted, unless any has left. `K`: what
is known of the ruleset; `notes` and `copies`: those of the table; `row`: the observation. Knows no
ruleset."""

import numpy as np
from numpy.typing import NDArray

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.players.learning.kernel import layout as learn

Numbers = NDArray[np.float32]
ONE = np.float32(1)


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
