"""`report`: figures are those that one counts by hand in the logs of the same games; charts hold the numbers of the
data; a comparison finds what changed and nothing else."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log10
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import fails, run

from tilewright.play.log import Log, read_log
from tilewright.play.resume import begun, give
from tilewright.play.rules import Rules, load
from tilewright.players.simulation.game import FinishedGame
from tilewright.players.simulation.rows import GameRows, HandRow
from tilewright.players.simulation.run import SimulationPlan, simulate
from tilewright.players.simulation.tally import sums_of
from tilewright.presentation.catalogue import say
from tilewright.report.charts import Column, IntervalRow, Spot, histogram_chart, interval_chart, spot_chart
from tilewright.report.figures import Report, report_json, report_of, standing_out
from tilewright.report.page import MOST_FOUND, SHARES, ReportWords, page
from tilewright.report.playing import PlayedGames, PlayedReport, ReportGames, ReportPlan

pytestmark = pytest.mark.long

QUICK = Path(__file__).parents[1] / "data" / "quick_match.yaml"
GAMES = 3
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load(QUICK)


def played(rules: Rules, games: int, seed: int = 1, match: bool = True, player: str = "fast") -> PlayedGames:
    """Matches, or single hands, in this process."""
    plan = SimulationPlan(games, seed, players=(player,), match=match, apart=True)
    found = PlayedGames(plan)
    for batch in simulate(rules, plan):
        found.add(batch)
    return found


@pytest.fixture(scope="module")
def report(rules: Rules) -> Report:
    """Of a few matches, with a comparison under a limit and a player among others."""
    limited = load(QUICK, {"most_paid": 2}, ["limit"])
    main, other = played(rules, 10), played(limited, 10)
    plan = ReportPlan(games=10, players=("fast",))
    return report_of(
        rules.data, PlayedReport(main, other, skill_of(("fast", 1))), plan, (), (limited.data, ("most_paid=2",))
    )


def skill_of(*won: tuple[str, int]) -> dict[str, PlayedGames]:
    """Matches of a strong player among others, of which it wins about so many of each three."""
    found = {}
    for others, often in won:
        names = ("strong", *[others] * 3)
        games = found[others] = PlayedGames(SimulationPlan(12, players=names, match=True, apart=True))
        for number in range(12):
            games.sample.add(
                sums_of(lead_of((1, 0, 0, 0), (3 if number % 3 < often else 1, 2, 1 + number % 2, 0)), names)
            )
    return found


# --- by hand


def logs_of(folder: Path) -> Iterator[tuple[list[dict[str, Any]], Log]]:
    for file in sorted(folder.iterdir()):
        text = file.read_text(encoding="utf-8")
        yield [json.loads(line) for line in text.splitlines()], read_log(str(file), text)


def test_figures_are_those_counted_by_hand_in_the_logs(rules: Rules, tmp_path: Path) -> None:
    """The logs of `simulate`, read line by line as one would on paper."""
    logs = str(tmp_path / "logs")
    arguments = ["--match", "--games", str(GAMES), "--players", "fast", "--jobs", "1", "--logs", logs, "--json"]
    done = run("simulate", str(QUICK), *arguments)
    assert done.returncode == 0, done.stderr
    counted = Counter[str]()
    for lines, log in logs_of(tmp_path / "logs"):
        scores: list[list[float]] = []
        seats: dict[str, int] = {}
        for line in lines:
            if line.get("event") == "hand":
                counted["hands"] += 1
                seats, now = line["players"], line["scores"][:4]
            elif line.get("event") == "draw":
                counted["draws"] += line["count"]
            elif line.get("event") == "result":
                counted["won" if line["winners"] else "drawn"] += 1
                for at, (seat, player) in enumerate(seats.items()):
                    gain = line["gains"][seat]
                    counted[f"seat.{at}.gain"] += gain
                    counted[f"seat.{at}.wins"] += seat in line["winners"]
                    counted["moved"] += max(0, gain)
                    now[player] += gain
                scores.append([*now])
        leaders = [row.index(max(row)) for row in scores if row.count(max(row)) == 1]
        counted["lead_changes"] += sum(one != other for one, other in pairwise(leaders))
        winner, half = scores[-1].index(max(scores[-1])), scores[len(scores) // 2 - 1]
        assert scores[-1].count(max(scores[-1])) == 1
        counted[f"player.{winner}.won"] += 1
        counted["behind"] += half[winner] < max(half)
        counted.update(offers_in(log, rules))
    games = played(rules, GAMES)
    found = {key: games.sample.total(key) for key in counted}
    assert found == dict(counted)
    data = report_json(report_of(rules.data, PlayedReport(games, None, {}), ReportPlan(GAMES, players=("fast",))))
    summary = json.loads(done.stdout)
    assert data["summary"] == summary, "what `simulate` says of the same games"
    assert (data["hands"], data["matches"]) == (counted["hands"], GAMES)
    assert data["drawn"]["count"] == counted["drawn"] == summary["hands"] - summary["won"]
    assert data["length"]["value"] == pytest.approx(counted["draws"] / counted["hands"])
    assert data["moved"]["value"] == pytest.approx(counted["moved"] / counted["hands"])
    assert data["lead"]["changes"]["value"] == pytest.approx(counted["lead_changes"] / GAMES)
    assert [one["points"]["count"] for one in data["seats"]] == [counted[f"seat.{at}.gain"] for at in range(4)]
    by_id = {one["id"]: one for one in data["patterns"]}
    assert {one["id"]: by_id[one["id"]]["hands"] for one in summary["patterns"]} == {
        one["id"]: one["hands"] for one in summary["patterns"]
    }
    assert {id for id, one in by_id.items() if not one["hands"]} == set(summary["never"])


def offers_in(log: Log, rules: Rules) -> Counter[str]:
    """How often each offer was there and taken: every legal move of everybody, before each line of answers."""
    found = Counter[str]()
    game = begun(log, rules)
    for number, answers in log.answers.items():
        for seat in game.asked:
            found.update(f"offered.{does}" for does in {move.does for move in game.legal_moves(seat)} - {"pass"})
        found.update(f"taken.{one['move']}" for one in answers.values() if one["move"] != "pass")
        give(log, game, number, answers)
    return found


def lead_of(*scores: tuple[int, ...]) -> GameRows:
    """A match with these scores after each hand."""
    count = len(scores)
    rows = []
    for at, row in enumerate(scores):
        before = scores[at - 1] if at else (0,) * len(row)
        gains = tuple(now - then for now, then in zip(row, before, strict=True))
        rows.append(HandRow(0, at, 1, "won", tuple(range(len(row))), (), gains, row, last=at == count - 1))
    return GameRows(tuple(rows))


@pytest.mark.parametrize(
    ("scores", "changes", "behind", "last"),
    [
        ([(1, 0, 0), (2, 0, 0)], 0, 0, 0),
        ([(1, 0, 0), (1, 1, 0), (1, 2, 0)], 1, 1, 1),  # half is the first hand; second and third are both last
        ([(2, 1, 0), (2, 1, 0), (2, 3, 0), (4, 3, 0)], 2, 0, 0),
        ([(2, 1, 0), (2, 1, 0), (2, 3, 0), (2, 3, 0)], 1, 1, 0),
        ([(2, 1, 0), (2, 1, 0), (2, 2, 0), (2, 2, 0)], 0, 0.5, 0),  # shared: half a comeback
        ([(0, 0, 0), (0, 0, 0)], 0, 0, 0),
    ],
)
def test_lead_changes_and_comebacks(scores: list[tuple[int, ...]], changes: int, behind: float, last: float) -> None:
    found = sums_of(lead_of(*scores), ("a", "b", "c"))
    assert (found["lead_changes"], found["behind"], found["last"]) == (changes, behind, last)
    assert sum(found[f"player.{player}.won"] for player in range(3)) == pytest.approx(1)


def test_players_move_up_with_each_game() -> None:
    rules = load(QUICK)
    names = ("random", "fast", "fast", "fast")
    plan = SimulationPlan(4, 1, 0, names, rotate=True, apart=True)
    at = [
        [batch.apart.total(f"name.{name}.hands") for name in ("random", "fast")]
        for batch in simulate(rules, plan)
        if batch.apart is not None
    ]
    assert at == [[1, 3]] * 4

    seats = FinishedGame(rules, names, rotate=True)
    assert [seats.players_of(number).index("random") for number in range(5)] == [0, 1, 2, 3, 0]


# --- charts


def marks(svg: str) -> list[tuple[str, ElementTree.Element]]:
    """What tells something, in order."""
    tree = ElementTree.fromstring(svg)
    return [(told, one) for one in tree.iter() if (told := one.get("aria-label")) and one.tag == f"{SVG}path"]


def place(element: ElementTree.Element) -> tuple[float, float]:
    found = re.fullmatch(r"translate\(([\d.-]+),([\d.-]+)\)", element.get("transform", ""))
    assert found is not None
    return float(found[1]), float(found[2])


def are_on_a_line(numbers: list[float], pixels: list[float]) -> bool:
    """Whether pixels are a linear function of numbers, to within half a pixel."""
    low, high = numbers.index(min(numbers)), numbers.index(max(numbers))
    slope = (pixels[high] - pixels[low]) / (numbers[high] - numbers[low])
    return slope != 0 and all(
        abs(pixels[low] + slope * (number - numbers[low]) - pixel) < 0.5
        for number, pixel in zip(numbers, pixels, strict=True)
    )


def test_a_chart_of_intervals_is_to_scale() -> None:
    rows = [
        IntervalRow(name, v, v - 0.1, v + 0.05, f"{v}", f"{name} is {v}")
        for name, v in (("a", 0.2), ("b", 0.9), ("c", 0.45))
    ]
    svg = interval_chart(rows, "percent", 0.5)
    found = marks(svg)
    assert [told for told, _ in found] == [row.told for row in rows]
    points = [place(one)[0] for _, one in found]
    assert are_on_a_line([row.value for row in rows], points)
    ends = []
    for line in ElementTree.fromstring(svg).iter(f"{SVG}line"):
        if line.get("stroke-width") == "3":
            (x, _), width = place(line), float(line.get("x2", 0))
            ends += sorted([x, x + width])
    numbers = [number for row in rows for number in (row.low or 0, row.high or 0)]
    assert are_on_a_line([*numbers, *(row.value for row in rows)], [*ends, *points])
    texts = {one.text for one in ElementTree.fromstring(svg).iter(f"{SVG}text")}
    assert {"a", "b", "c", "0.2", "0.9", "0.45"} <= texts and "<script" not in svg


def test_a_histogram_is_to_scale() -> None:
    columns = [Column(str(at), at, at, 0.1 * at, 0.05, f"at {at}") for at in (1, 2, 4)]
    heights: dict[str, list[float]] = {}
    for told, one in marks(histogram_chart(columns, "x", "y")):
        found = re.search(r"v([\d.]+)h", one.get("d", "")) or re.search(r"v([\d.]+)", one.get("d", ""))
        assert found is not None
        heights.setdefault(told, []).append(float(found[1]))
    assert [len(one) for one in heights.values()] == [2, 2, 2]
    first, above = zip(*(sorted(heights[column.told], key=lambda h: -h) for column in columns), strict=True)
    assert are_on_a_line([0.1, 0.2, 0.4, 0.05], [*first, above[0]])


def test_a_plot_of_points_is_to_scale() -> None:
    spots = [Spot(x, y, y / 2, y * 2, "plain", "", f"{x}, {y}") for x, y in ((1, 0.3), (2, 0.01), (5, 0.1))]
    found = [place(one) for _, one in marks(spot_chart(spots, "x", "y"))]
    assert are_on_a_line([spot.x for spot in spots], [x for x, _ in found])
    assert are_on_a_line([log10(spot.y) for spot in spots], [y for _, y in found])


def test_the_page_holds_the_numbers_of_the_data(report: Report, rules: Rules) -> None:
    text = page(report, rules.data, "en")
    data = report_json(report)
    told = [[words for words, _ in marks(svg)] for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]
    lengths = next(one for one in told if one and "tiles drawn" in one[0])
    hands = sum(int(count) for count in re.findall(r"(\d+) hand", " ".join(dict.fromkeys(lengths))))
    assert hands == data["hands"] == sum(bar["won"] + bar["nobody"] for bar in data["lengths"])
    assert sum(bar["won"] for bar in data["values"]) == sum(data["summary"]["wins"].values())
    assert not re.search(r"<script|https?://(?!www\.w3\.org)|\{\w*\}|None|nan", text)


@dataclass(frozen=True)
class Drawn:
    """A chart as a reader sees it: what its axes say decides where numbers are. Places in pixels."""

    svg: str

    def placed(self) -> Iterator[tuple[ElementTree.Element, float, float, str]]:
        """Every element with its place and the classes of the groups that it is in."""
        todo: list[tuple[ElementTree.Element, float, float, str]] = [(ElementTree.fromstring(self.svg), 0.0, 0.0, "")]
        while todo:
            one, x, y, within = todo.pop(0)
            for dx, dy in re.findall(r"translate\(([\d.e-]+),([\d.e-]+)\)", one.get("transform", "")):
                x, y = x + float(dx), y + float(dy)
            yield one, x, y, within
            todo += [(inner, x, y, f"{within} {one.get('class', '')}") for inner in one]

    def ticks(self, anchor: str) -> list[tuple[float, float]]:
        """The numbers at an axis with their places along it. `anchor`: "end" at the side, "middle" below."""
        found = []
        for one, x, y, within in self.placed():
            is_side = one.get("text-anchor") == "end" and float(one.get("transform", "")[10:].split(",")[0]) < 0
            if "role-axis-label" in within and one.text and is_side == (anchor == "end"):
                number = re.fullmatch(r"(−?)(\d[\d,]*(?:\.\d+)?)(%?)", one.text)
                assert number is not None, f"{one.text} is no number for people"
                value = float(number[2].replace(",", "")) * (-1 if number[1] else 1) / (100 if number[3] else 1)
                found.append((value, y - TEXT_BASE if is_side else x))
        return found

    def scale(self, anchor: str) -> Callable[[float], float]:
        """Where an axis has a number; all numbers at it agree, evenly or by their powers of ten."""
        ticks = sorted(self.ticks(anchor))
        for along in (float, log10) if ticks[0][0] > 0 else (float,):
            place = between(ticks[0], ticks[-1], along)
            if all(abs(place(number) - pixel) < PIXEL for number, pixel in ticks):
                return place
        raise AssertionError(f"an axis that is no scale: {ticks}")

    def points(self) -> list[tuple[float, float]]:
        return [(x, y) for one, x, y, _ in self.placed() if one.get("aria-roledescription") == "point"]

    def lines(self, width: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """The lines of marks with a stroke of this width, from and to."""
        return [
            ((x, y), (x + float(one.get("x2", 0)), y + float(one.get("y2", 0))))
            for one, x, y, within in self.placed()
            if one.tag == f"{SVG}line" and "mark-rule role-mark" in within and one.get("stroke-width") == width
        ]

    def dashes(self) -> list[float]:
        return [x for one, x, _, _ in self.placed() if one.get("stroke-dasharray")]

    def bars(self) -> list[tuple[float, float, float]]:
        """The middle, the top and the bottom of each bar."""
        found = []
        for one, x, y, _ in self.placed():
            if one.get("aria-roledescription") == "bar":
                box = re.fullmatch(r"M([\d.e-]+),([\d.e-]+)h([\d.e-]+)v([\d.e-]+)h.*", one.get("d", ""))
                assert box is not None
                left, top, width, height = map(float, box.groups())
                found.append((x + left + width / 2, y + top, y + top + height))
        return found

    def words(self, anchor: str) -> list[str]:
        """The texts above the rows: their labels ("start") or values ("end")."""
        return [
            one.text or ""
            for one, _, _, within in self.placed()
            if "mark-text role-mark" in within and one.get("text-anchor") == anchor
        ]


def between(
    first: tuple[float, float], last: tuple[float, float], along: Callable[[float], float]
) -> Callable[[float], float]:
    """Where a number is, by two numbers with their places."""
    slope = (last[1] - first[1]) / (along(last[0]) - along(first[0]))
    return lambda number: first[1] + slope * (along(number) - along(first[0]))


PIXEL = 1.0  # how far anything may be from where its number belongs; axes are half a pixel off
TEXT_BASE = 4.5  # from the middle of a number at the side down to its base line, less the half pixel


def assert_intervals(drawn: Drawn, found: list[dict[str, Any]], reference: float | None) -> None:
    """Points, lines and values of a chart of intervals are those of the data, in its order."""
    place = drawn.scale("middle")
    assert [x for x, _ in drawn.points()] == pytest.approx([place(one["value"]) for one in found], abs=PIXEL)
    known = [one for one in found if one["low"] is not None]
    ends = [sorted((start[0], end[0])) for start, end in drawn.lines("3")]
    assert len(ends) == len(known)
    for (left, right), one in zip(ends, known, strict=True):
        assert (left, right) == pytest.approx((place(one["low"]), place(one["high"])), abs=PIXEL)
    assert drawn.dashes() == pytest.approx([] if reference is None else [place(reference)], abs=PIXEL)
    for shown, one in zip(drawn.words("end"), found, strict=True):
        number = re.match(r"[+−]?[\d,]+(?:\.(\d+))?", shown)
        assert number is not None
        value = float(number[0].replace("−", "-").replace(",", ""))
        wanted = one["value"] * (100 if "%" in shown or "pp" in shown or "point" in shown else 1)
        assert value == pytest.approx(wanted, abs=0.5001 * 10 ** -len(number[1] or "")), shown


def assert_columns(drawn: Drawn, bars: list[dict[str, Any]]) -> None:
    """Columns of a histogram stand on each other, as high as their shares of all."""
    place = drawn.scale("end")
    whole = sum(one["won"] + one["nobody"] for one in bars)
    wanted = []
    for one in bars:
        steps = (0, one["won"] / whole, (one["won"] + one["nobody"]) / whole)
        wanted += [(place(high), place(low)) for low, high in pairwise(steps) if high > low]
    found = drawn.bars()
    assert len(found) == len(wanted)
    for (_, *edges), at in zip(sorted(found, key=lambda bar: bar[1:]), sorted(wanted), strict=True):
        assert tuple(edges) == pytest.approx(at, abs=PIXEL)
    filled = [at for at, one in enumerate(bars) if one["won"] + one["nobody"]]
    middles = sorted({round(middle, 3) for middle, _, _ in found})
    assert len(middles) == len(filled)
    assert are_on_a_line([float(at) for at in filled], middles) if len(filled) > 1 else True


def assert_spots(drawn: Drawn, patterns: list[dict[str, Any]]) -> None:
    """Each pattern that came is where its worth and its frequency are, with its interval."""
    across, up = drawn.scale("middle"), drawn.scale("end")
    found = [one for one in patterns if one["hands"]]
    wanted = [(across(one["worth"]), up(one["of_wins"]["value"])) for one in found]
    assert len(drawn.points()) == len(found)
    for point, at in zip(drawn.points(), wanted, strict=True):
        assert point == pytest.approx(at, abs=PIXEL)
    ends = [(start[0], *sorted((start[1], end[1]))) for start, end in drawn.lines("2")]
    spans = [(across(one["worth"]), up(one["of_wins"]["high"]), up(one["of_wins"]["low"])) for one in found]
    assert len(ends) == len(spans)
    for line, span in zip(ends, spans, strict=True):
        assert line == pytest.approx(span, abs=PIXEL)


CHARTS: dict[str, Callable[[Drawn, dict[str, Any]], None]] = {
    "How hands end": lambda drawn, data: assert_intervals(
        drawn, [one["of_hands"] or one["of_wins"] for one in data["ends"]], None
    ),
    "Length of hands": lambda drawn, data: assert_columns(drawn, data["lengths"]),
    "Worth of wins": lambda drawn, data: assert_columns(drawn, data["values"]),
    "How often patterns come, by worth (faan)": lambda drawn, data: assert_spots(drawn, data["patterns"]),
    "Points a hand": lambda drawn, data: assert_intervals(drawn, [one["points"] for one in data["seats"]], 0),
    "Hands won": lambda drawn, data: assert_intervals(
        drawn, [one["wins"] for one in data["seats"]], data["won"]["value"] / len(data["seats"])
    ),
    "Matches won, by first seat": lambda drawn, data: assert_intervals(
        drawn, [one["matches"] for one in data["seats"]], 1 / len(data["seats"])
    ),
    "Taken when offered": lambda drawn, data: assert_intervals(drawn, [one["taken"] for one in data["offers"]], None),
    "Matches won by the strong bot": lambda drawn, data: assert_intervals(
        drawn, [one["won"] for one in data["skill"]], data["skill"][0]["chance"]
    ),
    "Points a hand of the strong bot": lambda drawn, data: assert_intervals(
        drawn, [one["points"] for one in data["skill"]], 0
    ),
    "What changes, in shares": lambda drawn, data: assert_intervals(
        drawn,
        [one for one in data["comparison"]["differences"] if one["found"] and one["key"].startswith(SHARES)][
            :MOST_FOUND
        ],
        0,
    ),
}


def test_every_chart_is_where_its_axes_say(rules: Rules) -> None:
    """Every point, bar and interval of the page to a pixel of the number in the data, by the numbers at the axes.
    Worths, hands without a winner and differences are made up, as these few games hardly have any."""
    games = PlayedReport(played(rules, 10), played(rules, 10, seed=2), skill_of(("random", 2), ("fast", 1)))
    found = report_of(rules.data, games, ReportPlan(10, players=("fast",)), (), (rules.data, ()))
    assert found.comparison is not None
    differences = tuple(replace(one, found=one.low is not None) for one in found.comparison.differences)
    patterns = tuple(replace(one, worth=0.5 + 1.25 * at) for at, one in enumerate(found.patterns))
    lengths = tuple(replace(one, nobody=at % 3) for at, one in enumerate(found.lengths))
    found = replace(
        found, patterns=patterns, lengths=lengths, comparison=replace(found.comparison, differences=differences)
    )
    data, text = report_json(found), page(found, rules.data, "en")
    charts = dict(re.findall(r"<figcaption>([^<]*)</figcaption>(<svg.*?</svg>)", text, re.DOTALL))
    assert charts.keys() == CHARTS.keys()
    for title, check in CHARTS.items():
        check(Drawn(charts[title]), data)


def test_one_of_a_measure_is_in_the_singular(tmp_path: Path) -> None:
    """Also where the ruleset names no unit for it."""
    head = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: zung_jung\n"
    (tmp_path / "mine.yaml").write_text(f"{head}scoring: {{measures: {{points: {{name: Points, unit: null}}}}}}\n")
    words = ReportWords(load(str(tmp_path / "mine.yaml")).data, "en")
    assert [words.worth(value, "points") for value in (0, 1, 2)] == ["0 points", "1 point", "2 points"]


@pytest.mark.parametrize("language", ["en", "zh", "ja"])
def test_a_page_speaks_one_language(report: Report, rules: Rules, language: str) -> None:
    text = page(report, rules.data, language)
    assert f'<html lang="{language}">' in text and "report." not in re.sub(r"<style>.*?</style>", "", text)
    if language != "en":
        shown = re.sub(r"<style>.*?</style>|<[^>]*>|\b[0-9a-f]{12}\b", " ", text, flags=re.DOTALL)
        names = " ".join(one.name["en"] for one in report.patterns if language not in one.name)
        known = {"Tilewright", "most_paid", "limit", "Quick", "match", "faan", "points", *names.split()}
        assert not {word for word in re.findall(r"[A-Za-z_]{4,}", shown) if word not in " ".join(known)}


def test_patterns_stand_out_by_what_they_are_beside(report: Report) -> None:
    """Each pattern that is said to be commoner and dearer is both."""
    known = {one.id: one for one in report.patterns}
    for one in report.patterns:
        for id in one.commoner_and_dearer:
            other = known[id]
            assert other.hands > one.hands and (other.worth or 0) > (one.worth or 0)
            assert one.id in other.rarer_and_cheaper


# --- comparison


def differing(report: Report) -> set[str]:
    assert report.comparison is not None
    return {one.key for one in report.comparison.differences if one.found}


@pytest.mark.slow
def test_a_lower_limit_moves_fewer_points_and_nothing_else(rules: Rules) -> None:
    """Fast bots play the same hands, whatever these are worth: points alone may differ."""
    limited = load(QUICK, {"most_paid": 1}, ["limit"])
    before, after = (played(one, 60, match=False) for one in (rules, limited))
    report = report_of(rules.data, PlayedReport(before, after, {}), ReportPlan(60), (), (limited.data, ()))
    found = differing(report)
    assert "moved" in found and found <= {"moved", *(f"seat_points.{seat}" for seat in "ESWN")}
    assert report.comparison is not None
    moved = next(one for one in report.comparison.differences if one.key == "moved")
    assert moved.high is not None and moved.high < 0
    others = [one for one in report.comparison.differences if not one.key.startswith(("moved", "seat_points"))]
    assert len(others) > 20 and all(one.value == 0 for one in others)


def test_nothing_is_found_in_the_same_rules(rules: Rules) -> None:
    one = played(rules, 20, match=False)
    found = report_of(rules.data, PlayedReport(one, one, {}), ReportPlan(10), (), (rules.data, ()))
    assert found.comparison is not None and found.comparison.tested > 5 and not differing(found)
    assert found.comparison.at_most == pytest.approx(1 - 0.05 ** (1 / 20))
    for language in ("en", "zh", "ja"):
        told, slots = page(found, rules.data, language), {"tested": found.comparison.tested, "matches": "20"}
        assert "0 to 0" not in told and say("report.compared_same", language, share="13.9%", **slots) in told


def test_a_comparison_says_whether_it_is_balanced_now(rules: Rules) -> None:
    one = played(rules, 20, match=False)
    found = report_of(rules.data, PlayedReport(one, one, {}), ReportPlan(10), (), (rules.data, ()))
    assert found.comparison is not None and found.comparison.standing_out == ()
    assert say("report.balance_of_both", "en") in page(found, rules.data, "en")
    first = found.patterns[0]
    odd = (replace(first, stands_out="common_and_dear"), found.patterns[1])
    even = (found.patterns[0], replace(found.patterns[1], stands_out="rare_and_cheap"))
    out = tuple(standing_out(odd, even))
    assert [(one.before, one.after) for one in out] == [("common_and_dear", None), (None, "rare_and_cheap")]
    told = page(replace(found, comparison=replace(found.comparison, standing_out=out)), rules.data, "en")
    assert say("report.balance_before_after", "en") in told and f"<td>{first.name['en']}" in told


@pytest.mark.soak
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize(("player", "hands"), [("fast", 60), ("random", 12_000)])
def test_a_limit_is_found_and_nothing_where_nothing_changed_twenty_times(rules: Rules, player: str, hands: int) -> None:
    """The limit with each of twenty seeds; between the same rules on other deals something at most twice."""
    limited = load(QUICK, {"most_paid": 1}, ["limit"])
    plan, false, found = ReportPlan(hands, players=(player,)), [], []
    for seed in range(20):
        before, after, elsewhere = (
            played(one, hands, at, False, player) for one, at in ((rules, seed), (limited, seed), (rules, seed + 1_000))
        )
        change = report_of(rules.data, PlayedReport(before, after, {}), plan, (), (limited.data, ()))
        null = report_of(rules.data, PlayedReport(before, elsewhere, {}), plan, (), (rules.data, ()))
        found.append("moved" in differing(change))
        false.append(bool(differing(null)))
    assert sum(found) >= 19 and sum(false) <= 2, (found, false)


# --- the command


def test_the_command_writes_a_page_and_data(tmp_path: Path) -> None:
    arguments = ("--games", "2", "--players", "fast", "--jobs", "1", "--compare", "limit:most_paid=2")
    done = run("report", str(QUICK), *arguments, "--json", "-o", "r.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["matches"], data["stopped"], data["skill"][0]["matches"]) == (2, "games", 1)
    assert data["comparison"]["rules"]["mods"] == ["limit"]
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "r.html: 2 matches, " in done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("report cantonese --compare sanma", "4 seats and sanma 3"),
        ("report cantonese --compare nothing_like_it", "nothing_like_it"),
        ("report cantonese --compare riichi --compare mcr", "riichi and mcr are rulesets"),
        ("report cantonese --language fr", "there is no page in 'fr'"),
        ("report cantonese -o report.pdf", "end it in .html or .json"),
        ("report cantonese -o nowhere/report.html", "there is no folder nowhere"),
        ("report cantonese --players fast,slow", "4 seats, and 2 players are named"),
        ("report cantonese --players slow", "there is no player called 'slow'"),
        ("report cantonese --games 0", "--games"),
    ],
)
def test_a_report_that_cannot_begin_says_why(line: str, said: str, tmp_path: Path) -> None:
    fails(run(*line.split(), cwd=tmp_path), 2, said)
    assert not [*tmp_path.iterdir()]


def test_a_report_ends_when_the_time_is_up(rules: Rules) -> None:
    late = ReportGames(rules, None, ReportPlan(games=5_000, minutes=0.001, players=("fast",))).play()
    assert late.main.stopped == "minutes" and late.main.sample.games >= 1
    assert all(one.sample.games >= 1 for one in late.skill.values())


def test_a_report_ends_when_it_knows_enough(rules: Rules) -> None:
    games = ReportGames(rules, None, ReportPlan(width=50))
    sample = PlayedGames(SimulationPlan(40)).sample
    for _ in range(40):
        sample.add({"hands": 10.0, "drawn": 1.0})
    assert games.is_narrow(sample)
    assert not ReportGames(rules, None, ReportPlan(width=0.5)).is_narrow(sample)
