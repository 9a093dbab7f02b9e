"""The fast player: always towards the nearest hand, with as many tiles as possible that bring it nearer."""

from collections.abc import Sequence

from tilewright.hands.approach import Look
from tilewright.hands.listed import NEVER
from tilewright.hands.needs import TooManyNeeds
from tilewright.play.moves import Move
from tilewright.play.rules import Rules
from tilewright.play.views import View
from tilewright.players.decision import Decision
from tilewright.players.lots import Lots
from tilewright.players.position import Position, Reader, Same, reader_of

FAR = 5  # tiles wanting
Rank = tuple[int, int]  # tiles wanting, negated; tiles left that bring it nearer
HOPELESS: Rank = (-NEVER, 0)


class FastBot:
    """Plays for distance and acceptance."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.seed = seed
        self.reader = reader_of(Same(rules))
        self.judge = FastJudge(self.reader)

    def choose(self, view: View) -> Move:
        """The move after which the hand is nearest."""
        question = view.question
        assert question is not None
        assert view.seat is not None
        lots = Lots(self.seed, view.player(view.seat), view.decisions)
        return Decision(view, question, self.reader, self.judge, lots).move()

    def ended(self, view: View) -> None:
        """It does not care."""

    def close(self) -> None:
        """Nothing to do."""


class FastJudge:
    """Positions by distance, then by how many tiles bring the hand nearer."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def rank(self, position: Position) -> Rank:
        """How good a position is in which nothing has to go."""
        try:
            return self.of(self.look(position), position)
        except TooManyNeeds:
            return HOPELESS

    def discard(self, position: Position, faces: Sequence[int]) -> tuple[int, Rank]:
        """The tile of these that is best thrown away, and how good the rest is."""
        look = self.look(position)
        try:
            after = {face: look.roughly_without(face) for face in faces}
            least = min(one.at_least() for one in after.values())
            ranks = {face: self.of(one, position) for face, one in after.items() if one.at_least() == least}
        except TooManyNeeds:
            return faces[-1], HOPELESS
        best = max(ranks, key=ranks.__getitem__)
        return best, ranks[best]

    def better(self, one: Rank, other: Rank) -> bool:
        """It is nearer, or more tiles bring it nearer."""
        return one > other

    def no_worse(self, one: Rank, other: Rank) -> bool:
        """The first is no further away."""
        return one[0] >= other[0] and one[1] > 0

    def harmless(self, position: Position, face: int) -> bool:
        """The hand is no further away without the tile."""
        look = self.look(position)
        return look.roughly_without(face).at_least() <= look.at_least()

    def far(self, position: Position) -> bool:
        """Many tiles are wanting."""
        return -self.rank(position)[0] >= FAR

    def look(self, position: Position) -> Look:
        return self.reader.look(position)

    def of(self, look: Look, position: Position) -> Rank:
        """The rank of a hand. One that is waiting for tiles of which none are left is further away than it seems."""
        distance, useful = look.roughly
        left = sum([position.left[tile] for tile in useful if position.left[tile] > 0])
        dead = not left and distance > 0
        return -distance - dead, left
