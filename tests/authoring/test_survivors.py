"""The mutants of bundled rulesets that nothing notices: those of `data/survivors.json`, each with a reason."""

import json
from pathlib import Path

import pytest
from games import PLAYED, mostly_soaked

from tilewright.authoring.mutation import MutationPlan, MutationResult, MutationWork, mutate
from tilewright.authoring.open_rules import RulesChoice, bundled
from tilewright.language.documents.library import path_of

SURVIVORS: dict[str, dict[str, str]] = json.loads((Path(__file__).parents[1] / "data/survivors.json").read_text())
SAMPLE = 3  # mutants of some rulesets that `make test` tries
MOST = 3  # percent of all mutants that may survive


def tried(id: str, limit: int | None = None) -> MutationResult:
    return mutate(MutationWork(MutationPlan(str(path_of(id)), RulesChoice(), limit, hands=0)))


def test_every_ruleset_is_listed_and_every_survivor_has_a_reason() -> None:
    assert sorted(SURVIVORS) == sorted(bundled("ruleset"))
    assert all(len(reason) > 20 for reasons in SURVIVORS.values() for reason in reasons.values())


@pytest.mark.slow
@pytest.mark.parametrize("id", mostly_soaked(PLAYED, ("american", "cantonese")))
def test_of_a_sample_only_those_with_a_reason_survive(id: str) -> None:
    assert {one.name for one in tried(id, SAMPLE).survivors} <= set(SURVIVORS[id])


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_only_those_with_a_reason_survive() -> None:
    results = {id: tried(id) for id in SURVIVORS}
    assert {id: sorted({one.name for one in result.survivors}) for id, result in results.items()} == {
        id: sorted(reasons) for id, reasons in SURVIVORS.items()
    }
    survivors = sum(len(result.survivors) for result in results.values())
    assert 100 * survivors < MOST * sum(result.counted for result in results.values())
