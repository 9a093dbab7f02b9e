"""Absurd values in every field and in every part of an address, from the declared routes and classes: each request is
answered, and none with a failure of ours."""

import base64
import http.client
import json
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address
from itertools import count
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from budget import budget
from msgspec import Struct, inspect
from starlette.routing import Route, WebSocketRoute
from web_asking import Asker, asker
from web_server import Server, serving
from websockets.sync.client import connect

from tilewright.web import requests
from tilewright.web.app import routes
from tilewright.web.protocol.messages import KINDS
from tilewright.web.protocol.spec import Spec

pytestmark = pytest.mark.slow

DIGITS = "9" * 400
VALUES = (
    *("null", "true", "-1", "0", "1e308", "1e400", "-0.0", "0.1", DIGITS, f"-{DIGITS}", "9" * 5_000, f"1.{DIGITS}"),
    *("9223372036854775807", "9223372036854775808", '""', '"\\u0000"', '"\\ud800"', '"\\u202e"', f'"{DIGITS}"'),
    *("[]", "{}", "[[]]", '[{"a": [null]}]', '{"": {"": []}}', '["", 1, null]', "[" * 500 + "]" * 500),
)
SHARE = 3 // min(3, budget(1))  # a third of the values for each field, all in `make soak`
PARTS = ("0", "-1", DIGITS, "9" * 5_000, "1e9", "\0", "\ud800", "..", "x" * 3_000, "٣", "²", "%", "' OR 1=1 --")
BODIES = {
    ("PUT", "/api/me"): requests.ChangePerson,
    ("POST", "/api/about"): requests.AskAbout,
    ("POST", "/api/rulebook"): requests.AskRulebook,
    ("POST", "/api/own-rules"): requests.AskRulebook,
    ("POST", "/api/packs"): requests.ImportPack,
    ("POST", "/api/cards"): requests.SaveText,
    ("PUT", "/api/cards/{id}"): requests.SaveText,
    ("PUT", "/api/documents/{id}"): requests.SaveText,
    ("POST", "/api/documents"): requests.NewDocument,
    ("POST", "/api/cards/draw"): requests.DrawCard,
    ("POST", "/api/cards/process"): requests.CountDraws,
    ("POST", "/api/cards/hands"): requests.ListHands,
    ("POST", "/api/cards/import"): requests.ImportCard,
    ("POST", "/api/cards/export"): requests.ExportCard,
    ("POST", "/api/workshop/check"): requests.CheckText,
    ("POST", "/api/workshop/complete"): requests.AskAtPlace,
    ("POST", "/api/workshop/describe"): requests.AskAtPlace,
    ("POST", "/api/workshop/definition"): requests.AskAtPlace,
    ("POST", "/api/workshop/references"): requests.AskAtPlace,
    ("POST", "/api/workshop/rename"): requests.RenameAtPlace,
    ("POST", "/api/workshop/format"): requests.CheckText,
    ("POST", "/api/workshop/upgrade"): requests.CheckText,
    ("POST", "/api/workshop/evaluate"): requests.EvaluateExpression,
    ("POST", "/api/workshop/examples"): requests.TryRules,
    ("POST", "/api/workshop/coverage"): requests.TryRules,
    ("POST", "/api/workshop/score"): requests.ScoreHand,
    ("POST", "/api/workshop/simulate"): requests.SimulateGames,
    ("POST", "/api/admin/ban"): requests.BanSomebody,
    ("POST", "/api/admin/unban"): requests.EndBan,
    ("POST", "/api/admin/close"): requests.CloseTable,
    ("POST", "/api/admin/drain"): requests.Drain,
}
HEAD = "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\n"
TEXT = f"{HEAD}extends: cantonese\n"
SMALL = f"""{HEAD}extends: standard
scoring: {{measures: {{points: {{}}}}, best: points}}
patterns: {{drawn: {{name: Drawn, worth: 1, when: {{self_draw: true}}}}}}
payments: {{win: {{all: {{from: losers, amount: points}}}}}}
"""
TEXTS = {f"/api/workshop/{job}": SMALL for job in ("coverage", "evaluate", "examples", "score")}  # nothing is played
GOOD = {
    "spec": {"ruleset": {"id": "cantonese"}},
    "line": 1,
    "lines": ["FF 11"],
    "setup": {"seats": [{"kind": "person"}]},
    "table": "KDMWQ",
    "spectator": 1,
    "subject": "1",
    "seq": 1,
    "move": {"move": "pass"},
    "on": [],
    "what": "hint",
    "v": 2,
    "name": "Ann",
    "player": 1,
    "seat": {"kind": "person"},
    "games": 1,
    "ruleset": {"id": "cantonese"},
    "content": base64.b64encode(b"PK").decode(),
    "kind": "person",
    "seats": [{"kind": "person"}],
}
ADDRESSES = map(IPv4Address, count(int(IPv4Address("10.0.0.1"))))
CONNECTIONS = dict[str, http.client.HTTPConnection]()
HANGS = 240  # seconds
BUSY = 0.05  # seconds until a busy server is asked again
QUERIES = ("eye", "set", "paper", "lang", "table")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("absurd")) as server:
        yield server


@pytest.fixture(scope="module")
def ann(server: Server) -> Asker:
    return asker(server, "Ann")


def served() -> Iterator[tuple[str, str]]:
    """Every method and path that the application answers."""
    for route in routes():
        if isinstance(route, Route):
            for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
                yield method, route.path


def asked_for() -> list[str]:
    """A path of each function that answers GET: all addresses of the one page have the same."""
    found = [route for route in routes() if isinstance(route, Route) and "GET" in (route.methods or {"GET"})]
    return [*{route.endpoint: route.path for route in found}.values()]


def good_body(kind: type[Struct], text: str = TEXT) -> dict[str, Any]:
    """What is required, with values that are fine; and few games, where there are any."""
    return {
        field.encode_name: text if field.encode_name == "text" else GOOD[field.encode_name]
        for field in fields_of(kind)
        if field.required or field.name == "games"
    }


def fields_of(kind: type[Struct]) -> tuple[inspect.Field, ...]:
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return found.fields


def absurd_bodies(kind: type[Struct], text: str = TEXT) -> Iterator[bytes]:
    """Bodies with one absurd field each, also within a spec."""
    good, first = good_body(kind, text), len(kind.__name__)
    for field, value in some_fields(kind, first):
        yield with_field(good, field, value)
    for field, value in some_fields(Spec, first) if "spec" in good else ():
        yield with_field(good, "spec", with_field(GOOD["spec"], field, value).decode())


def some_fields(kind: type[Struct], first: int) -> Iterator[tuple[str, str]]:
    """Each field with a share of the values: fields that follow one another have different ones."""
    for number, field in enumerate(fields_of(kind), first):
        for value in VALUES[number % SHARE :: SHARE]:
            yield field.encode_name, value


def with_field(good: dict[str, Any], name: str, value: str) -> bytes:
    """An object with a field whose value is written as given."""
    parts = [f"{json.dumps(key)}: {json.dumps(inner)}" for key, inner in good.items() if key != name]
    return f"{{{', '.join([*parts, f'{json.dumps(name)}: {value}'])}}}".encode()


def test_every_route_that_reads_a_body_is_here() -> None:
    described = {path for method, path in served() if method in ("POST", "PUT")}
    assert described - {path for _, path in BODIES} == {"/api/cards/{id}/share", "/api/documents/{id}/share"}
    assert set(requests.BODIES) == set(BODIES.values())


@pytest.mark.parametrize("route", BODIES, ids=" ".join)
def test_no_body_makes_the_server_fail(server: Server, ann: Asker, route: tuple[str, str]) -> None:
    method, path = route
    if "{id}" in path:
        shelf = path.removesuffix("/{id}")
        _, made = answered(server, ann, "POST", shelf, json.dumps({"text": TEXT}).encode())
        path = path.replace("{id}", json.loads(made)["id"])
    for body in absurd_bodies(BODIES[route], TEXTS.get(path, TEXT)):
        status = asked(server, ann, method, path, body)
        assert status < 500, (path, body[:300], server.said[-2_000:])


@pytest.mark.parametrize("route", sorted({path for _, path in served() if "{" in path} | {"/api/faces/x.svg"}))
def test_no_address_makes_the_server_fail(server: Server, ann: Asker, route: str) -> None:
    methods = [method for method, path in served() if path == route] or ["GET"]
    for part in PARTS:
        shown = quote(part.encode(errors="surrogatepass"), safe="")
        path = re.sub(r"\{\w+(:\w+)?\}", shown, route)
        for method in methods:
            status = asked(server, ann, method, path, b"{}" if method in ("POST", "PUT") else None)
            assert status < 500, (method, path[:300], server.said[-2_000:])


@pytest.mark.parametrize("path", asked_for())
def test_no_query_makes_the_server_fail(server: Server, ann: Asker, path: str) -> None:
    path = re.sub(r"\{\w+(:\w+)?\}", "1", path)
    for number, part in enumerate(PARTS):
        for at in range(min(len(QUERIES), budget(1))):  # with one name each; with all of them in `make soak`
            query = f"{QUERIES[(number + at) % len(QUERIES)]}={quote(part.encode(errors='surrogatepass'), safe='')}"
            assert asked(server, ann, "GET", f"{path}?{query}") < 500, (path, query[:100])


def asked(server: Server, who: Asker, method: str, path: str, body: bytes | None = None) -> int:
    return answered(server, who, method, path, body)[0]


def answered(server: Server, who: Asker, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    """The status of an answer, and what it says; asked again where the server is busy. From another address each time,
    as a proxy tells: the server counts what comes from one."""
    while True:
        headers = {"authorization": f"Bearer {who.key}", "x-forwarded-for": str(next(ADDRESSES))}
        answer = answer_of(server.url.removeprefix("http://"), method, path, body, headers)
        found = answer.read()
        if answer.status not in (429, 503):
            return answer.status, found
        time.sleep(BUSY)


def answer_of(host: str, *request: Any) -> http.client.HTTPResponse:
    """The answer, by the connection that is open, unless the server has closed it."""
    if host in CONNECTIONS:
        with suppress(ConnectionError, http.client.HTTPException):
            CONNECTIONS[host].request(*request)
            return CONNECTIONS[host].getresponse()
    connection = CONNECTIONS[host] = http.client.HTTPConnection(host, timeout=HANGS)
    connection.request(*request)
    return connection.getresponse()


@pytest.mark.parametrize("say", KINDS)
def test_no_message_makes_the_server_fail(server: Server, say: str) -> None:
    """Every one is answered; the same page plays on."""
    kind = KINDS[say]
    texts = [text.decode() for text in absurd_bodies(kind) if b'"id": null' not in text]  # that one may get no answer
    said = 0
    while texts:
        with connect(server.socket, proxy=None) as socket:
            socket.send(json.dumps({"say": "hello", "v": 2}))
            assert json.loads(socket.recv(HANGS))["say"] == "hello"
            for text in texts[:15]:
                rest = text[1:] if text == "{}" else f", {text[1:]}"
                socket.send(f'{{"say": {json.dumps(say)}, "id": 1{rest}')
                answer = json.loads(socket.recv(HANGS))
                assert answer.get("code") != "broken", text[:300]
                said += 1
            texts = texts[15:]
    assert said >= len(VALUES) // SHARE - 1
    assert "Traceback" not in server.said


def test_all_of_it_left_no_trace(server: Server) -> None:
    assert "Traceback" not in server.said
    assert not [route for route in routes() if isinstance(route, WebSocketRoute) and "{" in route.path]


def test_absurd_numbers_of_a_document_are_refused(ann: Asker) -> None:
    made = ann.do("POST", "/api/cards", {"text": ""})
    path = f"/api/cards/{made['id']}"
    assert ann.refused("PUT", path, f'{{"text": "", "expected": {DIGITS}}}'.encode()) == (400, "bad-message")
    assert ann.do("PUT", path, {"text": "", "expected": made["updated"]})
    assert msgspec.json.decode(ann.raw("GET", f"/api/replays/KDMWQ/hands/{'9' * 5_000}")[1])["error"]["code"]
