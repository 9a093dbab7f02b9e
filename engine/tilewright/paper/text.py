"""A card in the terminal: a card in, lines in colour or with letters for the suits out.

Knows no file and prints nothing.
"""

from collections.abc import Iterator
from io import StringIO

from rich.console import Console
from rich.text import Text

from tilewright.cards.model import Card, CardLineText, CardPattern
from tilewright.paper.layout import PrintRow, keys_of, names_of
from tilewright.paper.sheet import SheetSection, sections_of
from tilewright.paper.small_print import joined_sets, signs_at, suit_of
from tilewright.paper.typeface import printable

STYLES = {"g": "green", "r": "red underline", "b": "blue underline2", "a": "magenta"}
WIDEST = 100  # a wider screen would only spread a card out
VALUE = 9  # cells of the value with its padding
WORDS_LEAST = 24  # cells; with less room the small print goes below its line


def show_text(card: Card, colour: bool, width: int) -> str:
    """The card as text for a screen of this width: in colour, or with a letter before each set not in the first
    suit."""
    stream = StringIO()
    console = Console(
        file=stream,
        width=10_000,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )
    for line in card_lines(card, colour, min(WIDEST, max(20, width))):
        console.print(line, soft_wrap=True)
    return stream.getvalue()


def card_lines(card: Card, colour: bool, width: int) -> Iterator[Text]:
    """Name, groups and a key, each line no wider than the screen."""
    name, *others = names_of(card)
    sections = list(sections_of(card))
    yield from centred(Text(name, "bold"), width)
    for note in (" · ".join(others), printable(card.about)):
        yield from centred(Text(note), width)
    room = sets_room(sections, colour, width)
    for section in sections:
        yield Text()
        yield from section_lines(section, colour, room, width)
    yield Text()
    yield from key_lines(sections, colour, width)
    if printable(card.source):
        yield from wrapped(Text(f"Source: {printable(card.source)}", "dim"), 0, width)


def section_lines(section: SheetSection, colour: bool, room: int, width: int) -> Iterator[Text]:
    """A group: its title, its note, its lines."""
    yield from centred(Text(printable(section.group.title), "bold underline" if colour else "bold"), width)
    if printable(section.group.note):
        yield from centred(Text(f"({printable(section.group.note)})", "dim"), width)
    for row in section.rows:
        if row.line is None:
            yield from broken_lines(row, width)
        else:
            yield from line_lines(row, row.line, colour, room, width)


def line_lines(row: PrintRow, line: CardLineText, colour: bool, room: int, width: int) -> Iterator[Text]:
    """A line: its sets, its value, the small print next to them or below."""
    rows = sets_rows(line, colour, room)
    value = Text(f"{'X' if line.exposed else 'C'} {line.value}", "bold")
    rows[0] = joined(rows[0], room - rows[0].cell_len + 2, value)
    start = room + VALUE
    words = Text(f"({row.words})" if row.words else "", "dim")
    if width - start < WORDS_LEAST:
        yield from rows
        yield from wrapped(words, 4, width)
        return
    beside = list(wrapped(words, 0, width - start))
    for at in range(max(len(rows), len(beside))):
        left = rows[at] if at < len(rows) else Text()
        yield joined(left, start - left.cell_len, beside[at]) if at < len(beside) else left


def broken_lines(row: PrintRow, width: int) -> Iterator[Text]:
    """An unreadable line and its error."""
    yield from wrapped(Text.assemble(("? ", "bold red"), printable(row.text)), 0, width)
    yield from wrapped(Text(row.words, "red"), 4, width)


def joined(left: Text, blanks: int, right: Text) -> Text:
    return Text.assemble(left, " " * max(1, blanks), right)


# --- sets


def sets_room(sections: list[SheetSection], colour: bool, width: int) -> int:
    """The width of the column of sets in cells: that of its widest row, leaving room for the value."""
    lines = [row.line for section in sections for row in section.rows if row.line]
    widths = (row.cell_len for line in lines for row in sets_rows(line, colour, width))
    return min(max(widths, default=0), width - VALUE)


def sets_rows(line: CardLineText, colour: bool, room: int) -> list[Text]:
    """The patterns of a line in rows, indented by three cells; the second pattern begins with "or"."""
    return [row for pattern in line.patterns for row in pattern_rows(line, pattern, colour, room)]


def pattern_rows(line: CardLineText, pattern: CardPattern, colour: bool, room: int) -> list[Text]:
    """A pattern in rows that fit the width."""
    rows, start = [Text("   " if pattern is line.patterns[0] else "or ")], True
    for gap, word in pattern_words(line, pattern, colour):
        if not start and rows[-1].cell_len + len(gap) + word.cell_len > room:
            rows.append(Text("     "))
            start = True
        rows[-1] = Text.assemble(rows[-1], "" if start else gap, word)
        start = False
    return rows


def pattern_words(line: CardLineText, pattern: CardPattern, colour: bool) -> Iterator[tuple[str, Text]]:
    """Each set or sign with its separator from the one before."""
    last = "g"
    for at, (one, joined) in enumerate(zip(pattern.sets, joined_sets(line, pattern), strict=True)):
        yield from ((" ", Text(sign, "bold")) for sign in signs_at(pattern, at))
        suit = suit_of(one)
        shown = suit in "mcd" or (not colour and (suit != "g" or last != "g"))
        letter = suit if shown and not (joined and suit == last) else ""
        last = suit or last
        yield "" if joined and not letter else " ", Text(letter + one.letter * one.count, STYLES.get(suit, "bold"))
    yield from ((" ", Text(sign, "bold")) for sign in signs_at(pattern, len(pattern.sets)))


# --- the key


def key_lines(sections: list[SheetSection], colour: bool, width: int) -> Iterator[Text]:
    """What the colours and letters mean."""
    lines = [row.line for section in sections for row in section.rows if row.line]
    line = Text()
    for sample, words in keys(lines, colour):
        item = Text.assemble(sample, " ", words)
        if line and line.cell_len + 3 + item.cell_len > width:
            yield line
            line = Text()
        line = Text.assemble(line, "   ", item) if line else item
    if line:
        yield line


def keys(lines: list[CardLineText], colour: bool) -> Iterator[tuple[Text, str]]:
    """Samples and meanings of all that needs a legend."""
    for sample, ink, words in keys_of(lines):
        if ink in STYLES:
            letter = "" if colour or ink == "g" else ink
            yield Text(f"{letter}11", STYLES[ink]), words
        else:
            yield Text(sample, "bold"), words


def centred(text: Text, width: int) -> Iterator[Text]:
    """A text centred on the screen, wrapped."""
    for part in wrapped(text, 0, width):
        yield joined(Text(), (width - part.cell_len) // 2, part) if part.cell_len + 1 < width else part


def wrapped(text: Text, indent: int, width: int) -> Iterator[Text]:
    """A text in indented lines; nothing if it is empty."""
    if not text:
        return
    for part in text.wrap(Console(width=width), max(1, width - indent)):
        part.rstrip()
        yield Text(" " * indent) + part
