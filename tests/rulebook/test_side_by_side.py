"""Two rulebooks side by side: nothing is lost, what differs is marked, and the page is whole and for everybody."""

import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from budget import budget
from commands import fails, run
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from test_rulebook import HOSTILE, RULESETS, Tags, book
from test_web_access import AXE, PHONE, WIDE, faults_of

from tilewright.presentation.catalogue import LANGUAGES, say
from tilewright.rulebook.aligned import AlignedRow, AlignedSection, MarkedCodes, MarkedText, aligned, marked
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.writing import BookBlock, Rulebook, Section

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("test_side_by_side")]  # each book is made once

RULESET = (ROOT / "tests" / "drafts" / "compared.yaml").read_text(encoding="utf-8")
CLUB = ROOT / "examples" / "house-rules" / "harbour_club.yaml"
QUICK = ("--hands", "0", "--games", "0")
PAIRS = [
    ("riichi", "sanma"),
    ("cantonese", str(CLUB)),
    ("hong_kong", "zung_jung"),
    ("american", "mcr"),
    ("uzje", "mcr"),
]


def page_of(tmp_path: Path, *arguments: str) -> str:
    """The page that the command writes."""
    path = tmp_path / "changes.html"
    done = run("diff", *arguments, *QUICK, "-o", str(path))
    assert done.returncode in (0, 1), done.stderr
    return path.read_text(encoding="utf-8")


def every_row(rows: Sequence[AlignedRow]) -> Iterator[AlignedRow]:
    for row in rows:
        yield row
        yield from every_row(row.rows)


def changed(sections: Sequence[AlignedSection]) -> list[AlignedRow]:
    return [row for section in sections for row in every_row(section.rows) if row.old != row.new]


# --- words

MARKED = (  # what was and is said, the words in brackets that are marked
    ("Everyone starts with [25000].", "Everyone starts with [35000]."),
    ("The seats are East, South[, West and North].", "The seats are East, South [and West]."),
    ("It counts.", "It counts[, if concealed]."),
    ("At the end, best first: [35000, 5000, -15000].", "At the end, best first: [25000, -5000, -20000]."),
    ("[One thing]", "[Quite another matter]"),
    ("和牌至少要[一]番。", "和牌至少要[三]番。"),
    ("各家輪流摸牌[、打牌]。", "各家輪流摸牌。"),
    ("", "[New]"),
)


def bracketed(text: str) -> str:
    stretches = text.stretches if isinstance(text, MarkedText) else [(text, False)]
    return "".join(f"[{piece}]" if is_marked else piece for piece, is_marked in stretches)


@pytest.mark.parametrize(("was", "now"), MARKED)
def test_the_words_that_differ_are_marked(was: str, now: str) -> None:
    old, new = (re.sub(r"[\[\]]", "", text) for text in (was, now))
    assert tuple(map(bracketed, marked(old, new))) == (was, now)


TEXTS = st.text(alphabet="ab一二 .,-1’", max_size=40)


@settings(max_examples=budget(200), deadline=None)
@given(old=TEXTS, new=TEXTS)
def test_marks_change_no_text_and_leave_the_same_in_both(old: str, new: str) -> None:
    pair = marked(old, new)
    assert tuple(map(str, pair)) == (old, new)
    left = ["".join(re.sub(r"\[[^\]]*\]", "", bracketed(text)).split()) for text in pair]
    assert left[0] == left[1]
    assert old != new or not any(isinstance(text, MarkedText) for text in pair)


# --- rows


def texts(blocks: Sequence[BookBlock]) -> Iterator[str]:
    """What blocks say and show, but for heads of tables, which may be repeated."""
    for block in blocks:
        yield from filter(None, (block.text, block.label, block.worth, *block.items))
        yield from (cell for row in block.rows for cell in row)
        if block.block == "example":
            yield from (code for codes in (*block.groups, *block.melds, block.bonus, (block.win,)) for code in codes)
        yield from texts(block.blocks)


def side(sections: Sequence[AlignedSection], name: str) -> Counter[str]:
    rows = (row for section in sections for row in every_row(section.rows))
    return Counter(str(text) for row in rows for text in texts(getattr(row, name)))


@pytest.mark.parametrize("pair", PAIRS)
def test_nothing_of_either_book_is_lost(pair: tuple[str, str]) -> None:
    old, new = map(book, pair)
    sections = aligned(old, new)
    for found, name in ((old, "old"), (new, "new")):
        assert side(sections, name) == Counter(text for one in found.sections for text in texts(one.blocks))
    order = [one.id for one in sections]
    assert len({*order}) == len(order) and {*order} == {one.id for found in (old, new) for one in found.sections}


@pytest.mark.parametrize("id", RULESETS)
def test_a_book_beside_itself_has_no_marks(id: str) -> None:
    sections = aligned(book(id), book(id))
    assert not any(section.differences for section in sections) and not changed(sections)
    assert [row.new[0] for section in sections for row in section.rows] == [
        block for section in book(id).sections for block in section.blocks
    ]


def test_a_pattern_that_is_worth_more_stands_once_beside_what_it_was(tmp_path: Path) -> None:
    """Though it is under another heading."""
    paths = tmp_path / "old.yaml", tmp_path / "new.yaml"
    for path, worth in zip(paths, ("4", "5"), strict=True):
        path.write_text(RULESET.replace("worth: 4", f"worth: {worth}"), encoding="utf-8")
    sections = {one.id: one for one in aligned(*(rulebook_of(str(path)) for path in paths))}
    entries = [row for row in sections["patterns"].rows if "pattern-dragons" in {b.id for b in (*row.old, *row.new)}]
    assert len(entries) == 1 and entries[0].is_entry
    [old], [new] = entries[0].old, entries[0].new
    assert (bracketed(old.worth), bracketed(new.worth)) == ("[4] points", "[5] points")
    assert not any(row.old != row.new for row in entries[0].rows)


def test_another_id_alone_is_not_seen(tmp_path: Path) -> None:
    paths = tmp_path / "old.yaml", tmp_path / "new.yaml"
    for path, id in zip(paths, ("dragons", "many"), strict=True):
        path.write_text(RULESET.replace("  dragons:\n", f"  {id}:\n"), encoding="utf-8")
    assert not changed(aligned(*(rulebook_of(str(path)) for path in paths)))


def test_tiles_that_only_one_game_has_are_marked() -> None:
    tiles = next(one for one in aligned(book("riichi"), book("sanma")) if one.id == "tiles")
    row = next(row for row in tiles.rows if row.new and row.new[0].label.startswith("Characters"))
    gone = [codes[0] for codes in row.old[0].groups if isinstance(codes, MarkedCodes)]
    assert gone == ["2m", "3m", "4m", "5m", "0m", "6m", "7m", "8m"]
    assert not any(isinstance(codes, MarkedCodes) for codes in row.new[0].groups)


def test_what_stands_under_another_heading_is_something_else() -> None:
    """Lines of one group of a card do not stand beside those of another one."""

    def card(title: str) -> Rulebook:
        return made(BookBlock("heading", title), BookBlock("list", items=("Any 2 suits", f"{title} alone")))

    [row] = changed(aligned(card("Evens"), card("Runs")))
    assert [block.block for block in row.old] == [block.block for block in row.new] == ["heading", "list"]
    assert not any(isinstance(item, MarkedText) for block in (*row.old, *row.new) for item in block.items)


def test_a_table_with_other_columns_is_marked_by_column() -> None:
    old, new = (
        made(BookBlock("table", head=head, rows=rows))
        for head, rows in (
            (("Win", "East", "South"), (("by draw", "+2", "-1"),)),
            (("Win", "East"), (("by draw", "+3"),)),
        )
    )
    [row] = changed(aligned(old, new))
    assert [*map(bracketed, row.old[0].head)] == ["Win", "East", "[South]"]
    assert [*map(bracketed, row.old[0].rows[0])] == ["by draw", "[+2]", "[-1]"]
    assert [*map(bracketed, row.new[0].rows[0])] == ["by draw", "[+3]"]


def test_rows_of_a_long_table_that_are_the_same_stand_apart() -> None:
    def table(points: str) -> Rulebook:
        rows = tuple((str(number), points if number == 3 else "1") for number in range(20))
        return made(BookBlock("table", head=("From", "Points"), rows=rows))

    rows = aligned(table("2"), table("4"))[0].rows
    assert [len(row.new[0].rows) for row in rows] == [1, 19] and [row.is_same for row in rows] == [False, True]


def made(*blocks: BookBlock) -> Rulebook:
    """A book with one section."""
    empty = book("cantonese")
    return Rulebook("made", "Made", "en", "0" * 12, (Section("what", "What", blocks),), empty.tiles, empty.words)


def test_books_of_any_size_are_aligned() -> None:
    """Thousands of items, of which most differ, and texts of thousands of words."""
    words = random.Random(1)
    texts = [[" ".join(words.choices("abcdefgh", k=12)) for _ in range(3_000)] for _ in range(2)]
    long = [" ".join(words.choices("abcdefgh", k=50_000)) for _ in range(2)]
    old, new = (
        made(BookBlock("list", items=tuple(items)), BookBlock("text", text))
        for items, text in zip(texts, long, strict=True)
    )
    sections = aligned(old, new)
    assert side(sections, "old") == Counter([*texts[0], long[0]])
    assert side(sections, "new") == Counter([*texts[1], long[1]])


# --- the page


def check_whole(text: str) -> None:
    """Tags are closed, ids are there once, links and pictures lead somewhere, nothing is fetched."""
    tags = Tags()
    tags.feed(text)
    assert not tags.open and not tags.tags & {"script", "link", "img", "iframe"}
    ids = re.findall(r' id="([^"]*)"', text)
    assert all(ids) and len({*ids}) == len(ids)
    assert {*re.findall(r'href="#([^"]+)"', text)} <= {*ids}
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "") and "url(" not in text
    assert not re.search(r"\{[a-z_|]+\}", text.partition("</style>")[2])


def test_a_mod_is_shown_beside_the_game_without_it(tmp_path: Path) -> None:
    text = page_of(tmp_path, "riichi", "--mod", "ema")
    check_whole(text)
    assert '<p class="verdict breaking"><strong>Breaking</strong>: ' in text
    side = r'<div class="side old" role="group" aria-label="Riichi">((?:(?!class="side).)*)</div><div></div>'
    gone = re.findall(side, text, re.DOTALL)
    assert any("Aka dora (red five)" in one for one in gone)
    assert re.search(r'<details class="same"><summary>\d+ unchanged parts: Riichi, ', text)


def test_the_same_rules_twice_have_no_marks(tmp_path: Path) -> None:
    text = page_of(tmp_path, "riichi", "riichi")
    check_whole(text)
    assert "No difference for players" in text and 'id="changes"' not in text
    assert "<del" not in text and "<ins" not in text and 'role="group"' not in text
    assert text.count('class="unchanged"') == len(book("riichi").sections)


def test_an_option_changes_what_it_says(tmp_path: Path) -> None:
    text = page_of(tmp_path, "cantonese", "--set", "least_faan=3")
    check_whole(text)
    assert "A hand needs at least 3 faan to win." in text and "<td><ins>3</ins></td>" in text


def test_another_wording_is_text_of_the_book(tmp_path: Path) -> None:
    paths = tmp_path / "old.yaml", tmp_path / "new.yaml"
    for path, said in zip(paths, ("Taken from the wall", "Drawn from the wall"), strict=True):
        worded = f"    name: Drawn\n    wording: {said}.\n"
        path.write_text(RULESET.replace("    name: Drawn\n", worded), encoding="utf-8")
    text = page_of(tmp_path, *map(str, paths))
    assert "<p><del>Taken</del> from the wall.</p>" in text and "<p><ins>Drawn</ins> from the wall.</p>" in text
    assert "wording: Drawn from the wall. (was: Taken from the wall.)" in text


@pytest.mark.parametrize(
    ("language", "pair"), [("en", ("riichi", "sanma")), *((one, ("cantonese", str(CLUB))) for one in LANGUAGES)]
)
def test_a_page_in_every_language(tmp_path: Path, language: str, pair: tuple[str, str]) -> None:
    text = page_of(tmp_path, *pair, "--lang", language)
    check_whole(text)
    assert f'<html lang="{language}">' in text and say("changes.page.heading", language) in text
    assert say("changes.page.unfold", language) in text and "<del>" in text and "<ins>" in text


def test_text_of_strangers_is_never_markup(tmp_path: Path) -> None:
    paths = tmp_path / "old.yaml", tmp_path / "new.yaml"
    paths[0].write_text(HOSTILE, encoding="utf-8")
    more = HOSTILE.replace("alert(1)>", "alert(2)>").replace('"<u>"', '"<s>"').replace("copies: 1", "copies: 2")
    paths[1].write_text(more, encoding="utf-8")
    text = page_of(tmp_path, *map(str, paths))
    check_whole(text)
    tags = Tags()
    tags.feed(text)
    assert not tags.tags & {"b", "i", "u", "s"} and not {name for name in tags.names if name.startswith("on")}
    assert "\u202e" not in text and "&lt;script&gt;" in text and "<ins>2</ins>" in text


def test_a_tile_that_looks_otherwise_has_two_pictures(tmp_path: Path) -> None:
    paths = tmp_path / "old.yaml", tmp_path / "new.yaml"
    for path, face in zip(paths, ("東", "西"), strict=True):
        path.write_text(RULESET + f"tiles: {{faces: {{E: {face}}}}}\n", encoding="utf-8")
    text = page_of(tmp_path, *map(str, paths))
    check_whole(text)
    assert text.count('<symbol id="t-E"') == 1 and text.count('<symbol id="t-E_00"') == 1
    same = page_of(tmp_path, str(paths[0]), str(paths[0]))
    assert "t-E_00" not in same


# --- the command


def test_the_page_of_a_revision_of_git(tmp_path: Path) -> None:
    """Its file is there only while it is compared."""

    def git(*arguments: str) -> None:
        who = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    path = tmp_path / "mine.yaml"
    path.write_text(RULESET, encoding="utf-8")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "First")
    path.write_text(RULESET.replace("name: Pairs\n", "name: Two alike\n"), encoding="utf-8")
    done = run("diff", "--git", "HEAD", str(path), *QUICK, "--format", "html")
    assert done.returncode == 1 and "<ins>Two alike</ins>" in done.stdout and "mine.yaml (HEAD)" in done.stdout


def test_other_files_and_stdout(tmp_path: Path) -> None:
    given = ("diff", "cantonese", "--set", "least_faan=3", *QUICK)
    for name, begins in (("a.json", "{\n"), ("a.txt", "Cantonese → "), ("a.htm", "<!doctype html>")):
        done = run(*given, "-o", str(tmp_path / name))
        assert done.returncode == 1 and not done.stdout and "Breaking" in done.stderr
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert run(*given, "-o", "-", "--format", "html").stdout.startswith("<!doctype html>")
    assert run(*given, "-o", "-").stdout.startswith("Cantonese → ")


def test_wrong_use_is_said(tmp_path: Path) -> None:
    page, mine = str(tmp_path / "changes.html"), tmp_path / "mine.html"
    fails(run("diff", "basic1", "moon_gate", "-o", page), 2, "not-a-ruleset", "a card is not a ruleset")
    fails(run("diff", "cantonese", "seven_pairs", "-o", page), 2, "not-a-ruleset", "a mod is not a ruleset")
    fails(run("diff", "cantonese", "--mod", "nosuch", "-o", page), 2, "no mod or card is called")
    fails(run("diff", "cantonese", "mcr", "-o", str(tmp_path)), 2, "is a folder", "rulebooks.html")
    fails(run("diff", "cantonese", "mcr", "-o", str(tmp_path / "no" / "a.html")), 2, "there is no folder")
    fails(run("diff", "cantonese", "mcr", "-o", str(tmp_path / "a.pdf")), 2, "the format of a.pdf is unknown")
    mine.write_text(RULESET, encoding="utf-8")
    fails(run("diff", "cantonese", str(mine), "-o", str(mine)), 2, "would be lost")
    assert mine.read_text(encoding="utf-8") == RULESET and not Path(page).exists()


# --- for everybody

UNFOLDED = "() => [...document.querySelectorAll('.same > div')].every((one) => one.checkVisibility())"
OPEN = "() => document.querySelectorAll('.changes').forEach((one) => { one.open = true })"


def test_axe_finds_nothing_and_all_of_it_can_be_shown(chromium: Any, tmp_path: Path) -> None:
    """Every kind of row is in the page of two small rulesets."""
    paths = [tmp_path / "old.yaml", tmp_path / "new.yaml"]
    for path, worth in zip(paths, ("4", "5"), strict=True):
        path.write_text(RULESET.replace("worth: 4", f"worth: {worth}"), encoding="utf-8")
    page_of(tmp_path, *map(str, paths))
    view = chromium.new_page()
    view.goto((tmp_path / "changes.html").as_uri())
    view.evaluate(AXE)
    view.evaluate(OPEN)
    faults = [one for size in (WIDE, PHONE) for one in faults_of(view, size, axe=True)]
    assert not faults, "\n".join(faults)
    assert not view.evaluate(UNFOLDED)
    view.check(".unfold input")
    assert view.evaluate(UNFOLDED)
