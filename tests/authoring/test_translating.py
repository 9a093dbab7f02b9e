"""Translations as files: split from a document, written, brought up to date, and exchanged with gettext's tools."""

from pathlib import Path

import pytest
from budget import budget
from commands import run
from games import mostly_soaked
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.authoring.layout import WIDTH, with_short_lines
from tilewright.authoring.splitting import split
from tilewright.base.document import parse
from tilewright.base.node import plain
from tilewright.base.problem import Source
from tilewright.language.documents.companions import whole_text
from tilewright.language.documents.library import bundled_documents, path_of, read_document, read_once
from tilewright.play.rules import load
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.pages import markdown
from tilewright.web.jobs.rules import rulesets_json

# A card of its own, presets and texts of most kinds; a base; a mod; a card.
VARIED = [path_of(id) for id in ("american", "riichi", "chinese", "several_winners", "moon_gate")]
HEAD = "tilewright: 1\nkind: ruleset\nid: club\n"
RULES = HEAD + (Path(__file__).parents[1] / "data" / "two_languages.yaml").read_text(encoding="utf-8")


def files(folder: Path, text: str = RULES) -> Path:
    """The document in files of its own."""
    for part, content in split(text).items():
        (folder / f"club{'.' * bool(part)}{part}.yaml").write_text(content, encoding="utf-8")
    return folder / "club.yaml"


def said(text: str, name: str = "club.yaml") -> object:
    """What a text says with all that stands below it."""
    return plain(read_once(name, text.encode()))


def test_a_document_is_split_and_says_the_same(tmp_path: Path) -> None:
    parts = split(RULES)
    assert {*parts} == {"", "cases", "en", "ja"}
    assert said(whole_text(files(tmp_path))) == said(RULES)
    assert "ja" not in parts[""] and "wording" not in parts[""] and "# a comment of its own" in parts[""]
    assert "pay:  {number: 1, from: 1, to: 9, label: 'Pay, in points'}" in parts[""] and "# what is paid" in parts[""]
    assert all(len(line) <= WIDTH for text in parts.values() for line in text.splitlines())
    assert split(parts[""]) == {"": parts[""]}


@pytest.mark.parametrize("path", mostly_soaked(bundled_documents(), VARIED), ids=lambda path: path.stem)
def test_every_bundled_document_may_be_in_one_file(path: Path) -> None:
    assert said(whole_text(path), path.name) == plain(read_document(path))
    assert split(path.read_text(encoding="utf-8"))[""] or path.parent.name in ("mods", "cards")


TEXTS = st.text(st.sampled_from("ab ,:#'\"{}[]-場数é!?&*%@`\\|>0"), min_size=1, max_size=150).filter(str.strip)


@pytest.mark.long
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
@settings(max_examples=budget(30), deadline=None)
def test_whatever_a_text_is_split_and_joined_it_is_the_same(pairs: list[tuple[str, str]]) -> None:
    quoted = [tuple("'" + text.replace("'", "''") + "'" for text in pair) for pair in pairs]
    options = "".join(f"  o{n}: {{flag: true, label: {{en: {en}, ja: {ja}}}}}\n" for n, (en, ja) in enumerate(quoted))
    blocks = "".join(f"  t{n}:\n    about:\n      en: {en}\n      ja: {ja}\n" for n, (en, ja) in enumerate(quoted))
    text = f"{HEAD}name: Club\noptions:\n{options}terms:\n{blocks}"
    parts = split(text)
    assert said("---\n".join(parts.values())) == said(text)


@pytest.mark.long
@given(
    st.lists(st.sampled_from(["a > 1 and b", "[x, y, z]", "{p: 1, q: two words}", "'it''s'", "long " * 30]), max_size=9)
)
@settings(max_examples=budget(15), deadline=None)
def test_long_lines_are_shortened_and_say_the_same(values: list[str]) -> None:
    inner = ", ".join(f"k{n}: {value}" if value[0] != "a" else f"k{n}: 'a, b'" for n, value in enumerate(values))
    text = f"{HEAD}name: Club\nx:\n  one: {{{inner}}}\n  two: {{a: {{{inner}}}}}   # a comment\n"
    short = with_short_lines(text)
    assert plain(parse(Source("x", short))) == plain(parse(Source("x", text)))
    assert "# a comment" in short and with_short_lines(short) == short


# --- translate


def test_a_translation_is_begun_filled_in_and_brought_up_to_date(tmp_path: Path) -> None:
    """As a translator does it: with the command and a text editor."""
    path, file = files(tmp_path), tmp_path / "club.de.yaml"
    assert run("translate", str(path)).stdout.split() == ["ja", "9", "of", "9", "texts", "translated"]
    assert "0 of 9 texts translated, 9 missing" in run("translate", str(path), "de").stdout
    text = file.read_text(encoding="utf-8")
    assert 'name: {en: Club rules, de: ""}' in text
    text = text.replace('{en: Club rules, de: ""}', "{en: Club rules, de: Vereinsregeln}")
    text = text.replace(
        '      reason: {en: Rich, de: ""}', "      # reich an Punkten\n      reason: {en: Rich, de: Reich}"
    )
    text = text.replace('    reason: {en: Rich, de: ""}', "    # reich an Punkten\n    reason: {en: Rich, de: Reich}")
    file.write_text(text, encoding="utf-8")
    assert run("translate", str(path), "de", "--check").returncode == 1
    assert "2 of 9 texts translated, 7 missing" in run("translate", str(path), "de").stdout
    assert file.read_text(encoding="utf-8") == text
    assert load(str(path)).data.name["de"] == "Vereinsregeln"
    rules = path.read_text(encoding="utf-8")
    path.write_text(
        rules.replace("name: Club rules", "name: Our rules").replace("  rich:", "  wealthy:"), encoding="utf-8"
    )
    (tmp_path / "club.en.yaml").write_text("tilewright: 1\nkind: texts\nid: club\nlanguage: en\n", encoding="utf-8")
    done = run("translate", str(path), "de")
    assert "1 of 7 texts translated, 1 stale, 5 missing" in done.stdout
    text = file.read_text(encoding="utf-8")
    assert "name: {en: Our rules, de: Vereinsregeln, was: Club rules}" in text
    assert "  wealthy:\n" in text and "reason: {en: Rich, de: Reich}" in text and "rich:" not in text
    file.write_text(text.replace("de: Vereinsregeln, was: Club rules", "de: Unsere Regeln"), encoding="utf-8")
    assert "2 of 7 texts translated, 5 missing" in run("translate", str(path), "de").stdout


def test_what_the_document_no_longer_has_is_told_and_left_out(tmp_path: Path) -> None:
    path, file = files(tmp_path), tmp_path / "club.ja.yaml"
    rules = path.read_text(encoding="utf-8")
    path.write_text("".join(line for line in rules.splitlines(True) if "gift:" not in line), encoding="utf-8")
    done = run("translate", str(path), "ja")
    assert "options.gift.label: not in the document any more: 贈り物" in done.stdout
    assert "贈り物" not in file.read_text(encoding="utf-8")


def test_texts_in_the_document_itself_are_left_there(tmp_path: Path) -> None:
    path = tmp_path / "club.yaml"
    path.write_text(RULES, encoding="utf-8")
    assert "9 of 9 texts translated" in run("translate", str(path), "ja").stdout
    assert not (tmp_path / "club.ja.yaml").exists()
    path.write_text(f"{HEAD}name: Club\n---\n{HEAD.replace('ruleset', 'texts')}language: de\n", encoding="utf-8")
    refused = run("translate", str(path), "de")
    assert refused.returncode == 2 and "itself" in refused.stderr
    assert run("translate", str(path), "en").returncode == 2 and run("translate", str(path), "d e").returncode == 2


def test_translations_go_to_po_and_back(tmp_path: Path) -> None:
    path, po, file = files(tmp_path), tmp_path / "ja.po", tmp_path / "club.ja.yaml"
    rules = path.read_text(encoding="utf-8").replace("label: A gift", "label: A present")
    path.write_text(rules, encoding="utf-8")
    run("translate", str(path), "ja")
    before = file.read_text(encoding="utf-8")
    assert "{en: A present, ja: 贈り物, was: A gift}" in before
    assert "wrote" in run("translate", str(path), "ja", "--to-po", str(po)).stdout
    text = po.read_text(encoding="utf-8")
    assert 'msgctxt "options/gift/label"' in text and '#| msgid "A gift"' in text and "#, fuzzy" in text
    file.unlink()
    assert "8 of 9 texts translated, 1 stale" in run("translate", str(path), "ja", "--from-po", str(po)).stdout
    assert file.read_text(encoding="utf-8") == before
    po.write_text(text.replace("options/gift/label", "options/gone/label"), encoding="utf-8")
    assert (
        "options/gone/label: the document has no such text"
        in run("translate", str(path), "ja", "--from-po", str(po)).stdout
    )
    po.write_text("nothing", encoding="utf-8")
    assert run("translate", str(path), "ja", "--from-po", str(po)).returncode == 2


# --- split


def test_the_command_splits_files_and_writes_over_none(tmp_path: Path) -> None:
    path = tmp_path / "club.yaml"
    path.write_text(RULES, encoding="utf-8")
    done = run("split", str(tmp_path))
    assert done.returncode == 0 and "club.cases.yaml" in done.stdout
    assert said(whole_text(path)) == said(RULES)
    path.write_text(RULES, encoding="utf-8")
    refused = run("split", str(path))
    assert refused.returncode == 2 and path.read_text(encoding="utf-8") == RULES


# --- a further language


def test_a_game_is_in_german_though_the_page_is_not() -> None:
    """In the rulebook, in what tables are set up from, and in the rules of a table: no line of Python names it."""
    book = markdown(rulebook_of("cantonese", language="de"))
    assert "# Kantonesisch" in book and "Vier Sätze und ein Paar" in book and "The aim of the game" in book
    [offered] = [one for one in rulesets_json() if one["id"] == "cantonese"]
    assert offered["name"]["de"] == "Kantonesisch" and "de" in offered["languages"]
    assert load("cantonese").data.name["de"] == "Kantonesisch"
    for path in (
        path_of("cantonese"),
        path_of("table"),
        path_of("standard"),
        path_of("chinese"),
        path_of("faan_games"),
    ):
        assert run("translate", str(path), "de", "--check").returncode == 0
