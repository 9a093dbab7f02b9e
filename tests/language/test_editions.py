"""Editions: documents of every older one mean the same in the newest, as trees and as texts; names that bases gave up
still work, with one warning. Most of it is data: tests/editions/."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from commands import run
from conftest import ROOT
from games import mostly_soaked
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

import tilewright
from tilewright.authoring.findings import tried
from tilewright.authoring.format import is_same
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.upgrading import upgraded
from tilewright.base.document import parse
from tilewright.base.problem import Problem, Source
from tilewright.language.check import problems_of
from tilewright.language.documents.editions import NEWEST, Words, changes, read_table, renewed, rewritten_text
from tilewright.language.documents.former import (
    OldName,
    former_names,
    named_today,
    settings_today,
    words_of,
)
from tilewright.language.documents.whole import NamedMods, extended

DATA = ROOT / "tests" / "editions"
FIRST = sorted(path for path in (DATA / "1").iterdir())
# Those of the parlour change riichi, whose examples take seconds.
MOST = mostly_soaked(FIRST, [path for path in FIRST if "parlour" not in path.name])
COMMENT = re.compile(r"(?:^|\s)#.*")


def loaded(name: str) -> Any:
    return YAML(typ="safe", pure=True).load((DATA / name).read_text(encoding="utf-8"))


# --- the table


KINDS = loaded("kinds.yaml")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_entry_changes_trees_and_texts_alike(kind: str) -> None:
    one = KINDS[kind]
    before, after = parse(Source("before", one["before"])), parse(Source("after", one["after"]))
    table = read_table(parse(Source("table", json.dumps(one["table"]))))
    words = words_of(before) if kind == "word" else Words()
    found = renewed(before, words, table)
    assert is_same(found.document, after)
    assert rewritten_text(one["before"], found.changes) == one["after"]
    lines = {problem.place.line: problem.hint for problem in found.removed if problem.place}
    assert lines == one.get("removed", {})


@pytest.mark.long
@pytest.mark.parametrize("entry", changes(), ids=lambda entry: entry.id)
def test_each_entry_has_a_document_that_means_the_same_afterwards(entry: Any, tmp_path: Path) -> None:
    before, after = (DATA / "changes" / f"{entry.id}.{when}.yaml" for when in ("before", "after"))
    old, new = before.read_text(encoding="utf-8"), after.read_text(encoding="utf-8")
    assert upgraded(before, old).text == new
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    (tmp_path / "old" / "small.yaml").write_text(old, encoding="utf-8")
    (tmp_path / "new" / "small.yaml").write_text(new, encoding="utf-8")
    rules = [tilewright.load(tmp_path / when / "small.yaml") for when in ("old", "new")]
    assert rules[0].data.digest == rules[1].data.digest
    assert [problems_of(tmp_path / when / "small.yaml") for when in ("old", "new")] == [(), ()]
    assert played(rules[0]) == played(rules[1])
    assert tried(tmp_path / "old" / "small.yaml", (), RulesChoice()).problems == ()


def played(rules: tilewright.Rules) -> list[str]:
    """The log of a game of first legal moves."""
    table = rules.table(seed=7, hands=2)
    while moves := table.legal_moves():
        table = table.push(moves[0])
    return list(table.log())


def test_every_entry_is_of_an_edition_that_is_read() -> None:
    assert {entry.edition for entry in changes()} == {*range(2, NEWEST + 1)}
    assert {path.name.split(".")[0] for path in (DATA / "changes").iterdir()} == {entry.id for entry in changes()}


def test_a_key_of_an_older_edition_is_answered_with_its_new_name(tmp_path: Path) -> None:
    text = (DATA / "changes" / "ignored_flags.before.yaml").read_text(encoding="utf-8")
    path = tmp_path / "small.yaml"
    path.write_text(text.replace("tilewright: 1", "tilewright: 2"), encoding="utf-8")
    (problem,) = problems_of(path)
    assert problem.hint == "`ignores` is called `ignored_flags` since edition 2; `tilewright upgrade` renames it"


# --- documents of the first edition


def test_documents_of_an_edition_never_change() -> None:
    lines = (DATA / "1.sha256").read_text(encoding="utf-8").splitlines()
    wanted = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert wanted == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FIRST}


@pytest.mark.long
@pytest.mark.parametrize("path", MOST, ids=str)
def test_documents_of_the_first_edition_load_with_a_warning_of_each_old_name(path: Path) -> None:
    found = problems(path)
    assert {one.code for one in found} <= {"old-name"}
    messages = [one.message.partition(" (also")[0] for one in found]
    assert len(messages) == len({*messages})


@pytest.mark.long
@pytest.mark.parametrize("path", FIRST, ids=lambda path: path.name)
def test_upgraded_documents_are_those_of_the_second_edition(path: Path) -> None:
    new = DATA / "2" / path.name
    done = upgraded(path, path.read_text(encoding="utf-8"))
    assert done.text == new.read_text(encoding="utf-8")
    assert done.left == ()
    again = upgraded(new, done.text)
    assert again.text == done.text and again.changed == ()
    assert comments(done.text) == comments(path.read_text(encoding="utf-8"))


@pytest.mark.long
@pytest.mark.parametrize("path", MOST, ids=str)
def test_documents_of_the_second_edition_have_no_problem(path: Path) -> None:
    assert problems(DATA / "2" / path.name) == ()


def problems(path: Path) -> tuple[Problem, ...]:
    """Those of a check, with examples and cases tried, but for what later checks ask of texts."""
    found = () if path.suffix == ".jsonl" else [one for one in problems_of(path) if one.code != "missing-language"]
    return (*found, *(() if found and path.suffix != ".jsonl" else tried(path, (), RulesChoice()).problems))


def comments(text: str) -> list[str]:
    return [one.strip() for one in COMMENT.findall(text)]


# --- names that a base gave up

FORMER = loaded("former_names.yaml")
HOUSE = DATA / "house" / "house.yaml"
MINE = DATA / "house" / "mine.yaml"
HEAD = "tilewright: 2\nkind: ruleset\nid: mine\nname: {en: Mine}\nextends: house\n"


@pytest.mark.parametrize("one", FORMER["changed"], ids=lambda one: one["before"][:40])
def test_a_former_name_is_the_one_of_today(one: dict[str, str]) -> None:
    before, after = HEAD + one["before"] + "\n", HEAD + one["after"] + "\n"
    assert upgraded(MINE, before).text == after
    full = extended(HOUSE).full
    assert is_same(named_today(parse(Source("mine", before)), full).document, parse(Source("mine", after)))


@pytest.mark.parametrize("text", FORMER["same"], ids=lambda text: text[:40])
def test_what_a_document_calls_so_itself_stays(text: str) -> None:
    assert upgraded(MINE, HEAD + text).text == HEAD + text


def test_a_former_name_that_something_has_now_is_not_renamed() -> None:
    names = former_names(extended(HOUSE).full)
    assert names.renamed["marks"] == {"rash": "hasty", "lazy": "slow"}
    assert names.new("hasty", ("marks",)) is None


@given(st.lists(st.booleans(), min_size=6, max_size=6), st.sampled_from(["", "   # pond, rash"]))
@settings(max_examples=25, deadline=None)
def test_an_upgrade_leaves_nothing_to_upgrade(old: list[bool], comment: str) -> None:
    pairs = [("pond", "river"), ("rash", "hasty"), ("lazy", "slow"), ("distant", "far"), ("cry", "shout")]
    a, b, c, d, e = (was if use else now for (was, now), use in zip(pairs, old, strict=False))
    terms = f"terms: {{mine: {b} and {c} or {d} and {a} == 0}}{comment}"
    text = f"{HEAD}{terms}\nrestrictions: {{no: {{bars: [{e}], reason: no}}}}\n"
    once = upgraded(MINE, text)
    assert upgraded(MINE, once.text).text == once.text
    assert not any(re.search(rf"\b{was}\b", COMMENT.sub("", once.text)) for was, _ in pairs)
    assert comments(once.text) == comments(text)
    assert len(once.changed) == sum(old[:5])


# --- what programs and commands give


def test_an_option_may_have_its_former_name() -> None:
    with pytest.warns(OldName, match="`open_simples` is called `open_tanyao` since edition 2"):
        rules = tilewright.load("riichi", {"open_simples": False})
    assert rules.data.options["open_tanyao"] is False


def test_a_choice_may_have_its_former_name() -> None:
    wanted, old = settings_today({"duration": "double"}, former_names(extended(HOUSE).full))
    assert wanted == {"length": "south"}
    assert [one.message for one in old] == [
        "`duration` is called `length` since edition 2",
        "`double` is called `south` since edition 2",
    ]


def test_a_preset_may_have_its_former_name() -> None:
    full = extended(HOUSE).full
    with pytest.warns(OldName, match="`jolly` is called `merry`"):
        assert NamedMods.of(full, ["jolly"]).presets == ("merry",)


def test_a_case_and_a_layout_may_have_former_names() -> None:
    rules = tilewright.load("riichi")
    with pytest.warns(OldName, match="`ready` is called `riichi`"):
        old = rules.score("234p 567p 88s 234s CC", win="C", flags=["ready"])
    assert old == rules.score("234p 567p 88s 234s CC", win="C", flags=["riichi"])
    with pytest.warns(OldName, match="`counters` is called `honba`"):
        table = rules.table(seed=1, layout={"marks": {"counters": 2}})
    assert table == rules.table(seed=1, layout={"marks": {"honba": 2}})


def test_the_digest_does_not_depend_on_the_edition(tmp_path: Path) -> None:
    digests = set()
    for edition in (1, 2):
        path = tmp_path / f"mine{edition}.yaml"
        path.write_text(
            f"tilewright: {edition}\nkind: ruleset\nid: mine\nname: {{en: Mine}}\nextends: riichi\n", "utf-8"
        )
        digests.add(tilewright.load(path).data.digest)
    assert len(digests) == 1


def test_nothing_old_no_warning(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("tilewright: 1\nkind: ruleset\nid: mine\nname: {en: Mine}\nextends: riichi\n", "utf-8")
    assert problems_of(path) == ()


# --- the command


@pytest.fixture
def old_files(tmp_path: Path) -> Path:
    for name in ("riichi_parlour.yaml", "riichi.furiten_after_kong.jsonl", "riichi.red_five_furiten.jsonl"):
        (tmp_path / name).write_bytes((DATA / "1" / name).read_bytes())
    (tmp_path / "game.yaml").write_text("zones: {reserve: 1m}   # laid out\n", "utf-8")
    return tmp_path


def test_the_command_upgrades_a_folder(old_files: Path) -> None:
    asked = run("upgrade", str(old_files), "--check")
    assert asked.returncode == 1
    assert asked.stdout.count("would upgrade") == 2
    done = run("upgrade", str(old_files))
    assert (done.returncode, done.stdout.count("upgraded")) == (0, 2)
    for name in ("riichi_parlour.yaml", "riichi.furiten_after_kong.jsonl"):
        assert (old_files / name).read_bytes() == (DATA / "2" / name).read_bytes()
    assert run("upgrade", str(old_files), "--check").returncode == 0


def test_the_command_shows_what_would_change(old_files: Path) -> None:
    shown = run("upgrade", str(old_files / "riichi_parlour.yaml"), "--diff")
    assert shown.returncode == 1
    assert "-tilewright: 1\n" in shown.stdout and "+tilewright: 2\n" in shown.stdout
    assert "+      when: {marks: [riichi, last_tile]}\n" in shown.stdout


def test_a_layout_is_upgraded_for_the_rules_that_are_given(old_files: Path) -> None:
    assert run("upgrade", str(old_files / "game.yaml"), "--rules", "riichi").returncode == 0
    assert (old_files / "game.yaml").read_text("utf-8") == "zones: {dead_wall: 1m}   # laid out\n"


def test_a_pack_is_upgraded_whole(tmp_path: Path) -> None:
    folder = tmp_path / "parlour"
    folder.mkdir()
    text = (DATA / "1" / "riichi_parlour.yaml").read_text("utf-8")
    head = "publisher: parlour\nversion: 1.0.0\nlicense: MIT\nauthors: [Ann]\n"
    (folder / "riichi_parlour.yaml").write_text(text.replace("for: [riichi]\n", f"for: [riichi]\n{head}"), "utf-8")
    pack = tmp_path / "pack.zip"
    assert run("pack", str(folder), "-o", str(pack)).returncode == 0
    assert run("upgrade", str(pack), "--check").returncode == 1
    assert run("upgrade", str(pack)).returncode == 0
    assert run("upgrade", str(pack), "--check").returncode == 0


def test_what_is_left_for_a_person_has_a_place() -> None:
    text = HEAD + 'terms: {mine: "po\\x6ed == 0"}\n'
    done = upgraded(MINE, text)
    assert done.text == text
    assert [(one.place.line, one.message) for one in done.left if one.place] == [
        (6, "`pond` is called `river` since edition 2")
    ]


def test_cases_in_a_file_of_their_own_have_the_names_of_today(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: riichi\n")
    cases = tmp_path / "mine.cases.yaml"
    hand = "hand: 234m 567m 345p 66s 78s, win_tile: 9s, flags: [ready], expect: {win: true}"
    cases.write_text(f"tilewright: 1\nkind: cases\nid: mine\ncases:\n  one: {{{hand}}}\n")
    assert [one.code for one in problems(tmp_path / "mine.yaml")] == ["old-name"]
    done = upgraded(cases, cases.read_text())
    assert done.text == cases.read_text().replace("tilewright: 1", "tilewright: 2").replace("[ready]", "[riichi]")
