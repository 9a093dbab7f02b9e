"""Splits: the tiles of one part of the tile set (a suit, an honour) in, every way to split them into groups out.

For forms whose slots are groups. Knows no melds and no wild tiles; `tilewright.hands.readings` is the oracle.
"""

from dataclasses import dataclass

from tilewright.hands.group import Groups
from tilewright.hands.shape import Slot
from tilewright.tiles.tileset import TileSet

MOST_SPLITS = 50_000  # of the tiles of one component
MOST_STEPS = 500_000  # groups taken while splitting them


class TooManySplits(Exception):
    """These slots can be filled in too many ways to list."""


@dataclass(frozen=True, slots=True)
class Split:
    """Groups that use up the tiles, ascending, and how many of them go to each slot."""

    groups: tuple[int, ...]
    usage: tuple[int, ...]


class Splits:
    """Tables for one list of slots, filled as they are asked for.

    `components` are tuples of plain tiles such that no group of these slots has tiles of two of them. A slot is asked
    for its groups, its number and whether they are different; a slot of single tiles is never filled.
    """

    def __init__(self, tiles: TileSet, groups: Groups, slots: tuple[Slot, ...]) -> None:
        self.slots = slots
        self._different = any(slot.different for slot in slots)
        plain = [tile.index for tile in tiles.tiles if tile.plain == tile.index and tile.copies]
        own = set(plain)
        usable = [(number, groups.groups[number].tiles) for number in sorted(set().union(*(s.groups for s in slots)))]
        usable = [(number, wanted) for number, wanted in usable if own.issuperset(wanted)]
        self.components = _components(plain, [wanted for _, wanted in usable])
        self.component_of = {tile: number for number, part in enumerate(self.components) for tile in part}
        self._by_lowest: list[list[list[_SplitChoice]]] = [[[] for _ in part] for part in self.components]
        for number, wanted in usable:
            self._add(number, wanted)
        self._known: list[dict[tuple[int, ...], tuple[Split, ...]]] = [{} for _ in self.components]

    def split(self, component: int, counts: tuple[int, ...]) -> tuple[Split, ...]:
        """Every way to use up exactly these counts (in the order of the component's tiles), none twice."""
        known = self._known[component]
        found = known.get(counts)
        if found is None:
            search = _SplitSearch(self._by_lowest[component], self.slots if self._different else ())
            left = [slot.count for slot in self.slots]
            search.run(list(counts), left, 0, 0, ())
            found = known[counts] = tuple(sorted(search.found, key=lambda split: (split.groups, split.usage)))
        return found

    def _add(self, number: int, wanted: tuple[int, ...]) -> None:
        part = self.component_of[wanted[0]]
        needs = tuple(sorted((self.components[part].index(tile), wanted.count(tile)) for tile in set(wanted)))
        for slot, asked in enumerate(self.slots):
            if number in asked.groups:
                self._by_lowest[part][needs[0][0]].append(_SplitChoice(number, slot, needs))


@dataclass(frozen=True, slots=True)
class _SplitChoice:
    """A group in a slot, with (position, number) of its tiles."""

    group: int
    slot: int
    needs: tuple[tuple[int, int], ...]


class _SplitSearch:
    """Takes the lowest tile that is left into every group that starts with it."""

    def __init__(self, by_lowest: list[list[_SplitChoice]], different: tuple[Slot, ...]) -> None:
        self.by_lowest = by_lowest
        self.different = different
        self.found: set[Split] = set()
        self.steps = 0

    def run(self, counts: list[int], left: list[int], lowest: int, first: int, taken: tuple[_SplitChoice, ...]) -> None:
        """`first`: the choices before it were passed over for this lowest tile."""
        self.steps += 1
        if self.steps > MOST_STEPS or len(self.found) > MOST_SPLITS:
            raise TooManySplits
        size = len(counts)
        at = lowest
        while at < size and not counts[at]:
            at += 1
        if at == size:
            self._keep(left, taken)
            return
        row = self.by_lowest[at]
        for number in range(first if at == lowest else 0, len(row)):
            choice = row[number]
            if not left[choice.slot]:
                continue
            for tile, need in choice.needs:
                if counts[tile] < need:
                    break
            else:
                if self.different and self.different[choice.slot].different and choice in taken:
                    continue
                left[choice.slot] -= 1
                for tile, need in choice.needs:
                    counts[tile] -= need
                self.run(counts, left, at, number, (*taken, choice))
                for tile, need in choice.needs:
                    counts[tile] += need
                left[choice.slot] += 1

    def _keep(self, left: list[int], taken: tuple[_SplitChoice, ...]) -> None:
        usage = [0] * len(left)
        for choice in taken:
            usage[choice.slot] += 1
        self.found.add(Split(tuple(sorted(choice.group for choice in taken)), tuple(usage)))


def _components(plain: list[int], wanted: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """The tiles, split where no group crosses; in the order of the tile set."""
    parent = {tile: tile for tile in plain}

    def root(tile: int) -> int:
        while parent[tile] != tile:
            parent[tile] = tile = parent[parent[tile]]
        return tile

    for tiles in wanted:
        for tile in tiles[1:]:
            low, high = sorted((root(tiles[0]), root(tile)))
            parent[high] = low
    parts: dict[int, list[int]] = {}
    for tile in plain:
        parts.setdefault(root(tile), []).append(tile)
    return tuple(tuple(part) for part in parts.values())
