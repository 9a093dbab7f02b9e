"""Running: the machine carries out operations until a seat is asked, the host is, or the hand is over.

One machine runs every ruleset. Its operations do what those of `play.steps` do. Knows no ruleset."""

from types import ModuleType

from tilewright.base.kernels import I64, ON, Operation, entry, kernel, long_entry
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import lot, lots_of, luck_of
from tilewright.play.compiled.kernel.questions import answer, chosen_tiles, drawn_tiles, moves_of, next_asked
from tilewright.play.compiled.machine import asking, counting, going, moving, seating
from tilewright.play.compiled.machine.going import begin_anew
from tilewright.play.compiled.machine.operands import Machine


def operations_in(*subjects: ModuleType) -> tuple[Operation, ...]:
    """The operations of these modules, as they stand there; the number of each is its place among them."""
    every = ((subject, one) for subject in subjects for one in vars(subject).values())
    return tuple(one for subject, one in every if isinstance(one, Operation) and one.__module__ == subject.__name__)


OPERATIONS = operations_in(counting, seating, moving, going, asking)


@long_entry
def run(m: Machine) -> int:
    """Carry out operations until something else is wanted. Why the machine stops."""
    S, P, code, place, steps = m.S, m.P, m.P[at.CODE], m.S[at.AT], 0
    S[at.STOPS] = 0
    while not (S[at.STOPS] or S[at.PROBLEM] or steps > at.MOST_STEPS):
        spot = code + place * at.INSTRUCTION
        steps += 1
        place += 1
        S[at.AT] = place  # operations that begin a frame note it, to come back
        elsewhere = OPERATIONS[P[spot]](m, spot + 1)
        if elsewhere != ON:
            place = elsewhere
    S[at.AT] = place
    return int(at.FAILED if S[at.PROBLEM] or steps > at.MOST_STEPS else S[at.STOPS])


# --- random players


@long_entry
def play(m: Machine) -> int:
    """Play on with random players. Why it stops: ENDED, HOST or FAILED; ASK where one finds no answer to a step."""
    status = run(m)
    while status == at.ASK and answered_at_random(m):
        status = run(m) if m.S[at.MOVES] <= at.MOST_MOVES else at.FAILED
    return int(status)


@kernel
def answered_at_random(m: Machine) -> bool:
    """Have random players answer until play goes on; False where one finds no answer to a step."""
    going = False
    while not going:
        seat = next_asked(m.S, m.P)
        number = random_move(m, seat)
        if number < 0:
            return False
        going = answer(m.S, m.P, seat, number)
    return True


@kernel
def random_move(m: Machine, seat: int) -> int:
    """The number of the move of a random player; NONE where it finds no tiles that may be chosen together."""
    S, P, player = m.S, m.P, m.S[at.PLAYER + seat]
    ask = P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW
    if S[at.STEP] == 0 or not P[ask + at.PICKS]:
        return lot(S[at.LUCK + player], S[at.DECISIONS + player], moves_of(S, seat))
    lots, number = lots_of(S[at.LUCK + player], S[at.DECISIONS + player]), 1
    tried = at.LISTED + (S[at.DEPTH] * at.LISTS + P[ask + at.TRIED_LIST]) * at.LIST
    for _ in range(at.MOST_TRIES):
        chosen = drawn_tiles(S, P, seat, lots, number)
        allowed = may_choose(m, seat, chosen)
        if allowed:
            return chosen if allowed > 0 else at.NONE
        number += S[tried] + 2  # one of the questions, how many tiles, and each
    return at.NONE


@kernel
def may_choose(m: Machine, seat: int, chosen: int) -> int:
    """Whether a step allows the seat that is asked to choose these tiles (bits) together; NONE where that is not
    known."""
    S, P = m.S, m.P
    ask = P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW
    code, place = P[ask + at.CONDITION], S[at.AT]
    if code < 0:
        return 1
    tried = at.LISTED + (S[at.DEPTH] * at.LISTS + P[ask + at.TRIED_LIST]) * at.LIST
    S[tried] = chosen_tiles(S, seat, chosen, tried + 1)
    S[P[ask + at.TRIED_SEAT] + S[at.DEPTH] * at.WINDOW] = seat
    S[at.AT] = code
    status = run(m)
    S[at.AT] = place
    return int(S[at.HOLDS] != 0) if status == at.TRIED else at.NONE


# --- hands begin


@entry
def open_hand(S: I64, P: I64, seed: int, opening: I64) -> None:
    """The first hand of a game begins as that of another did. `opening`: parts of the state, each after where it begins
    and how many numbers it has."""
    S[at.SEED], S[at.HAND_NUMBER], S[at.DEALS] = seed, 0, 0
    begin_hand(S, P)
    spot = 0
    while spot < opening.shape[0]:
        start, size = opening[spot], opening[spot + 1]
        for number in range(size):
            S[start + number] = opening[spot + 2 + number]
        spot += 2 + size


@entry
def begin_hand(S: I64, P: I64) -> None:
    """The table before a hand, nothing on it and no mark set; the first phase begins."""
    for part in range(0, len(at.BEGINNINGS), 3):
        for spot in range(at.BEGINNINGS[part], at.BEGINNINGS[part + 1]):
            S[spot] = at.BEGINNINGS[part + 2]
    S[at.PLAYING] = (1 << P[at.SEATS]) - 1
    S[at.RELISTED] += 1
    for row in range(at.MOST_ROWS):
        S[at.MOVED + row] += 1
    for seat in range(at.MOST_SEATS):
        S[at.LUCK + seat] = luck_of(S[at.SEED], seat)
    for spot in range(P[at.MARKS] * at.MOST_SEATS):
        S[at.MARK_TILES + spot * at.MARK_LIST] = 0
    S[at.AT] = begin_anew(S, P, P[at.START_PHASE], 0)
