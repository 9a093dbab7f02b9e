r"""Nodes: what a document is made of. Every node knows its place; a scalar knows the place of each of its characters.

YAML's five ways to write a string each hide characters: `'it''s'`, `"a\tb"`, lines that fold into one, indented
blocks. Their offsets are not stored when a document is loaded; the few scalars with a problem are read again here. The
walk compares what it reads with the known value, so it can never point at a wrong character.

Knows neither YAML's block structure nor any schema; `tilewright.base.document` makes nodes from text.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tilewright.base.problem import Place

Value = None | bool | int | Fraction | str


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. YAML 1.2 core: `yes`, `on` and `no` are strings. Numbers are exact: 0.2 is Fraction(1, 5)."""

    value: Value
    text: str  # as resolved from the document, before it became a value
    place: Place
    quoted: bool = False

    def at(self, offset: int, length: int = 1) -> Place:
        """The place of some characters of `text`: behind escapes, folds and indentation. Past the end: just after
        it."""
        source = self.place.source
        places = spans(source.text, self.place.offset, self.text)
        if places is None:
            return self.place
        if offset >= len(places):
            return source.place(places[-1][1] if places else self.place.offset)
        first, last = max(0, offset), min(max(offset + length, 1), len(places)) - 1
        return source.place(places[first][0], places[max(first, last)][1] - places[first][0])


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of nodes."""

    items: tuple["Node", ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value. The key is a text, whatever it looks like."""

    key: Scalar
    value: "Node"


@dataclass(frozen=True, slots=True)
class Mapping:
    """Entries by key, in the order of the document. Keys are strings (`1:` is the key "1")."""

    entries: dict[str, Entry]
    place: Place

    def get(self, key: str) -> "Node | None":
        """The value of a key, or None if there is no such key."""
        entry = self.entries.get(key)
        return entry.value if entry else None

    def key(self, key: str) -> Scalar:
        """The key itself, for its place; KeyError if there is none."""
        return self.entries[key].key

    def items(self) -> Iterator[tuple[str, "Node"]]:
        """Keys with their values, in the order of the document."""
        return ((key, entry.value) for key, entry in self.entries.items())


Node = Scalar | Sequence | Mapping


def plain(node: Node) -> object:
    """The node as dict, list and values without places; numbers are int or Fraction."""
    match node:
        case Scalar(value=value):
            return value
        case Sequence(items=items):
            return [plain(item) for item in items]
        case Mapping():
            return {key: plain(value) for key, value in node.items()}


Span = tuple[int, int]
Piece = tuple[str, int, int]  # a character of a value, and where in the text it starts and ends


# --- the place of each character


BREAK = re.compile(r"\r\n|\r|\n")
SPACE = re.compile(r"[ \t]+")
FOLD = re.compile(r"[ \t]*(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))*[ \t]*")
CONTINUATION = re.compile(r"\\(?:\r\n|\r|\n)((?:[ \t]*(?:\r\n|\r|\n))*)[ \t]*")
MAX_INDENT = 64
ESCAPE = re.compile(
    r"\\(?:x[0-9a-fA-F]{2}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)",
    re.DOTALL,
)
LINE = re.compile(r"[^\r\n]*")


def spans(text: str, start: int, value: str) -> list[Span] | None:
    """Start and end of every character of the value, or None if the text at `start` does not have this value."""
    found: list[Span] = []
    if not value:
        return found
    for character, begin, end in WALKS.get(text[start : start + 1], plain_pieces)(text, start, value):
        if character != value[len(found)]:
            return None
        found.append((begin, end))
        if len(found) == len(value):
            return found
    return None


def plain_pieces(text: str, start: int, value: str) -> Iterator[Piece]:
    """The characters of an unquoted string, which may span several lines."""
    at = start
    while at < len(text):
        pieces, at = step(text, at)
        yield from pieces


def single_pieces(text: str, start: int, value: str) -> Iterator[Piece]:
    """The characters between single quotes, where two quotes mean one."""
    at = start + 1
    while at < len(text):
        pieces, at = ([("'", at, at + 2)], at + 2) if text.startswith("''", at) else step(text, at)
        yield from pieces


def double_pieces(text: str, start: int, value: str) -> Iterator[Piece]:
    """The characters between double quotes; an escape stands for whatever the value has there."""
    at, done = start + 1, 0
    while at < len(text):
        if found := CONTINUATION.match(text, at):
            pieces = [("\n", *span) for span in breaks(text, *found.span(1))]
            at = found.end()
        elif found := ESCAPE.match(text, at):
            pieces = [(value[done], at, found.end())]
            at = found.end()
        else:
            pieces, at = step(text, at)
        done += len(pieces)
        yield from pieces


def step(text: str, at: int) -> tuple[list[Piece], int]:
    """The next pieces of a string and where reading continues. Line breaks with the white space around them are one
    space, or every break but the first; other white space, like everything else, stands for itself."""
    if fold := FOLD.match(text, at):
        first, *others = breaks(text, *fold.span())
        return [("\n", *span) for span in others] or [(" ", *first)], fold.end()
    end = space.end() if (space := SPACE.match(text, at)) else at + 1
    return [verbatim(text, offset) for offset in range(at, end)], end


def block_pieces(text: str, start: int, value: str) -> Iterator[Piece]:
    """The characters of an indented block. Its indentation may be declared elsewhere: the likely width is tried first,
    then every other, until the lines match the value."""
    for indent in (indentation(text, start, value), *range(MAX_INDENT)):
        pieces = [*indented_pieces(text, start, value, indent)]
        if "".join(character for character, _, _ in pieces).startswith(value):
            yield from pieces
            return


def indented_pieces(text: str, start: int, value: str, indent: int) -> Iterator[Piece]:
    """Every line of a block after its indentation, and the line breaks that the value keeps."""
    at, done = end_of_line(text, start), 0
    while at < len(text) and done < len(value):
        line = LINE.match(text, at)
        end = line.end() if line else at
        content = [verbatim(text, offset) for offset in range(at + indent, end)]
        yield from content
        done += len(content)
        at = end_of_line(text, at)
        if (kept := value[done : done + 1]) and (kept == "\n" or (kept == " " and text[start] == ">")):
            yield kept, end, at
            done += 1


def indentation(text: str, start: int, value: str) -> int:
    """How many columns of the block at `start` are indentation: those that its first written line has beyond the
    value."""
    content = value.lstrip("\n")
    kept = len(content) - len(content.lstrip(" "))
    at = end_of_line(text, start)
    while (first := LINE.match(text, at)) and not first.group().strip(" ") and first.end() < len(text):
        at = end_of_line(text, at)
    line = first.group() if first else ""
    return max(0, len(line) - len(line.lstrip(" ")) - kept)


def breaks(text: str, start: int, end: int) -> list[Span]:
    """The line breaks between two offsets."""
    return [found.span() for found in BREAK.finditer(text, start, end)]


def verbatim(text: str, at: int) -> Piece:
    """The character there."""
    return text[at], at, at + 1


def end_of_line(text: str, at: int) -> int:
    """The offset of the line after the one that `at` is in."""
    found = BREAK.search(text, at)
    return found.end() if found else len(text)


WALKS: dict[str, Callable[[str, int, str], Iterator[Piece]]] = {
    "'": single_pieces,
    '"': double_pieces,
    "|": block_pieces,
    ">": block_pieces,
}
