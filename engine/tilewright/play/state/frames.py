"""Frames: steps that are being carried out, and seats that are asked, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from tilewright.language.compiled.play import StepQuestion
from tilewright.play.program.choices import Choices, Option
from tilewright.play.program.compiled import Operations


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
