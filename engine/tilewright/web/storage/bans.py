"""Bans: people and addresses that may not use the servers of a database, each for a time or for ever."""

from dataclasses import asdict

from sqlalchemy import delete, or_, select

from tilewright.web.storage.database import clock
from tilewright.web.storage.models import BansModel as Model
from tilewright.web.storage.row_access import RowAccess, columns, made
from tilewright.web.storage.rows import Ban, BanKind


class Bans(RowAccess):
    async def ban(self, ban: Ban) -> None:
        """Add a ban, or replace the one of the same person or address."""
        values = asdict(ban)
        added = self.insert_into(Model).values(values)
        changed = added.on_conflict_do_update(index_elements=[Model.kind, Model.subject], set_=values)
        async with self.database.writing() as connection:
            await connection.execute(changed)

    async def unban(self, kind: BanKind, subject: str) -> bool:
        """End a ban. Returns whether there was one."""
        ended = delete(Model).where(Model.kind == kind, Model.subject == subject)
        async with self.database.writing() as connection:
            return (await connection.execute(ended)).rowcount == 1

    async def bans(self) -> list[Ban]:
        """The bans that hold now, latest first."""
        wanted = select(*columns(Model, Ban)).where(or_(Model.until.is_(None), Model.until > clock()))
        async with self.database.reading() as connection:
            found = await connection.execute(wanted.order_by(Model.created.desc(), Model.kind, Model.subject))
            return [made(Ban, row) for row in found]
