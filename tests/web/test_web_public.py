"""A server that strangers reach, over the wire: what one address may have, how long things are kept, who may read them.

The tests speak as a proxy on this machine does, which tells from where somebody comes.
"""

import asyncio
import json
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from processes import HANGS
from sqlalchemy import Update, update
from web_asking import Asker
from web_client import FAST, PERSON, Page, Plain, Refusal, page
from web_server import Server, serving

from tilewright.cli.commands.table.serve import kept_for
from tilewright.web.protocol.messages import setup_of
from tilewright.web.protocol.moments import encoded
from tilewright.web.protocol.settings import DAY, KEPT_IN_PUBLIC, MOST_DELAY, Limits
from tilewright.web.storage.models import PeopleModel, TablesModel
from tilewright.web.storage.store import Store
from tilewright.web.tables.broadcast import DelayedMoments, ViewerMoment
from tilewright.web.workshop import SIMULATIONS_OF_ONE

pytestmark = pytest.mark.slow

PUBLIC = ("--public", "--host", "127.0.0.1")
TEXT = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\n"
ALONE = [PERSON, FAST, FAST, FAST]
CANTONESE: Plain = {"ruleset": {"id": "cantonese"}, "hands": 1, "seed": 3}
FLOOD, AT_ONCE = 160, 24
StartServer = Callable[..., Server]


@pytest.fixture(scope="module")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("public"), options=PUBLIC) as server:
        yield server


# --- work


def own(number: int, text: str = TEXT) -> Plain:
    """Rules that nobody has asked about."""
    return {"ruleset": {"name": "mine", "text": f"{text}# {number}\n"}}


def flood(asker: Asker, request: Callable[[int], tuple[str, str, Any]]) -> dict[int, set[str]]:
    """Much is asked at once: the codes of what was refused, by status; both languages say why."""

    def ask(number: int) -> tuple[int, str]:
        status, found = asker.raw(*request(number))
        if status < 400:
            return status, ""
        error = json.loads(found)["error"]
        assert all(error["message"][language] for language in ("en", "zh"))
        return status, str(error["code"])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(ask, range(FLOOD)))
    return {status: {code for other, code in answers if other == status} for status, _ in answers}


REQUESTS = {"about": 0, "rulebook": 1_000, "own-rules": 2_000}  # which rules are meant
NO_RULES = "tilewright: 1\n"  # whose mistakes are soon found


@pytest.mark.parametrize("name", REQUESTS)
def test_work_that_needs_no_person_has_the_rate_of_an_address(public_server: Server, name: str) -> None:
    """What is known already costs nothing, and others are served."""
    number = 10 + list(REQUESTS).index(name)
    eve, bob = [Asker(public_server.url, address=f"192.0.2.{n}") for n in (number, 100 + number)]
    known = ("POST", "/api/about", {"spec": {"ruleset": {"id": "cantonese"}}})
    assert bob.do(*known)["id"] == "cantonese"
    found = flood(eve, lambda at: ("POST", f"/api/{name}", {"spec": own(REQUESTS[name] + at, NO_RULES)}))
    assert found[400] == {"bad-spec"}
    assert found[429] == {"too-fast"}
    assert found.get(503, set()) <= {"too-many"}
    assert eve.do(*known)["id"] == "cantonese"
    assert bob.raw("POST", f"/api/{name}", {"spec": own(REQUESTS[name])})[0] == 200


@pytest.mark.anyio
async def test_hands_of_replays_have_the_rate_of_an_address(public_server: Server) -> None:
    async with page(public_server.socket) as ann:
        table = await ann.make(CANTONESE, ALONE, sit=0)
        await table.play()
    path = f"/api/replays/{table.code}/hands"
    eve, bob = [Asker(public_server.url, address=f"192.0.2.{n}") for n in (20, 120)]
    found = await asyncio.to_thread(
        flood, eve, lambda number: ("GET", f"{path}/{1 + number // 100}?eye={number % 100}", None)
    )
    assert found[429] == {"too-fast"}
    assert (await asyncio.to_thread(bob.raw, "GET", f"{path}/1?eye=all"))[0] == 200


@pytest.mark.anyio
async def test_one_address_does_not_have_all_simulations(public_server: Server) -> None:
    async with page(public_server.socket) as ann:
        eve, bob = [Asker(public_server.url, ann.key, address=f"192.0.2.{n}") for n in (30, 130)]
    asked = {"text": TEXT, "games": 1_000}
    with ExitStack() as open_streams:
        for _ in range(SIMULATIONS_OF_ONE):
            open_streams.enter_context(await asyncio.to_thread(begun, eve, asked))
        assert await asyncio.to_thread(eve.refused, "POST", "/api/workshop/simulate", asked) == (503, "busy")
        open_streams.enter_context(await asyncio.to_thread(begun, bob, asked))


def begun(asker: Asker, asked: Plain) -> Any:
    """A simulation that has told of its first games, and goes on."""
    headers = {"authorization": f"Bearer {asker.key}", "x-forwarded-for": asker.address or ""}
    answer = urlopen(Request(f"{asker.url}/api/workshop/simulate", json.dumps(asked).encode(), headers), timeout=HANGS)
    assert json.loads(answer.readline())["done"] > 0
    return answer


def test_a_server_for_oneself_is_not_strict(web_server: Server) -> None:
    found = flood(
        Asker(web_server.url),
        lambda number: ("POST", "/api/about", {"spec": {"ruleset": {"name": "none", "text": f"# {number}"}}}),
    )
    assert found == {400: {"bad-spec"}}


@pytest.mark.anyio
async def test_made_up_keys_share_what_an_address_may_keep_busy(public_server: Server) -> None:
    most = Limits().untrusted_from
    pages = [await Page(public_server.socket, address="198.51.100.7").open() for _ in range(most + 1)]
    try:
        for one in pages[:most]:
            assert (await one.make(own(1), ALONE, sit=0)).me == 0
        with pytest.raises(Refusal, match="too-many") as refused:
            await pages[most].make(own(1), ALONE, sit=0)
        assert refused.value.said["message"].keys() == {"en", "zh", "ja"}
        assert (await pages[most].make(CANTONESE, ALONE, sit=0)).me == 0, "others' rules are there for everybody"
        async with page(public_server.socket, address="198.51.100.99") as other:
            assert (await other.make(own(1), ALONE, sit=0)).me == 0
    finally:
        for one in pages:
            await one.close()


@pytest.mark.anyio
async def test_made_up_keys_share_what_an_address_may_make(public_server: Server) -> None:
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(page(public_server.socket, address="203.0.113.7")) for _ in range(5)]
        codes = await asyncio.gather(*(codes_of_tables(one, 10) for one in pages))
        refused = [code for of_one in codes for code in of_one]
        assert Counter(refused).keys() == {"bad-spec", "too-many"}
        async with page(public_server.socket, address="203.0.113.8") as other:
            assert await codes_of_tables(other, 1) == ["bad-spec"]


async def codes_of_tables(one: Page, count: int) -> list[str]:
    """Why tables are refused that cannot be made."""
    codes = []
    for _ in range(count):
        with pytest.raises(Refusal) as refused:
            await one.make({"ruleset": {"id": "nobody_s"}}, ALONE, sit=0)
        codes.append(refused.value.code)
    return codes


# --- those who look on


@pytest.mark.anyio
async def test_who_looks_on_is_not_endlessly_behind(public_server: Server) -> None:
    async with page(public_server.socket) as ann:
        with pytest.raises(Refusal, match="bad-message"):
            await ann.make(CANTONESE, ALONE, sit=0, spectator_delay=MOST_DELAY + 1)
        table = await ann.make(CANTONESE, ALONE, sit=0, spectator_delay=MOST_DELAY)
        assert table.info["setup"]["spectator_delay"] == MOST_DELAY
    older = {"seats": [{"kind": "person"}], "spectator_delay": 1_000}
    assert setup_of(older).spectator_delay == MOST_DELAY, "a table of an older version goes on"


def test_late_moments_come_as_they_were() -> None:
    late = DelayedMoments(2)
    views = [encoded({"hand": "🀄" * seq, "seat": "E"}) for seq in range(4)]
    told = [ViewerMoment(seq, view, [], (1,), {"hand": seq}) for seq, view in enumerate(views)]
    for one in told:
        late.add(one)
        late.answers += 1
    assert late.due(False) == told[:3]
    assert late.due(True) == told[3:]


# --- what is kept


@pytest.mark.anyio
async def test_what_is_old_goes_by_itself(start_server: StartServer, tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    kept, gone = await old_database(file)
    server = start_server(database=str(file), options=(*PUBLIC, "--keep", "100"))
    store = await Store.open(str(file))
    try:
        async with asyncio.timeout(HANGS):
            while await left_of(store, gone):
                await asyncio.sleep(0.05)
        assert await left_of(store, kept) == kept
    finally:
        await store.close()
    assert "Traceback" not in server.said


async def old_database(file: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Tables by code, people by key, and documents by id: those that are kept for a hundred days, and the others."""
    store = await Store.open(str(file))
    names = ("here", "new", "guest", "author", "forgotten", "host")
    days = {"here": 0, "new": 20, "guest": 40, "author": 40, "forgotten": 200, "host": 200}
    people = {name: await store.new_person(f"{name:x<40}", name) for name in names}
    tables = {name: await store.new_table({}, {}, people["host"].id) for name in ("over", "long over", "left")}
    for name in ("over", "long over"):
        await store.set_state(tables[name].id, "over")
    documents = [await store.new_document(people[name].id, "card", "mine", "") for name in ("author", "forgotten")]
    now = time.time()
    for name, person in people.items():
        seen = now - days[name] * DAY
        await change(store, update(PeopleModel).where(PeopleModel.id == person.id).values(seen=seen))
    for name, ago in (("over", 99), ("long over", 101)):
        await change(
            store, update(TablesModel).where(TablesModel.id == tables[name].id).values(finished=now - ago * DAY)
        )
    await change(store, update(TablesModel).where(TablesModel.id == tables["left"].id).values(created=now - 101 * DAY))
    await store.close()
    stays = {tables["over"].code: "table", documents[0].id: "document"}
    goes = {tables["long over"].code: "table", tables["left"].code: "table", documents[1].id: "document"}
    stays |= {f"{name:x<40}": "person" for name in ("here", "new", "author", "host")}
    return stays, goes | {f"{name:x<40}": "person" for name in ("guest", "forgotten")}


async def change(store: Store, statement: Update) -> None:
    await store.database.write(lambda connection: connection.execute(statement).close())


async def left_of(store: Store, wanted: Mapping[str, str]) -> dict[str, str]:
    """Those that are still there."""
    find = {"table": store.table, "person": store.person_by_key, "document": store.document}
    return {name: kind for name, kind in wanted.items() if await find[kind](name) is not None}


@pytest.mark.anyio
async def test_who_comes_is_seen(start_server: StartServer) -> None:
    server = start_server()
    async with page(server.socket, name="Ann") as ann:
        key = ann.key
    server.stop()
    file = server.folder / "tables.db"
    store = await Store.open(str(file))
    await change(store, update(PeopleModel).values(seen=0.0))
    await store.close()
    server.start()
    async with page(server.socket, key):
        pass
    server.stop()
    store = await Store.open(str(file))
    assert await store.purge_people(time.time() - DAY) == 0
    await store.close()


def test_a_server_for_oneself_keeps_everything() -> None:
    assert kept_for(None, public=False) is None
    assert kept_for(None, public=True) == KEPT_IN_PUBLIC
    assert kept_for(7, public=False) == 7 * DAY
    assert kept_for(0, public=True) is None


def test_nobody_else_reads_the_database(start_server: StartServer) -> None:
    server = start_server()
    files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in server.folder.glob("tables.db*")}
    assert files == dict.fromkeys(("tables.db", "tables.db-wal", "tables.db-shm", "tables.db.lock"), 0o600)
