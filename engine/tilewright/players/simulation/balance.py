"""Balance: patterns with how often they come and what they are worth in; which are too cheap or too dear for that out.

Knows no rules: whoever counts hands has the figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol

from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.ruleset import Pattern
from tilewright.players.simulation.estimates import Estimate

StandsOut = Literal["rare_and_cheap", "common_and_dear"]
FEW, PART = 2, 0.1  # a pattern stands out beside so many others, and beside this part of them


class Weighed(Protocol):
    """A pattern with its worth in `measure`, None if it has no certain one, and its share of hands."""

    @property
    def id(self) -> str: ...
    @property
    def measure(self) -> str: ...
    @property
    def worth(self) -> float | None: ...
    @property
    def of_wins(self) -> Estimate | None: ...


@dataclass(frozen=True, slots=True)
class Balance:
    """The patterns of the same measure that clearly come more often and are worth more than one, and the opposite."""

    commoner_and_dearer: tuple[str, ...]
    rarer_and_cheaper: tuple[str, ...]
    stands_out: StandsOut | None


def balance(one: Weighed, found: Sequence[Weighed]) -> Balance:
    """A pattern beside all that were found. More often is clear where the intervals do not touch."""
    others = [other for other in found if other.measure == one.measure]
    dearer = tuple(other.id for other in others if comes_more(other, one) and worth_more(other, one))
    cheaper = tuple(other.id for other in others if comes_more(one, other) and worth_more(one, other))
    stands_out: StandsOut | None = None
    if max(len(dearer), len(cheaper)) >= max(FEW, PART * (len(others) - 1)):
        stands_out = "rare_and_cheap" if len(dearer) >= len(cheaper) else "common_and_dear"
    return Balance(dearer, cheaper, stands_out)


def comes_more(one: Weighed, other: Weighed) -> bool:
    low = one.of_wins.low if one.of_wins else None
    high = other.of_wins.high if other.of_wins else None
    return low is not None and high is not None and low > high


def worth_more(one: Weighed, other: Weighed) -> bool:
    return one.worth is not None and other.worth is not None and one.worth > other.worth


def measure_of(pattern: Pattern, best: str) -> str:
    """The measure of the total if the pattern has a worth there, else its first, as in scores."""
    return best if best in pattern.worth else next(iter(pattern.worth), "")


def declared(pattern: Pattern, measure: str) -> float | None:
    """The worth that is written, if it is a number."""
    ir = pattern.worth.get(measure)
    return float(ir.value) if isinstance(ir, Const) and isinstance(ir.value, int | Fraction) else None
