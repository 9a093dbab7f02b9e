"""Operations of wins: whether a hand is a form, whether it wins, and that it is declared."""

from tilewright.base.kernels import ON, operation
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.forms import NO, YES, coming_kind, is_form, waits_without_one
from tilewright.play.compiled.kernel.search import is_possible
from tilewright.play.compiled.kernel.worth import may_reach
from tilewright.play.compiled.machine.operands import Machine, Number, Place, Register, Value, ask_host


@operation
def is_self_draw(m: Machine, to: Register, seat: Value, tile: Value, discarder: Value) -> None:
    """`to` becomes whether nobody has discarded the tile in question, and the seat has it in its hand if there is
    one."""
    m.S[to] = discarder < 0 and (tile < 0 or m.S[at.WHERE + tile] == m.P[at.HAND_ROW] + seat)


@operation
def wins(m: Machine, to: Register, seat: Value, tile: Value, done: Place, no: Place) -> int:
    """`to` becomes whether a hand wins, where its tiles tell: continue at `no` without a form, at `done` where a form
    is enough; behind where it has to be judged."""
    found = is_form(m.S, m.P, m.forms, seat, tile)
    if found == NO:
        m.S[to] = 0
        return no
    if found == YES and m.P[at.WINS_EXACT] and tile >= 0:
        m.S[to] = 1
        return done
    return ON


@operation
def judge(m: Machine, to: Register, seat: Value, tile: Value, discarder: Value, terms: Value, request: Number) -> None:
    """`to` becomes whether a hand wins that is a form, by what it is worth; `terms`: those of the table that hold, as
    bits."""
    S = m.S
    S[at.ASKED_TILE], S[at.ASKED_DISCARDER], S[at.ASKED_TERMS] = tile, discarder, terms
    ask_host(S, at.WIN, request, seat, to)


@operation
def if_no_form(m: Machine, seat: Value, tile: Value, no: Place) -> int:
    """Continue elsewhere where a hand is no form."""
    return no if is_form(m.S, m.P, m.forms, seat, tile) == NO else ON


@operation
def if_too_low(m: Machine, seat: Value, tile: Value, no: Place, facts: Value) -> int:
    """Continue elsewhere where a hand cannot be worth enough; `facts`: those of the table that may hold, as bits."""
    return no if not may_reach(m.S, m.P, m.forms, seat, coming_kind(m.S, m.P, seat, tile), facts) else ON


@operation
def is_near(m: Machine, to: Register, seat: Value, done: Place) -> int:
    """`to` becomes true where a hand waits without one of its tiles; then continue elsewhere."""
    if waits_without_one(m.S, m.P, m.forms, seat):
        m.S[to] = 1
        return done
    return ON


@operation
def may_win(m: Machine, to: Register, seat: Value, hand: Value) -> None:
    """`to` becomes whether a seat can still complete some hand that is listed, as its hand of this number."""
    m.S[to] = is_possible(m.S, m.P, m.forms, seat, hand)


@operation
def declare(m: Machine, seat: Value, terms: Value) -> None:
    """A seat wins. `terms`: those of the table that hold, as bits; NONE where only the host knows."""
    m.S[at.ASKED_TERMS] = terms
    ask_host(m.S, at.DECLARE, 0, seat, 0)
