"""Limits: how often, how many and how much somebody may, and what is refused beyond that. Knows no table and no work.

Rates count by address. An address of IPv6 is the network of 64 bits that one household has at least. Whoever has a
wider one, as many do, can choose among thousands of those: so the network of 48 bits is counted as well, and may have
several times as much, as there may be several people in it. Budgets are of bytes that are held at a time; caches are
bounded in bytes, too, and who filled most of one loses their oldest results first. Quotas are of tables that are played
at a time, and of wrong codes: of a person, and on a public server of an address, since anybody can make a second key.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any, Protocol

from tilewright.web.protocol import refusals
from tilewright.web.protocol.replies import Client
from tilewright.web.protocol.settings import Limits, Settings
from tilewright.web.storage.rows import Person

NETWORK, WIDE = 64, 48  # bits of an IPv6 address: the owner of the network chooses the others
TIMES = 4  # as much as of a network is allowed in a wide one


# --- rates


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


# --- bytes that are held


class BytesBudget:
    """So many bytes in all (`most`), and so many of one user (`each`). `held`: by user."""

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each = most, each
        self.held: Counter[object] = Counter()
        self.total = 0

    @contextmanager
    def share_of(self, who: object) -> Iterator["Share"]:
        """What one request holds; given back after the block."""
        share = Share(self, who)
        try:
            yield share
        finally:
            share.give_back()


@dataclass(slots=True)
class Share:
    """Bytes of one user that are held together."""

    budget: BytesBudget
    who: object
    size: int = 0

    def take(self, size: int) -> bool:
        """Whether so many more may be held."""
        budget = self.budget
        if budget.total + size > budget.most or budget.held[self.who] + size > budget.each:
            return False
        budget.total += size
        budget.held[self.who] += size
        self.size += size
        return True

    def give_back(self) -> None:
        budget = self.budget
        budget.total -= self.size
        budget.held[self.who] -= self.size
        if not budget.held[self.who]:
            del budget.held[self.who]
        self.size = 0


class Holder(Protocol):
    """Somebody who holds bytes, and can be made to let them go."""

    def give_up(self) -> None: ...


class HeldBytes:
    """Bytes that are held at a time. Whoever holds most is given up first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.by: dict[Holder, int] = {}
        self.total = 0

    def hold(self, who: Holder, size: int) -> None:
        """Somebody holds so many bytes now."""
        self.forget(who)
        if size:
            self.by[who] = size
            self.total += size
        while self.total > self.most:
            worst = max(self.by, key=self.by.__getitem__)
            self.forget(worst)
            worst.give_up()

    def forget(self, who: Holder) -> None:
        self.total -= self.by.pop(who, 0)


# --- turns of the loop


LEAST = 30_000  # bytes that are read at once without waiting


class Spacing:
    """Whoever waits goes on in a turn of the loop in which nobody else does."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()

    async def wait(self, size: int) -> None:
        """Wait to read so many bytes."""
        if size > LEAST:
            async with self.lock:
                await asyncio.sleep(0)


# --- caches


OF_ONE = 4  # a result takes at most this part of a cache


class SharedCache:
    """`most`: bytes, with those of keys. Results are counted for whoever asked first, or nobody (None)."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.found: dict[object, tuple[bytes, object]] = {}
        self.keys: dict[object, OrderedDict[object, int]] = {}  # of each user, with sizes, oldest first
        self.sizes: Counter[object] = Counter()

    def get(self, key: object) -> bytes | None:
        if key not in self.found:
            return None
        content, who = self.found[key]
        self.keys[who].move_to_end(key)
        return content

    def put(self, key: object, content: bytes, who: object) -> None:
        self.drop(key)
        size = len(content) + len(repr(key))
        if size * OF_ONE > self.most:
            return
        self.found[key] = (content, who)
        self.keys.setdefault(who, OrderedDict())[key] = size
        self.sizes[who] += size
        while self.sizes.total() > self.most:
            most = max(self.sizes, key=self.sizes.__getitem__)
            self.drop(next(iter(self.keys[most])))

    def drop(self, key: object) -> None:
        if key not in self.found:
            return
        _, who = self.found.pop(key)
        self.sizes[who] -= self.keys[who].pop(key)
        if not self.keys[who]:
            del self.keys[who], self.sizes[who]


@dataclass(slots=True)
class Making:
    """A result that is being made, and how many wait for it."""

    task: "asyncio.Task[bytes]"
    waiting: int = 0


class MadeOnce:
    """A cache whose results are made once, however many ask meanwhile, and no longer once nobody waits any more."""

    def __init__(self, most: int) -> None:
        self.cache = SharedCache(most)
        self.making: dict[object, Making] = {}

    async def get(self, key: object, who: object, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """The result of the key, from the cache or a new one."""
        found = self.cache.get(key)
        if found is not None:
            return found
        if key not in self.making:
            self.making[key] = Making(asyncio.create_task(self.made(key, who, make)))
        making = self.making[key]
        making.waiting += 1
        try:
            return await asyncio.shield(making.task)
        finally:
            making.waiting -= 1
            if not making.waiting and self.making.get(key) is making:
                del self.making[key]
                making.task.cancel()

    async def made(self, key: object, who: object, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """Make a result, and cache it on success."""
        content = await make()
        self.cache.put(key, content, who)
        return content


# --- quotas


class TableQuotas:
    """Who opened which table, by its code: a person and an address."""

    def __init__(self, settings: Settings) -> None:
        self.limits, self.public = settings.limits, settings.public
        self.made = Buckets(self.limits.made / 60, self.limits.made)
        self.made_from = AddressBuckets(self.limits.made_from / 60, self.limits.made_from)
        self.openers: dict[str, tuple[int, str]] = {}
        self.coming: list[tuple[int, str]] = []  # whose tables are being opened now

    def put(self, code: str, client: Client) -> None:
        self.openers[code] = (client.person.id, client.address)

    def forget(self, code: str) -> None:
        self.openers.pop(code, None)

    def check_made(self, client: Client) -> None:
        """Count a new table. Raises Refused if somebody makes too many."""
        if not self.made.take(client.person.id) or (self.public and not self.made_from.take(client.address)):
            raise refusals.too_many("server.many_tables")

    def check_open(self, client: Client) -> None:
        """Check that there is room for one more table. Raises Refused."""
        counts = AddressCounts.of(address for _, address in self.openers.values())
        has_room = not self.public or counts.has_room(client.address, self.limits.open_from)
        if len(self.openers) >= self.limits.open or not has_room:
            raise refusals.full()

    @contextmanager
    def one_more(self, client: Client, tables: Iterable[str]) -> Iterator[None]:
        """Count one more table of untrusted rules. Raises Refused."""
        self.check(client, tables)
        opener = (client.person.id, client.address)
        self.coming.append(opener)
        try:
            yield
        finally:
            self.coming.remove(opener)

    def check(self, client: Client, tables: Iterable[str]) -> None:
        """Raises Refused."""
        openers = [*self.coming, *(self.openers[code] for code in tables)]
        if sum(person == client.person.id for person, _ in openers) >= self.limits.untrusted:
            raise refusals.too_many("server.own_rules_tables")
        counts = AddressCounts.of(address for _, address in openers)
        if self.public and not counts.has_room(client.address, self.limits.untrusted_from):
            raise refusals.too_many("server.own_rules_from_address")


class Misses:
    """Wrong codes, by address and by person. Counted on a public server alone."""

    def __init__(self, settings: Settings) -> None:
        limits, self.public = settings.limits, settings.public
        self.addresses = AddressBuckets(limits.misses_again, limits.misses)
        self.people = Buckets(limits.misses_again, limits.misses)

    def count(self, is_wrong: bool, address: str, person: Person | None) -> None:
        """Count a code that was looked up. Raises Refused, whether it is right or wrong, where too many were wrong."""
        fine = self.addresses.has(address) and (person is None or self.people.has(person.id))
        if self.public and not fine:
            raise refusals.too_many("server.wrong_codes")
        if is_wrong:
            self.addresses.take(address)
            if person is not None:
                self.people.take(person.id)
