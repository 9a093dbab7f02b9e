"""What steps ask: several tiles to choose from, what a random player chooses, what answers become.

Knows no ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import lot_of

POOL = -3  # an option that stands for several tiles


@kernel
def add_option(S: Array, offering: int, choice: int, moves: int, second: int) -> None:
    """One more option of the asked seat."""
    option = at.OPTION + 4 * S[at.OPTIONS]
    if S[at.OPTIONS] >= at.MOST_OPTIONS - 1:
        S[at.PROBLEM] = at.Problem.MANY_OPTIONS
    else:
        S[option], S[option + 1], S[option + 2], S[option + 3] = offering, choice, moves, second
        S[at.OPTIONS] += 1


@kernel
def lay_pool(S: Array, P: Array, ask: int, seat: int, start: int, size: int, least: int, most: int) -> None:
    """Put a choice of so many of the tiles that begin there to a seat, in the order of the tile set; where it can only
    choose none, nothing."""
    pick = at.PICKED + seat * at.PICK
    if size > at.MOST_PICKED:
        S[at.PROBLEM] = at.Problem.MANY_TO_CHOOSE_FROM
        return
    most = max(most, 0)
    least = min(max(least, 0), most, size)
    S[pick], S[pick + 1], S[pick + 2] = least, min(most, size), size
    for number in range(size):
        tile, spot = S[start + number], pick + 3 + number
        place = P[P[at.PLACE] + tile]
        while spot > pick + 3 and P[P[at.PLACE] + S[spot - 1]] > place:
            S[spot] = S[spot - 1]
            spot -= 1
        S[spot] = tile
    if S[pick + 1] == 0:
        return
    add_option(S, ask, POOL, 0, at.NONE)


@kernel
def drawn_tiles(S: Array, P: Array, seat: int, lots: Any, number: int) -> int:
    """The tiles that a random player draws with its numbers after so many, as bits of those that it may choose from."""
    pick = at.PICKED + seat * at.PICK
    size = S[pick + 2]
    count = S[pick] + lot_of(lots, number + 1, S[pick + 1] - S[pick] + 1)
    for spot in range(size):
        S[at.WORK + spot] = spot
    chosen = 0
    for one in range(count):
        spot = lot_of(lots, number + 2 + one, size - one)
        drawn, last = S[at.WORK + spot], at.WORK + size - one - 1
        S[at.WORK + spot] = S[last]
        face = P[P[at.FACE] + S[pick + 3 + drawn]]
        while drawn > 0 and P[P[at.FACE] + S[pick + 2 + drawn]] == face:
            drawn -= 1
        while chosen >> drawn & 1:  # of tiles that look the same, the first
            drawn += 1
        chosen |= 1 << drawn
    return int(chosen)


@kernel
def chosen_tiles(S: Array, seat: int, chosen: int, start: int) -> int:
    """Write the tiles of a choice from there on. How many there are."""
    pick, size = at.PICKED + seat * at.PICK, 0
    for spot in range(S[pick + 2]):
        if chosen >> spot & 1:
            S[start + size] = S[pick + 3 + spot]
            size += 1
    return size


@kernel
def close_step(S: Array, P: Array) -> None:
    """Everyone has answered what a step asks: the answers become marks."""
    ask = P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW
    first, second = P[ask + at.FIRST_MARK], P[ask + at.SECOND_MARK]
    for seat in range(P[at.SEATS]):
        if not S[at.WHOM] >> seat & 1:
            continue
        mark, chosen = first * at.MOST_SEATS + seat, S[at.ANSWER + 3 * seat + 1]
        if P[ask + at.PICKS]:
            tiles = at.MARK_TILES + mark * at.MARK_LIST
            count = 0
            for spot in range(at.MOST_PICKED):
                count += chosen >> spot & 1
            if count >= at.MARK_LIST:
                S[at.PROBLEM] = at.Problem.MANY_MARKED
            else:
                S[tiles] = chosen_tiles(S, seat, chosen, tiles + 1)
                S[at.MARK + mark] = 0
        else:
            S[at.MARK + mark] = chosen
            if second >= 0:
                S[at.MARK + second * at.MOST_SEATS + seat] = S[at.ANSWER + 3 * seat + 2]
    S[at.STEP] = 0
