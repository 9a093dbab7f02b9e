"""A match: hands one after the other. A program, a seed and the answers of the seats in, events out.

Knows which hand comes next, who then sits where, and how the match ends. `steps.course` plays a hand and
`steps.questions` asks the seats; `tilewright.play.rules` is its immutable face.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, Self

from tilewright.base.arguments import WrongArgument
from tilewright.play import course, set_up
from tilewright.play.chance import HandSeeds
from tilewright.play.divided import DividedJudge
from tilewright.play.finding import answer_by, move_meant
from tilewright.play.judge import TableJudge
from tilewright.play.layout import TableLayout
from tilewright.play.legality import allowed, allows, illegal, legal_moves, refusals
from tilewright.play.model import PASS, HandResult, IllegalMove, Move, Pick, Refusal
from tilewright.play.program import Program
from tilewright.play.scene import TableScene
from tilewright.play.state import Number, TableState
from tilewright.play.view import View
from tilewright.scoring.plain.walker import evaluate, whole

MOST_HANDS = 1_000  # in a match that would not end


class Match(TableState):
    """A match at a table, or its first `hands` hands. `layout`: where it begins; `listen`: events are kept, and what is
    refused to seats that are not asked; `refusing`: that alone. A `pausing` match stops, with nobody asked, after a
    tile has gone where it may be claimed, where a phase interrupts another (a kong that may be robbed), and after a
    hand (`rests`); `run` continues it. Raises CaseError for a layout that does not fit. `deals_next`: the player that
    deals after the last hand; None before that and where the match is over. `digest`: what the log of the match calls
    its rules, if not by the digest of these."""

    def __init__(
        self,
        program: Program,
        seed: int | HandSeeds,
        hands: int | None = None,
        layout: TableLayout | None = None,
        listen: bool = True,
        pausing: bool = False,
        digest: str | None = None,
        refusing: bool = False,
    ) -> None:
        self.hands, self.rests = hands, False
        self.given: list[tuple[Move, ...]] = []  # answers, those given together in one; an empty one: a call of `run`
        self.deals_next: int | None = None
        judging = TableJudge if program.hands == 1 else DividedJudge
        super().__init__(program, seed, judging, layout, listen, pausing, digest, refusing)
        start = program.play.match.score
        if start is not None:
            score = evaluate(start, TableScene(self, 0))
            self.balances[: program.count] = [score] * program.count
        if layout is not None:
            set_up.set_match(self, layout)
            self.clear()
        if layout is not None and layout.position is not None:
            set_up.lay_out(self, layout.position)
        else:
            self.deal()
        self.play_on()

    def __repr__(self) -> str:
        """What is played, how far it is, and who is asked; no tiles, and of bounded length."""
        asked = ", ".join(self.program.names[seat] for seat in self.asked)
        now = "over" if self.over else f"{self.window.phase} asks {asked}" if self.window else "between hands"
        seed = f"seed {self.seed}" if isinstance(self.seed, int) else "fair deals"
        return f"Match({self.program.data.id}, {seed}, hand {self.hand_number + 1}, {now})"

    def copy(self) -> Self:
        other = super().copy()
        other.given = list(self.given)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its rules, how it began and what was answered."""
        began = self.seed, self.hands, self.layout, self.listening, self.pausing, self.digest
        return played_again, (self.base.rules, began, tuple(self.given))

    # --- hands

    def clear(self) -> None:
        """The table before a hand, its marks as they start."""
        super().clear()
        count, data = self.program.count, self.program.data
        for mark in data.marks.values():
            if mark.start is not None and (mark.of != "match" or mark.id not in self.match_marks):
                for seat in range(count if mark.of == "seat" else 1):
                    self.keep_mark(mark.id, seat, evaluate(mark.start, TableScene(self, seat)))

    def deal(self) -> None:
        """The first phase, with the dealer as seat."""
        self.announce_hand()
        course.start(self, "deal", 0)

    def run(self) -> None:
        """Continue a match that pauses: until a seat has to answer, or it pauses again or is over."""
        self.given.append(())
        self.play_on()

    def play_on(self) -> None:
        """Play until a seat has to answer, or the match pauses or is over."""
        if self.rests:
            self.rests = False
            self.next_hand()
        course.run(self, self.finish)

    def finish(self) -> None:
        """The hand has ended: add its result; unless the match pauses here, continue with the next hand."""
        gains = tuple(whole(after - before) for after, before in zip(self.balances, self.before_hand, strict=True))
        result = HandResult(
            self.hand_number + 1,
            self.result_phase,
            tuple(self.wins()),
            gains[: self.program.count],
            self.scores,
            self.dealer,
            self.draws,
            self.answers,
            self.places,
            self.problems,
            self.round + 1,
            self.fair_deal,
            tuple(self.payments),
            tuple(map(self.judging.left, self.losers())) if self.listening else (),
            self.dealership + 1,
            *(self.marks_before, self.most_in_pot()) if self.listening else (),
        )
        self.results.append(result)
        names = self.program.names
        self.announce(
            "result",
            None,
            (),
            (
                ("ended", self.result_phase),
                ("winners", [names[seat] for seat in self.winners]),
                ("gains", {names[seat]: gains[self.player(seat)] for seat in self.program.everyone}),
            ),
        )
        self.disclose_deal()
        if self.pausing:
            self.rests = True
        else:
            self.next_hand()

    def most_in_pot(self) -> Number:
        """What was in the pot before any of it was paid out."""
        pot = self.program.count
        return self.before_hand[pot] + sum(one.amount for one in self.payments if one.payee == pot)

    def losers(self) -> list[int]:
        return [seat for seat in self.program.everyone if seat not in self.winners]

    def next_hand(self) -> None:
        """Deal the next hand, or end the match."""
        match, scene = self.program.play.match, TableScene(self, 0)
        stays = match.dealer_stays is not None and bool(self.program.evaluator(match.dealer_stays)(scene, {}))
        ends = match.ends is not None and bool(self.program.evaluator(match.ends)(scene, {}))
        last = self.hand_number, self.round, self.dealership, self.dealer, self.places
        self.hand_number += 1
        if not stays:
            self.dealer = self.player(self.next_dealer())
            self.dealership += 1
            if self.dealership == self.program.count:
                self.next_round()
        ends = ends or self.round >= max(1, len(match.rounds))
        self.deals_next = None if ends else self.dealer
        if ends:
            self.place()
        elif self.hands is None and self.hand_number >= MOST_HANDS:
            self.announce("problem", None, (), (("says", f"a match has at most {MOST_HANDS:,} hands"),))
        elif self.hands != self.hand_number:
            self.clear()
            self.deal()
            return
        # all are those of the last hand, whose tiles are still there
        self.hand_number, self.round, self.dealership, self.dealer, self.places = last
        self.over = True
        placement = (("placement", list(self.placement)),) if self.placement else ()
        self.announce("over", None, (), (("scores", list(self.scores)), *placement))

    def next_dealer(self) -> int:
        """The seat that deals next, where the dealer does not stay."""
        wanted = self.program.play.match.next_dealer
        seats = () if wanted is None else self.program.evaluator(wanted)(TableScene(self, 0), {})
        return next(iter(seats), 1)

    def next_round(self) -> None:
        """The deal has passed as often as there are seats; players may change places."""
        self.round += 1
        self.dealership = 0
        seating = self.program.play.match.seating
        if self.round <= len(seating):
            self.places = seating[self.round - 1]
            self.dealer = self.places[0]

    def place(self) -> None:
        """Add the points for each placement; on equal scores players share them, or the one ahead gets them."""
        match, scores, order = self.program.play.match, self.scores, self.ranking()
        if not match.placement and match.exchange is None:
            return
        added = {
            player: evaluate(bonus, TableScene(self, 0)) for player, bonus in zip(order, match.placement, strict=False)
        }
        if match.exchange is not None:
            seats = self.program.everyone
            exchanged = {self.player(seat): evaluate(match.exchange, TableScene(self, seat)) for seat in seats}
            self.balances[: self.program.count] = [whole(exchanged[player]) for player in range(self.program.count)]
        for player in added:
            equals = [other for other in added if scores[other] == scores[player]] if match.equals_share else [player]
            share = Fraction(sum(added[other] for other in equals), len(equals))
            self.balances[player] = whole(self.balances[player] + share)
        self.placement = tuple(whole(now - before) for now, before in zip(self.scores, scores, strict=True))

    # --- questions

    def view(self, seat: int | str | None) -> View:
        """The table as a seat sees it, or (None) as everyone sees it, until the next answer. Raises IllegalMove."""
        return View(self, None if seat is None else self.seat(seat))

    def legal_moves(self, seat: int | str | None = None) -> tuple[Move, ...]:
        """Every complete move of a seat (the first that is asked), up to 5 000 of each described choice. Raises
        IllegalMove for a seat that there is not."""
        if seat is None:
            return legal_moves(self, self.asked[0]) if self.asked else ()
        return legal_moves(self, self.seat(seat))

    def allowed(self, seat: int, pick: Pick) -> tuple[tuple[Move, ...], bool]:
        """The first moves of a described choice that the seat is asked for, and whether those are all. Raises
        IllegalMove for another one."""
        return allowed(self, seat, pick)

    def refusals(self, seat: int | str) -> tuple[Refusal, ...]:
        """What the seat may expect to do now but may not, with the reasons. Raises IllegalMove for no seat."""
        return refusals(self, self.seat(seat))

    def answer_by(self, seat: int | str, pressed: Collection[str]) -> Move | None:
        """The answer of the seat's pressed buttons; None where it decides itself. Raises IllegalMove for no seat, and
        WrongArgument for buttons that are no ids."""
        is_set = isinstance(pressed, Collection) and not isinstance(pressed, str)
        if not is_set or not all(isinstance(one, str) for one in pressed):
            raise WrongArgument(f"buttons are a set of ids, not {pressed!r:.40}")
        return answer_by(self, self.seat(seat), pressed)

    # --- answers

    def answer(self, move: Move) -> None:
        """A seat answers. Raises IllegalMove."""
        goes_on = course.answer(self, move)
        self.given.append((move,))
        if goes_on:
            self.play_on()

    def answer_together(self, moves: Sequence[Move]) -> None:
        """Several seats answer one question; the others that were asked are ignored. Where a step asks, all of them
        have to answer. Raises IllegalMove, and then nothing has changed."""
        if not isinstance(moves, Sequence):
            raise IllegalMove(f"moves are a list, not {moves!r:.40}")
        course.answer_together(self, moves)
        self.given.append(tuple(moves))
        self.play_on()

    def move(self, does: str, *chosen: str, seat: int | str | None = None, **named: str) -> Move:
        """The legal move that does this and chooses these tiles (or other texts), some by the name of the choice; of
        the seat, or of the one that is asked and may make it. Raises IllegalMove, which lists what is possible."""
        if wrong := [text for text in (does, *chosen, *named.values()) if not isinstance(text, str)]:
            raise IllegalMove(f"what a move does and chooses is text, such as 'discard' and '5m', not {wrong[0]!r:.40}")
        return move_meant(self, does, chosen, None if seat is None else self.seat(seat), named)

    def pass_all(self) -> None:
        """Every asked seat passes. Raises IllegalMove where none is asked, or one may not pass."""
        window = self.window
        if window is None or not window.may_pass:
            seats = [*self.asked[:1]]
            raise illegal(self, Move(seats[0] if seats else 0, PASS))
        while self.window is window:
            self.answer(Move(self.asked[0], PASS))

    def allows(self, move: Move) -> bool:
        """Whether the move is legal now."""
        return allows(self, move)


def played_again(rules: Any, began: tuple[Any, ...], given: Sequence[tuple[Move, ...]]) -> Match:
    """The match of these rules that began so, after these answers."""
    match = Match(rules.program, *began)
    for moves in given:
        if moves:
            match.answer_together(moves) if len(moves) > 1 else match.answer(moves[0])
        else:
            match.run()
    return match
