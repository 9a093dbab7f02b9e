"""Sockets: one for each open page. In: texts from anyone. Out: messages of known people, bounded in rate and size, to
the router, and the replies back.

Knows no table: the router handles the messages.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tilewright.base.version import __version__
from tilewright.web.cluster.router import TableRouter
from tilewright.web.protocol import refusals
from tilewright.web.protocol.client import Client, keyed
from tilewright.web.protocol.messages import VERSION, Hello, Make, id_given, message_of
from tilewright.web.protocol.rates import Bucket, address_of
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import Bye, Welcome, error_of
from tilewright.web.protocol.settings import Limits, Settings
from tilewright.web.protocol.strict_json import json_text, read_object
from tilewright.web.storage import Person, Store, StoreError

LOG = logging.getLogger("tilewright")
SECONDS_TO_GREET = 20.0
SECONDS_TO_LEAVE = 5.0
COST_OF_TABLE = 10.0  # messages
TRY_LATER, BANNED = 1013, 1008  # websocket codes


class PageConnection(Client):
    """A page that is connected here. Messages to it wait in a bounded queue."""

    def __init__(self, router: TableRouter, key: str, person: Person, lang: str, limits: Limits) -> None:
        super().__init__(router.new_name(), person, lang)
        self.router, self.key, self.limits = router, key, limits
        self.texts: asyncio.Queue[str | None] = asyncio.Queue()
        self.waiting, self.given_up = 0, False

    def send_text(self, text: str) -> None:
        if self.waiting > self.limits.waiting:
            if not self.given_up:
                self.given_up = True
                self.texts.put_nowait(None)
            return
        self.waiting += len(text)
        self.texts.put_nowait(text)

    def dismiss(self, reason: str) -> None:
        self.send(Bye(reason))
        self.texts.put_nowait(None)

    @property
    def queued_bytes(self) -> int:
        return self.waiting

    def seat_secret(self, code: str) -> str:
        return keyed(self.key, f"table {code}")

    def moved(self, code: str) -> None:
        self.router.moved(self, code)

    async def deliver(self, websocket: WebSocket) -> None:
        """Send queued messages; a page that does not read them is closed."""
        with suppress(WebSocketDisconnect, RuntimeError):  # it has gone: the reading side notices, too
            while (text := await self.texts.get()) is not None:
                await websocket.send_text(text)
                self.waiting -= len(text)
            await websocket.close(TRY_LATER)


class Connection:
    """The messages of one socket, handled one after another."""

    def __init__(self, websocket: WebSocket) -> None:
        state = websocket.app.state
        self.websocket, self.address = websocket, address_of(websocket.scope)
        self.settings: Settings = state.settings
        self.router: TableRouter = state.router
        self.store: Store = state.store
        limits = self.settings.limits
        self.bucket = Bucket(limits.rate, limits.burst)
        self.strikes = 0
        self.page: PageConnection | None = None
        self.delivering: asyncio.Task[None] | None = None

    async def run(self) -> None:
        await self.websocket.accept()
        try:
            if self.router.bans.has_address(self.address):
                await self.refuse(refusals.banned(), {})
                await self.websocket.close(BANNED)
                return
            await self.greet()
            while self.strikes < self.settings.limits.strikes:
                await self.hear()
            await self.leave("too-fast")
        except (WebSocketDisconnect, TimeoutError):
            pass
        finally:
            if self.delivering is not None:
                self.delivering.cancel()
            if self.page is not None:
                self.router.close(self.page)

    async def greet(self) -> None:
        """Read the first message, which identifies the person."""
        async with asyncio.timeout(SECONDS_TO_GREET):
            while self.page is None:
                await self.hear()

    async def hear(self) -> None:
        """Read a message and handle it; any error is sent back."""
        text = await self.receive()
        found: Mapping[str, Any] = {}
        try:
            self.check_size(text)
            found = read_object(text)
            if not self.bucket.take():
                raise refusals.too_fast()
            await self.do(dict(found), len(text))
        except Refused as refused:
            self.strikes += refused.code in ("too-fast", "too-large")
            await self.refuse(refused, found)
        except StoreError as error:
            LOG.warning("the database fails: %s", error)
            await self.refuse(refusals.went_wrong(), found)

    async def receive(self) -> str | bytes:
        """The next message. Raises WebSocketDisconnect."""
        event = await self.websocket.receive()
        if event["type"] != "websocket.receive":
            raise WebSocketDisconnect(event.get("code", 1000))
        return event.get("text") or event.get("bytes") or ""

    def check_size(self, text: str | bytes) -> None:
        """Raises Refused."""
        limits = self.settings.limits
        if len(text) > limits.message and (len(text) > limits.make or self.page is None or not self.bucket.take()):
            raise refusals.too_large(limits.message)
        if isinstance(text, bytes):
            raise refusals.bad_message("server.not_text")

    async def do(self, found: dict[str, Any], size: int) -> None:
        """Raises Refused."""
        if size > self.settings.limits.message and found.get("say") != "make":
            raise refusals.too_large(self.settings.limits.message)
        message = message_of(found)
        if self.page is None:
            if not isinstance(message, Hello):
                raise refusals.hello_first()
            await self.know(message)
            return
        if isinstance(message, Make) and not self.bucket.take(COST_OF_TABLE):
            raise refusals.too_fast()
        await self.router.handle(self.page, message)

    async def know(self, message: Hello) -> None:
        """Tell a new page who its person is."""
        key = message.key or secrets.token_urlsafe(32)
        person = await self.store.person_by_key(key) or await self.new_person(key, message.name or "")
        if self.router.bans.has_person(person.id):
            raise refusals.banned()
        if message.name and not person.name:
            person = await self.store.update_person(person.id, name=message.name)
        limits = self.settings.limits
        self.page = PageConnection(self.router, key, person, message.lang, limits)
        self.page.address = self.address
        self.router.open(self.page)
        bounds = {name: getattr(limits, name) for name in ("message", "make", "rate", "burst", "tables")}
        welcome = Welcome(VERSION, key, __version__, {"name": person.name}, bounds, id=message.id)
        await self.websocket.send_text(json_text(welcome))
        self.delivering = asyncio.create_task(self.page.deliver(self.websocket))

    async def new_person(self, key: str, name: str) -> Person:
        """Raises Refused if too many come from one address."""
        if self.settings.public and not self.router.newcomers.take(self.address):
            raise refusals.too_many("server.newcomers")
        return await self.store.new_person(key, name)

    async def refuse(self, refused: Refused, found: Mapping[str, Any]) -> None:
        table = found.get("table")
        text = json_text(error_of(refused, id_given(found), table[:16] if isinstance(table, str) else None))
        if self.page is None:
            self.strikes += 1
            if self.strikes >= 10:
                raise WebSocketDisconnect(1008)
            await self.websocket.send_text(text)
        else:
            self.page.send_text(text)

    async def leave(self, reason: str) -> None:
        """Send the reason, and close."""
        assert self.page is not None and self.delivering is not None
        self.page.dismiss(reason)
        async with asyncio.timeout(SECONDS_TO_LEAVE):
            await self.delivering


# --- who may connect


async def connected(websocket: WebSocket) -> None:
    """Accept a page; refuse pages of other sites, and too many from one address."""
    counts: Counter[str] = websocket.app.state.connections
    address = address_of(websocket.scope)
    if not is_own_page(websocket) or is_too_many(websocket.app.state.settings, counts, address):
        await websocket.close(1008)
        return
    counts[address] += 1
    try:
        await Connection(websocket).run()
    finally:
        counts[address] -= 1
        if not counts[address]:
            del counts[address]


def is_own_page(websocket: WebSocket) -> bool:
    """Whether the page is of this server, according to the browser; programs send no origin. Ports are ignored, since a
    proxy may drop them."""
    origin = websocket.headers.get("origin")
    return origin is None or hostname(origin) == hostname(f"//{websocket.headers.get('host', '')}")


def hostname(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def is_too_many(settings: Settings, counts: Counter[str], address: str) -> bool:
    limits = settings.limits
    return counts.total() >= limits.connections or (settings.public and counts[address] >= limits.per_address)


ROUTES: list[BaseRoute] = [WebSocketRoute("/socket", connected)]
