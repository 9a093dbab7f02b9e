"""The racks of who makes several hands: tiles go to another one by key, click and drag, and stay there."""

from typing import Any

import pytest
from test_web_table import BOTS, page, sit_down

__all__ = ["page"]

pytestmark = pytest.mark.long

RACKS = """() => [...document.querySelectorAll('.rack .hand')].map(rack =>
  [...rack.querySelectorAll('.hand-tile')].map(tile => tile.dataset.code))"""
SAID = "text => [...document.querySelectorAll('[aria-live]')].some(one => one.textContent.includes(text))"
SPLIT = "count => document.querySelectorAll('.rack:first-child .hand-tile').length === count"


def racks(page: Any) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(RACKS)
    return found


def first_tile(page: Any, rack: int) -> Any:
    return page.locator(".rack").nth(rack).locator(".hand-tile").first


def test_tiles_stand_on_racks_and_move_between_them(page: Any) -> None:
    sit_down(page, "siamese", seed=7, seats=[{"kind": "person"}, BOTS[0]])
    page.wait_for_function(SPLIT, arg=14)
    first, second = racks(page)
    assert len(second) == 14, "the deal is divided evenly, with the drawn tile on the second rack"
    assert page.get_attribute(".rack:nth-child(2) .hand", "aria-label") == "Hand 2"

    first_tile(page, 0).focus()
    page.keyboard.press("t")
    page.wait_for_function(SPLIT, arg=13)
    assert racks(page)[0] == first[1:] and first[0] in racks(page)[1]
    page.wait_for_function(SAID, arg=": to hand 2")

    page.click("button:has-text('Arrange')")
    first_tile(page, 1).click()
    page.wait_for_function(SPLIT, arg=14)
    assert sorted(racks(page)[0] + racks(page)[1]) == sorted(first + second)
    page.click("button:has-text('Arrange')")

    first_tile(page, 0).drag_to(page.locator(".rack").nth(1))
    page.wait_for_function(SPLIT, arg=13)
    moved = racks(page)
    first_tile(page, 0).click()  # it is one's turn: the tile is discarded
    page.wait_for_function(SPLIT, arg=12)
    assert racks(page)[0] == moved[0][1:], "the others stay where they were put"
