"""Three computations agree: the kernel, the plain judge, and an independent oracle."""

import pytest
from agreement import RULESETS, disagreements
from budget import budget


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_back_ends_and_oracle_agree(ruleset: str) -> None:
    assert list(disagreements(ruleset, budget(60))) == []
