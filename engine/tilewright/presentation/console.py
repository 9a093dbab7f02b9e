"""The screen: lines and tables in, text out; coloured on a terminal, plain in a pipe.

Knows how wide characters are (東 is two cells) and NO_COLOR; knows nothing of what is shown.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

PLAIN_WIDTH = 10_000  # a pipe has no width: nothing is folded there unless COLUMNS is set
CONTROLS = dict.fromkeys([*range(32), *range(127, 160)], "\N{REPLACEMENT CHARACTER}")  # a file is not a terminal
LEAST_WIDTH = 24  # the last column of a table is never folded to less: it moves below its row
BELOW = 3  # and is indented there
LEAST_FIRST = 12  # cells; a first column is folded to no less

Row = Sequence[Text | str]


def console_for(stream: TextIO) -> Console:
    """A console on this stream, as wide as its terminal."""
    width = None if stream.isatty() or "COLUMNS" in os.environ else PLAIN_WIDTH
    return Console(file=stream, width=width, markup=False, emoji=False, highlight=False)


def show(lines: Iterable[Text | str], stream: TextIO | None = None) -> None:
    """Print lines; those wider than the screen are wrapped with the same indent."""
    console = console_for(stream or sys.stdout)
    for line in lines:
        text = Text(line) if isinstance(line, str) else line
        text.plain = text.plain.translate(CONTROLS)
        for part in folded(text, indent_of(text), console.width, console):
            console.print(part, soft_wrap=True)


def table(
    rows: Sequence[Row], right: frozenset[int] = frozenset(), indent: str = "  ", fold_first: bool = False
) -> list[Text]:
    """Rows with their columns aligned, those in `right` at the right edge; no blanks at the end of a line. A row of one
    cell spans all columns. `fold_first`: without enough room, the first column is folded next to those at the right."""
    cells = [[Text(cell) if isinstance(cell, str) else cell.copy() for cell in row] for row in rows]
    console = console_for(sys.stdout)
    widths = widths_of(cells)
    room = first_room(widths, right, indent, console)
    if fold_first and widths and LEAST_FIRST <= room < widths[0]:
        cells = [folded_row for row in cells for folded_row in first_folded(row, room, right, console)]
        widths = widths_of(cells)
    return [line for row in cells for line in row_lines(row, widths, right, indent, console)]


def fits(rows: Sequence[Row], right: frozenset[int] = frozenset()) -> bool:
    """Whether the screen is wide enough for the table of these rows; a row of one cell may be folded."""
    cells = [[Text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    widths = widths_of(cells)
    wide = max((aligned(row, widths, right, "  ").cell_len for row in cells if len(row) > 1), default=0)
    return wide <= console_for(sys.stdout).width


def widths_of(cells: Sequence[Sequence[Text]]) -> list[int]:
    """How wide each column is; a row of one cell is ignored."""
    columns = max((len(row) for row in cells), default=0)
    return [max((row[c].cell_len for row in cells if c < len(row) > 1), default=0) for c in range(columns)]


def first_room(widths: Sequence[int], right: frozenset[int], indent: str, console: Console) -> int:
    """How wide the first column may be, so that those at the right fit next to it."""
    return console.width - len(indent) - sum(widths[c] + 2 for c in right if c < len(widths) and widths[c])


def first_folded(row: list[Text], room: int, right: frozenset[int], console: Console) -> Iterator[list[Text]]:
    """A row with its first cell folded to the available width: the rest of it follows in rows of its own, and a last
    cell that is not a number is next to the end of it."""
    if len(row) == 1:
        yield row
        return
    lead = indent_of(row[0])
    parts = row[0][lead:].wrap(console, max(1, room - lead - BELOW))
    for part in parts:
        part.rstrip()
    cells = [Text(" " * (lead + (BELOW if at else 0))) + part for at, part in enumerate(parts)] or row[:1]
    beside = 0 if len(row) - 1 in right else len(cells) - 1
    yield from ([cell, *row[1:]] if at == beside else [cell] for at, cell in enumerate(cells))


def row_lines(
    row: Sequence[Text], widths: Sequence[int], right: frozenset[int], indent: str, console: Console
) -> list[Text]:
    """A row as lines: a last cell that is too long continues below itself."""
    if len(row) == 1:
        return [Text(indent) + row[0]]
    line = aligned(row, widths, right, indent)
    start = len(indent) + sum(width + 2 for width in widths[: len(row) - 1] if width)
    if line.cell_len <= console.width:
        return [line]
    if console.width - start < LEAST_WIDTH:
        start = len(indent) + BELOW
        return [aligned(row[:-1], widths, right, indent), *wrapped(row[-1], start, console)]
    first, *rest = wrapped(row[-1], start, console)
    cell = first[start:]
    return [aligned([*row[:-1], cell], [*widths[: len(row) - 1], 1], frozenset(right - {len(row) - 1}), indent), *rest]


def wrapped(cell: Text, start: int, console: Console) -> list[Text]:
    """A cell as lines indented to a column."""
    parts = list(cell.wrap(console, max(1, console.width - start)))
    for part in parts:
        part.rstrip()
    return [Text(" " * start) + part for part in parts]


def aligned(row: Sequence[Text], widths: Sequence[int], right: frozenset[int], indent: str) -> Text:
    """One row of a table, with two blanks between columns; empty columns are dropped."""
    line = Text(indent)
    for column, cell in enumerate(row):
        if not widths[column]:
            continue
        blanks = " " * (widths[column] - cell.cell_len)
        line.append_text(Text(blanks) + cell if column in right else cell + Text(blanks))
        line.append("  ")
    line.rstrip()
    return line


def folded(line: Text, indent: int, width: int, console: Console) -> list[Text]:
    """A line wrapped to this width, with further lines indented; the first begins as the line does."""
    if line.cell_len <= width:
        return [line]
    indent = min(indent, max(0, width - LEAST_WIDTH))
    indented = line.plain[:indent].isspace()
    parts = list((line[indent:] if indented else line).wrap(console, max(1, width - indent)))
    for part in parts:
        part.rstrip()
    return [Text(" " * indent if at or indented else "") + part for at, part in enumerate(parts)]


def indent_of(line: Text) -> int:
    return len(line.plain) - len(line.plain.lstrip(" "))


def counted(number: int, noun: str) -> str:
    """So many of something, in words."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
