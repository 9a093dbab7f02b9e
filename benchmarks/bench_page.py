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

import vl_convert
from measuring import Result, ratio, short

CHART = "fresh"  # the group that is drawn
WRAPPED = 120
TITLE = "Fresh hands scored a second, on a scale of powers of ten"
WIDTH, STEP = 420, 26
TEXT, STRONG, PALE = "light-dark(#222,#ddd)", "light-dark(#2b6f6b,#5fb3ac)", "light-dark(#b9b4a6,#6d6a61)"
CONFIG = {
    "background": "transparent",
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {"labelColor": TEXT, "labelFontSize": 13, "labelLimit": 300, "domain": False, "ticks": False},
    "text": {"color": TEXT, "fontSize": 13},
}
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
    """Bars on a logarithmic scale; other programs, whose names say their language, are paler."""
    found = next((one for one in results["results"] if one["group"] == CHART), None)
    figures = {name: median(rounds) for name, rounds in found["figures"].items()} if found else {}
    rows = [{"name": name, "figure": figure, "shown": short(figure)} for name, figure in figures.items()]
    least = 10 ** math.floor(math.log10(min(figures.values(), default=1)) - 0.5)
    place = {"field": "figure", "type": "quantitative", "scale": {"type": "log"}, "axis": None}
    colour = {"condition": {"test": "indexof(datum.name, '(') >= 0", "value": PALE}, "value": STRONG}
    drawn: str = vl_convert.vegalite_to_svg(
        {
            "width": WIDTH,
            "height": {"step": STEP},
            "data": {"values": rows},
            "encoding": {"y": {"field": "name", "type": "nominal", "sort": "-x", "title": None}, "x": place},
            "layer": [
                {
                    "mark": {"type": "bar", "height": {"band": 0.7}},
                    "encoding": {"x2": {"datum": least}, "color": colour},
                },
                {"mark": {"type": "text", "align": "left", "dx": 6}, "encoding": {"text": {"field": "shown"}}},
            ],
            "config": CONFIG,
        },
        vl_version="v5.21",
    )
    return drawn.replace("<svg ", f'<svg style="color-scheme: light dark" aria-label="{TITLE}" ', 1) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
