"""Many tables stepped together: an action for each in; observations, masks and who acts out. Play goes on at each up to
the next question to a player that learns.

`R`: what kernels know of the ruleset, `T`: the tables. Knows no ruleset.
"""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import F64, I64, B8x2, entry, kernel, long_entry
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import answer, next_asked
from tilewright.play.compiled.machine.operands import Machine
from tilewright.play.compiled.machine.running import may_choose, open_hand, random_move, run
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.kernel.actions import (
    has_condition,
    is_pick,
    next_way,
    number_of,
    ways_to_choose,
    write_mask,
)
from tilewright.players.learning.kernel.layout import KernelRules, KernelTables
from tilewright.players.learning.kernel.observing import observe

WORD = 8  # actions that are counted at once


@long_entry
def step_tables(T: KernelTables, R: KernelRules, opening: I64, tables: I64, actions: I64, acts: bool) -> int:
    """Step some tables, each by its action or (not `acts`) without one. Matches of one hand begin again, as `opening`
    says. How many stopped before somebody was asked who learns: their notes say why. Less than 0, and nothing has
    changed, where an action is illegal."""
    if acts and first_illegal(T.masks, tables, actions) >= 0:
        return at.NONE
    stopped = 0
    for number in range(tables.shape[0]):
        table = tables[number]
        S, notes = T.states[table], T.notes[table]
        status = act(T, R, table, actions[table]) if acts else goes_by(notes)
        notes[learn.OPEN] = 0
        while status == learn.RUNS or status == learn.ANSWERED:
            status = play_on(S, R, notes, T.ways[table], status == learn.RUNS)
            if status == at.ENDED and settles(T, R.P, table):
                begin_again(T, R.P, opening, table)
                status = learn.RUNS
        if status == at.ASK:
            show(T, R, table)
        else:
            stopped += 1
        notes[learn.STATUS] = status
    return stopped


@kernel
def goes_by(notes: Array) -> int:
    """How a table continues without an action."""
    return learn.ANSWERED if notes[learn.OPEN] else learn.RUNS


@kernel
def act(T: KernelTables, R: KernelRules, table: int, action: int) -> int:
    """Answer by an action. How it continues: RUNS, ANSWERED if others are yet to answer, ASK if the move goes on, or
    UNSAID if it is not known."""
    S, notes = T.states[table], T.notes[table]
    notes[learn.ACTED] = 1
    for player in range(T.rewards.shape[1]):
        T.rewards[table][player] = 0
    T.over[table] = False
    seat = next_asked(S, R.P)
    number = number_of(S, R, seat, notes, T.ways[table][: notes[learn.WAYS]], action)
    if number == learn.GOES_ON:
        return at.ASK
    if number == learn.UNSAID:
        return learn.UNSAID
    notes[learn.TAKEN] = notes[learn.FROM] = notes[learn.WORDS] = notes[learn.CHOSEN] = 0
    return learn.RUNS if answer(S, R.P, seat, number) else learn.ANSWERED


@kernel
def show(T: KernelTables, R: KernelRules, table: int) -> None:
    """Write what the player that acts sees, and which actions are legal."""
    S, notes = T.states[table], T.notes[table]
    seat = next_asked(S, R.P)
    T.players[table] = S[at.PLAYER + seat]
    observe(S, R.P, R.K, seat, notes, T.scores[table], T.copies[table], T.observations[table])
    write_mask(S, R, seat, notes, T.ways[table][: notes[learn.WAYS]], T.masks[table])


@kernel
def settles(T: KernelTables, P: Array, table: int) -> bool:
    """Whether the hand that has ended settles its match."""
    S, settled = T.states[table], T.notes[table][learn.SETTLED]
    if settled == learn.QUIET_HANDS:
        for seat in range(P[at.SEATS]):
            if T.scores[table][seat] + S[at.SCORE + seat] / P[at.UNIT] != T.before[table][S[at.PLAYER + seat]]:
                return False
    return bool(settled != learn.NEVER)


@kernel
def begin_again(T: KernelTables, P: Array, opening: Array, table: int) -> None:
    """Tell each player what it has won, if anybody has acted, and begin the next match."""
    S, notes = T.states[table], T.notes[table]
    if notes[learn.ACTED]:
        for seat in range(P[at.SEATS]):
            player = S[at.PLAYER + seat]
            T.rewards[table][player] = T.scores[table][seat] + S[at.SCORE + seat] / P[at.UNIT] - T.before[table][player]
        T.over[table] = True
        notes[learn.ACTED] = 0
    open_hand(S, P, S[at.SEED] + T.states.shape[0], opening)


@entry
def first_illegal(masks: B8x2, tables: I64, actions: I64) -> int:
    """The first of some tables whose action the mask does not allow, NONE if all are legal."""
    for number in range(tables.shape[0]):
        table = tables[number]
        action = actions[table]
        if action < 0 or action >= masks.shape[1] or not masks[table][action]:
            return int(table)
    return at.NONE


@entry
def choose_any(masks: B8x2, words: I64, lots: F64, actions: I64) -> bool:
    """A legal action for each table, by a lot from 0 to below 1. False where a lot is none. `words`: all masks in a
    row, eight actions to a number."""
    size = masks.shape[1]
    for table in range(actions.shape[0]):
        mask, drawn = masks[table], lots[table]
        if not 0 <= drawn < 1:
            return False
        first = (table * size + WORD - 1) // WORD  # the words that have no action of other tables
        end = max(first, (table + 1) * size // WORD)
        head, tail = first * WORD - table * size, end * WORD - table * size
        count = legal_among(mask, 0, head) + legal_among(mask, tail, size)
        for word in range(first, end):
            count += legal_in(words[word])
        left, action = min(int(drawn * count), count - 1), 0
        here = legal_among(mask, 0, head)
        if here <= left:
            left, action = left - here, head
            for word in range(first, end):
                here = legal_in(words[word])
                if here > left:
                    break
                left, action = left - here, action + WORD
        while left > 0 or not mask[action]:
            left -= mask[action]
            action += 1
        actions[table] = action
    return True


@kernel
def legal_among(mask: Any, first: int, end: int) -> int:
    """How many of the actions from `first` to before `end` are legal."""
    count = 0
    for action in range(first, end):
        count += mask[action]
    return count


@kernel
def legal_in(word: int) -> int:
    """How many of eight actions are legal, each of which is a byte."""
    word += word >> 32
    word += word >> 16
    word += word >> 8
    return int(word & 0xFF)


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
