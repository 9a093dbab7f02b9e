"""`simulate`: the same results whatever the number of processes, files that are whole, a summary that adds up."""

import json
import os
import re
import runpy
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from commands import COMMAND, Done, fails, on_terminal, run
from processes import HANGS, descendants, process

from tilewright.authoring.open_rules import RulesChoice
from tilewright.cli.commands.table import simulate as simulate_command
from tilewright.cli.commands.table.simulate import SimulateOptions, run_games
from tilewright.play.model import Move
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.player import names_in
from tilewright.players.simulation import game
from tilewright.players.simulation.rows import KINDS
from tilewright.players.simulation.run import Batch, SimulationPlan, seed_of, simulate
from tilewright.players.simulation.tally import Tally

pytestmark = pytest.mark.long

RULES = "cantonese"
QUICK = Path(__file__).parents[1] / "data" / "quick_match.yaml"
LONG = 100_000  # games, of a simulation that is broken off


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def run_simulate(*arguments: str, **how: Any) -> Done:
    """A simulation in this process, unless other jobs are asked for."""
    return run("simulate", RULES, "--jobs", "1", *arguments, **how)


def simulated(*arguments: str) -> dict[str, Any]:
    """The summary of a simulation."""
    done = run_simulate("--json", *arguments)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def whole(batches: Sequence[Batch]) -> tuple[list[str], Tally]:
    """The lines and the tally of batches."""
    tally = Tally()
    for batch in batches:
        tally.merge(batch.tally)
    return [line for batch in batches for line in batch.lines], tally


# --- the same results


def test_seeds_follow_from_the_number_of_the_game() -> None:
    assert [seed_of(1, game) for game in range(3)] == [4622281534434355, 8697725007798664, 1931790403025814]
    assert seed_of(2, 0) != seed_of(1, 0) and seed_of(-1, 0) < 2**53
    assert len({seed_of(1, game) for game in range(10_000)}) == 10_000


def test_games_may_be_played_in_parts() -> None:
    lines, first, others = (
        whole(list(simulate(load(RULES), SimulationPlan(games, 3, first), 1)))[0]
        for first, games in ((0, 4), (0, 1), (1, 3))
    )
    assert first + others == lines


@pytest.mark.slow
def test_files_and_summaries_are_equal_whatever_jobs_are(tmp_path: Path) -> None:
    done = {}
    for jobs in ("1", "2"):
        out = str(tmp_path / f"{jobs}.jsonl")
        done[jobs] = run("simulate", str(QUICK), "--games", "2", "--match", "--jobs", jobs, "--out", out)
        assert done[jobs].returncode == 0, done[jobs].stderr
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert done["1"].stdout == done["2"].stdout


# --- rows


@pytest.mark.slow
def test_rows_and_summary_say_the_same(tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    players = "careful,random,fast,random"
    told = simulated("--games", "12", "--seed", "5", "--players", players, "--out", str(out))
    rows = lines_of(out)
    assert [row["game"] for row in rows] == list(range(12)) and [row["seed"] for row in rows[:2]] == [
        seed_of(5, 0),
        seed_of(5, 1),
    ]
    wins = [win for row in rows for win in row["winners"]]
    assert told["games"] == told["hands"] == 12 and told["won"] == sum(bool(row["winners"]) for row in rows)
    assert told["players"] == players.split(",") and told["failed"] == 0 and told["stopped"] is False
    assert told["wins"] == {kind: sum(win["kind"] == kind for win in wins) for kind in KINDS}
    assert told["ended"] == Counter(row["ended"] for row in rows)
    assert told["length"]["mean"] == pytest.approx(sum(row["draws"] for row in rows) / 12, abs=1e-5)
    assert told["length"]["most"] == max(row["draws"] for row in rows)
    for player, side in enumerate(told["by_player"]):
        gains = [row["gains"][player] for row in rows]
        assert side["points"]["mean"] == pytest.approx(sum(gains) / 12, abs=1e-5)
        assert sum(side["wins"].values()) == sum(win["player"] == player for win in wins)
        assert side["fed"] == sum(win["discarder"] == player for win in wins)
    counted = Counter(pattern["id"] for win in wins for pattern in win["patterns"])
    assert {pattern["id"]: pattern["hands"] for pattern in told["patterns"]} == counted
    assert set(told["never"]).isdisjoint(counted)
    assert all(sum(row["gains"]) == 0 for row in rows)
    assert all(win["kind"] == "self_draw" or win["discarder"] not in (None, win["player"]) for win in wins)


@pytest.mark.slow
def test_a_match_is_a_row_for_each_hand(tmp_path: Path) -> None:
    out = tmp_path / "match.ndjson"
    told = simulated("--games", "2", "--match", "--first", "4", "--out", str(out))
    rows = lines_of(out)
    games = [[row for row in rows if row["game"] == game] for game in (4, 5)]
    assert told["hands"] == len(rows) == sum(map(len, games)) and told["hands_of_game"]["most"] == max(map(len, games))
    for hands in games:
        assert [hand["hand"] for hand in hands] == list(range(1, len(hands) + 1))
        assert [hand["last"] for hand in hands] == [False] * (len(hands) - 1) + [True]
        for before, after in pairwise(hands):
            gains = zip(before["scores"], after["gains"], strict=True)
            assert after["scores"] == [score + gain for score, gain in gains]
        assert {hand["seats"][0] for hand in hands} == {0, 1, 2, 3}, "everybody deals in a match"
    ends = [hands[-1]["scores"][0] for hands in games]
    assert told["by_player"][0]["score"]["mean"] == sum(ends) / 2


def test_rows_on_stdout(tmp_path: Path) -> None:
    done = run_simulate("--games", "3", "--out", "-", "--json")
    assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == [0, 1, 2]
    assert json.loads(done.stderr.splitlines()[-1])["games"] == 3


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = {}
    for ending in ("jsonl", "parquet"):
        simulated("--games", "4", "--players", "fast", "--out", str(tmp_path / f"hands.{ending}"))
    rows = lines_of(tmp_path / "hands.jsonl")
    assert parquet.read_table(tmp_path / "hands.parquet").to_pylist() == rows
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.jsonl", "hands.parquet"]


@pytest.mark.slow  # extras are those of the package that is installed, which `make lowest` has none of
def test_parquet_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run_simulate("--out", str(tmp_path / "hands.parquet"))
    fails(done, 2, "this needs pyarrow, which is not installed", "pip install 'tilewright[parquet]'")
    assert not list(tmp_path.iterdir())


# --- the summary


def test_the_summary_is_readable() -> None:
    done = run_simulate("--games", "20", "--players", "fast", env={"COLUMNS": "90"})
    assert done.returncode == 0 and "\x1b" not in done.stdout
    assert re.search(r"^  20 games of fast, seed 1$", done.stdout, re.MULTILINE)
    assert re.search(r"^  Won +\d+ +[\d.]+%$", done.stdout, re.MULTILINE)
    assert re.search(r"^  Self-drawn +\d+ +[\d.]+% +1.00 +\+[\d.]+$", done.stdout, re.MULTILINE)
    assert "Never came" in done.stdout and "Thirteen orphans" in done.stdout
    assert re.search(r"^20 games in [\d.]+ s, [\d,.]+ a second$", done.stderr, re.MULTILINE)
    assert max(map(len, done.stdout.splitlines())) <= 90


@pytest.mark.slow
def test_a_bar_on_a_terminal() -> None:
    written = on_terminal("simulate", RULES, "--games", "30", "--jobs", "1", TERM="xterm-256color")
    assert re.search(r"\d+/30", written) and "30 games in" in written


# --- what goes wrong


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "hands.csv"), "hands.jsonl or hands.parquet"),
        (("--out", "nowhere/hands.jsonl"), "there is no folder nowhere"),
        (("--out", "."), "is a folder"),
        (("--players", "clever"), "there is no player called 'clever'; players are random, fast, careful, strong"),
        (("--players", "fast,fast"), "cantonese has 4 seats, and 2 players are named"),
        (("--players", ""), "there is no player called ''"),
        (("--games", "0"), "--games"),
        (("--jobs", "0"), "--jobs"),
        (("--first", "-1"), "--first"),
        (("--logs", "nowhere/logs"), "there is no folder nowhere"),
    ],
)
def test_wrong_usage(arguments: Sequence[str], said: str, tmp_path: Path) -> None:
    fails(run_simulate(*arguments, cwd=tmp_path), 2, said)
    assert not list(tmp_path.iterdir())


def test_a_ruleset_that_is_not_there() -> None:
    fails(run("simulate", "cantonesee"), 2, "did you mean 'cantonese'?")
    fails(run_simulate("--set", "least_faan=x"), 1, "least_faan")


def test_a_full_disk_is_told() -> None:
    fails(run_simulate("--games", "3", "--out", "/dev/full"), 2, "no space left")


@pytest.mark.slow
def test_a_disk_that_becomes_full_keeps_whole_lines(tmp_path: Path) -> None:
    """As where no more than so many bytes may be written to a file."""
    out, room = tmp_path / "hands.jsonl", 3_000
    command = f"trap '' XFSZ; ulimit -f {room // 1_000}; exec '{sys.executable}' -m tilewright simulate {RULES}"
    done = subprocess.run(
        ["bash", "-c", f"{command} --games 50 --jobs 1 --out '{out}'"], capture_output=True, text=True, timeout=HANGS
    )
    fails(done, 2, "file too large")
    rows = lines_of(out)
    assert [row["game"] for row in rows] == list(range(len(rows))) and 1 < len(rows) < 20


class Stumbling:
    """A player that breaks in one of the games."""

    def __init__(self, seed: int, breaks: bool) -> None:
        self.breaks = breaks

    def choose(self, view: View) -> Move:
        if self.breaks and view.decisions == 4:
            raise ZeroDivisionError("it stumbled")
        question = view.question
        assert question is not None
        return question.moves[0]

    def ended(self, view: View) -> None: ...

    def close(self) -> None: ...


def test_a_game_that_breaks_off_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = seed_of(1, 2)
    monkeypatch.setattr(game, "player_of", lambda name, rules, seed: Stumbling(seed, seed == broken))
    batches = list(simulate(load(RULES), SimulationPlan(4, 1, 0, ("stumbling",), logs=True), 1))
    rows = [json.loads(line) for batch in batches for line in batch.lines]
    assert [row["error"] is None for row in rows] == [True, True, False, True]
    assert rows[2]["error"].startswith("player 0 (stumbling): ZeroDivisionError: it stumbled (test_simulate.py:")
    assert rows[2]["ended"] is None and rows[2]["winners"] == rows[2]["gains"] == []
    _, tally = whole(batches)
    assert (tally.games, tally.failed, tally.hands) == (4, 1, 3)
    assert [(failure.game, failure.seed) for failure in tally.failures] == [(2, broken)]
    logs = dict(log for batch in batches for log in batch.logs)
    assert len(logs) == 4 and logs[2].count("\n") > 8, "the log of a game that broke off is kept as far as it went"


def test_a_game_that_breaks_off_is_told_with_the_way_to_play_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(game, "player_of", lambda name, rules, seed: Stumbling(seed, seed == seed_of(7, 1)))
    plan = SimulationPlan(3, 7, 0, ("fast", "command:my bot,fast", "fast", "fast"), match=False)
    choices = RulesChoice({"flowers": "false"}, ())
    monkeypatch.setattr(simulate_command, "fit_players", lambda rules, plan: None)
    assert run_games(SimulateOptions(RULES, choices, plan, 1), as_json=False) == 1
    said = capsys.readouterr()
    assert "1 game broke off" in said.out
    assert f"broken-game: game 1 (seed {seed_of(7, 1)}) broke off: player 0 (fast): ZeroDivisionError" in said.err
    way_out = said.err.partition("play it again: ")[2].splitlines()[0]
    assert way_out == (
        "tilewright simulate cantonese --games 1 --first 1 --seed 7 --players 'fast,command:my bot,fast,fast,fast'"
        " --set flowers=false --logs logs"
    )


def test_players_with_commas_in_their_commands() -> None:
    names = names_in("fast, command:bot --list=a=1,b=2,careful,command:x")
    assert names == ("fast", "command:bot --list=a=1,b=2", "careful", "command:x")


LEAVES = 'import sys\nsys.exit("had enough")\n'


@pytest.mark.slow
def test_a_program_that_leaves_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program, out = tmp_path / "leaves.py", tmp_path / "hands.jsonl"
    program.write_text(LEAVES, encoding="utf-8")
    players = f"fast,fast,fast,command:{sys.executable} {program}"
    done = run_simulate("--games", "2", "--players", players, "--out", str(out))
    fails(done, 1)
    assert "had enough" in capfd.readouterr().err
    assert re.search(
        r"Reported\n +2  .*leaves.py: it has ended with exit code 1; the fast bot replaces it", done.stdout
    )
    assert [(row["error"], len(row["problems"])) for row in lines_of(out)] == [(None, 1)] * 2
    why = r"reported-in-play: .*leaves.py: it has ended with exit code 1; the fast bot replaces it \(in {} hands?\)\n"
    assert re.search(why.format(2), done.stderr)
    few = ("--games", "1", "--json")
    duel = run_simulate(*few, "--duel", f"fast,command:{sys.executable} {program}")
    assert duel.returncode == 1 and re.search(why.format(2), duel.stderr)
    report = run("report", RULES, *few, "--jobs", "1", "--hands", "1", "--players", players)
    assert report.returncode == 1 and re.search(why.format(r"\d+"), report.stderr)


STUCK = """\
tilewright: 1
kind: ruleset
id: stuck
name: Stuck
extends: cantonese
phases:
  act: {who: turn, offers: [win]}
"""


def test_what_the_table_reports_is_counted(tmp_path: Path) -> None:
    (tmp_path / "stuck.yaml").write_text(STUCK, encoding="utf-8")
    done = run("simulate", "stuck.yaml", "--games", "5", "--players", "random", "--jobs", "1", cwd=tmp_path)
    fails(done, 1)
    assert re.search(r"Reported\n +5  in act nobody can do anything", done.stdout)


# --- Ctrl-C


@contextmanager
def simulating(out: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A long simulation in a session of its own."""
    words = [*COMMAND, "simulate", RULES, "--games", str(LONG), "--players", "fast", "--out", str(out), *arguments]
    with process(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as simulation:
        yield simulation


@contextmanager
def started(out: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """One that has written something."""
    with simulating(out, *arguments) as simulation:
        wait_for(lambda: out.exists() and out.stat().st_size > 0)
        yield simulation


def wait_for(holds: Any) -> None:
    until = time.monotonic() + HANGS
    while not holds():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.05)


def group_is_gone(group: int) -> bool:
    """No process of the group runs any more; one that only waits to be reaped is none."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its = status.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its) == group and state != "Z":
            return False
    return True


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    with started(out, "--jobs", "1", "--json") as simulation:
        os.killpg(simulation.pid, signal.SIGINT)
        stdout, stderr = simulation.communicate(timeout=HANGS)
    assert simulation.returncode == 130 and "Traceback" not in stderr, stderr
    text = out.read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    told = json.loads(stdout)
    assert text.endswith("\n") and told["stopped"] is True and told["games"] == len(rows) > 0
    assert [row["game"] for row in rows] == list(range(len(rows)))
    wait_for(lambda: group_is_gone(simulation.pid))


@pytest.mark.slow
def test_ctrl_c_leaves_a_whole_parquet_file(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out, logs = tmp_path / "hands.parquet", tmp_path / "logs"
    with simulating(out, "--jobs", "2", "--json", "--logs", str(logs)) as simulation:
        wait_for(lambda: logs.exists() and any(logs.iterdir()))
        assert not out.exists()
        os.killpg(simulation.pid, signal.SIGINT)
        stdout, stderr = simulation.communicate(timeout=HANGS)
    assert simulation.returncode == 130 and "Traceback" not in stderr, stderr
    wait_for(lambda: group_is_gone(simulation.pid))
    assert parquet.read_table(out).num_rows == json.loads(stdout)["games"] > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.parquet", "logs"]


@pytest.mark.slow
def test_processes_leave_with_the_one_that_started_them(tmp_path: Path) -> None:
    with started(tmp_path / "hands.jsonl", "--jobs", "2") as simulation:
        simulation.kill()
        simulation.communicate(timeout=HANGS)
    wait_for(lambda: group_is_gone(simulation.pid))


@pytest.mark.slow
def test_a_process_that_is_lost_is_told(tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    with started(out, "--jobs", "2") as simulation:
        worker = next(pid for pid in descendants(simulation.pid) if "spawn_main" in command_of(pid))
        os.kill(worker, signal.SIGKILL)
        stdout, stderr = simulation.communicate(timeout=HANGS)
    assert simulation.returncode == 1 and "worker-lost" in stderr and "Traceback" not in stderr, stderr
    rows = lines_of(out)
    assert [row["game"] for row in rows] == list(range(len(rows)))
    assert f"{len(rows)} game" in stdout


def command_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


# --- the page


def test_the_page_tells_every_key(root: Path, tmp_path: Path) -> None:
    """Of a row, of a winner, of the summary with its parts and of the verdict."""
    told = simulated("--games", "8", "--logs", str(tmp_path), "--out", str(tmp_path / "hands.jsonl"))
    rows = lines_of(tmp_path / "hands.jsonl")
    winner = next(win for row in rows for win in row["winners"])
    verdict = json.loads(run("replay", str(tmp_path / "0000000.jsonl"), "--json").stdout)
    page = (root / "docs" / "simulate.md").read_text(encoding="utf-8")
    keys = {*told, *rows[0], *winner, *winner["patterns"][0], *verdict, *told["patterns"][0]}
    keys |= {*told["by_seat"][0], *told["by_player"][0], *told["length"]} - {"name"}
    assert keys <= set(re.findall(r"\w+", "".join(re.findall(r"^\| `.*$", page, re.MULTILINE))))


def test_the_program_on_the_page_runs(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (root / "docs" / "simulate.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "many.py"
    file.write_text(program.replace("games=1000", "games=3").replace("jobs=4", "jobs=1"), encoding="utf-8")
    runpy.run_path(str(file))  # as processes of more jobs import it
    assert capsys.readouterr().out == ""
    runpy.run_path(str(file), run_name="__main__")
    assert [json.loads(line)["game"] for line in capsys.readouterr().out.splitlines()] == [0, 1, 2]
