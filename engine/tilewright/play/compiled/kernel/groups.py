"""Groups that a seat can make (`play.offers.groups`, as numbers): of the tile in question, of its hand, of a meld.

A group is one number, `layout` says how; wild tiles may stand in it. Each search is asked again and again with where it
stands: an entry of a list and a filling. Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.tiles import hand_tile, tile_of_hand

FILLINGS = (1 << at.STANDS_AT) - 1


@kernel
def holds(S: Array, P: Array, seat: int, entry: int) -> bool:
    """Whether the hand may have what an entry of a way takes, wild tiles counted."""
    wild = P[at.LISTED_FACES] + P[entry + at.ENTRY_WILD]
    found = S[at.COUNT + seat * at.MOST_FACES + P[entry + at.ENTRY_KIND]]
    for spot in range(wild + 1, wild + 1 + P[wild]):
        found += S[at.COUNT + seat * at.MOST_FACES + P[spot]]
    return bool(found >= P[entry + at.ENTRY_COUNT])


@kernel
def has_part(S: Array, P: Array, seat: int, way: int) -> bool:
    """Whether the hand may have what a way takes, by the plain tiles that it holds."""
    own = at.ALIKE + seat * at.MOST_ALIKE
    if P[way + at.WAY_ONE] & ~S[own] or P[way + at.WAY_SEVERAL] & ~S[own + P[way + at.WAY_MORE]]:
        return False
    return bool(holds(S, P, seat, way + at.WAY_ENTRY))


@kernel
def may_claim(S: Array, P: Array, seat: int, kind: int) -> bool:
    """Whether a seat may have a group of a kind with the tile in question."""
    entry = P[at.WAYS_OF] + 2 * (kind * P[at.FIRST] + P[P[at.PLAIN] + S[at.TILE]])
    lacks, first = ~S[at.ALIKE + seat * at.MOST_ALIKE], P[entry]
    for number in range(first, first + P[entry + 1]):
        if P[P[at.WAYS_ONE] + number] & lacks == 0 and has_part(S, P, seat, P[at.WAYS] + at.WAY * number):
            return True
    return False


@kernel
def ways_to_take(faces: int, number: int) -> int:
    """How many ways there are to take so many tiles of some faces."""
    found = 1
    for one in range(number):
        found = found * (faces + one) // (one + 1)
    return found


@kernel
def filled(S: Array, P: Array, seat: int, way: int, filling: int) -> int:
    """The tiles of the hand that make the way in this filling, as part of a group; NONE where the hand lacks one."""
    entries = way + at.WAY_ENTRY
    for entry in range(entries, entries + at.ENTRY * P[way + at.WAY_ENTRIES], at.ENTRY):
        if not holds(S, P, seat, entry):
            return at.NONE
    found, count, rest, radix = 0, 0, filling, P[way + at.WAY_FILLINGS]
    for entry in range(entries, entries + at.ENTRY * P[way + at.WAY_ENTRIES], at.ENTRY):
        number, faces = P[entry + at.ENTRY_COUNT], P[at.LISTED_FACES] + P[entry + at.ENTRY_FACES]
        choice, first = 0, 0
        if P[entry + at.ENTRY_FILLINGS] > 1:
            radix //= P[entry + at.ENTRY_FILLINGS]
            choice = rest // radix
            rest -= choice * radix
        for one in range(number):
            while choice > 0:
                more = ways_to_take(P[faces] - first, number - one - 1)
                if choice < more:
                    break
                choice, first = choice - more, first + 1
            face, skip = P[faces + 1 + first], 0
            for before in range(count):
                skip += P[P[at.FACE] + hand_tile(P, found, before)] == face
            tile = tile_of_hand(S, P, seat, P[at.FACE], face, skip)
            if tile < 0:
                return at.NONE
            found |= (tile - P[at.FIRST]) << (at.HAND_AT + at.TILE_BITS * count)
            count += 1
    for spot in range(count, at.HAND_TILES):
        found |= at.NO_TILE << (at.HAND_AT + at.TILE_BITS * spot)
    return int(found)


@kernel
def next_group(S: Array, P: Array, seat: int, entry: int, ways: int, claimed: int, to: int, stand: int) -> int:
    """The next group with tiles of the hand, into register `to`, in one of the `ways` that an entry names;
    `claimed`: the tile that it claims, as part of a group. Where the search stands then, NONE at its end."""
    number, filling = stand >> at.STANDS_AT, stand & FILLINGS
    while number < P[entry + 1]:
        way = ways + at.WAY * (P[entry] + number)
        most = P[way + at.WAY_FILLINGS] if has_part(S, P, seat, way) else 0
        while filling < most:
            made = filled(S, P, seat, way, filling)
            filling += 1
            if made >= 0:
                S[to] = P[way + at.WAY_GROUP] | claimed | made
                return int(number << at.STANDS_AT | filling)
        number, filling = number + 1, 0
    return at.NONE


@kernel
def next_claimed(S: Array, P: Array, seat: int, kind: int, to: int, stand: int, discarder: int) -> int:
    """The same for a group with the tile in question."""
    tile = S[at.TILE]
    entry = P[at.WAYS_OF] + 2 * (kind * P[at.FIRST] + P[P[at.PLAIN] + tile])
    S[at.CLAIMED_FROM + tile] = discarder
    return next_group(S, P, seat, entry, P[at.WAYS], (tile - P[at.FIRST]) << at.CLAIMED_AT, to, stand)


@kernel
def next_own(S: Array, P: Array, seat: int, kind: int, to: int, stand: int) -> int:
    """The same for a group of the hand."""
    return next_group(S, P, seat, P[at.NEEDS_OF] + 2 * kind, P[at.NEEDS], at.NO_TILE << at.CLAIMED_AT, to, stand)


@kernel
def holds_alike(S: Array, P: Array, seat: int, kind: int) -> bool:
    """Whether the hand has as many of one tile as the groups of a kind need, if they are of one tile."""
    least = min(P[P[at.NEEDS_SINGLE] + kind], at.MOST_ALIKE)
    return bool(least == 0 or S[at.ALIKE + seat * at.MOST_ALIKE + least - 1] != 0)


@kernel
def next_grown(S: Array, P: Array, seat: int, kind: int, onto: int, to: int, stand: int) -> int:
    """The same for a meld of kind `onto` with a tile of the hand; an entry is 16 times the meld and a way."""
    entry, filling = stand >> at.STANDS_AT, stand & FILLINGS
    meld, number = entry >> 4, entry & 15
    while meld < S[at.LAID_SIZE + seat]:
        group = S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_GROUP]
        if P[P[at.GROUP_KINDS] + group] >> onto & 1:
            ways = P[at.GROWN_OF] + 2 * (kind * P[at.GROUPS] + group)
            while number < P[ways + 1]:
                way = P[at.GROWN] + at.WAY * (P[ways] + number)
                while filling < P[way + at.WAY_FILLINGS]:
                    made = filled(S, P, seat, way, filling)
                    filling += 1
                    if made >= 0:
                        own, which = made >> at.HAND_AT & at.NO_TILE, (at.NO_TILE ^ meld) << at.MELD_AT
                        S[to] = (P[way + at.WAY_GROUP] | own << at.CLAIMED_AT | made) ^ which
                        return int((meld << 4 | number) << at.STANDS_AT | filling)
                number, filling = number + 1, 0
        meld, number, filling = meld + 1, 0, 0
    return at.NONE
