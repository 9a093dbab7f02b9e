"""Administration, over the wire: tokens, bans, closing tables, draining, metrics, logs; and the page in a browser."""

import asyncio
import json
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from web_asking import Asker, asker
from web_client import FAST, PERSON, Page, Plain, Refusal, Table, page
from web_server import SECONDS_TO_END, Server, serving, somebody
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connected

from tilewright.web.access import SECONDS
from tilewright.web.admin import MISSES

pytestmark = pytest.mark.slow

TOKEN, METRICS = "a" * 24 + "-of-admins", "m" * 24 + "-of-metrics"
TOKENS = {"TILEWRIGHT_ADMIN_TOKEN": TOKEN, "TILEWRIGHT_METRICS_TOKEN": METRICS}
ALONE = [PERSON, FAST, FAST, FAST]
SPEC: Plain = {"ruleset": {"id": "cantonese"}, "hands": 1, "seed": 3}
StartServer = Callable[..., Server]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with administrators, reached by strangers through a proxy."""
    folder = tmp_path_factory.mktemp("admin")
    with serving(folder, options=("--public", "--host", "127.0.0.1", "--log", "json"), **TOKENS) as server:
        yield server


@pytest.fixture
def admin(server: Server) -> Asker:
    return Asker(server.url, TOKEN)


async def refusal(page: Page, **fields: Any) -> str:
    with pytest.raises(Refusal) as refused:
        await page.ask("make", spec=SPEC, setup={"seats": ALONE}, sit=0, **fields)
    return str(refused.value.code)


async def first_heard(server: Server, key: str | None = None, address: str | None = None) -> Plain:
    """What a page hears first after its hello."""
    headers = {"X-Forwarded-For": address} if address else {}
    async with connect(server.socket, additional_headers=headers, proxy=None) as socket:
        with suppress(ConnectionClosed):
            await socket.send(json.dumps({"say": "hello", "v": 2, "id": 1, **({"key": key} if key else {})}))
        heard: Plain = json.loads(await asyncio.wait_for(socket.recv(), SECONDS_TO_END))
        return heard


# --- tokens


def test_without_a_token_there_is_nothing(start_server: StartServer) -> None:
    stranger = Asker(start_server().url, TOKEN)
    assert stranger.raw("GET", "/admin")[0] == 404
    assert stranger.refused("GET", "/api/admin") == (404, "unknown")
    assert stranger.refused("POST", "/api/admin/drain", {"on": True}) == (404, "unknown")
    assert stranger.refused("GET", "/metrics") == (404, "unknown")


def test_only_the_token_opens(server: Server, admin: Asker) -> None:
    for wrong in (None, METRICS, asker(server, "Ann").key):
        stranger = Asker(server.url, wrong, address="198.51.100.1")
        for method, path, body in (
            ("GET", "/api/admin", None),
            ("POST", "/api/admin/ban", {"kind": "person", "subject": "1"}),
            ("POST", "/api/admin/unban", {"kind": "person", "subject": "1"}),
            ("POST", "/api/admin/close", {"table": 1}),
            ("POST", "/api/admin/drain", {"on": True}),
        ):
            assert stranger.refused(method, path, body) in ((401, "wrong-token"), (429, "too-fast"))
    assert Asker(server.url, TOKEN, "198.51.100.9").refused("GET", "/metrics") == (401, "wrong-token")
    assert not admin.do("GET", "/api/admin")["draining"]


def test_misses_are_few(server: Server) -> None:
    """Who guesses is refused for a while, even with the right token; others are not."""
    guesser = Asker(server.url, "g" * 40, address="198.51.100.2")
    answers = [guesser.refused("GET", "/api/admin") for _ in range(MISSES + 3)]
    assert answers == [(401, "wrong-token")] * MISSES + [(429, "too-fast")] * 3
    assert Asker(server.url, TOKEN, "198.51.100.2").refused("GET", "/api/admin") == (429, "too-fast")
    assert Asker(server.url, TOKEN, "198.51.100.3").do("GET", "/api/admin")["version"]


def test_the_right_token_is_no_miss(server: Server) -> None:
    known = Asker(server.url, TOKEN, address="198.51.100.4")
    assert all(known.do("GET", "/api/admin")["version"] for _ in range(3 * MISSES))


# --- the overview


async def playing(server: Server, name: str = "Ann", address: str | None = None) -> tuple[Page, Table]:
    """Somebody who plays against bots."""
    player = await Page(server.socket, name=name, address=address).open()
    return player, await player.make(SPEC, ALONE, sit=0)


@pytest.mark.anyio
async def test_the_overview_has_everybody_and_no_secret(server: Server, admin: Asker) -> None:
    player, table = await playing(server, "Overseen", "203.0.113.50")
    await table.until(table.may_answer)
    status, text = await asyncio.to_thread(admin.raw, "GET", "/api/admin")
    found = json.loads(text)
    (shown,) = [one for one in found["tables"] if one["seats"][0] == "Overseen"]
    assert (shown["ruleset"], shown["state"], shown["pages"]) == ("cantonese", "playing", 1)
    (person,) = [one for one in found["people"] if one["name"] == "Overseen"]
    assert person["addresses"] == ["203.0.113.50"] and person["pages"] == 1
    assert {"address": "203.0.113.50", "connections": 1} in found["addresses"]
    assert {one["use"] for one in found["processes"]} >= {"table", "thinker"}
    assert all(one["memory"] > 1_000_000 for one in found["processes"])
    assert status == 200
    secrets = (table.code, table.token, player.key, TOKEN)
    assert not any(secret and secret.encode() in text for secret in secrets)
    assert b"view" not in text and b"seed" not in text
    await player.close()


# --- bans


@pytest.mark.anyio
async def test_a_banned_person_is_sent_away_and_may_come_back(server: Server, admin: Asker) -> None:
    player, table = await playing(server, "Rude", "203.0.113.60")
    overview = await asyncio.to_thread(admin.do, "GET", "/api/admin")
    (number,) = [one["id"] for one in overview["people"] if one["name"] == "Rude"]
    ban = {"kind": "person", "subject": str(number)}
    found = await asyncio.to_thread(admin.do, "POST", "/api/admin/ban", {**ban, "reason": "shouts"})
    assert [(one["subject"], one["reason"], one["until"]) for one in found["bans"]] == [(str(number), "shouts", None)]
    await asyncio.wait_for(asyncio.shield(player.reading), SECONDS_TO_END)
    assert json.loads(player.heard[-1]) == {"say": "bye", "reason": "banned"}
    said = await first_heard(server, player.key)
    assert said["code"] == "banned" and said["message"]["zh"]
    known = Asker(server.url, player.key)
    assert (await asyncio.to_thread(known.refused, "GET", "/api/me")) == (403, "banned")
    assert (await asyncio.to_thread(admin.do, "POST", "/api/admin/unban", ban))["bans"] == []
    again = await player.again()
    assert again.tables[table.code].me == 0, "the seat is still theirs"
    await again.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("banned", "stored", "inside", "outside"),
    [
        ("203.0.113.70", "203.0.113.70/32", "203.0.113.70", "203.0.113.71"),
        ("203.0.112.9/20", "203.0.112.0/20", "203.0.119.1", "203.0.128.1"),
        ("2001:db8:1::5", "2001:db8:1::/64", "2001:db8:1::6", "2001:db8:1:1::5"),
        ("2001:db8:8000::/33", "2001:db8:8000::/33", "2001:db8:9000::1", "2001:db8:7000::1"),
    ],
)
async def test_a_banned_address_is_sent_away(
    server: Server, admin: Asker, banned: str, stored: str, inside: str, outside: str
) -> None:
    player, _ = await playing(server, address=inside)
    found = await asyncio.to_thread(admin.do, "POST", "/api/admin/ban", {"kind": "address", "subject": banned})
    assert [one["subject"] for one in found["bans"]] == [stored]
    await asyncio.wait_for(asyncio.shield(player.reading), SECONDS_TO_END)
    said = await first_heard(server, address=inside)
    assert said["code"] == "banned"
    rulesets = "/api/rulesets"
    assert (await asyncio.to_thread(Asker(server.url, None, inside).refused, "GET", rulesets)) == (403, "banned")
    assert (await asyncio.to_thread(Asker(server.url, None, outside).raw, "GET", rulesets))[0] == 200
    async with page(server.socket, address=outside) as other:
        assert other.hello["key"]
    own = Asker(server.url, TOKEN, inside)  # whoever banned themselves can undo it
    ended = await asyncio.to_thread(own.do, "POST", "/api/admin/unban", {"kind": "address", "subject": stored})
    assert ended["bans"] == []
    async with page(server.socket, address=inside) as back:
        assert back.hello["key"]


@pytest.mark.parametrize(
    ("kind", "subject"),
    [("person", "Ann"), ("person", "-1"), ("address", "somewhere"), ("address", "0.0.0.0/0"), ("address", "::/0")],
)
def test_what_cannot_be_banned(admin: Asker, kind: str, subject: str) -> None:
    assert admin.refused("POST", "/api/admin/ban", {"kind": kind, "subject": subject}) == (400, "bad-subject")


def test_a_ban_that_is_not_there(admin: Asker) -> None:
    assert admin.refused("POST", "/api/admin/unban", {"kind": "person", "subject": "1"}) == (404, "unknown-ban")


def test_a_ban_ends(server: Server, admin: Asker) -> None:
    someone = Asker(server.url, None, "203.0.113.90")
    ban = {"kind": "address", "subject": "203.0.113.90", "days": 6 / 86_400}
    assert admin.do("POST", "/api/admin/ban", ban)["bans"]
    assert someone.refused("GET", "/api/rulesets") == (403, "banned")
    wait_until(lambda: someone.raw("GET", "/api/rulesets")[0] == 200)


def test_a_ban_holds_on_all_servers_and_after_a_restart(start_server: StartServer, database_url: str) -> None:
    first, second = [start_server(database=database_url, **TOKENS) for _ in range(2)]
    banned = {"kind": "address", "subject": "203.0.113.0/24"}
    Asker(first.url, TOKEN).do("POST", "/api/admin/ban", banned)
    there, here = [Asker(one.url, None, "203.0.113.5") for one in (second, first)]
    wait_until(lambda: there.raw("GET", "/api/rulesets")[0] == 403)
    first.kill()
    first.start()
    assert here.refused("GET", "/api/rulesets") == (403, "banned")


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 4 * SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


# --- tables


@pytest.mark.anyio
async def test_a_table_is_closed(server: Server, admin: Asker) -> None:
    player, table = await playing(server, "Closed")
    overview = await asyncio.to_thread(admin.do, "GET", "/api/admin")
    (number,) = [one["id"] for one in overview["tables"] if one["seats"][0] == "Closed"]
    assert await asyncio.to_thread(admin.do, "POST", "/api/admin/close", {"table": number}) == {"ok": True}
    with pytest.raises(AssertionError, match="those who run this server"):
        await table.until(lambda: False, SECONDS_TO_END)
    with pytest.raises(Refusal):
        await table.answer({"move": "pass"})
    missing = await asyncio.to_thread(admin.refused, "POST", "/api/admin/close", {"table": 10**9})
    assert missing == (404, "unknown-table")
    await player.close()


@pytest.mark.anyio
async def test_a_draining_server_makes_no_tables(server: Server, admin: Asker) -> None:
    player, table = await playing(server, "Drained")
    assert (await asyncio.to_thread(admin.do, "POST", "/api/admin/drain", {"on": True}))["draining"]
    assert await refusal(player) == "draining"
    await table.play()
    assert table.over, "what has begun goes on"
    with pytest.raises(Refusal, match="draining"):
        await table.say("again")
    assert not (await asyncio.to_thread(admin.do, "POST", "/api/admin/drain", {"on": False}))["draining"]
    assert (await player.make(SPEC, ALONE, sit=0)).code
    await player.close()


@pytest.mark.anyio
async def test_a_drained_server_stops(start_server: StartServer) -> None:
    server = start_server()
    player, table = await playing(server)
    await table.until(table.may_answer)
    assert server.process is not None
    server.process.send_signal(signal.SIGUSR1)
    while "Makes no new tables" not in server.said:
        await asyncio.sleep(0.05)
    assert await refusal(player) == "draining"
    assert server.process.poll() is None, "a game is played"
    await table.play()
    assert await asyncio.to_thread(server.process.wait, SECONDS_TO_END) == 0
    await player.close()


# --- metrics


def measured(server: Server) -> dict[str, float]:
    status, text = Asker(server.url, METRICS).raw("GET", "/metrics")
    assert status == 200
    samples = [one for family in text_string_to_metric_families(text.decode()) for one in family.samples]
    return {f"{one.name}{json.dumps(one.labels) if one.labels else ''}": one.value for one in samples}


@pytest.mark.anyio
async def test_metrics_count_what_happens(server: Server) -> None:
    before = await asyncio.to_thread(measured, server)
    player, table = await playing(server, "Measured")
    await table.play(until=lambda: table.steps > 20)
    after = await asyncio.to_thread(measured, server)
    assert after["tilewright_connections"] == before["tilewright_connections"] + 1
    playing_now = 'tilewright_tables{"state": "playing"}'
    assert after[playing_now] >= 1
    assert after["tilewright_move_seconds_count"] > before["tilewright_move_seconds_count"]
    assert after["tilewright_inbox_seconds_sum"] > before["tilewright_inbox_seconds_sum"]
    assert after['tilewright_request_seconds_count{"status": "200"}'] > 0
    assert after['tilewright_processes_memory_bytes{"use": "table"}'] > 1_000_000  # but for what it shares with others
    assert after['tilewright_processes{"use": "thinker"}'] == 1
    assert after["process_resident_memory_bytes"] > 10_000_000
    assert {"tilewright_queued_bytes", "tilewright_draining", "tilewright_bans"} <= after.keys()
    _, text = await asyncio.to_thread(Asker(server.url, METRICS).raw, "GET", "/metrics")
    assert not any(secret.encode() in text for secret in ("Measured", table.code, player.key or "-"))
    await player.close()


# --- logs


@pytest.mark.anyio
async def test_the_log_has_no_hidden_tile_and_no_secret(start_server: StartServer) -> None:
    """Even when the database refuses to store what happened: it reports what was to be written."""
    server = start_server(options=("--log", "json"), **TOKENS)
    stranger = Asker(server.url, "g" * 40)
    await asyncio.to_thread(stranger.refused, "GET", "/api/admin")
    player, table = await playing(server)
    await table.until(table.may_answer)
    with closing(sqlite3.connect(server.folder / "tables.db")) as database:
        database.execute("create trigger refuse before insert on lines begin select raise(abort, 'no room'); end")
        database.commit()
    with pytest.raises((Refusal, ConnectionError, AssertionError, TimeoutError)):
        async with asyncio.timeout(10):
            await table.play()
    await player.close()
    lines = [json.loads(line) for line in server.said.splitlines()]
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    assert any(line["message"].startswith("a wrong token") for line in lines)
    failures = [line for line in lines if "no room" in line.get("error", "")]
    assert failures, "the failure is logged, with its cause"
    secrets = ("g" * 40, TOKEN, METRICS, table.code, player.key, '\\"tiles\\"', "parameters: (", '{"event"')
    assert [secret for secret in secrets if secret and secret in server.said] == []


# --- the page


def test_the_page_of_administrators(server: Server, chromium: Any) -> None:
    """Sign in, see a table, ban the player's address and end the ban, close the table, drain; in both languages."""
    with connected(server.socket, additional_headers={"X-Forwarded-For": "203.0.113.99"}, proxy=None) as player:
        say(player, say="hello", v=2, name="Shown")
        say(player, say="make", spec=SPEC, setup={"seats": ALONE, "claim_seconds": 0, "bot_seconds": 0}, sit=0)
        shown = somebody(chromium).new_page()
        wrong: list[str] = []
        shown.on("pageerror", lambda error: wrong.append(str(error)))
        shown.on("console", lambda line: wrong.append(line.text) if "Content Security Policy" in line.text else None)
        shown.on("dialog", lambda dialog: dialog.accept())
        shown.goto(f"{server.url}/admin")
        shown.get_by_label("Token").fill("w" * 30)
        shown.get_by_role("button", name="Sign in").click()
        shown.get_by_label("Token").wait_for()
        shown.get_by_label("Token").fill(TOKEN)
        shown.get_by_role("button", name="Sign in").click()
        row = shown.get_by_role("row").filter(has_text="cantonese").filter(has_text="Shown")
        row.get_by_text("playing").wait_for()
        row.get_by_role("button", name="Close").click()
        row.get_by_text("broken").wait_for()
        shown.get_by_role("button", name="Drain").click()
        shown.get_by_role("button", name="Make new tables again").click()
        shown.get_by_role("button", name="Drain").wait_for()
        shown.get_by_role("button", name="Ban 203.0.113.99").first.click()
        shown.get_by_role("button", name="End the ban of 203.0.113.99/32").wait_for()
        with pytest.raises(ConnectionClosed):
            while True:
                last = player.recv(SECONDS_TO_END)
        assert json.loads(last)["reason"] == "banned"
        shown.locator("select.language").select_option("zh")
        shown.get_by_role("heading", name="封鎖名單").wait_for()
        shown.get_by_role("button", name="解除對 203.0.113.99/32 的封鎖").click()
        shown.get_by_role("button", name="解除對 203.0.113.99/32 的封鎖").wait_for(state="detached")
        shown.get_by_label("位址、網段或編號").fill("198.51.100.0/24")
        shown.get_by_label("天數").fill("0.5")
        shown.get_by_role("button", name="封鎖", exact=True).last.click()
        ended = shown.get_by_role("button", name="解除對 198.51.100.0/24 的封鎖")
        ended.click()
        ended.wait_for(state="detached")
        assert wrong == []


def test_no_page_of_administrators(start_server: StartServer, chromium: Any) -> None:
    shown = somebody(chromium).new_page()
    shown.goto(f"{start_server().url}/admin")
    shown.get_by_text("This server has no administrator's page").wait_for()
    assert shown.get_by_label("Token").count() == 0


def test_a_banned_page_is_told(server: Server, admin: Asker, chromium: Any) -> None:
    """A person who is banned while the page is open, and opens it again."""
    shown = somebody(chromium).new_page()
    shown.goto(f"{server.url}/")
    shown.get_by_label("Name").first.wait_for()
    wait_until(lambda: bool(admin.do("GET", "/api/admin")["people"]))
    people = admin.do("GET", "/api/admin")["people"]
    number = str(max(one["id"] for one in people))
    admin.do("POST", "/api/admin/ban", {"kind": "person", "subject": number})
    shown.get_by_text("You may not use this server.").wait_for()
    shown.reload()
    shown.get_by_text("You may not use this server.").wait_for()
    admin.do("POST", "/api/admin/unban", {"kind": "person", "subject": number})


def say(socket: ClientConnection, **fields: Any) -> None:
    """Say something, and wait for the reply."""
    socket.send(json.dumps({**fields, "id": 1}))
    while json.loads(socket.recv(SECONDS_TO_END)).get("id") != 1:
        pass
