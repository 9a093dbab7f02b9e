"""Replays on a real server and in a real browser: a finished game stepped, from each eye; no table that is still played
has one, and no eye sees what its seat did not see."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from web_asking import Asker, asker
from web_client import FAST, PERSON, Page, Plain
from web_server import Server, fresh_page, somebody

from tilewright.play.log import read_log
from tilewright.play.resume import resume, verify
from tilewright.play.rules import load
from tilewright.play.view import View

SECONDS = 120_000  # milliseconds
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
HANDS = 2
RULESET = "cantonese"


@dataclass(frozen=True)
class Played:
    """A table that is over, and one that is not; who played."""

    url: str
    over: str
    on: str
    ann: Asker
    bob: Asker


@pytest.fixture(scope="module")
def played(web_server: Server) -> Played:
    ann, bob = asker(web_server, "Ann"), asker(web_server, "Bob")

    async def play() -> tuple[str, str]:
        page = await Page(web_server.socket, ann.key).open()
        spec, seats = {"ruleset": {"id": RULESET}, "seed": 3}, [PERSON, FAST, FAST, FAST]
        done = await page.make({**spec, "hands": HANDS}, seats, 0, public=True)
        await done.play()
        still = await page.make({**spec, "hands": 1}, seats, 0, public=True)
        await page.close()
        return done.code, still.code

    over, on = asyncio.run(play())
    return Played(web_server.url, over, on, ann, bob)


def index_of(played: Played, who: Asker | None = None) -> Plain:
    found: Plain = (who or played.ann).do("GET", f"/api/replays/{played.over}")
    return found


def steps_of(played: Played, hand: int, eye: str) -> list[Plain]:
    found = played.bob.do("GET", f"/api/replays/{played.over}/hands/{hand}?eye={eye}")
    steps: list[Plain] = found["steps"]
    return steps


def log_of(played: Played) -> str:
    status, content = played.bob.raw("GET", f"/api/replays/{played.over}/log")
    assert status == 200
    return content.decode()


# --- over HTTP


def test_a_finished_table_is_listed(played: Played) -> None:
    own = played.ann.do("GET", "/api/replays")["own"]
    assert [(one["code"], one["me"]) for one in own] == [(played.over, 0)]
    public = played.bob.do("GET", "/api/replays")["public"]
    assert (played.over, None) in [(one["code"], one["me"]) for one in public]
    assert own[0]["players"][0] == {"name": "Ann", "kind": "person", "bot": None}
    assert len(own[0]["scores"]) == 4


def test_a_table_that_is_still_played_has_no_replay(played: Played) -> None:
    for who in (played.ann, played.bob):
        for path in ("", "/hands/1?eye=open", "/hands/1?eye=1", "/log"):
            assert who.refused("GET", f"/api/replays/{played.on}{path}") == (409, "not-over")
    assert played.on not in json.dumps(played.ann.do("GET", "/api/replays"))
    assert played.bob.refused("GET", "/api/replays/QQQQQ") == (404, "unknown-replay")
    assert played.bob.refused("GET", f"/api/replays/{played.over}/hands/1?eye=../1") == (404, "unknown-replay")
    assert played.bob.refused("GET", f"/api/replays/{played.over}/hands/0") == (404, "unknown-replay")
    assert played.bob.do("GET", f"/api/replays/{played.over}/hands/99?eye=0")["steps"] == []


def test_the_hands_have_their_results(played: Played) -> None:
    index = index_of(played)
    assert [hand["hand"] for hand in index["hands"]] == [1, 2]
    assert index["steps"] == sum(hand["steps"] for hand in index["hands"])
    assert [hand["first"] for hand in index["hands"]] == [0, index["hands"][0]["steps"]]
    scores = index["start"]
    for hand in index["hands"]:
        scores = [score + gain for score, gain in zip(scores, hand["result"]["gains"], strict=True)]
        assert scores == hand["result"]["scores"]
    assert scores == index["scores"]
    assert index["about"]["id"] == RULESET


def test_the_log_is_the_game(played: Played) -> None:
    log = read_log("log", log_of(played))
    assert verify(log, load(RULESET)) is None


@pytest.mark.parametrize("eye", ["0", "1", "2", "3", "all"])
def test_an_eye_sees_what_its_seat_saw(played: Played, eye: str) -> None:
    hidden = 0
    for hand in range(1, HANDS + 1):
        for step in steps_of(played, hand, eye)[:-2]:
            view = step["view"]
            assert "question" not in view and "refusals" not in view
            own = None if eye == "all" else next(seat for seat, player in view["players"].items() if player == int(eye))
            assert view["seat"] == own
            for seat, codes in view["zones"]["hand"].items():
                if seat == own:
                    assert None not in codes
                elif not step["ends"]:
                    hidden += sum(code is None for code in codes)
            assert set(view["zones"]["wall"]) <= {None}
            for event in step["events"]:
                if event["event"] == "draw" and event["seat"] != own:
                    assert "tiles" not in event
    assert hidden > 100


def test_the_open_eye_sees_every_hand_as_it_was(played: Played) -> None:
    last = [step for step in steps_of(played, HANDS, "open") if step["ends"]][-1]["view"]
    game = resume(read_log("log", log_of(played)), load(RULESET))
    for seat, name in enumerate(game.program.names[:-1]):
        view = View(game, seat).to_json()
        assert last["zones"]["hand"][name] == view["zones"]["hand"][name]
        assert last["melds"][name] == view["melds"][name]
    steps = steps_of(played, 1, "open")
    assert all(None not in codes for step in steps for codes in step["view"]["zones"]["hand"].values())
    drawn = [event for step in steps for event in step["events"] if event["event"] == "draw"]
    assert drawn
    assert all("tiles" in event for event in drawn)


# --- in the browser


class Show:
    """A page with a replay."""

    def __init__(self, page: Any, url: str) -> None:
        self.page = page
        self.page.set_default_timeout(SECONDS)
        self.url = url
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda one: self.faults.append(one.text) if one.type == "error" else None)

    def open(self, address: str) -> "Show":
        self.page.goto(f"{self.url}{address}")
        self.page.wait_for_selector(".replay .felt")
        return self

    def press(self, *keys: str) -> "Show":
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def at(self, hand: int, moment: int) -> None:
        """It stands there."""
        self.page.locator(".controls .where", has_text=re.compile(rf" {hand} of \d+ · {moment} / ")).wait_for()


OpenShow = Callable[..., Show]


@pytest.fixture
def show(web_server: Server, chromium: Any) -> Iterator[OpenShow]:
    opened: list[Show] = []
    with ExitStack() as pages:

        def open(address: str, size: Any = WIDE, **how: Any) -> Show:
            page = pages.enter_context(fresh_page(chromium, web_server.url, viewport=size, **how))
            opened.append(Show(page, web_server.url))
            return opened[-1].open(address)

        yield open
    assert [fault for one in opened for fault in one.faults] == []


def test_a_replay_is_stepped_by_keys(played: Played, show: OpenShow) -> None:
    first = index_of(played)["hands"][0]["steps"]
    one = show(f"/r/{played.over}")
    one.at(1, 1)
    one.press("ArrowRight", "ArrowRight").at(1, 3)
    one.press("ArrowLeft").at(1, 2)
    one.press("ArrowDown").at(2, 1)
    one.press("ArrowLeft").at(1, first)
    one.page.wait_for_selector(".result .score-lines, .result h2")
    one.page.wait_for_url(re.compile(rf"#{first - 1}$"))
    one.press("Enter").at(2, 1)
    one.press("Home").at(1, 1)
    one.press("End")
    one.page.locator(".controls button").last.is_disabled()
    one.press("ArrowUp", "ArrowUp").at(1, 1)


def test_a_replay_is_played_and_paused(played: Played, show: OpenShow) -> None:
    one = show(f"/r/{played.over}?eye=open")
    one.page.get_by_label("Speed").select_option("4")
    one.page.get_by_role("button", name="Play", exact=True).click()
    one.page.locator(".controls .where", has_not_text=re.compile(r" 1 of \d+ · 1 / ")).wait_for()
    one.page.get_by_role("button", name="Pause").click()
    one.page.get_by_role("button", name="Play", exact=True).wait_for()


def test_each_eye_is_looked_through(played: Played, show: OpenShow) -> None:
    one = show(f"/r/{played.over}?eye=open#6")
    one.at(1, 7)
    assert one.page.locator(".other-hand .tile.back").count() == 0
    for player in range(4):
        one.page.get_by_label("Point of view").select_option(str(player))
        name = "Ann" if player == 0 else f"Bot {player + 1}"
        one.page.wait_for_selector(f".own-row[aria-label*='{name}'] .tile")
        hand = one.page.locator(".own-row .tile").evaluate_all("all => all.map(one => one.dataset.code)")
        view = next(step for step in steps_of(played, 1, str(player)) if step["n"] == 6)["view"]
        melded = [code for meld in view["melds"][view["seat"]] for code in meld["tiles"]]
        shown = [*view["zones"]["hand"][view["seat"]], *melded]
        assert sorted(hand) == sorted(shown)
        assert one.page.locator(".other-hand .tile:not(.back)").count() == 0
    one.page.get_by_label("Point of view").select_option("all")
    one.page.locator(".own-row").wait_for(state="detached")
    assert "eye=all#6" in one.page.url


def test_a_link_leads_to_a_moment_and_the_log_comes_as_a_file(played: Played, show: OpenShow) -> None:
    one = show(f"/r/{played.over}?eye=2#9")
    one.at(1, 10)
    assert one.page.get_by_label("Point of view").input_value() == "2"
    with one.page.expect_download() as download:
        one.page.get_by_role("link", name="Download log").click()
    assert download.value.suggested_filename == f"{played.over}.jsonl"
    one.page.get_by_role("tab", name="Hands and points").click()
    assert one.page.locator(".hands .chart polyline").count() == 4
    one.page.get_by_role("button", name="Result of hand 2").click()
    one.page.wait_for_selector(".result h2")


def test_a_replay_on_a_phone(played: Played, show: OpenShow) -> None:
    one = show(f"/r/{played.over}?eye=0#12", NARROW, has_touch=True, is_mobile=True)
    assert one.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    one.page.get_by_role("button", name="Next moment").tap()
    one.at(1, 14)
    for button in one.page.locator(".controls button").all():
        box = button.bounding_box()
        assert box is not None and box["height"] >= 44


def test_a_table_that_is_on_says_so(played: Played, web_server: Server, chromium: Any) -> None:
    page = somebody(chromium).new_page()
    page.goto(f"{web_server.url}/r/{played.on}")
    page.get_by_text("still being played").wait_for()
    page.goto(f"{web_server.url}/replays")
    page.locator(f".replays a[href='/r/{played.over}']").click()
    page.wait_for_selector(".replay .felt")
    page.close()
