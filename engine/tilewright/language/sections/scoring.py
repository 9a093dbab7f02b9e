"""Scoring: measures with the names of their amounts, limits, patterns and their families, payments, cases.

An amount is a number, or a numeric option, with its name. Sections in, frozen data with lowered expressions out,
without the patterns that these options leave out.
"""

from collections.abc import Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from fractions import Fraction
from functools import partial

from tilewright.base.node import Mapping, Node, Scalar, plain
from tilewright.base.problem import Place, Problem, Source
from tilewright.base.spelling import hint, singular
from tilewright.language.compiled.ir import Const, Ir, WantedCase
from tilewright.language.compiled.ruleset import (
    Amounts,
    Example,
    LeftOut,
    Measure,
    Pattern,
    PaymentLine,
    RulesetCase,
    Scoring,
)
from tilewright.language.documents.fields import (
    entries,
    flag,
    is_false,
    is_null,
    items,
    names,
    section,
    text,
    text_at,
    texts,
    titled,
)
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.expressions import folding
from tilewright.language.expressions.folding import MOST_BITS, USUAL_BITS, bits
from tilewright.language.expressions.scope import Scope
from tilewright.language.sections.elaboration import Elaboration, numbers
from tilewright.language.vocabulary.words import winner


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


# --- patterns and cases


def patterns(elaboration: Elaboration, measures: Several[Measure]) -> Iterator[Pattern]:
    brought = tuple((measure.id, *measure.brings.items()) for measure in measures)
    for name, node in entries(elaboration.whole.document, "patterns"):
        yield elaboration.once("pattern", node, partial(pattern, elaboration, name, measures), name, brought)


def pattern(elaboration: Elaboration, name: str, measures: Several[Measure]) -> Pattern:
    node = section(elaboration.whole.document, "patterns", name)
    first = measures[0].id if measures else ""
    brings = {measure.id: measure.brings for measure in measures}
    scope = elaboration.scope.within("reading", f"pattern {name}")
    exposed = node.get("exposed")
    when, late = elaboration.condition_in_two(node.get("when"), scope.within("measure", scope.subject))
    if late is not None:
        elaboration.problems.extend(decided_last(name, node))
    return Pattern(
        id=name,
        name=titled(node, name),
        about=texts(node.get("about")),
        everyone=text(node, "for") == "everyone",
        worth=with_brought(worth(elaboration, node.get("worth"), first, scope), brings),
        exposed=None
        if exposed is None or is_null(exposed)
        else with_brought(worth(elaboration, exposed, first, scope), brings),
        when=when,
        each=each(elaboration, node.get("each"), scope),
        times=elaboration.expression(node.get("times"), "number", scope),
        family=text(node, "family") or None,
        excludes=names(node.get("excludes")),
        limit=flag(node, "limit"),
        extra=flag(node, "extra"),
        alone=flag(node, "alone"),
        provisional=flag(node, "provisional"),
        examples=elaboration.whole.shared.of_node(node, "examples", lambda: tuple(examples(node.get("examples")))),
        place=section(elaboration.whole.document, "patterns").key(name).place,
        late=late,
    )


def decided_last(name: str, node: Mapping) -> Iterator[Problem]:
    """What a pattern cannot be that is decided once all others are."""
    for key in ("excludes", "family", "alone"):
        if not is_null(node.get(key)) and not is_false(node, key):
            message = f"pattern {name} is decided after all others, as it asks for what they come to: it has no {key}"
            way_out = "let others exclude it, or leave the measure out of its `when`"
            yield Problem("decided-last", message, node.key(key).place, way_out)


def worth(elaboration: Elaboration, node: Node | None, first: str, scope: Scope) -> dict[str, Ir]:
    """Worth by measure; a plain number is of the first measure."""
    if node is None or is_null(node):
        return {}
    if isinstance(node, Mapping):
        return {name: elaboration.needed(value, "number", scope) for name, value in node.items() if not is_null(value)}
    return {first: elaboration.needed(node, "number", scope)}


def with_brought(worth: Map[str, Ir], brings: Map[str, Map[str, Const]]) -> dict[str, Ir]:
    """A worth with what its measures bring, unless it says so itself."""
    brought = {name: number for measure in worth for name, number in brings.get(measure, {}).items()}
    return {**brought, **worth}


def each(elaboration: Elaboration, node: Node | None, scope: Scope) -> tuple[tuple[WantedCase, ...], ...] | None:
    if node is None or is_null(node):
        return None
    lists = items(node.get("any")) if isinstance(node, Mapping) else (node,)
    return tuple(elaboration.cases_of(one, scope) for one in lists)


def examples(node: Node | None) -> Iterator[Example]:
    for item in items(node):
        if isinstance(item, Mapping):
            case = {key: plain(value) for key, value in item.items() if key not in ("id", "yes") and not is_null(value)}
            yield Example(case, flag(item, "yes"), item.place, text_at(item, "id"))


def cases(elaboration: Elaboration) -> Iterator[RulesetCase]:
    document, shared = elaboration.whole.document, elaboration.whole.shared
    for name, node in entries(document, "cases"):
        made = partial(case, name, node, section(document, "cases").key(name).place)
        yield shared.of_node(node, "case", made)


def case(name: str, node: Mapping, place: Place) -> RulesetCase:
    given = {key: plain(value) for key, value in node.items() if key not in ("for", "expect") and not is_null(value)}
    expect = plain(section(node, "expect"))
    moves = tuple(item.place for item in items(node.get("play")))
    return RulesetCase(name, given, expect if isinstance(expect, dict) else {}, place, moves)


def left_out(whole: MergedRuleset) -> Iterator[LeftOut]:
    """The patterns with examples that do not exist with these options."""
    there = section(whole.document, "patterns").entries
    for name, node in entries(whole.full, "patterns"):
        if name not in there and (count := len(items(node.get("examples")))):
            yield LeftOut(name, count, section(whole.full, "patterns").key(name).place)


# --- payments


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
