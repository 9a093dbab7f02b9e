"""Results of `bench.py` as a page with a chart: `python benchmarks/bench_page.py RESULTS.json docs`.

Writes speed.md and speed.svg into the folder. The chart shows fresh hands a second of this engine and the others.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from textwrap import wrap

import htpy as h
from markupsafe import Markup
from measuring import Result, ratio, short

from tilewright.presentation.markup.pieces import lines
from tilewright.presentation.tiles.svg import XMLNS

CHART = "fresh"  # the group that is drawn
WRAPPED = 120
WIDTH, LEFT, BAR, GAP = 720, 210, 18, 8
STYLE = (
    "text{font:13px sans-serif;fill:light-dark(#222,#ddd)}.bar{fill:light-dark(#2b6f6b,#5fb3ac)}"
    ".other{fill:light-dark(#b9b4a6,#6d6a61)}:root{color-scheme:light dark}"
)
INTRODUCTION = """# Speed

`make bench` measures Tilewright beside other programs in one run: every round measures all contenders of a question in
turn, by the processor's time on one core, after a round that is not counted. Hands are random but the same for all, and
no round meets a hand of another. `make bench BENCH="scoring --out now.json"` runs one suite and keeps its figures;
`make bench-compare BEFORE=before.json AFTER=now.json` shows two results beside each other, with the range that the
rounds of both leave open; `python benchmarks/bench_page.py now.json docs` writes this page.

The suite `page` is measured by the clock, in a browser on the same machine: rulebooks, and the first game of somebody
who comes for the first time and plays now.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args(arguments)
    results = json.loads(asked.results.read_text(encoding="utf-8"))
    (asked.folder / "speed.md").write_text("\n".join(page(results)) + "\n", encoding="utf-8")
    (asked.folder / "speed.svg").write_text(chart(results), encoding="utf-8")


def page(results: Result) -> Iterator[str]:
    """The page, line by line."""
    yield INTRODUCTION
    versions = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    machine = f"{results['processor']}, {results['cores']} cores, Python {results['python']}"
    yield f"Last measured on {results['day']}, commit {results['commit']}: {machine};"
    yield from wrap(f"{versions}.", WRAPPED)
    yield "\n![Fresh hands a second](speed.svg)"
    suite = None
    for one in results["results"]:
        if one["suite"] != suite:
            suite = one["suite"]
            yield f"\n## {suite.capitalize()}"
        yield from table(one)


def table(one: Result) -> Iterator[str]:
    """A question as a table: median, lowest and highest, and how many times as good as those it is compared with."""
    beside = one["beside"]
    yield f"\n{one['title'][0].upper()}{one['title'][1:]}, in {one['unit']}:\n"
    yield "| | median | lowest | highest |" + "".join(f" times {name} |" for name in beside)
    yield "|---|---:|---:|---:|" + "---:|" * len(beside)
    for name, rounds in one["figures"].items():
        middle = median(rounds)
        times = "".join(f" {ratio(middle, median(one['figures'][other]), one['unit']):.2f} |" for other in beside)
        yield f"| {name} | {short(middle)} | {short(min(rounds))} | {short(max(rounds))} |{times}"


def chart(results: Result) -> str:
    """Bars on a scale of powers of ten; other programs, whose names say their language, are paler."""
    found = next((one for one in results["results"] if one["group"] == CHART), None)
    figures = {name: median(rounds) for name, rounds in found["figures"].items()} if found else {}
    top = max(map(math.log10, figures.values()), default=1)
    rows = []
    for number, (name, figure) in enumerate(sorted(figures.items(), key=lambda pair: -pair[1])):
        y = number * (BAR + GAP) + GAP
        width = max(1, (WIDTH - LEFT - 90) * (math.log10(figure) - 2) / (top - 2))
        kind, down = "other" if "(" in name else "bar", f"{y + 13}"
        rows += [
            h.text(x=LEFT - 8, y=down, text_anchor="end")[name],
            h.rect(class_=kind, x=LEFT, y=y, width=f"{width:.0f}", height=BAR),
            h.text(x=f"{LEFT + width + 6:.0f}", y=down)[short(figure)],
        ]
    height = len(figures) * (BAR + GAP) + GAP
    title = h.title["Fresh hands scored a second, on a scale of powers of ten"]
    box = {"viewBox": f"0 0 {WIDTH} {height}", "width": WIDTH, "height": height}
    return lines([h.svg(box, xmlns=XMLNS)[lines([title, h.style[Markup(STYLE)], *rows])]])


if __name__ == "__main__":
    main(sys.argv[1:])
