"""Lasting: the game of a table, which outlasts the house that it is played in. Its log is in the database; where a
house is lost, the game goes on in another one, where it was.

In: answers and buttons of players. Out: steps. Knows no page, and nothing of when a step is told.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from tilewright.web.protocol.moments import GameStep
from tilewright.web.tables.record import Standing
from tilewright.web.workers.pool import THINKER, Housed, HouseLost, Houses

Plain = dict[str, Any]
Move = dict[str, str]  # what it does and what it chooses
T = TypeVar("T")
LOG = logging.getLogger("tilewright")
TRIES = 3  # to open a game again whose worker was lost


class LastingGame:
    """A game. `known`: lines of its log that are in the database; `thinker`: its copy, which follows the log."""

    def __init__(self, standing: Standing, houses: Houses, housed: Housed | None = None) -> None:
        self.standing, self.houses, self.housed = standing, houses, housed
        self.spec = dict(standing.row.spec)
        self.known = 0
        self.thinker = Thinker(houses, self.spec, self.lines)

    async def lines(self) -> list[str]:
        """The log so far."""
        return await self.standing.store.lines(self.standing.row.id)

    # --- in a house

    @property
    def is_open(self) -> bool:
        return self.housed is not None

    async def prepare(self) -> None:
        """A game that has no log yet, in a house. Raises Broken, BadSpec, Full, HouseLost."""
        if self.housed is None:
            self.housed = await self.open_house([])

    async def open(self) -> GameStep:
        """The game as far as its log goes. Raises Broken, BadSpec, Full, HouseLost."""
        log = await self.lines()
        self.known = len(log)
        return await self.opening(log)

    async def opening(self, log: list[str]) -> GameStep:
        """The game as it stands, in a house. Raises Broken, BadSpec, Full, HouseLost."""
        for left in reversed(range(TRIES)):
            try:
                if self.housed is None:
                    self.housed = await self.open_house(log)
                return await self.housed.opening()
            except HouseLost:
                self.housed = None
                if not left:
                    raise  # the table is put away, and may be opened again later
        raise AssertionError

    async def open_house(self, log: list[str]) -> Housed:
        return await self.houses.open(self.spec, log, players=self.standing.seats.names)

    async def reopen(self, given: Mapping[int, Move]) -> GameStep:
        """The house was lost: the game goes on in another one, where it was, with what its log does not say: answers
        that were `given` to the question that is open, and buttons."""
        self.housed = None
        step = await self.opening(await self.lines())
        await self.keep(step)
        assert self.housed is not None
        for player, move in given.items():
            step = await self.housed.answer(player, move)
        for seat in self.standing.seats.all:
            if seat.pressed:
                step = await self.housed.press(seat.row.player, seat.pressed)
        return step

    async def close(self) -> None:
        """In no house any more, and nobody thinks about it."""
        for one in (self.thinker, self.housed):
            try:
                if one is not None:
                    await one.close()
            except Exception as error:
                LOG.debug("table %s was in a house that is gone: %s", self.standing.code, error)
        self.housed = None

    # --- what players do

    async def answer(self, player: int, move: Move, given: Mapping[int, Move]) -> GameStep:
        """What the house makes of an answer; `given` are those that it has, and the log has not. Raises Illegal,
        Broken, HouseLost."""
        for left in reversed(range(TRIES)):
            assert self.housed is not None
            try:
                return await self.housed.answer(player, move)
            except HouseLost:
                if not left:
                    raise
                await self.reopen(given)
        raise AssertionError

    async def press(self, player: int, on: tuple[str, ...], given: Mapping[int, Move]) -> GameStep:
        """These buttons of a seat are on, all others off. Raises Broken, HouseLost."""
        assert self.housed is not None
        try:
            return await self.housed.press(player, on)
        except HouseLost:
            return await self.reopen(given)

    async def keep(self, step: GameStep) -> None:
        """The lines of a step, in the database. Raises Conflict where somebody else plays this table."""
        await self.standing.store.add_lines(self.standing.row.id, self.known, step.lines)
        self.thinker.add(self.known, step.lines)
        self.known += len(step.lines)


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

    async def choose(self, bot: str, player: int, seed: int, alone: bool = False) -> Move:
        """What a bot answers. `alone`: no person plays there. Raises Illegal, Broken, Full, HouseLost."""
        return await self.asked(lambda housed: housed.choose(bot, player, seed, alone))

    async def help(self, what: str, player: int) -> Plain:
        """Advice. Raises Illegal, Broken, Full, HouseLost."""
        return await self.asked(lambda housed: housed.help(what, player))

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
