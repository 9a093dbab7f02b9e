"""Suggestions for names that do not exist."""

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
