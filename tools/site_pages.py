"""Hooks of mkdocs: what the site shows beside `docs/`, and links that lead there.

The README, CONTRIBUTING, the changelog and the club's folder become pages, and so does the text of every bundled
document; files of `deploy/` are copied. Links are written for a checkout, from where a page stands in it.
"""

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/house-rules/README.md": "house-rules.md",
}
COPIED = ("deploy/Containerfile", "deploy/nginx.conf", "deploy/tilewright.service", "LICENSE")
DOCUMENTS = ("rulesets", "cards")
SOURCES = "sources.md"
UNSEARCHED = "---\nsearch: {exclude: true}\n---\n"  # what people look for is explained on other pages
LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)(?=[)#])")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def places() -> Mapping[str, str]:
    """Where the files of a checkout are on the site."""
    shown = {path: path for path in COPIED} | PAGES
    for folder in DOCUMENTS:
        shown |= {f"{folder}/{path.name}": page_of(path) for path in documents(folder)} | {folder: SOURCES}
    return shown | {f"docs/{path.name}": path.name for path in (ROOT / "docs").iterdir()}


def documents(folder: str) -> list[Path]:
    return sorted((ROOT / folder).glob("*.yaml"))


def page_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}.md"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and files that are not in `docs/`."""
    for path, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / path)))
    for path in COPIED:
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    listed = [path for folder in DOCUMENTS for path in documents(folder)]
    for path in listed:
        files.append(File.generated(config, page_of(path), content=source_page(path)))
    files.append(File.generated(config, SOURCES, content=list_of_sources(listed)))
    return files


def source_page(path: Path) -> str:
    return f"{UNSEARCHED}# {path.name}\n\n```yaml\n{path.read_text(encoding='utf-8').rstrip()}\n```\n"


def list_of_sources(paths: list[Path]) -> str:
    """A page with a line for each bundled document."""
    rows = [f"- [{path.parent.name}/{path.name}]({page_of(path)})" for path in paths]
    return "\n".join(["# Bundled documents", "", "The files themselves, to read and to begin from.", "", *rows, ""])


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The text with links as they are on the site."""
    here = next((path for path, shown in PAGES.items() if shown == page.file.src_uri), f"docs/{page.file.src_uri}")
    if page.file.generated_by is not None and page.file.src_uri not in PAGES.values():
        return markdown
    known = places()

    def moved(link: Any) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(here), link[0]))
        return known.get(target, link[0])

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(moved, part) for part in parts)
