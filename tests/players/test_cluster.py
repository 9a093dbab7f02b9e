"""Games on a Dask cluster: what is played here is played there, byte for byte, whatever is lost on the way."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest
from commands import Done, fails, run
from preloaded import Fork, Preloaded
from processes import HANGS

from tilewright.base.problem import WorkLost
from tilewright.play.rules import load
from tilewright.players.simulation.cluster import OtherCode, code_digest, digest_of, packed, play_shard
from tilewright.players.simulation.run import SimulationPlan, alone

pytest.importorskip("distributed")

from distributed.comm.core import CommClosedError

from tilewright.players.simulation import cluster as cluster_client
from tilewright.players.simulation.cluster import Cluster, cluster_at

QUICK = Path(__file__).parents[1] / "data" / "quick_match.yaml"
DASK = ("distributed.cli.dask_scheduler", "distributed.cli.dask_worker")
PLAIN = {"TILEWRIGHT_KERNELS": "plain"}  # few games last long enough to be disturbed
QUIET: dict[str, int] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
OTHER = "worker_elsewhere"  # a worker with another version, or none
FORKS = Preloaded(*DASK, "tilewright.players.simulation.cluster", OTHER)  # starting Dask takes longer than these games


@contextmanager
def forked(*words: str, env: Mapping[str, str] | None = None, **how: Any) -> Iterator[Fork]:
    """A process while the block runs: a scheduler, a worker or a command."""
    running = FORKS.start([sys.executable, "-m", *words], env={**os.environ, **(env or {})}, **{**QUIET, **how})
    try:
        yield running
    finally:
        running.kill()
        running.wait(HANGS)


@contextmanager
def scheduler() -> Iterator[tuple[str, Fork]]:
    """A scheduler of its own: its address and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with forked(DASK[0], "--host", "127.0.0.1", "--port", str(port), "--no-dashboard") as running:
        yield f"tcp://127.0.0.1:{port}", running


@pytest.fixture(autouse=True, scope="module")
def patient() -> Iterator[None]:
    """A scheduler is waited for as long as it takes to start; and few games make many
    shards, so that all workers have some."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cluster_client, "CONNECT", float(HANGS))
        patched.setattr(cluster_client, "SECONDS", 0.1)
        yield


def worker(address: str, *other: str, env: Mapping[str, str] | None = None) -> AbstractContextManager[Fork]:
    """A worker of a scheduler, which it waits for. `other`: what it says that its version is."""
    words = (address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    return forked(*((OTHER, *other) if other else DASK[1:]), *words, env=env)


@contextmanager
def workers(count: int, env: Mapping[str, str] | None = None) -> Iterator[tuple[str, Fork, list[Fork]]]:
    """A scheduler with so many workers that are there."""
    with ExitStack() as stack:
        address, running = stack.enter_context(scheduler())
        processes = [stack.enter_context(worker(address, env=env)) for _ in range(count)]
        with cluster(address) as one:
            wait_for(lambda: counted(one) == count)
        yield address, running, processes


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The cluster, as soon as its scheduler answers."""
    with cluster_at(address, lambda told: None) as found:
        yield found


def counted(one: Cluster) -> int:
    one.counted = float("-inf")
    return one.count()


def wait_for(there: Callable[[], bool]) -> None:
    until = monotonic() + HANGS
    while not there():
        assert monotonic() < until
        sleep(0.05)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a scheduler with two workers."""
    with workers(2) as (found, _, _):
        yield found


def outputs(folder: Path, *arguments: str) -> tuple[Done, str]:
    """What a command prints, and the rows that it writes if it does."""
    folder.mkdir()
    done = run("simulate", *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done, "".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.jsonl")))


# --- the same games


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
@pytest.mark.parametrize(
    "line",
    [
        "cantonese --games 8 --players fast,random,fast,random --seed 5 --out hands.jsonl",
        pytest.param("american --games 2 --out hands.jsonl --notation card", marks=pytest.mark.soak),
        "QUICK --match --games 3 --first 3 --out hands.jsonl --mod limit:most_paid=2 --json",
        pytest.param("cantonese --games 4 --logs logs --json", marks=pytest.mark.soak),
        "cantonese --duel fast,random --games 6 --json",
    ],
)
def test_a_simulation_there_is_the_one_here(line: str, address: str, tmp_path: Path) -> None:
    arguments = line.replace("QUICK", str(QUICK)).split()
    there, rows = outputs(tmp_path / "there", *arguments, "--cluster", address)
    here, same = outputs(tmp_path / "here", *arguments, "--jobs", "1")
    assert "2 workers at" in there.stderr
    assert (here.stdout, same) == (there.stdout, rows)


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
def test_a_report_there_is_the_one_here(address: str, tmp_path: Path) -> None:
    """Two rules at the same time, ended by their number of hands."""
    arguments = ("report", str(QUICK), "--players", "fast", "--games", "3", "--hands", "5")
    there, here = (
        run(*arguments, "--compare", "limit:most_paid=2", "--json", "-o", "r.json", *how, cwd=tmp_path)
        for how in (("--cluster", address), ("--jobs", "1"))
    )
    assert there.returncode == 0, there.stderr
    assert here.stdout == there.stdout
    data = json.loads(there.stdout)
    assert data["stopped"] == "hands" and data["hands"] >= 5 and data["matches"] < 3


# --- what is lost


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
def test_with_a_worker_killed_no_game_is_lost_and_none_comes_twice() -> None:
    rules, plan = load("cantonese"), SimulationPlan(24, 9, players=("fast",))
    told = list[str]()
    with workers(2, PLAIN) as (address, _, (_, victim)), cluster_at(address, told.append) as one:
        lines, killed = list[str](), False
        for batch in one.simulate(rules, plan, lambda: False):
            lines += batch.lines
            if not killed and len(lines) > 2 and all(one.client.processing().values()):  # both are playing
                victim.send_signal(signal.SIGKILL)
                killed = True
        assert killed and counted(one) == 1
    assert [line.partition(" was lost; ")[2] for line in told[1:]] == ["1 left, which play its games again"]
    assert [json.loads(line)["game"] for line in lines] == [*range(24)]
    assert lines == [line for batch in alone(rules, plan, lambda: False) for line in batch.lines]


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
def test_a_scheduler_that_is_lost_is_told(tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    said = tmp_path / "said.txt"
    with workers(1) as (address, running, _), said.open("wb") as errors:
        words = ("tilewright", "simulate", "cantonese", "--games", "100000", "--cluster", address, "--out", str(out))
        with forked(*words, stderr=errors) as simulation:
            wait_for(lambda: out.exists() and out.stat().st_size > 0)
            running.kill()
            assert simulation.wait(HANGS) == 1
    told = said.read_text(encoding="utf-8")
    assert f"worker-lost: the scheduler {address} is lost" in told and "Traceback" not in told, told
    rows = [json.loads(line)["game"] for line in out.read_text(encoding="utf-8").splitlines()]
    assert rows == [*range(len(rows))] and f"the {len(rows)} games before are kept" in told


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (CommClosedError("closed"), "is lost"),
        (CancelledError(), "is lost"),
        (OSError("full"), "refuses the games: full"),
    ],
)
def test_a_connection_that_just_closed_is_a_lost_scheduler(error: Exception, told: str) -> None:
    """Also before the client itself has noticed it."""
    client: Any = SimpleNamespace(status="running")
    with pytest.raises(WorkLost, match=told), Cluster(client, "tcp://here", print).heard():
        raise error


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
def test_what_is_stopped_leaves_nothing_to_play(address: str) -> None:
    with cluster(address) as one:
        batches = one.simulate(load("riichi"), SimulationPlan(100_000, 1, players=("fast",)), lambda: False)
        assert any(any(one.client.processing().values()) for _ in batches), "something is under way"
        batches.close()
        wait_for(lambda: not any(one.client.processing().values()))


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
def test_without_workers_it_waits_and_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_client, "WITHOUT_WORKERS", 0.5)
    monkeypatch.setattr(cluster_client, "COUNTED", 0.1)
    told: list[str] = []
    with scheduler() as (address, _), cluster_at(address, told.append) as one:
        with pytest.raises(WorkLost, match="no workers"):
            next(one.simulate(load(QUICK), SimulationPlan(3), lambda: False))
        assert "waiting for some" in told[0]
        batches = one.simulate(load(QUICK), SimulationPlan(3), lambda: False)
        one.lonely = None
        with worker(address):
            monkeypatch.setattr(cluster_client, "WITHOUT_WORKERS", HANGS)
            assert sum(batch.games for batch in batches) == 3


# --- who cannot play


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
@pytest.mark.parametrize(
    ("version", "said"),
    [("9.9", "has Tilewright 9.9, and here is "), ("none", "has no Tilewright")],
)
def test_workers_of_another_version_are_refused(version: str, said: str, address: str) -> None:
    with cluster(address) as one:
        with worker(address, version):
            wait_for(lambda: counted(one) == 3)
            done = run("simulate", str(QUICK), "--games", "3", "--cluster", address)
        wait_for(lambda: counted(one) == 2)
    fails(done, 2, said)
    assert "the same version on the scheduler and on all workers" in done.stderr


def test_other_code_is_refused() -> None:
    simulation = packed(load(QUICK), SimulationPlan(2))
    assert play_shard(code_digest(), simulation, 0, 2).games == 2
    with pytest.raises(OtherCode, match="other code"):
        play_shard("other", simulation, 0, 2)


def test_the_digest_of_code_depends_on_names_and_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilewright.players.simulation.cluster.PACKAGE", tmp_path)
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    found = set()
    for texts in (("a", "b"), ("a", "c"), ("b", "a")):
        one.write_text(texts[0])
        other.write_text(texts[1])
        found.add(digest_of([one, other]))
        assert digest_of([other, one]) in found
    assert len(found) == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "simulate cantonese -o r.jsonl --cluster tcp://127.0.0.1:9",
            "there is no Dask scheduler at tcp://127.0.0.1:9",
        ),
        ("simulate cantonese -o r.jsonl --cluster nonsense://here", "there is no Dask scheduler at nonsense://here"),
        ("simulate cantonese -o r.jsonl --cluster tcp://127.0.0.1:9 --jobs 2", "--jobs"),
        ("report cantonese -o r.json --cluster tcp://127.0.0.1:9", "there is no Dask scheduler at tcp://127.0.0.1:9"),
    ],
)
def test_a_missing_cluster_is_told(line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_client, "CONNECT", 0.3)
    fails(run(*line.split(), cwd=tmp_path), 2, said)
    assert not [*tmp_path.iterdir()]
