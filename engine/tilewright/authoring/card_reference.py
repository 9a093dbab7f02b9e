"""The tables of the card language's page: declared codes, phrases of printed cards, readings, mistakes with their
messages.

`python -m tilewright.authoring.card_reference FILE` writes them into the page, between its marks (`make docs`).
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tilewright.authoring.reference import table, with_parts
from tilewright.cards.codes import CODES
from tilewright.cards.expand import faults_of
from tilewright.cards.line import parse_line
from tilewright.cards.model import Fault
from tilewright.cards.sayings import READINGS, SAYINGS, Chapter

MISTAKES = (
    "FF 222 444 666 88 X25",
    "FF 222 444 666 888 J X25",
    "FF 2o26 2222 r2222 X25",
    "11 222 33 444 5555 any run X25",
    "FF 333 666 999 333 >769 X25",
    "111 222 333 44 DDD V X25",
    "FF 1111 8888 NEWS UK11 X25",
    "1 22 333 4444 FFFF H01 X25",
    "FF 1111 L NEWS DDDD X25",
    "FF 1111 NEWS DDDD L !135 X25",
    "FF 111 222 333 DDD L Va # X25",
    "22 444 66 888 FFFF | 22 444 r66 888 FFFF | 22 444 r66 b888 FFFF X25",
    "FF 222 444 666 888 X25 C",
    "FF 222 444 666 888 X12345",
    "FF 111 222 333 DDD !24 Va X25",
    "FF 222 444 666 888 L X25",
    "FF 222 444 a666 888 X25",
)


def main(arguments: Sequence[str]) -> None:
    """Write the tables into the named page."""
    page = Path(arguments[0])
    page.write_text(with_parts(page.read_text(encoding="utf-8"), PARTS), encoding="utf-8")


def codes() -> Iterator[str]:
    """A row for each code, with an example."""
    rows = ((f"`{code.letter}`", code.takes, code.doc, *example(*code.examples[0])) for code in CODES.values())
    yield from table(("code", "followed by", "does", "example", "hands"), rows)


def example(line: str, hands: int) -> tuple[str, str]:
    """A line and the number of its hands, each for a cell."""
    return f"`{line}`", str(hands)


def paper() -> Iterator[str]:
    """A row for each phrase of printed cards: what is typed for it, with a line."""
    rows = ((f"“{one.example}”", one.says, *example(one.line, one.hands)) for one in SAYINGS)
    yield from table(("on paper", "you type", "example", "hands"), rows)


def readings() -> Iterator[str]:
    """A table for each chapter: the rule, lines that show it, and how many hands each has."""
    for number, chapter in enumerate(READINGS):
        yield from [""] if number else []
        yield f"### {chapter.title}\n"
        yield from table(("rule", "example", "hands"), reading_rows(chapter))


def reading_rows(chapter: Chapter) -> Iterator[tuple[str, str, str]]:
    for reading in chapter.readings:
        lines, hands = zip(*(example(*counted) for counted in reading.lines), strict=True)
        yield reading.says, "<br>".join(lines), "<br>".join(hands)


def mistakes() -> Iterator[str]:
    """A row for each mistake: its name, a line with it, the message and the hint."""
    rows = ((f"`{fault.code}`", f"`{line}`", fault.message, fault.hint or "") for line, fault in mistaken())
    yield from table(("problem", "example", "message", "hint"), rows)


def mistaken() -> Iterator[tuple[str, Fault]]:
    """The wrong lines, each with its first mistake."""
    for text in MISTAKES:
        line, faults = parse_line(text)
        yield text, next(iter([*faults, *(faults_of(line) if line is not None else ())]))


PARTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "codes": codes,
    "paper": paper,
    "readings": readings,
    "mistakes": mistakes,
}

if __name__ == "__main__":
    main(sys.argv[1:])
