"""Problems: what is wrong in a document, where, and how to mend it, as data.

Knows no mahjong and prints nothing; `tilewright.apps.report` renders problems for people and for CI.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Source:
    """A document as it was read: the name to show (a path as the user gave it) and its whole text."""

    name: str
    text: str

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line break; empty beyond the last line."""
        starts = line_starts(self.text)
        if not 0 < number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def place(self, offset: int, length: int = 1) -> "Place":
        """The place of some characters, cut at the end of their first line; at least one character long."""
        starts = line_starts(self.text)
        number = bisect_right(starts, offset)
        column = offset - starts[number - 1]
        return Place(self, number, column + 1, max(1, min(length, len(self.line(number)) - column)))


@dataclass(frozen=True, slots=True)
class Place:
    """Some characters of a source. Line and column count from 1, in code points."""

    source: Source
    line: int
    column: int
    length: int = 1

    @property
    def offset(self) -> int:
        """How many characters of the source stand before this place."""
        starts = line_starts(self.source.text)
        return starts[self.line - 1] + self.column - 1 if self.line <= len(starts) else len(self.source.text)


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. `code` is a lower-case-with-hyphens name (`unknown-word`), `message` one sentence without a full
    stop in the author's language, `hint` the way out."""

    code: str
    message: str
    place: Place | None = None
    hint: str | None = None
    severity: Severity = "error"


class RulesetError(Exception):
    """A document cannot be used; carries every problem that was found in it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str_of(p) for p in self.problems))


def str_of(problem: Problem) -> str:
    """One line: place, code, message and hint."""
    at = problem.place
    where = f"{at.source.name}:{at.line}:{at.column}: " if at else ""
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"{where}{problem.code}: {problem.message}{hint}"


@lru_cache(maxsize=32)
def line_starts(text: str) -> list[int]:
    """The offset of the first character of every line. Lines end with LF, CR LF or CR, as editors have it."""
    return [0, *(found.end() for found in re.finditer(r"\r\n|\n|\r", text))]
