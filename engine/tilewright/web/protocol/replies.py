"""Messages that the server sends over the socket: typed classes, each encoded once; and the clients that they are sent
to: open pages as tables see them.

docs/web-protocol.md has every message with an example. A page that is connected to another server is a client like any
other (see `relay`). Knows no table and no connection.
"""

import hmac
from abc import ABC, abstractmethod
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal

from msgspec import Raw, Struct

from tilewright.web.protocol.messages import Id, Join
from tilewright.web.protocol.moments import Parts
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.shape import json_text
from tilewright.web.storage.rows import Person

Plain = dict[str, Any]


class FromServer(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="say", tag=str.lower):
    """The base of all messages. `id`: that of the page's message to which this is the reply."""

    id: Id = None


# --- the state of a table


class SeatInfo(Struct, frozen=True):
    """A seat. `taken`: by a bot or a person; `here`: a page of that person is open; `played_by`: who answers."""

    player: int
    kind: Literal["person", "bot"]
    bot: str | None
    name: str
    taken: bool
    here: bool
    played_by: Literal["person", "bot"]


class SpectatorInfo(Struct, frozen=True):
    """A person who watches. `number`: for the message `remove`."""

    number: int
    name: str


class OwnDocument(Struct, frozen=True):
    """A document of the rules that somebody wrote, and nobody checked: whatever its `name`, it is no bundled one.
    `beside`: a text that the others name."""

    kind: Literal["ruleset", "mod", "beside", "card"]
    name: str


class TableInfo(Struct, frozen=True):
    """The public state of a table, which reveals no tiles. `me`: the receiver's player; `host`: the receiver made the
    table; `hand`: the number of the hand; `watching`: how many spectators; `spectators`: who they are, for
    the host; `next`: the code of the table that follows this one, for those who may see it; `problem`: why it is
    broken; `own`: what of its rules people wrote themselves; `fair`: the rules are bundled ones, except perhaps a card,
    the hash of each deal is published before the hand, and nobody chose the seed."""

    code: str
    name: str
    spec: Plain
    setup: Plain
    state: Literal["waiting", "playing", "over", "broken"]
    seats: list[SeatInfo]
    digest: str | None
    next: str | None
    created: float
    host: bool
    me: int | None
    hand: int
    scores: list[int | float]
    watching: int
    spectators: list[SpectatorInfo]
    problem: Mapping[str, str] | None
    own: list[OwnDocument]
    fair: bool


class TimeWindow(Struct, frozen=True):
    """The milliseconds left, of so many; null where there is no limit."""

    ms: int | None
    of: int | None


class TimeToAnswer(Struct, frozen=True):
    """The milliseconds left for this player."""

    player: int
    ms: int


class ChatLine(Struct, frozen=True):
    """What a player has said: one of the phrases, or a text."""

    player: int
    name: str
    phrase: str | None
    text: str | None


# --- messages


class Welcome(FromServer, frozen=True, tag="hello"):
    """The reply to the first message: the person, and the limits of messages. `key`: the secret of the person."""

    v: int
    key: str
    version: str
    person: Mapping[str, str]
    limits: Mapping[str, int | float]


class Done(FromServer, frozen=True):
    """A request was carried out."""

    table: str | None = None


class Pong(FromServer, frozen=True):
    """The reply to `ping`."""


class ShowTable(FromServer, frozen=True, tag="table"):
    """All that a page needs to draw a table. `token`: the secret of the seat's link, for its person alone;
    `stood_in`: a bot played for the person until now;
    `about_digest`: names the rules for `GET /api/about/DIGEST`; `story`: the last events; `pressed`: buttons that are
    on; `view`: its parts by path; `result`: of the hand that has just ended, or of the last one if the table is
    over; `chat`: what was said last."""

    table: str
    info: TableInfo
    about_digest: str | None
    token: str | None
    stood_in: bool
    pressed: tuple[str, ...]
    seq: int
    view: Parts | None
    asked: tuple[int, ...]
    story: list[Raw]
    result: Plain | None
    claim: TimeWindow | None
    clock: TimeToAnswer | None
    pause: TimeWindow | None
    chat: list[ChatLine]


class ShowInfo(FromServer, frozen=True, tag="info"):
    """The state of a table, whenever it changes."""

    table: str
    info: TableInfo


class ShowStep(FromServer, frozen=True, tag="step"):
    """A moment of the game. `view`: the parts that have changed; `asked`: players who have to answer, as far as the
    receiver may know; `claim`: everybody waits so long, since a tile may be claimed; `clock`: whose time to answer
    runs; `pause`: when the next hand begins, at the latest."""

    table: str
    seq: int
    asked: tuple[int, ...]
    claim: TimeWindow | None
    clock: TimeToAnswer | None
    pause: TimeWindow | None
    view: Parts
    events: list[Raw]
    result: Plain | None


class ShowChat(FromServer, frozen=True, tag="chat"):
    """What a player says to all who are at the table."""

    table: str
    line: ChatLine


class GiveHelp(FromServer, frozen=True, tag="help"):
    """Advice requested by a page."""

    table: str
    what: str
    found: Plain


class ShowInvite(FromServer, frozen=True, tag="invite"):
    """A new invite code, valid for so many seconds, while somebody can sit down."""

    table: str
    code: str
    seconds: int


class NextTable(FromServer, frozen=True, tag="again"):
    """The code of the table where the same people play again."""

    table: str
    next: str | None


class ShowLobby(FromServer, frozen=True, tag="lobby"):
    """Open tables with somebody present."""

    tables: list[TableInfo]


class Error(FromServer, frozen=True):
    """A message was refused, and changed nothing. `message` and `hint` are by language."""

    code: str
    message: Mapping[str, str]
    table: str | None = None
    hint: Mapping[str, str] | None = None
    problems: tuple[Mapping[str, Any], ...] = ()


class Bye(FromServer, frozen=True):
    """The server closes the connection."""

    reason: str


ServerMessage = (
    Welcome
    | Done
    | Pong
    | ShowTable
    | ShowInfo
    | ShowStep
    | ShowChat
    | GiveHelp
    | ShowInvite
    | NextTable
    | ShowLobby
    | Error
    | Bye
)


def error_of(refused: Refused, id: Id = None, table: str | None = None) -> Error:
    """A refusal as a message."""
    return Error(refused.code, refused.message, table, refused.hint, refused.problems, id=id)


# --- clients


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
