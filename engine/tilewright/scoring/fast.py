"""Fast scoring: the same verdicts as the plain judge, from tables that fill as hands are scored.

A reading is a sum of counted features (tables.py), its facts are looked up by parts of that sum (facts.py), what counts
is looked up by the facts, and the total by what counts; each is computed once. Conditions on zones are evaluated for
each reading. Whatever does not fit (wild tiles, listed hands, terms that ask for zones that a case has, hands that did
not win) is left to the plain judge.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from tilewright.hands.reading import Hand, Reading
from tilewright.language.compiled.ir import (
    HasGroups,
    Ir,
    Lookup,
    Matches,
    PickedMembers,
    Quantifier,
    Term,
    Test,
    WordCall,
)
from tilewright.language.compiled.ruleset import CompiledRuleset, Form, Pattern
from tilewright.language.vocabulary.declare import ToldBy
from tilewright.language.vocabulary.words import is_told_by
from tilewright.scoring.counting import count_of
from tilewright.scoring.facts import Facts
from tilewright.scoring.features import Layout
from tilewright.scoring.finder import Finder, rules_of
from tilewright.scoring.judge import Verdict, find_one, verdict
from tilewright.scoring.lists import is_list, list_cases, list_readings, needed_tiles
from tilewright.scoring.lookup import Readings, look_up_of
from tilewright.scoring.measuring import MeasureFrame, is_measure, measures_of
from tilewright.scoring.plainly import PlainJudge
from tilewright.scoring.plan import BY_TABLE, HAND_ZONES, ScoringPlan, expressions
from tilewright.scoring.resolve import Counted, Found, Resolution, beside_sole, count, resolve
from tilewright.scoring.scene import HandScene
from tilewright.scoring.situation import Situation
from tilewright.scoring.source import Function, functions
from tilewright.scoring.tables import (
    COUNT,
    SLOT,
    SPLITS,
    SUMS,
    LookupTables,
    MeldEntry,
    Sums,
    apart_in,
    is_simple,
    meld_part,
)
from tilewright.scoring.walker import nodes, zones_in

Number = int | Fraction
Answers = dict[int, Any]
# What decides words with one answer for everything kept in one context, or under the number of one form.
BY_CONTEXT: frozenset[ToldBy] = BY_TABLE | {"form"}
# What decides words that need no reading: what they ask is in the tiles of the hand.
BY_HAND: frozenset[ToldBy] = BY_TABLE | {"hand"}
Judged = tuple[Verdict, tuple[object, ...], int]  # with its rank and the number of what counts
MOST_KNOWN = 20_000  # records, contexts or verdicts before they are dropped


@dataclass(slots=True)
class Record:
    """What counts of the patterns that look at the reading, where the facts are the same. `asks`: questions to the
    reading that have to be answered first; `answered`: the record for each answer. `by_groups`:
    what counts depends on the very groups of these patterns."""

    number: int
    counted: tuple[Counted, ...] = ()
    alone: tuple[Counted, ...] = ()
    asks: tuple[int, ...] = ()
    by_groups: tuple[Pattern, ...] = ()
    answered: dict[tuple[Any, ...], "Record"] = field(default_factory=dict)


@dataclass(slots=True)
class Context:
    """A table as far as it matters: its answers, the classes that it decides, what counts by them alone, the records
    of each form by facts, the verdicts of each form by facts and by record, what
    measures ask in each form."""

    answers: tuple[Any, ...]
    classes: tuple[Any, ...]
    exposed: bool
    counted: tuple[Counted, ...]
    alone: tuple[Counted, ...]
    records: list[dict[int, Record]]
    judged: list[dict[int, "Judged"]]
    totals: dict[int, "Judged"] = field(default_factory=dict)
    frames: dict[int, MeasureFrame] = field(default_factory=dict)


# A reading by the index of its form, its sum, and its facts; the reading itself where it was searched for.
Candidate = tuple[int, int, int, Reading | None]
Spot = tuple[int, int, Reading | None]
Told = tuple[Verdict, Callable[[], HandScene]]
NO_MELDS: list[MeldEntry] = []


class Engine:
    """Fast scoring under one ruleset."""

    def __init__(self, plain: PlainJudge) -> None:
        self.plain, self.data = plain, plain.data
        forms = self.data.forms
        simple = [form for form in forms if is_simple(form)]
        slots = max((len(form.shape.cases[0]) for form in simple), default=0)
        self.layout = Layout(self.data.tiles, self.data.groups, SLOT * slots)
        self.plan = ScoringPlan(self.data, self.layout)
        self.facts = Facts(self.plan)
        listed = [form for form in forms if form not in simple and is_list(form, self.data)]
        needed = [tiles for form in listed for tiles in needed_tiles(form, self.data)]
        self.tables = LookupTables(self.data, plain.reader, self.layout, simple, needed)
        self.lists = {form.id: list_cases(form, self.data, self.tables) for form in listed}
        self.lacks = self.layout.lacks
        self.all_lacking = (1 << len(needed)) - 1
        self.simple = {form.id: number for number, form in enumerate(simple)}
        self.look_up = look_up_of(self.tables, self.facts, [forms.index(form) for form in simple], self.totals)
        self.weight, self.all_tiles, self.melds = self.tables.weights.__getitem__, self.tables.all, self.tables.melds
        searched = tuple(form for form in forms if form not in simple and form not in listed)
        self.searched = PlainJudge(replace(self.data, forms=searched)) if searched else None
        self.may_lie = {form.id: melds_in(form, self.data) for form in forms}
        self.alike = {form.id: alike_in(form, self.data) for form in searched}
        self.lying = frozenset().union(*(self.may_lie[form.id] for form in forms if form not in simple))
        self.apart = apart_in(simple)
        self.of_reading = functions_of(self.plan.of_reading)
        self.reads = frozenset(number for ir, number in self.plan.of_reading.items() if asks_reading(ir))
        self.last: tuple[Situation | None, HandScene, Answers] = (None, self.unread(Situation(Hand(()))), {})
        self.of_table = functions_of(self.plan.of_table)
        self.zones_of_terms = {
            zone
            for ir in self.plan.of_table
            for node in nodes(ir)
            if isinstance(node, Term)
            for zone in set(zones_in(node.body)) - HAND_ZONES
        }
        self.table_rules = rules_of(self.plan.table_patterns, self.plan, self.facts)
        self.reading_rules = rules_of(self.plan.reading_patterns, self.plan, self.facts)
        self.count = count_of(self.reading_rules, self.data)
        self.class_questions = [self.plan.of_table[ir] for ir in self.facts.classes]
        self.mixed = sorted(
            {
                self.plan.of_table[node]
                for p in self.plan.reading_patterns
                for ir in expressions(p)
                for node in nodes(ir)
                if node in self.plan.of_table
            }
        )
        self.asks_others = any(asks_seats(ir) for pattern in self.data.patterns for ir in expressions(pattern))
        self.static = all(is_static(ir, BY_CONTEXT) and not asks_seats(ir) for ir in measuring(self.data))
        self.measures = measures_of(self.data, list(measuring(self.data))) if self.static else None
        self.exposes = self.data.scoring.completed_by_discard == "exposed"
        self.plain_tiles = [tile.plain for tile in self.data.tiles.tiles]
        self.with_win = {
            (face, exposed): self.tables.with_win[plain, exposed]
            for face, plain in enumerate(self.plain_tiles)
            for exposed in (False, True)
            if plain in self.tables.place_of
        }
        self.plain_in_order = [
            tile for tile in self.data.tiles.order if self.plain_tiles[tile] == tile and plain.reader.wild.copies[tile]
        ]
        self.order = {pattern.id: number for number, pattern in enumerate(self.data.patterns)}
        self.contexts: dict[Any, Context] = {}
        self.records: dict[Any, list[dict[int, Record]]] = {}
        few = max(plain.reader.wild.copies.values(), default=0) < 1 << COUNT
        self.fits = few and not any(form.shape.listed for form in forms)
        self.made = 0

    def takes(self, situation: Situation) -> bool:
        """Whether the tables know the situation; others are left to the plain judge."""
        known = situation.won and self.fits and self.zones_of_terms.isdisjoint(situation.zones)
        return known and not (self.asks_others and (situation.others or situation.flags_of))

    def best(self, situation: Situation) -> Told | None:
        """The verdict on the best reading, and how to get its scene; None for a hand without a reading."""
        hand = situation.hand
        win = hand.win or 0
        key = sum(map(self.weight, hand.tiles), self.weight(win))
        declared, is_open, wild = NO_MELDS, False, key > self.all_tiles
        if hand.melds:
            declared = []
            for meld in hand.melds:
                declared.append(self.melds[meld.group, meld.exposed])
                is_open = is_open or meld.exposed
                wild = wild or bool(meld.wild) or meld.group in self.apart
        if wild:
            return self.plain.told(situation)
        context = self.context(situation, is_open)
        exposed = self.exposes and not situation.self_draw
        bits, found = self.look_up(key, self.with_win[win, exposed], declared, context.classes)
        if (
            self.searched is not None
            or bits >> self.lacks != self.all_lacking
            or (declared and self.may_lie_open(hand))
        ):
            return self.with_search(situation, context, key, bits, found)
        if not found:
            return None
        if len(found) == 1:
            index, total, facts = found[0]
            verdict = self.judged(situation, context, index, total, facts)[0]
            return verdict, partial(self.scene, (index, total, None), situation)
        return self.best_of(situation, context, [(*one, None) for one in found])

    # --- readings

    def best_of(self, situation: Situation, context: Context, candidates: Iterable[Candidate]) -> Told | None:
        """The best of several readings; of equal ones in one form that of the reader's order."""
        best: list[tuple[Judged, Spot]] = []
        for index, total, facts, reading in candidates:
            judged = self.judged(situation, context, index, total, facts, reading)
            if not best or judged[1] > best[0][0][1]:
                best = [(judged, (index, total, reading))]
            elif (
                judged[1] == best[0][0][1]
                and index == best[0][1][0]
                and all(judged[2] != other[2] for other, _ in best)
            ):
                best.append((judged, (index, total, reading)))
        if not best:
            return None
        judged, spot = best[0] if len(best) == 1 else min(best, key=lambda one: self.order_of(one[1], situation))
        return judged[0], partial(self.scene, spot, situation)

    def order_of(self, spot: Spot, situation: Situation) -> Any:
        """Where the reader lists a reading."""
        reading = self.scene(spot, situation).reading
        assert reading is not None
        return self.plain.reader.reading_order(reading)

    def may_lie_open(self, hand: Hand) -> bool:
        """Whether some meld may be on the table in a form that is not a sum over blocks."""
        return any(meld.group in self.lying for meld in hand.melds)

    def with_search(self, situation: Situation, context: Context, key: int, bits: int, found: Readings) -> Told | None:
        """The best of the readings found in tables and of those in other forms."""
        candidates: list[Candidate] = [(*one, None) for one in found]
        exposed = self.exposes and not situation.self_draw
        for index, form in enumerate(self.data.forms):
            if form.id not in self.simple:
                for reading in self.searched_for(form, situation, key, exposed):
                    total = sum(self.layout.row(part, reading.wait) for part in reading.parts)
                    candidates.append((index, total, self.facts_of(bits, total, context), reading))
        return self.best_of(situation, context, sorted(candidates, key=lambda candidate: candidate[0]))

    def facts_of(self, bits: int, total: int, context: Context) -> int:
        """The facts of a reading."""
        facts = self.facts.of_tiles[bits]
        for cluster in self.facts.clusters:
            masked = total & cluster.mask
            facts |= cluster.known[(masked, context.classes) if cluster.dynamic else masked]
        return facts

    def totals(self, form: int, sums: list[Sums]) -> Sequence[int]:
        """Every reading of a simple form, as a sum; none twice."""
        total: int = 0
        several: Sequence[int] | None = None
        for row in sums:
            split = row[form]
            if len(split) == 1:
                total += split[0]
            elif not split:
                return ()
            elif several is None:
                several = split
            else:
                several = tuple(dict.fromkeys([one + more for one in several for more in split]))
        used, target = self.tables.used, self.tables.targets[form]
        if several is None:
            return (total,) if total & used == target else ()
        return [total + more for more in several if (total + more) & used == target]

    def searched_for(self, form: Form, situation: Situation, key: int, exposed: bool) -> Iterator[Reading]:
        """Every reading of a form that is not a sum over blocks: a list of tiles, or what the reader finds."""
        if not self.may_be(form, situation.hand):
            return
        if form.id not in self.lists or situation.hand.melds:
            for reading in self.plain.reader.readings_in(form.shape, situation.hand, exposed):
                if self.plain.accepts(self.plain.scene(situation, reading)):
                    yield reading
            return
        win = self.plain_tiles[situation.hand.win or 0]
        for case in self.lists[form.id]:
            if (rest := case.rest(key)) is not None:
                yield from list_readings(form, case, rest, win, exposed, self.tables, self.plain.reader)

    def may_be(self, form: Form, hand: Hand) -> bool:
        """Whether the melds may be on the table in this form, and identical tiles occur in the numbers that it
        needs."""
        may_lie, alike = self.may_lie[form.id], self.alike.get(form.id, 1)
        if alike > 1 and not hand.melds:
            held = Counter([self.plain_tiles[tile] for tile in hand.tiles])
            held[self.plain_tiles[hand.win or 0]] += 1
            if any(number % alike for number in held.values()):
                return False
        return all(meld.group in may_lie and not (meld.exposed and form.shape.concealed) for meld in hand.melds)

    # --- waits

    def waits(self, situation: Situation) -> tuple[int, ...]:
        """The tiles that complete the hand without its winning tile to a form."""
        hand = situation.hand
        key = sum(self.tables.weights[tile] for tile in hand.tiles)
        if key > self.tables.all or self.data.tiles.wild or any(meld.group in self.apart for meld in hand.melds):
            return self.plain.waits(situation)
        melds = [self.tables.melds[meld.group, meld.exposed][SUMS] for meld in hand.melds]
        found = self.complete_blocks(key, melds)
        if not melds:
            found |= {tile for cases in self.lists.values() for case in cases for tile in case.completed_by(key)}
        if self.data.scoring.waits != "all":
            found -= self.held_up(hand)
        if self.searched is not None:
            found |= set(self.searched.waits(situation))
        return tuple(tile for tile in self.plain_in_order if tile in found)

    def held_up(self, hand: Hand) -> set[int]:
        """The tiles that a hand holds all copies of."""
        held = Counter(self.plain_tiles[t] for t in (*hand.tiles, *(t for meld in hand.melds for t in meld.tiles)))
        return {tile for tile, number in held.items() if number >= self.plain.reader.wild.copies[tile]}

    def complete_blocks(self, key: int, melds: list[Sums]) -> set[int]:
        """The tiles with which every block can be split for some simple form. A block that cannot be split without
        one more tile must get it."""
        sums = [table[key >> at & mask][SUMS] for at, mask, table in self.tables.without_win]
        found = set()
        for form in self.simple.values():
            stuck = [number for number, row in enumerate(sums) if not row[form]]
            for number in stuck or range(len(sums)) if len(stuck) < 2 else ():
                at, mask, table = self.tables.without_win[number]
                for index, tile in enumerate(self.tables.blocks[number].tiles):
                    entry = table[(key >> at & mask) + (1 << COUNT * index)]
                    if self.totals(form, [*melds, *sums[:number], entry[SUMS], *sums[number + 1 :]]):
                        found.add(tile)
        return found

    # --- judging

    def judged(
        self, situation: Situation, context: Context, index: int, total: int, facts: int, reading: Reading | None = None
    ) -> Judged:
        """The verdict on a reading, its rank, and the number of what it counts."""
        judged = context.judged[index].get(facts)
        return self.newly_judged(situation, context, index, total, facts, reading) if judged is None else judged

    def newly_judged(
        self, situation: Situation, context: Context, index: int, total: int, facts: int, reading: Reading | None
    ) -> Judged:
        """The verdict, kept where it is the same for every reading with these facts."""
        record = context.records[index].get(facts) or self.new_record(index, facts, context)
        spot, asked = (index, total, reading), bool(record.asks)
        if asked:
            record = self.answered(record, spot, situation, context, facts)
        if record.number in context.totals:
            return context.totals[record.number]
        if record.by_groups or self.measures is None:
            made = self.looked_at(record, context, self.scene(spot, situation))
        else:
            frame = context.frames.get(index) or self.frame(situation, context, index)
            made = self.measures.verdict(frame, self.adding_up(record, context))
        judged = made, self.plain.rank(made), record.number
        if self.static and not record.by_groups:
            keep(context.totals, record.number, judged)
            if not asked:
                keep(context.judged[index], facts, judged)
        return judged

    def looked_at(self, record: Record, context: Context, scene: HandScene) -> Verdict:
        """The verdict where the groups of the reading or its measures matter."""
        if record.by_groups:
            found = [found for pattern in record.by_groups if (found := find_one(pattern, scene)) is not None]
            record = Record(record.number, *counting(self.data, found), by_groups=record.by_groups)
        return verdict(scene, (), Resolution(self.adding_up(record, context), {}))

    def frame(self, situation: Situation, context: Context, index: int) -> MeasureFrame:
        """The questions of measures to every reading in a form."""
        assert self.measures is not None
        scene = HandScene(self.data, situation, Reading(self.data.forms[index].id, ()))
        frame = context.frames[index] = self.measures.frame(scene)
        return frame

    def answered(self, record: Record, spot: Spot, situation: Situation, context: Context, facts: int) -> Record:
        """The record with every question to the reading answered."""
        answers: Answers = {}
        scene: HandScene | None = None
        while record.asks:
            for number in record.asks:
                if number not in self.reads:
                    answers[number] = self.of_hand(number, situation)
                else:
                    scene = scene or self.scene(spot, situation)
                    answers[number] = self.of_reading[number](scene)
            key = tuple([answers[number] for number in record.asks])
            if key not in record.answered:
                keep(record.answered, key, self.record(spot[0], facts, context, answers))
            record = record.answered[key]
        return record

    def of_hand(self, number: int, situation: Situation) -> Any:
        """The answer to a question with the same answer for every reading of a hand, asked once."""
        asked, scene, answers = self.last
        if asked is not situation:
            scene, answers = self.unread(situation), {}
            self.last = situation, scene, answers
        if number not in answers:
            answers[number] = self.of_reading[number](scene)
        return answers[number]

    def unread(self, situation: Situation) -> HandScene:
        """The scene of a hand before it is read."""
        return HandScene(self.data, situation, ask_waits=self.waits, ask_distance=self.plain.distance)

    def new_record(self, index: int, facts: int, context: Context) -> Record:
        """What counts for new facts."""
        record = self.record(index, facts, context, {})
        keep(context.records[index], facts, record)
        return record

    def adding_up(self, record: Record, context: Context) -> tuple[Counted, ...]:
        """What counts by the table and by the reading, in the order of the ruleset."""
        counted, _ = beside_sole(self.data, [*context.counted, *record.counted])
        if all(c.pattern.extra for c in counted):
            counted += [*context.alone, *record.alone]
        counted.sort(key=lambda c: self.order[c.pattern.id])
        return tuple(counted)

    # --- what counts

    def context(self, situation: Situation, is_open: bool) -> Context:
        """The table of the situation, its questions answered once."""
        key = (situation.key, situation.hand.bonus, is_open)
        known = self.contexts.get(key)
        if known is None:
            if len(self.contexts) > MOST_KNOWN:
                self.contexts.clear()
                self.records.clear()
            known = self.contexts[key] = self.new_context(HandScene(self.data, situation))
        return known

    def new_context(self, scene: HandScene) -> Context:
        answers = tuple(ask(scene) for ask in self.of_table)
        classes = tuple(frozenset(answers[number]) for number in self.class_questions)
        exposed = not scene.concealed
        mixed = (exposed, classes, *(answers[number] for number in self.mixed))
        records = self.records.setdefault(mixed, [{} for _ in self.data.forms])
        counted, alone = counting(self.data, Finder(answers, exposed).found(self.table_rules))
        return Context(answers, classes, exposed, counted, alone, records, [{} for _ in self.data.forms])

    def record(self, index: int, facts: int, context: Context, answers: Answers) -> Record:
        """What counts where these are the facts of a reading in the form of this number."""
        self.made += 1
        counted = self.count(facts, context.answers, context.exposed, self.data.forms[index].id, answers)
        if counted is not None:
            out, alone, asks = counted
            return Record(self.made, asks=tuple(asks)) if asks else Record(self.made, tuple(out), tuple(alone))
        finder = Finder(context.answers, context.exposed, self.data.forms[index].id, facts, answers)
        found = finder.found(self.reading_rules)
        if finder.asks:
            return Record(self.made, asks=tuple(finder.asks))
        if finder.plain or self.depends_on_groups(found):
            return Record(self.made, by_groups=tuple(f.pattern for f in found))
        return Record(self.made, *counting(self.data, found))

    def depends_on_groups(self, found: Sequence[Found]) -> bool:
        """Whether what counts depends on the exact groups that the patterns used."""
        excluded = {id for f in found for id in f.pattern.excludes}
        return any(
            self.data.families.get(f.pattern.family or "") == "once"
            or (f.places is not None and f.pattern.id in excluded)
            for f in found
        )

    # --- details

    def scene(self, spot: Spot, situation: Situation) -> HandScene:
        """The scene with the reading at a spot."""
        index, total, reading = spot
        reading = reading or self.reading(self.data.forms[index], total, situation)
        return HandScene(self.data, situation, reading, ask_waits=self.waits, ask_distance=self.plain.distance)

    def reading(self, form: Form, total: int, situation: Situation) -> Reading:
        """The first reading of a simple form that has this sum, in the order in which the reader lists them."""
        readings = list(self.readings(form, total, situation))
        return readings[0] if len(readings) == 1 else min(readings, key=self.plain.reader.reading_order)

    def readings(self, form: Form, total: int, situation: Situation) -> Iterator[Reading]:
        """Every reading of a simple form that has this sum."""
        hand, number, tables = situation.hand, self.simple[form.id], self.tables
        assert hand.win is not None
        key = tables.weights[hand.win] + sum(tables.weights[tile] for tile in hand.tiles)
        win = self.plain_tiles[hand.win], self.exposes and not situation.self_draw
        entries = [table[key >> at & mask] for at, mask, table in tables.with_win[win]]
        melds = [tables.melds[meld.group, meld.exposed][SUMS][number] for meld in hand.melds]
        declared = tuple(meld_part(meld, self.data) for meld in hand.melds)
        for lying in product(*melds):
            for chosen in product(*(entry[SPLITS][number] for entry in entries)):
                if sum(lying) + sum([split[0] for split in chosen]) == total:
                    wait = next((split[3] for split in chosen if split[3] is not None), None)
                    parts = [part for split in chosen for part in tables.parts(split, win[1])]
                    yield Reading(form.id, (*declared, *sorted(parts, key=self.plain.reader.part_order)), wait)


def keep(known: dict[Any, Any], key: Any, value: Any) -> None:
    """Remember a value, or drop all when there are too many."""
    if len(known) > MOST_KNOWN:
        known.clear()
    known[key] = value


def counting(data: CompiledRuleset, found: Sequence[Found]) -> tuple[tuple[Counted, ...], tuple[Counted, ...]]:
    """What counts of the patterns that hold, and of those that count only alone."""
    outcome = resolve(data, [f for f in found if not f.pattern.alone])
    return outcome.counted, tuple(c for f in found if f.pattern.alone for c in count(f, f.places))


def functions_of(expressions: Iterable[Ir]) -> list[Function]:
    """The compiled function of each expression."""
    return list(functions({f"q{number}": ir for number, ir in enumerate(expressions)}).values())


def melds_in(form: Form, data: CompiledRuleset) -> frozenset[int]:
    """The groups that may be on the table in a form."""
    groups = data.groups.groups
    if not form.shape.cases and form.shape.pick is None:
        return frozenset(range(len(groups)))
    inside = frozenset(g.index for g in groups if (g.kinds | g.meld_kinds).intersection(form.shape.melds))
    return inside.union(*(slot.groups | slot.meld_groups for case in form.shape.cases for slot in case))


def alike_in(form: Form, data: CompiledRuleset) -> int:
    """How many identical tiles each group of a form has, if it has no others; else 1."""
    slots = [slot for case in form.shape.cases for slot in case]
    groups = [data.groups.groups[index] for slot in slots for index in slot.groups]
    sizes = {len(group.tiles) if len(set(group.tiles)) == 1 else 1 for group in groups}
    return sizes.pop() if len(sizes) == 1 and not any(slot.tiles for slot in slots) else 1


def asks_reading(ir: Ir) -> bool:
    """Whether its answer may differ between the readings of a hand."""
    return any(
        isinstance(node, HasGroups | Test | Matches | PickedMembers)
        or (isinstance(node, WordCall) and not is_told_by(node.name, BY_HAND))
        or (isinstance(node, Lookup) and node.kind in ("word", "measure") and not is_told_by(node.name, BY_HAND))
        for node in nodes(ir)
    )


def asks_seats(ir: Ir) -> bool:
    """Whether some word in it is asked of a named seat."""
    return any(
        isinstance(node, PickedMembers)
        or (isinstance(node, Lookup | Term | WordCall) and node.of is not None and node.of.type in ("seat", "seats"))
        for node in nodes(ir)
    )


def measuring(data: CompiledRuleset) -> Iterator[Ir]:
    """Every expression that measures look at."""
    for measure in data.scoring.measures:
        yield from (ir for ir in (measure.start, measure.cap, measure.value) if ir is not None)
        yield from (ir for _, ir in measure.table)
    yield from (ir for _, ir in data.scoring.minimum)


def is_static(ir: Ir, levels: frozenset[ToldBy]) -> bool:
    """Whether it uses only measures, and words that these decide."""
    return not any(
        isinstance(node, Term | HasGroups | Test | Matches | Quantifier)
        or (isinstance(node, Lookup | WordCall) and not is_measure(node) and not is_told_by(node.name, levels))
        for node in nodes(ir)
    )
