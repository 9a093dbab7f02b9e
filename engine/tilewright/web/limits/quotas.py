"""Quotas: how many tables a server plays at a time for one person, and how many of untrusted rules; how many wrong
codes somebody may try. On a public server also for one address, since anybody can make a second key.

A table is counted for the person who made it, or reopened it by joining it. Knows no table.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tilewright.web.limits.rates import AddressBuckets, AddressCounts, Buckets
from tilewright.web.protocol import refusals
from tilewright.web.protocol.client import Client
from tilewright.web.protocol.settings import Settings
from tilewright.web.storage import Person


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
