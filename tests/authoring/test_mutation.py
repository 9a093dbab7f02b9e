"""Mutation: what survives is noticed by the example that comes with it, once that is pasted."""

import json
from dataclasses import replace
from pathlib import Path
from pickle import dumps, loads
from random import Random

import pytest
from budget import budget, every
from commands import run
from games import MOSTLY_SOAKED

from tilewright.authoring.mutants import Compiled, mutants
from tilewright.authoring.mutation import MutationPlan, MutationResult, MutationWork, Survivor, mutate
from tilewright.authoring.open_rules import RulesChoice
from tilewright.cli.check_files import check_file
from tilewright.language.documents.library import path_of
from tilewright.language.elaborate import compile_with_problems, open_whole

pytestmark = pytest.mark.long

RULESET = """tilewright: 1
kind: ruleset
id: mine
name: {en: Mine}
extends: standard
options:
  dear: {flag: false}
scoring: {measures: {points: {}}, best: points}
patterns:
  drawn:
    name: Drawn
    worth: 1
    when: self_draw
    examples:
      - {hand: 234m 567p 88s 234s CC, win: C, self_draw: true, yes: true}
      - {hand: 234m 567p 88s 234s CC, win: C, yes: false}
  chows:
    name: Chows
    worth: 3 if dear else 2
    when: {has: [3 sequences], self_draw: false}
    excludes: [pairs]
  pairs:
    name: Pairs
    worth: 1
    when: has(triplet of dragons) or has(pair of winds) and not self_draw
payments:
  win:
    all: {from: others, amount: points, when: self_draw}
    one: {from: discarder, amount: points + 3, when: not self_draw}
cases:
  plain: {hand: 234m 567p 88s 234s 22s, win_tile: 2s, expect: {total: 2}}
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine.yaml").write_text(RULESET)
    return tmp_path / "mine.yaml"


def found(path: Path, **given: int) -> MutationResult:
    return mutate(MutationWork(MutationPlan(str(path), RulesChoice(), **given)))


def test_every_kind_of_change_is_made(mine: Path) -> None:
    changes = {(".".join(one.path), one.was, one.becomes) for one in mutants(open_whole(str(mine)))}
    assert {
        ("options.dear", "false", "true"),
        ("patterns.drawn.worth", "1", "2"),
        ("patterns.drawn.when", "self_draw", "not (self_draw)"),
        ("patterns.chows.worth", "3 if dear else 2", "3 if dear else 1"),
        ("patterns.chows.when.has.0", "3 sequences", "4 sequences"),
        ("patterns.chows.when.self_draw", "false", "true"),
        ("patterns.chows.excludes", "pairs", ""),
        ("payments.win.one.amount", "points + 3", "points + 4"),
        ("payments.win.one.when", "not self_draw", "self_draw"),
    } <= changes
    joined = "has(triplet of dragons) or has(pair of winds) and not self_draw"
    assert ("patterns.pairs.when", joined, joined.replace(" or ", " and ")) in changes
    assert ("patterns.pairs.when", joined, joined.replace(" and ", " or ")) in changes


def test_examples_of_survivors_notice_them_once_they_are_pasted(mine: Path) -> None:
    result = found(mine, hands=150)
    caught = [one for one in result.survivors if one.example]
    assert len(caught) > 10 and all(one.changes for one in caught)
    assert {one.path for one in caught} >= {
        "payments.win.one.amount",
        "patterns.chows.excludes",
        "patterns.chows.worth",
    }
    for one in caught[:: every(3)]:
        text = RULESET + one.example.removeprefix("cases:\n") + "\n"
        mine.write_text(text)
        assert check_file(str(mine), RulesChoice()).problems == (), one
        mine.write_text(changed(text, one))
        problems = check_file(str(mine), RulesChoice()).problems
        assert [problem.code for problem in problems if problem.severity == "error"], one


def changed(text: str, one: Survivor) -> str:
    """The text of a ruleset with the change of a survivor."""
    lines = text.split("\n")
    line, at = lines[one.place.line - 1], one.place.column - 1
    assert line[at:].startswith(one.was)
    lines[one.place.line - 1] = line[:at] + one.becomes + line[at + len(one.was) :]
    return "\n".join(lines)


@pytest.mark.parametrize("id", MOSTLY_SOAKED)
def test_a_changed_section_compiles_as_all_of_it_would(id: str) -> None:
    whole = open_whole(str(path_of(id)))
    known, found = Compiled(whole), [one for one in mutants(whole) if one.node is not None]
    for mutant in Random(19).sample(found, min(budget(3), len(found))):
        assert mutant.node is not None
        data = known.changed(mutant.path, mutant.node)
        expected = compile_with_problems(mutant.over(whole))[0]
        assert (data and replace(data, digest="")) == (expected and replace(expected, digest="")), mutant.name


def test_what_means_the_same_is_not_counted(mine: Path) -> None:
    mine.write_text(RULESET.replace("when: self_draw\n    examples", "when: self_draw and 1 < 3\n    examples"))
    result = found(mine, hands=0)
    assert result.equivalent == 5  # 0 < 3, 2 < 3, 1 < 2, 1 < 4, 1 <= 3
    assert result.counted == result.tried - result.invalid - 5


def test_what_hands_and_plays_do_not_depend_on_stays_as_it_is(mine: Path) -> None:
    shown = """buttons: {quick: {name: Quick, takes: discard, when: pressed}}
terms: {pressed: {is: wall > 3}, asked: {is: wall > 3}}
"""
    text = RULESET.replace("best: points}", "best: points, worth_more: copies(tile) > 1}")
    mine.write_text(text.replace("when: self_draw\n", "when: self_draw and asked\n") + shown)
    changed = {one.path for one in mutants(open_whole(str(mine)))}
    assert ("terms", "asked", "is") in changed
    assert not changed & {("terms", "pressed", "is"), ("scoring", "worth_more")}


def test_what_is_no_ruleset_with_any_option_that_has_it_is_not_counted(mine: Path) -> None:
    aside = """restrictions: {kept: {bars: [aside], if: not dear, when: tile is not drawn, reason: Kept}}
phases: {act: {offers: [win, aside, discard]}}
offers:
  aside:
    name: Aside
    if: not dear
    choose: {tile: {tiles: 1, from: hand}}
    do: [{move: {tiles: tile, from: hand, to: bonus}}]
    then: act
"""
    dear = "  dear: {options: {dear: true}, hand: 234m 567p 88s 234s 22s, win_tile: 2s, expect: {total: 3}}\n"
    mine.write_text(RULESET + dear + aside)
    assert "offers.aside.choose.tile.tiles" not in {one.path for one in found(mine, hands=0).survivors}


BASE = """tilewright: 1
kind: base
id: base
name: {en: Base}
extends: standard
patterns: {drawn: {name: Drawn, worth: 3, when: self_draw}, unproven: {name: Unproven, worth: 2, when: self_draw}}
"""
CHILD = """tilewright: 1
kind: ruleset
id: child
name: {en: Child}
extends: base
scoring: {measures: {points: {}}, best: points}
patterns: {unproven: null}
cases: {drawn: {hand: 234m 567p 88s 234s CC, win: C, self_draw: true, expect: {total: 3}}}
"""
MOD = """tilewright: 1
kind: mod
id: mod
name: {en: Mod}
for: [child]
add:
  patterns: {more: {name: More, worth: 2, when: self_draw}}
  scoring: {pays_at_most: 9}
"""


def test_a_base_is_proven_by_what_extends_it_and_a_mod_by_its_own_cases(tmp_path: Path) -> None:
    for name, text in (("base", BASE), ("child", CHILD), ("mod", MOD)):
        (tmp_path / f"{name}.yaml").write_text(text)
    base, mod = found(tmp_path / "base.yaml", hands=0), found(tmp_path / "mod.yaml", hands=0)
    assert "patterns.drawn.worth" not in {one.path for one in base.survivors}
    survive = {one.name for one in mod.survivors}
    assert "patterns.more.worth: 2 -> 3" in survive and "scoring.pays_at_most: 9 -> 10" in survive
    case = "  cases: {more: {hand: 234m 567p 88s 234s CC, win: C, self_draw: true, expect: {values: {points: 5}}}}\n"
    (tmp_path / "mod.yaml").write_text(MOD + case)
    assert "patterns.more.worth: 2 -> 3" not in {one.name for one in found(tmp_path / "mod.yaml", hands=0).survivors}


def test_the_same_seed_gives_the_same(mine: Path) -> None:
    assert found(mine, hands=30, limit=12) == found(mine, hands=30, limit=12) != found(mine, hands=30, limit=12, seed=5)


def test_what_processes_send_each_other_can_be_sent(mine: Path) -> None:
    work = MutationWork(MutationPlan(str(mine), RulesChoice(), hands=30, limit=12))
    sent = work.plan, [work.result(number) for number in range(12)]
    assert loads(dumps(sent)) == sent


@pytest.mark.soak
def test_two_processes_find_the_same_as_one(mine: Path) -> None:
    assert found(mine, hands=60, limit=20, jobs=2) == found(mine, hands=60, limit=20)


def test_what_is_proven_does_not_survive(mine: Path) -> None:
    survive = {(one.path, one.becomes) for one in found(mine, hands=0).survivors}
    assert ("patterns.drawn.when", "not (self_draw)") not in survive
    assert ("options.dear", "true") not in survive
    assert ("patterns.pairs.worth", "2") in survive


def test_the_command(mine: Path) -> None:
    done = run("mutate", str(mine), "--hands", "60")
    assert done.returncode == 0 and "mine.yaml:12:12 patterns.drawn.worth: `1` becomes `2`" in done.stdout
    assert "  cases:\n    notices_drawn_worth_" in done.stdout and "survive" in done.stdout.splitlines()[-1]
    assert run("mutate", str(mine), "--hands", "0", "--fail-over", "1").returncode == 1
    data = json.loads(run("mutate", str(mine), "--hands", "60", "--limit", "10", "--json").stdout)
    assert data["tried"] == data["mutants"] == 10 and all(one["line"] for one in data["survivors"])
    assert run("mutate", str(mine), "--minutes", "0").stdout.count("survive") == 1
    (mine.parent / "wrong.yaml").write_text(RULESET.replace("self_draw\n", "self_dra\n"))
    wrong = run("mutate", str(mine.parent / "wrong.yaml"))
    assert wrong.returncode == 1 and "did you mean 'self_draw'" in wrong.stderr


ENDS = """tilewright: 1
kind: ruleset
id: mine
name: {en: Mine}
extends: standard
options:
  bamboo: {choice: ends, of: {ends: [1, 9], all: 1..9}, label: {en: Bamboos}}
tiles: {suits: {bamboos: {ranks: bamboo}}}
forms: {nine_gates: null}
scoring: {measures: {points: {}}, best: points}
patterns:
  five:
    name: Five
    worth: 1
    when: {include: [5p]}
    examples: [{hand: 567p 111s 99p 99m 222p, win: 9m, yes: true}, {hand: 678p 111s 99p 99m 222p, win: 9m, yes: false}]
cases:
  no_two: {hand: 22s 567p 11s 99p, melds: [CCC], win_tile: 2s, expect: {error: wrong-tiles}}
  one: {hand: 567p 111s 99p 99m, melds: [CCC], win_tile: 9m, expect: {total: 1}}
"""


def test_cases_that_expect_an_error_notice_what_check_does(mine: Path) -> None:
    mine.write_text(ENDS)
    assert check_file(str(mine), RulesChoice()).problems == ()
    assert found(mine, hands=0).survivors == []
