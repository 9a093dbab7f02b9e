"""Loading: compiled rulesets come from the cache while nothing has changed; a broken cache is as if there were none."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import tilewright
from tilewright.base.files import folder as cache_folder
from tilewright.base.problem import RulesetError
from tilewright.language import elaborate
from tilewright.language.check import problems_of
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.bundled import bundled_ruleset
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.library import bundled_documents, read_document
from tilewright.language.documents.whole import MergedRuleset, ids_of
from tilewright.language.load import load_data

DRAFTS = ROOT / "tests" / "drafts"
HEAVY = ("lark", "jsonschema_rs", "ruamel.yaml", "regex")
MINE = """tilewright: 1
kind: ruleset
id: mine
name: Mine
extends: base
scoring: {measures: {points: {}}, best: points}
"""
HOUSE = "tilewright: 1\nkind: ruleset\nid: house\nname: House\nextends: cantonese\n"
QUICK = "tilewright: 1\nkind: mod\nid: quick\nname: Quick\nfor: [cantonese]\nchange: {match: {score: 7}}\n"
BASE = """tilewright: 1
kind: base
id: base
name: Base
tiles: {copies: 4, suits: {circles: {code: p, ranks: 1..9}}}
groups: {pair: {alike: 2}, triplet: {alike: 3}}
forms: {regular: {groups: [4 triplets, pair]}}
seats: {count: 4}
zones: {hand: {of: seat, seen_by: owner}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset over a base, and a cache of its own."""
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "mine.yaml").write_text(MINE, encoding="utf-8")
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    return tmp_path


def entries(folder: Path) -> list[Path]:
    return sorted((folder / "cache").glob("*.ruleset"))


def opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether loading opens the documents, or takes what was kept."""
    seen: list[str] = []
    compiled = elaborate.compiled

    def watched(whole: MergedRuleset) -> CompiledRuleset:
        seen.append(whole.kind)
        return compiled(whole)

    with monkeypatch.context() as patch:
        patch.setattr(elaborate, "compiled", watched)
        load_data(str(folder / "mine.yaml"))
    return bool(seen)


def test_what_is_kept_is_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [opened(folder, monkeypatch) for _ in range(3)] == [True, False, False]
    assert len(entries(folder)) == 1


def test_settings_have_entries_of_their_own(folder: Path) -> None:
    text = MINE + "options: {players: {number: 4, from: 3, to: 6}}\nmatch: {score: players}\n"
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    path = str(folder / "mine.yaml")
    assert [load_data(path, {"players": text}).options["players"] for text in ("3", "5", "3")] == [3, 5, 3]
    assert len(entries(folder)) == 2


@pytest.mark.parametrize("name", ["mine.yaml", "base.yaml"])
def test_a_change_of_any_document_counts(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(folder, monkeypatch)
    (folder / name).write_text((folder / name).read_text(encoding="utf-8") + "about: changed\n", encoding="utf-8")
    assert opened(folder, monkeypatch)
    assert not opened(folder, monkeypatch)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b"tilewright",
        b"tilewright" + pickle.dumps(((), "something else")),
        b"tilewright" + pickle.dumps(1),
    ],
)
def test_a_broken_cache_is_none(content: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(folder, monkeypatch)
    entries(folder)[0].write_bytes(content)
    assert opened(folder, monkeypatch)
    assert not opened(folder, monkeypatch)


def test_what_others_can_write_is_not_trusted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(folder, monkeypatch)
    entries(folder)[0].chmod(0o666)
    assert opened(folder, monkeypatch)


def test_a_cache_that_cannot_be_written_does_not_matter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(folder / "file" / "below"))
    assert load_data(str(folder / "mine.yaml")).id == "mine"


def test_the_cache_lies_where_such_things_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TILEWRIGHT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/tilewright")


def test_a_cached_load_imports_nothing_heavy(folder: Path) -> None:
    path = str(folder / "mine.yaml")
    load_data(path)
    script = (
        f"import sys; from tilewright.language.load import load_data; load_data({path!r}); "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_paths_are_names_too(tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "quick.yaml").write_text(QUICK, encoding="utf-8")
    rules = tilewright.load(tmp_path / "house.yaml", mods=[tmp_path / "quick.yaml"])
    assert rules.data.id == "house"
    assert set(rules.table().view(0).scores) == {7}


def test_a_base_is_not_played(folder: Path) -> None:
    with pytest.raises(RulesetError) as raised:
        load_data(str(folder / "base.yaml"))
    assert [one.code for one in raised.value.problems] == ["not-playable"]


def test_problems_of_a_base_are_shown_where_they_are(folder: Path) -> None:
    (folder / "base.yaml").write_text(BASE.replace("ranks: 1..9", "rank: 1..9"), encoding="utf-8")
    problems = problems_of(folder / "mine.yaml")
    assert [(one.code, Path(one.place.source.name).name, one.place.line) for one in problems if one.place] == [
        ("unknown-key", "base.yaml", 5)
    ]


def test_what_a_base_leaves_open_is_missing_in_the_ruleset(folder: Path) -> None:
    (folder / "base.yaml").write_text(BASE + "phases: {deal: {do: [{settle: win}], then: end}}\n", encoding="utf-8")
    assert problems_of(folder / "base.yaml") == ()
    problems = problems_of(folder / "mine.yaml")
    assert [(one.code, one.place.line, "base.yaml:10" in one.message) for one in problems if one.place] == [
        ("unknown-payment", 5, True)
    ]


def test_what_a_mod_breaks_is_shown_at_the_mod(folder: Path) -> None:
    text = "tilewright: 1\nkind: mod\nid: less\nname: Less\nfor: [mine]\nremove: [groups.triplet]\n"
    (folder / "less.yaml").write_text(text, encoding="utf-8")
    problems = problems_of(folder / "less.yaml")
    assert {Path(one.place.source.name).name for one in problems if one.place} == {"less.yaml"}
    assert [one.severity for one in problems] == ["error"]


def test_a_mod_is_checked_over_what_extends_a_base_it_is_for(folder: Path) -> None:
    (folder / "more.yaml").write_text(
        "tilewright: 1\nkind: mod\nid: more\nname: More\nfor: [base]\n"
        "change: {seats: {count: 3}, scoring: {best: pints}}\n",
        encoding="utf-8",
    )
    assert [(one.code, one.place.line) for one in problems_of(folder / "more.yaml") if one.place] == [
        ("unknown-measure", 6)
    ]


def test_warnings_are_about_the_document_alone(folder: Path) -> None:
    (folder / "base.yaml").write_text(BASE + "terms: {nobody_asks: hand == 0}\n", encoding="utf-8")
    assert problems_of(folder / "mine.yaml") == ()


@pytest.mark.slow
@pytest.mark.parametrize("path", list(bundled_documents()), ids=lambda path: path.stem)
def test_a_bundled_document_has_no_problem(path: Path) -> None:
    assert problems_of(path) == ()


@pytest.mark.long
def test_bundled_rulesets_are_known_by_lines_of_their_own() -> None:
    """What mods may be for is found without parsing every bundled document."""
    for path in bundled_documents():
        is_ruleset = kind_of(read_document(path)) == "ruleset"
        assert bundled_ruleset(path) == (ids_of(path) if is_ruleset else ())
