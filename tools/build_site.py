"""The documentation as a site: `python tools/build_site.py FOLDER` builds it there, with Zensical.

In: `docs/` and what the site shows beside it: the README, CONTRIBUTING, the changelog and the club's folder become pages,
and so does the text of every bundled document; files of `deploy/` are copied. Links are written for a checkout, from
where a page stands in it. Out: HTML, as mkdocs.yml says; a warning is an error.
"""

import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONFIG = "mkdocs.yml"
PAGES = {
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/house-rules/README.md": "house-rules.md",
}
COPIED = ("deploy/Containerfile", "deploy/nginx.conf", "deploy/tilewright.service", "LICENSE")
DOCUMENTS = [path for folder in ("rulesets", "cards") for path in sorted((ROOT / folder).glob("*.yaml"))]
SOURCES = "sources.md"
UNSEARCHED = "---\nsearch: {exclude: true}\n---\n"  # what people look for is explained on other pages
LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)(?=[)#])")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def build(site: Path) -> None:
    """Build the site into a folder, which is made anew. Raises CalledProcessError for a warning, which was printed."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        write_pages(work / "docs")
        shutil.copy(ROOT / CONFIG, work / CONFIG)
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(work / CONFIG)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(done.stdout, done.stderr, sep="", file=sys.stderr)
        done.check_returncode()
        shutil.rmtree(site, ignore_errors=True)
        shutil.move(work / "site", site)


def write_pages(folder: Path) -> None:
    """All that the site is made of."""
    for place, content in contents():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def contents() -> Iterator[tuple[str, bytes]]:
    """What is where on the site, before it is built."""
    for path, place in places().items():
        source = ROOT / path
        if source in DOCUMENTS:
            text = source.read_text(encoding="utf-8").rstrip()
            yield place, f"{UNSEARCHED}# {source.name}\n\n```yaml\n{text}\n```\n".encode()
        elif source.suffix == ".md":
            yield place, with_links_of_the_site(source.read_text(encoding="utf-8"), path).encode()
        elif source.is_file():
            yield place, source.read_bytes()
    rows = [f"- [{path.parent.name}/{path.name}]({page_of(path)})" for path in DOCUMENTS]
    head = ["# Bundled documents", "", "The files themselves, to read and to begin from.", ""]
    yield SOURCES, "\n".join([*head, *rows, ""]).encode()


@cache
def places() -> Mapping[str, str]:
    """Where the files and folders of a checkout are on the site."""
    shown = {path: path for path in COPIED} | PAGES
    shown |= {f"{path.parent.name}/{path.name}": page_of(path) for path in DOCUMENTS}
    shown |= {path.parent.name: SOURCES for path in DOCUMENTS}
    return shown | {f"docs/{path.name}": path.name for path in (ROOT / "docs").iterdir()}


def page_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}.md"


def with_links_of_the_site(markdown: str, path: str) -> str:
    """The text of a file of the checkout, with links as they are on the site."""

    def moved(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link[0]))
        return places().get(target, link[0])

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(moved, part) for part in parts)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
