"""Store: the database of a server, opened; its parts in one."""

from typing import Self

from tilewright.apps.web.store.database import Database
from tilewright.apps.web.store.documents import Documents
from tilewright.apps.web.store.leases import Leases
from tilewright.apps.web.store.people import People
from tilewright.apps.web.store.purge import Purge
from tilewright.apps.web.store.schema import bring_up_to_date
from tilewright.apps.web.store.tables import Tables


class Store(People, Tables, Leases, Documents, Purge):
    """All that is kept. Every method is one transaction; any of them raises Lost when the database does not answer."""

    @classmethod
    async def open(cls, url: str) -> Self:
        """The store at a URL, or in the file with this path; its tables are brought up to date. Raises CannotOpen."""
        database = Database.at(url)
        try:
            await bring_up_to_date(database)
        except BaseException:
            await database.close()
            raise
        return cls(database)

    async def close(self) -> None:
        """Ends all connections."""
        await self.database.close()
