"""Pictures of every screen of the page, at the sizes of desks, tablets and phones, light and dark, in each language:
PYTHONPATH=engine:tests python tests/screens.py --only home,win --sizes 390x844 --themes dark --languages en

A screen is reached once for each language, then taken at each size in each theme, into `.screens/`. All of them
together, small, are the contact sheet. Games are seeded and played against bots, as tests play them.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import htpy as h
from commands import run
from markupsafe import Markup
from test_web_table import MAKE, QUICK
from web_ahead import (
    Enough,
    discards,
    has_no_winner,
    has_winner,
    is_asked,
    is_over,
    may_claim,
    play_ahead,
    sit_ahead,
    sit_before_ready,
)
from web_server import ADMIN, browsing, fresh_page, serving

from tilewright.presentation.markup import document

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".screens"
SHEET, COVER = ROOT / "docs" / "screens.jpg", ROOT / "docs" / "table.jpg"
COVER_OF, COVERED = "claim-riichi-1440x900-light-en", (1120, 700)
SIZES = ("1440x900", "1024x768", "844x390", "390x844", "320x568")
THEMES = ("light", "dark")
LANGUAGES = ("en", "zh", "ja")
RULESETS = ("riichi", "american")
ON_SHEET = ("1440x900-light-en", "390x844-light-en", "390x844-dark-zh")  # of each screen
THUMB, QUALITY = 236, 58  # height of a picture on the sheet, in pixels; of JPEG
PATIENCE = 60_000  # ms
SETTLED = 250  # ms until what fades or travels has done so
HANDS = 12  # so many seeds are tried
MIDDLE = 9  # discards of a seat in the middle of a hand
SEATS = {"sanma": 3, "siamese": 2}
OVER = "[data-do=next]"
CLAIM = ".offer[data-offer]:not(.pass, .wins, .refused):has(> .tiles)"
SET_PREFS = "((prefs) => origin === 'null' || (localStorage['tilewright.prefs'] ??= JSON.stringify(prefs)))"
SHOW_HELP = """() => {
  const prefs = JSON.parse(localStorage['tilewright.prefs'] ?? '{}');
  const help = { panel: true, tab: 'help', cardPanel: true, cardTab: 'help' };
  localStorage['tilewright.prefs'] = JSON.stringify({ ...prefs, ...help });
}"""
SPOKEN = """async () => {
  const root = document.querySelector('script[type=module]').src.replace('main.js', '');
  return Object.keys((await import(root + 'text.js')).LANGUAGES);
}"""


@dataclass
class Visit:
    """A page of a fresh person in one language."""

    page: Any
    url: str
    folder: Path
    language: str
    ruleset: str = ""
    bot: str = "fast"
    replay: str = ""  # of a game that was played to its end

    def open(self, path: str, seen: str) -> None:
        self.page.goto(self.url + path)
        self.page.wait_for_selector(seen)

    @property
    def seats(self) -> list[dict[str, str]]:
        bots = SEATS.get(self.ruleset, 4) - 1
        return [{"kind": "person"}, *[{"kind": "bot", "bot": self.bot}] * bots]

    def begin(self) -> None:
        self.open("/nothing", "#main h1")  # which asks the server for least

    def sit_down(self, seed: int) -> None:
        """A table of one hand against quick bots."""
        self.begin()
        spec = {"ruleset": {"id": self.ruleset}, "mods": [], "options": {}, "hands": 1, "seed": seed}
        self.page.evaluate(MAKE, [spec, {"seats": self.seats, **QUICK}])
        self.page.wait_for_selector(".hand-tile")

    def sit_ahead(self, first: int, enough: Enough, seen: str, hands: int = 1) -> None:
        """A table at which something is so, with the first seed, or a later one."""
        self.begin()
        sit_ahead(self.page, self.ruleset, range(first, first + HANDS), enough, seats=self.seats, hands=hands)
        self.page.wait_for_selector(seen)

    def game_over(self) -> str:
        """The code of a game that was played to its end."""
        if not self.replay:
            self.ruleset = "riichi"
            self.begin()
            self.replay = play_ahead(self.page, self.ruleset, [5], is_over, seats=self.seats)
        return self.replay

    def is_at(self, selector: str) -> bool:
        """This is there already."""
        return self.page.query_selector(selector) is not None


# --- screens


def home(visit: Visit) -> None:
    visit.open("/", ".shelf .tile svg")
    visit.page.wait_for_selector(".showcase-felt .tile svg")
    visit.page.wait_for_selector(".live .take")


def setup(visit: Visit) -> None:
    if not visit.is_at(".setup"):
        visit.open("/#riichi", ".setup .shelf .tile svg")


def choices(visit: Visit) -> None:
    """Setting a table up, with all that is folded open."""
    setup(visit)
    visit.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")


def invitation(visit: Visit) -> None:
    """A table that waits for friends, where somebody has said something, and a name is asked for."""
    visit.begin()
    spec = {"ruleset": {"id": "riichi"}, "mods": [], "options": {}, "hands": None}
    visit.page.evaluate(MAKE, [spec, {"seats": [{"kind": "person"}] * 4, **QUICK}])
    visit.page.click(".phrases button >> nth=1")
    visit.page.wait_for_selector(".chat-lines li")
    visit.page.click(".seat-list button >> nth=1")
    visit.page.wait_for_selector(".ask-name input")


def learn(visit: Visit) -> None:
    visit.open("/learn", ".lessons .tile svg")
    visit.page.wait_for_selector(".shelf .tile svg")


def deal(visit: Visit) -> None:
    visit.sit_down(1)
    visit.page.wait_for_selector(".hand-tile[aria-disabled=false], [data-offer]:not(:disabled)")


def game(visit: Visit) -> None:
    most = SEATS.get(visit.ruleset, 4) * MIDDLE
    visit.sit_ahead(1, lambda table: is_asked(table) and sum(discards(table)) > most, ".hand-tile")


def claim(visit: Visit) -> None:
    visit.sit_ahead(1, may_claim, CLAIM)


def helped(visit: Visit) -> None:
    """The panel of help: where a discard leads to a ready hand, or with the nearest hands of a card."""
    visit.begin()
    visit.page.evaluate(SHOW_HELP)
    visit.page.reload()
    visit.page.wait_for_selector("#main h1")
    if visit.ruleset == "american":
        sit_ahead(visit.page, visit.ruleset, range(1, 9), lambda table: is_asked(table) and sum(discards(table)) > 2)
    else:
        sit_before_ready(visit.page, visit.ruleset)
    visit.page.wait_for_selector(".help-part")
    for part in visit.page.query_selector_all(".help-part > .row > button"):
        part.click()
    visit.page.wait_for_selector(".nearest .near-hand .tile, .discard-list .row .tile")
    visit.page.eval_on_selector(".side-body", "(one) => (one.scrollTop = 0)")


def win(visit: Visit) -> None:
    visit.sit_ahead({"riichi": 5, "american": 21}.get(visit.ruleset, 1), has_winner, ".winner")


def exhausted(visit: Visit) -> None:
    visit.bot = "random"
    visit.sit_ahead(1, has_no_winner, OVER)


def over(visit: Visit) -> None:
    """The end of a game, of several hands unless one is won just now."""
    hands = 3
    if not visit.is_at(OVER):
        visit.sit_ahead(1, lambda table: len(table.results) == hands, OVER, hands)
    visit.page.click(OVER)
    visit.page.wait_for_selector(".ranking")


def replay(visit: Visit) -> None:
    visit.open(f"/r/{visit.game_over()}", "#main .tile")
    visit.page.fill(".controls input[type=range]", "30")  # moments


def replays(visit: Visit) -> None:
    visit.game_over()
    visit.open("/replays", ".replay-list a")


def cards(visit: Visit) -> None:
    visit.open("/cards", "#main h1")


def editor(visit: Visit) -> None:
    visit.open("/cards/bundled-moon_gate", ".drawn .tile, .drawn [data-row]")


def workshop(visit: Visit) -> None:
    visit.open("/workshop", "#main h1")


def bench(visit: Visit) -> None:
    if not visit.is_at(".shelf-columns form"):
        visit.open("/workshop", ".shelf-columns form")
    visit.page.locator(".shelf-columns form input:not([type=file])").first.fill("Sunday rules")
    visit.page.locator(".shelf-columns form button[type=submit]").first.click()
    visit.page.wait_for_selector(".cm-content")


def administration(visit: Visit) -> None:
    visit.open("/admin", "#main h1")
    visit.page.fill("input[type=password]", ADMIN)
    visit.page.click("button[type=submit]")
    visit.page.wait_for_selector(".admin table")


def rulebooks(visit: Visit) -> None:
    visit.open("/rules", ".shelf .tile svg")


def rulebook(visit: Visit) -> None:
    visit.open("/rules/riichi", ".book h2")


def docs(visit: Visit) -> None:
    """The rulebook as a file, to print or to publish."""
    path = visit.folder / f"rulebook-{visit.language}.html"
    ruleset = visit.ruleset or "riichi"
    assert run("rulebook", ruleset, "--lang", visit.language, "-o", str(path)).returncode == 0
    visit.page.goto(path.as_uri())


SCREENS: dict[str, Callable[[Visit], None]] = {
    one.__name__: one
    for one in (
        home,
        setup,
        choices,
        invitation,
        learn,
        replay,
        replays,
        cards,
        editor,
        workshop,
        bench,
        rulebooks,
        rulebook,
        administration,
        docs,
    )
}
TABLES: dict[str, Callable[[Visit], None]] = {
    one.__name__: one for one in (deal, game, claim, helped, win, exhausted, over)
}
ORDER = (
    "home",
    "setup",
    "choices",
    "invitation",
    "learn",
    *TABLES,
    "replay",
    "replays",
    "cards",
    "editor",
    "workshop",
    "bench",
    "rulebooks",
    "rulebook",
    "administration",
    "docs",
)


# --- pictures


def take(visit: Visit, name: str, sizes: Sequence[str], themes: Sequence[str]) -> None:
    """What the page shows now, at each size in each theme."""
    for size in sizes:
        width, height = map(int, size.split("x"))
        visit.page.set_viewport_size({"width": width, "height": height})
        for theme in themes:
            visit.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            visit.page.wait_for_selector(".waiting[role=status]", state="detached")
            visit.page.wait_for_timeout(SETTLED)
            path = FOLDER / f"{name}-{size}-{theme}-{visit.language}.png"
            visit.page.screenshot(path=path)


@contextmanager
def visiting(browser: Any, url: str, folder: Path, language: str, *, seen: bool = False) -> Iterator[Visit]:
    """A fresh person, who reads this language. `seen`: to take pictures."""
    desk = {"width": 1440, "height": 900}
    with fresh_page(browser, url, seen=seen, locale=language, viewport=desk) as page:
        page.add_init_script(f"{SET_PREFS}({json.dumps({'lang': language})})")
        page.set_default_timeout(PATIENCE)
        yield Visit(page, url, folder, language)


def wanted(arguments: argparse.Namespace) -> Iterator[tuple[str, Callable[[Visit], None], str]]:
    """Screens by the names of their files; those of a table once for each ruleset."""
    for screen in arguments.only:
        if screen in SCREENS:
            yield screen, SCREENS[screen], ""
        for ruleset in arguments.rulesets if screen in TABLES else ():
            yield f"{screen}-{ruleset}", TABLES[screen], ruleset


def make_screens(arguments: argparse.Namespace) -> None:
    FOLDER.mkdir(exist_ok=True)
    with (
        TemporaryDirectory() as name,
        serving(Path(name), roomy=True, TILEWRIGHT_ADMIN_TOKEN=ADMIN) as server,
        browsing() as chromium,
        chromium.used() as browser,
    ):
        folder = Path(name)
        with visiting(browser, server.url, folder, "en") as visit:
            visit.open("/nothing", "#main h1")
            spoken = visit.page.evaluate(SPOKEN)
        for language in (one for one in arguments.languages if one in spoken):
            for screen, reach, ruleset in wanted(arguments):
                with visiting(browser, server.url, folder, language, seen=True) as visit:
                    visit.ruleset = ruleset
                    try:
                        reach(visit)
                        take(visit, screen, arguments.sizes, arguments.themes)
                    except Exception as error:
                        print(f"{screen} {language}: {str(error).splitlines()[0]}", file=sys.stderr)
                print(f"{screen} {language}", flush=True)
        if arguments.sheet:
            make_sheet(browser)
            make_cover(browser)


def make_cover(browser: Any) -> None:
    """The picture that the README opens with, a little smaller than the screen."""
    width, height = COVERED
    page = browser.new_page(viewport={"width": width, "height": height})
    path = FOLDER / "cover.html"
    path.write_text(f'<body style="margin: 0"><img src="{COVER_OF}.png" style="width: 100%">', encoding="utf-8")
    page.goto(path.as_uri())
    page.screenshot(path=COVER, type="jpeg", quality=QUALITY + 20)
    print(f"{COVER.relative_to(ROOT)}: {COVER.stat().st_size:,} bytes")


def make_sheet(browser: Any) -> None:
    """All screens together, each in a few forms, as one small picture."""
    found = {path.stem for path in FOLDER.glob("*.png")}
    names = [
        f"{one}-{ruleset}" if one in TABLES else one
        for one in ORDER
        for ruleset in (RULESETS if one in TABLES else ("",))
    ]
    rows = [(name, [form for form in ON_SHEET if f"{name}-{form}" in found]) for name in names]
    figures = [figure(name, forms) for name, forms in rows if forms]
    path = FOLDER / "sheet.html"
    path.write_text(document("en", "Screens", STYLE, h.main[figures]), encoding="utf-8")
    page = browser.new_page(viewport={"width": 2 * 670 + 48, "height": 900})
    page.goto(path.as_uri())
    page.screenshot(path=SHEET, type="jpeg", quality=QUALITY, full_page=True)
    print(f"{SHEET.relative_to(ROOT)}: {SHEET.stat().st_size:,} bytes")


def figure(name: str, forms: Sequence[str]) -> h.Element:
    images = [h.img(src=f"{name}-{form}.png") for form in forms]
    return h.figure[h.div[images], h.figcaption[name.replace("-", ", ")]]


STYLE = Markup(f"""body {{ margin: 16px; background: #ddd; font: 15px system-ui, sans-serif }}
main {{ display: grid; grid-template-columns: 1fr 1fr; gap: 14px 16px }} figure {{ margin: 0 }}
figure div {{ display: flex; gap: 8px; height: {THUMB}px }} img {{ height: 100%; box-shadow: 0 1px 4px #0005 }}""")


def listed(known: Sequence[str]) -> Callable[[str], list[str]]:
    """Reads some of these, with commas between them."""

    def read(text: str) -> list[str]:
        names = text.split(",")
        if strange := set(names) - set(known):
            raise argparse.ArgumentTypeError(f"{', '.join(sorted(strange))}: choose from {', '.join(known)}")
        return names

    return read


def main() -> None:
    parser = argparse.ArgumentParser(description="Pictures of every screen of the page, and a contact sheet of them.")
    parser.add_argument("--only", type=listed(ORDER), default=ORDER, help=",".join(ORDER))
    parser.add_argument("--sizes", type=lambda text: text.split(","), default=SIZES, help=",".join(SIZES))
    parser.add_argument("--themes", type=listed(THEMES), default=THEMES, help=",".join(THEMES))
    parser.add_argument("--languages", type=listed(LANGUAGES), default=LANGUAGES, help=",".join(LANGUAGES))
    parser.add_argument("--rulesets", type=lambda text: text.split(","), default=RULESETS, help="of the tables")
    parser.add_argument("--sheet", action="store_true", help=f"also make {SHEET.relative_to(ROOT)}")
    make_screens(parser.parse_args())


if __name__ == "__main__":
    main()
