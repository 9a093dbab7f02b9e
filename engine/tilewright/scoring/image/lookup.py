"""Looking readings up: the key of a hand in, every way to use its tiles up in one case of a form out.

Fixed tiles are taken away first; the rest is looked up block by block. Knows no winning tile and no pattern.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tilewright.scoring.image.cases import FormCase
from tilewright.scoring.image.tables import SLOT, Block, BlockTable, Keys
from tilewright.scoring.program.layout import Layout

MOST_KNOWN = 20_000  # entries of a memory before it is emptied
Lying = Sequence[tuple[int, bool]]  # melds: group, and whether it is exposed
FULL = (1 << SLOT) - 1


class Memory(dict[Any, Any]):
    """Values by what decides them; all are dropped when there are more than `most`."""

    def __init__(self, most: int = MOST_KNOWN) -> None:
        super().__init__()
        self.most = most

    def keep(self, key: Any, value: Any) -> Any:
        """The value, kept."""
        if len(self) > self.most:
            self.clear()
        self[key] = value
        return value


class CaseLookup:
    """The readings of one case of a form. `possible`: there are enough tiles for the fixed parts; `key`: those tiles;
    `fixed`: the numbers of the fixed parts, `counters` theirs; `target`: what all slots hold together."""

    def __init__(self, case: FormCase, keys: Keys, tables: Sequence[BlockTable], layout: Layout) -> None:
        self.case, self.keys, self.tables = case, keys, tables
        fixed = case.fixed_tiles
        key = keys.key(fixed)
        self.possible = key is not None and all(n <= keys.copies[tile] for tile, n in fixed.items())
        self.key = key or 0
        self.fixed = tuple(layout.number(part) for part in case.fixed)
        self.counters = sum(map(layout.row, self.fixed))
        self.target = sum(slot.count << SLOT * number for number, slot in enumerate(case.slots))
        self.blocks = [(table.block.at, table.block.mask, table) for table in tables]

    def left(self, key: int) -> int | None:
        """The key without the fixed tiles; None where the hand lacks one of them."""
        if not self.key:
            return key
        guards = self.keys.guards
        rest = (key | guards) - self.key
        return rest ^ guards if rest & guards == guards else None

    def left_in(self, block: Block, counts: int) -> int | None:
        """The same for the counts of one block."""
        guards, fixed = (bits >> block.at & block.mask for bits in (self.keys.guards, self.key))
        rest = (counts | guards) - fixed
        return rest ^ guards if rest & guards == guards else None

    def targets(self, melds: Lying) -> frozenset[int]:
        """What the tiles of the hand have to fill, for each way to place its melds."""
        found = frozenset({self.target})
        for group, exposed in melds:
            if exposed and self.case.concealed:
                return frozenset()
            slots = [n for n, slot in enumerate(self.case.slots) if group in slot.groups or group in slot.meld_groups]
            found = frozenset(
                target - (1 << SLOT * slot) for target in found for slot in slots if target >> SLOT * slot & FULL
            )
        return found

    # --- readings

    def splits(self, key: int, melds: Lying) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Every way to use the hand up: the counters of its parts but melds, and their numbers."""
        rest = self.left(key)
        if rest is None or not self.possible:
            return
        targets = self.targets(melds) if melds else (self.target,)
        found: list[tuple[int, int, tuple[int, ...]]] = [(0, self.counters, self.fixed)]
        for at, mask, table in self.blocks:
            part = rest >> at & mask
            if not part:
                continue
            rows = table.known.get(part)
            if rows is None:
                rows = table[part]
            if not rows:
                return
            if len(rows) == 1:
                used, counters, parts = rows[0]
                found = [(u + used, c + counters, p + parts) for u, c, p in found]
            else:
                found = [(u + used, c + counters, p + parts) for u, c, p in found for used, counters, parts in rows]
        for used, counters, parts in found:
            if used in targets:
                yield counters, parts

    # --- waits

    def completing(self, key: int, melds: Lying) -> set[int]:
        """The tiles that make the hand this case. A block that cannot be used up without one more tile has to get
        it."""
        if not self.possible or not (targets := self.targets(melds)):
            return set()
        rest = self.left(key)
        if rest is None:
            return self.completing_fixed(key, targets)
        uses = [self.used(number, rest) for number in range(len(self.blocks))]
        stuck = [number for number, one in enumerate(uses) if not one]
        found = set()
        for number in stuck or range(len(uses)) if len(stuck) < 2 else ():
            others = together([one for at, one in enumerate(uses) if at != number])
            wanted = {target - other for target in targets for other in others}
            for tile in self.blocks[number][2].block.tiles:
                if not wanted.isdisjoint(self.used(number, rest + self.keys.weight[tile])):
                    found.add(tile)
        return found

    def completing_fixed(self, key: int, targets: frozenset[int]) -> set[int]:
        """The same for a hand that lacks fixed tiles: it may lack one."""
        guards = self.keys.guards
        lacking = guards & ~((key | guards) - self.key)
        if lacking & lacking - 1:
            return set()  # of two tiles or more
        weight = lacking >> self.keys.width - 1
        if (rest := self.left(key + weight)) is None:
            return set()  # of one tile several
        uses = together([self.used(number, rest) for number in range(len(self.blocks))])
        return set() if uses.isdisjoint(targets) else {self.keys.tile_of[weight]}

    def used(self, number: int, key: int) -> frozenset[int]:
        """What a block of a hand may fill."""
        at, mask, table = self.blocks[number]
        return table.uses(key >> at & mask)


def together(uses: Sequence[frozenset[int]]) -> frozenset[int]:
    """What several blocks may fill together."""
    found = frozenset({0})
    for one in uses:
        found = frozenset(a + b for a in found for b in one)
    return found
