"""Examples and cases that a ruleset inherits or a mod changes: tried, replaced by name, removed; and what is not."""

import json
import re
from pathlib import Path

import pytest

from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import entries_of
from tilewright.base.problem import Problem
from tilewright.cli.check_files import CheckResult, check_file
from tilewright.language.check import problems_of

pytestmark = pytest.mark.long

CHILD = "tilewright: 1\nkind: ruleset\nid: mine\nname: {en: Mine}\nextends: hong_kong\n"
MOD = "tilewright: 1\nkind: mod\nid: theirs\nname: {en: Theirs}\n"
ROBBED = "payments: {W: 128, E: -64, S: -32, N: -32}"


def checked(folder: Path, text: str, name: str = "mine") -> CheckResult:
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return check_file(str(folder / f"{name}.yaml"), RulesChoice())


def problems_of_text(folder: Path, text: str) -> tuple[Problem, ...]:
    (folder / "theirs.yaml").write_text(text, encoding="utf-8")
    return problems_of(folder / "theirs.yaml")


def told(found: CheckResult) -> list[tuple[str, str, str]]:
    """Code, file and message of each problem."""
    return [(p.code, Path(p.place.source.name).name if p.place else "", p.message) for p in found.problems]


def test_an_inherited_example_that_fails_is_reported_where_it_stands(tmp_path: Path) -> None:
    found = checked(tmp_path, CHILD + "patterns: {chow_hand: {when: {has: [4 triplets]}, excludes: [pung_hand]}}\n")
    assert ("example-fails", "hong_kong.yaml") in [(code, file) for code, file, _ in told(found)]
    assert all(message.startswith("in mine: ") for _, _, message in told(found))


def test_a_child_without_changes_inherits_examples_that_hold(tmp_path: Path) -> None:
    found = checked(tmp_path, CHILD)
    assert found.problems == () and re.fullmatch(r"32 patterns, \d+ examples and \d+ cases", found.contents)


@pytest.mark.slow
def test_examples_are_tried_with_the_options_that_they_were_written_for(tmp_path: Path) -> None:
    stricter = CHILD + "options: {least_faan: {number: 8}}\n"
    assert checked(tmp_path, stricter).problems == ()
    own = stricter + (
        "patterns: {chow_hand: {examples: [{hand: 234m 567p 88s 234s 67s, win: 8s, self_draw: true, yes: true}]}}\n"
    )
    assert "below the minimum" in told(checked(tmp_path, own))[0][2]
    changed = stricter + "patterns: {self_drawn: {when: {self_draw: false}}}\n"
    assert "in mine with least_faan=3: " in told(checked(tmp_path, changed))[0][2]


BASE = """tilewright: 1
kind: ruleset
id: parent
name: {en: Parent}
extends: standard
scoring: {measures: {points: {}}, best: points}
terms: {counts: self_draw}
patterns:
  drawn:
    name: Self-drawn
    worth: 1
    when: counts
    examples:
      - {id: by_itself, hand: 234m 567p 88s 234s CC, win: C, self_draw: true, yes: true}
      - {id: claimed, hand: 234m 567p 88s 234s CC, win: C, yes: false}
cases:
  dragons: {hand: 234m 567p 88s 234s CC, win_tile: C, self_draw: true, expect: {total: 1, patterns: [drawn]}}
"""


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    (tmp_path / "parent.yaml").write_text(BASE, encoding="utf-8")
    return tmp_path


FAILING = [
    "this hand should count drawn",
    "this hand should not count drawn",
    "total should be 1",
    "patterns should be",
]


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ("", FAILING),
        ("patterns: {drawn: {examples: {by_itself: null}}}", FAILING[1:]),
        ("patterns: {drawn: {examples: {by_itself: {yes: false}, claimed: null}}}", FAILING[2:]),
        ("patterns: {drawn: {examples: [{hand: 234m 567p 88s 234s CC, win: C, yes: true}]}}", FAILING[2:]),
        ("patterns: {drawn: {examples: []}}", FAILING[2:]),
        ("cases: {dragons: null}", FAILING[:2]),
        ("cases: {dragons: {self_draw: false}}", FAILING[:2]),
        ("cases: null", FAILING[:2]),
    ],
)
def test_a_child_replaces_and_removes_by_name(more: str, left: list[str], parent: Path) -> None:
    text = CHILD.replace("hong_kong", "parent") + "terms: {counts: not self_draw}\n"
    found = told(checked(parent, f"{text}{more}\n"))
    assert len(found) == len(left), found
    assert all(said in message for said, (_, _, message) in zip(left, found, strict=True))


def test_an_example_that_is_not_there_cannot_be_removed(parent: Path) -> None:
    text = CHILD.replace("hong_kong", "parent") + "patterns: {drawn: {examples: {by_itsel: null}}}\n"
    (problem,) = checked(parent, text).problems
    assert (problem.code, problem.hint) == ("unknown-example", "did you mean 'by_itself'?")


def test_a_mod_is_tried_with_the_examples_of_its_rulesets(parent: Path) -> None:
    change = "for: [parent]\nchange: {patterns: {drawn: {worth: 2}}}\n"
    assert told(checked(parent, MOD + change, "theirs")) == [
        ("case-fails", "parent.yaml", "in parent: total should be 1, but is 2")
    ]
    for taken in ("remove: [cases.dragons]\n", "remove: [cases.dragons, patterns.drawn.examples.claimed]\n"):
        assert checked(parent, MOD + change + taken, "theirs").problems == ()
    replaced = "for: [parent]\nchange: {patterns: {drawn: {worth: 2}}, cases: {dragons: {expect: {total: 2}}}}\n"
    assert checked(parent, MOD + replaced, "theirs").problems == ()


def test_a_mod_of_several_rulesets_removes_what_one_of_them_has(parent: Path) -> None:
    (parent / "mine.yaml").write_text(CHILD.replace("hong_kong", "parent") + "cases: {dragons: null}\n")
    change = MOD + "for: [parent]\nchange: {patterns: {drawn: {worth: 2}}}\n"
    assert checked(parent, change + "remove: [cases.dragons]\n", "theirs").problems == ()
    (problem,) = checked(parent, change + "remove: [cases.dragons, cases.dragon]\n", "theirs").problems
    assert (problem.code, problem.hint) == ("nothing-to-remove", "did you mean 'dragons'?")


def test_a_mod_of_several_rulesets_changes_what_one_of_them_has(parent: Path) -> None:
    own = "patterns: {fine: {name: Fine, worth: 1, when: self_draw, examples: [{id: one, hand: 1m, yes: false}]}}\n"
    (parent / "mine.yaml").write_text(CHILD.replace("hong_kong", "parent") + own + "cases: {dragons: null}\n")
    target = MOD + "for: [parent]\nchange: {"
    case = "cases: {dragons: {expect: {total: 1}}}"
    for examples in ("[]", "{one: {hand: 2m}}", "{one: null}"):
        change = f"{target}patterns: {{fine: {{examples: {examples}}}}}, {case}}}\n"
        assert problems_of_text(parent, change) == ()
    wrong = {
        "cases: {dragon: {expect: {total: 1}}}": "cases.dragon",
        "patterns: {fine: {examples: {on: {hand: 2m}}}}": "patterns.fine.examples.on",
        "patterns: {fin: {examples: []}}": "patterns.fin.examples",
    }
    for change, path in wrong.items():
        (problem,) = problems_of_text(parent, f"{target}{change}}}\n")
        assert problem.code == "nothing-to-change"
        assert problem.message == f"no ruleset that the mod is for has {path} to change"
    added = f"{MOD}for: [parent]\nadd: {{patterns: {{drawn: {{examples: {{on: {{hand: 1m}}}}}}}}}}\n"
    assert [one.code for one in problems_of_text(parent, added)] == ["exists-already"]
    (problem, *_) = problems_of_text(parent, f"{target}patterns: {{fine: {{worth: 2, examples: []}}}}}}\n")
    assert problem.message == "in parent: there is nothing to change at patterns.fine"


OTHERWISE = "terms: {counts: not self_draw}\npatterns: {drawn: {examples: []}}\n"
IN_MINE = [("case-fails", "theirs.yaml", "in mine: total should be 1, but is 0")]


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("", IN_MINE),
        ("for: parent, ", IN_MINE),
        ("for: [{only: mine}], ", IN_MINE),
        ("for: [{only: parent}], ", []),
    ],
)
def test_a_case_of_a_mod_is_for_some_of_its_rulesets(
    target: str, found: list[tuple[str, str, str]], parent: Path
) -> None:
    child = CHILD.replace("hong_kong", "parent") + OTHERWISE + "cases: {dragons: null}\n"
    (parent / "mine.yaml").write_text(child)
    case = f"{{{target}hand: 234m 567p 88s 234s CC, win_tile: C, self_draw: true, expect: {{total: 1}}}}"
    mod = MOD + f"for: [parent]\nadd: {{cases: {{lucky: {case}}}}}\n"
    assert told(checked(parent, mod, "theirs")) == found
    taken = child.replace("null}", "null, lucky: {hand: 1m, win_tile: 1m, expect: {win: false}}}")
    (parent / "mine.yaml").write_text(taken)  # elsewhere the case is not there, so its id is free
    codes = {code for code, _, _ in told(checked(parent, mod, "theirs"))}
    assert codes == ({"exists-already"} if found else set())


def test_a_case_of_a_ruleset_may_be_for_that_ruleset_alone(parent: Path) -> None:
    (parent / "parent.yaml").write_text(BASE.replace("dragons: {", "dragons: {for: [{only: parent}], "))
    assert checked(parent, CHILD.replace("hong_kong", "parent") + OTHERWISE).problems == ()
    (entry,) = (one for one in entries_of(parent / "mine.yaml", RulesChoice()) if one.name == "cases.dragons")
    assert (entry.under, entry.reason) == ("", "it is for parent alone")


def test_two_mods_may_remove_the_same_case(parent: Path) -> None:
    from tilewright import load

    for name in ("one", "two"):
        text = MOD.replace("theirs", name) + "for: [parent]\nremove: [cases.dragons]\n"
        (parent / f"{name}.yaml").write_text(text)
    assert load(parent / "parent.yaml", mods=["one", "two"]).data.cases == ()


def test_options_with_which_a_mod_changes_nothing(parent: Path) -> None:
    change = (
        "for: [parent]\noptions: {many: {number: 3, from: 1, to: 5}}\n"
        "change: {patterns: {drawn: {worth: was * many}}}\n"
    )
    assert "total should be 1, but is 3" in told(checked(parent, MOD + change, "theirs"))[0][2]
    assert checked(parent, MOD + "tried_with: {many: 1}\n" + change, "theirs").problems == ()
    wrong = checked(parent, MOD + "tried_with: {many: 9}\n" + change, "theirs").problems
    assert [problem.place.line for problem in wrong if problem.place] == [5]
    unknown = checked(parent, MOD + "tried_with: {mani: 1}\n" + change, "theirs").problems
    assert "did you mean 'many'?" in [problem.hint for problem in unknown]


def test_what_is_not_tried_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from tilewright.cli.commands.authoring.check import check

    off = "    if: dear\n"
    text = BASE.replace("    worth: 1\n", "    worth: 1\n" + off).replace(
        "cases:", "options: {dear: {flag: false}}\ncases:"
    )
    found = checked(
        tmp_path, text.replace("id: parent", "id: mine").replace("expect: {total: 1, patterns: [drawn]}", "expect: {}")
    )
    assert found.problems == ()
    assert found.contents.endswith("; 2 not tried (pattern drawn is off)")
    assert check([str(tmp_path / "mine.yaml")], json=True, fail_on="warning", set_=[], mod=[]) == 0
    (note,) = json.loads(capsys.readouterr().out)
    assert (note["severity"], note["code"], note["line"]) == ("note", "not-tried", 9)
    assert note["message"] == "2 examples were not tried: pattern drawn is off"


def test_what_was_written_for_a_choice_that_is_gone_is_not_tried(tmp_path: Path) -> None:
    text = CHILD.replace("hong_kong", "american") + "options: {card: {choice: moon_gate, of: [moon_gate]}}\n"
    found = checked(tmp_path, text)
    assert found.problems == ()
    untried = r"\d+ not tried \(card cannot be basic1 here\)"
    assert re.fullmatch(rf"2 patterns, no examples or cases; {untried}", found.contents)


def test_the_examples_of_a_base_are_tried_elsewhere(tmp_path: Path) -> None:
    text = BASE.replace("kind: ruleset", "kind: base").replace("id: parent", "id: mine")
    found = checked(tmp_path, text)
    assert found.contents == "2 examples and 1 case, tried with the rulesets that extend it"
    assert [note.severity for note in found.notes] == ["note"]


# --- which rulesets a mod is for


@pytest.mark.parametrize(
    ("targets", "messages"),
    [
        ("[riichi]", ["in sanma: there is nothing to change at patterns.sanshoku_doujun"]),
        ("[{only: riichi}]", []),
        ("[{only: riichi}, {only: sanma}]", ["in sanma: there is nothing to change at patterns.sanshoku_doujun"]),
        ("[{only: sanma}]", ["there is nothing to change at patterns.sanshoku_doujun"]),
    ],
)
def test_a_problem_of_a_mod_names_the_ruleset(targets: str, messages: list[str], tmp_path: Path) -> None:
    """Sanma extends riichi and has no sequences in three suits."""
    text = f"{MOD}for: {targets}\nchange: {{patterns: {{sanshoku_doujun: {{worth: was}}}}}}\n"
    (tmp_path / "theirs.yaml").write_text(text, encoding="utf-8")
    found = [one.message for one in problems_of(tmp_path / "theirs.yaml")]
    assert found == messages


def test_a_mod_for_one_ruleset_alone_is_not_for_what_extends_it(tmp_path: Path) -> None:
    from tilewright import load
    from tilewright.base.problem import RulesetError

    text = f"{MOD}for: [{{only: riichi}}]\nchange: {{options: {{red_fives: {{number: 0}}}}}}\n"
    (tmp_path / "theirs.yaml").write_text(text, encoding="utf-8")
    load("riichi", mods=[tmp_path / "theirs.yaml"])
    with pytest.raises(RulesetError, match="it is for riichi alone"):
        load("sanma", mods=[tmp_path / "theirs.yaml"])
