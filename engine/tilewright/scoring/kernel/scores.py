"""Scores by the kernel: hands as rows of numbers in, the verdict on each out.

What the kernel meets for the first time (a sum of worths, a table) is worked out by the engine, and remembered as
numbers. Knows no text."""

from bisect import bisect
from collections.abc import Hashable, Sequence
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
from tilewright.scoring.plain.judge import Shortfall, Values, rank_of
from tilewright.scoring.plain.resolve import Counted
from tilewright.scoring.plain.situation import Situation

FIRST_ROWS = 256
GAP = 1 << 32
MOST_MISSING = 256  # notes of one run
MOST_KNOWN = 200_000  # rows of a table
MOST_CONTEXTS = 4_000
MOST_TIMES = 1 << 16
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


class Ranks:
    """Numbers for ranks, in their order. They change when there is no room between two."""

    def __init__(self) -> None:
        self.ranks: list[Any] = []
        self.numbers: list[int] = []

    def number(self, rank: Any) -> int | None:
        """The number of a rank; None where all had to change."""
        at = bisect(self.ranks, rank)
        if at and self.ranks[at - 1] == rank:
            return self.numbers[at - 1]
        self.ranks.insert(at, rank)
        below = self.numbers[at - 1] if at else None
        above = self.numbers[at] if at < len(self.numbers) else None
        if below is None or above is None:
            made = GAP if below is None and above is None else below + GAP if below is not None else (above or 0) - GAP
        else:
            made = (below + above) // 2
        if made == below:
            self.numbers = [GAP * number for number in range(len(self.ranks))]
            return None
        self.numbers.insert(at, made)
        return made


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand comes to: its measures, what is missing of the minimum, its rank. `counted`: the patterns that count,
    where no codes say which."""

    values: Values
    short: Shortfall | None
    rank: Any
    counted: Sequence[Counted] | None


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
        self.sums = HashTable(flat.sum_width, at.RANK + 1)
        self.worths: list[Worth] = []
        self.ranks = Ranks()
        self.known: list[Context] = []
        self.row_of: dict[Hashable, int] = {}
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
        if key in table:
            return
        rows, self.is_full = table.rows, self.is_full or table.used > MOST_KNOWN
        if table is self.sums:
            self.add_sum(key, self.known[line[at.OF_CONTEXT]].frames[int(line[at.OF_FORM])])
        else:
            self.add_verdict(key, self.known[line[at.OF_CONTEXT]], int(line[at.OF_FORM]))
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
        worth = Worth(verdict.values, verdict.short, self.engine.plain.rank(verdict), verdict.counted)
        self.add_worth(self.verdicts, key, worth)

    def add_sum(self, key: Array, frame: Frame) -> None:
        """Work out what worths come to."""
        sums = {name: number for name, number in zip(self.flat.sums, key[1:].tolist(), strict=False) if number}
        values, short = self.engine.values.of_sums(frame, sums)
        rank = rank_of(short is None, values, self.engine.data.scoring.best, bool(key[0]))
        self.add_worth(self.sums, key, Worth(values, short, rank, None))

    def coded(self, code: int) -> Counted:
        """The pattern of a code, as it counts."""
        pattern = self.engine.data.patterns[(code & (1 << at.CODE_OPEN) - 1) - 1]
        closed, shown = (code >> start & (1 << at.CODE_SHOWN - at.CODE_CLOSED) - 1 for start in (at.CODE_CLOSED, at.CODE_SHOWN))
        values = (code >> at.CODE_TIMES,) if self.engine.settling.numbers[pattern.id] else ()
        is_open = bool(code >> at.CODE_OPEN & 1)
        (counted,) = self.engine.settling.newly_counted(pattern, is_open, closed + shown, shown, values)
        return counted

    def add_worth(self, table: HashTable, key: Array, worth: Worth) -> None:
        """Remember a worth, and the patterns that count where no codes say which."""
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
