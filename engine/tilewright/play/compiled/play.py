"""Compiled play: games of random players by the machine, the same as `Match` plays with the same moves.

In: the rules of a ruleset. Out: games whose hands are played one after the other. What the machine cannot play raises
NotSayable when it is compiled, and Odd in a game that gets where it cannot follow; `Match` then plays it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from tilewright.base.arrays import Array
from tilewright.base.kernels import Entry
from tilewright.play.compiled.following import Follower
from tilewright.play.compiled.host import Host, Odd
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import lot
from tilewright.play.compiled.kernel.questions import answer, moves_of, next_asked
from tilewright.play.compiled.knowledge import PlayImage, image_of, knowledge_of
from tilewright.play.compiled.machine.operands import Machine
from tilewright.play.compiled.machine.running import play, run
from tilewright.play.model import HandResult, IllegalMove, Move, ZonePlace
from tilewright.play.rules import Rules
from tilewright.play.view import View

if TYPE_CHECKING:
    from tilewright.play.match import Match


class CompiledPlay:
    """The compiled play of a ruleset. Raises NotSayable."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.program = rules, rules.program
        self.image: PlayImage = image_of(self.program, rules.kernel)
        self.state = self.image.start.copy()
        self.knowledge = knowledge_of(self.image, self.program)

    def game(
        self,
        seed: int,
        hands: int | None = None,
        plays: "HandPlayer | None" = None,
        chooses: "Chooser | None" = None,
        state: Array | None = None,
    ) -> "CompiledGame":
        """A game at its first deal, of random players unless `plays` plays a hand; `chooses` answers what steps ask.
        One game at a time: they share one state, unless each has its own (a copy of `image.start`)."""
        own = self.state if state is None else state
        return CompiledGame(self, seed, hands, plays or play_at_random, chooses or nobody, own)


def nobody(view: View) -> Move:
    """No answer to a step that asks. Raises Odd."""
    raise Odd("a step that asks, and nobody who answers")


def play_at_random(game: "CompiledGame") -> None:
    """Play a hand with random players. Raises Odd."""
    game.carry_on(play)


class CompiledGame:
    """A game. `spots`: where tiles lay at the end of the last hand, if anybody won."""

    def __init__(
        self,
        compiled: CompiledPlay,
        seed: int,
        hands: int | None,
        plays: "HandPlayer",
        chooses: "Chooser",
        state: Array,
    ) -> None:
        self.compiled, self.plays, self.state = compiled, plays, state
        self.follower = Follower(compiled.knowledge, seed, hands, self.state)
        self.host = Host(self.follower, chooses)
        self.answers: list[Array] = []  # of the hands that have ended
        self.playing = False  # a hand is being played
        self.ended_alone = False  # without a match; it is told when it is asked for
        self.spots: dict[int, ZonePlace] = {}

    @property
    def match(self) -> "Match":
        """The match that the hands belong to."""
        if self.ended_alone:
            self.ended_alone = False
            self.spots = self.host.end()
        return self.follower.match

    @property
    def over(self) -> bool:
        """Whether the last hand has ended."""
        return self.ended_alone or (self.follower.made is not None and self.follower.made.over)

    @property
    def moves(self) -> list[tuple[int, int]]:
        """Of the hands so far, the seat and the number of each answer (`Question.move_of`)."""
        parts = [*self.answers, *([self.answered] if self.playing else [])]
        flat = [number for part in parts for number in part.tolist()]
        return list(zip(flat[::2], flat[1::2], strict=True))

    @property
    def answered(self) -> Array:
        """Of the hand as it is, the seat and the number of each answer, in one row."""
        return self.state[at.MOVE : at.MOVE + 2 * int(self.state[at.MOVES])].copy()

    def hands(self) -> Iterator[HandResult]:
        """Play: each hand once it has ended. Raises Odd."""
        while not self.over:
            yield self.hand()

    def hand(self) -> HandResult:
        """Play the next hand. Raises Odd."""
        self.play_hand()
        return self.end()

    @property
    def offers(self) -> Iterator[tuple[str, int, int]]:
        """The offers that seats had in the last hand: how many of them, and how often they were taken."""
        count = len(self.compiled.program.play.offers)
        offered = self.state[at.OFFERED : at.OFFERED + count].tolist()
        taken = self.state[at.TAKEN : at.TAKEN + count].tolist()
        return (one for one in zip(self.compiled.program.play.offers, offered, taken, strict=True) if one[1])

    def play_hand(self) -> None:
        """Play the next hand up to its end, the match not yet told. Raises Odd."""
        self.deal()
        self.plays(self)

    def deal(self) -> None:
        """Deal the next hand. Raises Odd."""
        self.host.begin()
        self.playing = True

    def carry_on(self, kernel: Entry[[Machine], int]) -> int:
        """Run a kernel until it stops for something that is not the host's: ASK or ENDED. Raises Odd."""
        state, machine, run_on = self.state, self.compiled.image.machine(self.state), kernel.run
        while (status := run_on(machine)) != at.ENDED:
            if status == at.HOST:
                self.host.serve()
            elif status == at.ASK and state[at.STEP]:
                self.host.answer_step()
            else:
                break
        if status == at.FAILED:
            raise Odd(f"the machine stops at {int(state[at.AT])}: {int(state[at.PROBLEM])}")
        return status

    # --- answer by answer

    def begin(self) -> "Asked | None":
        """Deal the next hand: who is asked first, None where the hand has ended. Raises Odd."""
        self.deal()
        return self.asked(self.carry_on(run))

    def answer(self, asked: "Asked", number: int) -> "Asked | None":
        """Answer with the move of this number: who is asked next, None where the hand has ended. Raises Odd."""
        state, numbers = self.state, self.compiled.image.numbers
        if not 0 <= number < asked.moves:
            raise IllegalMove(f"there are {asked.moves} moves, and none has the number {number}")
        if not answer.run(state, numbers, asked.seat, number):
            return self.asked(at.ASK)
        return self.asked(self.carry_on(run))

    def asked(self, status: int) -> "Asked | None":
        if status == at.ENDED:
            return None
        seat = next_asked.run(self.state, self.compiled.image.numbers)
        return Asked(seat, moves_of.run(self.state, seat))

    def lot(self, asked: "Asked") -> int:
        """The number of the move that a random player makes."""
        player = int(self.state[at.PLAYER + asked.seat])
        return lot.run(int(self.state[at.LUCK + player]), int(self.state[at.DECISIONS + player]), asked.moves)

    def end(self) -> HandResult:
        """What the hand that has ended comes to; the match deals the next."""
        self.answers.append(self.answered)
        self.playing = False
        result = self.host.ended_alone()
        if result is not None:
            self.ended_alone = True
            self.spots = self.follower.where() if result.won else {}
            return result
        self.spots = self.host.end()
        return self.match.results[-1]


HandPlayer = Callable[[CompiledGame], object]  # plays a hand that has been dealt to its end; raises Odd
Chooser = Callable[[View], Move]  # what the seat of a view answers


class Asked(NamedTuple):
    """A seat that has to answer, and how many moves it has."""

    seat: int
    moves: int
