"""The server's pages, files and requests: what browsers keep and for how long, what a page may do, what is refused."""

import gzip
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from processes import HANGS
from starlette.requests import Request as StarletteRequest
from web_client import FAST, PERSON, page
from web_server import Server

from tilewright.web.app import failed
from tilewright.web.static_files import FOLDER, PAGES

KINDS = {path.suffix: f"/static/{path.relative_to(FOLDER).as_posix()}" for path in sorted(FOLDER.rglob("*.*"))}
PARTS = (*KINDS.values(), "/static/messages/en/base.json")  # a file of each kind


def asked(
    server: Server, path: str, key: str | None = None, method: str = "GET", body: Any = None, **headers: str
) -> tuple[int, Mapping[str, str], bytes]:
    """Status, headers (by small letters) and content of an answer."""
    more = {"Authorization": f"Bearer {key}"} if key else {}
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(server.url + path, data, {**more, **named}, method=method)
    try:
        with urlopen(request, timeout=HANGS) as answer:
            return answer.status, lowered(answer.headers), answer.read()
    except HTTPError as error:
        return error.code, lowered(error.headers), error.read()


def lowered(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


# --- pages and files


@pytest.mark.parametrize("path", PAGES)
def test_every_address_is_the_one_page(web_server: Server, path: str) -> None:
    status, headers, content = asked(web_server, re.sub(r"\{\w+\}", "KDMWQ", path))
    assert (status, headers["content-type"], headers["cache-control"]) == (200, "text/html; charset=utf-8", "no-cache")
    assert b'<div id="app">' in content
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_an_address_that_leads_nowhere_is_the_page_too(web_server: Server) -> None:
    status, _, content = asked(web_server, "/nowhere/at/all")
    assert (status, b'<div id="app">' in content) == (404, True)
    status, _, content = asked(web_server, "/api/nowhere")
    assert (status, json.loads(content)["error"]["code"]) == (404, "unknown")
    assert asked(web_server, "/api/health", method="POST", body={})[0] == 405


def test_files_are_kept_for_ever_under_their_version(web_server: Server) -> None:
    _, headers, content = asked(web_server, "/")
    links = re.findall(r'"(/static/[^"]+)"', content.decode())
    assert links
    for link in links:
        status, file, small = asked(web_server, link, Accept_Encoding="gzip")
        assert status == 200, link
        assert "immutable" in file["cache-control"]
        plain_link = re.sub("/~[0-9a-f]+/", "/", link)
        _, plain, whole = asked(web_server, plain_link)
        assert plain["cache-control"] == "no-cache"
        assert (gzip.decompress(small) if file.get("content-encoding") else small) == whole
        assert asked(web_server, plain_link, If_None_Match=plain["etag"])[0] == 304
    old = re.sub("~[0-9a-f]+", "~0123456789ab", links[0])
    assert asked(web_server, old)[1]["cache-control"] == "no-cache"
    assert asked(web_server, "/", If_None_Match=headers["etag"])[0] == 304


@pytest.mark.parametrize("path", ["../app.py", "%2e%2e/app.py", "..%2fapp.py", "js", "", "~1/../../app.py", "none.js"])
def test_no_other_file_is_given_out(web_server: Server, path: str) -> None:
    assert asked(web_server, f"/static/{path}")[0] == 404


@pytest.mark.parametrize("path", [*PARTS, "/nowhere", "/api/nowhere", "/api/health", "/static/none.js", "/worker.js"])
def test_nothing_is_taken_for_another_type(web_server: Server, path: str) -> None:
    """Every answer is what its type says, to a browser that has it already, too; a policy comes with whatever a browser
    may show as a page."""
    _, headers, _ = asked(web_server, path)
    kept = asked(web_server, path, If_None_Match=headers.get("etag", "none"))[1]
    assert headers["x-content-type-options"] == kept["x-content-type-options"] == "nosniff"
    is_part = headers["content-type"].startswith(("text/javascript", "text/css", "application/json", "font/"))
    assert ("content-security-policy" in headers) != is_part


@pytest.mark.anyio
async def test_a_failure_of_ours_is_not_taken_for_another_type() -> None:
    response = await failed(StarletteRequest({"type": "http"}), ValueError())
    assert (response.status_code, response.headers["x-content-type-options"]) == (500, "nosniff")


# --- requests


@pytest.mark.anyio
async def test_a_person_keeps_name_and_settings(web_server: Server) -> None:
    async with page(web_server.socket, name="Ann") as ann:
        assert json.loads(asked(web_server, "/api/me", ann.key)[2]) == {"name": "Ann", "settings": {}}
        body = {"name": " Anna\n", "settings": {"theme": "dark"}}
        assert json.loads(asked(web_server, "/api/me", ann.key, "PUT", body)[2]) == {
            "name": "Anna",
            **{"settings": {"theme": "dark"}},
        }
        for wrong in ({"name": 5}, {"name": "\u200f"}, {"settings": []}, [], b"{", b"\xff", b"[" * 10_000):
            status, _, content = asked(web_server, "/api/me", ann.key, "PUT", wrong)
            assert (status, json.loads(content)["error"]["code"]) == (400, "bad-message"), wrong
        large = {"settings": {"x": "y" * 20_000}}
        assert asked(web_server, "/api/me", ann.key, "PUT", large)[0] == 413
        assert json.loads(asked(web_server, "/api/me", ann.key)[2])["settings"] == {"theme": "dark"}


@pytest.mark.parametrize("key", [None, "short", "x" * 40, "x" * 500, "'; DROP TABLE people; --" + "x" * 40])
def test_whoever_is_not_known_is_told_so(web_server: Server, key: str | None) -> None:
    status, _, content = asked(web_server, "/api/me", key)
    assert (status, json.loads(content)["error"]["code"]) == (401, "unknown-person")


@pytest.mark.anyio
async def test_a_table_is_told_to_whoever_has_its_code(web_server: Server) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        table = await ann.make({"ruleset": {"id": "cantonese"}}, [PERSON, PERSON, FAST, FAST], sit=1)
        mine = json.loads(asked(web_server, f"/api/tables/{table.code.lower()}", ann.key)[2])
        assert (mine["me"], mine["host"], mine["state"]) == (1, True, "waiting")
        other = json.loads(asked(web_server, f"/api/tables/{table.code}", bob.key)[2])
        assert (other["me"], other["host"]) == (None, False)
        status, _, content = asked(web_server, "/api/tables/BBBBB", ann.key)
        assert (status, json.loads(content)["error"]["code"]) == (404, "unknown-table")


def test_the_server_says_that_it_is_well(web_server: Server) -> None:
    status, headers, content = asked(web_server, "/api/health")
    assert (status, json.loads(content)["ok"], headers["cache-control"]) == (200, True, "no-store")


def test_who_asks_for_too_much_has_to_wait(start_server: Callable[[], Server]) -> None:
    server = start_server()
    for _ in range(1_000):
        status, headers, content = asked(server, "/api/nowhere")
        if status == 429:
            assert headers["retry-after"]
            assert json.loads(content)["error"]["code"] == "too-fast"
            return
    raise AssertionError("never refused")
