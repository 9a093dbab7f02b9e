"""Memory: what was made once, by its key, and kept for the next time. Knows no mahjong."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

MOST_KEPT = 30_000
Key = TypeVar("Key")
Value = TypeVar("Value")


def kept(known: dict[Key, Value], key: Key, value: Value, most: int | None = None) -> Value:
    """The value, kept for the next time; before there are too many, all are dropped."""
    if len(known) >= (MOST_KEPT if most is None else most):
        known.clear()
    known[key] = value
    return value


class Remembered(dict[Key, Value]):
    """By key what `make` makes of it, which is kept; `known`: what need not be made."""

    def __init__(self, make: Callable[[Key], Value], known: Mapping[Key, Value] = MappingProxyType({})) -> None:
        super().__init__(known)
        self.make = make

    def __missing__(self, key: Key) -> Value:
        return kept(self, key, self.make(key))
