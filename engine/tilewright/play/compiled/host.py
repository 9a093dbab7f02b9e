"""The host of a compiled play: a `Match` that is brought in line with the state of the machine when it is asked.

It scores hands, settles payments, evaluates expressions and carries out verbs that have no instructions, and goes from
one hand to the next, all as `Match` does by itself."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Any, Self

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.language.compiled.ruleset import Mark
from tilewright.play.compiled.image import PlayImage
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.forms import UNTOLD, waits_of
from tilewright.play.compiled.kernel.machine import begin_hand
from tilewright.play.compiled.knowledge import HostKnowledge, Opening
from tilewright.play.compiled.writer import GIVEN, OF_FRAME, HostRequest, Scope
from tilewright.play.match import Match
from tilewright.play.model.melds import NOWHERE, TableMeld, ZonePlace
from tilewright.play.model.moves import Move
from tilewright.play.model.results import HandResult, Won
from tilewright.play.program.compiled import Operations
from tilewright.play.scene.judge import TableJudge
from tilewright.play.scene.scene import TableScene
from tilewright.play.state.frames import Frame
from tilewright.play.state.state import Number
from tilewright.play.steps import course, questions
from tilewright.play.steps.acting import ActingSeat
from tilewright.play.steps.compile import steps_code
from tilewright.play.view import View
from tilewright.scoring.image.engine import Engine
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.plain.walker import whole


class Odd(Exception):
    """A value or a position that the machine cannot hold: the game is played by `Match` alone."""


class Followed:
    """A part of a match that is brought in line with the machine once it is looked at."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, match: "HostMatch", owner: type) -> Any:
        if self.name in match.behind:
            match.behind.discard(self.name)
            match.__dict__[self.name] = match.bring[self.name]()
        found: Any = match.__dict__[self.name]
        return found

    def __set__(self, match: "HostMatch", value: Any) -> None:
        match.behind.discard(self.name)
        match.__dict__[self.name] = value


class HostMatch(Match):
    """A match that deals hands and ends them, and leaves it to the machine to play them. `behind`: the parts that are
    not in line with it, `bring`: what says how they are there."""

    zones, where, shown, counts, keys, spreads, marks, group = (Followed() for _ in range(8))

    def __init__(self, host: "Host") -> None:
        self.behind: set[str] = set()
        self.bring = host.parts
        super().__init__(host.program, host.seed, host.hands, None, False)

    def run(self) -> None:
        """Nothing: the machine plays."""

    def copy(self) -> Self:
        for name in tuple(self.behind):
            getattr(self, name)
        other = super().copy()
        other.behind = set()
        return other


class HostJudge(TableJudge):
    """The judge of a match whose hands a machine holds, too: its tables tell the waits, or that there are none."""

    def __init__(self, game: Match, image: PlayImage, state: Array) -> None:
        super().__init__(game)
        self.image, self.state = image, state
        engine = game.program.rules.engine
        self.by_tables = engine.fits and not engine.searched and not game.program.data.tiles.wild
        order = image.numbers[image.numbers[at.IN_ORDER] :][: game.program.first].tolist()
        self.order = [tile for tile in order if tile >= 0]

    def scored(self, seat: int, situation: Situation, win: int | None) -> Won | None:
        """The same by the scoring kernel, where that takes hands one by one; few ask how the hand is read."""
        rules = self.program.rules
        score = rules.quick.score(situation)
        if score is None or not score.win:
            return super().scored(seat, situation, win)
        return Won(seat, situation, score, cache(partial(scene_of, rules.engine, situation)), win)

    def may_fit(self, seat: int, tile: int | None) -> bool:
        """Yes: the machine asks for hands that do."""
        return True

    def found_waits(self, scene: TableScene) -> tuple[int, ...]:
        if not self.by_tables or scene.imagined is not None or not self.in_line(scene):
            return super().found_waits(scene)
        image, tile = self.image, scene.tile[0] if scene.tile else at.NONE
        bits = waits_of.now(self.state, image.numbers, image.forms, image.places, scene.seat, tile, at.NONE)
        if bits == UNTOLD or (bits and self.program.asks_when):  # forms may have conditions
            return super().found_waits(scene)
        return tuple(tile for tile in self.order if bits >> tile & 1)

    def in_line(self, scene: TableScene) -> bool:
        """Whether the machine has the hand of the seat as the match does."""
        row = int(self.image.numbers[at.HAND_ROW]) + scene.seat
        first, end = int(self.state[at.ROW_START + row]), int(self.state[at.ROW_END + row])
        tiles = self.state[at.ROW + row * at.MOST_TILES :][first:end].tolist()
        return tiles == list(scene.hand()) and int(self.state[at.LAID_SIZE + scene.seat]) == len(scene.melds())


def scene_of(engine: Engine, situation: Situation) -> HandScene:
    """The scene of the best reading of a hand that has one."""
    best = engine.best(situation)
    assert best is not None
    return best[1]()


class Host:
    """A host, and the state of the machine that it is brought in line with. `chooses`: answers what steps ask."""

    def __init__(
        self, knowledge: HostKnowledge, seed: int, hands: int | None, state: Array, chooses: Callable[[View], Move]
    ) -> None:
        self.knowledge, self.state, self.chooses = knowledge, state, chooses
        self.image, self.program, self.names = knowledge.image, knowledge.program, knowledge.names
        self.writer = self.image.code.writer
        self.seed, self.hands = seed, hands
        self.made: HostMatch | None = None
        self.frame = Frame(Operations("host"), 0, {})

    @property
    def match(self) -> HostMatch:
        """The match, made when something is first asked of it: most random hands end without."""
        if self.made is None:
            self.made = HostMatch(self)
            self.made.judging = HostJudge(self.made, self.image, self.state)
        return self.made

    @property
    def round_wind(self) -> int | None:
        """The wind of the round; a match is not made to ask for the first."""
        if self.made is not None:
            return self.made.round_wind
        return next(iter(self.program.play.match.rounds), None)

    # --- a hand begins and ends

    def begin(self) -> None:
        """Have the machine begin the hand that the match has dealt, or that it would deal first."""
        if self.made is None and self.knowledge.openings:
            self.open(self.knowledge.openings[0])
            return
        state, match, count = self.state, self.match, self.program.count
        state[at.SEED], state[at.HAND_NUMBER] = match.seed, match.hand_number
        state[at.DEALS] = match.round * count + match.dealership
        begin_hand.now(state, self.image.numbers)
        state[at.PLAYER : at.PLAYER + count] = [match.player(seat) for seat in range(count)]
        state[at.DECISIONS : at.DECISIONS + count] = match.decisions
        state[at.MARK : at.MARK + len(self.knowledge.marks)] = self.knowledge.marks
        for name in self.knowledge.changing:
            self.give_mark(name)
        self.give_scores()
        if self.knowledge.opens_alike and not self.knowledge.openings and not match.results:
            self.knowledge.openings.append(self.opening())

    def open(self, opening: Opening) -> None:
        """Have the machine begin the first hand of a game as that of another began."""
        state = self.state
        state[at.SEED], state[at.HAND_NUMBER], state[at.DEALS] = self.seed, 0, 0
        begin_hand.now(state, self.image.numbers)
        for start, part in opening.parts:
            state[start : start + len(part)] = part

    def opening(self) -> Opening:
        """How the hand has begun."""
        seats, marks = at.MOST_SEATS, at.MOST_MARKS * at.MOST_SEATS
        sizes = {at.PLAYER: seats, at.DECISIONS: seats, at.SCORE: seats + 1, at.MARK: marks}
        parts = tuple((start, self.state[start : start + size].copy()) for start, size in sizes.items())
        match = self.match
        return Opening(parts, match.dealer, match.places, tuple(match.scores[: self.program.count]))

    def give_scores(self) -> None:
        if self.knowledge.asks_scores:
            scores = [self.match.score_of(seat) for seat in range(self.program.count + 1)]
            self.state[at.SCORE : at.SCORE + len(scores)] = [self.small(score) for score in scores]
        else:
            self.state[at.SCORE : at.SCORE + self.program.count + 1] = 0

    def end(self) -> dict[int, ZonePlace]:
        """End the hand as the machine says; the match deals the next. Where every tile lay, unless nobody won, and
        nothing on the table decides what follows: then the match is not brought in line."""
        self.follow_numbers()
        if self.match.winners or not self.knowledge.ends_lightly:
            self.follow_table()
        else:
            self.follow_match_marks()
        self.match.end_hand(self.knowledge.phases[int(self.state[at.RESULT])])
        self.match.hand_ended = False
        spots: dict[int, ZonePlace] = self.match.where
        self.match.finish()
        return spots

    def ended_alone(self) -> HandResult | None:
        """What a game of one hand came to, found without the match: nothing follows it."""
        if self.hands != 1 or not self.knowledge.openings:
            return None
        state, opening, made = self.state, self.knowledge.openings[0], self.made
        known: Sequence[Number] = (*opening.scores, 0) if made is None else made.scores
        scores = tuple((self.scores(known) if self.knowledge.pays else known)[: self.program.count])
        return HandResult(
            0,
            self.knowledge.phases[int(state[at.RESULT])],
            () if made is None else tuple(made.won[seat] for seat in made.winners),
            tuple(whole(after - before) for after, before in zip(scores, opening.scores, strict=True)),
            scores,
            opening.dealer,
            int(state[at.DRAWS]),
            int(state[at.ANSWERS]),
            opening.places,
            () if made is None else made.problems,
        )

    def spots(self) -> dict[int, ZonePlace]:
        """Where every tile of the table lies."""
        first, last = self.program.first, len(self.program.face)
        where, places = self.state[at.WHERE + first : at.WHERE + last].tolist(), self.knowledge.places
        return {tile: places[row] for tile, row in enumerate(where, first)}

    # --- from the machine

    def follow(self) -> None:
        """Bring the match in line with the machine."""
        self.follow_numbers()
        self.follow_table()

    def follow_numbers(self) -> None:
        """Whose turn it is, what is in question, what was counted."""
        state, match = self.state, self.match
        tile, discarder = int(state[at.TILE]), int(state[at.DISCARDER])
        match.turn, match.tile = int(state[at.TURN]), None if tile < 0 else tile
        match.discarder = None if discarder < 0 else discarder
        match.draws, match.answers, match.counter = (int(state[spot]) for spot in (at.DRAWS, at.ANSWERS, at.COUNTER))
        playing, takers = int(state[at.PLAYING]), int(state[at.TAKERS])
        everyone = self.program.everyone
        if self.knowledge.pays:
            match.scores = self.scores(match.scores)
            if not self.knowledge.asks_scores:
                self.state[at.SCORE : at.SCORE + self.program.count + 1] = 0
        match.playing = (
            everyone if playing == (1 << len(everyone)) - 1 else tuple(q for q in everyone if playing >> q & 1)
        )
        match.takers = tuple(sorted((q for q in everyone if takers >> q & 1), key=match.after_turn)) if takers else ()
        match.drawn = [None if t < 0 else t for t in state[at.DRAWN : at.DRAWN + len(everyone)].tolist()]
        match.decisions = state[at.DECISIONS : at.DECISIONS + len(everyone)].tolist()
        match.losses.clear()

    def scores(self, known: Sequence[Number]) -> list[Number]:
        """The scores of players, that of the pot last; `known`: those that the match knew of."""
        count = self.program.count
        of_seats: list[int] = self.state[at.SCORE : at.SCORE + count + 1].tolist()
        players: list[int] = self.state[at.PLAYER : at.PLAYER + count].tolist()
        found: list[Number] = [0] * (count + 1)
        for player, score in zip((*players, count), of_seats, strict=True):
            found[player] = score if self.knowledge.asks_scores else whole(known[player] + score)
        return found

    def follow_table(self) -> None:
        """Tiles, marks, the group in question, each once it is looked at."""
        self.match.behind.update(self.parts)
        self.follow_match_marks()

    @cached_property
    def parts(self) -> dict[str, Callable[[], Any]]:
        """What says how parts of the match are in the machine."""
        return {
            "zones": self.zones,
            "where": self.spots,
            "shown": self.shown,
            "counts": self.counts,
            "keys": self.keys,
            "spreads": self.spreads,
            "marks": self.marks,
            "group": self.group_in_question,
        }

    def zones(self) -> dict[str, list[list[Any]]]:
        """The tiles of each zone."""
        state, program = self.state, self.program
        zones = dict[str, list[list[Any]]]()
        starts = state[at.ROW_START : at.ROW_START + at.MOST_ROWS].tolist()
        ends = state[at.ROW_END : at.ROW_END + at.MOST_ROWS].tolist()
        for zone, (first, of_seat) in self.writer.rows.items():
            if zone == "melds":
                zones[zone] = [list(self.melds(seat)) for seat in program.everyone]
                continue
            rows = range(first, first + (program.count if of_seat else 1))
            zones[zone] = [
                state[at.ROW + row * at.MOST_TILES + starts[row] : at.ROW + row * at.MOST_TILES + ends[row]].tolist()
                for row in rows
            ]
        return zones

    def counts(self) -> list[list[int]]:
        """By seat, how many of each plain tile it holds."""
        counts = self.state[at.COUNT : at.COUNT + at.MOST_SEATS * at.MOST_FACES]
        by_seat = counts.reshape(at.MOST_SEATS, at.MOST_FACES)[: self.program.count, : self.program.first]
        found: list[list[int]] = by_seat.tolist()
        return found

    def hands_of_machine(self) -> Iterator[list[int]]:
        """The tiles of each hand; those of the match may have changed since."""
        first, _ = self.writer.rows["hand"]
        for row in range(first, first + self.program.count):
            start, end = int(self.state[at.ROW_START + row]), int(self.state[at.ROW_END + row])
            yield self.state[at.ROW + row * at.MOST_TILES :][start:end].tolist()

    def keys(self) -> list[int]:
        weights = self.program.blocks.weights
        return [sum([weights[tile] for tile in hand]) for hand in self.hands_of_machine()]

    def spreads(self) -> list[list[int]]:
        program = self.program
        spreads = [[0] * program.sizes.count for _ in program.everyone]
        for spread, hand in zip(spreads, self.hands_of_machine(), strict=True):
            for tile in hand:
                spread[program.family[tile]] += 1
        return spreads

    def group_in_question(self) -> TableMeld | None:
        state = self.state
        return self.group(int(state[at.GROUP]), int(state[at.FRAME + int(state[at.DEPTH]) * at.WINDOW]))

    def shown(self) -> dict[int, frozenset[int] | None]:
        everyone = (1 << self.program.count) - 1
        first, last = self.program.first, len(self.program.face)
        seen = self.state[at.SHOWN + first : at.SHOWN + last]
        return {
            first + tile: None if seen[tile] == everyone else self.seats(int(seen[tile]))
            for tile in np.flatnonzero(seen).tolist()
        }

    def seats(self, bits: int) -> frozenset[int]:
        return frozenset(seat for seat in self.program.everyone if bits >> seat & 1)

    def melds(self, seat: int) -> Iterator[TableMeld]:
        """The melds of a seat."""
        count = int(self.state[at.LAID_SIZE + seat])
        start = at.LAID + seat * at.MOST_MELDS * at.MELD
        rows = self.state[start : start + count * at.MELD].reshape(count, at.MELD).tolist()
        for group, exposed, discarder, seen, size, claimed, *tiles in rows:
            yield TableMeld(
                seat,
                group,
                tuple(tiles[:size]),
                bool(exposed),
                (),
                None if discarder < 0 else discarder,
                None if claimed < 0 else claimed,
                None if seen < 0 else self.seats(seen),
            )

    def group(self, number: int, seat: int) -> TableMeld | None:
        """A group that was chosen; as it lies, if it does."""
        if number < 0:
            return None
        first, program = self.program.first, self.program
        own = [(number >> (at.HAND_AT + 8 * one) & at.NO_TILE) + first for one in range(number >> at.COUNT_AT & 7)]
        zone, owner = self.match.where.get(own[0], NOWHERE)
        if zone == "melds":
            lying: list[TableMeld] = self.match.zones["melds"][owner]
            return next(meld for meld in lying if own[0] in meld.tiles)
        seat = owner if zone == "hand" else seat
        source, index = number >> at.SOURCE_AT & 3, number & ((1 << at.GROUP_BITS) - 1)
        claimed = number >> at.CLAIMED_AT & at.NO_TILE
        given = None if claimed == at.NO_TILE else claimed + first
        tiles, exposed, discarder, seen = own, source == at.CLAIMED_GROUP, None, None
        if source == at.GROWN_GROUP:
            melds, place = self.match.zones["melds"][seat], number >> at.MELD_AT & 15
            if place >= len(melds):
                return None  # it grew no more
            old = melds[place]
            tiles, exposed, discarder, seen = [*old.tiles, *own], old.exposed, old.discarder, old.seen_by
        elif source == at.CLAIMED_GROUP and given is not None:
            tiles = [given, *own]
            discarder = (number >> at.FROM_AT & 7) - 1
            discarder = None if discarder < 0 else discarder
        order = tuple(sorted(tiles, key=lambda tile: program.place[program.plain[tile]]))
        return TableMeld(seat, index, order, exposed, (), discarder, given, seen)

    def follow_match_marks(self) -> None:
        """The marks of the match."""
        kept = self.match.match_marks
        for mark in self.program.data.marks.values():
            if mark.of == "match":
                (value,) = self.values_of(mark)
                if value is not None or mark.id in kept:
                    kept[mark.id] = value

    def marks(self) -> dict[str, list[Any]]:
        """The other marks."""
        return {mark.id: self.values_of(mark) for mark in self.program.data.marks.values() if mark.of != "match"}

    def values_of(self, mark: Mark) -> list[Any]:
        """The values of a mark: of each seat, or one."""
        first, number = self.writer.marks[mark.id] * at.MOST_SEATS, self.program.count if mark.of == "seat" else 1
        values = self.state[at.MARK + first : at.MARK + first + number].tolist()
        return [self.mark_value(mark.type, first + seat, value) for seat, value in enumerate(values)]

    def mark_value(self, type: str, spot: int, value: int) -> Any:
        if value == at.UNSET:
            return None
        if type == "tiles":
            start = at.MARK_TILES + spot * at.MARK_LIST
            return tuple(self.state[start + 1 : start + 1 + int(self.state[start])].tolist())
        return self.plain(type, value)

    def plain(self, type: str, value: int) -> Any:
        """A value of a register, as expressions know it."""
        if type == "truth":
            return bool(value)
        if type in ("seat", "tile"):
            return () if value < 0 else (value,)
        if type == "seats":
            return tuple(seat for seat in self.program.everyone if value >> seat & 1)
        if type in ("suit", "name"):
            return self.names.get(value, "")
        if type == "meld":
            return (self.match.zones["melds"][value // at.MOST_MELDS][value % at.MOST_MELDS],)
        if type == "group":
            group = self.group(value, int(self.state[at.SEAT_ASKED]))
            return () if group is None else (group,)
        return value

    # --- to the machine

    def number(self, type: str, value: Any) -> int:
        """A value of an expression, for a register."""
        if type in ("seat", "tile"):
            if isinstance(value, tuple):
                return value[0] if value else at.NONE
            return at.NONE if value is None else int(value)
        if type == "seats":
            return sum(1 << seat for seat in set(value))
        if type in ("suit", "name"):
            number = self.writer.name(value)
            self.names[number] = value
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

    def give_marks(self) -> None:
        for name in self.writer.marks:
            self.give_mark(name)

    def give_mark(self, name: str) -> None:
        mark, number = self.program.data.marks[name], self.writer.marks[name]
        row = [self.match.match_marks.get(name)] if mark.of == "match" else self.match.marks[name]
        for seat, value in enumerate(row):
            spot = number * at.MOST_SEATS + seat
            if mark.type == "tiles":
                self.give_tiles(spot, value)
            else:
                self.state[at.MARK + spot] = at.UNSET if value is None else self.number(mark.type, value)

    def give_tiles(self, spot: int, value: Any) -> None:
        self.state[at.MARK + spot] = at.UNSET if value is None else 0
        start, tiles = at.MARK_TILES + spot * at.MARK_LIST, list(value or ())
        if len(tiles) >= at.MARK_LIST:
            raise Odd("a mark of many tiles")
        self.state[start] = len(tiles)
        self.state[start + 1 : start + 1 + len(tiles)] = tiles

    def give_shown(self) -> None:
        everyone = (1 << self.program.count) - 1
        for tile, seen in self.match.shown.items():
            self.state[at.SHOWN + tile] = everyone if seen is None else sum(1 << seat for seat in seen)

    # --- requests

    def serve(self) -> None:
        """Do what the machine asks for. Raises Odd."""
        state = self.state
        self.follow()
        kind, number, seat = (int(state[spot]) for spot in (at.REQUEST, at.REQUEST_AT, at.REQUEST_SEAT))
        if kind == at.VALUE:
            request = self.writer.requests[number]
            if request.type == "tiles":
                self.add_tiles(int(state[at.REQUEST_TO]), self.evaluated(request))
            else:
                state[int(state[at.REQUEST_TO])] = self.number(request.type, self.evaluated(request))
        elif kind == at.DECLARE:
            self.declare(seat)
        elif kind == at.SETTLE:
            self.acting(seat).settle(self.writer.payments[number])
            self.give_scores()
        elif kind == at.READ:
            self.read_before()
        else:
            self.operate(self.writer.requests[number])

    def acting(self, seat: int) -> ActingSeat:
        self.frame.seat = seat
        return ActingSeat(self.match, self.frame, "")

    def declare(self, seat: int) -> None:
        if seat < 0:
            return
        self.acting(seat).win(seat, None)
        self.state[at.WINNERS] = sum(1 << one for one in self.match.winners)
        self.state[at.FIRST_WINNER] = next(iter(self.match.winners), at.NONE)
        self.give_measures()
        self.give_shown()

    def give_measures(self) -> None:
        """What hands that won measure, where all of that is whole."""
        self.state[at.MEASURED] = 0
        for seat, won in self.match.won.items():
            found = [won.score.values.get(name, 0) for name in self.writer.measures]
            if all(isinstance(value, int) and abs(value) <= at.MUCH for value in found):
                start = at.MEASURE + seat * at.MOST_MEASURES
                self.state[start : start + len(found)] = found
                self.state[at.MEASURED] |= 1 << seat

    def read_before(self) -> None:
        """Read the hands of several seats that win together."""
        self.match.read_before = {}
        for seat in self.match.takers:
            won = self.match.judging.read(TableScene(self.match, seat))
            if won is not None:
                self.match.read_before[seat] = won

    def evaluated(self, request: HostRequest) -> Any:
        """The value of an expression."""
        assert request.ir is not None
        scope = request.scope
        letters = {name: self.named(one.type, one.register) for name, one in scope.letters.items()}
        variables = {name: self.named(one.type, one.register) for name, one in scope.variables.items()}
        scene = TableScene(self.match, self.seat_of(scope), letters, self.facts(scope))
        return self.program.evaluator(request.ir)(scene, variables)

    def add_tiles(self, number: int, tiles: Any) -> None:
        """Add tiles to a list of the frame."""
        depth = int(self.state[at.DEPTH])
        size = at.LISTED_SIZE + depth * at.LISTS + number
        start = at.LISTED + (depth * at.LISTS + number) * at.LIST
        flat = [t for member in tiles for t in (member.tiles if isinstance(member, TableMeld) else (member,))]
        if int(self.state[size]) + len(flat) >= at.LIST:
            raise Odd("a set of many tiles")
        start += int(self.state[size])
        self.state[start : start + len(flat)] = flat
        self.state[size] += len(flat)

    def seat_of(self, scope: Scope) -> int:
        return int(self.state[self.absolute(scope.seat)])

    def absolute(self, register: int) -> int:
        return register + int(self.state[at.DEPTH]) * at.WINDOW if register >= at.FRAME else register

    def named(self, type: str, register: int) -> Any:
        return self.plain(type, int(self.state[self.absolute(register)]))

    def facts(self, scope: Scope) -> dict[str, Any]:
        found = {name: self.named(one.type, one.register) for name, one in scope.facts.items()}
        if scope.source in (OF_FRAME, GIVEN):
            fields = at.FIELDS + int(self.state[at.DEPTH]) * at.FRAME_FIELDS
            fields += at.GIVES_FACTS if scope.source == GIVEN else at.HAS_FACTS
            if self.state[fields]:
                found |= {
                    "tile": self.plain("tile", int(self.state[fields + 1])),
                    "discarder": self.plain("seat", int(self.state[fields + 2])),
                }
        return found

    def operate(self, request: HostRequest) -> None:
        """Carry out a step, and give the table back. Raises Odd where play continues elsewhere after it."""
        match, scope = self.match, request.scope
        code = self.knowledge.codes.get(id(request))
        if code is None:
            code = self.knowledge.codes[id(request)] = steps_code(self.program, request.steps, "host", part="")
        letters = {name: self.named(one.type, one.register) for name, one in scope.letters.items()}
        before = match.group
        match.stack[:] = [Frame(code, self.seat_of(scope), letters, None, self.facts(scope))]
        course.run(match, leads_elsewhere)
        self.have_answered()
        if match.group is not before:
            self.state[at.GROUP] = self.packed(match.group)
        self.give_table()

    def have_answered(self) -> None:
        """Have the players answer what steps ask, up to the end of the steps. Raises Odd where a phase asks."""
        state, match = self.state, self.match
        while match.window is not None:
            if match.window.ask is None:
                leads_elsewhere()
            view = View(match, match.asked[0])
            question = view.question
            assert question is not None
            move = self.chooses(view)
            spot = at.MOVE + 2 * int(state[at.MOVES])
            state[spot : spot + 2] = question.seat, question.number_of(move)
            state[at.MOVES] += 1
            if state[at.MOVES] > at.MOST_MOVES:
                raise Odd("a hand of many answers")
            if questions.answer(match, move):
                course.run(match, leads_elsewhere)
            state[at.ANSWERS] = match.answers
            state[at.DECISIONS : at.DECISIONS + self.program.count] = match.decisions

    def packed(self, group: TableMeld | None) -> int:
        """A meld as a group that was chosen."""
        if group is None:
            return at.NONE
        if len(group.tiles) > 4:
            raise Odd("a group of many tiles")
        own = sum(tile - self.program.first << at.HAND_AT + 8 * one for one, tile in enumerate(group.tiles))
        claimed = at.NO_TILE if group.claimed is None else group.claimed - self.program.first
        known = group.group | at.OWN_GROUP << at.SOURCE_AT | claimed << at.CLAIMED_AT | own
        discarder = 0 if group.discarder is None else group.discarder + 1
        return known | len(group.tiles) << at.COUNT_AT | discarder << at.FROM_AT

    def give_table(self) -> None:
        """The whole table, to the machine."""
        state, match = self.state, self.match
        state[at.TURN] = match.turn
        state[at.TILE] = at.NONE if match.tile is None else match.tile
        state[at.DISCARDER] = at.NONE if match.discarder is None else match.discarder
        state[at.PLAYING] = sum(1 << seat for seat in match.playing)
        state[at.WINNERS] = sum(1 << seat for seat in match.winners)
        state[at.FIRST_WINNER] = next(iter(match.winners), at.NONE)
        self.give_measures()
        state[at.DRAWS], state[at.COUNTER] = match.draws, match.counter
        state[at.DRAWN : at.DRAWN + self.program.count] = [at.NONE if t is None else t for t in match.drawn]
        self.give_scores()
        self.give_tiles_of_table()
        self.give_marks()
        self.give_shown()

    def give_tiles_of_table(self) -> None:
        """Where every tile is."""
        state, match, program = self.state, self.match, self.program
        for zone, (first, _) in self.writer.rows.items():
            for seat, row in enumerate(match.zones[zone]):
                if zone == "melds":
                    self.give_melds(seat, row)
                    continue
                start = at.ROW + (first + seat) * at.MOST_TILES
                state[start : start + len(row)] = row
                state[at.ROW_START + first + seat], state[at.ROW_END + first + seat] = 0, len(row)
                for tile in row:
                    state[at.WHERE + tile] = first + seat
        numbers = self.image.numbers
        block = int(numbers[at.BLOCK])
        for seat, hand in enumerate(match.zones["hand"]):
            counts = at.COUNT + seat * at.MOST_FACES
            state[counts : counts + program.first] = match.counts[seat]
            state[at.NUMBER + seat * at.MOST_BLOCKS : at.NUMBER + (seat + 1) * at.MOST_BLOCKS] = 0
            state[at.ODD + seat] = 0
            for tile in hand:
                at_block, radix = (int(numbers[block + 2 * program.plain[tile] + one]) for one in (0, 1))
                if at_block < 0:
                    state[at.ODD + seat] += 1
                else:
                    state[at.NUMBER + seat * at.MOST_BLOCKS + at_block] += radix

    def give_melds(self, seat: int, melds: list[TableMeld]) -> None:
        if len(melds) >= at.MOST_MELDS:
            raise Odd("many melds")
        self.state[at.LAID_SIZE + seat] = len(melds)
        for number, meld in enumerate(melds):
            if meld.wild or len(meld.tiles) > at.MELD - at.LAID_TILES:
                raise Odd("a meld with wild tiles, or of many tiles")
            start = at.LAID + (seat * at.MOST_MELDS + number) * at.MELD
            none = at.NONE
            self.state[start : start + at.LAID_TILES + len(meld.tiles)] = [
                meld.group,
                meld.exposed,
                none if meld.discarder is None else meld.discarder,
                none if meld.seen_by is None else sum(1 << one for one in meld.seen_by),
                len(meld.tiles),
                none if meld.claimed is None else meld.claimed,
                *meld.tiles,
            ]
            for tile in meld.tiles:
                self.state[at.WHERE + tile] = at.IN_MELDS - seat


def leads_elsewhere() -> None:
    """A step of the host went to another phase, or asked."""
    raise Odd("a step that leads elsewhere")
