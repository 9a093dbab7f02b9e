"""Rates: how often somebody may do something, and the address they connect from. Knows nobody.

An address of IPv6 is the network of 64 bits that one household has at least. Whoever has a wider one, as many do, can
choose among thousands of those: so the network of 48 bits is counted as well, and may have several times as much, as
there may be several people in it.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any

from tilewright.web.protocol.settings import Limits

NETWORK, WIDE = 64, 48  # bits of an IPv6 address: the owner of the network chooses the others
TIMES = 4  # as much as of a network is allowed in a wide one


@dataclass(slots=True)
class Bucket:
    """A token bucket: so many a second, and unused ones saved up to a limit."""

    rate: float
    burst: float
    full: float = -1.0
    since: float = field(default_factory=time.monotonic)

    def take(self, cost: float = 1.0) -> bool:
        """Whether it may be done now."""
        now = time.monotonic()
        have = self.left(now)
        self.since = now
        self.full = have - cost if have >= cost else have
        return have >= cost

    def left(self, now: float) -> float:
        """What is there at a time."""
        return self.burst if self.full < 0 else min(self.burst, self.full + (now - self.since) * self.rate)


class Buckets:
    """A bucket for each user; the least recently active are forgotten."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self.rate, self.burst, self.most = rate, burst, most
        self.all: OrderedDict[object, Bucket] = OrderedDict()

    def take(self, who: object, cost: float = 1.0) -> bool:
        bucket = self.all.setdefault(who, Bucket(self.rate, self.burst))
        self.all.move_to_end(who)
        while len(self.all) > self.most:
            self.all.popitem(last=False)
        return bucket.take(cost)

    def has(self, who: object, cost: float = 1.0) -> bool:
        """Whether it could be taken now; takes nothing."""
        bucket = self.all.get(who)
        return bucket is None or bucket.left(time.monotonic()) >= cost

    def forget(self, who: object) -> None:
        """Start anew for somebody."""
        self.all.pop(who, None)


class AddressBuckets:
    """A bucket for each address, and a larger one for each wide network."""

    def __init__(self, rate: float, burst: float) -> None:
        self.near, self.wide = Buckets(rate, burst), Buckets(TIMES * rate, TIMES * burst)

    def take(self, address: str, cost: float = 1.0) -> bool:
        wide = wide_network(address)
        if wide is None:
            return self.near.take(address, cost)
        return self.wide.has(wide, cost) and self.near.take(address, cost) and self.wide.take(wide, cost)

    def has(self, address: str) -> bool:
        """Whether it could be taken now; takes nothing."""
        wide = wide_network(address)
        return self.near.has(address) and (wide is None or self.wide.has(wide))

    def forget(self, address: str) -> None:
        """Start anew for an address."""
        self.near.forget(address)
        self.wide.forget(wide_network(address))


class AddressCounts:
    """How many of something each address has now, and each wide network."""

    def __init__(self) -> None:
        self.near, self.wide = Counter[str](), Counter[str]()

    @property
    def total(self) -> int:
        return self.near.total()

    def has_room(self, address: str, most: int) -> bool:
        """Whether an address may have one more, where so many are the most."""
        wide = wide_network(address)
        return self.near[address] < most and (wide is None or self.wide[wide] < TIMES * most)

    def enter(self, address: str) -> None:
        self.near[address] += 1
        if (wide := wide_network(address)) is not None:
            self.wide[wide] += 1

    def leave(self, address: str) -> None:
        for counts, one in ((self.near, address), (self.wide, wide_network(address))):
            if one is not None and one in counts:
                counts[one] -= 1
                if counts[one] <= 0:
                    del counts[one]

    @classmethod
    def of(cls, addresses: Iterable[str]) -> "AddressCounts":
        """Those of a list."""
        found = cls()
        for address in addresses:
            found.enter(address)
        return found


class MessageRates:
    """How many messages and bytes the connections of each person, and of each address, may send."""

    def __init__(self, limits: Limits, public: bool) -> None:
        self.limits, self.public = limits, public
        self.people = Buckets(limits.rate_of_one, limits.burst_of_one)
        self.addresses = AddressBuckets(limits.rate_from, limits.burst_from)
        self.bytes = AddressBuckets(limits.bytes_from, limits.bytes_burst_from)
        self.connections = AddressBuckets(limits.connects_from, limits.connects_burst_from)

    def take(self, person: int | None, address: str, cost: float) -> bool:
        """Whether a message may be handled that counts as so many."""
        return (person is None or self.people.take(person, cost)) and (
            not self.public or self.addresses.take(address, cost)
        )

    def take_connection(self, address: str) -> bool:
        """Whether somebody may connect once more."""
        return not self.public or self.connections.take(address)

    def take_bytes(self, address: str, size: int) -> bool:
        return not self.public or self.bytes.take(address, size)


def address_of(scope: Mapping[str, Any]) -> str:
    """The address of a request or a socket; for IPv6, its network. Behind a proxy it is the one that the proxy gives
    (see docs/serve.md)."""
    client = scope.get("client")
    host = str(client[0]) if client else ""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 128 - NETWORK << 128 - NETWORK)}/{NETWORK}"


@lru_cache(maxsize=10_000)
def wide_network(address: str) -> str | None:
    """The wide network of an address of IPv6, as `address_of` gives it; of another one, none."""
    host, is_network, _ = address.partition(f"/{NETWORK}")
    return f"{IPv6Address(int(IPv6Address(host)) >> 128 - WIDE << 128 - WIDE)}/{WIDE}" if is_network else None


def shared_by(address: str) -> str:
    """Those who share what is divided among all who want it: the wide network of an address, or itself."""
    return wide_network(address) or address
