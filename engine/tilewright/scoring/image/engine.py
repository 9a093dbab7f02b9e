"""The tables and the program of a ruleset, from which its image is made; and which tiles complete a hand, by tables.

Tables give every reading as a sum of counters, the program says which patterns hold. A hand is looked up block by
block: its splits and what they fill out, as it is and with one more tile; most parts of hands cannot be used up, which
the keys of a whole table say at once. Wild tiles that fill gaps alone, ranks without a tile of their own, are tiles of
tables of their own, whose parts say what stands for what. Knows no hands that won.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from tilewright.hands.reading import Hand, Meld, Pair, Part
from tilewright.language.compiled.ir import (
    HasGroups,
    Ir,
    Lookup,
    Matches,
    PickedMembers,
    Term,
    Test,
    WordCall,
    nodes,
    zones_in,
)
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.image.tables import (
    SLOT,
    Block,
    BlockTable,
    FormCase,
    GroupParts,
    Keys,
    cases_of,
    filled_parts,
    is_tabled,
    natural_parts,
    unplaced,
)
from tilewright.scoring.plain.judge import PlainJudge
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.program.conditions import BY_TABLE, HAND_ZONES, FormIs, TileBit, expressions
from tilewright.scoring.program.layout import Layout
from tilewright.scoring.program.measures import asks_seats
from tilewright.scoring.program.program import Program

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


# What decides words that need no reading: what they ask is in the tiles of the hand.


# --- of a ruleset

BY_HAND: frozenset[ToldBy] = BY_TABLE | {"hand"}


class Engine:
    """The tables of a ruleset. `tables`: of hands without wild tiles, `lookups` the cases of each form in them,
    `weights` what each face adds to the key of a hand; `searched`: the other forms; `unplaced`: melds that tables do
    not know; `filled`: what each group is with wild tiles, where tables know these."""

    def __init__(self, plain: PlainJudge) -> None:
        self.plain, self.data = plain, plain.data
        forms = self.data.forms
        self.filled, natural = filled_parts(self.data, plain.reader.wild), natural_parts(self.data)
        self.cases = [c for n, form in enumerate(forms) if is_tabled(form) for c in cases_of(self.data, n, natural)]
        self.searched = frozenset(n for n, form in enumerate(forms) if not is_tabled(form))
        most = max((case.most for case in self.cases), default=1)
        self.layout = Layout(self.data.groups, max(most, self.most_tiles) if self.searched else most)
        self.copies = {tile: number for tile, number in plain.reader.wild.copies.items() if number}
        self.tables = FormTables(self.data, self.layout, natural, self.copies, self.wild_tiles)
        self.keys, self.lookups, self.weights = self.tables.keys, self.tables.lookups, self.tables.weights
        self.unplaced = unplaced(self.cases)
        self.fits = bool(self.cases) and not any(form.shape.listed for form in forms)
        self.plain_tiles = [tile.plain for tile in self.data.tiles.tiles]
        self.facts: dict[int, int] = {}

    # --- what tables know

    @property
    def most_tiles(self) -> int:
        """How many parts a reading that is searched for may have: as many as a hand has tiles."""
        return max(
            (sum(slot.count for slot in case) for form in self.data.forms for case in form.shape.cases), default=1
        )

    @cached_property
    def wild_tiles(self) -> frozenset[int]:
        """The plain tiles that may stand for others."""
        return frozenset(tile for wild in self.data.tiles.wild for tile in wild.tiles.tiles)

    @cached_property
    def with_wild(self) -> FormTables | None:
        """The tables of hands with wild tiles, where these are known."""
        if self.filled is None:
            return None
        return FormTables(self.data, self.layout, self.filled, self.copies, frozenset())

    # --- the program

    @cached_property
    def program(self) -> Program:
        """The program, over the counters of the parts of tables."""
        return Program(self.data, self.layout)

    @property
    def questions(self) -> list[Ir]:
        """What the program asks of hands."""
        return list(self.program.conditions.questions)

    @property
    def form_bits(self) -> list[int]:
        """The fact that each form is."""
        bits = self.program.bits
        return [1 << bits[FormIs(form.id)] if FormIs(form.id) in bits else 0 for form in self.data.forms]

    @property
    def asks_others(self) -> bool:
        """Whether patterns ask for seats that did not win."""
        return any(asks_seats(ir) for pattern in self.data.patterns for ir in expressions(pattern))

    @property
    def zones_of_terms(self) -> frozenset[str]:
        """The zones that terms of the table ask for, which a hand has not."""
        asked = self.program.conditions.of_table
        terms = [node for ir in asked for node in nodes(ir) if isinstance(node, Term)]
        return frozenset(zone for term in terms for zone in set(zones_in(term.body)) - HAND_ZONES)

    @cached_property
    def literals(self) -> list[tuple[TileBit, int]]:
        """The facts that tiles decide, each with its bit."""
        return [(literal, 1 << bit) for literal, bit in self.program.bits.items() if isinstance(literal, TileBit)]

    @cached_property
    def tile_bits(self) -> list[int]:
        """The facts that each face decides."""
        return [
            sum(bit for literal, bit in self.literals if literal.holds((tile.plain,))) for tile in self.data.tiles.tiles
        ]

    def part_facts(self, number: int) -> int:
        """The facts that the tiles of a part decide, wild ones by what they stand for, too."""
        known = self.facts.get(number)
        if known is None:
            known = 0
            for identities in self.layout.parts[number].part.identities:
                for literal, bit in self.literals:
                    known |= bit if literal.holds(identities) else 0
            self.facts[number] = known
        return known

    # --- parts

    def completed(self, part: int, win: int, exposed: bool) -> int | None:
        """The number of a part that this tile completed; None where the tile is not in it."""
        before = self.layout.parts[part].part
        if win not in before.held:
            return None
        wait = self.plain.reader.wait(before.group, dict(before.wild).get(win, win))
        return self.layout.number(Part(before.group, before.tiles, exposed, False, True, before.wild), wait)

    def meld_number(self, group: int, exposed: bool) -> int:
        """The number of a meld's part."""
        tiles = self.data.groups.groups[group].tiles
        return self.layout.number(Part(group, tiles, exposed, True, wild=self.wild_in(group)))

    def is_beyond(self, hand: Hand) -> bool:
        """Whether tables do not know one of the melds."""
        return any(
            (meld.group, meld.exposed) in self.unplaced or (meld.wild and self.is_odd(meld)) for meld in hand.melds
        )

    def is_odd(self, meld: Meld) -> bool:
        """Whether tables do not know what stands for what in a meld."""
        return tuple(sorted(meld.wild)) != self.wild_in(meld.group)

    def wild_in(self, group: int) -> tuple[Pair, ...]:
        """What stands for what in a group, where tables know that."""
        part = None if self.filled is None else self.filled[group]
        return () if part is None else part.wild

    # --- waits

    def waits(self, situation: Situation) -> tuple[int, ...]:
        """The tiles that complete the hand without its winning tile to a form."""
        hand = situation.hand
        key = sum([self.weights[tile] for tile in hand.tiles])
        if not self.tells_waits or key > self.keys.all or self.is_beyond(hand):
            return self.plain.waits(situation)
        melds = [(meld.group, meld.exposed) for meld in hand.melds]
        found = {t for lookups in self.lookups for lookup in lookups for t in lookup.completing(key, melds)}
        if self.data.scoring.waits != "all":
            found -= self.held_up(hand)
        if self.searched:
            found |= set(self.rest.waits(situation))
        return tuple([tile for tile in self.data.tiles.order if tile in found])

    @cached_property
    def tells_waits(self) -> bool:
        """Whether tables tell which tiles complete a hand: there are no wild tiles, and no forms with conditions."""
        return self.fits and not self.data.tiles.wild and all(form.when is None for form in self.data.forms)

    @cached_property
    def rest(self) -> PlainJudge:
        """The plain judge of the forms that are searched for."""
        return PlainJudge(replace(self.data, forms=tuple(self.data.forms[number] for number in sorted(self.searched))))

    def held_up(self, hand: Hand) -> set[int]:
        """The tiles that a hand holds all copies of."""
        held: dict[int, int] = {}
        for tile in (*hand.tiles, *(tile for meld in hand.melds for tile in meld.tiles)):
            held[self.plain_tiles[tile]] = held.get(self.plain_tiles[tile], 0) + 1
        return {tile for tile, number in held.items() if number >= self.plain.reader.wild.copies[tile]}


def asks_reading(ir: Ir) -> bool:
    """Whether its answer may differ between the readings of a hand."""
    return any(
        isinstance(node, HasGroups | Test | Matches | PickedMembers)
        or (isinstance(node, WordCall) and not is_told_by(node.name, BY_HAND))
        or (isinstance(node, Lookup) and node.kind in ("word", "measure") and not is_told_by(node.name, BY_HAND))
        for node in nodes(ir)
    )
