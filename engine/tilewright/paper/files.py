"""Files of cards: a card in, the text of a file in each format out; as text for a terminal, too."""

import json
import os
import sys
from collections.abc import Callable

from tilewright.base.problem import Source
from tilewright.cards.model import Card
from tilewright.presentation.console import console_for

WIDTH = 100  # of a file or a pipe, which have no width


ENDINGS = {  # of files -> the format that is written to them
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".txt": "code",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
}


def terminal(card: Card, paper: str, on_screen: bool) -> str:
    """Text as wide as the screen, and in its colours; without colour in a file or a pipe."""
    from tilewright.paper.text import show_text

    console = console_for(sys.stdout)
    known = on_screen and (console.is_terminal or "COLUMNS" in os.environ)
    in_colour = on_screen and console.color_system is not None and not console.no_color
    return show_text(card, in_colour, console.width if known else WIDTH)


def svg(card: Card, paper: str, on_screen: bool) -> str:
    from tilewright.paper.html import show_svg

    return show_svg(card, paper)


def html(card: Card, paper: str, on_screen: bool) -> str:
    from tilewright.paper.html import show_html

    return show_html(card, paper)


def code(card: Card, paper: str, on_screen: bool) -> str:
    from tilewright.cards.text import write_text

    return write_text(card)


def yaml(card: Card, paper: str, on_screen: bool) -> str:
    from tilewright.cards.document import write_yaml

    return write_yaml(card)


def as_json(card: Card, paper: str, on_screen: bool) -> str:
    """The document as JSON."""
    from tilewright.base.document import parse, plain
    from tilewright.cards.document import write_yaml

    document = plain(parse(Source(card.id, write_yaml(card))))
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def drawn(card: Card, paper: str, on_screen: bool) -> str:
    """Plain data for drawing, for pages that draw a card themselves."""
    from tilewright.paper.sheet import drawn_json

    return json.dumps(drawn_json(card), ensure_ascii=False, indent=2) + "\n"


FORMATS: dict[str, Callable[[Card, str, bool], str]] = {
    "terminal": terminal,
    "svg": svg,
    "html": html,
    "code": code,
    "yaml": yaml,
    "json": as_json,
    "drawn": drawn,
}
