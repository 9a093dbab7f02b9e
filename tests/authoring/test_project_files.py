"""Project files: what `tilewright.toml` says, and what is wrong in one; and `check --watch`. What is expected stands at
the line."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import run

from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.project import FILE, NOTHING, project_above, with_project_mods
from tilewright.base.problem import RulesetError
from tilewright.cli.check_files import CheckResult, check_file
from tilewright.cli.check_jobs import Watch
from tilewright.lsp.server import in_project

RULESET = """tilewright: 1
kind: ruleset
id: mine
name: {en: Mine}
extends: standard
scoring: {measures: {points: {}}, best: points}
marks: {idle: {of: seat, start: false}}
patterns: {drawn: {name: {en: Drawn, ja: ツモ}, worth: 1, when: self_draw}}
cases:
  first: {hand: 234m 567p 88s 234s 22s, win_tile: 2s, self_draw: true, expect: {total: 1}}
"""
MOD = """tilewright: 1
kind: mod
id: dear
name: {en: Dear}
for: [mine]
change: {patterns: {drawn: {worth: 5}}}
"""
WRONG = {
    "a key": "pathes = [\"rules\"]  # 1 unknown-key: did you mean 'paths'?",
    "a list": 'paths = "rules"  # 1 wrong-type: None',
    "a list of texts": "mods = [1]  # 1 wrong-type: None",
    "a path": 'paths = [\n  "rules",\n  "rule",  # 4 no-such-document: None\n]',
    "a language": 'language = "de"  # 13 not-one-of: write en, zh, ja',
    "the type of a language": "language = 3  # 1 wrong-type: None",
    "a code": "[severity]\nunused-mrk = \"off\"  # 1 unknown-key: did you mean 'unused-mark'?",
    "a level": '[severity]\n"case-fails" = "warn"  # 17 not-one-of: did you mean \'warning\'?',
    "the type of a level": "severity = {case-fails = 3} # 1 wrong-type: None",
    "severity": 'severity = "off"  # 1 wrong-type: None',
    "a table": "[severty]  # 2 unknown-key: did you mean 'severity'?",
    "no text": "paths = [rules]  # 10 not-toml: None",
    "no end": 'paths = ["rules"  # 1 not-toml: None',
    "twice": 'language = "en"\nlanguage = "ja"  # 16 not-toml: None',
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "mine.yaml").write_text(RULESET)
    (tmp_path / "rules" / "dear.yaml").write_text(MOD)
    return tmp_path


def told(folder: Path, text: str, *arguments: str) -> list[str]:
    """The lines that `check` prints of problems, with a project file."""
    (folder / FILE).write_text(text)
    done = run("check", *arguments)
    return [line for line in (done.stderr + done.stdout).splitlines() if re.match(r"\S+:\d+:\d+: ", line)]


def test_without_one_there_is_nothing(folder: Path) -> None:
    assert project_above(folder / "rules" / "mine.yaml") == NOTHING
    assert "name files or folders" in run("check").stderr and "name files or folders" in run("fmt").stderr


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_mistakes_have_places(text: str, folder: Path) -> None:
    (folder / FILE).write_text(text)
    with pytest.raises(RulesetError) as raised:
        project_above(folder / "rules")
    found = [(one.place and (one.place.line, one.place.column), one.code, one.hint) for one in raised.value.problems]
    lines = enumerate(text.splitlines(), 1)
    wanted = [(number, match) for number, line in lines if (match := re.search(r"# (\d+) ([\w-]+): (.*)", line))]
    assert found == [((number, int(m[1])), m[2], None if m[3] == "None" else m[3]) for number, m in wanted]
    assert all(one.place and one.place.source.name == FILE for one in raised.value.problems)


def test_it_says_what_is_checked_and_laid_out(folder: Path) -> None:
    (folder / FILE).write_text('paths = ["rules/mine.yaml"]\n')
    assert "1 file checked" in run("check").stdout
    (folder / FILE).write_text("")
    assert "2 files checked" in run("check").stdout and run("fmt", "--check").returncode == 0
    (folder / "rules" / "mine.yaml").write_text(RULESET.replace("worth: 1,", "worth:   1,"))
    assert "would format rules/mine.yaml" in run("fmt", "--check").stdout


def test_severities_are_those_of_the_project(folder: Path) -> None:
    (file := folder / "rules" / "mine.yaml").write_text(RULESET.replace("total: 1", "total: 2"))
    ((mark, fails),) = ([one.code for one in check_file(str(file), RulesChoice()).problems],)
    assert (mark, fails) == ("unused-mark", "case-fails")
    off = '[severity]\nunused-mark = "off"\ncase-fails = "off"\n'
    assert told(folder, off, "rules/mine.yaml") == [] and run("check", "rules/mine.yaml").returncode == 0
    for level, code in (("warning", 0), ("note", 0), ("error", 1)):
        (folder / FILE).write_text(f'[severity]\nunused-mark = "off"\ncase-fails = "{level}"\n')
        done = run("check", "rules/mine.yaml")
        assert done.returncode == code and f"1 {level}" in done.stdout
        assert run("check", "rules/mine.yaml", "--fail-on", "warning").returncode == (level != "note")


def test_what_keeps_a_document_from_being_used_stays_an_error(folder: Path) -> None:
    (folder / "rules" / "mine.yaml").write_text(RULESET.replace("when: self_draw", "when: self_dra"))
    (line,) = told(folder, '[severity]\nunknown-word = "off"\n', "rules/mine.yaml")
    assert "unknown-word" in line and "cannot change the severity" in run("check", "rules/mine.yaml").stderr


def test_rulesets_are_tried_with_its_mods(folder: Path) -> None:
    """Where these are for them, and unless others are chosen."""
    (folder / "rules" / "other.yaml").write_text(RULESET.replace("id: mine", "id: other"))
    (folder / FILE).write_text('mods = ["rules/dear.yaml"]\n')
    found = {name: with_project_mods(folder / "rules" / name, RulesChoice()).mods for name in os.listdir("rules")}
    assert found == {"mine.yaml": (str(folder / "rules" / "dear.yaml"),), "other.yaml": (), "dear.yaml": ()}
    chosen = RulesChoice.of([], ["no_flowers"])
    assert with_project_mods(folder / "rules" / "mine.yaml", chosen) == chosen
    assert "total should be 1, but is 5" in run("check", "rules/mine.yaml").stderr


def test_its_language_is_that_of_texts(folder: Path) -> None:
    (folder / FILE).write_text('language = "ja"\n')
    assert "ツモ" in run("rulebook", "rules/mine.yaml").stdout
    assert "ツモ" not in run("rulebook", "rules/mine.yaml", "--lang", "en").stdout


def test_editors_show_what_check_reports(folder: Path) -> None:
    file = folder / "rules" / "mine.yaml"
    found = check_file(str(file), RulesChoice()).problems
    assert [one.severity for one in in_project(file, found)] == ["warning"]
    (folder / FILE).write_text('[severity]\nunused-mark = "error"\n')
    assert [one.severity for one in in_project(file, found)] == ["error"]
    (folder / FILE).write_text('severty = "off"\n')
    wrong, mark = in_project(file, found)
    assert "tilewright.toml:1:1: unknown-key" in wrong.message and wrong.place and mark.code == "unused-mark"
    assert wrong.place.source.name == str(file)


# --- check --watch


def rounds(folder: Path, changes: list[tuple[str, str | None]]) -> Iterator[tuple[list[str], list[str]]]:
    """The files that each round checks, and the codes of their problems, while files change one after another."""
    left = iter(changes)

    def wait() -> None:
        name, text = next(left)
        file = folder / name
        file.write_text(text) if text is not None else file.unlink()

    def check_one(file: str) -> CheckResult:
        return check_file(file, RulesChoice())

    watch = Watch(lambda: sorted(str(path) for path in folder.glob("*.yaml")), check_one)
    for files in watch.rounds(wait):
        found = [watch.check(file) for file in files]
        yield [Path(file).name for file in files], [one.code for each in found for one in each.problems]


@pytest.mark.long
def test_what_changes_and_what_depends_on_it_is_checked_again(tmp_path: Path) -> None:
    for name, text in (
        ("mine.yaml", RULESET),
        ("dear.yaml", MOD + "not_inherited: [all]\n"),
        ("apart.yaml", RULESET.replace("mine", "apart")),
    ):
        (tmp_path / name).write_text(text.replace("marks: {idle: {of: seat, start: false}}\n", ""))
    changes = [
        ("apart.yaml", RULESET.replace("id: mine", "id: apart").replace("when: self_draw", "when: x")),
        ("mine.yaml", RULESET),
        ("notes.md", "nothing"),
        ("more.yaml", RULESET.replace("id: mine", "id: more")),
        ("more.yaml", None),
        (FILE, ""),
    ]
    going = rounds(tmp_path, changes)
    assert next(going)[0] == ["apart.yaml", "dear.yaml", "mine.yaml"]
    names, codes = next(going)
    assert "apart.yaml" in names and codes == ["unknown-word"]
    names, codes = next(going)
    assert set(names) >= {"dear.yaml", "mine.yaml"} and "unused-mark" in codes
    assert "more.yaml" in next(going)[0]  # notes.md is none that is looked at
    assert "more.yaml" not in next(going)[0]
    assert next(going)[0] == ["apart.yaml", "dear.yaml", "mine.yaml"]  # all are in the project
