"""Payments: who pays whom how much for a win, and how the amount came about.

In: the payment lines of a ruleset, and a scored hand. Every line sums to zero. `settle` walks the lines in any scene:
the winner's, with its measures and those of the other seats. `account_of` has the formula of a line with the numbers of
a hand, without words. `WinPayments` pays many wins under one ruleset: what the table decides is worked out once for
each table, and the rest is arithmetic; what cannot be divided so is walked.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol

from tilewright.base.memory import kept
from tilewright.language.compiled import ir as typed
from tilewright.language.compiled.ir import Apply, Conditional, Ir, Term, children, is_measure, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset, PaymentLine
from tilewright.language.vocabulary.declare import Scene, Sides, ToldBy
from tilewright.language.vocabulary.words import WORDS, is_told_by
from tilewright.scoring.plain.judge import PlainJudge
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.plain.walker import OPERATORS, evaluate, whole
from tilewright.scoring.program.measures import SeatValues, Unplanned, decided, later, partly, told

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


# --- accounts; parts that change nothing (adding 0, times 1) are left out, unless they are what a hand counts

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


# --- wins

BY_TABLE: frozenset[ToldBy] = frozenset({"arguments", "seats", "payment", "table"})
MOST_KNOWN = 10_000  # tables of which the payments are kept


@dataclass(frozen=True, slots=True)
class Due:
    """What one payer owes one payee under a line, unless `when` fails: a share of each sharer, with the cap of each.
    `when`, `share` and caps are values, or functions of the measures that they wait for."""

    line: str
    payee: int
    sharers: tuple[tuple[int, Any], ...]
    when: Any
    share: Any


class WinPayments:
    """The lines for a win under one ruleset, with what each comes to at the tables seen so far."""

    def __init__(self, judge: PlainJudge) -> None:
        self.judge, self.data = judge, judge.data
        self.lines = self.data.payments.get("win", ())
        self.plans: dict[Any, tuple[Due | PaymentLine, ...]] = {}

    def due(self, situation: Situation, table: Any, known: SeatValues) -> list[Payment]:
        """Every payment for a win; `table` is the key of the situation."""
        payments: list[Payment] = []
        for step in self.plan(situation, table):
            if isinstance(step, PaymentLine):
                values_of = {seat: known[seat] for seat in range(self.data.seats.count)}
                scene = replace(self.judge.scene(situation), values=known[situation.seat], values_of=values_of)
                payments += [charge.payment for charge in carried_out(step, scene, payments)]
            elif told(step.when, known) and (share := told(step.share, known)):
                for seat, cap in step.sharers:
                    payments.append(Payment(step.line, seat, step.payee, most(share, seat, told(cap, known), payments)))
        return payments

    def plan(self, situation: Situation, table: Any) -> tuple[Due | PaymentLine, ...]:
        """What the lines come to at the table of a situation."""
        plan = None if table is None else self.plans.get(table)
        if plan is None:
            scene = self.judge.scene(situation)
            plan = tuple(step for line in self.lines for step in self.planned(line, scene))
            if table is not None:
                kept(self.plans, table, plan, MOST_KNOWN)
        return plan

    def planned(self, line: PaymentLine, scene: HandScene) -> Sequence[Due | PaymentLine]:
        """What a line comes to; the line itself where it has to be walked."""
        if line.id in self.asked.walked:
            return (line,)
        try:
            return tuple(dues(line, scene))
        except Unplanned:
            return (line,)

    def key(self, situation: Situation) -> Any:
        """All that decides the lines but measures; None if that is too much to be remembered."""
        asked = self.asked
        if situation.others and (asked.table or asked.names):
            return None
        key: tuple[Any, ...] = situation.sides
        if asked.table:
            melds = situation.hand.melds
            key = (*key, situation.conditions, any(meld.exposed for meld in melds) if melds else False)
        if asked.names:
            key = (*key, situation.flags & asked.names, *map(situation.marks.get, asked.marks))
        if asked.questions:
            scene = self.judge.scene(situation)
            key = (*key, *[ask(scene) for ask in asked.questions])
        return key

    @cached_property
    def asked(self) -> "Asked":
        """What the lines ask besides measures and who won from whom."""
        cap = self.data.scoring.pays_at_most
        questions: dict[Ir, None] = {}
        found: list[Ir] = []
        walked = set()
        for line in self.lines:
            whole_line = line.expressions if cap is None else (*line.expressions, cap)
            try:
                questions |= dict.fromkeys(one for ir in whole_line for one in asked_of_hand(ir, self.data))
                found += (node for ir in whole_line for node in nodes(ir))
            except Unplanned:
                walked.add(line.id)
        marks = {node.name for node in found if isinstance(node, typed.Lookup) and node.kind in ("mark", "choice")}
        measures = {node.name for node in found if isinstance(node, typed.Lookup) and is_measure(node)}
        return Asked(
            any(isinstance(node, typed.Lookup | typed.WordCall) and told_by(node) == "table" for node in found),
            frozenset(marks | {node.name for node in found if isinstance(node, typed.Term)}),
            tuple(sorted(marks)),
            tuple(measure.id for measure in self.data.scoring.measures if measure.id in measures),
            [partial(evaluate, ir) for ir in questions],
            walked,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """`table`: some word is told by the table. `names`: marks and terms, `marks` of them. `measures`: those that lines
    ask for. `questions`: what the hand decides, as functions of its scene. `walked`: lines that ask the hand about
    payers and payees."""

    table: bool
    names: frozenset[str]
    marks: tuple[str, ...]
    measures: tuple[str, ...]
    questions: Sequence[Callable[[HandScene], Any]]
    walked: Set[str]


def asked_of_hand(ir: Ir, data: CompiledRuleset) -> Iterator[Ir]:
    """The parts of an expression that the hand decides, each as large as can be. Raises Unplanned."""
    if all(is_of_table(node, data) for node in nodes(ir)):
        return
    if not any(is_measure(node) or told_by(node) == "payment" for node in nodes(ir)) and not has_free_letters(ir):
        yield ir
        return
    if not isinstance(ir, typed.Apply | typed.Conditional):
        raise Unplanned
    for child in children(ir):
        yield from asked_of_hand(child, data)


def is_of_table(ir: Ir, data: CompiledRuleset) -> bool:
    """Whether the node itself asks only the table, or for a measure."""
    if isinstance(ir, typed.Lookup) and ir.kind in ("mark", "choice"):
        mark = data.marks.get(ir.name)
        return mark is None or mark.start is None or isinstance(mark.start, typed.Const)
    if isinstance(ir, typed.Lookup | typed.WordCall):
        return is_measure(ir) or is_told_by(ir.name, BY_TABLE)
    return not isinstance(ir, typed.HasGroups | typed.Test | typed.Matches)


def told_by(ir: Ir) -> ToldBy | None:
    """What decides the word of the node."""
    if isinstance(ir, typed.WordCall) or (isinstance(ir, typed.Lookup) and ir.kind == "word"):
        return WORDS[ir.name].told_by if ir.name in WORDS else None
    return None


def has_free_letters(ir: Ir) -> bool:
    """Whether a letter stands in it that a quantifier outside binds."""
    bound = {node.letter for node in nodes(ir) if isinstance(node, typed.Quantifier)}
    return any(isinstance(node, typed.Var) and node.name not in bound for node in nodes(ir))


def dues(line: PaymentLine, scene: PaymentQuery) -> Iterator[Due]:
    """What every payer of a line owes every payee, as far as the table decides it. Raises Unplanned."""
    for payer, payee, here in pairs(line, scene, decided):
        when = True if line.when is None else partly(line.when, here)
        if not callable(when) and not when:
            continue
        sharers = sharing(line, here, payer, payee, decided)
        times = 1 if line.times is None else partly(line.times, here)
        step = 0 if line.round_up is None else partly(line.round_up, here)
        doubles = [partly(ir, here) for ir in line.double]
        share = later(part, partly(line.amount, here), times, step, len(sharers), *doubles)
        yield Due(line.id, payee, tuple((seat, cap_of(seat, here, partly)) for seat in sharers), when, share)
