"""Totals: what each amount of two measures pays, in a game where the worth of a hand follows from two.

Rules in, numbers out. One of the two gives the rows: it is worked out and has few amounts, as it is rounded. The other
gives the columns: it is the sum of what patterns are worth. What a hand must have is told by its form, by who drew the
winning tile and by whether it is concealed, as far as these decide which patterns count; amounts that no hand reaches
are left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, WordCall, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset, Measure, Pattern
from tilewright.language.vocabulary.words import concealed, form, round_up, self_draw
from tilewright.scoring.plain.judge import capped, looked_up
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.plain.walker import evaluate, whole
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.score import Number

MOST_ROWS, MOST_COLUMNS = 40, 60  # that are tried


@dataclass(frozen=True, slots=True)
class TwoMeasures:
    """The measures that a worth follows from."""

    rows: Measure
    columns: Measure


class Facts(NamedTuple):
    """What is known of a hand."""

    form: str
    self_draw: bool
    concealed: bool


class Reached(NamedTuple):
    """A hand has `row`, or where not `exact` at least that, and at least so many `columns`."""

    row: Number
    exact: bool
    columns: Number


@dataclass(frozen=True, slots=True)
class Totals:
    """What is paid. `cells`: by row and column what each payer pays, least first; none where no hand is worth that.
    `flat`: columns from which the row does not matter, up to the next one (None: any more), with the payments."""

    rows: tuple[Number, ...]
    columns: tuple[Number, ...]
    cells: Mapping[tuple[Number, Number], tuple[Number, ...]]
    flat: tuple[tuple[Number, Number | None, tuple[Number, ...]], ...]


def two_measures(data: CompiledRuleset) -> TwoMeasures | None:
    """The two measures, if the worth follows from two such."""
    measures = {one.id: one for one in data.scoring.measures}
    found = [measures[id] for id in sources(data) if not measures[id].brings]
    rows = [one for one in found if one.value is not None and step_of(one.value)]
    columns = [one for one in found if one.value is None]
    return TwoMeasures(rows[0], columns[0]) if len(found) == 2 and len(rows) == len(columns) == 1 else None


def sources(data: CompiledRuleset) -> list[str]:
    """The measures that the best one is worked out from, through those that are only for computing."""
    measures, found = {one.id: one for one in data.scoring.measures}, list[str]()
    todo = [data.scoring.best]
    while todo:
        one = measures[todo.pop()]
        if one.id != data.scoring.best and (one.value is None or not one.inner):
            found += [one.id] * (one.id not in found)
        elif one.value is not None:
            todo += [node.name for node in nodes(one.value) if isinstance(node, Lookup) and node.kind == "measure"]
    return found


def step_of(ir: Ir) -> Number:
    """What a value is rounded to; 0 if it is not."""
    steps = [call.args[1] for call in nodes(ir) if isinstance(call, WordCall) and call.name == round_up.name]
    return next((number for one in steps if (number := constant(one))), 0)


def constant(ir: Ir | None) -> Number:
    """A number that is written in the ruleset; 0 for any other."""
    return ir.value if isinstance(ir, Const) and isinstance(ir.value, int | Fraction) else 0


# --- what hands reach


def reached(data: CompiledRuleset, two: TwoMeasures, drawn: bool) -> list[Reached]:
    """The least that hands have, by what is known of them."""
    found = list[Reached]()
    for one, hidden in product(data.forms, (True, False)):
        if hidden or not one.shape.concealed:
            facts = Facts(one.id, drawn, hidden)
            for counted in certain(data, facts):
                found += least(data, two, facts, counted)
    return found


def certain(data: CompiledRuleset, facts: Facts) -> Iterator[list[Pattern]]:
    """The patterns that count for sure; again for each pattern that may keep one of them from counting, with it."""
    sure = [one for one in data.patterns if counts(one, facts) is True]
    yield sure
    names = {one.id for one in sure}
    for other in data.patterns:
        if names & set(other.excludes) and counts(other, facts) is None:
            yield [other, *(one for one in sure if one.id not in other.excludes)]


def counts(pattern: Pattern, facts: Facts) -> bool | None:
    """Whether a pattern counts, once at least; None if that depends on more."""
    holds = True if pattern.when is None else truth(pattern.when, facts)
    more = pattern.each is not None or pattern.times is not None or pattern.late is not None
    return None if holds and more else holds


def least(data: CompiledRuleset, two: TwoMeasures, facts: Facts, counted: Sequence[Pattern]) -> Iterator[Reached]:
    """The least amounts with these patterns; nothing if they bring a measure that the table is without."""
    sums = {one.id: constant(one.start) for one in data.scoring.measures if one.value is None}
    for pattern in counted:
        worth = pattern.exposed if pattern.exposed is not None and not facts.concealed else pattern.worth
        for id, ir in worth.items():
            if id in sums:
                sums[id] += constant(ir)
    if any(sums.get(one.id) for one in data.scoring.measures if one.brings):
        return
    columns = max(sums[two.columns.id], constant(dict(data.scoring.minimum).get(two.columns.id)))
    assert two.rows.value is not None
    for row, exact in values(two.rows.value, facts, sums):
        yield Reached(row, exact, columns)


def truth(ir: Ir, facts: Facts) -> bool | None:
    """Whether a condition holds, as far as the facts decide it."""
    match ir:
        case Const():
            return bool(ir.value)
        case Lookup(of=None, kind="word", name=name) if name in (concealed.name, self_draw.name):
            return facts.concealed if name == concealed.name else facts.self_draw
        case Apply(op="==" | "!=", args=(Lookup(of=None, kind="word", name=name), Const(value=value))):
            return (facts.form == value) == (ir.op == "==") if name == form.name else None
        case Apply(op="not"):
            inner = truth(ir.args[0], facts)
            return None if inner is None else not inner
        case Apply(op="and" | "or"):
            parts, ends = [truth(one, facts) for one in ir.args], ir.op == "or"
            return ends if ends in parts else None if None in parts else not ends
    return None


def values(ir: Ir, facts: Facts, sums: Mapping[str, Number]) -> Iterator[tuple[Number, bool]]:
    """The least that a value may be, for each condition that may hold; whether it is never more."""
    match ir:
        case Const():
            yield constant(ir), True
        case Conditional():
            holds = truth(ir.test, facts)
            if holds is not False:
                yield from values(ir.then, facts, sums)
            if holds is not True:
                yield from values(ir.other, facts, sums)
        case Lookup(kind="measure", name=name) if name in sums:
            yield sums[name], False
        case WordCall(name=name, args=(left, right)) if name in OPERATIONS:
            for (a, same), (b, fixed) in product(values(left, facts, sums), values(right, facts, sums)):
                yield OPERATIONS[name](a, b), same and fixed


def rounded_up(number: Number, step: Number) -> Number:
    return whole(-(-Fraction(number) // step) * step)


OPERATIONS: Mapping[str, Callable[[Number, Number], Number]] = {"max": max, "min": min, round_up.name: rounded_up}


# --- what they pay


def totals(rules: ScoringRules, two: TwoMeasures, situation: Situation) -> Totals | None:
    """What a win in this situation pays; None if no row is reached."""
    found = reached(rules.data, two, situation.self_draw)
    if not found or two.rows.value is None:
        return None
    step, lowest = step_of(two.rows.value), min(one.columns for one in found)
    first = min(one.row for one in found if not one.exact)
    rows = sorted({one.row for one in found} | {first + step * at for at in range(MOST_ROWS)})

    def paid(row: Number, column: Number) -> tuple[Number, ...]:
        scene = rules.judge.scene(situation)
        gains = rules.scores.paid(situation, measured(scene, {two.rows.id: row, two.columns.id: column})) or {}
        return tuple(sorted({-gain for gain in gains.values() if gain < 0}))

    tried = [lowest + at for at in range(MOST_COLUMNS)]
    alike = next((at for at, one in enumerate(tried) if paid(rows[0], one) == paid(rows[-1], one)), len(tried))
    columns = tried[:alike]
    amounts = {(row, column): paid(row, column) for row in rows for column in columns}
    after = columns[1:]  # the lowest column needs more rows than anybody has
    full = next((row for row in rows if all(amounts[row, one] == amounts[rows[-1], one] for one in after)), rows[-1])
    rows = [row for row in rows if row <= full]
    cells = {
        (row, column): amounts[row, column]
        for row, column in product(rows, columns)
        if any(is_reached(one, row, step) and one.columns <= column for one in found)
    }
    kept = tuple(row for row in rows if any((row, column) in cells for column in columns))
    return Totals(kept, tuple(columns), cells, tuple(flat([(one, paid(rows[0], one)) for one in tried[alike:]])))


def is_reached(one: Reached, row: Number, step: Number) -> bool:
    """Whether a hand may have this row."""
    return row == one.row if one.exact else row >= one.row and (row - one.row) % step == 0


def measured(scene: HandScene, given: Mapping[str, Number]) -> dict[str, Number]:
    """Every measure of a hand that has the given ones, and nothing of others that are sums."""
    found: dict[str, Number] = {}
    known = replace(scene, values=found)
    for measure in scene.data.scoring.measures:
        number = 0 if measure.value is None or measure.id in given else whole(evaluate(measure.value, known))
        found[measure.id] = given.get(measure.id, looked_up(measure, known, capped(measure, known, number)))
    return found


def flat(
    amounts: Sequence[tuple[Number, tuple[Number, ...]]],
) -> Iterator[tuple[Number, Number | None, tuple[Number, ...]]]:
    """Columns of the same payments together."""
    starts = [one for at, one in enumerate(amounts) if at == 0 or amounts[at - 1][1] != one[1]]
    for at, (column, paid) in enumerate(starts):
        yield column, starts[at + 1][0] if at + 1 < len(starts) else None, paid
