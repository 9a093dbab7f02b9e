"""Tables: a match behind an immutable interface. A table never changes; `push` returns the next one.

table = rules.table(seed=7)
while not table.over:
    table = table.push(table.legal_moves()[0])
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tilewright.play.log import lines
from tilewright.play.match import Match
from tilewright.play.model import Event, HandResult, Move, Question, Refusal
from tilewright.play.view import View

Number = int | Fraction


@dataclass(frozen=True, repr=False, eq=False)
class Table:
    """A table at one moment."""

    game: Match

    def __repr__(self) -> str:
        return f"Table({self.game!r})"

    def __eq__(self, other: object) -> bool:
        """Whether the same happened at both under the same rules, and the same may follow."""
        return self.moment == other.moment if isinstance(other, Table) else NotImplemented

    def __hash__(self) -> int:
        head, events, waiting = self.moment
        return hash((head, len(events), len(waiting)))

    @property
    def moment(self) -> tuple[str, Sequence[Event], Sequence[Move]]:
        """All that tells a table from others: the header of its log (rules, seed, hands, layout), the events, and the
        answers that wait for those of others."""
        game = self.game
        waiting = () if game.window is None else tuple(option.move for option in game.window.answers.values())
        return next(lines(game)), game.events, waiting

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to answer now, in turn order."""
        return self.game.asked

    @property
    def over(self) -> bool:
        """Whether the match, or as many hands of it as are played, is over."""
        return self.game.over

    @property
    def events(self) -> Sequence[Event]:
        """Everything that happened, in order."""
        return tuple(self.game.events)

    @property
    def result(self) -> HandResult | None:
        """The last hand that ended."""
        return self.game.result

    @property
    def results(self) -> tuple[HandResult, ...]:
        """Every hand that has ended, in order."""
        return tuple(self.game.results)

    @property
    def scores(self) -> tuple[Number, ...]:
        """What each player has: ints, or Fractions where they are not whole."""
        return self.game.scores

    @property
    def pot(self) -> Number:
        """What is in the pot."""
        return self.game.pot

    @property
    def placement(self) -> tuple[Number, ...]:
        """What the end of the match added to each player's score; empty before that, and where it adds nothing."""
        return self.game.placement

    def question(self, seat: int | str) -> Question | None:
        """What a seat has to answer now; None where it is not asked. Raises IllegalMove for a seat that there is not,
        as all that asks for a seat."""
        return self.game.question(seat)

    def legal_moves(self, seat: int | str | None = None) -> tuple[Move, ...]:
        """Every complete move of a seat, or of the first that has to answer."""
        return self.game.legal_moves(seat)

    def refusals(self, seat: int | str) -> tuple[Refusal, ...]:
        """What the seat may expect to do now but may not, with the reasons."""
        return self.game.refusals(seat)

    def answer_by(self, seat: int | str, pressed: Collection[str]) -> Move | None:
        """The answer of the seat's pressed buttons (their ids); None where it decides itself."""
        return self.game.answer_by(seat, pressed)

    def view(self, seat: int | str | None) -> View:
        """The table as a seat sees it, or (None) as everyone sees it."""
        return self.game.view(seat)

    def move(self, does: str, *chosen: str, seat: int | str | None = None, **named: str) -> Move:
        """The legal move that does this and chooses these tiles (or other texts), some by the name of the choice; of
        the seat, or of the one that is asked and may make it. Raises IllegalMove, which lists what is possible.

        table = table.push(table.move("chow", "345s"))
        """
        return self.game.move(does, *chosen, seat=seat, **named)

    def push(self, move: Move) -> "Table":
        """The table after a move. Raises IllegalMove."""
        game = self.game.copy()
        game.answer(move)
        return Table(game)

    def pass_all(self) -> "Table":
        """The table after every asked seat has passed. Raises IllegalMove if one may not."""
        game = self.game.copy()
        game.pass_all()
        return Table(game)

    def log(self) -> Iterator[str]:
        """The log, one JSON line per event: see `tilewright.play.log`."""
        return lines(self.game)
