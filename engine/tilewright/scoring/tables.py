"""Tables of hands: the tiles of a hand in, every reading of it in simple forms out, as sums of counted features.

A hand is cut into blocks of tiles that share no group (suits, honours). For each block a table knows, by the number
of each of its tiles, every way to split them into groups, and the places of the winning tile. Filled as hands are
asked for. Simple forms are those whose slots are groups, without letters and conditions; knows no patterns.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, TypeVar

from tilewright.hands.reading import Meld, Part
from tilewright.hands.readings import ReadingSearch
from tilewright.hands.shape import Slot
from tilewright.hands.splits import Split as SplitOfComponent
from tilewright.hands.splits import Splits
from tilewright.language.compiled.ruleset import CompiledRuleset, Form
from tilewright.scoring.features import MOST, Layout

COUNT = 4  # bits that count a tile in a key
SLOT = 8  # bits that count the groups of a slot
ONE = (1 << COUNT) - 1  # one count
FLAG = 8  # bits that count blocks and melds with no split, or with several
MOST_KNOWN = 4_000  # entries of a table before it is emptied
BLOCK = 8  # single tiles are joined to blocks of at most so many
Key = TypeVar("Key")
Value = TypeVar("Value")

# A way to split a block: its sum, its groups, and which of them the winning tile stands in with what was waited for.
Split = tuple[int, tuple[int, ...], int | None, str | None]
Way = tuple[int, tuple[int, ...]]  # the sum and the groups of a split without a winning tile
Sums = tuple[tuple[int, ...], ...]  # for each form, the sums of its splits
# An entry, flat as it is looked up more than anything else: the bits of its tiles; the slots that its lone splits fill
# in each form, with flags (`Tables.shape`); at SUMS all sums; at SPLITS the groups behind each (none of a meld); from
# LONE on, for each form the sum of its only split, else 0.
Entry = tuple[Any, ...]
MeldEntry = tuple[Any, ...]
SUMS, SPLITS, LONE = 2, 3, 4


class LookupTable(dict[Key, Value]):
    """Values computed once for each key, and dropped when there are too many."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self.make = make

    def __missing__(self, key: Key) -> Value:
        if len(self) > MOST_KNOWN:
            self.clear()
        value = self[key] = self.make(key)
        return value


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Tiles whose counts are a part of the key of a hand: `key >> at & mask`. `components`: for each form, the
    components of its splits that lie in the block."""

    tiles: tuple[int, ...]
    at: int
    mask: int
    components: tuple[tuple[int, ...], ...]


def is_simple(form: Form) -> bool:
    """Whether its readings are sums over blocks: one list of slots of groups, and no other conditions."""
    shape = form.shape
    return (
        len(shape.cases) == 1
        and shape.pick is None
        and not shape.melds
        and form.when is None
        and form.matches is None
        and form.card is None
        and sum(slot.count for slot in shape.cases[0]) < MOST
        and all(is_simple_slot(slot) for slot in shape.cases[0])
    )


def is_simple_slot(slot: Slot) -> bool:
    return bool(slot.groups) and not slot.tiles and not slot.each and slot.exposed is None


def apart_in(forms: Sequence[Form]) -> frozenset[int]:
    """The groups that must be different in some slot of these forms: tables do not know them as melds."""
    slots = [slot for form in forms for case in form.shape.cases for slot in case]
    return frozenset().union(*(slot.groups | slot.meld_groups for slot in slots if slot.different))


class LookupTables:
    """The tables of the simple forms of a ruleset."""

    def __init__(
        self,
        data: CompiledRuleset,
        reader: ReadingSearch,
        layout: Layout,
        forms: Sequence[Form],
        needed: Sequence[frozenset[int]],
    ) -> None:
        self.needed = needed
        self.data, self.reader, self.layout, self.forms = data, reader, layout, tuple(forms)
        self.slots = [form.shape.cases[0] for form in forms]
        self.splits = [Splits(data.tiles, data.groups, slots) for slots in self.slots]
        self.targets = [sum(slot.count << SLOT * number for number, slot in enumerate(slots)) for slots in self.slots]
        self.used = (1 << layout.base) - 1
        self.several, self.none = 1 << layout.base, 1 << layout.base + FLAG
        self.width = layout.base + 2 * FLAG
        self.in_use = {
            tile
            for form in data.forms
            for case in form.shape.cases
            for slot in case
            for tile in (*slot.tiles, *(tile for group in slot.groups for tile in data.groups.groups[group].tiles))
        }
        self.blocks = tuple(self.lay_out())
        self.all = (1 << sum(COUNT * len(block.tiles) for block in self.blocks)) - 1
        self.weights, self.place_of = self.weigh()
        self.holding = self.holders()
        self.gains = LookupTable(self.completed)
        self.marks = [[self.mark(tile) for tile in block.tiles] for block in self.blocks]
        self.ways = [
            [LookupTable(partial(self.ways_of, form, block)) for form in range(len(self.forms))]
            for block in self.blocks
        ]
        self.without_win = tuple(
            (block.at, block.mask, LookupTable(partial(self.made, block, None, False))) for block in self.blocks
        )
        self.with_win = {
            (tile, exposed): self.tables_for(tile, exposed) for tile in self.place_of for exposed in (False, True)
        }
        self.melds = LookupTable(self.meld)
        self.singles = [Part(-1, (tile,)) for block in self.blocks for tile in block.tiles]

    # --- blocks

    def lay_out(self) -> Iterator[TableBlock]:
        """The blocks: components of all forms together, small ones joined."""
        at = 0
        parts = components([splits.components for splits in self.splits])
        for tiles in joined([part for part in parts if not self.in_use.isdisjoint(part)]):
            inside = tuple(
                tuple(number for number, component in enumerate(splits.components) if component[0] in tiles)
                for splits in self.splits
            )
            size = COUNT * len(tiles)
            yield TableBlock(tiles, at, (1 << size) - 1, inside)
            at += size

    def weigh(self) -> tuple[tuple[int, ...], dict[int, tuple[int, int]]]:
        """What each face adds to a key (beyond every block for wild tiles, which tables do not know), and the block
        and place of each plain tile."""
        place = {
            tile: (number, index) for number, block in enumerate(self.blocks) for index, tile in enumerate(block.tiles)
        }
        wild = {tile for wild in self.data.tiles.wild for tile in wild.tiles.tiles}
        beyond = self.all + 1
        weights = []
        for tile in self.data.tiles.tiles:
            at = place.get(tile.plain)
            weights.append(
                beyond
                if at is None or tile.plain in wild or tile.copies == 0
                else 1 << self.blocks[at[0]].at + COUNT * at[1]
            )
        return tuple(weights), place

    # --- entries

    def tables_for(self, win: int, exposed: bool) -> tuple[tuple[int, int, "LookupTable[int, Entry]"], ...]:
        """The place of each block in a key, and its table, where this is the winning tile; the group that it stands
        in is exposed or not."""
        number, _ = self.place_of[win]
        own = LookupTable(partial(self.made, self.blocks[number], win, exposed))
        return tuple(
            (at, mask, own if index == number else table) for index, (at, mask, table) in enumerate(self.without_win)
        )

    def made(self, block: TableBlock, win: int | None, exposed: bool, key: int) -> Entry:
        """What the block holds with these counts."""
        number = self.blocks.index(block) if win is None else self.place_of[win][0]
        bits, rest = 0, key
        for held, lacking in self.marks[number]:
            bits |= held if rest & ONE else lacking
            rest >>= COUNT
        splits = tuple(self.placed(table[key], win, exposed) for table in self.ways[number])
        sums = tuple(tuple([split[0] for split in row]) for row in splits)
        return bits, self.shape(sums), sums, splits, *lone(sums)

    def mark(self, tile: int) -> tuple[int, int]:
        """The bits of a tile where the block holds it, and those where it does not."""
        lacking = [number for number, needed in enumerate(self.needed) if tile in needed]
        return self.layout.tile_bits((tile,)), sum(1 << self.layout.lacks + number for number in lacking)

    def holders(self) -> dict[int, frozenset[int]]:
        """Tile -> the groups that hold it."""
        groups = self.data.groups.groups
        return {tile: frozenset(g.index for g in groups if tile in g.tiles) for tile in self.place_of}

    def shape(self, sums: Sums) -> int:
        """For each form, one field of `width` bits: the slots that its only split fills, or a flag above them that
        says `several` or, above that, `none`. Added over blocks and melds, a field is the form's target if each has
        one split and together they fill its slots."""
        return sum(
            (row[0] & self.used if len(row) == 1 else self.several if row else self.none) << self.width * form
            for form, row in enumerate(sums)
        )

    def ways_of(self, form: int, block: TableBlock, key: int) -> tuple[Way, ...]:
        """Every way to split the tiles for a form."""
        tables = self.splits[form]
        counts = {tile: key >> COUNT * index & ONE for index, tile in enumerate(block.tiles)}
        rows = []
        for number in block.components[form]:
            row = tables.split(number, tuple([counts[tile] for tile in tables.components[number]]))
            if not row:
                return ()
            if row[0].groups or len(row) > 1:
                rows.append(row)
        if len(rows) == 1:
            return tuple([(self.used_up(split), split.groups) for split in rows[0]])
        return tuple(
            (sum(map(self.used_up, chosen)), tuple(sorted(group for split in chosen for group in split.groups)))
            for chosen in product(*rows)
        )

    def used_up(self, split: SplitOfComponent) -> int:
        """The slots that the groups fill, and what is counted of them."""
        total = sum([self.row(group, False, None) for group in split.groups])
        return total + sum([used << SLOT * slot for slot, used in enumerate(split.usage) if used])

    def row(self, group: int, exposed: bool, wait: str | None) -> int:
        """The counters of a group in the hand; completed where it says what was waited for."""
        return self.layout.row(self.part(group, exposed, wait), wait)

    def part(self, group: int, exposed: bool, wait: str | None) -> Part:
        """The group as a part of a reading."""
        return Part(group, self.data.groups.groups[group].tiles, exposed, False, wait is not None)

    def completed(self, done: tuple[int, int, bool]) -> tuple[int, str]:
        """What the sum of a split gains where a group (of a tile that completed it, exposed or not) is completed, and
        what was waited for."""
        group, win, exposed = done
        wait = self.reader.wait(group, win)
        return self.row(group, exposed, wait) - self.row(group, False, None), wait

    def placed(self, ways: Sequence[Way], win: int | None, exposed: bool) -> tuple[Split, ...]:
        """The ways, once for each group that the winning tile may stand in; one for each sum."""
        found: dict[int, Split] = {}
        if win is None:
            for total, groups in ways:
                found.setdefault(total, (total, groups, None, None))
            return tuple(found.values())
        holding, gains = self.holding[win], self.gains
        for total, groups in ways:
            for at, group in enumerate(groups):
                if group in holding and group not in groups[:at]:
                    gain, wait = gains[group, win, exposed]
                    if total + gain not in found:
                        found[total + gain] = (total + gain, groups, at, wait)
        return tuple(found.values())

    def parts(self, split: Split, exposed: bool) -> list[Part]:
        """The groups of a split as parts; the one with the winning tile exposed or not."""
        _, groups, done, wait = split
        return [
            self.part(group, exposed, wait) if at == done else self.part(group, False, None)
            for at, group in enumerate(groups)
        ]

    # --- melds

    def meld(self, declared: tuple[int, bool]) -> MeldEntry:
        """The bits of its tiles, and for each form the meld (group, exposed) as a sum in each slot that it may fill."""
        group, exposed = declared
        part = Part(group, self.data.groups.groups[group].tiles, exposed, True)
        sums = tuple(
            tuple(self.in_slots(form, slots, part)) for form, slots in zip(self.forms, self.slots, strict=True)
        )
        return self.layout.tile_bits(part.tiles), self.shape(sums), sums, None, *lone(sums)

    def in_slots(self, form: Form, slots: Sequence[Slot], meld: Part) -> Iterator[int]:
        """The meld's sum for every slot that it fits."""
        if not (form.shape.concealed and meld.exposed):
            for number, slot in enumerate(slots):
                if meld.group in slot.groups or meld.group in slot.meld_groups:
                    yield self.layout.row(meld) + (1 << SLOT * number)


def lone(sums: Sums) -> tuple[int, ...]:
    """The only sum of each form."""
    return tuple(row[0] if len(row) == 1 else 0 for row in sums)


def meld_part(meld: Meld, data: CompiledRuleset) -> Part:
    return Part(meld.group, data.groups.groups[meld.group].tiles, meld.exposed, True, False, meld.wild, meld.discarder)


def components(partitions: Sequence[Sequence[tuple[int, ...]]]) -> list[tuple[int, ...]]:
    """The finest parts that no part of any partition crosses."""
    parts: list[set[int]] = []
    for part in (part for partition in partitions for part in partition):
        touched = [other for other in parts if not other.isdisjoint(part)]
        parts = [other for other in parts if other not in touched] + [set(part).union(*touched)]
    return sorted(tuple(sorted(part)) for part in parts)


def joined(parts: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The parts, single tiles joined to blocks."""
    single = [part[0] for part in parts if len(part) == 1]
    return [part for part in parts if len(part) > 1] + [
        tuple(single[at : at + BLOCK]) for at in range(0, len(single), BLOCK)
    ]
