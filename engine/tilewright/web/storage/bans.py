"""Bans: people and addresses that may not use the servers of a database, each for a time or for ever."""

from dataclasses import asdict

from sqlalchemy import Connection, delete, or_, select

from tilewright.web.storage.database import clock
from tilewright.web.storage.models import BansModel as Model
from tilewright.web.storage.row_access import RowAccess, columns, made, reading, writing
from tilewright.web.storage.rows import Ban, BanKind


class Bans(RowAccess):
    @writing
    def ban(self, connection: Connection, ban: Ban) -> None:
        """Add a ban, or replace the one of the same person or address."""
        values = asdict(ban)
        added = self.insert_into(Model).values(values)
        changed = added.on_conflict_do_update(index_elements=[Model.kind, Model.subject], set_=values)
        connection.execute(changed)

    @writing
    def unban(self, connection: Connection, kind: BanKind, subject: str) -> bool:
        """End a ban. Returns whether there was one."""
        ended = delete(Model).where(Model.kind == kind, Model.subject == subject)
        return connection.execute(ended).rowcount == 1

    @reading
    def bans(self, connection: Connection) -> list[Ban]:
        """The bans that hold now, latest first."""
        wanted = select(*columns(Model, Ban)).where(or_(Model.until.is_(None), Model.until > clock()))
        found = connection.execute(wanted.order_by(Model.created.desc(), Model.kind, Model.subject))
        return [made(Ban, row) for row in found]
