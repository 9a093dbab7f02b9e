"""Blocks: the part of a hand in one block in, its splits and what it fills out, as it is and with one more tile.

Most parts of hands cannot be used up, which the keys of a whole table say at once. Knows no other blocks and no melds.
"""

from collections.abc import Iterator
from functools import lru_cache

from tilewright.scoring.image.tables import BlockTable

Fills = frozenset[int]  # for each way to use a block up, how many parts are in each slot, SLOT bits each
MOST_KNOWN = 20_000  # answers that are kept
NOTHING: Fills = frozenset()


class BlockLookup:
    """What the tiles of one block may come to. `steps`: what one more of each tile adds to its part of a key."""

    def __init__(self, table: BlockTable) -> None:
        self.table, self.guard = table, table.keys.width - 1
        self.steps = [(tile, 1 << table.keys.width * at) for at, tile in enumerate(table.block.tiles)]
        self.ones = sum(step for _, step in self.steps)
        self.guards = self.ones << self.guard
        copies = zip(table.block.copies, self.steps, strict=True)
        self.room = sum(((1 << self.guard) - 1 - number) * step for number, (_, step) in copies)
        self.fills = lru_cache(MOST_KNOWN)(self.find_fills)
        self.gains = lru_cache(MOST_KNOWN)(self.find_gains)

    def find_fills(self, key: int) -> Fills:
        """What the block may fill."""
        return self.table.uses(key) if self.may_split(key) else NOTHING

    def may_split(self, key: int) -> bool:
        """Whether there may be a way to use the block up."""
        usable = self.usable
        return usable is None or key in usable or bool(self.beyond(key))

    def find_gains(self, key: int) -> tuple[tuple[int, Fills], ...]:
        """The tiles of which one more lets the block be used up, each with what it may fill then."""
        return tuple([(tile, fills) for tile, more in self.with_one_more(key) if (fills := self.table.uses(more))])

    def with_one_more(self, key: int) -> Iterator[tuple[int, int]]:
        """The tiles of which one more may let the block be used up, each with the key that it makes."""
        usable, beyond = self.usable, self.beyond(key + self.ones)
        for tile, step in self.steps:
            if usable is None or key + step in usable or beyond & step << self.guard:
                yield tile, key + step

    @property
    def usable(self) -> frozenset[int] | None:
        """Every key that can be used up, but those with a copy too many; None before the table is made."""
        return self.table.packed if self.table.is_whole else None

    def beyond(self, key: int) -> int:
        """The guards of the tiles of which a key has a copy too many, which tables do not know."""
        return key + self.room & self.guards

    def most(self, number: int) -> int:
        """How many copies of a tile the slots have room for, or fewer."""
        table = self.table
        taken = [[vector[number] for vector in vectors] for vectors in table.options]
        return sum(
            sum(one) if different else limit * max(one, default=0)
            for one, limit, different in zip(taken, table.limits, table.different, strict=True)
        )
