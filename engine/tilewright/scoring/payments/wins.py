"""Payments for wins under one ruleset, for scored hands: what the table decides is worked out once for each table, and
the rest is arithmetic. What cannot be divided so is walked like `settling.settle` does.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from tilewright.language.compiled import ir as typed
from tilewright.language.compiled.ir import Ir, children, is_measure, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset, PaymentLine
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import WORDS, is_told_by
from tilewright.scoring.payments.settling import (
    Payment,
    PaymentQuery,
    cap_of,
    carried_out,
    most,
    pairs,
    part,
    sharing,
)
from tilewright.scoring.plain.late import SeatValues, Unplanned, decided, later, partly, told
from tilewright.scoring.plain.plain_judge import PlainJudge
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.plain.walker import evaluate

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
            if len(self.plans) >= MOST_KNOWN:
                self.plans.clear()
            if table is not None:
                self.plans[table] = plan
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
