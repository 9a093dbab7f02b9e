"""Payments as code: what `scoring.payments.settling.settle` works out, as instructions.

All gains are worked out before the first score changes. Where a number is not whole, or a measure is not known to the
machine, nothing has changed yet, and the host settles."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.ruleset import PaymentLine
from tilewright.language.vocabulary.steps.worth import Final, Refund
from tilewright.play.compiled.expressions import each_seat, seats, unless, value
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import counting, paying, seating
from tilewright.play.compiled.writer import SIDES, Label, Named, NotSayable, Scope, Writer, names_any, steps_of
from tilewright.play.program.program import Program


def write_settlement(writer: Writer, payments: str, scope: Scope) -> None:
    """Every payment that the lines under this id make."""
    place, requests, left, end = len(writer.code), len(writer.requests), Label(), Label()
    try:
        write_lines(writer, payments, replace(scope, inexact=left))
    except NotSayable:
        writer.back_to(place, requests)
        if_owed(writer, payments, scope, end)
    else:
        writer.write(paying.pay)
        writer.write(counting.jump, end)
    writer.place(left)
    writer.write(paying.settle, writer.payments.index(payments), scope.seat)
    writer.place(end)


def write_lines(writer: Writer, payments: str, scope: Scope) -> None:
    """What seats gain by the lines. Raises NotSayable."""
    program = writer.program
    if program.data.scoring.pays_at_most is not None:
        raise NotSayable("payments that have a limit")
    notes = takes_back(program)
    writer.write(paying.begin)
    inner = scope.knowing("winner", Named("seat", scope.seat))
    for line in program.data.payments.get(payments, ()):
        write_line(writer, line, inner, writer.line(payments, line.id) if notes else at.NONE)


def takes_back(program: Program) -> bool:
    """Whether some step looks at what was paid before: payments are noted."""
    return any(isinstance(step.does, Refund | Final) for step in steps_of(program))


def lines_of(writer: Writer, payments: Sequence[str]) -> int:
    """The lines of some payments, as bits."""
    of = [(name, line.id) for name in payments for line in writer.program.data.payments.get(name, ())]
    return sum(1 << writer.line(name, line) for name, line in of)


def write_line(writer: Writer, line: PaymentLine, scope: Scope, noted: int) -> None:
    """What every payer pays every payee; `noted`: the number under which that is noted, or NONE."""
    payers, inner = kept(writer, line.payers, scope, seats)
    payees, inner = kept(writer, line.payees, inner, seats)
    inner = inner.knowing("payers", Named("seats", payers)).knowing("payees", Named("seats", payees))

    def of_payer(here: Scope, payer: int) -> None:
        there = here.knowing("payer", Named("seat", payer))
        each_seat(writer, payees, there, lambda both, payee: write_pair(writer, line, both, payer, payee, noted))

    each_seat(writer, payers, inner, of_payer)


def write_pair(writer: Writer, line: PaymentLine, scope: Scope, payer: int, payee: int, noted: int) -> None:
    """What one payer pays one payee, in equal parts by those who pay instead, if anyone does."""
    end = Label()
    inner = scope.knowing("payee", Named("seat", payee))
    writer.write(counting.if_equal, payer, payee, end)
    if line.when is not None:
        unless(writer, line.when, inner, end)
    sharers, inner = sharing(writer, line, inner, payer, payee)
    amount, inner = kept(writer, line.amount, inner, value)
    if line.times is not None:
        times, inner = value(writer, line.times, inner)
        writer.write(counting.multiply, amount, amount, times)
    for condition in line.double:
        once = Label()
        unless(writer, condition, inner, once)
        writer.write(counting.add, amount, amount, amount)
        writer.place(once)
    step = at.NONE
    if line.round_up is not None:
        step, inner = value(writer, line.round_up, inner)
    assert inner.inexact is not None
    writer.write(paying.gain, amount, sharers, payee, step, inner.inexact, noted)
    writer.place(end)


def sharing(writer: Writer, line: PaymentLine, scope: Scope, payer: int, payee: int) -> tuple[int, Scope]:
    """Those who pay, as bits."""
    found, inner = scope.free()
    writer.write(counting.copy, found, writer.constant(0))
    for ir in line.instead:
        some, there = seats(writer, ir, inner)
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


# --- payments that the host makes


def if_owed(writer: Writer, payments: str, scope: Scope, end: Label) -> None:
    """Jump where nobody owes anybody anything by any line; where that cannot be said, go on."""
    place, requests, owed = len(writer.code), len(writer.requests), Label()
    lines = writer.program.data.payments.get(payments, ())
    if any(line.when is None for line in lines):
        return  # somebody mostly does
    try:
        for line in lines:
            owed_by(writer, line, scope, owed)
    except NotSayable:
        writer.back_to(place, requests)
    else:
        writer.write(counting.jump, end)
        writer.place(owed)


def owed_by(writer: Writer, line: PaymentLine, scope: Scope, owed: Label) -> None:
    """Jump where some payer may owe some payee something by a line. Raises NotSayable."""
    if names_any(line.payers, SIDES) or names_any(line.payees, SIDES):
        raise NotSayable("payers by other payers")
    payers, inner = kept(writer, line.payers, scope, seats)
    payees, inner = kept(writer, line.payees, inner, seats)

    def of_payer(here: Scope, payer: int) -> None:
        there = here.knowing("payer", Named("seat", payer))

        def of_payee(both: Scope, payee: int) -> None:
            skip = Label()
            writer.write(counting.if_equal, payer, payee, skip)
            if line.when is not None:
                unless(writer, line.when, both.knowing("payee", Named("seat", payee)), skip)
            writer.write(counting.jump, owed)
            writer.place(skip)

        each_seat(writer, payees, there, of_payee)

    each_seat(writer, payers, inner, of_payer)


def kept(
    writer: Writer, ir: Ir, scope: Scope, write: Callable[[Writer, Ir, Scope], tuple[int, Scope]]
) -> tuple[int, Scope]:
    """A value in a register of its own."""
    to, inner = scope.free()
    found, inner = write(writer, ir, inner)
    writer.write(counting.copy, to, found)
    return to, inner
