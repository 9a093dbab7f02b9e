"""The store: a database URL in; people, tables, logs, leases and documents, kept and found again.

Knows no game, no socket and no request. Everything that it returns is frozen; whatever it cannot do is a StoreError.
"""

from tilewright.web.storage.part import hashed
from tilewright.web.storage.rows import (
    CannotOpen,
    Conflict,
    Document,
    DocumentKind,
    Full,
    Lost,
    Missing,
    Owner,
    Person,
    SeatKind,
    SeatRow,
    State,
    StoreError,
    TableRow,
)
from tilewright.web.storage.store import Store

__all__ = [
    "CannotOpen",
    "Conflict",
    "Document",
    "DocumentKind",
    "Full",
    "Lost",
    "Missing",
    "Owner",
    "Person",
    "SeatKind",
    "SeatRow",
    "State",
    "Store",
    "StoreError",
    "TableRow",
    "hashed",
]
