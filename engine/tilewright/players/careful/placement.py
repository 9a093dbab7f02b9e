"""Placement: what the places at the end of a match make of the worth of hands in its last hand. A hand that overtakes
somebody, or that keeps the others behind, is worth more than its points.

Rough on purpose, as `odds` is: only the comparison of two hands matters. Bots and players on kernels compute it by the
same lines. Knows no ruleset."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

from tilewright.base.kernels import kernel

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
