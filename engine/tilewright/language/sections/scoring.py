"""Scoring: measures, limits and families of patterns; and names of amounts of a measure.

An amount is a number, or a numeric option, with its name.
"""

from collections.abc import Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from fractions import Fraction

from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import Problem, Source
from tilewright.base.spelling import hint, singular
from tilewright.language.compiled.ir import Const, Ir
from tilewright.language.compiled.ruleset import Amounts, Measure, Scoring
from tilewright.language.documents.fields import entries, flag, is_null, names, section, text, texts, titled
from tilewright.language.expressions.folding import MOST_BITS, USUAL_BITS, bits
from tilewright.language.expressions.scope import Scope
from tilewright.language.sections.elaboration import Elaboration, numbers


def measures(elaboration: Elaboration) -> Iterator[Measure]:
    earlier: list[str] = []
    options = numbers(elaboration.whole)
    for name, node in entries(elaboration.whole.document, "scoring", "measures"):
        scope = elaboration.scope.within("measure", f"measure {name}", frozenset(earlier))
        start, cap, value = [
            elaboration.expression(node.get(key), "number", scope) for key in ("start", "cap", "value")
        ]
        rows = table(elaboration, section(node, "table"), scope)
        parts = [part for part in (start, cap, value, *(row for _, row in rows)) if part is not None]
        most = max([USUAL_BITS, *(bits(part, elaboration.bits) for part in parts)])
        elaboration.bits[name] = most if most <= MOST_BITS else USUAL_BITS  # reported once
        called = section(node, "names")
        elaboration.problems.extend(amount_problems(called, options))
        title = titled(node, name)
        unit = texts(node.get("unit")) or counted(title)
        rest = (rows, amounts(called, options), flag(node, "inner"), unit, brings(node))
        yield Measure(name, title, start, cap, value, *rest)
        earlier.append(name)


def counted(title: Map[str, str]) -> dict[str, str]:
    """The unit of a measure that has none, if its English name is a plural: that name, and its singular behind one."""
    names = {language: name if name[1:2].isupper() else name[:1].lower() + name[1:] for language, name in title.items()}
    many = names.get("en", "").replace("_", " ")
    one = singular(many)
    return {} if one == many else {**names, "en": f"{one}|{many}"}


def brings(node: Mapping) -> dict[str, Const]:
    """What is counted with it, by measure."""
    written = [(name, value.value) for name, value in section(node, "brings").items() if isinstance(value, Scalar)]
    return {name: Const("number", value) for name, value in written if isinstance(value, int | Fraction)}


def table(elaboration: Elaboration, node: Mapping, scope: Scope) -> tuple[tuple[Fraction, Ir], ...]:
    rows = []
    for key, value in node.items():
        try:
            rows.append((Fraction(key), elaboration.needed(value, "number", scope)))
        except (ValueError, ZeroDivisionError):
            elaboration.problems.append(
                Problem("wrong-type", "a table goes from number to number", node.key(key).place)
            )
    return tuple(sorted(rows, key=lambda row: row[0]))


def scoring(elaboration: Elaboration, measures: Several[Measure]) -> Scoring:
    node = section(elaboration.whole.document, "scoring")
    scope = elaboration.scope.within("measure", "the minimum")
    minimum = tuple(
        (name, elaboration.needed(value, "number", scope))
        for name, value in section(node, "minimum").items()
        if not is_null(value)
    )
    best = text(node, "best") or (measures[-1].id if measures else "")
    return Scoring(
        tuple(measures),
        best,
        minimum,
        text(node, "completed_by_discard") or "concealed",
        text(node, "waits") or "possible",
        elaboration.expression(node.get("pays_at_most"), "number"),
        frozenset(names(node.get("ignored_flags"))),
        elaboration.expression(node.get("worth_more"), "truth"),
    )


def families(elaboration: Elaboration) -> dict[str, str]:
    found = {name: text(node, "keep") or "best" for name, node in entries(elaboration.whole.document, "families")}
    for _, node in entries(elaboration.whole.document, "patterns"):
        if family := text(node, "family"):
            found.setdefault(family, "best")
    return found


# --- names of amounts

Number = int | Fraction


def amounts(node: Mapping, options: Map[str, Number]) -> Amounts:
    """The amounts, lowest first; of those that options make equal, the last written one comes last."""
    found = [(number, texts(name)) for key, name in node.items() if (number := number_of(key, options)) is not None]
    return tuple(sorted(found, key=lambda pair: pair[0]))


def amount_problems(node: Mapping, options: Map[str, Number]) -> Iterator[Problem]:
    """Names that are not amounts; numbers that do not rise, or occur twice."""
    before: dict[Source, Number] = {}
    seen: set[Number] = set()
    for key, entry in node.entries.items():
        number, written = number_of(key, options), entry.key
        if number is None:
            yield unknown(written, options)
        elif key not in options:
            source = written.place.source
            if number in seen or number <= before.get(source, number - 1):
                yield not_rising(written)
            seen.add(number)
            before[source] = number


def number_of(key: str, options: Map[str, Number]) -> Number | None:
    """The amount of a key."""
    if key in options:
        return options[key]
    try:
        number = Fraction(key)
    except (ValueError, ZeroDivisionError):
        return None
    return int(number) if number.denominator == 1 else number


# --- problems


def unknown(key: Scalar, options: Map[str, Number]) -> Problem:
    return Problem(
        "wrong-amount", f"no option that is a number is called {key.text}", key.place, hint(key.text, options)
    )


def not_rising(key: Scalar) -> Problem:
    return Problem(
        "wrong-amount", f"{key.text} is not larger than the amount before it", key.place, "from the lowest up"
    )
