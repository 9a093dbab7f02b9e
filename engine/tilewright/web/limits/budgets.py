"""Budgets: bytes that may be held at a time, in all and for one user; what is beyond is refused, or lets others go."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol


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
