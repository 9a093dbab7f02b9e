"""Operations of payments: all that seats gain is worked out before the first score changes, in parts of points
(`layout.UNIT`). The pot is the seat after the last."""

from tilewright.base.kernels import ON, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.payments import note_payment, pay_gains, take_back
from tilewright.play.compiled.kernel.tiles import count_bits
from tilewright.play.compiled.machine.operands import Given, Machine, Number, Register, Value, ask_host


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
