"""Scores by the kernel: what it meets for the first time (a sum of worths, a table) is worked out, and remembered as
numbers.

In: the image of a ruleset, which `scoring.image` makes, and which is kept beside the ruleset in the cache, so that the
first hand of a process is scored at once. Out: what the kernel runs over, and the worths that it finds by number. Knows
no text, and needs no numpy.
"""

from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Any

from tilewright.base.kernels import Numbers, flat, grown, listed, wrapped, zeros
from tilewright.hands.reading import Meld, Pair, Reading
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.load import keep_made, recall_made
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.counting import slot_of
from tilewright.scoring.kernel.judging import score_hands
from tilewright.scoring.kernel.layout import ScoringArrays
from tilewright.scoring.plain.judge import Number, PlainJudge, Shortfall, Values, Verdict
from tilewright.scoring.plain.resolve import Counted
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.program.contexts import (
    BonusQuestions,
    BonusTiles,
    Context,
    CountedItems,
    Counting,
    TableQuestions,
)
from tilewright.scoring.program.measures import Frame, KnownValues, programs_of, stack_of
from tilewright.scoring.program.tallies import Cells, Unknown


@dataclass(frozen=True, slots=True)
class ClassFeature:
    """A property of parts that the table decides: the numbers of the class that has all of their tiles, and of one that
    has none of them; what it adds to counters, and the want that is met so, as a bit; the parts that it may be of."""

    of: int | None
    unless: int | None
    counter: int
    want: int
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ImageNumbers:
    """`image`, as `layout` says, and `programs` of questions: numbers of 64 bits."""

    image: bytes
    programs: bytes


@dataclass(frozen=True, slots=True)
class ScoringImage:
    """`parts`: the tiles of each part of readings, `met`: the wants that it meets, as bits; `features`: what the table
    decides about parts. `asked`: the questions about numbers, `times`: those of the table that say how often a pattern
    counts. `cells`: where those that questions look at begin. `unplaced`: melds that tables do not know, twice the
    group, one more where it is exposed; `wild`: by group, what stands for what in it, where tables know that; `faces`:
    those that tables know. `zones`: those that a case must not have; `others`: nor anything of other seats."""

    numbers: ImageNumbers
    parts: tuple[tuple[int, ...], ...]
    met: tuple[int, ...]
    features: tuple[ClassFeature, ...]
    items: CountedItems
    asked: tuple[int, ...]
    times: tuple[int, ...]
    table: TableQuestions
    bonus: BonusQuestions
    cells: Mapping[Cells, int]
    unplaced: frozenset[int]
    wild: tuple[tuple[Pair, ...], ...]
    faces: frozenset[int]
    zones: frozenset[str]
    others: bool

    def takes(self, situation: Situation) -> bool:
        """Whether it knows the situation; others are left to the plain judge."""
        known = situation.won and self.zones.isdisjoint(situation.zones)
        return known and not (self.others and (situation.others or situation.flags_of))

    def is_odd(self, meld: Meld) -> bool:
        """Whether tables do not know what stands for what in a meld."""
        return tuple(sorted(meld.wild)) != self.wild[meld.group]


@dataclass(frozen=True, slots=True)
class KeptImage:
    """What the cache keeps: the image, or that the kernel does not know the ruleset."""

    image: ScoringImage | None


def image_of(data: CompiledRuleset, make: Callable[[], ScoringImage | None]) -> ScoringImage | None:
    """The image of a ruleset, from the cache if it is there; None where the kernel does not know the ruleset."""
    kept = recall_made(data, KeptImage)
    if kept is None:
        kept = KeptImage(make())
        keep_made(data, kept)
    return kept.image


# --- what is met

FIRST_ROWS = 256
MOST_MISSING = 256  # notes of one run
MOST_KNOWN = 200_000  # rows of a table
MOST_CONTEXTS = 4_000
MOST_TIMES = 1 << 16
MOST_NUMBER = 1 << 62  # of measures
NONE_GIVEN = zeros("i", 1)  # where hands are rows


class HashTable:
    """Rows of a key and its values, the first of which is never 0. `rows`: (2**n, width + values)."""

    def __init__(self, width: int, values: int) -> None:
        self.width, self.used = width, 0
        self.rows = zeros("q", FIRST_ROWS, width + values)

    def put(self, key: Sequence[int], values: Sequence[int]) -> None:
        """Add a row, or replace it."""
        if 2 * self.used >= len(self.rows):
            self.grow()
        place = self.place(key)
        self.used += not self.rows[place, self.width]
        self.fill(place, [*key, *values])

    def fill(self, place: int, row: Sequence[int]) -> None:
        flat(self.rows)[place * len(row) : (place + 1) * len(row)] = array("q", row)

    def place(self, key: Sequence[int]) -> int:
        """The row where a key is, or belongs."""
        return slot_of(self.rows, listed("q", key, 1, self.width), 0, self.width)

    def __contains__(self, key: Sequence[int]) -> bool:
        return bool(self.rows[self.place(key), self.width])

    def grow(self) -> None:
        """Make room for four times as many."""
        before, wide = self.rows, self.rows.shape[1]
        numbers = flat(before).tolist()
        self.rows = zeros("q", 4 * len(before), wide)
        for start in range(0, len(numbers), wide):
            row = numbers[start : start + wide]
            if row[self.width]:
                self.fill(self.place(row[: self.width]), row)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand comes to: its measures, and what is missing of the minimum. `counted`: the patterns that count, where
    no codes say which."""

    values: Values
    short: Shortfall | None
    counted: Sequence[Counted] | None


class Worths:
    """Worths by number: those that the kernel or Python has met. `rows`: what readings are compared by."""

    def __init__(self, width: int, read: Callable[[list[int]], Worth]) -> None:
        self.rows = zeros("q", FIRST_ROWS, width)
        self.read, self.known = read, dict[int, Worth]()

    def __getitem__(self, number: int) -> Worth:
        found = self.known.get(number)
        if found is None:
            wide = self.rows.shape[1]
            found = self.known[number] = self.read(flat(self.rows)[(number + 1) * wide : (number + 2) * wide].tolist())
        return found

    def add(self, worth: Worth, row: Sequence[int]) -> int:
        """Add a worth. Its row."""
        place = self.rows[0, at.WORTHS] + 1
        for spot, number in enumerate(row):
            self.rows[place, spot] = number
        self.rows[0, at.WORTHS] = place
        self.known[place - 1] = worth
        return int(place)

    @property
    def is_full(self) -> bool:
        return bool(self.rows[0, at.WORTHS] + 1 == len(self.rows))

    def grow(self) -> None:
        """Make room for four times as many."""
        self.rows = grown(self.rows, 4)


class KernelScores:
    """Scoring under one ruleset. `numbers`: of the image; `worths`: by number; `known`: contexts by number; `missing`:
    room for notes of what was met for the first time."""

    def __init__(self, image: ScoringImage, data: CompiledRuleset, judge: PlainJudge) -> None:
        self.known_image, self.data, self.plain = image, data, judge
        self.image: Numbers = memoryview(image.numbers.image).cast("q")
        self.programs: Numbers = memoryview(image.numbers.programs).cast("q")
        self.bonus, self.values = BonusTiles(data, image.bonus), KnownValues(data)
        self.counting = Counting(data, image.items)
        self.exposes = data.scoring.completed_by_discard == "exposed"
        self.plain_tiles = [tile.plain for tile in data.tiles.tiles]
        numbers = self.image
        self.wide = numbers[at.ITEM_WORD] - numbers[at.TILE_WORD]
        self.verdict_width = numbers[at.ITEM_WORDS] + len(image.items.contested) + len(image.asked) + 2
        self.sum_width = 2 + numbers[at.SUMS]
        self.result_width = at.RESULT_PATTERNS + at.MOST_CODES + numbers[at.PATTERN_WORDS] + numbers[at.DEPTH]
        self.missing_width = at.OF_KEY + max(self.verdict_width, self.sum_width)
        self.sums_of = [(measure.id, extra) for measure in data.scoring.measures for extra in (False, True)]
        said = (number for pairs in image.items.numbers for of_table, number in pairs if of_table)
        self.asked_of_table = sorted(set(said))  # questions about numbers
        self.key_at = at.FIRST_MEASURE + len(data.scoring.measures)  # where the key of a sum begins in a worth
        self.space = zeros("q", at.SPACE, numbers[at.ROOM])
        self.generation = 0  # how often all was dropped
        self.replaced = 0  # how often arrays were replaced, as they grew
        self.lock = RLock()  # threads that score share the working space and what was met
        self.forget()

    def forget(self) -> None:
        """Drop what was met."""
        image, numbers, parts = self.known_image, self.image, len(self.known_image.parts)
        self.generation += 1
        self.replaced += 1
        self.is_full = False
        self.verdicts = HashTable(self.verdict_width, at.VERDICT_PATTERNS + numbers[at.PATTERN_WORDS])
        self.sums = HashTable(self.sum_width, 1)
        self.worths = Worths(self.key_at + self.sum_width, self.worth_of_sum)
        self.measuring = zeros("q", 1)
        self.known: list[Context] = []
        self.row_of: dict[Hashable, int] = {}
        self.classes: dict[Any, int] = {}
        self.frames: dict[Any, int] = {}
        self.frame_at: dict[int, Frame] = {}
        self.said: dict[Any, int] = {}
        self.contexts = zeros("q", 64, at.CONTEXT_BITS + self.wide + len(self.data.forms) + len(image.times))
        self.met = zeros("q", 16, parts)
        self.moving = zeros("q", 16, max(parts * (numbers[at.WORDS] - numbers[at.STILL]), 1))

    def forget_much(self) -> None:
        """Drop what was met, if it is too much to keep."""
        if self.is_full:
            self.forget()

    # --- tables

    def context(self, situation: Situation) -> int:
        """The number of the table of a hand."""
        return self.context_of(situation, any(meld.exposed for meld in situation.hand.melds))

    def context_of(self, situation: Situation, is_open: bool) -> int:
        """The same where it is known whether the hand has exposed melds."""
        key = situation.key, self.bonus.signature(situation) if situation.hand.bonus else (), is_open
        row = self.row_of.get(key)
        return self.new_context(key, situation) if row is None else row

    def new_context(self, key: Hashable, situation: Situation) -> int:
        row, image = len(self.known), self.known_image
        context = image.table.asked(self.plain.scene(situation))
        self.row_of[key] = row
        self.known.append(context)
        self.is_full = self.is_full or row > MOST_CONTEXTS
        if row == len(self.contexts):
            self.contexts = grown(self.contexts, 2)
            self.replaced += 1
        if context.classes not in self.classes:
            self.new_class(context)
        said = tuple([context.answers[number] for number in self.asked_of_table])
        kind, first = self.said.setdefault(said, len(self.said)), self.image[at.TILE_WORD]
        for number, form in enumerate(self.data.forms):
            context.frames[number] = self.values.frame(self.plain.scene(situation, Reading(form.id, ())))
        self.set_row(
            self.contexts,
            row,
            [
                int(context.is_open),
                self.classes[context.classes],
                kind,
                *(wrapped(context.bits >> 64 * (first + word)) for word in range(self.wide)),
                *map(self.frame, context.frames.values()),
                *(self.times(context.answers[number]) for number in image.times),
            ],
        )
        return row

    @staticmethod
    def set_row(rows: Numbers, row: int, numbers: Sequence[int]) -> None:
        flat(rows)[row * len(numbers) : (row + 1) * len(numbers)] = array("q", numbers)

    def frame(self, frame: Frame) -> int:
        """Where the programs of what measures ask at a table begin."""
        known = self.frames.get(frame.answers)
        if known is None:
            known = self.frames[frame.answers] = len(self.measuring)
            self.frame_at[known] = frame
            self.measuring = listed("q", [*self.measuring.tolist(), *self.measures(frame, known)])
            self.replaced += 1
        return known

    def measures(self, frame: Frame, start: int) -> list[int]:
        """The record of measures, from here on: none where Python has to work them out."""
        data = self.data.scoring
        try:
            made = programs_of(self.data, frame.scene)
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
        return bool(self.image[at.SEARCHES])

    @staticmethod
    def times(answer: Any) -> int:
        """How often a pattern counts; UNKNOWN for no small whole number."""
        return int(answer) if isinstance(answer, int) and abs(answer) < MOST_TIMES else at.UNKNOWN

    def new_class(self, context: Context) -> None:
        """Count parts at tables like this."""
        image, classes = self.known_image, context.classes
        row = self.classes[classes] = len(self.classes)
        if row == len(self.moving):
            self.moving, self.met = grown(self.moving, 2), grown(self.met, 2)
            self.replaced += 1
        met, counters = [*image.met], [0] * len(image.met)
        for feature in image.features:
            allowed = None if feature.of is None else classes[feature.of]
            barred = frozenset[int]() if feature.unless is None else classes[feature.unless]
            for part in feature.parts:
                tiles = image.parts[part]
                if (allowed is None or allowed.issuperset(tiles)) and barred.isdisjoint(tiles):
                    met[part] |= feature.want
                    counters[part] += feature.counter
        words = self.image[at.WORDS] - self.image[at.STILL]
        self.set_row(self.met, row, met)
        if words:
            self.set_row(self.moving, row, [wrapped(one >> 64 * word) for one in counters for word in range(words)])

    # --- hands

    def judge(self, hands: Numbers, rows: Numbers, count: int) -> Numbers:
        """Judge the hands in the first so many of these rows. The columns of a result for each hand: the number of a
        worth, NO_READING, or BY_ITSELF for a hand that the plain judge has to score, and for others; what counts."""
        results, missing = zeros("q", len(hands), self.result_width), zeros("q", MOST_MISSING, self.missing_width)
        flat(results)[at.RESULT :: self.result_width] = array("q", [at.BY_ITSELF]) * len(hands)
        while count:
            count = score_hands(self.arrays(hands, results, missing, NONE_GIVEN), rows, count)
            notes, wide = flat(missing), self.missing_width
            for note in range(self.space[at.NOW, at.NOW_FOUND]):
                self.add(notes[note * wide : (note + 1) * wide].tolist())
        return results

    def arrays(self, hands: Numbers, results: Numbers, missing: Numbers, given: Numbers) -> ScoringArrays:
        """What kernels take, as it is now: tables that grow are replaced."""
        return ScoringArrays(
            self.image,
            self.programs,
            self.contexts,
            self.moving,
            self.met,
            self.verdicts.rows,
            self.sums.rows,
            self.worths.rows,
            self.measuring,
            hands,
            results,
            missing,
            self.space,
            given,
        )

    # --- what is met for the first time

    def add(self, line: Sequence[int]) -> None:
        """Work out what is missing."""
        table = (self.verdicts, self.sums)[line[at.KIND]]
        key = line[at.OF_KEY : at.OF_KEY + table.width]
        self.sums.used = self.worths.rows[0, at.WORTHS_OF_SUMS]
        if key in table:
            return
        rows, self.is_full = table.rows, self.is_full or table.used > MOST_KNOWN
        if self.worths.is_full:
            self.worths.grow()
            self.replaced += 1
        if table is self.sums:
            self.add_worth(self.sums, key, self.worth_of_key(key), bool(key[0]))
        else:
            self.add_verdict(key, self.known[line[at.OF_CONTEXT]], line[at.OF_FORM])
        self.worths.rows[0, at.WORTHS_OF_SUMS] = self.sums.used
        self.replaced += table.rows is not rows

    def add_verdict(self, key: Sequence[int], context: Context, form: int) -> None:
        """Work out what counting patterns come to."""
        verdict = self.verdict(key, context, context.frames[form])
        worth = Worth(verdict.values, verdict.short, verdict.counted)
        self.add_worth(self.verdicts, key, worth, verdict.limit or verdict.stands_alone)

    def verdict(self, key: Sequence[int], context: Context, frame: Frame) -> Verdict:
        """The verdict on the patterns of a key."""
        items, asked = self.known_image.items, self.known_image.asked
        words, contested = self.image[at.ITEM_WORDS], list[Counted]()
        places = words + len(items.contested)
        for item, number in zip(items.contested, key[words:places], strict=True):
            shown = number >> 32
            several = (number & (1 << 32) - 1) + shown
            if several:
                contested += self.counting.newly(items.pattern_of[item], context.is_open, several, shown, ())
        held = int.from_bytes(array("q", key[:words]).tobytes(), "little")
        answers = dict(zip(asked, key[places:], strict=False))
        return self.values.verdict(frame, self.counting.summed(held, contested, context, answers))

    def worth_of_key(self, key: Sequence[int]) -> Worth:
        """What a sum comes to."""
        sums = {name: number for name, number in zip(self.sums_of, key[1:-1], strict=True) if number}
        return Worth(*self.values.of_sums(self.frame_at[key[-1]], sums), None)

    def worth_of_sum(self, row: Sequence[int]) -> Worth:
        """The worth that the kernel has put into a row."""
        if not row[at.ENOUGH]:
            return self.worth_of_key(row[self.key_at :])
        measures, numbers = self.data.scoring.measures, row[at.FIRST_MEASURE : self.key_at]
        return Worth({m.id: number // at.SCALE for m, number in zip(measures, numbers, strict=True)}, None, None)

    def coded(self, code: int) -> Counted:
        """The pattern of a code, as it counts."""
        number = (code & (1 << at.CODE_OPEN) - 1) - 1
        closed, shown = (
            code >> start & (1 << at.CODE_SHOWN - at.CODE_CLOSED) - 1 for start in (at.CODE_CLOSED, at.CODE_SHOWN)
        )
        values = (code >> at.CODE_TIMES,) if self.known_image.items.numbers[number] else ()
        is_open = bool(code >> at.CODE_OPEN & 1)
        (counted,) = self.counting.newly(number, is_open, closed + shown, shown, values)
        return counted

    def add_worth(self, table: HashTable, key: Sequence[int], worth: Worth, alone: bool) -> None:
        """Remember a worth, and the patterns that count where no codes say which."""
        values = worth.values
        measures = (values[self.data.scoring.best], *values.values())
        scaled: list[Number] = [number * at.SCALE for number in measures]
        known = all(number.denominator == 1 and -MOST_NUMBER < number < MOST_NUMBER for number in scaled)
        patterns = [] if worth.counted is None else self.words(worth.counted)
        row = [worth.short is None, scaled[0], alone, *scaled[1:]]
        number = self.worths.add(worth, [*map(int, row)]) if known else at.BY_ITSELF
        table.put(key, [number, *patterns])

    def words(self, counted: Sequence[Counted]) -> list[int]:
        """Patterns as words."""
        order = self.counting.order
        patterns = sum(1 << order[one.pattern.id] for one in counted)
        return [wrapped(patterns >> 64 * word) for word in range(self.image[at.PATTERN_WORDS])]
