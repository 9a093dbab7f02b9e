"""Every page for everybody. Each kind of screen is opened once, and then looked at in all that a person may have: at
these sizes no two controls overlap, no text is cut and nothing scrolls sideways; axe finds nothing, wide and light, and
on a phone in the dark; no text is too small. A person walks through screens that lead to one another. In `make soak` at
more sizes, in each language, tables of both kinds.
"""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from budget import budget
from screens import LANGUAGES, RULESETS, SCREENS, TABLES, claim, visiting
from web_server import Server, as_seen

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def script(name: str) -> str:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return as_seen(text.strip().rstrip(";"))


WRONG, RUN_AXE = script("fits.js"), script("unlike.js")
ALIKE = budget(2)  # so many things that look alike are looked at by axe
DESK, WIDE, PHONE, NARROW = "1440x900", "1280x800", "390x844", "320x568"
ZOOMED = "640x400"  # what is left of the widest at 200 %
SIZES = (WIDE, "844x390", ZOOMED, NARROW, PHONE)  # of tables, the dark one last; pages scroll, whatever their height
MORE_SIZES = (*SIZES, DESK, "1024x768", "768x1024", "360x640", "720x450")
READ = (WIDE, NARROW, PHONE)  # where texts are large enough; axe looks at the first two
THEMES = {PHONE: "dark"}  # else light
BEYOND = {"docs", "administration"}  # no part of what players use: these need not fit
SETTLED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  const ends = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
  await Promise.allSettled(ends.map((one) => one.finished));
  await frame();
}"""
HAS_AXE = "() => 'axe' in window"
IS_LIGHT = "() => matchMedia('(prefers-color-scheme: light)').matches"
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
# Rulesets have tables of two kinds: with ponds, and with a pile, a card and tiles that are passed on. Each screen of a
# table is that of one of them; `make soak` has both.
WALKS = (
    ("", "home"),
    ("", "setup", "choices"),
    ("", "invitation"),
    ("", "learn"),
    ("", "replay", "replays"),
    ("", "cards", "editor"),
    ("", "workshop", "bench"),
    ("", "rulebooks", "rulebook"),
    ("", "administration"),
    (SHORT_BOOK, "docs"),
    ("american", "deal"),
    ("american", "helped"),
    ("american", "win", "over"),
    ("riichi", "game"),
    ("riichi", "claim"),
    ("riichi", "exhausted"),
)
SOAKED = [
    *((name, "", language) for name in SCREENS if name not in BEYOND for language in LANGUAGES),
    *((name, ruleset, language) for name in TABLES for ruleset in RULESETS for language in LANGUAGES),
]


def faults_of(page: Any, size: str, axe: bool) -> list[str]:
    """What axe finds in this form of a page, and what is wider than the screen, or too small to read."""
    resize(page, size)
    return faults(page, axe)


def faults(page: Any, axe: bool) -> list[str]:
    return [
        *page.evaluate(OVERFLOW),
        *page.evaluate(TOO_SMALL, LEAST_TEXT),
        *(page.evaluate(RUN_AXE, ALIKE) if axe else ()),
    ]


def wrong_of(page: Any, sizes: tuple[str, ...] = MORE_SIZES) -> dict[str, Any]:
    """What overlaps or is cut, by the size at which it is."""
    found = {}
    for size in sizes:
        resize(page, size)
        found[size] = misfits(page)
    return {size: wrong for size, wrong in found.items() if wrong}


def misfits(page: Any) -> list[str]:
    return [f"{what}: {name}" for what, names in page.evaluate(WRONG).items() for name in names]


def resize(page: Any, size: str) -> None:
    """To this size, in the theme that belongs to it."""
    width, height = map(int, size.split("x"))
    page.set_viewport_size({"width": width, "height": height})
    if size in THEMES or not page.evaluate(IS_LIGHT):
        page.emulate_media(color_scheme=THEMES.get(size, "light"), reduced_motion="reduce")
    page.evaluate(SETTLED)


def reach(visit: Any, name: str, ruleset: str) -> None:
    visit.ruleset = ruleset
    (SCREENS | TABLES)[name](visit)


@pytest.mark.parametrize("walk", WALKS, ids="-".join)
def test_every_screen_is_for_everybody(
    chromium: Any, web_server: Server, tmp_path: Path, walk: tuple[str, ...]
) -> None:
    ruleset, *names = walk
    found = {}
    with visiting(chromium, web_server.url, tmp_path, "en") as visit:
        for name in names:
            resize(visit.page, DESK)
            reach(visit, name, ruleset)
            if not visit.page.evaluate(HAS_AXE):
                visit.page.evaluate(AXE)
            for size in SIZES if name in TABLES else READ:
                resize(visit.page, size)
                found[name, size] = [] if name in BEYOND else misfits(visit.page)
                found[name, size] += faults(visit.page, axe=size != NARROW) if size in READ else []
    assert not any(found.values()), found


def test_every_screen_is_walked_to() -> None:
    assert sorted(name for _, *names in WALKS for name in names) == sorted(SCREENS | TABLES)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "ruleset", "language"), SOAKED)
def test_every_screen_fits_at_more_sizes(
    chromium: Any, web_server: Server, tmp_path: Path, name: str, ruleset: str, language: str
) -> None:
    with visiting(chromium, web_server.url, tmp_path, language) as visit:
        reach(visit, name, ruleset)
        assert wrong_of(visit.page) == {}


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
