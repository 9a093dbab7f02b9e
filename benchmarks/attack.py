"""Attack: clients from four addresses try to stop a server, while people play at twenty other tables.

Each attack is tried alone and then all of them at once, each time on a fresh public server. Beside it, people at other
addresses play, open pages and check a text. Printed, as a table for docs/security.md: how long their answers take, how
long the event loop stood still at most (as the server's metric says), and the most memory. It fails above the limits.
Attacks are declared in the modules of `attacks`; `make attack ATTACK="--only joins,stalled --seconds 30"` chooses some.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from attacks.attacker import ATTACKS, FAILURES, Attacker, all_attacks, read_all
from fuzz.lengths import LongInput, long_inputs
from load import Found, Plan, descendants, memory, play_tables
from web_client import FAST, PERSON
from web_server import Server, serving

from tilewright.cli.commands.table.serve import allow_connections

ADDRESSES = tuple(f"127.0.0.{number}" for number in range(2, 6))
HOST, VISITOR = "127.0.0.9", "127.0.0.8"
PACE, RAMP = 1.0, 6.0  # seconds
LIMIT_MS, LIMIT_STANDSTILL_MS, LIMIT_WORK_MS, LIMIT_MB = 500, 100, 5_000, 1_000
SEED, SENDERS = 41, 6  # of long inputs
TOKEN = "attack-" * 6
STANDSTILL = re.compile(r"^tilewright_loop_longest_standstill_seconds (\S+)$", re.MULTILINE)
EASY = 15  # how much less often than the server's, on a busy machine, the processes of attackers run
TEXT = "tilewright: 1\nkind: mod\nid: visitors_mod\nname: Mine\nfor: cantonese\n"
VISITS = ("/", "/api/health", "/api/me", "/static/js/main.js", "/api/documents")
together = multiprocessing.get_context("fork")  # no time is lost with imports


@dataclass
class Measured:
    """What others found while an attack went on: milliseconds of moves, of requests, and of checking a text."""

    moves: list[float] = field(default_factory=list)
    requests: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    standstill: float = 0.0
    server: float = 0.0
    workers: float = 0.0
    done: "Counter[str]" = field(default_factory=Counter)
    said: str = ""

    def faults(self) -> list[str]:
        """What is beyond the limits."""
        found = {
            f"99 % of moves within {LIMIT_MS} ms": late(self.moves) < LIMIT_MS,
            f"99 % of requests within {LIMIT_MS} ms": late(self.requests) < LIMIT_MS,
            f"a text checked within {LIMIT_WORK_MS} ms": max(self.work, default=0.0) < LIMIT_WORK_MS,
            f"the loop never still for {LIMIT_STANDSTILL_MS} ms": self.standstill < LIMIT_STANDSTILL_MS,
            f"memory below {LIMIT_MB} MB": self.server + self.workers < LIMIT_MB,
            "no traceback": "Traceback" not in self.said,
        }
        return [fault for fault, is_fine in found.items() if not is_fine]


def late(times: Sequence[float]) -> float:
    """The 99th percentile; none is as bad as can be."""
    return sorted(times)[int(len(times) * 0.99)] if times else float("inf")


# --- those who are not to be slowed


def play(url: str, tables: int, start: float, end: float, found: Any) -> None:
    """People at tables, in a process of their own."""
    allow_connections()
    plan, mine = Plan(tables, PACE, end - start, RAMP, 1, ("cantonese",), "sqlite", spread=True), Found()
    asyncio.run(play_tables([f"{url.replace('http', 'ws', 1)}/socket"], plan, range(tables), mine, start, end))
    found.put(mine.answers)


def visit(url: str, start: float, end: float, found: Any) -> None:
    """Somebody who opens pages and checks a text now and then, in a process of their own."""
    found.put(asyncio.run(visited(Attacker(url, VISITOR, "", Counter()), start, end)))


async def visited(visitor: Attacker, start: float, end: float) -> tuple[list[float], list[float]]:
    await (await visitor.page()).close()
    for path in VISITS:  # what is kept after the first time is there
        await visitor.ask("GET", path)
    await asyncio.sleep(start - time.monotonic())
    requests, work = list[float](), list[float]()

    async def look() -> None:
        while time.monotonic() < end:
            for path in VISITS:
                requests.append(await timed(visitor, "GET", path))
                await asyncio.sleep(0.1)

    async def check() -> None:
        while time.monotonic() < end:
            work.append(await timed(visitor, "POST", "/api/workshop/check", {"text": f"{TEXT}# {len(work)}\n"}))
            await asyncio.sleep(2.0)

    await asyncio.gather(look(), check())
    return requests, work


async def timed(visitor: Attacker, method: str, path: str, body: Any = None) -> float:
    """Milliseconds until it is answered; what is refused is as bad as can be."""
    since = time.perf_counter()
    status = await visitor.ask(method, path, body, accept_encoding="gzip")
    return (time.perf_counter() - since) * 1000 if status < 400 else float("inf")


# --- attackers


def attack(url: str, address: str, code: str, names: Sequence[str], start: float, seconds: float, found: Any) -> None:
    """All that is done from one address, in a process of its own."""
    os.nice(EASY)
    allow_connections()
    asyncio.run(attacked(Attacker(url, address, code, Counter()), names, start, seconds, found))


async def attacked(attacker: Attacker, names: Sequence[str], start: float, seconds: float, found: Any) -> None:
    await asyncio.sleep(start - time.monotonic())
    doing = [asyncio.create_task(attacker.attack(ATTACKS[name])) for name in names for _ in range(ATTACKS[name].each)]
    await asyncio.sleep(seconds)
    found.put(attacker.done)
    await asyncio.gather(*doing)  # until it is ended from outside


def host(url: str, code: Any) -> None:
    """A public table with bots, in a process of its own."""
    asyncio.run(hosted(Attacker(url, HOST, "", Counter()), code))


async def hosted(host: Attacker, code: Any) -> None:
    async with await host.page() as page:
        setup = {"seats": [PERSON, FAST, FAST, FAST], "public": True, "spectator_delay": 0}
        spec = {"ruleset": {"id": "cantonese"}, "hands": None}
        await page.send(json.dumps({"say": "make", "id": 1, "sit": 0, "spec": spec, "setup": setup}))
        while (answer := json.loads(await page.recv())).get("id") != 1:
            pass
        code.put(answer["table"])
        await read_all(page)


# --- the whole


def measure(names: Sequence[str], seconds: float, tables: int) -> Measured:
    """Some attacks at once, on a fresh server."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), options=("--public", "--host", "127.0.0.1"), TILEWRIGHT_METRICS_TOKEN=TOKEN) as server,
    ):
        assert server.process is not None
        pid, found = server.process.pid, Measured()
        played, visits, code, done = (together.Queue() for _ in range(4))
        hosting = together.Process(target=host, args=(server.url, code), daemon=True)
        hosting.start()
        table = code.get(timeout=60)
        start = time.monotonic() + RAMP
        end = start + seconds
        others = [
            together.Process(target=play, args=(server.url, tables, start, end, played), daemon=True),
            together.Process(target=visit, args=(server.url, start, end, visits), daemon=True),
        ]
        attackers = [
            together.Process(
                target=attack, args=(server.url, address, table, names, start, seconds - 1, done), daemon=True
            )
            for address in ADDRESSES
        ]
        for process in (*others, *attackers):
            process.start()
        time.sleep(max(0.0, start - time.monotonic()))
        while time.monotonic() < end:
            found.server = max(found.server, memory([pid]))
            found.workers = max(found.workers, memory(descendants(pid)))
            time.sleep(0.5)
        found.moves = played.get(timeout=120)
        found.requests, found.work = visits.get(timeout=120)
        found.done = sum((done.get(timeout=60) for _ in attackers), Counter[str]())
        found.standstill, found.said = 1000 * standstill(server), server.said
        for process in (hosting, *others, *attackers):
            process.kill()
        return found


def fuzz(count: int) -> Measured:
    """So many messages and bodies that are long somewhere, to a server that does not count them."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), roomy=True, TILEWRIGHT_METRICS_TOKEN=TOKEN) as server,
    ):
        found, inputs = Measured(), islice(long_inputs(SEED), count)
        found.done = asyncio.run(fuzzed(server.url, inputs))
        found.standstill, found.said = 1000 * standstill(server), server.said
        return found


async def fuzzed(url: str, inputs: Iterator[LongInput]) -> "Counter[str]":
    done: Counter[str] = Counter()

    async def send(number: int) -> None:
        """Inputs from addresses of one's own: each has so many connections a second."""
        sender = Attacker(url, "", "", done)
        for one in inputs:
            sender.address = f"127.0.{number + 2}.{1 + sender.next() % 250}"
            try:
                await asyncio.wait_for(
                    sender.ask(one.method, one.path, one.content) if one.path else said(sender, one), 90
                )
            except FAILURES as error:
                done[type(error).__name__] += 1

    await asyncio.gather(*map(send, range(SENDERS)))
    return done


async def said(sender: Attacker, one: LongInput) -> None:
    """A message on a page of its own, until something is said to it."""
    sender.key = ""
    async with await sender.page() as page:
        await page.send(one.content.decode(errors="replace"))
        with suppress(TimeoutError):
            await asyncio.wait_for(page.recv(), 2)
    sender.done["messages"] += 1


def standstill(server: Server) -> float:
    """The longest of the server's loop, in seconds."""
    asked = Request(f"{server.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    with urlopen(asked, timeout=60) as answer:
        found = STANDSTILL.search(answer.read().decode())
    assert found is not None
    return float(found[1])


def tried(title: str, names: Sequence[str], seconds: float, tables: int) -> bool:
    """Measure and report; what does not hold is tried once more, since other programs may have been busy."""
    found = measure(names, seconds, tables)
    return report(title, measure(names, seconds, tables) if found.faults() else found)


def report(title: str, found: Measured) -> bool:
    """A row of the table; what is beyond the limits goes to stderr. Returns whether nothing is."""
    figures = (
        f"{late(found.moves):.0f} ms",
        f"{late(found.requests):.0f} ms",
        f"{max(found.work, default=0.0):.0f} ms",
        f"{found.standstill:.0f} ms",
        f"{found.server:.0f} + {found.workers:.0f} MB",
    )
    print(f"| {title} | {' | '.join(figures)} |", flush=True)
    print(f"  {', '.join(f'{name} {count:,}' for name, count in sorted(found.done.items()))}", file=sys.stderr)
    faults = found.faults()
    for fault in faults:
        print(f"  NOT HELD: {fault}", file=sys.stderr)
    if faults:
        print(found.said[-3_000:], file=sys.stderr, flush=True)
    return not faults


def main() -> int:
    attacks = all_attacks()
    parser = argparse.ArgumentParser(description="Attackers from four addresses, while others play.")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each attack")
    parser.add_argument("--together", type=float, default=30.0, help="seconds of all at once; 0: not at once")
    parser.add_argument("--fuzz", type=int, default=10_000, help="messages and bodies that are long somewhere; 0: none")
    parser.add_argument("--tables", type=int, default=20, help="at which others play")
    parser.add_argument("--only", default=",".join(attacks), help="some of these, or none: " + ",".join(attacks))
    asked = parser.parse_args()
    names = [name for name in asked.only.split(",") if name]
    if unknown := set(names) - set(attacks):
        parser.error(f"no attack is called {', '.join(sorted(unknown))}")
    print(f"{asked.tables} tables, {len(ADDRESSES)} addresses, {os.cpu_count()} processors\n", file=sys.stderr)
    print("| attack | moves | requests | checking a text | standstill | server + workers |\n|---|---|---|---|---|---|")
    held = [tried("none", [], asked.seconds, asked.tables)]
    held += [tried(attacks[name].says, [name], asked.seconds, asked.tables) for name in names]
    if asked.together and len(names) > 1:
        held.append(tried("All at once.", names, asked.together, asked.tables))
    if asked.fuzz:
        found = fuzz(asked.fuzz)
        if found.standstill >= LIMIT_STANDSTILL_MS:
            found = fuzz(asked.fuzz)
        print(f"| {asked.fuzz:,} long messages and bodies | | | | {found.standstill:.0f} ms | |", flush=True)
        print(f"  {', '.join(f'{name} {count:,}' for name, count in sorted(found.done.items()))}", file=sys.stderr)
        held.append(found.standstill < LIMIT_STANDSTILL_MS and "Traceback" not in found.said)
        if not held[-1]:
            print(found.said[-3_000:], file=sys.stderr)
    print("held" if all(held) else "NOT HELD", file=sys.stderr)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
