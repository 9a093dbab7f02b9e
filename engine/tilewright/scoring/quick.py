"""Quick scores: hands one at a time, scored by the kernel, but for the first few.

In: a situation. Out: its score, or None where the engine has to find it."""

from array import array
from functools import cached_property, partial
from typing import TYPE_CHECKING

from tilewright.scoring.explain import shortfall_text, shortfall_texts
from tilewright.scoring.plain.judge import Values, called
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.score import Details, Number, PatternScore, Score

if TYPE_CHECKING:
    from tilewright.scoring.kernel.lone import Found, LoneHands
    from tilewright.scoring.kernel.scores import Worth
    from tilewright.scoring.rules import ScoringRules
    from tilewright.scoring.streams import HandStream

Outline = tuple[bool, Number, str, Values, str | None]  # what a score says beside its patterns
Kind = tuple[bool, int, bytes]  # what decides the patterns that count
FEW = 300  # hands of a process, which the engine scores sooner than the image that the kernel runs over is made
MOST_KNOWN = 50_000  # combinations of patterns that are kept


class QuickScores:
    """Scores under one ruleset."""

    def __init__(self, rules: "ScoringRules") -> None:
        self.rules, self.left = rules, FEW
        self.start()

    @cached_property
    def hands(self) -> "LoneHands | None":
        """What scores them; None where kernels do not know the ruleset."""
        self.left = 0
        if (kernel := self.rules.many.kernel) is None:
            return None
        from tilewright.scoring.kernel.lone import LoneHands  # imported here: it brings numpy

        return LoneHands(kernel)

    def start(self) -> None:
        """Forget what was scored."""
        self.outlines: dict[int, Outline] = {}
        self.patterns: dict[Kind, tuple[PatternScore, ...]] = {}
        self.texts: dict[int, str] = {}
        self.generation = 0

    def stream(self, count: int) -> "HandStream | None":
        """The same for some hands at a time, so many of them being there; None for few."""
        if self.rules.shifts or count <= self.left or self.hands is None:
            return None
        from tilewright.scoring.streams import HandStream

        return HandStream(self.hands)

    def score(self, situation: Situation) -> Score | None:
        """The score of a hand, where the kernel finds it."""
        if not self.takes(situation):
            return None
        assert self.hands is not None
        with self.hands.kernel.lock:
            found = self.hands.found(situation)
            return None if found is None else self.score_of(situation, found)

    def wins(self, situation: Situation) -> bool | None:
        """Whether a hand is a form and reaches the minimum, where the kernel finds it."""
        if not self.takes(situation):
            return None
        assert self.hands is not None
        with self.hands.kernel.lock:
            found = self.hands.found(situation)
            if found is None:
                return None
            return found.worth >= 0 and not self.hands.kernel.worths[found.worth].short

    def takes(self, situation: Situation) -> bool:
        """Whether the kernel scores such a hand."""
        if self.left > 0:
            self.left -= 1
            return False
        return self.hands is not None and self.rules.engine.takes(situation)

    def score_of(self, situation: Situation, found: "Found") -> Score:
        """The score of what was found of a hand."""
        assert self.hands is not None
        if found.worth < 0:
            return self.rules.no_score(situation)
        if self.generation != self.hands.kernel.generation:
            self.start()
            self.generation = self.hands.kernel.generation
        win, total, unit, values, reason = self.outlines.get(found.worth) or self.outline(found.worth)
        kind = (*self.hands.kernel.kinds[found.context], found.counting)
        patterns = self.patterns.get(kind) or self.counted(kind, found)
        worth = self.hands.kernel.worths[found.worth]
        tell = partial(self.details, situation, worth, found.form, found.parts)
        return Score(win, total, unit, values, patterns, reason, tell)

    def outline(self, number: int) -> Outline:
        """Whether a worth wins, its total and measures, or why it does not win."""
        assert self.hands is not None
        worth, best = self.hands.kernel.worths[number], self.rules.data.scoring.best
        reason = shortfall_text(worth.short)
        total = 0 if reason else worth.values[best]
        self.outlines[number] = not reason, total, best, worth.values, reason or None
        return self.outlines[number]

    def counted(self, kind: Kind, found: "Found") -> tuple[PatternScore, ...]:
        """The patterns that count."""
        assert self.hands is not None
        counted = self.hands.counted(found, self.hands.kernel.worths[found.worth])
        if len(self.patterns) > MOST_KNOWN:
            self.patterns.clear()
        self.patterns[kind] = tuple(map(self.rules.pattern_score, counted))
        return self.patterns[kind]

    def details(self, situation: Situation, worth: "Worth", form: int, parts: bytes) -> Details:
        """The reading, the payments, the name of the amount, and why the hand does not win."""
        rules, values = self.rules, worth.values
        reading = tuple([self.texts.get(part) or self.text(part) for part in array("q", parts) if part >= 0])
        name = rules.data.forms[form].id
        if worth.short is not None:
            return Details(reading, name, reasons=shortfall_texts(worth.short, rules.data))
        return Details(reading, name, rules.paid(situation, values), called=called(rules.data, values))

    def text(self, part: int) -> str:
        """A part of a reading as text."""
        assert self.hands is not None
        number = self.hands.flat.parts[part]
        self.texts[part] = self.rules.group_text(self.rules.engine.layout.parts[number].part.tiles)
        return self.texts[part]
