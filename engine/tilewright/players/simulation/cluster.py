"""A cluster: a simulation in, batches in the order of its games out, played by the workers of a Dask scheduler.

Each batch is one task: a shard of consecutive games, out of the simulation as bytes (rules and plan, which need no
files), the same wherever it is played. The scheduler gives the tasks of a worker that is lost to another one, and a
batch is taken once, so no game is lost and none comes twice. The client and the workers must have the same code. Knows
no screen.
"""

import logging
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from itertools import takewhile
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any
from uuid import uuid4

from distributed import Client, Future, KilledWorker, wait
from distributed.comm.core import CommClosedError

from tilewright.base.garbage import collector_paused
from tilewright.base.problem import WorkLost
from tilewright.base.version import __version__
from tilewright.play.rules import Rules
from tilewright.players.simulation.game import FinishedGame, Stops
from tilewright.players.simulation.run import (
    AHEAD,
    PATIENCE,
    Batch,
    Batches,
    SimulationPlan,
    batch_of,
    in_order,
    played_by,
)

CONNECT = 10.0  # seconds to reach the scheduler
SECONDS = 5.0  # that a batch should take: the scheduler needs some milliseconds for each
COUNTED = 2.0  # seconds between two looks at how many workers there are
WITHOUT_WORKERS = 300.0  # seconds to wait for a first worker, or for a new one
INSTALL = "pip install 'tilewright[cluster]'"
SAME = f"the same version on the scheduler and on all workers: {INSTALL}"


class NoCluster(Exception):
    """The cluster cannot be used. `hint`: what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass
class Cluster:
    """A scheduler, connected; `tell` gets a sentence where a worker is lost. `threads`: of each worker, by its address,
    when they were last counted."""

    client: Client
    address: str
    tell: Callable[[str], None]
    threads: Mapping[str, int] = field(default_factory=dict)
    counted: float = float("-inf")
    lonely: float | None = None

    def count(self) -> int:
        """How many workers there are. Raises WorkLost where there were none for long."""
        now = monotonic()
        if now - self.counted > COUNTED:
            with self.heard():
                before, self.threads = self.threads, self.client.nthreads()
            for lost in sorted(before.keys() - self.threads.keys()):
                self.tell(f"the worker {lost} was lost; {len(self.threads)} left, which play its games again")
            self.counted = now
            self.lonely = None if self.threads else now if self.lonely is None else self.lonely
        if self.lonely is not None and now - self.lonely > WITHOUT_WORKERS:
            hint = f"start some: dask worker {self.address} --nthreads 1"
            raise WorkLost(f"the scheduler {self.address} has had no workers for {WITHOUT_WORKERS:.0f} s", hint)
        return len(self.threads)

    def check(self) -> None:
        """Raise NoCluster if a worker has another Tilewright, or none."""
        found = self.client.run(version, "tilewright", on_error="return")
        for worker, one in sorted(found.items()):
            if isinstance(one, PackageNotFoundError):
                raise NoCluster(f"the worker {worker} has no Tilewright", SAME)
            if isinstance(one, str) and one != __version__:
                raise NoCluster(f"the worker {worker} has Tilewright {one}, and here is {__version__}", SAME)

    def simulate(self, rules: Rules, plan: SimulationPlan, stops: Stops) -> Batches:
        """The games of the plan, as `simulate` plays them here: all of them, or the first ones where `stops` says to
        stop. Raises WorkLost."""
        name, waiting = f"tilewright-{uuid4().hex}", deque[Future[Any]]()
        with self.heard():
            simulation = self.client.submit(bytes, packed(rules, plan), key=f"{name}-plan", pure=False)
        give = partial(self.give, name, simulation)
        try:
            yield from in_order(plan, waiting, self.most, give, self.first, SECONDS, stops)
        finally:
            if waiting and self.client.status == "running":
                self.client.cancel([*waiting])

    def most(self) -> int:
        """How many batches may be under way; one while there is no worker."""
        return max(1, self.count() * AHEAD)

    def give(self, name: str, simulation: Future[Any], numbers: range) -> Future[Any]:
        """Have games played."""
        arguments = (code_digest(), simulation, numbers.start, numbers.stop)
        with self.heard():
            return self.client.submit(play_shard, *arguments, key=(name, numbers.start), pure=False)

    def first(self, waiting: Sequence[Future[Any]]) -> list[Batch]:
        """The first batches of those that wait, as far as they are there."""
        with self.heard(), self.client.as_current():
            if not waiting[0].done():
                try:
                    wait([waiting[0]], timeout=PATIENCE)
                except TimeoutError:
                    self.count()  # raises where there is nobody to play
                    return []
            found: list[Batch] = self.client.gather([*takewhile(Future.done, waiting)])
        return found

    @contextmanager
    def heard(self) -> Iterator[None]:
        """What goes wrong there, as WorkLost."""
        try:
            yield
        except OtherCode as error:
            raise WorkLost(f"a worker cannot play: {error}", SAME) from None
        except (ImportError, AttributeError) as error:
            raise WorkLost(f"a worker has another Tilewright or none: {error}", SAME) from None
        except (KilledWorker, MemoryError) as error:
            hint = "see what the workers say: have they this Tilewright, and enough memory?"
            raise WorkLost(f"workers were lost with the same games, one after another: {error}", hint) from None
        except (CancelledError, OSError, RuntimeError) as error:
            if self.client.status == "running" and not isinstance(error, (CancelledError, CommClosedError)):
                raise WorkLost(f"the scheduler {self.address} refuses the games: {error}", SAME) from None
            hint = "see whether it runs, and whether this machine reaches it"
            raise WorkLost(f"the scheduler {self.address} is lost", hint) from None


@contextmanager
def cluster_at(address: str, tell: Callable[[str], None]) -> Iterator[Cluster]:
    """The cluster of the scheduler at this address (`tcp://HOST:8786`); `tell` gets sentences on its workers. Raises
    NoCluster; ModuleNotFoundError where Dask is not installed."""
    for name in ("asyncio", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed"))):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what matters is raised
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False, name="tilewright")
    except (OSError, ValueError, TypeError) as error:
        hint = f"start one: dask scheduler; its workers: dask worker tcp://HOST:8786 --nthreads 1. {INSTALL}"
        raise NoCluster(f"there is no Dask scheduler at {address}: {error}", hint) from None
    with client:
        cluster = Cluster(client, address, tell)
        cluster.check()
        tell_workers(cluster)
        yield cluster


def tell_workers(cluster: Cluster) -> None:
    """Say how many there are, and which of them could play more."""
    count = cluster.count()
    cluster.tell(
        f"{count} worker{'' if count == 1 else 's'} at {cluster.address}" + ("" if count else ": waiting for some")
    )
    if idle := sum(threads - 1 for threads in cluster.threads.values()):
        cluster.tell(
            f"{idle} threads of them stay idle: start workers with --nthreads 1 --nworkers N, one for each core"
        )


KEPT = 2  # simulations of which a worker keeps the players: a report plays two at the same time
PACKAGE = Path(__file__).resolve().parents[2]
ONE_AT_A_TIME = Lock()  # players and their tables serve one game; threads of one process would not be faster


class OtherCode(Exception):
    """A worker has another Tilewright than the client."""


def packed(rules: Rules, plan: SimulationPlan) -> bytes:
    """A simulation, for `play_shard`."""
    return pickle.dumps((replace(rules), plan))  # without the caches of the rules, which need not be sent


def play_shard(code: str, simulation: bytes, first: int, end: int) -> Batch:
    """The batch of the games `first` to `end - 1`. `code`: that of the client. Raises OtherCode."""
    if code != code_digest():
        raise OtherCode(f"its Tilewright {__version__} has other code than the one here")
    with ONE_AT_A_TIME, collector_paused():
        played, plan = players_of(simulation)
        return batch_of(played, plan, range(first, end))


@lru_cache(KEPT)
def players_of(simulation: bytes) -> tuple[FinishedGame, SimulationPlan]:
    """The players of a simulation, who are made once, and its plan."""
    rules, plan = pickle.loads(simulation)
    return played_by(rules, plan, lambda: False), plan


@cache
def code_digest() -> str:
    """A fingerprint of the modules of this package: where it differs, games may."""
    return digest_of(PACKAGE.rglob("*.py"))


def digest_of(files: Iterable[Path]) -> str:
    """A fingerprint of the names and texts of files in the package, whatever the order and the ends of lines."""
    found = sha256()
    for path in sorted(files):
        text = path.read_text(encoding="utf-8")
        found.update(f"{path.relative_to(PACKAGE).as_posix()}\0{text}\0".encode())
    return found.hexdigest()
