"""The benchmarks run, without the programs that they are compared with; results are kept, compared and shown."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from processes import HANGS

ROOT = Path(__file__).resolve().parents[2]
SUITES = ("scoring", "distance", "loading", "growth", "cards", "play", "page")


def run(script: str, *arguments: str) -> str:
    command = [sys.executable, str(ROOT / "benchmarks" / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "suite", [name if name == "distance" else pytest.param(name, marks=pytest.mark.soak) for name in SUITES]
)
def test_a_suite_is_measured(suite: str, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    shown = run("bench.py", suite, "--rounds", "1", "--part", "0.01", "--out", str(file))
    results = json.loads(file.read_text(encoding="utf-8"))
    assert results["results"] and {one["suite"] for one in results["results"]} == {suite}
    for one in results["results"]:
        assert one["title"] in shown
        assert all(len(rounds) == 1 and rounds[0] > 0 for rounds in one["figures"].values()), one
    compared = run("bench_compare.py", str(file), str(file))
    assert compared.count(" 1.00 (1.00 to 1.00)") == sum(len(one["figures"]) for one in results["results"])
    run("bench_page.py", str(file), str(tmp_path))
    page, chart = ((tmp_path / name).read_text(encoding="utf-8") for name in ("speed.md", "speed.svg"))
    assert f"## {suite.capitalize()}" in page and chart.startswith("<svg ")


def figures(*rounds: float, unit: str = "hands/s") -> dict[str, object]:
    found = {"suite": "s", "group": "g", "title": "t", "unit": unit, "beside": [], "figures": {"one": list(rounds)}}
    return {"commit": "c", "processor": "p", "python": "3", "results": [found]}


@pytest.mark.parametrize(
    ("unit", "before", "after", "said"),
    [
        ("hands/s", (10, 11, 12), (20, 22, 24), "2.00 (1.67 to 2.40) faster"),
        ("hands/s", (10, 11, 12), (11, 12, 13), "1.09 (0.92 to 1.30)\n"),
        ("ms", (10, 11, 12), (20, 22, 24), "0.50 (0.42 to 0.60) slower"),
    ],
)
def test_what_is_better_is_said_where_it_is_sure(
    unit: str, before: tuple[float, ...], after: tuple[float, ...], said: str, tmp_path: Path
) -> None:
    files = []
    for name, rounds in (("before", before), ("after", after)):
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(figures(*rounds, unit=unit)), encoding="utf-8")
    assert said in run("bench_compare.py", *map(str, files))
