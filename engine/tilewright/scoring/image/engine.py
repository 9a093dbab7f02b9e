"""The engine: a won hand in, the verdict on its best reading out, from the image of a ruleset.

Tables give every reading as a sum of counters, the program says which patterns hold, and what they come to is worked
out once for each combination. Wild tiles that fill gaps alone, ranks without a tile of their own, are tiles of tables
of their own, whose parts say what stands for what. Hands that the image does not know (other wild tiles, zones that a
case has, hands that did not win) are left to the plain judge; so are readings in forms that are searched for."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tilewright.hands.reading import Hand, Meld, Part, Reading
from tilewright.hands.readings import TooManyReadings
from tilewright.hands.wild import Pair
from tilewright.language.compiled.ir import HasGroups, Ir, Lookup, Matches, PickedMembers, Term, Test, WordCall
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.image.bonus import BonusTiles
from tilewright.scoring.image.cases import cases_of, filled_parts, is_tabled, natural_parts, unplaced
from tilewright.scoring.image.context import Context, Contexts
from tilewright.scoring.image.lookup import FormTables, Memory
from tilewright.scoring.image.query import HandQuery
from tilewright.scoring.image.settling import Asked, Settling
from tilewright.scoring.image.values import Frame, KnownValues, asks_seats
from tilewright.scoring.plain.judge import Verdict
from tilewright.scoring.plain.plain_judge import BestReading, PlainJudge
from tilewright.scoring.plain.resolve import Counted, beside_sole
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.plain.walker import nodes, zones_in
from tilewright.scoring.program.conditions import BY_TABLE, HAND_ZONES, FormIs, TileBit, expressions
from tilewright.scoring.program.layout import Layout
from tilewright.scoring.program.program import Program
from tilewright.scoring.program.questions import answer_of

# What decides words that need no reading: what they ask is in the tiles of the hand.
MOST_CONTEXTS = 2_000  # each with verdicts of its own
BY_HAND: frozenset[ToldBy] = BY_TABLE | {"hand"}


class Engine:
    """Fast scoring under one ruleset. `tables`: of hands without wild tiles, `lookups` the cases of each form in them,
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
        self.program = Program(self.data, self.layout)
        self.copies = {tile: number for tile, number in plain.reader.wild.copies.items() if number}
        self.tables = FormTables(self.data, self.layout, natural, self.copies, self.wild_tiles)
        self.keys, self.lookups, self.weights = self.tables.keys, self.tables.lookups, self.tables.weights
        self.unplaced = unplaced(self.cases)
        self.fits = bool(self.cases) and not any(form.shape.listed for form in forms)
        self.plain_tiles = [tile.plain for tile in self.data.tiles.tiles]
        bits = self.program.bits
        self.form_bits = [1 << bits[FormIs(form.id)] if FormIs(form.id) in bits else 0 for form in forms]
        self.tile_bits = self.bits_of_tiles()
        self.exposes = self.data.scoring.completed_by_discard == "exposed"
        self.contexts, self.settling = Contexts(self.program), Settling(self.data, self.program)
        self.values = KnownValues(self.data)
        self.questions = list(self.program.conditions.questions)
        self.answers = [answer_of(ir, self.data) for ir in self.questions]
        self.of_hand = [not asks_reading(ir) for ir in self.questions]
        self.asks_others = any(asks_seats(ir) for pattern in self.data.patterns for ir in expressions(pattern))
        terms = [node for ir in self.contexts.questions for node in nodes(ir) if isinstance(node, Term)]
        self.zones_of_terms = {zone for term in terms for zone in set(zones_in(term.body)) - HAND_ZONES}
        self.order = {pattern.id: number for number, pattern in enumerate(self.data.patterns)}
        self.bonus = BonusTiles(self.data, [*self.contexts.questions, *self.values.questions])
        self.known_contexts = Memory(MOST_CONTEXTS)
        self.orders: dict[int, Any] = {}
        self.completions: dict[tuple[int, int, bool], tuple[int, int, str] | None] = {}
        self.melds: dict[tuple[int, bool], int] = {}
        self.facts: dict[int, int] = {}

    # --- made once

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

    @cached_property
    def literals(self) -> list[tuple[TileBit, int]]:
        """The facts that tiles decide, each with its bit."""
        return [(literal, 1 << bit) for literal, bit in self.program.bits.items() if isinstance(literal, TileBit)]

    def bits_of_tiles(self) -> list[int]:
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

    # --- hands

    def takes(self, situation: Situation) -> bool:
        """Whether the image knows the situation; others are left to the plain judge."""
        known = situation.won and self.fits and self.zones_of_terms.isdisjoint(situation.zones)
        return known and not (self.asks_others and (situation.others or situation.flags_of))

    def best(self, situation: Situation) -> BestReading | None:
        """The verdict on the best reading, and how to get its scene; None for a hand without a reading."""
        if not self.takes(situation):
            return self.plain.best_with_scene(situation)
        hand, tables = situation.hand, self.tables
        key = self.key(hand, tables)
        if key > self.keys.all and self.with_wild is not None:
            tables = self.with_wild
            key = self.key(hand, tables)
        if key > tables.keys.all or (hand.melds and self.is_beyond(hand)):
            return self.plain.best_with_scene(situation)
        try:
            return HandQuery(self, situation, key, tables).best()
        except TooManyReadings:
            if tables is self.tables:
                raise
            return self.plain.best_with_scene(situation)

    @staticmethod
    def key(hand: Hand, tables: FormTables) -> int:
        """The key of a hand; beyond all where tables do not know one of its tiles."""
        weights = tables.weights
        return sum([weights[tile] for tile in hand.tiles], weights[hand.win or 0])

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

    def context(self, situation: Situation) -> Context:
        """The table of the situation, its questions answered once."""
        key = self.context_key(situation)
        known: Context | None = self.known_contexts.get(key)
        if known is None:
            known = self.contexts.made(HandScene(self.data, situation, judge=self))
            self.known_contexts.keep(key, known)
        return known

    def context_key(self, situation: Situation) -> Hashable:
        """What decides the table of the situation."""
        is_open = False
        for meld in situation.hand.melds:
            is_open = is_open or meld.exposed
        return situation.key, self.bonus.signature(situation), is_open

    def tile_facts(self, hand: Hand) -> int:
        """The facts that the tiles of a hand decide."""
        bits, tile_bits = 0, self.tile_bits
        for tile in hand.tiles:
            bits |= tile_bits[tile]
        for meld in hand.melds:
            for tile in self.data.groups.groups[meld.group].tiles:
                bits |= tile_bits[tile]
        return bits | tile_bits[hand.win or 0]

    # --- parts

    def part_order(self, number: int) -> Any:
        """Where a part stands among the others of a hand."""
        order = self.orders.get(number)
        if order is None:
            order = self.orders[number] = self.plain.reader.part_order(self.layout.parts[number].part)
        return order

    def completed(self, part: int, win: int, exposed: bool) -> tuple[int, int, str] | None:
        """A part that this tile completed: its number, what the counters gain by that, and the wait; None where the
        tile is not in it."""
        key = part, win, exposed
        if key not in self.completions:
            self.completions[key] = self.newly_completed(part, win, exposed)
        return self.completions[key]

    def newly_completed(self, part: int, win: int, exposed: bool) -> tuple[int, int, str] | None:
        before = self.layout.parts[part].part
        if win not in before.held:
            return None
        wait = self.plain.reader.wait(before.group, dict(before.wild).get(win, win))
        done = self.layout.number(Part(before.group, before.tiles, exposed, False, True, before.wild), wait)
        return done, self.layout.row(done) - self.layout.row(part), wait

    def meld_number(self, group: int, exposed: bool) -> int:
        """The number of a meld's part."""
        key = group, exposed
        if key not in self.melds:
            tiles = self.data.groups.groups[group].tiles
            self.melds[key] = self.layout.number(Part(group, tiles, exposed, True, wild=self.wild_in(group)))
        return self.melds[key]

    def may_be(self, form: int, hand: Hand) -> bool:
        """Whether the melds of a hand may lie on the table in a form that is searched for, and identical tiles occur in
        the numbers that it needs."""
        alike = self.alike[form]
        if alike > 1 and not hand.melds:
            held: dict[int, int] = {}
            for tile in (*hand.tiles, hand.win or 0):
                held[self.plain_tiles[tile]] = held.get(self.plain_tiles[tile], 0) + 1
            return not any(number % alike for number in held.values())
        return not (self.data.forms[form].shape.concealed and any(meld.exposed for meld in hand.melds))

    @cached_property
    def alike(self) -> list[int]:
        """How many identical tiles each group of a form has, if it has no others; else 1."""
        return [self.alike_in(form) for form in range(len(self.data.forms))]

    def alike_in(self, form: int) -> int:
        slots = [slot for case in self.data.forms[form].shape.cases for slot in case]
        groups = [self.data.groups.groups[index] for slot in slots for index in slot.groups]
        sizes = {len(group.tiles) if len(set(group.tiles)) == 1 else 1 for group in groups}
        return sizes.pop() if len(sizes) == 1 and not any(slot.tiles for slot in slots) else 1

    # --- verdicts

    def frame(self, context: Context, form: int, situation: Situation) -> Frame:
        """What measures ask of every reading in a form at such a table."""
        frame = context.frames.get(form)
        if frame is None:
            scene = HandScene(self.data, situation, Reading(self.data.forms[form].id, ()), judge=self)
            frame = context.frames[form] = self.values.frame(scene)
        return frame

    def summed(self, items: int, contested: Sequence[Counted], frame: Frame, asked: Asked) -> Verdict:
        """The verdict on a reading of which these items count, beside what contests came to. For rulesets whose places
        are all counted."""
        found: list[list[Counted]] = [[*contested], []]
        for pattern, own in self.settling.held(items):
            if pattern.id not in self.program.decided:
                found[pattern.alone] += self.settling.numbered(pattern, own, asked)
        return self.values.verdict(frame, self.adding_up(*found))

    def adding_up(self, found: Sequence[Counted], alone: Sequence[Counted]) -> tuple[Counted, ...]:
        """What counts beside other patterns and what counts alone, as it counts together, in the order of the
        ruleset."""
        counted, _ = beside_sole(self.data, found)
        if all(one.pattern.extra or one.pattern.late is not None for one in counted):
            counted += alone
        return tuple(sorted(counted, key=lambda one: self.order[one.pattern.id]))

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

    def distance(self, situation: Situation, seen: Sequence[int] = ()) -> int:
        """How many tiles the hand lacks for a form."""
        return self.plain.distance(situation, seen)

    def wins(self, situation: Situation) -> bool:
        """Whether the hand is a form and reaches the minimum."""
        best = self.best(situation)
        return best is not None and best[0].short is None

    def potential(self, situation: Situation) -> int | Fraction:
        """The most that the hand is worth over its waits."""
        return self.plain.potential(situation)

    def completes(self, hand: Hand, tile: int) -> bool:
        """Whether a plain tile makes the hand a form that tables know."""
        key = sum([self.weights[one] for one in hand.tiles], self.weights[tile])
        melds = [(meld.group, meld.exposed) for meld in hand.melds]
        return any(True for row in self.lookups for lookup in row for _ in lookup.splits(key, melds))

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
