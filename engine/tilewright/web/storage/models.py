"""Models: the tables of the database, and the access to their rows as frozen data, which the parts of the store share.

Only migrations change names and columns of tables. Names of columns are those of `rows`, so rows convert directly.
"""

import json
import secrets
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import fields
from functools import wraps
from hashlib import sha256
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Row,
    String,
    Text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql.dml import Insert as PostgresqlInsert
from sqlalchemy.dialects.sqlite.dml import Insert as SqliteInsert
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

from tilewright.web.storage.database import Database

MARK = "\x01json:"  # prefix of a text stored as JSON, which databases would reject otherwise
LONG_ID = BigInteger().with_variant(Integer(), "sqlite")
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


# --- types


class AnyText(TypeDecorator[str]):
    """A text of any characters: databases reject NUL and lone surrogates, strangers send both."""

    impl: type[String] = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or not is_awkward(value):
            return value
        return MARK + json.dumps(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or not value.startswith(MARK):
            return value
        text: str = json.loads(value.removeprefix(MARK))
        return text


class AnyCode(AnyText):
    """A short text to look up, which may hold characters that cannot be stored."""

    impl = String
    cache_ok = True


def is_awkward(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return "\0" in text or text.startswith(MARK)


class Json(TypeDecorator[Any]):
    """Plain data as JSON of ASCII characters."""

    impl: type[String] = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        return json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


# --- tables


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)


class PeopleModel(Base):
    __tablename__ = "people"

    id: Mapped[int] = mapped_column(LONG_ID, primary_key=True)
    key_hash: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(AnyText)
    settings: Mapped[Any] = mapped_column(Json)
    created: Mapped[float] = mapped_column(Float(53))
    seen: Mapped[float] = mapped_column(Float(53), server_default="0")


class WinsModel(Base):
    """How often a person has won with a line of a card, and when last, in which hand of which table."""

    __tablename__ = "wins"

    person: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    card: Mapped[str] = mapped_column(AnyCode(64), primary_key=True)
    line: Mapped[str] = mapped_column(AnyText, primary_key=True)
    count: Mapped[int]
    last: Mapped[float] = mapped_column(Float(53))
    hand: Mapped[str] = mapped_column(AnyCode(64))


class TablesModel(Base):
    """`shown`: the spec without its texts, for lists."""

    __tablename__ = "tables"
    __table_args__ = (Index(None, "state", "public"),)

    id: Mapped[int] = mapped_column(LONG_ID, primary_key=True)
    code: Mapped[str] = mapped_column(AnyCode(32), unique=True)
    spec: Mapped[Any] = mapped_column(Json)
    setup: Mapped[Any] = mapped_column(Json)
    public: Mapped[bool]
    state: Mapped[str] = mapped_column(String(16))
    host: Mapped[int | None] = mapped_column(ForeignKey("people.id"), index=True)
    created: Mapped[float] = mapped_column(Float(53))
    finished: Mapped[float | None] = mapped_column(Float(53))
    digest: Mapped[str | None] = mapped_column(String(128))
    next: Mapped[str | None] = mapped_column(String(32))
    scores: Mapped[Any] = mapped_column(Json)
    secret: Mapped[str | None] = mapped_column(String(64))
    shown: Mapped[Any] = mapped_column(Json, server_default="{}")


class SeatsModel(Base):
    __tablename__ = "seats"

    table: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    player: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    bot: Mapped[str | None] = mapped_column(String(64))
    person: Mapped[int | None] = mapped_column(ForeignKey("people.id"), index=True)
    name: Mapped[str] = mapped_column(AnyText)
    token_hash: Mapped[str | None] = mapped_column(String(64), unique=True)


class TextsModel(Base):
    """A text of a bundled document, by its hash."""

    __tablename__ = "texts"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    text: Mapped[str] = mapped_column(AnyText)


class TableTextsModel(Base):
    """The texts that the rules of a table were made of, by the ids of their documents."""

    __tablename__ = "table_texts"

    table: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    document: Mapped[str] = mapped_column(String(64), primary_key=True)
    hash: Mapped[str] = mapped_column(ForeignKey("texts.hash"), index=True)


class InvitesModel(Base):
    """The invite code of a table, and when it expires."""

    __tablename__ = "invites"

    table: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    code: Mapped[str] = mapped_column(AnyCode(16), unique=True)
    until: Mapped[float] = mapped_column(Float(53))


class LinesModel(Base):
    """Lines of a table's log that were written together: `count` lines from number `first` on."""

    __tablename__ = "lines"

    table: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    first: Mapped[int] = mapped_column(primary_key=True)
    count: Mapped[int]
    text: Mapped[str] = mapped_column(AnyText)


class WorkersModel(Base):
    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    address: Mapped[str] = mapped_column(Text)
    until: Mapped[float] = mapped_column(Float(53))


class LeasesModel(Base):
    """Which worker plays a table, and when its lease expires."""

    __tablename__ = "leases"

    table: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    worker: Mapped[str] = mapped_column(ForeignKey("workers.id"), index=True)
    until: Mapped[float] = mapped_column(Float(53))


class DocumentsModel(Base):
    """`called`: the id that the text gives itself. What lists need is in the index, or before the text, which may be
    long: nothing of it is read for them."""

    __tablename__ = "documents"
    __table_args__ = (Index("ix_documents_listed", "person", "updated", "called", "share", "created"),)

    id: Mapped[str] = mapped_column(AnyCode(16), primary_key=True)
    person: Mapped[int] = mapped_column(ForeignKey("people.id"))
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(AnyText)
    text: Mapped[str] = mapped_column(AnyText)
    share: Mapped[str | None] = mapped_column(AnyCode(32), unique=True)
    created: Mapped[float] = mapped_column(Float(53))
    updated: Mapped[float] = mapped_column(Float(53))
    called: Mapped[str] = mapped_column(String(64), server_default="")


class BansModel(Base):
    """Who is banned: a person by id, or an address or network."""

    __tablename__ = "bans"

    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    subject: Mapped[str] = mapped_column(String(64), primary_key=True)
    reason: Mapped[str] = mapped_column(AnyText)
    created: Mapped[float] = mapped_column(Float(53))
    until: Mapped[float | None] = mapped_column(Float(53))


# --- rows


LETTERS = "BCDFGHJKMNPQRTWXZ"  # no vowels, so that no code is a word; none that looks like another or like a digit

R = TypeVar("R")
T = TypeVar("T")
Part = TypeVar("Part", bound="RowAccess")
Given = ParamSpec("Given")


class RowAccess:
    """A part of the store: methods that read and write one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def insert_into(self, model: type[Base]) -> SqliteInsert | PostgresqlInsert:
        """An insert that supports a conflict clause."""
        return sqlite.insert(model) if self.database.dialect == "sqlite" else postgresql.insert(model)


def reading(
    work: Callable[Concatenate[Part, Connection, Given], T],
) -> Callable[Concatenate[Part, Given], Coroutine[Any, Any, T]]:
    """A method that is given a connection, as one that is called without it and reads in one transaction."""

    @wraps(work)
    async def call(self: Part, /, *values: Given.args, **named: Given.kwargs) -> T:
        return await self.database.read(lambda connection: work(self, connection, *values, **named))

    return call


def writing(
    work: Callable[Concatenate[Part, Connection, Given], T],
) -> Callable[Concatenate[Part, Given], Coroutine[Any, Any, T]]:
    """The same for one that reads and writes."""

    @wraps(work)
    async def call(self: Part, /, *values: Given.args, **named: Given.kwargs) -> T:
        return await self.database.write(lambda connection: work(self, connection, *values, **named))

    return call


def columns(model: type[Base], kind: type) -> Sequence[ColumnElement[Any]]:
    """The columns of a model for a kind of row, in order."""
    return [getattr(model, field.name) for field in fields(kind)]


def one(kind: type[R], row: Row[Any] | None) -> R | None:
    """A row as frozen data."""
    return None if row is None else made(kind, row)


def made(kind: type[R], row: Iterable[Any]) -> R:
    return kind(*(tuple(value) if isinstance(value, list) else value for value in row))


def hashed(secret: str) -> str:
    """The stored hash of a key or of a seat's link, useless to readers of the database."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def new_code(length: int) -> str:
    """A code that people can read out to each other."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))
