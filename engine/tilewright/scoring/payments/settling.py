"""Payments: who pays whom how much for a win, from the lines of the ruleset. Every line sums to zero.

`settle` walks the lines in any scene: the winner's, with its measures and those of the other seats.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from tilewright.language.compiled.ir import (
    Ir,
)
from tilewright.language.compiled.ruleset import PaymentLine
from tilewright.language.vocabulary.declare import Scene, Sides
from tilewright.scoring.plain.walker import evaluate, whole

Number = int | Fraction


class PaymentQuery(Scene, Protocol):
    """A scene to which payers and payees can be given."""

    def paying(self, sides: Sides) -> "PaymentQuery": ...


class Payment(NamedTuple):
    """One seat pays another under one line."""

    line: str
    payer: int
    payee: int
    amount: Number


class Charge(NamedTuple):
    """A payment with its line and the scene in which that was asked; `sharers`: how many pay it together."""

    payment: Payment
    line: PaymentLine
    scene: PaymentQuery
    sharers: int


def settle(scene: PaymentQuery, event: str = "win") -> tuple[Payment, ...]:
    """Every payment that the lines under this id make, in their order, capped where the ruleset caps a payer."""
    return tuple(charge.payment for charge in charges(scene, event))


def charges(scene: PaymentQuery, event: str = "win") -> list[Charge]:
    """The same, each with how it came about."""
    found: list[Charge] = []
    for line in scene.data.payments.get(event, ()):
        found += carried_out(line, scene, [charge.payment for charge in found])
    return found


def gains(payments: Sequence[Payment], seats: int) -> dict[int, Number]:
    """What each seat gains, and the pot (the number after the last seat) where it paid or was paid; the sum is zero."""
    result: dict[int, Number] = dict.fromkeys(range(seats), 0)
    for _, payer, payee, amount in payments:
        result[payer] = whole(result.get(payer, 0) - amount)
        result[payee] = whole(result.get(payee, 0) + amount)
    return result


def carried_out(line: PaymentLine, scene: PaymentQuery, before: list[Payment]) -> list[Charge]:
    """The payments of one line: every payer to every payee for whom it holds, or those who pay instead."""
    found: list[Charge] = []
    for payer, payee, here in pairs(line, scene, evaluate):
        if line.when is None or evaluate(line.when, here):
            found += shared(line, here, payer, payee, [*before, *(charge.payment for charge in found)])
    return found


def pairs(
    line: PaymentLine, scene: PaymentQuery, ask: Callable[[Ir, Scene], Any]
) -> Iterator[tuple[int, int, PaymentQuery]]:
    """Every payer with every payee, and the scene in which the line is asked about them."""
    payers, payees = ask(line.payers, scene), ask(line.payees, scene)
    for payer in payers:
        for payee in payees:
            if payer != payee:
                yield payer, payee, scene.paying(Sides((payer,), (payee,), payers, payees))


def shared(line: PaymentLine, here: PaymentQuery, payer: int, payee: int, before: list[Payment]) -> list[Charge]:
    """What one payer owes one payee, in equal parts by those who pay instead, if anyone does."""
    sharers = sharing(line, here, payer, payee, evaluate)
    times = 1 if line.times is None else evaluate(line.times, here)
    step = 0 if line.round_up is None else evaluate(line.round_up, here)
    share = part(evaluate(line.amount, here), times, step, len(sharers), *(evaluate(ir, here) for ir in line.double))
    if not share:
        return []
    paid = [Payment(line.id, seat, payee, most(share, seat, cap_of(seat, here, evaluate), before)) for seat in sharers]
    return [Charge(payment, line, here, len(sharers)) for payment in paid]


def sharing(
    line: PaymentLine, here: PaymentQuery, payer: int, payee: int, ask: Callable[[Ir, Scene], Any]
) -> tuple[int, ...]:
    """Those who pay instead of a payer, if anyone does, else the payer."""
    instead = dict.fromkeys(seat for ir in line.instead for seat in ask(ir, here))
    return tuple(seat for seat in instead if seat != payee) or (payer,)


def part(amount: Number, times: Number, step: Number, sharers: int, *doubles: bool) -> Number:
    """What each of the sharers pays: the amount, `times` times, doubled once for every condition that holds."""
    total = whole(amount * times * 2 ** sum(map(bool, doubles)))
    share = total if sharers == 1 else Fraction(total) / sharers
    return whole(-(-share // step) * step if step else share)


def cap_of(seat: int, here: PaymentQuery, ask: Callable[[Ir, Scene], Any]) -> Any:
    """The most that the ruleset lets this seat pay; None without a cap."""
    cap = here.data.scoring.pays_at_most
    return None if cap is None else ask(cap, here.paying(replace(here.sides, payer=(seat,))))


def most(share: Number, seat: int, cap: Number | None, before: Sequence[Payment]) -> Number:
    """No more than the seat may pay, including what it paid before."""
    if cap is None:
        return share
    paid = sum(p.amount for p in before if p.payer == seat)
    return max(0, min(share, whole(cap - paid)))
