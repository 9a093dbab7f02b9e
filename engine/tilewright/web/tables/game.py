"""The game of a table, which survives the loss of its worker: its log is in the database, and the game continues in
another worker.

In: answers and buttons of players. Out: steps. Knows no page, nor when a step is sent.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.moments import GameStep
from tilewright.web.protocol.spec import NO_TEXTS, Texts, read_spec
from tilewright.web.storage.rows import StoreError
from tilewright.web.tables.record import TableRecord
from tilewright.web.workers.pool import THINKER, BadSpec, GameFailed, NoWorkerFree, WorkerGame, WorkerLost, WorkerPool

Plain = dict[str, Any]
Move = dict[str, str]  # the offer and the choices of a move
T = TypeVar("T")
LOG = logging.getLogger("tilewright")
TOO_LARGE = translations("server.table_log_too_large")
OTHER_RULES = translations("server.table_other_rules")
MOST_BYTES = 20_000_000  # of the log of a table of untrusted rules; a match of a hundred hands takes five million
TRIES = 3  # attempts to reopen a game whose worker was lost


class DurableGame:
    """A game. `known`: lines of its log in the database, `bytes`: their length, and `most` of them, where it has a
    limit; `thinker`: its copy, which follows the log; `kept`: the texts of bundled documents that it goes on with,
    whatever version plays it, once they are known."""

    def __init__(self, record: TableRecord, pool: WorkerPool, remote: WorkerGame | None = None) -> None:
        self.record, self.pool, self.remote = record, pool, remote
        self.spec = dict(record.row.spec)
        self.is_untrusted = read_spec(self.spec).is_untrusted
        self.most = MOST_BYTES if self.is_untrusted else None
        self.known = self.bytes = 0
        self.kept: Texts = NO_TEXTS
        self.thinker = BotWorker(pool, self.spec, record.row.secret, self.lines)

    async def lines(self) -> list[str]:
        """The log so far."""
        return await self.record.store.lines(self.record.row.id)

    # --- in a worker

    @property
    def is_open(self) -> bool:
        return self.remote is not None

    async def keep_rules(self) -> None:
        """Keep the texts of the rules, if the table has none: as they are now, or, where an older version has made it,
        as they were then. Raises GameFailed if no known version had these rules; NoWorkerFree, WorkerLost."""
        row, store = self.record.row, self.record.store
        if not self.kept:
            self.kept = shared(await store.kept_texts(row.id))
        if not self.kept:
            found = await self.pool.texts(self.spec, row.digest)
            if found is None:
                raise GameFailed(OTHER_RULES)
            await store.keep_texts(row.id, found)
            self.kept = shared(found)
        self.thinker.kept = self.kept

    async def try_to_keep_rules(self) -> None:
        """The same, beside the game: else it is tried again when the game is opened."""
        try:
            await self.keep_rules()
        except (GameFailed, BadSpec, NoWorkerFree, WorkerLost, StoreError) as error:
            LOG.warning("table %s keeps no texts of its rules yet: %s", self.record.row.id, error)

    async def prepare(self) -> None:
        """Open a game without a log in a worker. Raises GameFailed, BadSpec, NoWorkerFree, WorkerLost."""
        if self.remote is None:
            await self.keep_rules()
            self.remote = await self.open_game([])

    async def open(self) -> GameStep:
        """Open the game from its log. Raises GameFailed, BadSpec, NoWorkerFree, WorkerLost."""
        log = await self.lines()
        if log:
            await self.keep_rules()
        self.known, self.bytes = len(log), sum(map(len, log))
        return await self.opening(log)

    async def opening(self, log: list[str]) -> GameStep:
        """Open the current game in a worker. Raises GameFailed, BadSpec, NoWorkerFree, WorkerLost."""
        for left in reversed(range(TRIES)):
            try:
                if self.remote is None:
                    self.remote = await self.open_game(log)
                return await self.remote.opening()
            except WorkerLost:
                self.remote = None
                if not left:
                    raise  # the table is closed, and may be opened again later
        raise AssertionError

    async def open_game(self, log: list[str]) -> WorkerGame:
        players, secret = self.record.seats.names, self.record.row.secret
        return await self.pool.open(self.spec, log, players=players, secret=secret, kept=self.kept)

    async def reopen(self, given: Mapping[int, Move]) -> GameStep:
        """After the loss of the worker, continue the game in another one, with what the log does not have: answers
        `given` to the open question, and buttons."""
        self.remote = None
        step = await self.opening(await self.lines())
        await self.keep(step)
        assert self.remote is not None
        for player, move in given.items():
            step = await self.remote.answer(player, move)
        for seat in self.record.seats.all:
            if seat.pressed:
                step = await self.remote.press(seat.row.player, seat.pressed)
        return step

    async def close(self) -> None:
        """Close the game in its workers."""
        for one in (self.thinker, self.remote):
            try:
                if one is not None:
                    await one.close()
            except Exception as error:
                LOG.debug("table %s has lost its worker: %s", self.record.row.id, error)
        self.remote = None

    # --- what players do

    async def answer(self, player: int, move: Move, given: Mapping[int, Move]) -> GameStep:
        """Give the worker an answer; `given` are those that it has, but the log has not. Raises Illegal,
        GameFailed, WorkerLost."""
        for left in reversed(range(TRIES)):
            assert self.remote is not None
            try:
                return await self.remote.answer(player, move)
            except WorkerLost:
                if not left:
                    raise
                await self.reopen(given)
        raise AssertionError

    async def press(self, player: int, on: tuple[str, ...], given: Mapping[int, Move]) -> GameStep:
        """Set the pressed buttons of a seat. Raises GameFailed, WorkerLost."""
        assert self.remote is not None
        try:
            return await self.remote.press(player, on)
        except WorkerLost:
            return await self.reopen(given)

    async def keep(self, step: GameStep) -> None:
        """Store the lines of a step. Raises Conflict if another server plays this table, GameFailed if the log becomes
        too long."""
        self.bytes += sum(map(len, step.lines))
        if self.most is not None and self.bytes > self.most:
            raise GameFailed(TOO_LARGE)
        await self.record.store.add_lines(self.record.row.id, self.known, step.lines)
        self.thinker.add(self.known, step.lines)
        self.known += len(step.lines)


class BotWorker:
    """A copy of one table, opened on first use, until the table is `closed`. `lines`: reads the log so far; `kept`:
    as in the game."""

    def __init__(
        self, pool: WorkerPool, spec: Plain, secret: str | None, lines: Callable[[], Awaitable[list[str]]]
    ) -> None:
        self.pool, self.spec, self.secret, self.lines = pool, spec, secret, lines
        self.kept: Texts = NO_TEXTS
        self.remote: WorkerGame | None = None
        self.known = 0  # lines of the log that the copy has
        self.new: deque[tuple[int, Sequence[str]]] = deque()  # (number of the first, lines)
        self.turn = asyncio.Lock()
        self.closed = False

    def add(self, first: int, lines: Sequence[str]) -> None:
        """Note new lines of the log; without a copy they are read later."""
        if lines and (self.remote is not None or self.turn.locked()):
            self.new.append((first, lines))

    async def prepare(self, bots: Sequence[str], alone: bool = False) -> None:
        """Let bots get to know the rules. `alone`: no person plays there. Raises BadSpec, GameFailed, NoWorkerFree,
        WorkerLost."""
        await self.asked(lambda remote: remote.prepare(bots, alone))

    async def choose(self, bot: str, player: int, seed: int, alone: bool = False) -> Move:
        """A bot's answer. `alone`: no person plays there. Raises Illegal, GameFailed, NoWorkerFree, WorkerLost."""
        return await self.asked(lambda remote: remote.choose(bot, player, seed, alone))

    async def help(self, what: str, player: int, by: object = None) -> Plain:
        """Advice, for an address. Raises Illegal, GameFailed, NoWorkerFree, WorkerLost."""
        return await self.asked(lambda remote: remote.help(what, player, by))

    async def asked(self, question: Callable[[WorkerGame], Awaitable[T]]) -> T:
        """Ask the copy, brought up to date; a lost one is made again."""
        async with self.turn:
            for left in reversed(range(TRIES)):
                try:
                    return await question(await self.ready())
                except WorkerLost:
                    self.remote = None
                    if not left:
                        raise
            raise AssertionError

    async def ready(self) -> WorkerGame:
        """The copy, with all lines of the log."""
        if self.closed:
            raise WorkerLost("this table is closed")
        if self.remote is None:
            lines = await self.lines()
            self.remote = await self.pool.open(self.spec, lines, THINKER, secret=self.secret, kept=self.kept)
            self.known = len(lines)
        while self.new:
            first, new = self.new.popleft()
            missing = new[max(0, self.known - first) :]
            if missing:
                self.known = first + len(new)
                await self.remote.follow(missing)
        return self.remote

    async def close(self) -> None:
        self.closed = True
        remote, self.remote = self.remote, None
        if remote is not None:
            await remote.close()


def shared(texts: Texts) -> Texts:
    """Texts, in memory once for all tables that have them."""
    return once(tuple(sorted(texts.items()))) if texts else NO_TEXTS


@lru_cache(maxsize=64)
def once(texts: tuple[tuple[str, str], ...]) -> Texts:
    return dict(texts)
