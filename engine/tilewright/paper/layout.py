"""Blocks of a printed card: a title or a line in, its texts and marks at their places in a box of a known width out.

All lengths are points, from the left upper corner of the block; a text is placed on its baseline with an exact width.
Knows no page and no file format.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tilewright.cards.model import Card, CardGroup, CardLineText, CardPattern, CardSet, Fault
from tilewright.paper.small_print import CONCEALED, LETTER_WORDS, SUIT_WORDS, joined_sets, signs_at, suit_of, words_of
from tilewright.paper.typeface import MONO, cut, measure, printable, wrap
from tilewright.presentation.catalogue import ENGLISH

LEAST = 6.5  # no text is smaller
ASCENT, DESCENT = 0.76, 0.22  # of the size: how far letters reach above and below their baseline
MARKED = {"r": "single", "b": "double", "a": "dotted"}  # the first suit has no mark
PITCH = 1.36  # of the size: from one baseline of sets to the next
SMALL_PITCH = 1.16
GAP = 0.52  # of the size: between sets
JOINED = 0.06  # and between those that belong together, as the digits of a year
MARK = 0.17  # of the size: from the baseline to a mark under it
UNDER = 0.4  # of the size: from the baseline to the top of small print under it, below all marks
SIGNS = {"x": "×", "-": "−"}
NOTE_ROWS, TITLE_ROWS, NAME_ROWS = 3, 2, 2


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text from `x` on, on a baseline at `y`. `role`: its purpose; `ink`: a colour or suit of the card, if any."""

    text: str
    x: float
    y: float
    width: float
    size: float
    role: str
    ink: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A level stroke. `kind`: single, double or dotted under sets, or rule."""

    x: float
    y: float
    width: float
    size: float
    kind: str
    ink: str = ""


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile with its left upper corner; three wide and four high."""

    code: str
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class PrintBlock:
    """A unit of layout; `framed`: in a frame of its own size."""

    id: str
    kind: str
    width: float
    height: float
    texts: tuple[PlacedText, ...]
    strokes: tuple[Stroke, ...] = ()
    framed: bool = False
    tiles: tuple[PlacedTile, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintRow:
    """A line of a card before layout: its text and note, and the result of reading it."""

    id: str
    text: str
    note: str
    line: CardLineText | None
    faults: tuple[Fault, ...]

    @property
    def words(self) -> str:
        """The small print: the author's note, else the line in words; of a broken line, the error."""
        if self.line is None:
            return next((printable(fault.message) for fault in self.faults if fault.severity == "error"), "")
        return self.said(ENGLISH)

    def said(self, language: str) -> str:
        """The same in a language, unless it is a note of the card."""
        if self.line is None:
            return self.words
        return printable(self.note) or words_of(self.line, language)


@dataclass(frozen=True, slots=True)
class PaperSizes:
    """The size of the sets, how many digits values have, the space between lines as a fraction of the size, and how
    many rows of small print a line may have."""

    size: float
    digits: int = 2
    lead: float = 0.2
    rows: int = NOTE_ROWS

    @property
    def small(self) -> float:
        """The size of small print."""
        return max(LEAST, 0.7 * self.size)

    @property
    def title(self) -> float:
        """The size of a group's title."""
        return 1.12 * self.size

    @property
    def value(self) -> float:
        """The width of the column of values, with the letter before them."""
        return (1.3 + self.digits) * MONO * self.size


@dataclass(frozen=True, slots=True)
class SetWord:
    """Texts that stay together in a row, from 0 on; `gap`: in front of them."""

    texts: tuple[PlacedText, ...]
    width: float
    gap: float


# --- lines


def line_block(row: PrintRow, width: float, sizes: PaperSizes) -> PrintBlock:
    """A line: sets in rows, the value at the right of the first, the small print beside the last or under it."""
    if row.line is None:
        return broken_block(row, width, sizes)
    room = width - sizes.value - 0.7 * sizes.size
    rows = rows_of(row.line, room, sizes)
    texts = [text for words in rows for text in words]
    texts += value_texts(row.line, width, rows[0][0].y, sizes)
    ends = max(text.x + text.width for text in rows[-1])
    texts += small_print(row.words, ends, rows[-1][0].y, room, width, sizes)
    height = max(text.y + UNDER * text.size for text in texts)
    return PrintBlock(row.id, "line", width, height, tuple(texts), tuple(marks(texts)))


def rows_of(line: CardLineText, room: float, sizes: PaperSizes) -> list[list[PlacedText]]:
    """The patterns of a line, in one row if they fit, else each in rows of its own."""
    patterns = [list(words_in(line, pattern, sizes)) for pattern in line.patterns]
    whole = list(flowed([word for words in patterns for word in words], room, sizes))
    rows = whole if len(whole) == 1 else [row for words in patterns for row in flowed(words, room, sizes)]
    first = (ASCENT + 0.1) * sizes.size
    return [
        [moved(text, text.x, first + number * PITCH * sizes.size) for text in row] for number, row in enumerate(rows)
    ]


def words_in(line: CardLineText, pattern: CardPattern, sizes: PaperSizes) -> Iterator[SetWord]:
    """The sets and signs of a pattern; the second begins with "or"."""
    gap = GAP * sizes.size
    if pattern is not line.patterns[0]:
        yield word_of("or", "or", sizes.small, 1.5 * gap)
    for at, (one, joined) in enumerate(zip(pattern.sets, joined_sets(line, pattern), strict=True)):
        yield from sign_words(pattern, at, sizes)
        yield set_word(one, sizes, JOINED * sizes.size if joined else gap)
    yield from sign_words(pattern, len(pattern.sets), sizes)


def sign_words(pattern: CardPattern, at: int, sizes: PaperSizes) -> Iterator[SetWord]:
    """The signs in front of a set, as printers have them."""
    return (word_of(SIGNS.get(sign, sign), "sign", sizes.size, GAP * sizes.size) for sign in signs_at(pattern, at))


def set_word(one: CardSet, sizes: PaperSizes, gap: float) -> SetWord:
    """A set, preceded by the letter of its suit if that is fixed."""
    suit, text = suit_of(one), printable(one.letter * one.count)
    width = MONO * sizes.size * len(text)
    if suit not in SUIT_WORDS or suit in "grba":
        return SetWord((PlacedText(text, 0, 0, width, sizes.size, "set", suit),), width, gap)
    room = MONO * sizes.small
    letter = PlacedText(suit, 0, 0, room, sizes.small, "suit", suit)
    room += JOINED * sizes.size
    return SetWord((letter, PlacedText(text, room, 0, width, sizes.size, "set", suit)), room + width, gap)


def word_of(text: str, role: str, size: float, gap: float) -> SetWord:
    """A text by itself, in a monospaced face."""
    width = MONO * size * len(text)
    return SetWord((PlacedText(text, 0, 0, width, size, role),), width, gap)


def flowed(words: Iterable[SetWord], room: float, sizes: PaperSizes) -> Iterator[list[PlacedText]]:
    """Words in rows no wider than the room; further rows are indented."""
    row: list[PlacedText] = []
    x = 0.0
    for word in words:
        gap = word.gap if row else 0
        if row and x + gap + word.width > room:
            yield row
            row, x, gap = [], sizes.size, 0
        row += [moved(text, x + gap + text.x, text.y) for text in word.texts]
        x += gap + word.width
    if row:
        yield row


def moved(text: PlacedText, x: float, y: float) -> PlacedText:
    """The text, moved. Not with `replace`, which is ten times slower and would dominate."""
    return PlacedText(text.text, x, y, text.width, text.size, text.role, text.ink)


def value_texts(line: CardLineText, width: float, y: float, sizes: PaperSizes) -> Iterator[PlacedText]:
    """X or C, and what the hand is worth, at the right edge."""
    value = str(line.value)
    digits, letter = MONO * sizes.size * len(value), MONO * sizes.size
    yield PlacedText("X" if line.exposed else "C", width - sizes.value, y, letter, sizes.size, "way")
    yield PlacedText(value, width - digits, y, digits, sizes.size, "value")


def small_print(
    words: str, ends: float, y: float, room: float, width: float, sizes: PaperSizes
) -> Iterator[PlacedText]:
    """Words next to the sets, which end at `ends`, or in rows under them."""
    if not words:
        return
    text, size = f"({words})", sizes.small
    beside = measure(text, size)
    gap = 0.8 * sizes.size
    if ends + gap + beside <= room:
        yield PlacedText(text, ends + gap, y, beside, size, "words")
        return
    first = y + UNDER * sizes.size + ASCENT * size
    for number, part in enumerate(wrap(text, width - sizes.size, size, NOTE_ROWS)):
        yield PlacedText(part, sizes.size, first + number * SMALL_PITCH * size, measure(part, size), size, "words")


def marks(texts: Sequence[PlacedText]) -> Iterator[Stroke]:
    """The strokes under sets that mark their suits without colour."""
    for text in texts:
        if text.role == "set" and text.ink in MARKED:
            kind = MARKED[text.ink]
            yield Stroke(text.x, text.y + MARK * text.size, text.width, text.size, kind, text.ink)


def broken_block(row: PrintRow, width: float, sizes: PaperSizes) -> PrintBlock:
    """An unreadable line: its text as typed, in a frame, and the error."""
    inside = width - sizes.size
    x, size = sizes.size / 2, sizes.small
    text = cut(f"? {printable(row.text)}", inside, sizes.size)
    y = (ASCENT + 0.35) * sizes.size
    texts = [PlacedText(text, x, y, measure(text, sizes.size), sizes.size, "typed")]
    first = y + DESCENT * sizes.size + ASCENT * size
    for number, part in enumerate(wrap(row.words, inside, size, NOTE_ROWS)):
        texts.append(PlacedText(part, x, first + number * SMALL_PITCH * size, measure(part, size), size, "fault"))
    height = texts[-1].y + (DESCENT + 0.15) * sizes.size
    return PrintBlock(row.id, "line broken", width, height, tuple(texts), framed=True)


# --- titles, head and foot


def title_block(id: str, group: CardGroup, width: float, sizes: PaperSizes, again: bool = False) -> PrintBlock:
    """A group's title in the middle, a rule on either side, its note under it; `again`: at the top of a column that
    continues the group."""
    title = printable(group.title) + (" (continued)" if again else "")
    size = sizes.title
    rows = wrap(title, width, size, TITLE_ROWS, bold=True)
    texts = [centred(row, width, (ASCENT + 0.1 + PITCH * at) * size, size, "title") for at, row in enumerate(rows)]
    strokes = [stroke for text in texts for stroke in beside_title(text, width)] if len(texts) == 1 else []
    if not again:
        texts += note_texts(f"({printable(group.note)})" if printable(group.note) else "", width, texts, sizes)
    height = max((text.y + DESCENT * text.size for text in texts), default=size) + 0.12 * size
    return PrintBlock(id, "title", width, height, tuple(texts), tuple(strokes))


def centred(text: str, width: float, y: float, size: float, role: str) -> PlacedText:
    """A text in the middle of a width."""
    own = measure(text, size, role in ("title", "name"))
    return PlacedText(text, (width - own) / 2, y, own, size, role)


def beside_title(title: PlacedText, width: float) -> Iterator[Stroke]:
    """A rule from either edge to the title, if there is room."""
    room = title.x - 0.6 * title.size
    if room > title.size:
        yield Stroke(0, title.y - 0.33 * title.size, room, title.size, "rule")
        yield Stroke(width - room, title.y - 0.33 * title.size, room, title.size, "rule")


def note_texts(note: str, width: float, above: Sequence[PlacedText], sizes: PaperSizes) -> Iterator[PlacedText]:
    """A note in the middle, under other texts."""
    size = sizes.small
    y = max((text.y + DESCENT * text.size for text in above), default=0) + (ASCENT + 0.2) * size
    for at, row in enumerate(wrap(note, width, size, NOTE_ROWS)):
        yield centred(row, width, y + at * SMALL_PITCH * size, size, "words")


def head_block(card: Card, width: float, sizes: PaperSizes) -> PrintBlock:
    """The card's name, its names in other languages, and its description."""
    name, *others = names_of(card)
    size = 2 * sizes.size
    rows = wrap(name, width, size, NAME_ROWS, bold=True)
    texts = [centred(row, width, (ASCENT + at * SMALL_PITCH) * size, size, "name") for at, row in enumerate(rows)]
    for note in (" · ".join(others), printable(card.about)):
        texts += note_texts(note, width, texts, sizes)
    height = max((text.y + DESCENT * text.size for text in texts), default=size)
    return PrintBlock("head", "head", width, height, tuple(texts))


def names_of(card: Card) -> list[str]:
    """The names of a card, the English one first; its id if it has none."""
    names = [card.name[key] for key in sorted(card.name, key=lambda key: (key != "en", key))]
    return list(dict.fromkeys(shown for name in names if (shown := printable(name)))) or [printable(card.id) or "?"]


def foot_block(lines: Sequence[CardLineText], source: str, number: str, width: float, sizes: PaperSizes) -> PrintBlock:
    """What the marks and letters of these lines mean, where the card is from, and the number of the page."""
    size = sizes.small
    words = [key_word(*key, size) for key in keys_of(lines)]
    rows = [in_the_middle(row, width) for row in flowed(words, width, replace(sizes, size=0))]
    texts = [moved(text, text.x, (1 + number * PITCH) * size) for number, row in enumerate(rows) for text in row]
    strokes = [Stroke(0, 0.3, width, size, "rule"), *marks(texts)]
    for note in (f"Source: {printable(source)}" if printable(source) else "", number):
        texts += note_texts(note, width, texts, sizes)
    height = max((text.y + UNDER * text.size for text in texts), default=1)
    return PrintBlock("foot", "foot", width, height, tuple(texts), tuple(strokes))


def in_the_middle(row: Sequence[PlacedText], width: float) -> list[PlacedText]:
    """A row moved to the middle of a width."""
    right = max(text.x + text.width for text in row)
    return [moved(text, text.x + (width - right) / 2, text.y) for text in row]


def keys_of(lines: Sequence[CardLineText]) -> Iterator[tuple[str, str, str]]:
    """Sample, ink and meaning of all that needs a legend: suits, letters, and concealed or exposed."""
    sets = [one for line in lines for pattern in line.patterns for one in pattern.sets]
    suits, letters = {suit_of(one) for one in sets}, {one.letter for one in sets}
    for suit, words in SUIT_WORDS.items():
        if suit in suits:
            yield ("11" if suit in "grba" else suit), suit, words
    for sample, words in LETTER_WORDS.items():
        if letters & set(sample):
            yield sample, "", words
    for exposed, words in CONCEALED.items():
        if any(line.exposed is exposed for line in lines):
            yield "X" if exposed else "C", "", words


def key_word(sample: str, ink: str, words: str, size: float) -> SetWord:
    """A sample and what it means."""
    width, gap = MONO * size * len(sample), 0.45 * size
    texts = (
        PlacedText(sample, 0, 0, width, size, "suit" if ink and not sample.isdigit() else "set", ink),
        PlacedText(words, width + gap, 0, measure(words, size), size, "key"),
    )
    return SetWord(texts, width + gap + texts[1].width, 1.5 * size)
