"""The compiled play of a ruleset: phases, offers, steps, choices, restrictions, triggers and the match, as frozen data.

Every expression is lowered (see `ir`); options and `if` are folded away. Words that only one place has
(choices of an offer, arguments of an action, letters of a loop, answers to `ask`, dice) are `Word`s of kind `choice`.
Knows how nothing is carried out: that is `tilewright.play`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.language.compiled.ir import Ir

Text = Mapping[str, str]  # language -> text; a plain string is under "en"


@dataclass(frozen=True, slots=True)
class Goal:
    """Where the play goes on: a phase, `end` or `back`. `seat`: who is then both the turn and the seat."""

    phase: str
    seat: Ir | None = None


# --- choices


@dataclass(frozen=True, slots=True)
class Choose:
    """One thing that is chosen. `kind`: tiles group form number seat suit flag; `type`: that of the word it becomes
    (one tile where exactly one is asked for). What the kind does not use is empty.

    `source` is a zone (as in Move), the hand unless said.

    tiles: `least` to `most` of `source`, each of one of the classes `of` (None: any). group: of kind `group` out of
    `source`, or by adding a tile of it to a meld of kind `onto`. form: the tiles of form `form` out of `source`.
    number: `least` to `most`. seat: one of `seats`. flag: yes or no to `question`. `when` asks about the choice."""

    name: str
    kind: str
    type: str
    most: Ir | None = None
    least: Ir | None = None
    source: Ir | None = None
    of: tuple[Ir, ...] | None = None
    group: str = ""
    onto: str = ""
    form: str = ""
    seats: Ir | None = None
    question: Text = field(default_factory=dict)
    when: Ir | None = None


# --- verbs


@dataclass(frozen=True, slots=True)
class Block:
    """`do`: further steps."""

    steps: "tuple[Step, ...]"


@dataclass(frozen=True, slots=True)
class Shuffle:
    """`tiles` (None: every tile of the game; a zone, or groups, as in Move) go into the zone, among those that lie
    there, in random order."""

    into: Ir
    tiles: Ir | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """`source`: a zone (None: the one called wall); `end`: front, back."""

    count: Ir
    source: Ir | None = None
    end: str = "front"


@dataclass(frozen=True, slots=True)
class Move:
    """These `tiles`, or `count` of any (of the classes `of`); `end`: front, back, random. Zones are expressions:
    a `Word` of kind `zone`, asked of a seat or of seats. That of declared groups is a `Word` of type groups, and so
    are groups: where they lie and what they are is not lost in a step to their tiles (of a choice between zones,
    either may be one)."""

    source: Ir
    to: Ir
    tiles: Ir | None = None
    count: Ir | None = None
    of: tuple[Ir, ...] | None = None
    end: str = "front"


@dataclass(frozen=True, slots=True)
class Swap:
    one: Ir
    other: Ir


@dataclass(frozen=True, slots=True)
class MakeMeld:
    group: Ir
    concealed: bool = False
    seen_by: Ir | None = None  # seats; None: those who see the zone of melds


@dataclass(frozen=True, slots=True)
class Reveal:
    """`tiles`: a zone, tiles, a group or groups, as in Move."""

    tiles: Ir
    to: Ir | None = None  # seats; None: everyone


@dataclass(frozen=True, slots=True)
class Remember:
    """`mark`: each mark with its value."""

    values: tuple[tuple[str, Ir], ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """Each name with the values on its die. A name that is a mark is remembered as one."""

    dice: tuple[tuple[str, tuple[Ir, ...]], ...]


@dataclass(frozen=True, slots=True)
class Ask:
    name: Text
    who: Ir
    choose: tuple[Choose, ...]
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Interrupt:
    """`tile`: the first of these is in question meanwhile."""

    phase: str
    tile: Ir | None = None


@dataclass(frozen=True, slots=True)
class Declare:
    seat: Ir
    tiles: Ir | None = None


@dataclass(frozen=True, slots=True)
class Retire:
    seats: Ir


@dataclass(frozen=True, slots=True)
class Settle:
    payments: str


@dataclass(frozen=True, slots=True)
class Refund:
    payments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Final:
    """What the seat got by the last of these that was settled for it is not refunded."""

    payments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Go:
    goal: Goal


@dataclass(frozen=True, slots=True)
class Use:
    """An action of the ruleset, with its arguments."""

    action: str
    arguments: tuple[tuple[str, Ir], ...] = ()


Verb = (
    Block
    | Shuffle
    | Draw
    | Move
    | Swap
    | MakeMeld
    | Reveal
    | Remember
    | Roll
    | Ask
    | Interrupt
    | Declare
    | Retire
    | Settle
    | Refund
    | Final
    | Go
    | Use
)


@dataclass(frozen=True, slots=True)
class Loop:
    """`for`: without a letter over seats, each in turn as the seat; else the letter stands for each member: of a set,
    of a list (a tuple, each member an expression), or of numbers (`Const` of type `numbers`)."""

    members: Ir | tuple[Ir, ...]
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One verb. Loops are outermost (the first around the second); `when` (`unless` folded in) is asked for each
    member, and if it does not hold, `other` is done. A step that is never done is not there. `verb`: what it is called
    where it is an event ("draw", the action's name; "" for a block). `path`: where it stands, as `phases.deal.do.0`."""

    verb: str
    does: Verb
    when: Ir | None = None
    other: "tuple[Step, ...]" = ()
    loops: tuple[Loop, ...] = ()
    path: str = ""


# --- the parts


@dataclass(frozen=True, slots=True)
class Phase:
    """`name`: what the table calls it, also where it asks. `who` None: nobody is asked. `secret`: nobody learns the
    answers."""

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
    """`rank` None where seats never compete for it. `group`: the kind made of the tile in question and the hand."""

    id: str
    name: Text
    rank: int | None = None
    most: Ir | None = None
    group: str = ""
    choose: tuple[Choose, ...] = ()
    when: Ir | None = None
    do: tuple[Step, ...] = ()
    then: Goal | None = None


@dataclass(frozen=True, slots=True)
class Restriction:
    """`bars`: offers, offers of a phase (`claims.win`), verbs (every offer that does it) and verbs in a phase."""

    id: str
    bars: tuple[str, ...]
    reason: Text
    when: Ir | None = None


@dataclass(frozen=True, slots=True)
class Trigger:
    id: str
    after: tuple[str, ...]
    do: tuple[Step, ...]
    when: Ir | None = None


@dataclass(frozen=True, slots=True)
class Action:
    id: str
    takes: tuple[tuple[str, str], ...] = ()  # argument -> type
    do: tuple[Step, ...] = ()
    name: Text = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Button:
    """Exactly one of `takes`, `declines`, `sorts` is said."""

    id: str
    name: Text
    takes: str = ""
    declines: tuple[str, ...] = ()
    sorts: str = ""
    when: Ir | None = None
    on: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """`rounds`: the prevailing wind of each, as a tile; those whose tile is not in this game are left out, and where
    none is left, one round is played without a wind. `levels`: what hand, dealership, round and all are called.
    `seating`: for each round after the first the players, from the one who deals first on; fewer where nobody moves.
    `next_dealer`: seats, the first of which deals where the dealer does not stay; nobody: the next seat.
    `equals_share`: players with equal scores share what their places add. `exchange`: what a score becomes at the end,
    before that. `standings`: hands won and who leads the round are told with each hand."""

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
    match: Match = Match()
