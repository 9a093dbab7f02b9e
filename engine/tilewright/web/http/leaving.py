"""Leaving: work for a client ends when the client has gone. Knows no work."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

T = TypeVar("T")


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work for a request whose body has been read. Raises ClientDisconnect."""
    return await until_gone(work, disconnected(request))


async def disconnected(request: Request) -> None:
    """Returns once the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def until_gone(work: Coroutine[Any, Any, T], gone: Coroutine[Any, Any, object]) -> T:
    """The result of some work, which ends when the client has gone. Raises ClientDisconnect."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(gone)
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
