"""What pages are told of rules, over HTTP against a real server: forms, names, faces, rulebooks; and who is refused."""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest
from web_asking import Asker
from web_server import Server

from tilewright.authoring.open_rules import bundled
from tilewright.base.document import parse_bytes
from tilewright.language.load import load_data
from tilewright.play.rules import load
from tilewright.presentation.rules_data import about_json
from tilewright.presentation.tile_shapes import drawings_in
from tilewright.presentation.tile_svg import STYLES, sprite_of, symbol_id
from tilewright.rulebook.score_card import score_card_of
from tilewright.rulebook.score_card_sheet import score_card_page, score_card_svg
from tilewright.web.jobs.rules import profile_json
from tilewright.web.jobs.rules import rulesets_json as read_rulesets
from tilewright.web.rules import outline

RULESETS = bundled("ruleset")
rulesets_json = cache(read_rulesets)  # all documents are read for it
SVG = "{http://www.w3.org/2000/svg}"
MINE = """tilewright: 1
kind: ruleset
id: mine
name: {en: "Mine <b>"}
extends: cantonese
tiles:
  unranked: {moons: {codes: ["<&", M2], copies: 2}}
  faces: {moons: moon}
"""


# --- the pure part


@pytest.mark.parametrize("id", RULESETS)
def test_a_page_is_told_everything_that_a_table_may_name(id: str) -> None:
    rules = load(id)
    about, data = about_json(rules), rules.data
    assert json.loads(json.dumps(about)) == about
    assert [tile["code"] for tile in about["tiles"]] == [data.tiles.tiles[face].code for face in data.tiles.order]
    assert all(tile["name"]["en"] and tile["label"] for tile in about["tiles"])
    view = rules.table(1).view(0).to_json()
    assert {*view["zones"], "melds"} >= {zone["id"] for zone in about["zones"]}
    assert {*view["marks"]} <= {*about["marks"]} and {*view["scores"]} == {*about["seats"]}
    assert data.play is not None
    assert {*about["offers"]} == {*data.play.offers} and {*about["phases"]} == {*data.play.phases}
    assert next(zone["id"] for zone in about["zones"] if zone["wall"]) == "wall"
    assert any(offer["wins"] for offer in about["offers"].values())
    assert {one.id for one in data.patterns} == {*about["patterns"]}
    named = [about["offers"], about["phases"], about["patterns"]]
    assert all(one["name"] for part in named for one in part.values())
    assert len(json.dumps(about)) < 60_000


def test_names_are_those_of_the_ruleset_in_its_languages() -> None:
    about = about_json(load("american"))
    tiles = {tile["code"]: tile for tile in about["tiles"]}
    assert (
        tiles["5s"]["name"] == {"en": "5 bamboos", "zh": "五索", "ja": "五索", "de": "5 Bambus"} and tiles["J"]["wild"]
    )
    assert "".join(tiles[code]["label"] for code in ("5s", "E", "4g", "J")) == "5EFJ"
    assert [tiles[code]["label"] for code in "FCP"] == ["DG", "DR", "D0"]  # as the card calls them
    assert [offer for offer, one in about["offers"].items() if one["rare"]] == ["accuse"]
    assert tiles["1f"]["as"] == tiles["4g"]["as"] == "1f" and tiles["4g"]["name"]["en"] == "winter"
    assert about["asks"]["again"]["kind"] == "flag" and about["asks"]["given"]["kind"] == "tiles"
    assert about["offers"]["discard"]["chooses"] == [{"name": "tile", "kind": "tile", "label": {"en": "tile"}}]
    assert (
        about["cards"]
        == [{"option": "card", "id": "basic1", "name": {"en": "Basic1", "zh": "入門卡一", "ja": "入門カード一"}}]
        and about["indices"]
    )
    assert about["zones"][1]["name"]["zh"] == "手牌"
    assert about["groups"]["quint"] == {"en": "quint", "zh": "五張", "ja": "五枚組"}
    three = about_json(load("uzje", {"players": 3}))
    assert three["seats"] == ["E", "S", "W"] and three["levels"]["round"]["en"] == "set" and not three["indices"]
    assert three["seats"] != about_json(load("uzje"))["seats"] and three["digest"] != about_json(load("uzje"))["digest"]


@pytest.mark.slow
def test_what_is_offered_can_be_chosen() -> None:
    """Every default, every choice and both ends of every number load; every preset too."""
    for ruleset in rulesets_json():
        for preset in ruleset["presets"]:
            mods = [one["id"] for one in preset["mods"]]
            options = preset["options"] | {
                key: value for mod in preset["mods"] for key, value in mod["options"].items()
            }
            assert load_data(ruleset["id"], options, mods).mods == tuple(mods)
        assert {mod["id"] for mod in ruleset["mods"]} >= {id for mod in ruleset["mods"] for id in mod["conflicts"]} - {
            "minimum",
            "stacks",  # of which some rulesets have one alone
        }
        for option in ruleset["options"]:
            kinds = {"flag": bool, "number": int | float, "choice": str, "card": str}
            assert isinstance(option["default"], kinds[option["kind"]]) and option["label"]["en"]
            if option["kind"] in ("choice", "card"):
                assert option["default"] in {choice["id"] for choice in option["choices"]}
    by_id = {one["id"]: one for one in rulesets_json()}
    assert by_id["uzje"]["seats"] == [3, 6] and by_id["uzje"]["seats_option"] == "players"
    assert by_id["american"]["options"][0]["kind"] == "card" and by_id["cantonese"]["seats"] == [4, 4]


# --- over HTTP


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server")).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def anyone(server: Server) -> Asker:
    return Asker(server.url)


def spec(**more: Any) -> dict[str, Any]:
    return {"spec": {"ruleset": {"id": "american"}, **more}}


def test_the_lobby_is_told_what_is_offered(anyone: Asker) -> None:
    offered = json.loads(json.dumps(rulesets_json()))
    assert anyone.do("GET", "/api/rulesets") == [outline(one) for one in offered]
    assert all(anyone.do("GET", f"/api/rulesets/{one['id']}") == one for one in offered)
    assert anyone.refused("GET", "/api/rulesets/nothing") == (404, "unknown-ruleset")


def test_what_is_shown_of_rulesets_is_drawn_and_played(anyone: Asker) -> None:
    """Tiles of each, and a hand of any in which the parts that change lead from view to view."""
    found = anyone.do("GET", "/api/strips?set=contrast")
    assert {*found["strips"]} == {one["id"] for one in rulesets_json()}
    assert all(f'id="t-{code}"' in found["sprite"] for strip in found["strips"].values() for code in strip)
    shown = anyone.do("GET", "/api/showcase/sichuan")
    first, *others = shown["steps"]
    assert shown["digest"] == anyone.do("GET", f"/api/about/{shown['digest']}")["digest"]
    assert others and all(step and step.keys() <= first.keys() for step in others)
    assert not any(first["question"] or step.get("question") for step in others)


def test_rules_are_told_once_and_known_by_their_digest(anyone: Asker) -> None:
    about = anyone.do("POST", "/api/about", spec(mods=[{"id": "zombie_blanks", "options": {"blank_copies": 6}}]))
    assert {tile["code"]: tile["copies"] for tile in about["tiles"]}["B"] == 6
    assert anyone.do("GET", f"/api/about/{about['digest']}") == about
    plain = anyone.do("POST", "/api/about", spec())
    assert plain["digest"] == load("american").data.text_digest != about["digest"]
    with ThreadPoolExecutor(8) as several:
        asked = [several.submit(anyone.do, "POST", "/api/about", spec()) for _ in range(8)]
        assert all(one.result() == plain for one in asked)


def test_faces_are_drawn_for_what_is_known(anyone: Asker) -> None:
    about = anyone.do("POST", "/api/about", spec())
    faces = f"/api/faces/{about['digest']}.svg"
    for style in STYLES:
        status, drawn = anyone.raw("GET", f"{faces}?set={style}")
        assert status == 200 and drawn.decode() == sprite_of(drawings_in(about["tiles"]), style)
    assert anyone.raw("GET", f"{faces}?set=nonsense")[1] == anyone.raw("GET", faces)[1]


def test_rules_of_strangers_are_told_too(anyone: Asker) -> None:
    wanted = {"ruleset": {"name": "mine", "text": MINE}, "options": {"least_faan": 3}}
    about = anyone.do("POST", "/api/about", {"spec": wanted})
    assert about["name"] == {"en": "Mine <b>"} and about["options"]["least_faan"] == 3
    svg = anyone.raw("GET", f"/api/faces/{about['digest']}.svg")[1].decode()
    ids = {one.attrib["id"] for one in ElementTree.fromstring(svg).iter(f"{SVG}symbol")}
    assert symbol_id("<&") in ids and "t-_3c_26" in ids
    book = anyone.do("POST", "/api/rulebook", {"spec": wanted, "lang": "en"})
    assert book["title"] == "Mine <b>" and book["digest"] == about["digest"]


def test_rulebooks(anyone: Asker) -> None:
    book = anyone.do("GET", "/api/rulebook/cantonese?lang=zh")
    assert book["title"] == "廣東麻將" and book["lang"] == "zh"
    assert [section["title"] for section in book["sections"]][:2] == ["遊戲目標", "牌"]
    english = anyone.do("GET", "/api/rulebook/cantonese?lang=<script>")
    assert english["lang"] == "en"
    changed = anyone.do("POST", "/api/rulebook", {"spec": {"ruleset": {"id": "cantonese"}, "mods": [{"id": "pie"}]}})
    assert changed["digest"] != english["digest"]


def test_score_cards(anyone: Asker) -> None:
    status, page = anyone.raw("GET", "/api/rulebook/cantonese/card.html?lang=zh")[:2]
    assert status == 200 and page.decode() == score_card_page(score_card_of("cantonese", language="zh"))
    status, svg = anyone.raw("GET", "/api/rulebook/cantonese/card.svg?paper=letter")[:2]
    assert status == 200 and svg.decode() == score_card_svg(score_card_of("cantonese"), "letter")


REFUSED = [
    ("GET", "/api/rulebook/nothing/card.html", None, 404, "unknown-ruleset"),
    ("GET", "/api/rulebook/cantonese/card.exe", None, 404, "unknown-ruleset"),
    ("GET", "/api/rulebook/nothing", None, 404, "unknown-ruleset"),
    ("GET", "/api/rulebook/standard", None, 404, "unknown-ruleset"),
    ("GET", "/api/rulebook/..%2F..%2Fetc%2Fpasswd", None, 404, None),
    ("GET", f"/api/about/{'0' * 64}", None, 404, "unknown-rules"),
    ("GET", f"/api/about/{'0' * 64}?table=BCDFG", None, 404, "unknown-rules"),
    ("GET", "/api/about/nothing", None, 404, "unknown-rules"),
    ("GET", f"/api/faces/{'f' * 64}.svg", None, 404, "unknown-rules"),
    ("POST", "/api/about", {}, 400, "bad-message"),
    ("POST", "/api/about", b"[1, 2", 400, "bad-message"),
    ("POST", "/api/about", {"spec": {"ruleset": {"id": "../american"}}}, 400, "bad-message"),
    ("POST", "/api/about", {"spec": {"ruleset": {"id": "standard"}}}, 400, "bad-spec"),
    ("POST", "/api/about", {"spec": {"ruleset": {"id": "american"}, "options": {"card": "nothing"}}}, 400, "bad-spec"),
    (
        "POST",
        "/api/about",
        {"spec": {"ruleset": {"name": "x", "text": "tilewright: 1\nkind: rulset"}}},
        400,
        "bad-spec",
    ),
    ("POST", "/api/rulebook", {"spec": {"ruleset": {"name": "x", "text": "x: [" * 5000}}}, 400, "bad-spec"),
    ("POST", "/api/rulebook", {"table": "BCDFG"}, 404, "unknown-rules"),
    ("POST", "/api/about", {"spec": {"ruleset": {"name": "x", "text": "x" * 299_000}}}, 400, "bad-message"),
    ("POST", "/api/about", {"spec": {"ruleset": {"name": "x", "text": "x" * 400_000}}}, 413, "too-large"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), REFUSED)
def test_whatever_is_none_is_refused(
    anyone: Asker, method: str, path: str, body: Any, status: int, code: str | None
) -> None:
    found, _ = anyone.raw(method, path, body)
    assert found == status
    if code is not None:
        assert anyone.refused(method, path, body) == (status, code)


def test_problems_of_rules_are_told_with_their_places(anyone: Asker) -> None:
    text = MINE.replace("faces: {moons: moon}", "faces: {moon: moon}")
    status, answer = anyone.raw("POST", "/api/about", {"spec": {"ruleset": {"name": "mine", "text": text}}})
    [problem] = json.loads(answer)["error"]["problems"]
    assert status == 400 and problem["code"] == "unknown-tile" and problem["hint"] == "did you mean 'moons'?"
    assert problem["line"] == 8 and problem["file"] == "mine.yaml"


def test_a_ruleset_may_have_no_profile() -> None:
    document = parse_bytes(b"tilewright: 2\nkind: ruleset\n", "bare.yaml")
    assert profile_json(document) == {"level": "", "minutes": None, "in_short": {}, "tiles": [], "hints": False}
