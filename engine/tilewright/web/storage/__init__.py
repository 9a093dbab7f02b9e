"""The store: a database URL in; people, tables, logs, leases, documents and bans out.

Knows no game, no socket and no request. Everything that it returns is frozen; every failure is a StoreError.
"""

from tilewright.web.storage.row_access import hashed
from tilewright.web.storage.rows import (
    SAFE_CODE,
    Ban,
    BanKind,
    CannotOpen,
    Conflict,
    DatabaseLost,
    Document,
    DocumentKind,
    DocumentOutline,
    NotFound,
    Owner,
    Person,
    SeatKind,
    SeatRow,
    State,
    StorageFull,
    StoreError,
    TableRow,
    WonLine,
)
from tilewright.web.storage.store import Store

__all__ = [
    "SAFE_CODE",
    "Ban",
    "BanKind",
    "CannotOpen",
    "Conflict",
    "DatabaseLost",
    "Document",
    "DocumentKind",
    "DocumentOutline",
    "NotFound",
    "Owner",
    "Person",
    "SeatKind",
    "SeatRow",
    "State",
    "StorageFull",
    "Store",
    "StoreError",
    "TableRow",
    "WonLine",
    "hashed",
]
