"""Charts of a report: numbers and their words in, SVG out, drawn by Vega-Lite (vl-convert, from the extra `report`);
and the style of the page that they are on, for screens and paper.

Colours are variables of that style, so that one picture is right in light, in dark and on paper. Charts are as wide as
a phone; the page puts them beside each other where there is room. Each mark tells its numbers to screen readers
(`told`). Knows no words of a language and no figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from math import ceil
from typing import Any, Literal

from markupsafe import Markup

VEGA_LITE = "v5.21"
WIDTH = 330  # pixels of the plot of a chart without labels at its side
STEP = 46  # pixels for a row: a line of text, and its mark below
LABELS = 14  # pixels of text
FONT = "sans-serif"  # to measure texts; the page has its own
SPREAD = 20  # the largest is so many times the least where a scale is logarithmic

Spec = dict[str, Any]
Format = Literal["percent", "number"]
FORMATS = {"percent": "~%", "number": ",~r"}
COLOURS = {"plain": "var(--accent)", "rare_and_cheap": "var(--warm)", "common_and_dear": "var(--bad)"}
SHAPES = {"plain": "circle", "rare_and_cheap": "triangle-down", "common_and_dear": "triangle-up"}


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """A value with its interval, or without one; `shown`: the value as text; `told`: all of it in words."""

    label: str
    value: float
    low: float | None
    high: float | None
    shown: str
    told: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a histogram: shares of all, one above the other; `label`: under it."""

    label: str
    low: float
    high: float
    share: float
    share_above: float
    told: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A point of a scatter plot with an interval upwards and downwards; `mark`: a text beside it."""

    x: float
    y: float
    low: float | None
    high: float | None
    kind: str
    mark: str
    told: str


def svg(spec: Spec) -> Markup:
    """The picture of a specification."""
    return Markup(import_module("vl_convert").vegalite_to_svg({**spec, "config": CONFIG}, vl_version=VEGA_LITE))


CONFIG: Spec = {
    "background": "transparent",
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelSeparation": 10,
        "aria": False,
        "labelColor": "var(--soft)",
        "titleColor": "var(--soft)",
        "labelFontSize": LABELS,
        "titleFontSize": LABELS,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
    },
    "text": {"fontSize": LABELS, "fill": "var(--ink)"},
    "legend": {"disable": True},
}


# --- values with intervals, one below the other


def interval_chart(
    rows: Sequence[IntervalRow], format: Format, reference: float | None = None, kinds: Sequence[str] = ()
) -> Markup:
    """A row for each value. `reference`: where the values would be if nothing were to be seen; `kinds`: a colour for
    each row."""
    known = [number for row in rows for number in (row.value, row.low, row.high, reference) if number is not None]
    low, high = min(0.0, *known), max(known)
    values = [asdict(row) | {"y": str(at), "kind": (kinds or ["plain"] * len(rows))[at]} for at, row in enumerate(rows)]
    x = {
        "type": "quantitative",
        "scale": {"domain": [low, high if high > low else low + 1], "nice": True, "zero": False},
        "axis": {"format": FORMATS[format], "tickCount": 5, "title": None, "domain": False, "ticks": False},
    }
    layers: list[Spec] = [
        text_layer("label", 0, "left"),
        text_layer("shown", WIDTH, "right"),
        {
            "transform": [{"filter": "isValid(datum.low) && datum.low !== null"}],
            "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.45, "strokeCap": "round", "aria": False},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}, "color": colour()},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
            "encoding": {
                "x": {"field": "value", **x},
                "color": colour(),
                "shape": {"field": "kind", "scale": scale_of(SHAPES)},
                "description": {"field": "told"},
            },
        },
    ]
    if reference is not None:
        layers.insert(0, reference_layer(reference, x))
    return svg(
        {
            "width": WIDTH,
            "height": {"step": STEP},
            "data": {"values": values},
            "encoding": {"y": {"field": "y", "type": "ordinal", "sort": None, "axis": None}},
            "layer": layers,
        }
    )


def text_layer(field: str, x: int, align: str) -> Spec:
    """A text above the mark of each row."""
    return {
        "mark": {"type": "text", "align": align, "baseline": "middle", "dy": -17, "aria": False},
        "encoding": {"text": {"field": field}, "x": {"value": x}},
    }


def reference_layer(reference: float, x: Spec) -> Spec:
    """A line over all rows."""
    return {
        "data": {"values": [{"at": reference}]},
        "mark": {"type": "rule", "strokeDash": [4, 4], "color": "var(--soft)", "aria": False},
        "encoding": {"x": {"field": "at", **x}, "y": {"value": 0}, "y2": {"value": "height"}},
    }


# --- histograms


def histogram_chart(columns: Sequence[Column], x_title: str, y_title: str) -> Markup:
    """Columns with the second share on top of the first."""
    values = [
        {"at": column.label, "from": start, "to": end, "part": part, "told": column.told}
        for column in columns
        for part, start, end in (
            ("first", 0.0, column.share),
            ("second", column.share, column.share + column.share_above),
        )
        if end > start
    ]
    colours = {"first": "var(--accent)", "second": "var(--second)"}
    every = max(1, ceil(sum(len(column.label) + 1 for column in columns) * LABELS * 0.6 / WIDTH))
    labels = [column.label for column in columns]
    return svg(
        {
            "width": WIDTH - 40,
            "height": 190,
            "data": {"values": values},
            "mark": {"type": "bar"},
            "encoding": {
                "x": {
                    "field": "at",
                    "type": "ordinal",
                    "scale": {"domain": labels, "paddingInner": 0.12},
                    "axis": {"title": x_title, "labelAngle": 0, "values": labels[::every], "ticks": False},
                },
                "y": {
                    "field": "from",
                    "type": "quantitative",
                    "axis": {"format": FORMATS["percent"], "tickCount": 4, "title": y_title, "domain": False},
                },
                "y2": {"field": "to"},
                "color": {"field": "part", "type": "nominal", "scale": scale_of(colours)},
                "description": {"field": "told"},
            },
        }
    )


# --- points


def spot_chart(spots: Sequence[Spot], x_title: str, y_title: str) -> Markup:
    """Points, the height on a logarithmic scale; the other one too where amounts are far from each other."""
    xs, lows = [spot.x for spot in spots], [spot.low or spot.y for spot in spots]
    is_wide = min(xs) > 0 and max(xs) / min(xs) > SPREAD
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": "log" if is_wide else "linear", "zero": False, "nice": True, "padding": 14},
        "axis": {"format": FORMATS["number"], "tickCount": 5, "title": x_title},
    }
    y: Spec = {
        "type": "quantitative",
        "scale": {"type": "log", "domain": [min(lows) * 0.8, 1]},
        "axis": {"format": FORMATS["percent"], "values": decades(min(lows)), "title": y_title, "domain": False},
    }
    return svg(
        {
            "width": WIDTH - 50,
            "height": 300,
            "data": {"values": [asdict(spot) for spot in spots]},
            "encoding": {"x": x, "color": colour()},
            "layer": [
                {
                    "transform": [{"filter": "isValid(datum.low) && datum.low !== null"}],
                    "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.3, "aria": False},
                    "encoding": {"y": {"field": "low", **y}, "y2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 70, "opacity": 0.9},
                    "encoding": {
                        "y": {"field": "y", **y},
                        "shape": {"field": "kind", "scale": scale_of(SHAPES)},
                        "description": {"field": "told"},
                    },
                },
                {
                    "mark": {"type": "text", "dx": 11, "align": "left", "fontWeight": "bold", "aria": False},
                    "encoding": {"y": {"field": "y", **y}, "text": {"field": "mark"}},
                },
            ],
        }
    )


def decades(least: float) -> list[float]:
    """1 and its tenths down to the least."""
    found = [1.0]
    while found[-1] / 10 >= least * 0.8:
        found.append(round(found[-1] / 10, 12))
    return found


def colour() -> Spec:
    """The colour of a kind."""
    return {"field": "kind", "type": "nominal", "scale": scale_of(COLOURS)}


def scale_of(values: Mapping[str, str]) -> Spec:
    return {"domain": [*values], "range": [*values.values()]}


STYLE = Markup("""
:root { color-scheme: light dark; --ink: #24221d; --soft: #5f584a; --line: #d8d1c0; --paper: #fffdf8;
  --warm-bg: #f3eee1; --accent: #17654f; --second: #c9b27a; --warm: #9a5b00; --bad: #a52a20 }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #eceae3; --soft: #b3b8b2; --line: #38413f; --paper: #1b201f; --warm-bg: #252c2a; --accent: #58c09d;
    --second: #8a7a4d; --warm: #f0b860; --bad: #ff9c8f }
}
* { box-sizing: border-box }
html { background: var(--paper); color: var(--ink) }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 76rem;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang TC",
  "Noto Sans CJK TC", sans-serif }
h1 { font-size: 2.2rem; line-height: 1.15; margin: 0 0 .6rem; letter-spacing: -.01em }
h2 { font-size: 1.5rem; margin: 3rem 0 .75rem; padding-bottom: .35rem; border-bottom: 2px solid var(--accent) }
h3 { font-size: 1.1rem; margin: 1.5rem 0 .4rem }
p { margin: .5rem 0; max-width: 46rem } .soft, footer { color: var(--soft) } .soft, small { font-size: .875rem }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: .75rem;
  margin: 1.5rem 0 }
.figures > div { background: var(--warm-bg); border-radius: .6rem; padding: .75rem 1rem }
.figures dt { color: var(--soft); font-size: .875rem; line-height: 1.35 }
.figures dd { margin: .25rem 0 0; font-size: 1.5rem; font-weight: 600; line-height: 1.25;
  font-variant-numeric: tabular-nums }
.figures small { font-weight: 400 } .figures dd .soft { display: block; font-weight: 400 }
.figures.wide { grid-column: 1 / -1; margin: 0 }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 2rem 2.5rem;
  align-items: start; margin: 1.25rem 0 }
figure { margin: 0; max-width: 27rem } figcaption { font-weight: 600; margin-bottom: .6rem }
figure svg { display: block; width: 100%; height: auto; overflow: visible }
figure svg text { font-family: inherit; paint-order: stroke; stroke: var(--paper); stroke-width: 5px;
  stroke-linejoin: round }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .875rem; margin-top: .5rem }
.key { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; vertical-align: -.05rem }
.key.first { background: var(--accent) } .key.second { background: var(--second) }
.key.rare_and_cheap { background: var(--warm); clip-path: polygon(0 0, 100% 0, 50% 100%) }
.key.common_and_dear { background: var(--bad); clip-path: polygon(50% 0, 100% 100%, 0 100%) }
.charts.uneven { grid-template-columns: minmax(0, 27rem) minmax(0, 1fr) }
.beside h3:first-child { margin-top: 0 } .numbered { padding-left: 1.6rem; margin: .4rem 0 }
.numbered li { margin: .25rem 0 }
.table { overflow-x: auto; margin: .75rem 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; min-width: min(100%, 30rem) }
th, td { text-align: right; padding: .35rem 0 .35rem 1.1rem; border-bottom: 1px solid var(--line); vertical-align: top }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
td:not(:first-child) { white-space: nowrap }
th { color: var(--soft); font-weight: 600; font-size: .875rem } summary { cursor: pointer; color: var(--accent) }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; font-size: .875rem }
@media (max-width: 60rem) { .charts.uneven { grid-template-columns: 1fr } }
@media (max-width: 40rem) { body { padding: 1.5rem 1rem 3rem } h1 { font-size: 1.7rem }
  .figures { grid-template-columns: 1fr 1fr } table { font-size: .875rem } th, td { padding-left: .6rem }
  .minor { display: none } }
@page { margin: 14mm 12mm }
@media print {
  html { background: none; print-color-adjust: exact; -webkit-print-color-adjust: exact }
  body { padding: 0; max-width: none; font-size: 10pt } h1 { font-size: 20pt }
  h2 { margin-top: 1.6rem } h2, h3, h2 + p, figcaption { break-after: avoid }
  .charts { grid-template-columns: repeat(auto-fit, minmax(56mm, 1fr)); gap: 1rem 1.5rem }
  p { orphans: 3; widows: 3; break-inside: avoid } .figures { grid-template-columns: repeat(4, 1fr) }
  .charts.uneven { display: flow-root } .uneven figure { float: right; clear: right; width: 72mm; margin: 0 0 4mm 6mm }
  .uneven .beside { margin-right: 78mm } table { min-width: 0 }
  figure, tr, .figures > div, li { break-inside: avoid } thead { display: table-header-group }
  .table { overflow: visible }
}
""")
