"""Playing on with players on kernels, up to the end of a hand or to a question for the host.

Letters as in `seeing`; `G`: the game (`Machine`). Knows no ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel, long_entry
from tilewright.play.compiled.judging import kernel as judging
from tilewright.play.compiled.judging.barring import claims_barred
from tilewright.play.compiled.judging.kernel import judge_win
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.questions import answer, moves_of, next_asked
from tilewright.play.compiled.machine.operands import Machine
from tilewright.play.compiled.machine.running import random_move, run
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel.careful import careful_move
from tilewright.players.compiled.kernel.fast import fast_move
from tilewright.players.compiled.kernel.layout import Mind
from tilewright.players.compiled.kernel.seeing import knows_barred, see_hand
from tilewright.players.compiled.moves.answering import answer_of

GOES_ON = 0  # no reason to stop


@long_entry
def play_on(G: Machine, M: Mind) -> int:
    """Play on with the players of `M`. Why it stops."""
    status = at.ASK if M.own[bot.RESUMES] else run_judging(G, M)
    M.own[bot.RESUMES] = 0
    while status == at.ASK:
        stops = answered(G, M)
        if stops != GOES_ON:
            return int(stops)
        status = run_judging(G, M) if G.S[at.MOVES] <= at.MOST_MOVES else at.FAILED
    return int(status)


@kernel
def answered(G: Any, M: Any) -> int:
    """Have players answer until play goes on. GOES_ON, or why it stops before; ASK: no kernel answers what a step asks;
    LEARNS: a learner is asked."""
    S, P, B, going = G.S, G.P, M.own, False
    while not going:
        seat = next_asked(S, P)
        player = S[at.PLAYER + seat]
        if B[bot.PLAYERS + player] == bot.LEARNER:
            B[bot.RESUMES] = 1
            return bot.LEARNS
        if B[bot.PLAYERS + player] == bot.RANDOM:
            number = random_move(G, seat)
        else:
            B[bot.THINKER] = B[bot.PLAYERS + player]
            number = move_of(G, seat, M)
            if number == bot.WAITS and B[bot.QUESTION] == bot.CLAIM_BARRED and tells_barred(G, B):
                continue
            if number < 0 and not (S[at.STEP] and number == bot.UNSAID):
                B[bot.RESUMES] = 1
                return bot.DECIDE if number == bot.WAITS else at.FAILED
            forget_decision(B)
        if number < 0:
            return at.ASK
        going = answer(S, P, seat, number)
    return GOES_ON


@kernel
def tells_barred(G: Any, B: Array) -> bool:
    """Answer whether a seat that has discarded a face is barred from winning on a discard. False if the machine does
    not tell."""
    face = B[bot.ASKED_FACE]
    found = claims_barred(G, B[bot.QUESTION + 2], face)
    if found >= 0:
        B[bot.CLAIMS_BARRED + face + 1] = 1 + found
    return bool(found >= 0)


@kernel
def run_judging(G: Any, M: Any) -> int:
    """Run instructions, telling whether hands win where the host is not needed for that. Why the machine stops."""
    S, P = G.S, G.P
    status = run(G)
    while status == at.HOST and S[at.REQUEST] == at.WIN and M.judging.shape[0] > 0:
        found = judge_win(S, P, M.judging, M.scoring)
        if found != judging.NO and found != judging.YES:
            break
        S[S[at.REQUEST_TO]] = found == judging.YES
        status = run(G)
    return int(status)


@kernel
def forget_decision(B: Array) -> None:
    """Forget what the host said about a decision."""
    for place in range(bot.DECISION, bot.END_OF_DECISION):
        B[place] = 0


@kernel
def take_weights(B: Array, R: Array, K: Array, player: int) -> None:
    """Think with the weights of careful players, or of strong ones, which forecast listed hands."""
    B[bot.FORECASTS] = player == bot.STRONG and K[bot.APPEALS] >= 0
    first = bot.WEIGHTS_OF + (player - bot.CAREFUL) * bot.MOST_WEIGHTS
    for number in range(bot.MOST_WEIGHTS):
        R[bot.WEIGHTS + number] = R[first + number]


@kernel
def move_of(G: Any, seat: int, M: Any) -> int:
    """The number of the move of the player that thinks; WAITS if it has a question first, UNSAID if it cannot be
    found."""
    S, P, B, K = G.S, G.P, M.own, M.known
    player = B[bot.THINKER]
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    if S[at.STEP] == 0 and moves_of(S, seat) == 1:
        return 0
    B[bot.WORTHS_USED] = singles = discards = bot.NO
    if S[at.STEP]:
        end = first
    for option in range(at.OPTION + 4 * first, at.OPTION + 4 * end, 4):
        effect = K[K[bot.EFFECTS] + S[option]]
        if S[option + 1] != at.OWN_TILES:
            if effect & bot.WINS:
                return int(singles)
            singles += 1
        if effect & bot.DISCARDS:
            discards = bot.YES
    if see_hand(S, seat, B, K) >= K[bot.LARGEST]:
        return bot.UNSAID
    if K[bot.BARS] >= 0 and not knows_barred(S, seat, B, K):
        B[bot.QUESTION], B[bot.QUESTION + 2] = bot.TILES_BARRED, seat
        return bot.WAITS
    if player != bot.FAST:
        take_weights(B, M.reals, K, player)
    if S[at.STEP]:
        return answer_of(G, seat, M)
    if player != bot.FAST:
        return careful_move(S, P, seat, M, singles, discards)
    return fast_move(S, P, seat, M, singles, discards)
