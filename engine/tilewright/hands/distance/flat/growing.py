"""Lists of numbers that grow, for kernels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tilewright.base.compute.arrays import Array


class NotFlat(Exception):
    """A way to win that is not known by tables, or too large for the kernels."""


@dataclass
class GrowingArray:
    """An array that is added to; what it has keeps its place."""

    values: Array
    size: int = 0

    def add(self, more: Sequence[int] | Array) -> int:
        """Add values. Where they begin."""
        start, self.size = self.size, self.size + len(more)
        if self.size > len(self.values):
            self.values = np.concatenate([self.values[:start], np.zeros(self.size + start, self.values.dtype)])
        self.values[start : self.size] = more
        return start


def growing(kind: type[np.generic], size: int) -> GrowingArray:
    return GrowingArray(np.zeros(size, kind))
