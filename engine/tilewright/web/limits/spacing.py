"""Spacing: pieces of work that take the event loop some hundredths of a second, one in each of its turns, so that many
of them at once do not add up. Knows no work.
"""

import asyncio

LEAST = 30_000  # bytes that are read at once without waiting


class Spacing:
    """Whoever waits goes on in a turn of the loop in which nobody else does."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()

    async def wait(self, size: int) -> None:
        """Wait to read so many bytes."""
        if size > LEAST:
            async with self.lock:
                await asyncio.sleep(0)
