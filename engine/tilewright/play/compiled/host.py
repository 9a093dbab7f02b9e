"""The host of compiled play: begins hands and ends them, and finds what the machine asks for in between.

The machine asks what hands are worth, and for values of expressions that it has no code for. Scoring answers the first
from the state alone where it can; the rest is asked of a match, which is brought in line first. What the machine cannot
hold raises Odd."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tilewright.language.vocabulary.declare import Sides
from tilewright.play import course
from tilewright.play.compiled.following import Follower
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import answer
from tilewright.play.compiled.knowledge import Opening
from tilewright.play.compiled.machine.running import begin_hand, open_hand
from tilewright.play.compiled.writing.writer import GIVEN, OF_FRAME, HostRequest, Named, Scope
from tilewright.play.model import HandResult, Move, TableMeld, Won, ZonePlace, won_by
from tilewright.play.offers import compiled_choices
from tilewright.play.operations import Frame, Operations
from tilewright.play.scene import TableScene
from tilewright.play.state import Number
from tilewright.play.view import View
from tilewright.scoring.plain.walker import whole


class Odd(Exception):
    """A value or a position that the machine cannot hold: the game is played by `Match` alone."""


class Host:
    """A host of the machine that a match follows. `chooses`: answers what steps ask."""

    def __init__(self, follower: Follower, chooses: Callable[[View], Move]) -> None:
        self.follower, self.chooses = follower, chooses
        self.knowledge, self.state, self.program = follower.knowledge, follower.state, follower.program
        self.writer = follower.writer

    # --- a hand begins and ends

    def begin(self) -> None:
        """Have the machine begin the hand that the match has dealt, or that it would deal first."""
        self.follower.opened, self.follower.read = {}, {}
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
            self.give_mark(name)
        asks = self.knowledge.asks_scores
        scores = [self.parts(match.score_of(seat)) if asks else 0 for seat in range(count + 1)]
        state[at.SCORE : at.SCORE + count + 1] = scores
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
            tuple(self.follower.wins()) if table[at.WINNERS] else (),
            gains,
            scores,
            opening.dealer,
            table[at.DRAWS],
            table[at.ANSWERS],
            opening.places,
            () if made is None else made.problems,
        )

    def give_mark(self, name: str) -> None:
        """The value of a mark as the match begins the hand."""
        mark, match, state = self.program.data.marks[name], self.follower.match, self.state
        for seat, value in enumerate([match.match_marks.get(name)] if mark.of == "match" else match.marks[name]):
            spot = self.writer.marks[name] * at.MOST_SEATS + seat
            if mark.type == "tiles":
                state[at.MARK + spot] = at.UNSET if value is None else 0
                self.add_tiles(at.MARK_TILES + spot * at.MARK_LIST, value or (), at.MARK_LIST)
            else:
                state[at.MARK + spot] = at.UNSET if value is None else self.number(mark.type, value)

    # --- requests

    def serve(self) -> None:
        """Find what the machine asks for. Raises Odd."""
        state = self.state
        kind, number, seat, to = (
            int(state[spot]) for spot in (at.REQUEST, at.REQUEST_AT, at.REQUEST_SEAT, at.REQUEST_TO)
        )
        if kind == at.WIN:
            state[to] = self.wins(self.writer.requests[number])
        elif kind == at.DECLARE:
            if seat >= 0:
                self.declare(seat)
        elif kind == at.READ:
            self.follower.read = self.several()
        elif kind == at.MEASURES:
            self.measure()
        elif (request := self.writer.requests[number]).type == "tiles":
            self.add_tiles(to, self.evaluated(request), at.LIST - 1)
        else:
            state[to] = self.number(request.type, self.evaluated(request), request.unit)

    def wins(self, request: HostRequest) -> bool:
        """Whether a hand that is a form wins: the match is asked where the kernel cannot tell."""
        follower, tables, found = self.follower, self.knowledge.wins, None
        if tables is not None:
            found = tables.judged(self.state, follower.image.numbers, follower.round_wind, follower.situation)
        return bool(self.evaluated(request)) if found is None else found

    def declare(self, seat: int) -> None:
        """Declare a win of a seat; the match gets it when it is next brought in line."""
        follower, state = self.follower, self.state
        open_tiles = follower.open_tiles() if self.knowledge.counts_seen else []
        won = self.won(seat, open_tiles)
        if won is None or not won.score.win:
            raise Odd("a hand was declared that does not win")
        shown = [*(won.laid or follower.tiles("hand", seat)), *self.melded(seat)]
        if self.knowledge.counts_seen:
            follower.opened |= dict.fromkeys(set(shown).difference(open_tiles), int(state[at.TILE]))
        follower.declared.append(won)
        if not state[at.WINNERS]:
            state[at.FIRST_WINNER] = seat
        state[at.WINNERS] |= 1 << seat
        state[at.SHOWN + np.array(shown, np.int64)] = state[at.SHOWN_ANY] = (1 << self.program.count) - 1
        self.give_measures(seat, won.score.values)
        if self.program.hands > 1:
            state[at.HANDS_WON + seat] += 1
            state[at.WON + seat] |= 1 << won.hand
            state[at.HAND_WON + seat] = won.hand
            at.WON_TILES.of(state)[seat, : 1 + len(won.laid)] = [len(won.laid), *won.laid]

    def won(self, seat: int, open_tiles: Sequence[int]) -> Won | None:
        """The hand that a seat wins with: as it was read before another one won, from the state alone, or by the
        match."""
        follower = self.follower
        won = follower.read.pop(seat, None) or self.won_alone(seat, open_tiles)
        if won is None:
            follower.follow()
            won = follower.match.judging.read(TableScene(follower.match, seat))
        return won

    def won_alone(self, seat: int, open_tiles: Sequence[int]) -> Won | None:
        """The win of a seat with the tile in question; None where only a match tells."""
        state, rules = self.state, self.program.rules
        state[at.ASKED_TILE], state[at.ASKED_DISCARDER] = state[at.TILE], state[at.DISCARDER]
        tile = int(state[at.TILE])
        if not self.knowledge.declares_alone or state[at.ASKED_TERMS] < 0:
            return None
        if tile < 0 or state[at.WHERE + tile] == at.IN_MELDS - seat:
            return None
        situation = self.follower.whole_situation(open_tiles)
        score = rules.quick.score(situation)
        return None if score is None or not score.win else won_by(rules, seat, situation, score, tile)

    def melded(self, seat: int) -> list[int]:
        """The tiles of the melds of a seat."""
        if "melds" not in self.writer.rows:
            return []
        return [tile for meld in self.follower.melds(seat) for tile in meld.tiles]

    def several(self) -> dict[int, Won]:
        """The hands of several seats that win together, as they are before any of them has."""
        self.follower.follow()
        match = self.follower.match
        found = ((seat, match.judging.read(TableScene(match, seat))) for seat in match.takers)
        return {seat: won for seat, won in found if won is not None}

    def measure(self) -> None:
        """Measure all hands that are not measured."""
        self.follower.follow()
        match, measured = self.follower.match, int(self.state[at.MEASURED])
        for seat in self.program.everyone:
            if not measured >> seat & 1 and not self.give_measures(seat, match.values_of(seat)):
                raise Odd("a measure in very small parts")

    def give_measures(self, seat: int, values: Mapping[str, Any]) -> bool:
        """What the hand of a seat measures, unless the machine cannot hold it."""
        try:
            found = [self.parts(values.get(name, 0)) for name in self.writer.measures]
        except Odd:
            return False
        at.MEASURE.of(self.state)[seat, : len(found)] = found
        self.state[at.MEASURED] |= 1 << seat
        return True

    # --- values

    def evaluated(self, request: HostRequest) -> Any:
        """The value of an expression, by the match."""
        assert request.ir is not None
        self.follower.follow()
        scope = request.scope
        variables = self.named(scope.variables)
        seat = self.value_of(scope.seat)
        scene = TableScene(self.follower.match, seat, self.named(scope.letters), self.facts(scope))
        return self.program.evaluator(request.ir)(scene, variables)

    def number(self, type: str, value: Any, unit: int = 1) -> int:
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
        return whole_number(value * unit)

    def parts(self, points: Number) -> int:
        """Points in the parts that the machine counts."""
        found = whole_number(points * self.writer.unit)
        if abs(found) > at.MUCH:
            raise Odd("a very large number")
        return found

    def add_tiles(self, listed: int, tiles: Any, most: int) -> None:
        """Add tiles to a list of the state that may have no more than `most` numbers."""
        size = int(self.state[listed])
        flat = [t for member in tiles for t in (member.tiles if isinstance(member, TableMeld) else (member,))]
        if size + len(flat) >= most:
            raise Odd("a set of many tiles")
        start = listed + 1 + size
        self.state[start : start + len(flat)] = flat
        self.state[listed] += len(flat)

    def value_of(self, register: int) -> int:
        """What is in a register."""
        return int(self.state[register + (int(self.state[at.DEPTH]) * at.WINDOW if register >= at.FRAME else 0)])

    def named(self, names: Mapping[str, Named]) -> dict[str, Any]:
        """The values that names stand for."""
        return {name: self.follower.plain(of.type, self.value_of(of.register)) for name, of in names.items()}

    def facts(self, scope: Scope) -> dict[str, Any]:
        found = self.named(scope.facts)
        if "payer" in found:
            found["sides"] = Sides(*(found.get(side, ()) for side in ("payer", "payee", "payers", "payees")))
        if scope.source in (OF_FRAME, GIVEN):
            fields = at.FIELDS + int(self.state[at.DEPTH]) * at.FRAME_FIELDS
            fields += at.GIVES_FACTS if scope.source == GIVEN else at.HAS_FACTS
            if self.state[fields]:
                tile, discarder = self.state[fields + 1 : fields + 3].tolist()
                found |= {
                    "tile": self.follower.plain("tile", tile),
                    "discarder": self.follower.plain("seat", discarder),
                }
        return found

    # --- questions of steps

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
        match.stack[:] = [Frame(Operations("host"), self.value_of(request.scope.seat), {})]
        course.open_question(match, request.ask, who, choosing, self.named(request.scope.letters))
        given = dict(at.MOVE.of(state)[: int(state[at.MOVES])].tolist())  # the last of each
        while match.window is not None and match.window.ask is request.ask:
            seat = match.asked[0]
            if answered >> seat & 1:
                question = match.question(seat)
                assert question is not None
                course.answer(match, question.move_of(given[seat]))
                continue
            move, number = self.chosen()
            course.answer(match, move)
            answer.run(state, numbers, seat, number)
        if state[at.STEP]:
            raise Odd("a question that a seat has no answer to")


def whole_number(value: Number) -> int:
    """A number that is whole. Raises Odd."""
    if isinstance(value, Fraction) and value.denominator != 1:
        raise Odd(f"the number {value}")
    return int(value)
