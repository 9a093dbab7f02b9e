"""Operations on marks; those of the table are kept for the first seat. Answers to steps, and dice, are marks, too."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import roll
from tilewright.play.compiled.machine.operands import MOST_OPERANDS, List, Machine, Number, Register, Rest, Value


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
