"""Servers that are upgraded and rolled back: games that were begun on an older version go on.

`data/upgrades` has a database of each older version whose games are known, made by a server of that version: games
going on by several rulesets, one of them of a person's own, one that is over, and a table that has not begun.
"""

import json
import lzma
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text as sql
from test_web_registry import running
from web_client import Plain, Refusal, Table, easy, page

from tilewright.language.documents.bundled import earlier_documents
from tilewright.play.chance import TableSecret
from tilewright.play.log import read_log
from tilewright.play.resume import lines, resume
from tilewright.web.protocol.spec import kept_texts, read_spec, rules_of
from tilewright.web.storage.database import database_at
from tilewright.web.storage.rows import CannotOpen, TableRow
from tilewright.web.storage.store import Store, roll_back
from tilewright.web.workers.pool import GameFailed, WorkerGame

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
DATA = Path(__file__).parents[1] / "data" / "upgrades"
VERSIONS = {"2026-11-23": "v5", "2026-11-28": "v6"}  # of the tables of the database
PLAYED = ("cantonese", "riichi", "american", "sichuan", "own")
ANSWERS = 4


@dataclass(frozen=True)
class OldServer:
    """What a server of an older version left: its folder, whose games they are, and the codes of its tables."""

    folder: Path
    day: str
    key: str
    tables: Mapping[str, str]

    async def rows(self) -> dict[str, tuple[TableRow, list[str], dict[str, str]]]:
        """Each table as it is stored, with its log and the texts that it keeps."""
        store = await Store.open(str(self.folder / "tables.db"))
        try:
            found = {}
            for name, code in self.tables.items():
                row = await store.table(code)
                assert row is not None
                found[name] = row, await store.lines(row.id), await store.kept_texts(row.id)
            return found
        finally:
            await store.close()

    async def change(self, change: str, **values: Any) -> None:
        database = database_at(str(self.folder / "tables.db"))
        await database.write(lambda connection: connection.execute(sql(change), values).close())
        await database.close()


@pytest.fixture
def old(request: pytest.FixtureRequest, tmp_path: Path) -> OldServer:
    day = request.param
    with lzma.open(DATA / f"{day}.db.xz") as packed, (tmp_path / "tables.db").open("wb") as file:
        shutil.copyfileobj(packed, file)
    made = json.loads((DATA / f"{day}.json").read_text(encoding="utf-8"))
    return OldServer(tmp_path, day, made["key"], made["tables"])


async def played_on(old: OldServer, *names: str) -> None:
    """Its person comes back, and plays on at each of these tables."""
    async with running(old.folder, guests=3) as (url, _), page(url, key=old.key) as ann:
        for name in names:
            table = await ann.join(old.tables[name])
            if name == "waiting" and table.info["state"] == "waiting":
                await table.say("start")
            await some_answers(table)
            assert table.info["problem"] is None, name
        over = await ann.join(old.tables["finished"])
        assert over.over and over.view is not None


async def some_answers(table: Table) -> None:
    given = 0

    def choose(question: Plain) -> Plain:
        nonlocal given
        given += 1
        return easy(question)

    await table.play(lambda: given >= ANSWERS, choose)


@pytest.mark.parametrize("old", VERSIONS, indirect=True)
async def test_games_of_older_versions_go_on_and_after_a_rollback_and_an_upgrade_again(old: OldServer) -> None:
    """The older version replays a log with its own texts, whose digest must be that of the log, and continues where
    each line is the same."""
    before = await old.rows()
    await played_on(old, *PLAYED, "waiting")
    after = await old.rows()
    for name, (row, log, texts) in after.items():
        assert row.state == ("over" if name == "finished" else "playing")
        assert log[: len(before[name][1])] == before[name][1]
        assert len(log) > len(before[name][1]) or name == "finished"
        assert texts and name in (*texts, "own", "finished", "waiting")
    assert after["finished"][0] == before["finished"][0]
    database = str(old.folder / "tables.db")
    await roll_back(database_at(database), VERSIONS[old.day])
    days = sorted(VERSIONS, reverse=True)
    theirs = list(earlier_documents())[days.index(old.day)]
    after = await old.rows()
    for name in PLAYED:
        row, log, _ = after[name]
        spec = read_spec(row.spec)
        found = kept_texts(spec, row.digest)
        assert found is not None and found.items() <= theirs.items()
        read = read_log(name, "".join(f"{line}\n" for line in log))
        rules = rules_of(spec, found)
        assert rules.data.text_digest == read.header.digest == row.digest
        assert row.secret is not None
        game = resume(read, rules, TableSecret(row.secret))
        assert list(lines(game, read.header.players))[: len(log)] == log
    await played_on(old, "riichi", "own", "waiting")


@pytest.mark.parametrize("old", list(VERSIONS)[:1], indirect=True)
async def test_a_table_whose_rules_are_not_known_is_left_as_it_is(old: OldServer) -> None:
    """Until a server comes that knows them."""
    await old.rows()  # brings the tables up to date
    digests = {name: row.digest for name, (row, _, _) in (await old.rows()).items()}
    await old.change("update tables set digest = :other", other="0" * 64)
    before = await old.rows()
    async with running(old.folder, guests=3) as (url, _), page(url, key=old.key) as ann:
        for name in ("american", "own"):
            table = await ann.join(old.tables[name])
            assert table.info["state"] == "broken"
            assert "kept" in table.info["problem"]["en"] and set(table.info["problem"]) == {"en", "zh", "ja"}
        over = await ann.join(old.tables["finished"])
        assert over.over and over.info["problem"] is not None and over.info["scores"]
        waiting = await ann.join(old.tables["waiting"])
        with pytest.raises(Refusal, match="broken: none of the versions"):
            await waiting.say("start")
        while waiting.info["state"] != "broken":
            waiting.news.clear()
            await waiting.news.wait()
    assert {name: (row.state, log) for name, (row, log, _) in (await old.rows()).items()} == {
        name: (row.state, log) for name, (row, log, _) in before.items()
    }
    for name, digest in digests.items():
        await old.change("update tables set digest = :digest where code = :code", digest=digest, code=old.tables[name])
    await played_on(old, "american", "own", "waiting")


@pytest.mark.parametrize("old", list(VERSIONS)[-1:], indirect=True)
async def test_an_error_of_ours_ends_no_game_for_ever(old: OldServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def failing(*asked: object, **more: object) -> None:
        raise GameFailed({"en": "an unexpected error occurred"})

    with monkeypatch.context() as broken:
        broken.setattr(WorkerGame, "answer", failing)
        async with running(old.folder) as (url, _), page(url, key=old.key) as ann:
            table = await ann.join(old.tables["riichi"])
            with pytest.raises(Refusal, match="broken: an unexpected error"):
                await table.play()
    assert (await old.rows())["riichi"][0].state == "playing"
    await played_on(old, "riichi")


@pytest.mark.parametrize("old", VERSIONS, indirect=True)
async def test_tables_are_changed_back_to_known_earlier_versions_of_a_stopped_server(old: OldServer) -> None:
    database = str(old.folder / "tables.db")
    await old.rows()
    with pytest.raises(CannotOpen, match="cannot become v99") as refused:
        await roll_back(database_at(database), "v99")
    assert refused.value.hint is not None and VERSIONS[old.day] in refused.value.hint
    async with running(old.folder):
        with pytest.raises(CannotOpen, match="a server is running"):
            await roll_back(database_at(database), VERSIONS[old.day])
    await roll_back(database_at(database), VERSIONS[old.day])
    with pytest.raises(CannotOpen, match="cannot become"):
        await roll_back(database_at(database), "v7")
