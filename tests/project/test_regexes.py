"""Regular expressions of the server end in time, whatever text somebody sends: none needs the square of its length.
Those that only workers use are bounded by the time of their job.

Each pattern is tried on long texts made of what stands in it.
"""

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from tilewright import web

pytestmark = pytest.mark.slow

LENGTH = 20_000
SECONDS = 0.2  # of the processor, for a text: one that needs the square of its length takes about a second
SIGNS = ("\n", " ", "\t", "a", "-", "0", '"', "'", "#", ",", "/", "\\", ":", "{", "[", "A", ".", "@", "|", "東", "\r\n")
ENDS = ("", "\0", "\n")
NOT_IN_THE_SERVER = ("tilewright.web.jobs", "tilewright.web.storage.migrations", "tilewright.web.workers.main")


def patterns() -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    """Every pattern that a module has, by where it is."""
    seen = set()
    for module in pkgutil.walk_packages(web.__path__, f"{web.__name__}."):
        if module.name.startswith(NOT_IN_THE_SERVER):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern) and (value.pattern, value.flags) not in seen:
                seen.add((value.pattern, value.flags))
                yield f"{module.name}.{name}", value


def texts(pattern: "re.Pattern[Any]") -> Iterator[str]:
    """Long texts of signs and words of a pattern, alone and by turns, after its own words."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    words = [word for word in re.findall(r"(?<!\\)[a-z]{2,}:?", source) if len(word) < 12][:3]
    own = [sign for sign in SIGNS if sign in source or sign in "\n a"]
    for start, sign, other, end in product(("", *words), own, ("", *own[:4], *words), ENDS):
        unit = sign + other
        yield start + unit * (LENGTH // len(unit)) + end


def seconds(pattern: "re.Pattern[Any]", text: str) -> float:
    """Of the processor, to find it everywhere in a text, or to match all of it."""
    asked: Any = text if isinstance(pattern.pattern, str) else text.encode()
    since = time.process_time()
    for _ in pattern.finditer(asked):
        pass
    pattern.fullmatch(asked)
    return time.process_time() - since


def test_no_pattern_needs_the_square_of_the_length() -> None:
    slow = {}
    for place, pattern in patterns():
        for text in texts(pattern):
            if (taken := seconds(pattern, text)) > SECONDS:
                slow[place] = f"{pattern.pattern!r} takes {taken:.1f} s for {text[:12]!r}..."
                break
    assert not slow, "\n".join(f"{place}: {said}" for place, said in slow.items())
