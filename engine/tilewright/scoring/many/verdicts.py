"""Verdicts on many readings: what counts in, the best reading of each hand out. Knows no text."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.image.context import Context
from tilewright.scoring.image.lookup import Memory
from tilewright.scoring.many.rows import different, packed
from tilewright.scoring.many.settling import ManySettled
from tilewright.scoring.plain.judge import Verdict


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
            verdict = engine.summed(items, found, context.frames[form], LineAsked(settled, context, line))
            known = self.memory.keep(key, (verdict, engine.plain.rank(verdict)))
        return known


@dataclass(frozen=True, slots=True)
class LineAsked:
    """A reading of a chunk, asked about numbers."""

    settled: ManySettled
    context: Context
    line: int

    def answer(self, question: int) -> int:
        """The answer to a question."""
        if question not in self.settled.asked:
            return int(self.settled.holding.answer(question, np.array([self.line]))[0])
        return int(self.settled.asked[question][self.line])
