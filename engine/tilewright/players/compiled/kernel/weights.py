"""Where the weights of the player that thinks stand among the numbers that players work in, in the order of
`players.bots.odds.Weights`."""

from tilewright.players.compiled.kernel.layout import MOST_WEIGHTS, WEIGHTS

(
    CLAIMS,
    COSTLY,
    DRAWS,
    WIN,
    LATER,
    SET_BACK,
    ENDS,
    SHARE,
    EAGER,
    MOST_EFFORT,
    WINNING,
    BEST,
    BETTER,
    NO_WORSE,
    PLEDGED,
    AGAIN,
    READY,
    WITH_EACH_GROUP,
    LATE,
    HIT,
    THROWN,
    EARLIER,
    LOSS,
) = range(WEIGHTS, WEIGHTS + MOST_WEIGHTS)
