"""The felt in a real browser: how large tiles are, that nothing lies on anything else or is cut off, at every size,
with three seats and six, with ponds and with one pile; and that tiles travel."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from games import mostly_soaked
from test_web_table import AWAY, BOTS, CHOOSE, FRAME, MAKE, opened
from web_ahead import claiming, discards, has_melds, is_asked, may_pass, sit_ahead
from web_client import FAST, PERSON, RANDOM, Table
from web_server import Server

SIZES = {"wide": (1440, 900), "tablet": (1024, 768), "across": (844, 390), "upright": (390, 844), "small": (320, 568)}
POND, OTHERS, OWN = 44, 26, 64  # px, the least widths of tiles where there is room
FAR = ".pond .pond-row:nth-child(3), .pile .tile:nth-of-type(9)"  # so much has been discarded,
ASKED = ".hand-tile[aria-disabled=false]"  # and the table waits

MEASURE = """() => {
  const box = (one) => one.getBoundingClientRect();
  const round = (all) => {
    const boxes = all.map(box);
    return { left: Math.min(...boxes.map(b => b.left)), right: Math.max(...boxes.map(b => b.right)),
             top: Math.min(...boxes.map(b => b.top)), bottom: Math.max(...boxes.map(b => b.bottom)) };
  };
  const seen = (selector) => [...document.querySelectorAll(selector)].filter(one => box(one).width);
  const named = (name, all) => all.filter(one => one.length).map((one, at) => [`${name} ${at}`, round(one)]);
  const areas = [
    ...named('pond', seen('.pond').map(one => [...one.querySelectorAll('.tile')])),
    ...named('pile', seen('.pile').map(one => [...one.querySelectorAll('.tile')])),
    ...named('centre', seen('.centre').map(one => [one])),
    ...named('plate', seen('.plate').map(one => [one])),
  ];
  const before = (a, b) => a.right <= b.left + 2 || a.bottom <= b.top + 2;
  const apart = (a, b) => before(a, b) || before(b, a);
  const overlaps = areas.flatMap(([name, one], at) =>
    areas.slice(at + 1).filter(([, other]) => !apart(one, other)).map(([other]) => `${name} and ${other}`));
  const width = (selector) => Math.min(...seen(selector).map(one => one.offsetWidth));
  const hand = round(seen('.hand-tile'));
  const root = document.documentElement;
  return {
    overlaps,
    pond: width('.pond .tile, .pile .tile'), others: width('.other-hand > *'), own: width('.hand-tile > .tile'),
    rows: new Set(seen('.hand-tile:not(:hover, .selected)').map(one => Math.round(box(one).bottom))).size,
    hand: seen('.hand-tile').length > 1 && hand.left >= 0 && hand.right <= innerWidth && hand.bottom <= innerHeight,
    plates: seen('.plate').every(one => box(one).left >= 0 && box(one).right <= innerWidth),
    scrolls: root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight,
  };
}"""

FLIGHTS = """() => {
  window.flights = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    if (this.className === 'flyer') window.flights.push(how.duration);
    return animate.call(this, frames, how);
  };
}"""


@dataclass(frozen=True)
class Setting:
    ruleset: str
    seed: int
    seats: int = 4
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.ruleset}-{self.seats}"


SETTINGS = (
    Setting("riichi", 3),
    Setting("american", 1),
    Setting("uzje", 3, seats=6, options={"players": 6}),
    Setting("sanma", 4, seats=3),
    Setting("uzje", 5),
)
SHOWN = SETTINGS[:3]  # in `make test`: four and six seats, ponds and a pile


def is_far(table: Table) -> bool:
    """A seat has three rows of discards, or the middle a pile, and the person has to discard."""
    return is_asked(table) and not may_pass(table) and max(discards(table)) > 12


def has_declared(table: Table) -> bool:
    """One player has declared riichi, and the person has claimed a tile."""
    declared = table.view["marks"]["riichi"].values() if table.view else ()
    return is_asked(table) and sum(declared) == 1 and has_melds(table, 0)


@pytest.mark.parametrize("setting", mostly_soaked(SETTINGS, SHOWN), ids=str)
def test_everything_has_its_place(chromium: Any, web_server: Server, setting: Setting) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=viewport("wide")):
        seats = [PERSON, *[RANDOM] * (setting.seats - 1)]
        sit_ahead(page, setting.ruleset, range(setting.seed, 20), is_far, seats=seats, options=setting.options)
        page.wait_for_selector(ASKED)
        assert page.locator(FAR).count()
        assert page.locator(".seat").count() == page.locator(".plate").count() == setting.seats
        page.mouse.move(0, 0)
        for size in SIZES:
            page.set_viewport_size(viewport(size))
            page.evaluate(FRAME)
            found = page.evaluate(MEASURE)
            assert not found["overlaps"], (size, found["overlaps"])
            assert found["hand"] and found["plates"] and not found["scrolls"], (size, found)
            if size == "wide":
                assert found["pond"] >= POND
                assert setting.seats > 4 or found["others"] >= OTHERS
                assert found["own"] >= OWN or page.query_selector(".hand-row .aside > *")
            if size == "across":
                assert found["rows"] == 1


def viewport(size: str) -> dict[str, int]:
    width, height = SIZES[size]
    return {"width": width, "height": height}


def test_what_the_rules_say_of_tiles_is_seen(chromium: Any, web_server: Server) -> None:
    """A declared discard lies sideways with a stick before its seat; a claimed tile lies across; shown tiles stand in
    the wall, and what they make worth more is marked."""
    for page in opened(chromium, web_server, at=AWAY, viewport=viewport("wide")):
        sit_ahead(page, "riichi", range(10, 20), has_declared, seats=[PERSON, *[FAST] * 3], choose=claiming)
        page.wait_for_selector(".stick")
        page.wait_for_selector(".pond .turned")
        (side,) = {one.get_attribute("data-side") for one in page.query_selector_all(".seat:has(.stick)")}
        assert page.locator(f".seat[data-side={side}] .pond .turned").count() == 1
        assert page.locator(".wall .tile[data-code]").count() == page.locator(".shown .lying .tile").count() == 1
        assert page.locator(".shown .worth-more .tile.dora").count() == 4  # and the red fives
        across, meld = page.locator(".meld .turned").count(), page.locator(".meld:not(.closed)").count()
        assert across == meld


def test_rules_may_turn_no_tile(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=viewport("wide")):
        sit_ahead(page, "uzje", range(5, 20), lambda table: is_asked(table) and has_melds(table, 3))
        page.wait_for_selector(".rim.melds-left .meld")
        assert page.locator(".wall.slanted").count() == 4
        assert not page.query_selector(".turned")


@pytest.mark.parametrize("calm", ["no-preference", "reduce"])
def test_tiles_travel_and_are_there_at_once_if_asked(chromium: Any, web_server: Server, calm: str) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=viewport("wide"), reduced_motion=calm):
        page.evaluate(FLIGHTS)
        spec = {"ruleset": {"id": "hong_kong"}, "mods": [], "options": {}, "hands": 1, "seed": 2}
        page.evaluate(MAKE, [spec, {"seats": [{"kind": "person"}, *BOTS], "claim_seconds": 0, "bot_seconds": 0.3}])
        page.wait_for_selector(".hand-tile[aria-disabled=false]")
        page.mouse.click(*page.evaluate(CHOOSE))
        page.wait_for_selector(".hand-tile[aria-disabled=false], .offer.pass:not(:disabled)")
        page.wait_for_selector(".flyer, [data-in-flight]", state="detached")
        flights = page.evaluate("flights")
        assert {*flights} <= {160, 200, 240} and (200 in flights) == (calm == "no-preference")
