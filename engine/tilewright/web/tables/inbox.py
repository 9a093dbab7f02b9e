"""The inbox of a table: what its actor handles, one after another."""

from dataclasses import dataclass

from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import TableMessage


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """A message of a page."""

    client: Client
    message: TableMessage


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


Happening = ClientMessage | ClientGone | PersonRenamed | BotAnswered | Stop
