"""Type: a text and a size in, its width in points out; and texts wrapped or cut to a width.

Widths are those of the usual sans serif faces. A text is drawn stretched to the width given here, so texts never
overlap, whatever the reader's font. Knows no card.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from rich.cells import cell_len

from tilewright.base.spelling import seen

MONO = 0.6  # of the size: the width of a monospaced letter
BOLD = 1.07  # how much wider a bold text is
ELSE = 600  # letters of other scripts
WIDE = 1000  # letters that fill two cells of a terminal
MARKS = 3  # accents on one letter; more would reach into other lines
LONGEST = 600  # characters of a text that are considered
ELLIPSIS = "…"
# In a script without spaces a row ends before any sign; but numbers and other scripts stay whole, nothing closes or
# goes on at the start of a row, and nothing opens at its end.
OPENS, CLOSES = "「『（《〈【〔", "」』）》〉】〕、。，；：！？・ー～々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
IDEOGRAPHS = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
PART = re.compile(rf"[{OPENS}]*(?:[^{IDEOGRAPHS}]+|[{IDEOGRAPHS}])[{CLOSES}]*")
WIDTHS = {
    sign: width
    for width, signs in {
        191: "'",
        222: "ijl‘’",
        260: "|",
        278: " !,./:;I[\\]ft·",
        333: "()-`r“”{}",
        355: '"',
        389: "*",
        469: "^",
        500: "Jcksvxyz",
        556: "#$0123456789?L_abdeghnopqu–",
        584: "+<=>~×−",
        611: "FTZ",
        667: "ABEKPSVXY&",
        722: "CDHNRUw",
        778: "GOQ",
        833: "Mm",
        889: "%",
        944: "W",
        1000: "…—",
        1015: "@",
    }.items()
    for sign in signs
}


@lru_cache(maxsize=2000)
def printable(text: str) -> str:
    """The text on one line, without control characters and piled-up accents; empty if nothing of it is visible."""
    line = "".join(calm(" ".join(seen(text[:LONGEST]).split())))
    return line if measure(line, 1) else ""


def calm(text: str) -> Iterator[str]:
    """The characters of a text, with only the first few marks on each letter."""
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MARKS:
            yield sign


def measure(text: str, size: float, bold: bool = False) -> float:
    """How wide a text of this size is, in points."""
    return thousandths(text) / 1000 * size * (BOLD if bold else 1)


@lru_cache(maxsize=20_000)
def thousandths(text: str) -> int:
    """The width of a text in thousandths of its size."""
    return sum(WIDTHS.get(sign) or other_width(sign) for sign in text)


def other_width(sign: str) -> int:
    """The width of a character without a table entry, in thousandths of the size."""
    return (0, ELSE, WIDE)[min(2, cell_len(sign))]


def cut(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text, or as much of it as fits and an ellipsis."""
    if measure(text, size, bold) <= width:
        return text
    room = width - measure(ELLIPSIS, size, bold)
    return text[: fitting(text, room, size, bold)].rstrip() + ELLIPSIS


def fitting(text: str, width: float, size: float, bold: bool) -> int:
    """How many characters of a text fit."""
    used = 0.0
    for count, sign in enumerate(text):
        used += measure(sign, size, bold)
        if used > width:
            return count
    return len(text)


def wrap(text: str, width: float, size: float, most: int, bold: bool = False) -> list[str]:
    """The text in at most this many rows, the last one cut if there is more."""
    rows: list[str] = []
    for row in filled(parts_of(text.split(), width, size, bold), width, size, bold):
        if len(rows) == most:
            rows[-1] = cut(f"{rows[-1]} {row}", width, size, bold)
            break
        rows.append(row)
    return rows


def filled(parts: Iterable[tuple[str, str]], width: float, size: float, bold: bool) -> Iterator[str]:
    """Parts in rows, as many in each as fit, with what stands before each."""
    row, used = "", 0.0
    for gap, part in parts:
        own, blank = measure(part, size, bold), measure(gap, size, bold) if gap else 0.0
        if row and used + blank + own > width:
            yield row
            row = ""
        used = used + blank + own if row else own
        row = f"{row}{gap}{part}" if row else part
    if row:
        yield row


def parts_of(words: Iterable[str], width: float, size: float, bold: bool) -> Iterator[tuple[str, str]]:
    """The parts between which a row may end, each with the gap before it; those wider than a row in pieces of one."""
    for word in words:
        gap = " "
        for rest in PART.findall(word):
            while measure(rest, size, bold) > width:
                count = max(1, fitting(rest, width, size, bold))
                yield gap, rest[:count]
                gap, rest = "", rest[count:]
            if rest:
                yield gap, rest
                gap = ""
