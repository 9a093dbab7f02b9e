"""Nobody takes rules that a player wrote for bundled ones: they are marked, and can be read before one sits down."""

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from test_web_table import AWAY, FRAME, MAKE, PHONE, QUICK, WIDE, opened
from web_client import FAST, PERSON, Plain, Refusal, page
from web_server import Server

from tilewright.web.jobs.workshop import forked

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

PEEK = """tilewright: 1
kind: mod
id: red_fives
name: {en: Red fives}
for: [riichi]
add: {triggers: {peek: {after: [draw], do: [{reveal: {tiles: wall, to: dealer}}]}}}
"""
MINE = "tilewright: 1\nkind: ruleset\nid: mine\nname: {en: Riichi}\nextends: riichi\n"
CARD = "Mine\n\n“Pairs”\nFF 11 22 33 44 55 66 Va C50\n"
MODDED: Plain = {"ruleset": {"id": "riichi"}, "mods": [{"name": "Red fives", "text": PEEK}], "hands": 1}
TWO = [PERSON, PERSON, FAST, FAST]
OWN: list[tuple[Plain, list[Plain], bool]] = [
    (MODDED, [{"kind": "mod", "name": "Red fives"}], False),
    ({"ruleset": {"name": "Riichi", "text": MINE}}, [{"kind": "ruleset", "name": "Riichi"}], False),
    (
        {"ruleset": {"id": "riichi"}, "beside": [{"name": "futures", "text": PEEK}]},
        [{"kind": "beside", "name": "futures"}],
        False,
    ),
    (
        {"ruleset": {"id": "american"}, "options": {"card": {"name": "NMJL", "text": CARD}}},
        [{"kind": "card", "name": "NMJL"}],
        True,
    ),
    ({"ruleset": {"id": "riichi"}, "mods": [{"id": "futures"}]}, [], True),
]  # what is played, what of it is somebody's own, whether it is fair


def asked(server: Server, path: str, body: Plain) -> Plain:
    """What the server says to somebody without a key."""
    request = urllib.request.Request(
        f"{server.url}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request) as answer:
        found: Plain = json.load(answer)
        return found


@pytest.mark.parametrize(("spec", "own", "fair"), OWN)
async def test_a_guest_is_told_which_rules_are_somebody_s_own(
    web_server: Server, spec: Plain, own: list[Plain], fair: bool
) -> None:
    async with page(web_server.socket) as ann, page(web_server.socket) as bob:
        table = await ann.make(spec, TWO, 0, public=True)
        guest = await bob.join(table.code)
        shown = None
        while shown is None:  # lists are made once a second
            tables = (await bob.ask("lobby", on=True))["tables"]
            shown = next((one for one in tables if one["code"] == table.code), None)
        for info in (table.info, guest.info, shown):
            assert (info["own"], info["fair"]) == (own, fair)
        await table.say("stand")


async def test_what_own_rules_do_can_be_read_before_one_sits_down(web_server: Server) -> None:
    async with page(web_server.socket) as ann:
        table = await ann.make(MODDED, TWO, 0)
        found = asked(web_server, "/api/own-rules", {"table": table.code, "lang": "en"})
        assert found["against"]["id"] == "riichi"
        assert found["shows"] == [{"text": "After a draw: shown to the dealer: the wall.", "hidden": ["wall"]}]
        assert [part["title"] for part in found["changes"]] == ["Automatic effects"]
        assert [(one["kind"], one["text"]) for one in found["texts"]] == [("mod", PEEK)]
        shown = {
            lang: asked(web_server, "/api/own-rules", {"table": table.code, "lang": lang})["shows"][0]["text"]
            for lang in ("zh", "ja")
        }
        assert shown == {"zh": "摸牌之後：給莊家看牌牆。", "ja": "ツモの後：親に見せる：牌山。"}


def test_a_copy_is_compared_with_what_it_copies(web_server: Server) -> None:
    text = forked("cantonese", "mine").replace("least_faan: {", "least_faan: {note: {en: Mine}, ", 1)
    found = asked(web_server, "/api/own-rules", {"spec": {"ruleset": {"name": "Cantonese", "text": text}}})
    assert found["against"]["id"] == found["texts"][0]["from"] == "cantonese"
    lines = found["texts"][0]["text"].splitlines()
    assert "+id: mine" in lines and len(lines) < 70


def test_rules_that_extend_nothing_bundled_are_shown_whole(web_server: Server) -> None:
    bases = [{"name": "mine", "text": MINE}]
    text = "tilewright: 1\nkind: ruleset\nid: other\nname: {en: Other}\nextends: mine\n"
    found = asked(web_server, "/api/own-rules", {"spec": {"ruleset": {"name": "Other", "text": text}, "beside": bases}})
    assert found["against"]["id"] == "riichi"
    assert [one["kind"] for one in found["texts"]] == ["ruleset", "beside"]


async def test_a_card_cannot_be_a_mod_in_disguise(web_server: Server) -> None:
    spec = {
        "ruleset": {"id": "american"},
        "options": {"card": {"name": "NMJL", "text": PEEK.replace("riichi", "american")}},
    }
    async with page(web_server.socket) as ann:
        with pytest.raises(Refusal) as refusal:
            await ann.make(spec, TWO, 0)
    assert [one["code"] for one in refusal.value.said["problems"]] == ["not-a-card"]


# --- in a browser, as a guest


SIZES = (PHONE, pytest.param(WIDE, marks=pytest.mark.soak))


@pytest.fixture(params=SIZES, ids=["phone", "wide"])
def guest(request: pytest.FixtureRequest, chromium: Any, web_server: Server) -> Iterator[Any]:
    """A page of somebody else."""
    yield from opened(chromium, web_server, at=AWAY, viewport=request.param)


@pytest.fixture
def host(chromium: Any, web_server: Server) -> Iterator[Any]:
    yield from opened(chromium, web_server, at=AWAY, viewport=WIDE)


def table_of(host: Any, **setup: Any) -> str:
    """A table with the peeking mod, whose host is there."""
    code: str = host.evaluate(MAKE, [MODDED, {"seats": TWO, **QUICK, "public": True, **setup}])
    host.wait_for_selector(".waiting-room")
    return code


def test_a_guest_sees_it_in_the_lobby_and_before_sitting_down(host: Any, guest: Any, web_server: Server) -> None:
    code = table_of(host, name="Riichi, fair")
    guest.goto(web_server.url)
    line = guest.locator(f".table-line[href='/t/{code}']")
    line.get_by_text("Riichi + “Red fives”").wait_for()  # once the names of rulesets are there
    assert line.locator(".own-mark").inner_text() == "own rules"
    line.click()
    guest.wait_for_selector(".own-rules .hidden-tiles")
    box = guest.locator(".waiting-room .own-rules")
    assert "the house rule “Red fives”" in box.inner_text() and "A fair game is not promised" in box.inner_text()
    assert "shown to the dealer: the wall. These tiles are hidden otherwise: wall." in box.inner_text()
    sit = guest.locator(".seat-list button:has-text('Sit')").first
    assert box.bounding_box()["y"] < sit.bounding_box()["y"]
    guest.click(".own-fold summary:has-text('What they change in Riichi')")
    guest.wait_for_selector(".own-fold .changes")
    guest.click(".own-fold summary:has-text('As written')")
    assert "reveal: {tiles: wall, to: dealer}" in guest.locator(".own-text").inner_text()
    assert guest.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_guest_sees_it_at_the_table(host: Any, guest: Any, web_server: Server) -> None:
    code = table_of(host)
    guest.goto(f"{web_server.url}/t/{code}")
    guest.wait_for_selector(".own-rules .hidden-tiles")
    guest.locator(".seat-list button:has-text('Sit')").first.click()
    guest.fill(".ask-name input", "Bob")
    guest.click(".ask-name button[type=submit]")
    guest.wait_for_selector(".hand-tile")
    assert guest.locator(".table-bar .own-mark").inner_text() == "own rules"
    guest.click(".table-bar .own-mark")
    guest.wait_for_selector(".side .own-rules .hidden-tiles")


def test_a_guest_sees_it_before_taking_a_seat_in_a_game(host: Any, guest: Any, web_server: Server) -> None:
    code = table_of(host)
    host.click("text=Start, bots take free seats")
    host.wait_for_selector(".hand-tile")
    host.keyboard.press("o")
    host.locator(".side .seat-list select").first.select_option("person")
    guest.goto(f"{web_server.url}/t/{code}")
    guest.wait_for_selector("button:has-text('Sit down as player')")
    guest.wait_for_selector(".own-rules")
    assert "A fair game is not promised" in guest.locator(".own-rules").first.inner_text()


def test_a_guest_who_looks_on_can_read_and_sit_down(host: Any, guest: Any, web_server: Server) -> None:
    """The button was below the end of the screen as soon as the table was seen."""
    code = table_of(host, spectator_delay=0)
    host.click("text=Start, bots take free seats")
    host.wait_for_selector(".hand-tile")
    host.keyboard.press("o")
    host.locator(".side .seat-list select").first.select_option("person")
    host.locator(".hand-tile:not([disabled])").last.click()
    guest.goto(f"{web_server.url}/t/{code}")
    sit = guest.locator(".own .free-seats button:has-text('Sit down as player')")
    sit.wait_for()
    for size in (PHONE, WIDE):
        guest.set_viewport_size(size)
        guest.evaluate(FRAME)
        for part in (sit, guest.locator(".own .free-seats .own-rules")):
            box = part.bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"], size
    guest.click(".own-rules button:has-text('Read them')")
    guest.wait_for_selector(".side .own-rules .hidden-tiles")
