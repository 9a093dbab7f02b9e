"""Operations on numbers and truths, on marks, and on lists of tiles, of which a frame has several; and where the code
continues.

Marks of the table are kept for the first seat. Answers to steps, and dice, are marks, too.
"""

from tilewright.base.arrays import Array
from tilewright.base.kernels import ON, kernel, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import roll
from tilewright.play.compiled.kernel.forms import UNTOLD, waits_of
from tilewright.play.compiled.kernel.tiles import (
    add_group,
    as_in_group,
    claimed_of,
    count_bits,
    hand_count,
    hand_tile,
    mark_faces,
    sort_tiles,
    there,
    tile_at,
)
from tilewright.play.compiled.machine.operands import (
    MOST_OPERANDS,
    Given,
    List,
    Machine,
    Number,
    Place,
    Register,
    Rest,
    Value,
    acting,
    ask_host,
)


@operation
def jump(m: Machine, to: Place) -> int:
    """Continue elsewhere."""
    return to


@operation
def if_not(m: Machine, truth: Value, to: Place) -> int:
    """Continue elsewhere where a truth does not hold, or a number is 0."""
    return to if truth == 0 else ON


@operation
def if_true(m: Machine, truth: Value, to: Place) -> int:
    """Continue elsewhere where a truth holds, or a number is not 0."""
    return to if truth != 0 else ON


@operation
def if_equal(m: Machine, one: Value, other: Value, to: Place) -> int:
    """Continue elsewhere where two numbers are equal."""
    return to if one == other else ON


@operation
def if_different(m: Machine, one: Value, other: Value, to: Place) -> int:
    """Continue elsewhere where two numbers differ."""
    return to if one != other else ON


@operation
def if_less(m: Machine, one: Value, other: Value, to: Place) -> int:
    """Continue elsewhere where one number is less than another."""
    return to if one < other else ON


@operation
def if_at_most(m: Machine, one: Value, other: Value, to: Place) -> int:
    """Continue elsewhere where one number is at most another."""
    return to if one <= other else ON


@operation
def copy(m: Machine, to: Register, value: Value) -> None:
    """`to` becomes a value."""
    m.S[to] = value


@operation
def add(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes the sum of two numbers."""
    m.S[to] = one + other


@operation
def subtract(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes the difference of two numbers."""
    m.S[to] = one - other


@operation
def multiply(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes the product of two numbers."""
    if abs(float(one) * float(other)) > at.MUCH:
        m.S[at.PROBLEM] = at.Problem.LARGE_NUMBER
    else:
        m.S[to] = one * other


@operation
def divide(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes the quotient of two numbers, 0 where one is divided by 0; one that is not whole is a problem."""
    if other != 0 and one % other != 0:
        m.S[at.PROBLEM] = at.Problem.NOT_OF_UNIT
    else:
        m.S[to] = one // other if other != 0 else 0


@operation
def remainder(m: Machine, to: Register, one: Value, other: Value) -> None:
    """`to` becomes what is left of one number divided by another, 0 where it is divided by 0."""
    m.S[to] = one % other if other != 0 else 0


@operation
def population(m: Machine, to: Register, bits: Value) -> None:
    """`to` becomes how many of some bits are set, as of seats."""
    m.S[to] = count_bits(bits)


@kernel
def mark_at(mark: int, seat: int) -> int:
    """Where the value of a mark is in the state."""
    return at.MARK + mark * at.MOST_SEATS + seat


@kernel
def marked_at(mark: int, seat: int) -> int:
    """Where the tiles of a mark are: how many, then these."""
    return at.MARK_TILES + (mark * at.MOST_SEATS + seat) * at.MARK_LIST


@kernel
def has_kind(S: Array, P: Array, tiles: int, tile: int) -> bool:
    """Whether a tile like this one is among those of a list or a mark."""
    kind, spot = P[P[at.PLAIN] + tile], tiles + S[tiles]
    while spot > tiles and P[P[at.PLAIN] + S[spot]] != kind:
        spot -= 1
    return bool(spot > tiles)


@operation
def get(m: Machine, to: Register, mark: Number, seat: Value, unset: Number) -> None:
    """`to` becomes the value of a mark, or a number where it is not set."""
    value = m.S[mark_at(mark, seat)]
    m.S[to] = unset if value == at.UNSET else value


@operation
def put(m: Machine, mark: Number, seat: Value, value: Value) -> None:
    """Set a mark."""
    m.S[mark_at(mark, seat)] = value


@operation
def put_tiles(m: Machine, mark: Number, seat: Value, tiles: List) -> None:
    """Set a mark to the faces of tiles."""
    S, marked, size = m.S, marked_at(mark, seat), m.S[tiles]
    if size >= at.MARK_LIST:
        S[at.PROBLEM] = at.Problem.MANY_MARKED
        size = 0
    S[marked] = size
    S[mark_at(mark, seat)] = 0
    for number in range(1, size + 1):
        S[marked + number] = m.P[m.P[at.FACE] + S[tiles + number]]


@operation
def end_own(m: Machine, mark: Number, seat: Value) -> None:
    """A mark of a seat is not set any more."""
    m.S[mark_at(mark, seat)] = at.UNSET
    m.S[marked_at(mark, seat)] = 0


@operation
def end_all(m: Machine, marks: Rest) -> None:
    """Marks are not set any more for any seat; NONE after the last, if it has room."""
    for spot in range(marks, marks + MOST_OPERANDS):
        if m.P[spot] < 0:
            break
        for seat in range(m.P[at.SEATS]):
            m.S[mark_at(m.P[spot], seat)] = at.UNSET


@operation
def end_tiles(m: Machine, mark: Number) -> None:
    """The same for a mark of tiles."""
    for seat in range(m.P[at.SEATS]):
        m.S[mark_at(mark, seat)] = at.UNSET
        m.S[marked_at(mark, seat)] = 0


@operation
def add_if_marked(m: Machine, to: Register, tile: Value, mark: Number, seat: Value) -> None:
    """`to` becomes true if a tile is like one of those that are marked."""
    if tile >= 0 and has_kind(m.S, m.P, marked_at(mark, seat), tile):
        m.S[to] = 1


@operation
def roll_die(m: Machine, to: Register, sides: Number, bit: Number) -> None:
    """`to` becomes a number below that of the sides; `bit`: of a die that no mark of the ruleset keeps, or NONE."""
    m.S[to] = roll(m.S, sides)
    if bit >= 0:
        m.S[at.SET] |= 1 << bit


@kernel
def append(S: Array, tiles: int, tile: int) -> None:
    """Add a tile to a list, if it has room."""
    if S[tiles] < at.MOST_LISTED:
        S[tiles] += 1
        S[tiles + S[tiles]] = tile
    else:
        S[at.PROBLEM] = at.Problem.MANY_LISTED


@kernel
def append_once(S: Array, P: Array, tiles: int, first: int, tile: int, members: int, drawn: int) -> None:
    """Add a tile of a class to a list, unless one that looks the same is there after the first so many; the drawn one
    takes its place."""
    if not P[P[at.CLASSES] + members * at.MOST_TILES + tile]:
        return
    for spot in range(tiles + first + 1, tiles + S[tiles] + 1):
        if P[P[at.FACE] + S[spot]] == P[P[at.FACE] + tile]:
            if tile == drawn:
                S[spot] = tile
            return
    append(S, tiles, tile)


@operation
def clear(m: Machine, tiles: List) -> None:
    """A list is empty."""
    m.S[tiles] = 0


@operation
def add_tile(m: Machine, tiles: List, tile: Value) -> None:
    """Add a tile to a list, if it is there."""
    if tile >= 0:
        append(m.S, tiles, tile)


@operation
def add_list(m: Machine, tiles: List, others: List) -> None:
    """Add the tiles of another list."""
    for number in range(min(m.S[others], at.MOST_LISTED - m.S[tiles])):
        append(m.S, tiles, m.S[others + 1 + number])


@operation
def add_zone(m: Machine, tiles: List, row: Number, seat: Value) -> None:
    """Add the tiles of a zone that count as there."""
    S, place = m.S, row + seat
    first = at.ROW + place * at.MOST_TILES + S[at.ROW_START + place]
    for spot in range(first, first + there(S, m.P, place)):
        append(S, tiles, S[spot])


@operation
def add_marked(m: Machine, tiles: List, mark: Number, seat: Value) -> None:
    """Add the tiles of a mark."""
    marked = marked_at(mark, seat)
    for number in range(m.S[marked]):
        append(m.S, tiles, m.S[marked + 1 + number])


@operation
def add_waits(
    m: Machine, tiles: List, seat: Value, tile: Value, request: Number, less: Given, forms_ask: Number
) -> None:
    """Add what completes the hand of a seat, with the tile in question, perhaps without one of its own. `request`: of
    the host, where tables do not tell, or where forms have conditions; NONE: that is a problem."""
    S, P = m.S, m.P
    bits = waits_of(S, P, m.forms, seat, tile, at.NONE if less == at.UNSET else less)
    if bits == UNTOLD or (bits != 0 and forms_ask):
        if request < 0:
            S[at.PROBLEM] = at.Problem.UNTOLD_WAITS
        else:
            ask_host(S, at.VALUE, request, seat, tiles)
    elif bits:
        for number in range(P[at.FIRST]):
            kind = P[P[at.IN_ORDER] + number]
            if kind >= 0 and bits >> kind & 1:
                append(S, tiles, kind)


@operation
def add_kinds(m: Machine, tiles: List, seat: Value, request: Number) -> None:
    """Add the different plain tiles of a seat, those of its melds included; a hand that has won is known by its
    reading, so that the host tells them."""
    S, P, seen, row = m.S, m.P, 0, m.P[at.HAND_ROW] + seat
    if S[at.WINNERS] >> seat & 1:
        ask_host(S, at.VALUE, request, seat, tiles)
        return
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        kind = P[P[at.PLAIN] + S[at.ROW + row * at.MOST_TILES + spot]]
        if not seen >> kind & 1:
            seen |= 1 << kind
            append(S, tiles, kind)
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for tile in range(S[laid + at.LAID_COUNT]):
            kind = P[P[at.PLAIN] + S[laid + at.LAID_TILES + tile]]
            if not seen >> kind & 1:
                seen |= 1 << kind
                append(S, tiles, kind)


@operation
def add_completing(m: Machine, tiles: List, group: Value) -> None:
    """Add the tiles that complete a group without the one that was claimed for it."""
    S, P = m.S, m.P
    if group < 0:
        return
    claimed, index = claimed_of(P, group), group & at.GROUP_MASK
    if claimed < 0:
        S[at.PROBLEM] = at.Problem.NOTHING_CLAIMED
        return
    kind = as_in_group(P, index, claimed)
    bits = P[P[at.COMPLETING] + index * P[at.FIRST] + kind]
    for number in range(P[at.FIRST]):
        if bits >> number & 1:
            append(S, tiles, number)


@operation
def add_rest_of_hand(m: Machine, tiles: List, seat: Value, group: Value) -> None:
    """Add the tiles of a hand that a group does not take."""
    S, P = m.S, m.P
    row, taken = P[at.HAND_ROW] + seat, hand_count(group) if group >= 0 else 0
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        tile, gone = S[at.ROW + row * at.MOST_TILES + spot], False
        for one in range(taken):
            if hand_tile(P, group, one) == tile:
                gone = True
        if not gone:
            append(S, tiles, tile)


@operation
def add_from_melds(m: Machine, tiles: List, seats: Value, members: Number, chooser: Value) -> None:
    """Add the tiles of a class that lie in melds of some seats, of each meld and face one: the first, or the one that
    the seat that chooses has drawn. They are in the order of the tile set."""
    S, before = m.S, m.S[tiles]
    for seat in range(at.MOST_SEATS):
        for meld in range(S[at.LAID_SIZE + seat] if seats >> seat & 1 else 0):
            laid, own = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD, S[tiles]
            for number in range(S[laid + at.LAID_COUNT]):
                append_once(S, m.P, tiles, own, S[laid + at.LAID_TILES + number], members, S[at.DRAWN + chooser])
    sort_tiles(S, m.P, tiles + 1 + before, tiles + 1 + S[tiles])


@operation
def add_from_rows(m: Machine, tiles: List, row: Number, seats: Value, members: Number, chooser: Value) -> None:
    """The same for tiles of a zone of seats; of each row and face one."""
    S, before = m.S, m.S[tiles]
    for seat in range(at.MOST_SEATS):
        first, own = at.ROW + (row + seat) * at.MOST_TILES + S[at.ROW_START + row + seat], S[tiles]
        for number in range(max(0, there(S, m.P, row + seat)) if seats >> seat & 1 else 0):
            append_once(S, m.P, tiles, own, S[first + number], members, S[at.DRAWN + chooser])
    sort_tiles(S, m.P, tiles + 1 + before, tiles + 1 + S[tiles])


@operation
def add_meld(m: Machine, tiles: List, meld: Value) -> None:
    """Add the tiles of a meld."""
    laid = at.LAID + meld * at.MELD
    for number in range(m.S[laid + at.LAID_COUNT]):
        append(m.S, tiles, m.S[laid + at.LAID_TILES + number])


@operation
def add_chosen_group(m: Machine, tiles: List, group: Value) -> None:
    """Add the tiles of a group that was chosen, in its order."""
    S = m.S
    if group >= 0:
        S[tiles] = add_group(S, m.P, group, S[acting(S)], tiles + 1, S[tiles])


@operation
def take_hand(m: Machine, tiles: List, seat: Value, last: Number) -> None:
    """A list becomes one tile of each face of a hand: the one drawn, or else the last, or the first."""
    S = m.S
    mark_faces(S, m.P, seat)
    S[tiles] = 0
    for place in range(at.MOST_FACES):
        if S[at.HELD + seat] >> place & 1:
            append(S, tiles, tile_at(S, m.P, seat, place, last))


@operation
def each_tile(m: Machine, tile: Register, stand: Register, tiles: List, to: Place) -> int:
    """The next tile of a list; continue elsewhere with it. `stand`: how many there have been."""
    S, number = m.S, m.S[stand]
    if number < S[tiles]:
        S[tile] = S[tiles + 1 + number]
        S[stand] = number + 1
        return to
    return ON


@operation
def size(m: Machine, to: Register, tiles: List) -> None:
    """`to` becomes how many tiles a list has."""
    m.S[to] = m.S[tiles]


@operation
def has(m: Machine, to: Register, tile: Value, tiles: List) -> None:
    """`to` becomes whether a list has a tile like this one."""
    m.S[to] = tile >= 0 and has_kind(m.S, m.P, tiles, tile)


@operation
def count_suits(m: Machine, to: Register, tiles: List) -> None:
    """`to` becomes how many suits occur in a list."""
    S, P, count, first = m.S, m.P, 0, tiles + 1
    for spot in range(first, first + S[tiles]):
        suit = P[P[at.SUIT_OF] + S[spot]]
        other = first
        while other < spot and P[P[at.SUIT_OF] + S[other]] != suit:
            other += 1
        count += suit >= 0 and other == spot
    S[to] = count
