"""The store, on SQLite and on PostgreSQL: what is kept is found as it was; who comes second is told so."""

import asyncio
import json
import math
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from chaos.proxy import Proxy
from processes import HANGS
from sqlalchemy import Connection, Executable, select
from sqlalchemy import text as sql_text
from web_server import Cluster

from tilewright.web.storage import database, people, tables
from tilewright.web.storage import people as documents
from tilewright.web.storage import store as schema
from tilewright.web.storage.models import LETTERS, MARK, Base, DocumentsModel, TablesModel, columns, hashed
from tilewright.web.storage.rows import (
    Ban,
    CannotOpen,
    Conflict,
    DatabaseLost,
    DocumentOutline,
    NotFound,
    Owner,
    SeatRow,
    State,
    StorageFull,
)
from tilewright.web.storage.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

KEY, OTHER_KEY = "k" * 40, "o" * 40
UNUSUAL = [
    "",
    " ",
    "東南西北 é 🀄 e\u0301",
    "\0",
    "half \ud83c of a character, and \udfff",
    "'; drop table people; --",
    "%s {} \\ \" ' \t\r\n\u2028",
    "\x01json:",
    MARK,
    MARK + '"not what it says',
    "<script>alert(1)</script>",
    "x" * 300_000,
]
LATER_VERSION = '''"""A later version: tables have a note."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "later", "HEAD"


def upgrade() -> None:
    op.add_column("tables", sa.Column("note", sa.Text, server_default="none"))


def downgrade() -> None:
    with op.batch_alter_table("tables") as table:
        table.drop_column("note")
'''

HEAD = max((path.stem for path in (schema.MIGRATIONS / "versions").glob("v*.py")), key=lambda name: int(name[1:]))
LATER_VERSION = LATER_VERSION.replace("HEAD", HEAD)


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with opened(database_url) as store:
        yield store


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = await Store.open(url)
    try:
        yield store
    finally:
        await store.close()


# --- bans


async def test_bans_hold_until_they_end(store: Store) -> None:
    person = Ban("person", "7", "shouts \0 \ud83c", 1.0, None)
    past = Ban("address", "10.0.0.0/8", "", 2.0, time.time() - 1)
    hours = Ban("address", "2001:db8::/64", "floods", 3.0, round(time.time() + 3600, 3))
    for ban in (person, past, hours):
        await store.ban(ban)
    assert await store.bans() == [hours, person]
    longer = replace(hours, until=None)
    await store.ban(longer)
    assert await store.bans() == [longer, person]
    assert await store.unban("person", "7") and not await store.unban("person", "7")
    assert await store.bans() == [longer]
    await store.purge_bans()
    assert not await store.unban("address", past.subject), "what has ended is deleted"
    assert await store.bans() == [longer]


async def test_a_banned_person_is_not_deleted(store: Store) -> None:
    """SQLite would give the number of the deleted person to the next one, who would be banned then."""
    ann, bob = [await store.new_person(key, "") for key in (KEY, OTHER_KEY)]
    await store.ban(Ban("person", str(bob.id), "", 1.0, None))
    assert await store.purge_people(time.time() + 60) == 1
    assert await store.person(ann.id) is None and await store.person(bob.id) == bob
    await store.unban("person", str(bob.id))
    assert await store.purge_guests(time.time() + 60) == 1


# --- people


async def test_a_person_is_who_holds_the_key(store: Store) -> None:
    assert await store.person_by_key(KEY) is None
    ann = await store.new_person(KEY, "Ann")
    bo = await store.new_person(OTHER_KEY, "Bo")
    assert ann.id != bo.id
    assert await store.person_by_key(KEY) == await store.person(ann.id) == ann
    assert await store.new_person(KEY, "somebody else") == ann, "two pages of one person begin at once"
    assert await store.person(ann.id + bo.id) is None


async def test_a_person_is_renamed_and_prefers(store: Store) -> None:
    ann = await store.new_person(KEY, "Ann")
    settings = {"theme": "dark", "sound": 0.5, "keys": {"pass": ["p", None]}}
    changed = await store.update_person(ann.id, settings=settings)
    assert changed == replace(ann, settings=settings)
    assert await store.update_person(ann.id, name="Anna") == replace(changed, name="Anna")
    assert await store.update_person(ann.id) == await store.person_by_key(KEY)
    with pytest.raises(NotFound):
        await store.update_person(ann.id + 1, name="nobody")


async def test_keys_are_kept_nowhere(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/tables.db") as store:
        ann = await store.new_person(KEY, "Ann")
        table = await store.new_table({}, {}, ann.id)
        await store.set_seat(SeatRow(table.id, 0, "person", person=ann.id, token_hash=hashed(OTHER_KEY)))
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Ann" in kept
    assert KEY.encode() not in kept
    assert OTHER_KEY.encode() not in kept


# --- tables


async def test_a_table_is_found_as_it_was_made(store: Store) -> None:
    ann = await store.new_person(KEY, "Ann")
    spec = {"ruleset": {"name": "mine", "text": "a: 東\n"}, "mods": [], "options": {"x": False}, "hands": None}
    setup = {"public": False, "claim_seconds": 1.5, "name": "Friday"}
    seats = [SeatRow(0, 0, "person", None, ann.id, "Ann", hashed("link")), SeatRow(0, 1, "bot", "fast")]
    table = await store.new_table({**spec, "seed": 2**70}, setup, ann.id, seats)
    assert (table.spec, table.setup) == ({**spec, "seed": 2**70}, setup)
    assert (table.state, table.host, table.finished, table.digest, table.next) == ("waiting", ann.id, None, None, None)
    assert await store.table(table.code) == table
    assert await store.seats(table.id) == [replace(seat, table=table.id) for seat in seats]
    assert await store.table("BBBBB") is None or table.code == "BBBBB"


async def test_codes_can_be_read_to_each_other(store: Store) -> None:
    table = await store.new_table({}, {}, None)
    codes = {await store.new_invite(table.id, 60) for _ in range(30)}
    assert len(codes) == 30
    assert all(len(code) == 8 and set(code) <= set(LETTERS) for code in codes)
    assert not set("AEIOUYLSV0123456789") & set(LETTERS)


async def test_links_cannot_be_guessed(store: Store) -> None:
    """At least 80 bits each."""
    ann = await store.new_person(KEY, "Ann")
    table = await store.new_table({}, {}, ann.id)
    share = await store.share((await store.new_document(ann.id, "card", "", "")).id, ann.id)
    assert not table.is_guessable
    for code in (table.code, share):
        assert len(code) * math.log2(len(LETTERS)) >= 80
        assert set(code) <= set(LETTERS)


async def test_an_invite_code_is_valid_for_a_while_and_replaced(store: Store, database_url: str) -> None:
    table, other = [await store.new_table({}, {}, None) for _ in range(2)]
    first = await store.new_invite(table.id, 60)
    async with opened(database_url) as restarted:
        assert await restarted.invited(first) == table
    second = await store.new_invite(table.id, 60)
    assert (await store.invited(first), await store.invited(second)) == (None, table)
    late = await store.new_invite(other.id, -1)
    assert await store.invited(late) is None
    assert await store.invited("") is None
    assert await store.purge_tables(time.time() + 60) == 2
    assert await store.invited(second) is None


async def test_of_two_tables_one_has_an_invite_code(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["BCDFGHJK", "BCDFGHJK", "BCDFGHJM"])
    one, two = [await store.new_table({}, {}, None) for _ in range(2)]
    monkeypatch.setattr(tables, "new_code", lambda length: next(codes))
    assert await store.new_invite(one.id, 60) == "BCDFGHJK"
    assert await store.new_invite(two.id, 60) == "BCDFGHJM"
    assert await store.invited("BCDFGHJK") == one


async def test_the_lobby_shows_public_tables_that_wait_or_play(store: Store) -> None:
    states = ("waiting", "playing", "over", "broken")
    for state in states:
        for public in (True, False):
            table = await store.new_table({}, {"public": public, "name": state}, None)
            await store.set_state(table.id, state)
    shown = await store.public_tables()
    assert [(row.state, row.setup["name"]) for row in shown] == [("playing", "playing"), ("waiting", "waiting")]
    assert await store.public_tables(since=shown[0].created + 1) == []
    assert len(await store.public_tables(limit=1)) == 1
    hidden = await store.set_state(shown[0].id, "playing", setup={"public": False})
    assert hidden not in await store.public_tables()


async def test_a_table_goes_on_and_ends(store: Store) -> None:
    table = await store.new_table({"seed": 1}, {}, None)
    playing = await store.set_state(table.id, "playing", digest="abc", scores=(10, -10.5, 0, 1))
    assert playing == replace(table, state="playing", digest="abc", scores=(10, -10.5, 0, 1))
    over = await store.set_state(table.id, "over", next="KDMWQ")
    assert (over.state, over.next, over.scores) == ("over", "KDMWQ", playing.scores)
    assert over.finished is not None and over.finished >= table.created
    assert await store.table(table.code) == over
    with pytest.raises(NotFound):
        await store.set_state(table.id + 1, "over")
    with pytest.raises(TypeError):
        await store.set_state(table.id, "over", code="BBBBB")


async def test_tables_of_a_person_are_those_made_or_sat_at(store: Store) -> None:
    ann, bo = await store.new_person(KEY, "Ann"), await store.new_person(OTHER_KEY, "Bo")
    made = await store.new_table({}, {}, ann.id)
    await store.new_table({}, {}, bo.id)
    sat = await store.new_table({}, {}, bo.id, [SeatRow(0, 2, "person", person=ann.id)])
    assert [row.id for row in await store.tables_of(ann.id)] == [sat.id, made.id]
    assert len(await store.tables_of(ann.id, limit=1)) == 1
    assert len(await store.tables_of(bo.id)) == 2


async def test_a_seat_is_taken_and_left(store: Store) -> None:
    ann = await store.new_person(KEY, "Ann")
    table = await store.new_table({}, {}, None, [SeatRow(0, 0, "person"), SeatRow(0, 1, "bot", "careful")])
    taken = await store.set_seat(SeatRow(table.id, 0, "person", None, ann.id, "Ann", hashed("link")))
    assert await store.seats(table.id) == [taken, SeatRow(table.id, 1, "bot", "careful")]
    await store.set_seat(SeatRow(table.id, 0, "person"))
    assert [seat.token_hash for seat in await store.seats(table.id)] == [None, None]
    with pytest.raises(Conflict):
        await store.set_seat(SeatRow(table.id + 1, 0, "person"))


# --- logs


async def test_a_log_is_written_once(store: Store, database_url: str) -> None:
    one, two = await store.new_table({}, {}, None), await store.new_table({}, {}, None)
    await store.add_lines(one.id, 0, ["first", "second 東"])
    await store.add_lines(two.id, 0, ["of another"])
    await store.add_lines(one.id, 2, [])
    await store.add_lines(one.id, 2, ["third"])
    for wrong in (0, 1, 2, 4):
        with pytest.raises(Conflict):
            await store.add_lines(one.id, wrong, ["of somebody else"])
    assert await store.lines(one.id) == ["first", "second 東", "third"]
    assert await store.lines(two.id) == ["of another"]
    assert await store.lines(two.id + 1) == []
    with pytest.raises(Conflict):
        await store.add_lines(two.id + 1, 0, ["of no table"])
    async with opened(database_url) as again:
        assert await again.lines(one.id) == ["first", "second 東", "third"]


async def test_of_two_who_write_at_once_one_does(store: Store, database_url: str) -> None:
    table = await store.new_table({}, {}, None)
    written: list[str] = []

    async def write(store: Store, name: str) -> None:
        for number in range(10):
            try:
                await store.add_lines(table.id, number, [f"{name} {number}"])
                written.append(f"{name} {number}")
            except Conflict:
                continue

    async with opened(database_url) as other, anyio.create_task_group() as group:
        group.start_soon(write, store, "one")
        group.start_soon(write, other, "other")
    lines = await store.lines(table.id)
    assert len(lines) == 10
    assert sorted(lines) == sorted(written)


# --- servers


async def test_one_server_plays_a_table(store: Store, database_url: str) -> None:
    first, second = [await store.new_table({}, {}, None) for _ in range(2)]
    async with opened(database_url) as other:
        await store.register("one", "http://one:1", 60)
        await other.register("other", "http://other:2", 60)
        assert await store.owner(first.id) is None
        assert await store.claim(first.id, "one", 60)
        assert not await other.claim(first.id, "other", 60)
        assert await other.claim(second.id, "other", 60)
        assert await store.claim(first.id, "one", 60), "it goes on with what it has"
        assert await other.owner(first.id) == Owner("one", "http://one:1")
        assert await other.renew("other", 60) == {second.id}
        await other.release(first.id, "other")
        assert await store.owner(first.id) == Owner("one", "http://one:1"), "nobody gives away what another has"
        await store.release(first.id, "one")
        assert await store.owner(first.id) is None
        assert await other.claim(first.id, "other", 60)
        await other.release_all("other")
        assert await store.owner(second.id) is None
        assert await other.renew("other", 60) == frozenset()


async def test_a_server_that_says_nothing_loses_its_tables(store: Store) -> None:
    kept, lost = [await store.new_table({}, {}, None) for _ in range(2)]
    for table in (kept, lost):
        await store.set_state(table.id, "playing")
    await store.register("slow", "http://slow", 60)
    await store.register("quick", "http://quick", 60)
    for table in (kept, lost):
        assert await store.claim(table.id, "slow", -1), "a lease that is over as it begins"
    assert await store.owner(lost.id) is None
    assert await store.owner(kept.id) is None
    assert await store.claim(lost.id, "quick", 60)
    assert not await store.claim(lost.id, "slow", 60)
    assert await store.renew("slow", 60) == {kept.id}, "what nobody took in between it has still"
    assert await store.owner(lost.id) == Owner("quick", "http://quick")


async def test_a_clock_that_is_set_back_keeps_no_table_from_other_servers(store: Store) -> None:
    """A server failed before the clock was set back by an hour; setting it by seconds changes nothing."""
    lost, kept = [await store.new_table({}, {}, None) for _ in range(2)]
    for name in ("gone", "next", "third"):
        await store.register(name, "", 60)
    assert await store.claim(lost.id, "gone", 3_600)
    assert await store.claim(kept.id, "gone", 10)
    assert await store.claim(lost.id, "next", 6)
    assert not await store.claim(lost.id, "third", 6)
    assert not await store.claim(kept.id, "next", 6)


async def test_a_server_that_lost_a_table_changes_nothing_of_it(store: Store) -> None:
    """It may have been frozen, and believe that it still plays the table."""
    table = await store.new_table({}, {}, None)
    for name in ("frozen", "quick"):
        await store.register(name, "", 60)
    assert await store.claim(table.id, "frozen", -1)
    await store.set_state(table.id, "playing", by="frozen")
    assert await store.claim(table.id, "quick", 60)
    changed = await store.set_state(table.id, "playing", by="quick", setup={"early": 1})
    with pytest.raises(Conflict, match="another server"):
        await store.set_state(table.id, "over", by="frozen", setup={})
    assert await store.table(table.code) == changed


@pytest.mark.xdist_group("postgresql")
async def test_a_database_that_says_nothing_is_lost_after_a_while(
    postgresql_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way to it may be cut without a word: nobody waits for ever."""
    monkeypatch.setattr(database, "SECONDS_TO_WAIT", 2)
    url = postgresql_cluster.fresh()
    way = await Proxy("database", lambda: [postgresql_cluster.folder / ".s.PGSQL.5432"], 1).start()
    try:
        parts = urlsplit(url)
        store = await Store.open(f"postgresql://{parts.username}@127.0.0.1:{way.port}{parts.path}")
        assert await store.table("KDMWQ") is None
        way.silent = True
        with pytest.raises(DatabaseLost):
            async with asyncio.timeout(HANGS):
                await store.table("KDMWQ")
        way.silent = False
        way.cut()
        assert await store.table("KDMWQ") is None
        await store.close()
    finally:
        await way.stop()


async def test_of_many_servers_that_want_a_table_one_gets_it(store: Store, database_url: str) -> None:
    table = await store.new_table({}, {}, None)
    for number in range(4):
        await store.register(f"worker {number}", "", 60)
    await store.claim(table.id, "worker 0", -1)
    got: list[str] = []

    async def want(store: Store, worker: str) -> None:
        if await store.claim(table.id, worker, 60):
            got.append(worker)

    async with opened(database_url) as other, anyio.create_task_group() as group:
        for number in range(4):
            group.start_soon(want, (store, other)[number % 2], f"worker {number}")
    owner = await store.owner(table.id)
    assert owner is not None
    assert got == [owner.worker]


async def test_servers_that_ended_long_ago_are_forgotten(store: Store) -> None:
    table = await store.new_table({}, {}, None)
    await store.register("old", "", 60)
    assert await store.claim(table.id, "old", 60)
    assert await store.renew("old", -1_000_000) == {table.id}
    await store.register("new", "", 60)
    assert await store.renew("old", 60) == frozenset()
    with pytest.raises(Conflict):
        await store.claim(table.id, "old", 60)


async def test_lists_of_tables_have_no_texts(store: Store) -> None:
    """Specs may have 600 kB of them; what is played is whole."""
    ann, text = await store.new_person(KEY, "Ann"), "x" * 1_000
    spec = {
        "ruleset": {"name": "mine", "text": text},
        "mods": [{"text": text, "options": {"card": {"text": text}, "text": "a setting"}}],
        "options": {"text": "a setting"},
    }
    light = {
        "ruleset": {"name": "mine", "text": ""},
        "mods": [{"text": "", "options": {"card": {"text": ""}, "text": "a setting"}}],
        "options": {"text": "a setting"},
    }
    row = await store.new_table(spec, {"public": True}, ann.id, [SeatRow(0, 0, "person", person=ann.id)])
    for listed in (await store.public_tables(), await store.tables_of(ann.id)):
        assert listed == [replace(row, spec=light)]
    assert (await store.table(row.code)) == row
    assert await store.seats_at([row.id, 10_000]) == {row.id: await store.seats(row.id), 10_000: []}
    assert await store.tables_of(ann.id, states=["over"]) == []


async def test_older_tables_are_listed_without_texts(database_url: str) -> None:
    async with opened(database_url) as store:
        row = await store.new_table({"ruleset": {"text": "x" * 1_000}}, {"public": True}, None)
        await schema.bring_to(store.database, "v6")
        await schema.bring_up_to_date(store.database)
        assert await store.public_tables() == [replace(row, spec={"ruleset": {"text": ""}})]


# --- documents


async def test_a_document_is_written_saved_and_deleted(store: Store) -> None:
    ann = await store.new_person(KEY, "Ann")
    first = await store.new_document(ann.id, "card", "mine", "11 222")
    other = await store.new_document(ann.id, "ruleset", "rules", "")
    assert await store.document(first.id) == first
    assert [one.id for one in await store.documents(ann.id, ["card"])] == [first.id]
    saved = await store.save_document(first.id, ann.id, "better", "11 333", first.updated)
    assert saved == replace(first, name="better", text="11 333", updated=saved.updated)
    assert saved.updated > first.updated
    assert {document.id for document in await store.documents(ann.id, ["card", "ruleset"])} == {first.id, other.id}
    assert await store.document(first.id) == saved
    await store.delete_document(first.id, ann.id)
    assert await store.document(first.id) is None
    with pytest.raises(NotFound):
        await store.save_document(first.id, ann.id, "gone", "")
    with pytest.raises(NotFound):
        await store.delete_document(first.id, ann.id)


async def test_of_two_pages_that_save_the_second_is_told(store: Store) -> None:
    ann = await store.new_person(KEY, "Ann")
    document = await store.new_document(ann.id, "card", "mine", "")
    one = await store.save_document(document.id, ann.id, "mine", "of one page", document.updated)
    with pytest.raises(Conflict):
        await store.save_document(document.id, ann.id, "mine", "of the other", document.updated)
    assert await store.document(document.id) == one
    forced = await store.save_document(document.id, ann.id, "mine", "all the same")
    assert forced.updated > one.updated


async def test_documents_are_found_by_the_ids_that_they_give_themselves(store: Store) -> None:
    """Of two with the same id the one that was saved last; cards are none of them."""
    ann, bo = await store.new_person(KEY, "Ann"), await store.new_person(OTHER_KEY, "Bo")
    first = await store.new_document(ann.id, "mod", "mine", "tilewright: 1\nid: mine\n")
    await store.new_document(ann.id, "card", "mine", "id: mine\n")
    await store.new_document(bo.id, "mod", "mine", "id: mine\n")
    other = await store.new_document(ann.id, "ruleset", "other", "id: 'other'\n")
    assert await store.documents_called(ann.id, ["mine", "other", "none"]) == {"mine": first.id, "other": other.id}
    await store.save_document(other.id, ann.id, "other", "id: mine\n")
    assert await store.documents_called(ann.id, ["mine", "other"]) == {"mine": other.id}


async def test_a_list_of_documents_reads_no_text(store: Store) -> None:
    """Also no part of the file that texts are in, where it is SQLite's: what follows a text comes from the index."""
    if store.database.dialect != "sqlite":
        return
    ann = await store.new_person(KEY, "Ann")
    await store.new_document(ann.id, "mod", "mine", "id: mine\n")
    wanted = select(*columns(DocumentsModel, DocumentOutline)).where(DocumentsModel.person == ann.id)
    plan = sql_text(f"explain query plan {wanted.compile(compile_kwargs={'literal_binds': True})}")
    lines = await store.database.read(lambda connection: [str(row) for row in connection.execute(plan)])
    assert any("ix_documents_listed" in line for line in lines)


async def test_ids_of_older_documents_are_found(database_url: str) -> None:
    async with opened(database_url) as store:
        ann = await store.new_person(KEY, "Ann")
        mine = await store.new_document(ann.id, "mod", "mine", "id: mine\n")
        await schema.bring_to(store.database, "v6")
        await schema.bring_up_to_date(store.database)
        assert await store.documents_called(ann.id, ["mine"]) == {"mine": mine.id}


async def test_documents_belong_to_one_person(store: Store) -> None:
    ann, bo = await store.new_person(KEY, "Ann"), await store.new_person(OTHER_KEY, "Bo")
    document = await store.new_document(ann.id, "mod", "mine", "text")
    assert await store.documents(bo.id, ["mod"]) == []
    with pytest.raises(NotFound):
        await store.save_document(document.id, bo.id, "his", "text", document.updated)
    with pytest.raises(NotFound):
        await store.delete_document(document.id, bo.id)
    with pytest.raises(NotFound):
        await store.share(document.id, bo.id)
    assert await store.document(document.id) == document


async def test_a_document_is_shared_by_one_code(store: Store) -> None:
    ann = await store.new_person(KEY, "Ann")
    document = await store.new_document(ann.id, "card", "mine", "text")
    code = await store.share(document.id, ann.id)
    assert await store.share(document.id, ann.id) == code
    assert await store.shared(code) == replace(document, share=code)
    assert await store.shared("BCDFG") is None
    later = await store.save_document(document.id, ann.id, "mine", "later")
    assert await store.shared(code) == later


async def test_nobody_fills_the_database(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_DOCUMENTS", 2)
    ann, bo = await store.new_person(KEY, "Ann"), await store.new_person(OTHER_KEY, "Bo")
    for _ in range(2):
        await store.new_document(ann.id, "card", "mine", "")
    with pytest.raises(StorageFull):
        await store.new_document(ann.id, "card", "one too many", "")
    await store.new_document(bo.id, "card", "his first", "")


# --- what is old


async def test_tables_go_a_while_after_they_ended(store: Store) -> None:
    """Also those that never end; none that is played."""
    await store.register("one", "http://one:1", 60)
    states: tuple[State, ...] = ("waiting", "playing", "over", "broken")
    rows = [await store.new_table({}, {}, None, [SeatRow(0, 0, "person")]) for _ in states]
    played = await store.new_table({}, {}, None)
    for row, state in zip(rows, states, strict=True):
        await store.add_lines(row.id, 0, ["line"])
        await store.set_state(row.id, state)
    await store.set_state(played.id, "over")
    assert await store.claim(played.id, "one", 60)
    assert await store.purge_tables(rows[0].created - 1) == 0
    assert await store.purge_tables(time.time() + 60) == len(rows)
    assert [await store.table(row.code) for row in rows] == [None] * len(rows)
    assert await store.lines(rows[0].id) == [] and await store.seats(rows[0].id) == []
    assert (await store.table(played.code)) is not None
    await store.release(played.id, "one")
    assert await store.purge_tables(time.time() + 60) == 1


async def test_texts_of_rules_are_stored_once_and_go_with_the_last_table(store: Store) -> None:
    one, other = [await store.new_table({}, {}, None) for _ in range(2)]
    await store.keep_texts(one.id, {"riichi": "rules\r\n\0", "table": "base"})
    await store.keep_texts(other.id, {"cantonese": "other", "table": "base"})
    await store.keep_texts(other.id, {"cantonese": "other", "table": "base"})
    count = sql_text("select count(*) from texts")
    assert await store.database.read(lambda connection: connection.scalar(count)) == 3
    assert await store.kept_texts(one.id) == {"riichi": "rules\r\n\0", "table": "base"}
    assert await store.kept_texts(0) == {}
    await store.set_state(one.id, "over")
    await execute(store, sql_text("update tables set created = created + 1000 where id = :id"), {"id": other.id})
    assert await store.purge_tables(time.time() + 60) == 1
    assert await store.kept_texts(other.id) == {"cantonese": "other", "table": "base"}
    assert await store.database.read(lambda connection: connection.scalar(count)) == 2


async def test_people_go_who_have_nothing_left_and_do_not_come(store: Store) -> None:
    keys = [f"{number}" * 40 for number in range(5)]
    nobody, host, sitter, author, late = [await store.new_person(key, "") for key in keys]
    await store.new_table({}, {}, host.id, [SeatRow(0, 1, "person", person=sitter.id)])
    document = await store.new_document(author.id, "card", "mine", "")
    soon = time.time() + 60
    assert await store.purge_guests(time.time() - 60) == 0
    assert await store.purge_guests(soon) == 2, "who wrote something is no guest"
    assert [await store.person(one.id) for one in (nobody, late)] == [None, None]
    again = await store.new_person(keys[0], "Ann")
    assert await store.person_by_key(keys[0]) == again, "who comes back is somebody new under the same key"
    assert await store.purge_people(soon) == 2
    assert await store.document(document.id) is None
    assert [await store.person(one.id) for one in (host, sitter)] == [host, sitter]


async def test_wins_with_lines_of_cards_are_counted_by_person(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bo = await store.new_person(KEY, "Ann"), await store.new_person(OTHER_KEY, "Bo")
    for person, card, line, hand in (
        (ann, "one", "FF 11", "A/1"),
        (ann, "one", "FF 11", "A/1"),  # told again: a hand counts once
        (ann, "one", "FF 11", "A/2"),
        (ann, "one", "NEWS", "B/1"),
        (ann, "two", "FF 11", "B/2"),
        (bo, "one", "NEWS", "B/1"),
    ):
        await store.add_win(person.id, card, line, hand)
    assert [(won.line, won.count) for won in await store.wins(ann.id, "one")] == [("FF 11", 2), ("NEWS", 1)]
    assert [(won.line, won.count) for won in await store.wins(bo.id, "one")] == [("NEWS", 1)]
    assert await store.wins(bo.id, "two") == []
    monkeypatch.setattr(people, "MOST_WON", 3)
    await anyio.sleep(0.01)
    await store.add_win(ann.id, "three", "DD", "C/1")
    assert [(won.line, won.count) for won in await store.wins(ann.id, "one")] == [("NEWS", 1)], (
        "the oldest is forgotten"
    )
    assert await store.purge_guests(time.time() + 60) == 2
    assert await store.wins(ann.id, "one") == []


async def test_who_comes_is_kept(store: Store) -> None:
    ann, bo = await store.new_person(KEY, "Ann"), await store.new_person(OTHER_KEY, "Bo")
    await anyio.sleep(0.01)
    between = time.time()
    await anyio.sleep(0.01)
    await store.see([ann.id, bo.id + 1])
    assert await store.purge_people(between) == 1
    assert await store.person(ann.id) == ann


async def test_one_of_the_servers_that_run_does_what_one_has_to(store: Store) -> None:
    assert not await store.is_first("b")
    await store.register("b", "", 60)
    assert await store.is_first("b")
    await store.register("a", "", 60)
    assert (await store.is_first("a"), await store.is_first("b")) == (True, False)
    await store.register("a", "", -1)
    assert (await store.is_first("a"), await store.is_first("b")) == (False, True)


# --- any text


async def test_any_text_is_kept(store: Store) -> None:
    for number, text in enumerate(UNUSUAL):
        person = await store.new_person(f"{number}{KEY}", text)
        assert (await store.update_person(person.id, text, {text: [text]})).settings == {text: [text]}
        assert await store.person(person.id) == replace(person, settings={text: [text]})
        table = await store.new_table({"text": text}, {"name": text}, person.id)
        seat = await store.set_seat(SeatRow(table.id, 0, "person", None, person.id, text))
        assert await store.table(table.code) == table
        assert (table.spec, table.setup) == ({"text": text}, {"name": text})
        assert await store.seats(table.id) == [seat]
        line = text.replace("\n", " ")
        await store.add_lines(table.id, 0, [line, "next"])
        assert await store.lines(table.id) == [line, "next"]
        document = await store.new_document(person.id, "card", text, text)
        assert await store.document(document.id) == document
        for question in (store.person_by_key, store.table, store.document, store.shared):
            assert await question(text) is None


# --- the tables of the database


async def execute(store: Store, statement: Executable, values: Mapping[str, object] | None = None) -> None:
    await store.database.write(lambda connection: connection.execute(statement, values or {}).close())


def differences(connection: Connection) -> list[object]:
    options = {"version_table": schema.VERSIONS_TABLE, "compare_type": True}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), Base.metadata))


async def test_migrations_make_what_the_models_say(store: Store) -> None:
    assert await store.database.read(differences) == []


async def test_migrations_go_down_and_up(store: Store, database_url: str) -> None:
    await schema.bring_to(store.database, schema.NOTHING)
    missing = await store.database.read(differences)
    assert len([1 for difference in missing if difference[0] == "add_table"]) == len(Base.metadata.tables)
    await schema.bring_up_to_date(store.database)
    assert (await store.new_person(KEY, "Ann")).name == "Ann"


async def test_tables_that_have_not_begun_get_a_secret_for_their_seed(store: Store) -> None:
    """Whoever made them may have chosen it. Those that are played keep theirs, from which their walls follow."""
    spec = {"ruleset": {"id": "cantonese"}, "seed": 5}
    waiting, playing = [await store.new_table(spec, {}, None) for _ in range(2)]
    await store.set_state(playing.id, "playing")
    await schema.bring_to(store.database, "v2")
    await schema.bring_to(store.database, schema.LATEST)
    for id, seed in ((waiting.id, None), (playing.id, 5)):
        row = await store.find_table(TablesModel.id == id)
        assert row is not None
        assert row.spec == {**spec, "seed": seed}
        assert (row.secret is None) == (seed is not None)
        assert len(bytes.fromhex(row.secret or "")) in (0, 32)


async def test_errors_do_not_show_what_was_to_be_stored(store: Store) -> None:
    """They are logged; what is stored are tiles, and secrets of tables."""
    secret = "5e" * 32
    with pytest.raises(Conflict) as refused:
        await store.new_table({}, {}, 12345, secret=secret)
    error: BaseException | None = refused.value
    shown = ""
    while error is not None:
        shown, error = f"{shown}{error}\n{error!r}\n", error.__cause__ or error.__context__
    assert "INSERT INTO tables" in shown
    assert secret not in shown
    table = await store.new_table({}, {}, None, secret=secret)
    assert table.secret == secret
    assert secret not in repr(table)


async def test_data_is_kept_through_a_later_version_and_back(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as store:
        ann = await store.new_person(KEY, "Ann")
        table = await store.new_table({"a": 1}, {}, ann.id, [SeatRow(0, 0, "person", person=ann.id)])
        await store.add_lines(table.id, 0, ["one", "two"])
    ours = schema.MIGRATIONS
    theirs = Path(shutil.copytree(ours, tmp_path / "migrations"))
    (theirs / "versions" / "later.py").write_text(LATER_VERSION, encoding="utf-8")
    monkeypatch.setattr(schema, "MIGRATIONS", theirs)
    async with opened(database_url) as store:
        assert await store.table(table.code) == table
        assert await store.lines(table.id) == ["one", "two"]
        assert len(await store.seats(table.id)) == 1
    monkeypatch.setattr(schema, "MIGRATIONS", ours)
    with pytest.raises(CannotOpen, match="newer version") as refused:
        await Store.open(database_url)
    assert refused.value.hint is not None
    monkeypatch.setattr(schema, "MIGRATIONS", theirs)
    async with opened(database_url) as store:
        await schema.bring_to(store.database, HEAD)
    monkeypatch.setattr(schema, "MIGRATIONS", ours)
    async with opened(database_url) as store:
        assert await store.person_by_key(KEY) == ann
        assert await store.table(table.code) == table
        assert len(await store.seats(table.id)) == 1
        assert await store.lines(table.id) == ["one", "two"]
        await schema.bring_to(store.database, schema.LATEST)


async def test_older_tables_keep_their_codes_and_names_are_cleaned(database_url: str) -> None:
    hidden, name = "A\u200bnn\u3164 e\u200d\u0301", "Ann \u00e9"
    async with opened(database_url) as store:
        await schema.bring_to(store.database, "v2")
        values = {"name": hidden, "setup": json.dumps({"name": hidden, "x": 1})}
        for sql in OLD_ROWS if store.database.dialect == "sqlite" else (*OLD_ROWS, NEXT_ID):
            await execute(store, sql_text(sql), values)
        await schema.bring_up_to_date(store.database)
        ann, table = await store.person(1), await store.table("KDMWQ")
        assert ann is not None and ann.name == name
        assert table is not None and table.is_guessable and table.next == "WQTWD"
        assert table.setup == {"name": name, "x": 1}
        assert [seat.name for seat in await store.seats(table.id)] == [name]
        assert await store.lines(table.id) == ["line"]
        assert [one.name for one in await store.documents(1, ["card", "ruleset", "mod"])] == [name]
        assert (await store.new_table({}, {}, 1)).id != table.id
        with pytest.raises(Conflict):  # codes are still unique
            await execute(store, sql_text("update tables set code = 'KDMWQ'"))
        assert await store.database.read(differences) == []
        await schema.bring_to(store.database, "v2")
        wanted = sql_text("select code from tables")
        codes = await store.database.read(lambda connection: set(connection.execute(wanted).scalars()))
        assert "KDMWQ" in codes and {len(code) for code in codes} == {5, 16}


OLD_ROWS = (
    "insert into people (id, key_hash, name, settings, created, seen) values (1, 'k', :name, '{}', 1, 1)",
    "insert into tables (id, code, spec, setup, public, state, host, created, next, scores)"
    " values (1, 'KDMWQ', '{}', :setup, false, 'playing', 1, 1, 'WQTWD', '[]')",
    "insert into seats (\"table\", player, kind, person, name) values (1, 0, 'person', 1, :name)",
    "insert into lines (\"table\", first, count, text) values (1, 0, 1, 'line')",
    "insert into documents (id, person, kind, name, text, created, updated) values ('d', 1, 'card', :name, '', 1, 1)",
)
NEXT_ID = "select setval(pg_get_serial_sequence('tables', 'id'), 10)"


async def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a disk that has become read-only: SQLite opens it, and even begins transactions."""
    file = tmp_path / "tables.db"
    async with opened(str(file)):
        pass
    connect = sqlite3.connect

    def read_only(path: Path, **how: Any) -> sqlite3.Connection:
        return connect(f"file:{path}?mode=ro", uri=True, **how)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    with pytest.raises(CannotOpen, match="readonly") as refused:
        await Store.open(str(file))
    assert refused.value.hint is not None


async def test_a_migration_that_fails_changes_nothing(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as store:
        ann = await store.new_person(KEY, "Ann")
    broken = Path(shutil.copytree(schema.MIGRATIONS, tmp_path / "migrations"))
    failing = LATER_VERSION.replace('note"', 'note", 1 / 0', 1).replace(
        "op.add_column", 'op.drop_table("seats"), op.add_column'
    )
    (broken / "versions" / "later.py").write_text(failing, encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(schema, "MIGRATIONS", broken)
        with pytest.raises(ZeroDivisionError):
            await Store.open(database_url)
    async with opened(database_url) as store:
        assert await store.person_by_key(KEY) == ann
        assert await store.seats(1) == []


async def test_servers_that_start_together_make_the_tables_once(database_url: str) -> None:
    stores: list[Store] = []

    async def start() -> None:
        stores.append(await Store.open(database_url))

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(start)
    for number, store in enumerate(stores):
        await store.new_person(f"{number}{KEY}", "Ann")
        await store.close()


async def test_servers_that_make_the_same_file_wait_for_each_other(tmp_path: Path) -> None:
    """SQLite does not wait where two ask for the log of a file at once: it refuses one of them."""
    for number in range(40):
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(anyio.to_thread.run_sync, schema.prepare_file, tmp_path / f"{number}.db")


# --- databases that cannot be used


async def test_a_file_that_another_program_keeps_to_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "SECONDS_TO_WAIT", 0.1)
    with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
        other.execute("begin exclusive")
        with pytest.raises(CannotOpen, match="database is locked") as refused:
            await Store.open(str(tmp_path / "tables.db"))
    assert "another program is using the file" in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("url", "message", "hint"),
    [
        ("mysql://host/name", "databases of the kind 'mysql'", "sqlite:///"),
        ("sqlite://", "names no file", "sqlite:///"),
        ("sqlite:///:memory:", "names no file", "sqlite:///"),
        ("://", "not the URL of a database", "sqlite:///"),
        ("postgresql://host:many/name", "not the URL of a database", "sqlite:///"),
        ("postgresql://ann:secret@127.0.0.1:1/name", "ann:\\*\\*\\*@127.0.0.1:1/name cannot be used", "running"),
        ("sqlite:///no/such/folder/tables.db", "cannot be used: unable to open", "there is no folder no/such/folder"),
    ],
)
async def test_a_url_that_leads_nowhere(url: str, message: str, hint: str) -> None:
    with pytest.raises(CannotOpen, match=message) as refused:
        await Store.open(url)
    assert hint in (refused.value.hint or "")
    assert "secret" not in f"{refused.value} {refused.value.hint}"


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database at all, and long enough to be read as one " * 30, encoding="utf-8")
    with pytest.raises(CannotOpen, match="not a database") as refused:
        await Store.open(str(file))
    assert "backup" in (refused.value.hint or "")
    assert file.read_text(encoding="utf-8").startswith("not a database at all")


async def test_the_way_out_of_a_damaged_file_is_the_backup(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    async with opened(str(file)) as store:
        await store.new_person(KEY, "Ann")
    content = bytearray(file.read_bytes())
    content[100:4096] = b"\xff" * 3996  # of the first page, all but the head
    file.write_bytes(content)
    with pytest.raises(CannotOpen, match=r"malformed|not a database") as refused:
        await Store.open(str(file))
    assert "backup" in (refused.value.hint or "")


async def test_why_a_file_cannot_be_used_is_said_and_nothing_of_what_was_to_be_written(tmp_path: Path) -> None:
    async with opened(str(tmp_path / "tables.db")) as store:

        def fail(connection: Connection) -> None:
            connection.exec_driver_sql("PRAGMA query_only=ON")
            connection.execute(sql_text("insert into bans values ('person', :secret, '', 0, 0)"), {"secret": "hidden"})

        with pytest.raises(DatabaseLost, match="readonly") as refused:
            await store.database.write(fail)
        assert "hidden" not in str(refused.value)


async def test_a_database_of_another_program(tmp_path: Path) -> None:
    file = tmp_path / "theirs.db"
    with sqlite3.connect(file) as theirs:
        theirs.execute("create table people (name text)")
    with pytest.raises(CannotOpen, match="already exists"):
        await Store.open(str(file))


@pytest.mark.xdist_group("postgresql")
async def test_a_database_that_is_started_again_is_used_again(postgresql_cluster: Cluster) -> None:
    async with opened(postgresql_cluster.fresh()) as store:
        ann = await store.new_person(KEY, "Ann")
        postgresql_cluster.stop()
        with pytest.raises(DatabaseLost):
            await store.person_by_key(KEY)
        with pytest.raises(DatabaseLost):
            await store.update_person(ann.id, name="Anna")
        postgresql_cluster.start()
        assert await store.person_by_key(KEY) == ann
