"""Tables of rules made to need much: each ends with a reason or goes on, within its limits, and a table of bundled
rules on the same server goes on meanwhile."""

import asyncio
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from budget import budget
from web_client import AT_ONCE, FAST, PERSON, RANDOM, Page, Refusal, page
from web_server import Server
from worker_games import Run, play_on, running

from tilewright.web.protocol.moments import GameStep
from tilewright.web.storage.rows import TableRow
from tilewright.web.tables import game as table_game
from tilewright.web.tables.game import BotWorker, DurableGame
from tilewright.web.workers.pool import THINKER, UNTRUSTED, GameFailed, WorkerLost
from tilewright.web.workers.wire import CutOff, FrameTooLarge, length_of

pytestmark = pytest.mark.slow

Plain = dict[str, Any]
HEAD = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\n"
LONG = "x" * 100_000
MOVES = 40  # of the table beside them
SLOWEST = 60.0  # seconds for one of them, on a machine that does other work: without limits it is minutes


def rules(**sections: Any) -> str:
    return HEAD + "".join(f"{name}: {json.dumps(said)}\n" for name, said in sections.items())


def after_each_discard(*do: Plain) -> Plain:
    return {"t": {"after": ["discard"], "do": list(do)}}


def often(outer: int, inner: int, step: Plain) -> Plain:
    return {"for": {"one": f"1..{outer}"}, "do": [{"for": {"other": f"1..{inner}"}, **step}]}


TILES = {"log": {"of": "table", "is": "tiles"}}
NUMBER = {"log": {"of": "table", "is": "number", "start": 2}}
HOSTILE = {  # of which the first play on, or end, in ways of their own; the others are tried in `make soak`
    "many events": rules(marks=NUMBER, triggers=after_each_discard(often(99, 99, {"mark": {"log": "log + 1"}}))),
    "slow conditions": rules(
        patterns={
            f"p{n}": {"name": "P", "worth": n, "when": f"sum(sum(copies(a) for a in tiles) for b in tiles) > {n}"}
            for n in range(300)
        }
    ),
    "hands without end": rules(phases={"deal": {"then": "deal"}}),
    "hands without a question": rules(phases={"deal": {"then": "end"}}, match={"dealer_stays": "dealer in seats"}),
    "huge numbers": rules(
        marks=NUMBER, triggers=after_each_discard({"for": {"one": "1..60"}, "mark": {"log": "log * log"}})
    ),
    "large events": rules(marks=TILES, triggers=after_each_discard(often(90, 90, {"mark": {"log": "wall"}}))),
    "long names": rules(
        zones={"pile": {"of": "table", "seen_by": "everyone", "name": {"en": LONG}}},
        triggers=after_each_discard(often(3, 3, {"move": {"count": 1, "from": "wall", "to": "pile"}})),
    ),
    "slow expressions": rules(
        patterns={f"p{n}": {"name": "P", "worth": n, "when": {"matches": f"(.*)*{n}x"}} for n in range(20)}
    ),
    "many tiles": rules(tiles={"copies": 1_000}),
    "many marks": rules(marks={f"m{n}": {"of": "seat", "is": "number", "start": n} for n in range(2_000)}),
}


# --- on a server


def test_a_table_goes_on_beside_hostile_ones(web_server: Server) -> None:
    """Whatever others play, its answers are carried out; and all that becomes of them are reasons."""

    async def work() -> None:
        async with page(web_server.socket, name="Ann") as ann:
            table = await ann.make({"ruleset": {"id": "cantonese"}}, [PERSON, FAST, FAST, FAST], sit=0, **AT_ONCE)
            attackers = asyncio.ensure_future(attacked(web_server))
            slowest, moves = 0.0, 0
            while not attackers.done() or moves < MOVES:
                begun, seq = asyncio.get_running_loop().time(), table.seq
                await table.play(until=lambda here=table, seq=seq: here.seq > seq)
                slowest, moves = max(slowest, asyncio.get_running_loop().time() - begun), moves + 1
                if table.over:
                    code = (await table.say("again"))["next"]
                    table = await ann.join(code)
                await asyncio.sleep(0.05)
            assert slowest < SLOWEST
            assert set(await attackers) <= ENDS

    asyncio.run(work())


ENDS = {"bad-spec", "broken", "over", "playing", "too-many", "waiting"}  # too-many: the server is busy


async def attacked(server: Server) -> list[str]:
    """What becomes of each of the hostile tables, two of them at a time."""
    async with page(server.socket, name="Eve") as eve, page(server.socket, name="Bob") as bob:
        names = iter([*HOSTILE][: budget(3)])
        ends = await asyncio.gather(one_after_another(eve, names), one_after_another(bob, names))
        return [end for of_one in ends for end in of_one]


async def one_after_another(somebody: Page, names: Iterator[str]) -> list[str]:
    return [await outcome(somebody, HOSTILE[name]) for name in names]


async def outcome(somebody: Page, text: str) -> str:
    """How a table of bots with these rules ends, or what it does after some time."""
    spec = {"ruleset": {"name": "mine", "text": text}, "hands": 1}
    try:
        table = await somebody.make(spec, [RANDOM] * 4, **AT_ONCE)
    except Refusal as refusal:
        return refusal.code
    try:
        async with asyncio.timeout(budget(1)):
            while table.info["state"] not in ("over", "broken"):
                table.news.clear()
                await table.news.wait()
    except TimeoutError:
        pass
    state = str(table.info["state"])
    if state == "broken":
        assert table.info["problem"]["en"]
    await table.say("leave")
    return state


# --- limits


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    with running(guests=2) as run:
        yield run


def spec_of(text: str) -> Plain:
    return {"ruleset": {"name": "mine", "text": text}, "seed": 1, "hands": 1}


def nothing(step: GameStep) -> None:
    pass


def test_a_step_that_is_too_large_breaks_its_table(run: Run) -> None:
    async def work() -> None:
        remote = await run.pool.open(spec_of(HOSTILE["large events"]))
        with pytest.raises(GameFailed, match="at once"):
            await play_on(remote, await remote.opening(), 1, nothing, 1)
        await remote.close()
        assert all(not worker.limits.untrusted for worker in run.pool.processes)

    run(work())


def test_a_large_frame_is_refused_before_it_is_read() -> None:
    head = (UNTRUSTED.reply + 1).to_bytes(4, "big")
    with pytest.raises(FrameTooLarge):
        length_of(head, UNTRUSTED.reply)
    assert length_of(head) == UNTRUSTED.reply + 1
    with pytest.raises(CutOff):
        length_of(head[:3])


class Rows:
    """The lines of a log that were stored."""

    def __init__(self) -> None:
        self.stored = list[str]()

    async def add_lines(self, table: int, first: int, lines: Any) -> None:
        self.stored += lines


def game_of(spec: Plain) -> tuple[DurableGame, Rows]:
    rows = Rows()
    row = TableRow(1, "AAAAA", spec, {}, "playing", None, 0.0, None, None, None, ())
    return DurableGame(SimpleNamespace(row=row, store=rows), None), rows  # type: ignore[arg-type]


def test_the_log_of_a_stranger_s_rules_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_game, "MOST_BYTES", 1_000)
    step = GameStep(lines=("x" * 400,), moments=(), asked=(), buttons={}, hands_done=0, over=False)

    async def kept(spec: Plain) -> int:
        game, rows = game_of(spec)
        for _ in range(5):
            try:
                await game.keep(step)
            except GameFailed as error:
                assert error.reason["zh"]
                break
        return len(rows.stored)

    assert asyncio.run(kept(spec_of(HEAD))) == 2
    assert asyncio.run(kept({"ruleset": {"id": "cantonese"}})) == 5


# --- tables that are closed


def test_a_bot_that_waits_for_its_turn_thinks_no_more_at_a_closed_table(run: Run) -> None:
    async def work() -> None:
        remote = await run.pool.open({"ruleset": {"id": "cantonese"}, "seed": 1}, use=THINKER)
        async with run.pool._thinking.before():
            thinking = asyncio.ensure_future(remote.choose("fast", 0, 1, alone=True))
            await asyncio.sleep(0)
            await remote.close()
        with pytest.raises(WorkerLost):
            await thinking

    run(work())


def test_a_closed_table_opens_no_process_to_think(run: Run) -> None:
    async def work() -> None:
        remote = await run.pool.open(spec_of(HEAD))
        log = list((await remote.opening()).lines)

        async def lines() -> list[str]:
            return log

        thinker = BotWorker(run.pool, spec_of(HEAD), None, lines)
        assert await thinker.help("hint", 0)
        for one in (thinker, remote):
            await one.close()
        with pytest.raises(WorkerLost):
            await thinker.help("hint", 0)
        assert all(not worker.limits.untrusted for worker in run.pool.processes)

    run(work())
