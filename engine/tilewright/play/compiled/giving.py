"""What a match has worked out, given to the machine: marks, scores, payments, and what hands measure.

In: the match of a follower. Out: the state of the machine, in line with it. What that cannot hold raises Odd."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any

from tilewright.base.compute.arrays import Array
from tilewright.play.compiled.following import Follower
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.model.results import Won


class Odd(Exception):
    """A value or a position that the machine cannot hold: the game is played by `Match` alone."""


class Giver:
    """What gives the machine what a match has worked out."""

    def __init__(self, follower: Follower) -> None:
        self.follower, self.knowledge, self.state = follower, follower.knowledge, follower.state
        self.program, self.writer = follower.program, follower.writer

    def give_hands(self) -> None:
        """Which hands of seats are closed, and what was won, where seats make several."""
        if self.program.hands == 1:
            return
        state, match = self.state, self.follower.match
        for seat, closed in enumerate(match.closed):
            won = match.won.get(seat)
            state[at.CLOSED + seat] = closed
            wins = match.wins_of(seat)
            state[at.HANDS_WON + seat] = len(wins)
            state[at.WON + seat] = sum(1 << number for number in {one.hand for one in wins})
            state[at.HAND_WON + seat] = 0 if won is None else won.hand
            laid = () if won is None else won.laid
            at.WON_TILES.of(state)[seat, : 1 + len(laid)] = [len(laid), *laid]

    def give_mark(self, name: str) -> None:
        mark, match = self.program.data.marks[name], self.follower.match
        row = [match.match_marks.get(name)] if mark.of == "match" else match.marks[name]
        self.give_values(self.writer.marks[name], mark.type, row)

    def give_values(self, mark: int, type: str, row: Sequence[Any]) -> None:
        for seat, value in enumerate(row):
            spot = mark * at.MOST_SEATS + seat
            if type == "tiles":
                self.give_tiles(spot, value)
            else:
                self.state[at.MARK + spot] = at.UNSET if value is None else self.number(type, value)

    def give_paid(self) -> None:
        """The payments that may be taken back."""
        if not self.writer.lines:
            return
        paid = [one for one in self.follower.match.paid if (one.payments, one.line) in self.writer.lines]
        if len(paid) > at.MOST_PAID:
            raise Odd("many payments that may be taken back")
        for number, one in enumerate(paid):
            row = (
                self.writer.line(one.payments, one.line),
                one.payer,
                one.payee,
                self.small(one.amount),
                one.settlement,
            )
            at.PAYMENT.of(self.state)[number] = row
        self.state[at.PAID] = len(paid)
        self.state[at.SETTLED] = 1 + max((one.settlement for one in paid), default=-1)

    def give_tiles(self, spot: int, value: Any) -> None:
        self.state[at.MARK + spot] = at.UNSET if value is None else 0
        start, tiles = at.MARK_TILES + spot * at.MARK_LIST, list(value or ())
        if len(tiles) >= at.MARK_LIST:
            raise Odd("a mark of many tiles")
        self.state[start] = len(tiles)
        self.state[start + 1 : start + 1 + len(tiles)] = tiles

    def give_shown(self) -> None:
        everyone = (1 << self.program.count) - 1
        for tile, seen in self.follower.match.shown.items():
            seats = everyone if seen is None else sum(1 << seat for seat in seen)
            self.state[at.SHOWN + tile] = seats
            self.state[at.SHOWN_ANY] |= seats

    def give_scores(self) -> None:
        if self.knowledge.asks_scores:
            scores = [self.follower.match.score_of(seat) for seat in range(self.program.count + 1)]
            self.state[at.SCORE : at.SCORE + len(scores)] = [self.small(score) for score in scores]
        else:
            at.SCORE.of(self.state)[:] = 0

    def give_measures(self) -> None:
        """What hands that won measure, where all of that is whole."""
        self.state[at.MEASURED] = 0
        for seat, won in self.follower.match.won.items():
            give_measures(self.state, self.writer.measures, seat, won)

    def number(self, type: str, value: Any) -> int:
        """A value of an expression, for a register."""
        if type in ("seat", "tile"):
            if isinstance(value, tuple):
                return value[0] if value else at.NONE
            return at.NONE if value is None else int(value)
        if type == "seats":
            return sum(1 << seat for seat in set(value))
        if type in ("suit", "name", "direction"):
            number = self.writer.name(value)
            self.knowledge.names[number] = value
            return number
        if isinstance(value, Fraction) and value.denominator != 1:
            raise Odd(f"the number {value}")
        return int(value)

    def small(self, value: Any) -> int:
        """A number that payments are made of. Raises Odd."""
        number = self.number("number", value)
        if abs(number) > at.MUCH:
            raise Odd("a very large number")
        return number


def give_measures(state: Array, measures: Collection[str], seat: int, won: Won) -> None:
    """What the hand of a seat measures, where all of that is whole."""
    found = [won.score.values.get(name, 0) for name in measures]
    if all(isinstance(value, int) and abs(value) <= at.MUCH for value in found):
        at.MEASURE.of(state)[seat, : len(found)] = found
        state[at.MEASURED] |= 1 << seat
