"""The arithmetic of `odds`, as kernels: players on kernels and the bots compute their chances by the same lines, so
that they make the same moves.

Rough on purpose: only the comparison of two hands matters. `weights` says what the names mean that are alike. Knows no
ruleset.
"""

from math import exp, floor, sqrt
from typing import Any

from tilewright.base.kernels import kernel

USUAL = (0, 4, 15, 25, 36, 48, 56, 60, 64, 68)  # tiles that bring a hand nearer, by its distance
NEAR = 2  # steps at the end, for which as many tiles are useful as usual


@kernel
def usual(distance: int) -> int:
    """How many tiles usually bring a hand of this distance nearer."""
    return USUAL[min(distance, len(USUAL) - 1)]


@kernel
def pace(step: int, tiles: float, unseen: int, claims: float, win: float) -> float:
    """How likely a turn is to bring a hand nearer, rounded to hundredths."""
    times = win if step == 1 else claims
    return floor(100.0 * (1.0 - exp(-times * tiles / max(1, unseen))) + 0.5) / 100.0


@kernel
def set_paces(
    values: Any, first: int, distance: int, acceptance: float, unseen: int, claims: float, win: float, later: float
) -> None:
    """The pace of each step from this place on, the last step first: with this many useful tiles now, and usually
    fewer later. A hand with fewer useful tiles now has fewer later, too: half of them, by the square root of a half."""
    narrow = sqrt(min(1.0, acceptance / usual(distance)))
    for step in range(1, distance):
        tiles = usual(step) * narrow
        values[first + step - 1] = pace(step, tiles if step <= NEAR else tiles * later, unseen, claims, win)
    values[first + distance - 1] = pace(distance, acceptance, unseen, claims, win)


@kernel
def set_open(values: Any, first: int, gone: int, left: int, threat: bool, ends: float, share: float) -> None:
    """How likely nobody else has won by each turn that is left, from this place on."""
    ready = float(gone) if threat else share * (gone + left)
    still = 1.0
    for turn in range(left + 1):
        still *= 1.0 - ends / (1.0 + exp(ready - (gone + turn)))
        values[first + turn] = still


@kernel
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


@kernel
def faded(number: Any) -> Any:
    """The exponential of this number below 0, roughly, of one or of an array: the same on every processor."""
    found = 1.0 - number / 1024.0
    for _ in range(10):
        found = found * found
    return found


@kernel
def appeal(worth: float, eager: float) -> float:
    """How much effort a hand of this worth deserves."""
    return worth**eager if worth > 0.0 else 0.0


@kernel
def together(values: Any, first: int, count: int, best: float) -> float:
    """Several prospects of one hand combined: slightly more than the best one."""
    found = 0.0
    for number in range(count):
        found += values[first + number] ** best
    return float(found ** (1.0 / best))
