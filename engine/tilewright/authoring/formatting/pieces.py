"""Pieces: a text that parses in; its words, quotes, blocks, brackets and signs in order out, with the structure around
them.

Knows YAML's tokens. Every character that is neither a space, a line break nor part of a comment is in one piece.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto

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
