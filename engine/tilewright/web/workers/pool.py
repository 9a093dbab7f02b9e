"""Workers: the processes in which tables are played, as the server sees them. In: a Spec, answers; out: steps.

The engine runs in the workers, never in the server. Requests of one table are answered in order. Tables of bundled
rulesets share workers; untrusted texts get a process of their own, which is killed when it exceeds its limits. Thinkers
choose moves for bots and give help: they hold copies of tables, updated by log lines.

    workers = Workers()
    await workers.start()
    housed = await workers.open(spec)
    step = await housed.opening()
    step = await housed.answer(player, {"move": "discard", "tile": "5m"})

Jobs are listed in `tilewright.web.workers.main`.
"""

import asyncio
import logging
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar

from tilewright.web.protocol.limits import SharedCache
from tilewright.web.protocol.moments import GameStep, LastViews
from tilewright.web.protocol.shape import json_bytes
from tilewright.web.protocol.spec import NO_TEXTS, BadSpec, Spec, Texts, read_spec
from tilewright.web.workers import wire
from tilewright.web.workers.forks import Forks
from tilewright.web.workers.process import Illegal, ProcessLimits, WorkerLost, WorkerProcess
from tilewright.web.workers.queue import FairQueue, NoTurn, Precedence
from tilewright.web.workers.wire import GameFailed

__all__ = [
    "TABLE",
    "THINKER",
    "BadSpec",
    "GameFailed",
    "Illegal",
    "NoWorkerFree",
    "ProcessLimits",
    "WorkerGame",
    "WorkerLost",
    "WorkerPool",
]

Plain = dict[str, Any]
T = TypeVar("T")
LOG = logging.getLogger("tilewright")
TABLE, THINKER, JOB = "table", "thinker", "job"
NICE = {TABLE: 0, THINKER: 3, JOB: 6}  # tables first, since players wait for them
OOM = {TABLE: 300, THINKER: 500, JOB: 900}  # which the system ends first where memory runs out,
OOM_UNTRUSTED = 400  # and how much sooner those of untrusted texts
SHARED = ProcessLimits(opening=60.0, answering=30.0)
UNTRUSTED = ProcessLimits(memory=700_000_000, file=20_000_000, reply=4_000_000, opening=20.0, answering=5.0)
MOST_ABOUTS = 48_000_000  # bytes of rules that are remembered as pages need them
MOST_MADE = 500  # rules known to be compiled
MOST_MEMORY = 1_200_000_000  # bytes of all processes of untrusted texts
ROOM_FOR_ONE = 100_000_000  # of them, that must be free for one more table
SECONDS_TO_MEASURE = 2.0
MOST_JOBS = 100  # of one process, before it is replaced
MOST_WAITING = 32  # jobs waiting for a process, or players for help,
WAITING_OF_ONE = 12  # of them, from one address
SECONDS_OF_CHEAP, BYTES_OF_CHEAP = 10.0, 50_000  # a job that may take longer, or has more to read, is costly,
PARTS = {"workshop-games"}  # and so are those that are parts of something long
SECONDS_TO_FINISH = 1.0  # of a job that nobody waits for any more: starting another process costs as much


class NoWorkerFree(Exception):
    """The limit of tables of untrusted rules, or of jobs, is reached."""


class WorkerGame:
    """A game in a worker. `digest`: of the texts of its rules; `names`: of the seats."""

    def __init__(self, pool: "WorkerPool", worker: WorkerProcess, number: int, opened: wire.GameOpened) -> None:
        self.digest, self.seats, self.names = opened.digest, opened.seats, opened.names
        self._pool, self._worker, self._number = pool, worker, number
        self._views = LastViews()
        self._closed = False

    @property
    def lost(self) -> bool:
        """Whether its process has gone."""
        return self._worker.gone

    async def opening(self) -> GameStep:
        """The current table: for a new one, the deal and all lines of the log so far; for one opened from a log, one
        moment, and only lines that the log did not have. To be called once. Raises GameFailed, WorkerLost."""
        return await self._step(wire.BeginGame(table=self._number, seconds=self._worker.limits.opening))

    async def answer(self, player: int, move: Mapping[str, str]) -> GameStep:
        """A player answers. Raises Illegal, GameFailed, WorkerLost."""
        seconds = self._worker.limits.answering
        return await self._step(
            wire.AnswerQuestion(table=self._number, player=player, move=dict(move), seconds=seconds)
        )

    async def press(self, player: int, buttons: Sequence[str]) -> GameStep:
        """Set the pressed buttons of a player. The step has no moments and no lines."""
        seconds = self._worker.limits.answering
        request = wire.PressButtons(table=self._number, player=player, buttons=tuple(buttons), seconds=seconds)
        return await self._step(request)

    async def _step(self, request: wire.BeginGame | wire.AnswerQuestion | wire.PressButtons) -> GameStep:
        """The outcome of a request, with whole views."""
        step = await self._ask(request, GameStep)
        return self._views.completed(step)

    async def follow(self, lines: Sequence[str]) -> None:
        """A copy (of a thinker) catches up with new lines of the log."""
        seconds = self._worker.limits.opening
        await self._ask(wire.FollowLog(table=self._number, lines=tuple(lines), seconds=seconds), NoneType)

    async def prepare(self, bots: Sequence[str], alone: bool = False) -> None:
        """Let bots get to know the rules before they are asked for a move. `alone`: as in `choose`. Raises BadSpec,
        GameFailed, WorkerLost."""
        request = wire.PrepareBots(table=self._number, bots=tuple(bots), seconds=self._worker.limits.opening)
        async with self._turn_to_think(alone):
            await self._ask(request, NoneType)

    async def choose(self, bot: str, player: int, seed: int, alone: bool = False) -> dict[str, str]:
        """A bot's move for an asked player. `alone`: only bots play there, so tables of people go first. Raises Illegal
        if it is not asked."""
        seconds = self._worker.limits.opening
        request = wire.ChooseMove(table=self._number, bot=bot, player=player, seed=seed, seconds=seconds)
        async with self._turn_to_think(alone):
            return await self._ask(request, dict[str, str])

    async def help(self, what: str, player: int, by: object = None) -> Plain:
        """`hint`, `waits` or `nearest` for a player, as plain data in every language (see `presentation.advice`). `by`:
        the address it is for, which has its share: bots wait for one answer at most. Raises NoWorkerFree, too."""
        request = wire.Advise(table=self._number, what=what, player=player, seconds=self._worker.limits.opening)
        if self._worker.limits.untrusted:  # which helps nobody else
            return await self._ask(request, Plain)
        try:
            async with self._pool._helping.turn(by), self._turn_to_think(alone=False):
                return await self._ask(request, Plain)
        except NoTurn as error:
            raise NoWorkerFree(str(error)) from None

    def _turn_to_think(self, alone: bool) -> AbstractAsyncContextManager[None]:
        """Wait for a turn: shared thinkers serve people first; a private one is free at once."""
        if self._worker.limits.untrusted:
            return nullcontext()
        return self._pool._thinking.behind() if alone else self._pool._thinking.before()

    async def _ask(self, request: wire.Request, kind: type[T]) -> T:
        """The result of a request, unless the table was closed while it waited for its turn."""
        if self._closed:
            raise WorkerLost("this table is closed")
        return await self._worker.ask(request, kind)

    async def close(self) -> None:
        """Close the table."""
        self._closed = True
        with suppress(WorkerLost, GameFailed):
            await self._pool.leave(self._worker, self._number)


class WorkerPool:
    """All workers of a server. `tables`, `thinkers`: how many processes of each; `guests`: most tables of untrusted
    rules, each with a process of its own (and one more to think); `jobs`: how many run at a time; `waits`: how many
    from one address may wait; `untrusted`: the limits of processes for untrusted texts; `memory`: bytes that all of
    these may need together."""

    def __init__(
        self,
        *,
        tables: int = 1,
        thinkers: int = 1,
        guests: int = 8,
        jobs: int = 2,
        waits: int = WAITING_OF_ONE,
        untrusted: ProcessLimits = UNTRUSTED,
        memory: int = MOST_MEMORY,
    ) -> None:
        self._limits = {False: SHARED, True: untrusted}
        self._wanted = {TABLE: max(1, tables), THINKER: max(1, thinkers)}
        self._shared: dict[str, list[WorkerProcess]] = {TABLE: [], THINKER: []}
        self._untrusted: dict[str, list[WorkerProcess]] = {TABLE: [], THINKER: []}
        self._guests, self._memory = guests, memory
        self._idle: list[WorkerProcess] = []  # for jobs
        self._working: set[WorkerProcess] = set()
        self._jobs = FairQueue(max(1, jobs), MOST_WAITING, waits)
        self._thinking = Precedence()
        self._helping = FairQueue(max(1, thinkers), MOST_WAITING, waits)
        self._abouts = SharedCache(MOST_ABOUTS)
        self._made: OrderedDict[bytes, None] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._locks = {TABLE: asyncio.Lock(), THINKER: asyncio.Lock()}
        self._folder: Path | None = None
        self._forks = Forks()
        self._number = 0

    # --- the pool

    async def start(self) -> None:
        """Start the first processes."""
        self._folder = Path(tempfile.mkdtemp(prefix="tilewright-"))
        await asyncio.gather(*(self._fill(use) for use in self._shared))
        self._spawn(self._watch_memory())

    async def stop(self) -> None:
        """End every process."""
        folder, self._folder = self._folder, None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(worker.stop() for worker in self.processes))
        await self._forks.stop()
        if folder is not None:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    @property
    def processes(self) -> tuple[WorkerProcess, ...]:
        """All processes."""
        return tuple(worker for found in self.processes_by_use.values() for worker in found)

    @property
    def processes_by_use(self) -> dict[str, tuple[WorkerProcess, ...]]:
        """All processes, by what they are for."""
        shared = {use: (*self._shared[use], *self._untrusted[use]) for use in self._shared}
        return {**shared, JOB: (*self._idle, *self._working)}

    # --- tables

    async def open(
        self,
        spec: Plain,
        log: Sequence[str] = (),
        use: str = TABLE,
        players: Sequence[str] = (),
        secret: str | None = None,
        kept: Texts = NO_TEXTS,
    ) -> WorkerGame:
        """Open a table of the spec, or the one of this log. `use`: TABLE or THINKER; `players`: names for the first
        line of a new log; `secret`: what the hands are dealt from, if the spec has no seed; `kept`: texts of bundled
        documents, as they were when the table was made. Raises BadSpec, NoWorkerFree, GameFailed, WorkerLost."""
        use = THINKER if use == THINKER else TABLE
        wanted = read_spec(spec)
        worker = await self._worker_for(wanted, use)
        if worker.tables and not wanted.is_untrusted:
            await self._make(spec, kept, sha256(json_bytes((wanted.key, kept))).digest())
        self._number += 1
        number, seconds = self._number, worker.limits.opening
        asked = wire.OpenGame(
            table=number,
            spec=spec,
            secret=secret,
            log=tuple(log),
            players=tuple(players),
            kept=dict(kept),
            seconds=seconds,
        )
        worker.tables.add(number)
        try:
            opened = await worker.ask(asked, wire.GameOpened)
            await self._describe(worker, number, opened.digest)
            return WorkerGame(self, worker, number, opened)
        except BaseException:
            await asyncio.shield(self._spawn(self.leave(worker, number)))
            raise

    async def _make(self, spec: Plain, kept: Texts, key: bytes) -> None:
        """Compile new rules in a process where nobody has to wait for it. Raises BadSpec."""
        if key in self._made:
            return
        with suppress(NoWorkerFree, WorkerLost, GameFailed):
            await self.job("make", {"spec": spec, "kept": kept}, SHARED.opening)
        self._made[key] = None
        while len(self._made) > MOST_MADE:
            self._made.popitem(last=False)

    async def texts(self, spec: Plain, digest: str | None) -> Texts | None:
        """The texts of the bundled documents that a spec is made of, as they are now, or as they were in the version of
        which the digest is. None if no known version has this digest. Raises BadSpec, GameFailed, NoWorkerFree,
        WorkerLost."""
        found: Texts | None = (await self.job("texts", {"spec": spec, "digest": digest}))["texts"]
        return found

    async def leave(self, worker: WorkerProcess, number: int) -> None:
        """Close a table, and end a process of its own."""
        worker.tables.discard(number)
        for kind in self._untrusted.values():
            if worker in kind:
                kind.remove(worker)
                await worker.stop()
                return
        with suppress(WorkerLost, GameFailed):
            await worker.ask(wire.CloseGame(table=number, seconds=worker.limits.answering), NoneType)

    def about(self, digest: str) -> bytes | None:
        """The rules of a game that was opened here as a page needs them, packed, unless they were forgotten."""
        return self._abouts.get(digest)

    async def _describe(self, worker: WorkerProcess, number: int, digest: str) -> None:
        """Keep the rules as a page needs them. Those of users make room for each other alone."""
        if self._abouts.get(digest) is None:
            asked = wire.DescribeRules(table=number, seconds=worker.limits.opening)
            self._abouts.put(digest, await worker.ask(asked, bytes), worker.limits.untrusted)

    async def _worker_for(self, spec: Spec, use: str) -> WorkerProcess:
        """The least busy process; one of its own for untrusted texts. Raises NoWorkerFree, WorkerLost."""
        if not spec.is_untrusted:
            try:
                await self._fill(use)
            except WorkerLost:
                if not self._living(use):
                    raise
            return min(self._living(use), key=lambda worker: worker.load)
        kind = self._untrusted[use]
        kind[:] = [worker for worker in kind if not worker.gone]
        if len(kind) >= self._guests:
            raise NoWorkerFree(f"{self._guests} tables of untrusted rules are open already")
        if use == TABLE and sum(one.memory for one in self._untrusted_processes) > self._memory - ROOM_FOR_ONE:
            raise NoWorkerFree("tables of untrusted rules need all the memory that they may have")
        worker = self._new(use, untrusted=True)
        kind.append(worker)
        try:
            await worker.start()
        except BaseException:
            kind.remove(worker)
            raise
        return worker

    def _living(self, use: str) -> list[WorkerProcess]:
        return [worker for worker in self._shared[use] if not worker.gone]

    async def _fill(self, use: str) -> None:
        """Start missing shared processes. Raises WorkerLost if they do not start."""
        if len(self._living(use)) == self._wanted[use]:
            return
        async with self._locks[use]:
            self._shared[use] = self._living(use)
            new = [self._new(use, untrusted=False) for _ in range(self._wanted[use] - len(self._shared[use]))]
            await asyncio.gather(*(worker.start() for worker in new))
            self._shared[use] += new
            for worker in new:
                worker.when_lost = lambda: self._refill(use)

    def _refill(self, use: str) -> None:
        """Replace a process that has gone."""
        if self._folder is not None:
            self._spawn(self._try_fill(use))

    async def _try_fill(self, use: str) -> None:
        with suppress(WorkerLost):  # the next user tries again and gets the error
            await self._fill(use)

    def _new(self, use: str, untrusted: bool) -> WorkerProcess:
        if self._folder is None:
            raise WorkerLost("the workers are closed")
        limits = self._limits[untrusted]
        limits = replace(limits, nice=NICE[use], oom=min(1000, OOM[use] + OOM_UNTRUSTED * untrusted))
        return WorkerProcess(Path(tempfile.mkdtemp(prefix="worker-", dir=self._folder)), limits, self._forks)

    def _spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Begin something that goes on without whoever began it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(seen)
        return task

    # --- memory

    @property
    def _untrusted_processes(self) -> list[WorkerProcess]:
        """The processes of untrusted texts that have not gone."""
        return [one for one in self.processes if one.limits.untrusted and not one.gone]

    async def _watch_memory(self) -> None:
        """Measure the memory of all processes again and again."""
        while True:
            await asyncio.sleep(SECONDS_TO_MEASURE)
            await self._keep_within_memory()

    async def _keep_within_memory(self) -> None:
        """Where those of untrusted texts need more than they may together, end the one with most."""
        processes = self.processes
        await asyncio.to_thread(measure, processes)
        untrusted = self._untrusted_processes
        if sum(one.memory for one in untrusted) > self._memory:
            most = max(untrusted, key=lambda one: one.memory)
            LOG.warning("a process of people's own rules is ended, which needs %d MB", most.memory // 1_000_000)
            most.memory = 0
            most.give_way()

    # --- jobs

    async def job(self, name: str, payload: Plain, seconds: float = 20.0, by: object = None) -> Plain:
        """Run a job in a process with limits that does nothing else meanwhile. `seconds` of processor time; `by`: the
        address it is for, which has its share. Raises BadSpec, GameFailed, NoWorkerFree, WorkerLost."""
        return await self._work(wire.DoJob(name=name, payload=payload, seconds=seconds), Plain, by)

    async def packed_job(self, name: str, payload: Plain, seconds: float = 20.0, by: object = None) -> bytes:
        """The same with a result that is passed on unread, packed (see `packing`)."""
        return await self._work(wire.DoJob(name=name, payload=payload, seconds=seconds, pack=True), bytes, by)

    async def _work(self, asked: wire.DoJob, kind: type[T], by: object) -> T:
        """Do it when it is its turn, in an idle or a new process."""
        try:
            async with self._jobs.turn(by, is_costly(asked)):
                return await self._work_now(asked, kind)
        except NoTurn as error:
            raise NoWorkerFree(str(error)) from None

    async def _work_now(self, asked: wire.DoJob, kind: type[T]) -> T:
        """A process left in the middle of a job is ended, unless it is done within a moment."""
        worker = await self._worker()
        self._working.add(worker)
        working = self._spawn(worker.ask(asked, kind))
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            await asyncio.wait([working], timeout=SECONDS_TO_FINISH)
            raise
        finally:
            working.cancel()
            self._working.discard(worker)
            if worker.gone or worker.busy or worker.served >= MOST_JOBS:
                self._spawn(worker.stop())
            else:
                self._idle.append(worker)

    async def _worker(self) -> WorkerProcess:
        """A process for a job."""
        while self._idle:
            worker = self._idle.pop()
            if not worker.gone:
                return worker
        worker = self._new(JOB, untrusted=True)
        await worker.start()
        return worker


def measure(processes: Iterable[WorkerProcess]) -> None:
    """Measure the memory of each."""
    for one in processes:
        one.measure()


def is_costly(job: wire.DoJob) -> bool:
    """Whether it may take long, as far as can be said before."""
    is_long = job.seconds > SECONDS_OF_CHEAP or job.name in PARTS
    return is_long or len(json_bytes(job.payload)) > BYTES_OF_CHEAP


def seen(task: "asyncio.Task[Any]") -> None:
    """Nobody need wait for its result."""
    if not task.cancelled():
        task.exception()
