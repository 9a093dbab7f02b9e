"""Messages that pages send over the socket: typed classes, from which they are read, checked and described.

In: the text of a message. Out: a frozen message, or Refused with what is wrong in it. docs/web-protocol.md has every
message with an example, and the fields as they are declared here. Knows no table and no connection.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.refusals import bad_message, other_version
from tilewright.web.protocol.settings import MOST_DELAY
from tilewright.web.protocol.shape import read_as, read_json, worded, wrong, wrong_field
from tilewright.web.protocol.spec import MOST_NUMBER, Spec
from tilewright.web.storage.rows import clean_name

KEY_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
LEAST_KEY, MOST_KEY = 32, 128

VERSION = 2
Plain = dict[str, Any]
MOST_NAME = 24  # characters of a person's name,
MOST_TITLE = 40  # and of a table's
MOST_CHAT = 120  # and of a line of a chat
MOST_SEATS = 12
MOST_MOVE = 16  # choices of a move,
MOST_CHOICE = 500  # and characters of each
MOST_BUTTONS = 30
MOST_ID = 64
MOST_CODE = 32

Id = Annotated[str, Meta(max_length=MOST_ID)] | Annotated[int, Meta(ge=-MOST_NUMBER, le=MOST_NUMBER)] | None
Code = Annotated[str, worded("shape.table_code", longest=MOST_CODE)]
Player = Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)]
Seq = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
BotName = Literal["fast", "careful", "strong", "random"]
HelpKind = Literal["hint", "waits", "nearest"]
Phrase = Literal["hello", "good_luck", "nice", "well_played", "thanks", "sorry", "moment", "bye"]
Key = Annotated[str, worded("shape.key", longest=200)]
Name = Annotated[str, worded("shape.name", longest=10 * MOST_NAME, most=MOST_NAME)]
Title = Annotated[str, worded("shape.title", longest=10 * MOST_TITLE, most=MOST_TITLE)]
ChatText = Annotated[str, worded("shape.chat", longest=10 * MOST_CHAT, most=MOST_CHAT)]
Move = Annotated[
    dict[Annotated[str, Meta(max_length=60)], Annotated[str, Meta(max_length=MOST_CHOICE)]],
    worded("shape.move", longest=MOST_MOVE, example='{"move": "pass"}'),
]
Buttons = Annotated[
    tuple[Annotated[str, Meta(max_length=60)], ...],
    worded("shape.texts", longest=MOST_BUTTONS, most=MOST_BUTTONS),
]


# --- setup of a table


class SeatSetup(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who is to have a seat: a person, or a bot of this name (`fast`, if none is named)."""

    kind: Literal["person", "bot"]
    bot: BotName | None = None

    def __post_init__(self) -> None:
        if self.kind == "bot" and self.bot is None:
            msgspec.structs.force_setattr(self, "bot", "fast")


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is played. `seats` by player; seconds as the page sets them, `claim_seconds` by who plays unless they
    are set; `spectator_delay` in answers."""

    seats: Annotated[
        tuple[SeatSetup, ...],
        worded("shape.seats", shortest=1, longest=MOST_SEATS, most=MOST_SEATS),
    ]
    public: bool = False
    name: Title = ""
    help: bool = True
    spectators: bool = True
    claim_seconds: Annotated[float, Meta(ge=0, le=10)] | None = None
    move_seconds: Annotated[float, Meta(ge=5, le=300)] | None = None
    bot_seconds: Annotated[float, Meta(ge=0, le=10)] = 0.4
    away_seconds: Annotated[float, Meta(ge=0, le=3_600)] = 60.0
    spectator_delay: Annotated[int, Meta(ge=0, le=MOST_DELAY)] = 3
    chat: bool = True

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "name", clean_name(self.name, MOST_TITLE))

    def to_json(self) -> Plain:
        """As stored and sent."""
        found: Plain = msgspec.to_builtins(self)
        return found

    @property
    def expects(self) -> int:
        """How many people it expects."""
        return sum(seat.kind == "person" for seat in self.seats)


# --- messages of a page


class FromPage(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, tag_field="say", tag=str.lower
):
    """The base of all messages. `id`: the page's own number or short text for it; the reply has the same."""

    id: Id = None

    @property
    def say(self) -> str:
        """The name of the kind of message."""
        return str(self.__struct_config__.tag)


class Hello(FromPage, frozen=True):
    """The first message: the version that the page speaks, and the key of the person, if there is one already."""

    v: Annotated[int, Meta(ge=0, le=1_000_000)]
    key: Key | None = None
    name: Name | None = None
    lang: Annotated[str, Meta(max_length=35)] = "en"

    def __post_init__(self) -> None:
        if self.key is not None and not is_key(self.key):
            raise wrong_field(type(self), self.say, "key")
        msgspec.structs.force_setattr(self, "name", clean_name(self.name or "", MOST_NAME) or None)


class Make(FromPage, frozen=True):
    """Open a table: what is played, how, and which seat (a player) the sender takes."""

    spec: Spec
    setup: Setup
    sit: Player | None = None

    def __post_init__(self) -> None:
        seats = self.setup.seats
        if self.sit is not None and (self.sit >= len(seats) or seats[self.sit].kind != "person"):
            raise wrong("make", "sit", translations("shape.persons_seat"))


class Rename(FromPage, frozen=True):
    """Change the name of the person, everywhere."""

    name: Name

    def __post_init__(self) -> None:
        name = clean_name(self.name, MOST_NAME)
        if not name:
            raise wrong_field(type(self), self.say, "name")
        msgspec.structs.force_setattr(self, "name", name)


class WatchLobby(FromPage, frozen=True, tag="lobby"):
    """Get the open tables now and whenever they change, or stop that."""

    on: bool


class Ping(FromPage, frozen=True):
    """A sign of life."""


class AtTable(FromPage, frozen=True):
    """The base of messages to a table: its code, as typed."""

    table: Code

    def __post_init__(self) -> None:
        code = self.table.strip().upper()
        if not code.isascii() or not code.isalnum():
            raise wrong_field(type(self), self.say, "table")
        msgspec.structs.force_setattr(self, "table", code)


class Join(AtTable, frozen=True):
    """Follow a table, or play at it. `seat`: the secret of a seat's link, which gives the seat back elsewhere."""

    seat: Annotated[str, Meta(max_length=128)] | None = None


class Leave(AtTable, frozen=True):
    """Stop following a table, and keep the seat."""


class Sit(AtTable, frozen=True):
    """Take a free seat. `invite`: the table's invite code, which a seat that becomes free in a private game needs."""

    player: Player
    invite: Annotated[str, Meta(max_length=MOST_CODE)] | None = None


class Stand(AtTable, frozen=True):
    """Give up the seat."""


class Start(AtTable, frozen=True):
    """Start play: free seats become fast bots. For the host."""


class Set(AtTable, frozen=True):
    """Assign a seat, while the table waits. For the host."""

    player: Player
    seat: SeatSetup


class Invite(AtTable, frozen=True):
    """Get a new invite code, in place of the one before. For the host."""


class Spectators(AtTable, frozen=True):
    """Let others watch, or not. For the host."""

    on: bool


class Chatting(AtTable, frozen=True):
    """Let players chat, or not. For the host."""

    on: bool


class Chat(AtTable, frozen=True):
    """Say something to all who are at the table: a phrase, which each reads in their own language, or a line of text.
    For players."""

    phrase: Phrase | None = None
    text: ChatText | None = None

    def __post_init__(self) -> None:
        AtTable.__post_init__(self)
        text = clean_name(self.text or "", MOST_CHAT) or None
        if (self.phrase is None) == (text is None):
            raise wrong_field(type(self), self.say, "text")
        msgspec.structs.force_setattr(self, "text", text)


class Remove(AtTable, frozen=True):
    """Remove a spectator, by the number in `info`. For the host."""

    spectator: Annotated[int, Meta(ge=0, le=MOST_NUMBER)]


class Again(AtTable, frozen=True):
    """Play the same again at a new table, when this one is over."""


class Answer(AtTable, frozen=True):
    """A move, in answer to the question of the step with this number."""

    seq: Seq
    move: Move

    def __post_init__(self) -> None:
        AtTable.__post_init__(self)
        if "move" not in self.move:
            raise wrong_field(type(self), self.say, "move")


class Ready(AtTable, frozen=True):
    """Continue: skip a claim window without being asked, or leave a result."""

    seq: Seq


class Press(AtTable, frozen=True):
    """Which buttons are on, all of them."""

    on: Buttons


class AskHelp(AtTable, frozen=True, tag="help"):
    """Get advice: what a bot would do, what the hand waits for, which hands are nearest."""

    what: HelpKind


TableMessage = (
    Join
    | Leave
    | Sit
    | Stand
    | Start
    | Set
    | Invite
    | Spectators
    | Remove
    | Chatting
    | Chat
    | Again
    | Answer
    | Ready
    | Press
    | AskHelp
)
Message = Hello | Make | Rename | WatchLobby | Ping | TableMessage


KINDS: Mapping[str, type[Message]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Message)}


class Heading(Struct, frozen=True):
    """What is looked at first in a message: its kind, the version of a hello, and what its refusal refers to."""

    say: Any = None
    v: Any = None
    id: Any = None
    table: Any = None

    @property
    def id_given(self) -> Id:
        """The id that the page gave its message, if it is valid."""
        id = self.id
        is_id = abs(id) <= MOST_NUMBER if type(id) is int else isinstance(id, str) and len(id) <= MOST_ID
        return id if is_id else None

    @property
    def table_given(self) -> str | None:
        return self.table[:MOST_CODE] if isinstance(self.table, str) else None


def heading_of(data: bytes) -> Heading:
    """The heading of a message. Raises Refused if the text is not a JSON object."""
    return read_json(Heading, data, "message")


def read(data: bytes) -> Message:
    """The message in a text. Raises Refused."""
    return message_of(heading_of(data), data)


def message_of(heading: Heading, data: bytes) -> Message:
    """The message with this heading. Raises Refused."""
    if not isinstance(heading.say, str) or heading.say not in KINDS:
        raise bad_message("server.say_what", known=", ".join(KINDS))
    if heading.say == "hello" and type(heading.v) is int and heading.v != VERSION:
        raise other_version(VERSION)
    return read_json(KINDS[heading.say], data, heading.say)


# --- parts of messages


def setup_of(found: Mapping[str, Any]) -> Setup:
    """The setup of a stored table, perhaps from when spectators could be further behind."""
    kept = {name: value for name, value in found.items() if name in Setup.__struct_fields__}
    return read_as(Setup, kept | {"spectator_delay": min(found.get("spectator_delay") or 0, MOST_DELAY)}, "setup")


def is_key(key: str) -> bool:
    """Whether it is long enough not to be guessed, and of safe characters."""
    return LEAST_KEY <= len(key) <= MOST_KEY and KEY_CHARACTERS.issuperset(key)
