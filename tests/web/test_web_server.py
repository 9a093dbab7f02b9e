"""The server of the web table, over the wire: people and bots at one table, what is lost when it is killed (nothing),
who sees what, and everything that is refused."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Any
from urllib.request import Request, urlopen

import pytest
from processes import HANGS, descendants, kill_all
from web_client import (
    FAST,
    PERSON,
    Page,
    Plain,
    Refusal,
    Table,
    at_random,
    easy,
    has_seen,
    page,
    play_beyond,
    settled,
    together,
)
from web_server import Cluster, Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tilewright.play.log import event_json, lines, read_log
from tilewright.play.model import Event
from tilewright.play.resume import begun, move_of, verify
from tilewright.play.rules import Rules, load
from tilewright.play.view import View
from tilewright.web.protocol.moments import with_parts

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
StartServer = Callable[..., Server]
CANTONESE: Plain = {"ruleset": {"id": "cantonese"}, "hands": 1, "seed": 3}
TWO = [PERSON, PERSON, FAST, FAST]
ALONE = [PERSON, FAST, FAST, FAST]


# --- playing


async def test_two_people_and_two_bots_play_a_hand(web_server: Server) -> None:
    async with page(web_server.socket, name="Ann") as ann, page(web_server.socket, name="Bob") as bob:
        first = await ann.make(CANTONESE, TWO, sit=0, claim_seconds=0.05)
        assert (first.info["state"], first.me, first.view) == ("waiting", 0, None)
        second = await bob.join(first.code)
        assert second.me is None
        await second.say("sit", player=1)
        await second.until(lambda: second.view is not None)
        assert [seat["name"] for seat in second.info["seats"]] == ["Ann", "Bob", "", ""]
        await together(first.play(), second.play())
        await first.until(lambda: bool(first.results))
        assert first.results == second.results
        assert first.info["scores"] == first.results[-1]["scores"]
        assert sum(first.results[-1]["gains"]) == 0
    log = log_of(web_server, first.code)
    assert json.loads(log[0])["players"] == ["Ann", "Bob", "fast", "fast"]
    assert verify(read_log("log", "\n".join(log) + "\n"), load("cantonese")) is None


async def test_a_table_of_bots_is_watched(web_server: Server) -> None:
    async with page(web_server.socket) as ann:
        table = await ann.make(CANTONESE, [FAST] * 4)
        await table.until(lambda: table.over)
        await table.until(lambda: bool(table.results))
        assert table.me is None


async def test_everybody_waits_as_long_whatever_one_holds(web_server: Server) -> None:
    """Who may claim a tile is told nothing later than the others; who may not cannot tell that somebody may."""
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        first = await ann.make({**CANTONESE, "hands": 2}, TWO, sit=0, claim_seconds=0.05)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await together(first.play(choose=at_random(1)), second.play(choose=at_random(2)))
        claims = [step for step in [*steps_of(ann), *steps_of(bob)] if in_claims(step)]
        assert claims
        for step in claims:
            other = bob if step["view"]["players"][step["view"]["seat"]] == 0 else ann
            same = next(theirs for theirs in steps_of(other) if theirs["seq"] == step["seq"])
            if not in_claims(same):
                assert same["asked"] == []
                assert same["view"]["phase"] == ""
        shown = [step for step in steps_of(ann) if step["claim"] is not None]
        assert {step["claim"]["of"] for step in shown} == {50}


def steps_of(page: Page) -> list[Plain]:
    """The steps that came, with whole views."""
    found, views = list[Plain](), dict[str, Plain | None]()
    for message in map(json.loads, page.heard):
        if message["say"] in ("table", "step"):
            before = None if message["say"] == "table" else views.get(message["table"])
            views[message["table"]] = view = None if message["view"] is None else with_parts(before, message["view"])
            if message["say"] == "step":
                found.append({**message, "view": view})
    return found


def in_claims(step: Plain) -> bool:
    return step["claim"] is not None and step["view"]["question"] is not None


async def test_buttons_answer_from_hand_to_hand(web_server: Server) -> None:
    async with page(web_server.socket) as ann:
        table = await ann.make({**CANTONESE, "hands": 2}, ALONE, sit=0)
        about = json.loads(fetched(web_server, f"/api/about/{table.info['digest']}", ann.key))
        on = [button["id"] for button in about["buttons"] if not button["sorts"]]
        await table.say("press", on=on)
        await table.until(lambda: table.pause is not None)
        await table.say("ready", seq=table.seq)
        await table.until(lambda: table.over)
        back = await ann.again()
        assert json.loads(next(text for text in back.heard if '"say":"table"' in text))["pressed"] == on
        await back.close()


async def test_buttons_pressed_before_the_game_answer_in_it(web_server: Server) -> None:
    async with page(web_server.socket) as ann:
        table = await ann.make({**CANTONESE, "hands": 1}, TWO, sit=0)
        about = json.loads(fetched(web_server, f"/api/about/{table.info['digest']}", ann.key))
        await table.say("press", on=[button["id"] for button in about["buttons"] if not button["sorts"]])
        await table.say("start")
        await table.until(lambda: table.over)


async def test_a_bot_answers_when_time_has_run_out(web_server: Server) -> None:
    async with page(web_server.socket) as ann:
        table = await ann.make(CANTONESE, ALONE, sit=0, move_seconds=5)
        await table.until(lambda: table.question is not None)
        clock = steps_of(ann)[-1]["clock"]
        assert (clock["player"], 0 < clock["ms"] <= 5_000) == (0, True)
        seq = table.seq
        await table.until(lambda: table.seq > seq)
        assert table.info["seats"][0]["played_by"] == "person"


async def test_a_ruleset_of_ones_own_is_played(web_server: Server) -> None:
    """Its text may be far larger than any other message; who sits down is not shown it."""
    text = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\n" + "# nothing\n" * 5_000
    async with page(web_server.socket) as ann:
        table = await ann.make({"ruleset": {"name": "Mine", "text": text}, "hands": 1}, ALONE, sit=0)
        await table.play()
        assert table.info["spec"]["ruleset"] == {"name": "Mine"}
        assert all(len(heard) < 40_000 for heard in ann.heard)


async def test_a_result_is_looked_at_before_the_next_hand(web_server: Server) -> None:
    async with page(web_server.socket) as ann:
        table = await ann.make({**CANTONESE, "hands": 2}, ALONE, sit=0)
        await table.play(until=lambda: table.pause is not None)
        assert table.pause == {"ms": None, "of": None}
        assert table.view is not None and table.view["hand"] == 1
        back = await ann.again()  # a connection that is lost begins no hand
        try:
            other = back.tables[table.code]
            assert other.view == table.view and other.pause == table.pause
            await other.play()
            assert [result["hand"] for result in other.results] == [2]
        finally:
            await back.close()


async def test_a_result_is_looked_at_by_all_who_play(web_server: Server) -> None:
    """The next hand begins when all are ready, also one whose connection is lost for a moment."""
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        first = await ann.make({**CANTONESE, "hands": 2}, TWO, sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        ended = [one.play(until=lambda one=one: one.pause is not None) for one in (first, second)]
        await together(*ended)
        assert (first.pause or {})["of"] == 60_000
        await first.say("ready", seq=first.seq)
        back = await bob.again()
        try:
            other = back.tables[first.code]
            assert other.pause is not None and first.view is not None and first.view["hand"] == 1
            await together(first.play(), other.play())
        finally:
            await back.close()


async def test_the_same_again(web_server: Server) -> None:
    async with page(web_server.socket, name="Ann") as ann, page(web_server.socket, name="Bob") as bob:
        first = await ann.make(CANTONESE, TWO, sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        with pytest.raises(Refusal, match="not-allowed"):
            await second.say("again")
        await together(first.play(), second.play())
        code = (await second.say("again"))["next"]
        assert (await first.say("again"))["next"] == code
        await first.until(lambda: first.info["next"] == code)
        third, fourth = await ann.join(code), await bob.join(code)
        assert (third.me, fourth.me) == (0, 1)
        await together(third.play(), fourth.play())
        assert log_of(web_server, code)[2:] != log_of(web_server, first.code)[2:]


# --- coming back


async def test_who_comes_back_sees_the_table_as_it_was(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        first = await ann.make(CANTONESE, TWO, sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await play_beyond(20, first, second)
        await settled(second)
        back = await bob.again()
        try:
            table = back.tables[first.code]
            assert (table.me, table.seq, table.view) == (1, second.seq, second.view)
            await together(first.play(), table.play())
        finally:
            await back.close()


async def test_a_secret_link_gives_the_seat_back(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as phone, page(web_server.socket) as eve:
        table = await ann.make(CANTONESE, ALONE, sit=0)
        await settled(table)
        token = table.token
        assert token
        await ann.close()
        other = await phone.join(table.code, token)
        assert (other.me, other.token) == (0, None)
        assert other.view == table.view
        await other.play()
        with pytest.raises(Refusal, match="not-allowed"):
            await eve.join(table.code, token[:-1] + ("0" if token[-1] != "0" else "1"))


async def test_a_bot_plays_for_who_is_away_and_hands_back(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        first = await ann.make(CANTONESE, TWO, sit=0, away_seconds=0.05)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await second.until(lambda: second.view is not None)
        await bob.close()
        await first.play(until=lambda: first.seq > 30)
        assert first.info["seats"][1]["played_by"] == "bot"
        back = await bob.again()
        try:
            await first.until(lambda: first.info["seats"][1]["played_by"] == "person")
            assert back.tables[first.code].stood_in and not (await back.join(first.code)).stood_in
            await together(first.play(), back.tables[first.code].play())
        finally:
            await back.close()


async def test_a_seat_is_given_up_and_taken(web_server: Server) -> None:
    async with page(web_server.socket, name="Ann") as ann, page(web_server.socket, name="Bob") as bob:
        first = await ann.make(CANTONESE, TWO, sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await second.until(lambda: second.view is not None)
        await second.say("stand")
        assert second.me is None
        await first.until(lambda: first.info["seats"][1]["kind"] == "bot")
        with pytest.raises(Refusal, match="not-allowed"):
            await bob.join(first.code, second.token)
        await bob.ask("rename", name="Rob\u202e\n")
        with pytest.raises(Refusal, match="seat-taken"):
            await second.say("sit", player=1)
        with pytest.raises(Refusal, match="not-host"):
            await second.say("set", player=1, seat=PERSON)
        await first.say("set", player=1, seat=PERSON)
        await second.until(lambda: not second.info["seats"][1]["taken"])
        await second.say("sit", player=1, invite=(await first.say("invite"))["code"])
        await first.until(lambda: first.info["seats"][1]["name"] == "Rob")
        await together(first.play(), second.play())


async def test_a_seat_that_is_given_up_is_a_bot_s_to_the_end(web_server: Server) -> None:
    """Unless the host invites somebody; who plays is not sent away."""
    async with page(web_server.socket) as ann, page(web_server.socket) as bob, page(web_server.socket) as eve:
        first = await ann.make(CANTONESE, TWO, sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await first.until(lambda: first.view is not None)
        with pytest.raises(Refusal, match="not-allowed"):
            await first.say("set", player=1, seat=PERSON)
        await second.say("stand")
        third = await eve.join(first.code)
        with pytest.raises(Refusal, match="seat-taken"):
            await third.say("sit", player=1)
        await first.say("set", player=1, seat=PERSON)
        await first.say("set", player=1, seat=FAST)
        with pytest.raises(Refusal, match="seat-taken"):
            await third.say("sit", player=1)
        await first.play()
        assert third.me is None and first.info["seats"][1]["kind"] == "bot"
        with pytest.raises(Refusal, match="not-allowed"):
            await first.say("set", player=1, seat=PERSON)


async def test_who_sits_down_presses_the_buttons_anew(web_server: Server) -> None:
    """Nothing answers for somebody because the one before wanted it so."""
    async with page(web_server.socket) as ann, page(web_server.socket) as bob, page(web_server.socket) as eve:
        first = await ann.make(CANTONESE, TWO, sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        about = json.loads(fetched(web_server, f"/api/about/{first.info['digest']}", ann.key))
        await first.until(lambda: first.question is not None)
        await second.say("press", on=[button["id"] for button in about["buttons"] if not button["sorts"]])
        await second.say("stand")
        await first.say("set", player=1, seat=PERSON)
        third = await eve.join(first.code)
        await third.say("sit", player=1, invite=(await first.say("invite"))["code"])
        playing = asyncio.create_task(first.play())
        await third.until(third.may_answer)
        await settled(third)
        assert third.may_answer()
        playing.cancel()


async def test_who_plays_keeps_the_seat(web_server: Server) -> None:
    """Or players would look at the tiles of others: only who sits nowhere may sit down."""
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        first = await ann.make(CANTONESE, TWO, sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await first.until(lambda: first.view is not None)
        await second.say("stand")
        await first.say("set", player=1, seat=PERSON)
        with pytest.raises(Refusal, match="not-allowed"):
            await first.say("sit", player=1)
        assert first.me == 0
        await first.play()


# --- killed


async def test_a_killed_server_loses_nothing(start_server: StartServer) -> None:
    server = start_server()
    ann, bob = await Page(server.socket).open(), await Page(server.socket).open()
    first = await ann.make(CANTONESE, TWO, sit=0, claim_seconds=0.02)
    second = await bob.join(first.code)
    await second.say("sit", player=1)
    await play_beyond(25, first, second)
    await settled(first)
    before = (first.view, second.view)
    server.kill()
    known = log_of(server, first.code)
    server.start()
    await ann.close()
    ann, bob = await ann.again(), await bob.again()
    first, second = ann.tables[first.code], bob.tables[first.code]
    await together(first.until(lambda: first.seq > 0), second.until(lambda: second.seq > 0))
    assert (first.view, second.view) == before
    await together(first.play(), second.play())
    log = log_of(server, first.code)
    assert log[: len(known)] == known
    assert verify(read_log("log", "\n".join(log) + "\n"), load("cantonese")) is None
    await ann.close()
    server.stop()
    server.start()
    back = await ann.again()
    table = back.tables[first.code]
    await table.until(lambda: table.view is not None)
    assert (table.over, table.view) == (True, first.view)
    assert "Traceback" not in server.said
    await back.close()
    await bob.close()


async def test_killed_houses_are_opened_again(web_server: Server) -> None:
    """The processes in which the engine runs: tables go on where they were, and nobody sees more than a wait."""
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        first = await ann.make(CANTONESE, TWO, sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        for seq in (8, 16):
            await play_beyond(seq, first, second)
            assert web_server.process is not None
            pool = descendants(web_server.process.pid)
            assert pool
            kill_all(pool)
        await together(first.play(), second.play())
        assert first.info["state"] == "over"


async def test_an_answer_that_waits_for_others_outlives_the_server(start_server: StartServer) -> None:
    """Who has passed tiles on is not asked again, although the log knows nothing of it until all have."""
    server = start_server()
    async with page(server.socket) as ann, page(server.socket) as bob:
        first = await ann.make({"ruleset": {"id": "american"}, "hands": 1}, TWO, sit=0)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await first.until(lambda: set(first.asked) == {0, 1})
        assert first.question is not None
        await first.answer(easy(first.question))
        assert (first.asked, first.question) == ((1,), None)
        await second.until(lambda: second.asked == (1,))
        view = first.view
        server.kill()
        server.start()
    async with page(server.socket, ann.key) as ann, page(server.socket, bob.key) as bob:
        first, second = await ann.join(first.code), await bob.join(first.code)
        await second.until(lambda: second.asked == (1,))
        await first.until(lambda: first.asked == (1,))
        assert first.view == view
        assert "early" not in first.info["setup"]
        await play_beyond(8, first, second)


async def until_two_may_claim(tables: Sequence[Table]) -> tuple[Table, Table]:
    """Two are asked about the same tile, and neither knows of the other. All play, in step with each other."""
    while not tables[0].over:
        seq = max(table.seq for table in tables)
        await together(*(table.until(partial(has_seen, table, seq)) for table in tables))
        match [table for table in tables if table.may_answer()]:
            case [first, second]:
                assert (first.asked, second.asked) == ((first.me,), (second.me,))
                return first, second
        for table in tables:
            if table.may_answer():
                await table.try_answer(easy)
            elif table.waits():
                await table.pass_on()
        await asyncio.sleep(0.01)
    raise AssertionError("no two could claim the same tile in the whole match")


async def test_an_answer_that_waits_for_a_secret_claim_outlives_the_server(start_server: StartServer) -> None:
    """Who has passed sees no buttons after it, although the game waits for the other one."""
    server = start_server()
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(page(server.socket)) for _ in range(4)]
        tables = [await pages[0].make({**CANTONESE, "hands": None}, [PERSON] * 4, sit=0)]
        for player in (1, 2, 3):
            tables.append(await pages[player].join(tables[0].code))
            await tables[player].say("sit", player=player)
        first, second = await until_two_may_claim(tables)
        await first.answer({"move": "pass"})  # a win might end the hand
        await first.until(lambda: first.question is None)
        server.kill()
        server.start()
    async with page(server.socket, first.page.key) as ann, page(server.socket, second.page.key) as bob:
        asked = second.asked
        first, second = await ann.join(first.code), await bob.join(second.code)
        await second.until(lambda: second.asked == asked)
        await settled(first)
        assert first.view is not None and (first.asked, first.question) == ((), None)
        seq = second.seq
        assert second.question is not None
        await second.answer(easy(second.question))
        await together(first.until(lambda: first.seq > seq), second.until(lambda: second.seq > seq))


async def claimed_in_time(table: Table) -> tuple[Plain, Plain]:
    """The question of the first claim window that is answered while it is open, and the answer."""
    while True:
        await table.play(until=lambda: table.claim is not None and table.question is not None)
        assert table.question is not None
        question, move = table.question, table.question["moves"][-1]
        try:
            await table.answer(move)
        except Refusal as late:
            assert late.code in ("stale", "not-your-turn")
        else:
            return question, move


async def test_an_answer_in_a_claim_window_outlives_the_server(start_server: StartServer) -> None:
    """It is kept back until the window is over, and was acknowledged: who has answered is not asked again."""
    server = start_server()
    async with page(server.socket) as ann, page(server.socket) as bob:
        first = await ann.make({**CANTONESE, "hands": 8}, TWO, sit=0, claim_seconds=2)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        claims = set[int]()  # the moments in which Ann may claim a tile: Bob keeps their windows open

        def waits() -> bool:
            if first.claim is not None and first.question is not None:
                claims.add(first.seq)
            return Table.waits(second) and second.seq == first.seq and second.seq not in claims

        second.waits = waits
        others = asyncio.create_task(second.play())
        question, move = await claimed_in_time(first)
        server.kill()
        others.cancel()
        await asyncio.gather(others, return_exceptions=True)
    server.start()
    async with page(server.socket, ann.key) as ann, page(server.socket, bob.key) as bob:
        first, second = await ann.join(first.code), await bob.join(first.code)
        await first.until(lambda: first.view is not None)
        await settled(first)
        assert first.question != question
        await play_beyond(6, first, second)
    answers = [json.loads(line).get("answers", {}) for line in log_of(server, first.code)]
    assert any(move in given.values() for given in answers)


async def test_a_claim_window_is_for_people(web_server: Server) -> None:
    """Unless it is set: against bots alone nothing waits where nobody holds a claim; among people every tile does."""
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        alone = await ann.make(CANTONESE, ALONE, sit=0, claim_seconds=None)
        await alone.play(until=lambda: alone.seq > 12)
        assert not any('"claim":{' in text for text in ann.heard)
        first = await ann.make({**CANTONESE, "seed": None}, TWO, sit=0, claim_seconds=None)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await play_beyond(2, first, second)
        assert any('"of":1500' in text for text in bob.heard)


# --- who sees what


async def test_nobody_is_told_of_a_hidden_tile(web_server: Server) -> None:
    """Every view and event on the wire is one that this viewer may have of the game that was really played."""
    async with page(web_server.socket) as ann, page(web_server.socket) as bob, page(web_server.socket) as eve:
        first = await ann.make({"ruleset": {"id": "american"}, "hands": 1}, TWO, sit=0, claim_seconds=0.02)
        watching = await eve.join(first.code)
        second = await bob.join(first.code)
        await second.say("sit", player=1)
        await together(first.play(choose=at_random(3)), second.play(choose=at_random(4)))
        await watching.until(lambda: watching.over and watching.view is not None and watching.view["over"])
    seen = Seen(load("american"), log_of(web_server, first.code))
    for viewer, page_ in ((None, eve), (0, ann), (1, bob)):
        steps = steps_of(page_)
        assert len(steps) > 30
        for step in steps:
            assert known_part(step["view"]) in seen.views[viewer], (
                f"{viewer} sees what it may not, in step {step['seq']}"
            )
        events = [event for step in steps for event in step["events"]]
        told = [{key: value for key, value in event.items() if key != "told"} for event in events]
        assert told == seen.events[viewer][len(seen.events[viewer]) - len(told) :]
    assert all("seed" not in json.dumps(json.loads(text).get("info", {})) for text in eve.heard)
    hidden = [step for step in steps_of(eve) if not any(any(row) for row in step["view"]["zones"]["hand"].values())]
    assert len(hidden) > 30
    assert hidden[0]["seq"] == 1, "who looks on is told from the beginning, but late"
    table = next(message for text in eve.heard if (message := json.loads(text))["say"] == "table")
    assert table["view"] is None


class Seen:
    """What each viewer may see of a game at every moment of it, by the engine alone."""

    def __init__(self, rules: Rules, log: list[str]) -> None:
        read = read_log("log", "\n".join(log) + "\n")
        self.game = begun(read, rules, pausing=True)
        self.viewers = [None, *range(self.game.program.count)]
        self.views: dict[int | None, set[str]] = {viewer: set() for viewer in self.viewers}
        self.look()
        for answers in read.answers.values():
            self.game.answer_together([move_of(self.game, name, answer) for name, answer in answers.items()])
            self.look()
        assert [*lines(self.game, read.header.players)] == log
        self.events = {viewer: list(self.events_of(viewer)) for viewer in self.viewers}

    def look(self) -> None:
        while True:
            for viewer in self.viewers:
                self.views[viewer].add(known_part(self.view(viewer).to_json()))
            if self.game.asked or self.game.over:
                return
            self.game.run()

    def view(self, player: int | None) -> View:
        return View(self.game, None if player is None else self.game.seat_of(player))

    def events_of(self, player: int | None) -> Iterator[Plain]:
        view = self.view(player)
        for event in self.game.events:
            if (told := view.event(event)) is not None:
                yield self.told(event, told)

    def told(self, event: Event, told: Event) -> Plain:
        found = json.loads(json.dumps(event_json(told, self.game.program), default=float))
        found.pop("seen_by", None)
        return found | ({"count": len(event.tiles)} if event.tiles and not told.tiles else {})


def known_part(view: Mapping[str, Any]) -> str:
    """A view without what a table adds to it, and without the question, which is gone once it is answered."""
    table = {"players", "levels", "wall_left", "over", "deal", "walls", "worth_more"}
    more = {*table, "phase", "question", "step", "refusals"}
    return json.dumps({name: value for name, value in view.items() if name not in more}, sort_keys=True, default=float)


async def test_advice_is_not_ahead_of_what_one_was_told(web_server: Server) -> None:
    """In a claim window of others the game has gone on already, perhaps with one's own next tile."""
    async with page(web_server.socket) as ann:
        table = await ann.make(CANTONESE, ALONE, sit=0, claim_seconds=0.3)
        await table.play(until=lambda: table.claim is not None and not table.may_answer())
        seq = table.seq
        with suppress(Refusal):  # it goes on and on
            await table.say("help", what="waits")
        assert table.seq > seq


async def test_who_may_not_look_on_sees_nothing(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as eve:
        table = await ann.make(CANTONESE, ALONE, sit=0, spectators=False)
        await eve.join(table.code)
        await table.play()
        assert not steps_of(eve)
        assert all(json.loads(text).get("view") is None for text in eve.heard)


# --- what is refused


BAD = {
    "no JSON": "hello?",
    "a list": "[1, 2]",
    "a number that is none": '{"say": "join", "table": NaN}',
    "a number without end": '{"say": "join", "table": 1e999}',
    "no message": '{"say": "cheat"}',
    "say is no text": '{"say": ["answer"]}',
    "deep": "[" * 5000,
    "no table": '{"say": "join"}',
    "a table like a path": '{"say": "join", "table": "../x"}',
    "a seat that is a text": '{"say": "sit", "table": "KDMWQ", "player": "0"}',
    "a seat below": '{"say": "sit", "table": "KDMWQ", "player": -1}',
    "true is no number": '{"say": "sit", "table": "KDMWQ", "player": true}',
    "a move that is a list": '{"say": "answer", "table": "KDMWQ", "seq": 1, "move": ["pass"]}',
    "a move of numbers": '{"say": "answer", "table": "KDMWQ", "seq": 1, "move": {"move": "discard", "tile": 5}}',
    "a move without a name": '{"say": "answer", "table": "KDMWQ", "seq": 1, "move": {"tile": "5m"}}',
    "no buttons": '{"say": "press", "table": "KDMWQ", "on": [1]}',
    "other help": '{"say": "help", "table": "KDMWQ", "what": "everything"}',
    "a name of nothing": '{"say": "rename", "name": "\\u200f\\n"}',
    "no seats": '{"say": "make", "spec": {"ruleset": {"id": "cantonese"}}, "setup": {"seats": []}}',
    "an unknown bot": '{"say": "make", "spec": {}, "setup": {"seats": [{"kind": "bot", "bot": "rm"}]}}',
    "far behind": '{"say": "make", "spec": {}, "setup": {"seats": [{"kind": "person"}], "spectator_delay": 201}}',
    "endless windows": '{"say": "make", "spec": {}, "setup": {"seats": [{"kind": "person"}], "claim_seconds": 1e9}}',
}
BAD_SPECS: dict[str, Any] = {
    "nobody's": {"ruleset": {"id": "nobody_s"}},
    "no rules": {"ruleset": {"name": "mine", "text": "kind: ruleset\n  x"}},
    "an option that there is not": {"ruleset": {"id": "cantonese"}, "options": {"gold": True}},
}


async def test_bad_messages_are_refused_and_change_nothing(web_server: Server) -> None:
    async with page(web_server.socket) as ann:
        table = await ann.make(CANTONESE, ALONE, sit=0)
        for name, text in BAD.items():
            await ann.send(text.replace("KDMWQ", table.code))
            refused = await ann.error()
            assert refused["code"] == "bad-message", (name, refused)
            assert refused["message"].keys() == {"en", "zh", "ja"}
        await ann.send(b"\x00\x01")
        assert (await ann.error())["code"] == "bad-message"
        await table.play()


async def test_specs_that_cannot_be_played_are_refused(web_server: Server) -> None:
    async with page(web_server.socket) as ann:
        for name, spec in BAD_SPECS.items():
            with pytest.raises(Refusal) as refused:
                await ann.make(spec, ALONE, sit=0)
            assert refused.value.code == "bad-spec", name
            assert refused.value.said["problems"], name
        with pytest.raises(Refusal, match="4 seats"):
            await ann.make(CANTONESE, [PERSON, FAST, FAST], sit=0)
        with pytest.raises(Refusal, match="bad-message"):
            await ann.make(CANTONESE, ALONE, sit=1)


async def test_nobody_is_told_more_of_a_spec_than_names(web_server: Server) -> None:
    """What is told to everybody is short, and can be sent."""
    text = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\n"
    async with page(web_server.socket) as ann, page(web_server.socket) as eve:
        await ann.ask("lobby", on=True)
        half = {"name": "\ud800" + "x" * 9_000, "text": text}
        table = await eve.make({"ruleset": half, "options": {"flowers": False}}, TWO, sit=0, public=True)
        shown = await lobby_with(ann, table.code)
        assert shown["spec"]["ruleset"].keys() == {"name"}
        assert len(shown["spec"]["ruleset"]["name"]) <= 80
        table = await eve.make({**CANTONESE, "ruleset": {"id": "cantonese", "name": "x" * 9_000}}, TWO, sit=0)
        assert table.info["spec"]["ruleset"] == {"id": "cantonese"}
        await eve.send('{"say": "ping", "id": "\\ud800"}')
        await eve.ask("ping")


async def test_nobody_makes_tables_without_end(web_server: Server) -> None:
    async with page(web_server.socket) as eve:
        codes = []
        for _ in range(20):
            with pytest.raises(Refusal) as refused:
                await eve.make({"ruleset": {"id": "nobody_s"}}, ALONE, sit=0)
            codes.append(refused.value.code)
        assert codes[0] == "bad-spec"
        assert codes[-1] == "too-many"


async def test_too_large_and_too_fast(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as eve:
        table = await ann.make(CANTONESE, ALONE, sit=0)
        await ann.send(json.dumps({"say": "rename", "name": "x" * 20_000}))
        assert (await ann.error())["code"] == "too-large"
        with suppress(ConnectionClosed):
            for _ in range(600):
                await eve.send('{"say": "ping"}')
        assert eve.reading is not None
        await asyncio.wait_for(eve.reading, HANGS)
        said = [json.loads(text) for text in eve.heard]
        assert {message["code"] for message in said if message["say"] == "error"} == {"too-fast"}
        assert said[-1] == {"say": "bye", "reason": "too-fast"}
        await table.play()
    async with page(web_server.socket) as eve:
        with pytest.raises((ConnectionClosed, ConnectionError)):
            await eve.send("x" * 700_000)
            await eve.ask("ping")


async def test_moves_out_of_turn_and_forged_ones(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob, page(web_server.socket) as eve:
        first = await ann.make(CANTONESE, TWO, sit=0)
        with pytest.raises(Refusal, match="unknown-table"):
            await eve.ask("answer", table=first.code, seq=1, move={"move": "pass"})
        second = await bob.join(first.code)
        with pytest.raises(Refusal, match="seat-taken"):
            await second.say("sit", player=0)
        with pytest.raises(Refusal, match="not-host"):
            await second.say("set", player=1, seat=FAST)
        with pytest.raises(Refusal, match="not-host"):
            await second.say("start")
        with pytest.raises(Refusal, match="bad-message"):
            await second.say("sit", player=7)
        await second.say("sit", player=1)
        watching = await eve.join(first.code)
        await first.until(lambda: first.question is not None)
        asked, other = first, second
        assert asked.question is not None and other.question is None
        await refused_moves(asked, other, watching)
        with pytest.raises(Refusal, match="unknown-table"):
            await eve.join("BBBBB")
        with pytest.raises(Refusal, match="not-allowed"):
            await first.say("set", player=1, seat=FAST)
        await together(first.play(), second.play())


async def refused_moves(asked: Table, other: Table, watching: Table) -> None:
    """Nobody but who is asked may answer, and only what may be answered, once."""
    assert asked.question is not None
    move = asked.question["moves"][0]
    seq, view = asked.seq, asked.view
    for table, code in ((other, "not-your-turn"), (watching, "not-seated")):
        with pytest.raises(Refusal, match=code):
            await table.answer(move)
    with pytest.raises(Refusal, match="stale"):
        await asked.page.ask("answer", table=asked.code, seq=seq - 1, move=move)
    for forged in ({"move": "discard", "tile": "9x"}, {"move": "win"}, {"move": "__class__"}, {**move, "more": "1"}):
        with pytest.raises(Refusal, match="illegal-move"):
            await asked.answer(forged)
    assert (asked.seq, asked.view) == (seq, view)
    await asked.answer(move)
    with pytest.raises(Refusal, match=r"stale|not-your-turn"):
        await asked.page.ask("answer", table=asked.code, seq=seq, move=move)


async def test_hello_comes_first_and_in_this_version(web_server: Server) -> None:
    async with connect(web_server.socket, proxy=None) as socket:
        for text, code in (
            ('{"say": "join", "table": "KDMWQ"}', "bad-message"),
            ('{"say": "hello", "v": 99}', "other-version"),
            ('{"say": "hello", "v": 2, "key": "short"}', "bad-message"),
        ):
            await socket.send(text)
            assert json.loads(await socket.recv())["code"] == code
        await socket.send('{"say": "hello", "v": 2, "id": "x"}')
        assert json.loads(await socket.recv())["id"] == "x"
    with pytest.raises(InvalidStatus, match="403"):
        await connect(web_server.socket, additional_headers={"Origin": "http://evil.example"}, proxy=None)


async def test_the_way_between_servers_is_closed_to_others(web_server: Server) -> None:
    url = web_server.socket.replace("/socket", "/internal/relay")
    for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer x"}):
        with pytest.raises(InvalidStatus, match="403"):
            await connect(url, additional_headers=headers, proxy=None)


# --- the lobby


async def test_open_tables_are_shown_while_somebody_is_there(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        before = {info["code"] for info in (await bob.ask("lobby", on=True))["tables"]}
        secret = await ann.make(CANTONESE, TWO, sit=0, public=False)
        table = await ann.make(CANTONESE, TWO, sit=0, public=True, name="  Fri\u202eday  ")
        shown = await lobby_with(bob, table.code)
        assert shown["name"] == "Friday"
        assert secret.code not in {info["code"] for info in shown["all"]} - before
        assert "seed" not in json.dumps(shown)
        me = json.loads(fetched(web_server, f"/api/tables/{table.code}", ann.key))
        assert (me["me"], me["host"], me["state"]) == (0, True, "waiting")


async def lobby_with(page: Page, code: str) -> Plain:
    """The table as the lobby tells of it, beside all others."""
    while True:
        message = await asyncio.wait_for(page.loose.get(), HANGS)
        if message["say"] == "lobby":
            for info in message["tables"]:
                if info["code"] == code:
                    return {**info, "all": message["tables"]}


# --- several servers


@pytest.mark.xdist_group("postgresql")
async def test_two_servers_share_their_tables(start_server: StartServer, postgresql_cluster: Cluster) -> None:
    database = postgresql_cluster.fresh()
    one, two = start_server(database=database), start_server(database=database)
    ann, bob = await Page(one.socket, name="Ann").open(), await Page(two.socket, name="Bob").open()
    first = await ann.make(CANTONESE, TWO, sit=0)
    second = await bob.join(first.code)
    await second.say("sit", player=1)
    await play_beyond(20, first, second)
    await settled(second)
    with pytest.raises(Refusal, match=r"illegal-move|not-your-turn"):
        await second.answer({"move": "nothing"})
    view = second.view
    one.kill()
    second.seq = 0  # the other server counts anew
    await second.until(lambda: second.seq == 1)
    assert second.view == view
    ann.url = two.socket
    await ann.close()
    ann = await ann.again()
    first = ann.tables[first.code]
    await together(first.play(), second.play())
    assert "Traceback" not in two.said
    await ann.close()
    await bob.close()


async def test_two_servers_of_one_file_share_it_too(start_server: StartServer) -> None:
    """A second server on the same file plays nothing that the first one plays, until that ends."""
    one = start_server()
    two = start_server(database=str(one.folder / "tables.db"))
    ann, bob, eve = [await Page(url).open() for url in (one.socket, two.socket, two.socket)]
    first = await ann.make(CANTONESE, TWO, sit=0)
    watching = await eve.join(first.code)
    second = await bob.join(first.code)
    await second.say("sit", player=1)
    await bob.ask("rename", name="Robert")
    await first.until(lambda: first.info["seats"][1]["name"] == "Robert" and first.info["watching"] == 1)
    await play_beyond(9, first, second)
    assert watching.view is not None and watching.view["seat"] is None
    await watching.say("leave")
    await first.until(lambda: first.info["watching"] == 0)
    await settled(second)
    view = second.view
    one.stop()
    second.seq = 0
    await second.until(lambda: second.seq == 1)
    assert second.view == view
    assert "Traceback" not in one.said + two.said
    for other in (ann, bob, eve):
        await other.close()


# --- beside


def log_of(server: Server, code: str) -> list[str]:
    """The log of a table, as it is in the file."""
    file = server.database or str(server.folder / "tables.db")
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        rows = connection.execute(
            'SELECT text FROM lines JOIN tables ON tables.id = lines."table" WHERE code = ? ORDER BY first', [code]
        ).fetchall()
    finally:
        connection.close()
    return [line for (text,) in rows for line in text.split("\n")]


def fetched(server: Server, path: str, key: str | None) -> str:
    with urlopen(Request(server.url + path, headers={"Authorization": f"Bearer {key}"}), timeout=HANGS) as answer:
        text: str = answer.read().decode()
        return text
