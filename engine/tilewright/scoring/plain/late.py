"""Late values: an expression in, its value out, or a function of the measures that it waits for.

What seats and table decide is worked out at once, arithmetic on measures once they are known. Knows no sections."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from operator import eq, ne
from typing import Any

from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, WordCall, is_measure, nodes
from tilewright.language.vocabulary.declare import EXTREMES, Scene, ToldBy
from tilewright.language.vocabulary.words import WORDS, is_told_by
from tilewright.scoring.plain.walker import OPERATORS, SETS, evaluate, joined, tells

Number = int | Fraction
SeatValues = Mapping[int, Mapping[str, Number]]  # the measures of each seat
Late = Callable[[SeatValues], Any]  # what measures decide
ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^", "neg", "<", "<=", ">", ">=", "==", "!=", "and", "or", "not"})
BY_ARGUMENTS: frozenset[ToldBy] = frozenset({"arguments"})


class Unplanned(Exception):
    """More than the table and arithmetic on measures decides an expression: it is walked for every hand."""


def told(value: Any, known: SeatValues) -> Any:
    """A value, or that of a function of measures."""
    return value(known) if callable(value) else value


def partly(ir: Ir, scene: Scene) -> Any:
    """The value of an expression, or a function of the measures that decide it. Raises Unplanned."""
    match ir:
        case Lookup(name=name, of=of) if is_measure(ir):
            seats = (scene.seat,) if of is None else decided(of, scene)
            return measure_of(name, seats[0]) if seats and seats[0] < scene.count_of_seats() else 0
        case Apply(op="and" | "or" as op, args=args):
            return joined_later([partly(argument, scene) for argument in args], op == "or")
        case Apply(type="truth", op=op) if op != "not" and not tells(ir, scene):
            return None
        case Apply(op=op, args=args) if op in ARITHMETIC and args[0].type not in SETS:
            return later(EQUALITY.get(op) or OPERATORS[op], *(partly(argument, scene) for argument in args))
        case WordCall(type="number", name=name, args=args) if is_told_by(name, BY_ARGUMENTS):
            word = EXTREME[name] if name in EXTREMES else partial(WORDS[name].ask, scene)
            return later(word, *(partly(argument, scene) for argument in args))
        case Conditional(test=test, then=then, other=other):
            holds = partly(test, scene)
            if not callable(holds):
                return partly(then if holds else other, scene)
            return one_of(holds, as_late(partly(then, scene)), as_late(partly(other, scene)))
        case _:
            return decided(ir, scene)


def decided(ir: Ir, scene: Scene) -> Any:
    """The value of an expression without measures. Raises Unplanned."""
    if not isinstance(ir, Const) and any(map(is_measure, nodes(ir))):
        raise Unplanned
    return evaluate(ir, scene)


EQUALITY: dict[str, Callable[..., Any]] = {"==": eq, "!=": ne}
EXTREME: dict[str, Callable[..., Any]] = {"min": min, "max": max}


def measure_of(name: str, seat: int) -> Late:
    """A measure of a seat."""
    return lambda known: known[seat].get(name, 0)


def joined_later(truths: Sequence[Any], decisive: bool) -> Any:
    """Whether any of the truths holds where True is decisive, or all of them where False is."""
    waiting = [truth for truth in truths if callable(truth)]
    now = joined((truth for truth in truths if not callable(truth)), decisive)
    if now is decisive or not waiting:
        return now
    return lambda known: joined((now, *(truth(known) for truth in waiting)), decisive)


def one_of(test: Late, then: Late, other: Late) -> Late:
    """What one of two functions gives, and the other one is not asked."""
    return lambda known: (then if test(known) else other)(known)


def as_late(value: Any) -> Late:
    """A function of measures, or one that always gives a value."""
    return value if callable(value) else lambda known: value


def later(function: Callable[..., Any], *parts: Any) -> Any:
    """What a function gives for values; where some of them wait for measures, a function of those."""
    match [callable(part) for part in parts]:
        case [True, *rest] if not any(rest):
            ask, *values = parts
            return lambda known: function(ask(known), *values)
        case [False, True]:
            value, ask = parts
            return lambda known: function(value, ask(known))
        case [True, True]:
            ask, other = parts
            return lambda known: function(ask(known), other(known))
        case waiting if any(waiting):
            asks = [as_late(part) for part in parts]
            return lambda known: function(*[ask(known) for ask in asks])
        case _:
            return function(*parts)
