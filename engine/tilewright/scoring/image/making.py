"""Making tables: every way to put parts into the slots of a block, as numbers. Knows no hands."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tilewright.base.kernels import I64, Array, I64x2, entry, flat, kernel, listed, zeros
from tilewright.scoring.kernel import layout as at

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
