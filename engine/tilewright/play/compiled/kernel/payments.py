"""Payments: what seats gain, and how their scores change.

Seats and the pot have numbers, the pot that after the last seat. Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at


@kernel
def note_payment(S: Array, line: int, payer: int, payee: int, amount: int) -> None:
    """Note what somebody pays somebody by a line."""
    if S[at.NOTED] == at.MOST_PAID:
        S[at.PROBLEM] = at.Problem.MANY_PAYMENTS
        return
    note = at.PAYMENT + S[at.NOTED] * at.PAYMENT_ROW
    S[note], S[note + 1], S[note + 2], S[note + 3], S[note + 4] = line, payer, payee, amount, S[at.SETTLED]
    S[at.NOTED] += 1


@kernel
def take_back(S: Array, payee: int, lines: int, final: int) -> None:
    """Pay back what somebody was paid by lines (as bits); `final`: keep for good what it was last paid by them."""
    kept, last = 0, at.NONE
    for number in range(S[at.PAID]):
        note = at.PAYMENT + number * at.PAYMENT_ROW
        if S[note + 2] == payee and lines >> S[note] & 1:
            last = S[note + 4]
    for number in range(S[at.PAID]):
        note, goal = at.PAYMENT + number * at.PAYMENT_ROW, at.PAYMENT + kept * at.PAYMENT_ROW
        goes = S[note + 2] == payee and lines >> S[note] & 1 and (not final or S[note + 4] == last)
        if goes and not final:
            S[at.SCORE + payee] -= S[note + 3]
            S[at.SCORE + S[note + 1]] += S[note + 3]
        if not goes:
            for field in range(at.PAYMENT_ROW):
                S[goal + field] = S[note + field]
            kept += 1
    S[at.PAID] = kept


@kernel
def pay_gains(S: Array, seats: int) -> None:
    """Add to the scores what was gained; one that comes to too much is a problem."""
    S[at.PAID] = S[at.NOTED]
    S[at.SETTLED] += 1
    for seat in range(seats + 1):
        S[at.SCORE + seat] += S[at.GAIN + seat]
        if abs(S[at.SCORE + seat]) > at.MUCH:
            S[at.PROBLEM] = at.Problem.LARGE_NUMBER


@kernel
def place_of(S: Array, seat: int, seats: int) -> int:
    """The placement of a seat by the scores; of equal ones the player with the lower number is ahead."""
    if seat < 0 or seat >= seats:
        return 0
    place = 1
    for other in range(seats):
        ahead = S[at.SCORE + other] - S[at.SCORE + seat]
        place += ahead > 0 or (ahead == 0 and S[at.PLAYER + other] < S[at.PLAYER + seat])
    return place
