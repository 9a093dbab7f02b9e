"""Quick scores: hands one at a time, scored by the kernel.

In: a situation. Out: its score, or None where the plain judge has to find it."""

from array import array
from functools import cached_property, partial

from tilewright.base.memory import Remembered
from tilewright.scoring.explain import shortfall_text, shortfall_texts
from tilewright.scoring.kernel.lone import Found, LoneHands
from tilewright.scoring.kernel.scores import KernelScores, Worth, Worths
from tilewright.scoring.plain.judge import Values, called
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.score import Details, Number, PatternScore, Score
from tilewright.scoring.scores import Scores
from tilewright.scoring.streams import HandStream

# A worth, what a score says of it before the patterns and after them, and these where no codes say which they are.
Outline = tuple[Worth, tuple[bool, Number, str, Values], str | None, tuple[PatternScore, ...]]
made_of = tuple.__new__  # which makes a score in a third of the time


class QuickScores:
    """Scores under one ruleset; `kernel`: what scores them, None where kernels do not know the ruleset."""

    def __init__(self, scores: Scores, kernel: KernelScores | None) -> None:
        self.scores, self.kernel = scores, kernel
        self.texts = Remembered(self.text)
        self.outlines: dict[int, Outline] = {}
        self.worths: Worths | None = None  # which outlines are of

    @cached_property
    def hands(self) -> LoneHands | None:
        """Single hands as the kernel takes them."""
        return None if self.kernel is None else LoneHands(self.kernel)

    @cached_property
    def patterns(self) -> Remembered[int, PatternScore]:
        """The patterns that codes of the kernel stand for."""
        coded = self.kernel.coded if self.kernel is not None else None
        assert coded is not None
        return Remembered(lambda code: self.scores.pattern_told(coded(code)))

    @cached_property
    def stream(self) -> HandStream | None:
        """The same for some hands at a time."""
        return None if self.hands is None else HandStream(self.hands)

    def score(self, situation: Situation) -> Score | None:
        """The score of a hand, where the kernel finds it."""
        hands = self.hands
        if hands is None or not hands.known.takes(situation):
            return None
        with hands.kernel.lock:
            found = hands.found(situation)
            return None if found is None else self.score_of(situation, found, hands.kernel.worths)

    def wins(self, situation: Situation) -> bool | None:
        """Whether a hand is a form and reaches the minimum, where the kernel finds it."""
        hands = self.hands
        if hands is None or not hands.known.takes(situation):
            return None
        with hands.kernel.lock:
            found = hands.found(situation)
            return None if found is None else found[0] >= 0 and not hands.kernel.worths[found[0]].short

    def score_of(self, situation: Situation, found: Found, worths: Worths) -> Score:
        """The score of what was found of a hand; `worths`: of the kernel, by number."""
        number, form, codes, parts = found
        if number < 0:
            return self.scores.no_score(situation)
        if self.worths is not worths:
            self.worths, self.outlines = worths, {}
        worth, head, reason, alone = self.outlines.get(number) or self.outline(number, worths[number])
        patterns = self.patterns
        counted = tuple(map(patterns.__getitem__, codes)) or alone
        return made_of(Score, (*head, counted, reason, partial(self.details, situation, worth, form, parts)))

    def outline(self, number: int, worth: Worth) -> Outline:
        """What scores of a worth say."""
        best, reason = self.scores.data.scoring.best, shortfall_text(worth.short)
        total = 0 if reason else worth.values[best]
        alone = tuple(map(self.scores.pattern_score, worth.counted or ()))
        self.outlines[number] = worth, (not reason, total, best, worth.values), reason or None, alone
        return self.outlines[number]

    def details(self, situation: Situation, worth: Worth, form: int, parts: bytes) -> Details:
        """The reading, the payments, the name of the amount, and why the hand does not win."""
        scores, data, values = self.scores, self.scores.data, worth.values
        reading = tuple([self.texts[part] for part in array("q", parts) if part >= 0])
        name = data.forms[form].id
        if worth.short is not None:
            return Details(reading, name, reasons=shortfall_texts(worth.short, data))
        return Details(reading, name, scores.paid(situation, values), called=called(data, values))

    def text(self, part: int) -> str:
        """A part of a reading as text."""
        assert self.hands is not None
        return self.scores.group_text(self.hands.known.parts[part])
