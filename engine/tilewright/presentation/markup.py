"""Markup: nodes of htpy put together, which escape every text by themselves; and whole HTML documents.

A document fetches nothing. Knows no page.
"""

from collections.abc import Iterable
from functools import cache

import htpy as h
from htpy import Element
from markupsafe import Markup, escape

from tilewright.base.spelling import seen

NOTHING = Markup("")
LINE_END = Markup("\n")


def joined(nodes: Iterable[Element | str]) -> Markup:
    """One after the other. It is written at once, which is much faster than many children of an element."""
    return Markup("".join(node if isinstance(node, Markup) else escape(node) for node in nodes))


def lines(nodes: Iterable[Element | str]) -> Markup:
    """The same, each on a line of its own in the file."""
    return joined(piece for node in nodes for piece in (node, LINE_END))


def written(*nodes: Element | str) -> str:
    """The same as plain text, for a file or a message: an encoder of JSON takes no other type."""
    return str(joined(nodes))


@cache
def styled(element: Element, classes: str) -> Element:
    """An element of some classes, `.one.two`, made once. For those of which a page has hundreds."""
    return element(classes)


def document(language: str, name: str, look: Markup, *content: h.Node) -> str:
    """A whole page, with control characters made visible. `look`: its style sheet."""
    whole = h.html(lang=language)[
        h.head[
            h.meta(charset="utf-8"),
            h.meta(name="viewport", content="width=device-width, initial-scale=1"),
            h.title[name],
            h.style[look],
        ],
        "\n",
        h.body[content],
    ]
    return "\n".join(seen(line) for line in str(whole).split("\n")) + "\n"
