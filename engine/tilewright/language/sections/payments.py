"""Payments: who pays whom how much, line by line."""

from collections.abc import Iterator
from functools import partial

from tilewright.base.node import Mapping, Scalar
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.ruleset import PaymentLine
from tilewright.language.documents.fields import is_null, items, section
from tilewright.language.expressions import folding
from tilewright.language.sections.elaboration import Elaboration
from tilewright.language.vocabulary.words import winner


def payments(elaboration: Elaboration) -> Iterator[tuple[str, tuple[PaymentLine, ...]]]:
    for name, node in section(elaboration.whole.document, "payments").items():
        if isinstance(node, Mapping):
            yield (
                name,
                tuple(
                    elaboration.once("payment", line, partial(payment, elaboration, key, line), key)
                    for key, line in node.items()
                    if isinstance(line, Mapping)
                ),
            )


def payment(elaboration: Elaboration, name: str, node: Mapping) -> PaymentLine:
    to = node.get("to")
    whoever_won = Scalar(winner.name, winner.name, node.place)
    return PaymentLine(
        name,
        elaboration.needed(node.get("from"), "seats"),
        elaboration.needed(whoever_won if to is None or is_null(to) else to, "seats"),
        elaboration.needed(node.get("amount"), "number"),
        holds(elaboration, node),
        elaboration.expression(node.get("times"), "number"),
        tuple(ir for one in items(node.get("double")) if (ir := elaboration.condition(one)) is not None),
        elaboration.expression(node.get("round_up"), "number"),
        tuple(ir for one in items(node.get("instead")) if (ir := elaboration.expression(one, "seats")) is not None),
    )


def holds(elaboration: Elaboration, node: Mapping) -> Ir | None:
    """`when` and not `unless`."""
    when, unless = elaboration.condition(node.get("when")), elaboration.condition(node.get("unless"))
    if unless is None:
        return when
    barred = folding.apply("truth", "not", unless)
    return barred if when is None else folding.apply("truth", "and", when, barred)
