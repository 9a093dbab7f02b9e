"""What amounts of a measure are called: numbers, and options that are numbers, each with its name.

In: the mapping as written, the options as played. Out: the amounts from the lowest up, and what is wrong with them.
"""

from bisect import bisect_right
from collections.abc import Iterator
from collections.abc import Mapping as Map
from fractions import Fraction

from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import Problem, Source
from tilewright.base.suggestion import hint
from tilewright.language.documents.fields import texts

Number = int | Fraction
Text = Map[str, str]
Amounts = tuple[tuple[Number, Text], ...]


def amounts(node: Mapping, options: Map[str, Number]) -> Amounts:
    """The amounts from the lowest up; of those that options make equal, the last as written stands last."""
    found = [(number, texts(name)) for key, name in node.items() if (number := number_of(key, options)) is not None]
    return tuple(sorted(found, key=lambda pair: pair[0]))


def amount_problems(node: Mapping, options: Map[str, Number]) -> Iterator[Problem]:
    """Names that are no amounts; numbers that do not rise, or stand there twice."""
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
    """The amount that a key says."""
    if key in options:
        return options[key]
    try:
        number = Fraction(key)
    except (ValueError, ZeroDivisionError):
        return None
    return int(number) if number.denominator == 1 else number


def name_at(named: Amounts, number: Number) -> Text:
    """What the number is called: the name of the highest amount that it reaches, nothing below the lowest."""
    place = bisect_right(named, number, key=lambda pair: pair[0])
    return named[place - 1][1] if place else {}


# --- problems


def unknown(key: Scalar, options: Map[str, Number]) -> Problem:
    return Problem(
        "wrong-amount", f"no option that is a number is called {key.text}", key.place, hint(key.text, options)
    )


def not_rising(key: Scalar) -> Problem:
    return Problem("wrong-amount", f"{key.text} is no more than the amount before it", key.place, "from the lowest up")
