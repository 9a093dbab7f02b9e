"""Cards in a real browser: its own fonts, measured; nothing overlaps, nothing leaves the page, colours are there."""

import re
from pathlib import Path
from typing import Any

import pytest
from test_card_sheet import CARDS, HOSTILE, LINES, bundled, card_of_lines

from tilewright.cards.model import Card, CardEntry, CardGroup
from tilewright.paper.html import INKS, show_html, show_svg
from tilewright.paper.sheet import PAPERS

# Letters reach from about a fifth below the top of their box to a fifth above its foot; a hair is half a pixel.
MEASURE = """() => {
const hair = 0.5;
const parts = box => ({left: box.left, right: box.right, top: box.top + box.height * 0.22,
                       bottom: box.bottom - box.height * 0.22});
const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > hair &&
                          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > hair;
return [...document.querySelectorAll("svg.card-sheet")].map(svg => {
  const page = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")];
  const boxes = texts.map(text => parts(text.getBoundingClientRect()));
  const name = at => texts[at].closest("[id]").id + ": " + texts[at].textContent.slice(0, 40);
  const overlaps = [], outside = [], colours = {};
  boxes.forEach((one, at) => {
    if (one.left < page.left || one.right > page.right || one.top < page.top || one.bottom > page.bottom)
      outside.push(name(at));
    for (let other = at + 1; other < boxes.length; other++)
      if (overlap(one, boxes[other])) overlaps.push(name(at) + " / " + name(other));
    for (const suit of texts[at].classList)
      if (suit.startsWith("suit-")) colours[suit] = getComputedStyle(texts[at]).fill;
  });
  return {overlaps, outside, colours, texts: texts.length, marks: svg.querySelectorAll("line.mark").length,
          width: page.width, height: page.height};
});
}"""


def measured(chromium: Any, pictures: list[str]) -> list[dict[str, Any]]:
    """What the browser finds in each picture."""
    body = "".join(picture.partition("?>")[2] for picture in pictures)
    page = chromium.new_page()
    page.set_content(f'<!DOCTYPE html><meta charset="utf-8">{body}')
    report: list[dict[str, Any]] = page.evaluate(MEASURE)
    return report


def colour(ink: str) -> str:
    """A colour as browsers write it."""
    red, green, blue = (int(INKS[ink][at : at + 2], 16) for at in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def strange_card() -> Card:
    """Names and notes that a page has to withstand."""
    kept = [text for text in HOSTILE if text.isprintable() and text.strip()]
    entries = tuple(CardEntry(line, kept[at % len(kept)]) for at, line in enumerate(LINES))
    groups = tuple(CardGroup(text, entries[:3], text) for text in kept)
    return Card(
        "strange", {"en": "<Strange> & long " * 20, "zh": "麻雀の役表", "ar": "بطاقة المنزل"}, groups, "x" * 900
    )


@pytest.mark.slow
def test_pictures_in_a_browser(chromium: Any) -> None:
    cards = [*map(bundled, CARDS), card_of_lines(10, 6), strange_card()]
    named = [(f"{card.id} on {paper}", show_svg(card, paper)) for card in cards for paper in PAPERS]
    reports = measured(chromium, [picture for _, picture in named])
    assert len(reports) == len(named)
    for (name, picture), report in zip(named, reports, strict=True):
        assert report["texts"] == picture.count("<text ") > 0, name
        assert not report["outside"], name
        assert not report["overlaps"], name
        inks = {ink for ink in INKS if f"suit-{ink}" in picture.partition("</style>")[2]}
        assert inks >= set("grb"), name
        assert {suit: fill for suit, fill in report["colours"].items() if suit[-1] in INKS} == {
            f"suit-{ink}": colour(ink) for ink in inks
        }, name
        assert report["marks"] > 0, name


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_printed_pages(chromium: Any, tmp_path: Path, paper: str) -> None:
    """A card that fits one page prints as one page, of the size of the paper."""
    file = tmp_path / "card.html"
    file.write_text(show_html(bundled(CARDS[0]), paper), encoding="utf-8")
    page = chromium.new_page()
    page.goto(file.as_uri())
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(prefer_css_page_size=True))
    sheet = PAPERS[paper]
    assert [(round(float(width)), round(float(height))) for width, height in boxes] == [
        (pytest.approx(sheet.width, abs=1), pytest.approx(sheet.height, abs=1))
    ]
