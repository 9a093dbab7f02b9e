"""A score: the worth of a hand, its reasons and payments, as frozen data with its JSON."""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from tilewright.base.spelling import singular

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class PatternScore:
    """A pattern that counts. `worth` is all of it, in the measure of the total where it has one there."""

    id: str
    name: str
    worth: Number
    times: Number
    names: Mapping[str, str] = field(default_factory=dict)
    measure: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "worth": json_number(self.worth),
            "times": json_number(self.times),
        }


class Details(NamedTuple):
    """The details of a score, computed on demand: the groups of the reading as text, the form, the line of a card with
    the group that it stands in, seat -> gain where the case says who won from whom, and the name of the amount."""

    reading: tuple[str, ...] = ()
    form: str | None = None
    payments: Mapping[str, Number] | None = None
    line: str | None = None
    group: str | None = None
    called: Mapping[str, str] = MappingProxyType({})
    reasons: Mapping[str, str] = MappingProxyType({})

    def __reduce__(self) -> tuple[Any, ...]:
        return Details, tuple(dict(value) if isinstance(value, Mapping) else value for value in self)

    def as_json(self) -> dict[str, Any]:
        result: dict[str, Any] = {"reading": list(self.reading), "form": self.form}
        if self.called:
            result["called"] = dict(self.called)
        if self.line is not None:
            result |= {"line": self.line, "group": self.group}
        if self.payments is not None:
            result["payments"] = {seat: json_number(gain) for seat, gain in self.payments.items()}
        return result


class Score(NamedTuple):
    """`total` is in `unit`, the measure that the best reading is chosen by; `values` has every measure. `reason`: why
    a hand does not win (`reasons`: by language). `tell` gives the details. Every number is an int, or a Fraction where
    it is not whole; printed, a score is a few lines."""

    win: bool
    total: Number
    unit: str
    values: Mapping[str, Number]
    patterns: tuple[PatternScore, ...] = ()
    reason: str | None = None
    tell: Callable[[], Details] = Details

    def __eq__(self, other: object) -> bool:
        """Whether the details are the same, too."""
        return isinstance(other, Score) and self[:-1] == other[:-1] and self.tell() == other.tell()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with its details, which are found for that."""
        return known_score, (*self[:-1], self.tell())

    @property
    def reading(self) -> tuple[str, ...]:
        """The groups of the reading as text, melds first."""
        return self.tell().reading

    @property
    def form(self) -> str | None:
        """The form of the reading."""
        return self.tell().form

    @property
    def line(self) -> str | None:
        """The line of a card that the hand was read as."""
        return self.tell().line

    @property
    def group(self) -> str | None:
        """The group of lines that it stands in, as printed."""
        return self.tell().group

    @property
    def called(self) -> Mapping[str, str]:
        """The name of the amount, by language; nothing where it has no name."""
        return self.tell().called

    @property
    def reasons(self) -> Mapping[str, str]:
        """Why the hand does not win, by language; empty if it wins."""
        return self.tell().reasons

    @property
    def payments(self) -> Mapping[str, Number] | None:
        """What each seat gains; they sum to zero. None where the case does not say who won from whom."""
        return self.tell().payments

    def __str__(self) -> str:
        """The worth, each pattern that counts, and the payments, one per line."""
        details = self.tell()
        called = details.called.get("en") or next(iter(details.called.values()), "")
        amount = amount_of(self.total, self.unit) + (f" ({called})" if called else "")
        lines = [amount if self.win else f"no win: {self.reason}", *map(pattern_line, self.patterns)]
        if details.payments is not None:
            lines.append("  ".join(f"{seat} {show_number(gain)}" for seat, gain in details.payments.items()))
        return "\n".join(lines)

    def __repr__(self) -> str:
        patterns = ", ".join(one.id for one in self.patterns)
        reason = f", reason={self.reason!r}" if self.reason else ""
        return f"Score(win={self.win}, total={amount_of(self.total, self.unit)}, patterns=[{patterns}]{reason})"

    def as_json(self, id: object = None) -> dict[str, Any]:
        """The contract's shape of a result; fractions as decimals."""
        result: dict[str, Any] = {} if id is None else {"id": id}
        return result | self.worth_json() | self.details_json()

    def worth_json(self) -> dict[str, Any]:
        """The first part, which ends with the patterns."""
        return {
            "win": self.win,
            "total": json_number(self.total),
            "unit": self.unit,
            "values": {name: json_number(number) for name, number in self.values.items()},
            "patterns": [pattern.as_json() for pattern in self.patterns],
        }

    def details_json(self) -> dict[str, Any]:
        """The second part, of this hand."""
        details = self.tell().as_json()
        return details if self.reason is None else {**details, "reason": self.reason}


def known_score(*values: Any) -> Score:
    """The score of these values, with its details last."""
    *rest, details = values
    return Score._make([*rest, partial(copy, details)])


def pattern_line(pattern: PatternScore) -> str:
    """A pattern with how often it counts and what it is worth."""
    times = f" × {show_number(pattern.times)}" if pattern.times != 1 else ""
    return f"  {pattern.name}{times}  {amount_of(pattern.worth, pattern.measure)}".rstrip()


def amount_of(number: Number, measure: str) -> str:
    """A number of a measure, by its id: `1 point`, `2 points`."""
    return f"{show_number(number)} {singular(measure) if number == 1 else measure}"


def json_number(number: Number) -> int | float:
    return number if isinstance(number, int) else int(number) if number.denominator == 1 else float(number)


def show_number(number: Number) -> str:
    """A number for people: decimals if finite, else a fraction."""
    if isinstance(number, int) or number.denominator == 1:
        return str(int(number))
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return f"{float(number):.10g}" if rest == 1 else f"{number.numerator}/{number.denominator}"
