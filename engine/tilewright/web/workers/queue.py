"""Queues: whose turn is next, when many wait for few places. Knows nobody."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

PATIENCE = 2.0  # seconds after which somebody goes although others have priority
SECONDS_OF_LITTLE = 5.0  # of turns: who had less has used little
SECONDS_TO_FORGET = 30.0  # half of what somebody used
LEAST_USED = 0.01  # seconds
TOO_MANY = "too many requests at the same time"


class NoTurn(Exception):
    """The queue is full."""


@dataclass(eq=False, slots=True)
class Waiter:
    """Somebody in the queue; anonymous if `who` is None. `begun`: when it was called; `is_refused`: its place
    was given to somebody else."""

    who: object
    is_costly: bool
    begun: float = 0.0
    is_refused: bool = False
    called: asyncio.Event = field(default_factory=asyncio.Event)


class FairQueue:
    """So many turns at a time (`most`), and so many waiting for them (`waiting`). Each named user has at most half of
    the turns, and so many places in the queue (`each`). Whoever used least lately goes first. One turn, if there are
    several, is left to those who used little and whose work is not costly."""

    def __init__(self, most: int, waiting: int, each: int) -> None:
        self.most, self.waiting, self.each = most, waiting, each
        self.line: list[Waiter] = []
        self.going: Counter[object] = Counter()
        self.costly = 0  # turns that are not of little use
        self.usage = Usage()

    @asynccontextmanager
    async def turn(self, who: object = None, is_costly: bool = False) -> AsyncIterator[None]:
        """Wait for a turn. Raises NoTurn."""
        self.check_room(who)
        waiter = Waiter(who, is_costly)
        self.line.append(waiter)
        self.call_next()
        try:
            await waiter.called.wait()
            if waiter.is_refused:
                raise NoTurn(TOO_MANY)
            yield
        finally:
            self.leave(waiter)

    def check_room(self, who: object) -> None:
        """Make room for one more: whoever waits most often gives up a place for somebody who waits less. Raises
        NoTurn."""
        waiting = Counter(waiter.who for waiter in self.line)
        if who is not None and waiting[who] >= self.each:
            raise NoTurn(TOO_MANY)
        if len(self.line) + self.going.total() >= self.most + self.waiting:
            last = max(self.line, key=lambda waiter: waiting[waiter.who], default=None)
            if last is None or waiting[last.who] <= waiting[who] + 1:
                raise NoTurn(TOO_MANY)
            last = next(waiter for waiter in reversed(self.line) if waiter.who == last.who)
            self.line.remove(last)
            last.is_refused = True
            last.called.set()

    def leave(self, waiter: Waiter) -> None:
        """End a turn, or stop waiting for it."""
        if waiter in self.line:
            self.line.remove(waiter)
        elif not waiter.is_refused:
            self.going[waiter.who] -= 1
            self.going += Counter()  # drops users without any
            self.costly -= waiter.is_costly
            self.usage.add(waiter.who, time.monotonic() - waiter.begun)
        self.call_next()

    def call_next(self) -> None:
        """Start the next turns."""
        while self.going.total() < self.most and (waiter := self.next()) is not None:
            self.line.remove(waiter)
            self.going[waiter.who] += 1
            waiter.begun, waiter.is_costly = time.monotonic(), self.is_costly(waiter)
            self.costly += waiter.is_costly
            waiter.called.set()

    def next(self) -> Waiter | None:
        """Of those who may go, the one who used least lately; the first of several."""
        may_go = (waiter for waiter in self.line if self.may_go(waiter))
        return min(may_go, key=lambda waiter: round(self.usage.of(waiter.who), 1), default=None)

    def may_go(self, waiter: Waiter) -> bool:
        if waiter.who is not None and self.going[waiter.who] >= max(1, self.most // 2):
            return False
        return self.most == 1 or self.costly < self.most - 1 or not self.is_costly(waiter)

    def is_costly(self, waiter: Waiter) -> bool:
        """Whether its work is, or it had much done; what nobody is counted for never is."""
        return waiter.who is not None and (waiter.is_costly or not self.usage.is_little(waiter.who))


class Usage:
    """Seconds of turns that each named user had lately: half of them are forgotten after a while."""

    def __init__(self) -> None:
        self.used: dict[object, tuple[float, float]] = {}  # and when that was

    def of(self, who: object) -> float:
        now = time.monotonic()
        used, then = self.used.get(who, (0.0, now))
        return float(used * 0.5 ** ((now - then) / SECONDS_TO_FORGET))

    def is_little(self, who: object) -> bool:
        """Whether it is, by itself or beside what another one has used."""
        return self.of(who) < max(SECONDS_OF_LITTLE, max(map(self.of, self.used), default=0.0) / 2)

    def add(self, who: object, seconds: float) -> None:
        if who is not None:
            self.used = {one: self.used[one] for one in self.used if self.of(one) > LEAST_USED}
            self.used[who] = (self.of(who) + seconds, time.monotonic())


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
