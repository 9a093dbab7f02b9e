"""Weights: the numbers by which careful and strong players judge hands, the same for every ruleset.

Those of the careful player were fitted to games of fast bots, those of the strong one by duels of its variants."""

from math import inf
from typing import NamedTuple


class Weights(NamedTuple):
    """What a player counts with."""

    # How quickly hands come nearer: useful tiles per draw,
    claims: float  # if groups may be claimed
    costly: float  # if a claim costs something that would count
    draws: float  # if none may be
    win: float  # and if only the last tile is missing
    later: float  # of the usual useful tiles: those of steps before the last two
    set_back: float  # the same of a hand that discarded a tile it needs
    ends: float  # how likely somebody else wins in each turn, once hands are ready
    share: float  # of the turns: after so many they usually are
    # How much effort hands deserve.
    eager: float  # a hand of twice the worth deserves 2 ** eager times as much
    most_effort: float  # that the best aim deserves, the usual hand deserving 1: rare hands seem likelier than they are
    winning: float  # of the usual worth of hands: the worth of keeping others from winning
    best: float  # how much more the best of several prospects counts than the others
    # How much better a move has to be, as a factor:
    better: float  # a claim
    no_worse: float  # a replacement, which may be worse
    pledged: float  # a hand that commits itself
    # Danger.
    again: float  # it counts this much more for each missing tile while a seat has declared that it waits
    ready: float  # how likely an unknown hand waits for one tile
    with_each_group: float  # more, for each group on the table
    late: float  # more, at the end of the wall
    hit: float  # how likely that is the most useful tile
    thrown: float  # the factor if the same seat has discarded it
    earlier: float  # the factor if anyone has
    loss: float  # of the effort that a hand of the same worth deserves: the cost of dealing into one


CAREFUL = Weights(
    claims=2.1,
    costly=1.55,
    draws=1.0,
    win=2.8,
    later=1.0,
    set_back=0.6,
    ends=0.215,
    share=0.45,
    eager=0.7,
    most_effort=inf,
    winning=0.5,
    best=8.0,
    better=1.03,
    no_worse=0.97,
    pledged=1.7,
    again=2.0,
    ready=0.03,
    with_each_group=0.12,
    late=0.35,
    hit=0.10,
    thrown=0.25,
    earlier=0.5,
    loss=1.0,
)
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
