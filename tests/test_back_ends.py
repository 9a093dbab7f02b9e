"""The back ends agree: tables and generated source, the tree walker, and an independent computation."""

from itertools import islice

import pytest
from agreement import RULESETS, disagreements
from budget import budget
from oracles.hands import cases

import tilewright
from tilewright.language.compiled.ir import Ir, Quantifier, Var
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.case import read_case
from tilewright.scoring.fast import measuring
from tilewright.scoring.plan import expressions
from tilewright.scoring.source import functions
from tilewright.scoring.walker import evaluate, nodes


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_back_ends_and_oracle_agree(ruleset: str) -> None:
    assert list(disagreements(ruleset, budget(100))) == []


def expressions_of(data: CompiledRuleset) -> dict[str, Ir]:
    """Every expression of patterns and measures, and every part of one that has no letter of another around it."""
    whole = [*(ir for pattern in data.patterns for ir in expressions(pattern)), *measuring(data)]
    parts = dict.fromkeys(part for ir in whole for part in nodes(ir) if not has_letters(part))
    return {f"e{number}": ir for number, ir in enumerate(parts)}


def has_letters(ir: Ir) -> bool:
    """A letter stands in it that a quantifier outside binds."""
    bound = {node.letter for node in nodes(ir) if isinstance(node, Quantifier)}
    return any(isinstance(node, Var) and node.name not in bound for node in nodes(ir))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_generated_source_says_what_the_walker_says(ruleset: str) -> None:
    rules = tilewright.load(ruleset)
    written = expressions_of(rules.data)
    compiled = functions(written)
    for case in cases(ruleset, budget(8), seed=3):
        for scene in islice(rules.judge.scenes(read_case(rules.data, case)), 3):
            said = {name: function(scene) for name, function in compiled.items()}
            assert said == {name: evaluate(ir, scene) for name, ir in written.items()}
