"""Playing on with players on kernels, up to the end of a hand or to a question for the host.

Compiled by numba. Letters as in `seeing`. Knows no ruleset."""

from typing import Any

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import loop_kernel
from tilewright.play.compiled.judging import kernel as judging
from tilewright.play.compiled.judging.kernel import judge_win
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.machine import random_move, run
from tilewright.play.compiled.kernel.questions import answer, moves_of, next_asked
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel.careful import careful_move
from tilewright.players.compiled.kernel.fast import fast_move
from tilewright.players.compiled.kernel.seeing import knows_barred, see_hand
from tilewright.players.compiled.moves.answering import answer_of


@loop_kernel
def play_on(S: Array, P: Array, image: Array, places: Array, M: Any) -> int:
    """Play on with the players of `M`. Why it stops."""
    B = M.own
    while True:
        if B[bot.RESUMES]:
            B[bot.RESUMES] = 0
        else:
            status = run_judging(S, P, image, places, M)
            if status != at.ASK:
                return int(status)
        going = False
        while not going:
            seat = next_asked(S, P)
            player = S[at.PLAYER + seat]
            if B[bot.PLAYERS + player] == bot.RANDOM:
                number = random_move(S, P, image, places, seat)
            else:
                number = move_of(S, P, image, places, seat, M, B[bot.PLAYERS + player])
                if number < 0 and not (S[at.STEP] and number == bot.UNSAID):
                    B[bot.RESUMES] = 1
                    return bot.DECIDE if number == bot.WAITS else at.FAILED
                forget_decision(B)
            if number < 0:  # what a step asks, and no kernel answers
                return at.ASK
            going = answer(S, P, seat, number)
        if S[at.MOVES] > at.MOST_MOVES:
            return at.FAILED


@loop_kernel
def run_judging(S: Array, P: Array, image: Array, places: Array, M: Any) -> int:
    """Run instructions, telling whether hands win where the host is not needed for that. Why the machine stops."""
    status = run(S, P, image, places)
    while status == at.HOST and S[at.REQUEST] == at.WIN and M.judging.shape[0] > 0:
        found = judge_win(S, P, M.judging, M.scoring, M.wins)
        if found != judging.NO and found != judging.YES:
            break
        S[S[at.REQUEST_TO]] = found == judging.YES
        status = run(S, P, image, places)
    return int(status)


@loop_kernel
def forget_decision(B: Array) -> None:
    """Forget what the host said about a decision."""
    for place in range(bot.DECISION, bot.END_OF_DECISION):
        B[place] = 0


@loop_kernel
def take_weights(B: Array, R: Array, K: Array, player: int) -> None:
    """Think with the weights of careful players, or of strong ones, which forecast listed hands."""
    B[bot.FORECASTS] = player == bot.STRONG and K[bot.APPEALS] >= 0
    first = bot.WEIGHTS_OF + (player - bot.CAREFUL) * bot.MOST_WEIGHTS
    for number in range(bot.MOST_WEIGHTS):
        R[bot.WEIGHTS + number] = R[first + number]


@loop_kernel
def move_of(S: Array, P: Array, image: Array, places: Array, seat: int, M: Any, player: int) -> int:
    """The number of the move of a player that thinks; WAITS if it has a question first, UNSAID if it cannot be
    found."""
    B, K = M.own, M.known
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
        return answer_of(S, P, image, places, seat, M, player)
    if player != bot.FAST:
        return careful_move(S, P, seat, M, singles, discards)
    return fast_move(S, P, seat, M, singles, discards)
