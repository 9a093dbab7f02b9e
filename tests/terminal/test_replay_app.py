"""`replay`: every log of a game proves itself; any byte that is changed, any line that is missing or too much is found
where it stands; the text tells everything that happened."""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from budget import budget, every
from commands import fails, run
from games import mostly_soaked
from golden_games import MOVE, begun, carry_out, files, head_of, parts
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.base.problem import Problem
from tilewright.cli.replaying import WrongLine, played_again
from tilewright.play.log import LogError, lines, read_log
from tilewright.play.match import Match
from tilewright.play.rules import Rules, load
from tilewright.players.bots.random_bot import SeededChoices
from tilewright.players.simulation.rows import OfferCounts

pytestmark = pytest.mark.long

NAMES = ("fast", "careful", "fast", "random")
EVERYTHING = st.integers(0, 2**32)


def log_of(game: Match) -> str:
    return "".join(f"{line}\n" for line in lines(game, NAMES))


@lru_cache
def random_log(ruleset: str) -> str:
    """The log of a hand, in which everybody does anything."""
    game, number = load(ruleset).game(3, hands=1), 0
    while not game.over:
        question = game.question(game.asked[0])
        assert question is not None
        number += 1
        game.answer(SeededChoices(3, 0, number).move(question))
    return log_of(game)


@lru_cache
def rules_called(ruleset: str) -> Rules:
    return load(ruleset)


def what_is_wrong(text: str, ruleset: str = "cantonese") -> Problem | None:
    """What replaying finds."""
    rules = rules_called(ruleset)
    try:
        for _ in played_again(read_log("log", text), text, rules, OfferCounts()):
            pass
    except (LogError, WrongLine) as error:
        return error.problem
    return None


# --- proving


@pytest.mark.slow
@pytest.mark.parametrize("path", mostly_soaked(files(), files()[::4]), ids=lambda path: path.stem)
def test_golden_games_are_proved_and_told(path: Path, tmp_path: Path) -> None:
    head_text, told = parts(path)
    game = begun(head_of(head_text))
    for move in told.splitlines():
        if move.startswith(MOVE):
            carry_out(game, move)
    text = log_of(game)
    log = tmp_path / "game.jsonl"
    log.write_text(text, encoding="utf-8")
    if path == files()[0]:  # telling proves as well
        verified = run("replay", str(log), "--verify")
        assert verified.returncode == 0, verified.stderr
        assert f"{text.count(chr(10)):,} lines are what was played" in verified.stdout
    retold = run("replay", str(log))
    assert retold.returncode == 0, retold.stderr
    numbers = [int(number) for number in re.findall(r"^ *(\d+)  \S", retold.stdout, re.MULTILINE)]
    assert numbers == list(range(1, len(game.events) + 1)), "every event has a line"
    assert len(re.findall(r"^ *\d+  \S+ wins ", retold.stdout, re.MULTILINE)) == text.count('"event":"declare"')
    assert len(re.findall(r"^ *\d+  \S+ pays ", retold.stdout, re.MULTILINE)) == text.count('"event":"pay"')


@pytest.mark.parametrize("ruleset", ["cantonese", "american", "uzje"])
def test_a_log_that_is_right(ruleset: str) -> None:
    assert what_is_wrong(random_log(ruleset), ruleset) is None


@given(EVERYTHING)
@settings(max_examples=budget(20))
def test_any_changed_byte_is_found(seed: int) -> None:
    text, random = random_log("cantonese"), Random(seed)
    at = random.randrange(len(text))
    sign = chr(random.randrange(32, 127))
    change = random.choice(["change", "remove", "insert"])
    if change == "change" and text[at] == sign:
        return
    new = {"change": text[:at] + sign + text[at + 1 :], "remove": text[:at] + text[at + 1 :]}
    changed = new.get(change, text[:at] + sign + text[at:])
    problem = what_is_wrong(changed)
    if changed != text:
        assert problem is not None, f"{change} at {at}"
        assert problem.place is not None and problem.place.line == text.count("\n", 0, at) + 1


@given(EVERYTHING)
@settings(max_examples=budget(6))
def test_any_missing_or_extra_line_is_found(seed: int) -> None:
    text, random = random_log("cantonese"), Random(seed)
    rows = text.splitlines(keepends=True)
    at = random.randrange(1, len(rows))
    missing = what_is_wrong("".join((*rows[:at], *rows[at + 1 :])))
    assert missing is not None and missing.place is not None and missing.place.line in (at, at + 1)
    twice = what_is_wrong("".join((*rows[:at], rows[at], *rows[at:])))
    assert twice is not None and twice.place is not None and twice.place.line == at + 2
    other = what_is_wrong("".join((*rows[:at], *random.choice([rows[:1], ["{}\n"], ["\n"]]), *rows[at:])))
    assert other is not None and other.place is not None and other.place.line == at + 1


def test_lines_that_change_places_are_found() -> None:
    rows = random_log("cantonese").splitlines(keepends=True)
    for number, (one, other) in enumerate(pairwise(rows[1:25]), 2):
        problem = what_is_wrong("".join((*rows[: number - 1], other, one, *rows[number + 1 :])))
        assert problem is not None and problem.place is not None and problem.place.line == number


def test_a_log_that_ends_at_a_question_is_right_up_to_there() -> None:
    """And nowhere else: what follows from the last answer may not be missing."""
    rows = random_log("cantonese").splitlines(keepends=True)
    for number in range(1, len(rows), every(25)):
        problem = what_is_wrong("".join(rows[:number]))
        at_question = '"event":"answers"' in rows[number]
        assert (problem is None) == at_question
        assert problem is None or (problem.code, problem.place and problem.place.line) == ("missing-line", number)


def test_the_last_line_end_counts() -> None:
    text = random_log("cantonese")
    assert (found := what_is_wrong(text[:-1])) is not None and found.code == "cut-line"
    assert (found := what_is_wrong(text[:-9])) is not None and found.code == "missing-line"
    assert (found := what_is_wrong(text + '{"n":')) is not None and found.code == "cut-line"
    assert (found := what_is_wrong(text + "\n")) is not None


# --- the command


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(random_log("cantonese"), encoding="utf-8")
    return path


def test_a_verdict_as_json(log: Path) -> None:
    told = json.loads(run("replay", str(log), "--verify", "--json").stdout)
    assert (told["verified"], told["over"], told["problem"], told["players"]) == (True, True, None, list(NAMES))
    assert told["events"] + 1 == told["lines"] and [hand["last"] for hand in told["hands"]] == [True]
    rows = random_log("cantonese").splitlines()
    at = next(at for at, row in enumerate(rows) if at > 40 and '"event":"move"' in row)
    changed = rows[at].replace('"count":1', '"count":2')
    log.write_text("".join(f"{row}\n" for row in (*rows[:at], changed, *rows[at + 1 :])))
    done = run("replay", str(log), "--json")
    fails(done, 1, f"{log}:{at + 1}:", f"changed-line: line {at + 1} is not what was played: '1,")
    told = json.loads(done.stdout)
    assert told["verified"] is False and (told["problem"]["line"], told["problem"]["code"]) == (at + 1, "changed-line")
    assert (told["expected"], told["found"]) == (rows[at], changed)


def test_until_shows_the_table(log: Path) -> None:
    done = run("replay", str(log), "--until", "20")
    assert done.returncode == 0
    last = max(int(number) for number in re.findall(r"^ *(\d+)  \S", done.stdout, re.MULTILINE))
    assert 20 <= last < 40 and "is asked" in done.stdout and re.search(r"wall \(\d+\) ", done.stdout)


def test_robbing_is_told_from_other_wins(tmp_path: Path) -> None:
    kinds = {}
    for name in ("cantonese", "cantonese_two_winners", "siamese"):
        head_text, told = parts(next(path for path in files() if path.stem == name))
        game = begun(head_of(head_text))
        for move in told.splitlines():
            if move.startswith(MOVE):
                carry_out(game, move)
        log = tmp_path / f"{name}.jsonl"
        log.write_text(log_of(game), encoding="utf-8")
        hands = json.loads(run("replay", str(log), "--json").stdout)["hands"]
        kinds[name] = [win["kind"] for hand in hands for win in hand["winners"]]
    assert kinds == {
        "cantonese": ["robbed"],
        "cantonese_two_winners": ["discard", "discard"],
        "siamese": ["discard", "self_draw"],  # the tiles lie in finished hands
    }


def test_a_simulated_game_of_a_document_is_replayed_by_its_rules(tmp_path: Path) -> None:
    house = "tilewright: 1\nkind: ruleset\nid: house\nname: House\nextends: cantonese\n"
    (tmp_path / "house.yaml").write_text(house, encoding="utf-8")
    simulated = run("simulate", "house.yaml", "--games", "1", "--logs", "logs", "--set", "flowers=false", cwd=tmp_path)
    assert simulated.returncode == 0, simulated.stderr
    fails(run("replay", "logs/0000000.jsonl", cwd=tmp_path), 1, "unknown-ruleset", "--rules RULESET.yaml")
    told = run("replay", "logs/0000000.jsonl", "--rules", "house.yaml", "--set", "flowers=false", cwd=tmp_path)
    assert told.returncode == 0 and "is over" in told.stdout, told.stderr
    other = run("replay", "logs/0000000.jsonl", "--rules", "house.yaml", cwd=tmp_path)
    fails(other, 1, "other-ruleset", "played by another version of house, or with other options or mods")


def test_a_simulated_game_with_mods_and_options_needs_no_more(tmp_path: Path) -> None:
    choices = ("--mod", "tile_counts", "--set", "joker_count=10", "--mod", "no_charleston")
    simulated = run("simulate", "american", "--games", "1", "--logs", "logs", *choices, cwd=tmp_path)
    assert simulated.returncode == 0, simulated.stderr
    verified = run("replay", "logs/0000000.jsonl", "--verify", cwd=tmp_path)
    assert verified.returncode == 0, verified.stderr


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"", 1, "empty-log"),
        (b"\n", 1, "not-json"),
        (b"hello\n", 1, ":1:1: not-json"),
        (b"[1]\n", 1, "not-json"),
        (b"{}\n", 1, "not-a-log"),
        (b'{"tilewright":1,"log":1}\n', 1, "other-format"),
        (b'{"tilewright":1,"log":2}\n', 1, "bad-header"),
        pytest.param(b'{"a":"' + b"x" * 200_000 + b'"}\n', 1, "long-line", id="long-line"),
        pytest.param(b"[" * 90_000 + b"\n", 1, "not-json", id="deep"),
        (b"\xff\xfe\n", 1, "line 1 is not UTF-8"),
        (b"\xef\xbb\xbf{}\n", 1, "not-json"),
    ],
)
def test_what_is_no_log(content: bytes, code: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "no.jsonl"
    path.write_bytes(content)
    for more in ((), ("--verify",), ("--verify", "--json")):
        fails(run("replay", str(path), *more), code, said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"ruleset":"cantonese"', '"ruleset":"cantonesee"'), "cantonesee cannot be opened: no ruleset"),
        (('"ruleset":"cantonese"', '"ruleset":"standard"'), "cannot be opened"),
        (('"digest":"', '"digest":"0'), "other-ruleset"),
        (('"seed":3', '"seed":true'), "bad-header"),
        (('"seed":3', f'"seed":{"9" * 400}'), "changed-line"),
        (('"hands":1', '"hands":0'), "1 to 100,000 hands"),
        (('"mods":[]', '"mods":["nothing"]'), "cannot be opened"),
        (('"layout":null', '"layout":{"walls":["xx"]}'), "the layout of the log"),
        (('"options":{', '"options":{"nonsense":1,'), "cannot be opened"),
    ],
)
def test_a_first_line_that_is_wrong(change: tuple[str, str], said: str, log: Path) -> None:
    text = random_log("cantonese")
    assert change[0] in text
    log.write_text(text.replace(*change, 1), encoding="utf-8")
    fails(run("replay", str(log), "--verify"), 1, said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("missing.jsonl",), "there is no log missing.jsonl"),
        ((".",), "there is no log ."),
        (("game.jsonl", "--until", "0"), "--until"),
        (("game.jsonl", "--until", "3", "--verify"), "exclude each other"),
        (("game.jsonl", "--set", "flowers=false"), "go with --rules"),
        (("game.jsonl", "--rules", "nothing"), "no ruleset is called 'nothing'"),
    ],
)
def test_wrong_usage(arguments: Sequence[str], said: str, log: Path) -> None:
    fails(run("replay", *arguments, cwd=log.parent), 2, said)


def test_a_log_on_stdin() -> None:
    done = run("replay", "-", "--verify", stdin=random_log("cantonese"))
    assert done.returncode == 0 and done.stdout.startswith("-: ")
