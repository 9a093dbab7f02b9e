"""Writes the icons of the page from our own drawing of a tile: `icon.svg`, and PNGs for home screens.

PYTHONPATH=engine:tests python tools/make_icons.py (needs Chromium, as the tests do)
"""

from pathlib import Path
from typing import Any

import htpy as h
from markupsafe import Markup
from web_server import browsing

from tilewright.play.rules import load
from tilewright.presentation.markup import document
from tilewright.presentation.tile_svg import picture
from tilewright.web.static_files import FOLDER

RULESET, TILE = "hong_kong", "1p"
FELT = "#275649"
SIZES = {  # pixels, height of the tile, corners
    "icon-180.png": (180, 0.7, 0),
    "icon-192.png": (192, 0.72, 22),
    "icon-512.png": (512, 0.72, 22),
    "icon-mask.png": (512, 0.56, 0),
}


def main() -> None:
    tile = picture(load(RULESET).data.tiles, TILE)
    (FOLDER / "icon.svg").write_text(f"{tile}\n", encoding="utf-8")
    with browsing() as chromium, chromium.used() as browser:
        for name, (size, tall, round_) in SIZES.items():
            write(browser, tile, FOLDER / name, size, tall, round_)


def write(browser: Any, tile: Markup, path: Path, size: int, tall: float, round_: int) -> None:
    """The tile on felt; `tall`: its height, `round_`: percent of the corners."""
    page = browser.new_page(viewport={"width": size, "height": size})
    style = (
        f"body {{ margin: 0 }} div {{ width: {size}px; height: {size}px; display: grid; place-items: center; "
        f"border-radius: {round_}%; background: {FELT} }} svg {{ height: {int(size * tall)}px; width: auto }}"
    )
    page.set_content(document("en", "Icon", Markup(style), h.div[tile]))
    page.screenshot(path=path, omit_background=True)
    page.close()


if __name__ == "__main__":
    main()
