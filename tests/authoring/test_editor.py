"""What editors are told of a document that is being written: each answer for a text with a mark at the cursor."""

import re
from pathlib import Path

import pytest
from budget import budget
from games import VARIED
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.authoring.editor.completion import complete, describe, fixes, formatted
from tilewright.authoring.editor.context import TextEdit, TextLocation, TextPlace, Workspace
from tilewright.authoring.editor.navigation import CannotRename, definition, references, rename, symbols_called
from tilewright.authoring.editor.scanning import LineScanner, keys_in, lines_of, spot_at
from tilewright.authoring.editor.symbols import held_in, outline, tallies
from tilewright.authoring.findings import UNEXPLAINED, static_stages, tried, without_ignored
from tilewright.authoring.format import format_text
from tilewright.base.files import unsaved
from tilewright.base.problem import Source, line_starts
from tilewright.language.check import problems_of
from tilewright.language.documents.bundled import data_folder
from tilewright.language.documents.companions import whole_text
from tilewright.language.documents.library import bundled_documents, path_of, read_document

HOME = Path("/nowhere/at/all")
BUNDLED = list(bundled_documents())
OFTEN = (*VARIED, "standard", "seven_pairs", "zombie_blanks", "moon_gate")  # rulesets, a base, mods and a card
STAGED = [path if path.stem in OFTEN else pytest.param(path, marks=pytest.mark.soak) for path in BUNDLED]
BASE = """tilewright: 1
kind: base
id: house
name: House
extends: standard
options:
  red: {flag: true, label: Red fives}
  extra: {number: 2, from: 0, to: 9, label: Bonus}
marks:
  lucky: {of: seat, name: {en: Lucky}}
terms:
  blessed: lucky and self_draw
scoring:
  measures:
    points: {name: {en: Points}}
  best: points
patterns:
  blessing: {name: {en: Blessing}, about: From above., worth: 2, when: blessed}
  chows: {name: Chows, worth: 1, if: red, when: {has: [4 set]}}
"""
CHILD = """tilewright: 1
kind: ruleset
id: club
name: Club
extends: house
patterns:
  blessing: {worth: 3}
  grand: {name: Grand, worth: extra + 1, when: blessed and red, excludes: [blessing, chows]}
cases:
  one: {hand: 11m 234m 567p 888s EE, win_tile: E, expect: {patterns: [blessing]}}
"""
MOD = """tilewright: 1
kind: mod
id: twist
name: Twist
for: [club]
change:
  patterns:
    blessing: {worth: was + 1}
add:
  patterns:
    other: {name: Other, worth: 1, when: lucky, excludes: [blessing]}
  cases:
    two: {for: [club], hand: 11m 234m 567p 888s EE, win_tile: E, expect: {win: true}}
remove: [patterns.grand]
"""
HOUSE, CLUB, TWIST = (HOME / f"{name}.yaml" for name in ("house", "club", "twist"))
TEXTS = {HOUSE: BASE, CLUB: CHILD, TWIST: MOD}


def at(text: str, marked: str) -> tuple[str, TextPlace]:
    """The text, and the place of `|` in a part of it."""
    before, _, after = marked.partition("|")
    offset = text.index(before + after) + len(before)
    line = text.count("\n", 0, offset) + 1
    return text, TextPlace(line, offset - (text.rfind("\n", 0, offset) + 1) + 1)


def place(path: Path, marked: str) -> TextPlace:
    return at(TEXTS[path], marked)[1]


def written(locations: tuple[TextLocation, ...]) -> list[str]:
    """Locations as `document:line word`."""
    found = []
    for one in locations:
        line = Source("", TEXTS[one.path]).line(one.range.start.line)
        found.append(
            f"{one.path.stem}:{one.range.start.line} {line[one.range.start.column - 1 : one.range.end.column - 1]}"
        )
    return found


# --- scanning


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_parts_are_read_as_the_whole_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    reader = LineScanner()
    for line in lines_of(text):
        reader.line(line)
    assert list(keys_in(text).all()) == reader.keys


@given(st.text(alphabet="ab:{}[]#'\"|>-, \n\r\t\\é𝄞", max_size=80), st.integers(-2, 9), st.integers(-2, 90))
@settings(max_examples=budget(80))
def test_no_text_is_too_strange(text: str, line: int, column: int) -> None:
    spot_at(text, line, column)
    keys = keys_in(text)
    assert all(1 <= key.line <= len(lines_of(text)) for key in keys.all())
    workspace = Workspace({CLUB: text})
    complete(workspace, CLUB, TextPlace(line, column))
    describe(workspace, CLUB, TextPlace(line, column))
    outline(workspace, CLUB)


# --- completion and meanings


@pytest.mark.parametrize(
    ("path", "marked", "offered"),
    [
        (CLUB, "extends: ho|use", "house"),
        (CLUB, "when: blessed and re|d", "red"),
        (CLUB, "when: ble|ssed", "blessed"),
        (CLUB, "worth: ext|ra", "extra"),
        (CLUB, "excludes: [bless|ing", "chows"),
        (CLUB, "patterns: [bless|ing]}}", "grand"),
        (TWIST, "for: [cl|ub]\nchange", "club"),
        (TWIST, "two: {for: [cl|ub]", "house"),
        (TWIST, "    bless|ing: {worth: was", "grand"),
        (TWIST, "when: luc|ky", "blessed"),
        (HOUSE, "if: r|ed", "red"),
    ],
)
def test_open_documents_see_each_other(path: Path, marked: str, offered: str) -> None:
    found = complete(Workspace(TEXTS), path, place(path, marked))
    assert offered in [offer.label for offer in found.offers]
    line = Source("", TEXTS[path]).line(found.range.start.line)
    before, _, after = marked.partition("|")
    word = line[found.range.start.column - 1 : found.range.end.column - 1]
    assert (before + after).find(word) >= 0


SMALL = """tilewright: 1
kind: ruleset
id: small
name: {en: Small}
extends: cantonese
tiles: {classes: {twos: [2, 5]}}
families: {big: {name: Big}}
patterns:
  a: {name: {en: A}, worth: 1, family: b, when: {only: [t]}}
cases: {one: {expect: {patterns: [a]}, play: [{E: win, expect: {marks: {}}}]}}
"""
MODDED = "tilewright: 1\nkind: mod\nid: twist\nname: Twist\nfor: [cantonese]\nremove: [pa]\n"


@pytest.mark.parametrize(
    ("text", "marked", "offered"),
    [
        (SMALL, "only: [t|]", "twos"),
        (SMALL, "only: [t|]", "suited"),
        (SMALL, "family: b|,", "big"),
        (MODDED, "remove: [pa|]", "patterns.no_bonus_tiles"),
        (MODDED, "remove: [pa|]", "terms.last_tile"),
    ],
)
def test_what_may_stand_in_a_list_is_offered(text: str, marked: str, offered: str) -> None:
    path = Path("/nowhere/small.yaml")
    found = complete(Workspace({path: text}), path, at(text, marked)[1])
    assert offered in [offer.label for offer in found.offers]


def test_names_are_found_in_all_documents() -> None:
    found = [(document, symbol) for document, symbol, _ in symbols_called(Workspace(TEXTS), "BLESS")]
    assert found == sorted(found) and len({document for document, _ in found}) > 1
    assert ("house", "blessed") in [(document, symbol.name) for document, symbol in found]


CASES = """tilewright: 1
kind: ruleset
id: cases
name: {en: Cases}
extends: standard
zones: {pool: {of: table, seen_by: everyone}}
marks: {hot: {of: table}}
forms: {frm: {name: {en: Form}, groups: [7 pairs]}}
scoring: {measures: {pts: {name: {en: Points}}}, best: pts}
patterns: {a: {name: {en: A}, worth: 1}}
offers: {knock: {name: {en: Knock}, then: end}}
insert: [{after: phases.quiet.do.one, do: []}]
restrictions: {no: {bars: [quiet.knock], when: hot}}
phases: {quiet: {name: Quiet, do: [{id: one, draw: 1}]}}
cases:
  one:
    expect: {unit: pts, values: {pts: 1}, form: frm, patterns: [a], phase: quiet, marks: {hot: true}, zones: {pool: 1m}}
  two:
    start: quiet
    zones: {pool: 1m}
    play:
      - {E: knock, tile: 5m, expect: {result: quiet, legal: {S: [knock]}, refused: {W: {knock: below}}}}
      - {others: knock, expect: {sees: {N: {pool: 2m}}}}
      - expect: {zones: {pool: {E: 1m}}, marks: {hot: {S: true}}, unit: pts}
"""


@pytest.mark.long
@pytest.mark.parametrize("name", ["pool", "hot", "frm", "pts", "a", "knock", "quiet"])
def test_names_in_cases_and_plays_are_changed(name: str) -> None:
    path, text = Path("/nowhere/cases.yaml"), CASES
    edits = rename(Workspace({path: text}), path, at(text, f"{{|{name}: {{")[1], "zz")
    assert applied(text, edits) == re.sub(rf"\b{name}\b", "zz", text)


@pytest.mark.parametrize(
    ("path", "marked", "said"),
    [
        (CLUB, "excludes: [bless|ing", "Blessing. From above."),
        (CLUB, "when: blessed and re|d", "Red fives"),
        (CLUB, "extends: ho|use", "House"),
        (TWIST, "two: {for: [cl|ub]", "Club"),
        (TWIST, "two: {fo|r: [club]", "Rulesets it holds for"),
        (TWIST, "    bless|ing: {worth: was", "Blessing. From above."),
        (CLUB, "ext|ends: house", "The base or ruleset"),
        (HOUSE, "blessed: lucky and self_dr|aw", "discarder"),
    ],
)
def test_a_word_is_explained(path: Path, marked: str, said: str) -> None:
    found = describe(Workspace(TEXTS), path, place(path, marked)).found
    assert found is not None and said in found.doc


def test_a_key_that_may_not_be_there_has_no_meaning() -> None:
    text = CHILD.replace("blessing: {worth: 3}", "blessing:\n    wurth: 3")
    assert describe(Workspace({**TEXTS, CLUB: text}), CLUB, at(text, "wu|rth")[1]).found is None


def test_a_meaning_shows_what_is_declared() -> None:
    found = describe(Workspace(TEXTS), CLUB, place(CLUB, "when: ble|ssed")).found
    assert found is not None and found.example == "lucky and self_draw"
    changed = {**TEXTS, HOUSE: BASE.replace("blessed: lucky and", "blessed: lucky or")}
    found = describe(Workspace(changed), CLUB, place(CLUB, "when: ble|ssed")).found
    assert found is not None and found.example == "lucky or self_draw"


# --- where names are


@pytest.mark.parametrize(
    ("path", "marked", "places"),
    [
        (CLUB, "when: ble|ssed", ["house:12 blessed"]),
        (CLUB, "excludes: [bless|ing", ["club:7 blessing", "house:18 blessing"]),
        (CLUB, "  bless|ing: {worth", ["house:18 blessing"]),
        (CLUB, "patterns: [bless|ing]}}", ["club:7 blessing", "house:18 blessing"]),
        (CLUB, "when: blessed and re|d", ["house:7 red"]),
        (CLUB, "worth: ext|ra", ["house:8 extra"]),
        (TWIST, "patterns.gr|and", ["club:8 grand"]),
        (TWIST, "    bless|ing: {worth: was", ["club:7 blessing", "house:18 blessing"]),
        (HOUSE, "blessed: lu|cky", ["house:10 lucky"]),
    ],
)
def test_a_declaration_is_found(path: Path, marked: str, places: list[str]) -> None:
    assert written(definition(Workspace(TEXTS), path, place(path, marked))) == places


@pytest.mark.parametrize(
    ("path", "marked", "named"), [(CLUB, "extends: ho|use", HOUSE), (TWIST, "two: {for: [cl|ub]", CLUB)]
)
def test_a_document_that_is_named_is_found(path: Path, marked: str, named: Path) -> None:
    (found,) = definition(Workspace(TEXTS), path, place(path, marked))
    assert found.path == named


@pytest.mark.parametrize(
    ("path", "marked", "places"),
    [
        (HOUSE, "  bless|ing:", ["club:7", "club:8", "club:10", "house:18", "twist:8", "twist:11"]),
        (TWIST, "patterns.gr|and", ["club:8", "twist:14"]),
        (HOUSE, "  lu|cky:", ["house:10", "house:12", "twist:11"]),
        (CLUB, "when: blessed and re|d", ["club:8", "house:7", "house:19"]),
        (TWIST, "oth|er:", ["twist:11"]),
    ],
)
def test_every_place_of_a_name_is_found(path: Path, marked: str, places: list[str]) -> None:
    found = written(references(Workspace(TEXTS), path, place(path, marked)))
    assert [one.partition(" ")[0] for one in found] == places


def applied(text: str, edits: list[TextEdit]) -> str:
    starts = line_starts(text)
    for one in sorted(edits, key=lambda edit: edit.range, reverse=True):
        start, end = (starts[spot.line - 1] + spot.column - 1 for spot in (one.range.start, one.range.end))
        text = text[:start] + one.text + text[end:]
    return text


def test_a_name_is_changed_everywhere() -> None:
    edits = rename(Workspace(TEXTS), CLUB, place(CLUB, "excludes: [bless|ing"), "grace")
    after = {path: applied(text, [one for one in edits if one.path == path]) for path, text in TEXTS.items()}
    assert after == {path: re.sub(r"\bblessing\b", "grace", text) for path, text in TEXTS.items()}


@pytest.mark.parametrize(
    ("path", "marked", "new", "why"),
    [
        (CLUB, "excludes: [bless|ing", "chows", "already one of the patterns"),
        (CLUB, "excludes: [bless|ing", "Bless ing", "is no name"),
        (HOUSE, "  bles|sed:", "self_draw", "a word of the language"),
        (HOUSE, "  bles|sed:", "lucky", "already one of the marks"),
        (HOUSE, "[4 se|t]", "run", "comes with Tilewright"),
        (CLUB, "id: cl|ub", "pub", "no name here"),
    ],
)
def test_a_name_that_cannot_be_given_is_refused(path: Path, marked: str, new: str, why: str) -> None:
    with pytest.raises(CannotRename, match=why):
        rename(Workspace(TEXTS), path, place(path, marked), new)


def test_names_are_found_in_a_text_that_does_not_parse() -> None:
    broken = CHILD.replace("cases:\n", "cases: [\n")
    found = definition(Workspace({**TEXTS, CLUB: broken}), CLUB, at(broken, "when: ble|ssed")[1])
    assert [(one.path, one.range.start.line) for one in found] == [(HOUSE, 12)]


# --- problems and what to do about them


@pytest.mark.long
@pytest.mark.parametrize("path", STAGED, ids=lambda path: path.stem)
def test_the_last_stage_is_the_check(path: Path) -> None:
    """And an earlier one never reports what the last does not."""
    *earlier, last = static_stages(path)
    assert last == problems_of(path)
    assert all(set(found) <= set(last) for found in earlier)


def test_the_name_that_was_meant_is_offered() -> None:
    text = CHILD.replace("when: blessed", "when: blesed")
    with unsaved({**TEXTS, CLUB: text}):
        *_, problems = static_stages(CLUB)
    (found,) = [one for one in fixes(problems) if one.kind == "meant"]
    assert applied(text, list(found.edits)) == CHILD


def test_a_warning_can_be_ignored() -> None:
    """With the comment that the fix writes, which then only lacks a reason."""
    text = data_folder("rulesets").joinpath("mods", "seven_pairs.yaml").read_text(encoding="utf-8")
    text = text.replace("  forms:\n", "  terms:\n    idle: concealed and self_draw\n  forms:\n")
    path = HOME / "seven_pairs.yaml"
    with unsaved({path: text}):
        *_, problems = static_stages(path)
    warnings = [one for one in problems if one.severity == "warning"]
    assert [one.code for one in problems] == [one.code for one in warnings] != []
    edits = [edit for one in fixes(warnings) if one.kind == "ignore" for edit in one.edits]
    with unsaved({path: applied(text, edits)}):
        *_, after = static_stages(path)
        left = without_ignored(after, read_document(path).place.source)
    assert [one.code for one in left] == [UNEXPLAINED]


def test_a_document_is_formatted() -> None:
    text = CHILD.replace("worth: 3", "worth:   3")
    (edit,) = formatted(Workspace({CLUB: text}), CLUB)
    assert applied(text, [edit]) == format_text(text) == format_text(CHILD)
    assert formatted(Workspace({CLUB: edit.text}), CLUB) == ()


@pytest.mark.long
def test_examples_are_counted(tmp_path: Path) -> None:
    text = whole_text(path_of("cantonese")).replace("total: 0.5", "total: 0.75")
    path = tmp_path / "cantonese.yaml"
    with unsaved({path: text}):
        found = tried(path, problems_of(path))
        counted = tallies(read_document(path), held_in(found.outcomes))
    assert [one.code for one in found.problems] == ["case-fails"]
    (cases,) = [one for one in counted if one.key == ("cases",)]
    assert cases.held == cases.tried - 1 > 0
