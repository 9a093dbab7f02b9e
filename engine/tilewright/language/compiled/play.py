"""The compiled play of a ruleset: phases, offers, restrictions, actions, triggers and the match, as frozen data.

Every expression is lowered (see `ir`); options and `if` are folded away. Words that only one place has
(choices of an offer, arguments of an action, letters of a loop, answers to `ask`, dice) are `Word`s of kind `choice`.
Carries nothing out: `tilewright.play` does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.language.compiled.choices import Choose, Goal, Text
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.steps import Step

# --- parts


@dataclass(frozen=True, slots=True)
class Phase:
    """`name`: its name at the table, also in questions. `who` None: nobody is asked. `secret`: answers stay
    hidden."""

    id: str
    do: tuple[Step, ...] = ()
    who: Ir | None = None
    offers: tuple[str, ...] = ()
    then: Goal | None = None
    otherwise: Goal | None = None
    secret: bool = False
    name: Text = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """`rank` is None if seats never compete for it. `group`: the kind made of the tile in question and the hand.
    `rare`: seldom taken, so shown small and last."""

    id: str
    name: Text
    rank: int | None = None
    most: Ir | None = None
    group: str = ""
    choose: tuple[Choose, ...] = ()
    when: Ir | None = None
    do: tuple[Step, ...] = ()
    then: Goal | None = None
    rare: bool = False


@dataclass(frozen=True, slots=True)
class Restriction:
    """`bars`: offers, offers of a phase (`claims.win`), verbs (every offer that does it) and verbs in a phase."""

    id: str
    bars: tuple[str, ...]
    reason: Text
    when: Ir | None = None


@dataclass(frozen=True, slots=True)
class Trigger:
    """`takes`: the arguments of the actions that it follows which it may use."""

    id: str
    after: tuple[str, ...]
    do: tuple[Step, ...]
    when: Ir | None = None
    takes: tuple[tuple[str, str], ...] = ()  # argument -> type


@dataclass(frozen=True, slots=True)
class Action:
    id: str
    takes: tuple[tuple[str, str], ...] = ()  # argument -> type
    do: tuple[Step, ...] = ()
    name: Text = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Button:
    """Exactly one of `takes`, `declines`, `sorts` is set."""

    id: str
    name: Text
    takes: str = ""
    declines: tuple[str, ...] = ()
    sorts: str = ""
    when: Ir | None = None
    on: bool = False


@dataclass(frozen=True, slots=True)
class MatchRules:
    """`rounds`: the prevailing wind of each, as a tile, without those whose tile is not in this game; if none is left,
    one round is played without a wind. `levels`: the names of hand, dealership, round and match. `seating`: for each
    round after the first the players, from the first dealer on; fewer if nobody moves. `next_dealer`: seats, the first
    of which deals if the dealer does not stay; nobody: the next seat. `equals_share`: players with equal scores share
    the points of their placements. `exchange`: the final value of a score, before that. `standings`: hands won and the
    leader of the round are shown with each hand."""

    score: Ir | None = None
    rounds: tuple[int, ...] = ()
    dealer_stays: Ir | None = None
    ends: Ir | None = None
    placement: tuple[Ir, ...] = ()
    levels: Mapping[str, Text] = field(default_factory=dict)
    seating: tuple[tuple[int, ...], ...] = ()
    next_dealer: Ir | None = None
    equals_share: bool = False
    exchange: Ir | None = None
    standings: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """How a ruleset is played, each part in file order."""

    phases: Mapping[str, Phase] = field(default_factory=dict)
    offers: Mapping[str, Offer] = field(default_factory=dict)
    restrictions: tuple[Restriction, ...] = ()
    actions: Mapping[str, Action] = field(default_factory=dict)
    triggers: tuple[Trigger, ...] = ()
    buttons: tuple[Button, ...] = ()
    match: MatchRules = MatchRules()
