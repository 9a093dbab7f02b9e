"""The protocol of the socket, version 1: what a page says, read and checked by hand; what it is told. JSON text
messages.

In: the text of a message. Out: a frozen message, or Refused with what is wrong in it. Keys that a message does not
have are passed over. Every message with an example: docs/web-protocol.md. Knows no table and no connection.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from tilewright.web.protocol.refusals import Refused, bad_message, bad_spec, other_version
from tilewright.web.protocol.settings import MOST_DELAY
from tilewright.web.protocol.spec import MOST_NAME as MOST_DOCUMENT
from tilewright.web.protocol.spec import BadSpec, read_spec
from tilewright.web.protocol.strict_json import read_object

KEY_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
LEAST_KEY, MOST_KEY = 32, 128

VERSION = 1
Plain = dict[str, Any]
Id = str | int | None
BOTS = ("fast", "careful", "random")
MOST_NAME = 24  # characters of a person's name,
MOST_TITLE = 40  # and of a table's
MOST_SEATS = 12
MOST_MOVE = 16  # what a move chooses,
MOST_CHOICE = 500  # and characters of each
MOST_BUTTONS = 30
HELPS = ("hint", "waits", "nearest")
LEFT_TO_RIGHT = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c")


# --- what a table is like


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """Who is to sit on a seat: a person, or a bot of this name."""

    kind: Literal["person", "bot"] = "person"
    bot: str | None = None

    def to_json(self) -> Plain:
        return {"kind": self.kind} | ({"bot": self.bot} if self.kind == "bot" else {})


@dataclass(frozen=True, slots=True)
class Setup:
    """How a table is played. `seats` by player; seconds as the page sets them; `spectator_delay` in answers."""

    seats: tuple[SeatSetup, ...]
    public: bool = False
    name: str = ""
    claim_seconds: float = 1.5
    move_seconds: float | None = None
    bot_seconds: float = 0.4
    away_seconds: float = 60.0
    help: bool = True
    spectators: bool = True
    spectator_delay: int = 3

    def to_json(self) -> Plain:
        numbers = ("claim_seconds", "move_seconds", "bot_seconds", "away_seconds", "spectator_delay")
        others = ("public", "name", "help", "spectators")
        return {"seats": [seat.to_json() for seat in self.seats]} | {
            name: getattr(self, name) for name in (*others, *numbers)
        }

    @property
    def expects(self) -> int:
        """How many people."""
        return sum(seat.kind == "person" for seat in self.seats)


# --- what a page says


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message: the version that the page speaks, and the key of the person, if there is one already."""

    v: int
    key: str | None = None
    name: str | None = None
    lang: str = "en"
    id: Id = None


@dataclass(frozen=True, slots=True)
class Make:
    """Open a table: what is played, how, and on which seat (a player) one sits oneself."""

    spec: Plain
    setup: Setup
    sit: int | None = None
    id: Id = None


@dataclass(frozen=True, slots=True)
class Join:
    """Be told of a table. `seat`: the secret of a seat's link, which gives the seat back on another device."""

    table: str
    seat: str | None = None
    id: Id = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Be told of a table no more. The seat stays one's own."""

    table: str
    id: Id = None


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a free seat of a person."""

    table: str
    player: int
    id: Id = None


@dataclass(frozen=True, slots=True)
class Stand:
    """Give the own seat up."""

    table: str
    id: Id = None


@dataclass(frozen=True, slots=True)
class Rename:
    """Be called otherwise, everywhere."""

    name: str
    id: Id = None


@dataclass(frozen=True, slots=True)
class Start:
    """Play now: seats that nobody took become fast bots. Of the host."""

    table: str
    id: Id = None


@dataclass(frozen=True, slots=True)
class Set:
    """Who is to sit on a seat, while the table waits. Of the host."""

    table: str
    player: int
    seat: SeatSetup
    id: Id = None


@dataclass(frozen=True, slots=True)
class Again:
    """The same once more at a new table, when this one is over."""

    table: str
    id: Id = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A move, in answer to the question of the step with this number."""

    table: str
    seq: int
    move: Mapping[str, str]
    id: Id = None


@dataclass(frozen=True, slots=True)
class Ready:
    """Pass a claim window in which one is not asked; have seen a result."""

    table: str
    seq: int
    id: Id = None


@dataclass(frozen=True, slots=True)
class Press:
    """Which buttons are on, all of them."""

    table: str
    on: tuple[str, ...]
    id: Id = None


@dataclass(frozen=True, slots=True)
class Help:
    """Advice: what a bot would do, what is waited for, which hands are nearest."""

    table: str
    what: str
    id: Id = None


@dataclass(frozen=True, slots=True)
class Lobby:
    """Be told of open tables, now and whenever they change, or no more."""

    on: bool
    id: Id = None


@dataclass(frozen=True, slots=True)
class Ping:
    """A sign of life."""

    id: Id = None


AtTable = Join | Leave | Sit | Stand | Start | Set | Again | Answer | Ready | Press | Help
Message = Hello | Make | Rename | Lobby | Ping | AtTable


def read(text: str | bytes) -> Message:
    """The message that a text is. Raises Refused; `told_id` tells which message was meant."""
    return message_of(read_object(text))


def message_of(found: Plain) -> Message:
    """The message that plain data is. Raises Refused."""
    say = found.get("say")
    reader = READERS.get(say) if isinstance(say, str) else None
    if reader is None:
        raise bad_message("server.say_what", known=", ".join(READERS))
    return replace(reader(Fields(str(say), found)), id=told_id(found))


def told_id(found: Mapping[str, Any]) -> Id:
    """The id that a page gave its message, if it is one."""
    id = found.get("id")
    return id if type(id) is int or (isinstance(id, str) and len(id) <= 64) else None


# --- reading


class Fields:
    """The fields of an object that somebody sent. Every method returns one that is as it should be, or raises
    Refused."""

    def __init__(self, where: str, found: Mapping[str, Any]) -> None:
        self.where, self.found = where, found

    def bad(self, name: str, en: str, zh: str) -> Refused:
        texts = {"en": f"{self.where}: {name} has to be {en}", "zh": f"{self.where}：{name} 必須是{zh}"}
        return Refused("bad-message", texts)

    def has(self, name: str) -> bool:
        return self.found.get(name) is not None

    def text(self, name: str, most: int) -> str:
        value = self.found.get(name)
        if not isinstance(value, str) or len(value) > most:
            raise self.bad(name, f"a text of at most {most} characters", f"最多 {most} 字的文字")
        return value

    def title(self, name: str, most: int) -> str:
        """A name that people read: one line, nothing that cannot be seen."""
        value = self.found.get(name)
        if not isinstance(value, str) or len(value) > 10 * most:
            raise self.bad(name, f"a name of at most {most} characters", f"最多 {most} 字的名稱")
        return clean_name(value, most)

    def whole(self, name: str, least: int, most: int) -> int:
        value = self.found.get(name)
        if type(value) is not int or not least <= value <= most:
            raise self.bad(name, f"a whole number from {least} to {most}", f" {least} 到 {most} 的整數")
        return value

    def number(self, name: str, least: float, most: float, default: float) -> float:
        if not self.has(name):
            return default
        value = self.found[name]
        if type(value) not in (int, float) or not least <= value <= most:
            raise self.bad(name, f"a number from {least:g} to {most:g}", f" {least:g} 到 {most:g} 的數字")
        return float(value)

    def flag(self, name: str, default: bool | None = None) -> bool:
        value = self.found.get(name, default)
        if not isinstance(value, bool):
            raise self.bad(name, "true or false", " true 或 false")
        return value

    def one_of(self, name: str, choices: Sequence[str]) -> str:
        value = self.found.get(name)
        if value not in choices or not isinstance(value, str):
            raise self.bad(name, "one of " + ", ".join(choices), "其中之一：" + "、".join(choices))
        return value

    def fields(self, name: str) -> "Fields":
        value = self.found.get(name)
        if not isinstance(value, dict):
            raise self.bad(name, "an object", "物件")
        return Fields(f"{self.where}.{name}", value)

    def table(self) -> str:
        """The code of a table, however it was typed."""
        code = self.text("table", 16).strip().upper()
        if not code.isascii() or not code.isalnum():
            raise self.bad("table", "the code of a table", "牌桌代碼")
        return code

    def player(self, name: str = "player") -> int:
        return self.whole(name, 0, MOST_SEATS - 1)

    def texts(self, name: str, most: int, longest: int) -> tuple[str, ...]:
        value = self.found.get(name)
        if not isinstance(value, list) or len(value) > most or not all(is_text(one, longest) for one in value):
            raise self.bad(name, f"a list of at most {most} texts", f"最多 {most} 項文字的清單")
        return tuple(value)

    def move(self, name: str) -> Mapping[str, str]:
        """What is done, and what is chosen for it, as texts."""
        value = self.found.get(name)
        if not isinstance(value, dict) or not is_move(value):
            raise self.bad(name, 'an object of texts, like {"move": "pass"}', '文字物件，例如 {"move": "pass"}')
        return dict(value)


def is_move(found: Mapping[str, object]) -> bool:
    """It says what is done and what is chosen for it, all of it short texts."""
    short = all(len(key) <= 60 and is_text(said, MOST_CHOICE) for key, said in found.items())
    return short and len(found) <= MOST_MOVE and "move" in found


def is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest


def clean_name(text: str, most: int) -> str:
    """A text as a name: one line, no signs that are not seen or that turn the line around."""
    seen = "".join(
        " " if sign.isspace() else sign
        for sign in text
        if sign.isspace() or (unicodedata.category(sign) not in ("Cc", "Cs", "Co", "Cn") and sign not in LEFT_TO_RIGHT)
    )
    return " ".join(seen.split())[:most].strip()


# --- reading each message


def read_hello(fields: Fields) -> Hello:
    version = fields.whole("v", 0, 1_000_000)
    if version != VERSION:
        raise other_version(VERSION)
    key = fields.text("key", 200) if fields.has("key") else None
    if key is not None and not is_key(key):
        raise fields.bad("key", "32 to 128 letters, digits, - and _", "32 到 128 個字母、數字、- 或 _")
    name = fields.title("name", MOST_NAME) if fields.has("name") else None
    return Hello(version, key, name or None, fields.text("lang", 35) if fields.has("lang") else "en")


def read_make(fields: Fields) -> Make:
    setup = read_setup(fields.fields("setup"))
    sit = fields.whole("sit", 0, len(setup.seats) - 1) if fields.has("sit") else None
    if sit is not None and setup.seats[sit].kind != "person":
        raise fields.bad("sit", "the seat of a person", "真人的座位")
    return Make(checked_spec(fields.found.get("spec")), setup, sit)


def checked_spec(found: object) -> Plain:
    """What is to be played, with nothing in it that a spec does not have. Raises Refused."""
    try:
        read_spec(found)
    except BadSpec as error:
        raise bad_spec(error.problems) from None
    assert isinstance(found, dict)
    mods = [plain_document(mod) | plain_options(mod) for mod in found.get("mods") or ()]
    others = {name: found[name] for name in ("hands", "seed") if name in found}
    return {
        "ruleset": plain_document(found["ruleset"]),
        "mods": mods,
        **({"options": {}} | plain_options(found)),
        **others,
    }


def plain_document(found: Plain) -> Plain:
    """How a document is named: by its id, or with a short name and its text."""
    if found.get("text") is None:
        return {"id": found["id"]}
    name = found.get("name")
    return {"name": clean_name(name, MOST_DOCUMENT) if isinstance(name, str) else "", "text": found["text"]}


def plain_options(found: Plain) -> Plain:
    """The settings beside something, if it has any."""
    options = found.get("options") or {}
    plain = {name: plain_document(said) if isinstance(said, dict) else said for name, said in options.items()}
    return {"options": plain} if plain else {}


def read_setup(fields: Fields) -> Setup:
    return Setup(
        read_seats(fields),
        public=fields.flag("public", False),
        name=fields.title("name", MOST_TITLE) if fields.has("name") else "",
        claim_seconds=fields.number("claim_seconds", 0, 10, 1.5),
        move_seconds=fields.number("move_seconds", 5, 300, 30) if fields.has("move_seconds") else None,
        bot_seconds=fields.number("bot_seconds", 0, 10, 0.4),
        away_seconds=fields.number("away_seconds", 0, 3_600, 60),
        help=fields.flag("help", True),
        spectators=fields.flag("spectators", True),
        spectator_delay=fields.whole("spectator_delay", 0, MOST_DELAY) if fields.has("spectator_delay") else 3,
    )


def read_seats(fields: Fields) -> tuple[SeatSetup, ...]:
    seats = fields.found.get("seats")
    if not isinstance(seats, list) or not 0 < len(seats) <= MOST_SEATS or not all(isinstance(s, dict) for s in seats):
        raise fields.bad("seats", f"a list of 1 to {MOST_SEATS} seats", f" 1 到 {MOST_SEATS} 個座位的清單")
    return tuple(read_seat(Fields(f"{fields.where}.seats", seat)) for seat in seats)


def read_seat(fields: Fields) -> SeatSetup:
    if fields.one_of("kind", ("person", "bot")) == "person":
        return SeatSetup()
    return SeatSetup("bot", fields.one_of("bot", BOTS) if fields.has("bot") else BOTS[0])


def read_rename(fields: Fields) -> Rename:
    name = fields.title("name", MOST_NAME)
    if not name:
        raise fields.bad("name", "a name of at least one character", "至少一個字的名稱")
    return Rename(name)


def read_join(fields: Fields) -> Join:
    return Join(fields.table(), fields.text("seat", 128) if fields.has("seat") else None)


def read_answer(fields: Fields) -> Answer:
    return Answer(fields.table(), fields.whole("seq", 0, 2**53), fields.move("move"))


READERS: Mapping[str, Callable[[Fields], Message]] = {
    "hello": read_hello,
    "make": read_make,
    "join": read_join,
    "leave": lambda fields: Leave(fields.table()),
    "sit": lambda fields: Sit(fields.table(), fields.player()),
    "stand": lambda fields: Stand(fields.table()),
    "rename": read_rename,
    "start": lambda fields: Start(fields.table()),
    "set": lambda fields: Set(fields.table(), fields.player(), read_seat(fields.fields("seat"))),
    "again": lambda fields: Again(fields.table()),
    "answer": read_answer,
    "ready": lambda fields: Ready(fields.table(), fields.whole("seq", 0, 2**53)),
    "press": lambda fields: Press(fields.table(), fields.texts("on", MOST_BUTTONS, 60)),
    "help": lambda fields: Help(fields.table(), fields.one_of("what", HELPS)),
    "lobby": lambda fields: Lobby(fields.flag("on")),
    "ping": lambda fields: Ping(),
}


NAMES: Mapping[type, str] = {
    **{Hello: "hello", Make: "make", Join: "join", Leave: "leave", Sit: "sit", Stand: "stand", Rename: "rename"},
    **{Start: "start", Set: "set", Again: "again", Answer: "answer", Ready: "ready", Press: "press", Help: "help"},
    **{Lobby: "lobby", Ping: "ping"},
}


def as_json(message: Message) -> Plain:
    """A message as a page sends it."""
    return {
        "say": NAMES[type(message)],
        **{name: value for name, value in asdict(message).items() if value is not None},
    }


def setup_of(found: Mapping[str, Any]) -> Setup:
    """The setup of a table that is kept, perhaps from when those who looked on could be further behind."""
    delay = found.get("spectator_delay")
    return read_setup(Fields("setup", {**found, "spectator_delay": None if delay is None else min(delay, MOST_DELAY)}))


def is_key(key: str) -> bool:
    """Long enough not to be guessed, and of characters that pass everywhere."""
    return LEAST_KEY <= len(key) <= MOST_KEY and KEY_CHARACTERS.issuperset(key)
