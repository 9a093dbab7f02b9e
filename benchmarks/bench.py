"""Benchmarks beside other programs, in one run: `python benchmarks/bench.py [SUITE ...] [--out FILE]`.

Suites: cold, scoring, distance, loading, growth, cards, play, page, editor. Programs that are not installed are left
out, the page where no browser is. Figures are by the processor's time on one core, those of the page and the editor by
the clock; every round measures all contenders of a question in turn. `--out` keeps all figures as JSON:
`bench_compare.py` shows two such files beside each other, `bench_page.py` writes them as docs/speed.md.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from measuring import Result, Scale, Suite, lines_of, results_of, surroundings
from suites import cards, cold, distance, editor, growth, loading, page, play, scoring

SUITES: dict[str, Suite] = {
    "cold": cold.groups,
    "scoring": scoring.groups,
    "distance": distance.groups,
    "loading": loading.groups,
    "growth": growth.groups,
    "cards": cards.groups,
    "play": play.groups,
    "page": page.groups,
    "editor": editor.groups,
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="all where none is named")
    parser.add_argument("--rounds", type=int, default=7, help="of each contender, after one that is not counted")
    parser.add_argument("--part", type=float, default=1.0, help="of the usual number of hands, from 0 to 1")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a file for all figures, as JSON")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.suites) - SUITES.keys():
        parser.error(f"there is no suite {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")
    scale, results = Scale(max(1, asked.rounds), asked.part), []
    where = surroundings()
    print(f"Python {where['python']}, {where['processor']}, commit {where['commit'] or 'unknown'}", flush=True)
    for name in asked.suites or SUITES:
        for result in results_of(name, SUITES[name](scale), scale):
            results.append(result)
            print("", *lines_of(result), sep="\n", flush=True)
            keep(asked.out, {**where, "results": results})


def keep(file: Path | None, figures: Result) -> None:
    """What is known so far, in the file."""
    if file is not None:
        file.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
