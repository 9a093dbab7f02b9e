"""Tallies of simulated games as plain data, and back: each part of a simulation continues the one before.

Sums stay exact: a fraction is a text like "3/2". Knows no game.
"""

from collections import Counter
from dataclasses import is_dataclass
from fractions import Fraction
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from tilewright.players.simulation.tally import Tally

Plain = dict[str, Any]
T = TypeVar("T")


def tally_json(tally: Tally) -> Plain:
    """A tally as plain data."""
    found: Plain = msgspec.to_builtins(tally, enc_hook=str, str_keys=True)
    return found


def read_tally(data: Plain) -> Tally:
    """The tally from the plain data of `tally_json`."""
    return dataclass_of(Tally, data)


def dataclass_of(kind: type[T], data: Plain) -> T:
    types = get_type_hints(kind)
    return kind(**{name: value_of(types[name], value) for name, value in data.items()})


def value_of(kind: Any, value: Any) -> Any:
    """A value of a field of this type."""
    if is_dataclass(kind) and isinstance(kind, type):
        return dataclass_of(kind, value)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Counter:
        return Counter(value)
    if origin is dict:
        return {inner[0](key): value_of(inner[1], one) for key, one in value.items()}
    if origin is list:
        return [value_of(inner[0], one) for one in value]
    return Fraction(value) if Fraction in inner and isinstance(value, str) else value
