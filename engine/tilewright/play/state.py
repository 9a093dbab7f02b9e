"""The state of a table: where every tile is, marks, whose turn it is, who is asked, what was paid.

Knows neither how a step is carried out nor which hand of a match comes next. Seats are numbered from the dealer of the
hand; players keep their number for the match.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, Self

from tilewright.base.arguments import index_of
from tilewright.play import chance
from tilewright.play.chance import FairDeal, HandSeeds
from tilewright.play.layout import TableLayout
from tilewright.play.model import (
    NOWHERE,
    PASS,
    Detail,
    Event,
    HandResult,
    IllegalMove,
    LeftHand,
    MadePayment,
    Move,
    Question,
    Refusal,
    TableDiscard,
    TableMeld,
    TablePayment,
    Won,
    ZonePlace,
)
from tilewright.play.operations import AnswerWindow, Frame
from tilewright.play.program import Program
from tilewright.scoring.payments import Account
from tilewright.scoring.plain.judge import Values
from tilewright.scoring.plain.walker import empty, whole
from tilewright.scoring.wildness import Now

Number = int | Fraction


class HandJudge(Protocol):
    """How scoring judges the hands at a table. A `scene` is a `TableScene`, which holds a state."""

    def wins(self, scene: Any) -> bool: ...
    def read(self, scene: Any) -> Won | None: ...
    def form(self, scene: Any) -> str: ...
    def waits(self, scene: Any) -> tuple[int, ...]: ...
    def distance(self, scene: Any) -> int: ...
    def possible(self, scene: Any) -> bool: ...
    def can_win(self, scene: Any, hand: int) -> bool: ...
    def potential(self, scene: Any) -> Number: ...
    def values(self, seat: int) -> Values: ...
    def left(self, seat: int) -> LeftHand: ...
    def may_fit(self, seat: int, tile: int | None) -> bool: ...
    def why_not(self, seat: int, offer: str) -> Iterator[Refusal]: ...
    def sizes_in_hand(self, scene: Any, form: str) -> tuple[int, int] | None: ...
    def is_form(self, scene: Any, form: str, tiles: Sequence[int]) -> bool: ...


class TableState:
    """A table. `seed`: of all hands, or the seeds of each, for fair deals; `fair_deal`: of this hand, if it is one;
    `layout`: where the match begins; `listen`: events are kept; `pausing`: play stops after a tile has gone where it
    may be claimed, and where a phase interrupts another, before anybody is asked (`to_claim`: it has yet to stop);
    `judge_of`: makes the judge of a table. `trusted`: seats whose hands are not known here and whose moves were judged
    elsewhere: whatever their tiles make is allowed, without the conditions of offers and without restrictions. `hands`:
    how many are played, None for a whole match; `over`: they are; `placement`: what the end of the match added to each
    player's score, which no hand paid; empty before that, and where the rules add nothing."""

    base: Program  # as written; `program`: with the tiles wild that are now
    program: Program
    wild: Now | None
    judging: HandJudge
    turn: int
    round: int
    dealership: int
    result_phase: str
    trusted: frozenset[int] = frozenset()
    hands: int | None = None
    over: bool = False
    placement: tuple[Number, ...] = ()

    def __init__(
        self,
        program: Program,
        seed: int | HandSeeds,
        judge_of: Callable[["TableState"], HandJudge],
        layout: TableLayout | None = None,
        listen: bool = True,
        pausing: bool = False,
        digest: str | None = None,
        refusing: bool = False,
    ) -> None:
        self.digest = digest or program.data.digest  # of the rules, as logs and hashes of deals name them
        self.base, self.wild = program, None
        self.program, self.seed, self.layout, self.listening, self.pausing = program, seed, layout, listen, pausing
        self.refusing = listen or refusing
        count = program.count
        self.fair_deal: FairDeal | None = None
        self.judge_of, self.judging = judge_of, judge_of(self)
        self.match_marks: dict[str, Any] = {}
        self.balances: list[Number] = [0] * (count + 1)  # of players, the pot last
        self.hand_number, self.dealer, self.round, self.dealership = 0, 0, 0, 0
        self.places = tuple(range(count))  # the players round the table, from the first dealer of the round on
        self.events: list[Event] = []
        self.results: list[HandResult] = []
        self.stack: list[Frame] = []
        self.decisions = [0] * count  # answers that each player has given
        self.clear()

    # --- a hand begins and ends

    def clear(self) -> None:
        """The table before a hand."""
        count, data = self.program.count, self.program.rules.data
        self.zones: dict[str, list[list[Any]]] = {
            zone.id: [[] for _ in range(count if zone.of == "seat" else 1)] for zone in data.zones.values()
        }
        self.where: dict[int, ZonePlace] = {}
        self.clear_hands()
        self.marks: dict[str, list[Any]] = {}
        self.answered: dict[str, list[Any]] = {}
        self.dice: dict[str, Any] = {}
        self.playing: tuple[int, ...] = self.program.everyone
        self.turn = 0
        self.tile: int | None = None
        self.discarder: int | None = None
        self.group: TableMeld | None = None
        self.drawn: list[int | None] = [None] * count
        self.fresh = [False] * count  # by seat: its hand has not changed since it drew
        self.discards: dict[int, TableDiscard] = {}  # by tile, in the order of the hand, claimed ones too
        self.winners: tuple[int, ...] = ()
        self.takers: tuple[int, ...] = ()  # whose answers are carried out together
        self.won: dict[int, Won] = {}  # by seat, the last win
        self.won_before: dict[int, tuple[Won, ...]] = {}  # of seats that make several hands, the wins before it
        self.closed = [0] * count  # by seat, the hands that are finished or dead, as bits from 1 on
        self.read_before: dict[int, Won] = {}
        self.losses: dict[int, Mapping[str, Any]] = {}
        self.paid: list[TablePayment] = []
        self.payments: list[MadePayment] = []
        self.awaits_wall = self.layout is not None  # the first shuffle is yet to come
        self.coming: dict[ZonePlace, tuple[tuple[int, ...], tuple[int, ...]]] = {}  # tiles reserved for a place
        self.built: dict[str, tuple[int, ...]] = {}  # the tiles of each wall as it was shuffled
        self.sideways: set[int] = set()
        self.shown: dict[int, frozenset[int] | None] = {}  # tile -> who has seen it; None: everyone
        self.opened: dict[int, int | None] = {}  # tile revealed by a win -> the tile won on
        self.result_phase = ""
        self.hand_ended = self.to_claim = False
        self.stack.clear()
        self.window: AnswerWindow | None = None
        self.counter, self.draws, self.answers = 0, 0, 0
        self.problems: tuple[str, ...] = ()
        self.passed_over: dict[int, tuple[Refusal, ...]] = {}  # what seats that are not asked were refused
        self.before_hand, self.marks_before = tuple(self.balances), dict(self.match_marks)
        for mark in data.marks.values():
            if mark.of != "match":
                seats = range(count if mark.of == "seat" else 1)
                self.marks[mark.id] = [None for _ in seats]

    def clear_hands(self) -> None:
        """Every hand is empty. `counts`: how many of each plain tile a seat holds; `keys`: its hand as one number;
        `spreads`: how many tiles of each family it holds."""
        program = self.program
        self.counts = [[0] * program.first for _ in program.everyone]
        self.keys = [0] * program.count
        self.spreads = [[0] * program.sizes.count for _ in program.everyone]

    def announce_hand(self) -> None:
        """Announce that a hand begins, and the hash of its deal if that is fair. Raises UndisclosedSeed."""
        self.before_hand, self.marks_before = tuple(self.balances), dict(self.match_marks)
        if not isinstance(self.seed, int):
            number, players = self.hand_number + 1, tuple(map(self.player, self.program.everyone))
            self.fair_deal = FairDeal(self.digest, number, players, self.seed.of_hand(number))
        self.announce("hand", None, (), self.about_hand())
        if self.fair_deal is not None:
            self.announce("deal_hash", None, (), (("hash", self.fair_deal.hash),))

    def disclose_deal(self) -> None:
        """Announce the seed of a fair deal."""
        if self.fair_deal is not None:
            seed = self.fair_deal.seed
            self.announce("deal_seed", None, (), (("seed", seed.seed), ("salt", seed.salt)))

    def about_hand(self) -> Detail:
        return (
            ("number", self.hand_number + 1),
            ("round", self.round + 1),
            ("dealership", self.dealership + 1),
            ("players", {self.program.names[seat]: self.player(seat) for seat in self.program.everyone}),
            ("scores", list(self.balances)),
        )

    def end_hand(self, phase: str) -> None:
        """End the hand with this phase; what follows is up to the match."""
        self.result_phase = phase
        self.hand_ended = True
        self.stack.clear()
        self.window = None
        self.passed_over.clear()

    def wins(self) -> Iterator[Won]:
        """The wins of this hand by seat, those of a seat in their order."""
        for seat in self.winners:
            yield from self.wins_of(seat)

    def wins_of(self, seat: int) -> tuple[Won, ...]:
        """The wins of a seat in this hand, in their order."""
        return (*self.won_before.get(seat, ()), self.won[seat]) if seat in self.won else ()

    # --- seats

    def player(self, seat: int | str) -> int:
        """The player that sits there in this hand. Raises IllegalMove for a seat that there is not."""
        return self.places[(self.places.index(self.dealer) + self.seat(seat)) % self.program.count]

    def seat_of(self, player: int) -> int:
        """The seat of a player in this hand. Raises IllegalMove for a player that there is not."""
        if index_of(player) not in self.places:
            raise IllegalMove(f"there is no player {player!r:.40}; players are 0 to {self.program.count - 1}")
        return (self.places.index(player) - self.places.index(self.dealer)) % self.program.count

    @property
    def scores(self) -> tuple[Number, ...]:
        """What each player has."""
        return tuple(self.balances[:-1])

    @property
    def pot(self) -> Number:
        """What is in the pot."""
        return self.balances[-1]

    def score_of(self, seat: int) -> Number:
        """The score of a seat or the pot."""
        return self.balances[seat if seat >= self.program.count else self.player(seat)]

    def place_of(self, seat: int) -> int:
        """The placement of a seat by the current scores; the pot has none."""
        return 0 if seat >= self.program.count else self.ranking().index(self.player(seat)) + 1

    def ranking(self) -> list[int]:
        """The players, the leader first; of equal scores, who sat first at the start of the match is ahead."""
        return sorted(range(self.program.count), key=lambda player: (-self.balances[player], player))

    @property
    def direction(self) -> int:
        """The direction of turns now: 1 or -1."""
        reverse = self.program.reverse
        return -1 if reverse is not None and reverse(self, self.turn) else 1

    def next_playing(self, seat: int) -> int:
        return self.beside(seat, self.direction)

    def previous_playing(self, seat: int) -> int:
        return self.beside(seat, -self.direction)

    def beside(self, seat: int, direction: int) -> int:
        count = self.program.count
        there = (seat + direction) % count
        if len(self.playing) == count:
            return there
        while there not in self.playing and there != seat:
            there = (there + direction) % count
        return there

    def others(self, seat: int) -> tuple[int, ...]:
        """The seats still playing without this one, in turn order after it."""
        count, direction = self.program.count, self.direction
        if len(self.playing) == count:
            return self.program.rings[seat, direction]
        return tuple(s for by in range(1, count) if (s := (seat + by * direction) % count) in self.playing)

    def from_dealer(self, seat: int) -> int:
        """How many seats after the dealer, in turn order."""
        return seat * self.direction % self.program.count

    def after_turn(self, seat: int) -> int:
        """The distance after the current turn; the seat whose turn it is comes last."""
        return (seat - self.turn) * self.direction % self.program.count or self.program.count

    @property
    def round_wind(self) -> int | None:
        rounds = self.program.play.match.rounds
        return rounds[self.round] if self.round < len(rounds) else None

    # --- tiles

    def lying(self, zone: str, seat: int) -> tuple[Any, ...]:
        """The tiles of a zone that count as there."""
        rows = self.zones[zone]
        row = rows[seat if len(rows) > 1 else 0]
        keep = self.program.rules.data.zones[zone].keep
        return tuple(row) if keep is None else tuple(row[: self.size(zone, seat)])

    def size(self, zone: str, seat: int) -> int:
        rows = self.zones[zone]
        at = seat if len(rows) > 1 else 0
        return max(0, self.there((zone, at)))

    def there(self, spot: ZonePlace) -> int:
        """How many tiles of a place count as there."""
        zone, seat = spot
        keep = self.program.keeps.get(zone)
        return len(self.zones[zone][seat]) - (0 if keep is None else keep(self, seat))

    def group_of(self, tile: int) -> TableMeld | None:
        """The group on the table that holds a tile."""
        zone, seat = self.where.get(tile, NOWHERE)
        if zone != "melds":
            return None
        return next((group for group in self.zones["melds"][seat] if tile in group.tiles), None)

    def self_draw(self, seat: int, tile: tuple[int, ...], discarder: tuple[int, ...]) -> bool:
        """Whether there is no discarder, and the tile in question, if any, is in the own hand."""
        return not discarder and (not tile or self.where.get(tile[0]) == ("hand", seat))

    def stream(self) -> Iterator[int]:
        """Random numbers for one shuffle or roll."""
        self.counter += 1
        if isinstance(self.seed, int):
            return chance.numbers(self.seed, self.hand_number, self.counter)
        assert self.fair_deal is not None
        return chance.numbers(self.fair_deal.seed.seed, self.hand_number, self.counter)

    # --- marks

    def remembered(self, name: str, seat: int) -> Any:
        """A mark, an answer or a die."""
        declared = self.program.rules.data.marks.get(name)
        if declared is not None:
            value = self.marked(name, seat)
            return empty(declared.type) if value is None else value  # not set: nothing, whatever its start value
        if name in self.answered:
            return self.answered[name][seat]
        return self.dice.get(name)

    def marked(self, name: str, seat: int) -> Any:
        """The value of a mark; None where it is not set."""
        row = self.marks.get(name)
        return self.match_marks.get(name) if row is None else row[seat if len(row) > 1 else 0]

    def keep_mark(self, name: str, seat: int, value: Any) -> Any:
        """Set a mark; tiles by their faces."""
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

    def announce(
        self,
        kind: str,
        seat: int | None = None,
        tiles: Sequence[int] = (),
        detail: Detail = (),
        seen_by: frozenset[int] | None = None,
        just_drawn: bool = False,
    ) -> None:
        """Add an event."""
        if kind == "problem":
            self.problems = (*self.problems, str(dict(detail).get("says", "")))
        if self.listening:
            face = self.program.face
            self.events.append(Event(kind, seat, tuple(face[tile] for tile in tiles), detail, seen_by, just_drawn))

    # --- payments

    def pay(
        self,
        payments: str,
        line: str,
        payer: int,
        payee: int,
        amount: Number,
        settlement: int | None = None,
        account: Account | None = None,
    ) -> None:
        """One seat (or the pot) pays another, within a settlement, so that it can be refunded."""
        for seat, gain in ((payer, -amount), (payee, amount)):
            at = seat if seat >= self.program.count else self.player(seat)
            self.balances[at] = whole(self.balances[at] + gain)
        if settlement is not None:
            self.paid.append(TablePayment(payments, line, payer, payee, amount, settlement))
        if self.listening:
            self.payments.append(MadePayment(payments, line, payer, payee, amount, account))
        names = self.program.names
        detail = (
            ("payments", payments),
            ("line", line),
            ("from", names[payer]),
            ("to", names[payee]),
            ("amount", amount),
        )
        self.announce("pay", payee, (), detail)

    def values_of(self, seat: int) -> Mapping[str, Any]:
        """The measures of a seat's hand."""
        if seat in self.won:
            return self.won[seat].score.values
        if seat >= self.program.count:
            return {}
        if seat not in self.losses:
            self.losses[seat] = self.judging.values(seat)
        return self.losses[seat]

    @property
    def result(self) -> HandResult | None:
        """The last hand that ended."""
        return self.results[-1] if self.results else None

    # --- questions

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to answer, in turn order after the turn."""
        if self.window is None:
            return ()
        open_seats = [seat for seat in self.window.choices if seat not in self.window.answers]
        return tuple(sorted(open_seats, key=self.after_turn)) if len(open_seats) > 1 else tuple(open_seats)

    def question(self, seat: int | str) -> Question | None:
        """What a seat is asked. Raises IllegalMove for a seat that there is not."""
        seat, window = self.seat(seat), self.window
        if window is None or seat not in window.choices or seat in window.answers:
            return None
        choices = window.choices[seat]
        moves = choices.moves()
        if window.may_pass:
            moves.append(Move(seat, PASS))
        name = window.name if window.ask is not None else self.program.asks[window.phase]
        return Question(seat, window.phase, name, tuple(moves), tuple(opened.pick for opened in choices.picks))

    def seat(self, seat: int | str) -> int:
        """The index of a seat given by name or number. Raises IllegalMove."""
        if type(seat) is int and 0 <= seat < self.program.count:
            return seat
        names = self.program.names[:-1]
        if isinstance(seat, str) and seat in names:
            return names.index(seat)
        number = index_of(seat)
        if number is None or not self.is_seat(number):
            raise IllegalMove(f"nobody sits at {seat!r:.40}; seats are {', '.join(names)}, or 0 to {len(names) - 1}")
        return number

    def is_seat(self, seat: int) -> bool:
        return 0 <= seat < self.program.count

    # --- copying

    def copy(self) -> Self:
        """An independent copy of the table."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.judging = self.judge_of(other)
        other.match_marks = dict(self.match_marks)
        other.balances = list(self.balances)
        other.decisions = list(self.decisions)
        other.zones = {zone: [list(row) for row in rows] for zone, rows in self.zones.items()}
        other.where = dict(self.where)
        other.counts = [list(row) for row in self.counts]
        other.keys = list(self.keys)
        other.spreads = [list(row) for row in self.spreads]
        other.marks = {name: list(row) for name, row in self.marks.items()}
        other.answered = {name: list(row) for name, row in self.answered.items()}
        other.dice = dict(self.dice)
        other.drawn, other.fresh = list(self.drawn), list(self.fresh)
        other.discards, other.sideways, other.built = dict(self.discards), set(self.sideways), dict(self.built)
        other.won, other.read_before, other.losses = dict(self.won), dict(self.read_before), {}
        other.won_before, other.closed = dict(self.won_before), list(self.closed)
        other.paid, other.passed_over = list(self.paid), dict(self.passed_over)
        other.payments = list(self.payments)
        other.shown, other.opened, other.coming = dict(self.shown), dict(self.opened), dict(self.coming)
        other.stack = [frame.copy() for frame in self.stack]
        other.events, other.results = list(self.events), list(self.results)
        other.window = None if self.window is None else self.window.copy()
        return other


Operation = Callable[[TableState, Frame], bool | None]  # True: a seat must be asked, or shown something, first


def plain_value(program: Program, type: str, value: Any) -> Any:
    """A value as plain data: tiles as codes, seats by name."""
    if type in ("tile", "tiles"):
        return [program.code[tile] for tile in value]
    if type in ("seat", "seats"):
        return [program.names[seat] for seat in value]
    return list(value) if isinstance(value, tuple) else value
