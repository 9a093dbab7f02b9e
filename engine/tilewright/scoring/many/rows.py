"""Rows: whole numbers in columns in, the different rows and which of them each row is out. Exact, and fast for few
different rows."""

from collections.abc import Sequence

import numpy as np

from tilewright.base.compute.arrays import Array

MIXED = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio: spreads numbers evenly
SHIFT = np.uint64(29)


def different(columns: Sequence[Array]) -> tuple[Array, Array]:
    """The first row of each kind, and for every row the number of its kind. Columns are one-dimensional integers."""
    size = len(columns[0])
    if not size:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    mixed = np.zeros(size, np.uint64)
    for column in columns:
        mixed = (mixed ^ column.astype(np.uint64)) * MIXED
        mixed ^= mixed >> SHIFT
    _, first, kind = np.unique(mixed, return_index=True, return_inverse=True)
    if all(np.array_equal(column[first][kind], column) for column in columns):
        return first, kind
    together = np.stack([column.astype(np.int64) for column in columns], axis=1)  # two kinds were mixed into one number
    _, first, kind = np.unique(together, axis=0, return_index=True, return_inverse=True)
    return first, kind.reshape(-1)


def packed(bits: Array) -> list[Array]:
    """Truths, a row for each of many things, as columns of 64-bit words."""
    count, size = bits.shape
    padded = np.zeros((-(-max(count, 1) // 64) * 64, size), bool)
    padded[:count] = bits
    words = np.packbits(padded.reshape(-1, 64, size), axis=1, bitorder="little")
    return [np.ascontiguousarray(word.T).view(np.uint64).reshape(-1) for word in words]
