"""Operations on seats; several of them are bits of a number."""

from tilewright.base.kernels import ON, kernel, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.payments import place_of
from tilewright.play.compiled.kernel.questions import round_table, seat_beside
from tilewright.play.compiled.kernel.tiles import lowest
from tilewright.play.compiled.machine.operands import Machine, Number, Place, Register, Value


@operation
def next_seat(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes the next seat that plays."""
    m.S[to] = seat_beside(m.S, seat, 1, m.P[at.SEATS])


@operation
def previous_seat(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes the last seat before one that plays."""
    m.S[to] = seat_beside(m.S, seat, m.P[at.SEATS] - 1, m.P[at.SEATS])


@operation
def if_not_next(m: Machine, seat: Value, before: Value, to: Place) -> int:
    """Continue elsewhere unless a seat is the next one that plays after another."""
    return to if seat != seat_beside(m.S, before, 1, m.P[at.SEATS]) else ON


@operation
def away(m: Machine, to: Register, seat: Value, by: Number) -> None:
    """`to` becomes the seat so many places away, whether it plays or not."""
    m.S[to] = round_table(seat + by, m.P[at.SEATS]) if seat >= 0 else at.NONE


@operation
def others(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes the seats that play, without one."""
    m.S[to] = m.S[at.PLAYING] & ~(1 << seat)


@operation
def is_among(m: Machine, to: Register, seat: Value, seats: Value) -> None:
    """`to` becomes whether a seat is one of several."""
    m.S[to] = seats >> seat & 1 if seat >= 0 else 0


@operation
def add_seat(m: Machine, to: Register, seats: Value, seat: Value) -> None:
    """`to` becomes several seats and one more, if it is there."""
    m.S[to] = seats | 1 << seat if seat >= 0 else seats


@operation
def first_seat(m: Machine, to: Register, seats: Value) -> None:
    """`to` becomes the first of several seats by their numbers; NONE where there is none."""
    m.S[to] = lowest(seats) if seats else at.NONE


@operation
def first_after(m: Machine, to: Register, seats: Value, before: Value) -> None:
    """`to` becomes the first of several seats in turn after another one; NONE where there is none."""
    m.S[to] = next_of(seats, before, m.P[at.SEATS]) if seats else at.NONE


@operation
def each_after(m: Machine, seat: Register, left: Register, before: Value, to: Place) -> int:
    """The next of those seats that are left in turn after another one; continue elsewhere with it, and behind without
    one."""
    S, bits = m.S, m.S[left]
    if bits == 0:
        return ON
    S[seat] = next_of(bits, before, m.P[at.SEATS])
    S[left] = bits & ~(1 << S[seat])
    return to


@operation
def each_seat(m: Machine, seat: Register, left: Register, to: Place) -> int:
    """The next of those seats that are left; continue elsewhere with it, and behind without one."""
    S, bits = m.S, m.S[left]
    if bits == 0:
        return ON
    S[seat], S[left] = lowest(bits), bits & (bits - 1)
    return to


@operation
def placement(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes the place of a seat by the scores."""
    m.S[to] = place_of(m.S, seat, m.P[at.SEATS])


@operation
def score(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes the score of a seat, or the pot."""
    m.S[to] = m.S[at.SCORE + seat]


@operation
def is_open(m: Machine, to: Register, seat: Value, hand: Value) -> None:
    """`to` becomes whether a hand of a seat is neither finished nor dead."""
    m.S[to] = 1 <= hand <= m.P[at.HANDS] and not m.S[at.CLOSED + seat] >> hand & 1


@operation
def open_hands(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes how many hands of a seat are."""
    found = 0
    for number in range(1, m.P[at.HANDS] + 1):
        found += not m.S[at.CLOSED + seat] >> number & 1
    m.S[to] = found


@operation
def hands_won(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes how many hands a seat has declared."""
    m.S[to] = m.S[at.HANDS_WON + seat]


@operation
def hand_number(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes the number of the hand that a seat has declared last."""
    m.S[to] = m.S[at.HAND_WON + seat]


@operation
def retire(m: Machine, seats: Value) -> None:
    """Some seats do not play on."""
    m.S[at.PLAYING] &= ~seats


@kernel
def next_of(bits: int, before: int, seats: int) -> int:
    """The first of some seats (as bits) in turn after another one, which itself is the last."""
    seat = before
    for _ in range(seats):
        seat = round_table(seat + 1, seats)
        if bits >> seat & 1:
            return int(seat)
    return int(lowest(bits))
