"""Tables of readings: counts of tiles in, every way to split them into parts out.

A form is cut into its cases; slots that leave no choice become fixed parts, whose tiles are taken away first. A hand is
one number with a field for each tile, cut into blocks of tiles that share no group (suits, honours). For each block and
list of slots a table has every way to use the counts up; blocks that are alike share one. A table that would be too
large is searched key by key. Forms that ask for more than groups and tiles stay with the plain search. Knows no melds,
no winning tile, no counters and no pattern.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from operator import le, mul

from tilewright.base.kernels import I64, Array, I64x2, entry, flat, kernel, listed, zeros
from tilewright.base.memory import kept
from tilewright.hands.covers import TooManyReadings
from tilewright.hands.reading import Part, Slot, WildTiles
from tilewright.language.compiled.ruleset import CompiledRuleset, Form
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.program.layout import Layout

GroupParts = Sequence[Part | None]  # what each group is, made of tiles of a hand; None where no hand can make it


@dataclass(frozen=True, slots=True)
class FormCase:
    """One case of a form: the parts that are the same in every reading, and the slots that leave a choice."""

    form: int
    concealed: bool
    fixed: tuple[Part, ...]
    slots: tuple[Slot, ...]

    @property
    def fixed_tiles(self) -> Counter[int]:
        """The tiles of the fixed parts."""
        return Counter(tile for part in self.fixed for tile in part.held)

    @property
    def most(self) -> int:
        """How many parts its readings have."""
        return len(self.fixed) + sum(slot.count for slot in self.slots)


def natural_parts(data: CompiledRuleset) -> GroupParts:
    """The groups without wild tiles."""
    return [Part(group.index, group.tiles) for group in data.groups.groups]


def filled_parts(data: CompiledRuleset, wild: WildTiles) -> GroupParts | None:
    """The groups with wild tiles in their gaps; None where the same tiles may be a group in several ways."""
    if not wild.fills_gaps or not wild.stands_for:
        return None
    found: list[Part | None] = []
    for group in data.groups.groups:
        part = Part(group.index, group.tiles, wild=wild.standing(group.tiles, group.kinds | group.meld_kinds))
        found.append(None if any(map(wild.virtual, part.held)) else part)
        if any(
            len({stood for one, stood in part.wild if one == tile}) + (tile in part.tiles) > 1 for tile in part.held
        ):
            return None
    return found


def is_tabled(form: Form) -> bool:
    """Whether the readings of a form are found by counting tiles: no regular expression, no card, no melds inside other
    groups, no slot for exposed groups alone."""
    shape = form.shape
    return bool(
        (shape.cases or shape.pick)
        and not shape.melds
        and form.matches is None
        and form.card is None
        and shape.listed is None
        and all(slot.exposed is None for case in shape.cases for slot in case)
    )


def cases_of(data: CompiledRuleset, number: int, groups: GroupParts) -> Iterator[FormCase]:
    """The cases of the form of this number, as tables know them."""
    shape = data.forms[number].shape
    for case in shape.cases:
        if shape.pick is not None:
            yield FormCase(number, shape.concealed, (), (Slot(shape.pick, tiles=pool(case, data), different=True),))
            continue
        fixed = [(slot, part) for slot in case if (part := only_part(slot, data, groups)) is not None]
        parts = tuple(part for slot, part in fixed for _ in range(slot.count))
        yield FormCase(number, shape.concealed, parts, tuple(s for s in case if only_part(s, data, groups) is None))


def pool(case: tuple[Slot, ...], data: CompiledRuleset) -> frozenset[int]:
    """Every tile of some slot, its groups' tiles included."""
    groups = frozenset().union(*(slot.groups for slot in case))
    return frozenset(t for g in groups for t in data.groups.groups[g].tiles).union(*(slot.tiles for slot in case))


def only_part(slot: Slot, data: CompiledRuleset, groups: GroupParts) -> Part | None:
    """What must fill the slot, if there is no choice."""
    if slot.each:
        return Part(-1, tuple(tile for tile in data.tiles.order if tile in slot.tiles))
    if len(slot.groups | slot.meld_groups) == 1 and slot.groups and not slot.tiles:
        group = next(iter(slot.groups))
        return groups[group] or Part(group, data.groups.groups[group].tiles)
    return Part(-1, tuple(slot.tiles)) if len(slot.tiles) == 1 and not slot.groups else None


def options_of(slot: Slot, groups: GroupParts) -> Iterator[Part]:
    """The parts that may fill a slot from the hand."""
    for group in sorted(slot.groups):
        part = groups[group]
        if part is not None:
            yield part
    for tile in sorted(slot.tiles):
        yield Part(-1, (tile,))


def unplaced(cases: Iterable[FormCase]) -> frozenset[tuple[int, bool]]:
    """The melds, as groups that are exposed or not, that tables cannot give to slots: those of slots with different
    groups, and of fixed parts."""
    found: set[tuple[int, bool]] = set()
    for case in cases:
        slots = [slot.groups | slot.meld_groups for slot in case.slots if slot.different]
        groups = frozenset(part.group for part in case.fixed).union(*slots) - {-1}
        found |= {(group, exposed) for group in groups for exposed in (False, True) if not (exposed and case.concealed)}
    return frozenset(found)


# --- every way to put parts into the slots of a block


Vector = tuple[int, ...]  # how many of each tile of a block
SLOT = 8  # bits that count the parts in a slot
MOST_SLOTS = 7  # that a number of 64 bits can count
MOST_OPTIONS = (1 << at.OPTION_BITS) - 1  # of a table
ROOMS = (2_000, 40_000, 300_000)  # rows of a table that are tried; larger ones are not made
IN_WORD = 63 // at.OPTION_BITS  # options that a number of 64 bits holds
# An option: its slot, the first option that may follow it, what it adds to the number of counts; how many tiles it has,
# then each with how many of it.
SLOT_OF, NEXT, ADDS, TILES, NEEDS = range(5)


@dataclass(frozen=True, slots=True)
class Splits:
    """The table of a block. `keys`: the numbers of its counts that can be used up, in order; `starts`: of each the
    first of its rows, last how many rows there are. A row: how many parts are in each slot, SLOT bits each; then the
    options chosen, each one up, IN_WORD to a number."""

    keys: Sequence[int]
    starts: Sequence[int]
    rows: Sequence[int]
    width: int


@lru_cache(maxsize=64)
def splits_of(
    copies: Vector, options: tuple[tuple[Vector, ...], ...], limits: tuple[int, ...], different: tuple[bool, ...]
) -> Splits | None:
    """The table of all blocks that are alike; None where it would be too large."""
    depth = min(sum(limits), sum(copies))
    listing = listed_options(options, different, radix_of(copies))
    if len(limits) > MOST_SLOTS or len(listing) >= MOST_OPTIONS:
        return None
    width = 2 + -(-depth // IN_WORD)
    if not listing:
        return in_order([0] * width, width)
    wide = max(map(len, listing))
    made = listed("q", [n for row in listing for n in (*row, *(0,) * (wide - len(row)))], len(listing), wide)
    for room in ROOMS:
        rows, left = zeros("q", room, width), listed("q", [*copies, *limits])
        count = split_block(made, left, len(copies), zeros("q", max(depth, 1)), depth, rows)
        if count > 0:
            return in_order(flat(rows)[: count * width].tolist(), width)
    return None


def listed_options(
    options: Sequence[Sequence[Vector]], different: Sequence[bool], radix: Sequence[int]
) -> list[tuple[int, ...]]:
    """The options of all slots as numbers."""
    found: list[tuple[int, ...]] = []
    for slot, vectors in enumerate(options):
        for vector in vectors:
            needs = [number for tile, count in enumerate(vector) if count for number in (tile, count)]
            adds = sum(step * count for step, count in zip(radix, vector, strict=True))
            found.append((slot, len(found) + different[slot], adds, len(needs) // 2, *needs))
    return found


def in_order(numbers: list[int], width: int) -> Splits:
    """The table of rows that begin with the number of their counts."""
    of_row = numbers[::width]
    keys, starts, rows = array("q"), array("q"), array("q")
    for row in sorted(range(len(of_row)), key=of_row.__getitem__):
        if not keys or of_row[row] != keys[-1]:
            keys.append(of_row[row])
            starts.append(len(rows) // (width - 1))
        rows.extend(numbers[row * width + 1 : (row + 1) * width])
    starts.append(len(of_row))
    return Splits(keys, starts, rows, width - 1)


def radix_of(copies: Vector) -> list[int]:
    """What one more of each tile adds to the number of a vector of counts."""
    steps = [1]
    for count in copies[:-1]:
        steps.append(steps[-1] * (count + 1))
    return steps


@entry
def split_block(options: I64x2, left: I64, tiles: int, chosen: I64, depth: int, rows: I64x2) -> int:
    """Every way to choose options, this many at most, each once though their order may differ. `left`: the copies of so
    many tiles, then the room of slots; `chosen` is overwritten. How many rows are filled, each with the number of its
    counts first; -1 where there are more."""
    count, taken, option, number, used = 1, 0, 0, 0, 0
    while taken or option < options.shape[0]:
        if option == options.shape[0]:
            taken -= 1
            option = chosen[taken]
            take(options, option, left, tiles, 1)
            number -= options[option, ADDS]
            used -= 1 << SLOT * options[option, SLOT_OF]
            option += 1
        elif taken == depth or not is_left(options, option, left, tiles):
            option += 1
        else:
            if count == rows.shape[0]:
                return -1
            take(options, option, left, tiles, -1)
            number += options[option, ADDS]
            used += 1 << SLOT * options[option, SLOT_OF]
            chosen[taken] = option
            taken += 1
            rows[count, 0], rows[count, 1] = number, used
            for place in range(taken):
                rows[count, 2 + place // IN_WORD] |= chosen[place] + 1 << at.OPTION_BITS * (place % IN_WORD)
            count += 1
            option = options[option, NEXT]
    return int(count)


@kernel
def is_left(options: Array, option: int, left: Array, tiles: int) -> bool:
    """Whether there is room for an option in its slot, and its tiles are left."""
    fits = left[tiles + options[option, SLOT_OF]] > 0
    for need in range(NEEDS, NEEDS + 2 * options[option, TILES], 2):
        fits = fits and left[options[option, need]] >= options[option, need + 1]
    return bool(fits)


@kernel
def take(options: Array, option: int, left: Array, tiles: int, number: int) -> None:
    """Give an option back, or take it: `number` is -1."""
    left[tiles + options[option, SLOT_OF]] += number
    for need in range(NEEDS, NEEDS + 2 * options[option, TILES], 2):
        left[options[option, need]] += number * options[option, need + 1]


# --- blocks and their tables

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
            for size, low in fields:
                rest, count = divmod(rest, size)
                key |= count << low
            found.add(key)
        return frozenset(found)

    def uses(self, key: int) -> frozenset[int]:
        """What the ways to use the block's part of a key up fill: SLOT bits for each slot."""
        found = self.fills.get(key)
        if found is None:
            counts = self.keys.counts(self.block, key)
            ways = self.looked_up(counts) if self.holds(counts) else self.searched(counts)
            found = kept(self.fills, key, frozenset(ways), MOST_KNOWN)
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
