"""The ban list of a server: who is banned now, as the database says, looked up without asking it. Knows no page."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network

from tilewright.web.storage import Ban, Store, StoreError

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
