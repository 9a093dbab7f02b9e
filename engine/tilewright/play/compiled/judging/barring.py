"""Whether a seat is barred from winning on a discard, as far as it knows itself.

Knows no ruleset."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import I32, I64, entry, kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.machine import begin_frame, run


@entry
def claims_barred(S: I64, P: I64, image: I64, places: I32, seat: int, face: int) -> int:
    """Whether restrictions bar a seat from winning on a discard after it has discarded this face; now, if it holds none
    (NONE: now in any case). NONE where the machine does not tell."""
    discarded = one_of_hand(S, P, seat, face)
    code, depth, pc = P[at.BARRED_NOW if discarded < 0 else at.BARRED_AFTER], S[at.DEPTH], S[at.AT]
    if code < 0 or depth + 1 >= at.MOST_DEPTH:
        return at.NONE
    begin_frame(S, depth + 1, seat)
    S[at.FRAME + (depth + 1) * at.WINDOW + 1] = discarded
    S[at.DEPTH], S[at.AT] = depth + 1, code
    status = run(S, P, image, places)
    S[at.DEPTH], S[at.AT], S[at.PROBLEM] = depth, pc, 0
    return int(S[at.HOLDS]) if status == at.TRIED else at.NONE


@kernel
def one_of_hand(S: Array, P: Array, seat: int, face: int) -> int:
    """A tile of a hand that shows this face, or NONE."""
    row = P[at.HAND_ROW] + seat
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        tile = S[at.ROW + row * at.MOST_TILES + spot]
        if P[P[at.FACE] + tile] == face:
            return int(tile)
    return at.NONE
