"""Tables: what is played where, the seats, invite codes, and the log, line by line; and by which server. A lease gives
a table to at most one at a time, by the clock of the database; a lock on a database file tells which server has it for
itself.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, func, insert, or_, select, update

from tilewright.web.storage.database import clock, now
from tilewright.web.storage.models import (
    InvitesModel,
    LeasesModel,
    LinesModel,
    RowAccess,
    SeatsModel,
    TablesModel,
    TableTextsModel,
    TextsModel,
    WorkersModel,
    columns,
    made,
    new_code,
    one,
    reading,
    writing,
)
from tilewright.web.storage.rows import SAFE_CODE, Conflict, NotFound, Owner, SeatRow, State, TableRow

INVITE_LENGTH = 8  # letters: short enough to be read out, and valid for minutes
MOST_TRIES = 3  # of codes
MOST_PUBLIC = 200
MOST_SETTING = 200  # characters of a setting, which may be called `text`
ENDS = ("over", "broken")
STATES: tuple[State, ...] = ("waiting", "playing", "over", "broken")

LINES_SO_FAR = func.coalesce(
    select(LinesModel.first + LinesModel.count)
    .where(LinesModel.table == bindparam("at", type_=LinesModel.table.type))
    .order_by(LinesModel.first.desc())
    .limit(1)
    .scalar_subquery(),
    0,
)
ADD_LINES = insert(LinesModel).from_select(
    [LinesModel.table, LinesModel.first, LinesModel.count, LinesModel.text],
    select(
        bindparam("at", type_=LinesModel.table.type),
        bindparam("first", type_=LinesModel.first.type),
        bindparam("count", type_=LinesModel.count.type),
        bindparam("text", type_=LinesModel.text.type),
    ).where(bindparam("first", type_=LinesModel.first.type) == LINES_SO_FAR),
)


class Tables(RowAccess):
    @writing
    def new_table(
        self,
        connection: Connection,
        spec: Mapping[str, Any],
        setup: Mapping[str, Any],
        host: int | None,
        seats: Sequence[SeatRow] = (),
        secret: str | None = None,
    ) -> TableRow:
        """Add a waiting table with a new code and its seats (whatever `table` they name)."""
        values = {
            "code": new_code(SAFE_CODE),
            "spec": dict(spec),
            "shown": without_texts(spec),
            "setup": dict(setup),
            "public": bool(setup.get("public")),
            "state": "waiting",
            "host": host,
            "created": now(),
            "scores": [],
            "secret": secret,
        }
        done = connection.execute(insert(TablesModel).values(values).returning(*columns(TablesModel, TableRow)))
        row = made(TableRow, done.one())
        if seats:
            connection.execute(insert(SeatsModel), [{**asdict(seat), "table": row.id} for seat in seats])
        return row

    async def table(self, code: str) -> TableRow | None:
        """The table with a code."""
        return await self.find_table(TablesModel.code == code)

    async def find_table(self, condition: ColumnElement[bool]) -> TableRow | None:
        return await self.find_whole(condition)

    @reading
    def find_whole(self, connection: Connection, condition: ColumnElement[bool]) -> TableRow | None:
        wanted = select(*columns(TablesModel, TableRow)).where(condition).order_by(TablesModel.id.desc()).limit(1)
        return one(TableRow, connection.execute(wanted).first())

    @reading
    def find_tables(self, connection: Connection, condition: ColumnElement[bool], limit: int) -> list[TableRow]:
        """Tables that meet a condition, newest first, to be listed: the texts of their specs are empty."""
        whole = columns(TablesModel, TableRow)
        listed = [TablesModel.shown if column.key == TablesModel.spec.key else column for column in whole]
        wanted = select(*listed).where(condition).order_by(TablesModel.id.desc()).limit(limit)
        return [made(TableRow, row) for row in connection.execute(wanted)]

    async def public_tables(self, since: float = 0.0, limit: int = MOST_PUBLIC) -> list[TableRow]:
        """Public tables made after a time that wait or play, newest first."""
        return await self.find_tables(
            TablesModel.public.is_(True)
            & TablesModel.state.in_(("waiting", "playing"))
            & (TablesModel.created >= since),
            limit,
        )

    async def tables_of(self, person: int, limit: int = 50, states: Sequence[State] = STATES) -> list[TableRow]:
        """Tables that a person made or has a seat at, newest first."""
        sits = exists().where(SeatsModel.table == TablesModel.id, SeatsModel.person == person)
        return await self.find_tables(or_(TablesModel.host == person, sits) & TablesModel.state.in_(states), limit)

    async def finished_tables(self, limit: int = 50) -> list[TableRow]:
        """Finished public tables, newest first."""
        return await self.find_tables(TablesModel.public.is_(True) & (TablesModel.state == "over"), limit)

    @writing
    def set_state(
        self, connection: Connection, /, table: int, state: State, by: str | None = None, **fields: Any
    ) -> TableRow:
        """Change the state of a table, and any of `spec`, `setup`, `host`, `digest`, `next`, `scores`. A table that
        ends gets `finished`. `by`: the server that plays it. Raises NotFound, and Conflict if another one does."""
        if wrong := fields.keys() - {"spec", "setup", "host", "digest", "next", "scores"}:
            raise TypeError(f"a table has no {', '.join(sorted(wrong))} to set")
        values = {name: plain(value) for name, value in fields.items()} | {"state": state}
        if "spec" in fields:
            values["shown"] = without_texts(fields["spec"])
        if "setup" in fields:
            values["public"] = bool(fields["setup"].get("public"))
        if state in ENDS:
            values["finished"] = now()
        changed = (
            update(TablesModel).where(TablesModel.id == table).values(values).returning(*columns(TablesModel, TableRow))
        )
        row = one(TableRow, connection.execute(changed).first())
        if row is None:
            raise NotFound("there is no such table")
        if by is not None:
            taken = select(LeasesModel.worker).where(LeasesModel.table == table, LeasesModel.worker != by)
            if connection.execute(taken).first() is not None:
                raise Conflict("another server plays this table")
        return row

    # --- seats

    @reading
    def seats(self, connection: Connection, table: int) -> list[SeatRow]:
        """The seats of a table, by player."""
        wanted = select(*columns(SeatsModel, SeatRow)).where(SeatsModel.table == table).order_by(SeatsModel.player)
        return [made(SeatRow, row) for row in connection.execute(wanted)]

    @reading
    def seats_at(self, connection: Connection, tables: Sequence[int]) -> dict[int, list[SeatRow]]:
        """The seats of some tables, by player."""
        wanted = select(*columns(SeatsModel, SeatRow)).where(SeatsModel.table.in_(tables))
        found: dict[int, list[SeatRow]] = {table: [] for table in tables}
        for row in connection.execute(wanted.order_by(SeatsModel.player)):
            found[row.table].append(made(SeatRow, row))
        return found

    @writing
    def set_seat(self, connection: Connection, seat: SeatRow) -> SeatRow:
        """Replace a seat. Its token is stored as `hashed(token)`."""
        connection.execute(delete(SeatsModel).where(SeatsModel.table == seat.table, SeatsModel.player == seat.player))
        connection.execute(insert(SeatsModel).values(asdict(seat)))
        return seat

    # --- the texts of rules

    @writing
    def keep_texts(self, connection: Connection, table: int, texts: Mapping[str, str]) -> None:
        """Keep the texts that the rules of a table were made of, by the ids of their documents. Each text is stored
        once."""
        hashes = {document: sha256(text.encode()).hexdigest() for document, text in texts.items()}
        new = [{"hash": hashes[document], "text": text} for document, text in texts.items()]
        kept = [{"table": table, "document": document, "hash": hash} for document, hash in hashes.items()]
        for model, rows in ((TextsModel, new), (TableTextsModel, kept)):
            if rows:
                connection.execute(self.insert_into(model).on_conflict_do_nothing(), rows)

    @reading
    def kept_texts(self, connection: Connection, table: int) -> dict[str, str]:
        """The texts that the rules of a table were made of; none for a table that has kept none."""
        wanted = select(TableTextsModel.document, TextsModel.text).join_from(TableTextsModel, TextsModel)
        found = connection.execute(wanted.where(TableTextsModel.table == table))
        return {row.document: row.text for row in found}

    # --- invite codes

    async def new_invite(self, table: int, seconds: float) -> str:
        """A new invite code of a table, in place of the one before; codes that have expired are deleted."""
        for left in reversed(range(MOST_TRIES)):
            try:
                return await self.try_new_invite(table, new_code(INVITE_LENGTH), seconds)
            except Conflict:
                if not left:
                    raise
        raise AssertionError

    @writing
    def try_new_invite(self, connection: Connection, table: int, code: str, seconds: float) -> str:
        """Raises Conflict if another table has this code."""
        old = delete(InvitesModel).where((InvitesModel.table == table) | (InvitesModel.until < clock()))
        connection.execute(old)
        connection.execute(insert(InvitesModel).values(table=table, code=code, until=clock() + seconds))
        return code

    async def invited(self, code: str) -> TableRow | None:
        """The table of an invite code that has not expired."""
        valid = exists().where(
            InvitesModel.table == TablesModel.id, InvitesModel.code == code, InvitesModel.until > clock()
        )
        return await self.find_table(valid)

    # --- logs

    async def add_lines(self, table: int, first_n: int, lines: Sequence[str]) -> None:
        """Append lines to a log of `first_n` lines. Raises Conflict if it has more or fewer: another server plays this
        table."""
        if not lines:
            return
        values = {"at": table, "first": first_n, "count": len(lines), "text": "\n".join(lines)}
        if await self.database.add(lambda connection: connection.execute(ADD_LINES, values).rowcount) != 1:
            raise Conflict("somebody else plays this table")

    @reading
    def lines(self, connection: Connection, table: int) -> list[str]:
        """The log of a table so far."""
        wanted = select(LinesModel.text).where(LinesModel.table == table).order_by(LinesModel.first)
        return [line for (text,) in connection.execute(wanted) for line in text.split("\n")]


def without_texts(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A spec, or a part of one, whose documents have empty texts, but for those that are as short as settings."""
    return {key: emptied(key, value) for key, value in spec.items()}


def emptied(key: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return without_texts(value)
    if isinstance(value, list | tuple):
        return [emptied(key, inner) for inner in value]
    return "" if key == "text" and isinstance(value, str) and len(value) > MOST_SETTING else value


def plain(value: Any) -> Any:
    """Mappings and tuples as JSON has them."""
    return json.loads(json.dumps(value)) if value is not None and not isinstance(value, str | int) else value


# --- leases


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
        connection.execute(delete(LeasesModel).where(LeasesModel.until < old))
        unused = ~exists().where(LeasesModel.worker == WorkersModel.id)
        connection.execute(delete(WorkersModel).where(WorkersModel.until < old, unused))

    @writing
    def claim(self, connection: Connection, table: int, worker: str, seconds: float) -> bool:
        """Claim a table for a registered server. Returns whether no other server plays it. A lease that ends later than
        any of so many seconds can was given before the clock of the database was set back, and has expired."""
        values = {"table": table, "worker": worker, "until": clock() + seconds}
        early = LeasesModel.until > clock() + SPARE * seconds  # the clock of the database was set back since
        free = (LeasesModel.worker == worker) | (LeasesModel.until <= clock()) | early
        added = self.insert_into(LeasesModel).values(values)
        taken = added.on_conflict_do_update(index_elements=[LeasesModel.table], set_=values, where=free)
        return connection.execute(taken).rowcount == 1

    @writing
    def renew(self, connection: Connection, worker: str, seconds: float) -> frozenset[int]:
        """Renew a server's leases. Returns the ids of the tables that it still has; others took the rest."""
        until = clock() + seconds
        connection.execute(update(WorkersModel).where(WorkersModel.id == worker).values(until=until))
        renewed = (
            update(LeasesModel).where(LeasesModel.worker == worker).values(until=until).returning(LeasesModel.table)
        )
        return frozenset(connection.execute(renewed).scalars())

    @writing
    def release(self, connection: Connection, table: int, worker: str) -> None:
        """Release a table."""
        connection.execute(delete(LeasesModel).where(LeasesModel.table == table, LeasesModel.worker == worker))

    @writing
    def release_all(self, connection: Connection, worker: str) -> None:
        """Release all tables of a server that ends, so that others may take them at once."""
        connection.execute(delete(LeasesModel).where(LeasesModel.worker == worker))
        connection.execute(delete(WorkersModel).where(WorkersModel.id == worker))

    @reading
    def owner(self, connection: Connection, table: int) -> Owner | None:
        """The server that plays a table now."""
        held = (LeasesModel.table == table) & (LeasesModel.until > clock())
        wanted = (
            select(WorkersModel.id, WorkersModel.address)
            .join(LeasesModel, LeasesModel.worker == WorkersModel.id)
            .where(held)
        )
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
