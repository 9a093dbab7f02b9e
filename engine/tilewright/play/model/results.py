"""Results: the outcome of a hand: who won it, what was paid, how it ended. Frozen data; knows no table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from typing import Any, Self

from tilewright.base.arguments import index_of
from tilewright.hands.reading import Hand
from tilewright.play.model.deals import FairDeal
from tilewright.play.model.moves import IllegalMove
from tilewright.scoring.payments.accounts import Account
from tilewright.scoring.plain.judge import Verdict
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.score import Score

Number = int | Fraction


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
