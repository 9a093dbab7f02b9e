"""Several servers on one database: what is said between them is bounded, and no server waits for one that is gone."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from processes import HANGS
from test_web_registry import ALONE, SPEC, running, taken_over
from web_client import Page, Refusal, page
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from tilewright.web import relay as lines
from tilewright.web.protocol.messages import Answer, Join
from tilewright.web.protocol.replies import Client
from tilewright.web.relay import PATH, PROTOCOL, OtherVersion, OutgoingLines, Relay, RelayLine, TellPage
from tilewright.web.router import TableRouter
from tilewright.web.storage.rows import Owner, Person

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
Serves = Callable[[ServerConnection], Awaitable[None]]


class Remembering(Client):
    """A page that remembers what it was told."""

    def __init__(self) -> None:
        super().__init__("1", Person(1, "Ann", {}), "en")
        self.moves: list[str] = []

    def send_text(self, text: str) -> None:
        raise AssertionError(text)

    def seat_secret(self, code: str) -> str:
        return "secret"

    def moved(self, code: str) -> None:
        self.moves.append(code)


@asynccontextmanager
async def other_server(does: Serves, *protocols: str) -> AsyncIterator[Owner]:
    """A server that is none of ours, as the database has it."""
    known = [Subprotocol(one) for one in protocols] or None
    async with serve(does, "127.0.0.1", 0, subprotocols=known) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield Owner("other", f"http://127.0.0.1:{port}#secret")


@asynccontextmanager
async def relaying() -> AsyncIterator[Relay]:
    tasks: list[asyncio.Task[None]] = []
    relay = Relay(lambda doing: tasks.append(asyncio.create_task(doing)))
    yield relay
    await relay.close()
    async with asyncio.timeout(HANGS):
        await asyncio.gather(*tasks)


# --- lines


async def test_what_waits_for_a_server_that_does_not_read_is_bounded() -> None:
    done = asyncio.Event()

    async def read_nothing(connection: ServerConnection) -> None:
        connection.transport.pause_reading()
        await done.wait()
        connection.transport.abort()

    client = Remembering()
    async with relaying() as relay, other_server(read_nothing, PROTOCOL) as owner:
        link = await relay.link(owner)
        assert link is not None
        link.put(client, Join("KDMWQ"))
        for _ in range(3_000):
            link.put(client, Answer("KDMWQ", 1, {"move": "x" * 16_000}))
        assert link.lines.waiting < lines.MOST_WAITING + 20_000
        async with asyncio.timeout(HANGS):
            while not client.moves:
                await asyncio.sleep(0.05)
        assert (client.moves, relay.links) == (["KDMWQ"], {})
        done.set()


async def test_lines_are_sent_in_order_until_too_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_WAITING", 1_000)
    outgoing, sent = OutgoingLines(), list[RelayLine]()

    async def send(packed: bytes) -> None:
        sent.append(lines.TO_PAGES.decode(packed))

    for number in range(1_000):
        outgoing.put(TellPage("1", str(number)))
    await asyncio.wait_for(outgoing.send(send), HANGS)
    assert sent == [TellPage("1", str(number)) for number in range(len(sent))]
    assert 10 < len(sent) < 100


def test_the_name_of_the_lines_follows_from_their_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lines.protocol() == PROTOCOL
    monkeypatch.setattr(lines, "ToPages", TellPage)
    assert lines.protocol() != PROTOCOL
    assert lines.shape_of({"a": [{"description": "x", "type": "b"}]}) == {"a": [{"type": "b"}]}


# --- links


async def test_a_page_that_has_gone_does_not_hear_of_a_lost_link() -> None:
    async def leave(connection: ServerConnection) -> None:
        await connection.recv()

    gone, there = Remembering(), Remembering()
    there.id = "2"
    async with relaying() as relay, other_server(leave, PROTOCOL) as owner:
        link = await relay.link(owner)
        assert link is not None
        for client in (gone, there):
            link.put(client, Join("KDMWQ"))
            if client is gone:
                relay.forget(gone)
        async with asyncio.timeout(HANGS):
            while relay.links:
                await asyncio.sleep(0.05)
        assert (gone.moves, there.moves) == ([], ["KDMWQ"])


async def test_a_server_of_another_version_is_not_spoken_to() -> None:
    heard: list[str | bytes] = []

    async def listen(connection: ServerConnection) -> None:
        heard.extend([text async for text in connection])

    async with relaying() as relay, other_server(listen) as owner:
        with pytest.raises(OtherVersion):
            await relay.link(owner)
    assert heard == []


async def test_other_lines_are_not_read(tmp_path: Path) -> None:
    async with running(tmp_path) as (url, router):
        headers = {"Authorization": f"Bearer {router.secret}"}
        address = url.removesuffix("/socket") + PATH
        for offered in (None, [Subprotocol("tilewright-other")]):
            async with connect(address, additional_headers=headers, subprotocols=offered, proxy=None) as connection:
                assert connection.subprotocol is None
                await connection.wait_closed()
                assert connection.close_code == 1002


# --- tables of servers that are gone


async def test_nobody_waits_for_the_others_that_look_for_a_silent_server(tmp_path: Path) -> None:
    """Its machine is gone: connections to it are neither refused nor answered. Its tables are taken when their leases
    are over, and not one after the other."""

    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    async with running(tmp_path) as (url, router), page(url) as ann:
        codes = [(await ann.make(SPEC, ALONE, sit=0)).code for _ in range(5)]
        await put_away(router, ann)
        await router.store.register("silent", f"http://127.0.0.1:{port}#secret", 60)
        for code in codes:
            row = await router.store.table(code)
            assert row is not None and await router.store.claim(row.id, "silent", 2.0)
        start = time.monotonic()
        pages = [await Page(url, ann.key).open() for _ in codes]
        await asyncio.gather(*(one.join(code) for one, code in zip(pages, codes, strict=True)))
        assert time.monotonic() - start < 12
        for one in pages:
            await one.close()
    silent.close()


async def put_away(router: TableRouter, ann: Page) -> None:
    for code in ann.tables:
        await ann.ask("leave", table=code)
    async with asyncio.timeout(HANGS):
        while router.tables.owned:
            await asyncio.sleep(0.05)


async def test_who_cannot_find_a_table_again_connects_again(tmp_path: Path) -> None:
    """It is played by a server of another version: who is connected is sent away, perhaps to that server; who asks for
    the table is told why."""

    async def listen(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with other_server(listen) as owner, running(tmp_path) as (url, router), page(url) as ann:
        table = await ann.make(SPEC, ALONE, sit=0)
        await taken_over(router, router.tables.owned[table.code].row.id, owner.address)
        leases = asyncio.create_task(keep_leases(router))
        async with asyncio.timeout(HANGS):
            while not ann.lost:
                await asyncio.sleep(0.05)
        assert ann.connection is not None and ann.connection.close_code == 1013
        async with page(url, ann.key) as back:
            with pytest.raises(Refusal, match="another version"):
                await back.join(table.code)
        leases.cancel()


async def keep_leases(router: TableRouter) -> None:
    """The other server does: it goes on."""
    while True:
        await router.store.renew("other", 2.0)
        await asyncio.sleep(0.3)
