"""Takeover: how long tables stand still when their server is killed.

Two servers on one PostgreSQL. One plays some tables; at each, one person is connected to it and one to the other
server. It is killed; measured is the time until the other person is shown the table again, and until a move is made.
Run by `make takeover`, with TAKEOVER="--kills 20 --tables 4" as its options.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from web_client import FAST, PERSON, Page, Table, at_random, play_beyond, settled, together
from web_server import Server, postgresql, serving

SPEC = {"ruleset": {"id": "cantonese"}}
SETUP = {"claim_seconds": 0.2, "away_seconds": 3600}


async def measured(one: Server, two: Server, tables: int) -> list[tuple[float, float]]:
    """Seconds until each table is shown again, and until a move is carried out there."""
    ann, bob = await Page(one.socket).open(), await Page(two.socket).open()
    pairs = [await begun(ann, bob) for _ in range(tables)]
    await together(*(settled(second, 1.0) for _, second in pairs))
    one.kill()
    start = time.monotonic()
    found = await asyncio.gather(*(again(first.code, second, ann.key, start) for first, second in pairs))
    await ann.close()
    await bob.close()
    return list(found)


async def begun(ann: Page, bob: Page) -> tuple[Table, Table]:
    """A table at which two people have played a little."""
    first = await ann.make(SPEC, [PERSON, PERSON, FAST, FAST], sit=0, **SETUP)
    second = await bob.join(first.code)
    await second.say("sit", player=1)
    await play_beyond(8, first, second, choose=at_random(1))
    return first, second


async def again(code: str, second: Table, key: str | None, start: float) -> tuple[float, float]:
    """After the kill, with ann at the other server, too."""
    second.seq = second.steps = 0  # the other server counts anew
    await second.until(lambda: second.seq > 0)
    shown = time.monotonic() - start
    back = await Page(second.page.url, key).open()
    first = await back.join(code)
    await play_beyond(1, first, second, choose=at_random(1))
    moved = time.monotonic() - start
    await back.close()
    return shown, moved


def report(name: str, times: Sequence[float]) -> None:
    print(f"{name:16}median {median(times):.1f} s, longest {max(times):.1f} s")


async def run(kills: int, tables: int, one: Server, two: Server) -> None:
    found: list[tuple[float, float]] = []
    for _ in range(kills):
        found += await measured(one, two, tables)
        await asyncio.to_thread(one.start)
    print(f"{kills} kills of a server with {tables} tables, {os.cpu_count()} processors")
    report("shown again", [shown for shown, _ in found])
    report("a move made", [moved for _, moved in found])


def main() -> None:
    parser = argparse.ArgumentParser(description="How long tables stand still when their server is killed.")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--tables", type=int, default=4)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, postgresql(fsync=True) as cluster:
        folder, url = Path(name), cluster.fresh()
        with serving(folder / "one", url) as one, serving(folder / "two", url) as two:
            asyncio.run(run(asked.kills, asked.tables, one, two))


if __name__ == "__main__":
    main()
