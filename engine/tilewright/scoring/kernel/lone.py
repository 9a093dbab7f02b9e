"""Hands one at a time: a situation in, what the kernel found of it out. Knows no text."""

from collections.abc import Sequence
from functools import partial
from struct import Struct
from typing import Any

from tilewright.base.kernels import flat, zeros
from tilewright.base.memory import Remembered
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.judging import score_one
from tilewright.scoring.kernel.layout import (
    MISSING,
    NO_READING,
    RESULT_PATTERNS,
    ScoringArrays,
)
from tilewright.scoring.kernel.scores import KernelScores
from tilewright.scoring.plain.scene import open_tiles
from tilewright.scoring.plain.situation import Situation

MOST_GIVEN = 1_000  # numbers of a hand
START = at.GIVEN + at.HAND  # the first tile of a hand that is given
Cells = Sequence[int]  # columns, each followed by what to add to it
# What was found of a hand: the number of its worth, -1 without a reading; its form; the codes of the patterns that
# count, none where the worth says them; and its parts, melds first, numbers of 64 bits.
Found = tuple[int, int, Sequence[int], bytes]


class LoneHands:
    """The kernel, for one hand after the other."""

    def __init__(self, kernel: KernelScores) -> None:
        self.kernel, self.known, self.data = kernel, kernel.known_image, kernel.data
        image = kernel.image
        depth = image[at.DEPTH]
        self.given = given = zeros("i", MOST_GIVEN)
        self.hands = zeros("i", 1, image[at.MELDS] + 2 * depth)
        self.results = zeros("q", 1, kernel.result_width)
        self.missing = zeros("q", 1, kernel.missing_width)
        self.parts = kernel.result_width - depth  # where they begin in a result
        self.first_code = first = self.parts - at.MOST_CODES
        result = flat(self.results)
        self.head, self.read_parts = result[:RESULT_PATTERNS], result[self.parts :].tobytes
        self.codes = [result[first : first + count] for count in range(at.MOST_CODES + 1)]
        self.exposes, self.most_melds = kernel.exposes, depth
        self.lay = Remembered[int, Any](lambda count: partial(Struct(f"{count}i").pack_into, given))
        self.lay_out_cells()
        self.bind()

    def lay_out_cells(self) -> None:
        """Where a hand says what its questions count."""
        data, image = self.data, self.kernel.image
        columns = {cells: image[at.CELLS] + place for cells, place in self.known.cells.items()}
        self.zones = [(cells.name, column) for cells, column in columns.items() if cells.source == "zone"]
        self.flags = [(cells.name, column) for cells, column in columns.items() if cells.source == "flag"]
        self.seen = next((column for cells, column in columns.items() if cells.source == "shown"), None)
        counts_faces, plain = image[at.SPECIALS] < image[at.MELDS], self.kernel.plain_tiles
        special = {face for face, tile in enumerate(data.tiles.tiles) if tile.plain != face}
        self.alike = [[face for face, kind in enumerate(plain) if kind == plain[one]] for one in range(len(plain))]
        self.specials = frozenset(special) if counts_faces else frozenset[int]()
        self.asks = bool(self.zones or self.flags or self.specials or self.seen is not None)

    def found(self, situation: Situation) -> Found | None:
        """What the kernel finds of a hand that the engine takes; None where it leaves the hand to the engine."""
        kernel, hand, known = self.kernel, situation.hand, self.known
        melds: list[int] = []  # which is made faster than `list[int]()`
        is_open = False
        for meld in hand.melds:
            number = 2 * meld.group
            if meld.exposed:
                is_open = True
                number += 1
            if number in known.unplaced or (meld.wild and known.is_odd(meld)):
                return None
            melds.append(number)
        if kernel.is_full:
            kernel.forget()
        tiles, cells = hand.tiles, self.cells(situation) if self.asks else ()
        held, lying, several = len(tiles), len(melds), len(cells)
        count = START + held + lying + several
        if count >= MOST_GIVEN or lying > self.most_melds:
            return None
        context, shown = kernel.context_of(situation, is_open), self.exposes and not situation.self_draw
        self.lay[count](0, held, lying, several >> 1, hand.win or 0, context, shown, *tiles, *melds, *cells)
        if self.bound != kernel.replaced:
            self.bind()
        while (worth := self.run()) == MISSING:
            self.learn()
            if self.bound != kernel.replaced:
                self.bind()
        if worth < NO_READING:
            return None
        _, form, coded = self.head.tolist()
        return worth, form, self.codes[coded].tolist(), self.read_parts()

    def learn(self) -> None:
        """Work out what the kernel has noted as missing."""
        self.kernel.add(flat(self.missing).tolist())

    def found_in(self, result: Any) -> Found:
        """What a result says of a hand."""
        number, form, coded = result[:RESULT_PATTERNS]
        return number, form, result[self.first_code : self.first_code + coded].tolist(), result[self.parts :].tobytes()

    def bind(self) -> None:
        """Have the kernel look at the arrays as they are now."""
        self.run, self.bound = score_one.bind(self.arguments), self.kernel.replaced

    @property
    def arguments(self) -> ScoringArrays:
        """What the kernel takes, as it is now: tables that grow are replaced."""
        return self.kernel.arrays(self.hands, self.results, self.missing, self.given)

    def cells(self, situation: Situation) -> list[int]:
        """What a hand says of what questions count."""
        found: list[int] = []
        for name, column in self.zones:
            for tile in situation.hand.bonus if name == "bonus" else situation.zones.get(name, ()):
                found += (column + tile, 1)
        if situation.flags or situation.marks:
            for name, column in self.flags:
                if name in situation.flags or situation.marks.get(name):
                    found += (column, 1)
        if self.seen is not None and situation.hand.win is not None:
            shown, count = open_tiles(self.data, situation), 0
            for face in self.alike[situation.hand.win]:
                count += shown.count(face)
            if count:
                found += (self.seen, count)
        if self.specials:
            specials = self.kernel.image[at.SPECIALS]
            for tile in (tile for meld in situation.hand.melds for tile in meld.tiles if tile in self.specials):
                found += (specials + tile, 1, specials + self.kernel.plain_tiles[tile], -1)
        return found
