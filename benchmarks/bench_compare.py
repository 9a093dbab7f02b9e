"""Two results of `bench.py` beside each other: `python benchmarks/bench_compare.py BEFORE.json AFTER.json`.

For each contender that both have: the medians, and how many times as good it is after as before; in brackets, what the
lowest of one and the highest of the other allow. It is marked where that leaves no doubt.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from measuring import HIGH, Result, ratio, short

Figures = dict[tuple[str, str, str], tuple[str, list[float]]]  # suite, group, name -> unit, rounds


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    asked = parser.parse_args(arguments)
    before, after = (json.loads(file.read_text(encoding="utf-8")) for file in (asked.before, asked.after))
    for line in lines_of(before, after):
        print(line)


def lines_of(before: Result, after: Result) -> Iterator[str]:
    """A row for each contender that both results have, under the name of its question."""
    if (before["processor"], before["python"]) != (after["processor"], after["python"]):
        yield "The two were measured on different machines or Pythons: compare the ratios to other programs instead."
    old, new = figures_of(before), figures_of(after)
    yield f"{'':54}{before['commit'] or 'before':>12}{after['commit'] or 'after':>12}{'times as good':>16}"
    last = None
    for key in (key for key in new if key in old):
        suite, group, name = key
        if (suite, group) != last:
            yield f"{suite}: {group}, {new[key][0]}"
            last = suite, group
        yield f"  {name:52}{compared(old[key][1], new[key][1], new[key][0])}"


def figures_of(result: Result) -> Figures:
    return {
        (one["suite"], one["group"], name): (one["unit"], rounds)
        for one in result["results"]
        for name, rounds in one["figures"].items()
    }


def compared(old: Sequence[float], new: Sequence[float], unit: str) -> str:
    """Both medians, their ratio, the range that it may have, and a mark where that range leaves out 1."""
    best, worst = (max, min) if unit in HIGH else (min, max)
    least, most = ratio(worst(new), best(old), unit), ratio(best(new), worst(old), unit)
    mark = " faster" if least > 1 else " slower" if most < 1 else ""
    times = ratio(median(new), median(old), unit)
    return f"{short(median(old)):>12}{short(median(new)):>12}{times:>8.2f} ({least:.2f} to {most:.2f}){mark}"


if __name__ == "__main__":
    main(sys.argv[1:])
