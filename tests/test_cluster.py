"""Games on a Dask cluster: what is played here is played there, byte for byte, whatever is lost on the way."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
from commands import Done, fails, run
from processes import process

from tilewright.play.rules import load
from tilewright.players.cluster.shards import OtherCode, code_digest, digest_of, packed, play_shard
from tilewright.players.simulation.run import SimulationLost, SimulationPlan, alone

pytest.importorskip("distributed")

from distributed import Client

from tilewright.players.cluster import client as cluster_client
from tilewright.players.cluster.client import Cluster, cluster_at

QUICK = Path(__file__).parent / "data" / "quick_match.yaml"
DASK = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
WORKER = [sys.executable, "-m", "distributed.cli.dask_worker"]
PLAIN = {"TILEWRIGHT_KERNELS": "plain"}  # games last long enough to be disturbed
PATIENCE = 60  # seconds for processes to start and end
QUIET: dict[str, int] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
SAYS_VERSION = """
from importlib import metadata

known = metadata.version

def version(name):
    if name == "tilewright":
        {does}
    return known(name)

metadata.version = version
"""
OTHER_WORKERS = (
    ("return '9.9'", "has Tilewright 9.9, and here is "),
    ("raise metadata.PackageNotFoundError(name)", "has no Tilewright"),
)


@contextmanager
def scheduler() -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A scheduler of its own: its address and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [*DASK, "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    with process(words, **QUIET) as running:
        yield f"tcp://127.0.0.1:{port}", running


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in the process of the tests."""
    for name, value in PLAIN.items():
        monkeypatch.setenv(name, value)


def worker(address: str, **environment: str) -> "contextmanager[subprocess.Popen[str]]":  # type: ignore[type-arg]
    """A worker of a scheduler, which it waits for."""
    words = [*WORKER, address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    return process(words, env={**os.environ, **PLAIN, **environment}, **QUIET)  # type: ignore[return-value]


@contextmanager
def workers(count: int) -> Iterator[tuple[str, "subprocess.Popen[str]", list["subprocess.Popen[str]"]]]:
    """A scheduler with so many workers that are there."""
    with ExitStack() as stack:
        address, running = stack.enter_context(scheduler())
        processes = [stack.enter_context(worker(address)) for _ in range(count)]
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
    until = monotonic() + PATIENCE
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
        "cantonese --games 60 --players fast,random,fast,random --seed 5 --out hands.jsonl",
        "american --games 6 --out hands.jsonl --notation card",
        "QUICK --match --games 6 --first 3 --out hands.jsonl --mod limit:most_paid=2 --json",
        "cantonese --games 4 --logs logs --json",
        "cantonese --duel fast,random --games 12 --json",
    ],
)
def test_a_simulation_there_is_the_one_here(line: str, address: str, tmp_path: Path) -> None:
    arguments = line.replace("QUICK", str(QUICK)).split()
    there, *here = (
        outputs(tmp_path / name, *arguments, *how)
        for name, how in (("there", ("--cluster", address)), ("one", ("--jobs", "1")), ("two", ("--jobs", "2")))
    )
    assert "2 workers at" in there[0].stderr
    for done, rows in here:
        assert (done.stdout, rows) == (there[0].stdout, there[1])


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
def test_a_report_there_is_the_one_here(address: str, tmp_path: Path) -> None:
    """Two rules at the same time, ended by their number of hands."""
    arguments = ("report", str(QUICK), "--players", "fast", "--games", "3", "--hands", "5")
    there, *here = (
        run(*arguments, "--compare", "limit:most_paid=2", "--json", "-o", "r.json", *how, cwd=tmp_path)
        for how in (("--cluster", address), ("--jobs", "1"), ("--jobs", "2"))
    )
    assert there.returncode == 0, there.stderr
    assert [done.stdout for done in here] == [there.stdout] * 2
    data = json.loads(there.stdout)
    assert data["stopped"] == "hands" and data["hands"] >= 5 and data["matches"] < 3


# --- what is lost


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
def test_with_a_worker_killed_no_game_is_lost_and_none_comes_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_client, "SECONDS", 0.1)  # many shards, so that both workers have some
    rules, plan = load("cantonese"), SimulationPlan(80, 9, players=("fast",))
    with workers(2) as (address, _, (_, victim)), cluster(address) as one:
        lines, killed = list[str](), False
        for batch in one.simulate(rules, plan, lambda: False):
            lines += batch.lines
            if not killed and len(lines) > 5 and all(one.client.processing().values()):  # both are playing
                victim.send_signal(signal.SIGKILL)
                killed = True
        assert killed and counted(one) == 1
    assert [json.loads(line)["game"] for line in lines] == [*range(80)]
    assert lines == [line for batch in alone(rules, plan, lambda: False) for line in batch.lines]


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
def test_a_scheduler_that_is_lost_is_told(tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    with workers(1) as (address, running, _):
        words = [sys.executable, "-m", "tilewright", "simulate", "riichi", "--games", "100000", "--cluster", address]
        words += ["--out", str(out)]
        environment = {**os.environ, **PLAIN}
        with process(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as simulation:
            wait_for(lambda: out.exists() and out.stat().st_size > 0)
            running.kill()
            _, said = simulation.communicate(timeout=PATIENCE)
    assert simulation.returncode == 1 and "Traceback" not in said, said
    assert f"worker-lost: the scheduler {address} is lost" in said
    rows = [json.loads(line)["game"] for line in out.read_text(encoding="utf-8").splitlines()]
    assert rows == [*range(len(rows))] and f"the {len(rows)} games before are kept" in said


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
        with pytest.raises(SimulationLost, match="no workers"):
            next(one.simulate(load(QUICK), SimulationPlan(3), lambda: False))
        assert "waiting for some" in told[0]
        batches = one.simulate(load(QUICK), SimulationPlan(3), lambda: False)
        one.lonely = None
        with worker(address):
            monkeypatch.setattr(cluster_client, "WITHOUT_WORKERS", PATIENCE)
            assert sum(batch.games for batch in batches) == 3


# --- who cannot play


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
@pytest.mark.parametrize(("does", "said"), OTHER_WORKERS)
def test_workers_of_another_version_are_refused(does: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SAYS_VERSION.format(does=does), encoding="utf-8")
    with scheduler() as (address, _), worker(address, PYTHONPATH=str(tmp_path)):
        wait_for(lambda: is_there(address))
        done = run("simulate", str(QUICK), "--games", "3", "--cluster", address)
    fails(done, 2, said)
    assert "the same version on the scheduler and on all workers" in done.stderr


def is_there(address: str) -> bool:
    """Whether a worker is."""
    with Client(address, set_as_default=False) as client:
        return bool(client.nthreads())


def test_other_code_is_refused() -> None:
    simulation = packed(load(QUICK), SimulationPlan(2))
    assert play_shard(code_digest(), simulation, 0, 2).games == 2
    with pytest.raises(OtherCode, match="other code"):
        play_shard("other", simulation, 0, 2)


def test_the_digest_of_code_depends_on_names_and_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilewright.players.cluster.shards.PACKAGE", tmp_path)
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    found = set()
    for texts in (("a", "b"), ("a", "c"), ("b", "a")):
        one.write_text(texts[0])
        other.write_text(texts[1])
        found.add(digest_of([one, other]))
        assert digest_of([other, one]) in found
    assert len(found) == 3


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
