"""What holds: the readings of many hands in, the truth of every item of the program for each of them out.

The program runs step by step over all readings. Its questions are answered from counts of tiles; a hand whose tiles do
not tell the answer is scored by itself.
"""

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.many.array_image import ArrayStep
from tilewright.scoring.many.readings import ManyReadings
from tilewright.scoring.many.tally import tallied
from tilewright.scoring.program.conditions import Count, FormIs, Gate, TileBit


class Holding:
    """The facts of readings: a truth for each of them, by the number of a bit."""

    def __init__(self, readings: ManyReadings) -> None:
        self.readings, self.hands, self.image = readings, readings.hands, readings.image
        self.program, self.engine = self.image.program, self.image.engine
        self.known = self.facts()
        self.hold(self.known)

    @property
    def items(self) -> list[Array]:
        """The truth of each item."""
        return [self.known[self.program.first_item + number] for number in range(len(self.program.items))]

    def facts(self) -> dict[int, Array]:
        """The truths of each bit of facts but gates, for every reading."""
        program, facts = self.program, dict[int, Array]()
        for bit, tiles in self.image.tile_bits:
            facts[bit] = np.logical_or.reduce(self.hands.present & tiles[:, None])[self.readings.hand]
        words = np.concatenate([self.readings.words, self.readings.moving])
        context = self.hands.context_of[self.readings.hand]
        mask = (1 << program.layout.width) - 1
        for literal, bit in program.bits.items():
            if isinstance(literal, Count):
                word, shift = divmod(program.lowest(literal.field), 64)
                facts[bit] = words[word] & np.uint64(mask << shift) >= np.uint64(literal.least << shift)
            elif isinstance(literal, FormIs):
                facts[bit] = np.array([form.id == literal.name for form in self.engine.data.forms])[self.readings.form]
            elif not isinstance(literal, TileBit | Gate):
                facts[bit] = np.array([one.bits >> bit & 1 for one in self.hands.contexts], bool)[context]
        return facts

    def hold(self, facts: dict[int, Array]) -> None:
        """Run the program: the truths of gates and items are added."""
        size = len(self.readings.hand)
        for steps in self.image.steps:
            for step in steps:
                facts.setdefault(step.target, np.zeros(size, bool))
            for step in steps:
                if not step.asks:
                    np.logical_or(facts[step.target], self.meets(step, facts), out=facts[step.target])
            for step in steps:
                if step.asks:
                    facts[step.target] |= self.answered(step, self.meets(step, facts) & ~facts[step.target])
        for number in range(len(self.program.items)):
            facts.setdefault(self.program.first_item + number, np.zeros(size, bool))

    def meets(self, step: ArrayStep, facts: dict[int, Array]) -> Array:
        """Which readings are as a step says, but for its questions."""
        truth = np.ones(len(self.readings.hand), bool)
        for bit, holds in step.bits:
            truth = np.logical_and(truth, facts[bit]) if holds else np.greater(truth, facts[bit])
        return truth

    def answered(self, step: ArrayStep, asked: Array) -> Array:
        """Which of these readings answer the questions of a step as it says."""
        for question, wanted in step.asks:
            asked = asked.copy()
            lines = np.flatnonzero(asked)
            if len(lines):
                asked[lines] = self.answer(question, lines).astype(bool) == wanted
        return asked

    def answer(self, question: int, lines: Array) -> Array:
        """The answers of some readings; a hand whose tiles do not tell it is scored by itself."""
        hands, which = np.unique(self.readings.hand[lines], return_inverse=True)
        value = tallied(self.engine.questions[question], self.hands.tallies(hands))
        if value is None:
            self.hands.alone[hands] = True
            value = np.zeros(len(hands), np.int64)
        return value[which]

    def accepts(self) -> Array:
        """Which readings meet the condition of their form."""
        accepted = np.ones(len(self.readings.hand), bool)
        for form, steps in self.image.accepted.items():
            lines = self.readings.form == form
            met = np.zeros(len(self.readings.hand), bool)
            for step in steps:
                met |= self.answered(step, self.meets(step, self.known) & lines & ~met)
            accepted &= met | ~lines
        return accepted
