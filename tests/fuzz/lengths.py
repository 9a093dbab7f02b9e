"""Long inputs: messages and bodies of requests in which something is about as long as it may be, or longer.

They are for a running server, which must not stand still over any of them: `make attack` sends many, and a test a few.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from fuzz.mutations import SIGNS
from fuzz.targets import asked_of_pages, messages

MOST = 1_600_000  # bytes of a body,
MOST_MESSAGE = 600_000  # and of a message
LEAST = 50  # bytes
SMALL = 0.5  # so many are of messages, which are handled quickest
RARE = 0.1  # so many of those that workers do are sent
LINES = (
    "needs:\n  - x{n}\n",
    "  o{n}: {{a: 1}}\n",
    "# {n}\n",
    "name: [\n",
    "id: {n}\n",
    "- {n}\n",
    "FF 1111 2222\n",
    "{n}: &a{n} *a{n}\n",
)
RUNS = (
    *SIGNS,
    "a\u0301",
    "\u0301",
    "\ud800",
    "\U0001f004",
    "\u200b",
    "\\u",
    '"',
    "\n \t",
    "{{",
    "]]",
    "kind: ",
    "@x,",
    "a/b",
)


@dataclass(frozen=True)
class LongInput:
    """A message of a page (without a path), or a request."""

    content: bytes
    path: str = ""
    method: str = ""


def long_inputs(seed: int) -> Iterator[LongInput]:
    """Always others, for ever; the same ones for a seed."""
    chance = Random(seed)
    talks = [json.loads(line) for text in messages() for line in text.split("\n")]
    requests = [one for one in asked_of_pages() if one[2] is not None]
    quick = [
        one for one in requests if not one[1].startswith(("/api/workshop", "/api/cards/", "/api/about", "/api/rule"))
    ]
    while True:
        if chance.random() < SMALL:
            yield LongInput(lengthened(chance.choice(talks), chance, MOST_MESSAGE))
        else:
            method, path, body = chance.choice(requests if chance.random() < RARE else quick)
            yield LongInput(lengthened(body, chance, MOST), path, method)


def lengthened(data: Any, chance: Random, most: int) -> bytes:
    """A message or a body, in which one value, or the name of one, is long; sometimes it is cut off."""
    size = int(LEAST * (most / LEAST) ** chance.random())
    found = deepcopy(data)
    holder, key = chance.choice([*places(found)])
    long = long_value(chance, size)
    if isinstance(holder, dict) and chance.random() < 0.1:
        holder[long_text(chance, size)] = holder.pop(key)
    else:
        holder[key] = holder[key] + long if isinstance(holder[key], str) and isinstance(long, str) else long
    content = json.dumps(found, ensure_ascii=chance.random() < 0.5).encode(errors="replace")
    return content[: most if chance.random() < 0.9 else chance.randrange(1, most)]


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in plain data: what holds it, and where."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, dict | list):
            yield from places(value)


def long_value(chance: Random, size: int) -> Any:
    """A text mostly; else many values, or deep ones, or a long number."""
    kind = chance.randrange(12)
    if kind == 0:
        return [chance.choice((1, "a", None, {}, [], 1.5))] * (size // 3)
    if kind == 1:
        return {f"k{number}": 1 for number in range(size // 9)}
    if kind == 2:
        deep: Any = 1
        for _ in range(min(size, 900)):
            deep = [deep]
        return deep
    if kind == 3:
        return int("9" * min(size, 4_000))
    return long_text(chance, size)


def long_text(chance: Random, size: int) -> str:
    """One line or sign again and again, or two of them by turns."""
    if chance.random() < 0.3:
        line = chance.choice(LINES)
        return "".join(line.format(n=number) for number in range(size // len(line) + 1))
    signs = "".join(chance.choices(RUNS, k=chance.choice((1, 1, 2, 3))))
    return signs * (size // len(signs.encode(errors="replace")) + 1)
