"""States: how many groups of each slot are made, counted through, and which pairs of states come to which.

In: the limits of the slots. Out: index arrays for the kernels, and the states of the blocks of whole hands. Knows no
tiles.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import prod

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.kernels import NEVER, joined

MOST_STATES = 128
MOST_SPACES = 500

Chance = Callable[[int], int]  # a number from 0 to below another one
Limits = tuple[int, ...]
State = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """For every state the pairs that come to it, in layers: the pairs of a layer, one for each state, stand together.
    A state with fewer pairs than others has its first one again."""

    left: Array
    right: Array


@dataclass(frozen=True)
class Space:
    """The states up to some limits, the last number changing fastest: the state that fills up another one to the limits
    stands as far from the end as that from the beginning."""

    limits: Limits

    @cached_property
    def states(self) -> list[State]:
        return list(product(*(range(limit + 1) for limit in self.limits)))

    @cached_property
    def number(self) -> dict[State, int]:
        return {state: number for number, state in enumerate(self.states)}

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs for the kernels."""
        found = self.sums
        most = max(map(len, found))
        layers = [[pairs[at] if at < len(pairs) else pairs[0] for pairs in found] for at in range(most)]
        left, right = np.array(layers, np.int64).reshape(-1, 2).T
        return Pairs(np.ascontiguousarray(left), np.ascontiguousarray(right))

    @cached_property
    def sums(self) -> list[list[tuple[int, int]]]:
        """For each state, the pairs of states that come to it."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.states]
        for at, state in enumerate(self.states):
            for other, to in self.moves(state):
                found[to].append((at, other))
        return found

    def moves(self, step: State) -> list[tuple[int, int]]:
        """From each state to that with so many groups more in each slot."""
        if step not in self._moves:
            steps = [tuple([a + b for a, b in zip(state, step, strict=True)]) for state in self.states]
            self._moves[step] = [(at, self.number[to]) for at, to in enumerate(steps) if to in self.number]
        return self._moves[step]

    @cached_property
    def _moves(self) -> dict[State, list[tuple[int, int]]]:
        return {}

    @lru_cache(maxsize=MOST_SPACES)  # noqa: B019 - spaces are kept as long
    def inside(self, wide: "Space") -> Array:
        """The number that each state has in a wider space."""
        return np.array([wide.number[state] for state in self.states], np.int64)


@lru_cache(maxsize=MOST_SPACES)
def space_of(limits: Limits) -> Space:
    """The space of these limits, the same one for all that have them."""
    return Space(limits)


def too_many(limits: Limits) -> bool:
    """Whether there are more states than tables should have."""
    return prod(limit + 1 for limit in limits) > MOST_STATES


def size_of_tree(blocks: int) -> int:
    """The next power of two, but not one."""
    return max(2, 1 << (blocks - 1).bit_length())


def nothing(space: Space, blocks: int, lanes: int) -> Array:
    """Rows of blocks without tiles: (states, blocks, lanes)."""
    rows = np.full((len(space.states), blocks, lanes), NEVER, np.uint8)
    rows[0] = 0
    return rows


class WaysToSplit:
    """In which state each block is where a hand is one of the nearest whole ones. `rows`: (states, blocks); without
    blocks every tile is needed anyway."""

    def __init__(self, rows: Array, space: Space) -> None:
        self.space = space
        self.rows = rows.T.tolist()
        pairs, after = space.pairs, nothing(space, 1, 1)
        last = [after[:, 0, 0].tolist()]  # what the blocks behind each come to, the last one first
        self.after = last if self.rows else []
        for at in range(rows.shape[1] - 1, 0, -1):
            one = np.ascontiguousarray(rows[:, at]).reshape(-1, 1, 1)
            after = joined(after, one, pairs.left, pairs.right)
            self.after.append(after[:, 0, 0].tolist())

    def one(self, chance: Chance) -> Iterator[int]:
        """A state for each block."""
        state = len(self.space.states) - 1
        for row, after in zip(self.rows, reversed(self.after), strict=True):
            pairs = self.space.sums[state]
            missing = [row[one] + after[rest] for one, rest in pairs]
            least = min(missing)
            best = [pair for pair, number in zip(pairs, missing, strict=True) if number == least]
            one, state = best[chance(len(best))]
            yield one
