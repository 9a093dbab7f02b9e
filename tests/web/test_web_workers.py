"""Workers: processes in which tables are played. Whole games through them are byte for byte those that are played
directly; what is lost is noticed, what strangers wrote can harm nobody, and nobody is told what it may not see."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from games import MOSTLY_SOAKED
from processes import process
from table_promises import check_view, permuted
from two_worlds import CODE, Clock, LocalTable
from worker_games import Run, kinds_of, log_of, move_by_chance, play_on, played_directly, running, view_of

from tilewright.play.log import read_log
from tilewright.play.model import Event, Move, move_json
from tilewright.play.resume import verify
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.bots.careful import model_of
from tilewright.players.bots.position import Unchanged
from tilewright.players.player import BOTS
from tilewright.web.jobs.session import SeenMoment, WorkerSession, about_table, result_json
from tilewright.web.protocol.moments import GameStep, whole
from tilewright.web.tables import answers
from tilewright.web.workers.main import GameWorker
from tilewright.web.workers.pool import THINKER, BadSpec, GameFailed, Illegal, NoWorkerFree, WorkerGame, WorkerLost
from tilewright.web.workers.wire import LENGTH, OpenGame, PrepareBots, unpacked

pytestmark = pytest.mark.slow

TINY = """
tilewright: 1
kind: ruleset
id: mine
name: Mine
extends: cantonese
"""
Plain = dict[str, Any]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    with running() as run:
        yield run


def spec_of(name: str, seed: int = 1, hands: int | None = 1) -> Plain:
    return {"ruleset": {"id": name}, "seed": seed, "hands": hands}


def nothing(step: GameStep) -> None:
    pass


# --- whole games


@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_a_whole_game_is_that_which_is_played_directly(run: Run, name: str) -> None:
    kinds: list[str] = []
    views: dict[str, Plain] = {}
    results: list[Plain] = []
    everyone = {*map(str, range(load(name).data.seats.count)), "all"}

    def look(step: GameStep) -> None:
        kinds.extend(kinds_of(step.moments))
        results.extend(step.results)
        assert step.moments[-1].asked == step.asked
        for moment in step.moments:
            asked = set(map(str, moment.asked))
            assert set(moment.views) == set(moment.events) == everyone
            now = {viewer: whole(view) for viewer, view in moment.views.items()}
            assert {viewer for viewer, view in now.items() if view["question"] is not None} == asked
            if moment.only is not None:
                assert len(step.moments) == 1
                assert changed(views, now) <= {str(moment.only)}, "nobody else sees that somebody answered"
                assert not any(moment.events.values())
            views.update(now)

    async def work() -> None:
        remote = await run.pool.open(spec_of(name, 3, 2))
        opening = await remote.opening()
        log, answers = await play_on(remote, opening, 3, look)
        whole = [*opening.lines, *log]
        rules = load(name)
        game = played_directly(rules, 3, 2, answers)
        assert whole == log_of(game)
        assert verify(read_log("log", "".join(f"{line}\n" for line in whole)), rules) is None
        assert (remote.digest, about_of(run, remote)["digest"]) == (rules.data.text_digest, rules.data.text_digest)
        assert [result["gains"] for result in results] == [list(map(float, one.player_gains)) for one in game.results]
        await remote.close()

    run(work())
    assert kinds.count("end") == len(results) == 2
    assert "claim" in kinds


def changed(before: Mapping[str, Plain], after: Mapping[str, Plain]) -> set[str]:
    """Whose view is another one."""
    return {viewer for viewer, view in after.items() if before.get(viewer) != view}


def test_a_log_is_taken_up_anywhere(run: Run) -> None:
    async def work() -> None:
        first = await run.pool.open(spec_of("cantonese", 5), players=["Ann", "Ben", "Cat", "Dan"])
        opening = await first.opening()
        assert json.loads(opening.lines[0])["players"] == ["Ann", "Ben", "Cat", "Dan"]
        log, answers = await play_on(first, opening, 5, nothing)
        whole = [*opening.lines, *log]
        for count in (1, len(opening.lines), len(whole) // 2, len(whole) - 3, len(whole)):
            again = await run.pool.open(spec_of("cantonese", 5), whole[:count])
            step = await again.opening()
            taken_up = [*whole[:count], *step.lines]
            assert whole[: len(taken_up)] == taken_up
            given = sum(len(json.loads(line)["answers"]) for line in taken_up if '"event":"answers"' in line)
            for player, move in answers[given:]:
                step = await again.answer(player, move)
                taken_up += step.lines
            assert (taken_up, step.over) == (whole, True)
            await again.close()
        await first.close()

    run(work())


def test_a_log_that_is_none_of_these_rules_is_refused(run: Run) -> None:
    async def work() -> None:
        opened = await run.pool.open(spec_of("cantonese", 5))
        lines = list((await opened.opening()).lines)
        with pytest.raises(GameFailed, match="other rules"):
            await run.pool.open(spec_of("uzje", 5), lines)
        changed = [*lines[:-1], lines[-1].replace('"n":', '"n": ')]
        with pytest.raises(GameFailed, match="other rules"):
            await (await run.pool.open(spec_of("cantonese", 5), changed)).opening()

    run(work())


def test_answers_out_of_turn_change_nothing(run: Run) -> None:
    async def work() -> None:
        remote = await run.pool.open(spec_of("cantonese", 2))
        step = await remote.opening()
        (player,) = step.asked
        move = view_of(step, player)["question"]["moves"][0]
        for who, said in (
            ((player + 1) % 4, move),
            (player, {"move": "win"}),
            (player, {"move": "discard", "tile": "<b>"}),
            (player, {}),
            (99, move),
            (-1, move),
        ):
            with pytest.raises(Illegal) as refused:
                await remote.answer(who, said)
            assert refused.value.reason["en"]
        assert (await remote.answer(player, dict(reversed(move.items())))).lines
        await remote.close()

    run(work())


def about_of(run: Run, game: WorkerGame) -> Plain:
    """The rules of a game as a page needs them."""
    found: Plain = json.loads(unpacked(run.pool.about(game.digest) or b""))
    return found


def test_pressed_buttons_say_what_they_answer(run: Run) -> None:
    async def work() -> None:
        remote = await run.pool.open(spec_of("american", 2))
        step = await remote.opening()
        buttons = [button["id"] for button in about_of(run, remote)["buttons"]]
        random, seen = Random(2), False
        for player in range(4):
            step = await remote.press(player, buttons)
            assert (step.lines, step.moments) == ((), ())
        game = load("american").game(2, hands=1)
        while not game.over and not seen:
            player = game.player(random.choice(game.asked))
            seat = game.seat_of(player)
            wanted = {game.player(s): game.answer_by(s, frozenset(buttons)) for s in game.asked}
            told = {who: move_json(move) for who, move in wanted.items() if move is not None}
            assert dict(step.buttons) == told
            seen = bool(told)
            move = random.choice(game.legal_moves(seat))
            game.answer(move)
            step = await remote.answer(player, move_json(move))
        assert seen
        await remote.close()

    run(work())


# --- what is seen


@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_no_view_and_no_event_shows_a_tile_that_is_hidden(name: str) -> None:
    class Watched(WorkerSession):
        def moment(self, only: int | None = None) -> SeenMoment:
            new = self.game.events[self.events :]
            found = super().moment(only)
            viewer = random.choice([None, *range(self.game.program.count)])
            seat = None if viewer is None else self.game.seat_of(viewer)
            check_view(self.game, seat, random)
            other = permuted(self.game, seat, random)
            seen = found.views["all" if viewer is None else str(viewer)]
            if other is not None:
                again = WorkerSession(other).view(viewer, {}) | about_table(other)
                assert without_asking(again) == without_asking(seen)
            check_told(self, new, dict(found.events))
            return found

    random = Random(7)
    playing = Watched(load(name).game(7, hands=1, pausing=True))
    step = playing.opening()
    while not step.over:
        player = random.choice(step.asked)
        question = playing.views[str(player)]["question"]
        with suppress(ValueError):
            step = playing.answer(player, move_by_chance(question, random))


def without_asking(found: Plain) -> Plain:
    """A view but for what was worked out when the question was asked, which `check_view` looks at."""
    return {key: value for key, value in found.items() if key not in ("question", "refusals")}


def check_told(playing: WorkerSession, events: Sequence[Event], told: dict[str, list[Plain]]) -> None:
    """Who does not see the tiles of an event is told how many they are, and nothing of what only some may know."""
    for viewer, player in playing.viewers.items():
        seat = None if player is None else playing.game.seat_of(player)
        found = iter(told[viewer])
        for event in events:
            sees = event.seen_by is None or seat in event.seen_by
            if sees or event.kind not in ("mark", "roll", "answers"):
                one = next(found)
                assert one["event"] == event.kind
                assert "seen_by" not in one
                assert sees or '"tiles": [' not in json.dumps(one.get("told", {})), f"{event.kind} is told in words"
                if event.tiles:
                    assert ("tiles" in one) == sees, f"{viewer} is told too much of {event.kind}"
                    assert len(one["tiles"]) if sees else one["count"] == len(event.tiles)
        assert next(found, None) is None


# --- thinkers


def test_bots_know_the_rules_before_they_are_asked() -> None:
    """The first look at a ruleset takes longer than a move may."""
    worker = GameWorker()
    worker.serve(OpenGame(table=1, spec=spec_of("cantonese"), log=(), players=(), seconds=60.0))
    model_of.cache_clear()  # other tests may have played by the same rules
    reply = worker.serve(PrepareBots(table=1, bots=("fast", "random", "strong"), seconds=60.0))
    assert not reply.problems and reply.broken is None
    assert {"aims", "strong"} <= vars(model_of(Unchanged(worker.games[1].rules))).keys()
    assert worker.serve(PrepareBots(table=1, bots=("nobody",), seconds=60.0)).problems


def test_a_table_prepares_its_bots_when_it_is_opened() -> None:
    async def work() -> None:
        game = load("cantonese").game(3, hands=1, pausing=True)
        table = LocalTable(game, Clock(), {1: "strong", 2: "fast", 3: "strong"})
        with table.clock.used():
            await table.begin()
            while ("choose", "strong") not in table.local.asked:
                await table.wait(1.0)
                page = table.pages[0]
                if 0 in page.last["asked"]:
                    move = move_by_chance(page.last["view"]["question"], Random(1))
                    await table.say(page, {"say": "answer", "table": CODE, "seq": page.last["seq"], "move": move})
        first, *later = table.local.asked
        assert first == ("prepare", "fast", "strong")
        assert {name for name, *_ in later} == {"choose"}

    asyncio.run(work())


@pytest.mark.parametrize("first", ["bot", "person"])
def test_a_game_begins_when_the_bot_that_moves_first_is_prepared(monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    """People wait for bots before the game, not in it; whoever moves first in person need not wait."""

    async def work() -> None:
        bots = {player: "strong" for player in range(4) if player != (1 if first == "bot" else 0)}
        table, shown = LocalTable(load("cantonese").game(3, hands=1, pausing=True), Clock(), bots), list[bool]()

        async def prepare(*_: Any) -> None:
            await asyncio.sleep(0.2)
            shown.append(any(page.last["view"] is not None for page in table.pages))

        monkeypatch.setattr(table.local, "prepare", prepare)
        with table.clock.used():
            await table.begin()
        assert shown == [first == "person"]

    asyncio.run(work())


def test_a_table_does_not_wait_for_ever_for_its_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        table = LocalTable(load("cantonese").game(3, hands=1, pausing=True), Clock(), dict.fromkeys((0, 2, 3), "fast"))
        prepared = asyncio.Event()
        monkeypatch.setattr(table.local, "prepare", lambda *_: prepared.wait())
        monkeypatch.setattr(answers, "MOST_PREPARING", 0.01)
        with table.clock.used():
            for page in table.pages:
                await table.hear(page, {"say": "join", "table": CODE})
            assert table.actor.is_opened and table.pages[1].last["view"] is None
            await table.actor.guarded(table.actor.advance())
            assert table.pages[1].last["view"] is not None
            prepared.set()
            await table.settle()

    asyncio.run(work())


def test_a_thinker_follows_and_chooses_as_its_bot_does(run: Run) -> None:
    names = ("fast", "careful", "random", "fast")

    async def work() -> None:
        remote = await run.pool.open(spec_of("cantonese", 9))
        step = await remote.opening()
        thinker = await run.pool.open(spec_of("cantonese", 9), step.lines, THINKER)
        rules = load("cantonese")
        bots = [BOTS[name](rules, player) for player, name in enumerate(names)]
        game = rules.game(9, hands=1)
        while not step.over:
            player = step.asked[-1]
            chosen = await thinker.choose(names[player], player, player)
            assert chosen == move_json(bots[player].choose(View(game, game.seat_of(player))))
            step = await remote.answer(player, chosen)
            await thinker.follow(step.lines)
            choice = tuple((name, text) for name, text in chosen.items() if name != "move")
            game.answer(Move(game.seat_of(player), chosen["move"], choice))
        with pytest.raises(Illegal):
            await thinker.choose("fast", 0, 0)
        with pytest.raises(BadSpec):
            await thinker.choose("nobody", 0, 0)
        for one in (remote, thinker):
            await one.close()

    run(work())


def test_help_says_what_to_do_what_to_wait_for_and_what_is_near(run: Run) -> None:
    async def work() -> None:
        for name, has_card in (("american", True), ("cantonese", False)):
            thinker = await run.pool.open(spec_of(name, 4), use=THINKER)
            remote = await run.pool.open(spec_of(name, 4))
            step = await remote.opening()
            while view_of(step, step.asked[0])["question"]["phase"] == "":  # tiles are passed on first
                player = step.asked[0]
                hint = await thinker.help("hint", player)
                assert set(hint["reason"]) == {"en", "zh", "ja"}
                step = await remote.answer(player, hint["move"])
                await thinker.follow(step.lines)
            (player,) = step.asked
            hint = await thinker.help("hint", player)
            assert hint["move"] in view_of(step, player)["question"]["moves"]
            assert hint["away"] > 0
            waits = await thinker.help("waits", player)
            assert waits["away"] > 0
            assert all({"code", "away", "tiles"} <= set(one) for one in waits["discards"])
            near = await thinker.help("nearest", player)
            assert (bool(near["hands"]), bool(near["forms"])) == (has_card, not has_card)
            for hand in near["hands"]:
                wanting = [tile["code"] for group in hand["groups"] for tile in group if not tile["has"]]
                assert sorted(wanting) == sorted(need.rpartition("|")[2] for need in hand["needs"])
            assert [form["away"] for form in near["forms"]] == sorted(form["away"] for form in near["forms"])
            assert has_card or near["forms"][0]["away"] == waits["away"]
            assert (await thinker.help("hint", (player + 1) % 4))["move"] is None
            for one in (remote, thinker):
                await one.close()

    run(work())


# --- results


@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_a_result_names_the_tiles_of_every_line(name: str) -> None:
    rules, won, seeds = load(name), 0, iter(range(20))
    while not won and (seed := next(seeds, None)) is not None:
        game = rules.game(seed, hands=1, pausing=True)
        bots = [BOTS["fast"](rules, player) for player in game.program.everyone]
        while not game.over:
            while not game.asked and not game.over:
                game.run()
            if game.asked:
                game.answer(bots[game.player(game.asked[0])].choose(View(game, game.asked[0])))
        result = result_json(game, game.results[0])
        assert sum(result["gains"]) == 0
        assert json.loads(json.dumps(result)) == result
        assert len(result["told"]) == max(1, len(result["winners"]))
        paid = result["payments"]
        for player, gain in enumerate(result["gains"]):
            got, gave = (sum(one["amount"] for one in paid if one[way] == player) for way in ("to", "from"))
            assert got - gave == gain
        assert {*range(len(result["gains"]))} == {one["player"] for one in (*result["winners"], *result["left"])}
        for winner in result["winners"]:
            won += 1
            tiles = [*winner["hand"], *(tile for meld in winner["melds"] for tile in meld["tiles"])]
            assert sorted(tile for group in winner["groups"] for tile in group) == list(range(len(tiles)))
            assert [line["id"] for line in winner["lines"]] == [one["id"] for one in winner["score"]["patterns"]]
            assert all(set(line["tiles"]) <= set(range(len(tiles))) for line in winner["lines"])
            assert winner["tile"] == winner["hand"][-1]
    assert won


# --- processes that are lost


def test_a_lost_process_is_noticed_and_another_takes_its_place(run: Run) -> None:
    async def work() -> None:
        remote = await run.pool.open(spec_of("cantonese", 6))
        opening = await remote.opening()
        log, _ = await play_on(remote, opening, 6, nothing, most=40)
        lines = [*opening.lines, *log]
        before = {worker.pid for worker in run.pool.processes}
        asked = [asyncio.ensure_future(remote.press(0, [])) for _ in range(3)]
        os.kill(remote._worker.pid or 0, signal.SIGKILL)
        lost = await asyncio.gather(*asked, remote.opening(), return_exceptions=True)
        assert isinstance(lost[-1], WorkerLost)
        assert remote.lost
        with pytest.raises(WorkerLost):
            await remote.answer(0, {"move": "pass"})
        again = await run.pool.open(spec_of("cantonese", 6), lines)
        step = await again.opening()
        log, _ = await play_on(again, step, 7, nothing)
        whole = [*lines, *step.lines, *log]
        assert verify(read_log("log", "".join(f"{line}\n" for line in whole)), load("cantonese")) is None
        assert {worker.pid for worker in run.pool.processes} - before
        await again.close()

    run(work())


SERVER = """
import asyncio, sys
from tilewright.web.workers.pool import WorkerPool
async def main():
    pool = WorkerPool()
    await pool.start()
    await pool.open({"ruleset": {"name": "mine", "text": sys.argv[1]}, "seed": 1})
    await pool.job("about", {"spec": {"ruleset": {"id": "cantonese"}}})
    print(*(worker.pid for worker in pool.processes), pool._folder, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


def test_help_for_many_tables_of_one_address_keeps_no_bot_of_others_waiting(run: Run) -> None:
    """Bots wait for one piece of help at most, and so does the help of somebody else."""

    async def work() -> None:
        tables = [await run.pool.open({"ruleset": {"id": "cantonese"}, "seed": seed}, (), THINKER) for seed in range(8)]
        asked = [(await table.opening()).asked[0] for table in tables]
        given: list[int] = []

        async def helped(number: int) -> None:
            with suppress(NoWorkerFree):
                await tables[number].help("hint", asked[number], "192.0.2.1")
                given.append(number)

        helping = [asyncio.create_task(helped(number)) for number in range(1, 8)]
        await asyncio.sleep(0)
        await tables[0].choose("fast", asked[0], 1)
        assert len(given) <= 2
        await asyncio.gather(*helping)
        assert len(given) == 7

    run(work())


def test_processes_run_on_without_what_they_were_forked_from() -> None:
    """It is started again for the next one."""

    async def work() -> None:
        before = {worker.pid for worker in run.pool.processes}
        game = await run.pool.open({"ruleset": {"id": "cantonese"}, "seed": 1})
        server = run.pool._forks.server
        assert server is not None
        server.kill()
        await asyncio.sleep(0.2)
        assert (await game.opening()).asked
        assert (await run.pool.job("about", {"spec": {"ruleset": {"id": "cantonese"}}}))["id"] == "cantonese"
        assert before <= {worker.pid for worker in run.pool.processes}
        assert run.pool._forks.server is not server

    with running() as run:
        run(work())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_all_houses_end_with_the_server(how: signal.Signals) -> None:
    words = [sys.executable, "-c", SERVER, TINY]
    with process(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        *said, folder = server.stdout.readline().split()
        pids = list(map(int, said))
        assert len(pids) == 4
        server.send_signal(how)
        server.wait(60)
    until = time.monotonic() + 30
    while (any(map(is_running, pids)) or Path(folder).exists()) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(is_running, pids))
    assert not Path(folder).exists(), "the last one clears away"


def test_a_house_that_cannot_hear_any_more_ends(tmp_path: Path) -> None:
    """What was sent is nested too deeply to be read."""
    ours, theirs = socket.socketpair()
    (folder := tmp_path / "all" / "worker").mkdir(parents=True)
    words = [sys.executable, "-m", "tilewright.web.workers.main", str(folder), "{}"]
    sent = b'{"do": "dojob", "seconds": 1, "name": "about", "payload": {"a": ' + b"[" * 1_000_000
    with ours, theirs, process(words, stdin=theirs, stderr=subprocess.PIPE) as worker:
        ours.sendall(len(sent).to_bytes(LENGTH, "big") + sent)
        assert worker.wait(60) == 0
        assert worker.stderr is not None and "RecursionError" in worker.stderr.read()
    assert not folder.parent.exists()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
