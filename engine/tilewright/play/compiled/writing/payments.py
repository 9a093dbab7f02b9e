"""Payments as code: what `scoring.payments.settling.settle` works out, as instructions.

All gains are worked out before the first score changes, in parts of points; a number that is no whole number of them
ends the machine's game. Raises NotSayable."""

from collections.abc import Sequence
from dataclasses import replace

from tilewright.language.compiled.ir import Ir, Lookup, nodes
from tilewright.language.compiled.ruleset import PaymentLine
from tilewright.language.vocabulary.steps import Final, Refund
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import counting, paying, seating
from tilewright.play.compiled.writing.sets import each_seat, order_of
from tilewright.play.compiled.writing.values import product
from tilewright.play.compiled.writing.writer import Label, Named, NotSayable, Scope, Writer, steps_of
from tilewright.play.program.program import Program


def write_settlement(writer: Writer, payments: str, scope: Scope) -> None:
    """Every payment that the lines under this id make."""
    notes = takes_back(writer.program)
    writer.write(paying.begin)
    inner = replace(scope, pays=True).knowing("winner", Named("seat", scope.seat))
    for line in writer.program.data.payments.get(payments, ()):
        write_line(writer, line, inner, writer.line(payments, line.id) if notes else at.NONE)
    writer.write(paying.pay)


def takes_back(program: Program) -> bool:
    """Whether some step looks at what was paid before: payments are noted."""
    return any(isinstance(step.does, Refund | Final) for step in steps_of(program))


def lines_of(writer: Writer, payments: Sequence[str]) -> int:
    """The lines of some payments, as bits."""
    of = [(name, line.id) for name in payments for line in writer.program.data.payments.get(name, ())]
    return sum(1 << writer.line(name, line) for name, line in of)


def write_line(writer: Writer, line: PaymentLine, scope: Scope, noted: int) -> None:
    """What every payer pays every payee; `noted`: the number under which that is noted, or NONE."""
    before = at.NONE
    if writer.program.data.scoring.pays_at_most is not None and line.payees.type != "seat":
        if line.instead:
            raise NotSayable("several payees whom others pay up to a limit")
        before = order_of(line.payees, scope)  # who is paid last may get less
    payers, inner = kept(writer, line.payers, scope)
    payees, inner = kept(writer, line.payees, inner)
    inner = inner.knowing("payers", Named("seats", payers)).knowing("payees", Named("seats", payees))

    def of_payee(here: Scope, payee: int) -> None:
        known, there = here.knowing("payee", Named("seat", payee)).free()
        writer.write(counting.copy, known, writer.constant(at.UNSET))
        each_seat(writer, payers, there, lambda both, payer: write_pair(writer, line, both, payer, payee, known, noted))

    each_seat(writer, payees, inner, of_payee, before)


def write_pair(writer: Writer, line: PaymentLine, scope: Scope, payer: int, payee: int, known: int, noted: int) -> None:
    """What one payer pays one payee, in equal parts by those who pay instead, if anyone does. `known`: the register of
    the amount, UNSET while it is not known."""
    end, found = Label(), Label()
    inner = scope.knowing("payer", Named("seat", payer))
    writer.write(counting.if_equal, payer, payee, end)
    if line.when is not None:
        writer.unless(line.when, inner, end)
    sharers, inner = sharing(writer, line, inner, payer, payee)
    if not any(isinstance(node, Lookup) and node.name == "payer" for node in nodes(line.amount)):
        writer.write(counting.if_different, known, writer.constant(at.UNSET), found)
    writer.write(counting.copy, known, writer.value(line.amount, inner)[0])
    writer.place(found)
    amount, inner = inner.free()
    writer.write(counting.copy, amount, known)
    if line.times is not None:
        times, inner = writer.value(line.times, inner)
        amount, inner = product(writer, amount, times, inner)
    for condition in line.double:
        once = Label()
        writer.unless(condition, inner, once)
        writer.write(counting.add, amount, amount, amount)
        writer.place(once)
    step = at.NONE
    if line.round_up is not None:
        step, inner = writer.value(line.round_up, inner)
    writer.write(paying.share, amount, amount, sharers, step)

    def pay(here: Scope, seat: int) -> None:
        most, cap = at.NONE, writer.program.data.scoring.pays_at_most
        if cap is not None:
            most, _ = writer.value(cap, here.knowing("payer", Named("seat", seat)))
        writer.write(paying.gain, amount, seat, payee, most, noted)

    each_seat(writer, sharers, inner, pay)
    writer.place(end)


def sharing(writer: Writer, line: PaymentLine, scope: Scope, payer: int, payee: int) -> tuple[int, Scope]:
    """Those who pay, as bits."""
    found, inner = scope.free()
    writer.write(counting.copy, found, writer.constant(0))
    for ir in line.instead:
        some, there = writer.seats(ir, inner)
        each_seat(writer, some, there, lambda here, seat: add_other(writer, found, seat, payee))
    somebody = Label()
    writer.write(counting.if_true, found, somebody)
    writer.write(seating.add_seat, found, found, payer)
    writer.place(somebody)
    return found, inner


def add_other(writer: Writer, found: int, seat: int, payee: int) -> None:
    same = Label()
    writer.write(counting.if_equal, seat, payee, same)
    writer.write(seating.add_seat, found, found, seat)
    writer.place(same)


def kept(writer: Writer, ir: Ir, scope: Scope) -> tuple[int, Scope]:
    """Seats in a register of their own."""
    to, inner = scope.free()
    found, inner = writer.seats(ir, inner)
    writer.write(counting.copy, to, found)
    return to, inner
