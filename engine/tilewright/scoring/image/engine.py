"""The tables and the program of a ruleset, from which its image is made; and which tiles complete a hand, by tables.

Tables give every reading as a sum of counters, the program says which patterns hold. Wild tiles that fill gaps alone,
ranks without a tile of their own, are tiles of tables of their own, whose parts say what stands for what. Knows no
hands that won."""

from dataclasses import replace
from functools import cached_property

from tilewright.hands.reading import Hand, Meld, Part
from tilewright.hands.wild import Pair
from tilewright.language.compiled.ir import (
    HasGroups,
    Ir,
    Lookup,
    Matches,
    PickedMembers,
    Term,
    Test,
    WordCall,
    nodes,
    zones_in,
)
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.image.cases import cases_of, filled_parts, is_tabled, natural_parts, unplaced
from tilewright.scoring.image.lookup import FormTables
from tilewright.scoring.plain.plain_judge import PlainJudge
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.program.conditions import BY_TABLE, HAND_ZONES, FormIs, TileBit, expressions
from tilewright.scoring.program.layout import Layout
from tilewright.scoring.program.program import Program
from tilewright.scoring.program.values import asks_seats

# What decides words that need no reading: what they ask is in the tiles of the hand.
BY_HAND: frozenset[ToldBy] = BY_TABLE | {"hand"}


class Engine:
    """The tables of a ruleset. `tables`: of hands without wild tiles, `lookups` the cases of each form in them,
    `weights` what each face adds to the key of a hand; `searched`: the other forms; `unplaced`: melds that tables do
    not know; `filled`: what each group is with wild tiles, where tables know these."""

    def __init__(self, plain: PlainJudge) -> None:
        self.plain, self.data = plain, plain.data
        forms = self.data.forms
        self.filled, natural = filled_parts(self.data, plain.reader.wild), natural_parts(self.data)
        self.cases = [c for n, form in enumerate(forms) if is_tabled(form) for c in cases_of(self.data, n, natural)]
        self.searched = frozenset(n for n, form in enumerate(forms) if not is_tabled(form))
        most = max((case.most for case in self.cases), default=1)
        self.layout = Layout(self.data.groups, max(most, self.most_tiles) if self.searched else most)
        self.copies = {tile: number for tile, number in plain.reader.wild.copies.items() if number}
        self.tables = FormTables(self.data, self.layout, natural, self.copies, self.wild_tiles)
        self.keys, self.lookups, self.weights = self.tables.keys, self.tables.lookups, self.tables.weights
        self.unplaced = unplaced(self.cases)
        self.fits = bool(self.cases) and not any(form.shape.listed for form in forms)
        self.plain_tiles = [tile.plain for tile in self.data.tiles.tiles]
        self.facts: dict[int, int] = {}

    # --- what tables know

    @property
    def most_tiles(self) -> int:
        """How many parts a reading that is searched for may have: as many as a hand has tiles."""
        return max(
            (sum(slot.count for slot in case) for form in self.data.forms for case in form.shape.cases), default=1
        )

    @cached_property
    def wild_tiles(self) -> frozenset[int]:
        """The plain tiles that may stand for others."""
        return frozenset(tile for wild in self.data.tiles.wild for tile in wild.tiles.tiles)

    @cached_property
    def with_wild(self) -> FormTables | None:
        """The tables of hands with wild tiles, where these are known."""
        if self.filled is None:
            return None
        return FormTables(self.data, self.layout, self.filled, self.copies, frozenset())

    # --- the program

    @cached_property
    def program(self) -> Program:
        """The program, over the counters of the parts of tables."""
        return Program(self.data, self.layout)

    @property
    def questions(self) -> list[Ir]:
        """What the program asks of hands."""
        return list(self.program.conditions.questions)

    @property
    def form_bits(self) -> list[int]:
        """The fact that each form is."""
        bits = self.program.bits
        return [1 << bits[FormIs(form.id)] if FormIs(form.id) in bits else 0 for form in self.data.forms]

    @property
    def asks_others(self) -> bool:
        """Whether patterns ask for seats that did not win."""
        return any(asks_seats(ir) for pattern in self.data.patterns for ir in expressions(pattern))

    @property
    def zones_of_terms(self) -> frozenset[str]:
        """The zones that terms of the table ask for, which a hand has not."""
        asked = self.program.conditions.of_table
        terms = [node for ir in asked for node in nodes(ir) if isinstance(node, Term)]
        return frozenset(zone for term in terms for zone in set(zones_in(term.body)) - HAND_ZONES)

    @cached_property
    def literals(self) -> list[tuple[TileBit, int]]:
        """The facts that tiles decide, each with its bit."""
        return [(literal, 1 << bit) for literal, bit in self.program.bits.items() if isinstance(literal, TileBit)]

    @cached_property
    def tile_bits(self) -> list[int]:
        """The facts that each face decides."""
        return [
            sum(bit for literal, bit in self.literals if literal.holds((tile.plain,))) for tile in self.data.tiles.tiles
        ]

    def part_facts(self, number: int) -> int:
        """The facts that the tiles of a part decide, wild ones by what they stand for, too."""
        known = self.facts.get(number)
        if known is None:
            known = 0
            for identities in self.layout.parts[number].part.identities:
                for literal, bit in self.literals:
                    known |= bit if literal.holds(identities) else 0
            self.facts[number] = known
        return known

    # --- parts

    def completed(self, part: int, win: int, exposed: bool) -> int | None:
        """The number of a part that this tile completed; None where the tile is not in it."""
        before = self.layout.parts[part].part
        if win not in before.held:
            return None
        wait = self.plain.reader.wait(before.group, dict(before.wild).get(win, win))
        return self.layout.number(Part(before.group, before.tiles, exposed, False, True, before.wild), wait)

    def meld_number(self, group: int, exposed: bool) -> int:
        """The number of a meld's part."""
        tiles = self.data.groups.groups[group].tiles
        return self.layout.number(Part(group, tiles, exposed, True, wild=self.wild_in(group)))

    def is_beyond(self, hand: Hand) -> bool:
        """Whether tables do not know one of the melds."""
        return any(
            (meld.group, meld.exposed) in self.unplaced or (meld.wild and self.is_odd(meld)) for meld in hand.melds
        )

    def is_odd(self, meld: Meld) -> bool:
        """Whether tables do not know what stands for what in a meld."""
        return tuple(sorted(meld.wild)) != self.wild_in(meld.group)

    def wild_in(self, group: int) -> tuple[Pair, ...]:
        """What stands for what in a group, where tables know that."""
        part = None if self.filled is None else self.filled[group]
        return () if part is None else part.wild

    # --- waits

    def waits(self, situation: Situation) -> tuple[int, ...]:
        """The tiles that complete the hand without its winning tile to a form."""
        hand = situation.hand
        key = sum([self.weights[tile] for tile in hand.tiles])
        if not self.tells_waits or key > self.keys.all or self.is_beyond(hand):
            return self.plain.waits(situation)
        melds = [(meld.group, meld.exposed) for meld in hand.melds]
        found = {t for lookups in self.lookups for lookup in lookups for t in lookup.completing(key, melds)}
        if self.data.scoring.waits != "all":
            found -= self.held_up(hand)
        if self.searched:
            found |= set(self.rest.waits(situation))
        return tuple([tile for tile in self.data.tiles.order if tile in found])

    @cached_property
    def tells_waits(self) -> bool:
        """Whether tables tell which tiles complete a hand: there are no wild tiles, and no forms with conditions."""
        return self.fits and not self.data.tiles.wild and all(form.when is None for form in self.data.forms)

    @cached_property
    def rest(self) -> PlainJudge:
        """The plain judge of the forms that are searched for."""
        return PlainJudge(replace(self.data, forms=tuple(self.data.forms[number] for number in sorted(self.searched))))

    def held_up(self, hand: Hand) -> set[int]:
        """The tiles that a hand holds all copies of."""
        held: dict[int, int] = {}
        for tile in (*hand.tiles, *(tile for meld in hand.melds for tile in meld.tiles)):
            held[self.plain_tiles[tile]] = held.get(self.plain_tiles[tile], 0) + 1
        return {tile for tile, number in held.items() if number >= self.plain.reader.wild.copies[tile]}


def asks_reading(ir: Ir) -> bool:
    """Whether its answer may differ between the readings of a hand."""
    return any(
        isinstance(node, HasGroups | Test | Matches | PickedMembers)
        or (isinstance(node, WordCall) and not is_told_by(node.name, BY_HAND))
        or (isinstance(node, Lookup) and node.kind in ("word", "measure") and not is_told_by(node.name, BY_HAND))
        for node in nodes(ir)
    )
