"""The inbox of a table: what its actor handles, one after another, and so many messages of each page at most."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field

from tilewright.web.protocol import refusals
from tilewright.web.protocol.messages import TableMessage
from tilewright.web.protocol.replies import Client


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


class Inbox(asyncio.Queue[Happening]):
    """`most`: messages of a page that are not handled yet."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.unread: Counter[str] = Counter()

    def put_nowait(self, item: Happening) -> None:
        """Raises Refused for a message of a page that waits for too many others already."""
        if isinstance(item, ClientMessage):
            if self.unread[item.client.id] >= self.most:
                raise refusals.too_fast()
            self.unread[item.client.id] += 1
        super().put_nowait(item)

    def get_nowait(self) -> Happening:
        item = super().get_nowait()
        if isinstance(item, ClientMessage):
            self.unread[item.client.id] -= 1
            if not self.unread[item.client.id]:
                del self.unread[item.client.id]
        return item
