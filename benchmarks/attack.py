"""Attack: clients from four addresses try to stop a server, while people play at twenty other tables.

The server is public and the benchmark's own; attackers connect from 127.0.0.2 and on. Printed: how long a move takes at
the other tables (as in `make load`), and the most memory of the server and of its workers, before and during the
attack. `make attack ATTACK="--only joins,bodies --seconds 30"` chooses what is done.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from load import Found, Plan, client_process, descendants, distribution, memory, warm
from web_client import FAST, PERSON
from web_server import serving
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

Plain = dict[str, Any]
ADDRESSES = tuple(f"127.0.0.{number}" for number in range(2, 6))
TABLES, PACE, RAMP = 20, 1.0, 6.0
LIMIT_MS, LIMIT_MB = 500, 1_000
NESTED = '{"say": "make", "spec": ' + "[" * 290_000 + "]" * 290_000 + "}"
MANY = '{"say": "make", "spec": [' + "[]," * 190_000 + "0]}"
OWN = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\n"
FAILURES = (OSError, WebSocketException, EOFError, TimeoutError, ValueError, KeyError)
Attack = Callable[["Attacker"], Coroutine[Any, Any, None]]


class Attacker:
    """Somebody at one address. `code`: a table that everybody may watch; `done`: what was sent, by attack."""

    def __init__(self, url: str, address: str, code: str, done: "Counter[str]") -> None:
        self.url, self.address, self.code, self.done = url, address, code, done
        self.key, self.first = "", asyncio.Lock()
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 0

    async def page(self, **options: Any) -> ClientConnection:
        """A connection that has said hello."""
        found = await connect(
            f"{self.url.replace('http', 'ws', 1)}/socket",
            local_addr=(self.address, 0),
            max_size=None,
            proxy=None,
            ping_interval=None,
            **options,
        )
        await found.send(json.dumps({"say": "hello", "v": 2} | ({"key": self.key} if self.key else {})))
        self.key = json.loads(await found.recv())["key"]
        return found

    async def request(self, head: str, body: bytes, length: int) -> asyncio.StreamReader:
        """A request with a body that may be shorter than it says."""
        reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=(self.address, 0))
        lines = (head, f"Host: {self.host}:{self.port}", f"Content-Length: {length}", "", "")
        writer.write("\r\n".join(lines).encode() + body)
        await writer.drain()
        return reader

    async def answered(self, head: str, body: bytes) -> None:
        """A whole request. Raises ConnectionError if there is no answer."""
        reader = await self.request(head, body, len(body))
        if not await asyncio.wait_for(reader.read(), 60):
            raise ConnectionError


# --- what attackers do


async def nested(attacker: Attacker) -> None:
    """Messages that are small until they are inflated, deep or of many values."""
    async with await attacker.page() as page:
        reading = asyncio.create_task(read_all(page))
        for number in range(10_000):
            await page.send((NESTED, MANY)[number % 2])
            attacker.done["nested messages"] += 1
            await asyncio.sleep(0.1)
        reading.cancel()


async def nested_bodies(attacker: Attacker) -> None:
    for path in ("/api/about", "/api/rulebook") * 1_000:
        body = b'{"spec": ' + b"[" * 140_000 + b"]" * 140_000 + b"}"
        await attacker.answered(f"POST {path} HTTP/1.0", body)
        attacker.done["nested bodies"] += 1
        await asyncio.sleep(0.1)


async def joins(attacker: Attacker) -> None:
    """Onlookers who join the same table again and again."""
    async with await attacker.page() as page:
        reading = asyncio.create_task(read_all(page))
        for _ in range(10_000):
            await page.send(json.dumps({"say": "join", "table": attacker.code}))
            attacker.done["joins"] += 1
            await asyncio.sleep(1 / 15)
        reading.cancel()


async def silent(attacker: Attacker) -> None:
    """Pages that have a table sent to them, and never read it."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    sock.setblocking(False)
    sock.bind((attacker.address, 0))
    await asyncio.get_running_loop().sock_connect(sock, (attacker.host, attacker.port))
    reader, writer = await asyncio.open_connection(sock=sock, limit=1_000)
    lines = ("GET /socket HTTP/1.1", f"Host: {attacker.host}", "Upgrade: websocket", "Connection: Upgrade")
    key = ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "")
    writer.write("\r\n".join((*lines, *key)).encode())
    await reader.readuntil(b"\r\n\r\n")
    writer.write(frame('{"say": "hello", "v": 2}'))
    try:
        for _ in range(10_000):
            writer.write(frame(json.dumps({"say": "join", "table": attacker.code})))
            await asyncio.wait_for(writer.drain(), 30)
            attacker.done["unread joins"] += 1
            await asyncio.sleep(1 / 10)
    finally:
        writer.close()


async def stalled(attacker: Attacker) -> None:
    """Bodies that never end."""
    size = 1_500_000
    head = f"POST /api/documents HTTP/1.1\r\nAuthorization: Bearer {attacker.key}"
    reader = await attacker.request(head, b'{"text": "' + b"x" * (size - 20), size)
    attacker.done["stalled bodies"] += 1
    await reader.read()


async def many_rules(attacker: Attacker) -> None:
    """Rules that nobody else has, to fill what is cached."""
    number = 0
    while True:
        number += 1
        text = f"{OWN}# {attacker.address} {number} {'x' * 100_000}\n"
        body = json.dumps({"spec": {"ruleset": {"name": "mine", "text": text}}}).encode()
        await attacker.answered("POST /api/rulebook HTTP/1.0", body)
        attacker.done["rulebooks"] += 1


async def pings(attacker: Attacker) -> None:
    """Tiny frames, as fast as they are taken."""
    async with await attacker.page() as page:
        ping = bytes((0x89, 0x80, 0, 0, 0, 0))
        for _ in range(100):
            await page.ping()
            page.transport.write(ping * 40_000)
            attacker.done["pings"] += 40_000
            await asyncio.sleep(0.5)


ATTACKS: dict[str, tuple[Attack, int]] = {  # each with how many do it at one address
    "nested": (nested, 4),
    "nested_bodies": (nested_bodies, 4),
    "joins": (joins, 15),
    "silent": (silent, 40),
    "bodies": (stalled, 125),
    "rules": (many_rules, 4),
    "pings": (pings, 2),
}


def frame(text: str) -> bytes:
    """A text as a frame of a client, masked with nothing."""
    data = text.encode()
    assert len(data) < 126
    return bytes((0x81, 0x80 | len(data), 0, 0, 0, 0)) + data


async def read_all(page: ClientConnection) -> None:
    with suppress(*FAILURES):
        async for _ in page:
            pass


async def again_and_again(attack: Attack, attacker: Attacker) -> None:
    """Whoever is thrown out comes back."""
    while True:
        try:
            async with attacker.first:
                if not attacker.key:
                    await (await attacker.page()).close()
            await attack(attacker)
        except Exception as error:  # whatever it was: a client that fails is no success of the server
            attacker.done[f"thrown out: {type(error).__name__}"] += 1
        await asyncio.sleep(0.5)


async def attack_all(url: str, name: str, start: float, seconds: float, found: Any) -> None:
    """Attack from a time on; after some seconds, tell what was done."""
    done: Counter[str] = Counter()
    host = Attacker(url, "127.0.0.9", "", done)
    async with await host.page() as page:
        setup = {"seats": [PERSON, FAST, FAST, FAST], "public": True, "spectator_delay": 0}
        spec = {"ruleset": {"id": "cantonese"}, "hands": None}
        await page.send(json.dumps({"say": "make", "id": 1, "sit": 0, "spec": spec, "setup": setup}))
        while (answer := json.loads(await page.recv())).get("id") != 1:
            pass
        reading = asyncio.create_task(read_all(page))
        attackers = [Attacker(url, address, answer["table"], done) for address in ADDRESSES]
        attack, count = ATTACKS[name]
        await asyncio.sleep(start - time.monotonic())
        doing = [asyncio.create_task(again_and_again(attack, attacker)) for attacker in attackers for _ in range(count)]
        await asyncio.sleep(seconds)
        found.put(done)
        await asyncio.gather(*doing, reading)  # until it is ended from outside


def attacking_process(url: str, name: str, start: float, seconds: float, found: Any) -> None:
    asyncio.run(attack_all(url, name, start, seconds, found))


# --- the whole


def measure(folder: Path, names: list[str], seconds: float) -> bool:
    """Whether people could play on, within the limits."""
    spawn = multiprocessing.get_context("spawn")
    plan = Plan(TABLES, PACE, seconds, RAMP, 1, ("cantonese",), "sqlite", spread=True)
    with serving(folder, options=("--public", "--host", "127.0.0.1")) as server:
        assert server.process is not None
        pid = server.process.pid
        asyncio.run(warm([server.socket], plan))
        before = memory([pid])
        found, attacked = spawn.Queue(), spawn.Queue()
        start = time.monotonic() + RAMP + len(names)  # processes take a while to start
        end = start + seconds
        players = spawn.Process(target=client_process, args=([server.socket], plan, 0, start, end, found), daemon=True)
        attackers = [
            spawn.Process(target=attacking_process, args=(server.url, name, start, seconds - 2, attacked), daemon=True)
            for name in names
        ]
        for process in (players, *attackers):
            process.start()
        time.sleep(max(0.0, start - time.monotonic()))
        most = most_workers = 0.0
        while time.monotonic() < end:
            most = max(most, memory([pid]))
            most_workers = max(most_workers, memory(descendants(pid)))
            time.sleep(0.5)
        moves: Found = found.get(timeout=120)
        done = sum((attacked.get(timeout=60) for _ in names), Counter[str]())
        players.join()
        for attacker in attackers:
            attacker.kill()
        return report(moves, done, before, most, most_workers, server.said)


def report(moves: Found, done: "Counter[str]", before: float, most: float, most_workers: float, said: str) -> bool:
    times = sorted(moves.answers)
    print(f"moves          {len(times)}, {distribution(times)}")
    print(f"memory         server {before:.0f} MB before, {most:.0f} MB at most; workers {most_workers:.0f} MB at most")
    print(f"attackers      {', '.join(f'{name} {count:,}' for name, count in sorted(done.items())) or 'none'}")
    print(f"refused        {', '.join(f'{code} {count}' for code, count in moves.refused.items()) or 'nothing'}")
    if "Traceback" in said:
        print(said[-3_000:], file=sys.stderr)
    slow = times[int(len(times) * 0.99)] if times else float("inf")
    return slow < LIMIT_MS and most + most_workers < LIMIT_MB and "Traceback" not in said


def main() -> int:
    parser = argparse.ArgumentParser(description="Attackers from four addresses, while others play.")
    parser.add_argument("--seconds", type=float, default=30.0, help="of the attack")
    parser.add_argument("--only", default=",".join(ATTACKS), help="some of these, or none: " + ",".join(ATTACKS))
    asked = parser.parse_args()
    names = [name for name in asked.only.split(",") if name in ATTACKS]
    print(
        f"{TABLES} tables, {len(ADDRESSES)} addresses, {os.cpu_count()} processors; {', '.join(names) or 'no attack'}"
    )
    with tempfile.TemporaryDirectory() as folder:
        held = measure(Path(folder), names, asked.seconds)
    print("held" if held else f"NOT HELD: 99 % of moves within {LIMIT_MS} ms, memory below {LIMIT_MB} MB")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
