"""Thinking: what a bot would do at a table, and help for people. In: a copy of the table in a thinker house, which
follows the log. Out: moves and advice as plain data. It never keeps the table itself waiting.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from tilewright.web.workers.pool import THINKER, Housed, HouseLost, Houses

Plain = dict[str, Any]
T = TypeVar("T")
TRIES = 3


class Thinker:
    """A copy of one table, opened when it is first asked. `lines`: reads the log so far."""

    def __init__(self, houses: Houses, spec: Plain, lines: Callable[[], Awaitable[list[str]]]) -> None:
        self.houses, self.spec, self.lines = houses, spec, lines
        self.housed: Housed | None = None
        self.known = 0  # lines of the log that the copy has
        self.new: deque[tuple[int, Sequence[str]]] = deque()  # (number of the first, lines)
        self.turn = asyncio.Lock()

    def add(self, first: int, lines: Sequence[str]) -> None:
        """The log has more lines; of which who has no copy, and makes none, reads later."""
        if lines and (self.housed is not None or self.turn.locked()):
            self.new.append((first, lines))

    async def choose(self, bot: str, player: int, seed: int, alone: bool = False) -> Plain:
        """What a bot answers. `alone`: no person plays there. Raises Illegal, Broken, Full, HouseLost."""
        return await self.asked(lambda housed: housed.choose(bot, player, seed, alone))

    async def help(self, what: str, player: int, lang: str) -> Plain:
        """Advice. Raises Illegal, Broken, Full, HouseLost."""
        return await self.asked(lambda housed: housed.help(what, player, lang))

    async def asked(self, question: Callable[[Housed], Awaitable[T]]) -> T:
        """Ask the copy as the table is now; one that was lost is made again."""
        async with self.turn:
            for left in reversed(range(TRIES)):
                try:
                    return await question(await self.ready())
                except HouseLost:
                    self.housed = None
                    if not left:
                        raise
            raise AssertionError

    async def ready(self) -> Housed:
        """The copy, with all lines of the log."""
        if self.housed is None:
            lines = await self.lines()
            self.housed = await self.houses.open(self.spec, lines, THINKER)
            self.known = len(lines)
        while self.new:
            first, new = self.new.popleft()
            missing = new[max(0, self.known - first) :]
            if missing:
                self.known = first + len(new)
                await self.housed.follow(missing)
        return self.housed

    async def close(self) -> None:
        housed, self.housed = self.housed, None
        if housed is not None:
            await housed.close()
