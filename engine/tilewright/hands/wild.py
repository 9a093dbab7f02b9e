"""Wild tiles inside groups: which tile may stand for which, in which kinds of group.

Knows the tile set as it is now: tiles that only a mark on the table makes wild must be added to it first.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from tilewright.tiles.tileset import TileSet, Wild

Pair = tuple[int, int]  # wild tile, what it stands for


class WildTiles:
    """What the wild tiles of a tile set may stand for."""

    def __init__(self, tiles: TileSet) -> None:
        self.tiles = tiles
        self.copies = copies_in_box(tiles)

    @cached_property
    def stands_for(self) -> dict[int, frozenset[int]]:
        """Every wild tile with all it may be in some group."""
        found: dict[int, frozenset[int]] = {}
        for wild in self.tiles.wild:
            if wild.groups or serves(wild, frozenset()):
                for tile in wild.tiles.tiles:
                    found[tile] = found.get(tile, frozenset()) | (wild.stands_for.tiles - {tile})
        return {tile: stands for tile, stands in found.items() if stands}

    def served(self, kinds: frozenset[str], zone: str = "hand") -> dict[int, tuple[int, ...]]:
        """The wild tiles that may be each tile, in a group of these kinds in this zone."""
        found: dict[int, set[int]] = {}
        for wild in self.tiles.wild:
            if serves(wild, kinds, zone):
                for tile in wild.stands_for.tiles:
                    found.setdefault(tile, set()).update(wild.tiles.tiles - {tile})
        return {tile: tuple(sorted(helpers)) for tile, helpers in found.items() if helpers}

    @cached_property
    def fills_gaps(self) -> bool:
        """Whether wild tiles stand for ranks without a tile alone, each for one of its own: groups then say by
        themselves what stands for what in them."""
        pairs = {(tile, stood) for tile, stands in self.stands_for.items() for stood in stands}
        stood = [tile for _, tile in pairs]
        return all(map(self.virtual, stood)) and len(stood) == len(set(stood))

    def standing(self, tiles: Iterable[int], kinds: frozenset[str]) -> tuple[Pair, ...]:
        """What stands for what in a group of these tiles and kinds, where wild tiles fill gaps alone."""
        if not self.fills_gaps:
            return ()
        served = self.served(kinds)
        return tuple(sorted((served[tile][0], tile) for tile in tiles if tile in served))

    def virtual(self, tile: int) -> bool:
        """A rank without a tile: only a wild tile can be it."""
        return not self.copies[tile]

    def in_the_box(self, tiles: Iterable[int]) -> Counter[int]:
        """Faces as the plain tiles that they are in the box: a rank without a tile is the wild tile that shows it."""
        return Counter(self._real(self.tiles.tiles[tile].plain) for tile in tiles)

    def _real(self, tile: int) -> int:
        if not self.virtual(tile):
            return tile
        return min((wild for wild, stands in self.stands_for.items() if tile in stands), default=tile)


def serves(wild: Wild, kinds: frozenset[str], zone: str = "hand") -> bool:
    """Whether these wild tiles may stand for others inside a group of such kinds in a zone."""
    return bool(wild.groups & kinds) or zone in wild.zones or not (wild.groups or wild.zones)


def copies_in_box(tiles: TileSet) -> Counter[int]:
    """Copies of each plain tile, specials and tiles drawn differently included."""
    total: Counter[int] = Counter()
    for tile in tiles.tiles:
        total[tile.plain] += tile.copies
    return total
