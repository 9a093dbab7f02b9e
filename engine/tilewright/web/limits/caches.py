"""Caches of results as bytes: by key, bounded in bytes. Who filled most of it loses their oldest results first, so that
nobody can empty it for others. Knows no result.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

OF_ONE = 4  # a result takes at most this part of a cache


class SharedCache:
    """`most`: bytes, with those of keys. Results are counted for whoever asked first, or nobody (None)."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.found: dict[object, tuple[bytes, object]] = {}
        self.keys: dict[object, OrderedDict[object, int]] = {}  # of each user, with sizes, oldest first
        self.sizes: Counter[object] = Counter()

    def get(self, key: object) -> bytes | None:
        if key not in self.found:
            return None
        content, who = self.found[key]
        self.keys[who].move_to_end(key)
        return content

    def put(self, key: object, content: bytes, who: object) -> None:
        self.drop(key)
        size = len(content) + len(repr(key))
        if size * OF_ONE > self.most:
            return
        self.found[key] = (content, who)
        self.keys.setdefault(who, OrderedDict())[key] = size
        self.sizes[who] += size
        while self.sizes.total() > self.most:
            most = max(self.sizes, key=self.sizes.__getitem__)
            self.drop(next(iter(self.keys[most])))

    def drop(self, key: object) -> None:
        if key not in self.found:
            return
        _, who = self.found.pop(key)
        self.sizes[who] -= self.keys[who].pop(key)
        if not self.keys[who]:
            del self.keys[who], self.sizes[who]


@dataclass(slots=True)
class Making:
    """A result that is being made, and how many wait for it."""

    task: "asyncio.Task[bytes]"
    waiting: int = 0


class MadeOnce:
    """A cache whose results are made once, however many ask meanwhile, and no longer once nobody waits any more."""

    def __init__(self, most: int) -> None:
        self.cache = SharedCache(most)
        self.making: dict[object, Making] = {}

    async def get(self, key: object, who: object, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """The result of the key, from the cache or a new one."""
        found = self.cache.get(key)
        if found is not None:
            return found
        if key not in self.making:
            self.making[key] = Making(asyncio.create_task(self.made(key, who, make)))
        making = self.making[key]
        making.waiting += 1
        try:
            return await asyncio.shield(making.task)
        finally:
            making.waiting -= 1
            if not making.waiting and self.making.get(key) is making:
                del self.making[key]
                making.task.cancel()

    async def made(self, key: object, who: object, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """Make a result, and cache it on success."""
        content = await make()
        self.cache.put(key, content, who)
        return content
