"""Tables of readings: counts of tiles in, every way to split them into parts out.

A hand is one number with a field for each tile, cut into blocks of tiles that share no group (suits, honours). For each
block and list of slots a table has every way to use the counts up; blocks that are alike share one. A table that would
be too large is searched key by key. Knows no melds, no winning tile and no pattern.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from operator import le, mul

from tilewright.hands.covers import TooManyReadings
from tilewright.hands.reading import Slot
from tilewright.scoring.image.cases import FormCase, GroupParts, options_of
from tilewright.scoring.image.making import SLOT, Splits, Vector, radix_of, splits_of
from tilewright.scoring.program.layout import Layout

BLOCK = 8  # single tiles are joined to blocks of at most so many
SEARCHED = 5_000  # steps of searches before a table is made or loaded, which takes about as long
MOST_KEYS = 1 << 40  # different counts of a block whose table is made
MOST_STEPS = 500_000  # of one search
MOST_KNOWN = 50_000  # keys whose splits are kept


@dataclass(frozen=True, slots=True)
class Block:
    """Tiles that share groups with each other alone. Their counts are a part of the key of a hand: `key >> at & mask`.
    `copies` of each there are."""

    tiles: tuple[int, ...]
    at: int
    mask: int
    copies: Vector


class Keys:
    """The keys of hands: a field for each plain tile, one bit wider than its copies need."""

    def __init__(self, groups: GroupParts, copies: Mapping[int, int], cases: Sequence[FormCase]) -> None:
        self.copies = copies
        self.width = max(copies.values(), default=1).bit_length() + 1
        self.one = (1 << self.width) - 1
        options = [part.held for case in cases for slot in case.slots for part in options_of(slot, groups)]
        in_use = {tile for tiles in options for tile in tiles}
        in_use |= {tile for case in cases for part in case.fixed for tile in part.held}
        own = sorted(tile for tile in in_use if copies.get(tile))
        at, self.blocks = 0, list[Block]()
        for tiles in joined(components(own, options)):
            size = self.width * len(tiles)
            self.blocks.append(Block(tiles, at, (1 << size) - 1, tuple(copies[tile] for tile in tiles)))
            at += size
        self.all = (1 << at) - 1
        self.place = {t: (n, at) for n, block in enumerate(self.blocks) for at, t in enumerate(block.tiles)}
        self.weight = {
            tile: 1 << block.at + self.width * at for block in self.blocks for at, tile in enumerate(block.tiles)
        }
        self.tile_of = {weight: tile for tile, weight in self.weight.items()}
        self.guards = sum(weight << self.width - 1 for weight in self.weight.values())

    def counts(self, block: Block, key: int) -> Vector:
        """How many of each tile of a block there are in its part of a key."""
        return tuple([key >> self.width * at & self.one for at in range(len(block.tiles))])

    def key(self, tiles: Mapping[int, int]) -> int | None:
        """The key of counted tiles; None where no table knows one of them."""
        if not tiles.keys() <= self.weight.keys():
            return None
        return sum(number * self.weight[tile] for tile, number in tiles.items())


def components(tiles: Sequence[int], groups: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The tiles, parted where no group crosses."""
    part_of = {tile: frozenset({tile}) for tile in tiles}
    for group in dict.fromkeys(groups):
        whole = frozenset[int]().union(*(part_of[tile] for tile in group if tile in part_of))
        part_of |= dict.fromkeys(whole, whole)
    return sorted(tuple(sorted(part)) for part in set(part_of.values()))


def joined(parts: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The parts, single tiles joined to blocks."""
    single = [part[0] for part in parts if len(part) == 1]
    several = [part for part in parts if len(part) > 1]
    return several + [tuple(single[at : at + BLOCK]) for at in range(0, len(single), BLOCK)]


class BlockTable:
    """The splits of one block for one list of slots, by the block's part of a key."""

    def __init__(self, keys: Keys, block: Block, slots: Sequence[Slot], groups: GroupParts, layout: Layout) -> None:
        self.keys, self.block, self.layout = keys, block, layout
        inside = [[part for part in options_of(slot, groups) if set(part.held) <= set(block.tiles)] for slot in slots]
        self.numbers = [layout.number(part) for parts in inside for part in parts]
        self.options = tuple(
            tuple(tuple(part.held.count(tile) for tile in block.tiles) for part in parts) for parts in inside
        )
        self.limits = tuple(slot.count for slot in slots)
        self.different = tuple(slot.different for slot in slots)
        self.fills: dict[int, frozenset[int]] = {}
        self.left = SEARCHED  # steps

    def __contains__(self, key: int) -> bool:
        """Whether there is a way to use the block's part of a key up."""
        return key in self.packed if self.is_whole else bool(self.uses(key))

    @property
    def is_whole(self) -> bool:
        """Whether to look keys up in the whole table."""
        return self.left < 0 and self.whole is not None

    @cached_property
    def whole(self) -> Splits | None:
        """The whole table; None where it would be too large."""
        if prod(count + 1 for count in self.block.copies) > MOST_KEYS:
            return None
        return splits_of(self.block.copies, self.options, self.limits, self.different)

    @cached_property
    def packed(self) -> frozenset[int]:
        """The parts of keys that can be used up, where the whole table is made."""
        assert self.whole is not None
        fields = [(count + 1, self.keys.width * at) for at, count in enumerate(self.block.copies)]
        found = set[int]()
        for rest in self.whole.keys:
            key = 0
            for size, at in fields:
                rest, count = divmod(rest, size)
                key |= count << at
            found.add(key)
        return frozenset(found)

    def uses(self, key: int) -> frozenset[int]:
        """What the ways to use the block's part of a key up fill: SLOT bits for each slot."""
        found = self.fills.get(key)
        if found is None:
            if len(self.fills) > MOST_KNOWN:
                self.fills.clear()
            counts = self.keys.counts(self.block, key)
            found = self.fills[key] = frozenset(self.looked_up(counts) if self.holds(counts) else self.searched(counts))
        return found

    def holds(self, counts: Vector) -> bool:
        """Whether to look these counts up: the table knows them (waits ask for a copy too many)."""
        return self.is_whole and all(map(le, counts, self.block.copies))

    @cached_property
    def radix(self) -> list[int]:
        """What one more of each tile adds to the number of a vector of counts."""
        return radix_of(self.block.copies)

    def looked_up(self, counts: Vector) -> Sequence[int]:
        """What each way to use counts up fills."""
        whole = self.whole
        assert whole is not None
        number = sum(map(mul, counts, self.radix))
        at = bisect_left(whole.keys, number)
        if at == len(whole.keys) or whole.keys[at] != number:
            return ()
        return whole.rows[whole.starts[at] * whole.width : whole.starts[at + 1] * whole.width : whole.width]

    def searched(self, counts: Vector) -> Iterator[int]:
        """The same, by taking the lowest tile into every part that starts with it. Raises TooManyReadings."""
        found: set[tuple[int, ...]] = set()
        if sum(counts) not in self.sizes:
            return
        starts, slot_of = self.by_lowest
        steps = MOST_STEPS

        def take(counts: list[int], lowest: int, first: int, taken: tuple[int, ...]) -> None:
            nonlocal steps
            steps -= 1
            if steps < 0:
                self.left = -1
                raise TooManyReadings
            at = next((at for at in range(lowest, len(counts)) if counts[at]), None)
            if at is None:
                found.add(tuple(sorted(taken)))
                return
            for number in range(first if at == lowest else 0, len(starts[at])):
                option, needs = starts[at][number]
                slot = slot_of[option]
                if sum(slot_of[other] == slot for other in taken) >= self.limits[slot]:
                    continue
                if any(counts[tile] < need for tile, need in needs) or (self.different[slot] and option in taken):
                    continue
                left = counts.copy()
                for tile, need in needs:
                    left[tile] -= need
                take(left, at, number, (*taken, option))

        take(list(counts), 0, 0, ())
        self.left -= MOST_STEPS - steps
        for chosen in sorted(found):
            yield sum([1 << SLOT * slot_of[option] for option in chosen])

    @cached_property
    def sizes(self) -> frozenset[int]:
        """How many tiles the slots may take from the block together."""
        found = frozenset({0})
        for options, limit in zip(self.options, self.limits, strict=True):
            for _ in range(min(limit, sum(self.block.copies))):
                found |= {size + sum(vector) for size in found for vector in options}
        return found

    @cached_property
    def by_lowest(self) -> tuple[list[list[tuple[int, tuple[tuple[int, int], ...]]]], list[int]]:
        """For each tile the options that start with it, with what they need; and the slot of each option."""
        starts: list[list[tuple[int, tuple[tuple[int, int], ...]]]] = [[] for _ in self.block.tiles]
        slot_of = [slot for slot, options in enumerate(self.options) for _ in options]
        for number, vector in enumerate(vector for options in self.options for vector in options):
            needs = tuple((tile, need) for tile, need in enumerate(vector) if need)
            starts[needs[0][0]].append((number, needs))
        return starts, slot_of
