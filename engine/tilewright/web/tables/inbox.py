"""The inbox of a table: what its actor handles, one after another."""

import time
from dataclasses import dataclass, field

from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import TableMessage


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """A message of a page. `since`: when it came, by the monotonic clock."""

    client: Client
    message: TableMessage
    since: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class ClientGone:
    """A page was closed."""

    client: Client


@dataclass(frozen=True, slots=True)
class PersonRenamed:
    """A person was renamed."""

    person: int
    name: str


@dataclass(frozen=True, slots=True)
class BotAnswered:
    """A bot has thought about the question with this number."""

    seq: int
    player: int
    move: dict[str, str] | None


@dataclass(frozen=True, slots=True)
class Stop:
    """Close the table here."""


@dataclass(frozen=True, slots=True)
class CloseGame:
    """End the game: those who run the server want it."""


Happening = ClientMessage | ClientGone | PersonRenamed | BotAnswered | Stop | CloseGame
