"""Nobody can know or choose the wall of a table where people play, and everybody can check that it was not changed."""

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from commands import run
from test_web_server import log_of
from test_web_table import AWAY, BOTS, MAKE, QUICK, WIDE, opened
from web_ahead import play_out
from web_asking import Asker
from web_client import FAST, PERSON, Page, Plain, Refusal, Table, at_random, page, play_beyond, together
from web_server import Server

from tilewright.play.chance import TableSecret
from tilewright.play.log import read_log
from tilewright.play.resume import verify
from tilewright.play.rules import load
from tilewright.web.storage.rows import TableRow
from tilewright.web.tables.answers import Answers
from tilewright.web.tables.record import TableRecord

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
StartServer = Callable[..., Server]
SPEC: Plain = {"ruleset": {"id": "cantonese"}, "hands": 2}
CHOSEN: Plain = {**SPEC, "seed": 3}
ALONE, TWO = [PERSON, FAST, FAST, FAST], [PERSON, PERSON, FAST, FAST]


def database_of(server: Server) -> sqlite3.Connection:
    return sqlite3.connect(server.folder / "tables.db")


def row_of(server: Server, code: str) -> tuple[Plain, str | None]:
    """The spec and the secret of a table."""
    with database_of(server) as database:
        spec, secret = database.execute("SELECT spec, secret FROM tables WHERE code = ?", [code]).fetchone()
    return json.loads(spec), secret


async def refused(table: Table, say: str, **fields: Any) -> str:
    """Why a message is refused."""
    with pytest.raises(Refusal) as refusal:
        await table.say(say, **fields)
    assert set(refusal.value.said["message"]) == {"en", "zh", "ja"}
    return f"{refusal.value.code}: {refusal.value.said['message']['en']}"


# --- who may know the wall


@pytest.mark.parametrize("sit", [0, None])
async def test_a_chosen_seed_binds_a_table_to_bots(start_server: StartServer, sit: int | None) -> None:
    """The host who plays or looks on knows every tile: nobody else gets a seat, also not after a restart."""
    server = start_server()
    seats = ALONE if sit == 0 else [FAST] * 4
    async with page(server.socket, name="Ann") as ann, page(server.socket, name="Eve") as eve:
        table = await ann.make(CHOSEN, seats, sit, bot_seconds=1, claim_seconds=1)
        assert table.info["fair"] is False
        guest = await eve.join(table.code)
        for player in range(4):
            assert "seed of this table was chosen" in await refused(table, "set", player=player, seat=PERSON)
            assert "seat-taken" in await refused(guest, "sit", player=player)
        server.kill()
    server.start()
    async with page(server.socket, ann.key) as ann, page(server.socket, eve.key) as eve:
        table, guest = await ann.join(table.code), await eve.join(table.code)
        assert table.info["fair"] is False
        assert "seed of this table was chosen" in await refused(table, "set", player=1, seat=PERSON)
        assert "seat-taken" in await refused(guest, "sit", player=1)
        if sit is None:
            return
        await table.say("stand")
        assert "seat-taken" in await refused(guest, "sit", player=0)
        assert "seed of this table was chosen" in await refused(table, "set", player=0, seat=PERSON)


async def test_nobody_else_takes_a_seat_that_the_host_of_a_chosen_seed_leaves(start_server: StartServer) -> None:
    """As from an older server, where such a table waits and has a free seat."""
    server = start_server()
    async with page(server.socket) as ann:
        code = (await ann.make(SPEC, TWO, 0)).code
    server.stop()
    with database_of(server) as database:
        database.execute("UPDATE tables SET spec = ?, secret = NULL WHERE code = ?", [json.dumps(CHOSEN), code])
    server.start()
    async with page(server.socket, ann.key) as ann, page(server.socket) as eve:
        table, guest = await ann.join(code), await eve.join(code)
        assert "seed of this table was chosen" in await refused(guest, "sit", player=1)
        await table.say("sit", player=0)
        await table.say("set", player=1, seat=FAST)
        await table.until(lambda: table.info["state"] == "playing")


async def test_a_guest_is_invited_where_nobody_chose_the_seed(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        table = await ann.make(SPEC, ALONE, 0)
        assert table.info["fair"] is True
        await table.say("set", player=1, seat=PERSON)
        guest = await bob.join(table.code)
        await guest.say("sit", player=1, invite=(await table.say("invite"))["code"])
        assert guest.me == 1


@pytest.mark.parametrize(("seats", "sit"), [(TWO, 0), (ALONE, None)])
async def test_a_seed_is_not_chosen_for_others(web_server: Server, seats: list[Plain], sit: int | None) -> None:
    async with page(web_server.socket) as ann:
        table = await ann.make(CHOSEN, seats, sit)
        assert table.info["fair"] is True
    spec, secret = row_of(web_server, table.code)
    assert spec["seed"] is None
    assert secret is not None and len(bytes.fromhex(secret)) == 32


async def test_the_next_table_has_a_wall_of_its_own(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        table = await ann.make({**CHOSEN, "hands": 1}, ALONE, 0)
        await table.play()
        following = await ann.join((await table.say("again"))["next"])
        assert following.info["fair"] is True
        await following.say("set", player=1, seat=PERSON)
        guest = await bob.join(following.code)
        await guest.say("sit", player=1, invite=(await following.say("invite"))["code"])
        third = await ann.make(SPEC, ALONE, 0)
    codes = [following.code, third.code]
    assert len({row_of(web_server, code)[1] for code in codes} - {None}) == 2


def test_bots_do_not_choose_by_the_seed_of_the_wall() -> None:
    """But where a seed was chosen, the same game can be played again."""

    def seed(chosen: int | None, secret: str | None) -> int:
        row = TableRow(1, "ABCDE", {"seed": chosen}, {"seats": ALONE}, "waiting", 1, 0.0, None, None, None, (), secret)
        return Answers(TableRecord(None, "here", row, []), None, None, None, None, None).bot_seed  # type: ignore[arg-type]

    secret = TableSecret.new().secret
    drawn = {seed(None, secret) for _ in range(20)}
    assert len(drawn) == 20
    assert max(drawn).bit_length() > 53
    assert {seed(5, None), seed(5, None)} == {5}


# --- what is told, and when


async def test_no_message_holds_the_seed_of_a_hand_that_is_not_over(web_server: Server) -> None:
    """Of players, onlookers, the lobby and HTTP; and the secret of the table is in none at all."""
    async with page(web_server.socket) as ann, page(web_server.socket) as bob, page(web_server.socket) as eve:
        first = await ann.make(SPEC, TWO, 0, public=True, spectator_delay=0)
        second, onlooker = await bob.join(first.code), await eve.join(first.code)
        await eve.ask("lobby", on=True)
        await second.say("sit", player=1)
        await play_beyond(9, first, second)
        await first.say("help", what="waits")
        with pytest.raises(Refusal):
            await first.answer({"move": "win", "tile": "x"})
        asked = [text async for text in answers_over_http(web_server, ann, first)]
        assert not first.results
        await together(first.play(choose=at_random(1)), second.play(choose=at_random(2)))
        await onlooker.until(lambda: onlooker.over and onlooker.view is not None and onlooker.view["over"])
        await first.say("join")
    _, secret = row_of(web_server, first.code)
    assert secret is not None
    seeds = {hand: TableSecret(secret).of_hand(hand) for hand in (1, 2, 3)}
    told = [*((0, text) for text in asked), *(pair for one in (ann, bob, eve) for pair in hands_done(one))]
    assert len(told) > 200
    for done, text in told:
        assert secret not in text
        for hand, seed in seeds.items():
            known = seed.seed in text or seed.salt in text
            assert hand <= done or not known, f"the seed of hand {hand} is told after {done} hands: {text[:300]}"
    assert sum(seeds[2].seed in text for _, text in told) >= 3
    assert not any(known in web_server.said for known in (secret, seeds[1].seed, seeds[2].seed))


def hands_done(one: Page) -> Iterator[tuple[int, str]]:
    """Every message of a page, with the number of the last hand whose end it knows then."""
    done = 0
    for text in one.heard:
        result = json.loads(text).get("result")
        done = max(done, result["hand"] if result else 0)
        yield done, text


async def answers_over_http(server: Server, one: Page, table: Table) -> AsyncIterator[str]:
    """All that the server says over HTTP about a table that is being played."""
    somebody = Asker(server.url, one.key)
    paths = [f"/api/tables/{table.code}", "/api/me", "/api/replays", "/api/health"]
    paths += [f"/api/replays/{table.code}{rest}" for rest in ("", "/log", "/hands/1?eye=open")]
    paths.append(f"/api/about/{table.info['digest']}?table={table.code}")
    for path in paths:
        _, content = await asyncio.to_thread(somebody.raw, "GET", path)
        yield content.decode()


async def test_every_hand_has_the_hash_that_was_told_first(web_server: Server) -> None:
    async with page(web_server.socket) as ann:
        table = await ann.make(SPEC, ALONE, 0)
        await table.play()
        assert len(table.results) == 2
    promised: dict[int, str] = {}
    for text in ann.heard:
        message = json.loads(text)
        if message["say"] == "step" and message["view"].get("deal"):
            deal = message["view"]["deal"]
            assert promised.setdefault(deal["hand"], deal["hash"]) == deal["hash"]
    for result in table.results:
        deal = result["deal"]
        assert deal["hash"] == promised[result["hand"]]
        assert sha256(deal["hashed"].encode()).hexdigest() == deal["hash"]
        assert deal["hashed"].endswith(f" {deal['seed']} {deal['salt']}")


async def test_a_killed_server_deals_on_as_it_has_promised(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server()
    async with page(server.socket) as ann:
        table = await ann.make(SPEC, ALONE, 0)
        await table.play(lambda: table.seq > 8)
        await table.until(lambda: table.question is not None)
        view = table.view
        server.kill()
    server.start()
    async with page(server.socket, ann.key) as ann:
        table = await ann.join(table.code)
        await table.until(lambda: table.question is not None)
        assert table.view == view
        await table.play()
    log = read_log("log", "".join(f"{line}\n" for line in log_of(server, table.code)))
    assert verify(log, load("cantonese")) is None
    file = tmp_path / "game.jsonl"
    status, content = Asker(server.url).raw("GET", f"/api/replays/{table.code}/log")
    assert status == 200
    file.write_bytes(content)
    assert "2 hands, each dealt from the seed that its hash had promised" in run("replay", str(file), "--verify").stdout


async def test_a_replay_names_a_hand_that_was_not_dealt_as_promised(start_server: StartServer) -> None:
    server = start_server()
    async with page(server.socket) as ann:
        table = await ann.make({**SPEC, "hands": 1}, ALONE, 0)
        await table.play()
    hash = table.results[0]["deal"]["hash"]
    with database_of(server) as database:
        (text,) = database.execute("SELECT text FROM lines WHERE text LIKE ?", [f"%{hash}%"]).fetchone()
        forged = text.replace(hash, "0" * 64)
        database.execute("UPDATE lines SET text = ? WHERE text = ?", [forged, text])
    status, content = Asker(server.url).raw("GET", f"/api/replays/{table.code}")
    assert status == 422
    assert "hand 1 was not dealt as promised" in content.decode()


async def test_the_log_of_a_table_that_broke_discloses_its_last_hand(start_server: StartServer) -> None:
    server = start_server()
    async with page(server.socket) as ann:
        table = await ann.make(SPEC, ALONE, 0)
        await table.play(lambda: table.seq > 8)
    server.stop()
    with database_of(server) as database:
        database.execute("UPDATE tables SET state = 'broken' WHERE code = ?", [table.code])
    server.start()
    somebody = Asker(server.url)
    assert len(somebody.do("GET", f"/api/replays/{table.code}")["hands"]) == 1
    status, content = somebody.raw("GET", f"/api/replays/{table.code}/log")
    assert status == 200
    log = read_log("log", content.decode())
    assert log.breaks_off
    assert verify(log, load("cantonese")) is None


# --- the page


@pytest.fixture
def browser(chromium: Any, web_server: Server) -> Iterator[Any]:
    yield from opened(chromium, web_server, at=AWAY, viewport=WIDE)


def sit_down_fairly(browser: Any, **spec: Any) -> str:
    """A table of one hand against quick bots; its code."""
    spec = {"ruleset": {"id": "cantonese"}, "hands": 1, **spec}
    code: str = browser.evaluate(MAKE, [spec, {"seats": [PERSON, *BOTS], **QUICK}])
    browser.wait_for_selector(".hand-tile")
    return code


def test_the_page_shows_that_a_deal_was_fair(browser: Any) -> None:
    code = sit_down_fairly(browser)
    browser.keyboard.press("o")
    published = browser.input_value(".field:has-text('Hash of this deal') input")
    assert re.fullmatch("[0-9a-f]{64}", published)
    play_out(code, browser)
    browser.wait_for_selector(".deal[data-verdict=verified]")
    assert browser.inner_text(".deal summary") == f"Deal {published[:8]}…: fair, verified"
    browser.click(".deal summary")
    hash, seed, salt, hashed = browser.locator(".deal dd").all_inner_texts()
    assert (hash, sha256(hashed.encode()).hexdigest()) == (published, published)
    assert hashed.endswith(f" {seed} {salt}")
    browser.goto(f"{browser.url.partition('/t/')[0]}/r/{code}")
    browser.wait_for_selector(".replay .felt-box .tile")
    browser.keyboard.press("End")
    browser.keyboard.press("ArrowLeft")
    browser.wait_for_selector(".deal[data-verdict=verified]")


def test_the_page_shows_a_deal_that_does_not_fit_its_promise(browser: Any) -> None:
    code = sit_down_fairly(browser)
    keep = "([code, hash]) => { sessionStorage['tilewright.hashes.' + code] = JSON.stringify({ 1: hash }) }"
    browser.evaluate(keep, [code, "0" * 64])
    browser.reload()
    browser.wait_for_selector(".hand-tile")
    play_out(code, browser)
    browser.wait_for_selector(".deal[data-verdict=broken]")
    assert browser.inner_text(".deal summary") == "Deal 00000000…: NOT the deal that was promised"


def test_the_page_says_where_a_seed_was_chosen(browser: Any) -> None:
    code = sit_down_fairly(browser, seed=3)
    browser.keyboard.press("o")
    browser.wait_for_selector("text=The seed of this table was chosen")
    play_out(code, browser)
    assert not browser.query_selector(".deal")
