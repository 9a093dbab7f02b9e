"""Queues: who goes next, where many want what few may have at a time. Knows nobody."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

PATIENCE = 2.0  # seconds after which somebody goes although others are to go first


class NoTurn(Exception):
    """So many wait already that no more may."""


@dataclass(eq=False, slots=True)
class Waiter:
    """Somebody in the line; nobody in particular where `who` is None."""

    who: object
    called: asyncio.Event = field(default_factory=asyncio.Event)


class FairQueue:
    """So many turns at a time (`most`), and so many in line for them (`waiting`). Whoever is somebody in particular has
    at most half of the turns, so that there is one for others, and so many places in line (`each`)."""

    def __init__(self, most: int, waiting: int, each: int) -> None:
        self.most, self.waiting, self.each = most, waiting, each
        self.line: list[Waiter] = []
        self.going: Counter[object] = Counter()

    @asynccontextmanager
    async def turn(self, who: object = None) -> AsyncIterator[None]:
        """A turn, when it comes. Raises NoTurn."""
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
            raise NoTurn("too much is asked at the same time")

    def leave(self, waiter: Waiter) -> None:
        """A turn is over, or nobody waits for it any more."""
        if waiter in self.line:
            self.line.remove(waiter)
        else:
            self.going[waiter.who] -= 1
            self.going += Counter()  # forgets who has none
        self.call_next()

    def call_next(self) -> None:
        """Whoever is next may go."""
        while self.going.total() < self.most and (waiter := self.next()) is not None:
            self.line.remove(waiter)
            self.going[waiter.who] += 1
            waiter.called.set()

    def next(self) -> Waiter | None:
        """The first in line who does not have as many turns as one may have."""
        own = max(1, self.most // 2)
        return next((waiter for waiter in self.line if waiter.who is None or self.going[waiter.who] < own), None)


class Precedence:
    """Some go first; the others one after the other, while none of the first is under way; but they wait for no longer
    than a while."""

    def __init__(self) -> None:
        self.first = 0
        self.nobody = asyncio.Event()
        self.nobody.set()
        self.one = asyncio.Lock()

    @asynccontextmanager
    async def before(self) -> AsyncIterator[None]:
        """Go first."""
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
        """Go when nobody is to go first."""
        async with self.one:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.nobody.wait(), PATIENCE)
            yield
