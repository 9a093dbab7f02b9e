"""What the README and the folder of the club say is run: its Python, its mod, every command."""

import re
import shutil
from pathlib import Path

import pytest
from commands import run, run_line

import tilewright

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
CLUB = ROOT / "examples/house-rules"
README = (ROOT / "README.md").read_text(encoding="utf-8")
MOST_LINES_OF_A_HOUSE_RULE = 15


def blocks(file: Path, language: str) -> list[str]:
    """The code blocks of a Markdown file in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", file.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Every call of the command that the README of the project or of the club shows."""
    shown = "".join(block for file in (ROOT / "README.md", CLUB / "README.md") for block in blocks(file, "console"))
    return [line.split("  #")[0].strip() for line in re.findall(r"^\$ tilewright (.*)$", shown, re.MULTILINE)]


def test_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks(ROOT / "README.md", "python")
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == [
        "All Triplets 30",
        "Three Concealed Triplets 30",
        "Self Drawn 5",
        "Wind Triplet 5",
        "70 points {'E': 210, 'S': -70, 'W': -70, 'N': -70}",
    ]


def test_the_house_rule_of_the_readme(tmp_path: Path) -> None:
    (text,) = blocks(ROOT / "README.md", "yaml")
    assert text.count("\n") < MOST_LINES_OF_A_HOUSE_RULE
    assert text == (CLUB / "dragon_pairs.yaml").read_text(encoding="utf-8")
    shutil.copy(CLUB / "harbour_club.yaml", tmp_path)
    (tmp_path / "dragon_pairs.yaml").write_text(text, encoding="utf-8")
    club, mod = str(tmp_path / "harbour_club.yaml"), str(tmp_path / "dragon_pairs.yaml")
    hand = "CC FF PP 77p 33s EE 5s"
    before = tilewright.load(club).score(hand, win="5s")
    after = tilewright.load(club, mods=[mod]).score(hand, win="5s")
    assert ("seven_pairs", 4) in [(pattern.id, pattern.worth) for pattern in before.patterns]
    assert ("dragon_pairs", 3) in [(pattern.id, pattern.worth) for pattern in after.patterns]
    assert "seven_pairs" not in [pattern.id for pattern in after.patterns]
    orphans = tilewright.load(club, mods=[mod]).score("19m 19p 19s ESWN CFP", win="9s")
    assert orphans.total == 64


@pytest.mark.parametrize(
    "command", [pytest.param(one, marks=pytest.mark.slow) if one.startswith("simulate") else one for one in commands()]
)
def test_commands_of_the_readme_run(command: str, tmp_path: Path) -> None:
    folder = shutil.copytree(CLUB, tmp_path / "club")
    for name, text in re.findall(r"^```text (\S+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(text, encoding="utf-8")
    if command.startswith("new "):
        (folder / f"{command.split()[2]}.yaml").unlink()
    done = run_line(f"tilewright {command}", folder)
    assert done.returncode == 0, done.stdout


def test_commands_that_the_readme_lists_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `tilewright (\w+)", text, re.MULTILINE))
    help = run("--help").stdout
    assert listed and listed <= set(re.findall(r"^  ([a-z]+)  ", help.split("Write rules:")[1], re.MULTILINE))


def test_links_of_the_documentation_lead_somewhere() -> None:
    for file in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", CLUB / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", file.read_text(encoding="utf-8")):
            assert (file.parent / target).exists(), f"{file.name}: {target}"
