"""Visits: other servers whose pages use tables here. See `relay` for what servers tell each other."""

import asyncio
import hmac
import logging
from contextlib import suppress

import msgspec
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tilewright.web.protocol import refusals
from tilewright.web.protocol.messages import Join, Leave, TableMessage
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import Client
from tilewright.web.relay import (
    PATH,
    PROTOCOL,
    TO_PLAYING,
    OutgoingLines,
    PageLeft,
    PageSays,
    RenamePerson,
    TableMoved,
    TellPage,
)
from tilewright.web.router import TableRouter
from tilewright.web.storage.rows import Person, StoreError
from tilewright.web.tables.inbox import ClientGone, ClientMessage

LOG = logging.getLogger("tilewright")
TRY_LATER = 1013  # a websocket code


class RemoteClient(Client):
    """A page that is connected to another server."""

    def __init__(self, visit: "VisitingServer", id: str, person: Person, lang: str) -> None:
        super().__init__(f"{visit.name}:{id}", person, lang)
        self.visit, self.there = visit, id
        self.secrets: dict[str, str] = {}

    def send_text(self, text: str) -> None:
        self.visit.lines.put(TellPage(self.there, text))

    def seat_secret(self, code: str) -> str:
        return self.secrets[code]

    def moved(self, code: str) -> None:
        self.joins.pop(code, None)
        self.visit.lines.put(TableMoved(self.there, code))


class VisitingServer:
    """Another server whose pages use tables here."""

    def __init__(self, router: TableRouter, name: str) -> None:
        self.router, self.name = router, name
        self.lines = OutgoingLines()
        self.pages: dict[str, RemoteClient] = {}

    async def receive(self, line: PageSays | PageLeft | RenamePerson) -> None:
        match line:
            case PageSays():
                page = self.page(line)
                page.secrets[line.message.table] = line.seat_secret
                await self.pass_on(page, line.message)
            case PageLeft():
                self.gone(line.client, line.table)
            case RenamePerson():
                await self.rename(line)

    async def rename(self, line: RenamePerson) -> None:
        try:
            await self.router.rename_person(Person(line.person, line.name, {}), line.name)
        except StoreError as error:
            LOG.warning("a person could not be renamed: %s", error)

    def page(self, line: PageSays) -> RemoteClient:
        person = Person(line.person, line.name, {})
        page = self.pages.get(line.client)
        if page is None:
            page = self.pages[line.client] = RemoteClient(self, line.client, person, line.lang)
            self.router.open(page)
        page.person, page.address = person, line.address
        return page

    async def pass_on(self, page: RemoteClient, message: TableMessage) -> None:
        """Pass a page's message to a table. A table that is not played here has moved."""
        try:
            actor = await self.router.tables.here(message.table, page)
            if actor is not None:
                actor.inbox.put_nowait(ClientMessage(page, message))
        except Refused as refused:
            page.refuse(refused, message.id, message.table)
            return
        except StoreError:
            page.refuse(refusals.went_wrong(), message.id, message.table)
            return
        if actor is None:
            page.moved(message.table)
            return
        if isinstance(message, Leave):
            page.joins.pop(message.table, None)
            self.forget_idle(page)
        else:
            page.joins.setdefault(message.table, Join(message.table))

    def gone(self, id: str, code: str) -> None:
        page = self.pages.get(id)
        if page is None:
            return
        page.joins.pop(code, None)
        if actor := self.router.tables.owned.get(code):
            actor.inbox.put_nowait(ClientGone(page))
        self.forget_idle(page)

    def forget_idle(self, page: RemoteClient) -> None:
        """Drop a page that uses no table here any more."""
        if not page.joins and self.pages.pop(page.there, None) is not None:
            self.router.close(page)

    def end(self) -> None:
        """The other server is gone."""
        for page in self.pages.values():
            self.router.close(page)


async def visited(websocket: WebSocket) -> None:
    """Another server connects, with the secret of this one."""
    router: TableRouter = websocket.app.state.router
    if not hmac.compare_digest(websocket.headers.get("authorization", "").encode(), f"Bearer {router.secret}".encode()):
        await websocket.close(4403)
        return
    if PROTOCOL not in websocket.scope["subprotocols"]:
        await websocket.accept()  # without it, which the other server can tell from a wrong secret
        await websocket.close(1002)
        return
    await websocket.accept(subprotocol=PROTOCOL)
    visit = VisitingServer(router, router.new_name())
    sending = asyncio.create_task(send_lines(websocket, visit))
    try:
        while True:
            await visit.receive(TO_PLAYING.decode(await websocket.receive_bytes()))
    except WebSocketDisconnect:
        LOG.info("another server went")
    except (msgspec.MsgspecError, KeyError) as error:
        LOG.warning("another server sends an invalid line: %s", error)
        await websocket.close(1003)
    finally:
        sending.cancel()
        visit.end()


async def send_lines(websocket: WebSocket, visit: VisitingServer) -> None:
    """Send lines; a server that does not read them is cut off."""
    with suppress(WebSocketDisconnect, RuntimeError):  # it has gone: the reading side notices, too
        await visit.lines.send(websocket.send_bytes)
        await websocket.close(TRY_LATER)


ROUTES: list[BaseRoute] = [WebSocketRoute(PATH, visited)]
