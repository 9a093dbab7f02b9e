"""Scoring many hands: a batch of won hands in, their scores as columns out.

A kernel scores them hand by hand. A hand that asks for more (a wild tile, a form that is searched for) is scored by the
plain judge alone. Knows no text."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tilewright.base.arrays import Array
from tilewright.scoring.kernel import layout
from tilewright.scoring.kernel.scores import KernelScores, Worth
from tilewright.scoring.many.batch import HandBatch, ScoreBatch, WrongRow
from tilewright.scoring.many.hands import ManyHands, check_copies
from tilewright.scoring.plain.judge import Verdict
from tilewright.scoring.plain.plain_judge import PlainJudge

CHUNK = 16_384  # hands at a time
MOST_MELDS = 32  # of a hand
WORD = (1 << 64) - 1
Number = int | Fraction


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of a chunk; for each hand the number of its own, -1 without a reading; the patterns that count, as
    the words of `ScoreBatch`; and which hands were scored by themselves."""

    of_hand: Array
    verdicts: list[Verdict | Worth]
    patterns: Array
    plain: Array


class ManyScores:
    """Scoring of many hands under one ruleset."""

    def __init__(self, judge: PlainJudge, kernel: KernelScores | None) -> None:
        self.judge, self.kernel, self.data = judge, kernel, judge.data
        wild, faces = judge.reader.wild, range(len(self.data.tiles.tiles))
        self.copies = [wild.copies[face] for face in faces]

    def score(self, batch: HandBatch) -> ScoreBatch:
        """The scores of a batch. Raises ValueError where a column does not fit the ruleset."""
        self.check(batch)
        parts = [self.chunk(batch.take(slice(at, at + CHUNK)), at) for at in range(0, len(batch), CHUNK)]
        return self.columns_of(parts)

    def check(self, batch: HandBatch) -> None:
        """Raises ValueError where a column does not fit the ruleset."""
        faces = len(self.data.tiles.tiles)
        if batch.tiles.shape[1] != faces:
            raise ValueError(f"tiles has {batch.tiles.shape[1]} columns, but {self.data.id} has {faces} faces")
        limits = {"win": faces, "melds": len(self.data.groups.groups), "round_wind": faces}
        limits |= dict.fromkeys(("seat", "discarder"), self.data.seats.count)
        for name, limit in limits.items():
            rows = getattr(batch, name)
            least = 0 if name == "win" else -1
            wrong = np.argwhere((rows < least) | (rows >= limit))
            if len(wrong):
                raise WrongRow(int(wrong[0][0]), f"{name}: the number is not from {least} to {limit - 1}")
        if batch.melds.shape[1] > MOST_MELDS:
            raise ValueError(f"melds has {batch.melds.shape[1]} columns, more than {MOST_MELDS}")
        for name in batch.flags:
            if name not in self.data.marks and name not in self.data.terms:
                raise ValueError(f"{self.data.id} knows no flag {name!r}")
        for name in batch.zones:
            if name not in self.data.zones:
                raise ValueError(f"{self.data.id} has no zone {name!r}")

    def columns_of(self, parts: Sequence[Verdicts]) -> ScoreBatch:
        """The columns of the scores."""
        best, measures = self.data.scoring.best, [measure.id for measure in self.data.scoring.measures]
        won, patterns, plain = [], [], []
        values: dict[str, list[Array]] = {name: [] for name in measures}
        for part in parts:
            wins = np.array([verdict.short is None for verdict in part.verdicts] + [False], bool)
            won.append(wins[part.of_hand])
            patterns.append(part.patterns)
            plain.append(part.plain)
            for name, columns in values.items():
                columns.append(numbers([verdict.values[name] for verdict in part.verdicts] + [0])[part.of_hand])
        joined = {name: together(columns, np.int64) for name, columns in values.items()}
        wins = together(won, bool)
        return ScoreBatch(
            wins,
            np.where(wins, joined[best], 0),
            best,
            joined,
            np.concatenate([*patterns, self.words([])[:0]]),
            [pattern.id for pattern in self.data.patterns],
            together(plain, bool),
        )

    def chunk(self, batch: HandBatch, first: int) -> Verdicts:
        """The verdicts on some hands, the first of which is in this row."""
        check_copies(self.data, self.copies, batch, first)
        if self.kernel is None:
            found = self.nothing(len(batch))
        else:
            found = self.in_a_loop(self.kernel, ManyHands(self.kernel, batch))
        for row in np.flatnonzero(found.plain).tolist():
            verdict = self.alone(batch, row)
            if verdict is not None:
                found.of_hand[row] = len(found.verdicts)
                found.verdicts.append(verdict)
                found.patterns[row] = self.words([verdict])[0]
        return found

    def nothing(self, count: int) -> Verdicts:
        """Hands that are all to be scored by themselves."""
        words = np.zeros((count, len(self.words([])[0])), np.uint64)
        return Verdicts(np.full(count, -1, np.int64), [], words, np.ones(count, bool))

    def in_a_loop(self, kernel: KernelScores, hands: ManyHands) -> Verdicts:
        """The verdicts on hands that tables know, hand by hand in a compiled loop."""
        with kernel.lock:
            results = np.asarray(kernel.judge(hands.rows(), np.arange(len(hands.batch)), len(hands.batch)))
            worths = kernel.worths
        number = results[:, layout.RESULT]
        numbers, of_hand = np.unique(np.maximum(number, -1), return_inverse=True)
        none = int(len(numbers) > 0 and numbers[0] < 0)
        patterns = results[:, layout.RESULT_PATTERNS : layout.RESULT_PATTERNS + kernel.image[layout.PATTERN_WORDS]]
        patterns[number < 0] = 0
        plain = hands.alone | (number == layout.BY_ITSELF)
        verdicts: list[Verdict | Worth] = [worths[worth] for worth in numbers[none:].tolist()]
        return Verdicts(np.where(plain, -1, of_hand - none), verdicts, patterns.astype(np.uint64), plain)

    def words(self, verdicts: Sequence[Verdict]) -> Array:
        """The patterns that count in each verdict, as words; then none."""
        order = {pattern.id: number for number, pattern in enumerate(self.data.patterns)}
        masks = [sum(1 << order[one.pattern.id] for one in verdict.counted) for verdict in verdicts] + [0]
        words = range(-(-max(len(order), 1) // 64))
        return np.array([[mask >> 64 * word & WORD for word in words] for mask in masks], np.uint64)

    def alone(self, batch: HandBatch, row: int) -> Verdict | None:
        """The verdict on one hand, scored by itself."""
        return self.judge.best(batch.situation(row, self.data))


def together(columns: Sequence[Array], kind: type) -> Array:
    """The rows of several columns; of this kind where there are none."""
    return np.concatenate(columns) if columns else np.zeros(0, kind)


def numbers(values: Sequence[Number]) -> Array:
    """Numbers as integers, or floats where one is no whole number."""
    whole = all(isinstance(value, int) for value in values)
    return np.array(values, np.int64) if whole else np.array([float(value) for value in values])
