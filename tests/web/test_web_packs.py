"""Packs and texts of one shelf over HTTP, against a real server: texts name one another, packs come and go."""

import json
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import run
from hostile_packs import DOCUMENT, HOSTILE
from web_asking import Asker, asker
from web_server import Server, somebody

from tilewright.sharing.archive import read_archive, write_archive
from tilewright.sharing.contents import contents_of

pytestmark = pytest.mark.slow

HOUSE = "tilewright: 1\nkind: ruleset\nid: house_of_ann\nname: House\nextends: cantonese\n"
OVER = HOUSE.replace("id: house_of_ann", "id: over").replace("cantonese", "house_of_ann")
MOD = """tilewright: 1
kind: mod
id: dear_limit
name: More
for: [house_of_ann]
change: {scoring: {measures: {hand_score: {table: {7: 64}}}}}
remove: [cases.laak_two, cases.limit_hand_beside_other_faan, cases.robbed_orphans]
"""
HEAD = OVER.replace("id: over", "id: over\npublisher: ann\nversion: 1.0.0")
PACKED = contents_of(
    {"taiwanese.yaml": DOCUMENT.encode(), "dear_limit.yaml": MOD.replace("house_of_ann", "taiwanese").encode()}
)
GOOD = write_archive(PACKED)


@pytest.fixture(scope="module")
def ann(web_server: Server) -> Iterator[Asker]:
    """Somebody with a ruleset and a mod for it on the shelf."""
    ann = asker(web_server, "Ann")
    for text in (HOUSE, MOD):
        ann.do("POST", "/api/documents", {"text": text})
    yield ann


@pytest.fixture(scope="module")
def bob(web_server: Server) -> Asker:
    return asker(web_server, "Bob")


def checked(who: Asker, text: str) -> Any:
    return who.do("POST", "/api/workshop/check", {"text": text})


def content(archive: bytes) -> dict[str, str]:
    return {"content": b64encode(archive).decode()}


def test_a_text_names_others_of_its_shelf(ann: Asker, bob: Asker) -> None:
    found = checked(ann, OVER)
    assert found["good"] and [one["name"] for one in found["beside"]] == ["house_of_ann"]
    assert [one["code"] for one in checked(bob, OVER)["problems"]] == ["no-such-document"]
    tried = ann.do("POST", "/api/workshop/examples", {"text": OVER})
    assert "problems" not in tried
    spec = {"ruleset": {"name": "over", "text": OVER}}
    assert ann.do("POST", "/api/about", {"spec": {**spec, "beside": found["beside"]}})["id"] == "over"
    assert ann.refused("POST", "/api/about", {"spec": spec})[0] == 400


def test_a_mod_is_for_a_ruleset_of_its_shelf(ann: Asker) -> None:
    found = checked(ann, MOD)
    assert found["good"] and found["targets"] == ["house_of_ann"]
    tried = ann.do("POST", "/api/workshop/examples", {"text": MOD, "target": "house_of_ann"})
    assert "problems" not in tried


def test_the_editor_knows_texts_of_its_shelf(ann: Asker) -> None:
    """A name that two texts have is not changed in one of them."""
    heron = "patterns:\n  heron: {name: Heron, worth: 1, when: self_draw}\n"
    ann.do("POST", "/api/documents", {"text": HOUSE.replace("house_of_ann", "pond") + heron})
    text = OVER.replace("house_of_ann", "pond") + heron.replace("name: Heron, worth: 1, when: self_draw", "worth: 2")
    place = {"text": text, "line": 7, "column": 4}
    places = ann.do("POST", "/api/workshop/definition", place)["places"]
    assert [(one["file"], one["line"]) for one in places] == [("pond", 7)]
    refused = ann.do("POST", "/api/workshop/rename", {**place, "name": "crane"})
    assert refused["edits"] == [] and "pond" in refused["reason"]
    named = {"text": text, "line": 5, "column": 12}
    assert [one["file"] for one in ann.do("POST", "/api/workshop/definition", named)["places"]] == ["pond"]


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "document", "/etc/passwd", "house_of_ann.yaml"])
def test_texts_beside_lie_nowhere_else(name: str, ann: Asker) -> None:
    """Whatever a page calls them."""
    spec = {"ruleset": {"name": "over", "text": HOUSE}, "beside": [{"name": name, "text": "x: 1"}]}
    assert ann.do("POST", "/api/about", {"spec": spec})["id"] == "house_of_ann"


def test_a_pack_of_the_shelf_is_added_elsewhere(ann: Asker, bob: Asker, tmp_path: Path) -> None:
    made = ann.do("POST", "/api/documents", {"text": HEAD})
    status, archive = ann.raw("GET", f"/api/packs/{made['id']}.zip")
    assert status == 200
    assert sorted(read_archive(archive).files) == ["house_of_ann.yaml", "over.yaml"]
    assert bob.refused("GET", f"/api/packs/{made['id']}.zip") == (404, "unknown-document")
    code = ann.do("POST", f"/api/documents/{made['id']}/share")["share"]
    done = run("add", f"{ann.url}/api/packs/shared/{code}.zip", cwd=tmp_path)
    assert done.returncode == 0 and "added ann/over 1.0.0" in done.stdout, done.stderr
    assert bob.refused("GET", f"/api/packs/shared/{'A' * len(code)}.zip") == (404, "unknown-document")


def test_what_has_no_publisher_is_no_pack(ann: Asker) -> None:
    made = ann.do("POST", "/api/documents", {"text": OVER})
    assert ann.refused("GET", f"/api/packs/{made['id']}.zip") == (422, "no-pack")


def test_a_pack_is_put_on_the_shelf(bob: Asker) -> None:
    found = bob.do("POST", "/api/packs", content(GOOD))
    assert (found["name"], found["version"], found["needs"]) == ("riverside/taiwanese", "1.2.0", {})
    assert sorted(one["kind"] for one in found["made"]) == ["mod", "ruleset"]
    text = HOUSE.replace("cantonese", "riverside/taiwanese@^1")
    assert checked(bob, text)["good"]
    assert [one["code"] for one in checked(bob, text.replace("^1", "^2"))["problems"]] == ["pack-version"]


@pytest.mark.parametrize("name", ["link", "parent", "deep YAML", "wrong hash", "nothing", "many entries"])
def test_hostile_packs_are_refused(name: str, bob: Asker) -> None:
    before = len(bob.do("GET", "/api/documents")["own"])
    made, _ = HOSTILE[name]
    assert bob.refused("POST", "/api/packs", content(made(GOOD))) == (422, "bad-pack")
    assert len(bob.do("GET", "/api/documents")["own"]) == before


def test_what_is_no_base64_is_no_pack(bob: Asker) -> None:
    assert bob.refused("POST", "/api/packs", {"content": "~~~"}) == (422, "bad-pack")
    assert bob.raw("POST", "/api/packs", json.dumps({"content": 1}).encode())[0] == 400


def test_a_pack_is_brought_opened_and_given_in_the_browser(web_server: Server, chromium: Any, tmp_path: Path) -> None:
    """A text that names one of the shelf is played, too."""
    (tmp_path / "good.zip").write_bytes(GOOD)
    page = somebody(chromium, viewport={"width": 1280, "height": 800}).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{web_server.url}/workshop")
    page.set_input_files("#bring-file", str(tmp_path / "good.zip"))
    page.locator(".toast", has_text="riverside/taiwanese 1.2.0: 2 documents on your shelf").wait_for()
    page.locator(".documents a", has_text="Riverside rules").click()
    page.wait_for_selector(".found-problems strong.fine", state="attached")
    with page.expect_download() as download:
        page.get_by_role("button", name="Pack", exact=True).click()
    assert download.value.suggested_filename == "riverside-taiwanese-1.2.0.zip"
    assert read_archive(Path(download.value.path()).read_bytes()).manifest.name == "riverside/taiwanese"
    page.get_by_role("button", name="Share", exact=True).click()
    page.locator(".toast", has_text="/api/packs/shared/").wait_for()
    made = page.evaluate(
        "(text) => import('/static/js/net.js').then((net) => net.api('POST', '/api/documents', {text}))",
        HOUSE.replace("cantonese", "riverside/taiwanese@^1"),
    )
    page.goto(f"{web_server.url}/workshop/{made['id']}")
    page.get_by_role("tab", name="Play").click()
    page.locator(".panel-body").get_by_role("button", name="Play").click()
    page.wait_for_url("**/t/*")
    page.locator(".hand-row").wait_for()
    assert faults == []
