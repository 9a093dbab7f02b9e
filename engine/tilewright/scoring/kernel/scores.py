"""Scores by the kernel: hands as rows of numbers in, the verdict on each out.

What the kernel meets for the first time (a combination of patterns that count, a contest, a table) is worked out by the
engine, and remembered as numbers. Knows no text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.image.context import Context
from tilewright.scoring.image.query import HandQuery, ReadingOfHand
from tilewright.scoring.image.settling import Answered
from tilewright.scoring.image.values import Frame
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.image import MOST_WANTS, FlatImage, signed, word_at
from tilewright.scoring.kernel.judging import score_hands
from tilewright.scoring.kernel.memory import HashTable, Ranks
from tilewright.scoring.many.array_image import ArrayImage
from tilewright.scoring.many.hands import ManyHands
from tilewright.scoring.many.tally import Tallies
from tilewright.scoring.plain.judge import Shortfall, Values, rank_of
from tilewright.scoring.plain.resolve import Counted
from tilewright.scoring.plain.situation import Situation

MOST_MISSING = 256  # notes of one run
MOST_KNOWN = 200_000  # rows of a table
MOST_CONTEXTS = 4_000
MOST_TIMES = 1 << 16
KNOWN_WANTS = (1 << MOST_WANTS) - 1


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand comes to: its measures, what is missing of the minimum, its rank. `counted`: the patterns that count,
    where these follow from it."""

    values: Values
    short: Shortfall | None
    rank: Any
    counted: Sequence[Counted] | None


class KernelScores:
    """Scoring under one ruleset. `worths`: by number; `known`: contexts by number, `kinds` what they say of numbers."""

    def __init__(self, image: ArrayImage) -> None:
        self.engine, self.program = image.engine, image.program
        self.flat = FlatImage(image)
        self.image = np.array(self.flat.numbers, np.int64)
        self.places = np.concatenate([*self.flat.places, np.zeros(1, np.int32)])
        self.programs = image.questions.numbers
        several = {group for group in range(len(image.engine.data.groups.groups)) if self.flat.is_ambiguous(group)}
        unplaced = {*image.engine.unplaced, *((group, shown) for group in several for shown in (False, True))}
        self.unplaced = frozenset(2 * group + shown for group, shown in unplaced)
        self.space = np.zeros((at.SPACE, self.image[at.ROOM]), np.int64)
        self.generation = 0  # how often all was dropped
        self.replaced = 0  # how often arrays may have been replaced, as they grow
        self.lock = RLock()  # threads that score share the working space and what was met
        self.forget()

    def forget(self) -> None:
        """Drop what was met."""
        flat = self.flat
        self.generation += 1
        self.replaced += 1
        self.is_full = False
        self.contests = HashTable(flat.contest_width, at.CONTEST_ITEMS + flat.item_words + len(flat.sums))
        self.verdicts = HashTable(flat.verdict_width, at.VERDICT_PATTERNS + flat.pattern_words)
        self.sums = HashTable(flat.sum_width, at.RANK + 1)
        self.worths: list[Worth] = []
        self.outcomes: list[Sequence[Counted]] = [()]
        self.of_outcome: dict[Any, int] = {(): 0}
        self.ranks = Ranks()
        self.known: list[Context] = []
        self.kinds: list[tuple[bool, int]] = []
        self.row_of: dict[int, int] = {}
        self.classes: dict[Any, int] = {}
        self.frames: dict[Any, int] = {}
        self.said: dict[Any, int] = {}
        self.contexts = np.zeros((64, flat.times_at + len(flat.times)), np.int64)
        self.met = np.zeros((16, len(flat.parts)), np.int64)
        self.moving = np.zeros((16, len(flat.parts) * (flat.words - self.image[at.STILL])), np.int64)

    def forget_much(self) -> None:
        """Drop what was met, if it is too much to keep."""
        if self.is_full:
            self.forget()

    # --- tables

    def context(self, situation: Situation) -> int:
        """The number of the table of a hand."""
        context = self.engine.context(situation)
        row = self.row_of.get(id(context))
        return self.new_context(context, situation) if row is None else row

    def new_context(self, context: Context, situation: Situation) -> int:
        row = self.row_of[id(context)] = len(self.known)
        self.replaced += 1
        self.known.append(context)
        self.is_full = self.is_full or row > MOST_CONTEXTS
        if row == len(self.contexts):
            self.contexts = np.concatenate([self.contexts, np.zeros_like(self.contexts)])
        if context.class_key not in self.classes:
            self.new_class(context)
        said = tuple([context.answers[number] for number in self.asked_of_table])
        kind = self.said.setdefault(said, len(self.said))
        self.kinds.append((context.is_open, kind))
        frames = [self.engine.frame(context, form, situation) for form in range(len(self.engine.data.forms))]
        self.contexts[row] = [
            int(context.is_open),
            self.classes[context.class_key],
            kind,
            *self.flat.rest(context.bits),
            *(self.frames.setdefault(frame.answers, len(self.frames)) for frame in frames),
            *(self.times(context.answers[number]) for number in self.flat.times),
        ]
        return row

    @property
    def searches(self) -> bool:
        """Whether cases are searched: no table says which tiles make a form."""
        return self.flat.searches

    @staticmethod
    def times(answer: Any) -> int:
        """How often a pattern counts; UNKNOWN for no small whole number."""
        return int(answer) if isinstance(answer, int) and abs(answer) < MOST_TIMES else at.UNKNOWN

    def new_class(self, context: Context) -> None:
        """Count parts at tables like this."""
        row = self.classes[context.class_key] = len(self.classes)
        if row == len(self.moving):
            self.moving = np.concatenate([self.moving, np.zeros_like(self.moving)])
            self.met = np.concatenate([self.met, np.zeros_like(self.met)])
        met = self.engine.settling.places.met_by_parts(context)
        self.met[row] = [met[part] & KNOWN_WANTS for part in self.flat.parts]
        self.moving[row] = signed(self.flat.image.counters.moving_of(self.flat.parts, context))

    @property
    def asked_of_table(self) -> list[int]:
        """The questions about numbers that the table answers."""
        numbers = self.engine.settling.numbers.values()
        return sorted({number for pairs in numbers for of_table, number in pairs if of_table})

    # --- hands

    def rows_of(self, hands: ManyHands) -> Array:
        """Hands as rows of numbers."""
        batch = hands.batch
        flat, faces, melds = self.flat, batch.tiles.shape[1], batch.melds.shape[1]
        start = int(self.image[at.MELDS])
        rows = np.empty((len(batch), start + 2 * melds), np.int32)
        rows[:, :faces] = batch.tiles
        rows[:, faces + at.WIN] = batch.win
        rows[:, faces + at.CONTEXT] = self.contexts_of(hands)[hands.kind_of]
        rows[:, faces + at.SHOWN] = self.engine.exposes & ~batch.self_draw
        rows[:, faces + at.HAND : flat.cells] = at.UNKNOWN
        given = [cells for cells in flat.image.questions.layout.first if cells.source in ("zone", "flag", "shown")]
        tallies = Tallies(flat.image.questions, batch)
        rows[:, flat.cells : flat.specials] = tallies.rows(given)
        if start > flat.specials:
            rows[:, flat.specials : start] = tallies.exchanged
        rows[:, start : start + melds] = batch.melds
        rows[:, start + melds :] = batch.exposed
        return rows

    def contexts_of(self, hands: ManyHands) -> Array:
        """The numbers of the tables that hands of each kind lie at."""
        self.forget_much()
        return np.array([self.context(hands.situation(int(row))) for row in hands.first_of], np.int32)

    def judge(self, hands: Array, situation: Callable[[int], Situation], rows: Array) -> Array:
        """Judge the hands in these rows. The columns of a result for each hand: the number of a worth, NO_READING, or
        BY_ITSELF for a hand that the engine has to score, and for others; and what counts."""
        results = np.full((len(hands), self.flat.result_width), at.BY_ITSELF, np.int64)
        width = at.OF_PARTS + self.flat.depth + max(self.widths)
        missing = np.zeros((MOST_MISSING, width), np.int64)
        while True:
            found = score_hands(
                self.image,
                self.places,
                self.programs,
                self.contexts,
                self.moving,
                self.met,
                self.verdicts.rows,
                self.contests.rows,
                self.sums.rows,
                hands,
                rows,
                results,
                missing,
                self.space,
            )
            for line in missing[:found]:
                self.add(line, situation)
            rows = rows[results[rows, at.RESULT] == at.MISSING]
            if not len(rows):
                break
        results[results[:, at.RESULT] <= at.ASKS, at.RESULT] = at.BY_ITSELF
        return results

    # --- what is met for the first time

    def add(self, line: Array, situation: Callable[[int], Situation]) -> None:
        """Work out what is missing."""
        start = at.OF_PARTS + self.flat.depth
        table = (self.contests, self.verdicts, self.sums)[line[at.KIND]]
        key = line[start : start + table.width]
        if key in table:
            return
        self.replaced += 1
        self.is_full = self.is_full or table.used > MOST_KNOWN
        if table is self.contests:
            self.add_contest(key, self.reading(line, situation(int(line[at.ROW]))))
        elif table is self.sums:
            self.add_sum(key, self.known[line[at.OF_CONTEXT]].frames[int(line[at.OF_FORM])])
        else:
            self.add_verdict(key, self.known[line[at.OF_CONTEXT]], int(line[at.OF_FORM]))

    @property
    def widths(self) -> tuple[int, int, int]:
        return self.flat.contest_width, self.flat.verdict_width, self.flat.sum_width

    def add_contest(self, key: Array, reading: ReadingOfHand) -> None:
        """Decide a contest the plain way."""
        flat, words, settling = self.flat, self.flat.item_words, self.engine.settling
        turn = flat.contests[int(key[0]) >> 1]
        own, droppers = (self.bits(key[start : start + words]) for start in (1, 1 + words))
        counted = settling.contested(turn, own, droppers, reading)
        number = self.of_outcome.setdefault(tuple(map(id, counted)), len(self.outcomes))
        if number == len(self.outcomes):
            self.outcomes.append(counted)
        kept = sum(settling.bits[id] for id in {one.pattern.id for one in counted})
        added, odd = [0] * len(flat.sums), any(one.pattern.limit or one.pattern.late is not None for one in counted)
        for one in counted:
            for measure, worth in one.worth.items():
                odd = odd or not isinstance(worth, int)
                added[flat.sums[measure, one.pattern.extra]] += worth if isinstance(worth, int) else 0
        self.contests.put(key, [number or -1, int(odd), *flat.items(kept), *added])

    def reading(self, line: Array, situation: Situation) -> ReadingOfHand:
        """The reading that something is missing for."""
        engine, known = self.engine, self.known[int(line[at.OF_CONTEXT])]
        query = HandQuery(engine, situation, 0, self.flat.tables)
        own = [self.flat.parts[number] for number in line[at.OF_PARTS : at.OF_PARTS + self.flat.depth] if number >= 0]
        parts = tuple(own[len(query.lying) :])
        waits = [wait for number in parts if (wait := engine.layout.parts[number].wait) is not None]
        reading = ReadingOfHand(query, int(line[at.OF_FORM]), 0, parts, waits[0] if waits else None)
        still = sum(map(engine.layout.row, own))
        reading.facts = self.program.compared(still + sum(engine.contexts.moved(known, part) for part in own))
        return reading

    def add_verdict(self, key: Array, context: Context, form: int) -> None:
        """Work out what counting patterns come to."""
        words, contests = self.flat.item_words, len(self.flat.contests)
        outcomes, answers = key[words : words + contests].tolist(), key[words + contests :].tolist()
        contested = [one for number in outcomes for one in self.outcomes[max(number, 0)]]
        asked = Answered(context, dict(zip(self.flat.asked, answers, strict=False)))
        verdict = self.engine.summed(self.bits(key[:words]), contested, context.frames[form], asked)
        worth = Worth(verdict.values, verdict.short, self.engine.plain.rank(verdict), verdict.counted)
        self.add_worth(self.verdicts, key, worth)

    def add_sum(self, key: Array, frame: Frame) -> None:
        """Work out what worths come to."""
        sums = {name: number for name, place in self.flat.sums.items() if (number := int(key[1 + place]))}
        values, short = self.engine.values.of_sums(frame, sums)
        rank = rank_of(short is None, values, self.engine.data.scoring.best, bool(key[0]))
        self.add_worth(self.sums, key, Worth(values, short, rank, None))

    def add_worth(self, table: HashTable, key: Array, worth: Worth) -> None:
        """Remember a worth, and the patterns that count where its key does not tell them."""
        self.worths.append(worth)
        number = self.ranks.number(worth.rank)
        patterns = () if worth.counted is None else self.words(worth.counted)
        table.put(key, [len(self.worths), number or 0, *patterns])
        if number is None:
            self.rank_again()

    def words(self, counted: Sequence[Counted]) -> list[int]:
        """Patterns as words."""
        patterns = sum(1 << self.engine.order[one.pattern.id] for one in counted)
        return [word_at(patterns, word) for word in range(self.flat.pattern_words)]

    def rank_again(self) -> None:
        """Write the numbers of all ranks anew."""
        for table in (self.verdicts, self.sums):
            for row in table.rows[table.rows[:, table.width] != 0]:
                row[table.width + at.RANK] = self.ranks.number(self.worths[int(row[table.width]) - 1].rank) or 0
                table.put(row[: table.width], row[table.width :].tolist())

    @staticmethod
    def bits(words: Array) -> int:
        return int.from_bytes(words.tobytes(), "little")
