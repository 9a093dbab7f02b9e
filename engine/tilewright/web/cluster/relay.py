"""Relay: pages whose table another server plays. Their messages go to that server through one socket between the two,
and what they are told comes back through it.

The way to a server, with the secret that opens it, is in the database; nobody else has either. A line says what it is
for:

    say {client, person, name, lang, address, seat_secret, message}   gone {client, table}   call {person, name}
    tell {client, text}   moved {client, table}
"""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import AtTable, Join, Leave, as_json
from tilewright.web.storage import Owner

Plain = dict[str, Any]
LOG = logging.getLogger("tilewright")
PATH = "/internal/relay"
SECONDS = 5.0  # to reach another server
MOST = 16_000_000  # bytes of a line: only servers speak here


class Link:
    """The socket to another server, and the pages that look through it."""

    def __init__(self, relay: "Relay", worker: str, connection: ClientConnection) -> None:
        self.relay, self.worker, self.connection = relay, worker, connection
        self.lines: asyncio.Queue[Plain] = asyncio.Queue()
        self.clients: dict[str, Client] = {}
        self.looking: set[tuple[str, str]] = set()  # (page, table)

    def put(self, client: Client, message: AtTable) -> None:
        """A page says something to a table there."""
        at = (client.id, message.table)
        if isinstance(message, Join):
            self.clients[client.id] = client
            self.looking.add(at)
        elif isinstance(message, Leave):
            self.looking.discard(at)
        person = client.person
        who = {"client": client.id, "person": person.id, "name": person.name, "lang": client.lang}
        who["address"] = client.address
        secret = client.seat_secret(message.table)
        self.lines.put_nowait({"do": "say", **who, "seat_secret": secret, "message": as_json(message)})

    def gone(self, client: Client, code: str) -> None:
        """A page does not look at a table any more."""
        if (client.id, code) in self.looking:
            self.looking.discard((client.id, code))
            self.lines.put_nowait({"do": "gone", "client": client.id, "table": code})
        if not any(id == client.id for id, _ in self.looking):
            self.clients.pop(client.id, None)

    def call(self, person: int, name: str) -> None:
        self.lines.put_nowait({"do": "call", "person": person, "name": name})

    async def run(self) -> None:
        """Carry lines both ways until the socket is lost; then the pages look elsewhere."""
        sending = asyncio.create_task(self.send())
        try:
            async for line in self.connection:
                self.receive(json.loads(line))
        except (WebSocketException, OSError) as error:
            LOG.info("the way to server %s is lost: %s", self.worker, error)
        finally:
            sending.cancel()
            self.relay.lost(self)
            for id, code in list(self.looking):
                self.clients[id].moved(code)

    async def send(self) -> None:
        while True:
            line = await self.lines.get()
            await self.connection.send(json.dumps(line, separators=(",", ":")))

    def receive(self, line: Plain) -> None:
        client = self.clients.get(line["client"])
        if client is None:
            return
        if line["do"] == "tell":
            client.send(line["text"])
        elif (client.id, line["table"]) in self.looking:
            self.looking.discard((client.id, line["table"]))
            client.moved(line["table"])


class Relay:
    """The ways to other servers, by worker."""

    def __init__(self, run_beside: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self.run_beside = run_beside
        self.links: dict[str, Link] = {}
        self.opening = asyncio.Lock()

    async def link(self, owner: Owner) -> Link | None:
        """The way to a server; None where it does not answer."""
        async with self.opening:
            return self.links.get(owner.worker) or await self.open(owner)

    async def open(self, owner: Owner) -> Link | None:
        address, _, secret = owner.address.partition("#")
        url = address.replace("http", "ws", 1) + PATH
        headers = {"Authorization": f"Bearer {secret}"}
        try:
            connection = await connect(
                url, additional_headers=headers, max_size=MOST, compression=None, open_timeout=SECONDS, proxy=None
            )
        except (WebSocketException, OSError, TimeoutError, ValueError) as error:
            LOG.info("server %s is not reached: %s", owner.worker, error)
            return None
        link = self.links[owner.worker] = Link(self, owner.worker, connection)
        self.run_beside(link.run())
        return link

    def lost(self, link: Link) -> None:
        if self.links.get(link.worker) is link:
            del self.links[link.worker]

    def gone(self, client: Client, code: str) -> None:
        for link in self.links.values():
            link.gone(client, code)

    def forget(self, client: Client) -> None:
        """A page is not told anything any more."""
        for link in self.links.values():
            link.clients.pop(client.id, None)

    def link_of(self, client: Client, code: str) -> Link | None:
        return next((link for link in self.links.values() if (client.id, code) in link.looking), None)

    async def close(self) -> None:
        for link in list(self.links.values()):
            await link.connection.close()
