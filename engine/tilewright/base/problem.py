"""Problems: mistakes in a document with their places and fixes, as data.

Knows no mahjong and prints nothing; `tilewright.presentation.problems` renders problems for people and for CI.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

BREAK = re.compile(r"\r\n|\n|\r")
Severity = Literal["error", "warning", "note"]  # a note is not a mistake: it reports what was not checked
MAX_MESSAGE = 600  # characters of a message or a hint, which may quote a document at any length


@dataclass(frozen=True, slots=True, repr=False)
class Source:
    """A document as it was read: the name to show (a path as the user gave it) and its whole text."""

    name: str
    text: str

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {len(self.text)} characters)"

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line break; empty beyond the last line."""
        if not 0 < number <= len(line_starts(self.text)):
            return ""
        return self.text[line_starts(self.text)[number - 1] : line_ends(self.text)[number - 1]]

    def place(self, offset: int, length: int = 1) -> "Place":
        """The place of some characters, cut at the end of their first line; at least one character long."""
        starts, ends = lines_of(self.text)
        number = bisect_right(starts, offset)
        rest = ends[number - 1] - offset
        return Place(self, number, offset - starts[number - 1] + 1, max(1, length if length < rest else rest))


@dataclass(frozen=True, slots=True)
class Place:
    """Some characters of a source. Line and column count from 1, in code points."""

    source: Source
    line: int
    column: int
    length: int = 1

    @property
    def offset(self) -> int:
        """The offset of this place in the source."""
        starts = line_starts(self.source.text)
        return starts[self.line - 1] + self.column - 1 if self.line <= len(starts) else len(self.source.text)


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. `code` is a lower-case-with-hyphens name (`unknown-word`), `message` one sentence without a full
    stop in the author's language, `hint` how to fix it."""

    code: str
    message: str
    place: Place | None = None
    hint: str | None = None
    severity: Severity = "error"

    def __post_init__(self) -> None:
        for name in ("message", "hint"):
            if len(text := getattr(self, name) or "") > MAX_MESSAGE:
                object.__setattr__(self, name, f"{text[: MAX_MESSAGE // 2]} … {text[-MAX_MESSAGE // 4 :]}")


def has_errors(problems: Iterable[Problem]) -> bool:
    """Whether some problem is more than a warning."""
    return any(problem.severity == "error" for problem in problems)


class RulesetError(Exception):
    """A document cannot be used; carries all its problems."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str_of(p) for p in self.problems))

    def __reduce__(self) -> tuple[type["RulesetError"], tuple[tuple[Problem, ...]]]:
        """Pickled as its problems, so that it arrives whole from another process."""
        return RulesetError, (self.problems,)


def str_of(problem: Problem) -> str:
    """One line: place, code, message and hint."""
    at = problem.place
    where = f"{at.source.name}:{at.line}:{at.column}: " if at else ""
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"{where}{problem.code}: {problem.message}{hint}"


def line_starts(text: str) -> list[int]:
    """The offset of the first character of every line. Lines end with LF, CR LF or CR, as editors have it."""
    return lines_of(text)[0]


def line_ends(text: str) -> list[int]:
    """The offset after the last character of every line, before its line break."""
    return lines_of(text)[1]


@lru_cache(maxsize=32)
def lines_of(text: str) -> tuple[list[int], list[int]]:
    """The offsets of the first character of every line, and those after its last one."""
    breaks = [found.span() for found in BREAK.finditer(text)]
    return [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(text)]


class WorkLost(Exception):
    """What works for this process was lost before it was done: a process that was killed or ran out of memory, or a
    cluster. `hint`: what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint
