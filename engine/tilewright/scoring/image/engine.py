"""The engine: a won hand in, the verdict on its best reading out, from the image of a ruleset.

Hands that the image does not know (other wild tiles, zones that a case has, hands that did not win) are left to the
plain judge; so are readings in forms that are searched for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tilewright.hands.reading import Hand, Part, Reading
from tilewright.hands.readings import TooManyReadings
from tilewright.scoring.image.image import Image
from tilewright.scoring.image.lookup import CaseLookup, FormTables
from tilewright.scoring.image.values import Frame
from tilewright.scoring.plain.judge import Verdict, verdict
from tilewright.scoring.plain.plain_judge import BestReading, PlainJudge
from tilewright.scoring.plain.resolve import Counted, Resolution
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation


class Engine(Image):
    """Fast scoring under one ruleset."""

    def __init__(self, plain: PlainJudge) -> None:
        super().__init__(plain, self)

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


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a reading, its rank, and what counts (kept, as verdicts are found by it)."""

    verdict: Verdict
    rank: tuple[object, ...]
    counted: tuple[Counted, ...]


class HandQuery:
    """A won hand whose tiles tables know."""

    __slots__ = (
        "answers",
        "context",
        "exposed",
        "has_wild",
        "image",
        "key",
        "lying",
        "lying_counters",
        "melds",
        "situation",
        "tables",
        "tiles",
        "unread",
        "win",
    )

    def __init__(self, image: Image, situation: Situation, key: int, tables: FormTables) -> None:
        self.image, self.situation, self.key, self.tables = image, situation, key, tables
        self.context = image.context(situation)
        hand = situation.hand
        self.melds = [(meld.group, meld.exposed) for meld in hand.melds]
        self.lying = tuple([image.meld_number(*meld) for meld in self.melds])
        self.lying_counters = sum(map(image.layout.row, self.lying))
        self.win = image.plain_tiles[hand.win or 0]
        self.exposed = image.exposes and not situation.self_draw
        self.tiles = image.tile_facts(hand)
        self.has_wild = tables is not image.tables or any(meld.wild for meld in hand.melds)
        self.answers: dict[int, Any] = {}
        self.unread: HandScene | None = None

    def best(self) -> BestReading | None:
        """The verdict on the best reading, the first of equals, and how to get its scene."""
        best: list[tuple[Judged, ReadingOfHand]] = []
        for reading in self.readings():
            judged = reading.judged()
            if judged is None:
                continue
            if not best or judged.rank > best[0][0].rank:
                best = [(judged, reading)]
            elif judged.rank == best[0][0].rank and reading.form == best[0][1].form:
                best.append((judged, reading))
        if not best:
            return None
        if any(judged is not best[0][0] for judged, _ in best):
            best.sort(key=lambda one: one[1].order())
        alike = [reading for judged, reading in best if judged is best[0][0]]
        return best[0][0].verdict, lambda: min(alike, key=ReadingOfHand.order).scene if alike[1:] else alike[0].scene

    # --- readings

    def readings(self) -> Iterator["ReadingOfHand"]:
        """Every reading, form by form."""
        image = self.image
        for form in range(len(image.data.forms)):
            for lookup in self.tables.lookups[form]:
                if not lookup.key or lookup.left(self.key) is not None:
                    yield from self.looked_up(lookup)
            if form in image.searched:
                yield from self.found(form)

    def looked_up(self, lookup: CaseLookup) -> Iterator["ReadingOfHand"]:
        """The readings of one case, once for each part that the winning tile may be in."""
        completed, win, exposed, form = self.image.completed, self.win, self.exposed, lookup.case.form
        for counters, chosen in lookup.splits(self.key, self.melds):
            counters += self.lying_counters
            seen = set()
            for at, part in enumerate(chosen):
                if part not in seen and (done := completed(part, win, exposed)) is not None:
                    seen.add(part)
                    parts = (*chosen[:at], done[0], *chosen[at + 1 :])
                    yield ReadingOfHand(self, form, counters + done[1], parts, done[2])

    def found(self, number: int) -> Iterator["ReadingOfHand"]:
        """The readings of a form that is searched for."""
        image = self.image
        layout, shape, hand = image.layout, image.data.forms[number].shape, self.situation.hand
        if not image.may_be(number, hand):
            return
        for reading in image.plain.reader.readings_in(shape, hand, self.exposed):
            if image.plain.accepts(image.plain.scene(self.situation, reading)):
                lying = len(hand.melds)
                numbers = [layout.number(replace(part, discarder=None), reading.wait) for part in reading.parts]
                counters = sum(map(layout.row, numbers))
                yield ReadingOfHand(self, number, counters, tuple(numbers[lying:]), reading.wait, reading)


class ReadingOfHand:
    """One reading: its form, its counters but those that move, the numbers of its parts from the hand, and the wait
    that the winning tile completed. `reading`: where it was searched for."""

    __slots__ = ("_scene", "answers", "context", "counters", "facts", "form", "hand", "numbers", "reading", "waited")

    def __init__(
        self,
        hand: HandQuery,
        form: int,
        counters: int,
        numbers: tuple[int, ...],
        waited: str | None,
        reading: Reading | None = None,
    ) -> None:
        self.hand, self.context = hand, hand.context
        self.form, self.counters, self.numbers, self.waited, self.reading = form, counters, numbers, waited, reading
        self.facts = 0
        self.answers: dict[int, Any] = {}
        self._scene: HandScene | None = None

    def judged(self) -> Judged | None:
        """The verdict; None where its form's condition does not hold."""
        image, program = self.hand.image, self.hand.image.program
        counters = self.counters
        if program.moves:
            moving = self.context.moving
            for part in (*self.hand.lying, *self.numbers):
                row = moving.get(part)
                counters += image.contexts.moved(self.context, part) if row is None else row
        tiles = self.tile_facts() if self.hand.has_wild else self.hand.tiles
        facts = program.compared(counters) | self.context.bits | tiles | image.form_bits[self.form]
        facts = self.facts = program.run(facts, self.answer)
        if self.reading is None and not program.accepts(self.form, facts, self.answer):
            return None
        found, alone = image.settling.settled(facts >> program.first_item, self)
        key = (self.form, *map(id, found), None, *map(id, alone))
        known: Judged | None = self.context.judged.get(key)
        if known is None:
            known = self.newly_judged(found, alone)
            if image.values.static:
                self.context.judged.keep(key, known)
        return known

    def tile_facts(self) -> int:
        """The facts that the tiles of a reading decide, where some are wild."""
        facts, layout = 0, self.hand.image.layout
        if self.reading is not None and not any(part.wild for part in self.reading.parts):
            return self.hand.tiles
        numbers = (*self.hand.lying, *self.numbers)
        if self.reading is not None:
            numbers = tuple([layout.number(replace(part, discarder=None)) for part in self.reading.parts])
        for number in numbers:
            facts |= self.hand.image.part_facts(number)
        return facts

    def newly_judged(self, found: Sequence[Counted], alone: Sequence[Counted]) -> Judged:
        """The verdict on what counts."""
        image = self.hand.image
        if image.values.static:
            made = image.values.verdict(self.frame(), image.adding_up(found, alone))
        else:
            made = verdict(self.scene, (), Resolution(image.adding_up(found, alone), {}))
        return Judged(made, image.plain.rank(made), (*found, *alone))

    def frame(self) -> Frame:
        """What measures ask of every reading in this form."""
        return self.hand.image.frame(self.context, self.form, self.hand.situation)

    # --- asked by conditions

    def answer(self, question: int) -> Any:
        """The answer to a question, asked when it is needed; of the hand where every reading gives the same."""
        image, hand = self.hand.image, self.hand
        of_hand = image.of_hand[question] and not hand.has_wild
        known = hand.answers if of_hand else self.answers
        if question not in known:
            scene = hand_scene(hand) if of_hand else self.scene
            known[question] = image.answers[question](scene)
        return known[question]

    @property
    def parts(self) -> Sequence[int]:
        """The numbers of all parts, in the order of the reading."""
        return (*self.hand.lying, *sorted(self.numbers, key=self.hand.image.part_order))

    @property
    def scene(self) -> HandScene:
        """The scene of the reading."""
        if self._scene is None:
            image, situation = self.hand.image, self.hand.situation
            reading = self.reading
            if reading is None:
                own = [image.layout.parts[n].part for n in sorted(self.numbers, key=image.part_order)]
                reading = Reading(
                    image.data.forms[self.form].id, (*lying_parts(image, situation.hand), *own), self.waited
                )
            self._scene = HandScene(image.data, situation, reading, judge=image.judge)
        return self._scene

    def order(self) -> Any:
        """Where the reader lists it."""
        assert self.scene.reading is not None
        return self.hand.image.plain.reader.reading_order(self.scene.reading)


def hand_scene(hand: HandQuery) -> HandScene:
    """The scene of a hand before it is read."""
    if hand.unread is None:
        image = hand.image
        hand.unread = HandScene(image.data, hand.situation, judge=image.judge)
    return hand.unread


def lying_parts(image: Image, hand: Hand) -> Iterator[Part]:
    """The melds as parts."""
    for meld in hand.melds:
        tiles = image.data.groups.groups[meld.group].tiles
        yield Part(meld.group, tiles, meld.exposed, True, False, meld.wild, meld.discarder)
