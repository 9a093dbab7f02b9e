"""Texts and cases of a document apart from it: in files beside it, or below it in its own."""

from pathlib import Path

import pytest
from commands import run

from tilewright.authoring.editor.completion import complete
from tilewright.authoring.editor.context import TextPlace, Workspace
from tilewright.authoring.editor.navigation import definition, rename
from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.files import unsaved
from tilewright.base.node import plain
from tilewright.base.problem import RulesetError
from tilewright.cli.check_files import check_document, files_of
from tilewright.language.check import problems_of
from tilewright.language.documents.companions import whole_text
from tilewright.language.documents.library import path_of, read_document
from tilewright.language.documents.whole import text_digest_of
from tilewright.language.elaborate import open_whole
from tilewright.language.load import load_data

HEAD = "tilewright: 1\nkind: {}\nid: club\n"
RULES = (
    HEAD.format("ruleset")
    + """name: Club rules
extends: cantonese
options:
  pay: {number: 1, from: 1, to: 9, label: Pay}
restrictions:
  rich: {bars: [chow], when: score > 500 * pay, reason: Rich players do not chow}
presets:
  quick: {name: Quick, options: {pay: 2}}
"""
)
GERMAN = HEAD.format("texts") + "language: de\n"
OWN = HEAD.format("texts") + "language: en\nrestrictions: {rich: {wording: A rich player does not chow.}}\n"
CASES = (
    HEAD.format("cases")
    + """cases:
  cheap: {hand: 234m 567p 88s 234s CC, win_tile: C, self_draw: true, expect: {total: 2}}
  play: {play: [{expect: {phase: act}}, {E: discard, tile: drawn, say: The drawn tile}]}
"""
)


def club(folder: Path, **companions: str) -> Path:
    """A ruleset with companions, by what stands in the names of their files."""
    (folder / "club.yaml").write_text(RULES, encoding="utf-8")
    for name, text in companions.items():
        (folder / f"club.{name}.yaml").write_text(text, encoding="utf-8")
    return folder / "club.yaml"


def test_texts_and_cases_are_read_from_files_beside_a_document(tmp_path: Path) -> None:
    texts = GERMAN + "name: {en: Club rules, de: Vereinsregeln}\noptions: {pay: {label: {en: Pay, de: Zahlung}}}\n"
    texts += "cases: {play: {play: {2: {say: {en: The drawn tile, de: Der gezogene Ziegel}}}}}\n"
    data = load_data(str(club(tmp_path, de=texts, cases=CASES, en=OWN)))
    assert data.name == {"en": "Club rules", "de": "Vereinsregeln"}
    document = plain(read_document(tmp_path / "club.yaml"))
    assert isinstance(document, dict)
    assert document["options"]["pay"]["label"] == {"en": "Pay", "de": "Zahlung"}
    assert document["presets"]["quick"]["name"] == "Quick"
    assert document["restrictions"]["rich"]["wording"] == "A rich player does not chow."
    assert document["cases"]["play"]["play"][1]["say"] == {"en": "The drawn tile", "de": "Der gezogene Ziegel"}
    assert [entry.id for entry in data.cases][-2:] == ["cheap", "play"]


def test_one_file_may_hold_all_of_it(tmp_path: Path) -> None:
    """What is below `---` has its place in the file, and the digest of its texts is that of several files."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    path = club(tmp_path / "a", de=GERMAN, cases=CASES)
    one = tmp_path / "b" / "club.yaml"
    one.write_text(whole_text(path), encoding="utf-8")
    assert plain(read_document(one)) == plain(read_document(path))
    assert text_digest_of(open_whole(str(one))) == text_digest_of(open_whole(str(path)))
    case = read_document(one).entries["cases"].value.place
    assert case.source.name == str(one)
    assert one.read_text(encoding="utf-8").splitlines()[case.line - 1].lstrip().startswith("cheap:")
    assert whole_text(one) == one.read_text(encoding="utf-8")


def test_a_new_translation_is_noticed_though_the_ruleset_is_cached(tmp_path: Path) -> None:
    path = club(tmp_path)
    assert "de" not in load_data(str(path)).name
    club(tmp_path, de=GERMAN + "name: {en: Club rules, de: Vereinsregeln}\n")
    assert load_data(str(path)).name["de"] == "Vereinsregeln"
    club(tmp_path, de=GERMAN + "name: {en: Club rules, de: Klub}\n")
    assert load_data(str(path)).name["de"] == "Klub"
    (tmp_path / "club.de.yaml").unlink()
    assert "de" not in load_data(str(path)).name


def test_what_the_document_says_itself_takes_precedence(tmp_path: Path) -> None:
    path = club(tmp_path, de=GERMAN + "name: {en: Club rules, de: Vereinsregeln}\n")
    path.write_text(RULES.replace("name: Club rules", "name: {en: Club rules, de: Hausregeln}"), encoding="utf-8")
    assert load_data(str(path)).name["de"] == "Hausregeln"


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("name: {en: Club rules, de: Vereinsregeln}", None, ""),
        ("name: Vereinsregeln", None, ""),
        ("name: {en: Club rules, de: ''}", None, ""),
        ("name: {en: Our rules, de: Vereinsregeln}", "stale-translation", "'Our rules', which is now 'Club rules'"),
        ("name: {en: Club rules, de: Vereinsregeln, was: Our rules}", "stale-translation", "'Our rules', which is now"),
        ("nmae: {en: Club rules, de: Vereinsregeln}", "unknown-text", "did you mean 'name'?"),
        ("name: {en: Club rules, de: V, fr: R}", "unknown-text", "'fr' is none of en, de and was"),
        ("restrictions: {rich: {when: {en: score > 500, de: 1 > 0}}}", "unknown-text", "'when'"),
        ("restrictions: {rich: {wording_of: abcdef}}", "unknown-text", "'wording_of'"),
        ("restrictions: {rihc: {name: Reich}}", "unknown-text", "did you mean 'rich'?"),
        ("options: {pay: {number: {en: '1', de: '9'}}}", "unknown-text", "'number'"),
        ("options: Optionen", "unknown-text", "'options'"),
        ("cases: {1: {play: {1: {say: Hallo}}}}", "unknown-text", "'cases'"),
        ("language_: de", "unknown-text", "'language_'"),
    ],
)
def test_texts_change_nothing_but_texts(tmp_path: Path, text: str, code: str | None, said: str) -> None:
    """Whatever a file of texts says: the rules are the same, and the mistake is told where it stands."""
    path = club(tmp_path)
    rules = load_data(str(path))
    club(tmp_path, de=f"{GERMAN}{text}\n")
    found = problems_of(path)
    assert [one.code for one in found] == ([code] if code else [])
    for problem in found:
        assert problem.severity == "warning" and said in f"{problem.message}; {problem.hint}"
        assert problem.place is not None and problem.place.source.name == str(tmp_path / "club.de.yaml")
        assert problem.place.line == 5
    assert problems_of(tmp_path / "club.de.yaml") == found
    data = load_data(str(path))
    assert (data.digest, data.options) == (rules.digest, rules.options)


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("de", HEAD.format("texts"), "missing-key"),
        ("de", GERMAN.replace("id: club", "id: house"), "of-another"),
        ("de", GERMAN + "name: [Vereinsregeln]\n", "wrong-type"),
        ("de", GERMAN + "name: {en: Club, de: 'Klub}\n", "not-closed"),
        ("cases", HEAD.format("cases"), "missing-key"),
        ("cases", CASES + "patterns: {}\n", "unknown-key"),
    ],
)
def test_mistakes_of_a_companion_are_told_where_they_stand(tmp_path: Path, name: str, text: str, code: str) -> None:
    path = club(tmp_path, **{name: text})
    found = problems_of(path)
    assert [one.code for one in found] == [code]
    assert found[0].place is not None and found[0].place.source.name == str(tmp_path / f"club.{name}.yaml")
    with pytest.raises(RulesetError):
        read_document(path)


def test_one_file_has_so_many_parts_at_most(tmp_path: Path) -> None:
    path = club(tmp_path)
    path.write_text(RULES + f"---\n{GERMAN}" * 3_000, encoding="utf-8")
    [problem] = problems_of(path)
    assert problem.code == "several-documents" and problem.place is not None and problem.place.line > 64


def test_other_files_with_a_point_in_their_names_are_documents(tmp_path: Path) -> None:
    path = club(tmp_path, v2=RULES)
    assert "cases" not in read_document(path).entries
    assert files_of([str(tmp_path)]) == [str(tmp_path / "club.v2.yaml"), str(path)]


def test_a_folder_is_checked_document_by_document(tmp_path: Path) -> None:
    club(tmp_path, de=GERMAN, cases=CASES)
    assert files_of([str(tmp_path)]) == [str(tmp_path / "club.yaml")]
    (tmp_path / "club.yaml").unlink()
    assert [one.code for one in problems_of(tmp_path / "club.de.yaml")] == ["no-document"]


@pytest.mark.long
def test_cases_are_tried_and_updated_in_their_file(tmp_path: Path) -> None:
    path = club(tmp_path, cases=CASES)
    found = check_document(path, RulesChoice())
    assert [one.code for one in found.problems] == ["case-fails"] and found.problems[0].place is not None
    assert found.problems[0].place.source.name == str(tmp_path / "club.cases.yaml")
    assert check_document(tmp_path / "club.cases.yaml", RulesChoice()).problems == found.problems
    run("check", str(path), "--update", "--yes")
    assert path.read_text(encoding="utf-8") == RULES
    assert check_document(path, RulesChoice()).problems == ()


def test_unsaved_texts_of_companions_are_read(tmp_path: Path) -> None:
    path = club(tmp_path, de=GERMAN)
    with unsaved({tmp_path / "club.de.yaml": GERMAN + "name: {en: Club rules, de: Neu}\n"}):
        assert load_data(str(path)).name["de"] == "Neu"
    with unsaved({tmp_path / "club.ja.yaml": GERMAN.replace("de", "ja") + "name: {en: Club rules, ja: 部}\n"}):
        assert load_data(str(path)).name["ja"] == "部"


def test_every_bundled_game_has_its_texts_and_cases_apart() -> None:
    """No line is too long, no fingerprint stands among rules, and the largest game is no longer than it needs to be."""
    for name in ("riichi", "mcr", "american", "uzje", "table"):
        lines = path_of(name).read_text(encoding="utf-8").splitlines()
        assert max(map(len, lines)) <= 120 and not any("wording_of" in line for line in lines)
    assert len(path_of("riichi").read_text(encoding="utf-8").splitlines()) <= 1_000


def test_names_are_completed_and_renamed_in_the_files_of_a_document(tmp_path: Path) -> None:
    rules = RULES + "patterns:\n  lucky: {name: Lucky, worth: 1, when: self_draw}\n"
    cases = HEAD.format("cases") + "cases:\n  one: {hand: 99m, win_tile: 9m, expect: {patterns: [lucky]}}\n"
    german = GERMAN + "patterns:\n  lucky:\n    name: {en: Lucky, de: Glück}\n"
    path, beside, texts = (tmp_path / f"club{part}.yaml" for part in ("", ".cases", ".de"))
    workspace = Workspace({path: rules, beside: cases, texts: german})
    at = TextPlace(5, cases.splitlines()[4].index("lucky") + 3)
    assert "lucky" in [one.label for one in complete(workspace, beside, at).offers]
    edits = rename(workspace, beside, at, "happy")
    assert {(one.path, one.range.start.line) for one in edits} == {(path, 13), (beside, 5), (texts, 6)}
    assert [(one.path, one.range.start.line) for one in definition(workspace, beside, at)] == [(path, 13)]
