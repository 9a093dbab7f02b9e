"""The random player: any legal move. Fast; knows nothing of the game."""

from tilewright.play.model.moves import Move, Question
from tilewright.play.view import View
from tilewright.players.bots.seeds import SeededChoices, question_of

MOST_TRIES = 200  # attempts to find a choice of several tiles that a condition allows


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
