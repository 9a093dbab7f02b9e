"""Odds: how likely a hand is to be won, by its distance, its acceptance and the turns that are left; what the places at
the end of a match make of the worth of hands in its last hand; and the weights by which players judge hands.

Rough on purpose: only the comparison of two hands matters. `chances` has the arithmetic. A hand that overtakes
somebody, or that keeps the others behind, is worth more than its points; bots and players on kernels compute that by
the same lines. The weights are the same for every ruleset: those of the careful player were fitted to games of fast
bots, those of the strong one by duels of its variants. Knows no ruleset.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf
from typing import Any, NamedTuple

from tilewright.base.kernels import kernel
from tilewright.players.bots import chances


class Weights(NamedTuple):
    """What a player counts with: the numbers of the careful one, unless others are given."""

    # How quickly hands come nearer: useful tiles per draw,
    claims: float = 2.1  # if groups may be claimed
    costly: float = 1.55  # if a claim costs something that would count
    draws: float = 1.0  # if none may be
    win: float = 2.8  # and if only the last tile is missing
    later: float = 1.0  # of the usual useful tiles: those of steps before the last two
    set_back: float = 0.6  # the same of a hand that discarded a tile it needs
    ends: float = 0.215  # how likely somebody else wins in each turn, once hands are ready
    share: float = 0.45  # of the turns: after so many they usually are
    # How much effort hands deserve.
    eager: float = 0.7  # a hand of twice the worth deserves 2 ** eager times as much
    most_effort: float = (
        inf  # that the best aim deserves, the usual hand deserving 1: rare hands seem likelier than they are
    )
    winning: float = 0.5  # of the usual worth of hands: the worth of keeping others from winning
    best: float = 8.0  # how much more the best of several prospects counts than the others
    # How much better a move has to be, as a factor:
    better: float = 1.03  # a claim
    no_worse: float = 0.97  # a replacement, which may be worse
    pledged: float = 1.7  # a hand that commits itself
    # Danger.
    again: float = 2.0  # it counts this much more for each missing tile while a seat has declared that it waits
    ready: float = 0.03  # how likely an unknown hand waits for one tile
    with_each_group: float = 0.12  # more, for each group on the table
    late: float = 0.35  # more, at the end of the wall
    hit: float = 0.10  # how likely that is the most useful tile
    thrown: float = 0.25  # the factor if the same seat has discarded it
    earlier: float = 0.5  # the factor if anyone has
    loss: float = 1.0  # of the effort that a hand of the same worth deserves: the cost of dealing into one


CAREFUL = Weights()
STRONG = CAREFUL._replace(
    claims=1.5,
    costly=1.65,
    win=3.2,
    later=0.78,
    set_back=0.37,
    eager=0.82,
    most_effort=8.0,
    better=1.24,
    pledged=1.17,
    again=1.65,
    loss=0.45,
)


@dataclass(frozen=True, slots=True)
class TurnsLeft:
    """Turns that every seat has had, and may still have. `threat`: some other seat has declared that it waits."""

    gone: int
    left: int
    threat: bool = False


def prospect(distance: int, acceptance: float, unseen: int, clock: TurnsLeft, claims: float, weights: Weights) -> float:
    """How likely a hand is to be won with this many useful unseen tiles now, and usually fewer later; `claims`: useful
    tiles per draw."""
    if not distance:
        return 1.0
    if acceptance <= 0:
        return 0.0
    paces = [0.0] * distance
    chances.set_paces(paces, 0, distance, acceptance, unseen, claims, weights.win, weights.later)
    return likely(tuple(paces), clock, weights)


@lru_cache(maxsize=50_000)
def prospect_of_listed(
    missing: int, live: int, unseen: int, clock: TurnsLeft, claims: float, weights: Weights
) -> float:
    """How likely a certain hand is to be made: each useful tile drawn leaves fewer of them."""
    if not missing:
        return 1.0
    steps = (live * step / missing for step in range(1, missing + 1))
    pace = chances.pace
    paces = [pace(step, tiles, unseen, claims, weights.win) for step, tiles in enumerate(steps, 1)]
    return likely(tuple(paces), clock, weights)


def usual(distance: int) -> int:
    """How many tiles usually bring a hand of this distance nearer."""
    return chances.usual(distance)


@lru_cache(maxsize=50_000)
def likely(paces: tuple[float, ...], clock: TurnsLeft, weights: Weights) -> float:
    """How likely all steps are completed, the first of `paces` last, before the turns are over or somebody else
    wins."""
    still_open, steps = still_open_of(clock, weights), len(paces)
    values = [*still_open, *paces, *(0.0 for _ in range(steps + 1))]
    turns = len(still_open)
    return chances.completed(values, 0, turns, turns, steps, turns + steps)


@lru_cache(maxsize=500)
def still_open_of(clock: TurnsLeft, weights: Weights) -> tuple[float, ...]:
    """How likely nobody else has won by each turn that is left."""
    values = [0.0] * (clock.left + 1)
    chances.set_open(values, 0, clock.gone, clock.left, clock.threat, weights.ends, weights.share)
    return tuple(values)


def appeal(worth: float, weights: Weights) -> float:
    """How much effort a hand of this worth deserves."""
    return chances.appeal(worth, weights.eager)


def together(values: Sequence[float], best: float) -> float:
    """Several prospects of one hand combined: slightly more than the best one."""
    return chances.together(values, 0, len(values), best)


def added(numbers: Iterable[float]) -> float:
    """The sum, rounded after each number, as kernels do it (`sum` rounds less often from Python 3.12 on)."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def mean(numbers: Sequence[float]) -> float:
    return added(numbers) / len(numbers) if numbers else 0.0


MOST_OTHERS = 5
# What a player knows of its match, as numbers: how many others there are, 0 where places do not count; what a winner
# gains for each point of a hand; how far two scores usually drift apart in a hand; the bonus to expect before it ends;
# by how much the player leads each of the others; what counts of the bonus of each place.
OTHERS, GAIN, DRIFT, EXPECTED, LEADS = range(5)
BONUSES = LEADS + MOST_OTHERS
NUMBERS = BONUSES + MOST_OTHERS + 1
SHARE = 0.3  # of the bonuses that counts: for more, players hope for hands that are too rare
DRIFTS = 1.1  # as far as so many usual hands pay
SETTLED = 0.1  # of that drift: what small payments may still change after a hand was won
SURE = 50.0  # drifts behind: no chance; more would be too much for `exp`


@dataclass(frozen=True)
class Placement:
    """The places at the end of a match. `bonuses`: in points, that of the first place first; `hands`: how many hands
    there are; `dealer_stays`: a dealer that wins deals again; `gain`: what a winner gets for each point of a hand;
    `usual`: the worth of the usual hand."""

    bonuses: tuple[float, ...]
    hands: int
    dealer_stays: bool
    gain: float
    usual: float

    def counts(self, played: int, seat: int) -> bool:
        """Whether places count for a seat, the dealer's being 0, in the hand after so many that were `played`: if the
        match ends with the hand that the seat wins."""
        return played >= self.hands - 1 and (seat > 0 or not self.dealer_stays)

    @property
    def numbers(self) -> list[float]:
        """What a player knows of its match, but for its leads."""
        known = [0.0] * NUMBERS
        known[OTHERS], known[GAIN], known[DRIFT] = len(self.bonuses) - 1.0, self.gain, DRIFTS * self.usual * self.gain
        known[BONUSES : BONUSES + len(self.bonuses)] = [SHARE * bonus for bonus in self.bonuses]
        return known

    def known(self, leads: Sequence[float]) -> list[float]:
        """What a player knows with these leads over each of the others."""
        known = self.numbers
        known[LEADS : LEADS + len(leads)] = leads
        known[EXPECTED] = expected(known, 0, 0.0, known[DRIFT])
        return known


@kernel
def expected(values: Any, first: int, more: float, drift: float) -> float:
    """The bonus to expect if the player leads each of the others by so much `more`, and scores still drift."""
    others, ahead = int(values[first + OTHERS]), 0.0
    for other in range(others):
        ahead += 1.0 / (1.0 + exp(min(SURE, (values[first + LEADS + other] + more) / drift)))
    place = min(int(ahead), others - 1)
    bonus, next_bonus = values[first + BONUSES + place], values[first + BONUSES + place + 1]
    return float(bonus + (ahead - place) * (next_bonus - bonus))


@kernel
def worth_placed(values: Any, first: int, worth: float) -> float:
    """What winning a hand of this worth is worth, with what it makes of the places; the others pay for it in equal
    parts. What does not win is worth nothing there, too."""
    if values[first + OTHERS] == 0.0 or worth <= 0.0:
        return worth
    gain = values[first + GAIN]
    more = worth * gain * (1.0 + 1.0 / values[first + OTHERS])
    after = expected(values, first, more, SETTLED * values[first + DRIFT])
    return float(max(0.0, worth + (after - values[first + EXPECTED]) / gain))


@kernel
def loss_placed(values: Any, first: int, worth: float) -> float:
    """What losing so much costs, with what it makes of the places."""
    if values[first + OTHERS] == 0.0:
        return worth
    gain = values[first + GAIN]
    after = expected(values, first, -worth * gain, SETTLED * values[first + DRIFT])
    return float(max(0.0, worth + (values[first + EXPECTED] - after) / gain))
