"""Chances: how likely a hand is to be won in the turns that are left, estimated from its distance and acceptance.

Rough on purpose: what counts is which of two hands is likelier. Knows no ruleset.
"""

from collections.abc import Sequence
from math import exp

USUAL = (0, 6, 14, 24, 36, 48)  # tiles that bring a hand nearer, by its distance
CLAIMS = 1.5  # as many tiles of use as one draws, where groups may be claimed
WIN = 2.5  # and where the last tile is waited for
EAGER = 0.7  # a hand of twice the worth is worth so much more effort: 2 ** 0.7 times
ENDS = 0.12  # how likely it is in each turn that somebody else wins
WINNING = 0.5  # of what hands are mostly worth: what it is worth that nobody else wins


def turns(distance: int, acceptance: float, unseen: int, open_hand: bool = True) -> float:
    """How many turns a hand takes to be won. `acceptance`: how many of the unseen tiles bring it nearer now."""
    if not distance:
        return 0.0
    if acceptance <= 0:
        return float("inf")
    total = unseen / (acceptance * rate(distance, open_hand))
    for step in range(1, distance):
        total += unseen / (min(acceptance, usual(step)) * rate(step, open_hand))
    return total


def rate(step: int, open_hand: bool) -> float:
    return WIN if step == 1 else CLAIMS if open_hand else 1.0


def usual(distance: int) -> int:
    """How many tiles mostly bring a hand of this distance nearer."""
    return USUAL[min(distance, len(USUAL) - 1)]


def chance(distance: int, needed: float, left: float) -> float:
    """How likely it is that so many steps, which take so many turns together, are made in the turns that are left, and
    before anybody else wins."""
    pace = distance / needed if needed else float("inf")
    first = (pace / (pace + ENDS)) ** distance if needed else 1.0
    steps = left * (pace + ENDS)
    if steps > 50:
        return first
    missed, term = 0.0, exp(-steps)
    for step in range(distance):
        missed += term
        term *= steps / (step + 1)
    return first * max(0.0, 1.0 - missed)


def prospect(distance: int, acceptance: float, unseen: int, left: float, open_hand: bool = True) -> float:
    """How likely a hand is to be won."""
    return chance(distance, turns(distance, acceptance, unseen, open_hand), left) if distance else 1.0


def appeal(worth: float) -> float:
    """How much effort a hand of this worth deserves."""
    return worth**EAGER if worth > 0 else 0.0


def together(values: Sequence[float]) -> float:
    """Several prospects of one hand as one: hardly more than the best, but more if there are others."""
    return float(sum([value**3 for value in values]) ** (1 / 3))
