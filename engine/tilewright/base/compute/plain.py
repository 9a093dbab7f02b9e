"""Kernels as plain Python, where none were compiled: what they are given.

An element of a numpy array is an object of numpy's, and slow; the same memory as a `memoryview` (`array.data`) has
Python's numbers. Knows no mahjong.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np

from tilewright.base.compute.arrays import Array

Result = TypeVar("Result")


class Rows:
    """An array of several dimensions: `x[i, j]`, `x[i][j]`, rows `x[i]`, parts of a row `x[i, a:b]`."""

    __slots__ = ("array", "cells", "shape")

    def __init__(self, array: Array) -> None:
        self.array, self.cells, self.shape = array, array.data, array.shape

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, at: Any) -> Any:
        if type(at) is tuple and type(at[-1]) is int and len(at) == len(self.shape):
            return self.cells[at]
        return viewed(self.array[at])

    def __setitem__(self, at: Any, value: Any) -> None:
        self.cells[at] = value


def viewed(given: Any) -> Any:
    """An argument as plain kernels take it."""
    if isinstance(given, np.ndarray):
        return given.data if given.ndim == 1 else Rows(given)
    if isinstance(given, tuple) and hasattr(given, "_make"):
        return given._make(map(viewed, given))
    return given


def on_views(kernel: Callable[..., Result], *first: Any) -> Callable[..., Result]:
    """The kernel with its first arguments given."""
    bound = partial(kernel, *map(viewed, first))
    return lambda *rest: bound(*map(viewed, rest))
