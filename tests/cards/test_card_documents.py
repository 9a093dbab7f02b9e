"""Card documents: plain text and YAML say the same card, both ways, whatever is in it; wrong ones say where."""

from pathlib import Path
from typing import Any

import pytest
from bounds import calls
from budget import budget
from conftest import ROOT
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from tilewright.base.building import MAX_BYTES
from tilewright.base.document import parse
from tilewright.base.problem import Problem, RulesetError, Source
from tilewright.cards.document import card_of, open_card, read_card, write_yaml
from tilewright.cards.model import Card, CardEntry, CardGroup
from tilewright.cards.text import (
    CLOSING,
    INVISIBLE,
    MOST_LINES,
    category,
    id_of,
    is_name,
    lacks_quotes,
    read_text,
    slug,
    tidy,
    told_of,
    unfit_title,
    write_text,
)
from tilewright.language.documents.cards import read_processed
from tilewright.language.documents.shape import check_shape

DATA = Path(__file__).parents[1] / "data" / "cards"
BASIC1 = DATA / "basic1.txt"
HEAD = "tilewright: 1\nkind: card\nid: a\nname: A\n"


def read(text: str, name: str = "mine.txt") -> Card:
    """The card of a text that has no problem."""
    card, problems = read_card(Source(name, text))
    assert problems == ()
    return card


def told(problems: tuple[Problem, ...]) -> list[str]:
    return [f"{one.place.line}:{one.place.column} {one.code}" for one in problems if one.place]


# --- the source's example


def test_the_example_of_the_source_is_written_as_it_is_read() -> None:
    text = BASIC1.read_text(encoding="utf-8")
    card, problems = open_card(BASIC1)
    assert problems == () and card.name == {"en": "Basic1"} and card.id == "basic1"
    assert [group.title for group in card.groups][4:] == ["Winds/Dragons", "369", "Singles & Pairs"]
    assert sum(len(group.entries) for group in card.groups) == 24
    assert write_text(card) == text
    assert write_text(read(write_yaml(card), "basic1.yaml")) == text


def test_the_yaml_of_the_example_is_plain() -> None:
    card, _ = open_card(BASIC1)
    text = write_yaml(card)
    assert text.startswith('tilewright: 2\nkind: card\nid: basic1\nname: Basic1\ngroups:\n  "2468":\n    - FF 222 444')
    assert "  Winds/Dragons:\n    - NNNN EEEE WWWW SS X25\n" in text
    assert list(check_shape(parse(Source("basic1.yaml", text)))) == []


def test_the_draft_is_the_same_card() -> None:
    draft, problems = open_card(ROOT / "tests" / "drafts" / "basic1.yaml")
    card, _ = open_card(BASIC1)
    assert problems == () and [one.entries for one in draft.groups] == [one.entries for one in card.groups]
    assert [slug(one.title) for one in draft.groups] == [slug(one.title) for one in card.groups]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("2468", "2468"),
        ("Singles & Pairs", "singles_and_pairs"),
        ("Winds/Dragons", "winds_dragons"),
        ("  Année 2025! ", "année_2025"),
        ("東 風", "東_風"),
        ("?!", ""),
    ],
)
def test_slugs(title: str, name: str) -> None:
    assert slug(title) == name


@pytest.mark.parametrize(
    ("name", "id"),
    [("Basic1", "basic1"), ("2025 Card", "card_2025_card"), ("東風", "card"), ("Été", "t"), ("R&B", "r_and_b")],
)
def test_ids(name: str, id: str) -> None:
    assert id_of(name) == id


# --- the ways to write one


def test_everything_that_plain_text_can_say() -> None:
    card = read(
        "Our Card\n(id: ours)\n( name   zh : 我們的牌 )\n"
        "(about: Two\\nlines; a \\\\ and (brackets).)\n(source: none)\n\n"
        "“Winds” (any)\n\tNNNN EEEE WWWW SS X25\t(the fourth (south) is a pair)\n"
        '"The "best" ones"\r\n  NNNN EEEE WWWW SS\r\n'
    )
    assert card == Card(
        "ours",
        {"en": "Our Card", "zh": "我們的牌"},
        (
            CardGroup("Winds", (CardEntry("NNNN EEEE WWWW SS X25", "the fourth (south) is a pair"),), "any"),
            CardGroup('The "best" ones', (CardEntry("NNNN EEEE WWWW SS"),)),
        ),
        "Two\nlines; a \\ and (brackets).",
        "none",
    )


def test_a_name_in_another_language() -> None:
    card = read("東風\n(language: zh)\n(name fr: Est)\n“東”\nNNNN EEEE WWWW SS X25\n")
    assert card.name == {"zh": "東風", "fr": "Est"} and card.id == "card"
    assert write_text(card).startswith("東風\n(language: zh)\n(name fr: Est)\n“東”\n")


def test_what_a_card_is_in_several_languages() -> None:
    text = read("東風\n(language: zh)\n(about: 一\\n二)\n(about en: One)\n“東”\nNNNN EEEE WWWW SS X25\n")
    yaml = read(write_yaml(text), "a.yaml")
    assert (text.about, text.abouts) == ("一\n二", {"en": "One"})
    assert told_of(yaml) == told_of(text) == {"zh": "一\n二", "en": "One"}
    assert read(write_text(yaml)) == text


def test_what_a_card_is_may_be_said_once_in_each_language() -> None:
    _, problems = read_text(Source("a.txt", "A\n(about: x)\n(about en: y)\n(about 2: z)\n“B”\nNNNN EEEE WWWW SS X25\n"))
    assert [(one.code, one.place and one.place.line) for one in problems] == [("bad-name", 4), ("duplicate-key", 3)]


def test_everything_that_yaml_can_say() -> None:
    card = read(
        HEAD
        + "groups:\n  2468:\n    - 11223344556677\n    - 0x11223344556677\n"
        "    - '333 6666 9999 FFF # X25'\n    - FF 222 444 666 888 X25 (any suit)\n"
        "  Others: {note: b, lines: [{line: 1122e3, note: c}, {line: NN EE}, *x]}\n".replace("*x", "NO"),
        "a.yaml",
    )
    assert card.groups[0] == CardGroup(
        "2468",
        (
            CardEntry("11223344556677"),
            CardEntry("0x11223344556677"),
            CardEntry("333 6666 9999 FFF # X25"),
            CardEntry("FF 222 444 666 888 X25", "any suit"),
        ),
    )
    assert card.groups[1] == CardGroup("Others", (CardEntry("1122e3", "c"), CardEntry("NN EE"), CardEntry("NO")), "b")


def test_json_is_yaml() -> None:
    text = '{"tilewright": 1, "kind": "card", "id": "a", "name": {"en": "A"}, "groups": {"B": ["NNNN EEEE WWWW SS"]}}'
    assert read(text, "a.json").groups == (CardGroup("B", (CardEntry("NNNN EEEE WWWW SS"),)),)


def test_the_mark_in_front_and_every_end_of_line(tmp_path: Path) -> None:
    text = BASIC1.read_text(encoding="utf-8")
    for end in ("\n", "\r\n", "\r"):
        file = tmp_path / "basic1.txt"
        file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", end).encode())
        card, problems = open_card(file)
        assert problems == () and write_text(card) == text
    assert read("\ufeff" + text) == open_card(BASIC1)[0]


def test_places_of_characters() -> None:
    text = "A\r\n“B”\r\n  \tNNNN EEEE WWWW SS X25 (c)\r\n"
    at = read(text).groups[0].entries[0].at
    assert at is not None
    assert (at(5, 4).line, at(5, 4).column, at(5, 4).length) == (3, 9, 4)
    document = HEAD + "groups:\n  B:\n    - \"  NN\\u004eN EEEE\"\n    - {line: ' NN EE', note: c}\n    - NN EE (c)\n"
    entries = read(document, "a.yaml").groups[0].entries
    assert [one.text for one in entries] == ["NNNN EEEE", "NN EE", "NN EE"]
    for entry, line, column in zip(entries, (7, 8, 9), (20, 19, 10), strict=True):
        assert entry.at is not None
        place = entry.at(entry.text.index("E"), 2)
        assert (place.line, place.column, place.length) == (line, column, 2)


# --- both ways, anything

SIGNS = st.sampled_from("“”\"„'«»‘’()[]{}:,#&*!|>%@`-–?/\\~=+ \t\u00a0\u200d\u2003éß東🀄no0123456789aX")
TEXTS = (
    st.text(SIGNS | st.characters(exclude_categories=["Cs", "Cc", "Cn"]), max_size=20)
    .map(tidy)
    .filter(lambda text: not INVISIBLE.search(text))
)
ODD = st.sampled_from(
    ["no", "yes", "NO", "~", "null", "1e3", "0x1F", "1:30", "- a", "a: b", "# a", "a #b", "2025-01-01"]
)
NOTES = TEXTS | ODD
TITLES = (
    (TEXTS | ODD | TEXTS.map(lambda text: f"A {text}"))
    .map(tidy)
    .filter(lambda title: not list(unfit_title(title, Source("", "").place(0))))
)
NAMES = (TEXTS | ODD).filter(is_name)
LINES = (
    TEXTS | ODD | st.sampled_from(["11223344556677", "FF 222 444 666 888 X25", "333 6666 9999 FFF # X25", "NEWS"])
).filter(lambda text: text and text[0] not in CLOSING and "(" not in text and not lacks_quotes(text))
LANGUAGES = st.sampled_from(["en", "zh", "fr", "no", "zh-Hant"])
BLOCKS = st.lists(TEXTS | ODD, max_size=3).map(lambda lines: "\n".join(lines).strip())
ENTRIES = st.builds(CardEntry, LINES, NOTES)
GROUPS = st.builds(CardGroup, TITLES, st.lists(ENTRIES, min_size=1, max_size=3).map(tuple), NOTES)
CARDS = st.builds(
    Card,
    st.sampled_from(["a", "no", "basic_1", "card", "e3"]),
    st.dictionaries(LANGUAGES, NAMES, min_size=1, max_size=3),
    st.lists(GROUPS, min_size=1, max_size=3, unique_by=lambda group: group.title).map(tuple),
    BLOCKS,
    BLOCKS,
)


@given(CARDS)
@settings(max_examples=budget(40))
def test_a_card_is_the_same_in_text_and_in_yaml(card: Card) -> None:
    text, document = write_text(card), write_yaml(card)
    assert read(text) == card
    assert read(document, "a.yaml") == card
    assert write_text(read(document, "a.yaml")) == text
    assert write_yaml(read(text)) == document
    assert list(check_shape(parse(Source("a.yaml", document)))) == []


@given(CARDS)
@settings(max_examples=budget(20))
def test_other_programs_read_the_same_yaml(card: Card) -> None:
    loaded = YAML(typ="safe", pure=True).load(write_yaml(card))
    groups = {title: one if isinstance(one, list) else one["lines"] for title, one in loaded["groups"].items()}
    lines = [[one if isinstance(one, str) else one["line"] for one in group] for group in groups.values()]
    assert list(groups) == [group.title for group in card.groups]
    assert lines == [[entry.text for entry in group.entries] for group in card.groups]


@given(st.text(SIGNS | st.characters(exclude_categories=["Cs"]) | st.sampled_from("\n\r\0\x85\u2028"), max_size=60))
@example("A\n(a:\n“")
@example("A\n“a” (b” (c)\nNN (d")
@example('“\n(\n"\n)')
@settings(max_examples=budget(50))
def test_any_text_is_a_card_or_has_problems_inside_of_it(text: str) -> None:
    card, problems = read_card(Source("mine.txt", text))
    for problem in problems:
        assert problem.place and 1 <= problem.place.line <= text.count("\n") + text.count("\r") + 1
        assert problem.hint
    if not problems:
        assert read(write_text(card)) == card
        assert card.groups[0].title == "" or read(write_yaml(card), "a.yaml") == card


@given(
    st.recursive(
        TEXTS | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(TEXTS | st.sampled_from(["line", "lines", "note"]), inner),
        max_leaves=8,
    )
)
@settings(max_examples=budget(60))
def test_any_yaml_is_a_card_or_has_problems(groups: Any) -> None:
    import json

    _, problems = read_card(Source("a.yaml", HEAD + f"groups: {json.dumps(groups)}\n"))
    assert all(problem.place for problem in problems)


# --- wrong documents


@pytest.mark.parametrize(
    "case", YAML(typ="safe", pure=True).load(DATA / "documents.yaml"), ids=lambda case: str(case)[:70]
)
def test_wrong_documents(case: dict[str, Any]) -> None:
    name, text = ("a.yaml", HEAD + case["yaml"]) if "yaml" in case else ("mine.txt", case["text"])
    _, problems = read_card(Source(name, text))
    assert sorted(told(problems)) == sorted(case["problems"])
    assert all(problem.hint for problem in problems)
    assert any(case.get("hint", "") in str(problem.hint) for problem in problems) or not problems


def test_a_title_without_quotes_is_a_title_all_the_same() -> None:
    card, _ = read_card(Source("mine.txt", "A\n2468\n222 4444 r666 8888\nLike Numbers\nFF 1111 r1111 b1111 L\n"))
    assert [(group.title, len(group.entries)) for group in card.groups] == [("2468", 1), ("Like Numbers", 1)]


def test_what_is_said_on_the_line_of_the_name_is_no_part_of_it() -> None:
    card, problems = read_card(Source("mine.txt", "Mine (2025) (id: odd)\n“B”\nNNNN EEEE WWWW SS\n"))
    assert (card.name, told(problems)) == ({"en": "Mine (2025)"}, ["1:13 misplaced-field"])
    _, problems = read_card(Source("a.yaml", HEAD.replace("name: A", '"name": "A (id: b)"') + "groups: {B: [NN EE]}\n"))
    assert told(problems) == ["4:9 bad-text"]


def test_a_wrong_card_keeps_its_other_lines() -> None:
    card, problems = read_card(Source("mine.txt", "A\nNN EE\n“B\n22 44\n“C” (d\n66\n“E” f\n88\n"))
    assert told(problems) == ["3:1 not-closed", "5:5 not-closed", "7:4 text-behind-title"]
    assert [[one.text for one in group.entries] for group in card.groups] == [["NN EE"], ["22 44"], ["66"], ["88"]]
    card, problems = read_card(Source("a.yaml", HEAD + "groups:\n  B: [NN EE, [a], {line: 22, b: c}]\n  C: 1\n"))
    assert len(problems) == 3 and [one.text for one in card.groups[0].entries] == ["NN EE", "22"]


@pytest.mark.parametrize(
    ("yaml", "found", "lines"),
    [
        ("groups:\n  A:\n    - {lines: 222, note: b}\n    - 22 44\n", ["7:8 unknown-key"], 1),
        ("nome: b\ngroups:\n  A:\n    - 22 44\n  ?!:\n    - NN\n", ["5:1 unknown-key", "9:3 bad-text"], 2),
        ("groups: [a]\n", ["5:1 wrong-type"], 0),
        ("groups:\n", ["5:1 wrong-type"], 0),
        ("groups: {}\n", ["1:1 empty-card"], 0),
        ("groups:\n  C: []\n  D: [22 44]\n", ["6:3 too-few"], 1),
    ],
)
def test_problems_of_the_schema_stand_beside_those_of_the_card(yaml: str, found: list[str], lines: int) -> None:
    document = parse(Source("a.yaml", HEAD + yaml))
    card, problems = card_of(document, check_shape(document))
    assert told(problems) == found and sum(len(group.entries) for group in card.groups) == lines


# --- bounds


def test_too_many_lines() -> None:
    lines = [f"NNNN EEEE WWWW SS X{value}" for value in range(MOST_LINES + 5)]
    card, problems = read_card(Source("mine.txt", "A\n“B”\n" + "\n".join(lines)))
    assert told(problems) == [f"{MOST_LINES + 3}:1 too-many-lines"] and len(card.groups[0].entries) == MOST_LINES
    document = HEAD + "groups:\n  B:\n" + "".join(f"    - {line}\n" for line in lines)
    card, problems = read_card(Source("a.yaml", document))
    assert told(problems) == [f"{MOST_LINES + 7}:7 too-many-lines"] and len(card.groups[0].entries) == MOST_LINES


def test_too_large(tmp_path: Path) -> None:
    """A file is refused before its lines are read: that would be hundreds of thousands of calls."""
    for name in ("mine.txt", "a.yaml"):
        _, problems = read_card(Source(name, "N" * (MAX_BYTES + 1)))
        assert told(problems) == ["1:1 too-large"]
        (tmp_path / name).write_bytes(b"NN EE\n" * MAX_BYTES)
        with calls(5_000), pytest.raises(RulesetError) as raised:
            open_card(tmp_path / name)
        assert [one.code for one in raised.value.problems] == ["too-large"]


def test_a_long_line_and_many_signs_are_read() -> None:
    """As large as texts may be, none of them too much."""
    for text in (
        "A\n" + "N" * 255_000,
        "A\n" + "“" * 255_000,
        "A\n“a” (" * 30_000,
        "(" * 250_000,
        "A\n“B”\n" + "\n" * 250_000,
        "A\n“" + "” (" * 80_000,
        "A\n“" + "” (" * 80_000 + "”",
        "A\n“" + "”" * 250_000 + ")",
        "A\n“" + "” " * 120_000 + "(",
        "A\n“B”\n" + "X 1" * 80_000,
    ):
        _, problems = read_card(Source("mine.txt", text))
        assert len(problems) <= 3 * MOST_LINES


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(b"A\n\xff\n")
    with pytest.raises(RulesetError) as raised:
        open_card(file, "mine.txt")
    [problem] = raised.value.problems
    assert problem.code == "not-utf8" and problem.place and (problem.place.line, problem.place.column) == (2, 1)
    with pytest.raises(RulesetError):
        open_card(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("name", "head", "says"),
    [
        ("mine.rtf", b"{\\rtf1\\ansi Mine\\par}", "an RTF file"),
        ("mine.docx", b"PK\x03\x04\x14\0\x06\0", "a file of a word processor"),
        ("mine.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a file of a word processor"),
        ("mine.pdf", b"%PDF-1.7\n%\xe2\xe3", "a PDF"),
        ("mine.png", b"\x89PNG\r\n\x1a\n\0\0", "a picture"),
        ("mine.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF", "a picture"),
        ("mine.webp", b"RIFF\x01\x02\x03\x04WEBPVP8 ", "a picture"),
        ("mine.heic", b"\0\0\0\x18ftypheic", "a picture"),
        ("mine.bmp", b"BM\x01\x02\x03\x04\0\0\0\0", "a picture"),
        ("mine.txt", b"<!DOCTYPE html><html>", "a web page"),
    ],
)
@pytest.mark.parametrize("more", [0, MAX_BYTES])
def test_files_of_programs(name: str, head: bytes, says: str, more: int, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(head + b"\xa0" * more)
    with pytest.raises(RulesetError) as raised:
        open_card(tmp_path / name, name)
    [problem] = raised.value.problems
    assert problem.code == "not-plain-text" and says in problem.message and "plain text (.txt)" in str(problem.hint)


def test_texts_that_begin_like_files_of_programs(tmp_path: Path) -> None:
    for text in ("PK Club\n", "BM 2025\n", "II\n", "%PD\n"):
        (tmp_path / "mine.txt").write_text(text + "“B”\nNNNN EEEE WWWW SS\n", encoding="utf-8")
        assert open_card(tmp_path / "mine.txt")[1] == ()


def test_card_of_takes_a_document() -> None:
    card, problems = card_of(parse(Source("a.yaml", HEAD + "groups: {B: [NN EE]}\n")))
    assert problems == () and card.groups == (CardGroup("B", (CardEntry("NN EE"),)),)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Singles & Pairs (concealed)", "singles_and_pairs"),
        ("Singles & Pairs", "singles_and_pairs"),
        ("(369)", "369"),
        ("Runs (long) and others", "runs_long_and_others"),
    ],
)
def test_the_category_is_the_title_without_brackets_at_its_end(title: str, name: str) -> None:
    assert category(title) == name


def test_two_titles_of_one_category_are_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("Mine\n“Runs”\n222 444 666 888 FF X25\n“Runs (closed)”\n222 444 666 888 FF C30\n", encoding="utf-8")
    assert [one.code for one in read_processed(path)[1] if one.code.startswith("same-group")] == ["same-group-twice"]
