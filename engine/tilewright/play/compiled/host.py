"""The host of compiled play: begins hands and ends them, and does what the machine asks for in between.

It scores hands, settles payments, evaluates expressions and goes from one hand to the next, all as `Match` does by
itself; the match is brought in line first."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tilewright.play.compiled.following import Follower
from tilewright.play.compiled.giving import Giver, Odd, give_measures
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import answer
from tilewright.play.compiled.knowledge import Opening
from tilewright.play.compiled.machine.running import begin_hand, open_hand
from tilewright.play.compiled.writer import GIVEN, OF_FRAME, HostRequest, Scope
from tilewright.play.model.melds import TableMeld, ZonePlace
from tilewright.play.model.moves import Move
from tilewright.play.model.results import HandResult, Won, won_by
from tilewright.play.offers.compile import compiled_choices
from tilewright.play.program.compiled import Operations
from tilewright.play.scene.scene import TableScene
from tilewright.play.state.frames import Frame
from tilewright.play.state.state import Number
from tilewright.play.steps import questions
from tilewright.play.steps.acting import ActingSeat
from tilewright.play.view import View
from tilewright.scoring.plain.walker import whole


class Host:
    """A host of the machine that a match follows. `chooses`: answers what steps ask."""

    def __init__(self, follower: Follower, chooses: Callable[[View], Move]) -> None:
        self.follower, self.chooses = follower, chooses
        self.knowledge, self.state, self.program = follower.knowledge, follower.state, follower.program
        self.writer = follower.writer

    @cached_property
    def giver(self) -> Giver:
        """What gives the table back; most random hands end without."""
        return Giver(self.follower)

    @cached_property
    def frame(self) -> Frame:
        """The frame of steps that the host does."""
        return Frame(Operations("host"), 0, {})

    # --- a hand begins and ends

    def begin(self) -> None:
        """Have the machine begin the hand that the match has dealt, or that it would deal first."""
        if self.follower.made is None and self.knowledge.openings:
            parts = self.knowledge.openings[0].parts
            open_hand.run(self.state, self.follower.image.numbers, self.follower.seed, parts)
            return
        state, match, count = self.state, self.follower.match, self.program.count
        state[at.SEED], state[at.HAND_NUMBER] = match.seed, match.hand_number
        state[at.DEALS] = match.round * count + match.dealership
        begin_hand.run(state, self.follower.image.numbers)
        state[at.PLAYER : at.PLAYER + count] = [match.player(seat) for seat in range(count)]
        state[at.DECISIONS : at.DECISIONS + count] = match.decisions
        state[at.MARK : at.MARK + len(self.knowledge.marks)] = self.knowledge.marks
        for name in self.knowledge.changing:
            self.giver.give_mark(name)
        self.giver.give_scores()
        if self.knowledge.opens_alike and not self.knowledge.openings and not match.results:
            self.knowledge.openings.append(self.opening())

    def opening(self) -> Opening:
        """How the hand has begun."""
        parts, numbers = list[int](), self.follower.image.numbers
        for part in (at.PLAYER, at.DECISIONS, at.SCORE, at.MARK):
            width = int(numbers[at.MARKS]) * at.MOST_SEATS if part == at.MARK else part.width
            parts += (part, width, *self.state[part : part + width].tolist())
        match = self.follower.match
        return Opening(np.array(parts, np.int64), match.dealer, match.places, match.scores)

    def end(self) -> dict[int, ZonePlace]:
        """End the hand as the machine says; the match deals the next. Where every tile lay, unless nobody won, and
        nothing on the table decides what follows: then the match is not brought in line."""
        follower, match = self.follower, self.follower.match
        follower.follow_numbers()
        if match.winners or not self.knowledge.ends_lightly:
            follower.follow_table()
        else:
            follower.follow_match_marks()
        match.end_hand(self.knowledge.phases[int(self.state[at.RESULT])])
        match.hand_ended = False
        spots: dict[int, ZonePlace] = match.where
        match.finish()
        return spots

    def ended_alone(self) -> HandResult | None:
        """What a game of one hand came to, found without the match: nothing follows it."""
        if self.follower.hands != 1 or not self.knowledge.openings:
            return None
        opening, made = self.knowledge.openings[0], self.follower.made
        table: list[int] = self.state[: at.LENGTH].tolist()
        scores = opening.scores
        gains: tuple[Number, ...] = (0,) * self.program.count
        if made is not None or table[at.SETTLED]:
            known = self.follower.known_scores
            scores = tuple((self.follower.scores(known) if self.knowledge.pays else known)[: self.program.count])
            gains = tuple([whole(after - before) for after, before in zip(scores, opening.scores, strict=True)])
        return HandResult(
            1,
            self.knowledge.phases[table[at.RESULT]],
            tuple(self.follower.winners()) if table[at.WINNERS] else (),
            gains,
            scores,
            opening.dealer,
            table[at.DRAWS],
            table[at.ANSWERS],
            opening.places,
            () if made is None else made.problems,
        )

    # --- requests

    def serve(self) -> None:
        """Do what the machine asks for. Raises Odd."""
        state = self.state
        if state[at.REQUEST] == at.WIN:
            state[int(state[at.REQUEST_TO])] = self.wins(self.writer.requests[int(state[at.REQUEST_AT])])
            return
        if state[at.REQUEST] == at.DECLARE and self.declare_alone(int(state[at.REQUEST_SEAT])):
            return
        self.follower.follow()
        kind, number, seat = (int(state[spot]) for spot in (at.REQUEST, at.REQUEST_AT, at.REQUEST_SEAT))
        if kind == at.VALUE:
            request = self.writer.requests[number]
            if request.type == "tiles":
                self.add_tiles(int(state[at.REQUEST_TO]), self.evaluated(request))
            else:
                state[int(state[at.REQUEST_TO])] = self.giver.number(request.type, self.evaluated(request))
        elif kind == at.DECLARE:
            self.declare(seat)
        elif kind == at.SETTLE:
            self.acting(seat).settle(self.writer.payments[number])
            self.giver.give_scores()
            self.giver.give_paid()
        elif kind == at.POTENTIAL:
            found = self.giver.small(TableScene(self.follower.match, seat).potential)
            state[int(state[at.REQUEST_TO])] = state[at.WEIGHT + seat] = found
            state[at.WEIGHED] |= 1 << seat
        else:
            self.read_before()

    def wins(self, request: HostRequest) -> bool:
        """Whether a hand that is a form wins: the match is asked where the kernel cannot tell."""
        follower, tables = self.follower, self.knowledge.wins
        found = None
        if tables is not None:
            found = tables.judged(self.state, follower.image.numbers, follower.round_wind, follower.situation)
        if found is None:
            follower.follow()
            found = bool(self.evaluated(request))
        return found

    def acting(self, seat: int) -> ActingSeat:
        self.frame.seat = seat
        return ActingSeat(self.follower.match, self.frame, "")

    def declare(self, seat: int) -> None:
        if seat < 0:
            return
        self.acting(seat).win(seat, None)
        winners = self.follower.match.winners
        self.state[at.WINNERS] = sum(1 << one for one in winners)
        self.state[at.FIRST_WINNER] = next(iter(winners), at.NONE)
        self.giver.give_measures()
        self.giver.give_hands()
        self.giver.give_shown()

    def declare_alone(self, seat: int) -> bool:
        """Declare a win of a seat from the state alone; the match gets it when it is next brought in line. Whether that
        was possible."""
        follower, state = self.follower, self.state
        before, asks_seen = int(state[at.WINNERS]), self.program.asked.seen
        if seat < 0 or before >> seat & 1 or not self.knowledge.declares_alone or follower.has_read:
            return False
        if asks_seen and (before or follower.has_opened):
            return False  # tiles that other wins have revealed are not in sight
        seen = follower.open_tiles() if asks_seen else []
        won = self.won_alone(seat, seen)
        if won is None:
            return False
        follower.declared[seat] = won
        state[at.WINNERS] = before | 1 << seat
        if not before:
            state[at.FIRST_WINNER], state[at.MEASURED] = seat, 0
        give_measures(state, self.writer.measures, seat, won)
        shown = [*follower.tiles("hand", seat), *self.melded(seat)]
        state[at.SHOWN + np.array(shown, np.int64)] = state[at.SHOWN_ANY] = (1 << self.program.count) - 1
        if asks_seen:
            follower.opened = dict.fromkeys(set(shown).difference(seen), int(state[at.TILE]))
        return True

    def won_alone(self, seat: int, seen: Sequence[int]) -> Won | None:
        """The win of a seat with the tile in question; None where only a match tells. `seen`: the tiles that everyone
        sees."""
        state, rules = self.state, self.program.rules
        state[at.ASKED_TILE], state[at.ASKED_DISCARDER] = state[at.TILE], state[at.DISCARDER]
        tile = int(state[at.TILE])
        if tile < 0 or state[at.WHERE + tile] == at.IN_MELDS - seat or state[at.ASKED_TERMS] < 0:
            return None
        situation = self.follower.whole_situation(seen)
        score = rules.quick.score(situation)
        if score is None or not score.win:
            return None
        return won_by(rules, seat, situation, score, tile)

    def melded(self, seat: int) -> list[int]:
        """The tiles of the melds of a seat."""
        if "melds" not in self.writer.rows:
            return []
        return [tile for meld in self.follower.melds(seat) for tile in meld.tiles]

    def read_before(self) -> None:
        """Read the hands of several seats that win together."""
        match = self.follower.match
        match.read_before = {}
        for seat in match.takers:
            won = match.judging.read(TableScene(match, seat))
            if won is not None:
                match.read_before[seat] = won

    def evaluated(self, request: HostRequest) -> Any:
        """The value of an expression."""
        assert request.ir is not None
        scope = request.scope
        letters = self.letters(scope)
        variables = {name: self.named(one.type, one.register) for name, one in scope.variables.items()}
        scene = TableScene(self.follower.match, self.seat_of(scope), letters, self.facts(scope))
        return self.program.evaluator(request.ir)(scene, variables)

    def add_tiles(self, listed: int, tiles: Any) -> None:
        """Add tiles to the list of a frame that is there in the state."""
        size = int(self.state[listed])
        flat = [t for member in tiles for t in (member.tiles if isinstance(member, TableMeld) else (member,))]
        if size + len(flat) >= at.LIST - 1:
            raise Odd("a set of many tiles")
        start = listed + 1 + size
        self.state[start : start + len(flat)] = flat
        self.state[listed] += len(flat)

    def seat_of(self, scope: Scope) -> int:
        return int(self.state[self.absolute(scope.seat)])

    def absolute(self, register: int) -> int:
        return register + int(self.state[at.DEPTH]) * at.WINDOW if register >= at.FRAME else register

    def named(self, type: str, register: int) -> Any:
        return self.follower.plain(type, int(self.state[self.absolute(register)]))

    def letters(self, scope: Scope) -> dict[str, Any]:
        return {name: self.named(one.type, one.register) for name, one in scope.letters.items()}

    def facts(self, scope: Scope) -> dict[str, Any]:
        found = {name: self.named(one.type, one.register) for name, one in scope.facts.items()}
        if scope.source in (OF_FRAME, GIVEN):
            fields = at.FIELDS + int(self.state[at.DEPTH]) * at.FRAME_FIELDS
            fields += at.GIVES_FACTS if scope.source == GIVEN else at.HAS_FACTS
            if self.state[fields]:
                found |= {
                    "tile": self.follower.plain("tile", int(self.state[fields + 1])),
                    "discarder": self.follower.plain("seat", int(self.state[fields + 2])),
                }
        return found

    def chosen(self) -> tuple[Move, int]:
        """What the player answers that the match asks, and the number of that."""
        match = self.follower.match
        view = View(match, match.asked[0])
        question = view.question
        assert question is not None
        move = self.chooses(view)
        return move, question.number_of(move)

    def answer_step(self) -> None:
        """Have the players answer what a step asks of them in the machine, those that have yet to. Raises Odd."""
        state, numbers, match = self.state, self.follower.image.numbers, self.follower.match
        self.follower.follow()
        row = int(numbers[at.ASKS]) + (int(state[at.STEP]) - 1) * at.ASK_ROW
        request = self.writer.requests[int(numbers[row + at.ASKED_FOR])]
        assert request.ask is not None
        asked, answered = int(state[at.ASKED]), int(state[at.ANSWERED])
        who = [seat for seat in self.program.everyone if asked >> seat & 1]
        choosing = compiled_choices(self.program, request.ask.choose)
        match.stack[:] = [Frame(Operations("host"), self.seat_of(request.scope), {})]
        questions.open_question(match, request.ask, who, choosing, self.letters(request.scope))
        given = dict(at.MOVE.of(state)[: int(state[at.MOVES])].tolist())  # the last of each
        while match.window is not None and match.window.ask is request.ask:
            seat = match.asked[0]
            if answered >> seat & 1:
                question = match.question(seat)
                assert question is not None
                questions.answer(match, question.move_of(given[seat]))
                continue
            move, number = self.chosen()
            questions.answer(match, move)
            answer.run(state, numbers, seat, number)
        if state[at.STEP]:
            raise Odd("a question that a seat has no answer to")
