"""`check --update` writes into a mod, or a ruleset, what examples and cases that it inherits give under it."""

import json
import re
from pathlib import Path

import pytest
from budget import budget
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from tilewright.authoring.layout import with_value
from tilewright.authoring.open_rules import RulesChoice
from tilewright.cli.check_files import check_file

pytestmark = pytest.mark.long

HEAD = "tilewright: 1\nkind: mod\nid: dear   # to us\nname: {en: Dear}\n"
FAAN = """for: [TARGET]

change:
    patterns:
        # so it is at our table
        one_suit_and_honours: {worth: 4}
        pung_hand: {worth: 4}   # not 3

# the end
"""


def problems(file: Path) -> list[str]:
    return [one.code for one in check_file(str(file), RulesChoice()).problems]


def updated(file: Path) -> str:
    """The text of a file that has problems, after an update that leaves none."""
    before = check_file(str(file), RulesChoice()).problems
    elsewhere = [one.hint or "" for one in before if one.place is not None and one.place.source.name != str(file)]
    assert before and (not elsewhere or "--update" in elsewhere[0])
    run("check", str(file), "--update", "--yes")
    assert problems(file) == []
    return file.read_bytes().decode()


@pytest.mark.parametrize(
    ("target", "ends"),
    [("hong_kong", "\r\n"), *(pytest.param("faan_games", end, marks=pytest.mark.soak) for end in ("\n", "\r\n"))],
)
def test_a_mod_says_what_the_cases_of_its_rulesets_give(target: str, ends: str, tmp_path: Path) -> None:
    """Also cases that only some of them have."""
    file = tmp_path / "dear.yaml"
    text = (HEAD + FAAN.replace("TARGET", target)).replace("\n", ends)
    file.write_bytes(text.encode())
    after = updated(file)
    added = [line for line in after.split(ends) if line not in text.split(ends)]
    assert added[0] == "    cases:" and "        faan_5: {expect: {values: {faan: 6, points: 32}}}" in added
    assert all(re.fullmatch(r" {8}\w+: \{expect: \{values: \{.*\}\}\}", line) for line in added[1:])
    assert [line for line in after.split(ends) if line not in added] == text.split(ends)


PARENT = """tilewright: 1
kind: ruleset
id: parent
name: Parent
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
  chows:
    name: Chows
    worth: 2
    when: {has: [3 sequences]}
    examples:
      - {hand: 234m 567p 88s 234s CC, win: C, yes: true}
      - {hand: 234m 567p 888s 22s CC, win: C, yes: false}
phases: {deal: {}}
payments: {win: {all: {from: losers, amount: points}}}
cases:
  dragons: {hand: 234m 567p 88s 234s CC, win_tile: C, self_draw: true, expect: {total: 3, patterns: [drawn, chows]}}
  unwon: {hand: 234m 567p 88s 234s CF, win_tile: C, expect: {win: false}}
  pungs: {hand: 222m 555p 88s 222s CC, win_tile: C, expect: {total: 0}}
"""
CHILD = "tilewright: 1\nkind: ruleset\nid: child\nname: Child\nextends: parent\n"
MOD = HEAD + "for: [parent]\n"
TRIPLED = "{expect: {total: 6, patterns: [drawn, chows]}}"
WRITTEN = [
    # a mod, in blocks, in braces and with some of the path there already
    (MOD + "change: {patterns: {chows: {worth: 5}}}\n", "{worth: 5}}, cases: {dragons: " + TRIPLED + "}}"),
    (MOD + "change:\n  patterns:\n    chows: {worth: 5} # five\n# end\n", "# five\n  cases:\n    dragons: " + TRIPLED),
    (MOD + "change:\n  cases:\n    pungs: {win_tile: 8s} # x\n  patterns: {chows: {worth: 5}}\n", "# x\n    dragons:"),
    (MOD + "change:\n  cases: {}\n  patterns: {chows: {worth: 5}}\n", "  cases: {dragons: " + TRIPLED + "}\n"),
    # a case that the mod changes, and of which the ruleset says what it expects
    (
        MOD + "change: {cases: {dragons: {self_draw: false}}}\n",
        "{dragons: {self_draw: false, expect: {total: 2, patterns: [chows]}}}",
    ),
    # examples with names and without
    (
        MOD + "change: {terms: {counts: not self_draw}}\n",
        "not_inherited: [drawn.by_itself, drawn.claimed]",
    ),
    (
        MOD + "change:\n  patterns:\n    chows: {when: {has: [4 sequences]}}\n",
        "{expect: {total: 1, patterns: [drawn]}}\nnot_inherited: [chows.1]\n",
    ),
    # what cannot be tried, or does not win
    (
        MOD + "add:\n  forms: {regular: {when: not self_draw}}\n",
        "\nnot_inherited: [drawn.by_itself, dragons]\n",
    ),
    # a ruleset that extends another
    (CHILD + "patterns: {chows: {worth: 5}}\n", "\ncases:\n  dragons: " + TRIPLED + "\n"),
    (CHILD + "terms: {counts: not self_draw}", "\nnot_inherited: [drawn.by_itself, drawn.claimed]\n"),
    (
        json.dumps({"tilewright": 1, "kind": "ruleset", "id": "child", "name": "Child", "extends": "parent",
                    "patterns": {"chows": {"worth": 5}}}),
        ', "cases": {"dragons": {"expect": {"total": 6, "patterns": ["drawn", "chows"]}}}}',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written"), WRITTEN)
def test_what_holds_is_written_where_it_belongs(text: str, written: str, tmp_path: Path) -> None:
    (tmp_path / "parent.yaml").write_text(PARENT)
    file = tmp_path / ("dear.yaml" if "kind: mod" in text else "child.yaml")
    file.write_text(text)
    after = updated(file)
    assert written in f"{after}\n"
    rest = iter(after)
    assert all(character in rest for character in text.rstrip("}\n"))  # nothing is taken away


def test_what_rulesets_of_a_mod_give_differently_is_removed(tmp_path: Path) -> None:
    (tmp_path / "parent.yaml").write_text(PARENT)
    (tmp_path / "child.yaml").write_text(
        CHILD + "patterns: {drawn: {worth: 2}}\ncases: {dragons: {expect: {total: 4}}}\n"
    )
    file = tmp_path / "dear.yaml"
    file.write_text(MOD + "change: {patterns: {chows: {worth: 5}}}\n")
    assert updated(file).endswith("\nnot_inherited: [dragons]\n")
    assert "no case gives another result" in run("check", str(file), "--update", "--yes").stdout


def test_a_play_says_what_its_end_gives(tmp_path: Path) -> None:
    file = tmp_path / "dear.yaml"
    file.write_text(HEAD + "for: [{only: cantonese}]\nchange: {patterns: {robbing_a_kong: {worth: 3}}}\n")
    counted = "winners: [W], patterns: [robbing_a_kong, chow_hand, no_bonus_tiles]"
    paid = "payments: {E: -32, S: -16, W: 64, N: -16}"
    assert updated(file).endswith(f", cases: {{robbed_kong: {{expect: {{{counted}, {paid}}}}}}}}}\n")


def test_cases_whose_options_are_out_of_range_are_removed(tmp_path: Path) -> None:
    case = "options: {most: 9}, hand: 234m 567p 88s 234s CC"
    cases = f"  hand: {{{case}, win_tile: C, expect: {{win: true}}}}\n"
    cases += f"  play: {{{case}, play: [{{expect: {{winners: []}}}}]}}\n"
    parent = PARENT.replace("when: counts", "when: counts and most > 2")
    (tmp_path / "parent.yaml").write_text(parent + cases + "options: {most: {number: 3, from: 1, to: 9}}\n")
    file = tmp_path / "dear.yaml"
    file.write_text(
        MOD + "remove: [cases.dragons]\nchange: {options: {most: {to: 5}}, patterns: {chows: {worth: 5}}}\n"
    )
    assert updated(file).endswith("\nnot_inherited: [hand, play]\n")


def test_rules_that_are_chosen_for_a_check_are_not_written(tmp_path: Path) -> None:
    (tmp_path / "parent.yaml").write_text(PARENT)
    (tmp_path / "dear.yaml").write_text(MOD + "change: {patterns: {chows: {worth: 5}}}\n")
    file = tmp_path / "child.yaml"
    file.write_text(CHILD)
    done = run("check", str(file), "--mod", "dear", "--update", "--yes")
    assert "no case gives another result" in done.stdout and file.read_text() == CHILD


KEYS = st.sampled_from(["a", "b", "change", "cases"])
VALUES = st.recursive(
    st.sampled_from(["1", "word", "[1, 2]"]),
    lambda inner: st.tuples(st.booleans(), st.dictionaries(KEYS, inner, min_size=1)),
    max_leaves=8,
)


def layout(value: object, depth: int, numbers: "list[int]") -> str:
    """A document as somebody may write it: in blocks with comments, or in braces."""
    if isinstance(value, str):
        return f" {value}{comment(numbers)}"
    braces, entries = value  # type: ignore[misc]
    if braces:
        inner = ", ".join(f"{key}: {flat(one)}" for key, one in entries.items())
        return f" {{{inner}}}{comment(numbers)}"
    lines = (f"{'  ' * depth}{key}:{layout(one, depth + 1, numbers)}" for key, one in entries.items())
    return comment(numbers) + "".join(lines)


def flat(value: object) -> str:
    if isinstance(value, str):
        return value
    return "{" + ", ".join(f"{key}: {flat(one)}" for key, one in value[1].items()) + "}"  # type: ignore[index]


def comment(numbers: "list[int]") -> str:
    numbers.append(len(numbers))
    return f"  # {numbers[-1]}\n"


@given(st.dictionaries(KEYS, VALUES, min_size=1), st.lists(KEYS, min_size=1, max_size=4), st.integers(0, 3))
@settings(max_examples=budget(30))
def test_a_value_is_written_and_comments_are_kept(entries: "dict[str, object]", path: "list[str]", blocks: int) -> None:
    text = "# above\n" + layout((False, entries), 0, []).removeprefix("  # 0\n")
    changed = with_value(text, path, "[new]", blocks)
    before, after = read(text), read(changed)
    node = before
    for key in path[:-1]:
        if not isinstance(node.get(key), dict):
            node[key] = {}
        node = node[key]
    if not isinstance(node.get(path[-1]), dict):
        assert re.findall(r"# \w+", changed) == re.findall(r"# \w+", text)
    node[path[-1]] = ["new"]
    assert after == before


def read(text: str) -> "dict[str, object]":
    found: dict[str, object] = YAML(typ="safe", pure=True).load(text)
    return found
