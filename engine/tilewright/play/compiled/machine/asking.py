"""Operations of questions: who is asked, what for, who takes what. `kernel.questions` has what answers do."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import ON, kernel, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import add_option, close_step, count_offers, lay_pool, sieved
from tilewright.play.compiled.kernel.tiles import claimed_of, lowest, mark_faces
from tilewright.play.compiled.machine.going import begin_frame, goes_deeper
from tilewright.play.compiled.machine.operands import (
    Given,
    List,
    Machine,
    Number,
    Place,
    Register,
    Value,
    acting,
    ask_host,
    fields_of,
)

# --- who is asked


@operation
def begin(m: Machine, seat: Register, left: Register, seats: Value, none: Place, sieve: Number) -> int:
    """Ask some seats, one after the other; continue elsewhere if there are none. `sieve`: where it is said what a seat
    needs for any offer, or 0."""
    S, asked = m.S, seats
    if sieve:
        asked = sieved(S, m.P, m.forms, m.P[at.SIEVES] + sieve, seats)
    S[at.OPTIONS] = S[at.ASKED] = S[at.ANSWERED] = 0
    for one in range(m.P[at.SEATS]):
        S[at.OPTION_FIRST + 2 * one] = S[at.OPTION_FIRST + 2 * one + 1] = 0
    if asked == 0:
        S[at.SEAT_ASKED] = at.NONE
        return none
    S[seat] = S[at.SEAT_ASKED] = lowest(asked)
    S[left] = asked & (asked - 1)
    return ON


@operation
def end_seat(m: Machine, seat: Register, left: Register, to: Place) -> int:
    """The seat has been offered everything; continue elsewhere with the next one, and behind without."""
    S, bits = m.S, m.S[left]
    options = at.OPTION_FIRST + 2 * S[at.SEAT_ASKED]
    S[options + 1] = S[at.OPTIONS]
    if S[at.OPTIONS] > S[options]:
        S[at.ASKED] |= 1 << S[at.SEAT_ASKED]
    if bits == 0:
        return ON
    S[seat] = S[at.SEAT_ASKED] = lowest(bits)
    S[left] = bits & (bits - 1)
    S[at.OPTION_FIRST + 2 * S[at.SEAT_ASKED]] = S[at.OPTIONS]
    return to


@operation
def end(m: Machine, otherwise: Place, may_pass: Number, goes_on: Number) -> int:
    """Wait for answers, if there is anything to ask. `otherwise`: the code that follows where nobody takes anything, at
    once if no event does (`goes_on`)."""
    S = m.S
    S[at.TAKER + S[at.DEPTH] * at.TAKER_ROW] = 0
    if S[at.ASKED]:
        S[at.OTHERWISE], S[at.MAY_PASS] = otherwise, may_pass
        count_offers(S, m.P)
        S[at.STOPS] = at.ASK
    elif not may_pass:
        S[at.PROBLEM] = at.Problem.NOBODY_ASKED
    elif goes_on:
        return otherwise
    else:
        S[fields_of(S) + at.GOAL] = otherwise
    return ON


# --- what for


@operation
def offer(m: Machine, offering: Number, choice: Value, second: Given) -> None:
    """Offer something with a choice, perhaps with a second one; or an answer to a step."""
    add_option(m.S, offering, choice, 1, at.NONE if second == at.UNSET else second)


@operation
def offer_hand(m: Machine, offering: Number, seat: Value) -> None:
    """Offer something with each tile of a hand."""
    faces = mark_faces(m.S, m.P, seat)
    if faces:
        add_option(m.S, offering, at.OWN_TILES, faces, at.NONE)


@operation
def offer_pool(m: Machine, question: Number, tiles: List, seat: Value, least: Value, most: Value) -> None:
    """Ask for some tiles of a list."""
    lay_pool(m.S, m.P, question, seat, tiles + 1, m.S[tiles], least, most)


# --- questions of steps


@operation
def ask(m: Machine, question: Number, seats: Value, bits: Number) -> None:
    """Wait for answers to a step; `bits`: the answers that are set then."""
    S = m.S
    S[at.WHOM], S[at.STEP], S[at.MAY_PASS] = seats, question + 1, 0
    S[at.SET] |= bits
    for seat in range(m.P[at.SEATS]):
        S[at.ANSWER + 3 * seat] = at.NONE
        S[at.ANSWER + 3 * seat + 1] = S[at.ANSWER + 3 * seat + 2] = 0
    if S[at.ASKED] != seats and not m.P[m.P[at.ASKS] + question * at.ASK_ROW + at.PICKS]:
        S[at.PROBLEM] = at.Problem.NO_ANSWER
    elif S[at.ASKED] == 0:
        close_step(S, m.P)
    else:
        S[at.STOPS] = at.ASK


@operation
def tried(m: Machine, truth: Value) -> None:
    """Tell whether a condition holds that was tried."""
    m.S[at.HOLDS] = truth
    m.S[at.STOPS] = at.TRIED


# --- who takes what


@operation
def take(m: Machine, goes_on: Number) -> int:
    """The first of those who take something does so, in a frame of its own; the next one after it. What several seats
    win with is read before any of it changes. `goes_on`: only what follows the answer comes after the last of them."""
    S, takers = m.S, at.TAKER + m.S[at.DEPTH] * at.TAKER_ROW
    count = S[takers]
    if count == 0:
        return ON
    if S[at.READS]:
        S[at.READS] = 0
        ask_host(S, at.READ, 0, 0, 0)
        return int(S[at.AT] - 1)
    offering, seat, choice, second = S[takers + 1], S[takers + 2], S[takers + 3], S[takers + 4]
    for number in range(1, 4 * count - 3):
        S[takers + number] = S[takers + number + 4]
    S[takers] = count - 1
    goal, fields = m.P[m.P[at.OFFER_GOAL] + offering], fields_of(S)
    S[fields + at.GOAL] = goal
    if count > 1:
        S[fields + at.BACK_TO] = S[at.AT] - 1
    else:
        S[fields + at.BACK_TO] = goal if goes_on and goal >= 0 else S[at.AT]
    S[acting(S)] = seat
    tile = put_in_question(m, m.P[m.P[at.OFFER_FACTS] + offering], choice, second)
    if not goes_deeper(S):
        return ON
    S[at.DEPTH] += 1
    begin_taking(S, seat, tile, choice, second)
    return int(m.P[m.P[at.OFFER_CODE] + m.P[m.P[at.OFFER_NUMBER] + offering]])


@kernel
def put_in_question(m: Machine, facts: int, choice: int, second: int) -> int:
    """What an offer is about with these choices is in question. The tile, or NONE."""
    S, tile = m.S, at.NONE
    if facts & at.SETS_GROUP:
        S[at.GROUP] = choice
        tile = claimed_of(m.P, choice)
        if facts & at.SETS_GROWN_TILE:
            S[at.TILE] = tile
        if facts & at.SETS_SECOND_TILE:
            S[at.TILE] = tile = second
    elif facts & at.SETS_TILE:
        S[at.TILE] = tile = choice
    return int(tile)


@kernel
def begin_taking(S: Array, seat: int, tile: int, choice: int, second: int) -> None:
    """The frame of an offer that is taken begins: it is about a tile, and knows the choices."""
    begin_frame(S, seat)
    if tile >= 0:
        fields = fields_of(S)
        S[fields + at.HAS_SUBJECT] = 1
        S[fields + at.SUBJECT_TILE], S[fields + at.SUBJECT_DISCARDER] = tile, S[at.DISCARDER]
    S[acting(S) + 1], S[acting(S) + 2] = choice, second
