"""Happenings: what happens to a table that is played, one after the other."""

from dataclasses import dataclass

from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import TableMessage


@dataclass(frozen=True, slots=True)
class Said:
    """A page says something."""

    client: Client
    message: TableMessage


@dataclass(frozen=True, slots=True)
class Gone:
    """A page is closed."""

    client: Client


@dataclass(frozen=True, slots=True)
class Called:
    """A person is called otherwise."""

    person: int
    name: str


@dataclass(frozen=True, slots=True)
class Thought:
    """A bot has thought about the question with this number."""

    seq: int
    player: int
    move: dict[str, str] | None


@dataclass(frozen=True, slots=True)
class Stop:
    """The table is to be put away."""


Happening = Said | Gone | Called | Thought | Stop
