"""Memory: what was made once, by its key, and kept for the next time.

In an editor texts come by the thousand: `latest` keeps what was made of the latest ones of each document alone. Knows
no mahjong.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import update_wrapper
from operator import is_
from types import MappingProxyType
from typing import Any, Generic, TypeVar

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


# --- of the latest texts


TEXTS = 3  # of one document: as on disk, as edited, as edited before
V = TypeVar("V", bound=Hashable)
R = TypeVar("R")


class Latest(Generic[V, R]):
    """A function of a text, with its results for the latest texts of each name. `named`: the name of an argument;
    `most`: how many names are remembered."""

    def __init__(self, make: Callable[[V], R], named: Callable[[Any], Hashable], most: int) -> None:
        self.make, self.named, self.most = make, named, most
        self.kept: OrderedDict[Hashable, OrderedDict[V, R]] = OrderedDict()
        update_wrapper(self, make)

    def __call__(self, text: V) -> R:
        of_name = self.kept.setdefault(self.named(text), OrderedDict())
        if text in of_name:
            return of_name[text]
        made = of_name[text] = self.make(text)
        while len(of_name) > TEXTS:
            of_name.popitem(last=False)
        while len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return made

    def cache_clear(self) -> None:
        """Forget everything."""
        self.kept.clear()


def latest(named: Callable[[Any], Hashable], most: int) -> Callable[[Callable[[V], R]], Latest[V, R]]:
    """Remember the results of a function for the latest texts of each name."""
    return lambda make: Latest(make, named, most)


class TheSame(tuple[Any, ...]):
    """Some objects, the same as others only if each is the very same: texts that have not changed are parsed once."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(tuple(map(id, self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TheSame) and len(self) == len(other) and all(map(is_, self, other))
