"""Many tables stepped together: an action for each in; observations, masks and who acts out.

`states`: the state of the machine of each table; `P`, `image`, `places`: the image of a play; `K`: what is known of the
ruleset; `notes`: of each table; `scores`: of seats and the pot, without what the state adds to them; `before`: of
players, when points were last told. Compiled by numba. Knows no ruleset."""

from typing import Any

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import lot
from tilewright.play.compiled.kernel.machine import open_hand, run
from tilewright.play.compiled.kernel.questions import answer, moves_of, next_asked
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.kernel.actions import number_of, write_mask
from tilewright.players.learning.kernel.observing import observe

BLOCK = 32  # actions that are counted at once


@loop_kernel
def step_tables(
    states: Any,
    P: Array,
    image: Array,
    places: Array,
    K: Array,
    opening: Array,
    tables: Array,
    notes: Any,
    scores: Any,
    before: Any,
    actions: Array,
    acts: bool,
    observations: Any,
    masks: Any,
    players: Array,
    rewards: Any,
    over: Any,
) -> int:
    """Step some tables, each by its action or (not `acts`) without one. Matches of one hand begin again, as `opening`
    says. How many stopped before somebody was asked who learns: their notes say why. Less than 0, and nothing has
    changed, where an action is illegal."""
    if acts and first_illegal(masks, tables, actions) >= 0:
        return at.NONE
    stopped = 0
    for number in range(tables.shape[0]):
        table = tables[number]
        S, own, action = states[table], notes[table], at.NONE
        if acts:
            action = actions[table]
            own[learn.ACTED] = 1
            for player in range(P[at.SEATS]):
                rewards[table][player] = 0
            over[table] = False
        status = step(S, P, image, places, K, own, action)
        while status == at.ENDED and settles(S, P, own, scores[table], before[table]):
            if own[learn.ACTED]:
                tell(S, P, scores[table], before[table], rewards[table])
                over[table] = True
            open_hand(S, P, S[at.SEED] + states.shape[0], opening)
            own[learn.ACTED] = 0
            status = step(S, P, image, places, K, own, at.NONE)
        own[learn.STATUS] = status
        if status == at.ASK:
            seat = next_asked(S, P)
            players[table] = S[at.PLAYER + seat]
            observe(S, P, K, seat, own, scores[table], observations[table])
            write_mask(S, P, K, seat, own, masks[table])
        else:
            stopped += 1
    return stopped


@loop_kernel
def step(S: Array, P: Array, image: Array, places: Array, K: Array, notes: Array, action: int) -> int:
    """Step a table by an action, and on to the next player that learns. Why it stops."""
    runs = True
    if action >= 0:
        seat = next_asked(S, P)
        number = number_of(S, P, K, seat, notes, action)
        if number == learn.GOES_ON:
            return at.ASK
        if number == learn.UNSAID:
            return learn.UNSAID
        notes[learn.WORDS] = notes[learn.CHOSEN] = 0
        runs = answer(S, P, seat, number)
    while True:
        if runs:
            status = run(S, P, image, places)
            if status != at.ASK:
                return int(status)
        if S[at.MOVES] > at.MOST_MOVES:
            return at.FAILED
        seat = next_asked(S, P)
        player = S[at.PLAYER + seat]
        if K[K[learn.LEARNS] + player]:
            return at.ASK
        runs = answer(S, P, seat, lot(S[at.SEED], player, S[at.DECISIONS + player], moves_of(S, seat)))


@loop_kernel
def settles(S: Array, P: Array, notes: Array, scores: Any, before: Any) -> bool:
    """Whether the hand that has ended settles its match."""
    if notes[learn.SETTLED] == learn.QUIET_HANDS:
        for seat in range(P[at.SEATS]):
            if scores[seat] + S[at.SCORE + seat] != before[S[at.PLAYER + seat]]:
                return False
    return bool(notes[learn.SETTLED] != learn.NEVER)


@loop_kernel
def tell(S: Array, P: Array, scores: Any, before: Any, rewards: Any) -> None:
    """Tell each player what it has won."""
    for seat in range(P[at.SEATS]):
        player = S[at.PLAYER + seat]
        rewards[player] = scores[seat] + S[at.SCORE + seat] - before[player]


@loop_kernel
def first_illegal(masks: Any, tables: Array, actions: Array) -> int:
    """The first of some tables whose action the mask does not allow, NONE if all are legal."""
    for number in range(tables.shape[0]):
        table = tables[number]
        action = actions[table]
        if action < 0 or action >= masks.shape[1] or not masks[table][action]:
            return int(table)
    return at.NONE


@loop_kernel
def choose_any(masks: Any, lots: Any, actions: Array) -> bool:
    """A legal action for each table, by a lot from 0 to below 1. False where a lot is none."""
    for table in range(actions.shape[0]):
        mask, drawn = masks[table], lots[table]
        if not 0 <= drawn < 1:
            return False
        count = legal_among(mask, 0, mask.shape[0])
        left, action = min(int(drawn * count), count - 1), 0
        while action + BLOCK <= mask.shape[0]:
            here = legal_among(mask, action, action + BLOCK)
            if here > left:
                break
            left -= here
            action += BLOCK
        while left > 0 or not mask[action]:
            left -= mask[action]
            action += 1
        actions[table] = action
    return True


@loop_kernel
def legal_among(mask: Any, first: int, end: int) -> int:
    """How many of the actions from `first` to before `end` are legal."""
    count = 0
    for action in range(first, end):
        count += mask[action]
    return count
