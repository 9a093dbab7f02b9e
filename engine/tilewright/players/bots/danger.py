"""Danger: what a discard may cost, judged by what is visible: groups on the table, earlier discards, how
late it is. Rough on purpose. Knows no hidden tile.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.hands.listed import Rows
from tilewright.hands.reading import Meld
from tilewright.play.view import View
from tilewright.players.bots.effects import MELDS
from tilewright.players.bots.odds import Weights, added
from tilewright.players.bots.position import FormReader, Position

Rest = tuple[tuple[int, int], ...]  # the rest of a group without a tile: other tiles, with their counts


@dataclass(frozen=True, eq=False)
class TileUses:
    """The uses of tiles under a ruleset. `rows`: its listed hands; `pledged`: marks that show that a seat waits;
    `own_are_safe`: no seat wins on its own discards, nor with a hand that waits for such a tile."""

    reader: FormReader
    rows: Sequence[Rows] = ()
    pledged: tuple[str, ...] = ()
    own_are_safe: bool = False

    @cached_property
    def of_tile(self) -> Mapping[int, tuple[Rest, ...]]:
        """The groups of forms with each tile, as the rest of them."""
        judge = self.reader.rules.judge.reader
        used = {index for shape in judge.shapes for case in shape.cases for slot in case for index in slot.groups}
        found: dict[int, list[Rest]] = {}
        for index in sorted(used):
            tiles = Counter(judge.groups.groups[index].tiles)
            for tile in tiles:
                found.setdefault(tile, []).append(tuple(sorted((tiles - Counter([tile])).items())))
        return {tile: tuple(rests) for tile, rests in found.items()}

    @cached_property
    def completing(self) -> Mapping[Rest, frozenset[int]]:
        """The tiles each of which makes a group with the rest."""
        found: dict[Rest, set[int]] = {}
        for tile, rests in self.of_tile.items():
            for rest in rests:
                found.setdefault(rest, set()).add(tile)
        return {rest: frozenset(tiles) for rest, tiles in found.items()}

    @cached_property
    def most(self) -> int:
        """In how many groups the most useful tile is."""
        return max(map(len, self.of_tile.values()), default=0)

    @cached_property
    def claimable(self) -> list[tuple[str, int, bool]]:
        """The zones whose tiles may be claimed; whether each belongs to a seat."""
        data = self.reader.data
        zones = [zone for zone in data.zones.values() if zone.claimable]
        seats = range(data.seats.count)
        return [(zone.id, at, zone.of == "seat") for zone in zones for at in (seats if zone.of == "seat" else (0,))]


class Danger:
    """What other seats may be waiting for, as one seat sees it."""

    def __init__(self, uses: TileUses, view: View, position: Position, weights: Weights) -> None:
        self.uses = uses
        self.view = view
        self.position = position
        self.weights = weights
        self.others = [seat for seat in view.playing if seat != view.seat]
        self._shares: dict[tuple[int, int], Mapping[int, float]] = {}

    def of(self, face: int) -> float:
        """What discarding the tile may cost."""
        tile = self.uses.reader.plain[face]
        return self.weights.loss * added(self.ready[seat] * self.hit(seat, tile) for seat in self.others)

    @cached_property
    def thrown(self) -> dict[int, Counter[int]]:
        """The discards by seat; under -1 those in shared zones."""
        found: dict[int, Counter[int]] = {}
        for zone, seat, of_seat in self.uses.claimable:
            tiles = (self.uses.reader.plain[face] for face in self.view.zone(zone, seat) if face is not None)
            found.setdefault(seat if of_seat else -1, Counter()).update(tiles)
        return found

    @cached_property
    def ready(self) -> Mapping[int, float]:
        """How likely each seat waits for one tile."""
        wall, thrown = self.uses.reader.wall(self.view), sum(tiles.total() for tiles in self.thrown.values())
        share = thrown / max(1, thrown + wall)
        weights = self.weights
        late = weights.late * (share * share)
        groups = {
            seat: len(self.view.melds(seat)) if MELDS in self.uses.reader.data.zones else 0 for seat in self.others
        }
        likely = {seat: min(1.0, weights.ready + late + weights.with_each_group * groups[seat]) for seat in self.others}
        return {seat: 1.0 if self.has_pledged(seat) else one for seat, one in likely.items()}

    def has_pledged(self, seat: int) -> bool:
        """Whether the seat has declared that it waits."""
        return any(self.view.mark(name, seat) for name in self.uses.pledged)

    def hit(self, seat: int, tile: int) -> float:
        """How likely the seat, if it waits for a tile, waits for this one."""
        weights = self.weights
        if self.thrown.get(seat, Counter())[tile]:
            return 0.0 if self.uses.own_are_safe else weights.hit * self.wanted(seat, tile) * weights.thrown
        likely = weights.hit * self.wanted(seat, tile)
        return likely * weights.earlier if any(tiles[tile] for tiles in self.thrown.values()) else likely

    def wanted(self, seat: int, tile: int) -> float:
        """From 0 to 1: how many of the possible uses of a tile this one still has."""
        left = self.position.left
        barred = self.thrown.get(seat, Counter()).keys() if self.uses.own_are_safe else frozenset[int]()
        open_ways = [
            rest
            for rest in self.uses.of_tile.get(tile, ())
            if all(left[t] >= n for t, n in rest) and (not barred or self.uses.completing[rest].isdisjoint(barred))
        ]
        in_groups = len(open_ways) / self.uses.most if self.uses.most else 0.0
        return max([in_groups, *(self.share(seat, number).get(tile, 0.0) for number in range(len(self.uses.rows)))])

    def share(self, seat: int, number: int) -> Mapping[int, float]:
        """For each tile, the share of the listed hands that the seat can still make in which it is, besides groups."""
        key = (seat, number)
        if key not in self._shares:
            self._shares[key] = self._share(seat, self.uses.rows[number])
        return self._shares[key]

    def _share(self, seat: int, rows: Rows) -> Mapping[int, float]:
        melds = tuple(
            Meld(one.group, tuple(face for face in one.tiles if face is not None), one.exposed, one.wild)
            for one in self.view.melds(seat)
            if one.group is not None
        )
        possible = rows.possible(melds)
        laid = rows.laid(melds)
        matrix = rows.matrix
        wanted = (
            matrix.fixed[:, possible] + matrix.free[:, possible] - matrix.column(laid.fixed) - matrix.column(laid.free)
        )
        parts = (wanted > 0).mean(axis=1).tolist() if wanted.shape[1] else [0.0] * len(matrix.columns)
        found = dict(zip(matrix.columns, parts, strict=True))
        for kind, own in rows.choices.items():
            for tile in own:
                found[tile] = found.get(tile, 0.0) + found.get(kind, 0.0) / len(own)
        return found
