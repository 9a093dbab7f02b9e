"""A table with a card in a real browser: the card lies next to the hand, tiles are passed on over a tray, wins are
remembered by their lines, digits press what they say."""

from collections.abc import Iterator
from typing import Any

import pytest
from test_web_table import AWAY, PHONE, TOUCH, WIDE, opened, sit_down
from web_server import Server

LINE = "FF 222 444 666 888 X25"
DEALT = """tilewright: 1
kind: mod
id: dealt
name: Dealt
about: The dealer is dealt a line of the card.
for: [american]
add:
  phases:
    opening:
      do:
        - {for: everyone, move: {tiles: hand, from: hand, to: wall}}
        - {for: dealer, move: {count: 3, of: [2m], from: wall, to: hand}}
        - {for: dealer, move: {count: 3, of: [4m], from: wall, to: hand}}
        - {for: dealer, move: {count: 3, of: [6m], from: wall, to: hand}}
        - {for: dealer, move: {count: 3, of: [8m], from: wall, to: hand}}
        - {for: dealer, move: {count: 2, of: [flower_tiles], from: wall, to: hand}}
        - {for: others, move: {count: 13, from: wall, to: hand}}
"""
CHOOSABLE = ".hand-tile:not(.illegal, .selected)"
CODES = "all => all.map(one => one.dataset.code)"


@pytest.fixture
def page(chromium: Any, web_server: Server) -> Iterator[Any]:
    yield from opened(chromium, web_server, at=AWAY, viewport=WIDE)


def choose(page: Any, count: int) -> list[str]:
    """Put so many tiles on the tray, the first that may be; their codes."""
    found = []
    before = len(page.query_selector_all(".trayed"))
    for at in range(count):
        tile = page.wait_for_selector(CHOOSABLE)
        found.append(tile.get_attribute("data-code"))
        tile.click()
        page.wait_for_function("count => document.querySelectorAll('.trayed').length === count", arg=before + at + 1)
    return found


def pass_on(page: Any, count: int) -> None:
    """Answer an exchange, and wait for the next question."""
    choose(page, count)
    before = page.inner_text(".question-text")
    page.click("[data-offer=pick]")
    page.wait_for_function("before => document.querySelector('.question-text').textContent !== before", arg=before)
    page.wait_for_selector(".offers .offer")


def test_tiles_are_passed_on_over_a_tray(page: Any) -> None:
    sit_down(page, "american", seed=21)
    page.wait_for_selector(".tray .slot >> nth=2")
    steps = ".steps li"
    assert page.eval_on_selector_all(steps, "all => all.map(one => one.textContent)") == ["Right", "Across", "Left"]
    assert page.inner_text(f"{steps}[aria-current=step]") == "Right"
    assert page.eval_on_selector_all(".packet", "all => all.length") == 3
    given = choose(page, 2)
    assert page.eval_on_selector_all(".tray .tile", CODES) == given and page.query_selector_all(".tray .slot")
    page.click(".trayed >> nth=0")  # taken back
    page.wait_for_selector(".trayed >> nth=1", state="detached")
    assert page.eval_on_selector_all(".tray .tile", CODES) == given[1:]
    choose(page, 2)
    assert "Pass to Bot 2" in page.inner_text("[data-offer=pick]")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{steps}[aria-current=step]:has-text('Across')")
    page.wait_for_function("() => document.querySelectorAll('.hand-tile.came').length === 3")
    assert "Pass to Bot 3" in page.inner_text("[data-offer=pick]")


def test_keys_go_to_the_ends_of_what_may_be_passed(page: Any) -> None:
    sit_down(page, "american", seed=11)
    page.wait_for_selector(".hand-tile.illegal >> nth=1")  # two jokers, at the end
    page.keyboard.press("End")
    page.wait_for_selector(".hand-tile.cursor >> nth=0")
    assert page.get_attribute(".hand-tile.cursor", "data-at") == "11"


def test_an_exchange_whose_way_is_rolled_has_a_tray_too(page: Any) -> None:
    sit_down(page, "sichuan", seed=2)
    page.wait_for_selector(".tray .slot >> nth=2")
    assert not page.query_selector(".steps") and page.query_selector(".tray-box.way-unknown .tray > .arrow")
    for _ in range(3):
        page.click(f"{CHOOSABLE} >> nth=-1")
    page.click("[data-offer=pick]:not(:disabled)")
    page.wait_for_selector(".tray", state="detached")
    page.wait_for_function("() => document.querySelectorAll('.hand-tile.came').length === 3")


def test_digits_press_what_they_say(page: Any) -> None:
    sit_down(page, "american", seed=21)
    page.wait_for_selector(".tray")
    for count in (3, 3, 3):
        pass_on(page, count)
    page.click(".offer:has-text('No')")  # no other charleston
    page.wait_for_selector(".offer:has-text('2')")
    texts = page.eval_on_selector_all(".offers .offer", "all => all.map(one => one.textContent.trim())")
    assert texts == ["0", "1", "2", "3"]
    page.focus(".offers .offer >> nth=0")
    for key, at in (("ArrowDown", 2), ("s", 3), ("w", 2), ("ArrowUp", 1)):
        page.keyboard.press(key)
        page.wait_for_selector(f".offers .offer:nth-child({at}):focus")
    page.keyboard.press("0")
    page.wait_for_selector(".hand-tile[aria-disabled=false]")  # no tile is passed, the dealer begins
    assert page.evaluate("() => getComputedStyle(document.querySelector('[data-offer=accuse]')).order") == "-1"


def test_the_card_lies_next_to_the_hand_and_remembers_wins(page: Any) -> None:
    sit_down(page, "american", seed=3, mods=[{"text": DEALT}])
    first = page.wait_for_selector(".side .card-line.near.first .near-hand")
    assert len(first.query_selector_all(".tile")) == 14 and not first.query_selector_all(".tile.lacking")
    assert page.get_attribute(".card-line.first", "data-line") == LINE
    other = page.query_selector(".card-line.near:not(.first)")
    assert int(other.query_selector(".away").inner_text().split()[0]) == len(other.query_selector_all(".lacking")) > 0
    assert not page.query_selector(".card-line .won")
    page.click(".offer.wins")
    page.wait_for_selector("[data-do=next]")
    page.wait_for_selector(f".card-line[data-line='{LINE}'] .won")
    page.evaluate("() => localStorage.removeItem('tilewright.wins')")  # the server knows it
    page.goto(page.url.split("/t/")[0] + "/cards/bundled-basic1")
    assert page.wait_for_selector(".drawn .line:has(.won)").inner_text().startswith("FF")
    assert page.get_attribute(".drawn .won", "aria-label") == "Won 1 time"


def test_a_phone_has_the_nearest_hand_in_a_line(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, **TOUCH):
        sit_down(page, "american", seed=21)
        line = page.wait_for_selector(".nearest-line")
        assert len(line.query_selector_all(".tile")) == 14 and line.query_selector_all(".lacking")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
        line.tap()
        page.wait_for_selector(".side .card-line.near.first")
