"""The fast player: always plays towards the nearest hand, with as many useful tiles as possible.

It claims nothing for a hand that would then mostly fall short of the minimum.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tilewright.hands.distance.approach import Look
from tilewright.hands.distance.cards import DividedLook
from tilewright.hands.listed import NEVER
from tilewright.hands.needs import TooManyNeeds
from tilewright.play.model import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.decision import Decision
from tilewright.players.bots.position import FormReader, Position, Unchanged, reader_of
from tilewright.players.bots.random_bot import SeededChoices, question_of
from tilewright.players.bots.worth import HandValues, KnownMarks, ScoringContext, wholes

FAR = 5  # tiles missing
WHOLES = 4  # hands that are examined
Rank = tuple[int, int]  # tiles missing, negated; tiles left that bring it nearer
HOPELESS: Rank = (-NEVER, 0)


class FastBot:
    """Plays for distance and acceptance."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.seed = seed
        self.reader = reader_of(Unchanged(rules))
        self.judge = FastJudge(self.reader)
        self.minimum = minimum_of(Unchanged(rules))

    def choose(self, view: View) -> Move:
        """The move after which the hand is nearest."""
        question, lots = question_of(view, self.seed)
        judge = self.judge
        if self.minimum is not None:
            judge = FastJudge(self.reader, self.minimum.seen_from(view), self.seed)
        return Decision(view, question, self.reader, judge, lots).move()

    def ended(self, view: View) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


@lru_cache(maxsize=32)
def minimum_of(same: Unchanged[Rules]) -> "Minimum | None":
    """The minimum that hands need to win, if any."""
    return Minimum(HandValues(same.rules), KnownMarks(same.rules)) if same.rules.data.scoring.minimum else None


@dataclass(frozen=True)
class Minimum:
    """Whether hands reach it. `place`: the seat that asks."""

    worth: HandValues
    known_marks: KnownMarks
    place: ScoringContext | None = None

    def seen_from(self, view: View) -> "Minimum":
        """The same for a seat."""
        return replace(self, place=self.known_marks.place(view))

    def context_of(self, position: Position) -> ScoringContext:
        """What decides the worth of hands in this position, besides them."""
        seen = self.place or ScoringContext(0, None)
        flags = seen.flags | self.known_marks.promised(position.melds)
        return replace(seen, bonus=position.bonus, flags=flags)

    def is_near(self, look: Look, position: Position, lots: SeededChoices) -> bool:
        """Whether half of some nearest whole hands reach it."""
        place = self.context_of(position)
        found = list(wholes(look, lots, WHOLES))
        short, most = 0, len(found) // 2
        for number, (tiles, win) in enumerate(found):
            if short > most or number - short >= len(found) - most:
                break  # the others no longer matter
            short += self.worth.of(tuple(tiles), position.melds, win, place) <= 0
        return short <= most


class FastJudge:
    """Positions by distance, then by how many tiles bring the hand nearer."""

    def __init__(self, reader: FormReader, minimum: Minimum | None = None, seed: int = 0) -> None:
        self.reader = reader
        self.minimum = minimum
        self.seed = seed

    def rank(self, position: Position) -> Rank:
        """How good a position is without a tile to discard."""
        try:
            return self.of(self.look(position), position)
        except TooManyNeeds:
            return HOPELESS

    def discard(self, position: Position, faces: Sequence[int]) -> tuple[int, Rank]:
        """The best of these tiles to discard, and how good the rest is."""
        look = self.look(position)
        try:
            after = {face: look.without(face) for face in faces}
            least = min(one.at_least() for one in after.values())
            ranks = {face: self.of(one, position) for face, one in after.items() if one.at_least() == least}
        except TooManyNeeds:
            return faces[-1], HOPELESS
        best = max(ranks, key=ranks.__getitem__)
        return best, ranks[best]

    def better(self, one: Rank, other: Rank) -> bool:
        """Whether it is nearer, or more tiles bring it nearer."""
        return one > other

    def no_worse(self, one: Rank, other: Rank) -> bool:
        """Whether the first is no further away."""
        return one[0] >= other[0] and one[1] > 0

    def harmless(self, position: Position, face: int) -> bool:
        """Whether the hand is no further away without the tile."""
        look = self.look(position)
        return look.without(face).at_least() <= look.at_least()

    def pledges(self, position: Position, marks: frozenset[str]) -> bool:
        """Always true: it will not change."""
        return True

    def may_win(self, position: Position) -> bool:
        """Whether it is near a hand that reaches the minimum."""
        if self.minimum is None:
            return True
        look = self.look(position)
        if isinstance(look, DividedLook):
            return True
        try:
            return self.minimum.is_near(look, position, SeededChoices(self.seed, 0, len(position.melds)))
        except TooManyNeeds:
            return True

    def far(self, position: Position) -> bool:
        """Whether many tiles are missing."""
        return -self.rank(position)[0] >= FAR

    def look(self, position: Position) -> Look | DividedLook:
        return self.reader.look(position)

    def of(self, look: Look | DividedLook, position: Position) -> Rank:
        """The rank of a hand. One that waits for tiles without copies left is further away than it seems."""
        distance, useful = look.roughly
        left = sum([position.left[tile] for tile in useful if position.left[tile] > 0])
        dead = not left and distance > 0
        return -distance - dead, left
