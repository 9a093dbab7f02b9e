"""Kept results of `check`: what was checked is known while nothing that it depends on changes, and is printed alike."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Done, on_terminal, run, run_process

from tilewright.authoring.open_rules import RulesChoice
from tilewright.cli import check_files
from tilewright.cli.check_files import CheckResult
from tilewright.language.documents.library import path_of

pytestmark = pytest.mark.long
HEAD = "tilewright: 1\nkind: {kind}\nid: {id}\nname: {{en: Mine}}\n"
PATTERN = (
    "patterns:\n  pungs:\n    name: Pungs\n    worth: {worth}\n    when: {{has: [4 triplets]}}\n"
    "    examples: [{{hand: 222m 333m 444m 555p 8s, win: 8s, yes: true}}]\n"
)
SCORING = "scoring: {measures: {points: {}}, best: points}\n"
CASE = {"hand": "222m 333m 444m 555p 8s", "win_tile": "8s"}
FILES = {
    "own.yaml": HEAD.format(kind="base", id="own") + "extends: standard\n" + SCORING,
    "game.yaml": HEAD.format(kind="ruleset", id="game") + "extends: own\n" + PATTERN.format(worth=1),
    "more.yaml": HEAD.format(kind="mod", id="more") + "for: [game]\nchange: {patterns: {pungs: {worth: 2}}}\n",
    "game.jsonl": json.dumps({**CASE, "expect": {"total": 1}}) + "\n",
}
KINDS = ("own.yaml", "game.yaml", "more.yaml", "game.jsonl")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a base, a ruleset, a mod and cases, and a cache of its own."""
    (tmp_path / ".cache").mkdir(mode=0o700)  # a folder that gets it meanwhile is not as it was looked at
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / ".cache"))
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were checked, and not known."""
    found: list[str] = []
    before = check_files.check_file

    def noted(file: str, choices: RulesChoice, *, own: bool) -> CheckResult:
        found.append(Path(file).name)
        return before(file, choices, own=own)

    monkeypatch.setattr(check_files, "check_file", noted)
    return found


def same(done: Done) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


def write(name: str, old: str, new: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text((folder / name).read_text().replace(old, new, 1))


def add(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


CHANGES: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "nothing": (lambda folder: None, set()),
    "only its time": (lambda folder: os.utime(folder / "game.yaml"), set()),
    "an unrelated text": (
        add("notes.md", "# Notes\n"),
        {*KINDS},
    ),  # what is beside them may be texts of theirs
    "the ruleset": (write("game.yaml", "worth: 1", "worth: 3"), {"game.yaml", "more.yaml", "game.jsonl"}),
    "a comment": (write("game.yaml", "name:", "# said\nname:"), {"game.yaml", "more.yaml", "game.jsonl"}),
    "its base": (write("own.yaml", "best: points", "best: point"), {*KINDS}),
    "the mod": (write("more.yaml", "worth: 2", "worth: two"), {"more.yaml"}),
    "the cases": (write("game.jsonl", '"total": 1', '"total": 2'), {"game.jsonl"}),
    "a base beside, for a bundled one": (
        lambda folder: shutil.copy(path_of("standard"), folder),
        {*KINDS, "standard.yaml"},
    ),
    "a ruleset for the mod": (
        add("other.yaml", HEAD.format(kind="ruleset", id="other") + "extends: game\n"),
        {*KINDS, "other.yaml"},
    ),
    "no mod": (lambda folder: (folder / "more.yaml").unlink(), {*KINDS} - {"more.yaml"}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_depends_on_a_change_is_checked_again(change: str, folder: Path, checked: list[str]) -> None:
    first = run("check", ".", cwd=folder)
    assert first.returncode == 0 and set(checked) == {*KINDS}
    checked.clear()
    act, again = CHANGES[change]
    act(folder)
    now = run("check", ".", cwd=folder)
    assert set(checked) == again
    checked.clear()
    assert same(now) == same(run("check", ".", "--no-cache", cwd=folder))
    assert set(checked) == {path.name for path in folder.iterdir() if path.suffix in (".yaml", ".jsonl")}


@pytest.mark.parametrize("format", ["text", "json", "github", "sarif", "junit"])
def test_what_is_known_is_printed_alike(format: str, folder: Path, checked: list[str]) -> None:
    """Also problems, with the lines that they are in."""
    add("bad.yaml", HEAD.format(kind="ruleset", id="bad") + "extends: own\nterms: {odd: nobody}\n")(folder)
    write("game.yaml", "worth: 1", "worth: 4\n    examples_: 1")(folder)
    write("more.yaml", "for: [game]", "for: [gamee]")(folder)
    found = [same(run("check", ".", "--format", format, *more, cwd=folder)) for more in ([], [], ["--no-cache"])]
    assert found[0] == found[1] == found[2] and found[0][0] == 1
    assert len(checked) == 2 * len(list(folder.glob("*.yaml")) + list(folder.glob("*.jsonl")))


def test_choices_and_folders_have_results_of_their_own(folder: Path, checked: list[str]) -> None:
    for arguments, cwd in [
        (["game.yaml"], folder),
        (["game.yaml", "--mod", "more"], folder),
        ([f"{folder.name}/game.yaml"], folder.parent),
    ]:
        for _ in range(2):
            assert run("check", *arguments, cwd=cwd).returncode == 0
    assert checked == ["game.yaml"] * 3


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:60] + bytes([content[60] ^ 1]) + content[61:],
        lambda content: b"something else entirely",
    ],
)
def test_a_damaged_entry_is_passed_over(damage: Callable[[bytes], bytes], folder: Path, checked: list[str]) -> None:
    first = run("check", "game.yaml", cwd=folder)
    for entry in (folder / ".cache").glob("*.check"):
        entry.write_bytes(damage(entry.read_bytes()))
    assert same(run("check", "game.yaml", cwd=folder)) == same(first)
    assert checked == ["game.yaml"] * 2


def test_what_is_changed_while_it_is_checked_is_not_kept(
    folder: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = check_files.check_file

    def meanwhile(file: str, choices: RulesChoice, *, own: bool) -> CheckResult:
        found = before(file, choices, own=own)
        write("game.yaml", "worth: 1", "worth: one")(folder)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(check_files, "check_file", meanwhile)
        assert run("check", "game.yaml", cwd=folder).returncode == 0
    assert run("check", "game.yaml", cwd=folder).returncode == 1


def test_several_processes_find_the_same(folder: Path) -> None:
    add("bad.yaml", HEAD.format(kind="ruleset", id="bad") + "extends: own\nterms: {odd: nobody}\n")(folder)
    one = run("check", ".", "--no-cache", cwd=folder)
    several = run_process("check", ".", "--jobs", "2", cwd=folder)
    assert same(one) == same(several) and one.returncode == 1
    assert len(list((folder / ".cache").glob("*.check"))) == len(KINDS) + 1
    assert same(run("check", ".", "--jobs", "2", cwd=folder)) == same(one)


def test_a_terminal_shows_what_is_checked(folder: Path) -> None:
    said = on_terminal("check", str(folder / "game.yaml"), str(folder / "own.yaml"))
    assert "1 of 2: " in said and "2 of 2: " in said and "2 files checked" in said
