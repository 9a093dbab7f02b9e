"""The random player, which makes any legal move; and random choices of all players: numbers that follow only from the
seed of the player, its number and how often it has answered, the same on every machine and after every interruption.
Knows nothing of the game."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from tilewright.base.arguments import WrongArgument, expect
from tilewright.play.model import Move, Pick, Question
from tilewright.play.view import View

MOST_TRIES = 200  # attempts to find a choice of several tiles that a condition allows
MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15  # the constants of SplitMix64
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
Anything = TypeVar("Anything")


class SeededChoices:
    """A sequence of numbers."""

    def __init__(self, seed: int, player: int, decision: int) -> None:
        self._state = mixed(mixed(mixed(seed) + player) + decision)

    def below(self, bound: int) -> int:
        """A number from 0 to below the bound, each as likely as any other but for one part in 2 ** 64."""
        self._state = self._state + GOLDEN & MASK
        return mixed(self._state) * bound >> 64

    def one_of(self, members: Sequence[Anything]) -> Anything:
        """One of the members."""
        return members[self.below(len(members))]

    def shuffled(self, members: Sequence[Anything]) -> Iterator[Anything]:
        """The members in random order, up to a number."""
        left = list(members)
        while left:
            at = self.below(len(left))
            left[at], left[-1] = left[-1], left[at]
            yield left.pop()

    def move(self, question: Question) -> Move:
        """Any answer: each listed move and each pick is equally likely."""
        at = self.below(len(question.moves) + len(question.picks))
        if at < len(question.moves):
            return question.moves[at]
        return self.picked(question.seat, question.picks[at - len(question.moves)])

    def picked(self, seat: int, pick: Pick) -> Move:
        """A choice of several tiles: any allowed number of any tiles."""
        number = pick.least + self.below(pick.most - pick.least + 1)
        tiles = self.shuffled(pick.tiles)
        return pick.move(seat, [next(tiles) for _ in range(number)])


def mixed(number: int) -> int:
    """The number with its bits mixed."""
    number &= MASK
    number = (number ^ number >> 30) * FIRST & MASK
    number = (number ^ number >> 27) * SECOND & MASK
    return number ^ number >> 31


def question_of(view: View, seed: int) -> tuple[Question, SeededChoices]:
    """What the seat of a view has to answer, and what its random choices follow from. Raises WrongArgument for a view
    whose seat is not asked."""
    expect("what a bot chooses by", view, View, "a view")
    question = view.question
    if question is None or view.seat is None:
        raise WrongArgument(f"nobody is asked whose view this is: {view!r}")
    return question, SeededChoices(seed, view.player(view.seat), view.decisions)


class RandomBot:
    """Chooses evenly among the listed moves and the described choices."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> Move:
        """Any legal move."""
        question, lots = question_of(view, self.seed)
        if not any(pick.asks for pick in question.picks):
            return lots.move(question)
        return allowed_move(view, question, lots)

    def ended(self, view: View) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


def allowed_move(view: View, question: Question, lots: SeededChoices) -> Move:
    """Any move; another one if a choice does not meet its condition."""
    for _ in range(MOST_TRIES):
        move = lots.move(question)
        if move in question.moves or view.allows(move):
            return move
    return view.legal_moves[0]
