"""Blocks: the tile set cut where no group goes across, small parts joined; blocks that are alike share a table.

In: the ways to make the groups of a case (`tilewright.hands.needs`). Out: blocks, by position. Knows no hand.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from tilewright.hands.distance.states import Limits
from tilewright.hands.needs import CaseNeeds, FlatChoice

FEW = 4  # tiles of a part that is put into one block with others
MOST_JOINED = 16_000_000  # cells of the table of such a block
MOST_CELLS = 24_000_000  # of any table, before counts that no hand has are left out

Part = tuple[tuple[int, ...], tuple[FlatChoice, ...]]


@dataclass(frozen=True, slots=True, order=True)
class BlockChoice:
    """A way to make a group of a slot: (position, how many) of its tiles. `once`: if not -1, only one of the choices
    with this number may be made, and only once."""

    slot: int
    needs: tuple[tuple[int, int], ...]
    once: int = -1


@dataclass(frozen=True, slots=True)
class BlockKind:
    """All that a table depends on. `most`: no more of each tile is ever in groups."""

    limits: Limits
    most: tuple[int, ...]
    choices: tuple[BlockChoice, ...]

    @property
    def cells(self) -> int:
        """How large a table of all counts is."""
        return prod(count + 1 for count in (*self.most, *self.limits))


@dataclass(frozen=True, slots=True)
class Block:
    """Some tiles, and what their table depends on."""

    tiles: tuple[int, ...]
    kind: BlockKind


def blocks_of(case: CaseNeeds) -> list[Block] | None:
    """The blocks of a case, alike ones one after the other; None if wild tiles stand for others in its groups, or a
    table would be too large."""
    parts = [natural(case, *part) for part in case.choices()]
    found = [part for part in parts if part is not None]
    tiles = [tile for part in found for tile in part[0]]
    if len(found) < len(parts) or len(set(tiles)) < len(tiles):
        return None
    blocks = joined_parts(sorted(found, key=lambda part: (len(part[0]), part[0])), case)
    if any(block.kind.cells > MOST_CELLS for block in blocks):
        return None
    kinds = list(dict.fromkeys(block.kind for block in blocks))
    return sorted(blocks, key=lambda block: kinds.index(block.kind))


def natural(case: CaseNeeds, tiles: Sequence[int], choices: Iterable[FlatChoice]) -> Part | None:
    """The part with wild tiles among its tiles that are there as themselves; None if some stand for others."""
    made: list[FlatChoice] = []
    for choice in choices:
        wild = tuple((tile, count) for tile, count in zip(case.wild_tiles, choice.units, strict=True) if count)
        if wild and choice.needs:
            return None
        made.append(FlatChoice(choice.slot, choice.group, choice.needs or wild, ()))
    return tuple(sorted({*tiles, *(tile for choice in made for tile, _ in choice.needs)})), tuple(made)


def joined_parts(parts: Iterable[Part], case: CaseNeeds) -> list[Block]:
    """The parts as blocks; several small ones as one."""
    found: list[Block] = []
    small: Part = (), ()
    for part in parts:
        if len(part[0]) > FEW:
            found.append(block_of(part, case))
            continue
        both: Part = small[0] + part[0], small[1] + part[1]
        if small[0] and block_of(both, case).kind.cells > MOST_JOINED:
            found.append(block_of(small, case))
            both = part
        small = both
    return [*found, block_of(small, case)] if small[0] else found


def block_of(part: Part, case: CaseNeeds) -> Block:
    """The part with its choices by position."""
    tiles, ways = part
    at = {tile: number for number, tile in enumerate(tiles)}
    rivals = {key: number for number, key in enumerate(dict.fromkeys((one.slot, one.group) for one in ways))}
    choices = {
        BlockChoice(
            one.slot,
            tuple(sorted((at[tile], count) for tile, count in one.needs)),
            -1 if one.group == -1 else rivals[one.slot, one.group],
        )
        for one in ways
    }
    limits = tuple(slot.count for slot in case.slots)
    most = tuple(min(case.wild.copies[tile], most_of(number, choices, limits)) for number, tile in enumerate(tiles))
    return Block(tiles, BlockKind(limits, most, tuple(sorted(choices))))


def most_of(at: int, choices: Iterable[BlockChoice], limits: Limits) -> int:
    """How many of a tile all groups together may have."""
    most = 0
    for slot, limit in enumerate(limits):
        using = [(dict(one.needs)[at], one.once) for one in choices if one.slot == slot and at in dict(one.needs)]
        times = limit if any(once == -1 for _, once in using) else min(limit, len(using))
        most += times * max((count for count, _ in using), default=0)
    return most
