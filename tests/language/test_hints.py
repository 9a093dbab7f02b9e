"""What authors write for something that is called otherwise, and where a mistake is told that a removal makes."""

from pathlib import Path

import pytest
from commands import run_process

from tilewright.base.problem import Problem
from tilewright.language.check import problems_of
from tilewright.language.documents.library import path_of

HEAD = "tilewright: 1\nkind: ruleset\nid: mine\nname: {en: Mine}\nextends: standard\n"
SCORING = "scoring: {measures: {points: {name: {en: Points}}}, best: points}\n"
PATTERN = "patterns: {p: {name: {en: P}, %s}}\n"


def problems(folder: Path, text: str) -> tuple[Problem, ...]:
    (folder / "mine.yaml").write_text(HEAD + SCORING + text)
    return problems_of(folder / "mine.yaml")


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("when: {contains: [4 triplets]}", "did you mean 'has'?"),
        ("when: {forms: regular}", "did you mean 'form'?"),
        ("when: {last_tile: true}", "a mark or a term is tested with `marks: [last_tile]`"),
        ("value: 1", "did you mean 'worth'?"),
        ("per: [kong of dragons]", "did you mean 'each'?"),
        ("when: hand.concealed", "write `concealed` alone, or ask a seat: `winner.concealed`"),
        ("when: copies(honours) > 0", "write `sum(e for t in S)` with e of a single t, or count tiles: "),
        ("when: count(t in honours) > 2", "write `count(t in honours for t in tiles)`"),
        ("when: contains(5s)", "write `5s in hand` of a tile, `has(4 triplets)` of groups"),
        ("when: contains(triplets) and self_draw", "write `5s in hand` of a tile, `has(4 triplets)` of groups"),
        ("when: contains(4 triplets)", "groups are asked for in `has(...)`: `has(4 triplets)`"),
        ("when: hand contains 5s", "of a tile, write `5s in hand`"),
        ("when: concealed == 1", "a truth stands alone: `concealed` or `not concealed`"),
        ("when: 0 != flowers", "a truth stands alone: `flowers` or `not flowers`"),
        ("when: self_draw > 0", "a truth stands alone: `self_draw` or `not self_draw`"),
        ("when: (self_draw and concealed) == 1", "a truth stands alone: `x` or `not x`"),
        ("when: self_draw == true", "a truth stands alone: `concealed` or `not concealed`"),
        ("when: closed", "did you mean 'concealed'?"),
        ("when: hand.size == 14", "compare the set itself with a number: `hand == 14`"),
        ("when: terminals(hand) > 2", "ask `t in terminals` of tiles, as in `count(t in terminals for t in tiles)`"),
    ],
)
def test_what_is_called_otherwise_is_named(written: str, hint: str, tmp_path: Path) -> None:
    (found,) = problems(tmp_path, PATTERN % (written if "value" in written else f"worth: 1, {written}"))
    assert found.hint is not None and found.hint.startswith(hint)


@pytest.mark.parametrize(("text", "line"), [("options: {flowers: null}\n", 7), ("zones:\n  bonus: null\n", 8)])
def test_what_a_base_uses_is_missed_where_it_is_removed(text: str, line: int, tmp_path: Path) -> None:
    found = [one.place for one in problems(tmp_path, text) if one.severity == "error"]
    assert {(one.source.name, one.line) for one in found if one} == {(str(tmp_path / "mine.yaml"), line)}


def test_what_is_missed_at_several_lines_is_one_error(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, "options: {flowers: null}\n")
    assert found.message.count("standard.yaml:") == 2
    mod = "tilewright: 1\nkind: mod\nid: none\nname: None\nfor: [cantonese]\nremove: [options.flowers]\n"
    (tmp_path / "none.yaml").write_text(mod)
    told = [one.message for one in problems_of(tmp_path / "none.yaml") if "none is called 'flowers'" in one.message]
    assert len(told) == 1 and "standard.yaml:" in told[0], told


def test_an_option_may_be_called_like_a_key_for_texts(tmp_path: Path) -> None:
    options = "options: {unit: {number: 1, from: 1, to: 9, label: {en: Stake}}}\n"
    text = options + PATTERN % "worth: unit, when: self_draw"
    assert problems(tmp_path, text) == ()


def test_examples_of_a_base_are_removed_by_null(tmp_path: Path) -> None:
    text = HEAD.replace("standard", "cantonese") + "patterns: {no_bonus_tiles: {examples: null}}\n"
    (tmp_path / "mine.yaml").write_text(text)
    assert problems_of(tmp_path / "mine.yaml") == ()


@pytest.mark.long
def test_the_last_line_explains_an_error_before_a_warning(tmp_path: Path) -> None:
    problems(tmp_path, "marks: {unused: {of: table}}\n" + PATTERN % "worth: 1, when: nothing_known")
    done = run_process("check", str(tmp_path / "mine.yaml"))
    assert "tilewright explain unknown-word says more" in done.stdout


def test_a_fingerprint_is_no_text_for_people() -> None:
    assert problems_of(path_of("sichuan")) == ()
