"""Shards: consecutive games of a simulation, played by whichever process has them.

In: a simulation as bytes (rules and plan, which need no files) and the numbers of games; out: their batch, the same
wherever it is played. The client and the workers must have the same code. Knows no network.
"""

import pickle
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from threading import Lock

from tilewright.base.garbage import collector_paused
from tilewright.base.version import __version__
from tilewright.play.rules import Rules
from tilewright.players.simulation.game import FinishedGame
from tilewright.players.simulation.run import Batch, SimulationPlan, batch_of, played_by

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
