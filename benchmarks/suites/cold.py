"""Cold: commands as a user meets them, each in a process of its own with an empty cache, start included.

Simulations of a fixed number of games by one process, in hands a second of the processor; a hundred thousand cases as
lines of JSON; the least that a command takes. Beside them, the same number of random hands of `riichienv`, imports
included.
"""

import json
import tempfile
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random

from measuring import Contender, Group, Scale, command_seconds

from suites.scoring import RULESETS as SCORED
from suites.scoring import SEED, case_of, deal

FEW, MANY, BOTS = 1_000, 20_000, {"fast": 1_000, "careful": 200}
PLAYED = ("cantonese", "riichi", "mcr", "american")
LINES = 100_000
SMALL = """\
tilewright: 1
kind: ruleset
id: house
name: House rules
extends: cantonese
"""
PEER = "riichienv, riichi (Rust)"
PEER_PLAYS = """
import sys
sys.path.insert(0, {folder!r})
from suites.play import riichienv_hand
for seed in range(int(sys.argv[1])):
    riichienv_hand(seed)
"""


def groups(scale: Scale) -> Iterator[Group]:
    """The questions of this suite."""
    rounds = min(3, scale.rounds)
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "house.yaml"
        small.write_text(SMALL, encoding="utf-8")
        least = {
            "tilewright --version": ("--version",),
            "check of a small ruleset": ("check", str(small)),
            "score of one hand": ("score", "riichi", "--hand", "234m 345p 67s 55s", "--meld", "789m", "--win", "8s"),
        }
        starts = [Contender(name, partial(seconds, words)) for name, words in least.items()]
        yield Group("start", "one command", "s", starts, rounds=rounds)
        for count in (FEW, MANY):
            played = [Contender(id, partial(hands, id, "random", scale.of(count))) for id in PLAYED]
            beside = [PEER] if find_spec("riichienv") and count == FEW else []
            played += [Contender(name, partial(peer_hands, scale.of(count))) for name in beside]
            yield Group(
                f"random-{count}", f"simulate --games {count}, random", "hands/s", played, beside, rounds=rounds
            )
        for name, count in BOTS.items():
            bots = [Contender(id, partial(hands, id, name, scale.of(count))) for id in PLAYED]
            yield Group(name, f"simulate --games {count}, {name}", "hands/s", bots, rounds=rounds)
        file, count = Path(folder) / "cases.jsonl", scale.of(LINES)
        scored = [Contender(id, partial(lines, id, file, count)) for id in SCORED]
        yield Group("lines", f"{count} cases as lines of JSON", "lines/s", scored, rounds=rounds)


def seconds(words: tuple[str, ...], turn: int) -> float:
    """What a command takes with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        return command_seconds(["-m", "tilewright", *words], TILEWRIGHT_CACHE=cache)


def hands(id: str, players: str, count: int, turn: int) -> float:
    words = ("simulate", id, "--games", str(count), "--players", players, "--jobs", "1", "--seed", str(turn))
    return count / seconds(words, turn)


def peer_hands(count: int, turn: int) -> float:
    program = PEER_PLAYS.format(folder=str(Path(__file__).resolve().parents[1]))
    return count / command_seconds(["-c", program, str(count)])


def lines(id: str, file: Path, count: int, turn: int) -> float:
    random = Random(SEED + turn)
    file.write_text("".join(f"{json.dumps(case_of(id, deal(random)))}\n" for _ in range(count)), encoding="utf-8")
    options = [f"--set={name}={value}" for name, value in SCORED[id].items()]
    return count / seconds(("score", id, *options, "--cases", str(file)), turn)
