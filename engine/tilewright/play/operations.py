"""What steps, offers, choices, restrictions and triggers are compiled to, what seats may choose, and frames: steps that
are being carried out and seats that are asked. Data with functions; knows no table.

A watch is told of everything that the games of a program ask and do, to see what plays reach. Ordinary programs have
none, and take no longer for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self

from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.play import Choose, Offer, Restriction, StepQuestion
from tilewright.play.model import Move, Pick, Refusal, Won

SceneFunction = Callable[..., Any]  # of a `TableScene` and its letters: the value of an expression


@dataclass(slots=True)
class Operations:
    """Operations in order, each a function of a table and a frame. `name`: what they belong to; `phase`: whether that
    is a phase; `paths`: of the steps whose operation has this number."""

    name: str
    operations: list[Callable[..., bool | None]] = field(default_factory=list)
    phase: bool = False
    paths: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listeners:
    """What an event sets off: marks that it ends (of its own seat, of every seat, of the table) and triggers."""

    own: tuple[str, ...] = ()
    every: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    triggers: "tuple[CompiledTrigger, ...]" = ()


@dataclass(frozen=True, slots=True)
class CompiledTrigger:
    """A trigger: its condition, its steps alone, and its steps behind the condition; the arguments that it is given."""

    when: SceneFunction | None
    steps: Operations
    code: Operations
    takes: tuple[str, ...] = ()

    def given(self, letters: Mapping[str, Any]) -> dict[str, Any]:
        """Its arguments, of those of the event."""
        return {name: letters[name] for name in self.takes}


@dataclass(frozen=True)
class CompiledChoice:
    """A choice, with its functions. `near`: tiles of one zone of the seat or of the table; `alone`: they do not depend
    on what else is chosen; `alike`: if the condition compares a property of the tile with an earlier choice, that
    property and the name of the choice."""

    choose: Choose
    most: SceneFunction | None
    least: SceneFunction | None
    source: SceneFunction | None
    classes: SceneFunction | None
    seats: SceneFunction | None
    when: SceneFunction | None
    near: bool
    alone: bool
    alike: tuple[SceneFunction, str] | None


@dataclass(frozen=True, slots=True)
class CompiledBar:
    """A restriction, with the function that says when it bars. `late`: it depends on what is chosen; `ever`: whether it
    may bar any choice now (None: not known in advance)."""

    restriction: Restriction
    holds: SceneFunction | None
    late: bool
    ever: SceneFunction | None


@dataclass(frozen=True)
class CompiledOffer:
    """An offer in one phase, with its functions. Its condition is `early` or, if it depends on what is chosen, `late`.
    `wins`: it declares a hand; `asks_wins`: its condition is that the hand wins. `from_own_hand`: the name of the
    choice, if one tile of the own hand is all that is chosen, with its `moves` by seat and face; `of_group`: a group of
    the hand, or a meld that grows, is chosen first; `helped`: wild tiles may stand in its group; `alone`: of several
    choices, those of one tile that do not depend on earlier ones; `swaps`: pairs of tiles that change places."""

    offer: Offer
    early: SceneFunction | None
    late: SceneFunction | None
    most: SceneFunction | None
    choosing: tuple[CompiledChoice, ...]
    code: Operations
    bars: tuple[CompiledBar, ...]
    then: tuple[str, SceneFunction | None] | None
    wins: bool
    asks_wins: bool
    from_own_hand: str | None
    alone: tuple[CompiledChoice, ...]
    swaps: tuple[tuple[SceneFunction, SceneFunction], ...]
    of_group: bool
    helped: bool
    moves: tuple[dict[int, Move], ...]


Letters = Mapping[str, Any]


@dataclass(slots=True)
class Option:
    """One complete choice: the move, the offer (None: an answer), the values of its words."""

    move: Move
    offering: CompiledOffer | None
    letters: Letters
    facts: Letters = field(default_factory=dict)


@dataclass(slots=True)
class OpenChoice:
    """A described choice: the pick, the tiles of the table behind its texts, and the other choices."""

    pick: Pick
    lying: tuple[int, ...]
    offering: CompiledOffer | None
    choosing: CompiledChoice
    letters: Letters


@dataclass(slots=True)
class Choices:
    """What a seat may do: options, described choices, and refusals, if wanted. `own`: offers of any one tile of the
    hand, each with its moves and their tiles: by far the most common choice, made an option when it is taken."""

    options: list[Option] = field(default_factory=list)
    picks: list[OpenChoice] = field(default_factory=list)
    refused: list[Refusal] | None = None
    own: list[tuple[CompiledOffer, list[tuple[Move, int]]]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.own or self.options or self.picks)

    def moves(self) -> list[Move]:
        """Every complete move."""
        return [option.move for option in self.options] + [move for _, tiles in self.own for move, _ in tiles]

    def offers(self) -> set[str]:
        """The offers among them."""
        own = {offering.offer.id for offering, tiles in self.own if tiles}
        return own | {one.move.does for one in self.options} | {one.pick.does for one in self.picks}

    def every(self) -> list[Option]:
        """Every complete choice."""
        return [
            *self.options,
            *(own_option(offering, move, tile) for offering, tiles in self.own for move, tile in tiles),
        ]

    def option(self, wanted: Move) -> Option | None:
        """The option of a listed move."""
        for offering, tiles in self.own:
            for move, tile in tiles:
                if move is wanted:
                    return own_option(offering, move, tile)
        for offering, tiles in self.own:
            for move, tile in tiles:
                if move == wanted:
                    return own_option(offering, move, tile)
        return next((option for option in self.options if option.move is wanted or option.move == wanted), None)

    def offerings(self) -> list[CompiledOffer | None]:
        """The offers with at least one choice."""
        return [
            *(offering for offering, _ in self.own),
            *(option.offering for option in self.options),
            *(opened.offering for opened in self.picks),
        ]


def own_option(offering: CompiledOffer, move: Move, tile: int) -> Option:
    """The option of one tile of the own hand."""
    letters = {offering.from_own_hand or "": (tile,)}
    return Option(move, offering, letters, letters)


@dataclass(slots=True)
class OpenLoop:
    """A running loop: its members, the index of the current one, the seat and the letters before it."""

    members: tuple[Any, ...]
    at: int
    seat: int
    letters: dict[str, Any]


@dataclass(slots=True)
class Interruption:
    """What is restored when an interruption ends."""

    tile: int | None
    discarder: int | None
    turn: int
    group: Any


@dataclass(frozen=True, slots=True)
class Subject:
    """The tile that a phase asked about or an offer was about, and who discarded it."""

    tile: int
    discarder: int | None


NO_FACTS: Mapping[str, Any] = {}


class Frame:
    """Steps that are being carried out. `facts`: what is in question for them, overriding what the game remembers;
    `takers`: answers to a phase that are still to be carried out; `goal`: where the phase then goes; `before`: it
    interrupts others; `subject`: what the triggers after it are about."""

    __slots__ = ("at", "before", "code", "facts", "goal", "letters", "loops", "seat", "subject", "takers")

    def __init__(
        self,
        code: Operations,
        seat: int,
        letters: dict[str, Any],
        before: Interruption | None = None,
        facts: Mapping[str, Any] = NO_FACTS,
        subject: Subject | None = None,
    ) -> None:
        self.code, self.at, self.seat, self.letters, self.before = code, 0, seat, letters, before
        self.facts, self.subject = facts, subject
        self.loops: tuple[OpenLoop, ...] = ()
        self.takers: tuple[Any, ...] = ()
        self.goal: Any = None

    def copy(self) -> "Frame":
        """An independent copy."""
        other = Frame(self.code, self.seat, self.letters, self.before, self.facts, self.subject)
        other.at, other.takers, other.goal = self.at, self.takers, self.goal
        other.loops = tuple(OpenLoop(loop.members, loop.at, loop.seat, loop.letters) for loop in self.loops)
        return other


@dataclass(slots=True)
class AnswerWindow:
    """Seats that have to answer. `phase`: whose offers are asked about, or the step that asks (`ask`); `choices`: what
    each may do; `answers`: what was answered."""

    phase: str
    name: Mapping[str, str]
    may_pass: bool
    choices: dict[int, Choices]
    ask: StepQuestion | None = None
    answers: dict[int, Option] = field(default_factory=dict)

    def copy(self) -> Self:
        """An independent copy."""
        return replace(self, answers=dict(self.answers))


class Watch(Protocol):
    """What is told of each game of a program."""

    def asks(self, ir: Ir, scene: Any, letters: Mapping[str, Any]) -> None:
        """An expression is evaluated."""
        ...

    def begins(self, section: str, name: str) -> None:
        """The steps of an offer, action, trigger or phase begin."""
        ...

    def settles(self, payments: str, scene: Any) -> None:
        """Payments are carried out."""
        ...

    def wins(self, won: Won) -> None:
        """A hand is declared."""
        ...
