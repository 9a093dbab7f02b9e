"""Clients: open pages as tables see them: their person, and how to send them messages.

A page that is connected to another server is a client like any other (see `relay`).
"""

import hmac
from abc import ABC, abstractmethod
from hashlib import sha256

from tilewright.web.protocol.messages import Id, Join
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import Done, FromServer, error_of
from tilewright.web.protocol.strict_json import json_text
from tilewright.web.storage import Person


class Client(ABC):
    """A page. `id` is unique on a server; `joins`: how it joined its tables, by code; `address`: where it connects
    from."""

    address = ""

    def __init__(self, id: str, person: Person, lang: str) -> None:
        self.id, self.person, self.lang = id, person, lang
        self.joins: dict[str, Join] = {}

    @abstractmethod
    def send_text(self, text: str) -> None:
        """Queue a message; never waits."""

    def dismiss(self, reason: str) -> None:  # noqa: B027  # the server of a page that is connected there does it
        """Close the page, if it is connected here."""

    @property
    def queued_bytes(self) -> int:
        """Bytes that wait for the page to read them, if it is connected here."""
        return 0

    @abstractmethod
    def seat_secret(self, code: str) -> str:
        """The key from which secret links of this person's seats at a table are made."""

    @abstractmethod
    def moved(self, code: str) -> None:
        """A table is now played elsewhere and must be joined there."""

    def send(self, message: FromServer) -> None:
        self.send_text(json_text(message))

    def done(self, id: Id, table: str | None = None) -> None:
        """Confirm a request, if the page gave it an id."""
        if id is not None:
            self.send(Done(table, id=id))

    def refuse(self, refused: Refused, id: Id = None, table: str | None = None) -> None:
        self.send(error_of(refused, id, table))

    def seat_token(self, code: str, player: int) -> str:
        """The secret of the link that gives this person's seat back."""
        return keyed(self.seat_secret(code), f"seat {player}")


def keyed(secret: str, what: str) -> str:
    """A secret derived from another one, which it does not reveal."""
    return hmac.new(secret.encode(), what.encode(), sha256).hexdigest()[:40]
