"""Making tables: every way to put parts into the slots of a block at once, as arrays. Knows no hands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tilewright.base.compute.arrays import Array, arrays_of

Vector = tuple[int, ...]  # how many of each tile of a block
MOST_SPLITS = 300_000  # of a table; larger ones are not made


@lru_cache(maxsize=64)
def table_of(
    copies: Vector, options: tuple[tuple[Vector, ...], ...], limits: tuple[int, ...], different: tuple[bool, ...]
) -> Mapping[str, Array]:
    """The table of all blocks that are alike, as `all_splits` makes it, from the disk if it is there."""
    key = ("splits", copies, options, limits, different)
    return arrays_of(key, lambda: all_splits(copies, options, limits, different))


@lru_cache(maxsize=64)
def packed(
    copies: Vector,
    options: tuple[tuple[Vector, ...], ...],
    limits: tuple[int, ...],
    different: tuple[bool, ...],
    width: int,
) -> frozenset[int]:
    """The counts of a table as parts of keys, with fields of this width."""
    rest = table_of(copies, options, limits, different)["keys"].copy()
    keys = np.zeros(len(rest), object)
    for at, count in enumerate(copies):
        keys += (rest % (count + 1)).astype(object) << width * at
        rest //= count + 1
    return frozenset(keys.tolist())


def all_splits(
    copies: Vector, options: Sequence[Sequence[Vector]], limits: Sequence[int], different: Sequence[bool]
) -> dict[str, Array]:
    """Every way to put parts into the slots: `keys` (sorted numbers of count vectors), for each the `first` of its
    rows; in each row how many parts are `used` in each slot, and the options `chosen` (-1 after the last). Nothing
    where they are too many."""
    depth = min(sum(limits), sum(copies))
    whole = Splits(
        np.zeros((1, len(copies)), np.int16), np.full((1, depth), -1, np.int16), np.zeros((1, len(limits)), np.uint8)
    )
    first = 0
    for slot, vectors in enumerate(options):
        layer, layers, last = whole, [whole], np.full(len(whole.counts), first - 1)
        for _ in range(min(limits[slot], depth) if vectors else 0):
            made = [
                layer.with_part(slot, number, np.array(vector, np.int16), copies, last <= number - different[slot])
                for number, vector in enumerate(vectors, first)
            ]
            last = np.repeat(np.arange(first, first + len(vectors)), [len(more.counts) for more in made])
            layer = Splits.all_of(made)
            layers.append(layer)
            if sum(len(one.counts) for one in layers) > MOST_SPLITS:
                return {}
        whole = Splits.all_of(layers)
        first += len(vectors)
    return whole.sorted(np.cumprod([1, *(count + 1 for count in copies[:-1])]))


@dataclass(frozen=True, slots=True)
class Splits:
    """Splits in the making, a row each: the counts of tiles, the options chosen, the parts in each slot."""

    counts: Array
    chosen: Array
    used: Array

    def with_part(self, slot: int, option: int, vector: Array, copies: Vector, which: Array) -> "Splits":
        """These of the splits with one part more, as far as there are enough tiles."""
        rows = np.flatnonzero(which & (self.counts + vector <= np.array(copies)).all(axis=1))
        chosen, used = self.chosen[rows], self.used[rows]
        chosen[np.arange(len(rows)), (chosen >= 0).sum(axis=1)] = option
        used[:, slot] += 1
        return Splits(self.counts[rows] + vector, chosen, used)

    @staticmethod
    def all_of(parts: "Sequence[Splits]") -> "Splits":
        """All of them together."""
        return Splits(
            np.concatenate([one.counts for one in parts]),
            np.concatenate([one.chosen for one in parts]),
            np.concatenate([one.used for one in parts]),
        )

    def sorted(self, radix: Array) -> dict[str, Array]:
        """The arrays of a table. `radix`: what one more of each tile adds to the number of a vector of counts."""
        numbers = self.counts.astype(np.int64) @ radix
        order = np.argsort(numbers, kind="stable")
        keys, first = np.unique(numbers[order], return_index=True)
        return {
            "keys": keys,
            "starts": np.append(first, len(numbers)).astype(np.int32),
            "used": self.used[order],
            "chosen": self.chosen[order],
        }
