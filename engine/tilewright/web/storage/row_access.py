"""Row access: what the parts of the store share: the database, and rows of it as frozen data."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import fields
from hashlib import sha256
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row

from tilewright.web.storage.database import Database
from tilewright.web.storage.models import Base

LETTERS = "BCDFGHJKMNPQRTWXZ"  # no vowels, so that no code is a word; none that is taken for another or for a digit

R = TypeVar("R")


class RowAccess:
    """A part of the store: some methods that read and write in one database."""

    def __init__(self, database: Database) -> None:
        self.database = database


def columns(model: type[Base], kind: type) -> Sequence[ColumnElement[Any]]:
    """The columns of a model that rows of a kind hold, in their order."""
    return [getattr(model, field.name) for field in fields(kind)]


def one(kind: type[R], row: Row[Any] | None) -> R | None:
    """A row as frozen data."""
    return None if row is None else made(kind, row)


def made(kind: type[R], row: Iterable[Any]) -> R:
    return kind(*(tuple(value) if isinstance(value, list) else value for value in row))


def hashed(secret: str) -> str:
    """What is kept of a key or of a seat's link: whoever reads the database cannot use it."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def new_code(length: int) -> str:
    """A code that people can read to each other."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))
