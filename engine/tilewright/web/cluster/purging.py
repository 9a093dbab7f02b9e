"""Purging: periodic deletion of old data. One of the servers that share a database does it; every server records the
people it has seen. Knows no running table.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable

from tilewright.web.protocol.settings import Settings
from tilewright.web.storage import Conflict, Store, StoreError

LOG = logging.getLogger("tilewright")


class Purging:
    """Who was seen, and what is deleted when. `worker`: the name of this server."""

    def __init__(self, settings: Settings, store: Store, worker: str) -> None:
        self.settings, self.store, self.worker = settings, store, worker
        self.came: set[int] = set()  # people seen since the last write

    def see(self, person: int) -> None:
        """Record that somebody has connected."""
        self.came.add(person)

    async def run(self, here: Callable[[], Iterable[int]]) -> None:
        """Write who was seen and delete old data, again and again."""
        while True:
            self.came.update(here())
            try:
                await self.write_down()
                if self.settings.keep is not None and await self.store.is_first(self.worker):
                    await self.purge(self.settings.keep)
            except StoreError as error:
                LOG.warning("old data could not be deleted: %s", error)
            await asyncio.sleep(self.settings.purge)

    async def write_down(self) -> None:
        """Write who was seen to the database."""
        came, self.came = self.came, set()
        try:
            await self.store.see(came)
        except StoreError:
            self.came |= came
            raise

    async def purge(self, keep: float) -> None:
        """Tables first, since people without tables can go then."""
        now = time.time()
        guests = min(keep, self.settings.keep_guests)
        await self.store.purge_bans()
        await all_of(self.store.purge_tables, now - keep)
        await all_of(self.store.purge_people, now - keep)
        await all_of(self.store.purge_guests, now - guests)


async def all_of(purge: Callable[[float], Awaitable[int]], before: float) -> None:
    """Batch after batch, until there are no more or somebody was seen in between."""
    try:
        while await purge(before):
            await asyncio.sleep(0)
    except Conflict as error:
        LOG.info("the rest is deleted later: %s", error)
