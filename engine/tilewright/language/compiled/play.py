"""The compiled play of a ruleset: phases, offers, restrictions, actions, triggers, steps and the match, as frozen data.

Every expression is lowered (see `ir`); options and `if` are folded away. Words that only one place has (choices of an
offer, arguments of an action, letters of a loop, answers to `ask`, dice) are `Word`s of kind `choice`. A step is a verb
with its conditions and loops; a verb becomes an operation on the table and a clause of the rulebook, and all but those
here are declared in `tilewright.language.vocabulary.steps`. The protocols declare what verbs may use for both, so that
the language knows neither. Carries nothing out: `tilewright.play` does.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, TypeVar

from tilewright.language.compiled.ir import Ir

Text = Mapping[str, str]  # language -> text; a plain string is under "en"


@dataclass(frozen=True, slots=True)
class Goal:
    """Where play continues: a phase, `end` or `back`. `seat`: who then has the turn."""

    phase: str
    seat: Ir | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """One thing that is chosen. `kind`: tiles group form number seat suit flag; `type`: that of the word it becomes
    (one tile if exactly one is asked for). Fields that the kind does not use are empty.

    `source` is a zone (as in Move), by default the hand.

    tiles: `least` to `most` of `source`, each of one of the classes `of` (None: any). group: of kind `group` out of
    `source`, or by adding a tile of it to a meld of kind `onto`. form: the tiles of form `form` out of `source`.
    number: `least` to `most`. seat: one of `seats`. flag: yes or no to `question`. `when` asks about the choice.
    `title`: its name for people."""

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
    title: Text = field(default_factory=dict)


MOST_TURNS = 1_000  # of a loop, whatever it waits for: every step ends


Spot = tuple[str, int]  # a zone and its owner (0 for one of the table)


T = TypeVar("T")


H = TypeVar("H", bound="TableHands", contravariant=True)


class Verb:  # no ABC, which takes long to say which verb a step has
    """The action of a step. `leaves`: play continues elsewhere, so nothing can follow it."""

    __slots__ = ()

    leaves: ClassVar[bool] = False

    @abstractmethod
    def operation(self, compiler: "VerbCompiler[H]") -> "Operation[H]":
        """The function that carries it out."""

    @abstractmethod
    def clause(self, speaker: "StepSpeaker") -> str:
        """Its clause in the rulebook; empty if it is not worth mentioning."""

    def times(self) -> Ir | None:
        """How often it is repeated; None: once."""
        return None


# --- verbs at the table


class StepQuestion(Protocol):
    """A question of a step."""

    @property
    def name(self) -> Text: ...
    @property
    def choose(self) -> tuple[Choose, ...]: ...
    @property
    def secret(self) -> bool: ...


class TableHands(Protocol):
    """The table as the acting seat queries and changes it. What happens is recorded as the event of the step."""

    @property
    def seat(self) -> int:
        """The acting seat."""
        ...

    # tiles

    def next_tile(self, spot: Spot, end: str) -> int | None:
        """The tile that a draw takes; None if the zone is empty, and what follows then has begun."""
        ...

    def pick(self, origin: Spot, goal: Spot, count: int, end: str, of: frozenset[int] | None) -> Sequence[int]:
        """This many tiles of a place, of these classes; none if it is empty, and what follows then has begun."""
        ...

    def lying_in(self, tiles: Iterable[object], origins: Sequence[Spot]) -> Sequence[int]:
        """The tiles, and the tiles of groups, that are in these places."""
        ...

    def carry(self, tiles: Sequence[int], goal: Spot) -> None:
        """Move tiles to a place; the last one is in question if others may claim it."""
        ...

    def drew(self, tile: int) -> None:
        """Record that the seat drew the tile, which is now in question."""
        ...

    def exchange(self, one: int, other: int) -> None:
        """Swap two tiles."""
        ...

    def lay(self, group: object, concealed: bool, seen_by: frozenset[int] | None, hand: int | None) -> None:
        """Put a group among the melds of its seat, as one of the hand with this number."""
        ...

    def shuffle(self, spot: Spot, tiles: Sequence[int] | None) -> None:
        """Put every tile, or these, into a place in random order."""
        ...

    def show(self, tiles: Sequence[int], seats: Iterable[int] | None) -> None:
        """Show the tiles to these seats, or to everyone."""
        ...

    def hide(self, tiles: Sequence[int]) -> None:
        """Turn the tiles face down: they are no longer shown to anyone who does not see them where they lie."""
        ...

    # memory and chance

    def remember(self, mark: str, value: object) -> None:
        """Set a mark."""
        ...

    def chance(self, count: int) -> int:
        """A random number below this one."""
        ...

    def decide(self, name: str, value: object, type: str) -> None:
        """Set the die, or the mark of this name, to a value."""
        ...

    # course

    def interrupt(self, phase: str, tile: int | None) -> None:
        """Run a phase now, with the tile in question if one is named."""
        ...

    def retire(self, seat: int) -> None:
        """Take the seat out of this hand."""
        ...

    # worth

    def win(self, seat: int, tiles: Sequence[int] | None) -> bool:
        """Show the hand of the seat, or these tiles of it, as won; False if it is not a winning hand."""
        ...

    def finish(self, hand: int | None, goal: Spot | None) -> None:
        """Close a hand of the acting seat, by default the one that it has declared last, and move its tiles to a
        place."""
        ...

    def settle(self, payments: str) -> None:
        """Carry out payments for the acting seat."""
        ...

    def refund(self, payments: Sequence[str]) -> None:
        """Refund what the acting seat got by these payments in this hand."""
        ...

    def keep(self, payments: Sequence[str]) -> None:
        """Keep what the acting seat got by the last of these payments."""
        ...


Operation = Callable[[H], bool | None]  # True: a seat is asked, or a pausing game stops


Operand = Callable[[H], T]


class VerbCompiler(Protocol[H]):
    """Compiles the expressions of a verb."""

    def zones(self, ir: Ir | None) -> Operand[H, Sequence[Spot]]:
        """The places of an expression for a zone; None: the wall."""
        ...

    def tiles(self, ir: Ir) -> Operand[H, Sequence[int]]:
        """Tiles of the table, those of groups too."""
        ...

    def members(self, ir: Ir) -> Operand[H, Sequence[int]]:
        """Tiles, groups or seats, unconverted."""
        ...

    def number(self, ir: Ir) -> Operand[H, int]: ...
    def value(self, ir: Ir) -> Operand[H, object]: ...

    def classes(self, of: tuple[Ir, ...]) -> Operand[H, frozenset[int]]:
        """The tiles of any of these classes."""
        ...

    def question(self, question: StepQuestion, who: Ir) -> Operation[H]:
        """Compile a question to seats."""
        ...

    def goal(self, goal: Goal) -> Operation[H]:
        """Compile a change to a phase."""
        ...

    def action(self, name: str, arguments: Sequence[tuple[str, Ir]]) -> Operation[H]:
        """Compile an action of the ruleset."""
        ...


# --- verbs in words


class StepSpeaker(Protocol):
    """Puts the parts of a step into words, in one language."""

    def blanks(self, id: str) -> frozenset[str]:
        """The names of the blanks of a message."""
        ...

    def message(self, id: str, **blanks: object) -> str: ...
    def actor(self) -> str:
        """The acting seat."""
        ...

    def zone(self, id: str) -> str: ...
    def tiles(self, ir: Ir) -> str:
        """Tiles, or a zone without its article."""
        ...

    def set_of(self, ir: Ir) -> str:
        """A set, or a zone with its article."""
        ...

    def seats(self, ir: Ir) -> str: ...
    def counted(self, ir: Ir) -> str:
        """So many tiles."""
        ...

    def thing(self, ir: Ir) -> str: ...
    def truth(self, ir: Ir) -> str: ...
    def mark_name(self, id: str) -> str:
        """The name of a mark; empty if it has none besides its id."""
        ...

    def name(self, text: Text) -> str: ...
    def choices(self, choose: tuple[Choose, ...]) -> str: ...
    def phase_name(self, id: str) -> str: ...
    def goal(self, goal: Goal) -> str: ...
    def payments(self, ids: tuple[str, ...]) -> str: ...
    def payment_in_full(self, id: str) -> str | None:
        """Payments of one short line as that line; "" if nothing is paid, None if they are longer."""
        ...

    def listed(self, members: Sequence[str]) -> str: ...
    def in_turn(self, clauses: Sequence[str]) -> str: ...
    def used_action(self, name: str, arguments: Sequence[tuple[str, Ir]]) -> str:
        """An action of the ruleset with its arguments; empty if its steps are not described."""
        ...


# --- steps


@dataclass(frozen=True, slots=True)
class Numbers:
    """The whole numbers from one to another, both included; none if the first is higher."""

    least: Ir
    most: Ir


@dataclass(frozen=True, slots=True)
class Loop:
    """`for`: without a letter over seats, each in turn as the seat; else the letter stands for each member: of a set,
    of a list (a tuple, each member an expression), or of numbers."""

    members: Ir | tuple[Ir, ...] | Numbers
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One verb. Loops are outermost (the first around the second); `until` is asked before each turn for each member,
    and once it holds, the step is over; `when` (`unless` folded in) is asked in each turn, and if it does not hold,
    `other` is done. Steps that are never done are left out. `verb`: its name as an event ("draw", the action's name; ""
    for a block). `path`: its place, as `phases.deal.do.0`."""

    verb: str
    does: "Verb | StepBlock"
    when: Ir | None = None
    other: "tuple[Step, ...]" = ()
    loops: tuple[Loop, ...] = ()
    until: Ir | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class StepBlock:
    """`do`: steps instead of a verb."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Use(Verb):
    """An action of the ruleset, with its arguments."""

    leaves: ClassVar[bool] = True

    action: str
    arguments: tuple[tuple[str, Ir], ...] = ()

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        return compiler.action(self.action, self.arguments)

    def clause(self, speaker: StepSpeaker) -> str:
        return speaker.used_action(self.action, self.arguments)


def every_step(steps: Iterable[Step]) -> Iterator[Step]:
    """Every step of a list and of those inside it."""
    for step in steps:
        yield step
        if isinstance(step.does, StepBlock):
            yield from every_step(step.does.steps)
        yield from every_step(step.other)


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
