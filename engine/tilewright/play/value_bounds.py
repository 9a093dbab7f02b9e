"""Bounds of values: what a hand can be worth at most, told from its melds and tiles before it is read.

In: a compiled ruleset with a minimum that patterns add up to. Out: for each pattern what it adds, and what has to hold
for that, as one list of numbers and as conditions of the table; a kernel adds up what may hold
(`play.compiled.kernel.worth`). Whatever is not known here may hold. Knows no table.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, product
from math import lcm

from tilewright.hands.reading import Shape
from tilewright.language.compiled.ir import (
    Apply,
    Const,
    HasGroups,
    Ir,
    Lookup,
    Matches,
    Term,
    Test,
    Want,
    WantedCase,
    nodes,
)
from tilewright.language.compiled.ruleset import CompiledRuleset, Pattern
from tilewright.language.vocabulary import words
from tilewright.play import form_search as at
from tilewright.play.form_search import FormSearch
from tilewright.scoring.plain.walker import as_set
from tilewright.scoring.program.conditions import HAND_ZONES
from tilewright.scoring.program.texts import NotPlain, Part, plain, signs_of
from tilewright.tiles.notation import notation_of

WINDS = (words.seat_wind.name, words.round_wind.name)
OF_TABLE = (words.self_draw.name, words.concealed.name)
MOST_FACTS, MOST_SUITS, MUCH = 24, 5, 1 << 40


class NotBounded(Exception):
    """Nothing is known of what hands are worth at most."""


class ValueBounds:
    """The bounds of a ruleset. `facts`: conditions of the table, by number; `numbers`: the least that a hand has to be
    worth and what patterns add. Raises NotBounded."""

    def __init__(self, data: CompiledRuleset, search: FormSearch) -> None:
        self.data, self.search, self.wild = data, search, search.wild
        self.groups, self.facts = data.groups.groups, dict[Ir, int]()
        self.hosted = frozenset().union(*map(self.groups_with_melds, (form.shape for form in data.forms)))
        measure, least = self.minimum()
        self.numbers = [0] * at.HEADER
        patterns = [one for one in data.patterns if not one.extra]
        worths = [self.worth(one, measure) for one in patterns]
        scale = lcm(least.denominator, *(worth.denominator for worth in worths))
        self.numbers[at.LEAST] = int(least * scale)
        self.lay_groups()
        rows = [self.pattern(one, int(worth * scale)) for one, worth in zip(patterns, worths, strict=True) if worth > 0]
        self.numbers[at.PATTERNS] = self.extended([len(rows), *rows])

    def extended(self, numbers: Iterable[int]) -> int:
        start = len(self.numbers)
        self.numbers += numbers
        return start

    def minimum(self) -> tuple[str, Fraction]:
        """The measure that a hand has to reach something of, and how much; patterns alone add to it."""
        scoring = self.data.scoring
        if len(scoring.minimum) != 1 or scoring.worth_more is not None or any(one.brings for one in scoring.measures):
            raise NotBounded
        ((name, ir),) = scoring.minimum
        (measure,) = (one for one in scoring.measures if one.id == name)
        least = number_of(ir)
        if measure.value is not None or measure.start is not None or measure.table or least <= 0:
            raise NotBounded
        return name, least

    @staticmethod
    def worth(pattern: Pattern, measure: str) -> Fraction:
        """What a pattern adds at most, once."""
        if pattern.limit:
            return Fraction(MUCH)
        found = [Fraction(0)]
        for ir in (pattern.worth.get(measure), (pattern.exposed or {}).get(measure)):
            if ir is not None:
                found.append(number_of(ir))
        return max(found)

    def groups_with_melds(self, shape: Shape) -> frozenset[int]:
        """The groups of a form inside which melds may lie."""
        slots = [slot for case in shape.cases for slot in case] if shape.melds else []
        return frozenset().union(*(slot.groups for slot in slots))

    def lay_groups(self) -> None:
        """The tiles of groups, the suits of tiles, and which are wild."""
        places = []
        for group in self.groups:
            counts = Counter(group.tiles)
            places.append(self.extended([len(counts), *(number for pair in counts.items() for number in pair)]))
        self.numbers[at.GROUPS] = self.extended(places)
        suits = {suit.id: number for number, suit in enumerate(self.data.tiles.suits)}
        self.numbers[at.SUITS] = self.extended(suits.get(tile.suit or "", -1) for tile in self.data.tiles.tiles)
        stands = self.wild.stands_for
        self.numbers[at.STANDS] = self.extended(self.bits(stands.get(t.index, ())) for t in self.data.tiles.tiles)

    # --- patterns

    def pattern(self, pattern: Pattern, worth: int) -> int:
        """The record of a pattern: its worth, the facts of the table, its other conditions, how often it may count."""
        facts, conditions = 0, list[int]()
        for ir in parts_of(pattern.when):
            if is_of_table(ir):
                if ir not in self.facts and len(self.facts) == MOST_FACTS:
                    continue
                facts |= 1 << self.facts.setdefault(ir, len(self.facts))
            else:
                conditions += (self.extended(one) for one in self.condition(ir))
        times = 0
        if pattern.times is not None:
            worth *= max(0, int(number_of(pattern.times)))
        if pattern.each is not None:
            times, worth = self.each(pattern.each), worth * len(pattern.each)
        return self.extended([worth, facts, times, len(conditions), *conditions])

    def condition(self, ir: Ir) -> Iterator[list[int]]:
        """What has to hold for a condition of the hand; nothing where that is not known."""
        match ir:
            case HasGroups():
                if all(map(self.is_counted, ir.cases)):
                    cases = [self.case(case) for case in ir.cases]
                    yield [at.HAS_GROUPS, len(cases), *cases]
            case Test(op="only") if all(isinstance(one, Const) for one in ir.classes):
                tiles = {tile for one in ir.classes if isinstance(one, Const) for tile in as_set(one.value)}
                yield [at.WITHIN, self.bits(tiles)]
            case Apply(op="==", args=(Lookup(kind="word", name=words.form.name, of=None), Const(value=form))):
                records = self.search.places.get(str(form), [])
                yield [at.IS_FORM, len(records), *records]
            case Matches(of="hand"):
                with_parts = self.parts(ir)
                if with_parts is not None:
                    yield from self.spelled(ir, with_parts)

    def bits(self, tiles: Iterable[int]) -> int:
        return sum(1 << tile for tile in set(tiles))

    # --- groups

    def is_counted(self, case: WantedCase) -> bool:
        """Whether the groups of a case are known before the hand is read."""
        return all(not want.tiles and not want.each and not want.groups & self.hosted for want in case.wants)

    def case(self, case: WantedCase) -> int:
        fitting = [self.fitting(want) for want in case.wants]
        needed = frozenset[int]().union(*(self.needed(groups[at.LIST :]) for groups in fitting))
        wants = [
            self.extended([want.count, int(want.exposed is False), *groups])
            for want, groups in zip(case.wants, fitting, strict=True)
        ]
        return self.extended([self.bits(needed), len(wants), *wants])

    def needed(self, groups: Sequence[int]) -> frozenset[int]:
        """The tiles that are in each of some groups."""
        tiles = [frozenset(self.groups[group].tiles) for group in groups]
        return tiles[0].intersection(*tiles) if tiles else frozenset()

    def each(self, alternatives: tuple[tuple[WantedCase, ...], ...]) -> int:
        """The groups that a pattern counts once for each of; 0 where that is not known."""
        wants = [want for cases in alternatives for case in cases for want in case.wants]
        single = all(len(case.wants) == 1 for cases in alternatives for case in cases)
        if not single or not all(self.is_counted(case) for cases in alternatives for case in cases):
            raise NotBounded
        fitting = [self.fitting(want)[at.LIST :] for want in wants]
        return self.extended(self.group_list(sorted({group for one in fitting for group in one})))

    def fitting(self, want: Want) -> list[int]:
        """The groups that fit, after the size of the smallest and how many they are."""
        every, tiles = want.groups | want.meld_groups, self.possible_tiles(want.of)
        return self.group_list(
            sorted(group for group in every if tiles is None or tiles.issuperset(self.groups[group].tiles))
        )

    def group_list(self, groups: list[int]) -> list[int]:
        smallest = min((len(self.groups[group].tiles) for group in groups), default=1)
        return [smallest, len(groups), *groups]

    def possible_tiles(self, ir: Ir | None) -> frozenset[int] | None:
        """The tiles that a class may have at any table; None for any."""
        if isinstance(ir, Lookup) and ir.kind == "word" and ir.name in WINDS and ir.of is None:
            winds = {*self.data.seats.winds, *(self.data.play.match.rounds if self.data.play is not None else ())}
            return frozenset(winds)
        return None

    # --- texts

    @staticmethod
    def parts(ir: Matches) -> Part | None:
        try:
            return plain(ir.regex)
        except NotPlain:
            return None

    def spelled(self, ir: Matches, part: Part) -> Iterator[list[int]]:
        """What has to hold for tiles that are written so: of which tiles they are, how many of some, of which suits."""
        signs = notation_of(self.data.tiles).string_parts
        heads = {tile: signs[tile][0] for tile in range(len(self.data.tiles.tiles))}
        tails = {tile: signs[tile][1] if ir.suits else "" for tile in heads}
        written, suits = signs_of(part), frozenset(tails.values()) - {""}
        if not ir.anywhere:
            yield [at.WITHIN, self.bits(tile for tile in heads if written.issuperset(heads[tile] + tails[tile]))]
            if suits and ir.order == "sorted" and len(suits) <= MOST_SUITS and all(len(one) == 1 for one in suits):
                yield [at.OF_SUITS, *self.suits_that_fit(part, suits, tails)]
        for sign, least in part.least().items():
            if sign not in suits and all(head.count(sign) < 2 for head in heads.values()):
                yield [at.HAS_COPIES, self.bits(tile for tile, head in heads.items() if sign in head), least]

    def suits_that_fit(self, part: Part, suits: frozenset[str], tails: dict[int, str]) -> list[int]:
        """Which sets of suits may be written so, a bit for each set, sets as bits of suits; first without, then with
        wild tiles, which may add suits."""
        tiles, places = self.data.tiles.tiles, notation_of(self.data.tiles).string_places
        order = [suit.id for suit in self.data.tiles.suits]
        sign = {tile.suit: tails[tile.index] for tile in tiles if tile.suit}
        there = sorted((places[tile.index], tile.suit) for tile in tiles if tile.suit and tile.copies)
        rest = sorted((places[tile.index], tile.suit) for tile in tiles if tile.suit and not tile.copies)
        runs = [suit for suit, _ in groupby(suit for _, suit in there)]
        if len(order) > MOST_SUITS or len(runs) > len(order) or len(rest) > MOST_SUITS:
            return [-1, -1]  # any
        expression, exact, wild = re.compile(part.kept(suits)), 0, 0
        for number in range(1 << len(order)):
            chosen = {suit for place, suit in enumerate(order) if number >> place & 1}
            own = [next(one for one in there if one[1] == suit) for suit in runs if suit in chosen]
            exact |= bool(expression.fullmatch("".join(sign[suit] for _, suit in own))) << number
            if any(expression.fullmatch(text) for text in texts_with(own, rest, sign)):
                wild |= sum(1 << less for less in range(number + 1) if less & ~number == 0)
        return [exact, wild]


def texts_with(own: list[tuple[int, str]], rest: list[tuple[int, str]], sign: Mapping[str, str]) -> Iterator[str]:
    """The signs of suits in order, with any of the rest among them; of two alike side by side, perhaps one."""
    for held in product((False, True), repeat=len(rest)):
        row = sorted([*own, *(one for one, there in zip(rest, held, strict=True) if there)])
        signs = [sign[suit] for _, suit in row]
        yield "".join(signs)
        yield "".join(one for one, _ in groupby(signs))


def number_of(ir: Ir) -> Fraction:
    """The number of a constant. Raises NotBounded."""
    if isinstance(ir, Const) and isinstance(ir.value, int | Fraction):
        return Fraction(ir.value)
    raise NotBounded


def parts_of(ir: Ir | None) -> Iterator[Ir]:
    """The conditions that all have to hold."""
    if isinstance(ir, Apply) and ir.op == "and":
        for part in ir.args:
            yield from parts_of(part)
    elif ir is not None:
        yield ir


def is_of_table(ir: Ir) -> bool:
    """Whether it is a mark, a term or a word that tells something of the table."""
    if isinstance(ir, Lookup):
        return ir.of is None and ir.type == "truth" and (ir.kind == "mark" or ir.name in OF_TABLE)
    return isinstance(ir, Term) and all(map(is_part_of_table, nodes(ir)))


def is_part_of_table(ir: Ir) -> bool:
    """Whether a part of an expression is about the table, and not about a hand."""
    if isinstance(ir, Lookup):
        of_zone = ir.kind == "zone" and ir.name not in HAND_ZONES
        return ir.of is None and (of_zone or ir.kind == "mark" or (ir.kind == "word" and ir.name in OF_TABLE))
    return isinstance(ir, Apply | Const) or (isinstance(ir, Term) and ir.of is None)
