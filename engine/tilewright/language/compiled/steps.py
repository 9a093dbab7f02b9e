"""Steps of play: a verb with its conditions and loops, and the interface of verbs.

A verb becomes an operation on the table and a clause of the rulebook; all but those here are declared in
`tilewright.language.vocabulary.steps`. The protocols declare what verbs may use to be carried out and put into words,
so that the language knows neither.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

from tilewright.language.compiled.choices import Choose, Goal, Text
from tilewright.language.compiled.ir import Ir

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


# --- at the table


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


# --- in words


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
