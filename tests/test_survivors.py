"""The mutants of bundled rulesets that nothing notices: those of `data/survivors.json`, each with a reason."""

import json
from pathlib import Path

import pytest

from tilewright.authoring.mutation.run import MutationPlan, MutationWork, mutate
from tilewright.authoring.open_rules import RulesChoice
from tilewright.language.documents.library import path_of

SURVIVORS: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "data/survivors.json").read_text())


@pytest.mark.parametrize("id", SURVIVORS)
def test_only_those_with_a_reason_survive(id: str) -> None:
    result = mutate(MutationWork(MutationPlan(str(path_of(id)), RulesChoice(), hands=0)))
    assert {one.path for one in result.survivors} == set(SURVIVORS[id])
    assert all(len(reason) > 20 for reason in SURVIVORS[id].values())
