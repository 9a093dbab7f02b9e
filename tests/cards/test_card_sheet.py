"""Cards on paper and on the screen: nothing overlaps, nothing leaves the page, everything of the card is there."""

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from itertools import combinations, islice
from pathlib import Path
from xml.etree import ElementTree

import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tilewright.base.problem import Source
from tilewright.cards.codes import CODES
from tilewright.cards.document import read_card
from tilewright.cards.line import parse_line
from tilewright.cards.model import Card, CardEntry, CardGroup
from tilewright.paper.html import show_html, show_svg
from tilewright.paper.layout import DESCENT, LEAST, MARK, UNDER, PlacedText, PrintBlock
from tilewright.paper.sheet import MARGIN, PAPERS, Page, pages, sections_of
from tilewright.paper.small_print import WORDS, spoken, words_of
from tilewright.paper.text import show_text

CARDS = sorted((Path(__file__).resolve().parents[2] / "cards").glob("*.yaml"))
HAIR = 0.05  # points: what rounding may do
SVG = "{http://www.w3.org/2000/svg}"
ROMAN = ("set", "sign", "suit", "way", "value")  # capitals and digits: nothing hangs below the line

# Lines of no card, to fill cards with.
LINES = (
    "FF 1111 r2222 b3333 Va X25",
    "11 222 3333 r444 b55 Va X25",
    "222 44 r666 44 b8888 P246 X25",
    "NNNN EE WW SSSS 11 ~ C30",
    "1 22 33 r44 55 66 b7 88 T C50",
    "111 33 555 r777 999 | 11 333 r55 777 b9999 K13579 X1000",
    "FFFF 12 x r12 = b144 DDD X40",
    "FF 1111 r1111 a1111 *3 L X25",
    "1 2 3 4 5 6 7 8 9 D r1 2 3 4 o r1 2 3 4 5 6 7 8 9 D b1 2 3 4 C75",
    "m11 G c66 R d99 0 FFFFF X60",
    "FF 222 444 666 88 X25",  # 13 tiles
    "what is <this> & that",
)
HOSTILE = (
    "x" * 3000,
    "word " * 500,
    "麻雀の役表" * 100,
    "بطاقة المنزل " * 40,
    "Z" + "\u0301" * 400,
    "</text></svg><script>alert(1)</script>&amp;",
    "\u202eback\x1b[31m\x00\ud800\ufffe",
    "\u200b" * 50,
    "",
    " ",
)
WORDS_OF = {
    "FF 222 444 666 888 X25": "Any 1 suit",
    "22 444 r44 666 8888 X25": "Any 2 suits",
    "FF 1111 r1111 b1111 L X25": "Any like numbers, any 3 suits",
    "FF 1111 NEWS DDDD Lo X25": "Any odd number, any 1 suit",
    "FFFF 22 r22 b22 2222 Le X25": "Any like even numbers, any 3 suits",
    "FF 1111 r1111 b1111 !135 L X25": "Like numbers 1, 3 or 5, any 3 suits",
    "111 222 333 44 DDD Va X25": "Any run, any 1 suit",
    "333 444 555 66 DDD Va X25": "Any run from 3 up, any 1 suit",
    "111 333 555 77 DDD Vo X25": "Any odd run, any 1 suit",
    "22 444 666 888 DDD Ve X25": "Any even run, any 1 suit",
    "11 222 333 444 DDD Vo X25": "Any run from an odd number, any 1 suit",
    "111 222 333 44 DDD !12345 Va X25": "Any run of 1, 2, 3, 4 and 5, any 1 suit",
    "FF 111 DDD rDDD bDDD Va X25": "Any number, any 3 suits",
    "FFF DDDD rDDD bDDDD X25": "Any 3 dragons",
    "FF NNN EEE WWW SSS C30": "",
    "FFF N 1111 N 2222 N INEWS X25": "Singles N, E, W or S, any 1 suit",
    "FF 222 r222 b222 DDD P25 X25": "Sets of three 2 or 5, any 3 suits",
    "FF 2222 44 666 888 K246 X25": "Set of four 2, 4 or 6, any 1 suit",
    "NN NNNN 222 DDD 44 ZNEWS X25": "N may be E, W or S, any 1 suit",
    "FF 1111 8888 DDDD UK18 X25": "Sets of four any 2 unlike numbers, any 1 suit",
    "FF 1111 8888 DDDD !1358 UK18 X25": "Sets of four any 2 unlike numbers of 1, 3, 5 and 8, any 1 suit",
    "FF 222 444 a666 r888 *3 X25": "Fourth set in any suit, others in any 2 suits",
    "FF 1111 r1111 aDDDD *3 L X25": "Last set in any suit, any like numbers, others in any 2 suits",
    "FFFF 111 222 33 a44 *34 X25": "Pairs in any one suit, others in any 1 suit",
    "FFF 1111 2222 333 >3369 X25": "Last set 3, 6 or 9, any 1 suit",
    "FF DD 11 r11 b11 NEWS Yo X25": "Later pairs any like odd number, any 3 suits",
    "FF DD 11 r11 b11 NEWS Y258 X25": "Later pairs 2, 5 or 8, any 3 suits",
    "11 2 3 4 5 FFFF NNNN H01234 Va X25": "Pair may be 1, 2, 3, 4 or 5, any run, any 1 suit",
    "FF 3333 6666 9999 # X25": "Numbers in any order, any 1 suit",
    "FFFF NNNN SSSS DD ~ X25": "Opposite winds too, any dragon",
    "22 44 66 88 r222 888 T X25": "These numbers only, any 2 suits",
    "FF 222 444 666 888 o FF 222 r444 b666 888 X25": "Any 1 or 3 suits",
    "1 22 333 4444 FFFF H10 X25": "Pair may be 1 or 2, any 1 suit",
    "FF 2222 NEWS 4444 *6 X25": "Last set in any suit, others in any 1 suit",
    "FF 2222 NEWS a4444 *16 X25": "Sets of four in any one suit",
    "FF m111 c2222 d333 NN X25": "",
}


def card_of_lines(groups: int, lines: int, name: str = "Invented", note: str = "") -> Card:
    """A card of this size, filled with lines of no card."""
    made = [
        CardGroup(
            f"Group {g}", tuple(CardEntry(LINES[(g * 5 + line) % len(LINES)], note) for line in range(lines)), note
        )
        for g in range(groups)
    ]
    return Card("invented", {"en": name}, tuple(made), about=note, source=note)


def bundled(path: Path) -> Card:
    return read_card(Source(path.name, path.read_text(encoding="utf-8")))[0]


# --- geometry

Area = tuple[float, float, float, float]  # left, top, right, bottom


def text_area(text: PlacedText) -> Area:
    """What the letters of a text may cover."""
    below = 0.03 if text.role in ROMAN else DESCENT
    return text.x, text.y - 0.76 * text.size, text.x + text.width, text.y + below * text.size


def areas(block: PrintBlock) -> Iterator[tuple[str, Area]]:
    yield from ((f"{text.role} {text.text[:20]!r}", text_area(text)) for text in block.texts)
    for stroke in block.strokes:
        reach = (UNDER - MARK) * stroke.size if stroke.kind != "rule" else 0.3
        yield f"{stroke.kind} stroke", (stroke.x, stroke.y - 0.3, stroke.x + stroke.width, stroke.y + reach)


def overlap(one: Area, other: Area) -> bool:
    return all(min(one[at + 2], other[at + 2]) - max(one[at], other[at]) > HAIR for at in (0, 1))


def inside(area: Area, width: float, height: float, margin: float = 0.0) -> bool:
    left, top, right, bottom = area
    return min(left, top) >= margin - HAIR and right <= width - margin + HAIR and bottom <= height - margin + HAIR


def assert_tidy(page: Page) -> None:
    """Blocks lie inside the margins and apart, and all that is in them too."""
    for placed in page.placed:
        block = placed.block
        corner = (placed.x, placed.y, placed.x + block.width, placed.y + block.height)
        assert inside(corner, page.paper.width, page.paper.height, MARGIN), f"{block.id} leaves the page"
        found = list(areas(block))
        for name, area in found:
            assert inside(area, block.width, block.height + 0.1), f"{name} leaves {block.id}: {area}"
            assert area[2] > area[0], f"{name} has no width"
        assert not list(overlaps(found)), block.id
        assert all(text.size >= LEAST for text in block.texts)
    corners = [(p.block.id, (p.x, p.y, p.x + p.block.width, p.y + p.block.height)) for p in page.placed]
    assert not list(overlaps(corners))


def overlaps(found: Iterable[tuple[str, Area]]) -> Iterator[tuple[str, str]]:
    """The names of areas that lie over each other. Those that begin below the end of another are not compared."""
    downwards = sorted(found, key=lambda one: one[1][1])
    for at, (name, one) in enumerate(downwards, 1):
        for another, other in islice(downwards, at, None):
            if other[1] >= one[3]:
                break
            if overlap(one, other):
                yield name, another


numbers = st.integers(0, 9).map(float)
boxes = st.builds(lambda x, y, width, height: (x, y, x + width, y + height), *[numbers] * 4)


@given(st.lists(boxes))
def test_overlaps_are_those_of_all_pairs(found: list[Area]) -> None:
    named = [(str(number), box) for number, box in enumerate(found)]
    pairs = {frozenset((one[0], other[0])) for one, other in combinations(named, 2) if overlap(one[1], other[1])}
    assert set(map(frozenset, overlaps(named))) == pairs


def assert_complete(card: Card, sheets: tuple[Page, ...]) -> None:
    """Every group and line is there once, in order, and no title is the last of its column."""
    placed = [placed for page in sheets for placed in page.placed]
    ids = [one.block.id for one in placed if one.block.kind not in ("head", "foot") and "-title" not in one.block.id]
    sections = list(sections_of(card))
    assert ids == [id for section in sections for id in (section.id, *(row.id for row in section.rows))]
    empty = {section.id for section in sections if not section.rows}
    for one, after in zip(placed, [*placed[1:], None], strict=True):
        if one.block.kind == "title" and one.block.id not in empty:
            assert after is not None and after.block.kind.startswith("line") and after.x == one.x


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_bundled_cards_fit_one_page(path: Path, paper: str) -> None:
    card = bundled(path)
    sheets = pages(card, paper)
    assert len(sheets) == 1
    assert_tidy(sheets[0])
    assert_complete(card, sheets)


@pytest.mark.parametrize("paper", PAPERS)
def test_sixty_lines_in_ten_groups_fit_one_page(paper: str) -> None:
    card = card_of_lines(10, 6, note="A note of some length about what is meant")
    sheets = pages(card, paper)
    assert len(sheets) == 1
    assert_tidy(sheets[0])
    assert_complete(card, sheets)


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "lines"), [(0, 0), (1, 0), (1, 1), (2, 3), (3, 50), (20, 10), (50, 1)])
def test_cards_of_any_size(groups: int, lines: int) -> None:
    card = card_of_lines(groups, lines)
    sheets = pages(card, "letter")
    assert [page.number for page in sheets] == [*range(1, len(sheets) + 1)]
    for page in sheets:
        assert_tidy(page)
    assert_complete(card, sheets)


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_stay_in_the_page(text: str) -> None:
    entries = (*(CardEntry(line, text) for line in LINES[::3]), CardEntry(text))
    card = Card(text, {"en": text, "ar": text, "zh": text}, (CardGroup(text, entries, text),) * 2, text, text)
    for page in pages(card, "a4"):
        assert_tidy(page)
    root = ElementTree.fromstring(show_svg(card, "a4"))
    assert not list(root.iter(f"{SVG}script"))
    assert "\x1b" not in show_text(card, colour=False, width=80)
    show_html(card, "a4").encode("utf-8")


texts = st.text(max_size=60) | st.sampled_from(HOSTILE)
entries = st.builds(CardEntry, st.sampled_from(LINES) | texts, st.just("") | texts)
groups = st.builds(CardGroup, texts, st.lists(entries, max_size=12).map(tuple), st.just("") | texts)
cards = st.builds(
    Card,
    st.just("random"),
    st.dictionaries(st.sampled_from(["en", "zh", "ar"]), texts),
    st.lists(groups, max_size=12).map(tuple),
    texts,
    texts,
)


@pytest.mark.slow
@settings(max_examples=budget(8))
@given(cards, st.sampled_from(sorted(PAPERS)))
def test_random_cards(card: Card, paper: str) -> None:
    sheets = pages(card, paper)
    for page in sheets:
        assert_tidy(page)
    assert_complete(card, sheets)


# --- small print


def test_every_code_has_words() -> None:
    assert {*WORDS, "!"} == set(CODES)


@pytest.mark.parametrize("text", WORDS_OF)
def test_small_print(text: str) -> None:
    line, faults = parse_line(text)
    assert line is not None, faults
    assert words_of(line) == WORDS_OF[text]


def test_every_example_of_a_code_has_small_print() -> None:
    for expander in CODES.values():
        for text, _ in expander.examples:
            line = parse_line(text)[0]
            assert line is not None
            assert words_of(line), text


def test_a_note_takes_the_place_of_the_small_print() -> None:
    card = Card("x", {"en": "x"}, (CardGroup("A", (CardEntry("FF 222 444 666 888 X25", "as you like"),)),))
    drawn = show_svg(card, "a4")
    assert "(as you like)" in drawn
    assert "(Any 1 suit)" not in drawn


def test_a_broken_line_is_shown_with_what_is_wrong() -> None:
    card = Card(
        "x", {"en": "x"}, (CardGroup("A", (CardEntry("FF 222 444 66 X25"), CardEntry("FF 222 444 666 888 X25"))),)
    )
    fault = parse_line("FF 222 444 66 X25")[1][0]
    drawn = ElementTree.fromstring(show_svg(card, "a4"))
    kinds = [group.get("class") for group in drawn.iter(f"{SVG}g")]
    assert kinds.count("line broken") == kinds.count("line") == 1
    assert fault.message in {text.text for text in drawn.iter(f"{SVG}text")}
    assert fault.message in show_text(card, colour=False, width=80)


# --- files


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_svg_has_the_size_of_the_paper(path: Path, paper: str) -> None:
    root = ElementTree.fromstring(show_svg(bundled(path), paper))
    sheet = PAPERS[paper]
    assert (root.get("width"), root.get("height")) == (sheet.across, sheet.down)
    assert root.get("viewBox") == f"0 0 {sheet.width:g} {sheet.height:g}"
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title")
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert all(float(text.get("textLength", "0")) > 0 for text in root.iter(f"{SVG}text"))


@pytest.mark.slow
def test_pages_of_a_picture_stand_one_below_the_other() -> None:
    card = card_of_lines(15, 10)
    count = len(pages(card, "letter"))
    assert count > 1
    root = ElementTree.fromstring(show_svg(card, "letter"))
    assert root.get("height") == f"{11 * count}in"
    assert show_html(card, "letter").count('<div class="sheet">') == count


class Reader(HTMLParser):
    """What a page asks for and the items of its lists."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.items: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag == "li":
            self.items.append("")

    def handle_data(self, data: str) -> None:
        if self.items:
            self.items[-1] += data


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_html_is_one_file_with_the_card_in_words(path: Path) -> None:
    card = bundled(path)
    html = show_html(card, "a4")
    reader = Reader()
    reader.feed(html)
    assert "@page { size: A4;" in html
    assert not reader.addresses and "url(" not in html and "@import" not in html
    assert len(reader.items) == sum(len(group.entries) for group in card.groups)


def test_a_line_in_words() -> None:
    line = parse_line("22 444 r44 666 b8888 X25")[0]
    assert line is not None
    assert spoken(line) == "(first suit) 22 444 (second suit) 44 666 (third suit) 8888"


# --- screen


@pytest.mark.parametrize(("colour", "width"), [(False, 40), (True, 60), (False, 80), (True, 200)])
@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_no_line_is_wider_than_the_screen(path: Path, colour: bool, width: int) -> None:
    text = show_text(bundled(path), colour, width)
    assert ("\x1b[" in text) is colour
    assert max(cell_len(line) for line in re.sub(r"\x1b\[[\d;]*m", "", text).splitlines()) <= width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("22 444 r44 666 g8888 C30", "22 444 r44 r666 g8888  C 30   (Any 2 suits)"),
        ("FF 1111 r1357 NN EE C30", "FF 1111 r1357 NN EE  C 30   (Any 2 suits)"),
        ("FFF m1357 c2222 DDD X25", "FFF m1357 c2222 cDDD  X 25"),
    ],
)
def test_letters_tell_the_suits_without_colour(text: str, shown: str) -> None:
    card = Card("x", {"en": "x"}, (CardGroup("A", (CardEntry(text),)),))
    assert shown in show_text(card, colour=False, width=80)


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_what_the_screen_shows_is_the_line(path: Path) -> None:
    """Without colour the sets of a line can be typed in again."""
    shown = show_text(bundled(path), colour=False, width=100).splitlines()
    lines = [row.line for section in sections_of(bundled(path)) for row in section.rows if row.line]
    single = [line for line in lines if len(line.patterns) == 1]
    read = [found[1] for row in shown if (found := re.match(r"   (\S.*?) +[XC] \d+\b", row))]
    again = [line for text in read if (line := parse_line(text)[0])]
    patterns = [line.patterns for line in again]
    assert all(line.patterns in patterns for line in single)
