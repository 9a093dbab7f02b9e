"""A player's random choices: numbers that follow only from the seed of the player, its number and how often it has
answered; the same on every machine and after every interruption."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from tilewright.base.arguments import WrongArgument, expect
from tilewright.play.model.moves import Move, Pick, Question
from tilewright.play.view import View

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
