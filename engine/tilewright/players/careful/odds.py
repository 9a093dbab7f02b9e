"""Chances: how likely a hand is to be won, estimated from its distance, its acceptance and the turns that are left.

Rough on purpose: only the comparison of two hands matters. `chances` has the arithmetic. Knows no ruleset.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tilewright.players.careful import chances
from tilewright.players.careful.weights import Weights


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
