"""Tables that come and go at a server: put away when nobody looks, taken by another server and taken back."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvicorn
from web_client import FAST, PERSON, Plain, page

from tilewright.apps.web.app import make_app
from tilewright.apps.web.lives import Lives
from tilewright.apps.web.settings import Settings

pytestmark = pytest.mark.anyio
SPEC: Plain = {"ruleset": {"id": "cantonese"}, "hands": 1}
ALONE = [PERSON, FAST, FAST, FAST]


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[str, Lives]]:
    """A server in this process, at which little lasts long."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        app = make_app(Settings(str(folder / "tables.db"), port=port, idle=0.2, lease=1.5, pause=0.2))
        config = uvicorn.Config(app, log_level="warning", lifespan="on", ws="websockets-sansio", access_log=False)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve([listener]))
        while not server.started:
            assert not serving.done()
            await asyncio.sleep(0.02)
        try:
            yield f"ws://127.0.0.1:{port}/socket", app.state.lives
        finally:
            server.should_exit = True
            await serving


async def test_tables_are_put_away_and_taken_and_come_back(tmp_path: Path) -> None:
    async with running(tmp_path) as (url, lives):
        async with page(url) as ann:
            table = await ann.make(SPEC, ALONE, sit=0)
            await table.play(until=lambda: table.seq > 12)
            await table.until(lambda: table.question is not None or table.over)
            code, view = table.code, table.view
            live = lives.owned[code]
        async with asyncio.timeout(20):
            while code in lives.owned:
                await asyncio.sleep(0.05)
            while await lives.store.owner(live.row.id) is not None:
                await asyncio.sleep(0.05)
        async with page(url, ann.key) as ann:
            table = await ann.join(code)
            await table.until(lambda: table.view is not None)
            assert table.view == view
            await taken_over(lives, live.row.id)
            table.seq = 0
            await table.until(lambda: table.seq == 1)
            assert table.view == view
            await table.play()


async def taken_over(lives: Lives, table: int) -> None:
    """Another server has it, and says nothing any more."""
    await lives.store.register("other", "http://127.0.0.1:9#nothing", 2.0)
    await lives.store.release(table, lives.worker)
    assert await lives.store.claim(table, "other", 2.0)
