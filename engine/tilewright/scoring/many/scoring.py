"""Scoring many hands: a batch of won hands in, their scores as columns out. What the engine does for one hand, in
arrays.

Readings are looked up in tables, the program runs over all of them step by step, and what counts is worked out once for
each combination. A hand that asks for more (a wild tile, a regular expression, a form that is searched for) is scored
by the engine alone. Knows no text."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.image.engine import Engine
from tilewright.scoring.image.lookup import Memory
from tilewright.scoring.many.array_image import ArrayImage
from tilewright.scoring.many.batch import HandBatch, ScoreBatch
from tilewright.scoring.many.hands import ManyHands, check_copies
from tilewright.scoring.many.holding import Holding
from tilewright.scoring.many.readings import ManyReadings
from tilewright.scoring.many.rows import different, packed
from tilewright.scoring.many.settling import ManySettled, Outcomes
from tilewright.scoring.plain.judge import Verdict

CHUNK = 16_384  # hands at a time
MOST_MELDS = 32  # of a hand
MOST_OUTCOMES = 100_000  # of contests that are kept
Number = int | Fraction


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of a chunk, and for each hand the number of its own; -1 without a reading."""

    of_hand: Array
    verdicts: list[Verdict]
    plain: Array


class ManyScores:
    """Scoring of many hands under one ruleset."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.data = engine, engine.data
        self.image = ArrayImage(engine)
        self.memory, self.outcomes = Memory(), Outcomes()

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
            if rows.size and not (least <= rows.min() and rows.max() < limit):
                raise ValueError(f"{name} has a number that is not from {least} to {limit - 1}")
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
        ids = [pattern.id for pattern in self.data.patterns]
        bit = {id: number for number, id in enumerate(ids)}
        columns: dict[str, list[Any]] = {name: [] for name in ("win", "total", "patterns", "plain", *measures)}
        for part in parts:
            verdicts = part.verdicts
            won = np.array([verdict.short is None for verdict in verdicts] + [False], bool)
            masks = [sum(1 << bit[one.pattern.id] for one in verdict.counted) for verdict in verdicts] + [0]
            words = [[mask >> 64 * at & (1 << 64) - 1 for at in range(-(-len(ids) // 64))] for mask in masks]
            columns["win"].append(won[part.of_hand])
            columns["patterns"].append(np.array(words, np.uint64)[part.of_hand])
            columns["plain"].append(part.plain)
            for name in measures:
                columns[name].append(numbers([verdict.values[name] for verdict in verdicts] + [0])[part.of_hand])
            columns["total"].append(np.where(columns["win"][-1], columns[best][-1], 0))
        joined = {name: np.concatenate(rows) if rows else np.zeros(0, np.int64) for name, rows in columns.items()}
        values = {name: joined[name] for name in measures}
        return ScoreBatch(
            joined["win"].astype(bool),
            joined["total"],
            best,
            values,
            joined["patterns"],
            ids,
            joined["plain"].astype(bool),
        )

    def chunk(self, batch: HandBatch, first: int) -> Verdicts:
        """The verdicts on some hands, the first of which is in this row."""
        check_copies(self.image, batch, first)
        of_hand, verdicts = np.full(len(batch), -1, np.int64), list[Verdict]()
        alone = np.ones(len(batch), bool)
        if self.image.is_known:
            hands = ManyHands(self.image, batch)
            readings = ManyReadings(hands)
            if len(readings):
                made = self.best_of(readings)
                of_hand, verdicts = made.of_hand, made.verdicts
            alone = hands.alone
        for row in np.flatnonzero(alone).tolist():
            verdict = self.alone(batch, row)
            of_hand[row] = -1 if verdict is None else len(verdicts)
            verdicts += [] if verdict is None else [verdict]
        return Verdicts(of_hand, verdicts, alone)

    def best_of(self, readings: ManyReadings) -> "ManyVerdicts":
        """The verdicts on readings."""
        if len(self.outcomes.counted) > MOST_OUTCOMES:
            self.memory, self.outcomes = Memory(), Outcomes()
        return ManyVerdicts(ManySettled(Holding(readings), self.outcomes), self.memory)

    def alone(self, batch: HandBatch, row: int) -> Verdict | None:
        """The verdict on one hand, scored by itself."""
        situation = batch.situation(row, self.data)
        engine = self.engine
        best = engine.best(situation) if engine.takes(situation) else engine.plain.told(situation)
        return None if best is None else best[0]


def numbers(values: Sequence[Number]) -> Array:
    """Numbers as integers, or floats where one is no whole number."""
    whole = all(isinstance(value, int) for value in values)
    return np.array(values, np.int64) if whole else np.array([float(value) for value in values])


class ManyVerdicts:
    """The verdicts on the readings of some hands, by number, and the number of each hand's best one."""

    def __init__(self, settled: ManySettled, memory: Memory) -> None:
        self.settled, self.memory = settled, memory
        self.readings, self.hands, self.image = settled.readings, settled.hands, settled.image
        self.program, self.engine = self.image.program, self.image.engine
        self.of_hand = np.full(len(self.hands.batch), -1, np.int64)
        self.verdicts: list[Verdict] = []
        self.judge()

    def judge(self) -> None:
        """Settle which items count, and find the verdict of each hand."""
        settled, holding = self.settled, self.settled.holding
        items, counts, outcomes = holding.items, settled.counts, settled.outcomes
        numbers = [settled.asked[number] for number in sorted(settled.asked)]
        alone = [items[n] if self.program.alone >> n & 1 else counts[n] for n in range(len(items))]
        context = self.hands.context_of[self.readings.hand]
        words, hand = packed(np.stack(alone)), self.readings.hand
        table = [self.frames(context), self.number_kinds[context], self.hands.is_open[hand]]
        first, kind = different([*words, self.readings.form, *table, *outcomes, *numbers])
        items_of = [sum(int(word[line]) << 64 * at for at, word in enumerate(words)) for line in first]
        made = [self.judged(int(line), held, outcomes) for line, held in zip(first, items_of, strict=True)]
        ranks = {rank: number for number, rank in enumerate(sorted({rank for _, rank in made}))}
        rank = np.array([ranks[rank] for _, rank in made])[kind]
        rank[~holding.accepts()] = -1
        self.choose(kind, rank)
        self.verdicts = [verdict for verdict, _ in made]

    def choose(self, kind: Array, rank: Array) -> None:
        """The best reading of each hand, of equals the first in the order of the reader."""
        hand, form = self.readings.hand, self.readings.form
        starts = np.flatnonzero(np.diff(hand, prepend=-1))
        best = np.repeat(np.maximum.reduceat(rank, starts), np.diff(np.append(starts, len(hand))))
        lines = np.flatnonzero((rank == best) & (rank >= 0))
        first = lines[np.flatnonzero(np.diff(hand[lines], prepend=-1))]
        self.of_hand[hand[first]] = kind[first]
        form_of = np.full(len(self.of_hand), -1)
        form_of[hand[first]] = form[first]
        same = lines[form[lines] == form_of[hand[lines]]]
        for several in np.unique(hand[same[kind[same] != self.of_hand[hand[same]]]]).tolist():
            readings = same[hand[same] == several].tolist()
            self.of_hand[several] = kind[min(readings, key=lambda line: self.readings.query(line).order())]

    def frames(self, context: Array) -> Array:
        """For each reading the number of what measures ask at its table in its form."""
        engine, keys = self.engine, dict[Any, int]()
        pairs = context * len(engine.data.forms) + self.readings.form
        known, which = np.unique(pairs, return_inverse=True)
        found = []
        for pair in known.tolist():
            number, form = divmod(pair, len(engine.data.forms))
            frame = engine.frame(
                self.hands.contexts[number], form, self.hands.situation(int(self.hands.first_of[number]))
            )
            found.append(keys.setdefault(frame.answers, len(keys)))
        return np.array(found, np.int64)[which]

    @cached_property
    def number_kinds(self) -> Array:
        """For each context the number of what it says of worths and times."""
        asked = sorted({n for pairs in self.engine.settling.numbers.values() for of_table, n in pairs if of_table})
        keys = dict[Any, int]()
        self.number_kinds_said = [tuple([one.answers[number] for number in asked]) for one in self.hands.contexts]
        return np.array([keys.setdefault(one, len(keys)) for one in self.number_kinds_said], np.int64)

    def judged(self, line: int, items: int, outcomes: list[Array]) -> tuple[Verdict, Any]:
        """The verdict on a reading of which these items count, and its rank."""
        settled, engine = self.settled, self.engine
        context = self.hands.contexts[number := int(self.hands.context_of[self.readings.hand[line]])]
        form = int(self.readings.form[line])
        contests = tuple([int(outcome[line]) for outcome in outcomes])
        asked = tuple([int(settled.asked[question][line]) for question in sorted(settled.asked)])
        frame, said = context.frames[form].answers, self.number_kinds_said[number]
        key = items, contests, said, asked, context.is_open, frame, form
        known: tuple[Verdict, Any] | None = self.memory.get(key)
        if known is None:
            found = [one for outcome in contests for one in settled.known.counted[outcome]]
            verdict = engine.summed(items, found, self.readings.query(line))
            known = self.memory.keep(key, (verdict, engine.plain.rank(verdict)))
        return known
