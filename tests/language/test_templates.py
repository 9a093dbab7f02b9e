"""Templates: the cases that lists unfold to, and what is said of those that are wrong."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tilewright.base.document import Scalar, Sequence, parse
from tilewright.base.problem import Source
from tilewright.language.compiled.ir import HasGroups, Var, Want, WantedCase
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.elaborate import compile_with_problems, open_whole
from tilewright.language.expressions.lower import lower, lower_templates
from tilewright.language.expressions.scope import Scope, declare

DATA = Path(__file__).parents[1] / "data"
CASES = YAML(typ="safe").load((DATA / "templates.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def data() -> CompiledRuleset:
    data, problems = compile_with_problems(open_whole(str(DATA / "world.yaml")))
    assert data is not None, problems
    return data


@pytest.fixture(scope="module")
def scope(data: CompiledRuleset) -> Scope:
    return declare(open_whole(str(DATA / "world.yaml")), data.tiles, data.groups)


def list_of(templates: list[str]) -> Sequence:
    text = "x:\n" + "".join(f"  - {template}\n" for template in templates)
    node = parse(Source("test.yaml", text))
    found = node.get("x") if hasattr(node, "get") else None
    assert isinstance(found, Sequence)
    return found


@pytest.mark.parametrize("case", CASES, ids=[", ".join(map(str, case["of"])) for case in CASES])
def test_unfolded(case: dict[str, Any], scope: Scope, data: CompiledRuleset) -> None:
    node = list_of(case["of"])
    cases, problems = lower_templates(node, scope)
    if "problem" in case:
        assert [one.code for one in problems] == [case["problem"]]
        place = problems[0].place
        item = node.items[case["in"]]
        assert place is not None and place.line == item.place.line
        assert "at" not in case or place.column - item.place.column + 1 == case["at"]
        assert case.get("hint", "") in (problems[0].hint or "")
        return
    assert problems == []
    assert len(cases) == case["cases"]
    if "first" in case:
        assert [written(want, data) for want in cases[0].wants] == case["first"]
    if case.get("of_word"):
        assert all(want.of is not None or want.unless is not None for one in cases for want in one.wants)


def written(want: Want, data: CompiledRuleset) -> str:
    groups = sorted(data.groups.groups[index].tiles for index in want.groups)
    return " ".join("".join(data.tiles.tiles[tile].code for tile in group) for group in groups)


def test_adjectives(scope: Scope) -> None:
    (case,), problems = lower_templates(
        list_of(["2 concealed different triplets", "completed natural pair", "exposed quad"]), scope
    )
    assert problems == []
    triplets, pair, quad = case.wants
    assert (triplets.count, triplets.exposed, triplets.different) == (2, False, True)
    assert (pair.exposed, pair.completed, pair.natural) == (None, True, True)
    assert (quad.exposed, quad.groups) == (True, frozenset()) and quad.meld_groups


def test_a_larger_kind_is_found_among_melds(scope: Scope, data: CompiledRuleset) -> None:
    (case,), _ = lower_templates(list_of(["triplet"]), scope)
    quads = {index for index in case.wants[0].meld_groups if len(data.groups.groups[index].tiles) == 4}
    assert quads and not quads & case.wants[0].groups
    (plain,), _ = lower_templates(list_of(["plain triplet"]), scope)
    assert not plain.wants[0].meld_groups


def test_places_past_the_end_only_where_it_is_cyclic(scope: Scope, data: CompiledRuleset) -> None:
    cases, _ = lower_templates(list_of(["triplet 4 in moons", "triplet n in moons", "triplet n+2 in moons"]), scope)
    assert ["5s5s5s", "2s2s2s"] in [[written(want, data) for want in case.wants[1:]] for case in cases]
    cases, _ = lower_templates(list_of(["triplet 8 in coins", "triplet n in coins", "triplet n+2 in coins"]), scope)
    assert len(cases) == 7


def test_letters_of_quantifiers(scope: Scope) -> None:
    def wants(text: str) -> tuple[WantedCase, ...]:
        ir, problems = lower(Scalar(text, text, scope.declarations[0].place), "number", scope)
        assert problems == []
        has = ir.body if ir is not None and hasattr(ir, "body") else None
        assert isinstance(has, HasGroups)
        return has.cases

    (quad,) = wants("count(has(quad t) for t in kinds)")
    assert quad.wants[0].of == Var("tile", "t")
    (sequence,) = wants("count(has(sequence t) for t in kinds)")
    assert sequence.wants[0].of is None and sequence.wants[0].start == Var("tile", "t")


def test_symmetric_cases_are_all_there(scope: Scope, data: CompiledRuleset) -> None:
    """Against the plain enumeration: every choice of suits and ranks, wants as an unordered list."""
    cases, _ = lower_templates(list_of(["sequence n in a", "sequence n+1 in b", "pair n in c"]), scope)
    found = {tuple(sorted(written(want, data) for want in case.wants)) for case in cases}
    starts = {(suit.id, rank) for suit in data.tiles.suits for rank in suit.ranks}
    sequence = {(group.suit, group.rank): group for group in data.groups.groups if "sequence" in group.kinds}
    expected = set()
    for a, b, c, n in product(data.tiles.suits, data.tiles.suits, data.tiles.suits, range(1, 10)):
        after = n + 1 if not b.cyclic or n < b.ranks[-1] else 1
        if len({a.id, b.id, c.id}) == 3 and (a.id, n) in sequence and (b.id, after) in sequence and (c.id, n) in starts:
            if b.cyclic and n not in b.ranks:
                continue
            groups = [sequence[a.id, n], sequence[b.id, after]]
            texts = ["".join(data.tiles.tiles[tile].code for tile in group.tiles) for group in groups]
            expected.add(tuple(sorted([*texts, f"{n}{c.code}" * 2])))
    assert found == expected
