"""Attacks on connections: messages that are nested or many, pages that read nothing, bodies that never end."""

import asyncio
import json

from attacks.attacker import Attacker, attack, frame

NESTED = '{"say": "make", "spec": ' + "[" * 290_000 + "]" * 290_000 + "}"
MANY = '{"say": "make", "spec": [' + "[]," * 190_000 + "0]}"


@attack(each=4)
async def nested(attacker: Attacker) -> None:
    """Messages of 580 kB, deep or of very many values."""
    await attacker.say_again_and_again(0.1, NESTED, MANY)


@attack(each=4)
async def nested_bodies(attacker: Attacker) -> None:
    """Bodies of 280 kB, nested."""
    body = b'{"spec": ' + b"[" * 140_000 + b"]" * 140_000 + b"}"
    await attacker.ask("POST", ("/api/about", "/api/rulebook")[attacker.next() % 2], body)


@attack(each=15)
async def joins(attacker: Attacker) -> None:
    """Spectators who join the same table again and again."""
    await attacker.say_again_and_again(1 / 15, json.dumps({"say": "join", "table": attacker.code}))


@attack(each=40)
async def silent(attacker: Attacker) -> None:
    """Pages that have a table sent to them, and never read it."""
    _, writer = await attacker.silent_socket()
    try:
        for _ in range(10_000):
            writer.write(frame(json.dumps({"say": "join", "table": attacker.code})))
            await asyncio.wait_for(writer.drain(), 30)
            attacker.done["unread joins"] += 1
            await asyncio.sleep(1 / 10)
    finally:
        writer.close()


@attack(each=125)
async def stalled(attacker: Attacker) -> None:
    """Bodies that never end."""
    size = 1_500_000
    reader, _ = await attacker.send("POST /api/documents HTTP/1.1", b'{"text": "' + b"x" * (size - 20), size)
    attacker.done["stalled bodies"] += 1
    await reader.read()


@attack(each=2)
async def pings(attacker: Attacker) -> None:
    """Tiny frames, as fast as they are taken."""
    async with await attacker.page() as page:
        ping = bytes((0x89, 0x80, 0, 0, 0, 0))
        for _ in range(100):
            await page.ping()
            page.transport.write(ping * 40_000)
            attacker.done["pings"] += 40_000
            await asyncio.sleep(0.5)
