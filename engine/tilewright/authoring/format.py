"""Format: the text of a document in, the same document as the bundled ones are laid out.

Only spaces, blank lines and line breaks of other kinds change: every word, quote and comment stays on its line. Two
spaces for each level, one after a comma and a colon, none within brackets; values of tables below each other, comments
behind a line in the same column. A text that does not parse raises its problems.

A piece is a word, quote, block, bracket or sign: every character that is neither a space, a line break nor part of a
comment is in one. A table is entries of one mapping, one below the other, whose values begin on the lines of their
keys, if its author aligned any two of them; then all values begin in the same column, one space behind the longest key.
"""

import re
from collections.abc import Iterator
from collections.abc import Sequence as Several
from dataclasses import dataclass, field
from enum import Enum, auto

from rich.cells import cell_len
from ruamel.yaml import YAML
from ruamel.yaml.tokens import (
    AnchorToken,
    BlockEndToken,
    BlockEntryToken,
    BlockMappingStartToken,
    BlockSequenceStartToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    KeyToken,
    ScalarToken,
    Token,
)

from tilewright.base.document import parse
from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import BREAK, Problem, RulesetError, Source

INDENT = 2
COMMENT_COLUMN = 42  # of comments behind something that is short enough
BEFORE_COMMENT = 2
WHITE = re.compile(r"\s+")


def format_text(text: str, name: str = "text") -> str:
    """The text, formatted. Raises RulesetError if it is no document, or one that cannot be formatted."""
    source = Source(name, text.removeprefix("\ufeff"))
    document = parse(source)
    formatted = Formatter.of(BREAK.sub("\n", source.text)).result()
    try:
        same = is_same(document, parse(Source(name, formatted)))
    except RulesetError:
        same = False
    if not same or WHITE.sub("", formatted) != WHITE.sub("", source.text):
        raise RulesetError([not_formattable(source)])
    return formatted


def is_same(one: Node, other: Node) -> bool:
    """Whether two documents say the same."""
    match one, other:
        case Scalar(), Scalar():
            return (one.text, one.quoted) == (other.text, other.quoted)
        case Sequence(), Sequence():
            return len(one.items) == len(other.items) and all(map(is_same, one.items, other.items))
        case Mapping(), Mapping():
            pairs = zip(one.items(), other.items(), strict=True)
            return list(one.entries) == list(other.entries) and all(is_same(a, b) for (_, a), (_, b) in pairs)
    return False


def not_formattable(source: Source) -> Problem:
    """The text would not be the same document."""
    return Problem(
        "not-formattable",
        "this document cannot be formatted without a change to what it says",
        source.place(0),
        "it is left as it was; write keys, lists and texts as other documents have them",
    )


# --- pieces

HEADER = re.compile(r"[|>](?:[+-]?[0-9]?|[0-9][+-]?)")


class Mark(Enum):
    """What begins or ends before a piece, without a character of its own."""

    MAPPING = auto()
    SEQUENCE = auto()
    KEY = auto()
    END = auto()


class Kind(Enum):
    """What a piece is."""

    WORD = auto()  # a scalar, plain or quoted; an alias; `---`
    BLOCK = auto()  # a scalar below its header
    ANCHOR = auto()
    ITEM = auto()  # `-`
    OPENING = auto()
    CLOSING = auto()
    SIGN = auto()  # `:`, `,` or `?`


KINDS: dict[type[Token], Kind] = {
    AnchorToken: Kind.ANCHOR,
    BlockEntryToken: Kind.ITEM,
    FlowMappingStartToken: Kind.OPENING,
    FlowSequenceStartToken: Kind.OPENING,
    FlowMappingEndToken: Kind.CLOSING,
    FlowSequenceEndToken: Kind.CLOSING,
}


MARKS: dict[type[Token], Mark] = {
    BlockMappingStartToken: Mark.MAPPING,
    BlockSequenceStartToken: Mark.SEQUENCE,
    KeyToken: Mark.KEY,
    BlockEndToken: Mark.END,
}


SIGNS = (":", ",", "?")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some characters of a text that stay together. `column`: where it stands in the text; `gap`: what is between the
    piece before and this one; `block`: the lines of a block below its header, without their indentation."""

    kind: Kind
    text: str
    marks: tuple[Mark, ...]
    column: int
    gap: str
    block: tuple[str, ...] = ()

    @property
    def continues(self) -> bool:
        """Whether it is on the line of the piece before."""
        return "\n" not in self.gap


def pieces_of(text: str) -> tuple[list[Piece], str]:
    """The pieces of a text, whose line breaks are `\n`, and what comes after the last of them."""
    pieces, at = list[Piece](), 0
    marks: list[Mark] = []
    columns = [0]  # of the mappings and lists around
    for token in YAML(typ="safe", pure=True).scan(text):
        start, end, column = token.start_mark.index, token.end_mark.index, token.start_mark.column
        if mark := MARKS.get(type(token)):
            marks.append(mark)
            if mark in (Mark.MAPPING, Mark.SEQUENCE):
                columns.append(column)
            elif mark is Mark.END:
                columns.pop()
        if start == end:
            continue
        kind, block = kind_of(token, text[start:end]), list[str]()
        if kind is Kind.BLOCK:
            end, block = block_at(text, start, columns[-1])
        pieces.append(Piece(kind, text[start:end], tuple(marks), column, text[at:start], tuple(block)))
        marks, at = [], end
    return pieces, text[at:]


def kind_of(token: Token, written: str) -> Kind:
    """What the piece of a token is."""
    if isinstance(token, ScalarToken):
        return Kind.BLOCK if token.style in ("|", ">") else Kind.WORD
    return KINDS.get(type(token), Kind.SIGN if written in SIGNS else Kind.WORD)


def block_at(text: str, start: int, around: int) -> tuple[int, list[str]]:
    """Where a block ends, and its lines: to the last with something in it, or through blank lines that it keeps.
    `around`: the column of the mapping or list that it is in."""
    header = text[start : end_of_line(text, start)]
    digit = explicit(header)
    indent = None if digit is None else around + digit
    end, at = start + len(header), start + len(header) + 1
    block, blank = list[str](), list[str]()
    while at < len(text):
        line = text[at : end_of_line(text, at)]
        if line.strip(" "):
            indent = max(around + 1, spaces(line)) if indent is None else indent
            if spaces(line) < indent:
                break
        blank.append(line)
        if line.strip(" ") or keeps(header) or (indent is not None and len(line) > indent):
            block += blank
            blank = []
            end = at + len(line)
        at += len(line) + 1
    return end, [line[indent or 0 :] for line in block]


def end_of_line(text: str, start: int) -> int:
    """Where the line ends that something stands on."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def keeps(header: str) -> bool:
    """Whether a block keeps the blank lines after it."""
    found = HEADER.match(header)
    return found is not None and "+" in found[0]


def explicit(header: str) -> int | None:
    """How far the header says that a block is indented."""
    found = HEADER.match(header)
    digits = re.sub(r"\D", "", found[0]) if found else ""
    return int(digits) if digits else None


def spaces(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


# --- layout


@dataclass(frozen=True, slots=True)
class Level:
    """A mapping or a list without brackets. `written`: its column in the text; `column`: where it goes."""

    written: int
    column: int
    is_list: bool
    in_key: bool = False  # a list whose dashes stand in the column of its key: YAML does not say where it ends


@dataclass(frozen=True, slots=True)
class Bracket:
    """An open bracket: the columns of lines in it, and of the bracket that closes it."""

    column: int
    closing: int


@dataclass(slots=True)
class Formatter:
    """The lines written so far, and what is open. `line`: the parts of the one being written; `width`: its cells."""

    pieces: list[Piece]
    rest: str
    padding: dict[int, int]
    lines: list[str] = field(default_factory=list)
    line: list[str] | None = None
    width: int = 0
    levels: list[Level] = field(default_factory=list)
    brackets: list[Bracket] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> "Formatter":
        """Nothing is written yet. The line breaks of the text are `\n`."""
        pieces, rest = pieces_of(text)
        return cls(pieces, rest, padding_of(pieces))

    def result(self) -> str:
        """The formatted text."""
        for number, piece in enumerate(self.pieces):
            self.put(number, piece)
        self.end_line(self.rest.rstrip() + "\n", [*reversed(self.levels), Level(0, 0, is_list=False)])
        cut_short = self.pieces[-1].kind is Kind.BLOCK and not self.rest  # the last line of a text has no break
        return "\n".join(self.lines) + ("" if cut_short else "\n")

    def put(self, number: int, piece: Piece) -> None:
        """Write a piece, after what is between it and the one before."""
        closed = self.close(piece)
        if self.line is None or not piece.continues:
            column = self.column_of(piece)
            gap = piece.gap if number else f"\n{piece.gap}"
            inside = [Level(0, self.brackets[-1].column, is_list=True)] if self.brackets else closed
            self.end_line(gap, [*inside, Level(0, column, is_list=False)])
            self.begin_line(column)
        else:
            self.add(" " * self.spaces_before(number, piece))
        self.open(piece)
        if piece.kind is Kind.BLOCK:
            self.add_block(piece)
        else:
            self.add_text(piece)
        if piece.kind is Kind.OPENING:
            self.brackets.append(self.bracket(number))
        elif piece.kind is Kind.CLOSING:
            self.brackets.pop()

    # --- mappings and lists without brackets

    def close(self, piece: Piece) -> list[Level]:
        """The mappings and lists that end before a piece, from the innermost."""
        closed = []
        for mark in () if self.brackets else piece.marks:
            if mark in (Mark.END, Mark.KEY) and self.levels and self.levels[-1].in_key:
                closed.append(self.levels.pop())
            if mark is Mark.END:
                closed.append(self.levels.pop())
        return closed

    def open(self, piece: Piece) -> None:
        """The mapping or list that begins with a piece, which is about to be written."""
        if self.brackets:
            return
        if Mark.MAPPING in piece.marks or Mark.SEQUENCE in piece.marks:
            self.levels.append(Level(piece.column, self.width, Mark.SEQUENCE in piece.marks))
        elif piece.kind is Kind.ITEM and not self.levels[-1].is_list:
            self.levels.append(Level(piece.column, self.width, is_list=True, in_key=True))

    def column_of(self, piece: Piece) -> int:
        """The column of a piece that begins a line."""
        if self.brackets:
            return self.brackets[-1].closing if piece.kind is Kind.CLOSING else self.brackets[-1].column
        if not self.levels:
            return 0
        top = self.levels[-1]
        if Mark.MAPPING in piece.marks or Mark.SEQUENCE in piece.marks:
            return top.column + INDENT
        goes_on = Mark.KEY in piece.marks or piece.kind is Kind.SIGN
        return top.column if goes_on or (piece.kind is Kind.ITEM and top.is_list) else top.column + INDENT

    # --- one line

    def spaces_before(self, number: int, piece: Piece) -> int:
        """How many spaces stand before a piece that does not begin a line."""
        before = self.pieces[number - 1]
        if before.text == ":" and before.kind is Kind.SIGN:
            return self.padding.get(number - 1, 1)
        if before.kind is Kind.OPENING or piece.kind is Kind.CLOSING:
            return 0
        if piece.kind is Kind.SIGN and before.kind is Kind.WORD:
            return int(before.text.startswith("*"))  # `*name:` would be another name
        return 0 if piece.kind is Kind.SIGN and before.kind is Kind.CLOSING else 1

    def add_text(self, piece: Piece) -> None:
        """Write a piece where the line is; if it has further lines, they are indented."""
        first, *others = piece.text.split("\n")
        self.add(trimmed(first, piece) if others else first)
        for number, other in enumerate(others, 2):
            last = number > len(others)
            text = (other if last else trimmed(other, piece)).lstrip(" \t")
            self.end_line("\n", [])
            self.begin_line(self.inner_column() if text else 0)
            self.add(text)

    def add_block(self, piece: Piece) -> None:
        """Write the header of a block, the comment behind it, and its lines."""
        header, _, comment = piece.text.partition("\n")[0].partition(" ")
        self.add(header)
        indent = self.levels[-1].column + (explicit(header) or INDENT)
        for line in piece.block:
            self.end_line(f"{comment}\n", [])
            self.begin_line(indent if line else 0)
            self.add(line)
            comment = ""
        if comment:
            self.add(" " * spaces_to_comment(self.width) + comment.strip())

    def begin_line(self, column: int) -> None:
        self.line = []
        self.width = 0
        self.add(" " * column)

    def add(self, text: str) -> None:
        assert self.line is not None
        self.line.append(text)
        self.width += cell_len(text)

    def inner_column(self) -> int:
        """The column of the further lines of a text."""
        return self.brackets[-1].column if self.brackets else self.levels[-1].column + INDENT

    def bracket(self, number: int) -> Bracket:
        """The bracket that has just been written: what it holds stands behind it, or below if it ends its line."""
        if number + 1 < len(self.pieces) and self.pieces[number + 1].continues:
            return Bracket(self.width, self.width - 1)
        top = self.levels[-1] if self.levels else Level(0, 0, is_list=False)
        around = top.column + INDENT * top.is_list
        assert self.line is not None
        start = len(self.line[0]) if self.brackets else around
        return Bracket(start + INDENT, start)

    # --- comments and blank lines

    def end_line(self, gap: str, levels: list[Level]) -> None:
        """End the line, with the comment behind it, and write the comments and blank lines that follow. `levels`: what
        a comment may belong to, from the innermost."""
        behind, *below = gap.split("\n")
        if self.line is not None:
            comment = behind.strip()
            self.add(" " * spaces_to_comment(self.width) + comment if comment else "")
            self.lines.append("".join(self.line))
        self.line = None
        for line in below[:-1]:
            if comment := line.strip():
                column = next(one.column for one in levels if spaces(line) >= one.written)
                self.lines.append(" " * column + comment)
            elif self.lines and self.lines[-1]:
                self.lines.append("")


def spaces_to_comment(width: int) -> int:
    """How many spaces stand before the comment behind a line."""
    return max(COMMENT_COLUMN - width, BEFORE_COMMENT)


def trimmed(line: str, piece: Piece) -> str:
    """A line of a longer text without spaces at its end, unless a backslash makes one of them count."""
    cut = line.rstrip(" \t")
    escaped = piece.text.startswith('"') and (len(cut) - len(cut.rstrip("\\"))) % 2
    return line[: len(cut) + 1] if escaped else cut


# --- tables

ONE_SPACE = 1
NULL = "null"  # removes what another document has: where columns differ, it is a row only if it is padded


@dataclass(slots=True)
class Row:
    """An entry of a mapping. `colon`: the number of its piece; `width`: cells of the key; `padding`: as written."""

    width: int = 0
    colon: int = -1
    padding: int = 0
    in_line: bool = False
    is_null: bool = False
    apart: bool = False  # a blank line or a comment is above


def padding_of(pieces: Several[Piece]) -> dict[int, int]:
    """How many spaces follow the colons that are not followed by one, by the number of the piece."""
    found = dict[int, int]()
    for rows in mappings(pieces):
        for table, widest in tables_of(rows):
            found |= {row.colon: max(widest - row.width, 0) + ONE_SPACE for row in table}
    return found


def tables_of(rows: Several[Row]) -> Iterator[tuple[list[Row], int]]:
    """The tables among the entries of a mapping, with the width of the longest key. Rows whose values begin in the same
    column are of one, wherever they are."""
    tables: dict[int, list[Row]] = {}
    for run in runs(rows):
        columns = {row.width + row.padding for row in run}
        if len(columns) == 1:
            tables.setdefault(columns.pop(), []).extend(run)
            continue
        kept = [row for row in run if not row.is_null]
        if are_aligned(kept):
            padded = [row for row in run if row.is_null and row.padding > ONE_SPACE]
            yield [*kept, *padded], max(row.width for row in kept)
    for table in tables.values():
        if are_aligned(table):
            yield table, max(row.width for row in table)


def are_aligned(rows: Several[Row]) -> bool:
    """Whether an author has aligned some of the rows: keys of different widths have values in one column."""
    widths: dict[int, int] = {}
    return any(widths.setdefault(row.width + row.padding, row.width) != row.width for row in rows)


def runs(rows: Several[Row]) -> Iterator[list[Row]]:
    """Rows below each other."""
    run: list[Row] = []
    for row in [*rows, Row(apart=True)]:
        if run and (row.apart or not row.in_line):
            yield run
            run = []
        if row.in_line:
            run.append(row)


def mappings(pieces: Several[Piece]) -> Iterator[list[Row]]:
    """The entries of every mapping without brackets."""
    levels: list[list[Row]] = []
    brackets = 0
    for number, piece in enumerate(pieces):
        for mark in piece.marks:
            if mark in (Mark.MAPPING, Mark.SEQUENCE):
                levels.append([])
            elif mark is Mark.END:
                yield levels.pop()
            elif not brackets:
                levels[-1].append(Row(apart=piece.gap.count("\n") > 1))
        brackets += (piece.kind is Kind.OPENING) - (piece.kind is Kind.CLOSING)
        if brackets or not levels or not levels[-1] or levels[-1][-1].colon >= 0:
            continue
        row = levels[-1][-1]
        if piece.kind in (Kind.WORD, Kind.ANCHOR):
            row.width += cell_len(piece.text) + bool(row.width)
        elif piece.text == ":" and piece.kind is Kind.SIGN:
            end_key(row, number, pieces)
    yield from reversed(levels)


def end_key(row: Row, colon: int, pieces: Several[Piece]) -> None:
    """The colon of a row, and whether its value is on the line."""
    row.colon = colon
    if colon + 1 < len(pieces):
        value = pieces[colon + 1]
        row.padding = len(value.gap)
        row.is_null = value.text == NULL
        row.in_line = value.continues and value.kind in (Kind.WORD, Kind.OPENING)
