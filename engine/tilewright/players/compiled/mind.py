"""What players on kernels play at and think with, each as one argument of their kernels. Knows no ruleset."""

from typing import NamedTuple

from tilewright.base.compute.arrays import Array


class KernelGame(NamedTuple):
    """`S`: the state of a machine; `P`, `forms`, `places`: what it reads of the ruleset."""

    S: Array
    P: Array
    forms: Array
    places: Array


class Mind(NamedTuple):
    """`own`, `reals`: the lists that they work in; `known`: what they know of the ruleset; `plans`: by melds; `ways`,
    `rows`, `places`: how far hands are (`hands.distance.flat`); `targets`: those that are nearest; `scoring`:
    what the kernel of scoring takes; `totals`: by number of a worth, what it comes to where it wins, else 0; `judging`,
    `wins`: what tells whether hands win (`play.compiled.judging.kernel`), nothing where that is left to the host."""

    own: Array
    reals: Array
    known: Array
    plans: Array
    ways: Array
    rows: Array
    places: Array
    targets: Array
    scoring: tuple[Array, ...]
    totals: Array
    judging: Array
    wins: Array
