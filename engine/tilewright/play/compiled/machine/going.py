"""Operations on where play goes: phases, calls of actions and triggers, interruptions, and the facts that they know.

Code is carried out in a frame: its registers, lists and fields. A call begins one more, and goes back to where the code
of the last one had come to."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import ON, kernel, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine.operands import (
    Given,
    List,
    Machine,
    Number,
    Place,
    Register,
    Rest,
    Value,
    acting,
    ask_host,
    fields_of,
    value_at,
)

# --- frames


@kernel
def begin_frame(S: Array, seat: int) -> None:
    """The frame begins anew: nothing is known in it but the seat that acts, and nothing follows."""
    fields = fields_of(S)
    for field in range(at.FRAME_FIELDS):
        S[fields + field] = 0
    S[fields + at.GOAL] = S[fields + at.PHASE] = at.NONE
    S[at.TAKER + S[at.DEPTH] * at.TAKER_ROW] = 0
    S[acting(S)] = seat


@kernel
def start_phase(S: Array, P: Array, phase: int, seat: int) -> int:
    """A phase begins in the frame, with nothing to go back to. Where its code is."""
    begin_frame(S, seat)
    S[fields_of(S) + at.PHASE] = phase
    return int(P[P[at.PHASE_CODE] + phase])


@kernel
def begin_anew(S: Array, P: Array, phase: int, seat: int) -> int:
    """A phase begins, and what was going on is over. Where its code is."""
    S[at.DEPTH] = 0
    return start_phase(S, P, phase, seat)


@kernel
def goes_deeper(S: Array) -> bool:
    """Whether there is room for one more frame."""
    if S[at.DEPTH] + 2 >= at.MOST_DEPTH:
        S[at.PROBLEM] = at.Problem.TOO_DEEP
        return False
    return True


@kernel
def begin_call(S: Array, seat: int, facts: int) -> None:
    """Code begins in a frame of its own; what is in question there is what the fields of this frame say from `facts`
    on."""
    fields = fields_of(S)
    S[fields + at.BACK_TO] = S[at.AT]
    S[at.DEPTH] += 1
    begin_frame(S, seat)
    inner = fields_of(S)
    S[inner + at.HAS_FACTS] = S[fields + facts]
    S[inner + at.FACT_TILE], S[inner + at.FACT_DISCARDER] = S[fields + facts + 1], S[fields + facts + 2]


@kernel
def leave_frame(S: Array) -> int:
    """Go on in the frame before this one, where that had come to. That place."""
    S[at.DEPTH] -= 1
    return int(S[fields_of(S) + at.BACK_TO])


@kernel
def keep_course(S: Array, fields: int) -> None:
    """Note in the fields of a frame what is in question, to go back to it."""
    S[fields + at.INTERRUPTS] = 1
    S[fields + at.OLD_TILE], S[fields + at.OLD_DISCARDER] = S[at.TILE], S[at.DISCARDER]
    S[fields + at.OLD_TURN], S[fields + at.OLD_GROUP] = S[at.TURN], S[at.GROUP]


@operation
def call(m: Machine, code: Place, seat: Value, count: Number, arguments: Rest) -> int:
    """Carry out an action, with so many arguments in its first registers."""
    return called(m, code, seat, count, arguments, at.HAS_FACTS)


@operation
def call_trigger(m: Machine, code: Place, seat: Value, count: Number, arguments: Rest) -> int:
    """Carry out a trigger, the same way; it knows the facts that `find_facts` has found."""
    return called(m, code, seat, count, arguments, at.GIVES_FACTS)


@kernel
def called(m: Machine, code: int, seat: int, count: int, arguments: int, facts: int) -> int:
    """Begin a frame for what is called. Where its code begins."""
    S = m.S
    if not goes_deeper(S):
        return ON
    inner = acting(S) + at.WINDOW
    for number in range(count):
        S[inner + 1 + number] = value_at(m, arguments + number)
    begin_call(S, seat, facts)
    return code


@operation
def give_back(m: Machine) -> int:
    """What was called is done."""
    return leave_frame(m.S)


# --- phases


@operation
def go(m: Machine, phase: Number, seat: Given, goes_back: Number) -> int:
    """Another phase begins, with a seat whose turn it becomes, or the acting one. `goes_back`: what this phase
    interrupts, it interrupts as well."""
    S, actor, fields = m.S, m.S[acting(m.S)], fields_of(m.S)
    if seat != at.UNSET:
        actor = seat if seat >= 0 else actor
        S[at.TURN] = actor
    if goes_back and S[fields + at.INTERRUPTS]:
        tile, discarder = S[fields + at.OLD_TILE], S[fields + at.OLD_DISCARDER]
        turn, group = S[fields + at.OLD_TURN], S[fields + at.OLD_GROUP]
        start = start_phase(S, m.P, phase, actor)
        S[fields + at.INTERRUPTS] = 1
        S[fields + at.OLD_TILE], S[fields + at.OLD_DISCARDER] = tile, discarder
        S[fields + at.OLD_TURN], S[fields + at.OLD_GROUP] = turn, group
        return start
    return begin_anew(S, m.P, phase, actor)


@operation
def interrupt(m: Machine, phase: Number, tile: Given) -> int:
    """A phase begins in between, perhaps about another tile; the acting seat is its discarder."""
    S, seat = m.S, m.S[acting(m.S)]
    if not goes_deeper(S):
        return ON
    S[fields_of(S) + at.BACK_TO] = S[at.AT]
    S[at.DEPTH] += 1
    start = start_phase(S, m.P, phase, seat)
    keep_course(S, fields_of(S))
    S[at.DISCARDER] = seat
    if tile >= 0:
        S[at.TILE] = tile
    return start


@operation
def back(m: Machine) -> int:
    """Go back to what was interrupted, and to what was in question there."""
    S = m.S
    while S[at.DEPTH] > 0 and not S[fields_of(S) + at.INTERRUPTS]:
        S[at.DEPTH] -= 1
    if S[at.DEPTH] == 0:
        S[at.PROBLEM] = at.Problem.NOTHING_INTERRUPTED
        return ON
    fields = fields_of(S)
    S[at.TILE], S[at.DISCARDER] = S[fields + at.OLD_TILE], S[fields + at.OLD_DISCARDER]
    S[at.TURN], S[at.GROUP] = S[fields + at.OLD_TURN], S[fields + at.OLD_GROUP]
    return leave_frame(S)


@operation
def end(m: Machine) -> None:
    """The hand is over; its result is the phase that ends it."""
    S, fields = m.S, fields_of(m.S)
    while fields > at.FIELDS and S[fields + at.PHASE] < 0:
        fields -= at.FRAME_FIELDS
    S[at.RESULT] = S[fields + at.PHASE]
    S[at.STOPS] = at.ENDED


@operation
def follow(m: Machine, otherwise: Place) -> int:
    """Continue with what the answer to the question says, or elsewhere."""
    goal = m.S[fields_of(m.S) + at.GOAL]
    return int(goal if goal >= 0 else otherwise)


@operation
def stop(m: Machine) -> None:
    """Nothing follows, which is a problem."""
    m.S[at.PROBLEM] = at.Problem.NOTHING_FOLLOWS


# --- facts


@operation
def find_subject(m: Machine) -> None:
    """The tile that the frame is about becomes that of another seat in question, if it may still be claimed or won
    on."""
    S, fields, tile, discarder = m.S, fields_of(m.S), m.S[at.TILE], m.S[at.DISCARDER]
    S[fields + at.HAS_SUBJECT] = 0
    if tile >= 0 and discarder >= 0:
        row = S[at.WHERE + tile]
        if row > at.IN_MELDS or row == at.IN_MELDS - discarder:
            S[fields + at.HAS_SUBJECT] = 1
            S[fields + at.SUBJECT_TILE], S[fields + at.SUBJECT_DISCARDER] = tile, discarder


@operation
def find_facts(m: Machine, subject: Number) -> None:
    """Find what the triggers after an event know; `subject`: of what the frame was about, where something else is in
    question now."""
    S, fields = m.S, fields_of(m.S)
    S[fields + at.GIVES_FACTS] = 0
    if subject and S[fields + at.HAS_SUBJECT] and S[fields + at.SUBJECT_TILE] != S[at.TILE]:
        S[fields + at.GIVES_FACTS] = 1
        S[fields + at.GIVEN_TILE] = S[fields + at.SUBJECT_TILE]
        S[fields + at.GIVEN_DISCARDER] = S[fields + at.SUBJECT_DISCARDER]


@operation
def fact_tile(m: Machine, to: Register, facts: Number) -> None:
    """`to` becomes the tile in question, by the fields of the frame from `facts` on."""
    fields = fields_of(m.S) + facts
    m.S[to] = m.S[fields + 1] if m.S[fields] else m.S[at.TILE]


@operation
def fact_discarder(m: Machine, to: Register, facts: Number) -> None:
    """The same for who discarded it."""
    fields = fields_of(m.S) + facts
    m.S[to] = m.S[fields + 2] if m.S[fields] else m.S[at.DISCARDER]


# --- the host


@operation
def evaluate(m: Machine, to: Register, request: Number, seat: Value) -> None:
    """`to` becomes what the host finds for a request."""
    ask_host(m.S, at.VALUE, request, seat, to)


@operation
def evaluate_tiles(m: Machine, tiles: List, request: Number, seat: Value) -> None:
    """Have the host add tiles to a list."""
    ask_host(m.S, at.VALUE, request, seat, tiles)


@operation
def leave(m: Machine) -> None:
    """Stop at a step that has no code."""
    m.S[at.PROBLEM] = at.Problem.NO_CODE
