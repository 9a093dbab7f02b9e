"""Attacks at tables and in the lobby."""

import asyncio
import json

from attacks.attacker import Attacker, attack, read_all
from attacks.texts import LONG_WORD, OWN

PATTERNS = "".join(f"  p{number}: {{name: {{en: '{LONG_WORD[:3_000]}{number}'}}, worth: 2}}\n" for number in range(60))


@attack(each=10)
async def made(attacker: Attacker) -> None:
    """Tables that are made and left, with texts of 180 kB."""
    seats = [{"kind": "person"}] + [{"kind": "bot"}] * 3
    spec = {"ruleset": {"name": "mine", "text": f"{OWN}patterns:\n{PATTERNS}# {attacker.next()}\n"}}
    async with await attacker.page() as page:
        await page.send(json.dumps({"say": "make", "id": 1, "sit": 0, "spec": spec, "setup": {"seats": seats}}))
        await asyncio.wait_for(page.recv(), 10)


@attack(each=10)
async def watched(attacker: Attacker) -> None:
    """The lobby, opened and closed, and tables that are waited at."""
    seats = [{"kind": "person"}] * 4
    async with await attacker.page() as page:
        reading = asyncio.create_task(read_all(page))
        spec = {"ruleset": {"id": "cantonese"}}
        await page.send(json.dumps({"say": "make", "sit": 0, "spec": spec, "setup": {"seats": seats, "public": True}}))
        for number in range(40):
            await page.send(json.dumps({"say": "lobby", "on": number % 2 == 0}))
            await asyncio.sleep(0.05)
        reading.cancel()


@attack(each=6)
async def wrong_codes(attacker: Attacker) -> None:
    """Codes of tables, invitations and replays that do not exist."""
    for path in ("tables", "invites", "replays", "documents/shared", "packs/shared"):
        await attacker.ask("GET", f"/api/{path}/{'B' * 20}")
    await attacker.ask("GET", "/metrics", authorization_2="x")


@attack(each=2)
async def renames(attacker: Attacker) -> None:
    """Another name, again and again."""
    texts = [json.dumps({"say": "rename", "name": f"Eve {number} \u0301\u0301\u0301"}) for number in range(50)]
    await attacker.say_again_and_again(0.05, *texts)
