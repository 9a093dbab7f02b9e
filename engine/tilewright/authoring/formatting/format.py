"""Format: the text of a document in, the same document as the bundled ones are laid out.

Only spaces, blank lines and line breaks of other kinds change: every word, quote and comment stays on its line. Two
spaces for each level, one after a comma and a colon, none within brackets; values of tables below each other, comments
behind a line in the same column. A text that does not parse raises its problems.
"""

import re
from dataclasses import dataclass, field

from rich.cells import cell_len

from tilewright.authoring.formatting.pieces import Kind, Mark, Piece, explicit, pieces_of, spaces
from tilewright.authoring.formatting.tables import padding_of
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
