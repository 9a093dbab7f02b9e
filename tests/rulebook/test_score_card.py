"""Score cards: every bundled ruleset fits its sheet in every language, with all patterns, and nothing overlaps."""

import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import run
from games import mostly_soaked
from test_card_sheet import assert_tidy, inside, overlaps
from test_rulebook import RULESETS

from tilewright.language.load import load_elaborated
from tilewright.paper.sheet import PAPERS, Page
from tilewright.presentation.catalogue import LANGUAGES
from tilewright.presentation.tile_svg import symbol_id
from tilewright.rulebook.score_card import ScoreCard, ScoreRow, score_card_of
from tilewright.rulebook.score_card_sheet import score_card_page, score_card_pages, score_card_svg

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("test_score_card")]  # each card is made once

SIDES = {"mcr": 2, "riichi": 2, "sanma": 2}  # of one sheet, at most; of the others one
SHORT = {"zung_jung_plus": 2}  # the same on letter paper, which is lower
# Every ruleset in English on one paper, on the other those that fill it; two that differ most in each language.
OFTEN = {"american": "a4", "riichi": "a4", "mcr": "letter", "zung_jung_plus": "letter"}
SHEETS = mostly_soaked(
    ((id, language, paper) for id in RULESETS for language in LANGUAGES for paper in PAPERS),
    {(id, "en", "a4") for id in RULESETS}
    | {(id, language, OFTEN[id]) for id in OFTEN for language in (LANGUAGES if OFTEN[id] == "a4" else ["en"])},
)


@cache
def card_of(id: str, language: str = "en") -> ScoreCard:
    return score_card_of(id, language=language)


def rows_in(card: ScoreCard) -> dict[str, ScoreRow]:
    return {row.id: row for group in card.groups for row in group.rows}


def shown(sheets: tuple[Page, ...]) -> dict[str, list[str]]:
    """The texts of each block, by its id."""
    return {placed.block.id: [text.text for text in placed.block.texts] for page in sheets for placed in page.placed}


@pytest.mark.parametrize(("id", "language", "paper"), SHEETS)
def test_all_patterns_are_on_its_sides(id: str, language: str, paper: str) -> None:
    card = card_of(id, language)
    sheets = score_card_pages(card, paper)
    assert len(sheets) <= (SIDES | (SHORT if paper == "letter" else {})).get(id, 1)
    patterns = {one.id for one in load_elaborated(id).data.patterns if one.worth}
    assert rows_in(card).keys() == patterns
    texts = shown(sheets)
    for number, group in enumerate(card.groups):
        for row in group.rows:
            found = " ".join(texts[f"worth{number}-{row.id}"])
            assert found.replace(" ", "").startswith(row.name.replace(" ", "")), "a name is cut"
            assert row.worth.replace(" ", "") in found.replace(" ", "")
    for page in sheets:
        assert_tidy(page)
        for placed in page.placed:
            block = placed.block
            tiles = [
                (f"{one.code} {one.x}", (one.x, one.y, one.x + one.width, one.y + one.width * 4 / 3))
                for one in block.tiles
            ]
            assert all(inside(area, block.width, block.height) for _, area in tiles), block.id
            assert not list(overlaps(tiles)), block.id
            assert all(one.width >= 7 for one in block.tiles), "tiles too small to read"


def test_every_row_has_the_tiles_of_its_first_example() -> None:
    sheets = score_card_pages(card_of("mcr"))
    tiles = {placed.block.id: [one.code for one in placed.block.tiles] for page in sheets for placed in page.placed}
    for number, group in enumerate(card_of("mcr").groups):
        for row in group.rows:
            assert row.tiles and tiles[f"worth{number}-{row.id}"] == [code for codes in row.tiles for code in codes]


@pytest.mark.parametrize(
    ("id", "titles"),
    [
        ("mcr", ["88 points", "64 points", "48 points", "32 points", "24 points"]),
        ("hong_kong", ["1 faan", "2 faan", "3 faan", "5 faan", "7 faan", "8 faan", "10 faan"]),
        ("riichi", ["1 han", "2 han", "3 han", "6 han", "1 yakuman", "2 fu"]),
    ],
)
def test_worth_goes_the_way_of_the_document(id: str, titles: list[str]) -> None:
    assert [group.title for group in card_of(id).groups][: len(titles)] == titles


def test_what_an_exposed_hand_is_worth() -> None:
    rows = rows_in(card_of("riichi"))
    assert rows["honitsu"].worth == "3 han; exposed 2 han"
    assert rows["iipeikou"].worth == "1 han, concealed only"
    assert rows["tanyao"].worth == ""


def test_tables_and_payments() -> None:
    scoring, payments = card_of("hong_kong").notes
    assert scoring.tables[0].head == ("Faan", "Points")
    assert scoring.tables[0].rows[:2] == (("0", "1"), ("1", "2"))
    assert "A hand needs at least 3 faan to win." in scoring.paragraphs
    assert payments.paragraphs[0].startswith("After a win – Every loser pays the points")


@pytest.mark.parametrize("id", RULESETS)
def test_notes_explain_only_what_is_there(id: str) -> None:
    """No letters, as no pattern is told with any; no head of a table that stands elsewhere."""
    said = [text for notes in card_of(id).notes for text in notes.paragraphs]
    assert not any("Letters stand" in text for text in said)
    assert not [text for text in said if text.endswith(":") and "first that holds" not in text]


def test_a_table_of_two_columns_has_all_its_entries_alike() -> None:
    """Beside each other, rather than the longer ones in rows of their own below."""
    blocks = [placed.block for page in score_card_pages(card_of("sanma")) for placed in page.placed]
    assert not [block.id for block in blocks if block.id.startswith("notes0-table1-long")]
    [entries] = [block for block in blocks if block.id == "notes0-table1-from0"]
    assert [text.text for text in entries.texts][1:] == [
        "5 → 8000",
        "6 to 7 → 12000",
        "8 to 10 → 16000",
        "11 to 12 → 24000",
        "13 or more → 32000",
    ]


def test_no_regex_is_on_paper() -> None:
    assert rows_in(card_of("uzje"))["full_flush"].sentences == ("Tiles of one suit alone.",)  # its author's
    assert not any("[0-9" in text for row in rows_in(card_of("uzje")).values() for text in row.sentences)


def test_a_setting_is_on_the_card() -> None:
    card = score_card_of("hong_kong", {"least_faan": 1})
    assert "A hand needs at least 1 faan to win." in card.notes[0].paragraphs


def test_a_card_of_hands_is_on_the_card() -> None:
    card = card_of("american")
    lines = {row.id for section in card.cards for row in section.rows}
    assert lines and lines <= shown(score_card_pages(card)).keys()


@pytest.mark.parametrize("id", ["uzje"])
def test_files_need_nothing_else(id: str) -> None:
    card = card_of(id)
    svg, page = score_card_svg(card), score_card_page(card, "letter")
    root = ElementTree.fromstring(svg)
    sides = len(score_card_pages(card))
    assert root.attrib["height"] == f"{297 * sides}mm"
    for text in (svg, page):
        ids = re.findall(r' id="(t-[^"]+)"', text)
        assert len(ids) == len(set(ids)) and set(re.findall(r'href="#([^"]+)"', text)) <= set(
            re.findall(r' id="([^"]+)"', text)
        )
        assert {symbol_id(code) for row in rows_in(card).values() for codes in row.tiles for code in codes} <= set(ids)
        assert not re.search(r'(?:src|href)="(?!#)', text)
    assert page.count('<div class="sheet">') == len(score_card_pages(card, "letter")) and "@page { size: letter" in page


@pytest.mark.parametrize(("language", "remark"), [("en", "Any 1 suit"), ("zh", "任意 1 門花色"), ("ja", "任意の1色")])
def test_lines_of_cards_are_told_in_the_language(language: str, remark: str) -> None:
    page = score_card_page(card_of("american", language))
    assert remark in page and (language == "en" or "Any 1 suit" not in page)


@pytest.mark.parametrize(("language", "said"), [("zh", "有 4 組風牌的刻子。"), ("ja", "風牌の刻子4組がある。")])
def test_sentences_are_spaced_as_in_the_rulebook(language: str, said: str) -> None:
    rows = {row.id: row for group in card_of("mcr", language).groups for row in group.rows}
    assert rows["big_four_winds"].sentences == (said,)
    assert rows["thirteen_orphans"].sentences == (), "the form of its name says no more"


def test_it_prints_on_its_sides(chromium: Any) -> None:
    page = chromium.new_page()
    page.set_content(score_card_page(card_of("riichi")))
    pdf = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == len(score_card_pages(card_of("riichi")))
    tile = page.locator(".card-sheet use").first.bounding_box()
    assert tile["y"] < 300, "the first side is not empty"


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "card.svg"
    assert run("rulebook", "cantonese", "--card", "--lang", "ja", "-o", str(file)).returncode == 0
    assert file.read_text(encoding="utf-8") == score_card_svg(card_of("cantonese", "ja"))
    done = run("rulebook", "cantonese", "--card", "--paper", "letter", "--format", "html")
    assert done.stdout == score_card_page(card_of("cantonese"), "letter")
    for arguments in (["--card", "--format", "md"], ["-o", str(file)]):
        done = run("rulebook", "cantonese", *arguments)
        assert done.returncode == 2 and "Traceback" not in done.stderr and "score card" in done.stderr


def test_totals_by_two_measures_are_on_the_card() -> None:
    """Under what they say, on the second side; the head of a table stays with its entries."""
    grids = [table for table in card_of("riichi").notes[0].tables if len(table.head) > 2]
    assert [grid.caption.partition(":")[0] for grid in grids][2:] == [
        "The dealer wins on a discard",
        "The dealer wins by self-draw",
    ]
    assert grids[0].head == ("Fu", "1 han", "2 han", "3 han", "4 han")
    assert ("30", "1000", "2000", "3900", "7700") in grids[0].rows
    assert not any(len(table.head) > 2 for table in card_of("mcr").notes[0].tables)
    drawn = shown(score_card_pages(card_of("riichi")))
    assert {"Han → Points", "5 → 8000"} <= {*drawn["notes0-table1-from0"]}
    assert "7700" in drawn["notes0-table0"]
