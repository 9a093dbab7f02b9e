"""Contenders measured in turn: every round measures each of them once, so that a slow moment of the machine meets all.

A contender gives a figure for a round: by the processor's time, not the clock's. Results are the figures of all rounds
as plain data, which can be kept and compared; tables of them are text.
"""

import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEERS = ("mahjong", "riichienv", "PyMahjongGB", "rlcard", "pymahjong")
LIBRARIES = ("numpy", "msgspec", "regex", "ruamel.yaml")
HIGH = frozenset({"hands/s", "lines/s", "%"})  # units in which more is better


@dataclass(frozen=True)
class Contender:
    """`figure` gives the figure of a round, counted from 0; round 0 warms up and is not kept."""

    name: str
    figure: Callable[[int], float]


@dataclass(frozen=True)
class Group:
    """Contenders of one question. `unit`: hands/s, lines/s, % (more is better), s, ms, µs, MB, kB or elements.
    `beside`: those, of the group, that the others are compared with."""

    id: str
    title: str
    unit: str
    contenders: Sequence[Contender]
    beside: Sequence[str] = ()
    rounds: int | None = None


@dataclass(frozen=True)
class Scale:
    """How much is measured: `rounds` of everything, and a part of the usual number of hands."""

    rounds: int = 7
    part: float = 1.0

    def of(self, count: int) -> int:
        """So many of the usual count, at least two."""
        return max(2, round(count * self.part))


Suite = Callable[[Scale], Iterator[Group]]
Result = dict[str, Any]


def results_of(suite: str, groups: Iterable[Group], scale: Scale) -> Iterator[Result]:
    """Each group measured: its name and unit, and the figures of every contender, one a round."""
    for group in groups:
        rounds = group.rounds or scale.rounds
        columns: dict[str, list[float]] = {contender.name: [] for contender in group.contenders}
        for turn in range(rounds + 1):
            for contender in group.contenders:
                figure = contender.figure(turn)
                if turn or rounds == 1:
                    columns[contender.name].append(figure)
        yield {
            "suite": suite,
            "group": group.id,
            "title": group.title,
            "unit": group.unit,
            "beside": [name for name in group.beside if name in columns],
            "figures": {name: figures[-rounds:] for name, figures in columns.items()},
        }


def lines_of(result: Result) -> Iterator[str]:
    """A result as a table: median, lowest and highest, and how many times as good as those it is compared with."""
    figures, beside = result["figures"], result["beside"]
    widths = [max(len(f"to {name}"), 8) + 2 for name in beside]
    heads = "".join(f"{f'to {name}':>{width}}" for name, width in zip(beside, widths, strict=True))
    yield f"{result['title'] + ', ' + result['unit']:52}{'median':>12}{'lowest':>12}{'highest':>12}{heads}"
    for name, rounds in figures.items():
        ratios = "".join(
            f"{ratio(median(rounds), median(figures[other]), result['unit']):>{width}.2f}"
            for other, width in zip(beside, widths, strict=True)
        )
        shown = "".join(f"{short(figure):>12}" for figure in (median(rounds), min(rounds), max(rounds)))
        yield f"  {name:50}{shown}{ratios}"


def ratio(figure: float, other: float, unit: str) -> float:
    """How many times as good as the other; more than 1 is better."""
    return figure / other if unit in HIGH else other / figure


def short(figure: float) -> str:
    """Three digits that count."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def surroundings() -> dict[str, Any]:
    """What the figures belong to: the commit, the machine, and the versions of what is measured."""
    return {
        "commit": said("git", "rev-parse", "--short", "HEAD"),
        "changed": bool(said("git", "status", "--porcelain", "--untracked-files=no")),
        "day": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "versions": {name: found for name in (*PEERS, *LIBRARIES) if (found := version_of(name))},
    }


def said(*command: str) -> str:
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def processor() -> str:
    """The name of the processor, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


# --- figures


def rate(calls: Sequence[Callable[[], object]]) -> float:
    """Calls a second."""
    return len(calls) / seconds(calls)


def seconds(calls: Sequence[Callable[[], object]]) -> float:
    """The processor's time for all of these."""
    start = time.process_time()
    for call in calls:
        call()
    return max(time.process_time() - start, 1e-9)


def command_seconds(arguments: Sequence[str], python: str = sys.executable, **environment: str) -> float:
    """The processor's time of a Python process with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    surrounding = {**os.environ, **environment}
    surrounding.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([python, *arguments], env=surrounding, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
