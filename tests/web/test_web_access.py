"""Every page for everybody: axe finds nothing, wide and light, and on a phone in the dark; nothing scrolls sideways and
no text is too small, at three sizes. Each kind of screen is looked at once, whatever its ruleset."""

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from screens import SCREENS, TABLES, Visit, claim, visiting
from web_server import Server

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN_AXE = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations.flatMap(
  ({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`))"""
WIDE, PHONE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}, {"width": 320, "height": 568}
FORMS = ((WIDE, "light", True), (PHONE, "dark", True), (NARROW, "light", False))  # and whether axe looks
SETTLED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  const ends = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
  await Promise.allSettled(ends.map((one) => one.finished));
  await frame();
}"""
OVERFLOW = """() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > clientWidth)
    .map((one) => `${one.tagName}.${one.className} reaches ${Math.round(one.getBoundingClientRect().right)} px`);
}"""
LEAST_TEXT = 14  # px
TOO_SMALL = """(least) => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set();
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement;
    const text = node.textContent.trim();
    if (!text || !one.checkVisibility() || one.closest("svg, .tile, .unseen, script, style")) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (size < least - 0.01) found.add(`${one.tagName}.${one.className} is ${size} px: ${text.slice(0, 40)}`);
  }
  return [...found];
}"""
SCROLLS = "() => document.documentElement.scrollHeight - document.documentElement.clientHeight"
SHORT_BOOK = "cantonese"  # of which each form is looked at in a second
# Rulesets have tables of two kinds: with ponds, and with a pile, a card and tiles that are passed on.
KINDS = {
    "deal": ("american",),
    "game": ("riichi", "american"),
    "claim": ("riichi",),
    "helped": ("riichi", "american"),
    "win": ("riichi", "american"),
    "exhausted": ("riichi",),
    "over": ("riichi",),
}
PAGES: list[tuple[str, Callable[[Visit], None], str]] = [
    *((name, reach, SHORT_BOOK if name == "docs" else "") for name, reach in SCREENS.items()),
    *((name, reach, ruleset) for name, reach in TABLES.items() for ruleset in KINDS[name]),
]


def faults_of(page: Any, size: Any, theme: str, axe: bool) -> list[str]:
    """What axe finds in this form of a page, and what is wider than the screen, or too small to read."""
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.evaluate(SETTLED)
    found = [*page.evaluate(OVERFLOW), *page.evaluate(TOO_SMALL, LEAST_TEXT)]
    found += page.evaluate(RUN_AXE) if axe else []
    return [f"{size['width']} {theme}: {one}" for one in found]


@pytest.mark.parametrize(
    ("name", "reach", "ruleset"), PAGES, ids=[f"{name}-{ruleset}" if ruleset else name for name, _, ruleset in PAGES]
)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    chromium: Any, web_server: Server, tmp_path: Path, name: str, reach: Callable[[Visit], None], ruleset: str
) -> None:
    with visiting(chromium, web_server.url, tmp_path, "en") as visit:
        visit.ruleset = ruleset
        reach(visit)
        visit.page.evaluate(AXE)
        faults = [one for form in FORMS for one in faults_of(visit.page, *form)]
    assert not faults, "\n".join(faults)


def test_a_short_page_does_not_scroll(chromium: Any, web_server: Server) -> None:
    with visiting(chromium, web_server.url, Path(), "en") as visit:
        visit.open("/nothing", "#main h1")
        assert visit.page.evaluate(SCROLLS) == 0


def test_what_may_be_done_is_read_out(chromium: Any, web_server: Server, tmp_path: Path) -> None:
    """With the tile that it is about, and those it would use."""
    with visiting(chromium, web_server.url, tmp_path, "en") as visit:
        visit.ruleset = "riichi"
        claim(visit)
        visit.page.wait_for_function("() => document.querySelector('#live').textContent.includes('You may: ')")
        said = visit.page.inner_text("#live")
        names = visit.page.eval_on_selector_all(".offer[data-offer] .label", "all => all.map(one => one.textContent)")
        assert re.search(r"The tile is [\w ]+\. You may: .+, Pass\.", said), said
        assert all(name in said for name in names)
