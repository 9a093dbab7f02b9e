"""An attacker: somebody at one address, with or without pages; and what declares an attack."""

import asyncio
import importlib
import json
import pkgutil
import socket
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

Plain = dict[str, Any]
FAILURES = (OSError, WebSocketException, EOFError, TimeoutError, ValueError, KeyError)
PATIENCE = 60.0  # seconds for an answer
PAUSE, PAUSE_THROWN_OUT = 0.02, 0.5  # seconds before an attack is done again
Doing = Callable[["Attacker"], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class Attack:
    """What is done, and by how many at one address."""

    do: Doing
    each: int

    @property
    def name(self) -> str:
        return str(self.do.__name__)

    @property
    def says(self) -> str:
        return str(self.do.__doc__).partition("\n")[0]


ATTACKS: dict[str, Attack] = {}


def attack(each: int = 4) -> Callable[[Doing], Doing]:
    """Declares an attack."""

    def declared(do: Doing) -> Doing:
        ATTACKS[do.__name__] = Attack(do, each)
        return do

    return declared


def all_attacks() -> dict[str, Attack]:
    """Those of every module beside this one, by name."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"attacks.{module.name}")
    return ATTACKS


class Attacker:
    """Somebody at one address. `code`: a table that everybody may watch; `done`: what was sent, and the statuses of
    answers; `memory`: what an attack keeps from one time to the next."""

    def __init__(self, url: str, address: str, code: str, done: "Counter[str]") -> None:
        self.url, self.address, self.code, self.done = url, address, code, done
        self.key, self.first = "", asyncio.Lock()
        self.memory: Plain = {}
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 0

    def next(self) -> int:
        """A number that was not used before at this address."""
        self.memory["number"] = self.memory.get("number", 0) + 1
        return int(self.memory["number"])

    # --- requests

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> int:
        """The status of the answer to a whole request of a known person. A `body` that is no bytes is sent as JSON.
        Raises ConnectionError if there is no answer."""
        return (await self.answered(method, path, body, **headers))[0]

    async def answered(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """The same, with the content."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        reader, writer = await self.send(f"{method} {path} HTTP/1.1", content, len(content), *lines)
        try:
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
        finally:
            writer.close()
        if not answer:
            raise ConnectionError
        status = int(answer.split(b" ", 2)[1])
        self.done[str(status)] += 1
        return status, answer.partition(b"\r\n\r\n")[2]

    async def send(
        self, first: str, body: bytes, length: int, *lines: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A request with a body that may be shorter than it says; nobody waits for the answer."""
        reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=(self.address, 0))
        own = (f"Host: {self.host}:{self.port}", f"Authorization: Bearer {self.key}", "Connection: close")
        head = (first, *own, f"Content-Length: {length}", *lines, "", "")
        writer.write("\r\n".join(head).encode() + body)
        await writer.drain()
        return reader, writer

    # --- pages

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

    async def say_again_and_again(self, pause: float, *texts: str) -> None:
        """One page that says these in turn, until it is thrown out."""
        async with await self.page() as page:
            reading = asyncio.create_task(read_all(page))
            try:
                for number in range(10_000):
                    await page.send(texts[number % len(texts)])
                    self.done["messages"] += 1
                    await asyncio.sleep(pause)
            finally:
                reading.cancel()

    async def silent_socket(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A page that reads as little as possible, and has said hello."""
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        sock.setblocking(False)
        sock.bind((self.address, 0))
        await asyncio.get_running_loop().sock_connect(sock, (self.host, self.port))
        reader, writer = await asyncio.open_connection(sock=sock, limit=1_000)
        lines = ("GET /socket HTTP/1.1", f"Host: {self.host}", "Upgrade: websocket", "Connection: Upgrade")
        key = ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "")
        writer.write("\r\n".join((*lines, *key)).encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame('{"say": "hello", "v": 2}'))
        return reader, writer

    # --- again and again

    async def attack(self, attack: Attack) -> None:
        """Do it for ever; whoever is thrown out comes back."""
        while True:
            try:
                async with self.first:
                    if not self.key:
                        await (await self.page()).close()
                await attack.do(self)
                self.done[attack.name] += 1
                await asyncio.sleep(PAUSE)
            except Exception as error:  # whatever it was: a client that fails is no success of the server
                self.done[f"thrown out: {type(error).__name__}"] += 1
                await asyncio.sleep(PAUSE_THROWN_OUT)


def frame(text: str) -> bytes:
    """A short text as a frame of a client, masked with nothing."""
    data = text.encode()
    assert len(data) < 126
    return bytes((0x81, 0x80 | len(data), 0, 0, 0, 0)) + data


async def read_all(page: ClientConnection) -> None:
    with suppress(*FAILURES):
        async for _ in page:
            pass
