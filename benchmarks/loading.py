"""How much CPU time it takes to load and to check rulesets without a cache, each in a process of its own.

`python benchmarks/loading.py mcr riichi` prints medians in seconds, user and system time together. `--against PYTHON`
measures another installed version beside this one, in alternating pairs, by the Python that it is installed for.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence

RULESETS = ("mcr", "riichi", "american")
LOAD = "import sys, tilewright; tilewright.load(sys.argv[1])"
COMMANDS = {"load": ("-c", LOAD), "check": ("-m", "tilewright", "check")}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*", default=RULESETS, help="bundled ids or files")
    parser.add_argument("--against", metavar="PYTHON", help="the Python of another installed version")
    parser.add_argument("--runs", type=int, default=7, help="of each command, after one that is not counted")
    asked = parser.parse_args(arguments)
    pythons = [sys.executable, *([asked.against] if asked.against else [])]
    for ruleset in asked.rulesets:
        for name, command in COMMANDS.items():
            print(row(name, ruleset, measured(pythons, [*command, ruleset], asked.runs)), flush=True)


def measured(pythons: Sequence[str], command: Sequence[str], runs: int) -> list[list[float]]:
    """For each round, the seconds that each Python takes."""
    rounds = [[seconds([python, *command]) for python in pythons] for _ in range(runs + 1)]
    return rounds[1:]  # the first writes compiled modules


def seconds(command: Sequence[str]) -> float:
    """The CPU time of a command that finds no cache."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TILEWRIGHT_CACHE": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row(name: str, ruleset: str, rounds: Sequence[Sequence[float]]) -> str:
    """One line of the result; with another version, its seconds and the part of them that is needed now."""
    here, *others = (statistics.median(column) for column in zip(*rounds, strict=True))
    against = f"   against {others[0]:.2f} s: {here / others[0]:.0%}" if others else ""
    return f"{name:5} {ruleset:10} {here:5.2f} s{against}"


if __name__ == "__main__":
    main()
