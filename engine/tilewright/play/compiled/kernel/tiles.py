"""Tiles that move between the places of a state, and groups that are laid (`play.scene.placing`, as numbers).

Compiled by numba. Knows no ruleset."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.play.compiled.kernel import layout as at


@loop_kernel
def count_tile(S: Array, P: Array, image: Array, tile: int, seat: int, by: int) -> None:
    """Count a tile that comes to a hand or leaves it."""
    kind = P[P[at.PLAIN] + tile]
    S[at.CHANGES + seat] += 1
    S[at.COUNT + seat * at.MOST_FACES + kind] += by
    block = P[P[at.BLOCK] + 2 * kind]
    if block < 0:
        S[at.ODD + seat] += by
    else:
        S[at.NUMBER + seat * at.MOST_BLOCKS + block] += by * P[P[at.BLOCK] + 2 * kind + 1]


@loop_kernel
def take_away(S: Array, P: Array, image: Array, tile: int) -> None:
    """Take a tile out of its row; one of a meld stays there."""
    row = S[at.WHERE + tile]
    if row < 0:
        return
    tiles, first, end = at.ROW + row * at.MOST_TILES, S[at.ROW_START + row], S[at.ROW_END + row]
    if S[tiles + first] == tile:
        S[at.ROW_START + row] = first + 1
    else:
        spot = end - 1
        if S[tiles + spot] != tile:
            spot = first + 1
            while S[tiles + spot] != tile:
                spot += 1
        while spot < end - 1:
            S[tiles + spot] = S[tiles + spot + 1]
            spot += 1
        S[at.ROW_END + row] = end - 1
    S[at.WHERE + tile] = at.NONE
    seat = row - P[at.HAND_ROW]
    if 0 <= seat < P[at.SEATS]:
        count_tile(S, P, image, tile, seat, -1)


@loop_kernel
def carry(S: Array, P: Array, image: Array, tile: int, row: int) -> None:
    """Move a tile to the end of a row."""
    take_away(S, P, image, tile)
    tiles, end = at.ROW + row * at.MOST_TILES, S[at.ROW_END + row]
    if end == at.MOST_TILES:
        first = S[at.ROW_START + row]
        for spot in range(first, end):
            S[tiles + spot - first] = S[tiles + spot]
        S[at.ROW_START + row], end = 0, end - first
    S[tiles + end] = tile
    S[at.ROW_END + row] = end + 1
    S[at.WHERE + tile] = row
    seat = row - P[at.HAND_ROW]
    if 0 <= seat < P[at.SEATS]:
        count_tile(S, P, image, tile, seat, 1)


@loop_kernel
def there(S: Array, P: Array, row: int) -> int:
    """How many tiles of a row count as there; less than none where more are kept."""
    return int(S[at.ROW_END + row] - S[at.ROW_START + row] - P[P[at.KEEPS] + row])


@loop_kernel
def gather_all(S: Array, P: Array, row: int) -> int:
    """Every tile of the table into one row, in their order; nothing anywhere else. How many there are."""
    for other in range(at.MOST_ROWS):
        S[at.ROW_START + other] = S[at.ROW_END + other] = 0
    for spot in range(at.MOST_SEATS * at.MOST_FACES):
        S[at.COUNT + spot] = 0
    for spot in range(at.MOST_SEATS * at.MOST_BLOCKS):
        S[at.NUMBER + spot] = 0
    for seat in range(at.MOST_SEATS):
        S[at.ODD + seat] = S[at.LAID_SIZE + seat] = 0
    size = 0
    for tile in range(P[at.FIRST], P[at.TILES]):
        S[at.ROW + row * at.MOST_TILES + size] = tile
        S[at.WHERE + tile], S[at.SHOWN + tile] = row, 0
        size += 1
    S[at.ROW_END + row] = size
    return int(size)


@loop_kernel
def tile_of_hand(S: Array, P: Array, seat: int, faces: int, face: int, skip: int) -> int:
    """A tile of the hand with this face, the first but so many. `faces`: the table of faces, or of plain tiles."""
    row = P[at.HAND_ROW] + seat
    tiles = at.ROW + row * at.MOST_TILES
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        tile = S[tiles + spot]
        if P[faces + tile] == face:
            if skip == 0:
                return int(tile)
            skip -= 1
    return at.NONE


@loop_kernel
def lay_group(S: Array, P: Array, image: Array, group: int, seat: int, concealed: int, seen: int) -> None:
    """A group that was chosen becomes a meld of its seat; `seen`: the seats that see it, NONE: as its zone says."""
    source, number = group >> at.SOURCE_AT & 3, group & ((1 << at.GROUP_BITS) - 1)
    own, claimed = group >> at.COUNT_AT & 7, group >> at.CLAIMED_AT & at.NO_TILE
    melds = at.LAID + seat * at.MOST_MELDS * at.MELD
    exposed, discarder, count = 1 - concealed, (group >> at.FROM_AT & 7) - 1, 0
    work = at.WORK  # tiles in the order in which they are given
    size = S[at.LAID_SIZE + seat]
    if source == at.GROWN_GROUP:
        old = group >> at.MELD_AT & 15
        meld = melds + old * at.MELD
        exposed, discarder = S[meld + at.LAID_EXPOSED], S[meld + at.LAID_DISCARDER]
        if seen == at.NONE:
            seen = S[meld + at.LAID_SEEN]
        for tile in range(S[meld + at.LAID_COUNT]):
            S[work + count] = S[meld + at.LAID_TILES + tile]
            count += 1
        for other in range(old, size - 1):
            for field in range(at.MELD):
                S[melds + other * at.MELD + field] = S[melds + (other + 1) * at.MELD + field]
        size -= 1
    elif source == at.CLAIMED_GROUP:
        S[work] = claimed + P[at.FIRST]
        count = 1
    for tile in range(own):
        S[work + count] = (group >> (at.HAND_AT + 8 * tile) & at.NO_TILE) + P[at.FIRST]
        count += 1
    for tile in range(count):
        take_away(S, P, image, S[work + tile])
        S[at.WHERE + S[work + tile]] = at.IN_MELDS - seat
    for tile in range(1, count):  # in the order of the group
        moved, spot = S[work + tile], tile
        place = P[P[at.PLACE] + P[P[at.PLAIN] + moved]]
        while spot > 0 and P[P[at.PLACE] + P[P[at.PLAIN] + S[work + spot - 1]]] > place:
            S[work + spot] = S[work + spot - 1]
            spot -= 1
        S[work + spot] = moved
    meld = melds + size * at.MELD
    S[meld + at.LAID_GROUP], S[meld + at.LAID_EXPOSED], S[meld + at.LAID_DISCARDER] = number, exposed, discarder
    S[meld + at.LAID_SEEN], S[meld + at.LAID_COUNT] = seen, count
    S[meld + at.LAID_CLAIMED] = at.NONE if claimed == at.NO_TILE else claimed + P[at.FIRST]
    for tile in range(count):
        S[meld + at.LAID_TILES + tile] = S[work + tile]
    S[at.LAID_SIZE + seat] = size + 1


@loop_kernel
def lead_of(S: Array, P: Array, group: int) -> int:
    """The tile of a group of a hand that comes first in the order of the group."""
    found, first = at.NONE, 0
    for number in range(group >> at.COUNT_AT & 7):
        tile = (group >> (at.HAND_AT + 8 * number) & at.NO_TILE) + P[at.FIRST]
        place = P[P[at.PLACE] + P[P[at.PLAIN] + tile]]
        if found < 0 or place < first:
            found, first = tile, place
    return int(found)


@loop_kernel
def add_group(S: Array, P: Array, group: int, seat: int, start: int, size: int) -> int:
    """Add the tiles of a group that a seat chooses, in its order, to the list that begins there and has so many. How
    many it has then."""
    first, own = size, group >> at.COUNT_AT & 7
    source, claimed = group >> at.SOURCE_AT & 3, group >> at.CLAIMED_AT & at.NO_TILE
    lead = (group >> at.HAND_AT & at.NO_TILE) + P[at.FIRST]
    if own > 0 and S[at.WHERE + lead] <= at.IN_MELDS:  # it lies there
        seat, source = at.IN_MELDS - S[at.WHERE + lead], at.GROWN_GROUP
        laid = meld_of(S, seat, lead)
        own = 0
    elif source == at.GROWN_GROUP:
        laid = at.LAID + (seat * at.MOST_MELDS + (group >> at.MELD_AT & 15)) * at.MELD
    for number in range(S[laid + at.LAID_COUNT] if source == at.GROWN_GROUP else 0):
        S[start + size] = S[laid + at.LAID_TILES + number]
        size += 1
    if source == at.CLAIMED_GROUP and claimed != at.NO_TILE:
        S[start + size] = claimed + P[at.FIRST]
        size += 1
    for number in range(own):
        S[start + size] = (group >> (at.HAND_AT + 8 * number) & at.NO_TILE) + P[at.FIRST]
        size += 1
    for number in range(first + 1, size):
        moved, spot = S[start + number], number
        place = P[P[at.PLACE] + P[P[at.PLAIN] + moved]]
        while spot > first and P[P[at.PLACE] + P[P[at.PLAIN] + S[start + spot - 1]]] > place:
            S[start + spot] = S[start + spot - 1]
            spot -= 1
        S[start + spot] = moved
    return size


@loop_kernel
def meld_of(S: Array, seat: int, tile: int) -> int:
    """Where the meld of a seat is that has this tile."""
    laid = at.LAID + seat * at.MOST_MELDS * at.MELD
    for _ in range(S[at.LAID_SIZE + seat]):
        for number in range(S[laid + at.LAID_COUNT]):
            if S[laid + at.LAID_TILES + number] == tile:
                return int(laid)
        laid += at.MELD
    return int(laid)


@loop_kernel
def mark_faces(S: Array, P: Array, seat: int) -> int:
    """The faces of a hand by their place, as bits. How many there are."""
    row = P[at.HAND_ROW] + seat
    tiles, bits, count = at.ROW + row * at.MOST_TILES, 0, 0
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        bit = 1 << P[P[at.PLACE] + S[tiles + spot]]
        count += not bits & bit
        bits |= bit
    S[at.HELD + seat] = bits
    return int(count)


@loop_kernel
def tile_at(S: Array, P: Array, seat: int, place: int, last: int) -> int:
    """The tile of the hand whose face has this place: the one drawn last if it is among them, else the last (or
    first)."""
    row, drawn = P[at.HAND_ROW] + seat, S[at.DRAWN + seat]
    if drawn >= 0 and S[at.WHERE + drawn] == row and P[P[at.PLACE] + drawn] == place:
        return int(drawn)
    tiles, found = at.ROW + row * at.MOST_TILES, at.NONE
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        tile = S[tiles + spot]
        if P[P[at.PLACE] + tile] == place:
            found = tile
            if not last:
                break
    return int(found)


@loop_kernel
def add_kinds(S: Array, P: Array, seat: int, start: int, size: int) -> int:
    """Add the different plain tiles of a seat, those of its melds included, to the list that begins there and has so
    many. How many it has then."""
    seen, row = 0, P[at.HAND_ROW] + seat
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        kind = P[P[at.PLAIN] + S[at.ROW + row * at.MOST_TILES + spot]]
        if not seen >> kind & 1 and size < at.LIST - 2:
            seen |= 1 << kind
            S[start + size] = kind
            size += 1
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for tile in range(S[laid + at.LAID_COUNT]):
            kind = P[P[at.PLAIN] + S[laid + at.LAID_TILES + tile]]
            if not seen >> kind & 1 and size < at.LIST - 2:
                seen |= 1 << kind
                S[start + size] = kind
                size += 1
    return size


@loop_kernel
def count_kinds(S: Array, P: Array, first: int, seats: int) -> int:
    """How many different plain tiles lie in the rows of some seats (as bits)."""
    seen, count = 0, 0
    for seat in range(at.MOST_SEATS):
        if seats >> seat & 1:
            row = first + seat
            for spot in range(S[at.ROW_START + row], S[at.ROW_END + row] - P[P[at.KEEPS] + row]):
                kind = P[P[at.PLAIN] + S[at.ROW + row * at.MOST_TILES + spot]]
                if not seen >> kind & 1:
                    seen |= 1 << kind
                    count += 1
    return count


@loop_kernel
def count_suits(S: Array, P: Array, start: int, size: int) -> int:
    """How many suits occur among the tiles that begin there."""
    count = 0
    for spot in range(start, start + size):
        suit = P[P[at.SUIT_OF] + S[spot]]
        other = start
        while other < spot and P[P[at.SUIT_OF] + S[other]] != suit:
            other += 1
        count += suit >= 0 and other == spot
    return count
