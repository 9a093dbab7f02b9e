"""The commands for cards, run as people and scripts run them, and the page about cards, whose boxes run as well."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import COMMAND, fails, on_terminal, run, run_line
from processes import HANGS, process

from tilewright.authoring.card_reference import MISTAKES, PARTS, mistaken
from tilewright.authoring.reference import with_parts
from tilewright.cards.codes import CODES
from tilewright.cards.expand import faults_of, hands_of
from tilewright.cards.line import parse_line
from tilewright.cards.sayings import READINGS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/cards.md").read_text(encoding="utf-8")
CARD = """\
Kitchen Table
“Evens”
22 444 666 8888 DD X25
FF 2222 r4444 6666 X30
“Runs”
11 222 3333 444 55 Va X25 (five in a row)
"""
WRONG = CARD.replace("6666 X30", "66 X30")
HAND = ["--hand", "22p 444p 66p 8p 1m 5m E N J"]
COUNTS = ("hands", "tile_sets")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a card, and with one that has a mistake."""
    (tmp_path / "mine.txt").write_text(CARD, encoding="utf-8")
    (tmp_path / "wrong.txt").write_text(WRONG, encoding="utf-8")
    return tmp_path


# --- usage


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("card",), ""),
        (("card", "process"), "Missing argument"),
        (("card", "check", "basci1"), "no card is called 'basci1'"),
        (("card", "process", "basci1"), "did you mean 'basic1'?"),
        (("card", "show", "missing.txt"), "there is no file missing.txt"),
        (("card", "show", "missing.yaml"), "there is no file missing.yaml"),
        (("card", "show", "basic1", "--format", "pdf"), "pdf"),
        (("card", "show", "basic1", "--paper", "a5"), "a5"),
        (("card", "show", "basic1", "-o", "nowhere/card.svg"), "there is no folder nowhere"),
        (("card", "show", "basic1", "-o", "."), "for instance basic1.txt"),
        (("card", "show", "basic1", "-o", ".", "--format", "html"), "for instance basic1.html"),
        (("card", "show", "basic1", "-o", "card.PDF"), "write card.html, open it in a browser and print it"),
        (("card", "show", "basic1", "-o", "card.doc"), ".doc is not a format of cards"),
        (("card", "process", "."), "'tilewright card check .' checks the cards in it"),
        (("card", "check", "."), "no cards are in ."),
        (("card", "check", os.devnull), "is a pipe or a device, not a file"),
        (("card", "process", "-", "--difficulty"), "not bare lines"),
        (("card", "nearest", "basic1"), "Missing option"),
        (("card", "nearest", "basic1", *HAND, "--rules", "amercan"), "did you mean 'american'?"),
        (("card", "nearest", "basic1", *HAND, "--limit", "0"), "limit"),
    ],
)
def test_wrong_usage_ends_with_2(arguments: Sequence[str], said: str, tmp_path: Path) -> None:
    fails(run(*arguments, cwd=tmp_path), 2, said)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["check", "process", "show", "nearest"])
def test_help_is_short_and_has_an_example(command: str) -> None:
    text = run("card", command, "--help").stdout
    assert f"Example: tilewright card {command} " in text and text.count("\n") < 40
    assert f"  {command} " in run("card", "--help").stdout


@pytest.mark.parametrize("command", [("check",), ("process",), ("show",), ("nearest", *HAND)])
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty-card"),
        (b"\n\n", "empty-card"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff", "not-plain-text"),
        (b"Name\n\xff\xfe\n", "not-utf8"),
        (b"Name\n\x00\n", "bad-character"),
        pytest.param(b"x" * 300_000, "too-large", id="too-large"),
    ],
)
def test_what_is_no_card_is_a_problem(command: Sequence[str], content: bytes, code: str, tmp_path: Path) -> None:
    (tmp_path / "card.txt").write_bytes(content)
    fails(run("card", command[0], "card.txt", *command[1:], cwd=tmp_path), 1, code)


@pytest.mark.parametrize("command", [("check",), ("process",), ("show",), ("nearest", *HAND)])
def test_a_ruleset_is_no_card(command: Sequence[str]) -> None:
    fails(run("card", *command, "cantonese"), 1, "not-a-card", "a ruleset is not a card of hands")


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "mine.txt", "--hand", "1p"),
        ("waits", "mine.txt", "--hand", "1p"),
        ("waits", "mine.yaml", "--hand", "1p"),
        ("card", "nearest", "basic1", *HAND, "--rules", "mine.txt"),
    ],
)
def test_a_card_is_no_ruleset(arguments: Sequence[str], folder: Path) -> None:
    run("card", "show", "mine.txt", "-o", "mine.yaml", cwd=folder)
    done = run(*arguments, cwd=folder)
    fails(done, 1, "not-a-ruleset: mine.", "is a card of hands", "play it: tilewright score american --mod mine.")
    assert done.stderr.count("\n") == 2


# --- check


def test_check_shows_the_character(folder: Path) -> None:
    done = run("card", "check", "mine.txt", "wrong.txt", cwd=folder)
    fails(done, 1, "wrong.txt:4:1: wrong-number-of-tiles", "  4 | FF 2222 r4444 66 X30\n    | ^^^^")
    assert re.search(r"✓ +mine.txt +card +3 lines, 24 hands\n", done.stdout)
    assert "2 files checked: 1 error" in done.stdout


def test_check_writes_problems_in_every_format(folder: Path) -> None:
    def checked(format: str) -> str:
        done = run("card", "check", "mine.txt", "wrong.txt", "--format", format, cwd=folder)
        assert done.returncode == 1 and not done.stderr
        return done.stdout

    (problem,) = json.loads(checked("json"))
    assert (problem["code"], problem["file"], problem["line"]) == ("wrong-number-of-tiles", "wrong.txt", 4)
    assert checked("github").startswith("::error file=wrong.txt,line=4,col=1,")
    assert json.loads(checked("sarif"))["runs"][0]["results"][0]["ruleId"] == "wrong-number-of-tiles"
    assert ElementTree.fromstring(checked("junit").split("\n", 1)[1]).attrib["failures"] == "1"
    assert run("card", "check", "wrong.txt", "--json", cwd=folder).stdout.startswith("[")


def test_a_warning_fails_only_where_it_is_to(folder: Path) -> None:
    (folder / "odd.txt").write_text(CARD.replace("Va X25", "VaX25").replace("DD X25", "DD L X25"), encoding="utf-8")
    mild = run("card", "check", "odd.txt", cwd=folder)
    assert mild.returncode == 0 and "warning: changes-nothing" in mild.stderr
    assert run("card", "check", "odd.txt", "--fail-on", "warning", cwd=folder).returncode == 1


def test_check_of_all_documents_checks_cards_too(folder: Path) -> None:
    assert "wrong-number-of-tiles" in run("check", "wrong.txt", cwd=folder).stderr
    document = run("card", "show", "wrong.txt", "--format", "yaml", cwd=folder).stdout
    (folder / "kitchen_table.yaml").write_text(document, encoding="utf-8")
    done = run("check", ".", cwd=folder)
    fails(done, 1, "kitchen_table.yaml:", "wrong-number-of-tiles", "FF 2222 r4444 66 X30")
    assert "wrong-number-of-tiles" in run("check", "-", stdin=document).stderr


def test_cards_of_a_folder_are_told_by_what_is_in_them(folder: Path) -> None:
    texts = {
        "notes.txt": "Bring 14 tiles, X25\n“Be there at 8”\nsaid everyone\n",
        "untitled.TXT": "Untitled\nFF 222 444 666 888 X25\n",
        "unfinished.txt": 'Unfinished\n"Evens" (all)\n\nFF 222 444 666 888\n',
        "house.yaml": "tilewright: 1\nkind: ruleset\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for command, found in (("check",), ["house.yaml"]), (("card", "check"), []):
        done = run(*command, ".", cwd=folder)
        fails(done, 1, "wrong.txt:4:1: wrong-number-of-tiles")
        files = sorted(line.split()[1] for line in done.stdout.splitlines()[:-2])
        assert files == [*found, "mine.txt", "unfinished.txt", "untitled.TXT", "wrong.txt"]
    fails(run("check", "-", stdin=WRONG), 1, "stdin:4:1: wrong-number-of-tiles")


@pytest.mark.parametrize("card", ["basic1", "moon_gate", "paper_kite"])
def test_bundled_cards_have_no_problem(card: str) -> None:
    done = run("card", "check", card, "--fail-on", "warning")
    assert done.returncode == 0, done.stderr


# --- process


def test_process_counts_lines_groups_and_the_card(folder: Path) -> None:
    done = run("card", "process", "mine.txt", cwd=folder)
    assert done.returncode == 0 and not done.stderr
    assert re.search(r"“Evens” +9 +9\n +22 444 666 8888 DD X25 +3 +3\n", done.stdout)
    assert re.search(r"Together +24 +24\n$", done.stdout)
    assert all(line == line.rstrip() for line in done.stdout.splitlines())


def test_process_as_json_keeps_the_contract(folder: Path) -> None:
    found = json.loads(run("card", "process", "basic1", "--json").stdout)
    assert found["card"] == "Basic1" and list(found) == ["card", "hands", "tile_sets", "groups"]
    assert found["groups"][0]["lines"][0] == {
        "line": "FF 222 444 666 888 X25",
        "hands": 3,
        "tile_sets": 3,
        "value": 25,
        "exposed": True,
    }
    done = run("card", "process", "wrong.txt", "--json", cwd=folder)
    (evens, runs) = json.loads(done.stdout)["groups"]
    assert done.returncode == 1 and not done.stderr
    assert evens["hands"] == 3 and runs["hands"] == 15
    assert evens["lines"][1]["line"] == "FF 2222 r4444 66 X30"
    assert evens["lines"][1]["error"].keys() == {"code", "message", "column"}


def test_bare_lines_have_a_result_each(tmp_path: Path) -> None:
    lines = [
        "22 444 r44 666 8888 X25",
        "",
        "FF 1111 NEWS DDDD L X25\r",
        "  FF 222 444 666 88",
        "\u2028",
        "\x85\x0b",
        "(x",
    ]
    stdin = "\n".join([*lines, "\ufffd", "x" * 100_000, "FF222444666888X25"]) + "\n"
    done = run("card", "process", "-", "--json", stdin=stdin)
    (group,) = json.loads(done.stdout)["groups"]
    assert done.returncode == 1 and not done.stderr
    assert [line.get("hands") for line in group["lines"]] == [6, None, 27, *[None] * 6, 3]
    assert group["lines"][3]["error"]["column"] == 3
    text = run("card", "process", "-", stdin=stdin)
    assert text.returncode == 1 and text.stdout.count("\n") == len(group["lines"])
    assert re.match(r"22 444 r44 666 8888 X25 +6 hands +6 tile sets\n +✗ empty-line", text.stdout)
    assert "stdin:4:3: wrong-number-of-tiles" in text.stderr


@pytest.mark.parametrize(("stdin", "lines"), [("", 0), ("\n", 1), ("\n\n", 2), ("FF", 1), ("FF\nFF", 2), ("FF\n", 1)])
def test_every_line_end_ends_a_line(stdin: str, lines: int) -> None:
    done = run("card", "process", "-", "--json", stdin=stdin)
    assert len(json.loads(done.stdout)["groups"][0]["lines"]) == lines
    assert done.returncode == (1 if lines else 0)


@pytest.mark.slow
def test_a_line_that_is_no_text_is_refused() -> None:
    stdin = b"FF 222 444 666 888\n\xff\xfe\nFF 222 444 666 888\n"
    done = subprocess.run([*COMMAND, "card", "process", "-", "--json"], input=stdin, capture_output=True)
    lines = json.loads(done.stdout)["groups"][0]["lines"]
    assert done.returncode == 1 and ["error" in line for line in lines] == [False, True, False]


@pytest.mark.parametrize(
    ("line", "hand"),
    [
        ("FF 2026 2222 r6666 X30", "FF m2026 2222 c6666"),
        ("NN 11 r22 bDD EEE WWW Va C50", "NN c33 m44 00 EEE WWW"),
        ("FF 1111 8888 NEWS !159 UK18 X25", "FF d5555 9999 NEWS"),
        ("1 22 333 4444 FFFF H10 X25", "m11 2 333 4444 FFFF"),
    ],
)
def test_hands_are_listed_in_the_order_of_the_line(line: str, hand: str) -> None:
    listed = run("card", "process", "-", "--list", stdin=line).stdout
    assert f"    {hand}\n" in listed, listed


def test_hands_are_listed_in_the_language() -> None:
    line = "FF 111 DDD rDDD bDDD Va X25"
    text = run("card", "process", "-", "--list", stdin=line).stdout.splitlines()
    (told,) = json.loads(run("card", "process", "-", "--list", "--json", stdin=line).stdout)["groups"][0]["lines"]
    assert [hand.strip() for hand in text[1:]] == told["list"] and len(told["list"]) == told["hands"]
    hands = [hand for one in told["list"] if (read := parse_line(one)[0]) for hand in hands_of(read)]
    whole = parse_line(line)[0]
    assert whole is not None and Counter(hands) == Counter(hands_of(whole))


def test_narrow_screens_keep_figures_beside_their_lines(folder: Path) -> None:
    shown = run("card", "process", "mine.txt", cwd=folder, env={"COLUMNS": "40"}).stdout.splitlines()
    assert shown[1].split() == ["hands", "tile", "sets"] and max(map(len, shown)) <= 40
    assert re.fullmatch(r"    22 444 666 8888 +3 +3", shown[3]) and shown[4] == "       DD X25"
    near = run("card", "nearest", "mine.txt", *HAND, "--limit", "1", cwd=folder, env={"COLUMNS": "50"}).stdout
    assert max(map(len, near.splitlines())) <= 50
    assert re.search(r"  5 missing  25 X  \d+ left\n    22 444 666 8888 DD X25\n    needs P P J\|6p", near)


def test_difficulty_is_told_beside_each_line(folder: Path) -> None:
    asked = ["--difficulty", "--deals", "20", "--seed", "3"]
    text, again = (run("card", "process", "mine.txt", *asked, cwd=folder).stdout for _ in range(2))
    assert text == again and re.search(r"hands +tile sets +draws\n", text)
    assert re.search(r"22 444 666 8888 DD X25 +3 +3 +\d+\.\d\n", text)
    evens = json.loads(run("card", "process", "mine.txt", *asked, "--json", cwd=folder).stdout)["groups"][0]
    assert all(line["draws"] > 10 for line in evens["lines"])


def test_difficulty_is_not_known_of_a_card_with_a_mistake(folder: Path) -> None:
    done = run("card", "process", "wrong.txt", "--difficulty", "--json", cwd=folder)
    lines = json.loads(done.stdout)["groups"][0]["lines"]
    assert done.returncode == 1 and lines[0]["draws"] is None and "error" in lines[1]


# --- show


def test_show_writes_both_forms_without_loss(folder: Path) -> None:
    document = run("card", "show", "mine.txt", "--format", "yaml", cwd=folder).stdout
    (folder / "kitchen_table.yaml").write_text(document, encoding="utf-8")
    assert run("card", "show", "kitchen_table.yaml", "--format", "code", cwd=folder).stdout == CARD
    (folder / "kitchen_table.json").write_text(run("card", "show", "mine.txt", "--json", cwd=folder).stdout)
    assert run("card", "show", "kitchen_table.json", "--format", "code", cwd=folder).stdout == CARD


@pytest.mark.parametrize(("format", "begins"), [("svg", "<?xml"), ("html", "<!doctype html>"), ("terminal", " ")])
def test_show_draws(format: str, begins: str, folder: Path) -> None:
    shown = run("card", "show", "mine.txt", "--format", format, cwd=folder)
    assert shown.returncode == 0 and not shown.stderr
    assert shown.stdout.lower().startswith(begins) and "Kitchen Table" in shown.stdout and "\x1b" not in shown.stdout
    run("card", "show", "mine.txt", "--format", format, "-o", "out", cwd=folder)
    assert (folder / "out").read_text(encoding="utf-8") == shown.stdout


@pytest.mark.parametrize(
    ("file", "begins"),
    [("a.html", "<!doc"), ("a.SVG", "<?xml"), ("a.txt", "kitc"), ("a.yml", "tilew"), ("a.json", "{")],
)
def test_the_ending_of_a_file_says_what_it_is(file: str, begins: str, folder: Path) -> None:
    assert run("card", "show", "mine.txt", "-o", file, cwd=folder).returncode == 0
    assert (folder / file).read_text(encoding="utf-8").lower().startswith(begins)
    assert (
        run("card", "show", "mine.txt", "-o", "-", cwd=folder).stdout
        == run("card", "show", "mine.txt", cwd=folder).stdout
    )
    assert not (folder / "-").exists()


@pytest.mark.parametrize("name", ["mine.txt", "./mine.txt", "link.txt"])
def test_show_never_writes_over_the_card(name: str, folder: Path) -> None:
    (folder / "link.txt").symlink_to("mine.txt")
    fails(run("card", "show", "mine.txt", "--format", "html", "-o", name, cwd=folder), 2, "is the card itself")
    assert (folder / "mine.txt").read_text(encoding="utf-8") == CARD


def test_show_tells_pages_what_to_draw(folder: Path) -> None:
    line = "FF 2 + 2 = 4 r1111 bDDDDD X30 (a sum)"
    (folder / "mine.txt").write_text(f"{CARD}{line}\n22 44\n", encoding="utf-8")
    done = run("card", "show", "mine.txt", "--format", "drawn", cwd=folder)
    (first, *_), (*_, last, wrong) = (group["lines"] for group in json.loads(done.stdout)["groups"])
    assert done.returncode == 1 and "tiles" in wrong["error"]
    assert first["remark"] == "Any 1 suit" and (last["remark"], last["value"], last["exposed"]) == ("a sum", 30, True)
    (pattern,) = last["patterns"]
    assert [one.get("set") or one["sign"] for one in pattern] == ["FF", "2", "+", "2", "=", "4", "1111", "DDDDD"]
    assert [one["colour"] for one in pattern if "set" in one] == [None, "g", "g", "g", "r", "b"]


def test_show_replaces_a_file_whole(folder: Path) -> None:
    (folder / "out.yaml").symlink_to("mine.yaml")
    (folder / "mine.yaml").write_text("old", encoding="utf-8")
    assert run("card", "show", "mine.txt", "--format", "yaml", "-o", "out.yaml", cwd=folder).returncode == 0
    assert (folder / "mine.yaml").read_text(encoding="utf-8").startswith("tilewright: 2\n")
    assert sorted(path.name for path in folder.iterdir()) == ["mine.txt", "mine.yaml", "out.yaml", "wrong.txt"]


def test_show_of_a_wrong_line_shows_the_others(folder: Path) -> None:
    done = run("card", "show", "wrong.txt", cwd=folder)
    fails(done, 1, "wrong.txt:4:1: wrong-number-of-tiles")
    assert "22 444 666 8888 DD" in done.stdout


def test_paper_has_two_sizes() -> None:
    sizes = ("a4", "letter", "A4")
    pages = [run("card", "show", "basic1", "--format", "svg", "--paper", paper).stdout for paper in sizes]
    assert pages[0] != pages[1] and pages[0] == pages[2]


@pytest.mark.slow
def test_colours_only_on_a_terminal() -> None:
    assert re.search(r"\x1b\[[0-9;]*3\dm", on_terminal("card", "show", "basic1"))
    assert not re.search(r"\x1b\[[0-9;]*3\dm", on_terminal("card", "show", "basic1", NO_COLOR="1"))


# --- nearest


def test_nearest_tells_what_to_keep_and_what_to_pass(folder: Path) -> None:
    text = run("card", "nearest", "mine.txt", *HAND, cwd=folder).stdout
    assert re.match(r"Kitchen Table .*\n +missing +line +value +needs +left\n", text)
    assert re.search(r" 5 +22 444 666 8888 DD X25 +25 X +P P J\|6p J\|8p J\|8p +\d+\n", text)
    assert re.search(r" keep 22444668p J  pass 15m EN\n", text)
    assert len(re.findall(" keep ", text)) == 3  # a hand of each line


def test_nearest_as_json_keeps_the_contract() -> None:
    found = json.loads(run("card", "nearest", "basic1", *HAND, "--json").stdout)
    assert {"missing", "line", "group", "value", "exposed", "needs", "live"} <= found[0].keys()
    assert [near["missing"] for near in found] == sorted(near["missing"] for near in found)
    assert found[0]["missing"] == 5 and found[0]["group"] == "2468" and found[0]["needs"][0] == "1f"
    assert len(found) == 24
    assert len(json.loads(run("card", "nearest", "basic1", *HAND, "--json", "--every").stdout)) == 308
    assert len(json.loads(run("card", "nearest", "basic1", *HAND, "--json", "--limit", "2").stdout)) == 2


def test_hands_are_read_and_written_in_letters_of_the_card() -> None:
    card = ["--notation", "card"]
    held = ["--hand", "d66 8 m1 5 E N", "--melds", "d444 d222", "--seen", "FF"]
    near = json.loads(run("card", "nearest", "basic1", *held, "--json", *card).stdout)
    own = run(
        "card", "nearest", "basic1", "--hand", "66p 8p 1s 5s E N", "--melds", "444p 222p", "--seen", "1f 2f", "--json"
    )
    assert [one["missing"] for one in near] == [one["missing"] for one in json.loads(own.stdout)]
    assert near[0]["left"]["F"] == 6 and near[0]["hand"] == ["FF", "d222", "d444", "d666", "d888"]
    won = run("score", "american", "--hand", "FF m222 44J 666 88", "--win", "m8", *card)
    assert "  FF m222 m444 m666 m888  FF 222 444 666 888 X25\n" in won.stdout
    waits = run("waits", "american", "--hand", "FF m222 44J 666 88", "--json", *card)
    assert [one["tile"] for one in json.loads(waits.stdout)["tiles"]] == ["m4", "m8", "J"]
    fails(run("score", "riichi", "--hand", "m1", "--win", "m1", *card), 2, "riichi has no card", "leave out --notation")


@pytest.mark.long
def test_games_are_played_and_shown_in_letters_of_the_card(tmp_path: Path) -> None:
    card = ["--notation", "card"]
    table = ["--plain", "--pace", "0", "--seed", "21", "--log", "game.jsonl"]
    played = run("play", "american", *table, *card, stdin="c368 d3\nc368\nnearest\n", cwd=tmp_path)
    assert "Your tiles: c3 c6 c8 d1 d5 m2 m5 m5 m6 m9 S W F F\n" in played.stdout
    assert "'d3' cannot be chosen" in played.stdout and "You pass c368 to S" in played.stdout
    assert re.search(r"\n +keep .*\bm\d", played.stdout)
    log = (tmp_path / "game.jsonl").read_text(encoding="utf-8")
    assert '"given":"3m 6m 8m"' in log  # in codes, whatever the notation
    simulated = run("simulate", "american", "--games", "1", "--out", "-", "--logs", "logs", *card, cwd=tmp_path)
    (won,) = json.loads(simulated.stdout.splitlines()[0])["winners"]
    shown = run("replay", "logs/0000000.jsonl", *card, cwd=tmp_path).stdout
    assert won["tile"] == "F" and re.search(r"E wins F from N: .*\n +d666 c4444 FFF m5555 ", shown)
    rows = json.loads(run("replay", "logs/0000000.jsonl", "--json", *card, cwd=tmp_path).stdout)
    assert rows["verified"] and rows["hands"][0]["winners"] == [won]
    for command in (["play", "riichi", "--plain"], ["simulate", "riichi", "--games", "1"]):
        fails(run(*command, *card, cwd=tmp_path), 2, "riichi has no card", "leave out --notation")


def test_nearest_takes_melds_and_tiles_seen() -> None:
    held = ["--hand", "66p 8p 1m 5m E N"]
    several = run("card", "nearest", "basic1", *held, "--melds", "444p, 222p", "--json")
    single = run("card", "nearest", "basic1", *held, "--meld", "444p", "--meld", "pung:222p", "--json")
    near = json.loads(several.stdout)
    assert near and near == json.loads(single.stdout)
    seen = json.loads(
        run("card", "nearest", "basic1", *held, "--melds", "444p 222p", "--seen", "1f 1f", "--json").stdout
    )
    assert (near[0]["left"]["1f"], seen[0]["left"]["1f"]) == (8, 6)


def test_a_dead_hand_says_why() -> None:
    dead = ["--hand", "22p 66p 8p 1m 5m", "--melds", "5555p CCC"]
    text = run("card", "nearest", "basic1", *dead)
    assert text.returncode == 0 and "No hand is possible any more: " in text.stdout and "5555p" in text.stdout
    told = run("card", "nearest", "basic1", *dead, "--json")
    assert (told.returncode, told.stdout) == (0, "[]\n") and "No hand is possible any more: " in told.stderr


def test_nearest_of_no_hand() -> None:
    fails(run("card", "nearest", "basic1", "--hand", "22x"), 1, "22x", "  ^")


def test_nearest_where_no_card_is_played(folder: Path) -> None:
    fails(run("card", "nearest", "mine.txt", *HAND, "--rules", "cantonese", cwd=folder), 1, "plays-no-card")


def test_a_name_without_an_ending_is_a_path_too(folder: Path) -> None:
    (folder / "mine.txt").rename(folder / "mine")
    assert run("card", "nearest", "mine", *HAND, cwd=folder).returncode == 0


# --- what was chosen, and hands as they are pasted


@pytest.mark.parametrize(
    "command",
    [
        ("score", "american", "--cases", "-", "--text"),
        ("score", "american", "--hand", "22p", "--not-won"),
        ("waits", "american", "--hand", "22p 444p 66p 8p 1m 5m E N J"),
    ],
)
def test_the_heading_says_which_card_was_chosen(command: Sequence[str], folder: Path) -> None:
    chosen = run(*command, "--set", "card=moon_gate", cwd=folder).stdout
    assert chosen.startswith("American mah jongg  card=moon_gate\n")
    assert run(*command, "--mod", "mine.txt", cwd=folder).stdout.startswith("American mah jongg + kitchen_table\n")


def test_who_pays_needs_who_won() -> None:
    won = ("score", "american", "--hand", "1f1f 222p 444p 666p 88p", "--win", "8p", "--discarder", "s")
    alone = run(*won)
    assert alone.returncode == 0 and "--seat-wind who won" in alone.stderr
    both = run(*won, "--seat-wind", "e")
    assert not both.stderr and re.search(r"E \+\d+ +S -\d+", both.stdout)
    assert not run(*won, "--json").stderr


def test_a_hand_of_another_size_is_counted_in_plain_words() -> None:
    held = ("--hand", "22p 444p 66p 1m 5m", "--meld", "CCC", "--meld", "888p")
    fails(run("waits", "american", *held), 1, "9 in the hand and 6 in groups are 15 tiles; 13 or 14 are needed")
    fails(run("waits", "american", "--hand", "22p"), 1, "wrong-size: 2 tiles are held; 13 or 14 are needed")


# --- streams


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_mistake() -> None:
    command = f"{shlex.quote(sys.executable)} -m tilewright card process moon_gate --list | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout.count("\n") == 1 and done.stderr == ""


@pytest.mark.slow
def test_ctrl_c_is_quiet_and_leaves_no_file(tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    with process([*COMMAND, "card", "process", "-"], stdin=pipe, stdout=pipe, stderr=pipe) as reading:
        assert reading.stdin is not None and reading.stderr is not None
        reading.stdin.write("FF\n")
        reading.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            reading.wait(2)  # it is reading by now
        reading.send_signal(signal.SIGINT)
        assert reading.wait(HANGS) == 130
        assert reading.stderr.read() == ""


# --- the page about cards


def boxes() -> Iterator[tuple[str, str]]:
    """What stands behind the marks of each box, and the box."""
    return iter(re.findall(r"^```([^\n]+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_page_about_cards_step_by_step(tmp_path: Path) -> None:
    """Boxes with a name are files; commands are run, and print what stands below them."""
    for kind, text in boxes():
        if kind.startswith("text "):
            (tmp_path / kind.split()[1]).write_text(text, encoding="utf-8")
        for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
            assert run_line(command, tmp_path).stdout == printed, command


def test_json_on_the_page_is_of_the_shape_that_there_is(tmp_path: Path) -> None:
    process, near, drawn = (json.loads(text) for kind, text in boxes() if kind == "json")
    lines = "FF 222 444 666 888 X25\nFF 222 444 666 88 X25\n"
    found = json.loads(run("card", "process", "-", "--json", stdin=lines).stdout)
    assert shape(process) == shape(found)
    (tmp_path / "card.txt").write_text(f"My Card\n“Years”\nFF 2 + 2 = 4 r1111 DDDDD X30\n{lines}", encoding="utf-8")
    shown = json.loads(run("card", "show", "card.txt", "--format", "drawn", cwd=tmp_path).stdout)
    (told, refused), (line, _, wrong) = (card["groups"][0]["lines"] for card in (drawn, shown))
    assert shape({**drawn, "groups": []}) == shape({**shown, "groups": []}) and shape(refused) == shape(wrong)
    assert told["patterns"][0] == line["patterns"][0][:3] and {**told, "patterns": 0} == {**line, "patterns": 0}
    assert near[0].keys() == json.loads(run("card", "nearest", "basic1", *HAND, "--json").stdout)[0].keys()


def shape(value: object) -> object:
    """The keys of plain data."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(inner) for inner in value] if isinstance(value, list) else None


def test_the_tables_of_the_page_are_fresh() -> None:
    assert with_parts(PAGE, PARTS) == PAGE, "run `make docs`"


@pytest.mark.parametrize(
    "line, hands", [line for chapter in READINGS for one in chapter.readings for line in one.lines]
)
def test_each_reading_is_what_is_meant(line: str, hands: int) -> None:
    read, faults = parse_line(line)
    assert read is not None and not [*faults, *faults_of(read)]
    assert len(hands_of(read)) == hands


def test_every_code_has_a_reading_and_a_row() -> None:
    shown = " ".join(line for chapter in READINGS for one in chapter.readings for line, _ in one.lines)
    read = [parse_line(line)[0] for chapter in READINGS for one in chapter.readings for line, _ in one.lines]
    used = {code.letter for line in read if line is not None for code in line.codes}
    assert used >= CODES.keys() - set("TIAKQ"), shown
    assert all(f"\n| `{letter}` | " in PAGE for letter in CODES)


def test_mistakes_are_mistakes_of_different_kinds() -> None:
    said = {(fault.code, fault.message) for _, fault in mistaken()}
    assert len(said) == len(MISTAKES)


# --- strangers

ALIASES = (
    "tilewright: 1\nkind: card\nid: y\nname: Y\nabout: &a " + "x" * 200_000 + "\ngroups:\n  A:\n" + "    - *a\n" * 399
)
HUGE = {
    "spaces in a field": ("name.txt", f"(name {' ' * 250_000})\n", 1, "error"),
    "spaces in a title": (
        "title.yaml",
        f"tilewright: 1\nkind: card\nid: y\nname: 'A (name {' ' * 200_000})'\n",
        1,
        "error",
    ),
    "text repeated by aliases": ("aliases.yaml", ALIASES, 1, "too-large"),
}


@pytest.mark.parametrize("what", HUGE)
def test_huge_cards_are_refused_soon(what: str, tmp_path: Path) -> None:
    name, text, code, said = HUGE[what]
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("card", "check", name, cwd=tmp_path)
    assert done.returncode == code and said in done.stdout + done.stderr


def test_a_text_that_is_nearly_a_line_is_told_from_a_card_soon(tmp_path: Path) -> None:
    text = f"1111111111{' ' * 1_300}X1{' ' * 1_300}q\n"
    (tmp_path / "notes.txt").write_text(text, encoding="utf-8")
    fails(run("check", ".", cwd=tmp_path), 2, "no cards")


@pytest.mark.slow
def test_more_lines_than_are_counted() -> None:
    done = subprocess.run([*COMMAND, "card", "process", "-"], input="\n" * 50_002, capture_output=True, text=True)
    assert done.returncode == 2 and "not counted at once" in done.stderr


def test_a_picture_keeps_who_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "card.svg"
    path.touch(mode=0o600)
    assert run("card", "show", "basic1", "-o", "card.svg", cwd=tmp_path).returncode == 0
    assert path.stat().st_mode & 0o777 == 0o600 and path.stat().st_size > 1_000


def test_names_of_files_do_not_steer_the_terminal() -> None:
    done = run("card", "show", "nope\x1b[31m.txt")
    assert done.returncode == 2 and "\x1b" not in done.stderr


def test_bare_lines_are_warned_about() -> None:
    """As in a card: the count is given all the same, and the exit code is that of lines without a mistake."""
    done = run("card", "process", "-", stdin="FF 44444 - 222 = 2222 X25\n222 444 666 888 FF X25 (any run)\n")
    assert done.returncode == 0 and "3 hands" in done.stdout
    assert "stdin:1:18: warning: missing-colour" in done.stderr
    assert "stdin:2:1: warning: note-without-code" in done.stderr
