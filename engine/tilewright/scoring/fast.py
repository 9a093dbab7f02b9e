"""Fast scoring: the same verdicts as the plain judge, from tables that fill as hands are scored.

A reading is a sum of counted features (tables.py), its facts are looked up by parts of that sum (facts.py), what counts
is looked up by the facts, and the total by what counts; each is worked out once. Whatever does not fit (wild tiles,
marks and zones of a case, hands that did not win) is left to the plain judge.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from tilewright.hands.reading import Hand, Reading
from tilewright.language.ir import Has, Ir, Matches, Quantified, Term, Test, Word
from tilewright.language.ruleset import Form, Pattern, RulesetData
from tilewright.scoring.facts import Facts
from tilewright.scoring.features import Layout
from tilewright.scoring.finder import Finder, rules_of
from tilewright.scoring.judge import Verdict, find_one, verdict
from tilewright.scoring.lists import is_list, list_cases, list_readings, needed_tiles
from tilewright.scoring.plainly import Judge
from tilewright.scoring.plan import Plan, expressions
from tilewright.scoring.resolve import Counted, Found, Outcome, count, resolve
from tilewright.scoring.scene import HandScene
from tilewright.scoring.situation import Situation
from tilewright.scoring.source import Function, functions
from tilewright.scoring.tables import COUNT, SLOT, Entry, MeldEntry, Sums, Tables, is_simple, meld_part
from tilewright.scoring.walker import nodes

Number = int | Fraction
Answers = dict[int, Any]
Judged = tuple[Verdict, tuple[object, ...], int]  # with its rank and the number of what counts
MOST_KNOWN = 100_000  # records, contexts or totals before they are forgotten


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
    of each form by facts, and the totals by record."""

    answers: tuple[Any, ...]
    classes: tuple[Any, ...]
    exposed: bool
    counted: tuple[Counted, ...]
    alone: tuple[Counted, ...]
    records: list[dict[int, Record]]
    totals: dict[int, "Judged"] = field(default_factory=dict)


class Candidate(NamedTuple):
    """A reading as good as any: its verdict (without groups) and the number of what counts, its form and its sum, or
    the reading itself where it was searched for."""

    verdict: Verdict
    number: int
    form: Form
    total: int
    reading: Reading | None = None


class Engine:
    """Fast scoring under one ruleset."""

    def __init__(self, plain: Judge) -> None:
        self.plain, self.data = plain, plain.data
        forms = self.data.forms
        simple = [form for form in forms if is_simple(form)]
        slots = max((len(form.shape.cases[0]) for form in simple), default=0)
        self.layout = Layout(self.data.tiles, self.data.groups, SLOT * slots)
        self.plan = Plan(self.data, self.layout)
        self.facts = Facts(self.plan)
        listed = [form for form in forms if form not in simple and is_list(form, self.data)]
        needed = [tiles for form in listed for tiles in needed_tiles(form, self.data)]
        self.tables = Tables(self.data, plain.reader, self.layout, simple, needed)
        self.lists = {form.id: list_cases(form, self.data, self.tables) for form in listed}
        self.lacks = self.layout.lacks
        self.all_lacking = (1 << len(needed)) - 1
        self.simple = {form.id: number for number, form in enumerate(simple)}
        self.forms = [self.step(index, form) for index, form in enumerate(forms)]
        self.field = (1 << self.tables.width) - 1
        self.searched_forms = any(form not in simple and form not in listed for form in forms)
        self.may_lie = {form.id: melds_in(form, self.data) for form in forms}
        self.lying = frozenset().union(*(self.may_lie[form.id] for form in forms if form not in simple))
        self.of_reading = functions_of(self.plan.of_reading)
        self.of_table = functions_of(self.plan.of_table)
        self.table_rules = rules_of(self.plan.table_patterns, self.plan, self.facts)
        self.reading_rules = rules_of(self.plan.reading_patterns, self.plan, self.facts)
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
        self.static = all(is_static(ir) for ir in measuring(self.data))
        self.clusters = [(cluster.mask, cluster.known) for cluster in self.facts.clusters if not cluster.dynamic]
        self.moving = [(cluster.mask, cluster.known) for cluster in self.facts.clusters if cluster.dynamic]
        self.none, self.several = self.tables.none, self.tables.several
        self.weight = self.tables.weights.__getitem__
        self.exposes = self.data.scoring.completed_by_discard == "exposed"
        self.plain_tiles = [tile.plain for tile in self.data.tiles.tiles]
        self.plain_in_order = [
            tile for tile in self.data.tiles.order if self.plain_tiles[tile] == tile and plain.reader.wild.copies[tile]
        ]
        self.order = {pattern.id: number for number, pattern in enumerate(self.data.patterns)}
        self.contexts: dict[Any, Context] = {}
        self.records: dict[Any, list[dict[int, Record]]] = {}
        self.fits = max(plain.reader.wild.copies.values(), default=0) < 1 << COUNT
        self.made = 0

    def step(self, index: int, form: Form) -> tuple[int, Form, int, int, int]:
        """What the loop over forms needs: the number among simple forms (-1: none of them), where its field of a shape
        is, and what it has to be."""
        number = self.simple.get(form.id, -1)
        return (
            index,
            form,
            number,
            self.tables.width * max(number, 0),
            self.tables.targets[number] if number >= 0 else 0,
        )

    def takes(self, situation: Situation) -> bool:
        """The situation is one that the tables know."""
        return situation.won and self.fits and not (situation.marks or situation.zones)

    def best(self, situation: Situation) -> tuple[Verdict, Callable[[], HandScene]] | None:
        """The verdict on the best reading, and what tells its scene; None for a hand without a reading."""
        hand = situation.hand
        key = sum(map(self.weight, hand.tiles), self.weight(hand.win or 0))
        if key > self.tables.all or (hand.melds and any(meld.wild for meld in hand.melds)):
            return self.plain.told(situation)
        candidates = self.candidates(situation, key)
        if not candidates:
            return None
        best = candidates[0] if len(candidates) == 1 else self.first(candidates, situation)
        return best.verdict, partial(self.scene, best, situation)

    # --- readings

    def candidates(self, situation: Situation, key: int) -> list[Candidate]:
        """The best readings, one for each thing that counts differently.

        This loop is where the time goes: it is written out, and only looks things up.
        """
        hand, tables = situation.hand, self.tables
        exposed = self.exposes and not situation.self_draw
        context = self.context(situation)
        bits = shape = 0
        entries: list[Entry | MeldEntry] = []
        for at, mask, table in tables.with_win[self.plain_tiles[hand.win or 0], exposed]:
            entry: Entry | MeldEntry = table[key >> at & mask]
            bits |= entry[0]
            shape += entry[1]
            entries.append(entry)
        search = bits >> self.lacks != self.all_lacking or self.searched_forms
        if hand.melds:
            search = False
            for meld in hand.melds:
                entry = tables.melds[meld.group, meld.exposed]
                bits |= entry[0]
                shape += entry[1]
                entries.append(entry)
                search = search or meld.group in self.lying
        of_tiles = self.facts.of_tiles[bits]
        best: list[Candidate] = []
        rank: tuple[object, ...] = ()
        field = self.field
        readings: Sequence[Reading] = ()
        for index, form, number, at_form, target in self.forms:
            if number >= 0:
                filled = shape >> at_form & field
                if filled == target:
                    found: Sequence[int] = (sum([entry[2][number] for entry in entries]),)
                elif self.none > filled >= self.several:
                    found = self.totals(number, [entry[3] for entry in entries])
                else:
                    continue
            elif not search:
                continue
            else:
                readings = list(self.searched(form, situation, key, exposed))
                found = [self.total(reading) for reading in readings]
            records = context.records[index]
            for place, total in enumerate(found):
                facts = of_tiles
                for mask, known in self.clusters:
                    facts |= known[total & mask]
                for mask, known in self.moving:
                    facts |= known[total & mask, context.classes]
                record = records.get(facts) or self.new_record(index, facts, context)
                judged = context.totals.get(record.number)
                reading = None if number >= 0 else readings[place]
                if judged is None:
                    judged = self.newly_judged(record, situation, context, index, facts, total, reading)
                if not best or judged[1] > rank:
                    best, rank = [Candidate(judged[0], judged[2], form, total, reading)], judged[1]
                elif judged[1] == rank and form is best[0].form and all(judged[2] != c.number for c in best):
                    best.append(Candidate(judged[0], judged[2], form, total, reading))
        return best

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

    def total(self, reading: Reading) -> int:
        """The counted features of a reading."""
        return sum(self.layout.row(part, reading.wait) for part in reading.parts)

    def searched(self, form: Form, situation: Situation, key: int, exposed: bool) -> Iterator[Reading]:
        """Every reading of a form that is no sum over blocks: a list of tiles, or what the reader finds."""
        if not self.may_be(form, situation.hand):
            return
        if form.id not in self.lists or situation.hand.melds:
            for reading in self.plain.reader.readings_in(form.shape, situation.hand, exposed):
                if self.plain.accepts(self.scene_of(situation, reading)):
                    yield reading
            return
        win = self.plain_tiles[situation.hand.win or 0]
        for case in self.lists[form.id]:
            if (rest := case.rest(key)) is not None:
                yield from list_readings(form, case, rest, win, exposed, self.tables, self.plain.reader)

    def may_be(self, form: Form, hand: Hand) -> bool:
        """The melds may lie on the table in this form."""
        may_lie = self.may_lie[form.id]
        return all(meld.group in may_lie and not (meld.exposed and form.shape.concealed) for meld in hand.melds)

    # --- waits

    def waits(self, situation: Situation) -> tuple[int, ...]:
        """The tiles that complete the hand without its winning tile to a form."""
        hand = situation.hand
        key = sum(self.tables.weights[tile] for tile in hand.tiles)
        if key > self.tables.all or self.searched_forms or self.data.tiles.wild:
            return self.plain.waits(situation)
        melds = [self.tables.melds[meld.group, meld.exposed][3] for meld in hand.melds]
        found = self.complete_blocks(key, melds)
        if not melds:
            found |= {
                tile for cases in self.lists.values() for case in cases for tile in case.completed_by(key, self.tables)
            }
        if self.data.scoring.waits != "all":
            found -= self.held_up(hand)
        return tuple(tile for tile in self.plain_in_order if tile in found)

    def held_up(self, hand: Hand) -> set[int]:
        """The tiles that a hand holds all copies of."""
        held = Counter(self.plain_tiles[t] for t in (*hand.tiles, *(t for meld in hand.melds for t in meld.tiles)))
        return {tile for tile, number in held.items() if number >= self.plain.reader.wild.copies[tile]}

    def complete_blocks(self, key: int, melds: list[Sums]) -> set[int]:
        """The tiles with which every block can be split for some simple form. A block that cannot be split without
        one more tile has to get it."""
        sums = [table[key >> at & mask][3] for at, mask, table in self.tables.without_win]
        found = set()
        for form in self.simple.values():
            stuck = [number for number, row in enumerate(sums) if not row[form]]
            for number in stuck or range(len(sums)) if len(stuck) < 2 else ():
                at, mask, table = self.tables.without_win[number]
                for index, tile in enumerate(self.tables.blocks[number].tiles):
                    entry = table[(key >> at & mask) + (1 << COUNT * index)]
                    if self.totals(form, [*melds, *sums[:number], entry[3], *sums[number + 1 :]]):
                        found.add(tile)
        return found

    # --- judging

    def new_record(self, index: int, facts: int, context: Context) -> Record:
        """What counts where the facts have not been met before."""
        records = context.records[index]
        if len(records) > MOST_KNOWN:
            records.clear()
        record = records[facts] = self.record(index, facts, context, {})
        return record

    def newly_judged(
        self,
        record: Record,
        situation: Situation,
        context: Context,
        index: int,
        facts: int,
        total: int,
        reading: Reading | None,
    ) -> Judged:
        """The verdict, kept where it is the same for every reading with these facts and answers."""
        form = self.data.forms[index]
        scene = HandScene(self.data, situation)
        if record.asks or record.by_groups or not self.static:
            scene = self.scene_of(situation, reading or self.reading(form, total, situation))
        answers: Answers = {}
        while record.asks:
            answers |= {number: self.of_reading[number](scene) for number in record.asks}
            key = tuple(answers[number] for number in record.asks)
            if key not in record.answered:
                record.answered[key] = self.record(index, facts, context, answers)
            record = record.answered[key]
        if record.number in context.totals:
            return context.totals[record.number]
        if record.by_groups:
            found = [found for pattern in record.by_groups if (found := find_one(pattern, scene)) is not None]
            record = Record(record.number, *counting(self.data, found), by_groups=record.by_groups)
        made = self.measured(record, context, scene)
        judged = made, self.plain.rank(made), record.number
        if self.static and not record.by_groups:
            if len(context.totals) > MOST_KNOWN:
                context.totals.clear()
            context.totals[record.number] = judged
        return judged

    def measured(self, record: Record, context: Context, scene: HandScene) -> Verdict:
        """The verdict on what counts."""
        counted = [*context.counted, *record.counted]
        if all(c.pattern.extra for c in counted):
            counted += [*context.alone, *record.alone]
        counted.sort(key=lambda c: self.order[c.pattern.id])
        return verdict(scene, (), Outcome(tuple(counted), {}))

    # --- what counts

    def context(self, situation: Situation) -> Context:
        """The table of the situation, its questions answered once."""
        s, melds = situation, situation.hand.melds
        key = (
            s.seat,
            s.seat_known,
            s.self_draw,
            s.discarder,
            s.round_wind,
            s.flags,
            s.hand.bonus,
            any(meld.exposed for meld in melds) if melds else False,
        )
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
        return Context(answers, classes, exposed, counted, alone, records)

    def record(self, index: int, facts: int, context: Context, answers: Answers) -> Record:
        """What counts where these are the facts of a reading in the form of this number."""
        self.made += 1
        finder = Finder(context.answers, context.exposed, self.data.forms[index].id, facts, answers)
        found = finder.found(self.reading_rules)
        if finder.asks:
            return Record(self.made, asks=tuple(finder.asks))
        if finder.plain or self.depends_on_groups(found):
            return Record(self.made, by_groups=tuple(f.pattern for f in found))
        return Record(self.made, *counting(self.data, found))

    def depends_on_groups(self, found: Sequence[Found]) -> bool:
        """What counts depends on which groups exactly the patterns used."""
        excluded = {id for f in found for id in f.pattern.excludes}
        return any(
            self.data.families.get(f.pattern.family or "") == "once"
            or (f.places is not None and f.pattern.id in excluded)
            for f in found
        )

    # --- telling

    def scene_of(self, situation: Situation, reading: Reading) -> HandScene:
        return replace(self.plain.scene(situation, reading), ask_waits=self.waits)

    def scene(self, candidate: Candidate, situation: Situation) -> HandScene:
        """The scene with the reading of a candidate."""
        reading = candidate.reading or self.reading(candidate.form, candidate.total, situation)
        return self.scene_of(situation, reading)

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
        melds = [tables.melds[meld.group, meld.exposed][3][number] for meld in hand.melds]
        declared = tuple(meld_part(meld, self.data) for meld in hand.melds)
        for lying in product(*melds):
            for chosen in product(*(entry[4][number] for entry in entries)):
                if sum(lying) + sum(split[0] for split in chosen) == total:
                    wait = next((split[2] for split in chosen if split[2] is not None), None)
                    parts = [part for split in chosen for part in split[1]]
                    yield Reading(form.id, (*declared, *sorted(parts, key=self.plain.reader.part_order)), wait)

    def first(self, candidates: list[Candidate], situation: Situation) -> Candidate:
        """Of equally good readings in one form the one that the reader lists first."""

        def order(candidate: Candidate) -> object:
            scene = self.scene(candidate, situation)
            assert scene.reading is not None
            return self.plain.reader.reading_order(scene.reading)

        return min(candidates, key=order)  # type: ignore[arg-type]


def counting(data: RulesetData, found: Sequence[Found]) -> tuple[tuple[Counted, ...], tuple[Counted, ...]]:
    """What counts of the patterns that hold, and of those that count only alone."""
    outcome = resolve(data, [f for f in found if not f.pattern.alone])
    return outcome.counted, tuple(c for f in found if f.pattern.alone for c in count(f, f.places))


def functions_of(expressions: Iterable[Ir]) -> list[Function]:
    """The compiled function of each expression."""
    return list(functions({f"q{number}": ir for number, ir in enumerate(expressions)}).values())


def melds_in(form: Form, data: RulesetData) -> frozenset[int]:
    """The groups that may lie on the table in a form."""
    groups = data.groups.groups
    if not form.shape.cases and form.shape.pick is None:
        return frozenset(range(len(groups)))
    inside = frozenset(g.index for g in groups if (g.kinds | g.meld_kinds).intersection(form.shape.melds))
    return inside.union(*(slot.groups | slot.meld_groups for case in form.shape.cases for slot in case))


def measuring(data: RulesetData) -> Iterator[Ir]:
    """Every expression that measures look at."""
    for measure in data.scoring.measures:
        yield from (ir for ir in (measure.start, measure.cap, measure.value) if ir is not None)
        yield from (ir for _, ir in measure.table)
    yield from (ir for _, ir in data.scoring.minimum)


def is_static(ir: Ir, words: frozenset[str] = frozenset()) -> bool:
    """It looks at measures and these words only."""
    return not any(
        isinstance(node, Term | Has | Test | Matches | Quantified)
        or (isinstance(node, Word) and node.kind != "measure" and (node.kind != "word" or node.name not in words))
        for node in nodes(ir)
    )
