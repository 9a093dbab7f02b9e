"""Payments: what seats gain, and how their scores change.

Compiled by numba. Seats and the pot have numbers, the pot that after the last seat. Knows no ruleset."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.play.compiled.kernel import layout as at


@loop_kernel
def add_gains(S: Array, amount: int, payers: int, payee: int, step: int, seats: int) -> bool:
    """Add what payers (as bits) pay somebody in equal parts, each rounded up to a multiple of a step that is not 0.
    False where the parts are no whole numbers, or too large."""
    sharers = 0
    for seat in range(seats + 1):
        sharers += payers >> seat & 1
    if sharers == 0 or step < 0 or abs(amount) > at.MUCH:
        return False
    if step:
        share = -(-amount // (sharers * step)) * step
    elif amount % sharers:
        return False
    else:
        share = amount // sharers
    for seat in range(seats + 1):
        if payers >> seat & 1:
            S[at.GAIN + seat] -= share
            S[at.GAIN + payee] += share
    return True


@loop_kernel
def pay_gains(S: Array, seats: int) -> None:
    """Add to the scores what was gained; one that comes to too much is left to the host."""
    for seat in range(seats + 1):
        S[at.SCORE + seat] += S[at.GAIN + seat]
        if abs(S[at.SCORE + seat]) > at.MUCH:
            S[at.PROBLEM] = 15


@loop_kernel
def place_of(S: Array, seat: int, seats: int) -> int:
    """The placement of a seat by the scores; of equal ones the player with the lower number is ahead."""
    if seat < 0 or seat >= seats:
        return 0
    place = 1
    for other in range(seats):
        ahead = S[at.SCORE + other] - S[at.SCORE + seat]
        place += ahead > 0 or (ahead == 0 and S[at.PLAYER + other] < S[at.PLAYER + seat])
    return place
