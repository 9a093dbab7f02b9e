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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tilewright.web.protocol.spec import BadSpec, Spec, read_spec
from tilewright.web.workers.process import Broken, HouseLost, HouseProcess, Illegal, Limits
from tilewright.web.workers.queue import NoTurn, Precedence, Turns

__all__ = [
    "TABLE",
    "THINKER",
    "BadSpec",
    "Beat",
    "Broken",
    "Full",
    "HouseLost",
    "Housed",
    "Houses",
    "Illegal",
    "Limits",
    "Step",
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


@dataclass(frozen=True, slots=True)
class Beat:
    """A moment that players see. `views` and `events` are JSON texts by who sees them: a player ("0", "1" ...), or
    "all" who look on. `claim`: a tile has just come where it may be claimed, and nobody has been asked yet; `ends`: a
    hand has just ended, its tiles still lie there (`Step.results` has its result); `asked`: players who are asked in
    this moment; `only`: nothing changed but for this player, who answered before others did."""

    views: Mapping[str, str]
    events: Mapping[str, str]
    claim: bool = False
    ends: bool = False
    asked: tuple[int, ...] = ()
    only: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What one answer (or the opening) makes of a table. `lines`: new lines of the log, without line ends; `asked`:
    players who are asked now; `buttons`: what the pressed buttons of asked players answer for them; `scores`: of the
    players now, at the end with what is added or exchanged; `results`: of the hands that ended, as plain data (one for
    each beat that `ends`, in order); `problem`: what went wrong in one."""

    lines: tuple[str, ...]
    beats: tuple[Beat, ...]
    asked: tuple[int, ...]
    buttons: Mapping[int, Plain]
    hands_done: int
    over: bool
    scores: tuple[float, ...] = ()
    results: tuple[Plain, ...] = ()
    problem: str | None = None

    @property
    def result(self) -> Plain | None:
        """The last hand that ended in this step."""
        return self.results[-1] if self.results else None


class Full(Exception):
    """So many tables of strangers' rules, or jobs, are open already that no more fit."""


class Housed:
    """A table in a house. `digest`: of its rules; `about`: what the page has to know of them; `names`: of the seats."""

    def __init__(self, houses: "Houses", house: HouseProcess, number: int, opened: Plain, about: Plain) -> None:
        self.digest: str = opened["digest"]
        self.seats: int = opened["seats"]
        self.names: tuple[str, ...] = tuple(opened["names"])
        self.about = about
        self._houses, self._house, self._number = houses, house, number

    @property
    def lost(self) -> bool:
        """Its process has gone."""
        return self._house.gone

    async def opening(self) -> Step:
        """The table as it stands: of a fresh one the deal and all lines of the log so far; of one that was opened from
        a log one beat, and only lines that the log did not have. To be asked once. Raises Broken, HouseLost."""
        return step_of(await self._ask("opening", self._house.limits.opening))

    async def answer(self, player: int, move: Mapping[str, Any]) -> Step:
        """A player answers. Raises Illegal, Broken, HouseLost."""
        return step_of(await self._ask("answer", player=player, move=dict(move)))

    async def press(self, player: int, buttons: Sequence[str]) -> Step:
        """These buttons of a player are on, all others off. The step has no beats and no lines."""
        return step_of(await self._ask("press", player=player, buttons=list(buttons)))

    async def follow(self, lines: Sequence[str]) -> None:
        """A copy (of a thinker) catches up with new lines of the log."""
        await self._ask("follow", self._house.limits.opening, lines=list(lines))

    async def choose(self, bot: str, player: int, seed: int, alone: bool = False) -> Plain:
        """What a bot would answer for a player who is asked: a move. `alone`: only bots play there, and tables of
        people go first. Raises Illegal where it is not asked."""
        async with self._turn_to_think(alone):
            found: Plain = await self._ask("choose", self._house.limits.opening, bot=bot, player=player, seed=seed)
            return found

    async def help(self, what: str, player: int, lang: str = "en") -> Plain:
        """`hint`, `waits` or `nearest` for a player, as plain data in every language that there is (see `advising`)."""
        async with self._turn_to_think(alone=False):
            found: Plain = await self._ask("help", self._house.limits.opening, what=what, player=player)
            return found

    def _turn_to_think(self, alone: bool) -> AbstractAsyncContextManager[None]:
        """The thinkers that tables share are for people first; whoever has one to himself keeps nobody waiting."""
        if self._house.limits.strange:
            return nullcontext()
        return self._houses._thinking.behind() if alone else self._houses._thinking.before()

    async def close(self) -> None:
        """The table is not played any more."""
        with suppress(HouseLost, Broken):
            await self._houses.leave(self._house, self._number)

    async def _ask(self, do: str, seconds: float | None = None, **asked: Any) -> Any:
        limit = self._house.limits.answering if seconds is None else seconds
        return await self._house.ask({"do": do, "table": self._number, **asked}, limit)


def step_of(data: Plain) -> Step:
    """A step as the house tells it."""
    return Step(
        lines=tuple(data["lines"]),
        beats=tuple(Beat(**(beat | {"asked": tuple(beat["asked"])})) for beat in data["beats"]),
        asked=tuple(data["asked"]),
        buttons={int(player): move for player, move in data["buttons"].items()},
        hands_done=data["hands_done"],
        scores=tuple(data["scores"]),
        over=data["over"],
        results=tuple(data["results"]),
        problem=data["problem"],
    )


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
        number, asked = self._number, {"spec": spec, "log": list(log), "players": list(players)}
        house.tables.add(number)
        try:
            opened = await house.ask({"do": "open", "table": number, **asked}, house.limits.opening)
            return Housed(self, house, number, opened, await self._about(house, number, opened["digest"]))
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
            await house.ask({"do": "close", "table": number}, house.limits.answering)

    def about(self, digest: str) -> Plain | None:
        """What a page has to know of rules that are played here, or were, by their digest."""
        return self._abouts.get(digest)

    async def _about(self, house: HouseProcess, number: int, digest: str) -> Plain:
        """What the page needs to know of rules, asked once."""
        if digest not in self._abouts:
            self._abouts[digest] = await house.ask({"do": "about", "table": number}, house.limits.opening)
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
            found: Plain = await house.ask({"do": "job", "name": name, "payload": payload}, seconds)
            return found
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
