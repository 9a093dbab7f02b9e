"""Operations on tiles and the zones that they lie in, on groups and melds.

A zone of seats is a row for each, one after the other. A group that was chosen is one number (`kernel.layout` says
how), a meld another.
"""

from tilewright.base.kernels import ON, kernel, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import shuffle_row
from tilewright.play.compiled.kernel.forms import holds_alike, next_claimed, next_grown, next_own
from tilewright.play.compiled.kernel.tiles import (
    carry,
    claimed_of,
    forget_discard,
    gather_all,
    grown_meld,
    grows_from,
    is_bare_hand,
    is_exposed,
    lay_group,
    lead_of,
    move_melds,
    move_tile,
    replace_tile,
    stands_for,
    there,
    turn_carried,
)
from tilewright.play.compiled.machine.going import begin_anew
from tilewright.play.compiled.machine.operands import Given, List, Machine, Number, Place, Register, Value, acting

FROM_BACK, AT_RANDOM, CLAIMS = 1, 8, 1  # of how many tiles move: two flags, and which bits are whose they are


@kernel
def claimant_of(claims: int, owner: int, seat: int) -> int:
    """Whose tile it is that moves to where others may claim it: of the owner of its place (2), or of the acting seat
    (1); NONE where nobody may (0)."""
    if claims == 0:
        return at.NONE
    return owner if claims == 2 else seat


@kernel
def find_empty(m: Machine, phase: int) -> int:
    """There is no tile to take: a phase begins, or without one that is a problem. Where the code continues."""
    if phase >= 0:
        return begin_anew(m.S, m.P, phase, m.S[at.TURN])
    m.S[at.PROBLEM] = at.Problem.NO_TILE
    return ON


@operation
def shuffle(m: Machine, row: Number) -> None:
    """All tiles of the table lie in one row, in random order."""
    size = gather_all(m.S, m.P, row)
    shuffle_row(m.S, at.ROW + row * at.MOST_TILES, size)


@operation
def gather(m: Machine, row: Number, owner: Value, to: Number, taker: Value) -> None:
    """The tiles of a row that count as there move to the end of another one."""
    S, place, goal = m.S, row + owner, to + taker
    for _ in range(there(S, m.P, place) if place != goal else 0):
        carry(S, m.P, m.forms, S[at.ROW + place * at.MOST_TILES + S[at.ROW_START + place]], goal)


@operation
def mix(m: Machine, row: Number, owner: Value) -> None:
    """The tiles of a row lie in random order, as if they had just come to the table."""
    S, place = m.S, row + owner
    first = at.ROW + place * at.MOST_TILES + S[at.ROW_START + place]
    size = S[at.ROW_END + place] - S[at.ROW_START + place]
    shuffle_row(S, first, size)
    S[at.MOVED + place] += 1
    for spot in range(first, first + size):
        forget_discard(S, S[spot])
        S[at.SHOWN + S[spot]] = S[at.DISCARDED + S[spot]] = 0


@operation
def draw(m: Machine, row: Number, owner: Value, from_back: Number, empty: Number) -> int:
    """The acting seat draws a tile of a row."""
    S, place, seat = m.S, row + owner, m.S[acting(m.S)]
    if there(S, m.P, place) <= 0:
        return find_empty(m, empty)
    end = S[at.ROW_END + place] - 1 if from_back else S[at.ROW_START + place]
    tile = S[at.ROW + place * at.MOST_TILES + end]
    S[at.DISCARDED + tile] &= ~at.IS_TURNED
    carry(S, m.P, m.forms, tile, m.P[at.HAND_ROW] + seat)
    S[at.TILE], S[at.DISCARDER], S[at.DRAWN + seat], S[at.FRESH + seat] = tile, at.NONE, tile, 1
    S[at.DRAWS] += 1
    return ON


@operation
def move_count(
    m: Machine, count: Value, row: Number, owner: Value, to: Number, taker: Value, flags: Number, empty: Number
) -> int:
    """So many tiles of a row move to another one: its first, its last (FROM_BACK), or some of them (AT_RANDOM)."""
    S, place = m.S, row + owner
    left = there(S, m.P, place)
    if count > 0 and left <= 0:
        return find_empty(m, empty)
    S[at.CARRIED] = at.NONE
    tiles, claimant = at.ROW + place * at.MOST_TILES, claimant_of(flags >> CLAIMS & 3, owner, S[acting(S)])
    if flags & AT_RANDOM and count > 0:
        if left > at.MOST_DRAWN:
            S[at.PROBLEM] = at.Problem.MANY_DRAWN
            left = 0
        for one in range(left):
            S[at.LOTS + one] = S[tiles + S[at.ROW_START + place] + one]
        shuffle_row(S, at.LOTS, left)
    for one in range(min(count, left)):
        if flags & AT_RANDOM:
            tile = S[at.LOTS + one]
        else:
            tile = S[tiles + (S[at.ROW_END + place] - 1 if flags & FROM_BACK else S[at.ROW_START + place])]
        move_tile(S, m.P, m.forms, tile, to + taker, claimant)
    return ON


@operation
def move_of_class(
    m: Machine,
    count: Value,
    members: Number,
    row: Number,
    owner: Value,
    to: Number,
    taker: Value,
    flags: Number,
    empty: Number,
) -> int:
    """So many tiles of a class move from a row to another one: the first that count as there, or the last
    (FROM_BACK)."""
    S, P, place = m.S, m.P, row + owner
    left = there(S, P, place)
    if count > 0 and left <= 0:
        return find_empty(m, empty)
    S[at.CARRIED] = at.NONE
    tiles, claimant = at.ROW + place * at.MOST_TILES, claimant_of(flags >> CLAIMS & 3, owner, S[acting(S)])
    back = flags & FROM_BACK
    spot, behind = S[at.ROW_START + place], S[at.ROW_START + place] + left
    if back:
        spot = S[at.ROW_END + place] - 1
        count = min(count, left)
    moved = 0
    while moved < count and S[at.ROW_START + place] <= spot and (back or spot < behind):
        tile, first = S[tiles + spot], S[at.ROW_START + place]
        is_one = P[P[at.CLASSES] + members * at.MOST_TILES + tile]
        if is_one:
            move_tile(S, P, m.forms, tile, to + taker, claimant)
            moved += 1
        if back:
            spot -= 1
        elif is_one and spot != first:
            behind -= 1  # the tiles behind it come nearer
        else:
            spot += 1
    return ON


@kernel
def move_if_there(m: Machine, tile: int, row: int, owner: int, to: int, claims: int) -> None:
    """A tile moves, if it lies in a row."""
    S = m.S
    if tile < m.P[at.FIRST]:
        S[at.PROBLEM] = at.Problem.NOT_OF_TABLE
    elif S[at.WHERE + tile] == row + owner:
        move_tile(S, m.P, m.forms, tile, to, claimant_of(claims, owner, S[acting(S)]))


@operation
def move_one(m: Machine, tile: Value, row: Number, owner: Value, to: Number, taker: Value, claims: Number) -> None:
    """A tile moves from one row to another, if it lies there. `claims`: whose it is there for others to claim."""
    m.S[at.CARRIED] = at.NONE
    if tile >= 0:
        move_if_there(m, tile, row, owner, to + taker, claims)


@operation
def move_list(m: Machine, tiles: List, row: Number, owner: Value, to: Number, taker: Value, claims: Number) -> None:
    """The same for the tiles of a list."""
    m.S[at.CARRIED] = at.NONE
    for number in range(m.S[tiles]):
        move_if_there(m, m.S[tiles + 1 + number], row, owner, to + taker, claims)


@operation
def turn(m: Machine, row: Number, owner: Value) -> None:
    """The first tile that was moved to a row lies sideways, unless another one there does."""
    turn_carried(m.S, row + owner)


@operation
def swap(m: Machine, one: Value, other: Value) -> None:
    """Two tiles change places."""
    S, P = m.S, m.P
    if min(one, other) < P[at.FIRST]:
        S[at.PROBLEM] = at.Problem.NOT_OF_TABLE
        return
    there, elsewhere, hand = S[at.WHERE + one], S[at.WHERE + other], P[at.HAND_ROW] + S[acting(S)]
    if there == elsewhere:
        S[at.PROBLEM] = at.Problem.OF_ONE_PLACE
    elif not (replace_tile(S, P, m.forms, one, there, other) and replace_tile(S, P, m.forms, other, elsewhere, one)):
        S[at.PROBLEM] = at.Problem.NOT_IN_MELD
    S[at.WHERE + one], S[at.WHERE + other] = elsewhere, there
    if there == hand:
        S[at.TILE], S[at.DISCARDER] = other, at.NONE
    elif elsewhere == hand:
        S[at.TILE], S[at.DISCARDER] = one, at.NONE


@operation
def hide(m: Machine, tiles: List) -> None:
    """The tiles of a list are no longer shown."""
    for number in range(m.S[tiles]):
        if m.S[tiles + 1 + number] >= m.P[at.FIRST]:
            m.S[at.SHOWN + m.S[tiles + 1 + number]] = 0


@operation
def reveal(m: Machine, tiles: List, seats: Value) -> None:
    """Some seats see the tiles of a list."""
    S = m.S
    S[at.SHOWN_ANY] |= seats
    for number in range(S[tiles]):
        tile = S[tiles + 1 + number]
        if tile >= m.P[at.FIRST]:
            S[at.SHOWN + tile] |= seats


@operation
def count(m: Machine, to: Register, row: Number, owner: Value) -> None:
    """`to` becomes how many tiles of a row count as there."""
    m.S[to] = max(0, there(m.S, m.P, row + owner))


@operation
def count_kinds(m: Machine, to: Register, row: Number, seats: Value) -> None:
    """`to` becomes how many different plain tiles lie in the rows of some seats."""
    S, P, seen, count = m.S, m.P, 0, 0
    for seat in range(at.MOST_SEATS):
        if seats >> seat & 1:
            place = row + seat
            for spot in range(S[at.ROW_START + place], S[at.ROW_END + place] - P[P[at.KEEPS] + place]):
                kind = P[P[at.PLAIN] + S[at.ROW + place * at.MOST_TILES + spot]]
                if not seen >> kind & 1:
                    seen |= 1 << kind
                    count += 1
    S[to] = count


@operation
def first(m: Machine, to: Register, row: Number, owner: Value) -> None:
    """`to` becomes the first tile of a row, or NONE."""
    S, place = m.S, row + owner
    some = there(S, m.P, place) > 0
    S[to] = S[at.ROW + place * at.MOST_TILES + S[at.ROW_START + place]] if some else at.NONE


@operation
def drawn(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes the tile that a seat drew last, or NONE."""
    m.S[to] = m.S[at.DRAWN + seat]


@operation
def stand_for(m: Machine, to: Register, tile: Value) -> None:
    """`to` becomes the plain tile that a tile of an exposed meld is there, or NONE."""
    m.S[to] = stands_for(m.S, m.P, tile)


@operation
def if_in_class(m: Machine, tile: Value, members: Number, to: Place) -> int:
    """Continue elsewhere with a tile of a class."""
    return to if tile >= 0 and m.P[m.P[at.CLASSES] + members * at.MOST_TILES + tile] else ON


@operation
def if_not_in_class(m: Machine, tile: Value, members: Number, to: Place) -> int:
    """Continue elsewhere without a tile, or with one that is not of a class."""
    return to if tile < 0 or not m.P[m.P[at.CLASSES] + members * at.MOST_TILES + tile] else ON


@operation
def is_in_suit(m: Machine, to: Register, tile: Value, suit: Value) -> None:
    """`to` becomes whether a tile is of a suit."""
    m.S[to] = tile >= 0 and m.P[m.P[at.SUIT_OF] + tile] == suit


@operation
def are_alike(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes whether two tiles are the same plain tile, or neither is there."""
    P = m.P
    if one < 0 or other < 0:
        m.S[to] = one == other
    else:
        m.S[to] = P[P[at.PLAIN] + one] == P[P[at.PLAIN] + other]


@operation
def first_claimed(m: Machine, group: Register, stand: Register, kind: Number, none: Place) -> int:
    """The first group of a kind that the asked seat makes with the tile in question; continue elsewhere without one.
    `stand`: where the search stands."""
    S = m.S
    S[stand] = at.NONE
    if S[at.TILE] >= 0:
        S[stand] = next_claimed(S, m.P, S[at.SEAT_ASKED], kind, group, 0, S[at.DISCARDER])
    return none if S[stand] < 0 else ON


@operation
def other_claimed(m: Machine, group: Register, stand: Register, kind: Number, to: Place) -> int:
    """The next such group; continue elsewhere with one."""
    S = m.S
    S[stand] = next_claimed(S, m.P, S[at.SEAT_ASKED], kind, group, S[stand], S[at.DISCARDER])
    return to if S[stand] >= 0 else ON


@operation
def first_own(m: Machine, group: Register, stand: Register, kind: Number, none: Place) -> int:
    """The first group of a kind in the hand of the asked seat; continue elsewhere without one."""
    S = m.S
    S[stand] = at.NONE
    if holds_alike(S, m.P, S[at.SEAT_ASKED], kind):
        S[stand] = next_own(S, m.P, S[at.SEAT_ASKED], kind, group, 0)
    return none if S[stand] < 0 else ON


@operation
def other_own(m: Machine, group: Register, stand: Register, kind: Number, to: Place) -> int:
    """The next such group; continue elsewhere with one."""
    S = m.S
    S[stand] = next_own(S, m.P, S[at.SEAT_ASKED], kind, group, S[stand])
    return to if S[stand] >= 0 else ON


@operation
def first_grown(m: Machine, group: Register, stand: Register, kind: Number, none: Place, onto: Number) -> int:
    """The first group of a kind that a meld of another kind becomes with a tile of the hand of the asked seat; continue
    elsewhere without one."""
    S = m.S
    S[stand] = next_grown(S, m.P, S[at.SEAT_ASKED], kind, onto, group, 0)
    return none if S[stand] < 0 else ON


@operation
def other_grown(m: Machine, group: Register, stand: Register, kind: Number, to: Place, onto: Number) -> int:
    """The next such group; continue elsewhere with one."""
    S = m.S
    S[stand] = next_grown(S, m.P, S[at.SEAT_ASKED], kind, onto, group, S[stand])
    return to if S[stand] >= 0 else ON


@operation
def lay(m: Machine, group: Value, concealed: Number, seen: Given, hand: Value) -> None:
    """A group becomes a meld of the acting seat; `seen`: the seats that see it, if not as its zone says; `hand`: the
    hand that it belongs to, or NONE: that of the meld that grows, otherwise the first."""
    S, seat = m.S, m.S[acting(m.S)]
    if group < 0:
        return
    if S[at.LAID_SIZE + seat] >= at.MOST_MELDS - 1:
        S[at.PROBLEM] = at.Problem.MANY_MELDS
    else:
        lay_group(S, m.P, m.forms, group, seat, concealed, at.NONE if seen == at.UNSET else seen, hand)


@operation
def finish(m: Machine, hand: Value, last: Number, to: Number, taker: Value) -> None:
    """A hand of the acting seat takes no more melds, and cannot win: this one, or (`last`) the one that it has declared
    last, for which no tile is in question any more. Its melds, and the tiles that it was declared with, move to a row,
    if `to` is one."""
    S, seat = m.S, m.S[acting(m.S)]
    number = S[at.HAND_WON + seat] if last else hand
    if number < 1 or number > m.P[at.HANDS]:
        return
    S[at.CLOSED + seat] |= 1 << number
    if to >= 0:
        move_melds(S, m.P, m.forms, seat, number, to + taker)
        won = at.WON_TILES + seat * at.LIST
        for one in range(S[won] if last else 0):
            carry(S, m.P, m.forms, S[won + 1 + one], to + taker)
    if last:
        S[at.TILE] = S[at.DISCARDER] = at.NONE


@operation
def claimed_tile(m: Machine, to: Register, group: Value) -> None:
    """`to` becomes the tile that was claimed for a group, or with which a meld grew; NONE where there is none."""
    m.S[to] = claimed_of(m.P, group)


@operation
def lead(m: Machine, to: Register, group: Value) -> None:
    """`to` becomes the first tile of a group of a hand."""
    if group >= 0 and claimed_of(m.P, group) < 0:
        m.S[to] = lead_of(m.S, m.P, group)
    else:
        m.S[at.PROBLEM] = at.Problem.NOT_OF_HAND


@operation
def claimed_from(m: Machine, to: Register, group: Value) -> None:
    """`to` becomes who discarded the tile that was claimed for a group, or for the meld that it grows from."""
    S, claimed = m.S, claimed_of(m.P, group)
    if grows_from(group) >= 0:
        meld = grown_meld(S, m.P, group)
        S[to] = at.NONE if meld < 0 else S[meld + at.LAID_DISCARDER]
    else:
        S[to] = at.NONE if claimed < 0 else S[at.CLAIMED_FROM + claimed]


@operation
def each_meld(m: Machine, meld: Register, stand: Register, seat: Value, to: Place) -> int:
    """The next meld of a seat; continue elsewhere with it. `stand`: how many there have been."""
    S, number = m.S, m.S[stand]
    if number < S[at.LAID_SIZE + seat]:
        S[meld] = seat * at.MOST_MELDS + number
        S[stand] = number + 1
        return to
    return ON


@operation
def count_melds(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes how many melds a seat has."""
    m.S[to] = m.S[at.LAID_SIZE + seat]


@operation
def hand_of(m: Machine, to: Register, meld: Value) -> None:
    """`to` becomes the hand of its seat that a meld belongs to."""
    m.S[to] = m.S[at.LAID + meld * at.MELD + at.LAID_HAND]


@operation
def takes(m: Machine, to: Register, seat: Value, hand: Value) -> None:
    """`to` becomes whether a meld may come to a hand of a seat: it has melds, or is the first that has none."""
    S, bare, found = m.S, 0, 0
    for number in range(1, m.P[at.HANDS] + 1):
        if S[at.CLOSED + seat] >> number & 1:
            continue
        is_bare = is_bare_hand(S, seat, number)
        if number == hand and not (is_bare and bare):
            found = 1
        bare = bare or is_bare
    S[to] = found


@operation
def is_kind(m: Machine, to: Register, meld: Value, kind: Number) -> None:
    """`to` becomes whether a meld is of a kind."""
    group = m.S[at.LAID + meld * at.MELD + at.LAID_GROUP]
    m.S[to] = m.P[m.P[at.GROUP_KINDS] + group] >> kind & 1


@operation
def is_in_melds(m: Machine, to: Register, tile: Value, seats: Value) -> None:
    """`to` becomes whether a tile lies in a meld of one of some seats."""
    row = m.S[at.WHERE + tile] if tile >= 0 else at.NONE
    m.S[to] = row <= at.IN_MELDS and seats >> (at.IN_MELDS - row) & 1


@operation
def is_among(m: Machine, to: Register, meld: Value, groups: Number) -> None:
    """`to` becomes whether a meld is one of a set of groups."""
    group = m.S[at.LAID + meld * at.MELD + at.LAID_GROUP]
    m.S[to] = m.P[m.P[at.GROUP_SETS] + groups * m.P[at.GROUPS] + group]


@operation
def discarder(m: Machine, to: Register, meld: Value) -> None:
    """`to` becomes who discarded the claimed tile of a meld, or NONE."""
    m.S[to] = m.S[at.LAID + meld * at.MELD + at.LAID_DISCARDER]


@operation
def concealed(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes whether no meld of a seat is exposed."""
    m.S[to] = not is_exposed(m.S, seat, at.NONE)
