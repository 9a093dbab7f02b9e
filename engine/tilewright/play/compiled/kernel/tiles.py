"""Tiles that move between the places of a state, and groups that are laid (`play.placing`, as numbers).

Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at


@kernel
def count_tile(S: Array, P: Array, image: Array, tile: int, seat: int, by: int) -> None:
    """Count a tile that comes to a hand or leaves it."""
    kind = P[P[at.PLAIN] + tile]
    S[at.CHANGES + seat] += 1
    S[at.CAME + seat] = tile if by > 0 else at.NONE
    S[at.FRESH + seat] = 0
    fewer = S[at.COUNT + seat * at.MOST_FACES + kind] - (by < 0)
    S[at.COUNT + seat * at.MOST_FACES + kind] += by
    if fewer < at.MOST_ALIKE:
        S[at.ALIKE + seat * at.MOST_ALIKE + fewer] ^= 1 << kind
    if fewer == 0:
        S[at.FACES + seat] ^= 1 << P[P[at.PLACE] + tile]
    block = P[P[at.BLOCK] + 2 * kind]
    if block < 0:
        S[at.ODD + seat] += by
    else:
        S[at.NUMBER + seat * at.MOST_BLOCKS + block] += by * P[P[at.BLOCK] + 2 * kind + 1]


@kernel
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
    S[at.MOVED + row] += 1
    seat = row - P[at.HAND_ROW]
    if 0 <= seat < P[at.SEATS]:
        count_tile(S, P, image, tile, seat, -1)


@kernel
def carry(S: Array, P: Array, image: Array, tile: int, row: int) -> None:
    """Move a tile to the end of a row."""
    take_away(S, P, image, tile)
    tiles, end = at.ROW + row * at.MOST_TILES, S[at.ROW_END + row]
    if end == at.MOST_TILES:
        first = S[at.ROW_START + row]
        for spot in range(first, end):
            S[tiles + spot - first] = S[tiles + spot]
        S[at.ROW_START + row], end = 0, end - first
        S[at.MOVED + row] += 1
    S[tiles + end] = tile
    S[at.ROW_END + row] = end + 1
    S[at.WHERE + tile] = row
    seat = row - P[at.HAND_ROW]
    if 0 <= seat < P[at.SEATS]:
        count_tile(S, P, image, tile, seat, 1)


@kernel
def there(S: Array, P: Array, row: int) -> int:
    """How many tiles of a row count as there; less than none where more are kept."""
    return int(S[at.ROW_END + row] - S[at.ROW_START + row] - P[P[at.KEEPS] + row])


@kernel
def gather_all(S: Array, P: Array, row: int) -> int:
    """Every tile of the table into one row, in their order; nothing anywhere else. How many there are."""
    for other in range(at.MOST_ROWS):
        S[at.ROW_START + other] = S[at.ROW_END + other] = 0
        S[at.MOVED + other] += 1
    for spot in range(at.MOST_SEATS * at.MOST_FACES):
        S[at.COUNT + spot] = 0
    for spot in range(at.MOST_SEATS * at.MOST_BLOCKS):
        S[at.NUMBER + spot] = 0
    for spot in range(at.MOST_SEATS * at.MOST_ALIKE):
        S[at.ALIKE + spot] = 0
    for seat in range(at.MOST_SEATS):
        S[at.ODD + seat] = S[at.LAID_SIZE + seat] = S[at.FACES + seat] = S[at.FRESH + seat] = 0
        S[at.CHANGES + seat] += 1
        S[at.CAME + seat] = at.NONE
    size = 0
    for tile in range(P[at.FIRST], P[at.TILES]):
        S[at.ROW + row * at.MOST_TILES + size] = tile
        S[at.WHERE + tile], S[at.SHOWN + tile], S[at.DISCARDED + tile] = row, 0, 0
        size += 1
    S[at.ROW_END + row], S[at.DISCARDS] = size, 0
    S[at.RELISTED] += 1
    return int(size)


@kernel
def move_tile(S: Array, P: Array, image: Array, tile: int, row: int, claimant: int) -> None:
    """Move a tile to the end of a row; `claimant`: whose tile others may claim there, NONE if nobody may."""
    if claimant >= 0:
        note_discard(S, P, tile, row, claimant)
    S[at.DISCARDED + tile] &= ~at.IS_TURNED
    carry(S, P, image, tile, row)
    if S[at.CARRIED] == at.NONE:
        S[at.CARRIED] = tile
    if claimant >= 0:
        S[at.TILE], S[at.DISCARDER] = tile, claimant


@kernel
def note_discard(S: Array, P: Array, tile: int, row: int, seat: int) -> None:
    """Note that a tile of a seat is about to come to a row where others may claim it."""
    forget_discard(S, tile)  # once more
    place = S[at.WHERE + tile]
    owner = place - P[at.HAND_ROW]
    fresh = 0 <= owner < P[at.SEATS] and S[at.FRESH + max(0, owner)] and S[at.DRAWN + max(0, owner)] == tile
    S[at.DISCARDED + tile] = at.IS_DISCARD | seat << at.DISCARD_SEAT | row << at.DISCARD_ROW
    if fresh:
        S[at.DISCARDED + tile] |= at.IS_JUST_DRAWN
    S[at.DISCARD + S[at.DISCARDS]] = tile
    S[at.DISCARDS] += 1


@kernel
def forget_discard(S: Array, tile: int) -> None:
    """Forget that a tile was discarded, if it was."""
    if S[at.DISCARDED + tile] & at.IS_DISCARD:
        spot = int(at.DISCARD)
        while S[spot] != tile:
            spot += 1
        S[at.DISCARDS] -= 1
        S[at.RELISTED] += 1
        while spot < at.DISCARD + S[at.DISCARDS]:
            S[spot] = S[spot + 1]
            spot += 1


@kernel
def replace_tile(S: Array, P: Array, image: Array, tile: int, row: int, came: int) -> bool:
    """Put another tile in the place of one that lies in a row; False in a meld where it is not what that one stands
    for there."""
    spot, seat = at.ROW + row * at.MOST_TILES + S[at.ROW_START + max(row, 0)], row - P[at.HAND_ROW]
    if row < 0:
        seat = at.IN_MELDS - row
        laid, row = meld_of(S, seat, tile), P[at.MELD_ROW] + seat
        if as_in_group(P, S[laid + at.LAID_GROUP], tile) != P[P[at.PLAIN] + came]:
            return False
        spot = laid + at.LAID_TILES
        S[at.CHANGES + seat] += 1
        S[at.CAME + seat] = at.NONE
    elif 0 <= seat < P[at.SEATS]:
        count_tile(S, P, image, tile, seat, -1)
        count_tile(S, P, image, came, seat, 1)
    while S[spot] != tile:
        spot += 1
    S[spot] = came
    S[at.MOVED + row] += 1
    return True


@kernel
def turn_carried(S: Array, row: int) -> None:
    """Turn the first tile that has come to a row by the last move, unless another one there is turned."""
    tiles = at.ROW + row * at.MOST_TILES
    for spot in range(tiles + S[at.ROW_START + row], tiles + S[at.ROW_END + row]):
        if S[at.DISCARDED + S[spot]] & at.IS_TURNED:
            return
    if S[at.CARRIED] >= 0:
        S[at.DISCARDED + S[at.CARRIED]] |= at.IS_TURNED


@kernel
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


@kernel
def hand_count(group: int) -> int:
    """How many tiles of the hand a group takes."""
    count = 0
    while count < at.HAND_TILES and group >> (at.HAND_AT + at.TILE_BITS * count) & at.NO_TILE != at.NO_TILE:
        count += 1
    return count


@kernel
def hand_tile(P: Array, group: int, number: int) -> int:
    """One of the tiles of the hand that a group takes."""
    return int((group >> (at.HAND_AT + at.TILE_BITS * number) & at.NO_TILE) + P[at.FIRST])


@kernel
def grows_from(group: int) -> int:
    """The meld that a group grows from, or NONE."""
    meld = group >> at.MELD_AT & at.NO_TILE
    is_last = group >> (at.HAND_AT + at.TILE_BITS) & at.NO_TILE == at.NO_TILE
    return meld if is_last and meld != at.NO_TILE else at.NONE


@kernel
def claimed_of(P: Array, group: int) -> int:
    """The tile that was claimed for a group, or with which a meld grew; NONE where there is none."""
    claimed = group >> at.CLAIMED_AT & at.NO_TILE
    return at.NONE if group < 0 or claimed == at.NO_TILE else int(claimed + P[at.FIRST])


@kernel
def as_in_group(P: Array, group: int, tile: int) -> int:
    """The plain tile that a tile is in a group: a wild one is what it stands for."""
    kind = P[P[at.PLAIN] + tile]
    if P[at.HAS_WILD]:
        stands = P[P[at.STANDS] + group * P[at.FIRST] + kind]
        if stands >= 0:
            return int(stands)
    return int(kind)


@kernel
def place_in(P: Array, group: int, tile: int) -> int:
    """Where a tile stands in the order of its group; a wild one comes after others like it."""
    kind = as_in_group(P, group, tile)
    return int(2 * P[P[at.PLACE] + kind] + (kind != P[P[at.PLAIN] + tile]))


@kernel
def lay_group(S: Array, P: Array, image: Array, group: int, seat: int, concealed: int, seen: int, hand: int) -> None:
    """A group that was chosen becomes a meld of its seat; `seen`: the seats that see it, NONE: as its zone says;
    `hand`: the hand that it belongs to, NONE: that of the meld that grows, otherwise the first."""
    old, number = grows_from(group), group & at.GROUP_MASK
    own, claimed = hand_count(group), claimed_of(P, group)
    melds = at.LAID + seat * at.MOST_MELDS * at.MELD
    exposed, discarder, count = 1 - concealed, at.NONE, 0
    work = at.WORK  # tiles in the order in which they are given
    size = S[at.LAID_SIZE + seat]
    if old >= 0:
        meld = melds + old * at.MELD
        exposed, discarder = S[meld + at.LAID_EXPOSED], S[meld + at.LAID_DISCARDER]
        if hand == at.NONE:
            hand = S[meld + at.LAID_HAND]
        if seen == at.NONE:
            seen = S[meld + at.LAID_SEEN]
        for tile in range(S[meld + at.LAID_COUNT]):
            S[work + count] = S[meld + at.LAID_TILES + tile]
            count += 1
        for other in range(old, size - 1):
            for field in range(at.MELD):
                S[melds + other * at.MELD + field] = S[melds + (other + 1) * at.MELD + field]
        size -= 1
    elif claimed >= 0:
        S[work], discarder = claimed, S[at.CLAIMED_FROM + claimed]
        count = 1
    for tile in range(own):
        S[work + count] = hand_tile(P, group, tile)
        count += 1
    for tile in range(count):
        take_away(S, P, image, S[work + tile])
        S[at.WHERE + S[work + tile]] = at.IN_MELDS - seat
    for tile in range(1, count):  # in the order of the group
        moved, spot = S[work + tile], tile
        place = place_in(P, number, moved)
        while spot > 0 and place_in(P, number, S[work + spot - 1]) > place:
            S[work + spot] = S[work + spot - 1]
            spot -= 1
        S[work + spot] = moved
    meld = melds + size * at.MELD
    S[meld + at.LAID_GROUP], S[meld + at.LAID_EXPOSED], S[meld + at.LAID_DISCARDER] = number, exposed, discarder
    S[meld + at.LAID_SEEN], S[meld + at.LAID_COUNT] = seen, count
    S[meld + at.LAID_HAND] = 1 if hand == at.NONE else hand
    S[meld + at.LAID_CLAIMED] = claimed
    for tile in range(count):
        S[meld + at.LAID_TILES + tile] = S[work + tile]
    S[at.LAID_SIZE + seat] = size + 1
    S[at.MOVED + P[at.MELD_ROW] + seat] += 1


@kernel
def move_melds(S: Array, P: Array, image: Array, seat: int, hand: int, row: int) -> None:
    """The melds of a hand are no more: their tiles move to the end of a row."""
    melds, kept = at.LAID + seat * at.MOST_MELDS * at.MELD, 0
    for number in range(S[at.LAID_SIZE + seat]):
        meld = melds + number * at.MELD
        if S[meld + at.LAID_HAND] == hand:
            for tile in range(S[meld + at.LAID_COUNT]):
                carry(S, P, image, S[meld + at.LAID_TILES + tile], row)
        else:
            for field in range(at.MELD):
                S[melds + kept * at.MELD + field] = S[meld + field]
            kept += 1
    if kept < S[at.LAID_SIZE + seat]:
        S[at.LAID_SIZE + seat] = kept
        S[at.MOVED + P[at.MELD_ROW] + seat] += 1
        S[at.CHANGES + seat] += 1
        S[at.CAME + seat] = at.NONE


@kernel
def lead_of(S: Array, P: Array, group: int) -> int:
    """The tile of a group of a hand that comes first in the order of the group."""
    found, first = at.NONE, 0
    for number in range(hand_count(group)):
        tile = hand_tile(P, group, number)
        place = place_in(P, group & at.GROUP_MASK, tile)
        if found < 0 or place < first:
            found, first = tile, place
    return int(found)


@kernel
def add_group(S: Array, P: Array, group: int, seat: int, start: int, size: int) -> int:
    """Add the tiles of a group that a seat chooses, in its order, to the list that begins there and has so many. How
    many it has then."""
    first, own, index = size, hand_count(group), group & at.GROUP_MASK
    old, claimed, lead = grows_from(group), claimed_of(P, group), hand_tile(P, group, 0)
    if own > 0 and S[at.WHERE + lead] <= at.IN_MELDS:  # it lies there
        laid = meld_of(S, at.IN_MELDS - S[at.WHERE + lead], lead)
        for number in range(S[laid + at.LAID_COUNT]):
            S[start + size + number] = S[laid + at.LAID_TILES + number]
        return int(size + S[laid + at.LAID_COUNT])
    laid = at.LAID + (seat * at.MOST_MELDS + max(old, 0)) * at.MELD
    for number in range(S[laid + at.LAID_COUNT] if old >= 0 else 0):
        S[start + size] = S[laid + at.LAID_TILES + number]
        size += 1
    if claimed >= 0 and old < 0:
        S[start + size] = claimed
        size += 1
    for number in range(own):
        S[start + size] = hand_tile(P, group, number)
        size += 1
    for number in range(first + 1, size):
        moved, spot = S[start + number], number
        place = place_in(P, index, moved)
        while spot > first and place_in(P, index, S[start + spot - 1]) > place:
            S[start + spot] = S[start + spot - 1]
            spot -= 1
        S[start + spot] = moved
    return size


@kernel
def meld_of(S: Array, seat: int, tile: int) -> int:
    """Where the meld of a seat is that has this tile."""
    laid = at.LAID + seat * at.MOST_MELDS * at.MELD
    for _ in range(S[at.LAID_SIZE + seat]):
        for number in range(S[laid + at.LAID_COUNT]):
            if S[laid + at.LAID_TILES + number] == tile:
                return int(laid)
        laid += at.MELD
    return int(laid)


@kernel
def grown_meld(S: Array, P: Array, group: int) -> int:
    """Where the meld is from which a group that was chosen grows, or has grown; NONE once its tile lies elsewhere."""
    tile = hand_tile(P, group, 0)
    row, seat = S[at.WHERE + tile], S[at.WHERE + tile] - P[at.HAND_ROW]
    if row <= at.IN_MELDS:
        return int(meld_of(S, at.IN_MELDS - row, tile))
    if 0 <= seat < P[at.SEATS]:
        return int(at.LAID + (seat * at.MOST_MELDS + grows_from(group)) * at.MELD)
    return at.NONE


@kernel
def sort_tiles(S: Array, P: Array, start: int, end: int) -> None:
    """Put tiles into the order of the tile set."""
    for number in range(start + 1, end):
        moved, spot = S[number], number
        while spot > start and P[P[at.PLACE] + S[spot - 1]] > P[P[at.PLACE] + moved]:
            S[spot] = S[spot - 1]
            spot -= 1
        S[spot] = moved


@kernel
def stands_for(S: Array, P: Array, tile: int) -> int:
    """The plain tile that a tile of an exposed meld is there; NONE for one that lies elsewhere."""
    if tile < 0 or S[at.WHERE + tile] > at.IN_MELDS:
        return at.NONE
    laid = meld_of(S, at.IN_MELDS - S[at.WHERE + tile], tile)
    return as_in_group(P, S[laid + at.LAID_GROUP], tile) if S[laid + at.LAID_EXPOSED] else at.NONE


@kernel
def mark_faces(S: Array, P: Array, seat: int) -> int:
    """The faces of a hand by their place, as bits. How many there are."""
    if not P[at.SEVERAL_FACES]:
        S[at.HELD + seat] = S[at.FACES + seat]
        return count_bits(S[at.HELD + seat])
    row = P[at.HAND_ROW] + seat
    tiles, bits, count = at.ROW + row * at.MOST_TILES, 0, 0
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        bit = 1 << P[P[at.PLACE] + S[tiles + spot]]
        count += not bits & bit
        bits |= bit
    S[at.HELD + seat] = bits
    return int(count)


@kernel
def count_bits(bits: int) -> int:
    """How many bits are set; a loop that compilers know."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def lowest(bits: int) -> int:
    """The place of the lowest of some bits: how many are below it."""
    return count_bits((bits & -bits) - 1)


@kernel
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


@kernel
def is_bare_hand(S: Array, seat: int, hand: int) -> bool:
    """Whether a hand of a seat has no melds."""
    for meld in range(S[at.LAID_SIZE + seat]):
        if S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_HAND] == hand:
            return False
    return True


@kernel
def is_exposed(S: Array, seat: int, hand: int) -> int:
    """Whether a meld of a seat is exposed: of its hand of this number, or of any (NONE)."""
    exposed = 0
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        if hand == at.NONE or S[laid + at.LAID_HAND] == hand:
            exposed |= S[laid + at.LAID_EXPOSED]
    return int(exposed)
