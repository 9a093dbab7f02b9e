"""Database: a URL in; connections with a transaction each out, with the tables up to date.

The only module that distinguishes SQLite and PostgreSQL. Knows no table's meaning.
"""

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import Float

from tilewright.web.storage.rows import CannotOpen, Conflict, DatabaseLost

SECONDS_TO_WAIT = 20  # waiting for a connection, and for another program that writes to the same file
ALONE = "tilewright_alone"  # of a connection: each statement is a transaction
READERS, CONNECTIONS = 4, 10
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=NORMAL",
    f"busy_timeout={SECONDS_TO_WAIT * 1000}",
    "foreign_keys=ON",
    "temp_store=MEMORY",
)
FORMS = "sqlite:///tables.db, or postgresql://user:password@host/name"
INSTALL_POSTGRES = "install the driver: pip install 'tilewright[postgres]'"


class clock(FunctionElement[float]):
    """Seconds since 1970 by the clock of the database, which all servers share."""

    type = Float(53)
    inherit_cache = True


@compiles(clock, "sqlite")
def clock_of_sqlite(element: clock, compiler: Any, **how: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(clock, "postgresql")
def clock_of_postgresql(element: clock, compiler: Any, **how: Any) -> str:
    return "extract(epoch from clock_timestamp())::float8"


def now() -> float:
    """Seconds since 1970, in whole milliseconds, so that every program reads the same number."""
    return round(time.time(), 3)


class Database:
    """Connections to one database. On SQLite one connection writes, so that writers queue instead of retrying."""

    def __init__(self, url: URL, readers: AsyncEngine, writers: AsyncEngine) -> None:
        self.url, self.readers, self.writers = url, readers, writers
        alone = {ALONE: True} if self.dialect == "sqlite" else {"isolation_level": "AUTOCOMMIT"}
        self.adders = writers.execution_options(**alone)

    @classmethod
    def at(cls, url: str) -> Self:
        """The database of a URL or of the path of a file, not connected yet. Raises CannotOpen."""
        found = url_of(url)
        if found.get_backend_name() == "sqlite":
            return cls(found, sqlite_engine(found, READERS, "BEGIN"), sqlite_engine(found, 1, "BEGIN IMMEDIATE"))
        engine = postgresql_engine(found)
        return cls(found, engine, engine)

    @property
    def dialect(self) -> str:
        return self.writers.dialect.name

    @property
    def file(self) -> Path | None:
        """The file of a file database."""
        return Path(self.url.database) if self.dialect == "sqlite" and self.url.database else None

    @property
    def shown(self) -> str:
        """The URL without its password, for display."""
        return str(self.file or self.url.set(drivername="postgresql").render_as_string(hide_password=True))

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to read with. Raises DatabaseLost."""
        with store_errors():
            async with self.readers.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A connection with one transaction: all or nothing is written. Raises Conflict and DatabaseLost."""
        with store_errors():
            async with self.writers.begin() as connection:
                yield connection

    @asynccontextmanager
    async def adding(self) -> AsyncIterator[AsyncConnection]:
        """A connection for one statement, which is its own transaction: the cheapest way, for the most frequent writes.
        Raises Conflict and DatabaseLost."""
        with store_errors():
            async with self.adders.begin() as connection:
                yield connection

    @asynccontextmanager
    async def rebuilding(self) -> AsyncIterator[AsyncConnection]:
        """A connection for changing tables. SQLite drops a table to change it, which must not delete rows that refer to
        it."""
        if self.dialect != "sqlite":
            async with self.writing() as connection:
                yield connection
            return
        engine = sqlite_engine(self.url, 1, "BEGIN IMMEDIATE", (*PRAGMAS, "foreign_keys=OFF"))
        try:
            with store_errors():
                async with engine.begin() as connection:
                    yield connection
        finally:
            await engine.dispose()

    async def close(self) -> None:
        await self.writers.dispose()
        await self.readers.dispose()


@contextmanager
def store_errors() -> Iterator[None]:
    """Errors of the database become errors of the store."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict("somebody else wrote first") from error
    except (DBAPIError, PoolTimeout, OSError) as error:
        raise DatabaseLost("the database does not answer") from error


# --- URLs


def url_of(text: str) -> URL:
    """A URL with the driver for it. Raises CannotOpen."""
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise CannotOpen("this is not the URL of a database", f"like {FORMS}") from None
    match url.get_backend_name():
        case "sqlite":
            return sqlite_url(url)
        case "postgresql" | "postgres":
            return postgresql_url(url)
        case other:
            raise CannotOpen(f"databases of the kind {other!r} are not supported", f"give {FORMS}")


def sqlite_url(url: URL) -> URL:
    if not url.database or url.database == ":memory:":
        raise CannotOpen("the URL names no file", "like sqlite:///tables.db")
    return url.set(drivername="sqlite+aiosqlite")


def postgresql_url(url: URL) -> URL:
    """The URL with libpq's `sslmode` renamed to the driver's `ssl`."""
    query = {("ssl" if name == "sslmode" else name): value for name, value in url.query.items()}
    return url.set(drivername="postgresql+asyncpg", query=query)


# --- engines; their errors are logged, and must not show what was to be written: lines of a log have hidden tiles


# Parameters stay out of errors, which are logged: they are secrets, and hidden tiles.
def sqlite_engine(url: URL, connections: int, begin: str, pragmas: Sequence[str] = PRAGMAS) -> AsyncEngine:
    engine = create_async_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=SECONDS_TO_WAIT,
        hide_parameters=True,
        connect_args={"timeout": SECONDS_TO_WAIT, "isolation_level": None},
    )

    @event.listens_for(engine.sync_engine, "connect")
    def set_pragmas(connection: Any, record: Any) -> None:
        try:
            cursor = connection.cursor()
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
        except Exception:
            connection.close()
            raise

    @event.listens_for(engine.sync_engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        if not connection.get_execution_options().get(ALONE):
            connection.exec_driver_sql(begin)

    return engine


def postgresql_engine(url: URL) -> AsyncEngine:
    try:
        return create_async_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=CONNECTIONS,
            pool_timeout=SECONDS_TO_WAIT,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"timeout": SECONDS_TO_WAIT, "command_timeout": SECONDS_TO_WAIT},
        )
    except ImportError:
        raise CannotOpen("PostgreSQL cannot be used here", INSTALL_POSTGRES) from None
