"""Every screen of the page fits: at eight sizes, zoomed, and in each language no two controls overlap and no text is
cut."""

from pathlib import Path
from typing import Any

import pytest
from screens import LANGUAGES, RULESETS, SCREENS, TABLES, visiting
from test_web_access import SETTLED
from web_server import Server

SIZES = ("1440x900", "1280x800", "1024x768", "768x1024", "844x390", "390x844", "360x640", "320x568")
ZOOMED = ("720x450", "640x400")  # what is left of the two widest at 200 %
BEYOND = {"docs", "administration"}  # no part of what players use
MOSTLY_SOAKED = [name if name == "en" else pytest.param(name, marks=pytest.mark.soak) for name in LANGUAGES]
WRONG = Path(__file__).with_name("fits.js").read_text(encoding="utf-8")


def wrong_of(page: Any) -> dict[str, Any]:
    """What overlaps or is cut, by the size at which it is."""
    found = {}
    for size in (*SIZES, *ZOOMED):
        width, height = map(int, size.split("x"))
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        found[size] = {what: names for what, names in page.evaluate(WRONG).items() if names}
    return {size: wrong for size, wrong in found.items() if wrong}


@pytest.mark.parametrize("language", MOSTLY_SOAKED)
@pytest.mark.parametrize("screen", [name for name in SCREENS if name not in BEYOND])
def test_every_screen_fits(chromium: Any, web_server: Server, tmp_path: Path, screen: str, language: str) -> None:
    with visiting(chromium, web_server.url, tmp_path, language) as visit:
        SCREENS[screen](visit)
        assert wrong_of(visit.page) == {}


@pytest.mark.parametrize("language", MOSTLY_SOAKED)
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("screen", TABLES)
def test_every_table_fits(
    chromium: Any, web_server: Server, tmp_path: Path, screen: str, ruleset: str, language: str
) -> None:
    with visiting(chromium, web_server.url, tmp_path, language) as visit:
        visit.ruleset = ruleset
        TABLES[screen](visit)
        assert wrong_of(visit.page) == {}
