"""Store: the open database of a server, with all its parts; its tables are brought to a version, up or down, by the
shipped migrations.
"""

import asyncio
import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Self

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from tilewright.web.storage.database import SECONDS_TO_WAIT, Database, database_at
from tilewright.web.storage.people import Bans, Documents, People, Purge
from tilewright.web.storage.rows import CannotOpen, DatabaseLost
from tilewright.web.storage.tables import FileLock, Leases, Tables

MIGRATIONS = Path(__file__).parent / "migrations"
VERSIONS_TABLE = "tilewright_version"  # distinct from other programs in the same database
LOCK = 7_111_200_826  # of PostgreSQL: servers that start together migrate one after another
PAUSE = 0.02  # seconds, before a file is tried again that another server is opening
PRIVATE = 0o600  # of a file: read and written by its owner
DAMAGED = ("not a database", "malformed")  # as SQLite says it
LATEST, NOTHING = "head", "base"


async def bring_up_to_date(database: Database) -> None:
    """Migrate the tables of a database to this version. Raises CannotOpen."""
    try:
        if database.file is not None:
            await asyncio.to_thread(prepare_file, database.file)
        await bring_to(database, LATEST)
        if database.file is not None:
            await asyncio.to_thread(try_writing, database.file)
    except (DatabaseLost, sqlite3.Error) as error:
        why = reason(error)
        raise CannotOpen(f"the database {database.shown} cannot be used: {why}", way_out_of(database, why)) from None


async def roll_back(database: Database, version: str) -> None:
    """Change the tables of a database back to those of an earlier version of this program, and close it. Raises
    CannotOpen."""
    lock = None if database.file is None else FileLock(str(database.file))
    try:
        if lock is not None and not lock.holds:
            raise CannotOpen(f"a server is running on {database.shown}", "stop it first")
        now = await database.read(version_of)
        known = revisions()
        if now not in known or version not in known[known.index(now) :]:
            way_out = f"it can be changed to {', '.join(known[known.index(now) :])}" if now in known else None
            raise CannotOpen(f"the tables of {database.shown}, of version {now}, cannot become {version}", way_out)
        await bring_to(database, version)
    except (DatabaseLost, sqlite3.Error) as error:
        why = reason(error)
        raise CannotOpen(f"the database {database.shown} cannot be used: {why}", way_out_of(database, why)) from None
    finally:
        if lock is not None:
            lock.end()
        await database.close()


def prepare_file(file: Path) -> None:
    """Check that the file is a database, or make it one, readable by its owner alone, and have SQLite keep a log of
    what is written (WAL), so that readers do not wait for a writer. On another file the driver would leak a thread."""
    make_private(file)
    with closing(sqlite3.connect(file, timeout=SECONDS_TO_WAIT)) as connection:
        until = time.monotonic() + SECONDS_TO_WAIT
        while True:
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:  # one of two that ask at once is not made to wait
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(PAUSE)


def try_writing(file: Path) -> None:
    """Check that the file can be written: on a read-only or a full disk SQLite opens it, and begins transactions."""
    with closing(sqlite3.connect(file, timeout=SECONDS_TO_WAIT)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute(f"PRAGMA user_version = {version}")


def make_private(file: Path) -> None:
    """Create a missing file for its owner alone; those that SQLite puts next to it are like it."""
    with suppress(OSError):  # it exists, or cannot be made, which the driver reports then
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))


async def bring_to(database: Database, version: str) -> None:
    """Migrate the tables of a database to a version, up or down. Raises CannotOpen and DatabaseLost."""
    await database.rebuild(lambda connection: migrate(connection, version, database.shown))


def migrate(connection: Connection, version: str, shown: str) -> None:
    """Migrate in the connection's one transaction, so that a failure changes nothing."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"select pg_advisory_xact_lock({LOCK})"))
    config = Config(attributes={"connection": connection, "version_table": VERSIONS_TABLE})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    now, known = version_of(connection), revisions()
    if now is not None and now not in known:
        raise CannotOpen(
            f"the database {shown} was used by a newer version of this program (its tables are of version {now})",
            f"use that version, or another database; with that version, --roll-back {known[0]} makes it usable here",
        )
    wanted = known[0] if version == LATEST else version
    if now == wanted:
        return
    if wanted in known and now is not None and known.index(wanted) > known.index(now):  # the newest comes first
        command.downgrade(config, wanted)
    elif version == NOTHING:
        command.downgrade(config, NOTHING)
    else:
        command.upgrade(config, version)


def revisions() -> list[str]:
    """The versions of the tables that this program knows, the newest first."""
    return [one.revision for one in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]


def version_of(connection: Connection) -> str | None:
    """The version of the tables; None if there are none yet."""
    return MigrationContext.configure(connection, opts={"version_table": VERSIONS_TABLE}).get_current_revision()


# --- errors


def reason(error: Exception) -> str:
    """The database's error, in one line."""
    cause: BaseException = error.__cause__ or error
    if isinstance(cause, DBAPIError) and cause.orig is not None:
        cause = cause.orig
    return (str(cause).strip().splitlines() or [type(cause).__name__])[0]


def way_out_of(database: Database, why: str) -> str:
    if database.file is None:
        return "is the server running, and are user, password, host and name of the URL right?"
    if not database.file.parent.is_dir():
        return f"there is no folder {database.file.parent}"
    if database.file.exists() and any(sign in why for sign in DAMAGED):
        return "if it was one of Tilewright, the file is damaged: put the backup in its place (docs/serve.md#backup)"
    if "locked" in why:
        return "another program is using the file: end it, or name another file"
    return "can its folder and the file be read and written, and is there space left?"


class Store(People, Tables, Leases, Documents, Bans, Purge):
    """All stored data. Every method is one transaction; all raise DatabaseLost if the database does not answer."""

    @classmethod
    async def open(cls, url: str) -> Self:
        """Open the store at a URL or in a file, and bring its tables up to date. Raises CannotOpen."""
        database = database_at(url)
        try:
            await bring_up_to_date(database)
        except BaseException:
            await database.close()
            raise
        return cls(database)

    async def close(self) -> None:
        """Close all connections."""
        await self.database.close()
