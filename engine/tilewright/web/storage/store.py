"""Store: the open database of a server, with all its parts."""

from typing import Self

from tilewright.web.storage.database import database_at
from tilewright.web.storage.documents import Documents
from tilewright.web.storage.leases import Leases
from tilewright.web.storage.people import Bans, People
from tilewright.web.storage.purge import Purge
from tilewright.web.storage.schema import bring_up_to_date
from tilewright.web.storage.tables import Tables


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
