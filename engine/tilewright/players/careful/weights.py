"""Weights: the numbers by which careful and strong players judge hands, the same for every ruleset.

Those of the careful player were fitted to games of fast bots, those of the strong one by duels of its variants."""

from math import inf
from typing import NamedTuple


class Weights(NamedTuple):
    """What a player counts with: the numbers of the careful one, unless others are given."""

    # How quickly hands come nearer: useful tiles per draw,
    claims: float = 2.1  # if groups may be claimed
    costly: float = 1.55  # if a claim costs something that would count
    draws: float = 1.0  # if none may be
    win: float = 2.8  # and if only the last tile is missing
    later: float = 1.0  # of the usual useful tiles: those of steps before the last two
    set_back: float = 0.6  # the same of a hand that discarded a tile it needs
    ends: float = 0.215  # how likely somebody else wins in each turn, once hands are ready
    share: float = 0.45  # of the turns: after so many they usually are
    # How much effort hands deserve.
    eager: float = 0.7  # a hand of twice the worth deserves 2 ** eager times as much
    most_effort: float = (
        inf  # that the best aim deserves, the usual hand deserving 1: rare hands seem likelier than they are
    )
    winning: float = 0.5  # of the usual worth of hands: the worth of keeping others from winning
    best: float = 8.0  # how much more the best of several prospects counts than the others
    # How much better a move has to be, as a factor:
    better: float = 1.03  # a claim
    no_worse: float = 0.97  # a replacement, which may be worse
    pledged: float = 1.7  # a hand that commits itself
    # Danger.
    again: float = 2.0  # it counts this much more for each missing tile while a seat has declared that it waits
    ready: float = 0.03  # how likely an unknown hand waits for one tile
    with_each_group: float = 0.12  # more, for each group on the table
    late: float = 0.35  # more, at the end of the wall
    hit: float = 0.10  # how likely that is the most useful tile
    thrown: float = 0.25  # the factor if the same seat has discarded it
    earlier: float = 0.5  # the factor if anyone has
    loss: float = 1.0  # of the effort that a hand of the same worth deserves: the cost of dealing into one


CAREFUL = Weights()
STRONG = CAREFUL._replace(
    claims=1.5,
    costly=1.65,
    win=3.2,
    later=0.78,
    set_back=0.37,
    eager=0.82,
    most_effort=8.0,
    better=1.24,
    pledged=1.17,
    again=1.65,
    loss=0.45,
)
