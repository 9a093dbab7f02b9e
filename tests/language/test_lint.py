"""Lint of things that need more than a word exchanged in a draft: circles, reach, secrets of several steps."""

from pathlib import Path

import pytest

from tilewright.base.problem import Source
from tilewright.base.spelling import closest, hint
from tilewright.language.check import problems_of
from tilewright.language.lint.structure import circles

HEAD = """tilewright: 1
kind: ruleset
id: test
name: Test
tiles:
  copies: 4
  suits: {circles: {code: p, ranks: 1..9}, bamboos: {code: s, ranks: 1..9}}
groups: {pair: {alike: 2}, triplet: {alike: 3}}
forms: {regular: {groups: [4 triplets, pair]}}
seats: {count: 4}
zones:
  wall: {of: table, seen_by: nobody, when_empty: done}
  hand: {of: seat, seen_by: owner}
  melds: {of: seat, seen_by: everyone}
scoring: {measures: {points: {}}, best: points}
"""
PLAY = """phases:
  deal: {do: [{shuffle: wall}], then: {act: dealer}}
  act: {who: turn, offers: [win, go_on]}
  done: {then: end}
offers:
  win: {when: wins, do: [{declare: seat}], then: done}
  go_on: {do: [{draw: 1}], then: {act: next(turn)}}
"""


def codes(tmp_path: Path, text: str) -> list[tuple[str, int]]:
    path = tmp_path / "test.yaml"
    play = "" if "phases:" in text else PLAY
    path.write_text(HEAD + text + play, encoding="utf-8")
    return [(one.code, one.place.line - HEAD.count("\n") if one.place else 0) for one in problems_of(path)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (PLAY, []),
        (
            PLAY + "marks: {told: {of: seat, about: x}}\nterms: {rich: hand > 9}\ntriggers:\n"
            "  tell: {after: [draw], when: rich, do: [{mark: {told: true}}]}\n"
            "restrictions: {no: {bars: [win], when: told, reason: No}}\n",
            [("leaks-secret", 8)],
        ),
        (
            PLAY + "marks: {told: {of: seat, secret: true}}\ntriggers:\n"
            "  tell: {after: [draw], when: hand > 9, do: [{mark: {told: true}}]}\n"
            "restrictions: {no: {bars: [win], when: told, reason: No}}\n",
            [],
        ),
        (PLAY + "triggers:\n  again: {after: [draw], do: [{draw: 1}]}\n", []),
        (PLAY + "triggers:\n  again: {after: [reveal], do: [{reveal: hand}]}\n", [("trigger-in-a-circle", 9)]),
        (PLAY.replace("then: end", "then: more") + "  \n", [("unknown-phase", 4)]),
        (PLAY.replace("  done: {then: end}", "  done: {then: more}\n  more: {then: done}"), [("never-stops", 4)]),
        (PLAY.replace("  done: {then: end}", "  done: {do: [{for: seat, retire: seat}], then: done}"), []),
        (PLAY.replace("who: turn", "who: seats"), [("needs-rank", 6), ("needs-rank", 7)]),
        (PLAY.replace("who: turn", "who: those(s.concealed for s in seats)"), [("needs-rank", 6), ("needs-rank", 7)]),
        (PLAY.replace(", then: done}", "}"), [("no-way-on", 6)]),
        (PLAY + "  odd: {then: done}\n", [("unused-offer", 8)]),
        (
            "patterns:\n  one: {name: One, worth: 1, excludes: [two]}\n  two: {name: Two, worth: 2, excludes: [one]}\n",
            [("exclusion-in-a-circle", 3)],
        ),
        ("patterns:\n  one: {name: One, worth: 1, when: {has: [3 triplets, 3 pairs]}}\n", [("too-many-groups", 2)]),
        ("patterns:\n  one: {name: One, worth: 1, when: {suits: 3}}\n", [("never-holds", 2)]),
        ("patterns:\n  one: {name: One, worth: 1, when: {any: [{suits: 3}, {suits: 1}]}}\n", [("never-holds", 2)]),
        ("patterns:\n  one: {name: One, worth: 1, when: 1 < 2}\n", [("always-true", 2)]),
        ("patterns:\n  one: {name: One, worth: 1, when: hand < 0}\n", [("always-false", 2)]),
        ("patterns:\n  one: {name: One, worth: 1, when: true}\n", []),
        ("patterns:\n  one: {name: One, worth: 1, when: copies(1p) == copies(2p)}\n", []),
        ("patterns:\n  one: {name: One, worth: 1, when: hand == hand}\n", [("always-true", 2)]),
        ("patterns:\n  one: {name: One, worth: 1, when: {matches: {regex: 1p, in: bonus}}}\n", [("no-bonus-zone", 2)]),
        ("patterns:\n  one: {name: One, worth: 1, when: {matches: {regex: 1p, in: hand}}}\n", []),
        ("patterns:\n  one: {name: One, worth: 1, when: {matches: 1m.*}}\n", [("unknown-character", 2)]),
        (
            "patterns:\n  one: {name: One, worth: 1, when: {matches: '(?:[a-z])*[^E]+\\d{2,}p'}}\n",
            [("unknown-character", 2)],
        ),
        (
            "patterns:\n  one: {name: One, worth: 1, when: {only: [1p], has: [triplet 2 in a, triplet 1 in a]}}\n",
            [("impossible-pattern", 2)],
        ),
        (
            "patterns:\n  one: {name: One, worth: 1, when: {only: [circles], include: [bamboos]}}\n",
            [("impossible-pattern", 2)],
        ),
        (
            "patterns:\n  one: {name: One, worth: 1, when: {only: [circles], without: [1..9]}}\n",
            [("impossible-pattern", 2)],
        ),
        ("patterns:\n  one: {name: One, worth: 1, when: {any: [{only: [2p], every: [3]}, {only: [circles]}]}}\n", []),
        (
            PLAY.replace("{shuffle: wall}", "{shuffle: wall}, {for: seats, move: {count: 19, from: wall, to: hand}}"),
            [("wall-too-small", -10)],
        ),
    ],
)
def test_what_is_found(text: str, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    assert codes(tmp_path, text) == expected


FORMS = HEAD.replace("groups: {", "groups: {sequence: {run: 3}, quad: {alike: 4, stands_for: triplet}, ").replace(
    "forms: {", "forms: {mixed: {groups: [3 sequences, triplet, pair]}, pairs: {groups: [7 pairs], concealed: true}, "
)


@pytest.mark.parametrize(
    "when",
    [
        "{has: [3 pairs], form: regular}",
        "{form: pairs, has: [triplet]}",
        "{form: mixed, has: [2 triplets]}",
        "{form: pairs, test: not concealed}",
        "form == regular and form == pairs",
        "form == regular and wait == edge and wait != edge",
        "{has: [2 triplets of 2p]}",
        "{has: [triplet x, pair x]}",
        "{has: [3 different triplets of 1p or 2p]}",
        "{form: [regular, mixed], only: [1p, 2p, 3p]}",
        "{suits: 1, has: [sequence n in a, sequence n in b]}",
        "{suits: 2, only: [circles]}",
        "{suits: 1, include: [circles, bamboos]}",
        "{kinds: 10.., only: [circles]}",
        "{kinds: 3.., form: regular, only: [1p, 2p]}",
        "{form: mixed, kinds: 15..}",
        "{kinds: 7, test: kinds < 7}",
        "hand < 5 and hand > 5",
        "copies(1p) > 2 and copies(1p) < 1",
        "concealed and not concealed",
        "{concealed: true, has: [2 exposed triplets]}",
        "{concealed: false, form: regular, has: [4 concealed triplets, concealed pair]}",
        "{form: regular, every: [1p]}",
        "{without: [bamboos], has: [sequence in bamboos]}",
        "{any: [{form: pairs, has: [triplet]}, {suits: 1, include: [1p, 1s]}]}",
        "{suits: 1, any: [{include: [1p, 1s]}, {has: [sequence n in a, sequence n in b]}]}",
    ],
)
def test_what_no_hand_has(when: str, tmp_path: Path) -> None:
    assert patterns_told(when, tmp_path) in (["impossible-pattern"], ["too-many-groups"])


@pytest.mark.parametrize(
    "when",
    [
        "{has: [3 pairs]}",
        "{form: mixed, has: [triplet, 3 sequences]}",
        "{form: regular, test: not concealed}",
        "form == regular or form == pairs",
        "{has: [4 different triplets of 1p or 2p or 3p or 4p]}",
        "{form: regular, only: [1p, 2p, 3p, 4p, 5p]}",
        "{suits: 2, has: [sequence n in a, sequence n in b]}",
        "{suits: 1, has: [sequence n in a, sequence n in a]}",
        "{kinds: 9, only: [circles]}",
        "{kinds: 7, test: kinds < 8}",
        "hand < 6 and hand > 4",
        "{concealed: true, has: [4 concealed triplets]}",
        "{concealed: false, has: [3 concealed triplets]}",
        "{form: regular, every: [1p, 2p, 3p, 4p, 5p]}",
        "{has: [quad of 1p]}",
        "{any: [{form: pairs, has: [triplet]}, {suits: 1, include: [1p]}]}",
    ],
)
def test_what_some_hand_has(when: str, tmp_path: Path) -> None:
    assert patterns_told(when, tmp_path) == []


def patterns_told(when: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "test.yaml"
    path.write_text(f"{FORMS}{PLAY}patterns:\n  one: {{name: One, worth: 1, when: {when}}}\n", encoding="utf-8")
    return [one.code for one in problems_of(path) if not one.code.startswith("unused-")]


def test_a_form_that_no_tiles_make_is_told_by_check(tmp_path: Path) -> None:
    path = tmp_path / "test.yaml"
    text = HEAD.replace("forms: {", "forms: {no: {groups: [4 triplets, pair 12 in circles]}, ")
    path.write_text(text + PLAY, encoding="utf-8")
    assert [(one.code, one.severity) for one in problems_of(path)] == [("impossible-form", "warning")]


def test_each_circle_is_told_once() -> None:
    place = Source("", "").place(0)
    graph = {"a": {"b": place}, "b": {"c": place}, "c": {"a": place, "c": place}, "d": {"a": place}}
    assert [problem.message for problem in circles("thing", graph)] == [
        "thing in a circle: a -> b -> c -> a",
        "thing in a circle: c -> c",
    ]


def test_suggestions() -> None:
    assert closest("tripelts", ["triplets", "pairs"]) == "triplets"
    assert closest("selfdraw", ["self_draw"]) == "self_draw"
    assert hint("xyz", ["a", "b"]) == "there is a, b"
    assert hint("xyz", [f"name{number}" for number in range(20)]) is None
