"""Purge: deletes tables that ended long ago, people not seen for long, and bans that have ended. In batches, so that
nobody waits for it. Banned people stay: databases give the numbers of deleted ones to others."""

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, Connection, String, and_, cast, delete, exists, func, or_, select, update

from tilewright.web.storage.database import clock, now
from tilewright.web.storage.models import (
    BansModel,
    DocumentsModel,
    LeasesModel,
    PeopleModel,
    SeatsModel,
    TablesModel,
    TableTextsModel,
    TextsModel,
    WinsModel,
    WorkersModel,
)
from tilewright.web.storage.row_access import RowAccess, reading, writing
from tilewright.web.storage.tables import ENDS

MOST = 200  # rows of one transaction


class Purge(RowAccess):
    async def see(self, people: Iterable[int]) -> None:
        """Record that these people were just seen."""
        ids = list(people)
        for first in range(0, len(ids), MOST):
            await self.see_some(ids[first : first + MOST])

    @writing
    def see_some(self, connection: Connection, ids: Sequence[int]) -> None:
        connection.execute(update(PeopleModel).where(PeopleModel.id.in_(ids)).values(seen=now()))

    @reading
    def is_first(self, connection: Connection, worker: str) -> bool:
        """Whether a server is the first of all running ones, which does what one of them has to do."""
        first = connection.scalar(select(func.min(WorkersModel.id)).where(WorkersModel.until > clock()))
        return bool(first == worker)

    @writing
    def purge_tables(self, connection: Connection, before: float) -> int:
        """Delete a batch of tables, with their logs, that ended before a time, or were made before it and never ended;
        none that is being played. Returns how many."""
        ended = TablesModel.state.in_(ENDS)
        old = or_(and_(ended, TablesModel.finished < before), and_(~ended, TablesModel.created < before))
        held = exists().where(LeasesModel.table == TablesModel.id, LeasesModel.until > clock())
        wanted = select(TablesModel.id).where(old & ~held).order_by(TablesModel.id).limit(MOST)
        count = connection.execute(delete(TablesModel).where(TablesModel.id.in_(wanted))).rowcount
        if count:
            is_kept = exists().where(TableTextsModel.hash == TextsModel.hash)
            connection.execute(delete(TextsModel).where(~is_kept))
        return count

    async def purge_people(self, before: float) -> int:
        """Delete a batch of people, with their documents, not seen since a time and without tables. Returns how
        many."""
        return await self.delete_people(PeopleModel.seen < before)

    async def purge_guests(self, before: float) -> int:
        """Delete a batch of people not seen since a time, without tables and documents. Returns how many."""
        return await self.delete_people(
            (PeopleModel.seen < before) & ~exists().where(DocumentsModel.person == PeopleModel.id)
        )

    @writing
    def purge_bans(self, connection: Connection) -> None:
        """Delete the bans that have ended."""
        connection.execute(delete(BansModel).where(BansModel.until < clock()))

    @writing
    def delete_people(self, connection: Connection, condition: ColumnElement[bool]) -> int:
        has_made, sits, is_banned = (
            exists().where(TablesModel.host == PeopleModel.id),
            exists().where(SeatsModel.person == PeopleModel.id),
            exists().where(BansModel.kind == "person", BansModel.subject == cast(PeopleModel.id, String)),
        )
        wanted = (
            select(PeopleModel.id)
            .where(condition & ~has_made & ~sits & ~is_banned)
            .order_by(PeopleModel.id)
            .limit(MOST)
        )
        ids = list(connection.execute(wanted).scalars())
        for theirs in (DocumentsModel, WinsModel):
            connection.execute(delete(theirs).where(theirs.person.in_(ids)))
        return connection.execute(delete(PeopleModel).where(PeopleModel.id.in_(ids))).rowcount
