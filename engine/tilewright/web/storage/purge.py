"""Purge: what nobody needs any more goes: tables that ended long ago, people who came long ago. So many at a time, so
that nobody waits for it."""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update

from tilewright.web.storage.database import clock, now
from tilewright.web.storage.models import Documents, Leases, People, Seats, Tables, Workers
from tilewright.web.storage.part import Part
from tilewright.web.storage.tables import ENDS

MOST = 200  # rows of one transaction


class Purge(Part):
    async def see(self, people: Iterable[int]) -> None:
        """These people are here, or were just now."""
        ids = list(people)
        for first in range(0, len(ids), MOST):
            seen = update(People).where(People.id.in_(ids[first : first + MOST])).values(seen=now())
            async with self.database.writing() as connection:
                await connection.execute(seen)

    async def is_first(self, worker: str) -> bool:
        """Whether a server is the first of all that run: what one of them has to do, this one does."""
        async with self.database.reading() as connection:
            first = await connection.scalar(select(func.min(Workers.id)).where(Workers.until > clock()))
            return bool(first == worker)

    async def purge_tables(self, before: float) -> int:
        """Some tables go, with their logs, that ended before a time, or were made before it and never ended; none that
        is being played. How many."""
        ended = Tables.state.in_(ENDS)
        old = or_(and_(ended, Tables.finished < before), and_(~ended, Tables.created < before))
        held = exists().where(Leases.table == Tables.id, Leases.until > clock())
        wanted = select(Tables.id).where(old & ~held).order_by(Tables.id).limit(MOST)
        async with self.database.writing() as connection:
            return (await connection.execute(delete(Tables).where(Tables.id.in_(wanted)))).rowcount

    async def purge_people(self, before: float) -> int:
        """Some people go, with their documents, who did not come since a time, and have no table here. How many."""
        return await self.delete_people(People.seen < before)

    async def purge_guests(self, before: float) -> int:
        """Some people go who did not come since a time, and have neither a table nor a document here. How many."""
        return await self.delete_people((People.seen < before) & ~exists().where(Documents.person == People.id))

    async def delete_people(self, condition: ColumnElement[bool]) -> int:
        has_made, sits = exists().where(Tables.host == People.id), exists().where(Seats.person == People.id)
        wanted = select(People.id).where(condition & ~has_made & ~sits).order_by(People.id).limit(MOST)
        async with self.database.writing() as connection:
            ids = list((await connection.execute(wanted)).scalars())
            await connection.execute(delete(Documents).where(Documents.person.in_(ids)))
            return (await connection.execute(delete(People).where(People.id.in_(ids)))).rowcount
