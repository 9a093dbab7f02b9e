"""Mods: strict patches of a whole, their order, what they may not do together; options and what is chosen of them."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from merging import at_lines, document, values

from tilewright.base.node import Mapping
from tilewright.base.problem import RulesetError, has_errors
from tilewright.language.check import problems_of, rulesets_near
from tilewright.language.documents.library import path_of, read_document
from tilewright.language.documents.mods import Change, Patched, apply, collisions, in_order, mod_id, unfit
from tilewright.language.documents.options import OptionSetting, choose, read_mod, read_settings
from tilewright.language.documents.whole import is_for
from tilewright.language.elaborate import open_whole
from tilewright.language.load import elaborated, key_of, recall_compiled

DRAFTS = ROOT / "tests" / "drafts"
WHOLE = """
    kind: ruleset
    id: whole
    tiles:
      classes: {majors: [1, 9]}
    zones:
      hand: {of: seat, seen_by: owner}
    terms:
      tenpai: {is: waits > 0}
    phases:
      act: {who: turn, offers: [win, discard]}
      deal: {do: [{id: build, shuffle: wall}, {id: hands, draw: 13}], then: act}
    offers:
      win: {when: {concealed: true, suits: 1}}
    payments:
      win: {all: {from: losers, amount: points, double: [self_draw]}}
    match: {score: 25000}
    """


def patched(text: str) -> Patched:
    return apply(document(WHOLE), document(f"id: test\n{text}"))


def result(text: str, *path: str) -> Any:
    found = patched(text)
    assert found.problems == ()
    return values(found.full, *path)


def test_add_brings_what_is_new() -> None:
    assert result("add: {zones: {bonus: {of: seat, seen_by: everyone}}}", "zones", "bonus", "of") == "seat"


def test_add_brings_keys_to_what_is_there() -> None:
    assert result("add: {payments: {win: {all: {to: winner}}}}", "payments", "win", "all", "to") == "winner"


def test_lists_grow() -> None:
    assert result("add: {phases: {act: {offers: [north, win]}}}", "phases", "act", "offers") == [
        "win",
        "discard",
        "north",
    ]


def test_change_gives_other_values() -> None:
    assert result("change: {zones: {hand: {seen_by: everyone}}}", "zones", "hand") == {
        "of": "seat",
        "seen_by": "everyone",
    }


def test_change_of_a_list_replaces_it() -> None:
    assert result("change: {tiles: {classes: {majors: [1]}}}", "tiles", "classes", "majors") == [1]


def test_change_of_a_goal_replaces_it() -> None:
    text = "change: {phases: {deal: {then: {act: dealer}}}}\nadd: {phases: {act: {then: {deal: turn}}}}"
    again = apply(patched(text).full, document("id: more\nchange: {phases: {deal: {then: {deal: turn}}}}"))
    assert again.problems == ()
    assert values(again.full, "phases", "deal", "then") == {"deal": "turn"}
    added = apply(again.full, document("id: more\nadd: {phases: {deal: {then: {act: dealer}}}}"))
    assert [problem.code for problem in added.problems] == ["exists-already"]


def test_change_of_steps_by_id() -> None:
    steps = result("change: {phases: {deal: {do: {hands: {draw: 16}}}}}", "phases", "deal", "do")
    assert [step.get("draw") for step in steps] == [None, 16]


def test_was_is_the_value_before() -> None:
    assert result("change: {match: {score: was + 1000}}", "match", "score") == "(25000) + 1000"
    assert result("change: {terms: {tenpai: {is: was and not concealed}}}", "terms", "tenpai", "is") == (
        "(waits > 0) and not concealed"
    )


def test_was_in_a_list_stands_for_all_that_was_there() -> None:
    doubled = result(
        "change: {payments: {win: {all: {double: [was, payer == dealer]}}}}", "payments", "win", "all", "double"
    )
    assert doubled == ["self_draw", "payer == dealer"]


def test_was_of_a_mapping_of_tests() -> None:
    found = patched("change: {offers: {win: {when: was or self_draw}}}")
    text = values(found.full, "offers", "win", "when")
    name = text.removesuffix(" or self_draw")
    assert values(found.full, "terms", name, "is") == {"concealed": True, "suits": 1}


def test_remove() -> None:
    assert result("remove: [phases.act.offers.win, zones.hand]", "phases", "act", "offers") == ["discard"]
    assert result("remove: [phases.deal.do.hands]", "phases", "deal", "do") == [{"id": "build", "shuffle": "wall"}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add: {zones: {hand: {of: seat, seen_by: owner}}}", [("exists-already", 2)]),
        ("add: {zones: {hand: {of: seat}}}", [("exists-already", 2)]),
        ("add: {zones: {wall: null}}", [("nothing-to-remove", 2)]),
        ("change: {zones: {hands: {of: seat}}}", [("nothing-to-change", 2)]),
        ("change: {phases: {deal: {do: {hand: {draw: 3}}}}}", [("nothing-to-change", 2)]),
        ("remove: [zones.hands]", [("nothing-to-remove", 2)]),
        ("insert: [{after: phases.deal.do.nobody, do: [{draw: 1}]}]", [("no-anchor", 2)]),
    ],
)
def test_what_misses_or_overwrites_is_a_problem(text: str, expected: list[tuple[str, int]]) -> None:
    assert at_lines(patched(text).problems) == expected


# --- several


def mods(**texts: str) -> list[Mapping]:
    return [document(f"kind: mod\nid: {id}\n{text}") for id, text in texts.items()]


def test_order_is_that_of_needs_then_as_listed() -> None:
    listed = mods(one="needs: [three]", two="about: x", three="about: y")
    assert [mod_id(mod) for mod in in_order(listed)] == ["three", "one", "two"]


def test_a_circle_of_needs_ends() -> None:
    assert len(in_order(mods(one="needs: [two]", two="needs: [one]"))) == 2


def test_what_is_needed_and_what_conflicts() -> None:
    assert [one.code for one in unfit(mods(one="needs: [zero]", two="conflicts: [one]"))] == [
        "needs-mod",
        "mods-conflict",
    ]


@pytest.mark.parametrize(
    ("one", "two", "collide"),
    [
        ("change: {match: {score: 1}}", "change: {match: {score: 2}}", True),
        ("change: {match: {score: 1}}", "needs: [one]\nchange: {match: {score: 2}}", False),
        ("change: {match: {score: was + 1}}", "change: {match: {score: was + 2}}", False),
        ("change: {match: {score: 1}}", "change: {match: {score: was + 2}}", True),
        ("change: {match: {score: 1}}", "change: {zones: {hand: {of: table}}}", False),
    ],
)
def test_two_mods_that_change_one_leaf(one: str, two: str, collide: bool) -> None:
    both = mods(one=one, two=two)
    full = document(WHOLE)
    changes: list[Change] = []
    for mod in in_order(both):
        done = apply(full, mod)
        full, changes = done.full, [*changes, *done.changes]
    assert [found.code for found in collisions(changes, both)] == ["mods-collide"] * collide


def test_mods_of_a_ruleset() -> None:
    whole = open_whole(str(DRAFTS / "riichi.yaml"), {}, ["red_fives:red_copies=2", "three_players"])
    assert whole.mods == ("red_fives", "three_players")
    assert whole.options["red_copies"].chosen == 2
    assert values(whole.full, "seats", "count") == 3


@pytest.mark.parametrize(
    ("ruleset", "mod", "code"),
    [
        ("zung_jung_plus", "red_fives", "not-for-this"),
        ("riichi", "basic1", "plays-no-card"),
        ("riichi", "no_mod", "no-such-document"),
        ("riichi", "red_fives:red_copy=2", "unknown-option"),
        ("riichi", "red_fives:red_copies=9", "out-of-range"),
    ],
)
def test_mods_that_do_not_fit(ruleset: str, mod: str, code: str) -> None:
    with pytest.raises(RulesetError) as raised:
        open_whole(str(DRAFTS / f"{ruleset}.yaml"), {}, [mod])
    assert [one.code for one in raised.value.problems] == [code]


# --- options

OPTIONS = """
    flowers: {flag: true}
    players: {number: 4, from: 3, to: 6}
    threshold: {number: 2.5, from: 0.5, step: 1}
    winds: {choice: full, of: [full, few]}
    ranks: {choice: ends, of: {ends: [1, 9], all: 1..9}}
    """


def settings(**wanted: object) -> dict[str, OptionSetting]:
    found, problems = choose(document(OPTIONS), wanted)
    assert problems == []
    return found


def test_options_unless_chosen_otherwise() -> None:
    assert [one.chosen for one in settings().values()] == [True, 4, Fraction(5, 2), "full", "ends"]


@pytest.mark.parametrize(
    ("id", "text", "value"),
    [
        ("flowers", "false", False),
        ("flowers", "no", False),
        ("flowers", True, True),
        ("players", "6", 6),
        ("players", 3, 3),
        ("threshold", "3.5", Fraction(7, 2)),
        ("winds", "few", "few"),
        ("ranks", "all", "all"),
    ],
)
def test_options_as_text_or_values(id: str, text: object, value: object) -> None:
    assert settings(**{id: text})[id].chosen == value


def test_a_choice_is_worth_something() -> None:
    worth = settings(ranks="all")["ranks"].worth
    assert worth is not None
    assert worth.place.line == 6


@pytest.mark.parametrize(
    ("id", "text", "code"),
    [
        ("flowers", "perhaps", "wrong-setting"),
        ("players", "four", "wrong-setting"),
        ("players", "7", "out-of-range"),
        ("players", True, "wrong-setting"),
        ("players", "1e9", "wrong-setting"),
        ("threshold", "3", "out-of-range"),
        ("winds", "fuel", "unknown-choice"),
        ("wind", "full", "unknown-option"),
    ],
)
def test_settings_that_cannot_be(id: str, text: object, code: str) -> None:
    _, problems = choose(document(OPTIONS), {id: text})
    assert [one.code for one in problems] == [code]
    assert problems[0].place is not None or code == "unknown-option"


def test_settings_as_on_a_command_line() -> None:
    assert read_settings(["a=1", " b = two "]) == {"a": "1", "b": "two"}
    assert read_mod("hot_wall") == ("hot_wall", {})
    assert read_mod("hot_wall:hot_tiles=4,other=x") == ("hot_wall", {"hot_tiles": "4", "other": "x"})


def test_if_takes_out_what_is_not_there() -> None:
    path = str(DRAFTS / "riichi.yaml")
    without, with_it = open_whole(path, {"abortive_draws": "false"}), open_whole(path)
    assert "four_winds" in values(with_it.document, "triggers") and "four_winds" in values(without.full, "triggers")
    assert "four_winds" not in values(without.document, "triggers")
    assert "if" not in values(with_it.document, "triggers", "four_winds")


@pytest.mark.long
def test_what_was_compiled_for_a_check_is_what_is_loaded(tmp_path: Path) -> None:
    """A mod of a base is compiled with each ruleset that extends it once: its examples are tried under the same."""
    mod = tmp_path / "my_pairs.yaml"
    text = path_of("seven_pairs", what="mod").read_text(encoding="utf-8").replace("id: seven_pairs", "id: my_pairs")
    mod.write_text(text, encoding="utf-8")
    assert not has_errors(problems_of(mod))
    targets = [target for target, ids in rulesets_near(mod).items() if is_for(read_document(mod), ids)]
    assert len(targets) > 2
    for target in targets:
        kept = recall_compiled(key_of(str(target), mods=[str(mod)]))
        assert kept is not None, "it is not compiled again"
        assert kept == elaborated(str(target), {}, [str(mod)]).data
    mod.write_text(f"{text}# edited\n", encoding="utf-8")
    assert recall_compiled(key_of(str(targets[0]), mods=[str(mod)])) is None, "an edited mod is compiled anew"
