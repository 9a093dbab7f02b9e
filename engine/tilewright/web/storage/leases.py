"""Leases: which server plays a table. At most one at a time, by the clock of the database; a lock on a database file
tells which server has it for itself."""

import os

from sqlalchemy import Connection, delete, exists, select, update

from tilewright.web.storage.database import clock
from tilewright.web.storage.models import LeasesModel as Model
from tilewright.web.storage.models import WorkersModel
from tilewright.web.storage.row_access import RowAccess, reading, writing
from tilewright.web.storage.rows import Owner

SECONDS_TO_FORGET = 86_400
SPARE = 2  # times its length that a lease may end in the future: clocks that are set by seconds take no table away
ENDING = ".lock"  # of the file next to the database


class Leases(RowAccess):
    @writing
    def register(self, connection: Connection, worker: str, address: str, seconds: float) -> None:
        """Register a running server and its address. Servers that ended long ago are removed."""
        values = {"id": worker, "address": address, "until": clock() + seconds}
        added = self.insert_into(WorkersModel).values(values)
        changed = added.on_conflict_do_update(index_elements=[WorkersModel.id], set_={**values})
        old = clock() - SECONDS_TO_FORGET
        connection.execute(changed)
        connection.execute(delete(Model).where(Model.until < old))
        unused = ~exists().where(Model.worker == WorkersModel.id)
        connection.execute(delete(WorkersModel).where(WorkersModel.until < old, unused))

    @writing
    def claim(self, connection: Connection, table: int, worker: str, seconds: float) -> bool:
        """Claim a table for a registered server. Returns whether no other server plays it. A lease that ends later than
        any of so many seconds can was given before the clock of the database was set back, and has expired."""
        values = {"table": table, "worker": worker, "until": clock() + seconds}
        early = Model.until > clock() + SPARE * seconds  # the clock of the database was set back since
        free = (Model.worker == worker) | (Model.until <= clock()) | early
        added = self.insert_into(Model).values(values)
        taken = added.on_conflict_do_update(index_elements=[Model.table], set_=values, where=free)
        return connection.execute(taken).rowcount == 1

    @writing
    def renew(self, connection: Connection, worker: str, seconds: float) -> frozenset[int]:
        """Renew a server's leases. Returns the ids of the tables that it still has; others took the rest."""
        until = clock() + seconds
        connection.execute(update(WorkersModel).where(WorkersModel.id == worker).values(until=until))
        renewed = update(Model).where(Model.worker == worker).values(until=until).returning(Model.table)
        return frozenset(connection.execute(renewed).scalars())

    @writing
    def release(self, connection: Connection, table: int, worker: str) -> None:
        """Release a table."""
        connection.execute(delete(Model).where(Model.table == table, Model.worker == worker))

    @writing
    def release_all(self, connection: Connection, worker: str) -> None:
        """Release all tables of a server that ends, so that others may take them at once."""
        connection.execute(delete(Model).where(Model.worker == worker))
        connection.execute(delete(WorkersModel).where(WorkersModel.id == worker))

    @reading
    def owner(self, connection: Connection, table: int) -> Owner | None:
        """The server that plays a table now."""
        held = (Model.table == table) & (Model.until > clock())
        wanted = select(WorkersModel.id, WorkersModel.address).join(Model, Model.worker == WorkersModel.id).where(held)
        row = connection.execute(wanted).first()
        return None if row is None else Owner(*row)


class FileLock:
    """A lock on a file, released by the system when the process ends in any way. `holds`: whether it is ours."""

    def __init__(self, database: str) -> None:
        self.holds = False
        self.file: int | None = None
        try:
            self.file = os.open(database + ENDING, os.O_CREAT | os.O_RDWR, 0o600)
            lock(self.file)
            self.holds = True
        except OSError:
            self.end()

    def end(self) -> None:
        if self.file is not None:
            os.close(self.file)
        self.file, self.holds = None, False


def lock(file: int) -> None:
    """Raises OSError if somebody else has locked the file."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # there on Windows only
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
