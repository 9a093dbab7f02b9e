"""Offers of a hand: how often each was there for a seat, and how often it was chosen. A game before each answer in,
rows out. Knows no players."""

from collections import Counter

from tilewright.play.match import Match
from tilewright.play.state.frames import AnswerWindow
from tilewright.players.simulation.rows import OfferRow


class OfferCounts:
    """The counts of the hand that is played. An offer counts once for each seat that a question of a phase puts it to,
    however many tiles it may be made with, and even if another seat's better claim ends the question first."""

    def __init__(self) -> None:
        self.offered, self.taken = Counter[str](), Counter[str]()
        self.window: AnswerWindow | None = None

    def see(self, game: Match) -> None:
        """Count what seats are asked, once for each question."""
        window = game.window
        if window is None or window is self.window:
            return
        self.window = window
        if window.ask is None:
            for choices in window.choices.values():
                self.offered.update(choices.offers())

    def take(self, does: str) -> None:
        """Count a choice, of a question seen before."""
        if self.window is not None and self.window.ask is None and does in self.offered:
            self.taken[does] += 1

    def rows(self) -> tuple[OfferRow, ...]:
        """The counts so far, which begin again."""
        found = tuple(OfferRow(id, self.offered[id], self.taken[id]) for id in sorted(self.offered))
        self.offered, self.taken = Counter(), Counter()
        return found
