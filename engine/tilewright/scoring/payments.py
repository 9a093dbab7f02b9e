"""Payments: who pays whom how much for a win, from the lines of the ruleset. Every line sums to zero.

In: the scene of the winner with its measures, those of the other seats. Out: what each seat gains.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.ruleset import PaymentLine
from tilewright.language.vocabulary.declare import Scene, Sides
from tilewright.scoring.walker import evaluate, whole

Number = int | Fraction


class PaymentQuery(Scene, Protocol):
    """A scene to which payers and payees can be given."""

    def paying(self, sides: Sides) -> "PaymentQuery": ...


@dataclass(frozen=True, slots=True)
class Payment:
    """One seat pays another under one line."""

    line: str
    payer: int
    payee: int
    amount: Number


def settle(scene: PaymentQuery, event: str = "win") -> tuple[Payment, ...]:
    """Every payment that the lines under this id make, in their order, capped where the ruleset caps a payer."""
    payments: list[Payment] = []
    for line in scene.data.payments.get(event, ()):
        payments += carried_out(line, scene, payments)
    return tuple(payments)


def gains(payments: tuple[Payment, ...], seats: int) -> dict[int, Number]:
    """What each seat gains, and the pot (the number after the last seat) where it paid or was paid; the sum is zero."""
    result: dict[int, Number] = dict.fromkeys(range(seats), 0)
    for payment in payments:
        result[payment.payer] = whole(result.get(payment.payer, 0) - payment.amount)
        result[payment.payee] = whole(result.get(payment.payee, 0) + payment.amount)
    return result


def carried_out(line: PaymentLine, scene: PaymentQuery, before: list[Payment]) -> list[Payment]:
    """The payments of one line: every payer to every payee for whom it holds, or those who pay instead."""
    payers, payees = evaluate(line.payers, scene), evaluate(line.payees, scene)
    payments: list[Payment] = []
    for payer in payers:
        for payee in payees:
            here = scene.paying(Sides((payer,), (payee,), payers, payees))
            if payer != payee and (line.when is None or evaluate(line.when, here)):
                payments += shared(line, here, payer, payee, [*before, *payments])
    return payments


def shared(line: PaymentLine, here: PaymentQuery, payer: int, payee: int, before: list[Payment]) -> list[Payment]:
    """What one payer owes one payee, in equal parts by those who pay instead, if anyone does."""
    instead = [seat for ir in line.instead for seat in evaluate(ir, here)]
    sharers = [seat for seat in dict.fromkeys(instead) if seat != payee] or [payer]
    share = rounded(amount(line, here) / Fraction(len(sharers)), line.round_up, here)
    return [Payment(line.id, seat, payee, most(share, seat, here, before)) for seat in sharers if share]


def amount(line: PaymentLine, here: PaymentQuery) -> Number:
    """The sum of the line: its amount, `times` times, doubled once for every condition that holds."""
    times = 1 if line.times is None else evaluate(line.times, here)
    doubles = sum(bool(evaluate(ir, here)) for ir in line.double)
    return whole(evaluate(line.amount, here) * times * 2**doubles)


def rounded(number: Number, step: Ir | None, here: PaymentQuery) -> Number:
    by = 0 if step is None else evaluate(step, here)
    return whole(-(-number // by) * by if by else number)


def most(share: Number, seat: int, here: PaymentQuery, before: list[Payment]) -> Number:
    """No more than the ruleset lets this seat pay, including what it paid before."""
    if here.data.scoring.pays_at_most is None:
        return share
    cap = evaluate(here.data.scoring.pays_at_most, here.paying(replace(here.sides, payer=(seat,))))
    paid = sum(p.amount for p in before if p.payer == seat)
    return max(0, min(share, whole(cap - paid)))
