"""Operations on seats: several of them are bits of a number; whether their hands are forms and win; what they gain.

All gains are worked out before the first score changes, in parts of points (`layout.UNIT`). The pot is the seat after
the last.
"""

from tilewright.base.arrays import Array
from tilewright.base.kernels import ON, kernel, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.forms import NO, YES, coming_kind, is_form, waits_without_one
from tilewright.play.compiled.kernel.questions import round_table, seat_beside
from tilewright.play.compiled.kernel.search import is_possible
from tilewright.play.compiled.kernel.tiles import count_bits, lowest
from tilewright.play.compiled.kernel.worth import may_reach
from tilewright.play.compiled.machine.operands import Given, Machine, Number, Place, Register, Value, ask_host


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


@operation
def is_self_draw(m: Machine, to: Register, seat: Value, tile: Value, discarder: Value) -> None:
    """`to` becomes whether nobody has discarded the tile in question, and the seat has it in its hand if there is
    one."""
    m.S[to] = discarder < 0 and (tile < 0 or m.S[at.WHERE + tile] == m.P[at.HAND_ROW] + seat)


@operation
def wins(m: Machine, to: Register, seat: Value, tile: Value, done: Place, no: Place) -> int:
    """`to` becomes whether a hand wins, where its tiles tell: continue at `no` without a form, at `done` where a form
    is enough; behind where it has to be judged."""
    found = is_form(m.S, m.P, m.forms, seat, tile)
    if found == NO:
        m.S[to] = 0
        return no
    if found == YES and m.P[at.WINS_EXACT] and tile >= 0:
        m.S[to] = 1
        return done
    return ON


@operation
def judge(m: Machine, to: Register, seat: Value, tile: Value, discarder: Value, terms: Value, request: Number) -> None:
    """`to` becomes whether a hand wins that is a form, by what it is worth; `terms`: those of the table that hold, as
    bits."""
    S = m.S
    S[at.ASKED_TILE], S[at.ASKED_DISCARDER], S[at.ASKED_TERMS] = tile, discarder, terms
    ask_host(S, at.WIN, request, seat, to)


@operation
def if_no_form(m: Machine, seat: Value, tile: Value, no: Place) -> int:
    """Continue elsewhere where a hand is no form."""
    return no if is_form(m.S, m.P, m.forms, seat, tile) == NO else ON


@operation
def if_too_low(m: Machine, seat: Value, tile: Value, no: Place, facts: Value) -> int:
    """Continue elsewhere where a hand cannot be worth enough; `facts`: those of the table that may hold, as bits."""
    return no if not may_reach(m.S, m.P, m.forms, seat, coming_kind(m.S, m.P, seat, tile), facts) else ON


@operation
def is_near(m: Machine, to: Register, seat: Value, done: Place) -> int:
    """`to` becomes true where a hand waits without one of its tiles; then continue elsewhere."""
    if waits_without_one(m.S, m.P, m.forms, seat):
        m.S[to] = 1
        return done
    return ON


@operation
def may_win(m: Machine, to: Register, seat: Value, hand: Value) -> None:
    """`to` becomes whether a seat can still complete some hand that is listed, as its hand of this number."""
    m.S[to] = is_possible(m.S, m.P, m.forms, seat, hand)


@operation
def declare(m: Machine, seat: Value, terms: Value) -> None:
    """A seat wins. `terms`: those of the table that hold, as bits; NONE where only the host knows."""
    m.S[at.ASKED_TERMS] = terms
    ask_host(m.S, at.DECLARE, 0, seat, 0)


@operation
def begin(m: Machine) -> None:
    """Nobody has gained anything yet, and hands that have not won are measured anew."""
    for seat in range(m.P[at.SEATS] + 1):
        m.S[at.GAIN + seat] = m.S[at.SPENT + seat] = 0
    m.S[at.NOTED] = m.S[at.PAID]
    m.S[at.MEASURED] &= m.S[at.WINNERS]


@operation
def measure(m: Machine, to: Register, seat: Value, number: Number) -> int:
    """`to` becomes what a hand measures; the host is asked where that is not known. The pot measures nothing."""
    S = m.S
    if seat >= m.P[at.SEATS]:
        S[to] = 0
    elif S[at.MEASURED] >> seat & 1:
        S[to] = S[at.MEASURE + seat * at.MOST_MEASURES + number]
    else:
        ask_host(S, at.MEASURES, 0, seat, 0)
        return int(S[at.AT] - 1)
    return ON


@operation
def share(m: Machine, to: Register, amount: Value, payers: Value, step: Given) -> None:
    """`to` becomes what each of some payers pays of an amount: an equal part, rounded up to a multiple of a step, if
    there is one."""
    S, sharers = m.S, count_bits(payers)
    if abs(amount) > at.MUCH or (step != at.UNSET and step < 0):
        S[at.PROBLEM] = at.Problem.LARGE_NUMBER
    elif step != at.UNSET and step:
        S[to] = -(-amount // (sharers * step)) * step
    elif amount % sharers:
        S[at.PROBLEM] = at.Problem.NOT_OF_UNIT
    else:
        S[to] = amount // sharers


@operation
def gain(m: Machine, amount: Value, payer: Value, payee: Value, most: Given, line: Number) -> None:
    """Somebody pays somebody, and no more in all than the most that there may be. `line`: the number under which that
    is noted, or NONE."""
    S, paid = m.S, amount
    if most != at.UNSET:
        paid = max(0, min(paid, most - S[at.SPENT + payer]))
    S[at.SPENT + payer] += paid
    S[at.GAIN + payer] -= paid
    S[at.GAIN + payee] += paid
    if line >= 0 and paid:
        note_payment(S, line, payer, payee, paid)


@operation
def pay(m: Machine) -> None:
    """The scores change by what was gained."""
    pay_gains(m.S, m.P[at.SEATS])


@operation
def refund(m: Machine, seat: Value, lines: Number, final: Number) -> None:
    """A seat gives back what it was paid by some lines (as bits), or keeps it for good."""
    take_back(m.S, seat, lines, final)


@kernel
def note_payment(S: Array, line: int, payer: int, payee: int, amount: int) -> None:
    """Note what somebody pays somebody by a line."""
    if S[at.NOTED] == at.MOST_PAID:
        S[at.PROBLEM] = at.Problem.MANY_PAYMENTS
        return
    note = at.PAYMENT + S[at.NOTED] * at.PAYMENT_ROW
    S[note], S[note + 1], S[note + 2], S[note + 3], S[note + 4] = line, payer, payee, amount, S[at.SETTLED]
    S[at.NOTED] += 1


@kernel
def take_back(S: Array, payee: int, lines: int, final: int) -> None:
    """Pay back what somebody was paid by lines (as bits); `final`: keep for good what it was last paid by them."""
    kept, last = 0, at.NONE
    for number in range(S[at.PAID]):
        note = at.PAYMENT + number * at.PAYMENT_ROW
        if S[note + 2] == payee and lines >> S[note] & 1:
            last = S[note + 4]
    for number in range(S[at.PAID]):
        note, goal = at.PAYMENT + number * at.PAYMENT_ROW, at.PAYMENT + kept * at.PAYMENT_ROW
        goes = S[note + 2] == payee and lines >> S[note] & 1 and (not final or S[note + 4] == last)
        if goes and not final:
            S[at.SCORE + payee] -= S[note + 3]
            S[at.SCORE + S[note + 1]] += S[note + 3]
        if not goes:
            for field in range(at.PAYMENT_ROW):
                S[goal + field] = S[note + field]
            kept += 1
    S[at.PAID] = kept


@kernel
def pay_gains(S: Array, seats: int) -> None:
    """Add to the scores what was gained; one that comes to too much is a problem."""
    S[at.PAID] = S[at.NOTED]
    S[at.SETTLED] += 1
    for seat in range(seats + 1):
        S[at.SCORE + seat] += S[at.GAIN + seat]
        if abs(S[at.SCORE + seat]) > at.MUCH:
            S[at.PROBLEM] = at.Problem.LARGE_NUMBER


@kernel
def place_of(S: Array, seat: int, seats: int) -> int:
    """The placement of a seat by the scores; of equal ones the player with the lower number is ahead."""
    if seat < 0 or seat >= seats:
        return 0
    place = 1
    for other in range(seats):
        ahead = S[at.SCORE + other] - S[at.SCORE + seat]
        place += ahead > 0 or (ahead == 0 and S[at.PLAYER + other] < S[at.PLAYER + seat])
    return place
