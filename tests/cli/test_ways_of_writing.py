"""No way of writing the same document changes what is tried of it, nor what else opens it."""

import json
import re
import time
from pathlib import Path

import pytest
from commands import run
from games import mostly_soaked
from ways_of_writing import WAYS

from tilewright.base.building import MAX_BYTES
from tilewright.language.documents.library import claims_to_be_ours, kind_at, kind_in
from tilewright.lsp.answers import is_ours

pytestmark = pytest.mark.long

RULES = """tilewright: 1
kind: ruleset
id: mine
name: Mine
extends: standard
scoring:
  measures: {points: {name: Points}}
  best: points
patterns:
  first_and_fifth:
    name: First and fifth
    worth: 1
    when: copies(5s) == 3 and copies(1m) == 3
    examples:
      - {hand: 111m 222m 333p 444s 5s, win: 5s, yes: true}
cases:
  wrong: {hand: 123m 456m 789m 123p 5s, win: 5s, expect: {total: 99}}
"""
SMALL = RULES[: RULES.index("patterns")].replace("mine", "small")
MOD = """tilewright: 1
kind: mod
id: mine
name: Mine
for: [small]
add:
  cases:
    wrong: {hand: 123m 456m 789m 123p 5s, win: 5s, expect: {total: 99}}
"""
CARD = """tilewright: 1
kind: card
id: mine
name: Mine
groups: {evens: {lines: [FF 2222 4444 6666 C 25]}}
"""
# All ways are tried with rulesets, and as what kind they are read; these with what else is done with mods and cards.
DIFFERENT = ("plain", "long header", "byte order mark", "CR", "kind last", "folded", "alias", "JSON with tabs")
FAILS = re.compile(r": ((?:case|example)-fails): ")


def written(folder: Path, way: str, text: str) -> Path:
    """The text in this way, as a file."""
    path = folder / ("mine.json" if way.startswith("JSON") else "mine.yaml")
    path.write_bytes(WAYS[way](text).encode())
    return path


@pytest.mark.parametrize("way", WAYS)
def test_the_same_is_tried(tmp_path: Path, way: str) -> None:
    path = written(tmp_path, way, RULES)
    for named in (str(path), str(tmp_path)) if way in DIFFERENT else [str(tmp_path)]:
        done = run("check", named)
        assert FAILS.findall(done.stderr) == ["example-fails", "case-fails"], done.stdout + done.stderr
        assert done.returncode == 1 and "1 file checked, 1 example and 1 case tried: 2 errors" in done.stdout


@pytest.mark.parametrize("way", mostly_soaked(WAYS, DIFFERENT))
def test_the_same_is_covered_and_listed(tmp_path: Path, way: str) -> None:
    path = written(tmp_path, way, RULES)
    written(tmp_path, way, RULES.replace("444s 5s, win: 5s", "55s 44s, win: 5s").replace("total: 99", "total: 0"))
    told = json.loads(run("check", str(path), "--coverage", "--tried", "--json").stdout)
    assert told["problems"] == [] and [one["ruleset"] for one in told["coverage"]] == ["mine"]
    own = [one["name"] for one in told["tried"] if one["file"] == str(path)]
    assert own == ["patterns.first_and_fifth.examples.1", "cases.wrong"]


@pytest.mark.parametrize("way", mostly_soaked(WAYS, DIFFERENT))
def test_a_mod_is_tried_and_updated(tmp_path: Path, way: str) -> None:
    (tmp_path / "small.yaml").write_text(SMALL)
    path = written(tmp_path, way, MOD)
    assert FAILS.findall(run("check", str(path)).stderr) == ["case-fails"]
    done = run("check", str(path), "--update", "--yes")
    assert done.returncode == 0 and "1 value in 1 file written" in done.stdout, done.stdout + done.stderr
    assert "2 files checked, 1 case tried: no problems" in run("check", str(tmp_path)).stdout


@pytest.mark.parametrize("way", mostly_soaked(WAYS, DIFFERENT))
def test_a_card_is_read_as_one(tmp_path: Path, way: str) -> None:
    path = written(tmp_path, way, CARD)
    for command in (("card", "check", str(tmp_path)), ("check", str(path)), ("check", str(tmp_path))):
        done = run(*command)
        assert done.returncode == 0 and "1 line, 3 hands" in done.stdout, done.stdout + done.stderr
    assert "is a card of hands, not a ruleset" in run("score", str(path), "--hand", "1p").stderr


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [RULES, MOD, CARD], ids=["ruleset", "mod", "card"])
def test_an_editor_and_the_workshop_see_the_same_kind(way: str, text: str) -> None:
    told = WAYS[way](text)
    assert is_ours(Path("mine.yaml"), told) and claims_to_be_ours(told)
    assert kind_in(told) == kind_in(text)


@pytest.mark.parametrize("way", [way for way in WAYS if not way.startswith("JSON")])
def test_the_same_is_formatted(tmp_path: Path, way: str) -> None:
    path = written(tmp_path, way, RULES.replace("id: mine", "id:   mine"))
    assert run("fmt", str(tmp_path)).returncode == 0 and "id:   mine" not in path.read_text("utf-8")


BROKEN = {
    "never ends": RULES + "terms: [1, 2\n",
    "breaks off first": f"about: 'never ends\n{RULES}",
    "latin 1": f"# caf\xe9\n{RULES}".encode("latin-1"),
    "UTF-16": RULES.encode("utf-16"),
    "large and broken": RULES + MAX_BYTES * "-",
    "kind alone": RULES.replace("tilewright: 1\n", ""),
    "mark alone": RULES.replace("kind: ruleset\n", ""),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_what_cannot_be_read_is_an_error(tmp_path: Path, broken: str) -> None:
    """In a folder as by its name."""
    content = BROKEN[broken]
    (tmp_path / "mine.yaml").write_bytes(content if isinstance(content, bytes) else content.encode())
    for named in ("mine.yaml", "."):
        assert run("check", named, cwd=tmp_path).returncode == 1


@pytest.mark.parametrize("text", ["\n" * MAX_BYTES, " " * MAX_BYTES, "kind\n" * (MAX_BYTES // 5), "kind \t" * 40_000])
def test_no_text_takes_long(text: str) -> None:
    """Every search in a text is linear."""
    start = time.process_time()
    claims_to_be_ours(text), kind_in(text)
    assert time.process_time() - start < 5


def test_the_kind_is_read_no_further_than_it_stands(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(RULES + "terms: [1, 2\n")
    assert kind_at(tmp_path / "mine.yaml") == "ruleset" and kind_at(tmp_path / "none.yaml") == ""


@pytest.mark.parametrize(
    "ending", mostly_soaked([".yaml", ".yml", ".json", ".YAML", ".YML", ".JSON"], [".yml", ".JSON"])
)
def test_every_ending_works_alike(tmp_path: Path, ending: str) -> None:
    """A base and a mod in files with this ending, found by their ids and by their paths, from another folder, too."""
    write = WAYS["JSON" if ending.lower() == ".json" else "plain"]
    base, child, mod = (tmp_path / f"{name}{ending}" for name in ("small", "child", "mine"))
    base.write_text(write(SMALL), encoding="utf-8")
    child.write_text(write("tilewright: 1\nkind: ruleset\nid: child\nname: Child\nextends: small\n"), encoding="utf-8")
    mod.write_text(write(MOD.replace("total: 99", "total: 0")), encoding="utf-8")
    case = '{"hand": "123m 456m 789m 123p 5s", "win_tile": "5s", "expect": {"total": 0}}\n'
    (tmp_path / ("child.JSONL" if ending.isupper() else "child.jsonl")).write_text(case)
    for named in ([str(tmp_path)], [*map(str, sorted(tmp_path.iterdir()))]):
        done = run("check", *named)
        assert "4 files checked, 3 cases tried: no problems" in done.stdout, done.stdout + done.stderr
    score = "score", str(child), "--mod", "mine", "--hand", "123m 456m 789m 123p 5s", "--win", "5s"
    assert run(*score).returncode == 0
    assert (run("fmt", str(tmp_path), "--check").returncode == 2) == (ending.lower() == ".json")


NAMED = (
    "extends: {}",
    "extends: hong_kong\npresets: {{quick: {{name: Quick, mods: [{}]}}}}",
    "extends: hong_kong\ncases: {{a: {{for: {}, hand: 123m 456m 789m 123p 5s, win: 5s}}}}",
)


@pytest.mark.parametrize("named", [*NAMED, "kind: mod\nfor: [{}]", "kind: mod\nneeds: [{}]\nfor: [standard]"])
@pytest.mark.parametrize("file", ["small.yaml", "../small.YML", "rules\\small.Yaml"])
def test_a_document_names_others_by_their_ids(tmp_path: Path, named: str, file: str) -> None:
    (tmp_path / Path(file).name).write_text(SMALL)
    head = "tilewright: 1\nid: mine\nname: Mine\n" + ("" if "kind" in named else "kind: ruleset\n")
    (tmp_path / "mine.yaml").write_text(head + named.format(file) + "\n")
    done = run("check", "mine.yaml", cwd=tmp_path)
    assert "hint: write its id: small; documents that name each other lie in one folder" in done.stderr, done.stderr


def test_an_ending_with_some_capitals_is_named(tmp_path: Path) -> None:
    (tmp_path / "small.Yaml").write_text(SMALL)
    (tmp_path / "mine.yaml").write_text("tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: small\n")
    assert "hint: there is a file small.Yaml: call it small.yaml" in run("check", "mine.yaml", cwd=tmp_path).stderr
