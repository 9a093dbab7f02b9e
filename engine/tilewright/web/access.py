"""Access: who may come, and who has been here.

Codes of tables and invite codes are looked up for people: a code, and who asks from where, in; the table out, or a
refusal, the same whether there is no such table or nobody may know of it. Bans are those of the database, looked up
without asking it. Every server records the people it has seen; one of those that share a database deletes old data.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import Misses
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.settings import Settings
from tilewright.web.storage.models import hashed
from tilewright.web.storage.rows import Ban, Conflict, Person, SeatRow, StoreError, TableRow
from tilewright.web.storage.store import Store

# --- codes


@dataclass(frozen=True, slots=True)
class Seeker:
    """Who looks for a table: an address, the person if known, and the secret of a seat's link if there is one."""

    address: str
    person: Person | None = None
    seat: str | None = None


class Access:
    """Looks tables up. A safe code is the right to see the table; a guessable one, of an older version, is that for the
    people of the table alone, unless it is public."""

    def __init__(self, store: Store, misses: Misses) -> None:
        self.store, self.misses = store, misses

    async def table(self, code: str, seeker: Seeker, missing: Refused | None = None) -> TableRow:
        """The table with a code. Raises Refused: `missing`, or that too many codes were wrong; never to the people of
        the table."""
        row = await self.store.table(code)
        if row is not None and await self.belongs(row, seeker):
            return row
        if row is not None and row.is_guessable and not row.public:
            row = None
        self.misses.count(row is None, seeker.address, seeker.person)
        if row is None:
            raise missing or refusals.unknown_table()
        return row

    async def belongs(self, row: TableRow, seeker: Seeker) -> bool:
        """Whether somebody made the table, has a seat there, or the link of one."""
        if seeker.person is not None and seeker.person.id == row.host:
            return True
        return any(is_seat_of(seat, seeker) for seat in await self.store.seats(row.id))

    async def invited(self, code: str, seeker: Seeker) -> TableRow:
        """The table of an invite code, while somebody can still sit down there. Raises Refused."""
        row = await self.store.invited(code)
        if row is not None and not await self.has_room(row):
            row = None
        self.misses.count(row is None, seeker.address, seeker.person)
        if row is None:
            raise refusals.unknown_invite()
        return row

    async def has_room(self, row: TableRow) -> bool:
        """Whether the table waits, or has a free seat."""
        if row.state == "waiting":
            return True
        seats = await self.store.seats(row.id) if row.state == "playing" else []
        return any(seat.kind == "person" and seat.person is None for seat in seats)


def is_seat_of(seat: SeatRow, seeker: Seeker) -> bool:
    if seat.person is None:
        return False
    has_link = seeker.seat is not None and seat.token_hash == hashed(seeker.seat)
    return has_link or (seeker.person is not None and seat.person == seeker.person.id)


# --- bans


LOG = logging.getLogger("tilewright")
SECONDS = 5.0  # between two looks at what other servers banned

Network = IPv4Network | IPv6Network


class BanList:
    """The bans that hold. `on_change`: called after they have changed."""

    def __init__(self, store: Store, on_change: Callable[[], None]) -> None:
        self.store, self.on_change = store, on_change
        self.reading = asyncio.Lock()  # so that no older answer of the database replaces a newer one
        self.all: tuple[Ban, ...] = ()
        self.people: frozenset[int] = frozenset()
        self.networks: dict[tuple[int, int], set[Network]] = {}  # by version and length of the prefix

    async def read(self) -> None:
        """Take the bans from the database. Raises StoreError."""
        async with self.reading:
            found = tuple(await self.store.bans())
            if found != self.all:
                self.all = found
                self.people = frozenset(int(ban.subject) for ban in found if ban.kind == "person")
                self.networks = by_length(ip_network(ban.subject) for ban in found if ban.kind == "address")
                self.on_change()

    async def run(self) -> None:
        """Read the bans of other servers again and again."""
        while True:
            try:
                await self.read()
            except StoreError as error:
                LOG.warning("the bans could not be read: %s", error)
            await asyncio.sleep(SECONDS)

    def has_person(self, person: int) -> bool:
        return person in self.people

    def has_address(self, address: str) -> bool:
        """Whether an address, as `address_of` gives it, is banned or lies in a banned network."""
        if not self.networks:
            return False
        try:
            own = ip_network(address)
        except ValueError:
            return False
        return any(
            version == own.version and length <= own.prefixlen and own.supernet(new_prefix=length) in networks
            for (version, length), networks in self.networks.items()
        )


def by_length(networks: Iterable[Network]) -> dict[tuple[int, int], set[Network]]:
    found: dict[tuple[int, int], set[Network]] = defaultdict(set)
    for network in networks:
        found[network.version, network.prefixlen].add(network)
    return dict(found)


# --- old data


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
