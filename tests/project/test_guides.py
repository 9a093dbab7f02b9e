"""The guides say what is true: their rulesets are checked, their commands run, and print what is printed there."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import run, run_line

from tilewright.cli.commands.authoring.check import check

pytestmark = pytest.mark.long

DOCS = Path(__file__).resolve().parents[2] / "docs"
HEAD = {
    "tilewright": "1",
    "kind": "ruleset",
    "id": "piece",
    "name": "{en: Piece}",
    "extends": "standard",
    "scoring": "{measures: {points: {}}, best: points}",
}


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """Every box of a page: its language and its text."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return iter(re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


def whole(piece: str) -> str:
    """A piece of a ruleset with the lines that make it one; a whole document as it is."""
    said = set(re.findall(r"^(\w+):", piece, re.MULTILINE))
    return "" if "kind" in said else "".join(f"{key}: {value}\n" for key, value in HEAD.items() if key not in said)


@pytest.mark.parametrize("piece", [text for language, text in blocks("guide.md") if language == "yaml"])
def test_each_piece_of_the_guide_is_right(
    piece: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    document = whole(piece) + piece
    (id,) = re.findall(r"^id: (\w+)$", document, re.MULTILINE)
    (tmp_path / f"{id}.yaml").write_text(document, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code = check([f"{id}.yaml"], fail_on="warning", set_=[], mod=[])
    assert code == 0, capfd.readouterr().err


@pytest.mark.parametrize(
    "page", ["first-game.md", "first-house-rule.md", "first-ruleset.md", "recipes.md", "sharing.md", "translating.md"]
)
def test_pages_step_by_step(page: str, tmp_path: Path) -> None:
    """Boxes of a file are added to it, in their order; commands are run, and print what stands below them."""
    for language, text in blocks(page):
        if language == "toml":
            continue
        if language == "yaml":
            name, _, lines = text.removeprefix("# ").partition("\n")
            (tmp_path / name).parent.mkdir(exist_ok=True)
            with (tmp_path / name).open("a", encoding="utf-8") as file:
                file.write(lines)
            continue
        for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
            assert run_line(command, tmp_path).stdout == printed, command


@pytest.mark.parametrize("page", ["python.md", "learning.md"])
def test_the_pages_about_python(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its boxes run one after another, and print what stands below them."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = ""
    for language, text in blocks(page):
        if language == "python":
            assert printed == ""
            exec(compile(text, page, "exec"), names)
            printed = capsys.readouterr().out
        else:
            assert printed == text
            printed = ""


@pytest.mark.slow
def test_the_page_about_simulations(tmp_path: Path) -> None:
    """Commands print what stands below them, where `...` is whatever is left out; the row is the first of its file."""
    for language, text in blocks("simulate.md"):
        for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
            said = run(*shlex.split(command)[1:], cwd=tmp_path).stdout
            assert re.fullmatch(re.escape(printed).replace(r"\.\.\.", "(?s:.*)"), said), said
        if language == "json":
            line = "simulate cantonese --games 1 --seed 7 --players careful --out -"
            assert json.loads(run(*line.split()).stdout) == json.loads(text)


def test_many_hands_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = [text for language, text in blocks("many-hands.md") if language == "python"]
    exec(compile(code, "many-hands.md", "exec"), {})
    assert capsys.readouterr().out.startswith("[")


def test_every_page_is_in_the_index() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (DOCS / "README.md").read_text(encoding="utf-8")))
    assert listed == {page.name for page in DOCS.glob("*.md")} - {"README.md"}


def test_the_programs_about_tables_run() -> None:
    """The boxes of one page, one after another."""
    names: dict[str, object] = {}
    for language, text in blocks("tables.md"):
        if language == "python":
            exec(compile(text, "tables.md", "exec"), names)
    assert names["game"] is not None
