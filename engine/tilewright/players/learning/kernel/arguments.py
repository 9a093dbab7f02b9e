"""What the kernels of tables take: the ruleset, and the tables, each as one argument. Knows no ruleset."""

from typing import NamedTuple

from tilewright.base.kernels import B8, I64, B8x2, F32x2, F64x2, I64x2


class KernelRules(NamedTuple):
    """What kernels know of a ruleset: the image of its play, and its forms; what of it is for learning."""

    P: I64
    forms: I64
    K: I64


class KernelTables(NamedTuple):
    """Tables, by their number. The states of their machines; what is noted of each; the tiles that may be chosen
    together, as bits; the rows that all seats see, as they are told; the scores of seats and the pot, without what the
    states add to them; those of players when points were last told. Then what is told: `Tables`."""

    states: I64x2
    notes: I64x2
    ways: I64x2
    copies: F32x2
    scores: F64x2
    before: F64x2
    observations: F32x2
    masks: B8x2
    players: I64
    rewards: F32x2
    over: B8
