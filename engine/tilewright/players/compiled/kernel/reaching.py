"""Whether a hand is near one that reaches the minimum (`players.bots.fast.Minimum`), over the numbers of a state.

Some of the nearest whole hands are drawn by lot and scored. Letters as in `seeing`.
Knows no ruleset."""

from typing import Any

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import kernel
from tilewright.hands.distance.flat import rows as flat
from tilewright.play.compiled.kernel import layout as at
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel.seeing import look
from tilewright.players.compiled.kernel.wholes import begin_lots, draw_whole, draw_win
from tilewright.players.compiled.kernel.worth import told, worth_of


@kernel
def reaches(S: Array, P: Array, seat: int, M: Any, plan: int) -> int:
    """Whether half of some nearest whole hands of the position that is looked at reach the minimum; WAITS
    where the host is asked first."""
    B, kinds = M.own, M.known[bot.KINDS]
    if not M.known[bot.SCORES]:
        status = told(M, seat, bot.REACHES, bot.PROMISED)
        return int(M.reals[bot.WORTH] != 0.0) if status >= 0 else int(status)
    melds = S[at.LAID_SIZE + seat] + (B[bot.GROUP] >= 0) - (B[bot.GROWN] >= 0)
    best = look(M, plan)
    begin_lots(B, S[at.SEED], 0, melds)
    short, most = 0, bot.WHOLES // 2
    for number in range(bot.WHOLES):
        if short > most or number - short >= bot.WHOLES - most:
            break  # the others no longer matter
        if not draw_whole(M.ways, M.rows, M.places, B, M.targets, plan, bot.HELD, kinds, best):
            break
        win = draw_win(B, M.known, bot.HELD)
        status = worth_of(S, P, seat, M, flat.WHOLE, win, bot.PROMISED, bot.YES, bot.YES)
        if status < 0:
            return int(status)
        short += M.reals[bot.WORTH] <= 0.0
    return bot.YES if short <= most else bot.NO
