"""Rows: the contents of the store as frozen data, and its errors. Times are seconds since 1970.

Names of people, tables and documents are kept as one line in which nothing is hidden; those that were written before
are cleaned by the same function (`migrations`). Knows no database.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["waiting", "playing", "over", "broken"]
SeatKind = Literal["person", "bot"]
DocumentKind = Literal["card", "ruleset", "mod"]
BanKind = Literal["person", "address"]

SAFE_CODE = 20  # letters: 81 bits; shorter codes of tables are from older versions, and can be guessed


@dataclass(frozen=True, slots=True)
class Person:
    """A person. Only the hash of the key is stored."""

    id: int
    name: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WonLine:
    """A line of a card that a person has won with. `count`: how often; `last`: when last."""

    card: str
    line: str
    count: int
    last: float


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table. `host`: who made it; `digest`: of its rules, once they are known; `next`: the code of the table that
    follows it; `scores`: by player, as of the last hand that ended; `finished`: when it was over or broke; `secret`:
    what its hands are dealt from, or None if the seed in `spec` was chosen."""

    id: int
    code: str
    spec: Mapping[str, Any]
    setup: Mapping[str, Any]
    state: State
    host: int | None
    created: float
    finished: float | None
    digest: str | None
    next: str | None
    scores: tuple[Any, ...]
    secret: str | None = field(default=None, repr=False)

    @property
    def public(self) -> bool:
        """Whether everybody may come."""
        return bool(self.setup.get("public"))

    @property
    def is_guessable(self) -> bool:
        """Whether the code is so short that knowing it proves nothing."""
        return len(self.code) < SAFE_CODE


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a table, by player. A free person's seat has no `person`. `token_hash`: of the secret link that gives
    the seat back."""

    table: int
    player: int
    kind: SeatKind
    bot: str | None = None
    person: int | None = None
    name: str = ""
    token_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A card, ruleset or mod that a person wrote. `share`: the code with which everybody may read it, or None."""

    id: str
    person: int
    kind: DocumentKind
    name: str
    text: str
    share: str | None
    created: float
    updated: float


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """A document without its text."""

    id: str
    kind: DocumentKind
    name: str
    share: str | None
    created: float
    updated: float


@dataclass(frozen=True, slots=True)
class Ban:
    """A ban of a person (`subject`: the id) or of an address or network. `until`: None for ever."""

    kind: BanKind
    subject: str
    reason: str
    created: float
    until: float | None


@dataclass(frozen=True, slots=True)
class Owner:
    """The server that plays a table now, and its address."""

    worker: str
    address: str


class StoreError(Exception):
    """A failure of the store; nothing was changed."""


class Conflict(StoreError):
    """Somebody else wrote first."""


class NotFound(StoreError):
    """There is no such row, or it is another person's."""


class StorageFull(StoreError):
    """A person has reached the limit of documents."""


class DatabaseLost(StoreError):
    """The database does not answer in time. It may answer again later."""


class CannotOpen(StoreError):
    """The database cannot be used at all; `hint` says what to do."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


# --- names

INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))  # categories of characters
BLANK = frozenset(  # letters, marks and symbols that nobody sees: fillers, joiners, variation selectors
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
MOST_MARKS = 3  # on one letter
OWN_ID = re.compile(r"^id: [\"']?([a-z][a-z0-9_]{0,59})\b", re.MULTILINE)
LOOKED_AT = 10  # times as many characters as a name may have: putting marks in order takes the square of their number


def clean_name(text: str, most: int) -> str:
    """A text as a name of at most so many characters: one line in NFC, without characters that are invisible, look like
    a space or turn the line around, and with a few marks on a letter. Empty if nothing is left."""
    signs = text[: LOOKED_AT * most]
    seen = "".join(" " if sign.isspace() else sign for sign in signs if sign.isspace() or is_seen(sign))
    line = " ".join("".join(with_few_marks(unicodedata.normalize("NFC", seen))).split())
    return line[:most].strip()


def id_in(text: str) -> str:
    """The id that the text of a document gives itself; empty if none is seen."""
    found = OWN_ID.search(text)
    return found[1] if found is not None else ""


def is_seen(sign: str) -> bool:
    return sign not in BLANK and unicodedata.category(sign) not in INVISIBLE


def with_few_marks(text: str) -> Iterator[str]:
    """The characters without marks on nothing, and with so many on each letter."""
    room = 0
    for sign in text:
        if unicodedata.category(sign) not in ("Mn", "Me"):
            room = 0 if sign == " " else MOST_MARKS
            yield sign
        elif room:
            room -= 1
            yield sign
