"""Whether a seat is barred from winning on a discard, as far as it knows itself.

Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import entry, kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine.going import begin_frame
from tilewright.play.compiled.machine.operands import Machine, acting
from tilewright.play.compiled.machine.running import run


@entry
def claims_barred(m: Machine, seat: int, face: int) -> int:
    """Whether restrictions bar a seat from winning on a discard after it has discarded this face; now, if it holds none
    (NONE: now in any case). NONE where the machine does not tell."""
    S, P = m.S, m.P
    discarded = one_of_hand(S, P, seat, face)
    code, depth, place = P[at.BARRED_NOW if discarded < 0 else at.BARRED_AFTER], S[at.DEPTH], S[at.AT]
    if code < 0 or depth + 1 >= at.MOST_DEPTH:
        return at.NONE
    S[at.DEPTH], S[at.AT] = depth + 1, code
    begin_frame(S, seat)
    S[acting(S) + 1] = discarded
    status = run(m)
    S[at.DEPTH], S[at.AT], S[at.PROBLEM] = depth, place, 0
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
