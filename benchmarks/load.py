"""Load: many tables of four socket clients each against servers of its own, at the pace of people.

Clients are in processes of their own, and play at random with what their views offer. Measured: how long an answer
takes until it is said to be done (carried out and in the database; or kept back, while a claim window lasts); what of
memory each table takes in the server and in its workers (PSS: what processes share, divided among them); time of
processors. The clients of a table are connected to all servers in turn, if there are several. Run by `make load`, with
LOAD="--tables 200 ..." as its options.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.synchronize import Barrier
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from processes import descendants
from web_client import OF_PICKS
from web_server import Server, postgresql, serving

from tilewright.authoring.open_rules import bundled
from tilewright.cli.commands.table.serve import allow_connections
from tilewright.play.rules import load
from tilewright.web.protocol.messages import VERSION
from tilewright.web.protocol.moments import with_parts

CLIENTS = 4  # of a table
SECONDS_TO_WARM, SECONDS_TO_START = 5, 60
SEED = 20_261_121
LIMITS = {"median": 100, "99th percentile": 500}  # milliseconds
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Plan:
    """What is tried. `pace`: seconds that a person thinks, on the average; `ramp`: seconds in which all tables open;
    `seconds`: how long is measured after that; `spread`: each table has an address of its own."""

    tables: int
    pace: float
    seconds: float
    ramp: float
    processes: int
    rulesets: tuple[str, ...]
    database: str
    servers: int = 1
    spread: bool = False

    def source(self, number: int) -> tuple[str, int] | None:
        """From where the clients of a table connect."""
        return (f"127.0.1.{1 + number % 250}", 0) if self.spread else None


@dataclass
class Found:
    """What clients found: milliseconds of each answer that was carried out, and of each that was kept back; how much
    they were told; what was refused."""

    answers: list[float] = field(default_factory=list)
    kept: list[float] = field(default_factory=list)
    steps: int = 0
    bytes: int = 0
    begun: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Found") -> None:
        self.answers += other.answers
        self.kept += other.kept
        self.steps += other.steps
        self.bytes += other.bytes
        self.begun += other.begun
        self.refused += other.refused


# --- a client


class Person:
    """A client of one table: answers whatever it is asked, after a while."""

    def __init__(self, socket: ClientConnection, plan: Plan, found: Found, chance: random.Random) -> None:
        self.socket, self.plan, self.found, self.chance = socket, plan, found, chance
        self.table, self.number = "", 0
        self.view: dict[str, Any] = {}
        self.sent: dict[int, tuple[float, list[float]]] = {}
        self.answering: asyncio.Task[None] | None = None
        self.answered: dict[str, int] = {}  # the last moment of each table that is answered
        self.over = asyncio.Event()

    async def say(self, say: str, **fields: Any) -> int:
        self.number += 1
        await self.socket.send(json.dumps({"say": say, "id": self.number, **fields}))
        return self.number

    async def ask(self, say: str, **fields: Any) -> dict[str, Any]:
        """Something said, and the reply to it."""
        number = await self.say(say, **fields)
        while True:
            message = json.loads(await self.socket.recv())
            if message.get("id") == number:
                if message["say"] == "error":
                    raise RuntimeError(f"{say}: {message['message']['en']}")
                return dict(message)

    async def play(self) -> None:
        """Until the socket is closed."""
        async for text in self.socket:
            self.found.bytes += len(text)
            message = json.loads(text)
            match message["say"]:
                case "step":
                    self.found.steps += 1
                    self.see(message)
                case "done":
                    self.note(message["id"])
                case "error":
                    self.found.refused[message["code"]] += 1
                    self.sent.pop(message.get("id"), None)
                    self.answered.pop(self.table, None)
                case "info" if message["info"]["state"] in ("over", "broken"):
                    self.found.refused["broken"] += message["info"]["state"] == "broken"
                    self.over.set()

    def stop(self) -> None:
        """Think no more."""
        if self.answering is not None:
            self.answering.cancel()
            self.answering = None

    def see(self, step: dict[str, Any]) -> None:
        """A step: think about its question, or look at its result. What comes once more, because others have answered,
        may have been sent before one's own answer came."""
        self.view = with_parts(self.view, step["view"])
        if self.answered.get(self.table) == step["seq"]:
            return
        self.stop()
        if (question := self.view["question"]) is not None:
            window = step["claim"]["ms"] / 1000 if step["claim"] else None
            self.answering = asyncio.create_task(self.answer(step["seq"], self.chosen(question), window))
        elif step.get("pause") is not None:
            self.answering = asyncio.create_task(self.go_on(step["seq"]))

    async def answer(self, seq: int, move: dict[str, str], window: float | None) -> None:
        pace = self.plan.pace if window is None else min(self.plan.pace, window) / 2
        await asyncio.sleep(self.chance.uniform(0.5, 1.5) * pace)
        times = self.found.answers if window is None else self.found.kept
        self.sent[self.number + 1] = (time.perf_counter(), times)
        self.answered[self.table] = seq
        await self.say("answer", table=self.table, seq=seq, move=move)

    async def go_on(self, seq: int) -> None:
        await asyncio.sleep(self.plan.pace)
        await self.say("ready", table=self.table, seq=seq)

    def note(self, number: int) -> None:
        if number in self.sent:
            sent, times = self.sent.pop(number)
            times.append((time.perf_counter() - sent) * 1000)

    def chosen(self, question: dict[str, Any]) -> dict[str, str]:
        """Any answer."""
        moves, picks = question["moves"], question["picks"]
        if moves and (not picks or self.chance.random() < 0.5):
            return dict(self.chance.choice(moves))
        pick = self.chance.choice(picks)
        number = self.chance.randint(pick["least"], pick["most"])
        tiles = self.chance.choice(pick.get("allowed") or [" ".join(self.chance.sample(pick["tiles"], number))])
        return {key: value for key, value in pick.items() if key not in OF_PICKS} | {pick["choose"]: tiles}


# --- a table


async def play_table(urls: Sequence[str], plan: Plan, number: int, found: Found, end: float) -> None:
    """Four clients at one table until the end; a game that is over is followed by another one."""
    chance = random.Random(SEED + number)
    people: list[Person] = []
    try:
        for seat in range(CLIENTS):
            socket = await connect(
                urls[(number + seat) % len(urls)],
                compression=None,
                max_size=None,
                ping_interval=None,
                max_queue=None,
                local_addr=plan.source(number),
            )
            person = Person(socket, plan, found, chance)
            people.append(person)
            await person.ask("hello", v=VERSION, name=f"Player {number}")
        while time.monotonic() < end:
            await play_game(people, plan, number, found, end)
            number += plan.tables
    finally:
        for person in people:
            await person.socket.close()


async def play_game(people: Sequence[Person], plan: Plan, number: int, found: Found, end: float) -> None:
    """One game, until it or the time is over."""
    host = people[0]
    spec = {"ruleset": {"id": plan.rulesets[number % len(plan.rulesets)]}, "hands": None, "seed": SEED + number}
    setup = {"seats": [{"kind": "person"}] * CLIENTS, "public": True}
    made = await host.ask("make", spec=spec, setup=setup, sit=0)
    for player, person in enumerate(people):
        person.table = made["table"] if isinstance(made.get("table"), str) else made["info"]["code"]
        person.view = {}
        person.over.clear()
        if person is not host:
            await person.ask("join", table=person.table)
            await person.say("sit", table=person.table, player=player)
    found.begun += 1
    playing = [asyncio.create_task(person.play()) for person in people]
    try:
        await asyncio.wait_for(host.over.wait(), max(0.0, end - time.monotonic()))
    except TimeoutError:
        pass
    finally:
        for person, task in zip(people, playing, strict=True):
            person.stop()
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def play_tables(
    urls: Sequence[str], plan: Plan, numbers: Sequence[int], found: Found, start: float, end: float
) -> None:
    """Some tables, which open one after the other; found is what happens after all tables are open."""

    async def later(number: int) -> None:
        await asyncio.sleep(plan.ramp * number / plan.tables)
        await play_table(urls, plan, number, found, end)

    async def forget() -> None:
        await asyncio.sleep(max(0.0, start - time.monotonic()))
        found.answers.clear()
        found.kept.clear()
        found.steps = found.bytes = 0

    await asyncio.gather(forget(), *map(later, numbers))


def times_of(plan: Plan, begin: Barrier) -> tuple[float, float]:
    """When all tables are open, and when the end is: processes take a while until all have started."""
    begin.wait(SECONDS_TO_START)
    start = time.monotonic() + plan.ramp
    return start, start + plan.seconds


async def warm(urls: Sequence[str], plan: Plan) -> None:
    """A table of each ruleset for a moment: rules are read once, whatever the number of tables."""
    end = time.monotonic() + SECONDS_TO_WARM
    await asyncio.gather(
        *(play_table(urls, plan, number, Found(), end) for number in range(len(plan.rulesets) * len(urls)))
    )


def client_process(urls: Sequence[str], plan: Plan, which: int, begin: Barrier, found: Any) -> None:
    """The tables of one process of clients."""
    allow_connections()
    mine, numbers = Found(), range(which, plan.tables, plan.processes)
    start, end = times_of(plan, begin)
    asyncio.run(play_tables(urls, plan, numbers, mine, start, end))
    found.put(mine)


# --- the server's processes


def memory(pids: Sequence[int]) -> float:
    """Megabytes, what is shared with others divided among them."""
    return sum(pss(pid) for pid in pids) / 1024


def pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def processor(pids: Sequence[int]) -> float:
    """Seconds."""
    return sum(ticks(pid) for pid in pids) / TICKS


def ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


# --- the whole


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a database: a file, a PostgreSQL of its own that writes as one does, or one that is there."""
    if kind == "postgresql":
        with postgresql(fsync=True) as cluster:
            yield cluster.fresh()
    else:
        yield str(folder / "tables.db") if kind == "sqlite" else kind


@dataclass(frozen=True)
class Used:
    """Megabytes and seconds of the servers, and of their workers, at one moment."""

    server: tuple[float, float]
    workers: tuple[float, float]

    @classmethod
    def now(cls, servers: Sequence[int]) -> "Used":
        workers = [pid for server in servers for pid in descendants(server)]
        return cls((memory(servers), processor(servers)), (memory(workers), processor(workers)))


def measure(servers: Sequence[Server], plan: Plan) -> tuple[Found, Used, Used, Used, float]:
    """What clients found; what the servers used before them, when all tables were open, and at the end; seconds that
    clients used of a processor."""
    pids = [server.process.pid for server in servers if server.process is not None]
    urls = [server.socket for server in servers]
    asyncio.run(warm(urls, plan))
    before = Used.now(pids)
    context = multiprocessing.get_context("spawn")
    results, begin = context.Queue(), context.Barrier(plan.processes + 1)
    clients = [
        context.Process(target=client_process, args=(urls, plan, which, begin, results))
        for which in range(plan.processes)
    ]
    for client in clients:
        client.start()
    start, end = times_of(plan, begin)
    time.sleep(max(0.0, start - time.monotonic()))
    opened, own = Used.now(pids), processor([client.pid or 0 for client in clients])
    time.sleep(max(0.0, end - 1 - time.monotonic()))
    ended, own = Used.now(pids), processor([client.pid or 0 for client in clients]) - own
    found = Found()
    for _ in clients:
        found.add(results.get(timeout=plan.ramp + 60))
    for client in clients:
        client.join()
    return found, before, opened, ended, own


def report(plan: Plan, found: Found, before: Used, opened: Used, ended: Used, clients: float) -> None:
    seconds = plan.seconds - 1
    for name, times in (("carried out", found.answers), ("kept back", found.kept)):
        print(f"{name:15}{len(times) / plan.seconds:.1f} answers a second, {distribution(times)}")
    steps, megabytes = found.steps / plan.seconds, found.bytes / plan.seconds / 1e6
    print(f"told           {steps:.0f} steps a second, {megabytes:.2f} MB a second")
    for name in ("server", "workers"):
        first, then, last = (getattr(used, name) for used in (before, opened, ended))
        each = (last[0] - first[0]) / plan.tables
        busy = (last[1] - then[1]) / seconds
        print(f"{name:15}{last[0]:.0f} MB, {each * 1000:.0f} kB a table; {busy:.0%} of a processor")
    print(f"clients        {clients / seconds:.0%} of a processor; {found.begun} games begun")
    print(f"refused        {', '.join(f'{code} {count}' for code, count in found.refused.items()) or 'nothing'}")


def distribution(times: Sequence[float]) -> str:
    """Median, 99th percentile and the longest."""
    if len(times) < 2:
        return "too few to say more"
    figures = {"median": median(times), "99th percentile": quantiles(times, n=100, method="inclusive")[98]}
    shown = ", ".join(f"{name} {value:.1f} ms (limit {LIMITS[name]})" for name, value in figures.items())
    return f"{shown}, most {max(times):.0f} ms"


def main() -> None:
    plan = asked()
    print(
        f"{plan.servers} servers, {plan.tables} tables of {CLIENTS} clients, {plan.pace:g} s for an answer,"
        f" {os.cpu_count()} processors;"
        f" {', '.join(plan.rulesets)}"
    )
    for kind in plan.database.split(","):
        print(f"\n{kind}")
        with (
            tempfile.TemporaryDirectory() as folder,
            database(kind, Path(folder)) as url,
            ExitStack() as stack,
        ):
            servers = [stack.enter_context(serving(Path(folder) / f"server{n}", url)) for n in range(plan.servers)]
            report(plan, *measure(servers, plan))
            for server in servers:
                if server.said:
                    print(server.said[-2000:], file=sys.stderr)


def asked() -> Plan:
    parser = argparse.ArgumentParser(description="Many tables of four clients each, at the pace of people.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--pace", type=float, default=2.0, metavar="SECONDS", help="that a person thinks")
    parser.add_argument("--seconds", type=float, default=60.0, help="that are measured")
    parser.add_argument("--ramp", type=float, help="seconds in which the tables open; a tenth of a second each")
    parser.add_argument("--servers", type=int, default=1, help="on one database")
    parser.add_argument("--processes", type=int, default=1, help="of clients")
    parser.add_argument("--ruleset", action="append", help="one of those that are played in turn; all, unless said")
    parser.add_argument("--database", default="sqlite,postgresql", help="sqlite, postgresql, or a URL")
    found = parser.parse_args()
    rulesets = tuple(found.ruleset or [id for id in bundled("ruleset") if load(id).data.seats.count == CLIENTS])
    ramp = found.ramp if found.ramp is not None else 5 + found.tables / 10
    return Plan(found.tables, found.pace, found.seconds, ramp, found.processes, rulesets, found.database, found.servers)


if __name__ == "__main__":
    main()
