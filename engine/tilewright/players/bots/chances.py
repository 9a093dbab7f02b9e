"""The arithmetic of `odds`, as kernels: players on kernels and the bots compute their chances by the same lines, so
that they make the same moves.

The constants were fitted to games of fast bots. Rough on purpose: only the comparison of two hands matters. Knows no
ruleset."""

from math import exp, floor, sqrt
from typing import Any

from tilewright.base.compute.kernels import loop_kernel

USUAL = (0, 4, 15, 25, 36, 48, 56, 60, 64, 68)  # tiles that bring a hand nearer, by its distance
CLAIMS = 2.1  # useful tiles per draw, if groups may be claimed
COSTLY = 1.4  # if a claim costs something that would count
DRAWS = 1.0  # if none may be
WIN = 2.8  # and if only the last tile is missing
ENDS = 0.215  # how likely somebody else wins in each turn, once hands are ready
READY = 0.45  # the share of turns after which they usually are
EAGER = 0.7  # a hand of twice the worth is worth so much more effort: 2 ** 0.7 times
BEST = 8.0  # how much more the best of several prospects counts than the others
WINNING = 0.5  # of the usual worth of hands: the worth of keeping others from winning


@loop_kernel
def usual(distance: int) -> int:
    """How many tiles usually bring a hand of this distance nearer."""
    return USUAL[min(distance, len(USUAL) - 1)]


@loop_kernel
def pace(step: int, tiles: float, unseen: int, claims: float) -> float:
    """How likely a turn is to bring a hand nearer, rounded to hundredths."""
    times = WIN if step == 1 else claims
    return floor(100.0 * (1.0 - exp(-times * tiles / max(1, unseen))) + 0.5) / 100.0


@loop_kernel
def set_paces(values: Any, first: int, distance: int, acceptance: float, unseen: int, claims: float) -> None:
    """The pace of each step from this place on, the last step first: with this many useful tiles now, and usually
    fewer later. A hand with fewer useful tiles now has fewer later, too: half of them, by the square root of a half."""
    narrow = sqrt(min(1.0, acceptance / usual(distance)))
    for step in range(1, distance):
        values[first + step - 1] = pace(step, usual(step) * narrow, unseen, claims)
    values[first + distance - 1] = pace(distance, acceptance, unseen, claims)


@loop_kernel
def set_open(values: Any, first: int, gone: int, left: int, threat: bool) -> None:
    """How likely nobody else has won by each turn that is left, from this place on."""
    ready = float(gone) if threat else READY * (gone + left)
    still = 1.0
    for turn in range(left + 1):
        still *= 1.0 - ENDS / (1.0 + exp(ready - (gone + turn)))
        values[first + turn] = still


@loop_kernel
def completed(values: Any, still_open: int, turns: int, paces: int, steps: int, at: int) -> float:
    """How likely all steps are completed before the turns are over or somebody else wins; `at`: where to work."""
    for step in range(steps):
        values[at + step] = 0.0
    values[at + steps] = 1.0  # how likely the hand is to be this far away
    for turn in range(turns):
        for step in range(steps):
            moved = values[at + step + 1] * values[paces + step]
            if step == 0:
                moved *= values[still_open + turn]
            values[at + step] += moved
            values[at + step + 1] *= 1.0 - values[paces + step]
    return float(values[at])


@loop_kernel
def appeal(worth: float) -> float:
    """How much effort a hand of this worth deserves."""
    return worth**EAGER if worth > 0.0 else 0.0


@loop_kernel
def together(values: Any, first: int, count: int, best: float) -> float:
    """Several prospects of one hand combined: slightly more than the best one."""
    found = 0.0
    for number in range(count):
        found += values[first + number] ** best
    return float(found ** (1.0 / best))
