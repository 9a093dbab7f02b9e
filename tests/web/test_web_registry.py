"""Tables that come and go at a server: put away when nobody looks, taken by another server and taken back."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
import uvicorn
from web_client import FAST, PERSON, SECONDS, Plain, Refusal, Table, easy, page, together

from tilewright.web.app import make_app
from tilewright.web.connections import BoundedRequests, BoundedSocket
from tilewright.web.protocol.settings import MOST_DELAY, Settings
from tilewright.web.router import TableRouter
from tilewright.web.storage.rows import DatabaseLost
from tilewright.web.workers.pool import WorkerGame, WorkerLost
from tilewright.web.workers.wire import unpacked

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SPEC: Plain = {"ruleset": {"id": "cantonese"}, "hands": 1, "seed": 3}
ALONE = [PERSON, FAST, FAST, FAST]
TEXT = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\n"
SECONDS_TO_END = 20  # for what is open, once a server ends
OWN: Plain = {"ruleset": {"name": "mine", "text": TEXT}, "hands": 1, "seed": 3}


@asynccontextmanager
async def running(folder: Path, guests: int = 2, public: bool = False) -> AsyncIterator[tuple[str, TableRouter]]:
    """A server in this process, at which little lasts long."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        kept = Settings(str(folder / "tables.db"), port=port, guests=guests, public=public)
        settings = replace(kept, idle=0.2, lease=1.5, pause=0.2)
        app = make_app(settings)
        config = uvicorn.Config(
            app,
            log_level="warning",
            lifespan="on",
            http=BoundedRequests,
            ws=BoundedSocket,
            access_log=False,
            timeout_graceful_shutdown=SECONDS_TO_END,
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve([listener]))
        while not server.started:
            assert not serving.done()
            await asyncio.sleep(0.02)
        try:
            yield f"ws://127.0.0.1:{port}/socket", app.state.router
        finally:
            server.should_exit = True
            async with asyncio.timeout(2 * SECONDS_TO_END):
                await serving


async def test_tables_are_put_away_and_taken_and_come_back(tmp_path: Path) -> None:
    async with running(tmp_path) as (url, router):
        async with page(url) as ann:
            table = await ann.make(SPEC, ALONE, sit=0)
            await table.play(until=lambda: table.seq > 12)
            await table.until(lambda: table.question is not None or table.over)
            code, view = table.code, table.view
            actor = router.tables.owned[code]
        async with asyncio.timeout(SECONDS):
            while code in router.tables.owned:
                await asyncio.sleep(0.05)
            while await router.store.owner(actor.row.id) is not None:
                await asyncio.sleep(0.05)
        async with page(url, ann.key) as ann:
            table = await ann.join(code)
            await table.until(lambda: table.view is not None)
            assert table.view == view
            await taken_over(router, actor.row.id)
            table.seq = 0
            await table.until(lambda: table.seq == 1)
            assert table.view == view
            await table.play()


async def test_the_next_hand_begins_when_time_is_up(tmp_path: Path) -> None:
    """Though nobody who looks at the result has gone on."""
    async with running(tmp_path) as (url, _), page(url) as ann, page(url) as bob:
        first = await ann.make({**SPEC, "hands": 2}, [PERSON, PERSON, FAST, FAST], sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await together(*(one.play(partial(bool, one.results)) for one in (first, second)))
        assert all(any('"of":200}' in text for text in one.heard) for one in (ann, bob))
        for one in (first, second):
            await one.until(lambda one=one: one.pause is None)
            assert one.view is not None and one.view["hand"] == 2


async def taken_over(router: TableRouter, table: int, address: str = "http://127.0.0.1:9#nothing") -> None:
    """Another server has it, and says nothing any more."""
    await router.store.register("other", address, 2.0)
    await router.store.release(table, router.tables.worker)
    assert await router.store.claim(table, "other", 2.0)


async def test_a_table_that_is_looked_for_twice_is_played_once(tmp_path: Path) -> None:
    async with running(tmp_path) as (url, router):
        async with page(url) as ann:
            code = (await ann.make(SPEC, ALONE, sit=0)).code
        async with asyncio.timeout(SECONDS):
            while code in router.tables.owned:
                await asyncio.sleep(0.05)
        row = await router.store.table(code)
        assert row is not None
        async with page(url) as eve:
            (client,) = router.clients.values()
            first, second = await asyncio.gather(router.tables.take(row, client), router.tables.take(row, client))
            assert first is second is router.tables.owned[code]
            assert eve.tables == {}


async def test_a_table_is_not_blamed_for_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the database fails, the table goes on as soon as it works again."""

    async def lost(*asked: object, **more: object) -> None:
        raise DatabaseLost("the disk is full")

    async with running(tmp_path) as (url, router), page(url) as ann:
        table = await ann.make(SPEC, ALONE, sit=0)
        for _ in range(4):
            await table.until(table.may_answer)
            with monkeypatch.context() as patched:
                patched.setattr(router.store, "add_lines", lost)
                with pytest.raises(Refusal, match="broken"):
                    await table.answer(easy(table.question or {}))
            table.seq = 0
            await table.until(lambda: table.seq == 1)
        await table.play()


async def test_a_server_that_cannot_write_is_not_healthy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although it can read. It writes once for all who ask at the same time."""
    writes = 0

    async def lost(*asked: object, **more: object) -> None:
        nonlocal writes
        writes += 1
        raise DatabaseLost("attempt to write a readonly database")

    async with running(tmp_path) as (url, router):

        def asked() -> int:
            try:
                with urlopen(f"http{url.removeprefix('ws').removesuffix('/socket')}/api/health") as answer:
                    return int(answer.status)
            except HTTPError as error:
                return error.code

        assert await asyncio.to_thread(asked) == 200
        renew, counted = router.store.renew, 0

        async def counting(*values: Any) -> frozenset[int]:
            nonlocal counted
            counted += 1
            return await renew(*values)

        monkeypatch.setattr(router.store, "renew", counting)
        router.tables.renewed = 0.0
        assert set(await asyncio.gather(*(asyncio.to_thread(asked) for _ in range(20)))) == {200}
        assert counted <= 2
        monkeypatch.setattr(router.store, "renew", lost)
        router.tables.renewed = 0.0
        assert await asyncio.to_thread(asked) == 503 and writes


async def test_a_table_that_no_house_takes_is_not_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no process starts for a while, games are refused, and go on later."""

    async def lost(*asked: object, **more: object) -> None:
        raise WorkerLost("no process starts")

    async with running(tmp_path) as (url, router):
        async with page(url) as ann:
            table = await ann.make(SPEC, ALONE, sit=0)
            await table.play(until=lambda: table.seq > 6)
        async with asyncio.timeout(SECONDS):
            while table.code in router.tables.owned:
                await asyncio.sleep(0.05)
        with monkeypatch.context() as patched:
            patched.setattr(router.tables.pool, "open", lost)
            async with page(url, ann.key) as ann:
                with pytest.raises(Refusal, match="broken"):
                    await ann.join(table.code)
        router.tables.failures.clear()  # a minute later
        async with page(url, ann.key) as ann:
            table = await ann.join(table.code)
            await table.play()


async def test_a_table_is_not_put_away_while_it_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(tmp_path) as (url, router):
        async with page(url) as ann:
            table = await ann.make(SPEC, ALONE, sit=0)
        async with asyncio.timeout(SECONDS):
            while table.code in router.tables.owned:
                await asyncio.sleep(0.05)
        opening = router.tables.pool.open

        async def open_slowly(*args: Any, **options: Any) -> WorkerGame:
            await asyncio.sleep(2 * router.settings.idle)
            return await opening(*args, **options)

        monkeypatch.setattr(router.tables.pool, "open", open_slowly)
        async with page(url, ann.key) as ann:
            table = await ann.join(table.code)
            await table.play(until=lambda: table.seq > 5)


async def test_a_table_for_which_there_is_no_room_is_refused_and_goes_on_later(tmp_path: Path) -> None:
    async with running(tmp_path, guests=1) as (url, router):
        async with page(url) as ann:
            table = await ann.make(OWN, ALONE, sit=0)
        async with asyncio.timeout(SECONDS):
            while table.code in router.tables.owned:
                await asyncio.sleep(0.05)
        async with page(url) as bob, page(url, ann.key) as ann:
            other = await bob.make(OWN, ALONE, sit=0)
            for _ in range(5):
                with pytest.raises(Refusal, match="too-many"):
                    await ann.join(table.code)
            await bob.close()
            async with asyncio.timeout(SECONDS):
                while other.code in router.tables.owned:
                    await asyncio.sleep(0.05)
            table = await ann.join(table.code)
            await table.play(until=lambda: table.seq > 5)


async def test_a_table_that_is_not_written_down_leaves_no_game_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*asked: object, **more: object) -> None:
        raise DatabaseLost("the database does not answer")

    async with running(tmp_path) as (url, router):
        async with page(url) as ann:
            monkeypatch.setattr(router.store, "new_table", lost)
            with pytest.raises(Refusal, match="broken"):
                await ann.make(SPEC, ALONE, sit=0)
        assert not any(worker.tables for worker in router.tables.pool.processes)


async def test_buttons_answer_no_sooner_than_a_claim_window_ends(tmp_path: Path) -> None:
    """Or its length would tell that there was something to claim."""
    waited: list[bool] = []
    async with running(tmp_path) as (url, router), page(url) as ann, page(url) as bob:
        first = await ann.make(SPEC | {"hands": 9}, [PERSON, PERSON, FAST, FAST], sit=0, claim_seconds=0.1)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await first.until(lambda: first.view is not None)
        actor = router.tables.owned[first.code]
        assert actor.game.remote is not None
        about = json.loads(unpacked(router.tables.pool.about(actor.game.remote.digest) or b""))
        on = [button["id"] for button in about["buttons"] if not button["sorts"]]
        await second.say("press", on=on)

        def look(message: Plain) -> None:
            hold, question = actor.pending.hold, actor.pending.question
            if hold is not None and question is not None and 1 in question.players:
                waited.append(1 in hold.waits and 1 not in question.held)

        ann.listeners.append(look)
        await first.play(until=lambda: len(waited) > 3)
        assert all(waited)


async def test_servers_forget_pages_that_are_gone(tmp_path: Path) -> None:
    """Also those that had left the tables of another server before."""
    async with running(tmp_path) as (url, router), running(tmp_path) as (far, others), page(url) as ann:
        table = await ann.make(SPEC, [PERSON] * 4, sit=0)
        async with page(far) as eve:
            watching = await eve.join(table.code)
            await table.until(lambda: table.info["watching"] == 1)
            await watching.say("leave")
        async with asyncio.timeout(SECONDS):
            while (
                others.clients or len(router.clients) > 1 or any(link.clients for link in others.relay.links.values())
            ):
                await asyncio.sleep(0.05)


# --- what one person, or one address, may keep busy


async def test_a_table_of_ones_own_rules_needs_no_process_when_it_is_over(tmp_path: Path) -> None:
    async with running(tmp_path, guests=1) as (url, router), page(url) as ann, page(url) as bob:
        table = await ann.make(OWN, ALONE, sit=0)
        with pytest.raises(Refusal, match="too-many"):
            await bob.make(OWN, ALONE, sit=0)
        await table.play()
        await nothing_played(router)
        other = await bob.make(OWN, ALONE, sit=0)
        await other.play()
        await nothing_played(router)
        again = await bob.join(table.code)
        assert again.over and again.view is not None
        assert (await again.page.ask("leave", table=table.code))["say"] == "done"


async def nothing_played(router: TableRouter) -> None:
    """No process has a table."""
    async with asyncio.timeout(SECONDS):
        while any(worker.tables for worker in router.tables.pool.processes):
            await asyncio.sleep(0.05)


async def test_a_table_of_ones_own_rules_counts_for_whoever_joins_it_again(tmp_path: Path) -> None:
    """Nobody keeps more of them busy by leaving them for a while."""
    async with running(tmp_path, guests=8) as (url, router):
        async with page(url) as ann:
            table = await ann.make(OWN, ALONE, sit=0)
        async with asyncio.timeout(SECONDS):
            while table.code in router.tables.owned:
                await asyncio.sleep(0.05)
        router.tables.guests.limits = replace(router.tables.guests.limits, untrusted=1)
        async with page(url, ann.key) as ann, page(url) as bob:
            await ann.make(OWN, ALONE, sit=0)
            with pytest.raises(Refusal, match="too-many"):
                await ann.join(table.code)
            with pytest.raises(Refusal, match="too-many"):
                await ann.make(OWN, ALONE, sit=0)
            assert (await bob.join(table.code)).info["state"] == "playing"


async def test_an_address_keeps_only_so_many_of_them_busy(tmp_path: Path) -> None:
    """However many keys somebody makes up, and however fast they ask."""
    async with running(tmp_path, guests=8, public=True) as (url, router), AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(page(url, address=f"2001:db8::{n}")) for n in range(1, 7)]
        asked = [one.make(OWN, ALONE, sit=0) for one in pages]
        made = await asyncio.gather(*asked, return_exceptions=True)
        refused = [one.said for one in made if isinstance(one, Refusal)]
        assert [(one["code"], one["message"].keys()) for one in refused] == [("too-many", {"en", "zh", "ja"})] * 2
        assert len([one for one in made if isinstance(one, Table)]) == router.settings.limits.untrusted_from
        other = await stack.enter_async_context(page(url, address="2001:db8:0:1::1"))
        assert (await other.make(OWN, ALONE, sit=0)).me == 0


async def test_an_address_has_only_so_many_tables_open(tmp_path: Path) -> None:
    async with running(tmp_path, public=True) as (url, router):
        router.tables.guests.limits = replace(router.tables.guests.limits, open_from=1)
        async with page(url, address="192.0.2.1") as ann, page(url, address="192.0.2.1") as bob:
            table = await ann.make(SPEC, ALONE, sit=0)
            with pytest.raises(Refusal, match="too-many"):
                await bob.make(SPEC, ALONE, sit=0)
            assert (await bob.join(table.code)).me is None
            async with page(url, address="192.0.2.2") as eve:
                await eve.make(SPEC, ALONE, sit=0)


async def test_bots_alone_take_their_time_where_strangers_come(tmp_path: Path) -> None:
    async with running(tmp_path, public=True) as (url, router), page(url) as ann, page(url) as bob:
        bots = await ann.make(SPEC, [FAST] * 4)
        table = await bob.make(SPEC, ALONE, sit=0)
        await bots.until(lambda: bots.view is not None)
        await table.until(lambda: table.view is not None)
        alone, among = router.tables.owned[bots.code].pending, router.tables.owned[table.code].pending
        least = router.settings.limits.bots_alone
        assert [alone.bot_seconds(hidden) for hidden in (True, False)] == [least, least]
        assert [among.bot_seconds(hidden) for hidden in (True, False)] == [0, 0]
        await bob.join(bots.code)
        assert alone.bot_seconds(True) == least, "who looks on does not play"
        await bots.until(lambda: bots.steps > 5)


async def test_nothing_is_kept_for_those_who_may_not_look_on(tmp_path: Path) -> None:
    async with running(tmp_path) as (url, router), page(url) as ann:
        hidden = await ann.make(SPEC, ALONE, sit=0, spectators=False)
        shown = await ann.make(SPEC, ALONE, sit=0, spectator_delay=MOST_DELAY)
        for table in (hidden, shown):
            await table.play(until=lambda: table.seq > 12)  # noqa: B023
        assert not router.tables.owned[hidden.code].audience.late.waiting
        waiting = router.tables.owned[shown.code].audience.late.waiting
        assert len(waiting) > 12
        kept = [sum(len(bytes(part)) for part in moment.view.values()) for _, moment in waiting]
        assert all(size < 4_000 for size in kept[1:]), "of each, only what has changed"
