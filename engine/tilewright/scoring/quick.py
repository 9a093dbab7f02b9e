"""Quick scores: hands one at a time, or some of them in a stream, scored by the kernel.

In: a situation. Out: its score, or None where the plain judge has to find it. `LoneHands` writes a hand as numbers and
reads what the kernel found; `HandStream` does the same for hands at tables that were met before.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from struct import Struct
from typing import Any, NamedTuple

from tilewright.base.kernels import Numbers, flat, listed, zeros
from tilewright.base.memory import Remembered
from tilewright.hands.reading import Hand, Meld
from tilewright.scoring.case import fits_hands_alike, limits_of
from tilewright.scoring.explain import shortfall_text, shortfall_texts
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.judging import lay_hands, score_one
from tilewright.scoring.kernel.layout import MISSING, NO_READING, RESULT_PATTERNS, ScoringArrays
from tilewright.scoring.kernel.scores import KernelScores, Worth, Worths
from tilewright.scoring.plain.judge import Values, called
from tilewright.scoring.plain.scene import Situation, open_tiles
from tilewright.scoring.score import Details, Number, PatternScore, Score
from tilewright.scoring.scores import Scores
from tilewright.tiles.notation import sort_tiles

MOST_GIVEN = 1_000  # numbers of a hand
START = at.GIVEN + at.HAND  # the first tile of a hand that is given
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
            shown = open_tiles(self.data, situation)
            count = sum(map(shown.count, self.alike[situation.hand.win])) if shown else 0
            if count:
                found += (self.seen, count)
        if self.specials:
            specials = self.kernel.image[at.SPECIALS]
            for tile in (tile for meld in situation.hand.melds for tile in meld.tiles if tile in self.specials):
                found += (specials + tile, 1, specials + self.kernel.plain_tiles[tile], -1)
        return found


# --- streams


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


# --- scores


# A worth, what a score says of it before the patterns and after them, and these where no codes say which they are.
Outline = tuple[Worth, tuple[bool, Number, str, Values], str | None, tuple[PatternScore, ...]]
made_of = tuple.__new__  # which makes a score in a third of the time


class QuickScores:
    """Scores under one ruleset; `kernel`: what scores them, None where kernels do not know the ruleset."""

    def __init__(self, scores: Scores, kernel: KernelScores | None) -> None:
        self.scores, self.kernel = scores, kernel
        self.texts = Remembered(self.text)
        self.outlines: dict[int, Outline] = {}
        self.worths: Worths | None = None  # which outlines are of

    @cached_property
    def hands(self) -> LoneHands | None:
        """Single hands as the kernel takes them."""
        return None if self.kernel is None else LoneHands(self.kernel)

    @cached_property
    def patterns(self) -> Remembered[int, PatternScore]:
        """The patterns that codes of the kernel stand for."""
        coded = self.kernel.coded if self.kernel is not None else None
        assert coded is not None
        return Remembered(lambda code: self.scores.pattern_told(coded(code)))

    @cached_property
    def stream(self) -> HandStream | None:
        """The same for some hands at a time."""
        return None if self.hands is None else HandStream(self.hands)

    def score(self, situation: Situation) -> Score | None:
        """The score of a hand, where the kernel finds it."""
        hands = self.hands
        if hands is None or not hands.known.takes(situation):
            return None
        kernel = hands.kernel
        with kernel.lock:
            found = hands.found(situation)
            return None if found is None else self.score_of(situation, found, kernel.worths)

    def wins(self, situation: Situation) -> bool | None:
        """Whether a hand is a form and reaches the minimum, where the kernel finds it."""
        hands = self.hands
        if hands is None or not hands.known.takes(situation):
            return None
        with hands.kernel.lock:
            found = hands.found(situation)
            return None if found is None else found[0] >= 0 and not hands.kernel.worths[found[0]].short

    def score_of(self, situation: Situation, found: Found, worths: Worths) -> Score:
        """The score of what was found of a hand; `worths`: of the kernel, by number."""
        number, form, codes, parts = found
        if number < 0:
            return self.scores.no_score(situation)
        if self.worths is not worths:
            self.worths, self.outlines = worths, {}
        worth, head, reason, alone = self.outlines.get(number) or self.outline(number, worths[number])
        patterns = self.patterns
        counted = tuple(map(patterns.__getitem__, codes)) or alone
        return made_of(Score, (*head, counted, reason, partial(self.details, situation, worth, form, parts)))

    def outline(self, number: int, worth: Worth) -> Outline:
        """What scores of a worth say."""
        best, reason = self.scores.data.scoring.best, shortfall_text(worth.short)
        total = 0 if reason else worth.values[best]
        alone = tuple(map(self.scores.pattern_score, worth.counted or ()))
        self.outlines[number] = worth, (not reason, total, best, worth.values), reason or None, alone
        return self.outlines[number]

    def details(self, situation: Situation, worth: Worth, form: int, parts: bytes) -> Details:
        """The reading, the payments, the name of the amount, and why the hand does not win."""
        scores, data, values = self.scores, self.scores.data, worth.values
        reading = tuple([self.texts[part] for part in array("q", parts) if part >= 0])
        name = data.forms[form].id
        if worth.short is not None:
            return Details(reading, name, reasons=shortfall_texts(worth.short, data))
        return Details(reading, name, scores.paid(situation, values), called=called(data, values))

    def text(self, part: int) -> str:
        """A part of a reading as text."""
        assert self.hands is not None
        return self.scores.group_text(self.hands.known.parts[part])
