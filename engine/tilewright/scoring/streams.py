"""Streams of hands: the tiles of each at a table that was met before in, results of the kernel for all of them out.

Knows no text."""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.hands.reading import Hand, Meld
from tilewright.scoring.case import fits_hands_alike, limits_of
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.judging import lay_hands
from tilewright.scoring.kernel.lone import Found, LoneHands
from tilewright.scoring.plain.scene import open_tiles
from tilewright.scoring.plain.situation import Situation
from tilewright.tiles.notation import sort_tiles

Cells = tuple[int, ...]  # columns, each followed by what to add to it


@dataclass(frozen=True, slots=True, eq=False)
class StreamTable:
    """What is the same for all hands at a table, concealed ones or others: the situation without their tiles and zones,
    the number of its context, whether a completed part is exposed, the cells that it decides, and how many of each
    plain tile lie open."""

    situation: Situation
    context: int
    shown: bool
    cells: Cells
    open: Counter[int]


@dataclass(frozen=True, slots=True, eq=False)
class StreamZones:
    """What zones decide: cells, and how many of each plain tile lie open."""

    zones: Mapping[str, tuple[int, ...]]
    cells: Cells
    open: Counter[int]


@dataclass(frozen=True, slots=True, eq=False)
class StreamMeld:
    """A meld: twice its group, one more where it is exposed; the cells that it decides; its plain tiles if it is
    exposed."""

    meld: Meld
    number: int
    cells: Cells
    open: Sequence[int]


class StreamHand(NamedTuple):
    table: StreamTable
    zones: StreamZones
    tiles: Sequence[int]
    win: int
    melds: Sequence[StreamMeld]


class HandStream:
    """Hands under one ruleset, some at a time. Tables are of one generation of what the kernel met."""

    def __init__(self, lone: LoneHands) -> None:
        self.lone, self.kernel, self.engine, self.flat = lone, lone.kernel, lone.engine, lone.flat
        self.data, self.plain_tiles = self.engine.data, self.engine.plain_tiles
        self.limits = np.array(limits_of(self.data), np.int32)
        self.width = int(self.kernel.image[at.MELDS]) + 2 * self.flat.depth
        self.lay_hands = lay_hands.run
        self.results(())  # the first time it is compiled

    @property
    def most_melds(self) -> int:
        """Of a hand."""
        return self.flat.depth

    # --- what many hands share

    def table(self, situation: Situation) -> StreamTable | None:
        """The table of a hand that was checked; None where hands at it are scored one by one."""
        bonus = situation.hand.bonus
        alone = replace(situation, hand=Hand((), (), None, bonus), zones={})
        known = any(self.engine.weights[tile] <= self.engine.keys.all for tile in bonus)
        if known or not self.engine.takes(alone) or not fits_hands_alike(self.data, situation):
            return None
        context, shown = self.kernel.context(situation), self.engine.exposes and not situation.self_draw
        return StreamTable(alone, context, shown, tuple(self.lone.cells(alone)), self.lying(alone))

    def zones(self, situation: Situation) -> StreamZones | None:
        """The zones of a hand that was checked; None where hands with such zones are scored one by one."""
        zones = situation.zones
        if not self.engine.zones_of_terms.isdisjoint(zones):
            return None
        alone = Situation(Hand(()), zones=zones)
        return StreamZones(zones, tuple(self.lone.cells(alone)), self.lying(alone))

    def lying(self, situation: Situation) -> Counter[int]:
        """How many of each plain tile lie open."""
        return Counter([self.plain_tiles[tile] for tile in open_tiles(self.data, situation)])

    def meld(self, meld: Meld) -> StreamMeld | None:
        """A meld; None where hands with it are scored one by one."""
        number, plain = 2 * meld.group + meld.exposed, [self.plain_tiles[tile] for tile in meld.tiles]
        special = any(tile != one for tile, one in zip(meld.tiles, plain, strict=True))
        if meld.wild or meld.discarder is not None or number in self.kernel.unplaced:
            return None
        if special and not self.lone.specials:
            return None
        cells = tuple(self.lone.cells(Situation(Hand((), (meld,)))))
        return StreamMeld(meld, number, cells, plain if meld.exposed else ())

    # --- hands

    def results(self, hands: Sequence[StreamHand]) -> Array:
        """The columns of a result for each hand; BY_ITSELF for those that are scored one by one."""
        numbers, starts = list[int](), list[int]()
        seen = self.lone.seen
        for table, zones, tiles, win, melds in hands:
            cells = table.cells + zones.cells
            for meld in melds:
                cells += meld.cells
            if seen is not None:
                kind = self.plain_tiles[win]
                cells += seen, table.open[kind] + zones.open[kind] + sum([meld.open.count(kind) for meld in melds])
            starts.append(len(numbers))
            numbers += (len(tiles), len(melds), len(cells) >> 1, win, table.context, table.shown)
            numbers += tiles
            numbers += [meld.number for meld in melds]
            numbers += cells
        rows, fitting = np.empty((len(hands), self.width), np.int32), np.empty(len(hands), np.bool_)
        given = np.array(array("i", numbers), np.int32), np.array(starts, np.int64)
        self.lay_hands(self.kernel.image, rows, *given, self.limits, fitting, self.kernel.space)
        return self.kernel.judge(rows, np.flatnonzero(fitting))

    def situation(self, hand: StreamHand) -> Situation:
        """A hand at its table."""
        there, melds = hand.table.situation, tuple([one.meld for one in hand.melds])
        held = Hand(sort_tiles(hand.tiles, self.data.tiles), melds, hand.win, there.hand.bonus)
        return replace(there, hand=held, zones=hand.zones.zones)

    def found(self, result: Array) -> Found:
        """What a result says of a hand."""
        return self.lone.found_in(result)
