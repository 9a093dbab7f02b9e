"""Choices of several tiles, which are chosen one after the other, over the numbers of a state.

What was chosen is bits of the tiles that a seat may choose from, in their order; of tiles that look the same, the first
are chosen. `ways`: what may be chosen, where a condition applies to the tiles together. `R`: what kernels know of the
ruleset, `notes`: those of the table. Knows no ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.tiles import count_bits
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.kernel.arguments import KernelRules
from tilewright.players.learning.kernel.words import tile_word

ENDS = 61  # the bit of the choice to choose no more
MUCH = 1 << 40


@kernel
def is_pick(S: Array, P: Array) -> bool:
    """Whether a step asks for several tiles."""
    return bool(S[at.STEP] and P[P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW + at.PICKS])


@kernel
def has_condition(S: Array, P: Array) -> bool:
    """Whether a condition applies to the tiles together."""
    return bool(P[P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW + at.CONDITION] >= 0)


# --- actions


@kernel
def allow_tiles(S: Array, R: KernelRules, seat: int, notes: Array, ways: Array, mask: Any) -> None:
    """Write with which actions the choice of a seat may go on."""
    P, K, pick = R.P, R.K, at.PICKED + seat * at.PICK
    found = goes_on(S, P, seat, ways, notes[learn.TAKEN], notes[learn.FROM])
    for spot in range(S[pick + 2]):
        if found >> spot & 1:
            mask[tile_word(P, K, S[pick + 3 + spot])] = True
    if found >> ENDS & 1:
        mask[K[learn.DONE]] = True


@kernel
def number_of_tiles(S: Array, R: KernelRules, seat: int, notes: Array, ways: Array, action: int) -> int:
    """The number of the choice that a legal action completes; GOES_ON where more has to be chosen."""
    P, K, pick = R.P, R.K, at.PICKED + seat * at.PICK
    taken, spot = notes[learn.TAKEN], notes[learn.FROM]
    if action == K[learn.DONE]:
        return int(taken)
    while tile_word(P, K, S[pick + 3 + spot]) != action:
        spot += 1
    notes[learn.ACTIONS + notes[learn.CHOSEN]] = action
    notes[learn.CHOSEN] += 1
    while True:
        taken, spot = taken | 1 << spot, spot + 1
        found = goes_on(S, P, seat, ways, taken, spot)
        if found & (found - 1):
            notes[learn.TAKEN], notes[learn.FROM] = taken, spot
            return learn.GOES_ON
        if found >> ENDS & 1:
            return int(taken)
        while not found >> spot & 1:
            spot += 1


@kernel
def goes_on(S: Array, P: Array, seat: int, ways: Array, taken: int, first: int) -> int:
    """The tiles from `first` on that may be chosen next, as bits, and ENDS where no more needs to be."""
    pick, found = at.PICKED + seat * at.PICK, 0
    if has_condition(S, P):
        for number in range(ways.shape[0]):
            way = ways[number]
            if way & ((1 << first) - 1) == taken:
                found |= (way ^ taken) & -(way ^ taken) if way != taken else 1 << ENDS
        return int(found)
    least, most, size, count, spot = S[pick], S[pick + 1], S[pick + 2], count_bits(taken), first
    if count >= least:
        found = 1 << ENDS
    while spot < size and count < most and count + size - spot >= least:
        found |= 1 << spot
        spot = after_alike(S, P, seat, spot)
    return int(found)


# --- ways


@kernel
def next_way(S: Array, P: Array, seat: int, way: int) -> int:
    """The choice after this one, in some order; NONE: the first, or that there are no more."""
    pick = at.PICKED + seat * at.PICK
    least, most, size = S[pick], S[pick + 1], S[pick + 2]
    count, spot = 0, 0
    if way >= 0:
        count, spot = count_bits(way), size
        while spot > 0 and not way >> (spot - 1) & 1:
            spot -= 1
    elif least == 0:
        return 0
    now = max(way, 0)
    while True:
        while count >= most or spot >= size or count + size - spot < least:  # nothing more goes with these
            if now == 0:
                return at.NONE
            last = spot - 1
            while not now >> last & 1:
                last -= 1
            now, count, spot = now & ~(1 << last), count - 1, after_alike(S, P, seat, last)
        now, count, spot = now | 1 << spot, count + 1, spot + 1
        if count >= least:
            return int(now)


@kernel
def after_alike(S: Array, P: Array, seat: int, spot: int) -> int:
    """The first tile after this one that looks otherwise."""
    pick = at.PICKED + seat * at.PICK
    face, size = P[P[at.FACE] + S[pick + 3 + spot]], S[pick + 2]
    while spot < size and P[P[at.FACE] + S[pick + 3 + spot]] == face:
        spot += 1
    return spot


@kernel
def ways_to_choose(S: Array, P: Array, seat: int) -> int:
    """In how many ways tiles may be chosen, if any may be chosen together."""
    pick, spot = at.PICKED + seat * at.PICK, 0
    for number in range(S[pick + 1] + 1):
        S[at.WORK + number] = 1 if number == 0 else 0
    while spot < S[pick + 2]:
        then = after_alike(S, P, seat, spot)
        for number in range(S[pick + 1], 0, -1):
            for alike in range(1, min(then - spot, number) + 1):
                S[at.WORK + number] = min(S[at.WORK + number] + S[at.WORK + number - alike], MUCH)
        spot = then
    found = 0
    for number in range(S[pick], S[pick + 1] + 1):
        found += S[at.WORK + number]
    return int(found)
