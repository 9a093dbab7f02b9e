"""Sockets: one for each open page. In: texts from anyone. Out: messages of known people, bounded in rate and size, to
the router, and the replies back.

Knows no table: the router handles the messages.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from sys import getsizeof
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tilewright.base.version import __version__
from tilewright.web.connections import CONNECTION
from tilewright.web.http import until_gone
from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import AddressCounts, Bucket, HeldBytes, MessageRates, Spacing, address_of
from tilewright.web.protocol.messages import VERSION, Heading, Hello, Make, Message, heading_of, message_of
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import Bye, Client, Welcome, error_of, keyed
from tilewright.web.protocol.settings import Settings
from tilewright.web.protocol.shape import json_text
from tilewright.web.router import TableRouter
from tilewright.web.storage.rows import Person, StoreError
from tilewright.web.storage.store import Store

LOG = logging.getLogger("tilewright")
SECONDS_TO_GREET = 20.0
SECONDS_TO_LEAVE = 5.0
COSTS = {"make": 10.0, "join": 2.0, "lobby": 3.0, "rename": 3.0, "again": 2.0}  # messages that one counts as, besides
STRIKES = 0.1  # a second that are forgiven
BYTES_OF_STRIKE = 16_000
SECONDS_TO_CALM = 0.3
MOST_WRONG = 10  # messages before hello
TRY_LATER, BANNED = 1013, 1008  # websocket codes


class PageConnection(Client):
    """A page that is connected here. Messages to it wait in a queue that is bounded, alone and with those of others;
    `abort` closes its connection at once."""

    def __init__(
        self, router: TableRouter, key: str, person: Person, lang: str, held: HeldBytes, abort: Callable[[], None]
    ) -> None:
        super().__init__(router.new_name(), person, lang)
        self.router, self.key, self.held, self.abort = router, key, held, abort
        self.most = router.settings.limits.waiting
        self.texts: asyncio.Queue[str | None] = asyncio.Queue()
        self.waiting, self.given_up = 0, False

    def send_text(self, text: str) -> None:
        if self.given_up:
            return
        if self.waiting > self.most:
            self.held.forget(self)
            self.give_up()
            return
        self.texts.put_nowait(text)
        self.count(getsizeof(text))

    def count(self, size: int) -> None:
        """So many bytes more, or less, are waiting."""
        self.waiting += size
        self.held.hold(self, self.waiting)

    def give_up(self) -> None:
        """Close a page that does not read, and forget what it was to be sent."""
        self.given_up, self.waiting = True, 0
        self.texts = asyncio.Queue()
        self.abort()

    def send_away(self) -> None:
        """Close the connection, once what waits is sent: the page connects again."""
        self.texts.put_nowait(None)

    def dismiss(self, reason: str) -> None:
        self.send(Bye(reason))
        self.texts.put_nowait(None)

    @property
    def queued_bytes(self) -> int:
        return self.waiting

    def seat_secret(self, code: str) -> str:
        return keyed(self.key, f"table {code}")

    def moved(self, code: str) -> None:
        self.router.moved(self, code, self.send_away)

    async def deliver(self, websocket: WebSocket) -> None:
        """Send queued messages, until there will be no more."""
        with suppress(WebSocketDisconnect, RuntimeError):  # it has gone: the reading side notices, too
            while not self.given_up and (text := await self.texts.get()) is not None:
                await websocket.send_text(text)
                if not self.given_up:
                    self.count(-getsizeof(text))
            await websocket.close(TRY_LATER)

    def end(self) -> None:
        """The page has gone."""
        self.given_up = True
        self.held.forget(self)


class Connection:
    """The messages of one socket, handled one after another."""

    def __init__(self, websocket: WebSocket) -> None:
        state = websocket.app.state
        self.websocket, self.address = websocket, address_of(websocket.scope)
        self.settings: Settings = state.settings
        self.router: TableRouter = state.router
        self.store: Store = state.store
        self.held: HeldBytes = state.waiting
        self.rates: MessageRates = state.rates
        self.reading: Spacing = state.reading
        limits = self.settings.limits
        self.bucket = Bucket(limits.rate, limits.burst)
        self.bytes = Bucket(limits.bytes, limits.bytes_burst)
        self.strikes = Bucket(STRIKES, limits.strikes)
        self.wrong = 0  # before it has said hello
        self.page: PageConnection | None = None
        self.delivering: asyncio.Task[None] | None = None

    async def run(self) -> None:
        await self.websocket.accept()
        try:
            if self.router.bans.has_address(self.address):
                await self.refuse(refusals.banned(), Heading())
                await self.websocket.close(BANNED)
                return
            await self.greet()
            while await self.hear():
                pass
            await self.leave("too-fast")
        except (WebSocketDisconnect, ClientDisconnect, TimeoutError):
            pass
        finally:
            if self.delivering is not None:
                self.delivering.cancel()
            if self.page is not None:
                self.page.end()
                self.router.close(self.page)

    async def greet(self) -> None:
        """Read the first message, which identifies the person."""
        async with asyncio.timeout(SECONDS_TO_GREET):
            while self.page is None:
                await self.hear()

    async def hear(self) -> bool:
        """Read a message and handle it; any error is sent back. Returns whether the connection may go on; who was too
        fast is heard again after a while."""
        text = await self.receive()
        heading = Heading()
        try:
            data = self.bounded(text)
            await self.reading.wait(len(data))
            heading = heading_of(data)
            self.check(heading, len(data))
            message = message_of(heading, data)
            self.pay(COSTS.get(message.say, 0.0))
            await self.do(message)
        except Refused as refused:
            await self.refuse(refused, heading)
            if refused.code in ("too-fast", "too-large"):
                await asyncio.sleep(SECONDS_TO_CALM)
            return self.strikes.take(strikes_of(refused, len(text)))
        except StoreError as error:
            LOG.warning("the database fails: %s", error)
            await self.refuse(refusals.went_wrong(), heading)
        return True

    async def receive(self) -> str | bytes:
        """The next message. Raises WebSocketDisconnect."""
        event = await self.websocket.receive()
        if event["type"] != "websocket.receive":
            raise WebSocketDisconnect(event.get("code", 1000))
        return event.get("text") or event.get("bytes") or ""

    def bounded(self, text: str | bytes) -> bytes:
        """The bytes of a message, counted before anything is made of them. Raises Refused."""
        limits = self.settings.limits
        if isinstance(text, bytes):
            raise refusals.bad_message("server.not_text")
        data = text.encode()
        if len(data) > (limits.message if self.page is None else limits.make):
            raise refusals.too_large(limits.message)
        if not self.bytes.take(len(data)) or not self.rates.take_bytes(self.address, len(data)):
            raise refusals.too_fast()
        return data

    def check(self, heading: Heading, size: int) -> None:
        """A message of this kind may be so large, and may come now. Raises Refused."""
        if size > self.settings.limits.message and heading.say != "make":
            raise refusals.too_large(self.settings.limits.message)
        self.pay(1.0)

    def pay(self, cost: float) -> None:
        """Count so many messages for the connection, its person and its address. Raises Refused."""
        person = None if self.page is None else self.page.person.id
        if not self.bucket.take(cost) or not self.rates.take(person, self.address, cost):
            raise refusals.too_fast()

    async def do(self, message: Message) -> None:
        """Raises Refused; ClientDisconnect where a page has gone before its table was made."""
        if isinstance(message, Make) and self.page is not None:
            gone: asyncio.Event = self.websocket.scope["extensions"][CONNECTION]["gone"]
            await until_gone(self.router.handle(self.page, message), gone.wait())
        elif self.page is not None:
            await self.router.handle(self.page, message)
        elif isinstance(message, Hello):
            await self.know(message)
        else:
            raise refusals.hello_first()

    async def know(self, message: Hello) -> None:
        """Tell a new page who its person is."""
        key = message.key or secrets.token_urlsafe(32)
        person = await self.store.person_by_key(key) or await self.new_person(key, message.name or "")
        if self.router.bans.has_person(person.id):
            raise refusals.banned()
        if message.name and not person.name:
            person = await self.store.update_person(person.id, name=message.name)
        limits = self.settings.limits
        abort = self.websocket.scope["extensions"][CONNECTION]["abort"]
        self.page = PageConnection(self.router, key, person, message.lang, self.held, abort)
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

    async def refuse(self, refused: Refused, heading: Heading) -> None:
        text = json_text(error_of(refused, heading.id_given, heading.table_given))
        if self.page is None:
            self.wrong += 1
            if self.wrong >= MOST_WRONG:
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


def strikes_of(refused: Refused, size: int) -> int:
    """How much a refusal counts against a connection: more for large messages, since they cost more."""
    if refused.code not in ("too-fast", "too-large", "bad-message"):
        return 0
    return (refused.code != "bad-message") + size // BYTES_OF_STRIKE


# --- who may connect


async def connected(websocket: WebSocket) -> None:
    """Accept a page; refuse pages of other sites, and too many from one address."""
    counts: AddressCounts = websocket.app.state.connections
    address = address_of(websocket.scope)
    settings: Settings = websocket.app.state.settings
    rates: MessageRates = websocket.app.state.rates
    if not is_own_page(websocket) or is_too_many(settings, counts, address) or not rates.take_connection(address):
        await websocket.close(1008)
        return
    counts.enter(address)
    try:
        await Connection(websocket).run()
    finally:
        counts.leave(address)


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


def is_too_many(settings: Settings, counts: AddressCounts, address: str) -> bool:
    limits = settings.limits
    has_room = not settings.public or counts.has_room(address, limits.per_address)
    return counts.total >= limits.connections or not has_room


ROUTES: list[BaseRoute] = [WebSocketRoute("/socket", connected)]
