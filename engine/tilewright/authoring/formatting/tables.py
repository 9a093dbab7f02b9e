"""Tables: the pieces of a text in, how many spaces stand after each colon out.

A table is entries of one mapping, one below the other, whose values begin on the lines of their keys. It is one if its
author aligned any two of them; then all values begin in the same column, one space behind the longest key.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from tilewright.authoring.formatting.pieces import Kind, Mark, Piece

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


def padding_of(pieces: Sequence[Piece]) -> dict[int, int]:
    """How many spaces follow the colons that are not followed by one, by the number of the piece."""
    found = dict[int, int]()
    for rows in mappings(pieces):
        for table, widest in tables_of(rows):
            found |= {row.colon: max(widest - row.width, 0) + ONE_SPACE for row in table}
    return found


def tables_of(rows: Sequence[Row]) -> Iterator[tuple[list[Row], int]]:
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


def are_aligned(rows: Sequence[Row]) -> bool:
    """Whether an author has aligned some of the rows: keys of different widths have values in one column."""
    widths: dict[int, int] = {}
    return any(widths.setdefault(row.width + row.padding, row.width) != row.width for row in rows)


def runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows below each other."""
    run: list[Row] = []
    for row in [*rows, Row(apart=True)]:
        if run and (row.apart or not row.in_line):
            yield run
            run = []
        if row.in_line:
            run.append(row)


def mappings(pieces: Sequence[Piece]) -> Iterator[list[Row]]:
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


def end_key(row: Row, colon: int, pieces: Sequence[Piece]) -> None:
    """The colon of a row, and whether its value is on the line."""
    row.colon = colon
    if colon + 1 < len(pieces):
        value = pieces[colon + 1]
        row.padding = len(value.gap)
        row.is_null = value.text == NULL
        row.in_line = value.continues and value.kind in (Kind.WORD, Kind.OPENING)
