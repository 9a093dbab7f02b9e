"""A TCP proxy whose connections can be cut, delayed and silenced: before servers, between them, before a database."""

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

CHUNK = 65_536
Target = tuple[str, int] | Path  # an address, or the file of a socket


class Proxy:
    """`targets`: where a connection may go; the first that answers is taken. `delay`: seconds by which everything is
    late; `silent`: nothing passes, and nobody is told."""

    def __init__(self, name: str, targets: Callable[[], Sequence[Target]], seed: int) -> None:
        self.name, self.targets, self.chance = name, targets, random.Random(seed)
        self.delay, self.silent = 0.0, False
        self.writers: set[asyncio.StreamWriter] = set()
        self.server: asyncio.Server | None = None
        self.port = 0

    async def start(self) -> "Proxy":
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def stop(self) -> None:
        if self.server is not None:
            self.server.close()
        self.cut()

    def cut(self) -> int:
        """Break all connections. Returns how many there were."""
        count = len(self.writers) // 2
        for writer in self.writers:
            writer.transport.abort()
        return count

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            found = await self.reach()
            if found is None:
                writer.transport.abort()
                return
            there, towards = found
            both = {writer, towards}
            self.writers |= both
            try:
                await asyncio.gather(self.carry(reader, towards), self.carry(there, writer))
            finally:
                self.writers -= both
                for one in both:
                    one.transport.abort()

    async def reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """A connection to one of the targets."""
        targets = list(self.targets())
        self.chance.shuffle(targets)
        for target in targets:
            with suppress(OSError):
                if isinstance(target, Path):
                    return await asyncio.open_unix_connection(str(target))
                return await asyncio.open_connection(*target)
        return None

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Everything that comes, until one side ends; then the other side is told."""
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if not self.silent:
                    writer.write(data)
                    await writer.drain()
        writer.transport.abort()
