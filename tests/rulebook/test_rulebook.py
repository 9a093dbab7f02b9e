"""Rulebooks: made of data alone, whole for every ruleset, in two languages, safe as HTML, and read as documents."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from html.parser import HTMLParser
from itertools import chain, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import run
from games import VARIED, mostly_soaked

from tilewright.authoring.open_rules import bundled
from tilewright.play.rules import load
from tilewright.presentation.catalogue import LANGUAGES
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.expressions import Sentences
from tilewright.rulebook.pages import markdown, page
from tilewright.rulebook.writing import FIELDS, BookBlock, Rulebook

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("rulebook")]  # of which each is made once

RULESETS = bundled("ruleset")
PYTHON = re.compile(r"Fraction\(|frozenset|<tilewright|Const\(|None\b|\{[a-z_]+\}|Word\(")


@cache
def book(id: str, language: str = "en", *mods: str) -> Rulebook:
    return rulebook_of(id, {}, mods, language)


def every(blocks: tuple[BookBlock, ...]) -> Iterator[BookBlock]:
    for block in blocks:
        yield block
        yield from every(block.blocks)


def ill_formed(block: BookBlock) -> Iterator[str]:
    """What a block has or lacks against its kind; and whether it is empty."""
    always, perhaps = FIELDS[block.block]
    has = {one.name for one in fields(block) if getattr(block, one.name) not in ("", (), None)} - {"block"}
    yield from (f"{block} has {name}" for name in has - {*always, *perhaps})
    yield from (f"{block} lacks {name}" for name in {*always} - {*block.to_json()})
    if block.is_empty:
        yield f"{block} is empty"


def said(block: BookBlock) -> Iterator[str]:
    """Every text of a block itself."""
    yield from (block.text, block.label, block.worth, *block.items, *block.head)
    yield from (cell for row in block.rows for cell in row)


def test_a_mod_without_notes_adds_no_empty_block(tmp_path: Path) -> None:
    run("new", "mod", "ours", "--for", "cantonese", "--to", str(tmp_path))
    found = book("cantonese", "en", str(tmp_path / "ours.yaml"))
    assert [fault for section in found.sections for block in every(section.blocks) for fault in ill_formed(block)] == []


def test_an_empty_block_is_well_formed() -> None:
    for kind, (always, _) in FIELDS.items():
        plain = json.loads(json.dumps(BookBlock(kind).to_json()))
        assert plain == {"block": kind} | {name: "" if name == "text" else [] for name in always}


@pytest.mark.parametrize(
    ("id", "language"),
    mostly_soaked(product(RULESETS, LANGUAGES), {*product(RULESETS, ["en"]), *product(VARIED, LANGUAGES)}),
)
def test_every_ruleset_has_a_whole_rulebook(id: str, language: str) -> None:
    data, found = load(id).data, book(id, language)
    sections = {section.id: section for section in found.sections}
    assert {"what", "tiles", "deal", "turn", "claims", "ends", "hands", "patterns", "scoring", "payments", "match"} <= {
        *sections
    }
    blocks = [block for section in found.sections for block in every(section.blocks)]
    assert [*chain(*map(ill_formed, blocks))] == []
    ids = [block.id for block in blocks if block.id]
    assert len(ids) == len(set(ids))
    assert {f"pattern-{one.id}" for one in data.patterns} <= {*ids}
    assert {f"form-{form.id}" for form in data.forms} <= {*ids}
    codes = {tile.code for tile in data.tiles.tiles}
    drawn = {code for block in blocks for group in (*block.groups, *block.melds, block.bonus) for code in group}
    assert drawn <= codes and {tile.code for tile in data.tiles.tiles if tile.copies} <= drawn
    examples = [block for block in blocks if block.block == "example" and block.yes is not None]
    assert len(examples) >= len(data.patterns) and {block.yes for block in examples} == {True, False}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", RULESETS)
def test_nothing_is_told_in_the_words_of_the_program(id: str, language: str) -> None:
    for section in book(id, language).sections:
        for block in every(section.blocks):
            for text in said(block):
                assert not PYTHON.search(text), text
                assert "  " not in text and text == text.strip(), text


def texts_of(id: str, **settings: Any) -> tuple[set[str], str]:
    """The ids of the blocks of a rulebook, and all its texts."""
    blocks = [block for section in rulebook_of(id, settings).sections for block in every(section.blocks)]
    return {block.id for block in blocks}, "\n".join(text for block in blocks for text in said(block))


def test_nothing_is_told_of_what_cannot_happen() -> None:
    """A ruleset has phases, offers, restrictions, terms and classes from its bases that it makes no use of."""
    ids, text = texts_of("american")
    assert {"phase-claims", "offer-pung", "offer-accuse"} <= ids and not {"phase-robbing", "phase-discarding"} & ids
    assert "discarded joker cannot be claimed" in text and "replacement tile is left" not in text
    assert "Could exchange" in text and "he wall is empty" not in text
    assert "Natural tiles" in text and "Terminals" not in text
    assert "phase-false_call" not in texts_of("zung_jung_plus")[0]
    assert "phase-false_call" in texts_of("zung_jung_plus", illegal_calls=True)[0]


@pytest.mark.parametrize("id", RULESETS)
def test_a_form_has_a_hand_that_is_of_that_form(id: str) -> None:
    hands = next(section for section in book(id).sections if section.id == "hands")
    forms = [block for block in hands.blocks if block.id.startswith("form-")]
    with_picture = [form for form in forms if any(block.block == "example" for block in form.blocks)]
    assert with_picture == forms


# --- sentences

SENTENCES = [
    (
        "cantonese",
        "own_flower",
        "some tile of the bonus tiles is among the seat's own flowers and seasons and among the flowers",
    ),
    (
        "cantonese",
        "chow_hand",
        "the hand has 4 sequences, and the hand does not have a pair of dragons, seat wind or round wind",
    ),
    ("cantonese", "no_bonus_tiles", "nothing is in the bonus tiles"),
    ("chinese_classical", "won_on_pair", "the hand has a pair completed by the last tile"),
    (
        "zung_jung_plus",
        "three_similar_sequences",
        "the hand has the same sequence in 3 suits",
    ),
    ("zung_jung_plus", "nine_gates", "the form is Nine gates, and the hand waits for 9 different tiles"),
    ("zung_jung_plus", "all_types", "the tiles are of 3 suits, and there are both winds and dragons"),
    (
        "american",
        "no_jokers",
        "there is no joker in the hand, and the group of lines on the card is not “Singles & Pairs”",
    ),
    ("uzje", "full_flush", "the tiles, written in order, fit [0-9xa-f]+[tsm]"),
    ("uzje", "all_winds", "written in order with groups as long as those they stand for, contain NNNEEESSSWWW"),
    ("uzje", "little_arrows", "the tiles, written group by group with"),
    ("uzje", "all_trips", "the tiles, written in order without suits with groups"),
    ("uzje", "set_of_flowers", "the bonus tiles, written in order, contain hijk|opqr"),
]


@pytest.mark.parametrize(("id", "pattern", "words"), SENTENCES)
def test_conditions_are_sentences(id: str, pattern: str, words: str) -> None:
    data = load(id).data
    when = next(one.when for one in data.patterns if one.id == pattern)
    assert when is not None and words in Sentences(data).truth(when)


@pytest.mark.parametrize(("language", "name"), [("en", "“combined chows”"), ("zh", "「順子組合」")])
def test_families_are_called_by_their_names(language: str, name: str) -> None:
    told = [text for section in book("mcr", language).sections for one in every(section.blocks) for text in said(one)]
    assert any(name in text for text in told) and not any("joined_chows" in text for text in told)


def test_what_does_not_hold_is_said_the_other_way_round() -> None:
    data = load("zung_jung_plus").data
    say, when = Sentences(data), {one.id: one.when for one in data.patterns}
    final = when["final_discard"]
    assert final is not None and "comes from another player" in say.truth(final)
    assert say.truth(final, holds=False) == "not: the wall is empty, or the winning tile is self-drawn"
    blessing = when["blessing_of_earth"]
    assert blessing is not None and "the winner is not the dealer" in say.truth(blessing)


def test_formulas_keep_their_brackets() -> None:
    data = load("uzje").data
    value = next(measure.value for measure in data.scoring.measures if measure.value is not None)
    assert Sentences(data).number(value) == "(fan − 2.5, rounded up to a multiple of 1) + 2"
    classical = load("chinese_classical").data
    assert Sentences(classical, "zh").number(classical.scoring.measures[-1].value) == "副 × 2 ^ 番"  # type: ignore[arg-type]


# --- options, mods, cards


def texts(found: Rulebook, section: str) -> str:
    blocks = [block for one in found.sections if one.id == section for block in every(one.blocks)]
    return "\n".join(text for block in blocks for text in said(block))


def test_options_and_mods_change_what_is_told() -> None:
    plain, modded = book("american"), book("american", "en", "zombie_blanks", "pie:pie_size=900")
    assert "blank" not in texts(plain, "tiles").lower() and "Blank: 4 of each" in texts(modded, "tiles")
    assert "Zombie blanks" in texts(modded, "what") and "starts with 900" in texts(modded, "match")
    assert "Exchange a blank" in texts(modded, "turn")
    few = rulebook_of("cantonese", {"least_faan": "3", "flowers": False})
    assert "at least 3 faan" in texts(few, "hands") and "Flowers" not in texts(few, "tiles")


def test_the_card_is_told_line_by_line() -> None:
    rows = [row for one in book("american").sections if one.id == "card" for b in one.blocks for row in b.rows]
    assert ("FF 222 444 666 888 X25", "25", "may be exposed", "Any 1 suit") in rows
    other = rulebook_of("american", {"card": "moon_gate"})
    assert "Moon Gate" in texts(other, "card")


# --- documents

HOSTILE = """\
tilewright: 1
kind: ruleset
id: hostile
name: {en: "<script>alert(1)</script> & \\u202e | *x*"}
about: "</style><img src=x onerror=alert(1)>"
extends: cantonese
tiles:
  unranked: {odd: {codes: ["<b>", '"&'], copies: 1}}
  names: {odd: "<i>odd</i>"}
  faces: {odd: "<u>"}
patterns:
  one_suit: {name: "<svg onload=alert(1)>", about: "[link](javascript:alert(1)) <b>"}
"""


class Tags(HTMLParser):
    """Collects the tags of a page and whether they are closed in order."""

    VOID = ("meta", "input", "path", "circle", "rect", "use", "polygon", "ellipse")

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_text_of_strangers_is_never_markup(tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(HOSTILE, encoding="utf-8")
    found = rulebook_of(str(path))
    tags = Tags()
    tags.feed(page(found))
    assert not tags.open and not tags.tags & {"script", "img", "b", "i", "u", "iframe"}
    assert not {name for name in tags.names if name.startswith("on")}
    assert "\u202e" not in page(found) and "&lt;script&gt;" in page(found)
    plain = re.sub(r"\\.", "", markdown(found))  # without what is escaped
    assert not {"<", "[", "*", "`"} & {*re.sub("`[^`]*`", "", plain)}
    assert json.loads(json.dumps(found.to_json()))["title"].startswith("<script>")  # data stays as it is


@pytest.mark.parametrize("id", ["american", "uzje"])
def test_a_page_stands_alone(id: str) -> None:
    text = page(book(id))
    tags = Tags()
    tags.feed(text)
    assert not tags.open and not tags.tags & {"link", "img", "script"}
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "") and "url(" not in text
    sprite = re.search(r"<svg xmlns.*?</svg>\n?(?=<main>)", text, re.DOTALL)
    assert sprite is not None
    ids = {one.attrib["id"] for one in ElementTree.fromstring(sprite[0]).iter() if "id" in one.attrib}
    assert {*re.findall(r'href="#(t-[^"]+)"', text)} <= ids
    assert {*re.findall(r'<a href="#([^"]+)"', text)} <= {*re.findall(r'<section id="([^"]+)"', text)}


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "rules.html"
    assert run("rulebook", "cantonese", "--lang", "zh", "-o", str(file)).returncode == 0
    assert file.read_text(encoding="utf-8").startswith('<!doctype html><html lang="zh">')
    told = run("rulebook", "cantonese", "--set", "least_faan=2", "--format", "json")
    assert told.returncode == 0 and json.loads(told.stdout)["id"] == "cantonese"
    assert run("rulebook", "cantonese", "--format", "md").stdout.startswith("# Cantonese\n")
    for arguments in (["rulebook", "cantonee"], ["rulebook", "cantonese", "-o", str(tmp_path / "rules.doc")]):
        done = run(*arguments)
        assert done.returncode == 2 and "Traceback" not in done.stderr and done.stderr


# --- chapters

CHAPTERS = ["what", "tiles", "deal", "turn", "claims", "ends", "hands", "scoring", "patterns", "payments", "match"]


@pytest.mark.parametrize("id", RULESETS)
def test_a_booklet_goes_from_the_aim_to_the_match(id: str) -> None:
    """Chapters come in the order in which one explains a game, and every phase and offer stands in one of play."""
    order = [one.id for one in book(id).sections]
    assert [one for one in order if one in CHAPTERS] == CHAPTERS
    places = {block.id: one.id for one in book(id).sections for block in one.blocks if block.id}
    assert places["phase-deal"] == "deal" and places["phase-claims"] == "claims" and places["offer-win"] == "turn"
    assert {places[one] for one in places if one.startswith(("phase-", "offer-"))} <= {"deal", "turn", "claims", "ends"}


@pytest.mark.parametrize("id", RULESETS)
def test_the_worked_hand_is_what_the_engine_says(id: str) -> None:
    """Its bill adds up to a total that the rules give some example, and what is gained is paid by others."""
    blocks = {one.id: one.blocks for one in book(id).sections}
    at = next(place for place, one in enumerate(blocks["scoring"]) if one.id == "worked")
    picture, bill = blocks["scoring"][at + 1 : at + 3]
    assert picture.block == "example" and picture.yes is None and len(bill.rows) > 1
    names = {pattern.name["en"] for pattern in load(id).data.patterns}
    assert re.sub(r" × .*", "", bill.rows[0][0]) in names and bill.rows[-1][0] == "Total"
    paid = blocks["payments"][-1]
    assert paid.block == "table" and len(paid.rows) >= 4
    for _, _, *gains in paid.rows:
        assert sum(float(gain.replace("−", "-")) for gain in gains) == 0


@pytest.mark.parametrize("id", ["cantonese", "mcr", "riichi"])
def test_patterns_stand_below_their_worth(id: str) -> None:
    found, worths = next(one for one in book(id).sections if one.id == "patterns"), []
    for block in found.blocks:
        if block.block == "heading":
            worths.append(block.text)
        elif block.block == "entry" and worths[-1][0].isdigit():
            assert block.worth.startswith(worths[-1])
    amounts = [int(worth.split()[0]) for worth in worths if worth.split()[-1] in ("faan", "han", "points")]
    assert len(amounts) > 2 and amounts == sorted(amounts)


def test_the_order_of_claims_is_a_sentence() -> None:
    assert "the order is Win, then Kong or Pung, then Chow." in texts(book("cantonese"), "claims")
    assert "priority" not in texts(book("cantonese"), "claims")
    assert "Each player takes 13 tiles from the wall." in texts(book("cantonese"), "deal")
