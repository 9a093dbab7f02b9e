"""The documentation as a site: `python tools/build_site.py FOLDER` builds it there, with Zensical.

In: `docs/` and what the site shows beside it: the README, CONTRIBUTING, the changelog and the club's folder become
pages, and so does every bundled document, with its texts and cases; files of `deploy/` are copied. Links are written
for a checkout, from where a page stands in it. Out: HTML, as mkdocs.yml says; a warning is an error.
"""

import os
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
BUNDLED = [path for pattern in ("rulesets/*/*.yaml", "cards/*.yaml") for path in sorted(ROOT.glob(pattern))]
DOCUMENTS = [path for path in BUNDLED if "." not in path.stem]  # the others are texts and cases of these
SOURCES = "sources.md"
UNSEARCHED = "---\nsearch: {exclude: true}\n---\n"  # what people look for is explained on other pages
LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)(?=[)#])")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def build(site: Path) -> None:
    """Build the site into a folder, which is made anew. Exits with the warnings, if there are any."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        write_pages(work / "docs")
        shutil.copy(ROOT / CONFIG, work / CONFIG)
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(work / CONFIG)]
        done = subprocess.run(command, env=os.environ | {"NO_COLOR": "1"}, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}")
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
            files = [source, *(path for path in BUNDLED if path.match(f"{source.parent.name}/{source.stem}.*.yaml"))]
            yield place, (UNSEARCHED + "\n#".join(map(shown, files))).encode()
        elif source.suffix == ".md":
            yield place, with_links_of_the_site(source.read_text(encoding="utf-8"), path).encode()
        elif source.is_file():
            yield place, source.read_bytes()
    rows = [f"- [{path.relative_to(ROOT)}]({page_of(path)})" for path in DOCUMENTS]
    head = ["# Bundled documents", "", "The files themselves, to read and to begin from.", ""]
    yield SOURCES, "\n".join([*head, *rows, ""]).encode()


@cache
def places() -> Mapping[str, str]:
    """Where the files and folders of a checkout are on the site."""
    found = {path: path for path in COPIED} | PAGES
    found |= {str(path.relative_to(ROOT)): page_of(path) for path in DOCUMENTS}
    found |= dict.fromkeys(("rulesets", "cards", "rulesets/bases", "rulesets/mods"), SOURCES)
    return found | {f"docs/{path.name}": path.name for path in (ROOT / "docs").iterdir()}


def page_of(path: Path) -> str:
    return str(path.relative_to(ROOT).with_suffix(".md"))


def shown(path: Path) -> str:
    """A file of YAML as a section of a page."""
    text = path.read_text(encoding="utf-8").rstrip()
    return f"# {path.name}\n\n```yaml\n{text}\n```\n"


def with_links_of_the_site(markdown: str, path: str) -> str:
    """The text of a file of the checkout, with links as they are on the site."""

    def moved(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link[0]))
        return places().get(target, link[0])

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(moved, part) for part in parts)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
