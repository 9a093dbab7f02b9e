"""Merging: what a document takes over from its base, what it replaces and takes away, and steps put among others."""

from pathlib import Path
from textwrap import dedent

import pytest
from merging import at_lines, document, values

from tilewright.base.node import Mapping
from tilewright.base.problem import RulesetError
from tilewright.language.documents.merge import merge
from tilewright.language.elaborate import open_whole

BASE = """
    kind: base
    id: base
    name: {en: Base}
    about: of the base
    options:
      flowers: {flag: true, label: Flowers}
    tiles:
      classes: {majors: [1, 9], simples: [2..8]}
    zones:
      hand: {of: seat, seen_by: owner}
    phases:
      deal:
        do:
          - {id: build, shuffle: wall}
          - {id: hands, for: seats, move: {count: 13, from: wall, to: hand}}
        then: end
    """


def merged(text: str) -> Mapping:
    whole, problems = merge(document(BASE, "base.yaml"), document(text))
    assert problems == []
    return whole


def test_mappings_merge_by_id() -> None:
    whole = merged("options: {flowers: {flag: false}, jokers: {flag: true}}")
    assert values(whole, "options") == {"flowers": {"flag": False, "label": "Flowers"}, "jokers": {"flag": True}}


def test_lists_and_values_replace() -> None:
    whole = merged("tiles: {classes: {majors: [1]}}\nphases: {deal: {then: won}}")
    assert values(whole, "tiles", "classes") == {"majors": [1], "simples": ["2..8"]}
    assert values(whole, "phases", "deal", "then") == "won"


def test_where_one_thing_stands_another_replaces_it() -> None:
    base = document("phases: {act: {then: {claims: turn}, do: [{id: each, for: {one: hand}, draw: 1}]}}", "base.yaml")
    whole, _ = merge(base, document("phases: {act: {then: {end: seat}, do: {each: {for: {other: melds}}}}}"))
    assert values(whole, "phases", "act", "then") == {"end": "seat"}
    assert values(whole, "phases", "act", "do", "0", "for") == {"other": "melds"}


def test_null_takes_away() -> None:
    assert values(merged("options: {flowers: null}"), "options") == {}


def test_null_takes_away_a_key_of_a_thing() -> None:
    assert values(merged("options: {flowers: {label: null}}"), "options") == {"flowers": {"flag": True}}


def test_what_a_base_says_of_itself_is_not_inherited() -> None:
    whole = merged("kind: ruleset\nid: test\nname: Test")
    assert values(whole, "name") == "Test"
    assert "about" not in whole.entries


def test_a_mapping_changes_steps_by_id() -> None:
    steps = values(merged("phases: {deal: {do: {hands: {move: {count: 16}}}}}"), "phases", "deal", "do")
    assert steps[1] == {"id": "hands", "for": "seats", "move": {"count": 16, "from": "wall", "to": "hand"}}


def test_null_takes_away_a_step() -> None:
    steps = values(merged("phases: {deal: {do: {hands: null}}}"), "phases", "deal", "do")
    assert [step["id"] for step in steps] == ["build"]


@pytest.mark.parametrize(
    ("where", "order"), [("before", ["flip", "build", "hands"]), ("after", ["build", "flip", "hands"])]
)
def test_steps_are_inserted(where: str, order: list[str]) -> None:
    whole = merged(f"insert: [{{{where}: phases.deal.do.build, do: [{{id: flip, flip: {{}}}}]}}]")
    assert [step["id"] for step in values(whole, "phases", "deal", "do")] == order


def test_nodes_keep_their_places() -> None:
    whole = merged("options:\n  flowers: {flag: false}\n")
    options = whole.get("options")
    assert isinstance(options, Mapping)
    flowers = options.get("flowers")
    assert isinstance(flowers, Mapping)
    assert (options.key("flowers").place.source.name, options.key("flowers").place.line) == ("test.yaml", 2)
    assert flowers.key("label").place.source.name == "base.yaml"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("options: {flower: null}", [("nothing-to-remove", 1)]),
        ("phases:\n  deal: {do: {hand: {move: {count: 3}}}}", [("unknown-step", 2)]),
        ("phases:\n  rob: {do: {hand: {draw: 1}}}", [("no-steps-to-change", 2)]),
        ("insert:\n  - {after: phases.deal.do.biuld, do: [{draw: 1}]}", [("no-anchor", 2)]),
        ("insert:\n  - {after: phases.deel.do.build, do: [{draw: 1}]}", [("no-anchor", 2)]),
        ("insert:\n  - {do: [{draw: 1}]}", [("no-anchor", 2)]),
        ("insert:\n  - {after: phases.deal.do.build}", [("missing-key", 2)]),
    ],
)
def test_what_misses_is_a_problem(text: str, expected: list[tuple[str, int]]) -> None:
    _, problems = merge(document(BASE, "base.yaml"), document(text))
    assert at_lines(problems) == expected


def test_a_wrong_path_is_underlined_where_it_goes_wrong() -> None:
    _, problems = merge(document(BASE), document("insert: [{after: phases.deel.do.build, do: [{draw: 1}]}]"))
    place = problems[0].place
    assert place is not None
    assert (place.column, place.length) == (25, 4)


# --- files


def write(folder: Path, **texts: str) -> None:
    for id, text in texts.items():
        head = f"tilewright: 1\nid: {id}\nname: {id}\n"
        (folder / f"{id}.yaml").write_text(head + dedent(text), encoding="utf-8")


def test_a_file_beside_stands_before_a_bundled_one(tmp_path: Path) -> None:
    write(
        tmp_path,
        table="kind: base\nzones: {pond: {of: table, seen_by: everyone}}\n",
        mine="kind: base\nextends: table\n",
    )
    whole = open_whole(str(tmp_path / "mine.yaml"))
    assert list(values(whole.full, "zones")) == ["pond"]


def test_a_bundled_base_is_found(tmp_path: Path) -> None:
    write(tmp_path, mine="kind: base\nextends: table\n")
    assert "wall" in values(open_whole(str(tmp_path / "mine.yaml")).full, "zones")


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ({"mine": "kind: base\nextends: nobody\n"}, "no-such-document"),
        ({"mine": "kind: base\nextends: mine\n"}, "extends-in-a-circle"),
        ({"mine": "kind: base\nextends: other\n", "other": "kind: base\nextends: mine\n"}, "extends-in-a-circle"),
        ({"mine": "kind: base\nextends: other\n", "other": "kind: card\n"}, "cannot-extend"),
        ({"mine": "kind: card\n"}, "not-a-ruleset"),
    ],
)
def test_what_cannot_be_extended(texts: dict[str, str], code: str, tmp_path: Path) -> None:
    write(tmp_path, **texts)
    with pytest.raises(RulesetError) as raised:
        open_whole(str(tmp_path / "mine.yaml"))
    assert [(one.code, one.place is not None) for one in raised.value.problems] == [(code, True)]


def test_a_name_that_is_nowhere() -> None:
    with pytest.raises(RulesetError) as raised:
        open_whole("zung_jung_plos")
    assert [one.code for one in raised.value.problems] == ["no-such-document"]
