"""The command line: the output and the exit codes of commands; each runs as a process of its own at least once."""

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import COMMAND, fails, on_terminal, run, run_process
from processes import HANGS, process

from tilewright.language.check import problems_of

HAND = ["--hand", "222p 333s 88m EE", "--meld", "444p", "--win", "E"]
CASE = {"id": 1, "hand": "222p 333s 88m EE", "melds": ["444p"], "win_tile": "E"}
RULES = "zung_jung_plus"

# --- usage


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), ""),
        (("nothing",), "No such command"),
        (("score",), "Missing argument"),
        (("score", RULES), "give either --hand or --cases"),
        (("score", RULES, "--hand", "1m", "--cases", "-"), "give either --hand or --cases"),
        (("score", RULES, "--cases", "-", "--json", "--text"), "exclude each other"),
        (("score", "zung_jung_pluss", "--hand", "1m"), "did you mean 'zung_jung_plus'?"),
        (("score", "missing.yaml", "--hand", "1m"), "missing.yaml"),
        (("score", RULES, "--cases", "missing.jsonl"), "missing.jsonl"),
        (("score", RULES, *HAND, "--set", "nonsense"), "option=value"),
        (("score", RULES, *HAND, "--mod", "missing.yaml"), "missing.yaml"),
        (("check", "missing.yaml"), "missing.yaml"),
        (("check", "--format", "xml", RULES), "xml"),
        (("words", "wats"), "did you mean 'waits'?"),
        (("new", "ruleset", "My Rules"), "for instance my_rules"),
        (("new", "ruleset", "my_rules", "--to", "nowhere"), "nowhere"),
        (("new", "ruleset", RULES), "my_zung_jung_plus"),
        (("new", "mod", "my_rule", "--for", "nothing"), "nothing"),
    ],
)
def test_wrong_usage_ends_with_2(arguments: Sequence[str], said: str, tmp_path: Path) -> None:
    fails(run(*arguments, cwd=tmp_path), 2, said)
    assert not list(tmp_path.iterdir())


def test_help_and_version() -> None:
    assert re.fullmatch(r"tilewright \d+\.\d+\.\d+\n", run("--version").stdout)
    for command in ("check", "score", "waits", "words", "schema", "new"):
        assert command in run("--help").stdout
        assert run(command, "--help").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "zung_jung_plus", "missing.yaml"),
        ("score", RULES, *HAND, "--explain"),
        ("play", "cantonese", "--plain", "--watch", "--bots", "fast", "--seed", "3", "--hands", "1", "--log", "g"),
        ("simulate", "cantonese", "--games", "2", "--players", "fast", "--json", "--jobs", "1"),
        ("replay", "missing.jsonl"),
        ("new", "card", "My Card"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_does_the_same_as_a_process_of_its_own(arguments: Sequence[str], tmp_path: Path) -> None:
    """The other tests of commands run them in this process."""
    for name in ("here", "apart"):
        (tmp_path / name).mkdir()
    here, apart = run(*arguments, cwd=tmp_path / "here"), run_process(*arguments, cwd=tmp_path / "apart")
    assert (here.returncode, here.stdout) == (apart.returncode, apart.stdout)
    assert without_speed(here.stderr) == without_speed(apart.stderr) and (here.stdout or here.stderr)


def without_speed(text: str) -> str:
    """What was said, but for how fast something was."""
    return re.sub(r"in [\d.]+ s, [\d,.]+ a second", "", text)


# --- score


def test_score_itemises_in_plain_text() -> None:
    done = run("score", RULES, *HAND, "--self-draw", "--seat-wind", "E")
    assert done.returncode == 0 and not done.stderr
    assert re.search(r"All Triplets +30\n", done.stdout) and "對對和" not in done.stdout
    assert re.search(r"Total +70  points\n", done.stdout)
    assert "E +210   S -70   W -70   N -70" in done.stdout
    assert "\x1b" not in done.stdout
    assert all(line == line.rstrip() for line in done.stdout.splitlines())


def test_score_as_json() -> None:
    result = json.loads(run("score", RULES, *HAND, "--json").stdout)
    assert result["win"] is True and result["total"] == 40 and "payments" not in result


def test_score_explains_every_pattern() -> None:
    text = run("score", RULES, *HAND, "--explain").stdout
    assert re.search(r"✓ +All Triplets +30 points", text)
    assert re.search(r"✗ +All Bonus Tiles +not bonus_tiles in bonus", text)
    told = json.loads(run("score", RULES, *HAND, "--explain", "--json").stdout)
    assert told["readings"][0]["best"] is True


def test_a_hand_that_does_not_win_is_no_mistake() -> None:
    done = run("score", RULES, "--hand", "147m 258p 369s ESWN", "--win", "C")
    assert done.returncode == 0 and "not a winning hand" in done.stdout


@pytest.mark.long
def test_an_explanation_says_each_reading_once_and_which_goes_first() -> None:
    text = run("score", "uzje", "--hand", "014s 39es 58as 678s xs", "--win", "xs", "--explain").stdout
    readings = re.findall(r"^Reading \d+  .*\n  (.*?)  ", text, re.MULTILINE)
    assert len(readings) > 1 and len(set(readings)) == len(readings)
    assert text.count("as much, and reading 1 goes first") == len(readings) - 1


def test_an_explanation_where_there_is_nothing_to_explain() -> None:
    short = run("score", "cantonese", "--hand", "345p 678s 11m 567p 2s", "--win", "2s", "--explain").stdout
    assert "13 tiles, not 14" in short and "none of the forms: Four sets and a pair," in short
    lost = run("score", "cantonese", "--hand", "222m 777p EEE 55s CC", "--not-won", "--explain").stdout
    assert "nothing is counted in a hand that did not win" in lost


def test_a_way_out_is_one_of_the_command_line() -> None:
    fails(run("score", RULES, "--hand", "222p 333s"), 1, "give --win TILE, or --not-won")


def test_a_wrong_hand_shows_the_character() -> None:
    done = run("score", RULES, "--hand", "222p 33x", "--win", "E")
    fails(done, 1, "222p 33x\n", "       ^")


def test_options_change_the_rules(tmp_path: Path, root: Path) -> None:
    folder = shutil.copytree(root / "examples/house-rules", tmp_path / "club")
    hand = ["--hand", "CC FF PP 77p 33s EE 5s", "--win", "5s", "--json"]
    plain = json.loads(run("score", "harbour_club.yaml", *hand, cwd=folder).stdout)
    modded = json.loads(run("score", "harbour_club.yaml", *hand, "--mod", "dragon_pairs.yaml", cwd=folder).stdout)
    assert [pattern["id"] for pattern in plain["patterns"]] != [pattern["id"] for pattern in modded["patterns"]]
    strict = run("score", "harbour_club.yaml", *hand, "--set", "least_faan=6", cwd=folder)
    assert json.loads(strict.stdout)["reason"].startswith("below the minimum")
    fails(run("score", "harbour_club.yaml", *hand, "--set", "least_faan=99", cwd=folder), 1, "least_faan")
    fails(run("score", "harbour_club.yaml", *hand, "--set", "least_fan=1", cwd=folder), 1, "least_faan")


# --- cases


def lines(*cases: object) -> str:
    return "".join(case + "\n" if isinstance(case, str) else json.dumps(case) + "\n" for case in cases)


def test_cases_give_a_result_a_line() -> None:
    wrong = [
        "{",
        "[1]",
        "",
        "[" * 100_000,
        '{"id": 1e999}',
        f'{{"id": {"9" * 5_000}}}',
        {**CASE, "hand": "0x"},
        {"id": "a"},
    ]
    done = run("score", RULES, "--cases", "-", stdin=lines(CASE, *wrong, {**CASE, "id": "last"}))
    assert done.returncode == 1 and not done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["id"] for result in results[:2]] == [1, None]
    assert results[-1]["id"] == "last" and results[-1]["total"] == 40
    assert all({"code", "message", "hint"} == result["error"].keys() for result in results[1:-1])
    assert len(results) == len(wrong) + 2


def test_cases_that_are_right_end_with_0(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(lines(CASE, CASE), encoding="utf-8-sig")
    done = run("score", RULES, "--cases", str(file))
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2


@pytest.mark.slow
def test_cases_that_are_no_text() -> None:
    done = subprocess.run(
        [*COMMAND, "score", RULES, "--cases", "-"], input=b"\xff\xfe\n" + b"x" * (2 << 20), capture_output=True
    )
    codes = [json.loads(line)["error"]["code"] for line in done.stdout.splitlines()]
    assert done.returncode == 1 and codes == ["not-utf-8", "line-too-long"]


def test_cases_as_text() -> None:
    done = run("score", RULES, "--cases", "-", "--text", stdin=lines(CASE, "{"))
    assert done.returncode == 1 and "All Triplets" in done.stdout and "not-json" in done.stderr


@pytest.mark.slow
def test_cases_are_answered_one_by_one_and_ctrl_c_is_quiet() -> None:
    pipe = subprocess.PIPE
    with process([*COMMAND, "score", RULES, "--cases", "-"], stdin=pipe, stdout=pipe, stderr=pipe) as scoring:
        assert scoring.stdin is not None and scoring.stdout is not None and scoring.stderr is not None
        scoring.stdin.write(lines(CASE))
        scoring.stdin.flush()
        assert json.loads(scoring.stdout.readline())["total"] == 40
        scoring.send_signal(signal.SIGINT)
        assert scoring.wait(HANGS) == 130
        assert scoring.stderr.read() == ""


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(lines(*[CASE] * 2_000), encoding="utf-8")
    command = f"'{sys.executable}' -m tilewright score {RULES} --cases '{file}' | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout.count("\n") == 1 and done.stderr == ""


# --- the screen


@pytest.mark.slow
def test_colours_only_on_a_terminal_and_not_against_no_color() -> None:
    assert re.search(r"\x1b\[[0-9;]*3\dm", on_terminal("score", RULES, *HAND))
    assert not re.search(r"\x1b\[[0-9;]*3\dm", on_terminal("score", RULES, *HAND, NO_COLOR="1"))


def test_the_width_is_respected() -> None:
    from rich.cells import cell_len

    text = run("score", RULES, *HAND, "--explain", env={"COLUMNS": "50"}).stdout
    assert max(cell_len(line) for line in text.splitlines()) <= 50
    assert re.search(r"All Triplets +30 points\n {5}444p 222p", text)  # what has no room goes below its row


# --- waits, words, schema


def waits(*arguments: str) -> str:
    return run("waits", *arguments).stdout


def test_waits_of_a_hand_that_is_ready() -> None:
    hand = [RULES, "--hand", "222p 333s 88m EE", "--meld", "444p", "--seen", "8m"]
    assert re.search(r"Ready: 2 tiles win, 3 left\n +8m +1 left +35 points\n +E +2 left +40 points", waits(*hand))
    drawn = waits(*hand, "--self-draw", "--seat-wind", "E")
    assert re.search(r"E +2 left +70 points", drawn)
    found = json.loads(waits(*hand, "--json"))
    assert found["tiles"][0] == {"tile": "8m", "left": 1, "value": 35, "reason": None}
    assert (found["distance"], found["unit"], found["useful"], found["discards"]) == (1, "points", [], [])


def test_waits_that_do_not_reach_the_minimum() -> None:
    text = waits("cantonese", "--hand", "234m 567p 88s 345p 67s", "--set", "least_faan=3", "--bonus", "1f")
    assert "Ready, but not to win: 2 tiles complete the hand" in text
    assert re.search(r"5s +4 left +below the minimum: 1 of 3 faan", text)


def test_waits_of_a_hand_that_is_further_away() -> None:
    hand = [RULES, "--hand", "222p 333s 88m EE 55s C"]
    text = waits(*hand)
    assert "2 tiles away from a winning form; 11 tiles left bring it nearer\n" in text
    assert "8m×2  2p×1  3s×1  5s×2  E×2  C×3\n" in text
    found = json.loads(waits(*hand, "--json"))
    assert found["distance"] == 2 and found["useful"][0] == {"tile": "8m", "left": 2} and not found["tiles"]


def test_waits_of_a_hand_with_a_tile_too_many() -> None:
    hand = [RULES, "--hand", "222p 333s 88m EEE 55s C"]
    text = waits(*hand)
    assert "After the best discard: ready\n" in text
    assert re.search(r"discard C +ready +4 left  8m×2  5s×2\n +discard 5s +2 away +20 left", text)
    best = json.loads(waits(*hand, "--json"))["discards"][0]
    useful = [{"tile": "8m", "left": 2}, {"tile": "5s", "left": 2}]
    assert best == {"tile": "C", "distance": 1, "left": 4, "useful": useful}


def test_waits_of_no_hand() -> None:
    fails(run("waits", RULES, "--hand", "22x"), 1, "22x")


def test_words() -> None:
    everything = run("words")
    assert everything.returncode == 0 and "Verbs of a step" in everything.stdout
    assert "waits == 13" in run("words", "waits").stdout
    found = json.loads(run("words", "waits", "--json").stdout)
    assert [entry["kind"] for entry in found] == ["word", "test", "key"]


def test_words_finds_keys_and_where_they_stand() -> None:
    assert re.search(r"worth .* key\n  What it is worth.*\n  at +patterns\.ID\.worth\n", run("words", "worth").stdout)
    fails(run("words", "excldes"), 2, "did you mean 'excludes'?")
    fails(run("words", "flowers"), 2, "these speak of it: ")


def test_schema_offers_the_names_of_a_ruleset() -> None:
    assert "all_triplets" not in run("schema").stdout
    schema = json.loads(run("schema", RULES).stdout)
    assert schema["$schema"].endswith("2020-12/schema") and "all_triplets" in json.dumps(schema)


# --- new


def test_what_is_new_is_right_and_never_overwrites(tmp_path: Path) -> None:
    assert run("new", "ruleset", "my_rules", cwd=tmp_path).stdout == "my_rules.yaml\n"
    assert run("new", "mod", "my_rule", "--for", "my_rules.yaml", cwd=tmp_path).returncode == 0
    assert run("new", "card", "my_card", cwd=tmp_path).stdout == "my_card.yaml\n"
    checked = run("check", ".", "--fail-on", "warning", cwd=tmp_path)
    assert checked.returncode == 0, checked.stderr
    before = (tmp_path / "my_rules.yaml").read_bytes()
    fails(run("new", "ruleset", "my_rules", cwd=tmp_path), 2, "exists already")
    assert (tmp_path / "my_rules.yaml").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "my_card.yaml",
        "my_rule.yaml",
        "my_rules.yaml",
    ]


@pytest.mark.parametrize("ruleset", ["cantonese", "chinese_classical", "uzje", "zung_jung_plus"])
def test_a_new_mod_fits_each_bundled_ruleset(ruleset: str, tmp_path: Path) -> None:
    assert run("new", "mod", "my_rule", "--for", ruleset, cwd=tmp_path).returncode == 0
    assert problems_of(tmp_path / "my_rule.yaml") == ()


def test_a_new_mod_passes_the_check(tmp_path: Path) -> None:
    """With all examples of the ruleset."""
    assert run("new", "mod", "my_rule", "--for", "cantonese", cwd=tmp_path).returncode == 0
    checked = run("check", "my_rule.yaml", "--fail-on", "warning", cwd=tmp_path)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.slow
@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&-", ">/dev/full"])
def test_a_closed_or_full_stream_is_no_traceback(streams: str, root: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m tilewright check rulesets/bases/standard.yaml {streams}"
    done = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr and done.returncode in (0, 2)
