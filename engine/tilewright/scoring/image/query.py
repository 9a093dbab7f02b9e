"""Queries: one hand in, every reading of it judged, and the best one out. Knows no text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tilewright.hands.reading import Hand, Part, Reading
from tilewright.scoring.image.lookup import CaseLookup, FormTables
from tilewright.scoring.image.values import Frame
from tilewright.scoring.plain.judge import Verdict, verdict
from tilewright.scoring.plain.plain_judge import BestReading
from tilewright.scoring.plain.resolve import Counted, Resolution
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation

if TYPE_CHECKING:
    from tilewright.scoring.image.engine import Engine


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
        "engine",
        "exposed",
        "has_wild",
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

    def __init__(self, engine: "Engine", situation: Situation, key: int, tables: FormTables) -> None:
        self.engine, self.situation, self.key, self.tables = engine, situation, key, tables
        self.context = engine.context(situation)
        hand = situation.hand
        self.melds = [(meld.group, meld.exposed) for meld in hand.melds]
        self.lying = tuple([engine.meld_number(*meld) for meld in self.melds])
        self.lying_counters = sum(map(engine.layout.row, self.lying))
        self.win = engine.plain_tiles[hand.win or 0]
        self.exposed = engine.exposes and not situation.self_draw
        self.tiles = engine.tile_facts(hand)
        self.has_wild = tables is not engine.tables or any(meld.wild for meld in hand.melds)
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
        engine = self.engine
        for form in range(len(engine.data.forms)):
            for lookup in self.tables.lookups[form]:
                if not lookup.key or lookup.left(self.key) is not None:
                    yield from self.looked_up(lookup)
            if form in engine.searched:
                yield from self.found(form)

    def looked_up(self, lookup: CaseLookup) -> Iterator["ReadingOfHand"]:
        """The readings of one case, once for each part that the winning tile may be in."""
        completed, win, exposed, form = self.engine.completed, self.win, self.exposed, lookup.case.form
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
        engine = self.engine
        layout, shape, hand = engine.layout, engine.data.forms[number].shape, self.situation.hand
        if not engine.may_be(number, hand):
            return
        for reading in engine.plain.reader.readings_in(shape, hand, self.exposed):
            if engine.plain.accepts(engine.plain.scene(self.situation, reading)):
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
        engine, program = self.hand.engine, self.hand.engine.program
        counters = self.counters
        if program.moves:
            moving = self.context.moving
            for part in (*self.hand.lying, *self.numbers):
                row = moving.get(part)
                counters += engine.contexts.moved(self.context, part) if row is None else row
        tiles = self.tile_facts() if self.hand.has_wild else self.hand.tiles
        facts = program.compared(counters) | self.context.bits | tiles | engine.form_bits[self.form]
        facts = self.facts = program.run(facts, self.answer)
        if self.reading is None and not program.accepts(self.form, facts, self.answer):
            return None
        found, alone = engine.settling.settled(facts >> program.first_item, self)
        key = (self.form, *map(id, found), None, *map(id, alone))
        known: Judged | None = self.context.judged.get(key)
        if known is None:
            known = self.newly_judged(found, alone)
            if engine.values.static:
                self.context.judged.keep(key, known)
        return known

    def tile_facts(self) -> int:
        """The facts that the tiles of a reading decide, where some are wild."""
        facts, layout = 0, self.hand.engine.layout
        if self.reading is not None and not any(part.wild for part in self.reading.parts):
            return self.hand.tiles
        numbers = (*self.hand.lying, *self.numbers)
        if self.reading is not None:
            numbers = tuple([layout.number(replace(part, discarder=None)) for part in self.reading.parts])
        for number in numbers:
            facts |= self.hand.engine.part_facts(number)
        return facts

    def newly_judged(self, found: Sequence[Counted], alone: Sequence[Counted]) -> Judged:
        """The verdict on what counts."""
        engine = self.hand.engine
        if engine.values.static:
            made = engine.values.verdict(self.frame(), engine.adding_up(found, alone))
        else:
            made = verdict(self.scene, (), Resolution(engine.adding_up(found, alone), {}))
        return Judged(made, engine.plain.rank(made), (*found, *alone))

    def frame(self) -> Frame:
        """What measures ask of every reading in this form."""
        return self.hand.engine.frame(self.context, self.form, self.hand.situation)

    # --- asked by conditions

    def answer(self, question: int) -> Any:
        """The answer to a question, asked when it is needed; of the hand where every reading gives the same."""
        engine, hand = self.hand.engine, self.hand
        of_hand = engine.of_hand[question] and not hand.has_wild
        known = hand.answers if of_hand else self.answers
        if question not in known:
            scene = hand_scene(hand) if of_hand else self.scene
            known[question] = engine.answers[question](scene)
        return known[question]

    @property
    def parts(self) -> Sequence[int]:
        """The numbers of all parts, in the order of the reading."""
        return (*self.hand.lying, *sorted(self.numbers, key=self.hand.engine.part_order))

    @property
    def scene(self) -> HandScene:
        """The scene of the reading."""
        if self._scene is None:
            engine, situation = self.hand.engine, self.hand.situation
            reading = self.reading
            if reading is None:
                own = [engine.layout.parts[n].part for n in sorted(self.numbers, key=engine.part_order)]
                reading = Reading(
                    engine.data.forms[self.form].id, (*lying_parts(engine, situation.hand), *own), self.waited
                )
            self._scene = HandScene(engine.data, situation, reading, judge=engine)
        return self._scene

    def order(self) -> Any:
        """Where the reader lists it."""
        assert self.scene.reading is not None
        return self.hand.engine.plain.reader.reading_order(self.scene.reading)


def hand_scene(hand: HandQuery) -> HandScene:
    """The scene of a hand before it is read."""
    if hand.unread is None:
        engine = hand.engine
        hand.unread = HandScene(engine.data, hand.situation, judge=engine)
    return hand.unread


def lying_parts(engine: "Engine", hand: Hand) -> Iterator[Part]:
    """The melds as parts."""
    for meld in hand.melds:
        tiles = engine.data.groups.groups[meld.group].tiles
        yield Part(meld.group, tiles, meld.exposed, True, False, meld.wild, meld.discarder)
