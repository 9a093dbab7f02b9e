"""Scores by the kernel: hands as rows of numbers in, the verdict on each out.

What the kernel meets for the first time (a sum of worths, a table) is worked out by the engine, and remembered as
numbers. Knows no text."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.image.context import Context
from tilewright.scoring.image.settling import Answered
from tilewright.scoring.image.values import Frame
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.counting import slot_of
from tilewright.scoring.kernel.image import FlatImage, signed, word_at
from tilewright.scoring.kernel.judging import score_hands
from tilewright.scoring.many.array_image import ArrayImage
from tilewright.scoring.many.hands import ManyHands
from tilewright.scoring.many.tally import Tallies
from tilewright.scoring.plain.judge import Number, Shortfall, Values
from tilewright.scoring.plain.resolve import Counted
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.program.measures import programs_of, stack_of
from tilewright.scoring.program.tallies import Unknown

FIRST_ROWS = 256
MOST_MISSING = 256  # notes of one run
MOST_KNOWN = 200_000  # rows of a table
MOST_CONTEXTS = 4_000
MOST_TIMES = 1 << 16
MOST_NUMBER = 1 << 62  # of measures
KNOWN_WANTS = (1 << at.MOST_WANTS) - 1


class HashTable:
    """Rows of a key and its values, the first of which is never 0. `rows`: (2**n, width + values)."""

    def __init__(self, width: int, values: int) -> None:
        self.width, self.used = width, 0
        self.rows: Array = np.zeros((FIRST_ROWS, width + values), np.int64)

    def put(self, key: Array, values: Sequence[int]) -> None:
        """Add a row, or replace it."""
        if 2 * self.used >= len(self.rows):
            self.grow()
        place = slot_of(self.rows, key[None], 0, self.width)
        self.used += not self.rows[place, self.width]
        self.rows[place, : self.width], self.rows[place, self.width :] = key, values

    def __contains__(self, key: Array) -> bool:
        return bool(self.rows[slot_of(self.rows, key[None], 0, self.width), self.width])

    def grow(self) -> None:
        """Make room for four times as many."""
        before = self.rows[self.rows[:, self.width] != 0]
        self.rows = np.zeros((4 * len(self.rows), self.rows.shape[1]), np.int64)
        for row in before:
            self.rows[slot_of(self.rows, row[None], 0, self.width)] = row


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand comes to: its measures, and what is missing of the minimum. `counted`: the patterns that count, where
    no codes say which."""

    values: Values
    short: Shortfall | None
    counted: Sequence[Counted] | None


class Worths:
    """Worths by number: those that the kernel or Python has met. `rows`: what readings are compared by."""

    def __init__(self, width: int, read: Callable[[Array], Worth]) -> None:
        self.rows: Array = np.zeros((FIRST_ROWS, width), np.int64)
        self.read, self.known = read, dict[int, Worth]()

    def __getitem__(self, number: int) -> Worth:
        found = self.known.get(number)
        if found is None:
            found = self.known[number] = self.read(self.rows[number + 1])
        return found

    def add(self, worth: Worth, row: Sequence[int]) -> int:
        """Add a worth. Its row."""
        place = int(self.rows[0, at.WORTHS]) + 1
        self.rows[place, : len(row)], self.rows[0, at.WORTHS] = row, place
        self.known[place - 1] = worth
        return place

    @property
    def is_full(self) -> bool:
        return int(self.rows[0, at.WORTHS]) + 1 == len(self.rows)

    def grow(self) -> None:
        """Make room for four times as many."""
        self.rows = np.concatenate([self.rows, np.zeros((3 * len(self.rows), self.rows.shape[1]), np.int64)])


class KernelScores:
    """Scoring under one ruleset. `worths`: by number; `known`: contexts by number."""

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
        self.replaced = 0  # how often arrays were replaced, as they grew
        self.lock = RLock()  # threads that score share the working space and what was met
        self.forget()

    def forget(self) -> None:
        """Drop what was met."""
        flat = self.flat
        self.generation += 1
        self.replaced += 1
        self.is_full = False
        self.verdicts = HashTable(flat.verdict_width, at.VERDICT_PATTERNS + flat.pattern_words)
        self.sums = HashTable(flat.sum_width, 1)
        self.worths = Worths(self.key_at + flat.sum_width, self.worth_of_sum)
        self.measuring = np.zeros(1, np.int64)
        self.known: list[Context] = []
        self.row_of: dict[Hashable, int] = {}
        self.classes: dict[Any, int] = {}
        self.frames: dict[Any, int] = {}
        self.frame_at: dict[int, Frame] = {}
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
        key = self.engine.context_key(situation)
        row = self.row_of.get(key)
        return self.new_context(key, situation) if row is None else row

    def new_context(self, key: Hashable, situation: Situation) -> int:
        row, context = len(self.known), self.engine.context(situation)
        self.row_of[key] = row
        self.known.append(context)
        self.is_full = self.is_full or row > MOST_CONTEXTS
        if row == len(self.contexts):
            self.contexts = np.concatenate([self.contexts, np.zeros_like(self.contexts)])
            self.replaced += 1
        if context.class_key not in self.classes:
            self.new_class(context)
        said = tuple([context.answers[number] for number in self.asked_of_table])
        kind = self.said.setdefault(said, len(self.said))
        frames = [self.engine.frame(context, form, situation) for form in range(len(self.engine.data.forms))]
        self.contexts[row] = [
            int(context.is_open),
            self.classes[context.class_key],
            kind,
            *self.flat.rest(context.bits),
            *map(self.frame, frames),
            *(self.times(context.answers[number]) for number in self.flat.times),
        ]
        return row

    def frame(self, frame: Frame) -> int:
        """Where the programs of what measures ask at a table begin."""
        known = self.frames.get(frame.answers)
        if known is None:
            known = self.frames[frame.answers] = len(self.measuring)
            self.frame_at[known] = frame
            self.measuring = np.concatenate([self.measuring, np.array(self.measures(frame, known), np.int64)])
            self.replaced += 1
        return known

    def measures(self, frame: Frame, start: int) -> list[int]:
        """The record of measures, from here on: none where Python has to work them out."""
        data = self.engine.data.scoring
        try:
            made = programs_of(self.engine.data, frame.scene)
        except (Unknown, ArithmeticError):
            return [0]
        parts = [*made.steps, *made.minimum]
        if any(stack_of(code) > self.image[at.ROOM] for _, code in parts):
            return [0]
        best = [measure.id for measure in data.measures].index(data.best)
        record = [len(data.measures), made.towards, len(made.steps), len(made.minimum), best]
        codes, first = list[int](), start + at.MEASURING + 3 * len(parts)
        for cell, code in parts:
            record += (cell, first + len(codes), first + len(codes) + len(code))
            codes += code
        return record + codes

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
            self.replaced += 1
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

    def judge(self, hands: Array, rows: Array) -> Array:
        """Judge the hands in these rows. The columns of a result for each hand: the number of a worth, NO_READING, or
        BY_ITSELF for a hand that the engine has to score, and for others; and what counts."""
        results = np.full((len(hands), self.flat.result_width), at.BY_ITSELF, np.int64)
        missing = np.zeros((MOST_MISSING, self.missing_width), np.int64)
        while True:
            found = score_hands(
                self.image,
                self.places,
                self.programs,
                self.contexts,
                self.moving,
                self.met,
                self.verdicts.rows,
                self.sums.rows,
                self.worths.rows,
                self.measuring,
                hands,
                rows,
                results,
                missing,
                self.space,
            )
            for line in missing[:found]:
                self.add(line)
            rows = rows[results[rows, at.RESULT] == at.MISSING]
            if not len(rows):
                break
        results[results[:, at.RESULT] <= at.ASKS, at.RESULT] = at.BY_ITSELF
        return results

    # --- what is met for the first time

    def add(self, line: Array) -> None:
        """Work out what is missing."""
        table = (self.verdicts, self.sums)[line[at.KIND]]
        key = line[at.OF_KEY : at.OF_KEY + table.width]
        self.sums.used = int(self.worths.rows[0, at.WORTHS_OF_SUMS])
        if key in table:
            return
        rows, self.is_full = table.rows, self.is_full or table.used > MOST_KNOWN
        if self.worths.is_full:
            self.worths.grow()
            self.replaced += 1
        if table is self.sums:
            self.add_sum(key)
        else:
            self.add_verdict(key, self.known[line[at.OF_CONTEXT]], int(line[at.OF_FORM]))
        self.worths.rows[0, at.WORTHS_OF_SUMS] = self.sums.used
        self.replaced += table.rows is not rows

    @property
    def missing_width(self) -> int:
        """Numbers of what is missing."""
        return at.OF_KEY + max(self.flat.verdict_width, self.flat.sum_width)

    def add_verdict(self, key: Array, context: Context, form: int) -> None:
        """Work out what counting patterns come to."""
        words, contested = self.flat.item_words, list[Counted]()
        places, answers = words + len(self.flat.contested), key[words + len(self.flat.contested) :].tolist()
        for item, number in zip(self.flat.contested, key[words:places].tolist(), strict=True):
            pattern, shown = self.program.items[item].pattern, number >> 32
            several = (number & (1 << 32) - 1) + shown
            if several:
                settling = self.engine.settling
                contested += settling.newly_counted(pattern, context.is_open, several, shown, ())
        asked = Answered(context, dict(zip(self.flat.asked, answers, strict=False)))
        verdict = self.engine.summed(self.bits(key[:words]), contested, context.frames[form], asked)
        worth = Worth(verdict.values, verdict.short, verdict.counted)
        self.add_worth(self.verdicts, key, worth, verdict.limit or verdict.stands_alone)

    def add_sum(self, key: Array) -> None:
        """Work out what worths come to."""
        self.add_worth(self.sums, key, self.worth_of_key(key), bool(key[0]))

    def worth_of_key(self, key: Array) -> Worth:
        """What a sum comes to."""
        sums = {name: number for name, number in zip(self.flat.sums, key[1:-1].tolist(), strict=True) if number}
        return Worth(*self.engine.values.of_sums(self.frame_at[int(key[-1])], sums), None)

    def worth_of_sum(self, row: Array) -> Worth:
        """The worth that the kernel has put into a row."""
        if not row[at.ENOUGH]:
            return self.worth_of_key(row[self.key_at :])
        measures = self.engine.data.scoring.measures
        numbers = row[at.FIRST_MEASURE : self.key_at].tolist()
        return Worth({m.id: number // at.SCALE for m, number in zip(measures, numbers, strict=True)}, None, None)

    @property
    def key_at(self) -> int:
        """Where the key of a sum begins in the row of a worth."""
        return at.FIRST_MEASURE + len(self.engine.data.scoring.measures)

    def coded(self, code: int) -> Counted:
        """The pattern of a code, as it counts."""
        pattern = self.engine.data.patterns[(code & (1 << at.CODE_OPEN) - 1) - 1]
        closed, shown = (
            code >> start & (1 << at.CODE_SHOWN - at.CODE_CLOSED) - 1 for start in (at.CODE_CLOSED, at.CODE_SHOWN)
        )
        values = (code >> at.CODE_TIMES,) if self.engine.settling.numbers[pattern.id] else ()
        is_open = bool(code >> at.CODE_OPEN & 1)
        (counted,) = self.engine.settling.newly_counted(pattern, is_open, closed + shown, shown, values)
        return counted

    def add_worth(self, table: HashTable, key: Array, worth: Worth, alone: bool) -> None:
        """Remember a worth, and the patterns that count where no codes say which."""
        values = worth.values
        measures = (values[self.engine.data.scoring.best], *values.values())
        scaled: list[Number] = [number * at.SCALE for number in measures]
        known = all(number.denominator == 1 and -MOST_NUMBER < number < MOST_NUMBER for number in scaled)
        patterns = () if worth.counted is None else self.words(worth.counted)
        row = [worth.short is None, scaled[0], alone, *scaled[1:]]
        number = self.worths.add(worth, [*map(int, row)]) if known else at.BY_ITSELF
        table.put(key, [number, *patterns])

    def words(self, counted: Sequence[Counted]) -> list[int]:
        """Patterns as words."""
        patterns = sum(1 << self.engine.order[one.pattern.id] for one in counted)
        return [word_at(patterns, word) for word in range(self.flat.pattern_words)]

    @staticmethod
    def bits(words: Array) -> int:
        return int.from_bytes(words.tobytes(), "little")
