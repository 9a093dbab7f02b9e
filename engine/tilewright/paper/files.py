"""Files of cards: a card in, the text of a file in each format out; as text for a terminal, too.

One of them is plain data for drawing, for pages that draw a card themselves and do not know the card language.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tilewright.base.problem import Source
from tilewright.cards.model import Card, CardLineText, CardPattern
from tilewright.paper.layout import PrintRow
from tilewright.paper.sheet import SheetSection, sections_of
from tilewright.paper.small_print import joined_sets, signs_at, suit_of
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


def drawn_json(card: Card) -> dict[str, Any]:
    """The shape in docs/cards.md ("For programs")."""
    groups = [group_json(section) for section in sections_of(card)]
    return {"id": card.id, "name": dict(card.name), "about": card.about, "source": card.source, "groups": groups}


def group_json(section: SheetSection) -> dict[str, Any]:
    """A title with its lines."""
    lines = [row_json(row) for row in section.rows]
    return {"title": section.group.title, "note": section.group.note, "lines": lines}


def row_json(row: PrintRow) -> dict[str, Any]:
    """A line: what to draw, or why nothing is drawn."""
    if row.line is None:
        return {"line": row.text, "error": row.words}
    return {
        "line": row.text,
        "patterns": [list(parts_json(row.line, pattern)) for pattern in row.line.patterns],
        "remark": row.words,
        "exposed": row.line.exposed,
        "value": row.line.value,
    }


def parts_json(line: CardLineText, pattern: CardPattern) -> Iterator[dict[str, Any]]:
    """Its sets and signs in order."""
    for at, (one, joined) in enumerate(zip(pattern.sets, joined_sets(line, pattern), strict=True)):
        yield from signs_json(pattern, at)
        yield {"set": one.letter * one.count, "colour": suit_of(one) or None, "joined": joined}
    yield from signs_json(pattern, len(pattern.sets))


def signs_json(pattern: CardPattern, at: int) -> Iterator[dict[str, Any]]:
    """The signs in front of a set, or behind the last."""
    return ({"sign": sign} for sign in signs_at(pattern, at))
