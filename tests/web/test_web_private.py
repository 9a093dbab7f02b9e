"""Private tables stay private, over the wire: codes that cannot be guessed or walked, invite codes, and spectators, who
keep nothing awake and take no seat.

The tests of codes speak as a proxy on this machine does, which tells from where somebody comes.
"""

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import HANGS
from test_web_registry import OWN, nothing_played, running
from web_asking import Asker
from web_client import FAST, PERSON, Page, Plain, Refusal, Table, page, together
from web_server import Cluster, Server, serving

from tilewright.web.access import Access, Seeker
from tilewright.web.protocol.limits import Misses
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.settings import Settings
from tilewright.web.storage.models import LETTERS
from tilewright.web.storage.rows import SeatRow
from tilewright.web.storage.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
StartServer = Callable[..., Server]
SPEC: Plain = {"ruleset": {"id": "cantonese"}, "hands": 1, "seed": 3}
TWO = [PERSON, PERSON, FAST, FAST]
ALONE = [PERSON, FAST, FAST, FAST]
PUBLIC = ("--public", "--host", "127.0.0.1")
MISSES = 20  # wrong codes at once
QUIET = 2.0  # seconds in which bots would have moved many times
LONG = "B" * 20


@pytest.fixture(scope="module")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("public"), options=PUBLIC) as server:
        yield server


async def two_play(ann: Page, bob: Page, **setup: Any) -> tuple[Table, Table]:
    """A private game of two people, at which Ann is the host."""
    first = await ann.make(SPEC, TWO, sit=0, **setup)
    second = await bob.join(first.code)
    await second.say("sit", player=1)
    for table in (first, second):
        await table.until(lambda: table.view is not None)  # noqa: B023
    return first, second


# --- codes


def wrong(number: int) -> str:
    """A code of the right form that no table has."""
    return LONG[:-2] + LETTERS[number // 17] + LETTERS[number % 17]


WALKS: dict[str, Callable[[str], tuple[str, str, Any]]] = {
    "table": lambda code: ("GET", f"/api/tables/{code}", None),
    "invite": lambda code: ("GET", f"/api/invites/{code[-8:]}", None),
    "replay": lambda code: ("GET", f"/api/replays/{code}", None),
    "hand of a replay": lambda code: ("GET", f"/api/replays/{code}/hands/1", None),
    "log": lambda code: ("GET", f"/api/replays/{code}/log", None),
    "rulebook": lambda code: ("POST", "/api/rulebook", {"table": code}),
    "rules": lambda code: ("GET", f"/api/about/{'0' * 64}?table={code}", None),
    "faces": lambda code: ("GET", f"/api/faces/{'0' * 64}.svg?table={code}", None),
    "shared card": lambda code: ("GET", f"/api/cards/shared/{code}", None),
    "shared ruleset": lambda code: ("GET", f"/api/documents/shared/{code}", None),
}


@pytest.mark.parametrize("walk", WALKS)
async def test_a_walk_of_codes_ends(public_server: Server, walk: str) -> None:
    """Then also right codes are refused, so that nobody learns which they are; others are not hindered, nor are the
    people of a table."""
    address = f"192.0.2.{[*WALKS].index(walk) + 1}"
    async with page(public_server.socket, address=address) as ann, page(public_server.socket) as far:
        table = await ann.make(SPEC, ALONE, sit=0)
        eve = Asker(public_server.url, far.key, address)
        codes = [eve.refused(*WALKS[walk](wrong(number)))[1] for number in range(MISSES + 5)]
        assert "too-many" not in codes[:MISSES]
        assert codes[MISSES:] == ["too-many"] * 5
        path = f"/api/tables/{table.code}"
        assert eve.refused("GET", path) == (429, "too-many")
        with pytest.raises(Refusal, match="too-many"):
            async with page(public_server.socket, address=address) as other:
                await other.join(table.code)
        assert Asker(public_server.url, ann.key, address).do("GET", path)["me"] == 0
        back = await ann.again()
        assert back.tables[table.code].me == 0
        await back.close()


async def test_a_walk_over_the_socket_ends_also_with_new_addresses(public_server: Server) -> None:
    async with page(public_server.socket, address="198.51.100.1") as eve:
        assert eve.key is not None
        codes = []
        for number in range(MISSES + 3):
            with pytest.raises(Refusal) as refused:
                await eve.join(wrong(number))
            codes.append(refused.value.code)
        assert codes == ["unknown-table"] * MISSES + ["too-many"] * 3
        elsewhere = Asker(public_server.url, eve.key, "198.51.100.2")
        assert elsewhere.refused("GET", f"/api/tables/{LONG}") == (429, "too-many")
    async with page(public_server.socket, address="198.51.100.1") as other:
        with pytest.raises(Refusal, match="too-many"):
            await other.join(LONG)
    async with page(public_server.socket, address="198.51.100.3") as other:
        with pytest.raises(Refusal, match="unknown-table"):
            await other.join(LONG)


async def test_a_guessable_code_of_an_older_version_is_for_the_people_of_the_table(start_server: StartServer) -> None:
    server = start_server()
    async with page(server.socket) as ann:
        codes = {}
        for public in (False, True):
            table = await ann.make(SPEC, ALONE, sit=0, public=public)
            codes[table.code] = "WQTWD" if public else "KDMWQ"
    server.stop()
    with sqlite3.connect(server.folder / "tables.db") as connection:
        for code, short in codes.items():
            connection.execute("update tables set code = ? where code = ?", [short, code])
    server.start()
    async with page(server.socket, ann.key) as ann, page(server.socket) as eve:
        mine = await ann.join("KDMWQ")
        assert mine.me == 0 and mine.view is not None
        with pytest.raises(Refusal, match="unknown-table"):
            await eve.join("KDMWQ")
        asker = Asker(server.url, eve.key)
        assert asker.refused("GET", "/api/tables/KDMWQ") == (404, "unknown-table")
        assert asker.refused("GET", "/api/replays/KDMWQ") == (404, "unknown-replay")
        assert asker.refused("POST", "/api/rulebook", {"table": "KDMWQ"}) == (404, "unknown-rules")
        assert (await eve.join("KDMWQ", mine.token)).me == 0, "the link of a seat is secret enough"
        assert (await eve.join("WQTWD")).me is None


async def test_codes_tried_at_once_are_all_counted(tmp_path: Path) -> None:
    store = await Store.open(str(tmp_path / "tables.db"))
    try:
        access = Access(store, Misses(Settings(public=True)))
        table = await store.new_table({}, {}, None, [SeatRow(0, 0, "person")])
        seeker = Seeker("192.0.2.1", seat="")
        assert not await access.belongs(table, seeker), "nobody made it, which is not who has no key"
        asked = [access.invited(wrong(number), seeker) for number in range(100)]
        tried = await asyncio.gather(*asked, return_exceptions=True)
        codes = Counter(one.code for one in tried if isinstance(one, Refused))
        assert codes == {"unknown-table": MISSES, "too-many": 100 - MISSES}
    finally:
        await store.close()


# --- invite codes


async def test_an_invite_code_leads_to_the_table(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        table = await ann.make(SPEC, TWO, sit=0)
        asker = Asker(web_server.url, bob.key)
        with pytest.raises(Refusal, match="unknown-table"):
            await bob.ask("invite", table=table.code)
        other = await bob.join(table.code)
        with pytest.raises(Refusal, match="not-host"):
            await other.say("invite")
        first, second = (await table.say("invite"))["code"], await table.say("invite")
        assert first != second["code"] and second["seconds"] == 600
        assert asker.refused("GET", f"/api/invites/{first}") == (404, "unknown-table")
        assert asker.do("GET", f"/api/invites/{second['code'].lower()}") == {"table": table.code}
        await table.say("start")
        assert asker.refused("GET", f"/api/invites/{second['code']}") == (404, "unknown-table")
        with pytest.raises(Refusal, match="not-allowed"):
            await table.say("invite")


@pytest.mark.xdist_group("postgresql")
async def test_an_invite_code_is_known_to_all_servers(start_server: StartServer, postgresql_cluster: Cluster) -> None:
    database = postgresql_cluster.fresh()
    one, two = start_server(database=database), start_server(database=database)
    async with page(one.socket) as ann, page(two.socket) as bob:
        table = await ann.make(SPEC, TWO, sit=0)
        code = (await table.say("invite"))["code"]
        assert Asker(two.url, bob.key).do("GET", f"/api/invites/{code}") == {"table": table.code}
        one.kill()
        assert Asker(two.url, bob.key).do("GET", f"/api/invites/{code}") == {"table": table.code}


async def test_a_stranger_takes_no_seat_in_a_private_game(web_server: Server) -> None:
    """Only who was invited, whatever the link says."""
    sockets = [page(web_server.socket) for _ in range(3)]
    async with sockets[0] as ann, sockets[1] as bob, sockets[2] as eve:
        first, second = await two_play(ann, bob)
        watching = await eve.join(first.code)
        elsewhere = await eve.make(SPEC, TWO, sit=0)
        other = (await elsewhere.say("invite"))["code"]
        await second.say("stand")
        await first.say("set", player=1, seat=PERSON)
        for invite in (None, "", "BCDFGHJK", other):
            with pytest.raises(Refusal, match="not-allowed"):
                await watching.say("sit", player=1, invite=invite)
        code = (await first.say("invite"))["code"]
        await second.say("sit", player=1, invite=code.lower())
        assert second.me == 1
        await together(first.play(), second.play())


async def test_a_free_seat_of_a_public_game_is_for_everybody(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        first, second = await two_play(ann, bob, public=True)
        await second.say("stand")
        await first.say("set", player=1, seat=PERSON)
        await second.say("sit", player=1)
        assert second.me == 1


# --- spectators keep nothing awake


async def quiet(table: Table) -> int:
    """Wait until nothing is played any more, though the game is not over; what was played last."""
    seq = -1
    while seq != table.seq:
        seq = table.seq
        await asyncio.sleep(QUIET)
    assert table.info["state"] == "playing"
    return seq


async def test_when_the_players_have_left_nothing_moves(web_server: Server) -> None:
    """However long somebody watches; nobody is replaced, and the game continues when they are back."""
    pages = [page(web_server.socket) for _ in range(3)]
    async with pages[0] as ann, pages[1] as bob, pages[2] as eve:
        first, second = await two_play(ann, bob, away_seconds=0.8, spectator_delay=0)
        watching = await eve.join(first.code)
        await watching.until(lambda: watching.view is not None)
        await together(ann.close(), bob.close())
        await watching.until(lambda: not any(seat["here"] for seat in watching.info["seats"][:2]))
        await quiet(watching)
        assert [seat["played_by"] for seat in watching.info["seats"]] == ["person", "person", "bot", "bot"]
        with pytest.raises(Refusal, match="seat-taken"):
            await watching.say("sit", player=0)
        with pytest.raises(Refusal, match="not-host"):
            await watching.say("set", player=0, seat=FAST)
        back, again = await ann.again(), await bob.again()
        first, second = back.tables[first.code], again.tables[second.code]
        await together(first.play(), second.play())
        await together(back.close(), again.close())


async def test_bots_play_on_while_their_host_is_there_and_no_longer(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as eve:
        table = await ann.make(SPEC | {"hands": 9}, [FAST] * 4, spectator_delay=0, bot_seconds=0.1)
        watching = await eve.join(table.code)
        await table.until(lambda: table.seq > 3)
        await ann.close()
        seq = await quiet(watching)
        back = await ann.again()
        await watching.until(lambda: watching.seq > seq + 3)
        await back.close()


async def test_a_spectator_opens_no_game_and_keeps_none_open(tmp_path: Path) -> None:
    """They are told what is stored, and see the table when its people are back."""
    async with running(tmp_path, guests=1) as (url, router), page(url) as eve:
        async with page(url) as ann:
            table = await ann.make(OWN, ALONE, sit=0, spectator_delay=0)
            watching = await eve.join(table.code)
            await watching.until(lambda: watching.view is not None)
        await watching.until(lambda: watching.view is None)
        await nothing_played(router)
        assert (watching.info["state"], watching.info["seats"][0]["here"]) == ("playing", False)
        async with page(url) as bob:  # another game may have the process meanwhile
            other = await bob.make(OWN, ALONE, sit=0)
            assert other.me == 0
        async with asyncio.timeout(HANGS):
            while other.code in router.tables.owned:
                await asyncio.sleep(0.05)
        async with page(url) as late:
            assert (await late.join(table.code)).view is None
            await asyncio.sleep(0.5)
        await nothing_played(router)
        watching.seq = 0
        async with page(url, ann.key) as ann:
            table = await ann.join(table.code)
            assert table.view is not None
            await watching.until(lambda: watching.view is not None)
            await table.play()
        await nothing_played(router)


async def test_a_spectator_starts_no_table_of_bots(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as eve:
        table = await ann.make(SPEC, [PERSON, FAST, FAST, FAST])
        await table.say("set", player=0, seat=FAST)
        await ann.close()
        watching = await eve.join(table.code)
        await asyncio.sleep(QUIET)
        assert watching.info["state"] == "waiting"


# --- the host and spectators


async def test_the_host_turns_spectators_off_and_on(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as eve:
        table = await ann.make(SPEC | {"hands": 2}, ALONE, sit=0, spectator_delay=0)
        watching = await eve.join(table.code)
        await watching.until(lambda: watching.view is not None)
        with pytest.raises(Refusal, match="not-host"):
            await watching.say("spectators", on=False)
        await table.say("spectators", on=False)
        await watching.until(lambda: watching.view is None)
        steps = watching.steps
        await table.play(until=lambda: table.seq > 20)
        assert watching.steps == steps
        assert (await watching.page.join(table.code)).view is None
        await table.say("spectators", on=True)
        watching.seq = table.seq
        await table.play(until=lambda: watching.view is not None)
        await table.say("spectators", on=False)
        await table.play()
        code = (await table.say("again"))["next"]
        await table.until(lambda: table.info["next"] == code)
        await asyncio.sleep(0.2)
        assert watching.info["next"] is None, "nobody follows the others without their link"
        assert Asker(web_server.url, eve.key).do("GET", f"/api/tables/{table.code}")["next"] is None


async def test_the_host_removes_a_spectator(start_server: StartServer) -> None:
    """Who is removed does not come back, also not after a restart, nor to the table after."""
    server = start_server()
    pages = [page(server.socket, name=name) for name in ("Ann", "Bob", "Eve")]
    async with pages[0] as ann, pages[1] as bob, pages[2] as eve:
        table = await ann.make(SPEC, ALONE, sit=0)
        friend, watching = await bob.join(table.code), await eve.join(table.code)
        await table.until(lambda: len(table.info["spectators"]) == 2)
        numbers = {one["name"]: one["number"] for one in table.info["spectators"]}
        assert numbers.keys() == {"Bob", "Eve"}
        assert friend.info["spectators"] == []
        with pytest.raises(Refusal, match="not-host"):
            await friend.say("remove", spectator=numbers["Eve"])
        with pytest.raises(Refusal, match="not-allowed"):
            await table.say("remove", spectator=99)
        await table.say("remove", spectator=numbers["Eve"])
        assert (await eve.error())["code"] == "removed"
        await table.until(lambda: table.info["watching"] == 1)
        for say in ("sit", "stand"):
            with pytest.raises(Refusal, match="unknown-table"):
                await watching.say(say, **({"player": 0} if say == "sit" else {}))
        await table.play()
        code = (await table.say("again"))["next"]
    server.stop()
    server.start()
    async with page(server.socket, eve.key) as eve, page(server.socket, bob.key) as bob:
        for removed in (table.code, code):
            with pytest.raises(Refusal, match="removed"):
                await eve.join(removed)
            assert Asker(server.url, eve.key).refused("GET", f"/api/tables/{removed}") == (403, "removed")
            assert (await bob.join(removed)).me is None


async def test_players_chat_until_the_host_switches_it_off(web_server: Server) -> None:
    async with page(web_server.socket, name="Ann") as ann, page(web_server.socket, name="Bob") as bob:
        table = await ann.make(SPEC, [PERSON, PERSON, FAST, FAST], sit=0)
        other = await bob.join(table.code)
        with pytest.raises(Refusal, match="not-seated"):
            await other.say("chat", text="hello")
        await table.say("chat", text="  hel\u202elo ")
        for wrong in ({}, {"text": " "}, {"text": "a", "phrase": "hello"}, {"phrase": "rude"}):
            with pytest.raises(Refusal, match="bad-message"):
                await table.say("chat", **wrong)
        line = {"player": 0, "name": "Ann", "phrase": None, "text": "hello"}
        assert (await bob.loose.get())["line"] == line
        back = await bob.again()
        try:
            assert (await back.join(table.code)).page.hello and '"chat":[{"player":0' in "".join(back.heard)
            with pytest.raises(Refusal, match="not-host"):
                await back.tables[table.code].say("chatting", on=False)
        finally:
            await back.close()
        with pytest.raises(Refusal, match="too-fast"):
            for _ in range(9):
                await once(table, phrase="thanks")
        await table.say("chatting", on=False)
        await table.until(lambda: not table.info["setup"]["chat"])
        with pytest.raises(Refusal, match="not-allowed"):
            await table.say("chat", phrase="bye")


async def once(table: Table, **what: str) -> None:
    """Say it once; the client of tests would wait and say it again."""
    await table.page.send(json.dumps({"say": "chat", "table": table.code, **what}))
    while not table.page.loose.empty():
        if (message := table.page.loose.get_nowait())["say"] == "error":
            raise Refusal(message)
    await asyncio.sleep(0.05)


async def test_who_leaves_before_the_game_has_no_seat(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        table = await ann.make(SPEC, [PERSON, PERSON, PERSON, FAST], sit=0)
        other = await bob.join(table.code)
        for leave in (lambda: other.say("leave"), bob.close):
            await (await bob.join(table.code)).say("sit", player=1)
            await table.until(lambda: table.info["seats"][1]["taken"])
            await leave()
            await table.until(lambda: not table.info["seats"][1]["taken"])
