"""Frames: steps that are being carried out, as data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilewright.play.scene import TableScene

if TYPE_CHECKING:
    from tilewright.play.game import Game

Operation = Callable[["Game", "Frame"], bool | None]


@dataclass(slots=True)
class Code:
    """Operations by their place. `name`: whose they are; `phase`: they are those of a phase."""

    name: str
    operations: list[Operation] = field(default_factory=list)
    phase: bool = False


@dataclass(slots=True)
class Open:
    """A loop that runs: its members, the place of the present one, what the seat and the letters were before."""

    members: tuple[Any, ...]
    at: int
    seat: int
    letters: dict[str, Any]


@dataclass(slots=True)
class Before:
    """What is put back when an interruption ends."""

    tile: int | None
    discarder: int | None
    turn: int
    group: Any


@dataclass(frozen=True, slots=True)
class Subject:
    """The tile that a phase asked about, or that an offer was of, and whose discard it was."""

    tile: int
    discarder: int | None


NO_FACTS: Mapping[str, Any] = {}


class Frame:
    """Steps that are being carried out. `facts`: what is in question for them, over what the game remembers; `takers`:
    what is still to be carried out of the answers to a phase; `goal`: where the phase then goes; `before`: it
    interrupts others; `subject`: what the triggers after it are about."""

    __slots__ = ("at", "before", "code", "facts", "goal", "letters", "loops", "seat", "subject", "takers")

    def __init__(
        self,
        code: Code,
        seat: int,
        letters: dict[str, Any],
        before: Before | None = None,
        facts: Mapping[str, Any] = NO_FACTS,
        subject: Subject | None = None,
    ) -> None:
        self.code, self.at, self.seat, self.letters, self.before = code, 0, seat, letters, before
        self.facts, self.subject = facts, subject
        self.loops: tuple[Open, ...] = ()
        self.takers: tuple[Any, ...] = ()
        self.goal: Any = None

    def scene(self, game: "Game") -> TableScene:
        """The table as the acting seat asks it."""
        return TableScene(game, self.seat, self.letters, self.facts)

    def copy(self) -> "Frame":
        """The same, to go its own way."""
        other = Frame(self.code, self.seat, self.letters, self.before, self.facts, self.subject)
        other.at, other.takers, other.goal = self.at, self.takers, self.goal
        other.loops = tuple(Open(loop.members, loop.at, loop.seat, loop.letters) for loop in self.loops)
        return other
