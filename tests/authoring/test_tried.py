"""Every example and case that is written down ran under the rules that it is said to hold for, or has a reason."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from bundled_mods import DOCUMENTS, alone, together
from commands import run, run_process
from games import EXAMPLES_TRIED
from ruamel.yaml import YAML

from tilewright.authoring import trials
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import entries_of, of_ruleset
from tilewright.cli.check_files import check_file
from tilewright.language.check import names_with_needed
from tilewright.language.documents.library import path_of

pytestmark = pytest.mark.long

TABLES = together()
TOGETHER = [
    *TABLES,
    *(pytest.param(ruleset, (mod,), marks=pytest.mark.soak) for ruleset, mod in (one.values for one in alone())),
]


@pytest.mark.slow
@pytest.mark.parametrize("id", EXAMPLES_TRIED)
def test_every_example_of_a_ruleset_and_its_bases_ran(id: str) -> None:
    entries = list(entries_of(path_of(id), RulesChoice()))
    assert [one for one in entries if not one.under and not one.reason] == []
    assert len(entries) > 10 and sum(bool(one.under) for one in entries) > 0.7 * len(entries)
    assert Counter(Path(one.place.source.name).stem for one in entries) == +written(id), "none is forgotten"


def written(id: str) -> Counter[str]:
    """How many there are in each file of a ruleset, counted in the files themselves, as plain YAML."""
    found: Counter[str] = Counter()
    here: str | None = id
    while here is not None:
        document = YAML(typ="safe").load(path_of(here).read_text(encoding="utf-8"))
        patterns = [one for one in document.get("patterns", {}).values() if one]
        found[here] = sum(len(one.get("examples") or ()) for one in patterns)
        for file in (path_of(here), path_of(here).with_suffix(".cases.yaml")):
            cases = YAML(typ="safe").load(file.read_text(encoding="utf-8")).get("cases", {}) if file.exists() else {}
            found[file.stem] += sum(bool(one) for one in cases.values())
        here = document.get("extends")
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "mods"), TOGETHER, ids=str)
def test_every_example_ran_under_every_mod(ruleset: str, mods: Sequence[str]) -> None:
    """Each alone in `make soak`."""
    names = dict.fromkeys(name for mod in mods for name in names_with_needed(path_of(mod), DOCUMENTS[mod]))
    entries = list(of_ruleset(path_of(ruleset), [*names], {}))
    assert entries and [one for one in entries if not one.under and not one.reason] == []


def test_what_a_mod_leaves_alone_is_not_tried_again() -> None:
    """A wall that is cold changes no score of a hand."""
    under = Counter(one.under.removeprefix("cantonese") for one in of_ruleset(path_of("cantonese"), ["cold_wall"], {}))
    assert under[" without the mod"] > 50 and len(under) > 1


def test_what_no_trial_takes_up_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In rules of its own, as what was found of others is kept."""
    file = tmp_path / "untried.yaml"
    file.write_text("tilewright: 1\nkind: ruleset\nid: untried\nname: {en: Untried}\nextends: cantonese\n")

    def none(*of: object, paid_alone: bool) -> Iterator[None]:
        return iter(())

    monkeypatch.setattr(trials, "check_examples", none)
    entries = list(entries_of(file, RulesChoice()))
    assert any(not one.under and not one.reason for one in entries)
    done = run("check", str(file), "--tried")
    assert done.returncode == 1 and "no trial took it up" in done.stdout


def test_the_command_lists_what_was_tried_and_why_not(tmp_path: Path) -> None:
    text = "tilewright: 1\nkind: ruleset\nid: mine\nname: {en: Mine}\nextends: cantonese\ncases: null\n"
    (tmp_path / "mine.yaml").write_text(text)
    lines = run("check", str(tmp_path / "mine.yaml"), "--tried").stdout
    assert "was not tried: replaced or removed by what extends it" in lines
    found = json.loads(run("check", str(tmp_path / "mine.yaml"), "--tried", "--json").stdout)["tried"]
    ran, removed = ([one for one in found if bool(one["reason"]) is gone] for gone in (False, True))
    assert {one["under"] for one in ran} == {"mine"} and all(one["name"].startswith("patterns.") for one in ran)
    assert removed and all(one["name"].startswith("cases.") and one["under"] is None for one in removed)


def test_the_same_is_tried_wherever_the_command_is_given(tmp_path: Path) -> None:
    """What the cache keeps names documents as they were shown in another folder."""
    (tmp_path / "mine.yaml").write_text(
        "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: standard\n"
        "scoring: {measures: {points: {}}, best: points}\n"
        "cases: {chows: {hand: 234m 567p 88s 234s CC, win_tile: C, expect: {total: 0}}}\n"
    )
    (tmp_path / "below").mkdir()
    assert "1 tried" in last_line("mine.yaml", tmp_path) == last_line("../mine.yaml", tmp_path / "below")


def last_line(path: str, folder: Path) -> str:
    """The counts that a command of its own prints, as documents are read once in a process."""
    return run_process("check", path, "--tried", cwd=folder).stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("222m 333m 444m 555p 66s 77s", "17 tiles"),
        ("123m", "4 tiles"),
        ("222m 333m 444m 13p 66s", "not a winning hand"),
        ("222m 333m 444m 567p 8s", None),
    ],
)
def test_an_example_without_the_pattern_is_a_winning_hand(hand: str, says: str | None, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "tilewright: 1\nkind: ruleset\nid: mine\nname: Mine\nextends: standard\n"
        "scoring: {measures: {points: {}}, best: points}\n"
        "patterns:\n  pungs:\n    name: Pungs\n    worth: 1\n    when: {has: [4 triplets]}\n"
        f"    examples: [{{hand: {hand}, win: 8s, yes: false}}]\n"
    )
    found = [one.message for one in check_file(str(tmp_path / "mine.yaml"), RulesChoice()).problems]
    assert [says in one for one in found if says] == [True] * (says is not None) and len(found) == (says is not None)
