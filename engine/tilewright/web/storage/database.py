"""Database: a URL in; transactions out.

The only module that distinguishes SQLite and PostgreSQL. Knows no table's meaning.
"""

import asyncio
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import Float

from tilewright.web.storage.rows import CannotOpen, Conflict, DatabaseLost

T = TypeVar("T")
SECONDS_TO_WAIT = 20  # waiting for a connection, and for another program that writes to the same file
ALONE = "tilewright_alone"  # of a connection: each statement is a transaction
READERS, CONNECTIONS = 4, 10
PRAGMAS = (
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


class Database(ABC):
    """One database. `work` is a function that is given a connection, and runs in one transaction, which is undone if it
    raises. All raise Conflict and DatabaseLost."""

    def __init__(self, url: URL) -> None:
        self.url = url

    @property
    def dialect(self) -> str:
        return self.url.get_backend_name()

    @property
    def file(self) -> Path | None:
        """The file of a file database."""
        return None

    @property
    @abstractmethod
    def shown(self) -> str:
        """The URL without its password, for display."""

    @abstractmethod
    async def read(self, work: Callable[[Connection], T]) -> T: ...

    @abstractmethod
    async def write(self, work: Callable[[Connection], T]) -> T: ...

    @abstractmethod
    async def add(self, work: Callable[[Connection], T]) -> T:
        """One statement, which is its own transaction: the cheapest way, for the most frequent writes."""

    async def rebuild(self, work: Callable[[Connection], T]) -> T:
        """Change tables."""
        return await self.write(work)

    @abstractmethod
    async def close(self) -> None: ...


class SqliteDatabase(Database):
    """A file. A transaction runs in a thread from its begin to its end, so that a busy server does not make the next
    one wait; one thread writes, so that writers queue instead of retrying."""

    def __init__(self, url: URL) -> None:
        super().__init__(url)
        self.readers, self.writer = sqlite_engine(url, READERS, "BEGIN"), sqlite_engine(url, 1, "BEGIN IMMEDIATE")
        self.adder = self.writer.execution_options(**{ALONE: True})
        self.reading, self.writing = ThreadPoolExecutor(READERS, "read"), ThreadPoolExecutor(1, "write")

    @property
    def file(self) -> Path:
        assert self.url.database is not None
        return Path(self.url.database)

    @property
    def shown(self) -> str:
        return str(self.file)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self.run(self.reading, self.readers, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await self.run(self.writing, self.writer, work)

    async def add(self, work: Callable[[Connection], T]) -> T:
        return await self.run(self.writing, self.adder, work)

    async def rebuild(self, work: Callable[[Connection], T]) -> T:
        """Change tables. SQLite drops one to change it, which must not delete rows that refer to it."""
        engine = sqlite_engine(self.url, 1, "BEGIN IMMEDIATE", (*PRAGMAS, "foreign_keys=OFF"))
        try:
            return await self.run(self.writing, engine, work)
        finally:
            engine.dispose()

    async def run(self, threads: ThreadPoolExecutor, engine: Engine, work: Callable[[Connection], T]) -> T:
        since = time.monotonic()

        def run() -> T:
            if time.monotonic() - since > SECONDS_TO_WAIT:
                raise DatabaseLost("the database takes too long")
            with store_errors(), engine.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(threads, run)

    async def close(self) -> None:
        for threads, engine in ((self.writing, self.writer), (self.reading, self.readers)):
            await asyncio.to_thread(threads.shutdown)
            engine.dispose()


class PostgresqlDatabase(Database):
    def __init__(self, url: URL) -> None:
        super().__init__(url)
        self.engine = postgresql_engine(url)
        self.adder = self.engine.execution_options(isolation_level="AUTOCOMMIT")

    @property
    def shown(self) -> str:
        return self.url.set(drivername="postgresql").render_as_string(hide_password=True)

    async def read(self, work: Callable[[Connection], T]) -> T:
        with store_errors():
            async with self.engine.connect() as connection:
                return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        with store_errors():
            async with self.engine.begin() as connection:
                return await connection.run_sync(work)

    async def add(self, work: Callable[[Connection], T]) -> T:
        with store_errors():
            async with self.adder.begin() as connection:
                return await connection.run_sync(work)

    async def close(self) -> None:
        await self.engine.dispose()


def database_at(url: str) -> Database:
    """The database of a URL or of the path of a file, not connected yet. Raises CannotOpen."""
    found = url_of(url)
    return SqliteDatabase(found) if found.get_backend_name() == "sqlite" else PostgresqlDatabase(found)


@contextmanager
def store_errors() -> Iterator[None]:
    """Errors of the database become errors of the store."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict("somebody else wrote first") from error
    except (DBAPIError, PoolTimeout, OSError) as error:
        raise DatabaseLost(f"the database does not answer{said_by(error)}") from error


def said_by(error: Exception) -> str:
    """What SQLite says of a file: that it is read-only, full or damaged. Never what was to be written."""
    cause = error.orig if isinstance(error, DBAPIError) else None
    return f": {cause}" if isinstance(cause, sqlite3.Error) else ""


# --- URLs


def url_of(text: str) -> URL:
    """A URL with the driver for it. Raises CannotOpen."""
    if "://" not in text:
        return URL.create("sqlite", database=text)
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
    return url.set(drivername="sqlite")


def postgresql_url(url: URL) -> URL:
    """The URL with libpq's `sslmode` renamed to the driver's `ssl`."""
    query = {("ssl" if name == "sslmode" else name): value for name, value in url.query.items()}
    return url.set(drivername="postgresql+asyncpg", query=query)


# --- engines; their errors are logged, and must not show what was to be written: lines of a log have hidden tiles


# Parameters stay out of errors, which are logged: they are secrets, and hidden tiles.
def sqlite_engine(url: URL, connections: int, begin: str, pragmas: Sequence[str] = PRAGMAS) -> Engine:
    engine = create_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=SECONDS_TO_WAIT,
        hide_parameters=True,
        connect_args={"timeout": SECONDS_TO_WAIT, "isolation_level": None, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, record: Any) -> None:
        try:
            cursor = connection.cursor()
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
        except Exception:
            connection.close()
            raise

    @event.listens_for(engine, "begin")
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
