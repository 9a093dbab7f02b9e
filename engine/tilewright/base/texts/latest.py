"""Remembering what was made of the latest texts of each document, and no others: in an editor, texts come by the
thousand."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any, Generic, TypeVar

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


def latest(named: Callable[[Any], Hashable], most: int) -> "Remembered":
    """Remember the results of a function for the latest texts of each name."""
    return Remembered(named, most)


@dataclass(frozen=True, slots=True)
class Remembered:
    """The decorator."""

    named: Callable[[Any], Hashable]
    most: int

    def __call__(self, make: Callable[[V], R]) -> Latest[V, R]:
        return Latest(make, self.named, self.most)
