"""Limits: how often somebody may do something. Knows nobody."""

import time
from collections import OrderedDict
from dataclasses import dataclass, field


@dataclass(slots=True)
class Bucket:
    """So many a second, and as many at once as have not been used before."""

    rate: float
    burst: float
    full: float = -1.0
    since: float = field(default_factory=time.monotonic)

    def take(self, cost: float = 1.0) -> bool:
        """Whether it may be done now."""
        now = time.monotonic()
        have = self.burst if self.full < 0 else min(self.burst, self.full + (now - self.since) * self.rate)
        self.since = now
        self.full = have - cost if have >= cost else have
        return have >= cost


class Buckets:
    """One for each of those who do something; those who have done nothing for the longest time are forgotten."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self.rate, self.burst, self.most = rate, burst, most
        self.all: OrderedDict[object, Bucket] = OrderedDict()

    def take(self, who: object, cost: float = 1.0) -> bool:
        bucket = self.all.setdefault(who, Bucket(self.rate, self.burst))
        self.all.move_to_end(who)
        while len(self.all) > self.most:
            self.all.popitem(last=False)
        return bucket.take(cost)
