"""A game: the table as it changes. A program, a seed and the answers of the seats in, events out.

It holds what is so just now, and the match: who sits where, which hand comes next, what was paid. Tiles are moved by
`placing`, steps carried out by `course`, seats asked by `asking`; `tilewright.play.table` keeps it behind an immutable
face. Seats are numbers from the dealer of the hand; players keep their number for the match.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tilewright.play import asking, chance, course, laying, placing
from tilewright.play.buttons import answer_by
from tilewright.play.choices import listed
from tilewright.play.events import Detail, Event
from tilewright.play.finding import move_meant, pass_all
from tilewright.play.frames import Frame
from tilewright.play.judging import Judging, Won
from tilewright.play.layout import Layout
from tilewright.play.melds import NOWHERE, Lying, Spot
from tilewright.play.moves import PASS, IllegalMove, Move, Pick, Question, Refusal
from tilewright.play.program import Program
from tilewright.play.refusals import refusals
from tilewright.play.scene import TableScene
from tilewright.scoring.walker import empty, evaluate, whole
from tilewright.scoring.wildness import Now

Number = int | Fraction
MOST_HANDS = 1_000  # of a match that does not end by itself
MOST_ALLOWED = 500  # moves of a described choice that are told
MOST_LISTED = 5_000  # moves of one described choice


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment that was made in this hand. `settlement`: those that were carried out together have one number."""

    payments: str
    line: str
    payer: int
    payee: int
    amount: Number
    settlement: int


@dataclass(frozen=True, slots=True)
class Result:
    """A hand that has ended. `ended`: the phase that led to the end; `won`: who won, in order; `gains`: of each player;
    `draws`: tiles drawn; `answers`: questions answered; `dealer`: a player; `places`: the players round the table;
    `round`: from 0."""

    hand: int
    ended: str
    won: tuple[Won, ...]
    gains: tuple[Number, ...]
    scores: tuple[Number, ...]
    dealer: int
    draws: int
    answers: int
    places: tuple[int, ...]
    problems: tuple[str, ...] = ()
    round: int = 0

    def player(self, seat: int) -> int:
        """The player that sat there."""
        return self.places[(self.places.index(self.dealer) + seat) % len(self.places)]


class Game:
    """One match, or `hands` hands of it. `layout`: where it begins; `listen`: events are kept. A game that is `pausing`
    stops, with nobody asked, after a tile came where it may be claimed and after a hand has ended (`rests`);
    `course.run` goes on. Raises CaseError for a layout that cannot be laid out."""

    base: Program  # as it is written; `program`: with the tiles wild that are so now
    program: Program
    wild: Now | None
    judging: Judging
    turn: int
    round: int
    dealership: int
    result_phase: str

    def __init__(
        self,
        program: Program,
        seed: int,
        hands: int | None = None,
        layout: Layout | None = None,
        listen: bool = True,
        pausing: bool = False,
    ) -> None:
        self.base, self.wild = program, None
        self.program, self.seed, self.hands, self.layout, self.listening = program, seed, hands, layout, listen
        count = program.count
        self.judging = Judging(self)
        self.match_marks: dict[str, Any] = {}
        self.scores: list[Number] = [0] * (count + 1)  # of players, the pot last
        self.hand_number, self.dealer, self.round, self.dealership = 0, 0, 0, 0
        self.places = tuple(range(count))  # the players round the table, from the first dealer of the round on
        self.events: list[Event] = []
        self.results: list[Result] = []
        self.over = False
        self.pausing, self.rests = pausing, False
        self.stack: list[Frame] = []
        self.decisions = [0] * count  # answers that each player has given
        self.clear()
        start = program.play.match.score
        if start is not None:
            score = evaluate(start, TableScene(self, 0))
            self.scores[:count] = [score] * count
        if layout is not None:
            laying.set_match(self, layout)
            self.clear()
        if layout is not None and layout.position is not None:
            laying.lay_out(self, layout.position)
        else:
            self.deal()
        course.run(self)

    # --- a hand begins and ends

    def clear(self) -> None:
        """The table before a hand."""
        count, data = self.program.count, self.program.rules.data
        self.zones: dict[str, list[list[Any]]] = {
            zone.id: [[] for _ in range(count if zone.of == "seat" else 1)] for zone in data.zones.values()
        }
        self.where: dict[int, Spot] = {}
        self.counts: list[list[int]] = []  # of each seat's hand: how many of each plain tile,
        self.keys: list[int] = []
        self.spreads: list[list[int]] = []  # and of each family
        placing.clear_hands(self)
        self.marks: dict[str, list[Any]] = {}
        self.answered: dict[str, list[Any]] = {}
        self.dice: dict[str, Any] = {}
        self.playing: tuple[int, ...] = self.program.everyone
        self.turn = 0
        self.tile: int | None = None
        self.discarder: int | None = None
        self.group: Lying | None = None
        self.drawn: list[int | None] = [None] * count
        self.winners: tuple[int, ...] = ()
        self.takers: tuple[int, ...] = ()  # whose answers are carried out together
        self.won: dict[int, Won] = {}
        self.read_before: dict[int, Won] = {}
        self.losses: dict[int, Mapping[str, Any]] = {}
        self.paid: list[Paid] = []
        self.awaits_wall = self.layout is not None  # the first shuffle is still to come
        self.coming: dict[Spot, tuple[tuple[int, ...], tuple[int, ...]]] = {}  # tiles that are kept for a place
        self.shown: dict[int, frozenset[int] | None] = {}  # tile -> who has seen it; None: everyone
        self.opened: dict[int, int | None] = {}  # tile that a win showed -> the tile that was won on
        self.result_phase = ""
        self.stack.clear()
        self.window: asking.Window | None = None
        self.counter, self.draws, self.answers = 0, 0, 0
        self.problems: tuple[str, ...] = ()
        self.passed_over: dict[int, tuple[Refusal, ...]] = {}  # what seats that are not asked were refused
        self.before_hand = tuple(self.scores)
        for mark in data.marks.values():
            if mark.of != "match":
                seats = range(count if mark.of == "seat" else 1)
                self.marks[mark.id] = [None for _ in seats]
        for mark in data.marks.values():
            if mark.start is not None and (mark.of != "match" or mark.id not in self.match_marks):
                for seat in range(count if mark.of == "seat" else 1):
                    self.keep_mark(mark.id, seat, evaluate(mark.start, TableScene(self, seat)))

    def deal(self) -> None:
        """The first phase, with the dealer as seat."""
        self.tell_hand()
        course.start(self, "deal", 0)

    def tell_hand(self) -> None:
        """A hand begins."""
        self.before_hand = tuple(self.scores)
        self.tell("hand", None, (), self.about_hand())

    def about_hand(self) -> Detail:
        return (
            ("number", self.hand_number + 1),
            ("round", self.round + 1),
            ("dealership", self.dealership + 1),
            ("players", {self.program.names[seat]: self.player(seat) for seat in self.program.everyone}),
            ("scores", list(self.scores)),
        )

    def finish(self, phase: str) -> None:
        """The hand has ended: its result, and the next hand or the end of the match, at once or when the game goes on
        that is pausing."""
        self.result_phase = phase
        self.stack.clear()
        self.window = None
        self.passed_over.clear()
        gains = tuple(whole(after - before) for after, before in zip(self.scores, self.before_hand, strict=True))
        won = tuple(self.won[seat] for seat in self.winners)
        result = Result(
            self.hand_number,
            phase,
            won,
            gains[: self.program.count],
            tuple(self.scores[: self.program.count]),
            self.dealer,
            self.draws,
            self.answers,
            self.places,
            self.problems,
            self.round,
        )
        self.results.append(result)
        names = self.program.names
        self.tell(
            "result",
            None,
            (),
            (
                ("ended", phase),
                ("winners", [names[seat] for seat in self.winners]),
                ("gains", {names[seat]: gains[self.player(seat)] for seat in self.program.everyone}),
            ),
        )
        if self.pausing:
            self.rests = True
        else:
            self.go_on()

    def go_on(self) -> None:
        """Who deals next, and whether there is a next hand."""
        match, scene = self.program.play.match, TableScene(self, 0)
        stays = match.dealer_stays is not None and bool(self.program.answer(match.dealer_stays)(scene, {}))
        ends = match.ends is not None and bool(self.program.answer(match.ends)(scene, {}))
        self.hand_number += 1
        dealer, places = self.dealer, self.places
        if not stays:
            self.dealer = self.player(self.next_dealer())
            self.dealership += 1
            if self.dealership == self.program.count:
                self.next_round()
        if ends or self.round >= max(1, len(match.rounds)):
            self.place()
        elif self.hands is None and self.hand_number >= MOST_HANDS:
            self.tell("problem", None, (), (("says", f"a match has at most {MOST_HANDS:,} hands"),))
        elif self.hands != self.hand_number:
            self.clear()
            self.deal()
            return
        self.dealer, self.places = dealer, places  # seats are those of the last hand, whose tiles still lie there
        self.over = True
        self.tell("over", None, (), (("scores", list(self.scores[: self.program.count])),))

    def next_dealer(self) -> int:
        """The seat that deals next, where the dealer does not stay."""
        wanted = self.program.play.match.next_dealer
        seats = () if wanted is None else self.program.answer(wanted)(TableScene(self, 0), {})
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
        """The match is over: what is added by place; equals share it, or the one that is ahead has it."""
        match, scores, order = self.program.play.match, tuple(self.scores), self.ranking()
        added = {
            player: evaluate(bonus, TableScene(self, 0)) for player, bonus in zip(order, match.placement, strict=False)
        }
        if match.exchange is not None:
            seats = self.program.everyone
            exchanged = {self.player(seat): evaluate(match.exchange, TableScene(self, seat)) for seat in seats}
            self.scores[: self.program.count] = [whole(exchanged[player]) for player in range(self.program.count)]
        for player in added:
            equals = [other for other in added if scores[other] == scores[player]] if match.equals_share else [player]
            share = Fraction(sum(added[other] for other in equals), len(equals))
            self.scores[player] = whole(self.scores[player] + share)

    def ranking(self) -> list[int]:
        """The players, the leader first; of equal scores, who sat first at the start of the match is ahead."""
        return sorted(range(self.program.count), key=lambda player: (-self.scores[player], player))

    # --- seats

    def player(self, seat: int) -> int:
        """The player that sits there in this hand."""
        return self.places[(self.places.index(self.dealer) + seat) % self.program.count]

    def seat_of(self, player: int) -> int:
        return (self.places.index(player) - self.places.index(self.dealer)) % self.program.count

    def score_of(self, seat: int) -> Number:
        """What a seat, or the pot, has."""
        return self.scores[seat if seat >= self.program.count else self.player(seat)]

    def place_of(self, seat: int) -> int:
        """The place of a seat in the match as the scores are now; the pot has none."""
        return 0 if seat >= self.program.count else self.ranking().index(self.player(seat)) + 1

    @property
    def step(self) -> int:
        """Which way turns go now, in numbers of seats."""
        reverse = self.program.reverse
        return -1 if reverse is not None and reverse(TableScene(self, self.turn), {}) else 1

    def next_playing(self, seat: int) -> int:
        return self.beside(seat, self.step)

    def previous_playing(self, seat: int) -> int:
        return self.beside(seat, -self.step)

    def beside(self, seat: int, step: int) -> int:
        count = self.program.count
        there = (seat + step) % count
        if len(self.playing) == count:
            return there
        while there not in self.playing and there != seat:
            there = (there + step) % count
        return there

    def others(self, seat: int) -> tuple[int, ...]:
        """The seats still playing without this one, in turn order after it."""
        count, step = self.program.count, self.step
        if len(self.playing) == count:
            return self.program.rings[seat, step]
        return tuple(s for by in range(1, count) if (s := (seat + by * step) % count) in self.playing)

    def from_dealer(self, seat: int) -> int:
        """How many seats after the dealer, in turn order."""
        return seat * self.step % self.program.count

    def after_turn(self, seat: int) -> int:
        """How near after the turn; the turn itself is the farthest."""
        return (seat - self.turn) * self.step % self.program.count or self.program.count

    def towards(self, way: str, seat: int) -> tuple[int, ...]:
        """The seat in a direction."""
        count = self.program.count
        right = 1 if self.program.rules.data.seats.order == "counterclockwise" else -1
        by = {"right": right, "left": -right, "across": count // 2}
        if way in by:
            return ((seat + by[way]) % count,)
        return (self.next_playing(seat) if way == "next" else self.previous_playing(seat),)

    @property
    def round_wind(self) -> int | None:
        rounds = self.program.play.match.rounds
        return rounds[self.round] if self.round < len(rounds) else None

    # --- tiles

    def lying(self, zone: str, seat: int) -> tuple[Any, ...]:
        """What lies in a zone and counts as there."""
        rows = self.zones[zone]
        row = rows[seat if len(rows) > 1 else 0]
        keep = self.program.rules.data.zones[zone].keep
        return tuple(row) if keep is None else tuple(row[: self.size(zone, seat)])

    def size(self, zone: str, seat: int) -> int:
        rows = self.zones[zone]
        at = seat if len(rows) > 1 else 0
        return max(0, self.there((zone, at)))

    def there(self, spot: Spot) -> int:
        """How many tiles of a place count as there."""
        zone, seat = spot
        keep = self.program.keeps.get(zone)
        kept = 0 if keep is None else int(keep(TableScene(self, seat), {}))
        return len(self.zones[zone][seat]) - kept

    def group_of(self, tile: int) -> Lying | None:
        """The group on the table that a tile lies in."""
        zone, seat = self.where.get(tile, NOWHERE)
        if zone != "melds":
            return None
        return next((group for group in self.zones["melds"][seat] if tile in group.tiles), None)

    def self_draw(self, seat: int, tile: tuple[int, ...], discarder: tuple[int, ...]) -> bool:
        """No discarder, and the tile in question, if any, in the own hand."""
        return not discarder and (not tile or self.where.get(tile[0]) == ("hand", seat))

    def stream(self) -> Iterator[int]:
        """Numbers by chance for one shuffle or roll."""
        self.counter += 1
        return chance.numbers(self.seed, self.hand_number, self.counter)

    # --- marks

    def remembered(self, name: str, seat: int) -> Any:
        """A mark, an answer or a die."""
        declared = self.program.rules.data.marks.get(name)
        if declared is not None:
            value = self.marked(name, seat)
            return empty(declared.type) if value is None else value  # not set: nothing, whatever it started as
        if name in self.answered:
            return self.answered[name][seat]
        return self.dice.get(name)

    def marked(self, name: str, seat: int) -> Any:
        """The value of a mark; None where it is not set."""
        row = self.marks.get(name)
        return self.match_marks.get(name) if row is None else row[seat if len(row) > 1 else 0]

    def keep_mark(self, name: str, seat: int, value: Any) -> Any:
        """Remember a value; tiles by their faces."""
        mark = self.program.rules.data.marks[name]
        if mark.type == "tiles":
            value = tuple(self.program.face[tile] for tile in value)
        if mark.of == "match":
            self.match_marks[name] = value
        else:
            row = self.marks[name]
            row[seat if len(row) > 1 else 0] = value
        return value

    # --- events

    def tell(
        self,
        kind: str,
        seat: int | None = None,
        tiles: Sequence[int] = (),
        detail: Detail = (),
        seen_by: frozenset[int] | None = None,
    ) -> None:
        """An event happened."""
        if kind == "problem":
            self.problems = (*self.problems, str(dict(detail).get("says", "")))
        if self.listening:
            face = self.program.face
            self.events.append(Event(kind, seat, tuple(face[tile] for tile in tiles), detail, seen_by))

    # --- payments

    def pay(
        self, payments: str, line: str, payer: int, payee: int, amount: Number, settlement: int | None = None
    ) -> None:
        """One seat (or the pot) pays another; of a settlement, so that it can be given back."""
        for seat, gain in ((payer, -amount), (payee, amount)):
            at = seat if seat >= self.program.count else self.player(seat)
            self.scores[at] = whole(self.scores[at] + gain)
        if settlement is not None:
            self.paid.append(Paid(payments, line, payer, payee, amount, settlement))
        names = self.program.names
        detail = (
            ("payments", payments),
            ("line", line),
            ("from", names[payer]),
            ("to", names[payee]),
            ("amount", amount),
        )
        self.tell("pay", payee, (), detail)

    def values_of(self, seat: int) -> Mapping[str, Any]:
        """The measures of a seat's hand."""
        if seat in self.won:
            return self.won[seat].score.values
        if seat >= self.program.count:
            return {}
        if seat not in self.losses:
            self.losses[seat] = self.judging.values(seat)
        return self.losses[seat]

    # --- the course of play

    # --- questions

    def __repr__(self) -> str:
        """What is played, how far it is, and who is asked; no tiles, and no longer with the game."""
        asked = ", ".join(self.program.names[seat] for seat in self.asked)
        now = "over" if self.over else f"{self.window.phase} asks {asked}" if self.window else "between hands"
        return f"Game({self.program.data.id}, seed {self.seed}, hand {self.hand_number + 1}, {now})"

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to answer, in turn order after the turn."""
        if self.window is None:
            return ()
        open_seats = [seat for seat in self.window.choices if seat not in self.window.answers]
        return tuple(sorted(open_seats, key=self.after_turn)) if len(open_seats) > 1 else tuple(open_seats)

    def question(self, seat: int) -> Question | None:
        """What a seat is asked."""
        window = self.window
        if window is None or seat not in window.choices or seat in window.answers:
            return None
        choices = window.choices[seat]
        moves = choices.moves()
        if window.may_pass:
            moves.append(Move(seat, PASS))
        name = window.name if window.ask is not None else self.program.asks[window.phase]
        return Question(seat, window.phase, name, tuple(moves), tuple(opened.pick for opened in choices.picks))

    def legal_moves(self, seat: int | None = None) -> tuple[Move, ...]:
        """Every complete move of a seat (the first that is asked), up to 5 000 of each described choice."""
        asked = self.asked
        if seat is None and asked:
            seat = asked[0]
        question = None if seat is None else self.question(seat)
        if question is None or seat is None or self.window is None:
            return ()
        several = [
            move for opened in self.window.choices[seat].picks for move in listed(self, opened, seat, MOST_LISTED)[0]
        ]
        return (*several, *question.moves)

    def allowed(self, seat: int, pick: Pick) -> tuple[tuple[Move, ...], bool]:
        """The first moves of a described choice that the seat is asked for, and whether those are all."""
        assert self.window is not None
        opened = next(one for one in self.window.choices[seat].picks if one.pick == pick)
        return listed(self, opened, seat, MOST_ALLOWED, 2 * MOST_ALLOWED)

    def refusals(self, seat: int) -> tuple[Refusal, ...]:
        """What the seat may expect to do now, and may not."""
        return refusals(self, seat)

    def who_is_asked(self) -> tuple[int, ...]:
        """The seats that the phase asks, whether they can do anything or not."""
        frame = self.stack[-1]
        phase = self.program.play.phases[frame.code.name]
        assert phase.who is not None
        who: tuple[int, ...] = self.program.answer(phase.who)(TableScene(self, frame.seat, frame.letters), {})
        return who

    def answer_by(self, seat: int, pressed: Set[str]) -> Move | None:
        """What the buttons that a seat has pressed answer for it; None where it decides itself."""
        return answer_by(self, seat, pressed)

    # --- answers

    def answer(self, move: Move) -> None:
        """A seat answers. Raises IllegalMove."""
        asking.answer(self, move)

    def answer_together(self, moves: Sequence[Move]) -> None:
        """Seats answer the same question; the others that were asked do not matter. Raises IllegalMove."""
        asking.answer_together(self, moves)

    def move(self, does: str, *chosen: str, seat: int | str | None = None, **named: str) -> Move:
        """The legal move that does this and chooses these tiles (or other texts), some by the name of the choice; of
        the seat, or of the one that is asked and may make it. Raises IllegalMove, which says what is possible."""
        return move_meant(self, does, chosen, None if seat is None else self.seat(seat), named)

    def pass_all(self) -> None:
        """Everybody who is asked passes. Raises IllegalMove where somebody may not."""
        pass_all(self)

    def seat(self, seat: int | str) -> int:
        """The number of a seat that may be named. Raises IllegalMove."""
        if isinstance(seat, int):
            return seat
        names = self.program.names[:-1]
        if seat not in names:
            raise IllegalMove(f"nobody sits at {seat!r}; seats are {', '.join(names)}")
        return names.index(seat)

    def allows(self, move: Move) -> bool:
        """The move can be answered now."""
        try:
            return asking.option_of(self, move) is not None
        except IllegalMove:
            return False

    def is_seat(self, seat: int) -> bool:
        return 0 <= seat < self.program.count

    # --- going its own way

    def copy(self) -> "Game":
        """The same game, to go its own way."""
        other: Game = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.judging = Judging(other)
        other.match_marks = dict(self.match_marks)
        other.scores = list(self.scores)
        other.results, other.decisions = list(self.results), list(self.decisions)
        other.zones = {zone: [list(row) for row in rows] for zone, rows in self.zones.items()}
        other.where = dict(self.where)
        other.counts = [list(row) for row in self.counts]
        other.keys = list(self.keys)
        other.spreads = [list(row) for row in self.spreads]
        other.marks = {name: list(row) for name, row in self.marks.items()}
        other.answered = {name: list(row) for name, row in self.answered.items()}
        other.dice = dict(self.dice)
        other.drawn = list(self.drawn)
        other.won, other.read_before, other.losses = dict(self.won), dict(self.read_before), {}
        other.paid, other.passed_over = list(self.paid), dict(self.passed_over)
        other.shown, other.opened, other.coming = dict(self.shown), dict(self.opened), dict(self.coming)
        other.stack = [frame.copy() for frame in self.stack]
        other.events = list(self.events)
        if self.window is not None:
            window = self.window
            other.window = asking.Window(
                window.phase, window.name, window.may_pass, window.choices, window.ask, dict(window.answers)
            )
        return other
