"""Streams of hands: the tiles of each at a table that was met before in, results of the kernel for all of them out.

Knows no text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tilewright.base.kernels import Numbers, flat, listed, zeros
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
        self.lone, self.kernel, self.image, self.data = lone, lone.kernel, lone.known, lone.data
        self.plain_tiles = self.kernel.plain_tiles
        self.limits = listed("i", limits_of(self.data))
        self.width = self.kernel.image[at.MELDS] + 2 * self.most_melds

    @property
    def most_melds(self) -> int:
        """Of a hand."""
        return int(self.lone.most_melds)

    # --- what many hands share

    def table(self, situation: Situation) -> StreamTable | None:
        """The table of a hand that was checked; None where hands at it are scored one by one."""
        bonus = situation.hand.bonus
        alone = replace(situation, hand=Hand((), (), None, bonus), zones={})
        if (
            not self.image.faces.isdisjoint(bonus)
            or not self.image.takes(alone)
            or not fits_hands_alike(self.data, situation)
        ):
            return None
        context, shown = self.kernel.context(situation), self.kernel.exposes and not situation.self_draw
        return StreamTable(alone, context, shown, tuple(self.lone.cells(alone)), self.lying(alone))

    def zones(self, situation: Situation) -> StreamZones | None:
        """The zones of a hand that was checked; None where hands with such zones are scored one by one."""
        zones = situation.zones
        if not self.image.zones.isdisjoint(zones):
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
        if meld.wild or meld.discarder is not None or number in self.image.unplaced:
            return None
        if special and not self.lone.specials:
            return None
        cells = tuple(self.lone.cells(Situation(Hand((), (meld,)))))
        return StreamMeld(meld, number, cells, plain if meld.exposed else ())

    # --- hands

    def results(self, hands: Sequence[StreamHand]) -> Numbers:
        """The columns of a result for each hand, one after the other; BY_ITSELF for those that are scored one by
        one."""
        numbers, starts, seen = list[int](), list[int](), self.lone.seen
        for table, zones, tiles, win, melds in hands:
            cells, lying = table.cells + zones.cells, []
            for meld in melds:
                cells += meld.cells
                lying.append(meld.number)
            if seen is not None:
                kind = self.plain_tiles[win]
                there = table.open.get(kind, 0) + zones.open.get(kind, 0)
                for meld in melds:
                    there += meld.open.count(kind)
                cells += seen, there
            starts.append(len(numbers))
            sizes = len(tiles), len(lying), len(cells) >> 1
            numbers += (*sizes, win, table.context, table.shown, *tiles, *lying, *cells)
        rows, which = zeros("i", len(hands), self.width), zeros("q", len(hands))
        given, kernel = (listed("i", numbers), listed("q", starts)), self.kernel
        return flat(kernel.judge(rows, which, lay_hands(kernel.image, rows, *given, self.limits, which, kernel.space)))

    def situation(self, hand: StreamHand) -> Situation:
        """A hand at its table."""
        there, melds = hand.table.situation, tuple([one.meld for one in hand.melds])
        held = Hand(sort_tiles(hand.tiles, self.data.tiles), melds, hand.win, there.hand.bonus)
        return replace(there, hand=held, zones=hand.zones.zones)

    def found(self, result: Numbers) -> Found:
        """What a result says of a hand."""
        return self.lone.found_in(result)
