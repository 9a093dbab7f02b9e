"""Cards over HTTP, against a real server: kept, shared, drawn, counted; nobody reads another's, nothing is endless."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from web_server import Server
from websockets.sync.client import connect

from tilewright.authoring.open_rules import bundled
from tilewright.cards.codes import CODES
from tilewright.web.jobs.cards import MOST_LISTED
from tilewright.web.protocol.spec import MOST_CARD_TEXT
from tilewright.web.workers.main import JOBS, job_called

SECONDS = 240
CARD = """Kitchen Table
“Evens”
22 444 666 8888 DD X25
FF 2222 r4444 66 X30
“Runs”
11 222 3333 444 55 Va X25 (any run)
"""
EVENS, RUNS = "22 444 666 8888 DD X25", "11 222 3333 444 55 Va X25"
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>"
HUGE = "11 22 33 44 r55 66 77 # Va X25"


@dataclass(frozen=True)
class Person:
    """Somebody at the server."""

    url: str
    key: str | None

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status of an answer, and what it says."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        try:
            with urlopen(Request(self.url + path, data, headers, method=method), timeout=SECONDS) as answer:
                text, status = answer.read(), answer.status
        except HTTPError as error:
            text, status = error.read(), error.code
        return status, text.decode() if path.partition("?")[0].endswith(".css") else json.loads(text)

    def do(self, method: str, path: str, body: Any = None) -> Any:
        """What an answer says that grants what was asked."""
        status, found = self.ask(method, path, body)
        assert status < 300, found
        return found

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        """The status and the code of a refusal; its message is there in both languages."""
        status, found = self.ask(method, path, body)
        assert status >= 400, found
        assert all(found["error"]["message"][language] for language in ("en", "zh"))
        return status, found["error"]["code"]


def person(server: Server, name: str) -> Person:
    """Somebody new."""
    with connect(server.socket, proxy=None) as socket:
        socket.send(json.dumps({"say": "hello", "v": 2, "name": name, "id": 1}))
        hello = json.loads(socket.recv(SECONDS))
    return Person(server.url, hello["key"])


@pytest.fixture(scope="module")
def people(web_server: Server) -> Iterator[tuple[Person, Person]]:
    yield person(web_server, "Ann"), person(web_server, "Bob")


@pytest.fixture
def ann(people: tuple[Person, Person]) -> Person:
    return people[0]


@pytest.fixture
def bob(people: tuple[Person, Person]) -> Person:
    return people[1]


def lines_of(card: Any) -> dict[str, Any]:
    """The lines of a drawn card by their text."""
    return {line["text"]: line for group in card["groups"] for line in group["lines"]}


# --- kept


def test_a_card_is_kept_read_saved_and_deleted(ann: Person) -> None:
    made = ann.do("POST", "/api/cards", {"text": CARD})
    assert made["name"] == "Kitchen Table"
    assert made["id"] in [one["id"] for one in ann.do("GET", "/api/cards")["own"]]
    path = f"/api/cards/{made['id']}"
    saved = ann.do("PUT", path, {"text": f"Another name\n{CARD}", "expected": made["updated"]})
    assert saved["name"] == "Another name"
    assert saved["updated"] > made["updated"]
    assert ann.do("GET", path)["text"] == f"Another name\n{CARD}"
    ann.do("DELETE", path)
    assert ann.refused("GET", path) == (404, "unknown-card")
    assert ann.refused("PUT", path, {"text": CARD}) == (404, "unknown-card")


def test_who_saves_over_another_page_is_told(ann: Person) -> None:
    made = ann.do("POST", "/api/cards", {"text": CARD})
    path = f"/api/cards/{made['id']}"
    ann.do("PUT", path, {"text": "First", "expected": made["updated"]})
    assert ann.refused("PUT", path, {"text": "Second", "expected": made["updated"]}) == (409, "conflict")
    assert ann.do("GET", path)["text"] == "First"
    ann.do("PUT", path, {"text": "Second"})
    assert ann.do("GET", path)["text"] == "Second"


def test_cards_of_others_are_not_there(ann: Person, bob: Person) -> None:
    made = ann.do("POST", "/api/cards", {"text": CARD})
    path = f"/api/cards/{made['id']}"
    assert bob.refused("GET", path) == (404, "unknown-card")
    assert bob.refused("PUT", path, {"text": "mine"}) == (404, "unknown-card")
    assert bob.refused("DELETE", path) == (404, "unknown-card")
    assert bob.refused("POST", f"{path}/share") == (404, "unknown-card")
    assert made["id"] not in [one["id"] for one in bob.do("GET", "/api/cards")["own"]]
    assert ann.do("GET", path)["text"] == CARD


def test_a_link_is_read_by_everybody_and_tells_nothing_else(ann: Person, bob: Person) -> None:
    made = ann.do("POST", "/api/cards", {"text": CARD})
    code = ann.do("POST", f"/api/cards/{made['id']}/share")["share"]
    assert ann.do("POST", f"/api/cards/{made['id']}/share")["share"] == code
    stranger = Person(bob.url, None)
    for one in (bob, stranger):
        found = one.do("GET", f"/api/cards/shared/{code}")
        assert found["text"] == CARD
        assert found.keys() == {"kind", "name", "text", "updated"}
    ann.do("DELETE", f"/api/cards/{made['id']}")
    assert bob.refused("GET", f"/api/cards/shared/{code}") == (404, "unknown-card")


def test_documents_of_other_kinds_are_no_cards(ann: Person) -> None:
    made = ann.do("POST", "/api/documents", {"kind": "ruleset", "name": "x", "text": "kind: ruleset"})
    id = made.get("id") or made["document"]["id"]
    assert ann.refused("GET", f"/api/cards/{id}") == (404, "unknown-card")
    assert ann.refused("DELETE", f"/api/cards/{id}") == (404, "unknown-card")


def test_strangers_may_only_look(ann: Person) -> None:
    nobody = Person(ann.url, None)
    for method, path, body in (
        ("GET", "/api/cards", None),
        ("POST", "/api/cards", {"text": CARD}),
        ("POST", "/api/cards/draw", {"text": CARD}),
        ("POST", "/api/cards/process", {"lines": [EVENS]}),
        ("POST", "/api/cards/import", {"text": CARD}),
    ):
        assert nobody.refused(method, path, body) == (401, "unknown-person")
    assert nobody.do("GET", "/api/cards/codes")["codes"]


def test_bundled_cards_are_read_as_plain_text(ann: Person) -> None:
    listed = ann.do("GET", "/api/cards")["bundled"]
    assert [one["id"] for one in listed] == bundled("card")
    for one in listed:
        card = ann.do("GET", f"/api/cards/bundled/{one['id']}")
        drawn = ann.do("POST", "/api/cards/draw", {"text": card["text"]})
        assert not [problem for problem in drawn["problems"] if problem["severity"] == "error"]
        assert len(lines_of(drawn)) == one["lines"]
    assert ann.refused("GET", "/api/cards/bundled/../../etc")[0] == 404
    assert ann.refused("GET", "/api/cards/bundled/nothing") == (404, "unknown-card")


# --- drawn and counted


def test_a_card_is_drawn_with_what_is_wrong_in_it(ann: Person) -> None:
    card = ann.do("POST", "/api/cards/draw", {"text": CARD})
    good, wrong = lines_of(card)[EVENS], lines_of(card)["FF 2222 r4444 66 X30"]
    assert [part["set"] for part in good["patterns"][0]] == ["22", "444", "666", "8888", "DD"]
    assert (good["row"], good["value"], good["exposed"]) == (3, 25, True)
    assert good["remark"] == {"en": "Any 1 suit", "zh": "任意 1 門花色", "ja": "任意の1色"}
    assert "hands" not in good
    assert (wrong["good"], wrong["tiles"]) == (False, [12])
    assert [part["colour"] for part in wrong["patterns"][0]] == [None, "g", "r", "r"]
    for line in lines_of(card).values():
        for part in line["patterns"][0]:
            assert line["text"][part["at"] :][: part["length"]] == part["set"]
    [problem] = card["problems"]
    assert problem["code"] == "wrong-number-of-tiles"
    assert (problem["line"], problem["column"], problem["length"], problem["severity"]) == (4, 1, 16, "error")


def test_a_card_is_counted(ann: Person) -> None:
    card = ann.do("POST", "/api/cards/draw", {"text": CARD, "process": True})
    assert lines_of(card)[EVENS]["hands"] == 3
    assert lines_of(card)[RUNS]["hands"] == lines_of(card)[RUNS]["tile_sets"] == 15
    assert [group["hands"] for group in card["groups"]] == [3, 15]
    assert card["hands"] == 18


def test_a_line_says_in_words_what_it_means(ann: Person) -> None:
    line = lines_of(ann.do("POST", "/api/cards/draw", {"text": CARD}))[RUNS]
    assert line["note"] == line["remark"]["en"] == line["remark"]["zh"] == "any run"
    assert line["spoken"]["en"] == "11 222 3333 444 55"
    assert [(code["code"], code["letter"], code["at"]) for code in line["codes"]] == [("Va", "V", 19)]


def test_a_card_on_paper_is_a_picture_for_each_page(ann: Person) -> None:
    card = ann.do("POST", "/api/cards/draw", {"text": CARD, "paper": "letter"})
    assert card["paper"] == "letter"
    [sheet] = card["sheets"]
    picture = ET.fromstring(sheet)
    assert [one for one in picture.iter() if one.get("id") == "g2-l1"]
    assert not [one for one in picture.iter() if one.tag.endswith("style")]
    style = ann.do("GET", "/api/cards/sheet.css?paper=letter")
    assert "@page{size:letter" in style
    assert ".card-sheet .suit-r" in style


def test_difficulty_is_the_same_for_a_line_in_every_company(ann: Person) -> None:
    found = ann.do("POST", "/api/cards/process", {"lines": [EVENS, RUNS, "no line", EVENS]})
    assert found["left"] == []
    assert found["draws"]["no line"] is None
    assert found["draws"][EVENS] > found["draws"][RUNS] > 13
    alone = ann.do("POST", "/api/cards/process", {"lines": [RUNS]})
    assert alone["draws"] == {RUNS: found["draws"][RUNS]}


def test_the_hands_of_a_line_are_listed_as_text_and_as_tiles(ann: Person) -> None:
    found = ann.do("POST", "/api/cards/hands", {"line": RUNS})
    assert (found["hands"], len(found["listed"])) == (15, 15)
    assert found["listed"][0]["text"] == "c11 222 3333 444 55"
    assert [len(one) for one in found["listed"][0]["sets"]] == [2, 3, 4, 3, 2]
    assert ann.do("POST", "/api/cards/hands", {"line": "11 22"})["listed"] == []


def test_the_reference_has_every_code(ann: Person) -> None:
    found = ann.do("GET", "/api/cards/codes")
    assert {one["letter"] for one in found["codes"]} == CODES.keys()
    counted = [(one["line"], one["hands"]) for one in (*found["codes"], *found["paper"])]
    text = "\n".join(["Examples", "“All”", *(line for line, _ in counted)])
    lines = lines_of(ann.do("POST", "/api/cards/draw", {"text": text, "process": True}))
    assert [lines[line]["hands"] for line, _ in counted] == [hands for _, hands in counted]


# --- in and out


@pytest.mark.parametrize("format", ["code", "yaml", "json"])
def test_a_card_goes_out_and_comes_in_again(ann: Person, format: str) -> None:
    out = ann.do("POST", "/api/cards/export", {"text": CARD, "format": format})
    taken = ann.do("POST", "/api/cards/import", {"text": out["text"], "name": out["file"]})
    assert taken["text"] == CARD
    assert out["file"].startswith("kitchen_table.")


@pytest.mark.parametrize("format", ["svg", "html"])
def test_a_card_goes_out_as_a_picture_or_page(ann: Person, format: str) -> None:
    out = ann.do("POST", "/api/cards/export", {"text": CARD, "format": format, "paper": "letter"})
    assert "Kitchen Table" in out["text"]
    assert re.search(r"8\.5in|612", out["text"])


def test_what_is_no_card_is_not_taken_in(ann: Person) -> None:
    for text, name, code in (
        ("%PDF-1.7 ...", "card.txt", "not-plain-text"),
        ("kind: card\ngroups: [", "card.yaml", None),
        ("kind: ruleset\nid: x", "x.yaml", None),
    ):
        found = ann.do("POST", "/api/cards/import", {"text": text, "name": name})
        assert found["text"] is None
        assert found["problems"]
        assert code is None or found["problems"][0]["code"] == code


def test_a_name_of_a_file_is_never_a_path(ann: Person) -> None:
    text = CARD.replace("Kitchen Table", "Kitchen\n(id: a_b)")
    out = ann.do("POST", "/api/cards/export", {"text": text.replace("a_b", "../../x"), "format": "svg"})
    assert re.fullmatch(r"[a-z0-9_]+\.svg", out["file"])


# --- bounds


def test_markup_of_strangers_stays_text(ann: Person) -> None:
    text = f"{MARKUP}\n“{MARKUP}”\n{EVENS} ({MARKUP})\n{MARKUP}\n"
    made = ann.do("POST", "/api/cards", {"text": text})
    assert made["name"] == MARKUP
    card = ann.do("POST", "/api/cards/draw", {"text": text, "paper": "a4"})
    assert card["groups"][0]["title"] == MARKUP
    page = ann.do("POST", "/api/cards/export", {"text": text, "format": "html"})["text"]
    for written in (*card["sheets"], page):
        assert not re.search(r"<(script|img)\b", written)
    assert all(ET.fromstring(sheet) is not None for sheet in card["sheets"])


def test_large_and_misshapen_bodies_are_refused(ann: Person) -> None:
    assert ann.refused("POST", "/api/cards", {"text": "x" * (MOST_CARD_TEXT + 1)}) == (413, "too-large")
    assert ann.refused("POST", "/api/cards/draw", {"text": "x" * (MOST_CARD_TEXT + 1)}) == (413, "too-large")
    assert ann.refused("POST", "/api/cards/draw", {"text": "x" * 400_000}) == (413, "too-large")
    for body in (b"", b"[]", b"{", b'{"text": 5}', b'{"text": null}', b'"' + b"[" * 2_000):
        assert ann.refused("POST", "/api/cards", body) == (400, "bad-message")
    made = ann.do("POST", "/api/cards", {"text": CARD})
    assert ann.refused("PUT", f"/api/cards/{made['id']}", {"text": CARD, "expected": 1}) == (409, "conflict")
    ends = ann.do("POST", "/api/cards", {"text": "Old\r\n“ends”\rof lines"})
    assert ends["text"] == "Old\n“ends”\nof lines"
    odd = ann.do("POST", "/api/cards", {"text": "\x00 \ud800 \u202e 東"})
    assert ann.do("GET", f"/api/cards/{odd['id']}")["text"] == "\x00 \ufffd \u202e 東"


def test_what_is_asked_of_lines_is_bounded(ann: Person) -> None:
    for body in ({}, {"lines": 5}, {"lines": None}, {"lines": [None, 5, {"a": 1}, ["x"]]}):
        assert ann.refused("POST", "/api/cards/process", body) == (400, "bad-message")
    for body in ({}, {"line": 5}, {"line": None}):
        assert ann.refused("POST", "/api/cards/hands", body) == (400, "bad-message")
    assert ann.do("POST", "/api/cards/hands", {"line": "x" * 5_000})["hands"] == 0
    found = ann.do("POST", "/api/cards/hands", {"line": HUGE.replace(" Va", "")})
    assert len(found["listed"]) <= MOST_LISTED
    assert ann.do("POST", "/api/cards/draw", {"text": "\ud800\n“\udfff”\n\ud800"})["problems"]
    assert ann.do("POST", "/api/cards/process", {"lines": ["\ud800"]})["left"] == []


def test_a_card_of_endless_hands_is_told_so_and_others_are_drawn_meanwhile(ann: Person, bob: Person) -> None:
    text = "\n".join(["Endless", "“Hands”", *(HUGE.replace("25", str(value)) for value in range(1, 390))])
    with ThreadPoolExecutor() as pool:
        endless = pool.submit(ann.ask, "POST", "/api/cards/draw", {"text": text, "process": True})
        others = [pool.submit(bob.do, "POST", "/api/cards/draw", {"text": CARD, "process": True}) for _ in range(3)]
        assert [one.result()["hands"] for one in others] == [18] * 3
        status, found = endless.result()
    assert status == 200 or found["error"]["code"] == "too-slow"
    if status == 200:
        assert "too-many-hands" in {one["code"] for one in found["problems"]}


def test_every_job_takes_any_payload() -> None:
    for name in filter(lambda name: name.startswith("card-"), JOBS):
        for payload in (
            {},
            {"text": ""},
            {"text": None},
            {"text": 7, "paper": 8, "format": 9, "lines": "x", "line": []},
        ):
            assert isinstance(job_called(name)(payload), dict), name
