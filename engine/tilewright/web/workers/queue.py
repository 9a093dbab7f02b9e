"""Queues: whose turn is next, when many wait for few places. Knows nobody."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

PATIENCE = 2.0  # seconds after which somebody goes although others have priority


class NoTurn(Exception):
    """The queue is full."""


@dataclass(eq=False, slots=True)
class Waiter:
    """Somebody in the queue; anonymous if `who` is None."""

    who: object
    called: asyncio.Event = field(default_factory=asyncio.Event)


class FairQueue:
    """So many turns at a time (`most`), and so many waiting for them (`waiting`). Each named user has at most half of
    the turns, so that some are left for others, and so many places in the queue (`each`)."""

    def __init__(self, most: int, waiting: int, each: int) -> None:
        self.most, self.waiting, self.each = most, waiting, each
        self.line: list[Waiter] = []
        self.going: Counter[object] = Counter()

    @asynccontextmanager
    async def turn(self, who: object = None) -> AsyncIterator[None]:
        """Wait for a turn. Raises NoTurn."""
        self.check_room(who)
        waiter = Waiter(who)
        self.line.append(waiter)
        self.call_next()
        try:
            await waiter.called.wait()
            yield
        finally:
            self.leave(waiter)

    def check_room(self, who: object) -> None:
        """Raises NoTurn."""
        own = sum(waiter.who == who for waiter in self.line)
        if len(self.line) + self.going.total() >= self.most + self.waiting or (who is not None and own >= self.each):
            raise NoTurn("too many requests at the same time")

    def leave(self, waiter: Waiter) -> None:
        """End a turn, or stop waiting for it."""
        if waiter in self.line:
            self.line.remove(waiter)
        else:
            self.going[waiter.who] -= 1
            self.going += Counter()  # drops users without any
        self.call_next()

    def call_next(self) -> None:
        """Start the next turns."""
        while self.going.total() < self.most and (waiter := self.next()) is not None:
            self.line.remove(waiter)
            self.going[waiter.who] += 1
            waiter.called.set()

    def next(self) -> Waiter | None:
        """The first in the queue below the limit of turns."""
        own = max(1, self.most // 2)
        return next((waiter for waiter in self.line if waiter.who is None or self.going[waiter.who] < own), None)


class Precedence:
    """Some have priority; the others go one after another, while none with priority is running; but they wait only for
    a limited time."""

    def __init__(self) -> None:
        self.first = 0
        self.nobody = asyncio.Event()
        self.nobody.set()
        self.one = asyncio.Lock()

    @asynccontextmanager
    async def before(self) -> AsyncIterator[None]:
        """Go with priority."""
        self.first += 1
        self.nobody.clear()
        try:
            yield
        finally:
            self.first -= 1
            if not self.first:
                self.nobody.set()

    @asynccontextmanager
    async def behind(self) -> AsyncIterator[None]:
        """Go when nobody has priority."""
        async with self.one:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.nobody.wait(), PATIENCE)
            yield
