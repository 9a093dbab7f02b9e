"""What the kernels of tables take: the ruleset, and the tables, each as one argument. Knows no ruleset."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilewright.base.compute.arrays import Array


class KernelRules(NamedTuple):
    """What kernels know of a ruleset: the image of its play, its forms and places; what of it is for learning."""

    P: Array
    forms: Array
    places: Array
    K: Array


class KernelTables(NamedTuple):
    """Tables, by their number. The states of their machines; what is noted of each; the tiles that may be chosen
    together, as bits; the rows that all seats see, as they are told; the scores of seats and the pot, without what the
    states add to them; those of players when points were last told. Then what is told: `Tables`."""

    states: Array
    notes: Array
    ways: Array
    copies: NDArray[np.float32]
    scores: NDArray[np.float64]
    before: NDArray[np.float64]
    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
    players: Array
    rewards: NDArray[np.float32]
    over: NDArray[np.bool_]
