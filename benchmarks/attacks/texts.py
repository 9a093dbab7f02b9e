"""Attacks with texts: names, documents, cards and rules that take long to read, or answers that are large."""

import asyncio
import json
from base64 import b64encode
from random import Random
from string import ascii_letters

from attacks.attacker import Attacker, Plain, attack

OWN = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\n"
MARKS = "a" + "\u0301" * 140_000
MOST = 255_000  # characters of a text
NAMES = (OWN + "needs: [" + ", ".join(f"other_{number}" for number in range(30_000)))[: MOST - 2] + "]\n"
WRONG = (OWN + "options:\n" + "".join(f"  o{number}: {{typ: 1}}\n" for number in range(15_000)))[:MOST]
LONG_WORD = "".join(Random(1).choices(ascii_letters, k=40_000))
UNIT = LONG_WORD[:9_000]
LARGE = (  # the unit of a measure stands in the rulebook at every pattern: 3 MB, hard to compress
    f"{OWN}scoring:\n  measures:\n    faan: {{name: {{en: F}}, unit: {{en: '{UNIT}|{UNIT}'}}}}\npatterns:\n"
    + "".join(f"  p{number}: {{name: {{en: P{number}}}, worth: 2, when: self_draw}}\n" for number in range(300))
)
SLOW = f"{OWN}actions:\n" + "".join(f"  a{n}: {{do: [{{use: a{n + 1}}}, {{use: a{n + 1}}}]}}\n" for n in range(40))


def ruleset(text: str) -> Plain:
    return {"spec": {"ruleset": {"name": "mine", "text": text}}}


@attack(each=4)
async def rules(attacker: Attacker) -> None:
    """Rules that nobody else has, to fill what is cached."""
    text = f"{OWN}# {attacker.address} {attacker.next()} {'x' * 100_000}\n"
    await attacker.ask("POST", "/api/rulebook", ruleset(text))


@attack(each=4)
async def marks(attacker: Attacker) -> None:
    """Names of 280 kB with combining marks."""
    name = {"say": "rename", "name": MARKS[:15_000]}
    await attacker.ask("POST", "/api/documents", {"template": "ruleset", "name": MARKS})
    await attacker.ask("POST", "/api/documents", {"text": OWN.replace("Mine", MARKS[:120_000])})
    async with await attacker.page() as page:
        await page.send(json.dumps(name, ensure_ascii=False))
        await page.recv()


@attack(each=4)
async def line_ends(attacker: Attacker) -> None:
    """Texts of line ends and spaces, for regular expressions."""
    text = ("\n" * MOST, "\n \t" * (MOST // 3), " " * MOST, "-" * MOST, "needs:" * (MOST // 6))[attacker.next() % 5]
    await attacker.ask("POST", "/api/documents", {"text": text})
    await attacker.ask("POST", "/api/workshop/check", {"text": text})


@attack(each=4)
async def many_names(attacker: Attacker) -> None:
    """Texts that name 30,000 others."""
    await attacker.ask("POST", "/api/workshop/check", {"text": NAMES})


@attack(each=4)
async def many_problems(attacker: Attacker) -> None:
    """Texts with 13,000 problems."""
    await attacker.ask("POST", "/api/workshop/check", {"text": f"{WRONG}# {attacker.next()}\n"})


@attack(each=4)
async def twice(attacker: Attacker) -> None:
    """Actions that each use the next one twice."""
    await attacker.ask("POST", "/api/workshop/check", {"text": f"{SLOW}# {attacker.next()}\n"})


@attack(each=8)
async def large_answers(attacker: Attacker) -> None:
    """A rulebook of 3 MB, the same one again and again, packed or not."""
    encoding = ("gzip", "identity")[attacker.next() % 2]
    await attacker.ask("POST", "/api/rulebook", ruleset(LARGE), accept_encoding=encoding)


@attack(each=8)
async def unread_answers(attacker: Attacker) -> None:
    """The same rulebook, and nobody reads the answer."""
    body = json.dumps(ruleset(LARGE)).encode()
    _, writer = await attacker.send("POST /api/rulebook HTTP/1.1", body, len(body))
    attacker.done["asked"] += 1
    await asyncio.sleep(3)
    writer.close()


@attack(each=4)
async def escapes(attacker: Attacker) -> None:
    """Bodies of 1.5 MB in which each character is escaped, or half of one."""
    sign = (b"\\u0041", b"\\ud800", b'\\"', b"\\ud800\\udc00")[attacker.next() % 4]
    await attacker.ask("POST", "/api/documents", b'{"text": "' + sign * (1_500_000 // len(sign)) + b'"}')


@attack(each=4)
async def values(attacker: Attacker) -> None:
    """Bodies of as many values as are allowed, in the wrong place."""
    one = (b"1,", b'"a",', b"{},", b"[],", b"1e9,")[attacker.next() % 5]
    await attacker.ask("POST", "/api/about", b'{"spec": [' + one * 4_900 + b"1]}")


@attack(each=4)
async def archives(attacker: Attacker) -> None:
    """Packs that are no archives."""
    content = b64encode(f"{attacker.next()}{LONG_WORD * 15}".encode()).decode()
    await attacker.ask("POST", "/api/packs", {"content": content})


@attack(each=4)
async def cards(attacker: Attacker) -> None:
    """Cards of 1,500 lines, drawn and counted."""
    text = f"Card {attacker.next()}\n" + "FF 1111 2222 3333\n" * 1_500
    await attacker.ask("POST", "/api/cards/draw", {"text": text, "process": True, "paper": "a4"})


@attack(each=4)
async def saved(attacker: Attacker) -> None:
    """Texts of 255 kB that are stored, listed and read."""
    await attacker.ask("POST", "/api/documents", {"text": f"{OWN}# {attacker.next()} {LONG_WORD * 6}\n"})
    await attacker.ask("GET", "/api/documents", accept_encoding="gzip")


@attack(each=12)
async def leavers(attacker: Attacker) -> None:
    """Costly work that is asked for and left at once."""
    text = f"{LARGE}# {attacker.address} {attacker.next()}\n"
    body = json.dumps({"text": text}).encode()
    _, writer = await attacker.send("POST /api/workshop/examples HTTP/1.1", body, len(body))
    attacker.done["left"] += 1
    await asyncio.sleep(0.2)
    writer.close()


@attack(each=12)
async def costly(attacker: Attacker) -> None:
    """Costly work that is waited for."""
    text = f"{LARGE}# {attacker.address} {attacker.next()}\n"
    path = ("coverage", "examples", "simulate")[attacker.next() % 3]
    await attacker.ask("POST", f"/api/workshop/{path}", {"text": text})
