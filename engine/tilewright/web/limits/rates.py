"""Rates: how often somebody may do something, and the address they connect from. Knows nobody."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Any

from tilewright.web.protocol.settings import Limits

NETWORK = 64  # bits of an IPv6 address: the owner of the network chooses the others


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


class MessageRates:
    """How many messages and bytes the connections of each person, and of each address, may send."""

    def __init__(self, limits: Limits, public: bool) -> None:
        self.limits, self.public = limits, public
        self.people = Buckets(limits.rate_of_one, limits.burst_of_one)
        self.addresses = Buckets(limits.rate_from, limits.burst_from)
        self.bytes = Buckets(limits.bytes_from, limits.bytes_burst_from)
        self.connections = Buckets(limits.connects_from, limits.connects_burst_from)

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
    return f"{IPv6Address(int(address) >> NETWORK << NETWORK)}/{NETWORK}"
