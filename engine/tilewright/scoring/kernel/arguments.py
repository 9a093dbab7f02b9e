"""What the kernel that judges one hand takes, for kernels that have hands judged as one argument. Knows no ruleset."""

from typing import NamedTuple, Self, get_type_hints

import numpy as np

from tilewright.base.compute.kernels import I32, I64, I32x2, I64x2


class LoneArrays(NamedTuple):
    """What is known of the ruleset and of what was met; the working space; and `given`, the hand."""

    image: I64
    places: I32
    programs: I64
    contexts: I64x2
    moving: I64x2
    met: I64x2
    verdicts: I64x2
    contests: I64x2
    sums: I64x2
    hands: I32x2
    results: I64x2
    missing: I64x2
    space: I64x2
    given: I32

    @classmethod
    def small(cls) -> Self:
        """Arrays of one element each."""
        kinds = [kind.__metadata__[0] for kind in get_type_hints(cls, include_extras=True).values()]
        return cls(*(np.zeros((1,) * kind.dims, kind.dtype) for kind in kinds))
