"""Spelling: the known name that a wrong one looks like, the singular of a plural, control characters to be seen.

Knows no words but by their endings, and no other language.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches

MOST_LISTED = 8


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that looks most like this one, if any does."""
    names = sorted({str(one) for one in known})
    plain = {one.replace("_", "").replace("-", "").lower(): one for one in names}
    same = plain.get(name.replace("_", "").replace("-", "").lower())
    return same or next(iter(get_close_matches(name, names, 1, 0.6)), None)


def hint(name: str, known: Iterable[str]) -> str | None:
    """`did you mean 'that'?`, or all names if there are few."""
    names = sorted({str(one) for one in known})
    if close := closest(name, names):
        return f"did you mean {close!r}?"
    return f"there is {', '.join(names)}" if 0 < len(names) <= MOST_LISTED else None


# Endings of plurals, and of words that look like plurals, the longest first.
ENDINGS = {
    "ches": "ch",
    "shes": "sh",
    "sses": "ss",
    "ies": "y",
    "xes": "x",
    "is": "is",
    "ss": "ss",
    "us": "us",
    "s": "",
}


def singular(name: str) -> str:
    """The singular of a plural; other names as they are."""
    ending = next((one for one in ENDINGS if name.endswith(one)), "")
    return name.removesuffix(ending) + ENDINGS.get(ending, "")


HIDDEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def seen(text: str) -> str:
    """The text with invisible and control characters replaced. A tab becomes a space."""
    return HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text).replace("\t", " ")
