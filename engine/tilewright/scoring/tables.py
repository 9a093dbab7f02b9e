"""Tables of hands: the tiles of a hand in, every reading of it in simple forms out, as sums of counted features.

A hand is cut into blocks of tiles that share no group (suits, honours). For each block a table knows, by the number
of each of its tiles, every way to split them into groups, and where the winning tile may stand. Filled as hands are
asked for. Simple forms are those whose slots are groups, without letters and conditions; knows no patterns.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, TypeVar

from tilewright.hands.reading import Meld, Part
from tilewright.hands.readings import Reader
from tilewright.hands.shape import Slot
from tilewright.hands.splits import Splits
from tilewright.language.ruleset import Form, RulesetData
from tilewright.scoring.features import MOST, Layout

COUNT = 4  # bits that count a tile in a key
SLOT = 8  # bits that count the groups of a slot
FLAG = 8  # bits that count blocks and melds with no split, or with several
MOST_KNOWN = 4_000  # entries of a table before it is emptied
BLOCK = 8  # single tiles are joined to blocks of at most so many
Key = TypeVar("Key")
Value = TypeVar("Value")

Split = tuple[int, tuple[Part, ...], str | None]  # sum, groups, what was waited for
Sums = tuple[tuple[int, ...], ...]  # for each form, the sums of its splits
# An entry, flat as it is looked up more than anything else: the bits of its tiles; the slots that its lone splits fill
# in each form, with flags (`Tables.shape`); at SUMS all sums; at SPLITS the groups behind each (none of a meld); from
# LONE on, for each form the sum of its only split, else 0.
Entry = tuple[Any, ...]
MeldEntry = tuple[Any, ...]
SUMS, SPLITS, LONE = 2, 3, 4


class Table(dict[Key, Value]):
    """What is worked out once for each key, and forgotten when it is too much."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self.make = make

    def __missing__(self, key: Key) -> Value:
        if len(self) > MOST_KNOWN:
            self.clear()
        value = self[key] = self.make(key)
        return value


@dataclass(frozen=True, slots=True)
class Block:
    """Tiles whose counts are a part of the key of a hand: `key >> at & mask`. `components`: for each form, the
    components of its splits that lie in the block."""

    tiles: tuple[int, ...]
    at: int
    mask: int
    components: tuple[tuple[int, ...], ...]


def is_simple(form: Form) -> bool:
    """Its readings are sums over blocks: one list of slots of groups, and nothing else asked."""
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
    return bool(slot.groups) and not slot.tiles and not slot.each and not slot.different and slot.exposed is None


class Tables:
    """The tables of the simple forms of a ruleset."""

    def __init__(
        self, data: RulesetData, reader: Reader, layout: Layout, forms: Sequence[Form], needed: Sequence[frozenset[int]]
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
        self.without_win = tuple(
            (block.at, block.mask, Table(partial(self.made, block, None, False))) for block in self.blocks
        )
        self.with_win = {
            (tile, exposed): self.tables_for(tile, exposed) for tile in self.place_of for exposed in (False, True)
        }
        self.melds = Table(self.meld)
        self.singles = [Part(-1, (tile,)) for block in self.blocks for tile in block.tiles]

    # --- blocks

    def lay_out(self) -> Iterator[Block]:
        """The blocks: components of all forms together, small ones joined."""
        at = 0
        parts = components([splits.components for splits in self.splits])
        for tiles in joined([part for part in parts if not self.in_use.isdisjoint(part)]):
            inside = tuple(
                tuple(number for number, component in enumerate(splits.components) if component[0] in tiles)
                for splits in self.splits
            )
            size = COUNT * len(tiles)
            yield Block(tiles, at, (1 << size) - 1, inside)
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

    def tables_for(self, win: int, exposed: bool) -> tuple[tuple[int, int, "Table[int, Entry]"], ...]:
        """Where each block stands in a key, and its table, where this is the winning tile; the group that it stands
        in is exposed or not."""
        number, _ = self.place_of[win]
        own = Table(partial(self.made, self.blocks[number], win, exposed))
        return tuple(
            (at, mask, own if index == number else table) for index, (at, mask, table) in enumerate(self.without_win)
        )

    def made(self, block: Block, win: int | None, exposed: bool, key: int) -> Entry:
        """What the block holds with these counts."""
        counts = {tile: key >> COUNT * index & (1 << COUNT) - 1 for index, tile in enumerate(block.tiles)}
        splits = tuple(self.splits_of(form, block, counts, win, exposed) for form in range(len(self.forms)))
        bits = self.layout.tile_bits(tile for tile, count in counts.items() if count)
        lacks = sum(
            1 << self.layout.lacks + number
            for number, needed in enumerate(self.needed)
            if any(tile in needed and not count for tile, count in counts.items())
        )
        sums = tuple(tuple(split[0] for split in row) for row in splits)
        return bits | lacks, self.shape(sums), sums, splits, *lone(sums)

    def shape(self, sums: Sums) -> int:
        """For each form, one field of `width` bits: the slots that its only split fills, or a flag above them that
        says `several` or, above that, `none`. Added over blocks and melds, a field is the form's target if each has
        one split and together they fill its slots."""
        return sum(
            (row[0] & self.used if len(row) == 1 else self.several if row else self.none) << self.width * form
            for form, row in enumerate(sums)
        )

    def splits_of(
        self, form: int, block: Block, counts: dict[int, int], win: int | None, exposed: bool
    ) -> tuple[Split, ...]:
        """Every way to split the tiles for a form, one for each sum."""
        tables = self.splits[form]
        parts = [
            tables.split(number, tuple(counts[tile] for tile in tables.components[number]))
            for number in block.components[form]
        ]
        found: dict[int, Split] = {}
        for chosen in product(*parts):
            usage = sum(used << SLOT * slot for split in chosen for slot, used in enumerate(split.usage))
            groups = sorted(group for split in chosen for group in split.groups)
            for total, placed, wait in self.placed(groups, win, exposed):
                found.setdefault(usage + total, (usage + total, placed, wait))
        return tuple(found.values())

    def placed(self, groups: list[int], win: int | None, exposed: bool) -> Iterator[Split]:
        """The groups as parts, once for each that the winning tile may stand in."""
        parts = tuple(Part(group, self.data.groups.groups[group].tiles) for group in groups)
        if win is None:
            yield sum(map(self.layout.row, parts)), parts, None
            return
        for at, group in enumerate(groups):
            if win in parts[at].tiles and group not in groups[:at]:
                done = Part(group, parts[at].tiles, exposed, False, True)
                wait = self.reader.wait(group, win)
                placed = (*parts[:at], done, *parts[at + 1 :])
                yield sum(self.layout.row(part, wait) for part in placed), placed, wait

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


def meld_part(meld: Meld, data: RulesetData) -> Part:
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
