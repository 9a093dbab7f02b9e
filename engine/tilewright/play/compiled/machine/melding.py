"""Operations on groups and melds. A group that was chosen is one number (`kernel.layout` says how), a meld another."""

from tilewright.base.kernels import ON, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.groups import holds_alike, next_claimed, next_grown, next_own
from tilewright.play.compiled.kernel.tiles import (
    carry,
    claimed_of,
    grown_meld,
    grows_from,
    is_bare_hand,
    is_exposed,
    lay_group,
    lead_of,
    move_melds,
)
from tilewright.play.compiled.machine.operands import Given, Machine, Number, Place, Register, Value, acting


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
def count(m: Machine, to: Register, seat: Value) -> None:
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
