"""Row access, shared by the parts of the store: the database, and its rows as frozen data."""

import secrets
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import fields
from functools import wraps
from hashlib import sha256
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import ColumnElement, Connection, Row
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql.dml import Insert as PostgresqlInsert
from sqlalchemy.dialects.sqlite.dml import Insert as SqliteInsert

from tilewright.web.storage.database import Database
from tilewright.web.storage.models import Base

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
