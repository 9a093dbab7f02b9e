"""Backups as docs/serve.md describes them, by its own commands: made while games are played, and restored elsewhere."""

import asyncio
import re
import shutil
import stat
import subprocess
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from sqlalchemy import make_url
from web_client import FAST, PERSON, Page, Plain, Table, page, play_beyond
from web_server import Cluster, Server
from websockets.exceptions import ConnectionClosed

from tilewright.web.storage.store import Store

pytestmark = [pytest.mark.slow, pytest.mark.anyio, pytest.mark.xdist_group("postgresql")]

SPEC: Plain = {"ruleset": {"id": "cantonese"}, "hands": 2}
TABLES = 3
StartServer = Callable[..., Server]
Restore = Callable[[], Server]


def commands(word: str) -> list[str]:
    """The documented commands of a backup that name a program, in order."""
    text = (ROOT / "docs/serve.md").read_text(encoding="utf-8").partition("### Backup")[2].partition("\n## ")[0]
    found = re.findall(r"^\$ (.+)$", text, re.MULTILINE)
    assert len(found) == 5, "each is tried here"
    return [command for command in found if word in command]


def run(command: str, **environment: str) -> None:
    done = subprocess.run(["sh", "-ec", command], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


async def test_sqlite(start_server: StartServer, tmp_path: Path) -> None:
    assert shutil.which("sqlite3"), "no sqlite3: run `make test`, or apt-get install sqlite3"
    server = start_server()
    backup, restored = tmp_path / "backup", tmp_path / "restored"
    backup.mkdir()
    restored.mkdir()

    def here(command: str, folder: Path) -> None:
        run(command.replace("/var/lib/tilewright", str(folder)).replace("/backup", str(backup)), PATH="/usr/bin:/bin")

    async def save() -> None:
        (backup / "tables.db").unlink(missing_ok=True)
        for command in commands("VACUUM"):
            await asyncio.to_thread(here, command, server.folder)
        assert stat.S_IMODE((backup / "tables.db").stat().st_mode) == 0o600, "it has every hand"

    def restore() -> Server:
        (restored / "tables.db-wal").write_bytes(b"of another database")
        for command in [*commands("rm -f"), *commands("install")]:
            here(command, restored)
        return start_server(database=str(restored / "tables.db"))

    await games_go_on(server, save, restore)


async def test_postgresql(start_server: StartServer, postgresql_cluster: Cluster, tmp_path: Path) -> None:
    database = postgresql_cluster.fresh()
    server = start_server(database=database)
    name = make_url(database).database
    assert name is not None
    environment = {
        "PATH": f"{postgresql_cluster.programs}:/usr/bin:/bin",
        "PGHOST": str(postgresql_cluster.folder),
        "PGUSER": make_url(database).username or "",
    }

    def here(command: str) -> None:
        changed = re.sub(r"\brestored\b", f"{name}_restored", command.replace("/backup", str(tmp_path)))
        run(re.sub(r"\btilewright\b", name or "", changed), **environment)

    async def save() -> None:
        for command in commands("pg_dump"):
            await asyncio.to_thread(here, command)
        assert stat.S_IMODE((tmp_path / "tables.dump").stat().st_mode) == 0o600

    def restore() -> Server:
        for command in commands("pg_restore"):
            here(command)
        return start_server(database=database.replace(f"/{name}", f"/{name}_restored"))

    await games_go_on(server, save, restore)


async def games_go_on(server: Server, save: Callable[[], Coroutine[Any, Any, None]], restore: Restore) -> None:
    """Games are played while a backup is made, then the server is lost. The backup has every move that was acknowledged
    before it was begun, and none that was never made; a server on it plays the games to their ends."""
    players = [await Page(server.socket, name=f"Player {number}").open() for number in range(TABLES)]
    tables = [await player.make(SPEC, [PERSON, FAST, FAST, FAST], sit=0) for player in players]
    await play_beyond(7, *tables)
    playing = [asyncio.create_task(play_on(table)) for table in tables]
    before = after = await logs(server, tables)
    while after == before:  # until somebody played while it was made
        assert not all(table.over for table in tables)
        before = await logs(server, tables)
        await save()
        after = await logs(server, tables)
    server.kill()
    await asyncio.gather(*playing)
    for player in players:
        await player.close()
    other = restore()
    for player, table, least, most, kept in zip(players, tables, before, after, await logs(other, tables), strict=True):
        assert kept[: len(least)] == least and most[: len(kept)] == kept
        async with page(other.socket, player.key) as back:
            found = await back.join(table.code)
            assert (found.me, found.info["spec"], found.token) == (0, table.info["spec"], table.token)
            await found.play()
            assert found.over


async def logs(server: Server, tables: Sequence[Table]) -> list[list[str]]:
    """The logs of tables, as the database has them."""
    store = await Store.open(server.database or str(server.folder / "tables.db"))
    try:
        rows = [await store.table(table.code) for table in tables]
        return [await store.lines(row.id) for row in rows if row is not None]
    finally:
        await store.close()


async def play_on(table: Table) -> None:
    """Play until the server is gone."""
    try:
        await table.play()
    except (ConnectionError, ConnectionClosed):
        return
