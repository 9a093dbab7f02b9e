"""HTML documents that fetch nothing: nodes of htpy, which escapes every text, in; the text of a file out.

Knows no page.
"""

import htpy as h
from markupsafe import Markup

from tilewright.base.texts.visible import seen


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
