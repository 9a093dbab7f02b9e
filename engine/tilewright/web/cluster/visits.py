"""Visits: other servers that have pages of their own look at tables here. See `relay` for the lines between servers."""

import asyncio
import hmac
import json
import logging
from collections.abc import Mapping
from typing import Any

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tilewright.web.cluster.relay import PATH
from tilewright.web.cluster.router import TableRouter
from tilewright.web.protocol import refusals
from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import AtTable, Join, Leave, message_of
from tilewright.web.protocol.refusals import Refused
from tilewright.web.storage import Person, StoreError
from tilewright.web.tables.inbox import Gone, Said

Plain = dict[str, Any]
LOG = logging.getLogger("tilewright")


class Far(Client):
    """A page that is connected to another server."""

    def __init__(self, visit: "Visit", id: str, person: Person, lang: str) -> None:
        super().__init__(f"{visit.name}:{id}", person, lang)
        self.visit, self.there = visit, id
        self.secrets: dict[str, str] = {}

    def send(self, text: str) -> None:
        self.visit.lines.put_nowait({"do": "tell", "client": self.there, "text": text})

    def seat_secret(self, code: str) -> str:
        return self.secrets[code]

    def moved(self, code: str) -> None:
        self.joins.pop(code, None)
        self.visit.lines.put_nowait({"do": "moved", "client": self.there, "table": code})


class Visit:
    """Another server that has pages of its own look at tables here."""

    def __init__(self, router: TableRouter, name: str) -> None:
        self.router, self.name = router, name
        self.lines: asyncio.Queue[Plain] = asyncio.Queue()
        self.pages: dict[str, Far] = {}

    async def receive(self, line: Mapping[str, Any]) -> None:
        match line["do"]:
            case "say":
                page = self.page(line)
                page.secrets[line["message"]["table"]] = line["seat_secret"]
                await self.say(page, line["message"])
            case "gone":
                self.gone(line["client"], line["table"])
            case "call":
                await self.router.rename_person(Person(line["person"], line["name"], {}), line["name"])

    def page(self, line: Mapping[str, Any]) -> Far:
        person = Person(line["person"], line["name"], {})
        page = self.pages.get(line["client"])
        if page is None:
            page = self.pages[line["client"]] = Far(self, line["client"], person, line["lang"])
            self.router.open(page)
        page.person, page.address = person, str(line.get("address", ""))
        return page

    async def say(self, page: Far, found: Plain) -> None:
        """What a page says to a table. One that is not played here has moved."""
        message = message_of(found)
        assert isinstance(message, AtTable)
        try:
            live = await self.router.tables.here(message.table, page)
        except Refused as refused:
            page.refuse(refused, message.id, message.table)
            return
        except StoreError:
            page.refuse(refusals.went_wrong(), message.id, message.table)
            return
        if live is None:
            page.moved(message.table)
            return
        live.inbox.put_nowait(Said(page, message))
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
        if live := self.router.tables.owned.get(code):
            live.inbox.put_nowait(Gone(page))
        self.forget_idle(page)

    def forget_idle(self, page: Far) -> None:
        """A page that looks at no table here any more."""
        if not page.joins and self.pages.pop(page.there, None) is not None:
            self.router.close(page)

    def end(self) -> None:
        """The other server is gone."""
        for page in self.pages.values():
            self.router.close(page)


async def visited(websocket: WebSocket) -> None:
    """Another server comes, with the secret of this one."""
    router: TableRouter = websocket.app.state.router
    if not hmac.compare_digest(websocket.headers.get("authorization", "").encode(), f"Bearer {router.secret}".encode()):
        await websocket.close(4403)
        return
    await websocket.accept()
    visit = Visit(router, router.new_name())
    sending = asyncio.create_task(send_lines(websocket, visit))
    try:
        while True:
            await visit.receive(json.loads(await websocket.receive_text()))
    except WebSocketDisconnect:
        LOG.info("another server went")
    finally:
        sending.cancel()
        visit.end()


async def send_lines(websocket: WebSocket, visit: Visit) -> None:
    while True:
        line = await visit.lines.get()
        await websocket.send_text(json.dumps(line, separators=(",", ":")))


ROUTES: list[BaseRoute] = [WebSocketRoute(PATH, visited)]
