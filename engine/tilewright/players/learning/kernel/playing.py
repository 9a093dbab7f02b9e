"""Playing on at a table, up to the next question to a player that learns.

`R`: what kernels know of the ruleset. Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import answer, next_asked
from tilewright.play.compiled.machine.operands import Machine
from tilewright.play.compiled.machine.running import may_choose, random_move, run
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.kernel.arguments import KernelRules
from tilewright.players.learning.kernel.picks import has_condition, is_pick, next_way, ways_to_choose


@kernel
def play_on(S: Array, R: KernelRules, notes: Array, ways: Array, runs: bool) -> int:
    """Play on, first with the next of those asked (not `runs`) or with the machine. Why it stops."""
    P, m = R.P, Machine(S, R.P, R.forms)
    while True:
        if runs:
            status = run(m)
            if status != at.ASK:
                return int(status)
        if S[at.MOVES] > at.MOST_MOVES:
            return at.FAILED
        seat = next_asked(S, P)
        who = R.K[R.K[learn.LEARNS] + S[at.PLAYER + seat]]
        if who == learn.LEARNER:
            break
        if who == learn.THINKER:
            return learn.THINKS
        number = random_move(m, seat)
        if number < 0:
            return learn.UNSAID
        runs = answer(S, P, seat, number)
    if not (is_pick(S, P) and has_condition(S, P)):
        return at.ASK
    if ways_to_choose(S, P, seat) > ways.shape[0]:
        return learn.UNSAID
    return list_ways(S, R, seat, notes, ways)


@kernel
def list_ways(S: Array, R: KernelRules, seat: int, notes: Array, ways: Array) -> int:
    """List the tiles that a seat may choose together, as bits. Why it stops: ASK."""
    count, way = 0, at.NONE
    way = next_way(S, R.P, seat, way)
    while way >= 0:
        allowed = may_choose(Machine(S, R.P, R.forms), seat, way)
        if allowed < 0:
            return learn.UNSAID
        if allowed:
            ways[count] = way
            count += 1
        way = next_way(S, R.P, seat, way)
    notes[learn.WAYS] = count
    return at.ASK if count > 0 else learn.UNSAID
