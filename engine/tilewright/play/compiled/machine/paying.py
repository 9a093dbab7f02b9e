"""Operations of payments: all that seats gain is worked out before the first score changes. The pot is the seat after
the last."""

from tilewright.base.compute.kernels import ON, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.payments import add_gains, pay_gains, take_back
from tilewright.play.compiled.machine.operands import Given, Machine, Number, Place, Register, Value, ask_host


@operation
def begin(m: Machine) -> None:
    """Nobody has gained anything yet."""
    for seat in range(m.P[at.SEATS] + 1):
        m.S[at.GAIN + seat] = 0
    m.S[at.NOTED], m.S[at.WEIGHED] = m.S[at.PAID], 0


@operation
def measure(m: Machine, to: Register, seat: Value, number: Number, unknown: Place) -> int:
    """`to` becomes what a hand that won measures; continue elsewhere where that is not known."""
    if seat < m.P[at.SEATS] and m.S[at.MEASURED] >> seat & 1:
        m.S[to] = m.S[at.MEASURE + seat * at.MOST_MEASURES + number]
        return ON
    return unknown


@operation
def potential(m: Machine, to: Register, seat: Value) -> None:
    """`to` becomes the most that a hand may still be worth; the host is asked once while payments are worked out."""
    if seat >= 0 and m.S[at.WEIGHED] >> seat & 1:
        m.S[to] = m.S[at.WEIGHT + seat]
    else:
        ask_host(m.S, at.POTENTIAL, 0, seat, to)


@operation
def gain(m: Machine, amount: Value, payers: Value, payee: Value, step: Given, inexact: Place, line: Number) -> int:
    """Some pay somebody an amount in equal parts, each rounded up to a multiple of a step, if there is one; continue
    elsewhere where the parts are not whole. `line`: the number under which that is noted, or NONE."""
    rounding = 0 if step == at.UNSET else step
    return inexact if not add_gains(m.S, amount, payers, payee, rounding, m.P[at.SEATS], line) else ON


@operation
def pay(m: Machine) -> None:
    """The scores change by what was gained."""
    pay_gains(m.S, m.P[at.SEATS])


@operation
def settle(m: Machine, payments: Number, seat: Value) -> None:
    """Have the host settle payments."""
    ask_host(m.S, at.SETTLE, payments, seat, 0)


@operation
def refund(m: Machine, seat: Value, lines: Number, final: Number) -> None:
    """A seat gives back what it was paid by some lines (as bits), or keeps it for good."""
    take_back(m.S, seat, lines, final)
