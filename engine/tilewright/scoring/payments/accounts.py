"""Accounts: how the amount of a payment came about: the formula of its line with the numbers of this hand.

In: a charge. Out: frozen data, without words. Parts that change nothing (adding 0, times 1) are left out, unless they
are what a hand counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tilewright.language.compiled.ir import Apply, Conditional, Ir, Term, is_measure
from tilewright.language.vocabulary.declare import Scene
from tilewright.scoring.payments.settling import Charge
from tilewright.scoring.plain.walker import OPERATORS, evaluate, whole

Number = int | Fraction
SIGNS = ("+", "-", "*", "/")
NEUTRAL = {"+": 0, "-": 0, "*": 1, "/": 1}  # what changes nothing on the right of a sign; of + and * on the left too
ROUNDED, CAPPED = "round up", "at most"


@dataclass(frozen=True, slots=True)
class Sum:
    """A number, and how it came about: `sign` joins two parts (+ - * /, or `round up` and `at most`, whose second
    part is the step or the limit); without one it is the value of `ir`. `because`: the condition that chose it."""

    value: Number
    sign: str = ""
    parts: tuple["Sum", ...] = ()
    ir: Ir | None = None
    because: Ir | None = None

    @property
    def leaves(self) -> Iterator["Sum"]:
        """The numbers that it is made of, from left to right."""
        for part in self.parts:
            yield from part.leaves
        if not self.parts:
            yield self

    @property
    def measure(self) -> str:
        """The measure that a number is, or nothing."""
        return getattr(self.ir, "name", "") if self.ir is not None and is_measure(self.ir) else ""


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a payment: its sum, and the conditions that hold for which the line doubles it."""

    sum: Sum
    doubles: tuple[Ir, ...] = ()

    @property
    def reasons(self) -> tuple[Ir, ...]:
        """The conditions that decided numbers of the sum, doublings aside."""
        return tuple(dict.fromkeys(leaf.because for leaf in self.sum.leaves if leaf.because is not None))


def account_of(charge: Charge) -> Account:
    """How a payment came about; its sum has the amount of the payment."""
    line, here = charge.line, charge.scene
    doubles = tuple(part for ir in line.double if evaluate(ir, here) for part in holding(ir, here)[:1])
    found = worked_out(line.amount, here)
    if line.times is not None:
        found = joined("*", found, worked_out(line.times, here))
    for _ in doubles:
        found = Sum(whole(found.value * 2), "*", (found, Sum(2)))
    if charge.sharers > 1:
        found = joined("/", found, Sum(charge.sharers))
    step = 0 if line.round_up is None else evaluate(line.round_up, here)
    if step and found.value % step:
        found = Sum(whole(-(-found.value // step) * step), ROUNDED, (found, Sum(step)))
    paid = charge.payment.amount
    return Account(found if found.value == paid else Sum(paid, CAPPED, (found, Sum(paid))), doubles)


def worked_out(ir: Ir, scene: Scene) -> Sum:
    """An expression as a sum."""
    if isinstance(ir, Apply) and ir.op in SIGNS and len(ir.args) == 2:
        return joined(ir.op, *(worked_out(argument, scene) for argument in ir.args))
    if isinstance(ir, Conditional):
        return chosen(ir, scene)
    if isinstance(ir, Term) and ir.of is None and ir.type != "truth":
        return worked_out(ir.body, scene)
    return Sum(whole(evaluate(ir, scene)), ir=ir)


def chosen(ir: Conditional, scene: Scene) -> Sum:
    """The part that a condition chooses; one that holds is the reason for its number."""
    if not evaluate(ir.test, scene):
        return worked_out(ir.other, scene)
    found = worked_out(ir.then, scene)
    return found if found.parts else Sum(found.value, ir=found.ir, because=holding(ir.test, scene)[0])


def joined(sign: str, left: Sum, right: Sum) -> Sum:
    """Two sums as one, without a part that changes nothing."""
    if right.value == NEUTRAL[sign] and not right.measure:
        return left
    if sign in "+*" and left.value == NEUTRAL[sign] and not left.measure:
        return right
    return Sum(OPERATORS[sign](left.value, right.value), sign, (left, right))


def holding(ir: Ir, scene: Scene) -> Sequence[Ir]:
    """The parts of a condition that make it true: of several joined by `or` those that hold."""
    if isinstance(ir, Apply) and ir.op == "or":
        return [part for one in ir.args if evaluate(one, scene) for part in holding(one, scene)]
    return [ir]
