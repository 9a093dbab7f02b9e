"""Scanning: the text of a document in, even an incomplete one; its keys with their paths out, and for a line and a
column the path there.

Reads only indentation, dashes, brackets, quotes and comments; the schema knows what keys mean. It never fails, and
reads each character once. Lines and columns count from 1, in code points.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tilewright.base.problem import BREAK

Path = tuple[str, ...]
ITEM = "-"  # in a path: an item of a list
KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#\[\]{},"'&*!|>%@`][^#\[\]{},]*?)\s*:(?=\s|$)""")
VALUE = re.compile(r"\s*(#.*)?$")  # none
BLOCK = re.compile(r"[|>][-+0-9]*\s*(#.*)?$")
WORD = re.compile(r"[\w.]+")
REFERENCE = re.compile(r"(\w+(?:/\w*)+)(?:@[^\s,\]}\"'#]*)?")  # a document of a pack
WHOLE_IN_BRACKETS = re.compile(r"(?:\s|#[^\r\n]*)*[{\[]")
MOST_LINES = 20_000
DEEPEST = 60


@dataclass(frozen=True, slots=True)
class KeyInText:
    """A key of a text. `path` ends with the key itself; line and column count from 1."""

    path: Path
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class CursorPlace:
    """A cursor position. `path`: to the node around the cursor; `key`: the cursor may be at a key of it, `value`: at a
    value (or both, at the start of a line); `word`: the word at the cursor, from column `start` (from 1) to before
    `end`; `given`: keys that are there already."""

    path: Path
    key: bool
    value: bool
    word: str
    start: int
    end: int
    given: frozenset[str] = frozenset()


@dataclass(slots=True)
class LineScanner:
    """Reads line by line. `block`: indentations with their keys; `flow`: open brackets, each with the last key in it;
    `base`: the path of the first bracket."""

    block: list[tuple[int, str]] = field(default_factory=list)
    flow: list[list[str]] = field(default_factory=list)
    base: Path = ()
    keys: list[KeyInText] = field(default_factory=list)
    text_above: int | None = None  # a multi-line text continues while lines are indented deeper than this
    valued: bool = False  # the value of the last key has begun
    quoted: bool = False
    number: int = 0

    @staticmethod
    def below(section: str) -> "LineScanner":
        """A reader of an entry of a section; of a section, if that is empty."""
        return LineScanner([(0, section)] if section else [])

    def line(self, text: str) -> None:
        """Read a line, or the beginning of one."""
        self.number += 1
        indent = len(text) - len(text.lstrip(" "))
        blank = not text.strip()
        if self.text_above is not None:
            if blank or indent > self.text_above:
                return
            self.text_above = None
        if self.flow:
            self.brackets(text, 0)
        elif not blank and text.lstrip()[0] != "#":
            self.block_line(text, indent)

    def block_line(self, text: str, at: int) -> None:
        """A line of block style: dashes, perhaps a key, perhaps a value."""
        self.valued = False
        self.leave(at)
        while text.startswith("- ", at) or (text.endswith("-") and at == len(text) - 1):
            self.leave(at)
            self.push(at, ITEM)
            at = min(len(text), at + 2)
            while text.startswith(" ", at):
                at += 1
        found = KEY.match(text, at)
        if found is not None:
            self.leave(at)
            self.push(at, unquoted(found[1]))
            self.keep(self.path(), found.start(1) + 1)
            at = found.end()
        rest = text[at:].strip()
        self.valued = found is not None or bool(rest)
        if BLOCK.fullmatch(rest):
            self.text_above = self.block[-1][0] if self.block else -1
        elif rest[:1] in ("{", "["):
            self.base = self.path()
            self.brackets(text, text.index(rest[0], at))

    def leave(self, indent: int) -> None:
        """Close everything indented as far or further; a list may be indented like its key."""
        while self.block and self.block[-1][0] >= indent:
            self.block.pop()

    def push(self, indent: int, key: str) -> None:
        if len(self.block) < DEEPEST:
            self.block.append((indent, key))

    def path(self) -> Path:
        return tuple(key for _, key in self.block)

    def flow_path(self) -> Path:
        return (*self.base, *(part for one in self.flow for part in one[1:]))

    def keep(self, path: Path, column: int) -> None:
        self.keys.append(KeyInText(path, self.number, column))

    def brackets(self, text: str, at: int) -> None:
        """Read brackets, from a column to their end or that of the line."""
        self.quoted = False
        while at < len(text):
            sign = text[at]
            if sign == "#" and (at == 0 or text[at - 1] in " \t"):
                return
            if sign in "{[":
                if len(self.flow) < DEEPEST:
                    self.flow.append([sign] if sign == "{" else [sign, ITEM])
            elif sign in "}]":
                self.flow.pop()
                if not self.flow:
                    return
            elif sign == "," and self.flow[-1][0] == "{":
                self.flow[-1] = ["{"]
            elif self.flow[-1] == ["{"] and (found := KEY.match(text, at)):
                self.flow[-1] = ["{", unquoted(found[1])]
                self.keep(self.flow_path(), at + 1)
                at = found.end()
                continue
            elif sign in "\"'":
                end = closing(text, at)
                self.quoted = end == len(text) and (end == at + 1 or text[end - 1] != sign)
                at = end
                continue
            at += 1


def closing(text: str, at: int) -> int:
    """The column after the quote that closes the one at this column, or the end of the line."""
    quote = text[at]
    end = at + 1
    while end < len(text) and text[end] != quote:
        end += 2 if text[end] == "\\" and quote == '"' else 1
    return min(end + 1, len(text))


def unquoted(key: str) -> str:
    return key[1:-1] if key[:1] in "\"'" else key


# --- parts of a text


@dataclass(frozen=True, slots=True)
class ScannedPart:
    """Some lines of a text, read by themselves: a section up to its first entry, or an entry of it. `first`: its first
    line (from 1) in the text; the lines of `keys` count from 1 in the part; `below`: the keys by the path of their
    parent; `above`: the section of an entry."""

    first: int
    lines: tuple[str, ...]
    above: str
    keys: tuple[KeyInText, ...]
    below: Mapping[Path, tuple[KeyInText, ...]]


@dataclass(frozen=True, slots=True)
class TextKeys:
    """The keys of a text. Parts that did not change since the last text are not read again."""

    lines: Sequence[str]
    parts: tuple[ScannedPart, ...]
    firsts: tuple[int, ...]

    def children(self, path: Path) -> Iterator[KeyInText]:
        """The keys right below a path, each name once."""
        seen = set()
        for part in self.parts:
            for key in part.below.get(path, ()):
                if key.path[-1] not in seen:
                    seen.add(key.path[-1])
                    yield moved(key, part)

    def all(self) -> Iterator[KeyInText]:
        """Every key, in the order of the text."""
        return (moved(key, part) for part in self.parts for key in part.keys)

    def at(self, line: int, column: int) -> KeyInText | None:
        """The key that begins at a line and column."""
        part = self.around(line)
        found = (key for key in part.keys if (key.line, key.column) == (line - part.first + 1, column))
        return next((moved(key, part) for key in found), None)

    def find(self, path: Path) -> KeyInText | None:
        """The first key with this path."""
        return next((key for key in self.children(path[:-1]) if key.path == path), None)

    def around(self, line: int) -> ScannedPart:
        """The part that a line is in."""
        return self.parts[max(0, bisect_right(self.firsts, line) - 1)]

    def line(self, number: int) -> str:
        """The text of a line; empty beyond the last one."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def block(self, key: KeyInText) -> tuple[str, ...]:
        """The lines of a key and of everything indented deeper below it."""
        end = key.line
        while end < len(self.lines) and is_below(self.lines[end], key.column - 1):
            end += 1
        return tuple(self.lines[key.line - 1 : end])


def moved(key: KeyInText, part: ScannedPart) -> KeyInText:
    return KeyInText(key.path, key.line + part.first - 1, key.column)


def is_below(line: str, indent: int) -> bool:
    """Whether a line belongs to the key that is indented so far: a list may be indented like its key."""
    return not line.strip() or indentation(line) > indent or line[indent:].startswith("- ")


def indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


@lru_cache(maxsize=8)
def keys_in(text: str) -> TextKeys:
    """The keys of a text."""
    lines = lines_of(text)
    found, start, last = [], 0, ""
    for end, above in [*boundaries(lines, text), (len(lines), "")]:
        if end > start or not lines:
            part = tuple(lines[start:end])
            found.append(ScannedPart(start + 1, part, last, *scanned(part, last)))
        start, last = end, above
    return TextKeys(lines, tuple(found), tuple(part.first for part in found))


def boundaries(lines: Sequence[str], text: str) -> Iterator[tuple[int, str]]:
    """Where parts begin, with the key of the section that each is an entry of; empty for a section itself."""
    yield 0, ""
    if WHOLE_IN_BRACKETS.match(text):
        return
    section, indent = "", -1  # of its entries; 0: it has none
    for number, line in enumerate(lines):
        if not line or line[0] == "#":
            continue
        if line[0] != " ":
            if number and (found := KEY.match(line)):
                yield number, ""
            found = KEY.match(line)
            section = unquoted(found[1]) if found else ""
            indent = -1 if found and VALUE.match(line, found.end()) else 0
        elif indent:
            width = indentation(line)
            if indent < 0 and line[width : width + 1] not in ("", "#"):
                indent = width if KEY.match(line, width) else 0
            if width == indent and KEY.match(line, width):
                yield number, section


@lru_cache(maxsize=2_048)
def scanned(lines: tuple[str, ...], above: str) -> tuple[tuple[KeyInText, ...], Mapping[Path, tuple[KeyInText, ...]]]:
    """The keys of a part, and the same by the path of their parent."""
    reader = LineScanner.below(above)
    for line in lines:
        reader.line(line)
    below: dict[Path, list[KeyInText]] = {}
    for key in reader.keys:
        below.setdefault(key.path[:-1], []).append(key)
    return tuple(reader.keys), {path: tuple(keys) for path, keys in below.items()}


def lines_of(text: str) -> list[str]:
    return BREAK.sub("\n", text).split("\n")[:MOST_LINES]


def spot_at(text: str, line: int, column: int) -> CursorPlace | None:
    """The cursor position at a place; None inside a comment or a multi-line text."""
    keys = keys_in(text)
    part = keys.around(line)
    at = line - part.first
    if line < 1 or at >= len(part.lines):
        return None
    reader = LineScanner.below(part.above)
    for one in part.lines[:at]:
        reader.line(one)
    whole = part.lines[at]
    before = whole[: max(0, column - 1)]
    start, end = word_around(whole, len(before))
    if in_comment(before):
        return None
    reading = whole[:start]
    if reader.flow:
        reader.line(reading)
    else:
        if reader.text_above is not None and indentation(whole) > reader.text_above:
            return None
        return block_spot(reader, whole, start, end, keys)
    return flow_spot(reader, whole, start, end)


def word_around(line: str, at: int) -> tuple[int, int]:
    """The columns (from 0) of the word that touches a place."""
    for found in WORD.finditer(line):
        if found.start() <= at <= found.end():
            return found.start(), found.end()
    return at, at


def reference_around(line: str, at: int) -> tuple[int, int] | None:
    """The columns (from 0) of the name of a document of a pack, without its range of versions, if one of them touches
    a place."""
    for found in REFERENCE.finditer(line):
        if found.start() <= at <= found.end():
            return found.span(1)
    return None


def in_comment(before: str) -> bool:
    """Whether a # precedes, outside of quotes."""
    at = 0
    while at < len(before):
        if before[at] in "\"'" and (at == 0 or before[at - 1] in " [{,:("):
            at = closing(before, at)
        elif before[at] == "#" and (at == 0 or before[at - 1] in " \t"):
            return True
        else:
            at += 1
    return False


def flow_spot(reader: LineScanner, whole: str, start: int, end: int) -> CursorPlace | None:
    """A place inside of brackets, or behind them."""
    if not reader.flow:
        return None
    last = reader.flow[-1]
    key = last == ["{"]
    return CursorPlace(reader.flow_path(), key, not key, whole[start:end], start + 1, end + 1)


def block_spot(reader: LineScanner, whole: str, start: int, end: int, keys: TextKeys) -> CursorPlace | None:
    """A place outside of brackets; or inside of some that begin in this line."""
    indent = len(whole) - len(whole.lstrip(" ")) if whole.strip() else start
    known = len(reader.keys)
    if start > indent:
        reader.line(whole[:start])
        if reader.flow:
            return flow_spot(reader, whole, start, end)
        if len(reader.keys) > known or reader.valued:
            return CursorPlace(reader.path(), False, True, whole[start:end], start + 1, end + 1)
    else:
        reader.leave(start)
    path = reader.path()
    return CursorPlace(path, True, True, whole[start:end], start + 1, end + 1, given_at(keys, path))


def given_at(keys: TextKeys, path: Path) -> frozenset[str]:
    """The keys that are there already below a path; none inside lists, where the item is unknown."""
    if ITEM in path:
        return frozenset()
    return frozenset(key.path[-1] for key in keys.children(path))
