"""Whatever is written as HTML, SVG or Markdown shows texts of strangers as text: none of them becomes an element."""

import re
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import run
from conftest import ROOT
from hostile_texts import BROKEN_CARD, CARD, MARK, ruleset_of
from markdown_it import MarkdownIt
from web_server import somebody

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("test_markup")]  # what commands write is written once

WRITTEN = {  # each file with the command that writes it
    "rulebook.html": "rulebook hostile.yaml",
    "rulebook.md": "rulebook hostile.yaml",
    "score-card.html": "rulebook hostile.yaml --card",
    "score-card.svg": "rulebook hostile.yaml --card",
    "played-card.html": "rulebook american --mod card.txt",
    "played-card.md": "rulebook american --mod card.txt",
    "played-card-score-card.html": "rulebook american --mod card.txt --card",
    "comparison.html": "diff hostile.yaml changed.yaml --hands 2 --games 0",
    "report.html": "report hostile.yaml --games 1 --jobs 1 --players random --compare changed.yaml",
    "card.html": "card show card.txt",
    "card.svg": "card show card.txt",
    "broken-card.html": "card show broken.txt",
    "broken-card.svg": "card show broken.txt",
}
FOREIGN = {"img", "script", "b", "iframe"}  # elements that no page has


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of a stranger, and every file that is written of them."""
    folder = tmp_path_factory.mktemp("markup")
    head = {"publisher": "stranger", "version": "1.0.0", "license": "MIT", "authors": [MARK, "b"]}
    packed, packs = folder / "packed", folder / "packs"
    packed.mkdir()
    packs.mkdir()
    for place, more in ((folder, {}), (packed, head)):
        (place / "hostile.yaml").write_text(ruleset_of(MARK, **more), encoding="utf-8")
        (place / "card.txt").write_text(CARD, encoding="utf-8")
    (folder / "broken.txt").write_text(BROKEN_CARD, encoding="utf-8")
    (folder / "changed.yaml").write_text(ruleset_of(f"{MARK}!", version="2"), encoding="utf-8")
    for name, command in WRITTEN.items():
        done = run(*command.split(), "-o", name, cwd=folder)
        assert (folder / name).is_file(), (name, done.stderr)
    done = run("pack", "packed", "-o", "packs/stranger.zip", cwd=folder)
    assert done.returncode == 0, done.stderr
    run("index", "packs", "--title", MARK, "--address", MARK, cwd=folder)
    return folder


class Shown(HTMLParser):
    """The elements, names of attributes, links and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements, self.attributes, self.links, self.text = set[str](), set[str](), set[str](), ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links |= {value or "" for name, value in attrs if name in ("href", "src", "xlink:href")}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_nobody_escapes_by_hand() -> None:
    for module in (path for folder in ("engine", "tools", "benchmarks") for path in (ROOT / folder).rglob("*.py")):
        assert not re.search(r"^(from html import|import html\b)", module.read_text("utf-8"), re.MULTILINE), module


def pages_of(file: Path) -> list[str]:
    """The file as HTML; a text in Markdown as two programs show it."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return [MarkdownIt("commonmark").render(text), import_module("markdown").markdown(text, extensions=["tables"])]
    return [text]


def test_texts_of_strangers_are_text(folder: Path) -> None:
    files = [folder / name for name in WRITTEN] + sorted((folder / "packs").glob("*.html"))
    assert {file.name for file in files} >= {"index.html", "stranger-hostile.html", "stranger-card.html"}
    for file in files:
        for page in pages_of(file):
            shown = Shown(page)
            assert not shown.elements & FOREIGN, file.name
            assert not {name for name in shown.attributes if name.startswith("on")}, file.name
            assert not {link for link in shown.links if "script" in link}, file.name
            assert "<img" in shown.text and "alert(1)" in shown.text, file.name
        if file.suffix == ".svg":
            assert ElementTree.fromstring(file.read_bytes()) is not None


def test_a_browser_runs_nothing_of_them(folder: Path, chromium: Any) -> None:
    page, dialogs = somebody(chromium).new_page(), list[str]()
    page.on("dialog", lambda one: (dialogs.append(one.message), one.dismiss()))
    for file in (*folder.glob("*.html"), *folder.glob("*.svg"), *(folder / "packs").glob("*.html")):
        page.goto(file.as_uri())
        assert page.evaluate("document.querySelectorAll('img, script, iframe').length") == 0, file.name
        assert not dialogs, file.name
