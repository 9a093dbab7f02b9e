"""Ways to win that are searched, as lists of numbers for `flat.searched`.

In: a way with at most one wild tile. Out: its place in the numbers. Knows no hand."""

from collections.abc import Sequence

from tilewright.base.arrays import Array
from tilewright.hands.distance.flat import searched
from tilewright.hands.distance.flat.tables import GrowingArray, NotFlat
from tilewright.hands.distance.searched import MadeGroup, SearchedBlock
from tilewright.hands.distance.searching import SearchedWay
from tilewright.hands.distance.states import Space, space_of
from tilewright.hands.needs import FlatChoice

WIDTH = searched.FIELD


class FlatSearch:
    """The ways that are searched, by their places in `numbers`."""

    def __init__(self, numbers: GrowingArray) -> None:
        self.numbers = numbers
        self._ways: dict[tuple[object, ...], int] = {}
        self._blocks: dict[tuple[int, Space], int] = {}
        self._kept: list[SearchedBlock] = []  # whose ids are keys

    def way(self, way: SearchedWay) -> int:
        """Where a way is. Raises NotFlat."""
        if len(way.wild) > 1:
            raise NotFlat("several wild tiles")
        key = tuple(map(id, way.blocks)), way.limits, way.left
        if key not in self._ways:
            copies = way.plainly.reader.wild.copies
            most = max((copies[tile] for tile in way.wild), default=0)
            forms = [self._form(way, (count,) * len(way.wild)) for count in range(most + 1)]
            wild = way.wild[0] if way.wild else next(iter(way.blocks)).tiles[0]
            # without a wild tile, any number of some tile asks for the same form
            forms = forms if way.wild else forms * (searched.FIELD_MASK + 1)
            self._ways[key] = self.numbers.add([wild, len(forms), *forms])
        return self._ways[key]

    def _form(self, way: SearchedWay, wild: tuple[int, ...]) -> int:
        """A way with so many wild tiles."""
        space = space_of((*way.left, *wild))
        wide = way.wide(space)
        if way.too_many(wild) or len(wide.states) > searched.MOST_WIDE or len(way.blocks) >= searched.MOST_BLOCKS:
            raise NotFlat("hands of very many groups and wild tiles")
        starts, total = [0], 0
        for pairs in space.sums:
            total += len(pairs)
            starts.append(total)
        blocks = [self._block(block, way, wide) for block in way.blocks]
        lists: tuple[Sequence[int] | Array, ...] = (
            starts,
            [one for pairs in space.sums for pair in pairs for one in pair],
            blocks,
            space.inside(wide),
            way.supply(space, 1)[:, 0, 0],
        )
        return self.numbers.add([len(space.states), len(blocks) + 1, *map(self.numbers.add, lists)])

    def _block(self, block: SearchedBlock, way: SearchedWay, wide: Space) -> int:
        key = id(block), wide
        if key not in self._blocks:
            if len(block.tiles) > searched.MOST_TILES:
                raise NotFlat("groups of very many tiles that hang together")
            self._kept.append(block)
            uses = [self._uses(block, way, wide, lowest) for lowest in range(-1, len(block.tiles))]
            starts, first = list[int](), self.numbers.size
            for some in uses:
                starts.append(first)
                first += len(some)
            self.numbers.add([number for some in uses for number in some])
            at_uses = self.numbers.add([*starts, first])
            tiles = self.numbers.add([*block.tiles, *(way.wild or (0,))])
            head = [len(block.tiles), 1 + len(self._blocks), len(wide.states), tiles, at_uses]
            self._blocks[key] = self.numbers.add(head)
        return self._blocks[key]

    def _uses(self, block: SearchedBlock, way: SearchedWay, wide: Space, lowest: int) -> list[int]:
        """Every way to make a group with this tile and none below it; of no tile that is there if it is -1."""
        return [number for group in block.groups(wide, lowest) for number in self._use(group, block, way, wide)]

    def _use(self, group: MadeGroup, block: SearchedBlock, way: SearchedWay, wide: Space) -> list[int]:
        moves = group.moves(wide)
        key = sum(count << WIDTH * at for at, count in group.takes)
        short = {at: count for at, count in group.lacks.items() if at < len(block.tiles)}
        lacks = [sum(1 << at for at, count in short.items() if count >= least) for least in (1, 2)]
        missing = group.missing, sum(1 << at for at in group.lacks), *lacks
        return [key, *missing, self._moves(moves), len(moves), self._whole(group.choice, way.wild)]

    def _whole(self, choice: FlatChoice, wild: tuple[int, ...]) -> int:
        """Where all tiles of a group are, after how many different ones: each with its number."""
        tiles = (*choice.needs, *(pair for pair in zip(wild, choice.units, strict=True) if pair[1]))
        key = ("whole", *tiles)
        if key not in self._ways:
            self._ways[key] = self.numbers.add([len(tiles), *(number for pair in tiles for number in pair)])
        return self._ways[key]

    def _moves(self, moves: list[tuple[int, int]]) -> int:
        """Where moves from state to state are."""
        key = ("moves", *moves)
        if key not in self._ways:
            self._ways[key] = self.numbers.add([one for move in moves for one in move])
        return self._ways[key]
