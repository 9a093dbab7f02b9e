"""Kernels as plain Python, where none were compiled: what they are given; and numbers in memory, for those who have no
numpy.

An element of a numpy array is an object of numpy's, and slow; the same memory as a `memoryview` (`array.data`) has
Python's numbers. Knows no mahjong.
"""

from array import array
from collections.abc import Callable, Iterable
from functools import partial
from math import prod
from typing import Any, TypeVar

Result = TypeVar("Result")
Numbers = Any  # a memoryview, or an array of numpy: entries take either


def zeros(kind: str, *shape: int) -> Numbers:
    """Numbers of this kind ("q": 64 bits, "i": 32), all 0; each dimension has at least one."""
    size = memoryview(bytearray(8)).cast(kind).itemsize  # type: ignore[call-overload]
    return memoryview(bytearray(size * prod(shape))).cast(kind, shape)  # type: ignore[call-overload]


def listed(kind: str, numbers: Iterable[int], *shape: int) -> Numbers:
    """These numbers; in rows of this shape."""
    made: Numbers = memoryview(array(kind, numbers))
    return made.cast("B").cast(kind, shape) if shape else made


def flat(rows: Numbers) -> Numbers:
    """The same memory as one list."""
    return rows.cast("B").cast(rows.format)


def grown(rows: Numbers, times: int) -> Numbers:
    """So many times as many rows, the first of which are these."""
    more = zeros(rows.format, times * rows.shape[0], *rows.shape[1:])
    flat(more)[: prod(rows.shape)] = flat(rows)
    return more


class Rows:
    """Memory of several dimensions: `x[i, j]`, `x[i][j]`, rows `x[i]`, parts of a row `x[i, a:b]`."""

    __slots__ = ("cells", "shape", "whole")

    def __init__(self, cells: Numbers) -> None:
        self.cells, self.shape = cells, cells.shape
        self.whole = flat(cells) if 0 not in cells.shape else cells

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, at: Any) -> Any:
        if type(at) is not tuple:
            at = (at,)
        elif type(at[-1]) is int and len(at) == len(self.shape):
            return self.cells[at]
        *first, last = at if isinstance(at[-1], slice) else (*at, slice(None))
        start = 0
        for size, place in zip(self.shape, first, strict=False):
            start = start * size + place
        rest = self.shape[len(first) :]
        row = self.whole[start * prod(rest) : (start + 1) * prod(rest)]
        return row[last] if len(rest) == 1 else Rows(row.cast("B").cast(row.format, rest))

    def __setitem__(self, at: Any, value: Any) -> None:
        self.cells[at] = value


def viewed(given: Any) -> Any:
    """An argument as plain kernels take it."""
    if isinstance(given, tuple) and hasattr(given, "_make"):
        return given._make(map(viewed, given))
    if not getattr(given, "ndim", 0):
        return given
    cells = given if isinstance(given, memoryview) else given.data
    return cells if cells.ndim == 1 else Rows(cells)


def on_views(kernel: Callable[..., Result], *first: Any) -> Callable[..., Result]:
    """The kernel with its first arguments given."""
    bound = partial(kernel, *map(viewed, first))
    return lambda *rest: bound(*map(viewed, rest))
