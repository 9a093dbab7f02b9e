"""The documentation as a site: built without a warning, whole, and served with its scripts."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from conftest import ROOT
from starlette.applications import Starlette

from tilewright.web import static_files as documentation
from tilewright.web.static_files import Statics, files_below

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("test_site")]  # which is built once


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make site` does; a warning fails."""
    folder = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, ROOT / "tools/build_site.py", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return folder


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


Ask = Callable[[str], Answer]


def asking(folder: Path) -> Ask:
    """What the server answers to a path, where the site is in a folder."""
    app = Starlette(routes=documentation.ROUTES)
    app.state.site = Statics(lambda: files_below(folder))

    def ask(path: str) -> Answer:
        said: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b""}

        async def send(message: Any) -> None:
            said.append(message)

        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b"", "root_path": ""}
        with ThreadPoolExecutor(1) as thread:  # a browser's test has a loop of its own
            thread.submit(asyncio.run, app(scope, receive, send)).result()
        headers = {name.decode(): value.decode() for name, value in said[0]["headers"]}
        return Answer(said[0]["status"], headers, b"".join(part.get("body", b"") for part in said[1:]))

    return ask


@pytest.fixture(scope="module")
def ask(site: Path) -> Ask:
    return asking(site)


def test_every_page_and_every_bundled_document_is_there(site: Path) -> None:
    pages = [f"{page.stem}.html" for page in (ROOT / "docs").glob("*.md") if page.stem != "README"]
    documents = [
        path.relative_to(ROOT).with_suffix(".html").as_posix()
        for pattern in ("rulesets/*/*.yaml", "cards/*.yaml")
        for path in ROOT.glob(pattern)
        if "." not in path.stem
    ]
    shown = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert {"index.html", "readme.html", "contributing.html", "house-rules.html", *pages, *documents} <= shown


def test_links_lead_somewhere_and_nothing_comes_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r'(?:href|src)="(?!https?:|data:|#|mailto:)([^"#?]+)', text):
            found = site / target[1:] if target.startswith("/") else page.parent / target
            assert found.exists(), f"{page.name}: {target}"
        loaded = re.findall(
            r'<(?:script|img|iframe)[^>]* src="(https?:[^"]+)|<link[^>]*stylesheet[^>]* href="(https?:[^"]+)', text
        )
        assert not loaded, page.name


def test_the_server_shows_it(ask: Ask) -> None:
    assert ask("/docs").headers["location"] == "/docs/"
    front = ask("/docs/")
    text, policy = front.body.decode(), front.headers["content-security-policy"]
    assert "In twenty minutes" in text and "script-src 'self' 'sha256-" in policy
    assert policy.count("'sha256-") == text.count("<script>")
    assert ask("/docs/guide.html").headers["content-type"].startswith("text/html")
    assert ask("/docs/nothing.html").status == ask("/docs/../../pyproject.toml").status == 404


def test_where_it_was_not_built_the_server_says_how(tmp_path: Path) -> None:
    answer = asking(tmp_path)("/docs/")
    assert answer.status == 404 and b"`make site` builds it" in answer.body


def test_scripts_of_the_site_run_under_its_policy(ask: Ask, chromium: Any) -> None:
    """In a browser: no error, and the search finds."""

    def answer(route: Any) -> None:
        found = ask(urlsplit(route.request.url).path)
        route.fulfill(status=found.status, headers=found.headers, body=found.body)

    context = chromium.new_context()
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    context.route("**/*", answer)
    page.goto("http://tilewright.test/docs/")
    page.locator("button", has_text="Search").first.click()
    page.keyboard.type("dead wall")
    page.get_by_text("Where the sources are silent").first.wait_for()
    assert not said
    context.close()
