"""The data of play: what a seat is asked and may answer, melds and discards, what happened in which order, how hands
came out. Frozen; knows no table.

What is chosen is text, the same for a log, a person and a bot of another program:

    tiles   codes with spaces, as `5m 5m J`; a tile for which more than one place is asked about has its place: `J@S` in
            that zone of seat S, `J@S.2` in its second meld
    group   its tiles, a wild one with what it stands for: `3m 4m 5m`, `5m 5m J=5m`
    number  `2`        seat  `S`        suit  `circles`        flag  `yes`, `no`

A tile that is not public is shown to the seats in `seen_by`; everything else about an event is public, except what its
declaration in KINDS calls hidden or secret. The order of the log and the text of an event also follow from that
declaration (presentation/events.py, with the message `events.KIND` of the catalogue).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from typing import Any, Literal, Self

from tilewright.base.arguments import index_of
from tilewright.hands.reading import Hand
from tilewright.play.chance import FairDeal
from tilewright.scoring.payments import Account
from tilewright.scoring.plain.judge import Verdict
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.score import Score

Text = Mapping[str, str]
Chosen = tuple[tuple[str, str], ...]  # (name of the choice, what is chosen), in the order of the offer
PASS = "pass"
ANSWER = "answer"  # what a seat does when a step, not a phase, asks it


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat (from the dealer) answers: an offer, `pass` or `answer`, with what it chooses."""

    seat: int
    does: str
    choice: Chosen = ()

    def chosen(self, name: str) -> str:
        """What is chosen under a name; empty if nothing is."""
        return dict(self.choice).get(name, "")


@dataclass(frozen=True, slots=True)
class Pick:
    """A choice of several tiles, described instead of listed: `least` to `most` of `tiles` (texts, identical ones as
    often as they are there) under `name`, after what is chosen `before`. `asks`: a condition applies to the whole
    choice."""

    does: str
    name: str
    least: int
    most: int
    tiles: tuple[str, ...]
    before: Chosen = ()
    asks: bool = False

    def numbers_of(self, move: Move) -> list[int] | None:
        """Which of the tiles a move chooses; None where it is no such choice."""
        if move.does != self.does or move.choice[:-1] != self.before or move.choice[-1:] == ():
            return None
        (name, text), found = move.choice[-1], list[int]()
        for tile in text.split() if name == self.name else [""]:
            free = (one for one, other in enumerate(self.tiles) if other == tile and one not in found)
            found.append(next(free, -1))
        return None if -1 in found else found

    def move(self, seat: int, tiles: "tuple[str, ...] | list[str]") -> Move:
        """The move that chooses these tiles."""
        order = {text: number for number, text in enumerate(self.tiles)}
        return Move(seat, self.does, (*self.before, (self.name, " ".join(sorted(tiles, key=lambda t: order[t])))))


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move that a player may expect but that is not allowed: the offer, the choice, and why not. Where several
    `choices` are refused for one reason, `choice` is empty."""

    does: str
    choice: Chosen
    reason: Text
    choices: tuple[Chosen, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """What a seat is asked. `name`: its name at the table; `moves`: every complete answer that is listed, with `pass`
    last if the seat may pass; `picks`: answers of several tiles."""

    seat: int
    phase: str
    name: Text
    moves: tuple[Move, ...]
    picks: tuple[Pick, ...] = ()

    def number_of(self, move: Move) -> int:
        """The number of an answer: its place among the listed moves; for a choice of several tiles, more. Raises
        ValueError for one that is neither."""
        if move in self.moves:
            return self.moves.index(move)
        for place, pick in enumerate(self.picks):
            if (chosen := pick.numbers_of(move)) is not None:
                return len(self.moves) + place + len(self.picks) * sum(1 << one for one in chosen)
        raise ValueError(f"{move} is no answer to {self}")

    def move_of(self, number: int) -> Move:
        """The answer of a number. Raises ValueError where there is none."""
        if 0 <= number < len(self.moves):
            return self.moves[number]
        if number < 0 or not self.picks:
            raise ValueError(f"no answer to {self} has the number {number}")
        chosen, place = divmod(number - len(self.moves), len(self.picks))
        pick = self.picks[place]
        return pick.move(self.seat, [tile for one, tile in enumerate(pick.tiles) if chosen >> one & 1])

    def __repr__(self) -> str:
        counts = f"{len(self.moves)} moves, {len(self.picks)} picks"
        offers = ", ".join(dict.fromkeys([*(one.does for one in self.picks), *(move.does for move in self.moves)]))
        return f"Question(seat={self.seat}, phase={self.phase!r}, {counts}: {offers})"


class IllegalMove(ValueError):
    """The seat may not make this move now; the message says why, `reason` in every language."""

    def __init__(self, message: str, reason: Text | None = None) -> None:
        self.reason: Text = reason or {"en": message}
        super().__init__(message)


def question_json(question: Question, allowed: Callable[[Pick], tuple[Sequence[Move], bool]]) -> dict[str, Any]:
    """A question as plain data; `allowed`: moves of a described choice, and whether those are all."""
    return {
        "phase": question.phase,
        "name": dict(question.name),
        "moves": [move_json(move) for move in question.moves],
        "picks": [
            {
                "move": pick.does,
                **dict(pick.before),
                "choose": pick.name,
                "least": pick.least,
                "most": pick.most,
                "tiles": list(pick.tiles),
                **(allowed_json(pick, *allowed(pick)) if pick.asks else {}),
            }
            for pick in question.picks
        ],
    }


def allowed_json(pick: Pick, moves: Sequence[Move], are_all: bool) -> dict[str, Any]:
    """What may be chosen if a condition applies to the tiles together; `more`: there may be others."""
    texts = [move.chosen(pick.name) for move in moves]
    return {"allowed": texts} if are_all else {"allowed": texts, "more": True}


def refusal_json(refusal: Refusal) -> dict[str, Any]:
    """A refusal as plain data; if several choices are refused for one reason, each of them."""
    found: dict[str, Any] = {"move": refusal.does, **dict(refusal.choice), "reason": dict(refusal.reason)}
    return found | ({"choices": [dict(choice) for choice in refusal.choices]} if len(refusal.choices) > 1 else {})


def move_json(move: Move) -> dict[str, str]:
    """A move as plain data."""
    return {"move": move.does, **dict(move.choice)}


ZonePlace = tuple[str, int]  # a zone and its owner (0 for one of the table)
NOWHERE: ZonePlace = ("", 0)


@dataclass(frozen=True, slots=True)
class TableMeld:
    """A group on the table. `tiles` are tiles of the table; `wild`: which of them stand for which plain tile;
    `claimed`: the tile that came from another seat, `discarder`; `seen_by`: who sees the tiles, None: who sees the
    zone; `hand`: the hand of its owner that it belongs to, from 1."""

    owner: int
    group: int
    tiles: tuple[int, ...]
    exposed: bool = True
    wild: tuple[tuple[int, int], ...] = ()
    discarder: int | None = None
    claimed: int | None = None
    seen_by: frozenset[int] | None = None
    hand: int = 1

    @property
    def melded(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class TableDiscard:
    """A tile that has come to where others may claim it. `seat`: who discarded it, `spot`: where to; `just_drawn`: it
    was the last thing that its seat drew, and nothing else came to the hand or left it in between."""

    seat: int
    spot: ZonePlace
    just_drawn: bool


@dataclass(frozen=True, slots=True)
class SeenMeld:
    """A group on the table as a seat sees it. Faces; None where a tile is hidden. `group`: its index in Groups, `wild`:
    pairs of a wild face and what it stands for, `claimed`: the index of the tile that came from the discarder,
    `hand`: the hand of its seat that it belongs to, from 1."""

    group: int | None
    tiles: tuple[int | None, ...]
    exposed: bool
    wild: tuple[tuple[int, int], ...] = ()
    discarder: int | None = None
    claimed: int | None = None
    hand: int = 1


@dataclass(frozen=True, slots=True)
class SeenDiscard:
    """A tile that a seat has discarded in this hand, as a seat sees it. `tile`: its face, None where it is hidden;
    `just_drawn`: it was drawn and discarded at once (tsumogiri), not from the hand; `sideways`: it was turned, as the
    discard that declares riichi; `lies`: its zone, whose that is (0: the table's) and its index there; None once it is
    claimed."""

    seat: int
    tile: int | None
    just_drawn: bool
    sideways: bool
    lies: tuple[str, int, int] | None


Number = int | Fraction
Detail = tuple[tuple[str, Any], ...]
Seers = frozenset[int] | None  # seats that see something; None: everyone, spectators too


@dataclass(frozen=True, slots=True)
class Event:
    """`kind`: one of KINDS, or another step of play. `seat` did it or is affected. `tiles` are faces; `detail` is plain
    data by name, as the kind declares it. `seen_by`: who sees the tiles and the details called secret; None: everyone.
    `just_drawn`: the tile leaves the hand that has just drawn it; it follows from the events before, and is not logged.
    """

    kind: str
    seat: int | None = None
    tiles: tuple[int, ...] = ()
    detail: Detail = ()
    seen_by: Seers = None
    just_drawn: bool = False

    def get(self, name: str) -> Any:
        """The detail of this name; None if there is none."""
        return dict(self.detail).get(name)


# --- kinds

DetailType = Literal[
    "text",
    "number",
    "truth",
    "values",  # plain data of any shape
    "seat",
    "seats",
    "tiles",
    "place",  # ZONE, or ZONE@SEAT
    "places",
    "names",  # by language
    "answers",  # moves by seat
    "zone",
    "offer",
    "mark",
    "phase",
    "measure",
]


@dataclass(frozen=True, slots=True)
class EventKind:
    """What an event of a kind holds. `detail`: each detail, in the order of the log, with its type; `secret`: details
    for those who see the tiles; `hidden`: the whole event is for them; `routine`: everybody knows it anyway, so only a
    record shows it; `sound`: the sound it makes at a table."""

    name: str
    detail: Mapping[str, DetailType] = field(default_factory=dict)
    secret: frozenset[str] = frozenset()
    hidden: bool = False
    routine: bool = False
    sound: str = ""


ANSWERS = "answers"  # the kind that holds the answers, from which a log is replayed
KINDS: Mapping[str, EventKind] = {
    kind.name: kind
    for kind in (
        EventKind(
            "hand",
            {"number": "number", "round": "number", "dealership": "number", "players": "values", "scores": "values"},
            sound="deal",
        ),
        EventKind("deal_hash", {"hash": "text"}, routine=True),
        EventKind("deal_seed", {"seed": "text", "salt": "text"}, routine=True),
        EventKind("shuffle", {"zone": "zone", "tiles": "number"}, routine=True),
        EventKind("wall", {"wall": "values"}, hidden=True, routine=True),
        EventKind("layout", routine=True),
        EventKind(ANSWERS, {"to": "phase", "answers": "answers"}, hidden=True, routine=True),
        EventKind("take", {"offer": "offer"}),
        EventKind("draw", {"from": "place", "to": "place", "count": "number"}, sound="draw"),
        EventKind("move", {"from": "place", "to": "place", "count": "number"}, sound="discard"),
        EventKind("swap", {"places": "places"}, sound="claim"),
        EventKind(
            "meld",
            {"exposed": "truth", "stands_for": "tiles", "hand": "number"},
            secret=frozenset({"stands_for"}),
            sound="claim",
        ),
        EventKind("reveal"),
        EventKind("mark", {"name": "mark", "value": "values"}, hidden=True),
        EventKind("roll", {"name": "mark", "value": "values"}, hidden=True),
        EventKind("told", {"name": "names", "answers": "answers"}),
        EventKind("retire"),
        EventKind("finish", {"hand": "number"}),
        EventKind(
            "declare",
            {
                "self_draw": "truth",
                "discarder": "seat",
                "hand": "number",
                "total": "number",
                "unit": "measure",
                "values": "values",
                "patterns": "values",
                "reading": "values",
                "form": "text",
                "line": "text",
                "group": "text",
            },
            sound="win",
        ),
        EventKind(
            "pay",
            {"payments": "text", "line": "text", "from": "seat", "to": "seat", "amount": "number"},
        ),
        EventKind("problem", {"says": "text"}),
        EventKind("result", {"ended": "phase", "winners": "seats", "gains": "values"}, sound="over"),
        EventKind("over", {"scores": "values", "placement": "values"}, sound="over"),
    )
}


STEP = EventKind(  # a step without a kind of its own: any detail of steps
    "step",
    {
        "from": "place",
        "to": "place",
        "count": "number",
        "zone": "zone",
        "places": "places",
        "exposed": "truth",
        "stands_for": "tiles",
        "name": "mark",
        "value": "values",
    },
    secret=frozenset({"stands_for", "name", "value"}),
)


def kind_of(event: Event) -> EventKind:
    """What events of a kind hold."""
    return KINDS.get(event.kind, STEP)


@dataclass(frozen=True, slots=True)
class Won:
    """A hand that was declared: what it is, its score, and what finds the scene of its reading. `tile` is a tile of the
    table; `short`: a measure below the minimum, its value and the value needed; `hand`: its number among the hands of
    the seat, from 1, and `laid`: the tiles of the table that it is besides its melds, if the seat makes several."""

    seat: int
    situation: Situation = field(repr=False)
    score: Score
    read: Callable[[], HandScene] = field(repr=False, compare=False)
    tile: int | None
    short: tuple[str, Number, Number] | None = None
    hand: int = 1
    laid: tuple[int, ...] = ()

    @property
    def scene(self) -> HandScene:
        """The scene of its reading; few look at it."""
        return self.read()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with the rules by which it is read again."""
        rules = ScoringRules(self.scene.data)
        return won_by, (rules, self.seat, self.situation, self.score, self.tile, self.short, self.hand, self.laid)

    def __deepcopy__(self, memo: object) -> Self:
        return self  # it never changes


def won_by(
    rules: ScoringRules,
    seat: int,
    situation: Situation,
    score: Score,
    tile: int | None,
    short: tuple[str, Number, Number] | None = None,
    hand: int = 1,
    laid: tuple[int, ...] = (),
) -> Won:
    """A hand that was declared under these rules; how it is read is found when that is asked for."""
    return Won(seat, situation, score, cache(partial(scene_of, rules, situation)), tile, short, hand, laid)


def scene_of(rules: ScoringRules, situation: Situation) -> HandScene:
    """The scene of the best reading of a hand that has one."""
    best = rules.judge.best_with_scene(situation)
    assert best is not None
    return best[1]()


@dataclass(frozen=True, slots=True)
class TablePayment:
    """A payment that was made in this hand. `settlement`: a number shared by payments that were made together."""

    payments: str
    line: str
    payer: int
    payee: int
    amount: Number
    settlement: int


@dataclass(frozen=True, slots=True)
class MadePayment:
    """A payment as it was made, in order, refunds too; `account`: how it came about, unless it is a refund."""

    payments: str
    line: str
    payer: int
    payee: int
    amount: Number
    account: Account | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class LeftHand:
    """The hand of a seat that did not win, as it was left. `shown`: everyone has seen its tiles; `hidden_melds`: the
    groups on the table that not everyone has; `verdict`: what it counts, where hands that did not win count."""

    seat: int
    hand: Hand = field(repr=False)
    shown: bool
    hidden_melds: frozenset[int] = frozenset()
    verdict: Verdict | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class HandResult:
    """A hand that has ended. `hand` and `round` count from 1; `ended`: the phase that led to the end; `won`: who won,
    in order; `player_gains`: of each player; `scores`: of each player, after the hand; `draws`: tiles drawn;
    `answers`: questions answered; `dealer`: a player; `places`: the players round the table, from the first dealer of
    the round on; `deal`: with its seed, if it was fair; `dealership`: how often the deal has passed in the round, from
    1. Of a game that keeps events, also `payments`, the hands `left`, the `marks` of the match when the hand began,
    and what was in the `pot` before it was paid out."""

    hand: int
    ended: str
    won: tuple[Won, ...]
    player_gains: tuple[Number, ...]
    scores: tuple[Number, ...]
    dealer: int
    draws: int
    answers: int
    places: tuple[int, ...]
    problems: tuple[str, ...] = ()
    round: int = 1
    deal: FairDeal | None = None
    payments: tuple[MadePayment, ...] = ()
    left: tuple[LeftHand, ...] = ()
    dealership: int = 1
    marks: Mapping[str, Any] = field(default_factory=dict, hash=False)
    pot: Number = 0

    @property
    def seat_gains(self) -> tuple[Number, ...]:
        """The gains by seat, the dealer of this hand first."""
        return tuple(self.player_gains[self.player(seat)] for seat in range(len(self.places)))

    def player(self, seat: int) -> int:
        """The player that sat there. Raises IllegalMove for a seat that there is not, which is a number here."""
        if index_of(seat) not in range(len(self.places)):
            raise IllegalMove(f"nobody sat at {seat!r:.40}; seats are 0 to {len(self.places) - 1}")
        return self.places[(self.places.index(self.dealer) + seat) % len(self.places)]
