"""Houses: the processes in which tables are played, as the server sees them. In: a Spec, answers; out: steps.

The engine runs in the houses and never in the server, which only waits. Requests of one table are answered in order.
Tables of bundled rulesets share houses; what strangers wrote gets a process of its own, with limits, and is killed when
it goes over them. Thinkers choose moves for bots and give help: they hold copies of tables, which follow by log lines.

    houses = Houses()
    await houses.start()
    housed = await houses.open(spec)
    step = await housed.opening()
    step = await housed.answer(player, {"move": "discard", "tile": "5m"})

Jobs are listed in `tilewright.web.jobs.registry`.
"""

import asyncio
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import Any

from tilewright.web.protocol.moments import GameStep
from tilewright.web.protocol.spec import BadSpec, Spec, read_spec
from tilewright.web.workers.process import Broken, HouseLost, HouseProcess, Illegal, Limits
from tilewright.web.workers.queue import NoTurn, Precedence, Turns
from tilewright.web.workers.wire import (
    Advise,
    AnswerQuestion,
    BeginGame,
    ChooseMove,
    CloseGame,
    DescribeRules,
    DoJob,
    FollowLog,
    GameOpened,
    OpenGame,
    PressButtons,
)

__all__ = [
    "TABLE",
    "THINKER",
    "BadSpec",
    "Broken",
    "Full",
    "HouseLost",
    "Housed",
    "Houses",
    "Illegal",
    "Limits",
]

Plain = dict[str, Any]
TABLE, THINKER, JOB = "table", "thinker", "job"
NICE = {TABLE: 0, THINKER: 3, JOB: 6}  # players wait for tables first
SHARED = Limits(opening=60.0, answering=30.0)
STRANGE = Limits(memory=700_000_000, file=20_000_000, opening=20.0, answering=5.0)
MOST_ABOUTS = 200  # that are remembered
MOST_MADE = 500  # rules of which it is remembered that they were compiled
MOST_JOBS = 100  # of one process, which is then replaced
MOST_WAITING = 32  # jobs that wait for a process,
WAITING_OF_ONE = 12  # of them, from one address


class Full(Exception):
    """So many tables of strangers' rules, or jobs, are open already that no more fit."""


class Housed:
    """A table in a house. `digest`: of its rules; `about`: what the page has to know of them; `names`: of the seats."""

    def __init__(self, houses: "Houses", house: HouseProcess, number: int, opened: GameOpened, about: Plain) -> None:
        self.digest, self.seats, self.names = opened.digest, opened.seats, opened.names
        self.about = about
        self._houses, self._house, self._number = houses, house, number

    @property
    def lost(self) -> bool:
        """Its process has gone."""
        return self._house.gone

    async def opening(self) -> GameStep:
        """The table as it stands: of a fresh one the deal and all lines of the log so far; of one that was opened from
        a log one moment, and only lines that the log did not have. To be asked once. Raises Broken, HouseLost."""
        return await self._house.ask(BeginGame(table=self._number, seconds=self._house.limits.opening), GameStep)

    async def answer(self, player: int, move: Mapping[str, str]) -> GameStep:
        """A player answers. Raises Illegal, Broken, HouseLost."""
        seconds = self._house.limits.answering
        request = AnswerQuestion(table=self._number, player=player, move=dict(move), seconds=seconds)
        return await self._house.ask(request, GameStep)

    async def press(self, player: int, buttons: Sequence[str]) -> GameStep:
        """These buttons of a player are on, all others off. The step has no moments and no lines."""
        seconds = self._house.limits.answering
        request = PressButtons(table=self._number, player=player, buttons=tuple(buttons), seconds=seconds)
        return await self._house.ask(request, GameStep)

    async def follow(self, lines: Sequence[str]) -> None:
        """A copy (of a thinker) catches up with new lines of the log."""
        seconds = self._house.limits.opening
        await self._house.ask(FollowLog(table=self._number, lines=tuple(lines), seconds=seconds), NoneType)

    async def choose(self, bot: str, player: int, seed: int, alone: bool = False) -> dict[str, str]:
        """What a bot would answer for a player who is asked: a move. `alone`: only bots play there, and tables of
        people go first. Raises Illegal where it is not asked."""
        seconds = self._house.limits.opening
        request = ChooseMove(table=self._number, bot=bot, player=player, seed=seed, seconds=seconds)
        async with self._turn_to_think(alone):
            return await self._house.ask(request, dict[str, str])

    async def help(self, what: str, player: int) -> Plain:
        """`hint`, `waits` or `nearest` for a player, as plain data in every language (see `presentation.advice`)."""
        seconds = self._house.limits.opening
        async with self._turn_to_think(alone=False):
            return await self._house.ask(Advise(table=self._number, what=what, player=player, seconds=seconds), Plain)

    def _turn_to_think(self, alone: bool) -> AbstractAsyncContextManager[None]:
        """The thinkers that tables share are for people first; whoever has one to himself keeps nobody waiting."""
        if self._house.limits.strange:
            return nullcontext()
        return self._houses._thinking.behind() if alone else self._houses._thinking.before()

    async def close(self) -> None:
        """The table is not played any more."""
        with suppress(HouseLost, Broken):
            await self._houses.leave(self._house, self._number)


class Houses:
    """All houses of a server. `tables`, `thinkers`: how many processes of each; `guests`: most tables of strangers'
    rules, each with a process of its own (and one more to think); `jobs`: how many run at a time; `waits`: how many
    from one address wait; `strange`: the limits of processes for what strangers wrote."""

    def __init__(
        self,
        *,
        tables: int = 1,
        thinkers: int = 1,
        guests: int = 8,
        jobs: int = 2,
        waits: int = WAITING_OF_ONE,
        strange: Limits = STRANGE,
    ) -> None:
        self._limits = {False: SHARED, True: strange}
        self._wanted = {TABLE: max(1, tables), THINKER: max(1, thinkers)}
        self._shared: dict[str, list[HouseProcess]] = {TABLE: [], THINKER: []}
        self._strange: dict[str, list[HouseProcess]] = {TABLE: [], THINKER: []}
        self._guests = guests
        self._idle: list[HouseProcess] = []  # for jobs
        self._working: set[HouseProcess] = set()
        self._jobs = Turns(max(1, jobs), MOST_WAITING, waits)
        self._thinking = Precedence()
        self._abouts: OrderedDict[str, Plain] = OrderedDict()
        self._made: OrderedDict[str, None] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._locks = {TABLE: asyncio.Lock(), THINKER: asyncio.Lock()}
        self._folder: Path | None = None
        self._number = 0

    # --- the whole

    async def start(self) -> None:
        """The first processes start."""
        self._folder = Path(tempfile.mkdtemp(prefix="tilewright-"))
        await asyncio.gather(*(self._fill(use) for use in self._shared))

    async def stop(self) -> None:
        """Every process ends."""
        folder, self._folder = self._folder, None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(house.stop() for house in self.processes))
        if folder is not None:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    @property
    def processes(self) -> tuple[HouseProcess, ...]:
        """Every process there is."""
        kinds = (*self._shared.values(), *self._strange.values(), self._idle, self._working)
        return tuple(house for kind in kinds for house in kind)

    # --- tables

    async def open(self, spec: Plain, log: Sequence[str] = (), use: str = TABLE, players: Sequence[str] = ()) -> Housed:
        """A table of the spec, or the one whose log this is. `use`: TABLE or THINKER; `players`: names for the first
        line of a new log. Raises BadSpec, Full, Broken, HouseLost."""
        use = THINKER if use == THINKER else TABLE
        wanted = read_spec(spec)
        house = await self._house_for(wanted, use)
        if house.tables and wanted.key not in self._made and not wanted.is_strange:
            await self._make(spec, wanted.key)
        self._number += 1
        number, seconds = self._number, house.limits.opening
        asked = OpenGame(table=number, spec=spec, log=tuple(log), players=tuple(players), seconds=seconds)
        house.tables.add(number)
        try:
            opened = await house.ask(asked, GameOpened)
            return Housed(self, house, number, opened, await self._about(house, number, opened.digest))
        except BaseException:
            await asyncio.shield(self._spawn(self.leave(house, number)))
            raise

    async def _make(self, spec: Plain, key: str) -> None:
        """Rules that are new here are compiled where nobody has to wait for it. Raises BadSpec."""
        with suppress(Full, HouseLost, Broken):
            await self.job("make", {"spec": spec}, SHARED.opening)
        self._made[key] = None
        while len(self._made) > MOST_MADE:
            self._made.popitem(last=False)

    async def leave(self, house: HouseProcess, number: int) -> None:
        """A table is closed; a process that it had for itself ends."""
        house.tables.discard(number)
        for kind in self._strange.values():
            if house in kind:
                kind.remove(house)
                await house.stop()
                return
        with suppress(HouseLost, Broken):
            await house.ask(CloseGame(table=number, seconds=house.limits.answering), NoneType)

    def about(self, digest: str) -> Plain | None:
        """What a page has to know of rules that are played here, or were, by their digest."""
        return self._abouts.get(digest)

    async def _about(self, house: HouseProcess, number: int, digest: str) -> Plain:
        """What the page needs to know of rules, asked once."""
        if digest not in self._abouts:
            asked = DescribeRules(table=number, seconds=house.limits.opening)
            self._abouts[digest] = await house.ask(asked, Plain)
            while len(self._abouts) > MOST_ABOUTS:
                self._abouts.popitem(last=False)
        return self._abouts[digest]

    async def _house_for(self, spec: Spec, use: str) -> HouseProcess:
        """The process that has least to do; one of its own for strangers' texts. Raises Full, HouseLost."""
        if not spec.is_strange:
            try:
                await self._fill(use)
            except HouseLost:
                if not self._living(use):
                    raise
            return min(self._living(use), key=lambda house: house.load)
        kind = self._strange[use]
        kind[:] = [house for house in kind if not house.gone]
        if len(kind) >= self._guests:
            raise Full(f"{self._guests} tables of strangers' rules are open already")
        house = self._new(use, strange=True)
        kind.append(house)
        try:
            await house.start()
        except BaseException:
            kind.remove(house)
            raise
        return house

    def _living(self, use: str) -> list[HouseProcess]:
        return [house for house in self._shared[use] if not house.gone]

    async def _fill(self, use: str) -> None:
        """As many shared processes as are wanted. Raises HouseLost where they do not start."""
        if len(self._living(use)) == self._wanted[use]:
            return
        async with self._locks[use]:
            self._shared[use] = self._living(use)
            new = [self._new(use, strange=False) for _ in range(self._wanted[use] - len(self._shared[use]))]
            await asyncio.gather(*(house.start() for house in new))
            self._shared[use] += new
            for house in new:
                house.when_lost = lambda: self._refill(use)

    def _refill(self, use: str) -> None:
        """A process has gone, and another takes its place."""
        if self._folder is not None:
            self._spawn(self._try_fill(use))

    async def _try_fill(self, use: str) -> None:
        with suppress(HouseLost):  # whoever needs it next tries again, and is told
            await self._fill(use)

    def _new(self, use: str, strange: bool) -> HouseProcess:
        if self._folder is None:
            raise HouseLost("the houses are closed")
        limits = replace(self._limits[strange], nice=NICE[use])
        return HouseProcess(Path(tempfile.mkdtemp(prefix="house-", dir=self._folder)), limits)

    def _spawn(self, work: Any) -> "asyncio.Task[None]":
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # --- jobs

    async def job(self, name: str, payload: Plain, seconds: float = 20.0, by: object = None) -> Plain:
        """Work in a process with limits, that does nothing else meanwhile. `seconds` of processor time; `by`: the
        address it is done for, which has its share and no more. Raises BadSpec, Broken, Full, HouseLost."""
        try:
            async with self._jobs.turn(by):
                return await self._work(name, payload, seconds)
        except NoTurn as error:
            raise Full(str(error)) from None

    async def _work(self, name: str, payload: Plain, seconds: float) -> Plain:
        """The work done by a process that is idle, or a new one. One that is left in the middle of it is ended."""
        house = await self._worker()
        self._working.add(house)
        try:
            return await house.ask(DoJob(name=name, payload=payload, seconds=seconds), Plain)
        finally:
            self._working.discard(house)
            if house.gone or house.busy or house.served >= MOST_JOBS:
                self._spawn(house.stop())
            else:
                self._idle.append(house)

    async def _worker(self) -> HouseProcess:
        """A process for a job."""
        while self._idle:
            house = self._idle.pop()
            if not house.gone:
                return house
        house = self._new(JOB, strange=True)
        await house.start()
        return house
