"""What strangers write and want to have played or worked out: it ends, soon and with a reason, it reads nothing that it
may not, and nobody else notices."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from worker_games import Run, play_on, running, view_of

from tilewright.play.log import read_log
from tilewright.play.resume import verify
from tilewright.play.rules import load
from tilewright.web.protocol.moments import GameStep
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.spec import read_spec, rules_of
from tilewright.web.workers import process as worker
from tilewright.web.workers.pool import (
    ROOM_FOR_ONE,
    THINKER,
    BadSpec,
    GameFailed,
    NoWorkerFree,
    ProcessLimits,
    WorkerLost,
)
from tilewright.web.workers.wire import GameOpened, OpenGame

pytestmark = pytest.mark.slow

HEAD = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: cantonese\n"
MOD = "tilewright: 1\nkind: mod\nid: more\nname: More\nfor: [cantonese]\n"
PAIRS = "sequence x in a, sequence x in b, sequence y in a, sequence y in b"
LARGE = "  p{0}: {{name: {{en: P}}, worth: 1, when: {{has: [" + PAIRS + "]}}}}\n"
CARD = "Mine\n\n“Pairs”\nFF 11 22 33 44 55 66 Va C50\n"
Plain = dict[str, Any]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    with running(guests=2) as run:
        yield run


def untrusted(text: str, **more: Any) -> Plain:
    return {"ruleset": {"name": "mine", "text": text}, "seed": 1, "hands": 1, **more}


def nothing(step: GameStep) -> None:
    pass


def refused(spec: Any) -> tuple[Plain, ...]:
    """The problems of what cannot be played; none of them names a file of this machine."""
    with pytest.raises(BadSpec) as error:
        rules_of(read_spec(spec))
    assert error.value.problems
    told = json.dumps(error.value.problems)
    assert not any(place in told for place in ("texts-", os.getcwd(), str(Path.home())))
    assert all(problem["message"] for problem in error.value.problems)
    return error.value.problems


# --- what they wrote is played


def test_a_stranger_s_ruleset_mod_and_card_are_played(run: Run) -> None:
    async def work(spec: Plain) -> list[str]:
        remote = await run.pool.open(spec)
        opening = await remote.opening()
        log, _ = await play_on(remote, opening, 2, nothing)
        await remote.close()
        return [*opening.lines, *log]

    mine = run(work(untrusted(HEAD)))
    assert json.loads(mine[0])["ruleset"] == "mine"
    modded = {"ruleset": {"id": "cantonese"}, "mods": [{"name": "more", "text": MOD}], "seed": 1, "hands": 1}
    assert json.loads(run(work(modded))[0])["mods"] == ["more"]
    carded = {"ruleset": {"id": "american"}, "options": {"card": {"name": "c", "text": CARD}}, "seed": 1, "hands": 1}
    assert json.loads(run(work(carded))[0])["digest"] != load("american").data.text_digest
    named = {"ruleset": {"id": "american"}, "options": {"card": "moon_gate"}, "seed": 1, "hands": 1}
    log = run(work(named))
    rules = load("american", {"card": "moon_gate"})
    assert verify(read_log("log", "".join(f"{line}\n" for line in log)), rules) is None


def test_each_has_a_process_of_its_own_and_there_are_only_so_many(run: Run) -> None:
    async def work() -> None:
        before = {worker.pid for worker in run.pool.processes}
        tables = [await run.pool.open(untrusted(HEAD)) for _ in range(2)]
        thinker = await run.pool.open(untrusted(HEAD), use=THINKER)
        assert len({worker.pid for worker in run.pool.processes} - before) == 3
        with pytest.raises(NoWorkerFree):
            await run.pool.open(untrusted(HEAD))
        bundled = await run.pool.open({"ruleset": {"id": "cantonese"}, "seed": 1})
        for one in (*tables, thinker, bundled):
            await one.close()
        assert {worker.pid for worker in run.pool.processes} <= before

    run(work())


@pytest.mark.usefixtures("begun_anew")
def test_a_process_knows_nothing_of_the_server_s_surroundings(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        monkeypatch.setenv("TILEWRIGHT_DATABASE", "postgresql://somebody:password@somewhere")
        remote = await run.pool.open(untrusted(HEAD))
        process = Path(f"/proc/{remote._worker.pid}")
        assert "password" not in (process / "environ").read_text()
        assert len(list((process / "fd").iterdir())) < 8
        assert (process / "cwd").resolve() == remote._worker.folder
        await remote.close()
        assert not remote._worker.folder.exists()

    run(work())


@pytest.mark.usefixtures("begun_anew")
def test_who_does_not_wait_leaves_no_process_behind(run: Run) -> None:
    async def work() -> None:
        before, running = {worker.pid for worker in run.pool.processes}, children()
        for number in range(3):
            opening = asyncio.ensure_future(run.pool.open(untrusted(HEAD)))
            await asyncio.sleep(0.02 * number)
            opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening
        while not children() <= running:
            await asyncio.sleep(0.01)
        assert {worker.pid for worker in run.pool.processes} <= before

    run(work())


def children() -> set[str]:
    """The processes that this one has started, and that have not ended."""
    return set(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())


# --- what is no ruleset

BOMB = "".join(
    f"{letter}: &{letter} [{', '.join([f'*{before}'] * 10) if before else 'x, x'}]\n"
    for before, letter in zip(["", *"abcdefg"], "abcdefgh", strict=True)
)
HOSTILE = {
    "nested": f"{HEAD}terms: {'{a: ' * 4000}",
    "many aliases": HEAD + BOMB,
    "a long expression": f"{HEAD}terms: {{t: '{' + '.join(['tiles'] * 30_000)}'}}",
    "a deep expression": f"{HEAD}terms: {{t: '{'(' * 40_000}1{')' * 40_000}'}}",
    "brackets": "[" * 100_000,
    "long": "x" * 256_000,
    "nothing": "",
    "no characters": "\0\x1b[2J",
    "half of a pair": "tilewright: \ud800",
    "a number": f"{HEAD}patterns: {{p: {{name: P, worth: {'9' * 100_000}}}}}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_ruleset_ends_with_problems(name: str) -> None:
    refused(untrusted(HOSTILE[name]))


def test_a_house_tells_of_problems_and_is_gone(run: Run) -> None:
    async def work() -> None:
        before = len(run.pool.processes)
        for spec in (untrusted(HOSTILE["many aliases"]), untrusted(""), {"ruleset": {"id": "no_such_rules"}}):
            with pytest.raises(BadSpec) as error:
                await run.pool.open(spec)
            assert error.value.problems[0]["message"]
        assert len(run.pool.processes) == before

    run(work())


SPECS: tuple[Any, ...] = (
    None,
    [],
    {},
    {"ruleset": "cantonese"},
    {"ruleset": {"name": "mine", "text": "東" * 100_000}},
    {"ruleset": {"id": "cantonese"}, "seed": "1"},
    {"ruleset": {"id": "cantonese"}, "seed": -1},
    {"ruleset": {"id": "cantonese"}, "seed": True},
    {"ruleset": {"id": "cantonese"}, "hands": 0},
    {"ruleset": {"id": "cantonese"}, "hands": 10**9},
    {"ruleset": {"id": "cantonese"}, "options": [1]},
    {"ruleset": {"id": "cantonese"}, "options": {"flowers": [1]}},
    {"ruleset": {"id": "cantonese"}, "mods": [{"id": "pie"}] * 17},
    {"ruleset": {"id": "cantonese"}, "mods": ["pie"]},
    {"ruleset": {"id": "cantonese"}, "options": {"flowers": "x" * 1000}},
)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_what_is_no_spec_is_refused(spec: Any) -> None:
    with pytest.raises(Refused, match="bad-message"):
        read_spec(spec)


def test_what_there_is_not_is_refused() -> None:
    refused({"ruleset": {"id": "no_such_rules"}})
    refused({"ruleset": {"id": "cantonese"}, "options": {"no_such_option": 1}})


# --- paths

TRICKS = ("../secret", "../secret.yaml", "/etc/passwd", "./secret.yaml", "secret.yaml", "..\\secret", "~/secret.yaml")


@pytest.fixture
def secret(tmp_path: Path) -> str:
    """Where a good ruleset and a good card lie that nobody else is to find."""
    (tmp_path / "hidden.yaml").write_text(HEAD, encoding="utf-8")
    (tmp_path / "card.txt").write_text(CARD, encoding="utf-8")
    return str(tmp_path)


def test_no_id_is_a_path(secret: str) -> None:
    for trick in (*TRICKS, f"{secret}/hidden.yaml", f"{secret}/hidden", "a" * 61, "", None, 7):
        for spec in (
            {"ruleset": {"id": trick}},
            {"ruleset": {"id": "cantonese"}, "mods": [{"id": trick}]},
            {"ruleset": {"id": "american"}, "options": {"card": {"id": trick}}},
        ):
            with pytest.raises(Refused):
                read_spec(spec)
    for trick in (*TRICKS, f"{secret}/card.txt"):
        refused({"ruleset": {"id": "american"}, "options": {"card": trick}})


def test_no_document_reads_another_by_its_path(secret: str) -> None:
    for name in (*TRICKS, f"{secret}/hidden.yaml", f"{secret}/hidden"):
        said = json.dumps(name)
        for text in (
            HEAD.replace("cantonese", said),
            MOD.replace("[cantonese]", f"[{said}]"),
            f"{MOD}needs: [{said}]\n",
        ):
            is_mod = "kind: mod" in text
            mods = [{"name": "m", "text": text}] if is_mod else []
            ruleset = {"id": "cantonese"} if is_mod else {"name": "mine", "text": text}
            refused({"ruleset": ruleset, "mods": mods})


def test_no_option_reads_a_card_by_its_path(secret: str) -> None:
    for name in (f"{secret}/card.txt", f"{secret}/card", "../card.txt", "card.txt"):
        choices = f"options:\n  card: {{choice: {json.dumps(name)}, of: [{json.dumps(name)}]}}\n"
        refused(untrusted(HEAD.replace("cantonese", "american") + choices))


def test_a_process_finds_files_by_path_only_below_its_folder(secret: str, tmp_path: Path) -> None:
    found = f"""
from pathlib import Path
from tilewright.base.problem import RulesetError
from tilewright.language.documents import library
from tilewright.play.rules import load
assert load({f"{secret}/hidden.yaml"!r})
library.confine(Path({str(tmp_path / "own")!r}))
for name in ("hidden.yaml", *({secret!r} + name for name in ("/hidden.yaml", "/own/../hidden.yaml", "/own/link.yaml"))):
    try:
        load(name)
    except RulesetError as error:
        print(error.problems[0].code)
assert load({f"{secret}/own/mine.yaml"!r})
assert load("cantonese")
"""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.yaml").write_text(HEAD, encoding="utf-8")
    (tmp_path / "own" / "link.yaml").symlink_to(tmp_path / "hidden.yaml")
    done = subprocess.run([sys.executable, "-c", found], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["no-such-document"] * 4


def test_a_name_is_no_place() -> None:
    for name in ("../../mine", "/etc/cron.d/mine", "x\0y", "", "a" * 1000, "<b>"):
        spec = {"ruleset": {"name": name, "text": HEAD + "terms: [1]\n"}}
        files = {problem["file"] for problem in refused(spec)}
        assert all("/" not in file and "<" not in file and file.endswith(".yaml") for file in files)


# --- time and memory

SLOW = f"{HEAD}patterns:\n" + "".join(
    f"  p{n}: {{name: P, worth: {n}, when: 'sum(sum(copies(a) for a in tiles) for b in tiles) > {n}'}}\n"
    for n in range(2_000)
)


def test_what_takes_too_long_is_stopped_and_nobody_else_is(run: Run) -> None:
    async def work() -> None:
        other, bundled, remote = [
            await run.pool.open(spec) for spec in (untrusted(HEAD), {"ruleset": {"id": "cantonese"}}, untrusted(HEAD))
        ]
        steps = [await other.opening(), await bundled.opening()]
        slow = OpenGame(table=99, spec=untrusted(SLOW), log=(), players=(), seconds=0.2)
        asked = [remote._worker.ask(slow, GameOpened), remote.opening()]
        broken, lost = await asyncio.gather(*asked, return_exceptions=True)
        assert isinstance(broken, GameFailed)
        assert "too long" in broken.reason["en"]
        assert set(broken.reason) == {"en", "zh", "ja"}
        assert isinstance(lost, WorkerLost)
        for one, step in zip((other, bundled), steps, strict=True):
            (player,) = step.asked
            assert (await one.answer(player, view_of(step, player)["question"]["moves"][0])).lines
        for one in (other, bundled, remote):
            await one.close()

    run(work())


def test_what_hangs_without_computing_is_stopped_by_the_clock(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        remote = await run.pool.open(untrusted(HEAD))
        os.kill(remote._worker.pid or 0, signal.SIGSTOP)
        monkeypatch.setattr(worker, "CLOCK", 0.1)
        with pytest.raises(GameFailed, match="too long"):
            await remote.opening()
        await remote.close()

    run(work())


@pytest.mark.usefixtures("begun_anew")
def test_what_needs_too_much_memory_is_stopped() -> None:
    async def work() -> None:
        large = {"ruleset": {"name": "mine", "text": HEAD + "patterns:\n" + "".join(map(LARGE.format, range(1_000)))}}
        with pytest.raises(GameFailed, match="memory"):
            await run.pool.open(large)
        assert len(run.pool.processes) == 2
        remote = await run.pool.open({"ruleset": {"id": "american"}})
        assert (await remote.opening()).asked

    with running(untrusted=ProcessLimits(opening=20, answering=5, memory=170_000_000, file=1_000_000)) as run:
        run(work())


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux says how much is shared")
def test_all_together_have_a_budget_of_memory() -> None:
    """Where it is used up, no more tables are opened; where it is exceeded, the largest process has to give way, and
    its table may be opened again."""

    async def work() -> None:
        first = await run.pool.open(untrusted(HEAD))
        await first.opening()
        await run.pool._keep_within_memory()
        assert not first.lost
        held = first._worker.memory
        assert 1_000_000 < held < 100_000_000
        run.pool._memory = held + ROOM_FOR_ONE - 1
        with pytest.raises(NoWorkerFree, match="memory"):
            await run.pool.open(untrusted(HEAD))
        assert not first.lost
        run.pool._memory = held // 2
        await run.pool._keep_within_memory()
        with pytest.raises(WorkerLost):
            await first.answer(0, {"move": "pass"})
        run.pool._memory = 10 * ROOM_FOR_ONE
        again = await run.pool.open(untrusted(HEAD))
        assert (await again.opening()).asked

    with running() as run:
        run(work())


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="only Linux ends the largest")
def test_where_memory_runs_out_workers_are_ended_before_the_server(run: Run) -> None:
    """First those of people's own rules."""

    def order(use: str, is_own: bool) -> int:
        found = (one for one in run.pool.processes_by_use[use] if one.limits.untrusted == is_own)
        return int(Path(f"/proc/{next(found).pid}/oom_score_adj").read_text())

    async def work() -> None:
        own = await run.pool.open(untrusted(HEAD))
        await run.pool.job("about", {"spec": {"ruleset": {"id": "cantonese"}}})
        ours = int(Path("/proc/self/oom_score_adj").read_text())
        assert ours < order("table", False) < order("thinker", False) < order("table", True) < order("job", True)
        os.kill(own._worker.pid or 0, signal.SIGKILL)
        with pytest.raises(WorkerLost):  # and not the fault of these rules
            await own.opening()

    run(work())


# --- jobs


def test_jobs_are_done_many_at_once_and_only_so_many_wait(run: Run) -> None:
    async def work() -> None:
        spec = {"spec": {"ruleset": {"id": "cantonese"}}}
        found = await asyncio.gather(*(run.pool.job("about", spec) for _ in range(60)), return_exceptions=True)
        done = [one for one in found if not isinstance(one, BaseException)]
        assert all(isinstance(one, NoWorkerFree) for one in found if isinstance(one, BaseException))
        assert 30 < len(done) < 60
        assert {one["digest"] for one in done} == {load("cantonese").data.text_digest}
        for name in ("no-such-job", "os-system", "../x", "", "about-"):
            with pytest.raises(BadSpec):
                await run.pool.job(name, {})
        with pytest.raises(BadSpec):
            await run.pool.job("about", {"spec": untrusted(HEAD.replace("cantonese", "no_such_rules"))})

    run(work())


def test_a_job_that_takes_too_long_or_is_not_wanted_any_more_is_ended(run: Run) -> None:
    async def work() -> None:
        with pytest.raises(GameFailed, match="too long"):
            await run.pool.job("about", {"spec": untrusted(SLOW)}, 0.2)
        left = asyncio.ensure_future(run.pool.job("about", {"spec": untrusted(SLOW)}, 100))
        while not run.pool._working:
            await asyncio.sleep(0.01)
        (worker,) = run.pool._working
        left.cancel()
        with pytest.raises(asyncio.CancelledError):
            await left
        while not worker.gone:
            await asyncio.sleep(0.01)
        assert (await run.pool.job("about", {"spec": untrusted(HEAD)}))["id"] == "mine"

    run(work())
