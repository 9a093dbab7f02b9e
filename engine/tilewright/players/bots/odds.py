"""Chances: how likely a hand is to be won, estimated from its distance, its acceptance and the turns that are left.

The constants were fitted to games of fast bots. Rough on purpose: only the comparison of two hands matters. Knows no
ruleset.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp

USUAL = (0, 4, 15, 25, 36, 48, 56, 60, 64, 68)  # tiles that bring a hand nearer, by its distance
NARROW = 0.5  # a hand with fewer useful tiles now will have fewer later: half of them, by the square root of a half
CLAIMS = 2.1  # useful tiles per draw, if groups may be claimed
COSTLY = 1.4  # if a claim costs something that would count
DRAWS = 1.0  # if none may be
WIN = 2.8  # and if only the last tile is missing
ENDS = 0.215  # how likely somebody else wins in each turn, once hands are ready
READY = 0.45  # the share of turns after which they usually are
EAGER = 0.7  # a hand of twice the worth is worth so much more effort: 2 ** 0.7 times
BEST = 8.0  # how much more the best of several prospects counts than the others
WINNING = 0.5  # of the usual worth of hands: the worth of keeping others from winning


@dataclass(frozen=True, slots=True)
class TurnsLeft:
    """Turns that every seat has had, and may still have. `threat`: some other seat has declared that it waits."""

    gone: int
    left: int
    threat: bool = False


def prospect(distance: int, acceptance: float, unseen: int, clock: TurnsLeft, claims: float = CLAIMS) -> float:
    """How likely a hand is to be won with this many useful unseen tiles now, and usually fewer later;
    `claims`: as above."""
    if not distance:
        return 1.0
    if acceptance <= 0:
        return 0.0
    narrow = min(1.0, acceptance / usual(distance)) ** NARROW
    steps = [usual(step) * narrow for step in range(1, distance)] + [acceptance]
    return likely(tuple([pace(step, tiles, unseen, claims) for step, tiles in enumerate(steps, 1)]), clock)


def prospect_of_listed(missing: int, live: int, unseen: int, clock: TurnsLeft, claims: float = CLAIMS) -> float:
    """How likely a certain hand is to be made: each useful tile drawn leaves fewer of them."""
    if not missing:
        return 1.0
    steps = (live * step / missing for step in range(1, missing + 1))
    return likely(tuple([pace(step, tiles, unseen, claims) for step, tiles in enumerate(steps, 1)]), clock)


def usual(distance: int) -> int:
    """How many tiles usually bring a hand of this distance nearer."""
    return USUAL[min(distance, len(USUAL) - 1)]


def pace(step: int, tiles: float, unseen: int, claims: float) -> float:
    """How likely a turn is to bring a hand nearer, rounded to hundredths for caching."""
    times = WIN if step == 1 else claims
    return round(1 - exp(-times * tiles / max(1, unseen)), 2)


@lru_cache(maxsize=50_000)
def likely(paces: tuple[float, ...], clock: TurnsLeft) -> float:
    """How likely all steps are completed, the first of `paces` last, before the turns are over or somebody else
    wins."""
    at = [0.0] * len(paces) + [1.0]  # how likely the hand is to be this far away
    ready = clock.gone if clock.threat else READY * (clock.gone + clock.left)
    alive = 1.0
    for turn in range(clock.gone, clock.gone + clock.left + 1):
        alive *= 1 - ENDS / (1 + exp(ready - turn))
        for step, one in enumerate(paces):
            moved = at[step + 1] * one * (alive if not step else 1.0)
            at[step] += moved
            at[step + 1] *= 1 - one
    return at[0]


def appeal(worth: float) -> float:
    """How much effort a hand of this worth deserves."""
    return worth**EAGER if worth > 0 else 0.0


def together(values: Sequence[float], best: float = BEST) -> float:
    """Several prospects of one hand combined: slightly more than the best one."""
    return float(sum([value**best for value in values]) ** (1 / best))
