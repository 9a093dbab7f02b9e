"""What players on kernels play at and think with, each as one argument of their kernels. Knows no ruleset."""

from typing import NamedTuple

from tilewright.base.compute.kernels import B8, F64, I32, I64, U8
from tilewright.scoring.kernel.arguments import LoneArrays


class KernelGame(NamedTuple):
    """`S`: the state of a machine; `P`, `forms`, `places`: what it reads of the ruleset."""

    S: I64
    P: I64
    forms: I64
    places: I32


class Mind(NamedTuple):
    """`own`, `reals`: the lists that they work in; `known`: what they know of the ruleset; `plans`: by melds; `ways`,
    `rows`, `places`: how far hands are (`hands.distance.flat`); `targets`: those that are nearest; `scoring`:
    what the kernel of scoring takes; `totals`: by number of a worth, what it comes to where it wins, else 0; `judging`,
    `wins`: what tells whether hands win (`play.compiled.judging.kernel`), nothing where that is left to the host."""

    own: I64
    reals: F64
    known: I64
    plans: I64
    ways: I64
    rows: U8
    places: I32
    targets: I64
    scoring: LoneArrays
    totals: F64
    judging: I64
    wins: B8
