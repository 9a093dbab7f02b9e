"""Looking hands up: the key of a hand in, the tiles that would complete it to one case of a form out.

Fixed tiles are taken away first; the rest is looked up block by block: its splits and what they fill out, as it is and
with one more tile. Most parts of hands cannot be used up, which the keys of a whole table say at once. Knows no winning
tile and no pattern.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.image.cases import FormCase, GroupParts, cases_of, is_tabled
from tilewright.scoring.image.making import SLOT
from tilewright.scoring.image.tables import Block, BlockTable, Keys
from tilewright.scoring.program.layout import Layout

Lying = Sequence[tuple[int, bool]]  # melds: group, and whether it is exposed
FULL = (1 << SLOT) - 1
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


class CaseLookup:
    """The readings of one case of a form. `possible`: there are enough tiles for the fixed parts; `key`: those tiles;
    `fixed`: the numbers of the fixed parts; `target`: what all slots hold together."""

    def __init__(self, case: FormCase, keys: Keys, tables: Sequence[BlockTable], layout: Layout) -> None:
        self.case, self.keys, self.tables = case, keys, tables
        fixed = case.fixed_tiles
        key = keys.key(fixed)
        self.possible = key is not None and all(n <= keys.copies[tile] for tile, n in fixed.items())
        self.key = key or 0
        self.fixed = tuple(layout.number(part) for part in case.fixed)
        self.target = sum(slot.count << SLOT * number for number, slot in enumerate(case.slots))

    @cached_property
    def blocks(self) -> list[tuple[int, int, BlockLookup]]:
        """The blocks, each with its part of a key: `key >> at & mask`."""
        return [(table.block.at, table.block.mask, BlockLookup(table)) for table in self.tables]

    @cached_property
    def most(self) -> dict[int, int]:
        """How many copies of each tile the slots have room for, or fewer."""
        return {tile: block.most(at) for _, _, block in self.blocks for at, (tile, _) in enumerate(block.steps)}

    @cached_property
    def room(self) -> int:
        """What sets the guard of each tile that a hand has more copies of than the slots have room for."""
        full = (1 << self.keys.width - 1) - 1
        return sum((full - min(full, most)) * self.keys.weight[tile] for tile, most in self.most.items())

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

    # --- waits

    def completing(self, key: int, melds: Lying) -> set[int]:
        """The tiles that make the hand this case. A block that cannot be used up without one more tile has to get
        it."""
        lacking = self.lacking(key)
        if lacking & lacking - 1 or not self.possible:
            return set()  # two fixed tiles or more are missing
        if lacking:
            return self.completing_fixed(key, melds)
        rest = key - self.key
        if rest + self.room & self.keys.guards:
            return set()  # more of a tile than the case can use
        uses, stuck = list[Fills](), list[int]()
        for number, (at, mask, block) in enumerate(self.blocks):
            uses.append(block.fills(rest >> at & mask))
            if not uses[-1]:
                stuck.append(number)
                if len(stuck) > 1:
                    return set()
        targets, found = self.targets(melds), set[int]()
        for number in stuck or range(len(uses)):
            others = together([one for at, one in enumerate(uses) if at != number])
            wanted = {target - other for target in targets for other in others}
            at, mask, block = self.blocks[number]
            found.update([tile for tile, fills in block.gains(rest >> at & mask) if not wanted.isdisjoint(fills)])
        return found

    def lacking(self, key: int) -> int:
        """The guards of the fixed tiles that the hand has too few of."""
        guards = self.keys.guards
        return guards & ~((key | guards) - self.key) if self.key else 0

    def completing_fixed(self, key: int, melds: Lying) -> set[int]:
        """The same for a hand that lacks copies of one fixed tile: it may lack one copy."""
        weight = self.lacking(key) >> self.keys.width - 1
        if (rest := self.left(key + weight)) is None:
            return set()
        uses = together([block.fills(rest >> at & mask) for at, mask, block in self.blocks])
        return set() if uses.isdisjoint(self.targets(melds)) else {self.keys.tile_of[weight]}


class FormTables:
    """The tables of all forms that are tabled, of these parts. `lookups`: the cases of each form; `weights`: what each
    face adds to the key of a hand, one that no table knows beyond all others."""

    def __init__(
        self,
        data: CompiledRuleset,
        layout: Layout,
        groups: GroupParts,
        copies: Mapping[int, int],
        barred: frozenset[int],
    ) -> None:
        self.groups, forms = groups, data.forms
        self.has_wild = any(part is not None and part.wild for part in groups)
        self.cases = [case for n, form in enumerate(forms) if is_tabled(form) for case in cases_of(data, n, groups)]
        self.keys = Keys(groups, copies, self.cases)
        tables: dict[Any, list[BlockTable]] = {}
        self.lookups: list[list[CaseLookup]] = [[] for _ in forms]
        for case in self.cases:
            if case.slots not in tables:
                tables[case.slots] = [
                    BlockTable(self.keys, block, case.slots, groups, layout) for block in self.keys.blocks
                ]
            self.lookups[case.form].append(CaseLookup(case, self.keys, tables[case.slots], layout))
        beyond = self.keys.all + 1
        self.weights = [
            beyond if tile.plain in barred or not tile.copies else self.keys.weight.get(tile.plain, beyond)
            for tile in data.tiles.tiles
        ]


def together(uses: Sequence[Fills]) -> Fills:
    """What several blocks may fill together."""
    found = frozenset({0})
    for one in uses:
        found = frozenset(a + b for a in found for b in one)
    return found
