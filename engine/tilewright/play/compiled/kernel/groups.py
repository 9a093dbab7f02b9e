"""Groups that a seat can make (`play.offers.groups`, as numbers): of the tile in question, of its hand, of a meld.

A group is one number, `layout` says how. Each search is asked again and again with where it stands: an entry of a list
times 64 plus a filling. Compiled by numba. Knows no ruleset."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.tiles import tile_of_hand


@loop_kernel
def fillings(P: Array, way: int) -> int:
    """How many ways there are at most to take the tiles of a way from a hand, by their faces."""
    if not P[at.SEVERAL_FACES]:
        return 1
    found = 1
    for entry in range(P[way + 1]):
        if P[P[at.FACES_OF] + 2 * P[way + 2 + 2 * entry] + 1] >= 0:
            found *= P[way + 3 + 2 * entry] + 1
    return int(found)


@loop_kernel
def filled(S: Array, P: Array, seat: int, way: int, filling: int) -> int:
    """The tiles of the hand that make the way in this filling, as part of a group; NONE where the hand lacks one."""
    for entry in range(P[way + 1]):
        if S[at.COUNT + seat * at.MOST_FACES + P[way + 2 + 2 * entry]] < P[way + 3 + 2 * entry]:
            return at.NONE
    found, count, rest = 0, 0, filling
    radix = 1
    if P[at.SEVERAL_FACES]:
        for entry in range(P[way + 1]):
            if P[P[at.FACES_OF] + 2 * P[way + 2 + 2 * entry] + 1] >= 0:
                radix *= P[way + 3 + 2 * entry] + 1
    for entry in range(P[way + 1]):
        kind, number = P[way + 2 + 2 * entry], P[way + 3 + 2 * entry]
        first, second = P[P[at.FACES_OF] + 2 * kind], P[P[at.FACES_OF] + 2 * kind + 1]
        others = 0
        if P[at.SEVERAL_FACES] and second >= 0:
            radix //= number + 1
            others = rest // radix
            rest %= radix
        for one in range(number):
            if second < 0 or not P[at.SEVERAL_FACES]:
                tile = tile_of_hand(S, P, seat, P[at.PLAIN], kind, one)
            elif one < number - others:
                tile = tile_of_hand(S, P, seat, P[at.FACE], first, one)
            else:
                tile = tile_of_hand(S, P, seat, P[at.FACE], second, one - (number - others))
            if tile < 0:
                return at.NONE
            found |= (tile - P[at.FIRST]) << (at.HAND_AT + 8 * count)
            count += 1
    return int(found | count << at.COUNT_AT)


@loop_kernel
def next_group(S: Array, P: Array, seat: int, entry: int, ways: int, source: int, to: int, stand: int) -> int:
    """The next group with tiles of the hand, into register `to`, in one of the `ways` that an entry names; `source`:
    where it is from. Where the search stands then, NONE at its end."""
    number, filling = stand >> 6, stand & 63
    while number < P[entry + 1]:
        way = ways + at.WAY * (P[entry] + number)
        if S[at.COUNT + seat * at.MOST_FACES + P[way + 2]] < P[way + 3]:
            number, filling = number + 1, 0
            continue
        most = fillings(P, way)
        while filling < most:
            made = filled(S, P, seat, way, filling)
            filling += 1
            if made >= 0:
                S[to] = P[way] | source | made
                return int(number << 6 | filling)
            if most == 1:
                break
        number, filling = number + 1, 0
    return at.NONE


@loop_kernel
def next_claimed(S: Array, P: Array, seat: int, kind: int, to: int, stand: int, discarder: int) -> int:
    """The same for a group with the tile in question."""
    tile = S[at.TILE]
    entry = P[at.WAYS_OF] + 2 * (kind * P[at.FIRST] + P[P[at.PLAIN] + tile])
    claimed = (tile - P[at.FIRST]) << at.CLAIMED_AT | (discarder + 1) << at.FROM_AT
    return next_group(S, P, seat, entry, P[at.WAYS], at.CLAIMED_GROUP << at.SOURCE_AT | claimed, to, stand)


@loop_kernel
def next_own(S: Array, P: Array, seat: int, kind: int, to: int, stand: int) -> int:
    """The same for a group of the hand."""
    source = at.OWN_GROUP << at.SOURCE_AT | at.NO_TILE << at.CLAIMED_AT
    return next_group(S, P, seat, P[at.NEEDS_OF] + 2 * kind, P[at.NEEDS], source, to, stand)


@loop_kernel
def holds_alike(S: Array, P: Array, seat: int, kind: int) -> bool:
    """Whether the hand has as many of one tile as the groups of a kind need, if they are of one tile."""
    least = P[P[at.NEEDS_SINGLE] + kind]
    if least == 0:
        return True
    row = P[at.HAND_ROW] + seat
    tiles = at.ROW + row * at.MOST_TILES
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        if S[at.COUNT + seat * at.MOST_FACES + P[P[at.PLAIN] + S[tiles + spot]]] >= least:
            return True
    return False


@loop_kernel
def next_grown(S: Array, P: Array, seat: int, kind: int, onto: int, to: int, stand: int) -> int:
    """The same for a meld of kind `onto` with a tile of the hand; an entry is 16 times the meld and a way."""
    entry, filling = stand >> 6, stand & 63
    meld, number = entry >> 4, entry & 15
    while meld < S[at.LAID_SIZE + seat]:
        group = S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_GROUP]
        if P[P[at.GROUP_KINDS] + group] >> onto & 1:
            ways = P[at.GROWN_OF] + 2 * (kind * P[at.GROUPS] + group)
            while number < P[ways + 1]:
                way = P[at.GROWN] + at.WAY * (P[ways] + number)
                most = fillings(P, way)
                while filling < most:
                    made = filled(S, P, seat, way, filling)
                    filling += 1
                    if made >= 0:
                        claimed = (made >> at.HAND_AT & at.NO_TILE) << at.CLAIMED_AT
                        S[to] = P[way] | at.GROWN_GROUP << at.SOURCE_AT | meld << at.MELD_AT | claimed | made
                        return int((meld << 4 | number) << 6 | filling)
                number, filling = number + 1, 0
        meld, number, filling = meld + 1, 0, 0
    return at.NONE
