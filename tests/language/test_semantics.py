"""The language means what its reference says: small rulesets whose cases were worked out by hand.

A file in tests/data/semantics/ is a ruleset about one subject; its cases say what must come out. Each goes through
the plain judge, and through the kernel where it takes it.
"""

from pathlib import Path

import pytest
from engines import score_by_kernel

import tilewright
from tilewright.language.compiled.ruleset import RulesetCase
from tilewright.play.cases import check_play
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.examples import check_case

FOLDER = Path(__file__).parents[1] / "data" / "semantics"
RULES = {path.stem: tilewright.load(str(path)) for path in sorted(FOLDER.glob("*.yaml"))}
CASES = [
    pytest.param(name, entry, id=f"{name}-{entry.id}") for name, rules in RULES.items() for entry in rules.data.cases
]


@pytest.mark.parametrize(("name", "entry"), CASES)
def test_case(name: str, entry: RulesetCase) -> None:
    """By the plain judge, and alike by the kernel."""
    rules = RULES[name]
    assert entry.expect
    if "play" in entry.case:
        problems = list(check_play(rules, entry.case, entry.expect, entry.place, entry.moves))
    else:
        problems = list(check_case(rules, entry.case, entry.expect, entry.place))
    assert not problems, "\n".join(problem.message for problem in problems)
    try:
        situation = read_case(rules.data, entry.case)
    except CaseError:
        return
    score_by_kernel(rules, situation)


def test_what_all_others_come_to_is_explained() -> None:
    (found, *_) = RULES["sums"].explain({"hand": "111m 456p 789s EE 46s", "win": "5s"}).readings
    why = {one.id: one.why for one in found.patterns}
    assert why["no_score"] == "without it, fu == 20 fails: it is 24"
    assert why["two_sided"] == "wait == two_sided fails: it is closed"
    assert why["long"] == "without it, points >= 6 fails: it is 0"
