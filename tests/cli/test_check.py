"""`check`: which files it looks at, what it says of them in each format, and case files."""

import json
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from commands import Done, run

pytestmark = pytest.mark.long

HEAD = "tilewright: 1\nkind: ruleset\nid: {id}\nname: {{en: Mine}}\nextends: {extends}\n"
UNUSED = "terms: {nobody: self_draw}\n"
CASE = {"hand": "123m 456m 789p 234s 5s", "win_tile": "5s", "seat_wind": "S", "discarder": "W"}


def check(*arguments: str, cwd: Path, stdin: str = "") -> Done:
    return run("check", *arguments, cwd=cwd, stdin=stdin)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a ruleset, a misspelt one, a case file, and much that is none of ours."""
    (tmp_path / "deep/.git").mkdir(parents=True)
    (tmp_path / "good.yaml").write_text(HEAD.format(id="good", extends="cantonese"))
    (tmp_path / "deep/bad.yml").write_text(HEAD.format(id="bad", extends="cantonesse"))
    (tmp_path / "deep/compose.yaml").write_text("services: {web: {image: nginx}}\n")
    (tmp_path / "deep/broken.yaml").write_text("{{{{ this is a template of something else\n")
    (tmp_path / "deep/package.json").write_text('{"name": "x", "kind": "module"}')
    (tmp_path / "good.schema.json").write_text('{\n "properties": {\n  "tilewright": {"const": 1}}}')
    (tmp_path / "deep/.git/bad.yaml").write_text(HEAD.format(id="bad", extends="cantonesse"))
    (tmp_path / "good.jsonl").write_text(json.dumps({**CASE, "expect": {"total": 2}}) + "\n")
    return tmp_path


def test_a_folder_is_looked_through_for_what_is_ours(folder: Path) -> None:
    done = check(".", cwd=folder)
    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.splitlines()[:-2]] == ["deep/bad.yml", "good.jsonl", "good.yaml"]
    assert "\n3 files checked, 50 examples and 34 cases tried: 1 error\n" in done.stdout
    assert "deep/bad.yml:5:10: no-such-document: no base or ruleset is called 'cantonesse'" in done.stderr
    assert "did you mean 'cantonese'?" in done.stderr


def test_a_folder_with_nothing_of_ours(tmp_path: Path) -> None:
    assert check(".", cwd=tmp_path).returncode == 2


def test_bundled_ids_and_repeated_paths(tmp_path: Path) -> None:
    done = check("cantonese", "cantonese", "faan_games", cwd=tmp_path)
    assert done.returncode == 0 and "2 files checked, 50 examples and 33 cases tried: no problems" in done.stdout


def test_stdin(folder: Path) -> None:
    good, bad = ((folder / name).read_text() for name in ("good.yaml", "deep/bad.yml"))
    assert check("-", cwd=folder, stdin=good).returncode == 0
    done = check("-", cwd=folder, stdin=bad)
    assert done.returncode == 1 and done.stderr.startswith("stdin:5:10: no-such-document")


def test_warnings_fail_where_they_are_to(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(HEAD.format(id="mine", extends="cantonese") + UNUSED)
    mild, strict = check("mine.yaml", cwd=tmp_path), check("mine.yaml", "--fail-on", "warning", cwd=tmp_path)
    assert (mild.returncode, strict.returncode) == (0, 1)
    assert "1 warning" in mild.stdout and "mine.yaml:6:" in mild.stderr


def test_formats(folder: Path) -> None:
    (folder / "good.yaml").unlink()
    (folder / "good.jsonl").rename(folder / "cantonese.jsonl")
    (problem,) = json.loads(check(".", "--json", cwd=folder).stdout)
    assert problem["code"] == "no-such-document"
    assert check(".", "--format", "github", cwd=folder).stdout.startswith("::error ")
    sarif = json.loads(check(".", "--format", "sarif", cwd=folder).stdout)
    assert len(sarif["runs"][0]["results"]) == 1
    suites = ElementTree.fromstring(check(".", "--format", "junit", cwd=folder).stdout)
    assert (suites.get("tests"), suites.get("failures")) == ("2", "1")


# --- case files


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("cantonese.jsonl", {**CASE, "expect": {"total": 3}}, "case-fails: total should be 3, but is 2"),
        ("cantonese.jsonl", {**CASE, "expect": {"patterns": []}}, "case-fails: patterns should be []"),
        ("cantonese.jsonl", {**CASE, "expect": {"patterns": [{}]}}, "patterns are ids"),
        ("cantonese.jsonl", {**CASE, "expect": {"patterns": 5}}, "patterns is a list"),
        ("cantonese.jsonl", {**CASE, "expect": {"totall": 5}}, "'totall'"),
        ("cantonese.jsonl", {**CASE, "expect": 5}, "expect is an object"),
        ("cantonese.jsonl", {**CASE, "hand": "0x"}, "unknown sign 'x'"),
        ("cantonese.jsonl", "{", "not-json"),
        ("other.jsonl", CASE, "unknown-rules: no ruleset is called 'other'"),
        ("cantonese+other.jsonl", CASE, "unknown-rules: no mod or card is called 'other'"),
        ("other.jsonl", {**CASE, "ruleset": "cantones"}, "did you mean 'cantonese'?"),
        ("other.jsonl", {**CASE, "ruleset": 5}, "ruleset is the id of a ruleset"),
    ],
)
def test_what_is_wrong_in_a_case_file(name: str, line: object, said: str, tmp_path: Path) -> None:
    text = line if isinstance(line, str) else json.dumps(line)
    (tmp_path / name).write_text("\n" + text + "\n")
    done = check(name, cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    assert f"{name}:2:" in done.stderr and said in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("cantonese.jsonl", {}),
        ("cantonese.limits.jsonl", {}),
        ("other.jsonl", {"ruleset": "cantonese"}),
        ("good.jsonl", {}),
        ("cantonese.jsonl", {"hand": "0x", "expect": {"error": "wrong-tiles"}}),
    ],
)
def test_which_rules_a_case_file_is_for(name: str, more: dict[str, object], folder: Path) -> None:
    (folder / name).write_text(json.dumps({**CASE, "expect": {"total": 2}, **more}) + "\n")
    done = check(name, cwd=folder)
    assert done.returncode == 0, done.stderr


def test_examples_of_a_mod_are_tried(tmp_path: Path, root: Path) -> None:
    club = shutil.copytree(root / "examples/house-rules", tmp_path / "club")
    mod = club / "dragon_pairs.yaml"
    example = "      examples: [{hand: 1188m 2277p 33s EE 5s, win: 5s, yes: true}]\nchange:"
    mod.write_text(mod.read_text(encoding="utf-8").replace("change:", example), encoding="utf-8")
    done = check("dragon_pairs.yaml", cwd=club)
    assert done.returncode == 1 and "dragon_pairs.yaml:13:" in done.stderr and "example-fails" in done.stderr


def test_cases_of_another_ruleset_are_not_those_of_one_that_extends_it(tmp_path: Path) -> None:
    stricter = HEAD.format(id="strict", extends="cantonese") + "options: {least_faan: {number: 3}}\n"
    (tmp_path / "strict.yaml").write_text(stricter)
    done = check("strict.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


OWN = HEAD.format(id="own", extends="cantonese")
OWN_LINES: list[tuple[dict[str, object], int]] = [  # with their totals
    ({"ruleset": "own"}, 2),
    ({"ruleset": "own.yaml"}, 2),
    ({"ruleset": "./own.yaml", "options": {"flowers": False}}, 1),
    ({"ruleset": "hong_kong"}, 8),
    ({"options": {"flowers": False}}, 1),
    ({}, 2),
]


@pytest.mark.parametrize("format", ["json", "text", "explain", "jobs"])
def test_a_line_is_scored_by_its_own_rules(tmp_path: Path, format: str) -> None:
    """Named by an id or by a path from its file, wherever the command runs; with options of its own."""
    (tmp_path / "own.yaml").write_text(OWN)
    file = tmp_path / "own.lines.jsonl"
    file.write_text("".join(f"{json.dumps({**CASE, **own})}\n" for own, _ in OWN_LINES))
    more = {"text": ["--text"], "explain": ["--explain"], "jobs": ["--jobs", "2"]}.get(format, [])
    done = run("score", str(tmp_path / "own.yaml"), "--cases", str(file), *more, cwd=tmp_path.parent)
    assert done.returncode == 0, done.stderr
    if format in ("json", "jobs"):
        found = [json.loads(line)["total"] for line in done.stdout.splitlines()]
        assert found == [total for _, total in OWN_LINES]
    if format == "text":
        assert "\nline 4  Hong Kong old style\n" in done.stdout


def test_a_case_file_names_paths_cards_and_options(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(OWN)
    (tmp_path / "mine.txt").write_text('Mine\n"Evens"\nFF 2222 4444 6666 X 25\n')
    american = {"ruleset": "american+mine.txt", "hand": "1f 1g 2222p 4444p 666p", "win_tile": "6p"}
    lines = [{**CASE, **own, "expect": {"win": True}} for own, _ in OWN_LINES]
    wrong = [{"ruleset": "none.yaml"}, {"options": {"flower": True}}, {"options": 7}]
    for name, found in (("own.jsonl", [*lines, american]), ("own.wrong.jsonl", [{**CASE, **one} for one in wrong])):
        (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in found))
    done = run("check", str(tmp_path / "own.jsonl"), cwd=tmp_path.parent)
    assert "1 file checked, 7 cases tried: no problems" in done.stdout, done.stderr
    done = run("check", str(tmp_path / "own.wrong.jsonl"), cwd=tmp_path.parent)
    for number, code in enumerate(("unknown-rules", "wrong-case", "wrong-value"), start=1):
        assert f"own.wrong.jsonl:{number}:1: {code}: " in done.stderr
    assert "did you mean 'flowers'?" in done.stderr


# --- logs and results


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ruleset, a game of it, a log and the results of simulated ones, and cases."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "own.yaml").write_text(OWN)
    (folder / "own.jsonl").write_text(json.dumps({**CASE, "expect": {"total": 2}}) + "\n")
    simulate = "simulate", "own.yaml", "--games", "1", "--jobs", "1", "--logs", "logs", "--out", "results.jsonl"
    assert run(*simulate, cwd=folder).returncode == 0
    watch = "play", "own.yaml", "--watch", "--plain", "--hands", "1", "--seed", "1", "--log", "game.jsonl"
    assert run(*watch, cwd=folder).returncode == 0
    return folder


def test_logs_are_replayed_and_results_passed_by(played: Path) -> None:
    done = check(".", cwd=played)
    assert done.returncode == 0, done.stderr
    rows = {line.split()[1]: " ".join(line.split()[2:]) for line in done.stdout.splitlines()[:-1]}
    assert rows["game.jsonl"] == "log 1 hand, as played"
    assert rows["results.jsonl"] == "results of simulated games: nothing to try"
    assert sum(row.startswith("log ") for row in rows.values()) == 2
    assert done.stdout.endswith("5 files checked, 50 examples and 34 cases tried: no problems\n")


def test_a_log_that_is_not_what_was_played_is_an_error(played: Path, tmp_path: Path) -> None:
    log = (played / "game.jsonl").read_text()
    (tmp_path / "own.yaml").write_text(OWN)
    (tmp_path / "game.jsonl").write_text(log.replace('"discard"', '"discord"', 1))
    done = check("game.jsonl", cwd=tmp_path)
    assert done.returncode == 1 and "game.jsonl:" in done.stderr
    (tmp_path / "game.jsonl").write_text(log)
    assert check("game.jsonl", cwd=tmp_path).returncode == 0
    (tmp_path / "own.yaml").write_text(OWN.replace("cantonese", "hong_kong"))
    done = check("game.jsonl", cwd=tmp_path)
    assert done.returncode == 0 and "not replayed: the log was played by another version of own" in done.stdout
    (note,) = json.loads(check("game.jsonl", "--json", cwd=tmp_path).stdout)
    assert (note["code"], note["severity"]) == ("not-tried", "note")
